/* Kernels that are compiled when they are wanted, on the host: those of formulas, by its C++ compiler. There are none of lines: lengths that
 * are not built in are the library's. TRIAD_NVRTC in the environment: there are none at all. */
#include "parallel/gpu_program.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct triad_gpu_program {
  void *library;
  void (*run)(unsigned blocks, const void *const *arguments);
};

static int compiled;

int triad_gpu_program_compiler(char *why, size_t size)
{
  if (why && size > 0) (void)snprintf(why, size, "TRIAD_NVRTC says so");
  return 0;
}

int triad_gpu_program_kept(const triad_gpu_source *source)
{
  return !getenv("TRIAD_NVRTC") && strncmp(source->label, "formulas", 8) == 0;
}

/* The kernel as kernels.h has it, behind a function of C. */
static int write_source(const char *path, const triad_gpu_source *source)
{
  FILE *to = fopen(path, "we");
  if (!to) return TRIAD_FAIL(TRIAD_ERR_IO, "%s", path);
  (void)fprintf(to, "#define __constant__\n#define TRIAD_FFT_DEVICE_COMPILED_H\n#include <stdint.h>\n%s\n"
                    "extern \"C\" __attribute__((visibility(\"default\"))) void fake_run(unsigned blocks, const void *const *arguments)\n"
                    "{\n  TRIAD_LAUNCH(dim3(blocks), dim3((unsigned)triad_launch[0]), 0, %s)(*(const triad_formula_places *)arguments[0]);\n}\n",
                source->text, source->names[0]);
  return fclose(to) == 0 ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_IO, "%s", path);
}

int triad_gpu_program_create(triad_gpu_program **out, const triad_gpu_source *source)
{
  char folder[] = "/tmp/triad-test-XXXXXX", path[64], library[64], command[512];
  *out = NULL;
  if (strncmp(source->label, "formulas", 8) != 0) return TRIAD_FAIL(TRIAD_ERR_FEATURE, "%s is not compiled on the host", source->label);
  if (!mkdtemp(folder)) return TRIAD_FAIL(TRIAD_ERR_IO, "mkdtemp");
  (void)snprintf(path, sizeof path, "%s/kernel.cpp", folder);
  (void)snprintf(library, sizeof library, "%s/kernel.so", folder);
  TRIAD_TRY(write_source(path, source));
  (void)snprintf(command, sizeof command, "c++ -std=c++17 -O1 -w -shared -fPIC -Itests/unit/fake -include cuda_runtime.h -Isrc -I. -o %s %s", library, path);
  if (system(command) != 0) return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "%s", command);
  triad_gpu_program *p = *out = calloc(1, sizeof *p);
  p->library = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  void *call = p->library ? dlsym(p->library, "fake_run") : NULL;
  if (!call) return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "%s", dlerror());
  memcpy(&p->run, &call, sizeof call);
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
  (void)y, (void)z, (void)held, (void)stream;
  if (!program || kernel != 0) return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "kernel %d of %p is not there", kernel, (void *)program);
  program->run((unsigned)((items + 255) / 256), arguments);
  return TRIAD_OK;
}

triad_gpu_compiling triad_gpu_program_compiling(void) { return (triad_gpu_compiling){.programs = compiled}; }
