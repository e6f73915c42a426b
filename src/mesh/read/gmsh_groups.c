#include "mesh/read/gmsh_reader.h"

#include "base/status.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ENTITIES = 1 << 20 };

static int take_name(triad_gmsh_reader *r, char name[TRIAD_MESH_NAME])
{
  while (r->at < r->size && r->text[r->at] != '"' && r->text[r->at] != '\n') r->at++;
  const char *begin = r->text + r->at + 1;
  const char *end = r->at < r->size ? memchr(begin, '"', (size_t)(r->size - r->at - 1)) : NULL;
  if (!end || end - begin >= TRIAD_MESH_NAME || end == begin)
    return triad_gmsh_bad(r, "the name of a physical group, of 1 to 63 letters, is wanted");
  memcpy(name, begin, (size_t)(end - begin));
  name[end - begin] = '\0';
  for (char *c = name; c < name + (end - begin); c++)
    if (!((*c >= '0' && *c <= '9') || (*c >= 'A' && *c <= 'Z') || (*c >= 'a' && *c <= 'z') || *c == '-')) *c = '_';
  triad_gmsh_skip_line(r);
  return TRIAD_OK;
}

/* Names stand as text in binary files too. */
int triad_gmsh_take_groups(triad_gmsh_reader *r)
{
  int64_t n, dim, tag;
  char name[TRIAD_MESH_NAME];
  if (!triad_gmsh_find_section(r, "PhysicalNames")) return TRIAD_OK;
  int binary = r->binary;
  r->binary = 0;
  TRIAD_TRY(triad_gmsh_take_text_integer(r, &n));
  for (int64_t i = 0; i < n; i++) {
    TRIAD_TRY(triad_gmsh_take_text_integer(r, &dim));
    TRIAD_TRY(triad_gmsh_take_text_integer(r, &tag));
    TRIAD_TRY(take_name(r, name));
    if (dim != 2) continue;
    if (r->n_groups == TRIAD_MESH_PATCHES) return triad_gmsh_bad(r, "more than 32 physical groups of surfaces");
    memcpy(r->group_name[r->n_groups], name, sizeof name);
    r->group[r->n_groups++] = (int)tag;
  }
  r->binary = binary;
  return TRIAD_OK;
}

int triad_gmsh_patch_of(triad_gmsh_reader *r, int64_t group, int32_t *patch)
{
  *patch = -1;
  if (group <= 0) return TRIAD_OK;
  for (int i = 0; i < r->n_groups; i++)
    if (r->group[i] == group) *patch = i;
  if (*patch >= 0) return TRIAD_OK;
  if (r->n_groups == TRIAD_MESH_PATCHES) return triad_gmsh_bad(r, "more than 32 physical groups of surfaces");
  (void)snprintf(r->group_name[r->n_groups], TRIAD_MESH_NAME, "surface-%" PRId64, group);
  *patch = r->n_groups;
  r->group[r->n_groups++] = (int)group;
  return TRIAD_OK;
}

/* 4.1: what belongs to which physical group. */
static int take_entity(triad_gmsh_reader *r, int dim)
{
  int64_t tag, n, value;
  double unused;
  TRIAD_TRY(triad_gmsh_take_int(r, &tag));
  for (int i = 0; i < (dim == 0 ? 3 : 6); i++) TRIAD_TRY(triad_gmsh_take_real(r, &unused));
  TRIAD_TRY(triad_gmsh_take_count(r, 2, &n));
  triad_gmsh_entity e = {dim, (int32_t)tag, 0};
  for (int64_t i = 0; i < n; i++) {
    TRIAD_TRY(triad_gmsh_take_int(r, &value));
    if (i == 0) e.group = (int32_t)(value < 0 && value > INT32_MIN ? -value : value); /* below 0: turned round in its group */
  }
  if (dim == 2) r->entities[r->n_entities++] = e;
  if (dim == 0) return TRIAD_OK;
  TRIAD_TRY(triad_gmsh_take_count(r, 2, &n));
  for (int64_t i = 0; i < n; i++) TRIAD_TRY(triad_gmsh_take_int(r, &value));
  return TRIAD_OK;
}

/* A mesh of a scanned body may have as many surfaces as triangles. */
static int by_tag(const void *a, const void *b)
{
  const int32_t x = ((const triad_gmsh_entity *)a)->tag, y = ((const triad_gmsh_entity *)b)->tag;
  return (x > y) - (x < y);
}

int triad_gmsh_take_entities(triad_gmsh_reader *r)
{
  int64_t n[4];
  if (!triad_gmsh_find_section(r, "Entities")) return TRIAD_OK;
  for (int d = 0; d < 4; d++) TRIAD_TRY(triad_gmsh_take_count(r, 4, &n[d]));
  if (n[2] > ENTITIES) return triad_gmsh_bad(r, "more than a million surfaces");
  r->entities = calloc((size_t)n[2] + 1, sizeof *r->entities);
  if (!r->entities) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s", r->path);
  for (int d = 0; d < 4; d++)
    for (int64_t i = 0; i < n[d]; i++) TRIAD_TRY(take_entity(r, d));
  qsort(r->entities, (size_t)r->n_entities, sizeof *r->entities, by_tag);
  return TRIAD_OK;
}

int64_t triad_gmsh_group_of(const triad_gmsh_reader *r, int64_t tag)
{
  const triad_gmsh_entity wanted = {.tag = (int32_t)tag};
  const triad_gmsh_entity *found = r->n_entities > 0 ? bsearch(&wanted, r->entities, (size_t)r->n_entities, sizeof wanted, by_tag) : NULL;
  return found ? found->group : 0;
}
