/* Check and describe JSON files: the provenance of a run, and results of `triad bench`. */
#include "command/info/info.h"
#include "command/info/info_json.h"
#include "command/info/info_lines.h"

#include "base/json.h"
#include "store/disk.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_TEXT = 64 << 20 };

static const char *const bench_keys[] = {"solver",
                                         "grid",
                                         "precision",
                                         "device",
                                         "ranks",
                                         "threads",
                                         "nstreams",
                                         "transport",
                                         "steps",
                                         "step_s",
                                         "phases_s",
                                         "transforms_per_step",
                                         "bytes_per_step",
                                         "flops_per_step",
                                         "copy_bandwidth",
                                         "floor_s",
                                         "fraction_of_floor",
                                         "peak_memory_bytes"};
static const char *const provenance_keys[] = {"started",   "version", "commit",      "build_flags",
                                              "libraries", "command", "environment", "binding"};
/* of which each session prints these, the last one all */
static const char *const session_keys[] = {"started", "ended",   "exit_code", "step_from",
                                           "step_to", "command", "changed"};
enum {
  N_BENCH = sizeof bench_keys / sizeof *bench_keys,
  N_PROVENANCE = sizeof provenance_keys / sizeof *provenance_keys,
  N_SESSION = sizeof session_keys / sizeof *session_keys
};

typedef struct members {
  int bench[N_BENCH], provenance[N_PROVENANCE];
  int printed; /* are they to be */
  int brief;   /* those of session_keys only */
} members;

static void mark(const char *const *keys, int n, int *found, const char *name, size_t length)
{
  for (int i = 0; i < n; i++)
    if (strlen(keys[i]) == length && memcmp(keys[i], name, length) == 0) found[i] = 1;
}

static int count(const int *found, int n)
{
  int sum = 0;
  for (int i = 0; i < n; i++) sum += found[i];
  return sum;
}

/* name: as written, with its quotes; value: as text. */
static void note_member(members *m, triad_json_value name, triad_json_value value)
{
  enum { SHOWN = 160 };
  const char *key = name.at + 1;
  size_t key_length = (size_t)(name.end - name.at - 2), length = (size_t)(value.end - value.at);
  mark(bench_keys, N_BENCH, m->bench, key, key_length);
  mark(provenance_keys, N_PROVENANCE, m->provenance, key, key_length);
  int brief[N_SESSION] = {0};
  mark(session_keys, N_SESSION, brief, key, key_length);
  if (!m->printed || (m->brief && !count(brief, N_SESSION))) return;
  int key_shown = key_length > 40 ? 40 : (int)key_length, shown = length > SHOWN ? SHOWN : (int)length;
  char line[SHOWN + 1];
  for (int i = 0; i < shown; i++) line[i] = value.at[i] == '\n' ? ' ' : value.at[i];
  line[shown] = '\0';
  triad_info_line("  %-20.*s %s%s", key_shown, key, line, length > SHOWN ? " ..." : "");
}

/* Note the members of an object, up to the first fault. */
static void note_members(members *m, const char *text, size_t length)
{
  triad_json_walk w = triad_json_items_of(text, length);
  triad_json_value name, value;
  while (w.close == '}' && triad_json_next(&w, &name, &value)) note_member(m, name, value);
}

static int check_keys(const char *const *keys, int n, const int *found)
{
  int st = TRIAD_OK;
  for (int i = 0; i < n; i++)
    if (!found[i]) st = triad_info_wrong("%s is missing", keys[i]);
  return st;
}

static int inspect_json(const char *path, const char *text, size_t length)
{
  members m = {.printed = 0};
  size_t bad = 0;
  triad_json_value all;
  int good = triad_json_parse(&all, text, length, &bad);
  note_members(&m, text, length);
  int bench = count(m.bench, N_BENCH), provenance = count(m.provenance, N_PROVENANCE);
  int is_bench = bench >= N_BENCH / 2, is_provenance = !is_bench && provenance >= N_PROVENANCE / 2;
  if (!is_bench && !is_provenance)
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: %s, but not a file of Triad", path, good ? "JSON" : "it begins like JSON");
  triad_info_line("%s: %s", path, is_bench ? "results of triad bench" : "provenance of a run");
  m.printed = 1;
  note_members(&m, text, length);
  if (!good) return triad_info_wrong("byte %zu: invalid JSON, or the file is truncated", bad);
  return is_bench ? check_keys(bench_keys, N_BENCH, m.bench) : check_keys(provenance_keys, N_PROVENANCE, m.provenance);
}

/* provenance.json: a list of sessions. */
static int inspect_sessions(const char *path, const char *text, size_t length)
{
  int n = 0, all = 0, st = TRIAD_OK;
  size_t bad = 0;
  triad_json_value list, name, session;
  triad_json_walk w = triad_json_items_of(text, length);
  while (triad_json_next(&w, &name, &session) && triad_json_is_object(session)) all++;
  triad_info_line("%s: provenance of a run: %d session%s", path, all, all == 1 ? "" : "s");
  w = triad_json_items_of(text, length);
  while (n < all && triad_json_next(&w, &name, &session)) {
    members m = {.printed = 1, .brief = ++n < all};
    triad_info_line(" session %d", n);
    note_members(&m, session.at, (size_t)(session.end - session.at));
    int good = check_keys(provenance_keys, N_PROVENANCE, m.provenance);
    if (good != TRIAD_OK) st = good;
  }
  int good = triad_json_parse(&list, text, length, &bad);
  if (good && triad_json_next(&w, &name, &session)) { /* an item that is no session */
    good = 0;
    bad = (size_t)(session.at - text);
  }
  return good ? st : triad_info_wrong("byte %zu: not a list of sessions, or the file is truncated", bad);
}

int triad_info_sessions(const char *path)
{
  const char *name = triad_path_name(path);
  if (strncmp(name, "provenance.", 11) != 0) return 0;
  name += 11 + strspn(name + 11, "0123456789.");
  return strcmp(name, "json") == 0;
}

int triad_info_json(const char *path)
{
  char *text = NULL;
  int64_t bytes = 0;
  TRIAD_TRY(triad_disk_load(path, MOST_TEXT, &text, &bytes));
  int list = text[strspn(text, " \t\r\n")] == '[' && triad_info_sessions(path);
  int st = list ? inspect_sessions(path, text, (size_t)bytes) : inspect_json(path, text, (size_t)bytes);
  free(text);
  return st;
}
