/* Faces from the sides of cells: sides are sorted into buckets by their lowest point, of which each has a few. */
#include "base/status.h"
#include "solvers/unstructured/mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct side {
  int32_t cell;
  uint8_t number, n, done;
  int32_t key[TRIAD_FCT_SIDE_POINTS]; /* its lowest points in rising order, -1 behind those of a triangle */
} side;

typedef struct joining {
  triad_fct_mesh *m;
  int64_t n_sides, *first; /* [n_points + 1] */
  side *sides;
  int64_t n_faces;
  int counting; /* faces are counted and not kept */
} joining;

static void sorted_key(const int32_t *points, int n, int32_t key[TRIAD_FCT_SIDE_POINTS])
{
  for (int i = 0; i < TRIAD_FCT_SIDE_POINTS; i++) key[i] = i < n ? points[i] : -1;
  for (int i = 1; i < n; i++) {
    if (i >= TRIAD_FCT_SIDE_POINTS) { /* in the place of the highest, if it is lower */
      if (points[i] >= key[TRIAD_FCT_SIDE_POINTS - 1]) continue;
      key[TRIAD_FCT_SIDE_POINTS - 1] = points[i];
    }
    for (int k = i < TRIAD_FCT_SIDE_POINTS ? i : TRIAD_FCT_SIDE_POINTS - 1; k > 0 && key[k] < key[k - 1]; k--) {
      int32_t swapped = key[k];
      key[k] = key[k - 1];
      key[k - 1] = swapped;
    }
  }
}

static int has_point_twice(const int32_t *points, int n)
{
  for (int i = 1; i < n; i++)
    for (int k = 0; k < i; k++)
      if (points[i] == points[k]) return 1;
  return 0;
}

static const int32_t *points_of(const triad_fct_mesh *m, const side *s, int32_t room[TRIAD_FCT_SIDE_POINTS])
{
  int n;
  return triad_fct_mesh_side(m, s->cell, s->number, room, &n);
}

static int count_sides(const triad_fct_mesh *m, int64_t *n)
{
  for (int64_t c = 0; c < m->n_cells; c++) {
    const int sides = triad_fct_mesh_sides(m, c);
    if (sides > TRIAD_FCT_MOST_SIDES)
      return TRIAD_FAIL(TRIAD_ERR_CASE, "cell %lld of the mesh has %d faces, and %d are the most", (long long)c, sides,
                        TRIAD_FCT_MOST_SIDES);
    *n += sides;
  }
  return TRIAD_OK;
}

/* Calls of a counting sort: count the sides of each lowest point, then place them. */
static int sort_sides(joining *j)
{
  triad_fct_mesh *m = j->m;
  for (int place = 0; place < 2; place++) {
    for (int64_t c = 0; c < m->n_cells; c++)
      for (int i = 0; i < triad_fct_mesh_sides(m, c); i++) {
        int32_t room[TRIAD_FCT_SIDE_POINTS];
        int n;
        const int32_t *points = triad_fct_mesh_side(m, c, i, room, &n);
        side s = {.cell = (int32_t)c, .number = (uint8_t)i, .n = (uint8_t)n};
        sorted_key(points, n, s.key);
        if (!place && has_point_twice(points, n))
          return TRIAD_FAIL(TRIAD_ERR_CASE, "cell %lld of the mesh has point %d twice on a side", (long long)c, points[0]);
        if (place)
          j->sides[j->first[s.key[0]]++] = s;
        else
          j->first[s.key[0] + 1]++;
      }
    if (!place)
      for (int64_t p = 0; p < m->n_points; p++) j->first[p + 1] += j->first[p];
  }
  for (int64_t p = m->n_points; p > 0; p--) j->first[p] = j->first[p - 1];
  j->first[0] = 0;
  return TRIAD_OK;
}

static void add_face(joining *j, const int32_t *points, int n, int32_t left, int32_t right)
{
  triad_fct_mesh *m = j->m;
  int64_t f = j->n_faces++;
  if (j->counting) return;
  m->cell[f][0] = left;
  m->cell[f][1] = right;
  m->points[f] = (uint8_t)n;
  m->patch[f] = -1;
  for (int i = 0; i < TRIAD_FCT_SIDE_POINTS; i++) m->point[f][i] = i < n ? points[i] : -1;
  if (n > TRIAD_FCT_SIDE_POINTS) m->point[f][0] = (int32_t)(points - m->loop);
}

/* Do two loops of the same points go round the other way? */
static int opposite(const int32_t *a, const int32_t *b, int n)
{
  int at = 0;
  while (b[at] != a[0]) at++;
  for (int i = 1; i < n; i++)
    if (b[(at + n - i) % n] != a[i]) return 0;
  return 1;
}

/* Two sides with one key, of which polygons have more points than it tells. */
static int have_same_points(const triad_fct_mesh *m, const side *a, const side *b)
{
  if (a->n != b->n) return 0;
  if (a->n <= TRIAD_FCT_SIDE_POINTS) return 1;
  const int32_t *one = points_of(m, a, NULL), *two = points_of(m, b, NULL);
  for (int i = 0; i < a->n; i++) {
    int there = 0;
    for (int k = 0; k < b->n && !there; k++) there = one[i] == two[k];
    if (!there) return 0;
  }
  return 1;
}

static int pair(joining *j, side *a, side *b)
{
  int32_t room[2][TRIAD_FCT_SIDE_POINTS];
  const int32_t *points = points_of(j->m, a, room[0]), *other = points_of(j->m, b, room[1]);
  if (a->done || b->done)
    return TRIAD_FAIL(TRIAD_ERR_CASE, "more than two cells of the mesh share a side, %d and %d among them", a->cell,
                      b->cell);
  if (!opposite(points, other, a->n))
    return TRIAD_FAIL(TRIAD_ERR_CASE, "cells %d and %d of the mesh lie on one side of the face between them: one of "
                                      "them is left-handed", a->cell, b->cell);
  a->done = b->done = 1;
  add_face(j, points, a->n, a->cell, b->cell);
  return TRIAD_OK;
}

static int pair_bucket(joining *j, int64_t p)
{
  for (int64_t a = j->first[p]; a < j->first[p + 1]; a++)
    for (int64_t b = a + 1; b < j->first[p + 1]; b++)
      if (memcmp(j->sides[a].key, j->sides[b].key, sizeof j->sides[a].key) == 0 && have_same_points(j->m, &j->sides[a], &j->sides[b]))
        TRIAD_TRY(pair(j, &j->sides[a], &j->sides[b]));
  return TRIAD_OK;
}

/* The triangle of these points that has no other cell yet. */
static side *find_triangle(const joining *j, int32_t a, int32_t b, int32_t c)
{
  const int32_t points[3] = {a, b, c};
  int32_t key[TRIAD_FCT_SIDE_POINTS];
  sorted_key(points, 3, key);
  for (int64_t i = j->first[key[0]]; i < j->first[key[0] + 1]; i++)
    if (!j->sides[i].done && memcmp(j->sides[i].key, key, sizeof key) == 0) return &j->sides[i];
  return NULL;
}

/* A quadrilateral a b c d meets triangles a b c and a c d, or b c d and b d a. */
static void split(joining *j, side *quad)
{
  int32_t room[TRIAD_FCT_SIDE_POINTS];
  const int32_t *p = points_of(j->m, quad, room);
  for (int turn = 0; turn < 2; turn++) {
    const int32_t *a = &p[turn], *b = &p[turn + 1], *c = &p[turn + 2], *d = &p[(turn + 3) % 4];
    side *one = find_triangle(j, *a, *b, *c), *two = find_triangle(j, *a, *c, *d);
    if (!one || !two) continue;
    const int32_t first[3] = {*a, *b, *c}, second[3] = {*a, *c, *d};
    quad->done = one->done = two->done = 1;
    add_face(j, first, 3, quad->cell, one->cell);
    add_face(j, second, 3, quad->cell, two->cell);
    return;
  }
}

static int take(joining *j)
{
  triad_fct_mesh *m = j->m;
  TRIAD_TRY(TRIAD_ALLOC(m->memory, "faces being joined", m->n_points + 2, &j->first));
  return TRIAD_ALLOC(m->memory, "faces being joined", j->n_sides, &j->sides);
}

/* Once to count them, once to keep them: at first there may be one a side. */
static int join(joining *j)
{
  triad_fct_mesh *m = j->m;
  j->n_faces = 0;
  for (int64_t i = 0; i < j->n_sides; i++) j->sides[i].done = 0;
  for (int64_t p = 0; p < m->n_points; p++) TRIAD_TRY(pair_bucket(j, p));
  for (int64_t i = 0; i < j->n_sides; i++)
    if (!j->sides[i].done && j->sides[i].n == 4) split(j, &j->sides[i]);
  m->n_inner = j->n_faces;
  for (int64_t i = 0; i < j->n_sides; i++) {
    int32_t room[TRIAD_FCT_SIDE_POINTS];
    if (!j->sides[i].done) add_face(j, points_of(m, &j->sides[i], room), j->sides[i].n, j->sides[i].cell, -1);
  }
  m->n_faces = j->n_faces;
  return TRIAD_OK;
}

static int take_faces(triad_fct_mesh *m)
{
  TRIAD_TRY(TRIAD_ALLOC(m->memory, "mesh", m->n_faces, &m->cell));
  TRIAD_TRY(TRIAD_ALLOC(m->memory, "mesh", m->n_faces, &m->point));
  TRIAD_TRY(TRIAD_ALLOC(m->memory, "mesh", m->n_faces, &m->points));
  return TRIAD_ALLOC(m->memory, "mesh", m->n_faces, &m->patch);
}

int triad_fct_mesh_join(triad_fct_mesh *m)
{
  joining j = {.m = m};
  int st = count_sides(m, &j.n_sides);
  if (st == TRIAD_OK) st = take(&j);
  if (st == TRIAD_OK) st = sort_sides(&j);
  j.counting = 1;
  if (st == TRIAD_OK) st = join(&j);
  if (st == TRIAD_OK) st = take_faces(m);
  j.counting = 0;
  if (st == TRIAD_OK) st = join(&j);
  TRIAD_FREE(m->memory, &j.first);
  TRIAD_FREE(m->memory, &j.sides);
  return st;
}

/* ---- periodic patches ---- */

/* A face of a patch by where it is relative to the patch's middle. */
typedef struct mark {
  double at[3];
  int64_t face;
} mark;

static int mark_order(const void *a, const void *b)
{
  const double *x = ((const mark *)a)->at, *y = ((const mark *)b)->at;
  for (int i = 0; i < 3; i++)
    if (x[i] < y[i] || x[i] > y[i]) return x[i] < y[i] ? -1 : 1;
  return 0;
}

/* Means of the points of the faces of a patch, less `shift`, rounded so that those which lie alike are equal: in
 * units of `unit`, far below the distance of two faces. */
static int64_t mark_patch(const triad_fct_mesh *m, int patch, mark *marks, double middle[3])
{
  int64_t n = 0;
  for (int a = 0; a < 3; a++) middle[a] = 0;
  for (int64_t f = m->n_inner; f < m->n_faces; f++) {
    if (m->patch[f] != patch) continue;
    mark *k = &marks[n++];
    *k = (mark){.face = f};
    for (int a = 0; a < 3; a++) {
      for (int i = 0; i < m->points[f]; i++) k->at[a] += m->x[triad_fct_mesh_face(m, f)[i]][a] / m->points[f];
      middle[a] += k->at[a];
    }
  }
  for (int a = 0; a < 3; a++) middle[a] /= n > 0 ? (double)n : 1;
  return n;
}

static double extent_of(const mark *marks, int64_t n)
{
  double most = 0;
  for (int64_t i = 0; i < n; i++)
    for (int a = 0; a < 3; a++) most = fmax(most, fabs(marks[i].at[a]));
  return most;
}

static void round_marks(mark *marks, int64_t n, const double middle[3], double unit)
{
  for (int64_t i = 0; i < n; i++)
    for (int a = 0; a < 3; a++) marks[i].at[a] = floor((marks[i].at[a] - middle[a]) / unit + 0.382);
  qsort(marks, (size_t)n, sizeof *marks, mark_order);
}

/* Face g, b's, goes into face f, a's; inner faces come first, so that f changes places with the first outer one. */
static void merge(triad_fct_mesh *m, int64_t f, int64_t g, int number)
{
  m->cell[f][1] = m->cell[g][0];
  m->patch[f] = (int16_t)number;
  m->cell[g][0] = -1; /* to be taken out */
}

static void copy_face(triad_fct_mesh *m, int64_t to, int64_t from)
{
  memcpy(m->cell[to], m->cell[from], sizeof m->cell[to]);
  memcpy(m->point[to], m->point[from], sizeof m->point[to]);
  m->points[to] = m->points[from];
  m->patch[to] = m->patch[from];
}

static void swap_faces(triad_fct_mesh *m, int64_t a, int64_t b)
{
  int32_t cell[2], point[TRIAD_FCT_SIDE_POINTS];
  uint8_t points = m->points[a];
  int16_t patch = m->patch[a];
  memcpy(cell, m->cell[a], sizeof cell);
  memcpy(point, m->point[a], sizeof point);
  copy_face(m, a, b);
  memcpy(m->cell[b], cell, sizeof cell);
  memcpy(m->point[b], point, sizeof point);
  m->points[b] = points;
  m->patch[b] = patch;
}

/* Faces that are gone are left out, those that have two cells now come to the inner ones. */
static void tidy(triad_fct_mesh *m)
{
  int64_t n = m->n_inner;
  for (int64_t f = m->n_inner; f < m->n_faces; f++)
    if (m->cell[f][0] >= 0) copy_face(m, n++, f);
  m->n_faces = n;
  for (int64_t f = m->n_inner; f < m->n_faces; f++)
    if (m->cell[f][1] >= 0) swap_faces(m, f, m->n_inner++);
}

static int match(triad_fct_mesh *m, int a, int b, mark *of_a, mark *of_b)
{
  double middle_a[3], middle_b[3];
  int64_t n = mark_patch(m, a, of_a, middle_a), n_b = mark_patch(m, b, of_b, middle_b);
  if (n != n_b)
    return TRIAD_FAIL(TRIAD_ERR_CASE, "periodic patches %s and %s have %lld and %lld faces", m->patch_name[a],
                      m->patch_name[b], (long long)n, (long long)n_b);
  double unit = 1e-7 * fmax(extent_of(of_a, n), extent_of(of_b, n));
  round_marks(of_a, n, middle_a, unit);
  round_marks(of_b, n, middle_b, unit);
  int number = m->n_pairs++;
  for (int i = 0; i < 3; i++) m->shift[number][i] = middle_b[i] - middle_a[i];
  for (int64_t i = 0; i < n; i++) {
    if (mark_order(&of_a[i], &of_b[i]) != 0 || m->points[of_a[i].face] != m->points[of_b[i].face])
      return TRIAD_FAIL(TRIAD_ERR_CASE, "periodic patches %s and %s: a face of the one has none that lies alike in the "
                                        "other", m->patch_name[a], m->patch_name[b]);
    merge(m, of_a[i].face, of_b[i].face, number);
  }
  tidy(m);
  return TRIAD_OK;
}

int triad_fct_mesh_periodic(triad_fct_mesh *m, int a, int b)
{
  mark *of_a = NULL, *of_b = NULL;
  int64_t n = m->n_faces - m->n_inner;
  int st = TRIAD_ALLOC(m->memory, "faces being joined", n, &of_a);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(m->memory, "faces being joined", n, &of_b);
  if (st == TRIAD_OK) st = match(m, a, b, of_a, of_b);
  TRIAD_FREE(m->memory, &of_a);
  TRIAD_FREE(m->memory, &of_b);
  return st;
}
