/* Size the fine grid of the non-uniform transform, and sort the points by the tiles of that grid in a fixed order. */
#include "fft/at_points/at_points_fine.h"
#include "fft/at_points/at_points_internal.h"
#include "fft/at_points/at_points_kernel.h"

#include "base/status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { W = TRIAD_KERNEL_WIDTH, TILE = TRIAD_AT_TILE };

int64_t triad_at_grid_size(int64_t kmax)
{
  int64_t n = 2 * (2 * kmax + 1) > W ? 2 * (2 * kmax + 1) : W;
  for (;; n += 2) {
    int64_t rest = n;
    for (int p = 2; p < 8; p += p == 2 ? 1 : 2)
      while (rest % p == 0) rest /= p;
    if (rest == 1) return n;
  }
}

double triad_at_reduce(double x, double length)
{
  double r = fmod(x, length);
  if (r < 0) r += length;
  return r < length ? r : 0;
}

int triad_at_fine_create(triad_at_fine **out, const triad_layout *layout, int64_t points)
{
  int64_t tiles = 1;
  triad_at_fine *f = *out = calloc(1, sizeof *f);
  if (!f) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "values at points");
  f->points = points;
  for (int i = 0; i < 3; i++) {
    const int64_t k = layout->grid.kmax[i];
    f->n[i] = triad_at_grid_size(k);
    tiles *= f->tiles[i] = (f->n[i] - 1) / TILE + 1;
    f->undo[i] = malloc((size_t)(k + 1) * sizeof *f->undo[i]);
    if (!f->undo[i]) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%lld factors", (long long)k + 1);
    for (int64_t j = 0; j <= k; j++) f->undo[i][j] = triad_kernel_undo(j, f->n[i]);
  }
  triad_kernel_make(&f->kernel);
  f->place = malloc((size_t)(points + 1) * 3 * sizeof *f->place);
  f->order = malloc((size_t)(points + 1) * sizeof *f->order);
  f->key = malloc((size_t)(points + 1) * sizeof *f->key);
  f->end = calloc((size_t)tiles, sizeof *f->end);
  if (!f->place || !f->order || !f->key || !f->end)
    return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the order of %lld points", (long long)points);
  return TRIAD_OK;
}

void triad_at_fine_destroy(triad_at_fine **fine)
{
  triad_at_fine *f = *fine;
  if (!f) return;
  for (int i = 0; i < 3; i++) free(f->undo[i]);
  free(f->place);
  free(f->order);
  free(f->key);
  free(f->end);
  free(f);
  *fine = NULL;
}

static double place_of(const triad_at_fine *f, const triad_layout *l, const double *x, int axis)
{
  const double length = l->grid.length[axis], place = triad_at_reduce(x[axis], length) / length * (double)f->n[axis];
  return place < (double)f->n[axis] ? place : 0;
}

/* By counting. Those of a tile stay in the order in which they came, so that every result is found the same way
 * again. */
void triad_at_fine_place(triad_at_fine *f, const triad_layout *l, const double *x, int threads)
{
  const int64_t tiles = f->tiles[0] * f->tiles[1] * f->tiles[2];
  memset(f->end, 0, (size_t)tiles * sizeof *f->end);
#pragma omp parallel for schedule(static) num_threads(threads)
  for (int64_t p = 0; p < f->points; p++) {
    int64_t key = 0;
    for (int i = 2; i >= 0; i--) key = key * f->tiles[i] + (int64_t)place_of(f, l, x + 3 * p, i) / TILE;
    f->key[p] = key;
  }
  for (int64_t p = 0; p < f->points; p++) f->end[f->key[p]]++;
  for (int64_t t = 0, before = 0; t < tiles; t++) {
    const int64_t count = f->end[t];
    f->end[t] = before;
    before += count;
  }
  for (int64_t p = 0; p < f->points; p++) f->order[f->end[f->key[p]]++] = p;
#pragma omp parallel for schedule(static) num_threads(threads)
  for (int64_t i = 0; i < f->points; i++)
    for (int a = 0; a < 3; a++) f->place[3 * i + a] = place_of(f, l, x + 3 * f->order[i], a);
}

int64_t triad_at_fine_before(const triad_at_fine *f, int64_t tile)
{
  return tile > 0 ? f->end[tile * f->tiles[0] * f->tiles[1] - 1] : 0;
}
