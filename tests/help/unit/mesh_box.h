/* What tests of meshes share: a box of cells of a shape. */
#ifndef TRIAD_TESTS_UNIT_FCT_BOX_H
#define TRIAD_TESTS_UNIT_FCT_BOX_H

#include "test.h"
#include "mesh/sizes.h"

#include "mesh/make/generate.h"

static const triad_mesh_generator box = {
  .cells = TRIAD_MESH_TETS, .n = {6, 5, 4}, .length = {1, 1.5, 0.75}, .shake = 0.2};

static inline triad_mesh *make(triad_mesh_cells cells, int periodic)
{
  triad_mesh *m = NULL;
  triad_mesh_generator g = box;
  g.cells = cells;
  TRIAD_CHECK(triad_mesh_generate(&m, triad_test_context()->memory, &g));
  for (int a = 0; a < 3 && periodic; a++) TRIAD_CHECK(triad_mesh_periodic(m, 2 * a, 2 * a + 1));
  TRIAD_CHECK(triad_mesh_measure(m));
  return m;
}

#endif
