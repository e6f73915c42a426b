/* Evaluate formulas at the points of the last pass of every stage, where the fields are available; compute their power
 * in a separate pass. */
#include "fft/pass/transform.h"
#include "solvers/spectral/force/formula_points.h"

#include <float.h>
#include <math.h>
#include <omp.h>

enum { PIECE = 128, COORDINATES = TRIAD_FORCE_COORDINATES };

int triad_force_points_take(triad_forcing *p, const triad_flow *flow)
{
  triad_force_formulas *q = &p->formulas;
  for (int f = 0; f < q->n; f++) {
    triad_force_rows *r = &q->rows[f];
    TRIAD_TRY(triad_formula_hoist(q->f[f], 1u << 0 | 1u << 3, TRIAD_FORCE_OF_X, r->part, &r->n));
    TRIAD_TRY(triad_formula_hoist(q->f[f], 1u << 1 | 1u << 2 | 1u << 3, TRIAD_FORCE_OF_ROW, r->of_row, &r->n_row));
    if (r->n > 0) TRIAD_TRY(TRIAD_ALLOC(flow->context->memory, "forcing", r->n * flow->grid.n[0], &r->value));
    for (int v = 0; v < TRIAD_FORMULA_VARIABLES; v++) q->used |= (unsigned)triad_formula_uses(q->f[f], v) << v;
  }
  return TRIAD_OK;
}

void triad_force_points_parts(const triad_forcing *p, int f, int *of_x, int *of_row)
{
  *of_x = *of_row = 0;
  for (int i = 0; i < f; i++) {
    *of_x += p->formulas.rows[i].n;
    *of_row += p->formulas.rows[i].n_row;
  }
}

void triad_force_points_at(triad_forcing *p, const triad_flow *flow)
{
  const triad_force_formulas *q = &p->formulas;
  const int64_t nx = flow->grid.n[0];
  double x[PIECE], t[PIECE];
  const double *const variable[COORDINATES] = {x, x, x, t};
  for (int64_t first = 0; first < nx && q->n > 0; first += PIECE) {
    const int n = nx - first < PIECE ? (int)(nx - first) : PIECE;
    for (int i = 0; i < n; i++) {
      x[i] = triad_grid_spacing(&flow->grid, 0) * (double)(first + i);
      t[i] = q->t;
    }
    for (int f = 0; f < q->n; f++)
      for (int k = 0; k < q->rows[f].n; k++)
        triad_formula_rows(q->rows[f].part[k], n, variable, q->rows[f].value + k * nx + first);
  }
}

static int uses(const triad_force_formulas *q, int v) { return (int)(q->used >> v & 1); }

static void fill_values(double *to, double value, int n)
{
  for (int i = 0; i < n; i++) to[i] = value;
}

/* A piece of a row: n points from x = first on of row y, with memory stride `step`, the first of them at index
 * `begin`. */
typedef struct piece {
  int64_t first, y, z, begin, step;
  int n;
} piece;

/* Piece number i of a patch, which is a row or two rows whose points alternate; 0: there are no more. */
static int piece_of(const triad_grid *g, const triad_patch *at, int64_t i, piece *out)
{
  const int64_t rows = at->n / g->n[0], pieces = (g->n[0] + PIECE - 1) / PIECE, row = i / pieces,
                first = i % pieces * PIECE;
  const int64_t left = g->n[0] - first;
  *out = (piece){first, at->y + row, at->z, first * rows + row, rows, left < PIECE ? (int)left : PIECE};
  return row < rows;
}

/* Copy a piece of a row from points with stride one or two, and back. */
static void copy_points(int n, const triad_real *from, int64_t step, double *to)
{
  if (step == 1)
    for (int i = 0; i < n; i++) to[i] = (double)from[i];
  else
    for (int i = 0; i < n; i++) to[i] = (double)from[2 * i];
}

static void give(int n, const double *from, int64_t step, triad_real *to)
{
  if (step == 1)
    for (int i = 0; i < n; i++) to[i] = (triad_real)from[i];
  else
    for (int i = 0; i < n; i++) to[2 * i] = (triad_real)from[i];
}

/* What the formulas use of a piece, as double: x, y, z, t, then the fields. */
static void variables(const triad_forcing *p, const triad_flow *flow, const piece *at, triad_real *const *in,
                      double (*value)[PIECE])
{
  const triad_grid *g = &flow->grid;
  const double y = triad_grid_spacing(g, 1) * (double)at->y, z = triad_grid_spacing(g, 2) * (double)at->z;
  const triad_force_formulas *q = &p->formulas;
  const double h = triad_grid_spacing(g, 0);
  const int n = at->n;
  for (int i = 0; i < n && uses(q, 0); i++) value[0][i] = h * (double)(at->first + i);
  if (uses(q, 1)) fill_values(value[1], y, n);
  if (uses(q, 2)) fill_values(value[2], z, n);
  if (uses(q, 3)) fill_values(value[3], q->t, n);
  for (int f = 0; f < p->energetic; f++)
    if (uses(q, COORDINATES + f)) copy_points(n, in[f] + at->begin, at->step, value[COORDINATES + f]);
}

/* What it has of y, z and t alone, everywhere in a piece. */
static void of_row(const triad_forcing *p, const triad_flow *flow, const piece *at, int f, double (*value)[PIECE])
{
  const triad_force_rows *r = &p->formulas.rows[f];
  const double y = triad_grid_spacing(&flow->grid, 1) * (double)at->y,
               z = triad_grid_spacing(&flow->grid, 2) * (double)at->z;
  const double *const variable[COORDINATES] = {&y, &y, &z, &p->formulas.t};
  for (int k = 0; k < r->n_row; k++) {
    double one;
    triad_formula_rows(r->of_row[k], 1, variable, &one);
    fill_values(value[k], one, at->n);
  }
}

/* The values of formula f in a piece; variable[] has all but what the formula has of x and t alone, or of y, z and
 * t. */
static void evaluate(const triad_forcing *p, const triad_flow *flow, const piece *at, int f, const double **variable,
                     double *value)
{
  const triad_force_rows *r = &p->formulas.rows[f];
  double row[TRIAD_FORMULA_PARTS][PIECE];
  of_row(p, flow, at, f, row);
  for (int k = 0; k < r->n; k++) variable[TRIAD_FORCE_OF_X + k] = r->value + k * flow->grid.n[0] + at->first;
  for (int k = 0; k < r->n_row; k++) variable[TRIAD_FORCE_OF_ROW + k] = row[k];
  triad_formula_rows(p->formulas.f[f], at->n, variable, value);
}

/* Note the first value of this thread that is none, of fields that are some. */
static void note_bad(triad_forcing *p, const triad_flow *flow, const piece *at, triad_real *const *in, int number,
                     const double *value)
{
  const int n = at->n;
  int any = 0;
#pragma omp simd reduction(| : any)
  for (int i = 0; i < n; i++) any |= !(fabs(value[i]) <= DBL_MAX);
  for (int i = 0; any && i < n; i++) {
    int good = isfinite(value[i]);
    for (int f = 0; !good && f < p->energetic; f++) good = !isfinite((double)in[f][at->begin + i * at->step]);
    if (good) continue;
    const int64_t place[3] = {at->first + i, at->y, at->z}, *size = flow->grid.n;
    const int64_t order = ((place[2] * size[1] + place[1]) * size[0] + place[0]) * p->formulas.n + number;
#pragma omp critical(triad_force_bad)
    if (!p->formulas.bad || order < p->formulas.bad_order) {
      p->formulas.bad_order = order;
      p->formulas.bad = number + 1;
      p->formulas.bad_value = value[i];
      for (int v = 0; v < 3; v++) p->formulas.bad_at[v] = triad_grid_spacing(&flow->grid, v) * (double)place[v];
    }
    return;
  }
}

double triad_forcing_points(triad_forcing *p, const triad_flow *flow, const triad_patch *at, triad_real *const *in,
                            triad_real *const *out)
{
  triad_force_formulas *q = &p->formulas;
  double room[TRIAD_FORMULA_VARIABLES][PIECE], value[PIECE], square[PIECE], most = 0;
  const double *variable[TRIAD_FORCE_VARIABLES];
  for (int v = 0; v < COORDINATES + p->energetic; v++) variable[v] = room[v];
  piece now;
  for (int64_t number = 0; piece_of(&flow->grid, at, number, &now); number++) {
    const int n = now.n;
    if (q->measures) fill_values(square, 0, n);
    variables(p, flow, &now, in, room);
    for (int f = 0; f < q->n; f++) {
      evaluate(p, flow, &now, f, variable, value);
      give(n, value, now.step, out[f] + now.begin);
      if (q->measures && q->field[f] < p->energetic)
        for (int i = 0; i < n; i++) square[i] += value[i] * value[i];
      note_bad(p, flow, &now, in, f, value);
    }
    if (!q->measures) continue;
#pragma omp simd reduction(max : most)
    for (int i = 0; i < n; i++) most = square[i] > most ? square[i] : most; /* one that is none has been noted */
  }
  return sqrt(sqrt(most) / p->spacing);
}

/* ---- their power ---- */

typedef struct measuring {
  triad_forcing *forcing;
  triad_flow *flow;
} measuring;

static void source(void *self, const triad_batch *block, triad_cplx *const *in)
{
  const measuring *m = self;
  for (int f = 0; f < m->forcing->energetic; f++) triad_batch_put(block, m->flow->u[f], in[f]);
}

/* u.f at the points: what f has along k, or beyond the kept modes, has no part in the mean. */
static void work(void *self, const triad_patch *at, triad_real *const *in, triad_real *const *out, double *peaks)
{
  const measuring *m = self;
  triad_forcing *p = m->forcing;
  triad_force_formulas *q = &p->formulas;
  double room[TRIAD_FORMULA_VARIABLES][PIECE], value[PIECE];
  const double *variable[TRIAD_FORCE_VARIABLES];
  (void)out, (void)peaks;
  for (int v = 0; v < COORDINATES + p->energetic; v++) variable[v] = room[v];
  piece now;
  for (int64_t number = 0; piece_of(&m->flow->grid, at, number, &now); number++) {
    variables(p, m->flow, &now, in, room);
    for (int f = 0; f < q->n && q->field[f] < p->energetic; f++) {
      evaluate(p, m->flow, &now, f, variable, value);
      for (int i = 0; i < now.n; i++)
        triad_sum_add(&q->sums[omp_get_thread_num()], value[i] * (double)in[q->field[f]][now.begin + i * now.step]);
    }
  }
}

static int settle_points(void *self, const double *peaks)
{
  (void)self, (void)peaks;
  return TRIAD_OK;
}

int triad_force_points_power(triad_forcing *p, const triad_flow *flow, double *put)
{
  measuring m = {p, (triad_flow *)flow};
  const triad_work pass = {
    .n_in = p->energetic, .source = source, .points = work, .settle = settle_points, .any_order = 1, .self = &m};
  for (int t = 0; t < flow->context->threads; t++) triad_sum_clear(&p->formulas.sums[t]);
  TRIAD_TRY(triad_pass_run(flow->pass, &pass));
  TRIAD_TRY(triad_sum_threads(&flow->context->comm, p->formulas.sums, 1, flow->context->threads, put));
  *put /= (double)triad_grid_points(&flow->grid);
  return TRIAD_OK;
}
