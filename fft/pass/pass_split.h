/* The middle of the CPU pass if ranks share planes: creation, one chunk of planes, destruction. */
#ifndef TRIAD_FFT_PASS_PASS_SPLIT_H
#define TRIAD_FFT_PASS_PASS_SPLIT_H

#include "fft/pass/pass_internal.h"

/* pass_split.c: additional data of groups of ranks that share planes, and their view of physical space. create is
 * collective. */
int triad_pass_split_create(triad_pass *p, const triad_pass_options *options);
void triad_pass_split_destroy(triad_pass *p);
void triad_pass_split_visit(triad_pass *p, const triad_work *work);

#endif
