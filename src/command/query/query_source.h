/* The checkpoints of a query: find them, and read the modes of a field. */
#ifndef TRIAD_COMMAND_QUERY_QUERY_SOURCE_H
#define TRIAD_COMMAND_QUERY_QUERY_SOURCE_H

#include "command/query/query.h"

/* query_source.c: a run or a checkpoint, at a time (NULL: the newest). Every byte has been verified. TRIAD_ERR_INPUT,
 * TRIAD_ERR_CASE. The message is kept or printed. */
int triad_query_source_find(triad_query_source *source, const triad_session *s, const char *path, const char *time);
void triad_query_source_forget(triad_query_source *source);

/* All modes of a field of source number i: modes[column][kz][2]. */
int triad_query_source_read(const triad_query_source *source, int i, const char *field, double *modes);

#endif
