#include "store/repack_own.h"

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
  hid_t source, target, type; /* type: of values in memory */
  int rounds;                 /* reals of 8 bytes become reals of 4 */
  void *buffer;
} copier;

static int rounds(const triad_repack *job, const triad_repack_set *s)
{
  return job->single && s->is_real && s->bytes == 8 && s->n_dims == 3;
}

/* ---- is there anything to do? ---- */

static int check_packed(void *self, const char *name)
{
  copier *c = self;
  triad_repack_set s;
  hid_t set = H5Dopen2(c->from->id, name, H5P_DEFAULT);
  int st = set < 0 ? REPACK_FAIL(c->from, "dataset %s", name) : triad_repack_look(c->from, name, set, &s);
  if (set >= 0) (void)H5Dclose(set);
  if (st == TRIAD_OK && ((s.is_large && !s.is_deflated) || rounds(c->job, &s))) c->packed = 0;
  return st;
}

/* ---- copying ---- */

/* Little-endian doubles that single precision cannot hold end the copy; others lose digits, which was asked for. */
static int round_values(const copier *c, int64_t n)
{
  double *values = c->buffer;
  float *rounded = c->buffer;
  for (int64_t i = 0; i < n; i++) {
    float r = (float)values[i];
    if (isfinite(values[i]) && !isfinite(r))
      return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: dataset %s holds %g, which a real of 4 bytes cannot", c->from->path,
                        c->name, values[i]);
    memcpy(&rounded[i], &r, sizeof r); /* never ahead of what is still to be read */
  }
  return TRIAD_OK;
}

static int copy_piece(void *self, const int64_t *first, const int64_t *count, int64_t values)
{
  copier *c = self;
  int n = c->about.n_dims;
  triad_guard_alive(c->guard);
  TRIAD_TRY(triad_h5_move(c->from, c->name, c->source, c->rounds ? H5T_NATIVE_DOUBLE : c->type, n, first, count,
                          c->buffer, NULL));
  if (c->rounds) TRIAD_TRY(round_values(c, values));
  return triad_h5_move(c->to, c->name, c->target, c->rounds ? H5T_NATIVE_FLOAT : c->type, n, first, count, NULL,
                       c->buffer);
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
  c->rounds = rounds(c->job, &c->about);
  if (how >= 0 && space >= 0)
    c->target = H5Dcreate2(c->to->id, c->name, c->rounds ? H5T_IEEE_F32LE : c->type, space, H5P_DEFAULT, how,
                           H5P_DEFAULT);
  int st = c->target >= 0 ? TRIAD_OK : REPACK_FAIL(c->to, "making dataset %s", c->name);
  int64_t room = c->about.bytes;
  for (int i = 0; i < c->about.n_dims; i++) room *= c->about.piece[i];
  c->buffer = malloc((size_t)room + 1);
  if (st == TRIAD_OK && !c->buffer)
    st = TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: a piece of %lld bytes", c->from->path, (long long)room);
  if (st == TRIAD_OK)
    st = triad_h5_pieces(c->about.n_dims, c->about.dims, c->about.piece, copy_piece, c);
  free(c->buffer);
  c->buffer = NULL;
  if (c->target >= 0 && H5Dclose(c->target) < 0 && st == TRIAD_OK)
    st = REPACK_FAIL(c->to, "closing dataset %s", c->name);
  if (space >= 0) (void)H5Sclose(space);
  if (how >= 0) (void)H5Pclose(how);
  return st;
}

static int copy_set(void *self, const char *name)
{
  copier *c = self;
  c->name = name;
  c->target = c->type = H5I_INVALID_HID;
  c->source = H5Dopen2(c->from->id, name, H5P_DEFAULT);
  int st = c->source < 0 ? REPACK_FAIL(c->from, "dataset %s", name)
                         : triad_repack_look(c->from, name, c->source, &c->about);
  if (st == TRIAD_OK) c->type = H5Dget_type(c->source);
  if (st == TRIAD_OK) st = c->type < 0 ? REPACK_FAIL(c->from, "the type of %s", name) : copy_values(c);
  if (st == TRIAD_OK) st = triad_repack_attributes(c->from, c->to, name);
  if (c->type >= 0) (void)H5Tclose(c->type);
  if (c->source >= 0) (void)H5Dclose(c->source);
  return st;
}

static int copy_group(void *self, const char *name)
{
  copier *c = self;
  hid_t group = H5Gcreate2(c->to->id, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (group < 0 || H5Gclose(group) < 0) return REPACK_FAIL(c->to, "making group %s", name);
  return triad_repack_attributes(c->from, c->to, name);
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
  TRIAD_TRY(triad_repack_attributes(c->from, c->to, "/"));
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
    if (st == TRIAD_OK) st = triad_repack_compare(job, guard);
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
