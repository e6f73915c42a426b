/* One stage of a step for one real number of a mode (docs/methods/time-steps.md eq. 10), in one order of operations on
 * every device, so that rounding of the state, which single precision feels, falls alike:
 *   u <- E (u + a q + b N),   q <- E (d q + e N) */
#ifndef TRIAD_SOLVERS_SPECTRAL_EQUATIONS_STAGE_POINTS_H
#define TRIAD_SOLVERS_SPECTRAL_EQUATIONS_STAGE_POINTS_H

#include "base/point.h"

TRIAD_POINT triad_real triad_stage_first(triad_real decay, triad_real b, triad_real u, triad_real n)
{
  return decay * triad_fma(b, n, u);
}

TRIAD_POINT triad_real triad_stage_state(triad_real decay, triad_real a, triad_real b, triad_real u, triad_real q,
                                         triad_real n)
{
  return decay * triad_fma(b, n, triad_fma(a, q, u));
}

TRIAD_POINT triad_real triad_stage_register(triad_real decay, triad_real d, triad_real e, triad_real q, triad_real n)
{
  return decay * triad_fma(e, n, d * q);
}

/* The rotation of two fields into each other by an angle of cosine c and sine s. */
TRIAD_POINT void triad_stage_turn(triad_real c, triad_real s, triad_cplx *u0, triad_cplx *u1)
{
  triad_cplx a = *u0, b = *u1;
  u0->re = triad_fma(c, a.re, s * b.re);
  u0->im = triad_fma(c, a.im, s * b.im);
  u1->re = triad_fma(c, b.re, -(s * a.re));
  u1->im = triad_fma(c, b.im, -(s * a.im));
}

/* sum += m u, m an element of the matrix of coupled fields. */
TRIAD_POINT void triad_stage_couple(triad_cplx m, triad_cplx u, triad_cplx *sum)
{
  sum->re += m.re * u.re - m.im * u.im;
  sum->im += m.re * u.im + m.im * u.re;
}

#endif
