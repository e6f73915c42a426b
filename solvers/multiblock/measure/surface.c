/* Write RUN/surfaces/surface-<step>.h5. For each patch that is a wall it has the faces in the order of blocks, sides
 * and cells, independent of ranks: centres x.NAME, y.NAME, z.NAME, area vectors out of the flow area_x.NAME .., p.NAME,
 * temperature.NAME, and, if the patch has a reference flow, cp.NAME and cf.NAME. */
#include "solvers/multiblock/measure/surface.h"

#include "solvers/multiblock/host/rows.h"
#include "solvers/multiblock/state/metrics.h"

#include "store/disk.h"
#include "store/hdf5/h5file.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of a face: what it is sorted by, then what is written. */
enum {
  PATCH,
  ZONE,
  SIDE,
  FIRST,
  X = FIRST + 3,
  AREA = X + 3,
  PRESSURE = AREA + 3,
  TEMPERATURE,
  CP,
  CF,
  NUMBERS,
  WRITTEN = NUMBERS - X
};
static const char *const names[WRITTEN] = {"x", "y", "z", "area_x", "area_y", "area_z", "p", "temperature", "cp", "cf"};
static const char *const units[WRITTEN] = {"L", "L", "L", "L^2", "L^2", "L^2", "M/(L T^2)", "K", "1", "1"};

static void describe_face(const triad_multiblock_flow *f, const triad_multiblock_sight *sight,
                          const triad_multiblock_patch *stream, double head, int64_t i, double out[NUMBERS])
{
  const triad_multiblock_face_of *face = &f->face[i];
  const triad_zone_part *p = f->part[face->part];
  const int flat = f->zones->zone[p->zone].flat;
  const int64_t offset = face->cell - p->origin;
  const double sign = face->upper ? 1 : -1;
  const triad_gas_vector s = triad_multiblock_area_at(f, p, face->axis, face->metric);
  const double area[3] = {(double)s.x, (double)s.y, (double)s.z};
  double size2 = 0, push = 0, drag = 0;
  out[PATCH] = triad_multiblock_same_name(f->grid, face->patch);
  out[ZONE] = p->zone;
  out[SIDE] = 2 * face->axis + face->upper;
  out[FIRST] = (double)(p->low[2] + offset / p->stride[2]);
  out[FIRST + 1] = (double)(p->low[1] + offset % p->stride[2] / p->stride[1]);
  out[FIRST + 2] = (double)(p->low[0] + offset % p->stride[1]);
  for (int a = 0; a < 3; a++) {
    out[X + a] = face->centre[a];
    out[AREA + a] = sign * area[a];
    size2 += out[AREA + a] * out[AREA + a];
    push += sign * (double)f->face_flux[1 + a][i] * out[AREA + a];
  }
  if (f->viscosity) {
    triad_gas_flux d = triad_multiblock_diffused(sight, face->axis, flat, p->stride, face->metric);
    const double shear[3] = {-sign * (double)d.x, -sign * (double)d.y, -sign * (double)d.z};
    for (int a = 0; a < 3 && stream; a++) drag += shear[a] * stream->along[a];
  }
  triad_gas_state near = triad_multiblock_at(f->q, face->cell), beyond = triad_multiblock_at(f->q, face->halo);
  out[PRESSURE] = push / size2;
  out[TEMPERATURE] =
    ((double)near.p / (double)near.rho + (double)beyond.p / (double)beyond.rho) / 2 / f->setup.gas.constant;
  out[CP] = stream ? (out[PRESSURE] - stream->given[4]) / head : 0;
  out[CF] = stream ? drag / sqrt(size2) / head : 0;
}

/* Walls of this rank, [*n][NUMBERS]. */
static int collect(const triad_multiblock_flow *f, double **out, int *n)
{
  const triad_multiblock_patch *stream = f->patches.reference < 0 ? NULL : &f->patches.patch[f->patches.reference];
  const triad_multiblock_sight sight = triad_multiblock_sight_of(f);
  double head = 0;
  for (int a = 0; a < 3 && stream; a++) head += stream->given[0] / 2 * stream->given[1 + a] * stream->given[1 + a];
  if (!(head > 0)) stream = NULL;
  *n = 0;
  *out = calloc((size_t)f->n_faces * NUMBERS + 1, sizeof **out);
  if (!*out) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%lld faces of walls", (long long)f->n_faces);
  for (int64_t i = 0; i < f->n_faces; i++)
    if (f->patches.patch[f->face[i].patch].is_wall)
      describe_face(f, &sight, stream, head, i, *out + (int64_t)(*n)++ * NUMBERS);
  return TRIAD_OK;
}

static int by_place(const void *a, const void *b)
{
  const double *p = a, *q = b;
  for (int k = 0; k < X; k++)
    if (p[k] < q[k] || p[k] > q[k]) return p[k] < q[k] ? -1 : 1;
  return 0;
}

static int put_patch(triad_h5 *h5, const char *patch, const double *faces, int64_t n, int written)
{
  double *column = calloc((size_t)n, sizeof *column);
  int st = column ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "%lld faces", (long long)n);
  for (int v = 0; v < written && st == TRIAD_OK; v++) {
    char name[96];
    for (int64_t i = 0; i < n; i++) column[i] = faces[i * NUMBERS + X + v];
    (void)snprintf(name, sizeof name, "%s.%s", names[v], patch);
    st = triad_h5_put_doubles(h5, name, 1, &n, column);
    if (st == TRIAD_OK) st = triad_h5_text(h5, name, "units", units[v]);
  }
  free(column);
  return st;
}

static int put_all(const triad_multiblock_flow *f, triad_h5 *h5, const triad_notes *notes, double *faces, int64_t n)
{
  const int written = f->patches.reference < 0 ? WRITTEN - 2 : WRITTEN;
  TRIAD_TRY(triad_h5_integers(h5, "/", "step", 0, &f->at.step));
  TRIAD_TRY(triad_h5_reals(h5, "/", "t", 0, &f->at.t));
  TRIAD_TRY(triad_h5_put_notes(h5, "notes", notes));
  qsort(faces, (size_t)n, NUMBERS * sizeof *faces, by_place);
  for (int64_t i = 0, end; i < n; i = end) {
    for (end = i + 1; end < n && !(faces[end * NUMBERS] > faces[i * NUMBERS]);) end++;
    TRIAD_TRY(put_patch(h5, f->grid->patch[(int)faces[i * NUMBERS]], faces + i * NUMBERS, end - i, written));
  }
  return TRIAD_OK;
}

static int write_file(const triad_multiblock_flow *f, const char *run_dir, const triad_notes *notes, double *faces,
                      int64_t n)
{
  char folder[TRIAD_PATH], temporary[TRIAD_PATH], final[TRIAD_PATH];
  triad_h5 *h5;
  TRIAD_TRY(triad_disk_path(folder, "%s/surfaces", run_dir));
  TRIAD_TRY(triad_disk_path(temporary, "%s/.tmp-surface-%08" PRId64 ".h5", folder, f->at.step));
  TRIAD_TRY(triad_disk_path(final, "%s/surface-%08" PRId64 ".h5", folder, f->at.step));
  TRIAD_TRY(triad_disk_make_folder(folder));
  TRIAD_TRY(triad_disk_remove(temporary));
  TRIAD_TRY(triad_h5_create(&h5, temporary));
  TRIAD_TRY(triad_h5_close(&h5, put_all(f, h5, notes, faces, n)));
  return triad_disk_commit(temporary, final);
}

int triad_multiblock_surface_write(const triad_multiblock_flow *f, const char *run_dir, const triad_notes *notes)
{
  const triad_comm *comm = &f->context->comm;
  double *mine = NULL, *all = NULL;
  int n = 0, *count = NULL, *first = NULL;
  int64_t total = 0;
  int st = collect(f, &mine, &n);
  if (st == TRIAD_OK && comm->rank == 0) {
    count = calloc(2 * (size_t)comm->size, sizeof *count);
    first = count ? count + comm->size : NULL;
    if (!count) st = TRIAD_FAIL(TRIAD_ERR_MEMORY, "%d ranks", comm->size);
  }
  st = triad_agree(comm, st);
  n *= NUMBERS;
  if (st == TRIAD_OK) st = TRIAD_MPI(MPI_Gather(&n, 1, MPI_INT, count, 1, MPI_INT, 0, comm->mpi));
  for (int r = 0; st == TRIAD_OK && comm->rank == 0 && r < comm->size; r++) {
    first[r] = (int)total;
    total += count[r];
    if (total > INT32_MAX) st = TRIAD_FAIL(TRIAD_ERR_FEATURE, "one rank has too many wall faces: use more ranks");
  }
  if (st == TRIAD_OK && comm->rank == 0 && !(all = calloc((size_t)total + 1, sizeof *all)))
    st = TRIAD_FAIL(TRIAD_ERR_MEMORY, "%lld numbers of walls", (long long)total);
  st = triad_agree(comm, st);
  if (st == TRIAD_OK) st = TRIAD_MPI(MPI_Gatherv(mine, n, MPI_DOUBLE, all, count, first, MPI_DOUBLE, 0, comm->mpi));
  if (st == TRIAD_OK && comm->rank == 0 && total > 0) st = write_file(f, run_dir, notes, all, total / NUMBERS);
  st = triad_agree(comm, st);
  free(mine);
  free(all);
  free(count);
  return st;
}
