/* Messages and agreement for callers that are not Triad's own: each rank can read why a call failed, and nothing is
 * printed about arguments. */
#include "fft/public/public_internal.h"

#include <stdio.h>
#include <string.h>

enum { TEXT = 1024 };

static _Thread_local char last[TEXT + 32];

const char *triad_plan_message(void) { return last; }

void triad_public_begin(void)
{
  last[0] = '\0';
  triad_message_clear();
}

int triad_public_end(const triad_comm *comm, int status)
{
  if (status == TRIAD_OK) return TRIAD_OK;
  char text[TEXT] = "";
  (void)snprintf(text, sizeof text, "%s", triad_message());
  triad_message_clear();
  int first = comm && !*text ? comm->size : comm ? comm->rank : 0;
  if (comm && comm->size > 1) {
    /* the lowest rank with a message broadcasts it; if even this fails, the status must suffice */
    int mine = first;
    if (MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, comm->mpi) != MPI_SUCCESS) first = comm->size;
    if (first < comm->size) (void)MPI_Bcast(text, TEXT, MPI_CHAR, first, comm->mpi);
  }
  if (*text && comm && comm->size > 1) (void)snprintf(last, sizeof last, "rank %d: %s", first, text);
  else (void)snprintf(last, sizeof last, "%s", text);
  return status;
}

int triad_public_same(const triad_comm *comm, int status, const triad_public_value *values, int n)
{
  /* the largest of v and of ~v = -v - 1, which never overflows: equal values are each other's complement */
  int64_t most[1 + 2 * TRIAD_PUBLIC_VALUES] = {status};
  if (n > TRIAD_PUBLIC_VALUES) return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "%d values to compare", n);
  for (int i = 0; i < n; i++) {
    most[1 + i] = values[i].value;
    most[1 + n + i] = ~values[i].value;
  }
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, most, 1 + 2 * n, MPI_INT64_T, MPI_MAX, comm->mpi)));
  if (most[0] != TRIAD_OK) return (int)most[0];
  for (int i = 0; i < n; i++)
    if (most[1 + i] != ~most[1 + n + i]) return TRIAD_FAIL(TRIAD_ERR_USAGE, "the ranks disagree on %s", values[i].what);
  return TRIAD_OK;
}

int triad_public_mpi(void)
{
  int there = 0, over = 0;
  if (MPI_Initialized(&there) != MPI_SUCCESS || !there)
    return TRIAD_FAIL(TRIAD_ERR_USAGE, "MPI has not been initialised");
  if (MPI_Finalized(&over) != MPI_SUCCESS || over) return TRIAD_FAIL(TRIAD_ERR_USAGE, "MPI has been finalised");
  return TRIAD_OK;
}
