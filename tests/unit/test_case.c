/* The case file: what is accepted, every error at its place, values that survive a round trip.   ranks: 1 */
#include "test.h"

#include "base/text.h"
#include "case/case.h"
#include "case/case_own.h"
#include "case/formula.h"
#include "case/schema.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define SMALLEST                                       \
  "[equations]\nsolver = \"hd\"\n"                     \
  "[grid]\nn = [32, 32, 32]\n"                         \
  "[initial]\nkind = \"taylor-green\"\n"               \
  "[time]\nend = 1.0\n"

/* Parse text with up to three arguments of --set; *status as returned. */
static triad_case *parsed(const char *text, int *status, const char *set0, const char *set1, const char *set2)
{
  const char *sets[] = {set0, set1, set2};
  int n = 0;
  while (n < 3 && sets[n]) n++;
  triad_case *c = NULL;
  *status = triad_case_parse(&c, "case.toml", text, strlen(text), sets, n);
  return c;
}

/* A case that must be good. */
static triad_case *good(const char *text, const char *set0, const char *set1)
{
  int status;
  triad_case *c = parsed(text, &status, set0, set1, NULL);
  TRIAD_HOLDS(status == TRIAD_OK && c, "status %d\n%s", status, c ? triad_case_errors(c) : "");
  if (status != TRIAD_OK) {
    triad_case_destroy(&c);
    fail();
  }
  return c;
}

/* Text with this argument must fail with so many errors, this among them. */
static void fails_with(const char *text, const char *set, const char *line, int errors)
{
  int status;
  triad_case *c = parsed(text, &status, set, NULL, NULL);
  TRIAD_EQUAL(status, TRIAD_ERR_CASE, text);
  if (!c) return;
  TRIAD_HOLDS(strstr(triad_case_errors(c), line), "the errors of\n%s\nare\n%swithout\n%s", text, triad_case_errors(c),
              line);
  TRIAD_HOLDS(errors == triad_case_error_count(c), "%d errors, expected %d:\n%s", triad_case_error_count(c), errors,
              triad_case_errors(c));
  triad_case_destroy(&c);
}

static char *resolved(const triad_case *c)
{
  char *text = NULL;
  size_t length = 0;
  FILE *file = open_memstream(&text, &length);
  TRIAD_HOLDS(file != NULL, "no memory");
  if (file) {
    TRIAD_CHECK(triad_case_write_resolved(c, file));
    TRIAD_EQUAL(fclose(file), 0, "fclose");
  }
  return text;
}

TRIAD_TEST(smallest_case_is_good_and_the_rest_is_default)
{
  triad_case *c = good(SMALLEST, NULL, NULL);
  double length[3], abc[3], range[2];
  int64_t n[3];
  triad_case_integers(c, "grid.n", n, 3);
  triad_case_reals(c, "grid.length", length, 3);
  triad_case_reals(c, "initial.abc", abc, 3);
  triad_case_reals(c, "forcing.k_range", range, 2);
  for (int i = 0; i < 3; i++) {
    TRIAD_EQUAL(n[i], 32, "grid.n");
    TRIAD_NEAR(length[i], 2 * M_PI, 0, "grid.length");
    TRIAD_NEAR(abc[i], 1, 0, "initial.abc");
  }
  TRIAD_NEAR(range[1], 2, 0, "forcing.k_range");
  TRIAD_NEAR(triad_case_real(c, "initial.slope"), -5.0 / 3.0, 0, "initial.slope");
  TRIAD_NEAR(triad_case_real(c, "time.cfl"), 0.5, 0, "time.cfl");
  TRIAD_EQUAL(triad_case_integer(c, "output.keep"), 3, "output.keep");
  TRIAD_EQUAL(triad_case_flag(c, "parallel.reproducible"), 0, "parallel.reproducible");
  assert_string_equal(triad_case_word(c, "grid.truncation"), "sphere");
  assert_string_equal(triad_case_word(c, "initial.file"), "");
  TRIAD_EQUAL(triad_case_is(c, "time.scheme", "rk3"), 1, "rk3");
  TRIAD_EQUAL(triad_case_is(c, "time.scheme", "rk4"), 0, "rk4");
  TRIAD_EQUAL(triad_case_given(c, "grid.n"), 1, "grid.n given");
  TRIAD_EQUAL(triad_case_given(c, "time.cfl"), 0, "time.cfl given");
  assert_string_equal(triad_case_errors(c), "");
  triad_case_destroy(&c);
  TRIAD_HOLDS(c == NULL, "destroy clears");
  triad_case_destroy(&c);
}

/* Bit for bit. */
static int same_values(const triad_key *key, const triad_case_slot *a, const triad_case_slot *b)
{
  size_t n = (size_t)a->n;
  if (a->n != b->n || a->flag != b->flag) return 0;
  for (size_t i = 0; key->type == TRIAD_KEY_WORD && i < n; i++)
    if (strcmp(a->word[i], b->word[i]) != 0) return 0;
  if (key->type == TRIAD_KEY_REAL) return memcmp(a->real, b->real, n * sizeof *a->real) == 0;
  if (key->type == TRIAD_KEY_INTEGER) return memcmp(a->integer, b->integer, n * sizeof *a->integer) == 0;
  for (size_t i = 0; key->type == TRIAD_KEY_TEXT && i < n; i++)
    if (strcmp(a->text[i], b->text[i]) != 0) return 0;
  return 1;
}

/* Does a row tell all that pages and errors need of it? */
static void check_row(const triad_key *key)
{
  TRIAD_HOLDS(key->help && strlen(key->help) > 10, "%s has no help", key->name);
  TRIAD_HOLDS(key->count >= 1, "%s", key->name);
  TRIAD_HOLDS(key->preset || key->example || key->type == TRIAD_KEY_WORD, "%s has no default",
              key->name);
  TRIAD_HOLDS(key->type != TRIAD_KEY_WORD || triad_key_word(key, 0), "%s has no words", key->name);
  TRIAD_HOLDS(!key->rising || (key->type == TRIAD_KEY_REAL && key->count == 2), "%s is no range", key->name);
}

TRIAD_TEST(every_default_and_example_is_in_range)
{
  char *text = NULL;
  size_t length = 0;
  FILE *file = open_memstream(&text, &length);
  TRIAD_CHECK(triad_schema_write_defaults(file));
  TRIAD_EQUAL(fclose(file), 0, "fclose");
  triad_case *defaults = good(text, NULL, NULL), *bare = good(SMALLEST, NULL, NULL);
  for (int i = 0; i < bare->schema->n; i++) {
    const triad_key *key = bare->schema->row[i].key;
    TRIAD_EQUAL(triad_case_given(defaults, key->name), 1, key->name);
    if (!key->preset) continue;
    /* the text of the defaults means what no text means */
    TRIAD_EQUAL(same_values(key, triad_case_slot_of(defaults, key->name), triad_case_slot_of(bare, key->name)), 1,
                key->name);
  }
  triad_case_destroy(&defaults);
  triad_case_destroy(&bare);
  free(text);
}

static int same_table(const triad_schema *s, int i, int j)
{
  size_t a = triad_schema_table_length(s->row[i].key), b = triad_schema_table_length(s->row[j].key);
  return a == b && memcmp(s->row[i].key->name, s->row[j].key->name, a) == 0;
}

/* A key whose table another one came between: its number, or 0 where each table stands in one piece. */
static int torn_table(const triad_schema *s)
{
  for (int i = 2; i < s->n; i++)
    for (int j = 0; j < i - 1; j++)
      if (same_table(s, i, j) && !same_table(s, i, i - 1)) return i;
  return 0;
}

TRIAD_TEST(every_solver_has_each_of_its_keys_once_and_each_table_in_one_piece)
{
  const triad_word *w;
  for (int p = 0; triad_case_part_at(p); p++)
    for (const triad_key *key = triad_case_part_at(p)->keys; key->name; key++) check_row(key);
  for (int i = 0; (w = triad_solver_word(i)) != NULL; i++) {
    triad_schema *s;
    TRIAD_CHECK(triad_schema_create(&s, w->name));
    TRIAD_HOLDS(w->about, "%s", w->name);
    TRIAD_HOLDS(triad_schema_any_word("initial.kind", triad_solver_row_at(i)->rest), "%s's rest", w->name);
    for (int k = 0; k < s->n; k++) {
      const char *name = s->row[k].key->name;
      check_row(s->row[k].key);
      TRIAD_EQUAL(triad_schema_find(s, name, strlen(name)), k, name);
    }
    for (const triad_key *key = triad_common_keys; key->name; key++)
      TRIAD_HOLDS(triad_schema_find(s, key->name, strlen(key->name)) >= 0, "%s lacks %s", w->name, key->name);
    TRIAD_HOLDS(!torn_table(s), "%s: %s stands apart from its table", w->name, s->row[torn_table(s)].key->name);
    triad_schema_destroy(&s);
  }
}

/* A word of a table's row that belongs to solvers must name solvers of that family. */
static int are_solvers_of(const triad_case_part *part, const char *solvers)
{
  int known = 0, named = 0;
  const triad_word *w;
  for (int i = 0; (w = triad_solver_word(i)) != NULL; i++)
    known += triad_case_part_has(part, w->name) && triad_solver_among(solvers, w->name);
  for (const char *at = solvers; *at; named++) {
    at += strcspn(at, " ");
    at += strspn(at, " ");
  }
  return known == named;
}

TRIAD_TEST(rows_words_and_quantities_name_solvers_of_their_own_family)
{
  for (int p = 0; triad_case_part_at(p); p++) {
    const triad_case_part *part = triad_case_part_at(p);
    const triad_word *w;
    for (const triad_key *key = part->keys; key->name; key++) {
      TRIAD_HOLDS(!key->solvers || are_solvers_of(part, key->solvers), "%s: %s", key->name, key->solvers);
      for (int i = 0; (w = triad_key_word(key, i)) != NULL; i++)
        TRIAD_HOLDS(!w->solvers || are_solvers_of(part, w->solvers), "%s %s: %s", key->name, w->name, w->solvers);
    }
    for (const triad_quantity *q = part->quantities; q->name; q++)
      TRIAD_HOLDS((!q->solvers || are_solvers_of(part, q->solvers)) && q->unit && q->long_name && q->field, "%s",
                  q->name);
  }
}

TRIAD_TEST(family_speaks_for_the_solvers_of_its_sets_and_a_set_for_its_own)
{
  const triad_word *w;
  for (int i = 0; (w = triad_solver_word(i)) != NULL; i++) {
    int families = 0, own = 0;
    for (int p = 0; triad_case_parts[p]; p++) families += triad_case_part_has(triad_case_parts[p], w->name);
    for (int p = 0; triad_case_part_at(p); p++)
      for (const triad_solver_row *s = triad_case_part_at(p)->solvers; s->word.name; s++)
        own += strcmp(s->word.name, w->name) == 0;
    TRIAD_EQUAL(families, 1, w->name);
    TRIAD_EQUAL(own, 1, w->name);
  }
  for (int p = 0; triad_case_part_at(p); p++) {
    TRIAD_EQUAL(triad_case_part_has(triad_case_part_at(p), "hydro"), 0, "a solver that is not there");
    TRIAD_EQUAL(triad_case_part_has(triad_case_part_at(p), NULL), 1, "a solver that is not known");
  }
}

TRIAD_TEST(a_key_is_looked_up_by_name_and_solver)
{
  static const char gas[] = "[grid]\nn = [8, 8, 8]\n[initial]\nkind = \"sod\"\n[time]\nend = 1\nscheme = \"ssprk3\"\n"
                            "[equations]\nviscosity = 1\nsolver = \"compressible\"\n";
  triad_case *c = good(gas, NULL, NULL); /* wherever the solver stands */
  TRIAD_EQUAL(triad_case_is(c, "time.scheme", "ssprk3"), 1, "scheme of the file");
  TRIAD_EQUAL(triad_case_applies(c, "equations.gamma"), 1, "a key of its family");
  TRIAD_EQUAL(triad_case_applies(c, "equations.drag"), 0, "a key of another");
  TRIAD_EQUAL(triad_case_given(c, "equations.drag"), 0, "which is not given then");
  triad_case_destroy(&c);
  /* only what is left in the end must be the solver's */
  int status;
  c = parsed(gas, &status, "equations.solver=\"hd\"", "initial={kind=\"abc\"}", "time.scheme=rk2");
  TRIAD_HOLDS(status == TRIAD_OK, "%s", triad_case_errors(c));
  triad_case_destroy(&c);
}

TRIAD_TEST(words_of_other_solvers_are_named_with_their_solvers)
{
  fails_with(SMALLEST, "initial.kind=sod", "initial.kind \"sod\" is not for solver hd, only for compressible", 1);
  fails_with(SMALLEST, "initial.kind=alfven-wave",
             "initial.kind \"alfven-wave\" is not for solver hd, only for mhd", 1);
  fails_with(SMALLEST, "time.scheme=split2",
             "time.scheme \"split2\" is not for solver hd, only for gpe: take \"rk3\", \"rk2\", \"rk4\"\n", 1);
  fails_with(SMALLEST, "forcing.field=theta", "forcing.field \"theta\" is not for solver hd, only for boussinesq", 1);
  fails_with(SMALLEST, "equations.gamma=1.4", "\"equations.gamma\" is not a key of solver hd, only of compressible", 1);
  fails_with(SMALLEST, "equations.resistivity=1",
             "\"equations.resistivity\" is not a key of solver hd, only of mhd", 1);
  /* what only some solver takes is no error while the solver is not known; what none takes is one */
  fails_with(SMALLEST, "equations.solver=\"hydro\"", "equations.solver: \"hydro\" is not one of \"hd\"", 1);
  fails_with("initial.kind = \"sod\"\ntime.scheme = \"ssprk3\"\n", NULL,
             "missing required key \"equations.solver\"", 1);
  fails_with("initial.kind = \"none\"\n", NULL, "initial.kind: \"none\" is not one of", 2);
}

TRIAD_TEST(rules_of_a_family_stand_where_the_key_stands)
{
#define GAS "equations.solver = \"compressible\"\ngrid.n = [8, 8, 8]\ntime.end = 1\n"
  fails_with(GAS "initial.kind = \"sod\"\nboundaries.x = [\"periodic\", \"outflow\"]\n", NULL,
             "case.toml:5:12: error: boundaries.x: both ends are periodic, or none is", 1);
  fails_with(GAS "initial.kind = \"uniform\"\ninitial.state = [1, 0, 0, 0, -1]\n", NULL,
             "case.toml:5:9: error: initial.state: density 1 and pressure -1 must be positive", 1);
  fails_with(GAS "initial.kind = \"sod\"\nequations.flux = \"central\"\nequations.positivity = true\n",
             "equations.weights=js", "equations.weights has no part in equations.flux", 2);
  fails_with(GAS "initial.kind = \"shock-vortex\"\n", "initial.mach=0.5", "a shock has a Mach number of 1 at least", 1);
#undef GAS
}

TRIAD_TEST(a_numbered_quantity_reaches_as_far_as_the_scalars)
{
  triad_slice s;
  char why[256];
  TRIAD_EQUAL(triad_slice_read("z=0: scalar1000, scalar12", "hd", NULL, &s, why, sizeof why), 1, "the last one");
  assert_string_equal(s.quantity[0].field, "scalar1000");
  assert_string_equal(s.quantity[1].long_name, "passive scalar 12");
  static const char *const bad[] = {"scalar0", "scalar1001", "scalar01", "scalar", "scalar1x", "scalar99999999999"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    char text[64];
    (void)snprintf(text, sizeof text, "z=0: %s", bad[i]);
    TRIAD_EQUAL(triad_slice_read(text, "hd", NULL, &s, why, sizeof why), 0, bad[i]);
  }
}

TRIAD_TEST(numbers_may_be_written_with_pi)
{
  static const struct {
    const char *text;
    double value;
  } yes[] = {{"2pi", 2 * M_PI},   {"pi", M_PI},           {"pi/2", M_PI / 2},  {"4*pi", 4 * M_PI},
             {"-5/3", -5.0 / 3},  {" 2 * pi / 3 ", 2 * M_PI / 3}, {"1e-3", 1e-3}, {"+.5", 0.5},
             {"2\xcf\x80", 2 * M_PI}, {"1_000", 1000},    {"2 pi", 2 * M_PI},  {"3.", 3}};
  static const char *const no[] = {"",     "pie",  "2pi2", "pi pi", "2**3", "1/0", "0x10",  "inf", "nan",   "1e400",
                                   "--1",  "*2",   "2*",   "1e",    "e5",   ".",   "1__0",  "_1",  "2 3",   "1,5",
                                   "2pi;", "\x01", "1e999999999999"};
  double value = 0;
  for (size_t i = 0; i < sizeof yes / sizeof *yes; i++) {
    TRIAD_EQUAL(triad_number_read(yes[i].text, strlen(yes[i].text), &value), 1, yes[i].text);
    TRIAD_NEAR(value, yes[i].value, 0, yes[i].text);
  }
  for (size_t i = 0; i < sizeof no / sizeof *no; i++)
    TRIAD_EQUAL(triad_number_read(no[i], strlen(no[i]), &value), 0, no[i]);
  TRIAD_EQUAL(triad_number_read("1\0002", 3, &value), 0, "a NUL inside");
  TRIAD_EQUAL(triad_number_read("2pi", 1, &value), 1, "only its own bytes are read");
  TRIAD_NEAR(value, 2, 0, "2pi, one byte of it");
}

/* ---- formulas ---- */

/* An independent computation: the same in C. Each operation rounds once on either side, but C may fuse two. */
TRIAD_TEST(formulas_have_the_values_of_c)
{
  enum { N = 300 }; /* more than a piece of a row, and a rest */
  static const char *const text[] = {
    "sin(x)*cos(y) - tanh(z/2)",     "-x^2 + 2^-1",           "2^3^2/64 + 1/2pi",      "if(x > 1 && !(y < 0.5), z, -z)",
    "min(x, y, z) + max(x, 0.5)",    "atan2(y, x) + hypot(x, y)", "a*x + mod(x, 0.3)", "x <= y == (z != 2) || 0",
    "exp(-((x - e)^2 + y^2)/0.1)",   "pow(abs(y), 1.5) - sign(y) + step(x - 2)", "7", "erf(x) + floor(z*1e3)"};
  const double a = 3.5, number[] = {3.5};
  const char *const name[] = {"a"};
  const triad_formula_scope scope = {triad_formula_of_points, 1, name, number};
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
      const double want[] = {sin(X) * cos(Y) - tanh(Z / 2), -(X * X) + 0.5, 8 + 1 / (2 * M_PI), X > 1 && !(Y < 0.5) ? Z : -Z,
                             fmin(X, fmin(Y, Z)) + fmax(X, 0.5), atan2(Y, X) + hypot(X, Y), a * X + (X - 0.3 * floor(X / 0.3)),
                             (X <= Y) == 1, exp(-((X - M_E) * (X - M_E) + Y * Y) / 0.1),
                             pow(fabs(Y), 1.5) - (Y > 0 ? 1 : Y < 0 ? -1 : 0) + (X >= 2), 7, erf(X) + 1250};
      const double large = fmax(fabs(want[f]), 4); /* of the terms, which may cancel */
      /* of an exponent near -80 the error counts 80 times */
      TRIAD_WITHIN(got[i], want[f], f == 8 ? 1e-13 * want[f] : 4 * 2.3e-16 * large, text[f]);
    }
  }
}

/* The sum of terms is the formula, as far as 12 roundings let it; -1: it is no sum of terms. */
TRIAD_TEST(formulas_split_into_what_is_of_points_and_what_is_of_time)
{
  static const char *const variable[] = {"x", "y", "z", "t", "u", "v", NULL};
  static const struct {
    const char *text;
    int n;
  } cases[] = {{"sin(x)*cos(y)", 1}, {"exp(t)", 1}, {"3", 1}, {"2*u", 1}, {"sin(x)*cos(3*t)*2", 1}, {"x*t + y*t", 1},
               {"sin(2*x - 3*t + 1)", 2}, {"cos(t - y*z)", 2}, {"(x + t)^2", 3}, {"-(x - t)*u", -1}, {"(x + 1)/(t + 2)", 1},
               {"-u*t/2 + v", 2}, {"u*x", -1}, {"u*v", -1}, {"sin(u)", -1}, {"sin(x*t)", -1}, {"max(x, t)", -1}, {"x^t", -1},
               {"1/(x + t)", -1}, {"sin(x)*min(t, 1) + if(t < 2, 1, 0)*y", 2}, {"(x+t)*(y+t)*(z+t)*(x-t)*(y-t)", -1},
               {"noise(3)*t", 1}, {"noise(t)", -1}, {"u/(1 + t)^2", 1}, {"1/u", -1}, {"x*t - x*t", 2}};
  static const triad_formula_scope scope = {variable, 0, NULL, NULL};
  static const double at[] = {0.3, 1.7, -2.2, 0.8, 1.3, -0.6};
  const double *const values[] = {&at[0], &at[1], &at[2], &at[3], &at[4], &at[5]};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char why[TRIAD_FORMULA_WHY];
    triad_formula *formula;
    triad_formula_term term[TRIAD_FORMULA_TERMS];
    int n;
    double whole, sum = 0, space = 1, time = 1;
    TRIAD_CHECK(triad_formula_compile(&formula, cases[i].text, strlen(cases[i].text), &scope, why));
    TRIAD_CHECK(triad_formula_split(formula, term, &n));
    TRIAD_EQUAL(n, cases[i].n < 0 ? 0 : cases[i].n, cases[i].text);
    triad_formula_rows(formula, 1, values, &whole);
    for (int k = 0; k < n; k++, space = time = 1) {
      if (term[k].space) triad_formula_rows(term[k].space, 1, values, &space);
      if (term[k].time) triad_formula_rows(term[k].time, 1, values, &time);
      for (int v = 0; v < 6; v++)
        TRIAD_HOLDS(!(term[k].space && v > 2 && triad_formula_uses(term[k].space, v)) &&
                    !(term[k].time && v != 3 && triad_formula_uses(term[k].time, v)), "%s: variable %d is in it", cases[i].text, v);
      sum += space * time * (term[k].field < 0 ? 1 : at[term[k].field]);
    }
    if (n > 0) TRIAD_WITHIN(sum, whole, 12 * 2.3e-16 * 4, cases[i].text);
    triad_formula_terms_free(term, n);
    triad_formula_destroy(&formula);
  }
}

/* A formula without what it has of x and t alone is the formula, to the bit; and what is left has no more of it, but for single variables
 * and where there are too many parts. */
TRIAD_TEST(what_few_variables_decide_is_taken_out_of_a_formula)
{
  static const char *const variable[] = {"x", "y", "z", "t", "u", "v", NULL};
  static const struct {
    const char *text;
    int n, left;
  } cases[] = {{"sin(x)*u", 1, 0}, {"sin(x) + u*cos(x - 2*t)", 2, 0}, {"u*v", 0, 0}, {"x*u", 0, 1}, {"2*x*u", 1, 0}, {"exp(-t)*sin(y)", 1, 0},
               {"cos(x)", 1, 0}, {"if(x > 1, u, exp(x))", 2, 0}, {"u*(x + y)*(x + t)", 1, 1},
               {"(2*x+u)*(3*x+u)*(4*x+u)*(5*x+u)*(6*x+u)*(7*x+u)*(8*x+u)*(9*x+u)*(10*x+u)*(11*x+u)", 8, 1}};
  static const triad_formula_scope scope = {variable, 0, NULL, NULL};
  static const double at[] = {0.3, 1.7, -2.2, 0.8, 1.3, -0.6};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char why[TRIAD_FORMULA_WHY];
    triad_formula *formula, *part[TRIAD_FORMULA_PARTS];
    double before, after, taken[TRIAD_FORMULA_PARTS];
    const double *value[6 + TRIAD_FORMULA_PARTS];
    int n;
    for (int v = 0; v < 6; v++) value[v] = &at[v];
    TRIAD_CHECK(triad_formula_compile(&formula, cases[i].text, strlen(cases[i].text), &scope, why));
    triad_formula_rows(formula, 1, value, &before);
    TRIAD_CHECK(triad_formula_hoist(formula, 1u << 0 | 1u << 3, 6, part, &n));
    TRIAD_EQUAL(n, cases[i].n, cases[i].text);
    for (int k = 0; k < n; k++) {
      triad_formula_rows(part[k], 1, value, &taken[k]);
      value[6 + k] = &taken[k];
      for (int v = 0; v < 6; v++) TRIAD_HOLDS(v == 0 || v == 3 || !triad_formula_uses(part[k], v), "%s has variable %d", cases[i].text, v);
      triad_formula_destroy(&part[k]);
    }
    triad_formula_rows(formula, 1, value, &after);
    TRIAD_WITHIN(after, before, 0, cases[i].text);
    TRIAD_EQUAL(triad_formula_uses(formula, 0) | triad_formula_uses(formula, 3), cases[i].left, cases[i].text);
    triad_formula_destroy(&formula);
  }
}

static uint64_t drawn;

static int draw(int below)
{
  drawn = drawn * 6364136223846793005u + 1442695040888963407u;
  return (int)((drawn >> 33) % (uint64_t)below);
}

/* An expression of so many levels, behind what is in text[size]. */
static void write_random(char *text, size_t size, int levels)
{
  static const char *const leaf[] = {"x", "y", "z", "t", "u", "v", "2", "0.5", "pi", "t", "x"};
  static const char *const form[] = {"(|+|)", "(|-|)", "(|*|)", "|*|", "(-|)", "sin(|)", "cos(|)", "(|)^2", "(|/(3+|^2))", "exp(-(|)^2)",
                                     "min(|,|)", "if(|>0,|,|)", "noise(|)", "(|)^3"};
  const char *way = levels > 0 ? form[draw(sizeof form / sizeof *form)] : leaf[draw(sizeof leaf / sizeof *leaf)];
  for (; *way && strlen(text) + 2 < size; way++) {
    if (*way == '|') write_random(text, size, levels - 1 - draw(2));
    else (void)strncat(text, way, 1);
  }
}

/* Two thousand expressions, of which some are sums of terms: these are the value to rounding of their sizes, and what is left without
 * parts of x and t is it to the bit, infinite or no number as it may be. */
TRIAD_TEST(random_formulas_are_split_and_taken_apart_without_change)
{
  static const char *const variable[] = {"x", "y", "z", "t", "u", "v", NULL};
  static const triad_formula_scope scope = {variable, 0, NULL, NULL};
  static const double at[] = {0.3, 1.7, -2.2, 0.8, 1.3, -0.6};
  int compiled = 0, split = 0, taken_out = 0;
  drawn = 7;
  for (int i = 0; i < 2000; i++) {
    char text[1000] = "", why[TRIAD_FORMULA_WHY];
    triad_formula *formula, *part[TRIAD_FORMULA_PARTS];
    triad_formula_term term[TRIAD_FORMULA_TERMS];
    double whole, after, sum = 0, size = 0, taken[TRIAD_FORMULA_PARTS];
    const double *value[6 + TRIAD_FORMULA_PARTS];
    int n;
    write_random(text, sizeof text, 1 + draw(5));
    if (triad_formula_compile(&formula, text, strlen(text), &scope, why) != TRIAD_OK) continue; /* cut, or too deep */
    compiled++;
    for (int v = 0; v < 6; v++) value[v] = &at[v];
    triad_formula_rows(formula, 1, value, &whole);
    TRIAD_CHECK(triad_formula_split(formula, term, &n));
    for (int k = 0; k < n; k++) {
      double space = 1, time = 1;
      if (term[k].space) triad_formula_rows(term[k].space, 1, value, &space);
      if (term[k].time) triad_formula_rows(term[k].time, 1, value, &time);
      sum += space * time * (term[k].field < 0 ? 1 : at[term[k].field]);
      size += fabs(space * time) + fabs(whole);
    }
    split += n > 1;
    if (n > 0 && isfinite(size)) TRIAD_WITHIN(sum, whole, 1e-12 * fmax(size, 1), text);
    triad_formula_terms_free(term, n);
    TRIAD_CHECK(triad_formula_hoist(formula, 1u << 0 | 1u << 3, 6, part, &n));
    for (int k = 0; k < n; k++) {
      triad_formula_rows(part[k], 1, value, &taken[k]);
      value[6 + k] = &taken[k];
    }
    triad_formula_rows(formula, 1, value, &after);
    TRIAD_HOLDS((isnan(after) && isnan(whole)) || !(after < whole || after > whole), "%s: %.17g, before %.17g", text, after, whole);
    taken_out += n > 0;
    for (int k = 0; k < n; k++) triad_formula_destroy(&part[k]);
    triad_formula_destroy(&formula);
  }
  TRIAD_HOLDS(compiled > 1500 && split > 100 && taken_out > 300, "%d compiled, %d of several terms, %d taken apart", compiled, split, taken_out);
}

/* Uniform between -1 and 1, of the point and the seed alone: mean and variance of 4096 values within 5 of their errors 1/sqrt(3 n) and
 * sqrt(4/45/n), and two seeds that have nothing in common. */
TRIAD_TEST(noise_is_white_and_hangs_on_the_point_and_the_seed_alone)
{
  enum { N = 4096 };
  static const triad_formula_scope scope = {triad_formula_of_points, 0, NULL, NULL};
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
    TRIAD_HOLDS(one[i] >= -1 && one[i] <= 1 && (i < 1000 || !(fabs(piece[i - 1000] - one[i]) > 0)), "value %d is %g", i, one[i]);
  }
  TRIAD_WITHIN(mean, 0, 5 / sqrt(3. * N), "mean");
  TRIAD_WITHIN(square, 1. / 3, 5 * sqrt(4. / 45 / N), "mean square");
  TRIAD_WITHIN(both, 0, 5. / 3 / sqrt(N), "of two seeds");
  triad_formula_destroy(&f);
  triad_formula_destroy(&g);
}

/* x t squared forty times over: a program of 2^40 steps is none. */
TRIAD_TEST(a_split_ends_where_a_formula_is_hostile)
{
  static const char *const variable[] = {"x", "y", "z", "t", NULL};
  static const triad_formula_scope scope = {variable, 0, NULL, NULL};
  char text[400] = "", why[TRIAD_FORMULA_WHY];
  triad_formula *formula;
  triad_formula_term term[TRIAD_FORMULA_TERMS];
  int n = -1;
  for (int i = 0; i < 40; i++) strcat(text, "(");
  strcat(text, "x*t");
  for (int i = 0; i < 40; i++) strcat(text, ")^2");
  TRIAD_CHECK(triad_formula_compile(&formula, text, strlen(text), &scope, why));
  TRIAD_CHECK(triad_formula_split(formula, term, &n));
  TRIAD_EQUAL(n, 0, "terms");
  triad_formula_destroy(&formula);
}

TRIAD_TEST(what_is_no_formula_is_told_with_its_column)
{
  static const struct {
    const char *text, *why;
  } bad[] = {{"sin(x)*cso(y)", "column 8: unknown function \"cso\", did you mean \"cos\"?"},
             {"x + reynold", "column 5: unknown name \"reynold\", did you mean \"reynolds\"?"},
             {"2*(x", "column 3: this parenthesis is not closed"},
             {"\xcf\x80*q", "column 3: unknown name \"q\""},
             {"", "column 1: it ends where"},
             {"x +", "column 4: it ends where"},
             {"2x", "column 2: a number and a name need an operation"},
             {"2pi^2", "column 4: of a number, pi and ^ say which"},
             {"x y", "column 3: unexpected \"y\""},
             {"x ** 2", "column 4: unexpected \"*\""},
             {"1e400*x", "column 1: this number is too large"},
             {"if(x, 1)", "column 1: if takes 3 values, not 2"},
             {"min(x)", "column 1: min takes 2 values or more, not 1"},
             {"sin", "column 1: sin is a function"},
             {"x\x01", "column 2: unexpected \"\\x01\""}};
  static const char *const name[] = {"reynolds"};
  static const double number[] = {100};
  const triad_formula_scope scope = {triad_formula_of_points, 1, name, number};
  static char deep[TRIAD_FORMULA_BYTES + 100];
  triad_formula *f;
  char why[TRIAD_FORMULA_WHY];
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    TRIAD_EQUAL(triad_formula_compile(&f, bad[i].text, strlen(bad[i].text), &scope, why), TRIAD_ERR_CASE, bad[i].text);
    TRIAD_HOLDS(!f && strncmp(why, bad[i].why, strlen(bad[i].why)) == 0, "%s: %s\nis not\n%s", bad[i].text, why, bad[i].why);
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

#define OWN "[parameters]\nnu = \"U*L/Re\"\nRe = 1_600\nU = 2.0\nL = \"2pi/k\"\nk = 4\n"

TRIAD_TEST(parameters_stand_in_numbers_in_any_order)
{
  const char *text = SMALLEST OWN "[output]\nkeep = \"k - 1\"\nseries_interval = \"min(U, 0.5)\"\n";
  triad_case *c = good(text, "equations.viscosity=nu", "parameters.U=4"), *again;
  char *whole = resolved(c), origin[64];
  int64_t n[3];
  TRIAD_NEAR(triad_case_real(c, "equations.viscosity"), 4 * (2 * M_PI / 4) / 1600, 1e-17, "the argument's U");
  TRIAD_NEAR(triad_case_real(c, "output.series_interval"), 0.5, 0, "a function");
  TRIAD_EQUAL(triad_case_integer(c, "output.keep"), 3, "an integer");
  assert_string_equal(triad_case_origin(c, "parameters.U", origin, sizeof origin), "--set");
  TRIAD_EQUAL(triad_case_applies(c, "parameters.U"), 1, "it is there");
  TRIAD_EQUAL(triad_case_applies(c, "parameters.V"), 0, "it is not");
  again = good(whole, NULL, NULL);
  triad_case_integers(again, "grid.n", n, 3);
  TRIAD_NEAR(triad_case_real(again, "equations.viscosity"), triad_case_real(c, "equations.viscosity"), 0, "resolved");
  TRIAD_HOLDS(strstr(whole, "\n[parameters]\n") && strstr(whole, "\nU = 4.0 # --set\n"), "%s", whole);
  free(whole);
  triad_case_destroy(&again);
  triad_case_destroy(&c);
}

TRIAD_TEST(parameters_that_are_none_are_told_at_their_place)
{
  const char *text = SMALLEST OWN;
  fails_with(text, "time.end=1+sqr(4)", "time.end: \"1+sqr(4)\" is not a number: column 3: unknown function \"sqr\", did you mean \"sqrt\"?", 1);
  fails_with(text, "output.keep=k/3", "output.keep: expected an integer, found text \"k/3\"", 1);
  fails_with(text, "time.end=x", "time.end: \"x\" is not a number: column 1: unknown name \"x\"", 1);
  fails_with(text, "time.end=noise(1)", "column 1: noise is for formulas of points", 1);
  fails_with(text, "time.end=1/(k-4)", "time.end: \"1/(k-4)\" is not a number: its value is infinite", 1);
  fails_with(text, "parameters.k=L", "case.toml:13:1: error: parameters.L: its value hangs on itself", 3);
  fails_with(text, "parameters.k=q", "--set parameters.k=q: error: parameters.k: column 1: unknown name \"q\"", 1);
  fails_with(text, "parameters.pi=3", "[parameters]: \"pi\" is no name for a parameter", 1);
  fails_with(text, "parameters.a.b=3", "[parameters]: \"a.b\" is no name for a parameter", 1);
  fails_with(text, "parameters.k=true", "parameters.k: expected a finite number, or a formula as text", 1);
  fails_with(text, "parameters.k=inf", "parameters.k: ", 1);
  fails_with(text, "parameters=3", "\"parameters\" is a table, not a value", 1);
  fails_with(SMALLEST, "parameters.nu=1/0", "parameters.nu: its value is infinite", 1);
}

TRIAD_TEST(formulas_of_fields_are_looked_at_with_the_case)
{
  const char *text = SMALLEST OWN;
  fails_with(text, "initial.u=sin(k*x) + cps(y)", "initial.u: \"sin(k*x) + cps(y)\": column 12: unknown function \"cps\"", 1);
  fails_with(text, "initial.u=true + 1", "initial.u: \"true + 1\": column 1: unknown name \"true\"", 1);
  fails_with(text, "initial.scalars=[\"x\", \"u\"]", "initial.scalars: value 2 of 2: \"u\": column 1: unknown name \"u\"", 1);
  fails_with(text, "initial.kind=formula", "needs a formula, such as initial.u", 1);
  triad_case *c = good(text, "initial.u=3", "initial.scalars=[\"U*x\"]");
  const double x[] = {1.5}, *const at[] = {x, x, x};
  double value;
  triad_formula *f;
  TRIAD_CHECK(triad_case_formula(c, "initial.scalars", 0, &f));
  triad_formula_rows(f, 1, at, &value);
  TRIAD_NEAR(value, 3, 0, "U x");
  triad_formula_destroy(&f);
  TRIAD_CHECK(triad_case_formula(c, "initial.scalars", 1, &f));
  TRIAD_HOLDS(!f, "behind the list");
  TRIAD_CHECK(triad_case_formula(c, "initial.v", 0, &f));
  TRIAD_HOLDS(!f, "an empty text");
  TRIAD_CHECK(triad_case_formula(c, "initial.u", 0, &f));
  TRIAD_HOLDS(f, "a number");
  triad_formula_destroy(&f);
  triad_case_destroy(&c);
}

TRIAD_TEST(numbers_are_written_shortest_and_read_back_exactly)
{
  static const struct {
    double value;
    const char *text;
  } known[] = {{0.1, "0.1"}, {10, "10.0"}, {1e-5, "1e-05"}, {-5.0 / 3, "-1.6666666666666667"}, {1e300, "1e+300"},
               {0, "0.0"},   {1e15, "1000000000000000.0"}, {123456789, "123456789.0"}};
  char text[32];
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    triad_number_write(known[i].value, text);
    assert_string_equal(text, known[i].text);
  }
  for (uint64_t i = 0; i < 20000; i++) {
    union {
      uint64_t bits;
      double value;
    } any = {.bits = triad_test_bits(11, i)};
    if (!isfinite(any.value)) continue;
    triad_number_write(any.value, text);
    union {
      double value;
      uint64_t bits;
    } back = {.value = strtod(text, NULL)};
    TRIAD_HOLDS(back.bits == any.bits, "%s is not %.17g", text, any.value);
  }
}

TRIAD_TEST(a_pair_of_words_has_two_and_a_solver_may_have_its_own_default)
{
  static const char text[] = "[equations]\nsolver = \"compressible\"\n[grid]\nn = [8, 8, 8]\n[boundaries]\n"
                             "x = [\"inflow\", \"outflow\"]\n[initial]\nkind = \"sod\"\n[time]\nend = 1\n";
  triad_case *c = NULL;
  TRIAD_CHECK(triad_case_parse(&c, "case.toml", text, strlen(text), NULL, 0));
  assert_string_equal(triad_case_word_of_pair(c, "boundaries.x", 0), "inflow");
  assert_string_equal(triad_case_word_of_pair(c, "boundaries.x", 1), "outflow");
  assert_string_equal(triad_case_word_of_pair(c, "boundaries.y", 1), "periodic");
  assert_string_equal(triad_case_word(c, "time.scheme"), "ssprk3");
  TRIAD_EQUAL(triad_case_given(c, "time.scheme"), 0, "a default counts as given");
  triad_case_destroy(&c);
  const char *set = "time.scheme=rk4";
  TRIAD_CHECK(triad_case_parse(&c, "case.toml", text, strlen(text), &set, 1));
  assert_string_equal(triad_case_word(c, "time.scheme"), "rk4");
  triad_case_destroy(&c);
}

TRIAD_TEST(every_error_is_found_in_one_pass_at_its_place)
{
  const char *text = "precision = \"dubble\"\n"
                     "presicion = \"double\"\n"
                     "[equations]\n"
                     "solver = \"hd\"\n"
                     "viscosity = -1\n"
                     "[grid]\n"
                     "n = [64, \"a\", 0]\n"
                     "  lenght = [1, 1, 1]\n"
                     "[gird]\n"
                     "n = 4\n"
                     "m = 5\n"
                     "[initial]\n"
                     "k_range = [4, 1]\n"
                     "[time]\n"
                     "dt = 1e-3\n"
                     "cfl = 1\n"
                     "end.x = 1\n";
  char wanted[8192], kinds[1024] = "";
  triad_schema *keys;
  TRIAD_CHECK(triad_schema_create(&keys, "hd"));
  const triad_key *kind = keys->row[triad_schema_find(keys, "initial.kind", strlen("initial.kind"))].key;
  const triad_word *w;
  for (int i = 0; (w = triad_key_word(kind, i)) != NULL; i++) {
    size_t used = strlen(kinds);
    if (triad_solver_among(w->solvers, "hd"))
      (void)snprintf(kinds + used, sizeof kinds - used, "%s\"%s\"", used ? ", " : "", w->name);
  }
  triad_schema_destroy(&keys);
  static const char *const form =
    "case.toml:1:13: error: precision: \"dubble\" is not one of \"double\", \"single\", did you mean \"double\"?\n"
    "case.toml:2:1: error: unknown key \"presicion\", did you mean \"precision\"?\n"
    "case.toml:5:13: error: equations.viscosity: the integer -1 is out of range, must be at least 0\n"
    "case.toml:7:10: error: grid.n: value 2 of 3: expected an integer, found text \"a\": column 1: unknown name \"a\"\n"
    "case.toml:7:15: error: grid.n: value 3 of 3: the integer 0 is out of range, must be 1 to 1048576\n"
    "case.toml:8:3: error: unknown key \"grid.lenght\", did you mean \"grid.length\"?\n"
    "case.toml:9:2: error: unknown table \"gird\", did you mean \"grid\"?\n"
    "case.toml:13:1: error: initial.k_range: reversed, its lower end 4.0 is above its upper end 1.0\n"
    "case.toml:15:1: error: time.dt and time.cfl both fix the time step: give one of them\n"
    "case.toml:17:1: error: \"time.end\" is a value (a number), not a table\n"
    "case.toml: error: missing required key \"initial.kind\" (one of %s)\n"
    "--set time.scheme=rk9: error: time.scheme: \"rk9\" is not one of \"rk3\", \"rk2\", \"rk4\", "
    "did you mean \"rk3\"?\n"
    "--set nix: error: expected key=value, such as grid.n=[32,32,32]\n"
    "--set gird.n=4: error: unknown key \"gird.n\", did you mean \"grid.n\"?\n"
    "14 errors in case.toml and --set\n";
  int status;
  (void)snprintf(wanted, sizeof wanted, form, kinds);
  triad_case *c = parsed(text, &status, "time.scheme=rk9", "nix", "gird.n=4");
  TRIAD_EQUAL(status, TRIAD_ERR_CASE, "status");
  assert_non_null(c);
  assert_string_equal(triad_case_errors(c), wanted);
  triad_case_destroy(&c);
}

TRIAD_TEST(syntax_errors_do_not_hide_each_other)
{
  const char *text = "[equations]\nsolver = hd\n[grid]\nn = [4 4,\n4]\nlenght = 3\n"
                     "[time]\nend = 1O\nscheme = rk3 # c\n";
  fails_with(text, NULL, "case.toml:2:10: error: ", 5);
  fails_with(text, NULL, "text needs quotes: \"hd\"\n", 5);
  fails_with(text, NULL, "case.toml:4:8: error: ", 5);
  fails_with(text, NULL, "case.toml:6:1: error: unknown key \"grid.lenght\", did you mean \"grid.length\"?\n", 5);
  fails_with(text, NULL, "case.toml:8:8: error: ", 5);
  fails_with(text, NULL, "case.toml:9:", 5);
  fails_with("precision = True\n", NULL, "flags are written true and false", 1);
}

/* Texts on which the parsing library would stop the program or leave the language: they are errors like others. */
TRIAD_TEST(weak_spots_of_the_library_are_guarded)
{
  static const char *const good_texts[] = {
    "\"../../\xc3\xa9 \\\" # = [ ......................................................................\"",
    "'\\\xc3\xa9 \" ...................................................................................'",
    "\"\"\"\n\xc3\xa9 \"\" \\\"\"\" \\\n  x\"\"\"\"\"", "'''\n\xc3\xa9 '' \\'''''", "\"\"", "''"};
  fails_with(SMALLEST "\n[[[1]]]\n", NULL, "case.toml:10:1: error: not understood", 1);
  fails_with("# caf\xc3\xa9\nprecision = caf\xc3\xa9\n", NULL,
             "case.toml:2:16: error: a character outside ASCII must stand in quotes", 1);
  fails_with("precision = 1\"\xc3\xa9\"\n", NULL, "case.toml:1:14: error: a quotation mark is out of place", 1);
  fails_with("precision = [1.\"\xc3\xa9\"]\n", NULL, "case.toml:1:16: error: a quotation mark is out of place", 1);
  fails_with("precision = [[1], 2={\"\xc3\xa9\"]\n", NULL,
             "case.toml:1:22: error: a quotation mark is out of place", 1);
  fails_with("precision.\"\xc3\xa9\" = 1\n", NULL, "case.toml:1:12: error: a key holds a character outside ASCII", 1);
  fails_with("precision = \"\\\xc3\xa9\"\n", NULL, "case.toml:1:15: error: only ASCII may follow a backslash", 1);
  fails_with("precision = \"\"\"\\ \n  \xc3\xa9\"\"\"\n", NULL, "case.toml:2:3: error: only ASCII may follow", 1);
  for (size_t i = 0; i < sizeof good_texts / sizeof *good_texts; i++) {
    char text[512];
    (void)snprintf(text, sizeof text, "# %s \xc3\xa9\n%sinitial.'file' = %s # \"it's\n[output]\nkeep = 3\n",
                   "..........................................................................................",
                   "equations.solver = 'hd'\ngrid.n = [4, 4, 4]\ntime.end = 1\n", good_texts[i]);
    triad_case *c = good(text, "initial.kind=abc", NULL);
    triad_case_destroy(&c);
  }
}

TRIAD_TEST(a_key_given_twice_is_an_error)
{
  fails_with(SMALLEST "end = 2.0\n", NULL, "case.toml:9:7: error: key-value pair: cannot redefine existing", 1);
  fails_with(SMALLEST "[grid]\nlength = [1, 1, 1]\n", NULL, "cannot redefine existing table 'grid'", 1);
}

TRIAD_TEST(wrong_kinds_of_value_are_named)
{
  static const struct {
    const char *text, *error;
  } bad[] = {
    {"output.keep = 2.5\n", "output.keep: expected an integer, found the number 2.5"},
    {"output.keep = \"7/2\"\n", "output.keep: expected an integer, found text \"7/2\""},
    {"output.keep = 1\n", "output.keep: the integer 1 is out of range, must be 2 to 1000000"},
    {"parallel.reproducible = 1\n", "parallel.reproducible: expected true or false, found the integer 1"},
    {"parallel.nstreams = \"many\"\n", "parallel.nstreams: expected an integer, found text \"many\""},
    {"precision = 2\n", "precision: expected one of \"double\", \"single\", found the integer 2"},
    {"initial.file = 2024-01-01\n", "initial.file: expected text, found a date or time"},
    {"initial.file = \"a\\u0000b\"\n", "initial.file: text must be UTF-8 without NUL"},
    {"precision = \"double\\u0000\"\n", "precision: \"double\\x00\" is not one of"},
    {"initial.helicity = [1]\n", "initial.helicity: expected a number, found an array of 1"},
    {"initial.helicity = 1.5\n", "initial.helicity: the number 1.5 is out of range, must be -1 to 1"},
    {"initial.amplitude = inf\n", "initial.amplitude: the number inf is out of range, must be finite"},
    {"initial.amplitude = nan\n", "initial.amplitude: the number nan is out of range, must be finite"},
    {"initial.abc = [1, [2], {x = 3}]\n", "initial.abc: value 2 of 3: expected a number, found an array"},
    {"initial.abc = { a = 1 }\n", "\"initial.abc\" is a value (3 numbers), not a table"},
    {"grid.length = [1, 1]\n", "grid.length: expected 3 numbers, found an array of 2"},
    {"grid.length = 6.28\n", "grid.length: expected 3 numbers, found the number 6.28"},
    {"grid.length = [\"2pi\", \"2pie\", \"2pi\"]\n", "grid.length: value 2 of 3: \"2pie\" is not a number"},
    {"grid.length = [1, 0.0, 1]\n", "grid.length: value 2 of 3: the number 0.0 is out of range, must be above 0"},
    {"forcing.power = -1\n", "forcing.power: the integer -1 is out of range, must be at least 0"},
    {"output = 3\n", "\"output\" is a table, not a value"},
    {"[[output]]\nkeep = 3\n", "\"output\" is a table, not a value"},
    {"\"grid.n\" = 3\n", "unknown key \"\"grid.n\"\""},
    {"grid.cfl = 3\n", "unknown key \"grid.cfl\", did you mean \"time.cfl\"?"},
    {"zzzzzz = 3\n", "unknown key \"zzzzzz\"\n"},
    {"\"\\u001b[31m\" = 3\n", "unknown key \"\"\\u001b[31m\"\""},
    {"time.max_steps = 99999999999999999999\n", "not representable in 64 bits"},
    {"initial.amplitude = 1e400\n", "1e400"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    int status;
    triad_case *c = parsed(bad[i].text, &status, NULL, NULL, NULL);
    TRIAD_EQUAL(status, TRIAD_ERR_CASE, bad[i].text);
    if (c)
      TRIAD_HOLDS(strstr(triad_case_errors(c), bad[i].error), "%s gives\n%s", bad[i].text, triad_case_errors(c));
    triad_case_destroy(&c);
  }
}

TRIAD_TEST(values_come_in_every_form_that_means_the_same)
{
  triad_case *c = good("\xef\xbb\xbfprecision = 'single' # BOM, and lines ended as on Windows\r\n"
                       "equations = { solver = \"hd\", \"viscosity\" = 1_000 }\r\n"
                       "grid.n = [\r\n  32, 32, # x, y\r\n  0x20,\r\n]\r\n"
                       "initial.kind = \"\"\"abc\"\"\"\r\n"
                       "[time]\r\nend = \"1/4\"\r\nmax_steps = 1e6\r\ndt_max = 1\r\n"
                       "[parallel]\r\nnstreams = \"auto\"\r\nsplit = \"auto\"",
                       NULL, NULL);
  int64_t n[3];
  triad_case_integers(c, "grid.n", n, 3);
  TRIAD_EQUAL(n[2], 32, "hexadecimal");
  TRIAD_EQUAL(triad_case_is(c, "precision", "single"), 1, "a literal string");
  TRIAD_NEAR(triad_case_real(c, "equations.viscosity"), 1000, 0, "an integer for a number");
  TRIAD_NEAR(triad_case_real(c, "time.end"), 0.25, 0, "a number as text");
  TRIAD_EQUAL(triad_case_integer(c, "time.max_steps"), 1000000, "1e6");
  TRIAD_EQUAL(triad_case_integer(c, "parallel.nstreams"), 0, "auto");
  triad_case_integers(c, "parallel.split", n, 2);
  TRIAD_EQUAL(n[0] == 0 && n[1] == 0, 1, "auto for both");
  triad_case_destroy(&c);
}

TRIAD_TEST(arguments_are_stronger_than_the_file_and_later_ones_strongest)
{
  triad_case *c = good(SMALLEST "cfl = 0.4\n", "grid.n=[8, 16, 24]", "initial.kind=abc");
  int64_t n[3];
  char origin[64];
  triad_case_integers(c, "grid.n", n, 3);
  TRIAD_EQUAL(n[2], 24, "grid.n");
  TRIAD_EQUAL(triad_case_is(c, "initial.kind", "abc"), 1, "a bare word");
  assert_string_equal(triad_case_origin(c, "grid.n", origin, sizeof origin), "--set");
  assert_string_equal(triad_case_origin(c, "time.cfl", origin, sizeof origin), "case.toml:9");
  assert_string_equal(triad_case_origin(c, "time.scheme", origin, sizeof origin), "default");
  triad_case_destroy(&c);
  c = good(SMALLEST, "time.end=2", "time.end = 3");
  TRIAD_NEAR(triad_case_real(c, "time.end"), 3, 0, "the later one");
  triad_case_destroy(&c);
  c = good(SMALLEST, "initial={kind=\"random\", seed=7}", "grid.length=[2pi, pi/2, 1]");
  double length[3];
  triad_case_reals(c, "grid.length", length, 3);
  TRIAD_EQUAL(triad_case_integer(c, "initial.seed"), 7, "from an inline table");
  TRIAD_NEAR(length[1], M_PI / 2, 0, "a list of bare words");
  triad_case_destroy(&c);
  c = good(SMALLEST, "equations.viscosity=1/400", "initial.file=2024.10");
  TRIAD_NEAR(triad_case_real(c, "equations.viscosity"), 1.0 / 400, 0, "1/400");
  assert_string_equal(triad_case_word(c, "initial.file"), "2024.10");
  triad_case_destroy(&c);
}

TRIAD_TEST(arguments_cannot_smuggle_in_other_keys)
{
  fails_with(SMALLEST, "time.end=1\ntime.dt=3", "--set time.end=1\\x0atime.dt=3: error: time.end: ", 1);
  fails_with(SMALLEST, "time.end=1\n[grid]", "--set time.end=1\\x0a[grid]: error: ", 1);
  fails_with(SMALLEST, "=3", "--set =3: error: expected key=value", 1);
  fails_with(SMALLEST, "", "--set : error: expected key=value", 1);
  fails_with(SMALLEST, "time.end=", "time.end: \"\" is not a number", 1);
  fails_with(SMALLEST, "grid=3", "\"grid\" is a table, not a value", 1);
  fails_with(SMALLEST, "initial.file=\xff", "text must be UTF-8", 1);
  fails_with(SMALLEST, "grid={lengt=3}", "unknown key \"grid.lengt\", did you mean \"grid.length\"?", 1);
}

TRIAD_TEST(required_keys_may_come_from_arguments)
{
  int status;
  triad_case *c = parsed("[equations]\nsolver = \"hd\"\n[initial]\nkind = \"abc\"\n", &status, "grid.n=[4,4,4]",
                         "time.end=0", NULL);
  TRIAD_EQUAL(status, TRIAD_OK, "status");
  triad_case_destroy(&c);
  fails_with("equations.solver = \"hd\"\n", NULL, "case.toml: error: missing required key \"grid.n\" (3 integers, 1 to 1048576)",
             3);
  fails_with("", NULL, "missing required key \"initial.kind\"", 2); /* not every solver asks for grid.n and time.end */
}

TRIAD_TEST(step_is_fixed_or_courant_never_both)
{
  const char *both = "time.dt and time.cfl both fix the time step: give one of them";
  fails_with(SMALLEST "dt = 1e-3\ncfl = 0.5\n", NULL, both, 1);
  triad_case *c = good(SMALLEST "cfl = 0.4\n", "time.dt=1e-3", NULL);
  TRIAD_NEAR(triad_case_real(c, "time.dt"), 1e-3, 0, "dt typed");
  TRIAD_EQUAL(triad_case_given(c, "time.cfl"), 0, "the file's cfl is replaced");
  triad_case_destroy(&c);
  c = good(SMALLEST "dt = 1e-3\n", "time.cfl=0.3", NULL);
  TRIAD_NEAR(triad_case_real(c, "time.dt"), 0, 0, "the file's dt is replaced");
  triad_case_destroy(&c);
  int status;
  c = parsed(SMALLEST, &status, "time.dt=1e-3", "time.cfl=0.3", NULL);
  TRIAD_EQUAL(status, TRIAD_ERR_CASE, "both typed");
  TRIAD_HOLDS(c && strstr(triad_case_errors(c), both), "%s", c ? triad_case_errors(c) : "");
  triad_case_destroy(&c);
}

TRIAD_TEST(keys_that_need_each_other_are_checked)
{
  fails_with(SMALLEST, "initial.kind=file", "initial.kind \"file\" needs initial.file", 1);
  fails_with(SMALLEST, "initial.kind=checkpoint", "initial.kind \"checkpoint\" needs initial.file", 1);
  fails_with(SMALLEST, "forcing.k_range=[3,2]",
             "forcing.k_range: reversed, its lower end 3.0 is above its upper end 2.0", 1);
  fails_with(SMALLEST "[forcing]\nkind = \"random\"\n", "forcing.k_range=[0,0]", "forcing.k_range: holds no mode", 1);
  triad_case *c = good(SMALLEST, "initial.kind=file", "initial.file=ic.h5");
  triad_case_destroy(&c);
}

TRIAD_TEST(a_solver_is_among_whole_names_only)
{
  TRIAD_EQUAL(triad_solver_among("mhd boussinesq", "mhd"), 1, "mhd");
  TRIAD_EQUAL(triad_solver_among("mhd boussinesq", "boussinesq"), 1, "boussinesq");
  TRIAD_EQUAL(triad_solver_among("mhd boussinesq", "hd"), 0, "hd, which ends mhd");
  TRIAD_EQUAL(triad_solver_among("mhd boussinesq", "bous"), 0, "bous");
  TRIAD_EQUAL(triad_solver_among("mhd boussinesq", NULL), 1, "solver not known");
  TRIAD_EQUAL(triad_solver_among(NULL, "hd"), 1, "all");
}

TRIAD_TEST(resolved_case_gives_the_same_values_bit_for_bit)
{
  static const char *const sets[][2] = {
    {"equations.viscosity=1/3", "grid.length=[2pi,pi/7,1e-300]"},
    {"initial.file=a \"b\"\\\t\n\x01 \xcf\x80#.h5", "time.dt=0.1"},
    {"initial.seed=9223372036854775807", "initial.helicity=-0.1"},
    {"parallel.nstreams=auto", "output.series_interval=1e-5"},
    {"output.slices=[\"x = 2pi: u, speed\", \"z=0\"]", "output.slices_interval=0.5"},
    {"output.slices=[]", "output.structure_functions=log"},
    {"forcing={kind=\"abc\", abc=[-0.0, 1e22, 123456789012345678]}", "parallel.reproducible=true"},
  };
  for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
    triad_case *c = good(SMALLEST, sets[i][0], sets[i][1]);
    char *text = resolved(c);
    triad_case *again = good(text, NULL, NULL);
    for (int k = 0; k < c->schema->n; k++) {
      const char *name = c->schema->row[k].key->name;
      const triad_case_slot *a = triad_case_slot_of(c, name), *b = triad_case_slot_of(again, name);
      TRIAD_EQUAL(same_values(c->schema->row[k].key, a, b), 1, name);
      int idle = strcmp(name, "time.cfl") == 0 && a->real[0] > 0 && triad_case_real(c, "time.dt") > 0;
      TRIAD_EQUAL(triad_case_given(again, name), !idle, name);
    }
    free(text);
    triad_case_destroy(&again);
    triad_case_destroy(&c);
  }
}

TRIAD_TEST(resolved_case_tells_the_origin_of_each_value)
{
  triad_case *c = good(SMALLEST, "time.dt=0.001", NULL);
  char *text = resolved(c);
  TRIAD_HOLDS(strstr(text, "\nprecision = \"double\" # default\n"), "%s", text);
  TRIAD_HOLDS(strstr(text, "\n[grid]\nn = [32, 32, 32] # case.toml:4\n"), "%s", text);
  TRIAD_HOLDS(strstr(text, "\ndt = 0.001 # --set\n"), "%s", text);
  TRIAD_HOLDS(strstr(text, "\n# cfl = 0.5 # default, not used: time.dt is given\n"), "%s", text);
  free(text);
  triad_case_destroy(&c);
}

TRIAD_TEST(paths_start_at_the_folder_of_the_case)
{
  static const struct {
    const char *name, *file, *path;
  } known[] = {{"case.toml", "ic.h5", "ic.h5"},
               {"runs/tg/case.toml", "ic.h5", "runs/tg/ic.h5"},
               {"/case.toml", "../ic.h5", "/../ic.h5"},
               {"runs/case.toml", "/data/ic.h5", "/data/ic.h5"}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    char set[64];
    (void)snprintf(set, sizeof set, "initial.file=%s", known[i].file);
    const char *sets[] = {set};
    triad_case *c = NULL;
    TRIAD_CHECK(triad_case_parse(&c, known[i].name, SMALLEST, strlen(SMALLEST), sets, 1));
    char *path = triad_case_path(c, "initial.file");
    assert_string_equal(path, known[i].path);
    free(path);
    triad_case_destroy(&c);
  }
}

TRIAD_TEST(user_text_cannot_write_controls_to_the_terminal)
{
  char quote[TRIAD_QUOTE_SIZE], longest[1000];
  assert_string_equal(triad_quote(quote, "a\x1b[1m\n\x7f", 7), "\"a\\x1b[1m\\x0a\\x7f\"");
  assert_string_equal(triad_quote(quote, "\xc3\xa9\xff", 3), "\"\xc3\xa9\\xff\"");
  assert_string_equal(triad_quote(quote, "", 0), "\"\"");
  for (size_t n = 100; n < 140; n++) { /* around the length at which text is cut */
    memset(longest, 'a', sizeof longest);
    (void)triad_quote(quote, longest, n);
    int cut = strstr(quote, "...\"") != NULL;
    TRIAD_EQUAL(strlen(quote), cut ? TRIAD_QUOTE_SIZE - 6 + 5 : n + 2, "length of the quotation");
  }
  memset(longest, 7, sizeof longest);
  (void)triad_quote(quote, longest, sizeof longest);
  TRIAD_HOLDS(strlen(quote) < TRIAD_QUOTE_SIZE && strstr(quote, "\\x07...\""), "%s", quote);
  fails_with("precision = \"\\u001b[31m\"\n", NULL, "precision: \"\\x1b[31m\" is not one of", 3);
  fails_with("\"\\u001b\" = 1\n", NULL, "unknown key \"\"\\u001b\"\"", 3);
  int status;
  triad_case *c = NULL;
  status = triad_case_parse(&c, "runs/\x1b[31m\n.toml", "x", 1, NULL, 0);
  TRIAD_EQUAL(status, TRIAD_ERR_CASE, "status");
  TRIAD_HOLDS(c && strstr(triad_case_errors(c), "runs/\\x1b[31m\\x0a.toml:1:"), "%s", c ? triad_case_errors(c) : "");
  triad_case_destroy(&c);
}

TRIAD_TEST(suggestions_are_near_or_absent)
{
  static const char *const words[] = {"double", "single"};
  TRIAD_EQUAL(triad_edits("length", "lenght"), 1, "a swap is one edit");
  TRIAD_EQUAL(triad_edits("", "abc"), 3, "insertions");
  TRIAD_EQUAL(triad_edits("kitten", "sitting"), 3, "kitten, sitting");
  TRIAD_EQUAL(triad_edits("Power_Law", "power-law"), 0, "case and dashes");
  TRIAD_EQUAL(triad_nearest("dubble", words, 2), 0, "dubble");
  TRIAD_EQUAL(triad_nearest("quadruple", words, 2), -1, "quadruple");
  TRIAD_EQUAL(triad_nearest("", words, 2), -1, "nothing");
}

TRIAD_TEST(help_and_reference_name_every_key)
{
  char *text = NULL, wanted[128];
  size_t length = 0;
  int count, of_grid = 0;
  FILE *file = open_memstream(&text, &length);
  TRIAD_CHECK(triad_schema_write_reference(file));
  TRIAD_CHECK(triad_schema_write_help(file, "", &count));
  TRIAD_EQUAL(fclose(file), 0, "fclose");
  triad_schema *all;
  TRIAD_CHECK(triad_schema_create(&all, NULL));
  TRIAD_EQUAL(count, all->n, "keys in the help");
  for (int i = 0; i < all->n; i++) {
    const triad_key *key = all->row[i].key;
    (void)snprintf(wanted, sizeof wanted, "\n| `%s` | ", triad_schema_short_name(key));
    TRIAD_HOLDS(strstr(text, wanted), "%s not in the reference", key->name);
    (void)snprintf(wanted, sizeof wanted, "\n%s\n", key->name);
    TRIAD_HOLDS(strstr(text, wanted), "%s not in the help", key->name);
    of_grid += strncmp(key->name, "grid.", 5) == 0;
  }
  triad_schema_destroy(&all);
  free(text);
  file = fopen("/dev/null", "w");
  TRIAD_CHECK(triad_schema_write_help(file, "grid", &count));
  TRIAD_EQUAL(count, of_grid, "keys of grid");
  TRIAD_CHECK(triad_schema_write_help(file, "grid.n", &count));
  TRIAD_EQUAL(count, 3, "grid.n: the common one, that of meshes and that of blocks");
  TRIAD_CHECK(triad_schema_write_help(file, "gri", &count));
  TRIAD_EQUAL(count, 0, "no table gri");
  (void)fclose(file);
}

TRIAD_TEST(case_files_that_are_none_are_refused)
{
  char folder[] = "/tmp/triad-case-XXXXXX", path[64], *text = NULL;
  size_t length = 0;
  assert_non_null(mkdtemp(folder));
  (void)snprintf(path, sizeof path, "%s/case.toml", folder);
  TRIAD_FAILS(triad_case_load_text(path, &text, &length), TRIAD_ERR_INPUT, "case.toml");
  TRIAD_FAILS(triad_case_load_text(folder, &text, &length), TRIAD_ERR_CASE, "directory");
  TRIAD_FAILS(triad_case_load_text("/dev/zero", &text, &length), TRIAD_ERR_CASE, "regular");
  TRIAD_EQUAL(mkfifo(path, 0600), 0, "mkfifo");
  TRIAD_FAILS(triad_case_load_text(path, &text, &length), TRIAD_ERR_CASE, "regular"); /* and does not wait for it */
  (void)unlink(path);
  FILE *file = fopen(path, "w");
  (void)fwrite("a\0b", 1, 3, file);
  (void)fclose(file);
  TRIAD_FAILS(triad_case_load_text(path, &text, &length), TRIAD_ERR_CASE, "NUL");
  file = fopen(path, "w");
  for (int i = 0; i < TRIAD_CASE_MOST_BYTES; i++) (void)fputc('\n', file);
  (void)fclose(file);
  TRIAD_CHECK(triad_case_load_text(path, &text, &length));
  TRIAD_EQUAL(length, TRIAD_CASE_MOST_BYTES, "the longest file");
  TRIAD_EQUAL(text[length], 0, "closing NUL");
  free(text);
  file = fopen(path, "a");
  (void)fputc('\n', file);
  (void)fclose(file);
  TRIAD_FAILS(triad_case_load_text(path, &text, &length), TRIAD_ERR_CASE, "longer");
  TRIAD_HOLDS(text == NULL, "nothing is left behind");
  (void)unlink(path);
  (void)rmdir(folder);
}

/* `unit` repeated: texts that would exhaust a careless parser's stack, memory or time. */
static void hostile(const char *head, const char *unit, size_t times, const char *tail)
{
  size_t step = strlen(unit), length = strlen(head) + times * step + strlen(tail);
  char *text = malloc(length + 1), *at = text;
  assert_non_null(text);
  at = stpcpy(at, head);
  for (size_t i = 0; i < times; i++, at += step) memcpy(at, unit, step);
  (void)strcpy(at, tail);
  int status;
  triad_case *c = parsed(text, &status, NULL, NULL, NULL);
  TRIAD_EQUAL(status, TRIAD_ERR_CASE, unit);
  if (c) TRIAD_HOLDS(strlen(triad_case_errors(c)) < 100000, "%zu bytes of errors", strlen(triad_case_errors(c)));
  triad_case_destroy(&c);
  free(text);
}

TRIAD_TEST(deep_long_and_crowded_texts_only_give_errors)
{
  hostile("a = ", "[", 200000, "");
  hostile("a = ", "{a=", 200000, "");
  hostile("a", ".a", 200000, " = 1\n");
  hostile("[a", ".a", 200000, "]\n");
  hostile("a", ".\"a\"", 100000, " = 1\n");
  hostile("", "[[grid]]\n", 50000, "");
  hostile("[grid]\nn = [", "1,", 300000, "1]\n");
  hostile("a = 1", "0", 500000, "\n");
  hostile("a = 1.", "0", 500000, "e1\n");
  hostile("grid.length = [\"", "1", 500000, "\", 1, 1]\n");
  hostile("", "a", 500000, " = 1\n");
  hostile("a = \"", "\xc3\xa9", 200000, "");
  hostile("a = '''", "\n", 200000, "");
  hostile("", "#", 500000, "");
  hostile("[grid", " ", 500000, "");
  hostile("", "\xff", 1000, "");
  hostile("", "x = \n", 50000, "");
  char *many = malloc(1 << 20), *at = many;
  assert_non_null(many);
  for (int i = 0; i < 60000; i++) at += sprintf(at, "key%d = %d\n", i, i);
  int status;
  triad_case *c = parsed(many, &status, NULL, NULL, NULL);
  TRIAD_EQUAL(status, TRIAD_ERR_CASE, "60000 unknown keys");
  TRIAD_EQUAL(triad_case_error_count(c), 60002, "all are counted");
  TRIAD_HOLDS(strstr(triad_case_errors(c), "60002 errors in case.toml\n"), "the count line");
  triad_case_destroy(&c);
  free(many);
}

/* Mutants of a full case: bytes flipped, pieces cut, doubled and swapped. Only the status is known beforehand. */
TRIAD_TEST(damaged_cases_give_a_case_or_errors)
{
  static const char *const pieces[] = {"[", "]", "{", "}", "\"", "'''", "\"\"\"", "=", ".", "\n", ",", "#", "1e", "-",
                                       "inf", "nan", "\\u0000", "\\", "\xff", "\xef\xbb\xbf", "0x", "[[", "]]", "true",
                                       "1979-05-27T07:32:00Z", "2pi", "9223372036854775808", "\r", "grid", "\"a.b\""};
  char *text = NULL;
  size_t length = 0;
  FILE *file = open_memstream(&text, &length);
  TRIAD_CHECK(triad_schema_write_defaults(file));
  TRIAD_EQUAL(fclose(file), 0, "fclose");
  char *mutant = malloc(2 * length + 1024);
  assert_non_null(mutant);
  int64_t good_ones = 0;
  for (uint64_t i = 0; i < 1500; i++) {
    size_t n = length;
    memcpy(mutant, text, n);
    int64_t damages = 1 + triad_test_below(20, i, 4);
    for (uint64_t j = 0; j < (uint64_t)damages; j++) {
      uint64_t draw = 16 * i + 4 * j;
      size_t at = (size_t)triad_test_below(21, draw, (int64_t)n), run = (size_t)triad_test_below(22, draw, 40);
      const char *piece = pieces[triad_test_below(23, draw, (int64_t)(sizeof pieces / sizeof *pieces))];
      if (run > n - at) run = n - at;
      switch (triad_test_below(24, draw, 4)) {
      case 0: mutant[at] = (char)triad_test_below(25, draw, 256); break;
      case 1:
        memmove(mutant + at, mutant + at + run, n - at - run);
        n -= run;
        break;
      case 2:
        memmove(mutant + at + strlen(piece), mutant + at, n - at);
        memcpy(mutant + at, piece, strlen(piece));
        n += strlen(piece);
        break;
      default:
        memmove(mutant + at + run, mutant + at, n - at);
        n += run;
        break;
      }
      if (n == 0) break;
    }
    triad_case *c = NULL;
    int status = triad_case_parse(&c, "mutant.toml", mutant, n, NULL, 0);
    TRIAD_HOLDS(status == TRIAD_OK || status == TRIAD_ERR_CASE, "status %d", status);
    TRIAD_HOLDS(c && (status == TRIAD_OK) == (triad_case_error_count(c) == 0), "errors and status %d agree", status);
    if (c && status == TRIAD_OK) good_ones++;
    triad_case_destroy(&c);
  }
  TRIAD_HOLDS(good_ones > 0 && good_ones < 1500, "%" PRId64 " of 1500 mutants were good", good_ones);
  free(mutant);
  free(text);
}

/* Does the call in a child process end by abort()? */
static int aborts(void (*call)(const triad_case *), const triad_case *c)
{
  int status = 0;
  (void)fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    int null = open("/dev/null", O_WRONLY);
    (void)dup2(null, 2);
    (void)signal(SIGABRT, SIG_DFL);
    call(c);
    _exit(0);
  }
  (void)waitpid(child, &status, 0);
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

static void unknown_key(const triad_case *c) { (void)triad_case_real(c, "grid.lenght"); }
static void wrong_type(const triad_case *c) { (void)triad_case_integer(c, "time.cfl"); }
static void wrong_count(const triad_case *c) { (void)triad_case_real(c, "grid.length"); }
static void unknown_word(const triad_case *c) { (void)triad_case_is(c, "time.scheme", "rk9"); }
static void right(const triad_case *c) { (void)triad_case_real(c, "time.cfl"); }

TRIAD_TEST(asking_for_what_is_not_in_the_schema_aborts)
{
  triad_case *c = good(SMALLEST, NULL, NULL);
  TRIAD_EQUAL(aborts(unknown_key, c), 1, "unknown key");
  TRIAD_EQUAL(aborts(wrong_type, c), 1, "wrong type");
  TRIAD_EQUAL(aborts(wrong_count, c), 1, "wrong number of values");
  TRIAD_EQUAL(aborts(unknown_word, c), 1, "unknown word");
  TRIAD_EQUAL(aborts(right, c), 0, "a right question");
  triad_case_destroy(&c);
}

/* "KEY WAS>IS;" of each difference. */
static void list(void *who, const char *key, const char *was, const char *is)
{
  char *text = who;
  (void)snprintf(text + strlen(text), 1000 - strlen(text), "%s %s>%s;", key, was, is);
}

static void differ(const char *a, const char *b, const char *expected)
{
  triad_case *was = good(SMALLEST, a, NULL), *is = good(SMALLEST, b, NULL);
  char text[1000] = "";
  TRIAD_CHECK(triad_case_compare(was, is, list, text));
  TRIAD_HOLDS(strcmp(text, expected) == 0, "%s to %s: \"%s\", expected \"%s\"", a ? a : "", b ? b : "", text, expected);
  triad_case_destroy(&was);
  triad_case_destroy(&is);
}

TRIAD_TEST(differences_of_two_cases_are_their_values_not_how_they_are_written)
{
  differ(NULL, NULL, "");
  differ("time.end=1", "time.end=1.0", "");
  differ(NULL, "equations.viscosity=0.25", "equations.viscosity 0.0>0.25;");
  differ("equations.rotation=[0,0,1]", NULL, "equations.rotation [0.0, 0.0, 1.0]>[0.0, 0.0, 0.0];");
  differ("precision=single", "precision=\"double\"", "precision \"single\">\"double\";");
  /* with a fixed step the Courant number says nothing */
  differ(NULL, "time.dt=0.5", "time.cfl 0.5>;time.dt 0.0>0.5;");
}

TRIAD_TEST(keys_that_one_of_two_cases_does_not_have_differ)
{
  triad_case *was = good(SMALLEST, NULL, NULL), *is = good(SMALLEST, "equations.solver=boussinesq", NULL);
  char text[1000] = "";
  TRIAD_CHECK(triad_case_compare(was, is, list, text));
  TRIAD_HOLDS(strstr(text, "equations.buoyancy_frequency >"), "new ones: %s", text);
  TRIAD_HOLDS(strstr(text, "equations.solver \"hd\">\"boussinesq\";"), "the solver: %s", text);
  triad_case_destroy(&was);
  triad_case_destroy(&is);
}

TRIAD_MAIN
