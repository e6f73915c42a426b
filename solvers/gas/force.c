/* Evaluate accelerations and heating by formula for rows of cells, and report the first value that is not finite. */
#include "solvers/gas/force.h"
#include "solvers/gas/keys.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DENSITY = 4, VELOCITY = 5, HEAT = 3 };

struct triad_gas_formulas {
  triad_formula *f[TRIAD_GAS_FORMULAS]; /* NULL: 0 */
  int bad; /* the first formula, from 1, with a value that is not finite; 0: all are finite */
  double bad_value, bad_at[4];
};

int triad_gas_formulas_create(triad_gas_formulas **out, const triad_case *given)
{
  *out = NULL;
  if (!triad_case_is(given, "forcing.kind", "formula")) return TRIAD_OK;
  triad_gas_formulas *p = *out = calloc(1, sizeof *p);
  int st = p ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the forcing");
  for (int i = 0; i < TRIAD_GAS_FORMULAS && st == TRIAD_OK; i++)
    st = triad_case_formula(given, triad_gas_force_keys[i], 0, &p->f[i]);
  return st;
}

void triad_gas_formulas_destroy(triad_gas_formulas **formulas)
{
  for (int i = 0; *formulas && i < TRIAD_GAS_FORMULAS; i++) triad_formula_destroy(&(*formulas)->f[i]);
  free(*formulas);
  *formulas = NULL;
}

/* The first value of this rank that is not finite, in a cell whose state is. */
static void note_bad(triad_gas_formulas *p, int formula, int n, triad_gas_formula_row *v, const double *value)
{
  for (int i = 0; i < n; i++) {
    int good = isfinite(value[i]);
    for (int k = DENSITY; !good && k < TRIAD_GAS_FORMULA_VARIABLES; k++) good = !isfinite(v[k][i]);
    if (good) continue;
#pragma omp critical(triad_gas_formulas)
    if (!p->bad) {
      p->bad = formula + 1;
      p->bad_value = value[i];
      for (int k = 0; k < 4; k++) p->bad_at[k] = v[k][i];
    }
    return;
  }
}

void triad_gas_formulas_row(triad_gas_formulas *p, int n, triad_gas_formula_row v[TRIAD_GAS_FORMULA_VARIABLES],
                            triad_gas_formula_row source[TRIAD_GAS_FORMULA_SOURCES])
{
  const double *variable[TRIAD_GAS_FORMULA_VARIABLES];
  for (int k = 0; k < TRIAD_GAS_FORMULA_VARIABLES; k++) variable[k] = v[k];
  for (int k = 0; k < TRIAD_GAS_FORMULAS; k++) {
    if (p->f[k]) triad_formula_rows(p->f[k], n, variable, source[k]);
    else memset(source[k], 0, (size_t)n * sizeof *source[k]);
    if (p->f[k]) note_bad(p, k, n, v, source[k]);
  }
  for (int a = 0; a < 3; a++)
    for (int i = 0; i < n; i++) {
      source[a][i] *= v[DENSITY][i];
      source[HEAT][i] += v[VELOCITY + a][i] * source[a][i];
    }
}

int triad_gas_formulas_check(triad_gas_formulas *p, const triad_comm *comm)
{
  if (!p) return TRIAD_OK;
  const int bad = p->bad;
  p->bad = 0;
  return triad_agree(comm,
                     bad ? TRIAD_FAIL(TRIAD_ERR_CASE, "%s is %s at x = %g, y = %g, z = %g, t = %g, but must be finite",
                                      triad_gas_force_keys[bad - 1], isnan(p->bad_value) ? "not a number" : "infinite",
                                      p->bad_at[0], p->bad_at[1], p->bad_at[2], p->bad_at[3])
                         : TRIAD_OK);
}
