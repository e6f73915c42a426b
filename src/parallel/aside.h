/* Calls of the system that wait, as for the disk, made by other threads of the process while this one goes on. */
#ifndef TRIAD_PARALLEL_ASIDE_H
#define TRIAD_PARALLEL_ASIDE_H

#include <stdint.h>

/* Threads are started as calls come, up to so many: a disk that is asked for several files at once serves them
 * together. */
enum { TRIAD_ASIDE_THREADS = 8 };

typedef struct triad_aside triad_aside;

/* One call; it stays where it is until it is done. */
typedef struct triad_aside_call {
  void (*call)(void *self);
  void *self;
  int done; /* atomic: triad_aside_done */
  struct triad_aside_call *next;
} triad_aside_call;

/* NULL where there is no memory for it. */
triad_aside *triad_aside_create(void);

/* All calls that were given must be done. Waits for the threads; accepts NULL. */
void triad_aside_destroy(triad_aside **aside);

/* Have c->call(c->self) made, in the order in which calls are given, several at a time. Where no thread can be
 * started it has been made when this returns. It may call the system and nothing of Triad's, whose kept message
 * (base/status.h) belongs to whom gives it. */
void triad_aside_give(triad_aside *aside, triad_aside_call *c);

/* Who sees that a call is done sees what it has done. */
int triad_aside_done(const triad_aside_call *c);

/* How many calls have been done; and to sleep until there are more than were seen. */
int64_t triad_aside_count(triad_aside *aside);
void triad_aside_sleep(triad_aside *aside, int64_t seen);

#endif
