/* Magnetohydrodynamics: arithmetic of one point and of one mode, fields u, v, w, bx, by, bz
 * (docs/methods/spectral-sets.md eq. 19). */
#ifndef TRIAD_SOLVERS_SPECTRAL_EQUATIONS_MHD_POINTS_H
#define TRIAD_SOLVERS_SPECTRAL_EQUATIONS_MHD_POINTS_H

#include "solvers/spectral/equations/kernels.h"
#include "solvers/spectral/equations/velocity_points.h"

enum {
  TRIAD_MHD_FIELDS = 6,
  TRIAD_MHD_PRODUCTS = TRIAD_STRESS_PRODUCTS + 3,
  TRIAD_MHD_TERMS = TRIAD_STRESS_TERMS + 3,
  TRIAD_MHD_DENSITIES = 6,
  TRIAD_MHD_TRANSFERS = 5,
  TRIAD_MHD_SOURCES = 3
};
enum {
  TRIAD_MHD_B = 3 /* first of the fields b */,
  TRIAD_MHD_EMF = TRIAD_STRESS_TERMS /* first of the terms e x B */,
  TRIAD_MHD_CURRENT = 6 /* first of the inputs curl b, which the Hall term needs */
};
enum {
  TRIAD_MHD_SUM_MAGNETIC = TRIAD_VELOCITY_SUMS,
  TRIAD_MHD_SUM_CURRENT,
  TRIAD_MHD_SUM_JOULE,
  TRIAD_MHD_SUM_CROSS,
  TRIAD_MHD_SUM_HELICITY,
  TRIAD_MHD_SUM_DIV_B,
  TRIAD_MHD_SUM_EDGE,
  TRIAD_MHD_SUMS
};

typedef struct triad_mhd_constants {
  triad_velocity_constants velocity;
  triad_decay decay_b;
  triad_real mean_field[3];
  triad_real hall, whistler; /* d_i; 1 + d_i times the largest wavenumber */
  triad_scalar_constants scalars;
} triad_mhd_constants;

/* ---- one point ---- */

/* B = b + B0. */
TRIAD_POINT void triad_mhd_field(const triad_mhd_constants *c, const triad_real *in, triad_real b[3])
{
  for (int i = 0; i < 3; i++) b[i] = in[TRIAD_MHD_B + i] + c->mean_field[i];
}

/* e x B. */
TRIAD_POINT void triad_mhd_cross(const triad_real e[3], const triad_real b[3], triad_real out[3])
{
  out[0] = e[1] * b[2] - e[2] * b[1];
  out[1] = e[2] * b[0] - e[0] * b[2];
  out[2] = e[0] * b[1] - e[1] * b[0];
}

/* The eight products: the five of velocity_points.h for u_i u_j - B_i B_j,
 *   t[0] = u^2 - w^2 - Bx^2 + Bz^2, t[1] = u v - Bx By, t[2] = v^2 - w^2 - By^2 + Bz^2, t[3] = u w - Bx Bz,
 *   t[4] = v w - By Bz, and the electromotive force t[5..7] = e x B, where e = u, or u - d_i curl b with the Hall
 * term. */
TRIAD_POINT void triad_mhd_products(const triad_real u[3], const triad_real e[3], const triad_real b[3],
                                    triad_real t[TRIAD_MHD_PRODUCTS])
{
  t[0] = u[0] * u[0] - u[2] * u[2] - (b[0] * b[0] - b[2] * b[2]);
  t[1] = u[0] * u[1] - b[0] * b[1];
  t[2] = u[1] * u[1] - u[2] * u[2] - (b[1] * b[1] - b[2] * b[2]);
  t[3] = u[0] * u[2] - b[0] * b[2];
  t[4] = u[1] * u[2] - b[1] * b[2];
  triad_mhd_cross(e, b, t + TRIAD_STRESS_PRODUCTS);
}

/* What those five leave out of the diagonal, w^2 - Bz^2, and |B|^2/2, which is not the fluid's pressure. */
TRIAD_POINT triad_real triad_mhd_diagonal(const triad_real u[3], const triad_real b[3])
{
  return u[2] * u[2] - b[2] * b[2] + (b[0] * b[0] + b[1] * b[1] + b[2] * b[2]) / 2;
}

TRIAD_POINT void triad_mhd_point(const triad_mhd_constants *c, double dt, const triad_real *in, triad_real *out)
{
  triad_real b[3];
  (void)dt;
  triad_mhd_field(c, in, b);
  triad_mhd_products(in, in, b, out);
}

/* sum_i (|u_i| + |B_i|)/dx_i: Alfven waves limit the step too. */
TRIAD_POINT triad_real triad_mhd_rate(const triad_mhd_constants *c, const triad_real *in)
{
  const triad_real *a = c->velocity.per_spacing;
  triad_real b[3], r[3];
  triad_mhd_field(c, in, b);
  for (int i = 0; i < 3; i++) r[i] = (triad_real)fabs(in[i]) + (triad_real)fabs(b[i]);
  return a[0] * r[0] + a[1] * r[1] + a[2] * r[2];
}

/* The same with the Hall term. */
TRIAD_POINT void triad_hall_point(const triad_mhd_constants *c, double dt, const triad_real *in, triad_real *out)
{
  const triad_real *curl = in + TRIAD_MHD_CURRENT;
  const triad_real e[3] = {in[0] - c->hall * curl[0], in[1] - c->hall * curl[1], in[2] - c->hall * curl[2]};
  triad_real b[3];
  (void)dt;
  triad_mhd_field(c, in, b);
  triad_mhd_products(in, e, b, out);
}

/* |k.B| (1 + d_i |k|) bounds the frequency of a whistler, which u and the current carry along. */
TRIAD_POINT triad_real triad_hall_rate(const triad_mhd_constants *c, const triad_real *in)
{
  const triad_real *a = c->velocity.per_spacing;
  triad_real b[3], r[3];
  triad_mhd_field(c, in, b);
  for (int i = 0; i < 3; i++)
    r[i] = (triad_real)fabs(in[i]) + c->hall * (triad_real)fabs(in[TRIAD_MHD_CURRENT + i]) +
           c->whistler * (triad_real)fabs(b[i]);
  return a[0] * r[0] + a[1] * r[1] + a[2] * r[2];
}

/* The same of a set with scalars, whose points see no more of it. */
TRIAD_POINT void triad_mhd_carrying_point(const triad_mhd_constants *c, double dt, const triad_real *in,
                                          triad_real *out)
{
  triad_mhd_point(c, dt, in, out);
}
TRIAD_POINT triad_real triad_mhd_carrying_rate(const triad_mhd_constants *c, const triad_real *in)
{
  return triad_mhd_rate(c, in);
}
TRIAD_POINT void triad_hall_carrying_point(const triad_mhd_constants *c, double dt, const triad_real *in,
                                           triad_real *out)
{
  triad_hall_point(c, dt, in, out);
}
TRIAD_POINT triad_real triad_hall_carrying_rate(const triad_mhd_constants *c, const triad_real *in)
{
  return triad_hall_rate(c, in);
}

/* u x B alone. */
TRIAD_POINT void triad_mhd_emf_point(const triad_mhd_constants *c, double dt, const triad_real *in, triad_real *out)
{
  triad_real b[3];
  (void)dt;
  triad_mhd_field(c, in, b);
  triad_mhd_cross(in, b, out);
}

/* ---- one mode ---- */

/* r = i k x a. */
TRIAD_POINT void triad_mhd_curl(const triad_real k[3], const triad_cplx a[3], triad_cplx r[3])
{
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, l = (i + 2) % 3;
    r[i].re = k[l] * a[j].im - k[j] * a[l].im;
    r[i].im = k[j] * a[l].re - k[l] * a[j].re;
  }
}

TRIAD_POINT void triad_mhd_mode(const triad_mhd_constants *c, const triad_real k[3], triad_real inverse_k2,
                                const triad_cplx *u, const triad_cplx *t, triad_cplx *n)
{
  triad_velocity_mode(&c->velocity, k, inverse_k2, u, t, n);
  triad_mhd_curl(k, t + TRIAD_MHD_EMF, n + TRIAD_MHD_B);
  triad_velocity_shear_give(&c->velocity, u + TRIAD_MHD_B, n + TRIAD_MHD_B);
}

/* Additional input of the Hall term: curl b. */
TRIAD_POINT void triad_mhd_source(const triad_mhd_constants *c, const triad_real k[3], const triad_cplx *u,
                                  triad_cplx *made)
{
  (void)c;
  triad_mhd_curl(k, u + TRIAD_MHD_B, made);
}

/* Re conj(u).b. */
TRIAD_POINT double triad_mhd_mode_cross(const triad_cplx *u)
{
  return triad_mode_product(u[0], u[3]) + triad_mode_product(u[1], u[4]) + triad_mode_product(u[2], u[5]);
}

/* b has the sums that a velocity has: its enstrophy is the squared current, its helicity over k^2 that of a. */
TRIAD_POINT void triad_mhd_mode_sums(const triad_mhd_constants *c, const triad_wave_numbers *k, const triad_cplx *u,
                                     double *sums)
{
  double b[TRIAD_VELOCITY_SUMS], k2 = triad_mode_k2(k->derivative);
  triad_velocity_mode_sums(&c->velocity.decay, &c->velocity.edge, k, u, sums);
  triad_velocity_mode_sums(&c->decay_b, &c->velocity.edge, k, u + TRIAD_MHD_B, b);
  sums[TRIAD_MHD_SUM_MAGNETIC] = b[TRIAD_SUM_ENERGY];
  sums[TRIAD_MHD_SUM_CURRENT] = b[TRIAD_SUM_ENSTROPHY];
  sums[TRIAD_MHD_SUM_JOULE] = b[TRIAD_SUM_DISSIPATION];
  sums[TRIAD_MHD_SUM_CROSS] = triad_mhd_mode_cross(u);
  sums[TRIAD_MHD_SUM_HELICITY] = k2 > 0 ? b[TRIAD_SUM_HELICITY] / k2 : 0;
  sums[TRIAD_MHD_SUM_DIV_B] = b[TRIAD_SUM_DIVERGENCE];
  sums[TRIAD_MHD_SUM_EDGE] = b[TRIAD_SUM_EDGE];
}

/* Total energy, helicity, kinetic and magnetic energy, cross helicity, magnetic helicity. */
TRIAD_POINT void triad_mhd_mode_densities(const triad_mhd_constants *c, const triad_wave_numbers *k,
                                          const triad_cplx *u, double *d)
{
  double k2 = triad_mode_k2(k->derivative);
  (void)c;
  d[1] = triad_vector_helicity(k->derivative, u);
  d[2] = triad_vector_energy(u);
  d[3] = triad_vector_energy(u + TRIAD_MHD_B);
  d[4] = triad_mhd_mode_cross(u);
  d[5] = k2 > 0 ? triad_vector_helicity(k->derivative, u + TRIAD_MHD_B) / k2 : 0;
  d[0] = d[2] + d[3];
}

/* Re conj(b).(i k x e), what an electromotive force gives |b|^2/2. */
TRIAD_POINT double triad_mhd_mode_induction(const triad_real k[3], const triad_cplx b[3], const triad_cplx e[3])
{
  triad_cplx d[3];
  triad_mhd_curl(k, e, d);
  return triad_mode_product(b[0], d[0]) + triad_mode_product(b[1], d[1]) + triad_mode_product(b[2], d[2]);
}

/* Transfers: total, of u, of b, by advection, by the Lorentz force. Part 0 has all of the stress, part 1 the stress
 * without b. */
TRIAD_POINT void triad_mhd_mode_transfers(const triad_mhd_constants *c, int part, const triad_real k[3],
                                          triad_real inverse_k2, const triad_cplx *u, const triad_cplx *t, double *d)
{
  double stress = triad_velocity_mode_transfer(k, inverse_k2, u, t);
  double induction = part == 0 ? triad_mhd_mode_induction(k, u + TRIAD_MHD_B, t + TRIAD_MHD_EMF) : 0;
  (void)c;
  d[0] = part == 0 ? stress + induction : 0;
  d[1] = part == 0 ? stress : 0;
  d[2] = induction;
  d[3] = part == 0 ? 0 : stress;
  d[4] = part == 0 ? stress : -stress;
}

TRIAD_GPU_PASS(mhd, triad_mhd_constants, IN = 6, RESULTS = TRIAD_MHD_PRODUCTS, SHARED = 3)
/* nine fields are too many for a thread */
TRIAD_GPU_PASS(hall, triad_mhd_constants, IN = 9, RESULTS = TRIAD_MHD_PRODUCTS, FUSED = 0)
/* with scalars lines and points apart, so that those without keep their registers */
TRIAD_GPU_PASS(mhd_carrying, triad_mhd_constants, IN = 6, RESULTS = TRIAD_MHD_PRODUCTS, CARRIES = 1, FUSED = 0)
TRIAD_GPU_PASS(hall_carrying, triad_mhd_constants, IN = 9, RESULTS = TRIAD_MHD_PRODUCTS, CARRIES = 1,
               BEHIND = TRIAD_MHD_SOURCES, FUSED = 0)
TRIAD_GPU_MODES(mhd, triad_mhd_constants, FIELDS = TRIAD_MHD_FIELDS, TERMS = TRIAD_MHD_TERMS, SUMS = TRIAD_MHD_SUMS,
                DENSITIES = TRIAD_MHD_DENSITIES, TRANSFERS = TRIAD_MHD_TRANSFERS, SOURCES = TRIAD_MHD_SOURCES,
                SCALARS = 1)

#endif
