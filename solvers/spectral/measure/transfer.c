/* Compute transfers and fluxes from the rates of one evaluation of the nonlinear terms. */
#include "solvers/spectral/measure/transfer.h"
#include "solvers/spectral/measure/loops.h"
#include "fft/pass/transform.h"
#include "solvers/spectral/closure/closure.h"
#include "parallel/sum.h"
#include "solvers/spectral/step/stepper.h"
#include "solvers/spectral/step/evaluate.h"
#include "grid/shells.h"

#include <omp.h>
#include <string.h>

/* Sums of a thread: [transfer][shell], then for each field the squares that round-off is measured by. */
enum { SQUARE = TRIAD_TRANSFER_SQUARE, GRADIENT = TRIAD_TRANSFER_GRADIENT, SQUARES = TRIAD_TRANSFER_SQUARES };

typedef struct evaluation {
  triad_evaluation now; /* first */
  int part;
  int64_t shells, n;        /* n: sums of a thread */
  triad_sum *sums;          /* [thread][n] */
  triad_row_work *rows;     /* [thread] */
  triad_lane_reals *shares; /* [thread][transfer] */
} evaluation;

int triad_transfer_count(const triad_case *given, const triad_equations *equations, const triad_shape *shape)
{
  if (!equations->transfers || triad_case_is(given, "grid.truncation", "none")) return 0;
  return triad_case_flag(given, "output.transfer") ? shape->n_transfers : 0;
}

static void source(void *self, const triad_batch *block, triad_cplx *const *in)
{
  const evaluation *e = self;
  const triad_shape *shape = &e->now.flow->shape;
  int first = shape->hidden[e->part].first, end = first + shape->hidden[e->part].count;
  triad_evaluation_source(self, block, in);
  for (int f = first; f < end; f++)
    for (int64_t j = 0; j < block->layout->nkz; j++)
      memset(triad_batch_row(block, in[f], j), 0, TRIAD_LANES * sizeof(triad_cplx));
}

static void add_squares(const evaluation *e, triad_sum *sums, int64_t at, double weight, double k2)
{
  for (int f = 0; f < e->now.flow->shape.n_fields; f++) {
    double re = (double)e->now.flow->u[f][at].re, im = (double)e->now.flow->u[f][at].im;
    triad_sum_add(&sums[SQUARES * f + SQUARE], weight * (re * re + im * im));
    triad_sum_add(&sums[SQUARES * f + GRADIENT], weight * k2 * (re * re + im * im));
  }
}

/* Those of a closure follow those of the set. */
static void add_transfers(const evaluation *e, const triad_batch *block, int64_t j, int64_t at,
                          const triad_row_work *rows, triad_lane_reals *share)
{
  const triad_flow *flow = e->now.flow;
  const int of_closure = e->now.terms == TRIAD_TERMS_CLOSURE, n = flow->shape.n_transfers / 2;
  triad_lane_reals *to = of_closure ? share + n : share;
  flow->equations->transfers(flow->self, e->part, block, j, rows->u, rows->results, to);
  for (int x = 0; of_closure && x < n; x++) {
    const triad_transfer_info *info = &flow->shape.transfers[x];
    triad_closure_transfer(flow->closure, at, rows->u, info->first_field, info->n_fields, to[x]);
  }
}

static void sink(void *self, const triad_batch *block, triad_cplx *const *results)
{
  const evaluation *e = self;
  const triad_shape *shape = &e->now.flow->shape;
  const triad_layout *l = block->layout;
  int thread = omp_get_thread_num();
  triad_sum *sums = e->sums + thread * e->n;
  triad_row_work *rows = &e->rows[thread];
  triad_lane_reals *share = e->shares + (int64_t)thread * shape->n_transfers;
  for (int64_t j = 0; j < l->nkz; j++) {
    int64_t at = triad_row_work_find(rows, e->now.flow, block, j, triad_shape_left(shape, e->now.pass), results);
    memset(share, 0, (size_t)shape->n_transfers * sizeof *share);
    add_transfers(e, block, j, at, rows, share);
    for (int i = 0; i < TRIAD_LANES; i++) {
      int64_t c = block->block * TRIAD_LANES + i;
      if (l->kz[j] > l->kz_extent[c] || -l->kz[j] > l->kz_extent[c]) continue;
      double w[3];
      triad_layout_size(l, c, j, w);
      triad_sum *shell = sums + triad_shell(&l->grid, w);
      for (int x = 0; x < shape->n_transfers; x++) triad_sum_add(&shell[x * e->shells], l->weight[c] * share[x][i]);
      if (e->part == 0 && e->now.terms != TRIAD_TERMS_CLOSURE)
        add_squares(e, sums + shape->n_transfers * e->shells, at + i, l->weight[c],
                    w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    }
  }
}

static int evaluate(evaluation *e)
{
  const triad_shape *shape = &e->now.flow->shape;
  const triad_work own = {.source = source, .sink = sink};
  e->now.terms = TRIAD_TERMS_RESOLVED;
  if (e->now.flow->equations->at) e->now.flow->equations->at(e->now.flow->self, e->now.flow->at.t);
  for (e->part = 0; e->part < shape->n_parts; e->part++)
    for (int pass = 0; pass < shape->n_passes; pass++) TRIAD_TRY(triad_evaluation_run(&e->now, pass, &own));
  if (!e->now.flow->closure) return TRIAD_OK;
  e->part = 0;
  e->now.terms = TRIAD_TERMS_CLOSURE;
  TRIAD_TRY(triad_closure_begin(e->now.flow));
  return triad_evaluation_run(&e->now, 0, &own);
}

/* How large the sum of a transfer may be by rounding alone. A product f v of the fields f that it moves and of what
 * carries them comes back with an error of about log2(points) epsilon ||f|| ||v||, v the fields of the first transfer
 * and the shape's carrier; the sum meets it with grad f (Cauchy-Schwarz). Products may be far smaller than that, as in
 * a Beltrami flow, which is why the terms of the sum are no measure. */
static double round_off(const triad_flow *flow, const triad_transfer_info *info, const double *squares)
{
  const triad_shape *shape = &flow->shape;
  const triad_transfer_info *first = &shape->transfers[0];
  double moved = 0, slope = 0, speed2 = 0, shear2 = 0;
  for (int f = info->first_field; f < info->first_field + info->n_fields; f++) {
    moved += squares[SQUARES * f + SQUARE];
    slope += squares[SQUARES * f + GRADIENT];
  }
  for (int f = first->first_field; f < first->first_field + first->n_fields; f++) {
    speed2 += squares[SQUARES * f + SQUARE];
    shear2 += squares[SQUARES * f + GRADIENT];
  }
  double carrier = shape->carrier[0] + shape->carrier[1] * shear2;
  double terms = 8 + log2((double)triad_grid_points(&flow->grid));
  /* root by root, since the product of squares underflows long before its root does; and below the smallest number,
   * which loses its digits, what is lost is as much as that number */
  double lost = (double)TRIAD_SMALLEST * (sqrt(slope) + sqrt(moved + carrier)) + DBL_MIN;
  return terms * ((double)TRIAD_EPSILON * sqrt(slope) * sqrt(moved + carrier) * sqrt(speed2 + carrier) + lost);
}

static int check(const triad_flow *flow, int64_t shells, const double *squares, const double *flux)
{
  const triad_shape *shape = &flow->shape;
  if (flow->grid.truncation == TRIAD_NONE) return TRIAD_OK;
  for (int x = 0; x < shape->n_transfers; x++) {
    const triad_transfer_info *info = &shape->transfers[x];
    double sum = flux[x * shells + shells - 1], tolerance = round_off(flow, info, squares);
    if (info->conserves && !isfinite(sum))
      return TRIAD_FAIL(TRIAD_ERR_BLOWUP,
                        "the transfer %s is %g: products of the fields are larger than the largest number",
                        info->transfer.name, -sum);
    if (info->conserves && !(fabs(sum) <= tolerance))
      return TRIAD_FAIL(
        TRIAD_ERR_INTERNAL,
        "the transfer %s sums to %.3g, but round-off explains %.3g only: is the velocity free of divergence?",
        info->transfer.name, -sum, tolerance);
  }
  return TRIAD_OK;
}

/* Totals to values; the flux sums exactly before it is rounded. */
static void spread(const triad_flow *flow, int64_t shells, const triad_sum *sums, double *transfer, double *flux)
{
  for (int x = 0; x < flow->shape.n_transfers; x++) {
    triad_sum below;
    triad_sum_clear(&below);
    for (int64_t s = x * shells; s < (x + 1) * shells; s++) {
      triad_sum_merge(&below, &sums[s]);
      transfer[s] = triad_sum_value(&sums[s]);
      flux[s] = 0 - triad_sum_value(&below);
    }
  }
}

static int allocate_sums(evaluation *e, triad_sum **sums)
{
  const triad_flow *flow = e->now.flow;
  const triad_context *context = flow->context;
  TRIAD_TRY(TRIAD_ALLOC(context->memory, "transfer sums", e->n * context->threads, sums));
  e->sums = *sums;
  TRIAD_TRY(triad_row_work_create(&e->rows, flow));
  return TRIAD_ALLOC(context->memory, "transfer sums", flow->shape.n_transfers * context->threads, &e->shares);
}

/* The totals of all ranks, in the first thread's sums. */
int triad_transfer_host(triad_flow *flow, int64_t n, triad_sum **sums)
{
  const triad_context *context = flow->context;
  evaluation e = {.now = {.flow = flow}, .shells = triad_shell_count(&flow->grid), .n = n};
  int st = triad_agree(&context->comm, allocate_sums(&e, sums));
  if (st == TRIAD_OK) st = triad_agree(&context->comm, evaluate(&e));
  if (st == TRIAD_OK) st = triad_sum_threads(&context->comm, e.sums, n, context->threads, NULL);
  TRIAD_FREE(context->memory, &e.shares);
  triad_row_work_destroy(&e.rows, flow);
  return triad_agree(&context->comm, st);
}

int triad_transfer_shells(triad_flow *flow, double *transfer, double *flux)
{
  const int n_squares = SQUARES * flow->shape.n_fields;
  const int64_t shells = triad_shell_count(&flow->grid), n = flow->shape.n_transfers * shells + n_squares;
  double squares[n_squares];
  triad_sum *sums = NULL;
  int st = flow->measure->transfer(flow, n, &sums);
  if (st == TRIAD_OK) {
    spread(flow, shells, sums, transfer, flux);
    for (int i = 0; i < n_squares; i++) squares[i] = triad_sum_value(&sums[n - n_squares + i]);
    st = triad_agree(&flow->context->comm, check(flow, shells, squares, flux));
  }
  TRIAD_FREE(flow->context->memory, &sums);
  return st;
}
