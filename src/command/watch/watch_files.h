/* The newest spectrum and pictures of a run, as JSON for the page of `triad watch`; finding the newest files. */
#ifndef TRIAD_COMMAND_WATCH_WATCH_FILES_H
#define TRIAD_COMMAND_WATCH_WATCH_FILES_H

#include "command/watch/watch.h"

enum { TRIAD_WATCH_NAME = 256 /* as long as a name in a folder can be */ };

/* The newest step of files PREFIX..-<step>SUFFIX in a folder of the run directory, and up to `most` of their names, in
 * any order; *n of them. -1: none. */
int64_t triad_watch_newest(const char *dir, const char *folder, const char *prefix, const char *suffix,
                           char (*names)[TRIAD_WATCH_NAME], int most, int *n);

/* Write members "spectrum" and "slices" of the newest ones in the directory, if they are newer than what the page
 * has. */
void triad_watch_spectrum(const char *dir, int64_t have, triad_json *j);
void triad_watch_slices(const char *dir, int64_t have, triad_json *j);

#endif
