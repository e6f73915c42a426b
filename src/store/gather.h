/* Writing through rank 0, where several hosts cannot write parts of one file (docs/methods/reliability.md). */
#ifndef TRIAD_STORE_GATHER_H
#define TRIAD_STORE_GATHER_H

#include "parallel/comm.h"

/* Open for writing the file that rank 0 has just created; if it is not visible, the error gives the remedy. Not
 * collective. */
int triad_gather_open(const triad_comm *comm, const char *path, int *fd);

/* One round: rank 0 writes the data of all ranks in their order: `bytes` bytes (0: nothing) at `offset` of the file
 * `fd`, which only rank 0 has open.
 *   buffer [room]  on rank 0, for received data; may be `data`, which is written first
 * Returns the failure of rank 0 to write, or of a message; after the former it still receives, so that rounds stay in
 * step. Collective; callers agree on the status. */
int triad_gather_write(const triad_comm *comm, int fd, const char *path, const void *data, int64_t bytes,
                       int64_t offset, void *buffer, int64_t room);

/* Rounds that all ranks need when this one needs `mine`. Collective. */
int triad_gather_rounds(const triad_comm *comm, int64_t mine, int64_t *all);

#endif
