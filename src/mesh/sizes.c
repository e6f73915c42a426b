/* Measure faces and cells as sums over pyramids, and check that the faces of each cell are closed. */
#include "mesh/sizes.h"
#include "base/status.h"
#include "mesh/mesh.h"

#include <math.h>

static void cross(const double a[3], const double b[3], double out[3])
{
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static void less(const double a[3], const double b[3], double out[3])
{
  for (int i = 0; i < 3; i++) out[i] = a[i] - b[i];
}

/* Points of a side relative to an origin, and their mean: a fan of triangles about it. */
static void side_points(const triad_mesh *m, const int32_t *point, int n, const double origin[3], double (*p)[3],
                        double mean[3])
{
  for (int a = 0; a < 3; a++) mean[a] = 0;
  for (int i = 0; i < n; i++) {
    less(m->x[point[i]], origin, p[i]);
    for (int a = 0; a < 3; a++) mean[a] += p[i][a] / n;
  }
}

void triad_mesh_face_size(const triad_mesh *m, int64_t f, double area[3], double centre[3])
{
  double p[TRIAD_MESH_MAX_FACE_POINTS][3], mean[3], part[3], e[3], d[3], sum = 0, at[3] = {0, 0, 0};
  const double *origin = m->x[triad_mesh_face(m, f)[0]];
  const int n = m->points[f];
  side_points(m, triad_mesh_face(m, f), n, origin, p, mean);
  for (int a = 0; a < 3; a++) area[a] = 0;
  for (int i = 1; i + 1 < n; i++) {
    cross(p[i], p[i + 1], part);
    for (int a = 0; a < 3; a++) area[a] += part[a] / 2;
  }
  for (int i = 0; i < n; i++) {
    const double *q = p[(i + 1) % n];
    less(p[i], mean, d);
    less(q, mean, e);
    cross(d, e, part);
    double size = sqrt(dot(part, part));
    for (int a = 0; a < 3; a++) at[a] += size * (p[i][a] + q[a] + mean[a]) / 3;
    sum += size;
  }
  for (int a = 0; a < 3; a++) centre[a] = origin[a] + (sum > 0 ? at[a] / sum : mean[a]);
}

/* The pyramid of a side over the origin, as tetrahedra over its fan: volume, and volume times centre. */
static double pyramid(const triad_mesh *m, const int32_t *point, int n, const double origin[3], double at[3])
{
  double p[TRIAD_MESH_MAX_FACE_POINTS][3], mean[3], part[3], sum = 0;
  side_points(m, point, n, origin, p, mean);
  for (int i = 0; i < n; i++) {
    const double *q = p[(i + 1) % n];
    cross(p[i], q, part);
    double v = dot(part, mean) / 6;
    for (int a = 0; a < 3; a++) at[a] += v * (p[i][a] + q[a] + mean[a]) / 4;
    sum += v;
  }
  return sum;
}

/* One side of a face adds to its cell; seen from the other side of a periodic one, the face is moved. */
static void add_side(triad_mesh *m, int64_t f, int side, const double area[3], double (*open)[3], double *all)
{
  int32_t c = m->cell[f][side];
  double origin[3], at[3] = {0, 0, 0}, sign = side ? -1 : 1;
  const double *shift = side && m->patch[f] >= 0 ? m->shift[m->patch[f]] : NULL;
  for (int a = 0; a < 3; a++) origin[a] = m->x[m->corner[m->first[c]]][a] - (shift ? shift[a] : 0);
  double v = pyramid(m, triad_mesh_face(m, f), m->points[f], origin, at);
  m->volume[c] += sign * v;
  all[c] += sqrt(dot(area, area));
  for (int a = 0; a < 3; a++) {
    m->centre[c][a] += sign * at[a];
    open[c][a] += sign * area[a];
  }
}

static void find_faults(triad_mesh *m, int rank, double (*open)[3], const double *all, triad_mesh_size_faults *faults)
{
  *faults = (triad_mesh_size_faults){.first_leaky = INT64_MAX, .first_flat = INT64_MAX};
  for (int64_t c = 0; c < m->n_cells; c++) {
    if (m->owner && m->owner[c] != rank) continue;
    const int64_t number = triad_mesh_number(m, c);
    if (!(m->volume[c] > 0) && faults->flat++ == 0) faults->first_flat = number;
    if (!(sqrt(dot(open[c], open[c])) <= 1e-10 * all[c]) && faults->leaky++ == 0) faults->first_leaky = number;
    for (int a = 0; a < 3; a++) m->centre[c][a] = m->x[m->corner[m->first[c]]][a] + m->centre[c][a] / m->volume[c];
  }
}

void triad_mesh_span(triad_mesh *m, int rank)
{
  m->all_volume = 0;
  for (int a = 0; a < 3; a++) {
    m->low[a] = INFINITY;
    m->high[a] = -INFINITY;
  }
  for (int64_t c = 0; c < m->n_cells; c++) {
    if (m->owner && m->owner[c] != rank) continue;
    m->all_volume += m->volume[c];
    for (int64_t i = m->first[c]; i < m->first[c + 1]; i++)
      for (int a = 0; a < 3; a++) {
        m->low[a] = fmin(m->low[a], m->x[m->corner[i]][a]);
        m->high[a] = fmax(m->high[a], m->x[m->corner[i]][a]);
      }
  }
}

int triad_mesh_find_sizes(triad_mesh *m, int rank, triad_mesh_size_faults *faults)
{
  double(*open)[3] = NULL, *all = NULL;
  TRIAD_TRY(TRIAD_ALLOC(m->memory, "mesh", m->n_cells, &m->centre));
  TRIAD_TRY(TRIAD_ALLOC(m->memory, "mesh", m->n_cells, &m->volume));
  int st = TRIAD_ALLOC(m->memory, "the mesh geometry", m->n_cells, &open);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(m->memory, "the mesh geometry", m->n_cells, &all);
  for (int64_t f = 0; f < m->n_faces && st == TRIAD_OK; f++) {
    double area[3], centre[3];
    triad_mesh_face_size(m, f, area, centre);
    add_side(m, f, 0, area, open, all);
    if (m->cell[f][1] >= 0) add_side(m, f, 1, area, open, all);
  }
  if (st == TRIAD_OK) find_faults(m, rank, open, all, faults);
  TRIAD_FREE(m->memory, &open);
  TRIAD_FREE(m->memory, &all);
  return st;
}

double triad_mesh_middle(const triad_mesh *m, int64_t c, double centre[3])
{
  const double *origin = m->x[m->corner[m->first[c]]];
  double at[3] = {0, 0, 0}, volume = 0;
  for (int s = 0; s < triad_mesh_sides(m, c); s++) {
    int32_t room[TRIAD_MESH_SIDE_POINTS];
    int n;
    const int32_t *point = triad_mesh_side(m, c, s, room, &n);
    volume += pyramid(m, point, n, origin, at);
  }
  for (int a = 0; a < 3; a++) centre[a] = origin[a] + (volume > 0 ? at[a] / volume : 0);
  return volume;
}
