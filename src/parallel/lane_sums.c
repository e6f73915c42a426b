/* Move the partial sums of eight terms at a time into the exact sums, and add terms that do not fit one by one. */
#include "parallel/lane_sums.h"

/* Between these the three parts are ordinary numbers. */
enum { LOWEST = -800, HIGHEST = 950, ROOM = 4 /* above the largest term, in powers of two */ };

int64_t triad_lane_sums_bytes(int64_t n) { return n * (int64_t)(TRIAD_SUM_PARTS * sizeof(triad_sum_lanes)); }

void triad_lane_sums_create(triad_lane_sums *s, int64_t n, void *memory, triad_sum *sums)
{
  *s = (triad_lane_sums){.n = n, .part = memory, .sums = sums};
  triad_lane_sums_clear(s);
}

void triad_lane_sums_clear(triad_lane_sums *s)
{
  memset(s->part, 0, (size_t)s->n * TRIAD_SUM_PARTS * sizeof *s->part);
  for (int64_t i = 0; i < s->n; i++) triad_sum_clear(&s->sums[i]);
  s->rounds = 0;
  s->limit = s->largest = 0;
  for (int p = 0; p < TRIAD_SUM_PARTS; p++) s->c[p] = 0;
}

void triad_lane_sums_empty(triad_lane_sums *s)
{
  for (int64_t i = 0; i < s->n; i++) {
    const double *x = (const double *)(s->part + i * TRIAD_SUM_PARTS);
    for (int j = 0; j < TRIAD_SUM_PARTS * TRIAD_SUM_LANES; j++)
      if (x[j] != 0) triad_sum_add(&s->sums[i], x[j]);
  }
  memset(s->part, 0, (size_t)s->n * TRIAD_SUM_PARTS * sizeof *s->part);
  s->rounds = 0;
}

void triad_lane_sums_slowly(triad_lane_sums *s, int64_t i, const double *x)
{
  for (int j = 0; j < TRIAD_SUM_LANES; j++) {
    const double size = fabs(x[j]);
    triad_sum_add(&s->sums[i], x[j]);
    if (size > s->limit && size > s->largest && isfinite(size)) s->largest = size;
  }
}

void triad_lane_sums_move(triad_lane_sums *s)
{
  int e = 0;
  triad_lane_sums_empty(s);
  (void)frexp(s->largest, &e);
  s->largest = 0;
  if (e + ROOM < LOWEST || e + ROOM > HIGHEST) return; /* such terms are added one by one */
  s->limit = ldexp(1, e + ROOM);
  for (int p = 0; p < TRIAD_SUM_PARTS; p++) s->c[p] = ldexp(1.5, 52 + e + ROOM - 44 - 45 * p);
}
