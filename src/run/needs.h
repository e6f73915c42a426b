/* Memory that a rank takes, by owner [bytes]. */
#ifndef TRIAD_RUN_NEEDS_H
#define TRIAD_RUN_NEEDS_H

#include <stdint.h>

typedef struct triad_flow_needs {
  int64_t state, stepper, work, exchange, planes, total;
} triad_flow_needs;

#endif
