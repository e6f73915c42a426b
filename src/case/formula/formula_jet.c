/* Derivatives of formulas: the program of a formula runs on numbers that carry their derivatives. */
#include "case/formula/formula_jet.h"

#include "case/formula/formula_internal.h"
#include "case/formula/formula_points.h"

#include <math.h>

typedef struct jet {
  double d[3];
} jet;

static jet constant(double value) { return (jet){{value, 0, 0}}; }

/* NaN, of a function without derivatives, is not. */
static int is_constant(jet a) { return a.d[1] >= 0 && a.d[1] <= 0 && a.d[2] >= 0 && a.d[2] <= 0; }

static jet add(jet a, jet b, double sign)
{
  for (int i = 0; i < 3; i++) a.d[i] += sign * b.d[i];
  return a;
}

static jet multiply(jet a, jet b)
{
  return (jet){
    {a.d[0] * b.d[0], a.d[1] * b.d[0] + a.d[0] * b.d[1], a.d[2] * b.d[0] + 2 * a.d[1] * b.d[1] + a.d[0] * b.d[2]}};
}

/* g(a), of g and its derivatives at a. */
static jet chain(jet a, double g, double g1, double g2)
{
  return (jet){{g, g1 * a.d[1], g2 * a.d[1] * a.d[1] + g1 * a.d[2]}};
}

static jet inverse(jet a)
{
  const double g = 1 / a.d[0];
  return chain(a, g, -g * g, 2 * g * g * g);
}

static jet root(jet a)
{
  const double g = sqrt(a.d[0]);
  return chain(a, g, 0.5 / g, -0.25 / (g * a.d[0]));
}

static jet logarithm(jet a, double unit)
{
  return chain(a, log(a.d[0]) / unit, 1 / (unit * a.d[0]), -1 / (unit * a.d[0] * a.d[0]));
}

static jet power(jet a, jet b)
{
  const double n = b.d[0], value = pow(a.d[0], n);
  if (is_constant(b)) /* also of numbers below 0; a^0 and a^1 have no slopes to divide by 0 */
    return chain(a, value, n == 0 ? 0 : n * (n == 1 ? 1 : pow(a.d[0], n - 1)),
                 n == 0 || n == 1 ? 0 : n * (n - 1) * (n == 2 ? 1 : pow(a.d[0], n - 2)));
  const jet exponent = multiply(b, logarithm(a, 1));
  return chain(exponent, value, value, value);
}

static jet angle(jet y, jet x)
{
  const jet square = add(multiply(x, x), multiply(y, y), 1);
  const double turn = y.d[1] * x.d[0] - y.d[0] * x.d[1], of_turn = y.d[2] * x.d[0] - y.d[0] * x.d[2];
  return (jet){{atan2(y.d[0], x.d[0]), turn / square.d[0], (of_turn - turn * square.d[1] / square.d[0]) / square.d[0]}};
}

/* Functions of one operand. */
static jet function(int what, jet a)
{
  const double x = a.d[0], s = 1 / sqrt(1 - x * x), h = 1 / sqrt(1 + x * x), t = tanh(x),
               bell = 2 / sqrt(acos(-1.0)) * exp(-x * x);
  switch (what) {
  case TRIAD_DO_SIN: return chain(a, sin(x), cos(x), -sin(x));
  case TRIAD_DO_COS: return chain(a, cos(x), -sin(x), -cos(x));
  case TRIAD_DO_TAN: return chain(a, tan(x), 1 + tan(x) * tan(x), 2 * tan(x) * (1 + tan(x) * tan(x)));
  case TRIAD_DO_ASIN: return chain(a, asin(x), s, x * s * s * s);
  case TRIAD_DO_ACOS: return chain(a, acos(x), -s, -x * s * s * s);
  case TRIAD_DO_ATAN: return chain(a, atan(x), h * h, -2 * x * h * h * h * h);
  case TRIAD_DO_SINH: return chain(a, sinh(x), cosh(x), sinh(x));
  case TRIAD_DO_COSH: return chain(a, cosh(x), sinh(x), cosh(x));
  case TRIAD_DO_TANH: return chain(a, t, 1 - t * t, -2 * t * (1 - t * t));
  case TRIAD_DO_ASINH: return chain(a, asinh(x), h, -x * h * h * h);
  case TRIAD_DO_ACOSH: return chain(a, acosh(x), 1 / sqrt(x * x - 1), -x / pow(x * x - 1, 1.5));
  case TRIAD_DO_ATANH: return chain(a, atanh(x), s * s, 2 * x * s * s * s * s);
  case TRIAD_DO_EXP: return chain(a, exp(x), exp(x), exp(x));
  case TRIAD_DO_LOG: return logarithm(a, 1);
  case TRIAD_DO_LOG2: return logarithm(a, log(2));
  case TRIAD_DO_LOG10: return logarithm(a, log(10));
  case TRIAD_DO_SQRT: return root(a);
  case TRIAD_DO_CBRT: return chain(a, cbrt(x), cbrt(x) / (3 * x), -2 * cbrt(x) / (9 * x * x));
  case TRIAD_DO_ERF: return chain(a, erf(x), bell, -2 * x * bell);
  case TRIAD_DO_ERFC: return chain(a, erfc(x), -bell, 2 * x * bell);
  case TRIAD_DO_ABS: return chain(a, fabs(x), x < 0 ? -1 : 1, 0);
  case TRIAD_DO_GAMMA: return chain(a, tgamma(x), NAN, NAN); /* not known here */
  case TRIAD_DO_SIGN:
  case TRIAD_DO_STEP:
  case TRIAD_DO_FLOOR:
  case TRIAD_DO_CEIL:
  case TRIAD_DO_ROUND:
  case TRIAD_DO_NOT: return constant(0);  /* between their steps */
  default: return (jet){{NAN, NAN, NAN}}; /* not a function of one operand */
  }
}

/* Derivatives; the value is that of the formula itself (operate). */
static jet slopes(int what, const jet *a)
{
  switch (what) {
  case TRIAD_DO_NEGATE: return add(constant(0), a[0], -1);
  case TRIAD_DO_ADD: return add(a[0], a[1], 1);
  case TRIAD_DO_SUBTRACT: return add(a[0], a[1], -1);
  case TRIAD_DO_MULTIPLY: return multiply(a[0], a[1]);
  case TRIAD_DO_DIVIDE: return multiply(a[0], inverse(a[1]));
  case TRIAD_DO_SQUARE: return multiply(a[0], a[0]);
  case TRIAD_DO_POW: return power(a[0], a[1]);
  case TRIAD_DO_HYPOT: return root(add(multiply(a[0], a[0]), multiply(a[1], a[1]), 1));
  case TRIAD_DO_ATAN2: return angle(a[0], a[1]);
  case TRIAD_DO_MIN: return a[0].d[0] < a[1].d[0] ? a[0] : a[1];
  case TRIAD_DO_MAX: return a[0].d[0] > a[1].d[0] ? a[0] : a[1];
  case TRIAD_DO_IF: return a[0].d[0] < 0 || a[0].d[0] > 0 ? a[1] : a[2];
  case TRIAD_DO_LESS:
  case TRIAD_DO_MORE:
  case TRIAD_DO_LESS_EQUAL:
  case TRIAD_DO_MORE_EQUAL:
  case TRIAD_DO_EQUAL:
  case TRIAD_DO_UNEQUAL:
  case TRIAD_DO_AND:
  case TRIAD_DO_OR: return constant(0);
  case TRIAD_DO_MOD: return add(a[0], multiply(a[1], constant(floor(a[0].d[0] / a[1].d[0]))), -1);
  case TRIAD_DO_NOISE: return (jet){{0, NAN, NAN}};
  default: return function(what, a[0]);
  }
}

static jet operate(int what, const jet *a)
{
  double numbers[4] = {0, 0, 0, 0};
  const int n = triad_formula_operands(what);
  for (int i = 0; i < n && i < 4; i++) numbers[i] = a[i].d[0];
  jet out = slopes(what, a);
  out.d[0] = triad_formula_value(what, numbers);
  if (isnan(out.d[0])) out.d[1] = out.d[2] = NAN;
  return out;
}

void triad_formula_jet(const triad_formula *f, int v, const double *variable, double out[3])
{
  jet stack[TRIAD_FORMULA_STACK + 4];
  int top = 0;
  for (int s = 0; s < f->n; s++) {
    const triad_formula_step *step = &f->step[s];
    if (step->what == TRIAD_DO_CONSTANT) stack[top++] = constant(step->value);
    else if (step->what == TRIAD_DO_VARIABLE)
      stack[top++] = (jet){{variable[step->variable], step->variable == v ? 1 : 0, 0}};
    else {
      top -= triad_formula_operands(step->what);
      stack[top] = operate(step->what, stack + top);
      top++;
    }
  }
  for (int i = 0; i < 3; i++) out[i] = stack[0].d[i];
}
