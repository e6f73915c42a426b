/* Read physical groups and entities of a Gmsh file; physical groups of surfaces are patches. */
#include "mesh/read/gmsh/gmsh_groups.h"
#include "mesh/read/gmsh/gmsh_reader.h"
#include "mesh/read/gmsh/gmsh_numbers.h"

#include "base/status.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { ENTITIES = 1 << 20 };

/* A name in quotes, cut to 63 bytes. */
static int take_name(triad_gmsh_reader *r, char name[TRIAD_MESH_NAME])
{
  while (r->s.at < r->s.size && r->s.text[r->s.at] != '"' && r->s.text[r->s.at] != '\n') r->s.at++;
  const char *begin = r->s.text + r->s.at + 1;
  const char *end = r->s.at < r->s.size ? memchr(begin, '"', (size_t)(r->s.size - r->s.at - 1)) : NULL;
  if (!end || end - begin >= TRIAD_MESH_NAME || end == begin)
    return triad_gmsh_bad(r, "expected the name of a physical group, 1 to 63 bytes");
  memcpy(name, begin, (size_t)(end - begin));
  name[end - begin] = '\0';
  triad_mesh_scan_skip_line(&r->s);
  return TRIAD_OK;
}

/* Is a quote next on this line? Names of version 2.0 have no dimension before their number. */
static int is_quote_next(const triad_gmsh_reader *r)
{
  int64_t at = r->s.at;
  while (at < r->s.size && (r->s.text[at] == ' ' || r->s.text[at] == '\t')) at++;
  return at < r->s.size && r->s.text[at] == '"';
}

/* Names are text in binary files too. A named group exists even if no element is in it. */
int triad_gmsh_take_groups(triad_gmsh_reader *r)
{
  int64_t n;
  int32_t group;
  if (!triad_gmsh_find_section(r, "PhysicalNames")) return triad_gmsh_check_missing(r, "PhysicalNames");
  int binary = r->s.binary;
  r->s.binary = 0;
  TRIAD_TRY(triad_gmsh_take_text_integer(r, &n));
  for (int64_t i = 0; i < n; i++) {
    triad_gmsh_name name = {0};
    TRIAD_TRY(triad_gmsh_take_text_integer(r, &name.tag));
    if (!is_quote_next(r) || r->version > 20) {
      name.dim = name.tag;
      TRIAD_TRY(triad_gmsh_take_text_integer(r, &name.tag));
    }
    if (name.dim < 0 || name.dim > 3) return triad_gmsh_bad(r, "the dimension of a physical group must be 0 to 3");
    TRIAD_TRY(take_name(r, name.name));
    if (name.dim == 1 || name.dim == 2)
      TRIAD_TRY(triad_mesh_draft_group_of(&r->d, (int)name.dim, name.tag, name.name, &group));
    if (name.dim != 0) continue;
    TRIAD_TRY(triad_mesh_draft_grow((void **)&r->name, r->n_names, &r->room_names, sizeof *r->name, r->s.path));
    r->name[r->n_names++] = name;
  }
  TRIAD_TRY(triad_gmsh_end_section(r));
  r->s.binary = binary;
  return TRIAD_OK;
}

int triad_gmsh_group_of(triad_gmsh_reader *r, int dim, int64_t tag, int32_t *group)
{
  const char *name = NULL;
  *group = -1;
  if (tag <= 0) return TRIAD_OK;
  for (int64_t i = 0; i < r->n_names && !name; i++)
    if (r->name[i].tag == tag) name = r->name[i].name;
  return triad_mesh_draft_group_of(&r->d, dim, tag, name, group);
}

/* ---- 4.0 and 4.1: what belongs to which physical group ---- */

static int add_group(triad_gmsh_reader *r, int dim, int64_t tag, int64_t group)
{
  if (r->n_entities >= 4 * (int64_t)ENTITIES) return triad_gmsh_bad(r, "more than 4 million groups of surfaces");
  TRIAD_TRY(triad_mesh_draft_grow((void **)&r->entities, r->n_entities, &r->room, sizeof *r->entities, r->s.path));
  r->entities[r->n_entities++] = (triad_gmsh_entity){dim, (int32_t)tag, (int32_t)group};
  return TRIAD_OK;
}

/* The box round an entity, its groups if `keep`, and the entities round it. */
static int take_groups_of(triad_gmsh_reader *r, int dim, int64_t tag, int keep)
{
  int64_t n, value;
  double unused;
  for (int i = 0; i < (dim == 0 && r->version == 41 ? 3 : 6); i++) TRIAD_TRY(triad_gmsh_take_real(r, &unused));
  TRIAD_TRY(triad_gmsh_take_count(r, 2, &n));
  for (int64_t i = 0; i < n; i++) {
    TRIAD_TRY(triad_gmsh_take_int(r, &value)); /* below 0: turned round in its group */
    if (keep) TRIAD_TRY(add_group(r, dim, tag, value < 0 ? -value : value));
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
  return take_groups_of(r, dim, tag, dim == 1 || dim == 2);
}

/* The first of entries 0 .. n - 1, in order, whose dimension and tag are not below these. */
static int64_t first_of(const triad_gmsh_reader *r, int64_t n, int dim, int64_t tag)
{
  int64_t low = 0;
  for (int64_t high = n; low < high;) {
    const int64_t middle = low + (high - low) / 2;
    const triad_gmsh_entity *e = &r->entities[middle];
    if (e->dim < dim || (e->dim == dim && e->tag < tag)) low = middle + 1;
    else high = middle;
  }
  return low;
}

static int is_of(const triad_gmsh_entity *e, int dim, int64_t tag) { return e->dim == dim && e->tag == tag; }

/* A piece of an entity: its groups are those of the whole entity, or, if the file does not list these, its own. A
 * surface between partitions is a piece of a volume, and in no group of surfaces. */
static int take_piece(triad_gmsh_reader *r, int dim)
{
  int64_t tag, parent_dim, parent, n, value;
  TRIAD_TRY(triad_gmsh_take_int(r, &tag));
  TRIAD_TRY(triad_gmsh_take_int(r, &parent_dim));
  TRIAD_TRY(triad_gmsh_take_int(r, &parent));
  TRIAD_TRY(triad_gmsh_take_count(r, 2, &n));
  for (int64_t i = 0; i < n; i++) TRIAD_TRY(triad_gmsh_take_int(r, &value));
  if (dim != 1 && dim != 2) return take_groups_of(r, dim, tag, 0);
  const int between = parent_dim != dim;
  int64_t before = r->n_entities;
  for (int64_t i = first_of(r, r->n_whole, dim, parent);
       !between && i < r->n_whole && is_of(&r->entities[i], dim, parent); i++)
    TRIAD_TRY(add_group(r, dim, tag, r->entities[i].group));
  TRIAD_TRY(take_groups_of(r, dim, tag, !between && r->n_entities == before));
  if (r->n_entities > before) return TRIAD_OK;
  return add_group(r, dim, tag, between || parent <= 0 ? 0 : -parent);
}

static int take_ghosts(triad_gmsh_reader *r)
{
  int64_t partitions, partition, tag;
  TRIAD_TRY(triad_gmsh_take_size(r, &partitions));
  TRIAD_TRY(triad_gmsh_take_count(r, 4, &r->n_ghosts));
  r->ghost = calloc((size_t)r->n_ghosts + 1, sizeof *r->ghost);
  if (!r->ghost) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: %" PRId64 " ghost entities", r->s.path, r->n_ghosts);
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
  if (n[2] > ENTITIES || n[1] > ENTITIES) return triad_gmsh_bad(r, "more than a million surfaces or curves");
  for (int d = 0; d < 4; d++)
    for (int64_t i = 0; i < n[d]; i++) {
      TRIAD_TRY(take(r, d));
      if (i % 4096 == 0) triad_guard_alive(r->s.guard);
    }
  return TRIAD_OK;
}

/* A mesh of a scanned body may have as many surfaces as triangles. */
static int by_tag(const void *a, const void *b)
{
  const triad_gmsh_entity *x = a, *y = b;
  if (x->dim != y->dim) return x->dim - y->dim;
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
  if (triad_gmsh_find_section(r, "Entities")) {
    TRIAD_TRY(take_all(r, take_entity));
    TRIAD_TRY(triad_gmsh_end_section(r));
  } else {
    TRIAD_TRY(triad_gmsh_check_missing(r, "Entities"));
  }
  sort_groups(r);
  r->n_whole = r->n_entities;
  if (!triad_gmsh_find_section(r, "PartitionedEntities")) return triad_gmsh_check_missing(r, "PartitionedEntities");
  TRIAD_TRY(take_ghosts(r));
  TRIAD_TRY(take_all(r, take_piece));
  TRIAD_TRY(triad_gmsh_end_section(r));
  sort_groups(r);
  return TRIAD_OK;
}

const triad_gmsh_entity *triad_gmsh_groups_of(const triad_gmsh_reader *r, int dim, int64_t tag, int64_t *n)
{
  const int64_t first = first_of(r, r->n_entities, dim, tag);
  for (*n = 0; first + *n < r->n_entities && is_of(&r->entities[first + *n], dim, tag);) ++*n;
  return *n > 0 ? r->entities + first : NULL;
}

int triad_gmsh_is_ghost(const triad_gmsh_reader *r, int64_t volume)
{
  for (int64_t i = 0; i < r->n_ghosts; i++)
    if (r->ghost[i] == volume) return 1;
  return 0;
}
