/* Measure the balance and communication of a mesh partition. */
#include "solvers/unstructured/state/parting.h"

int triad_unstructured_parting_measure(triad_unstructured_parting *out, const triad_unstructured_domain *d)
{
  const triad_comm *comm = &d->context->comm;
  enum { SIDES, FACES, GHOSTS, PEERS, ZONED, NUMBERS };
  int64_t mine[NUMBERS] = {[FACES] = d->n_inner - d->n_own, [GHOSTS] = d->n_ghosts, [ZONED] = d->n_zoned}, sum[NUMBERS],
          most[NUMBERS];
  for (int64_t c = 0; c < d->n_cells; c++) mine[SIDES] += triad_mesh_sides(d->mesh, d->in_mesh[c]);
  for (int64_t i = 0; i < d->n_seen[0]; i++) mine[PEERS] += i == 0 || d->seen[0][i].rank != d->seen[0][i - 1].rank;
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(mine, sum, NUMBERS, MPI_INT64_T, MPI_SUM, comm->mpi)));
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(mine, most, NUMBERS, MPI_INT64_T, MPI_MAX, comm->mpi)));
  *out = (triad_unstructured_parting){.most = (double)most[SIDES] * comm->size / (double)sum[SIDES],
                                      .faces = sum[FACES] / 2,
                                      .ghosts = sum[GHOSTS],
                                      .most_ghosts = most[GHOSTS],
                                      .most_peers = most[PEERS],
                                      .zoned = sum[ZONED]};
  return TRIAD_OK;
}
