/* What a step costs, counted, and how its time is split: what `triad bench` asks. */
#include "solvers/spectral/flow.h"
#include "solvers/spectral/gpu_part.h"
#include "solvers/spectral/step/shifts.h"

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
  for (int p = 0; p < shape->n_passes; p++) {
    int n_in = shape->pass[p].n_in, n_out = shape->pass[p].n_out, n_left = triad_shape_left(shape, p);
    triad_pass_costs cost = flow->pass ? triad_pass_cost(flow->pass, n_in, n_out, n_left)
                                       : triad_layout_cost(flow->layout, n_in, n_out, n_left);
    r.bytes += grids * stages * (double)cost.memory_bytes;
    r.sent_bytes += grids * stages * (double)cost.sent_bytes;
    r.flops += grids * stages * cost.flops;
    r.transforms += grids * stages * (n_in + n_out);
    r.nstreams = cost.nstreams;
    r.chunks = cost.chunks;
  }
  if (flow->device) {
    triad_gpu_traffic traffic = triad_spectral_gpu->stepper->traffic(triad_stepper_gpu(flow->stepper));
    r.transport = traffic.transport;
    r.nstreams = traffic.nstreams;
    r.chunks = traffic.chunks;
    r.sent_bytes = grids * stages * (double)traffic.sent_bytes;
  }
  if (flow->offload) {
    triad_gpu_offload_bus moved = triad_spectral_gpu->offload->traffic(triad_stepper_offload(flow->stepper));
    r.nstreams = moved.nstreams;
    r.chunks = moved.pieces;
    r.bus_in = (double)moved.in;
    r.bus_out = (double)moved.out;
  }
  return r;
}

triad_phases triad_flow_phases(void *self)
{
  triad_flow *flow = self;
  if (flow->device) return triad_spectral_gpu->stepper->phases(triad_stepper_gpu(flow->stepper));
  if (flow->offload) return triad_spectral_gpu->offload->phases(triad_stepper_offload(flow->stepper));
  return triad_pass_phases(flow->pass);
}

void triad_flow_apart(void *self, int apart)
{
  triad_flow *flow = self;
  if (flow->device) triad_spectral_gpu->stepper->apart(triad_stepper_gpu(flow->stepper), apart);
  if (flow->offload) triad_spectral_gpu->offload->apart(triad_stepper_offload(flow->stepper), apart);
}
