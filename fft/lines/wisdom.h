/* Saved FFTW plans ("wisdom"): a machine plans a size once, and later runs repeat it bit for bit. */
#ifndef TRIAD_FFT_LINES_WISDOM_H
#define TRIAD_FFT_LINES_WISDOM_H

#include "base/precision.h"
#include "parallel/comm.h"

#include <fftw3.h>

#ifdef TRIAD_SINGLE
#define FFTW(name) fftwf_##name
#else
#define FFTW(name) fftw_##name
#endif

/* Environment variable: do not read the user's plans but measure and replace them. */
#define TRIAD_NEW_PLANS "TRIAD_NEW_PLANS"

/* read: add the plans of a file to this process's; 1 if there were any. write: write this process's plans to it. The
 * file is FOLDER/wisdom-<precision>, or with folder = NULL the user's: $TRIAD_WISDOM-<precision>, else
 * triad/wisdom-<precision> in $XDG_CACHE_HOME or ~/.cache. If a file cannot be read or written, planning takes longer;
 * no error is returned. Not collective. */
int triad_wisdom_read(const char *folder);
void triad_wisdom_write(const char *folder);

/* Create all plans of `self` with these FFTW flags, replacing existing ones (triad_wisdom_put); called on rank 0, then
 * on the others. TRIAD_ERR_CASE if FFTW has no plan, or with FFTW_WISDOM_ONLY no saved plan. */
typedef int triad_wisdom_make(void *self, unsigned flags);
void triad_wisdom_put(FFTW(plan) * place, FFTW(plan) plan);

/* Plan on rank 0, and on the other ranks with the same choices; plans that this process had before are kept.
 *
 * With FFTW_ESTIMATE in flags plans follow rules, regardless of saved ones; no file is read or written. Otherwise
 * plans in the run's own file in `folder` are repeated, since others, even faster ones, would round differently. Plans
 * that it lacks, for example for a changed grid, are taken from the user's file or measured, and are then saved in
 * both files. If both files have a plan, neither is changed. folder = NULL: the user's file only. Returns the result
 * of make. Collective. */
int triad_wisdom_plan(const triad_comm *comm, unsigned flags, const char *folder, triad_wisdom_make *make, void *self);

#endif
