/* Formulas taken apart: into terms of points times terms of time, and what few variables decide.   ranks: 1 */
#include "test.h"

#include "case/case_internal.h"
#include "case/formula/formula.h"
#include "case/formula/formula_split.h"

/* The sum of terms is the formula, as far as 12 roundings let it; -1: it is no sum of terms. */
TRIAD_TEST(formulas_split_into_what_is_of_points_and_what_is_of_time)
{
  static const char *const variable[] = {"x", "y", "z", "t", "u", "v", NULL};
  static const struct {
    const char *text;
    int n;
  } cases[] = {{"sin(x)*cos(y)", 1},
               {"exp(t)", 1},
               {"3", 1},
               {"2*u", 1},
               {"sin(x)*cos(3*t)*2", 1},
               {"x*t + y*t", 1},
               {"sin(2*x - 3*t + 1)", 2},
               {"cos(t - y*z)", 2},
               {"(x + t)^2", 3},
               {"-(x - t)*u", -1},
               {"(x + 1)/(t + 2)", 1},
               {"-u*t/2 + v", 2},
               {"u*x", -1},
               {"u*v", -1},
               {"sin(u)", -1},
               {"sin(x*t)", -1},
               {"max(x, t)", -1},
               {"x^t", -1},
               {"1/(x + t)", -1},
               {"sin(x)*min(t, 1) + if(t < 2, 1, 0)*y", 2},
               {"(x+t)*(y+t)*(z+t)*(x-t)*(y-t)", -1},
               {"noise(3)*t", 1},
               {"noise(t)", -1},
               {"u/(1 + t)^2", 1},
               {"1/u", -1},
               {"x*t - x*t", 2}};
  static const triad_formula_scope scope = {variable, 0, NULL, NULL, NULL};
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
                      !(term[k].time && v != 3 && triad_formula_uses(term[k].time, v)),
                    "%s: variable %d is in it", cases[i].text, v);
      sum += space * time * (term[k].field < 0 ? 1 : at[term[k].field]);
    }
    if (n > 0) TRIAD_WITHIN(sum, whole, 12 * 2.3e-16 * 4, cases[i].text);
    triad_formula_terms_free(term, n);
    triad_formula_destroy(&formula);
  }
}

/* A formula without what it has of x and t alone is the formula, to the bit; and what is left has no more of it, but
 * for single variables and where there are too many parts. */
TRIAD_TEST(what_few_variables_decide_is_taken_out_of_a_formula)
{
  static const char *const variable[] = {"x", "y", "z", "t", "u", "v", NULL};
  static const struct {
    const char *text;
    int n, left;
  } cases[] = {{"sin(x)*u", 1, 0},
               {"sin(x) + u*cos(x - 2*t)", 2, 0},
               {"u*v", 0, 0},
               {"x*u", 0, 1},
               {"2*x*u", 1, 0},
               {"exp(-t)*sin(y)", 1, 0},
               {"cos(x)", 1, 0},
               {"if(x > 1, u, exp(x))", 2, 0},
               {"u*(x + y)*(x + t)", 1, 1},
               {"(2*x+u)*(3*x+u)*(4*x+u)*(5*x+u)*(6*x+u)*(7*x+u)*(8*x+u)*(9*x+u)*(10*x+u)*(11*x+u)", 8, 1}};
  static const triad_formula_scope scope = {variable, 0, NULL, NULL, NULL};
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
      for (int v = 0; v < 6; v++)
        TRIAD_HOLDS(v == 0 || v == 3 || !triad_formula_uses(part[k], v), "%s has variable %d", cases[i].text, v);
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
  static const char *const form[] = {"(|+|)",    "(|-|)",       "(|*|)",    "|*|",         "(-|)",
                                     "sin(|)",   "cos(|)",      "(|)^2",    "(|/(3+|^2))", "exp(-(|)^2)",
                                     "min(|,|)", "if(|>0,|,|)", "noise(|)", "(|)^3"};
  const char *way = levels > 0 ? form[draw(sizeof form / sizeof *form)] : leaf[draw(sizeof leaf / sizeof *leaf)];
  for (; *way && strlen(text) + 2 < size; way++) {
    if (*way == '|') write_random(text, size, levels - 1 - draw(2));
    else (void)strncat(text, way, 1);
  }
}

/* Two thousand expressions, of which some are sums of terms: these are the value to rounding of their sizes, and
 * what is left without parts of x and t is it to the bit, infinite or no number as it may be. */
TRIAD_TEST(random_formulas_are_split_and_taken_apart_without_change)
{
  static const char *const variable[] = {"x", "y", "z", "t", "u", "v", NULL};
  static const triad_formula_scope scope = {variable, 0, NULL, NULL, NULL};
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
    TRIAD_HOLDS((isnan(after) && isnan(whole)) || !(after < whole || after > whole), "%s: %.17g, before %.17g", text,
                after, whole);
    taken_out += n > 0;
    for (int k = 0; k < n; k++) triad_formula_destroy(&part[k]);
    triad_formula_destroy(&formula);
  }
  TRIAD_HOLDS(compiled > 1500 && split > 100 && taken_out > 300, "%d compiled, %d of several terms, %d taken apart",
              compiled, split, taken_out);
}

/* x t squared forty times over: a program of 2^40 steps is none. */
TRIAD_TEST(a_split_ends_where_a_formula_is_hostile)
{
  static const char *const variable[] = {"x", "y", "z", "t", NULL};
  static const triad_formula_scope scope = {variable, 0, NULL, NULL, NULL};
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

TRIAD_MAIN
