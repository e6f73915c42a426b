/* Write and read fields at the points of a box as HDF5, plane by plane, with coordinates, units and the list of
 * vectors. */
#include "store/fields/fieldfile.h"
#include "store/hdf5/h5scale.h"

#include "store/disk.h"
#include "store/gather.h"
#include "base/guard.h"
#include "store/hdf5/h5read.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { STAGING = 1 << 20 }; /* reals converted at a time */

struct triad_fieldfile {
  const triad_context *ctx;
  triad_space space;
  int64_t first, n_planes; /* this rank's */
  char folder[TRIAD_PATH], temporary[TRIAD_PATH], final[TRIAD_PATH];
  int64_t step;
  int fd, element, n_fields, kept, gather;
  int64_t *offsets, *missing; /* [n_fields] where its array begins; planes not yet put */
  void *buffer;               /* NULL where nothing is converted */
  triad_h5 *packed;           /* of packed fields: the file, open on rank 0 until finish */
  int is_packed;
  const triad_field_info *fields;
};

static int put_coordinate(triad_h5 *h5, const triad_axis *axis, const char *name)
{
  double *values = calloc((size_t)axis->n, sizeof *values);
  if (!values) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%lld coordinates", (long long)axis->n);
  for (int64_t i = 0; i < axis->n; i++) values[i] = triad_axis_position(axis, i);
  int st = triad_h5_put_doubles(h5, name, 1, &axis->n, values);
  free(values);
  if (st == TRIAD_OK) st = triad_h5_make_scale(h5, name);
  if (st == TRIAD_OK) st = triad_h5_text(h5, name, "units", "L");
  return st;
}

static int describe_field(triad_h5 *h5, const triad_field_info *field)
{
  static const char *const scales[3] = {"z", "y", "x"};
  TRIAD_TRY(triad_h5_text(h5, field->name, "units", field->unit));
  TRIAD_TRY(triad_h5_text(h5, field->name, "long_name", field->long_name));
  return triad_h5_use_scales(h5, field->name, 3, scales);
}

static int put_box(triad_h5 *h5, const triad_axis axis[3])
{
  const int64_t yes = 1;
  double length[3], origin[3], whole[3];
  int stretched = 0, part = 0;
  for (int i = 0; i < 3; i++) {
    length[i] = axis[i].length;
    whole[i] = axis[i].part_of > 0 ? axis[i].part_of : axis[i].length;
    part = part || axis[i].part_of > 0;
    origin[i] = triad_axis_position(&axis[i], 0);
    stretched = stretched || axis[i].at;
  }
  TRIAD_TRY(triad_h5_reals(h5, "/", "length", 3, length));
  TRIAD_TRY(triad_h5_reals(h5, "/", "origin", 3, origin));
  if (part) TRIAD_TRY(triad_h5_reals(h5, "/", "part_of", 3, whole));
  if (stretched) TRIAD_TRY(triad_h5_integers(h5, "/", "stretched", 0, &yes));
  return TRIAD_OK;
}

/* Which fields are the components of which vectors: "velocity=u,v,w magnetic_field=bx,by,bz" at the root. */
static int put_vectors(triad_h5 *h5, const triad_field_info *list, int n)
{
  char text[1024] = "";
  size_t at = 0;
  triad_field_group g;
  for (int f = 0; f < n; f += g.n) {
    g = triad_field_group_at(list, n, f);
    if (g.role != TRIAD_ROLE_COMPONENT || g.n != 3 || at >= sizeof text) continue;
    size_t begin = at + (at > 0);
    at += (size_t)snprintf(text + at, sizeof text - at, "%s%s=%s,%s,%s", at ? " " : "", g.name, list[f].name,
                           list[f + 1].name, list[f + 2].name);
    for (size_t i = begin; i < sizeof text && text[i] && text[i] != '='; i++)
      if (text[i] == ' ') text[i] = '_';
  }
  if (at >= sizeof text) return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "vectors of %d fields", n);
  return at ? triad_h5_text(h5, "/", "vectors", text) : TRIAD_OK;
}

static int fill_skeleton(triad_h5 *h5, triad_fieldfile *p, const triad_fieldfile_info *info)
{
  static const char *const names[3] = {"x", "y", "z"};
  TRIAD_TRY(triad_h5_put_instant(h5, info->step, info->t));
  TRIAD_TRY(put_box(h5, p->space.axis));
  TRIAD_TRY(put_vectors(h5, info->fields, p->n_fields));
  TRIAD_TRY(triad_h5_put_notes(h5, "notes", info->notes));
  for (int axis = 0; axis < 3; axis++) TRIAD_TRY(put_coordinate(h5, &p->space.axis[axis], names[axis]));
  for (int f = 0; f < p->n_fields && !p->is_packed; f++) {
    TRIAD_TRY(triad_h5_slab(h5, info->fields[f].name, p->element, 3, p->space.dims));
    TRIAD_TRY(describe_field(h5, &info->fields[f]));
  }
  for (int f = 0; f < p->n_fields && !p->is_packed; f++)
    TRIAD_TRY(triad_h5_slab_offset(h5, info->fields[f].name, &p->offsets[f]));
  return TRIAD_OK;
}

/* On rank 0: folder, file, its datasets, and the room they take on the disk. */
static int make_skeleton(triad_fieldfile *p, const triad_fieldfile_info *info)
{
  triad_h5 *h5;
  TRIAD_TRY(triad_disk_make_folder(p->folder));
  TRIAD_TRY(triad_disk_remove(p->temporary)); /* left by a run that was killed */
  TRIAD_TRY(triad_h5_create(&h5, p->temporary));
  int st = fill_skeleton(h5, p, info);
  if (st != TRIAD_OK || !p->is_packed) return triad_h5_close(&h5, st);
  p->packed = h5;
  return TRIAD_OK;
}

static int prepare(triad_fieldfile **out, const triad_context *ctx, const triad_space *space, const char *run_dir,
                   const triad_fieldfile_info *info)
{
  char name[TRIAD_FIELDS_NAME];
  triad_fieldfile *p = *out = calloc(1, sizeof *p);
  if (!p) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "a field file");
  p->ctx = ctx;
  p->space = *space;
  p->first = triad_deal(space->dims[0], ctx->comm.rank, ctx->comm.size);
  p->n_planes = triad_deal(space->dims[0], ctx->comm.rank + 1, ctx->comm.size) - p->first;
  p->step = info->step;
  p->n_fields = info->n_fields;
  p->element = info->single ? 4 : 8;
  p->gather = info->gather && !info->packed;
  p->is_packed = info->packed;
  p->fields = info->fields;
  p->fd = -1;
  triad_xdmf_name(name, info->step);
  TRIAD_TRY(triad_disk_path(p->folder, "%s/fields", run_dir));
  TRIAD_TRY(triad_disk_path(p->final, "%s/%s", p->folder, name));
  TRIAD_TRY(triad_disk_path(p->temporary, "%s/.tmp-%s", p->folder, name));
  if (!triad_space_is_box(space))
    return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "a field file in space \"%s\", but points of a box are required",
                      space->kind->name);
  for (int f = 0; f < info->n_fields; f++)
    if (!triad_notes_good_name(info->fields[f].name))
      return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "\"%s\" is not a valid field name", info->fields[f].name);
  p->offsets = calloc((size_t)p->n_fields + 1, sizeof *p->offsets);
  p->missing = calloc((size_t)p->n_fields + 1, sizeof *p->missing);
  if (!p->offsets || !p->missing) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%d fields", p->n_fields);
  for (int f = 0; f < p->n_fields; f++) p->missing[f] = p->n_planes;
  if (p->is_packed || (p->element == (int)sizeof(triad_real) && !p->gather)) return TRIAD_OK;
  return triad_memory_alloc(ctx->memory, "field file staging", STAGING, (size_t)p->element, &p->buffer);
}

static void release(triad_fieldfile **file)
{
  triad_fieldfile *p = *file;
  if (!p) return;
  (void)triad_disk_close(&p->fd, p->temporary);
  if (p->packed) (void)triad_h5_close(&p->packed, TRIAD_ERR_IO);
  triad_memory_free(p->ctx->memory, &p->buffer);
  free(p->offsets);
  free(p->missing);
  free(p);
  *file = NULL;
}

static int open_file(triad_fieldfile *p)
{
  if (p->is_packed) return TRIAD_OK;
  if (p->gather && p->ctx->comm.rank != 0) return TRIAD_OK;
  return triad_gather_open(&p->ctx->comm, p->temporary, &p->fd);
}

int triad_fieldfile_create(triad_fieldfile **out, const triad_context *ctx, const triad_space *space,
                           const char *run_dir, const triad_fieldfile_info *info)
{
  const triad_comm *comm = &ctx->comm;
  int st = triad_agree(comm, prepare(out, ctx, space, run_dir, info));
  triad_fieldfile *p = *out;
  if (st == TRIAD_OK) st = triad_agree(comm, comm->rank == 0 ? make_skeleton(p, info) : TRIAD_OK);
  if (st == TRIAD_OK) st = TRIAD_MPI(MPI_Bcast(p->offsets, p->n_fields, MPI_INT64_T, 0, comm->mpi));
  if (st == TRIAD_OK) st = triad_agree(comm, open_file(p));
  if (st == TRIAD_OK) return TRIAD_OK;
  if (p && comm->rank == 0 && triad_disk_remove(p->temporary) != TRIAD_OK) triad_message_clear();
  release(out);
  return st;
}

/* At most STAGING values as they are in the file, in the buffer. */
static void convert(triad_fieldfile *p, int64_t n, const triad_real *values)
{
  float *as_float = p->buffer;
  double *as_double = p->buffer;
  for (int64_t i = 0; i < n; i++)
    if (p->element == 4) as_float[i] = (float)values[i];
    else as_double[i] = (double)values[i];
}

static int put_converted(triad_fieldfile *p, int64_t n, int64_t offset, const triad_real *values)
{
  for (int64_t at = 0; at < n; at += STAGING) {
    int64_t piece = n - at < STAGING ? n - at : STAGING;
    convert(p, piece, values + at);
    TRIAD_TRY(triad_disk_write(p->fd, p->temporary, p->buffer, piece * p->element, offset + at * p->element));
  }
  return TRIAD_OK;
}

/* Collective: every rank takes part in every round, with nothing where it has no more. */
static int put_gathered(triad_fieldfile *p, int64_t n, int64_t offset, const triad_real *values)
{
  const triad_comm *comm = &p->ctx->comm;
  int64_t rounds;
  int st = TRIAD_OK;
  TRIAD_TRY(triad_gather_rounds(comm, (n + STAGING - 1) / STAGING, &rounds));
  for (int64_t i = 0; i < rounds; i++) {
    int64_t at = i * STAGING, piece = n - at < STAGING ? n - at : STAGING;
    if (piece < 0) piece = 0;
    if (piece > 0) convert(p, piece, values + at);
    int round = triad_gather_write(comm, p->fd, p->temporary, p->buffer, piece * p->element, offset + at * p->element,
                                   p->buffer, (int64_t)STAGING * p->element);
    if (st == TRIAD_OK) st = round;
  }
  return st;
}

static int check_planes(const triad_fieldfile *p, int field, int64_t first, int64_t count)
{
  if (field >= 0 && field < p->n_fields && first >= 0 && count >= 0 && first <= p->n_planes - count) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "planes %lld to %lld of field %d", (long long)first,
                    (long long)(first + count - 1), field);
}

int triad_fieldfile_put(triad_fieldfile *p, int field, int64_t first, int64_t count, const triad_real *planes)
{
  int64_t plane = p->space.dims[1] * p->space.dims[2], offset = 0;
  if (p->kept == TRIAD_OK) p->kept = check_planes(p, field, first, count);
  if (p->kept != TRIAD_OK && !p->gather) return p->kept;
  int good = p->kept == TRIAD_OK;
  if (good) offset = p->offsets[field] + (p->first + first) * plane * p->element;
  int st = p->gather   ? put_gathered(p, good ? count * plane : 0, offset, planes)
           : p->buffer ? put_converted(p, count * plane, offset, planes)
                       : triad_disk_write(p->fd, p->temporary, planes, count * plane * p->element, offset);
  if (good) p->missing[field] -= count;
  if (good) p->kept = st;
  return p->kept;
}

int triad_fieldfile_put_packed(triad_fieldfile *p, int field, triad_field_pack *pack, double error)
{
  const char *name = p->fields[field].name;
  const triad_comm *comm = &p->ctx->comm;
  int64_t bytes = 0;
  if (p->kept != TRIAD_OK) return p->kept; /* agreed, as below */
  p->kept = triad_field_pack_store(pack, p->packed, name, &bytes);
  if (p->kept != TRIAD_OK) return p->kept;
  int st = comm->rank == 0 ? describe_field(p->packed, &p->fields[field]) : TRIAD_OK;
  if (st == TRIAD_OK && comm->rank == 0) st = triad_h5_reals(p->packed, name, "shell_error", 0, &error);
  p->missing[field] = 0;
  return p->kept = triad_agree(comm, st);
}

int triad_fieldfile_finish(triad_fieldfile **file, int status)
{
  triad_fieldfile *p = *file;
  const triad_comm *comm = &p->ctx->comm;
  int st = status != TRIAD_OK ? status : p->kept;
  for (int f = 0; f < p->n_fields && st == TRIAD_OK; f++)
    if (p->missing[f] != 0)
      st = TRIAD_FAIL(TRIAD_ERR_INTERNAL, "%lld planes of field %d were not written", (long long)p->missing[f], f);
  if (st == TRIAD_OK && p->fd >= 0) st = triad_disk_sync(p->fd, p->temporary);
  int closed = triad_disk_close(&p->fd, p->temporary);
  if (p->packed) st = triad_h5_close(&p->packed, st);
  st = triad_agree(comm, st == TRIAD_OK ? closed : st);
  if (comm->rank == 0) {
    if (st == TRIAD_OK) st = triad_disk_commit(p->temporary, p->final);
    if (st == TRIAD_OK) st = triad_xdmf_update(p->folder, p->step);
    (void)remove(p->temporary);
  }
  st = triad_agree(comm, st);
  release(file);
  return st;
}

/* ---- reading: foreign files are opened by HDF5 in a separate process only ---- */

typedef struct reading {
  const char *path, *name;
  int64_t dims[3], z0, z1;
} reading;

/* Who reads a file of fields takes its points for all of a box. */
static int refuse_part(triad_h5 *file, const char *path)
{
  double length[3], whole[3];
  int is_part = triad_h5_root_reals(file, "part_of", 3, whole) == TRIAD_OK;
  if (!is_part || triad_h5_root_reals(file, "length", 3, length) != TRIAD_OK) {
    triad_message_clear();
    return TRIAD_OK;
  }
  return TRIAD_FAIL(TRIAD_ERR_CASE,
                    "%s contains a part, %.6g x %.6g x %.6g, of a box of %.6g x %.6g x %.6g, which is not periodic: "
                    "use a file of the whole box, without \"box\" in output.fields",
                    path, length[0], length[1], length[2], whole[0], whole[1], whole[2]);
}

/* And for periodic. The last bits of a skew of 0 are rounding. */
static int refuse_leaning(triad_h5 *file, const char *path)
{
  double skew = 0;
  if (!triad_h5_note_real(file, TRIAD_NOTE_SKEW, &skew) || fabs(skew) <= TRIAD_SKEW_OF_ROUNDING) return TRIAD_OK;
  return TRIAD_FAIL(
    TRIAD_ERR_CASE,
    "%s contains leaning fields (skew %.6g), which are not periodic along y: use a checkpoint, or a file "
    "of a time at which the skew is 0",
    path, skew);
}

static int look_up(void *self, triad_guard *guard)
{
  const reading *r = self;
  triad_h5 *h5;
  int n = 0;
  int64_t all[TRIAD_H5_DIMS];
  TRIAD_TRY(triad_h5_open(&h5, r->path));
  int st = triad_h5_dims(h5, r->name, &n, all, NULL);
  if (st == TRIAD_OK) st = refuse_part(h5, r->path);
  if (st == TRIAD_OK) st = refuse_leaning(h5, r->path);
  if (st == TRIAD_OK && n != 3)
    st = TRIAD_FAIL(TRIAD_ERR_CASE, "%s: dataset \"%s\" has %d dimensions, but three (z, y, x) are required", r->path,
                    r->name, n);
  for (int i = 0; i < 3 && st == TRIAD_OK; i++)
    if (all[i] < 1) st = TRIAD_FAIL(TRIAD_ERR_CASE, "%s: dataset \"%s\" is empty", r->path, r->name);
  if (st == TRIAD_OK) st = triad_guard_give(guard, all, 3 * (int64_t)sizeof *all);
  return triad_h5_close(&h5, st);
}

static int dims_of(const char *path, const char *name, int64_t dims[3])
{
  reading r = {.path = path, .name = name};
  return triad_guard_run(path, look_up, &r, dims, 3 * (int64_t)sizeof *dims);
}

int triad_fieldfile_dims(const triad_comm *comm, const char *path, const char *name, int64_t dims[3])
{
  TRIAD_TRY(triad_agree(comm, comm->rank == 0 ? dims_of(path, name, dims) : TRIAD_OK));
  return triad_agree(comm, TRIAD_MPI(MPI_Bcast(dims, 3, MPI_INT64_T, 0, comm->mpi)));
}

/* Planes a piece at a time, some MiB, or one. */
static int give_planes(triad_h5 *h5, const reading *r, triad_guard *guard)
{
  enum { PIECE = 64 << 20 };
  const int64_t element = (int64_t)sizeof(triad_real), plane = r->dims[1] * r->dims[2];
  int64_t most = PIECE / (plane * element);
  if (most < 1) most = 1;
  if (most > r->z1 - r->z0) most = r->z1 - r->z0;
  triad_real *piece = malloc((size_t)(most * plane * element));
  if (!piece) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: a piece of %lld planes", r->path, (long long)most);
  int st = TRIAD_OK;
  for (int64_t z = r->z0; z < r->z1 && st == TRIAD_OK; z += most) {
    int64_t n = r->z1 - z < most ? r->z1 - z : most;
    const int64_t first[3] = {z, 0, 0}, count[3] = {n, r->dims[1], r->dims[2]};
    triad_guard_alive(guard);
    st = triad_h5_read(h5, r->name, 3, first, count, (int)element, piece);
    if (st == TRIAD_OK) st = triad_guard_give(guard, piece, n * plane * element);
  }
  free(piece);
  return st;
}

static int read_planes(void *self, triad_guard *guard)
{
  triad_h5 *h5;
  const reading *r = self;
  TRIAD_TRY(triad_h5_open(&h5, r->path));
  return triad_h5_close(&h5, give_planes(h5, r, guard));
}

int triad_fieldfile_read(const char *path, const char *name, int64_t z0, int64_t z1, triad_real *out)
{
  reading r = {.path = path, .name = name, .z0 = z0, .z1 = z1};
  if (z0 >= z1) return TRIAD_OK;
  TRIAD_TRY(dims_of(path, name, r.dims));
  if (z0 < 0 || z1 > r.dims[0])
    return TRIAD_FAIL(TRIAD_ERR_CASE,
                      "%s: dataset \"%s\": values %lld to %lld along dimension 0 are required, but it has %lld", path,
                      name, (long long)z0, (long long)(z1 - 1), (long long)r.dims[0]);
  int64_t plane = r.dims[1] * r.dims[2];
  TRIAD_TRY(triad_guard_run(path, read_planes, &r, out, (z1 - z0) * plane * (int64_t)sizeof *out));
  for (int64_t i = 0; i < (z1 - z0) * plane; i++)
    if (!isfinite(out[i]))
      return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: dataset \"%s\" contains %g at (z, y, x) = (%lld, %lld, %lld)", path, name,
                        (double)out[i], (long long)(z0 + i / plane), (long long)(i % plane / r.dims[2]),
                        (long long)(i % r.dims[2]));
  return TRIAD_OK;
}
