/* Finish a mesh that a reader has collected: faults, orientation, patches, and the move to contents (draft.h). */
#include "mesh/read/draft.h"
#include "mesh/read/draft_plane.h"
#include "mesh/read/orient.h"
#include "mesh/read/stream.h"

#include "base/status.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- faults ---- */

static void check_points(const triad_mesh_draft *d)
{
  int64_t n = 0, first = 0;
  for (int64_t p = d->n_points - 1; p >= 0; p--) {
    if (isfinite(d->x[p][0]) && isfinite(d->x[p][1]) && isfinite(d->x[p][2])) continue;
    n++;
    first = p;
  }
  if (n > 0)
    triad_fault(d->faults,
                "points with a coordinate that is not finite: %" PRId64 ", the first is number %" PRId64
                " in the order of the file",
                n, first + 1);
}

static int all_exist(const triad_mesh_draft *d, const int32_t *point, int n)
{
  for (int k = 0; k < n; k++)
    if (point[k] < 0 || point[k] >= d->n_points) return 0;
  return 1;
}

/* Remove elements with points that do not exist: cells, and those of the boundary. */
static void drop_bad_cells(triad_mesh_draft *d)
{
  int64_t to = 0, corner = 0, corner_to = 0, bad = 0, first = -1;
  for (int64_t i = 0; i < d->n_cells; i++) {
    const int n = triad_mesh_draft_corners(d->shape[i]);
    const int good = all_exist(d, d->corner + corner, n);
    if (good) {
      memmove(d->corner + corner_to, d->corner + corner, (size_t)n * sizeof *d->corner);
      d->shape[to++] = d->shape[i];
      corner_to += n;
    } else if (bad++ == 0) {
      first = i;
    }
    corner += n;
  }
  d->n_cells = to;
  d->n_corners = corner_to;
  if (bad > 0)
    triad_fault(d->faults,
                "cells with a point that does not exist: %" PRId64 " of %" PRId64 ", the first is number %" PRId64
                " in the order of the file",
                bad, bad + to, first + 1);
  d->left_out += bad;
}

static void drop_bad_flats(triad_mesh_draft *d)
{
  int64_t to = 0, bad = 0, first = -1;
  for (int64_t i = 0; i < d->n_flat; i++) {
    if (all_exist(d, d->flat[i].point, d->flat[i].n)) d->flat[to++] = d->flat[i];
    else if (bad++ == 0) first = i;
  }
  d->n_flat = to;
  if (bad > 0)
    triad_fault(d->faults,
                "elements of the boundary with a point that does not exist: %" PRId64 " of %" PRId64
                ", the first is number %" PRId64 " in the order of the file",
                bad, bad + to, first + 1);
  d->left_out += bad;
}

/* ---- orientation ---- */

/* Reorder the corners of left-handed cells. */
static void reverse_cells(triad_mesh_draft *d)
{
  int32_t *corner = d->corner;
  for (int64_t i = 0; i < d->n_cells; i++) {
    const int shape = d->shape[i];
    if (i % 65536 == 0) triad_guard_alive(d->scan->guard);
    if (triad_mesh_is_left_handed(shape, corner, (const double(*)[3])d->x)) {
      triad_mesh_reverse(shape, corner);
      d->changes.reversed += d->changes.plane == 0 && !(d->either_prism && shape == TRIAD_MESH_PRISM);
    }
    corner += triad_mesh_draft_corners(shape);
  }
}

/* ---- patches ---- */

static int by_number(const void *a, const void *b)
{
  const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
  return (x > y) - (x < y);
}

/* Sides in no group get one by the number of their surface, if there are not too many surfaces; else one for all. */
static int group_by_surface(triad_mesh_draft *d, int64_t n_named)
{
  int32_t list[TRIAD_MESH_PATCHES + 1];
  int n = 0;
  const char *kind = d->changes.plane ? "curve" : "surface";
  for (int64_t i = 0; i < d->n_flat && n <= TRIAD_MESH_PATCHES; i++) {
    const triad_mesh_file_side *s = &d->flat[i];
    int known = 0;
    if (s->patch >= 0 || s->surface <= 0 || s->n < 3) continue;
    for (int k = 0; k < n && !known; k++) known = list[k] == s->surface;
    if (!known) list[n++] = s->surface;
  }
  const int single = n + n_named > TRIAD_MESH_PATCHES;
  if (!single) qsort(list, (size_t)n, sizeof *list, by_number);
  for (int k = 0; k < n && !(single && k > 0); k++) {
    char name[TRIAD_MESH_NAME];
    int32_t group;
    (void)snprintf(name, sizeof name, "%s-%" PRId32, kind, list[k]);
    TRIAD_TRY(triad_mesh_draft_group_of(d, 2, INT64_MIN + d->n_groups, single ? "no-group" : name, &group));
    for (int64_t i = 0; i < d->n_flat; i++)
      if (d->flat[i].patch < 0 && d->flat[i].n >= 3 &&
          (single ? d->flat[i].surface > 0 : d->flat[i].surface == list[k]))
        d->flat[i].patch = group;
  }
  return TRIAD_OK;
}

/* Number the groups of surfaces: they are the patches. Names that are equal get a number. */
static int make_patches(triad_mesh_draft *d, int32_t *patch, int32_t list[TRIAD_MESH_PATCHES], int64_t *n)
{
  *n = 0;
  for (int64_t i = 0; i < d->n_groups; i++) {
    patch[i] = -1;
    if (d->group[i].dim != 2) continue;
    if (*n == TRIAD_MESH_PATCHES)
      return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: more than %d groups of surfaces: merge some of them", d->scan->path,
                        TRIAD_MESH_PATCHES);
    list[*n] = (int32_t)i;
    patch[i] = (int32_t)(*n)++;
  }
  return TRIAD_OK;
}

static int64_t count_groups(const triad_mesh_draft *d)
{
  int64_t n = 0;
  for (int64_t i = 0; i < d->n_groups; i++) n += d->group[i].dim == 2;
  return n;
}

/* ---- the result ---- */

static void fill(const triad_mesh_draft *d, const int32_t *patch, const int32_t *list, triad_mesh_contents *out)
{
  int64_t side = 0;
  if (!out->stream) {
    memcpy(out->x, d->x, (size_t)d->n_points * sizeof *out->x);
    memcpy(out->shape, d->shape, (size_t)d->n_cells);
    memcpy(out->corner, d->corner, (size_t)d->n_corners * sizeof *out->corner);
  }
  for (int64_t i = 0; i < d->n_flat; i++) {
    if (d->flat[i].n < 3 || d->flat[i].patch < 0 || patch[d->flat[i].patch] < 0) continue;
    out->side[side] = d->flat[i];
    out->side[side++].patch = patch[d->flat[i].patch];
  }
  for (int64_t i = 0; i < out->n.patches; i++) memcpy(out->name[i], d->group[list[i]].name, TRIAD_MESH_NAME);
}

/* Sides of no group, without any group: they are not lost silently. */
static void note_sides(const triad_mesh_draft *d, triad_mesh_changes *changes)
{
  int64_t n = 0;
  for (int64_t i = 0; i < d->n_flat; i++) n += d->flat[i].n >= 3 && d->flat[i].patch < 0;
  if (n > 0 && !changes->note[0])
    (void)snprintf(changes->note, sizeof changes->note,
                   "the file has no groups: its %" PRId64 " sides are in the patch outside, as all outer faces", n);
}

static int give(triad_mesh_draft *d, int32_t *patch)
{
  int filled;
  int32_t list[TRIAD_MESH_PATCHES];
  triad_mesh_file_counts n = {.points = d->n_points,
                              .cells = d->n_cells,
                              .corners = d->n_corners,
                              .left_out = d->left_out,
                              .changes = d->changes};
  TRIAD_TRY(make_patches(d, patch, list, &n.patches));
  for (int64_t i = 0; i < d->n_flat; i++)
    n.sides += d->flat[i].n >= 3 && d->flat[i].patch >= 0 && patch[d->flat[i].patch] >= 0;
  n.outside = n.patches == (d->changes.plane ? 2 : 0);
  if (n.outside) note_sides(d, &n.changes);
  const triad_mesh_file_counts held = {.sides = n.sides, .patches = n.patches};
  TRIAD_TRY(triad_mesh_contents_make(d->out, d->out->stream ? &held : &n, d->scan->path, &filled));
  if (filled) fill(d, patch, list, d->out);
  d->out->n = n;
  return TRIAD_OK;
}

/* Points and cells are in arrays: check them. */
static int finish_arrays(triad_mesh_draft *d)
{
  if (!d->checked) check_points(d);
  drop_bad_cells(d);
  drop_bad_flats(d);
  if (d->n_cells == 0) {
    if (d->left_out > 0) return TRIAD_ERR_CASE; /* the faults are reported instead */
    TRIAD_TRY(triad_mesh_draft_extrude(d));
  }
  reverse_cells(d);
  return TRIAD_OK;
}

/* They went to a stream: their faults are found again when the file is read whole. */
static int finish_stream(triad_mesh_draft *d)
{
  drop_bad_flats(d);
  d->out->stream->unfit |= d->n_cells == 0;
  d->out->stream->either_prism = d->either_prism;
  return triad_mesh_stream_end(d->out->stream);
}

int triad_mesh_draft_give(triad_mesh_draft *d)
{
  TRIAD_TRY(d->out->stream ? finish_stream(d) : finish_arrays(d));
  d->changes.curved = d->curved[d->changes.plane > 0 ? 2 : 3];
  TRIAD_TRY(group_by_surface(d, count_groups(d)));
  int32_t *patch = calloc((size_t)d->n_groups + 1, sizeof *patch);
  int st = patch ? give(d, patch) : TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: %" PRId64 " groups", d->scan->path, d->n_groups);
  free(patch);
  return st;
}
