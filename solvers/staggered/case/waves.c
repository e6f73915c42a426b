/* Choose the transform of a box on a GPU: Fourier waves along x and all other axes but one, or cosines. */
#include "solvers/staggered/case/waves.h"

static int has_fourier(const triad_staggered_setup *setup, int *line)
{
  *line = -1;
  for (int i = 0; i < 3; i++) {
    int periodic = setup->side[i][0] == TRIAD_STAGGERED_PERIODIC, stretched = setup->stretch[i] > 0;
    if (setup->n[i] == 1 || (periodic && !stretched)) continue;
    if (i == 0 || *line >= 0 || periodic || setup->n[0] == 1) return 0;
    *line = i;
  }
  return 1;
}

triad_staggered_waves triad_staggered_waves_of(const triad_staggered_setup *setup, int *line)
{
  if (has_fourier(setup, line)) return TRIAD_STAGGERED_FOURIER_WAVES;
  *line = triad_staggered_line_axis(setup);
  return triad_staggered_transforms(setup) && *line >= 0 ? TRIAD_STAGGERED_COSINE_WAVES : TRIAD_STAGGERED_NO_WAVES;
}
