/* Remeshing: the modes of a leaning frame become those of one that leans the other way. */
#include "solvers/spectral/shear/shear_internal.h"

#include "solvers/spectral/plain/spectra.h"
#include "transpose/remap.h"

#include <string.h>

typedef struct shift {
  int64_t turns;
  int n_energy;
} shift;

/* Sum the energy of a column's modes that are not kept after the shift. */
static void add_dropped(const void *self, const triad_flow *flow, int64_t c, triad_sum *sums)
{
  const triad_layout *l = flow->layout;
  const shift *s = self;
  double lost = 0;
  for (int64_t j = 0; j < l->nkz; j++) {
    if (triad_grid_keeps(&l->grid, l->kx[c], l->ky[c] - s->turns * l->kx[c], l->kz[j])) continue;
    for (int f = 0; f < s->n_energy; f++) {
      const triad_cplx u = flow->u[f][triad_layout_place(l, c, j)];
      lost += ((double)u.re * (double)u.re + (double)u.im * (double)u.im) / 2;
    }
  }
  triad_sum_add(sums, l->weight[c] * lost);
}

int triad_shear_remesh(triad_flow *flow, int64_t turns, int n_energy, triad_cplx *const *room, double *dropped)
{
  const shift by = {turns, n_energy};
  const triad_layout *l = flow->layout;
  const int n = flow->shape.n_fields;
  TRIAD_TRY(triad_columns_sum(flow, 1, add_dropped, &by, dropped));
  TRIAD_TRY(triad_remap_leaning(&flow->context->comm, l, flow->u, room, n, turns));
  for (int f = 0; f < n; f++) memcpy(flow->u[f], room[f], (size_t)l->modes * sizeof **flow->u);
  return TRIAD_OK;
}
