/* Find the changes of a run's case since the checkpoint from which it resumes. */
#ifndef TRIAD_COMMAND_SESSION_CHANGES_H
#define TRIAD_COMMAND_SESSION_CHANGES_H

#include "command/session/session.h"

#include <stdint.h>

typedef struct triad_change {
  char key[96];
  char *was, *is; /* as TOML, "" where the case has no such key; malloc'd */
  int results;    /* 1: it changes the results; 0: only the output, its place, the device, or the end */
  int of_file;    /* another case file brings it, not --set, and not one that was left out */
} triad_change;

typedef struct triad_changes {
  int n;
  triad_change *list; /* [n], malloc'd */
  int failed;         /* without memory */
} triad_changes;

/* From the case `was`, a text in a checkpoint, to the session's. `file`: text of the case file in the directory, NULL:
 * none. A text that this version cannot read as a case gives no changes: *unread is set. TRIAD_ERR_MEMORY. Not
 * collective. */
int triad_changes_find(triad_changes *c, const triad_session *s, const char *was, const char *file, int *unread);
void triad_changes_free(triad_changes *c);

/* From one case to another. TRIAD_ERR_MEMORY. Not collective. */
int triad_changes_between(triad_changes *c, const triad_case *was, const triad_case *is);

/* TRIAD_ERR_CASE where another case file changes what is computed: which key, from what to what. Not collective. */
int triad_changes_refuse(const triad_changes *c, const char *dir, const char *case_path);

/* A line each on the log, "KEY was A to t = T, is B from here"; finished: nothing is computed any more. */
void triad_changes_tell(const triad_changes *c, triad_log *log, double t, int finished);

/* Append them to DIR/case.changes.csv, "from the row after step S on"; existing entries of later steps are dropped,
 * since the run has gone back. TRIAD_ERR_IO, TRIAD_ERR_MEMORY. Not collective. */
int triad_changes_write(const triad_changes *c, const char *dir, int64_t step, double t);

/* A further file in which changes are recorded, and its format. */
typedef struct triad_record {
  const char *name; /* file of the directory; it begins with a comment line `# ABOUT` */
  const char *about;
  const char *mark; /* a comment line, without its end, that is added unless it exists already; NULL: none */
  int64_t kept;     /* lines of later steps are dropped; comment lines that begin as `mark` does are kept */
} triad_record;

/* Append changes to another file of the directory. Nothing is written twice. TRIAD_ERR_IO, TRIAD_ERR_MEMORY. */
int triad_changes_record(const triad_changes *c, const char *dir, const triad_record *record, int64_t step, double t);

/* As JSON objects, with commas between: malloc'd, NULL without memory. */
char *triad_changes_json(const triad_changes *c);

#endif
