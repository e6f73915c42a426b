/* Read physical groups and entities of a Gmsh file; physical groups of surfaces are patches. */
#include "mesh/read/gmsh_groups.h"
#include "mesh/read/gmsh_reader.h"
#include "mesh/read/gmsh_numbers.h"

#include "base/status.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ENTITIES = 1 << 20 };

/* A name of signs alone says nothing, and those of two patches may become one: the number is its name. */
static void name_group(char name[TRIAD_MESH_NAME], int64_t number)
{
  if (!triad_name_clean(name, "-")) (void)snprintf(name, TRIAD_MESH_NAME, "surface-%" PRId64, number);
}

static int take_name(triad_gmsh_reader *r, char name[TRIAD_MESH_NAME])
{
  while (r->at < r->size && r->text[r->at] != '"' && r->text[r->at] != '\n') r->at++;
  const char *begin = r->text + r->at + 1;
  const char *end = r->at < r->size ? memchr(begin, '"', (size_t)(r->size - r->at - 1)) : NULL;
  if (!end || end - begin >= TRIAD_MESH_NAME || end == begin)
    return triad_gmsh_bad(r, "expected the name of a physical group, 1 to 63 bytes");
  memcpy(name, begin, (size_t)(end - begin));
  name[end - begin] = '\0';
  triad_gmsh_skip_line(r);
  return TRIAD_OK;
}

/* Names are text in binary files too. */
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
    name_group(name, tag);
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

/* ---- 4.1: what belongs to which physical group ---- */

static int add_group(triad_gmsh_reader *r, int64_t tag, int64_t group)
{
  if (r->n_entities >= 4 * (int64_t)ENTITIES) return triad_gmsh_bad(r, "more than 4 million groups of surfaces");
  if (r->n_entities == r->room) {
    const int64_t room = 2 * r->room + 64;
    triad_gmsh_entity *more = realloc(r->entities, (size_t)room * sizeof *more);
    if (!more) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: %" PRId64 " groups of surfaces", r->path, room);
    r->entities = more;
    r->room = room;
  }
  r->entities[r->n_entities++] = (triad_gmsh_entity){(int32_t)tag, (int32_t)group};
  return TRIAD_OK;
}

/* The box round an entity, its groups if `keep`, and the entities round it. */
static int take_groups_of(triad_gmsh_reader *r, int dim, int64_t tag, int keep)
{
  int64_t n, value;
  double unused;
  for (int i = 0; i < (dim == 0 ? 3 : 6); i++) TRIAD_TRY(triad_gmsh_take_real(r, &unused));
  TRIAD_TRY(triad_gmsh_take_count(r, 2, &n));
  for (int64_t i = 0; i < n; i++) {
    TRIAD_TRY(triad_gmsh_take_int(r, &value)); /* below 0: turned round in its group */
    if (keep) TRIAD_TRY(add_group(r, tag, value < 0 && value > INT32_MIN ? -value : value));
  }
  if (dim == 0) return TRIAD_OK;
  TRIAD_TRY(triad_gmsh_take_count(r, 2, &n));
  for (int64_t i = 0; i < n; i++) TRIAD_TRY(triad_gmsh_take_int(r, &value));
  return TRIAD_OK;
}

static int take_entity(triad_gmsh_reader *r, int dim)
{
  int64_t tag;
  TRIAD_TRY(triad_gmsh_take_int(r, &tag));
  return take_groups_of(r, dim, tag, dim == 2);
}

/* The first of entries 0 .. n - 1, in order, whose tag is not below this one. */
static int64_t first_of(const triad_gmsh_reader *r, int64_t n, int64_t tag)
{
  int64_t low = 0;
  for (int64_t high = n; low < high;) {
    const int64_t middle = low + (high - low) / 2;
    if (r->entities[middle].tag < tag) low = middle + 1;
    else high = middle;
  }
  return low;
}

/* A piece of an entity: its groups are those of the entity it is a piece of, or, where the file does not have this
 * one, its own. A surface between partitions is a piece of a volume, and in no group of surfaces. */
static int take_piece(triad_gmsh_reader *r, int dim)
{
  int64_t tag, parent_dim, parent, n, value;
  TRIAD_TRY(triad_gmsh_take_int(r, &tag));
  TRIAD_TRY(triad_gmsh_take_int(r, &parent_dim));
  TRIAD_TRY(triad_gmsh_take_int(r, &parent));
  TRIAD_TRY(triad_gmsh_take_count(r, 2, &n));
  for (int64_t i = 0; i < n; i++) TRIAD_TRY(triad_gmsh_take_int(r, &value));
  const int is_surface = dim == 2 && parent_dim == 2;
  const int64_t before = r->n_entities;
  for (int64_t i = first_of(r, r->n_whole, parent); is_surface && i < r->n_whole && r->entities[i].tag == parent; i++)
    TRIAD_TRY(add_group(r, tag, r->entities[i].group));
  return take_groups_of(r, dim, tag, is_surface && r->n_entities == before);
}

static int take_ghosts(triad_gmsh_reader *r)
{
  int64_t partitions, partition, tag;
  TRIAD_TRY(triad_gmsh_take_size(r, &partitions));
  TRIAD_TRY(triad_gmsh_take_count(r, 4, &r->n_ghosts));
  r->ghost = calloc((size_t)r->n_ghosts + 1, sizeof *r->ghost);
  if (!r->ghost) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: %" PRId64 " ghost entities", r->path, r->n_ghosts);
  for (int64_t i = 0; i < r->n_ghosts; i++) {
    TRIAD_TRY(triad_gmsh_take_int(r, &tag));
    TRIAD_TRY(triad_gmsh_take_int(r, &partition));
    r->ghost[i] = (int32_t)tag;
  }
  return TRIAD_OK;
}

static int take_all(triad_gmsh_reader *r, int (*take)(triad_gmsh_reader *r, int dim))
{
  int64_t n[4];
  for (int d = 0; d < 4; d++) TRIAD_TRY(triad_gmsh_take_count(r, 4, &n[d]));
  if (n[2] > ENTITIES) return triad_gmsh_bad(r, "more than a million surfaces");
  for (int d = 0; d < 4; d++)
    for (int64_t i = 0; i < n[d]; i++) {
      TRIAD_TRY(take(r, d));
      if (i % 4096 == 0) triad_guard_alive(r->guard);
    }
  return TRIAD_OK;
}

/* A mesh of a scanned body may have as many surfaces as triangles. */
static int by_tag(const void *a, const void *b)
{
  const triad_gmsh_entity *x = a, *y = b;
  return x->tag != y->tag ? (x->tag > y->tag) - (x->tag < y->tag) : (x->group > y->group) - (x->group < y->group);
}

/* In order, each once. */
static void sort_groups(triad_gmsh_reader *r)
{
  int64_t n = 0;
  if (r->n_entities > 0) qsort(r->entities, (size_t)r->n_entities, sizeof *r->entities, by_tag);
  for (int64_t i = 0; i < r->n_entities; i++)
    if (n == 0 || by_tag(&r->entities[i], &r->entities[n - 1]) != 0) r->entities[n++] = r->entities[i];
  r->n_entities = n;
}

int triad_gmsh_take_entities(triad_gmsh_reader *r)
{
  if (triad_gmsh_find_section(r, "Entities")) TRIAD_TRY(take_all(r, take_entity));
  sort_groups(r);
  r->n_whole = r->n_entities;
  if (!triad_gmsh_find_section(r, "PartitionedEntities")) return TRIAD_OK;
  TRIAD_TRY(take_ghosts(r));
  TRIAD_TRY(take_all(r, take_piece));
  sort_groups(r);
  return TRIAD_OK;
}

const triad_gmsh_entity *triad_gmsh_groups_of(const triad_gmsh_reader *r, int64_t surface, int64_t *n)
{
  const int64_t first = first_of(r, r->n_entities, surface);
  for (*n = 0; first + *n < r->n_entities && r->entities[first + *n].tag == surface;) ++*n;
  return r->entities + first;
}

int triad_gmsh_is_ghost(const triad_gmsh_reader *r, int64_t volume)
{
  for (int64_t i = 0; i < r->n_ghosts; i++)
    if (r->ghost[i] == volume) return 1;
  return 0;
}
