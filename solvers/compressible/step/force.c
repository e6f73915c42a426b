/* Accelerate a gas between steps by noise, linear forces or formulas, remove the net momentum, cool it, and measure
 * the work. */
#include "solvers/compressible/step/force.h"
#include "solvers/compressible/points/force_points.h"
#include "solvers/compressible/plain/force_rows.h"
#include "solvers/compressible/step/loops.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>

enum kind { NOISE, LINEAR, FORMULA };

/* Variables of formulas: x, y, z, t, rho, u, v, w, p. */
enum { COORDINATES = 4, VARIABLES = COORDINATES + TRIAD_COMPRESSIBLE_FIELDS };

/* What a force does on one device. walk: mean NULL: sums[n] of the change in dt; otherwise the kick, and sums[n] of
 * what it did. scale_internal: the internal energy times a number, so that it stays positive everywhere. Not
 * collective. */
typedef struct force_loops {
  int (*allocate)(triad_gas_force *f);
  int (*walk)(triad_gas_force *f, double dt, const double *mean, int n, triad_sum *sums);
  int (*scale_internal)(triad_gas_force *f, double factor);
  void (*free)(triad_gas_force *f);
} force_loops;

struct triad_gas_force {
  triad_compressible *w;
  enum kind kind;
  triad_gas_waves waves;  /* of NOISE  */
  double amplitude, rate; /* of NOISE; of LINEAR */
  int cools;
  double kept; /* mean of the internal energy that cooling keeps; not a number: of the next state */
  double spacing, power[TRIAD_COMPRESSIBLE_POWERS];
  const struct force_loops *loops; /* of the device that takes the steps */
  double *room;                    /* [threads][3][own points along x]; on the CPU */
  triad_gas_on_gpu *gpu;           /* memory of the loops on a GPU; NULL: the CPU */
  /* of FORMULA */
  triad_formula *formula[3];
  double *variables; /* [threads][VARIABLES][own points along x] */
  double t, largest; /* of this kick; the largest acceleration at its points */
  const triad_instant *at;
  int follows;    /* a formula has u, v or w in it */
  double mean[3]; /* acceleration of the last kick that was taken out */
  int bad;        /* the first formula, from 1, that had no value, and where */
  double bad_value, bad_at[3];
};

/* ---- rows ---- */

/* rho, u, v, w, p and where they are, along a row. */
static void fill_variables(const triad_gas_force *f, int64_t y, int64_t z, double *const v[VARIABLES])
{
  const triad_compressible *w = f->w;
  const int64_t n = w->blocks.local[0], at = triad_partition_at(&w->blocks, 0, y, z);
  const double py = triad_compressible_position(&w->setup, 1, w->blocks.begin[1] + y),
               pz = triad_compressible_position(&w->setup, 2, w->blocks.begin[2] + z);
  for (int64_t x = 0; x < n; x++) {
    const int64_t i = at + x;
    const double rho = (double)w->u[0][i];
    double square = 0;
    v[0][x] = triad_compressible_position(&w->setup, 0, w->blocks.begin[0] + x);
    v[1][x] = py;
    v[2][x] = pz;
    v[3][x] = f->t;
    v[4][x] = rho;
    for (int c = 0; c < 3; c++) {
      v[5 + c][x] = (double)w->u[1 + c][i] / rho;
      square += v[5 + c][x] * v[5 + c][x];
    }
    v[8][x] = (w->setup.gamma - 1) * ((double)w->u[4][i] - rho * square / 2);
  }
}

static void note_bad(triad_gas_force *f, int c, double *const v[VARIABLES], const double *value, int64_t n)
{
  for (int64_t x = 0; x < n; x++) {
    int good = isfinite(value[x]);
    for (int i = COORDINATES; !good && i < VARIABLES; i++) good = !isfinite(v[i][x]);
    if (good) continue;
#pragma omp critical(triad_gas_force)
    if (!f->bad) {
      f->bad = c + 1;
      f->bad_value = value[x];
      for (int i = 0; i < 3; i++) f->bad_at[i] = v[i][x];
    }
    return;
  }
}

static void evaluate(triad_gas_force *f, int64_t n, double *const v[VARIABLES], double *const a[3])
{
  for (int c = 0; c < 3; c++) {
    if (f->formula[c]) triad_formula_rows(f->formula[c], n, (const double *const *)v, a[c]);
    for (int64_t x = 0; x < n && !f->formula[c]; x++) a[c][x] = 0;
    note_bad(f, c, v, a[c], n);
  }
}

/* Accelerations by the formulas; the largest. Those that hang on the velocity take it from the middle of the kick,
 * so that this is of second order too; what is taken out of the mean changes little from kick to kick. */
static double formula_row(triad_gas_force *f, double dt, int64_t y, int64_t z, double *const a[3])
{
  const int64_t n = f->w->blocks.local[0];
  double *v[VARIABLES], most = 0;
  for (int i = 0; i < VARIABLES; i++) v[i] = f->variables + (omp_get_thread_num() * VARIABLES + i) * n;
  fill_variables(f, y, z, v);
  evaluate(f, n, v, a);
  if (f->follows) {
    for (int c = 0; c < 3; c++)
      for (int64_t x = 0; x < n; x++) v[5 + c][x] += dt / 2 * (a[c][x] - f->mean[c]);
    evaluate(f, n, v, a);
  }
  for (int64_t x = 0; x < n; x++) most = fmax(most, a[0][x] * a[0][x] + a[1][x] * a[1][x] + a[2][x] * a[2][x]);
  return sqrt(most);
}

/* The change of velocity in dt along a row, before the mean is taken out. Linear: u' = A u, exactly. */
static double changes(triad_gas_force *f, double dt, int64_t y, int64_t z, double *const du[3])
{
  const triad_compressible *w = f->w;
  const int64_t n = w->blocks.local[0], at = triad_partition_at(&w->blocks, 0, y, z);
  if (f->kind == NOISE) triad_gas_waves_row(&f->waves, omp_get_thread_num(), y, z, du);
  const double most = f->kind == FORMULA ? formula_row(f, dt, y, z, du) : 0;
  for (int c = 0; c < 3; c++)
    for (int64_t x = 0; x < n; x++)
      du[c][x] =
        f->kind != LINEAR ? du[c][x] * dt : expm1(f->rate * dt) * (double)w->u[1 + c][at + x] / (double)w->u[0][at + x];
  return most;
}

enum { MASS, CHANGE, SUMS = CHANGE + 3 }; /* sum of rho; of rho du */
enum { WORK, INTERNAL, PARTS };           /* sum of what the kinetic energy gained; of the internal energy */

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
static void row_kick(const triad_gas_force *f, int64_t y, int64_t z, double *const du[3], const double mean[3],
                     triad_sum *sum)
{
  const triad_compressible *w = f->w;
  const int64_t at = triad_partition_at(&w->blocks, 0, y, z);
  for (int64_t x = 0; x < w->blocks.local[0]; x++) {
    const double d[3] = {du[0][x] - mean[0], du[1][x] - mean[1], du[2][x] - mean[2]};
    triad_sum_add(&sum[WORK], triad_gas_kick(w->u, at + x, d));
    triad_sum_add(&sum[INTERNAL], (double)w->u[4][at + x] - triad_gas_kinetic(w->u, at + x));
  }
}

/* Rows of this rank, by its threads. The largest acceleration that a sum meets is this rank's, until check_formulas;
 * a kick meets the same, and leaves it. */
static int walk_rows(triad_gas_force *f, double dt, const double *mean, int n, triad_sum *sums)
{
  const triad_compressible *w = f->w;
  const triad_partition *b = &w->blocks;
  double largest = 0;
#pragma omp parallel num_threads(triad_compressible_threads(w, triad_partition_points(b))) reduction(max : largest)
  {
    triad_sum mine[SUMS];
    double *room = f->room + 3 * b->local[0] * omp_get_thread_num();
    double *const du[3] = {room, room + b->local[0], room + 2 * b->local[0]};
    for (int s = 0; s < n; s++) triad_sum_clear(&mine[s]);
#pragma omp for collapse(2) schedule(static)
    for (int64_t z = 0; z < b->local[2]; z++)
      for (int64_t y = 0; y < b->local[1]; y++) {
        largest = fmax(largest, changes(f, dt, y, z, du));
        if (mean) row_kick(f, y, z, du, mean, mine);
        else row_sums(f, y, z, du, mine);
      }
#pragma omp critical(triad_gas_force)
    for (int s = 0; s < n; s++) triad_sum_merge(&sums[s], &mine[s]);
  }
  if (!mean) f->largest = largest;
  return TRIAD_OK;
}

static int scale_rows(triad_gas_force *f, double factor)
{
  const triad_compressible *w = f->w;
  const triad_partition *b = &w->blocks;
#pragma omp parallel for collapse(2) schedule(static) \
  num_threads(triad_compressible_threads(w, triad_partition_points(b)))
  for (int64_t z = 0; z < b->local[2]; z++)
    for (int64_t y = 0; y < b->local[1]; y++)
      for (int64_t x = 0; x < b->local[0]; x++) triad_gas_scale_internal(w->u, triad_partition_at(b, x, y, z), factor);
  return TRIAD_OK;
}

static int allocate_rows(triad_gas_force *f)
{
  const triad_compressible *w = f->w;
  return TRIAD_ALLOC(w->context->memory, "forcing", 3 * w->context->threads * w->blocks.local[0], &f->room);
}

static void free_rows(triad_gas_force *f) { TRIAD_FREE(f->w->context->memory, &f->room); }

static const force_loops host_loops = {allocate_rows, walk_rows, scale_rows, free_rows};

/* ---- on a GPU ---- */

static const triad_gas_waves *waves_of(const triad_gas_force *f) { return f->kind == NOISE ? &f->waves : NULL; }

static int allocate_on_gpu(triad_gas_force *f) { return triad_gas_gpu->force_make(f->w, waves_of(f), &f->gpu); }

static int walk_on_gpu(triad_gas_force *f, double dt, const double *mean, int n, triad_sum *sums)
{
  return triad_gas_gpu->force_push(f->gpu, waves_of(f), expm1(f->rate * dt), dt, mean, n, sums);
}

static int scale_on_gpu(triad_gas_force *f, double factor) { return triad_gas_gpu->force_cool(f->gpu, factor); }

static void free_on_gpu(triad_gas_force *f) { triad_gas_gpu->between_drop(&f->gpu); }

static const force_loops gpu_loops = {allocate_on_gpu, walk_on_gpu, scale_on_gpu, free_on_gpu};

/* ---- a kick ---- */

/* mean NULL: sums[SUMS] of the change; otherwise the kick, and sums[PARTS]. dt = 0: the state's own. Collective:
 * values[] are means over all points. */
static int walk(triad_gas_force *f, double dt, const double *mean, double *values)
{
  const triad_compressible *w = f->w;
  const triad_partition *b = &w->blocks;
  const int n = mean ? PARTS : SUMS;
  triad_sum sums[SUMS];
  for (int s = 0; s < n; s++) triad_sum_clear(&sums[s]);
  TRIAD_TRY(triad_agree(&w->context->comm, f->loops->walk(f, dt, mean, n, sums)));
  TRIAD_TRY(triad_sum_all(&w->context->comm, sums, n, values));
  for (int s = 0; s < n; s++) values[s] /= (double)b->n[0] * (double)b->n[1] * (double)b->n[2];
  return TRIAD_OK;
}

/* ---- a step ---- */

/* A formula without a value: TRIAD_ERR_CASE. And the largest acceleration of all ranks. Collective. */
static int check_formulas(triad_gas_force *f)
{
  const triad_comm *comm = &f->w->context->comm;
  if (f->kind != FORMULA) return TRIAD_OK;
  TRIAD_TRY(triad_agree(
    comm, !f->bad ? TRIAD_OK
                  : TRIAD_FAIL(TRIAD_ERR_CASE, "forcing.%c is %s at x = %g, y = %g, z = %g, t = %g, but must be finite",
                               "uvw"[f->bad - 1], isnan(f->bad_value) ? "not a number" : "infinite", f->bad_at[0],
                               f->bad_at[1], f->bad_at[2], f->t)));
  return TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, &f->largest, 1, MPI_DOUBLE, MPI_MAX, comm->mpi));
}

/* The force of a time dt, and what it does to kinetic energy, mean over the points. *acted 0: a state that is no gas
 * any more is left as it is, and the look that follows tells where. */
static int push(triad_gas_force *f, double dt, double parts[PARTS], int *acted)
{
  double sums[SUMS], mean[3];
  TRIAD_TRY(walk(f, dt, NULL, sums));
  TRIAD_TRY(check_formulas(f));
  for (int c = 0; c < 3; c++) mean[c] = sums[CHANGE + c] / sums[MASS];
  *acted = isfinite(sums[MASS]) && isfinite(mean[0] + mean[1] + mean[2]);
  if (*acted) TRIAD_TRY(walk(f, dt, mean, parts));
  for (int c = 0; *acted && c < 3; c++) f->mean[c] = mean[c] / dt;
  return TRIAD_OK;
}

/* The scheme's step between two halves of a formula's, which makes the whole of second order (Strang 1968, SIAM J.
 * Numer. Anal. 5, 506); other forces act after it. Then cooling, then the numbers of the next step. */
static int act_on_gas(void *self, int after, int64_t step, double dt, int *changed)
{
  triad_gas_force *f = self;
  double parts[PARTS];
  int acted;
  if (!after) f->power[0] = 0;
  if (!after && f->kind != FORMULA) return TRIAD_OK;
  f->t = f->at->t + (after ? dt : 0);
  TRIAD_TRY(push(f, f->kind == FORMULA ? dt / 2 : dt, parts, &acted));
  *changed = 1;
  if (!acted) return TRIAD_OK;
  f->power[0] += parts[WORK] / dt;
  f->power[2] += parts[WORK];
  if (!after) return TRIAD_OK;
  if (f->cools && parts[INTERNAL] > 0) {
    f->power[1] = (parts[INTERNAL] - f->kept) / dt;
    f->power[3] += parts[INTERNAL] - f->kept;
    TRIAD_TRY(triad_agree(&f->w->context->comm, f->loops->scale_internal(f, f->kept / parts[INTERNAL])));
  }
  if (f->kind == NOISE) triad_noise_advance(&f->waves.noise, step, dt);
  return TRIAD_OK;
}

double triad_gas_force_longest(const triad_gas_force *f, double cfl)
{
  if (!f) return INFINITY;
  if (f->kind == LINEAR) return cfl / f->rate;
  if (f->kind == FORMULA) return f->largest > 0 ? sqrt(cfl * f->spacing / f->largest) : INFINITY;
  return fmin(f->waves.noise.time / 10, sqrt(cfl * f->spacing / fabs(f->amplitude)));
}

void triad_gas_force_powers(const triad_gas_force *f, double power[TRIAD_COMPRESSIBLE_POWERS])
{
  for (int i = 0; f && i < TRIAD_COMPRESSIBLE_POWERS; i++) power[i] = f->power[i];
}

/* ---- made, kept ---- */

static int fill_formulas(triad_gas_force *f, const triad_case *c)
{
  static const char *const keys[] = {"forcing.u", "forcing.v", "forcing.w"};
  for (int i = 0; i < 3; i++) {
    TRIAD_TRY(triad_case_formula(c, keys[i], 0, &f->formula[i]));
    for (int v = 5; f->formula[i] && v < 8; v++) f->follows |= triad_formula_uses(f->formula[i], v);
  }
  return TRIAD_ALLOC(f->w->context->memory, "forcing", VARIABLES * f->w->context->threads * f->w->blocks.local[0],
                     &f->variables);
}

static int read_force(triad_gas_force *f, triad_compressible *w, const triad_case *c)
{
  const triad_compressible_setup *s = &w->setup;
  double band[2];
  f->kind = triad_case_is(c, "forcing.kind", "linear")    ? LINEAR
            : triad_case_is(c, "forcing.kind", "formula") ? FORMULA
                                                          : NOISE;
  f->amplitude = triad_case_real(c, "forcing.amplitude");
  f->rate = triad_case_real(c, "forcing.rate");
  f->cools = triad_case_is(c, "forcing.cooling", "internal-energy");
  f->spacing = INFINITY;
  for (int i = 0; i < 3; i++) f->spacing = fmin(f->spacing, s->length[i] / (double)s->n[i]);
  if (f->kind == FORMULA) return fill_formulas(f, c);
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

int triad_gas_force_create(triad_gas_force **out, triad_compressible *w, const triad_case *given)
{
  *out = NULL;
  if (triad_case_is(given, "forcing.kind", "none")) return TRIAD_OK;
  triad_gas_force *f = *out = calloc(1, sizeof *f);
  int st = f ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the force");
  if (f) {
    f->w = w;
    f->loops = w->loops->where == TRIAD_DEVICE ? &gpu_loops : &host_loops;
    st = read_force(f, w, given);
  }
  if (st == TRIAD_OK) st = f->loops->allocate(f);
  st = triad_agree(&w->context->comm, st);
  if (st != TRIAD_OK) {
    triad_gas_force_destroy(out);
    return st;
  }
  w->between = act_on_gas;
  w->between_self = f;
  return TRIAD_OK;
}

void triad_gas_force_destroy(triad_gas_force **force)
{
  if (!force || !*force) return;
  triad_memory *m = (*force)->w->context->memory;
  (*force)->loops->free(*force);
  triad_gas_waves_free(&(*force)->waves, m);
  TRIAD_FREE(m, &(*force)->variables);
  for (int i = 0; i < 3; i++) triad_formula_destroy(&(*force)->formula[i]);
  free(*force);
  *force = NULL;
}

static double noted(const triad_notes *notes, const char *name, double otherwise)
{
  if (notes && triad_notes_has(notes, name)) (void)triad_notes_real(notes, name, &otherwise);
  return otherwise;
}

/* noise: the notes that its numbers come from. */
static int settle(triad_gas_force *f, const triad_instant *at, const triad_notes *notes, const triad_notes *noise)
{
  double sums[SUMS], parts[PARTS];
  static const double nothing[3] = {0, 0, 0};
  if (!f) return TRIAD_OK;
  f->power[0] = noted(notes, "forcing_injected", 0);
  f->power[1] = noted(notes, "forcing_cooled", 0);
  f->power[2] = noted(notes, "forcing_work", 0);
  f->power[3] = noted(notes, "forcing_heat", 0);
  f->kept = noted(notes, "forcing_internal_energy", 0);
  if (f->kind == NOISE && !(noise && triad_noise_take(&f->waves.noise, noise)))
    triad_noise_begin(&f->waves.noise, at->step);
  f->at = at;
  for (int c = 0; c < 3; c++) f->mean[c] = 0;
  if (notes) (void)triad_notes_reals(notes, "forcing_mean", 3, f->mean);
  f->t = at->t;
  TRIAD_TRY(walk(f, 0, NULL, sums)); /* a step of no length changes nothing */
  TRIAD_TRY(walk(f, 0, nothing, parts));
  TRIAD_TRY(check_formulas(f));
  if (!(f->kept > 0)) f->kept = parts[INTERNAL];
  f->largest = noted(notes, "forcing_largest", f->largest); /* the last step met it before its kick */
  return TRIAD_OK;
}

int triad_gas_force_settle(triad_gas_force *f, const triad_instant *at, const triad_notes *notes)
{
  return settle(f, at, notes, notes);
}

int triad_gas_force_branch(triad_gas_force *f, const triad_instant *at, const triad_notes *notes, int keeps_time,
                           triad_log *log)
{
  if (f && f->kind == NOISE && triad_noise_is_in(notes) && !triad_noise_take(&f->waves.noise, notes))
    triad_log_warning(log, "the force starts from a new state, because the checkpoint has no state of its band");
  return settle(f, at, keeps_time ? notes : NULL, notes);
}

int triad_gas_force_keep(const triad_gas_force *f, triad_notes *notes)
{
  if (!f) return TRIAD_OK;
  TRIAD_TRY(triad_notes_set_real(notes, "forcing_injected", f->power[0]));
  TRIAD_TRY(triad_notes_set_real(notes, "forcing_cooled", f->power[1]));
  TRIAD_TRY(triad_notes_set_real(notes, "forcing_work", f->power[2]));
  TRIAD_TRY(triad_notes_set_real(notes, "forcing_heat", f->power[3]));
  TRIAD_TRY(triad_notes_set_real(notes, "forcing_internal_energy", f->kept));
  TRIAD_TRY(triad_notes_set_reals(notes, "forcing_mean", 3, f->mean));
  if (f->kind == FORMULA) TRIAD_TRY(triad_notes_set_real(notes, "forcing_largest", f->largest));
  return f->kind == NOISE ? triad_noise_keep(&f->waves.noise, notes) : TRIAD_OK;
}
