/* The quality of a measured mesh (quality.h). */
#include "mesh/quality.h"
#include "mesh/sizes.h"

#include <math.h>

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static double distance(const double a[3], const double b[3])
{
  const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
  return sqrt(dot(d, d));
}

static void add(triad_mesh_measured *m, double value, int64_t cell)
{
  if (m->cell < 0 || value > m->worst) {
    m->worst = value;
    m->cell = cell;
  }
  m->mean += value;
}

static void look_at_face(const triad_mesh *m, int64_t f, triad_mesh_quality *q)
{
  double area[3], at[3], d[3], off[3];
  const int32_t a = m->cell[f][0], b = m->cell[f][1];
  triad_mesh_face_size(m, f, area, at);
  const int pair = m->patch[f]; /* of a periodic face: the right cell is seen shifted */
  for (int i = 0; i < 3; i++) d[i] = m->centre[b][i] - m->centre[a][i] - (pair >= 0 ? m->shift[pair][i] : 0);
  const double length = sqrt(dot(d, d)), size = sqrt(dot(area, area)), along = dot(d, area);
  if (!(length > 0) || !(size > 0)) return;
  const double cosine = along / (length * size);
  add(&q->non_orthogonality, acos(fmax(-1, fmin(1, cosine))) * 180 / acos(-1.0), a);
  const double to_face[3] = {at[0] - m->centre[a][0], at[1] - m->centre[a][1], at[2] - m->centre[a][2]};
  const double part = fabs(along) > 0 ? dot(to_face, area) / along : 0;
  for (int i = 0; i < 3; i++) off[i] = to_face[i] - part * d[i];
  add(&q->skewness, sqrt(dot(off, off)) / length, a);
  add(&q->growth, fmax(m->volume[a] / m->volume[b], m->volume[b] / m->volume[a]), a);
}

/* Normal of a loop of points, by triangles about its first one; returns its area. */
static double normal_of(const triad_mesh *m, const int32_t *point, int n, double normal[3])
{
  const double *o = m->x[point[0]];
  for (int a = 0; a < 3; a++) normal[a] = 0;
  for (int i = 1; i + 1 < n; i++) {
    const double *p = m->x[point[i]], *r = m->x[point[i + 1]];
    for (int a = 0; a < 3; a++) {
      const int b = (a + 1) % 3, c = (a + 2) % 3;
      normal[a] += ((p[b] - o[b]) * (r[c] - o[c]) - (p[c] - o[c]) * (r[b] - o[b])) / 2;
    }
  }
  return sqrt(dot(normal, normal));
}

static void look_at_cell(const triad_mesh *m, int64_t c, triad_mesh_quality *q)
{
  double longest = 0, largest = 0, normal[3] = {0, 0, 0}, height = 0;
  const double *origin = NULL;
  for (int s = 0; s < triad_mesh_sides(m, c); s++) {
    int32_t room[TRIAD_MESH_SIDE_POINTS];
    int n;
    double here[3];
    const int32_t *side = triad_mesh_side(m, c, s, room, &n);
    for (int i = 0; i < n; i++) longest = fmax(longest, distance(m->x[side[i]], m->x[side[(i + 1) % n]]));
    const double size = normal_of(m, side, n, here);
    if (!(size > largest)) continue;
    largest = size;
    origin = m->x[side[0]];
    for (int a = 0; a < 3; a++) normal[a] = here[a] / size;
  }
  for (int64_t i = m->first[c]; i < m->first[c + 1] && origin; i++) {
    const double *x = m->x[m->corner[i]], d[3] = {x[0] - origin[0], x[1] - origin[1], x[2] - origin[2]};
    height = fmax(height, fabs(dot(d, normal)));
    for (int a = 0; a < 3; a++) {
      q->low[a] = fmin(q->low[a], x[a]);
      q->high[a] = fmax(q->high[a], x[a]);
    }
  }
  if (height > 0) add(&q->aspect, longest / height, c);
  if (q->smallest_cell < 0 || m->volume[c] < q->smallest) {
    q->smallest = m->volume[c];
    q->smallest_cell = c;
  }
  q->largest = fmax(q->largest, m->volume[c]);
  q->volume += m->volume[c];
  q->shapes[m->shape[c]]++;
}

void triad_mesh_quality_of(const triad_mesh *m, triad_mesh_quality *q)
{
  const triad_mesh_measured none = {.cell = -1};
  *q = (triad_mesh_quality){.non_orthogonality = none,
                            .skewness = none,
                            .aspect = none,
                            .growth = none,
                            .smallest_cell = -1,
                            .low = {INFINITY, INFINITY, INFINITY},
                            .high = {-INFINITY, -INFINITY, -INFINITY}};
  for (int64_t f = 0; f < m->n_inner; f++) look_at_face(m, f, q);
  for (int64_t f = m->n_inner; f < m->n_faces; f++) {
    double area[3], centre[3];
    if (m->patch[f] < 0) continue;
    triad_mesh_face_size(m, f, area, centre);
    q->area[m->patch[f]] += sqrt(dot(area, area));
    q->faces[m->patch[f]]++;
  }
  for (int64_t c = 0; c < m->n_cells; c++) look_at_cell(m, c, q);
  triad_mesh_measured *const of_faces[] = {&q->non_orthogonality, &q->skewness, &q->growth};
  for (int i = 0; i < 3; i++)
    if (m->n_inner > 0) of_faces[i]->mean /= (double)m->n_inner;
  if (m->n_cells > 0) q->aspect.mean /= (double)m->n_cells;
}
