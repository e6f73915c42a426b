/* What nccl.c takes of NCCL, by MPI: a group is done when it ends. */
#ifndef TRIAD_TESTS_FAKE_NCCL_H
#define TRIAD_TESTS_FAKE_NCCL_H

#include <cuda_runtime.h>
#include <mpi.h>

typedef enum ncclResult_t { ncclSuccess, ncclInternalError } ncclResult_t;
typedef enum ncclDataType_t { ncclChar } ncclDataType_t;
typedef struct ncclUniqueId {
  char internal[128];
} ncclUniqueId;
typedef struct fake_nccl {
  MPI_Comm mpi;
} *ncclComm_t;

static MPI_Request fake_nccl_request[64];
static int fake_nccl_requests;

static inline const char *ncclGetErrorString(ncclResult_t result)
{
  return result == ncclSuccess ? "no error" : "an error";
}
static inline const char *ncclGetLastError(ncclComm_t comm) { return comm ? "of a communicator" : ""; }

static inline ncclResult_t ncclGetUniqueId(ncclUniqueId *id)
{
  id->internal[0] = 1;
  return ncclSuccess;
}

static inline ncclResult_t ncclCommInitRank(ncclComm_t *comm, int size, ncclUniqueId id, int rank)
{
  int mpi_size, mpi_rank;
  *comm = calloc(1, sizeof **comm);
  if (!*comm || MPI_Comm_dup(MPI_COMM_WORLD, &(*comm)->mpi) != MPI_SUCCESS) return ncclInternalError;
  (void)MPI_Comm_size((*comm)->mpi, &mpi_size);
  (void)MPI_Comm_rank((*comm)->mpi, &mpi_rank);
  return mpi_size == size && mpi_rank == rank && id.internal[0] == 1 ? ncclSuccess : ncclInternalError;
}

static inline ncclResult_t ncclCommDestroy(ncclComm_t comm)
{
  (void)MPI_Comm_free(&comm->mpi);
  free(comm);
  return ncclSuccess;
}

static inline ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t *late)
{
  *late = comm ? ncclSuccess : ncclInternalError;
  return ncclSuccess;
}

static inline ncclResult_t ncclGroupStart(void)
{
  fake_nccl_requests = 0;
  return ncclSuccess;
}

static inline ncclResult_t ncclSend(const void *from, size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                                    cudaStream_t stream)
{
  (void)stream;
  (void)type;
  return MPI_Isend(from, (int)count, MPI_BYTE, peer, 0, comm->mpi, &fake_nccl_request[fake_nccl_requests++]) ==
                 MPI_SUCCESS
             ? ncclSuccess
             : ncclInternalError;
}

static inline ncclResult_t ncclRecv(void *to, size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                                    cudaStream_t stream)
{
  (void)stream;
  (void)type;
  return MPI_Irecv(to, (int)count, MPI_BYTE, peer, 0, comm->mpi, &fake_nccl_request[fake_nccl_requests++]) ==
                 MPI_SUCCESS
             ? ncclSuccess
             : ncclInternalError;
}

static inline ncclResult_t ncclGroupEnd(void)
{
  return MPI_Waitall(fake_nccl_requests, fake_nccl_request, MPI_STATUSES_IGNORE) == MPI_SUCCESS ? ncclSuccess
                                                                                                : ncclInternalError;
}

#endif
