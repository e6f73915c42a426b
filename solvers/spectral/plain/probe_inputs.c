/* List the fields and derivatives that probes need, and compute the quantities of a case from them. */
#include "solvers/spectral/plain/probe_inputs.h"
#include "base/status.h"

#include <math.h>
#include <string.h>

/* The number of an input, which may be new; -1: there is no room. */
static int input_of(triad_probe_inputs *p, int field, int along)
{
  if (along < 0) return field;
  for (int i = p->n_fields; i < p->n; i++)
    if (p->in[i].field == field && p->in[i].along == along) return i;
  if (p->n == TRIAD_PROBE_INPUTS) return -1;
  p->in[p->n] = (triad_probe_input){field, along};
  return p->n++;
}

/* Variables of a quantity are x, y, z, then each field and its derivatives. */
static int input_of_variable(triad_probe_inputs *p, int variable)
{
  return input_of(p, (variable - 3) / 4, (variable - 3) % 4 - 1);
}

int triad_probe_inputs_of(triad_probe_inputs *p, const triad_case *given, const triad_shape *shape)
{
  const char *texts[TRIAD_OWN_QUANTITIES];
  triad_own_names names;
  *p = (triad_probe_inputs){.n_fields = shape->n_fields, .n_told = shape->n_fields};
  const int asked = triad_case_applies(given, "output.probes_quantities")
                      ? triad_case_texts(given, "output.probes_quantities", texts, TRIAD_OWN_QUANTITIES)
                      : 0;
  if (shape->n_fields > TRIAD_PROBE_INPUTS)
    return TRIAD_FAIL(TRIAD_ERR_CASE, "output.probes: more than %d fields: remove some", TRIAD_PROBE_INPUTS);
  for (p->n = 0; p->n < shape->n_fields; p->n++) p->in[p->n] = (triad_probe_input){p->n, -1};
  triad_own_names_of(given, &names);
  for (int i = 0; i < asked; i++)
    for (int own = 0; own < shape->n_own; own++) {
      if (strcmp(names.name[own], texts[i]) != 0) continue;
      p->own[p->n_told++ - p->n_fields] = own;
      for (int v = 0; v < shape->own[own].n; v++)
        if (input_of_variable(p, shape->own[own].variable[v]) < 0)
          return TRIAD_FAIL(TRIAD_ERR_CASE,
                            "output.probes_quantities: more than %d fields and derivatives: remove some",
                            TRIAD_PROBE_INPUTS);
    }
  return TRIAD_OK;
}

enum { ROWS = 3 + TRIAD_QUANTITY_VARIABLES + 1 /* places, variables, values of a quantity */ };

int64_t triad_probe_inputs_room(const triad_probe_inputs *p, int64_t n)
{
  return p->n_told > p->n_fields ? ROWS * n : 0;
}

void triad_probe_inputs_tell(const triad_probe_inputs *p, const triad_shape *shape, const double length[3], int64_t n,
                             const double *x, const double *sums, double *room, double *values)
{
  const double *at[3] = {room, room + n, room + 2 * n}, *components[TRIAD_QUANTITY_VARIABLES];
  double *result = room + (ROWS - 1) * n;
  for (int64_t i = 0; i < n; i++) memcpy(values + i * p->n_told, sums + i * p->n, (size_t)p->n_fields * sizeof *values);
  for (int64_t i = 0; i < 3 * n; i++) room[i % 3 * n + i / 3] = x[i] - length[i % 3] * floor(x[i] / length[i % 3]);
  for (int q = 0; q < p->n_told - p->n_fields; q++) {
    const triad_own_quantity *own = &shape->own[p->own[q]];
    triad_probe_inputs known = *p; /* where all of them are already */
    for (int v = 0; v < own->n; v++) {
      double *row = room + (3 + v) * n;
      const int input = input_of_variable(&known, own->variable[v]);
      for (int64_t i = 0; i < n; i++) row[i] = sums[i * p->n + input];
      components[v] = row;
    }
    triad_own_quantity_row(own, n, at, components, result);
    for (int64_t i = 0; i < n; i++) values[i * p->n_told + p->n_fields + q] = result[i];
  }
}
