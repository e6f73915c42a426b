/* The pass: transform spectral fields to physical space, apply a pointwise kernel, and transform its results back.
 *
 *   source     fills a block of columns of each input field                    complex [kz][lane]
 *   z-backward of the block; columns into the exchange
 *   per chunk of planes: exchange in; y, x backward; points; x, y forward; exchange out
 *   settle     once after all points were visited: the place for the reduction that gives dt
 *   z-forward  of each block of results, scaled by 1/(nx ny nz)
 *   sink       receives a block of columns of each result                      complex [kz][lane]
 *
 * Results of the points may form chains, which are summed to fewer fields at the end of lines along y
 * (transpose/plain/chains.h): z-forward and the sink see the sums, while `n_out` counts the results of the points.
 * Forces can be subtracted from these sums, so that they need no line along z of their own; those of the first sum of a
 * chain need none along y either.
 *
 * Physical values exist only row by row, in cache. Forward and backward transforms are passes with n_in = 0 or n_out =
 * 0. docs/methods/transform.md has a drawing.
 *
 * A pass can evaluate points on a grid that is shifted by s, whose modes are u_k exp(i k.s)
 * (docs/methods/phase-shifts.md): a block of columns is multiplied by the factors while it is in cache, on the way to
 * physical space and back. Products of modes p and q that reach k = p + q - N along an axis then have the factor exp(i
 * N s), and cancel in the mean over two grids half a cell apart. On a grid that is dealiased in this way, a pass with
 * inputs and results computes that mean. */
#ifndef TRIAD_FFT_PASS_PASS_H
#define TRIAD_FFT_PASS_PASS_H

#include "base/clock.h"
#include "fft/lines/lines.h"
#include "grid/layout.h"
#include "transpose/plain/chains.h"
#include "transpose/exchange.h"

typedef struct triad_pass triad_pass;

/* A block of `lanes` columns in source and sink: local columns block * lanes .. + lanes - 1. */
typedef struct triad_batch {
  const triad_layout *layout;
  int64_t block, gap; /* gap: rows of zeros between kz >= 0 and kz < 0 in a transform's lines */
} triad_batch;

/* Row j of a block's field: complex [lane], for j of layout->kz. */
#ifndef TRIAD_ONCE
static inline triad_cplx *triad_batch_row(const triad_batch *b, triad_cplx *field, int64_t j)
{
  return field + (j < b->layout->kz_positive ? j : j + b->gap) * TRIAD_LANES;
}
#endif

/* A row of points: x = 0 .. n-1 at global (y, z); or, for work in any order, n points of rows y and y + 1. */
typedef struct triad_patch {
  int64_t y, z, n;
} triad_patch;

enum { TRIAD_PEAKS = 4 };

typedef struct triad_work {
  int n_in, n_out;
  /* The last inputs are slopes of others: n_slopes[1] derivatives along y, then n_slopes[0] along x, slope i of input
   * slope_of[i]. They are computed between lines, so that derivatives along y have no lines along z, and those along x
   * none along y either. The source does not receive them. Modes that lean have no such derivatives along y. */
  int n_slopes[2];
  const int *slope_of;
  triad_chains chains; /* among the n_out results of the points */
  /* Fill every row j of in[0 .. n_in-1] without slopes; modes outside the truncation and padding lanes must be set to
   * zero. */
  void (*source)(void *self, const triad_batch *block, triad_cplx *const *in);
  /* in[f][i], out[g][i], i = 0 .. n-1 of the row; in may be overwritten. peaks[] collects maxima. NULL: nothing to do
   * at points. */
  void (*points)(void *self, const triad_patch *at, triad_real *const *in, triad_real *const *out, double *peaks);
  /* peaks: maxima over this rank's points (NaN if one was NaN), -inf if it has none. May be collective. */
  int (*settle)(void *self, const double *peaks);
  /* Use the rows of out[] (after chains were summed); modes outside the truncation hold invalid values that must be
   * dropped. */
  void (*sink)(void *self, const triad_batch *block, triad_cplx *const *out);
  void *self;
  /* 1: points() does not depend on where a point is. It then gets two rows at a time, as the transform stores them:
   * point i of the 2 nx is x = i/2 of row y + i % 2, in all inputs and results. With an odd number of rows the last
   * one comes alone, with n = nx. */
  int any_order;
  /* Shift of the grid of points along x, y, z, in cells. NULL: no shift; or, if the grid is dealiased by phase shifts,
   * two runs half a cell apart, with the mean of the results and the maximum of the peaks. */
  const double *shift;
  /* Skew of points, that of the layout's modes (grid/layout.h): points are at x, and x - skew y is periodic. 0: at x +
   * skew y of the layout, which is what products need. */
  double skew;
  /* Called after local planes begin .. end - 1 were visited, in order and at most `together` at a time, on the thread
   * that runs the pass. NULL: not called. */
  void (*planes)(void *self, int64_t begin, int64_t end);
  int64_t together;
  /* The last n_forces results, in no chain, are subtracted from what chains leave, result i of them from number
   * force_of[i]: the sink does not receive them. */
  int n_forces;
  const int *force_of;
  /* The number of last results that are 0 at most points: lines along x and y of zeros are not transformed. They are in
   * no chain, and any_order is 1. empty: returns 1 if they are all 0 at the points of the last call of points() by this
   * thread, whose values are then not read. */
  int sparse;
  int (*empty)(void *self);
} triad_work;

typedef struct triad_pass_options {
  int nstreams; /* chunks in flight; 0: automatic */
  triad_planning planning;
  const char *wisdom; /* as in fft/lines/lines.h */
  int most_left;      /* number of fields after chains of most_out results were summed; 0: no chains */
  /* 1: use messages within groups that share planes, even if the ranks of a node could share memory */
  int by_messages;
  triad_line_choice lines; /* who transforms them; 0: automatic */
} triad_pass_options;

/* Run the pass. Returns the result of settle; the sink is called only if that is TRIAD_OK. Callbacks other than settle
 * are called concurrently on several threads, with different blocks or rows. Collective. */
int triad_pass_run(triad_pass *pass, const triad_work *work);

/* The exchange of the pass, for another pass over the same columns and planes that is not run at the same time
 * (fft/gpu/gpu_offload.h). */
triad_exchange *triad_pass_exchange(const triad_pass *pass);

/* Memory for the results of the first of two grids, [result] stored like a field; NULL without phase shifts. */
triad_cplx *triad_pass_first(const triad_pass *pass);

/* Does a built-in kernel transform the lines along an axis, and not FFTW? */
int triad_pass_has_own(const triad_pass *pass, int axis);

/* Seconds in each phase since the last call, averaged over this rank's threads. Not collective. */
triad_phases triad_pass_phases(triad_pass *pass);

/* The cost of one run with n_in inputs, n_out results and n_left fields after chains: floating-point operations of its
 * transforms (5 n log2 n per complex line); minimum memory traffic in bytes (inputs read, results written, work
 * columns written and read once in each direction); bytes sent to other ranks; chunks in flight. triad_layout_cost:
 * from the layout alone, without sent bytes; triad_pass_cost: with them. */
typedef struct triad_pass_costs {
  double flops;
  int64_t memory_bytes, sent_bytes;
  int nstreams;
  int64_t chunks;
} triad_pass_costs;
triad_pass_costs triad_layout_cost(const triad_layout *layout, int n_in, int n_out, int n_left);
triad_pass_costs triad_pass_cost(triad_pass *pass, int n_in, int n_out, int n_left);

#endif
