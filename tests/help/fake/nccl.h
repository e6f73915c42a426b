/* What nccl.c takes of NCCL, by MPI: a group is done when it ends. */
#ifndef TRIAD_TESTS_FAKE_NCCL_H
#define TRIAD_TESTS_FAKE_NCCL_H

#include <cuda_runtime.h>
#include <mpi.h>

typedef enum ncclResult_t { ncclSuccess, ncclInternalError } ncclResult_t;
typedef enum ncclDataType_t { ncclChar } ncclDataType_t;
/* internal: who made it; a number of its own there. */
typedef struct ncclUniqueId {
  int internal[32];
} ncclUniqueId;
typedef struct fake_nccl {
  MPI_Comm mpi;
} * ncclComm_t;

static MPI_Request fake_nccl_request[64];
static int fake_nccl_requests;

static inline const char *ncclGetErrorString(ncclResult_t result)
{
  return result == ncclSuccess ? "no error" : "an error";
}
static inline const char *ncclGetLastError(ncclComm_t comm) { return comm ? "of a communicator" : ""; }

static inline ncclResult_t ncclGetUniqueId(ncclUniqueId *id)
{
  static int made = 0;
  id->internal[1] = 1000 + 3 * made++;
  return MPI_Comm_rank(MPI_COMM_WORLD, &id->internal[0]) == MPI_SUCCESS ? ncclSuccess : ncclInternalError;
}

/* list[rank] of all that have this id, by way of its maker. */
static inline void fake_nccl_gather(int *list, int size, ncclUniqueId id, int rank)
{
  int mine[2] = {rank, 0};
  (void)MPI_Comm_rank(MPI_COMM_WORLD, &mine[1]);
  if (mine[1] != id.internal[0]) {
    (void)MPI_Send(mine, 2, MPI_INT, id.internal[0], id.internal[1], MPI_COMM_WORLD);
    (void)MPI_Recv(list, size, MPI_INT, id.internal[0], id.internal[1] + 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return;
  }
  list[rank] = mine[1];
  for (int i = 1; i < size; i++) {
    int theirs[2];
    (void)MPI_Recv(theirs, 2, MPI_INT, MPI_ANY_SOURCE, id.internal[1], MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    list[theirs[0]] = theirs[1];
  }
  for (int i = 0; i < size; i++)
    if (i != rank) (void)MPI_Send(list, size, MPI_INT, list[i], id.internal[1] + 1, MPI_COMM_WORLD);
}

static inline ncclResult_t ncclCommInitRank(ncclComm_t *comm, int size, ncclUniqueId id, int rank)
{
  int list[64];
  MPI_Group world, part;
  *comm = calloc(1, sizeof **comm);
  if (!*comm || size > 64) return ncclInternalError;
  fake_nccl_gather(list, size, id, rank);
  (void)MPI_Comm_group(MPI_COMM_WORLD, &world);
  (void)MPI_Group_incl(world, size, list, &part);
  int code = MPI_Comm_create_group(MPI_COMM_WORLD, part, id.internal[1] + 2, &(*comm)->mpi);
  (void)MPI_Group_free(&part);
  (void)MPI_Group_free(&world);
  return code == MPI_SUCCESS ? ncclSuccess : ncclInternalError;
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
