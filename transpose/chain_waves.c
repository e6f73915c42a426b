/* Compute the wavenumbers that multiply results of chains (transpose/plain/chains.h). */
#include "transpose/chain_waves.h"

#include "base/status.h"
#include "grid/layout_split.h"

#include <stdlib.h>

int64_t triad_chain_lines(const triad_layout *l)
{
  return l->split ? triad_split_lines(l->split, l->member) : l->grid.kmax[0] + 1;
}

int triad_chain_waves_create(triad_chain_waves *out, const triad_layout *l)
{
  const int64_t lines = triad_chain_lines(l), ny = l->grid.n[1];
  out->x = calloc((size_t)lines + 1, sizeof *out->x);
  out->y = calloc((size_t)ny, sizeof *out->y);
  out->divisor = calloc((size_t)lines + 1, sizeof *out->divisor);
  if (!out->x || !out->y || !out->divisor) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "wavenumbers of lines");
  for (int64_t i = 0; i < lines; i++) {
    const int64_t kx = l->split ? l->split->kx_of[l->split->line_begin[l->member] + i] : i;
    out->x[i] = (triad_real)triad_grid_derivative_wavenumber(&l->grid, 0, kx);
    out->divisor[i] = out->x[i] != 0 ? out->x[i] : 1;
  }
  for (int64_t y = 0; y < ny; y++)
    out->y[y] = (triad_real)triad_grid_derivative_wavenumber(&l->grid, 1, 2 * y > ny ? y - ny : y);
  return TRIAD_OK;
}

void triad_chain_waves_destroy(triad_chain_waves *waves)
{
  free(waves->x);
  free(waves->y);
  free(waves->divisor);
  *waves = (triad_chain_waves){NULL, NULL, NULL};
}
