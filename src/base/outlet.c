#include "base/outlet.h"

#include "base/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EARLY = 64 * 1024 };

void triad_outlet_init(triad_outlet *o, int fd, triad_logstyle style, int colour)
{
  *o = (triad_outlet){.sink = {.fd = fd}, .style = style, .colour = colour};
}

void triad_outlet_free(triad_outlet *o)
{
  triad_sink_close(&o->sink);
  free(o->line);
  free(o->early);
  o->line = o->early = NULL;
  o->room = o->early_used = 0;
}

/* The lead and the message in o->line; returns their length, 0 if there is no memory for them. */
static size_t compose(triad_outlet *o, const triad_logline *line)
{
  size_t lead = o->lead ? strlen(o->lead) : 0;
  for (int try = 0; try < 2; try++) {
    size_t room = o->room > lead ? o->room - lead : 0;
    size_t need = triad_logline_write(room ? o->line + lead : NULL, room, line, o->style, o->colour);
    if (need < room) {
      if (lead) memcpy(o->line, o->lead, lead);
      o->lead = NULL;
      return lead + need;
    }
    char *larger = realloc(o->line, lead + need + 1);
    if (!larger) break;
    o->line = larger;
    o->room = lead + need + 1;
  }
  return 0;
}

/* Say that messages are missing, now that writing may work again. */
static int own_up(triad_outlet *o, const triad_logline *line)
{
  char text[128];
  triad_logline note = *line;
  note.level = TRIAD_LOG_WARNING;
  note.text = text;
  note.length = (size_t)snprintf(text, sizeof text, "%lld messages are missing here: %s", (long long)o->sink.lost,
                                 strerror(o->sink.error));
  size_t length = compose(o, &note);
  return triad_sink_write(&o->sink, o->line, length);
}

int triad_outlet_write(triad_outlet *o, const triad_logline *line)
{
  if (o->sink.fd < 0 || o->sink.gone) return 0;
  if (o->sink.lost && !own_up(o, line)) return 0; /* that try has counted for this message */
  size_t length = compose(o, line);
  return triad_sink_write(&o->sink, o->line, length);
}

void triad_outlet_keep(triad_outlet *o, const triad_logline *line)
{
  size_t length = compose(o, line);
  if (!o->early) o->early = malloc(EARLY);
  if (!o->early || length > EARLY) return;
  while (o->early_used + length > EARLY) { /* drop the oldest line */
    char *end = memchr(o->early, '\n', o->early_used);
    size_t gone = end ? (size_t)(end - o->early) + 1 : o->early_used;
    memmove(o->early, o->early + gone, o->early_used - gone);
    o->early_used -= gone;
  }
  memcpy(o->early + o->early_used, o->line, length);
  o->early_used += length;
}

const char *triad_outlet_open(triad_outlet *o, const char *path)
{
  triad_sink_close(&o->sink);
  const char *why = triad_sink_open(&o->sink, path);
  if (!why && o->early_used > 0) (void)triad_sink_write(&o->sink, o->early, o->early_used);
  if (!why) o->early_used = 0;
  return why;
}
