/* List the modes of the Taylor-Green and ABC flows. */
#include "solvers/spectral/plain/analytic.h"

#include <string.h>

static int check_kept(const triad_grid *g, const triad_mode *list, int count, const char *key)
{
  for (int i = 0; i < count; i++) {
    const int64_t *k = list[i].k;
    if (!triad_grid_excites(g, k[0], k[1], k[2]))
      return TRIAD_FAIL(TRIAD_ERR_CASE,
                        "%s: mode (%lld, %lld, %lld) is not in the grid of %lld x %lld x %lld, or has a component at "
                        "n/2: use a finer grid or a smaller wavenumber",
                        key, (long long)k[0], (long long)k[1], (long long)k[2], (long long)g->n[0], (long long)g->n[1],
                        (long long)g->n[2]);
  }
  return TRIAD_OK;
}

int triad_taylor_green_modes(const triad_grid *g, int64_t m, double amplitude, int plane, const char *key,
                             triad_mode *list, int *count)
{
  double slope = triad_grid_size_wavenumber(g, 0, m) / triad_grid_size_wavenumber(g, 1, m), share = plane ? 4 : 8;
  *count = 0;
  memset(list, 0, TRIAD_ANALYTIC_MODES * sizeof *list);
  for (int sx = -1; sx <= 1; sx += 2)
    for (int sy = -1; sy <= 1; sy += 2)
      for (int sz = plane ? 0 : -1; sz <= 1; sz += 2) {
        triad_mode *mode = &list[(*count)++];
        mode->k[0] = sx * m;
        mode->k[1] = sy * m;
        mode->k[2] = plane ? 0 : sz * m;
        /* sin a = sum_s -i s/2 exp(i s a), cos a = sum_s 1/2 exp(i s a) */
        mode->im[0] = -sx * amplitude / share;
        mode->im[1] = sy * slope * amplitude / share;
        if (plane) break;
      }
  return check_kept(g, list, *count, key);
}

int triad_abc_modes(const triad_grid *g, int64_t m, double amplitude, const double abc[3], const char *key,
                    triad_mode *list, int *count)
{
  /* along each axis: component with sin, component with cos, coefficient */
  const int axis_sine[3] = {1, 2, 0}, axis_cosine[3] = {2, 0, 1};
  const double coefficient[3] = {abc[1], abc[2], abc[0]};
  *count = 0;
  memset(list, 0, TRIAD_ANALYTIC_MODES * sizeof *list);
  for (int axis = 0; axis < 3; axis++)
    for (int s = -1; s <= 1; s += 2) {
      triad_mode *mode = &list[(*count)++];
      mode->k[axis] = s * m;
      mode->im[axis_sine[axis]] = -s * amplitude * coefficient[axis] / 2;
      mode->re[axis_cosine[axis]] = amplitude * coefficient[axis] / 2;
    }
  return check_kept(g, list, *count, key);
}
