/* Format one message for the screen, the log file or JSON, and write it to its outlets. An outlet that fails keeps
 * the newest lines and reports later how many are missing. */
#include "base/logline.h"

#include "base/json.h"
#include "base/log.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const struct {
  const char *name, *colour;
} kind[] = {[TRIAD_LOG_ERROR] = {"error", "\033[1;31m"},
            [TRIAD_LOG_WARNING] = {"warning", "\033[1;33m"},
            [TRIAD_LOG_INFO] = {"info", ""},
            [TRIAD_LOG_DETAIL] = {"detail", "\033[2m"},
            [TRIAD_LOGLINE_PROGRESS] = {"progress", ""}};

void triad_logline_stamp(triad_logline *line)
{
  struct timespec now = {0};
  struct tm utc = {0};
  (void)clock_gettime(CLOCK_REALTIME, &now);
  (void)gmtime_r(&now.tv_sec, &utc);
  size_t n = strftime(line->time, sizeof line->time - 8, "%Y-%m-%dT%H:%M:%S", &utc);
  (void)snprintf(line->time + n, sizeof line->time - n, ".%03dZ", (int)(now.tv_nsec / 1000000));
}

/* Where the text goes: `used` counts on after `room` is full. */
typedef struct paper {
  char *out;
  size_t room, used;
} paper;

static void put_bytes(void *to, const char *bytes, size_t n)
{
  paper *p = to;
  if (p->used + n < p->room) {
    memcpy(p->out + p->used, bytes, n);
    p->out[p->used + n] = '\0';
  }
  p->used += n;
}

static void put_text(paper *p, const char *text) { put_bytes(p, text, strlen(text)); }

static void put_escaped(paper *p, const char *text, size_t length)
{
  size_t left = p->used < p->room ? p->room - p->used : 0;
  p->used += triad_escape(left ? p->out + p->used : NULL, left, text, length, TRIAD_ESCAPE_PLAIN);
}

static void put_json(paper *p, const triad_logline *l)
{
  triad_json j = {.put = put_bytes, .to = p};
  triad_json_object(&j, NULL, TRIAD_JSON_COMPACT);
  triad_json_text(&j, "time", l->time);
  triad_json_text(&j, "level", kind[l->level].name);
  triad_json_chars(&j, "text", l->text, l->length);
  triad_json_end(&j);
  put_text(p, "\n");
}

/* Write the prefix of each line of the text; the function after it writes its end. */
static void put_prefix(paper *p, const triad_logline *l, triad_logstyle style, int colour)
{
  char head[96] = "";
  if (style == TRIAD_LOGSTYLE_FILE) {
    (void)snprintf(head, sizeof head, "%s %-8s ", l->time, kind[l->level].name);
  } else {
    if (colour) put_text(p, kind[l->level].colour);
    if (l->level <= TRIAD_LOG_WARNING)
      (void)snprintf(head, sizeof head, "triad: %s:%s ", kind[l->level].name, colour ? "\033[0m" : "");
    else if (l->level == TRIAD_LOGLINE_PROGRESS) (void)snprintf(head, sizeof head, "%s ", l->time);
  }
  put_text(p, head);
}

/* Write the line, or lines, with its end into out[room], as snprintf does: returns the bytes needed without the NUL.
 * colour: on the screen only. */
static size_t write_line(char *out, size_t room, const triad_logline *l, triad_logstyle style, int colour)
{
  paper p = {out, room, 0};
  if (style == TRIAD_LOGSTYLE_JSON) {
    put_json(&p, l);
    return p.used;
  }
  const char *end = style == TRIAD_LOGSTYLE_SCREEN && colour && l->level == TRIAD_LOG_DETAIL ? "\033[0m\n" : "\n";
  const char *at = l->text, *last = l->text + l->length;
  for (;;) {
    const char *stop = memchr(at, '\n', (size_t)(last - at));
    put_prefix(&p, l, style, colour);
    put_escaped(&p, at, (size_t)((stop ? stop : last) - at));
    put_text(&p, end);
    if (!stop) return p.used;
    at = stop + 1;
  }
}

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
    size_t need = write_line(room ? o->line + lead : NULL, room, line, o->style, o->colour);
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
