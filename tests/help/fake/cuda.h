/* What ipc.c takes of CUDA's driver: flags in memory that streams write and wait for. */
#ifndef TRIAD_TESTS_FAKE_CUDA_H
#define TRIAD_TESTS_FAKE_CUDA_H

#include <stdint.h>

typedef enum CUresult { CUDA_SUCCESS, CUDA_ERROR_INVALID_VALUE } CUresult;
typedef struct fake_stream *CUstream;
typedef unsigned long long CUdeviceptr;

typedef enum CUstreamBatchMemOpType {
  CU_STREAM_MEM_OP_WAIT_VALUE_32 = 1,
  CU_STREAM_MEM_OP_WRITE_VALUE_32
} CUstreamBatchMemOpType;
enum { CU_STREAM_WAIT_VALUE_GEQ = 0, CU_STREAM_WRITE_VALUE_DEFAULT = 0 };

typedef union CUstreamBatchMemOpParams {
  CUstreamBatchMemOpType operation;
  struct CUstreamMemOpWaitValueParams_st {
    CUstreamBatchMemOpType operation;
    CUdeviceptr address;
    uint32_t value;
    unsigned flags;
  } waitValue;
  struct CUstreamMemOpWriteValueParams_st {
    CUstreamBatchMemOpType operation;
    CUdeviceptr address;
    uint32_t value;
    unsigned flags;
  } writeValue;
} CUstreamBatchMemOpParams;

#endif
