/* <nvrtc.h> for AMD GPUs: kernels compiled at run time by hiprtc, which is part of HIP's runtime. For C. */
#ifndef TRIAD_PARALLEL_HIP_NVRTC_H
#define TRIAD_PARALLEL_HIP_NVRTC_H

#include <hip/hiprtc.h>
#include <stdint.h>

#define nvrtcResult hiprtcResult
#define nvrtcProgram hiprtcProgram
#define NVRTC_SUCCESS HIPRTC_SUCCESS

#define nvrtcCreateProgram triad_hiprtc_create
#define nvrtcDestroyProgram hiprtcDestroyProgram
#define nvrtcAddNameExpression hiprtcAddNameExpression
#define nvrtcCompileProgram triad_hiprtc_compile
#define nvrtcGetProgramLogSize hiprtcGetProgramLogSize
#define nvrtcGetProgramLog hiprtcGetProgramLog
#define nvrtcGetLoweredName hiprtcGetLoweredName
#define nvrtcGetCUBINSize hiprtcGetCodeSize
#define nvrtcGetCUBIN hiprtcGetCode

/* hiprtc declares its lists of texts as writable, and only reads them. */
static inline hiprtcResult triad_hiprtc_create(hiprtcProgram *out, const char *text, const char *name, int n,
                                               const char *const *texts, const char *const *names)
{
  return hiprtcCreateProgram(out, text, name, n, (const char **)(uintptr_t)texts, (const char **)(uintptr_t)names);
}

static inline hiprtcResult triad_hiprtc_compile(hiprtcProgram program, int n, const char *const *options)
{
  return hiprtcCompileProgram(program, n, (const char **)(uintptr_t)options);
}

#endif
