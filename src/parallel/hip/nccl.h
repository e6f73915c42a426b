/* <nccl.h> for AMD GPUs: RCCL, whose functions have NCCL's names. */
#ifndef TRIAD_PARALLEL_HIP_NCCL_H
#define TRIAD_PARALLEL_HIP_NCCL_H

#include <rccl/rccl.h>

#endif
