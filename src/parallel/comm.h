/* The ranks of a run: a private communicator that returns its errors, and agreement between ranks. */
#ifndef TRIAD_PARALLEL_COMM_H
#define TRIAD_PARALLEL_COMM_H

#include "base/status.h"

#include <mpi.h>
#include <stdint.h>

/* MPI type of triad_real in the precision being compiled (base/precision.h). */
#ifdef TRIAD_SINGLE
#define TRIAD_MPI_REAL MPI_FLOAT
#else
#define TRIAD_MPI_REAL MPI_DOUBLE
#endif

typedef struct triad_comm {
  MPI_Comm mpi;
  int rank, size;
} triad_comm;

/* Duplicate `parent` and set it to return errors. Collective. */
int triad_comm_create(triad_comm *out, MPI_Comm parent);
void triad_comm_destroy(triad_comm *comm); /* collective; accepts one that was never created */

/* The worst status of all ranks, on all ranks. The lowest rank with that status prints its message; the others delete
 * theirs, so that one failure prints one line. Collective: call it wherever a single rank can fail. */
int triad_agree(const triad_comm *comm, int status);

/* Print this rank's message and end all ranks of the communicator with this exit status. For failures on which ranks
 * cannot agree, because others already wait for messages that this rank will never send. Not collective. */
void triad_end_all(const triad_comm *comm, int status);

/* For calls that other ranks wait for: if the status is not TRIAD_OK, end all ranks. */
static inline void triad_must(const triad_comm *comm, int status)
{
  if (status != TRIAD_OK) triad_end_all(comm, status);
}

/* Convert an MPI return code: TRIAD_OK, or TRIAD_ERR_INTERNAL with MPI's text. Use it through TRIAD_MPI(call). Not
 * collective. */
int triad_mpi_check(int code, const char *call, const char *file, int line);
#define TRIAD_MPI(call) triad_mpi_check((call), #call, __FILE__, __LINE__)

/* Convert a count to int for MPI; TRIAD_ERR_INTERNAL if it does not fit. Not collective. */
int triad_narrow(int64_t count, int *out);

#endif
