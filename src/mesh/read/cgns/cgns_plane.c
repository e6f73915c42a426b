/* Give the triangles, quadrilaterals and lines of a plane CGNS file as a draft, which extrudes them (draft.h). */
#include "mesh/read/cgns/cgns_lists.h"
#include "mesh/read/cgns/cgns_reader.h"
#include "mesh/read/draft.h"

#include "base/status.h"

#include <inttypes.h>

/* Points that are no other one, in order; place: by their numbers in the file. */
static int put_points(const triad_mesh_cgns *c, triad_mesh_draft *d)
{
  int64_t n = 0;
  for (int64_t i = 0; i < c->points[c->n_zones]; i++) {
    if (c->same[i] == i) {
      c->same[i] = n++;
      TRIAD_TRY(triad_mesh_draft_point(d, c->x[i]));
    } else {
      c->same[i] = c->same[c->same[i]]; /* the other one is before it */
    }
  }
  return TRIAD_OK;
}

static int put_element(const triad_mesh_cgns *c, triad_mesh_draft *d, int64_t f)
{
  static const int kinds[] = {[2] = TRIAD_MESH_LINE, [3] = TRIAD_MESH_TRIANGLE, [4] = TRIAD_MESH_QUAD};
  const int64_t n = triad_mesh_list_length(&c->first_face, f), patch = c->patch.at[f];
  int64_t point[4];
  int32_t group = -1;
  if (n > 4)
    return TRIAD_FAIL(TRIAD_ERR_CASE,
                      "%s: a polygon of %" PRId64 " points in a plane: only triangles and "
                      "quadrilaterals can be read",
                      c->path, n);
  for (int64_t i = 0; i < n; i++) point[i] = c->same[c->face.at[c->first_face.at[f] + i]];
  if (n == 2 && patch >= 0) TRIAD_TRY(triad_mesh_draft_group_of(d, 1, patch + 1, c->name[patch], &group));
  return triad_mesh_draft_element(d, kinds[n], point, group, 0);
}

int triad_mesh_cgns_give_plane(triad_mesh_cgns *c)
{
  triad_mesh_scan s = {.path = c->path, .guard = c->guard};
  triad_mesh_draft d = {.scan = &s, .out = c->out, .faults = c->faults, .left_out = c->left_out};
  d.curved[2] = c->curved;
  int st = put_points(c, &d);
  for (int64_t f = 0; f < c->patch.n && st == TRIAD_OK; f++) st = put_element(c, &d, f);
  if (st == TRIAD_OK) st = triad_mesh_draft_give(&d);
  triad_mesh_draft_free(&d);
  return st;
}
