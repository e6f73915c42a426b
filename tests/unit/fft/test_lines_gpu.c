/* Kernels of lines on the host (tests/help/fake): of every length that is built in, and of every other from 16 to
 * 512 with no prime factor above 13 (fft/gpu/gpu_compiled.h), against the sum that defines its transform; whole x
 * passes of some, in both precisions; and sums over bins.   timeout: 120 */
#include "test.h"

#include "fft/lines/radices.h"
#include "parallel/rounds.h"

#include <complex.h>
#include <math.h>

enum { MOST = 512, LONGEST_BUILT_IN = 2048, LANES = 64, PITCH = 256, ROWS = 128 };

typedef int strided(int n, int sign, const triad_cplx *in, triad_cplx *out, const triad_cplx *table);
typedef int fused(int n, const triad_cplx *in, triad_real *points, triad_cplx *out, int kx_most, int64_t pitch,
                  const triad_cplx *table);
strided test_strided, test_strided_built_in;
fused test_fused, test_fused_built_in;
int test_turns(int n, long turns[2]), test_turns_built_in(int n, long turns[2]);
extern const int test_built_in[]; /* lengths, ending with 0 */

static triad_cplx table[LONGEST_BUILT_IN];

static double turn(int a, int n) { return 6.283185307179586476925286766559 * (a % n) / n; }

static void fill_table(int n)
{
  for (int j = 0; j < n; j++) table[j] = (triad_cplx){cos(turn(j, n)), -sin(turn(j, n))};
}

/* Numbers between -1 and 1, of no pattern that a length could share. */
static double number(int i) { return 2 * fmod(0.754877666246693 * i * (1 + 1e-3 * i), 1) - 1; }

/* Rounding of log2 n passes on sums of n numbers below 1, of root mean square sqrt(2 n/3): eight errors a pass are
 * enough for the largest of all. */
static double allowed(int n) { return 8 * DBL_EPSILON * log2(n) * sqrt(n); }

static double off(triad_cplx a, double complex b) { return hypot(a.re - creal(b), a.im - cimag(b)); }

/* The first and the last lane of a block; the others are their neighbours. */
static double strided_error(strided *run, int n, int sign)
{
  static triad_cplx in[MOST * LANES], out[MOST * LANES];
  double worst = 0;
  for (int i = 0; i < MOST * LANES; i++) in[i] = (triad_cplx){number(2 * i), number(2 * i + 1)};
  const int lanes = run(n, sign, in, out, table);
  for (int lane = 0; lane<lanes; lane += lanes> 1 ? lanes - 1 : 1)
    for (int k = 0; k < n; k++) {
      double complex sum = 0;
      for (int j = 0; j < n; j++) {
        const triad_cplx w = table[(int64_t)j * k % n], u = in[j * lanes + lane];
        sum += (u.re + I * u.im) * (w.re - I * (sign * w.im));
      }
      worst = fmax(worst, off(out[k * lanes + lane], sum));
    }
  return lanes > 0 ? worst : INFINITY;
}

TRIAD_TEST(lines_along_y_and_z_are_the_sums_that_define_them)
{
  for (int n = TRIAD_RADICES_LEAST; n <= MOST; n++) {
    if (!triad_radices_serve(n, 0)) continue;
    fill_table(n);
    for (int sign = -1; sign <= 1; sign += 2)
      TRIAD_HOLDS(strided_error(test_strided, n, sign) <= allowed(n), "%d points, sign %d: off by %g", n, sign,
                  strided_error(test_strided, n, sign));
  }
}

TRIAD_TEST(lines_that_are_built_in_are_the_sums_that_define_them)
{
  for (const int *n = test_built_in; *n; n++) {
    fill_table(*n);
    for (int sign = -1; sign <= 1; sign += 2)
      TRIAD_HOLDS(strided_error(test_strided_built_in, *n, sign) <= allowed(*n), "%d points, sign %d: off by %g", *n,
                  sign, strided_error(test_strided_built_in, *n, sign));
  }
}

/* x(i) = sum over |k| <= K of X(k) exp(2 pi i k i/n), X(-k) = conj X(k). */
static double point_of(const triad_cplx *modes, int k_most, int i, int n)
{
  double sum = modes[0].re;
  for (int k = 1; k <= k_most; k++) {
    const triad_cplx w = table[(int64_t)i * k % n];
    sum += 2 * (modes[k].re * w.re + modes[k].im * w.im);
  }
  return sum;
}

/* Points of the first and the last row against sums; and what comes back is n times what went. */
static double fused_error(fused *run, int n, int k_most)
{
  const int pitch = k_most + 1;
  static triad_cplx in[ROWS * PITCH], out[ROWS * PITCH];
  static triad_real points[ROWS * MOST];
  double worst = 0;
  for (int i = 0; i < ROWS * PITCH; i++) in[i] = (triad_cplx){number(2 * i), i % pitch ? number(2 * i + 1) : 0};
  const int rows = run(n, in, points, out, k_most, pitch, table);
  for (int row = 0; row<rows; row += rows> 1 ? rows - 1 : 1)
    for (int i = 0; i < n; i++)
      worst = fmax(worst, fabs(points[row * n + i] - point_of(in + row * pitch, k_most, i, n)));
  for (int row = 0; row < rows; row++)
    for (int k = 0; k <= k_most; k++) {
      const triad_cplx u = in[row * pitch + k];
      worst = fmax(worst, off(out[row * pitch + k], n * (u.re + I * u.im)) / sqrt(n));
    }
  return rows > 0 ? worst : INFINITY;
}

TRIAD_TEST(rows_of_the_fused_pass_are_the_sums_that_define_them_and_come_back)
{
  for (int n = TRIAD_RADICES_LEAST; n <= MOST; n++) {
    if (!triad_radices_serve(n, 1)) continue;
    fill_table(n);
    TRIAD_HOLDS(fused_error(test_fused, n, (n - 1) / 3) <= 2 * allowed(n), "%d points: off by %g", n,
                fused_error(test_fused, n, (n - 1) / 3));
  }
}

TRIAD_TEST(rows_that_are_built_in_are_the_sums_that_define_them_and_come_back)
{
  for (const int *n = test_built_in; *n; n++) {
    const int most = (*n - 1) / 3;
    fill_table(*n);
    TRIAD_HOLDS(fused_error(test_fused_built_in, *n, most) <= 2 * allowed(*n), "%d points: off by %g", *n,
                fused_error(test_fused_built_in, *n, most));
  }
}

/* With phase shifts sqrt(2)/3 n modes are kept. */
TRIAD_TEST(rows_that_keep_more_than_a_third_are_the_sums_that_define_them)
{
  for (int n = 20; n <= MOST; n += 20) {
    const int most = (int)(sqrt(2) / 3 * n);
    if (!triad_radices_serve(n, 1)) continue;
    fill_table(n);
    TRIAD_HOLDS(fused_error(test_fused, n, most) <= 2 * allowed(n), "%d points: off by %g", n,
                fused_error(test_fused, n, most));
  }
}

/* Without gaps, or with those of powers of two, many lengths take twice the turns. */
TRIAD_TEST(threads_of_a_row_meet_in_few_banks_of_shared_memory)
{
  long sum[2] = {0, 0};
  for (int n = TRIAD_RADICES_LEAST; n <= MOST; n++) {
    long turns[2];
    if (!test_turns(n, turns)) continue;
    TRIAD_HOLDS(2 * turns[0] <= 3 * turns[1], "rows of %d points: %ld turns, %ld would do", n, turns[0], turns[1]);
    for (int i = 0; i < 2; i++) sum[i] += turns[i];
    if ((n & (n - 1)) == 0) TRIAD_EQUAL(turns[0], turns[1], "a power of two");
  }
  TRIAD_HOLDS(sum[1] > 0 && sum[0] <= 1.1 * (double)sum[1], "%ld turns, %ld would do", sum[0], sum[1]);
  for (const int *n = test_built_in; *n; n++) {
    long turns[2];
    TRIAD_HOLDS(test_turns_built_in(*n, turns) && 2 * turns[0] <= 3 * turns[1],
                "rows of %d points: %ld turns, %ld would do", *n, turns[0], turns[1]);
  }
}

/* Products of a velocity and a scalar that it carries at the points of rows, and back, all by sums. */
enum { LONGEST = 500, LINES = 23, WIDE = 168, INPUTS = 4, RESULTS = 8 };
typedef int passes(int n, const double *in, int n_in, double *out, int n_out, int carried, int waits, int rows,
                   int kx_most, int pitch, const int64_t *places, const double *table, const double per_spacing[3],
                   double *peaks);
passes test_passes, test_passes_single;

static const double per_spacing[3] = {3, 5, 7};

static int pitch_of(int k_most) { return (k_most + 8) / 8 * 8; } /* as triad_gpu_pitch() */

/* t(i): u^2 - w^2, u v, v^2 - w^2, u w, v w, and s u, s v, s w. */
static void products(const double u[INPUTS], double t[RESULTS])
{
  const double all[RESULTS] = {u[0] * u[0] - u[2] * u[2],
                               u[0] * u[1],
                               u[1] * u[1] - u[2] * u[2],
                               u[0] * u[2],
                               u[1] * u[2],
                               u[3] * u[0],
                               u[3] * u[1],
                               u[3] * u[2]};
  memcpy(t, all, sizeof all);
}

/* What a row's products are, complex [result][pitch]; peaks: of the rate, and |u|^2. */
static void expect(int n, int k_most, const triad_cplx *in, int64_t field, triad_cplx out[RESULTS][WIDE],
                   double peaks[2])
{
  memset(out, 0, sizeof(triad_cplx[RESULTS][WIDE]));
  for (int i = 0; i < n; i++) {
    double u[INPUTS], t[RESULTS];
    for (int f = 0; f < INPUTS; f++) u[f] = point_of(in + f * field, k_most, i, n);
    products(u, t);
    peaks[0] = fmax(peaks[0], per_spacing[0] * fabs(u[0]) + per_spacing[1] * fabs(u[1]) + per_spacing[2] * fabs(u[2]));
    peaks[1] = fmax(peaks[1], u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    for (int r = 0; r < RESULTS; r++)
      for (int k = 0; k <= k_most; k++) {
        const triad_cplx w = table[(int64_t)i * k % n];
        out[r][k].re += t[r] * w.re;
        out[r][k].im += t[r] * w.im;
      }
  }
}

/* A pass of LINES rows of numbers of no pattern, real where kx = 0, that lie whole. */
static int pass_of_whole_rows(passes *run, int n, int waits, int k_most, triad_cplx *in, triad_cplx *out,
                              double peaks[3])
{
  const int pitch = pitch_of(k_most), row = LINES * pitch;
  for (int i = 0; i < INPUTS * row; i++) in[i] = (triad_cplx){number(2 * i), i % pitch ? number(2 * i + 1) : 0};
  fill_table(n);
  return run(n, &in[0].re, INPUTS * row, &out[0].re, RESULTS * row, 1, waits, LINES, k_most, pitch, NULL, &table[0].re,
             per_spacing, peaks);
}

/* Rounding of points is about that of sums of n numbers, products are n times as large, and a sum of n of them is
 * theirs. */
static void check_passes(passes *run, int n, int waits, int k_most, double epsilon)
{
  static triad_cplx in[INPUTS * LINES * WIDE], out[RESULTS * LINES * WIDE], wanted[RESULTS][WIDE];
  const int rows = LINES, pitch = pitch_of(k_most);
  double peaks[3] = {0}, found[2] = {0}, worst = 0, largest = 0;
  TRIAD_HOLDS(pass_of_whole_rows(run, n, waits, k_most, in, out, peaks), "%d points: no kernel", n);
  for (int row = 0; row < rows; row++) {
    expect(n, k_most, in + row * pitch, (int64_t)rows * pitch, wanted, found);
    for (int r = 0; r < RESULTS; r++)
      for (int k = 0; k <= k_most; k++) {
        const triad_cplx w = wanted[r][k];
        worst = fmax(worst, off(out[(r * rows + row) * pitch + k], w.re + I * w.im));
        largest = fmax(largest, hypot(w.re, w.im));
      }
  }
  TRIAD_HOLDS(worst <= 8 * epsilon * log2(n) * largest, "%d points: products off by %g of %g", n, worst, largest);
  TRIAD_NEAR(peaks[0], found[0], 8 * epsilon * log2(n), "the rate of a pass");
  TRIAD_NEAR(peaks[1], found[0], 8 * epsilon * log2(n), "the rate of extremes");
  TRIAD_NEAR(peaks[2], found[1], 16 * epsilon * log2(n), "the square of the speed");
}

/* Fields in registers, and such as wait in shared memory; of 45 points, whose threads have 15 elements, all results
 * share a transform. */
TRIAD_TEST(whole_x_passes_of_a_velocity_are_products_at_points)
{
  const int n[] = {45, 180, 500};
  for (int waits = 0; waits < 2; waits++) {
    for (int i = 0; i < 3; i++) {
      check_passes(test_passes, n[i], waits, (n[i] - 1) / 3, DBL_EPSILON);
      check_passes(test_passes_single, n[i], waits, (n[i] - 1) / 3, FLT_EPSILON);
    }
    check_passes(test_passes, 180, waits, 84, DBL_EPSILON); /* sqrt(2)/3 n, for phase shifts */
    check_passes(test_passes_single, 180, waits, 84, FLT_EPSILON);
  }
}

/* Rows as three GPUs that share planes have them, four neighbours at a time to each, the pieces of all rows of one
 * behind those of another: results are those of whole rows to the last bit. */
static void check_pieces(passes *run, int n, int k_most)
{
  enum { PARTS = 3, SOME = 4, PIECE = WIDE / PARTS + SOME };
  static triad_cplx in[INPUTS * LINES * WIDE], out[RESULTS * LINES * WIDE];
  static triad_cplx in_pieces[PARTS * INPUTS * LINES * PIECE], out_pieces[PARTS * RESULTS * LINES * PIECE];
  int64_t places[2 * WIDE];
  double peaks[2][3] = {{0}};
  const int pitch = pitch_of(k_most), piece = (k_most / (PARTS * SOME) + 1) * SOME;
  const int part_in = INPUTS * LINES * piece, part_out = RESULTS * LINES * piece;
  assert_true(pass_of_whole_rows(run, n, 0, k_most, in, out, peaks[0]));
  for (int k = 0; k <= k_most; k++) {
    const int part = k / SOME % PARTS, line = k / (PARTS * SOME) * SOME + k % SOME;
    places[k] = part * part_in + line;
    places[k_most + 1 + k] = part * part_out + line;
    for (int row = 0; row < INPUTS * LINES; row++) in_pieces[row * piece + places[k]] = in[row * pitch + k];
  }
  assert_true(run(n, &in_pieces[0].re, PARTS * part_in, &out_pieces[0].re, PARTS * part_out, 1, 0, LINES, k_most, piece,
                  places, &table[0].re, per_spacing, peaks[1]));
  for (int row = 0; row < RESULTS * LINES; row++)
    for (int k = 0; k <= k_most; k++) {
      const triad_cplx a = out[row * pitch + k], b = out_pieces[row * piece + places[k_most + 1 + k]];
      TRIAD_HOLDS(a.re == b.re && a.im == b.im, "%d points, row %d, kx %d: %g %g in pieces, whole %g %g", n, row, k,
                  b.re, b.im, a.re, a.im);
    }
  assert_memory_equal(peaks[0], peaks[1], sizeof peaks[0]);
}

TRIAD_TEST(rows_in_pieces_are_worked_on_as_whole_ones)
{
  const int n[] = {45, 180, 500};
  for (int i = 0; i < 3; i++) {
    check_pieces(test_passes, n[i], (n[i] - 1) / 3);
    check_pieces(test_passes_single, n[i], (n[i] - 1) / 3);
  }
  check_pieces(test_passes, 180, 84);
  check_pieces(test_passes_single, 180, 84);
}

/* Every mode is in the bin of its size, once; that of j = nkz/2 of an even axis is nkz/2. */
void test_bins(int nkz, int columns, const double *wz, const double *weight, const double *across2, const double *value,
               int n_bins, double *out);

static void check_bins(int nkz)
{
  enum { COLUMNS = 7, BINS = 9, MOST_KZ = 10 };
  double wz[MOST_KZ], weight[COLUMNS], across2[COLUMNS], value[MOST_KZ * COLUMNS], out[BINS], wanted[BINS] = {0};
  for (int j = 0; j < nkz; j++) wz[j] = 2 * j <= nkz ? j : j - nkz;
  for (int c = 0; c < COLUMNS; c++) {
    weight[c] = 1 + (c > 0);
    across2[c] = 1.3 * c;
    for (int j = 0; j < nkz; j++) {
      value[j * COLUMNS + c] = number(j * COLUMNS + c);
      wanted[(int)floor(sqrt(across2[c] + wz[j] * wz[j]) + 0.5)] += weight[c] * value[j * COLUMNS + c];
    }
  }
  test_bins(nkz, COLUMNS, wz, weight, across2, value, BINS, out);
  for (int b = 0; b < BINS; b++)
    TRIAD_HOLDS(fabs(out[b] - wanted[b]) <= 1e-14, "%d modes, bin %d: %g, expected %g", nkz, b, out[b], wanted[b]);
}

TRIAD_TEST(bins_hold_every_mode_once_by_its_size)
{
  for (int nkz = 1; nkz <= 10; nkz++) check_bins(nkz);
}

/* Nothing is left over, no round is added, and one block fewer would add one. */
TRIAD_TEST(blocks_of_rounds_are_the_fewest_that_add_none)
{
  for (int64_t held = 1; held <= 40; held++)
    for (int64_t all = 1; all <= 200; all++) {
      const int64_t blocks = triad_blocks_of_rounds(all, held), rounds = (all + held - 1) / held;
      TRIAD_HOLDS(blocks >= 1 && blocks <= held && blocks <= all, "%d of %d: %d blocks", (int)all, (int)held,
                  (int)blocks);
      TRIAD_HOLDS(blocks * rounds >= all && (blocks - 1) * rounds < all, "%d of %d: %d blocks in %d rounds", (int)all,
                  (int)held, (int)blocks, (int)rounds);
    }
  TRIAD_EQUAL(triad_blocks_of_rounds(0, 7), 0, "blocks for nothing");
}

static int smooth(int n, int most)
{
  for (int p = 2; p <= most; p++)
    while (n % p == 0) n /= p;
  return n == 1;
}

/* Every length of the factors 2, 3, 5, 7 to 4096 has kernels, along x too where rows can be halved; primes have
 * none. */
TRIAD_TEST(every_smooth_length_has_radices_that_make_it)
{
  for (int n = TRIAD_RADICES_LEAST; n <= TRIAD_RADICES_MAX; n++) {
    triad_radices r;
    const int even = n % 2 == 0, whole = triad_radices_serve(n, 0);
    if (smooth(n, 7)) TRIAD_HOLDS(triad_radices_serve(n, even), "%d points have no kernels", n);
    if (!smooth(n, 13)) TRIAD_HOLDS(!whole, "%d points have kernels", n);
    if (!triad_radices_serve(n, 0) || !triad_radices_strided(n, &r)) continue;
    const int product = r.first * r.middle[0] * r.middle[1] * r.middle[2] * r.last,
              rest = n % r.each + r.each % r.first + r.each % r.last;
    TRIAD_HOLDS(product == n && rest == 0, "%d points are not %d %d %d %d %d of %d a thread", n, r.first, r.middle[0],
                r.middle[1], r.middle[2], r.last, r.each);
    TRIAD_HOLDS(n / r.each * r.lanes <= 1024 && (int64_t)n * r.lanes * 16 <= TRIAD_RADICES_SHARED,
                "%d points: a block of %d lines", n, r.lanes);
  }
}

/* Of the ways that were timed on an H100, hd in double precision, the fastest is taken: each, first, middle, last;
 * along x also whether rows go one by one, and how many lines a block has. */
TRIAD_TEST(lengths_that_were_timed_are_transformed_in_the_fastest_way)
{
  const int along_z[][5] = {{480, 20, 10, 12, 4}, {500, 10, 10, 10, 5}, {600, 15, 15, 8, 5},
                            {640, 16, 16, 5, 8},  {720, 24, 12, 5, 12}, {768, 24, 12, 8, 8}};
  const int along_x[][7] = {{480, 8, 8, 3, 4, 0, 1},    {500, 10, 10, 10, 5, 0, 5}, {576, 8, 8, 9, 4, 1, 7},
                            {600, 10, 10, 6, 10, 0, 1}, {640, 8, 8, 5, 8, 1, 3},    {720, 6, 6, 10, 6, 1, 1},
                            {768, 8, 8, 6, 8, 1, 5}};
  triad_radices r;
  for (size_t i = 0; i < sizeof along_z / sizeof *along_z; i++) {
    const int *w = along_z[i];
    TRIAD_HOLDS(triad_radices_strided(w[0], &r) && r.each == w[1] && r.first == w[2] && r.middle[0] == w[3] &&
                  r.last == w[4],
                "%d points: %d a thread, %d %d %d", w[0], r.each, r.first, r.middle[0], r.last);
  }
  for (size_t i = 0; i < sizeof along_x / sizeof *along_x; i++) {
    const int *w = along_x[i];
    TRIAD_HOLDS(triad_radices_fused(w[0], 3, &r) && r.each == w[1] && r.first == w[2] && r.middle[0] == w[3] &&
                  r.last == w[4] && r.one_by_one == w[5] && r.lanes == w[6],
                "rows of %d points: %d a thread, %d %d %d, one by one %d, %d lines", w[0], r.each, r.first, r.middle[0],
                r.last, r.one_by_one, r.lanes);
  }
}

TRIAD_MAIN
