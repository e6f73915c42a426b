/* Create the private communicator and the context of a run, agree on the worst status of all ranks, and end all
 * ranks when no agreement is possible. */
#include "parallel/comm.h"
#include "parallel/context.h"

#include <limits.h>
#include <omp.h>
#include <stdlib.h>

int triad_mpi_check(int code, const char *call, const char *file, int line)
{
  if (code == MPI_SUCCESS) return TRIAD_OK;
  char text[MPI_MAX_ERROR_STRING] = "unknown error";
  int length = 0;
  (void)MPI_Error_string(code, text, &length);
  triad_note(file, line, TRIAD_ERR_INTERNAL, "%s: %s", call, text);
  return TRIAD_ERR_INTERNAL;
}

int triad_comm_create(triad_comm *out, MPI_Comm parent)
{
  *out = (triad_comm){MPI_COMM_NULL, 0, 1};
  TRIAD_TRY(TRIAD_MPI(MPI_Comm_dup(parent, &out->mpi)));
  TRIAD_TRY(TRIAD_MPI(MPI_Comm_set_errhandler(out->mpi, MPI_ERRORS_RETURN)));
  TRIAD_TRY(TRIAD_MPI(MPI_Comm_rank(out->mpi, &out->rank)));
  return TRIAD_MPI(MPI_Comm_size(out->mpi, &out->size));
}

void triad_comm_destroy(triad_comm *comm)
{
  if (comm->mpi != MPI_COMM_NULL) (void)MPI_Comm_free(&comm->mpi);
}

int triad_agree(const triad_comm *comm, int status)
{
  struct {
    int status, rank;
  } mine = {status, comm->rank}, worst = {status, comm->rank};
  /* MAXLOC takes the lowest rank among equals */
  int code = MPI_Allreduce(&mine, &worst, 1, MPI_2INT, MPI_MAXLOC, comm->mpi);
  if (code != MPI_SUCCESS) {
    int failed = TRIAD_MPI(code);
    triad_message_print(comm->rank);
    return failed;
  }
  if (worst.status != TRIAD_OK) {
    if (worst.rank == comm->rank) triad_message_print(comm->size > 1 ? comm->rank : -1);
    else triad_message_clear();
  }
  return worst.status;
}

void triad_end_all(const triad_comm *comm, int status)
{
  triad_message_print(comm->size > 1 ? comm->rank : -1);
  (void)MPI_Abort(comm->mpi, status);
}

int triad_narrow(int64_t count, int *out)
{
  *out = (int)count;
  if (count < 0 || count > INT_MAX)
    return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "a message of %lld elements does not fit in one MPI count", (long long)count);
  return TRIAD_OK;
}

int triad_context_create(triad_context **out, MPI_Comm parent, int threads)
{
  *out = NULL;
  /* before the context: a rank without memory for it has a communicator to say so on */
  triad_comm comm;
  TRIAD_TRY(triad_comm_create(&comm, parent));
  triad_context *c = calloc(1, sizeof *c);
  int st = c ? triad_memory_create(&c->memory) : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the context");
  st = triad_agree(&comm, st);
  if (st != TRIAD_OK) {
    if (c) triad_memory_destroy(&c->memory);
    free(c);
    triad_comm_destroy(&comm);
    return st;
  }
  c->comm = comm;
  c->gpu = -1;
  c->threads = threads > 0 ? threads : omp_get_max_threads();
  *out = c;
  return TRIAD_OK;
}

void triad_context_destroy(triad_context **context)
{
  if (!context || !*context) return;
  triad_watchdog_destroy(&(*context)->watch);
  triad_memory_destroy(&(*context)->memory);
  triad_comm_destroy(&(*context)->comm);
  free(*context);
  *context = NULL;
}
