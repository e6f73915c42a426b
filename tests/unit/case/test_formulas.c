/* Formulas: their values, what is none, and noise.   ranks: 1 quick: 1 */
#include "test.h"

#include "case/case_internal.h"
#include "case/formula/formula.h"

/* An independent computation: the same in C. Each operation rounds once on either side, but C may fuse two. */
TRIAD_TEST(formulas_have_the_values_of_c)
{
  enum { N = 300 }; /* more than a piece of a row, and a rest */
  static const char *const text[] = {"sin(x)*cos(y) - tanh(z/2)",
                                     "-x^2 + 2^-1",
                                     "2^3^2/64 + 1/2pi",
                                     "if(x > 1 && !(y < 0.5), z, -z)",
                                     "min(x, y, z) + max(x, 0.5)",
                                     "atan2(y, x) + hypot(x, y)",
                                     "a*x + mod(x, 0.3)",
                                     "x <= y == (z != 2) || 0",
                                     "exp(-((x - e)^2 + y^2)/0.1)",
                                     "pow(abs(y), 1.5) - sign(y) + step(x - 2)",
                                     "7",
                                     "erf(x) + floor(z*1e3)"};
  const double a = 3.5, number[] = {3.5};
  const char *const name[] = {"a"};
  const triad_formula_scope scope = {triad_formula_of_points, 1, name, number, NULL};
  static double x[N], y[N], z[N], got[N];
  const double *const at[] = {x, y, z};
  for (int i = 0; i < N; i++) {
    x[i] = 3.0 * i / N;
    y[i] = sin(5.0 * i);
    z[i] = 1.25; /* the same in the whole row */
  }
  for (size_t f = 0; f < sizeof text / sizeof *text; f++) {
    triad_formula *formula;
    char why[TRIAD_FORMULA_WHY];
    TRIAD_EQUAL(triad_formula_compile(&formula, text[f], strlen(text[f]), &scope, why), TRIAD_OK, why);
    if (!formula) continue;
    triad_formula_rows(formula, N, at, got);
    triad_formula_destroy(&formula);
    for (int i = 0; i < N; i++) {
      const double X = x[i], Y = y[i], Z = z[i];
      const double want[] = {sin(X) * cos(Y) - tanh(Z / 2),
                             -(X * X) + 0.5,
                             8 + 1 / (2 * M_PI),
                             X > 1 && !(Y < 0.5) ? Z : -Z,
                             fmin(X, fmin(Y, Z)) + fmax(X, 0.5),
                             atan2(Y, X) + hypot(X, Y),
                             a * X + (X - 0.3 * floor(X / 0.3)),
                             (X <= Y) == 1,
                             exp(-((X - M_E) * (X - M_E) + Y * Y) / 0.1),
                             pow(fabs(Y), 1.5) -
                               (Y > 0   ? 1
                                : Y < 0 ? -1
                                        : 0) +
                               (X >= 2),
                             7,
                             erf(X) + 1250};
      const double large = fmax(fabs(want[f]), 4); /* of the terms, which may cancel */
      /* of an exponent near -80 the error counts 80 times */
      TRIAD_WITHIN(got[i], want[f], f == 8 ? 1e-13 * want[f] : 4 * 2.3e-16 * large, text[f]);
    }
  }
}

static double value_of(const char *text)
{
  double value = 0;
  char why[TRIAD_FORMULA_WHY];
  triad_formula *f;
  TRIAD_EQUAL(triad_formula_compile(&f, text, strlen(text), &(triad_formula_scope){0}, why), TRIAD_OK, why);
  if (!f) return NAN;
  triad_formula_rows(f, 1, NULL, &value);
  triad_formula_destroy(&f);
  return value;
}

/* An exponent that is no number is not 2. */
TRIAD_TEST(a_power_of_what_is_no_number_is_none)
{
  static const char *const text[] = {"3^(0/0)", "3^sqrt(-1)", "(1 + 2)^-acos(2)"};
  for (size_t i = 0; i < sizeof text / sizeof *text; i++)
    TRIAD_HOLDS(isnan(value_of(text[i])), "%s is %g", text[i], value_of(text[i]));
}

/* A start or a force that is none somewhere is refused there, so that no function may make a number of it. */
TRIAD_TEST(what_is_no_number_stays_none)
{
  static const char *const text[] = {"step(0/0)",   "sign(0/0)",   "min(0/0, 1)",   "min(1, 0/0)", "min(2, 0/0, 1)",
                                     "max(0/0, 1)", "max(1, 0/0)", "if(0/0, 1, 2)", "mod(0/0, 1)", "mod(1, 0/0)",
                                     "mod(1, 0)",   "(0/0)^2",     "hypot(1, 0/0)", "floor(0/0)"};
  for (size_t i = 0; i < sizeof text / sizeof *text; i++)
    TRIAD_HOLDS(isnan(value_of(text[i])), "%s is %g", text[i], value_of(text[i]));
}

/* By integers: 10^20 = 3 * 33333333333333333333 + 1; 10^16 is a multiple of 2^16, so 10^16 + 2 = 2 mod 8. */
TRIAD_TEST(mod_has_the_sign_of_its_divisor_for_numbers_of_any_size)
{
  static const struct {
    const char *text;
    double value;
  } exact[] = {{"mod(1e20, 3)", 1}, {"mod(-1e20, 3)", 2},  {"mod(1e20, -3)", -2}, {"mod(1e16 + 2, 8)", 2},
               {"mod(5, 1/0)", 5},  {"mod(-5, -1/0)", -5}, {"mod(7, 4)", 3},      {"mod(-7, 4)", 1},
               {"mod(7, -4)", -1},  {"mod(-8, 4)", 0}};
  for (size_t i = 0; i < sizeof exact / sizeof *exact; i++)
    TRIAD_WITHIN(value_of(exact[i].text), exact[i].value, 0, exact[i].text);
  for (double a = 1e15; a < 1e300; a *= 977.3) {
    char text[80];
    (void)snprintf(text, sizeof text, "mod(%.17g, 0.1)", a);
    const double rest = value_of(text);
    TRIAD_HOLDS(rest >= 0 && rest < 0.1, "%s is %g", text, rest);
  }
}

/* Of 1000 multiples of numbers that have no end in base 2, either way round: within [0, b), and what C's library
 * takes for the exact remainder. A root of one that is negative by rounding would be no number. */
TRIAD_TEST(mod_of_multiples_is_the_exact_remainder_within_its_divisor)
{
  static const double divisor[] = {0.1, 0.3, 0.7, 1 / 3.0, 2 * M_PI, 1e-9};
  for (size_t d = 0; d < sizeof divisor / sizeof *divisor; d++)
    for (int i = -1000; i <= 1000; i++)
      for (int way = -1; way <= 1; way += 2) {
        const double b = way * divisor[d], a = i * divisor[d];
        char text[80];
        (void)snprintf(text, sizeof text, "mod(%.17g, %.17g)", a, b);
        const double rest = value_of(text), exact = fmod(a, b);
        TRIAD_HOLDS(way * rest >= 0 && way * rest < divisor[d], "%s is %.17g", text, rest);
        TRIAD_WITHIN(rest, exact * way < 0 ? exact + b : exact, 0, text);
      }
}

/* Uniform between -1 and 1, of the point and the seed alone: mean and variance of 4096 values within 5 of their
 * errors 1/sqrt(3 n) and sqrt(4/45/n), and two seeds that have nothing in common. */
TRIAD_TEST(noise_is_white_and_hangs_on_the_point_and_the_seed_alone)
{
  enum { N = 4096 };
  static const triad_formula_scope scope = {triad_formula_of_points, 0, NULL, NULL, NULL};
  static double x[N], y[N], z[N], one[N], two[N], piece[N];
  const double *const at[] = {x, y, z}, *const behind[] = {x + 1000, y + 1000, z + 1000};
  double mean = 0, square = 0, both = 0;
  char why[TRIAD_FORMULA_WHY];
  triad_formula *f, *g;
  for (int i = 0; i < N; i++) {
    x[i] = 0.1 * (i % 16);
    y[i] = 0.1 * (i / 16 % 16);
    z[i] = 0.1 * (i / 256);
  }
  TRIAD_CHECK(triad_formula_compile(&f, "noise(1)", 8, &scope, why));
  TRIAD_CHECK(triad_formula_compile(&g, "noise(2)", 8, &scope, why));
  triad_formula_rows(f, N, at, one);
  triad_formula_rows(g, N, at, two);
  triad_formula_rows(f, N - 1000, behind, piece);
  for (int i = 0; i < N; i++) {
    mean += one[i] / N;
    square += one[i] * one[i] / N;
    both += one[i] * two[i] / N;
    TRIAD_HOLDS(one[i] >= -1 && one[i] <= 1 && (i < 1000 || !(fabs(piece[i - 1000] - one[i]) > 0)), "value %d is %g", i,
                one[i]);
  }
  TRIAD_WITHIN(mean, 0, 5 / sqrt(3. * N), "mean");
  TRIAD_WITHIN(square, 1. / 3, 5 * sqrt(4. / 45 / N), "mean square");
  TRIAD_WITHIN(both, 0, 5. / 3 / sqrt(N), "of two seeds");
  triad_formula_destroy(&f);
  triad_formula_destroy(&g);
}

/* Which of both is meant nobody can tell. */
TRIAD_TEST(a_parameter_by_the_name_of_a_field_is_refused_where_both_are_known)
{
  static const char *const variable[] = {"x", "y", "z", "t", "u", "dx(u)", NULL}, *const name[] = {"nu", "u"};
  static const double number[] = {0.1, 3};
  const triad_formula_scope both = {variable, 2, name, number, NULL};
  const triad_formula_scope alone = {triad_formula_of_points, 2, name, number, NULL};
  char why[TRIAD_FORMULA_WHY];
  triad_formula *f;
  TRIAD_EQUAL(triad_formula_compile(&f, "nu*u", 4, &both, why), TRIAD_ERR_CASE, "of a field and a number");
  assert_string_equal(why,
                      "column 4: u is a field in this formula and also a name in [parameters]: rename the parameter");
  TRIAD_EQUAL(triad_formula_compile(&f, "nu*dx(u)", 8, &both, why), TRIAD_OK, "a slope is of the field alone");
  triad_formula_destroy(&f);
  TRIAD_EQUAL(triad_formula_compile(&f, "u*x", 3, &alone, why), TRIAD_OK, "no field is there");
  triad_formula_destroy(&f);
}

TRIAD_TEST(what_is_no_formula_is_told_with_its_column)
{
  static const struct {
    const char *text, *why;
  } bad[] = {{"sin(x)*cso(y)", "column 8: unknown function \"cso\", did you mean \"cos\"?"},
             {"x + reynold", "column 5: unknown name \"reynold\", did you mean \"reynolds\"?"},
             {"2*(x", "column 3: this parenthesis is not closed"},
             {"\xcf\x80*q", "column 3: unknown name \"q\""},
             {"", "column 1: the formula ends where"},
             {"x +", "column 4: the formula ends where"},
             {"2x", "column 2: an operator is missing"},
             {"2pi^2", "column 4: ambiguous: with pi and ^"},
             {"x y", "column 3: unexpected \"y\""},
             {"x ** 2", "column 4: unexpected \"*\""},
             {"1e400*x", "column 1: this number is too large"},
             {"if(x, 1)", "column 1: if requires 3 values, not 2"},
             {"min(x)", "column 1: min requires 2 values or more, not 1"},
             {"sin", "column 1: sin is a function"},
             {"x\x01", "column 2: unexpected \"\\x01\""}};
  static const char *const name[] = {"reynolds"};
  static const double number[] = {100};
  const triad_formula_scope scope = {triad_formula_of_points, 1, name, number, NULL};
  static char deep[TRIAD_FORMULA_BYTES + 100];
  triad_formula *f;
  char why[TRIAD_FORMULA_WHY];
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    TRIAD_EQUAL(triad_formula_compile(&f, bad[i].text, strlen(bad[i].text), &scope, why), TRIAD_ERR_CASE, bad[i].text);
    TRIAD_HOLDS(!f && strncmp(why, bad[i].why, strlen(bad[i].why)) == 0, "%s: %s\nis not\n%s", bad[i].text, why,
                bad[i].why);
  }
  static const char *const piece[] = {"(", "sin(", "x+(", "x^", "-(", "!(", "min(x,"};
  for (size_t i = 0; i < sizeof piece / sizeof *piece; i++) {
    deep[0] = '\0';
    for (int k = 0; k < 400; k++) (void)strcat(deep, piece[i]);
    TRIAD_EQUAL(triad_formula_compile(&f, deep, strlen(deep), &scope, why), TRIAD_ERR_CASE, piece[i]);
    TRIAD_HOLDS(strstr(why, "nested too deeply"), "%s: %s", piece[i], why);
  }
  for (size_t k = 0; k + 2 < sizeof deep; k += 2) memcpy(deep + k, "x+", 3);
  TRIAD_EQUAL(triad_formula_compile(&f, deep, strlen(deep), &scope, why), TRIAD_ERR_CASE, "long");
  assert_string_equal(why, "longer than 4096 bytes");
  TRIAD_EQUAL(triad_formula_compile(&f, deep, 4095, &scope, why), TRIAD_ERR_CASE, "many steps");
  TRIAD_HOLDS(strstr(why, "too long: more than 1024"), "%s", why);
}

TRIAD_MAIN
