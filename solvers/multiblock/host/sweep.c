/* A stage: fluxes of all faces of a tile, row by row, each once, and the cells that they change. */
#include "solvers/multiblock/host/sweep.h"
#include "solvers/multiblock/points/boundary_points.h"

#include "solvers/multiblock/host/rates.h"
#include "solvers/multiblock/host/rows.h"

#include <math.h>
#include <omp.h>
#include <string.h>

/* What a thread works in. */
typedef struct desk {
  triad_laps laps;
  triad_real step[TRIAD_MULTIBLOCK_WIDTH], per_volume[TRIAD_MULTIBLOCK_WIDTH];
  triad_multiblock_area_row area;
  triad_multiblock_row none, state, down, up, i_flux, j_up[2], j_flux[2], k_up[TRIAD_MULTIBLOCK_ROWS + 1],
    k_flux[TRIAD_MULTIBLOCK_ROWS + 1];
} desk;

int64_t triad_multiblock_work_size(void) { return (int64_t)(sizeof(desk) / sizeof(triad_real)); }

/* A row of the desk. */
typedef triad_real (*row_of)[TRIAD_MULTIBLOCK_WIDTH];

typedef struct tile_work {
  triad_multiblock_flow *f;
  const triad_zone_part *part;
  const triad_multiblock_tile *tile;
  desk *d;
  int64_t n; /* cells of a row */
  /* what cells of the row before, and of the plane before by rows, have at their upper faces, and the fluxes there;
   * and room for what this row has, which then changes places with it */
  row_of j_up, j_flux, k_up[TRIAD_MULTIBLOCK_ROWS], k_flux[TRIAD_MULTIBLOCK_ROWS];
  row_of next_j_up, next_j_flux, next_k_up, next_k_flux;
} tile_work;

static void swap_rows(row_of *a, row_of *b)
{
  const row_of was = *a;
  *a = *b;
  *b = was;
}

/* Place of the first cell of row (j, k) of the tile. */
static int64_t place_of(const tile_work *w, int64_t j, int64_t k)
{
  return w->part->origin + w->tile->low[0] + j * w->part->stride[1] + k * w->part->stride[2];
}

/* Boundary faces have fluxes of their own: along a row of faces across j or k, whose first is at (i0, other). */
static void put_boundary(const tile_work *w, int side, int64_t first, int64_t step, int64_t n,
                         triad_multiblock_row flux)
{
  const int32_t *map = w->f->map[6 * w->tile->part + side];
  if (!map) return;
  for (int64_t l = 0; l < n; l++) {
    int32_t face = map[first + l * step];
    for (int m = 0; face >= 0 && m < TRIAD_MULTIBLOCK_FIELDS; m++) flux[m][l] = w->f->face_flux[m][face];
  }
}

/* After diffusion: no heat goes through faces that conduct none. Places as put_boundary has them, from place at of the
 * row of fluxes on. */
static void insulate(const tile_work *w, int side, int64_t first, int64_t step, int64_t at, int64_t n,
                     triad_multiblock_row flux)
{
  triad_multiblock_flow *f = w->f;
  const int32_t *map = f->map[6 * w->tile->part + side];
  if (!map || !f->viscosity) return;
  for (int64_t l = 0; l < n; l++) {
    const int32_t face = map[first + l * step];
    if (face < 0 || !triad_multiblock_insulates(&f->side[f->face[face].patch])) continue;
    const triad_real with[3] = {flux[1][at + l], flux[2][at + l], flux[3][at + l]};
    const triad_real without[3] = {f->face_flux[1][face], f->face_flux[2][face], f->face_flux[3][face]};
    flux[4][at + l] = triad_multiblock_insulated(&f->side[f->face[face].patch], with, without);
  }
}

/* Fluxes between states l and r through the lower faces across an axis of n cells in a row. */
static void find_fluxes(const tile_work *w, int axis, int64_t at, int64_t n, triad_multiblock_row l,
                        triad_multiblock_row r, int skip_r, triad_multiblock_row flux)
{
  const triad_real *s[3];
  triad_multiblock_area_rows(w->f, w->part, axis, at, n, w->d->area, s);
  triad_multiblock_face_row(w->f, s, n, l, r, skip_r, flux);
}

static void lap(const tile_work *w, int phase) { triad_laps_charge(&w->d->laps, phase); }

static void diffuse(const tile_work *w, int axis, int64_t at, int64_t n, triad_multiblock_row flux)
{
  if (w->f->viscosity) triad_multiblock_diffuse_row(w->f, w->part, axis, at, n, flux);
}

static void along_i(const tile_work *w, int64_t j, int64_t k)
{
  desk *d = w->d;
  const triad_zone_part *p = w->part;
  const int64_t at = place_of(w, j, k), n = w->n, other = j + p->n[1] * k;
  triad_multiblock_reach_row(w->f, 0, at - 1, 1, n + 2, d->down, d->up);
  lap(w, TRIAD_MULTIBLOCK_PHASE_STATES);
  find_fluxes(w, 0, at, n + 1, d->up, d->down, 1, d->i_flux);
  if (w->tile->low[0] == 0) put_boundary(w, 0, other, 1, 1, d->i_flux);
  if (w->tile->high[0] == p->n[0] && w->f->map[6 * w->tile->part + 1]) {
    int32_t face = w->f->map[6 * w->tile->part + 1][other];
    for (int m = 0; face >= 0 && m < TRIAD_MULTIBLOCK_FIELDS; m++) d->i_flux[m][n] = w->f->face_flux[m][face];
  }
  lap(w, TRIAD_MULTIBLOCK_PHASE_FLUXES);
  diffuse(w, 0, at, n + 1, d->i_flux);
  if (w->tile->low[0] == 0) insulate(w, 0, other, 1, 0, 1, d->i_flux);
  if (w->tile->high[0] == p->n[0]) insulate(w, 1, other, 1, n, 1, d->i_flux);
  if (w->f->viscosity) lap(w, TRIAD_MULTIBLOCK_PHASE_GRADIENTS);
}

/* Flux through the lower faces across j of row (j, k), between what row j - 1 has at its upper faces and this row's
 * lower. */
static void face_j(const tile_work *w, int64_t j, int64_t k, row_of up, row_of flux)
{
  const int64_t at = place_of(w, j, k), first = w->tile->low[0] + w->part->n[0] * k;
  find_fluxes(w, 1, at, w->n, up, w->d->down, 0, flux);
  if (j == 0) put_boundary(w, 2, first, 1, w->n, flux);
  if (j == w->part->n[1]) put_boundary(w, 3, first, 1, w->n, flux);
  lap(w, TRIAD_MULTIBLOCK_PHASE_FLUXES);
  diffuse(w, 1, at, w->n, flux);
  if (j == 0) insulate(w, 2, first, 1, 0, w->n, flux);
  if (j == w->part->n[1]) insulate(w, 3, first, 1, 0, w->n, flux);
  if (w->f->viscosity) lap(w, TRIAD_MULTIBLOCK_PHASE_GRADIENTS);
}

static void face_k(const tile_work *w, int64_t j, int64_t k, row_of up, row_of flux)
{
  const int64_t at = place_of(w, j, k), first = w->tile->low[0] + w->part->n[0] * j;
  find_fluxes(w, 2, at, w->n, up, w->d->down, 0, flux);
  if (k == 0) put_boundary(w, 4, first, 1, w->n, flux);
  if (k == w->part->n[2]) put_boundary(w, 5, first, 1, w->n, flux);
  lap(w, TRIAD_MULTIBLOCK_PHASE_FLUXES);
  diffuse(w, 2, at, w->n, flux);
  if (k == 0) insulate(w, 4, first, 1, 0, w->n, flux);
  if (k == w->part->n[2]) insulate(w, 5, first, 1, 0, w->n, flux);
  if (w->f->viscosity) lap(w, TRIAD_MULTIBLOCK_PHASE_GRADIENTS);
}

static void reach_j(const tile_work *w, int64_t j, int64_t k, row_of up)
{
  triad_multiblock_reach_row(w->f, 1, place_of(w, j, k), w->part->stride[1], w->n, w->d->down, up);
  lap(w, TRIAD_MULTIBLOCK_PHASE_STATES);
}

static void reach_k(const tile_work *w, int64_t j, int64_t k, row_of up)
{
  triad_multiblock_reach_row(w->f, 2, place_of(w, j, k), w->part->stride[2], w->n, w->d->down, up);
  lap(w, TRIAD_MULTIBLOCK_PHASE_STATES);
}

/* The fluxes below the first row of a plane; those below the first plane of the tile. */
static void start_j(tile_work *w, int64_t k)
{
  const int64_t j = w->tile->low[1];
  reach_j(w, j - 1, k, w->d->up);
  reach_j(w, j, k, w->j_up);
  face_j(w, j, k, w->d->up, w->j_flux);
}

static void start_k(tile_work *w)
{
  const int64_t k = w->tile->low[2], first = w->tile->low[1];
  for (int64_t j = first; j < w->tile->high[1]; j++) {
    reach_k(w, j, k - 1, w->d->up);
    reach_k(w, j, k, w->k_up[j - first]);
    face_k(w, j, k, w->d->up, w->k_flux[j - first]);
  }
}

/* Fluxes through the lower and upper faces of a row across i, j, k; the same twice across a flat axis. */
typedef struct around {
  const triad_real *low[3], *up[3];
} around;

static inline triad_real leaving(const around *a, int64_t l)
{
  return (a->up[0][l] - a->low[0][l]) + (a->up[1][l] - a->low[1][l]) + (a->up[2][l] - a->low[2][l]);
}

/* dt/V of a row, and 1/V. */
static void find_steps(const tile_work *w, int64_t at, const triad_multiblock_stage *stage)
{
  const triad_real *restrict volume = w->f->volume + at, *restrict given = w->f->step + at, cfl = stage->cfl,
                             dt = stage->dt;
  triad_real *restrict step = w->d->step, *restrict per_volume = w->d->per_volume;
  if (stage->number == 0 || dt > 0)
#pragma omp simd simdlen(TRIAD_MULTIBLOCK_LANES)
    for (int64_t l = 0; l < w->n; l++) per_volume[l] = 1 / volume[l];
#pragma omp simd simdlen(TRIAD_MULTIBLOCK_LANES)
  for (int64_t l = 0; l < w->n; l++) step[l] = dt > 0 ? dt * per_volume[l] : cfl > 0 ? cfl / given[l] : given[l];
}

/* to = start from + last to - rate dt/V R of a field; the sum of R^2/V where squares are wanted. */
static inline __attribute__((always_inline)) double change_field(const tile_work *w, const around *fluxes,
                                                                 const triad_real *source, triad_real start,
                                                                 triad_real last, triad_real rate,
                                                                 const triad_real *from, triad_real *to, int goes_on,
                                                                 int squares)
{
  const triad_real *restrict step = w->d->step, *restrict per_volume = w->d->per_volume;
  const around a = *fluxes;
  double square = 0;
#pragma omp simd simdlen(TRIAD_MULTIBLOCK_LANES) reduction(+ : square)
  for (int64_t l = 0; l < w->n; l++) {
    const triad_real c = leaving(&a, l) - source[l];
    if (squares) square += (double)c * (double)c * (double)per_volume[l];
    to[l] = goes_on ? start * from[l] + last * to[l] - rate * step[l] * c : start * from[l] - rate * step[l] * c;
  }
  return square;
}

static void change_row(const tile_work *w, int64_t at, const around *fluxes, triad_multiblock_stage *stage)
{
  triad_multiblock_flow *f = w->f;
  const triad_multiblock_leaves leaves = stage->leaves;
  const triad_real start = stage->start, last = stage->last, rate = stage->rate;
  triad_real *to[TRIAD_MULTIBLOCK_FIELDS], *q[TRIAD_MULTIBLOCK_FIELDS];
  find_steps(w, at, stage);
  for (int m = 0; m < TRIAD_MULTIBLOCK_FIELDS; m++) {
    triad_real *const u = f->u[m] + at, *const u0 = f->u0[m] + at;
    const triad_real *const source = f->source[m] ? f->source[m] + at : w->d->none[0];
    to[m] = leaves == TRIAD_MULTIBLOCK_PRIMITIVES ? w->d->state[m] : u;
    q[m] = u0;
    if (leaves == TRIAD_MULTIBLOCK_STATE && stage->number == 0) memcpy(u0, u, (size_t)w->n * sizeof *u);
    if (stage->number == 0)
      stage->squares[m] += change_field(w, &fluxes[m], source, start + last, 0, rate, u, to[m], 0, 1);
    else if (leaves == TRIAD_MULTIBLOCK_STATE) change_field(w, &fluxes[m], source, start, last, rate, u0, to[m], 1, 0);
    else change_field(w, &fluxes[m], source, start, 0, rate, u, to[m], 0, 0);
  }
  if (leaves == TRIAD_MULTIBLOCK_STATE) return;
  stage->bad += triad_multiblock_primitive_row(to, q, (triad_real)f->setup.gas.gamma, w->n);
  if (leaves == TRIAD_MULTIBLOCK_BOTH && !f->viscosity)
    stage->most = fmax(stage->most, triad_multiblock_rate_row(f, w->part, f->u0, at, w->n));
}

static void do_row(tile_work *w, int64_t j, int64_t k, int flat, triad_multiblock_stage *stage)
{
  const int64_t row = j - w->tile->low[1];
  const row_of none = w->d->none;
  around fluxes[TRIAD_MULTIBLOCK_FIELDS];
  if (flat != 0) along_i(w, j, k);
  if (flat != 1) {
    reach_j(w, j + 1, k, w->next_j_up);
    face_j(w, j + 1, k, w->j_up, w->next_j_flux);
    swap_rows(&w->j_up, &w->next_j_up);
  }
  if (flat != 2) {
    reach_k(w, j, k + 1, w->next_k_up);
    face_k(w, j, k + 1, w->k_up[row], w->next_k_flux);
    swap_rows(&w->k_up[row], &w->next_k_up);
  }
  for (int m = 0; m < TRIAD_MULTIBLOCK_FIELDS; m++)
    fluxes[m] = (around){.low = {flat != 0 ? w->d->i_flux[m] : none[m], flat != 1 ? w->j_flux[m] : none[m],
                                 flat != 2 ? w->k_flux[row][m] : none[m]},
                         .up = {flat != 0 ? w->d->i_flux[m] + 1 : none[m], flat != 1 ? w->next_j_flux[m] : none[m],
                                flat != 2 ? w->next_k_flux[m] : none[m]}};
  change_row(w, place_of(w, j, k), fluxes, stage);
  lap(w, TRIAD_MULTIBLOCK_PHASE_UPDATE);
  swap_rows(&w->j_flux, &w->next_j_flux);
  swap_rows(&w->k_flux[row], &w->next_k_flux);
}

static void do_tile(triad_multiblock_flow *f, const triad_multiblock_tile *tile, desk *d, triad_multiblock_stage *stage)
{
  const triad_zone_part *part = f->part[tile->part];
  tile_work w = {.f = f,
                 .part = part,
                 .tile = tile,
                 .d = d,
                 .n = tile->high[0] - tile->low[0],
                 .j_up = d->j_up[0],
                 .j_flux = d->j_flux[0],
                 .next_j_up = d->j_up[1],
                 .next_j_flux = d->j_flux[1],
                 .next_k_up = d->k_up[TRIAD_MULTIBLOCK_ROWS],
                 .next_k_flux = d->k_flux[TRIAD_MULTIBLOCK_ROWS]};
  const int flat = f->zones->zone[part->zone].flat;
  for (int i = 0; i < TRIAD_MULTIBLOCK_ROWS; i++) {
    w.k_up[i] = d->k_up[i];
    w.k_flux[i] = d->k_flux[i];
  }
  memset(d->none, 0, sizeof d->none);
  if (flat != 2) start_k(&w);
  for (int64_t k = tile->low[2]; k < tile->high[2]; k++) {
    if (flat != 1) start_j(&w, k);
    for (int64_t j = tile->low[1]; j < tile->high[1]; j++) do_row(&w, j, k, flat, stage);
  }
}

void triad_multiblock_sweep(triad_multiblock_flow *f, triad_multiblock_stage *stage, triad_multiblock_tiles tiles)
{
  const int first = tiles == TRIAD_MULTIBLOCK_LATE_TILES ? f->n_inner : 0,
            end = tiles == TRIAD_MULTIBLOCK_EARLY_TILES ? f->n_inner : f->n_tiles;
  double squares[TRIAD_MULTIBLOCK_FIELDS] = {0}, most = stage->most;
  int64_t bad = 0;
#pragma omp parallel num_threads(f->context->threads) reduction(+ : squares[:TRIAD_MULTIBLOCK_FIELDS], bad) \
  reduction(max : most)
  {
    triad_multiblock_stage mine = *stage;
    desk *d = (desk *)(void *)(f->work + omp_get_thread_num() * f->work_size);
    memset(mine.squares, 0, sizeof mine.squares);
    mine.bad = 0;
#pragma omp for schedule(static)
    for (int i = first; i < end; i++) {
      triad_laps_begin(&d->laps, triad_laps_sample(&f->laps, i - first));
      do_tile(f, &f->tile[i], d, &mine);
      if (omp_get_thread_num() == 0) triad_halo_progress(f->halo);
    }
    for (int m = 0; m < TRIAD_MULTIBLOCK_FIELDS; m++) squares[m] += mine.squares[m];
#pragma omp critical(triad_multiblock_laps)
    triad_laps_join(&f->laps, &d->laps);
    bad += mine.bad;
    most = fmax(most, mine.most);
  }
  for (int m = 0; m < TRIAD_MULTIBLOCK_FIELDS; m++) stage->squares[m] += squares[m];
  stage->bad += bad;
  stage->most = most;
  f->laps.tiles += end - first;
}
