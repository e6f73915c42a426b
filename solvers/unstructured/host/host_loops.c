/* The loops of a stage on the CPU. Cells and faces are processed LANES at a time, the width of a vector register; the
 * arithmetic of one is in loops_points.h and outer_points.h. */
#include "solvers/unstructured/host/host_loops.h"
#include "solvers/unstructured/host/host_after.h"
#include "solvers/unstructured/host/host_lanes.h"
#include "solvers/unstructured/host/host_faces.h"
#include "solvers/unstructured/host/host_force.h"
#include "solvers/unstructured/host/host_limits.h"

void triad_unstructured_tell(triad_unstructured_flow *f, const triad_real *most, const int64_t *limited,
                             const int64_t *parts, const int64_t *bad)
{
#pragma omp critical(triad_unstructured_tell)
  for (int l = 0; l < LANES; l++) {
    if ((double)most[l] / 2 > f->rate) f->rate = (double)most[l] / 2;
    f->limited += limited[l];
    f->parts += parts[l];
    if (bad[l] > f->bad) f->bad = bad[l];
  }
}

/* ---- gradients ---- */

ALWAYS_INLINE void gradients_of(const triad_unstructured_view *v, lanes h, int softened)
{
  triad_real sum[TRIAD_UNSTRUCTURED_GRADIENT][LANES] = {{0}}, distance[LANES];
  double squares[TRIAD_UNSTRUCTURED_SQUARES][LANES] = {{0}};
  EACH_LANE(distance[l] = triad_unstructured_begin_slope(v, cell_of(h, l), softened, &squares[0][l], LANES));
  for (int s = 0; s < h.n; s++)
    EACH_LANE(triad_unstructured_add_slope(v, h.zone, h.at + l, s, cell_of(h, l), softened ? distance[l] : 0,
                                           &sum[0][l], &squares[0][l], LANES));
  EACH_LANE(triad_unstructured_solve_slope(&squares[0][l], &sum[0][l], LANES));
  for (int j = 0; j < TRIAD_UNSTRUCTURED_GRADIENT; j++) {
    triad_real *out = v->slope.at + j * v->slope.pitch;
    EACH_LANE(out[cell_of(h, l)] = sum[j][l]);
  }
}
CELL_LOOPS(gradients, gradients_of(v, h, 0), triad_unstructured_flow *f)
CELL_LOOPS(softened, gradients_of(v, h, 1), triad_unstructured_flow *f)

static void gradients(triad_unstructured_flow *f, triad_unstructured_share share)
{
  const int late = share == TRIAD_UNSTRUCTURED_LATE;
  const triad_unstructured_rows *rows = &f->domain->rows[late ? TRIAD_UNSTRUCTURED_EDGE : TRIAD_UNSTRUCTURED_INSIDE],
                                *rim = &f->domain->rows[TRIAD_UNSTRUCTURED_RIM];
  if (f->view.softening.at) {
    softened_rows(rows, f);
    if (late) softened_listed(rim, f);
    else softened_zones(f);
  } else {
    gradients_rows(rows, f);
    if (late) gradients_listed(rim, f);
    else gradients_zones(f);
  }
}

ALWAYS_INLINE void flatten(const triad_unstructured_view *v, lanes h, triad_real *sum)
{
  triad_real range[10][LANES], part[LANES];
  EACH_LANE(triad_unstructured_start_range(v, cell_of(h, l), &range[0][l], LANES));
  EACH_LANE(part[l] = 1);
  for (int s = 0; s < h.n; s++) EACH_LANE(triad_unstructured_add_range(v, h.zone, h.at + l, s, &range[0][l], LANES));
  for (int s = 0; s < h.n; s++)
    EACH_LANE(
      triad_unstructured_add_reach(v, h.zone, h.at + l, s, cell_of(h, l), sum + l, &range[0][l], &part[l], LANES));
  EACH_LANE(part[l] = triad_unstructured_cut(&range[0][l], part[l], LANES));
  for (int j = 0; j < TRIAD_UNSTRUCTURED_GRADIENT; j++) EACH_LANE(sum[j * LANES + l] *= part[l]);
}

ALWAYS_INLINE void widen_of(const triad_unstructured_view *v, lanes h)
{
  triad_real sum[TRIAD_UNSTRUCTURED_GRADIENT][LANES], n[LANES];
  EACH_LANE(n[l] = 1);
  for (int j = 0; j < TRIAD_UNSTRUCTURED_GRADIENT; j++) {
    const triad_real *in = v->slope.at + j * v->slope.pitch;
    EACH_LANE(sum[j][l] = in[cell_of(h, l)]);
  }
  for (int s = 0; s < h.n && !h.zone; s++) /* one with enough sides counts itself alone */
    EACH_LANE(triad_unstructured_add_neighbour(v, h.at + l, s, cell_of(h, l), &sum[0][l], LANES, &n[l]));
  for (int j = 0; j < TRIAD_UNSTRUCTURED_GRADIENT; j++) {
    const triad_real *in = v->slope.at + j * v->slope.pitch;
    EACH_LANE(sum[j][l] = h.zone || h.sides[l] >= TRIAD_UNSTRUCTURED_ENOUGH ? in[cell_of(h, l)] : sum[j][l] / n[l]);
  }
  if (v->flat) flatten(v, h, &sum[0][0]);
  for (int j = 0; j < TRIAD_UNSTRUCTURED_GRADIENT; j++) {
    triad_real *out = v->gradient.at + j * v->gradient.pitch;
    EACH_LANE(out[cell_of(h, l)] = sum[j][l]);
  }
}
CELL_LOOPS(widen, widen_of(v, h), triad_unstructured_flow *f)

static void widen(triad_unstructured_flow *f, triad_unstructured_share share)
{
  if (share == TRIAD_UNSTRUCTURED_LATE) {
    widen_rows(&f->domain->rows[TRIAD_UNSTRUCTURED_EDGE], f);
    widen_listed(&f->domain->rows[TRIAD_UNSTRUCTURED_RIM], f);
  } else {
    widen_rows(&f->domain->rows[TRIAD_UNSTRUCTURED_INSIDE], f);
    widen_zones(f);
  }
}

/* ---- rates ---- */

ALWAYS_INLINE void rates_of(const triad_unstructured_view *v, lanes h, triad_real *most)
{
  triad_real sum[LANES] = {0};
  for (int s = 0; s < h.n; s++) EACH_LANE(triad_unstructured_add_speed(v, h.zone, h.at + l, s, &sum[l]));
  EACH_LANE(most[l] = triad_max(most[l], sum[l] * v->per_volume[cell_of(h, l)]));
}
CELL_LOOPS(rates, rates_of(v, h, t.most), triad_unstructured_flow *f)

/* Half of what passes a cell's faces with the fastest waves, over its volume: Rusanov's flux keeps density and
 * pressure positive where dt times this is at most 1. */
static void rates(triad_unstructured_flow *f)
{
  f->rate = 0;
  rates_rows(&f->domain->rows[TRIAD_UNSTRUCTURED_INSIDE], f);
  rates_rows(&f->domain->rows[TRIAD_UNSTRUCTURED_EDGE], f);
  rates_listed(&f->domain->rows[TRIAD_UNSTRUCTURED_RIM], f);
  rates_zones(f);
}

/* ---- low-order transport ---- */

ALWAYS_INLINE void transported_of(const triad_unstructured_view *v, lanes h, triad_real dt)
{
  triad_real sum[TRIAD_UNSTRUCTURED_FIELDS][LANES] = {{0}};
  for (int s = 0; s < h.n; s++) EACH_LANE(triad_unstructured_add_low(v, h.zone, h.at + l, s, &sum[0][l], LANES));
  if (v->bounded) {
    EACH_LANE(triad_unstructured_transported(v, cell_of(h, l), dt, 1, &sum[0][l], LANES));
  } else {
    EACH_LANE(triad_unstructured_transported(v, cell_of(h, l), dt, 0, &sum[0][l], LANES));
  }
}
CELL_LOOPS(transported, transported_of(v, h, dt), triad_unstructured_flow *f, triad_real dt)

static void transported(triad_unstructured_flow *f, triad_unstructured_share share, double step)
{
  if (share == TRIAD_UNSTRUCTURED_LATE) {
    f->bad = -1;
    f->limited = f->parts = 0;
  }
  const triad_unstructured_domain *d = f->domain;
  const triad_real dt = (triad_real)step;
  if (share == TRIAD_UNSTRUCTURED_EARLY) {
    if (f->setup.loops == TRIAD_UNSTRUCTURED_GATHER) transported_rows(&d->rows[TRIAD_UNSTRUCTURED_INSIDE], f, dt);
    transported_zones(f, dt);
    return;
  }
  if (f->setup.loops == TRIAD_UNSTRUCTURED_GATHER) transported_rows(&d->rows[TRIAD_UNSTRUCTURED_EDGE], f, dt);
  else triad_unstructured_scatter_low(f, dt);
  transported_listed(&d->rows[TRIAD_UNSTRUCTURED_RIM], f, dt);
  for (int64_t face = d->n_inner; face < d->n_faces && f->view.bounded && triad_unstructured_lists_look(f); face++)
    triad_unstructured_set_room_beyond(&f->view, face);
}

/* ---- the state as it is ---- */

static void values_of(const triad_unstructured_flow *f, int64_t c)
{
  triad_real u[TRIAD_UNSTRUCTURED_FIELDS];
  triad_unstructured_load(&f->view.u, c, TRIAD_UNSTRUCTURED_FIELDS, u);
  triad_unstructured_set_value(&f->view, c, u);
}

static void values(triad_unstructured_flow *f)
{
  int64_t bad = -1;
#pragma omp parallel for schedule(static) num_threads(f->context->threads) reduction(max : bad)
  for (int64_t c = 0; c < f->domain->n_cells; c++) {
    values_of(f, c);
    if (!triad_unstructured_holds_gas(&f->view, c) && c > bad) bad = c;
  }
  f->bad = bad;
}

static void begin(triad_unstructured_flow *f, const triad_unstructured_numbers *numbers, int n)
{
  triad_real *fields[TRIAD_HALO_MOST_FIELDS];
  for (int i = 0; i < n; i++) fields[i] = numbers->at + i * numbers->pitch;
  if (f->halo) triad_halo_begin(f->halo, fields, n);
}

static void end(triad_unstructured_flow *f)
{
  if (f->halo) triad_halo_end(f->halo);
}

static int settle_stage(triad_unstructured_flow *f)
{
  (void)f;
  return TRIAD_OK;
}

const triad_unstructured_loops triad_unstructured_host_loops = {
  .beyond = triad_unstructured_host_beyond,
  .gradients = gradients,
  .widen = widen,
  .fluxes = triad_unstructured_host_fluxes,
  .viscous = triad_unstructured_host_viscous,
  .rates = rates,
  .transported = transported,
  .prelimit = triad_unstructured_host_prelimit,
  .component_bounds = triad_unstructured_host_component_bounds,
  .component_parts = triad_unstructured_host_component_parts,
  .component_limits = triad_unstructured_host_component_limits,
  .limits = triad_unstructured_host_limits,
  .ghost_parts = triad_unstructured_host_ghost_parts,
  .corrected = triad_unstructured_host_corrected,
  .values = values,
  .crossed = triad_unstructured_host_crossed,
  .sources = triad_unstructured_host_sources,
  .push = triad_unstructured_host_push,
  .draw = triad_unstructured_host_draw,
  .mean = triad_unstructured_host_mean,
  .look_over = triad_unstructured_host_look_over,
  .watch = triad_unstructured_host_watch,
  .pick = triad_unstructured_host_pick,
  .begin = begin,
  .end = end,
  .settle = settle_stage};
