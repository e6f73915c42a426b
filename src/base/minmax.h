/* Maximum and minimum of whole numbers. Those of field values are in base/point.h. */
#ifndef TRIAD_BASE_MINMAX_H
#define TRIAD_BASE_MINMAX_H

#include <stdint.h>

static inline int triad_max_int(int a, int b) { return a > b ? a : b; }
static inline int triad_min_int(int a, int b) { return a < b ? a : b; }
static inline int64_t triad_max_count(int64_t a, int64_t b) { return a > b ? a : b; }
static inline int64_t triad_min_count(int64_t a, int64_t b) { return a < b ? a : b; }

#endif
