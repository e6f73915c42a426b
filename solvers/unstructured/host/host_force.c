/* Evaluate acceleration and heating by formula in cells, and add them to state and values. */
#include "solvers/unstructured/host/host_force.h"

void triad_unstructured_host_sources(triad_unstructured_flow *f, double t)
{
  const triad_unstructured_numbers *value = &f->view.value;
  const int64_t cells = f->domain->n_cells;
#pragma omp parallel for schedule(static) num_threads(f->context->threads)
  for (int64_t first = 0; first < cells; first += TRIAD_GAS_FORMULA_ROW) {
    const int n = cells - first < TRIAD_GAS_FORMULA_ROW ? (int)(cells - first) : TRIAD_GAS_FORMULA_ROW;
    triad_gas_formula_row variable[TRIAD_GAS_FORMULA_VARIABLES], source[TRIAD_GAS_FORMULA_SOURCES];
    for (int i = 0; i < n; i++) {
      double x[3];
      triad_unstructured_domain_centre(f->domain, first + i, x);
      for (int a = 0; a < 3; a++) variable[a][i] = x[a];
      variable[3][i] = t;
      for (int k = 0; k < TRIAD_UNSTRUCTURED_FIELDS; k++)
        variable[4 + k][i] = (double)value->at[k * value->pitch + first + i];
    }
    triad_gas_formulas_row(f->formulas, n, variable, source);
    for (int i = 0; i < n; i++)
      for (int k = 0; k < TRIAD_GAS_FORMULA_SOURCES; k++) f->source[first + i][k] = source[k][i];
  }
}

/* last: the state of a cell; else its values, which leave the state as it is. */
static void push_cell(const triad_unstructured_flow *f, int64_t c, double dt, int last, triad_sum sums[5])
{
  const triad_unstructured_view *v = &f->view;
  triad_real u[TRIAD_UNSTRUCTURED_FIELDS], q[TRIAD_UNSTRUCTURED_VALUES];
  if (last) triad_unstructured_load(&v->u, c, TRIAD_UNSTRUCTURED_FIELDS, u);
  else {
    triad_unstructured_load(&v->value, c, TRIAD_UNSTRUCTURED_VALUES, q);
    triad_gas_values_conserved(&v->gas, q, u);
  }
  for (int k = 1; k < TRIAD_UNSTRUCTURED_FIELDS; k++) {
    const triad_real before = u[k];
    u[k] += (triad_real)(dt * f->source[c][k - 1]);
    if (last) triad_sum_add(&sums[k], ((double)u[k] - (double)before) / (double)v->per_volume[c]);
  }
  if (last) triad_unstructured_store(&v->u, c, TRIAD_UNSTRUCTURED_FIELDS, u);
  triad_unstructured_set_value(v, c, u);
}

void triad_unstructured_host_push(triad_unstructured_flow *f, double dt, int last, triad_sum sums[5])
{
  int64_t bad = f->bad;
#pragma omp parallel num_threads(f->context->threads) reduction(max : bad)
  {
    triad_sum mine[5];
    for (int k = 0; k < 5; k++) triad_sum_clear(&mine[k]);
#pragma omp for schedule(static)
    for (int64_t c = 0; c < f->domain->n_cells; c++) {
      push_cell(f, c, dt, last, mine);
      if (!triad_unstructured_holds_gas(&f->view, c) && c > bad) bad = c;
    }
#pragma omp critical(triad_unstructured_push)
    for (int k = 0; k < 5 && last; k++) triad_sum_merge(&sums[k], &mine[k]);
  }
  f->bad = bad;
}
