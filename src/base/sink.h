/* Where lines of text go: a descriptor that may fill up, block or vanish without harm to the run. */
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

#endif
