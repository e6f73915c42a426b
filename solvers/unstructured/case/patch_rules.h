/* The boundary condition of each patch of a mesh, read from the case. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_CASE_PATCH_RULES_H
#define TRIAD_SOLVERS_UNSTRUCTURED_CASE_PATCH_RULES_H

#include "solvers/unstructured/case/setup.h"

/* Set the boundary condition of each patch of a mesh, by its number. In a generated mesh a patch without a condition
 * is a slip wall; in a mesh from a file every patch must have one. Faults: a patch of the setup that does not exist,
 * and similar errors. */
void triad_unstructured_setup_rules(const triad_unstructured_setup *setup, const triad_mesh *mesh,
                                    triad_unstructured_rule rules[TRIAD_MESH_PATCHES], triad_mesh_pairs *pairs,
                                    triad_faults *faults);

/* The patch of the setup that gives the condition of a patch of the mesh: by its name, or "*". NULL: none. */
const triad_unstructured_patch *triad_unstructured_setup_patch(const triad_unstructured_setup *setup,
                                                               const triad_mesh *mesh, int patch);

#endif
