/* Kernels whose source is compiled at run time for the GPU in use, by NVRTC (part of the CUDA Toolkit), or which an
 * earlier run compiled (kernel_cache.h). NVRTC is loaded when first needed; the program runs without it. Only in a
 * build with CUDA. Nothing is collective. */
#ifndef TRIAD_PARALLEL_GPU_PROGRAM_H
#define TRIAD_PARALLEL_GPU_PROGRAM_H

#include "base/status.h"

#include <stdint.h>

/* A file that sources may include, under the name in their #include. */
typedef struct triad_gpu_text {
  const char *name, *text;
} triad_gpu_text;

/* The texts that make embeds, terminated by name NULL (Makefile: build/texts.c). */
extern const triad_gpu_text triad_gpu_texts[];

enum { TRIAD_GPU_KERNELS = 4 };

/* text: must define `triad_launch`, int[4] in constant memory: threads of a block along x and y, bytes of shared
 * memory, items per block. names: its kernels, as in C++: "backward<480, 8>". label: first part of the name of the
 * cached file. */
typedef struct triad_gpu_source {
  const char *label, *text;
  const char *names[TRIAD_GPU_KERNELS];
  int n_names;
} triad_gpu_source;

typedef struct triad_gpu_program triad_gpu_program;

/* Returns 1 if NVRTC can be loaded: from the loader's path, /usr/local/cuda, or the path in the environment variable
 * TRIAD_NVRTC. why (may be NULL): the reason of a failure. */
int triad_gpu_program_compiler(char *why, size_t size);

/* Returns 1 if the cache has this source for this GPU. */
int triad_gpu_program_kept(const triad_gpu_source *source);

/* TRIAD_ERR_FEATURE without NVRTC, TRIAD_ERR_INTERNAL if it rejects the source, with its message. */
int triad_gpu_program_create(triad_gpu_program **out, const triad_gpu_source *source);
void triad_gpu_program_destroy(triad_gpu_program **program);

/* Launch kernel `kernel` for `items` items, times y times z. held: launch no more blocks than the GPU can hold at once
 * (rounds.h). Asynchronous; arguments as for cudaLaunchKernel. */
int triad_gpu_program_launch(triad_gpu_program *program, int kernel, int64_t items, int64_t y, int64_t z, int held,
                             const void *const *arguments, void *stream);

/* Statistics of run-time compilation in this process. */
typedef struct triad_gpu_compiling {
  int programs, read, kept; /* number compiled; found in the cache; compiled and written to the cache */
  double seconds;
} triad_gpu_compiling;
triad_gpu_compiling triad_gpu_program_compiling(void);

#endif
