/* Describe each quantity as components of fields and derivatives, and combine them at a point. */
#include "solvers/spectral/plain/quantity.h"
#include "base/status.h"
#include "solvers/spectral/part.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STRAINS = 6 };

static int is_of_strain(int kind)
{
  return kind == TRIAD_SPECTRAL_STRAIN || kind == TRIAD_SPECTRAL_DISSIPATION || kind == TRIAD_SPECTRAL_Q;
}

triad_quantity_way triad_quantity_way_of(int kind)
{
  switch (kind) {
  case TRIAD_QUANTITY_NORM:
  case TRIAD_QUANTITY_CURL_NORM:
  case TRIAD_SPECTRAL_STRAIN: return TRIAD_QUANTITY_ROOT;
  case TRIAD_SPECTRAL_DENSITY:
  case TRIAD_SPECTRAL_DISSIPATION:
  case TRIAD_SPECTRAL_Q: return TRIAD_QUANTITY_SQUARES;
  case TRIAD_SPECTRAL_PHASE: return TRIAD_QUANTITY_ANGLE;
  case TRIAD_QUANTITY_FORMULA: return TRIAD_QUANTITY_OF_FORMULA;
  case TRIAD_SPECTRAL_HELICITY: return TRIAD_QUANTITY_PRODUCT;
  default: return TRIAD_QUANTITY_IS;
  }
}

/* Q of the six of S, then the three of the curl; helicity of the curl, then u. */
int triad_quantity_components(int kind)
{
  switch (kind) {
  case TRIAD_QUANTITY_NORM:
  case TRIAD_QUANTITY_CURL_NORM: return 3;
  case TRIAD_SPECTRAL_DENSITY:
  case TRIAD_SPECTRAL_PHASE: return 2;
  case TRIAD_SPECTRAL_STRAIN:
  case TRIAD_SPECTRAL_DISSIPATION: return STRAINS;
  case TRIAD_SPECTRAL_Q: return STRAINS + 3;
  case TRIAD_SPECTRAL_HELICITY: return 6;
  default: return 1;
  }
}

int triad_quantity_parts(const triad_shape *shape, const triad_slice_quantity *q)
{
  return q->kind == TRIAD_QUANTITY_FORMULA ? shape->own[q->component].n : triad_quantity_components(q->kind);
}

/* Off the diagonal S counts twice; S:S = sum_i S_ii^2 + 2 (S_xy^2 + ..). */
double triad_quantity_weight(const triad_shape *shape, int kind, int i)
{
  if (!is_of_strain(kind)) return 1;
  if (i >= STRAINS) return 0.25;
  const double scale = kind == TRIAD_SPECTRAL_Q ? -0.5 : kind == TRIAD_SPECTRAL_DISSIPATION ? 2 * shape->viscosity : 2;
  return scale * (i < 3 ? 1 : 2);
}

static int field_of(const triad_shape *shape, const char *name)
{
  const int found = triad_field_find(shape->fields, shape->n_fields, name);
  int number = 0, used = 0;
  if (found >= 0 || sscanf(name, "field%d%n", &number, &used) != 1 || name[used]) return found;
  return number >= 1 && number <= shape->n_fields ? number - 1 : -1; /* fields that the case names, by number */
}

/* Fields of a quantity that is made of a vector or of a complex field, q->field and what follows; 1: of one field
 * alone. */
static int parts_of(int kind)
{
  int vector = kind == TRIAD_QUANTITY_CURL || is_of_strain(kind) || kind == TRIAD_SPECTRAL_HELICITY;
  return vector ? 3 : triad_quantity_components(kind);
}

/* S_ij of a vector whose first field is `first`; i = 0, 1, 2: the diagonal, then xy, yz, zx. */
static int strain_terms(int first, int i, triad_quantity_term out[TRIAD_QUANTITY_TERMS])
{
  int a = i % 3, b = i < 3 ? a : (a + 1) % 3;
  out[0] = (triad_quantity_term){first + a, b, i < 3 ? 1 : 0.5};
  out[1] = (triad_quantity_term){first + b, a, 0.5};
  return i < 3 ? 1 : 2;
}

/* (curl f)_c = d_a f_b - d_b f_a with c, a, b in cyclic order. */
int triad_quantity_terms(const triad_shape *shape, const triad_slice_quantity *q, int i,
                         triad_quantity_term out[TRIAD_QUANTITY_TERMS])
{
  if (q->kind == TRIAD_QUANTITY_FORMULA) {
    const int v = shape->own[q->component].variable[i] - 3;
    out[0] = (triad_quantity_term){v / 4, v % 4 - 1, 1};
    return 1;
  }
  int first = field_of(shape, q->field), curl = q->kind == TRIAD_QUANTITY_CURL || q->kind == TRIAD_QUANTITY_CURL_NORM;
  if (q->kind == TRIAD_SPECTRAL_PRESSURE) first = shape->n_fields;
  if (is_of_strain(q->kind)) {
    if (i < STRAINS) return strain_terms(first, i, out);
    curl = 1;
    i -= STRAINS;
  }
  if (q->kind == TRIAD_SPECTRAL_HELICITY) {
    curl = i < 3;
    i %= 3;
  }
  if (!curl) {
    out[0] = (triad_quantity_term){first + i, -1, 1};
    return 1;
  }
  int c = q->kind == TRIAD_QUANTITY_CURL ? q->component : i, a = (c + 1) % 3, b = (c + 2) % 3;
  out[0] = (triad_quantity_term){first + b, a, 1};
  out[1] = (triad_quantity_term){first + a, b, -1};
  return 2;
}

int triad_quantity_check(const triad_shape *shape, const triad_slice_quantity *q, const char *key)
{
  if (q->kind == TRIAD_QUANTITY_FORMULA) return TRIAD_OK;
  int f = field_of(shape, q->field), parts = parts_of(q->kind);
  if (f < 0) return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: this case has no field %s to show", key, q->field);
  if (parts > 1 && triad_field_group_at(shape->fields, shape->n_fields, f).n != parts)
    return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "%s: %s requires the %d components that start with field %s", key, q->name,
                      parts, q->field);
  return TRIAD_OK;
}

/* ---- the case's own ---- */

int triad_own_quantities_make(triad_shape *shape, const triad_case *given)
{
  triad_own_names names;
  triad_own_names_of(given, &names);
  if (names.n == 0) return TRIAD_OK;
  shape->own = calloc((size_t)names.n, sizeof *shape->own);
  if (!shape->own) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the quantities of a case");
  for (shape->n_own = 0; shape->n_own < names.n;) {
    triad_own_quantity *own = &shape->own[shape->n_own];
    char key[TRIAD_OWN_KEY];
    own->name = names.name[shape->n_own];
    TRIAD_TRY(triad_case_formula(given, triad_own_key(shape->n_own++, ".formula", key), 0, &own->formula));
    for (int v = 3; v < 3 + TRIAD_QUANTITY_VARIABLES; v++)
      if (triad_formula_uses(own->formula, v)) own->variable[own->n++] = v;
  }
  return TRIAD_OK;
}

void triad_own_quantities_free(triad_own_quantity *own, int n)
{
  for (int i = 0; i < n; i++) triad_formula_destroy(&own[i].formula);
  free(own);
}

void triad_own_quantity_row(const triad_own_quantity *own, int64_t n, const double *const at[3],
                            const double *const *components, double *out)
{
  const double *variable[3 + TRIAD_QUANTITY_VARIABLES] = {at[0], at[1], at[2]};
  for (int i = 0; i < own->n; i++) variable[own->variable[i]] = components[i];
  triad_formula_rows(own->formula, n, variable, out);
}

void triad_own_quantity_warn(triad_own_quantity *own, triad_quantity_output output, triad_log *log,
                             const triad_own_bad *bad, int64_t step, double t)
{
  static const char *const what[TRIAD_QUANTITY_OUTPUTS] = {"files that show it", "slices that show it",
                                                           "rows of probes.csv"};
  if (!log || bad->count == 0 || own->warned[output]) return;
  own->warned[output] = 1;
  triad_log_warning(log,
                    "output.quantities: %s is %s at x = %g, y = %g, z = %g (%s), and not finite at %" PRId64
                    " of %" PRId64 " points, at step %" PRId64 ", t = %g: so are %s",
                    own->name, bad->is_nan ? "not a number" : "infinite", bad->at[0], bad->at[1], bad->at[2],
                    bad->where, bad->count, bad->all, step, t, what[output]);
}
