/* Take samples for running means of a gas: spectra, moments, probability densities, profiles. */
#include "solvers/compressible/measure/samples.h"
#include "solvers/compressible/measure/spectra.h"
#include "solvers/compressible/points/budget_points.h"
#include "case/mean.h"
#include "parallel/sum.h"
#include "store/formats/sample_arrays.h"

#include <math.h>
#include <string.h>

enum {
  RHO,
  U,
  V,
  W,
  P,
  T,
  LOG_RHO,
  VARIABLES,
  PRODUCTS = 14,
  POWERS = TRIAD_VALUE_POWERS,
  MOMENTS = TRIAD_SAMPLE_MOMENTS,
  BINS = TRIAD_SAMPLE_BINS,
  PROFILES = VARIABLES + PRODUCTS
};

static const char *const letters[3] = {"x", "y", "z"};
static const struct {
  const char *name, *unit, *about;
} variables[VARIABLES] = {[RHO] = {"rho", "M/L^3", "density"},
                          [U] = {"u", "U", "velocity along x"},
                          [V] = {"v", "U", "velocity along y"},
                          [W] = {"w", "U", "velocity along z"},
                          [P] = {"p", "M/(L T^2)", "pressure"},
                          [T] = {"T", "U^2", "temperature gamma p/rho"},
                          [LOG_RHO] = {"log_rho", "1", "natural logarithm of the density"}};

/* Variances, and covariances of velocities and of what they carry. <rho u> = mean_rho mean_u + cov_rho_u, from which
 * the density-weighted mean of u follows. */
static const int factors[PRODUCTS][2] = {{RHO, RHO}, {U, U}, {V, V}, {W, W},   {P, P},   {T, T},   {LOG_RHO, LOG_RHO},
                                         {U, V},     {U, W}, {V, W}, {RHO, U}, {RHO, V}, {RHO, W}, {RHO, P}};

typedef struct job {
  triad_gas_flow *flow;
  triad_contents *c;
  triad_mean_list ask;
  int64_t points;        /* of this rank's block */
  triad_real *primitive; /* [TRIAD_COMPRESSIBLE_FIELDS][points] */
  triad_sum *work;       /* [threads][most_sums] */
  double moment[VARIABLES][MOMENTS];
} job;

/* ---- how much it is ---- */

static int has_points(const triad_mean_list *ask)
{
  return ask->moments || ask->pdfs || ask->profiles[0] || ask->profiles[1] || ask->profiles[2];
}

static void size_of(const triad_compressible_setup *s, const triad_mean_list *ask, int *arrays, int64_t *values)
{
  *arrays = 0;
  *values = 0;
  if (ask->spectra && triad_gas_spectra_size(s, arrays, values) != TRIAD_OK) return; /* checked with the case */
  *arrays += (ask->moments ? 1 + VARIABLES : 0) + (ask->pdfs ? 1 + VARIABLES : 0);
  *values += (ask->moments ? MOMENTS * (1 + VARIABLES) : 0) + (ask->pdfs ? BINS * (1 + VARIABLES) : 0);
  for (int a = 0; a < 3; a++) {
    *arrays += ask->profiles[a] ? 1 + PROFILES : 0;
    *values += ask->profiles[a] ? (1 + PROFILES) * s->n[a] : 0;
  }
}

/* Exact sums at the same time. */
static int64_t most_sums(const triad_compressible_setup *s, const triad_mean_list *ask)
{
  int64_t most = ask->moments || ask->pdfs ? VARIABLES * POWERS : 0;
  for (int a = 0; a < 3; a++)
    if (ask->profiles[a] && PROFILES * s->n[a] > most) most = PROFILES * s->n[a];
  return most;
}

int64_t triad_gas_samples_bytes(const triad_compressible_setup *s, const triad_case *given, int64_t points, int threads)
{
  const triad_mean_list ask = triad_mean_asked(given);
  int arrays;
  int64_t values;
  size_of(s, &ask, &arrays, &values);
  return values * (int64_t)sizeof(double) + threads * most_sums(s, &ask) * (int64_t)sizeof(triad_sum) +
         (has_points(&ask) ? TRIAD_COMPRESSIBLE_FIELDS * points * (int64_t)sizeof(triad_real) : 0);
}

int triad_gas_samples_check(const triad_compressible_setup *s, const triad_case *given)
{
  char origin[128];
  if (!triad_mean_asked(given).spectra || triad_gas_has_spectra(s)) return TRIAD_OK;
  (void)triad_case_origin(given, "output.means", origin, sizeof origin);
  return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: output.means: \"spectra\" requires periodic axes: remove it", origin);
}

/* ---- the variables of a point ---- */

static void take_point(const job *j, int64_t i, double value[VARIABLES])
{
  for (int f = 0; f < TRIAD_COMPRESSIBLE_FIELDS; f++) value[f] = (double)j->primitive[f * j->points + i];
  value[T] = j->flow->setup.gamma * value[P] / value[RHO];
  value[LOG_RHO] = log(value[RHO]);
}

static int take_primitives(job *j)
{
  for (int f = 0; f < TRIAD_COMPRESSIBLE_FIELDS; f++)
    TRIAD_TRY(triad_compressible_get(j->flow->weno, f, j->primitive + f * j->points));
  return TRIAD_OK;
}

static double all_points(const job *j)
{
  const int64_t *n = j->flow->setup.n;
  return (double)n[0] * (double)n[1] * (double)n[2];
}

/* Sums of points begin .. end - 1 to this thread's sums. */
typedef void add_points(const job *j, int64_t begin, int64_t end, triad_sum *sums);

/* values[i] <- n sums over all points of all ranks. */
static int sum_points(job *j, add_points *add, int64_t n, double *values)
{
  const triad_context *context = j->flow->context;
  const int threads = context->threads;
  for (int64_t i = 0; i < threads * n; i++) triad_sum_clear(&j->work[i]);
#pragma omp parallel for schedule(static, 1) num_threads(threads)
  for (int t = 0; t < threads; t++)
    add(j, triad_deal(j->points, t, threads), triad_deal(j->points, t + 1, threads), j->work + t * n);
  return triad_sum_threads(&context->comm, j->work, n, threads, values);
}

/* ---- moments and densities ---- */

static void add_values(const job *j, int64_t begin, int64_t end, triad_sum *sums)
{
  double value[VARIABLES];
  for (int64_t i = begin; i < end; i++) {
    take_point(j, i, value);
    for (int v = 0; v < VARIABLES; v++) triad_sum_add(&sums[v], value[v]);
  }
}

static void add_powers(const job *j, int64_t begin, int64_t end, triad_sum *sums)
{
  double value[VARIABLES], powers[POWERS];
  for (int64_t i = begin; i < end; i++) {
    take_point(j, i, value);
    for (int v = 0; v < VARIABLES; v++) {
      triad_value_powers(value[v] - j->moment[v][0], powers);
      for (int p = 0; p < POWERS; p++) triad_sum_add(&sums[v * POWERS + p], powers[p]);
    }
  }
}

static int find_moments(job *j)
{
  double sums[VARIABLES * POWERS];
  TRIAD_TRY(sum_points(j, add_values, VARIABLES, sums));
  for (int v = 0; v < VARIABLES; v++) j->moment[v][0] = sums[v] / all_points(j);
  TRIAD_TRY(sum_points(j, add_powers, (int64_t)VARIABLES * POWERS, sums));
  for (int v = 0; v < VARIABLES; v++)
    for (int p = 0; p < POWERS; p++) j->moment[v][1 + p] = sums[v * POWERS + p] / all_points(j);
  return TRIAD_OK;
}

static void put_moments(job *j)
{
  triad_sample_add_orders(j->c);
  for (int v = 0; v < VARIABLES; v++)
    triad_sample_add_moments(j->c, variables[v].name, variables[v].unit, "", j->moment[v]);
}

static int put_densities(job *j)
{
  int64_t counts[VARIABLES * BINS] = {0};
  triad_sample_add_deviations(j->c);
#pragma omp parallel for schedule(static) num_threads(j->flow->context->threads) reduction(+ : counts)
  for (int64_t i = 0; i < j->points; i++) {
    double value[VARIABLES];
    take_point(j, i, value);
    for (int v = 0; v < VARIABLES; v++) {
      const int bin = j->moment[v][1] > 0 ? triad_sample_bin(value[v], j->moment[v]) : -1;
      if (bin >= 0) counts[v * BINS + bin]++;
    }
  }
  TRIAD_TRY(
    TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, counts, VARIABLES * BINS, MPI_INT64_T, MPI_SUM, j->flow->context->comm.mpi)));
  for (int v = 0; v < VARIABLES; v++) {
    double *pdf = triad_sample_add_density(j->c, variables[v].name);
    for (int b = 0; b < BINS; b++)
      pdf[b] = (double)counts[v * BINS + b] / all_points(j) / (2 * (double)TRIAD_SAMPLE_REACH / BINS);
  }
  return TRIAD_OK;
}

/* ---- profiles ---- */

/* sums[profile * n + place along the axis], of an axis. */
static void add_planes(const job *j, int axis, int64_t begin, int64_t end, triad_sum *sums)
{
  const triad_partition *b = &j->flow->blocks;
  const int64_t n = j->flow->setup.n[axis];
  double value[VARIABLES];
  for (int64_t i = begin; i < end; i++) {
    const int64_t c[3] = {i % b->local[0], i / b->local[0] % b->local[1], i / (b->local[0] * b->local[1])};
    triad_sum *to = sums + b->begin[axis] + c[axis];
    take_point(j, i, value);
    for (int v = 0; v < VARIABLES; v++) triad_sum_add(&to[v * n], value[v]);
    for (int p = 0; p < PRODUCTS; p++)
      triad_sum_add(&to[(VARIABLES + p) * n], value[factors[p][0]] * value[factors[p][1]]);
  }
}

static void add_x(const job *j, int64_t begin, int64_t end, triad_sum *sums) { add_planes(j, 0, begin, end, sums); }
static void add_y(const job *j, int64_t begin, int64_t end, triad_sum *sums) { add_planes(j, 1, begin, end, sums); }
static void add_z(const job *j, int64_t begin, int64_t end, triad_sum *sums) { add_planes(j, 2, begin, end, sums); }

static int put_profiles(job *j, int axis)
{
  static add_points *const add[3] = {add_x, add_y, add_z};
  triad_contents *c = j->c;
  const int64_t n = j->flow->setup.n[axis];
  const triad_space space = triad_gas_bare_space(j->flow);
  double *at = triad_sample_add_profile(c, axis, n, letters[axis], "L",
                                        triad_contents_text(c, "coordinate along %s", letters[axis]));
  for (int64_t k = 0; k < n; k++) at[k] = triad_axis_position(&space.axis[axis], k);
  /* the sums go to where the arrays will be */
  double *sums = at + n;
  TRIAD_TRY(sum_points(j, add[axis], PROFILES * n, sums));
  for (int64_t i = 0; i < PROFILES * n; i++) sums[i] *= (double)n / all_points(j);
  for (int v = 0; v < VARIABLES; v++)
    (void)triad_sample_add_mean(c, axis, n, variables[v].name, variables[v].unit, variables[v].about, "planes");
  for (int p = 0; p < PRODUCTS; p++) {
    const int f = factors[p][0], g = factors[p][1];
    const char *unit = f == g ? triad_contents_text(c, "(%s)^2", variables[f].unit)
                              : triad_contents_text(c, "%s %s", variables[f].unit, variables[g].unit);
    (void)triad_sample_add_covariance(c, axis, n, variables[f].name, variables[g].name, unit, "planes");
  }
  return TRIAD_OK;
}

/* ---- a sample ---- */

static int at_points(job *j)
{
  TRIAD_TRY(triad_agree(&j->flow->context->comm, take_primitives(j)));
  if (j->ask.moments || j->ask.pdfs) TRIAD_TRY(find_moments(j));
  if (j->ask.moments) put_moments(j);
  if (j->ask.pdfs) TRIAD_TRY(put_densities(j));
  for (int a = 0; a < 3; a++)
    if (j->ask.profiles[a]) TRIAD_TRY(put_profiles(j, a));
  return TRIAD_OK;
}

static int allocate_buffers(job *j)
{
  triad_memory *memory = j->flow->context->memory;
  if (!has_points(&j->ask)) return TRIAD_OK;
  TRIAD_TRY(TRIAD_ALLOC(memory, "means", j->flow->context->threads * most_sums(&j->flow->setup, &j->ask), &j->work));
  return TRIAD_ALLOC(memory, "means", TRIAD_COMPRESSIBLE_FIELDS * j->points, &j->primitive);
}

int triad_gas_samples(void *self, const double *columns, triad_contents **out)
{
  triad_gas_flow *f = self;
  triad_memory *memory = f->context->memory;
  job j = {.flow = f, .ask = triad_mean_asked(f->given), .points = triad_partition_points(&f->blocks)};
  int arrays;
  int64_t values;
  size_of(&f->setup, &j.ask, &arrays, &values);
  int st = triad_contents_create(out, memory, arrays, values);
  if (st == TRIAD_OK) st = allocate_buffers(&j);
  j.c = *out;
  st = triad_agree(&f->context->comm, st);
  if (st == TRIAD_OK && j.ask.spectra) st = triad_gas_spectra_take(f, columns[TRIAD_COMPRESSIBLE_KINETIC], j.c);
  if (st == TRIAD_OK && has_points(&j.ask)) st = at_points(&j);
  TRIAD_FREE(memory, &j.primitive);
  TRIAD_FREE(memory, &j.work);
  return st;
}
