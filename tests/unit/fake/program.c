/* No kernels are compiled on the host: lengths that are not built in are the library's. */
#include "parallel/gpu_program.h"

int triad_gpu_program_compiler(char *why, size_t size)
{
  if (why && size > 0) *why = 0;
  return 0;
}

int triad_gpu_program_kept(const triad_gpu_source *source) { return !source; }

int triad_gpu_program_create(triad_gpu_program **out, const triad_gpu_source *source)
{
  *out = NULL;
  return TRIAD_FAIL(TRIAD_ERR_FEATURE, "%s is not compiled on the host", source->label);
}

void triad_gpu_program_destroy(triad_gpu_program **program) { *program = NULL; }

int triad_gpu_program_launch(triad_gpu_program *program, int kernel, int64_t items, int64_t y, int64_t z, int held,
                             const void *const *arguments, void *stream)
{
  (void)items, (void)y, (void)z, (void)held, (void)arguments, (void)stream;
  return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "kernel %d of %p is not there", kernel, (void *)program);
}

triad_gpu_compiling triad_gpu_program_compiling(void) { return (triad_gpu_compiling){0}; }
