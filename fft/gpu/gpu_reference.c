/* Time cuFFT's 3-D real-to-complex transform of the grid of a benchmark. */
#include "fft/lines/reference.h"
#include "fft/gpu/cufft.h"
#include "parallel/cuda.h"

#include <stdlib.h>

#ifdef TRIAD_SINGLE
#define FORWARD CUFFT_R2C
#define BACKWARD CUFFT_C2R
#define EXECUTE(plan, in, out) cufftExecR2C(plan, (cufftReal *)(in), (cufftComplex *)(out))
#define EXECUTE_BACK(plan, in, out) cufftExecC2R(plan, (cufftComplex *)(in), (cufftReal *)(out))
#else
#define FORWARD CUFFT_D2Z
#define BACKWARD CUFFT_Z2D
#define EXECUTE(plan, in, out) cufftExecD2Z(plan, (cufftDoubleReal *)(in), (cufftDoubleComplex *)(out))
#define EXECUTE_BACK(plan, in, out) cufftExecZ2D(plan, (cufftDoubleComplex *)(in), (cufftDoubleReal *)(out))
#endif

struct triad_gpu_reference {
  triad_device *device;
  triad_real *physical;
  triad_cplx *spectral;
  void *area;
  cufftHandle plan, back;
  int planned, back_planned;
  cudaEvent_t begin, end;
};

static int plan(triad_gpu_reference *r, const triad_grid *g, cufftType kind, cufftHandle *made, int *planned,
                size_t *bytes)
{
  TRIAD_TRY(TRIAD_CUFFT(cufftCreate(made)));
  *planned = 1;
  TRIAD_TRY(TRIAD_CUFFT(cufftSetAutoAllocation(*made, 0)));
  TRIAD_TRY(TRIAD_CUFFT(cufftMakePlan3d(*made, (int)g->n[2], (int)g->n[1], (int)g->n[0], kind, bytes)));
  return TRIAD_CUFFT(cufftSetStream(*made, (cudaStream_t)triad_device_stream(r->device)));
}

/* One work area for both directions. */
static int create_plans(triad_gpu_reference *r, const triad_grid *g)
{
  int64_t points = triad_grid_points(g), half = points / g->n[0] * (g->n[0] / 2 + 1);
  size_t bytes = 0, back_bytes = 0;
  TRIAD_TRY(triad_device_alloc(r->device, "reference", points, sizeof(triad_real), (void **)&r->physical));
  TRIAD_TRY(triad_device_alloc(r->device, "reference", half, sizeof(triad_cplx), (void **)&r->spectral));
  TRIAD_TRY(plan(r, g, FORWARD, &r->plan, &r->planned, &bytes));
  TRIAD_TRY(plan(r, g, BACKWARD, &r->back, &r->back_planned, &back_bytes));
  if (back_bytes > bytes) bytes = back_bytes;
  TRIAD_TRY(triad_device_alloc(r->device, "reference", (int64_t)bytes, 1, &r->area));
  TRIAD_TRY(TRIAD_CUFFT(cufftSetWorkArea(r->plan, r->area)));
  TRIAD_TRY(TRIAD_CUFFT(cufftSetWorkArea(r->back, r->area)));
  TRIAD_TRY(TRIAD_CU(cudaEventCreate(&r->begin)));
  return TRIAD_CU(cudaEventCreate(&r->end));
}

int triad_gpu_reference_create(triad_gpu_reference **out, triad_device *device, const triad_grid *grid)
{
  triad_gpu_reference *r = *out = calloc(1, sizeof *r);
  if (!r) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the reference transform");
  r->device = device;
  int st = create_plans(r, grid);
  if (st != TRIAD_OK) triad_gpu_reference_destroy(out);
  return st;
}

void triad_gpu_reference_destroy(triad_gpu_reference **reference)
{
  if (!reference || !*reference) return;
  triad_gpu_reference *r = *reference;
  if (r->planned) (void)cufftDestroy(r->plan);
  if (r->back_planned) (void)cufftDestroy(r->back);
  if (r->begin) (void)cudaEventDestroy(r->begin);
  if (r->end) (void)cudaEventDestroy(r->end);
  triad_device_free(r->device, (void **)&r->physical);
  triad_device_free(r->device, (void **)&r->spectral);
  triad_device_free(r->device, &r->area);
  free(r);
  *reference = NULL;
}

int triad_gpu_reference_time(triad_gpu_reference *r, double *seconds)
{
  cudaStream_t stream = triad_device_stream(r->device);
  float ms = 0;
  TRIAD_TRY(TRIAD_CU(cudaEventRecord(r->begin, stream)));
  TRIAD_TRY(TRIAD_CUFFT(EXECUTE(r->plan, r->physical, r->spectral)));
  TRIAD_TRY(TRIAD_CU(cudaEventRecord(r->end, stream)));
  TRIAD_TRY(triad_device_wait(r->device));
  TRIAD_TRY(TRIAD_CU(cudaEventElapsedTime(&ms, r->begin, r->end)));
  *seconds = 1e-3 * (double)ms;
  return TRIAD_OK;
}

int triad_gpu_reference_both(triad_gpu_reference *r)
{
  TRIAD_TRY(TRIAD_CUFFT(EXECUTE(r->plan, r->physical, r->spectral)));
  return TRIAD_CUFFT(EXECUTE_BACK(r->back, r->spectral, r->physical));
}

const triad_gpu_reference_part triad_gpu_reference_table = {triad_gpu_reference_create, triad_gpu_reference_destroy,
                                                            triad_gpu_reference_time};
