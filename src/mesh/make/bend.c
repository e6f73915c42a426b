/* Map the points of a lattice of cubes to their positions: a box, a wedge, a tube, a nozzle with the
 * space around it. */
#include "mesh/make/bend.h"
#include "base/precision.h"
#include "mesh/make/generate.h"

#include <math.h>

/* Distances along a line: `first` at its begin, growing by the same factor, n of them in all `length`; where number
 * `at` is, which need not be whole. Equal ones where n times the first is enough. */
static double stretched(double at, double n, double first, double length)
{
  double low = 0, high = 60;
  if (n * first >= length) return length * at / n;
  for (int i = 0; i < 60; i++) { /* find b such that length (exp(b at/n) - 1)/(exp(b) - 1) has this first spacing */
    double b = (low + high) / 2;
    if (length * expm1(b / n) / expm1(b) > first) low = b;
    else high = b;
  }
  return length * expm1(high * at / n) / expm1(high);
}

/* On a square of half a side 1 at (u, v): the direction in which its point goes to the circle, at equal angles along
 * each side; returns its ring, 0 to 1. */
static double to_circle(double u, double v, double out[2])
{
  const double ring = fmax(fabs(u), fabs(v)), eighth = TRIAD_PI / 4;
  const int along_u = fabs(u) >= fabs(v);
  out[0] = out[1] = 0;
  if (!(ring > 0)) return 0;
  const double turn = eighth * (along_u ? v / u : u / v), sign = (along_u ? u : v) > 0 ? 1 : -1;
  out[!along_u] = sign * cos(turn);
  out[along_u] = sign * sin(turn);
  return ring;
}

/* A square in the middle, circles further out: whole ones from `round` on. */
static void to_disc(double u, double v, double round, double radius_per_ring, double out[2])
{
  double circle[2], ring = to_circle(u, v, circle), w = fmin(1, ring / round);
  out[0] = radius_per_ring * ((1 - w) * 0.75 * u + w * ring * circle[0]);
  out[1] = radius_per_ring * ((1 - w) * 0.75 * v + w * ring * circle[1]);
}

static void wedge(const triad_mesh_generator *g, double x[3])
{
  double floor_at = x[0] > g->corner ? (x[0] - g->corner) * tan(g->angle) : 0;
  x[1] = floor_at + x[1] * (1 - floor_at / g->length[1]);
}

/* ---- a nozzle ---- */

static double exit_spacing(const triad_mesh_generator *g) { return g->nozzle[3] / (double)g->across; }

int64_t triad_mesh_bend_beside(const triad_mesh_generator *g)
{
  return (int64_t)ceil(g->nozzle[0] / exit_spacing(g) - 1e-9);
}

int64_t triad_mesh_bend_ring(const triad_mesh_generator *g, int64_t j, int64_t k)
{
  int64_t u = 2 * j + 1 - g->n[1], v = 2 * k + 1 - g->n[2];
  if (u < 0) u = -u;
  if (v < 0) v = -v;
  return (u > v ? u : v) / 2;
}

const char *triad_mesh_bend_fault(const triad_mesh_generator *g)
{
  if (g->form == TRIAD_MESH_TUBE && g->n[1] != g->n[2])
    return "a tube requires equal numbers of cubes along y and z in grid.n";
  if (g->form != TRIAD_MESH_NOZZLE) return NULL;
  if (g->cells == TRIAD_MESH_POLYHEDRA) return "grid.shape = \"jet\" does not support polyhedra: use another grid.kind";
  if (g->n[1] != g->n[2] || g->n[1] % 2) return "a jet requires equal, even numbers of cubes along y and z in grid.n";
  if (g->across % 2 || g->across + 4 > g->n[1])
    return "grid.across must be even, and at least 4 less than grid.n along y";
  if (triad_mesh_bend_beside(g) + 2 > g->n[0])
    return "grid.n has too few cubes along x: next to the nozzle cells are as long as they are wide";
  for (int i = 0; i < 4; i++)
    if (!(g->nozzle[i] > 0)) return "the lengths and diameters of grid.nozzle must be positive";
  if (g->nozzle[2] > g->nozzle[1] || g->nozzle[2] > g->nozzle[3])
    return "the throat of grid.nozzle must be its narrowest section";
  if (g->length[0] <= g->nozzle[0] || g->length[1] <= 2 * (fmax(g->nozzle[1], g->nozzle[3]) / 2 + g->lip))
    return "grid.length leaves no space around the nozzle: increase it";
  return NULL;
}

/* Half a wave of a cosine from a to b. */
static double eased(double a, double b, double s) { return a + (b - a) * (1 - cos(TRIAD_PI * s)) / 2; }

/* The throat of a convergent nozzle is its exit, of another it is half-way. */
static double nozzle_radius(const triad_mesh_generator *g, double x)
{
  const double *d = g->nozzle, s = 1 + x / d[0];
  if (x >= 0) return d[3] / 2;
  if (!(d[2] < d[3])) return eased(d[1], d[3], s) / 2;
  return (s < 0.5 ? eased(d[1], d[2], 2 * s) : eased(d[2], d[3], 2 * s - 1)) / 2;
}

static void nozzle(const triad_mesh_generator *g, const double at[3], double x[3])
{
  const double beside = (double)triad_mesh_bend_beside(g), half = (double)g->n[1] / 2, wall = (double)g->across / 2;
  const double behind = (double)g->n[0] - beside, spacing = exit_spacing(g);
  x[0] = at[0] <= beside ? g->nozzle[0] * (at[0] / beside - 1)
                         : stretched(at[0] - beside, behind, spacing, g->length[0] - g->nozzle[0]);
  const double u = at[1] - half, v = at[2] - half, inside = nozzle_radius(g, x[0]), outside = inside + g->lip;
  double circle[2], ring = to_circle(u, v, circle);
  if (ring <= wall) {
    to_disc(u, v, wall, inside / wall, x + 1);
    return;
  }
  double radius = ring <= wall + 1
                    ? inside + (ring - wall) * g->lip
                    : outside + stretched(ring - wall - 1, half - wall - 1, spacing, g->length[1] / 2 - outside);
  for (int a = 0; a < 2; a++) x[1 + a] = radius * circle[a];
}

void triad_mesh_bend(const triad_mesh_generator *g, const double at[3], double x[3])
{
  for (int a = 0; a < 3; a++) x[a] = at[a] * g->length[a] / (double)g->n[a];
  if (g->form == TRIAD_MESH_WEDGE) wedge(g, x);
  if (g->form == TRIAD_MESH_TUBE)
    to_disc(2 * at[1] / (double)g->n[1] - 1, 2 * at[2] / (double)g->n[2] - 1, 1, g->length[1] / 2, x + 1);
  if (g->form == TRIAD_MESH_NOZZLE) nozzle(g, at, x);
}
