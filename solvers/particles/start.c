/* Where particles start. */
#include "solvers/particles/start.h"
#include "solvers/particles/group.h"

#include "base/precision.h"
#include "base/random.h"
#include "store/hdf5/h5read.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char *key(char text[96], int number, const char *name)
{
  (void)snprintf(text, 96, "particles[%d].%s", number, name);
  return text;
}

static triad_bits draw(uint64_t seed_key, int64_t id, uint32_t number)
{
  return triad_random_bits(seed_key, (int32_t)(id & 0x7fffffff), (int32_t)(id >> 31), 0, number);
}

static void anywhere(uint64_t seed_key, int64_t id, const double length[3], double *x)
{
  const triad_bits a = draw(seed_key, id, 0), b = draw(seed_key, id, 1);
  x[0] = length[0] * triad_random_uniform(a, 0);
  x[1] = length[1] * triad_random_uniform(a, 1);
  x[2] = length[2] * triad_random_uniform(b, 0);
}

/* Particle 2 i + 1 lies from 2 i in a direction of its own: z uniform, and the angle about it (Archimedes). */
static void beside(uint64_t seed_key, int64_t pair, double distance, double *x)
{
  const triad_bits a = draw(seed_key, pair, 2);
  const double z = 2 * triad_random_uniform(a, 0) - 1, angle = 2 * TRIAD_PI * triad_random_uniform(a, 1),
               across = sqrt(1 - z * z);
  x[0] += distance * across * cos(angle);
  x[1] += distance * across * sin(angle);
  x[2] += distance * z;
}

/* Along each axis the number whose spacing is nearest to that of all. */
int triad_start_lattice(int64_t count, const double length[3], int64_t n[3])
{
  const double per_length = cbrt((double)count / (length[0] * length[1] * length[2]));
  for (int a = 0; a < 3; a++) {
    n[a] = llround(length[a] * per_length);
    if (n[a] < 1) n[a] = 1;
  }
  return n[0] * n[1] * n[2] == count;
}

static int open_file(const triad_case *given, int number, triad_h5 **file, char **path, int *n_dims, int64_t *dims)
{
  char k[96];
  *file = NULL;
  *path = triad_case_path(given, key(k, number, "file"));
  if (!*path) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the path of a file of particles");
  TRIAD_TRY(triad_h5_open(file, *path));
  TRIAD_TRY(triad_h5_dims(*file, "position", n_dims, dims, NULL));
  if ((*n_dims != 2 && *n_dims != 3) || dims[*n_dims - 1] != 3)
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: its dataset position is not (particle, 3), nor (time, particle, 3)", *path);
  if (dims[0] > 0 && dims[*n_dims - 2] > 0) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: its dataset position contains no particles", *path);
}

int triad_start_count(const triad_case *given, int number, int64_t *count)
{
  triad_h5 *file;
  char *path;
  int n_dims = 0;
  int64_t dims[TRIAD_H5_DIMS] = {0};
  int st = open_file(given, number, &file, &path, &n_dims, dims);
  if (st == TRIAD_OK) *count = dims[n_dims - 2];
  free(path);
  return triad_h5_close(&file, st);
}

int64_t triad_start_planned(const triad_case *given, int number)
{
  char k[96];
  int64_t count = triad_case_integer(given, key(k, number, "count"));
  if (count == 0 && triad_start_count(given, number, &count) != TRIAD_OK) triad_message_clear();
  return count;
}

static int read_places(const triad_group *g, const triad_case *given, const double length[3], int64_t begin,
                       int64_t end, double *rows)
{
  triad_h5 *file;
  char *path;
  int n_dims = 0;
  int64_t dims[TRIAD_H5_DIMS] = {0}, first[3] = {0}, count[3] = {1, end - begin, 3};
  double *x = malloc((size_t)(3 * (end - begin) + 1) * sizeof *x);
  int st = x ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "%" PRId64 " particles", end - begin);
  int opened = open_file(given, g->number, &file, &path, &n_dims, dims);
  if (st == TRIAD_OK) st = opened;
  if (st == TRIAD_OK && dims[n_dims - 2] < g->count)
    st = TRIAD_FAIL(TRIAD_ERR_CASE,
                    "%s has %" PRId64 " particles, but the case has %" PRId64 ": use at most those of the file", path,
                    dims[n_dims - 2], g->count);
  first[0] = dims[0] - 1;
  first[1] = begin;
  const int skip = n_dims == 2;
  if (st == TRIAD_OK && end > begin) st = triad_h5_read(file, "position", n_dims, first + skip, count + skip, 8, x);
  for (int64_t i = 0; st == TRIAD_OK && i < end - begin; i++)
    for (int a = 0; a < 3; a++) {
      rows[i * g->width + TRIAD_PARTICLE_X + a] = x[3 * i + a];
      if (!(fabs(x[3 * i + a]) < 1e6 * length[a]))
        st =
          TRIAD_FAIL(TRIAD_ERR_CASE,
                     "%s: particle %" PRId64 " is at %g along %c, which is not in a box of length %g: correct the file",
                     path, begin + i, x[3 * i + a], "xyz"[a], length[a]);
    }
  free(x);
  free(path);
  return triad_h5_close(&file, st);
}

int triad_start_places(const triad_group *g, const triad_case *c, const double length[3], int64_t begin, int64_t end,
                       double *rows)
{
  char k[96];
  const uint64_t seed_key =
    triad_random_key((uint64_t)triad_case_integer(c, key(k, g->number, "seed")), TRIAD_STREAM_PARTICLES);
  const double distance = triad_case_real(c, key(k, g->number, "separation"));
  const char *start = key(k, g->number, "start");
  const int pairs = triad_case_is(c, start, "pairs"), lattice = triad_case_is(c, start, "lattice");
  int64_t n[3] = {1, 1, 1};
  if (triad_case_is(c, start, "file")) return read_places(g, c, length, begin, end, rows);
  if (lattice) (void)triad_start_lattice(g->count, length, n);
  for (int64_t i = begin; i < end; i++) {
    double *x = rows + (i - begin) * g->width + TRIAD_PARTICLE_X;
    if (lattice) {
      x[0] = ((double)(i % n[0]) + 0.5) * length[0] / (double)n[0];
      x[1] = ((double)(i / n[0] % n[1]) + 0.5) * length[1] / (double)n[1];
      x[2] = ((double)(i / n[0] / n[1]) + 0.5) * length[2] / (double)n[2];
    } else {
      anywhere(seed_key, pairs ? i / 2 : i, length, x);
      if (pairs && i % 2) beside(seed_key, i / 2, distance, x);
    }
  }
  return TRIAD_OK;
}
