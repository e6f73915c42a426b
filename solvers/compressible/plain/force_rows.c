/* Evaluate random accelerations along a row of points as a sum over the modes of a band. */
#include "solvers/compressible/plain/force_rows.h"
#include "base/precision.h"
#include "solvers/compressible/points/wave_points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int triad_gas_waves_create(triad_gas_waves *p, const triad_context *context, const triad_compressible_setup *s,
                           const triad_partition *b, const double band[2])
{
  triad_memory *m = context->memory;
  triad_grid grid;
  TRIAD_TRY(triad_grid_init(&grid, s->n, s->length, TRIAD_BOX));
  TRIAD_TRY(triad_noise_create(&p->noise, m, &grid, band, "forcing.k_range"));
  for (int i = 0; i < 3; i++) {
    p->points[i] = b->local[i];
    for (int64_t k = 0; k < p->noise.count; k++)
      if (llabs(p->noise.k[k][i]) > p->most[i]) p->most[i] = llabs(p->noise.k[k][i]);
    TRIAD_TRY(TRIAD_ALLOC(m, "forcing", 2 * (p->most[i] + 1) * b->local[i], &p->wave[i]));
    for (int64_t k = 0; k <= p->most[i]; k++)
      for (int64_t j = 0; j < b->local[i]; j++) {
        const double angle = 2 * TRIAD_PI * (double)(k * (b->begin[i] + j) % s->n[i]) / (double)s->n[i];
        p->wave[i][2 * (k * b->local[i] + j)] = cos(angle);
        p->wave[i][2 * (k * b->local[i] + j) + 1] = sin(angle);
      }
  }
  return TRIAD_ALLOC(m, "forcing", context->threads * (p->most[0] + 1) * 6, &p->room);
}

void triad_gas_waves_free(triad_gas_waves *p, triad_memory *m)
{
  triad_noise_free(&p->noise, m);
  for (int i = 0; i < 3; i++) TRIAD_FREE(m, &p->wave[i]);
  TRIAD_FREE(m, &p->room);
}

static void wave_at(const triad_gas_waves *p, int axis, int64_t k, int64_t j, double *re, double *im)
{
  triad_gas_wave_at(p->wave[axis], p->points[axis], k, j, re, im);
}

/* Modes are few, and those of one kx add up before points are visited: a = 2 Re sum over kx of e^{i kx x} C(kx), as
 * each mode stands for its conjugate too. */
void triad_gas_waves_row(const triad_gas_waves *p, int thread, int64_t y, int64_t z, double *const a[3])
{
  const int64_t n = p->points[0], kinds = p->most[0] + 1;
  double *sum = p->room + 6 * kinds * thread;
  memset(sum, 0, (size_t)(6 * kinds) * sizeof *sum);
  for (int64_t m = 0; m < p->noise.count; m++) {
    double yr, yi, zr, zi;
    const int64_t *k = p->noise.k[m];
    const double *f = p->noise.normal + 6 * m;
    wave_at(p, 1, k[1], y, &yr, &yi);
    wave_at(p, 2, k[2], z, &zr, &zi);
    const double re = yr * zr - yi * zi, im = yr * zi + yi * zr;
    for (int c = 0; c < 3; c++) {
      sum[6 * k[0] + 2 * c] += 2 * p->size * (f[2 * c] * re - f[2 * c + 1] * im);
      sum[6 * k[0] + 2 * c + 1] += 2 * p->size * (f[2 * c] * im + f[2 * c + 1] * re);
    }
  }
  for (int c = 0; c < 3; c++) memset(a[c], 0, (size_t)n * sizeof *a[c]);
  for (int64_t k = 0; k < kinds; k++) {
    const double *wave = p->wave[0] + 2 * k * n;
    for (int c = 0; c < 3; c++) {
      const double re = sum[6 * k + 2 * c], im = sum[6 * k + 2 * c + 1];
      for (int64_t x = 0; x < n; x++) a[c][x] += re * wave[2 * x] - im * wave[2 * x + 1];
    }
  }
}
