/* A stage: fluxes of all faces of a tile, row by row, each once, and the cells that they change. */
#include "solvers/multiblock/sweep.h"

#include <omp.h>
#include <string.h>

/* What a thread works in. */
typedef struct desk {
  triad_real step[TRIAD_MB_WIDTH];
  triad_mb_area_row area;
  triad_mb_row change, down, up, flux, j_up, j_flux, k_up[TRIAD_MB_ROWS], k_flux[TRIAD_MB_ROWS];
} desk;

int64_t triad_mb_work_size(void) { return (int64_t)(sizeof(desk) / sizeof(triad_real)); }

typedef struct tile_work {
  triad_mb_flow *f;
  const triad_zone_part *part;
  const triad_mb_tile *tile;
  desk *d;
  int64_t n; /* cells of a row */
} tile_work;

/* Place of the first cell of row (j, k) of the tile. */
static int64_t place_of(const tile_work *w, int64_t j, int64_t k)
{
  return w->part->origin + w->tile->low[0] + j * w->part->stride[1] + k * w->part->stride[2];
}

/* Boundary faces have fluxes of their own: along a row of faces across j or k, whose first is at (i0, other). */
static void put_boundary(const tile_work *w, int side, int64_t first, int64_t step, int64_t n, triad_mb_row flux)
{
  const int32_t *map = w->f->map[6 * w->tile->part + side];
  if (!map) return;
  for (int64_t l = 0; l < n; l++) {
    int32_t face = map[first + l * step];
    for (int m = 0; face >= 0 && m < TRIAD_MB_FIELDS; m++) flux[m][l] = w->f->face_flux[m][face];
  }
}

/* Fluxes between states l and r through the lower faces across an axis of n cells in a row. */
static void find_fluxes(const tile_work *w, int axis, int64_t at, int64_t n, triad_mb_row l, triad_mb_row r, int skip_r,
                        triad_mb_row flux)
{
  const triad_real *s[3];
  triad_mb_area_rows(w->f, w->part, axis, at, n, w->d->area, s);
  triad_mb_face_row(w->f, s, n, l, r, skip_r, flux);
}

static void diffuse(const tile_work *w, int axis, int64_t at, int64_t n, triad_mb_row flux)
{
  if (w->f->viscosity) triad_mb_diffuse_row(w->f, w->part, axis, at, n, flux);
}

/* change += upper - lower. */
static void add(triad_mb_row change, triad_mb_row upper, int skip, triad_mb_row lower, int64_t n)
{
  for (int m = 0; m < TRIAD_MB_FIELDS; m++) {
    triad_real *restrict c = change[m], *restrict up = upper[m] + skip, *restrict low = lower[m];
#pragma omp simd
    for (int64_t l = 0; l < n; l++) c[l] += up[l] - low[l];
  }
}

static void along_i(const tile_work *w, int64_t j, int64_t k)
{
  desk *d = w->d;
  const triad_zone_part *p = w->part;
  const int64_t at = place_of(w, j, k), n = w->n, other = j + p->n[1] * k;
  triad_mb_reach_row(w->f, 0, at - 1, 1, n + 2, d->down, d->up);
  find_fluxes(w, 0, at, n + 1, d->up, d->down, 1, d->flux);
  if (w->tile->low[0] == 0) put_boundary(w, 0, other, 1, 1, d->flux);
  if (w->tile->high[0] == p->n[0] && w->f->map[6 * w->tile->part + 1]) {
    int32_t face = w->f->map[6 * w->tile->part + 1][other];
    for (int m = 0; face >= 0 && m < TRIAD_MB_FIELDS; m++) d->flux[m][n] = w->f->face_flux[m][face];
  }
  diffuse(w, 0, at, n + 1, d->flux);
  for (int m = 0; m < TRIAD_MB_FIELDS; m++) {
    triad_real *restrict c = d->change[m], *restrict flux = d->flux[m];
#pragma omp simd
    for (int64_t l = 0; l < n; l++) c[l] += flux[l + 1] - flux[l];
  }
}

/* Flux through the lower faces across j of row (j, k), between what row j - 1 has at its upper faces and this row's lower. */
static void face_j(const tile_work *w, int64_t j, int64_t k, triad_mb_row flux)
{
  const int64_t at = place_of(w, j, k), first = w->tile->low[0] + w->part->n[0] * k;
  find_fluxes(w, 1, at, w->n, w->d->j_up, w->d->down, 0, flux);
  if (j == 0) put_boundary(w, 2, first, 1, w->n, flux);
  if (j == w->part->n[1]) put_boundary(w, 3, first, 1, w->n, flux);
  diffuse(w, 1, at, w->n, flux);
}

static void face_k(const tile_work *w, int64_t j, int64_t k, triad_mb_row flux)
{
  const int64_t at = place_of(w, j, k), first = w->tile->low[0] + w->part->n[0] * j;
  find_fluxes(w, 2, at, w->n, w->d->k_up[j - w->tile->low[1]], w->d->down, 0, flux);
  if (k == 0) put_boundary(w, 4, first, 1, w->n, flux);
  if (k == w->part->n[2]) put_boundary(w, 5, first, 1, w->n, flux);
  diffuse(w, 2, at, w->n, flux);
}

static void reach_j(const tile_work *w, int64_t j, int64_t k, triad_mb_row up)
{
  triad_mb_reach_row(w->f, 1, place_of(w, j, k), w->part->stride[1], w->n, w->d->down, up);
}

static void reach_k(const tile_work *w, int64_t j, int64_t k, triad_mb_row up)
{
  triad_mb_reach_row(w->f, 2, place_of(w, j, k), w->part->stride[2], w->n, w->d->down, up);
}

/* The fluxes below the first row of a plane; those below the first plane of the tile. */
static void start_j(const tile_work *w, int64_t k)
{
  desk *d = w->d;
  int64_t j = w->tile->low[1];
  reach_j(w, j - 1, k, d->j_up);
  reach_j(w, j, k, d->up);
  face_j(w, j, k, d->j_flux);
  memcpy(d->j_up, d->up, sizeof d->up);
}

static void start_k(const tile_work *w)
{
  desk *d = w->d;
  int64_t k = w->tile->low[2], first = w->tile->low[1];
  for (int64_t j = first; j < w->tile->high[1]; j++) {
    reach_k(w, j, k - 1, d->k_up[j - first]);
    reach_k(w, j, k, d->up);
    face_k(w, j, k, d->k_flux[j - first]);
    memcpy(d->k_up[j - first], d->up, sizeof d->up);
  }
}

/* u = start u0 + last u - rate dt/V R. */
static void change_row(const tile_work *w, int64_t j, int64_t k, triad_mb_stage *stage)
{
  triad_mb_flow *f = w->f;
  const int64_t at = place_of(w, j, k), n = w->n;
  const triad_real start = stage->start, last = stage->last, rate = stage->rate, cfl = stage->cfl, dt = stage->dt;
  const triad_real *restrict volume = f->volume + at, *restrict given = f->step + at;
  triad_real *restrict step = w->d->step;
#pragma omp simd
  for (int64_t l = 0; l < n; l++) step[l] = dt > 0 ? dt / volume[l] : cfl > 0 ? cfl / given[l] : given[l];
  for (int m = 0; m < TRIAD_MB_FIELDS; m++) {
    triad_real *restrict u = f->u[m] + at, *restrict u0 = f->u0[m] + at, *restrict c = w->d->change[m];
    const triad_real *restrict source = f->source[m] ? f->source[m] + at : NULL;
    double square = 0;
    if (source)
      for (int64_t l = 0; l < n; l++) c[l] -= source[l];
    if (stage->first) {
#pragma omp simd reduction(+ : square)
      for (int64_t l = 0; l < n; l++) {
        square += (double)c[l] * (double)c[l] / (double)volume[l];
        u0[l] = u[l];
        u[l] = (start + last) * u0[l] - rate * step[l] * c[l];
      }
      stage->squares[m] += square;
    } else {
#pragma omp simd
      for (int64_t l = 0; l < n; l++) u[l] = start * u0[l] + last * u[l] - rate * step[l] * c[l];
    }
  }
}

static void do_row(const tile_work *w, int64_t j, int64_t k, int flat, triad_mb_stage *stage)
{
  desk *d = w->d;
  const int64_t row = j - w->tile->low[1];
  for (int m = 0; m < TRIAD_MB_FIELDS; m++) memset(d->change[m], 0, (size_t)w->n * sizeof(triad_real));
  if (flat != 0) along_i(w, j, k);
  if (flat != 1) {
    reach_j(w, j + 1, k, d->up);
    face_j(w, j + 1, k, d->flux);
    add(d->change, d->flux, 0, d->j_flux, w->n);
    memcpy(d->j_flux, d->flux, sizeof d->flux);
    memcpy(d->j_up, d->up, sizeof d->up);
  }
  if (flat != 2) {
    reach_k(w, j, k + 1, d->up);
    face_k(w, j, k + 1, d->flux);
    add(d->change, d->flux, 0, d->k_flux[row], w->n);
    memcpy(d->k_flux[row], d->flux, sizeof d->flux);
    memcpy(d->k_up[row], d->up, sizeof d->up);
  }
  change_row(w, j, k, stage);
}

static void do_tile(triad_mb_flow *f, const triad_mb_tile *tile, desk *d, triad_mb_stage *stage)
{
  const triad_zone_part *part = f->part[tile->part];
  const tile_work w = {.f = f, .part = part, .tile = tile, .d = d, .n = tile->high[0] - tile->low[0]};
  const int flat = f->zones->zone[part->zone].flat;
  if (flat != 2) start_k(&w);
  for (int64_t k = tile->low[2]; k < tile->high[2]; k++) {
    if (flat != 1) start_j(&w, k);
    for (int64_t j = tile->low[1]; j < tile->high[1]; j++) do_row(&w, j, k, flat, stage);
  }
}

void triad_mb_sweep(triad_mb_flow *f, triad_mb_stage *stage, int first, int n)
{
  double squares[TRIAD_MB_FIELDS] = {0};
#pragma omp parallel num_threads(f->context->threads) reduction(+ : squares[:TRIAD_MB_FIELDS])
  {
    triad_mb_stage mine = *stage;
    desk *d = (desk *)(void *)(f->work + omp_get_thread_num() * f->work_size);
    memset(mine.squares, 0, sizeof mine.squares);
#pragma omp for schedule(static)
    for (int i = first; i < first + n; i++) {
      do_tile(f, &f->tile[i], d, &mine);
      if (omp_get_thread_num() == 0) triad_halo_progress(f->halo);
    }
    for (int m = 0; m < TRIAD_MB_FIELDS; m++) squares[m] += mine.squares[m];
  }
  for (int m = 0; m < TRIAD_MB_FIELDS; m++) stage->squares[m] += squares[m];
}
