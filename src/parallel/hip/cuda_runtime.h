/* CUDA's names for AMD's HIP. `make HIP=1` puts this folder before all others, so that <cuda_runtime.h> is this file:
 * sources and kernels are the same for both. Most names follow one rule, cudaX is hipX. device_kernels.h has the words
 * of kernels. The other files of the folder are <cuda.h>, <cuda_pipeline.h>, <cufft.h>, <nccl.h> and <nvrtc.h>. For C
 * and C++. */
#ifndef TRIAD_PARALLEL_HIP_CUDA_RUNTIME_H
#define TRIAD_PARALLEL_HIP_CUDA_RUNTIME_H

#ifdef __HIP__
#include <hip/hip_runtime.h>
#else
#include <hip/hip_runtime_api.h>
#endif

/* ---- names of types ---- */

#define cudaError_t hipError_t
#define cudaStream_t hipStream_t
#define cudaEvent_t hipEvent_t
#define cudaGraph_t hipGraph_t
#define cudaGraphExec_t hipGraphExec_t
#define cudaDeviceProp hipDeviceProp_t
#define cudaIpcMemHandle_t hipIpcMemHandle_t
#define cudaMemcpy3DParms hipMemcpy3DParms
#define cudaPitchedPtr hipPitchedPtr
#define cudaExtent hipExtent

/* ---- names of values ---- */

#define cudaSuccess hipSuccess
#define cudaErrorNotReady hipErrorNotReady
#define cudaErrorMemoryAllocation hipErrorOutOfMemory
#define cudaStreamNonBlocking hipStreamNonBlocking
#define cudaStreamCaptureModeThreadLocal hipStreamCaptureModeThreadLocal
#define cudaEventDisableTiming hipEventDisableTiming
#define cudaHostAllocMapped hipHostMallocMapped
#define cudaHostRegisterDefault hipHostRegisterDefault
#define cudaIpcMemLazyEnablePeerAccess hipIpcMemLazyEnablePeerAccess
#define cudaMemcpyHostToDevice hipMemcpyHostToDevice
#define cudaMemcpyDeviceToHost hipMemcpyDeviceToHost
#define cudaMemcpyDeviceToDevice hipMemcpyDeviceToDevice
#define cudaDevAttrMultiProcessorCount hipDeviceAttributeMultiprocessorCount
#define cudaDevAttrComputeCapabilityMajor hipDeviceAttributeComputeCapabilityMajor
#define cudaDevAttrComputeCapabilityMinor hipDeviceAttributeComputeCapabilityMinor
#define cudaDevAttrMaxSharedMemoryPerBlockOptin hipDeviceAttributeMaxSharedMemoryPerBlock
#define cudaFuncAttributeMaxDynamicSharedMemorySize hipFuncAttributeMaxDynamicSharedMemorySize

/* ---- names of functions ---- */

#define cudaGetErrorString hipGetErrorString
#define cudaGetLastError hipGetLastError
#define cudaGetDevice hipGetDevice
#define cudaSetDevice hipSetDevice
#define cudaGetDeviceCount hipGetDeviceCount
#define cudaGetDeviceProperties hipGetDeviceProperties
#define cudaDeviceGetAttribute hipDeviceGetAttribute
#define cudaDeviceGetPCIBusId hipDeviceGetPCIBusId
#define cudaDeviceGetByPCIBusId hipDeviceGetByPCIBusId
#define cudaDeviceCanAccessPeer hipDeviceCanAccessPeer
#define cudaDeviceGetStreamPriorityRange hipDeviceGetStreamPriorityRange
#define cudaDeviceSynchronize hipDeviceSynchronize
#define cudaDriverGetVersion hipDriverGetVersion
#define cudaMalloc hipMalloc
#define cudaFree hipFree
#define cudaMemGetInfo hipMemGetInfo
#define cudaMemcpy hipMemcpy
#define cudaMemcpyAsync hipMemcpyAsync
#define cudaMemcpy3DAsync hipMemcpy3DAsync
#define cudaMemset hipMemset
#define cudaMemsetAsync hipMemsetAsync
#define cudaHostRegister hipHostRegister
#define cudaHostUnregister hipHostUnregister
#define cudaFreeHost hipHostFree
#define cudaStreamCreate hipStreamCreate
#define cudaStreamCreateWithFlags hipStreamCreateWithFlags
#define cudaStreamCreateWithPriority hipStreamCreateWithPriority
#define cudaStreamDestroy hipStreamDestroy
#define cudaStreamSynchronize hipStreamSynchronize
#define cudaStreamQuery hipStreamQuery
#define cudaStreamWaitEvent hipStreamWaitEvent
#define cudaStreamBeginCapture hipStreamBeginCapture
#define cudaStreamEndCapture hipStreamEndCapture
#define cudaEventCreate hipEventCreate
#define cudaEventCreateWithFlags hipEventCreateWithFlags
#define cudaEventDestroy hipEventDestroy
#define cudaEventRecord hipEventRecord
#define cudaEventQuery hipEventQuery
#define cudaEventElapsedTime hipEventElapsedTime
#define cudaIpcGetMemHandle hipIpcGetMemHandle
#define cudaIpcOpenMemHandle hipIpcOpenMemHandle
#define cudaIpcCloseMemHandle hipIpcCloseMemHandle
#define cudaGraphDestroy hipGraphDestroy
#define cudaGraphExecDestroy hipGraphExecDestroy
#define cudaGraphLaunch hipGraphLaunch
#define cudaOccupancyMaxActiveBlocksPerMultiprocessor hipOccupancyMaxActiveBlocksPerMultiprocessor

/* those with other arguments */
#define cudaHostAlloc(out, bytes, flags) hipHostMalloc((void **)(out), (bytes), (flags))
#define cudaMallocHost(out, bytes) hipHostMalloc((void **)(out), (bytes), hipHostMallocDefault)
#define cudaGraphInstantiate(out, graph, flags) hipGraphInstantiateWithFlags((out), (graph), (flags))
#define cudaFuncSetAttribute(kernel, attribute, value) hipFuncSetAttribute((const void *)(kernel), (attribute), (value))

#ifdef __HIP__
#include "parallel/hip/device_kernels.h"
#endif

#endif
