/* Read a VTKHDF file (vtkhdf.h; VTK file formats, VTKHDF). A file has parts, whose points and cells follow each
 * other in the arrays; Offsets have one number more than cells in each part. Files of `triad grid --write` have the
 * names of patches outside of the group of VTK, as Patches/NAME with their numbers. */
#include "mesh/read/vtk/vtkhdf.h"
#include "mesh/read/vtk/vtk_grid.h"

#include "base/status.h"
#include "store/hdf5/h5read.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int triad_mesh_vtkhdf_is(const triad_mesh_look *look)
{
  return triad_mesh_look_ends(look, ".vtkhdf") && look->length >= 8 && memcmp(look->head, "\211HDF\r\n\032\n", 8) == 0;
}

typedef struct reading {
  triad_mesh_scan *s;
  triad_mesh_draft *d;
  triad_h5 *h5;
  triad_vtk_array parts[3]; /* numbers of points, cells and points of cells of each part */
  int64_t at[3];            /* of these, before the next part */
  int rank;                 /* of the array of cells that gives the patches, and whether there is one of ghosts */
  char cells[TRIAD_MESH_NAME + 32], ghosts[64];
} reading;

/* Rows first .. first + n - 1 of an array whose rows have `width` numbers. */
static int take(reading *r, const char *name, int64_t first, int64_t n, int64_t width, triad_vtk_array *out)
{
  int64_t dims[TRIAD_H5_DIMS] = {0}, from[TRIAD_H5_DIMS] = {first}, count[TRIAD_H5_DIMS] = {n, width};
  int n_dims;
  TRIAD_TRY(triad_h5_dims(r->h5, name, &n_dims, dims, NULL));
  if (n_dims != 1 + (width > 1) || n < 0 || first > dims[0] || n > dims[0] - first || (width > 1 && dims[1] != width))
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: %s has %" PRId64 " rows, but %" PRId64 " are required: damaged", r->s->path,
                      name, dims[0], first + n);
  out->n = n * width;
  out->at = malloc(((size_t)out->n + 1) * sizeof *out->at);
  if (!out->at) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: %" PRId64 " numbers", r->s->path, out->n);
  triad_guard_alive(r->s->guard);
  return n > 0 ? triad_h5_read(r->h5, name, n_dims, from, count, (int)sizeof *out->at, out->at) : TRIAD_OK;
}

/* All of a list. */
static int take_list(reading *r, const char *name, triad_vtk_array *out)
{
  int64_t dims[TRIAD_H5_DIMS] = {0};
  int n_dims;
  TRIAD_TRY(triad_h5_dims(r->h5, name, &n_dims, dims, NULL));
  return take(r, name, 0, dims[0], 1, out);
}

static int64_t count_at(const triad_vtk_array *a, int64_t i)
{
  return i < a->n && a->at[i] >= 0 && a->at[i] < 1e15 ? (int64_t)a->at[i] : -1;
}

/* Of the arrays of cells the best that gives patches, and that of ghost cells. */
static int consider(void *who, const char *name)
{
  reading *r = who;
  const int rank = triad_vtk_rank(name);
  if (rank > r->rank) {
    r->rank = rank;
    (void)snprintf(r->cells, sizeof r->cells, "VTKHDF/CellData/%.63s", name);
  }
  if (triad_vtk_is_ghosts(name)) (void)snprintf(r->ghosts, sizeof r->ghosts, "VTKHDF/CellData/%.40s", name);
  return 0;
}

static int take_part(reading *r, int64_t part, triad_vtk_grid *g)
{
  const int64_t points = count_at(&r->parts[0], part), cells = count_at(&r->parts[1], part),
                listed = count_at(&r->parts[2], part);
  triad_vtk_array *ends = &g->array[TRIAD_VTK_OFFSETS];
  TRIAD_TRY(take(r, "VTKHDF/Points", r->at[0], points, 3, &g->array[TRIAD_VTK_POINTS]));
  TRIAD_TRY(take(r, "VTKHDF/Types", r->at[1], cells, 1, &g->array[TRIAD_VTK_TYPES]));
  TRIAD_TRY(take(r, "VTKHDF/Offsets", r->at[1] + part, cells + 1, 1, ends));
  TRIAD_TRY(take(r, "VTKHDF/Connectivity", r->at[2], listed, 1, &g->array[TRIAD_VTK_CONNECTIVITY]));
  if (r->rank > 0) {
    g->rank = r->rank;
    (void)snprintf(g->array[TRIAD_VTK_CELLS].name, TRIAD_MESH_NAME, "%.63s", strrchr(r->cells, '/') + 1);
    TRIAD_TRY(take(r, r->cells, r->at[1], cells, 1, &g->array[TRIAD_VTK_CELLS]));
  }
  if (r->ghosts[0]) TRIAD_TRY(take(r, r->ghosts, r->at[1], cells, 1, &g->ghosts));
  if (fabs(ends->at[0]) > 0) return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: the first of Offsets must be 0", r->s->path);
  memmove(ends->at, ends->at + 1, (size_t)(--ends->n) * sizeof *ends->at);
  r->at[0] += points;
  r->at[1] += cells;
  r->at[2] += listed;
  return triad_vtk_grid_give(g, r->d);
}

/* ---- names of patches ---- */

typedef struct naming {
  reading *r;
  int st;
} naming;

static int name_group(void *who, const char *name)
{
  naming *w = who;
  triad_mesh_draft *d = w->r->d;
  triad_vtk_array number = {.n = 0};
  char path[2 * TRIAD_MESH_NAME];
  const int n = snprintf(path, sizeof path, "Patches/%s", name);
  if (n < 0 || n >= (int)sizeof path || strlen(name) >= TRIAD_MESH_NAME) return 0;
  w->st = take(w->r, path, 0, 1, 1, &number);
  for (int64_t i = 0; i < d->n_groups && w->st == TRIAD_OK; i++)
    if (d->group[i].tag == count_at(&number, 0)) (void)snprintf(d->group[i].name, TRIAD_MESH_NAME, "%s", name);
  free(number.at);
  return w->st != TRIAD_OK;
}

static int name_groups(reading *r)
{
  naming w = {r, TRIAD_OK};
  if (r->rank == 0 || !triad_h5_has_group(r->h5, "Patches")) return TRIAD_OK;
  TRIAD_TRY(triad_h5_each_in(r->h5, "Patches", name_group, &w));
  return w.st;
}

/* ---- the file ---- */

static int take_all(reading *r)
{
  triad_vtk_array steps = {.n = 0};
  if (!triad_h5_has_group(r->h5, "VTKHDF"))
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: the group VTKHDF is missing", r->s->path);
  TRIAD_TRY(take_list(r, "VTKHDF/NumberOfPoints", &r->parts[0]));
  TRIAD_TRY(take_list(r, "VTKHDF/NumberOfCells", &r->parts[1]));
  TRIAD_TRY(take_list(r, "VTKHDF/NumberOfConnectivityIds", &r->parts[2]));
  int64_t n = r->parts[1].n;
  if (triad_h5_has_group(r->h5, "VTKHDF/Steps")) {
    const int st = take_list(r, "VTKHDF/Steps/NumberOfParts", &steps);
    if (st == TRIAD_OK) n = count_at(&steps, 0);
    free(steps.at);
    TRIAD_TRY(st);
    (void)snprintf(r->d->changes.note, sizeof r->d->changes.note, "the file has several times: the first one is read");
  }
  if (triad_h5_has_group(r->h5, "VTKHDF/CellData")) TRIAD_TRY(triad_h5_each_in(r->h5, "VTKHDF/CellData", consider, r));
  for (int64_t part = 0; part < n; part++) {
    triad_vtk_grid g = {.rank = 0};
    const int st = take_part(r, part, &g);
    triad_vtk_grid_free(&g);
    TRIAD_TRY(st);
  }
  TRIAD_TRY(name_groups(r));
  return triad_mesh_draft_give(r->d);
}

int triad_mesh_vtkhdf_parse(const char *path, triad_guard *guard, triad_mesh_contents *out, triad_faults *faults)
{
  triad_mesh_scan s = {.path = path, .guard = guard};
  triad_mesh_draft d = {.scan = &s, .out = out, .faults = faults, .either_prism = 1};
  reading r = {.s = &s, .d = &d};
  int st = triad_h5_open(&r.h5, path);
  if (st == TRIAD_OK) st = triad_h5_close(&r.h5, take_all(&r));
  triad_mesh_draft_free(&d);
  for (int i = 0; i < 3; i++) free(r.parts[i].at);
  return st == TRIAD_ERR_IO ? TRIAD_ERR_CASE : st; /* HDF5 cannot make sense of it */
}
