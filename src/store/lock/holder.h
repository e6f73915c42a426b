/* The text of run.lock, and whether the process that it names is alive (store/lock.h). For this folder only. */
#ifndef TRIAD_STORE_LOCK_HOLDER_H
#define TRIAD_STORE_LOCK_HOLDER_H

#include "store/lock/lock.h"

enum { TRIAD_LOCK_LIMIT = 1 << 18 /* bytes of a lock */ };

typedef struct triad_holder {
  char host[128], machine[64], boot[64], space[64], job[128];
  int64_t pid, start;
  int hosts, n_ranks;
  double watchdog;
  triad_lock_rank *ranks; /* [n_ranks], malloc'd: the others of its host */
} triad_holder;

/* This process, as the first rank of a job of n; the others on its host are listed. TRIAD_ERR_MEMORY. */
int triad_holder_self(triad_holder *h, const triad_lock_request *request);
void triad_holder_free(triad_holder *h);

/* malloc'd, NULL without memory. */
char *triad_holder_text(const triad_holder *h);

/* The content of a lock file. TRIAD_HOLDER_CUT: one of Triad's, truncated, emptied or zeroed by a crash; FOREIGN:
 * anything else. */
enum { TRIAD_HOLDER_GOOD, TRIAD_HOLDER_CUT, TRIAD_HOLDER_FOREIGN, TRIAD_HOLDER_NO_MEMORY };
int triad_holder_parse(triad_holder *h, const char *text, int64_t bytes);

/* "process 123 on host a (job 45)" */
void triad_holder_name(const triad_holder *h, char who[400]);

/* lives: 1 if its process lives, 0 if certainly not, -1 if unknown from here. others: how many other ranks of its host
 * may live; *first is one of them. down: time [s] since when it is certainly gone, 0 if only its present state is
 * known. */
int triad_holder_lives(const triad_holder *h, double *down);
int triad_holder_others(const triad_holder *h, int64_t *first);

/* Has this process the batch system's number of that one's job? */
int triad_holder_same_job(const triad_holder *h);

#endif
