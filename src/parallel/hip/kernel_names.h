/* Names of the kernels in code that hiprtc compiled. Its own search for names of templates fails if an argument is a
 * constant and not a number, so the source is given a pointer to each kernel, and the kernel is what the pointer in the
 * code object refers to. Only with HIP=1. */
#ifndef TRIAD_PARALLEL_HIP_KERNEL_NAMES_H
#define TRIAD_PARALLEL_HIP_KERNEL_NAMES_H

#include "base/status.h"

/* `text` with a pointer to each of the n kernels behind it; free it. NULL: no memory. names: as in C++. */
char *triad_hip_source(const char *text, const char *const *names, int n);

/* The name of kernel `i` of that source in its code object, an ELF file of `bytes` bytes; it points into `code`. NULL
 * if there is none. */
const char *triad_hip_kernel_name(const void *code, size_t bytes, int i);

#endif
