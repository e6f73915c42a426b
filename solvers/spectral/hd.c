/* Incompressible Navier-Stokes (docs/numerics.md eq. 1):
 *   du/dt + u.grad u = -grad p + viscosity lap u - hyperviscosity (-lap)^order u - drag u + f,  div u = 0
 * Three fields go to physical space and five products come back each stage. */
#include "solvers/spectral/equations.h"
#include "solvers/spectral/hd_points.h"
#include "solvers/spectral/velocity.h"

#include <math.h>
#include <stdlib.h>

typedef struct hd {
  triad_grid grid;
  triad_decay decay;
  triad_real per_spacing[3]; /* 1/dx_i */
} hd;

static int create(void **self, triad_shape *shape, const triad_grid *grid, const triad_case *given)
{
  hd *h = *self = calloc(1, sizeof *h);
  if (!h) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the hd solver");
  triad_velocity_shape(shape);
  shape->n_passes = 1;
  shape->pass[0].n_in = 3;
  shape->pass[0].n_out = 5;
  h->grid = *grid;
  h->decay = triad_velocity_decay(given);
  for (int i = 0; i < 3; i++) h->per_spacing[i] = (triad_real)(1 / triad_grid_spacing(grid, i));
  return TRIAD_OK;
}

static void destroy(void **self)
{
  free(*self);
  *self = NULL;
}

static void points(void *self, int pass, const triad_patch *at, triad_real *const *in, triad_real *const *out,
                   double *peaks)
{
  (void)pass;
  const hd *h = self;
  const triad_real *u = in[0], *v = in[1], *w = in[2];
  triad_real *t0 = out[0], *t1 = out[1], *t2 = out[2], *t3 = out[3], *t4 = out[4];
  triad_real ax = h->per_spacing[0], ay = h->per_spacing[1], az = h->per_spacing[2], fastest = 0, finite = 0;
#pragma omp simd reduction(max : fastest) reduction(+ : finite)
  for (int64_t i = 0; i < at->n; i++) {
    triad_real t[5];
    triad_hd_products(u[i], v[i], w[i], t);
    t0[i] = t[0];
    t1[i] = t[1];
    t2[i] = t[2];
    t3[i] = t[3];
    t4[i] = t[4];
    triad_real rate = ax * (triad_real)fabs(u[i]) + ay * (triad_real)fabs(v[i]) + az * (triad_real)fabs(w[i]);
    fastest = rate > fastest ? rate : fastest;
    finite += rate * 0; /* NaN as soon as one value is not finite, which a maximum would pass over */
  }
  double peak = (double)(fastest + finite);
  if (peak > peaks[TRIAD_PEAK_ADVECTION] || isnan(peak)) peaks[TRIAD_PEAK_ADVECTION] = peak;
}

static void extremes(void *self, const triad_patch *at, triad_real *const *in, triad_real *const *out, double *peaks)
{
  (void)out;
  triad_velocity_extremes(((const hd *)self)->per_spacing, at, in, peaks);
}

static void rates(const void *self, const triad_block *b, int64_t j, const triad_cplx *const *u,
                  const triad_cplx *const *t, triad_lane_row *r)
{
  (void)self;
  (void)u;
  const triad_layout *l = b->layout;
  const double *wx = l->wx + b->block * TRIAD_LANES, *wy = l->wy + b->block * TRIAD_LANES;
  triad_real wz = (triad_real)l->wz[j];
#pragma omp simd
  for (int i = 0; i < TRIAD_LANES; i++) {
    const triad_cplx p[5] = {t[0][i], t[1][i], t[2][i], t[3][i], t[4][i]};
    const triad_real k[3] = {(triad_real)wx[i], (triad_real)wy[i], wz};
    triad_real k2 = k[0] * k[0] + k[1] * k[1] + k[2] * k[2];
    triad_cplx s[3], d[3];
    triad_hd_advection(k, p, s);
    triad_hd_project(k, k2 > 0 ? 1 / k2 : 0, s, d);
    r[0][i] = d[0];
    r[1][i] = d[1];
    r[2][i] = d[2];
  }
}

static triad_decay decay(const void *self, int field)
{
  (void)field;
  return ((const hd *)self)->decay;
}

static void sums(const void *self, const triad_layout *l, int64_t column, const triad_cplx *const *u, double *s)
{
  triad_velocity_sums(l, &((const hd *)self)->decay, column, u, s);
}

static void series(const void *self, const double *s, const triad_moment *moment, double *columns)
{
  const hd *h = self;
  triad_velocity_series(&h->grid, h->decay.viscosity, s, moment, columns);
}

static void densities(const void *self, const triad_layout *l, int64_t column, int64_t j, const triad_cplx *const *u,
                      double *d)
{
  (void)self;
  triad_velocity_densities(l, column, j, u, d);
}

const triad_equations TRIAD_NAME(equations_hd) = {
    .name = "hd",
    .about = "incompressible Navier-Stokes",
    .create = create,
    .destroy = destroy,
    .points = points,
    .extremes = extremes,
    .rates = rates,
    .decay = decay,
    .sums = sums,
    .series = series,
    .densities = densities,
};
