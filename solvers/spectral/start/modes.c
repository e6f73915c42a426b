/* Find a mode on this rank and add modes of a list to vector fields. */
#include "solvers/spectral/start/modes.h"

int64_t triad_modes_place(const triad_layout *l, const int64_t k[3])
{
  int conjugate;
  if (k[0] < 0 || !triad_grid_keeps(&l->grid, k[0], k[1], k[2])) return -1;
  int64_t column = triad_layout_find(l, k[0], k[1], &conjugate);
  int64_t local = triad_layout_local(l, column);
  if (conjugate || local < 0) return -1;
  return triad_layout_place(l, local, triad_layout_kz_number(l, k[2]));
}

void triad_modes_add(const triad_layout *l, const triad_mode *list, int count, triad_cplx *const *u)
{
  for (int i = 0; i < count; i++) {
    int64_t at = triad_modes_place(l, list[i].k);
    for (int c = 0; at >= 0 && c < 3; c++) {
      u[c][at].re += (triad_real)list[i].re[c];
      u[c][at].im += (triad_real)list[i].im[c];
    }
  }
}
