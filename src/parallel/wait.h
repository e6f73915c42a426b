/* Wait for messages whose states nobody needs. */
#ifndef TRIAD_PARALLEL_WAIT_H
#define TRIAD_PARALLEL_WAIT_H

#include <mpi.h>

/* MPI_Waitall and MPI_Testall without statuses; the return codes are MPI's. wait_all: not collective; returns when all
 * n requests have completed. test_all: *done is 1 if they have. */
int triad_wait_all(int n, MPI_Request *requests);
int triad_test_all(int n, MPI_Request *requests, int *done);

#endif
