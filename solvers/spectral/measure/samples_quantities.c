/* Moments, densities and profiles of the case's own quantities, whose values are made at all points, one after the
 * other. Sums are exact, so that they are the same on any ranks and threads. */
#include "parallel/sum.h"
#include "solvers/spectral/measure/derived.h"
#include "solvers/spectral/measure/samples_internal.h"
#include "grid/value_points.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum {
  MOMENTS = TRIAD_POINT_MOMENTS,
  POWERS = TRIAD_VALUE_POWERS,
  BINS = TRIAD_SAMPLE_BINS,
  OF_PROFILE = 2 /* q and q^2 */
};

typedef struct work {
  triad_samples_job *job;
  int64_t points, most; /* of this rank; sums at once */
  triad_real *q;        /* [points] */
  triad_sum *sums;      /* [threads][most] */
  double *values;       /* [most] */
} work;

static void clear(const work *w, int64_t n)
{
  for (int64_t i = 0; i < n * w->job->flow->context->threads; i++) triad_sum_clear(&w->sums[i]);
}

/* values[n] <- means over all points, or over those that one of `groups` has. */
static int finish(const work *w, int64_t n, int64_t groups)
{
  const triad_context *context = w->job->flow->context;
  TRIAD_TRY(triad_sum_threads(&context->comm, w->sums, n, context->threads, w->values));
  for (int64_t i = 0; i < n; i++) w->values[i] *= (double)groups / (double)triad_grid_points(&w->job->flow->grid);
  return TRIAD_OK;
}

static int mean(const work *w, double *out)
{
  clear(w, 1);
#pragma omp parallel for schedule(static) num_threads(w->job->flow->context->threads)
  for (int64_t i = 0; i < w->points; i++) triad_sum_add(&w->sums[omp_get_thread_num()], (double)w->q[i]);
  TRIAD_TRY(finish(w, 1, 1));
  *out = w->values[0];
  return TRIAD_OK;
}

static int moments(const work *w, double m[MOMENTS])
{
  TRIAD_TRY(mean(w, &m[0]));
  clear(w, POWERS);
#pragma omp parallel for schedule(static) num_threads(w->job->flow->context->threads)
  for (int64_t i = 0; i < w->points; i++) {
    triad_sum *s = w->sums + POWERS * omp_get_thread_num();
    double powers[POWERS];
    triad_value_powers((double)w->q[i] - m[0], powers);
    for (int p = 0; p < POWERS; p++) triad_sum_add(&s[p], powers[p]);
  }
  TRIAD_TRY(finish(w, POWERS, 1));
  memcpy(m + 1, w->values, POWERS * sizeof *m);
  return TRIAD_OK;
}

static int count(const work *w, const double m[MOMENTS], int64_t counts[BINS])
{
  const double scale = sqrt(m[1]);
  memset(counts, 0, BINS * sizeof *counts);
#pragma omp parallel for schedule(static) num_threads(w->job->flow->context->threads) reduction(+ : counts[:BINS])
  for (int64_t i = 0; i < w->points; i++) {
    const int bin = scale > 0 ? triad_value_bin((double)w->q[i], m[0], scale, TRIAD_SAMPLE_REACH, BINS) : -1;
    if (bin >= 0) counts[bin]++;
  }
  return TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, counts, BINS, MPI_INT64_T, MPI_SUM, w->job->flow->context->comm.mpi));
}

/* q and q^2 over planes across an axis. */
static int profile(const work *w, int axis, const triad_field_info *f)
{
  const triad_flow *flow = w->job->flow;
  const triad_layout *l = flow->layout;
  const int64_t n = flow->grid.n[axis], nx = flow->grid.n[0];
  clear(w, OF_PROFILE * n);
#pragma omp parallel for schedule(static) num_threads(flow->context->threads)
  for (int64_t i = 0; i < w->points; i++) {
    const int64_t at = axis == 0   ? i % nx
                       : axis == 1 ? l->first_y + i / nx % l->n_y
                                   : l->first_plane + i / (nx * l->n_y);
    triad_sum *s = w->sums + OF_PROFILE * (n * omp_get_thread_num() + at);
    triad_sum_add(&s[0], (double)w->q[i]);
    triad_sum_add(&s[1], (double)w->q[i] * (double)w->q[i]);
  }
  TRIAD_TRY(finish(w, OF_PROFILE * n, n));
  double *to = triad_samples_add_mean(w->job, axis, f), *square = triad_samples_add_covariance(w->job, axis, f, f);
  for (int64_t k = 0; k < n; k++) {
    to[k] = w->values[OF_PROFILE * k];
    square[k] = w->values[OF_PROFILE * k + 1];
  }
  return TRIAD_OK;
}

static int sample(const work *w, const triad_field_info *f, int number)
{
  const triad_mean_list *ask = &w->job->ask;
  const triad_slice_quantity quantity = {.kind = TRIAD_QUANTITY_FORMULA, .component = number};
  double m[MOMENTS];
  int64_t counts[BINS];
  TRIAD_TRY(triad_derived_quantity(w->job->flow, &quantity, w->q));
  if (ask->moments || ask->pdfs) TRIAD_TRY(moments(w, m));
  if (ask->moments) triad_samples_put_moments(w->job, f->name, f->unit, m);
  if (ask->pdfs) {
    TRIAD_TRY(count(w, m, counts));
    triad_samples_put_pdf(w->job, f->name, m, counts);
  }
  for (int axis = 0; axis < 3; axis++)
    if (ask->profiles[axis]) TRIAD_TRY(profile(w, axis, f));
  return TRIAD_OK;
}

int triad_samples_own(triad_samples_job *job)
{
  const triad_flow *flow = job->flow;
  triad_memory *memory = flow->context->memory;
  work w = {.job = job, .points = triad_layout_points(flow->layout), .most = POWERS};
  triad_own_names names;
  for (int axis = 0; axis < 3; axis++)
    if (job->ask.profiles[axis] && OF_PROFILE * flow->grid.n[axis] > w.most) w.most = OF_PROFILE * flow->grid.n[axis];
  triad_own_names_of(flow->given, &names);
  int st = TRIAD_ALLOC(memory, "means", w.points, &w.q);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(memory, "means", w.most * flow->context->threads, &w.sums);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(memory, "means", w.most, &w.values);
  st = triad_agree(&flow->context->comm, st);
  for (int i = 0; st == TRIAD_OK && i < names.n; i++) {
    const triad_field_info f = {triad_contents_text(job->c, "%s", names.name[i]),
                                triad_contents_text(job->c, "%s", names.formula[i]),
                                triad_contents_text(job->c, "%s", *names.unit[i] ? names.unit[i] : "1"), TRIAD_SCALAR};
    st = sample(&w, &f, i);
  }
  TRIAD_FREE(memory, &w.values);
  TRIAD_FREE(memory, &w.sums);
  TRIAD_FREE(memory, &w.q);
  return st;
}
