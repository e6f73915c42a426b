/* Forces given by formulas (case/formula.h) of x, y, z, t and the fields, one for each field that they drive.
 *
 * A formula that is a sum of products of a function of position and a function of time is split: the modes of the
 * former are computed once, and a stage multiplies them; a field times a function of time is added in spectral space
 * (formula_modes.c). Any other formula is evaluated at the points in the last pass of every stage, and transformed
 * together with the products (formula_points.c). Vectors are made divergence-free, and their mean is removed. */
#include "solvers/spectral/force/formula.h"
#include "solvers/spectral/force/formula_modes.h"
#include "solvers/spectral/force/formula_points.h"
#include "solvers/spectral/force/plain/force_work.h"
#include "case/formula/formula_split.h"
#include "solvers/spectral/force/forced_modes.h"
#include "solvers/spectral/force/plain/forcing_at.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- use of the modes ---- */

/* The part that this time multiplies, which may be new. */
static triad_force_part *part_of(triad_force_formulas *q, const triad_flow *flow, int field, triad_formula **time)
{
  for (int k = 0; k < q->n_parts; k++)
    if (triad_formula_is_same(q->part[k].time, *time)) return &q->part[k];
  triad_memory *m = flow->context->memory;
  triad_force_part *part = &q->part[q->n_parts];
  *part = (triad_force_part){.time = *time, .field = field};
  q->n_parts++;
  *time = NULL;
  if (TRIAD_ALLOC(m, "forcing", flow->shape.n_fields, &part->space) != TRIAD_OK) return NULL;
  return TRIAD_ALLOC(m, "forcing", flow->shape.n_fields, &part->is_uniform) == TRIAD_OK ? part : NULL;
}

static int one_everywhere(triad_formula **out)
{
  static const triad_formula_scope none;
  char why[TRIAD_FORMULA_WHY];
  return triad_formula_compile(out, "1", 1, &none, why);
}

/* A term of the formula of a field: what it has is taken. */
static int take_term(triad_force_formulas *q, const triad_flow *flow, int field, triad_formula_term *t)
{
  if (t->field >= 0) {
    q->linear[q->n_linear++] = (triad_force_of_field){field, t->field - TRIAD_FORCE_COORDINATES, t->time, 0};
    t->time = NULL;
    return TRIAD_OK;
  }
  triad_force_part *part = part_of(q, flow, field, &t->time);
  if (!part) return TRIAD_ERR_MEMORY;
  part->is_uniform[field] = !t->space;
  if (!t->space) TRIAD_TRY(one_everywhere(&t->space));
  part->space[field] = t->space; /* terms of one field have different times */
  t->space = NULL;
  return TRIAD_OK;
}

static int take_formula(triad_force_formulas *q, const triad_flow *flow, int field, triad_formula **f)
{
  triad_formula_term terms[TRIAD_FORMULA_TERMS];
  int n, st;
  TRIAD_TRY(triad_formula_split(*f, terms, &n));
  st = TRIAD_OK;
  q->drives[field] = n == 0 ? TRIAD_FORCE_AT_POINTS : 0;
  for (int i = 0; i < n && st == TRIAD_OK; i++) {
    q->drives[field] |= terms[i].field >= 0 ? TRIAD_FORCE_OF_FIELDS : TRIAD_FORCE_OF_POINTS;
    st = take_term(q, flow, field, &terms[i]);
  }
  triad_formula_terms_free(terms, n);
  if (n > 0) return st;
  q->field[q->n] = field;
  q->f[q->n++] = *f;
  *f = NULL;
  return TRIAD_OK;
}

static int make_parts(triad_force_formulas *q, const triad_flow *flow)
{
  const triad_shape *s = &flow->shape;
  triad_memory *m = flow->context->memory;
  const int terms = s->n_fields * TRIAD_FORMULA_TERMS;
  TRIAD_TRY(TRIAD_ALLOC(m, "forcing", s->n_fields, &q->f));
  TRIAD_TRY(TRIAD_ALLOC(m, "forcing", s->n_fields, &q->field));
  TRIAD_TRY(TRIAD_ALLOC(m, "forcing", s->n_fields, &q->rows));
  TRIAD_TRY(TRIAD_ALLOC(m, "forcing", s->n_fields, &q->drives));
  TRIAD_TRY(TRIAD_ALLOC(m, "forcing", terms, &q->part));
  TRIAD_TRY(TRIAD_ALLOC(m, "forcing", terms, &q->linear));
  TRIAD_TRY(TRIAD_ALLOC(m, "forcing", flow->context->threads, &q->sums));
  for (int i = 0; i < s->n_fields; i++) {
    char key[TRIAD_FORCE_KEY];
    triad_formula *f = NULL;
    const int number = triad_force_key(s->fields[i].name, key);
    TRIAD_TRY(triad_case_formula(flow->given, key, number, &f));
    int st = f ? take_formula(q, flow, i, &f) : TRIAD_OK;
    triad_formula_destroy(&f);
    TRIAD_TRY(st);
  }
  return TRIAD_OK;
}

int triad_force_formula_create(triad_forcing *p, triad_flow *flow)
{
  const triad_shape *s = &flow->shape;
  p->first = 0;
  p->components = s->n_fields;
  p->amplitude = 0;
  p->formulas.power = NAN;
  for (p->energetic = 0; p->energetic < s->n_fields && strncmp(s->fields[p->energetic].name, "scalar", 6) != 0;)
    p->energetic++;
  TRIAD_TRY(triad_agree(&flow->context->comm, make_parts(&p->formulas, flow)));
  TRIAD_TRY(triad_agree(&flow->context->comm, triad_force_points_take(p, flow)));
  TRIAD_TRY(triad_force_parts_make(p, flow));
  return triad_forcing_at(p, flow, flow->at.t, 0);
}

void triad_force_formula_free(triad_forcing *p, triad_memory *m)
{
  triad_force_formulas *q = &p->formulas;
  for (int i = 0; q->f && i < q->n; i++) {
    for (int k = 0; k < q->rows[i].n; k++) triad_formula_destroy(&q->rows[i].part[k]);
    for (int k = 0; k < q->rows[i].n_row; k++) triad_formula_destroy(&q->rows[i].of_row[k]);
    TRIAD_FREE(m, &q->rows[i].value);
    triad_formula_destroy(&q->f[i]);
  }
  TRIAD_FREE(m, &q->rows);
  for (int k = 0; q->part && k < q->n_parts; k++) {
    triad_formula_destroy(&q->part[k].time);
    for (int i = 0; q->part[k].space && i < p->components; i++) triad_formula_destroy(&q->part[k].space[i]);
    TRIAD_FREE(m, &q->part[k].space);
    TRIAD_FREE(m, &q->part[k].is_uniform);
    TRIAD_FREE(m, &q->part[k].f);
  }
  for (int k = 0; q->linear && k < q->n_linear; k++) triad_formula_destroy(&q->linear[k].time);
  TRIAD_FREE(m, &q->f);
  TRIAD_FREE(m, &q->field);
  TRIAD_FREE(m, &q->drives);
  TRIAD_FREE(m, &q->part);
  TRIAD_FREE(m, &q->linear);
  TRIAD_FREE(m, &q->sums);
}

/* ---- in a step ---- */

int triad_forcing_results(const triad_forcing *p) { return p ? p->formulas.n : 0; }

int triad_forcing_has_rates(const triad_forcing *p) { return p && (p->formulas.n > 0 || p->formulas.n_linear > 0); }

static int at(triad_forcing *p, const triad_flow *flow, double t, int first)
{
  p->formulas.t = t;
  p->formulas.measures = first;
  triad_force_points_at(p, flow);
  return triad_force_parts_at(p, flow, t);
}

int triad_forcing_good(triad_forcing *p, const triad_flow *flow)
{
  if (!p || p->formulas.n == 0) return TRIAD_OK;
  const triad_force_formulas *q = &p->formulas;
  char key[TRIAD_FORCE_KEY] = "";
  int st = TRIAD_OK;
  if (q->bad) {
    (void)triad_force_key(flow->shape.fields[q->field[q->bad - 1]].name, key);
    st = TRIAD_FAIL(TRIAD_ERR_CASE, "%s is %s at x = %g, y = %g, z = %g, t = %g, but must be finite", key,
                    isnan(q->bad_value) ? "not a number" : "infinite", q->bad_at[0], q->bad_at[1], q->bad_at[2], q->t);
  }
  return triad_agree(&flow->context->comm, st);
}

void triad_forcing_set_power(triad_forcing *p, double power) { p->formulas.power = power; }

static int power(triad_forcing *p, const triad_flow *flow, double *put)
{
  double sums[TRIAD_FORCE_SUMS], linear = 0, points = 0;
  TRIAD_TRY(at(p, flow, flow->at.t, 0));
  if (p->formulas.there) triad_force_parts_sum(p);
  TRIAD_TRY(triad_force_measure(p, flow, sums));
  if (!isnan(p->formulas.power)) { /* on a GPU, where the fields are */
    *put = sums[TRIAD_FORCE_WORK] + p->formulas.power;
    return TRIAD_OK;
  }
  if (p->formulas.n_linear > 0) TRIAD_TRY(triad_force_linear_power(p, flow, &linear));
  if (p->formulas.n > 0) TRIAD_TRY(triad_force_points_power(p, flow, &points));
  *put = sums[TRIAD_FORCE_WORK] + linear + points;
  return TRIAD_OK;
}

/* Formulas evaluated at points limit the time step by their values there. */
static double longest(const triad_forcing *p, double cfl)
{
  const double rate = triad_force_linear_rate(p);
  return fmin(rate > 0 ? cfl / rate : INFINITY,
              p->amplitude > 0 ? triad_force_longest_pushed(p->amplitude, p->spacing, cfl) : INFINITY);
}

const triad_force_kind triad_force_formula = {.at = at, .power = power, .longest = longest};
