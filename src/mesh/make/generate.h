/* Meshes made here: a lattice of cubes, each of which becomes one or several cells, shaken, some left out, and bent to a
 * shape. Patches xmin, xmax, ymin, ymax, zmin, zmax, and cut where cubes were left out; of a jet inlet, ambient, outlet
 * and nozzle. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_GENERATE_H
#define TRIAD_SOLVERS_UNSTRUCTURED_GENERATE_H

#include "solvers/unstructured/mesh.h"

typedef enum triad_fct_cells {
  TRIAD_FCT_TETS,     /* six a cube round its diagonal, alike in all cubes: they join, also across periodic ends */
  TRIAD_FCT_HEXES,
  TRIAD_FCT_PRISMS,   /* two a cube, along z                                                                     */
  TRIAD_FCT_PYRAMIDS, /* six a cube, over its middle                                                             */
  TRIAD_FCT_HYBRID,   /* hexes in the lower half along x, tets in the upper one                                  */
  TRIAD_FCT_JET,      /* tets up to `joint`, hexes beyond                                                        */
  TRIAD_FCT_POLYHEDRA /* hexagonal prisms along z, laid like bricks; halves of them, hexes, at ends (honeycomb.c) */
} triad_fct_cells;

typedef enum triad_fct_form {
  TRIAD_FCT_BOX,
  TRIAD_FCT_WEDGE,    /* a box whose floor rises                                                    */
  TRIAD_FCT_TUBE,     /* round, of diameter length[1], about the x axis                             */
  TRIAD_FCT_NOZZLE    /* round; a nozzle whose exit is at x = 0, and the space round and behind it  */
} triad_fct_form;

typedef struct triad_fct_generator {
  triad_fct_cells cells;
  triad_fct_form form;
  int64_t n[3];     /* cubes                                                                          */
  double length[3];
  double shake;     /* inner points are moved by up to so many spacings along each axis               */
  double corner, angle; /* of a wedge: from x = corner on the floor ymin rises with this angle [radians] */
  double cut[6];    /* cubes whose middles are in this box, x0 < x1, y0 < y1, z0 < z1, are left out   */
  double nozzle[4]; /* its length, diameters at inlet, throat and exit                                */
  double lip;       /* thickness of its wall                                                          */
  int64_t across;   /* cubes across its diameter, even                                                */
  double joint;
} triad_fct_generator;

/* Points, cells, and corners of cells that generate makes. Not collective, as all here. */
void triad_fct_generate_count(const triad_fct_generator *given, int64_t *points, int64_t *cells, int64_t *corners);

/* Cells, faces and patches; not measured, and no patches joined. The same on every rank, whatever machine. TRIAD_ERR_CASE,
 * TRIAD_ERR_MEMORY. */
int triad_fct_generate(triad_fct_mesh **out, triad_memory *memory, const triad_fct_generator *given);

/* The generator of the points: of polyhedra these stand at the middles of cubes' sides along x too. */
triad_fct_generator triad_fct_generate_lattice(const triad_fct_generator *given);

/* Part number `part` of `parts` of its cells, rows of cubes along x, or polyhedra: corners by the whole mesh's numbers of points, no
 * points, no faces; *first: the number of its first cell. And where a point of the lattice is. */
int triad_fct_generate_slice(triad_fct_mesh **out, triad_memory *memory, const triad_fct_generator *given, int part, int parts,
                             int64_t *first);
void triad_fct_generate_point(const triad_fct_generator *lattice, int64_t point, double x[3]);

/* ---- generate_patches.c ---- */

/* Which of the kinds of sides an outer face is on, and the kind's patch: names are added in the order in which they are met. */
enum { TRIAD_FCT_GENERATED_SIDES = 8 };
int triad_fct_generated_side(const triad_fct_mesh *mesh, const triad_fct_generator *lattice, int64_t face);
const char *triad_fct_generated_name(const triad_fct_generator *lattice, int side);

/* Patches that there are whatever faces there are; those of all outer faces of a whole mesh too. */
void triad_fct_generate_names(triad_fct_mesh *mesh, const triad_fct_generator *lattice);
void triad_fct_generate_patches(triad_fct_mesh *mesh, const triad_fct_generator *lattice);

/* Points of the lattice, before those in the middles of cubes; where one of them is in it. */
int64_t triad_fct_lattice_points(const triad_fct_generator *lattice);
void triad_fct_lattice_place(const triad_fct_generator *lattice, int64_t point, int64_t at[3]);

/* Is a place in the lattice, in cubes, in the box that is left out? */
int triad_fct_is_cut(const triad_fct_generator *given, const double at[3]);

/* ---- honeycomb.c: polyhedra of a lattice twice as fine along x as its cubes ---- */
void triad_fct_honeycomb_count(const triad_fct_generator *lattice, int64_t *cells, int64_t *corners);
int triad_fct_honeycomb_fill(triad_fct_mesh *mesh, const triad_fct_generator *lattice);
int triad_fct_honeycomb_slice(triad_fct_mesh **out, triad_memory *memory, const triad_fct_generator *lattice, int64_t begin, int64_t end);

/* ---- bend.c: the shape ---- */

/* From a place in the lattice, in cubes, to one in space. */
void triad_fct_bend(const triad_fct_generator *given, const double lattice[3], double x[3]);

/* What is wrong with the numbers of a jet, in words; NULL: nothing. */
const char *triad_fct_bend_fault(const triad_fct_generator *given);

/* Cubes along x that are beside the nozzle; of a cube at j, k the ring round the axis, 0 the innermost. */
int64_t triad_fct_bend_beside(const triad_fct_generator *given);
int64_t triad_fct_bend_ring(const triad_fct_generator *given, int64_t j, int64_t k);

#endif
