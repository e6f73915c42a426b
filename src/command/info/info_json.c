/* JSON that Triad writes: where a run came from, and what triad bench has measured. */
#include "command/info/info.h"

#include "store/disk.h"

#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 64, MOST_TEXT = 64 << 20 };

/* Called with each member of the outermost object: its name as written between the quotes, and its value as text. */
typedef void json_member(void *who, const char *name, size_t name_length, const char *value, size_t length);

typedef struct reader {
  const char *text, *at, *end;
  json_member *call;
  void *who;
} reader;

static void skip_blanks(reader *r)
{
  while (r->at < r->end && strchr(" \t\r\n", *r->at) && *r->at) r->at++;
}

static int accept_character(reader *r, char c)
{
  if (r->at == r->end || *r->at != c) return 0;
  r->at++;
  return 1;
}

static int is_digit(char c) { return c >= '0' && c <= '9'; }

static int is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

static int take_string(reader *r)
{
  if (!accept_character(r, '"')) return 0;
  while (r->at < r->end && *r->at != '"') {
    unsigned char c = (unsigned char)*r->at;
    if (c < 0x20) return 0;
    r->at++;
    if (c != '\\') continue;
    if (r->at == r->end || !*r->at || !strchr("\"\\/bfnrtu", *r->at)) return 0;
    if (*r->at++ == 'u')
      for (int i = 0; i < 4; i++, r->at++)
        if (r->at == r->end || !is_hex(*r->at)) return 0;
  }
  return accept_character(r, '"');
}

static int take_digits(reader *r)
{
  const char *first = r->at;
  while (r->at < r->end && is_digit(*r->at)) r->at++;
  return r->at > first;
}

static int take_number(reader *r)
{
  (void)accept_character(r, '-');
  if (!accept_character(r, '0') && !take_digits(r)) return 0;
  if (accept_character(r, '.') && !take_digits(r)) return 0;
  if (accept_character(r, 'e') || accept_character(r, 'E')) {
    if (!accept_character(r, '+')) (void)accept_character(r, '-');
    return take_digits(r);
  }
  return 1;
}

static int take_word(reader *r)
{
  static const char *const words[] = {"true", "false", "null"};
  for (int i = 0; i < 3; i++) {
    size_t n = strlen(words[i]);
    if ((size_t)(r->end - r->at) < n || memcmp(r->at, words[i], n) != 0) continue;
    r->at += n;
    return 1;
  }
  return 0;
}

static int take_value(reader *r, int depth);

static int take_member(reader *r, int depth)
{
  skip_blanks(r);
  const char *name = r->at;
  if (!take_string(r)) return 0;
  const char *name_end = r->at;
  skip_blanks(r);
  if (!accept_character(r, ':')) return 0;
  skip_blanks(r);
  const char *value = r->at;
  if (!take_value(r, depth + 1)) return 0;
  if (depth == 0) r->call(r->who, name + 1, (size_t)(name_end - name - 2), value, (size_t)(r->at - value));
  return 1;
}

static int take_list(reader *r, int depth, char close, int (*take_one)(reader *r, int depth))
{
  skip_blanks(r);
  if (accept_character(r, close)) return 1;
  do {
    if (!take_one(r, depth)) return 0;
    skip_blanks(r);
  } while (accept_character(r, ','));
  return accept_character(r, close);
}

static int take_element(reader *r, int depth) { return take_value(r, depth + 1); }

static int take_value(reader *r, int depth)
{
  if (depth > DEEPEST) return 0;
  skip_blanks(r);
  if (r->at == r->end) return 0;
  if (accept_character(r, '{')) return take_list(r, depth, '}', take_member);
  if (accept_character(r, '[')) return take_list(r, depth, ']', take_element);
  if (*r->at == '"') return take_string(r);
  return *r->at == '-' || is_digit(*r->at) ? take_number(r) : take_word(r);
}

/* 1 when text[0 .. length - 1] is one object by RFC 8259, nested at most DEEPEST deep; else 0, and *bad is where it is
 * not; the members before that place have been called with. */
static int read_json(const char *text, size_t length, json_member *call, void *who, size_t *bad)
{
  reader r = {text, text, text + length, call, who};
  skip_blanks(&r);
  int good = r.at < r.end && *r.at == '{' && take_value(&r, 0);
  if (good) skip_blanks(&r);
  *bad = (size_t)(r.at - text);
  return good && r.at == r.end;
}

/* ---- which of ours it is ---- */

/* The next element of a list that is an object, from *at on; its end. NULL: there is none, and *at is where the list
 * ends, or stops being one. */
static const char *next_object(const char **at, const char *end)
{
  reader r = {*at, *at, end, NULL, NULL};
  skip_blanks(&r);
  (void)(accept_character(&r, '[') || accept_character(&r, ','));
  skip_blanks(&r);
  *at = r.at;
  if (r.at == r.end || *r.at != '{' || !take_value(&r, 1)) return NULL;
  return r.at;
}

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

static void note_member(void *who, const char *name, size_t name_length, const char *value, size_t length)
{
  enum { SHOWN = 160 };
  members *m = who;
  mark(bench_keys, N_BENCH, m->bench, name, name_length);
  mark(provenance_keys, N_PROVENANCE, m->provenance, name, name_length);
  int brief[N_SESSION] = {0};
  mark(session_keys, N_SESSION, brief, name, name_length);
  if (!m->printed || (m->brief && !count(brief, N_SESSION))) return;
  int name_shown = name_length > 40 ? 40 : (int)name_length, shown = length > SHOWN ? SHOWN : (int)length;
  char line[SHOWN + 1];
  for (int i = 0; i < shown; i++) line[i] = value[i] == '\n' ? ' ' : value[i];
  line[shown] = '\0';
  triad_info_line("  %-20.*s %s%s", name_shown, name, line, length > SHOWN ? " ..." : "");
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
  int good = read_json(text, length, note_member, &m, &bad);
  int bench = count(m.bench, N_BENCH), provenance = count(m.provenance, N_PROVENANCE);
  int is_bench = bench >= N_BENCH / 2, is_provenance = !is_bench && provenance >= N_PROVENANCE / 2;
  if (!is_bench && !is_provenance)
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: %s, but not a file of Triad", path, good ? "JSON" : "it begins like JSON");
  triad_info_line("%s: %s", path, is_bench ? "results of triad bench" : "provenance of a run");
  m.printed = 1;
  (void)read_json(text, length, note_member, &m, &bad);
  if (!good) return triad_info_wrong("byte %zu: invalid JSON, or the file is truncated", bad);
  return is_bench ? check_keys(bench_keys, N_BENCH, m.bench) : check_keys(provenance_keys, N_PROVENANCE, m.provenance);
}

/* provenance.json: a list of sessions. */
static int inspect_sessions(const char *path, const char *text, size_t length)
{
  const char *at = text, *end = text + length, *next;
  int n = 0, all = 0;
  while ((next = next_object(&at, end))) {
    at = next;
    all++;
  }
  triad_info_line("%s: provenance of a run: %d session%s", path, all, all == 1 ? "" : "s");
  int st = TRIAD_OK;
  for (at = text; (next = next_object(&at, end)); at = next) {
    members m = {.printed = 1, .brief = ++n < all};
    size_t bad = 0;
    triad_info_line(" session %d", n);
    (void)read_json(at, (size_t)(next - at), note_member, &m, &bad);
    int good = check_keys(provenance_keys, N_PROVENANCE, m.provenance);
    if (good != TRIAD_OK) st = good;
  }
  reader r = {text, at, end, NULL, NULL};
  int whole = accept_character(&r, ']');
  skip_blanks(&r);
  if (whole && r.at == end) return st;
  return triad_info_wrong("byte %zu: not a list of sessions, or the file is truncated", (size_t)(r.at - text));
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
