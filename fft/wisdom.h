/* Remembered FFTW plans: the same machine plans a size once, and later runs repeat it bit for bit. */
#ifndef TRIAD_FFT_WISDOM_H
#define TRIAD_FFT_WISDOM_H

#include "base/precision.h"
#include "parallel/comm.h"

#include <fftw3.h>

#ifdef TRIAD_SINGLE
#define FFTW(name) fftwf_##name
#else
#define FFTW(name) fftw_##name
#endif

#define triad_wisdom_read TRIAD_NAME(wisdom_read)
#define triad_wisdom_write TRIAD_NAME(wisdom_write)
#define triad_wisdom_share TRIAD_NAME(wisdom_share)

/* Add the file's plans to this process's; add this process's to the file. `path` NULL: the user's own file
 * (fft/lines.h). Failing costs time, never the answer, so nothing is returned. Not collective. */
void triad_wisdom_read(const char *path);
void triad_wisdom_write(const char *path);

/* Give every rank the plans of rank 0. Collective. */
int triad_wisdom_share(const triad_comm *comm);

#endif
