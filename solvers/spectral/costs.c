/* Operations and memory traffic of a step, and its division into phases, for `triad bench`. */
#include "solvers/spectral/flow.h"
#include "solvers/spectral/force/forcing.h"
#include "solvers/spectral/relax/plain/relax_case.h"
#include "solvers/spectral/plain/shifts.h"
#include "solvers/spectral/step/stepper.h"

/* Every input, work column, result and register of a stage, read once and written once. */
triad_costs triad_flow_costs(void *self)
{
  triad_flow *flow = self;
  const triad_shape *shape = &flow->shape;
  int stages = triad_stepper_stages(flow->stepper);
  /* a product is taken on so many */
  const int grids = triad_shifts_of(&flow->grid, flow->given) == TRIAD_SHIFTS_EXACT ? 2 : 1;
  triad_costs r = {.bytes = stages * (4.0 * shape->n_fields * (double)flow->layout->modes * (double)sizeof(triad_cplx)),
                   .stages = stages,
                   .transport = "mpi"};
  int relaxed_left;
  const int formulas = triad_forcing_results(flow->forcing),
            added = formulas + triad_relaxation_results(flow->given, shape, &relaxed_left);
  for (int p = 0; p < shape->n_passes; p++) {
    const int more = p == shape->n_passes - 1 ? added : 0; /* results at points of forces, bodies and sponges */
    const int more_left = p == shape->n_passes - 1 ? formulas + relaxed_left : 0;
    int n_in = shape->pass[p].n_in, n_out = shape->pass[p].n_out + more;
    int n_left = triad_shape_left(shape, p) + more_left;
    triad_pass_costs cost = flow->pass ? triad_pass_cost(flow->pass, n_in, n_out, n_left)
                                       : triad_layout_cost(flow->layout, n_in, n_out, n_left);
    r.bytes += grids * stages * (double)cost.memory_bytes;
    r.sent_bytes += grids * stages * (double)cost.sent_bytes;
    r.flops += grids * stages * cost.flops;
    r.transforms += grids * stages * (n_in + n_out);
    r.nstreams = cost.nstreams;
    r.chunks = cost.chunks;
  }
  triad_stepper_traffic(flow->stepper, grids * stages, &r);
  return r;
}

triad_phases triad_flow_phases(void *self) { return triad_stepper_phases(((triad_flow *)self)->stepper); }

void triad_flow_apart(void *self, int apart) { triad_stepper_apart(((triad_flow *)self)->stepper, apart); }
