/* Slices: layers of cells of one block or of all, RUN/slices/slice1-00001200.h5 and a picture of each quantity. For
 * each block B that the layer contains, the HDF5 file has the corners of its cells in the middle of the layer, x.B,
 * y.B, z.B, and the values, mach.B, with the later axis of i, j, k first. Pictures show every cell at its position. */
#include "solvers/multiblock/measure/slices.h"

#include "solvers/multiblock/files/output.h"
#include "solvers/multiblock/plain/slice_picture.h"
#include "solvers/multiblock/step/halos.h"

#include "solvers/slice_list.h"
#include "store/hdf5/h5file.h"
#include "store/hdf5/h5scale.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { FILE_BYTES = 16384 /* of HDF5, besides the values */ };

/* ---- which layers ---- */

/* Is a block in a slice? */
static int has_layer(const triad_blocks_grid *g, const triad_slice *s, int z)
{
  return (s->block == 0 || s->block == z + 1) && s->at <= (double)g->cells[z][s->axis];
}

static void face_of(const triad_blocks_grid *g, const triad_slice *s, int z, int64_t n[2])
{
  int t[2];
  triad_blocks_tangents(s->axis, t);
  for (int i = 0; i < 2; i++) n[i] = g->cells[z][t[i]];
}

static int64_t cells_of(const triad_blocks_grid *g, const triad_slice *s, int z)
{
  int64_t n[2];
  face_of(g, s, z, n);
  return has_layer(g, s, z) ? n[0] * n[1] : 0;
}

static int64_t all_cells(const triad_blocks_grid *g, const triad_slice *s)
{
  int64_t all = 0;
  for (int z = 0; z < g->n; z++) all += cells_of(g, s, z);
  return all;
}

int triad_multiblock_slices_check(const triad_case *given, const triad_blocks_grid *g, int64_t *bytes)
{
  triad_slice list[TRIAD_SLICES];
  int n;
  TRIAD_TRY(triad_slice_list_read(given, list, &n));
  *bytes = 0;
  for (int i = 0; i < n; i++) {
    const triad_slice *s = &list[i];
    const int64_t cells = all_cells(g, s);
    if (s->block > g->n)
      return TRIAD_FAIL(TRIAD_ERR_CASE, "output.slices: there is no block %d: the grid has %d", s->block, g->n);
    if (cells == 0)
      return TRIAD_FAIL(TRIAD_ERR_CASE, "output.slices: there is no layer %c = %.0f: %s %lld cells along it",
                        "ijk"[s->axis], s -> at, s -> block ? "the block has" : "the first block has",
                        (long long)g->cells[s->block ? s->block - 1 : 0][s->axis]);
    *bytes += FILE_BYTES + (int64_t)sizeof(double) * (s->n + 12) * cells +
              s->n * (int64_t)TRIAD_MULTIBLOCK_PIXELS * TRIAD_MULTIBLOCK_PIXELS;
  }
  return TRIAD_OK;
}

/* ---- values ---- */

typedef struct work {
  const triad_multiblock_flow *f;
  const triad_slice *slice;
  int64_t cells;
  double *mine, *all[TRIAD_SLICE_MOST_QUANTITIES]; /* block after block; all: on rank 0 */
  int64_t corners;
  double *corner; /* [corners][x, y, z], likewise, on rank 0 */
} work;

/* Those of a part of a block that are in the layer; `from` is where the block begins. */
static void take_part(const work *w, const triad_zone_part *p, int which, int64_t from)
{
  const int axis = w->slice->axis;
  const int64_t layer = (int64_t)w->slice->at - 1;
  int64_t n[2], c[3];
  int t[2];
  if (layer < p->low[axis] || layer >= p->low[axis] + p->n[axis]) return;
  triad_blocks_tangents(axis, t);
  face_of(w->f->grid, w->slice, p->zone, n);
  c[axis] = layer;
  for (c[t[1]] = p->low[t[1]]; c[t[1]] < p->low[t[1]] + p->n[t[1]]; c[t[1]]++)
    for (c[t[0]] = p->low[t[0]]; c[t[0]] < p->low[t[0]] + p->n[t[0]]; c[t[0]]++)
      w->mine[from + c[t[1]] * n[0] + c[t[0]]] = (double)triad_multiblock_value(w->f, which, triad_zone_part_at(p, c));
}

/* Each cell from the rank that has it, the sum on rank 0. Collective. */
static int gather(work *w, int quantity)
{
  int count = 0;
  int64_t from = 0;
  for (int64_t i = 0; i < w->cells; i++) w->mine[i] = 0;
  for (int z = 0; z < w->f->grid->n; z++) {
    for (int p = 0; p < w->f->n_parts && has_layer(w->f->grid, w->slice, z); p++)
      if (w->f->part[p]->zone == z)
        take_part(w, w->f->part[p], w->slice->quantity[quantity].kind - TRIAD_QUANTITY_OWN, from);
    from += cells_of(w->f->grid, w->slice, z);
  }
  TRIAD_TRY(triad_narrow(w->cells, &count));
  return TRIAD_MPI(MPI_Reduce(w->mine, w->all[quantity], count, MPI_DOUBLE, MPI_SUM, 0, w->f->context->comm.mpi));
}

/* ---- files, on rank 0 ---- */

/* Corner i, j, along the tangential axes, of the cells of a layer, in its middle. */
static void find_corner(const triad_blocks_grid *g, const triad_slice *s, int zone, int64_t i, int64_t j, double x[3])
{
  int t[2];
  int64_t node[3];
  double other[3];
  triad_blocks_tangents(s->axis, t);
  node[t[0]] = i;
  node[t[1]] = j;
  node[s->axis] = (int64_t)s->at - 1;
  triad_blocks_grid_node(g, zone, node, x);
  node[s->axis]++;
  triad_blocks_grid_node(g, zone, node, other);
  for (int a = 0; a < 3; a++) x[a] = (x[a] + other[a]) / 2;
}

static int64_t corners_of(const triad_blocks_grid *g, const triad_slice *s, int z)
{
  int64_t n[2];
  face_of(g, s, z, n);
  return has_layer(g, s, z) ? (n[0] + 1) * (n[1] + 1) : 0;
}

/* Once for all quantities. */
static int find_corners(work *w)
{
  const triad_blocks_grid *g = w->f->grid;
  for (int z = 0; z < g->n; z++) w->corners += corners_of(g, w->slice, z);
  TRIAD_TRY(TRIAD_ALLOC(w->f->context->memory, "slices", 3 * w->corners, &w->corner));
  double *x = w->corner;
  for (int z = 0; z < g->n; z++) {
    int64_t n[2];
    face_of(g, w->slice, z, n);
    const int64_t all = corners_of(g, w->slice, z);
    for (int64_t i = 0; i < all; i++, x += 3) find_corner(g, w->slice, z, i % (n[0] + 1), i / (n[0] + 1), x);
  }
  return TRIAD_OK;
}

static int put_corners(triad_h5 *h5, int z, const int64_t n[2], const double *corner)
{
  const int64_t dims[2] = {n[1] + 1, n[0] + 1}, all = dims[0] * dims[1];
  double *x = malloc((size_t)all * sizeof *x);
  int st = x ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "%lld corners", (long long)all);
  for (int a = 0; a < 3 && st == TRIAD_OK; a++) {
    char name[64];
    (void)snprintf(name, sizeof name, "%c.%d", "xyz"[a], z + 1);
    for (int64_t i = 0; i < all; i++) x[i] = corner[3 * i + a];
    st = triad_h5_put_doubles(h5, name, 2, dims, x);
  }
  free(x);
  return st;
}

static int put_block(triad_h5 *h5, const work *w, int z, int64_t from, const double *corner)
{
  int64_t n[2];
  face_of(w->f->grid, w->slice, z, n);
  const int64_t dims[2] = {n[1], n[0]};
  TRIAD_TRY(put_corners(h5, z, n, corner));
  for (int q = 0; q < w->slice->n; q++) {
    const triad_slice_quantity *quantity = &w->slice->quantity[q];
    char name[64];
    (void)snprintf(name, sizeof name, "%s.%d", quantity->name, z + 1);
    TRIAD_TRY(triad_h5_put_doubles(h5, name, 2, dims, w->all[q] + from));
    TRIAD_TRY(triad_h5_text(h5, name, "units", quantity->unit));
    TRIAD_TRY(triad_h5_text(h5, name, "long_name", quantity->long_name));
  }
  return TRIAD_OK;
}

static int write_slice(triad_h5 *h5, const work *w, const triad_notes *notes)
{
  const char axis[2] = {"ijk"[w->slice->axis], '\0'};
  const int64_t at = (int64_t)w->slice->at, block = w->slice->block;
  int64_t from = 0, corner = 0;
  TRIAD_TRY(triad_h5_put_instant(h5, w->f->at.step, w->f->at.t));
  TRIAD_TRY(triad_h5_text(h5, "/", "axis", axis));
  TRIAD_TRY(triad_h5_integers(h5, "/", "at", 0, &at));
  TRIAD_TRY(triad_h5_integers(h5, "/", "block", 0, &block));
  TRIAD_TRY(triad_h5_put_notes(h5, "notes", notes));
  for (int z = 0; z < w->f->grid->n; z++) {
    if (has_layer(w->f->grid, w->slice, z)) TRIAD_TRY(put_block(h5, w, z, from, w->corner + 3 * corner));
    from += cells_of(w->f->grid, w->slice, z);
    corner += corners_of(w->f->grid, w->slice, z);
  }
  return TRIAD_OK;
}

static int write_numbers(const work *w, const char *folder, int number, const triad_notes *notes)
{
  char temporary[TRIAD_PATH], final[TRIAD_PATH];
  triad_h5 *h5;
  TRIAD_TRY(triad_disk_path(temporary, "%s/.tmp-slice%d-%08" PRId64 ".h5", folder, number, w->f->at.step));
  TRIAD_TRY(triad_disk_path(final, "%s/slice%d-%08" PRId64 ".h5", folder, number, w->f->at.step));
  TRIAD_TRY(triad_disk_remove(temporary));
  TRIAD_TRY(triad_h5_create(&h5, temporary));
  int st = triad_h5_close(&h5, write_slice(h5, w, notes));
  return st == TRIAD_OK ? triad_disk_commit(temporary, final) : st;
}

/* Write the numbers last: if they exist, the pictures exist too. */
static int write_files(const work *w, const char *run_dir, int number, const triad_notes *notes)
{
  char folder[TRIAD_PATH];
  int zones = 0;
  int *zone = calloc((size_t)w->f->grid->n, sizeof *zone);
  if (!zone) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "a slice");
  for (int z = 0; z < w->f->grid->n; z++)
    if (has_layer(w->f->grid, w->slice, z)) zone[zones++] = z;
  int st = triad_disk_path(folder, "%s/slices", run_dir);
  if (st == TRIAD_OK) st = triad_disk_make_folder(folder);
  for (int q = 0; q < w->slice->n && st == TRIAD_OK; q++) {
    const triad_multiblock_picture p = {w->f, w->slice, number,     q,         zones,
                                        zone, w->cells, w->corners, w->all[q], w->corner};
    st = triad_multiblock_slice_picture(&p, folder);
  }
  free(zone);
  return st == TRIAD_OK ? write_numbers(w, folder, number, notes) : st;
}

static int write_one(const triad_multiblock_flow *f, const triad_slice *slice, int number, const char *run_dir,
                     const triad_notes *notes)
{
  const triad_comm *comm = &f->context->comm;
  triad_memory *m = f->context->memory;
  work w = {.f = f, .slice = slice, .cells = all_cells(f->grid, slice)};
  int st = TRIAD_ALLOC(m, "slices", w.cells, &w.mine);
  for (int q = 0; q < slice->n && comm->rank == 0 && st == TRIAD_OK; q++)
    st = TRIAD_ALLOC(m, "slices", w.cells, &w.all[q]);
  if (comm->rank == 0 && st == TRIAD_OK) st = find_corners(&w);
  st = triad_agree(comm, st);
  for (int q = 0; q < slice->n && st == TRIAD_OK; q++) st = gather(&w, q);
  if (st == TRIAD_OK) st = triad_agree(comm, comm->rank == 0 ? write_files(&w, run_dir, number, notes) : TRIAD_OK);
  TRIAD_FREE(m, &w.mine);
  TRIAD_FREE(m, &w.corner);
  for (int q = 0; q < slice->n; q++) TRIAD_FREE(m, &w.all[q]);
  return st;
}

int triad_multiblock_slices(void *flow, const char *run_dir, const triad_notes *notes)
{
  triad_slice list[TRIAD_SLICES];
  int n = 0;
  const triad_multiblock_flow *f = flow;
  TRIAD_TRY(triad_multiblock_copy_to_host(flow));
  int st = triad_slice_list_read(f->given, list, &n);
  for (int i = 0; i < n && st == TRIAD_OK; i++) st = write_one(f, &list[i], i + 1, run_dir, notes);
  return st;
}
