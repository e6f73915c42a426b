/* O-grids around NACA four-digit sections with a sharp trailing edge. A map of Karman and Trefftz transforms the
 * section, whose trailing edge is a corner, to a curve that is nearly a circle. Lines between it and a far circle,
 * geometric in the radius, are mapped back to a grid that is nearly orthogonal (Vassberg and Jameson 2010, J. Aircraft
 * 47, 1152). */
#include "blocks/make/aerofoil.h"
#include "blocks/make/shapes.h"

#include "base/precision.h"
#include "base/status.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The map (z - z1)/(z - z2) = ((w - w1)/(w - w2))^n: corner z1 = 1, a point z2 in the nose, both on the chord's line
 * or near. */
typedef struct map {
  double thickness, camber, place, n;
  double complex z1, z2, w1, w2, middle;
} map;

/* half_of: half the thickness of the section at x. mean_line: the camber line at x, and its slope. */
static double half_of(const map *m, double x)
{
  return 5 * m->thickness * (0.2969 * sqrt(x) + x * (-0.1260 + x * (-0.3516 + x * (0.2843 - x * 0.1036))));
}

static double mean_line(const map *m, double x, double *slope)
{
  double p = m->place, c = m->camber;
  if (c <= 0) return *slope = 0;
  double side = x < p ? p : 1 - p;
  *slope = 2 * c / (side * side) * (p - x);
  return x < p ? c / (p * p) * (2 * p * x - x * x) : c / (side * side) * (1 - 2 * p + 2 * p * x - x * x);
}

/* From the trailing edge over the upper side to the nose and back: angle 0 to 2 pi, x = (1 + cos)/2. */
static double complex surface(const map *m, double angle)
{
  double x = (1 + cos(angle)) / 2, slope, line = mean_line(m, x, &slope), half = half_of(m, x < 0 ? 0 : x);
  double turn = atan(slope), side = angle <= TRIAD_PI ? 1 : -1;
  return x - side * half * sin(turn) + I * (line + side * half * cos(turn));
}

void triad_blocks_section_point(const triad_blocks_grid *g, double angle, double z[2])
{
  const map m = {.thickness = g->section[2], .camber = g->section[0], .place = g->section[1]};
  double complex at = surface(&m, angle);
  z[0] = creal(at);
  z[1] = cimag(at);
}

static double complex to_circle(const map *m, double complex z)
{
  double complex part = cpow((z - m->z1) / (z - m->z2), 1 / m->n);
  return cabs(z - m->z1) < 1e-14 ? m->w1 : (m->w1 - m->w2 * part) / (1 - part);
}

static double complex from_circle(const map *m, double complex w)
{
  double complex part = cpow((w - m->w1) / (w - m->w2), m->n);
  return cabs(w - m->w1) < 1e-14 ? m->z1 : (m->z1 - m->z2 * part) / (1 - part);
}

/* Costs 256 powers: prepare keeps it. */
static map map_of(const triad_blocks_grid *g)
{
  map m = {.thickness = g->section[2], .camber = g->section[0], .place = g->section[1]};
  double half = atan(5 * m.thickness * (0.2969 / 2 - 0.1260 - 2 * 0.3516 + 3 * 0.2843 - 4 * 0.1036)), slope;
  double nose = 1.1019 * m.thickness * m.thickness / 2;
  m.n = 2 + 2 * half / TRIAD_PI; /* half is negative */
  m.z1 = 1;
  m.z2 = nose + I * mean_line(&m, nose, &slope);
  m.w1 = (m.z1 - m.z2) / (2 * m.n);
  m.w2 = -m.w1;
  for (int i = 0; i < 256; i++) m.middle += to_circle(&m, surface(&m, 2 * TRIAD_PI * (i + 0.5) / 256)) / 256;
  return m;
}

/* Angle about the middle, from that of the trailing edge, in 0 .. 2 pi. */
static double angle_of(const map *m, double complex w)
{
  double a = carg((w - m->middle) / (m->w1 - m->middle));
  return a < 0 ? a + 2 * TRIAD_PI : a;
}

/* Radii of the curve at the angles of all lines. */
static int prepare(triad_blocks_grid *g)
{
  const int64_t n = g->base[0];
  const map m = map_of(g);
  g->table = calloc((size_t)n + 1, sizeof *g->table);
  map *keep = g->shape_own = calloc(1, sizeof m);
  if (keep) *keep = m;
  if (!g->table || !keep) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%lld nodes of a section", (long long)n);
  for (int64_t i = 0; i <= n; i++) {
    double wanted = 2 * TRIAD_PI * (double)i / (double)n, low = 0, high = 2 * TRIAD_PI;
    for (int k = 0; k < 60 && i > 0 && i < n; k++) {
      double middle = (low + high) / 2;
      if (angle_of(&m, to_circle(&m, surface(&m, middle))) < wanted) low = middle;
      else high = middle;
    }
    g->table[i] = i > 0 && i < n ? cabs(to_circle(&m, surface(&m, low)) - m.middle) : cabs(m.w1 - m.middle);
  }
  return TRIAD_OK;
}

int triad_blocks_section_read(triad_blocks_grid *g, const char *digits)
{
  if (strlen(digits) != 4 || strspn(digits, "0123456789") != 4 || strcmp(digits + 2, "00") == 0)
    return TRIAD_FAIL(TRIAD_ERR_CASE, "grid.section = \"%.16s\": four digits are required, such as \"0012\"", digits);
  g->section[0] = (digits[0] - '0') / 100.0;
  g->section[1] = (digits[1] - '0') / 10.0;
  g->section[2] = atoi(digits + 2) / 100.0;
  if (g->section[0] > 0 && g->section[1] <= 0)
    return TRIAD_FAIL(TRIAD_ERR_CASE, "grid.section = \"%s\": a camber requires its position as second digit", digits);
  return g->shape->node == triad_blocks_aerofoil ? prepare(g) : TRIAD_OK;
}

/* i clockwise from the trailing edge, j outwards. */
void triad_blocks_aerofoil(const triad_blocks_grid *g, const double at[3], double x[3])
{
  const map m = *(const map *)g->shape_own;
  double n = (double)g->base[0], line = (1 - at[0]) * n, first = floor(line), part = line - first;
  if (first >= n) first = n - 1, part = 1;
  double radius = g->table[(int64_t)first] * (1 - part) + g->table[(int64_t)first + 1] * part;
  double out = g->stretch > 0 ? expm1(g->stretch * at[1]) / expm1(g->stretch) : at[1];
  double angle = at[0] >= 1 ? 0 : 2 * TRIAD_PI * (1 - at[0]);
  radius *= pow(g->far / radius, out);
  double complex w = m.middle + (m.w1 - m.middle) / cabs(m.w1 - m.middle) * radius * cexp(I * angle);
  if ((at[0] <= 0 || at[0] >= 1) && at[1] <= 0) w = m.w1;
  double complex z = from_circle(&m, w);
  x[0] = creal(z);
  x[1] = cimag(z);
  x[2] = at[2] * g->length[2];
}
