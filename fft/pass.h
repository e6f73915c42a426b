/* The one pass: spectral fields to physical space, a pointwise kernel there, its results back to spectral space.
 *
 *   source     fills a block of columns of each input field                    complex [kz][lane]
 *   z-backward of the block; columns into the exchange
 *   per chunk of planes: exchange in; y, x backward; points; x, y forward; exchange out
 *   settle     once, when every point has been visited: the place for the reduction that finds dt
 *   z-forward  of each block of results, scaled by 1/(nx ny nz)
 *   sink       takes a block of columns of each result                         complex [kz][lane]
 *
 * Results of the points may come in chains, of which fewer fields are left where lines along y end
 * (transpose/chains.h): "results" of z-forward and of the sink are these, `n_out` counts those of the points.
 *
 * Physical values exist only row by row, in cache. Forward and backward transforms are passes with n_in = 0 or
 * n_out = 0. docs/transform.md draws it.
 *
 * A pass can take its points on a grid that is shifted by s, whose modes are u_k exp(i k.s) (docs/numerics.md
 * section 18): factors ride with a block of columns while it is in cache, on the way out and on the way back.
 * Products of modes p and q that reach k = p + q - N along an axis then come back with exp(i N s), and cancel in the
 * mean over two grids half a cell apart. On a grid that is dealiased in this way, a pass with inputs and results
 * takes that mean by itself. */
#ifndef TRIAD_FFT_PASS_H
#define TRIAD_FFT_PASS_H

#include "base/clock.h"
#include "fft/lines.h"
#include "grid/layout.h"
#include "transpose/chains.h"
#include "transpose/exchange.h"

typedef struct triad_pass triad_pass;

/* One block of `lanes` columns as source and sink see it: local columns block * lanes .. + lanes - 1. */
typedef struct triad_batch {
  const triad_layout *layout;
  int64_t block, gap; /* gap: rows of zeros between kz >= 0 and kz < 0 in a transform's lines */
} triad_batch;

/* Row j of a block's field: complex [lane], for j of layout->kz. */
static inline triad_cplx *triad_batch_row(const triad_batch *b, triad_cplx *field, int64_t j)
{
  return field + (j < b->layout->kz_positive ? j : j + b->gap) * TRIAD_LANES;
}

/* A row of points: x = 0 .. n-1 at (y, z), global indices; or, for work in any order, n points of rows y and y + 1. */
typedef struct triad_patch {
  int64_t y, z, n;
} triad_patch;

enum { TRIAD_PEAKS = 4 };

typedef struct triad_work {
  int n_in, n_out;
  triad_chains chains; /* among the n_out results of the points */
  /* Fill every row j of in[0 .. n_in-1]; modes outside the truncation and padding lanes must be zero. */
  void (*source)(void *self, const triad_batch *block, triad_cplx *const *in);
  /* in[f][i], out[g][i], i = 0 .. n-1 of the patch; in may be overwritten. peaks[] collects maxima; NULL function:
   * nothing to do at points. */
  void (*points)(void *self, const triad_patch *at, triad_real *const *in, triad_real *const *out, double *peaks);
  /* peaks: maxima over this rank's points (NaN where one was NaN), -inf where it has none. May be collective. */
  int (*settle)(void *self, const double *peaks);
  /* Take the rows of out[], what is left of the results; modes outside the truncation hold values to be dropped. */
  void (*sink)(void *self, const triad_batch *block, triad_cplx *const *out);
  void *self;
  /* Is it all the same to points() where a point lies? Then it gets two rows at a time, as they leave the transform:
   * point i of the 2 nx is x = i/2 of row y + i % 2, in all inputs and results; of an odd number of rows the last
   * comes alone, with n = nx. */
  int any_order;
  /* By how many cells the grid of points is shifted along x, y, z. NULL: not at all; or, where the grid is dealiased by
   * phase shifts, twice, half a cell apart, for the mean of the results and the largest of the peaks. */
  const double *shift;
  /* Local planes begin .. end - 1 have been visited, at most `together` at a time and in order; on the thread that
   * runs the pass. NULL: nobody wants to know. */
  void (*planes)(void *self, int64_t begin, int64_t end);
  int64_t together;
} triad_work;

typedef struct triad_pass_options {
  int nstreams; /* chunks in flight; 0 chooses */
  triad_planning planning;
  const char *wisdom; /* as in fft/lines.h */
  int most_left;      /* fields that chains leave of most_out results; 0: there are no chains */
  int by_messages;    /* within groups that share planes by messages, also where ranks of a node could share memory */
} triad_pass_options;

/* Plan for up to most_in and most_out fields. The layout must outlive the pass and have TRIAD_LANES lanes.
 * TRIAD_ERR_MEMORY, TRIAD_ERR_CASE. Collective. */
int triad_pass_create(triad_pass **out, triad_context *context, const triad_layout *layout, int most_in, int most_out,
                      const triad_pass_options *options);
void triad_pass_destroy(triad_pass **pass);

/* Run it. Returns what settle returned (the sink is not called unless it is TRIAD_OK). Callbacks other than settle
 * run on several threads at once, each on blocks or rows of its own. Collective. */
int triad_pass_run(triad_pass *pass, const triad_work *work);

/* The first part of a run alone: n_in inputs of each block of columns at all z, in[f] complex [z][lane], which is no
 * more than lines along z. What planes have in the mean is known from it: the mean of a b over x and y is the sum
 * over columns of weight Re(a conj b). visit is called as the source is. Not collective. */
void triad_pass_columns(triad_pass *pass, const triad_work *work,
                        void (*visit)(void *self, int thread, int64_t block, triad_cplx *const *in));

/* Its exchange, for another pass over the same columns and planes that is not run at the same time
 * (fft/gpu_offload.h). */
triad_exchange *triad_pass_exchange(const triad_pass *pass);

/* Its room for the results of the first of two grids, [result] as a field is stored; NULL without. */
triad_cplx *triad_pass_first(const triad_pass *pass);

/* Seconds in each phase since the last call, averaged over this rank's threads. Not collective. */
triad_phases triad_pass_phases(triad_pass *pass);

/* What one run of n_in inputs and n_out results, of which chains leave n_left, costs a rank with these planes and
 * columns, without what it sends; and with it: floating-point operations of its transforms (5 n log2 n a complex
 * line), least bytes through memory (inputs read, results written, work columns written and read once on the way in
 * and once on the way out), bytes to other ranks, chunks in flight. */
typedef struct triad_pass_costs {
  double flops;
  int64_t memory_bytes, sent_bytes;
  int nstreams;
  int64_t chunks;
} triad_pass_costs;
triad_pass_costs triad_layout_cost(const triad_layout *layout, int n_in, int n_out, int n_left);
triad_pass_costs triad_pass_cost(triad_pass *pass, int n_in, int n_out, int n_left);

#endif
