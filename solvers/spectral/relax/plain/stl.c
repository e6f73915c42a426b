/* Read STL files, check that their surfaces are closed, and compute signed distances to them. Whether a point is inside
 * is counted along a line through it: of two triangles that share an edge, exactly one is crossed by a line that meets
 * the edge, because both compute the same number for it. */
#include "solvers/spectral/relax/plain/stl.h"

#include "base/status.h"

#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER = 84, FACET = 50, MOST = 1 << 24 };

static int grow(triad_stl *s, int64_t *room)
{
  if (s->n < *room) return TRIAD_OK;
  const int64_t more = *room > 0 ? 2 * *room : 256;
  double *corner = more <= MOST ? realloc(s->corner, (size_t)more * 9 * sizeof *corner) : NULL;
  if (!corner) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%lld triangles", (long long)more);
  s->corner = corner;
  *room = more;
  return TRIAD_OK;
}

/* ---- reading ---- */

static float number_at(const unsigned char *p)
{
  const uint32_t bits = (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static int is_binary(const char *bytes, size_t size)
{
  if (size < HEADER) return 0;
  const unsigned char *p = (const unsigned char *)bytes + HEADER - 4;
  const uint32_t count = (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
  return size == HEADER + (size_t)FACET * count;
}

static int read_binary(triad_stl *s, const char *bytes, size_t size, int64_t *room)
{
  for (size_t at = HEADER; at + FACET <= size; at += FACET) {
    TRIAD_TRY(grow(s, room));
    for (int i = 0; i < 9; i++)
      s->corner[9 * s->n + i] = (double)number_at((const unsigned char *)bytes + at + 12 + 4 * i);
    s->n++;
  }
  return TRIAD_OK;
}

/* The next word of a text, in lower case. */
static int next_word(const char **at, const char *end, char word[64])
{
  int n = 0;
  while (*at < end && isspace((unsigned char)**at)) ++*at;
  for (; *at < end && !isspace((unsigned char)**at); ++*at)
    if (n < 63) word[n++] = (char)tolower((unsigned char)**at);
  word[n] = '\0';
  return n > 0;
}

static int read_text(triad_stl *s, const char *name, const char *bytes, size_t size, int64_t *room)
{
  const char *at = bytes, *end = bytes + size;
  char word[64];
  int corners = 0;
  while (next_word(&at, end, word)) {
    if (strcmp(word, "endloop") == 0 && corners % 3 != 0)
      return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: facet %lld has no three corners", name, (long long)s->n + 1);
    if (strcmp(word, "solid") == 0 || strcmp(word, "endsolid") == 0) { /* a name may be any text */
      while (at < end && *at != '\n') at++;
      continue;
    }
    if (strcmp(word, "vertex") != 0) continue;
    TRIAD_TRY(grow(s, room));
    for (int i = 0; i < 3; i++) {
      char *stop = word;
      const double value = next_word(&at, end, word) ? strtod(word, &stop) : 0;
      if (stop == word || *stop != '\0')
        return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: a corner of facet %lld is not three numbers", name, (long long)s->n + 1);
      s->corner[9 * s->n + 3 * (corners % 3) + i] = value;
    }
    if (++corners % 3 == 0) s->n++;
  }
  if (corners == 0) return TRIAD_FAIL(TRIAD_ERR_CASE, "%s is not an STL file: it has no facets", name);
  return corners % 3 == 0 ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_CASE, "%s ends within a facet", name);
}

/* ---- checks ---- */

typedef struct point {
  double x[3], key; /* key: of the place before corners are merged */
  int64_t at;       /* number of the corner */
} point;

typedef struct edge {
  int64_t a, b; /* a < b */
  int sense;    /* 1: from a to b */
  int64_t facet;
} edge;

static int by_key(const void *a, const void *b)
{
  const point *p = a, *q = b;
  if (p->key < q->key || p->key > q->key) return p->key < q->key ? -1 : 1;
  for (int i = 0; i < 3; i++)
    if (p->x[i] < q->x[i] || p->x[i] > q->x[i]) return p->x[i] < q->x[i] ? -1 : 1;
  return p->at < q->at ? -1 : 1;
}

static int by_ends(const void *a, const void *b)
{
  const edge *p = a, *q = b;
  if (p->a != q->a) return p->a < q->a ? -1 : 1;
  if (p->b != q->b) return p->b < q->b ? -1 : 1;
  return p->facet < q->facet ? -1 : p->facet > q->facet;
}

/* Corners that are nearly the same become the same: those within `apart` of the first of them along the sorted list.
 * The list is sorted along a direction that no face of a usual body is normal to, so that few corners are near each
 * other. */
static int merge(triad_stl *s, double apart, int64_t *name)
{
  const int64_t n = 3 * s->n;
  point *list = malloc((size_t)n * sizeof *list);
  if (!list) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "corners of %lld triangles", (long long)s->n);
  for (int64_t i = 0; i < n; i++) {
    memcpy(list[i].x, s->corner + 3 * i, sizeof list[i].x);
    list[i].key = 0.4821 * list[i].x[0] + 0.6177 * list[i].x[1] + 0.6213 * list[i].x[2];
    list[i].at = i;
  }
  qsort(list, (size_t)n, sizeof *list, by_key);
  for (int64_t i = 0; i < n; i++) {
    int64_t found = i;
    for (int64_t k = i - 1; k >= 0 && list[i].key - list[k].key <= 2 * apart; k--)
      if (fabs(list[i].x[0] - list[k].x[0]) <= apart && fabs(list[i].x[1] - list[k].x[1]) <= apart &&
          fabs(list[i].x[2] - list[k].x[2]) <= apart)
        found = k;
    if (found < i) memcpy(list[i].x, list[found].x, sizeof list[i].x);
    name[list[i].at] = found < i ? name[list[found].at] : list[i].at;
    memcpy(s->corner + 3 * list[i].at, list[i].x, sizeof list[i].x);
  }
  free(list);
  return TRIAD_OK;
}

static int check_edges(const triad_stl *s, const char *file, const int64_t *name, edge *list)
{
  int64_t n = 0;
  for (int64_t f = 0; f < s->n; f++) {
    const int64_t *c = name + 3 * f;
    if (c[0] == c[1] || c[1] == c[2] || c[2] == c[0]) continue; /* it has no area */
    for (int i = 0; i < 3; i++) {
      const int64_t a = c[i], b = c[(i + 1) % 3];
      list[n++] = a < b ? (edge){a, b, 1, f} : (edge){b, a, -1, f};
    }
  }
  qsort(list, (size_t)n, sizeof *list, by_ends);
  for (int64_t i = 0, next; i < n; i = next) {
    int sense = 0;
    for (next = i; next < n && list[next].a == list[i].a && list[next].b == list[i].b; next++)
      sense += list[next].sense;
    if (sense == 0) continue;
    const double *x = s->corner + 3 * list[i].a;
    return TRIAD_FAIL(
      TRIAD_ERR_CASE,
      "%s: the surface is not closed: an edge of facet %lld at (%g, %g, %g) has %lld facets that do not "
      "run along it in opposite directions: repair the mesh",
      file, (long long)list[i].facet + 1, x[0], x[1], x[2], (long long)(next - i));
  }
  return n > 0 ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_CASE, "%s: no facet has an area", file);
}

static double volume_of(const triad_stl *s)
{
  double volume = 0;
  for (int64_t f = 0; f < s->n; f++) {
    const double *a = s->corner + 9 * f, *b = a + 3, *c = a + 6;
    volume +=
      a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
  }
  return volume / 6;
}

static void turn(triad_stl *s)
{
  for (int64_t f = 0; f < s->n; f++)
    for (int i = 0; i < 3; i++) {
      double *b = s->corner + 9 * f + 3, *c = b + 3, was = b[i];
      b[i] = c[i];
      c[i] = was;
    }
}

static int find_box(triad_stl *s, const char *name, double scale)
{
  for (int a = 0; a < 3; a++) s->low[a] = INFINITY, s->high[a] = -INFINITY;
  for (int64_t i = 0; i < 9 * s->n; i++) {
    s->corner[i] *= scale;
    if (!isfinite(s->corner[i]))
      return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: facet %lld has a corner that is not finite", name, (long long)(i / 9 + 1));
    s->low[i % 3] = fmin(s->low[i % 3], s->corner[i]);
    s->high[i % 3] = fmax(s->high[i % 3], s->corner[i]);
  }
  return s->n > 0 ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_CASE, "%s has no facets", name);
}

static int check(triad_stl *s, const char *name)
{
  double size = 0;
  for (int a = 0; a < 3; a++) size = fmax(size, s->high[a] - s->low[a]);
  int64_t *names = malloc((size_t)s->n * 3 * sizeof *names);
  edge *edges = malloc((size_t)s->n * 3 * sizeof *edges);
  int st = names && edges ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "edges of %lld triangles", (long long)s->n);
  if (st == TRIAD_OK) st = merge(s, 1e-6 * size, names);
  if (st == TRIAD_OK) st = check_edges(s, name, names, edges);
  free(names);
  free(edges);
  TRIAD_TRY(st);
  const double volume = volume_of(s);
  if (!(fabs(volume) > 1e-12 * size * size * size))
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: the surface encloses no volume", name);
  if (volume < 0) turn(s);
  return TRIAD_OK;
}

static int parse_surface(triad_stl *s, const char *name, const char *bytes, size_t size, double scale)
{
  int64_t room = 0;
  *s = (triad_stl){0};
  int st = is_binary(bytes, size) ? read_binary(s, bytes, size, &room) : read_text(s, name, bytes, size, &room);
  if (st == TRIAD_OK) st = find_box(s, name, scale);
  if (st == TRIAD_OK) st = check(s, name);
  if (st != TRIAD_OK) triad_stl_clear(s);
  return st;
}

static int read_file(triad_stl *s, const char *path, double scale)
{
  *s = (triad_stl){0};
  FILE *f = fopen(path, "rb");
  if (!f) return TRIAD_FAIL(TRIAD_ERR_INPUT, "cannot read %s", path);
  long size = fseek(f, 0, SEEK_END) == 0 ? ftell(f) : -1;
  char *bytes = size >= 0 ? malloc((size_t)size + 1) : NULL;
  const int whole = bytes && fseek(f, 0, SEEK_SET) == 0 && fread(bytes, 1, (size_t)size, f) == (size_t)size;
  (void)fclose(f);
  const int st =
    whole ? parse_surface(s, path, bytes, (size_t)size, scale) : TRIAD_FAIL(TRIAD_ERR_INPUT, "cannot read %s", path);
  free(bytes);
  return st;
}

/* Broadcast the surface of rank 0. */
static int share(triad_stl *s, const triad_comm *ranks)
{
  double box[6] = {s->low[0], s->low[1], s->low[2], s->high[0], s->high[1], s->high[2]};
  TRIAD_TRY(triad_agree(ranks, TRIAD_MPI(MPI_Bcast(&s->n, 1, MPI_INT64_T, 0, ranks->mpi))));
  TRIAD_TRY(triad_agree(ranks, TRIAD_MPI(MPI_Bcast(box, 6, MPI_DOUBLE, 0, ranks->mpi))));
  for (int a = 0; a < 3; a++) s->low[a] = box[a], s->high[a] = box[3 + a];
  if (ranks->rank > 0) s->corner = malloc((size_t)s->n * 9 * sizeof *s->corner);
  TRIAD_TRY(triad_agree(
    ranks, s->corner ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "%lld triangles of a surface", (long long)s->n)));
  return triad_agree(ranks, TRIAD_MPI(MPI_Bcast(s->corner, (int)(9 * s->n), MPI_DOUBLE, 0, ranks->mpi)));
}

int triad_stl_read(triad_stl *s, const triad_comm *ranks, const char *path, double scale)
{
  *s = (triad_stl){0};
  if (!ranks) return read_file(s, path, scale);
  int st = triad_agree(ranks, ranks->rank == 0 ? read_file(s, path, scale) : TRIAD_OK);
  if (st == TRIAD_OK) st = share(s, ranks);
  if (st != TRIAD_OK) triad_stl_clear(s);
  return st;
}

void triad_stl_clear(triad_stl *s)
{
  free(s->corner);
  *s = (triad_stl){0};
}

/* ---- distances ---- */

static double dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* The square of the distance of p from the segment a + t e. */
static double to_segment(const double *p, const double *a, const double *e)
{
  double w[3] = {p[0] - a[0], p[1] - a[1], p[2] - a[2]};
  const double square = dot(e, e), t = square > 0 ? fmin(fmax(dot(w, e) / square, 0), 1) : 0;
  for (int i = 0; i < 3; i++) w[i] -= t * e[i];
  return dot(w, w);
}

/* The square of the distance of p from a triangle. */
static double to_triangle(const double *p, const double *c)
{
  double e[3][3], n[3], side;
  int inside = 1;
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < 3; i++) e[k][i] = c[3 * ((k + 1) % 3) + i] - c[3 * k + i];
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    n[i] = e[0][j] * e[1][k] - e[0][k] * e[1][j];
  }
  for (int k = 0; k < 3 && inside; k++) { /* is p over the triangle? */
    const double w[3] = {p[0] - c[3 * k], p[1] - c[3 * k + 1], p[2] - c[3 * k + 2]};
    side = 0;
    for (int i = 0; i < 3; i++)
      side += n[i] * (e[k][(i + 1) % 3] * w[(i + 2) % 3] - e[k][(i + 2) % 3] * w[(i + 1) % 3]);
    inside = side >= 0;
  }
  if (inside && dot(n, n) > 0) {
    const double w[3] = {p[0] - c[0], p[1] - c[1], p[2] - c[2]}, height = dot(w, n);
    return height * height / dot(n, n);
  }
  double least = INFINITY;
  for (int k = 0; k < 3; k++) least = fmin(least, to_segment(p, c + 3 * k, e[k]));
  return least;
}

/* Where the line along x through (y, z) crosses a triangle, and in which sense; 0: it does not. An edge is computed
 * from its end with the smaller (y, z), whichever triangle it is of. */
static int crosses(const double *c, double y, double z, double *x)
{
  int odd = 0;
  for (int k = 0; k < 3; k++) {
    const double *a = c + 3 * k, *b = c + 3 * ((k + 1) % 3);
    if ((a[1] <= y) == (b[1] <= y)) continue;
    if (a[1] > b[1]) {
      const double *other = a;
      a = b;
      b = other;
    }
    odd ^= a[2] + (y - a[1]) * ((b[2] - a[2]) / (b[1] - a[1])) > z;
  }
  if (!odd) return 0;
  double e[2][3];
  for (int i = 0; i < 3; i++) e[0][i] = c[3 + i] - c[i], e[1][i] = c[6 + i] - c[i];
  const double nx = e[0][1] * e[1][2] - e[0][2] * e[1][1], ny = e[0][2] * e[1][0] - e[0][0] * e[1][2],
               nz = e[0][0] * e[1][1] - e[0][1] * e[1][0];
  if (nx < 0 || nx > 0) *x = c[0] - (ny * (y - c[1]) + nz * (z - c[2])) / nx;
  else *x = c[0];
  return nx > 0 ? 1 : -1;
}

void triad_stl_row(const triad_stl *s, int64_t n, const double *x, double y, double z, double band, double *work,
                   double *distance)
{
  double *square = work, *wind = work + n;
  int any = 0;
  for (int64_t i = 0; i < n; i++) square[i] = band * band, wind[i] = 0;
  for (int64_t f = 0; f < s->n; f++) {
    const double *c = s->corner + 9 * f;
    double low[3], high[3], at;
    for (int a = 0; a < 3; a++) {
      low[a] = fmin(c[a], fmin(c[3 + a], c[6 + a]));
      high[a] = fmax(c[a], fmax(c[3 + a], c[6 + a]));
    }
    if (y < low[1] - band || y > high[1] + band || z < low[2] - band || z > high[2] + band) continue;
    any = 1;
    for (int64_t i = 0; i < n; i++) {
      if (x[i] < low[0] - band || x[i] > high[0] + band) continue;
      const double p[3] = {x[i], y, z};
      square[i] = fmin(square[i], to_triangle(p, c));
    }
    const int sense = y >= low[1] && y <= high[1] && z >= low[2] && z <= high[2] ? crosses(c, y, z, &at) : 0;
    for (int64_t i = 0; sense != 0 && i < n; i++)
      if (x[i] < at) wind[i] += sense;
  }
  for (int64_t i = 0; any && i < n; i++) {
    const double d = sqrt(square[i]);
    if (wind[i] > 0.5) distance[i] = fmin(distance[i], -d);
    else if (d < band && d < fabs(distance[i])) distance[i] = fmin(distance[i], d);
  }
}
