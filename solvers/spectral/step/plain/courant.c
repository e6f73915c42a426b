/* The largest Courant number of a scheme on a grid. */
#include "solvers/spectral/step/plain/courant.h"
#include "base/precision.h"

#include <math.h>

double triad_stepper_angle(const triad_grid *grid)
{
  const double largest = (grid->shifted ? sqrt(2) : 1) * 2 * TRIAD_PI / 3;
  double radius;
  if (grid->truncation == TRIAD_NONE) return TRIAD_PI;
  if (!triad_grid_has_sphere(grid, &radius)) return largest;
  double angle = 0; /* R n_i/n of n_i points: equal on all axes up to rounding */
  for (int i = 0; i < 3; i++) angle = fmax(angle, 2 * TRIAD_PI * grid->radius[i] / (double)grid->n[i]);
  return fmin(angle, largest);
}

double triad_stepper_bound(const triad_scheme *scheme, const triad_grid *grid)
{
  return triad_scheme_reach(scheme) / triad_stepper_angle(grid);
}
