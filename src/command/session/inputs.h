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

/* DIR/inputs/NAME, NAME the last part of a path. */
int triad_inputs_place(const char *dir, const char *path, char out[TRIAD_PATH]);

/* What a start has read: the checkpoint `source`, or what the case says ("" where it was none). */
int triad_inputs_find(triad_inputs *in, const triad_session *s, const char *dir, const char *source);

/* Earlier results in the directory have been moved to `aside`, including an input file among them: update its path. */
int triad_inputs_moved(triad_inputs *in, const char *dir, const char *aside);

/* At a new start: copy the file to DIR/inputs/, up to output.copy_inputs, replacing earlier copies, and describe it as
 * JSON objects with commas between (malloc'd; "" if nothing is read). TRIAD_ERR_IO, TRIAD_ERR_MEMORY. */
int triad_inputs_keep(triad_inputs *in, const triad_session *s, const char *dir, char **json);

/* When a run resumes: find the input that its case names, and its copy according to the records of earlier sessions
 * (last argument, JSON; NULL: none). */
int triad_inputs_recall(triad_inputs *in, const triad_session *s, const char *dir, const char *told);

void triad_inputs_free(triad_inputs *in);

/* The resolved case as the directory keeps it: initial.file is the copy where there is one, else, outside of the
 * directory, an absolute path. malloc'd. TRIAD_ERR_MEMORY. */
int triad_inputs_resolved(const triad_inputs *in, const triad_session *s, const char *dir, char **text, size_t *size);

#endif
