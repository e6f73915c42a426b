/* A set of point numbers as a bit field with running counts (point_set.h). */
#include "mesh/point_set.h"

#include "base/status.h"

static int ones(uint64_t word) { return __builtin_popcountll(word); }

int triad_mesh_point_set_create(triad_mesh_point_set *s, triad_memory *memory, int64_t bound)
{
  *s = (triad_mesh_point_set){.n_words = bound / 64 + 1};
  TRIAD_TRY(TRIAD_ALLOC(memory, "the mesh partition", s->n_words, &s->bit));
  return TRIAD_ALLOC(memory, "the mesh partition", s->n_words, &s->before);
}

void triad_mesh_point_set_free(triad_mesh_point_set *s, triad_memory *memory)
{
  TRIAD_FREE(memory, &s->bit);
  TRIAD_FREE(memory, &s->before);
}

void triad_mesh_point_set_count(triad_mesh_point_set *s)
{
  s->n = 0;
  for (int64_t w = 0; w < s->n_words; w++) {
    s->before[w] = (int32_t)s->n;
    s->n += ones(s->bit[w]);
  }
}

void triad_mesh_point_set_list(const triad_mesh_point_set *s, int32_t *list)
{
  int64_t n = 0;
  for (int64_t w = 0; w < s->n_words; w++)
    for (uint64_t left = s->bit[w]; left; left &= left - 1) list[n++] = (int32_t)(64 * w + ones((left & -left) - 1));
}

int32_t triad_mesh_point_set_place(const triad_mesh_point_set *s, int32_t number)
{
  const int64_t w = number >> 6;
  return s->before[w] + ones(s->bit[w] & ((UINT64_C(1) << (number & 63)) - 1));
}
