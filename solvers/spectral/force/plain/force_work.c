/* Find what formulas of a force are made of: functions of position and time, fields, or neither. */
#include "solvers/spectral/force/plain/force_work.h"
#include "solvers/spectral/force/plain/force_key.h"
#include "base/status.h"
#include "case/formula/formula_split.h"

/* What becomes of formula number i of a key, or'ed to *work; nothing: there is none. */
static int add_work_of(const triad_case *given, const char *key, int i, int *work)
{
  triad_formula_term terms[TRIAD_FORMULA_TERMS];
  triad_formula *f = NULL;
  int n = 0;
  TRIAD_TRY(triad_case_formula(given, key, i, &f));
  if (!f) return TRIAD_OK;
  int st = triad_formula_split(f, terms, &n);
  if (st == TRIAD_OK) *work |= n == 0 ? TRIAD_FORCE_AT_POINTS : TRIAD_FORCE_OF_POINTS;
  for (int k = 0; k < n; k++)
    if (terms[k].field >= 0) *work |= TRIAD_FORCE_OF_FIELDS;
  triad_formula_terms_free(terms, n);
  triad_formula_destroy(&f);
  return st;
}

int triad_force_work(const triad_case *given, int *work)
{
  static const char *const keys[] = {"forcing.u",  "forcing.v",  "forcing.w",  "forcing.theta",
                                     "forcing.bx", "forcing.by", "forcing.bz", "forcing.scalars"};
  const char *texts[1000];
  int at_points = 0;
  *work = 0;
  if (!triad_case_is(given, "forcing.kind", "formula")) return TRIAD_OK;
  for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
    const int n = !triad_case_applies(given, keys[k]) ? 0 : k == 7 ? triad_case_texts(given, keys[k], texts, 1000) : 1;
    for (int i = 0; i < n; i++) {
      int of_one = 0;
      TRIAD_TRY(add_work_of(given, keys[k], i, &of_one));
      *work |= of_one;
      at_points += (of_one & TRIAD_FORCE_AT_POINTS) != 0;
    }
  }
  if (at_points > TRIAD_FORCE_KERNELS_TAKE) *work |= TRIAD_FORCE_BEYOND_KERNELS;
  return TRIAD_OK;
}

int triad_force_results(const triad_case *given, const triad_shape *shape, int *n)
{
  char key[TRIAD_FORCE_KEY];
  *n = 0;
  if (!triad_case_is(given, "forcing.kind", "formula")) return TRIAD_OK;
  for (int i = 0; i < shape->n_fields; i++) {
    int work = 0;
    const int number = triad_force_key(shape->fields[i].name, key);
    TRIAD_TRY(add_work_of(given, key, number, &work));
    *n += (work & TRIAD_FORCE_AT_POINTS) != 0;
  }
  return TRIAD_OK;
}
