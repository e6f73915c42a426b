/* Output of lines of text to a descriptor that may be full, blocked or closed without harm to the run; properties of
 * the terminal behind it. */
#ifndef TRIAD_BASE_SINK_H
#define TRIAD_BASE_SINK_H

#include <stddef.h>
#include <stdint.h>

typedef struct triad_sink {
  int fd;       /* -1: none                                                    */
  int owned;    /* opened by triad_sink_open                                   */
  int gone;     /* 1: its reader has left (EPIPE, EBADF); nothing more is written */
  int torn;     /* 1: the last write ended inside a line */
  int error;    /* errno of the last failure                                   */
  int64_t lost; /* failed calls since the last successful one */
} triad_sink;

/* Open a sink that appends to a regular file, which is created if necessary; a link, a pipe or a device is refused.
 * Returns NULL, or the reason of a failure. */
const char *triad_sink_open(triad_sink *sink, const char *path);
void triad_sink_close(triad_sink *sink); /* does not close a descriptor that it did not open */

/* Write complete lines, all or (if the file allows it) nothing; waits at most a second for a slow reader. Returns 1 if
 * they were written, else 0: `lost` is increased, and the next call tries again unless the sink is gone. SIGPIPE and
 * SIGXFSZ must be ignored (triad_log_create does so). */
int triad_sink_write(triad_sink *sink, const char *text, size_t length);

/* Columns of the terminal behind `fd`; 0 if it is no terminal, has no size, or cannot move its cursor (TERM unset or
 * dumb). Open MPI gives each rank on the node of mpirun a pseudo-terminal and copies its output to mpirun's output,
 * terminal or not; under Open MPI the result is that of mpirun's standard output. */
int triad_terminal_columns(int fd);

/* 1 if output to `err` appears on the same terminal as `out`, also through a launcher, which does not order the two. */
int triad_terminal_shared(int out, int err);

/* 1 if the user disabled colour: NO_COLOR is set and not empty (no-color.org). */
int triad_terminal_no_colour(void);

/* 1 if text for `fd` may be coloured: it is a terminal and colour is not disabled. */
int triad_terminal_colour(int fd);

#endif
