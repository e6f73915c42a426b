/* Shells of wavenumber: shell s holds the modes of size round(|k|/k_min) = s, k_min = 2 pi / max L. */
#ifndef TRIAD_GRID_SHELLS_H
#define TRIAD_GRID_SHELLS_H

#include "grid/bin_points.h"
#include "grid/layout.h"

/* w: the mode's wavenumber by size (triad_grid_size_wavenumber, triad_layout_size). */
static inline int64_t triad_shell(const triad_grid *grid, const double w[3])
{
  return triad_bin(triad_bin_square(w[0], w[1]), w[2], triad_grid_k_min(grid));
}

/* The number of shells that contain every mode of the grid; the last one is not empty, unless modes may lean. */
static inline int64_t triad_shell_count(const triad_grid *grid)
{
  double w[3], longest = 0, radius;
  if (grid->lean > 0) {
    const double across = triad_grid_leaning_reach(grid), up = triad_grid_reach(grid, 2);
    longest = grid->truncation == TRIAD_SPHERE ? fmax(across, up) : sqrt(across * across + up * up);
    return triad_bin(0, longest * (1 + 1e-9), triad_grid_k_min(grid)) + 1;
  }
  for (int i = 0; i < 3; i++) {
    w[i] = triad_grid_size_wavenumber(grid, i, grid->kmax[i]);
    longest = fmax(longest, w[i]);
  }
  /* An ellipsoid extends as far as its longest axis, up to rounding. If its radius is not an integer, search for the
   * largest |k|. */
  if (grid->truncation == TRIAD_SPHERE && triad_grid_has_sphere(grid, &radius)) longest = triad_grid_farthest(grid);
  if (grid->truncation == TRIAD_SPHERE) return triad_bin(0, longest * (1 + 1e-9), triad_grid_k_min(grid)) + 1;
  return triad_shell(grid, w) + 1;
}

#endif
