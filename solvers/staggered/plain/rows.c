/* Run a function for all rows of cells on all threads, and reduce its results over ranks. */
#include "solvers/staggered/plain/rows.h"
#include "solvers/staggered/state/mesh.h"

#include "parallel/sum.h"

#include <math.h>

/* Rows begin .. end - 1 of a thread, z slowest. */
static void some_rows(const triad_staggered_mesh *m, triad_staggered_row_job *job, void *self, int64_t begin,
                      int64_t end, int sums, int maxima, triad_sum *sum, double *most)
{
  for (int64_t row = begin; row < end; row++) {
    double results[TRIAD_STAGGERED_MAX_RESULTS] = {0};
    job(self, row % m->blocks.local[1], row / m->blocks.local[1], results);
    for (int i = 0; i < sums; i++) triad_sum_add(&sum[i], results[i]);
    for (int i = 0; i < maxima; i++)
      if (!(results[sums + i] <= most[i])) most[i] = results[sums + i]; /* a NaN stays */
  }
}

int triad_staggered_rows(const triad_staggered_mesh *m, triad_staggered_row_job *job, void *self, int sums, int maxima,
                         double *results)
{
  const triad_comm *comm = &m->context->comm;
  int threads = m->context->threads;
  int64_t rows = m->blocks.local[1] * m->blocks.local[2];
  triad_sum all[TRIAD_STAGGERED_MAX_RESULTS];
  double most[TRIAD_STAGGERED_MAX_RESULTS] = {0};
  for (int i = 0; i < sums; i++) triad_sum_clear(&all[i]);
#pragma omp parallel for schedule(static, 1) num_threads(threads)
  for (int t = 0; t < threads; t++) {
    triad_sum mine[TRIAD_STAGGERED_MAX_RESULTS];
    double peak[TRIAD_STAGGERED_MAX_RESULTS] = {0};
    for (int i = 0; i < sums; i++) triad_sum_clear(&mine[i]);
    some_rows(m, job, self, triad_deal(rows, t, threads), triad_deal(rows, t + 1, threads), sums, maxima, mine, peak);
#pragma omp critical
    {
      for (int i = 0; i < sums; i++) triad_sum_merge(&all[i], &mine[i]);
      for (int i = 0; i < maxima; i++)
        if (!(peak[i] <= most[i])) most[i] = peak[i];
    }
  }
  if (sums > 0) TRIAD_TRY(triad_sum_all(comm, all, sums, results));
  if (maxima == 0) return TRIAD_OK;
  /* MPI's maximum of a NaN may be anything: what is not finite counts as infinite */
  for (int i = 0; i < maxima; i++)
    if (!isfinite(most[i])) most[i] = INFINITY;
  return TRIAD_MPI(MPI_Allreduce(most, results + sums, maxima, MPI_DOUBLE, MPI_MAX, comm->mpi));
}
