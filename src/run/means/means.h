/* Time averages (output.means) of sampled fields and of series columns, with their standard errors.
 *
 * Samples x_1, x_2, .. are summed in blocks of L. In addition to the open block there are at most TRIAD_MEAN_BLOCKS
 * complete ones: when this number is reached, neighbours are merged and L doubles; L = 1 at first. With B complete
 * blocks of means m_b (8 to 15 after 16 samples),
 *   mean            sum of all samples over their number
 *   standard error  (sum_b (m_b - m)^2 / (B (B - 1)))^(1/2), m the mean of the m_b
 *   trend           rise of the regression line through (b, m_b) from the first block to the last, and the standard
 *                   error of that rise from the residuals.
 * The error is reliable if a block is longer than the correlation time of the flow. The error of a covariance, <a b> -
 * <a> <b>, is that of the mean of a b - <b> a - <a> b with the means of all samples: it is of first order in the
 * errors.
 *
 * Sums are doubles on rank 0, added in the order of samples. Each checkpoint contains them (triad_beside), so that a
 * resumed run has the same bits. Files: means_file.c. */
#ifndef TRIAD_RUN_MEANS_MEANS_H
#define TRIAD_RUN_MEANS_MEANS_H

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

/* Create the averages; *out is NULL if the case asks for none, and all functions here accept NULL and do nothing.
 * folder: the checkpoint from which the run resumes, with its manifest; NULL: a new run. TRIAD_ERR_CASE if the means
 * in the checkpoint are damaged. Collective. */
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
