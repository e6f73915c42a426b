/* The set of equations that a case gives as text: from what the compiler made of it to the table that every set has.
 * Linear terms are integrated exactly, as decay rates or as matrices of coupled fields (equations.h). */
#include "solvers/spectral/text/compile/profiles.h"
#include "solvers/spectral/text/compile/describe.h"
#include "solvers/spectral/text/compile/clock.h"
#include "solvers/spectral/text/gpu_text.h"
#include "solvers/spectral/text/set.h"
#include "solvers/spectral/text/transfers.h"

#include "case/rows.h"
#include "solvers/spectral/part.h"
#include "solvers/spectral/plain/case_grid.h"
#include "solvers/spectral/start/initial.h"

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
    return TRIAD_FAIL(TRIAD_ERR_CASE,
                      "equations.evolve: the growth rates of linear modes were not found at k = (%g, %g, %g): "
                      "check the coefficients, which are too large or not finite",
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

/* Products with functions of position: two fields or more are refused as three fields are. */
static int check_profiles(const set *s)
{
  for (int a = 0; a < s->text->n_fields; a++)
    for (int i = 0; i < s->text->other[a].n; i++) {
      const triad_text_term *x = &s->text->other[a].term[i];
      if (!x->profile || x->n < 2) continue;
      const double beyond = triad_text_beyond(x->profile, &s->grid, x->n);
      if (beyond < 0) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the equations");
      if (beyond <= triad_text_beyond_none) continue;
      return TRIAD_FAIL(
        TRIAD_ERR_CASE,
        "equations.evolve: products of %d fields with a function of position in the equation for %s are "
        "aliased: %.2g of the function is in modes that the truncation does not leave room for: set a "
        "smaller grid.radius, or equations.aliased = true to accept the aliases",
        x->n, s->text->field[a].name, beyond);
    }
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
  if (triad_case_flag(given, "equations.aliased")) return TRIAD_OK;
  for (int i = 1; i < 3; i++)
    if (g->n[i] > g->n[longest]) longest = i;
  for (int i = 0; i < 3; i++) {
    const double kept = floor(triad_grid_reach(g, i) * g->length[i] / (2 * TRIAD_PI) + 1e-9);
    if (p < 3 || g->n[i] == 1 || (p + 1) * kept < (double)g->n[i]) continue;
    return TRIAD_FAIL(
      TRIAD_ERR_CASE,
      "equations.evolve: products of %d fields are aliased, since modes up to %g of %lld points are kept: "
      "set grid.radius = %lld, or equations.aliased = true to accept the aliases",
      p, kept, (long long)g->n[i], (long long)((g->n[longest] - 1) / (p + 1)));
  }
  return check_profiles(s);
}

static int add_fields(const set *s, triad_shape *shape)
{
  const triad_text *t = s->text;
  for (int f = 0; f < t->n_fields; f++) {
    const triad_text_field *x = &t->field[f];
    const triad_field_info info = {.name = x->name,
                                   .long_name = x->name,
                                   .unit = "",
                                   .role = *x->of && !x->complex_part ? TRIAD_ROLE_COMPONENT : TRIAD_ROLE_SCALAR,
                                   .of = *x->of && !x->complex_part ? x->of : NULL,
                                   .number = x->axis,
                                   .solenoidal = x->solenoidal};
    TRIAD_TRY(triad_shape_add_fields(shape, 1, &info));
  }
  return TRIAD_OK;
}

/* What GPUs need: kernels are compiled at run time from the same schedule. */
static void make_gpu(set *s)
{
  const int n_in = s->schedule->n_inputs, fields = s->text->n_fields;
  int made = 0, in_order = 1, entries = 0;
  for (int i = 0; i < n_in; i++) {
    const int field = triad_text_input_field(s, i);
    s->gpu_input[i] = field >= 0 ? field : fields + made++;
    in_order = in_order && s->gpu_input[i] == i;
  }
  for (int b = 0; b < s->linear.n_blocks; b++) entries += s->linear.block[b].n * s->linear.block[b].n;
  s->gpu = (triad_gpu_set){.n_passes = 1,
                           .pass = {TRIAD_GPU_PART(triad_text_gpu_visit)},
                           .spectral = TRIAD_GPU_PART(&triad_text_gpu_spectral),
                           .extras = made,
                           .sources = made,
                           .row_fields =
                             n_in > TRIAD_TEXT_FUSED || s->schedule->n_profiles > 0 ? n_in + s->schedule->n_outputs : 0,
                           .inputs = in_order ? NULL : s->gpu_input,
                           .tables = TRIAD_TEXT_GPU_TIMES * entries,
                           .profiles = s->schedule->n_profiles,
                           .changes = entries > 0 || s->schedule->n_clocks > 0,
                           .refusal = TRIAD_GPU_PART(triad_text_gpu_refusal),
                           .prepare = TRIAD_GPU_PART(triad_text_gpu_prepare),
                           .release = TRIAD_GPU_PART(triad_text_gpu_release)};
}

static int build(set *s, triad_shape *shape, const triad_case *given)
{
  int modes, points;
  TRIAD_TRY(compile(s, given));
  TRIAD_TRY(check_aliases(s, given));
  TRIAD_TRY(triad_text_linear_of(s->text, triad_case_is(given, "equations.linear", "exact"), &s->linear));
  triad_text_growth_of(s->text, &s->linear, &s->grid, &s->growth);
  TRIAD_TRY(check_growth(s));
  TRIAD_TRY(triad_text_schedule_make(&s->schedule, s->text, &s->grid));
  TRIAD_TRY(triad_text_links_make(s));
  s->frequency = s->growth.in_stages + triad_text_clock_rate(s->schedule);
  memcpy(s->constant, s->schedule->constant, sizeof s->constant);
  TRIAD_TRY(add_fields(s, shape));
  TRIAD_TRY(triad_text_budget_shape(s, shape));
  TRIAD_TRY(triad_text_transfer_shape(s, shape));
  shape->n_passes = 1;
  shape->pass[0].n_in = s->schedule->n_inputs;
  shape->pass[0].n_out = s->schedule->n_outputs;
  shape->pass[0].chains = s->schedule->chains;
  shape->n_parts = 1;
  triad_text_links_count(s, &modes, &points);
  for (int b = 0; b < s->linear.n_blocks; b++) modes += 3 * s->linear.block[b].n * s->linear.block[b].n;
  shape->own_modes = modes;
  shape->own_points = points;
  make_gpu(s);
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
  double complex value[TRIAD_TEXT_OPERATORS], m[TRIAD_TEXT_MATRIX * TRIAD_TEXT_MATRIX];
  const int n = s->linear.block[block].n;
  triad_text_evaluate(&s->text->operators, k, s->needed, value, NULL);
  triad_text_matrix(s->text, &s->linear, block, k, value, m);
  for (int i = 0; i < n * n; i++) {
    matrix[2 * i] = creal(m[i]);
    matrix[2 * i + 1] = cimag(m[i]);
  }
}

static const triad_gpu_set *gpu(const void *self) { return &((const set *)self)->gpu; }

static double frequency(const void *self) { return ((const set *)self)->frequency; }

/* ---- what it adds to a case ---- */

static const triad_spectral_start starts[] = {
  {{"zero", "text", .about = "all fields zero, for equations with sources"}, .set = NULL}, {.word = {0}}};

static const triad_solver_row solver[] = {
  {{"text", .about = "your own equations, given as text in equations.evolve"}, NULL, "zero"}, {{0}, NULL, NULL}};

static const triad_key keys[] = {
  {"equations.fields", TEXT_LIST(TRIAD_TEXT_FIELDS), .preset = "",
   .help = "Fields that are evolved: \"q\" a scalar, \"vector u\" with components u_x, u_y, u_z, \"solenoidal u\" a "
           "vector that is kept free of divergence, with a mean of 0, \"complex psi\" with psi_re, psi_im. At most 24 "
           "components."},
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
     {"decay",
      .about = "integrate only decay rates that are sums of powers of k^2 exactly; other linear terms are explicit"}),
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
  .source = triad_text_source_of,
  .points = triad_text_points,
  .rates = triad_text_rates,
  .at = triad_text_set_time,
  .decay = decay,
  .gpu = gpu,
  .coupled = coupled,
  .couple = couple,
  .frequency = frequency,
  .sums = triad_text_sums,
  .series = triad_text_series,
  .densities = triad_text_densities,
  .transfers = triad_text_transfers,
};
