/* The phases of families without a list. */
#include "solvers/solver.h"

static const triad_phase_row common[TRIAD_PHASES] = {
  {TRIAD_PHASE_FFT, "fft"},       {TRIAD_PHASE_TRANSPOSE, "transpose"}, {TRIAD_PHASE_EXCHANGE, "exchange"},
  {TRIAD_PHASE_COPIES, "copies"}, {TRIAD_PHASE_POINTWISE, "pointwise"}, {TRIAD_PHASE_REST, "rest"}};

const triad_phase_list triad_common_phases = {TRIAD_PHASES, common};

const triad_phase_list *triad_solver_phases(const triad_solver *solver)
{
  return solver->phase_list ? solver->phase_list : &triad_common_phases;
}
