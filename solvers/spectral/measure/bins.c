#include "solvers/spectral/measure/bins.h"

#include <string.h>

static const double two_pi = 6.283185307179586476925286766559;

/* The axis along which a vector points, -1 where it is zero or oblique. */
static int axis_of(const triad_case *given, const char *key, int *is_zero)
{
  double v[3];
  int axis = -1, n = 0;
  triad_case_reals(given, key, v, 3);
  for (int i = 0; i < 3; i++)
    if (v[i] != 0) {
      axis = i;
      n++;
    }
  *is_zero = n == 0;
  return n == 1 ? axis : -1;
}

/* Of what makes the flow anisotropic, the first that the case has. */
static int axis_of_physics(const triad_case *given)
{
  static const char *const vectors[] = {"equations.mean_field", "equations.rotation"};
  if (triad_case_applies(given, "equations.buoyancy_frequency") &&
      triad_case_real(given, "equations.buoyancy_frequency") != 0)
    return 2;
  for (int i = 0; i < 2; i++) {
    int is_zero;
    if (!triad_case_applies(given, vectors[i])) continue;
    int axis = axis_of(given, vectors[i], &is_zero);
    if (!is_zero) return axis;
  }
  return -1;
}

int triad_bins_axis(const triad_case *given)
{
  const char *word = triad_case_word(given, "output.spectra_axis");
  if (strcmp(word, "auto") == 0) return axis_of_physics(given);
  return strcmp(word, "x") == 0 ? 0 : strcmp(word, "y") == 0 ? 1 : strcmp(word, "z") == 0 ? 2 : -1;
}

/* The largest wavenumber along an axis; a Nyquist mode's is 0, and its neighbour is the farthest. */
static double farthest(const triad_grid *grid, int axis)
{
  int64_t k = grid->kmax[axis];
  return triad_grid_wavenumber(grid, axis, k > 0 && 2 * k == grid->n[axis] ? k - 1 : k);
}

triad_bins triad_bins_make(const triad_grid *grid, int axis)
{
  int i = (axis + 1) % 3, j = (axis + 2) % 3;
  double longest = 0, a = farthest(grid, i), b = farthest(grid, j);
  if (grid->n[i] > 1) longest = grid->length[i];
  if (grid->n[j] > 1) longest = fmax(longest, grid->length[j]);
  triad_bins bins = {.axis = axis,
                     .ring_width = two_pi / (longest > 0 ? longest : grid->length[i]),
                     .plane_width = two_pi / grid->length[axis]};
  /* inside an ellipse nothing is farther out than its ends */
  double out = grid->truncation == TRIAD_SPHERE ? fmax(a, b) : sqrt(a * a + b * b);
  bins.rings = (int64_t)floor(out * (1 + 1e-9) / bins.ring_width + 0.5) + 1;
  bins.planes = triad_bins_plane(&bins, farthest(grid, axis)) + 1;
  return bins;
}
