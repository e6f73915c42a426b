/* Launch the kernels of viscosity, prelimiting and limits by components, in meshes without zones of bricks
 * (loops.h). */
#include "solvers/unstructured/gpu/gpu_terms.h"
#include "solvers/unstructured/gpu/gpu_internal.h"
#include "solvers/unstructured/gpu/gpu_loops.h"

static void *stream_of(const triad_unstructured_flow *f) { return triad_device_stream(f->device); }

int triad_unstructured_gpu_add_viscous(triad_unstructured_flow *f, int low)
{
  const triad_unstructured_view *v = &f->gpu->view;
  const triad_unstructured_fluid fluid =
    triad_unstructured_fluid_of(f->setup.viscosity, f->setup.gamma, f->setup.prandtl);
  TRIAD_TRY(triad_unstructured_gpu_viscous(v, &fluid, NULL, low, stream_of(f)));
  for (int z = 0; z < f->domain->n_zones; z++)
    TRIAD_TRY(triad_unstructured_gpu_viscous(v, &fluid, &f->domain->zone[z], low, stream_of(f)));
  return triad_unstructured_gpu_outer_viscous(v, &fluid, &f->gpu->outer, low, stream_of(f));
}

int triad_unstructured_gpu_prelimit_all(triad_unstructured_flow *f)
{
  const triad_unstructured_view *v = &f->gpu->view;
  TRIAD_TRY(triad_unstructured_gpu_prelimit(v, NULL, stream_of(f)));
  for (int z = 0; z < f->domain->n_zones; z++)
    TRIAD_TRY(triad_unstructured_gpu_prelimit(v, &f->domain->zone[z], stream_of(f)));
  return TRIAD_OK;
}

int triad_unstructured_gpu_bound_components(triad_unstructured_flow *f)
{
  return triad_unstructured_gpu_component_bounds(&f->gpu->view, stream_of(f));
}

int triad_unstructured_gpu_part_components(triad_unstructured_flow *f, double dt)
{
  triad_unstructured_gpu_cells c;
  for (int share = TRIAD_UNSTRUCTURED_EARLY; share <= TRIAD_UNSTRUCTURED_LATE; share++)
    for (int i = 0; triad_unstructured_gpu_part_of(f, (triad_unstructured_share)share, 1, i, &c); i++)
      TRIAD_TRY(triad_unstructured_gpu_component_parts(&f->gpu->view, &c, dt, stream_of(f)));
  return TRIAD_OK;
}

int triad_unstructured_gpu_cut_components(triad_unstructured_flow *f)
{
  const triad_unstructured_view *v = &f->gpu->view;
  TRIAD_TRY(triad_unstructured_gpu_component_limits(v, NULL, f->gpu->found, stream_of(f)));
  for (int z = 0; z < f->domain->n_zones; z++)
    TRIAD_TRY(triad_unstructured_gpu_component_limits(v, &f->domain->zone[z], f->gpu->found, stream_of(f)));
  return TRIAD_OK;
}
