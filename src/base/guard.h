/* Read untrusted files in a separate process: if a library crashes or hangs on a damaged or hostile file, only that
 * process ends. Nothing here is collective. */
#ifndef TRIAD_BASE_GUARD_H
#define TRIAD_BASE_GUARD_H

#include "base/status.h"

#include <stdint.h>

typedef struct triad_guard triad_guard;

/* The work of the separate process. It has a copy of this process, may print, and returns only its status, its message
 * and the bytes that it gives. It must not call MPI, use a GPU or start threads. */
typedef int triad_guard_work(void *self, triad_guard *guard);

/* Run `work` in a separate process. On success the `bytes` bytes that it gave are in `out`, in order. The message of a
 * failure is stored as if it had occurred here. TRIAD_ERR_CASE if the process crashed or hung, TRIAD_ERR_MEMORY if it
 * could not be created. */
int triad_guard_run(const char *path, triad_guard_work *work, void *self, void *out, int64_t bytes);

/* The same if the number of bytes is not known before. The work gives a head of `head_bytes` bytes first, then what
 * `room`, called in this process, finds in it: the address for the rest and its size. If `room` fails, its status is
 * returned. */
typedef int triad_guard_room(void *self, const void *head, void **out, int64_t *bytes);
int triad_guard_run_headed(const char *path, triad_guard_work *work, void *self, void *head, int64_t head_bytes,
                           triad_guard_room *room);

/* The same if this process reads what the work gives as it comes. `take`, called in this process, returns when it has
 * read all; it reads the next bytes with triad_guard_read, which fails if the other process ended before. If `take`
 * fails, the other process ends, and the status is that of `take`, or the reason why that process ended. */
typedef int triad_guard_take(void *self, triad_guard *guard);
int triad_guard_run_pieces(const char *path, triad_guard_work *work, void *self, triad_guard_take *take);
int triad_guard_read(triad_guard *guard, void *out, int64_t bytes);

/* Called by the work. give: send `bytes` bytes. alive: a sign of life, required every few seconds (a minute while it
 * waits for a slow disk), or the process is ended; give counts as one. With guard NULL (a reader called in this
 * process) alive does nothing. */
int triad_guard_give(triad_guard *guard, const void *data, int64_t bytes);
void triad_guard_alive(triad_guard *guard);

#endif
