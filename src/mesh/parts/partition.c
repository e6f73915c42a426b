/* Create the part of a mesh for each rank: slices, assignment of cells, exchange of neighbours, measures
 * (partition.h). */
#include "mesh/parts/partition_internal.h"
#include "mesh/parts/partition_measure.h"
#include "mesh/parts/partition_cells.h"
#include "mesh/parts/partition_deal.h"
#include "mesh/parts/partition_graph.h"
#include "mesh/parts/partition_shared.h"
#include "mesh/parts/partition_fill.h"
#include "mesh/parts/partition_periodic.h"

#include "base/clock.h"
#include "parallel/host/host_memory.h"

#include <stdlib.h>

/* ---- cells to their owners ---- */

/* Cells of the slice in the order of ranks; numbers for each rank in count. */
static int pack_slice(const triad_mesh_partition *k, const int32_t *rank_of, int32_t **items, int64_t *count,
                      int64_t *begin)
{
  const triad_mesh *m = k->slices.cells;
  const int size = k->context->comm.size;
  int64_t all = 0;
  for (int64_t c = 0; c < m->n_cells; c++) count[rank_of[c]] += triad_mesh_packed_size(m, c);
  for (int r = 0; r < size; r++) {
    begin[r] = all;
    all += count[r];
  }
  TRIAD_TRY(TRIAD_ALLOC(k->context->memory, "the mesh partition", all, items));
  for (int64_t c = 0; c < m->n_cells; c++)
    begin[rank_of[c]] += triad_mesh_pack_cell(m, c, (int32_t)(k->slices.first + c), *items + begin[rank_of[c]]);
  return TRIAD_OK;
}

static int send_to_owners(triad_mesh_partition *k, const int32_t *rank_of, int64_t *count)
{
  triad_memory *memory = k->context->memory;
  const int size = k->context->comm.size;
  int32_t *items = NULL;
  triad_mesh_delivery d = {.bytes = sizeof *items, .count = count, .got = count + size};
  int st = pack_slice(k, rank_of, &items, count, count + 2 * (int64_t)size);
  triad_mesh_slices_drop_cells(&k->slices);
  d.items = items;
  st = triad_mesh_exchange_items(k->context, &d, st);
  TRIAD_FREE(memory, &items);
  if (st == TRIAD_OK)
    st = triad_agree(&k->context->comm, triad_mesh_unpack_cells(&k->own, k->context, &d, count + 2 * (int64_t)size));
  triad_memory_free(memory, &d.received);
  return st;
}

/* METIS has the graph of all cells on rank 0. If it does not fit there, PT-Scotch assigns the cells, or planes. */
static int choose_dealer(triad_mesh_partition *k, const triad_mesh_source *source)
{
  const triad_comm *comm = &k->context->comm;
  const triad_mesh *m = k->slices.cells;
  triad_host_memory host;
  int64_t sides = 0;
  k->dealer = source->partitioner;
  if (k->dealer != &triad_graph_metis || comm->size == 1) return TRIAD_OK;
  for (int64_t c = 0; c < m->n_cells; c++) sides += triad_mesh_sides(m, c);
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, &sides, 1, MPI_INT64_T, MPI_SUM, comm->mpi)));
  TRIAD_TRY(triad_agree(comm, triad_host_memory_measure(&host, comm)));
  int64_t available = source->most > 0 ? source->most : host.free > 0 ? host.free : INT64_MAX;
  TRIAD_TRY(TRIAD_MPI(MPI_Bcast(&available, 1, MPI_INT64_T, 0, comm->mpi)));
  const int64_t needed = triad_graph_metis_bytes(k->slices.n_cells, sides);
  if (needed <= available && sides <= INT32_MAX) return TRIAD_OK;
  k->dealer = triad_graph_scotch.deal ? &triad_graph_scotch : NULL;
  k->needed = needed;
  k->available = needed <= available ? -1 : available;
  return TRIAD_OK;
}

static int deal_by(triad_mesh_partition *k, const triad_graph_library *library, int32_t *rank_of)
{
  triad_graph graph;
  int st = triad_mesh_partition_graph(k, &graph);
  if (st == TRIAD_OK) st = triad_graph_deal(library, k->context, &graph, rank_of);
  triad_graph_free(&graph, k->context->memory);
  return st;
}

static int deal(triad_mesh_partition *k, const triad_mesh_source *source, int64_t *count)
{
  int32_t *rank_of = NULL;
  const double begin = triad_now();
  int st = source->partitioner ? triad_graph_need(source->partitioner, "grid.partition") : TRIAD_OK;
  if (st == TRIAD_OK) st = TRIAD_ALLOC(k->context->memory, "the mesh partition", k->slices.cells->n_cells, &rank_of);
  st = triad_agree(&k->context->comm, st);
  if (st == TRIAD_OK) st = choose_dealer(k, source);
  if (st == TRIAD_OK) st = k->dealer ? deal_by(k, k->dealer, rank_of) : triad_mesh_partition_assign(k, rank_of);
  k->dealt_s = triad_now() - begin;
  if (st == TRIAD_OK) st = send_to_owners(k, rank_of, count);
  TRIAD_FREE(k->context->memory, &rank_of);
  return st;
}

/* ---- periodic ends ---- */

static int join_periodic(triad_mesh_partition *k, const triad_mesh_pairs *patches, int64_t *count)
{
  triad_mesh_side_pairs pairs = {0};
  triad_faults again = {0}; /* there were none before */
  int st = triad_mesh_partition_match(k, patches, &pairs);
  if (st == TRIAD_OK) st = triad_agree(&k->context->comm, triad_mesh_partition_share_pairs(k, &pairs));
  if (st == TRIAD_OK) st = triad_mesh_partition_fill(k, count, &again);
  if (st == TRIAD_OK) st = triad_agree(&k->context->comm, triad_mesh_partition_join(k, patches, &pairs));
  TRIAD_FREE(k->context->memory, &pairs.list);
  return st;
}

/* ---- faults ---- */

/* If any rank found a fault in its part, rank 0 reads the whole mesh of the file and reports all faults, so that
 * messages do not depend on the number of ranks. If the whole mesh does not fit in memory, the first rank with a fault
 * reports its own. */
static int report_faults(const triad_mesh_partition *k, const triad_mesh_source *source, const triad_faults *faults)
{
  const triad_comm *comm = &k->context->comm;
  int64_t any = faults->n;
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT64_T, MPI_MAX, comm->mpi)));
  if (any == 0) return TRIAD_OK;
  return triad_agree(comm, comm->rank == 0 && source->file[0]
                             ? triad_mesh_source_report(source, k->context->memory, faults)
                             : triad_faults_tell(faults));
}

/* ---- all of it ---- */

static int make_part(triad_mesh_partition *k, const triad_mesh_source *source, uint64_t *checksum, double *measured_s,
                     int64_t *count)
{
  triad_mesh_pairs pairs = {0};
  triad_faults faults = {0};
  double begin = triad_now();
  TRIAD_TRY(triad_mesh_slices_checksum(&k->slices, checksum));
  *measured_s = triad_now() - begin;
  TRIAD_TRY(deal(k, source, count));
  TRIAD_TRY(triad_mesh_partition_find_shared(k));
  TRIAD_TRY(triad_mesh_slices_points(&k->slices, k->loose, k->n_loose, k->loose_x));
  TRIAD_TRY(triad_mesh_partition_fill(k, count, &faults));
  if (source->find_pairs) source->find_pairs(source->who, k->mesh, &pairs, &faults);
  TRIAD_TRY(report_faults(k, source, &faults));
  if (pairs.n > 0) TRIAD_TRY(join_periodic(k, &pairs, count));
  triad_mesh_destroy(&k->own);
  triad_mesh_destroy(&k->others);
  triad_mesh_slices_free(&k->slices);
  begin = triad_now();
  TRIAD_TRY(triad_mesh_partition_measure(k, &faults));
  TRIAD_TRY(report_faults(k, source, &faults));
  *measured_s += triad_now() - begin;
  return TRIAD_OK;
}

int triad_mesh_partition_create(triad_mesh_partition **out, const triad_context *context,
                                const triad_mesh_source *source, triad_mesh **mesh, uint64_t *checksum,
                                double *measured_s)
{
  triad_mesh_partition *k = *out = calloc(1, sizeof *k);
  int64_t *count = NULL;
  const int size = context->comm.size;
  int st = k ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "a mesh being cut");
  if (k) k->context = context;
  if (st == TRIAD_OK) st = TRIAD_ALLOC(context->memory, "the mesh partition", 3 * (int64_t)size, &count);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(context->memory, "mesh", size, &k->sent);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(context->memory, "mesh", size, &k->got);
  st = triad_agree(&context->comm, st);
  if (st == TRIAD_OK) st = triad_mesh_slices_create(&k->slices, context, source);
  if (st == TRIAD_OK) st = make_part(k, source, checksum, measured_s, count);
  TRIAD_FREE(context->memory, &count);
  if (k) *mesh = k->mesh;
  return st;
}

double triad_mesh_partition_seconds(const triad_mesh_partition *k) { return k->dealt_s; }

const triad_graph_library *triad_mesh_partition_dealer(const triad_mesh_partition *k, int64_t *needed,
                                                       int64_t *available)
{
  *needed = k->needed;
  *available = k->available;
  return k->dealer;
}

void triad_mesh_partition_destroy(triad_mesh_partition **partition)
{
  triad_mesh_partition *k = *partition;
  if (!k) return;
  triad_memory *memory = k->context->memory;
  triad_mesh_slices_free(&k->slices);
  triad_mesh_destroy(&k->own);
  triad_mesh_destroy(&k->others);
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
