#include "solvers/spectral/measure/measure.h"
#include "fft/transform.h"
#include "parallel/sum.h"
#include "solvers/spectral/gpu_part.h"
#include "solvers/spectral/step/stepper.h"
#include "grid/shells.h"

#include <omp.h>
#include <string.h>

/* Sums of a thread: [transfer][shell], then for each field the squares that round-off is measured by. */
enum square { SQUARE, GRADIENT, SQUARES };

typedef struct evaluation {
  triad_flow *flow;
  int part, pass;
  int64_t shells, n; /* n: sums of a thread */
  triad_sum *sums;   /* [thread][n] */
  triad_row_work *rows;  /* [thread] */
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
  const triad_flow *flow = e->flow;
  const triad_shape *shape = &flow->shape;
  int first = shape->hidden[e->part].first, end = first + shape->hidden[e->part].count;
  if (flow->equations->source)
    flow->equations->source(flow->self, e->pass, block, (const triad_cplx *const *)flow->u, in);
  else
    for (int f = 0; f < shape->pass[e->pass].n_in; f++) triad_batch_put(block, flow->u[f], in[f]);
  for (int f = first; f < end; f++)
    for (int64_t j = 0; j < block->layout->nkz; j++)
      memset(triad_batch_row(block, in[f], j), 0, TRIAD_LANES * sizeof(triad_cplx));
}

static void points(void *self, const triad_patch *at, triad_real *const *in, triad_real *const *out, double *peaks)
{
  const evaluation *e = self;
  e->flow->equations->points(e->flow->self, e->pass, at, in, out, peaks);
}

static void keep(void *self, const triad_batch *block, triad_cplx *const *results)
{
  const evaluation *e = self;
  e->flow->equations->keep(e->flow->self, e->pass, block, results);
}

static void add_squares(const evaluation *e, triad_sum *sums, int64_t at, double weight, double k2)
{
  for (int f = 0; f < e->flow->shape.n_fields; f++) {
    double re = (double)e->flow->u[f][at].re, im = (double)e->flow->u[f][at].im;
    triad_sum_add(&sums[SQUARES * f + SQUARE], weight * (re * re + im * im));
    triad_sum_add(&sums[SQUARES * f + GRADIENT], weight * k2 * (re * re + im * im));
  }
}

static void sink(void *self, const triad_batch *block, triad_cplx *const *results)
{
  const evaluation *e = self;
  const triad_shape *shape = &e->flow->shape;
  const triad_layout *l = block->layout;
  int thread = omp_get_thread_num();
  triad_sum *sums = e->sums + thread * e->n;
  triad_row_work *rows = &e->rows[thread];
  triad_lane_reals *share = e->shares + (int64_t)thread * shape->n_transfers;
  for (int64_t j = 0; j < l->nkz; j++) {
    int64_t at = triad_row_work_find(rows, e->flow, block, j, shape->pass[e->pass].n_out, results);
    memset(share, 0, (size_t)shape->n_transfers * sizeof *share);
    e->flow->equations->transfers(e->flow->self, e->part, block, j, rows->u, rows->results, share);
    for (int i = 0; i < TRIAD_LANES; i++) {
      int64_t c = block->block * TRIAD_LANES + i;
      if (l->kz[j] > l->kz_extent[c] || -l->kz[j] > l->kz_extent[c]) continue;
      const double w[3] = {l->wx[c], l->wy[c], l->wz[j]};
      triad_sum *shell = sums + triad_shell(&l->grid, w);
      for (int x = 0; x < shape->n_transfers; x++)
        triad_sum_add(&shell[x * e->shells], l->weight[c] * share[x][i]);
      if (e->part == 0)
        add_squares(e, sums + shape->n_transfers * e->shells, at + i, l->weight[c],
                    w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    }
  }
}

static int evaluate(evaluation *e)
{
  const triad_shape *shape = &e->flow->shape;
  int last = shape->n_passes - 1;
  for (e->part = 0; e->part < shape->n_parts; e->part++)
    for (e->pass = 0; e->pass <= last; e->pass++) {
      triad_work work = {.n_in = shape->pass[e->pass].n_in, .n_out = shape->pass[e->pass].n_out, .source = source,
                         .points = points, .sink = e->pass < last ? keep : sink, .any_order = 1, .self = e};
      TRIAD_TRY(triad_pass_run(e->flow->pass, &work));
    }
  return TRIAD_OK;
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
  return terms * (double)TRIAD_EPSILON * sqrt(slope * (moved + carrier) * (speed2 + carrier));
}

static int check(const triad_flow *flow, const evaluation *e, const double *squares, const double *flux)
{
  const triad_shape *shape = &flow->shape;
  if (flow->grid.truncation == TRIAD_NONE) return TRIAD_OK;
  for (int x = 0; x < shape->n_transfers; x++) {
    const triad_transfer_info *info = &shape->transfers[x];
    double sum = flux[x * e->shells + e->shells - 1], tolerance = round_off(flow, info, squares);
    if (info->conserves && !(fabs(sum) <= tolerance))
      return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "the transfer %s sums to %.3g, and round-off explains %.3g only: is the "
                                            "velocity free of divergence?", info->transfer.name, -sum, tolerance);
  }
  return TRIAD_OK;
}

/* The totals of all ranks to values; the flux sums exactly before it is rounded. */
static void spread(const evaluation *e, const triad_sum *totals, double *transfer, double *flux)
{
  for (int x = 0; x < e->flow->shape.n_transfers; x++) {
    triad_sum below;
    triad_sum_clear(&below);
    for (int64_t s = x * e->shells; s < (x + 1) * e->shells; s++) {
      triad_sum_merge(&below, &totals[s]);
      transfer[s] = triad_sum_value(&totals[s]);
      flux[s] = 0 - triad_sum_value(&below);
    }
  }
}

/* Sums of the GPU: transfers and squares have been added up there. */
static int measure_gpu(triad_flow *flow, double *transfer, double *flux)
{
  const triad_shape *shape = &flow->shape;
  triad_memory *m = flow->context->memory;
  evaluation e = {.flow = flow, .shells = triad_shell_count(&flow->grid)};
  double *squares = NULL;
  int st = TRIAD_ALLOC(m, "transfer sums", SQUARES * shape->n_fields, &squares);
  st = triad_agree(&flow->context->comm, st);
  if (st == TRIAD_OK)
    st = triad_agree(&flow->context->comm, triad_spectral_gpu->measure.transfer(flow, transfer, squares));
  for (int x = 0; st == TRIAD_OK && x < shape->n_transfers; x++) {
    triad_sum below;
    triad_sum_clear(&below);
    for (int64_t s = x * e.shells; s < (x + 1) * e.shells; s++) {
      triad_sum_add(&below, transfer[s]);
      flux[s] = 0 - triad_sum_value(&below);
    }
  }
  if (st == TRIAD_OK) st = triad_agree(&flow->context->comm, check(flow, &e, squares, flux));
  TRIAD_FREE(m, &squares);
  return st;
}

static int take_room(evaluation *e, double **squares)
{
  const triad_shape *shape = &e->flow->shape;
  const triad_context *context = e->flow->context;
  TRIAD_TRY(triad_row_work_create(&e->rows, e->flow));
  TRIAD_TRY(TRIAD_ALLOC(context->memory, "transfer sums", e->n * context->threads, &e->sums));
  TRIAD_TRY(TRIAD_ALLOC(context->memory, "transfer sums", (int64_t)shape->n_transfers * context->threads, &e->shares));
  return TRIAD_ALLOC(context->memory, "transfer sums", SQUARES * shape->n_fields, squares);
}

int triad_transfer_shells(triad_flow *flow, double *transfer, double *flux)
{
  if (flow->device) return measure_gpu(flow, transfer, flux);
  const triad_shape *shape = &flow->shape;
  triad_context *context = flow->context;
  evaluation e = {.flow = flow, .shells = triad_shell_count(&flow->grid)};
  int64_t shared = shape->n_transfers * e.shells;
  double *squares = NULL;
  int n = 0;
  e.n = shared + SQUARES * shape->n_fields;
  int st = take_room(&e, &squares);
  if (st == TRIAD_OK) st = triad_narrow(e.n, &n);
  st = triad_agree(&context->comm, st);
  if (st == TRIAD_OK) st = triad_agree(&context->comm, evaluate(&e));
  if (st == TRIAD_OK) {
    for (int t = 1; t < context->threads; t++)
      for (int64_t i = 0; i < e.n; i++) triad_sum_merge(&e.sums[i], &e.sums[t * e.n + i]);
    st = triad_agree(&context->comm, triad_sum_all(&context->comm, e.sums, n, NULL));
  }
  if (st == TRIAD_OK) {
    spread(&e, e.sums, transfer, flux);
    for (int i = 0; i < SQUARES * shape->n_fields; i++) squares[i] = triad_sum_value(&e.sums[shared + i]);
    st = triad_agree(&context->comm, check(flow, &e, squares, flux));
  }
  TRIAD_FREE(context->memory, &squares);
  TRIAD_FREE(context->memory, &e.shares);
  TRIAD_FREE(context->memory, &e.sums);
  triad_row_work_destroy(&e.rows, flow);
  return st;
}
