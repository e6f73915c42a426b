/* Fibers: several tasks in one thread, each with its own stack. A task runs until it yields or waits, then the next
 * one runs. While one waits for its GPU or the disk, the others launch work. No two run at the same time, so no locks
 * are needed, and MPI and HDF5 are called from one thread; but whenever a task yields or waits, the others may do
 * anything. */
#ifndef TRIAD_PARALLEL_FIBERS_H
#define TRIAD_PARALLEL_FIBERS_H

#ifdef __cplusplus
extern "C" {
#endif

enum { TRIAD_FIBERS_MAX = 64 };

/* A task; number: 0 .. n - 1. */
typedef int triad_fiber_work(void *self, int number);

/* Run work(self, 0) to work(self, n - 1) in rounds until all have returned; before each round call between(self), if
 * not NULL. Returns the largest status; TRIAD_ERR_MEMORY before any task has started; TRIAD_ERR_INTERNAL if called
 * from a task, or for n > TRIAD_FIBERS_MAX. Collective calls in tasks must not involve other ranks, which would see
 * them in another order. */
int triad_fibers_run(int n, triad_fiber_work *work, void (*between)(void *self), void *self);

/* Run the other tasks until this one's next turn. Each task has its own error message (base/status.h). Does nothing
 * outside tasks and on other threads. */
void triad_fibers_yield(void);

/* Run the other tasks until ready(self) is nonzero. It is called once per round, so it must be quick and must not
 * wait. Does nothing outside tasks. */
void triad_fibers_wait(int (*ready)(void *self), void *self);

/* Run call(self), a system call, on another thread while the other tasks run (parallel/aside.h); returns when it is
 * done. If all tasks wait for such calls, their thread sleeps. Outside tasks the call is made at once. */
void triad_fibers_aside(void (*call)(void *self), void *self);

/* Returns 1 if the caller is a task of triad_fibers_run. */
int triad_fibers_inside(void);

#ifdef __cplusplus
}
#endif
#endif
