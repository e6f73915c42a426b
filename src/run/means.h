/* Running means (output.means) of what a family samples and of the numbers of the series, with their standard
 * errors.
 *
 * Samples x_1, x_2, .. are added up in blocks of L each. Beside the block that is being filled there are at most
 * TRIAD_MEAN_BLOCKS whole ones: when there are so many, neighbours are joined, and L doubles; L = 1 at first. With B
 * whole blocks of means m_b, 8 to 15 of them after 16 samples,
 *   mean            sum of all samples over their number
 *   standard error  (sum_b (m_b - m)^2 / (B (B - 1)))^(1/2), m the mean of the m_b
 *   trend           how much the straight line through the (b, m_b) rises from the first block to the last, and the
 *                   standard
 *                   error of that, from what the line leaves over.
 * That is honest where a block is longer than the flow's memory. Of a covariance, <a b> - <a> <b>, the error is that
 * of the means of a b - <b> a - <a> b, with the means of all samples: of first order in the errors.
 *
 * Sums are doubles on rank 0, added in the order of samples. They go with each checkpoint (triad_beside), so that a
 * run that goes on has the same bits. Files: means_file.c. */
#ifndef TRIAD_RUN_MEANS_H
#define TRIAD_RUN_MEANS_H

#include "solvers/box/files.h"

#include <string.h>

enum { TRIAD_MEAN_BLOCKS = 16, TRIAD_MEAN_NAME = 64 };

typedef struct triad_means {
  const triad_simulation *sim;
  const triad_series_info *info;
  triad_log *log;
  double interval, from, window;
  triad_contents *shape; /* the newest sample: names, units, scales; NULL: none yet in this session */
  int64_t values;        /* numbers that are averaged: of arrays, then of columns   */
  uint64_t layout;       /* a checksum of their names and sizes; 0: not known yet   */
  int64_t samples, length, blocks, partial; /* samples in all; of a block; whole blocks; in the open one */
  int64_t number;                           /* of the window, from 1                                   */
  double begun, last;                       /* t of the first and of the newest sample of this window */
  double *sum; /* [TRIAD_MEAN_BLOCKS + 1][values]: whole blocks, the open one behind them */
} triad_means;

/* *out stays NULL where the case asks for none, which all others here take and do nothing. folder: the checkpoint
 * that the run goes on from, with its manifest; NULL: it starts. TRIAD_ERR_CASE where that one's means are damaged.
 * Collective. */
int triad_means_open(triad_means **out, const triad_simulation *sim, const triad_series_info *info, const char *folder,
                     const triad_manifest *resumed, triad_log *log);
void triad_means_close(triad_means **means);

/* Is there a sample after the step that began at time `before`? The next time of one. Not collective. */
int triad_means_due(const triad_means *means, double before, double t, int first);
double triad_means_next(const triad_means *means, double t);

/* Has the window come to its end, so that its file is to be written before a sample at t is taken? Not collective. */
int triad_means_ended(const triad_means *means, double t);

/* Take one; columns: as measured just now. Collective. */
int triad_means_add(triad_means *means, const double *columns, double t);

/* RUN/means.h5, or with windows RUN/means/means-0001.h5 of the first. TRIAD_ERR_IO. Collective. */
int triad_means_write(const triad_means *means, const char *run_dir, const triad_notes *notes);

/* For a checkpoint: bytes beside the fields, with data to free, and a note that proves them. Of rank 0; elsewhere
 * there are none. TRIAD_ERR_MEMORY. Not collective. */
int triad_means_keep(const triad_means *means, triad_beside *beside, triad_notes *notes);

/* ---- means_state.c; for means.c besides: what a checkpoint kept, on rank 0; XXH3_64 ---- */

int triad_means_take(triad_means *means, const char *folder, const triad_manifest *about);
uint64_t triad_means_checksum(int64_t bytes, const void *data);

/* ---- for means_file.c: of value i ---- */

typedef struct triad_mean {
  double mean, error, trend, trend_error; /* NAN where there are too few blocks */
} triad_mean;

/* With a and b, numbers of the factors' means (-1: it is no covariance). */
triad_mean triad_means_value(const triad_means *means, int64_t i, int64_t a, int64_t b);

/* Is an array of a sample its own scale, which is not averaged? */
static inline int triad_means_is_scale(const triad_spectrum *s)
{
  return s->n_dims == 1 && s->scale[0] && strcmp(s->scale[0], s->name) == 0;
}

static inline int64_t triad_means_size(const triad_spectrum *s)
{
  int64_t n = 1;
  for (int d = 0; d < s->n_dims; d++) n *= s->dims[d];
  return n;
}

#endif
