/* One run at a time in a directory: RUN/run.lock names the process that owns it, and is valid while that lives.
 *
 *   triad-lock 2
 *   host NAME | machine ID | boot ID | space ID | pid I | start I | job TEXT     space: its PID namespace
 *   hosts I | watchdog R        of the whole job; within R seconds its ranks notice that another has gone, 0: never
 *   rank I I                    process and start of another rank on this host, a line each
 *   end
 * A lock whose process is provably gone is taken over: same boot of the same machine and PID namespace, and no such
 * process; or another boot of this host. So is one that a crash of the machine has cut short, once it is old: a lock
 * appears with all its text. One whose process may live (another host, another PID namespace) is broken only when
 * asked, except that a job which its batch system has started again (same job number) takes its own back. One rank
 * calls these; nothing is collective. */
#ifndef TRIAD_STORE_LOCK_LOCK_H
#define TRIAD_STORE_LOCK_LOCK_H

#include "store/disk.h"

#define TRIAD_LOCK_FILE "run.lock"

typedef struct triad_lock triad_lock;

/* A process, described so that others on its host can check whether it lives. Sent between ranks as bytes. */
typedef struct triad_lock_rank {
  char host[64];
  int64_t pid, start; /* start: clock ticks since boot, which distinguishes a reused pid; -1: unknown */
} triad_lock_rank;

/* This process. */
void triad_lock_self(triad_lock_rank *me);

typedef struct triad_lock_request {
  int break_stale;              /* also take over a lock whose process cannot be checked */
  int n_ranks;                  /* of the job, this process among them; 0: it is alone                         */
  const triad_lock_rank *ranks; /* [n_ranks]                                                                   */
  double watchdog;              /* [s] after which they notice that another has gone; 0: never                 */
  void (*tell)(void *who, const char *text); /* called once before it waits, for what; NULL: it waits silently */
  void *who;
} triad_lock_request;

/* Take the lock of run_dir. TRIAD_ERR_IO if another process has it, or may have it and break_stale is 0; the message
 * names the process and the remedy. Waits if a lock's process is gone but other ranks of its job may not have noticed.
 * note[]: a message if another's lock was taken over, else "". */
int triad_lock_take(triad_lock **out, const char *run_dir, const triad_lock_request *request, char note[512]);

/* Delete the lock, if it is still ours; accepts NULL. */
void triad_lock_give(triad_lock **lock);

/* The owner of the lock of run_dir: "process 123 on host a (job 45)", and whether it lives: 1 yes, 0 no, -1 unknown
 * from here. No lock: TRIAD_ERR_INPUT, without a message. */
int triad_lock_holder(const char *run_dir, char who[400], int *alive);

#endif
