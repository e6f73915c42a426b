/* The two precisions. Sources above the grid floor are written once and compiled twice, with and without
 * TRIAD_SINGLE; TRIAD_NAME gives each its own outside names: triad_pass_create works on double,
 * triadf_pass_create on float. A header that holds such a function says, before its prototype,
 *   #define triad_pass_create TRIAD_NAME(pass_create)
 * and callers write triad_pass_create in either case. */
#ifndef TRIAD_BASE_PRECISION_H
#define TRIAD_BASE_PRECISION_H

#include <float.h>

#ifdef TRIAD_SINGLE
typedef float triad_real;
#define TRIAD_NAME(name) triadf_##name
#define TRIAD_EPSILON FLT_EPSILON
#define TRIAD_PRECISION_NAME "single"
#else
typedef double triad_real;
#define TRIAD_NAME(name) triad_##name
#define TRIAD_EPSILON DBL_EPSILON
#define TRIAD_PRECISION_NAME "double"
#endif

typedef struct triad_cplx {
  triad_real re, im;
} triad_cplx;

/* Complex numbers in 64 bytes: rows of planes are padded to it, so that lines stay aligned; and columns that are
 * transformed together on a CPU: two cache lines, so that a block of 512 points still fits the first cache level. */
enum { TRIAD_CPLX_ALIGN = 64 / (int)sizeof(triad_cplx), TRIAD_LANES = 128 / (int)sizeof(triad_cplx) };

#endif
