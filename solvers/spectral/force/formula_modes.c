/* The modes of formulas: those of functions of position, computed once, times functions of time; and fields times
 * functions of time. */
#include "solvers/spectral/force/formula_modes.h"
#include "solvers/box/formulas.h"
#include "solvers/spectral/force/forced_modes.h"
#include "solvers/spectral/force/plain/force_work.h"
#include "solvers/spectral/force/plain/needs.h"
#include "solvers/spectral/start/points.h"
#include "solvers/spectral/start/project.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* ---- functions of position ---- */

typedef struct sampler {
  triad_forcing *forcing;
  triad_force_part *part;
} sampler;

static int sample(void *who, const triad_flow *flow, const triad_space *points, int field, triad_real *planes)
{
  const sampler *s = who;
  const triad_field_info *fields = flow->shape.fields;
  const int uniform =
    triad_field_group_at(fields, flow->shape.n_fields, field).solenoidal && s->part->is_uniform[field];
  char key[64];
  double most = 0;
  (void)triad_force_key(fields[field].name, key);
  int st = triad_formulas_fill_with(flow->context, s->part->space[field], points, key, planes);
  for (int64_t i = 0; st == TRIAD_OK && field < s->forcing->energetic && !uniform && i < points->memory; i++)
    most = fmax(most, fabs((double)planes[i]));
  TRIAD_TRY(triad_agree(&flow->context->comm, st));
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE, MPI_MAX, flow->context->comm.mpi)));
  s->part->amplitude = hypot(s->part->amplitude, most);
  return TRIAD_OK;
}

static double size_at(const triad_forcing *p, const triad_flow *flow, int64_t at)
{
  double size = 0;
  for (int c = 0; c < p->components; c++)
    size = fmax(size, fmax(fabs((double)flow->u[p->first + c][at].re), fabs((double)flow->u[p->first + c][at].im)));
  return size;
}

/* The flow's fields <- a part's modes; *least: less is rounding of the largest. */
static int make_modes(triad_forcing *p, triad_flow *flow, triad_force_part *part, const int *list, double *least)
{
  const triad_layout *l = flow->layout;
  sampler s = {p, part};
  double dropped = 0, most = 0;
  part->amplitude = 0;
  TRIAD_TRY(triad_points_start(flow, flow->grid.n, list, flow->shape.n_fields, sample, &s, NULL, &dropped));
  TRIAD_TRY(triad_project_all(flow));
  for (int64_t i = 0; i < l->modes; i++) most = fmax(most, size_at(p, flow, i));
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE, MPI_MAX, flow->context->comm.mpi)));
  *least = 16 * (double)TRIAD_EPSILON * most;
  return TRIAD_OK;
}

/* Modes that any part has, in the order of columns. */
static int take_marked(triad_forcing *p, const triad_flow *flow, const char *marked)
{
  const triad_layout *l = flow->layout;
  int64_t n = 0;
  for (int64_t c = 0; c < l->n_columns; c++)
    for (int64_t j = 0; j < l->nkz; j++) n += marked[triad_layout_place(l, c, j)];
  TRIAD_TRY(triad_force_take(p, flow, n));
  for (int64_t c = 0; c < l->n_columns; c++)
    for (int64_t j = 0; j < l->nkz; j++)
      if (marked[triad_layout_place(l, c, j)]) triad_force_push(p, flow, c, j);
  for (int k = 0; k < p->formulas.n_parts; k++)
    TRIAD_TRY(TRIAD_ALLOC(flow->context->memory, "forcing", 2 * p->components * p->count, &p->formulas.part[k].f));
  return TRIAD_OK;
}

static void store_modes(const triad_forcing *p, const triad_flow *flow, double least, double *f)
{
  for (int64_t m = 0; m < p->count; m++)
    for (int c = 0; c < p->components; c++) {
      const triad_cplx u = flow->u[p->first + c][p->place[m]];
      const int is_there = size_at(p, flow, p->place[m]) > least;
      f[2 * (p->components * m + c)] = is_there ? (double)u.re : 0;
      f[2 * (p->components * m + c) + 1] = is_there ? (double)u.im : 0;
    }
}

int triad_force_part_drives(const triad_force_part *part, const triad_forcing *force, int component)
{
  for (int64_t m = 0; m < force->count; m++) {
    const double *f = part->f + 2 * (force->components * m + component);
    if (f[0] < 0 || f[0] > 0 || f[1] < 0 || f[1] > 0) return 1;
  }
  return 0;
}

/* Each part is made twice: for the modes that any has, then for their values. */
static int make_parts(triad_forcing *p, triad_flow *flow, const int *list, char *marked)
{
  triad_force_formulas *q = &p->formulas;
  double least;
  for (int k = 0; k < q->n_parts; k++) {
    TRIAD_TRY(make_modes(p, flow, &q->part[k], list, &least));
    for (int64_t i = 0; i < flow->layout->modes; i++) marked[i] |= (char)(size_at(p, flow, i) > least);
  }
  TRIAD_TRY(triad_agree(&flow->context->comm, take_marked(p, flow, marked)));
  double n[2] = {(double)p->count, (double)(flow->layout->n_columns * flow->layout->nkz)};
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, n, 2, MPI_DOUBLE, MPI_SUM, flow->context->comm.mpi)));
  q->fills = triad_force_fills(n[0], n[1], q->n_parts);
  for (int k = 0; k < q->n_parts; k++) {
    if (q->n_parts > 1) TRIAD_TRY(make_modes(p, flow, &q->part[k], list, &least));
    store_modes(p, flow, least, q->part[k].f);
  }
  return TRIAD_OK;
}

/* The flow is at rest when its force is made: its fields are the room. */
int triad_force_parts_make(triad_forcing *p, triad_flow *flow)
{
  const int n = flow->shape.n_fields;
  triad_memory *memory = flow->context->memory;
  int *list = NULL;
  char *marked = NULL;
  if (p->formulas.n_parts == 0) return TRIAD_OK;
  int st = TRIAD_ALLOC(memory, "forcing", n, &list);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(memory, "forcing", flow->layout->modes, &marked);
  st = triad_agree(&flow->context->comm, st);
  for (int i = 0; list && i < n; i++) list[i] = i;
  if (st == TRIAD_OK) st = make_parts(p, flow, list, marked);
  for (int i = 0; i < n; i++) memset(flow->u[i], 0, (size_t)flow->layout->modes * sizeof *flow->u[i]);
  TRIAD_FREE(memory, &marked);
  TRIAD_FREE(memory, &list);
  return st;
}

/* ---- at a time ---- */

static int at_time(const triad_flow *flow, const triad_formula *f, int field, double t, double *out)
{
  const double *const variable[TRIAD_FORCE_COORDINATES] = {&t, &t, &t, &t};
  char key[64];
  *out = 1;
  if (f) triad_formula_rows(f, 1, variable, out);
  if (isfinite(*out)) return TRIAD_OK;
  (void)triad_force_key(flow->shape.fields[field].name, key);
  return TRIAD_FAIL(TRIAD_ERR_CASE, "%s is %s at t = %g, but must be finite", key,
                    isnan(*out) ? "not a number" : "infinite", t);
}

void triad_force_parts_sum(triad_forcing *p)
{
  triad_force_formulas *q = &p->formulas;
  const int64_t n = 2 * p->components * p->count;
  for (int k = 0; k < q->n_parts; k++) {
    const double now = q->part[k].now;
#pragma omp parallel for simd schedule(static) num_threads(n < TRIAD_FORCE_MANY ? 1 : p->threads)
    for (int64_t i = 0; i < n; i++) p->f[i] = (k > 0 ? p->f[i] : 0) + now * q->part[k].f[i];
  }
}

int triad_force_parts_at(triad_forcing *p, const triad_flow *flow, double t)
{
  triad_force_formulas *q = &p->formulas;
  p->amplitude = 0;
  for (int k = 0; k < q->n_parts; k++) {
    TRIAD_TRY(at_time(flow, q->part[k].time, q->part[k].field, t, &q->part[k].now));
    p->amplitude += fabs(q->part[k].now) * q->part[k].amplitude;
  }
  if (!q->there) triad_force_parts_sum(p);
  for (int k = 0; k < q->n_linear; k++)
    TRIAD_TRY(at_time(flow, q->linear[k].time, q->linear[k].to, t, &q->linear[k].now));
  return TRIAD_OK;
}

/* ---- fields ---- */

double triad_force_linear_rate(const triad_forcing *p)
{
  double most = 0;
  for (int f = 0; f < p->components; f++) {
    double sum = 0;
    for (int k = 0; k < p->formulas.n_linear; k++)
      sum += p->formulas.linear[k].to == f ? fabs(p->formulas.linear[k].now) : 0;
    most = fmax(most, sum);
  }
  return most;
}

/* The mean of u_to u_from without the product of their means, if the mean is not driven. */
int triad_force_linear_power(triad_forcing *p, const triad_flow *flow, double *put)
{
  const triad_layout *l = flow->layout;
  triad_force_formulas *q = &p->formulas;
  for (int t = 0; t < flow->context->threads; t++) triad_sum_clear(&q->sums[t]);
  for (int k = 0; k < q->n_linear; k++) {
    const triad_force_of_field *a = &q->linear[k];
    const int whole = !triad_field_group_at(flow->shape.fields, flow->shape.n_fields, a->to).solenoidal;
    if (a->to >= p->energetic) continue;
#pragma omp parallel for schedule(static) num_threads(flow->context->threads)
    for (int64_t c = 0; c < l->n_columns; c++)
      for (int64_t j = 0; j < l->nkz; j++) {
        const int64_t at = triad_layout_place(l, c, j);
        const triad_cplx u = flow->u[a->to][at], v = flow->u[a->from][at];
        const int mean = !(triad_layout_size2(l, c, j) > 0);
        const double product = (double)u.re * (double)v.re + (double)u.im * (double)v.im;
        if (whole || !mean) triad_sum_add(&q->sums[omp_get_thread_num()], l->weight[c] * a->now * product);
      }
  }
  return triad_sum_threads(&flow->context->comm, q->sums, 1, flow->context->threads, put);
}

typedef struct row {
  double re[3][TRIAD_LANES], im[3][TRIAD_LANES];
} row;

/* c u of row number i of a group, whose results have been put there. */
static void add_linear(const triad_force_formulas *q, int field, const triad_cplx *const *u, double *re, double *im)
{
  for (int k = 0; k < q->n_linear; k++) {
    const triad_force_of_field *a = &q->linear[k];
    if (a->to != field) continue;
    for (int i = 0; i < TRIAD_LANES; i++) {
      re[i] += a->now * (double)u[a->from][i].re;
      im[i] += a->now * (double)u[a->from][i].im;
    }
  }
}

/* Less k (k.f)/k^2, k the wavenumber of derivatives, and no mean. */
static void project(const triad_batch *block, int64_t j, row *r)
{
  const triad_layout *l = block->layout;
  for (int i = 0; i < TRIAD_LANES; i++) {
    const int64_t c = block->block * TRIAD_LANES + i;
    const double k[3] = {l->wx[c], l->wy[c], l->wz[j]}, k2 = k[0] * k[0] + k[1] * k[1] + k[2] * k[2];
    const double keep = triad_layout_size2(l, c, j) > 0, per_k2 = k2 > 0 ? 1 / k2 : 0;
    double re = 0, im = 0;
    for (int a = 0; a < 3; a++) {
      re += k[a] * r->re[a][i];
      im += k[a] * r->im[a][i];
    }
    for (int a = 0; a < 3; a++) {
      r->re[a][i] = keep * r->re[a][i] - k[a] * (re * per_k2);
      r->im[a][i] = keep * r->im[a][i] - k[a] * (im * per_k2);
    }
  }
}

void triad_forcing_rates(const triad_forcing *p, const triad_flow *flow, const triad_batch *block, int64_t j,
                         const triad_cplx *const *u, const triad_cplx *const *results, triad_lane_row *rates)
{
  const triad_force_formulas *q = &p->formulas;
  const int n_fields = flow->shape.n_fields;
  for (int f = 0, n = 0; f < n_fields;) { /* n: results so far */
    const triad_field_group group = triad_field_group_at(flow->shape.fields, n_fields, f);
    const int components = group.solenoidal ? 3 : 1;
    row r = {0};
    int driven = 0;
    for (int a = 0; a < components; a++) {
      driven |= q->drives[f + a];
      if (q->drives[f + a] & TRIAD_FORCE_AT_POINTS) {
        for (int i = 0; i < TRIAD_LANES; i++)
          r.re[a][i] = (double)results[n][i].re, r.im[a][i] = (double)results[n][i].im;
        n++;
      }
      if (q->drives[f + a] & TRIAD_FORCE_OF_FIELDS) add_linear(q, f + a, u, r.re[a], r.im[a]);
    }
    if (driven && group.solenoidal) project(block, j, &r);
    for (int a = 0; a < components && driven; a++)
      for (int i = 0; i < TRIAD_LANES; i++) {
        rates[f + a][i].re += (triad_real)r.re[a][i];
        rates[f + a][i].im += (triad_real)r.im[a][i];
      }
    f += components;
  }
}
