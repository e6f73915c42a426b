/* Functions that the source text of formulas calls in addition to C's library (case/formula.h), on either device. */
#ifndef TRIAD_CASE_FORMULA_FORMULA_POINTS_H
#define TRIAD_CASE_FORMULA_FORMULA_POINTS_H

#include "base/random.h"

TRIAD_POINT uint64_t triad_formula_bits(double value)
{
  union {
    double value;
    uint64_t bits;
  } both;
  both.value = value;
  return both.bits;
}

/* White noise between -1 and 1 that depends on the seed and the bits of the point alone; -0 is 0. */
TRIAD_POINT double triad_formula_noise(double seed, double x, double y, double z)
{
  const uint64_t a = triad_formula_bits(x + 0.0), b = triad_formula_bits(y + 0.0), last = triad_formula_bits(z + 0.0);
  const uint64_t key = triad_random_key(triad_formula_bits(seed), TRIAD_STREAM_INITIAL);
  triad_bits c;
  c.v[0] = (uint32_t)a;
  c.v[1] = (uint32_t)(a >> 32);
  c.v[2] = (uint32_t)b;
  c.v[3] = (uint32_t)(b >> 32);
  c = triad_philox(c, key);
  c.v[0] ^= (uint32_t)last;
  c.v[1] ^= (uint32_t)(last >> 32);
  return 2 * triad_random_uniform(triad_philox(c, key), 0) - 1;
}

/* a - b floor(a/b), with the sign of b, exact for the given numbers. a/b is rounded, which may make its integer part
 * one too large (1 is a little less than ten times the number next to 0.1). The product is fused, so that nothing else
 * is rounded. If the quotient has more digits than a double, or b is infinite, the slower remainder function of the C
 * library is used. */
TRIAD_POINT double triad_formula_mod(double a, double b)
{
  const double quotient = floor(a / b);
  const int fits = fabs(quotient) < 4503599627370496.0 && fabs(b) <= 1.7976931348623157e308;
  const double rest = fits ? fma(-b, quotient, a) : fmod(a, b);
  return (rest < 0 && b > 0) || (rest > 0 && b < 0) ? rest + b : rest;
}

#endif
