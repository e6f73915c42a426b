/* Build the interpolation stencil of a point: values of the mesh and their weights, also at walls and near solids. */
#include "solvers/staggered/plain/places.h"

#include <math.h>
#include <string.h>

enum { MOST = TRIAD_STAGGERED_STENCIL, PRESSURE = 3, TEMPERATURE };

double triad_staggered_coordinate(const triad_staggered_mesh *m, int axis, double x)
{
  const double length = m->setup.length[axis];
  if (!m->blocks.periodic[axis]) return x;
  x -= length * floor(x / length);
  return x < length ? x : 0;
}

int64_t triad_staggered_cell_at(const triad_staggered_mesh *m, int axis, double x)
{
  int64_t low = 0, high = m->setup.n[axis] - 1;
  while (low < high) {
    int64_t middle = (low + high + 1) / 2;
    if (m->face[axis][middle] <= x) low = middle;
    else high = middle - 1;
  }
  return low;
}

/* ---- away from solids ---- */

/* Along one axis: numbers first .. first + n - 1, before ends are wrapped, and their weights. */
typedef struct line {
  int n;
  int64_t first;
  double weight[MOST];
} line;

/* Is the value of a, which is in the middle of cells along the axis, known at this end? */
static int is_given(const triad_staggered_mesh *m, int a, int axis, int upper)
{
  if (a == TEMPERATURE) return m->setup.thermal.held[axis][upper];
  if (a == PRESSURE) return 0;
  const triad_staggered_side side = m->setup.side[axis][upper];
  return side == TRIAD_STAGGERED_WALL || side == TRIAD_STAGGERED_INFLOW;
}

/* Position of number i. For centres, -1 and n are the ends of the box, where a velocity is given. */
static double position(const triad_staggered_mesh *m, int axis, int faces, int64_t i)
{
  const int64_t n = m->setup.n[axis];
  if (m->blocks.periodic[axis]) {
    const int64_t turns = (i % n + n) % n;
    return (faces ? m->face : m->centre)[axis][turns] + m->setup.length[axis] * (double)((i - turns) / n);
  }
  return faces ? m->face[axis][i] : i < 0 ? m->face[axis][0] : i == n ? m->face[axis][n] : m->centre[axis][i];
}

/* A velocity on the end is the mean of the numbers on its both sides. */
static void use_ghosts(line *l, int64_t n)
{
  if (l->first < 0) {
    l->weight[0] /= 2;
    l->weight[1] += l->weight[0];
  }
  if (l->first + l->n - 1 == n) {
    l->weight[l->n - 1] /= 2;
    l->weight[l->n - 2] += l->weight[l->n - 1];
  }
}

static line make_line(const triad_staggered_mesh *m, int a, int axis, double x)
{
  const int64_t n = m->setup.n[axis];
  const int faces = a == axis, periodic = m->blocks.periodic[axis];
  const int64_t low = !faces && is_given(m, a, axis, 0) ? -1 : 0;
  const int64_t high = faces || is_given(m, a, axis, 1) ? n : n - 1;
  if (n == 1) return (line){1, 0, {1}};
  const int64_t all = periodic ? n : high - low + 1;
  line l = {.n = all < MOST ? (int)all : MOST, .first = triad_staggered_cell_at(m, axis, x)};
  if (!faces && x < m->centre[axis][l.first]) l.first--;
  l.first -= (l.n - 1) / 2;
  if (!periodic && l.first + l.n - 1 > high) l.first = high - l.n + 1;
  if (!periodic && l.first < low) l.first = low;
  for (int i = 0; i < l.n; i++) {
    const double here = position(m, axis, faces, l.first + i);
    l.weight[i] = 1;
    for (int j = 0; j < l.n; j++) {
      const double there = j == i ? 0 : position(m, axis, faces, l.first + j);
      if (j != i) l.weight[i] *= (x - there) / (here - there);
    }
  }
  if (!periodic && !faces) use_ghosts(&l, n);
  return l;
}

static int64_t wrap(const triad_staggered_mesh *m, int axis, int64_t i)
{
  const int64_t n = m->setup.n[axis];
  return m->blocks.periodic[axis] ? (i % n + n) % n : i;
}

static void multiply(const triad_staggered_mesh *m, const line l[3], triad_staggered_stencil *out)
{
  double *to = out->weight;
  for (int b = 0; b < 3; b++) {
    out->n[b] = l[b].n;
    for (int i = 0; i < l[b].n; i++) out->at[b][i] = wrap(m, b, l[b].first + i);
  }
  for (int k = 0; k < l[2].n; k++)
    for (int j = 0; j < l[1].n; j++)
      for (int i = 0; i < l[0].n; i++) *to++ = l[0].weight[i] * l[1].weight[j] * l[2].weight[k];
}

/* ---- positions that adjoin solids ---- */

/* A position: its cell; the sides of the centre on which the neighbours for interpolation are (the upper one along the
 * component's own axis); its distance from the centre or the lower face; the neighbour; the value halfway. */
typedef struct corner {
  const triad_staggered_mesh *m;
  const uint8_t *solid;
  int a;
  int64_t cell[3];
  int side[3];
  double far[3], neighbour[3], middle[3];
} corner;

static int is_solid(const corner *q, const int64_t relative[3])
{
  int64_t at = 0;
  for (int b = 2; b >= 0; b--) at = at * TRIAD_STAGGERED_BLOCK + relative[b] + TRIAD_STAGGERED_ABOUT;
  return q->solid[at];
}

static int is_beyond(const corner *q, int axis, int64_t relative)
{
  const int64_t at = q->cell[axis] + relative;
  return !q->m->blocks.periodic[axis] && (at < 0 || at >= q->m->setup.n[axis]);
}

/* Is the number of neighbours j, 0 or 1 each, one of the fluid's? */
static int is_fluid(const corner *q, const int j[3])
{
  int64_t here[3], below[3];
  for (int b = 0; b < 3; b++) {
    here[b] = below[b] = j[b] * q->side[b];
    if (q->a >= PRESSURE && is_beyond(q, b, here[b])) return 0;
    if (q->m->setup.n[b] == 1) here[b] = below[b] = 0;
  }
  if (q->a >= PRESSURE) return !is_solid(q, here);
  if (q->m->setup.n[q->a] > 1) below[q->a]--;
  return !is_solid(q, here) && !is_solid(q, below);
}

/* Weights of the corners from j on along axis and those before it: of two numbers along a line, or of one that falls
 * to 0 half way, or stays as it is. */
static void spread(const corner *q, int axis, int j[3], double weight, triad_staggered_stencil *out)
{
  if (axis < 0) {
    out->weight[(j[2] * 2 + j[1]) * 2 + j[0]] += weight;
    return;
  }
  if (axis == q->a) { /* both faces of the cell, done by the caller */
    spread(q, axis - 1, j, weight, out);
    return;
  }
  double part = q->far[axis] / q->neighbour[axis], kept = 1 - part;
  j[axis] = 1;
  if (is_fluid(q, j)) spread(q, axis - 1, j, weight * part, out);
  else kept = q->a >= PRESSURE ? 1 : fmax(0, 1 - q->far[axis] / q->middle[axis]);
  j[axis] = 0;
  spread(q, axis - 1, j, weight * kept, out);
}

static void set_axis(corner *q, int axis, double x)
{
  const triad_staggered_mesh *m = q->m;
  const int64_t cell = q->cell[axis], n = m->setup.n[axis];
  const double *face = m->face[axis], centre = m->centre[axis][cell], width = face[cell + 1] - face[cell];
  q->side[axis] = axis == q->a || x >= centre ? 1 : -1;
  q->far[axis] = n == 1 ? 0 : axis == q->a ? x - face[cell] : fabs(x - centre);
  q->middle[axis] = width / 2;
  q->neighbour[axis] = width;
  const int64_t next = wrap(m, axis, cell + q->side[axis]);
  if (axis != q->a && next >= 0 && next < n) q->neighbour[axis] = (width + face[next + 1] - face[next]) / 2;
}

static void beside(const triad_staggered_mesh *m, int a, const double x[3], const uint8_t *solid,
                   triad_staggered_stencil *out)
{
  corner q = {.m = m, .solid = solid, .a = a};
  memset(out, 0, sizeof *out);
  for (int b = 0; b < 3; b++) {
    q.cell[b] = triad_staggered_cell_at(m, b, x[b]);
    set_axis(&q, b, x[b]);
    out->n[b] = 2;
    out->at[b][0] = q.cell[b];
    out->at[b][1] = m->setup.n[b] == 1 ? q.cell[b] : wrap(m, b, q.cell[b] + q.side[b]);
    if (a >= PRESSURE && is_beyond(&q, b, q.side[b])) out->at[b][1] = q.cell[b];
  }
  if (is_solid(&q, (const int64_t[3]){0, 0, 0})) return;
  for (int upper = 0; upper < (a < PRESSURE ? 2 : 1); upper++) {
    int j[3] = {0, 0, 0};
    double weight = 1;
    if (a < PRESSURE) {
      const double part = q.far[a] / q.neighbour[a];
      j[a] = upper;
      weight = upper ? part : 1 - part;
    }
    if (is_fluid(&q, j)) spread(&q, 2, j, weight, out);
  }
}

/* Is there a solid among the cells that the numbers of these lines are of? */
static int meets_solid(const triad_staggered_mesh *m, int a, const double x[3], const line l[3], const uint8_t *solid)
{
  const corner q = {.m = m, .solid = solid, .a = a};
  int64_t low[3], high[3], c[3];
  for (int b = 0; b < 3; b++) {
    const int64_t cell = triad_staggered_cell_at(m, b, x[b]);
    low[b] = l[b].first - cell - (a == b && m->setup.n[b] > 1);
    high[b] = l[b].first + l[b].n - 1 - cell;
    if (low[b] < -TRIAD_STAGGERED_ABOUT) low[b] = -TRIAD_STAGGERED_ABOUT;
    if (high[b] > TRIAD_STAGGERED_ABOUT) high[b] = TRIAD_STAGGERED_ABOUT;
  }
  for (c[2] = low[2]; c[2] <= high[2]; c[2]++)
    for (c[1] = low[1]; c[1] <= high[1]; c[1]++)
      for (c[0] = low[0]; c[0] <= high[0]; c[0]++)
        if (is_solid(&q, c)) return 1;
  return 0;
}

void triad_staggered_stencil_of(const triad_staggered_mesh *m, int a, const double x[3], const uint8_t *solid,
                                triad_staggered_stencil *out)
{
  line l[3];
  for (int b = 0; b < 3; b++) l[b] = make_line(m, a, b, x[b]);
  if (solid && meets_solid(m, a, x, l, solid)) beside(m, a, x, solid, out);
  else multiply(m, l, out);
}
