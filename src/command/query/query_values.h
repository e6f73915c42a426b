/* The values of a query: names of their columns, and their evaluation at all points. */
#ifndef TRIAD_COMMAND_QUERY_QUERY_VALUES_H
#define TRIAD_COMMAND_QUERY_QUERY_VALUES_H

#include "command/query/query.h"

/* query_values.c: what --what asks for, of the fields that there are. TRIAD_ERR_USAGE, TRIAD_ERR_CASE. */
int triad_query_columns(triad_query *q, const char *what);

/* Fill q->values, and the differences. */
int triad_query_evaluate(triad_query *q, const triad_session *s);

#endif
