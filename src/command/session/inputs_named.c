/* Find the input file by its name: in the case, among moved results, in the record of earlier sessions, in the
 * resolved case. */
#include "command/session/inputs.h"

#include "command/session/provenance.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char key[] = "initial.file";

/* What the case says that a start reads, absolute, malloc'd; NULL where it reads none. */
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

/* What of a path comes after that of a folder; NULL where it does not lie in it. */
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

/* Find the copy of the file at `path` that an earlier session saved according to provenance.json: that of the last
 * session that read it, or a checkpoint in it. */
static int recall(triad_inputs *in, const char *dir, const char *told)
{
  char copy[TRIAD_PATH], *begin = NULL;
  size_t size = 0;
  FILE *f = open_memstream(&begin, &size);
  if (f) {
    (void)fprintf(f, "{\"key\": \"%s\", \"path\": ", key);
    triad_provenance_text(f, in->path);
  }
  if (!f || fclose(f) != 0) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "what a start reads");
  const char *at = NULL;
  for (const char *next = told; (next = strstr(next, "{\"key\": \"initial.file\", \"path\": "));) at = next++;
  int same = at && strncmp(at, begin, size - 1) == 0 && (at[size - 1] == '"' || at[size - 1] == '/');
  const char *how = same ? strstr(at, "\"copy\": \"") : NULL, *end = same ? strchr(at, '}') : NULL;
  int st = TRIAD_OK;
  if (how && how < end) {
    st = triad_inputs_place(dir, in->path, copy);
    if (at[size - 1] == '/') { /* "..run/checkpoints/step-00000004": a name without letters that JSON escapes */
      const char *stop = strchr(at + size, '"'), *slash = stop;
      while (slash > at && slash[-1] != '/') slash--;
      st = triad_disk_path(copy, "%s/inputs/%.*s", dir, (int)(stop - slash), slash);
    }
    if (st == TRIAD_OK && access(copy, F_OK) == 0) st = triad_disk_path(in->copy, "%s", copy + strlen(dir) + 1);
  }
  free(begin);
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
    triad_provenance_text(f, within ? within : in->path);
    (void)fprintf(f, " # as read: %s", at + sizeof line - 1);
  }
  int st = f && fclose(f) == 0 ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the resolved case");
  free(plain);
  return st;
}
