/* Make faces from the sides of cells: sides are sorted into buckets by their lowest point, so each bucket has only a
 * few. */
#include "mesh/join.h"
#include "base/status.h"
#include "mesh/mesh.h"

#include <string.h>

typedef struct side {
  int32_t cell, second;           /* its second lowest point; those of a bucket have the lowest alike */
  uint8_t number, n, done, twice; /* twice: it has a point twice, and gets no face */
} side;

/* A kind of fault: how many, and the cells of the first. */
typedef struct kind {
  int64_t n;
  int32_t cell, other;
} kind;

typedef struct joining {
  triad_mesh *m;
  int64_t n_sides, *first; /* [n_points + 1] */
  side *sides;
  int64_t n_faces;
  int counting; /* faces are counted and not kept; then faults are found */
  kind twice, shared, turned;
} joining;

static void note(joining *j, kind *k, int32_t cell, int32_t other)
{
  if (j->counting && k->n++ == 0) *k = (kind){1, cell, other};
}

void triad_mesh_side_key(const int32_t *points, int n, int32_t key[TRIAD_MESH_SIDE_POINTS])
{
  for (int i = 0; i < TRIAD_MESH_SIDE_POINTS; i++) key[i] = i < n ? points[i] : -1;
  for (int i = 1; i < n; i++) {
    if (i >= TRIAD_MESH_SIDE_POINTS) { /* in the place of the highest, if it is lower */
      if (points[i] >= key[TRIAD_MESH_SIDE_POINTS - 1]) continue;
      key[TRIAD_MESH_SIDE_POINTS - 1] = points[i];
    }
    for (int k = i < TRIAD_MESH_SIDE_POINTS ? i : TRIAD_MESH_SIDE_POINTS - 1; k > 0 && key[k] < key[k - 1]; k--) {
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

static const int32_t *points_of(const triad_mesh *m, const side *s, int32_t room[TRIAD_MESH_SIDE_POINTS])
{
  int n;
  return triad_mesh_side(m, s->cell, s->number, room, &n);
}

static int count_sides(const triad_mesh *m, int64_t *n)
{
  for (int64_t c = 0; c < m->n_cells; c++) {
    const int sides = triad_mesh_sides(m, c);
    if (sides > TRIAD_MESH_MAX_SIDES)
      return TRIAD_FAIL(TRIAD_ERR_CASE, "cell %lld of the mesh has %d faces, but the maximum is %d",
                        (long long)triad_mesh_number(m, c), sides, TRIAD_MESH_MAX_SIDES);
    *n += sides;
  }
  return TRIAD_OK;
}

/* Calls of a counting sort: count the sides of each lowest point, then place them. */
static void sort_sides(joining *j)
{
  triad_mesh *m = j->m;
  for (int place = 0; place < 2; place++) {
    for (int64_t c = 0; c < m->n_cells; c++)
      for (int i = 0; i < triad_mesh_sides(m, c); i++) {
        int32_t room[TRIAD_MESH_SIDE_POINTS];
        int n;
        const int32_t *points = triad_mesh_side(m, c, i, room, &n);
        int32_t key[TRIAD_MESH_SIDE_POINTS];
        triad_mesh_side_key(points, n, key);
        const int twice = !place || j->twice.n > 0 ? has_point_twice(points, n) : 0;
        if (!place && twice) note(j, &j->twice, (int32_t)c, -1);
        if (place)
          j->sides[j->first[key[0]]++] = (side){
            .cell = (int32_t)c, .second = key[1], .number = (uint8_t)i, .n = (uint8_t)n, .twice = (uint8_t)twice};
        else j->first[key[0] + 1]++;
      }
    if (!place)
      for (int64_t p = 0; p < m->n_points; p++) j->first[p + 1] += j->first[p];
  }
  for (int64_t p = m->n_points; p > 0; p--) j->first[p] = j->first[p - 1];
  j->first[0] = 0;
}

static void add_face(joining *j, const int32_t *points, int n, int32_t left, int32_t right)
{
  triad_mesh *m = j->m;
  int64_t f = j->n_faces++;
  if (j->counting) return;
  m->cell[f][0] = left;
  m->cell[f][1] = right;
  m->points[f] = (uint8_t)n;
  m->patch[f] = -1;
  for (int i = 0; i < TRIAD_MESH_SIDE_POINTS; i++) m->point[f][i] = i < n ? points[i] : -1;
  if (n > TRIAD_MESH_SIDE_POINTS) m->point[f][0] = (int32_t)(points - m->loop);
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

/* Two sides of a bucket. */
static int have_same_points(const triad_mesh *m, const side *a, const side *b)
{
  int32_t room[2][TRIAD_MESH_SIDE_POINTS];
  if (a->second != b->second || a->n != b->n) return 0;
  const int32_t *one = points_of(m, a, room[0]), *two = points_of(m, b, room[1]);
  for (int i = 0; i < a->n; i++) {
    int there = 0;
    for (int k = 0; k < b->n && !there; k++) there = one[i] == two[k];
    if (!there) return 0;
  }
  return 1;
}

/* Sides with a fault are done with: that they have no face is no fault of its own. The third cell of a side, and
 * each more, is met undone once. */
static void pair(joining *j, side *a, side *b)
{
  int32_t room[2][TRIAD_MESH_SIDE_POINTS];
  const int32_t *points = points_of(j->m, a, room[0]), *other = points_of(j->m, b, room[1]);
  const int shared = a->done, again = b->done;
  a->done = b->done = 1;
  if (again) return;
  if (shared) note(j, &j->shared, a->cell, b->cell);
  else if (!opposite(points, other, a->n)) note(j, &j->turned, a->cell, b->cell);
  else add_face(j, points, a->n, a->cell, b->cell);
}

static void pair_bucket(joining *j, int64_t p)
{
  for (int64_t a = j->first[p]; a < j->first[p + 1]; a++)
    for (int64_t b = a + 1; b < j->first[p + 1]; b++)
      if (!j->sides[a].twice && !j->sides[b].twice && have_same_points(j->m, &j->sides[a], &j->sides[b]))
        pair(j, &j->sides[a], &j->sides[b]);
}

/* The triangle of these points that has no other cell yet. */
static side *find_triangle(const joining *j, int32_t a, int32_t b, int32_t c)
{
  const int32_t points[3] = {a, b, c};
  int32_t key[TRIAD_MESH_SIDE_POINTS];
  triad_mesh_side_key(points, 3, key);
  for (int64_t i = j->first[key[0]]; i < j->first[key[0] + 1]; i++) {
    side *s = &j->sides[i];
    int32_t room[TRIAD_MESH_SIDE_POINTS], own[TRIAD_MESH_SIDE_POINTS];
    if (s->done || s->second != key[1] || s->n != 3) continue;
    triad_mesh_side_key(points_of(j->m, s, room), 3, own);
    if (memcmp(own, key, sizeof key) == 0) return s;
  }
  return NULL;
}

/* A quadrilateral a b c d meets triangles a b c and a c d, or b c d and b d a. */
static void split(joining *j, side *quad)
{
  int32_t room[TRIAD_MESH_SIDE_POINTS];
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

static int allocate_faces(joining *j)
{
  triad_mesh *m = j->m;
  TRIAD_TRY(TRIAD_ALLOC(m->memory, "the connection of faces", m->n_points + 2, &j->first));
  return TRIAD_ALLOC(m->memory, "the connection of faces", j->n_sides, &j->sides);
}

/* Once to count them, once to keep them: at first there may be one a side. */
static void join(joining *j)
{
  triad_mesh *m = j->m;
  j->n_faces = 0;
  for (int64_t i = 0; i < j->n_sides; i++) j->sides[i].done = j->sides[i].twice;
  for (int64_t p = 0; p < m->n_points; p++) pair_bucket(j, p);
  for (int64_t i = 0; i < j->n_sides; i++)
    if (!j->sides[i].done && j->sides[i].n == 4) split(j, &j->sides[i]);
  m->n_inner = j->n_faces;
  for (int64_t i = 0; i < j->n_sides; i++) {
    int32_t room[TRIAD_MESH_SIDE_POINTS];
    if (!j->sides[i].done) add_face(j, points_of(m, &j->sides[i], room), j->sides[i].n, j->sides[i].cell, -1);
  }
  m->n_faces = j->n_faces;
}

static int take_faces(triad_mesh *m)
{
  TRIAD_TRY(TRIAD_ALLOC(m->memory, "mesh", m->n_faces, &m->cell));
  TRIAD_TRY(TRIAD_ALLOC(m->memory, "mesh", m->n_faces, &m->point));
  TRIAD_TRY(TRIAD_ALLOC(m->memory, "mesh", m->n_faces, &m->points));
  return TRIAD_ALLOC(m->memory, "mesh", m->n_faces, &m->patch);
}

/* ---- what is wrong with sides ---- */

static void add_faults(const joining *j, triad_faults *faults)
{
  char text[TRIAD_MESH_CELL_TEXT];
  const kind *k = &j->twice;
  if (k->n > 0) {
    triad_mesh_describe(j->m, k->cell, text);
    triad_fault(faults, "%lld sides of cells contain a point twice, the first of %s%s", (long long)k->n, text,
                j->m->shape[k->cell] == TRIAD_MESH_HEX
                  ? ": replace a hexahedron that has an edge of length zero by a prism"
                  : "");
  }
  k = &j->shared;
  if (k->n > 0) {
    triad_mesh_describe(j->m, k->cell, text);
    triad_fault(faults, "more than two cells of the mesh share a side, %lld too many, first %s and %lld among them",
                (long long)k->n, text, (long long)triad_mesh_number(j->m, k->other));
  }
  k = &j->turned;
  if (k->n > 0 && !triad_mesh_note_turned(j->m, faults)) {
    triad_mesh_describe(j->m, k->cell, text);
    triad_fault(faults,
                "%lld faces have both of their cells on the same side, so that these overlap, the first %s and %lld",
                (long long)k->n, text, (long long)triad_mesh_number(j->m, k->other));
  }
}

int triad_mesh_join_with_faults(triad_mesh *m, triad_faults *faults)
{
  joining j = {.m = m, .counting = 1};
  int st = count_sides(m, &j.n_sides);
  if (st == TRIAD_OK) st = allocate_faces(&j);
  if (st == TRIAD_OK) {
    sort_sides(&j);
    join(&j);
    add_faults(&j, faults);
    st = take_faces(m);
  }
  j.counting = 0;
  if (st == TRIAD_OK) join(&j);
  TRIAD_FREE(m->memory, &j.first);
  TRIAD_FREE(m->memory, &j.sides);
  return st;
}

int triad_mesh_join(triad_mesh *m)
{
  triad_faults faults = {0};
  return triad_faults_end(&faults, triad_mesh_join_with_faults(m, &faults));
}
