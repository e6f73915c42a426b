/* Columns, transfers and inputs that a closure adds to the shape of a set, and the measurement of the columns: means
 * over points are modes k = 0 of a pass, so that they are the same on any number of ranks. */
#include "solvers/spectral/flow_pass.h"
#include "solvers/spectral/closure/closure_internal.h"

#include "fft/pass/transform.h"
#include "solvers/spectral/equations/velocity.h"

#include <math.h>
#include <string.h>

enum { DRAIN, NU_MEAN, NU_MAX, COEFFICIENT, CLIPPED, COLUMNS, BLOCK = 128, G = TRIAD_CLOSURE_GRADIENTS };

/* ---- the shape ---- */

/* Words of fields' columns; %d: the number of a scalar. */
static int add_field_columns(triad_shape *shape)
{
  for (int f = 3, scalar = 0; f < shape->n_fields; f++) {
    const int theta = strcmp(shape->fields[f].name, "theta") == 0;
    if (!theta) scalar++;
    const triad_column_info column = {
      theta ? "theta_sgs_dissipation" : triad_shape_text(shape, "scalar%d_sgs_dissipation", scalar),
      theta ? "U^2/T" : "S^2/T",
      .formula = theta ? "mean(nu_t/Pr_t |grad theta|^2)"
                       : triad_shape_text(shape, "mean(nu_t/Pr_t |grad s|^2) of scalar %d", scalar)};
    TRIAD_TRY(triad_shape_add_columns(shape, 1, &column));
  }
  return TRIAD_OK;
}

static int add_columns(triad_shape *shape, const triad_closure_model *model)
{
  const int modes = !model->rows;
  const triad_column_info columns[COLUMNS] = {
    [DRAIN] = {"sgs_dissipation", "U^2/T",
               .formula = modes ? "sum_k 2 nu_t(k) k^2 |u_k|^2/2" : "mean(nu_t |S|^2), energy that the closure takes"},
    [NU_MEAN] = {"eddy_viscosity_mean", "L^2/T",
                 .formula = modes ? "sgs_dissipation/(2 enstrophy)" : "mean of nu_t over the points"},
    [NU_MAX] = {"eddy_viscosity_max", "L^2/T", .formula = modes ? "nu_t(k_c)" : "maximum of nu_t over the points"},
    [COEFFICIENT] = {"closure_coefficient", "1", .formula = "C_s^2 = mean(L:M)/mean(M:M), before it is clipped at 0"},
    [CLIPPED] = {"closure_clipped", "1", .formula = "1 if the coefficient is negative and 0 is used, else 0"}};
  TRIAD_TRY(triad_shape_add_columns(shape, model->dynamic ? COLUMNS : COEFFICIENT, columns));
  return add_field_columns(shape);
}

/* NAME_sgs and its flux for each transfer of the set. */
static int add_transfers(triad_shape *shape)
{
  static const struct {
    const char *of, *transfer, *flux;
  } names[] = {{"T", "T_sgs", "Pi_sgs"}, {"T_u", "T_u_sgs", "Pi_u_sgs"}, {"T_theta", "T_theta_sgs", "Pi_theta_sgs"}};
  const int n = shape->n_transfers;
  for (int x = 0, scalar = 0; x < n; x++) {
    const triad_transfer_info *of = &shape->transfers[x];
    size_t row = 0;
    while (row < sizeof names / sizeof *names && strcmp(names[row].of, of->transfer.name) != 0) row++;
    const int named = row < sizeof names / sizeof *names;
    if (!named) scalar++;
    const triad_transfer_info more = {
      {named ? names[row].transfer : triad_shape_text(shape, "T_S%d_sgs", scalar), of->transfer.unit,
       .formula = named ? "energy transfer into the shell by the closure"
                        : triad_shape_text(shape, "transfer of the variance of scalar %d by the closure", scalar)},
      {named ? names[row].flux : triad_shape_text(shape, "Pi_S%d_sgs", scalar), of->flux.unit,
       .formula = "minus the cumulative sum of this transfer: what the closure takes from the shells up to here"},
      of->first_field,
      of->n_fields,
      0};
    TRIAD_TRY(triad_shape_add_transfers(shape, 1, &more));
  }
  return TRIAD_OK;
}

static int ends_with(const char *name, const char *end)
{
  const size_t n = strlen(name), m = strlen(end);
  return n >= m && strcmp(name + n - m, end) == 0;
}

/* A simulation with a closure does not resolve the smallest scales: those columns have no limits. Dissipation includes
 * the closure's. */
static void change_columns(triad_shape *shape)
{
  for (int c = 0, scalar = 0; c < shape->n_columns; c++) {
    triad_column_info *column = &shape->columns[c];
    if (ends_with(column->name, "kmax_eta") || ends_with(column->name, "_tail"))
      column->limit = (triad_column_limit){TRIAD_LIMIT_NONE, 0};
    if (strncmp(column->name, "scalar", 6) == 0 && ends_with(column->name, "_dissipation"))
      column->formula =
        triad_shape_text(shape, "kappa mean(|grad s|^2) of scalar %d, plus its sgs_dissipation", ++scalar);
    if (strcmp(column->name, "buoyancy_flux") == 0)
      column->formula = "N mean(w theta): d(potential_energy)/dt = buoyancy_flux - diffusive_dissipation - "
                        "theta_sgs_dissipation";
  }
  shape->columns[TRIAD_COLUMN_DISSIPATION].formula =
    triad_shape_group(shape, "theta").n > 0
      ? "viscous_dissipation + diffusive_dissipation + sgs_dissipation + theta_sgs_dissipation: dE/dt = injection - "
        "dissipation"
      : "sum_k (viscosity k^2 + hyperviscosity k^(2 order) + drag) |u_k|^2 + sgs_dissipation, so that dE/dt = "
        "injection - dissipation";
}

int triad_closure_shape(triad_shape *shape, const triad_case *given)
{
  const triad_closure_model *model = triad_closure_model_of(given);
  if (!model) return TRIAD_OK;
  const int n_scalars = shape->n_fields - 3;
  change_columns(shape);
  TRIAD_TRY(add_columns(shape, model));
  TRIAD_TRY(add_transfers(shape));
  if (!model->rows) {
    shape->own_modes++;
    return TRIAD_OK;
  }
  shape->pass[0].n_in += G + 3 * n_scalars;
  shape->observe.n_in = model->dynamic ? TRIAD_DYNAMIC_INPUTS : G + 3 * n_scalars;
  shape->observe.n_out = model->dynamic ? TRIAD_DYNAMIC_PRODUCTS : 2 + n_scalars;
  if (shape->observe.n_out < 2 + n_scalars) shape->observe.n_out = 2 + n_scalars;
  if (model->dynamic) shape->own_modes += TRIAD_DYNAMIC_PRODUCTS;
  return TRIAD_OK;
}

/* ---- their measurement ---- */

typedef struct job {
  triad_flow *flow;
  const triad_closure *closure;
  double *means; /* nu_t, nu_t |S|^2, then nu_t |grad s|^2 of each further field */
} job;

static void source(void *self, const triad_batch *block, triad_cplx *const *in)
{
  const job *j = self;
  for (int f = 0, next = 0; f < j->closure->n_fields; f++)
    for (int axis = 0; axis < 3; axis++) {
      if (3 * f + axis == G) continue;
      triad_cplx *const to = in[next++];
      triad_batch_put(block, j->flow->u[f], to);
      triad_closure_slope(block, axis, to, to);
    }
}

static void points(void *self, const triad_patch *at, triad_real *const *in, triad_real *const *out, double *peaks)
{
  const triad_closure *c = ((const job *)self)->closure;
  triad_real last[BLOCK];
  const triad_real *g[9];
  for (int64_t from = 0; from < at->n; from += BLOCK) {
    const int64_t n = at->n - from < BLOCK ? at->n - from : BLOCK;
    triad_real *nu = out[0] + from, *drain = out[1] + from;
    triad_closure_nine(in, from, n, last, g);
    c->model->rows(&c->constants, n, g, nu);
    for (int64_t i = 0; i < n; i++) {
      triad_real v[9];
      for (int f = 0; f < 9; f++) v[f] = g[f][i];
      drain[i] = nu[i] * triad_strain_squared(v);
      if ((double)nu[i] > peaks[TRIAD_PEAK_VISCOSITY]) peaks[TRIAD_PEAK_VISCOSITY] = (double)nu[i];
    }
    for (int s = 0; s < c->n_scalars; s++) {
      triad_real *const *slope = in + G + 3 * s;
      const triad_real *mean = c->mean_gradient + 3 * s;
      for (int64_t i = from; i < from + n; i++)
        out[2 + s][i] = nu[i - from] * (slope[0][i] * (mean[0] + slope[0][i]) + slope[1][i] * (mean[1] + slope[1][i]) +
                                        slope[2][i] * (mean[2] + slope[2][i]));
    }
  }
}

static void sink(void *self, const triad_batch *block, triad_cplx *const *results)
{
  const job *j = self;
  for (int r = 0; r < 2 + j->closure->n_scalars; r++) triad_closure_mean(block, results[r], &j->means[r]);
}

static int settle(void *self, const double *peaks)
{
  const job *j = self;
  return triad_closure_settle(j->flow, peaks);
}

/* means[2 + n_scalars] as in job; c->nu_max becomes that of this state. */
static int measure_points(triad_flow *flow, double *means)
{
  const triad_closure *c = flow->closure;
  const int n = 2 + c->n_scalars;
  double mine[n];
  memset(mine, 0, sizeof mine);
  job j = {.flow = flow, .closure = c, .means = mine};
  const triad_work work = {.n_in = G + 3 * c->n_scalars,
                           .n_out = n,
                           .source = source,
                           .points = points,
                           .settle = settle,
                           .sink = sink,
                           .any_order = 1,
                           .self = &j};
  triad_pass *pass;
  TRIAD_TRY(triad_state_read_all(flow->state, TRIAD_HOST));
  TRIAD_TRY(triad_flow_borrow(flow, work.n_in, n, &pass));
  const int st = triad_pass_run(pass, &work);
  triad_flow_return(flow, &pass);
  TRIAD_TRY(st);
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(mine, means, n, MPI_DOUBLE, MPI_SUM, flow->context->comm.mpi)));
  for (int s = 2; s < n; s++) means[s] *= c->per_prandtl;
  return TRIAD_OK;
}

/* columns[at] of a further field's drain, and the column of dissipation that includes it: the scalar's own, or for
 * theta that of the total energy. */
static void put_field(const triad_shape *shape, int at, double drain, double *columns)
{
  char own[64] = "";
  const char *name = shape->columns[at].name, *end = strstr(name, "_sgs");
  columns[at] = drain;
  (void)memcpy(own, name, (size_t)(end - name));
  (void)strcpy(own + (end - name), "_dissipation");
  const int column = triad_shape_column(shape, own);
  columns[column < 0 ? TRIAD_COLUMN_DISSIPATION : column] += drain;
}

int triad_closure_measure(triad_flow *flow, double *columns)
{
  triad_closure *c = flow->closure;
  if (!c) return TRIAD_OK;
  const int n = c->n_scalars;
  double means[2 + n], *at = columns + c->first_column;
  TRIAD_TRY(triad_closure_begin(flow));
  if (c->model->rows) {
    TRIAD_TRY(measure_points(flow, means));
  } else {
    TRIAD_TRY(triad_closure_wavenumber_amplitude(c, flow));
    TRIAD_TRY(triad_closure_wavenumber_drains(c, flow, means + 1));
    means[0] = columns[TRIAD_COLUMN_ENSTROPHY] > 0 ? means[1] / (2 * columns[TRIAD_COLUMN_ENSTROPHY]) : 0;
  }
  at[DRAIN] = means[1];
  at[NU_MEAN] = means[0];
  at[NU_MAX] = c->nu_max;
  columns[TRIAD_COLUMN_DISSIPATION] += means[1];
  if (c->model->dynamic) {
    at[COEFFICIENT] = c->coefficient;
    at[CLIPPED] = c->coefficient < 0;
  }
  const int first = c->first_column + (c->model->dynamic ? COLUMNS : COEFFICIENT);
  for (int s = 0; s < n; s++) put_field(&flow->shape, first + s, means[2 + s], columns);
  return TRIAD_OK;
}
