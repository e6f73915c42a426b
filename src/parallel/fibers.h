/* Several works in one thread, each on a stack of its own: one goes on until it waits, then the next does. While one
 * waits for its GPU or for the disk, the others launch what theirs are to do next. No two run at the same time, so
 * nothing wants a lock, and MPI and HDF5 are called by one thread; but whenever one yields or waits the others may
 * do anything. */
#ifndef TRIAD_PARALLEL_FIBERS_H
#define TRIAD_PARALLEL_FIBERS_H

#ifdef __cplusplus
extern "C" {
#endif

enum { TRIAD_FIBERS_MOST = 64 };

/* One of the works; number: 0 .. n - 1. */
typedef int triad_fiber_work(void *self, int number);

/* work(self, 0) to work(self, n - 1) by turns, round after round, until all have returned; before each round
 * between(self), where there is one. The largest status of all; TRIAD_ERR_MEMORY before any has begun;
 * TRIAD_ERR_INTERNAL from within a work, or for n beyond TRIAD_FIBERS_MOST. Collective calls of the works must
 * concern this process alone: other ranks would meet them in another order. */
int triad_fibers_run(int n, triad_fiber_work *work, void (*between)(void *self), void *self);

/* Let the others go on until it is this one's turn again; its kept message (base/status.h) stays its own. Outside of
 * works, and on other threads than theirs: nothing. */
void triad_fibers_yield(void);

/* Let the others go on until ready(self) is not 0, which is asked once a round, in place of the turn: it must be
 * quick, and must not wait. For works only: elsewhere nothing. */
void triad_fibers_wait(int (*ready)(void *self), void *self);

/* call(self), by another thread while the others go on (parallel/aside.h: calls of the system and nothing else);
 * back when it is done. Where all works wait for such calls their thread sleeps. Outside of works: here and now. */
void triad_fibers_aside(void (*call)(void *self), void *self);

/* Is the caller a work of triad_fibers_run? */
int triad_fibers_inside(void);

#ifdef __cplusplus
}
#endif
#endif
