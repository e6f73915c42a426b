/* Sums of kernels, and scalars computed from them (gpu_staggered.h). If kernels of several ranks do not synchronise,
 * the host adds the sums: the last block of a kernel writes them to host memory, which the host polls, because a copy
 * and a wait take longer than the sums of a plane. */
#include "solvers/staggered/gpu/gpu_sums.h"
#include "solvers/staggered/gpu/gpu_internal.h"
#include "solvers/staggered/gpu/gpu_windows.h"

#include "parallel/cuda.h"
#include "parallel/sum.h"

#include <string.h>

enum { PATIENCE = 1 << 24 /* looks at the memory, before the device is asked what it does */ };

int triad_staggered_gpu_sums_make(triad_staggered_flow *f)
{
  triad_staggered_gpu_results *r = &f->gpu->solver.results;
  TRIAD_TRY(triad_device_alloc(f->device, "sums",
                               triad_staggered_gpu_blocks(f->blocks.local) * TRIAD_STAGGERED_GPU_SUMS, sizeof(double),
                               (void **)&r->partial));
  TRIAD_TRY(triad_device_alloc(f->device, "sums", 1, sizeof *r->scalars, (void **)&r->scalars));
  r->number = 1;
  r->meeting = triad_staggered_gpu_windows_meeting(f);
  r->several = f->blocks.size > 1 && !f->gpu->windows.meets;
  if (!r->several) return TRIAD_OK;
  TRIAD_TRY(TRIAD_CU(cudaMallocHost((void **)&r->told, sizeof *r->told)));
  memset(r->told, 0, sizeof *r->told);
  return TRIAD_OK;
}

void triad_staggered_gpu_sums_drop(triad_staggered_flow *f)
{
  triad_staggered_gpu_results *r = &f->gpu->solver.results;
  triad_device_free(f->device, (void **)&r->partial);
  triad_device_free(f->device, (void **)&r->scalars);
  if (r->told) (void)cudaFreeHost(r->told);
  r->told = NULL;
}

int triad_staggered_gpu_get_scalars(triad_staggered_flow *f)
{
  triad_staggered_gpu_solver *s = &f->gpu->solver;
  if (s->results.several) return TRIAD_OK;
  return triad_device_get(f->device, &s->now, s->results.scalars, (int64_t)sizeof s->now);
}

int triad_staggered_gpu_put_scalars(triad_staggered_flow *f)
{
  triad_staggered_gpu_solver *s = &f->gpu->solver;
  return triad_device_put(f->device, s->results.scalars, &s->now, (int64_t)sizeof s->now);
}

/* Wait for the sums of the last kernel, in now.sum; the next one uses the next number. */
static int wait_for_sums(triad_staggered_flow *f)
{
  triad_staggered_gpu_solver *s = &f->gpu->solver;
  triad_staggered_gpu_results *r = &s->results;
  for (int64_t i = 0; __atomic_load_n(&r->told->number, __ATOMIC_ACQUIRE) != r->number; i++)
    if (i == PATIENCE) { /* slow, or an error that ends it */
      TRIAD_TRY(triad_device_wait(f->device));
      if (__atomic_load_n(&r->told->number, __ATOMIC_ACQUIRE) == r->number) break;
      return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "a GPU reduction returned no result");
    }
  for (int i = 0; i < TRIAD_STAGGERED_GPU_SUMS; i++) s->now.sum[i] = r->told->sum[i];
  r->number++;
  return TRIAD_OK;
}

/* The sums of all ranks, each exact and rounded once; the largest of the maxima. */
static int reduce(triad_staggered_flow *f, int sums, int maxima)
{
  double *now = f->gpu->solver.now.sum, most[TRIAD_STAGGERED_GPU_SUMS];
  triad_sum all[TRIAD_STAGGERED_GPU_SUMS];
  for (int i = 0; i < sums; i++) {
    triad_sum_clear(&all[i]);
    triad_sum_add(&all[i], now[i]);
  }
  memcpy(most, now + sums, (size_t)maxima * sizeof *most);
  if (sums > 0) TRIAD_TRY(triad_sum_all(&f->context->comm, all, sums, now));
  if (maxima == 0) return TRIAD_OK;
  return TRIAD_MPI(MPI_Allreduce(most, now + sums, maxima, MPI_DOUBLE, MPI_MAX, f->context->comm.mpi));
}

/* Iterations get their scalars as launch arguments; other kernels read them from memory. */
static int pass_on(triad_staggered_flow *f, triad_staggered_gpu_after after)
{
  triad_staggered_gpu_solver *s = &f->gpu->solver;
  s->results.alpha = s->now.alpha;
  s->results.beta = s->now.beta;
  int iterates = after == TRIAD_STAGGERED_AFTER_PRECONDITION || after == TRIAD_STAGGERED_AFTER_DIRECTION ||
                 after == TRIAD_STAGGERED_AFTER_STEP;
  if (iterates) return TRIAD_OK;
  return triad_staggered_gpu_settle(&s->results, s->now.sum, after, triad_device_stream(f->device));
}

int triad_staggered_gpu_of_all(triad_staggered_flow *f, int sums, int maxima, triad_staggered_gpu_after after)
{
  triad_staggered_gpu_solver *s = &f->gpu->solver;
  double since = triad_now();
  if (!s->results.several) return TRIAD_OK;
  TRIAD_TRY(wait_for_sums(f));
  TRIAD_TRY(reduce(f, sums, maxima));
  triad_staggered_gpu_conclude(&s->now, after);
  int st = pass_on(f, after);
  if (f->gpu->apart && s->at_work) s->part_s[TRIAD_SOLVE_SUMS] += triad_now() - since;
  return st;
}

int triad_staggered_gpu_of_step(triad_staggered_flow *f)
{
  triad_staggered_gpu_solver *s = &f->gpu->solver;
  double since = triad_now();
  TRIAD_TRY(wait_for_sums(f));
  TRIAD_TRY(reduce(f, 2, 0));
  triad_staggered_gpu_conclude(&s->now, TRIAD_STAGGERED_AFTER_STEP);
  s->now.sum[0] = s->now.sum[1];
  triad_staggered_gpu_conclude(&s->now, TRIAD_STAGGERED_AFTER_PRECONDITION);
  int st = pass_on(f, TRIAD_STAGGERED_AFTER_PRECONDITION);
  if (f->gpu->apart && s->at_work) s->part_s[TRIAD_SOLVE_SUMS] += triad_now() - since;
  return st;
}

int triad_staggered_gpu_sums(triad_staggered_flow *f, int sums, int maxima, triad_staggered_gpu_after after)
{
  return f->gpu->solver.results.several ? triad_staggered_gpu_of_all(f, sums, maxima, after)
                                        : triad_staggered_gpu_get_scalars(f);
}
