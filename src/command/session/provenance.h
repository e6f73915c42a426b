/* provenance.json: a list of sessions, one for each start of `triad run`, with times, the reason of its end, first and
 * last step, hardware, command, and changes. It is rewritten atomically when a session begins, at each of its
 * checkpoints and when it ends. */
#ifndef TRIAD_COMMAND_SESSION_PROVENANCE_H
#define TRIAD_COMMAND_SESSION_PROVENANCE_H

#include "command/session/session.h"
#include "solvers/info.h"
#include "solvers/step.h"

typedef struct triad_provenance {
  const char *dir;
  char *before;           /* a list of the earlier sessions as JSON; malloc'd */
  char *about;            /* an object with the members of this one that stay; malloc'd */
  char *inputs, *changed; /* lists, malloc'd; NULL: empty */
  char started[32], ended[32];
  triad_instant from, to;
  int64_t saved; /* step of the newest checkpoint that this or an earlier session has written, -1: none */
  int tells;     /* the earlier sessions say so: those of earlier versions do not */
  int code;
} triad_provenance;

/* What is known before the flow is made, and the earlier sessions. TRIAD_ERR_MEMORY, TRIAD_ERR_IO. Collective; only
 * rank 0 keeps anything. */
int triad_provenance_create(triad_provenance *p, const triad_session *s, const char *dir, int argc, char **argv);
void triad_provenance_free(triad_provenance *p);

/* The file as of now. On rank 0. */
int triad_provenance_write(const triad_provenance *p);

/* The session is over, now, with this exit code. On rank 0. */
void triad_provenance_end(triad_provenance *p, int code);

#endif
