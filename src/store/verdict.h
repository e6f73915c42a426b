/* Agreement on a failure that is not to be printed: the reason reaches every rank as text. */
#ifndef TRIAD_STORE_VERDICT_H
#define TRIAD_STORE_VERDICT_H

#include "parallel/comm.h"

enum { TRIAD_WHY = 1024 };

/* As triad_agree, but the message of the lowest rank with the worst status is put into why[TRIAD_WHY] on every rank,
 * without its place in the sources, and forgotten, instead of printed. why is "" when all is well. Collective. */
int triad_verdict(const triad_comm *comm, int status, char why[TRIAD_WHY]);

#endif
