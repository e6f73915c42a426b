/* Send the data of all ranks to rank 0, which writes them piece by piece. */
#include "store/gather.h"

#include "store/disk.h"

#include <stdlib.h>

enum { TAG = 7001 };

typedef struct part {
  int64_t bytes, offset;
} part;

static int send_part(const triad_comm *comm, const char *data, int64_t bytes, int64_t room)
{
  for (int64_t at = 0; at < bytes; at += room) {
    int n;
    TRIAD_TRY(triad_narrow(bytes - at < room ? bytes - at : room, &n));
    TRIAD_TRY(TRIAD_MPI(MPI_Send(data + at, n, MPI_BYTE, 0, TAG, comm->mpi)));
  }
  return TRIAD_OK;
}

/* Takes all pieces even after a failure to write. */
static int take_part(const triad_comm *comm, int fd, const char *path, int from, part p, void *buffer, int64_t room,
                     int *written)
{
  for (int64_t at = 0; at < p.bytes; at += room) {
    int n;
    TRIAD_TRY(triad_narrow(p.bytes - at < room ? p.bytes - at : room, &n));
    TRIAD_TRY(TRIAD_MPI(MPI_Recv(buffer, n, MPI_BYTE, from, TAG, comm->mpi, MPI_STATUS_IGNORE)));
    if (*written == TRIAD_OK) *written = triad_disk_write(fd, path, buffer, n, p.offset + at);
  }
  return TRIAD_OK;
}

int triad_gather_open(const triad_comm *comm, const char *path, int *fd)
{
  int st = triad_disk_open(path, 1, fd);
  if (st != TRIAD_ERR_INPUT || comm->rank == 0) return st;
  triad_message_clear();
  return TRIAD_FAIL_PLAIN(TRIAD_ERR_IO,
                          "%s: rank 0 has created this file, but it is not visible on this host; if the disk is not "
                          "shared by all hosts, use output.writer = \"gather\", so that rank 0 writes all files",
                          path);
}

int triad_gather_write(const triad_comm *comm, int fd, const char *path, const void *data, int64_t bytes,
                       int64_t offset, void *buffer, int64_t room)
{
  part mine = {bytes, offset}, *all = NULL;
  int root = comm->rank == 0, written = TRIAD_OK;
  if (root) all = malloc((size_t)comm->size * sizeof *all);
  int st = !root || all ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the parts of %d ranks", comm->size);
  /* nobody sends to a rank that has no list of what will come */
  int64_t reach[2] = {st, room};
  TRIAD_TRY(TRIAD_MPI(MPI_Bcast(reach, 2, MPI_INT64_T, 0, comm->mpi)));
  if (reach[0] != TRIAD_OK) {
    free(all);
    return st;
  }
  st = TRIAD_MPI(MPI_Gather(&mine, 2, MPI_INT64_T, all, 2, MPI_INT64_T, 0, comm->mpi));
  if (st == TRIAD_OK && !root) st = send_part(comm, data, bytes, reach[1]);
  if (st == TRIAD_OK && root) {
    written = bytes > 0 ? triad_disk_write(fd, path, data, bytes, offset) : TRIAD_OK;
    for (int r = 1; r < comm->size && st == TRIAD_OK; r++)
      st = take_part(comm, fd, path, r, all[r], buffer, room, &written);
  }
  free(all);
  return st == TRIAD_OK ? written : st;
}

int triad_gather_rounds(const triad_comm *comm, int64_t mine, int64_t *all)
{
  *all = mine;
  return TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, all, 1, MPI_INT64_T, MPI_MAX, comm->mpi));
}
