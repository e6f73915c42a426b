/* Read boundary conditions, named by their family if they have one, and convert their ranges to faces of a block. */
#include "store/formats/cgns_patches.h"
#include "store/formats/cgns_internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- faces of structured zones ---- */

int triad_cgns_face_of(const int64_t n[3], const int64_t low[3], const int64_t high[3], int faces, int axis,
                       triad_cgns_face *face)
{
  int found = -1, several = 0;
  for (int a = 0; a < 3; a++) {
    const int64_t top = faces && a != axis && axis >= 0 ? n[a] - 1 : n[a];
    if (low[a] < 1 || high[a] > (top < 1 ? 1 : top)) return 0;
    if (n[a] < 2 || low[a] != high[a] || (axis >= 0 && a != axis) || (low[a] != 1 && low[a] != n[a])) continue;
    several += found >= 0;
    if (found < 0 || low[a] == n[a]) found = a;
  }
  /* a one-cell zone gives the same index range on two axes; only an index beyond the last cell distinguishes them */
  if (found < 0 || (several > 0 && !(faces && low[found] == n[found]))) return 0;
  face->axis = found;
  face->upper = low[found] != 1;
  for (int a = 0; a < 3; a++) {
    const int64_t cells = n[a] > 1 ? n[a] - 1 : 1;
    face->low[a] = a == found ? (face->upper ? cells - 1 : 0) : low[a] - 1;
    face->high[a] = a == found ? face->low[a] + 1 : n[a] < 2 ? 1 : faces ? high[a] : high[a] - 1;
    if (face->high[a] > cells || face->high[a] <= face->low[a]) return 0;
  }
  return 1;
}

#ifdef TRIAD_CGNS

/* ---- boundary conditions ---- */

int triad_cgns_patches(const triad_cgns *f, int zone, int *n)
{
  TRIAD_CG(cg_nbocos(f->file, f->base, zone + 1, n), f, NULL, "boundary conditions");
  return TRIAD_OK;
}

/* The family of a boundary condition, without the path before it, in the place of its name; where it has one. */
static void take_family(const triad_cgns *f, int zone, int patch, char name[TRIAD_CGNS_FAMILY])
{
  char family[(TRIAD_CGNS_NAME + 1) * CG_MAX_GOTO_DEPTH + 1] = "";
  if (cg_goto(f->file, f->base, "Zone_t", zone + 1, "ZoneBC_t", 1, "BC_t", patch + 1, "end") != 0) return;
  if (cg_famname_read(family) != 0 || !family[0]) return;
  const char *slash = strrchr(family, '/');
  size_t length = strlen(slash ? slash + 1 : family);
  if (length == 0 || length >= TRIAD_CGNS_FAMILY) return;
  memcpy(name, slash ? slash + 1 : family, length + 1);
}

static int set_place(const triad_cgns *f, const char *zone, triad_cgns_patch *out, CGNS_ENUMT(GridLocation_t) where,
                     CGNS_ENUMT(PointSetType_t) set)
{
  const int elements = set == CGNS_ENUMV(ElementRange) || set == CGNS_ENUMV(ElementList);
  out->is_range = set == CGNS_ENUMV(PointRange) || set == CGNS_ENUMV(ElementRange);
  if (!out->is_range && set != CGNS_ENUMV(PointList) && set != CGNS_ENUMV(ElementList))
    return TRIAD_FAIL(TRIAD_ERR_CASE,
                      "%s: zone %s, boundary condition %s: neither a range nor a list of points or faces", f->path,
                      zone, out->name);
  out->place = elements || where != CGNS_ENUMV(Vertex) ? TRIAD_CGNS_AT_FACES : TRIAD_CGNS_AT_POINTS;
  out->axis = where == CGNS_ENUMV(IFaceCenter)   ? 0
              : where == CGNS_ENUMV(JFaceCenter) ? 1
              : where == CGNS_ENUMV(KFaceCenter) ? 2
                                                 : -1;
  return TRIAD_OK;
}

int triad_cgns_patch_at(const triad_cgns *f, int zone, int patch, triad_cgns_patch *out, int64_t *at)
{
  char name[TRIAD_CGNS_NAME] = "";
  triad_cgns_zone z;
  CGNS_ENUMT(BCType_t) type;
  CGNS_ENUMT(PointSetType_t) set;
  CGNS_ENUMT(GridLocation_t) where = CGNS_ENUMV(Vertex);
  CGNS_ENUMT(DataType_t) normal;
  cgsize_t n, normals;
  int index[3], sets;
  *out = (triad_cgns_patch){.axis = -1};
  TRIAD_TRY(triad_cgns_zone_at(f, zone, &z));
  TRIAD_CG(cg_boco_info(f->file, f->base, zone + 1, patch + 1, name, &type, &set, &n, index, &normals, &normal, &sets),
           f, z.name, "a boundary condition");
  TRIAD_CG(cg_boco_gridlocation_read(f->file, f->base, zone + 1, patch + 1, &where), f, z.name, name);
  memcpy(out->own, name, sizeof name);
  memcpy(out->name, name, sizeof name);
  take_family(f, zone, patch, out->name);
  triad_cgns_clean(out->name);
  TRIAD_TRY(set_place(f, z.name, out, where, set));
  out->degenerate = type == CGNS_ENUMV(BCDegenerateLine) || type == CGNS_ENUMV(BCDegeneratePoint);
  out->n = n;
  if (n < 1 || (out->is_range && n != 2))
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: zone %s, boundary condition %s has %lld points", f->path, z.name, name,
                      (long long)n);
  if (!at) return TRIAD_OK;
  cgsize_t *points = calloc((size_t)(n * z.dims), sizeof *points);
  if (!points) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: %lld points", f->path, (long long)n);
  int st =
    cg_boco_read(f->file, f->base, zone + 1, patch + 1, points, NULL) == 0 ? TRIAD_OK : triad_cgns_bad(f, z.name, name);
  if (st == TRIAD_OK) triad_cgns_take(at, points, n * z.dims);
  free(points);
  return st;
}

int triad_cgns_patch_face(const triad_cgns *f, int zone, int patch, triad_cgns_patch *p, triad_cgns_face *face)
{
  triad_cgns_zone z;
  int64_t low[3] = {1, 1, 1}, high[3] = {1, 1, 1}, all = 1;
  TRIAD_TRY(triad_cgns_zone_at(f, zone, &z));
  TRIAD_TRY(triad_cgns_patch_at(f, zone, patch, p, NULL));
  if (p->degenerate) return TRIAD_OK;
  int64_t *at = calloc((size_t)(p->n * 3), sizeof *at);
  if (!at) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%lld points", (long long)p->n);
  int st = triad_cgns_patch_at(f, zone, patch, p, at);
  for (int a = 0; a < z.dims; a++) {
    low[a] = high[a] = at[a];
    for (int64_t i = 0; i < p->n; i++) {
      low[a] = at[i * z.dims + a] < low[a] ? at[i * z.dims + a] : low[a];
      high[a] = at[i * z.dims + a] > high[a] ? at[i * z.dims + a] : high[a];
    }
    all *= high[a] - low[a] + 1;
  }
  free(at);
  TRIAD_TRY(st);
  if (triad_cgns_face_of(z.n, low, high, p->place == TRIAD_CGNS_AT_FACES, p->axis, face) &&
      (p->is_range || all == p->n))
    return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_CASE,
                    "%s: zone %d (%s), boundary condition %s: its points (%lld, %lld, %lld) to (%lld, %lld, %lld) do "
                    "not form a rectangle on a face of the zone",
                    f->path, zone + 1, z.name, p->own, (long long)low[0], (long long)low[1], (long long)low[2],
                    (long long)high[0], (long long)high[1], (long long)high[2]);
}

#else

int triad_cgns_patches(const triad_cgns *f, int zone, int *n) { return (void)f, (void)zone, *n = 0, TRIAD_ERR_FEATURE; }

int triad_cgns_patch_at(const triad_cgns *f, int zone, int patch, triad_cgns_patch *out, int64_t *at)
{
  return (void)f, (void)zone, (void)patch, (void)out, (void)at, TRIAD_ERR_FEATURE;
}

int triad_cgns_patch_face(const triad_cgns *f, int zone, int patch, triad_cgns_patch *p, triad_cgns_face *face)
{
  return (void)f, (void)zone, (void)patch, (void)p, (void)face, TRIAD_ERR_FEATURE;
}

#endif
