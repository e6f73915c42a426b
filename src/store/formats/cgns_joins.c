/* Read the connections of structured zones, one-to-one or by lists of points. */
#include "store/formats/cgns_joins.h"
#include "store/formats/cgns_internal.h"
#include "store/formats/cgns_patches.h"

#include <stdlib.h>
#include <string.h>

/* ---- joins of boxes, point by point ---- */

int triad_cgns_join_face(const triad_cgns_join *j, int box, const int64_t n[3], triad_cgns_face *face)
{
  int64_t low[3], high[3];
  for (int a = 0; a < 3; a++) {
    const int64_t p = j->box[box][0][a], q = j->box[box][1][a];
    low[a] = p < q ? p : q;
    high[a] = p < q ? q : p;
  }
  return triad_cgns_face_of(n, low, high, 0, -1, face);
}

int64_t triad_cgns_join_points(const triad_cgns_join *j)
{
  int64_t all = 1;
  for (int a = 0; a < 3; a++) all *= llabs(j->box[0][1][a] - j->box[0][0][a]) + 1;
  return all;
}

void triad_cgns_join_point(const triad_cgns_join *j, int64_t i, int64_t here[3], int64_t there[3])
{
  memcpy(there, j->box[1][0], 3 * sizeof *there);
  for (int a = 0; a < 3; a++) {
    const int64_t along = j->box[0][1][a] - j->box[0][0][a], n = llabs(along) + 1, step = i % n * (along < 0 ? -1 : 1);
    here[a] = j->box[0][0][a] + step - 1;
    there[abs(j->turn[a]) - 1] += j->turn[a] < 0 ? -step : step;
    i /= n;
  }
  for (int a = 0; a < 3; a++) there[a]--;
}

#ifdef TRIAD_CGNS

/* ---- joins: those of structured zones by ranges first, then those by lists ---- */

int triad_cgns_joins(const triad_cgns *f, int zone, int *n)
{
  int boxes = 0, lists = 0;
  TRIAD_CG(cg_n1to1(f->file, f->base, zone + 1, &boxes), f, NULL, "1-to-1 connectivity");
  TRIAD_CG(cg_nconns(f->file, f->base, zone + 1, &lists), f, NULL, "connectivity");
  *n = boxes + lists;
  return TRIAD_OK;
}

static int take_period(const triad_cgns *f, const char *zone, triad_cgns_join *out, int found, const float turn[3],
                       const float shift[3])
{
  for (int a = 0; a < 3 && found; a++) {
    if (turn[a] < 0 || turn[a] > 0)
      return TRIAD_FAIL(TRIAD_ERR_CASE,
                        "%s: zone %s, connection %s: rotational periodicity is not supported, only translation",
                        f->path, zone, out->name);
    out->shift[a] = (double)shift[a];
  }
  return TRIAD_OK;
}

static int set_other(const triad_cgns *f, const char *zone, triad_cgns_join *out, const char *other)
{
  const char *slash = strrchr(other, '/');
  out->other = triad_cgns_zone_called(f, slash ? slash + 1 : other);
  if (out->other >= 0) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: zone %s, connection %s refers to zone %s, which does not exist", f->path, zone,
                    out->name, other);
}

static int box_at(const triad_cgns *f, int zone, const triad_cgns_zone *z, int join, triad_cgns_join *out)
{
  char other[(TRIAD_CGNS_NAME + 1) * CG_MAX_GOTO_DEPTH + 1] = "";
  cgsize_t box[2][6] = {{0}};
  int turn[3] = {1, 2, 3}, seen = 0;
  float centre[3], angle[3] = {0}, shift[3] = {0};
  TRIAD_CG(cg_1to1_read(f->file, f->base, zone + 1, join + 1, out->name, other, box[0], box[1], turn), f, z->name,
           "a connection");
  out->is_box = 1;
  TRIAD_TRY(set_other(f, z->name, out, other));
  for (int a = 0; a < 3; a++) {
    int to = abs(turn[a]) - 1;
    if (a >= z->dims) continue;
    if (to < 0 || to >= z->dims || seen & 1 << to)
      return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: zone %s, connection %s: its Transform is not a permutation of axes",
                        f->path, z->name, out->name);
    seen |= 1 << to;
  }
  for (int a = 0; a < 3; a++) {
    out->turn[a] = a < z->dims ? turn[a] : 3;
    for (int b = 0; b < 2; b++)
      for (int end = 0; end < 2; end++) out->box[b][end][a] = a < z->dims ? box[b][end * z->dims + a] : 1;
  }
  for (int a = 0; a < 3; a++) {
    const int to = abs(out->turn[a]) - 1;
    const int64_t here = out->box[0][1][a] - out->box[0][0][a], there = out->box[1][1][to] - out->box[1][0][to];
    if (there != (out->turn[a] < 0 ? -here : here))
      return TRIAD_FAIL(TRIAD_ERR_CASE,
                        "%s: zone %s, connection %s: by its Transform %lld points along %c meet %lld points", f->path,
                        z->name, out->name, (long long)llabs(here) + 1, "ijk"[a], (long long)llabs(there) + 1);
  }
  int found = cg_1to1_periodic_read(f->file, f->base, zone + 1, join + 1, centre, angle, shift) == 0;
  return take_period(f, z->name, out, found, angle, shift);
}

static int list_at(const triad_cgns *f, int zone, const triad_cgns_zone *z, int join, triad_cgns_join *out,
                   int64_t *own, int64_t *others)
{
  char other[(TRIAD_CGNS_NAME + 1) * CG_MAX_GOTO_DEPTH + 1] = "";
  CGNS_ENUMT(GridLocation_t) where;
  CGNS_ENUMT(GridConnectivityType_t) type;
  CGNS_ENUMT(PointSetType_t) set, other_set;
  CGNS_ENUMT(ZoneType_t) other_type;
  CGNS_ENUMT(DataType_t) data;
  cgsize_t n, m;
  float centre[3], angle[3] = {0}, shift[3] = {0};
  TRIAD_CG(cg_conn_info(f->file, f->base, zone + 1, join + 1, out->name, &where, &type, &set, &n, other, &other_type,
                        &other_set, &data, &m),
           f, z->name, "a connection");
  if (type != CGNS_ENUMV(Abutting1to1))
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: zone %s, connection %s: zones must match point by point", f->path, z->name,
                      out->name);
  TRIAD_TRY(set_other(f, z->name, out, other));
  out->place = where == CGNS_ENUMV(Vertex) ? TRIAD_CGNS_AT_POINTS : TRIAD_CGNS_AT_FACES;
  if (set == CGNS_ENUMV(PointList) && (n != m || n < 1))
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: zone %s, connection %s: %lld points here, %lld there", f->path, z->name,
                      out->name, (long long)n, (long long)m);
  if (set != CGNS_ENUMV(PointList))
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: zone %s, connection %s: a list of points or faces is required", f->path,
                      z->name, out->name);
  out->n = n;
  int found = cg_conn_periodic_read(f->file, f->base, zone + 1, join + 1, centre, angle, shift) == 0;
  TRIAD_TRY(take_period(f, z->name, out, found, angle, shift));
  if (!own) return TRIAD_OK;
  cgsize_t *points = calloc((size_t)(n * (z->dims + 3)), sizeof *points);
  if (!points) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: %lld points", f->path, (long long)n);
  const CGNS_ENUMT(DataType_t) as = CG_SIZEOF_SIZE == 64 ? CGNS_ENUMV(LongInteger) : CGNS_ENUMV(Integer);
  int st = cg_conn_read(f->file, f->base, zone + 1, join + 1, points, as, points + n * z->dims) == 0
             ? TRIAD_OK
             : triad_cgns_bad(f, z->name, out->name);
  if (st == TRIAD_OK && z->dims == 1) triad_cgns_take(own, points, n);
  if (st == TRIAD_OK && z->dims == 1) triad_cgns_take(others, points + n, n);
  free(points);
  return st;
}

int triad_cgns_join_at(const triad_cgns *f, int zone, int join, triad_cgns_join *out, int64_t *own, int64_t *others)
{
  triad_cgns_zone z;
  int boxes = 0;
  *out = (triad_cgns_join){.other = -1};
  TRIAD_TRY(triad_cgns_zone_at(f, zone, &z));
  TRIAD_CG(cg_n1to1(f->file, f->base, zone + 1, &boxes), f, z.name, "1-to-1 connectivity");
  return join < boxes ? box_at(f, zone, &z, join, out) : list_at(f, zone, &z, join - boxes, out, own, others);
}

#else

int triad_cgns_joins(const triad_cgns *f, int zone, int *n) { return (void)f, (void)zone, *n = 0, TRIAD_ERR_FEATURE; }

int triad_cgns_join_at(const triad_cgns *f, int zone, int join, triad_cgns_join *out, int64_t *own, int64_t *others)
{
  return (void)f, (void)zone, (void)join, (void)out, (void)own, (void)others, TRIAD_ERR_FEATURE;
}

#endif
