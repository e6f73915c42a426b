/* Update ghost copies of bricks (twins, domain.h), which listed cells read, on the CPU. */
#include "solvers/unstructured/host/host_bricks.h"

typedef void work(triad_unstructured_flow *f, int zone, const triad_unstructured_seam *seam, int64_t twin, double dt);

static void each_twin(triad_unstructured_flow *f, work *do_it, double dt)
{
  const triad_unstructured_domain *d = f->domain;
  for (int z = 0; z < d->n_boxes; z++) {
    const int64_t begin = d->box[z].seam, end = begin + d->box[z].n_seams;
#pragma omp parallel for schedule(static) num_threads(f->context->threads)
    for (int64_t i = begin; i < end; i++) do_it(f, z, &d->seam[i], triad_unstructured_domain_twins(d) + i, dt);
  }
}

static int is_joined(const triad_unstructured_flow *f, const triad_unstructured_seam *seam)
{
  return seam->face >= f->domain->n_own;
}

static void set_gradient(triad_unstructured_flow *f, int zone, const triad_unstructured_seam *seam, int64_t twin,
                         double dt)
{
  (void)dt;
  if (is_joined(f, seam)) return;
  triad_unstructured_set_twin_gradient(&f->view, &f->domain->zone[zone], &f->domain->box[zone], seam->cell, seam->side,
                                       twin);
}

static void set_bounds(triad_unstructured_flow *f, int zone, const triad_unstructured_seam *seam, int64_t twin,
                       double dt)
{
  if (is_joined(f, seam)) return;
  triad_unstructured_set_twin_bounds(
    &f->view, &f->domain->zone[zone], &f->domain->box[zone], seam->cell, twin, (triad_real)dt,
    f->bricks->first ? TRIAD_UNSTRUCTURED_OF_VALUES : TRIAD_UNSTRUCTURED_OF_STATE, f->setup.riemann);
}

static void copy_values(triad_unstructured_flow *f, int zone, const triad_unstructured_seam *seam, int64_t twin,
                        double dt)
{
  triad_real q[TRIAD_UNSTRUCTURED_VALUES];
  (void)zone;
  (void)dt;
  triad_unstructured_load(&f->view.value, seam->cell, TRIAD_UNSTRUCTURED_VALUES, q);
  triad_unstructured_store(&f->view.value, twin, TRIAD_UNSTRUCTURED_VALUES, q);
}

void triad_unstructured_twin_gradients(triad_unstructured_flow *f) { each_twin(f, set_gradient, 0); }

/* Set the gradients of n ghost copies of cells in a row, from the cells across the joined side below and the next
 * layer above, like triad_unstructured_set_twin_gradient. */
static void set_row(const triad_unstructured_view *v, int64_t cell, int64_t above, const int32_t *across,
                    const int32_t *twin, int n, int coordinate, triad_real below_part, triad_real above_part)
{
  for (int k = 0; k < TRIAD_UNSTRUCTURED_FIELDS; k++) {
    const triad_real *q = v->value.at + k * v->value.pitch;
    for (int a = 0; a < 3; a++) {
      triad_real *to = v->gradient.at + (3 * k + a) * v->gradient.pitch;
      const triad_real below = a == coordinate ? below_part : 0, up = a == coordinate ? above_part : 0;
#pragma omp simd
      for (int x = 0; x < n; x++) {
        const triad_real own = q[cell + x];
        to[twin[x]] = below * (q[across[x]] - own) + up * (q[cell + above + x] - own);
      }
    }
  }
}

void triad_unstructured_joined_gradients(triad_unstructured_flow *f)
{
  const triad_unstructured_domain *d = f->domain;
  for (int z = 0; z < d->n_boxes; z++) {
    const triad_mesh_zone *zone = &d->zone[z];
    const triad_unstructured_box *box = &d->box[z];
    const int c = box->axis[0] == 2 ? 0 : box->axis[1] == 2 ? 1 : 2;
    const triad_real *layer = box->layer[c], scale = 2 * box->sign[c] * layer[TRIAD_UNSTRUCTURED_BOX_PER_LENGTH];
    const int64_t side = box->outer[TRIAD_UNSTRUCTURED_JOINED_SIDE] - d->on_side;
#pragma omp parallel for schedule(static) num_threads(f->context->threads)
    for (int y = 0; y < (d->joined[z] ? zone->n[1] : 0); y++) {
      const int64_t row = zone->n[0] * (int64_t)y;
      set_row(&f->view, zone->cell + row, zone->stride[2], d->across + side + row, d->twin + side + row, zone->n[0], c,
              scale * layer[TRIAD_UNSTRUCTURED_BOX_BELOW], scale * layer[TRIAD_UNSTRUCTURED_BOX_ABOVE]);
    }
  }
}

void triad_unstructured_twin_bounds(triad_unstructured_flow *f, double dt) { each_twin(f, set_bounds, dt); }

void triad_unstructured_twin_values(triad_unstructured_flow *f) { each_twin(f, copy_values, 0); }
