/* Give all ranks a text that only rank 0 has. */
#ifndef TRIAD_PARALLEL_SHARE_TEXT_H
#define TRIAD_PARALLEL_SHARE_TEXT_H

#include "parallel/comm.h"

/* Replace `*text` of every rank but 0 by a copy of that of rank 0, allocated by malloc and with a 0 behind its end. If
 * rank 0 has NULL, nothing changes. length: bytes of the text without the 0, set on all ranks; NULL if the text ends at
 * its first 0. Returns the same status on all ranks; if it is not TRIAD_OK, nothing changes. Collective. */
int triad_comm_share_text(const triad_comm *comm, char **text, int64_t *length);

#endif
