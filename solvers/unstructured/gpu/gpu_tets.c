/* Store the corners of listed tetrahedra and their positions on a GPU (tets.h). Points are in the order in which
 * cells first refer to them, so that those of neighbours are close together. */
#include "solvers/unstructured/gpu/gpu_tets.h"
#include "solvers/unstructured/gpu/gpu_internal.h"

/* The host's tables, while they are made. */
typedef struct tables {
  /* of listed cells; of each point of the mesh, one more than its number here, 0: none yet */
  int32_t (*corner)[4], *number;
  double (*point)[4];
  int64_t n; /* points */
} tables;

/* Only tetrahedra need corners. */
static void number_points(const triad_unstructured_domain *d, tables *t)
{
  const triad_mesh *m = d->mesh;
  for (int64_t c = d->n_zoned; c < d->n_cells + d->n_ghosts; c++) {
    const int32_t *corner = m->corner + m->first[d->in_mesh[c]];
    if (m->shape[d->in_mesh[c]] != TRIAD_MESH_TET) continue;
    for (int i = 0; i < 4; i++) {
      int32_t *number = &t->number[corner[i]];
      if (*number == 0) *number = (int32_t)++t->n;
      t->corner[c - d->n_zoned][i] = *number - 1;
    }
  }
}

static void place_points(const triad_mesh *m, tables *t)
{
  for (int64_t p = 0; p < m->n_points; p++)
    for (int a = 0; a < 3 && t->number[p] > 0; a++) t->point[t->number[p] - 1][a] = m->x[p][a];
}

static int make_tables(triad_unstructured_flow *f, tables *t)
{
  triad_memory *memory = f->context->memory;
  const triad_unstructured_domain *d = f->domain;
  struct triad_unstructured_on_gpu *g = f->gpu;
  const int64_t cells = d->n_cells + d->n_ghosts - d->n_zoned;
  TRIAD_TRY(TRIAD_ALLOC(memory, "a GPU's mesh", cells, &t->corner));
  TRIAD_TRY(TRIAD_ALLOC(memory, "a GPU's mesh", d->mesh->n_points, &t->number));
  number_points(d, t);
  TRIAD_TRY(triad_device_table(g->device, "mesh", cells, sizeof *t->corner, t->corner, (void **)&g->corner));
  g->view.corner = (const int32_t(*)[4])g->corner - d->n_zoned;
  TRIAD_FREE(memory, &t->corner);
  TRIAD_TRY(TRIAD_ALLOC(memory, "a GPU's mesh", t->n, &t->point));
  place_points(d->mesh, t);
  return triad_device_table(g->device, "mesh", t->n, sizeof *t->point, t->point, (void **)&g->view.point);
}

int triad_unstructured_gpu_tets_make(triad_unstructured_flow *f)
{
  triad_memory *memory = f->context->memory;
  const triad_unstructured_domain *d = f->domain;
  struct triad_unstructured_on_gpu *g = f->gpu;
  tables t = {0};
  if (d->n_pointed == 0) return TRIAD_OK;
  if (d->kept_words)
    TRIAD_TRY(triad_device_table(g->device, "mesh", (d->n_inner + 31) / 32, sizeof *d->kept_words, d->kept_words,
                                 (void **)&g->view.kept_words));
  int st = make_tables(f, &t);
  TRIAD_FREE(memory, &t.corner);
  TRIAD_FREE(memory, &t.number);
  TRIAD_FREE(memory, &t.point);
  return st;
}
