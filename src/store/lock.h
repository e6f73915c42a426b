/* One run at a time in a directory: RUN/run.lock names the process that has it, and goes with it.
 *
 *   triad-lock 1
 *   host NAME | boot ID | pid I | start I | job TEXT
 * A lock is held while its process lives on this host; stale when that process is known to be gone; of another host it
 * cannot be told. What a killed run has left is broken only when asked, except that a job which its batch system has
 * started again (same job number) takes its own back. One rank calls these; nothing is collective. */
#ifndef TRIAD_STORE_LOCK_H
#define TRIAD_STORE_LOCK_H

#include "store/disk.h"

#define TRIAD_LOCK_FILE "run.lock"

typedef struct triad_lock triad_lock;

/* Take the lock of run_dir. TRIAD_ERR_IO where another has it, or had it and break_stale is 0, with who it is and what
 * to do. note[] is what to tell when another's lock was taken over, else "". */
int triad_lock_take(triad_lock **out, const char *run_dir, int break_stale, char note[512]);

/* Delete the lock, if it is still ours; accepts NULL. */
void triad_lock_give(triad_lock **lock);

/* Who has the lock of run_dir: "process 123 on host a (job 45)", and whether it lives: 1 yes, 0 no, -1 cannot be told
 * from here. No lock: TRIAD_ERR_INPUT, without a message. */
int triad_lock_holder(const char *run_dir, char who[400], int *alive);

#endif
