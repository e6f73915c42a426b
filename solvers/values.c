/* What a flow is at points, apart from simulation.c: files of either precision ask for it, also in programs that
 * have but one (tests/fuzz). */
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
