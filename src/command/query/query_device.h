/* The device of a query: choose it, evaluate on it, report times. */
#ifndef TRIAD_COMMAND_QUERY_QUERY_DEVICE_H
#define TRIAD_COMMAND_QUERY_QUERY_DEVICE_H

#include "command/query/query.h"

/* query_device.c: can the word of --device be had? TRIAD_ERR_USAGE, TRIAD_ERR_FEATURE. */
int triad_query_device_check(triad_query *q);

/* Create the evaluation at the points, with derivatives up to `order`, on the device of --device. auto: on a GPU if
 * one is available with enough memory, and if the host would need more time than starting the GPU; `fields`: number of
 * fields in all. TRIAD_ERR_FEATURE, TRIAD_ERR_MEMORY. */
int triad_query_at(triad_at_points **out, triad_query *q, const triad_session *s, const triad_layout *layout, int order,
                   double fields);
void triad_query_at_done(triad_query *q, triad_at_points **at); /* its times are kept; accepts NULL within */
void triad_query_report(const triad_query *q, triad_log *log);

#endif
