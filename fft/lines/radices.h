/* Choice of the radices with which the threads of a GPU transform a line of n points, for lengths compiled at run time
 * (fft/gpu/gpu_compiled.h): the radices, the elements per thread, and the lines per block.
 *
 * n = first * middle[0] * middle[1] * middle[2] * last, with unused middle radices 1; `each` elements per thread, a
 * multiple of `first` and of `last`, and n/each threads per line (fft/gpu/device_lines.h). The choice minimises an
 * estimate of the cost: passes through shared memory, threads that are idle in them, and the number of elements that
 * fit on a multiprocessor given the estimated registers. It is computed without a GPU, so it is the same everywhere. */
#ifndef TRIAD_FFT_LINES_RADICES_H
#define TRIAD_FFT_LINES_RADICES_H

#include "base/precision.h"

#include <stddef.h>

enum { TRIAD_RADICES_LEAST = 16, TRIAD_RADICES_MAX = 4096 };

/* Shared memory of a block [bytes]. */
#ifdef TRIAD_HIP
enum { TRIAD_RADICES_SHARED = 64 << 10 };
#else
enum { TRIAD_RADICES_SHARED = 227 << 10 };
#endif

typedef struct triad_radices {
  int n, each, first, middle[3], last;
  int lanes;      /* lines of a block                                     */
  int threads;    /* of a multiprocessor, as its registers allow          */
  int one_by_one; /* x pass: a row of 2 n points is a line; else two of n */
} triad_radices;

/* 1 where lines of n points have such kernels: n from 16 to 4096 with no prime factor above 13; and along x, where
 * rows of an odd number of points cannot be halved, odd n to 1023. */
int triad_radices_serve(int n, int along_x);

/* Lines along y and z, and pairs of rows along x by themselves. 0 where n is not served. */
int triad_radices_strided(int n, triad_radices *r);

/* Rows of n points in the fused x pass of a set that holds `held` fields in a thread's registers. 0 where n is not
 * served. */
int triad_radices_fused(int n, int held, triad_radices *r);

/* Write r as a list for TRIAD_COMPILED_LENGTHS of device_lines.h, to be inserted in kernel sources. Returns the number
 * of characters. */
int triad_radices_tell_strided(const triad_radices *r, char *text, size_t size);
int triad_radices_tell_fused(const triad_radices *r, char *text, size_t size);

#endif
