/* How one message is written: for the screen, for the log file, or as a JSON object. */
#ifndef TRIAD_BASE_LOGLINE_H
#define TRIAD_BASE_LOGLINE_H

#include <stddef.h>

enum { TRIAD_LOGLINE_PROGRESS = 4 }; /* a fifth kind, after the levels of log.h */

typedef enum triad_logstyle {
  TRIAD_LOGSTYLE_SCREEN, /* triad: warning: text; bare text for info; time and text for progress */
  TRIAD_LOGSTYLE_FILE,   /* 2030-01-31T23:59:59.123Z warning  text                               */
  TRIAD_LOGSTYLE_JSON    /* {"time":"2030-01-31T23:59:59.123Z","level":"warning","text":"..."}    */
} triad_logstyle;

typedef struct triad_logline {
  int level;        /* triad_level or TRIAD_LOGLINE_PROGRESS */
  const char *text; /* as given by the caller, unescaped     */
  size_t length;
  char time[32];
} triad_logline;

/* The time now, UTC, ISO 8601 with milliseconds. */
void triad_logline_stamp(triad_logline *line);

/* Write the line, or lines, with its end into out[room], as snprintf does: returns the bytes needed without the NUL.
 * colour: on the screen only. */
size_t triad_logline_write(char *out, size_t room, const triad_logline *line, triad_logstyle style, int colour);

#endif
