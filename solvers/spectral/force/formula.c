/* Forces that are formulas (case/formula.h) of x, y, z, t and the fields, one for each field that they drive.
 *
 * Where none has t or a field in it, they are sampled once at the points of the grid, and what their modes are is a steady force
 * like any other, on a GPU too. Otherwise they are worked out at the points of the last pass of every stage, where the fields are
 * at hand, and go back to modes beside the products. Vectors are made free of divergence and of their mean. */
#include "fft/transform.h"
#include "solvers/formulas.h"
#include "solvers/spectral/force/own.h"
#include "solvers/spectral/start/points.h"
#include "solvers/spectral/start/project.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 128, COORDINATES = 4 /* x, y, z, t */ };

/* The key of a field's formula, and which of its list. */
static int key_of(const char *field, char key[64])
{
  const int scalar = strncmp(field, "scalar", 6) == 0;
  (void)snprintf(key, 64, "forcing.%s", scalar ? "scalars" : field);
  return scalar ? (int)strtol(field + 6, NULL, 10) - 1 : 0;
}

static int read_one(const triad_case *given, const char *field, triad_formula **f)
{
  char key[64];
  const int number = key_of(field, key);
  return triad_case_formula(given, key, number, f);
}

int triad_force_late(const triad_case *given)
{
  static const char *const keys[] = {"forcing.u", "forcing.v", "forcing.w", "forcing.theta", "forcing.bx", "forcing.by",
                                     "forcing.bz", "forcing.scalars"};
  const char *texts[1000];
  int late = 0;
  if (!triad_case_is(given, "forcing.kind", "formula")) return 0;
  for (size_t k = 0; k < sizeof keys / sizeof *keys && !late; k++) {
    const int n = !triad_case_applies(given, keys[k]) ? 0 : k == 7 ? triad_case_texts(given, keys[k], texts, 1000) : 1;
    for (int i = 0; i < n; i++) {
      triad_formula *f = NULL;
      if (triad_case_formula(given, keys[k], i, &f) != TRIAD_OK || !f) continue;
      for (int v = COORDINATES - 1; v < TRIAD_FORMULA_VARIABLES; v++) late |= triad_formula_uses(f, v);
      triad_formula_destroy(&f);
    }
  }
  return late;
}

int triad_force_results(const triad_case *given, const triad_shape *shape)
{
  int n = 0;
  if (!triad_force_late(given)) return 0;
  for (int i = 0; i < shape->n_fields; i++) {
    triad_formula *f = NULL;
    n += read_one(given, shape->fields[i].name, &f) == TRIAD_OK && f;
    triad_formula_destroy(&f);
  }
  return n;
}

/* ---- a steady force ---- */

static int sample(void *who, const triad_flow *flow, const triad_space *points, int field, triad_real *planes)
{
  triad_forcing *p = who;
  char key[64];
  const int number = key_of(flow->shape.fields[field].name, key);
  double most = 0;
  int st = triad_formulas_fill(flow->context, flow->given, points, key, number, planes);
  for (int64_t i = 0; st == TRIAD_OK && field < p->energetic && i < points->memory; i++) most = fmax(most, fabs((double)planes[i]));
  TRIAD_TRY(triad_agree(&flow->context->comm, st));
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE, MPI_MAX, flow->context->comm.mpi)));
  p->amplitude = hypot(p->amplitude, most);
  return TRIAD_OK;
}

static double size_at(const triad_forcing *p, const triad_flow *flow, int64_t at)
{
  double size = 0;
  for (int c = 0; c < p->components; c++)
    size = fmax(size, fmax(fabs((double)flow->u[p->first + c][at].re), fabs((double)flow->u[p->first + c][at].im)));
  return size;
}

/* The modes of the flow's fields that are more than rounding of the largest. */
static int take_modes(triad_forcing *p, const triad_flow *flow)
{
  const triad_layout *l = flow->layout;
  double most = 0;
  int64_t room = 0;
  for (int64_t i = 0; i < l->modes; i++) most = fmax(most, size_at(p, flow, i));
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE, MPI_MAX, flow->context->comm.mpi)));
  const double least = 16 * (double)TRIAD_EPSILON * most;
  for (int64_t c = 0; c < l->n_columns; c++)
    for (int64_t j = 0; j < l->nkz; j++) room += size_at(p, flow, triad_layout_place(l, c, j)) > least;
  TRIAD_TRY(triad_agree(&flow->context->comm, triad_force_take(p, flow, room)));
  for (int64_t c = 0; c < l->n_columns; c++)
    for (int64_t j = 0; j < l->nkz; j++) {
      const int64_t at = triad_layout_place(l, c, j);
      double *f = p->f + 2 * p->components * p->count;
      if (!(size_at(p, flow, at) > least)) continue;
      triad_force_push(p, flow, c, j);
      for (int i = 0; i < p->components; i++) {
        f[2 * i] = (double)flow->u[p->first + i][at].re;
        f[2 * i + 1] = (double)flow->u[p->first + i][at].im;
      }
    }
  return TRIAD_OK;
}

/* The flow is at rest when its force is made: its fields are the room. */
static int make_steady(triad_forcing *p, triad_flow *flow)
{
  const int n = flow->shape.n_fields;
  int *list = NULL;
  double dropped = 0;
  TRIAD_TRY(triad_agree(&flow->context->comm, TRIAD_ALLOC(flow->context->memory, "forcing", n, &list)));
  for (int i = 0; i < n; i++) list[i] = i;
  int st = triad_points_start(flow, flow->grid.n, list, n, sample, p, &dropped);
  if (st == TRIAD_OK) st = triad_project_all(flow);
  if (st == TRIAD_OK) st = take_modes(p, flow);
  for (int i = 0; i < n; i++) memset(flow->u[i], 0, (size_t)flow->layout->modes * sizeof *flow->u[i]);
  TRIAD_FREE(flow->context->memory, &list);
  return st;
}

/* ---- one of every stage ---- */

static int make_late(triad_forcing *p, const triad_flow *flow)
{
  triad_force_formulas *q = &p->formulas;
  const triad_shape *s = &flow->shape;
  triad_memory *m = flow->context->memory;
  TRIAD_TRY(TRIAD_ALLOC(m, "forcing", s->n_fields, &q->f));
  TRIAD_TRY(TRIAD_ALLOC(m, "forcing", s->n_fields, &q->field));
  TRIAD_TRY(TRIAD_ALLOC(m, "forcing", flow->context->threads, &q->sums));
  for (int i = 0; i < s->n_fields; i++) {
    TRIAD_TRY(read_one(flow->given, s->fields[i].name, &q->f[q->n]));
    if (!q->f[q->n]) continue;
    for (int v = 0; v < 3; v++) q->in_place |= triad_formula_uses(q->f[q->n], v);
    q->field[q->n++] = i;
  }
  return TRIAD_OK;
}

int triad_force_formula_create(triad_forcing *p, triad_flow *flow)
{
  const triad_shape *s = &flow->shape;
  p->first = 0;
  p->components = s->n_fields;
  p->amplitude = 0;
  for (p->energetic = 0; p->energetic < s->n_fields && strncmp(s->fields[p->energetic].name, "scalar", 6) != 0;) p->energetic++;
  if (triad_force_results(flow->given, s) == 0) return make_steady(p, flow);
  return triad_agree(&flow->context->comm, make_late(p, flow));
}

void triad_force_formula_free(triad_forcing *p, triad_memory *m)
{
  for (int i = 0; p->formulas.f && i < p->formulas.n; i++) triad_formula_destroy(&p->formulas.f[i]);
  TRIAD_FREE(m, &p->formulas.f);
  TRIAD_FREE(m, &p->formulas.field);
  TRIAD_FREE(m, &p->formulas.sums);
}

int triad_forcing_results(const triad_forcing *p) { return p ? p->formulas.n : 0; }

int triad_forcing_in_place(const triad_forcing *p) { return p && p->formulas.in_place; }

void triad_forcing_at(triad_forcing *p, double t)
{
  if (p) p->formulas.t = t;
}

/* What is at points first .. first + n - 1 of a patch, as double: x, y, z, t, then the fields. */
static void variables(const triad_forcing *p, const triad_flow *flow, const triad_patch *at, triad_real *const *in, int64_t first,
                      int n, double (*value)[PIECE])
{
  const triad_grid *g = &flow->grid;
  const double y = triad_grid_spacing(g, 1) * (double)at->y, z = triad_grid_spacing(g, 2) * (double)at->z;
  for (int i = 0; i < n; i++) {
    value[0][i] = triad_grid_spacing(g, 0) * (double)(first + i);
    value[1][i] = y;
    value[2][i] = z;
    value[3][i] = p->formulas.t;
  }
  for (int f = 0; f < p->energetic; f++)
    for (int i = 0; i < n; i++) value[COORDINATES + f][i] = (double)in[f][first + i];
}

/* Note the first value of this thread that is none, of a field that is one. */
static void note_bad(triad_forcing *p, int number, const double *const *variable, const double *value, int n)
{
  for (int i = 0; i < n; i++) {
    int good = isfinite(value[i]);
    for (int f = 0; !good && f < p->energetic; f++) good = !isfinite(variable[COORDINATES + f][i]);
    if (good) continue;
#pragma omp critical(triad_force_bad)
    if (!p->formulas.bad) {
      p->formulas.bad = number + 1;
      p->formulas.bad_value = value[i];
      for (int v = 0; v < 3; v++) p->formulas.bad_at[v] = variable[v][i];
    }
    return;
  }
}

double triad_forcing_points(triad_forcing *p, const triad_flow *flow, const triad_patch *at, triad_real *const *in,
                            triad_real *const *out)
{
  triad_force_formulas *q = &p->formulas;
  double room[COORDINATES + TRIAD_FORMULA_VARIABLES][PIECE], value[PIECE], square[PIECE], most = 0;
  const double *variable[COORDINATES + TRIAD_FORMULA_VARIABLES];
  for (int v = 0; v < COORDINATES + p->energetic; v++) variable[v] = room[v];
  for (int64_t first = 0; first < at->n; first += PIECE) {
    const int n = at->n - first < PIECE ? (int)(at->n - first) : PIECE;
    memset(square, 0, sizeof square);
    variables(p, flow, at, in, first, n, room);
    for (int f = 0; f < q->n; f++) {
      triad_formula_rows(q->f[f], n, variable, value);
      for (int i = 0; i < n; i++) {
        out[f][first + i] = (triad_real)value[i];
        square[i] += q->field[f] < p->energetic ? value[i] * value[i] : 0;
      }
      note_bad(p, f, variable, value, n);
    }
    for (int i = 0; i < n; i++) most = !(square[i] <= most) ? square[i] : most;
  }
  return sqrt(sqrt(most) / p->spacing);
}

int triad_forcing_good(triad_forcing *p, const triad_flow *flow)
{
  if (!p || p->formulas.n == 0) return TRIAD_OK;
  const triad_force_formulas *q = &p->formulas;
  char key[64] = "";
  int st = TRIAD_OK;
  if (q->bad) {
    (void)key_of(flow->shape.fields[q->field[q->bad - 1]].name, key);
    st = TRIAD_FAIL(TRIAD_ERR_CASE, "%s: its value is %s at x = %g, y = %g, z = %g, t = %g", key,
                    isnan(q->bad_value) ? "not a number" : "infinite", q->bad_at[0], q->bad_at[1], q->bad_at[2], q->t);
  }
  return triad_agree(&flow->context->comm, st);
}

/* Row j of a block: what the results of the formulas add to the rates, a vector's less k (k.f)/k^2. */
void triad_forcing_rates(const triad_forcing *p, const triad_flow *flow, const triad_batch *block, int64_t j,
                         const triad_cplx *const *results, triad_lane_row *rates)
{
  const triad_force_formulas *q = &p->formulas;
  const triad_layout *l = block->layout;
  const triad_field_info *fields = flow->shape.fields;
  for (int f = 0; f < q->n;) {
    const triad_field_group group = triad_field_group_at(fields, flow->shape.n_fields, q->field[f]);
    if (!group.solenoidal) {
      for (int i = 0; i < TRIAD_LANES; i++) {
        rates[q->field[f]][i].re += results[f][i].re;
        rates[q->field[f]][i].im += results[f][i].im;
      }
      f++;
      continue;
    }
    const triad_cplx *part[3] = {NULL, NULL, NULL};
    while (f < q->n && q->field[f] < group.first + 3) {
      part[q->field[f] - group.first] = results[f];
      f++;
    }
    for (int i = 0; i < TRIAD_LANES; i++) {
      const int64_t c = block->block * TRIAD_LANES + i;
      const double k[3] = {l->wx[c], l->wy[c], l->wz[j]}, k2 = k[0] * k[0] + k[1] * k[1] + k[2] * k[2];
      double re = 0, im = 0;
      for (int a = 0; a < 3; a++) {
        re += part[a] ? k[a] * (double)part[a][i].re : 0;
        im += part[a] ? k[a] * (double)part[a][i].im : 0;
      }
      for (int a = 0; a < 3 && k2 > 0; a++) {
        rates[group.first + a][i].re += (triad_real)((part[a] ? (double)part[a][i].re : 0) - k[a] * re / k2);
        rates[group.first + a][i].im += (triad_real)((part[a] ? (double)part[a][i].im : 0) - k[a] * im / k2);
      }
    }
  }
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
  double room[COORDINATES + TRIAD_FORMULA_VARIABLES][PIECE], value[PIECE];
  const double *variable[COORDINATES + TRIAD_FORMULA_VARIABLES];
  (void)out, (void)peaks;
  for (int v = 0; v < COORDINATES + p->energetic; v++) variable[v] = room[v];
  for (int64_t first = 0; first < at->n; first += PIECE) {
    const int n = at->n - first < PIECE ? (int)(at->n - first) : PIECE;
    variables(p, m->flow, at, in, first, n, room);
    for (int f = 0; f < q->n && q->field[f] < p->energetic; f++) {
      triad_formula_rows(q->f[f], n, variable, value);
      for (int i = 0; i < n; i++) triad_sum_add(&q->sums[omp_get_thread_num()], value[i] * room[COORDINATES + q->field[f]][i]);
    }
  }
}

static int settle(void *self, const double *peaks)
{
  (void)self, (void)peaks;
  return TRIAD_OK;
}

static int power(triad_forcing *p, const triad_flow *flow, double *put)
{
  double sums[TRIAD_FORCE_SUMS];
  if (p->formulas.n == 0) {
    TRIAD_TRY(triad_force_measure(p, flow, sums));
    *put = sums[TRIAD_FORCE_WORK];
    return TRIAD_OK;
  }
  measuring m = {p, (triad_flow *)flow};
  const triad_work pass = {.n_in = p->energetic, .source = source, .points = work, .settle = settle, .self = &m};
  for (int t = 0; t < flow->context->threads; t++) triad_sum_clear(&p->formulas.sums[t]);
  p->formulas.t = flow->at.t;
  TRIAD_TRY(triad_pass_run(flow->pass, &pass));
  TRIAD_TRY(triad_sum_threads(&flow->context->comm, p->formulas.sums, 1, flow->context->threads, put));
  *put /= (double)triad_grid_points(&flow->grid);
  return TRIAD_OK;
}

/* Of a steady one; the others limit a step by what they are at its points. */
static double longest(const triad_forcing *p, double cfl)
{
  return p->formulas.n == 0 && p->amplitude > 0 ? triad_force_longest_pushed(p->amplitude, p->spacing, cfl) : INFINITY;
}

const triad_force_kind triad_force_formula = {
  .word = {"formula", TRIAD_FLUIDS, .about = "formulas of x, y, z, t and the fields, one for each field that is driven"},
  .how = TRIAD_FORCE_ACTS, .power = power, .longest = longest};
