/* Modes of gradients for a pass, the nine gradients at points, and means over points. */
#include "solvers/spectral/closure/gradients.h"

#include "solvers/spectral/closure/closure_internal.h"

enum { G = TRIAD_CLOSURE_GRADIENTS };

void triad_closure_slope(const triad_batch *block, int axis, triad_cplx *from, triad_cplx *to)
{
  const triad_layout *l = block->layout;
  const double *w = (axis == 0 ? l->wx : l->wy) + block->block * TRIAD_LANES;
  triad_real k[TRIAD_LANES];
  for (int i = 0; i < TRIAD_LANES; i++) k[i] = (triad_real)w[i];
  for (int64_t j = 0; j < l->nkz; j++) {
    const triad_cplx *a = triad_batch_row(block, from, j);
    triad_cplx *r = triad_batch_row(block, to, j);
    for (int i = 0; axis == 2 && i < TRIAD_LANES; i++) k[i] = (triad_real)l->wz[j];
#pragma GCC ivdep
    for (int i = 0; i < TRIAD_LANES; i++) {
      const triad_cplx value = a[i];
      r[i] = (triad_cplx){-k[i] * value.im, k[i] * value.re};
    }
  }
}

void triad_closure_gradients(const triad_batch *block, int n_fields, triad_cplx *const *u, triad_cplx *const *out)
{
  for (int f = 0, next = 0; f < n_fields; f++)
    for (int axis = 0; axis < 3; axis++)
      if (3 * f + axis != G) triad_closure_slope(block, axis, u[f], out[next++]);
}

void triad_closure_nine(triad_real *const *gradients, int64_t from, int64_t n, triad_real *last,
                        const triad_real *rows[9])
{
  for (int f = 0; f < G; f++) rows[f] = gradients[f] + from;
  for (int64_t i = 0; i < n; i++) last[i] = -(rows[0][i] + rows[4][i]);
  rows[G] = last;
}

void triad_closure_mean(const triad_batch *block, triad_cplx *result, double *mean)
{
  const triad_layout *l = block->layout;
  for (int i = 0; i < TRIAD_LANES; i++) {
    const int64_t c = block->block * TRIAD_LANES + i;
    if (c < l->n_columns && l->kx[c] == 0 && l->ky[c] == 0) *mean += (double)triad_batch_row(block, result, 0)[i].re;
  }
}
