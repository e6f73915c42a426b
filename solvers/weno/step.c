/* Steps: halos, boundaries and stages of the Runge-Kutta schemes (docs/numerics.md eq. 38, 39). */
#include "solvers/weno/own.h"

#include <math.h>

/* ---- a state's halo ---- */

static void primitives(triad_weno *w, triad_real *const *u, const triad_weno_box *box, const void *what)
{
  (void)what;
  triad_weno_primitives_of(w, u, box);
}

static void tiles(triad_weno *w, triad_real *const *u, const triad_weno_box *box, const void *what)
{
  triad_weno_tiles(w, u, box, what);
}

static double lap(double *since)
{
  double now = triad_now(), took = now - *since;
  *since = now;
  return took;
}

typedef void (*task)(triad_weno *w, triad_real *const *u, const triad_weno_box *box, const void *what);

/* Do what `all` has and `done` has not. */
static void shell(triad_weno *w, triad_real *const *u, triad_weno_box all, triad_weno_box done, task f, const void *what)
{
  triad_weno_box part[TRIAD_WENO_SHELL];
  int n = triad_weno_shell(&all, &done, part);
  for (int i = 0; i < n; i++) f(w, u, &part[i], what);
}

/* Points at either of `sides` ends of an axis of n that wait for another rank's halo, h at least. Tiles are cut there, and what two
 * tiles share is computed twice: as many points, then, as leave the fewest tiles between. */
static int64_t waiting(int64_t n, int sides, int64_t h, int64_t tile)
{
  int64_t best = h, fewest = INT64_MAX;
  for (int64_t m = h; sides > 0 && m <= tile && sides * m < n; m++) {
    int64_t tiles = (n - sides * m + tile - 1) / tile;
    if (tiles < fewest) best = m;
    if (tiles < fewest) fewest = tiles;
  }
  return best;
}

/* Own points that are worked at while halos travel. */
static triad_weno_box inner_box(const triad_weno *w)
{
  static const int64_t tile[3] = {TRIAD_WENO_LANES, TRIAD_WENO_TILE_Y, TRIAD_WENO_TILE_Z};
  const triad_partition *b = &w->blocks;
  int64_t margin[3];
  for (int i = 0; i < 3; i++) {
    int sides = 0;
    for (int upper = 0; upper < 2; upper++)
      sides += b->neighbour[i][upper] != TRIAD_NO_NEIGHBOUR && b->neighbour[i][upper] != b->rank;
    margin[i] = waiting(b->local[i], sides, b->halo[i], tile[i]);
  }
  return triad_weno_inner_box(b, margin);
}

/* Rates of `u` put to use, the interior while halos travel. known: primitives of the own points are there. Collective. */
static void rates(triad_weno *w, triad_real *const *u, int known, const triad_weno_update *update)
{
  double since = triad_now(), exchange = 0;
  triad_weno_box own = triad_weno_own_box(&w->blocks), near = triad_weno_near_box(&w->blocks);
  triad_weno_box inner = inner_box(w);
  triad_halo_begin(w->halo, u, TRIAD_WENO_FIELDS);
  exchange += lap(&since);
  triad_weno_fill(w, u);
  shell(w, u, near, known ? own : (triad_weno_box){{0}, {0}}, primitives, NULL);
  if (update) triad_weno_tiles(w, u, &inner, update);
  double work = lap(&since);
  triad_halo_end(w->halo);
  exchange += lap(&since);
  triad_weno_fill(w, u);
  shell(w, u, triad_weno_padded_box(&w->blocks), near, primitives, NULL);
  if (update) shell(w, u, own, inner, tiles, update);
  w->phases.s[TRIAD_PHASE_EXCHANGE] += exchange;
  w->phases.s[TRIAD_PHASE_POINTWISE] += work + lap(&since);
}

void triad_weno_bring(triad_weno *w) { rates(w, w->u, 0, NULL); }

/* ---- stages ---- */

enum { STATE, A, B, SUM };

/* A set of fields, where steps are taken. */
static triad_real *const *set_of(triad_weno *w, int number)
{
  if (w->gpu) return triad_weno_gpu_set(w, number);
  return number == STATE ? w->u : number == SUM ? w->sum : w->stage[number - A];
}

static int stage(triad_weno *w, triad_real *const *u, int known, const triad_weno_update *update)
{
  if (w->gpu) return triad_weno_gpu_stage(w, u, update);
  rates(w, u, known, update);
  return TRIAD_OK;
}

static int ssprk3(triad_weno *w, double dt)
{
  triad_real *const *u = set_of(w, STATE), *const *a = set_of(w, A), *const *b = set_of(w, B);
  const triad_real h = (triad_real)dt, third = TRIAD_R(1.0 / 3);
  triad_weno_update s1 = {.out = a, .x = u, .x_part = 1, .rate_part = h, .dt = h};
  triad_weno_update s2 = {.out = b,
                          .x = u,
                          .y = a,
                          .x_part = TRIAD_R(0.75),
                          .y_part = TRIAD_R(0.25),
                          .rate_part = h / 4,
                          .dt = h};
  triad_weno_update s3 = {.out = u,
                          .x = u,
                          .y = b,
                          .x_part = third,
                          .y_part = 2 * third,
                          .rate_part = 2 * third * h,
                          .dt = h};
  TRIAD_TRY(stage(w, u, 1, &s1));
  TRIAD_TRY(stage(w, a, 0, &s2));
  return stage(w, b, 0, &s3);
}

static int rk4(triad_weno *w, double dt)
{
  triad_real *const *u = set_of(w, STATE), *const *a = set_of(w, A), *const *b = set_of(w, B), *const *sum = set_of(w, SUM);
  const triad_real h = (triad_real)dt, sixth = TRIAD_R(dt / 6), third = TRIAD_R(dt / 3);
  triad_weno_update s1 = {.out = a, .x = u, .x_part = 1, .rate_part = h / 2, .sum = sum, .from = u, .sum_part = sixth, .dt = h};
  triad_weno_update s2 = {.out = b, .x = u, .x_part = 1, .rate_part = h / 2, .sum = sum, .from = sum, .sum_part = third, .dt = h};
  triad_weno_update s3 = {.out = a, .x = u, .x_part = 1, .rate_part = h, .sum = sum, .from = sum, .sum_part = third, .dt = h};
  triad_weno_update s4 = {.out = u, .x = sum, .x_part = 1, .rate_part = sixth, .dt = h};
  TRIAD_TRY(stage(w, u, 1, &s1));
  TRIAD_TRY(stage(w, a, 0, &s2));
  TRIAD_TRY(stage(w, b, 0, &s3));
  return stage(w, a, 0, &s4);
}

int triad_weno_rhs(triad_weno *w, triad_real *const *out)
{
  triad_weno_update only = {.out = w->gpu ? set_of(w, A) : out, .x = set_of(w, STATE), .rate_part = 1};
  int st = stage(w, set_of(w, STATE), 0, &only);
  if (st == TRIAD_OK && w->gpu) st = triad_weno_gpu_copy(w, A, out);
  return triad_agree(&w->context->comm, st);
}

/* ---- the look at a state ---- */

/* Note the first bad point of this rank: its place in the grid and what stands there. */
static int tell_bad(const triad_weno *w, int64_t step)
{
  const triad_partition *b = &w->blocks;
  for (int64_t z = 0; z < b->local[2]; z++)
    for (int64_t y = 0; y < b->local[1]; y++)
      for (int64_t x = 0; x < b->local[0]; x++) {
        int64_t i = triad_partition_at(b, x, y, z);
        triad_weno_primitive q =
            triad_weno_primitives(&w->gas, w->u[0][i], w->u[1][i], w->u[2][i], w->u[3][i], w->u[4][i]);
        if (triad_weno_is_gas(w->u[0][i], q)) continue;
        int64_t at[3] = {b->begin[0] + x, b->begin[1] + y, b->begin[2] + z};
        return TRIAD_FAIL(TRIAD_ERR_BLOWUP,
                          "step %lld: point (%lld, %lld, %lld) at (%.6g, %.6g, %.6g) is no gas any more: density %.6g, "
                          "velocity (%.6g, %.6g, %.6g), pressure %.6g",
                          (long long)step, (long long)at[0], (long long)at[1], (long long)at[2],
                          triad_weno_position(&w->setup, 0, at[0]), triad_weno_position(&w->setup, 1, at[1]),
                          triad_weno_position(&w->setup, 2, at[2]), (double)w->u[0][i], (double)q.u, (double)q.v,
                          (double)q.w, (double)(w->u[0][i] * q.T * w->gas.per_gamma));
      }
  return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "a bad point that cannot be found");
}

static int look(triad_weno *w, triad_weno_state_check *mine)
{
  if (w->gpu) return triad_weno_gpu_state_check_at(w, mine);
  triad_weno_box own = triad_weno_own_box(&w->blocks);
  triad_weno_primitives_of(w, w->u, &own);
  *mine = triad_weno_state_check_at(w, w->u);
  return TRIAD_OK;
}

/* All ranks' look, what became of this rank's work so far, and the end of the run where a point is bad. */
static int look_together(triad_weno *w, int64_t step, int st)
{
  double since = triad_now();
  triad_weno_state_check mine = {0, 0, 0};
  if (st == TRIAD_OK) st = look(w, &mine);
  double values[3] = {mine.advective, mine.viscous, st != TRIAD_OK || mine.bad > 0}, most[3] = {0, 0, 1};
  w->phases.s[TRIAD_PHASE_POINTWISE] += lap(&since);
  int told = TRIAD_MPI(MPI_Allreduce(values, most, 3, MPI_DOUBLE, MPI_MAX, w->context->comm.mpi));
  w->phases.s[TRIAD_PHASE_EXCHANGE] += lap(&since);
  if (told == TRIAD_OK && !(most[2] > 0)) {
    w->look = (triad_weno_state_check){most[0], most[1], 0};
    return TRIAD_OK;
  }
  if (st == TRIAD_OK) st = told;
  if (st == TRIAD_OK && mine.bad > 0) {
    st = triad_state_read_all(w->state, TRIAD_HOST);
    if (st == TRIAD_OK) st = tell_bad(w, step);
  }
  return triad_agree(&w->context->comm, st);
}

int triad_weno_begin(triad_weno *w, int64_t step)
{
  return look_together(w, step, triad_state_read_all(w->state, w->gpu ? TRIAD_DEVICE : TRIAD_HOST));
}

/* The spectra of both terms lie within stability (docs/numerics.md eq. 40). */
double triad_weno_stable(const triad_weno *w, double cfl)
{
  int central = w->setup.form == TRIAD_WENO_CENTRAL;
  /* of second derivatives, times h^2: the difference of order four taken twice, or the two of viscous_face_points.h */
  const double largest = central ? 6.3406 : 1.3722 * 1.3722;
  double real_axis = w->setup.scheme == TRIAD_WENO_RK4 ? 2.785 : 2.512, rate = w->look.advective / cfl;
  int axes = 0;
  for (int i = 0; i < 3; i++) axes += w->setup.n[i] > 1;
  if (central) { /* the imaginary axis, which upwind schemes keep off */
    double imaginary_axis = w->setup.scheme == TRIAD_WENO_RK4 ? 2.828 : 1.732;
    rate = fmax(rate, w->look.advective * 1.8684 * sqrt(axes) / imaginary_axis);
  }
  if (w->setup.positivity) rate = fmax(rate, w->look.advective * 2 * axes);
  rate += w->look.viscous * largest / (real_axis * fmin(cfl, 1));
  return 1 / rate;
}

int triad_weno_advance(triad_weno *w, int64_t step, double dt)
{
  int st = triad_state_write_all(w->state, w->gpu ? TRIAD_DEVICE : TRIAD_HOST);
  if (st == TRIAD_OK) st = w->setup.scheme == TRIAD_WENO_RK4 ? rk4(w, dt) : ssprk3(w, dt);
  return look_together(w, step, st);
}
