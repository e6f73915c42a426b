/* Counter-based random numbers: known answers, and moments within 5 standard errors.   ranks: 1 2 3 */
#include "test.h"

#include "base/random.h"

/* The same map once more, written from the paper (section 3.3, figure 4b and table 2) without a look at ours: rounds of
 * an S-box on pairs (L, R), R' = mulhi(R, M) ^ k ^ L, L' = mullo(R, M), and a permutation of the words. */
static void philox_of_the_paper(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4])
{
  const uint64_t multiplier[2] = {0xCD9E8D57, 0xD2511F53}, weyl[2] = {0x9E3779B9, 0xBB67AE85};
  uint64_t L[2] = {counter[1], counter[3]}, R[2] = {counter[0], counter[2]};
  for (uint64_t round = 0; round < 10; round++) {
    uint64_t hi[2], lo[2];
    for (int box = 0; box < 2; box++) {
      uint64_t m = multiplier[1 - box], a = R[box] & 0xffff, b = R[box] >> 16; /* 32 x 32 bits by halves */
      uint64_t low = a * (m & 0xffff), mid1 = b * (m & 0xffff), mid2 = a * (m >> 16), high = b * (m >> 16);
      uint64_t carry = ((low >> 16) + (mid1 & 0xffff) + (mid2 & 0xffff)) >> 16;
      lo[box] = (low + (mid1 << 16) + (mid2 << 16)) & 0xffffffff;
      hi[box] = high + (mid1 >> 16) + (mid2 >> 16) + carry;
    }
    uint64_t k0 = (key[0] + round * weyl[0]) & 0xffffffff, k1 = (key[1] + round * weyl[1]) & 0xffffffff;
    R[0] = hi[1] ^ L[0] ^ k0;
    R[1] = hi[0] ^ L[1] ^ k1;
    L[0] = lo[1];
    L[1] = lo[0];
  }
  for (int i = 0; i < 2; i++) {
    out[2 * i] = (uint32_t)R[i];
    out[2 * i + 1] = (uint32_t)L[i];
  }
}

/* Lines "philox4x32 10" of kat_vectors in the Random123 distribution: counter, key, answer. */
static const uint32_t known[][10] = {{0, 0, 0, 0, 0, 0, 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
                                     {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff,
                                      0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd},
                                     {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0,
                                      0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}};

TRIAD_TEST(philox_gives_the_published_answers)
{
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    const uint32_t *k = known[i];
    triad_bits b = triad_philox((triad_bits){{k[0], k[1], k[2], k[3]}}, (uint64_t)k[5] << 32 | k[4]);
    uint32_t paper[4];
    philox_of_the_paper(k, k + 4, paper);
    for (int w = 0; w < 4; w++) {
      TRIAD_EQUAL(b.v[w], k[6 + w], "word of the answer");
      TRIAD_EQUAL(paper[w], k[6 + w], "word of the answer, by the test's own map");
    }
  }
}

TRIAD_TEST(philox_equals_a_second_implementation)
{
  for (uint64_t i = 0; i < 10000; i++) {
    uint64_t a = triad_test_bits(1, i), b = triad_test_bits(2, i), key = triad_test_bits(3, i);
    uint32_t c[4] = {(uint32_t)a, (uint32_t)(a >> 32), (uint32_t)b, (uint32_t)(b >> 32)}, out[4];
    philox_of_the_paper(c, (uint32_t[2]){(uint32_t)key, (uint32_t)(key >> 32)}, out);
    triad_bits ours = triad_philox((triad_bits){{c[0], c[1], c[2], c[3]}}, key);
    if (memcmp(out, ours.v, sizeof out) != 0) triad_test_fail(__FILE__, __LINE__, "differs at sample %" PRIu64, i);
  }
}

TRIAD_TEST(counter_holds_mode_and_draw)
{
  triad_bits a = triad_random_bits(7, -1, 2, -3, 4);
  triad_bits b = triad_philox((triad_bits){{0xffffffff, 2, 0xfffffffd, 4}}, 7);
  TRIAD_HOLDS(memcmp(&a, &b, sizeof a) == 0, "negative wavenumbers are two's complement");
}

TRIAD_TEST(uniform_numbers_stay_in_their_interval)
{
  const triad_bits low = {{0, 0, 0, 0}}, high = {{~0u, ~0u, ~0u, ~0u}};
  for (int half = 0; half < 2; half++) {
    TRIAD_NEAR(triad_random_uniform(low, half), 0.0, 0, "least of [0, 1)");
    TRIAD_NEAR(triad_random_uniform(high, half), 1 - 0x1p-53, 0, "largest of [0, 1)");
    TRIAD_NEAR(triad_random_uniform_positive(low, half), 0x1p-53, 0, "least of (0, 1]");
    TRIAD_NEAR(triad_random_uniform_positive(high, half), 1.0, 0, "largest of (0, 1]");
  }
}

TRIAD_TEST(normal_numbers_are_finite_at_the_ends)
{
  double a, b;
  triad_random_normals((triad_bits){{0, 0, 0, 0}}, &a, &b);
  TRIAD_NEAR(a, sqrt(106 * log(2)), 1e-15, "largest normal number");
  TRIAD_NEAR(b, 0.0, 0, "its partner at angle 0");
  triad_random_normals((triad_bits){{~0u, ~0u, ~0u, ~0u}}, &a, &b);
  TRIAD_NEAR(a * a + b * b, 0.0, 0, "radius where u = 1");
}

enum { SIDE = 64, SAMPLES = SIDE * SIDE * SIDE };

/* Block of sample i under the test's seed: a mode of a cube centred on zero. */
static triad_bits sample(int i, uint32_t stream, uint32_t draw)
{
  uint64_t key = triad_random_key(triad_test_now.seed, stream);
  return triad_random_bits(key, i % SIDE - SIDE / 2, i / SIDE % SIDE - SIDE / 2, i / SIDE / SIDE - SIDE / 2, draw);
}

TRIAD_TEST(uniform_numbers_have_the_moments_of_a_uniform_law)
{
  /* E u^p = 1 / (p + 1); standard error sqrt((1 / (2p + 1) - 1 / (p + 1)^2) / n) */
  for (int half = 0; half < 2; half++)
    for (int p = 1; p <= 4; p++) {
      double sum = 0;
      for (int i = 0; i < SAMPLES; i++) sum += pow(triad_random_uniform(sample(i, TRIAD_STREAM_TEST, 0), half), p);
      double sigma = sqrt((1.0 / (2 * p + 1) - 1.0 / ((p + 1) * (p + 1))) / SAMPLES);
      TRIAD_WITHIN(sum / SAMPLES, 1.0 / (p + 1), 5 * sigma, "moment of the uniform numbers");
    }
}

TRIAD_TEST(every_bit_is_set_half_of_the_time)
{
  int count[128] = {0};
  for (int i = 0; i < SAMPLES; i++) {
    triad_bits b = sample(i, TRIAD_STREAM_TEST, 1);
    for (int bit = 0; bit < 128; bit++) count[bit] += (int)(b.v[bit / 32] >> bit % 32 & 1);
  }
  for (int bit = 0; bit < 128; bit++)
    TRIAD_WITHIN(count[bit], SAMPLES / 2.0, 5 * sqrt(SAMPLES / 4.0), "times that a bit was set");
}

TRIAD_TEST(uniform_numbers_fill_their_bins_evenly)
{
  /* chi^2 with B - 1 degrees of freedom: mean B - 1, variance 2 (B - 1) */
  enum { BINS = 1024 };
  int count[BINS] = {0};
  for (int i = 0; i < SAMPLES; i++) count[(int)(BINS * triad_random_uniform(sample(i, TRIAD_STREAM_TEST, 2), 0))]++;
  double chi2 = 0, expected = (double)SAMPLES / BINS;
  for (int i = 0; i < BINS; i++) chi2 += (count[i] - expected) * (count[i] - expected) / expected;
  TRIAD_WITHIN(chi2, BINS - 1, 5 * sqrt(2.0 * (BINS - 1)), "chi squared");
}

TRIAD_TEST(normal_numbers_have_the_moments_of_a_normal_law)
{
  static const double moment[9] = {1, 0, 1, 0, 3, 0, 15, 0, 105}; /* E x^p */
  for (int which = 0; which < 2; which++)
    for (int p = 1; p <= 4; p++) {
      double sum = 0;
      for (int i = 0; i < SAMPLES; i++) {
        double x[2];
        triad_random_normals(sample(i, TRIAD_STREAM_TEST, 3), &x[0], &x[1]);
        sum += pow(x[which], p);
      }
      double sigma = sqrt((moment[2 * p] - moment[p] * moment[p]) / SAMPLES);
      TRIAD_WITHIN(sum / SAMPLES, moment[p], 5 * sigma, "moment of the normal numbers");
    }
}

TRIAD_TEST(normal_numbers_follow_the_error_function)
{
  /* share below x is (1 + erf(x / sqrt 2)) / 2, binomial error */
  for (double x = -3; x <= 3; x += 0.5) {
    int below = 0;
    for (int i = 0; i < SAMPLES; i++) {
      double a, b;
      triad_random_normals(sample(i, TRIAD_STREAM_TEST, 4), &a, &b);
      below += (a < x) + (b < x);
    }
    double share = 0.5 * (1 + erf(x / sqrt(2))), n = 2.0 * SAMPLES;
    TRIAD_WITHIN(below / n, share, 5 * sqrt(share * (1 - share) / n), "share of normal numbers below x");
  }
}

TRIAD_TEST(neighbours_partners_streams_and_seeds_are_uncorrelated)
{
  /* the mean product of independent numbers of unit variance has standard error 1 / sqrt(n) */
  static const char *const what[] = {"with its partner",        "with the next mode in x", "with the next mode in y",
                                     "with the next mode in z", "with the next draw",      "with another stream",
                                     "with the next seed"};
  double sum[7] = {0};
  uint64_t next_seed = triad_random_key(triad_test_now.seed + 1, TRIAD_STREAM_TEST);
  for (int i = 0; i < SAMPLES; i++) {
    double a, partner, b, unused;
    int kx = i % SIDE - SIDE / 2, ky = i / SIDE % SIDE - SIDE / 2, kz = i / SIDE / SIDE - SIDE / 2;
    triad_bits others[6] = {sample(i + 1, TRIAD_STREAM_TEST, 5),
                            sample(i + SIDE, TRIAD_STREAM_TEST, 5),
                            sample(i + SIDE * SIDE, TRIAD_STREAM_TEST, 5),
                            sample(i, TRIAD_STREAM_TEST, 6),
                            sample(i, TRIAD_STREAM_FORCING, 5),
                            triad_random_bits(next_seed, kx, ky, kz, 5)};
    triad_random_normals(sample(i, TRIAD_STREAM_TEST, 5), &a, &partner);
    sum[0] += a * partner;
    for (int o = 0; o < 6; o++) {
      triad_random_normals(others[o], &b, &unused);
      sum[o + 1] += a * b;
    }
  }
  for (int o = 0; o < 7; o++) TRIAD_WITHIN(sum[o] / SAMPLES, 0, 5 / sqrt(SAMPLES), what[o]);
}

TRIAD_TEST(keys_of_neighbouring_seeds_and_streams_differ)
{
  enum { SEEDS = 64, STREAMS = 8, KEYS = SEEDS * STREAMS };
  uint64_t key[KEYS];
  for (int i = 0; i < KEYS; i++) {
    /* seeds beyond 32 bits count in full */
    uint64_t seed = (uint64_t)(i / STREAMS % 8) | (uint64_t)(i / STREAMS / 8) << 32;
    key[i] = triad_random_key(seed, (uint32_t)(i % STREAMS));
    for (int j = 0; j < i; j++) TRIAD_HOLDS(key[i] != key[j], "keys %d and %d", i, j);
  }
}

TRIAD_TEST(field_is_the_same_however_its_modes_are_dealt)
{
  /* each rank draws every size-th mode, backwards; the whole is compared with one rank's drawing all in order */
  const triad_comm *comm = triad_test_comm();
  enum { MODES = 4096 };
  static double mine[MODES], whole[MODES];
  memset(mine, 0, sizeof mine);
  for (int i = MODES - 1; i >= 0; i--)
    if (i % comm->size == comm->rank) mine[i] = triad_random_uniform(sample(i, TRIAD_STREAM_INITIAL, 0), 1);
  TRIAD_CHECK(TRIAD_MPI(MPI_Allreduce(mine, whole, MODES, MPI_DOUBLE, MPI_SUM, comm->mpi)));
  for (int i = 0; i < MODES; i++)
    TRIAD_NEAR(whole[i], triad_random_uniform(sample(i, TRIAD_STREAM_INITIAL, 0), 1), 0, "the number of a mode");
}

TRIAD_MAIN
