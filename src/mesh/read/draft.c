/* Collect points, elements and groups of a mesh file in arrays that grow (draft.h). */
#include "mesh/read/draft.h"
#include "mesh/read/stream.h"

#include "base/status.h"
#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GROUPS = 65536 };

static const int8_t corners[TRIAD_MESH_KINDS] = {
  [TRIAD_MESH_TET] = 4,      [TRIAD_MESH_PYRAMID] = 5, [TRIAD_MESH_PRISM] = 6, [TRIAD_MESH_HEX] = 8,
  [TRIAD_MESH_TRIANGLE] = 3, [TRIAD_MESH_QUAD] = 4,    [TRIAD_MESH_LINE] = 2};

int triad_mesh_draft_corners(int kind) { return corners[kind]; }

int triad_mesh_draft_dimension(int kind)
{
  return kind == TRIAD_MESH_LINE ? 1 : kind == TRIAD_MESH_TRIANGLE || kind == TRIAD_MESH_QUAD ? 2 : 3;
}

int triad_mesh_draft_grow(void **array, int64_t n, int64_t *room, size_t size, const char *path)
{
  if (n < *room) return TRIAD_OK;
  const int64_t more = *room + *room / 2 + 1024;
  void *at = realloc(*array, (size_t)more * size);
  if (!at) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: %" PRId64 " bytes of its mesh", path, more * (int64_t)size);
  *array = at;
  *room = more;
  return TRIAD_OK;
}

#define GROW(d, array, n, room) \
  triad_mesh_draft_grow((void **)&(d)->array, n, &(d)->room, sizeof *(d)->array, (d)->scan->path)

static int too_many(const triad_mesh_draft *d, const char *items)
{
  return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: more than %d %s: use a coarser mesh", d->scan->path, INT32_MAX, items);
}

int triad_mesh_draft_point(triad_mesh_draft *d, const double x[3])
{
  if (d->n_points >= INT32_MAX) return too_many(d, "points");
  if ((d->n_points + 1) % 65536 == 0) triad_guard_alive(d->scan->guard);
  if (d->out->stream) {
    d->n_points++;
    if (!isfinite(x[0]) || !isfinite(x[1]) || !isfinite(x[2])) d->out->stream->unfit = 1;
    return triad_mesh_stream_point(d->out->stream, x);
  }
  TRIAD_TRY(GROW(d, x, d->n_points, room_points));
  memcpy(d->x[d->n_points++], x, sizeof *d->x);
  return TRIAD_OK;
}

static void name_group(triad_mesh_draft_group *g, const char *name)
{
  (void)snprintf(g->name, sizeof g->name, "%s", name ? name : "");
  if (!triad_name_clean(g->name, "-"))
    (void)snprintf(g->name, sizeof g->name, "%s-%" PRId64, g->dim == 2 ? "surface" : "curve", g->tag);
}

int triad_mesh_draft_group_of(triad_mesh_draft *d, int dim, int64_t tag, const char *name, int32_t *group)
{
  for (int64_t i = -1; i < d->n_groups; i++) { /* first the one that was found last */
    const int64_t at = i < 0 ? d->last_group : i;
    if (at >= d->n_groups || d->group[at].dim != dim || d->group[at].tag != tag) continue;
    d->last_group = at;
    *group = (int32_t)at;
    return TRIAD_OK;
  }
  if (d->n_groups == GROUPS) return triad_mesh_scan_bad(d->scan, "more than %d groups of surfaces", GROUPS);
  TRIAD_TRY(GROW(d, group, d->n_groups, room_groups));
  d->group[d->n_groups] = (triad_mesh_draft_group){.dim = dim, .tag = tag};
  name_group(&d->group[d->n_groups], name);
  d->last_group = d->n_groups;
  *group = (int32_t)d->n_groups++;
  return TRIAD_OK;
}

/* A number that cannot be one of a point becomes -1. */
static int32_t narrow(int64_t point) { return point >= 0 && point < INT32_MAX ? (int32_t)point : -1; }

int triad_mesh_draft_element(triad_mesh_draft *d, int kind, const int64_t *point, int32_t group, int64_t surface)
{
  const int n = corners[kind];
  if ((d->n_cells + d->n_flat) % 65536 == 0) triad_guard_alive(d->scan->guard);
  if (triad_mesh_draft_dimension(kind) < 3) {
    triad_mesh_file_side s = {
      .patch = group, .n = n, .surface = surface > 0 && surface < INT32_MAX ? (int32_t)surface : 0};
    for (int i = 0; i < n; i++) s.point[i] = narrow(point[i]);
    TRIAD_TRY(GROW(d, flat, d->n_flat, room_flat));
    d->flat[d->n_flat++] = s;
    return TRIAD_OK;
  }
  if (d->n_cells >= INT32_MAX) return too_many(d, "cells");
  if (d->out->stream) {
    int32_t corner[TRIAD_MESH_CORNERS];
    for (int i = 0; i < n; i++) corner[i] = narrow(point[i]);
    d->n_cells++;
    d->n_corners += n;
    return triad_mesh_stream_cell(d->out->stream, kind, corner, n);
  }
  TRIAD_TRY(GROW(d, shape, d->n_cells, room_cells));
  TRIAD_TRY(GROW(d, corner, d->n_corners + TRIAD_MESH_CORNERS, room_corners));
  d->shape[d->n_cells++] = (uint8_t)kind;
  for (int i = 0; i < n; i++) d->corner[d->n_corners++] = narrow(point[i]);
  return TRIAD_OK;
}

void triad_mesh_draft_free(triad_mesh_draft *d)
{
  free(d->x);
  free(d->shape);
  free(d->corner);
  free(d->flat);
  free(d->group);
}
