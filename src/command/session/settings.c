/* Parse and extend case.set.csv, and apply its values to a case if the replaced values are unchanged. */
#include "command/session/settings.h"

#include "store/disk.h"
#include "case/case_write.h"
#include "parallel/share_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIMIT = 1 << 20 /* bytes of case.set.csv */, FIELDS = 5 /* step,t,key,was,is */ };

/* ---- the file's lines ---- */

/* Fields of a line, in place: quotes are taken off, and "" inside them is ". Returns where the next line begins; NULL
 * where this one is torn. *n: how many fields. */
static char *split(char *line, char *field[FIELDS], int *n)
{
  char *out = line;
  int quoted = 0;
  *n = 1;
  field[0] = line;
  for (char *c = line; *c; c++) {
    if (quoted && *c == '"' && c[1] == '"') *out++ = *c++;
    else if (*c == '"') quoted = !quoted;
    else if (quoted || (*c != ',' && *c != '\n')) *out++ = *c;
    else {
      const int last = *c == '\n';
      *out++ = '\0';
      if (last) return c + 1;
      if (*n < FIELDS) field[*n] = out;
      (*n)++;
    }
  }
  return NULL;
}

static int add(triad_settings *s, const char *key, const char *value)
{
  const size_t n = strlen(key);
  char *text = NULL;
  for (int i = 0; i < s->n; i++) /* the newest value of a key stands for all of them */
    if (strncmp(s->set[i], key, n) == 0 && s->set[i][n] == '=') {
      if (asprintf(&text, "%s=%s", key, value) < 0) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "what triad set has changed");
      free(s->set[i]);
      s->set[i] = text;
      return TRIAD_OK;
    }
  char **more = realloc(s->set, (size_t)(s->n + 1) * sizeof *more);
  if (more) s->set = more;
  if (!more || asprintf(&text, "%s=%s", key, value) < 0)
    return TRIAD_FAIL(TRIAD_ERR_MEMORY, "what triad set has changed");
  s->set[s->n++] = text;
  return TRIAD_OK;
}

/* Does the key have the value `was`, by the case or by an earlier line? */
static int stands(const triad_settings *s, const triad_case *given, const char *key, const char *was, int *yes)
{
  const size_t n = strlen(key);
  for (int i = 0; i < s->n; i++)
    if (strncmp(s->set[i], key, n) == 0 && s->set[i][n] == '=') {
      *yes = strcmp(s->set[i] + n + 1, was) == 0;
      return TRIAD_OK;
    }
  char *value = triad_case_value(given, key);
  if (!value) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the value of a key");
  *yes = strcmp(value, was) == 0;
  free(value);
  return TRIAD_OK;
}

/* A key that is inactive, such as time.cfl if time.dt is set, has no value to set. */
static void drop_idle(triad_settings *s)
{
  int n = 0;
  for (int i = 0; i < s->n; i++) {
    const size_t length = strlen(s->set[i]);
    if (s->set[i][length - 1] == '=') free(s->set[i]);
    else s->set[n++] = s->set[i];
  }
  s->n = n;
}

int triad_settings_read(triad_settings *out, const triad_case *given, const char *text)
{
  char *copy = text ? strdup(text) : NULL, *field[FIELDS], *next = copy, last[32] = "";
  int st = text && !copy ? TRIAD_FAIL(TRIAD_ERR_MEMORY, TRIAD_SETTINGS_FILE) : TRIAD_OK, line = 0, yes = 0, n = 0;
  *out = (triad_settings){0};
  while (st == TRIAD_OK && next && *next) {
    const int comment = *next == '#' || strncmp(next, "step,", 5) == 0;
    line++;
    next = split(next, field, &n);
    if (comment && next) continue;
    if (!next || n != FIELDS) {
      st = TRIAD_FAIL(
        TRIAD_ERR_CASE,
        TRIAD_SETTINGS_FILE ":%d: not a line step,t,key,was,is, as triad set writes it: correct or delete it", line);
      break;
    }
    if (strncmp(last, field[0], sizeof last - 1) != 0) out->changes++;
    (void)snprintf(last, sizeof last, "%s", field[0]);
    st = stands(out, given, field[2], field[3], &yes);
    if (st == TRIAD_OK && yes) st = add(out, field[2], field[4]);
  }
  free(copy);
  drop_idle(out);
  if (st != TRIAD_OK) triad_settings_free(out);
  return st;
}

void triad_settings_free(triad_settings *s)
{
  for (int i = 0; i < s->n; i++) free(s->set[i]);
  free(s->set);
  *s = (triad_settings){0};
}

/* ---- a case with them ---- */

/* The lines of `asked` behind these sets, in place; a line that begins with # is a comment. */
static int lines_of(char *asked, const char **sets, int most)
{
  int n = 0;
  for (char *rest = NULL, *line = strtok_r(asked, "\n", &rest); line && n < most; line = strtok_r(NULL, "\n", &rest))
    if (*line != '#') sets[n++] = line;
  return n;
}

int triad_settings_case(triad_case **out, const triad_session *s, const char *name, const triad_arguments *a,
                        const char *text, const char *asked, int *changes)
{
  triad_case *base = NULL;
  triad_settings held = {0};
  char *copy = strdup(asked ? asked : "");
  const char **sets = NULL;
  *out = NULL;
  int st = copy ? triad_case_parse(&base, name, s->text, s->text_length, a->sets, a->n_sets)
                : TRIAD_FAIL(TRIAD_ERR_MEMORY, "a case");
  if (st == TRIAD_OK) st = triad_settings_read(&held, base, text);
  const int most = a->n_sets + held.n + TRIAD_MAX_ARGUMENTS;
  if (st == TRIAD_OK && !(sets = malloc((size_t)most * sizeof *sets))) st = TRIAD_FAIL(TRIAD_ERR_MEMORY, "a case");
  if (st == TRIAD_OK) {
    int n = 0;
    for (int i = 0; i < a->n_sets; i++) sets[n++] = a->sets[i];
    for (int i = 0; i < held.n; i++) sets[n++] = held.set[i];
    n += lines_of(copy, sets + n, most - n);
    *changes = held.changes;
    st = triad_case_parse(out, name, s->text, s->text_length, sets, n);
  }
  free(sets);
  free(copy);
  triad_settings_free(&held);
  triad_case_destroy(&base);
  return st;
}

static int load(const char *dir, char **text)
{
  char path[TRIAD_PATH];
  int64_t bytes = 0;
  TRIAD_TRY(triad_disk_path(path, "%s/" TRIAD_SETTINGS_FILE, dir));
  int st = triad_disk_load(path, LIMIT, text, &bytes);
  if (st != TRIAD_ERR_INPUT) return st;
  triad_message_clear();
  return TRIAD_OK;
}

int triad_settings_hold(triad_session *s, const char *name, const triad_arguments *a)
{
  char *text = NULL;
  triad_case *held = NULL;
  int st = triad_agree(&s->comm, s->comm.rank == 0 ? load(s->dir, &text) : TRIAD_OK);
  if (st == TRIAD_OK) st = triad_comm_share_text(&s->comm, &text, NULL);
  if (st != TRIAD_OK || !text) return st;
  st = triad_settings_case(&held, s, name, a, text, NULL, &s->changes);
  if (st == TRIAD_ERR_CASE && held)
    (void)TRIAD_FAIL(st, "%.300s/" TRIAD_SETTINGS_FILE " is not valid in this case: %.500s", s->dir,
                     triad_case_errors(held));
  free(text);
  st = triad_agree(&s->comm, st);
  if (st == TRIAD_OK) {
    triad_case_destroy(&s->given);
    s->given = held;
  } else triad_case_destroy(&held);
  return st;
}
