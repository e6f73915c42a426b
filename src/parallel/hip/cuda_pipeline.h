/* <cuda_pipeline.h> for AMD GPUs: its functions are in device_kernels.h. */
#ifndef TRIAD_PARALLEL_HIP_CUDA_PIPELINE_H
#define TRIAD_PARALLEL_HIP_CUDA_PIPELINE_H

#include "parallel/hip/device_kernels.h"

#endif
