/* Count or send points and cells as a reader finds them (stream.h). */
#include "mesh/read/stream.h"

#include "base/guard.h"
#include "base/status.h"

#include <string.h>

enum { ITEMS = TRIAD_MESH_STREAM_ITEMS };
static int flush_points(triad_mesh_stream *s)
{
  const triad_mesh_frame f = {.kind = TRIAD_MESH_FRAME_POINTS, .first = s->points - s->n_points, .n = s->n_points};
  const int64_t bytes = f.n * (int64_t)sizeof *s->x;
  s->n_points = 0;
  if (f.n == 0) return TRIAD_OK;
  TRIAD_TRY(triad_guard_give(s->guard, &f, sizeof f));
  return triad_guard_give(s->guard, s->x, bytes);
}

static int flush_cells(triad_mesh_stream *s)
{
  const triad_mesh_frame f = {
    .kind = TRIAD_MESH_FRAME_CELLS, .first = s->cells - s->n_cells, .n = s->n_cells, .corners = s->n_corners};
  s->n_cells = s->n_corners = 0;
  if (f.n == 0) return TRIAD_OK;
  TRIAD_TRY(triad_guard_give(s->guard, &f, sizeof f));
  TRIAD_TRY(triad_guard_give(s->guard, s->shape, f.n));
  return triad_guard_give(s->guard, s->corner, f.corners * (int64_t)sizeof *s->corner);
}

int triad_mesh_stream_point(triad_mesh_stream *s, const double x[3])
{
  s->points++;
  if (!s->sending) return TRIAD_OK;
  memcpy(s->x[s->n_points++], x, sizeof *s->x);
  return s->n_points == ITEMS ? flush_points(s) : TRIAD_OK;
}

int triad_mesh_stream_cell(triad_mesh_stream *s, int shape, const int32_t *corner, int n)
{
  s->cells++;
  for (int i = 0; i < n; i++) {
    if (corner[i] < s->lowest) s->lowest = corner[i];
    if (corner[i] > s->highest) s->highest = corner[i];
  }
  if (!s->sending) return TRIAD_OK;
  s->shape[s->n_cells++] = (uint8_t)shape;
  memcpy(s->corner + s->n_corners, corner, (size_t)n * sizeof *corner);
  s->n_corners += n;
  return s->n_cells == ITEMS ? flush_cells(s) : TRIAD_OK;
}

int triad_mesh_stream_end(triad_mesh_stream *s)
{
  if (!s->sending) return TRIAD_OK;
  TRIAD_TRY(flush_points(s));
  return flush_cells(s);
}
