/* The functions of the kinds of forcing, and the rate that a force adds to the forced modes in each stage. */
#include "solvers/spectral/force/force_internal.h"
#include "solvers/spectral/force/file.h"
#include "solvers/spectral/force/ornstein_uhlenbeck.h"
#include "solvers/spectral/force/formula.h"
#include "solvers/spectral/force/plain/control.h"
#include "base/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define KIND(name, ...) &triad_force_##name,
static const triad_force_kind *const kinds[] = {TRIAD_FORCES(KIND)};

void triad_forcing_destroy(triad_forcing **forcing, triad_context *context)
{
  if (!forcing || !*forcing) return;
  triad_forcing *p = *forcing;
  triad_force_noise_free(p, context->memory);
  triad_force_formula_free(p, context->memory);
  triad_force_file_free(p, context->memory);
  TRIAD_FREE(context->memory, &p->place);
  TRIAD_FREE(context->memory, &p->column);
  TRIAD_FREE(context->memory, &p->kz_number);
  TRIAD_FREE(context->memory, &p->weight);
  TRIAD_FREE(context->memory, &p->lambda);
  TRIAD_FREE(context->memory, &p->f);
  free(p);
  *forcing = NULL;
}

static int read_parameters(triad_forcing *p, const triad_flow *flow)
{
  const triad_case *given = flow->given;
  const char *field = triad_case_word(given, "forcing.field");
  int magnetic = strcmp(field, "magnetic") == 0; /* the case's word */
  triad_field_group driven = triad_shape_group(&flow->shape, magnetic ? "magnetic field" : field);
  p->kind = kinds[triad_force_row(given)];
  p->properties = triad_force_properties(triad_force_row(given));
  p->first = driven.first;
  p->components = p->energetic = driven.n;
  p->power = p->given_power = triad_case_real(given, "forcing.power");
  p->helicity = triad_case_real(given, "forcing.helicity");
  p->amplitude = triad_case_real(given, "forcing.amplitude");
  p->energy = triad_case_real(given, "forcing.energy");
  p->injected = p->end_power = NAN;
  p->key = triad_random_key((uint64_t)triad_case_integer(given, "forcing.seed"), TRIAD_STREAM_FORCING);
  p->spacing = INFINITY;
  p->threads = flow->context->threads;
  for (int i = 0; i < 3; i++) p->spacing = fmin(p->spacing, triad_grid_spacing(&flow->grid, i));
  TRIAD_TRY(triad_force_control_set(p, flow));
  return p->kind->create ? p->kind->create(p, flow) : TRIAD_OK;
}

int triad_forcing_create(triad_forcing **out, triad_flow *flow)
{
  *out = NULL;
  const triad_comm *comm = &flow->context->comm;
  if (triad_case_is(flow->given, "forcing.kind", "none")) return TRIAD_OK;
  triad_forcing *p = calloc(1, sizeof *p);
  int st = p ? read_parameters(p, flow) : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the forcing");
  st = triad_agree(comm, st);
  if (st == TRIAD_OK && p->properties & TRIAD_FORCE_BAND) {
    int64_t all = 0;
    st = TRIAD_MPI(MPI_Allreduce(&p->count, &all, 1, MPI_INT64_T, MPI_SUM, comm->mpi));
    if (st == TRIAD_OK && all == 0)
      st = TRIAD_FAIL(TRIAD_ERR_CASE, "forcing.k_range: the band contains no mode of this grid: widen it");
    st = triad_agree(comm, st);
  }
  if (st == TRIAD_OK && p->kind == &triad_force_formula) st = triad_force_formula_create(p, flow);
  if (st == TRIAD_OK && p->kind == &triad_force_file) st = triad_force_file_create(p, flow);
  if (st == TRIAD_OK) triad_forcing_settle(p, flow, NULL, NULL);
  if (st != TRIAD_OK) triad_forcing_destroy(&p, flow->context);
  *out = p;
  return st;
}

int triad_forcing_prepare(triad_forcing *p, const triad_flow *flow)
{
  return p && p->kind->prepare ? p->kind->prepare(p, flow) : TRIAD_OK;
}

void triad_forcing_add(const triad_forcing *p, triad_cplx *const *target, double tau, double weight)
{
  if (!triad_forcing_acts(p)) return;
#pragma omp parallel for schedule(static) num_threads(p->count < TRIAD_FORCE_MANY ? 1 : p->threads)
  for (int64_t m = 0; m < p->count; m++) {
    const double *lambda = p->lambda + p->components * m;
    double factor = 0;
    for (int c = 0; c < p->components; c++) {
      if (c == 0 || lambda[c] < lambda[c - 1] || lambda[c] > lambda[c - 1]) factor = weight * exp(-lambda[c] * tau);
      triad_cplx *to = &target[p->first + c][p->place[m]];
      to->re += (triad_real)(factor * p->f[2 * p->components * m + 2 * c]);
      to->im += (triad_real)(factor * p->f[2 * p->components * m + 2 * c + 1]);
    }
  }
}

int triad_forcing_kick(triad_forcing *p, triad_flow *flow, double dt)
{
  return p && p->kind->finish ? p->kind->finish(p, flow, dt) : TRIAD_OK;
}

triad_decay triad_forcing_decay(const triad_flow *flow, int field)
{
  triad_decay decay = flow->equations->decay(flow->self, field);
  const triad_forcing *p = flow->forcing;
  if (p && field >= p->first && field < p->first + p->components) decay.growth = p->growth;
  return decay;
}

/* Mean of half the square of the driven field, among the columns. */
static double energy_of(const triad_forcing *p, const triad_flow *flow, const double *columns)
{
  const char *field = triad_case_word(flow->given, "forcing.field");
  const char *names[] = {strcmp(field, "magnetic") == 0 ? "magnetic_energy"
                         : p->components == 1           ? "potential_energy"
                                                        : "kinetic_energy",
                         "energy"};
  for (int n = 0; n < 2; n++) {
    const int at = triad_shape_column(&flow->shape, names[n]);
    if (at >= 0) return columns[at];
  }
  return 0;
}

int triad_forcing_injection(triad_forcing *p, const triad_flow *flow, const double *columns, double *power)
{
  *power = 0;
  if (!p) return TRIAD_OK;
  if (p->kind->power) return p->kind->power(p, flow, power);
  *power = p->growth > 0 ? 2 * p->growth * energy_of(p, flow, columns) : p->power;
  return TRIAD_OK;
}

static int does(const triad_forcing *p, unsigned what) { return p && p->properties & what; }

static const char work_name[] = "work_done";

int triad_forcing_column(triad_shape *shape, const triad_case *given)
{
  const triad_column_info column = {work_name, "U^2", .formula = "integral of injection over all steps"};
  /* no superfluid */
  const int driven = triad_case_applies(given, "forcing.kind") && triad_shape_group(shape, "velocity").n > 0;
  return driven ? triad_shape_add_columns(shape, 1, &column) : TRIAD_OK;
}

int triad_forcing_measures(const triad_forcing *p) { return p && !does(p, TRIAD_FORCE_COUNTS); }

int triad_forcing_begins(const triad_forcing *p) { return triad_forcing_measures(p) && isnan(p->end_power); }

void triad_forcing_set_end(triad_forcing *p, double power) { p->end_power = power; }

void triad_forcing_forget_end(triad_forcing *p)
{
  if (p) p->end_power = NAN;
}

double triad_forcing_growth(const triad_forcing *p) { return p ? p->growth : 0; }

void triad_forcing_count(triad_flow *flow, double power)
{
  triad_forcing *p = flow->forcing;
  if (triad_forcing_measures(p)) {
    flow->work += flow->at.dt * (p->end_power + power) / 2;
    p->end_power = power;
  } else if (p) flow->work += flow->at.dt * (isnan(p->injected) ? p->power : p->injected);
}

void triad_forcing_work(const triad_flow *flow, double *columns)
{
  for (int c = 0; c < flow->shape.n_columns; c++)
    if (flow->shape.columns[c].name == work_name) columns[c] = flow->work;
}

void triad_forcing_modes(const triad_forcing *p, int64_t *count, const int64_t **place, const int64_t **column,
                         const int64_t **kz_number)
{
  *count = p->count;
  *place = p->place;
  *column = p->column;
  *kz_number = p->kz_number;
}

void triad_forcing_fields(const triad_forcing *p, int *first, int *components)
{
  *first = p->first;
  *components = p->components;
}

int triad_forcing_follows(const triad_forcing *p)
{
  if (!does(p, TRIAD_FORCE_FOLLOWS)) return 0;
  if (p->kind == &triad_force_noisy) return !p->noise.started;
  return p->kind != &triad_force_constant_energy || !(p->energy > 0);
}

int triad_forcing_cleans(const triad_forcing *p, double before, double after)
{
  const double folds = 5; /* from rounding to a hundred times as much */
  return p && p->growth > 0 && floor(p->growth * after / folds) > floor(p->growth * before / folds);
}

int triad_forcing_acts(const triad_forcing *p) { return does(p, TRIAD_FORCE_ACTS); }

int triad_forcing_finishes(const triad_forcing *p) { return p && p->kind->finish; }

int triad_forcing_kicks(const triad_forcing *p) { return does(p, TRIAD_FORCE_KICKS); }

double triad_forcing_dt(const triad_forcing *p, double cfl) { return p ? p->kind->longest(p, cfl) : INFINITY; }

/* ---- what goes through a checkpoint ---- */

static int keep_control(const triad_force_control *c, triad_notes *notes)
{
  if (c->column < 0) return TRIAD_OK;
  TRIAD_TRY(triad_notes_set_real(notes, "forcing_hold_since", c->since));
  TRIAD_TRY(triad_notes_set_real(notes, "forcing_hold_integral", c->integral));
  return triad_notes_set_real(notes, "forcing_hold_gain", c->gain);
}

int triad_forcing_keep(const triad_forcing *p, triad_notes *notes)
{
  if (!p) return TRIAD_OK;
  TRIAD_TRY(keep_control(&p->control, notes));
  TRIAD_TRY(triad_force_file_keep(p, notes));
  if (p->kind == &triad_force_constant_energy) TRIAD_TRY(triad_notes_set_real(notes, "forcing_energy", p->energy));
  if (!isnan(p->injected)) TRIAD_TRY(triad_notes_set_real(notes, "forcing_injected", p->injected));
  return p->kind == &triad_force_noisy ? triad_noise_keep(&p->noise.of, notes) : TRIAD_OK;
}

static void read_note(const triad_notes *notes, const char *name, double *value)
{
  if (notes && triad_notes_has(notes, name)) (void)triad_notes_real(notes, name, value);
}

/* The noise of the checkpoint, where it has one of the same band. */
static void take_noise(triad_forcing *p, const triad_flow *flow, const triad_notes *notes, triad_log *log)
{
  if (p->kind != &triad_force_noisy) return;
  const int drawn = notes && triad_noise_take(&p->noise.of, notes);
  triad_force_noise_settle(p, flow->at.step, drawn);
  if (notes && !drawn)
    triad_log_say(log, triad_noise_is_in(notes) ? TRIAD_LOG_WARNING : TRIAD_LOG_INFO,
                  "the force starts from a new state, because the checkpoint has no state of its band");
}

void triad_forcing_settle(triad_forcing *p, const triad_flow *flow, const triad_notes *notes, triad_log *log)
{
  if (!p) return;
  triad_force_control *c = &p->control;
  p->injected = p->end_power = NAN;
  c->since = flow->at.t;
  c->integral = c->gain = 0;
  p->energy = triad_case_real(flow->given, "forcing.energy");
  read_note(notes, "forcing_injected", &p->injected);
  if (!(p->energy > 0)) read_note(notes, "forcing_energy", &p->energy);
  if (c->column >= 0) {
    read_note(notes, "forcing_hold_since", &c->since);
    read_note(notes, "forcing_hold_integral", &c->integral);
    read_note(notes, "forcing_hold_gain", &c->gain);
  }
  p->power = p->given_power * exp(c->gain);
  triad_force_file_settle(p, notes, log);
  take_noise(p, flow, notes, log);
}

void triad_forcing_branch(triad_forcing *p, const triad_flow *flow, const triad_notes *notes, int keeps_time,
                          triad_log *log)
{
  if (!p) return;
  if (keeps_time) triad_forcing_settle(p, flow, notes, log);
  else take_noise(p, flow, notes, log);
}
