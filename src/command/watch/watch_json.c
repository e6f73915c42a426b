/* Write the state, rows, spectra and messages of a run as JSON for the page. */
#include "command/watch/watch.h"

#include "store/lock/lock.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LIMIT = 4 << 20 /* bytes of a small file of the run */ };

static void put_string(FILE *out, const char *name, const char *text)
{
  (void)fprintf(out, ", \"%s\": ", name);
  triad_watch_text(out, text, strlen(text));
}

static char *load(const char *dir, const char *name)
{
  int64_t bytes = 0;
  return triad_watch_load(dir, name, LIMIT, &bytes);
}

/* Is a run going on here, and how did the last session end? */
static int put_state(const triad_watched *w, FILE *out)
{
  char who[400] = "";
  int alive = 0;
  int held = triad_lock_holder(w->dir, who, &alive) == TRIAD_OK && alive != 0;
  triad_message_clear();
  char *told = load(w->dir, "provenance.json");
  const char *code = NULL;
  for (const char *at = told; at && (at = strstr(at, "\"exit_code\": ")); at += 13) code = at + 13;
  const char *state = held                          ? "running"
                      : !code                       ? "unknown"
                      : strncmp(code, "0", 1) == 0  ? "finished"
                      : strncmp(code, "75", 2) == 0 ? "stopped"
                      : strncmp(code, "80", 2) == 0 ? "blew up"
                                                    : "ended";
  put_string(out, "state", state);
  put_string(out, "who", who);
  free(told);
  return held;
}

/* A file of ours that is JSON already goes as text: whoever wrote it, the page parses it apart. */
static void put_file(const triad_watched *w, FILE *out, const char *member, const char *name)
{
  char *text = load(w->dir, name);
  if (text) put_string(out, member, text);
  free(text);
}

static void put_number(FILE *out, double value, const char *before)
{
  if (isfinite(value)) (void)fprintf(out, "%s%.9g", before, value);
  else (void)fprintf(out, "%snull", before);
}

static void put_row(const triad_watched *w, int64_t row, const char *before, FILE *out)
{
  (void)fprintf(out, "%s[", before);
  for (int i = 0; i < w->n_columns; i++) put_number(out, w->rows[row * w->n_columns + i], i ? "," : "");
  (void)fputc(']', out);
}

static void put_series(const triad_watched *w, const triad_watch_wish *wish, FILE *out)
{
  if (w->n_columns == 0) return;
  int64_t first = wish->inode == w->inode && wish->row <= w->n_rows ? wish->row : 0;
  int64_t stride = wish->thinned ? (w->n_rows + wish->most - 1) / wish->most : 1, left = wish->most;
  if (stride < 1) stride = 1;
  (void)fprintf(out, ", \"inode\": \"%" PRIu64 "\", \"first\": %" PRId64 ", \"all\": %" PRId64, w->inode, first,
                w->n_rows);
  if (first == 0) (void)fprintf(out, ", \"about\": [%s]", w->about);
  (void)fputs(", \"rows\": [", out);
  int some = 0;
  for (int64_t r = first; r < w->n_rows && left > 0; r += stride, left--, some = 1) put_row(w, r, some ? "," : "", out);
  if (wish->thinned && w->n_rows > 1 && (w->n_rows - 1) % stride) put_row(w, w->n_rows - 1, some ? "," : "", out);
  (void)fputc(']', out);
}

static void put_said(const triad_watched *w, FILE *out)
{
  int64_t first = w->n_said > TRIAD_WATCHED_LINES ? w->n_said - TRIAD_WATCHED_LINES : 0;
  (void)fprintf(out, ", \"n_said\": %" PRId64 ", \"said\": [", w->n_said);
  for (int64_t i = first; i < w->n_said; i++) {
    const char *line = w->said[i % TRIAD_WATCHED_LINES];
    if (i > first) (void)fputc(',', out);
    triad_watch_text(out, line, strlen(line));
  }
  (void)fputc(']', out);
}

int triad_watched_json(const triad_watched *w, const triad_watch_wish *wish, int n_runs, FILE *out, int *alive)
{
  (void)fprintf(out, "{\"runs\": %d", n_runs);
  put_string(out, "name", w->name);
  put_string(out, "dir", w->dir);
  *alive = put_state(w, out);
  put_file(w, out, "status", "status.json");
  put_file(w, out, "changes", "case.changes.csv");
  if (wish->row == 0) put_file(w, out, "case", "case.resolved.toml");
  put_series(w, wish, out);
  put_said(w, out);
  triad_watch_spectrum(w->dir, wish->spectrum, out);
  triad_watch_slices(w->dir, wish->slice, out);
  (void)fputc('}', out);
  return ferror(out) ? TRIAD_FAIL(TRIAD_ERR_MEMORY, "the answer to the page") : TRIAD_OK;
}
