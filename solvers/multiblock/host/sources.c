/* Evaluate acceleration and heating by formula, row by row of a part along i. */
#include "solvers/multiblock/host/sources.h"

/* n cells from place `at` on. */
static void find_row(triad_multiblock_flow *f, double t, int64_t at, int n)
{
  triad_gas_formula_row variable[TRIAD_GAS_FORMULA_VARIABLES], source[TRIAD_GAS_FORMULA_SOURCES];
  for (int i = 0; i < n; i++) {
    for (int a = 0; a < 3; a++) variable[a][i] = f->centre[a][at + i];
    variable[3][i] = t;
    for (int m = 0; m < TRIAD_MULTIBLOCK_FIELDS; m++) variable[4 + m][i] = (double)f->q[m][at + i];
  }
  triad_gas_formulas_row(f->formulas, n, variable, source);
  for (int m = 0; m < TRIAD_GAS_FORMULA_SOURCES; m++)
    for (int i = 0; i < n; i++) f->source[1 + m][at + i] = (triad_real)(source[m][i] * (double)f->volume[at + i]);
}

void triad_multiblock_find_sources(triad_multiblock_flow *f, double t)
{
  for (int i = 0; i < f->n_parts; i++) {
    const triad_zone_part *p = f->part[i];
#pragma omp parallel for schedule(static) num_threads(f->context->threads)
    for (int64_t row = 0; row < p->n[1] * p->n[2]; row++)
      for (int64_t x = 0; x < p->n[0]; x += TRIAD_GAS_FORMULA_ROW) {
        const int64_t c[3] = {p->low[0] + x, p->low[1] + row % p->n[1], p->low[2] + row / p->n[1]}, left = p->n[0] - x;
        find_row(f, t, triad_zone_part_at(p, c), left < TRIAD_GAS_FORMULA_ROW ? (int)left : TRIAD_GAS_FORMULA_ROW);
      }
  }
}
