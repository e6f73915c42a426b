/* A text of rank 0 on all ranks. A rank without memory for it says so before any rank waits for the text. */
#include "parallel/share_text.h"

#include <stdlib.h>
#include <string.h>

int triad_comm_share_text(const triad_comm *comm, char **text, int64_t *length)
{
  int64_t bytes = -1;
  int count = 0;
  char *copy = NULL;
  if (comm->rank == 0 && *text) bytes = length ? *length : (int64_t)strlen(*text);
  TRIAD_TRY(triad_agree(comm, TRIAD_MPI(MPI_Bcast(&bytes, 1, MPI_INT64_T, 0, comm->mpi))));
  if (bytes < 0) return TRIAD_OK;
  int st = triad_narrow(bytes, &count);
  if (st == TRIAD_OK && comm->rank != 0 && !(copy = malloc((size_t)bytes + 1)))
    st = TRIAD_FAIL(TRIAD_ERR_MEMORY, "a text of %lld bytes", (long long)bytes);
  st = triad_agree(comm, st);
  if (st == TRIAD_OK)
    st = triad_agree(comm, TRIAD_MPI(MPI_Bcast(comm->rank == 0 ? *text : copy, count, MPI_CHAR, 0, comm->mpi)));
  if (st != TRIAD_OK || comm->rank == 0) {
    free(copy);
    return st;
  }
  copy[bytes] = '\0';
  free(*text);
  *text = copy;
  if (length) *length = bytes;
  return TRIAD_OK;
}
