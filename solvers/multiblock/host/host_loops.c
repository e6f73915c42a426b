/* The table of loops for the CPU, and the loops that are short. */
#include "solvers/multiblock/host/host_loops.h"

#include "solvers/multiblock/host/boundary.h"
#include "solvers/multiblock/host/freeze_parts.h"
#include "solvers/multiblock/host/rates.h"
#include "solvers/multiblock/host/relax.h"
#include "solvers/multiblock/host/rows.h"
#include "solvers/multiblock/host/sources.h"
#include "solvers/multiblock/host/sweep.h"
#include "solvers/multiblock/state/metrics.h"

#include <math.h>
#include <string.h>

/* ---- primitives and what follows from them ---- */

/* Cells that are bad, and where one of them is: looked for only where there are any. */
static void note_bad(triad_multiblock_flow *f, int64_t bad)
{
  f->bad += bad;
  for (int64_t i = 0; bad > 0 && i < f->space.n_runs && f->bad_place < 0; i++) {
    triad_space_run run;
    f->space.kind->run(&f->space, i, &run);
    for (int64_t l = 0; l < run.count; l++) {
      const triad_real rho = f->q[0][run.at + l], p = f->q[4][run.at + l];
      if (!(rho > 0) || !(p > 0) || !(p < TRIAD_R(1e30))) f->bad_place = run.global + l;
    }
  }
}

static void find_primitives(triad_multiblock_flow *f)
{
  const triad_real gamma = (triad_real)f->setup.gas.gamma;
  int64_t bad = 0;
#pragma omp parallel for schedule(static) num_threads(f->context->threads) reduction(+ : bad)
  for (int64_t i = 0; i < f->space.n_runs; i++) {
    triad_space_run run;
    triad_real *u[TRIAD_MULTIBLOCK_FIELDS], *q[TRIAD_MULTIBLOCK_FIELDS];
    f->space.kind->run(&f->space, i, &run);
    for (int m = 0; m < TRIAD_MULTIBLOCK_FIELDS; m++) {
      u[m] = f->u[m] + run.at;
      q[m] = f->q[m] + run.at;
    }
    bad += triad_multiblock_primitive_row(u, q, gamma, run.count);
  }
  f->rated = 0;
  note_bad(f, bad);
}

static inline void temperature_at(const triad_multiblock_flow *f, int64_t i)
{
  const triad_multiblock_gas *g = &f->setup.gas;
  const triad_real per_r = (triad_real)(1 / g->constant), mu = (triad_real)g->viscosity,
                   reference = (triad_real)g->reference;
  const triad_real power = (triad_real)g->power, sutherland = (triad_real)g->sutherland;
  triad_real t = f->q[4][i] / f->q[0][i] * per_r;
  f->temperature[i] = t;
  f->viscosity[i] = triad_multiblock_viscosity(t, mu, reference, power, sutherland);
}

static void fill_derived(triad_multiblock_flow *f, triad_multiblock_places places)
{
  for (int64_t i = 0; i < f->n_left; i++)
    for (int m = 0; m < TRIAD_MULTIBLOCK_FIELDS; m++) {
      const int64_t *at = f->left[i];
      triad_real *q = f->q[m], edge = q[at[1]] + q[at[2]] - q[at[3]];
      q[at[0]] = m == 0 || m == 4 ? triad_max(edge, TRIAD_R(0.1) * q[at[3]]) : edge;
    }
  if (!f->viscosity) return;
  if (places == TRIAD_MULTIBLOCK_LATE_PLACES)
    for (int64_t i = 0; i < f->n_late; i++) temperature_at(f, f->late_at[i]);
  else
#pragma omp parallel for simd schedule(static) num_threads(f->context->threads)
    for (int64_t i = 0; i < f->space.memory; i++) temperature_at(f, i);
}

static void begin_halos(triad_multiblock_flow *f) { triad_halo_begin(f->halo, f->q, TRIAD_MULTIBLOCK_FIELDS); }

static void end_halos(triad_multiblock_flow *f) { triad_halo_end(f->halo); }

/* ---- a stage ---- */

/* A stage that leaves primitives has them in the memory of u0. */
static void finish_stage(triad_multiblock_flow *f, const triad_multiblock_stage *stage)
{
  if (stage->number == 0) memcpy(f->squares, stage->squares, sizeof f->squares);
  f->rated = stage->leaves == TRIAD_MULTIBLOCK_BOTH && !f->viscosity;
  f->most = stage->most;
  if (stage->leaves == TRIAD_MULTIBLOCK_STATE) {
    find_primitives(f);
    return;
  }
  for (int m = 0; m < TRIAD_MULTIBLOCK_FIELDS; m++) {
    triad_real *const was = f->q[m];
    f->q[m] = f->u0[m];
    f->u0[m] = was;
  }
  note_bad(f, stage->bad);
}

static double largest_rate(triad_multiblock_flow *f) { return f->rated ? f->most : triad_multiblock_rates(f); }

/* ---- what is measured ---- */

static void charge_phase(triad_multiblock_flow *f, int phase)
{
  if (phase == TRIAD_MULTIBLOCK_PHASE_SWEEP) triad_laps_add(&f->laps, &f->charged);
  else triad_phases_charge(&f->phases, phase, &f->charged);
}

/* Loops on the CPU follow each other at all times. */
static void time_apart(triad_multiblock_flow *f, int on)
{
  (void)f;
  (void)on;
}

static int settle_step(triad_multiblock_flow *f)
{
  (void)f;
  return TRIAD_OK;
}

/* Does a limiter cut the slope of the pressure of a cell to less than half along an axis? */
static int is_limited(const triad_multiblock_flow *f, const triad_zone_part *p, int64_t at)
{
  const int flat = f->zones->zone[p->zone].flat;
  for (int axis = 0; axis < 3; axis++)
    if (axis != flat && triad_multiblock_is_limited(f->setup.limiter, f->q[4] + at, p->stride[axis])) return 1;
  return 0;
}

static int find_totals(triad_multiblock_flow *f, triad_sum sums[TRIAD_MULTIBLOCK_TOTALS], double *limited)
{
  *limited = 0;
  for (int i = 0; i < f->n_parts; i++) {
    const triad_zone_part *p = f->part[i];
    for (int64_t l = 0; l < triad_zone_part_cells(p); l++) {
      const int64_t c[3] = {p->low[0] + l % p->n[0], p->low[1] + l / p->n[0] % p->n[1],
                            p->low[2] + l / p->n[0] / p->n[1]};
      const int64_t at = triad_zone_part_at(p, c);
      const double volume = (double)f->volume[at];
      triad_sum_add(&sums[TRIAD_MULTIBLOCK_ENERGY], volume * (double)f->u[4][at]);
      triad_sum_add(&sums[TRIAD_MULTIBLOCK_MASS], volume * (double)f->u[0][at]);
      *limited += is_limited(f, p, at);
    }
  }
  return TRIAD_OK;
}

/* A stage reads the metrics, primitives, the state at the start and the step, and writes primitives; the last one
 * the state and rates too. If the start's state is kept apart, each reads and writes the state as well, and
 * primitives follow by a pass of their own. */
static double moved_numbers(const triad_multiblock_flow *f)
{
  const int stages = f->setup.scheme.n_stages,
            kept = triad_multiblock_leaves_of(&f->setup, 0) == TRIAD_MULTIBLOCK_STATE,
            words = triad_multiblock_metric_words(&f->setup, f->zones) + (kept ? 6 : 3) * TRIAD_MULTIBLOCK_FIELDS + 1 +
                    (f->viscosity ? 2 : 0);
  return (double)f->space.here * (stages * words + (kept ? 0 : TRIAD_MULTIBLOCK_FIELDS + 1));
}

static int64_t sent_bytes(const triad_multiblock_flow *f) { return triad_halo_bytes(f->halo, TRIAD_MULTIBLOCK_FIELDS); }

static const char *transport_word(const triad_multiblock_flow *f)
{
  (void)f;
  return "mpi";
}

/* Their memory is the flow's own (create.c). */
static void free_nothing(triad_multiblock_flow *f) { (void)f; }

const triad_multiblock_loops triad_multiblock_host_loops = {.where = TRIAD_HOST,
                                                            .primitives = find_primitives,
                                                            .boundaries = triad_multiblock_boundary_set,
                                                            .begin = begin_halos,
                                                            .end = end_halos,
                                                            .derived = fill_derived,
                                                            .sources = triad_multiblock_find_sources,
                                                            .sweep = triad_multiblock_sweep,
                                                            .finish_stage = finish_stage,
                                                            .implicit_steps = triad_multiblock_implicit_steps,
                                                            .first_change = triad_multiblock_first_change,
                                                            .exchange_change = triad_multiblock_exchange_change,
                                                            .relax = triad_multiblock_relax,
                                                            .apply_change = triad_multiblock_apply_change,
                                                            .freeze = triad_multiblock_freeze_parts,
                                                            .largest_rate = largest_rate,
                                                            .charge = charge_phase,
                                                            .time_apart = time_apart,
                                                            .settle = settle_step,
                                                            .totals = find_totals,
                                                            .moved = moved_numbers,
                                                            .sent_bytes = sent_bytes,
                                                            .transport = transport_word,
                                                            .free = free_nothing};
