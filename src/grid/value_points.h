/* Arithmetic of moments and histograms of the values at points, on every device. */
#ifndef TRIAD_GRID_VALUE_POINTS_H
#define TRIAD_GRID_VALUE_POINTS_H

#include "base/point.h"

#include <math.h>
#include <stdint.h>

enum { TRIAD_VALUE_POWERS = 3 };

/* powers[i] = d^(2 + i): the second to the fourth power of a deviation from the mean. */
TRIAD_POINT void triad_value_powers(double d, double powers[TRIAD_VALUE_POWERS])
{
  powers[0] = d * d;
  powers[1] = powers[0] * d;
  powers[2] = powers[0] * powers[0];
}

/* The bin of (value - mean)/scale among `bins` bins from -reach to reach; -1: outside, or not a number. */
TRIAD_POINT int triad_value_bin(double value, double mean, double scale, double reach, int bins)
{
  const double at = floor(((value - mean) / scale + reach) * ((double)bins / (2 * reach)));
  return at >= 0 && at < bins ? (int)at : -1;
}

#endif
