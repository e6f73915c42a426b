/* Join periodic patches: each pair of matching faces becomes one face. */
#include "base/status.h"
#include "mesh/periodic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef triad_mesh_face_mark mark;

static int mark_order(const void *a, const void *b)
{
  const double *x = ((const mark *)a)->at, *y = ((const mark *)b)->at;
  for (int i = 0; i < 3; i++)
    if (x[i] < y[i] || x[i] > y[i]) return x[i] < y[i] ? -1 : 1;
  return 0;
}

triad_mesh_face_mark triad_mesh_mark_face(const triad_mesh *m, int64_t f)
{
  mark k = {.face = f, .points = m->points[f]};
  for (int a = 0; a < 3; a++)
    for (int i = 0; i < m->points[f]; i++) k.at[a] += m->x[triad_mesh_face(m, f)[i]][a] / m->points[f];
  return k;
}

static int64_t mark_patch(const triad_mesh *m, int patch, mark *marks)
{
  int64_t n = 0;
  for (int64_t f = m->n_inner; f < m->n_faces; f++)
    if (m->patch[f] == patch) marks[n++] = triad_mesh_mark_face(m, f);
  return n;
}

static void middle_of(const mark *marks, int64_t n, double middle[3])
{
  for (int a = 0; a < 3; a++) {
    middle[a] = 0;
    for (int64_t i = 0; i < n; i++) middle[a] += marks[i].at[a];
    middle[a] /= n > 0 ? (double)n : 1;
  }
}

static double extent_of(const mark *marks, int64_t n)
{
  double most = 0;
  for (int64_t i = 0; i < n; i++)
    for (int a = 0; a < 3; a++) most = fmax(most, fabs(marks[i].at[a]));
  return most;
}

/* Relative to the middle, rounded so that those which lie alike are equal: in units of `unit`, far below the
 * distance of two faces. */
static void round_marks(mark *marks, int64_t n, const double middle[3], double unit)
{
  for (int64_t i = 0; i < n; i++)
    for (int a = 0; a < 3; a++) marks[i].at[a] = floor((marks[i].at[a] - middle[a]) / unit + 0.382);
  qsort(marks, (size_t)n, sizeof *marks, mark_order);
}

void triad_mesh_merge_faces(triad_mesh *m, int64_t f, int64_t g, int number)
{
  m->cell[f][1] = m->cell[g][0];
  m->patch[f] = (int16_t)number;
  m->cell[g][0] = -1; /* to be taken out */
}

static void copy_face(triad_mesh *m, int64_t to, int64_t from)
{
  memcpy(m->cell[to], m->cell[from], sizeof m->cell[to]);
  memcpy(m->point[to], m->point[from], sizeof m->point[to]);
  m->points[to] = m->points[from];
  m->patch[to] = m->patch[from];
}

static void swap_faces(triad_mesh *m, int64_t a, int64_t b)
{
  int32_t cell[2], point[TRIAD_MESH_SIDE_POINTS];
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

void triad_mesh_remove_merged(triad_mesh *m)
{
  int64_t n = m->n_inner;
  for (int64_t f = m->n_inner; f < m->n_faces; f++)
    if (m->cell[f][0] >= 0) copy_face(m, n++, f);
  m->n_faces = n;
  for (int64_t f = m->n_inner; f < m->n_faces; f++)
    if (m->cell[f][1] >= 0) swap_faces(m, f, m->n_inner++);
}

int triad_mesh_match_faces(const triad_mesh *m, int a, int b, mark *of_a, int64_t n_a, mark *of_b, int64_t n_b,
                           double shift[3])
{
  double middle_a[3], middle_b[3];
  if (n_a != n_b)
    return TRIAD_FAIL(TRIAD_ERR_CASE, "periodic patches %s and %s have different numbers of faces, %lld and %lld",
                      m->patch_name[a], m->patch_name[b], (long long)n_a, (long long)n_b);
  middle_of(of_a, n_a, middle_a);
  middle_of(of_b, n_b, middle_b);
  const double unit = 1e-7 * fmax(extent_of(of_a, n_a), extent_of(of_b, n_b));
  round_marks(of_a, n_a, middle_a, unit);
  round_marks(of_b, n_b, middle_b, unit);
  for (int i = 0; i < 3; i++) shift[i] = middle_b[i] - middle_a[i];
  for (int64_t i = 0; i < n_a; i++)
    if (mark_order(&of_a[i], &of_b[i]) != 0 || of_a[i].points != of_b[i].points)
      return TRIAD_FAIL(TRIAD_ERR_CASE,
                        "periodic patches %s and %s: a face of the first has no matching face in the second",
                        m->patch_name[a], m->patch_name[b]);
  return TRIAD_OK;
}

static int join(triad_mesh *m, int a, int b, mark *of_a, mark *of_b)
{
  const int64_t n_a = mark_patch(m, a, of_a), n_b = mark_patch(m, b, of_b);
  const int number = m->n_pairs;
  TRIAD_TRY(triad_mesh_match_faces(m, a, b, of_a, n_a, of_b, n_b, m->shift[number]));
  m->n_pairs++;
  for (int64_t i = 0; i < n_a; i++) triad_mesh_merge_faces(m, of_a[i].face, of_b[i].face, number);
  triad_mesh_remove_merged(m);
  return TRIAD_OK;
}

int triad_mesh_periodic(triad_mesh *m, int a, int b)
{
  mark *of_a = NULL, *of_b = NULL;
  int64_t n = m->n_faces - m->n_inner;
  int st = TRIAD_ALLOC(m->memory, "the connection of faces", n, &of_a);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(m->memory, "the connection of faces", n, &of_b);
  if (st == TRIAD_OK) st = join(m, a, b, of_a, of_b);
  TRIAD_FREE(m->memory, &of_a);
  TRIAD_FREE(m->memory, &of_b);
  return st;
}
