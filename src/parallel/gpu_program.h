/* Kernels of which the source is compiled when they are wanted, by NVRTC (part of the CUDA Toolkit), for the GPU in
 * use; or which an earlier run compiled (kernel_cache.h). NVRTC is opened when it is first needed: a program runs
 * without it. A build with CUDA only. Nothing is collective. */
#ifndef TRIAD_PARALLEL_GPU_PROGRAM_H
#define TRIAD_PARALLEL_GPU_PROGRAM_H

#include "base/status.h"

#include <stdint.h>

/* A file that sources may include, by the name that they say. */
typedef struct triad_gpu_text {
  const char *name, *text;
} triad_gpu_text;

/* Those that make embeds, name NULL after the last (Makefile: build/texts.c). */
extern const triad_gpu_text triad_gpu_texts[];

enum { TRIAD_GPU_KERNELS = 4 };

/* text: defines `triad_launch`, int[4] in constant memory: threads of a block along x and y, bytes of shared memory,
 * what a block takes of the items of a launch. names: kernels of it, in C++ as "backward<480, 8>". label: begins a
 * file's name. */
typedef struct triad_gpu_source {
  const char *label, *text;
  const char *names[TRIAD_GPU_KERNELS];
  int n_names;
} triad_gpu_source;

typedef struct triad_gpu_program triad_gpu_program;

/* Can NVRTC be opened? Where the loader finds libnvrtc.so, in /usr/local/cuda, or as TRIAD_NVRTC in the environment
 * says. why (NULL: nobody asks) gets the reason, for a message. */
int triad_gpu_program_compiler(char *why, size_t size);

/* Is there a file of this source for this GPU? */
int triad_gpu_program_kept(const triad_gpu_source *source);

/* TRIAD_ERR_FEATURE without NVRTC, TRIAD_ERR_INTERNAL where it refuses the source, with its words. */
int triad_gpu_program_create(triad_gpu_program **out, const triad_gpu_source *source);
void triad_gpu_program_destroy(triad_gpu_program **program);

/* Launch kernel `kernel` for `items` items, times y times z; `held`: no more blocks than the GPU holds at once
 * (rounds.h). Asynchronous; arguments as cudaLaunchKernel takes them. */
int triad_gpu_program_launch(triad_gpu_program *program, int kernel, int64_t items, int64_t y, int64_t z, int held,
                             const void *const *arguments, void *stream);

/* What this process has had compiled so far: programs, seconds, and whether all of them are kept. */
typedef struct triad_gpu_compiling {
  int programs, read, kept; /* compiled; found in the cache; of those compiled, written there */
  double seconds;
} triad_gpu_compiling;
triad_gpu_compiling triad_gpu_program_compiling(void);

#endif
