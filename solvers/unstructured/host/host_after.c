/* Operations on cells after a step on the CPU: sponges, time averages, sums for the series, values at probes
 * (loops.h). */
#include "solvers/unstructured/host/host_after.h"
#include "solvers/unstructured/state/flow.h"

#include <math.h>

/* ---- sponges ---- */

/* Cells of a patch some at a time, each with a sum of its own, so that all sums are the same with any number of
 * threads. */
static void draw_patch(triad_unstructured_flow *f, int patch, triad_real dt)
{
  const triad_unstructured_sponge *sponge = &f->sponge;
  const int64_t first = sponge->begin[patch], n = sponge->begin[patch + 1] - first;
  const int64_t parts = (n + TRIAD_UNSTRUCTURED_SPONGE_PART - 1) / TRIAD_UNSTRUCTURED_SPONGE_PART;
  triad_real far[TRIAD_UNSTRUCTURED_FIELDS];
  triad_gas_values_conserved(&f->gas, f->rule[patch].given, far);
#pragma omp parallel for schedule(static) num_threads(f->context->threads)
  for (int64_t part = 0; part < parts; part++) {
    double taken[TRIAD_UNSTRUCTURED_FIELDS] = {0};
    const int64_t begin = part * TRIAD_UNSTRUCTURED_SPONGE_PART,
                  end = begin + TRIAD_UNSTRUCTURED_SPONGE_PART < n ? begin + TRIAD_UNSTRUCTURED_SPONGE_PART : n;
    for (int64_t i = first + begin; i < first + end; i++)
      triad_unstructured_draw(&f->view, sponge->cell[i], dt * sponge->rate[i], far, taken);
    for (int k = 0; k < TRIAD_UNSTRUCTURED_FIELDS; k++) sponge->taken[part][k] = taken[k];
  }
  for (int64_t part = 0; part < parts; part++)
    for (int k = 0; k < TRIAD_UNSTRUCTURED_FIELDS; k++) f->passed[patch][k] += sponge->taken[part][k];
}

void triad_unstructured_host_draw(triad_unstructured_flow *f, double dt)
{
  for (int p = 0; p < f->mesh->n_patches; p++)
    if (f->sponge.begin[p + 1] > f->sponge.begin[p]) draw_patch(f, p, (triad_real)dt);
}

/* ---- means, the series ---- */

void triad_unstructured_host_mean(triad_unstructured_flow *f, double w)
{
#pragma omp parallel for schedule(static) num_threads(f->context->threads)
  for (int64_t c = 0; c < f->domain->n_cells; c++) triad_unstructured_add_mean(&f->view, &f->mean, c, (triad_real)w);
}

int triad_unstructured_host_look_over(triad_unstructured_flow *f, triad_sum sums[TRIAD_UNSTRUCTURED_SUMS],
                                      double most[TRIAD_UNSTRUCTURED_MAX])
{
  const int64_t n = f->domain->n_cells;
#pragma omp parallel num_threads(f->context->threads)
  {
    triad_sum mine[TRIAD_UNSTRUCTURED_SUMS];
    double terms[TRIAD_UNSTRUCTURED_SUMS], largest[TRIAD_UNSTRUCTURED_MAX];
    for (int k = 0; k < TRIAD_UNSTRUCTURED_SUMS; k++) triad_sum_clear(&mine[k]);
    for (int i = 0; i < TRIAD_UNSTRUCTURED_MAX; i++) largest[i] = -INFINITY;
#pragma omp for schedule(static)
    for (int64_t c = 0; c < n; c++) {
      triad_unstructured_terms(&f->view, c, terms, largest);
      for (int k = 0; k < TRIAD_UNSTRUCTURED_SUMS; k++) triad_sum_add(&mine[k], terms[k]);
    }
#pragma omp critical(triad_unstructured_look_over)
    {
      for (int k = 0; k < TRIAD_UNSTRUCTURED_SUMS; k++) triad_sum_merge(&sums[k], &mine[k]);
      for (int i = 0; i < TRIAD_UNSTRUCTURED_MAX; i++) most[i] = fmax(most[i], largest[i]);
    }
  }
  return TRIAD_OK;
}

/* ---- probes ---- */

int triad_unstructured_host_watch(triad_unstructured_flow *f, const int32_t *cell, int64_t n)
{
  f->watched = cell;
  f->n_watched = n;
  return TRIAD_OK;
}

int triad_unstructured_host_pick(triad_unstructured_flow *f, triad_real *out)
{
  const triad_unstructured_numbers *value = &f->view.value;
  for (int k = 0; k < TRIAD_UNSTRUCTURED_FIELDS; k++)
    for (int64_t i = 0; i < f->n_watched; i++) out[k * f->n_watched + i] = value->at[k * value->pitch + f->watched[i]];
  return TRIAD_OK;
}
