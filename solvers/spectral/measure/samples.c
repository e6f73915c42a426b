/* Take samples for running means: spectra, moments, PDFs, profiles and the quantities of a case. */
#include "solvers/spectral/measure/samples.h"
#include "solvers/spectral/measure/output_spectra.h"
#include "solvers/spectral/measure/samples_internal.h"
#include "solvers/spectral/measure/derived.h"
#include "solvers/spectral/part.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOMENTS = TRIAD_POINT_MOMENTS, BINS = TRIAD_SAMPLE_BINS, STRAINS = 6 };
static const double REACH = TRIAD_SAMPLE_REACH;
static const char letters[] = "xyz";
static const char *const axis_names[3] = {"x", "y", "z"};

typedef triad_samples_job job;

static int own_quantities(const triad_mean_list *ask, const triad_shape *shape)
{
  return ask->quantities ? shape->n_own : 0;
}

static int has_profiles(const triad_mean_list *ask) { return ask->profiles[0] || ask->profiles[1] || ask->profiles[2]; }

static int has_points(const triad_mean_list *ask) { return ask->moments || ask->pdfs || has_profiles(ask); }

static int has_dissipation(const triad_shape *shape)
{
  return triad_shape_group(shape, "velocity").n == 3 && shape->viscosity > 0;
}

/* Variables that moments are taken of: fields, and derivatives of a velocity. */
static int variables(const triad_shape *shape)
{
  return shape->n_fields + (triad_shape_group(shape, "velocity").n == 3 ? 3 : 0);
}

/* Means, products of each pair that is asked for, and the dissipation of a profile. */
static int profile_arrays(const triad_shape *shape)
{
  int n = shape->n_fields, velocity = triad_shape_group(shape, "velocity").n == 3;
  return 2 * n + (velocity ? 3 + 3 * (n - 3) : 0) + has_dissipation(shape);
}

static int most_arrays(const triad_mean_list *ask, const triad_shape *shape)
{
  int n = ask->spectra ? triad_output_shells_most(shape) : 0;
  const int own = own_quantities(ask, shape);
  if (ask->moments) n += 1 + variables(shape) + own;
  if (ask->pdfs) n += 1 + variables(shape) + own;
  for (int axis = 0; axis < 3; axis++) n += ask->profiles[axis] ? 1 + profile_arrays(shape) + 2 * own : 0;
  return n;
}

/* The number of values in a sample. */
static int64_t count_values(const triad_case *given, const triad_grid *grid, const triad_shape *shape)
{
  triad_mean_list ask = triad_mean_asked(given);
  int64_t values = ask.spectra ? triad_output_shells_values(given, grid, shape) : 0;
  const int own = own_quantities(&ask, shape);
  if (ask.moments) values += MOMENTS * (1 + variables(shape) + own);
  if (ask.pdfs) values += BINS * (1 + variables(shape) + own);
  for (int axis = 0; axis < 3; axis++)
    values += ask.profiles[axis] ? grid->n[axis] * (1 + profile_arrays(shape) + 2 * own) : 0;
  return values;
}

int64_t triad_samples_memory(const triad_case *given, const triad_layout *l, int threads)
{
  triad_mean_list ask = triad_mean_asked(given);
  if (!has_points(&ask)) return 0;
  const int64_t own = ask.quantities ? triad_derived_own_memory(given, l) : 0,
                sums = triad_point_sums_memory(l, threads, ask.pdfs ? BINS : 0);
  return own > sums ? own : sums; /* one after the other */
}

/* ---- moments and PDFs ---- */

static void add_scales(job *j)
{
  if (j->ask.moments) triad_sample_add_orders(j->c);
  if (j->ask.pdfs) triad_sample_add_deviations(j->c);
}

/* Add the requested outputs for `names` inputs of a job, from number `first` on, whose moments have been computed. */
static int add_moments(job *j, triad_point_job *p, int first, const char *const *names, const char *const *units)
{
  int64_t counts[TRIAD_POINT_INPUTS][BINS];
  if (j->ask.pdfs) {
    triad_point_job histogram = {.n_in = p->n_in, .bins = BINS, .reach = REACH};
    memcpy(histogram.in, p->in, sizeof p->in);
    for (int f = 0; f < p->n_in; f++) {
      histogram.mean[f] = p->moment[f][0];
      histogram.scale[f] = f < first ? 0 : sqrt(p->moment[f][1]);
      histogram.counts[f] = counts[f];
    }
    TRIAD_TRY(triad_point_sums(j->flow, &histogram));
  }
  for (int f = first; f < p->n_in; f++) {
    if (j->ask.moments) triad_samples_put_moments(j, names[f - first], units[f - first], p->moment[f]);
    if (j->ask.pdfs) triad_samples_put_pdf(j, names[f - first], p->moment[f], counts[f]);
  }
  return TRIAD_OK;
}

/* ---- profiles ---- */

/* A product of inputs a and b (-1: a alone), which are fields f and g, to its profiles. */
static void ask_product(job *j, triad_point_job *p, int a, int b, const triad_field_info *f, const triad_field_info *g)
{
  for (int axis = 0; axis < 3; axis++)
    if (j->ask.profiles[axis])
      p->profile[axis][p->n_products] =
        b < 0 ? triad_samples_add_mean(j, axis, f) : triad_samples_add_covariance(j, axis, f, g);
  p->product[p->n_products++] = (triad_point_product){a, b};
}

static void ask_field(triad_point_job *p, int field) { p->in[p->n_in++] = (triad_point_input){1, {{field, -1, 1}}}; }

/* A velocity, all products of two components; or, behind a velocity that it is carried by, another field. */
static int add_fields(job *j, int first, int n)
{
  const triad_field_info *fields = j->flow->shape.fields;
  const int carried = j->velocity.n > 0 && first != j->velocity.first && has_profiles(&j->ask) ? j->velocity.n : 0;
  const char *names[TRIAD_POINT_INPUTS], *units[TRIAD_POINT_INPUTS];
  triad_point_job p = {.moments = j->ask.moments || j->ask.pdfs};
  for (int i = 0; i < carried; i++) ask_field(&p, j->velocity.first + i);
  for (int i = 0; i < n; i++) {
    ask_field(&p, first + i);
    names[i] = fields[first + i].name;
    units[i] = fields[first + i].unit;
  }
  for (int i = carried; i < p.n_in && has_profiles(&j->ask); i++) {
    const triad_field_info *f = &fields[p.in[i].term[0].field];
    ask_product(j, &p, i, -1, f, NULL);
    for (int a = 0; a <= i; a++) ask_product(j, &p, a, i, &fields[p.in[a].term[0].field], f);
  }
  TRIAD_TRY(triad_point_sums(j->flow, &p));
  return add_moments(j, &p, carried, names, units);
}

/* 2 viscosity S:S, three components of S at a time. */
static int add_dissipation(job *j)
{
  const triad_shape *shape = &j->flow->shape;
  const int64_t most = j->flow->grid.n[0] + j->flow->grid.n[1] + j->flow->grid.n[2];
  triad_slice_quantity q = {.kind = TRIAD_SPECTRAL_DISSIPATION};
  double *to[3] = {NULL}, part[3 * most];
  (void)snprintf(q.field, sizeof q.field, "%s", shape->fields[j->velocity.first].name);
  for (int axis = 0; axis < 3; axis++)
    if (j->ask.profiles[axis])
      to[axis] = triad_samples_add_profile(
        j, axis, triad_contents_text(j->c, "dissipation_%c", letters[axis]), "U^2/T",
        triad_contents_text(j->c, "dissipation 2 viscosity S:S, mean over planes across %c", letters[axis]));
  for (int half = 0; half < STRAINS; half += 3) {
    triad_point_job p = {.n_in = 3, .n_products = 3};
    double *next = part;
    for (int i = 0; i < 3; i++) {
      p.in[i].n = triad_quantity_terms(shape, &q, half + i, p.in[i].term);
      p.product[i] = (triad_point_product){i, i};
      for (int axis = 0; axis < 3; next += to[axis] ? j->flow->grid.n[axis] : 0, axis++)
        p.profile[axis][i] = to[axis] ? next : NULL;
    }
    TRIAD_TRY(triad_point_sums(j->flow, &p));
    for (int axis = 0; axis < 3; axis++)
      for (int64_t k = 0; k < 3 * j->flow->grid.n[axis] && to[axis]; k++)
        to[axis][k / 3] += triad_quantity_weight(shape, q.kind, half + (int)(k % 3)) * p.profile[axis][k % 3][k / 3];
  }
  return TRIAD_OK;
}

/* du/dx, dv/dy, dw/dz. */
static int add_derivatives(job *j)
{
  static const char *const units[3] = {"1/T", "1/T", "1/T"};
  char text[3][80];
  const char *names[3];
  triad_point_job p = {.n_in = 3, .moments = 1};
  for (int i = 0; i < 3; i++) {
    p.in[i] = (triad_point_input){1, {{j->velocity.first + i, i, 1}}};
    (void)snprintf(text[i], sizeof text[i], "d%.40s_d%c", j->flow->shape.fields[j->velocity.first + i].name,
                   letters[i]);
    names[i] = text[i];
  }
  TRIAD_TRY(triad_point_sums(j->flow, &p));
  return add_moments(j, &p, 0, names, units);
}

/* ---- a sample ---- */

static int at_points(job *j)
{
  const triad_shape *shape = &j->flow->shape;
  const int first = j->velocity.first, n = j->velocity.n;
  add_scales(j);
  for (int axis = 0; axis < 3; axis++)
    if (j->ask.profiles[axis])
      triad_contents_scale(j->c, axis_names[axis], "L", triad_contents_text(j->c, "coordinate along %c", letters[axis]),
                           j->flow->grid.n[axis], triad_grid_spacing(&j->flow->grid, axis));
  if (n > 0) TRIAD_TRY(add_fields(j, first, n));
  for (int f = 0; f < shape->n_fields; f++)
    if (f < first || f >= first + n) TRIAD_TRY(add_fields(j, f, 1));
  if (n > 0 && (j->ask.moments || j->ask.pdfs)) TRIAD_TRY(add_derivatives(j));
  if (has_profiles(&j->ask) && has_dissipation(shape)) TRIAD_TRY(add_dissipation(j));
  return own_quantities(&j->ask, shape) > 0 ? triad_samples_own(j) : TRIAD_OK;
}

int triad_samples_take(void *self, const double *columns, triad_contents **out)
{
  triad_flow *flow = self;
  const triad_comm *comm = &flow->context->comm;
  job j = {.flow = flow, .ask = triad_mean_asked(flow->given), .velocity = triad_shape_group(&flow->shape, "velocity")};
  if (j.velocity.n != 3) j.velocity = (triad_field_group){0};
  int st = triad_contents_create(out, flow->context->memory, most_arrays(&j.ask, &flow->shape),
                                 count_values(flow->given, &flow->grid, &flow->shape));
  j.c = *out;
  st = triad_agree(comm, st);
  if (st == TRIAD_OK && j.ask.spectra) st = triad_output_shells(j.c, flow, columns[0]);
  return st == TRIAD_OK && has_points(&j.ask) ? at_points(&j) : st;
}
