/* Read the grid and its truncation from a case. */
#include "solvers/spectral/plain/case_grid.h"
#include "solvers/spectral/plain/shear_case.h"

int triad_spectral_grid(const triad_case *c, triad_grid *grid)
{
  int64_t n[3];
  double length[3];
  triad_case_integers(c, "grid.n", n, 3);
  triad_case_reals(c, "grid.length", length, 3);
  triad_truncation truncation = triad_case_is(c, "grid.truncation", "box")    ? TRIAD_BOX
                                : triad_case_is(c, "grid.truncation", "none") ? TRIAD_NONE
                                                                              : TRIAD_SPHERE;
  TRIAD_TRY(triad_grid_init(grid, n, length, truncation));
  grid->lines = triad_case_is(c, "parallel.lines", "auto")  ? TRIAD_LINES_AUTO
                : triad_case_is(c, "parallel.lines", "own") ? TRIAD_LINES_OWN
                                                            : TRIAD_LINES_LIBRARY;
  triad_shear_grid(c, grid);
  return triad_grid_set_sphere(grid, triad_case_real(c, "grid.radius"),
                               triad_case_applies(c, "grid.dealiasing") &&
                                 triad_case_is(c, "grid.dealiasing", "phase-shift"));
}
