/* A set of numbers below a bound, such as the points of the whole mesh that a rank holds: one bit for each number, and
 * the count of members before every 64. The index of a number in the set needs no search. Not collective. */
#ifndef TRIAD_MESH_POINT_SET_H
#define TRIAD_MESH_POINT_SET_H

#include "base/memory.h"

#include <stdint.h>

typedef struct triad_mesh_point_set {
  int64_t n, n_words; /* n: number of members, after triad_mesh_point_set_count */
  uint64_t *bit;
  int32_t *before; /* [n_words] */
} triad_mesh_point_set;

/* Create an empty set of numbers below `bound`. TRIAD_ERR_MEMORY. */
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

/* Count the members; call it after the last one was added. */
void triad_mesh_point_set_count(triad_mesh_point_set *set);

/* list: write all members to list[n], rising. place: the index of a member in that list. */
void triad_mesh_point_set_list(const triad_mesh_point_set *set, int32_t *list);
int32_t triad_mesh_point_set_place(const triad_mesh_point_set *set, int32_t number);

#endif
