/* A set of numbers below a bound, such as those of the points that a rank has of a whole mesh: a bit for each, and
 * how many come before every 64. The place of a number in the set, by rising number, takes no search. Not
 * collective. */
#ifndef TRIAD_MESH_POINT_SET_H
#define TRIAD_MESH_POINT_SET_H

#include "base/memory.h"

#include <stdint.h>

typedef struct triad_mesh_point_set {
  int64_t n, n_words; /* n: once they have been counted */
  uint64_t *bit;
  int32_t *before; /* [n_words] */
} triad_mesh_point_set;

/* Empty, of numbers below `bound`. TRIAD_ERR_MEMORY. */
int triad_mesh_point_set_create(triad_mesh_point_set *set, triad_memory *memory, int64_t bound);
void triad_mesh_point_set_free(triad_mesh_point_set *set, triad_memory *memory);

static inline void triad_mesh_point_set_add(triad_mesh_point_set *set, int32_t number)
{
  set->bit[number >> 6] |= UINT64_C(1) << (number & 63);
}

static inline int triad_mesh_point_set_has(const triad_mesh_point_set *set, int32_t number)
{
  return (int)(set->bit[number >> 6] >> (number & 63) & 1);
}

/* After the last was added. */
void triad_mesh_point_set_count(triad_mesh_point_set *set);

/* All of them, list[n]; the place of one that is in the set. */
void triad_mesh_point_set_list(const triad_mesh_point_set *set, int32_t *list);
int32_t triad_mesh_point_set_place(const triad_mesh_point_set *set, int32_t number);

#endif
