/* Values of a flow at points. Separate from simulation.c, because sources of both precisions use it, also in programs
 * with one precision (tests/fuzz). */
#include "solvers/box/files.h"

void triad_simulation_values(const triad_simulation *sim, triad_values_info *info)
{
  if (sim->solver->values_info) {
    sim->solver->values_info(sim->flow, info);
    return;
  }
  const triad_state *state = sim->solver->state(sim->flow);
  *info = (triad_values_info){triad_state_size(state), triad_state_field(state, 0), *triad_state_space(state, 0)};
}
