/* Move an unstructured grid of VTK into a draft (vtk_grid.h). Numbers up to 2^53 are exact in a double. */
#include "mesh/read/vtk/vtk_grid.h"
#include "mesh/read/vtk/vtk_types.h"

#include "base/status.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The best last. */
static const char *const names[] = {"gmsh:geometrical", "boundary", "medit:ref", "CellEntityIds", "gmsh:physical"};
enum { NAMES = sizeof names / sizeof *names };

int triad_vtk_rank(const char *name)
{
  for (int i = 0; i < NAMES; i++)
    if (strcmp(name, names[i]) == 0) return i + 1;
  return 0;
}

int triad_vtk_is_ghosts(const char *name)
{
  return strcmp(name, "vtkGhostType") == 0 || strcmp(name, "vtkGhostLevels") == 0;
}

static int is_whole(double value) { return fabs(value) < 1e15 && fabs(value - floor(value)) <= 0; }
static int64_t whole(double value) { return is_whole(value) ? (int64_t)value : -1; }

/* The group of a cell, by the number that the array has for it. */
static int group_of(const triad_vtk_grid *g, triad_mesh_draft *d, int64_t cell, int dim, int32_t *group)
{
  const triad_vtk_array *a = &g->array[TRIAD_VTK_CELLS];
  char name[2 * TRIAD_MESH_NAME];
  *group = -1;
  if (g->rank == 0 || dim > 2) return TRIAD_OK;
  if (!is_whole(a->at[cell]))
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: array %s has %g for cell %" PRId64 ": the number of a patch must be whole",
                      d->scan->path, a->name, a->at[cell], cell);
  const int64_t value = whole(a->at[cell]);
  (void)snprintf(name, sizeof name, "%.40s-%" PRId64, a->name, value);
  return triad_mesh_draft_group_of(d, dim, value, name, group);
}

static int add_cell(const triad_vtk_grid *g, triad_mesh_draft *d, int64_t cell, int64_t begin, int64_t end,
                    int64_t base)
{
  const int64_t number = whole(g->array[TRIAD_VTK_TYPES].at[cell]);
  const triad_mesh_vtk_type *type = triad_mesh_vtk_type_of(number);
  int64_t point[TRIAD_MESH_CORNERS];
  int32_t group;
  if (!type)
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: cell %" PRId64 " is of VTK's type %" PRId64 "%s, which cannot be read",
                      d->scan->path, cell, number, number == 42 ? ", a polyhedron" : "");
  if (type->kind < 0) return TRIAD_OK;
  const int corners = triad_mesh_draft_corners(type->kind);
  if (end - begin < corners || (type->nodes > 0 && end - begin != type->nodes))
    return TRIAD_FAIL(TRIAD_ERR_CASE,
                      "%s: cell %" PRId64 ", of VTK's type %" PRId64 ", has %" PRId64 " points: damaged", d->scan->path,
                      cell, number, end - begin);
  for (int k = 0; k < corners; k++) {
    const int64_t p = whole(g->array[TRIAD_VTK_CONNECTIVITY].at[begin + type->order[k]]);
    point[k] = p < 0 ? -1 : p + base;
  }
  const int dim = triad_mesh_draft_dimension(type->kind);
  TRIAD_TRY(group_of(g, d, cell, dim, &group));
  d->curved[dim] += type->curved;
  return triad_mesh_draft_element(d, type->kind, point, group, 0);
}

static int check_lengths(const triad_vtk_grid *g, const char *path)
{
  const triad_vtk_array *points = &g->array[TRIAD_VTK_POINTS], *ends = &g->array[TRIAD_VTK_OFFSETS],
                        *listed = &g->array[TRIAD_VTK_CONNECTIVITY], *cells = &g->array[TRIAD_VTK_CELLS];
  const int64_t n = g->array[TRIAD_VTK_TYPES].n, last = ends->n > 0 ? whole(ends->at[ends->n - 1]) : 0;
  if (ends->n != n || points->n % 3 != 0)
    return TRIAD_FAIL(TRIAD_ERR_CASE,
                      "%s: %" PRId64 " types and %" PRId64 " ends of cells, %" PRId64 " coordinates: damaged", path, n,
                      ends->n, points->n);
  if (last != listed->n)
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: cells end at point number %" PRId64 ", but %" PRId64 " are listed: damaged",
                      path, last, listed->n);
  if ((g->rank > 0 && cells->n != n) || (g->ghosts.n > 0 && g->ghosts.n != n))
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: array %s has %" PRId64 " values for %" PRId64 " cells: damaged", path,
                      g->rank > 0 && cells->n != n ? cells->name : "of ghost cells",
                      g->rank > 0 && cells->n != n ? cells->n : g->ghosts.n, n);
  return TRIAD_OK;
}

int triad_vtk_grid_give(const triad_vtk_grid *g, triad_mesh_draft *d)
{
  const triad_vtk_array *points = &g->array[TRIAD_VTK_POINTS], *ends = &g->array[TRIAD_VTK_OFFSETS];
  const int64_t base = d->n_points, n = g->array[TRIAD_VTK_TYPES].n;
  TRIAD_TRY(check_lengths(g, d->scan->path));
  for (int64_t p = 0; p < points->n; p += 3) TRIAD_TRY(triad_mesh_draft_point(d, points->at + p));
  for (int64_t cell = 0, begin = 0; cell < n; cell++) {
    const int64_t end = whole(ends->at[cell]);
    if (end < begin || end > g->array[TRIAD_VTK_CONNECTIVITY].n)
      return TRIAD_FAIL(TRIAD_ERR_CASE,
                        "%s: the points of cell %" PRId64 " end at number %" PRId64 ", of %" PRId64 ": damaged",
                        d->scan->path, cell, end, g->array[TRIAD_VTK_CONNECTIVITY].n);
    const int is_copy = g->ghosts.n > 0 && g->ghosts.at[cell] > 0;
    if (!is_copy) TRIAD_TRY(add_cell(g, d, cell, begin, end, base));
    begin = end;
  }
  return TRIAD_OK;
}

void triad_vtk_grid_free(triad_vtk_grid *g)
{
  for (int i = 0; i < TRIAD_VTK_ARRAYS; i++) free(g->array[i].at);
  free(g->ghosts.at);
  *g = (triad_vtk_grid){.rank = 0};
}
