/* Grids that are made by a formula. */
#include "blocks/make/shapes.h"
#include "blocks/make/aerofoil.h"
#include "blocks/make/cgrid.h"

#include "base/precision.h"

#include <math.h>

/* Towards 0 where nodes cluster there. */
static double clustered(const triad_blocks_grid *g, double at)
{
  return g->stretch > 0 ? expm1(g->stretch * at) / expm1(g->stretch) : at;
}

/* ---- box ---- */

/* Corners and sides stay; inside, sines push nodes to and fro. */
static void box(const triad_blocks_grid *g, const double at[3], double x[3])
{
  double push = g->smooth * sin(2 * TRIAD_PI * at[0]) * sin(2 * TRIAD_PI * at[1]);
  if (g->base[2] > 1) push *= sin(2 * TRIAD_PI * at[2]);
  for (int a = 0; a < 3; a++) {
    double here = (a == 1 ? clustered(g, at[1]) : at[a]) + (a == 2 && g->base[2] == 1 ? 0 : push * (a == 1 ? -0.8 : 1));
    x[a] = g->origin[a] + g->length[a] * here;
  }
}

/* ---- wedge: a plate up to x = 0, then a wall that is a ramp, under a straight upper side ---- */

/* The line of nodes at the corner. */
static double corner_of(const triad_blocks_grid *g)
{
  return floor(g->upstream / (g->upstream + g->length[0]) * (double)g->base[0] + 0.5);
}

static void wedge(const triad_blocks_grid *g, const double at[3], double x[3])
{
  double n = (double)g->base[0], i = at[0] * n, first = corner_of(g);
  double along = first <= 0 || first >= n ? -g->upstream + at[0] * (g->upstream + g->length[0])
                 : i <= first             ? -g->upstream * (1 - i / first)
                                          : g->length[0] * (i - first) / (n - first);
  double floor_y = along > 0 ? along * tan(g->angle * TRIAD_PI / 180) : 0;
  x[0] = along;
  x[1] = floor_y + clustered(g, at[1]) * (g->length[1] - floor_y);
  x[2] = at[2] * g->length[2];
}

static int wedge_patch(const triad_blocks_grid *g, int face, const int64_t cell[3])
{
  return face == 2 && (double)cell[0] < corner_of(g) ? 6 : face;
}

/* ---- annulus: i along the angle, clockwise, j outwards ---- */

static void annulus(const triad_blocks_grid *g, const double at[3], double x[3])
{
  double push = g->smooth * sin(2 * TRIAD_PI * at[0]) * sin(2 * TRIAD_PI * at[1]);
  double r = g->radii[0] + (g->radii[1] - g->radii[0]) * (at[1] - 0.8 * push);
  double angle = (g->angles[1] + (g->angles[0] - g->angles[1]) * (at[0] + push)) * TRIAD_PI / 180;
  x[0] = r * cos(angle);
  x[1] = r * sin(angle);
  x[2] = at[2] * g->length[2];
}

/* ---- inlet: a ramp of 30 degrees under a cowl (Xue, Jackson and Roy 2020, arXiv:2012.02925) ---- */

static const double inlet_corner = 0.34641016151377546, inlet_top = 0.2, inlet_end = 1.5, inlet_cowl = 0.6,
                    inlet_lip = 0.5, inlet_front = -0.05;

/* Cells are 13 parts along i: three on the ramp, ten behind it; the cowl begins after five. */
static void inlet(const triad_blocks_grid *g, const double at[3], double x[3])
{
  double s = 13 * at[0], below[2], above[2];
  if (s <= 3) {
    below[0] = inlet_corner * s / 3;
    below[1] = inlet_top * s / 3;
  } else {
    below[0] = inlet_corner + (inlet_end - inlet_corner) * (s - 3) / 10;
    below[1] = inlet_top;
  }
  if (s <= 5) { /* a curve through the stream outside, whose form does not matter: a quarter of an ellipse */
    above[0] = inlet_front + (inlet_lip - inlet_front) * (1 - cos(TRIAD_PI * s / 10));
    above[1] = inlet_cowl * sin(TRIAD_PI * s / 10);
  } else {
    above[0] = inlet_lip + (inlet_end - inlet_lip) * (s - 5) / 8;
    above[1] = inlet_cowl;
  }
  for (int a = 0; a < 2; a++) x[a] = below[a] + at[1] * (above[a] - below[a]);
  x[2] = at[2] * g->length[2];
}

static int inlet_patch(const triad_blocks_grid *g, int face, const int64_t cell[3])
{
  return face == 3 && 13 * cell[0] >= 5 * g->base[0] ? 6 : face;
}

/* Wake, lower side, upper side, wake. */
static const int c_blocks[5] = {0, 1, 4, 7, 8};

const triad_blocks_shape triad_blocks_shapes[] = {
  {{"box", .about = "a box of grid.length with lower corner grid.origin"},
   {"xmin", "xmax", "ymin", "ymax", "zmin", "zmax"},
   NULL,
   box,
   NULL,
   0,
   NULL},
  {{"wedge", .about = "a plate of grid.upstream and a ramp of grid.angle, below a flat upper side"},
   {"inflow", "outflow", "wall", "top", "back", "front"},
   "plate",
   wedge,
   wedge_patch,
   0,
   NULL},
  {{"annulus", .about = "between grid.radii, from grid.angles[1] to grid.angles[0]"},
   {"inflow", "outflow", "inner", "outer", "back", "front"},
   NULL,
   annulus,
   NULL,
   0,
   NULL},
  {{"inlet", .about = "a ramp of 30 degrees under a cowl; grid.n[0] must be a multiple of 13"},
   {"symmetry", "outflow", "ramp", "inflow", "back", "front"},
   "cowl",
   inlet,
   inlet_patch,
   13,
   NULL},
  {{"aerofoil", .about = "an O-grid about grid.section, of chord 1 from the origin"},
   {"cut-above", "cut-below", "aerofoil", "far", "back", "front"},
   NULL,
   triad_blocks_aerofoil,
   NULL,
   0,
   NULL},
  {{"aerofoil-c",
    .about = "a C-grid about grid.section, of chord 1 from the origin; grid.n[0] must be a multiple of 8"},
   {"outflow", "outflow", "aerofoil", "far", "back", "front"},
   NULL,
   triad_blocks_cgrid,
   NULL,
   8,
   c_blocks},
  {{"wing",
    .about = "a C-grid about the ONERA M6 wing in metres, its span along y; grid.n[0] and [2] must be multiples of 8"},
   {"outflow", "outflow", "wing", "far", "symmetry", "side"},
   NULL,
   triad_blocks_wing,
   NULL,
   8,
   c_blocks},
  {{0}, {0}, NULL, NULL, NULL, 0, NULL}};

const triad_word *triad_blocks_shape_word(int i)
{
  return triad_blocks_shapes[i].word.name ? &triad_blocks_shapes[i].word : NULL;
}
