/* One place where log lines arrive: a sink and the style in which it is written. */
#ifndef TRIAD_BASE_OUTLET_H
#define TRIAD_BASE_OUTLET_H

#include "base/logline.h"
#include "base/sink.h"

typedef struct triad_outlet {
  triad_sink sink;
  triad_logstyle style;
  int colour;
  const char *lead; /* goes out in one piece with the next message, or NULL */
  char *line;       /* work space for one message                           */
  size_t room;
  char *early; /* what was said before triad_outlet_open, or NULL */
  size_t early_used;
} triad_outlet;

void triad_outlet_init(triad_outlet *outlet, int fd, triad_logstyle style, int colour);
void triad_outlet_free(triad_outlet *outlet); /* closes the sink only if triad_outlet_open opened it */

/* Append to the file `path` (base/sink.h), beginning with what was kept. Returns NULL, or why not. */
const char *triad_outlet_open(triad_outlet *outlet, const char *path);

/* Write one message. After a failure the first line to succeed says how many are missing. Returns 1 if written. */
int triad_outlet_write(triad_outlet *outlet, const triad_logline *line);

/* Keep the message for triad_outlet_open; of all kept, the last 64 KiB. */
void triad_outlet_keep(triad_outlet *outlet, const triad_logline *line);

#endif
