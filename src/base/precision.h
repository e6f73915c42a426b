/* The two precisions. Sources that hold numbers of fields are written once and compiled twice, with and without
 * TRIAD_SINGLE. An outside function triad_pass_create of such a source works on double; the one that works on float is
 * called triadf_pass_create: make renames the outside names of the second set of objects, so that sources and headers
 * say triad_pass_create in either case. Only what serves both, and is compiled once, names the second one. */
#ifndef TRIAD_BASE_PRECISION_H
#define TRIAD_BASE_PRECISION_H

#include <float.h>

#define TRIAD_PI 3.14159265358979323846

#ifdef TRIAD_SINGLE
typedef float triad_real;
#define TRIAD_EPSILON FLT_EPSILON
#define TRIAD_SMALLEST FLT_MIN /* below it numbers lose their digits */
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

/* Complex numbers in 64 bytes: rows of planes are padded to it, so that lines stay aligned; and columns that are
 * transformed together on a CPU: two cache lines, so that a block of 512 points still fits the first cache level. */
enum { TRIAD_CPLX_ALIGN = 64 / (int)sizeof(triad_cplx), TRIAD_LANES = 128 / (int)sizeof(triad_cplx) };

#endif
