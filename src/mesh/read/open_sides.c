/* Explain why outer faces have no patch: smaller faces with hanging nodes lie on them, two faces coincide but have
 * points of their own, or neither. A face lies on another if all its points do; candidate points come from a box
 * around the face (nearest.h). */
#include "mesh/read/open_sides.h"
#include "mesh/read/meshfile.h"
#include "mesh/sizes.h"
#include "mesh/nearest.h"

#include <math.h>
#include <string.h>

/* How far from a face a point may be that lies on it, as a part of the face's size: files have six digits at least. */
#define CLOSE 1e-5

typedef struct looking {
  const triad_mesh *m;
  int64_t n, *face;            /* open faces                                                      */
  int64_t n_points, *first;    /* [n_points + 1] of each point of theirs, the faces that have it: */
  int32_t *list, *place;       /* list[first[p]] ..; place[m->n_points]: p + 1, 0: of no open face */
  double (*x)[3];              /* [n_points]                                                      */
  int32_t *count, *met, n_met; /* [n] points on the face looked at; faces that have any           */
  uint8_t *told;               /* [n] it lies on another one, or others on it                     */
  int allowed;                 /* 1: other open faces are no faults                               */
  double close;                /* to the face looked at, here     */
  int64_t here, hanging, doubled, first_hanging, first_doubled;
  double at[3]; /* of the first point that hangs                                   */
} looking;

static int allocate_lists(looking *w)
{
  const triad_mesh *m = w->m;
  int64_t corners = 0;
  for (int64_t f = m->n_inner; f < m->n_faces; f++)
    if (m->patch[f] < 0) {
      w->n++;
      corners += m->points[f];
    }
  TRIAD_TRY(TRIAD_ALLOC(m->memory, "open sides", w->n, &w->face));
  TRIAD_TRY(TRIAD_ALLOC(m->memory, "open sides", corners + 2, &w->first));
  TRIAD_TRY(TRIAD_ALLOC(m->memory, "open sides", corners, &w->list));
  TRIAD_TRY(TRIAD_ALLOC(m->memory, "open sides", m->n_points, &w->place));
  TRIAD_TRY(TRIAD_ALLOC(m->memory, "open sides", corners, &w->x));
  TRIAD_TRY(TRIAD_ALLOC(m->memory, "open sides", w->n, &w->count));
  TRIAD_TRY(TRIAD_ALLOC(m->memory, "open sides", w->n, &w->met));
  return TRIAD_ALLOC(m->memory, "open sides", w->n, &w->told);
}

static void free_all(looking *w)
{
  triad_memory *memory = w->m->memory;
  TRIAD_FREE(memory, &w->face);
  TRIAD_FREE(memory, &w->first);
  TRIAD_FREE(memory, &w->list);
  TRIAD_FREE(memory, &w->place);
  TRIAD_FREE(memory, &w->x);
  TRIAD_FREE(memory, &w->count);
  TRIAD_FREE(memory, &w->met);
  TRIAD_FREE(memory, &w->told);
}

/* Points of open faces, and the faces of each, by a counting sort. Returns whether all are finite, and nothing
 * between them overflows. */
static int list_points(looking *w)
{
  const triad_mesh *m = w->m;
  int64_t n = 0;
  int finite = 1;
  for (int64_t f = m->n_inner; f < m->n_faces; f++) {
    if (m->patch[f] >= 0) continue;
    for (int k = 0; k < m->points[f]; k++) {
      const int32_t p = triad_mesh_face(m, f)[k];
      if (w->place[p] == 0) {
        memcpy(w->x[w->n_points], m->x[p], sizeof *w->x);
        for (int a = 0; a < 3; a++) finite = finite && fabs(m->x[p][a]) < 1e100;
        w->place[p] = (int32_t)++w->n_points;
      }
      w->first[w->place[p] + 1]++;
    }
    w->face[n++] = f;
  }
  /* where the faces of point p, from 0, will end: first[p + 2] */
  for (int64_t p = 1; p <= w->n_points; p++) w->first[p + 1] += w->first[p];
  for (int64_t i = 0; i < w->n; i++)
    for (int k = 0; k < m->points[w->face[i]]; k++)
      w->list[w->first[w->place[triad_mesh_face(m, w->face[i])[k]]]++] = (int32_t)i;
  return finite;
}

/* ---- what lies on a face ---- */

static double span_of(const triad_mesh *m, int64_t f, double low[3], double high[3])
{
  double d[3];
  for (int a = 0; a < 3; a++) {
    low[a] = INFINITY;
    high[a] = -INFINITY;
    for (int k = 0; k < m->points[f]; k++) {
      low[a] = fmin(low[a], m->x[triad_mesh_face(m, f)[k]][a]);
      high[a] = fmax(high[a], m->x[triad_mesh_face(m, f)[k]][a]);
    }
    d[a] = high[a] - low[a];
  }
  return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* Is x on the triangle a b c? As a + s (b - a) + t (c - a) + h n, n of length 1. */
static int is_on_triangle(const double x[3], const double a[3], const double b[3], const double c[3], double close)
{
  double u[3], v[3], d[3];
  for (int i = 0; i < 3; i++) {
    u[i] = b[i] - a[i];
    v[i] = c[i] - a[i];
    d[i] = x[i] - a[i];
  }
  const double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), du = dot(d, u), dv = dot(d, v), all = uu * vv - uv * uv;
  const double s = (du * vv - dv * uv) / all, t = (dv * uu - du * uv) / all;
  double h[3];
  for (int i = 0; i < 3; i++) h[i] = d[i] - s * u[i] - t * v[i];
  const double slack = close / sqrt(fmin(uu, vv));
  return all > 0 && s >= -slack && t >= -slack && s + t <= 1 + slack && dot(h, h) <= close * close;
}

static int is_on(const triad_mesh *m, int64_t f, const double x[3], double close)
{
  const int32_t *p = triad_mesh_face(m, f);
  for (int k = 1; k + 1 < m->points[f]; k++)
    if (is_on_triangle(x, m->x[p[0]], m->x[p[k]], m->x[p[k + 1]], close)) return 1;
  return 0;
}

static void meet(void *who, int64_t p)
{
  looking *w = who;
  if (!is_on(w->m, w->face[w->here], w->x[p], w->close)) return;
  for (int64_t k = w->first[p]; k < w->first[p + 1]; k++)
    if (w->count[w->list[k]]++ == 0) w->met[w->n_met++] = w->list[k];
}

static double area_of(const triad_mesh *m, int64_t f)
{
  double area[3], centre[3];
  triad_mesh_face_size(m, f, area, centre);
  return sqrt(dot(area, area));
}

/* A point of face g that face f does not have. */
static void find_strange(const triad_mesh *m, int64_t f, int64_t g, double at[3])
{
  for (int i = 0; i < m->points[g]; i++) {
    const int32_t p = triad_mesh_face(m, g)[i];
    int there = 0;
    for (int k = 0; k < m->points[f]; k++) there = there || triad_mesh_face(m, f)[k] == p;
    if (!there) memcpy(at, m->x[p], 3 * sizeof *at);
  }
}

static void look_at(looking *w, const triad_mesh_nearest *nearest)
{
  const triad_mesh *m = w->m;
  const int64_t f = w->face[w->here];
  double low[3], high[3];
  int smaller = 0, alike = 0;
  w->close = CLOSE * span_of(m, f, low, high);
  for (int a = 0; a < 3; a++) {
    low[a] -= w->close;
    high[a] += w->close;
  }
  w->n_met = 0;
  triad_mesh_nearest_box(nearest, (const double *)low, (const double *)high, meet, w);
  for (int32_t i = 0; i < w->n_met; i++) {
    const int32_t other = w->met[i];
    const int lies = other != w->here && w->count[other] == m->points[w->face[other]];
    w->count[other] = 0;
    if (!lies) continue;
    w->told[other] = w->told[w->here] = 1;
    if (area_of(m, w->face[other]) > 0.99 * area_of(m, f)) alike = 1;
    else if (smaller++ == 0 && w->hanging == 0) find_strange(m, f, w->face[other], w->at);
  }
  if (smaller > 0 && w->hanging++ == 0) w->first_hanging = f;
  if (alike && w->doubled++ == 0) w->first_doubled = f;
}

/* ---- what is said ---- */

static void add_faults(const looking *w, int left_out, triad_faults *faults)
{
  const triad_mesh *m = w->m;
  char text[TRIAD_MESH_CELL_TEXT];
  int64_t rest = 0, first = 0;
  for (int64_t i = w->n - 1; i >= 0; i--)
    if (!w->told[i]) {
      rest++;
      first = w->face[i];
    }
  if (w->hanging > 0) {
    triad_mesh_describe(m, m->cell[w->first_hanging][0], text);
    triad_fault(faults,
                "hanging nodes on %lld sides of cells, the first of %s, at (%.6g, %.6g, %.6g): neighbouring cells must "
                "share whole sides",
                (long long)w->hanging, text, w->at[0], w->at[1], w->at[2]);
  }
  if (w->doubled > 0) {
    triad_mesh_describe(m, m->cell[w->first_doubled][0], text);
    triad_fault(faults,
                "%lld outer faces coincide but have separate nodes, the first of %s: merge nodes at the same position "
                "(Gmsh: Coherence Mesh)",
                (long long)w->doubled, text);
  }
  if (rest == 0 || w->allowed) return;
  const double *x = m->x[triad_mesh_face(m, first)[0]];
  triad_fault(faults,
              "%lld outer faces are in no patch of the file, the first, of cell %lld, at (%.6g, %.6g, %.6g): a "
              "boundary without a name, or cells that are not connected%s",
              (long long)rest, (long long)triad_mesh_number(m, m->cell[first][0]), x[0], x[1], x[2],
              left_out ? ", or a missing part" : "");
}

static int note_open(const triad_mesh *m, int left_out, int allowed, triad_faults *faults)
{
  looking w = {.m = m, .allowed = allowed};
  triad_mesh_nearest *nearest = NULL;
  int st = allocate_lists(&w);
  const int finite = st == TRIAD_OK && list_points(&w);
  if (finite) st = triad_mesh_nearest_create(&nearest, m->memory, (const double(*)[3])w.x, w.n_points);
  for (w.here = 0; w.here < w.n && finite && st == TRIAD_OK; w.here++) look_at(&w, nearest);
  if (st == TRIAD_OK) add_faults(&w, left_out, faults);
  triad_mesh_nearest_destroy(&nearest);
  free_all(&w);
  return st;
}

int triad_mesh_note_open(const triad_mesh *m, int left_out, triad_faults *faults)
{
  return note_open(m, left_out, 0, faults);
}

int triad_mesh_note_split(const triad_mesh *m, triad_faults *faults) { return note_open(m, 0, 1, faults); }
