/* Lines along x, y and z against the sum that defines them, whichever code serves their length.   precision: both */
#include "test.h"

#include "fft/lines/lane_plan.h"
#include "fft/lines/lines.h"

enum { MOST = 512, SHORT = 96 };

/* Every length with no prime factor above 7, which have lines of our own where the build has them; some that have
 * none. */
static int wanted(int64_t n)
{
  for (int64_t f = 2; f <= 7; f++)
    while (n % f == 0) n /= f;
  return n == 1 || n == 11 || n == 13;
}

/* x_j = sum_k d_k exp(sign 2 pi i j k/n) of one line. */
static void sum_of(int64_t n, int64_t j, int sign, const triad_cplx *d, int64_t apart, double x[2])
{
  x[0] = x[1] = 0;
  for (int64_t k = 0; k < n; k++) {
    const double angle = sign * 2 * TRIAD_PI * (double)(j * k % n) / (double)n, c = cos(angle), s = sin(angle);
    const double re = (double)d[k * apart].re, im = (double)d[k * apart].im;
    x[0] += re * c - im * s;
    x[1] += re * s + im * c;
  }
}

static void fill(triad_cplx *d, int64_t n, int64_t width, int64_t stride)
{
  memset(d, 0, (size_t)(n * stride) * sizeof *d);
  for (int64_t y = 0; y < n; y++)
    for (int64_t x = 0; x < width; x++)
      d[y * stride + x] = (triad_cplx){(triad_real)triad_test_random(1, (uint64_t)(y * width + x)),
                                       (triad_real)triad_test_random(2, (uint64_t)(y * width + x))};
}

/* Rounding grows with the number of stages, log2 n at most, times the rms sqrt(2 n/3) of a result; its largest is
 * some times that. Long lines: some results of the first and the last line only. */
static void check_lines(int64_t n, int64_t width, int64_t stride, int sign, const triad_cplx *was, const triad_cplx *is)
{
  const double tolerance = 4 * (double)TRIAD_EPSILON * (1 + log2((double)n)) * sqrt((double)n);
  for (int64_t x = 0; x<width; x += n> SHORT ? width - 1 : 1)
    for (int64_t j = 0; j<n; j += n> SHORT ? 1 + n / 16 : 1) {
      double expected[2];
      sum_of(n, j, sign, was + x, stride, expected);
      const double re = (double)is[j * stride + x].re, im = (double)is[j * stride + x].im;
      if (!(fabs(re - expected[0]) <= tolerance && fabs(im - expected[1]) <= tolerance))
        triad_test_fail(__FILE__, __LINE__, "n = %d, line %d of %d, j = %d: (%g, %g), expected (%g, %g)", (int)n,
                        (int)x, (int)width, (int)j, re, im, expected[0], expected[1]);
    }
  for (int64_t y = 0; y < n; y++)
    for (int64_t x = width; x < stride; x++)
      if (is[y * stride + x].re != 0 || is[y * stride + x].im != 0)
        triad_test_fail(__FILE__, __LINE__, "n = %d: something lies beyond the lines", (int)n);
}

/* `spare`: how far a row of the plane reaches beyond its lines. */
static void check_chosen(int64_t n, int64_t width, int64_t spare, triad_line_choice choice)
{
  triad_memory *m = triad_test_context()->memory;
  const triad_lines_shape shape = {
    .n = {n, n, n}, .stride = width + spare, .width = width, .kept = n / 3 + 1, .lanes = TRIAD_LANES, .choice = choice};
  const int64_t room = n * (shape.stride > TRIAD_LANES ? shape.stride : TRIAD_LANES);
  triad_context context = *triad_test_context();
  triad_lines *lines = NULL;
  triad_cplx *was = NULL, *is = NULL;
  TRIAD_CHECK(TRIAD_ALLOC(m, "test", room, &was));
  TRIAD_CHECK(TRIAD_ALLOC(m, "test", room, &is));
  TRIAD_CHECK(triad_lines_create(&lines, &context, &shape, TRIAD_PLAN_ESTIMATED, NULL));
  for (int i = 0; i < 3; i++) { /* plans by rule: kernels wherever there are some */
    const int own = choice != TRIAD_LINES_LIBRARY && triad_lines_own_serve(i, n);
    if (n > 1 && triad_lines_are_own(lines, i) != own)
      triad_test_fail(__FILE__, __LINE__, "n = %d: who transforms lines along %d", (int)n, i);
  }
  for (int i = 0; i < 4; i++) {
    const int along_y = i < 2, sign = i % 2 ? 1 : -1;
    const int64_t lanes = along_y ? width : TRIAD_LANES, stride = along_y ? shape.stride : TRIAD_LANES;
    fill(was, n, lanes, stride);
    memcpy(is, was, (size_t)(n * stride) * sizeof *is);
    (along_y    ? sign > 0 ? triad_lines_y_backward : triad_lines_y_forward
     : sign > 0 ? triad_lines_z_backward
                : triad_lines_z_forward)(lines, is);
    check_lines(n, lanes, stride, sign, was, is);
  }
  triad_lines_destroy(&lines);
  TRIAD_FREE(m, &is);
  TRIAD_FREE(m, &was);
}

static void check_length(int64_t n, int64_t width, int64_t spare) { check_chosen(n, width, spare, TRIAD_LINES_AUTO); }

/* parallel.lines: kernels and FFTW are the same sums; a length without a kernel is FFTW's in any case. */
TRIAD_TEST(lines_by_choice_are_the_sums_that_define_them)
{
  static const int64_t lengths[] = {16, 24, 60, 64, 97, 131};
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
    check_chosen(lengths[i], 11, 5, TRIAD_LINES_OWN);
    check_chosen(lengths[i], 11, 5, TRIAD_LINES_LIBRARY);
  }
  TRIAD_HOLDS(!triad_lines_own_serve(1, 131) && !triad_lines_own_serve(0, 131), "131 points have a kernel");
  TRIAD_HOLDS(triad_lines_own_serve(1, 64) && triad_lines_own_serve(2, 1), "64 points and one have kernels");
}

TRIAD_TEST(lines_of_every_smooth_length_are_the_sums_that_define_them)
{
  for (int64_t n = 2; n <= MOST; n++)
    if (wanted(n)) check_length(n, 11, 5);
}

/* Fewer lines than a vector holds, one more than it does, rows that end where lines end, or with room for a whole
 * vector. */
TRIAD_TEST(any_number_of_lines_fits)
{
  for (int64_t width = 1; width <= 18; width++)
    for (int64_t spare = 0; spare <= 16; spare += 8) check_length(24, width, spare);
}

static void check_number(int64_t n, int64_t at, double is, double expected, double tolerance)
{
  if (!(fabs(is - expected) <= tolerance))
    triad_test_fail(__FILE__, __LINE__, "rows of %d, number %d: %g, expected %g", (int)n, (int)at, is, expected);
}

/* Two real rows and their spectra, by the sums that define them. What is in memory behind the kept modes counts for
 * nothing. */
static void check_rows(int64_t n, int64_t kept)
{
  triad_memory *m = triad_test_context()->memory;
  const triad_lines_shape shape = {
    .n = {n, 2, 2}, .stride = n / 2 + 2, .width = n / 2 + 1, .kept = kept, .lanes = TRIAD_LANES};
  const double tolerance = 8 * (double)TRIAD_EPSILON * (1 + log2((double)n)) * sqrt((double)n);
  triad_context context = *triad_test_context();
  triad_lines *lines = NULL;
  triad_cplx *rows = NULL, *line = NULL, *two;
  triad_real *values = NULL;
  TRIAD_CHECK(TRIAD_ALLOC(m, "test", 4 * shape.stride, &rows));
  TRIAD_CHECK(TRIAD_ALLOC(m, "test", n, &line));
  TRIAD_CHECK(TRIAD_ALLOC(m, "test", 2 * n, &values));
  TRIAD_CHECK(triad_lines_create(&lines, &context, &shape, TRIAD_PLAN_ESTIMATED, NULL));
  fill(rows, 2, kept, shape.stride);
  for (int r = 0; r < 2; r++)
    for (int64_t k = kept; k < shape.stride; k++)
      rows[r * shape.stride + k] = (triad_cplx){(triad_real)NAN, (triad_real)NAN};
  two = rows + 2 * shape.stride;
  triad_lines_x_backward(lines, rows, rows + shape.stride, line, values);
  for (int r = 0; r < 2; r++)
    for (int64_t x = 0; x<n; x += n> SHORT ? 1 + n / 16 : 1) {
      const triad_cplx *a = rows + r * shape.stride;
      double expected = (double)a[0].re;
      for (int64_t k = 1; k < kept; k++) {
        const double angle = 2 * TRIAD_PI * (double)(k * x % n) / (double)n;
        if (2 * k == n) expected += (double)a[k].re * cos(angle);
        else expected += 2 * ((double)a[k].re * cos(angle) - (double)a[k].im * sin(angle));
      }
      check_number(n, x, (double)values[2 * x + r], expected, tolerance);
    }
  triad_lines_x_forward(lines, values, line, two, two + shape.stride);
  for (int r = 0; r < 2; r++)
    for (int64_t k = 0; k < shape.width; k++) {
      const triad_cplx was = k < kept ? rows[r * shape.stride + k] : (triad_cplx){0, 0};
      const triad_cplx is = two[r * shape.stride + k];
      check_number(n, k, (double)is.re, (double)n * (double)was.re, (double)n * tolerance);
      check_number(n, k, (double)is.im, k == 0 || 2 * k == n ? 0 : (double)n * (double)was.im, (double)n * tolerance);
    }
  triad_lines_destroy(&lines);
  TRIAD_FREE(m, &rows);
  TRIAD_FREE(m, &line);
  TRIAD_FREE(m, &values);
}

TRIAD_TEST(two_rows_as_one_line_are_what_each_is_alone)
{
  for (int64_t n = 2; n <= 640; n++) {
    if (!wanted(n)) continue;
    check_rows(n, n / 3 + 1);
    check_rows(n, n / 2 + 1);
  }
}

/* Spectra that end anywhere in a vector, or leave no whole vector between the modes and their mirrors. */
TRIAD_TEST(rows_may_keep_any_number_of_modes)
{
  static const int64_t lengths[] = {16, 64, 128, 192, 256};
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
    for (int64_t kept = 1; kept <= lengths[i] / 2 + 1; kept++) check_rows(lengths[i], kept);
}

/* A line is rounded the same wherever it stands among others: ranks share lines in many ways. */
TRIAD_TEST(a_line_is_the_same_bit_for_bit_in_any_place)
{
  enum { N = 60, STRIDE = 24 };
  triad_memory *m = triad_test_context()->memory;
  const triad_lines_shape shape = {.n = {N, N, N}, .stride = STRIDE, .width = 19, .kept = 21, .lanes = TRIAD_LANES};
  triad_context context = *triad_test_context();
  triad_lines *lines = NULL;
  triad_cplx *d = NULL, one[N];
  TRIAD_CHECK(TRIAD_ALLOC(m, "test", N * STRIDE, &d));
  TRIAD_CHECK(triad_lines_create(&lines, &context, &shape, TRIAD_PLAN_ESTIMATED, NULL));
  for (int sign = 0; sign < 2; sign++) {
    fill(one, N, 1, 1);
    for (int y = 0; y < N; y++)
      for (int x = 0; x < 19; x++) d[y * STRIDE + x] = one[y];
    (sign ? triad_lines_y_backward : triad_lines_y_forward)(lines, d);
    for (int y = 0; y < N; y++)
      for (int x = 1; x < 19; x++)
        if (memcmp(&d[y * STRIDE + x], &d[y * STRIDE], sizeof *d) != 0)
          triad_test_fail(__FILE__, __LINE__, "line %d differs at %d", x, y);
  }
  triad_lines_destroy(&lines);
  TRIAD_FREE(m, &d);
}

/* The radices of a length multiply to it, and are found for all and only those with factors up to 7. */
TRIAD_TEST(stages_multiply_to_the_length)
{
  for (int64_t n = 2; n <= 4096; n++) {
    triad_lane_plan plan;
    int64_t product = 1, rest = n;
    for (int64_t f = 2; f <= 7; f++)
      while (rest % f == 0) rest /= f;
    assert_int_equal(triad_lane_plan_find(&plan, n, 0), rest == 1);
    for (int i = 0; i < plan.n_stages; i++) {
      assert_int_equal(plan.stage[i].s, product);
      product *= plan.stage[i].radix;
      assert_int_equal(plan.stage[i].m * product, n);
    }
    assert_int_equal(product, rest == 1 ? n : 1);
  }
}

TRIAD_MAIN
