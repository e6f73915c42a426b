/* Time the 3-D transform of FFTW on one core, or of cuFFT on one GPU, as the reference of a benchmark. */
#include "fft/lines/reference.h"
#include "base/clock.h"
#include "fft/lines/wisdom.h"

#include <stdlib.h>
#include <time.h>

#ifdef TRIAD_CUDA
static const triad_gpu_reference_part *const on_gpu = &triad_gpu_reference_table;
#else
static const triad_gpu_reference_part *const on_gpu = NULL; /* there are no devices */
#endif

struct triad_reference {
  triad_gpu_reference *gpu; /* NULL: the ones below */
  triad_real *physical;
  triad_cplx *spectral;
  FFTW(plan) plan;
};

static int plan(triad_reference *r, triad_context *context, const triad_grid *g)
{
  int64_t n = triad_grid_points(g), half = n / g->n[0] * (g->n[0] / 2 + 1);
  TRIAD_TRY(TRIAD_ALLOC(context->memory, "reference", n, &r->physical));
  TRIAD_TRY(TRIAD_ALLOC(context->memory, "reference", half, &r->spectral));
  r->plan = FFTW(plan_dft_r2c_3d)((int)g->n[2], (int)g->n[1], (int)g->n[0], r->physical, (FFTW(complex) *)r->spectral,
                                  FFTW_MEASURE);
  if (!r->plan) return TRIAD_FAIL(TRIAD_ERR_FEATURE, "FFTW has no 3-D transform for this grid");
  for (int64_t i = 0; i < n; i++) r->physical[i] = (triad_real)(i % 7) - 3; /* planning overwrote it */
  return TRIAD_OK;
}

int triad_reference_create(triad_reference **out, triad_context *context, triad_device *device, const triad_grid *grid)
{
  triad_reference *r = *out = calloc(1, sizeof *r);
  int st = r ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the reference transform");
  if (st == TRIAD_OK && context->comm.rank == 0)
    st = device ? on_gpu->create(&r->gpu, device, grid) : plan(r, context, grid);
  st = triad_agree(&context->comm, st);
  if (st != TRIAD_OK) triad_reference_destroy(out, context);
  return st;
}

void triad_reference_destroy(triad_reference **reference, triad_context *context)
{
  if (!reference || !*reference) return;
  if ((*reference)->gpu) on_gpu->destroy(&(*reference)->gpu);
  if ((*reference)->plan) FFTW(destroy_plan)((*reference)->plan);
  TRIAD_FREE(context->memory, &(*reference)->physical);
  TRIAD_FREE(context->memory, &(*reference)->spectral);
  free(*reference);
  *reference = NULL;
}

int triad_reference_time(triad_reference *r, triad_context *context, double *seconds)
{
  MPI_Request done;
  int arrived = 0, st = TRIAD_OK;
  *seconds = 0;
  if (context->comm.rank == 0 && r->gpu) st = on_gpu->time(r->gpu, seconds);
  if (context->comm.rank == 0 && !r->gpu) {
    double begin = triad_now();
    FFTW(execute)(r->plan);
    *seconds = triad_now() - begin;
  }
  /* the others sleep: a rank that spins would share the core's clock and caches with the measurement */
  TRIAD_TRY(TRIAD_MPI(MPI_Ibcast(seconds, 1, MPI_DOUBLE, 0, context->comm.mpi, &done)));
  while (!arrived) {
    TRIAD_TRY(TRIAD_MPI(MPI_Test(&done, &arrived, MPI_STATUS_IGNORE)));
    if (!arrived) (void)nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
  }
  return triad_agree(&context->comm, st);
}
