/* Memory traffic of a step for `triad bench`: each array counts once per loop (loops.h has the loops). */
#include "solvers/unstructured/step/costs.h"
#include "solvers/unstructured/gpu/gpu.h"

/* Numbers of a stage; of two stages half of what one of them alone does. */
typedef struct counts {
  double cell, face, entry; /* entry: of a side of a listed cell, numbers of four bytes */
} counts;

/* Cells and faces that go by lists, or by faces of a zone. gradients: values 5, themselves 15, the vector between
 * centres 3 of a face; means 15 + 15 fluxes:    values 6, gradients 15; geometry 9 and both cells, a number;
 * low-order fluxes 5, waves 1 in the first stage, antidiffusive 5 rates:     waves 1, 1/V 1, in the first stage
 * transport: low-order fluxes 5; state 5, 1/V 1, td 5, bounds 4 limits:    bounds 4, td 5, 1/V 1; antidiffusive
 * fluxes 5, parts 2 the end:   antidiffusive fluxes 5, parts 2; td 5, 1/V 1, values 6, and in the last stage state 5 */
static counts of_lists(const triad_unstructured_flow *f)
{
  const int high = f->high != TRIAD_UNSTRUCTURED_NO_HIGH, bounded = f->view.bounded;
  const double one = high ? 0.5 : 1; /* of the stages */
  counts n = {.cell = 6 + one + 11 + 12 + 5 * one, .face = 10 + 5 + 2 * one + 5, .entry = 1 + one};
  if (f->gradients) n.cell += 20 + 15, n.face += 3, n.entry += 2;
  if (f->wide) n.cell += 30, n.entry += 1;
  if (high) n.face += 5 + 5, n.entry += 1;
  if (bounded) n.cell += 4 + 10, n.face += 5 + 2 + 2, n.entry += 2;
  return n;
}

/* Bricks. On the CPU stages of some layers lie in its cache: values 6, state 5, 1/V 1, again values 6, and in the
 * last stage state 5; rates: values 6, in the first stage. On a GPU transport: values 6, in the second stage those
 * of the step's start 6, state 5; td 5, bounds 4, antidiffusive fluxes 15 limits:    bounds 4, td 5, 1/V 1,
 * antidiffusive fluxes 15; parts 6 the end:   parts 6, antidiffusive fluxes 15, td 5, 1/V 1; values 6, and in the
 * last stage state 5 rates:     values 4, in the first stage */
static double of_brick(const triad_unstructured_flow *f)
{
  if (!f->device) return 6 + 5 + 1 + 6 + 2.5 + 3;
  return 6 + 3 + 5 + 5 + 15 + 15 + 5 + 6 + 2.5 + 1 + 2 + (f->view.bounded ? 4 + 4 + 5 + 1 + 15 + 6 + 6 : 0);
}

/* Faces by corners have no geometry; in two loops those of listed cells are read, and points. */
static double corners_for_geometry(const triad_unstructured_flow *f)
{
  const triad_unstructured_domain *d = f->domain;
  const int loops = 1 + (f->high == TRIAD_UNSTRUCTURED_LINEAR);
  if (!f->gpu || !triad_unstructured_gpu_steps->by_corners(f)) return 0;
  return loops * (16 * (double)(d->n_cells - d->n_zoned) + 32 * (double)d->mesh->n_points) -
         (9 + 3 * (loops - 1)) * (double)sizeof(triad_real) * (double)d->n_pointed;
}

static double sent_bytes(const triad_unstructured_flow *f, int numbers)
{
  if (f->gpu) return (double)triad_unstructured_gpu_steps->sent_bytes(f, numbers);
  return f->halo ? (double)triad_halo_bytes(f->halo, numbers) : 0;
}

triad_costs triad_unstructured_costs(void *self)
{
  const triad_unstructured_flow *f = self;
  const triad_unstructured_domain *d = f->domain;
  const double real = (double)sizeof(triad_real), bricks = (double)d->n_bricks,
               cells = (double)(d->n_cells - d->n_bricks);
  const int linear = f->high == TRIAD_UNSTRUCTURED_LINEAR, bounded = f->view.bounded,
            stages = f->high != TRIAD_UNSTRUCTURED_NO_HIGH ? 2 : 1;
  const double faces = (double)(d->n_slots > d->n_faces ? d->n_slots : d->n_faces);
  /* bricks' rows are asked for by no loop */
  const double entries = (double)d->start[d->rows[TRIAD_UNSTRUCTURED_SHELL].first / TRIAD_UNSTRUCTURED_SLICE];
  const counts lists = of_lists(f);
  const double bytes = real * (lists.cell * cells + lists.face * faces + of_brick(f) * bricks) +
                       4 * lists.entry * entries + corners_for_geometry(f);
  const int numbers = TRIAD_UNSTRUCTURED_VALUES + linear * TRIAD_UNSTRUCTURED_GRADIENT +
                      bounded * (TRIAD_UNSTRUCTURED_BOUNDS + TRIAD_UNSTRUCTURED_LIMITS);
  return (triad_costs){.bytes = stages * bytes,
                       .sent_bytes = stages * sent_bytes(f, numbers),
                       .flops =
                         stages * ((double)d->n_cells * 500 + (double)(d->n_between + d->n_faces - d->n_inner) * 300),
                       .stages = stages,
                       .cells = f->mesh->all_cells,
                       .start_parts = TRIAD_UNSTRUCTURED_STARTS,
                       .start = f->start_part,
                       .transport = f->gpu ? triad_unstructured_gpu_steps->transport(f) : "mpi"};
}
