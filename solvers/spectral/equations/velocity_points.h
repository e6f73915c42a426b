/* What one mode of a velocity, of a field like it, or of a scalar adds to budgets, spectra and transfers. The Hermitian
 * weight is left out; wavenumbers and sums are double in either precision. */
#ifndef TRIAD_SOLVERS_SPECTRAL_EQUATIONS_VELOCITY_POINTS_H
#define TRIAD_SOLVERS_SPECTRAL_EQUATIONS_VELOCITY_POINTS_H

#include "solvers/spectral/equations/decay_points.h"
#include "solvers/spectral/equations/hd_points.h"

/* The sums over modes that every velocity has. */
enum triad_velocity_sum {
  TRIAD_SUM_ENERGY,      /* sum |u|^2 / 2                                          */
  TRIAD_SUM_ENSTROPHY,   /* sum k^2 |u|^2 / 2: mean |curl u|^2 / 2 where k.u = 0   */
  TRIAD_SUM_DISSIPATION, /* sum lambda(k) |u|^2                                    */
  TRIAD_SUM_HELICITY,    /* sum Re conj(u).(i k x u) = mean u.curl u               */
  TRIAD_SUM_DIVERGENCE,  /* sum |k.u|^2                                            */
  TRIAD_SUM_INTEGRAL,    /* sum |u|^2 / (2 |k|), k != 0                            */
  TRIAD_VELOCITY_SUMS
};

enum { TRIAD_SCALAR_SUMS = 5 /* |s|^2/2, lambda |s|^2, and the fluxes s u, s v, s w */ };

/* Re conj(a) b. */
TRIAD_POINT double triad_mode_product(triad_cplx a, triad_cplx b)
{
  return (double)a.re * (double)b.re + (double)a.im * (double)b.im;
}

TRIAD_POINT double triad_mode_square(triad_cplx a) { return triad_mode_product(a, a); }

TRIAD_POINT double triad_mode_k2(const double k[3]) { return k[0] * k[0] + k[1] * k[1] + k[2] * k[2]; }

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

TRIAD_POINT void triad_velocity_mode_sums(const triad_decay *decay, const double k[3], const triad_cplx u[3],
                                          double sums[TRIAD_VELOCITY_SUMS])
{
  double dr = k[0] * (double)u[0].re + k[1] * (double)u[1].re + k[2] * (double)u[2].re;
  double di = k[0] * (double)u[0].im + k[1] * (double)u[1].im + k[2] * (double)u[2].im;
  double k2 = triad_mode_k2(k), energy = triad_vector_energy(u);
  sums[TRIAD_SUM_ENERGY] = energy;
  sums[TRIAD_SUM_ENSTROPHY] = k2 * energy;
  sums[TRIAD_SUM_DISSIPATION] = 2 * triad_decay_of(decay, k2) * energy;
  sums[TRIAD_SUM_HELICITY] = triad_vector_helicity(k, u);
  sums[TRIAD_SUM_DIVERGENCE] = dr * dr + di * di;
  sums[TRIAD_SUM_INTEGRAL] = k2 > 0 ? energy / sqrt(k2) : 0;
}

TRIAD_POINT void triad_scalar_mode_sums(const triad_decay *decay, double k2, triad_cplx s, const triad_cplx u[3],
                                        double sums[TRIAD_SCALAR_SUMS])
{
  double e = triad_mode_square(s) / 2;
  sums[0] = e;
  sums[1] = 2 * triad_decay_of(decay, k2) * e;
  for (int c = 0; c < 3; c++) sums[2 + c] = triad_mode_product(u[c], s);
}

/* Re conj(u).(-i k_j t_ij), projected: what the five products give |u|^2/2. */
TRIAD_POINT double triad_velocity_mode_transfer(const triad_real k[3], triad_real inverse_k2, const triad_cplx u[3],
                                                const triad_cplx t[5])
{
  triad_cplx s[3], r[3];
  triad_hd_advection(k, t, s);
  triad_hd_project(k, inverse_k2, s, r);
  double sum = 0;
  for (int c = 0; c < 3; c++) sum += triad_mode_product(u[c], r[c]);
  return sum;
}

/* Re conj(s).(-i k.f): what the fluxes f = u s give |s|^2/2. */
TRIAD_POINT double triad_scalar_mode_transfer(const triad_real k[3], triad_cplx s, const triad_cplx f[3])
{
  return triad_mode_product(s, triad_hd_flux(k, f));
}

#endif
