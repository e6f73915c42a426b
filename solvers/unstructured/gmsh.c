#include "solvers/unstructured/gmsh.h"

#include "base/guard.h"
#include "base/status.h"
#include "solvers/unstructured/gmsh_reader.h"
#include "store/disk.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- the other process ---- */

static int parse(triad_gmsh_reader *r)
{
  TRIAD_TRY(triad_gmsh_take_format(r));
  TRIAD_TRY(triad_gmsh_take_groups(r));
  if (r->version == 4) TRIAD_TRY(triad_gmsh_take_entities(r));
  TRIAD_TRY(triad_gmsh_take_nodes(r));
  TRIAD_TRY(triad_gmsh_take_elements(r));
  if (r->out->n.cells == 0) return triad_gmsh_bad(r, "there are no tetrahedra, pyramids, prisms or hexahedra");
  r->out->n.patches = r->n_groups;
  if (r->out->x && memcmp(&r->out->n, &r->out->room, sizeof r->out->n) != 0)
    return triad_gmsh_bad(r, "the file has changed while it was being read");
  for (int i = 0; r->out->name && i < r->n_groups; i++) memcpy(r->out->name[i], r->group_name[i], TRIAD_FCT_NAME);
  return TRIAD_OK;
}

static int parse_file(const char *path, triad_guard *guard, triad_gmsh_contents *out)
{
  triad_gmsh_reader r = {.guard = guard, .path = path, .out = out};
  int st = triad_disk_load(path, INT64_C(1) << 40, &r.text, &r.size);
  if (st == TRIAD_OK) st = parse(&r);
  free(r.text);
  free(r.entities);
  free(r.place);
  return st;
}

typedef struct job {
  const char *path;
  triad_fct_gmsh_counts n;
} job;

static int count_there(void *self, triad_guard *guard)
{
  const job *j = self;
  triad_gmsh_contents c = {.n = {0}};
  TRIAD_TRY(parse_file(j->path, guard, &c));
  return triad_guard_give(guard, &c.n, sizeof c.n);
}

static int64_t bytes_of(const triad_fct_gmsh_counts *n)
{
  return n->points * 24 + n->sides * (int64_t)sizeof(triad_gmsh_side) + n->corners * 4 + n->patches * TRIAD_FCT_NAME +
         n->cells;
}

/* Arrays one behind another, those of larger numbers first. */
static void lay_out(triad_gmsh_contents *c, const triad_fct_gmsh_counts *n, char *block)
{
  c->x = (double(*)[3])(void *)block;
  c->side = (triad_gmsh_side *)(void *)(block + n->points * 24);
  c->corner = (int32_t *)(void *)(c->side + n->sides);
  c->name = (char(*)[TRIAD_FCT_NAME])(void *)(c->corner + n->corners);
  c->shape = (uint8_t *)(c->name + n->patches);
}

static int read_there(void *self, triad_guard *guard)
{
  const job *j = self;
  triad_gmsh_contents c = {.room = j->n};
  char *block = calloc((size_t)bytes_of(&j->n) + 1, 1);
  if (!block) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s", j->path);
  lay_out(&c, &j->n, block);
  int st = parse_file(j->path, guard, &c);
  if (st == TRIAD_OK) st = triad_guard_give(guard, block, bytes_of(&j->n));
  free(block);
  return st;
}

int triad_fct_gmsh_count(const char *path, triad_fct_gmsh_counts *counts)
{
  job j = {.path = path};
  return triad_guard_run(path, count_there, &j, counts, sizeof *counts);
}

/* ---- the mesh ---- */

static void sorted(const int32_t *point, int n, int32_t key[TRIAD_FCT_SIDE_POINTS])
{
  for (int i = 0; i < TRIAD_FCT_SIDE_POINTS; i++) key[i] = i < n ? point[i] : -1;
  for (int i = 1; i < n; i++)
    for (int k = i; k > 0 && key[k] < key[k - 1]; k--) {
      int32_t swapped = key[k];
      key[k] = key[k - 1];
      key[k - 1] = swapped;
    }
}

static int side_order(const void *a, const void *b)
{
  const triad_gmsh_side *x = a, *y = b;
  for (int i = 0; i < TRIAD_FCT_SIDE_POINTS; i++)
    if (x->point[i] != y->point[i]) return x->point[i] < y->point[i] ? -1 : 1;
  return 0;
}

static int set_patches(triad_fct_mesh *m, const triad_gmsh_contents *c, const char *path)
{
  int64_t open = 0, first = 0, faces[TRIAD_FCT_PATCHES] = {0};
  for (int i = 0; i < c->n.patches; i++)
    if (triad_fct_mesh_patch(m, c->name[i]) != i)
      return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: two patches are called %s", path, c->name[i]);
  for (int64_t i = 0; i < c->n.sides; i++) sorted(c->side[i].point, c->side[i].n, c->side[i].point);
  qsort(c->side, (size_t)c->n.sides, sizeof *c->side, side_order);
  for (int64_t f = m->n_inner; f < m->n_faces; f++) {
    triad_gmsh_side wanted, *found;
    sorted(m->point[f], m->points[f], wanted.point);
    found = bsearch(&wanted, c->side, (size_t)c->n.sides, sizeof *c->side, side_order);
    if (found) {
      m->patch[f] = (int16_t)found->patch;
      faces[found->patch]++;
    } else if (open++ == 0) {
      first = f;
    }
  }
  if (open > 0) {
    const double *x = m->x[m->point[first][0]];
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: %" PRId64 " outer faces are in no physical group, the first of them, of cell %d, at (%.6g, "
                                      "%.6g, %.6g): a boundary that was not named, or cells that do not meet side to side, as "
                                      "where a node hangs", path, open, m->cell[first][0], x[0], x[1], x[2]);
  }
  for (int p = 0; p < m->n_patches; p++)
    if (faces[p] == 0)
      return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: no outer face is in patch %s", path, m->patch_name[p]);
  return TRIAD_OK;
}

static int fill(triad_fct_mesh *m, const triad_gmsh_contents *c, const char *path)
{
  memcpy(m->x, c->x, (size_t)m->n_points * sizeof *m->x);
  memcpy(m->shape, c->shape, (size_t)m->n_cells);
  memcpy(m->corner, c->corner, (size_t)c->n.corners * sizeof *m->corner);
  for (int64_t i = 0; i < m->n_cells; i++) m->first[i + 1] = m->first[i] + triad_fct_shapes[m->shape[i]].corners;
  m->curved = c->n.curved;
  TRIAD_TRY(triad_fct_mesh_join(m));
  return set_patches(m, c, path);
}

int triad_fct_gmsh_read(triad_fct_mesh **out, triad_memory *memory, const char *path)
{
  job j = {.path = path};
  triad_gmsh_contents c;
  void *block = NULL;
  TRIAD_TRY(triad_fct_gmsh_count(path, &j.n));
  c.n = j.n;
  TRIAD_TRY(triad_memory_alloc(memory, "mesh file", bytes_of(&j.n), 1, &block));
  lay_out(&c, &j.n, block);
  int st = triad_guard_run(path, read_there, &j, block, bytes_of(&j.n));
  if (st == TRIAD_OK) st = triad_fct_mesh_create(out, memory, c.n.points, c.n.cells, c.n.corners);
  if (st == TRIAD_OK) st = fill(*out, &c, path);
  triad_memory_free(memory, &block);
  return st;
}
