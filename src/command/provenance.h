/* Where a run came from, as JSON: version, build, libraries, command line, hosts and binding, environment. */
#ifndef TRIAD_COMMAND_PROVENANCE_H
#define TRIAD_COMMAND_PROVENANCE_H

#include "command/session.h"

/* malloc'd text; NULL without memory. On rank 0. */
char *triad_provenance(const triad_session *s, int argc, char **argv);

#endif
