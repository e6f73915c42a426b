/* Hold the factors exp(i k.s) of a shifted grid on a GPU: a table for each axis, and three numbers for each column
 * that point into the tables. */
#include "fft/gpu/gpu_shift.h"
#include "fft/gpu/gpu_lines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct triad_gpu_shifts {
  triad_device *device;
  const triad_layout *layout;
  int32_t *kx, *ky;           /* [columns] */
  triad_cplx *host, *factors; /* of x, y, z one after the other: the host's, the GPU's */
  int64_t n[3];               /* of them */
  double cells[3];
  int made;
};

/* Factors of kx = 0 .. Kx, of ky = -Ky .. Ky, of every kz. */
static int64_t count_of(const triad_layout *l, int64_t n[3])
{
  n[0] = l->grid.kmax[0] + 1;
  n[1] = 2 * l->grid.kmax[1] + 1;
  n[2] = l->nkz;
  return n[0] + n[1] + n[2];
}

int64_t triad_gpu_shifts_bytes(const triad_layout *l, int64_t columns)
{
  int64_t n[3];
  if (!l->grid.shifted) return 0;
  return count_of(l, n) * (int64_t)sizeof(triad_cplx) + 2 * columns * (int64_t)sizeof(int32_t);
}

/* Numbers of a column's factors; in padding those of 0. */
static int make_numbers(triad_gpu_shifts *s, int64_t columns)
{
  const triad_layout *l = s->layout;
  const int64_t held = l->n_blocks * l->lanes;
  int32_t *kx = calloc((size_t)columns + 1, sizeof *kx), *ky = calloc((size_t)columns + 1, sizeof *ky);
  int st = kx && ky ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "numbers of columns");
  for (int64_t c = 0; st == TRIAD_OK && c < columns; c++) {
    kx[c] = c < held ? l->kx[c] : 0;
    ky[c] = (c < held ? l->ky[c] : 0) + (int32_t)l->grid.kmax[1];
  }
  if (st == TRIAD_OK) st = triad_device_table(s->device, "shifts", columns, sizeof *kx, kx, (void **)&s->kx);
  if (st == TRIAD_OK) st = triad_device_table(s->device, "shifts", columns, sizeof *ky, ky, (void **)&s->ky);
  free(kx);
  free(ky);
  return st;
}

int triad_gpu_shifts_create(triad_gpu_shifts **out, triad_device *device, const triad_layout *layout, int64_t columns)
{
  *out = NULL;
  if (!layout->grid.shifted) return TRIAD_OK;
  triad_gpu_shifts *s = *out = calloc(1, sizeof *s);
  if (!s) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "shifts");
  s->device = device;
  s->layout = layout;
  const int64_t factors = count_of(layout, s->n);
  s->host = calloc((size_t)factors, sizeof *s->host);
  int st = s->host ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "shifts");
  if (st == TRIAD_OK) st = triad_device_alloc(device, "shifts", factors, sizeof *s->factors, (void **)&s->factors);
  if (st == TRIAD_OK) st = make_numbers(s, columns);
  if (st != TRIAD_OK) triad_gpu_shifts_destroy(out);
  return st;
}

void triad_gpu_shifts_destroy(triad_gpu_shifts **shifts)
{
  if (!shifts || !*shifts) return;
  triad_gpu_shifts *s = *shifts;
  void **taken[] = {(void **)&s->kx, (void **)&s->ky, (void **)&s->factors};
  for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) triad_device_free(s->device, taken[i]);
  free(s->host);
  free(s);
  *shifts = NULL;
}

/* exp(2 pi i k cells/n) of the modes of an axis, in the order of `along`. */
static void fill_factors(const triad_gpu_shifts *s, int axis, triad_cplx *to)
{
  const triad_layout *l = s->layout;
  for (int64_t i = 0; i < s->n[axis]; i++) {
    const int64_t k = axis == 0 ? i : axis == 1 ? i - l->grid.kmax[1] : l->kz[i];
    const double angle = 2 * TRIAD_PI * s->cells[axis] / (double)l->grid.n[axis] * (double)k;
    to[i] = (triad_cplx){(triad_real)cos(angle), (triad_real)sin(angle)};
  }
}

int triad_gpu_shifts_hold(const triad_gpu_shifts *s, const double *cells)
{
  return s && cells && s->made && memcmp(s->cells, cells, sizeof s->cells) == 0;
}

int triad_gpu_shifts_set(triad_gpu_shifts *s, const double *cells, triad_gpu_shift *out)
{
  *out = (triad_gpu_shift){.along = {NULL}};
  if (!s || !cells || (cells[0] == 0 && cells[1] == 0 && cells[2] == 0)) return TRIAD_OK;
  if (!triad_gpu_shifts_hold(s, cells)) {
    memcpy(s->cells, cells, sizeof s->cells);
    for (int64_t axis = 0, at = 0; axis < 3; at += s->n[axis++]) fill_factors(s, (int)axis, s->host + at);
    TRIAD_TRY(
      triad_device_put(s->device, s->factors, s->host, (s->n[0] + s->n[1] + s->n[2]) * (int64_t)sizeof *s->host));
    s->made = 1;
  }
  *out = (triad_gpu_shift){
    .along = {s->factors, s->factors + s->n[0], s->factors + s->n[0] + s->n[1]}, .kx = s->kx, .ky = s->ky};
  return TRIAD_OK;
}
