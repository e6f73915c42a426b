/* Patches of generated meshes: their names, and the patch of an outer face. */
#ifndef TRIAD_MESH_MAKE_GENERATE_PATCHES_H
#define TRIAD_MESH_MAKE_GENERATE_PATCHES_H

#include "mesh/make/generate.h"

/* The kind of side that an outer face lies on, and the name of the patch of that kind. Patches are added to a mesh in
 * the order in which their kinds are found. */
enum { TRIAD_MESH_GENERATED_SIDES = 8 };
int triad_mesh_generated_side(const triad_mesh *mesh, const triad_mesh_generator *lattice, int64_t face);
const char *triad_mesh_generated_name(const triad_mesh_generator *lattice, int side);

/* generate_names: add the patches that exist for every mesh of this kind. generate_patches: add the patches of all
 * outer faces of a whole mesh and set them. */
void triad_mesh_generate_names(triad_mesh *mesh, const triad_mesh_generator *lattice);
void triad_mesh_generate_patches(triad_mesh *mesh, const triad_mesh_generator *lattice);

/* Number of lattice points, without those at the centres of cubes; lattice indices of a point. */
int64_t triad_mesh_lattice_points(const triad_mesh_generator *lattice);
void triad_mesh_lattice_place(const triad_mesh_generator *lattice, int64_t point, int64_t at[3]);

/* Returns 1 if a position, in lattice coordinates (cubes), is in the box that is left out. */
int triad_mesh_lattice_is_cut(const triad_mesh_generator *given, const double at[3]);

#endif
