/* Measure the balance and communication of a mesh partition. */
#include "solvers/unstructured/plain/parting.h"
#include "base/status.h"

int triad_unstructured_parting_measure(triad_unstructured_parting *out, const triad_comm *comm,
                                       const int64_t mine[TRIAD_UNSTRUCTURED_PART_NUMBERS])
{
  enum { NUMBERS = TRIAD_UNSTRUCTURED_PART_NUMBERS };
  int64_t sum[NUMBERS], most[NUMBERS];
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(mine, sum, NUMBERS, MPI_INT64_T, MPI_SUM, comm->mpi)));
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(mine, most, NUMBERS, MPI_INT64_T, MPI_MAX, comm->mpi)));
  const int64_t sides = sum[TRIAD_UNSTRUCTURED_PART_SIDES];
  *out = (triad_unstructured_parting){.most = (double)most[TRIAD_UNSTRUCTURED_PART_SIDES] * comm->size / (double)sides,
                                      .faces = sum[TRIAD_UNSTRUCTURED_PART_FACES] / 2,
                                      .ghosts = sum[TRIAD_UNSTRUCTURED_PART_GHOSTS],
                                      .most_ghosts = most[TRIAD_UNSTRUCTURED_PART_GHOSTS],
                                      .most_peers = most[TRIAD_UNSTRUCTURED_PART_PEERS],
                                      .zoned = sum[TRIAD_UNSTRUCTURED_PART_ZONED]};
  return TRIAD_OK;
}
