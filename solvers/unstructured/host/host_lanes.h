/* Cells and faces in lanes of the CPU, for host_*.c. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_HOST_HOST_LANES_H
#define TRIAD_SOLVERS_UNSTRUCTURED_HOST_HOST_LANES_H

#include "solvers/unstructured/points/outer_points.h"
#include "solvers/unstructured/host/host_loops.h"
#include "solvers/unstructured/state/flow.h"

#include <string.h>
#ifdef __SSE2__
#include <xmmintrin.h>
#endif

enum { LANES = 64 / (int)sizeof(triad_real) };

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* n sides of each of m cells: cell + l, or list[l]; at: position of the sides of the first one. zone: they are within
 * this zone; else only sides[l] of the n exist. Whether pointers are NULL is known at compile time. */
typedef struct lanes {
  const triad_mesh_zone *zone;
  const int32_t *list;
  const uint8_t *sides;
  int64_t at, cell;
  int n, m;
} lanes;

/* Results of a thread, lane by lane: the largest rate; the number of limited faces; the sum of limiter factors in
 * units of 2^-20; a cell with an invalid state, -1: none. */
typedef struct tally {
  triad_real most[LANES];
  int64_t limited[LANES], parts[LANES], bad[LANES];
} tally;

/* From here on numbers too small to be normal ones, below 1e-308 or 1e-38, are 0 in this thread: gas at rest ahead
 * of a front is full of them, and this kind of processor takes a hundred times longer for each. Returns how it was,
 * for `flush_end`. */
static inline unsigned flush_begin(void)
{
#ifdef __SSE2__
  const unsigned before = _mm_getcsr();
  _mm_setcsr(before | 0x8040); /* of operands, of results */
  return before;
#else
  return 0;
#endif
}

static inline void flush_end(unsigned before)
{
#ifdef __SSE2__
  _mm_setcsr(before);
#else
  (void)before;
#endif
}

ALWAYS_INLINE int64_t cell_of(lanes h, int l) { return h.list ? h.list[l] : h.cell + l; }

#define EACH_LANE(...) \
  _Pragma("omp simd") for (int l = 0; l < h.m; l++) { __VA_ARGS__; }

/* Start of a thread's work, and what it found at its end. */
ALWAYS_INLINE tally tally_start(void)
{
  tally t;
  memset(&t, 0, sizeof t);
  memset(t.bad, -1, sizeof t.bad);
  return t;
}

/* Does a listed cell ask what is beyond outer faces? */
static inline int triad_unstructured_lists_look(const triad_unstructured_flow *f)
{
  return f->work && f->domain->n_cells > f->domain->n_bricks;
}

/* viscous.c, components.c: the table's functions of these names */
void triad_unstructured_host_viscous(triad_unstructured_flow *flow, int low);
void triad_unstructured_host_prelimit(triad_unstructured_flow *flow);
void triad_unstructured_host_component_bounds(triad_unstructured_flow *flow);
void triad_unstructured_host_component_parts(triad_unstructured_flow *flow, double dt);
void triad_unstructured_host_component_limits(triad_unstructured_flow *flow);

/* Full registers, or the rest at the end of a slice or line. */
#define IN_LANES(COUNT, MAKE, WORK) \
  for (int64_t i = 0; i < (COUNT); i += LANES) { \
    lanes h = MAKE; \
    if ((COUNT)-i >= LANES) { \
      h.m = LANES; \
      WORK; \
    } else { \
      h.m = (int)((COUNT)-i); \
      WORK; \
    } \
  }

#define OVER_SLICES(f, rows, LIST, CELL, WORK) \
  _Pragma("omp parallel num_threads((f)->context->threads)") \
  { \
    const unsigned as_it_was = flush_begin(); \
    const triad_unstructured_view view = (f)->view, *const v = &view; \
    tally t = tally_start(); \
    _Pragma("omp for schedule(static)") for (int64_t first = 0; first < (rows)->n; first += TRIAD_UNSTRUCTURED_SLICE) \
    { \
      const int64_t slice = ((rows)->first + first) / TRIAD_UNSTRUCTURED_SLICE, start = view.start[slice]; \
      const int64_t count = \
        (rows)->n - first < TRIAD_UNSTRUCTURED_SLICE ? (rows)->n - first : TRIAD_UNSTRUCTURED_SLICE; \
      const int n = (int)((view.start[slice + 1] - start) / TRIAD_UNSTRUCTURED_SLICE); \
      IN_LANES( \
        count, \
        ((lanes){ \
          .list = LIST, .sides = view.sides + (rows)->first + first + i, .at = start + i, .cell = CELL, .n = n}), \
        WORK) \
    } \
    triad_unstructured_tell(f, t.most, t.limited, t.parts, t.bad); \
    flush_end(as_it_was); \
  }

/* Three functions: NAME_rows of rows that are consecutive cells, NAME_listed of those that are listed, NAME_zones of
 * cells inside zones that are no bricks. WORK: of lanes h, with the view *v and the tally t. */
#define CELL_LOOPS(NAME, WORK, ...) \
  static void NAME##_rows(const triad_unstructured_rows *rows, __VA_ARGS__) \
  { \
    OVER_SLICES(f, rows, NULL, (rows)->cell + first + i, WORK) \
  } \
  static void NAME##_listed(const triad_unstructured_rows *rows, __VA_ARGS__) \
  { \
    if (rows->n == 0) return; \
    OVER_SLICES(f, rows, (rows)->list + first + i, 0, WORK) \
  } \
  static void NAME##_zones(__VA_ARGS__) \
  { \
    for (int number = f->domain->n_boxes; number < f->domain->n_zones; number++) \
      _Pragma("omp parallel num_threads(f->context->threads)") \
      { \
        const unsigned as_it_was = flush_begin(); \
        const triad_unstructured_view view = f->view, *const v = &view; \
        const triad_mesh_zone zone = f->domain->zone[number]; \
        const int64_t lines = (int64_t)(zone.n[1] - 2) * (zone.n[2] - 2), count = zone.n[0] - 2; \
        tally t = tally_start(); \
        _Pragma("omp for schedule(static)") for (int64_t line = 0; line < lines; line++) \
        { \
          const int64_t first = zone.cell + 1 + (line % (zone.n[1] - 2) + 1) * zone.stride[1] + \
                                (line / (zone.n[1] - 2) + 1) * zone.stride[2]; \
          IN_LANES(count, ((lanes){.zone = &zone, .at = first + i, .cell = first + i, .n = TRIAD_MESH_ZONE_SIDES}), \
                   WORK) \
        } \
        triad_unstructured_tell(f, t.most, t.limited, t.parts, t.bad); \
        flush_end(as_it_was); \
      } \
  }

#endif
