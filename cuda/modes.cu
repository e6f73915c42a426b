/* Single modes of three fields, picked out and put back (src/run/gpu_modes.h). */
#include "fft/device_launch.h"

extern "C" {
#define triad_gpu_modes_get TRIAD_NAME(gpu_modes_get)
#define triad_gpu_modes_put TRIAD_NAME(gpu_modes_put)
int triad_gpu_modes_get(int64_t n, const int64_t *index, triad_cplx *const *u, triad_cplx *packed, void *stream);
int triad_gpu_modes_put(int64_t n, const int64_t *index, const triad_cplx *packed, int add, triad_cplx *const *u,
                        void *stream);
}

struct three {
  triad_cplx *u[3];
};

static __global__ void get(int64_t n, const int64_t *index, three f, triad_cplx *packed)
{
  int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  if (i < 3 * n) packed[i] = f.u[i / n][index[i % n]];
}

static __global__ void put(int64_t n, const int64_t *index, const triad_cplx *packed, int add, three f)
{
  int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  if (i >= 3 * n) return;
  triad_cplx *to = &f.u[i / n][index[i % n]];
  to->re = packed[i].re + (add ? to->re : 0);
  to->im = packed[i].im + (add ? to->im : 0);
}

int triad_gpu_modes_get(int64_t n, const int64_t *index, triad_cplx *const *u, triad_cplx *packed, void *stream)
{
  if (n == 0) return TRIAD_OK;
  get<<<blocks_for(3 * n, 128), 128, 0, (cudaStream_t)stream>>>(n, index, three{{u[0], u[1], u[2]}}, packed);
  return launched("modes out");
}

int triad_gpu_modes_put(int64_t n, const int64_t *index, const triad_cplx *packed, int add, triad_cplx *const *u,
                        void *stream)
{
  if (n == 0) return TRIAD_OK;
  put<<<blocks_for(3 * n, 128), 128, 0, (cudaStream_t)stream>>>(n, index, packed, add, three{{u[0], u[1], u[2]}});
  return launched("modes in");
}
