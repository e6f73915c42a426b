/* Fields and derivatives in a batch of columns, as inputs of a pass. */
#include "solvers/spectral/measure/point_sums.h"
#include "fft/pass/transform.h"

#include <string.h>

/* to += sign (i k_along) f, row by row */
static void add_term(const triad_flow *flow, const triad_batch *b, const triad_quantity_term *t, triad_cplx *rows)
{
  const triad_layout *l = b->layout;
  const triad_cplx *f = flow->u[t->field] + b->block * l->nkz * TRIAD_LANES;
  for (int64_t j = 0; j < l->nkz; j++, f += TRIAD_LANES) {
    triad_cplx *row = triad_batch_row(b, rows, j);
    for (int64_t i = 0; i < TRIAD_LANES; i++) {
      const int64_t c = b->block * TRIAD_LANES + i;
      const double k = t->sign * (t->along == 0 ? l->wx[c] : t->along == 1 ? l->wy[c] : l->wz[j]);
      row[i].re += (triad_real)(-k * (double)f[i].im);
      row[i].im += (triad_real)(k * (double)f[i].re);
    }
  }
}

void triad_point_inputs(const triad_flow *flow, const triad_point_job *job, const triad_batch *b, triad_cplx *const *in)
{
  for (int f = 0; f < job->n_in; f++) {
    const triad_point_input *input = &job->in[f];
    if (input->term[0].along < 0) {
      triad_batch_put(b, flow->u[input->term[0].field], in[f]);
      continue;
    }
    for (int64_t j = 0; j < b->layout->nkz; j++)
      memset(triad_batch_row(b, in[f], j), 0, TRIAD_LANES * sizeof(triad_cplx));
    for (int t = 0; t < input->n; t++) add_term(flow, b, &input->term[t], in[f]);
  }
}
