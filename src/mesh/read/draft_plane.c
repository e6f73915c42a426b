/* Extrude a plane mesh by one layer of cells (draft_plane.h). */
#include "mesh/read/draft_plane.h"

#include "base/status.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The axis along which all points of elements have the same coordinate; -1: there is none, or more than one. */
static int axis_of(const triad_mesh_draft *d)
{
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, extent = 0;
  int axis = -1;
  for (int64_t i = 0; i < d->n_flat; i++)
    for (int k = 0; k < d->flat[i].n && d->flat[i].n > 2; k++)
      for (int a = 0; a < 3; a++) {
        low[a] = fmin(low[a], d->x[d->flat[i].point[k]][a]);
        high[a] = fmax(high[a], d->x[d->flat[i].point[k]][a]);
      }
  for (int a = 0; a < 3; a++) extent = fmax(extent, high[a] - low[a]);
  for (int a = 0; a < 3; a++) {
    if (high[a] - low[a] > 1e-9 * extent) continue;
    if (axis >= 0) return -1;
    axis = a;
  }
  return extent > 0 ? axis : -1;
}

static double mean_edge(const triad_mesh_draft *d)
{
  double sum = 0;
  int64_t n = 0;
  for (int64_t i = 0; i < d->n_flat; i++)
    for (int k = 0; k < d->flat[i].n && d->flat[i].n > 2; k++) {
      const double *a = d->x[d->flat[i].point[k]], *b = d->x[d->flat[i].point[(k + 1) % d->flat[i].n]];
      sum += sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
      n++;
    }
  return sum / (double)n;
}

/* Number the points of elements and lines from 0, in their order, and move them to the front; others are dropped. */
static int use_points(triad_mesh_draft *d)
{
  int32_t *number = calloc((size_t)d->n_points + 1, sizeof *number), n = 0;
  if (!number) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: %" PRId64 " points", d->scan->path, d->n_points);
  for (int64_t i = 0; i < d->n_flat; i++)
    for (int k = 0; k < d->flat[i].n; k++) number[d->flat[i].point[k]] = 1;
  for (int64_t p = 0; p < d->n_points; p++) {
    if (!number[p]) continue;
    memmove(d->x[n], d->x[p], sizeof *d->x);
    number[p] = n++;
  }
  for (int64_t i = 0; i < d->n_flat; i++)
    for (int k = 0; k < d->flat[i].n; k++) d->flat[i].point[k] = number[d->flat[i].point[k]];
  d->n_points = n;
  free(number);
  return TRIAD_OK;
}

/* A group with a name that no other group of surfaces has. */
static int plane_group(triad_mesh_draft *d, const char *name, int32_t *group)
{
  static const char *const suffix[] = {"", "-plane", "-plane-2"};
  char full[TRIAD_MESH_NAME];
  for (int k = 0; k < 3; k++) {
    int taken = 0;
    memcpy(full, name, strlen(name) + 1);
    strcat(full, suffix[k]);
    for (int64_t i = 0; i < d->n_groups; i++)
      taken = taken || (d->group[i].dim == 2 && strcmp(d->group[i].name, full) == 0);
    if (!taken) break;
  }
  return triad_mesh_draft_group_of(d, 2, INT64_MIN + d->n_groups, full, group);
}

/* Curves are surfaces from now on, and groups of the plane's elements are no patches. */
static void raise_groups(triad_mesh_draft *d)
{
  for (int64_t i = 0; i < d->n_groups; i++) d->group[i].dim++;
}

/* An element of several groups is listed once for each of them: it is one cell. */
static void drop_copies(triad_mesh_draft *d)
{
  int64_t to = 0;
  for (int64_t i = 0; i < d->n_flat; i++) {
    const triad_mesh_file_side *last = to > 0 ? &d->flat[to - 1] : NULL, *next = &d->flat[i];
    if (last && next->n > 2 && next->n == last->n && next->patch != last->patch &&
        memcmp(next->point, last->point, (size_t)next->n * sizeof *next->point) == 0)
      continue;
    d->flat[to++] = d->flat[i];
  }
  d->n_flat = to;
}

static int add_cells(triad_mesh_draft *d, int64_t base, int32_t back, int32_t front)
{
  const int64_t n_flat = d->n_flat;
  for (int64_t i = 0; i < n_flat; i++) {
    const triad_mesh_file_side f = d->flat[i];
    int64_t low[TRIAD_MESH_CORNERS], high[TRIAD_MESH_CORNERS];
    for (int k = 0; k < f.n; k++) {
      low[k] = f.point[k];
      high[k] = f.point[k] + base;
    }
    if (f.n == 2) { /* a line becomes a side */
      d->flat[i].n = 4;
      d->flat[i].point[2] = (int32_t)high[1];
      d->flat[i].point[3] = (int32_t)high[0];
      continue;
    }
    d->flat[i].patch = back;
    TRIAD_TRY(triad_mesh_draft_element(d, f.n == 3 ? TRIAD_MESH_TRIANGLE : TRIAD_MESH_QUAD, high, front, 0));
    memcpy(low + f.n, high, (size_t)f.n * sizeof *low);
    TRIAD_TRY(triad_mesh_draft_element(d, f.n == 3 ? TRIAD_MESH_PRISM : TRIAD_MESH_HEX, low, -1, 0));
  }
  return TRIAD_OK;
}

int triad_mesh_draft_extrude(triad_mesh_draft *d)
{
  const int axis = axis_of(d);
  int64_t cells = 0;
  int32_t back, front;
  drop_copies(d);
  for (int64_t i = 0; i < d->n_flat; i++) cells += d->flat[i].n > 2;
  if (cells == 0)
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: the file contains no tetrahedra, pyramids, prisms or hexahedra",
                      d->scan->path);
  if (axis < 0)
    return TRIAD_FAIL(TRIAD_ERR_CASE,
                      "%s: a surface mesh without cells (%" PRId64 " triangles and quadrilaterals that are in no plane "
                      "of constant x, y or z): mesh the volume (Gmsh: gmsh -3)",
                      d->scan->path, cells);
  TRIAD_TRY(use_points(d));
  const int64_t n = d->n_points;
  if (n > INT32_MAX / 2)
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: %" PRId64 " points in a plane are too many", d->scan->path, n);
  const double layer = mean_edge(d);
  for (int64_t p = 0; p < n; p++) {
    double x[3];
    memcpy(x, d->x[p], sizeof x);
    x[axis] += layer;
    TRIAD_TRY(triad_mesh_draft_point(d, x));
  }
  raise_groups(d);
  TRIAD_TRY(plane_group(d, "back", &back));
  TRIAD_TRY(plane_group(d, "front", &front));
  d->changes.plane = cells;
  d->changes.axis = axis;
  d->changes.layer = layer;
  return add_cells(d, n, back, front);
}
