/* Compare the case of a run directory with the new one, refuse or report the changes, and record them in
 * case.changes.csv. */
#include "command/session/changes.h"

#include "base/json.h"
#include "case/case_write.h"
#include "command/session/settings.h"
#include "store/disk.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { LIMIT = 64 << 20 /* bytes of case.changes.csv */ };

static const char file_name[] = "case.changes.csv";

/* Returns 0 for keys that change which files are written, where, on which hardware, and how far, but no number in a
 * row. The effect of parameters appears in the keys that use them. initial.file is the path that initial.kind reads,
 * and a resumed run does not read it. */
static int changes_results(const char *key)
{
  static const char *const others[] = {"output.",  "parallel.",      "parameters.",
                                       "time.end", "time.max_steps", "initial.file"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    size_t n = strlen(others[i]);
    if (strncmp(key, others[i], n) == 0 && (others[i][n - 1] == '.' || !key[n])) return 0;
  }
  return 1;
}

static void add(void *who, const char *key, const char *was, const char *is)
{
  triad_changes *c = who;
  triad_change *more = realloc(c->list, (size_t)(c->n + 1) * sizeof *more);
  if (more) c->list = more;
  triad_change change = {.was = strdup(was), .is = strdup(is), .results = changes_results(key)};
  if (!more || !change.was || !change.is) {
    c->failed = 1;
    free(change.was);
    free(change.is);
    return;
  }
  (void)snprintf(change.key, sizeof change.key, "%s", key);
  c->list[c->n++] = change;
}

void triad_changes_free(triad_changes *c)
{
  for (int i = 0; i < c->n; i++) {
    free(c->list[i].was);
    free(c->list[i].is);
  }
  free(c->list);
  memset(c, 0, sizeof *c);
}

int triad_changes_between(triad_changes *c, const triad_case *was, const triad_case *is)
{
  memset(c, 0, sizeof *c);
  int st = triad_case_compare(was, is, add, c);
  return st == TRIAD_OK && c->failed ? TRIAD_FAIL(TRIAD_ERR_MEMORY, "what has changed in the case") : st;
}

/* *out is NULL where the text is no case. */
static int parse(triad_case **out, const char *name, const char *text)
{
  int st = triad_case_parse(out, name, text, strlen(text), NULL, 0);
  if (st != TRIAD_ERR_CASE) return st;
  triad_message_clear();
  triad_case_destroy(out);
  *out = NULL;
  return TRIAD_OK;
}

static int is_in(const triad_changes *c, const char *key)
{
  for (int i = 0; i < c->n; i++)
    if (strcmp(c->list[i].key, key) == 0) return 1;
  return 0;
}

/* Which of the changes another case file brings: the two files differ in them too, and no --set has a say. */
static int blame_file(triad_changes *c, const triad_session *s, const char *file)
{
  triad_changes of_files = {0, NULL, 0};
  triad_case *old = NULL, *now = NULL;
  char origin[512];
  if (!file || strcmp(file, s->text) == 0) return TRIAD_OK;
  int st = parse(&old, "case.toml", file);
  if (st == TRIAD_OK) st = parse(&now, "case.toml", s->text);
  /* one that is no case without its --set cannot be compared key by key */
  int apart = old && now;
  if (st == TRIAD_OK && apart) st = triad_changes_between(&of_files, old, now);
  for (int i = 0; i < c->n && st == TRIAD_OK; i++) {
    const char *key = c->list[i].key;
    int set = triad_case_applies(s->given, key) &&
              strncmp(triad_case_origin(s->given, key, origin, sizeof origin), "--set", 5) == 0;
    c->list[i].of_file = c->list[i].results && !set && (!apart || is_in(&of_files, key));
  }
  triad_changes_free(&of_files);
  triad_case_destroy(&now);
  triad_case_destroy(&old);
  return st;
}

int triad_changes_find(triad_changes *c, const triad_session *s, const char *was, const char *file, int *unread)
{
  triad_case *old = NULL;
  memset(c, 0, sizeof *c);
  *unread = 0;
  int st = parse(&old, "checkpoint", was);
  if (st == TRIAD_OK && !old) *unread = 1;
  if (st == TRIAD_OK && old) st = triad_changes_between(c, old, s->given);
  if (st == TRIAD_OK && old) st = blame_file(c, s, file);
  triad_case_destroy(&old);
  if (st != TRIAD_OK) triad_changes_free(c);
  return st;
}

static const char *or_nothing(const char *value) { return *value ? value : "not set"; }

int triad_changes_refuse(const triad_changes *c, const char *dir, const char *case_path)
{
  const triad_change *first = NULL;
  char more[64] = "";
  int n = 0;
  for (int i = 0; i < c->n; i++) {
    if (!c->list[i].of_file) continue;
    if (!n++) first = &c->list[i];
  }
  if (!first) return TRIAD_OK;
  if (n == 2) (void)snprintf(more, sizeof more, ", and another key differs");
  if (n > 2) (void)snprintf(more, sizeof more, ", and %d more keys differ", n - 1);
  return TRIAD_FAIL(TRIAD_ERR_CASE,
                    "%.300s contains a run of another case: %s is %.100s there, but %.100s in %.200s%s. Use another "
                    "--dir, or --new-case to continue there with this case",
                    dir, first->key, or_nothing(first->was), or_nothing(first->is), case_path, more);
}

/* The characters of a key that name an entry of a table of tables, particles[2] of particles[2].kind; 0: none. */
static size_t entry_of(const char *key)
{
  const char *end = strstr(key, "].");
  return end ? (size_t)(end - key) + 1 : 0;
}

/* An entry that was added or removed has a line for its first key alone. */
static bool follows_entry(const triad_changes *c, int i)
{
  const triad_change *k = &c->list[i], *before = k - 1;
  const size_t n = entry_of(k->key);
  if (i == 0 || n == 0 || strncmp(k->key, before->key, n) != 0) return false;
  return (!*k->was && !*before->was) || (!*k->is && !*before->is);
}

static void tell_change(const triad_change *k, triad_log *log, triad_level level, double t)
{
  const int entry = (int)entry_of(k->key);
  const char *name = entry ? k->key + entry + 1 : "";
  if (entry && !*k->was) triad_log_say(log, level, "%.*s begins at t = %g, with %s %s", entry, k->key, t, name, k->is);
  else if (entry && !*k->is)
    triad_log_say(log, level, "%.*s ends at t = %g, with %s %s", entry, k->key, t, name, k->was);
  else if (!*k->was) triad_log_say(log, level, "%s is %s from t = %g on, and was not set before", k->key, k->is, t);
  else if (!*k->is) triad_log_say(log, level, "%s was %s until t = %g, and is not set from here", k->key, k->was, t);
  else triad_log_say(log, level, "%s was %s until t = %g, and is %s from here", k->key, k->was, t, k->is);
}

void triad_changes_tell(const triad_changes *c, triad_log *log, double t, int finished)
{
  for (int i = 0; i < c->n; i++) {
    const triad_change *k = &c->list[i];
    triad_level level = k->results ? TRIAD_LOG_WARNING : TRIAD_LOG_INFO;
    if (follows_entry(c, i)) continue;
    if (!finished) tell_change(k, log, level, t);
    else if (k->results)
      triad_log_say(log, level, "%s is %s in this run, until t = %g; the case now has %s", k->key, or_nothing(k->was),
                    t, or_nothing(k->is));
  }
}

/* ---- case.changes.csv ---- */

static void put_quoted(FILE *f, const char *text)
{
  (void)fputs(",\"", f);
  for (; *text; text++) {
    if (*text == '"') (void)fputc('"', f);
    (void)fputc(*text == '\n' ? ' ' : *text, f);
  }
  (void)fputc('"', f);
}

/* Lines that are still true of a run at this step, and the marks of requests, of which *marked has been there
 * already. */
static void put_kept(FILE *f, const char *text, const triad_record *record, int *marked)
{
  for (const char *end; (end = strchr(text, '\n')); text = end + 1) {
    char *after;
    const size_t n = (size_t)(end - text);
    int64_t at = strtoll(text, &after, 10);
    const int is_mark = strncmp(text, TRIAD_SETTINGS_TAKEN, sizeof TRIAD_SETTINGS_TAKEN - 1) == 0;
    if (is_mark || (after > text && *after == ',' && at <= record->kept)) (void)fprintf(f, "%.*s\n", (int)n, text);
    *marked |= is_mark && record->mark && strlen(record->mark) == n && memcmp(text, record->mark, n) == 0;
  }
}

/* A line; whether the text before it has it already. */
static int put_line(FILE *f, const char *old, const triad_change *change, int64_t step, double t)
{
  char *line = NULL;
  size_t size = 0;
  FILE *l = open_memstream(&line, &size);
  if (!l) return 0;
  (void)fprintf(l, "%" PRId64 ",%.17g,%s", step, t, change->key);
  put_quoted(l, change->was);
  put_quoted(l, change->is);
  (void)fputc('\n', l);
  int good = fclose(l) == 0;
  if (good && !(old && strstr(old, line))) (void)fputs(line, f);
  free(line);
  return good;
}

int triad_changes_record(const triad_changes *c, const char *dir, const triad_record *record, int64_t step, double t)
{
  const char *name = record->name;
  char path[TRIAD_PATH], *old = NULL, *text = NULL;
  int64_t bytes = 0;
  size_t size = 0;
  int good = 1, marked = !record->mark;
  TRIAD_TRY(triad_disk_path(path, "%s/%s", dir, name));
  int st = triad_disk_load(path, LIMIT, &old, &bytes);
  if (st == TRIAD_ERR_INPUT) triad_message_clear();
  else TRIAD_TRY(st);
  if (!old && c->n == 0 && marked) return TRIAD_OK;
  FILE *f = open_memstream(&text, &size);
  if (f) {
    (void)fprintf(f, "# %s\nstep,t,key,was,is\n", record->about);
    if (old) put_kept(f, old, record, &marked);
    for (int i = 0; i < c->n && good; i++) good = put_line(f, old, &c->list[i], step, t);
    if (!marked) (void)fprintf(f, "%s\n", record->mark);
  }
  st = f && fclose(f) == 0 && good ? triad_disk_replace(dir, name, text, (int64_t)size)
                                   : TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s", name);
  free(text);
  free(old);
  return st;
}

int triad_changes_write(const triad_changes *c, const char *dir, int64_t step, double t)
{
  const triad_record record = {
    .name = file_name,
    .kept = step,
    .about = "changes of the case during the run: after the row of this step, the key has the value in `is`"};
  return triad_changes_record(c, dir, &record, step, t);
}

char *triad_changes_json(const triad_changes *c)
{
  char *text = NULL;
  size_t size = 0;
  triad_json j = {.out = open_memstream(&text, &size)};
  if (!j.out) return NULL;
  triad_json_list(&j, NULL, TRIAD_JSON_LINE);
  for (int i = 0; i < c->n; i++) {
    triad_json_object(&j, NULL, TRIAD_JSON_LINE);
    triad_json_text(&j, "key", c->list[i].key);
    triad_json_text(&j, "was", c->list[i].was);
    triad_json_text(&j, "is", c->list[i].is);
    triad_json_end(&j);
  }
  triad_json_end(&j);
  if (fclose(j.out) == 0) return text;
  free(text);
  return NULL;
}
