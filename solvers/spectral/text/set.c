/* The set of equations that a case gives as text: from what the compiler made of it to the table that every set has.
 *
 * A stage is one pass: inputs (fields, or operators on them) go to points, products of up to three of them are formed
 * there, and combinations of products come back, whose operators make the rates. Linear terms are integrated exactly,
 * as decay rates or as matrices of coupled fields (equations.h). */
#include "solvers/spectral/text/set.h"

#include "case/rows.h"
#include "solvers/spectral/equations/loops.h"
#include "solvers/spectral/part.h"
#include "solvers/spectral/case_grid.h"
#include "solvers/spectral/start/initial.h"
#include "fft/pass/transform.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef triad_text_set set;

/* ---- creation ---- */

static int compile(set *s, const triad_case *given)
{
  triad_text_error error;
  const int st = triad_text_compile(&s->text, given, &s->grid, &error);
  if (st == TRIAD_OK) return TRIAD_OK;
  return error.index >= 0 ? TRIAD_FAIL(st, "%s[%d], %s", error.key, error.index, error.why)
                          : TRIAD_FAIL(st, "%s: %s", error.key, error.why);
}

static int check_growth(const set *s)
{
  const triad_text_growth *g = &s->growth;
  TRIAD_TRY(triad_text_refuse_lack(g->lacks, g->lacks_at));
  const double *k = g->failed_at;
  if (g->failed)
    return TRIAD_FAIL(
      TRIAD_ERR_CASE,
      "equations.evolve: the growth rates of linear modes were not found at k = (%g, %g, %g): are there "
      "coefficients that are too large or not finite?",
      k[0], k[1], k[2]);
  k = g->unbounded_at;
  if (g->unbounded)
    return TRIAD_FAIL(
      TRIAD_ERR_CASE,
      "equations.evolve: the equations are ill-posed: linear modes along (%g, %g, %g) grow faster the "
      "shorter they are, without end; check the sign of the highest derivatives, such as +nu*lap(q) and "
      "-nu*lap(lap(q)) on the right side",
      k[0], k[1], k[2]);
  return TRIAD_OK;
}

/* Products of p fields are free of aliases in the kept modes if (p + 1) K < n. */
static int check_aliases(const set *s, const triad_case *given)
{
  const triad_grid *g = &s->grid;
  const int p = s->text->degree;
  int longest = 0;
  if (g->truncation == TRIAD_NONE)
    return TRIAD_FAIL(TRIAD_ERR_FEATURE,
                      "grid.truncation = \"none\" is not supported in solver text: use sphere or box");
  if (p < 3 || triad_case_flag(given, "equations.aliased")) return TRIAD_OK;
  for (int i = 1; i < 3; i++)
    if (g->n[i] > g->n[longest]) longest = i;
  for (int i = 0; i < 3; i++) {
    const double kept = floor(triad_grid_reach(g, i) * g->length[i] / (2 * TRIAD_PI) + 1e-9);
    if (g->n[i] == 1 || (p + 1) * kept < (double)g->n[i]) continue;
    return TRIAD_FAIL(
      TRIAD_ERR_CASE,
      "equations.evolve: products of %d fields are aliased, since modes up to %g of %lld points are kept: "
      "set grid.radius = %lld, or equations.aliased = true to accept the aliases",
      p, kept, (long long)g->n[i], (long long)((g->n[longest] - 1) / (p + 1)));
  }
  return TRIAD_OK;
}

static int add_fields(const set *s, triad_shape *shape)
{
  const triad_text *t = s->text;
  for (int f = 0; f < t->n_fields; f++) {
    const triad_text_field *x = &t->field[f];
    const triad_field_info info = {.name = x->name,
                                   .long_name = x->name,
                                   .unit = "",
                                   .role = *x->of ? TRIAD_ROLE_COMPONENT : TRIAD_ROLE_SCALAR,
                                   .of = *x->of ? x->of : NULL,
                                   .number = x->axis,
                                   .solenoidal = x->solenoidal};
    TRIAD_TRY(triad_shape_add_fields(shape, 1, &info));
  }
  return TRIAD_OK;
}

/* Rates of linear terms that the stages see: the largest frequency of a kept mode, or row of absolute values where each
 * component of the wavenumber is 0, the smallest or the largest. */
static double linear_frequency(const set *s)
{
  const triad_text *t = s->text;
  double most = s->exact ? 0 : s->growth.frequency;
  for (int corner = 1; corner < 27; corner++) {
    double complex value[TRIAD_TEXT_OPERATORS];
    double k[3];
    for (int i = 0; i < 3; i++) {
      const double unit = t->flat[i] ? 0 : 2 * TRIAD_PI / s->grid.length[i];
      const int which = corner / (i == 0 ? 1 : i == 1 ? 3 : 9) % 3;
      k[i] = which == 0 ? 0 : which == 1 || t->flat[i] ? unit : triad_grid_reach(&s->grid, i);
    }
    triad_text_evaluate(&t->operators, k, NULL, value, NULL);
    for (int a = 0; a < t->n_fields; a++) {
      double row = 0;
      for (int f = 0; f < t->n_fields; f++)
        if (s->linear.block_of[a] < 0) row += cabs(s->linear.rest[a][f].c * value[s->linear.rest[a][f].node]);
      most = fmax(most, row);
    }
  }
  return most;
}

/* The speeds that limit a step are those that fields give: functions of position are not in them yet. */
static int check_profiles(const set *s, const triad_case *given)
{
  if (triad_case_real(given, "time.dt") > 0) return TRIAD_OK;
  for (int a = 0; a < s->text->n_fields; a++)
    for (int j = 0; j < s->text->other[a].n; j++)
      if (s->text->other[a].term[j].profile && s->text->other[a].term[j].n > 0)
        return TRIAD_FAIL(TRIAD_ERR_FEATURE,
                          "equations.evolve: a function of position multiplies a field of the equation for %s, and "
                          "time.cfl does not take it into account yet: set time.dt",
                          s->text->field[a].name);
  return TRIAD_OK;
}

static int build(set *s, triad_shape *shape, const triad_case *given)
{
  int modes, points;
  TRIAD_TRY(compile(s, given));
  TRIAD_TRY(check_aliases(s, given));
  TRIAD_TRY(check_profiles(s, given));
  triad_text_growth_of(s->text, &s->grid, &s->growth);
  TRIAD_TRY(check_growth(s));
  s->exact = triad_case_is(given, "equations.linear", "exact");
  TRIAD_TRY(triad_text_linear_of(s->text, s->exact, &s->linear));
  TRIAD_TRY(triad_text_schedule_make(&s->schedule, s->text, &s->grid));
  TRIAD_TRY(triad_text_links_make(s));
  s->frequency = linear_frequency(s);
  TRIAD_TRY(add_fields(s, shape));
  TRIAD_TRY(triad_text_budget_shape(s, shape));
  shape->n_passes = 1;
  shape->pass[0].n_in = s->schedule->n_inputs;
  shape->pass[0].n_out = s->schedule->n_outputs;
  shape->pass[0].chains = s->schedule->chains;
  shape->n_parts = 1;
  triad_text_links_count(s, &modes, &points);
  for (int b = 0; b < s->linear.n_blocks; b++) modes += 3 * s->linear.block[b].n * s->linear.block[b].n;
  shape->own_modes = modes;
  shape->own_points = points;
  return TRIAD_OK;
}

static int create(void **self, triad_shape *shape, const triad_grid *grid, const triad_case *given)
{
  set *s = *self = calloc(1, sizeof *s);
  if (!s) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the text solver");
  s->grid = *grid;
  return build(s, shape, given);
}

static void destroy(void **self)
{
  set *s = *self;
  if (s) {
    triad_text_links_free(s);
    triad_text_destroy(&s->text);
    free(s->schedule);
  }
  free(s);
  *self = NULL;
}

static int prepare(void *self, triad_context *context, const triad_layout *layout)
{
  set *s = self;
  s->context = context;
  s->layout = layout;
  double at[3];
  TRIAD_TRY(triad_text_refuse_lack(triad_text_lacks_of_layout(s->text, layout, context->threads, at), at));
  return triad_text_links_prepare(s);
}

/* ---- a stage ---- */

static void source(void *self, int pass, const triad_batch *block, const triad_cplx *const *u, triad_cplx *const *in)
{
  const set *s = self;
  const triad_layout *l = block->layout;
  (void)pass;
  for (int i = 0; i < s->n_sources; i++) {
    const triad_text_link *x = &s->source[i];
    const int first = i == 0 || s->source[i - 1].to != x->to;
    if (first && x->way == TRIAD_TEXT_BY_NUMBER && fabs(x->c - 1) <= 0 &&
        (i + 1 == s->n_sources || s->source[i + 1].to != x->to)) {
      triad_batch_put(block, u[x->from], in[x->to]);
      continue;
    }
    for (int64_t j = 0; j < l->nkz; j++) {
      const int64_t at = (block->block * l->nkz + j) * TRIAD_LANES;
      triad_cplx *to = triad_batch_row(block, in[x->to], j);
      if (first) memset(to, 0, TRIAD_LANES * sizeof *to);
      triad_text_link_row(x, block, j, at, u[x->from] + at, to);
    }
  }
}

/* out += c (or =, the first time) times a product at n points. */
static void add_product(const set *s, const triad_patch *at, int product, double number, int first,
                        triad_real *const *in, triad_real *out)
{
  const triad_text_product *p = &s->schedule->product[product];
  const triad_real c = (triad_real)number;
  const int64_t n = at->n;
  const triad_real *a = p->n > 0 ? in[p->input[0]] : NULL, *b = p->n > 1 ? in[p->input[1]] : NULL;
  const triad_real *d = p->n > 2 ? in[p->input[2]] : NULL;
  if (first)
    for (int64_t i = 0; i < n; i++) out[i] = 0;
  if (p->profile) {
    const int64_t nx = s->grid.n[0], rows = n / nx, row = triad_layout_row(s->layout, at->y, at->z);
    for (int64_t r = 0; r < rows; r++)
      for (int64_t x = 0; x < nx; x++) {
        const int64_t i = x * rows + r;
        triad_real v = c * s->profile[product][row + r * nx + x];
        if (a) v *= a[i];
        if (b) v *= b[i];
        if (d) v *= d[i];
        out[i] += v;
      }
    return;
  }
  if (p->n == 1) {
#pragma omp simd
    for (int64_t i = 0; i < n; i++) out[i] += c * a[i];
  } else if (p->n == 2) {
#pragma omp simd
    for (int64_t i = 0; i < n; i++) out[i] += c * a[i] * b[i];
  } else {
#pragma omp simd
    for (int64_t i = 0; i < n; i++) out[i] += c * a[i] * b[i] * d[i];
  }
}

static int is_pair(const triad_text_product *p) { return p->n == 2 && !p->profile; }

/* One product of two fields, or two, as most outputs are: a b + c d e, in one loop. */
static void pair_products(const triad_text_schedule *q, const triad_text_output *o, int64_t n, triad_real *const *in,
                          triad_real *out)
{
  const triad_text_product *p = &q->product[o->product[0]], *r = &q->product[o->product[o->n - 1]];
  const triad_real *a = in[p->input[0]], *b = in[p->input[1]], *d = in[r->input[0]], *e = in[r->input[1]];
  const triad_real first = (triad_real)o->c[0], c = (triad_real)o->c[o->n - 1];
  if (o->n == 1) {
#pragma omp simd
    for (int64_t i = 0; i < n; i++) out[i] = first * (a[i] * b[i]);
  } else {
#pragma omp simd
    for (int64_t i = 0; i < n; i++) out[i] = first * (a[i] * b[i]) + c * (d[i] * e[i]);
  }
}

/* sum_i |u_i|/dx_i of single fields, the common case, as one loop a field. */
static int is_plain(const triad_text_schedule *q)
{
  for (int k = 0; k < q->n_speeds; k++)
    if (q->speed[k].n != 1 || q->speed[k].sum != 0 || q->speed[k].root ||
        (k > 0 && q->speed[k].axis == q->speed[k - 1].axis))
      return 0;
  return q->n_speeds <= 3;
}

static double plain_rate(const triad_text_schedule *q, int64_t n, triad_real *const *in)
{
  const triad_real *v[3];
  triad_real w[3], fastest = 0, finite = 0;
  for (int k = 0; k < 3; k++) {
    v[k] = in[k < q->n_speeds ? q->speed[k].input[0] : 0];
    w[k] = k < q->n_speeds ? (triad_real)q->speed[k].weight : 0;
  }
  const triad_real *a = v[0], *b = v[1], *c = v[2];
#pragma omp simd reduction(max : fastest) reduction(+ : finite)
  for (int64_t i = 0; i < n; i++) {
    const triad_real x = w[0] * (triad_real)fabs(a[i]) + w[1] * (triad_real)fabs(b[i]) + w[2] * (triad_real)fabs(c[i]);
    fastest = x > fastest ? x : fastest;
    finite += x * 0;
  }
  return (double)(fastest + finite);
}

/* Points of a row at a time: what fits in the first-level cache. */
enum { PIECE = 256 };

/* sum += weight |in_0 in_1 ..|, or its root, at n points. */
static void add_speed(const triad_text_speed *v, int n, triad_real *const *in, int64_t first, triad_real *sum)
{
  const triad_real w = (triad_real)v->weight;
  const triad_real *a = in[v->input[0]] + first, *b = v->n > 1 ? in[v->input[1]] + first : NULL;
  triad_real product[PIECE];
  if (v->n == 1 && !v->root) {
#pragma omp simd
    for (int i = 0; i < n; i++) sum[i] += w * (triad_real)fabs(a[i]);
    return;
  }
  for (int i = 0; i < n; i++) product[i] = b ? a[i] * b[i] : a[i];
  for (int f = 2; f < v->n; f++)
    for (int i = 0; i < n; i++) product[i] *= in[v->input[f]][first + i];
  if (v->root)
    for (int i = 0; i < n; i++) sum[i] += w * (triad_real)sqrt(fabs(product[i]));
  else
    for (int i = 0; i < n; i++) sum[i] += w * (triad_real)fabs(product[i]);
}

/* The largest rate at some points that limits the step: along each axis the largest of its sums. */
static triad_real piece_rate(const triad_text_schedule *q, int n, triad_real *const *in, int64_t first)
{
  triad_real all[PIECE] = {0}, most[PIECE] = {0}, sum[PIECE] = {0}, fastest = 0, finite = 0;
  for (int k = 0; k < q->n_speeds; k++) {
    const triad_text_speed *v = &q->speed[k];
    add_speed(v, n, in, first, sum);
    const int last = k + 1 == q->n_speeds, next_axis = last || q->speed[k + 1].axis != v->axis;
    if (!next_axis && q->speed[k + 1].sum == v->sum) continue;
#pragma omp simd
    for (int i = 0; i < n; i++) {
      most[i] = sum[i] > most[i] ? sum[i] : most[i];
      sum[i] = 0;
    }
    if (!next_axis) continue;
#pragma omp simd
    for (int i = 0; i < n; i++) {
      all[i] += most[i];
      most[i] = 0;
    }
  }
#pragma omp simd reduction(max : fastest)
  for (int i = 0; i < n; i++) fastest = all[i] > fastest ? all[i] : fastest;
  for (int f = 0; f < q->n_inputs; f++) { /* not a number, if one of all inputs is not finite */
    const triad_real *a = in[f] + first;
#pragma omp simd reduction(+ : finite)
    for (int i = 0; i < n; i++) finite += a[i] * 0;
  }
  return fastest + finite;
}

static double fastest_rate(const set *s, int64_t n, triad_real *const *in)
{
  double fastest = 0;
  for (int64_t first = 0; first < n; first += PIECE) {
    const double here = (double)piece_rate(s->schedule, (int)(n - first < PIECE ? n - first : PIECE), in, first);
    if (!(here <= fastest)) fastest = here;
    if (isnan(fastest)) return fastest;
  }
  return fastest;
}

static void points(void *self, int pass, const triad_patch *at, triad_real *const *in, triad_real *const *out,
                   double *peaks)
{
  const set *s = self;
  const triad_text_schedule *q = s->schedule;
  (void)pass;
  for (int o = 0; o < q->n_outputs; o++) {
    const triad_text_output *of = &q->output[o];
    if (of->n <= 2 && is_pair(&q->product[of->product[0]]) && is_pair(&q->product[of->product[of->n - 1]])) {
      pair_products(q, of, at->n, in, out[o]);
      continue;
    }
    for (int k = 0; k < of->n; k++) add_product(s, at, of->product[k], of->c[k], k == 0, in, out[o]);
  }
  triad_peak_raise(peaks, is_plain(q) ? plain_rate(q, at->n, in) : fastest_rate(s, at->n, in));
}

/* The mean of solenoidal vectors is fixed, and gradients add nothing to them. */
static void project(const set *s, const triad_batch *b, int64_t j, int f, triad_lane_row *n)
{
  const triad_layout *l = b->layout;
  const double *wx = l->wx + b->block * TRIAD_LANES, *wy = l->wy + b->block * TRIAD_LANES;
  const triad_real kz = (triad_real)l->wz[j];
  triad_cplx *x = n[f], *y = n[f + 1], *z = n[f + 2];
  (void)s;
#pragma omp simd
  for (int i = 0; i < TRIAD_LANES; i++) {
    const triad_real kx = (triad_real)wx[i], ky = (triad_real)wy[i], k2 = kx * kx + ky * ky + kz * kz;
    const triad_real some = k2 > 0 ? 1 : 0, inverse = some / (k2 > 0 ? k2 : 1);
    const triad_real re = (kx * x[i].re + ky * y[i].re + kz * z[i].re) * inverse;
    const triad_real im = (kx * x[i].im + ky * y[i].im + kz * z[i].im) * inverse;
    x[i].re = some * (x[i].re - kx * re);
    x[i].im = some * (x[i].im - kx * im);
    y[i].re = some * (y[i].re - ky * re);
    y[i].im = some * (y[i].im - ky * im);
    z[i].re = some * (z[i].re - kz * re);
    z[i].im = some * (z[i].im - kz * im);
  }
}

static void rates(const void *self, const triad_batch *b, int64_t j, const triad_cplx *const *u,
                  const triad_cplx *const *t, triad_lane_row *n)
{
  const set *s = self;
  const triad_text *text = s->text;
  const triad_layout *l = b->layout;
  const int64_t at = (b->block * l->nkz + j) * TRIAD_LANES;
  memset(n, 0, (size_t)text->n_fields * sizeof *n);
  for (int i = 0; i < s->n_rates; i++) {
    const triad_text_link *x = &s->rate[i];
    triad_text_link_row(x, b, j, at, x->from < s->n_results ? t[x->from] : u[x->from - s->n_results], n[x->to]);
  }
  if (l->kz[j] == 0)
    for (int i = 0; i < TRIAD_LANES; i++) {
      const int64_t c = b->block * TRIAD_LANES + i;
      if (l->kx[c] != 0 || l->ky[c] != 0 || l->kz_extent[c] < 0) continue;
      for (int f = 0; f < text->n_fields; f++) n[f][i].re += (triad_real)s->schedule->constant[f];
    }
  for (int f = 0; f < text->n_fields; f++)
    if (text->field[f].solenoidal && text->field[f].axis == 0) project(s, b, j, f, n);
}

/* ---- linear terms ---- */

static triad_decay decay(const void *self, int field) { return ((const set *)self)->linear.decay[field]; }

static int coupled(const void *self, int block, triad_coupled *out)
{
  const set *s = self;
  if (block >= s->linear.n_blocks) return 0;
  out->n = s->linear.block[block].n;
  for (int i = 0; i < out->n; i++) out->field[i] = s->linear.block[block].field[i];
  return 1;
}

static void couple(const void *self, int block, const double k[3], double *matrix)
{
  const set *s = self;
  double complex value[TRIAD_TEXT_OPERATORS] = {0}, m[TRIAD_TEXT_MATRIX * TRIAD_TEXT_MATRIX];
  const int n = s->linear.block[block].n;
  triad_text_evaluate(&s->text->operators, k, s->needed, value, NULL);
  triad_text_matrix(s->text, &s->linear, block, k, value, m);
  for (int i = 0; i < n * n; i++) {
    matrix[2 * i] = creal(m[i]);
    matrix[2 * i + 1] = cimag(m[i]);
  }
}

static double frequency(const void *self) { return ((const set *)self)->frequency; }

/* ---- what it adds to a case ---- */

static const triad_spectral_start starts[] = {
  {{"zero", "text", .about = "all fields zero, for equations with sources"}, .set = NULL}, {.word = {0}}};

static const triad_solver_row solver[] = {
  {{"text", .about = "your own equations, given as text in equations.evolve"}, NULL, "zero"}, {{0}, NULL, NULL}};

static const triad_key keys[] = {
  {"equations.fields", TEXT_LIST(TRIAD_TEXT_FIELDS), .preset = "",
   .help = "Fields that are evolved: \"q\" a scalar, \"vector u\" with components u_x, u_y, u_z, \"solenoidal u\" a "
           "vector that is kept free of divergence, with a mean of 0. At most 24 components."},
  {"equations.let", TEXT_LIST(TRIAD_TEXT_LETS), .preset = "",
   .help = "Definitions, in any order: \"name = formula\", \"J(a,b) = dx(a)*dy(b) - dy(a)*dx(b)\", and \"psi = "
           "invert(lap(psi), q)\", which solves for psi in each mode; unknowns may depend on each other."},
  {"equations.evolve", TEXT_LIST(TRIAD_TEXT_FIELDS), .preset = "",
   .help = "Equations, one for each scalar or vector, with its dt(..) on either side: \"dt(q) + u@grad(q) = "
           "nu*lap(q)\". Names of [parameters] are numbers."},
  {"equations.invariants", TEXT_LIST(TRIAD_TEXT_INVARIANTS), .preset = "",
   .help = "Columns and spectra: \"name = mean(..)\" of quadratic forms of fields and definitions. One with the name "
           "energy replaces the sum of all mean squares over 2."},
  {"equations.linear", WORD,
   WORDS(
     {"exact", .about = "integrate all linear terms exactly, coupled fields by the exponential of a matrix per mode"},
     {"decay", .about = "integrate only decay rates that depend on |k| exactly; other linear terms are explicit"}),
   .preset = "exact", .help = "Integration of linear terms."},
  {"equations.aliased", FLAG, .preset = "false",
   .help = "Accept products of three fields whose aliases the truncation does not remove. Otherwise grid.radius must "
           "leave out half of the modes."},
  {"initial.fields", FORMULA_LIST(TRIAD_TEXT_FIELDS), .preset = "", .used = "initial.kind=formula",
   .help =
     "With kind formula, one formula for each component of equations.fields, in their order. Fields beyond the end "
     "of the list start from zero."},
  {"output.slices", TEXT_LIST(TRIAD_SLICES), .preset = "",
   .help = "Planes written as HDF5 and PNG, each with the quantities to show: \"z=0\", \"x=pi: field2\"; fieldN is "
           "component number N of equations.fields. With [] none are written."},
  {0}};

/* A case is compiled as it is read, so that errors have the place of their text. What is not supported yet is reported
 * when the flow is created, with another exit code. */
static void rules(triad_case *c)
{
  static const char *const needed[] = {"grid.n",        "grid.length",         "grid.truncation",
                                       "grid.radius",   "equations.fields",    "equations.evolve",
                                       "equations.let", "equations.invariants"};
  triad_text_error error;
  triad_text *text = NULL;
  triad_grid grid;
  for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
    if (!triad_case_applies(c, needed[i]) || !triad_case_good(c, needed[i])) return;
  if (triad_spectral_grid(c, &grid) != TRIAD_OK) {
    triad_message_clear();
    return;
  }
  const int st = triad_text_compile(&text, c, &grid, &error);
  triad_text_destroy(&text);
  if (st == TRIAD_ERR_MEMORY) triad_case_lacks_memory(c);
  if (st != TRIAD_ERR_CASE) return;
  if (error.index < 0 || !triad_case_given(c, error.key))
    triad_case_error_of(c, error.key, "%s: %s", error.key, error.why);
  else triad_case_error_of_value(c, error.key, error.index, "%s[%d], %s", error.key, error.index, error.why);
}

static const triad_quantity quantities[] = {
  {"field%d", NULL, "", "field %d", .field = "field%d", .shown = 1, .most = TRIAD_TEXT_FIELDS}, {0}};

const triad_case_part triad_case_part_text = {
  .family = "spectral", .solvers = solver, .keys = keys, .rules = rules, .quantities = quantities};

const triad_equations triad_equations_text = {
  .name = "text",
  .starts = starts,
  .create = create,
  .destroy = destroy,
  .prepare = prepare,
  .describe = triad_text_describe,
  .explain = triad_text_explain,
  .source = source,
  .points = points,
  .rates = rates,
  .decay = decay,
  .coupled = coupled,
  .couple = couple,
  .frequency = frequency,
  .sums = triad_text_sums,
  .series = triad_text_series,
  .densities = triad_text_densities,
};
