/* Evaluate the formulas of a case at the points of the grid, plane by plane, and transform them to modes: one key
 * per field, passive scalars in a list. */
#include "solvers/spectral/start/initial_formula.h"
#include "solvers/spectral/start/points.h"

#include "solvers/box/formulas.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Is it a part of the wave function, which cases give in units of the square root of the density? */
static int is_wave(const triad_field_info *field)
{
  return field->role == TRIAD_ROLE_REAL || field->role == TRIAD_ROLE_IMAGINARY;
}

static int fill_planes(void *who, const triad_flow *flow, const triad_space *points, int field, triad_real *planes)
{
  const triad_context *context = flow->context;
  const char *name = flow->shape.fields[field].name;
  char key[64];
  int number = 0;
  (void)who;
  (void)snprintf(key, sizeof key, "initial.%s", name);
  if (strncmp(name, "scalar", 6) == 0) {
    number = (int)strtol(name + 6, NULL, 10) - 1;
    (void)snprintf(key, sizeof key, "initial.scalars");
  }
  if (triad_case_applies(flow->given, "initial.fields")) { /* one list for all fields */
    number = field;
    (void)snprintf(key, sizeof key, "initial.fields");
  }
  TRIAD_TRY(triad_agree(&context->comm, triad_formulas_fill(context, flow->given, points, key, number, planes)));
  if (!is_wave(&flow->shape.fields[field])) return TRIAD_OK;
  const triad_real unit = (triad_real)sqrt(triad_case_real(flow->given, "equations.density"));
  for (int64_t i = 0; i < points->memory; i++) planes[i] *= unit;
  return TRIAD_OK;
}

int triad_initial_from_formulas(triad_flow *flow, triad_log *log)
{
  triad_context *context = flow->context;
  const int n = flow->shape.n_fields;
  int *list = NULL;
  double dropped = 0;
  TRIAD_TRY(triad_agree(&context->comm, TRIAD_ALLOC(context->memory, "initial field", n, &list)));
  for (int f = 0; f < n; f++) list[f] = f;
  int st = triad_points_start(flow, flow->grid.n, list, n, fill_planes, NULL, log, &dropped);
  TRIAD_FREE(context->memory, &list);
  if (st != TRIAD_OK) return st;
  if (!isfinite(dropped)) return triad_points_overflow(&context->comm, "modes outside the grid");
  if (dropped > 256 * (double)TRIAD_EPSILON * (double)TRIAD_EPSILON) /* not by rounding alone */
    triad_log_info(log, "  energy %.6g of the formulas is in modes outside the grid and is dropped", dropped);
  return TRIAD_OK;
}
