/* The bin of a wavenumber, for shells, rings and planes of spectra: round(|k|/width), |k|^2 = across2 + along^2.
 * Operations round the same way on every device, so that a mode between two bins never changes sides. */
#ifndef TRIAD_GRID_BIN_POINTS_H
#define TRIAD_GRID_BIN_POINTS_H

#include "base/point.h"

#include <math.h>

TRIAD_POINT double triad_bin_square(double a, double b) { return fma(a, a, b * b); }

TRIAD_POINT int64_t triad_bin(double across2, double along, double width)
{
  return (int64_t)floor(sqrt(fma(along, along, across2)) / width + 0.5);
}

#endif
