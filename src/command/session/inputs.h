/* Input files outside the run directory (initial.file): recorded with path and checksum, and copied into the directory
 * if small, so that the directory alone suffices to repeat the run. On rank 0; nothing is collective. */
#ifndef TRIAD_COMMAND_SESSION_INPUTS_H
#define TRIAD_COMMAND_SESSION_INPUTS_H

#include "command/session/session.h"
#include "store/disk.h"

typedef struct triad_inputs {
  char *path;            /* where it is, absolute, malloc'd; NULL: nothing is read         */
  char copy[TRIAD_PATH]; /* "inputs/NAME", from the directory on; "": there is none        */
  int was_copy;          /* what is read is a copy of this directory, which keeps it again */
} triad_inputs;

/* At a new start: copy the file to DIR/inputs/, up to output.copy_inputs, replacing earlier copies, and describe it as
 * JSON objects with commas between (malloc'd; "" if nothing is read). TRIAD_ERR_IO, TRIAD_ERR_MEMORY. */
int triad_inputs_keep(triad_inputs *in, const triad_session *s, const char *dir, char **json);

void triad_inputs_free(triad_inputs *in);

#endif
