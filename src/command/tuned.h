/* What `triad tune` has found, for the commands that step: looked up beside the case, then in the user's cache. */
#ifndef TRIAD_COMMAND_TUNED_H
#define TRIAD_COMMAND_TUNED_H

#include "command/session.h"
#include "store/tuned.h"

/* Which entry this session's case and machine have. Collective. */
int triad_tuned_key_of(const triad_session *s, triad_tuned_key *key);

/* The folder of a case file, "." for one without; in out[size]. */
void triad_tuned_folder(const char *case_path, char *out, size_t size);

/* Put an entry's values in the place of the keys that the case leaves open (nstreams 0, transport auto, threads 0); the
 * log says so. Collective. */
int triad_tuned_apply(triad_session *s, const char *case_path);

/* The values of `entry` into such keys of a case. Not collective. */
int triad_tuned_put(triad_case *given, const triad_tuned *entry, const char *origin);

#endif
