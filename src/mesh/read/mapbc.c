/* Read the .mapbc of a UGRID file (mapbc.h): the number of surfaces, then for each a line: its number, the kind of
 * its boundary condition, and perhaps a name. Surfaces may be in any order. */
#include "mesh/read/mapbc.h"

#include "base/status.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* The length of a path without this ending; 0: it has another. */
static size_t without(const char *path, size_t n, const char *ending)
{
  const size_t m = strlen(ending);
  return n > m && strncasecmp(path + n - m, ending, m) == 0 ? n - m : 0;
}

/* "a.mapbc" of "a.b8.ugrid.gz" or "a.ugrid"; 0: there is no such file. */
static int find_file(const char *path, char out[4096])
{
  size_t n = strlen(path), m;
  if ((m = without(path, n, ".gz")) > 0) n = m;
  if ((m = without(path, n, ".ugrid")) > 0) n = m;
  for (int i = 0; i < 2; i++) {
    const int length = snprintf(out, 4096, "%.*s.mapbc", (int)n, path);
    if (length > 0 && length < 4096 && access(out, R_OK) == 0) return 1;
    const char *dot = memrchr(path, '.', n); /* the kind of binary file */
    if (!dot || memchr(dot, '/', (size_t)(path + n - dot))) return 0;
    n = (size_t)(dot - path);
  }
  return 0;
}

static int is_taken(const triad_mesh_draft *d, int32_t group)
{
  for (int64_t i = 0; i < d->n_groups; i++)
    if (i != group && strcmp(d->group[i].name, d->group[group].name) == 0) return 1;
  return 0;
}

static int take_line(triad_mesh_draft *d, triad_mesh_scan *s)
{
  int64_t number, kind;
  int32_t group;
  char name[TRIAD_MESH_NAME];
  TRIAD_TRY(triad_mesh_scan_integer(s, &number));
  TRIAD_TRY(triad_mesh_scan_integer(s, &kind));
  triad_mesh_scan_rest(s, name, sizeof name);
  TRIAD_TRY(triad_mesh_draft_group_of(d, 2, number, name, &group));
  if (!is_taken(d, group)) return TRIAD_OK;
  char numbered[TRIAD_MESH_NAME + 24];
  (void)snprintf(numbered, sizeof numbered, "%.40s-%" PRId64, d->group[group].name, number);
  memcpy(d->group[group].name, numbered, TRIAD_MESH_NAME - 1);
  return TRIAD_OK;
}

int triad_mesh_mapbc_names(triad_mesh_draft *d, const char *path)
{
  char file[4096];
  int64_t n;
  triad_mesh_scan s = {.comment = '#'};
  if (!find_file(path, file)) return TRIAD_OK;
  int st = triad_mesh_scan_load(&s, file, d->scan->guard);
  if (st == TRIAD_OK) st = triad_mesh_scan_count(&s, 4, "surfaces", &n);
  if (st == TRIAD_OK) triad_mesh_scan_skip_line(&s);
  for (int64_t i = 0; st == TRIAD_OK && i < n; i++) st = take_line(d, &s);
  triad_mesh_scan_free(&s);
  return st;
}
