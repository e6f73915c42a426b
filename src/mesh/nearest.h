/* The nearest of many points: for probes, planes, and values of another mesh. Points lie in buckets, some two in
 * each; rings of buckets are searched from the middle outwards. Not collective, as all here. */
#ifndef TRIAD_MESH_NEAREST_H
#define TRIAD_MESH_NEAREST_H

#include "base/memory.h"

typedef struct triad_mesh_nearest triad_mesh_nearest;

/* Of x[n], n > 0, which must outlive it. TRIAD_ERR_MEMORY. */
int triad_mesh_nearest_create(triad_mesh_nearest **out, triad_memory *memory, const double (*x)[3], int64_t n);
void triad_mesh_nearest_destroy(triad_mesh_nearest **nearest);

/* The number of the nearest point, of two equally near ones the lower; and the square of its distance. */
int64_t triad_mesh_nearest_find(const triad_mesh_nearest *nearest, const double at[3], double *distance2);

/* Calls `each` with the number of every point in a box. */
typedef void triad_mesh_nearest_each(void *who, int64_t number);
void triad_mesh_nearest_box(const triad_mesh_nearest *nearest, const double low[3], const double high[3],
                            triad_mesh_nearest_each *each, void *who);

#endif
