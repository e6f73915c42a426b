/* The kernels of flux-corrected transport and what drives them, on the host (tests/help/fake): the same flow as on
 * the CPU, on meshes of all kinds, with zones and without, by each way that fluxes come to cells, on any ranks.
 * Faces by corners are for test_unstructured_gpu_corners.c, zones of bricks for test_unstructured_gpu_bricks.c; races
 * on a GPU are for tests/gpu/check.   ranks: 1 2 3   waves: 64   timeout: 400 */
#include "unstructured_gpu.h"

TRIAD_TEST(zones_and_lists) { AGREE("grid.structured=\"auto\""); }
TRIAD_TEST(lists_alone) { AGREE("grid.structured=\"none\"", "equations.low_order=\"hllc\""); }
/* Kinds other than rusanov and hllc share a kernel, in which they are chosen at run time. */
TRIAD_TEST(low_order_fluxes_of_any_kind)
{
  AGREE("grid.structured=\"auto\"", "equations.low_order=\"van-leer\"");
  AGREE("grid.structured=\"none\"", "equations.low_order=\"roe-sonic\"", "equations.high_order=\"central\"");
}
TRIAD_TEST(a_box_of_hexahedra) { AGREE("grid.kind=\"hexes\"", "grid.n=[9,8,7]", "equations.high_order=\"central\""); }
TRIAD_TEST(tetrahedra_in_the_coalescing_order)
{
  AGREE("grid.kind=\"tets\"", "grid.n=[5,4,3]", "grid.numbering=\"coalesced\"");
}
TRIAD_TEST(pyramids_by_colours) { AGREE("grid.kind=\"pyramids\"", "grid.n=[5,4,3]", "grid.loops=\"colours\""); }
TRIAD_TEST(zones_and_lists_by_colours) { AGREE("grid.loops=\"colours\"", "equations.limited=[\"density\"]"); }
TRIAD_TEST(zones_and_lists_by_atomics) { AGREE("grid.loops=\"atomics\""); }
TRIAD_TEST(zones_and_lists_with_limited_gradients) { AGREE("equations.gradients=\"limited\""); }
TRIAD_TEST(polyhedra) { AGREE("grid.kind=\"polyhedra\"", "grid.n=[5,4,3]"); }
TRIAD_TEST(the_low_order_flux_alone) { AGREE("equations.transport=\"low\""); }
TRIAD_TEST(no_limiter) { AGREE("equations.transport=\"high\"", "initial.kind=\"wave\"", "initial.pressure=3"); }

TRIAD_TEST(joined_patches)
{
  AGREE("boundaries.patches=[\"xmin: periodic\",\"xmax: periodic\",\"zmin: total, pressure=3, temperature=1\"]",
        "grid.kind=\"prisms\"");
}

TRIAD_MAIN
