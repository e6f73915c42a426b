#include "base/logline.h"

#include "base/escape.h"
#include "base/log.h"

#include <stdio.h>
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

static void put(paper *p, const char *text)
{
  size_t n = strlen(text);
  if (p->used + n < p->room) memcpy(p->out + p->used, text, n + 1);
  p->used += n;
}

static void put_escaped(paper *p, const char *text, size_t length, int how)
{
  size_t left = p->used < p->room ? p->room - p->used : 0;
  p->used += triad_escape(left ? p->out + p->used : NULL, left, text, length, how);
}

static void put_json(paper *p, const triad_logline *l)
{
  char head[128];
  (void)snprintf(head, sizeof head, "{\"time\":\"%s\",\"level\":\"%s\"", l->time, kind[l->level].name);
  put(p, head);
  put(p, ",\"text\":\"");
  put_escaped(p, l->text, l->length, TRIAD_ESCAPE_JSON);
  put(p, "\"}\n");
}

/* What stands before each line of the text, and after it. */
static void put_prefix(paper *p, const triad_logline *l, triad_logstyle style, int colour)
{
  char head[96] = "";
  if (style == TRIAD_LOGSTYLE_FILE) {
    (void)snprintf(head, sizeof head, "%s %-8s ", l->time, kind[l->level].name);
  } else {
    if (colour) put(p, kind[l->level].colour);
    if (l->level <= TRIAD_LOG_WARNING)
      (void)snprintf(head, sizeof head, "triad: %s:%s ", kind[l->level].name, colour ? "\033[0m" : "");
    else if (l->level == TRIAD_LOGLINE_PROGRESS)
      (void)snprintf(head, sizeof head, "%s ", l->time);
  }
  put(p, head);
}

size_t triad_logline_write(char *out, size_t room, const triad_logline *l, triad_logstyle style, int colour)
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
    put_escaped(&p, at, (size_t)((stop ? stop : last) - at), TRIAD_ESCAPE_PLAIN);
    put(&p, end);
    if (!stop) return p.used;
    at = stop + 1;
  }
}
