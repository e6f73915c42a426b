/* The checkpoint of a resumed run: find it, check it, and continue from it. Collective. */
#ifndef TRIAD_RUN_LOOP_FIND_H
#define TRIAD_RUN_LOOP_FIND_H

#include "run/loop.h"

/* The newest valid checkpoint; or, where rows of the series that it has seen are gone, the newest one before it that
 * misses none, so that they are made again. *about is NULL where there is no checkpoint. Collective. */
int triad_loop_find(triad_loop *loop, char folder[TRIAD_PATH], triad_manifest **about);

/* What cannot be right whatever the flow, before it is made; the rest is seen when the checkpoint is read:
 * TRIAD_ERR_CASE. Not collective. */
int triad_loop_check_found(const triad_loop *loop, const char *folder, const triad_manifest *about);

/* The flow becomes that of the checkpoint. Collective. */
int triad_loop_resume(triad_loop *loop, const char *folder, const triad_manifest *about);

#endif
