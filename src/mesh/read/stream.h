/* Points and cells of a mesh file as a reader finds them: counted, or sent to the process that waits for them. A draft
 * (draft.h) with a stream holds no points and no cells, but the sides of patches. Corners of left-handed cells keep
 * their order (orient.h). Not collective. */
#ifndef TRIAD_MESH_READ_STREAM_H
#define TRIAD_MESH_READ_STREAM_H

#include "base/guard.h"

enum { TRIAD_MESH_STREAM_ITEMS = 1 << 14 }; /* points or cells that are sent at a time, at most */

/* The header of a message: n points or cells from number `first` on, with so many corners. Of cells their shapes come
 * first, then their corners. */
enum { TRIAD_MESH_FRAME_POINTS, TRIAD_MESH_FRAME_CELLS, TRIAD_MESH_FRAME_END };
typedef struct triad_mesh_frame {
  int64_t kind, first, n, corners;
} triad_mesh_frame;

/* What a draft (draft.h) needs while a file is counted or sent. */
typedef struct triad_mesh_stream {
  int sending;             /* 0: counting */
  int unfit;               /* 1: the draft needs all points and cells */
  int either_prism;        /* as in the draft */
  int32_t lowest, highest; /* numbers of points that cells have */
  triad_guard *guard;
  int64_t points, cells, n_points, n_cells, n_corners; /* sent so far; in the buffers */
  double (*x)[3];
  uint8_t *shape;
  int32_t *corner;
} triad_mesh_stream;

/* point, cell: count or send one; corners of a cell that cannot be numbers of points are -1. end: send the rest. */
int triad_mesh_stream_point(triad_mesh_stream *stream, const double x[3]);
int triad_mesh_stream_cell(triad_mesh_stream *stream, int shape, const int32_t *corner, int n);
int triad_mesh_stream_end(triad_mesh_stream *stream);

#endif
