#include "solvers/weno/force.h"
#include "solvers/weno/force_rows.h"
#include "solvers/weno/own.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>

enum kind { NOISE, LINEAR };

struct triad_gas_force {
  triad_weno *w;
  enum kind kind;
  triad_gas_waves waves;  /* of NOISE  */
  double amplitude, rate; /* of NOISE; of LINEAR */
  int cools;
  double kept;            /* mean of the internal energy that cooling keeps; not a number: of the next state */
  double spacing, power[TRIAD_WENO_POWERS];
  double *room;           /* [threads][3][own points along x] */
};

/* ---- rows ---- */

/* The change of velocity in dt along a row, before the mean is taken out. Linear: u' = A u, exactly. */
static void changes(const triad_gas_force *f, double dt, int64_t y, int64_t z, double *const du[3])
{
  const triad_weno *w = f->w;
  const int64_t n = w->blocks.local[0], at = triad_partition_at(&w->blocks, 0, y, z);
  if (f->kind == NOISE) triad_gas_waves_row(&f->waves, omp_get_thread_num(), y, z, du);
  for (int c = 0; c < 3; c++)
    for (int64_t x = 0; x < n; x++)
      du[c][x] = f->kind == NOISE ? du[c][x] * dt
                                  : expm1(f->rate * dt) * (double)w->u[1 + c][at + x] / (double)w->u[0][at + x];
}

static double kinetic(const triad_weno *w, int64_t i)
{
  const double mx = (double)w->u[1][i], my = (double)w->u[2][i], mz = (double)w->u[3][i];
  return (mx * mx + my * my + mz * mz) / (2 * (double)w->u[0][i]);
}

enum { MASS, CHANGE, SUMS = CHANGE + 3 }; /* sum of rho; of rho du */
enum { INTERNAL, WORK, PARTS };          /* sum of the internal energy; of what the kinetic energy gained */

/* A walk over the rows of this rank, with the mean change of velocity known or not. */
static void row_sums(const triad_gas_force *f, int64_t y, int64_t z, double *const du[3], triad_sum *sum)
{
  const triad_real *rho = f->w->u[0] + triad_partition_at(&f->w->blocks, 0, y, z);
  for (int64_t x = 0; x < f->w->blocks.local[0]; x++) {
    triad_sum_add(&sum[MASS], (double)rho[x]);
    for (int c = 0; c < 3; c++) triad_sum_add(&sum[CHANGE + c], (double)rho[x] * du[c][x]);
  }
}

/* Momentum and energy of a row; the internal energy stays. */
static void row_kick(const triad_gas_force *f, int64_t y, int64_t z, double *const du[3], const double mean[3], triad_sum *sum)
{
  const triad_weno *w = f->w;
  const int64_t at = triad_partition_at(&w->blocks, 0, y, z);
  for (int64_t x = 0; x < w->blocks.local[0]; x++) {
    const int64_t i = at + x;
    const double rho = (double)w->u[0][i];
    double gain = 0;
    for (int c = 0; c < 3; c++) {
      const double d = du[c][x] - mean[c], m = (double)w->u[1 + c][i];
      gain += d * (m + rho * d / 2);
      w->u[1 + c][i] = (triad_real)(m + rho * d);
    }
    w->u[4][i] = (triad_real)((double)w->u[4][i] + gain);
    triad_sum_add(&sum[WORK], gain);
    triad_sum_add(&sum[INTERNAL], (double)w->u[4][i] - kinetic(w, i));
  }
}

/* Rows of this rank, by its threads; mean NULL: sums[SUMS] of the change; otherwise the kick, and sums[PARTS]. dt = 0: the
 * state's own. Collective: values[] are means over all points. */
static int walk(const triad_gas_force *f, double dt, const double *mean, double *values)
{
  const triad_weno *w = f->w;
  const triad_partition *b = &w->blocks;
  const int n = mean ? PARTS : SUMS;
  triad_sum sums[SUMS];
  for (int s = 0; s < n; s++) triad_sum_clear(&sums[s]);
#pragma omp parallel num_threads(triad_weno_threads(w, triad_partition_points(b)))
  {
    triad_sum mine[SUMS];
    double *room = f->room + 3 * b->local[0] * omp_get_thread_num();
    double *const du[3] = {room, room + b->local[0], room + 2 * b->local[0]};
    for (int s = 0; s < n; s++) triad_sum_clear(&mine[s]);
#pragma omp for collapse(2) schedule(static)
    for (int64_t z = 0; z < b->local[2]; z++)
      for (int64_t y = 0; y < b->local[1]; y++) {
        changes(f, dt, y, z, du);
        if (mean) row_kick(f, y, z, du, mean, mine);
        else row_sums(f, y, z, du, mine);
      }
#pragma omp critical(triad_gas_force)
    for (int s = 0; s < n; s++) triad_sum_merge(&sums[s], &mine[s]);
  }
  TRIAD_TRY(triad_sum_all(&w->context->comm, sums, n, values));
  for (int s = 0; s < n; s++) values[s] /= (double)b->n[0] * (double)b->n[1] * (double)b->n[2];
  return TRIAD_OK;
}

/* The internal energy times a number, so that it stays positive everywhere. */
static void scale_internal(const triad_gas_force *f, double factor)
{
  const triad_weno *w = f->w;
  const triad_partition *b = &w->blocks;
#pragma omp parallel for collapse(2) schedule(static) num_threads(triad_weno_threads(w, triad_partition_points(b)))
  for (int64_t z = 0; z < b->local[2]; z++)
    for (int64_t y = 0; y < b->local[1]; y++)
      for (int64_t x = 0; x < b->local[0]; x++) {
        const int64_t i = triad_partition_at(b, x, y, z);
        const double energy = kinetic(w, i);
        w->u[4][i] = (triad_real)(energy + factor * ((double)w->u[4][i] - energy));
      }
}

/* ---- a step ---- */

/* After the scheme's step: force, then cooling, then the numbers of the next step. A state that is no gas any more is left as
 * it is: the look that follows tells where. */
static int act(void *self, int64_t step, double dt)
{
  triad_gas_force *f = self;
  double sums[SUMS], parts[PARTS], mean[3];
  TRIAD_TRY(walk(f, dt, NULL, sums));
  for (int c = 0; c < 3; c++) mean[c] = sums[CHANGE + c] / sums[MASS];
  if (!isfinite(sums[MASS]) || !isfinite(mean[0] + mean[1] + mean[2])) return TRIAD_OK;
  TRIAD_TRY(walk(f, dt, mean, parts));
  f->power[0] = parts[WORK] / dt;
  if (f->cools && parts[INTERNAL] > 0) {
    f->power[1] = (parts[INTERNAL] - f->kept) / dt;
    scale_internal(f, f->kept / parts[INTERNAL]);
  }
  if (f->kind == NOISE) triad_noise_advance(&f->waves.noise, step, dt);
  return TRIAD_OK;
}

double triad_gas_force_longest(const triad_gas_force *f, double cfl)
{
  if (!f) return INFINITY;
  if (f->kind == LINEAR) return cfl / f->rate;
  return fmin(f->waves.noise.time / 10, sqrt(cfl * f->spacing / fabs(f->amplitude)));
}

void triad_gas_force_powers(const triad_gas_force *f, double power[TRIAD_WENO_POWERS])
{
  for (int i = 0; f && i < TRIAD_WENO_POWERS; i++) power[i] = f->power[i];
}

/* ---- made, kept ---- */

static int fill(triad_gas_force *f, triad_weno *w, const triad_case *c)
{
  const triad_weno_setup *s = &w->setup;
  double band[2];
  f->w = w;
  f->kind = triad_case_is(c, "forcing.kind", "linear") ? LINEAR : NOISE;
  f->amplitude = triad_case_real(c, "forcing.amplitude");
  f->rate = triad_case_real(c, "forcing.rate");
  f->cools = triad_case_is(c, "forcing.cooling", "internal-energy");
  f->spacing = INFINITY;
  for (int i = 0; i < 3; i++) f->spacing = fmin(f->spacing, s->length[i] / (double)s->n[i]);
  TRIAD_TRY(TRIAD_ALLOC(w->context->memory, "forcing", 3 * w->context->threads * w->blocks.local[0], &f->room));
  if (f->kind != NOISE) return TRIAD_OK;
  triad_case_reals(c, "forcing.k_range", band, 2);
  f->waves.noise = (triad_noise){.components = 3,
                                 .helicity = triad_case_real(c, "forcing.helicity"),
                                 .solenoidal = triad_case_real(c, "forcing.solenoidal"),
                                 .time = triad_case_real(c, "forcing.correlation_time"),
                                 .seed = (uint64_t)triad_case_integer(c, "forcing.seed")};
  TRIAD_TRY(triad_gas_waves_create(&f->waves, w->context, s, &w->blocks, band));
  f->waves.size = f->amplitude / sqrt(2 * (double)f->waves.noise.count);
  return TRIAD_OK;
}

int triad_gas_force_create(triad_gas_force **out, triad_weno *w, const triad_case *given)
{
  *out = NULL;
  if (triad_case_is(given, "forcing.kind", "none")) return TRIAD_OK;
  triad_gas_force *f = *out = calloc(1, sizeof *f);
  int st = f ? fill(f, w, given) : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the force");
  st = triad_agree(&w->context->comm, st);
  if (st != TRIAD_OK) {
    triad_gas_force_destroy(out);
    return st;
  }
  w->between = act;
  w->between_self = f;
  return TRIAD_OK;
}

void triad_gas_force_destroy(triad_gas_force **force)
{
  if (!force || !*force) return;
  triad_memory *m = (*force)->w->context->memory;
  triad_gas_waves_free(&(*force)->waves, m);
  TRIAD_FREE(m, &(*force)->room);
  free(*force);
  *force = NULL;
}

static double noted(const triad_notes *notes, const char *name, double otherwise)
{
  if (notes && triad_notes_has(notes, name)) (void)triad_notes_real(notes, name, &otherwise);
  return otherwise;
}

int triad_gas_force_settle(triad_gas_force *f, const triad_instant *at, const triad_notes *notes)
{
  double parts[PARTS];
  static const double nothing[3] = {0, 0, 0};
  if (!f) return TRIAD_OK;
  f->power[0] = noted(notes, "forcing_injected", 0);
  f->power[1] = noted(notes, "forcing_cooled", 0);
  f->kept = noted(notes, "forcing_internal_energy", 0);
  if (f->kind == NOISE && !(notes && triad_noise_take(&f->waves.noise, notes)))
    triad_noise_begin(&f->waves.noise, at->step);
  if (f->kept > 0) return TRIAD_OK;
  TRIAD_TRY(walk(f, 0, nothing, parts)); /* a step of no length changes nothing */
  f->kept = parts[INTERNAL];
  return TRIAD_OK;
}

int triad_gas_force_keep(const triad_gas_force *f, triad_notes *notes)
{
  if (!f) return TRIAD_OK;
  TRIAD_TRY(triad_notes_set_real(notes, "forcing_injected", f->power[0]));
  TRIAD_TRY(triad_notes_set_real(notes, "forcing_cooled", f->power[1]));
  TRIAD_TRY(triad_notes_set_real(notes, "forcing_internal_energy", f->kept));
  return f->kind == NOISE ? triad_noise_keep(&f->waves.noise, notes) : TRIAD_OK;
}
