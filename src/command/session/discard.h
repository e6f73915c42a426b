/* Files of steps that a run has no longer. */
#ifndef TRIAD_COMMAND_SESSION_DISCARD_H
#define TRIAD_COMMAND_SESSION_DISCARD_H

#include <stdint.h>

/* Move files of spectra/, fields/, slices/ and surfaces/ from later steps to dir/discarded/, under the same names;
 * *moved: their number. A run that resumes from an earlier checkpoint writes most of them again; one with a changed
 * case has other steps, and would leave them among its own. TRIAD_ERR_IO. Not collective. */
int triad_discard_later(const char *dir, int64_t step, int64_t *moved);

#endif
