/* Signed distances to spheres, cylinders, boxes, surfaces of files, and bodies by formula, row by row. */
#include "solvers/spectral/relax/plain/shapes.h"

#include "solvers/spectral/relax/plain/stl.h"
#include "base/status.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct triad_shape_solid {
  int (*row)(const triad_shape_solid *s, const triad_grid *g, double t, const double center[3], double y, double z,
             double band, double *spare, double *distance);
  double center[3], radius, half[3]; /* half a length; infinite: no ends */
  int axis;
  bool has_center; /* the case gives one */
  triad_formula *f;
  triad_stl stl;
};

/* a - b in the periodic box, the nearest. */
static double nearest(double a, double b, double length)
{
  const double d = a - b;
  return d - length * round(d / length);
}

/* The same along an axis; 0 where the grid has one point, since a plane has no position there. */
static double offset(const triad_grid *g, int axis, double a, double b)
{
  return g->n[axis] > 1 ? nearest(a, b, g->length[axis]) : 0;
}

static double x_of(const triad_grid *g, int64_t i) { return triad_grid_spacing(g, 0) * (double)i; }

static int sphere_row(const triad_shape_solid *s, const triad_grid *g, double t, const double center[3], double y,
                      double z, double band, double *spare, double *distance)
{
  const double dy = offset(g, 1, y, center[1]), dz = offset(g, 2, z, center[2]);
  const double across = dy * dy + dz * dz, most = s->radius + band;
  (void)t, (void)spare;
  if (across >= most * most) return 0;
  for (int64_t i = 0; i < g->n[0]; i++) {
    const double dx = offset(g, 0, x_of(g, i), center[0]);
    distance[i] = sqrt(across + dx * dx) - s->radius;
  }
  return 1;
}

/* Of a box of two or three excesses d over half sides: outside the distance to it, inside the largest. */
static double of_excess(int n, const double *d)
{
  double square = 0, most = -INFINITY;
  for (int i = 0; i < n; i++) {
    most = fmax(most, d[i]);
    square += fmax(d[i], 0) * fmax(d[i], 0);
  }
  return most > 0 ? sqrt(square) : most;
}

static int cylinder_row(const triad_shape_solid *s, const triad_grid *g, double t, const double center[3], double y,
                        double z, double band, double *spare, double *distance)
{
  double r[3] = {0, offset(g, 1, y, center[1]), offset(g, 2, z, center[2])};
  const int b = (s->axis + 1) % 3, c = (s->axis + 2) % 3;
  int any = 0;
  (void)t, (void)spare;
  for (int64_t i = 0; i < g->n[0]; i++) {
    r[0] = offset(g, 0, x_of(g, i), center[0]);
    const double d[2] = {hypot(r[b], r[c]) - s->radius, fabs(r[s->axis]) - s->half[s->axis]};
    distance[i] = of_excess(2, d);
    any |= distance[i] < band;
  }
  return any;
}

static int box_row(const triad_shape_solid *s, const triad_grid *g, double t, const double center[3], double y,
                   double z, double band, double *spare, double *distance)
{
  double d[3] = {0, fabs(offset(g, 1, y, center[1])) - s->half[1], fabs(offset(g, 2, z, center[2])) - s->half[2]};
  (void)t, (void)spare;
  if (d[1] >= band || d[2] >= band) return 0;
  for (int64_t i = 0; i < g->n[0]; i++) {
    d[0] = fabs(offset(g, 0, x_of(g, i), center[0])) - s->half[0];
    distance[i] = of_excess(3, d);
  }
  return 1;
}

/* The formula at points x, y, z, of rows 0 to 2 of `spare`, and at t, row 3, moved by `step` along an axis. */
static void formula_at(const triad_shape_solid *s, int64_t n, double *spare, int axis, double step, double *out)
{
  const double *const variable[4] = {spare, spare + n, spare + 2 * n, spare + 3 * n};
  for (int64_t i = 0; i < n; i++) spare[axis * n + i] += step;
  triad_formula_rows(s->f, n, variable, out);
  for (int64_t i = 0; i < n; i++) spare[axis * n + i] -= step;
}

/* A coordinate of the formula, which is repeated with the box: about a center that the case gives, -length/2 to
 * length/2; otherwise 0 to length, where the body was before it moved. */
static double coordinate(const triad_shape_solid *s, const triad_grid *g, int axis, double x, double center)
{
  if (s->has_center) return offset(g, axis, x, center);
  const double before = x - (center - s->center[axis]);
  return g->n[axis] > 1 ? before - g->length[axis] * floor(before / g->length[axis]) : 0;
}

/* The formula over the size of its gradient, which differences give. */
static int formula_row(const triad_shape_solid *s, const triad_grid *g, double t, const double center[3], double y,
                       double z, double band, double *spare, double *distance)
{
  const int64_t n = g->n[0];
  double *low = spare + 4 * n, *high = spare + 5 * n, *square = spare + 6 * n;
  (void)band;
  for (int64_t i = 0; i < n; i++) {
    spare[i] = coordinate(s, g, 0, x_of(g, i), center[0]);
    spare[n + i] = coordinate(s, g, 1, y, center[1]);
    spare[2 * n + i] = coordinate(s, g, 2, z, center[2]);
    spare[3 * n + i] = t;
    square[i] = 0;
  }
  formula_at(s, n, spare, 0, 0, distance);
  for (int axis = 0; axis < 3; axis++) {
    const double step = 1e-3 * triad_grid_spacing(g, axis);
    if (g->n[axis] == 1) continue;
    formula_at(s, n, spare, axis, -step, low);
    formula_at(s, n, spare, axis, step, high);
    for (int64_t i = 0; i < n; i++) square[i] += (high[i] - low[i]) * (high[i] - low[i]) / (4 * step * step);
  }
  for (int64_t i = 0; i < n; i++)
    if (square[i] > 0) distance[i] /= sqrt(square[i]);
    else if (isfinite(distance[i])) distance[i] = distance[i] < 0 ? -INFINITY : INFINITY; /* as far as can be */
  return 1;
}

/* The surface is in the box once, or across its ends: images of the row and of its points are tried. */
static int stl_row(const triad_shape_solid *s, const triad_grid *g, double t, const double center[3], double y,
                   double z, double band, double *spare, double *distance)
{
  const int64_t n = g->n[0];
  const double *low = s->stl.low, *high = s->stl.high, *l = g->length;
  int any = 0;
  (void)t;
  for (int64_t i = 0; i < n; i++) distance[i] = INFINITY;
  for (double at_y = y - center[1] - l[1] * floor((y - center[1] - low[1] + band) / l[1]); at_y <= high[1] + band;
       at_y += l[1])
    for (double at_z = z - center[2] - l[2] * floor((z - center[2] - low[2] + band) / l[2]); at_z <= high[2] + band;
         at_z += l[2])
      for (double shift = floor((low[0] + center[0] - band) / l[0]); shift * l[0] <= high[0] + center[0] + band;
           shift++) {
        for (int64_t i = 0; i < n; i++) spare[i] = x_of(g, i) - center[0] + shift * l[0];
        triad_stl_row(&s->stl, n, spare, at_y, at_z, band, spare + n, distance);
        any = 1;
      }
  return any;
}

int triad_shape_solid_row(const triad_shape_solid *s, const triad_grid *g, double t, const double displacement[3],
                          int64_t y, int64_t z, double band, double *spare, double *distance)
{
  const double center[3] = {s->center[0] + displacement[0], s->center[1] + displacement[1],
                            s->center[2] + displacement[2]};
  return s->row(s, g, t, center, triad_grid_spacing(g, 1) * (double)y, triad_grid_spacing(g, 2) * (double)z, band,
                spare, distance);
}

int triad_shape_solid_changes(const triad_shape_solid *s) { return s->f && triad_formula_uses(s->f, 3); }

double triad_shape_solid_thinnest(const triad_shape_solid *s)
{
  double least = s->radius > 0 ? 2 * s->radius : INFINITY;
  for (int a = 0; a < 3 && s->row != sphere_row; a++) least = fmin(least, 2 * s->half[a]);
  if (s->f) return 0;
  for (int a = 0; a < 3 && s->stl.n > 0; a++) least = fmin(least, s->stl.high[a] - s->stl.low[a]);
  return least;
}

/* ---- from a case ---- */

static const char *key_of(char key[64], const char *table, const char *name)
{
  (void)snprintf(key, 64, "%s.%s", table, name);
  return key;
}

static int read_sides(triad_shape_solid *s, const triad_case *c, const char *table, const triad_grid *g)
{
  char key[64];
  double size[3];
  triad_case_reals(c, key_of(key, table, "size"), size, 3);
  for (int a = 0; a < 3; a++) s->half[a] = size[a] >= g->length[a] || g->n[a] == 1 ? INFINITY : size[a] / 2;
  s->row = box_row;
  return TRIAD_OK;
}

static int read_round(triad_shape_solid *s, const triad_case *c, const char *table, const triad_grid *g)
{
  char key[64];
  s->radius = triad_case_real(c, key_of(key, table, "radius"));
  s->row = sphere_row;
  if (triad_case_is(c, key_of(key, table, "shape"), "sphere")) return TRIAD_OK;
  const double length = triad_case_real(c, key_of(key, table, "length"));
  s->axis = *triad_case_word(c, key_of(key, table, "axis")) - 'x';
  /* one that is as long as the box continues in the next one, and a plane cuts all of them */
  if (length > 0 && length < g->length[s->axis] && g->n[s->axis] > 1) s->half[s->axis] = length / 2;
  s->row = cylinder_row;
  return TRIAD_OK;
}

static int agree(const triad_comm *ranks, int st) { return ranks ? triad_agree(ranks, st) : st; }

static int read_stl(triad_shape_solid *s, const triad_comm *ranks, const triad_case *c, const char *table,
                    const triad_grid *g)
{
  char key[64];
  char *path = triad_case_path(c, key_of(key, table, "stl"));
  int st = agree(ranks, path ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "a path"));
  if (st == TRIAD_OK) st = triad_stl_read(&s->stl, ranks, path, triad_case_real(c, key_of(key, table, "scale")));
  s->row = stl_row;
  for (int a = 0; a < 3 && st == TRIAD_OK; a++)
    if (s->stl.high[a] - s->stl.low[a] > g->length[a])
      st = TRIAD_FAIL(TRIAD_ERR_CASE, "%s.stl: the surface is %g long along %c, but the box %g: use another %s.scale",
                      table, s->stl.high[a] - s->stl.low[a], "xyz"[a], g -> length[a], table);
  free(path);
  return st;
}

static int read_shape(triad_shape_solid *s, const triad_comm *ranks, const triad_case *c, const char *table,
                      const triad_grid *g)
{
  char key[64];
  for (int a = 0; a < 3; a++) s->half[a] = INFINITY;
  triad_case_reals(c, key_of(key, table, "center"), s->center, 3);
  s->has_center = triad_case_given(c, key);
  const char *shape = triad_case_word(c, key_of(key, table, "shape"));
  if (strcmp(shape, "box") == 0) return read_sides(s, c, table, g);
  if (strcmp(shape, "stl") == 0) return read_stl(s, ranks, c, table, g);
  if (strcmp(shape, "sphere") == 0 || strcmp(shape, "cylinder") == 0) return read_round(s, c, table, g);
  if (strcmp(shape, "distance") != 0)
    return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "%s.shape = \"%s\" has no distance", table, shape);
  s->row = formula_row;
  return triad_case_formula(c, key_of(key, table, "distance"), 0, &s->f);
}

int triad_shape_solid_create(triad_shape_solid **out, const triad_comm *ranks, const triad_case *c, const char *table,
                             const triad_grid *g)
{
  *out = calloc(1, sizeof **out);
  TRIAD_TRY(agree(ranks, *out ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "a body")));
  return agree(ranks, read_shape(*out, ranks, c, table, g));
}

void triad_shape_solid_destroy(triad_shape_solid **solid)
{
  if (!*solid) return;
  triad_formula_destroy(&(*solid)->f);
  triad_stl_clear(&(*solid)->stl);
  free(*solid);
  *solid = NULL;
}
