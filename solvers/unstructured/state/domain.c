/* Create the cells, ghosts, faces and zones of a rank, and the plan by which ghosts are exchanged. */
#include "solvers/unstructured/state/domain_internal.h"
#include "solvers/unstructured/state/domain_rows.h"
#include "solvers/unstructured/state/domain_cells.h"
#include "solvers/unstructured/state/domain_faces.h"
#include "solvers/unstructured/state/domain_weights.h"

#include "base/clock.h"

#include <stdlib.h>

int triad_unstructured_take_numbers(triad_memory *memory, const char *owner, int64_t items, int n,
                                    triad_unstructured_numbers *out)
{
  out->pitch = triad_unstructured_pitch(items);
  return TRIAD_ALLOC(memory, owner, out->pitch * n, &out->at);
}

static void drop(triad_unstructured_making *k)
{
  triad_memory *memory = k->d->context->memory;
  TRIAD_FREE(memory, &k->list);
  TRIAD_FREE(memory, &k->local);
  TRIAD_FREE(memory, &k->room);
  TRIAD_FREE(memory, &k->at_edge);
  TRIAD_FREE(memory, &k->zoned);
  TRIAD_FREE(memory, &k->within);
  TRIAD_FREE(memory, &k->faces);
  TRIAD_FREE(memory, &k->sorted);
  TRIAD_FREE(memory, &k->bucket);
  TRIAD_FREE(memory, &k->taken);
  TRIAD_FREE(memory, &k->colour);
  TRIAD_FREE(memory, &k->pairs);
  triad_mesh_zones_free(&k->zones, memory);
}

static int make_parts(triad_unstructured_making *k)
{
  const double begin = triad_now();
  TRIAD_TRY(triad_unstructured_place_cells(k));
  const double placed = triad_now();
  k->d->cells_s = placed - begin;
  TRIAD_TRY(triad_unstructured_place_faces(k));
  k->d->faces_s = triad_now() - placed;
  drop(k); /* rows are made of the domain alone, and take the most memory */
  TRIAD_TRY(triad_unstructured_make_rows(k->d));
  TRIAD_TRY(triad_unstructured_soften(k->d));
  k->d->rows_s = triad_now() - placed - k->d->faces_s;
  return TRIAD_OK;
}

int triad_unstructured_domain_create(triad_unstructured_domain **out, const triad_context *context,
                                     const triad_mesh *mesh, triad_unstructured_layout layout)
{
  triad_unstructured_domain *d = *out = calloc(1, sizeof *d);
  if (!d) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the domain");
  triad_unstructured_making k = {.d = d, .m = mesh, .layout = layout};
  d->context = context;
  d->mesh = mesh;
  int st = make_parts(&k);
  for (int own = 0; own < 2 && st == TRIAD_OK; own++)
    st = triad_unstructured_ghosts(d, own, &d->seen[own], &d->n_seen[own]);
  drop(&k);
  TRIAD_FREE(context->memory, &d->rank_of);
  return st;
}

void triad_unstructured_domain_destroy(triad_unstructured_domain **domain)
{
  triad_unstructured_domain *d = *domain;
  if (!d) return;
  triad_memory *memory = d->context->memory;
  TRIAD_FREE(memory, &d->rank_of);
  TRIAD_FREE(memory, &d->seen[0]);
  TRIAD_FREE(memory, &d->seen[1]);
  if (d->global != d->in_mesh) TRIAD_FREE(memory, &d->global);
  TRIAD_FREE(memory, &d->in_mesh);
  TRIAD_FREE(memory, &d->per_volume);
  TRIAD_FREE(memory, &d->softening.at);
  TRIAD_FREE(memory, &d->cell);
  TRIAD_FREE(memory, &d->geometry.at);
  TRIAD_FREE(memory, &d->kept_words);
  TRIAD_FREE(memory, &d->patch);
  TRIAD_FREE(memory, &d->face_in_mesh);
  TRIAD_FREE(memory, &d->zone);
  TRIAD_FREE(memory, &d->box);
  TRIAD_FREE(memory, &d->layers);
  TRIAD_FREE(memory, &d->on_side);
  TRIAD_FREE(memory, &d->across);
  TRIAD_FREE(memory, &d->twin);
  TRIAD_FREE(memory, &d->joined);
  TRIAD_FREE(memory, &d->seam);
  TRIAD_FREE(memory, &d->opposite);
  TRIAD_FREE(memory, &d->part);
  TRIAD_FREE(memory, &d->rim);
  TRIAD_FREE(memory, &d->start);
  TRIAD_FREE(memory, &d->near);
  TRIAD_FREE(memory, &d->side);
  TRIAD_FREE(memory, &d->sides);
  free(d);
  *domain = NULL;
}

/* ---- the exchange ---- */

/* Runs of each peer. Sent cells by their global number, in which order the receiver has its ghosts; of bricks, which
 * other ranks see through a joined side alone, twins. */
static int add_runs(triad_exchange_plan *plan, const triad_unstructured_ghost *list, int64_t n, const int64_t *places,
                    int receive)
{
  int st = TRIAD_OK;
  for (int64_t begin = 0, end; begin < n && st == TRIAD_OK; begin = end) {
    for (end = begin; end < n && list[end].rank == list[begin].rank;) end++;
    triad_exchange_run run = triad_exchange_run_of_list(places + begin, end - begin);
    st = receive ? triad_exchange_plan_receive(plan, list[begin].rank, &run)
                 : triad_exchange_plan_send(plan, list[begin].rank, &run);
  }
  return st;
}

int triad_unstructured_domain_plan(const triad_unstructured_domain *d, triad_exchange_plan **plan)
{
  triad_memory *memory = d->context->memory;
  const triad_unstructured_ghost *ghosts = d->seen[0], *seen = d->seen[1];
  const int64_t n_ghosts = d->n_seen[0], n_seen = d->n_seen[1];
  int64_t *at = NULL, *local = NULL;
  int st = triad_exchange_plan_create(plan);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(memory, "the domain of a rank", n_ghosts + n_seen, &at);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(memory, "the domain of a rank", d->mesh->n_cells, &local);
  if (st == TRIAD_OK) {
    for (int64_t i = 0; i < d->n_cells; i++) local[d->in_mesh[i]] = i;
    for (int64_t i = 0; i < d->n_seams; i++)
      if (d->seam[i].face >= d->n_own) local[d->in_mesh[d->seam[i].cell]] = triad_unstructured_domain_twins(d) + i;
    for (int64_t i = 0; i < n_seen; i++) at[i] = local[seen[i].cell];
    st = add_runs(*plan, seen, n_seen, at, 0);
    for (int64_t i = 0; i < n_ghosts; i++) at[i] = d->n_cells + i;
    if (st == TRIAD_OK) st = add_runs(*plan, ghosts, n_ghosts, at, 1);
  }
  TRIAD_FREE(memory, &at);
  TRIAD_FREE(memory, &local);
  return st;
}

int triad_unstructured_domain_halo(triad_halo **out, const triad_unstructured_domain *d, int n_fields)
{
  triad_exchange_plan *plan = NULL;
  *out = NULL;
  int st = triad_agree(&d->context->comm, triad_unstructured_domain_plan(d, &plan));
  if (st == TRIAD_OK) return triad_halo_create(out, d->context, &plan, n_fields);
  triad_exchange_plan_destroy(&plan);
  return st;
}

void triad_unstructured_domain_count(const triad_unstructured_domain *d, int64_t out[TRIAD_UNSTRUCTURED_PART_NUMBERS])
{
  int64_t sides = 0, peers = 0;
  for (int64_t c = 0; c < d->n_cells; c++) sides += triad_mesh_sides(d->mesh, d->in_mesh[c]);
  for (int64_t i = 0; i < d->n_seen[0]; i++) peers += i == 0 || d->seen[0][i].rank != d->seen[0][i - 1].rank;
  out[TRIAD_UNSTRUCTURED_PART_SIDES] = sides;
  out[TRIAD_UNSTRUCTURED_PART_FACES] = d->n_inner - d->n_own;
  out[TRIAD_UNSTRUCTURED_PART_GHOSTS] = d->n_ghosts;
  out[TRIAD_UNSTRUCTURED_PART_PEERS] = peers;
  out[TRIAD_UNSTRUCTURED_PART_ZONED] = d->n_zoned;
}
