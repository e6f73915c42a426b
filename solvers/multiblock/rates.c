/* How long steps may be: rates of cells. */
#include "solvers/multiblock/sweep.h"

#include <math.h>

double triad_mb_diffusion(const triad_mb_setup *s)
{
  return (s->implicit ? 2 : 4) * fmax(4. / 3, s->gas.gamma / s->gas.prandtl);
}

/* Where the area vectors of a part come from: nodes, or kept ones. */
typedef struct areas {
  const triad_real *node[3], *s[3][3];
  int64_t stride[3];
} areas;

static areas areas_of(const triad_mb_flow *f, const triad_zone_part *part)
{
  areas m = {.node = {NULL}};
  for (int a = 0; a < 3; a++) {
    m.node[a] = f->node[a];
    m.stride[a] = part->stride[a];
    for (int b = 0; b < 3; b++) m.s[a][b] = f->s[a][b];
  }
  return m;
}

static inline __attribute__((always_inline)) triad_mb_vector area_of(const areas *m, int axis, int nodes, int64_t at)
{
  return nodes ? triad_mb_area_between(m->node, at, m->stride[(axis + 1) % 3], m->stride[(axis + 2) % 3])
               : triad_mb_vector_at(m->s[axis], at);
}

/* Waves of a cell across an axis, and the square of its mean area. */
static inline __attribute__((always_inline)) void add_axis(const areas *m, int axis, int nodes, int64_t at, triad_mb_state q,
                                                           triad_real gamma, triad_real *waves, triad_real *squares)
{
  const triad_mb_vector low = area_of(m, axis, nodes, at), up = area_of(m, axis, nodes, at + m->stride[axis]);
  const triad_real half = TRIAD_R(0.5);
  const triad_mb_vector s = {half * (low.x + up.x), half * (low.y + up.y), half * (low.z + up.z)};
  *waves += triad_mb_waves(q, s, gamma);
  *squares += triad_mb_dot(s, s);
}

/* Rates of a row of n cells into f->step, as volume a time: of waves, and of diffusion where it is viscous; the largest over volume.
 * The compiler makes loops of each kind, so that lanes have nothing to decide. */
static inline __attribute__((always_inline)) triad_real find_row(triad_mb_flow *f, const areas *m, int flat, int nodes, int viscous,
                                                                 int64_t at, int64_t n)
{
  const triad_real gamma = (triad_real)f->setup.gas.gamma, diffusion = (triad_real)triad_mb_diffusion(&f->setup);
  const triad_real *restrict volume = f->volume + at, *restrict viscosity = viscous ? f->viscosity + at : volume;
  triad_real *restrict rates = f->step + at, largest = 0;
#pragma omp simd simdlen(TRIAD_MB_LANES) reduction(max : largest)
  for (int64_t l = 0; l < n; l++) {
    const triad_mb_state q = triad_mb_at(f->q, at + l);
    triad_real rate = 0, squares = 0;
    if (flat != 0) add_axis(m, 0, nodes, at + l, q, gamma, &rate, &squares);
    if (flat != 1) add_axis(m, 1, nodes, at + l, q, gamma, &rate, &squares);
    if (flat != 2) add_axis(m, 2, nodes, at + l, q, gamma, &rate, &squares);
    if (viscous) rate += diffusion * viscosity[l] * squares / (q.rho * volume[l]);
    const triad_real over = rate / volume[l];
    rates[l] = rate;
    largest = over > largest ? over : largest;
  }
  return largest;
}

static triad_real find_any_row(triad_mb_flow *f, const areas *m, int flat, int64_t at, int64_t n)
{
  if (m->node[0]) return find_row(f, m, TRIAD_ZONE_NOT_FLAT, 1, 0, at, n); /* of inviscid boxes */
#define FLAT(axis) return f->viscosity ? find_row(f, m, axis, 0, 1, at, n) : find_row(f, m, axis, 0, 0, at, n)
  switch (flat) {
  case 0: FLAT(0);
  case 1: FLAT(1);
  case 2: FLAT(2);
  default: FLAT(TRIAD_ZONE_NOT_FLAT);
  }
#undef FLAT
}

double triad_mb_rates(triad_mb_flow *f)
{
  double most = 0;
  for (int p = 0; p < f->n_parts; p++) {
    const triad_zone_part *part = f->part[p];
    const areas m = areas_of(f, part);
#pragma omp parallel for collapse(2) schedule(static) num_threads(f->context->threads) reduction(max : most)
    for (int64_t k = 0; k < part->n[2]; k++)
      for (int64_t j = 0; j < part->n[1]; j++) {
        const int64_t at = part->origin + j * part->stride[1] + k * part->stride[2];
        most = fmax(most, (double)find_any_row(f, &m, f->zones->zone[part->zone].flat, at, part->n[0]));
      }
  }
  return most;
}
