/* Find the input file by its name: in the case, among moved results, in the record of earlier sessions, in the
 * resolved case. */
#include "command/session/inputs_named.h"
#include "command/session/inputs.h"
#include "case/case_write.h"

#include "base/json.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char key[] = "initial.file";

/* The file that the case names as input of a start, absolute, malloc'd; NULL if there is none. */
static char *input_of(const triad_session *s)
{
  const triad_case *c = s->given;
  if (!triad_case_applies(c, key) || !*triad_case_word(c, key)) return NULL;
  if (!triad_case_is(c, "initial.kind", "file") && !triad_case_is(c, "initial.kind", "checkpoint")) return NULL;
  char *path = triad_case_path(c, key), *whole = path ? realpath(path, NULL) : NULL;
  if (!whole) return path;
  free(path);
  return whole;
}

/* The part of a path after a folder's; NULL if the path is not in the folder. */
static const char *part_within(const char *folder, const char *path)
{
  char *whole = realpath(folder, NULL);
  size_t n = whole ? strlen(whole) : 0;
  const char *rest = n > 0 && strncmp(path, whole, n) == 0 && path[n] == '/' ? path + n + 1 : NULL;
  free(whole);
  return rest;
}

int triad_inputs_place(const char *dir, const char *path, char out[TRIAD_PATH])
{
  const char *slash = strrchr(path, '/');
  return triad_disk_path(out, "%s/inputs/%s", dir, slash ? slash + 1 : path);
}

int triad_inputs_find(triad_inputs *in, const triad_session *s, const char *dir, const char *source)
{
  memset(in, 0, sizeof *in);
  in->path = *source ? realpath(source, NULL) : NULL;
  if (!in->path) in->path = input_of(s);
  const char *rest = in->path ? part_within(dir, in->path) : NULL;
  in->was_copy = rest && strncmp(rest, "inputs/", strlen("inputs/")) == 0;
  return TRIAD_OK;
}

int triad_inputs_moved(triad_inputs *in, const char *dir, const char *aside)
{
  char *there = NULL, *whole = realpath(aside, NULL);
  const char *rest = in->path ? part_within(dir, in->path) : NULL;
  int st = !rest || (whole && asprintf(&there, "%s/%s", whole, rest) >= 0)
             ? TRIAD_OK
             : TRIAD_FAIL(TRIAD_ERR_MEMORY, "what a start reads");
  free(whole);
  if (st != TRIAD_OK || !there || access(there, F_OK) != 0) {
    free(there);
    return st;
  }
  free(in->path);
  in->path = there;
  return TRIAD_OK;
}

/* Find the last input in provenance.json that was given by our key. */
static int last_input(const char *told, triad_json_value *found)
{
  triad_json_value sessions, name, session, inputs, input, value;
  size_t bad;
  int n = 0;
  if (!triad_json_parse(&sessions, told, strlen(told), &bad) || !triad_json_is_list(sessions)) return 0;
  triad_json_walk all = triad_json_items(sessions);
  while (triad_json_next(&all, &name, &session)) {
    if (!triad_json_member(session, "inputs", &inputs)) continue;
    triad_json_walk w = triad_json_items(inputs);
    while (triad_json_next(&w, &name, &input)) {
      if (!triad_json_member(input, "key", &value) || !triad_json_equals(value, key)) continue;
      *found = input;
      n++;
    }
  }
  return n > 0;
}

/* A path as it reads from JSON: bytes that are not UTF-8 are written as \xNN. malloc'd; NULL without memory. */
static char *as_recorded(const char *path)
{
  char *text = NULL;
  size_t size = 0, bad;
  triad_json_value value;
  triad_json j = {.out = open_memstream(&text, &size)};
  if (!j.out) return NULL;
  triad_json_text(&j, NULL, path);
  int good = fclose(j.out) == 0 && triad_json_parse(&value, text, size, &bad);
  char *decoded = good ? triad_json_decode(value) : NULL;
  free(text);
  return decoded;
}

/* Set in->copy if the copy exists. within: the path below in->path of the checkpoint that was read; NULL: in->path was
 * read itself. */
static int find_copy(triad_inputs *in, const char *dir, const char *within)
{
  char copy[TRIAD_PATH];
  const char *slash = within ? strrchr(within, '/') : NULL;
  TRIAD_TRY(within ? triad_disk_path(copy, "%s/inputs/%s", dir, slash ? slash + 1 : within)
                   : triad_inputs_place(dir, in->path, copy));
  return access(copy, F_OK) == 0 ? triad_disk_path(in->copy, "%s", copy + strlen(dir) + 1) : TRIAD_OK;
}

/* Find the copy of the file at in->path that an earlier session saved according to provenance.json: that of the last
 * session that read it, or a checkpoint in it. */
static int recall(triad_inputs *in, const char *dir, const char *told)
{
  triad_json_value input, path, copy;
  if (!last_input(told, &input) || !triad_json_member(input, "path", &path)) return TRIAD_OK;
  if (!triad_json_member(input, "copy", &copy) || !triad_json_is_text(copy)) return TRIAD_OK;
  char *mine = as_recorded(in->path), *recorded = triad_json_decode(path);
  size_t n = mine ? strlen(mine) : 0;
  int st = mine ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "what a start reads");
  if (mine && recorded && strncmp(recorded, mine, n) == 0) {
    if (recorded[n] == '/') st = find_copy(in, dir, recorded + n + 1);
    else if (!recorded[n]) st = find_copy(in, dir, NULL);
  }
  free(recorded);
  free(mine);
  return st;
}

int triad_inputs_recall(triad_inputs *in, const triad_session *s, const char *dir, const char *told)
{
  TRIAD_TRY(triad_inputs_find(in, s, dir, ""));
  return in->path && told ? recall(in, dir, told) : TRIAD_OK;
}

int triad_inputs_resolved(const triad_inputs *in, const triad_session *s, const char *dir, char **text, size_t *size)
{
  static const char line[] = "\nfile = ", table[] = "\n[initial]\n";
  char *plain = NULL;
  TRIAD_TRY(triad_case_resolved(s->given, &plain, size));
  char *begin = in->path ? strstr(plain, table) : NULL, *at = begin ? strstr(begin + sizeof table - 2, line) : NULL;
  if (!at) {
    *text = plain;
    return TRIAD_OK;
  }
  const char *within = *in->copy ? in->copy : part_within(dir, in->path);
  FILE *f = open_memstream(text, size);
  if (f) {
    (void)fprintf(f, "%.*s", (int)(at - plain + (ptrdiff_t)sizeof line - 1), plain);
    triad_json j = {.out = f}; /* a string of TOML is one of JSON */
    triad_json_text(&j, NULL, within ? within : in->path);
    (void)fprintf(f, " # as read: %s", at + sizeof line - 1);
  }
  int st = f && fclose(f) == 0 ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the resolved case");
  free(plain);
  return st;
}
