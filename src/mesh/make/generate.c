/* Generate meshes: count, create and connect the cells of a lattice of cubes (generate.h). */
#include "mesh/make/generate.h"
#include "mesh/join.h"
#include "mesh/make/generate_patches.h"
#include "mesh/make/honeycomb.h"
#include "mesh/make/bend.h"

#include "base/random.h"
#include "base/status.h"

#include <stddef.h>

/* How a cube, of corners i + 2 j + 4 k and, as number 8, a middle, becomes cells. */
typedef struct recipe {
  triad_mesh_shape shape;
  int n, middle;
  int8_t corner[6][TRIAD_MESH_CORNERS];
} recipe;

static const recipe recipes[] = {
  [TRIAD_MESH_TETS] = {TRIAD_MESH_TET,
                       6,
                       0,
                       {{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7}, {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}}},
  [TRIAD_MESH_HEXES] = {TRIAD_MESH_HEX, 1, 0, {{0, 1, 3, 2, 4, 5, 7, 6}}},
  [TRIAD_MESH_PRISMS] = {TRIAD_MESH_PRISM, 2, 0, {{0, 1, 3, 4, 5, 7}, {0, 3, 2, 4, 7, 6}}},
  [TRIAD_MESH_PYRAMIDS] =
    {TRIAD_MESH_PYRAMID,
     6,
     1,
     {{0, 1, 3, 2, 8}, {4, 6, 7, 5, 8}, {0, 4, 5, 1, 8}, {1, 5, 7, 3, 8}, {3, 7, 6, 2, 8}, {2, 6, 4, 0, 8}}},
};

/* ---- points ---- */

static int64_t point_number(const triad_mesh_generator *g, int64_t i, int64_t j, int64_t k)
{
  return (k * (g->n[1] + 1) + j) * (g->n[0] + 1) + i;
}

/* The position of a lattice point, in cubes; inner points are displaced at random. In a honeycomb points move up or
 * down by 1/6, which makes each brick a hexagon. */
static void shaken(const triad_mesh_generator *g, int64_t point, double out[3])
{
  int64_t at[3];
  triad_mesh_lattice_place(g, point, at);
  int inner = 1;
  for (int a = 0; a < 3; a++) inner = inner && at[a] > 0 && at[a] < g->n[a];
  triad_bits bits =
    triad_random_bits(triad_random_key(1, TRIAD_STREAM_INITIAL), (int32_t)at[0], (int32_t)at[1], (int32_t)at[2], 0);
  for (int a = 0; a < 3; a++)
    out[a] = (double)at[a] + (inner ? g->shake * (2 * ((double)bits.v[a] / 4294967296.0) - 1) : 0);
  if (g->cells == TRIAD_MESH_POLYHEDRA && at[1] > 0 && at[1] < g->n[1])
    out[1] += (at[0] + at[1]) % 2 ? -1. / 6 : 1. / 6;
}

void triad_mesh_generate_point(const triad_mesh_generator *g, int64_t point, double x[3])
{
  const int64_t lattice = triad_mesh_lattice_points(g), c = point - lattice;
  double at[3];
  if (c < 0) {
    shaken(g, point, at);
    triad_mesh_bend(g, at, x);
    return;
  }
  const int64_t i = c % g->n[0], j = c / g->n[0] % g->n[1], k = c / g->n[0] / g->n[1];
  for (int a = 0; a < 3; a++) x[a] = 0;
  for (int corner = 0; corner < 8; corner++) { /* the middle of a pyramid's cube */
    double from[3];
    triad_mesh_generate_point(g, point_number(g, i + (corner & 1), j + (corner >> 1 & 1), k + (corner >> 2)), from);
    for (int a = 0; a < 3; a++) x[a] += from[a] / 8;
  }
}

static void make_points(triad_mesh *m, const triad_mesh_generator *g)
{
  int64_t lattice = triad_mesh_lattice_points(g);
  for (int64_t p = 0; p < lattice; p++) triad_mesh_generate_point(g, p, m->x[p]);
  for (int64_t c = 0; c < m->n_points - lattice; c++) { /* of pyramids */
    double *x = m->x[lattice + c];
    int64_t i = c % g->n[0], j = c / g->n[0] % g->n[1], k = c / g->n[0] / g->n[1];
    for (int corner = 0; corner < 8; corner++) {
      const double *from = m->x[point_number(g, i + (corner & 1), j + (corner >> 1 & 1), k + (corner >> 2))];
      for (int a = 0; a < 3; a++) x[a] += from[a] / 8;
    }
  }
}

/* ---- cells ---- */

/* Is the middle of the cubes at i before `joint`? */
static int before_joint(const triad_mesh_generator *g, int64_t i)
{
  const double at[3] = {(double)i + 0.5, 0, 0};
  double x[3];
  triad_mesh_bend(g, at, x);
  return x[0] < g->joint;
}

static const recipe *recipe_at(const triad_mesh_generator *g, int64_t i)
{
  triad_mesh_cells kind = g->cells;
  if (kind == TRIAD_MESH_HYBRID) kind = 2 * i < g->n[0] ? TRIAD_MESH_HEXES : TRIAD_MESH_TETS;
  if (kind == TRIAD_MESH_JET) kind = before_joint(g, i) ? TRIAD_MESH_TETS : TRIAD_MESH_HEXES;
  return &recipes[kind];
}

/* Is there no cell: in the box that is cut out, in the nozzle's wall? */
static int is_left_out(const triad_mesh_generator *g, int64_t i, int64_t j, int64_t k)
{
  const double at[3] = {(double)i + 0.5, (double)j + 0.5, (double)k + 0.5};
  if (g->form == TRIAD_MESH_NOZZLE)
    return i < triad_mesh_bend_beside(g) && triad_mesh_bend_ring(g, j, k) == g->across / 2;
  return triad_mesh_lattice_is_cut(g, at);
}

/* In a round shape, mirror the lower halves (bits of a cube's corners): the diagonals of all tetrahedra then point
 * away from the axis, and no tetrahedron is flat where a square's corner moved onto a circle. */
static int mirrored(const triad_mesh_generator *g, const recipe *r, int64_t j, int64_t k)
{
  if (r->shape != TRIAD_MESH_TET || (g->form != TRIAD_MESH_TUBE && g->form != TRIAD_MESH_NOZZLE)) return 0;
  return (2 * j + 1 < g->n[1] ? 2 : 0) | (2 * k + 1 < g->n[2] ? 4 : 0);
}

static void make_cube(triad_mesh *m, const triad_mesh_generator *g, const int64_t at[3], int64_t *cell)
{
  const recipe *r = recipe_at(g, at[0]);
  int64_t cube = (at[2] * g->n[1] + at[1]) * g->n[0] + at[0];
  int n = triad_mesh_shapes[r->shape].corners, mirror = mirrored(g, r, at[1], at[2]);
  if (is_left_out(g, at[0], at[1], at[2])) return;
  for (int i = 0; i < r->n; i++, (*cell)++) {
    m->shape[*cell] = (uint8_t)r->shape;
    m->first[*cell + 1] = m->first[*cell] + n;
    for (int k = 0; k < n; k++) {
      int swapped = k < 2 && (mirror == 2 || mirror == 4) ? !k : k; /* a mirror image is left-handed */
      int c = r->corner[i][swapped] ^ mirror;
      m->corner[m->first[*cell] + k] =
        (int32_t)(c == 8 ? triad_mesh_lattice_points(g) + cube
                         : point_number(g, at[0] + (c & 1), at[1] + (c >> 1 & 1), at[2] + (c >> 2)));
    }
  }
}

triad_mesh_generator triad_mesh_generate_lattice(const triad_mesh_generator *g)
{
  triad_mesh_generator lattice = *g;
  if (g->cells == TRIAD_MESH_POLYHEDRA) lattice.n[0] *= 2;
  return lattice;
}

/* Cells of rows, and their corners. */
static void count_rows(const triad_mesh_generator *g, int64_t begin, int64_t end, int64_t *cells, int64_t *corners)
{
  *cells = *corners = 0;
  for (int64_t i = 0; i < g->n[0]; i++) {
    const recipe *r = recipe_at(g, i);
    int64_t there = 0;
    for (int64_t row = begin; row < end; row++) there += !is_left_out(g, i, row % g->n[1], row / g->n[1]);
    *cells += there * r->n;
    *corners += there * r->n * triad_mesh_shapes[r->shape].corners;
  }
}

void triad_mesh_generate_count(const triad_mesh_generator *g, int64_t *points, int64_t *cells, int64_t *corners)
{
  const triad_mesh_generator lattice = triad_mesh_generate_lattice(g);
  *points = triad_mesh_lattice_points(&lattice);
  *cells = *corners = 0;
  if (g->cells == TRIAD_MESH_POLYHEDRA) {
    triad_mesh_honeycomb_count(&lattice, cells, corners);
    return;
  }
  count_rows(g, 0, g->n[1] * g->n[2], cells, corners);
  for (int64_t i = 0; i < g->n[0]; i++) *points += recipe_at(g, i)->middle ? g->n[1] * g->n[2] : 0;
}

/* Rows of cubes along x, in the order of their numbers. */
static void make_rows(triad_mesh *m, const triad_mesh_generator *g, int64_t begin, int64_t end)
{
  int64_t cell = 0;
  for (int64_t row = begin; row < end; row++)
    for (int64_t i = 0; i < g->n[0]; i++) {
      const int64_t at[3] = {i, row % g->n[1], row / g->n[1]};
      make_cube(m, g, at, &cell);
    }
}

int triad_mesh_generate_slice(triad_mesh **out, triad_memory *memory, const triad_mesh_generator *g, int part,
                              int parts, int64_t *first)
{
  const int64_t rows = g->n[1] * g->n[2], begin = rows * part / parts, end = rows * (part + 1) / parts;
  int64_t cells, corners;
  if (g->cells == TRIAD_MESH_POLYHEDRA) {
    const triad_mesh_generator lattice = triad_mesh_generate_lattice(g);
    triad_mesh_honeycomb_count(&lattice, &cells, &corners);
    *first = cells * part / parts;
    return triad_mesh_honeycomb_slice(out, memory, &lattice, *first, cells * (part + 1) / parts);
  }
  count_rows(g, 0, begin, first, &corners);
  count_rows(g, begin, end, &cells, &corners);
  TRIAD_TRY(triad_mesh_create(out, memory, 0, cells, corners));
  make_rows(*out, g, begin, end);
  return TRIAD_OK;
}

int triad_mesh_generate(triad_mesh **out, triad_memory *memory, const triad_mesh_generator *g)
{
  const triad_mesh_generator lattice = triad_mesh_generate_lattice(g);
  int64_t points, cells, corners;
  triad_mesh_generate_count(g, &points, &cells, &corners);
  TRIAD_TRY(triad_mesh_create(out, memory, points, cells, corners));
  make_points(*out, &lattice);
  if (g->cells == TRIAD_MESH_POLYHEDRA) TRIAD_TRY(triad_mesh_honeycomb_fill(*out, &lattice));
  else make_rows(*out, g, 0, g->n[1] * g->n[2]);
  TRIAD_TRY(triad_mesh_join(*out));
  triad_mesh_generate_patches(*out, &lattice);
  return TRIAD_OK;
}
