#include "solvers/spectral/measure/derived.h"
#include "case/slice.h"
#include "solvers/slice_list.h"
#include "solvers/spectral/measure/pressure.h"
#include "solvers/spectral/measure/quantity.h"
#include "solvers/spectral/measure/slice_image.h"
#include "solvers/spectral/part.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct triad_derived {
  int n;
  triad_slice_quantity quantity[TRIAD_FIELD_LIST];
  triad_field_info info[TRIAD_FIELD_LIST];
  char vector[TRIAD_FIELD_LIST][40]; /* names of those that a component is part of */
};

/* The list of a case that has been checked. */
static int read_list(const triad_case *given, triad_slice_quantity list[TRIAD_FIELD_LIST], int *n)
{
  const char *texts[TRIAD_FIELD_LIST];
  char why[256];
  *n = triad_case_texts(given, "output.fields", texts, TRIAD_FIELD_LIST);
  for (int i = 0; i < *n; i++)
    if (!triad_quantity_read(texts[i], triad_case_word(given, "equations.solver"), &list[i], why, sizeof why))
      return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "output.fields: %s", why);
  return TRIAD_OK;
}

int triad_derived_count(const triad_case *given)
{
  const char *texts[TRIAD_FIELD_LIST];
  return triad_case_texts(given, "output.fields", texts, TRIAD_FIELD_LIST);
}

int triad_derived_check(const triad_case *given, const triad_shape *shape)
{
  triad_slice_quantity list[TRIAD_FIELD_LIST];
  int n = 0;
  TRIAD_TRY(read_list(given, list, &n));
  for (int i = 0; i < n; i++) TRIAD_TRY(triad_quantity_check(shape, &list[i], "output.fields"));
  return TRIAD_OK;
}

int triad_derived_pressure(const triad_case *given)
{
  triad_slice_quantity list[TRIAD_FIELD_LIST];
  triad_slice slices[TRIAD_SLICES];
  int n = 0, shown = 0;
  if (triad_slice_list_read(given, slices, &n) == TRIAD_OK) shown = triad_slice_shows_pressure(slices, n);
  if (triad_case_real(given, "output.fields_interval") <= 0 || read_list(given, list, &n) != TRIAD_OK) return shown;
  for (int i = 0; i < n; i++) shown |= list[i].kind == TRIAD_SPECTRAL_PRESSURE;
  return shown;
}

int64_t triad_derived_memory(const triad_case *given, const triad_layout *l)
{
  if (triad_derived_count(given) == 0) return 0;
  return l->modes * (int64_t)sizeof(triad_cplx) + 2 * l->n_planes * l->grid.n[1] * l->grid.n[0] * (int64_t)sizeof(triad_real);
}

/* ---- which, and how they are called ---- */

/* The vector whose component `axis` this is, of the state or a curl, in text; its name's end "_x" falls. 0: of none. */
static int vector_of(const triad_shape *shape, const triad_slice_quantity *q, int axis, char *text, size_t size)
{
  if (q->kind == TRIAD_QUANTITY_CURL && q->component == axis) {
    (void)snprintf(text, size, "%.*s", (int)strlen(q->name) - 2, q->name);
    return 1;
  }
  int f = triad_field_find(shape->fields, shape->n_fields, q->field);
  if (q->kind != TRIAD_QUANTITY_FIELD || f < 0 || shape->fields[f].role != TRIAD_ROLE_COMPONENT || shape->fields[f].number != axis)
    return 0;
  (void)snprintf(text, size, "%s", shape->fields[f].of);
  return 1;
}

static int is_named(const triad_derived *d, const char *name)
{
  for (int i = 0; i < d->n; i++)
    if (strcmp(d->quantity[i].name, name) == 0) return 1;
  return 0;
}

/* Do three quantities from number i on make a vector? */
static int join_vector(triad_derived *d, const triad_shape *shape, int i)
{
  char name[3][32], *vector = d->vector[i];
  if (i + 3 > d->n) return 0;
  for (int axis = 0; axis < 3; axis++)
    if (!vector_of(shape, &d->quantity[i + axis], axis, name[axis], sizeof name[axis]) || strcmp(name[axis], name[0]) != 0)
      return 0;
  (void)snprintf(vector, sizeof d->vector[i], "%s%s", name[0], is_named(d, name[0]) ? "_vector" : "");
  for (int axis = 0; axis < 3; axis++) {
    triad_field_info *info = &d->info[i + axis];
    info->role = TRIAD_ROLE_COMPONENT;
    info->of = vector;
    info->number = axis;
    info->solenoidal = 1;
  }
  return 1;
}

int triad_derived_create(triad_derived **out, const triad_case *given, const triad_shape *shape)
{
  *out = NULL;
  if (triad_derived_count(given) == 0) return TRIAD_OK;
  triad_derived *d = *out = calloc(1, sizeof *d);
  if (!d) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the list of fields");
  TRIAD_TRY(read_list(given, d->quantity, &d->n));
  for (int i = 0; i < d->n; i++)
    d->info[i] = (triad_field_info){d->quantity[i].name, d->quantity[i].long_name, d->quantity[i].unit, TRIAD_SCALAR};
  for (int i = 0; i < d->n;) i += join_vector(d, shape, i) ? 3 : 1;
  return triad_fields_check(d->info, d->n);
}

void triad_derived_destroy(triad_derived **derived)
{
  free(*derived);
  *derived = NULL;
}

const triad_field_info *triad_derived_fields(const triad_derived *d, int *n)
{
  *n = d->n;
  return d->info;
}

/* ---- their values ---- */

typedef struct work {
  triad_flow *flow;
  triad_cplx *modes;
  triad_real *part, *other; /* planes */
  int64_t points;
} work;

/* modes += sign (i k_along) f */
static void add_term(const work *w, const triad_quantity_term *t)
{
  const triad_layout *l = w->flow->layout;
  const triad_cplx *f = w->flow->u[t->field];
#pragma omp parallel for schedule(static) num_threads(w->flow->context->threads)
  for (int64_t b = 0; b < l->n_blocks; b++)
    for (int64_t j = 0; j < l->nkz; j++)
      for (int64_t i = 0; i < TRIAD_LANES; i++) {
        const int64_t c = b * TRIAD_LANES + i, at = (b * l->nkz + j) * TRIAD_LANES + i;
        const double k = t->sign * (t->along == 0 ? l->wx[c] : t->along == 1 ? l->wy[c] : t->along == 2 ? l->wz[j] : 1);
        w->modes[at].re += (triad_real)(t->along < 0 ? k * (double)f[at].re : -k * (double)f[at].im);
        w->modes[at].im += (triad_real)(t->along < 0 ? k * (double)f[at].im : k * (double)f[at].re);
      }
}

/* Component i of a quantity at the points. */
static int component(const work *w, const triad_slice_quantity *q, int i, triad_real *out)
{
  triad_quantity_term terms[TRIAD_QUANTITY_TERMS];
  const triad_shape *shape = &w->flow->shape;
  int n = triad_quantity_terms(shape, q, i, terms);
  if (terms[0].field == shape->n_fields) {
    TRIAD_TRY(triad_pressure(w->flow, w->modes));
    return triad_flow_backward(w->flow, w->modes, out);
  }
  if (n == 1 && terms[0].along < 0) return triad_flow_backward(w->flow, w->flow->u[terms[0].field], out);
  memset(w->modes, 0, (size_t)w->flow->layout->modes * sizeof *w->modes);
  for (int t = 0; t < n; t++) add_term(w, &terms[t]);
  return triad_flow_backward(w->flow, w->modes, out);
}

static int sum_of_products(const work *w, const triad_slice_quantity *q, triad_real *out)
{
  memset(out, 0, (size_t)w->points * sizeof *out);
  for (int i = 0; i < 3; i++) {
    TRIAD_TRY(component(w, q, i, w->part));
    TRIAD_TRY(component(w, q, 3 + i, w->other));
    for (int64_t x = 0; x < w->points; x++) out[x] += w->part[x] * w->other[x];
  }
  return TRIAD_OK;
}

static int sum_of_squares(const work *w, const triad_slice_quantity *q, triad_real *out)
{
  memset(out, 0, (size_t)w->points * sizeof *out);
  for (int i = 0; i < triad_quantity_components(q->kind); i++) {
    const triad_real weight = (triad_real)triad_quantity_weight(&w->flow->shape, q->kind, i);
    TRIAD_TRY(component(w, q, i, w->part));
    for (int64_t x = 0; x < w->points; x++) out[x] += weight * w->part[x] * w->part[x];
  }
  for (int64_t x = 0; triad_quantity_way_of(q->kind) == TRIAD_QUANTITY_ROOT && x < w->points; x++) out[x] = TRIAD_SQRT(out[x]);
  return TRIAD_OK;
}

static int put_together(const work *w, const triad_slice_quantity *q, triad_real *out)
{
  switch (triad_quantity_way_of(q->kind)) {
  case TRIAD_QUANTITY_IS: return component(w, q, 0, out);
  case TRIAD_QUANTITY_PRODUCT: return sum_of_products(w, q, out);
  case TRIAD_QUANTITY_SQUARES:
  case TRIAD_QUANTITY_ROOT: return sum_of_squares(w, q, out);
  case TRIAD_QUANTITY_ANGLE: break;
  }
  TRIAD_TRY(component(w, q, 0, w->part));
  TRIAD_TRY(component(w, q, 1, w->other));
  for (int64_t x = 0; x < w->points; x++) out[x] = (triad_real)atan2((double)w->other[x], (double)w->part[x]);
  return TRIAD_OK;
}

int triad_derived_values(const triad_derived *d, triad_flow *flow, int number, triad_real *out)
{
  return triad_derived_quantity(flow, &d->quantity[number], out);
}

int triad_derived_quantity(triad_flow *flow, const triad_slice_quantity *quantity, triad_real *out)
{
  const triad_layout *l = flow->layout;
  triad_memory *m = flow->context->memory;
  work w = {.flow = flow, .points = l->n_planes * l->grid.n[1] * l->grid.n[0]};
  int st = TRIAD_ALLOC(m, "derived fields", l->modes, &w.modes);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(m, "derived fields", w.points, &w.part);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(m, "derived fields", w.points, &w.other);
  st = triad_agree(&flow->context->comm, st);
  if (st == TRIAD_OK) st = triad_state_read_all(flow->state, TRIAD_HOST);
  if (st == TRIAD_OK) st = put_together(&w, quantity, out);
  TRIAD_FREE(m, &w.other);
  TRIAD_FREE(m, &w.part);
  TRIAD_FREE(m, &w.modes);
  return st;
}
