/* A mesh while a reader collects it from a file: points, elements of any dimension and their groups, in any order.
 * The end (triad_mesh_draft_give) is common to all formats: elements with points that do not exist are counted and
 * left out, a plane mesh is extruded by one layer (draft_plane.h), left-handed cells are reordered, groups of the
 * boundary become patches, and the result is moved to triad_mesh_contents.
 *
 *   triad_mesh_draft d = {.scan = &scan, .out = out, .faults = faults};
 *   triad_mesh_draft_point, _group, _element ...      as the file lists them
 *   st = triad_mesh_draft_give(&d);
 *   triad_mesh_draft_free(&d);
 *
 * Not collective. */
#ifndef TRIAD_MESH_READ_DRAFT_H
#define TRIAD_MESH_READ_DRAFT_H

#include "mesh/read/meshfile.h"
#include "mesh/read/scan.h"

/* Elements: cells have the numbers of triad_mesh_shape. */
enum { TRIAD_MESH_TRIANGLE = TRIAD_MESH_SHAPES, TRIAD_MESH_QUAD, TRIAD_MESH_LINE, TRIAD_MESH_KINDS };

/* A group of elements of one dimension: 2 for surfaces, 1 for curves. The tag is its number in the file. */
typedef struct triad_mesh_draft_group {
  int dim;
  int64_t tag;
  char name[TRIAD_MESH_NAME];
} triad_mesh_draft_group;

typedef struct triad_mesh_draft {
  triad_mesh_scan *scan; /* the file, for messages */
  triad_mesh_contents *out;
  triad_faults *faults;
  int either_prism;  /* 1: the format has prisms of both orientations, so reordered prisms are not reported */
  int checked;       /* 1: the reader itself reports points that are not finite */
  int64_t left_out;  /* elements with faults that the reader found and did not add */
  int64_t curved[4]; /* [dimension] elements of higher order: those of the cells go into changes */
  triad_mesh_changes changes;

  double (*x)[3];
  uint8_t *shape;             /* [n_cells] */
  int32_t *corner;            /* [n_corners] points of all cells */
  triad_mesh_file_side *flat; /* triangles, quadrilaterals and lines; patch: index of the group, -1: none */
  triad_mesh_draft_group *group;
  int64_t n_points, n_cells, n_corners, n_flat, n_groups;
  int64_t room_points, room_cells, room_corners, room_flat, room_groups;
  int64_t last_group; /* index of the group that was found last */
} triad_mesh_draft;

int triad_mesh_draft_point(triad_mesh_draft *draft, const double x[3]);

/* Find or add the group with this number; a name, if it is not NULL and has a letter or digit, is cleaned. Without a
 * name it is called "surface-TAG" or "curve-TAG". */
int triad_mesh_draft_group_of(triad_mesh_draft *draft, int dim, int64_t tag, const char *name, int32_t *group);

/* Add an element. point: its corners, from 0, in the order of shapes.h; those out of range are reported at the end.
 * group: index of its group, -1: none; surface: number of the surface or curve that it is on, 0: unknown. */
int triad_mesh_draft_element(triad_mesh_draft *draft, int kind, const int64_t *point, int32_t group, int64_t surface);

/* Corners of an element of this kind, and its dimension. */
int triad_mesh_draft_corners(int kind);
int triad_mesh_draft_dimension(int kind);

/* Finish, then count or fill draft->out. TRIAD_ERR_CASE if there are no cells. */
int triad_mesh_draft_give(triad_mesh_draft *draft);
void triad_mesh_draft_free(triad_mesh_draft *draft);

/* Make room for one more item of an array of `size` bytes each; for readers too. */
int triad_mesh_draft_grow(void **array, int64_t n, int64_t *room, size_t size, const char *path);

#endif
