/* What a start reads from outside of the run directory (initial.file): told by path and checksum, and copied into it
 * when small, so that the directory alone repeats the run. On rank 0; nothing is collective. */
#ifndef TRIAD_COMMAND_INPUTS_H
#define TRIAD_COMMAND_INPUTS_H

#include "command/session.h"

/* At a start: copy what is read to DIR/inputs/, up to output.copy_inputs, and tell of it as JSON objects with commas
 * between (malloc'd; "" where nothing is read). TRIAD_ERR_IO, TRIAD_ERR_MEMORY. */
int triad_inputs_keep(const triad_session *s, const char *dir, char **json);

/* The resolved case as the directory keeps it: initial.file is the copy where there is one, else an absolute path.
 * malloc'd. TRIAD_ERR_MEMORY. */
int triad_inputs_resolved(const triad_session *s, const char *dir, char **text, size_t *size);

#endif
