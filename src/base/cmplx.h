/* CMPLX(re, im) of C11, which glibc's complex.h defines for gcc only. */
#ifndef TRIAD_BASE_CMPLX_H
#define TRIAD_BASE_CMPLX_H

#include <complex.h>

#ifndef CMPLX
#define CMPLX(re, im) __builtin_complex((double)(re), (double)(im))
#endif

#endif
