/* The newest spectrum and pictures of a run, as JSON for the page of `triad watch`. */
#ifndef TRIAD_COMMAND_WATCH_WATCH_FILES_H
#define TRIAD_COMMAND_WATCH_WATCH_FILES_H

#include "command/watch/watch.h"

/* Write members "spectrum" and "slices" of the newest ones in the directory, if they are newer than what the page
 * has. */
void triad_watch_spectrum(const char *dir, int64_t have, triad_json *j);
void triad_watch_slices(const char *dir, int64_t have, triad_json *j);

#endif
