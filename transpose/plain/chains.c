/* Count the results that remain when chains are summed, and compute the wavenumbers that multiply them. */
#include "transpose/chains.h"

#include "base/status.h"
#include "grid/layout_split.h"

#include <stdlib.h>

int triad_chains_left(const triad_chains *chains, int n_out)
{
  for (int u = 0; u < TRIAD_CHAIN_UNITS; u++) n_out -= chains->unit[u].count;
  return n_out;
}

/* `count` chains of a length, whose first results are as far apart as a unit is long; or results in none, one behind
 * the other. */
static triad_chain_run run_of(int length, int count, int first, int joined, const triad_chain_unit *unit)
{
  const int step = unit ? unit->length + unit->alone : 1;
  return (triad_chain_run){length, count, first, step, joined, unit ? step - 1 : 1};
}

int triad_chains_runs(const triad_chains *chains, int n_out, triad_chain_run runs[TRIAD_CHAIN_RUNS])
{
  int n = 0, at = 0, joined = 0;
  for (int i = 0; i < TRIAD_CHAIN_UNITS; i++) {
    const triad_chain_unit *u = &chains->unit[i];
    if (u->count == 0) continue;
    runs[n++] = run_of(u->length, u->count, at, joined, u);
    if (u->alone > 0) {
      const triad_chain_unit *apart = u->count > 1 ? u : NULL;
      runs[n++] = run_of(1, apart ? u->count : u->alone, at + u->length, joined + u->length - 1, apart);
    }
    at += u->count * (u->length + u->alone);
    joined += u->count * (u->length - 1 + u->alone);
  }
  if (n_out > at) runs[n++] = run_of(1, n_out - at, at, joined, NULL);
  return n;
}

int64_t triad_chain_lines(const triad_layout *l)
{
  return l->split ? triad_split_lines(l->split, l->member) : l->grid.kmax[0] + 1;
}

int triad_chain_waves_create(triad_chain_waves *out, const triad_layout *l)
{
  const int64_t lines = triad_chain_lines(l), ny = l->grid.n[1];
  out->x = calloc((size_t)lines + 1, sizeof *out->x);
  out->y = calloc((size_t)ny, sizeof *out->y);
  if (!out->x || !out->y) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "wavenumbers of lines");
  for (int64_t i = 0; i < lines; i++) {
    const int64_t kx = l->split ? l->split->kx_of[l->split->line_begin[l->member] + i] : i;
    out->x[i] = (triad_real)triad_grid_derivative_wavenumber(&l->grid, 0, kx);
  }
  for (int64_t y = 0; y < ny; y++)
    out->y[y] = (triad_real)triad_grid_derivative_wavenumber(&l->grid, 1, 2 * y > ny ? y - ny : y);
  return TRIAD_OK;
}

void triad_chain_waves_destroy(triad_chain_waves *waves)
{
  free(waves->x);
  free(waves->y);
  *waves = (triad_chain_waves){NULL, NULL};
}
