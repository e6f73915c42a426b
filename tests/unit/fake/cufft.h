/* What gpu_transform.c of the staggered solver takes of cuFFT, by FFTW, in double. */
#ifndef TRIAD_TESTS_FAKE_CUFFT_H
#define TRIAD_TESTS_FAKE_CUFFT_H

#include <cuda_runtime.h>
#include <fftw3.h>

typedef enum cufftResult { CUFFT_SUCCESS, CUFFT_ALLOC_FAILED = 2, CUFFT_INVALID_VALUE = 4 } cufftResult;
typedef enum cufftType { CUFFT_D2Z = 0x6a, CUFFT_Z2D = 0x6c } cufftType;
typedef fftw_complex cufftDoubleComplex;
typedef struct fake_cufft {
  int rank, n[3];
  cufftType type;
} *cufftHandle;

static inline cufftResult cufftCreate(cufftHandle *plan)
{
  *plan = calloc(1, sizeof **plan);
  return *plan ? CUFFT_SUCCESS : CUFFT_ALLOC_FAILED;
}

static inline cufftResult cufftDestroy(cufftHandle plan)
{
  free(plan);
  return CUFFT_SUCCESS;
}

static inline cufftResult cufftSetAutoAllocation(cufftHandle plan, int on)
{
  return plan && !on ? CUFFT_SUCCESS : CUFFT_INVALID_VALUE;
}

static inline cufftResult cufftMakePlanMany(cufftHandle plan, int rank, int *n, int *in, int in_stride, int in_distance,
                                            int *out, int out_stride, int out_distance, cufftType type, int batch,
                                            size_t *bytes)
{
  plan->rank = rank;
  plan->type = type;
  memcpy(plan->n, n, (size_t)rank * sizeof *n);
  *bytes = 16;
  return !in && !out && in_stride == 1 && out_stride == 1 && in_distance == 0 && out_distance == 0 && batch == 1
             ? CUFFT_SUCCESS
             : CUFFT_INVALID_VALUE;
}

static inline cufftResult cufftSetStream(cufftHandle plan, cudaStream_t stream)
{
  return plan && stream ? CUFFT_SUCCESS : CUFFT_INVALID_VALUE;
}

static inline cufftResult cufftSetWorkArea(cufftHandle plan, void *area)
{
  return plan && area ? CUFFT_SUCCESS : CUFFT_INVALID_VALUE;
}

static inline cufftResult cufftExecD2Z(cufftHandle p, double *from, cufftDoubleComplex *to)
{
  fftw_plan plan = fftw_plan_dft_r2c(p->rank, p->n, from, to, FFTW_ESTIMATE | FFTW_PRESERVE_INPUT);
  if (p->type != CUFFT_D2Z || !plan) return CUFFT_INVALID_VALUE;
  fftw_execute(plan);
  fftw_destroy_plan(plan);
  return CUFFT_SUCCESS;
}

/* As cuFFT may, it leaves nothing good of its input. */
static inline cufftResult cufftExecZ2D(cufftHandle p, cufftDoubleComplex *from, double *to)
{
  fftw_plan plan = fftw_plan_dft_c2r(p->rank, p->n, from, to, FFTW_ESTIMATE);
  if (p->type != CUFFT_Z2D || !plan) return CUFFT_INVALID_VALUE;
  fftw_execute(plan);
  fftw_destroy_plan(plan);
  return CUFFT_SUCCESS;
}

#endif
