#include "store/verdict.h"

#include <string.h>

int triad_verdict(const triad_comm *comm, int status, char why[TRIAD_WHY])
{
  struct {
    int status, rank;
  } mine = {status, comm->rank}, worst = {status, comm->rank};
  memset(why, 0, TRIAD_WHY);
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(&mine, &worst, 1, MPI_2INT, MPI_MAXLOC, comm->mpi)));
  if (worst.status == TRIAD_OK) return TRIAD_OK;
  if (comm->rank == worst.rank) triad_message_reason(why, TRIAD_WHY);
  triad_message_clear();
  TRIAD_TRY(TRIAD_MPI(MPI_Bcast(why, TRIAD_WHY, MPI_CHAR, worst.rank, comm->mpi)));
  return worst.status;
}
