/* Sponges: near a far field the gas is drawn towards what is given there, the more the nearer: so that waves that leave
 * are not reflected. How far a cell is from a patch is found by handing on, from cell to cell, the face that is nearest; that takes
 * time in proportion to the cells. */
#include "solvers/unstructured/flow.h"

#include <math.h>
#include <string.h>

typedef struct handing {
  const triad_fct_mesh *m;
  int64_t *first, n; /* cells in the queue */
  int32_t *next, *nearest, *queue;
  uint8_t *waits;
} handing;

static double distance(const triad_fct_mesh *m, int32_t c, int32_t face)
{
  double sum = 0;
  for (int a = 0; a < 3; a++) sum += (m->centre[c][a] - m->face_centre[face][a]) * (m->centre[c][a] - m->face_centre[face][a]);
  return sqrt(sum);
}

static int make_graph(handing *h)
{
  const triad_fct_mesh *m = h->m;
  TRIAD_TRY(TRIAD_ALLOC(m->memory, "sponges", m->n_cells + 2, &h->first));
  TRIAD_TRY(TRIAD_ALLOC(m->memory, "sponges", 2 * m->n_inner, &h->next));
  TRIAD_TRY(TRIAD_ALLOC(m->memory, "sponges", m->n_cells, &h->nearest));
  TRIAD_TRY(TRIAD_ALLOC(m->memory, "sponges", m->n_cells, &h->queue));
  TRIAD_TRY(TRIAD_ALLOC(m->memory, "sponges", m->n_cells, &h->waits));
  for (int64_t f = 0; f < m->n_inner; f++)
    for (int s = 0; s < 2; s++) h->first[m->cell[f][s] + 2]++;
  for (int64_t c = 0; c < m->n_cells; c++) h->first[c + 2] += h->first[c + 1];
  for (int64_t f = 0; f < m->n_inner; f++)
    for (int s = 0; s < 2; s++) h->next[h->first[m->cell[f][s] + 1]++] = m->cell[f][!s];
  return TRIAD_OK;
}

static void offer(handing *h, int32_t c, int32_t face, double reach)
{
  double d = distance(h->m, c, face);
  if (d >= reach || (h->nearest[c] >= 0 && d >= distance(h->m, c, h->nearest[c]))) return;
  h->nearest[c] = face;
  if (h->waits[c]) return;
  h->waits[c] = 1;
  h->queue[h->n++ % h->m->n_cells] = c;
}

/* nearest[c]: a face of the patch that is nearest to the cell, or nearly so; -1: none is within reach. */
static void hand_on(handing *h, int patch, double reach)
{
  const triad_fct_mesh *m = h->m;
  for (int64_t c = 0; c < m->n_cells; c++) h->nearest[c] = -1;
  h->n = 0;
  for (int64_t f = m->n_inner; f < m->n_faces; f++)
    if (m->patch[f] == patch) offer(h, m->cell[f][0], (int32_t)f, reach);
  for (int64_t done = 0; done < h->n; done++) {
    int32_t c = h->queue[done % m->n_cells];
    h->waits[c] = 0;
    for (int64_t i = h->first[c]; i < h->first[c + 1]; i++) offer(h, h->next[i], h->nearest[c], reach);
  }
}

static void take_rates(triad_fct_flow *f, const handing *h, int patch, const triad_fct_patch *p)
{
  for (int64_t c = 0; c < f->domain->n_cells; c++) {
    const int32_t there = (int32_t)f->domain->global[c], face = h->nearest[there];
    if (face < 0) continue;
    const double depth = 1 - distance(h->m, there, face) / p->sponge, rate = p->strength * depth * depth;
    if (rate <= (double)f->sponge[c]) continue;
    f->sponge[c] = (triad_real)rate;
    f->sponge_of[c] = (int8_t)patch;
  }
}

int triad_fct_sponges_make(triad_fct_flow *f)
{
  triad_memory *memory = f->context->memory;
  handing h = {.m = f->mesh};
  int st = TRIAD_OK, any = 0;
  for (int i = 0; i < f->setup.n_patches; i++) any = any || f->setup.patch[i].sponge > 0;
  if (!any) return TRIAD_OK;
  st = TRIAD_ALLOC(memory, "sponges", f->domain->n_cells, &f->sponge);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(memory, "sponges", f->domain->n_cells, &f->sponge_of);
  if (st == TRIAD_OK) st = make_graph(&h);
  for (int i = 0; i < f->setup.n_patches && st == TRIAD_OK; i++) {
    const triad_fct_patch *p = &f->setup.patch[i];
    int number = 0;
    while (strcmp(f->mesh->patch_name[number], p->name) != 0) number++;
    if (!(p->sponge > 0)) continue;
    hand_on(&h, number, p->sponge);
    take_rates(f, &h, number, p);
  }
  TRIAD_FREE(memory, &h.first);
  TRIAD_FREE(memory, &h.next);
  TRIAD_FREE(memory, &h.nearest);
  TRIAD_FREE(memory, &h.queue);
  TRIAD_FREE(memory, &h.waits);
  return st;
}

/* dU/dt = s (U_far - U), implicit; what it takes counts as having left through the patch. */
void triad_fct_sponges_apply(triad_fct_flow *f, double dt, double taken[TRIAD_FCT_PATCHES][5])
{
  for (int64_t c = 0; f->sponge && c < f->domain->n_cells; c++) {
    triad_real far[5];
    const int p = f->sponge_of[c];
    if (!(f->sponge[c] > 0)) continue;
    triad_fct_conserved(&f->gas, f->rule[p].given, far);
    const triad_real s = (triad_real)dt * f->sponge[c];
    for (int k = 0; k < 5; k++) {
      const triad_real before = f->u[k][c];
      f->u[k][c] = (before + s * far[k]) / (1 + s);
      taken[p][k] += (double)(before - f->u[k][c]) * (double)f->domain->volume[c];
    }
  }
}
