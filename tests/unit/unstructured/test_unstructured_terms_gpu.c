/* Viscosity, prelimiting and limits by components of flux-corrected transport on a GPU, on the host
 * (tests/help/fake): the same flow as on the CPU with walls of all kinds, on meshes of all kinds, by each way that
 * fluxes come to cells, on any ranks.   ranks: 1 2 3   timeout: 400 */
#include "unstructured_gpu.h"
#include "solvers/unstructured/case/check.h"

#define WALLS \
  "boundaries.patches=[\"xmin: inflow, pressure=1, density=1, u=0.5, v=0.2\", \"xmax: outflow\", \"ymin: noslip\", " \
  "\"ymax: noslip, temperature=2\", " \
  "\"zmin: pressure, pressure=1\"]"
#define VISCOSITY "equations.viscosity=0.03"
#define VISCOUS WALLS, VISCOSITY, "reference.area=1", "reference.centre=[0.3,0.1,0.2]"
#define PRELIMITED "equations.prelimit=true"
#define COMPONENTS "equations.limited=[\"components\"]"
#define TETS "grid.kind=\"tets\"", "grid.n=[5,4,3]"
#define HEXAHEDRA "grid.kind=\"hexes\"", "grid.n=[9,8,7]"
#define ZONES_OF_BRICKS HEXAHEDRA, "grid.shake=0"

/* ---- meshes of all kinds ---- */

TRIAD_TEST(viscosity_on_all_meshes)
{
  AGREE(VISCOUS);
  AGREE(VISCOUS, TETS);
  AGREE(VISCOUS, HEXAHEDRA);
  AGREE(VISCOUS, ZONES_OF_BRICKS);
  AGREE(VISCOUS, "grid.structured=\"none\"", "equations.low_order=\"hllc\"");
}

TRIAD_TEST(prelimiting_on_all_meshes)
{
  AGREE(PRELIMITED);
  AGREE(PRELIMITED, TETS);
  AGREE(PRELIMITED, HEXAHEDRA);
  AGREE(PRELIMITED, ZONES_OF_BRICKS);
}

TRIAD_TEST(components_on_all_meshes)
{
  AGREE(COMPONENTS);
  AGREE(COMPONENTS, TETS);
  AGREE(COMPONENTS, HEXAHEDRA);
  AGREE(COMPONENTS, ZONES_OF_BRICKS);
}

/* ---- faces and loops ---- */

TRIAD_TEST(faces_by_corners)
{
  AGREE(VISCOUS, TETS, "grid.faces=\"corners\"");
  AGREE(VISCOUS, "grid.faces=\"corners\"");
  AGREE(PRELIMITED, TETS, "grid.faces=\"corners\"");
  AGREE(COMPONENTS, "grid.faces=\"corners\"");
}

TRIAD_TEST(faces_that_are_kept)
{
  AGREE(VISCOUS, TETS, "grid.faces=\"kept\"");
  AGREE(COMPONENTS, PRELIMITED, "grid.faces=\"kept\"");
}

TRIAD_TEST(each_way_that_fluxes_come_to_cells)
{
  static const char *const loops[] = {"grid.loops=\"colours\"", "grid.loops=\"atomics\"", "grid.loops=\"gather\""};
  for (int i = 0; i < 3; i++) {
    AGREE(VISCOUS, loops[i]);
    AGREE(VISCOUS, COMPONENTS, PRELIMITED, TETS, loops[i]);
  }
}

/* ---- with other choices ---- */

/* Central fluxes ask for no gradients, low-order ones for no antidiffusive fluxes; viscosity does for gradients. */
TRIAD_TEST(viscosity_with_each_transport)
{
  AGREE(VISCOUS, "equations.high_order=\"central\"");
  AGREE(VISCOUS, "equations.transport=\"low\"");
  AGREE(VISCOUS, "equations.transport=\"high\"", "initial.kind=\"wave\"", "initial.pressure=3", "grid.kind=\"hexes\"");
  AGREE(VISCOUS, TETS, "equations.gradients=\"limited\"", "grid.faces=\"corners\"");
  AGREE(VISCOUS, TETS, "equations.gradients=\"near\"");
}

TRIAD_TEST(limits_without_gradients)
{
  AGREE(COMPONENTS, "equations.high_order=\"central\"");
  AGREE(PRELIMITED, "equations.high_order=\"central\"", "equations.limited=[\"density\"]");
  AGREE(PRELIMITED, "equations.limited=[]", "initial.kind=\"wave\"", "initial.pressure=3", "grid.kind=\"hexes\"");
}

TRIAD_TEST(across_periodic_sides)
{
  AGREE(HEXAHEDRA, "boundaries.patches=[\"xmin: periodic\",\"xmax: periodic\",\"zmin: periodic\",\"zmax: periodic\"]",
        VISCOSITY, COMPONENTS, PRELIMITED);
}

/* ---- the step, memory ---- */

/* A gas at rest: waves alone allow a longer step. */
TRIAD_TEST(steps_are_as_short_as_viscosity_wants)
{
  double t[2];
  for (int i = 0; i < 2; i++) {
    const char *const sets[] = {"initial.kind=\"uniform\"", i ? "equations.viscosity=10" : "equations.viscosity=0",
                                NULL};
    test_mesh gpu = make(sets, "parallel.device=\"gpu\"");
    advance(&gpu, 1);
    t[i] = gpu.flow->at.t;
    drop(&gpu);
  }
  TRIAD_HOLDS(t[1] > 0 && t[1] < 0.1 * t[0], "a step of %g, without viscosity of %g", t[1], t[0]);
}

TRIAD_TEST(what_they_take_is_told_before)
{
  static const char *const terms[] = {VISCOSITY, PRELIMITED, COMPONENTS};
  if (triad_test_comm()->size > 1) TRIAD_SKIP("ghosts are counted as of a cube");
  for (int i = 0; i < 3; i++) {
    const char *const sets[] = {"grid.kind=\"tets\"", "grid.n=[16,16,16]", "grid.faces=\"kept\"", terms[i], NULL};
    triad_needs needs;
    memset(&needs, 0, sizeof needs);
    test_mesh gpu = make(sets, "parallel.device=\"gpu\"");
    TRIAD_CHECK(triad_unstructured_check(gpu.given, 1, 1, &needs));
    TRIAD_NEAR((double)needs.gpu.total, (double)triad_device_peak(gpu.flow->device), 0.03, terms[i]);
    drop(&gpu);
  }
}

TRIAD_MAIN
