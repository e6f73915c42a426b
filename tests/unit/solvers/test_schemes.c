/* The table of Runge-Kutta schemes: order, stability and monotonicity of each row, found anew from its coefficients.
 * quick: 1 */
#include "test.h"

#include "solvers/schemes.h"
#include "solvers/spectral/equations/stage_points.h"

#include <complex.h>

enum { STAGES = TRIAD_SCHEME_STAGES };

#define EACH_RUNGE_KUTTA(s) \
  for (const triad_scheme *s = triad_schemes; s->word.name; s++) \
    if (s->form != TRIAD_SCHEME_SPLIT)

/* ---- steps of vectors of n complex numbers, whose rate the test gives ---- */

typedef struct problem {
  int n, calls;
  double complex vector[TRIAD_SCHEME_VECTORS][8];
  void (*rate)(struct problem *p, int stage, const double complex *u, double complex *out);
  double complex z[3][3]; /* of linear problems */
  double complex start[STAGES][8];
} problem;

static int put(void *self, const triad_scheme_update *g)
{
  problem *p = self;
  double complex rate[8], out[8], sum[8];
  p->calls++;
  memcpy(p->start[g->stage], p->vector[g->in], sizeof out);
  p->rate(p, g->stage, p->vector[g->in], rate);
  for (int i = 0; i < p->n; i++) {
    out[i] = g->x_part * p->vector[g->x][i] + g->rate * g->rate_dt * rate[i];
    if (g->y >= 0) out[i] += g->y_part * p->vector[g->y][i];
    sum[i] = g->weight * g->weight_dt * rate[i];
    if (g->from >= 0) sum[i] += g->from_part * p->vector[g->from][i];
  }
  for (int i = 0; i < p->n; i++) p->vector[g->out][i] = out[i];
  for (int i = 0; g->sum >= 0 && i < p->n; i++) p->vector[g->sum][i] = sum[i];
  return TRIAD_OK;
}

/* ---- a row as a tableau: stage i is taken at u + dt sum_j a[i][j] L_j, the step ends at u + dt sum_j b[j] L_j ---- */

typedef struct tableau {
  int s;
  double a[STAGES][STAGES], b[STAGES], c[STAGES];
} tableau;

/* Vectors are formal sums of u and the rates L_1, L_2, ..: the rate of stage i is the unit L_i, whatever it is of. */
static void unit(problem *p, int stage, const double complex *u, double complex *out)
{
  (void)u;
  for (int i = 0; i < p->n; i++) out[i] = i == stage + 1;
}

static tableau tableau_of(const triad_scheme *scheme)
{
  problem p = {.n = scheme->n_stages + 1, .rate = unit};
  tableau t = {.s = scheme->n_stages};
  p.vector[0][0] = 1;
  TRIAD_CHECK(triad_scheme_advance(scheme, 1, put, &p));
  for (int i = 0; i < t.s; i++) {
    TRIAD_WITHIN(creal(p.start[i][0]), 1, 1e-15, "share of the step's start in a stage");
    for (int j = 0; j < t.s; j++) t.a[i][j] = creal(p.start[i][j + 1]);
    t.b[i] = creal(p.vector[0][i + 1]);
    t.c[i] = scheme->stage[i].c;
  }
  TRIAD_WITHIN(creal(p.vector[0][0]), 1, 1e-15, "share of the step's start in its end");
  return t;
}

static void times(const tableau *t, const double *x, double *out)
{
  for (int i = 0; i < t->s; i++) {
    out[i] = 0;
    for (int j = 0; j < t->s; j++) out[i] += t->a[i][j] * x[j];
  }
}

static double dot(const tableau *t, const double *x, const double *y)
{
  double sum = 0;
  for (int i = 0; i < t->s; i++) sum += t->b[i] * x[i] * (y ? y[i] : 1);
  return sum;
}

TRIAD_TEST(nodes_are_the_sums_of_their_stages)
{
  EACH_RUNGE_KUTTA(scheme)
  {
    tableau t = tableau_of(scheme);
    TRIAD_WITHIN(t.c[0], 0, 0, "the step starts at its beginning");
    for (int i = 0; i < t.s; i++) {
      double sum = 0;
      for (int j = 0; j < t.s; j++) sum += t.a[i][j];
      for (int j = i; j < t.s; j++) TRIAD_WITHIN(t.a[i][j], 0, 0, "a stage knows earlier rates only");
      TRIAD_WITHIN(sum, t.c[i], 4e-16, scheme->word.name);
    }
  }
}

/* Largest error of the conditions of one order: all trees up to order 4 (Butcher), of order 5 the tall one alone. */
static double condition(const tableau *t, int order)
{
  double one[STAGES], c[STAGES], c2[STAGES], ac[STAGES], aac[STAGES], aaac[STAGES], ac2[STAGES];
  for (int i = 0; i < t->s; i++) one[i] = 1, c[i] = t->c[i], c2[i] = c[i] * c[i];
  times(t, c, ac), times(t, ac, aac), times(t, aac, aaac), times(t, c2, ac2);
  switch (order) {
  case 1: return fabs(dot(t, one, NULL) - 1);
  case 2: return fabs(dot(t, c, NULL) - 1. / 2);
  case 3: return fmax(fabs(dot(t, c2, NULL) - 1. / 3), fabs(dot(t, ac, NULL) - 1. / 6));
  case 4:
    return fmax(fmax(fabs(dot(t, c2, c) - 1. / 4), fabs(dot(t, c, ac) - 1. / 8)),
                fmax(fabs(dot(t, ac2, NULL) - 1. / 12), fabs(dot(t, aac, NULL) - 1. / 24)));
  default: return fabs(dot(t, aaac, NULL) - 1. / 120);
  }
}

TRIAD_TEST(conditions_of_the_order_hold_and_of_the_next_do_not)
{
  EACH_RUNGE_KUTTA(scheme)
  {
    tableau t = tableau_of(scheme);
    const char *name = scheme->word.name;
    for (int order = 1; order <= scheme->order; order++) TRIAD_WITHIN(condition(&t, order), 0, 1e-15, name);
    TRIAD_HOLDS(condition(&t, scheme->order + 1) > 1e-3, "%s is of order %d and more", name, scheme->order);
  }
}

/* ---- the stability polynomial ---- */

static void linear(problem *p, int stage, const double complex *u, double complex *out)
{
  (void)stage;
  for (int i = 0; i < p->n; i++) {
    out[i] = 0;
    for (int j = 0; j < p->n; j++) out[i] += p->z[i][j] * u[j];
  }
}

/* P(z): a step of du/dt = z u of length 1 from u = 1. */
static double complex polynomial(const triad_scheme *scheme, double complex z)
{
  problem p = {.n = 1, .rate = linear, .z = {{z}}};
  p.vector[0][0] = 1;
  TRIAD_CHECK(triad_scheme_advance(scheme, 1, put, &p));
  return p.vector[0][0];
}

/* Coefficients p[0 .. s] of P, by Fourier sums over 16 points of a circle: exact for a degree below 16. */
static void coefficients(const triad_scheme *scheme, double p[STAGES + 1])
{
  for (int k = 0; k <= STAGES; k++) {
    double complex sum = 0;
    for (int j = 0; j < 16; j++) {
      double complex z = cexp(2 * I * acos(-1) * j / 16);
      sum += polynomial(scheme, z) * conj(cpow(z, k)) / 16;
    }
    p[k] = creal(sum);
  }
}

TRIAD_TEST(a_step_agrees_with_the_exponential_up_to_the_order)
{
  EACH_RUNGE_KUTTA(scheme)
  {
    double p[STAGES + 1], factorial = 1;
    coefficients(scheme, p);
    for (int k = 0; k <= scheme->order; factorial *= ++k) TRIAD_WITHIN(p[k], 1 / factorial, 1e-15, scheme->word.name);
    TRIAD_HOLDS(scheme->order == STAGES || fabs(p[scheme->order + 1] - 1 / factorial) > 1e-3, "%s: more than its order",
                scheme->word.name);
  }
}

TRIAD_TEST(three_stages_that_reach_farthest_along_the_imaginary_axis)
{
  const double wanted[] = {1, 1, 1. / 2, 1. / 4};
  double p[STAGES + 1];
  coefficients(triad_scheme_find("rk2-imaginary", TRIAD_SCHEME_START), p);
  for (int k = 0; k < 4; k++) TRIAD_WITHIN(p[k], wanted[k], 1e-15, "1 + z + z^2/2 + z^3/4");
}

/* How far from 0 in a direction |P| stays below 1, where P at 0 is rounded to 1 a few times. */
static double limit_along(const triad_scheme *scheme, double complex direction)
{
  const double pace = 1e-3, rounding = 1e-14;
  double below = 0;
  while (below < 10 && cabs(polynomial(scheme, (below + pace) * direction)) <= 1 + rounding) below += pace;
  double above = below + pace;
  for (int i = 0; i < 40; i++) {
    double middle = (below + above) / 2;
    if (cabs(polynomial(scheme, middle * direction)) <= 1 + rounding) below = middle;
    else above = middle;
  }
  return below;
}

/* Rows are cut after the third decimal: never above what is found, and by less than 0.001 below it. |P| grows from 1 as
 * slowly as y^4/8 (rk2), so rounding hides it up to y = (8e-14)^(1/4) = 0.0005. */
static void check_cut(double row, double found, const char *name, const char *what)
{
  TRIAD_HOLDS(row <= found + 1e-9 && row > found - 1e-3, "%s: %s %.6g in the table, %.9g found", name, what, row,
              found);
}

TRIAD_TEST(limits_of_stability_are_those_of_the_polynomial)
{
  EACH_RUNGE_KUTTA(scheme)
  {
    check_cut(scheme->real_axis, limit_along(scheme, -1), scheme->word.name, "limit on the real axis");
    check_cut(scheme->imaginary_axis, limit_along(scheme, I), scheme->word.name, "limit on the imaginary axis");
  }
}

/* f' by upwind interpolation of order five to faces, (2 f_-2 - 13 f_-1 + 47 f_0 + 27 f_1 - 3 f_2)/60: does no wave
 * grow at this Courant number? */
static int upwind_is_stable(const triad_scheme *scheme, double courant)
{
  static const double face[5] = {2 / 60., -13 / 60., 47 / 60., 27 / 60., -3 / 60.};
  for (int i = 1; i < 4000; i++) {
    double angle = 3.14159265358979323846 * i / 4000;
    double complex flux = 0;
    for (int j = 0; j < 5; j++) flux += face[j] * cexp(I * angle * (j - 2));
    if (cabs(polynomial(scheme, -courant * flux * (1 - cexp(-I * angle)))) > 1 + 1e-12) return 0;
  }
  return 1;
}

TRIAD_TEST(courant_numbers_of_upwind_differences_are_those_of_their_symbol)
{
  EACH_RUNGE_KUTTA(scheme)
  {
    if (!(scheme->upwind > 0)) continue;
    TRIAD_HOLDS(upwind_is_stable(scheme, scheme->upwind - 1e-9), "%s: unstable at %g", scheme->word.name,
                scheme->upwind);
    TRIAD_HOLDS(!upwind_is_stable(scheme, scheme->upwind + 2e-3), "%s: stable beyond %g", scheme->word.name,
                scheme->upwind);
  }
}

TRIAD_TEST(a_scheme_without_an_imaginary_axis_reaches_to_a_growth_of_15_percent)
{
  EACH_RUNGE_KUTTA(scheme)
  {
    double most = cabs(polynomial(scheme, I * triad_scheme_reach(scheme)));
    if (scheme->imaginary_axis > 0) TRIAD_HOLDS(most <= 1 + 1e-9, "%s: %g", scheme->word.name, most);
    else TRIAD_HOLDS(fabs(most - 1.15) < 0.002, "%s: %g", scheme->word.name, most);
  }
}

/* ---- monotonicity ---- */

/* Kraaijevanger 1991: with K the tableau's a and, below it, b, every entry of K (I + r a)^-1 is >= 0, and r times the
 * sum of a row is <= 1. */
static int is_monotonic(const tableau *t, double r)
{
  for (int row = 0; row <= t->s; row++) {
    double x[STAGES], sum = 0; /* x (I + r a) = k, from the last entry back, as a is below the diagonal */
    for (int j = t->s - 1; j >= 0; j--) {
      x[j] = row < t->s ? t->a[row][j] : t->b[j];
      for (int i = j + 1; i < t->s; i++) x[j] -= r * x[i] * t->a[i][j];
      if (x[j] < -1e-14) return 0;
      sum += x[j];
    }
    if (r * sum > 1 + 1e-14) return 0;
  }
  return 1;
}

TRIAD_TEST(strong_stability_reaches_as_far_as_the_row_says)
{
  EACH_RUNGE_KUTTA(scheme)
  {
    tableau t = tableau_of(scheme);
    double below = 0, above = 8;
    while (above - below > 1e-12) {
      double middle = (below + above) / 2;
      if (is_monotonic(&t, middle)) below = middle;
      else above = middle;
    }
    check_cut(scheme->ssp, below, scheme->word.name, "multiple of an Euler step that is monotonic");
  }
}

/* ---- steps ---- */

/* A damped oscillator that drives a third number: eigenvalues -0.3 +- 2 i and -1. */
TRIAD_TEST(step_of_a_linear_system_is_the_polynomial_of_its_matrix)
{
  const double dt = 0.4, a[3][3] = {{-0.3, 2, 0}, {-2, -0.3, 0}, {0.5, -0.2, -1}}, u[3] = {1, -0.5, 0.25};
  EACH_RUNGE_KUTTA(scheme)
  {
    problem p = {.n = 3, .rate = linear};
    double c[STAGES + 1], sum[3] = {0, 0, 0};
    for (int i = 0; i < 3; i++) {
      p.vector[0][i] = u[i];
      for (int j = 0; j < 3; j++) p.z[i][j] = a[i][j];
    }
    TRIAD_CHECK(triad_scheme_advance(scheme, dt, put, &p));
    TRIAD_EQUAL(p.calls, scheme->n_stages, "stages taken");
    coefficients(scheme, c);
    for (int k = STAGES; k >= 0; k--) { /* Horner's rule */
      double next[3];
      for (int i = 0; i < 3; i++) next[i] = c[k] * u[i] + dt * (a[i][0] * sum[0] + a[i][1] * sum[1] + a[i][2] * sum[2]);
      memcpy(sum, next, sizeof sum);
    }
    for (int i = 0; i < 3; i++) TRIAD_WITHIN(creal(p.vector[0][i]), sum[i], 1e-15, scheme->word.name);
  }
}

/* One step of du/dt = -lambda u + N(u), N = u^2, in the stages of docs/methods/time-steps.md eq. (10), the decay exact.
 * */
static double decayed(const triad_scheme *scheme, double lambda, double u, double dt, double square)
{
  triad_real x = (triad_real)u, q = 0;
  for (int i = 0; i < scheme->n_stages; i++) {
    const triad_stage *g = &scheme->stage[i];
    double next = i + 1 < scheme->n_stages ? g[1].c : 1;
    triad_real decay = (triad_real)exp(-lambda * (next - g->c) * dt), n = (triad_real)square * x * x, was = q;
    q = triad_stage_register(decay, (triad_real)g->d, (triad_real)(g->e * dt), was, n);
    x = i == 0 ? triad_stage_first(decay, (triad_real)(g->b * dt), x, n)
               : triad_stage_state(decay, (triad_real)g->a, (triad_real)(g->b * dt), x, was, n);
  }
  return (double)x;
}

static double bernoulli_error(const triad_scheme *scheme, int steps)
{
  const double lambda = 1.5, end = 1;
  double u = 1;
  for (int i = 0; i < steps; i++) u = decayed(scheme, lambda, u, end / steps, 1);
  return fabs(u - lambda / (1 + (lambda - 1) * exp(lambda * end)));
}

TRIAD_TEST(order_stays_when_decay_is_integrated_exactly)
{
  EACH_RUNGE_KUTTA(scheme)
  {
    if (scheme->form != TRIAD_SCHEME_REGISTER) continue;
    double coarse = bernoulli_error(scheme, 120), fine = bernoulli_error(scheme, 240), order = log2(coarse / fine);
    TRIAD_HOLDS(fabs(order - scheme->order) < 0.1, "%s: order %.3f from errors %.3g, %.3g", scheme->word.name, order,
                coarse, fine);
    TRIAD_NEAR(decayed(scheme, 30, 1, 1, 0), exp(-30), 1e-14, "decay alone is exact, however stiff");
  }
}

/* ---- what a family's memory is asked for ---- */

typedef struct ledger {
  const triad_scheme *scheme;
  int written[TRIAD_SCHEME_VECTORS], calls, fail_at;
} ledger;

static int account(void *self, const triad_scheme_update *g)
{
  ledger *l = self;
  const char *name = l->scheme->word.name;
  int n = triad_scheme_vectors(l->scheme), read[4] = {g->in, g->x, g->y, g->from};
  TRIAD_EQUAL(g->stage, l->calls, "stages in order");
  if (l->calls++ == l->fail_at) return TRIAD_ERR_IO;
  for (int i = 0; i < 4; i++) {
    TRIAD_HOLDS(read[i] < n, "%s reads vector %d of %d", name, read[i], n);
    TRIAD_HOLDS(read[i] < 0 || l->written[read[i]], "%s reads vector %d before anything is there", name, read[i]);
  }
  TRIAD_HOLDS(g->out >= 0 && g->out < n && g->sum < n && g->sum != g->out, "%s writes %d, %d", name, g->out, g->sum);
  if (l->scheme->form == TRIAD_SCHEME_START) {
    TRIAD_HOLDS(g->out != g->in, "%s writes what neighbours read, stage %d", name, g->stage);
    TRIAD_WITHIN(g->from_part, 1, 0, "sums are added to only");
  }
  l->written[g->out] = 1;
  if (g->sum >= 0) l->written[g->sum] = 1;
  if (g->stage == l->scheme->n_stages - 1) TRIAD_EQUAL(g->out, 0, "the last stage ends in the state");
  return TRIAD_OK;
}

TRIAD_TEST(stages_write_where_nobody_reads_and_use_the_vectors_that_they_ask_for)
{
  EACH_RUNGE_KUTTA(scheme)
  {
    ledger l = {.scheme = scheme, .written = {1}, .fail_at = -1};
    TRIAD_CHECK(triad_scheme_advance(scheme, 0.1, account, &l));
    for (int i = 0; i < triad_scheme_vectors(scheme); i++)
      TRIAD_HOLDS(l.written[i], "%s: vector %d idle", scheme->word.name, i);
  }
}

TRIAD_TEST(step_ends_with_the_stage_that_fails)
{
  EACH_RUNGE_KUTTA(scheme)
  {
    ledger l = {.scheme = scheme, .written = {1}, .fail_at = 1};
    TRIAD_EQUAL(triad_scheme_advance(scheme, 0.1, account, &l), TRIAD_ERR_IO, "status of the stage");
    TRIAD_EQUAL(l.calls, 2, "stages begun");
    triad_message_clear();
  }
}

TRIAD_TEST(rows_are_found_by_name_among_the_forms_that_a_family_can_step)
{
  for (const triad_scheme *s = triad_schemes; s->word.name; s++) {
    TRIAD_HOLDS(triad_scheme_find(s->word.name, s->form) == s, "%s is another row", s->word.name);
    TRIAD_HOLDS(s->source && *s->source && s->n_stages <= STAGES, "%s", s->word.name);
  }
  const triad_scheme *gill = triad_scheme_find("rk4", TRIAD_SCHEME_REGISTER);
  TRIAD_HOLDS(gill != triad_scheme_find("rk4", TRIAD_SCHEME_START), "one rk4");
  TRIAD_HOLDS(triad_scheme_find("ssprk3", TRIAD_SCHEME_REGISTER | TRIAD_SCHEME_SPLIT) == NULL, "a form not asked for");
  TRIAD_HOLDS(triad_scheme_find("rk5", TRIAD_SCHEME_REGISTER | TRIAD_SCHEME_START) == NULL &&
                triad_scheme_find("", TRIAD_SCHEME_REGISTER) == NULL,
              "an unknown scheme was found");
}

TRIAD_MAIN
