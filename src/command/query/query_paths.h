/* Paths of points, as files that grow by time. */
#ifndef TRIAD_COMMAND_QUERY_QUERY_PATHS_H
#define TRIAD_COMMAND_QUERY_QUERY_PATHS_H

#include "command/query/query.h"

/* query_paths.c */
void triad_query_path_free(triad_query_path *path);
int triad_query_path_csv(const triad_query *q, const triad_query_path *path, const char *shown, FILE *out);
int triad_query_path_h5(const triad_query *q, const triad_query_path *path, const char *shown, const char *name);

#endif
