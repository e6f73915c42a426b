#include "solvers/unstructured/partition_own.h"

#include "base/clock.h"
#include "solvers/unstructured/point_set.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- cells to their owners ---- */

/* Cells of the slice in the order of ranks; numbers for each rank in count. */
static int pack_slice(const triad_fct_partition *k, const int32_t *rank_of, int32_t **items, int64_t *count, int64_t *begin)
{
  const triad_fct_mesh *m = k->slices.cells;
  const int size = k->context->comm.size;
  int64_t all = 0;
  for (int64_t c = 0; c < m->n_cells; c++) count[rank_of[c]] += triad_fct_packed_size(m, c);
  for (int r = 0; r < size; r++) {
    begin[r] = all;
    all += count[r];
  }
  TRIAD_TRY(TRIAD_ALLOC(k->context->memory, "mesh being cut", all, items));
  for (int64_t c = 0; c < m->n_cells; c++)
    begin[rank_of[c]] += triad_fct_pack_cell(m, c, (int32_t)(k->slices.first + c), *items + begin[rank_of[c]]);
  return TRIAD_OK;
}

static int send_to_owners(triad_fct_partition *k, const int32_t *rank_of, int64_t *count)
{
  triad_memory *memory = k->context->memory;
  const int size = k->context->comm.size;
  int32_t *items = NULL;
  triad_fct_delivery d = {.bytes = sizeof *items, .count = count, .got = count + size};
  int st = pack_slice(k, rank_of, &items, count, count + 2 * (int64_t)size);
  triad_fct_slices_drop_cells(&k->slices);
  d.items = items;
  st = triad_fct_deliver(k->context, &d, st);
  TRIAD_FREE(memory, &items);
  if (st == TRIAD_OK) st = triad_agree(&k->context->comm, triad_fct_unpack_cells(&k->own, k->context, &d, count + 2 * (int64_t)size));
  triad_memory_free(memory, &d.received);
  return st;
}

static int deal(triad_fct_partition *k, int64_t *count)
{
  int32_t *rank_of = NULL;
  int st = triad_agree(&k->context->comm, TRIAD_ALLOC(k->context->memory, "mesh being cut", k->slices.cells->n_cells, &rank_of));
  if (st == TRIAD_OK) st = triad_fct_partition_deal(k, rank_of);
  if (st == TRIAD_OK) st = send_to_owners(k, rank_of, count);
  TRIAD_FREE(k->context->memory, &rank_of);
  return st;
}

/* ---- cells of others ---- */

static int pack_shared(triad_fct_partition *k, int32_t **items, int64_t *count)
{
  int64_t n = 0;
  memset(k->sent, 0, (size_t)k->context->comm.size * sizeof *k->sent);
  for (int64_t i = 0; i < k->n_shared; i++) {
    k->sent[k->shared[i].rank]++;
    count[k->shared[i].rank] += triad_fct_packed_size(k->own, k->shared[i].cell);
    n += triad_fct_packed_size(k->own, k->shared[i].cell);
  }
  TRIAD_TRY(TRIAD_ALLOC(k->context->memory, "mesh being cut", n, items));
  n = 0;
  for (int64_t i = 0; i < k->n_shared; i++)
    n += triad_fct_pack_cell(k->own, k->shared[i].cell, k->own->number[k->shared[i].cell], *items + n);
  return TRIAD_OK;
}

static int pass_shared(triad_fct_partition *k, int64_t *count)
{
  triad_memory *memory = k->context->memory;
  int32_t *items = NULL;
  memset(count, 0, 2 * (size_t)k->context->comm.size * sizeof *count);
  triad_fct_delivery d = {.bytes = sizeof *items, .count = count, .got = count + k->context->comm.size};
  triad_fct_mesh_destroy(&k->others);
  int st = pack_shared(k, &items, count);
  d.items = items;
  st = triad_fct_deliver(k->context, &d, st);
  TRIAD_FREE(memory, &items);
  if (st == TRIAD_OK) st = triad_agree(&k->context->comm, triad_fct_unpack_cells(&k->others, k->context, &d, k->got));
  triad_memory_free(memory, &d.received);
  return st;
}

/* ---- the part ---- */

typedef struct other {
  int32_t number, place, rank;
} other;

static int other_order(const void *a, const void *b)
{
  const int32_t x = ((const other *)a)->number, y = ((const other *)b)->number;
  return x < y ? -1 : x > y;
}

static void list_others(const triad_fct_partition *k, other *list)
{
  int64_t n = 0;
  for (int r = 0; r < k->context->comm.size; r++)
    for (int64_t i = 0; i < k->got[r]; i++, n++) list[n] = (other){k->others->number[n], (int32_t)n, r};
  qsort(list, (size_t)n, sizeof *list, other_order);
}

static void add_cell(triad_fct_mesh *m, int64_t at, const triad_fct_mesh *from, int64_t c, int owner, const triad_fct_point_set *points)
{
  const int64_t n = from->first[c + 1] - from->first[c];
  m->number[at] = from->number[c];
  m->owner[at] = owner;
  m->shape[at] = from->shape[c];
  m->first[at + 1] = m->first[at] + n;
  for (int64_t i = 0; i < n; i++) m->corner[m->first[at] + i] = triad_fct_point_set_place(points, from->corner[from->first[c] + i]);
}

/* Own cells and others by their numbers. */
static void merge_cells(triad_fct_partition *k, const other *list, const triad_fct_point_set *points)
{
  triad_fct_mesh *m = k->mesh;
  int64_t own = 0, others = 0;
  for (int64_t at = 0; at < m->n_cells; at++) {
    const int is_own = others == k->others->n_cells || (own < k->own->n_cells && k->own->number[own] < list[others].number);
    if (is_own) {
      add_cell(m, at, k->own, own, k->context->comm.rank, points);
      k->own_at[own++] = (int32_t)at;
    } else {
      add_cell(m, at, k->others, list[others].place, list[others].rank, points);
      k->others_at[list[others++].place] = (int32_t)at;
    }
  }
}

static void add_points(const triad_fct_mesh *m, triad_fct_point_set *points)
{
  for (int64_t i = 0; i < m->first[m->n_cells]; i++) triad_fct_point_set_add(points, m->corner[i]);
}

static int take_part(triad_fct_partition *k, triad_fct_point_set *points)
{
  triad_memory *memory = k->context->memory;
  const int64_t cells = k->own->n_cells + k->others->n_cells;
  TRIAD_TRY(triad_fct_point_set_create(points, memory, k->slices.n_points));
  add_points(k->own, points);
  add_points(k->others, points);
  triad_fct_point_set_count(points);
  triad_fct_mesh_destroy(&k->mesh);
  TRIAD_TRY(triad_fct_mesh_create(&k->mesh, memory, points->n, cells, k->own->first[k->own->n_cells] + k->others->first[k->others->n_cells]));
  TRIAD_TRY(TRIAD_ALLOC(memory, "mesh", cells, &k->mesh->number));
  TRIAD_TRY(TRIAD_ALLOC(memory, "mesh", cells, &k->mesh->owner));
  TRIAD_TRY(TRIAD_ALLOC(memory, "mesh", points->n, &k->mesh->point_number));
  TRIAD_FREE(memory, &k->own_at);
  TRIAD_FREE(memory, &k->others_at);
  TRIAD_TRY(TRIAD_ALLOC(memory, "mesh", k->own->n_cells, &k->own_at));
  return TRIAD_ALLOC(memory, "mesh", k->others->n_cells, &k->others_at);
}

static int fill_part(triad_fct_partition *k, triad_fct_point_set *points)
{
  other *list = NULL;
  int st = take_part(k, points);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(k->context->memory, "mesh being cut", k->others->n_cells, &list);
  if (st == TRIAD_OK) {
    list_others(k, list);
    merge_cells(k, list, points);
    triad_fct_point_set_list(points, k->mesh->point_number);
    k->mesh->all_cells = k->slices.n_cells;
    k->mesh->all_points = k->slices.n_points;
    k->mesh->curved = k->slices.curved;
  }
  TRIAD_FREE(k->context->memory, &list);
  return triad_agree(&k->context->comm, st);
}

/* Cells, points, faces, patches. */
static int make_part(triad_fct_partition *k, int64_t *count)
{
  triad_fct_point_set points = {0};
  TRIAD_TRY(pass_shared(k, count));
  int st = fill_part(k, &points);
  triad_fct_point_set_free(&points, k->context->memory);
  if (st == TRIAD_OK) st = triad_fct_slices_points(&k->slices, k->mesh->point_number, k->mesh->n_points, k->mesh->x);
  if (st == TRIAD_OK) st = triad_agree(&k->context->comm, triad_fct_mesh_join(k->mesh));
  return st == TRIAD_OK ? triad_fct_slices_patches(&k->slices, k->mesh) : st;
}

static int join_periodic(triad_fct_partition *k, const triad_fct_pairs *patches, int64_t *count)
{
  triad_fct_side_pairs pairs = {0};
  int st = triad_fct_partition_match(k, patches, &pairs);
  if (st == TRIAD_OK) st = triad_agree(&k->context->comm, triad_fct_partition_share_pairs(k, &pairs));
  if (st == TRIAD_OK) st = make_part(k, count);
  if (st == TRIAD_OK) st = triad_agree(&k->context->comm, triad_fct_partition_join(k, patches, &pairs));
  TRIAD_FREE(k->context->memory, &pairs.list);
  return st;
}

/* ---- what is measured ---- */

static int exchange_sizes(const triad_fct_partition *k)
{
  triad_fct_mesh *m = k->mesh;
  double(*sizes)[4] = NULL;
  int st = triad_agree(&k->context->comm, TRIAD_ALLOC(k->context->memory, "mesh being cut", m->n_cells, &sizes));
  if (st == TRIAD_OK) {
    for (int64_t c = 0; c < m->n_cells; c++) {
      memcpy(sizes[c], m->centre[c], sizeof m->centre[c]);
      sizes[c][3] = m->volume[c];
    }
    st = triad_fct_partition_exchange(k, sizes[0], 4);
    for (int64_t c = 0; c < m->n_cells && st == TRIAD_OK; c++) {
      memcpy(m->centre[c], sizes[c], sizeof m->centre[c]);
      m->volume[c] = sizes[c][3];
    }
  }
  TRIAD_FREE(k->context->memory, &sizes);
  return st;
}

/* Faults, spans and counts of all ranks' own cells and faces: each face is counted where its first cell is. */
static int add_up(const triad_fct_partition *k, triad_fct_faults *faults)
{
  const triad_comm *comm = &k->context->comm;
  triad_fct_mesh *m = k->mesh;
  double most[12], sides[6];
  int64_t sums[4] = {faults->leaky, faults->flat, 0, 0}, first[2] = {faults->first_leaky, faults->first_flat};
  triad_fct_mesh_span(m, comm->rank);
  for (int i = 0; i < 6; i++) sides[i] = i < 3 ? m->high[i] : -m->low[i - 3];
  for (int i = 0; i < 12; i++) most[i] = i < 6 ? sides[i] : -INFINITY;
  for (int64_t c = 0; c < m->n_cells; c++)
    for (int a = 0; a < 3 && m->owner[c] == comm->rank; a++) {
      most[6 + a] = fmax(most[6 + a], m->centre[c][a]);
      most[9 + a] = fmax(most[9 + a], -m->centre[c][a]);
    }
  for (int64_t f = 0; f < m->n_faces; f++) {
    const int own = m->owner[m->cell[f][0]] == comm->rank;
    sums[2] += own;
    sums[3] += own && f < m->n_inner;
  }
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, sums, 4, MPI_INT64_T, MPI_SUM, comm->mpi)));
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, first, 2, MPI_INT64_T, MPI_MIN, comm->mpi)));
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, most, 12, MPI_DOUBLE, MPI_MAX, comm->mpi)));
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, &m->all_volume, 1, MPI_DOUBLE, MPI_SUM, comm->mpi)));
  *faults = (triad_fct_faults){sums[0], sums[1], first[0], first[1]};
  m->all_faces = sums[2];
  m->all_inner = sums[3];
  m->box[3] = 0;
  for (int a = 0; a < 3; a++) {
    m->high[a] = most[a];
    m->low[a] = -most[3 + a];
    m->box[a] = -most[9 + a];
    m->box[3] = fmax(m->box[3], most[6 + a] + most[9 + a]);
  }
  if (!(m->box[3] > 0)) m->box[3] = 1;
  return TRIAD_OK;
}

static int measure(const triad_fct_partition *k)
{
  const triad_comm *comm = &k->context->comm;
  triad_fct_faults faults = {0};
  TRIAD_TRY(triad_agree(comm, triad_fct_mesh_find_sizes(k->mesh, comm->rank, &faults)));
  TRIAD_TRY(add_up(k, &faults));
  TRIAD_TRY(triad_agree(comm, triad_fct_mesh_refuse(k->mesh, comm->rank, &faults)));
  return exchange_sizes(k);
}

int triad_fct_partition_exchange(const triad_fct_partition *k, double *values, int n)
{
  triad_memory *memory = k->context->memory;
  const int size = k->context->comm.size;
  double *out = NULL;
  int64_t *got = NULL;
  int st = TRIAD_ALLOC(memory, "mesh being cut", size, &got);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(memory, "mesh being cut", n * k->n_shared, &out);
  for (int64_t i = 0; i < k->n_shared && st == TRIAD_OK; i++)
    memcpy(out + n * i, values + n * (int64_t)k->own_at[k->shared[i].cell], (size_t)n * sizeof *out);
  triad_fct_delivery d = {.items = out, .bytes = n * (int64_t)sizeof *out, .count = k->sent, .got = got};
  st = triad_fct_deliver(k->context, &d, st);
  for (int64_t i = 0; i < d.n && st == TRIAD_OK; i++)
    memcpy(values + n * (int64_t)k->others_at[i], (const double *)d.received + n * i, (size_t)n * sizeof *out);
  triad_memory_free(memory, &d.received);
  TRIAD_FREE(memory, &out);
  TRIAD_FREE(memory, &got);
  return st;
}

/* ---- all of it ---- */

static int make(triad_fct_partition *k, const triad_fct_setup *setup, triad_fct_rule *rules, uint64_t *checksum, double *measured_s, int64_t *count)
{
  triad_fct_pairs pairs;
  double begin = triad_now();
  TRIAD_TRY(triad_fct_slices_checksum(&k->slices, checksum));
  *measured_s = triad_now() - begin;
  TRIAD_TRY(deal(k, count));
  TRIAD_TRY(triad_fct_partition_find_shared(k));
  TRIAD_TRY(triad_fct_slices_points(&k->slices, k->loose, k->n_loose, k->loose_x));
  TRIAD_TRY(make_part(k, count));
  TRIAD_TRY(triad_agree(&k->context->comm, triad_fct_setup_rules(setup, k->mesh, rules, &pairs)));
  if (pairs.n > 0) TRIAD_TRY(join_periodic(k, &pairs, count));
  triad_fct_mesh_destroy(&k->own);
  triad_fct_mesh_destroy(&k->others);
  triad_fct_slices_free(&k->slices);
  begin = triad_now();
  TRIAD_TRY(measure(k));
  *measured_s += triad_now() - begin;
  return TRIAD_OK;
}

int triad_fct_partition_create(triad_fct_partition **out, const triad_context *context, const triad_fct_setup *setup, triad_fct_mesh **mesh,
                         triad_fct_rule rules[TRIAD_FCT_PATCHES], uint64_t *checksum, double *measured_s)
{
  triad_fct_partition *k = *out = calloc(1, sizeof *k);
  int64_t *count = NULL;
  const int size = context->comm.size;
  int possible = 0, st = k ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "a mesh being cut");
  if (k) k->context = context;
  if (st == TRIAD_OK) st = TRIAD_ALLOC(context->memory, "mesh being cut", 3 * (int64_t)size, &count);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(context->memory, "mesh", size, &k->sent);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(context->memory, "mesh", size, &k->got);
  st = triad_agree(&context->comm, st);
  if (st == TRIAD_OK) st = triad_fct_slices_create(&k->slices, context, setup, &possible);
  if (st == TRIAD_OK && possible) st = make(k, setup, rules, checksum, measured_s, count);
  TRIAD_FREE(context->memory, &count);
  if (k) *mesh = k->mesh;
  if (st == TRIAD_OK && !possible) triad_fct_partition_destroy(out);
  return st;
}

void triad_fct_partition_destroy(triad_fct_partition **partition)
{
  triad_fct_partition *k = *partition;
  if (!k) return;
  triad_memory *memory = k->context->memory;
  triad_fct_slices_free(&k->slices);
  triad_fct_mesh_destroy(&k->own);
  triad_fct_mesh_destroy(&k->others);
  TRIAD_FREE(memory, &k->shared);
  TRIAD_FREE(memory, &k->loose);
  TRIAD_FREE(memory, &k->loose_x);
  TRIAD_FREE(memory, &k->sent);
  TRIAD_FREE(memory, &k->got);
  TRIAD_FREE(memory, &k->own_at);
  TRIAD_FREE(memory, &k->others_at);
  free(k);
  *partition = NULL;
}
