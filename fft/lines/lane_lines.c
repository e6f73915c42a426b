/* Transform strided lines, LANES at a time, one per lane of the vector registers: copy them to cache, compute stage
 * by stage, and copy them back. */
#include "fft/lines/lane_lines.h"
#include "fft/lines/lane_plan.h"
#include "fft/lines/lane_radices.h"

#include <string.h>

int64_t triad_lane_room(int64_t n) { return 3 * 2 * n * (128 / (int64_t)sizeof(triad_cplx)); }

int triad_lane_lines_wide(void)
{
#ifdef __AVX512F__
  return 1;
#else
  return 0;
#endif
}

#ifdef TRIAD_LANE_LINES

/* Shuffles keep the order within 128 bits only; the inverse shuffles undo this. */
#if defined(TRIAD_SINGLE) && defined(__AVX512F__)
#define LANE_EVEN(a, b) __builtin_shufflevector(a, b, 0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30)
#define LANE_ODD(a, b) __builtin_shufflevector(a, b, 1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31)
#define LANE_LOW(a, b) __builtin_shufflevector(a, b, 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29)
#define LANE_HIGH(a, b) __builtin_shufflevector(a, b, 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31)
#elif defined(TRIAD_SINGLE)
#define LANE_EVEN(a, b) __builtin_shufflevector(a, b, 0, 2, 8, 10, 4, 6, 12, 14)
#define LANE_ODD(a, b) __builtin_shufflevector(a, b, 1, 3, 9, 11, 5, 7, 13, 15)
#define LANE_LOW(a, b) __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13)
#define LANE_HIGH(a, b) __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15)
#elif defined(__AVX512F__)
#define LANE_EVEN(a, b) __builtin_shufflevector(a, b, 0, 8, 2, 10, 4, 12, 6, 14)
#define LANE_ODD(a, b) __builtin_shufflevector(a, b, 1, 9, 3, 11, 5, 13, 7, 15)
#define LANE_LOW(a, b) LANE_EVEN(a, b)
#define LANE_HIGH(a, b) LANE_ODD(a, b)
#else
#define LANE_EVEN(a, b) __builtin_shufflevector(a, b, 0, 4, 2, 6)
#define LANE_ODD(a, b) __builtin_shufflevector(a, b, 1, 5, 3, 7)
#define LANE_LOW(a, b) LANE_EVEN(a, b)
#define LANE_HIGH(a, b) LANE_ODD(a, b)
#endif

LANE_INLINE lane_row lane_load(const triad_cplx *from)
{
  const lane_vector *v = (const lane_vector *)from;
  return (lane_row){LANE_EVEN(v[0], v[1]), LANE_ODD(v[0], v[1])};
}

LANE_INLINE void lane_store(triad_cplx *to, lane_row a)
{
  lane_vector *v = (lane_vector *)to;
  v[0] = LANE_LOW(a.re, a.im);
  v[1] = LANE_HIGH(a.re, a.im);
}

/* A stage from in to out: lines as they lie, complex with points `apart`, or rows in the cache. A backward transform
 * is a forward one whose results come in opposite order; the last stage puts them so. */
typedef void lane_pass(const triad_lane_stage *g, const void *in, void *out, int64_t apart, int backward);

#define LANE_PASS(name, R, dft, FROM_LINES, TO_LINES) \
  static void name(const triad_lane_stage *g, const void *in, void *out, int64_t apart, int backward) \
  { \
    const int64_t m = g->m, s = g->s, n = m * s * (R); \
    (void)apart; \
    (void)backward; \
    (void)n; \
    for (int64_t p = 0; p < m; p++) { \
      const triad_real *w = g->factors + 2 * p * ((R)-1); \
      for (int64_t q = 0; q < s; q++) { \
        lane_row v[R]; \
        LANE_UNROLL for (int j = 0; j < (R); j++) \
        { \
          const int64_t at = q + s * (p + j * m); \
          v[j] = (FROM_LINES) ? lane_load((const triad_cplx *)in + at * apart) : ((const lane_row *)in)[at]; \
        } \
        dft(v); \
        if (p > 0) LANE_UNROLL for (int k = 1; k < (R); k++) v[k] = lane_times(v[k], w[2 * k - 2], w[2 * k - 1]); \
        LANE_UNROLL for (int k = 0; k < (R); k++) \
        { \
          int64_t at = q + s * ((R)*p + k); \
          if ((TO_LINES) && backward && at > 0) at = n - at; \
          if (TO_LINES) lane_store((triad_cplx *)out + at * apart, v[k]); \
          else ((lane_row *)out)[at] = v[k]; \
        } \
      } \
    } \
  }

#define LANE_PASSES(R, dft) \
  LANE_PASS(within_##R, R, dft, 0, 0) \
  LANE_PASS(first_##R, R, dft, 1, 0) \
  LANE_PASS(last_##R, R, dft, 0, 1) \
  LANE_PASS(only_##R, R, dft, 1, 1)

LANE_PASSES(2, lane_two)
LANE_PASSES(3, lane_three)
LANE_PASSES(4, lane_four)
LANE_PASSES(5, lane_five)
LANE_PASSES(6, lane_six)
LANE_PASSES(7, lane_seven)
LANE_PASSES(8, lane_eight)
LANE_PASSES(9, lane_nine)
LANE_PASSES(10, lane_ten)
LANE_PASSES(12, lane_twelve)
LANE_PASSES(15, lane_fifteen)
LANE_PASSES(16, lane_sixteen)

#define LANE_ROW_OF_TABLE(R) [R] = {{within_##R, last_##R}, {first_##R, only_##R}}

static lane_pass *const pass_of[TRIAD_LANE_RADICES][2][2] = {
  LANE_ROW_OF_TABLE(2),  LANE_ROW_OF_TABLE(3),  LANE_ROW_OF_TABLE(4),  LANE_ROW_OF_TABLE(5),
  LANE_ROW_OF_TABLE(6),  LANE_ROW_OF_TABLE(7),  LANE_ROW_OF_TABLE(8),  LANE_ROW_OF_TABLE(9),
  LANE_ROW_OF_TABLE(10), LANE_ROW_OF_TABLE(12), LANE_ROW_OF_TABLE(15), LANE_ROW_OF_TABLE(16)};

/* LANES lines; two rooms change places. */
static void transform(const triad_lane_plan *plan, triad_cplx *data, int64_t apart, int backward, triad_real *room)
{
  void *from = data, *next = room, *other = room + 2 * plan->n * LANES;
  for (int i = 0; i < plan->n_stages; i++) {
    const int last = i == plan->n_stages - 1;
    pass_of[plan->stage[i].radix][i == 0][last](&plan->stage[i], from, last ? data : next, apart, backward);
    from = next;
    next = other;
    other = from;
  }
}

void triad_lane_lines(const triad_lane_plan *plan, triad_cplx *data, int64_t count, int64_t stride, int backward,
                      triad_real *room)
{
  int64_t i = 0;
  for (; i < count && i + LANES <= stride; i += LANES) transform(plan, data + i, stride, backward, room);
  if (i >= count) return;
  triad_cplx *some = (triad_cplx *)(room + 2 * 2 * plan->n * LANES); /* the rest, with lanes of zeros */
  const size_t bytes = (size_t)(count - i) * sizeof *some;
  memset(some, 0, (size_t)(plan->n * LANES) * sizeof *some);
  for (int64_t j = 0; j < plan->n; j++) memcpy(some + j * LANES, data + j * stride + i, bytes);
  transform(plan, some, LANES, backward, room);
  for (int64_t j = 0; j < plan->n; j++) memcpy(data + j * stride + i, some + j * LANES, bytes);
}

int triad_lane_lines_find(triad_lane_plan *plan, int64_t n) { return triad_lane_plan_find(plan, n, 0); }

#else

int triad_lane_lines_find(triad_lane_plan *plan, int64_t n)
{
  *plan = (triad_lane_plan){.n = n};
  return 0;
}

void triad_lane_lines(const triad_lane_plan *plan, triad_cplx *data, int64_t count, int64_t stride, int backward,
                      triad_real *room)
{
  (void)plan, (void)data, (void)count, (void)stride, (void)backward, (void)room;
}

#endif
