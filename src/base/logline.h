/* The text of one message, for the screen, for the log file or as a JSON object, and the outlets that it is written
 * to. */
#ifndef TRIAD_BASE_LOGLINE_H
#define TRIAD_BASE_LOGLINE_H

#include "base/sink.h"

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

/* Set the time to now, UTC, ISO 8601 with milliseconds. */
void triad_logline_stamp(triad_logline *line);

/* A destination of messages: a sink and its style. */
typedef struct triad_outlet {
  triad_sink sink;
  triad_logstyle style;
  int colour;
  const char *lead; /* written together with the next message, or NULL */
  char *line;       /* work space for one message                           */
  size_t room;
  char *early; /* messages from before triad_outlet_open, or NULL */
  size_t early_used;
} triad_outlet;

void triad_outlet_init(triad_outlet *outlet, int fd, triad_logstyle style, int colour);
void triad_outlet_free(triad_outlet *outlet); /* closes the sink only if triad_outlet_open opened it */

/* Append to the file `path` (base/sink.h), first the messages stored by triad_outlet_keep. Returns NULL, or the reason
 * of a failure. */
const char *triad_outlet_open(triad_outlet *outlet, const char *path);

/* Write one message. After failures the first successful line gives the number of missing ones.
 * Returns 1 if written. */
int triad_outlet_write(triad_outlet *outlet, const triad_logline *line);

/* Store the message for triad_outlet_open; only the last 64 KiB are stored. */
void triad_outlet_keep(triad_outlet *outlet, const triad_logline *line);

#endif
