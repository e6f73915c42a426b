/* Compute the quantities of output.fields at all points or in a part of the box, and write their files. */
#include "solvers/spectral/measure/derived.h"
#include "case/slice.h"
#include "solvers/slice_list.h"
#include "solvers/spectral/measure/part_grid.h"
#include "solvers/spectral/measure/pressure.h"
#include "solvers/spectral/plain/quantity.h"
#include "solvers/spectral/plain/slice_image.h"
#include "solvers/spectral/part.h"
#include "store/fields/fieldpack.h"
#include "store/hdf5/zfp.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct triad_derived {
  int n;
  triad_part_grid part;
  triad_slice_quantity quantity[TRIAD_FIELD_LIST];
  triad_field_info info[TRIAD_FIELD_LIST];
  char vector[TRIAD_FIELD_LIST][40]; /* names of those that a component is part of */
};

/* The list of a case that has been checked; where it names no quantities those are the fields of the state. */
static int read_list(const triad_case *given, const triad_shape *shape, triad_field_list *list)
{
  const char *texts[TRIAD_FIELD_LIST];
  char why[256];
  triad_own_names own;
  triad_own_names_of(given, &own);
  int n = triad_case_texts(given, "output.fields", texts, TRIAD_FIELD_LIST);
  *list = (triad_field_list){0};
  for (int i = 0; i < n; i++)
    if (!triad_field_list_take(list, texts[i], triad_case_word(given, "equations.solver"), &own, why, sizeof why))
      return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "output.fields: %s", why);
  if (n == 0 || list->n > 0) return TRIAD_OK;
  if (shape->n_fields > TRIAD_FIELD_LIST)
    return TRIAD_FAIL(TRIAD_ERR_CASE,
                      "output.fields: this flow has %d fields, but one list can have at most %d: name those to write",
                      shape->n_fields, TRIAD_FIELD_LIST);
  for (int f = 0; f < shape->n_fields; f++) {
    triad_slice_quantity *q = &list->quantity[list->n++];
    *q = (triad_slice_quantity){.unit = shape->fields[f].unit, .kind = TRIAD_QUANTITY_FIELD};
    (void)snprintf(q->name, sizeof q->name, "%.31s", shape->fields[f].name);
    (void)snprintf(q->field, sizeof q->field, "%.31s", shape->fields[f].name);
    (void)snprintf(q->long_name, sizeof q->long_name, "%.79s", shape->fields[f].long_name);
  }
  return TRIAD_OK;
}

/* The number of quantities of output.fields; 0: the fields of the state are written. */
static int count_quantities(const triad_case *given)
{
  const char *texts[TRIAD_FIELD_LIST];
  return triad_case_texts(given, "output.fields", texts, TRIAD_FIELD_LIST);
}

int triad_derived_check(const triad_case *given, const triad_grid *grid, const triad_shape *shape)
{
  triad_field_list list;
  triad_part_grid part;
  TRIAD_TRY(read_list(given, shape, &list));
  for (int i = 0; i < list.n; i++) TRIAD_TRY(triad_quantity_check(shape, &list.quantity[i], "output.fields"));
  TRIAD_TRY(triad_part_grid_plan(&part, &list, grid));
  if (triad_case_real(given, "output.fields_error") <= 0) return TRIAD_OK;
  if (triad_part_grid_is_cut(&part))
    return TRIAD_FAIL(TRIAD_ERR_CASE, "output.fields_error: a part of the box has no shells of wavenumbers: remove the "
                                      "box of output.fields, or use \"modes\"");
  return triad_zfp_need("output.fields_error");
}

int64_t triad_derived_bytes(const triad_case *given, const triad_grid *grid, const triad_shape *shape)
{
  triad_field_list list;
  triad_part_grid part;
  const int64_t real = triad_case_is(given, "output.fields_precision", "single")   ? 4
                       : triad_case_is(given, "output.fields_precision", "double") ? 8
                                                                                   : (int64_t)sizeof(triad_real);
  if (read_list(given, shape, &list) != TRIAD_OK || triad_part_grid_plan(&part, &list, grid) != TRIAD_OK) {
    triad_message_clear();
    return 0;
  }
  return (list.n > 0 ? list.n : shape->n_fields) * part.count[0] * part.count[1] * part.count[2] * real;
}

int triad_derived_pressure(const triad_case *given)
{
  const triad_shape none = {0};
  triad_field_list list;
  triad_slice slices[TRIAD_SLICES];
  int n = 0, shown = 0;
  if (triad_slice_list_read(given, slices, &n) == TRIAD_OK) shown = triad_slice_shows_pressure(slices, n);
  if (triad_case_real(given, "output.fields_interval") <= 0 || read_list(given, &none, &list) != TRIAD_OK) return shown;
  for (int i = 0; i < list.n; i++) shown |= list.quantity[i].kind == TRIAD_SPECTRAL_PRESSURE;
  return shown;
}

/* The maximum number of additional planes that a formula among them needs, in any set. */
static int parts_of_own(const triad_case *given)
{
  triad_shape shape = {0};
  triad_field_list list;
  int most = 0;
  if (triad_own_quantities_make(&shape, given) == TRIAD_OK && read_list(given, &shape, &list) == TRIAD_OK)
    for (int i = 0; i < list.n; i++)
      if (list.quantity[i].kind == TRIAD_QUANTITY_FORMULA && triad_quantity_parts(&shape, &list.quantity[i]) > most)
        most = triad_quantity_parts(&shape, &list.quantity[i]);
  triad_message_clear(); /* errors are reported when the field is created */
  triad_shape_clear(&shape);
  return most;
}

int64_t triad_derived_memory(const triad_case *given, const triad_layout *l)
{
  if (count_quantities(given) == 0) return 0;
  return 2 * l->modes * (int64_t)sizeof(triad_cplx) +
         (3 + parts_of_own(given)) * triad_layout_points(l) * (int64_t)sizeof(triad_real);
}

int64_t triad_derived_packing(const triad_case *given, const triad_layout *l, const triad_shape *shape)
{
  const int64_t dims[3] = {l->grid.n[2], l->grid.n[1], l->grid.n[0]};
  if (triad_case_real(given, "output.fields_interval") <= 0 || triad_case_real(given, "output.fields_error") <= 0)
    return 0;
  return triad_field_pack_memory(dims, l->size) +
         dims[0] * dims[1] * dims[2] / l->size * 2 * (int64_t)sizeof(triad_real) +
         triad_derived_bytes(given, &l->grid, shape);
}

int64_t triad_derived_own_memory(const triad_case *given, const triad_layout *l)
{
  triad_shape shape = {0};
  int most = 0;
  if (triad_own_quantities_make(&shape, given) == TRIAD_OK)
    for (int i = 0; i < shape.n_own; i++) most = shape.own[i].n > most ? shape.own[i].n : most;
  triad_shape_clear(&shape);
  return 2 * l->modes * (int64_t)sizeof(triad_cplx) + (3 + most) * triad_layout_points(l) * (int64_t)sizeof(triad_real);
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
  if (q->kind != TRIAD_QUANTITY_FIELD || f < 0 || shape->fields[f].role != TRIAD_ROLE_COMPONENT ||
      shape->fields[f].number != axis)
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
    if (!vector_of(shape, &d->quantity[i + axis], axis, name[axis], sizeof name[axis]) ||
        strcmp(name[axis], name[0]) != 0)
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

int triad_derived_create(triad_derived **out, triad_flow *flow)
{
  triad_field_list list;
  *out = NULL;
  if (count_quantities(flow->given) == 0) return TRIAD_OK;
  triad_derived *d = *out = calloc(1, sizeof *d);
  if (!d) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the list of fields");
  TRIAD_TRY(read_list(flow->given, &flow->shape, &list));
  TRIAD_TRY(triad_part_grid_plan(&d->part, &list, &flow->grid));
  TRIAD_TRY(triad_part_grid_deal(&d->part, &flow->context->comm));
  d->n = list.n;
  memcpy(d->quantity, list.quantity, sizeof d->quantity);
  for (int i = 0; i < d->n; i++)
    d->info[i] = (triad_field_info){d->quantity[i].name, d->quantity[i].long_name, d->quantity[i].unit, TRIAD_SCALAR};
  for (int i = 0; i < d->n;) i += join_vector(d, &flow->shape, i) ? 3 : 1;
  return triad_fields_check(d->info, d->n);
}

void triad_derived_destroy(triad_derived **derived)
{
  if (*derived) triad_part_grid_clear(&(*derived)->part);
  free(*derived);
  *derived = NULL;
}

void triad_derived_info(const triad_derived *d, const triad_flow *flow, triad_values_info *info)
{
  info->n = d->n;
  info->fields = d->info;
  triad_part_grid_space(&d->part, flow, &info->space);
}

/* ---- their values ---- */

typedef struct work {
  triad_flow *flow;
  const triad_part_grid *grid;
  triad_cplx *modes;
  triad_real *part, *other; /* planes */
  int64_t points;
} work;

/* modes += sign (i k_along) f */
static void add_term(const triad_flow *flow, const triad_quantity_term *t, triad_cplx *modes)
{
  const triad_layout *l = flow->layout;
  const triad_cplx *f = flow->u[t->field];
#pragma omp parallel for schedule(static) num_threads(flow->context->threads)
  for (int64_t b = 0; b < l->n_blocks; b++)
    for (int64_t j = 0; j < l->nkz; j++)
      for (int64_t i = 0; i < TRIAD_LANES; i++) {
        const int64_t c = b * TRIAD_LANES + i, at = (b * l->nkz + j) * TRIAD_LANES + i;
        const double k = t->sign * (t->along == 0 ? l->wx[c] : t->along == 1 ? l->wy[c] : t->along == 2 ? l->wz[j] : 1);
        modes[at].re += (triad_real)(t->along < 0 ? k * (double)f[at].re : -k * (double)f[at].im);
        modes[at].im += (triad_real)(t->along < 0 ? k * (double)f[at].im : k * (double)f[at].re);
      }
}

/* The modes of a sum of terms: the field's own, or made in `modes`. */
static const triad_cplx *modes_of(const triad_flow *flow, const triad_quantity_term *terms, int n, triad_cplx *modes)
{
  if (n == 1 && terms[0].along < 0) return flow->u[terms[0].field];
  memset(modes, 0, (size_t)flow->layout->modes * sizeof *modes);
  for (int t = 0; t < n; t++) add_term(flow, &terms[t], modes);
  return modes;
}

/* Component i of a quantity at the points. */
static int component(const work *w, const triad_slice_quantity *q, int i, triad_real *out)
{
  triad_quantity_term terms[TRIAD_QUANTITY_TERMS];
  const triad_shape *shape = &w->flow->shape;
  int n = triad_quantity_terms(shape, q, i, terms);
  if (terms[0].field != shape->n_fields)
    return triad_part_grid_backward(w->grid, w->flow, modes_of(w->flow, terms, n, w->modes), out);
  TRIAD_TRY(triad_pressure(w->flow, w->modes));
  return triad_part_grid_backward(w->grid, w->flow, w->modes, out);
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
  for (int64_t x = 0; triad_quantity_way_of(q->kind) == TRIAD_QUANTITY_ROOT && x < w->points; x++)
    out[x] = TRIAD_SQRT(out[x]);
  return TRIAD_OK;
}

enum { ROW = 128 };

/* A formula at the points, piece by piece of a row. */
static void formula_rows(const work *w, const triad_own_quantity *own, triad_real *const *part, triad_real *out)
{
  const triad_grid *g = &w->flow->grid;
  const triad_layout *l = w->flow->layout;
  const int64_t nx = g->n[0], rows = l->n_planes * l->n_y;
#pragma omp parallel for schedule(static) num_threads(w->flow->context->threads)
  for (int64_t r = 0; r < rows; r++)
    for (int64_t from = 0; from < nx; from += ROW) {
      double at[3][ROW], value[TRIAD_QUANTITY_VARIABLES][ROW], result[ROW];
      const double *const places[3] = {at[0], at[1], at[2]};
      const double *values[TRIAD_QUANTITY_VARIABLES];
      const int64_t n = nx - from < ROW ? nx - from : ROW;
      for (int64_t x = 0; x < n; x++) {
        at[0][x] = triad_grid_spacing(g, 0) * (double)(from + x);
        at[1][x] = triad_grid_spacing(g, 1) * (double)(l->first_y + r % l->n_y);
        at[2][x] = triad_grid_spacing(g, 2) * (double)(l->first_plane + r / l->n_y);
      }
      for (int i = 0; i < own->n; i++) {
        values[i] = value[i];
        for (int64_t x = 0; x < n; x++) value[i][x] = (double)part[i][r * nx + from + x];
      }
      triad_own_quantity_row(own, n, places, values, result);
      for (int64_t x = 0; x < n; x++) out[r * nx + from + x] = (triad_real)result[x];
    }
}

/* Once for a quantity: where it is first no number or infinite, in the order of z, y, x, and at how many points. */
static int warn_of_values(const work *w, triad_own_quantity *own, const triad_real *out)
{
  const triad_flow *flow = w->flow;
  const triad_layout *l = flow->layout;
  const triad_grid *g = &flow->grid;
  const int64_t nx = g->n[0];
  int64_t mine[2] = {0, INT64_MAX}, all = 0, at = 0;
  int is_nan = 0, first_is_nan = 0;
  for (int64_t i = l->n_planes * l->n_y * nx - 1; i >= 0; i--) {
    if (isfinite(out[i])) continue;
    const int64_t r = i / nx, here = ((l->first_plane + r / l->n_y) * g->n[1] + l->first_y + r % l->n_y) * nx + i % nx;
    mine[0]++;
    is_nan = here < mine[1] ? isnan(out[i]) : is_nan;
    mine[1] = here < mine[1] ? here : mine[1];
  }
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(&mine[0], &all, 1, MPI_INT64_T, MPI_SUM, flow->context->comm.mpi)));
  if (all == 0) return TRIAD_OK;
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(&mine[1], &at, 1, MPI_INT64_T, MPI_MIN, flow->context->comm.mpi)));
  is_nan &= mine[1] == at;
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(&is_nan, &first_is_nan, 1, MPI_INT, MPI_MAX, flow->context->comm.mpi)));
  const int64_t p[3] = {at % nx, at / nx % g->n[1], at / nx / g->n[1]};
  triad_own_bad bad = {.count = all, .all = triad_grid_points(g), .is_nan = first_is_nan};
  for (int a = 0; a < 3; a++) bad.at[a] = (double)p[a] * triad_grid_spacing(g, a);
  (void)snprintf(bad.where, sizeof bad.where, "indices %" PRId64 " %" PRId64 " %" PRId64, p[0], p[1], p[2]);
  triad_own_quantity_warn(own, TRIAD_QUANTITY_AT_POINTS, flow->log, &bad, flow->at.step, flow->at.t);
  return TRIAD_OK;
}

static int of_formula(const work *w, const triad_slice_quantity *q, triad_real *out)
{
  triad_own_quantity *own = &w->flow->shape.own[q->component];
  triad_memory *m = w->flow->context->memory;
  triad_real *part[TRIAD_QUANTITY_VARIABLES] = {NULL};
  int st = TRIAD_OK;
  for (int i = 0; st == TRIAD_OK && i < own->n; i++) st = TRIAD_ALLOC(m, "derived fields", w->points, &part[i]);
  st = triad_agree(&w->flow->context->comm, st);
  for (int i = 0; st == TRIAD_OK && i < own->n; i++) st = component(w, q, i, part[i]);
  if (st == TRIAD_OK) formula_rows(w, own, part, out);
  if (st == TRIAD_OK) st = warn_of_values(w, own, out);
  for (int i = own->n - 1; i >= 0; i--) TRIAD_FREE(m, &part[i]);
  return st;
}

static int put_together(const work *w, const triad_slice_quantity *q, triad_real *out)
{
  switch (triad_quantity_way_of(q->kind)) {
  case TRIAD_QUANTITY_IS: return component(w, q, 0, out);
  case TRIAD_QUANTITY_PRODUCT: return sum_of_products(w, q, out);
  case TRIAD_QUANTITY_SQUARES:
  case TRIAD_QUANTITY_ROOT: return sum_of_squares(w, q, out);
  case TRIAD_QUANTITY_OF_FORMULA: return of_formula(w, q, out);
  case TRIAD_QUANTITY_ANGLE: break;
  }
  TRIAD_TRY(component(w, q, 0, w->part));
  TRIAD_TRY(component(w, q, 1, w->other));
  for (int64_t x = 0; x < w->points; x++) out[x] = (triad_real)atan2((double)w->other[x], (double)w->part[x]);
  return TRIAD_OK;
}

static int values_of(const triad_part_grid *part, triad_flow *flow, const triad_slice_quantity *quantity,
                     triad_real *out)
{
  triad_memory *m = flow->context->memory;
  work w = {.flow = flow, .grid = part, .points = triad_part_grid_points(part, flow)};
  triad_real *whole = NULL; /* where `out` has the points of a box alone */
  const int cut = triad_part_grid_is_cut(part);
  int st = TRIAD_ALLOC(m, "derived fields", flow->layout->modes, &w.modes);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(m, "derived fields", w.points, &w.part);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(m, "derived fields", w.points, &w.other);
  if (st == TRIAD_OK && cut) st = TRIAD_ALLOC(m, "derived fields", w.points, &whole);
  st = triad_agree(&flow->context->comm, st);
  if (st == TRIAD_OK) st = triad_state_read_all(flow->state, TRIAD_HOST);
  if (st == TRIAD_OK) st = put_together(&w, quantity, cut ? whole : out);
  if (st == TRIAD_OK && cut) triad_part_grid_cut(part, flow, whole, out);
  TRIAD_FREE(m, &whole);
  TRIAD_FREE(m, &w.other);
  TRIAD_FREE(m, &w.part);
  TRIAD_FREE(m, &w.modes);
  return st;
}

int triad_derived_values(const triad_derived *d, triad_flow *flow, int number, triad_real *out)
{
  return values_of(&d->part, flow, &d->quantity[number], out);
}

int triad_derived_quantity(triad_flow *flow, const triad_slice_quantity *quantity, triad_real *out)
{
  const triad_field_list all = {0};
  const triad_comm *comm = &flow->context->comm;
  triad_part_grid whole;
  int st = triad_part_grid_plan(&whole, &all, &flow->grid);
  if (st == TRIAD_OK) st = triad_part_grid_deal(&whole, comm);
  st = triad_agree(comm, st);
  if (st == TRIAD_OK) st = values_of(&whole, flow, quantity, out);
  triad_part_grid_clear(&whole);
  return st;
}
