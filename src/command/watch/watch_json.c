/* Write the state, rows, spectra and messages of a run as JSON for the page. */
#include "command/watch/watch_json.h"
#include "command/watch/watch.h"
#include "command/watch/watch_files.h"
#include "command/watch/watch_points.h"
#include "command/watch/watch_run.h"

#include "store/lock/lock.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LIMIT = 4 << 20 /* bytes of a small file of the run */ };

static char *load(const char *dir, const char *name)
{
  int64_t bytes = 0;
  return triad_watch_load(dir, name, LIMIT, &bytes);
}

/* The exit code of the last session that has ended; 0 if none is recorded. */
static int read_code(const triad_watched *w, int64_t *code)
{
  char *text = load(w->dir, "provenance.json");
  size_t bad;
  triad_json_value sessions, name, session, value;
  int found = 0;
  if (text && triad_json_parse(&sessions, text, strlen(text), &bad)) {
    triad_json_walk all = triad_json_items(sessions);
    while (triad_json_next(&all, &name, &session))
      found |= triad_json_member(session, "exit_code", &value) && triad_json_to_integer(value, code);
  }
  free(text);
  return found;
}

/* Is a run going on here, and how did the last session end? */
static int put_state(const triad_watched *w, triad_json *j)
{
  char who[400] = "";
  int alive = 0;
  int held = triad_lock_holder(w->dir, who, &alive) == TRIAD_OK && alive != 0;
  triad_message_clear();
  int64_t code;
  const char *state = held                       ? "running"
                      : !read_code(w, &code)     ? "unknown"
                      : code == TRIAD_OK         ? "finished"
                      : code == TRIAD_STOPPED    ? "stopped"
                      : code == TRIAD_ERR_BLOWUP ? "blew up"
                                                 : "ended";
  triad_json_text(j, "state", state);
  triad_json_text(j, "who", who);
  return held;
}

/* A file of ours that is JSON already goes as text: whoever wrote it, the page parses it apart. */
static void put_file(const triad_watched *w, triad_json *j, const char *member, const char *name)
{
  char *text = load(w->dir, name);
  if (text) triad_json_text(j, member, text);
  free(text);
}

static void put_row(const triad_watched *w, int64_t row, triad_json *j)
{
  triad_json_list(j, NULL, TRIAD_JSON_COMPACT);
  for (int i = 0; i < w->n_columns; i++) triad_json_number(j, NULL, w->rows[row * w->n_columns + i], 9);
  triad_json_end(j);
}

static void put_series(const triad_watched *w, const triad_watch_wish *wish, triad_json *j)
{
  if (w->n_columns == 0) return;
  char inode[24];
  int64_t first = wish->inode == w->inode && wish->row <= w->n_rows ? wish->row : 0;
  int64_t stride = wish->thinned ? (w->n_rows + wish->most - 1) / wish->most : 1, left = wish->most;
  if (stride < 1) stride = 1;
  (void)snprintf(inode, sizeof inode, "%" PRIu64, w->inode);
  triad_json_text(j, "inode", inode);
  triad_json_integer(j, "first", first);
  triad_json_integer(j, "all", w->n_rows);
  if (first == 0) {
    triad_json_raw(j, "about", w->about ? w->about : "[]");
    triad_json_raw(j, "names", w->names);
  }
  triad_json_list(j, "rows", TRIAD_JSON_COMPACT);
  for (int64_t r = first; r < w->n_rows && left > 0; r += stride, left--) put_row(w, r, j);
  if (wish->thinned && w->n_rows > 1 && (w->n_rows - 1) % stride) put_row(w, w->n_rows - 1, j);
  triad_json_end(j);
}

static void put_said(const triad_watched *w, triad_json *j)
{
  int64_t first = w->n_said > TRIAD_WATCHED_LINES ? w->n_said - TRIAD_WATCHED_LINES : 0;
  triad_json_integer(j, "n_said", w->n_said);
  triad_json_list(j, "said", TRIAD_JSON_COMPACT);
  for (int64_t i = first; i < w->n_said; i++) triad_json_text(j, NULL, w->said[i % TRIAD_WATCHED_LINES]);
  triad_json_end(j);
}

int triad_watched_json(const triad_watched *w, const triad_watch_wish *wish, int n_runs, FILE *out, int *alive)
{
  triad_json j = {.out = out, .html = true};
  triad_json_object(&j, NULL, TRIAD_JSON_LINE);
  triad_json_integer(&j, "runs", n_runs);
  triad_json_text(&j, "name", w->name);
  triad_json_text(&j, "dir", w->dir);
  *alive = put_state(w, &j);
  put_file(w, &j, "status", "status.json");
  put_file(w, &j, "changes", "case.changes.csv");
  if (wish->row == 0) put_file(w, &j, "case", "case.resolved.toml");
  put_series(w, wish, &j);
  put_said(w, &j);
  triad_watch_spectrum(w->dir, wish->spectrum, &j);
  triad_watch_slices(w->dir, wish->slice, &j);
  triad_watch_points(w->dir, wish->points, &j);
  triad_json_end(&j);
  return ferror(out) ? TRIAD_FAIL(TRIAD_ERR_MEMORY, "the answer to the page") : TRIAD_OK;
}
