/* Viscosity, prelimiting and limits by components on a GPU, where no zone is of bricks: loops.h's functions of these
 * names. */
#include "solvers/unstructured/gpu/gpu_internal.h"

static void *stream_of(const triad_fct_flow *f) { return triad_device_stream(f->device); }

int triad_fct_gpu_add_viscous(triad_fct_flow *f, int low)
{
  const triad_fct_view *v = &f->gpu->view;
  const triad_fct_fluid fluid = triad_fct_fluid_of(f->setup.viscosity, f->setup.gamma, f->setup.prandtl);
  TRIAD_TRY(triad_fct_gpu_viscous(v, &fluid, NULL, low, stream_of(f)));
  for (int z = 0; z < f->domain->n_zones; z++)
    TRIAD_TRY(triad_fct_gpu_viscous(v, &fluid, &f->domain->zone[z], low, stream_of(f)));
  return triad_fct_gpu_outer_viscous(v, &fluid, &f->gpu->outer, low, stream_of(f));
}

int triad_fct_gpu_prelimit_all(triad_fct_flow *f)
{
  const triad_fct_view *v = &f->gpu->view;
  TRIAD_TRY(triad_fct_gpu_prelimit(v, NULL, stream_of(f)));
  for (int z = 0; z < f->domain->n_zones; z++) TRIAD_TRY(triad_fct_gpu_prelimit(v, &f->domain->zone[z], stream_of(f)));
  return TRIAD_OK;
}

int triad_fct_gpu_bound_components(triad_fct_flow *f)
{
  return triad_fct_gpu_component_bounds(&f->gpu->view, stream_of(f));
}

int triad_fct_gpu_part_components(triad_fct_flow *f, double dt)
{
  triad_fct_gpu_cells c;
  for (int share = TRIAD_FCT_EARLY; share <= TRIAD_FCT_LATE; share++)
    for (int i = 0; triad_fct_gpu_part_of(f, (triad_fct_share)share, 1, i, &c); i++)
      TRIAD_TRY(triad_fct_gpu_component_parts(&f->gpu->view, &c, dt, stream_of(f)));
  return TRIAD_OK;
}

int triad_fct_gpu_cut_components(triad_fct_flow *f)
{
  const triad_fct_view *v = &f->gpu->view;
  TRIAD_TRY(triad_fct_gpu_component_limits(v, NULL, f->gpu->found, stream_of(f)));
  for (int z = 0; z < f->domain->n_zones; z++)
    TRIAD_TRY(triad_fct_gpu_component_limits(v, &f->domain->zone[z], f->gpu->found, stream_of(f)));
  return TRIAD_OK;
}
