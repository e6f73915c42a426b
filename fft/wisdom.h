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

/* Set in the environment: the user's own plans are not read, but made anew and replaced. */
#define TRIAD_NEW_PLANS "TRIAD_NEW_PLANS"

/* Add the plans of a file to this process's: 1 if there were some. Write this process's to it. The file is
 * FOLDER/wisdom-<precision>, or with folder = NULL the user's own: $TRIAD_WISDOM-<precision>, else
 * triad/wisdom-<precision> in $XDG_CACHE_HOME or ~/.cache. A file that cannot be read or written costs planning time,
 * never the answer, so no failure is returned. Not collective. */
int triad_wisdom_read(const char *folder);
void triad_wisdom_write(const char *folder);

/* Plan alone, from read to write, on this file system: a process that planned the same sizes at the same time would
 * replace the file by choices of its own, and the next run would not repeat this one's. Waits for at most a minute, and
 * goes without where locks do not work. Returns what unlock takes. Not collective. */
int triad_wisdom_lock(void);
void triad_wisdom_unlock(int lock);

/* Makes all plans of `self` with FFTW's flags, in the place of those that it has (triad_wisdom_put); on rank 0 and then
 * on the others. TRIAD_ERR_CASE where FFTW has none, with FFTW_WISDOM_ONLY: none that it remembers. */
typedef int triad_wisdom_make(void *self, unsigned flags);
void triad_wisdom_put(FFTW(plan) * place, FFTW(plan) plan);

/* Plan on rank 0, and on the others by its choices; what this process remembered before is remembered after it too.
 *   FFTW_ESTIMATE in flags: by rule, whatever is remembered; no file is read or written.
 *   Else what the run's own file in `folder` has is repeated: others, even faster ones, would round differently.
 *   Plans
 *   that it has not, as of a grid that the run has changed to, are taken from the user's file or measured, and then
 *   stand
 *   in both; where both files have one the run's own stays what it is, and so does the user's. folder = NULL: the
 *   user's
 *   file alone.
 * What make returns. Collective. */
int triad_wisdom_plan(const triad_comm *comm, unsigned flags, const char *folder, triad_wisdom_make *make, void *self);

#endif
