/* How a line of n points is transformed by the threads of a GPU, for lengths whose kernels are compiled when they
 * are wanted (fft/gpu_compiled.h): by which radices, with how many elements a thread, and how many lines a block
 * has.
 *
 * n = first * middle[0] * middle[1] * middle[2] * last, middle radices 1 where there are fewer; `each` elements a
 * thread, a multiple of `first` and of `last`, and n/each threads a line (fft/device_lines.h). Of all ways the one
 * of the lowest cost is taken: passes through shared memory, threads that wait in them, and how few elements a
 * multiprocessor can hold at once, by an estimate of registers. Numbers only: no GPU is asked, and the choice is the
 * same everywhere. */
#ifndef TRIAD_FFT_RADICES_H
#define TRIAD_FFT_RADICES_H

#include "base/precision.h"

#include <stddef.h>

enum { TRIAD_RADICES_LEAST = 16, TRIAD_RADICES_MOST = 4096, TRIAD_RADICES_SHARED = 227 << 10 /* bytes of a block */ };

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

/* What kernels' sources are told of r: a list for TRIAD_COMPILED_LENGTHS of device_lines.h. Returns the number of
 * characters. */
int triad_radices_tell_strided(const triad_radices *r, char *text, size_t size);
int triad_radices_tell_fused(const triad_radices *r, char *text, size_t size);

#endif
