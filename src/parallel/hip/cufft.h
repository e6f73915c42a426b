/* <cufft.h> for AMD GPUs: there is no library of transforms. Every call returns CUFFT_NOT_SUPPORTED; cases that need
 * one are refused before (parallel/device_library.h). */
#ifndef TRIAD_PARALLEL_HIP_CUFFT_H
#define TRIAD_PARALLEL_HIP_CUFFT_H

#include <cuda_runtime.h>
#include <hip/hip_complex.h>

typedef enum cufftResult { CUFFT_SUCCESS = 0, CUFFT_ALLOC_FAILED = 2, CUFFT_NOT_SUPPORTED = 16 } cufftResult;
typedef enum cufftType {
  CUFFT_R2C = 0x2a,
  CUFFT_C2R = 0x2c,
  CUFFT_C2C = 0x29,
  CUFFT_D2Z = 0x6a,
  CUFFT_Z2D = 0x6c,
  CUFFT_Z2Z = 0x69
} cufftType;
enum { CUFFT_FORWARD = -1, CUFFT_INVERSE = 1 };
typedef int cufftHandle;
typedef float cufftReal;
typedef double cufftDoubleReal;
typedef hipFloatComplex cufftComplex;
typedef hipDoubleComplex cufftDoubleComplex;

#define cufftCreate(plan) ((void)(plan), CUFFT_NOT_SUPPORTED)
#define cufftDestroy(plan) ((void)(plan), CUFFT_NOT_SUPPORTED)
#define cufftSetAutoAllocation(plan, on) ((void)(plan), (void)(on), CUFFT_NOT_SUPPORTED)
#define cufftSetStream(plan, stream) ((void)(plan), (void)(stream), CUFFT_NOT_SUPPORTED)
#define cufftSetWorkArea(plan, area) ((void)(plan), (void)(area), CUFFT_NOT_SUPPORTED)
#define cufftMakePlan3d(plan, nx, ny, nz, kind, bytes) \
  ((void)(plan), (void)(nx), (void)(ny), (void)(nz), (void)(kind), (void)(bytes), CUFFT_NOT_SUPPORTED)
#define cufftExecR2C(plan, from, to) ((void)(plan), (void)(from), (void)(to), CUFFT_NOT_SUPPORTED)
#define cufftExecC2R(plan, from, to) ((void)(plan), (void)(from), (void)(to), CUFFT_NOT_SUPPORTED)
#define cufftExecD2Z(plan, from, to) ((void)(plan), (void)(from), (void)(to), CUFFT_NOT_SUPPORTED)
#define cufftExecZ2D(plan, from, to) ((void)(plan), (void)(from), (void)(to), CUFFT_NOT_SUPPORTED)
#define cufftExecC2C(plan, from, to, way) ((void)(plan), (void)(from), (void)(to), (void)(way), CUFFT_NOT_SUPPORTED)
#define cufftExecZ2Z(plan, from, to, way) ((void)(plan), (void)(from), (void)(to), (void)(way), CUFFT_NOT_SUPPORTED)

static inline cufftResult cufftMakePlanMany(cufftHandle plan, int rank, int *n, int *in, int in_stride, int in_distance,
                                            int *out, int out_stride, int out_distance, cufftType kind, int batch,
                                            size_t *bytes)
{
  (void)plan, (void)rank, (void)n, (void)in, (void)in_stride, (void)in_distance, (void)out, (void)out_stride;
  (void)out_distance, (void)kind, (void)batch, (void)bytes;
  return CUFFT_NOT_SUPPORTED;
}

#endif
