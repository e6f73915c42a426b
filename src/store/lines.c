#include "store/lines.h"

#include <math.h>
#include <xxhash.h>

enum { MOST_BLOCKS = 256 };

/* Blocks of lanes are independent; within one, lines advance together so that both sides stay in cache. */
#define DEFINE_PACK(name, T)                                                                                     \
  static int64_t name(const triad_layout *l, int64_t first, int64_t count, const T *field, T *lines)             \
  {                                                                                                              \
    int64_t bad = 0, blocks = (count + l->lanes - 1) / l->lanes;                                                 \
    _Pragma("omp parallel for schedule(static) reduction(+ : bad)") for (int64_t b = 0; b < blocks; b++)        \
    {                                                                                                            \
      int64_t c0 = b * l->lanes, c1 = c0 + l->lanes < count ? c0 + l->lanes : count;                             \
      for (int64_t j = 0; j < l->nkz; j++) {                                                                     \
        const T *from = field + 2 * triad_layout_place(l, first + c0, j);                                        \
        for (int64_t c = c0; c < c1; c++, from += 2) {                                                           \
          T *to = lines + 2 * (c * l->nkz + j);                                                                  \
          to[0] = from[0];                                                                                       \
          to[1] = from[1];                                                                                       \
          bad += !isfinite(from[0]) + !isfinite(from[1]);                                                        \
        }                                                                                                        \
      }                                                                                                          \
    }                                                                                                            \
    return bad;                                                                                                  \
  }
DEFINE_PACK(pack_double, double)
DEFINE_PACK(pack_float, float)

#define DEFINE_UNPACK(name, F, T)                                                                                \
  static int64_t name(const triad_layout *l, int64_t first, int64_t count, const F *lines, T *field)             \
  {                                                                                                              \
    int64_t bad = 0, blocks = (count + l->lanes - 1) / l->lanes;                                                 \
    _Pragma("omp parallel for schedule(static) reduction(+ : bad)") for (int64_t b = 0; b < blocks; b++)        \
    {                                                                                                            \
      int64_t c0 = b * l->lanes, c1 = c0 + l->lanes < count ? c0 + l->lanes : count;                             \
      for (int64_t j = 0; j < l->nkz; j++) {                                                                     \
        T *to = field + 2 * triad_layout_place(l, first + c0, j);                                                \
        for (int64_t c = c0; c < c1; c++, to += 2) {                                                             \
          const F *from = lines + 2 * (c * l->nkz + j);                                                          \
          to[0] = (T)from[0];                                                                                    \
          to[1] = (T)from[1];                                                                                    \
          bad += !isfinite(to[0]) + !isfinite(to[1]);                                                            \
        }                                                                                                        \
      }                                                                                                          \
    }                                                                                                            \
    return bad;                                                                                                  \
  }
DEFINE_UNPACK(unpack_double_double, double, double)
DEFINE_UNPACK(unpack_double_float, double, float)
DEFINE_UNPACK(unpack_float_double, float, double)
DEFINE_UNPACK(unpack_float_float, float, float)

int64_t triad_lines_pack(const triad_layout *layout, int64_t first, int64_t count, int element, const void *field,
                           void *lines)
{
  return element == 4 ? pack_float(layout, first, count, field, lines)
                      : pack_double(layout, first, count, field, lines);
}

int64_t triad_lines_unpack(const triad_layout *layout, int64_t first, int64_t count, int from, const void *lines,
                             int to, void *field)
{
  if (from == 4)
    return to == 4 ? unpack_float_float(layout, first, count, lines, field)
                   : unpack_float_double(layout, first, count, lines, field);
  return to == 4 ? unpack_double_float(layout, first, count, lines, field)
                 : unpack_double_double(layout, first, count, lines, field);
}

void triad_lines_sum(int64_t first, int64_t count, int64_t line_bytes, const void *lines, int64_t block_columns,
                       uint64_t *sums)
{
  const char *bytes = lines;
  for (int64_t i = 0; i < count; i++) {
    int64_t column = first + i;
    sums[column / block_columns] += XXH3_64bits_withSeed(bytes + i * line_bytes, (size_t)line_bytes, (uint64_t)column);
  }
}

int64_t triad_lines_per_block(int64_t all_columns) { return all_columns / MOST_BLOCKS + 1; }
