/* Kernels that are compiled when they are wanted, on the host: those of formulas, by its C++ compiler. There are
 * none of lines: lengths that are not built in are the library's. TRIAD_NVRTC in the environment: there are none at
 * all. */
#include "parallel/gpu_program.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PROCESSORS = 2 }; /* few, so that a block goes through many lines */

struct triad_gpu_program {
  void *library;
  const int *launch; /* as parallel/gpu_program.h has it */
  void (*run)(int kernel, unsigned blocks, unsigned y, const void *const *arguments);
};

static int compiled;

int triad_gpu_program_compiler(char *why, size_t size)
{
  if (why && size > 0) (void)snprintf(why, size, "TRIAD_NVRTC says so");
  return 0;
}

/* Formulas, and equations as text. */
static int is_served(const triad_gpu_source *source)
{
  return strncmp(source->label, "formulas", 8) == 0 || strncmp(source->label, "text", 4) == 0;
}

/* TRIAD_FAKE_LACKS: words of the label or the text of a program that the cache has not. */
int triad_gpu_program_kept(const triad_gpu_source *source)
{
  const char *lacks = getenv("TRIAD_FAKE_LACKS");
  if (lacks && (strstr(source->label, lacks) || strstr(source->text, lacks))) return 0;
  return !getenv("TRIAD_NVRTC") && is_served(source);
}

/* Kernels as kernels.h has them, behind a function of C that takes arguments as the driver does. */
static int write_source(const char *path, const triad_gpu_source *source)
{
  FILE *to = fopen(path, "we");
  if (!to) return TRIAD_FAIL(TRIAD_ERR_IO, "%s", path);
  (void)fprintf(
    to,
    "#define __constant__ __attribute__((visibility(\"default\")))\n#define TRIAD_FFT_GPU_DEVICE_COMPILED_H\n#include "
    "<float.h>\n#include <stdint.h>\n"
    "#include <type_traits>\n#include <utility>\n#include <cuda_pipeline.h>\n#define __CUDACC_RTC__\n%s\n"
    "template <class... P, size_t... I>\nstatic void call(unsigned blocks, unsigned y, void (*kernel)(P...), const "
    "void *const *a, "
    "std::index_sequence<I...>)\n{\n  TRIAD_LAUNCH(dim3(blocks, y), dim3((unsigned)triad_launch[0], "
    "(unsigned)triad_launch[1]), 0, kernel)"
    "(*(const std::remove_cv_t<P> *)a[I]...);\n}\n"
    "template <class... P> static void call(unsigned blocks, unsigned y, void (*kernel)(P...), const void *const "
    "*a)\n{\n"
    "  call(blocks, y, kernel, a, std::index_sequence_for<P...>());\n}\n"
    "extern \"C\" __attribute__((visibility(\"default\"))) void fake_run(int kernel, unsigned blocks, unsigned y, "
    "const void "
    "*const *a)\n{\n",
    source->text);
  for (int i = 0; i < source->n_names; i++)
    (void)fprintf(to, "  if (kernel == %d) call(blocks, y, %s, a);\n", i, source->names[i]);
  (void)fprintf(to, "}\n");
  return fclose(to) == 0 ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_IO, "%s", path);
}

int triad_gpu_program_create(triad_gpu_program **out, const triad_gpu_source *source)
{
  char folder[] = "/tmp/triad-test-XXXXXX", path[64], library[64], command[512];
  *out = NULL;
  if (!is_served(source)) return TRIAD_FAIL(TRIAD_ERR_FEATURE, "%s is not compiled on the host", source->label);
  if (!mkdtemp(folder)) return TRIAD_FAIL(TRIAD_ERR_IO, "mkdtemp");
  (void)snprintf(path, sizeof path, "%s/kernel.cpp", folder);
  (void)snprintf(library, sizeof library, "%s/kernel.so", folder);
  TRIAD_TRY(write_source(path, source));
  (void)snprintf(command, sizeof command,
                 "c++ -std=c++17 -O1 -w -shared -fPIC -Itests/help/fake -include cuda_runtime.h -Isrc -I. -o %s %s",
                 library, path);
  if (system(command) != 0) return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "%s", command);
  triad_gpu_program *p = *out = calloc(1, sizeof *p);
  /* threads that were born in it live on: kernels.h */
  p->library = dlopen(library, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  void *call = p->library ? dlsym(p->library, "fake_run") : NULL;
  if (!call) return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "%s", dlerror());
  memcpy(&p->run, &call, sizeof call);
  p->launch = dlsym(p->library, "triad_launch");
  (void)unlink(path);
  (void)unlink(library);
  (void)rmdir(folder);
  compiled++;
  return TRIAD_OK;
}

void triad_gpu_program_destroy(triad_gpu_program **program)
{
  if (*program && (*program)->library) (void)dlclose((*program)->library);
  free(*program);
  *program = NULL;
}

int triad_gpu_program_launch(triad_gpu_program *program, int kernel, int64_t items, int64_t y, int64_t z, int held,
                             const void *const *arguments, void *stream)
{
  (void)z, (void)stream;
  if (!program) return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "kernel %d is not there", kernel);
  const int64_t blocks = (items + program->launch[3] - 1) / program->launch[3];
  if (items > 0 && y > 0)
    program->run(kernel, (unsigned)(held && blocks > PROCESSORS ? PROCESSORS : blocks), (unsigned)y, arguments);
  return TRIAD_OK;
}

triad_gpu_compiling triad_gpu_program_compiling(void) { return (triad_gpu_compiling){.programs = compiled}; }
