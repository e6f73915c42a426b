/* [target] grid = "follow": choose the grid on which the flow continues (docs/methods/forcing.md). A grid is
 * sufficient if k_max eta has the requested value, or if the modes of its outermost fifth are empty, so that no modes
 * beyond them are missing. The decision depends on the state alone, by exact sums: it is the same on any number of
 * ranks, and after a restart from a checkpoint. */
#include "solvers/spectral/follow.h"
#include "solvers/spectral/plain/follow_column.h"

#include "solvers/spectral/measure/budget.h"
#include "solvers/spectral/plain/spectra.h"
#include "solvers/spectral/part.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BINS = 128 /* of the distance from the mean to the edge of the modes */ };

/* A new grid has so much more than the wish; it is so much coarser, or none; in one go a grid grows by so much at
 * most; its outermost fifth is so much emptier than the one that makes a grid grow. */
static const double HEADROOM = 1.05, LEAST_CHANGE = 1.06, LARGEST_GROWTH = 1.3, EMPTIER = 0.1;

/* ---- what the state has ---- */

/* Compute k_max eta and the energy of the outermost fifth: the worst of all diffusivities. 0 if nothing moves. */
static int scales_of(const triad_flow *flow, const double *columns, double *resolution, double *tail)
{
  *resolution = INFINITY;
  *tail = 0;
  for (int c = 0; c < flow->shape.n_columns; c++) {
    const char *name = flow->shape.columns[c].name;
    const size_t n = strlen(name);
    if (!isfinite(columns[c])) continue;
    if (n >= 8 && strcmp(name + n - 8, "kmax_eta") == 0) *resolution = fmin(*resolution, columns[c]);
    if (n >= 5 && strcmp(name + n - 5, "_tail") == 0) *tail = fmax(*tail, columns[c]);
  }
  return isfinite(*resolution) && *resolution > 0;
}

/* k^2 |u_k|^2 of each group of fields, in bins of the distance from the mean, 1 at the edge of what is kept. */
static void add_gradients(const void *self, const triad_flow *flow, int64_t c, triad_sum *sums)
{
  const triad_layout *l = flow->layout;
  const triad_grid *g = &flow->grid;
  const int sphere = g->truncation == TRIAD_SPHERE;
  double reach[3];
  (void)self;
  for (int i = 0; i < 3; i++) reach[i] = fmax(triad_grid_reach(g, i), 1e-300);
  const double x = fabs(l->size_x[c] / reach[0]), y = fabs(l->size_y[c] / reach[1]);
  for (int64_t j = 0; j < l->nkz; j++) {
    if (l->kz[j] > l->kz_extent[c] || -l->kz[j] > l->kz_extent[c]) continue;
    const double z = fabs(l->size_z[j] / reach[2]), far = sphere ? sqrt(x * x + y * y + z * z) : fmax(x, fmax(y, z));
    const double k2 = triad_layout_size2(l, c, j);
    const int bin = far < 1 ? (int)(far * BINS) : BINS - 1;
    triad_field_group group;
    int number = 0;
    for (int f = 0; f < flow->shape.n_fields; f += group.n, number++) {
      double square = 0;
      group = triad_field_group_at(flow->shape.fields, flow->shape.n_fields, f);
      for (int i = f; i < f + group.n; i++) {
        const triad_cplx u = flow->u[i][triad_layout_place(l, c, j)];
        square += (double)u.re * (double)u.re + (double)u.im * (double)u.im;
      }
      triad_sum_add(&sums[number * BINS + bin], l->weight[c] * k2 * square);
    }
  }
}

/* share[b]: the largest part that a group has in bins b and beyond. */
static int shares_beyond(triad_flow *flow, double share[BINS + 1])
{
  triad_field_group group;
  int groups = 0;
  for (int f = 0; f < flow->shape.n_fields; f += group.n, groups++)
    group = triad_field_group_at(flow->shape.fields, flow->shape.n_fields, f);
  double *values = NULL;
  triad_memory *m = flow->context->memory;
  TRIAD_TRY(triad_agree(&flow->context->comm, TRIAD_ALLOC(m, "adaptive grid size", (int64_t)groups * BINS, &values)));
  int st = triad_state_read_all(flow->state, TRIAD_HOST);
  st = triad_agree(&flow->context->comm, st);
  if (st == TRIAD_OK) st = triad_columns_sum(flow, (int64_t)groups * BINS, add_gradients, NULL, values);
  for (int b = 0; b <= BINS; b++) share[b] = 0;
  for (int i = 0; i < groups && st == TRIAD_OK; i++) {
    double all = 0, far = 0;
    for (int b = BINS - 1; b >= 0; b--) all += values[i * BINS + b];
    for (int b = BINS - 1; b >= 0 && all > 0; b--) {
      far += values[i * BINS + b];
      share[b] = fmax(share[b], far / all);
    }
  }
  TRIAD_FREE(m, &values);
  return st;
}

/* ---- the choice ---- */

typedef struct choice {
  const triad_flow *flow;
  int64_t least, most; /* points along the longest axis; most 0: no limit */
  double wish, empty, resolution, tail;
} choice;

/* The grid of the fewest points that keeps modes up to `part` of those now. 0 where the limits allow none; n is then
 * the largest. */
static int grid_for(const choice *c, double part, int64_t n[3])
{
  const triad_grid *g = &c->flow->grid;
  const triad_target_limits limits = {
    .flat = {g->n[0] == 1, g->n[1] == 1, g->n[2] == 1}, .least = c->least, .most = c->most};
  return triad_target_grid(c->flow->given, g->length, part * triad_grid_k_max(g), &limits, n);
}

/* Modes up to this part of those that are kept now: what lies beyond is empty. */
static int can_go(const choice *c, const int64_t n[3], const double share[BINS + 1])
{
  triad_grid to;
  if ((double)triad_follow_longest(n) * LEAST_CHANGE > (double)triad_follow_longest(c->flow->grid.n)) return 0;
  if (triad_target_modes(c->flow->given, c->flow->grid.length, n, &to) != TRIAD_OK) {
    triad_message_clear();
    return 0;
  }
  double part = 1;
  for (int i = 0; i < 3; i++)
    if (to.n[i] > 1) part = fmin(part, triad_grid_reach(&to, i) / triad_grid_reach(&c->flow->grid, i));
  const int by_scale = c->resolution * triad_grid_k_max(&to) / triad_grid_k_max(&c->flow->grid) >= HEADROOM * c->wish;
  const int beyond = (int)(part * BINS * (1 - 1e-12)), edge = (int)(0.8 * part * BINS * (1 - 1e-12));
  return (by_scale && share[beyond] <= c->empty) || share[edge] <= EMPTIER * c->empty;
}

/* The coarsest grid that will do, by halving the range of parts of k_max; what is finer than one that will do, will
 * do. */
static int shrink(triad_flow *flow, const choice *c, int64_t n[3])
{
  double share[BINS + 1], low = 0, high = 1;
  int64_t tried[3];
  n[0] = 0;
  if (triad_follow_longest(flow->grid.n) <= c->least) return TRIAD_OK;
  TRIAD_TRY(shares_beyond(flow, share));
  for (int i = 0; i < 10; i++) {
    const double part = 0.5 * (low + high);
    if (grid_for(c, part, tried) && can_go(c, tried, share)) {
      high = part;
      memcpy(n, tried, sizeof tried);
    } else low = part;
  }
  return TRIAD_OK;
}

static void grow(triad_flow *flow, const choice *c, triad_log *log, int64_t n[3])
{
  const double part = fmin(HEADROOM * c->wish / c->resolution, LARGEST_GROWTH);
  (void)grid_for(c, fmax(part, LEAST_CHANGE), n);
  if (triad_follow_longest(n) > triad_follow_longest(flow->grid.n)) return;
  n[0] = 0;
  if (!flow->told_most)
    triad_log_warning(log,
                      "k_max eta = %.3g is below target.kmax_eta = %g, but target.n_most = %" PRId64
                      " does not allow a finer grid",
                      c->resolution, c->wish, c->most);
  flow->told_most = 1;
}

int triad_follow_look(void *self, triad_log *log, int64_t n[3], char *why, size_t size)
{
  triad_flow *flow = self;
  const triad_case *given = flow->given;
  double columns[flow->shape.n_columns];
  choice c = {.flow = flow,
              .least = triad_case_integer(given, "target.n_least"),
              .most = triad_case_integer(given, "target.n_most"),
              .wish = triad_case_real(given, "target.kmax_eta"),
              .empty = triad_case_real(given, "target.empty")};
  n[0] = 0;
  if (flow->at.step % triad_case_integer(given, "target.interval") != 0) return TRIAD_OK;
  int st = triad_budget_modes(flow, columns);
  if (st == TRIAD_ERR_BLOWUP) return TRIAD_OK; /* the next step reports it */
  TRIAD_TRY(st);
  if (!scales_of(flow, columns, &c.resolution, &c.tail)) return TRIAD_OK;
  const int good = c.resolution >= c.wish || c.tail <= c.empty;
  if (!good) {
    grow(flow, &c, log, n);
    (void)snprintf(
      why, size,
      "k_max eta = %.3g is below %g, and a fraction %.2g of the gradients is in the outermost fifth of wavenumbers",
      c.resolution, c.wish, c.tail);
  } else if (c.tail <= c.empty || c.resolution >= HEADROOM * LEAST_CHANGE * c.wish) {
    TRIAD_TRY(shrink(flow, &c, n));
    (void)snprintf(why, size,
                   "modes are empty: k_max eta = %.3g, and a fraction %.2g of the gradients is in the outermost fifth "
                   "of wavenumbers",
                   c.resolution, c.tail);
  }
  return TRIAD_OK;
}
