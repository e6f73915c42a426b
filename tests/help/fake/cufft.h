/* What the transforms of the staggered solver and lines of other lengths than ours take of cuFFT, by FFTW, in
 * double. */
#ifndef TRIAD_TESTS_FAKE_CUFFT_H
#define TRIAD_TESTS_FAKE_CUFFT_H

#include <cuda_runtime.h>
#include <fftw3.h>

typedef enum cufftResult { CUFFT_SUCCESS, CUFFT_ALLOC_FAILED = 2, CUFFT_INVALID_VALUE = 4 } cufftResult;
typedef enum cufftType { CUFFT_D2Z = 0x6a, CUFFT_Z2D = 0x6c, CUFFT_Z2Z = 0x69 } cufftType;
enum { CUFFT_FORWARD = -1, CUFFT_INVERSE = 1 };
typedef fftw_complex cufftDoubleComplex;
typedef double cufftDoubleReal;
typedef struct fake_cufft {
  int rank, n[3], in[3], out[3], stride, in_distance, out_distance, embedded, batch;
  cufftType type;
  fftw_plan plan[2][2]; /* in place; the way, of complex numbers */
} * cufftHandle;

static inline cufftResult cufftCreate(cufftHandle *plan)
{
  *plan = calloc(1, sizeof **plan);
  return *plan ? CUFFT_SUCCESS : CUFFT_ALLOC_FAILED;
}

static inline cufftResult cufftDestroy(cufftHandle plan)
{
  for (int i = 0; plan && i < 4; i++)
    if (plan->plan[i / 2][i % 2]) fftw_destroy_plan(plan->plan[i / 2][i % 2]);
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
  size_t size = (size_t)rank * sizeof *n;
  if ((in == NULL) != (out == NULL) || in_stride != out_stride || (in_stride != 1 && type != CUFFT_Z2Z))
    return CUFFT_INVALID_VALUE;
  plan->stride = in_stride;
  plan->rank = rank;
  plan->type = type;
  plan->batch = batch;
  plan->embedded = in != NULL;
  memcpy(plan->n, n, size);
  if (in) memcpy(plan->in, in, size);
  if (out) memcpy(plan->out, out, size);
  plan->in_distance = in_distance;
  plan->out_distance = out_distance;
  *bytes = 16;
  return in || batch == 1 || type == CUFFT_Z2Z ? CUFFT_SUCCESS : CUFFT_INVALID_VALUE;
}

static inline cufftResult cufftMakePlan3d(cufftHandle plan, int nx, int ny, int nz, cufftType type, size_t *bytes)
{
  int n[3] = {nx, ny, nz};
  return cufftMakePlanMany(plan, 3, n, NULL, 1, 0, NULL, 1, 0, type, 1, bytes);
}

static inline cufftResult cufftSetStream(cufftHandle plan, cudaStream_t stream)
{
  return plan && stream ? CUFFT_SUCCESS : CUFFT_INVALID_VALUE;
}

static inline cufftResult cufftSetWorkArea(cufftHandle plan, void *area)
{
  return plan && area ? CUFFT_SUCCESS : CUFFT_INVALID_VALUE;
}

/* Plans cost more than transforms of these sizes: one a way is kept, for any arrays, in place or not as the first
 * are. */
enum { FAKE_CUFFT_FLAGS = FFTW_ESTIMATE | FFTW_UNALIGNED };

static inline cufftResult cufftExecD2Z(cufftHandle p, double *from, cufftDoubleComplex *to)
{
  const int inside = (void *)from == (void *)to;
  fftw_plan *plan = &p->plan[inside][0];
  if (p->type != CUFFT_D2Z) return CUFFT_INVALID_VALUE;
  if (!*plan)
    *plan = fftw_plan_many_dft_r2c(p->rank, p->n, p->batch, from, p->embedded ? p->in : NULL, 1, p->in_distance, to,
                                   p->embedded ? p->out : NULL, 1, p->out_distance,
                                   FAKE_CUFFT_FLAGS | (inside ? 0 : FFTW_PRESERVE_INPUT));
  if (!*plan) return CUFFT_INVALID_VALUE;
  fftw_execute_dft_r2c(*plan, from, to);
  return CUFFT_SUCCESS;
}

static inline cufftResult cufftExecZ2Z(cufftHandle p, cufftDoubleComplex *from, cufftDoubleComplex *to, int way)
{
  fftw_plan *plan = &p->plan[from == to][way == CUFFT_FORWARD];
  if (p->type != CUFFT_Z2Z) return CUFFT_INVALID_VALUE;
  if (!*plan)
    *plan = fftw_plan_many_dft(p->rank, p->n, p->batch, from, p->embedded ? p->in : NULL, p->stride, p->in_distance, to,
                               p->embedded ? p->out : NULL, p->stride, p->out_distance, way, FAKE_CUFFT_FLAGS);
  if (!*plan) return CUFFT_INVALID_VALUE;
  fftw_execute_dft(*plan, from, to);
  return CUFFT_SUCCESS;
}

/* As cuFFT may, it leaves nothing good of its input. */
static inline cufftResult cufftExecZ2D(cufftHandle p, cufftDoubleComplex *from, double *to)
{
  fftw_plan *plan = &p->plan[(void *)from == (void *)to][0];
  if (p->type != CUFFT_Z2D) return CUFFT_INVALID_VALUE;
  if (!*plan)
    *plan =
      fftw_plan_many_dft_c2r(p->rank, p->n, p->batch, from, p->embedded ? p->in : NULL, 1, p->in_distance, to,
                             p->embedded ? p->out : NULL, 1, p->out_distance, FAKE_CUFFT_FLAGS | FFTW_DESTROY_INPUT);
  if (!*plan) return CUFFT_INVALID_VALUE;
  fftw_execute_dft_c2r(*plan, from, to);
  return CUFFT_SUCCESS;
}

#endif
