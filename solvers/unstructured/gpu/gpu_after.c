/* Operations on cells after a step on a GPU: sponges, time averages, sums and probes are computed there, so that no
 * array of the mesh's size is copied to the host. */
#include "solvers/unstructured/gpu/gpu_after.h"
#include "solvers/unstructured/host/host_after.h"
#include "solvers/unstructured/gpu/gpu_internal.h"
#include "solvers/unstructured/gpu/gpu_loops.h"

#include <math.h>
#include <string.h>

enum { BLOCKS = 512 /* that look over cells at most: the host adds what they found */ };

static void *stream_of(const triad_unstructured_flow *f) { return triad_device_stream(f->device); }

#define TABLE(from, n, to) triad_device_table(g->device, "sponges", (n), sizeof *(from), (from), (void **)&(to))

static int take_sponges(triad_unstructured_flow *f, struct triad_unstructured_on_gpu *g)
{
  const triad_unstructured_sponge *s = &f->sponge;
  int64_t most = 1;
  if (!s->cell) return TRIAD_OK;
  for (int p = 0; p < f->mesh->n_patches; p++)
    if (s->begin[p + 1] - s->begin[p] > most) most = s->begin[p + 1] - s->begin[p];
  most = (most + TRIAD_UNSTRUCTURED_GPU_THREADS - 1) / TRIAD_UNSTRUCTURED_GPU_THREADS;
  g->sponge.n_patches = f->mesh->n_patches;
  g->sponge.shares = most < TRIAD_UNSTRUCTURED_GPU_THREADS ? (int)most : TRIAD_UNSTRUCTURED_GPU_THREADS;
  TRIAD_TRY(TABLE(s->cell, s->begin[TRIAD_MESH_PATCHES], g->sponge.cell));
  TRIAD_TRY(TABLE(s->rate, s->begin[TRIAD_MESH_PATCHES], g->sponge.rate));
  TRIAD_TRY(TABLE(s->begin, TRIAD_MESH_PATCHES + 1, g->sponge.begin));
  return triad_device_alloc(g->device, "sponges", (int64_t)g->sponge.n_patches * g->sponge.shares,
                            TRIAD_UNSTRUCTURED_FIELDS * sizeof(double), (void **)&g->sponge.sums);
}

int triad_unstructured_gpu_after_take(triad_unstructured_flow *f)
{
  struct triad_unstructured_on_gpu *g = f->gpu;
  const int64_t needed = (f->domain->n_cells + TRIAD_UNSTRUCTURED_GPU_THREADS - 1) / TRIAD_UNSTRUCTURED_GPU_THREADS;
  g->n_rows = needed < BLOCKS ? (int)(needed > 0 ? needed : 1) : BLOCKS;
  TRIAD_TRY(triad_device_alloc(g->device, "the series", g->n_rows, sizeof *g->rows, (void **)&g->rows));
  if (f->mean.at) {
    g->mean.pitch = f->mean.pitch;
    TRIAD_TRY(triad_device_alloc(g->device, "means", TRIAD_UNSTRUCTURED_MEANS * g->mean.pitch, sizeof(triad_real),
                                 (void **)&g->mean.at));
  }
  return take_sponges(f, g);
}

void triad_unstructured_gpu_after_drop(struct triad_unstructured_on_gpu *g)
{
  void **const pointers[] = {(void **)&g->rows,        (void **)&g->mean.at,      (void **)&g->sponge.cell,
                             (void **)&g->sponge.rate, (void **)&g->sponge.begin, (void **)&g->sponge.sums};
  triad_gpu_gather_drop(&g->watched);
  for (size_t i = 0; i < sizeof pointers / sizeof *pointers; i++) triad_device_free(g->device, pointers[i]);
}

void triad_unstructured_gpu_draw_cells(triad_unstructured_flow *f, double dt)
{
  struct triad_unstructured_on_gpu *g = f->gpu;
  triad_unstructured_gpu_note(
    f, triad_unstructured_gpu_draw(&g->view, &g->sponge, g->outer.rule, dt, g->found, stream_of(f)));
  triad_unstructured_gpu_copy_twins(f);
}

void triad_unstructured_gpu_add_mean(triad_unstructured_flow *f, double w)
{
  triad_unstructured_gpu_note(f, triad_unstructured_gpu_mean(&f->gpu->view, &f->gpu->mean, w, stream_of(f)));
}

int triad_unstructured_gpu_look(triad_unstructured_flow *f, triad_sum sums[TRIAD_UNSTRUCTURED_SUMS],
                                double most[TRIAD_UNSTRUCTURED_MAX])
{
  const struct triad_unstructured_on_gpu *g = f->gpu;
  triad_unstructured_gpu_row rows[BLOCKS];
  TRIAD_TRY(triad_unstructured_gpu_look_over(&g->view, g->n_rows, g->rows, stream_of(f)));
  TRIAD_TRY(triad_device_get(g->device, rows, g->rows, g->n_rows * (int64_t)sizeof *rows));
  for (int b = 0; b < g->n_rows; b++) {
    for (int k = 0; k < TRIAD_UNSTRUCTURED_SUMS; k++) {
      triad_sum_add(&sums[k], rows[b].sum[k]);
      triad_sum_add(&sums[k], rows[b].rest[k]);
    }
    for (int i = 0; i < TRIAD_UNSTRUCTURED_MAX; i++) most[i] = fmax(most[i], rows[b].most[i]);
  }
  return TRIAD_OK;
}

/* A place for each value: those of one field behind those of the other. */
int triad_unstructured_gpu_watch(triad_unstructured_flow *f, const int32_t *cell, int64_t n)
{
  int64_t first[TRIAD_UNSTRUCTURED_FIELDS + 1], *at = NULL;
  TRIAD_TRY(triad_unstructured_host_watch(f, cell, n));
  TRIAD_TRY(TRIAD_ALLOC(f->context->memory, "probes", TRIAD_UNSTRUCTURED_FIELDS * n, &at));
  for (int k = 0; k <= TRIAD_UNSTRUCTURED_FIELDS; k++) first[k] = k * n;
  for (int64_t i = 0; i < TRIAD_UNSTRUCTURED_FIELDS * n; i++) at[i] = cell[i % n];
  int st = triad_gpu_gather_places(&f->gpu->watched, f->device, TRIAD_UNSTRUCTURED_FIELDS, first, at);
  TRIAD_FREE(f->context->memory, &at);
  return st;
}

int triad_unstructured_gpu_picked(triad_unstructured_flow *f, triad_real *out)
{
  const triad_unstructured_numbers *value = &f->gpu->view.value;
  const triad_real *brought;
  triad_real *field[TRIAD_UNSTRUCTURED_FIELDS];
  for (int k = 0; k < TRIAD_UNSTRUCTURED_FIELDS; k++) field[k] = value->at + k * value->pitch;
  TRIAD_TRY(triad_gpu_gather_bring(&f->gpu->watched, field, &brought));
  if (f->n_watched > 0) memcpy(out, brought, (size_t)(TRIAD_UNSTRUCTURED_FIELDS * f->n_watched) * sizeof *out);
  return TRIAD_OK;
}
