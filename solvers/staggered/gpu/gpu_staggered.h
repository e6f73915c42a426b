/* The staggered solver's kernels (cuda/staggered/), and the numbers that they leave for one another. */
#ifndef TRIAD_SOLVERS_STAGGERED_GPU_GPU_STAGGERED_H
#define TRIAD_SOLVERS_STAGGERED_GPU_GPU_STAGGERED_H

#include "solvers/staggered/points/staggered_points.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- sums, and the scalars that follow from them ----
 *
 * A kernel with sums adds those of its threads, then of its blocks, always in the same order. Its last block computes
 * the scalars that follow, so that on one rank a solve needs no host. The same holds for several ranks if their
 * kernels may wait for each other: the last block stores its sums in the memory of the other GPUs and waits for
 * theirs, which it adds in the order of ranks. Otherwise the host adds the sums of all ranks and
 * computes the scalars. */

enum {
  TRIAD_STAGGERED_GPU_SUMS = 6,
  TRIAD_STAGGERED_GPU_HISTORY = 12,
  TRIAD_STAGGERED_GPU_PLANES = 32 /* of blocks */
};

typedef enum triad_staggered_gpu_after {
  TRIAD_STAGGERED_AFTER_SUMS,         /* only the sums are needed */
  TRIAD_STAGGERED_AFTER_SOURCE,       /* mean of b, rounding of its terms             */
  TRIAD_STAGGERED_AFTER_FIRST,        /* |b|, what to reach, and as after RESIDUAL    */
  TRIAD_STAGGERED_AFTER_RESIDUAL,     /* |r|^2 of a recomputed residual: iterations start */
  TRIAD_STAGGERED_AFTER_PRECONDITION, /* z . r: how much of the old direction to keep */
  TRIAD_STAGGERED_AFTER_DIRECTION,    /* d . A d: how far to go                       */
  TRIAD_STAGGERED_AFTER_STEP,         /* |r|^2: is it reached?                        */
  TRIAD_STAGGERED_AFTER_TOTAL         /* mean of x                                    */
} triad_staggered_gpu_after;

/* On the GPU; where the host adds up several ranks, the same on the host of each. */
typedef struct triad_staggered_gpu_scalars {
  double sum[TRIAD_STAGGERED_GPU_SUMS];
  double cells, tolerance;           /* of fluid, of all ranks; relative residual to reach */
  double mean, rounding, norm, goal; /* norm: |b|; goal: of |r|                            */
  double rr, rz, alpha, beta;        /* rz: of the last direction; 0: there is none yet    */
  int plain;                         /* no preconditioner: z = r                           */
  int parted;                        /* regions have means of their own, taken away apart  */
  int concludes;                     /* kernels do: the host does not add up               */
  int iterations, most;
  int still, done; /* b is rounding; no more iterations                  */
  int kept, every; /* |r|/|b| at iterations 0, every, 2 every, ..         */
  double history[TRIAD_STAGGERED_GPU_HISTORY];
  unsigned ticket; /* blocks of a kernel that are done with their sums   */
} triad_staggered_gpu_scalars;

/* Residuals of a solve, thinned out as they come. */
TRIAD_POINT_INLINE void triad_staggered_gpu_remember(triad_staggered_gpu_scalars *s)
{
  const int half = TRIAD_STAGGERED_GPU_HISTORY / 2;
  if (s->iterations % s->every) return;
  if (s->kept == TRIAD_STAGGERED_GPU_HISTORY) {
    for (int i = 0; i < half; i++) s->history[i] = s->history[2 * i];
    s->kept = half;
    s->every *= 2;
    if (s->iterations % s->every) return;
  }
  s->history[s->kept++] = sqrt(s->rr) / s->norm;
}

TRIAD_POINT_INLINE void triad_staggered_gpu_conclude(triad_staggered_gpu_scalars *s, triad_staggered_gpu_after after)
{
  const double sum = s->sum[0];
  switch (after) {
  case TRIAD_STAGGERED_AFTER_SUMS: break;
  case TRIAD_STAGGERED_AFTER_TOTAL: s->mean = s->cells > 0 && !s->parted ? sum / s->cells : 0; break;
  case TRIAD_STAGGERED_AFTER_SOURCE:
    s->mean = s->cells > 0 && !s->parted ? sum / s->cells : 0;
    s->rounding = (double)TRIAD_EPSILON * sqrt(s->sum[1]);
    break;
  case TRIAD_STAGGERED_AFTER_FIRST:
    s->norm = sqrt(s->sum[1]);
    s->goal = fmax(s->tolerance * s->norm, s->rounding);
    s->still = s->norm <= s->rounding || s->norm <= 0;
    s->rr = sum;
    s->iterations = s->kept = 0;
    s->every = 1;
    triad_staggered_gpu_remember(s);
    /* fall through */
  case TRIAD_STAGGERED_AFTER_RESIDUAL:
    s->rr = sum;
    s->rz = s->plain ? sum : 0;
    s->beta = 0;
    s->done = s->still || !(sqrt(sum) > s->goal) || s->iterations >= s->most;
    break;
  case TRIAD_STAGGERED_AFTER_PRECONDITION:
    s->beta = s->rz > 0 ? sum / s->rz : 0;
    s->rz = sum;
    break;
  case TRIAD_STAGGERED_AFTER_DIRECTION: /* nothing left to gain, or no numbers: who asked looks at the residual */
    s->done = !(sum > 0) || !isfinite(sum);
    s->alpha = s->rz / sum;
    break;
  case TRIAD_STAGGERED_AFTER_STEP:
    s->rr = sum;
    s->iterations++;
    triad_staggered_gpu_remember(s);
    s->done = !(sqrt(sum) > s->goal) || s->iterations >= s->most;
    if (s->plain) {
      s->beta = s->rr / s->rz;
      s->rz = s->rr;
    }
    break;
  }
}

/* Sums that a kernel sends to the host, with a number: host memory that kernels write to. */
typedef struct triad_staggered_gpu_told {
  double sum[TRIAD_STAGGERED_GPU_SUMS];
  unsigned number;
} triad_staggered_gpu_told;

/* Where the last blocks of all ranks' kernels meet. A sum travels as two words, each half of it under the meeting's
 * number, for eight bytes arrive at once: whoever finds the number has the half. Two sets of boxes are used by
 * turns: who writes to one for the next but one has seen that all have read it. By value; what it points at is on
 * the GPU. */
enum { TRIAD_STAGGERED_GPU_WORDS = 2 * TRIAD_STAGGERED_GPU_SUMS };
typedef struct triad_staggered_gpu_meeting {
  int ranks, rank;                  /* ranks 0: kernels do not meet                                  */
  unsigned *number;                 /* of the last meeting                                           */
  unsigned long long *box;          /* [2][ranks][WORDS] of this rank                                */
  unsigned long long *const *boxes; /* [ranks] of all                                        */
} triad_staggered_gpu_meeting;

/* Where kernels store sums, in GPU memory. partial: TRIAD_STAGGERED_GPU_SUMS numbers for each block, see
 * triad_staggered_gpu_blocks. at: number of the kernel's first sum; more: add to existing sums. part: further sums of
 * this rank follow, so no scalars are computed yet. Last member: if the host adds up ranks, the memory to which all
 * TRIAD_STAGGERED_GPU_SUMS are sent, under `number`; the host knows alpha and beta then, the scalars do not. */
typedef struct triad_staggered_gpu_results {
  triad_staggered_gpu_scalars *scalars;
  double *partial;
  int at, more, part;
  triad_staggered_gpu_meeting meeting;
  triad_staggered_gpu_told *told; /* NULL: it does not */
  unsigned number;
  int several; /* the host adds up ranks */
  double alpha, beta;
} triad_staggered_gpu_results;

/* The ranks meet over sums that a sweep of an iteration has left as a part, and conclude. */
int triad_staggered_gpu_meet(const triad_staggered_gpu_results *results, triad_staggered_gpu_after after, void *stream);

/* What follows from the sums of all ranks, for kernels that ask the scalars. */
int triad_staggered_gpu_settle(const triad_staggered_gpu_results *results, const double sum[TRIAD_STAGGERED_GPU_SUMS],
                               triad_staggered_gpu_after after, void *stream);

/* ---- velocities: fields with halos, as grid/partition.h has them ---- */

/* What kernels know of the mesh, by value; sizes has places on the GPU. */
typedef struct triad_staggered_gpu {
  triad_staggered_sizes sizes;
  int64_t local[3], halo[3], stride[3], origin;
  int solids;
} triad_staggered_gpu;

/* As triad_staggered_update. */
typedef struct triad_staggered_gpu_update {
  triad_real *in[3], *diffused[3], *x[3], *out[3];
  triad_real x_part, rate, viscosity, force[3];
} triad_staggered_gpu_update;

/* Launched on `stream`, as all here. */
int triad_staggered_gpu_momentum(const triad_staggered_gpu *g, const triad_staggered_gpu_update *update, void *stream);

/* The boundary across an axis, over the whole extent of the others: as fill_side of mesh.c. given: it has this
 * velocity, else the fluid slips along it; closed: nothing goes through it but what this velocity carries, and
 * nothing before a solid. */
typedef struct triad_staggered_gpu_side {
  triad_real *u[3];
  int axis, upper, given, closed;
  triad_real velocity[3];
} triad_staggered_gpu_side;
int triad_staggered_gpu_fill(const triad_staggered_gpu *g, const triad_staggered_gpu_side *side, void *stream);

/* out = factor x + y, of n numbers; y NULL: 0. out may be x or y. */
int triad_staggered_gpu_combine(int64_t n, double factor, const triad_real *x, const triad_real *y, triad_real *out,
                                void *stream);

/* u = u - dt grad p at open faces. */
int triad_staggered_gpu_project(const triad_staggered_gpu *g, triad_real *const u[3], const triad_real *p, double dt,
                                void *stream);

/* Sums: of V u, V v, V w; and the largest sum of |u_i|/h_i, infinity where a value is not finite. */
int triad_staggered_gpu_look(const triad_staggered_gpu *g, triad_real *const u[3],
                             const triad_staggered_gpu_results *results, void *stream);

/* Sums: over open faces of V u, V v, V w, then of V of each. And u = u + add at open faces. */
int triad_staggered_gpu_flow_rate(const triad_staggered_gpu *g, triad_real *const u[3],
                                  const triad_staggered_gpu_results *results, void *stream);
int triad_staggered_gpu_push(const triad_staggered_gpu *g, triad_real *const u[3], const double add[3], void *stream);

/* ---- the pressure's vectors ---- */

/* How the matrix's coefficients are had: three numbers; these by the bits of a cell; of each cell's sizes and bits. */
typedef enum triad_staggered_gpu_kind {
  TRIAD_STAGGERED_GPU_OPEN,
  TRIAD_STAGGERED_GPU_BITS,
  TRIAD_STAGGERED_GPU_GENERAL
} triad_staggered_gpu_kind;

/* Where other ranks adjoin (TRIAD_STAGGERED_LOWER and UPPER of an axis in the third member), a vector has
 * halos, which they fill. The kernels that compute residuals and preconditioned ones store them there directly if
 * `sends` is set: cell (x, y, z) at an end is number x stride[end][0] + y stride[end][1] + z stride[end][2] of
 * there[vector][end], on the other GPU, with stride 0 along the end's own axis. */
enum { TRIAD_STAGGERED_GPU_ENDS = 6 };
typedef enum triad_staggered_gpu_sent {
  TRIAD_STAGGERED_GPU_R,
  TRIAD_STAGGERED_GPU_Z,
  TRIAD_STAGGERED_GPU_SENT
} triad_staggered_gpu_sent;
typedef struct triad_staggered_gpu_others {
  int beside, sends;
  int stride[TRIAD_STAGGERED_GPU_ENDS][3];
  triad_real *there[TRIAD_STAGGERED_GPU_SENT][TRIAD_STAGGERED_GPU_ENDS];
} triad_staggered_gpu_others;

/* A vector's cells, by value: along axes that are divided among ranks with halos, along others without, where
 * periodic ones close by `below` and `above`. What is beyond a boundary is the cell itself. */
typedef struct triad_staggered_gpu_cells {
  int local[3], stride[3], origin;
  int below[3], above[3]; /* from the first cell to the one before it, from the last to the one behind */
  triad_staggered_gpu_others others;
  triad_staggered_gpu_kind kind;
  triad_real side[3], per_diagonal; /* OPEN, and, except for the diagonal, BITS */
  const triad_real *table;          /* 1/diagonal: BITS: [64] by bits; GENERAL: of each cell                     */
  triad_staggered_sizes sizes;      /* GENERAL; open: bits of each cell, in all kinds                            */
} triad_staggered_gpu_cells;

/* Blocks that a kernel with sums takes at most. */
int64_t triad_staggered_gpu_blocks(const int64_t local[3]);

/* b = -V div u/dt. Sums: of b over the fluid, of squares of its terms (momentum.h). */
int triad_staggered_gpu_source(const triad_staggered_gpu *g, const triad_staggered_gpu_cells *c, triad_real *const u[3],
                               double dt, triad_real *b, const triad_staggered_gpu_results *results, void *stream);

/* r = b - A x, |r|^2; r goes to others, as z and the r of a step do. first: b loses its mean over the fluid before,
 * and what it has in solids; |b|^2 too. */
int triad_staggered_gpu_residual(const triad_staggered_gpu_cells *c, int first, const triad_real *x, triad_real *b,
                                 triad_real *r, const triad_staggered_gpu_results *results, void *stream);

/* z = (2.1 - A/diag) r/diag, z . r */
int triad_staggered_gpu_precondition(const triad_staggered_gpu_cells *c, const triad_real *r, triad_real *z,
                                     const triad_staggered_gpu_results *results, void *stream);

/* d = z + beta old, in halos too, which z and old have filled; d . A d */
int triad_staggered_gpu_direction(const triad_staggered_gpu_cells *c, const triad_real *z, const triad_real *old,
                                  triad_real *d, const triad_staggered_gpu_results *results, void *stream);

/* x = x + alpha d, r = r - alpha A d, |r|^2 */
int triad_staggered_gpu_advance(const triad_staggered_gpu_cells *c, const triad_real *d, triad_real *x, triad_real *r,
                                const triad_staggered_gpu_results *results, void *stream);

/* x = x + z, if iterations are not done. */
int triad_staggered_gpu_add(const triad_staggered_gpu_cells *c, const triad_real *z, triad_real *x,
                            const triad_staggered_gpu_results *results, void *stream);

/* The sum of x over the fluid. */
int triad_staggered_gpu_total(const triad_staggered_gpu_cells *c, const triad_real *x,
                              const triad_staggered_gpu_results *results, void *stream);

/* A field to a vector; a vector without its mean to a field, 0 in solids. */
int triad_staggered_gpu_take(const triad_staggered_gpu *g, const triad_staggered_gpu_cells *c, const triad_real *p,
                             triad_real *x, void *stream);
int triad_staggered_gpu_give(const triad_staggered_gpu *g, const triad_staggered_gpu_cells *c, const triad_real *x,
                             triad_real *p, const triad_staggered_gpu_results *results, void *stream);

/* Modes over their eigenvalues: n[0] x n[1] x n[2] of them, x fastest; that of mode (i, j, k) is value[0][i] +
 * value[1][j] + value[2][k], and where it is 0 the mode becomes 0. */
typedef struct triad_staggered_gpu_modes {
  int n[3];
  const double *value[3];
  double scale;
  triad_cplx *mode;
} triad_staggered_gpu_modes;
int triad_staggered_gpu_divide(const triad_staggered_gpu_modes *modes, void *stream);

/* Where one axis is left as it is: for each mode (i, j) of the two others a tridiagonal system along the n cells of
 * that axis,
 *   area ((p_l - p_(l-1)) per_d_l + (p_l - p_(l+1)) per_d_(l+1) + h_l (value[0][i] + value[1][j]) p_l) = scale b_l,
 * without the differences beyond its ends. The answer to a sum of values of 0 has no mean. */
typedef struct triad_staggered_gpu_lines {
  int n, columns[2];
  int real;                  /* modes are real numbers */
  int64_t step, column, row; /* from a cell of the axis to the next; from i to i + 1; from j to j + 1 */
  const double *value[2];
  const triad_real *h, *per_d;
  double area, scale;
  void *mode;        /* triad_cplx, or triad_real */
  triad_real *upper; /* as many: what elimination leaves above the diagonal */
} triad_staggered_gpu_lines;
int triad_staggered_gpu_eliminate(const triad_staggered_gpu_lines *lines, void *stream);

#ifdef __cplusplus
}
#endif
#endif
