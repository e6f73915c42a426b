/* Measure a part: each rank measures its own cells, neighbours receive the values, totals are summed over ranks. */
#include "mesh/parts/partition_measure.h"
#include "mesh/parts/partition_internal.h"
#include "mesh/sizes.h"

#include <math.h>
#include <string.h>

static int exchange_sizes(const triad_mesh_partition *k)
{
  triad_mesh *m = k->mesh;
  double(*sizes)[4] = NULL;
  int st = triad_agree(&k->context->comm, TRIAD_ALLOC(k->context->memory, "the mesh partition", m->n_cells, &sizes));
  if (st == TRIAD_OK) {
    for (int64_t c = 0; c < m->n_cells; c++) {
      memcpy(sizes[c], m->centre[c], sizeof m->centre[c]);
      sizes[c][3] = m->volume[c];
    }
    st = triad_mesh_partition_exchange(k, sizes[0], 4);
    for (int64_t c = 0; c < m->n_cells && st == TRIAD_OK; c++) {
      memcpy(m->centre[c], sizes[c], sizeof m->centre[c]);
      m->volume[c] = sizes[c][3];
    }
  }
  TRIAD_FREE(k->context->memory, &sizes);
  return st;
}

/* Faults, spans and counts of all ranks' own cells and faces: each face is counted where its first cell is. */
static int add_up(const triad_mesh_partition *k, triad_mesh_size_faults *faults)
{
  const triad_comm *comm = &k->context->comm;
  triad_mesh *m = k->mesh;
  double most[12], sides[6];
  int64_t sums[4] = {faults->leaky, faults->flat, 0, 0}, first[2] = {faults->first_leaky, faults->first_flat};
  triad_mesh_span(m, comm->rank);
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
  *faults = (triad_mesh_size_faults){sums[0], sums[1], first[0], first[1]};
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

int triad_mesh_partition_measure(const triad_mesh_partition *k, triad_faults *faults)
{
  const triad_comm *comm = &k->context->comm;
  triad_mesh_size_faults found = {0};
  TRIAD_TRY(triad_agree(comm, triad_mesh_find_sizes(k->mesh, comm->rank, &found)));
  TRIAD_TRY(add_up(k, &found));
  triad_mesh_note_sizes(k->mesh, comm->rank, &found, faults);
  return exchange_sizes(k);
}

int triad_mesh_partition_exchange(const triad_mesh_partition *k, double *values, int n)
{
  triad_memory *memory = k->context->memory;
  const int size = k->context->comm.size;
  double *out = NULL;
  int64_t *got = NULL;
  int st = TRIAD_ALLOC(memory, "the mesh partition", size, &got);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(memory, "the mesh partition", n * k->n_shared, &out);
  for (int64_t i = 0; i < k->n_shared && st == TRIAD_OK; i++)
    memcpy(out + n * i, values + n * (int64_t)k->own_at[k->shared[i].cell], (size_t)n * sizeof *out);
  triad_mesh_delivery d = {.items = out, .bytes = n * (int64_t)sizeof *out, .count = k->sent, .got = got};
  st = triad_mesh_exchange_items(k->context, &d, st);
  for (int64_t i = 0; i < d.n && st == TRIAD_OK; i++)
    memcpy(values + n * (int64_t)k->others_at[i], (const double *)d.received + n * i, (size_t)n * sizeof *out);
  triad_memory_free(memory, &d.received);
  TRIAD_FREE(memory, &out);
  TRIAD_FREE(memory, &got);
  return st;
}
