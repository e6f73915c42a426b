/* Compile kernels with NVRTC, which is opened at run time, or load them from the cache; then launch them through the
 * CUDA driver. */
#include "parallel/gpu_program.h"
#include "base/clock.h"
#include "base/version.h"
#include "parallel/cuda.h"
#include "parallel/kernel_cache.h"
#include "parallel/rounds.h"

#include <cuda.h>
#include <dlfcn.h>
#include <nvrtc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#ifdef TRIAD_HIP
#include "parallel/hip/kernel_names.h"
#endif

enum { KEY = 512, ARCH = 64, TEXTS_MOST = 64 };

struct triad_gpu_program {
  CUmodule module;
  CUfunction kernel[TRIAD_GPU_KERNELS];
  int n, launch[4];            /* threads along x and y, bytes, items of a block */
  int held[TRIAD_GPU_KERNELS]; /* blocks that the GPU holds at once */
};

static triad_gpu_compiling so_far;

triad_gpu_compiling triad_gpu_program_compiling(void) { return so_far; }

/* ---- libraries ---- */

static struct {
  nvrtcResult (*create)(nvrtcProgram *, const char *, const char *, int, const char *const *, const char *const *);
  nvrtcResult (*destroy)(nvrtcProgram *);
  nvrtcResult (*add_name)(nvrtcProgram, const char *);
  nvrtcResult (*compile)(nvrtcProgram, int, const char *const *);
  nvrtcResult (*log_size)(nvrtcProgram, size_t *);
  nvrtcResult (*log)(nvrtcProgram, char *);
  nvrtcResult (*lowered)(nvrtcProgram, const char *, const char **);
  nvrtcResult (*code_size)(nvrtcProgram, size_t *);
  nvrtcResult (*code)(nvrtcProgram, char *);
  int asked, there;
  char why[256];
} nvrtc;

static struct {
  CUresult (*load)(CUmodule *, const void *);
  CUresult (*unload)(CUmodule);
  CUresult (*function)(CUfunction *, CUmodule, const char *);
  CUresult (*global)(CUdeviceptr *, size_t *, CUmodule, const char *);
  CUresult (*attribute)(CUfunction, CUfunction_attribute, int);
  CUresult (*occupancy)(int *, CUfunction, int, size_t);
  CUresult (*launch)(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream,
                     void **, void **);
  CUresult (*reason)(CUresult, const char **);
  int there;
} driver;

#ifdef TRIAD_HIP /* hiprtc and the driver's functions belong to HIP's runtime, which is linked */
#define FIND(library, call, member) ((void)(library), (member) = (call), 1)
#define OPTIONS "-std=c++17", "-O3", "-D__CUDACC_RTC__"

static void *open_nvrtc(void) { return &nvrtc; }
static void *open_cuda(void) { return &driver; }
#else
#define FIND(library, call, member) find(library, #call, &(member))
#define OPTIONS "--std=c++17", "--device-as-default-execution-space"

/* POSIX lets a pointer to a function be read as one to data, ISO C by way of a copy only. */
static int find(void *library, const char *name, void *to)
{
  void *call = dlsym(library, name);
  memcpy(to, &call, sizeof call);
  return call != NULL;
}

static void *open_nvrtc(void)
{
  char name[64];
  const char *said = getenv("TRIAD_NVRTC");
  const int major = CUDART_VERSION / 1000;
  if (said && *said) return dlopen(said, RTLD_NOW | RTLD_LOCAL);
  (void)snprintf(name, sizeof name, "libnvrtc.so.%d", major);
  void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!library && major == 11) library = dlopen("libnvrtc.so.11.2", RTLD_NOW | RTLD_LOCAL);
  if (!library) library = dlopen("libnvrtc.so", RTLD_NOW | RTLD_LOCAL);
  if (!library) library = dlopen("/usr/local/cuda/lib64/libnvrtc.so", RTLD_NOW | RTLD_LOCAL);
  return library;
}

static void *open_cuda(void) { return dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL); }
#endif

int triad_gpu_program_compiler(char *why, size_t size)
{
  if (!nvrtc.asked) {
    nvrtc.asked = 1;
    void *l = open_nvrtc();
    const char *reason = l ? "too old" : dlerror();
    nvrtc.there = l && FIND(l, nvrtcCreateProgram, nvrtc.create) && FIND(l, nvrtcDestroyProgram, nvrtc.destroy) &&
                  FIND(l, nvrtcAddNameExpression, nvrtc.add_name) && FIND(l, nvrtcCompileProgram, nvrtc.compile) &&
                  FIND(l, nvrtcGetProgramLogSize, nvrtc.log_size) && FIND(l, nvrtcGetProgramLog, nvrtc.log) &&
                  FIND(l, nvrtcGetLoweredName, nvrtc.lowered) && FIND(l, nvrtcGetCUBINSize, nvrtc.code_size) &&
                  FIND(l, nvrtcGetCUBIN, nvrtc.code);
    (void)snprintf(nvrtc.why, sizeof nvrtc.why, "%s", reason ? reason : "");
  }
  if (why && !nvrtc.there) (void)snprintf(why, size, "%s", nvrtc.why);
  return nvrtc.there;
}

static int open_driver(void)
{
  if (driver.there) return TRIAD_OK;
  void *l = open_cuda();
  driver.there = l && FIND(l, cuModuleLoadData, driver.load) && FIND(l, cuModuleUnload, driver.unload) &&
                 FIND(l, cuModuleGetFunction, driver.function) && FIND(l, cuModuleGetGlobal_v2, driver.global) &&
                 FIND(l, cuFuncSetAttribute, driver.attribute) && FIND(l, cuLaunchKernel, driver.launch) &&
                 FIND(l, cuOccupancyMaxActiveBlocksPerMultiprocessor, driver.occupancy) &&
                 FIND(l, cuGetErrorString, driver.reason);
  return driver.there ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_FEATURE, "CUDA's driver: %s", l ? "too old" : dlerror());
}

static int checked(CUresult result, const char *what)
{
  const char *reason = NULL;
  if (result == CUDA_SUCCESS) return TRIAD_OK;
  if (driver.reason(result, &reason) != CUDA_SUCCESS || !reason) reason = "an error of the CUDA driver";
  return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "%s: %s", what, reason);
}

/* ---- what a program depends on ---- */

/* The name that the compiler has for the GPU in use: sm_90, gfx90a. */
static int architecture(char name[ARCH])
{
  int device = 0;
  TRIAD_TRY(TRIAD_CU(cudaGetDevice(&device)));
#ifdef TRIAD_HIP
  hipDeviceProp_t properties;
  TRIAD_TRY(TRIAD_CU(cudaGetDeviceProperties(&properties, device)));
  (void)snprintf(name, ARCH, "%.*s", ARCH - 1, properties.gcnArchName);
#else
  int major = 0, minor = 0;
  TRIAD_TRY(TRIAD_CU(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device)));
  TRIAD_TRY(TRIAD_CU(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device)));
  (void)snprintf(name, ARCH, "sm_%d", 10 * major + minor);
#endif
  return TRIAD_OK;
}

static int key_of(const triad_gpu_source *s, const char *arch, char key[KEY])
{
  int version = 0;
  TRIAD_TRY(TRIAD_CU(cudaDriverGetVersion(&version)));
  XXH64_hash_t texts = XXH3_64bits(s->text, strlen(s->text));
  for (const triad_gpu_text *t = triad_gpu_texts; t->name; t++)
    texts = XXH3_64bits_withSeed(t->text, strlen(t->text), texts);
  for (int i = 0; i < s->n_names; i++) texts = XXH3_64bits_withSeed(s->names[i], strlen(s->names[i]), texts);
  (void)snprintf(key, KEY, "triad %s, %s, driver %d, sources %016llx, %s", triad_version(), arch, version,
                 (unsigned long long)texts, s->label);
  return TRIAD_OK;
}

int triad_gpu_program_kept(const triad_gpu_source *s)
{
  char key[KEY], arch[ARCH];
  triad_kernel_image image = {0};
  int st = architecture(arch);
  if (st == TRIAD_OK) st = key_of(s, arch, key);
  const int kept = st == TRIAD_OK && triad_kernel_cache_read(s->label, key, &image);
  if (st != TRIAD_OK) triad_message_clear();
  triad_kernel_image_clear(&image);
  return kept;
}

/* ---- compiling ---- */

static int refused(nvrtcProgram program, const char *label)
{
  size_t size = 0;
  char *log = nvrtc.log_size(program, &size) == NVRTC_SUCCESS ? calloc(size + 1, 1) : NULL;
  if (log) (void)nvrtc.log(program, log);
  int st = TRIAD_FAIL(TRIAD_ERR_INTERNAL, "NVRTC cannot compile %s; TRIAD_GPU_LINES=library avoids NVRTC: %.600s",
                      label, log ? log : "");
  free(log);
  return st;
}

/* The name of kernel i in the code; the compiler's own search serves CUDA only. */
static const char *name_of(nvrtcProgram program, const triad_gpu_source *s, const triad_kernel_image *image, int i)
{
#ifdef TRIAD_HIP
  (void)program;
  (void)s;
  return triad_hip_kernel_name(image->code, image->bytes, i);
#else
  const char *name = NULL;
  (void)image;
  return nvrtc.lowered(program, s->names[i], &name) == NVRTC_SUCCESS ? name : NULL;
#endif
}

static int names_of(nvrtcProgram program, const triad_gpu_source *s, triad_kernel_image *image)
{
  size_t length = 1;
  const char *name[TRIAD_GPU_KERNELS];
  for (int i = 0; i < s->n_names; i++) {
    name[i] = name_of(program, s, image, i);
    if (!name[i]) return refused(program, s->label);
    length += strlen(name[i]) + 1;
  }
  char *names = image->names = calloc(length, 1);
  if (!names) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "names of kernels");
  for (int i = 0; i < s->n_names; i++)
    (void)snprintf(names + strlen(names), length - strlen(names), "%s%s", i ? " " : "", name[i]);
  return TRIAD_OK;
}

static int compile_with(nvrtcProgram program, const triad_gpu_source *s, const char *arch, triad_kernel_image *image)
{
  char option[32 + ARCH];
  (void)snprintf(option, sizeof option, "--gpu-architecture=%s", arch);
  const char *const options[] = {option, OPTIONS};
#ifndef TRIAD_HIP
  for (int i = 0; i < s->n_names; i++)
    if (nvrtc.add_name(program, s->names[i]) != NVRTC_SUCCESS) return refused(program, s->label);
#endif
  if (nvrtc.compile(program, (int)(sizeof options / sizeof *options), options) != NVRTC_SUCCESS)
    return refused(program, s->label);
  if (nvrtc.code_size(program, &image->bytes) != NVRTC_SUCCESS || image->bytes == 0) return refused(program, s->label);
  image->code = malloc(image->bytes);
  if (!image->code) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s", s->label);
  if (nvrtc.code(program, image->code) != NVRTC_SUCCESS) return refused(program, s->label);
  return names_of(program, s, image);
}

static int compile(const triad_gpu_source *s, const char *arch, triad_kernel_image *image)
{
  const char *names[TEXTS_MOST], *texts[TEXTS_MOST];
  char why[256] = "";
  int n = 0;
  nvrtcProgram program = NULL;
  if (!triad_gpu_program_compiler(why, sizeof why))
    return TRIAD_FAIL(TRIAD_ERR_FEATURE, "NVRTC, of the CUDA Toolkit, cannot be opened to compile %s: %s", s->label,
                      why);
  for (; triad_gpu_texts[n].name; n++) {
    if (n == TEXTS_MOST) return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "more than %d texts", TEXTS_MOST);
    names[n] = triad_gpu_texts[n].name;
    texts[n] = triad_gpu_texts[n].text;
  }
  const double begin = triad_now();
#ifdef TRIAD_HIP
  char *text = triad_hip_source(s->text, s->names, s->n_names);
  if (!text) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s", s->label);
  const int created = nvrtc.create(&program, text, s->label, n, texts, names) == NVRTC_SUCCESS;
  free(text);
#else
  const int created = nvrtc.create(&program, s->text, s->label, n, texts, names) == NVRTC_SUCCESS;
#endif
  if (!created) return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "NVRTC: no program for %s", s->label);
  int st = compile_with(program, s, arch, image);
  (void)nvrtc.destroy(&program);
  so_far.programs++;
  so_far.seconds += triad_now() - begin;
  return st;
}

/* From the cache; or compiled, by one process of those that want it at once. */
static int obtain(const triad_gpu_source *s, triad_kernel_image *image)
{
  char key[KEY], arch[ARCH];
  TRIAD_TRY(architecture(arch));
  TRIAD_TRY(key_of(s, arch, key));
  if (triad_kernel_cache_read(s->label, key, image)) {
    so_far.read++;
    return TRIAD_OK;
  }
  const int lock = triad_kernel_cache_lock(s->label, key);
  int st = TRIAD_OK;
  if (lock >= 0 && triad_kernel_cache_read(s->label, key, image)) so_far.read++;
  else {
    st = compile(s, arch, image);
    if (st == TRIAD_OK) so_far.kept += triad_kernel_cache_write(s->label, key, image);
  }
  triad_kernel_cache_unlock(lock);
  return st;
}

/* ---- loading and launching ---- */

static int prepare(triad_gpu_program *p, const triad_gpu_source *s, triad_kernel_image *image)
{
  CUdeviceptr launch = 0;
  size_t bytes = 0;
  int device = 0, processors = 0;
  char *rest = NULL, *name = strtok_r(image->names, " ", &rest);
  TRIAD_TRY(checked(driver.load(&p->module, image->code), s->label));
  TRIAD_TRY(checked(driver.global(&launch, &bytes, p->module, "triad_launch"), s->label));
  if (bytes != sizeof p->launch) return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "%s: no plan of a launch", s->label);
  TRIAD_TRY(TRIAD_CU(cudaMemcpy(p->launch, (const void *)(uintptr_t)launch, sizeof p->launch,
                                cudaMemcpyDeviceToHost))); // NOLINT: the driver's address
  TRIAD_TRY(TRIAD_CU(cudaGetDevice(&device)));
  TRIAD_TRY(TRIAD_CU(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device)));
  for (; p->n < s->n_names && name; p->n++, name = strtok_r(NULL, " ", &rest)) {
    CUfunction *f = &p->kernel[p->n];
    TRIAD_TRY(checked(driver.function(f, p->module, name), s->label));
    TRIAD_TRY(checked(driver.attribute(*f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, p->launch[2]), s->label));
    TRIAD_TRY(
      checked(driver.occupancy(&p->held[p->n], *f, p->launch[0] * p->launch[1], (size_t)p->launch[2]), s->label));
    p->held[p->n] *= processors;
    if (p->held[p->n] < 1)
      return TRIAD_FAIL(TRIAD_ERR_FEATURE, "%s: a thread block does not fit on this GPU", s->label);
  }
  return p->n == s->n_names ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_INTERNAL, "%s: a kernel is missing", s->label);
}

int triad_gpu_program_create(triad_gpu_program **out, const triad_gpu_source *s)
{
  triad_kernel_image image = {0};
  triad_gpu_program *p = *out = calloc(1, sizeof *p);
  int st = p ? open_driver() : TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s", s->label);
  if (st == TRIAD_OK) st = obtain(s, &image);
  if (st == TRIAD_OK) st = prepare(p, s, &image);
  triad_kernel_image_clear(&image);
  if (st != TRIAD_OK) triad_gpu_program_destroy(out);
  return st;
}

void triad_gpu_program_destroy(triad_gpu_program **program)
{
  if (!program || !*program) return;
  if ((*program)->module) (void)driver.unload((*program)->module);
  free(*program);
  *program = NULL;
}

int triad_gpu_program_launch(triad_gpu_program *p, int kernel, int64_t items, int64_t y, int64_t z, int held,
                             const void *const *arguments, void *stream)
{
  int64_t blocks = (items + p->launch[3] - 1) / p->launch[3];
  if (items == 0 || y == 0 || z == 0) return TRIAD_OK;
  if (held) blocks = triad_blocks_of_rounds(blocks, p->held[kernel]);
  return checked(driver.launch(p->kernel[kernel], (unsigned)blocks, (unsigned)y, (unsigned)z, (unsigned)p->launch[0],
                               (unsigned)p->launch[1], 1, (unsigned)p->launch[2], (CUstream)stream,
                               (void **)(uintptr_t)arguments, NULL),
                 "launch of a kernel compiled at run time");
}
