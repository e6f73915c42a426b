/* The pass over a state before its fluxes: velocity, temperature and viscosity of each point; and the look at it
 * that finds the stable step and points that are no gas any more. */
#include "solvers/compressible/state/internal.h"

#include <math.h>

static void row(const triad_compressible *w, triad_real *const *u, int64_t at, int64_t n)
{
  const triad_compressible_gas g = w->gas;
  const triad_real *r = u[0] + at, *mx = u[1] + at, *my = u[2] + at, *mz = u[3] + at, *e = u[4] + at;
  triad_real *restrict pu = w->primitive[TRIAD_COMPRESSIBLE_U] + at,
                       *restrict pv = w->primitive[TRIAD_COMPRESSIBLE_V] + at,
                       *restrict pw = w->primitive[TRIAD_COMPRESSIBLE_W] + at,
                       *restrict pT = w->primitive[TRIAD_WENO_T] + at;
#pragma omp simd
  for (int64_t i = 0; i < n; i++) {
    triad_compressible_primitive q = triad_compressible_primitives(&g, r[i], mx[i], my[i], mz[i], e[i]);
    pu[i] = q.u;
    pv[i] = q.v;
    pw[i] = q.w;
    pT[i] = q.T;
  }
  if (!(w->setup.viscosity > 0)) return;
  triad_real *restrict mu = w->primitive[TRIAD_COMPRESSIBLE_MU] + at;
  for (int64_t i = 0; i < n; i++) mu[i] = triad_compressible_viscosity(&g, pT[i]);
}

void triad_compressible_primitives_of(triad_compressible *w, triad_real *const *u, const triad_box *b)
{
#pragma omp parallel for collapse(2) schedule(static) num_threads(triad_compressible_threads(w, triad_box_points(b)))
  for (int64_t z = b->low[2]; z < b->high[2]; z++)
    for (int64_t y = b->low[1]; y < b->high[1]; y++)
      if (b->high[0] > b->low[0]) row(w, u, triad_partition_at(&w->blocks, b->low[0], y, z), b->high[0] - b->low[0]);
}

/* The look at a row. */
typedef struct row_look {
  triad_compressible_pace pace;
  triad_real thick; /* mu/rho */
  int64_t bad;
} row_look;

static row_look look_row(const triad_compressible *w, triad_real *const *u, int64_t at, int64_t n)
{
  const triad_real *r = u[0] + at, *pu = w->primitive[TRIAD_COMPRESSIBLE_U] + at,
                   *pv = w->primitive[TRIAD_COMPRESSIBLE_V] + at, *pw = w->primitive[TRIAD_COMPRESSIBLE_W] + at,
                   *T = w->primitive[TRIAD_WENO_T] + at, *mu = w->primitive[TRIAD_COMPRESSIBLE_MU] + at;
  const triad_real hx = w->setup.n[0] > 1 ? w->per_spacing[0] : 0, hy = w->setup.n[1] > 1 ? w->per_spacing[1] : 0,
                   hz = w->setup.n[2] > 1 ? w->per_spacing[2] : 0, all = TRIAD_SQRT(hx * hx + hy * hy + hz * hz);
  triad_real axis = 0, wave = 0, sum = 0, thick = 0;
  int64_t wrong = 0;
#pragma omp simd reduction(max : axis, wave, sum, thick) reduction(+ : wrong)
  for (int64_t i = 0; i < n; i++) {
    triad_compressible_primitive q = {pu[i], pv[i], pw[i], T[i]};
    triad_compressible_pace p = triad_compressible_pace_of(q, hx, hy, hz, all);
    triad_real m = mu[i] / r[i];
    axis = p.axis > axis ? p.axis : axis;
    wave = p.wave > wave ? p.wave : wave;
    sum = p.sum > sum ? p.sum : sum;
    thick = m > thick ? m : thick;
    wrong += !triad_compressible_is_gas(r[i], q);
  }
  return (row_look){{axis, wave, sum}, thick, wrong};
}

triad_compressible_state_check triad_compressible_state_check_at(const triad_compressible *w, triad_real *const *u)
{
  const triad_partition *b = &w->blocks;
  double axis = 0, wave = 0, sum = 0, thickest = 0;
  int64_t bad = 0;
  const int threads = triad_compressible_threads(w, triad_partition_points(b));
#pragma omp parallel for collapse(2) schedule(static) num_threads(threads) \
    reduction(max : axis, wave, sum, thickest) reduction(+ : bad)
  for (int64_t z = 0; z < b->local[2]; z++)
    for (int64_t y = 0; y < b->local[1]; y++) {
      row_look l = look_row(w, u, triad_partition_at(b, 0, y, z), b->local[0]);
      axis = fmax(axis, (double)l.pace.axis);
      wave = fmax(wave, (double)l.pace.wave);
      sum = fmax(sum, (double)l.pace.sum);
      thickest = fmax(thickest, (double)l.thick);
      bad += l.bad;
    }
  return (triad_compressible_state_check){axis, wave, sum, thickest * triad_compressible_viscous_factor(w), bad};
}

/* Diffusivity of momentum 4/3 mu/rho, of heat gamma mu/(rho Pr). */
double triad_compressible_viscous_factor(const triad_compressible *w)
{
  double squares = 0;
  for (int i = 0; i < 3; i++)
    if (w->setup.n[i] > 1) squares += (double)w->per_spacing[i] * (double)w->per_spacing[i];
  return fmax(4.0 / 3, w->setup.gamma / w->setup.prandtl) * w->setup.viscosity * squares;
}
