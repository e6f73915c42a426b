/* Samples of running means, output.means: from the current state, arrays with the names of files of spectra.
 *
 * spectra        what files of spectra have moments        F_moments[4] of u, v, w and p in cells' centres and of
 * du_dx, dv_dy, dw_dz: <F>, <F'^2>, <F'^3>, <F'^4>, F' = F - <F>,
 *                means over the volume of the fluid
 * pdfs           F_pdf: the probability density of F'/<F'^2>^(1/2) by volume, at bins from -10 to 10 profiles y
 * over the fluid of planes across y: mean_u_y .. mean_p_y, cov_u_u_y .., of which a sample has the mean products, as
 *                profiles.csv has them (staggered_points.h). Likewise of x and z.
 *
 * The temperature, if there is one, comes behind the others in each. */
#include "solvers/staggered/measure/samples.h"
#include "solvers/staggered/points/volume_points.h"
#include "solvers/staggered/plain/rows.h"
#include "solvers/staggered/points/staggered_points.h"

#include "solvers/staggered/measure/spectra.h"
#include "case/mean.h"
#include "solvers/staggered/step/loops.h"
#include "store/formats/sample_arrays.h"

#include <math.h>
#include <string.h>

enum {
  FIELDS = TRIAD_STAGGERED_FIELDS,
  VARIABLES = FIELDS + 3,
  TEMPERATURE = VARIABLES, /* in flows that have one, as all that is counted behind these */
  ALL_VARIABLES,
  MOMENTS = TRIAD_SAMPLE_MOMENTS,
  BINS = TRIAD_SAMPLE_BINS,
  SUMS = TRIAD_STAGGERED_PROFILE_SUMS,
  MEANS = 4,
  PRODUCTS = 7,
  HEAT_PRODUCTS = 4
};
_Static_assert((int)SUMS == 1 + MEANS + PRODUCTS, "area, means and products");
_Static_assert((int)TRIAD_STAGGERED_PROFILE_ALL == SUMS + 1 + HEAT_PRODUCTS, "the temperature's mean and products");
_Static_assert(1 + ALL_VARIABLES <= (int)TRIAD_STAGGERED_MAX_RESULTS &&
                 3 * ALL_VARIABLES <= (int)TRIAD_STAGGERED_MAX_RESULTS,
               "buffers for sums");
static const char fluid[] = "the fluid in planes";
static const char *const letters[3] = {"x", "y", "z"};
static const char *const names[ALL_VARIABLES] = {"u", "v", "w", "p", "du_dx", "dv_dy", "dw_dz", "temperature"};
static const char *const units[ALL_VARIABLES] = {"U", "U", "U", "M/(L T^2)", "1/T", "1/T", "1/T", "K"};

static int variables_of(const triad_staggered_setup *s) { return s->thermal.on ? ALL_VARIABLES : VARIABLES; }

typedef struct job {
  triad_staggered_flow *flow;
  triad_contents *c;
  triad_mean_list ask;
  double volume, moment[ALL_VARIABLES][MOMENTS]; /* of the fluid */
  triad_sum *work;
} job;

/* ---- how much it is ---- */

static void size_of(const triad_staggered_setup *s, const triad_mean_list *ask, int *arrays, int64_t *values)
{
  *arrays = 0;
  *values = 0;
  if (ask->spectra && triad_staggered_spectra_size(s, arrays, values) != TRIAD_OK) return; /* checked with the case */
  const int variables = variables_of(s), sums = triad_staggered_profile_sums(s);
  *arrays += (ask->moments ? 1 + variables : 0) + (ask->pdfs ? 1 + variables : 0);
  *values += (ask->moments ? MOMENTS * (1 + variables) : 0) + (ask->pdfs ? BINS * (1 + variables) : 0);
  for (int a = 0; a < 3; a++) {
    *arrays += ask->profiles[a] ? sums : 0;
    *values += ask->profiles[a] ? sums * s->n[a] : 0;
  }
}

/* Exact sums of profiles or PDFs. */
static int64_t sums_of(const triad_staggered_setup *s, const triad_mean_list *ask)
{
  const int sums = triad_staggered_profile_sums(s);
  int64_t most = ask->pdfs ? variables_of(s) * BINS : 0;
  for (int a = 0; a < 3; a++)
    if (ask->profiles[a] && sums * s->n[a] > most) most = sums * s->n[a];
  return most;
}

int64_t triad_staggered_samples_bytes(const triad_staggered_setup *s, const triad_case *given, int threads)
{
  const triad_mean_list ask = triad_mean_asked(given);
  int arrays;
  int64_t values;
  size_of(s, &ask, &arrays, &values);
  return values * (int64_t)sizeof(double) + threads * sums_of(s, &ask) * (int64_t)sizeof(triad_sum);
}

/* Spectra want a periodic uniform box, in which there are no solids when the means begin. */
int triad_staggered_samples_check(const triad_staggered_setup *s, const triad_case *given)
{
  char origin[128];
  const double release = triad_case_real(given, "solids.release");
  if (!triad_mean_asked(given).spectra) return TRIAD_OK;
  (void)triad_case_origin(given, "output.means", origin, sizeof origin);
  if (!triad_staggered_has_spectra(s))
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: output.means: \"spectra\" requires periodic, uniform axes: remove it",
                      origin);
  if (s->solids && !(release > 0 && triad_case_real(given, "output.means_from") > release))
    return TRIAD_FAIL(TRIAD_ERR_CASE,
                      "%s: output.means: \"spectra\" is not available with solids: remove it, or set output.means_from "
                      "after solids.release",
                      origin);
  return TRIAD_OK;
}

/* ---- moments and PDFs ---- */

/* A cell's variables; its volume, 0 in a solid. */
static double take_cell(const job *j, const int64_t c[3], double value[ALL_VARIABLES])
{
  const triad_staggered_flow *f = j->flow;
  const triad_staggered_sizes *s = &f->mesh->sizes;
  const int64_t at = triad_partition_at(&f->blocks, c[0], c[1], c[2]);
  if (f->mesh->open[at] & TRIAD_STAGGERED_SOLID) return 0;
  for (int a = 0; a < 3; a++) {
    const double lower = (double)f->u[0][a][at], upper = (double)f->u[0][a][at + s->step[a]];
    value[a] = (lower + upper) / 2;
    value[FIELDS + a] = (upper - lower) * (double)s->per_h[a][c[a]];
  }
  value[3] = (double)f->p[at];
  if (f->heat[0]) value[TEMPERATURE] = (double)f->heat[0][at];
  return triad_staggered_volume(s, 3, c);
}

static void add_means(void *self, int64_t y, int64_t z, double *results)
{
  const job *j = self;
  double value[ALL_VARIABLES];
  for (int64_t x = 0; x < j->flow->blocks.local[0]; x++) {
    const double volume = take_cell(j, (const int64_t[3]){x, y, z}, value);
    results[0] += volume;
    for (int v = 0; v < variables_of(&j->flow->setup) && volume > 0; v++) results[1 + v] += volume * value[v];
  }
}

static void add_powers(void *self, int64_t y, int64_t z, double *results)
{
  const job *j = self;
  double value[ALL_VARIABLES];
  for (int64_t x = 0; x < j->flow->blocks.local[0]; x++) {
    const double volume = take_cell(j, (const int64_t[3]){x, y, z}, value);
    for (int v = 0; v < variables_of(&j->flow->setup) && volume > 0; v++) {
      const double d = value[v] - j->moment[v][0];
      results[3 * v] += volume * d * d;
      results[3 * v + 1] += volume * d * d * d;
      results[3 * v + 2] += volume * d * d * d * d;
    }
  }
}

static int sum_moments(job *j)
{
  const int variables = variables_of(&j->flow->setup);
  double results[TRIAD_STAGGERED_MAX_RESULTS];
  TRIAD_TRY(triad_staggered_rows(j->flow->mesh, add_means, j, 1 + variables, 0, results));
  j->volume = results[0];
  for (int v = 0; v < variables; v++) j->moment[v][0] = results[1 + v] / j->volume;
  TRIAD_TRY(triad_staggered_rows(j->flow->mesh, add_powers, j, 3 * variables, 0, results));
  for (int v = 0; v < variables; v++)
    for (int p = 1; p < MOMENTS; p++) j->moment[v][p] = results[3 * v + p - 1] / j->volume;
  return TRIAD_OK;
}

static void put_moments(job *j)
{
  triad_sample_add_orders(j->c);
  for (int v = 0; v < variables_of(&j->flow->setup); v++)
    triad_sample_add_moments(j->c, names[v], units[v], " over the fluid", j->moment[v]);
}

static void add_to_bins(const job *j, int64_t begin, int64_t end, triad_sum *sums)
{
  double value[ALL_VARIABLES];
  for (int64_t row = begin; row < end; row++)
    for (int64_t x = 0; x < j->flow->blocks.local[0]; x++) {
      const int64_t *n = j->flow->blocks.local, c[3] = {x, row % n[1], row / n[1]};
      const double volume = take_cell(j, c, value);
      for (int v = 0; v < variables_of(&j->flow->setup) && volume > 0; v++) {
        const int bin = j->moment[v][1] > 0 ? triad_sample_bin(value[v], j->moment[v]) : -1;
        if (bin >= 0) triad_sum_add(&sums[v * BINS + bin], volume);
      }
    }
}

static int put_pdfs(job *j)
{
  const int threads = j->flow->context->threads, variables = variables_of(&j->flow->setup);
  const int64_t rows = j->flow->blocks.local[1] * j->flow->blocks.local[2];
  triad_sample_add_deviations(j->c);
  double *to = j->c->next; /* where the next arrays will be */
  for (int64_t i = 0; i < (int64_t)threads * variables * BINS; i++) triad_sum_clear(&j->work[i]);
#pragma omp parallel for schedule(static, 1) num_threads(threads)
  for (int t = 0; t < threads; t++)
    add_to_bins(j, triad_deal(rows, t, threads), triad_deal(rows, t + 1, threads),
                j->work + (int64_t)t * variables * BINS);
  TRIAD_TRY(triad_sum_threads(&j->flow->context->comm, j->work, variables * BINS, threads, to));
  for (int v = 0; v < variables; v++) {
    double *pdf = triad_sample_add_density(j->c, names[v]);
    for (int b = 0; b < BINS; b++) pdf[b] /= j->volume * (2 * (double)TRIAD_SAMPLE_REACH / BINS);
  }
  return TRIAD_OK;
}

/* ---- profiles ---- */

static int sum_planes(job *j, int axis, double *sums)
{
  triad_staggered_flow *f = j->flow;
  const double *here;
  TRIAD_TRY(f->loops->sum_planes(f, axis, &here));
  return here ? triad_staggered_profile_collect(f->mesh, axis, here, j->work, sums)
              : triad_staggered_profile_planes(f->mesh, axis, f->u[0], f->p, f->heat[0], j->work, sums);
}

/* The factors of each product, in the order of the sums. */
static const int factors[PRODUCTS][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}, {3, 3}};
static const int heat_factors[HEAT_PRODUCTS][2] = {
  {TEMPERATURE, TEMPERATURE}, {0, TEMPERATURE}, {1, TEMPERATURE}, {2, TEMPERATURE}};

static const char *unit_of(const int of[2])
{
  if (of[1] == TEMPERATURE) return of[0] == TEMPERATURE ? "K^2" : "K U";
  return of[0] == 3 ? "(M/(L T^2))^2" : "U^2";
}

static void add_product(job *j, int axis, const int of[2])
{
  (void)triad_sample_add_covariance(j->c, axis, j->flow->setup.n[axis], names[of[0]], names[of[1]], unit_of(of), fluid);
}

static void add_mean(job *j, int axis, int v)
{
  (void)triad_sample_add_mean(j->c, axis, j->flow->setup.n[axis], names[v], units[v], names[v], fluid);
}

static int put_profiles(job *j, int axis)
{
  triad_contents *c = j->c;
  triad_staggered_flow *f = j->flow;
  const int64_t n = f->setup.n[axis];
  double *at = triad_sample_add_profile(c, axis, n, letters[axis], "L",
                                        triad_contents_text(c, "coordinate along %s of cell centres", letters[axis]));
  /* the sums go to where the arrays will be; those of areas where the coordinates come last */
  TRIAD_TRY(sum_planes(j, axis, at));
  for (int64_t i = n; i < triad_staggered_profile_sums(&f->setup) * n; i++)
    at[i] = at[i % n] > 0 ? at[i] / at[i % n] : 0;
  memcpy(at, f->mesh->centre[axis], (size_t)n * sizeof *at);
  for (int i = 0; i < MEANS; i++) add_mean(j, axis, i);
  for (int i = 0; i < PRODUCTS; i++) add_product(j, axis, factors[i]);
  if (f->heat[0]) add_mean(j, axis, TEMPERATURE);
  for (int i = 0; i < HEAT_PRODUCTS && f->heat[0]; i++) add_product(j, axis, heat_factors[i]);
  return TRIAD_OK;
}

/* ---- a sample ---- */

static int compute_samples(job *j, const double *columns)
{
  if (j->ask.spectra || j->ask.moments || j->ask.pdfs) TRIAD_TRY(triad_staggered_to_host(j->flow));
  if (j->ask.spectra) TRIAD_TRY(triad_staggered_spectra_take(j->flow, columns[0], j->c));
  if (j->ask.moments || j->ask.pdfs) TRIAD_TRY(sum_moments(j));
  if (j->ask.moments) put_moments(j);
  if (j->ask.pdfs) TRIAD_TRY(put_pdfs(j));
  for (int a = 0; a < 3; a++)
    if (j->ask.profiles[a]) TRIAD_TRY(put_profiles(j, a));
  return TRIAD_OK;
}

int triad_staggered_samples(void *self, const double *columns, triad_contents **out)
{
  triad_staggered_flow *f = self;
  triad_memory *memory = f->context->memory;
  job j = {.flow = f, .ask = triad_mean_asked(f->given)};
  const int64_t sums = sums_of(&f->setup, &j.ask);
  int arrays;
  int64_t values;
  size_of(&f->setup, &j.ask, &arrays, &values);
  int st = triad_contents_create(out, memory, arrays, values);
  if (st == TRIAD_OK && sums > 0) st = TRIAD_ALLOC(memory, "means", f->context->threads * sums, &j.work);
  j.c = *out;
  st = triad_agree(&f->context->comm, st);
  if (st == TRIAD_OK) st = compute_samples(&j, columns);
  TRIAD_FREE(memory, &j.work);
  return st;
}
