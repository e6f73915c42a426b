/* The ranks of a run: a private communicator whose errors are returned, and how ranks come to agree. */
#ifndef TRIAD_PARALLEL_COMM_H
#define TRIAD_PARALLEL_COMM_H

#include "base/status.h"

#include <mpi.h>
#include <stdint.h>

/* A real of the precision that is compiled (base/precision.h). */
#ifdef TRIAD_SINGLE
#define TRIAD_MPI_REAL MPI_FLOAT
#else
#define TRIAD_MPI_REAL MPI_DOUBLE
#endif

typedef struct triad_comm {
  MPI_Comm mpi;
  int rank, size;
} triad_comm;

/* Duplicate `parent` and set it to return its errors. Collective. */
int triad_comm_create(triad_comm *out, MPI_Comm parent);
void triad_comm_destroy(triad_comm *comm); /* collective; accepts one never created */

/* The worst status of all ranks, on all ranks; the lowest rank that has it prints its message, the others drop
 * theirs, so that one failure is one line. Collective: call it wherever one rank can fail alone. */
int triad_agree(const triad_comm *comm, int status);

/* Print this rank's message and end all ranks of the communicator with this exit status. For what cannot be agreed on:
 * others already wait for messages that this rank will never send. Not collective. */
void triad_end_all(const triad_comm *comm, int status);

/* A call that others wait for: nothing when it went well, or the end of all ranks. */
static inline void triad_must(const triad_comm *comm, int status)
{
  if (status != TRIAD_OK) triad_end_all(comm, status);
}

/* TRIAD_OK, or TRIAD_ERR_INTERNAL with MPI's own text. Use through TRIAD_MPI(call). Not collective. */
int triad_mpi_check(int code, const char *call, const char *file, int line);
#define TRIAD_MPI(call) triad_mpi_check((call), #call, __FILE__, __LINE__)

/* Narrow a count for MPI; TRIAD_ERR_INTERNAL when it does not fit. Not collective. */
int triad_narrow(int64_t count, int *out);

#endif
