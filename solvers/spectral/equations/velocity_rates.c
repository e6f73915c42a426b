#include "solvers/spectral/equations/hd_points.h"
#include "solvers/spectral/equations/velocity.h"

#include <math.h>

void triad_velocity_create(triad_velocity *v, const triad_grid *grid, const triad_case *given)
{
  double omega[3];
  v->grid = *grid;
  v->decay = (triad_decay){.viscosity = triad_case_real(given, "equations.viscosity"),
                           .hyperviscosity = triad_case_real(given, "equations.hyperviscosity"),
                           .order = (int)triad_case_integer(given, "equations.hyperviscosity_order"),
                           .drag = triad_case_real(given, "equations.drag"),
                           .drag_wavenumber = triad_case_real(given, "equations.drag_wavenumber")};
  triad_case_reals(given, "equations.rotation", omega, 3);
  v->rotates = omega[0] != 0 || omega[1] != 0 || omega[2] != 0;
  for (int i = 0; i < 3; i++) {
    v->per_spacing[i] = (triad_real)(1 / triad_grid_spacing(grid, i));
    v->rotation[i] = (triad_real)omega[i];
  }
}

triad_hd_law triad_velocity_law(const triad_velocity *v)
{
  triad_hd_law law = {.decay = v->decay};
  for (int i = 0; i < 3; i++) {
    law.per_spacing[i] = v->per_spacing[i];
    law.rotation[i] = v->rotation[i];
  }
  return law;
}

double triad_velocity_frequency(const triad_velocity *v)
{
  double x = (double)v->rotation[0], y = (double)v->rotation[1], z = (double)v->rotation[2];
  return 2 * sqrt(x * x + y * y + z * z);
}

void triad_velocity_products(const triad_velocity *velocity, int64_t n, triad_real *const *in, triad_real *const *out,
                             double *peaks)
{
  const triad_real *u = in[0], *v = in[1], *w = in[2];
  triad_real *t0 = out[0], *t1 = out[1], *t2 = out[2], *t3 = out[3], *t4 = out[4];
  const triad_real *a = velocity->per_spacing;
  triad_real ax = a[0], ay = a[1], az = a[2], fastest = 0, finite = 0;
#pragma omp simd reduction(max : fastest) reduction(+ : finite)
  for (int64_t i = 0; i < n; i++) {
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

void triad_velocity_rates(const triad_velocity *v, const triad_batch *b, int64_t j, const triad_cplx *const *u,
                          const triad_cplx *const *t, const triad_lane_row *push, triad_lane_row *r)
{
  const triad_layout *l = b->layout;
  const double *wx = l->wx + b->block * TRIAD_LANES, *wy = l->wy + b->block * TRIAD_LANES;
  const triad_real wz = (triad_real)l->wz[j], omega[3] = {v->rotation[0], v->rotation[1], v->rotation[2]};
  const int rotates = v->rotates;
#pragma omp simd
  for (int i = 0; i < TRIAD_LANES; i++) {
    const triad_cplx p[5] = {t[0][i], t[1][i], t[2][i], t[3][i], t[4][i]};
    const triad_real k[3] = {(triad_real)wx[i], (triad_real)wy[i], wz};
    triad_real k2 = k[0] * k[0] + k[1] * k[1] + k[2] * k[2];
    triad_cplx s[3], d[3];
    triad_hd_advection(k, p, s);
    if (rotates) {
      const triad_cplx here[3] = {u[0][i], u[1][i], u[2][i]};
      triad_hd_coriolis(omega, here, s);
    }
    if (push)
      for (int c = 0; c < 3; c++) {
        s[c].re += push[c][i].re;
        s[c].im += push[c][i].im;
      }
    triad_hd_project(k, k2 > 0 ? 1 / k2 : 0, s, d);
    r[0][i] = d[0];
    r[1][i] = d[1];
    r[2][i] = d[2];
  }
}

void triad_velocity_scalar_sums(const triad_layout *l, const triad_decay *decay, int64_t column, const triad_cplx *s,
                                const triad_cplx *a, double sums[3])
{
  sums[0] = sums[1] = sums[2] = 0;
  for (int64_t j = 0; j < l->nkz; j++) {
    int64_t i = triad_layout_place(l, column, j);
    double re = (double)s[i].re, im = (double)s[i].im, e = (re * re + im * im) / 2;
    double k2 = l->wx[column] * l->wx[column] + l->wy[column] * l->wy[column] + l->wz[j] * l->wz[j];
    sums[0] += e;
    sums[1] += 2 * triad_decay_rate(decay, k2) * e;
    if (a) sums[2] += (double)a[i].re * re + (double)a[i].im * im;
  }
  for (int i = 0; i < 3; i++) sums[i] *= l->weight[column];
}

void triad_velocity_transfer(const triad_velocity *velocity, const triad_batch *b, int64_t j,
                             const triad_cplx *const *u, const triad_cplx *const *t, double times, double *transfer)
{
  triad_velocity still = *velocity;
  triad_lane_row r[3];
  still.rotates = 0;
  triad_velocity_rates(&still, b, j, u, t, NULL, r);
  for (int c = 0; c < 3; c++)
    for (int i = 0; i < TRIAD_LANES; i++)
      transfer[i] += times * ((double)u[c][i].re * (double)r[c][i].re + (double)u[c][i].im * (double)r[c][i].im);
}

void triad_velocity_scalar_transfer(const triad_batch *b, int64_t j, const triad_cplx *s,
                                    const triad_cplx *const *flux, double *transfer)
{
  const triad_layout *l = b->layout;
  const double *wx = l->wx + b->block * TRIAD_LANES, *wy = l->wy + b->block * TRIAD_LANES;
  for (int i = 0; i < TRIAD_LANES; i++) {
    const triad_real k[3] = {(triad_real)wx[i], (triad_real)wy[i], (triad_real)l->wz[j]};
    const triad_cplx f[3] = {flux[0][i], flux[1][i], flux[2][i]};
    triad_cplx r = triad_hd_flux(k, f);
    transfer[i] += (double)s[i].re * (double)r.re + (double)s[i].im * (double)r.im;
  }
}
