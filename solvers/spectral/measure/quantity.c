#include "solvers/spectral/measure/quantity.h"
#include "base/status.h"
#include "solvers/spectral/part.h"

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
  return triad_field_find(shape->fields, shape->n_fields, name);
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
  int f = field_of(shape, q->field), parts = parts_of(q->kind);
  if (f < 0) return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: this case has no field %s to show", key, q->field);
  if (parts > 1 && triad_field_group_at(shape->fields, shape->n_fields, f).n != parts)
    return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "%s: %s wants the %d parts that begin with field %s", key, q->name, parts,
                      q->field);
  return TRIAD_OK;
}
