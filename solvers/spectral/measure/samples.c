#include "solvers/spectral/measure/samples.h"
#include "solvers/spectral/measure/derived.h"
#include "solvers/spectral/measure/output.h"
#include "solvers/spectral/measure/plane_sums.h"
#include "solvers/spectral/part.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOMENTS = 4, BINS = 200, STRAINS = 6 };
static const double REACH = 10; /* of the bins, in rms */
static const char letters[] = "xyz";
static const char *const axis_names[3] = {"x", "y", "z"};

typedef struct job {
  triad_flow *flow;
  triad_contents *c;
  triad_mean_list ask;
  triad_field_group velocity;
  triad_real *points[4]; /* the velocity's, and one more field's; of a flow without velocity the last alone */
  triad_cplx *modes;
  double *room;
  int64_t *mine, *counts;
} job;

triad_mean_list triad_samples_asked(const triad_case *given)
{
  const char *texts[TRIAD_MEANS];
  char why[256];
  triad_mean_list list = {0};
  int n = triad_case_texts(given, "output.means", texts, TRIAD_MEANS);
  for (int i = 0; i < n; i++) (void)triad_mean_take(&list, texts[i], why, sizeof why); /* checked with the case */
  return list;
}

static int has_profiles(const triad_mean_list *ask) { return ask->profiles[0] || ask->profiles[1] || ask->profiles[2]; }

static int has_points(const triad_mean_list *ask) { return ask->moments || ask->pdfs || has_profiles(ask); }

static int has_dissipation(const triad_shape *shape) { return triad_shape_group(shape, "velocity").n == 3 && shape->viscosity > 0; }

/* Variables that moments are taken of: fields, and derivatives of a velocity. */
static int variables(const triad_shape *shape) { return shape->n_fields + (triad_shape_group(shape, "velocity").n == 3 ? 3 : 0); }

/* Means, products of each pair that is asked for, and the dissipation of a profile. */
static int profile_arrays(const triad_shape *shape)
{
  int n = shape->n_fields, velocity = triad_shape_group(shape, "velocity").n == 3;
  return 2 * n + (velocity ? 3 + 3 * (n - 3) : 0) + has_dissipation(shape);
}

static int most_arrays(const triad_mean_list *ask, const triad_shape *shape)
{
  int n = ask->spectra ? triad_output_shells_most(shape) : 0;
  if (ask->moments) n += 1 + variables(shape);
  if (ask->pdfs) n += 1 + variables(shape);
  for (int axis = 0; axis < 3; axis++) n += ask->profiles[axis] ? 1 + profile_arrays(shape) : 0;
  return n;
}

int64_t triad_samples_values(const triad_case *given, const triad_grid *grid, const triad_shape *shape)
{
  triad_mean_list ask = triad_samples_asked(given);
  int64_t values = ask.spectra ? triad_output_shells_values(given, grid, shape) : 0;
  if (ask.moments) values += MOMENTS * (1 + variables(shape));
  if (ask.pdfs) values += BINS * (1 + variables(shape));
  for (int axis = 0; axis < 3; axis++) values += ask.profiles[axis] ? grid->n[axis] * (1 + profile_arrays(shape)) : 0;
  return values;
}

int64_t triad_samples_memory(const triad_case *given, const triad_layout *l, const triad_shape *shape, int threads)
{
  triad_mean_list ask = triad_samples_asked(given);
  if (!has_points(&ask)) return 0;
  int64_t points = l->n_planes * l->grid.n[1] * l->grid.n[0];
  return (triad_shape_group(shape, "velocity").n == 3 ? 4 : 1) * points * (int64_t)sizeof(triad_real) +
         l->modes * (int64_t)sizeof(triad_cplx) +
         (triad_plane_sums_room(&l->grid) + (int64_t)(threads + 1) * BINS) * (int64_t)sizeof(double);
}

/* ---- moments and PDFs ---- */

static void add_scales(job *j)
{
  double *order = NULL, *bin = NULL;
  if (j->ask.moments)
    order = triad_contents_add(j->c, (triad_spectrum){.name = "order", .units = "1", .long_name = "power p of the moment",
                                                      .n_dims = 1, .dims = {MOMENTS}, .scale = {"order"}});
  for (int p = 0; order && p < MOMENTS; p++) order[p] = p + 1;
  if (j->ask.pdfs)
    bin = triad_contents_add(j->c, (triad_spectrum){.name = "deviation", .units = "1", .n_dims = 1, .dims = {BINS},
                                                    .long_name = "deviation from the mean over the rms: centre of the bin",
                                                    .scale = {"deviation"}});
  for (int b = 0; bin && b < BINS; b++) bin[b] = REACH * (2 * b + 1 - BINS) / BINS;
}

/* Of a variable at the points: name "u", "du_dx". */
static int add_moments(job *j, const char *name, const char *unit, const triad_real *a)
{
  const triad_flow *flow = j->flow;
  double m[MOMENTS];
  if (!j->ask.moments && !j->ask.pdfs) return TRIAD_OK;
  TRIAD_TRY(triad_point_moments(flow->context, flow->layout, a, j->room, m));
  if (j->ask.moments) {
    double *to = triad_contents_add(j->c, (triad_spectrum){
      .name = triad_contents_text(j->c, "%s_moments", name), .units = triad_contents_text(j->c, "(%s)^p", unit), .n_dims = 1,
      .long_name = triad_contents_text(j->c, "mean of %s, and means of powers 2, 3, 4 of its deviation from it", name),
      .dims = {MOMENTS}, .scale = {"order"}});
    memcpy(to, m, sizeof m);
  }
  if (!j->ask.pdfs) return TRIAD_OK;
  double *pdf = triad_contents_add(j->c, (triad_spectrum){
    .name = triad_contents_text(j->c, "%s_pdf", name), .units = "1", .n_dims = 1, .dims = {BINS}, .scale = {"deviation"},
    .long_name = triad_contents_text(j->c, "probability density of the deviation of %s over its rms at the time", name)});
  if (!(m[1] > 0)) return TRIAD_OK;
  TRIAD_TRY(triad_point_counts(flow->context, flow->layout, a, m[0], sqrt(m[1]), REACH, BINS, j->mine, j->counts));
  for (int b = 0; b < BINS; b++)
    pdf[b] = (double)j->counts[b] / (double)triad_grid_points(&flow->grid) / (2 * REACH / BINS);
  return TRIAD_OK;
}

/* ---- profiles ---- */

static double *add_profile(job *j, int axis, const char *name, const char *unit, const char *about)
{
  return triad_contents_add(j->c, (triad_spectrum){
    .name = name, .units = unit, .long_name = about, .n_dims = 1, .dims = {j->flow->grid.n[axis]},
    .scale = {axis_names[axis]}});
}

static int add_mean(job *j, int axis, const triad_field_info *f, const triad_real *a)
{
  triad_contents *c = j->c;
  double *to = add_profile(j, axis, triad_contents_text(c, "mean_%s_%c", f->name, letters[axis]), f->unit,
                           triad_contents_text(c, "%s, mean over planes across %c", f->long_name, letters[axis]));
  return triad_plane_means(j->flow->context, j->flow->layout, axis, a, NULL, j->room, to);
}

static int add_product(job *j, int axis, const triad_field_info *f, const triad_real *a, const triad_field_info *g,
                       const triad_real *b)
{
  triad_contents *c = j->c;
  const char *unit = f == g ? triad_contents_text(c, f->unit[1] ? "(%s)^2" : "%s^2", f->unit)
                            : triad_contents_text(c, "%s %s", f->unit, g->unit);
  double *to = add_profile(j, axis, triad_contents_text(c, "cov_%s_%s_%c", f->name, g->name, letters[axis]), unit,
                           triad_contents_text(c, "covariance of %s and %s over planes across %c", f->name, g->name, letters[axis]));
  triad_spectrum *s = &c->list[c->n - 1];
  s->less[0] = triad_contents_text(c, "mean_%s_%c", f->name, letters[axis]);
  s->less[1] = f == g ? s->less[0] : triad_contents_text(c, "mean_%s_%c", g->name, letters[axis]);
  return triad_plane_means(j->flow->context, j->flow->layout, axis, a, b, j->room, to);
}

/* Profiles of field f, which has just come to its points; those of a velocity come first. */
static int add_profiles(job *j, int f, const triad_real *a)
{
  const triad_field_info *fields = j->flow->shape.fields;
  const triad_field_group *v = &j->velocity;
  const int inside = f >= v->first && f < v->first + v->n;
  for (int axis = 0; axis < 3; axis++) {
    if (!j->ask.profiles[axis]) continue;
    TRIAD_TRY(add_mean(j, axis, &fields[f], a));
    for (int i = 0; i < (inside ? f - v->first : v->n); i++)
      TRIAD_TRY(add_product(j, axis, &fields[v->first + i], j->points[i], &fields[f], a));
    TRIAD_TRY(add_product(j, axis, &fields[f], a, &fields[f], a));
  }
  return TRIAD_OK;
}

/* 2 viscosity S:S, S a component at a time. */
static int add_dissipation(job *j)
{
  const triad_shape *shape = &j->flow->shape;
  triad_slice_quantity q = {.kind = TRIAD_SPECTRAL_DISSIPATION};
  double *to[3] = {NULL};
  int64_t most = 0;
  (void)snprintf(q.field, sizeof q.field, "%s", shape->fields[j->velocity.first].name);
  for (int axis = 0; axis < 3; axis++) {
    if (!j->ask.profiles[axis]) continue;
    to[axis] = add_profile(j, axis, triad_contents_text(j->c, "dissipation_%c", letters[axis]), "U^2/T",
                           triad_contents_text(j->c, "dissipation 2 viscosity S:S, mean over planes across %c", letters[axis]));
    if (j->flow->grid.n[axis] > most) most = j->flow->grid.n[axis];
  }
  double part[most];
  for (int i = 0; i < STRAINS; i++) {
    triad_quantity_term terms[TRIAD_QUANTITY_TERMS];
    int n = triad_quantity_terms(shape, &q, i, terms);
    TRIAD_TRY(triad_derived_terms(j->flow, terms, n, j->modes, j->points[3]));
    for (int axis = 0; axis < 3; axis++) {
      if (!to[axis]) continue;
      TRIAD_TRY(triad_plane_means(j->flow->context, j->flow->layout, axis, j->points[3], j->points[3], j->room, part));
      for (int64_t k = 0; k < j->flow->grid.n[axis]; k++) to[axis][k] += triad_quantity_weight(shape, q.kind, i) * part[k];
    }
  }
  return TRIAD_OK;
}

/* ---- a sample ---- */

static int take(job *j)
{
  const triad_layout *l = j->flow->layout;
  triad_memory *memory = j->flow->context->memory;
  const int64_t points = l->n_planes * l->grid.n[1] * l->grid.n[0];
  for (int i = j->velocity.n == 3 ? 0 : 3; i < 4; i++) TRIAD_TRY(TRIAD_ALLOC(memory, "means", points, &j->points[i]));
  TRIAD_TRY(TRIAD_ALLOC(memory, "means", l->modes, &j->modes));
  TRIAD_TRY(TRIAD_ALLOC(memory, "means", triad_plane_sums_room(&l->grid), &j->room));
  TRIAD_TRY(TRIAD_ALLOC(memory, "means", BINS, &j->counts));
  return TRIAD_ALLOC(memory, "means", (int64_t)j->flow->context->threads * BINS, &j->mine);
}

static void give(job *j)
{
  triad_memory *memory = j->flow->context->memory;
  TRIAD_FREE(memory, &j->mine);
  TRIAD_FREE(memory, &j->counts);
  TRIAD_FREE(memory, &j->room);
  TRIAD_FREE(memory, &j->modes);
  for (int i = 0; i < 4; i++) TRIAD_FREE(memory, &j->points[i]);
}

static int add_field(job *j, int f)
{
  const triad_field_info *info = &j->flow->shape.fields[f];
  const int number = f - j->velocity.first, inside = number >= 0 && number < j->velocity.n;
  triad_real *a = j->points[inside ? number : 3];
  TRIAD_TRY(triad_flow_backward(j->flow, j->flow->u[f], a));
  TRIAD_TRY(add_moments(j, info->name, info->unit, a));
  return add_profiles(j, f, a);
}

/* du/dx, dv/dy, dw/dz. */
static int add_derivatives(job *j)
{
  for (int i = 0; i < 3 && (j->ask.moments || j->ask.pdfs); i++) {
    const triad_quantity_term term = {j->velocity.first + i, i, 1};
    char name[80];
    (void)snprintf(name, sizeof name, "d%.40s_d%c", j->flow->shape.fields[j->velocity.first + i].name, letters[i]);
    TRIAD_TRY(triad_derived_terms(j->flow, &term, 1, j->modes, j->points[3]));
    TRIAD_TRY(add_moments(j, name, "1/T", j->points[3]));
  }
  return TRIAD_OK;
}

static int at_points(job *j)
{
  const triad_shape *shape = &j->flow->shape;
  const int first = j->velocity.first, n = j->velocity.n;
  add_scales(j);
  for (int axis = 0; axis < 3; axis++)
    if (j->ask.profiles[axis])
      triad_contents_scale(j->c, axis_names[axis], "L",
                           triad_contents_text(j->c, "coordinate along %c", letters[axis]), j->flow->grid.n[axis],
                           triad_grid_spacing(&j->flow->grid, axis));
  for (int i = 0; i < n; i++) TRIAD_TRY(add_field(j, first + i));
  for (int f = 0; f < shape->n_fields; f++)
    if (f < first || f >= first + n) TRIAD_TRY(add_field(j, f));
  if (n == 3) TRIAD_TRY(add_derivatives(j));
  return has_profiles(&j->ask) && has_dissipation(shape) ? add_dissipation(j) : TRIAD_OK;
}

int triad_samples_take(void *self, const double *columns, triad_contents **out)
{
  triad_flow *flow = self;
  const triad_comm *comm = &flow->context->comm;
  job j = {.flow = flow, .ask = triad_samples_asked(flow->given), .velocity = triad_shape_group(&flow->shape, "velocity")};
  if (j.velocity.n != 3) j.velocity = (triad_field_group){0};
  int st = triad_contents_create(out, flow->context->memory, most_arrays(&j.ask, &flow->shape),
                                 triad_samples_values(flow->given, &flow->grid, &flow->shape));
  j.c = *out;
  st = triad_agree(comm, st);
  if (st == TRIAD_OK && j.ask.spectra) st = triad_output_shells(j.c, flow, columns[0]);
  if (st != TRIAD_OK || !has_points(&j.ask)) return st;
  st = triad_agree(comm, take(&j));
  if (st == TRIAD_OK) st = triad_state_read_all(flow->state, TRIAD_HOST);
  if (st == TRIAD_OK) st = at_points(&j);
  give(&j);
  return st;
}
