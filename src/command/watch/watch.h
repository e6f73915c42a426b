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
  int64_t most;            /* rows of an answer; thinned: of the whole    */
  int thinned;
} triad_watch_wish;

/* TRIAD_ERR_INPUT, TRIAD_ERR_CASE where it is no run directory. */
int triad_watched_open(triad_watched *w, const char *dir);
void triad_watched_close(triad_watched *w);

/* Read what has come since, TRIAD_WATCHED_READ bytes of a file at most: w->behind says that there is more. A file
 * that is not there is no failure, and one with a line longer than any of Triad's is not read on. TRIAD_ERR_MEMORY. */
enum { TRIAD_WATCHED_READ = 64 << 20 };
int triad_watched_look(triad_watched *w);

/* Write one JSON object; the text is also safe inside a <script>. alive: 1 if the run is active. */
int triad_watched_json(const triad_watched *w, const triad_watch_wish *wish, int n_runs, FILE *out, int *alive);

/* Open a regular file, "NAME" or "FOLDER/NAME" of the run directory, to read it: -1 if there is none. Links below
 * the directory are refused, since a run makes none and a foreign one may lead anywhere. open_folder: one folder,
 * the same. */
int triad_watch_open(const char *dir, const char *name);
int triad_watch_open_folder(const char *dir, const char *name);

/* The whole of such a file, malloc'd and ended by NUL; NULL if there is none, or it has more than `limit` bytes. */
char *triad_watch_load(const char *dir, const char *name, int64_t limit, int64_t *bytes);

/* ---- watch_files.c ---- */

/* Write members "spectrum" and "slices" of the newest ones in the directory, if they are newer than what the page
 * has. */
void triad_watch_spectrum(const char *dir, int64_t have, triad_json *j);
void triad_watch_slices(const char *dir, int64_t have, triad_json *j);

/* ---- watch_page.c ---- */

/* The page, terminated by NUL; in a page without a server the data replaces triad_watch_marker. */
extern const char triad_watch_page[];
#define TRIAD_WATCH_MARKER "<!--DATA-->"

/* ---- watch_server.c ---- */

/* Serve the page on 127.0.0.1 until *end is not 0. token NULL: everybody on this machine may look. TRIAD_ERR_FEATURE
 * in a build without libmicrohttpd; TRIAD_ERR_IO where the port is taken. */
int triad_watch_serve(triad_watched *runs, int n, int port, const char *token, const volatile int *end);

#endif
