/* How long steps may be: rates of cells. */
#include "solvers/multiblock/host/rates.h"

#include "solvers/multiblock/plain/setup.h"
#include "solvers/multiblock/host/rows.h"

#include <math.h>

/* Where the area vectors of a part come from: nodes, or kept ones. */
typedef struct areas {
  const triad_real *node[3], *s[3][3];
  int64_t stride[3];
} areas;

static areas areas_of(const triad_multiblock_flow *f, const triad_zone_part *part)
{
  areas m = {.node = {NULL}};
  for (int a = 0; a < 3; a++) {
    m.node[a] = f->node[a];
    m.stride[a] = part->stride[a];
    for (int b = 0; b < 3; b++) m.s[a][b] = f->s[a][b];
  }
  return m;
}

static inline __attribute__((always_inline)) triad_gas_vector area_of(const areas *m, int axis, int nodes, int64_t at)
{
  return nodes ? triad_multiblock_area_between(m->node, at, m->stride[(axis + 1) % 3], m->stride[(axis + 2) % 3])
               : triad_multiblock_vector_at(m->s[axis], at);
}

/* Waves of a cell across an axis, and the square of its mean area. */
static inline __attribute__((always_inline)) void add_axis(const areas *m, int axis, int nodes, int64_t at,
                                                           triad_gas_state q, triad_real gamma, triad_real *waves,
                                                           triad_real *squares)
{
  const triad_gas_vector low = area_of(m, axis, nodes, at), up = area_of(m, axis, nodes, at + m->stride[axis]);
  const triad_real half = TRIAD_R(0.5);
  const triad_gas_vector s = {half * (low.x + up.x), half * (low.y + up.y), half * (low.z + up.z)};
  *waves += triad_multiblock_waves(q, s, gamma);
  *squares += triad_gas_dot(s, s);
}

/* Rates of a row of n cells into f->step, as volume a time: of waves, and of diffusion where it is viscous; the
 * largest over volume. The compiler makes loops of each kind, so that lanes have nothing to decide. */
static inline __attribute__((always_inline)) triad_real find_row(triad_multiblock_flow *f,
                                                                 triad_real *const q[TRIAD_MULTIBLOCK_FIELDS],
                                                                 const areas *m, int flat, int nodes, int viscous,
                                                                 int64_t at, int64_t n)
{
  const triad_real gamma = (triad_real)f->setup.gas.gamma,
                   diffusion = (triad_real)triad_multiblock_diffusion(&f->setup);
  const triad_real *restrict volume = f->volume + at, *restrict viscosity = viscous ? f->viscosity + at : volume;
  triad_real *restrict rates = f->step + at, largest = 0;
#pragma omp simd simdlen(TRIAD_MULTIBLOCK_LANES) reduction(max : largest)
  for (int64_t l = 0; l < n; l++) {
    const triad_gas_state s = triad_multiblock_at(q, at + l);
    triad_real rate = 0, squares = 0;
    if (flat != 0) add_axis(m, 0, nodes, at + l, s, gamma, &rate, &squares);
    if (flat != 1) add_axis(m, 1, nodes, at + l, s, gamma, &rate, &squares);
    if (flat != 2) add_axis(m, 2, nodes, at + l, s, gamma, &rate, &squares);
    if (viscous) rate += diffusion * viscosity[l] * squares / (s.rho * volume[l]);
    const triad_real over = rate / volume[l];
    rates[l] = rate;
    largest = over > largest ? over : largest;
  }
  return largest;
}

double triad_multiblock_rate_row(triad_multiblock_flow *f, const triad_zone_part *part,
                                 triad_real *const q[TRIAD_MULTIBLOCK_FIELDS], int64_t at, int64_t n)
{
  const areas m = areas_of(f, part);
  if (f->node[0]) return (double)find_row(f, q, &m, TRIAD_ZONE_NOT_FLAT, 1, 0, at, n); /* of inviscid boxes */
#define FLAT(axis) \
  return (double)(f->viscosity ? find_row(f, q, &m, axis, 0, 1, at, n) : find_row(f, q, &m, axis, 0, 0, at, n))
  switch (f->zones->zone[part->zone].flat) {
  case 0: FLAT(0);
  case 1: FLAT(1);
  case 2: FLAT(2);
  default: FLAT(TRIAD_ZONE_NOT_FLAT);
  }
#undef FLAT
}

/* By the rows of tiles, as stages do: a run that goes on from a checkpoint finds the same bits. */
double triad_multiblock_rates(triad_multiblock_flow *f)
{
  double most = 0;
#pragma omp parallel for schedule(static) num_threads(f->context->threads) reduction(max : most)
  for (int i = 0; i < f->n_tiles; i++) {
    const triad_multiblock_tile *tile = &f->tile[i];
    const triad_zone_part *part = f->part[tile->part];
    for (int64_t k = tile->low[2]; k < tile->high[2]; k++)
      for (int64_t j = tile->low[1]; j < tile->high[1]; j++) {
        const int64_t at = part->origin + tile->low[0] + j * part->stride[1] + k * part->stride[2];
        most = fmax(most, triad_multiblock_rate_row(f, part, f->q, at, tile->high[0] - tile->low[0]));
      }
  }
  return most;
}
