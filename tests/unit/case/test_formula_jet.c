/* Derivatives of formulas with respect to a variable.   ranks: 1 quick: 1 */
#include "test.h"

#include "case/formula/formula.h"
#include "case/formula/formula_jet.h"

static const char *const names[] = {"x", "t", NULL};

static triad_formula *formula_of(const char *text)
{
  static const triad_formula_scope scope = {.variable = names};
  char why[TRIAD_FORMULA_WHY];
  triad_formula *f = NULL;
  TRIAD_CHECK(triad_formula_compile(&f, text, strlen(text), &scope, why));
  return f;
}

static double value_at(const triad_formula *f, double x, double t)
{
  const double *const variable[] = {&x, &t};
  double value;
  triad_formula_rows(f, 1, variable, &value);
  return value;
}

/* Against differences of the formula itself, of sixth order. */
TRIAD_TEST(derivatives_of_formulas_are_those_of_differences)
{
  static const char *const text[] = {"sin(2*t)*cos(t) - tan(t/3)",
                                     "asin(t/2) + acos(t/3) + atan(2*t)",
                                     "sinh(t) + cosh(t)*tanh(t)",
                                     "asinh(t) + acosh(2 + t) + atanh(t/2)",
                                     "exp(-t^2) + log(t) + log2(t) + log10(t)",
                                     "sqrt(t) + cbrt(t)",
                                     "t^3 - 2*t^2 + t^1 - t^0",
                                     "t^x + x^t + t^(-1.5)",
                                     "hypot(t, x) + atan2(t, x)",
                                     "erf(t) + erfc(2*t)",
                                     "abs(-t) + min(t, 5)*max(t, -5) + if(t > 0, t^2, t^3)",
                                     "x/(1 + t^2) - mod(t, 0.3)",
                                     "-t/x + floor(t) + sign(t)*t"};
  for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
    triad_formula *f = formula_of(text[i]);
    const double x = 1.3, t = 0.7, h = 4e-3;
    const double at[2] = {x, t};
    double jet[3], v[7];
    for (int k = 0; k < 7; k++) v[k] = value_at(f, x, t + h * (k - 3));
    triad_formula_jet(f, 1, at, jet);
    const double first = (v[6] - v[0] - 9 * (v[5] - v[1]) + 45 * (v[4] - v[2])) / (60 * h);
    const double second = (2 * (v[6] + v[0]) - 27 * (v[5] + v[1]) + 270 * (v[4] + v[2]) - 490 * v[3]) / (180 * h * h);
    TRIAD_WITHIN(jet[0], v[3], 1e-14, text[i]);
    TRIAD_WITHIN(jet[1], first, 1e-9 * (1 + fabs(first)), text[i]);
    TRIAD_WITHIN(jet[2], second, 1e-7 * (1 + fabs(second)), text[i]);
    triad_formula_destroy(&f);
  }
}

TRIAD_TEST(derivatives_that_do_not_exist_are_not_a_number)
{
  static const char *const text[] = {"gamma(t)", "sqrt(t - 0.7)", "2^gamma(1 + t)"};
  for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
    triad_formula *f = formula_of(text[i]);
    const double at[2] = {0, 0.7};
    double jet[3];
    triad_formula_jet(f, 1, at, jet);
    TRIAD_HOLDS(!isfinite(jet[1]) && !isfinite(jet[2]), "%s", text[i]);
    triad_formula_destroy(&f);
  }
}

TRIAD_TEST(what_is_not_a_number_stays_so)
{
  static const char *const text[] = {"min(sqrt(-t), 1)", "max(1, log(-t))", "if(sqrt(-t), 1, 2)"};
  for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
    triad_formula *f = formula_of(text[i]);
    const double at[2] = {0, 0.7}, *const row[2] = {&at[0], &at[1]};
    double jet[3], value;
    triad_formula_jet(f, 1, at, jet);
    triad_formula_rows(f, 1, row, &value);
    TRIAD_HOLDS(isnan(jet[0]) == isnan(value), "%s: %g, %g", text[i], jet[0], value);
    TRIAD_HOLDS(isnan(jet[0]) == isnan(jet[1]), "%s: %g", text[i], jet[1]);
    triad_formula_destroy(&f);
  }
}

TRIAD_TEST(powers_with_exponents_0_to_2_have_derivatives_at_0)
{
  static const char *const text[] = {"t^0", "t^1", "t^2"};
  static const double right[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 2}};
  const double at[2] = {0, 0};
  for (int i = 0; i < 3; i++) {
    triad_formula *f = formula_of(text[i]);
    double jet[3];
    triad_formula_jet(f, 1, at, jet);
    for (int k = 0; k < 3; k++) TRIAD_WITHIN(jet[k], right[i][k], 0, text[i]);
    triad_formula_destroy(&f);
  }
}

TRIAD_MAIN
