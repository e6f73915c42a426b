/* Apply requests of `triad set` to a run. */
#ifndef TRIAD_COMMAND_SESSION_START_CHANGE_H
#define TRIAD_COMMAND_SESSION_START_CHANGE_H

#include "command/session/start.h"

/* The callback `change`: read the request in the directory, make a case, compare, check, record and log it. An
 * impossible request is a warning, and nothing changes. */
int triad_start_change(void *start, int saved, const triad_instant *at, const triad_case **given, int *changes);

/* Shared by changes of the case and of the grid. case: make the session's case again, with the settings `held` of
 * case.set.csv and `asked` (each may be NULL), and with values from triad tune and the flow: TRIAD_ERR_CASE,
 * TRIAD_ERR_MEMORY. write: record it in the directory's files, on rank 0: TRIAD_ERR_IO. It then replaces the session's
 * case; the flow of the case before the last no longer exists. Not collective. */
int triad_start_case(const triad_start *start, const char *asked, const char *held, triad_case **is);
int triad_start_write(triad_start *start, const triad_changes *changes, const triad_instant *at);
void triad_start_take(triad_start *start, triad_case *is, const triad_case **given);

#endif
