/* Exact sums: correctly rounded, whatever the order and the split.   ranks: 1 2 3 4   threads: 1 2 quick: 1 */
#include "test.h"

#include "parallel/sum.h"

#include <float.h>

static uint64_t bits_of(double x)
{
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static double from_bits(uint64_t bits)
{
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static double sum_of(int64_t n, const double *x)
{
  triad_sum s;
  triad_sum_clear(&s);
  triad_sum_add_array(&s, n, x);
  return triad_sum_value(&s);
}

#define SUM(...) sum_of((int64_t)(sizeof((double[]){__VA_ARGS__}) / sizeof(double)), (double[]){__VA_ARGS__})

/* Bit for bit, so that +0 and -0 differ. */
#define SAME(value, expected, what) \
  do { \
    double v_ = (value), e_ = (expected); \
    if (bits_of(v_) != bits_of(e_)) triad_test_fail(__FILE__, __LINE__, "%s: %a, expected %a", what, v_, e_); \
  } while (0)

/* A double with a random sign, mantissa, and exponent field in [low, high]. */
static double random_double(uint64_t stream, uint64_t i, int low, int high)
{
  uint64_t field = (uint64_t)(low + (int)triad_test_below(stream + 1, i, high - low + 1));
  return from_bits((triad_test_bits(stream, i) & 0x800fffffffffffff) | field << 52);
}

/* Another exact sum: non-overlapping partial sums (Shewchuk 1997, Discrete Comput. Geom. 18, 305, section 2.4), rounded
 * once from the top. Partial sums must not overflow. `volatile` keeps each operation a rounded one. */
static double sum_by_expansion(int64_t n, const double *x)
{
  static double part[4096];
  int parts = 0;
  for (int64_t i = 0; i < n; i++) {
    double a = x[i];
    int kept = 0;
    for (int j = 0; j < parts; j++) {
      double big = fabs(a) < fabs(part[j]) ? part[j] : a, small = fabs(a) < fabs(part[j]) ? a : part[j];
      volatile double high = big + small, back = high - big, low = small - back;
      if (fabs(low) > 0) part[kept++] = low;
      a = high;
    }
    part[kept++] = a;
    parts = kept;
  }
  volatile double high = 0, low = 0;
  while (parts > 0) {
    double before = high, next = part[--parts];
    high = before + next;
    volatile double used = high - before;
    low = next - used;
    if (fabs(low) > 0) break;
  }
  /* half-way cases: what lies below decides */
  if (parts > 0 && ((low < 0 && part[parts - 1] < 0) || (low > 0 && part[parts - 1] > 0))) {
    volatile double twice = 2 * low, sum = high + twice, step = sum - high;
    if (fabs(step - twice) <= 0) high = sum;
  }
  return high;
}

TRIAD_TEST(one_term_is_its_own_sum)
{
  for (uint64_t i = 0; i < 20000; i++) {
    double x = random_double(1, i, 0, 0x7fe);
    SAME(SUM(x), x, "sum of one term");
    SAME(SUM(x, -x), 0.0, "a term less itself");
  }
  SAME(SUM(DBL_MAX), DBL_MAX, "the largest");
  SAME(SUM(DBL_TRUE_MIN), DBL_TRUE_MIN, "the least");
  SAME(SUM(-DBL_TRUE_MIN), -DBL_TRUE_MIN, "the least, negative");
  SAME(SUM(DBL_MIN, -DBL_TRUE_MIN), DBL_MIN - DBL_TRUE_MIN, "the largest subnormal");
}

TRIAD_TEST(two_terms_add_as_in_ieee_arithmetic)
{
  for (uint64_t i = 0; i < 50000; i++) {
    int low = (int)triad_test_below(5, i, 0x7f0), high = low + 0x0e; /* near enough to interact; overflow included */
    double a = random_double(1, i, low, high), b = random_double(3, i, low, high);
    volatile double sum = a + b;
    SAME(SUM(a, b), fabs(sum) > 0 ? sum : 0.0, "a + b");
  }
}

TRIAD_TEST(cancellation_loses_nothing)
{
  SAME(SUM(1e308, -1e308, 1e-308), 1e-308, "what is left");
  SAME(SUM(1e-308, 1e308, -1e308), 1e-308, "what is left");
  SAME(SUM(1, 1e100, 1, -1e100), 2.0, "1 + 1 beside 1e100");
  SAME(SUM(1e308, 1e308, -1e308, -1e308, DBL_TRUE_MIN), DBL_TRUE_MIN, "the least number below twice 1e308");
  SAME(SUM(0x1p1000, 0x1p-1000, -0x1p1000, -0x1p-1000), 0.0, "nothing is left");
}

TRIAD_TEST(ties_go_to_even)
{
  SAME(SUM(1, 0x1p-53), 1.0, "1 and half a unit");
  SAME(SUM(1, 0x1p-53, DBL_TRUE_MIN), 1 + 0x1p-52, "just above the tie");
  SAME(SUM(1, 0x1p-53, -DBL_TRUE_MIN), 1.0, "just below the tie");
  SAME(SUM(1 + 0x1p-52, 0x1p-53), 1 + 0x1p-51, "odd and half a unit");
  SAME(SUM(-1, -0x1p-53, -DBL_TRUE_MIN), -1 - 0x1p-52, "the same, negative");
  SAME(SUM(2 - 0x1p-52, 0x1p-53), 2.0, "rounding up to a power of two");
  for (int place = 54; place <= 1074; place++) { /* one bit, wherever it is, breaks the tie */
    SAME(SUM(1, 0x1p-53, ldexp(1, -place)), 1 + 0x1p-52, "one bit above the tie");
    SAME(SUM(1, 0x1p-53, -ldexp(1, -place)), 1.0, "one bit below the tie");
  }
  SAME(SUM(DBL_MIN * 2, -DBL_TRUE_MIN), DBL_MIN * 2 - DBL_TRUE_MIN, "exact just above the subnormals");
}

TRIAD_TEST(sums_beyond_double_are_infinite_only_at_the_end)
{
  SAME(SUM(DBL_MAX, DBL_MAX), INFINITY, "twice the largest");
  SAME(SUM(-DBL_MAX, -DBL_MAX), -INFINITY, "twice the largest, negative");
  SAME(SUM(DBL_MAX, DBL_MAX, DBL_MAX, -DBL_MAX, -DBL_MAX), DBL_MAX, "overflow on the way");
  SAME(SUM(DBL_MAX, 0x1p970), INFINITY, "the largest and half a unit: a tie that goes to infinity");
  SAME(SUM(DBL_MAX, 0x1p970, -DBL_TRUE_MIN), DBL_MAX, "just below that tie");
  triad_sum s;
  triad_sum_clear(&s);
  for (int i = 0; i < 100000; i++) triad_sum_add(&s, DBL_MAX);
  SAME(triad_sum_value(&s), INFINITY, "10^5 times the largest");
  for (int i = 0; i < 99999; i++) triad_sum_add(&s, -DBL_MAX);
  SAME(triad_sum_value(&s), DBL_MAX, "and back");
}

TRIAD_TEST(nan_and_infinities_follow_ieee)
{
  SAME(SUM(INFINITY, 1, -DBL_MAX), INFINITY, "one infinity");
  SAME(SUM(-INFINITY, DBL_MAX, -INFINITY), -INFINITY, "the negative one");
  TRIAD_HOLDS(isnan(SUM(INFINITY, -INFINITY)), "both");
  TRIAD_HOLDS(isnan(SUM(1, NAN)), "a NaN");
  TRIAD_HOLDS(isnan(SUM(INFINITY, NAN)), "a NaN and an infinity");
  TRIAD_HOLDS(isnan(SUM(1, -NAN, 2)), "a NaN with its sign bit set");
  SAME(sum_of(0, NULL), 0.0, "no terms");
  SAME(SUM(-0.0, -0.0), 0.0, "zeros of either sign");
}

TRIAD_TEST(equals_fixed_point_in_128_bits)
{
  /* terms that are multiples of 2^-80 and below 2^20 fit in 101 bits; converting rounds to nearest even */
  for (uint64_t trial = 0; trial < 200; trial++) {
    enum { TERMS = 1000 };
    static double x[TERMS];
    __int128 fixed = 0;
    for (uint64_t i = 0; i < TERMS; i++) {
      x[i] = random_double(10 + trial, i, 1023 - 28, 1023 + 19);
      fixed += (__int128)ldexp(x[i], 60) * ((__int128)1 << 20);
      fixed += (__int128)ldexp(ldexp(x[i], 60) - trunc(ldexp(x[i], 60)), 20);
    }
    SAME(sum_of(TERMS, x), ldexp((double)fixed, -80), "sum of 1000 terms");
  }
}

TRIAD_TEST(equals_an_expansion_over_the_whole_range)
{
  for (uint64_t trial = 0; trial < 100; trial++) {
    enum { TERMS = 2000 };
    static double x[TERMS];
    int widest = trial % 3 == 0 ? 2000 : trial % 3 == 1 ? 100 : 3;
    int low = (int)triad_test_below(7, trial, 2001 - widest);
    for (uint64_t i = 0; i < TERMS; i += 2) {
      x[i] = random_double(300 + trial, i, low, low + widest);
      x[i + 1] = i % 8 ? random_double(500 + trial, i, low, low + widest) : -x[i] * (1 + 0x1p-50);
    }
    SAME(sum_of(TERMS, x), sum_by_expansion(TERMS, x), "sum over many binades");
  }
}

TRIAD_TEST(order_and_grouping_do_not_matter)
{
  enum { TERMS = 5000 };
  static double x[TERMS];
  for (uint64_t i = 0; i < TERMS; i++) x[i] = random_double(20, i, 600, 1400);
  double expected = sum_of(TERMS, x);
  for (uint64_t trial = 0; trial < 20; trial++) {
    for (int64_t i = TERMS - 1; i > 0; i--) { /* Fisher and Yates */
      int64_t j = triad_test_below(30 + trial, (uint64_t)i, i + 1);
      double t = x[i];
      x[i] = x[j];
      x[j] = t;
    }
    triad_sum total, part;
    triad_sum_clear(&total);
    for (int64_t at = 0, n; at < TERMS; at += n) {
      n = 1 + triad_test_below(60 + trial, (uint64_t)at, 100);
      if (n > TERMS - at) n = TERMS - at;
      triad_sum_clear(&part);
      triad_sum_add_array(&part, n, x + at);
      triad_sum_merge(&total, &part);
    }
    SAME(triad_sum_value(&total), expected, "sum of a permutation in pieces");
  }
}

TRIAD_TEST(answer_is_the_same_on_any_rank_and_thread_count)
{
  const triad_comm *comm = triad_test_comm();
  enum { TERMS = 20000, SUMS = 3 };
  static double x[SUMS][TERMS];
  double expected[SUMS], value[SUMS];
  triad_sum s[SUMS];
  for (int k = 0; k < SUMS; k++) {
    int low = 900 - 400 * k, high = 1100 + 400 * k;
    for (uint64_t i = 0; i < TERMS; i++) x[k][i] = random_double(100 + (uint64_t)k * 10, i, low, high);
    expected[k] = sum_of(TERMS, x[k]);
    triad_sum mine;
    triad_sum_clear(&mine);
    int64_t first = (int64_t)TERMS * comm->rank / comm->size, last = (int64_t)TERMS * (comm->rank + 1) / comm->size;
    const double *term = x[k];
#pragma omp parallel for schedule(dynamic, 17) reduction(triad_exact : mine)
    for (int64_t i = first; i < last; i++) triad_sum_add(&mine, term[i]);
    s[k] = mine;
  }
  TRIAD_CHECK(triad_sum_all(comm, s, SUMS, value));
  for (int k = 0; k < SUMS; k++) SAME(value[k], expected[k], "sum over ranks and threads");
  /* the totals can be used further on */
  triad_sum_add(&s[0], -expected[0]);
  double x0 = triad_sum_value(&s[0]);
  TRIAD_HOLDS(fabs(x0) <= 0x1p-53 * fabs(expected[0]), "rest %g of %g", x0, expected[0]);
  TRIAD_CHECK(triad_sum_all(comm, s, 0, NULL));
}

TRIAD_TEST(specials_of_one_rank_reach_all)
{
  const triad_comm *comm = triad_test_comm();
  triad_sum s[2];
  double value[2];
  for (int k = 0; k < 2; k++) {
    triad_sum_clear(s + k);
    triad_sum_add(s + k, 1);
  }
  if (comm->rank == comm->size - 1) {
    triad_sum_add(s, INFINITY);
    triad_sum_add(s + 1, NAN);
  }
  TRIAD_CHECK(triad_sum_all(comm, s, 2, value));
  SAME(value[0], INFINITY, "an infinity on the last rank");
  TRIAD_HOLDS(isnan(value[1]), "a NaN on the last rank");
}

TRIAD_TEST(a_million_ranks_cannot_overflow)
{
  /* what MPI_SUM does to 2^20 equal carried sums; the value must be 2^20 times as large */
  for (uint64_t trial = 0; trial < 200; trial++) {
    triad_sum s;
    triad_sum_clear(&s);
    for (uint64_t i = 0; i < 2000; i++) triad_sum_add(&s, random_double(40 + trial, i, 0, 1900));
    triad_sum_carry(&s);
    double one = triad_sum_value(&s);
    for (int i = 0; i < TRIAD_SUM_CHUNKS; i++)
      if (__builtin_mul_overflow(s.chunk[i], (int64_t)1 << 20, &s.chunk[i]))
        triad_test_fail(__FILE__, __LINE__, "chunk %d overflows", i);
    SAME(triad_sum_value(&s), ldexp(one, 20), "2^20 equal sums");
  }
}

TRIAD_MAIN
