/* Files of steps that a run has no longer. */
#ifndef TRIAD_COMMAND_SESSION_DISCARD_H
#define TRIAD_COMMAND_SESSION_DISCARD_H

#include <stdint.h>

/* Move files of spectra/, fields/, slices/ and surfaces/ of steps after this one to dir/discarded/, under the same
 * names; how many, *moved. A run that goes on from an earlier checkpoint writes most of them anew; one that does so
 * with another case takes other steps, and would leave them among its own. TRIAD_ERR_IO. Not collective. */
int triad_discard_later(const char *dir, int64_t step, int64_t *moved);

#endif
