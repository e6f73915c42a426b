/* Measure the share of aliases in the rates by comparing those on two shifted grids. */
#include "solvers/spectral/measure/aliasing.h"
#include "solvers/spectral/measure/loops.h"
#include "fft/pass/transform.h"
#include "solvers/spectral/step/stepper.h"
#include "solvers/spectral/step/evaluate.h"
#include "solvers/spectral/plain/shifts.h"

#include <omp.h>

static const char name[] = "aliasing";

int triad_aliasing_column(triad_shape *shape, const triad_case *given)
{
  const triad_column_info column = {
    name, "1",
    .formula = "|N(s) - N(s + 1/2)|/(2 |N(s)|), N du/dt without decay and forces, on the grid of the next step, s"};
  if (!triad_case_applies(given, "output.aliasing") || !triad_case_flag(given, "output.aliasing")) return TRIAD_OK;
  return triad_shape_add_columns(shape, 1, &column);
}

int triad_aliasing_place(const triad_shape *shape)
{
  for (int c = shape->n_columns - 1; c >= 0; c--)
    if (shape->columns[c].name == name) return c;
  return -1;
}

typedef struct evaluation {
  triad_evaluation now; /* first */
  int second;
  triad_cplx *const *rate; /* [n_fields] the stepper's register, which nobody reads between two steps */
  triad_row_work *rows;    /* [threads] */
} evaluation;

/* The rates of the first grid; less those of the second. */
static void sink(void *self, const triad_batch *block, triad_cplx *const *results)
{
  const evaluation *e = self;
  const triad_flow *flow = e->now.flow;
  const triad_layout *l = block->layout;
  const int32_t *extent = l->kz_extent + block->block * TRIAD_LANES;
  triad_row_work *rows = &e->rows[omp_get_thread_num()];
  for (int64_t j = 0; j < l->nkz; j++) {
    const int64_t at = triad_row_work_find(rows, flow, block, j, triad_shape_left(&flow->shape, e->now.pass), results);
    const int32_t kz = l->kz[j] < 0 ? -l->kz[j] : l->kz[j];
    flow->equations->rates(flow->self, block, j, rows->u, rows->results, rows->rates);
    for (int f = 0; f < flow->shape.n_fields; f++)
      for (int i = 0; i < TRIAD_LANES; i++) {
        const triad_cplx n = kz > extent[i] ? (triad_cplx){0, 0} : rows->rates[f][i];
        triad_cplx *r = e->rate[f] + at + i;
        *r = e->second ? (triad_cplx){r->re - n.re, r->im - n.im} : n;
      }
  }
}

/* Of the fields that the energy is of, which have one unit. */
static void add_squares(const void *self, const triad_flow *flow, int64_t c, triad_sum *sums)
{
  const triad_transfer_info *energy = &flow->shape.transfers[0];
  const evaluation *e = self;
  const triad_layout *l = flow->layout;
  for (int f = energy->first_field; f < energy->first_field + energy->n_fields; f++)
    for (int64_t j = 0; j < l->nkz; j++) {
      const triad_cplx r = e->rate[f][triad_layout_place(l, c, j)];
      triad_sum_add(sums, l->weight[c] * ((double)r.re * (double)r.re + (double)r.im * (double)r.im));
    }
}

int triad_aliasing_host(triad_flow *flow, const double *const grid[2], double squares[2])
{
  evaluation e = {.now = {.flow = flow}, .rate = triad_stepper_register(flow->stepper)};
  const triad_work own = {.source = triad_evaluation_source, .sink = sink};
  int st = triad_agree(&flow->context->comm, triad_row_work_create(&e.rows, flow));
  for (e.second = 0; st == TRIAD_OK && e.second < 2; e.second++) {
    e.now.shift = grid[e.second];
    for (int pass = 0; st == TRIAD_OK && pass < flow->shape.n_passes; pass++)
      st = triad_evaluation_run(&e.now, pass, &own);
    if (st == TRIAD_OK) st = triad_columns_sum(flow, 1, add_squares, &e, &squares[e.second]);
  }
  triad_row_work_destroy(&e.rows, flow);
  return st;
}

int triad_aliasing_measure(triad_flow *flow, double *share)
{
  double here[3] = {0}, across[3], squares[2] = {0};
  const double *const grid[2] = {here, across};
  if (triad_shifts_of(&flow->grid, flow->given) == TRIAD_SHIFTS_RANDOM) triad_shift_of_step(flow->at.step, here);
  for (int i = 0; i < 3; i++) across[i] = here[i] + (here[i] < 0.5 ? 0.5 : -0.5);
  TRIAD_TRY(flow->measure->aliasing(flow, grid, squares));
  *share = squares[0] > 0 ? sqrt(squares[1] / squares[0]) / 2 : 0;
  return TRIAD_OK;
}
