#include "solvers/weno/tile.h"

#include <omp.h>

static void sweeps(const triad_weno_tile *t)
{
  const triad_weno *w = t->w;
  int first = 1, central = w->setup.form == TRIAD_WENO_CENTRAL;
  for (int axis = 0; axis < 3; axis++)
    if (w->setup.n[axis] > 1) {
      (central ? triad_weno_central_sweep : triad_weno_sweep)(t, axis, first);
      first = 0;
    }
  if (w->setup.viscosity > 0)
    for (int axis = 0; axis < 3; axis++)
      if (w->setup.n[axis] > 1) (central ? triad_weno_viscous_faces_sweep : triad_weno_viscous_sweep)(t, axis);
}

static void put_row(const triad_weno_update *p, int f, int64_t at, int64_t n, const triad_real *rate)
{
  triad_real *out = p->out[f] + at;
  const triad_real *x = p->x[f] + at, x_part = p->x_part, y_part = p->y_part, rate_part = p->rate_part;
  if (p->sum) {
    triad_real *sum = p->sum[f] + at, sum_part = p->sum_part;
    const triad_real *from = p->from[f] + at;
#pragma omp simd
    for (int64_t i = 0; i < n; i++) sum[i] = from[i] + sum_part * rate[i];
  }
  if (p->y) {
    const triad_real *y = p->y[f] + at;
#pragma omp simd
    for (int64_t i = 0; i < n; i++) out[i] = x_part * x[i] + y_part * y[i] + rate_part * rate[i];
  } else {
#pragma omp simd
    for (int64_t i = 0; i < n; i++) out[i] = x_part * x[i] + rate_part * rate[i];
  }
}

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

void triad_weno_tiles(triad_weno *w, triad_real *const *u, const triad_box *box, const triad_weno_update *update)
{
  int64_t size[3] = {TRIAD_WENO_LANES, TRIAD_WENO_TILE_Y, TRIAD_WENO_TILE_Z}, tiles[3], all = 1;
  for (int i = 0; i < 3; i++) {
    tiles[i] = box->high[i] > box->low[i] ? (box->high[i] - box->low[i] + size[i] - 1) / size[i] : 0;
    all *= tiles[i];
  }
#pragma omp parallel for schedule(dynamic) num_threads(triad_weno_threads(w, triad_box_points(box)))
  for (int64_t number = 0; number < all; number++) {
    triad_weno_tile t = {.w = w, .u = u, .s = w->scratch + omp_get_thread_num(), .dt = update->dt};
    const int64_t at[3] = {number % tiles[0], number / tiles[0] % tiles[1], number / tiles[0] / tiles[1]};
    for (int i = 0; i < 3; i++) {
      t.low[i] = box->low[i] + at[i] * size[i];
      t.n[i] = least(size[i], box->high[i] - t.low[i]);
    }
    sweeps(&t);
    for (int f = 0; f < TRIAD_WENO_FIELDS; f++)
      for (int64_t z = 0; z < t.n[2]; z++)
        for (int64_t y = 0; y < t.n[1]; y++)
          put_row(update, f, triad_weno_place(&t, y, z), t.n[0], triad_weno_rate(&t, f, y, z));
    if (omp_get_thread_num() == 0) triad_halo_progress(w->halo);
  }
}
