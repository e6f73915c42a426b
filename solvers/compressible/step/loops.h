/* The loops of a step on one device. step.c puts them in order; host/host_loops.c runs them on the CPU,
 * gpu/gpu_loops.c on a GPU. Vectors of the scheme are numbered as in solvers/schemes.h; pointers to them are to the
 * device's memory. */
#ifndef TRIAD_SOLVERS_COMPRESSIBLE_STEP_LOOPS_H
#define TRIAD_SOLVERS_COMPRESSIBLE_STEP_LOOPS_H

#include "solvers/compressible/state/own.h"

/* A failure of a kernel is kept until settle, and nothing is launched after it. */
typedef struct triad_weno_loops {
  triad_where where;    /* which copy of the state they read and write */
  int keeps_primitives; /* does the next stage use the primitives of own points that check_state has found? */

  triad_real *const *(*vector)(const triad_weno *w, int number);
  triad_box (*inner)(const triad_weno *w); /* points whose rates can be found before halos come; may be empty */

  /* the exchange of halos of u; collective */
  void (*begin)(triad_weno *w, triad_real *const *u);
  void (*end)(triad_weno *w);
  /* boundaries of u; again: after the exchange */
  void (*fill)(triad_weno *w, triad_real *const *u, int again);
  void (*primitives)(triad_weno *w, triad_real *const *u, const triad_box *box);
  void (*rates)(triad_weno *w, triad_real *const *u, const triad_box *box, const triad_weno_update *update);

  /* Charge the time since w->charged to a phase. A GPU does so only in steps that are timed apart (triad bench). */
  void (*charge)(triad_weno *w, enum triad_phase phase);
  void (*time_apart)(triad_weno *w, int on);
  int (*settle)(triad_weno *w); /* the first failure since the last call; on several ranks it ends them all */

  /* primitives of own points of the state, and the worst of them */
  int (*check_state)(triad_weno *w, triad_weno_state_check *found);

  triad_real *const *(*velocity)(const triad_weno *w);                 /* u, v, w of the primitives at hand */
  int (*copy)(const triad_weno *w, int number, triad_real *const *to); /* a vector to the host */

  /* budgets of this rank's points, from primitives with halos: sums and extremes; points of divergence below `bound` */
  int (*sum)(triad_weno *w, triad_sum sums[TRIAD_WENO_SUMS], double extreme[TRIAD_WENO_EXTREMES]);
  int (*count)(triad_weno *w, double bound, int64_t *count);
  /* the state at own points, as triad_weno_at has them: out[f][i] */
  int (*conserved_at)(triad_weno *w, int64_t n, const int64_t *at, triad_real *out);

  int64_t (*sent_bytes)(const triad_weno *w); /* in one exchange of a state */
  const char *(*transport)(const triad_weno *w);
  void (*free)(triad_weno *w); /* their own memory */
} triad_weno_loops;

#endif
