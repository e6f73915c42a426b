/* Loops of an implicit step on the CPU (step/implicit.h). */
#include "solvers/multiblock/host/relax.h"

#include "solvers/multiblock/plain/setup.h"
#include "solvers/multiblock/host/sweep.h"
#include "solvers/multiblock/points/implicit_points.h"

#include <string.h>

void triad_multiblock_implicit_steps(triad_multiblock_flow *f, double c)
{
  const triad_real part = (triad_real)c;
#pragma omp parallel for schedule(static) num_threads(f->context->threads)
  for (int64_t i = 0; i < f->space.n_runs; i++) {
    triad_space_run run;
    f->space.kind->run(&f->space, i, &run);
    for (int64_t l = run.at; l < run.at + run.count; l++) f->step[l] = part / f->step[l];
  }
}

/* A stage of a whole step leaves u - u0 = -R/(V/dt + rate). */
void triad_multiblock_first_change(triad_multiblock_flow *f)
{
  triad_multiblock_stage stage = {.start = 1, .rate = 1, .leaves = TRIAD_MULTIBLOCK_STATE};
  triad_multiblock_sweep(f, &stage, TRIAD_MULTIBLOCK_ALL_TILES);
  memcpy(f->squares, stage.squares, sizeof f->squares);
#pragma omp parallel for schedule(static) num_threads(f->context->threads)
  for (int64_t i = 0; i < f->space.n_runs; i++) {
    triad_space_run run;
    f->space.kind->run(&f->space, i, &run);
    for (int m = 0; m < TRIAD_MULTIBLOCK_FIELDS; m++)
      for (int64_t at = run.at; at < run.at + run.count; at++) f->change[0][m][at] = f->u[m][at] - f->u0[m][at];
  }
}

void triad_multiblock_exchange_change(triad_multiblock_flow *f, int change)
{
  triad_halo_exchange(f->halo, f->change[change], TRIAD_MULTIBLOCK_FIELDS);
}

static void relax_row(const triad_multiblock_flow *f, const int64_t stride[3], int flat, int64_t from, int64_t n,
                      triad_real *const d[TRIAD_MULTIBLOCK_FIELDS], triad_real *const out[TRIAD_MULTIBLOCK_FIELDS])
{
  const triad_real gamma = (triad_real)f->setup.gas.gamma, half = TRIAD_R(0.5);
  const triad_real diffusion = (triad_real)triad_multiblock_diffusion(&f->setup);
  const int viscous = f->viscosity != NULL;
#pragma omp simd
  for (int64_t at = from; at < from + n; at++) {
    triad_real sum[TRIAD_MULTIBLOCK_FIELDS] = {0, 0, 0, 0, 0};
    for (int axis = 0; axis < 3; axis++) {
      if (axis == flat) continue;
      for (int upper = 0; upper < 2; upper++) {
        const int64_t other = upper ? at + stride[axis] : at - stride[axis], face = upper ? other : at;
        const triad_real sign = upper ? TRIAD_R(1) : TRIAD_R(-1);
        const triad_real s[3] = {sign * f->s[axis][0][face], sign * f->s[axis][1][face], sign * f->s[axis][2][face]};
        const triad_real spread = viscous ? diffusion * f->viscosity[other] / (f->q[0][other] * f->volume[other]) : 0;
        triad_gas_flux p = triad_multiblock_pulled(
          triad_multiblock_at(f->q, other),
          (triad_gas_flux){d[0][other], d[1][other], d[2][other], d[3][other], d[4][other]}, s, gamma, spread);
        sum[0] += p.mass;
        sum[1] += p.x;
        sum[2] += p.y;
        sum[3] += p.z;
        sum[4] += p.energy;
      }
    }
    for (int m = 0; m < TRIAD_MULTIBLOCK_FIELDS; m++) out[m][at] = f->change[0][m][at] - f->step[at] * half * sum[m];
  }
}

void triad_multiblock_relax(triad_multiblock_flow *f, int from, int to)
{
  triad_real *const *d = f->change[from], *const *out = f->change[to];
  for (int i = 0; i < f->n_parts; i++) {
    const triad_zone_part *p = f->part[i];
    const int flat = f->zones->zone[p->zone].flat;
#pragma omp parallel for collapse(2) schedule(static) num_threads(f->context->threads)
    for (int64_t k = 0; k < p->n[2]; k++)
      for (int64_t j = 0; j < p->n[1]; j++)
        relax_row(f, p->stride, flat, p->origin + j * p->stride[1] + k * p->stride[2], p->n[0], d, out);
  }
}

/* u = u0 + change, or as much of it as leaves two fifths of density and pressure. */
void triad_multiblock_apply_change(triad_multiblock_flow *f, int change)
{
  triad_real *const *d = f->change[change];
  const triad_real gamma = (triad_real)f->setup.gas.gamma;
#pragma omp parallel for schedule(static) num_threads(f->context->threads)
  for (int64_t i = 0; i < f->space.n_runs; i++) {
    triad_space_run run;
    f->space.kind->run(&f->space, i, &run);
    for (int64_t at = run.at; at < run.at + run.count; at++) {
      triad_gas_state q = triad_multiblock_at(f->q, at);
      const triad_gas_flux before = {f->u0[0][at], f->u0[1][at], f->u0[2][at], f->u0[3][at], f->u0[4][at]};
      const triad_gas_flux more = {d[0][at], d[1][at], d[2][at], d[3][at], d[4][at]};
      triad_real part = triad_multiblock_taken(q, before, more, gamma);
      for (int m = 0; m < TRIAD_MULTIBLOCK_FIELDS; m++) f->u[m][at] = f->u0[m][at] + part * d[m][at];
    }
  }
}
