/* Where lines of text go: a descriptor that may fill up, block or vanish without harm to the run; and what kind of
 * terminal, if any, it leads to. */
#ifndef TRIAD_BASE_SINK_H
#define TRIAD_BASE_SINK_H

#include <stddef.h>
#include <stdint.h>

typedef struct triad_sink {
  int fd;       /* -1: none                                                    */
  int owned;    /* opened by triad_sink_open                                   */
  int gone;     /* its reader has left (EPIPE, EBADF): nothing more is written */
  int torn;     /* the last write stopped inside a line                        */
  int error;    /* errno of the last failure                                   */
  int64_t lost; /* calls that failed since one succeeded                       */
} triad_sink;

/* A sink that appends to a regular file of this path, created where there is none; a link, a pipe or a device is
 * refused. Returns NULL, or why not in words. */
const char *triad_sink_open(triad_sink *sink, const char *path);
void triad_sink_close(triad_sink *sink); /* leaves a descriptor that it did not open alone */

/* Write whole lines, all or (where the file allows it) nothing; waits at most a second for a reader that is slow.
 * Returns 1 if they were written, else 0: `lost` counts, and the next call tries again unless the sink is gone.
 * SIGPIPE and SIGXFSZ must be ignored (triad_log_create sees to it). */
int triad_sink_write(triad_sink *sink, const char *text, size_t length);

/* Columns of the terminal behind `fd`; 0 if it is none, one without a size, or one that cannot move its cursor (TERM
 * unset or dumb). Open MPI gives each rank on the node of mpirun a pseudo-terminal of its own and copies what appears
 * there to wherever mpirun writes, a terminal or not: under Open MPI the answer is that of mpirun's standard output. */
int triad_terminal_columns(int fd);

/* 1 if what is written to `err` appears on the same terminal as `out`, also through a launcher, which gives no order
 * between the two. */
int triad_terminal_shared(int out, int err);

/* 1 if the user wants no colour: NO_COLOR set and not empty (no-color.org). */
int triad_terminal_no_colour(void);

/* 1 if text for `fd` may be coloured: a terminal, and the user did not say no. */
int triad_terminal_colour(int fd);

#endif
