/* Arithmetic of an incompressible velocity u[0..2], and of a scalar that it carries: of one point, and of one mode. */
#ifndef TRIAD_SOLVERS_SPECTRAL_EQUATIONS_VELOCITY_POINTS_H
#define TRIAD_SOLVERS_SPECTRAL_EQUATIONS_VELOCITY_POINTS_H

#include "solvers/spectral/equations/mode_points.h"

/* Plain data. The constants of a set with a velocity begin with these. */
typedef struct triad_velocity_constants {
  triad_real per_spacing[3]; /* 1/dx_i */
  triad_real rotation[3];    /* Omega */
  int rotates;               /* is it not zero? */
  triad_real shear;          /* S of the mean flow U = S y e_x; 0: none */
  triad_decay decay;
  triad_edge edge;
} triad_velocity_constants;

/* Passive scalars, any number of them behind the fields of a set. */
typedef struct triad_scalar_constants {
  int n;
  triad_decay *decay; /* [n], the host's as what follows */
  double *gradient;   /* [n][3]                          */
} triad_scalar_constants;

/* Products of a stress and of the fluxes of a scalar at a point, and what chains leave of them. */
enum { TRIAD_STRESS_PRODUCTS = 5, TRIAD_STRESS_TERMS = 4, TRIAD_FLUX_PRODUCTS = 3, TRIAD_FLUX_TERMS = 2 };

/* ---- one point ---- */

/* The five products that suffice: u_i u_j less w^2 on the diagonal, which is a pressure (docs/methods/spectral.md
 * eq. 7). The first three are a chain (transpose/plain/chains.h).
 *   t[0] = u^2 - w^2, t[1] = u v, t[2] = v^2 - w^2, t[3] = u w, t[4] = v w */
TRIAD_POINT void triad_velocity_point(const triad_velocity_constants *c, double dt, const triad_real *u, triad_real *t)
{
  (void)c;
  (void)dt;
  t[0] = u[0] * u[0] - u[2] * u[2];
  t[1] = u[0] * u[1];
  t[2] = u[1] * u[1] - u[2] * u[2];
  t[3] = u[0] * u[2];
  t[4] = u[1] * u[2];
}

/* sum_i |u_i|/dx_i, which limits the step. */
TRIAD_POINT triad_real triad_velocity_rate(const triad_velocity_constants *c, const triad_real *u)
{
  return c->per_spacing[0] * (triad_real)fabs(u[0]) + c->per_spacing[1] * (triad_real)fabs(u[1]) +
         c->per_spacing[2] * (triad_real)fabs(u[2]);
}

/* One component's share in sum_i |u_i|/dx_i and |u|^2. */
TRIAD_POINT void triad_velocity_extremes_add(double per_spacing, double u, double *rate, double *speed2)
{
  *rate += per_spacing * fabs(u);
  *speed2 += u * u;
}

/* ---- rates of one mode ---- */

/* s_i = -i k_j t_ij for the products above, of what their chains leave (docs/methods/spectral.md eq. 8):
 *   t[0] = i k_x t_xx + i k_y t_xy, t[1] = i k_x t_xy + i k_y t_yy, t[2] = t_xz, t[3] = t_yz */
TRIAD_POINT void triad_velocity_advection(const triad_real k[3], const triad_cplx t[TRIAD_STRESS_TERMS],
                                          triad_cplx s[3])
{
  s[0].re = k[2] * t[2].im - t[0].re;
  s[0].im = -(k[2] * t[2].re + t[0].im);
  s[1].re = k[2] * t[3].im - t[1].re;
  s[1].im = -(k[2] * t[3].re + t[1].im);
  s[2].re = k[0] * t[2].im + k[1] * t[3].im;
  s[2].im = -(k[0] * t[2].re + k[1] * t[3].re);
}

/* s -= 2 Omega x u, the Coriolis acceleration (docs/methods/spectral.md eq. 16). */
TRIAD_POINT void triad_velocity_coriolis(const triad_velocity_constants *c, const triad_cplx u[3], triad_cplx s[3])
{
  const triad_real *omega = c->rotation;
  if (!c->rotates) return;
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, l = (i + 2) % 3;
    s[i].re -= 2 * (omega[j] * u[l].re - omega[l] * u[j].re);
    s[i].im -= 2 * (omega[j] * u[l].im - omega[l] * u[j].im);
  }
}

/* Linear terms of a mean flow U = S y e_x for a mode whose k_y falls by S k_x per time (docs/methods/shear.md):
 * P(-S v e_x) + S v k_x k/k^2, the second of which keeps k.u = 0. It is P(-2 S v e_x) + S v e_x: `pull` comes before
 * the projection, and its pressure is that of the flow; `give` comes after it. */
TRIAD_POINT void triad_velocity_shear_pull(const triad_velocity_constants *c, const triad_cplx u[3], triad_cplx s[3])
{
  s[0].re -= 2 * c->shear * u[1].re;
  s[0].im -= 2 * c->shear * u[1].im;
}

/* Also that of a magnetic field, db/dt = .. + S b_y e_x. */
TRIAD_POINT void triad_velocity_shear_give(const triad_velocity_constants *c, const triad_cplx u[3], triad_cplx n[3])
{
  n[0].re += c->shear * u[1].re;
  n[0].im += c->shear * u[1].im;
}

/* r = s - k (k.s)/k^2: what a pressure leaves of an acceleration (docs/methods/spectral.md eq. 8). inverse_k2 = 1/k^2;
 * for k = 0 give 0: a uniform acceleration stays. */
TRIAD_POINT void triad_velocity_project(const triad_real k[3], triad_real inverse_k2, const triad_cplx s[3],
                                        triad_cplx r[3])
{
  triad_real re = (k[0] * s[0].re + k[1] * s[1].re + k[2] * s[2].re) * inverse_k2;
  triad_real im = (k[0] * s[0].im + k[1] * s[1].im + k[2] * s[2].im) * inverse_k2;
  for (int i = 0; i < 3; i++) {
    r[i].re = s[i].re - k[i] * re;
    r[i].im = s[i].im - k[i] * im;
  }
}

/* N(u) of a velocity that nothing else acts on. */
TRIAD_POINT void triad_velocity_mode(const triad_velocity_constants *c, const triad_real k[3], triad_real inverse_k2,
                                     const triad_cplx u[3], const triad_cplx t[TRIAD_STRESS_TERMS], triad_cplx n[3])
{
  triad_cplx s[3];
  triad_velocity_advection(k, t, s);
  triad_velocity_coriolis(c, u, s);
  triad_velocity_shear_pull(c, u, s);
  triad_velocity_project(k, inverse_k2, s, n);
  triad_velocity_shear_give(c, u, n);
}

/* -i k.f, the advection of a scalar by its fluxes f = u s (docs/methods/spectral.md eq. 17), the first two of which are
 * a chain:
 *   f[0] = i k_x u s + i k_y v s, f[1] = w s */
TRIAD_POINT triad_cplx triad_scalar_advection(const triad_real k[3], const triad_cplx f[TRIAD_FLUX_TERMS])
{
  triad_cplx r;
  r.re = k[2] * f[1].im - f[0].re;
  r.im = -(k[2] * f[1].re + f[0].im);
  return r;
}

/* N(s) of a scalar of mean gradient G: -i k.f - G.u. */
TRIAD_POINT triad_cplx triad_scalar_mode(const triad_real gradient[3], const triad_real k[3], const triad_cplx u[3],
                                         const triad_cplx f[TRIAD_FLUX_TERMS])
{
  triad_cplx r = triad_scalar_advection(k, f);
  for (int i = 0; i < 3; i++) {
    r.re -= gradient[i] * u[i].re;
    r.im -= gradient[i] * u[i].im;
  }
  return r;
}

/* ---- budgets, spectra, transfers of one mode ---- */

/* The sums over modes that every velocity has. */
enum triad_velocity_sum {
  TRIAD_SUM_ENERGY,      /* sum |u|^2 / 2                                          */
  TRIAD_SUM_ENSTROPHY,   /* sum k^2 |u|^2 / 2: mean |curl u|^2 / 2 where k.u = 0   */
  TRIAD_SUM_DISSIPATION, /* sum lambda(k) |u|^2, k by size                         */
  TRIAD_SUM_HELICITY,    /* sum Re conj(u).(i k x u) = mean u.curl u               */
  TRIAD_SUM_DIVERGENCE,  /* sum |k.u|^2                                            */
  TRIAD_SUM_INTEGRAL,    /* sum |u|^2 / (2 |k|), k by size, k != 0                 */
  TRIAD_SUM_EDGE,        /* the part of the enstrophy that lies at the edge        */
  TRIAD_VELOCITY_SUMS
};

/* Those of a scalar: |s|^2/2, lambda |s|^2, the fluxes s u, s v, s w, k^2 |s|^2/2, and the part of it at the edge. */
enum { TRIAD_SCALAR_SUM_FLUX = 2, TRIAD_SCALAR_SUM_SLOPE = 5, TRIAD_SCALAR_SUM_EDGE, TRIAD_SCALAR_SUMS };

/* |u|^2/2. */
TRIAD_POINT double triad_vector_energy(const triad_cplx u[3])
{
  return 0.5 * (triad_mode_square(u[0]) + triad_mode_square(u[1]) + triad_mode_square(u[2]));
}

/* Re conj(u).(i k x u) = 2 k.(Re u x Im u). */
TRIAD_POINT double triad_vector_helicity(const double k[3], const triad_cplx u[3])
{
  double ur = (double)u[0].re, ui = (double)u[0].im, vr = (double)u[1].re, vi = (double)u[1].im;
  double wr = (double)u[2].re, wi = (double)u[2].im;
  return 2 * (k[0] * (vr * wi - wr * vi) + k[1] * (wr * ui - ur * wi) + k[2] * (ur * vi - vr * ui));
}

TRIAD_POINT void triad_velocity_mode_sums(const triad_decay *decay, const triad_edge *edge, const triad_wave_numbers *w,
                                          const triad_cplx u[3], double sums[TRIAD_VELOCITY_SUMS])
{
  const double *k = w->derivative, size2 = triad_mode_k2(w->size);
  double dr = k[0] * (double)u[0].re + k[1] * (double)u[1].re + k[2] * (double)u[2].re;
  double di = k[0] * (double)u[0].im + k[1] * (double)u[1].im + k[2] * (double)u[2].im;
  double k2 = triad_mode_k2(k), energy = triad_vector_energy(u);
  sums[TRIAD_SUM_ENERGY] = energy;
  sums[TRIAD_SUM_ENSTROPHY] = k2 * energy;
  sums[TRIAD_SUM_DISSIPATION] = 2 * triad_decay_of(decay, size2) * energy;
  sums[TRIAD_SUM_HELICITY] = triad_vector_helicity(k, u);
  sums[TRIAD_SUM_DIVERGENCE] = dr * dr + di * di;
  sums[TRIAD_SUM_INTEGRAL] = size2 > 0 ? energy / sqrt(size2) : 0;
  sums[TRIAD_SUM_EDGE] = triad_edge_holds(edge, w->size) ? k2 * energy : 0;
}

TRIAD_POINT void triad_scalar_mode_sums(const triad_decay *decay, const triad_edge *edge, const triad_wave_numbers *w,
                                        triad_cplx s, const triad_cplx u[3], double sums[TRIAD_SCALAR_SUMS])
{
  double k2 = triad_mode_k2(w->derivative), e = triad_mode_square(s) / 2;
  sums[0] = e;
  sums[1] = 2 * triad_decay_of(decay, triad_mode_k2(w->size)) * e;
  for (int c = 0; c < 3; c++) sums[TRIAD_SCALAR_SUM_FLUX + c] = triad_mode_product(u[c], s);
  sums[TRIAD_SCALAR_SUM_SLOPE] = k2 * e;
  sums[TRIAD_SCALAR_SUM_EDGE] = triad_edge_holds(edge, w->size) ? k2 * e : 0;
}

/* Re conj(u).(-i k_j t_ij), projected: what the stress gives |u|^2/2; rotation and buoyancy are left out. */
TRIAD_POINT double triad_velocity_mode_transfer(const triad_real k[3], triad_real inverse_k2, const triad_cplx u[3],
                                                const triad_cplx t[TRIAD_STRESS_TERMS])
{
  triad_cplx s[3], r[3];
  triad_velocity_advection(k, t, s);
  triad_velocity_project(k, inverse_k2, s, r);
  double sum = 0;
  for (int c = 0; c < 3; c++) sum += triad_mode_product(u[c], r[c]);
  return sum;
}

/* Re conj(s).(-i k.f): what the fluxes f = u s give |s|^2/2. */
TRIAD_POINT double triad_scalar_mode_transfer(const triad_real k[3], triad_cplx s, const triad_cplx f[TRIAD_FLUX_TERMS])
{
  return triad_mode_product(s, triad_scalar_advection(k, f));
}

#endif
