/* Generated meshes: a lattice of cubes, each split into one or several cells, with randomly displaced points, a
 * cut-out and a curved shape. Patches are xmin, xmax, ymin, ymax, zmin, zmax, and "cut" at the cut-out; a jet has
 * inlet, ambient, outlet and nozzle. */
#ifndef TRIAD_MESH_MAKE_GENERATE_H
#define TRIAD_MESH_MAKE_GENERATE_H

#include "mesh/mesh.h"

typedef enum triad_mesh_cells {
  TRIAD_MESH_TETS, /* six per cube around its diagonal, alike in all cubes, so periodic ends match */
  TRIAD_MESH_HEXES,
  TRIAD_MESH_PRISMS,   /* two per cube, along z */
  TRIAD_MESH_PYRAMIDS, /* six per cube, with their apex at its centre */
  TRIAD_MESH_HYBRID,   /* hexahedra in the lower half along x, tetrahedra in the upper half */
  TRIAD_MESH_JET,      /* tetrahedra up to x = `joint`, hexahedra beyond */
  TRIAD_MESH_POLYHEDRA /* hexagonal prisms along z, arranged like bricks (honeycomb.c) */
} triad_mesh_cells;

typedef enum triad_mesh_form {
  TRIAD_MESH_BOX,
  TRIAD_MESH_WEDGE, /* a box whose lower y side rises from x = corner */
  TRIAD_MESH_TUBE,  /* a round duct of diameter length[1] around the x axis */
  TRIAD_MESH_NOZZLE /* a round nozzle with its exit at x = 0, and the space around and behind it */
} triad_mesh_form;

typedef struct triad_mesh_generator {
  triad_mesh_cells cells;
  triad_mesh_form form;
  int64_t n[3]; /* cubes                                                                          */
  double length[3];
  double shake;         /* largest random displacement of inner points along each axis, in spacings */
  double corner, angle; /* wedge: the side ymin rises with this angle [radians] from x = corner */
  double cut[6];        /* cubes with centres in this box, x0 < x1, y0 < y1, z0 < z1, are left out */
  double nozzle[4];     /* length, and diameters at inlet, throat and exit */
  double lip;           /* thickness of the nozzle's wall */
  int64_t across;       /* cubes across the diameter; an even number */
  double joint;
} triad_mesh_generator;

/* The numbers of points, cells and corners of cells of the generated mesh. Not collective, like all functions here. */
void triad_mesh_generate_count(const triad_mesh_generator *given, int64_t *points, int64_t *cells, int64_t *corners);

/* Generate cells, faces and patches; nothing is measured, no patches are joined. The result is the same on every rank
 * and machine. TRIAD_ERR_CASE, TRIAD_ERR_MEMORY. */
int triad_mesh_generate(triad_mesh **out, triad_memory *memory, const triad_mesh_generator *given);

/* The generator of the lattice points. The lattice of polyhedra also has points at the middle of the cubes' sides
 * along x. */
triad_mesh_generator triad_mesh_generate_lattice(const triad_mesh_generator *given);

/* Generate part number `part` of `parts`: a range of rows of cubes (or polyhedra) along x. Corners are global point
 * numbers; points and faces are not made. *first: global number of the first cell. generate_point: the position of one
 * point of the lattice. */
int triad_mesh_generate_slice(triad_mesh **out, triad_memory *memory, const triad_mesh_generator *given, int part,
                              int parts, int64_t *first);
void triad_mesh_generate_point(const triad_mesh_generator *lattice, int64_t point, double x[3]);

#endif
