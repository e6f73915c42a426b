/* Polyhedra of a lattice twice as fine along x as its cubes. */
#ifndef TRIAD_MESH_MAKE_HONEYCOMB_H
#define TRIAD_MESH_MAKE_HONEYCOMB_H

#include "mesh/make/generate.h"

void triad_mesh_honeycomb_count(const triad_mesh_generator *lattice, int64_t *cells, int64_t *corners);
int triad_mesh_honeycomb_fill(triad_mesh *mesh, const triad_mesh_generator *lattice);
int triad_mesh_honeycomb_slice(triad_mesh **out, triad_memory *memory, const triad_mesh_generator *lattice,
                               int64_t begin, int64_t end);

#endif
