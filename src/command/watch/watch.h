/* `triad watch`: read a run directory incrementally as it grows and convert it to JSON; the page; the server. All
 * access is read-only, by one process; nothing here is collective. */
#ifndef TRIAD_COMMAND_WATCH_WATCH_H
#define TRIAD_COMMAND_WATCH_WATCH_H

#include "base/json.h"
#include "base/status.h"
#include "store/disk.h"

#include <stdint.h>
#include <stdio.h>

enum { TRIAD_WATCHED_LINES = 40 /* of warnings that are kept */, TRIAD_MAX_WATCHED = 32 /* runs in a page */ };

/* A run, as far as it has been read. */
typedef struct triad_watched {
  char dir[TRIAD_PATH], name[TRIAD_PATH];
  /* series.csv */
  uint64_t inode; /* a new inode means a new file: read from its start */
  int64_t read;   /* bytes */
  char *about;    /* a JSON list of [name, unit, formula] for its columns, malloc'd; NULL: not read yet */
  char *names;    /* a JSON list of its row of names, malloc'd; NULL: not read yet */
  int n_about, n_columns;
  double *rows; /* [n_rows][n_columns], NAN where a place is empty */
  int64_t n_rows, room;
  /* log.txt */
  uint64_t log_inode;
  int64_t log_read;
  char *said[TRIAD_WATCHED_LINES]; /* a ring: warnings and errors, the newest n_said */
  int64_t n_said;
  int behind; /* there was more than one look reads */
} triad_watched;

/* The client's cursor: what the page has already; it is sent the rest. */
typedef struct triad_watch_wish {
  uint64_t inode;          /* of the series that its rows are of; 0: none */
  int64_t row;             /* rows of it                                  */
  int64_t spectrum, slice; /* steps; -1: none                             */
  int64_t points;          /* stamp of points in space; -1: none          */
  int64_t most;            /* rows of an answer; thinned: of the whole    */
  int thinned;
} triad_watch_wish;

/* Read what has come since, TRIAD_WATCHED_READ bytes of a file at most: w->behind says that there is more. A file
 * that is not there is no failure, and one with a line longer than any of Triad's is not read on. TRIAD_ERR_MEMORY. */
enum { TRIAD_WATCHED_READ = 64 << 20 };
int triad_watched_look(triad_watched *w);

#endif
