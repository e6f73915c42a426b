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

/* Shells 0 .. count - 1 take in every mode of the grid, and the last one holds some. */
static inline int64_t triad_shell_count(const triad_grid *grid)
{
  double w[3], longest = 0, radius;
  for (int i = 0; i < 3; i++) {
    w[i] = triad_grid_size_wavenumber(grid, i, grid->kmax[i]);
    longest = fmax(longest, w[i]);
  }
  /* an ellipsoid reaches as far as its longest axis; what lies on it does but for rounding. One whose radius is no
   * integer is looked through */
  if (grid->truncation == TRIAD_SPHERE && triad_grid_has_sphere(grid, &radius)) longest = triad_grid_farthest(grid);
  if (grid->truncation == TRIAD_SPHERE) return triad_bin(0, longest * (1 + 1e-9), triad_grid_k_min(grid)) + 1;
  return triad_shell(grid, w) + 1;
}

#endif
