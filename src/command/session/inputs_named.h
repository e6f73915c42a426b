/* The input file of a case by its name: where it is now, and its copy in the run directory. */
#ifndef TRIAD_COMMAND_SESSION_INPUTS_NAMED_H
#define TRIAD_COMMAND_SESSION_INPUTS_NAMED_H

#include "command/session/inputs.h"

/* DIR/inputs/NAME, NAME the last part of a path. */
int triad_inputs_place(const char *dir, const char *path, char out[TRIAD_PATH]);

/* The input of a start: the checkpoint `source`, or the file that the case names ("" if there was none). */
int triad_inputs_find(triad_inputs *in, const triad_session *s, const char *dir, const char *source);

/* Earlier results in the directory have been moved to `aside`, including an input file among them: update its path. */
int triad_inputs_moved(triad_inputs *in, const char *dir, const char *aside);

/* When a run resumes: find the input that its case names, and its copy according to the records of earlier sessions
 * (last argument, JSON; NULL: none). */
int triad_inputs_recall(triad_inputs *in, const triad_session *s, const char *dir, const char *told);

/* The resolved case as the directory keeps it: initial.file is the copy where there is one, else, outside of the
 * directory, an absolute path. malloc'd. TRIAD_ERR_MEMORY. */
int triad_inputs_resolved(const triad_inputs *in, const triad_session *s, const char *dir, char **text, size_t *size);

#endif
