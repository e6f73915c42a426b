/* Reading what others wrote in a process of its own: a library may crash or never return on a damaged or hostile file,
 * and only that process then ends. Nothing here is collective. */
#ifndef TRIAD_BASE_GUARD_H
#define TRIAD_BASE_GUARD_H

#include "base/status.h"

#include <stdint.h>

typedef struct triad_guard triad_guard;

/* What the other process does. It has all that this one has, may print, and leaves nothing behind but its status, its
 * message and what it gives. It must not call MPI, nor touch a GPU, nor start threads. */
typedef int triad_guard_work(void *self, triad_guard *guard);

/* Run `work` there. On success `bytes` bytes that it has given are in `out`, in their order; a failure's message is
 * kept as if it had come from here. TRIAD_ERR_CASE when it crashed or did not come to an end, TRIAD_ERR_MEMORY when
 * there can be no other process. */
int triad_guard_run(const char *path, triad_guard_work *work, void *self, void *out, int64_t bytes);

/* Called by the work: hand `bytes` bytes over; and, at least every few seconds of work (a minute of waiting for a
 * slow disk), a sign of life, without which it is ended. Giving is one. Of guard NULL, where a reader is called in
 * this process, alive is nothing. */
int triad_guard_give(triad_guard *guard, const void *data, int64_t bytes);
void triad_guard_alive(triad_guard *guard);

#endif
