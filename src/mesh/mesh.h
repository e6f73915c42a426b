/* An unstructured mesh: points, cells of any shape, and the faces between cells. Building it needs time in proportion
 * to its size.
 *
 *   triad_mesh_create(&m, memory, n_points, n_cells, n_corners)   allocate; the caller fills x, shape, first, corner
 *   or triad_mesh_of_faces(&m, memory, &given)                    a mesh of polyhedra, filled (polyhedra.h)
 *   triad_mesh_join(m)                                            make faces from the sides of cells
 *   m->patch[f] of outer faces, set by the caller that made the cells
 *   triad_mesh_periodic(m, a, b)                                  join two patches
 *   triad_mesh_measure(m)                                         areas, centres, volumes; check that cells are closed
 *
 * Global numbers of points and cells are those of the generator or of the file. A single rank holds the whole mesh.
 * With several ranks each holds its part: the cells that it owns and their neighbours, in the order of their global
 * numbers (parts/partition.h). The unstructured solver builds its own arrays from this mesh
 * (solvers/unstructured/state/domain.h). Nothing here is collective. */
#ifndef TRIAD_MESH_MESH_H
#define TRIAD_MESH_MESH_H

#include "base/faults.h"
#include "base/memory.h"
#include "mesh/shapes.h"

enum { TRIAD_MESH_PATCHES = 32, TRIAD_MESH_NAME = 64, TRIAD_MESH_MAX_FACE_POINTS = 255, TRIAD_MESH_MAX_SIDES = 127 };

/* A patch of the file that has faces between cells. skipped: it has only such faces, so it is no boundary and no patch
 * of the mesh. */
typedef struct triad_mesh_inside {
  char name[TRIAD_MESH_NAME];
  int64_t faces;
  int skipped;
} triad_mesh_inside;

/* How the cells of a mesh differ from those of its file. All zero for a generated mesh. */
typedef struct triad_mesh_changes {
  int64_t curved;   /* cells of second order; only their corners are used */
  int64_t reversed; /* left-handed cells, whose corners were reordered */
  int64_t plane;    /* cells of a plane mesh, extruded by one layer; the patches `back` and `front` are the last ones */
  int64_t axis;     /* axis of the layer: 0, 1, 2 for x, y, z */
  double layer;     /* thickness of the layer [L] */
  char note[160];   /* what else the user should know, or "" */
} triad_mesh_changes;

typedef struct triad_mesh {
  triad_memory *memory;
  int64_t n_points, n_cells;
  triad_mesh_changes changes;
  double (*x)[3];
  uint8_t *shape;  /* [n_cells] triad_mesh_shape                          */
  int64_t *first;  /* [n_cells + 1] into corner                          */
  int32_t *corner; /* points of each cell, in the order of its shape; a polyhedron lists each point once */

  /* Polyhedra: cell c has the sides first_side[c] .. first_side[c + 1] - 1. Side s has the points loop[first_loop[s]
   * .. first_loop[s + 1] - 1], in an order around it such that its normal points out of the cell. Cells of the other
   * shapes have no sides here. */
  int64_t *first_side; /* [n_cells + 1]; NULL if the mesh has no polyhedra */
  int64_t *first_loop; /* [sides + 1]                                 */
  int32_t *loop;

  /* Faces: first those between two cells, 0 .. n_inner - 1, then the outer ones. The order of a face's points is such
   * that its normal points out of cell[f][0]. */
  int64_t n_faces, n_inner;
  int32_t (*cell)[2];                       /* cell[f][1] = -1 for an outer face */
  int32_t (*point)[TRIAD_MESH_SIDE_POINTS]; /* with more than 4 points [0] is their first index in loop */
  uint8_t *points;
  int16_t *patch; /* patch of an outer face, -1: not set yet; number of the pair of a periodic face; else -1 */

  int n_patches;
  char patch_name[TRIAD_MESH_PATCHES][TRIAD_MESH_NAME];
  int n_inside;
  triad_mesh_inside inside[TRIAD_MESH_PATCHES];
  int64_t turned; /* cells whose volume is not positive, counted by triad_mesh_note_turned; else 0 */
  int looked;
  int n_pairs;
  double shift[TRIAD_MESH_PATCHES][3]; /* [pair] vector from a periodic face to its position as seen from cell[f][1] */

  /* set by triad_mesh_measure: [n_cells] */
  double (*centre)[3], *volume;

  /* Only if this is a part of a mesh, else NULL and 0: global numbers of its cells and points, the rank that owns each
   * cell, and the cube around all cell centres (low corner and side). The totals of the whole mesh follow; those of
   * faces are known once the part has been measured. */
  int32_t *number, *point_number, *owner;
  double box[4];
  double all_volume, low[3], high[3]; /* volume and bounding box of the whole mesh */
  int64_t all_points, all_cells, all_inner, all_faces;
} triad_mesh;

/* Allocate a mesh; all arrays are zero. TRIAD_ERR_MEMORY; TRIAD_ERR_CASE for more than 2^31 - 1 points, cells or
 * corners. */
int triad_mesh_create(triad_mesh **out, triad_memory *memory, int64_t n_points, int64_t n_cells, int64_t n_corners);
void triad_mesh_destroy(triad_mesh **mesh);

/* The points of face f; their number is points[f]. */
static inline const int32_t *triad_mesh_face(const triad_mesh *mesh, int64_t f)
{
  return mesh->points[f] <= TRIAD_MESH_SIDE_POINTS ? mesh->point[f] : mesh->loop + mesh->point[f][0];
}

/* triad_mesh_sides: number of sides of a cell. triad_mesh_side: the *n points of side s, stored in `room` or in the
 * mesh. triad_mesh_side_of: the number of the side of cell[f][0] that this face covers; if two faces split that side,
 * the first match; -1: no match. */
int triad_mesh_sides(const triad_mesh *mesh, int64_t cell);
const int32_t *triad_mesh_side(const triad_mesh *mesh, int64_t cell, int s, int32_t room[TRIAD_MESH_SIDE_POINTS],
                               int *n);
int triad_mesh_side_of(const triad_mesh *mesh, int64_t face);

/* The number of the patch with this name; it is added if it does not exist. -1: there are too many patches. */
int triad_mesh_patch(triad_mesh *mesh, const char *name);

/* Join patches a and b: each pair of matching faces becomes one inner face, stored in the place of patch a's face.
 * TRIAD_ERR_CASE if the patches do not match. Call it before triad_mesh_measure. */
int triad_mesh_periodic(triad_mesh *mesh, int a, int b);

static inline int64_t triad_mesh_number(const triad_mesh *mesh, int64_t cell)
{
  return mesh->number ? mesh->number[cell] : cell;
}
static inline int64_t triad_mesh_point_number(const triad_mesh *mesh, int64_t point)
{
  return mesh->point_number ? mesh->point_number[point] : point;
}

/* describe: text such as "cell 5 (a hexahedron about 0.1, 0.2, 0.3)". note_turned: find cells whose volume, computed
 * from their own sides before faces exist, is not positive; the fault, added once, gives their number and the first.
 * Returns 1 if there are any. */
enum { TRIAD_MESH_CELL_TEXT = 160 };
void triad_mesh_describe(const triad_mesh *mesh, int64_t cell, char text[TRIAD_MESH_CELL_TEXT]);
int triad_mesh_note_turned(triad_mesh *mesh, triad_faults *faults);

/* Free what the time loop does not read, after the solver has built its arrays: all arrays of faces (their number is
 * retained) and, if all cells are tetrahedra, volumes and centres, which follow from the corners. */
void triad_mesh_free_faces(triad_mesh *mesh);

/* The centre of a measured cell, also after triad_mesh_free_faces. */
static inline void triad_mesh_centre(const triad_mesh *mesh, int64_t cell, double centre[3])
{
  const int32_t *corner = mesh->corner + mesh->first[cell];
  for (int a = 0; a < 3; a++)
    centre[a] = mesh->centre
                  ? mesh->centre[cell][a]
                  : (mesh->x[corner[0]][a] + mesh->x[corner[1]][a] + mesh->x[corner[2]][a] + mesh->x[corner[3]][a]) / 4;
}

/* Checksum of the mesh: equal for the same cells and points in the same order. It can be computed in pieces: begin;
 * then corners of all cells, sides of all polyhedra and all points, in rising order; then end. */
uint64_t triad_mesh_checksum(const triad_mesh *mesh);
uint64_t triad_mesh_checksum_begin(int64_t cells, int64_t points);
uint64_t triad_mesh_checksum_cells(uint64_t sum, const triad_mesh *mesh);
uint64_t triad_mesh_checksum_sides(uint64_t sum, const triad_mesh *mesh);
uint64_t triad_mesh_checksum_points(uint64_t sum, const double (*x)[3], int64_t n);
/* a note of a checkpoint is a signed number */
static inline uint64_t triad_mesh_checksum_end(uint64_t sum) { return sum & INT64_MAX; }

#endif
