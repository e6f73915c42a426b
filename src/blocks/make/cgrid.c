/* C-grids around sections and the ONERA M6 wing: sheared parabolic coordinates (Jameson and Caughey 1977, AIAA 77-635).
 * The square root of z - z0, with z0 a point in the nose, unfolds section and wake to a line that is nearly straight.
 * Straight grid lines above it are mapped back to parabolas around the nose, nearly orthogonal.
 *
 * i: along the lower side of the wake to the trailing edge (an eighth of the cells), under the section to its nose,
 * over it, and back along the wake. j: outwards. k: along the span, five eighths of the cells on the wing. */
#include "blocks/make/cgrid.h"
#include "blocks/make/shapes.h"
#include "blocks/make/aerofoil.h"

#include "base/precision.h"
#include "base/status.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>

/* In units of the chord. */
typedef struct curve {
  double complex nose, turn; /* z0; the chord's direction as seen from it, as a unit number */
  double (*w)[2];            /* [i]: the unfolded section, along and up; 0 up on the wake   */
  double wake, tip;          /* how cells cluster along the wake and beyond a wing's tip    */
} curve;

/* ---- the wing of Schmitt and Charpin (AGARD AR-138): from B-splines of its surface ---- */

static const double m6[][2] = {
  {0, 0},        {.0005, .00390}, {.001, .00552}, {.002, .00780}, {.0035, .01030}, {.005, .01227}, {.0075, .01490},
  {.01, .01702}, {.015, .02029},  {.02, .02268},  {.03, .02590},  {.04, .02801},   {.05, .02969},  {.065, .03193},
  {.08, .03392}, {.1, .03625},    {.125, .03873}, {.15, .04082},  {.175, .04258},  {.2, .04408},   {.25, .04642},
  {.3, .04799},  {.35, .04882},   {.4, .04884},   {.45, .04801},  {.5, .04633},    {.55, .04385},  {.6, .04069},
  {.65, .03699}, {.7, .03288},    {.75, .02846},  {.8, .02373},   {.85, .01860},   {.9, .01295},   {.925, .00980},
  {.95, .00654}, {.975, .00327},  {1, 0}};
enum { M6_POINTS = sizeof m6 / sizeof *m6 };
static const double m6_nose_radius = 0.0152, m6_root = 0.8059, m6_tip = 0.453077, m6_span = 1.1963, m6_edge = 0.690684;

/* Half the thickness at x: z/sqrt(x) is smooth, and goes through the points by parabolas, each of three, the means
 * of two. */
static double m6_half(double x)
{
  int i = 1;
  if (x <= 0) return 0;
  while (i < M6_POINTS - 2 && x > m6[i + 1][0]) i++;
  double value[2];
  for (int k = 0; k < 2; k++) { /* of points first .. first + 2 */
    int first = i - 1 + k < M6_POINTS - 3 ? i - 1 + k : M6_POINTS - 3;
    double r[3], f[3];
    for (int p = 0; p < 3; p++) {
      r[p] = sqrt(m6[first + p][0]);
      f[p] = first + p == 0 ? sqrt(2 * m6_nose_radius) : m6[first + p][1] / r[p];
    }
    double s = sqrt(x);
    value[k] = f[0] * (s - r[1]) * (s - r[2]) / ((r[0] - r[1]) * (r[0] - r[2])) +
               f[1] * (s - r[0]) * (s - r[2]) / ((r[1] - r[0]) * (r[1] - r[2])) +
               f[2] * (s - r[0]) * (s - r[1]) / ((r[2] - r[0]) * (r[2] - r[1]));
  }
  double from = sqrt(m6[i][0]), part = (sqrt(x) - from) / (sqrt(m6[i + 1][0]) - from);
  part = fmin(fmax(part, 0), 1);
  double z = sqrt(x) * ((1 - part) * value[0] + part * value[1]);
  return x >= 1 ? 0 : z;
}

static double complex m6_point(double angle)
{
  double x = (1 + cos(angle)) / 2;
  return x + I * (angle <= TRIAD_PI ? 1 : -1) * m6_half(x);
}

/* ---- the unfolded section ---- */

static double complex section_at(const triad_blocks_grid *g, double angle)
{
  double z[2];
  if (g->shape->node == triad_blocks_wing) return m6_point(angle);
  triad_blocks_section_point(g, angle, z);
  return z[0] + I * z[1];
}

/* The branch of the square root with arguments 0 to 2 pi, so that the result is above the real axis. */
static double complex unfold(const curve *c, double complex z) { return I * csqrt(-(z - c->nose) / c->turn); }

/* The unfolded point of this real part, which falls from the trailing edge over the upper side to the nose and on. */
static double complex point_along(const triad_blocks_grid *g, const curve *c, double along)
{
  double low = 0, high = 2 * TRIAD_PI;
  for (int k = 0; k < 60; k++) {
    double middle = (low + high) / 2;
    if (creal(unfold(c, section_at(g, middle))) > along) low = middle;
    else high = middle;
  }
  return unfold(c, section_at(g, (low + high) / 2));
}

/* s of expm1(s t)/expm1(s), whose first of n steps is `first`. */
static double clustering(double first, double n)
{
  double low = 1e-6, high = 40;
  for (int k = 0; k < 100; k++) {
    double s = (low + high) / 2;
    if (expm1(s / n) / expm1(s) > first) low = s;
    else high = s;
  }
  return low;
}

static const double tip_even = 0.3; /* share of even steps along the span */

int triad_blocks_cgrid_prepare(triad_blocks_grid *g)
{
  const int64_t n = g->base[0];
  const int is_wing = g->shape->node == triad_blocks_wing;
  curve *c = g->shape_own = calloc(1, sizeof *c);
  if (c) c->w = (double(*)[2])(g->table = calloc(2 * (size_t)n + 2, sizeof *g->table));
  if (!c || !c->w) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%lld nodes of a section", (long long)n);
  if (is_wing && g->base[2] % 8 != 0)
    return TRIAD_FAIL(TRIAD_ERR_CASE, "grid.n: a wing requires a multiple of 8 cells along k, not %lld",
                      (long long)g->base[2]);
  double radius = is_wing ? m6_nose_radius : 1.1019 * g->section[2] * g->section[2], edge;
  double complex below = section_at(g, TRIAD_PI - 1e-3), above = section_at(g, TRIAD_PI + 1e-3);
  c->nose = radius / 2 + I * cimag(below + above) / 2;
  c->turn = (1 - c->nose) / cabs(1 - c->nose);
  edge = sqrt(cabs(1 - c->nose));
  for (int64_t i = n / 8; i <= n - n / 8; i++) {
    double along = edge * (2 * (double)(i - n / 8) / (double)(n - n / 4) - 1);
    double complex w = i > n / 8 && i < n - n / 8 ? point_along(g, c, along) : along;
    c->w[i][0] = creal(w);
    c->w[i][1] = cimag(w);
  }
  double step = 2 * edge / (double)(n - n / 4), length = sqrt(g->far) - edge;
  c->wake = clustering(step / fmax(length, step), (double)(n / 8));
  double span = m6_span * (tip_even * 8 / (5 * (double)g->base[2]) +
                           (1 - tip_even) * (1 - sin(TRIAD_PI / 2 * (1 - 8 / (5 * (double)g->base[2])))));
  if (is_wing) c->tip = clustering(span / (g->far * m6_root), 3 * (double)g->base[2] / 8);
  return TRIAD_OK;
}

/* ---- nodes ---- */

/* Along and up at i, for a chord whose root is `scale`; on the wake up to `outer`. */
static void foot_of(const triad_blocks_grid *g, const curve *c, double at, double scale, double outer, double w[2])
{
  double n = (double)g->base[0], i = at * n, eighth = floor(n / 8), sign = i < n / 2 ? -1 : 1;
  double out = sign < 0 ? eighth - i : i - (n - eighth); /* cells behind the trailing edge */
  if (out > 0) {
    double edge = scale * c->w[(int64_t)(n - eighth)][0];
    w[0] = sign * (edge + (outer - edge) * expm1(c->wake * out / eighth) / expm1(c->wake));
    w[1] = 0;
    return;
  }
  double first = fmin(floor(i), n - eighth - 1), part = i - first;
  for (int a = 0; a < 2; a++)
    w[a] = scale * ((1 - part) * c->w[(int64_t)first][a] + part * c->w[(int64_t)first + 1][a]);
}

/* Folded again: z0 + turn w^2. */
static double complex node_of(const triad_blocks_grid *g, const curve *c, const double at[3], double chord,
                              double thick, double outer)
{
  double w[2], out = g->stretch > 0 ? expm1(g->stretch * at[1]) / expm1(g->stretch) : at[1];
  foot_of(g, c, at[0], sqrt(chord), outer, w);
  w[1] *= thick;
  double complex unfolded = w[0] + I * (w[1] + (outer - w[1]) * out);
  return chord * c->nose + c->turn * unfolded * unfolded;
}

void triad_blocks_cgrid(const triad_blocks_grid *g, const double at[3], double x[3])
{
  double complex z = node_of(g, g->shape_own, at, 1, 1, sqrt(g->far));
  x[0] = creal(z);
  x[1] = cimag(z);
  x[2] = at[2] * g->length[2];
}

/* Along y the span. Beyond the tip sections have no thickness, and the leading edge turns straight. */
void triad_blocks_wing(const triad_blocks_grid *g, const double at[3], double x[3])
{
  const curve *c = g->shape_own;
  double t = at[2] * 8 / 5, chord = m6_tip, thick = 0, sweep = m6_edge / m6_span;
  if (t <= 1 + 1e-12) {
    t = fmin(t, 1);
    x[1] = m6_span * (tip_even * t + (1 - tip_even) * sin(TRIAD_PI / 2 * t));
    chord = m6_root + (m6_tip - m6_root) * x[1] / m6_span;
    x[0] = sweep * x[1];
    thick = 1;
  } else {
    double beyond = expm1(c->tip * (t - 1) * 5 / 3) / expm1(c->tip) * g->far * m6_root;
    x[1] = m6_span + beyond;
    x[0] = m6_edge + sweep * m6_tip * (1 - exp(-beyond / m6_tip));
  }
  const double back[3] = {1 - at[0], at[1], at[2]}; /* the upper side first: x, z, y would be left-handed */
  double complex z = node_of(g, c, back, chord, thick, sqrt(g->far * m6_root));
  x[0] += creal(z);
  x[2] = cimag(z);
}
