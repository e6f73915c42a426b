/* Choose the cheapest radices of a line length, and compute the twiddle factors of its stages. */
#include "fft/lines/lane_plan.h"

#include "base/status.h"

#include <math.h>

/* Cost of a stage by radix, in hundredths of a nanosecond per point on one machine: few stages of even
 * radix are best. */
static const int cost_of[TRIAD_LANE_RADICES] = {[2] = 11, [3] = 14, [4] = 15,  [5] = 19,  [6] = 19,  [7] = 26,
                                                [8] = 18, [9] = 25, [10] = 26, [12] = 27, [15] = 33, [16] = 26};

/* Radices of n not above `most`, ascending, so that the last is `most` or less; the cheapest. Returns its cost, -1:
 * there are none. */
static int cheapest(int64_t n, int most, int room, int *radix, int *count)
{
  int best = -1;
  *count = 0;
  if (n == 1) return 0;
  for (int r = most; r >= 2 && room > 0; r--) {
    int rest[TRIAD_LANE_STAGES], n_rest;
    if (cost_of[r] == 0 || n % r != 0) continue;
    const int others = cheapest(n / r, r, room - 1, rest, &n_rest);
    if (others < 0 || (best >= 0 && others + cost_of[r] >= best)) continue;
    best = others + cost_of[r];
    for (int i = 0; i < n_rest; i++) radix[i] = rest[i];
    radix[n_rest] = r;
    *count = n_rest + 1;
  }
  return best;
}

int triad_lane_plan_find(triad_lane_plan *plan, int64_t n, int first)
{
  int radix[TRIAD_LANE_STAGES], count;
  *plan = (triad_lane_plan){.n = n};
  if (n < 2 || (first > 0 && n % first != 0)) return 0;
  /* after a first stage the others have one vector or few: large radices would wait for themselves */
  const int most = first > 0 ? 8 : TRIAD_LANE_RADICES - 1;
  if (cheapest(first > 0 ? n / first : n, most, TRIAD_LANE_STAGES - 1, radix, &count) < 0) return 0;
  /* Rows end with the smallest radix, whose results are split into two spectra as they come. */
  if (first > 0) plan->stage[plan->n_stages++].radix = first;
  for (int i = 0; i < count; i++) plan->stage[plan->n_stages++].radix = first > 0 ? radix[count - 1 - i] : radix[i];
  int64_t s = 1;
  for (int i = 0; i < plan->n_stages; i++) {
    triad_lane_stage *g = &plan->stage[i];
    g->s = s;
    s *= g->radix;
    g->m = n / s;
  }
  return 1;
}

/* exp(-2 pi i j/n), its quarters exact. */
static void root(int64_t j, int64_t n, triad_real *re, triad_real *im)
{
  static const triad_real cosine[4] = {1, 0, -1, 0}, sine[4] = {0, -1, 0, 1};
  const long double angle = 2 * 3.14159265358979323846264338L * (long double)(j % n) / (long double)n;
  const int quarter = 4 * (j % n) % n == 0 ? (int)(4 * (j % n) / n) : -1;
  *re = quarter >= 0 ? cosine[quarter] : (triad_real)cosl(angle);
  *im = quarter >= 0 ? sine[quarter] : (triad_real)-sinl(angle);
}

int triad_lane_plan_create(triad_lane_plan *plan, triad_memory *memory, int lanes)
{
  for (int i = 0; i < plan->n_stages; i++) {
    triad_lane_stage *g = &plan->stage[i];
    const int64_t w = i == 0 ? lanes : 1, others = g->radix - 1;
    TRIAD_TRY(TRIAD_ALLOC(memory, "lines", 2 * g->m * others, &g->factors));
    for (int64_t p = 0; p < g->m; p++)
      for (int64_t k = 1; k <= others; k++) {
        triad_real *at = g->factors + 2 * w * (p / w * others + k - 1) + p % w;
        root(p * k, g->m * g->radix, at, at + w);
      }
  }
  return TRIAD_OK;
}

void triad_lane_plan_destroy(triad_lane_plan *plan, triad_memory *memory)
{
  for (int i = 0; i < plan->n_stages; i++) TRIAD_FREE(memory, &plan->stage[i].factors);
  plan->n_stages = 0;
}
