/* The results of a query as a file. */
#ifndef TRIAD_COMMAND_QUERY_QUERY_WRITE_H
#define TRIAD_COMMAND_QUERY_QUERY_WRITE_H

#include "command/query/query.h"

/* query_write.c: as CSV, or as an HDF5 file. */
int triad_query_write_csv(const triad_query *q, const char *shown, FILE *out);
int triad_query_write_h5(const triad_query *q, const char *shown, const char *path);

#endif
