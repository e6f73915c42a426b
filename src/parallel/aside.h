/* Background I/O: run blocking system calls (fsync, write) on helper threads while the calling thread continues. Not
 * collective. */
#ifndef TRIAD_PARALLEL_ASIDE_H
#define TRIAD_PARALLEL_ASIDE_H

#include <stdint.h>

/* Maximum number of threads. They are started as calls are submitted, since a disk handles several
 * requests together. */
enum { TRIAD_ASIDE_THREADS = 8 };

typedef struct triad_aside triad_aside;

/* One call; the struct must stay valid until the call is done. */
typedef struct triad_aside_call {
  void (*call)(void *self);
  void *self;
  int done; /* atomic: triad_aside_done */
  struct triad_aside_call *next;
} triad_aside_call;

/* NULL if memory is not sufficient. */
triad_aside *triad_aside_create(void);

/* All submitted calls must be done. Joins the threads; accepts NULL. */
void triad_aside_destroy(triad_aside **aside);

/* Submit a call: c->call(c->self) runs on a helper thread. Calls start in the order of submission; several run at a
 * time. If no thread can be started, the call is made before this function returns. A call may use the system only, no
 * function that sets the error message (base/status.h), which belongs to the submitting thread. */
void triad_aside_give(triad_aside *aside, triad_aside_call *c);

/* Returns 1 if the call is done; its results are then visible to this thread. */
int triad_aside_done(const triad_aside_call *c);

/* count: number of calls done. sleep: wait until this number exceeds `seen`. */
int64_t triad_aside_count(triad_aside *aside);
void triad_aside_sleep(triad_aside *aside, int64_t seen);

#endif
