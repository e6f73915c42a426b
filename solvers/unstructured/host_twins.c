/* Twins (domain.h) on the CPU: what lists see of bricks. */
#include "solvers/unstructured/host_bricks.h"

typedef void work(triad_fct_flow *f, int zone, const triad_fct_seam *seam, int64_t twin, double dt);

static void each_twin(triad_fct_flow *f, work *do_it, double dt)
{
  const triad_fct_domain *d = f->domain;
  for (int z = 0; z < d->n_boxes; z++) {
    const int64_t begin = d->box[z].seam, end = begin + d->box[z].n_seams;
#pragma omp parallel for schedule(static) num_threads(f->context->threads)
    for (int64_t i = begin; i < end; i++) do_it(f, z, &d->seam[i], triad_fct_domain_twins(d) + i, dt);
  }
}

static void set_gradient(triad_fct_flow *f, int zone, const triad_fct_seam *seam, int64_t twin, double dt)
{
  (void)dt;
  triad_fct_set_twin_gradient(&f->view, &f->domain->zone[zone], &f->domain->box[zone], seam->cell, seam->side, twin);
}

static void set_bounds(triad_fct_flow *f, int zone, const triad_fct_seam *seam, int64_t twin, double dt)
{
  triad_fct_set_twin_bounds(&f->view, &f->domain->zone[zone], &f->domain->box[zone], seam->cell, twin, (triad_real)dt, f->bricks->first,
                            f->setup.hllc);
}

static void copy_values(triad_fct_flow *f, int zone, const triad_fct_seam *seam, int64_t twin, double dt)
{
  triad_real q[TRIAD_FCT_VALUES];
  (void)zone;
  (void)dt;
  triad_fct_load(&f->view.value, seam->cell, TRIAD_FCT_VALUES, q);
  triad_fct_store(&f->view.value, twin, TRIAD_FCT_VALUES, q);
}

void triad_fct_twin_gradients(triad_fct_flow *f) { each_twin(f, set_gradient, 0); }

void triad_fct_twin_bounds(triad_fct_flow *f, double dt) { each_twin(f, set_bounds, dt); }

void triad_fct_twin_values(triad_fct_flow *f) { each_twin(f, copy_values, 0); }
