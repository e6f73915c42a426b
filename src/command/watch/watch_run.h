/* A run that `triad watch` observes: open it, read its new rows and messages, close it. */
#ifndef TRIAD_COMMAND_WATCH_WATCH_RUN_H
#define TRIAD_COMMAND_WATCH_WATCH_RUN_H

#include "command/watch/watch.h"

/* TRIAD_ERR_INPUT, TRIAD_ERR_CASE where it is no run directory. */
int triad_watched_open(triad_watched *w, const char *dir);
void triad_watched_close(triad_watched *w);

/* Open a regular file, "NAME" or "FOLDER/NAME" of the run directory, to read it: -1 if there is none. Links below
 * the directory are refused, since a run makes none and a foreign one may lead anywhere. open_folder: one folder,
 * the same. */
int triad_watch_open(const char *dir, const char *name);
int triad_watch_open_folder(const char *dir, const char *name);

/* The whole of such a file, malloc'd and ended by NUL; NULL if there is none, or it has more than `limit` bytes. */
char *triad_watch_load(const char *dir, const char *name, int64_t limit, int64_t *bytes);

#endif
