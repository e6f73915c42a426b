/* Meshes made here: a lattice of cubes, each of which becomes one or several cells, shaken, some left out, and bent
 * to a shape. Patches xmin, xmax, ymin, ymax, zmin, zmax, and cut where cubes were left out; of a jet inlet,
 * ambient, outlet and nozzle. */
#ifndef TRIAD_MESH_MAKE_GENERATE_H
#define TRIAD_MESH_MAKE_GENERATE_H

#include "mesh/mesh.h"

typedef enum triad_mesh_cells {
  TRIAD_MESH_TETS, /* six a cube round its diagonal, alike in all cubes: they join, also across periodic ends */
  TRIAD_MESH_HEXES,
  TRIAD_MESH_PRISMS,   /* two a cube, along z                                                                     */
  TRIAD_MESH_PYRAMIDS, /* six a cube, over its middle                                                             */
  TRIAD_MESH_HYBRID,   /* hexes in the lower half along x, tets in the upper one                                  */
  TRIAD_MESH_JET,      /* tets up to `joint`, hexes beyond                                                        */
  TRIAD_MESH_POLYHEDRA /* hexagonal prisms along z, laid like bricks; halves of them, hexes, at ends (honeycomb.c) */
} triad_mesh_cells;

typedef enum triad_mesh_form {
  TRIAD_MESH_BOX,
  TRIAD_MESH_WEDGE, /* a box whose floor rises                                                    */
  TRIAD_MESH_TUBE,  /* round, of diameter length[1], about the x axis                             */
  TRIAD_MESH_NOZZLE /* round; a nozzle whose exit is at x = 0, and the space round and behind it  */
} triad_mesh_form;

typedef struct triad_mesh_generator {
  triad_mesh_cells cells;
  triad_mesh_form form;
  int64_t n[3]; /* cubes                                                                          */
  double length[3];
  double shake;         /* inner points are moved by up to so many spacings along each axis               */
  double corner, angle; /* of a wedge: from x = corner on the floor ymin rises with this angle [radians] */
  double cut[6];        /* cubes whose middles are in this box, x0 < x1, y0 < y1, z0 < z1, are left out   */
  double nozzle[4];     /* its length, diameters at inlet, throat and exit                                */
  double lip;           /* thickness of its wall                                                          */
  int64_t across;       /* cubes across its diameter, even                                                */
  double joint;
} triad_mesh_generator;

/* Points, cells, and corners of cells that generate makes. Not collective, as all here. */
void triad_mesh_generate_count(const triad_mesh_generator *given, int64_t *points, int64_t *cells, int64_t *corners);

/* Cells, faces and patches; not measured, and no patches joined. The same on every rank, whatever machine.
 * TRIAD_ERR_CASE, TRIAD_ERR_MEMORY. */
int triad_mesh_generate(triad_mesh **out, triad_memory *memory, const triad_mesh_generator *given);

/* The generator of the points: of polyhedra these stand at the middles of cubes' sides along x too. */
triad_mesh_generator triad_mesh_generate_lattice(const triad_mesh_generator *given);

/* Part number `part` of `parts` of its cells, rows of cubes along x, or polyhedra: corners by the whole mesh's
 * numbers of points, no points, no faces; *first: the number of its first cell. And where a point of the lattice is. */
int triad_mesh_generate_slice(triad_mesh **out, triad_memory *memory, const triad_mesh_generator *given, int part,
                              int parts, int64_t *first);
void triad_mesh_generate_point(const triad_mesh_generator *lattice, int64_t point, double x[3]);

/* ---- generate_patches.c ---- */

/* Which of the kinds of sides an outer face is on, and the kind's patch: names are added in the order in which they
 * are met. */
enum { TRIAD_MESH_GENERATED_SIDES = 8 };
int triad_mesh_generated_side(const triad_mesh *mesh, const triad_mesh_generator *lattice, int64_t face);
const char *triad_mesh_generated_name(const triad_mesh_generator *lattice, int side);

/* Patches that there are whatever faces there are; those of all outer faces of a whole mesh too. */
void triad_mesh_generate_names(triad_mesh *mesh, const triad_mesh_generator *lattice);
void triad_mesh_generate_patches(triad_mesh *mesh, const triad_mesh_generator *lattice);

/* Points of the lattice, before those in the middles of cubes; where one of them is in it. */
int64_t triad_mesh_lattice_points(const triad_mesh_generator *lattice);
void triad_mesh_lattice_place(const triad_mesh_generator *lattice, int64_t point, int64_t at[3]);

/* Is a place in the lattice, in cubes, in the box that is left out? */
int triad_mesh_lattice_is_cut(const triad_mesh_generator *given, const double at[3]);

/* ---- honeycomb.c: polyhedra of a lattice twice as fine along x as its cubes ---- */
void triad_mesh_honeycomb_count(const triad_mesh_generator *lattice, int64_t *cells, int64_t *corners);
int triad_mesh_honeycomb_fill(triad_mesh *mesh, const triad_mesh_generator *lattice);
int triad_mesh_honeycomb_slice(triad_mesh **out, triad_memory *memory, const triad_mesh_generator *lattice,
                               int64_t begin, int64_t end);

/* ---- bend.c: the shape ---- */

/* From a place in the lattice, in cubes, to one in space. */
void triad_mesh_bend(const triad_mesh_generator *given, const double lattice[3], double x[3]);

/* What is wrong with the numbers of a jet, in words; NULL: nothing. */
const char *triad_mesh_bend_fault(const triad_mesh_generator *given);

/* Cubes along x that are beside the nozzle; of a cube at j, k the ring round the axis, 0 the innermost. */
int64_t triad_mesh_bend_beside(const triad_mesh_generator *given);
int64_t triad_mesh_bend_ring(const triad_mesh_generator *given, int64_t j, int64_t k);

#endif
