/* Measure sums, spectra and transfers of a state on a GPU. */
#include "solvers/spectral/closure/closure.h"
#include "solvers/spectral/measure/budget.h"
#include "solvers/spectral/measure/gpu_values.h"
#include "solvers/spectral/gpu_part.h"
#include "grid/shells.h"
#include "parallel/sum.h"
#include "solvers/spectral/equations/gpu_observe.h"
#include "solvers/spectral/force/forcing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a measurement works with. */
typedef struct gauge {
  triad_flow *flow;
  triad_gpu_stepper *stepper;
  const triad_gpu_state *state;
  const triad_gpu_set *set;
  const void *law;
  triad_gpu_measure measure;
} gauge;

static int begin(gauge *b, triad_flow *flow)
{
  memset(b, 0, sizeof *b);
  b->flow = flow;
  TRIAD_TRY(triad_state_read_all(flow->state, TRIAD_DEVICE));
  b->stepper = triad_stepper_gpu(flow->stepper);
  b->state = triad_gpu_stepper_state(b->stepper);
  b->set = triad_gpu_stepper_set(b->stepper, &b->law);
  b->measure = triad_gpu_state_measure(b->state);
  return TRIAD_OK;
}

/* n numbers of this rank become those of all ranks: added exactly, rounded once. */
static int add_ranks(const triad_comm *comm, int64_t n, double *values)
{
  enum { AT_ONCE = 64 };
  triad_sum sums[AT_ONCE];
  if (comm->size == 1) return TRIAD_OK;
  for (int64_t i = 0; i < n; i += AT_ONCE) {
    int m = (int)(n - i < AT_ONCE ? n - i : AT_ONCE);
    for (int k = 0; k < m; k++) {
      triad_sum_clear(&sums[k]);
      triad_sum_add(&sums[k], values[i + k]);
    }
    TRIAD_TRY(triad_sum_all(comm, sums, m, values + i));
  }
  return TRIAD_OK;
}

/* status: of what made them on this rank, which may have failed alone. */
static int bring(const gauge *b, int64_t n, double *values, int status)
{
  const triad_comm *comm = &b->flow->context->comm;
  if (status == TRIAD_OK)
    status = triad_device_get(b->state->device, values, b->state->out, n * (int64_t)sizeof *values);
  TRIAD_TRY(triad_agree(comm, status));
  return add_ranks(comm, n, values);
}

/* ---- bins for spectra: tables on the device for the columns of a layout ----
 *   shells: one group of all columns, bins are shells
 *   about:  z: groups are rings, bins are planes; x, y: groups are planes, bins are rings */

/* On the host, before they go to the device. */
typedef struct tables {
  int32_t *offset, *column, *group; /* group: of each column */
  double *across2;
} tables;

static int allocate_tables(tables *t, int64_t groups, const triad_layout *l)
{
  memset(t, 0, sizeof *t);
  t->offset = calloc((size_t)groups + 1, sizeof *t->offset);
  t->column = calloc((size_t)l->lanes, sizeof *t->column);
  t->group = calloc((size_t)l->lanes, sizeof *t->group);
  t->across2 = calloc((size_t)l->lanes, sizeof *t->across2);
  return t->offset && t->column && t->group && t->across2 ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "tables of bins");
}

static void drop(tables *t)
{
  free(t->offset);
  free(t->column);
  free(t->group);
  free(t->across2);
}

/* Columns in order of their groups. */
static void sort(tables *t, int64_t groups, const triad_layout *l)
{
  for (int64_t c = 0; c < l->n_columns; c++) t->offset[t->group[c] + 1]++;
  for (int64_t g = 0; g < groups; g++) t->offset[g + 1] += t->offset[g];
  for (int64_t c = 0; c < l->n_columns; c++) t->column[t->offset[t->group[c]]++] = (int32_t)c;
  for (int64_t g = groups; g > 0; g--) t->offset[g] = t->offset[g - 1]; /* each had moved on to the next */
  t->offset[0] = 0;
}

static int finish(triad_gpu_bins *out, triad_device *d, const triad_layout *l, tables *t)
{
  sort(t, out->n_groups, l);
  int st = triad_device_table(d, "bins", out->n_groups + 1, sizeof *t->offset, t->offset, (void **)&out->offset);
  if (st == TRIAD_OK) st = triad_device_table(d, "bins", l->lanes, sizeof *t->column, t->column, (void **)&out->column);
  if (st == TRIAD_OK)
    st = triad_device_table(d, "bins", l->lanes, sizeof *t->across2, t->across2, (void **)&out->across2);
  return st;
}

static int shells_create(triad_gpu_bins *out, triad_device *device, const triad_layout *l)
{
  tables t;
  *out = (triad_gpu_bins){.n_groups = 1, .n_bins = triad_shell_count(&l->grid), .width = triad_grid_k_min(&l->grid)};
  int st = allocate_tables(&t, 1, l);
  for (int64_t c = 0; st == TRIAD_OK && c < l->n_columns; c++)
    t.across2[c] = triad_bin_square(l->size_x[c], l->size_y[c]);
  if (st == TRIAD_OK) st = finish(out, device, l, &t);
  drop(&t);
  return st;
}

static int about_create(triad_gpu_bins *out, triad_device *device, const triad_layout *l, const triad_bins *b)
{
  tables t;
  int z = b->axis == 2;
  *out = (triad_gpu_bins){.n_groups = z ? b->rings : b->planes,
                          .n_bins = z ? b->planes : b->rings,
                          .width = z ? b->plane_width : b->ring_width};
  int st = allocate_tables(&t, out->n_groups, l);
  for (int64_t c = 0; st == TRIAD_OK && c < l->n_columns; c++) {
    const double w[3] = {l->size_x[c], l->size_y[c], 0}, across = w[b->axis == 0];
    t.group[c] = (int32_t)(z ? triad_bins_ring(b, w) : triad_bins_plane(b, w[b->axis]));
    t.across2[c] = z ? 0 : across * across;
  }
  if (st == TRIAD_OK) st = finish(out, device, l, &t);
  drop(&t);
  return st;
}

static void bins_destroy(triad_gpu_bins *b, triad_device *device)
{
  void *taken[] = {(void *)(uintptr_t)b->offset, (void *)(uintptr_t)b->column, (void *)(uintptr_t)b->across2};
  for (int i = 0; i < 3; i++) triad_device_free(device, &taken[i]);
  memset(b, 0, sizeof *b);
}

/* ---- budgets ---- */

/* Extremes of the velocity, by a pass that brings nothing back. */
static int extremes(const gauge *b, double peaks[TRIAD_PEAKS])
{
  double per_spacing[3], mine[TRIAD_GPU_PEAKS];
  for (int i = 0; i < 3; i++) per_spacing[i] = 1 / triad_grid_spacing(&b->flow->grid, i);
  triad_gpu_job job = {
    .n_in = 3, .in = (const triad_cplx *const *)b->state->u, .visit = triad_gpu_extremes, .law = per_spacing};
  TRIAD_TRY(triad_gpu_pass_forget(b->state->pass));
  TRIAD_TRY(triad_gpu_pass_run(b->state->pass, &job));
  TRIAD_TRY(triad_gpu_pass_peaks(b->state->pass, mine));
  for (int i = 0; i < TRIAD_GPU_PEAKS; i++)
    if (isnan(mine[i])) mine[i] = INFINITY;
  double all[TRIAD_GPU_PEAKS];
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(mine, all, TRIAD_GPU_PEAKS, MPI_DOUBLE, MPI_MAX, b->flow->context->comm.mpi)));
  peaks[TRIAD_PEAK_ADVECTION] = all[0];
  peaks[TRIAD_PEAK_SPEED2] = all[1];
  return TRIAD_OK;
}

/* What formulas of fields and at points put in, of which the fields are here. */
static int force_power(gauge *b)
{
  int has;
  double power;
  const int st = triad_gpu_stepper_force_power(b->stepper, &has, &b->measure);
  if (!has) return st;
  TRIAD_TRY(bring(b, 1, &power, st));
  triad_forcing_set_power(b->flow->forcing, power);
  return TRIAD_OK;
}

static int measure_budget(triad_flow *flow, double *sums, double peaks[TRIAD_PEAKS])
{
  gauge b;
  TRIAD_TRY(begin(&b, flow));
  for (int i = 0; i < TRIAD_PEAKS; i++) peaks[i] = 0;
  if (flow->equations->extremes) TRIAD_TRY(extremes(&b, peaks));
  TRIAD_TRY(bring(&b, flow->shape.n_sums, sums, b.set->spectral->sums(b.law, &b.measure)));
  if (!isfinite(sums[0]) || !isfinite(peaks[TRIAD_PEAK_ADVECTION])) return TRIAD_ERR_BLOWUP;
  if (b.set->observe) {
    double *observed = sums + flow->shape.n_sums;
    TRIAD_TRY(triad_agree(&flow->context->comm, b.set->observe(b.law, b.state, observed)));
    TRIAD_TRY(add_ranks(&flow->context->comm, flow->shape.n_observed, observed));
  }
  TRIAD_TRY(force_power(&b));
  return triad_gpu_stepper_show_forced(b.stepper);
}

/* squares: the sum of |u|^2 of the fields that the force drives; NULL: the forced modes are brought to flow->u. */
static int measure_force(triad_flow *flow, double *squares)
{
  gauge b;
  int first, components;
  TRIAD_TRY(begin(&b, flow));
  if (!squares) {
    TRIAD_TRY(force_power(&b));
    return triad_gpu_stepper_show_forced(b.stepper);
  }
  *squares = 0;
  triad_forcing_fields(flow->forcing, &first, &components);
  for (int f = first; f < first + components; f++) {
    double sums[2];
    TRIAD_TRY(bring(&b, 2, sums, triad_gpu_sum_squares(&b.measure, f)));
    *squares += sums[0];
  }
  return TRIAD_OK;
}

/* ---- spectra ---- */

static int sum_shells(triad_flow *flow, double *values)
{
  gauge b;
  triad_gpu_bins shells;
  TRIAD_TRY(begin(&b, flow));
  int st = shells_create(&shells, b.state->device, triad_gpu_stepper_layout(b.stepper));
  if (st == TRIAD_OK) st = b.set->spectral->densities(b.law, &b.measure, &shells);
  st = bring(&b, flow->shape.n_spectra * shells.n_bins, values, st);
  bins_destroy(&shells, b.state->device);
  return st;
}

static int measure_shells(triad_flow *flow, double *values)
{
  return triad_agree(&flow->context->comm, sum_shells(flow, values));
}

/* Rings and planes from both together. */
static void spread_both(int64_t n, const triad_bins *bins, const double *both, double *perp, double *par)
{
  for (int64_t i = 0; i < n; i++) {
    for (int64_t r = 0; r < bins->rings; r++) {
      triad_sum sum;
      triad_sum_clear(&sum);
      triad_sum_add_array(&sum, bins->planes, both + (i * bins->rings + r) * bins->planes);
      perp[i * bins->rings + r] = triad_sum_value(&sum);
    }
    for (int64_t p = 0; p < bins->planes; p++) {
      triad_sum sum;
      triad_sum_clear(&sum);
      for (int64_t r = 0; r < bins->rings; r++) triad_sum_add(&sum, both[(i * bins->rings + r) * bins->planes + p]);
      par[i * bins->planes + p] = triad_sum_value(&sum);
    }
  }
}

static int sum_both(triad_flow *flow, const triad_bins *bins, double *both)
{
  gauge b;
  triad_gpu_bins about;
  int64_t n = flow->shape.n_spectra, rings = bins->rings, planes = bins->planes, all = n * rings * planes;
  double *values = NULL;
  TRIAD_TRY(begin(&b, flow));
  int st = about_create(&about, b.state->device, triad_gpu_stepper_layout(b.stepper), bins);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(flow->context->memory, "spectra", all, &values);
  if (st == TRIAD_OK) st = b.set->spectral->densities(b.law, &b.measure, &about);
  st = bring(&b, all, values, st);
  for (int64_t i = 0; st == TRIAD_OK && i < n; i++)
    for (int64_t r = 0; r < rings; r++)
      for (int64_t p = 0; p < planes; p++)
        both[(i * rings + r) * planes + p] =
          bins->axis == 2 ? values[(i * rings + r) * planes + p] : values[(i * planes + p) * rings + r];
  TRIAD_FREE(flow->context->memory, &values);
  bins_destroy(&about, b.state->device);
  return st;
}

static int measure_about(triad_flow *flow, const triad_bins *bins, double *perp, double *par, double *both)
{
  TRIAD_TRY(triad_agree(&flow->context->comm, sum_both(flow, bins, both)));
  spread_both(flow->shape.n_spectra, bins, both, perp, par);
  return TRIAD_OK;
}

/* ---- transfers ---- */

/* The nonlinear term once more, on a grid, with the inputs that the part hides taken for 0. */
static int evaluate(const gauge *b, int part, const double *grid)
{
  const triad_shape *shape = &b->flow->shape;
  int n = shape->pass[0].n_in - triad_closure_inputs(b->flow->closure), first = shape->hidden[part].first,
      end = first + shape->hidden[part].count;
  const triad_cplx *in[n];
  if (b->flow->equations->at) b->flow->equations->at(b->flow->self, b->flow->at.t);
  TRIAD_TRY(triad_gpu_stepper_sources(b->stepper));
  if (end > first)
    TRIAD_TRY(
      triad_device_clear(b->state->device, b->state->scratch[0], b->state->modes.n * (int64_t)sizeof(triad_cplx)));
  for (int f = 0; f < n; f++)
    in[f] = f >= first && f < end ? b->state->scratch[0] : triad_gpu_stepper_inputs(b->stepper, 0)[f];
  return triad_gpu_stepper_pass(b->stepper, 0, in, grid);
}

/* Transfers of the set; those of a closure follow them. */
static int64_t own_transfers(const gauge *b, const triad_gpu_bins *shells)
{
  return b->flow->shape.n_transfers / (b->flow->closure ? 2 : 1) * shells->n_bins;
}

/* part: of the evaluations; that of a closure is behind the last. */
static int add_part(gauge *b, int part, const triad_gpu_bins *shells, double *values, double *transfer)
{
  const int64_t n = own_transfers(b, shells);
  const int of_closure = part == b->flow->shape.n_parts;
  const double *grid[2];
  const int grids = triad_gpu_pass_grids(b->state->pass, grid);
  for (int g = 0; g < grids; g++) {
    TRIAD_TRY(of_closure ? triad_gpu_stepper_closure(b->stepper, grid[g]) : evaluate(b, part, grid[g]));
    b->measure = triad_gpu_state_measure(b->state); /* the results lie as this pass left them */
    TRIAD_TRY(bring(b, n, values, b->set->spectral->transfers(b->law, of_closure ? 0 : part, &b->measure, shells)));
    for (int64_t i = 0; i < n; i++) transfer[i] += values[i] / grids;
  }
  return TRIAD_OK;
}

static int sum_transfer(triad_flow *flow, int64_t all, triad_sum **sums)
{
  gauge b;
  triad_gpu_bins shells;
  double *values = NULL, squares[TRIAD_TRANSFER_SQUARES];
  TRIAD_TRY(begin(&b, flow));
  int st = shells_create(&shells, b.state->device, triad_gpu_stepper_layout(b.stepper));
  const int64_t n = flow->shape.n_transfers * shells.n_bins;
  if (st == TRIAD_OK) st = TRIAD_ALLOC(flow->context->memory, "transfer sums", all, sums);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(flow->context->memory, "transfers", 2 * n, &values);
  st = triad_agree(&flow->context->comm, st); /* before the passes, in which ranks wait for each other */
  const int parts = flow->shape.n_parts;
  for (int part = 0; st == TRIAD_OK && part < parts + (flow->closure != NULL); part++)
    st = add_part(&b, part, &shells, values, values + n + (part == parts ? own_transfers(&b, &shells) : 0));
  for (int64_t i = 0; st == TRIAD_OK && i < n; i++) triad_sum_add(&(*sums)[i], values[n + i]);
  for (int f = 0; st == TRIAD_OK && f < flow->shape.n_fields; f++) {
    st = bring(&b, TRIAD_TRANSFER_SQUARES, squares, triad_gpu_sum_squares(&b.measure, f));
    for (int i = 0; st == TRIAD_OK && i < TRIAD_TRANSFER_SQUARES; i++)
      triad_sum_add(&(*sums)[n + f * TRIAD_TRANSFER_SQUARES + i], squares[i]);
  }
  TRIAD_FREE(flow->context->memory, &values);
  bins_destroy(&shells, b.state->device);
  return st;
}

static int measure_transfer(triad_flow *flow, int64_t n, triad_sum **sums)
{
  return triad_agree(&flow->context->comm, sum_transfer(flow, n, sums));
}

/* ---- aliasing ---- */

/* A stage that leaves the state as it is, u <- u + 0 N, and makes the register N, or takes N off it. */
static int rates_to_register(const gauge *b, int second)
{
  const int n = b->flow->shape.n_fields;
  triad_decay none[n];
  triad_gpu_update p = {.modes = b->state->modes,
                        .n_fields = n,
                        .u = b->state->u,
                        .q = b->state->scratch,
                        .decay = none,
                        .d = 1,
                        .e = second ? -1 : 1,
                        .first = !second};
  memset(none, 0, sizeof none);
  p.results = triad_gpu_state_measure(b->state).results;
  return p.modes.n == 0 ? TRIAD_OK : b->set->spectral->update(b->law, &p, b->measure.stream);
}

static int measure_aliasing(triad_flow *flow, const double *const grid[2], double squares[2])
{
  const triad_transfer_info *energy = &flow->shape.transfers[0];
  gauge b;
  TRIAD_TRY(begin(&b, flow));
  b.measure.u = (const triad_cplx *const *)b.state->scratch;
  for (int second = 0; second < 2; second++) {
    TRIAD_TRY(triad_gpu_stepper_sources(b.stepper));
    TRIAD_TRY(triad_gpu_stepper_pass(b.stepper, 0, triad_gpu_stepper_inputs(b.stepper, 0), grid[second]));
    TRIAD_TRY(rates_to_register(&b, second));
    squares[second] = 0;
    for (int f = energy->first_field; f < energy->first_field + energy->n_fields; f++) {
      double sums[2];
      TRIAD_TRY(bring(&b, 2, sums, triad_gpu_sum_squares(&b.measure, f)));
      squares[second] += sums[0];
    }
  }
  return TRIAD_OK;
}

/* What has no sums over modes alone there is measured with the rest. */
static int measure_modes(triad_flow *flow, double *columns) { return triad_budget_measure(flow, columns); }

static const triad_measure_loops loops = {.budget = measure_budget,
                                          .modes = measure_modes,
                                          .force = measure_force,
                                          .shells = measure_shells,
                                          .about = measure_about,
                                          .transfer = measure_transfer,
                                          .points = triad_gpu_point_sums,
                                          .aliasing = measure_aliasing};

const triad_gpu_measure_part triad_gpu_measure_table = {.loops = &loops,
                                                        .probes_create = triad_gpu_probes_create,
                                                        .probes_destroy = triad_gpu_probes_destroy,
                                                        .probes_sums = triad_gpu_probes_sums};
