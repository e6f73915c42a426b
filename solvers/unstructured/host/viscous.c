/* Stress and conduction through the faces of a rank, on the CPU: loops.h's viscous. */
#include "solvers/unstructured/points/viscous.h"
#include "solvers/unstructured/host/host_lanes.h"

static void add_between(const triad_unstructured_view *v, const triad_unstructured_fluid *fluid, int64_t face,
                        int64_t l, int64_t r, int low)
{
  triad_unstructured_face is;
  triad_unstructured_load_face(v, face, &is);
  triad_unstructured_viscous_between(v, fluid, face, &is, l, r, low);
}

void triad_unstructured_host_viscous(triad_unstructured_flow *f, int low)
{
  const triad_unstructured_domain *d = f->domain;
  const triad_unstructured_view *v = &f->view;
  const triad_unstructured_fluid fluid =
    triad_unstructured_fluid_of(f->setup.viscosity, f->setup.gamma, f->setup.prandtl);
#pragma omp parallel for schedule(static) num_threads(f->context->threads)
  for (int64_t face = 0; face < d->n_inner; face++)
    add_between(v, &fluid, face, d->cell[face][0], d->cell[face][1], low);
#pragma omp parallel for schedule(static) num_threads(f->context->threads)
  for (int64_t face = d->n_inner; face < d->n_faces; face++)
    triad_unstructured_viscous_outside(v, &fluid, &f->rule[d->patch[face - d->n_inner]], face, low);
  for (int z = 0; z < d->n_zones; z++) {
    const triad_mesh_zone *zone = &d->zone[z];
#pragma omp parallel for schedule(static) num_threads(f->context->threads)
    for (int64_t i = 0; i < zone->cells; i++) {
      const int64_t at[3] = {i % zone->n[0], i / zone->n[0] % zone->n[1], i / zone->n[0] / zone->n[1]};
      for (int a = 0; a < 3; a++)
        if (at[a] + 1 < zone->n[a])
          add_between(v, &fluid, zone->slot + a * zone->cells + i, zone->cell + i, zone->cell + i + zone->stride[a],
                      low);
    }
  }
}
