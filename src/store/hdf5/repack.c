/* Copy an HDF5 file with compression, and compare every value and attribute of the copy with the original. */
#include "store/hdf5/repack_internal.h"
#include "store/hdf5/repack_walk.h"
#include "store/hdf5/repack_attributes.h"

#include "store/disk.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct copier {
  const triad_repack *job;
  triad_guard *guard;
  triad_h5 *from, *to;
  int packed; /* is every large dataset packed as asked? */
  /* of the dataset at hand */
  const char *name;
  triad_repack_set about;
  hid_t source, target, type; /* type: of values in memory                */
  int rounds;                 /* reals of 8 bytes become reals of 4       */
  char *before, *after;       /* a piece of it, as it was and as it became */
} copier;

/* The dataset of that name in the original, opened for `use`. */
static int with_set(copier *c, const char *name, int (*use)(copier *c))
{
  c->name = name;
  c->target = c->type = H5I_INVALID_HID;
  c->source = H5Dopen2(c->from->id, name, H5P_DEFAULT);
  int st =
    c->source < 0 ? REPACK_FAIL(c->from, "dataset %s", name) : triad_repack_look(c->from, name, c->source, &c->about);
  if (st == TRIAD_OK) c->type = H5Dget_type(c->source);
  c->rounds = c->job->single && c->about.is_real && c->about.bytes == 8 && c->about.n_dims == 3;
  if (st == TRIAD_OK) st = c->type < 0 ? REPACK_FAIL(c->from, "the type of %s", name) : use(c);
  if (c->type >= 0) (void)H5Tclose(c->type);
  if (c->source >= 0) (void)H5Dclose(c->source);
  return st;
}

/* Its values, a piece at a time. */
static int in_pieces(copier *c, triad_h5_piece *use)
{
  int64_t room = c->about.bytes;
  for (int i = 0; i < c->about.n_dims; i++) room *= c->about.piece[i];
  c->before = malloc((size_t)room + 1);
  c->after = malloc((size_t)room + 1);
  int st = c->before && c->after
             ? triad_h5_pieces(c->about.n_dims, c->about.dims, c->about.piece, use, c)
             : TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: pieces of %lld bytes", c->from->path, (long long)room);
  free(c->before);
  free(c->after);
  return st;
}

static int read_before(copier *c, const int64_t *first, const int64_t *count)
{
  triad_guard_alive(c->guard);
  return triad_h5_move(c->from, c->name, c->source, c->rounds ? H5T_NATIVE_DOUBLE : c->type, c->about.n_dims, first,
                       count, c->before, NULL);
}

/* ---- check whether there is anything to do ---- */

static int note_packed(copier *c)
{
  if ((c->about.is_large && !c->about.is_deflated) || c->rounds) c->packed = 0;
  return TRIAD_OK;
}

static int check_packed(void *self, const char *name) { return with_set(self, name, note_packed); }

/* ---- copying ---- */

/* Little-endian doubles that single precision cannot hold end the copy; others lose digits, which was asked for. */
static int round_values(const copier *c, int64_t n)
{
  const double *values = (const double *)(const void *)c->before;
  float *rounded = (float *)(void *)c->after;
  for (int64_t i = 0; i < n; i++) {
    rounded[i] = (float)values[i];
    if (isfinite(values[i]) && !isfinite(rounded[i]))
      return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: dataset %s contains %g, which a real of 4 bytes cannot represent",
                        c->from->path, c->name, values[i]);
  }
  return TRIAD_OK;
}

static int copy_piece(void *self, const int64_t *first, const int64_t *count, int64_t values)
{
  copier *c = self;
  TRIAD_TRY(read_before(c, first, count));
  if (c->rounds) TRIAD_TRY(round_values(c, values));
  return triad_h5_move(c->to, c->name, c->target, c->rounds ? H5T_NATIVE_FLOAT : c->type, c->about.n_dims, first, count,
                       NULL, c->rounds ? c->after : c->before);
}

/* Chunks, shuffle and deflate for what is large; no times, so that equal contents make equal files. */
static hid_t make_storage(const copier *c)
{
  const triad_repack_set *s = &c->about;
  hsize_t chunk[TRIAD_H5_DIMS];
  hid_t how = H5Pcreate(H5P_DATASET_CREATE);
  int good = how >= 0 && H5Pset_obj_track_times(how, 0) >= 0 && H5Pset_fill_time(how, H5D_FILL_TIME_NEVER) >= 0;
  for (int i = 0; i < s->n_dims; i++) chunk[i] = (hsize_t)s->chunk[i];
  if (good && s->is_large)
    good = H5Pset_chunk(how, s->n_dims, chunk) >= 0 && H5Pset_shuffle(how) >= 0 &&
           H5Pset_deflate(how, (unsigned)c->job->level) >= 0;
  if (good) return how;
  if (how >= 0) (void)H5Pclose(how);
  return H5I_INVALID_HID;
}

static int copy_values(copier *c)
{
  hid_t how = make_storage(c), space = H5Dget_space(c->source);
  if (how >= 0 && space >= 0)
    c->target =
      H5Dcreate2(c->to->id, c->name, c->rounds ? H5T_IEEE_F32LE : c->type, space, H5P_DEFAULT, how, H5P_DEFAULT);
  int st = c->target >= 0 ? in_pieces(c, copy_piece) : REPACK_FAIL(c->to, "making dataset %s", c->name);
  if (c->target >= 0 && H5Dclose(c->target) < 0 && st == TRIAD_OK)
    st = REPACK_FAIL(c->to, "closing dataset %s", c->name);
  if (space >= 0) (void)H5Sclose(space);
  if (how >= 0) (void)H5Pclose(how);
  return st == TRIAD_OK ? triad_repack_attributes(c->from, c->to, c->name, 0) : st;
}

static int copy_set(void *self, const char *name) { return with_set(self, name, copy_values); }

static int copy_group(void *self, const char *name)
{
  copier *c = self;
  hid_t group = H5Gcreate2(c->to->id, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (group < 0 || H5Gclose(group) < 0) return REPACK_FAIL(c->to, "making group %s", name);
  return triad_repack_attributes(c->from, c->to, name, 0);
}

static int copy_scales(void *self, const char *name)
{
  copier *c = self;
  return triad_repack_scales(c->from, c->to, name);
}

static int put_manifest(triad_h5 *to, const char *text)
{
  triad_notes *notes = NULL;
  TRIAD_TRY(triad_notes_create(&notes));
  int st = triad_notes_set_text(notes, "manifest", text);
  if (st == TRIAD_OK) st = triad_h5_put_notes(to, "proof", notes);
  triad_notes_destroy(&notes);
  return st;
}

static int copy_all(copier *c)
{
  char how[64];
  (void)snprintf(how, sizeof how, "shuffle, deflate %d%s", c->job->level, c->job->single ? ", reals of 4 bytes" : "");
  TRIAD_TRY(triad_repack_walk(c->from, copy_set, copy_group, c));
  TRIAD_TRY(triad_repack_walk(c->from, copy_scales, NULL, c));
  TRIAD_TRY(triad_repack_attributes(c->from, c->to, "/", 0));
  if (c->job->manifest) TRIAD_TRY(put_manifest(c->to, c->job->manifest));
  if (c->job->manifest) TRIAD_TRY(triad_h5_text(c->to, "/", "archive", "of a checkpoint"));
  return triad_h5_text(c->to, "/", "packed", how);
}

static int create(copier *c)
{
  hid_t id = H5Fcreate(c->job->to, H5F_ACC_EXCL, H5P_DEFAULT, H5P_DEFAULT);
  if (id < 0) return TRIAD_H5_FAIL(TRIAD_ERR_IO, c->job->to, "making the HDF5 file");
  return triad_h5_wrap(&c->to, id, c->job->to, NULL);
}

/* ---- the copy on the disk against the original: every value of every dataset, every attribute ---- */

static int differ(const copier *c)
{
  return TRIAD_FAIL(TRIAD_ERR_IO, "%s: dataset %s differs when it is read back", c->to->path, c->name);
}

static int compare_piece(void *self, const int64_t *first, const int64_t *count, int64_t values)
{
  copier *c = self;
  TRIAD_TRY(read_before(c, first, count));
  TRIAD_TRY(triad_h5_move(c->to, c->name, c->target, c->rounds ? H5T_NATIVE_FLOAT : c->type, c->about.n_dims, first,
                          count, c->after, NULL));
  for (int64_t i = 0; c->rounds && i < values; i++) { /* never ahead of what is still to be read */
    double wanted;
    memcpy(&wanted, c->before + 8 * i, sizeof wanted);
    float rounded = (float)wanted;
    memcpy(c->before + 4 * i, &rounded, sizeof rounded);
  }
  return memcmp(c->before, c->after, (size_t)(values * (c->rounds ? 4 : c->about.bytes))) == 0 ? TRIAD_OK : differ(c);
}

static int compare_values(copier *c)
{
  triad_repack_set there;
  if (H5Lexists(c->to->id, c->name, H5P_DEFAULT) > 0) c->target = H5Dopen2(c->to->id, c->name, H5P_DEFAULT);
  int st = c->target < 0 ? differ(c) : triad_repack_look(c->to, c->name, c->target, &there);
  if (st == TRIAD_OK && (there.n_dims != c->about.n_dims || there.bytes != (c->rounds ? 4 : c->about.bytes) ||
                         memcmp(there.dims, c->about.dims, sizeof there.dims) != 0))
    st = differ(c);
  if (st == TRIAD_OK) st = in_pieces(c, compare_piece);
  if (c->target >= 0) (void)H5Dclose(c->target);
  return st == TRIAD_OK ? triad_repack_attributes(c->from, c->to, c->name, 1) : st;
}

static int compare_set(void *self, const char *name) { return with_set(self, name, compare_values); }

static int compare_group(void *self, const char *name)
{
  const copier *c = self;
  return triad_repack_attributes(c->from, c->to, name, 1);
}

static int compare(copier *c)
{
  TRIAD_TRY(triad_h5_open(&c->to, c->job->to));
  int st = triad_repack_walk(c->from, compare_set, compare_group, c);
  if (st == TRIAD_OK) st = triad_repack_attributes(c->from, c->to, "/", 1);
  return triad_h5_close(&c->to, st);
}

/* ---- the whole ---- */

static int sync_file(const char *path)
{
  int fd;
  TRIAD_TRY(triad_disk_open(path, 1, &fd));
  int st = triad_disk_sync(fd, path), closed = triad_disk_close(&fd, path);
  return st == TRIAD_OK ? closed : st;
}

static int size_of(const char *path, int64_t *bytes)
{
  int fd;
  TRIAD_TRY(triad_disk_open(path, 0, &fd));
  int st = triad_disk_size(fd, path, bytes);
  (void)triad_disk_close(&fd, path);
  return st;
}

static int work(void *self, triad_guard *guard)
{
  const triad_repack *job = self;
  triad_repack_report report = {0};
  copier c = {.job = job, .guard = guard, .packed = 1};
  TRIAD_TRY(size_of(job->from, &report.before));
  TRIAD_TRY(triad_h5_open(&c.from, job->from));
  int st = triad_repack_walk(c.from, check_packed, NULL, &c);
  report.already = c.packed && !job->manifest;
  if (st == TRIAD_OK && !report.already) {
    st = create(&c);
    if (st == TRIAD_OK) st = triad_h5_close(&c.to, copy_all(&c));
    if (st == TRIAD_OK) st = sync_file(job->to);
    if (st == TRIAD_OK) st = compare(&c);
    if (st == TRIAD_OK) st = size_of(job->to, &report.after);
  }
  st = triad_h5_close(&c.from, st);
  return st == TRIAD_OK ? triad_guard_give(guard, &report, sizeof report) : st;
}

int triad_repack_file(const triad_repack *job, triad_repack_report *report)
{
  *report = (triad_repack_report){0};
  int st = triad_guard_run(job->from, work, (void *)(uintptr_t)job, report, sizeof *report);
  if (st != TRIAD_OK) (void)remove(job->to);
  return st;
}
