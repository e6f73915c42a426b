#include "case/schema.h"

#include "base/nearest.h"

#include <math.h>
#include <string.h>

int triad_schema_find(const char *name, size_t length)
{
  for (int i = 0; i < triad_schema_size; i++)
    if (strlen(triad_schema[i].name) == length && memcmp(triad_schema[i].name, name, length) == 0) return i;
  return -1;
}

size_t triad_schema_table_length(const triad_key *key)
{
  const char *dot = strrchr(key->name, '.');
  return dot ? (size_t)(dot - key->name) : 0;
}

const char *triad_schema_short_name(const triad_key *key)
{
  const char *dot = strrchr(key->name, '.');
  return dot ? dot + 1 : key->name;
}

int triad_schema_has_table(const char *name, size_t length)
{
  if (length == 0) return 1;
  for (int i = 0; i < triad_schema_size; i++)
    if (strlen(triad_schema[i].name) > length && triad_schema[i].name[length] == '.' &&
        memcmp(triad_schema[i].name, name, length) == 0)
      return 1;
  return 0;
}

int triad_schema_applies(const triad_key *key, const char *solver)
{
  if (!key->solvers || !solver) return 1;
  size_t length = strlen(solver);
  for (const char *at = key->solvers; *at;) {
    size_t word = strcspn(at, " ");
    if (word == length && memcmp(at, solver, length) == 0) return 1;
    at += word;
    at += strspn(at, " ");
  }
  return 0;
}

/* A key is misspelt, or spelt well in the wrong table ("grid.cfl"). */
const char *triad_schema_nearest(const char *name, const char *solver)
{
  const char *list[256];
  int n = 0;
  for (int i = 0; i < triad_schema_size && n < 256; i++)
    if (triad_schema_applies(&triad_schema[i], solver)) list[n++] = triad_schema[i].name;
  const char *dot = strrchr(name, '.'), *last = dot ? dot + 1 : name;
  for (int i = 0; i < n; i++) {
    const char *known = strrchr(list[i], '.');
    if (strcmp(last, known ? known + 1 : list[i]) == 0) return list[i];
  }
  int best = triad_nearest(name, list, n);
  return best < 0 ? NULL : list[best];
}

const char *triad_schema_nearest_table(const char *name, char *buffer, size_t size)
{
  int best_edits = (int)strlen(name) / 3 + 1, best = -1;
  for (int i = 0; i < triad_schema_size; i++) {
    size_t length = triad_schema_table_length(&triad_schema[i]);
    if (length == 0 || length >= size) continue;
    memcpy(buffer, triad_schema[i].name, length);
    buffer[length] = '\0';
    int edits = triad_edits(name, buffer);
    if (edits < best_edits) {
      best = i;
      best_edits = edits;
    }
  }
  if (best < 0) return NULL;
  size_t length = triad_schema_table_length(&triad_schema[best]);
  memcpy(buffer, triad_schema[best].name, length);
  buffer[length] = '\0';
  return buffer;
}
