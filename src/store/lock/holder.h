/* The text of run.lock, and whether the process that it names lives (store/lock.h). Not for others. */
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

/* What stands in a lock: TRIAD_HOLDER_CUT is one of Triad's that a crash has cut short, or emptied, or filled with
 * zeros; FOREIGN is anything else. */
enum { TRIAD_HOLDER_GOOD, TRIAD_HOLDER_CUT, TRIAD_HOLDER_FOREIGN, TRIAD_HOLDER_NO_MEMORY };
int triad_holder_parse(triad_holder *h, const char *text, int64_t bytes);

/* "process 123 on host a (job 45)" */
void triad_holder_name(const triad_holder *h, char who[400]);

/* Does its process live: 1 yes, 0 surely not, -1 it cannot be told from here. Of the others of its host, how many may;
 * *first is one of them. down: [s] since which it is surely gone, 0 where only that it is now. */
int triad_holder_lives(const triad_holder *h, double *down);
int triad_holder_others(const triad_holder *h, int64_t *first);

/* Has this process the batch system's number of that one's job? */
int triad_holder_same_job(const triad_holder *h);

#endif
