/* Changes by `triad set`: RUN/case.set.csv, with one line per value as in case.changes.csv, and the step from which it
 * applies. Each start applies them again, so that a restart does not undo them. A value applies as long as the case
 * file and --set give the same value as when it was set (`was`); a later change there takes precedence. */
#ifndef TRIAD_COMMAND_SESSION_SETTINGS_H
#define TRIAD_COMMAND_SESSION_SETTINGS_H

#include "command/session/changes.h"

#define TRIAD_SETTINGS_FILE "case.set.csv"
#define TRIAD_SETTINGS_TAKEN \
  "# taken " /* begins a line that names a request (run/set_requests.h) which the run has taken */

/* Values that hold, as arguments of --set. */
typedef struct triad_settings {
  int n, changes; /* how many values; how many times `triad set` was taken */
  char **set;     /* [n] "key=value", malloc'd */
} triad_settings;

/* Of a case as its file and --set make it, from the text of the file; NULL: none. TRIAD_ERR_CASE for lines that are
 * none. Not collective. */
int triad_settings_read(triad_settings *out, const triad_case *given, const char *text);
void triad_settings_free(triad_settings *settings);

/* The session's case once more, with what holds in s->dir. Collective. */
int triad_settings_hold(triad_session *s, const char *name, const triad_arguments *a);

/* A case with arguments of --set, then what holds of `text`, then the lines of `asked`, each NULL for none: the
 * errors are in the case, which is made all the same. TRIAD_ERR_CASE, TRIAD_ERR_MEMORY. Not collective. */
int triad_settings_case(triad_case **out, const triad_session *s, const char *name, const triad_arguments *a,
                        const char *text, const char *asked, int *changes);

#endif
