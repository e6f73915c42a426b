/* The temperature of the staggered solver with its kernels on the host (tests/help/fake): the same flow as on the CPU
 * with walls held or insulated, buoyancy, sources, solids of either kind, ways in and out, implicit diffusion.
 * ranks: 1 2   timeout: 400 */
#include "staggered_gpu.h"

#define HEAT(...) \
  AGREE_FOR(2, "equations.temperature=true", "equations.diffusivity=0.03", "equations.thermal_expansion=0.7", \
            "equations.gravity=[0.2,-0.4,-9]", "initial.temperature=\"1 + x - y*z + 0.3*sin(9*x)\"", __VA_ARGS__)

TRIAD_TEST(a_periodic_box)
{
  HEAT("grid.n=[10,8,9]", "equations.temperature_gradient=[0.5,-1,2]", "equations.heat_source=0.3");
}

TRIAD_TEST(a_layer_between_walls)
{
  HEAT("grid.n=[9,8,12]", "grid.stretch=[0,0,1]", "boundaries.z=[\"wall\",\"slip\"]",
       "boundaries.thermal_z=[\"isothermal\",\"isothermal\"]", "boundaries.wall_temperature=[0,0,0,0,2,1]",
       "equations.reference_temperature=1.5", "output.means=[\"profiles y\", \"profiles z\"]",
       "output.probes=[\"[0.2, 0.1, 0.01]\", \"[0.4, 0.4, 0.6]\"]");
}

TRIAD_TEST(a_box_of_walls)
{
  HEAT("grid.n=[9,8,12]", "boundaries.x=[\"wall\",\"wall\"]", "boundaries.y=[\"wall\",\"wall\"]",
       "boundaries.z=[\"wall\",\"wall\"]", "boundaries.thermal_x=[\"isothermal\",\"adiabatic\"]",
       "boundaries.thermal_y=[\"adiabatic\",\"isothermal\"]", "boundaries.wall_temperature=[3,0,0,-1,0,0]",
       "solver.pressure=\"pcg-polynomial\"");
}

TRIAD_TEST(implicit_diffusion_between_walls)
{
  HEAT("grid.n=[9,8,12]", "boundaries.z=[\"wall\",\"wall\"]", "boundaries.thermal_z=[\"isothermal\",\"adiabatic\"]",
       "boundaries.wall_temperature=[0,0,0,0,2,1]", "solver.diffusion=\"implicit\"");
}

TRIAD_TEST(held_solids)
{
  HEAT("grid.n=[12,9,8]", "solids.kind=\"boxes\"", "solids.boxes=[1,2,0,3,2,4,5,5,4,2,2,3]",
       "solids.thermal=\"isothermal\"", "solids.temperature=4",
       "output.probes=[\"[0.2, 0.25, 0.1]\", \"[0.5, 0.4, 0.6]\"]");
}

TRIAD_TEST(insulated_solids_with_implicit_diffusion)
{
  HEAT("grid.n=[12,9,8]", "boundaries.y=[\"wall\",\"wall\"]", "boundaries.thermal_y=[\"isothermal\",\"isothermal\"]",
       "boundaries.wall_temperature=[0,0,3,1,0,0]", "solids.kind=\"boxes\"", "solids.boxes=[1,2,0,3,2,4,5,5,4,2,2,3]",
       "solver.diffusion=\"implicit\"");
}

TRIAD_TEST(held_solids_with_implicit_diffusion)
{
  HEAT("grid.n=[12,9,8]", "solids.kind=\"boxes\"", "solids.boxes=[1,2,0,3,2,4,5,5,4,2,2,3]",
       "solids.thermal=\"isothermal\"", "solids.temperature=4", "solver.diffusion=\"implicit\"");
}

TRIAD_TEST(a_stream_of_another_temperature)
{
  HEAT("grid.n=[12,9,8]", "boundaries.x=[\"inflow\",\"outflow\"]", "boundaries.inflow=[1,0.2,-0.1]",
       "boundaries.wall_temperature=[2,0,0,0,0,0]", "boundaries.y=[\"slip\",\"wall\"]", "solver.pressure=\"cg\"");
}

/* Numbers that are none end the run. */
TRIAD_TEST(a_temperature_that_is_not_finite_is_reported)
{
  on_one_rank("the message is that of rank 0");
  static const char *const sets[] = {"equations.temperature=true", "grid.n=[8,8,8]", NULL};
  test_cells gpu = make(sets, "parallel.device=\"gpu\"");
  TRIAD_CHECK(triad_state_write_all(gpu.flow->state, TRIAD_HOST));
  gpu.flow->heat[0][triad_partition_at(&gpu.flow->blocks, 0, 0, 0)] = (triad_real)NAN;
  TRIAD_FAILS(triad_staggered_look_at(gpu.flow), TRIAD_ERR_BLOWUP, "the temperature is no longer finite");
  drop(&gpu);
}

TRIAD_MAIN
