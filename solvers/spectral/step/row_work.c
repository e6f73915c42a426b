#include "solvers/spectral/step/row_work.h"

int triad_row_work_create(triad_row_work **out, const triad_flow *flow)
{
  triad_memory *m = flow->context->memory;
  int most_in, most_out;
  triad_shape_most(&flow->shape, &most_in, &most_out);
  TRIAD_TRY(TRIAD_TAKE(m, "rows", flow->context->threads, out));
  for (int t = 0; t < flow->context->threads; t++) {
    triad_row_work *r = &(*out)[t];
    TRIAD_TRY(TRIAD_TAKE(m, "rows", flow->shape.n_fields, &r->u));
    TRIAD_TRY(TRIAD_TAKE(m, "rows", most_out, &r->results));
    TRIAD_TRY(TRIAD_TAKE(m, "rows", flow->shape.n_fields, &r->rates));
  }
  return TRIAD_OK;
}

void triad_row_work_destroy(triad_row_work **rows, const triad_flow *flow)
{
  triad_memory *m = flow->context->memory;
  for (int t = 0; *rows && t < flow->context->threads; t++) {
    TRIAD_GIVE(m, &(*rows)[t].u);
    TRIAD_GIVE(m, &(*rows)[t].results);
    TRIAD_GIVE(m, &(*rows)[t].rates);
  }
  TRIAD_GIVE(m, rows);
}

int64_t triad_row_work_find(triad_row_work *rows, const triad_flow *flow, const triad_batch *block, int64_t j, int n,
                        triad_cplx *const *results)
{
  int64_t at = (block->block * block->layout->nkz + j) * TRIAD_LANES;
  for (int f = 0; f < flow->shape.n_fields; f++) rows->u[f] = flow->u[f] + at;
  for (int p = 0; p < n; p++) rows->results[p] = triad_batch_row(block, results[p], j);
  return at;
}
