/* Sponges: near a far field the gas is relaxed towards the given state, faster the nearer it is, so that outgoing
 * waves are not reflected (after_points.h); the change counts as flux through the patch. The distance of a cell
 * from a patch is found by passing the nearest face from cell to cell, in time proportional to the number of cells. */
#include "solvers/unstructured/step/sponge.h"
#include "solvers/unstructured/case/patch_rules.h"
#include "solvers/unstructured/state/flow.h"
#include "mesh/parts/partition_measure.h"
#include "mesh/sizes.h"

#include <math.h>
#include <string.h>

typedef struct handing {
  const triad_mesh *m;
  const triad_mesh_partition *partition;
  int64_t *first, n; /* cells in the queue */
  int32_t *next, *queue;
  double (*nearest)[3]; /* [cells] centre of the nearest face; NAN: none yet */
  uint8_t *waits;
} handing;

static double distance(const triad_mesh *m, int64_t c, const double face[3])
{
  double sum = 0;
  for (int a = 0; a < 3; a++) sum += (m->centre[c][a] - face[a]) * (m->centre[c][a] - face[a]);
  return sqrt(sum);
}

static int make_graph(handing *h)
{
  const triad_mesh *m = h->m;
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

static void offer(handing *h, int32_t c, const double face[3], double reach)
{
  const double d = distance(h->m, c, face);
  if (d >= reach || (!isnan(h->nearest[c][0]) && d >= distance(h->m, c, h->nearest[c]))) return;
  memcpy(h->nearest[c], face, sizeof h->nearest[c]);
  if (h->waits[c]) return;
  h->waits[c] = 1;
  h->queue[h->n++ % h->m->n_cells] = c;
}

/* Process the queue: offer each cell's nearest face to its neighbours until the queue is empty. */
static void empty_queue(handing *h, double reach)
{
  for (int64_t done = 0; done < h->n; done++) {
    const int32_t c = h->queue[done % h->m->n_cells];
    h->waits[c] = 0;
    for (int64_t i = h->first[c]; i < h->first[c + 1]; i++) offer(h, h->next[i], h->nearest[c], reach);
  }
  h->n = 0;
}

/* Receive the nearest faces that neighbour ranks found and pass them on; *more: 1 if a cell of any rank changed. */
static int receive_nearest(handing *h, const triad_comm *comm, double reach, int *more)
{
  const triad_mesh *m = h->m;
  int mine = 0;
  TRIAD_TRY(triad_mesh_partition_exchange(h->partition, h->nearest[0], 3));
  for (int64_t c = 0; c < m->n_cells; c++) {
    if (m->owner[c] == comm->rank || isnan(h->nearest[c][0])) continue;
    for (int64_t i = h->first[c]; i < h->first[c + 1]; i++)
      if (m->owner[h->next[i]] == comm->rank) offer(h, h->next[i], h->nearest[c], reach);
  }
  mine = h->n > 0;
  empty_queue(h, reach);
  return TRIAD_MPI(MPI_Allreduce(&mine, more, 1, MPI_INT, MPI_MAX, comm->mpi));
}

/* Set nearest[c] to the centre of a nearest (or nearly nearest) face of the patch; NAN: none is within reach. */
static int hand_on(handing *h, const triad_comm *comm, int patch, double reach)
{
  const triad_mesh *m = h->m;
  for (int64_t c = 0; c < m->n_cells; c++) h->nearest[c][0] = NAN;
  for (int64_t f = m->n_inner; f < m->n_faces; f++) {
    double area[3], centre[3];
    if (m->patch[f] != patch) continue;
    triad_mesh_face_size(m, f, area, centre);
    offer(h, m->cell[f][0], centre, reach);
  }
  empty_queue(h, reach);
  for (int more = h->partition != NULL; more;) TRIAD_TRY(receive_nearest(h, comm, reach, &more));
  return TRIAD_OK;
}

/* Own cells' rates: the largest of all patches', and whose that is. */
typedef struct strongest {
  triad_real *rate;
  int8_t *patch;
} strongest;

static void take_rates(const triad_unstructured_flow *f, const handing *h, int patch, const triad_unstructured_patch *p,
                       strongest *found)
{
  for (int64_t c = 0; c < f->domain->n_cells; c++) {
    const int32_t there = f->domain->in_mesh[c];
    if (isnan(h->nearest[there][0])) continue;
    const double depth = 1 - distance(h->m, there, h->nearest[there]) / p->sponge, rate = p->strength * depth * depth;
    if (rate <= (double)found->rate[c]) continue;
    found->rate[c] = (triad_real)rate;
    found->patch[c] = (int8_t)patch;
  }
}

/* Patch by patch. */
static int list_cells(triad_unstructured_flow *f, const strongest *found)
{
  triad_memory *memory = f->context->memory;
  triad_unstructured_sponge *s = &f->sponge;
  const int64_t n_cells = f->domain->n_cells;
  int64_t n = 0;
  for (int64_t c = 0; c < n_cells; c++) n += found->rate[c] > 0;
  TRIAD_TRY(TRIAD_ALLOC(memory, "sponges", n, &s->cell));
  TRIAD_TRY(TRIAD_ALLOC(memory, "sponges", n, &s->rate));
  TRIAD_TRY(TRIAD_ALLOC(memory, "sponges", n / TRIAD_UNSTRUCTURED_SPONGE_PART + 1, &s->taken));
  n = 0;
  for (int p = 0; p < TRIAD_MESH_PATCHES; p++) {
    for (int64_t c = 0; c < n_cells && p < f->mesh->n_patches; c++) {
      if (!(found->rate[c] > 0) || found->patch[c] != p) continue;
      s->cell[n] = (int32_t)c;
      s->rate[n++] = found->rate[c];
    }
    s->begin[p + 1] = n;
  }
  return TRIAD_OK;
}

static int allocate_buffers(const triad_unstructured_flow *f, handing *h, strongest *found)
{
  TRIAD_TRY(TRIAD_ALLOC(f->context->memory, "sponges", f->domain->n_cells, &found->rate));
  TRIAD_TRY(TRIAD_ALLOC(f->context->memory, "sponges", f->domain->n_cells, &found->patch));
  return make_graph(h);
}

void triad_unstructured_sponges_drop(triad_unstructured_sponge *s, triad_memory *memory)
{
  TRIAD_FREE(memory, &s->cell);
  TRIAD_FREE(memory, &s->rate);
  TRIAD_FREE(memory, &s->taken);
}

int triad_unstructured_sponges_make(triad_unstructured_flow *f)
{
  triad_memory *memory = f->context->memory;
  handing h = {.m = f->mesh, .partition = f->partition};
  strongest found = {NULL, NULL};
  if (!f->setup.sponges) return TRIAD_OK;
  int st = triad_agree(&f->context->comm, allocate_buffers(f, &h, &found));
  for (int i = 0; i < f->setup.n_patches * f->mesh->n_patches && st == TRIAD_OK; i++) {
    const triad_unstructured_patch *p = &f->setup.patch[i / f->mesh->n_patches];
    const int number = i % f->mesh->n_patches;
    if (!(p->sponge > 0) || triad_unstructured_setup_patch(&f->setup, f->mesh, number) != p) continue;
    st = hand_on(&h, &f->context->comm, number, p->sponge);
    if (st == TRIAD_OK) take_rates(f, &h, number, p, &found);
  }
  if (st == TRIAD_OK) st = triad_agree(&f->context->comm, list_cells(f, &found));
  TRIAD_FREE(memory, &h.first);
  TRIAD_FREE(memory, &h.next);
  TRIAD_FREE(memory, &h.nearest);
  TRIAD_FREE(memory, &h.queue);
  TRIAD_FREE(memory, &h.waits);
  TRIAD_FREE(memory, &found.rate);
  TRIAD_FREE(memory, &found.patch);
  return st;
}
