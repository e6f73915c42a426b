/* The two precisions. Sources with field values are written once and compiled twice, with and without TRIAD_SINGLE. An
 * external function triad_pass_create of such a source works on double; its float version is called
 * triadf_pass_create, because make renames the external symbols of the second set of objects. Sources and headers say
 * triad_pass_create in either case. Only code that serves both precisions and is compiled once uses the second name.
 *
 * Sources that are compiled once get TRIAD_ONCE from make: numbers of a field are an incomplete type there. Pointers to
 * them can be passed on; their size, their values and structs of them do not compile. */
#ifndef TRIAD_BASE_PRECISION_H
#define TRIAD_BASE_PRECISION_H

#include <float.h>

#define TRIAD_PI 3.14159265358979323846

#ifdef TRIAD_ONCE
typedef struct triad_real_of_one_precision triad_real;
typedef struct triad_cplx triad_cplx;
#else

#ifdef TRIAD_SINGLE
typedef float triad_real;
#define TRIAD_EPSILON FLT_EPSILON
#define TRIAD_SMALLEST FLT_MIN /* smallest normal number */
#define TRIAD_PRECISION_NAME "single"
#else
typedef double triad_real;
#define TRIAD_EPSILON DBL_EPSILON
#define TRIAD_SMALLEST DBL_MIN
#define TRIAD_PRECISION_NAME "double"
#endif

typedef struct triad_cplx {
  triad_real re, im;
} triad_cplx;

/* CPLX_ALIGN: complex numbers in 64 bytes; rows of planes are padded to a multiple, so that lines stay aligned. LANES:
 * columns that are transformed together on a CPU: two cache lines, so that a block of 512 points still fits in the
 * first-level cache. */
enum { TRIAD_CPLX_ALIGN = 64 / (int)sizeof(triad_cplx), TRIAD_LANES = 128 / (int)sizeof(triad_cplx) };

#endif
#endif
