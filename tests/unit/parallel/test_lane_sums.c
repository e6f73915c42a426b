/* Exact sums of eight terms at a time: the bits of those of one.   threads: 1 */
#include "test.h"

#include "parallel/lane_sums.h"

#include <float.h>
#include <stdlib.h>

enum { SUMS = 3, ROUNDS = 5000 };

typedef double eight[TRIAD_SUM_LANES] __attribute__((aligned(64)));

/* Terms of a kind: of sizes 2^low to 2^high, of either sign. */
static double term(uint64_t stream, uint64_t i, int low, int high)
{
  int e = low + (int)triad_test_below(stream, 2 * i, high - low + 1);
  double part = 1 + (double)(triad_test_bits(stream, 2 * i + 1) >> 11) * 0x1p-53;
  return (triad_test_bits(stream, 2 * i + 1) & 1 ? -1 : 1) * ldexp(part, e);
}

static void same(const triad_sum *a, const triad_sum *b, const char *what)
{
  const double x = triad_sum_value(a), y = triad_sum_value(b);
  if (memcmp(&x, &y, sizeof x) != 0 && !(isnan(x) && isnan(y)))
    triad_test_fail(__FILE__, __LINE__, "%s: %a, one by one %a", what, x, y);
}

static void compare(int low, int high, double odd, const char *what)
{
  triad_lane_sums s;
  triad_sum one[SUMS], lanes[SUMS];
  void *memory = NULL;
  TRIAD_HOLDS(posix_memalign(&memory, 64, (size_t)triad_lane_sums_bytes(SUMS)) == 0, "memory");
  triad_lane_sums_create(&s, SUMS, memory, lanes);
  for (int i = 0; i < SUMS; i++) triad_sum_clear(&one[i]);
  for (int r = 0; r < ROUNDS; r++) {
    triad_lane_sums_round(&s);
    for (int i = 0; i < SUMS; i++) {
      eight x;
      /* sizes that grow on the way make it move; one odd term in the middle */
      for (int j = 0; j < TRIAD_SUM_LANES; j++)
        x[j] =
          term(1900, (uint64_t)((r * SUMS + i) * TRIAD_SUM_LANES + j), low, r < ROUNDS / 2 ? (low + high) / 2 : high);
      if (r == ROUNDS / 3 && i == 1) x[3] = odd;
      triad_lane_sums_add(&s, i, x);
      for (int j = 0; j < TRIAD_SUM_LANES; j++) triad_sum_add(&one[i], x[j]);
    }
  }
  triad_lane_sums_empty(&s);
  for (int i = 0; i < SUMS; i++) same(&s.sums[i], &one[i], what);
  triad_lane_sums_clear(&s);
  for (int i = 0; i < SUMS; i++) TRIAD_HOLDS(!(fabs(triad_sum_value(&s.sums[i])) > 0), "a sum of nothing");
  free(memory);
}

TRIAD_TEST(lanes_add_up_to_the_bits_of_single_terms)
{
  compare(-3, 3, 0, "sizes alike");
  compare(-60, 10, 0, "as of a spectrum");
  compare(-200, 0, 0x1p-1060, "of all sizes, with bits below any part");
  compare(-1000, -900, 0, "small ones");
  compare(990, 1000, 0, "large ones");
  compare(-1000, 1000, -0., "the whole range");
  compare(-3, 3, NAN, "a NaN");
  compare(-3, 3, INFINITY, "an infinity");
}

/* Terms that cancel but for the last bit of one of them. */
TRIAD_TEST(what_cancels_leaves_the_last_bit)
{
  triad_lane_sums s;
  triad_sum sum;
  void *memory = NULL;
  TRIAD_HOLDS(posix_memalign(&memory, 64, (size_t)triad_lane_sums_bytes(1)) == 0, "memory");
  triad_lane_sums_create(&s, 1, memory, &sum);
  for (int r = 0; r < 2 * TRIAD_SUM_ROUNDS + 7; r++) {
    eight x = {1, 1e10, M_PI, 0x1p-60, -M_PI, -1e10, -1, -0x1p-60};
    triad_lane_sums_round(&s);
    if (r == 99) x[0] = 1 + DBL_EPSILON;
    triad_lane_sums_add(&s, 0, x);
  }
  triad_lane_sums_empty(&s);
  TRIAD_HOLDS(!(fabs(triad_sum_value(&s.sums[0]) - DBL_EPSILON) > 0), "%a is left", triad_sum_value(&s.sums[0]));
  free(memory);
}

TRIAD_MAIN
