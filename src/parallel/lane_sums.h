/* Many exact sums, eight terms at a time: the result of triad_sum, bit for bit, in a tenth of its time.
 *
 * A term x is split by exact additions (Rump, Ogita & Oishi 2008, SIAM J. Sci. Comput. 31, 189, section 3):
 *   h = (x + c_0) - c_0,   m = ((x - h) + c_1) - c_1,   l = ((x - h - m) + c_2) - c_2,   c_i = 3/2 2^52 q_i.
 * h, m, l are multiples of q_0 = 2^(E-44), q_1 = 2^(E-89), q_2 = 2^(E-134), at most 2^E, 2^(E-45), 2^(E-90). Each of
 * the three sums exactly in a double for 2^8 terms and is then added to its triad_sum. Terms above 2^E, terms with
 * bits below q_2 and terms that are not finite are added to the triad_sum directly. The value of E, which follows the
 * largest term, therefore does not affect the result.
 *
 *   triad_lane_sums_create(&s, n, memory, sums);
 *   for (...) {
 *     triad_lane_sums_round(s);                            before each sum gets at most one more set of eight
 *     for (i < n) triad_lane_sums_add(s, i, x[8]);
 *   }
 *   triad_lane_sums_empty(s);                              sums[i] as if each term had been added to it */
#ifndef TRIAD_PARALLEL_LANE_SUMS_H
#define TRIAD_PARALLEL_LANE_SUMS_H

#include "parallel/sum.h"

#include <math.h>

enum { TRIAD_SUM_LANES = 8, TRIAD_SUM_PARTS = 3, TRIAD_SUM_ROUNDS = 256 };

typedef double triad_sum_lanes __attribute__((vector_size(TRIAD_SUM_LANES * sizeof(double))));
typedef int64_t triad_sum_mask __attribute__((vector_size(TRIAD_SUM_LANES * sizeof(int64_t))));
typedef int64_t triad_sum_half __attribute__((vector_size(TRIAD_SUM_LANES * sizeof(int64_t) / 2)));

typedef struct triad_lane_sums {
  int64_t n;
  int rounds;            /* rounds since the last triad_lane_sums_empty */
  double limit, largest; /* 2^E; the largest term above it */
  double c[TRIAD_SUM_PARTS];
  triad_sum_lanes *part; /* [n][TRIAD_SUM_PARTS]         */
  triad_sum *sums;       /* [n]                          */
} triad_lane_sums;

/* Bytes of memory that n of them need in addition to their sums. */
int64_t triad_lane_sums_bytes(int64_t n);

/* Initialise in memory[triad_lane_sums_bytes(n)] of the caller, aligned to 64 bytes, and sums[n]; all sums are 0. */
void triad_lane_sums_create(triad_lane_sums *s, int64_t n, void *memory, triad_sum *sums);

/* Set all sums to 0. */
void triad_lane_sums_clear(triad_lane_sums *s);

/* Add the contents of all lanes to sums[]. */
void triad_lane_sums_empty(triad_lane_sums *s);

/* Add eight terms one by one, and record the largest. */
void triad_lane_sums_slowly(triad_lane_sums *s, int64_t i, const double *x);

/* Choose E from the largest term. */
void triad_lane_sums_move(triad_lane_sums *s);

static inline void triad_lane_sums_round(triad_lane_sums *s)
{
  if (s->largest > 0) triad_lane_sums_move(s);
  else if (s->rounds == TRIAD_SUM_ROUNDS) triad_lane_sums_empty(s);
  s->rounds++;
}

/* Returns 1 if all lanes are set. In halves, which the compiler turns into two instructions instead of eight
 * comparisons. */
static inline __attribute__((always_inline)) int triad_sum_all_lanes(const triad_sum_mask *mask)
{
  triad_sum_half low, high;
  memcpy(&low, mask, sizeof low);
  memcpy(&high, (const char *)mask + sizeof low, sizeof high);
  low &= high;
  return (low[0] & low[1] & low[2] & low[3]) != 0;
}

/* Add x[8], aligned to 64 bytes, to sum i. */
static inline __attribute__((always_inline)) void triad_lane_sums_add(triad_lane_sums *s, int64_t i, const double *x)
{
  __asm__("" : : "m"(*(const double(*)[TRIAD_SUM_LANES])x)); /* forces the terms to memory, rounded to double */
  triad_sum_lanes *to = s->part + i * TRIAD_SUM_PARTS, rest = *(const triad_sum_lanes *)x;
  triad_sum_mask fine = (rest <= s->limit) & (rest >= -s->limit);
  const triad_sum_lanes h = (rest + s->c[0]) - s->c[0];
  rest -= h;
  const triad_sum_lanes m = (rest + s->c[1]) - s->c[1];
  rest -= m;
  const triad_sum_lanes l = (rest + s->c[2]) - s->c[2];
  rest -= l;
  fine &= rest == 0;
  if (__builtin_expect(!triad_sum_all_lanes(&fine), 0)) {
    triad_lane_sums_slowly(s, i, x);
    return;
  }
  to[0] += h;
  to[1] += m;
  to[2] += l;
}

#endif
