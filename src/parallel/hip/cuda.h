/* <cuda.h> for AMD GPUs: what gpu_program.c and transports/ipc.c need of CUDA's driver, by functions of HIP, which is
 * linked and not opened at run time. HIP 5 cannot queue waits for several flags in one call: the transports "ipc" and
 * "put" are refused (transports/transport.c), and their types here only let ipc.c compile. For C. */
#ifndef TRIAD_PARALLEL_HIP_CUDA_H
#define TRIAD_PARALLEL_HIP_CUDA_H

#include <cuda_runtime.h>
#include <stdint.h>

#define CUresult hipError_t
#define CUDA_SUCCESS hipSuccess
#define CUstream hipStream_t
#define CUmodule hipModule_t
#define CUfunction hipFunction_t
typedef uintptr_t CUdeviceptr;
typedef enum CUfunction_attribute { CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES } CUfunction_attribute;

#define cuModuleLoadData hipModuleLoadData
#define cuModuleUnload hipModuleUnload
#define cuModuleGetFunction hipModuleGetFunction
#define cuModuleGetGlobal_v2 triad_hip_module_global
#define cuFuncSetAttribute triad_hip_function_attribute
#define cuLaunchKernel hipModuleLaunchKernel
#define cuOccupancyMaxActiveBlocksPerMultiprocessor hipModuleOccupancyMaxActiveBlocksPerMultiprocessor
#define cuGetErrorString triad_hip_error_string

static inline hipError_t triad_hip_module_global(CUdeviceptr *out, size_t *bytes, hipModule_t module, const char *name)
{
  hipDeviceptr_t at = NULL;
  const hipError_t error = hipModuleGetGlobal(&at, bytes, module, name);
  *out = (CUdeviceptr)at;
  return error;
}

/* All shared memory of a block may be dynamic without asking. */
static inline hipError_t triad_hip_function_attribute(hipFunction_t f, CUfunction_attribute what, int bytes)
{
  (void)f;
  (void)what;
  (void)bytes;
  return hipSuccess;
}

static inline hipError_t triad_hip_error_string(hipError_t error, const char **out)
{
  *out = hipGetErrorString(error);
  return hipSuccess;
}

/* ---- flags that streams write and wait for ---- */

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

enum cudaDriverEntryPointQueryResult { cudaDriverEntryPointSuccess, cudaDriverEntryPointSymbolNotFound };
enum { cudaEnableDefault = 0 };

static inline hipError_t cudaGetDriverEntryPoint(const char *name, void **call, unsigned long long flags,
                                                 enum cudaDriverEntryPointQueryResult *found)
{
  (void)name;
  (void)flags;
  *call = NULL;
  *found = cudaDriverEntryPointSymbolNotFound;
  return hipSuccess;
}

#endif
