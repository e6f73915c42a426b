/* A mesh: points, cells of any shape, and the faces between them, made in time that grows with their number.
 *
 *   triad_mesh_create(&m, memory, n_points, n_cells, n_corners)   room, to be filled: x, shape, first, corner
 *   or triad_mesh_of_faces(&m, memory, &given)                    polyhedra, filled (polyhedra.h)
 *   triad_mesh_join(m)                                            faces, from the cells' sides
 *   patches of outer faces, by whoever made the cells
 *   triad_mesh_periodic(m, a, b)                                  joins two patches
 *   triad_mesh_measure(m)                                         areas, centres, volumes; is all closed?
 *
 * Global numbers of points and cells are those of the generator or of the file. One rank makes the whole mesh; of
 * several each has its part, the cells that it owns and those round them, in the order of their global numbers
 * (partition.h). What a rank works on is made of it by domain.h. Nothing here is collective. */
#ifndef TRIAD_MESH_MESH_H
#define TRIAD_MESH_MESH_H

#include "base/faults.h"
#include "base/memory.h"
#include "mesh/shapes.h"

enum { TRIAD_MESH_PATCHES = 32, TRIAD_MESH_NAME = 64, TRIAD_MESH_MAX_FACE_POINTS = 255, TRIAD_MESH_MAX_SIDES = 127 };

/* A patch of a file that has faces between cells; skipped: it has no others, so that it is no boundary and no patch
 * of the mesh. */
typedef struct triad_mesh_inside {
  char name[TRIAD_MESH_NAME];
  int64_t faces;
  int skipped;
} triad_mesh_inside;

typedef struct triad_mesh {
  triad_memory *memory;
  int64_t n_points, n_cells;
  int64_t curved; /* cells of a file that were of second order: of these the corners are used */
  double (*x)[3];
  uint8_t *shape;  /* [n_cells] triad_mesh_shape                          */
  int64_t *first;  /* [n_cells + 1] into corner                          */
  int32_t *corner; /* points of the cells, in the order of their shapes; of polyhedra each once */

  /* Of polyhedra: sides first_side[c] .. first_side[c + 1] - 1 of cell c, of which number s has the points
   * loop[first_loop[s] .. first_loop[s + 1] - 1], round it so that its normal points out of the cell. Cells of other
   * shapes have none. */
  int64_t *first_side; /* [n_cells + 1]; NULL: there are no polyhedra */
  int64_t *first_loop; /* [sides + 1]                                 */
  int32_t *loop;

  /* Faces: those with two cells, 0 .. n_inner - 1, then the outer ones. Points go round so that the normal points out
   * of cell[f][0]. */
  int64_t n_faces, n_inner;
  int32_t (*cell)[2];                       /* cell[f][1] = -1: an outer face */
  int32_t (*point)[TRIAD_MESH_SIDE_POINTS]; /* triad_mesh_face: of more than 4, [0] is where they begin in loop */
  uint8_t *points;
  int16_t *patch; /* of an outer face; -1: none yet. Of a periodic face the pair's number, else -1 */

  int n_patches;
  char patch_name[TRIAD_MESH_PATCHES][TRIAD_MESH_NAME];
  int n_inside;
  triad_mesh_inside inside[TRIAD_MESH_PATCHES];
  int64_t turned; /* cells without a volume above 0, once they have been looked for: triad_mesh_note_turned; else 0 */
  int looked;
  int n_pairs;
  double shift[TRIAD_MESH_PATCHES][3]; /* of each periodic pair: from a face to where cell[f][1] sees it */

  /* measured */
  double (*centre)[3], *volume;

  /* Of a part: global numbers of its cells and points, whose cells they are, the cube round the centres of all cells
   * by its low corner and its side; else NULL and 0. How much there is of the whole, of inner faces and faces once
   * it has been measured. */
  int32_t *number, *point_number, *owner;
  double box[4];
  double all_volume, low[3], high[3]; /* of the whole, and the box round it */
  int64_t all_points, all_cells, all_inner, all_faces;
} triad_mesh;

/* All zero but first[0]. TRIAD_ERR_MEMORY; TRIAD_ERR_CASE for more than 2^31 - 1 of anything. */
int triad_mesh_create(triad_mesh **out, triad_memory *memory, int64_t n_points, int64_t n_cells, int64_t n_corners);
void triad_mesh_destroy(triad_mesh **mesh);

/* Points of a face, points[f] of them. */
static inline const int32_t *triad_mesh_face(const triad_mesh *mesh, int64_t f)
{
  return mesh->points[f] <= TRIAD_MESH_SIDE_POINTS ? mesh->point[f] : mesh->loop + mesh->point[f][0];
}

/* How many sides a cell has; the *n points of its side s, in `room` or in the mesh; and number of the side of
 * cell[f][0] that a face is, of those of two faces that split it the first found, -1: none. */
int triad_mesh_sides(const triad_mesh *mesh, int64_t cell);
const int32_t *triad_mesh_side(const triad_mesh *mesh, int64_t cell, int s, int32_t room[TRIAD_MESH_SIDE_POINTS],
                               int *n);
int triad_mesh_side_of(const triad_mesh *mesh, int64_t face);

/* By what sides are looked for: the lowest of n points in rising order, -1 where there are fewer. */
void triad_mesh_side_key(const int32_t *points, int n, int32_t key[TRIAD_MESH_SIDE_POINTS]);

/* Faces from sides that have the same points; a quadrilateral side also meets two triangles that split it along
 * either diagonal, and becomes two faces. TRIAD_ERR_CASE where more than two cells share a side, or two lie on one
 * side of it, or a side has a point twice, or a cell has more than TRIAD_MESH_MAX_SIDES. */
int triad_mesh_join(triad_mesh *mesh);

/* The same, with these as faults, each kind by how many and the first; such sides have no face. TRIAD_ERR_CASE for a
 * cell of too many sides alone. */
int triad_mesh_join_with_faults(triad_mesh *mesh, triad_faults *faults);

/* A patch by its name, a new one where there is none; -1: there are too many. */
int triad_mesh_patch(triad_mesh *mesh, const char *name);

/* Join the faces of patch b to those of patch a that lie alike: each pair becomes one face, where a's was.
 * TRIAD_ERR_CASE where they do not match. Before measure. */
int triad_mesh_periodic(triad_mesh *mesh, int a, int b);

static inline int64_t triad_mesh_number(const triad_mesh *mesh, int64_t cell)
{
  return mesh->number ? mesh->number[cell] : cell;
}
static inline int64_t triad_mesh_point_number(const triad_mesh *mesh, int64_t point)
{
  return mesh->point_number ? mesh->point_number[point] : point;
}

/* Volume and box of its own cells, all of them where it is the whole. */
void triad_mesh_span(triad_mesh *mesh, int rank);

/* Area vectors 1/2 sum (x_i - x_0) x (x_(i+1) - x_0), exact round any loop of points, so that cells close to round-off;
 * centres; volumes. TRIAD_ERR_CASE for a cell that is not closed, or whose volume is not positive: how many, and the
 * first of them with its centre. */
int triad_mesh_measure(triad_mesh *mesh);

/* The same in two steps, of a part's own cells: what is wrong with cells of this rank, as counts and the lowest
 * numbers, INT64_MAX where there are none; and as faults, by the sums and the lowest numbers of all ranks, on the
 * rank that has the cell. */
typedef struct triad_mesh_size_faults {
  int64_t leaky, flat, first_leaky, first_flat;
} triad_mesh_size_faults;
int triad_mesh_find_sizes(triad_mesh *mesh, int rank, triad_mesh_size_faults *found);
void triad_mesh_note_sizes(const triad_mesh *mesh, int rank, const triad_mesh_size_faults *found, triad_faults *faults);

/* "cell 5 (a hexahedron about 0.1, 0.2, 0.3)". And the fault of cells without a volume above 0 by their own sides,
 * before there are faces: how many of all here, and which is the first; it is noted once. Returns whether there are. */
enum { TRIAD_MESH_CELL_TEXT = 160 };
void triad_mesh_describe(const triad_mesh *mesh, int64_t cell, char text[TRIAD_MESH_CELL_TEXT]);
int triad_mesh_note_turned(triad_mesh *mesh, triad_faults *faults);

/* A face's area vector, out of cell[f][0], and its centre. They are not kept: of those within zones they may not be
 * asked for. */
void triad_mesh_face_size(const triad_mesh *mesh, int64_t face, double area[3], double centre[3]);

/* A cell's centre and its volume by its own sides, before there are faces. */
double triad_mesh_middle(const triad_mesh *mesh, int64_t cell, double centre[3]);

/* Give back what loops don't ask for, when domains have been made: what is known of faces, whose number stays; and,
 * where all cells are tetrahedra, what their corners tell, volumes and centres. */
void triad_mesh_free_faces(triad_mesh *mesh);

/* The centre of a measured cell, also after that. */
static inline void triad_mesh_centre(const triad_mesh *mesh, int64_t cell, double centre[3])
{
  const int32_t *corner = mesh->corner + mesh->first[cell];
  for (int a = 0; a < 3; a++)
    centre[a] = mesh->centre
                  ? mesh->centre[cell][a]
                  : (mesh->x[corner[0]][a] + mesh->x[corner[1]][a] + mesh->x[corner[2]][a] + mesh->x[corner[3]][a]) / 4;
}

/* The part of a measured cell's volume that lies within a sphere, to a few thousandths (sphere.c). */
double triad_mesh_within(const triad_mesh *mesh, int64_t cell, const double centre[3], double radius);

/* The same for the same cells and points in the same order. Piece by piece: begin, then all corners of cells, all
 * sides of polyhedra, all points, in rising order; end. */
uint64_t triad_mesh_checksum(const triad_mesh *mesh);
uint64_t triad_mesh_checksum_begin(int64_t cells, int64_t points);
uint64_t triad_mesh_checksum_cells(uint64_t sum, const triad_mesh *mesh);
uint64_t triad_mesh_checksum_sides(uint64_t sum, const triad_mesh *mesh);
uint64_t triad_mesh_checksum_points(uint64_t sum, const double (*x)[3], int64_t n);
/* a note of a checkpoint is a signed number */
static inline uint64_t triad_mesh_checksum_end(uint64_t sum) { return sum & INT64_MAX; }

#endif
