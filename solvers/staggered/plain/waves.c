/* Decide which transform solves for the pressure of a box: waves along uniform axes, tridiagonal systems along one. */
#include "solvers/staggered/plain/waves.h"

static int has_walls(const triad_staggered_setup *s, int axis) { return s->side[axis][0] != TRIAD_STAGGERED_PERIODIC; }

static int is_stretched(const triad_staggered_setup *s, int axis) { return s->n[axis] > 1 && s->stretch[axis] > 0; }

int triad_staggered_is_uniform(const triad_staggered_setup *s)
{
  return !(is_stretched(s, 0) || is_stretched(s, 1) || is_stretched(s, 2));
}

int triad_staggered_line_axis(const triad_staggered_setup *s)
{
  for (int i = 0; i < 3; i++)
    if (is_stretched(s, i)) return i;
  for (int i = 2; i >= 0; i--)
    if (s->n[i] > 1 && has_walls(s, i)) return i;
  return -1;
}

const char *triad_staggered_no_transform(const triad_staggered_setup *s, int *axis)
{
  int stretched = 0;
  for (*axis = 0; *axis < 3; ++*axis) {
    if (!is_stretched(s, *axis)) continue;
    if (!has_walls(s, *axis)) return "is stretched and periodic";
    if (stretched++) return "is the second stretched axis";
  }
  return NULL;
}

int triad_staggered_transforms(const triad_staggered_setup *s)
{
  int axis;
  return triad_staggered_no_transform(s, &axis) == NULL;
}

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
