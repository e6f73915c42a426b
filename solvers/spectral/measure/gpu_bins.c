#include "solvers/spectral/measure/gpu_bins.h"

#include "grid/shells.h"

#include <stdlib.h>
#include <string.h>

/* On the host, before they go to the device. */
typedef struct tables {
  int32_t *offset, *column, *group; /* group: of each column */
  double *across2;
} tables;

static int take(tables *t, int64_t groups, const triad_layout *l)
{
  memset(t, 0, sizeof *t);
  t->offset = calloc((size_t)groups + 1, sizeof *t->offset);
  t->column = calloc((size_t)l->lanes, sizeof *t->column);
  t->group = calloc((size_t)l->lanes, sizeof *t->group);
  t->across2 = calloc((size_t)l->lanes, sizeof *t->across2);
  return t->offset && t->column && t->group && t->across2 ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "tables of bins");
}

static void drop(tables *t)
{
  free(t->offset);
  free(t->column);
  free(t->group);
  free(t->across2);
}

/* Columns in order of their groups. */
static void sort(tables *t, int64_t groups, const triad_layout *l)
{
  for (int64_t c = 0; c < l->n_columns; c++) t->offset[t->group[c] + 1]++;
  for (int64_t g = 0; g < groups; g++) t->offset[g + 1] += t->offset[g];
  for (int64_t c = 0; c < l->n_columns; c++) t->column[t->offset[t->group[c]]++] = (int32_t)c;
  for (int64_t g = groups; g > 0; g--) t->offset[g] = t->offset[g - 1]; /* each had moved on to the next */
  t->offset[0] = 0;
}

static int put(triad_device *d, int64_t n, size_t size, const void *host, const void **table)
{
  void *to;
  int st = triad_device_take(d, "bins", n, size, &to);
  *table = to;
  return st == TRIAD_OK ? triad_device_put(d, to, host, n * (int64_t)size) : st;
}

static int finish(triad_gpu_bins *out, triad_device *d, const triad_layout *l, tables *t)
{
  sort(t, out->n_groups, l);
  int st = put(d, out->n_groups + 1, sizeof *t->offset, t->offset, (const void **)&out->offset);
  if (st == TRIAD_OK) st = put(d, l->lanes, sizeof *t->column, t->column, (const void **)&out->column);
  if (st == TRIAD_OK) st = put(d, l->lanes, sizeof *t->across2, t->across2, (const void **)&out->across2);
  return st;
}

int triad_gpu_shells_create(triad_gpu_bins *out, triad_device *device, const triad_layout *l)
{
  tables t;
  *out = (triad_gpu_bins){.n_groups = 1, .n_bins = triad_shell_count(&l->grid), .width = triad_grid_k_min(&l->grid)};
  int st = take(&t, 1, l);
  for (int64_t c = 0; st == TRIAD_OK && c < l->n_columns; c++) t.across2[c] = triad_bin_square(l->wx[c], l->wy[c]);
  if (st == TRIAD_OK) st = finish(out, device, l, &t);
  drop(&t);
  return st;
}

int triad_gpu_about_create(triad_gpu_bins *out, triad_device *device, const triad_layout *l, const triad_bins *b)
{
  tables t;
  int z = b->axis == 2;
  *out = (triad_gpu_bins){.n_groups = z ? b->rings : b->planes, .n_bins = z ? b->planes : b->rings,
                          .width = z ? b->plane_width : b->ring_width};
  int st = take(&t, out->n_groups, l);
  for (int64_t c = 0; st == TRIAD_OK && c < l->n_columns; c++) {
    const double w[3] = {l->wx[c], l->wy[c], 0}, across = w[b->axis == 0];
    t.group[c] = (int32_t)(z ? triad_bins_ring(b, w) : triad_bins_plane(b, w[b->axis]));
    t.across2[c] = z ? 0 : across * across;
  }
  if (st == TRIAD_OK) st = finish(out, device, l, &t);
  drop(&t);
  return st;
}

void triad_gpu_bins_destroy(triad_gpu_bins *b, triad_device *device)
{
  void *taken[] = {(void *)(uintptr_t)b->offset, (void *)(uintptr_t)b->column, (void *)(uintptr_t)b->across2};
  for (int i = 0; i < 3; i++) triad_device_give(device, &taken[i]);
  memset(b, 0, sizeof *b);
}
