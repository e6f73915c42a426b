/* The loops of a step on one device. step.c puts them in order; host/host_loops.c runs them on the CPU,
 * gpu/gpu_loops.c on a GPU. Vectors of the scheme are numbered as in solvers/schemes.h; pointers to them are to the
 * device's memory. */
#ifndef TRIAD_SOLVERS_COMPRESSIBLE_STEP_LOOPS_H
#define TRIAD_SOLVERS_COMPRESSIBLE_STEP_LOOPS_H

#include "solvers/compressible/state/internal.h"

/* A failure of a kernel is kept until settle, and nothing is launched after it. */
typedef struct triad_compressible_loops {
  triad_where where;    /* which copy of the state they read and write */
  int keeps_primitives; /* does the next stage use the primitives of own points that check_state has found? */

  triad_real *const *(*vector)(const triad_compressible *w, int number);
  triad_box (*inner)(const triad_compressible *w); /* points whose rates can be found before halos come; may be empty */

  /* the exchange of halos of u; collective */
  void (*begin)(triad_compressible *w, triad_real *const *u);
  void (*end)(triad_compressible *w);
  /* boundaries of u; again: after the exchange */
  void (*fill)(triad_compressible *w, triad_real *const *u, int again);
  void (*primitives)(triad_compressible *w, triad_real *const *u, const triad_box *box);
  void (*rates)(triad_compressible *w, triad_real *const *u, const triad_box *box,
                const triad_compressible_update *update);

  /* Charge the time since w->charged to a phase (state/phases.h). A GPU does so only in steps that are timed apart
   * (triad bench); in others the rates have the time of the whole step. */
  void (*charge)(triad_compressible *w, int phase);
  void (*time_apart)(triad_compressible *w, int on);
  int (*settle)(triad_compressible *w); /* the first failure since the last call; on several ranks it ends them all */

  /* primitives of own points of the state, and the worst of them */
  int (*check_state)(triad_compressible *w, triad_compressible_state_check *found);

  triad_real *const *(*velocity)(const triad_compressible *w);                 /* u, v, w of the primitives at hand */
  int (*copy)(const triad_compressible *w, int number, triad_real *const *to); /* a vector to the host */

  /* budgets of this rank's points, from primitives with halos: sums and extremes; points of divergence below `bound` */
  int (*sum)(triad_compressible *w, triad_sum sums[TRIAD_COMPRESSIBLE_SUMS],
             double extreme[TRIAD_COMPRESSIBLE_EXTREMES]);
  int (*count)(triad_compressible *w, double bound, int64_t *count);
  /* the state at own points, as triad_compressible_at has them: out[f][i] */
  int (*conserved_at)(triad_compressible *w, int64_t n, const int64_t *at, triad_real *out);

  int64_t (*sent_bytes)(const triad_compressible *w); /* in one exchange of a state */
  const char *(*transport)(const triad_compressible *w);
  void (*free)(triad_compressible *w); /* their own memory */
} triad_compressible_loops;

#endif
