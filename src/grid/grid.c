/* Sizes and wavenumbers of a periodic grid (grid.h). */
#include "grid/grid.h"
#include "base/precision.h"

#include <math.h>
#include <stdlib.h>

int triad_grid_init(triad_grid *g, const int64_t n[3], const double length[3], triad_truncation truncation)
{
  for (int i = 0; i < 3; i++) {
    if (n[i] < 1 || n[i] > INT64_C(1) << 20)
      return TRIAD_FAIL(TRIAD_ERR_CASE, "grid.n: %lld points along %c, must be 1 to 1048576", (long long)n[i],
                        "xyz"[i]);
    if (!(length[i] > 0) || !isfinite(length[i]))
      return TRIAD_FAIL(TRIAD_ERR_CASE, "grid.length: %g along %c, must be positive", length[i], "xyz"[i]);
    g->n[i] = n[i];
    g->length[i] = length[i];
    g->kmax[i] = truncation == TRIAD_NONE ? n[i] / 2 : (n[i] - 1) / 3;
    g->radius[i] = (double)g->kmax[i];
  }
  g->truncation = truncation;
  g->shifted = 0;
  g->lines = TRIAD_LINES_AUTO;
  g->lean = 0;
  return TRIAD_OK;
}

/* Below the limit by more than rounding: a mode on it, such as (m, m, 0) of 3 m points, has an alias that reaches
 * one. */
static const double below = 1 - 1e-9;

int triad_grid_set_sphere(triad_grid *g, double radius, int shifted)
{
  int64_t n = g->n[0], third;
  for (int i = 1; i < 3; i++) n = g->n[i] > n ? g->n[i] : n;
  third = (n - 1) / 3;
  double limit = shifted ? sqrt(2) / 3 * (double)n : (double)(third + 1);
  if (g->truncation != TRIAD_SPHERE && (shifted || radius > 0))
    return TRIAD_FAIL(TRIAD_ERR_CASE, "grid.%s requires a sphere of modes: set grid.truncation = \"sphere\"",
                      shifted ? "dealiasing = \"phase-shift\"" : "radius");
  if (radius >= limit)
    return TRIAD_FAIL(TRIAD_ERR_CASE, "grid.radius = %.9g allows aliasing: on %lld points it must be below %.9g%s",
                      radius, (long long)n, limit, shifted ? "" : " without phase shifts");
  if (radius == 0 && !shifted) return TRIAD_OK;
  for (int i = 0; i < 3; i++) {
    g->radius[i] = (radius > 0 ? radius : limit * below) * (double)g->n[i] / (double)n;
    int64_t most = shifted ? (g->n[i] - 1) / 2 : (g->n[i] - 1) / 3, inside = (int64_t)floor(g->radius[i] * (1 + 1e-12));
    g->kmax[i] = inside < most ? inside : most;
  }
  g->shifted = shifted;
  return TRIAD_OK;
}

int triad_grid_has_sphere(const triad_grid *g, double *radius)
{
  int longest = 0;
  for (int i = 1; i < 3; i++)
    if (g->n[i] > g->n[longest]) longest = i;
  *radius = g->radius[longest];
  /* the usual one */
  return g->truncation == TRIAD_SPHERE && (g->shifted || *radius != (double)((g->n[longest] - 1) / 3));
}

int triad_grid_keeps(const triad_grid *g, int64_t kx, int64_t ky, int64_t kz)
{
  const int64_t k[3] = {kx, ky, kz};
  double radius2 = 0;
  for (int i = 0; i < 3; i++) {
    if (k[i] > g->kmax[i] || k[i] < -g->kmax[i]) return 0;
    if (k[i] != 0) {
      double r = (double)k[i] / g->radius[i];
      radius2 += r * r;
    }
  }
  /* the slack keeps lattice points that lie on the sphere, such as (3, 4, 0) on K = 5, whatever the rounding */
  return g->truncation != TRIAD_SPHERE || radius2 <= 1 + 1e-12;
}

/* Is k = n/2 or -n/2, which are the same mode? */
static int is_nyquist(const triad_grid *g, int axis, int64_t k) { return k != 0 && 2 * llabs(k) == g->n[axis]; }

double triad_grid_size_wavenumber(const triad_grid *g, int axis, int64_t k)
{
  return 2 * TRIAD_PI * (double)k / g->length[axis];
}

double triad_grid_derivative_wavenumber(const triad_grid *g, int axis, int64_t k)
{
  return is_nyquist(g, axis, k) ? 0 : triad_grid_size_wavenumber(g, axis, k);
}

int triad_grid_has_nyquist(const triad_grid *g)
{
  return is_nyquist(g, 0, g->kmax[0]) || is_nyquist(g, 1, g->kmax[1]) || is_nyquist(g, 2, g->kmax[2]);
}

int triad_grid_excites(const triad_grid *g, int64_t kx, int64_t ky, int64_t kz)
{
  return triad_grid_keeps(g, kx, ky, kz) && !is_nyquist(g, 0, kx) && !is_nyquist(g, 1, ky) && !is_nyquist(g, 2, kz);
}

double triad_grid_farthest(const triad_grid *g)
{
  double most = 0;
  for (int64_t kx = 0; kx <= g->kmax[0]; kx++) {
    int64_t kz = g->kmax[2];
    for (int64_t ky = 0; ky <= g->kmax[1]; ky++) {
      while (kz >= 0 && !triad_grid_keeps(g, kx, ky, kz)) kz--;
      if (kz < 0) break;
      double x = triad_grid_size_wavenumber(g, 0, kx), y = triad_grid_size_wavenumber(g, 1, ky),
             z = triad_grid_size_wavenumber(g, 2, kz);
      most = fmax(most, x * x + y * y + z * z);
    }
  }
  return sqrt(most);
}

double triad_grid_k_min(const triad_grid *g)
{
  double longest = 0;
  for (int i = 0; i < 3; i++)
    if (g->n[i] > 1) longest = fmax(longest, g->length[i]);
  return longest > 0 ? (2 * TRIAD_PI) / longest : (2 * TRIAD_PI);
}

double triad_grid_k_max(const triad_grid *g)
{
  double k = INFINITY;
  for (int i = 0; i < 3; i++)
    if (g->n[i] > 1) k = fmin(k, (2 * TRIAD_PI) * (double)g->kmax[i] / g->length[i]);
  return isfinite(k) ? k : 0;
}

double triad_grid_reach(const triad_grid *g, int axis)
{
  int64_t k = g->kmax[axis];
  if (g->truncation == TRIAD_SPHERE && k > 0) return 2 * TRIAD_PI * g->radius[axis] / g->length[axis];
  return triad_grid_size_wavenumber(g, axis, k);
}

double triad_grid_leaning_reach(const triad_grid *g)
{
  const double x = triad_grid_reach(g, 0), y = triad_grid_reach(g, 1), off = g->lean * x;
  if (g->truncation != TRIAD_SPHERE) return sqrt(x * x + (y + off) * (y + off));
  /* the larger singular value of ((x, 0), (-off, y)), which maps a unit circle to the ellipse of these modes */
  const double sum = x * x + y * y + off * off, product = 2 * x * y;
  return sqrt((sum + sqrt(fmax(0, sum * sum - product * product))) / 2);
}

double triad_grid_spacing(const triad_grid *g, int axis) { return g->length[axis] / (double)g->n[axis]; }

int64_t triad_grid_points(const triad_grid *g) { return g->n[0] * g->n[1] * g->n[2]; }
