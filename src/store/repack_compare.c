/* The copy on the disk against the original: every value of every dataset, every attribute. */
#include "store/repack_own.h"

#include <stdlib.h>
#include <string.h>

typedef struct comparison {
  triad_h5 *from, *to;
  triad_guard *guard;
  const char *name;
  triad_repack_set about;
  hid_t source, target, type;
  int rounded;
  char *before, *after;
} comparison;

static int differ(const comparison *c)
{
  return TRIAD_FAIL(TRIAD_ERR_IO, "%s: dataset %s reads back other than it was written", c->to->path, c->name);
}

static int compare_piece(void *self, const int64_t *first, const int64_t *count, int64_t values)
{
  comparison *c = self;
  int n = c->about.n_dims;
  triad_guard_alive(c->guard);
  TRIAD_TRY(triad_h5_move(c->from, c->name, c->source, c->rounded ? H5T_NATIVE_DOUBLE : c->type, n, first, count,
                          c->before, NULL));
  TRIAD_TRY(triad_h5_move(c->to, c->name, c->target, c->rounded ? H5T_NATIVE_FLOAT : c->type, n, first, count,
                          c->after, NULL));
  if (!c->rounded)
    return memcmp(c->before, c->after, (size_t)(values * c->about.bytes)) == 0 ? TRIAD_OK : differ(c);
  for (int64_t i = 0; i < values; i++) {
    double want;
    float is, rounded;
    memcpy(&want, c->before + 8 * i, sizeof want);
    memcpy(&is, c->after + 4 * i, sizeof is);
    rounded = (float)want;
    if (memcmp(&rounded, &is, sizeof is) != 0) return differ(c);
  }
  return TRIAD_OK;
}

static int compare_values(comparison *c)
{
  triad_repack_set there;
  TRIAD_TRY(triad_repack_look(c->to, c->name, c->target, &there));
  c->rounded = c->about.is_real && there.is_real && c->about.bytes == 8 && there.bytes == 4;
  if (there.n_dims != c->about.n_dims || memcmp(there.dims, c->about.dims, sizeof there.dims) != 0 ||
      (there.bytes != c->about.bytes && !c->rounded))
    return differ(c);
  int64_t room = c->about.bytes;
  for (int i = 0; i < c->about.n_dims; i++) room *= c->about.piece[i];
  c->before = malloc((size_t)room + 1);
  c->after = malloc((size_t)room + 1);
  int st = c->before && c->after ? triad_h5_pieces(c->about.n_dims, c->about.dims, c->about.piece, compare_piece, c)
                                 : TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: pieces of %lld bytes", c->to->path, (long long)room);
  free(c->before);
  free(c->after);
  return st;
}

static int compare_set(void *self, const char *name)
{
  comparison *c = self;
  c->name = name;
  c->source = H5Dopen2(c->from->id, name, H5P_DEFAULT);
  c->target = H5Lexists(c->to->id, name, H5P_DEFAULT) > 0 ? H5Dopen2(c->to->id, name, H5P_DEFAULT) : H5I_INVALID_HID;
  c->type = c->source < 0 ? H5I_INVALID_HID : H5Dget_type(c->source);
  int st = c->source < 0 || c->type < 0 ? REPACK_FAIL(c->from, "dataset %s", name) : TRIAD_OK;
  if (st == TRIAD_OK && c->target < 0) st = differ(c);
  if (st == TRIAD_OK) st = triad_repack_look(c->from, name, c->source, &c->about);
  if (st == TRIAD_OK) st = compare_values(c);
  if (st == TRIAD_OK) st = triad_repack_same_attributes(c->from, c->to, name);
  if (c->type >= 0) (void)H5Tclose(c->type);
  if (c->target >= 0) (void)H5Dclose(c->target);
  if (c->source >= 0) (void)H5Dclose(c->source);
  return st;
}

static int compare_group(void *self, const char *name)
{
  const comparison *c = self;
  return triad_repack_same_attributes(c->from, c->to, name);
}

int triad_repack_compare(const triad_repack *job, triad_guard *guard)
{
  comparison c = {.guard = guard};
  TRIAD_TRY(triad_h5_open(&c.from, job->from));
  int st = triad_h5_open(&c.to, job->to);
  if (st == TRIAD_OK) st = triad_repack_walk(c.from, compare_set, compare_group, &c);
  if (st == TRIAD_OK) st = triad_repack_same_attributes(c.from, c.to, "/");
  st = triad_h5_close(&c.to, st);
  return triad_h5_close(&c.from, st);
}
