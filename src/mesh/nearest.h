/* Nearest-point search: for probes, planes, and values from another mesh. Points are sorted into buckets of about two
 * points; the search visits rings of buckets from the centre outwards. Not collective, like all functions here. */
#ifndef TRIAD_MESH_NEAREST_H
#define TRIAD_MESH_NEAREST_H

#include "base/memory.h"

typedef struct triad_mesh_nearest triad_mesh_nearest;

/* Build the search structure for x[n], n > 0; x must exist as long as it does. TRIAD_ERR_MEMORY. */
int triad_mesh_nearest_create(triad_mesh_nearest **out, triad_memory *memory, const double (*x)[3], int64_t n);
void triad_mesh_nearest_destroy(triad_mesh_nearest **nearest);

/* Returns the number of the nearest point (the lower number of two at equal distance) and the square
 * of its distance. */
int64_t triad_mesh_nearest_find(const triad_mesh_nearest *nearest, const double at[3], double *distance2);

/* Call `each` with the number of every point in a box. */
typedef void triad_mesh_nearest_each(void *who, int64_t number);
void triad_mesh_nearest_box(const triad_mesh_nearest *nearest, const double low[3], const double high[3],
                            triad_mesh_nearest_each *each, void *who);

#endif
