/* Where a flow on a staggered mesh starts: velocities at faces by formula, then made free of divergence. */
#include "solvers/staggered/case/initial.h"
#include "solvers/staggered/plain/rows.h"

#include "solvers/staggered/state/thermal.h"
#include "solvers/staggered/step/step.h"
#include "base/random.h"
#include "grid/fields/slab.h"
#include "solvers/box/formulas.h"
#include "solvers/staggered/state/flow.h"
#include "solvers/staggered/case/part.h"
#include "solvers/taylor_green.h"
#include "store/fields/fieldfile.h"
#include "base/precision.h"

#include <stdlib.h>

/* What formulas know of the case. */
typedef struct start {
  const triad_staggered_setup *setup;
  double amplitude, k[3], velocity[3];
  uint64_t key;
} start;

/* Component a at x; i: indices of the face, of the whole grid. */
typedef double formula(const start *s, int a, const double x[3], const int64_t i[3]);

static double uniform(const start *s, int a, const double x[3], const int64_t i[3])
{
  (void)x;
  (void)i;
  return s->velocity[a];
}

/* u = A cos kx sin ky, v = -A (k_x/k_y) sin kx cos ky */
static double taylor_green_2d(const start *s, int a, const double x[3], const int64_t i[3])
{
  (void)i;
  if (a == 0) return s->amplitude * cos(s->k[0] * x[0]) * sin(s->k[1] * x[1]);
  return a == 1 ? -s->amplitude * s->k[0] / s->k[1] * sin(s->k[0] * x[0]) * cos(s->k[1] * x[1]) : 0;
}

static double taylor_green(const start *s, int a, const double x[3], const int64_t i[3])
{
  double u[3];
  (void)i;
  (void)triad_taylor_green(s->k, x, u);
  return s->amplitude * u[a];
}

/* Between walls across y: u = 4 A y (L - y)/L^2 */
static double poiseuille(const start *s, int a, const double x[3], const int64_t i[3])
{
  double part = x[1] / s->setup->length[1];
  (void)i;
  return a == 0 ? 4 * s->amplitude * part * (1 - part) : 0;
}

/* Between walls across y, for turbulence to come of: a parabola of mean A, and a pair of vortices along the flow
 * that is strong enough (after Henningson and Kim 1991, J. Fluid Mech. 228, 183). Coordinates from -1 to 1. */
static double channel(const start *s, int a, const double x[3], const int64_t i[3])
{
  double at[3], f, g;
  (void)i;
  for (int j = 0; j < 3; j++) at[j] = 2 * x[j] / s->setup->length[j] - 1;
  f = 1 - at[1] * at[1];
  g = exp(-4 * (4 * at[0] * at[0] + at[2] * at[2]));
  if (a == 0) return 1.5 * s->amplitude * f;
  return 1.5 * s->amplitude * g * (a == 1 ? f * f * (1 - 8 * at[2] * at[2]) : 4 * at[1] * f * at[2]);
}

static double random_start(const start *s, int a, const double x[3], const int64_t i[3])
{
  double first, second;
  (void)x;
  triad_random_normals(triad_random_bits(s->key, (int32_t)i[0], (int32_t)i[1], (int32_t)i[2], (uint32_t)a), &first,
                       &second);
  return first;
}

static const struct {
  triad_word word;
  formula *at;
} starts[] = {{{"rest", .about = "fluid at rest"}, NULL},
              {{"taylor-green-2d", .about = "a decaying array of vortices in the x-y plane"}, taylor_green_2d},
              {{"taylor-green", .about = "the Taylor-Green vortex"}, taylor_green},
              {{"random", .about = "divergence-free white noise"}, random_start},
              {{"poiseuille", .about = "a parabolic profile between walls across y"}, poiseuille},
              {{"channel", .about = "poiseuille with a pair of vortices, which becomes turbulent"}, channel},
              {{"uniform", .about = "initial.velocity everywhere"}, uniform},
              {{"formula", .about = "formulas of x, y and z, projected to zero divergence"}, NULL},
              {{"file", .about = "fields u, v, w from a file, at cell centres", .needs = "initial.file"}, NULL},
              {{"checkpoint", .about = "the state of another run", .needs = "initial.file"}, NULL},
              {{0}, NULL}};

enum { STARTS = sizeof starts / sizeof *starts };

/* In keys.c's terms: compiled in both precisions, the rows of this one say the same. */
const triad_word *triad_staggered_start_word(int i)
{
  return i < STARTS && starts[i].word.name ? &starts[i].word : NULL;
}

static formula *formula_of(const triad_case *given)
{
  for (int i = 0; i < STARTS - 1; i++)
    if (triad_case_is(given, "initial.kind", starts[i].word.name)) return starts[i].at;
  return NULL;
}

static void set(triad_staggered_flow *f, const start *s, formula *at)
{
  const triad_partition *b = &f->blocks;
#pragma omp parallel for collapse(3) schedule(static) num_threads(f->context->threads)
  for (int a = 0; a < 3; a++)
    for (int64_t z = 0; z < b->local[2]; z++)
      for (int64_t y = 0; y < b->local[1]; y++)
        for (int64_t x = 0; x < b->local[0]; x++) {
          const int64_t i[3] = {b->begin[0] + x, b->begin[1] + y, b->begin[2] + z};
          double position[3];
          for (int j = 0; j < 3; j++) position[j] = (j == a ? f->mesh->face : f->mesh->centre)[j][i[j]];
          f->u[0][a][triad_partition_at(b, x, y, z)] = (triad_real)at(s, a, position, i);
        }
}

/* initial.u, v, w at the faces. */
static int from_formulas(triad_staggered_flow *f)
{
  static const char *const key[3] = {"initial.u", "initial.v", "initial.w"};
  int st = TRIAD_OK;
  for (int a = 0; a < 3 && st == TRIAD_OK; a++) {
    const triad_space space = triad_staggered_space(f->mesh, a, 0);
    st = triad_formulas_fill(f->context, f->given, &space, key[a], 0, f->u[0][a]);
  }
  return triad_agree(&f->context->comm, st);
}

/* ---- from a file ---- */

static int read_one(triad_staggered_flow *f, triad_slab *slab, const char *path, int a, triad_real *lines,
                    triad_real *to)
{
  int64_t dims[3], z0 = triad_slab_first(slab) / f->setup.n[1], z1 = z0 + triad_slab_count(slab) / f->setup.n[1];
  const char *name = triad_staggered_fields[a].name;
  const int64_t *n = f->setup.n;
  int st = triad_fieldfile_dims(&f->context->comm, path, name, dims);
  if (st != TRIAD_OK) return st;
  if (dims[0] != n[2] || dims[1] != n[1] || dims[2] != n[0])
    st = TRIAD_FAIL(TRIAD_ERR_CASE,
                    "%s: dataset %s has %lld x %lld x %lld points (z, y, x), but the grid has %lld x %lld x %lld", path,
                    name, (long long)dims[0], (long long)dims[1], (long long)dims[2], (long long)n[2], (long long)n[1],
                    (long long)n[0]);
  if (st == TRIAD_OK) st = triad_fieldfile_read(path, name, z0, z1, lines);
  TRIAD_TRY(triad_agree(&f->context->comm, st));
  return triad_slab_scatter(slab, lines, to);
}

/* Of centres the mean of two is a face's. */
static void to_faces(triad_staggered_flow *f)
{
  const triad_partition *b = &f->blocks;
  triad_halo_exchange(f->mesh->velocities, f->u[1], 3);
  for (int a = 0; a < 3; a++)
    for (int64_t z = 0; z < b->local[2]; z++)
      for (int64_t y = 0; y < b->local[1]; y++)
        for (int64_t x = 0; x < b->local[0]; x++) {
          int64_t at = triad_partition_at(b, x, y, z);
          f->u[0][a][at] = (f->u[1][a][at] + f->u[1][a][at - f->mesh->sizes.step[a]]) / 2;
        }
}

static int from_file(triad_staggered_flow *f, const char *path, triad_log *log)
{
  const triad_space space = triad_staggered_space(f->mesh, 3, 0);
  const bool heat = f->heat[0] && !*triad_case_word(f->given, "initial.temperature");
  triad_slab *slab = NULL;
  triad_real *lines = NULL;
  int st = triad_slab_create(&slab, f->context, &space);
  if (st == TRIAD_OK)
    st = triad_agree(&f->context->comm, TRIAD_ALLOC(f->context->memory, "initial field",
                                                    triad_slab_count(slab) * triad_slab_reals(slab), &lines));
  for (int a = 0; a < 3 && st == TRIAD_OK; a++) st = read_one(f, slab, path, a, lines, f->u[1][a]);
  if (st == TRIAD_OK && heat) st = read_one(f, slab, path, TRIAD_STAGGERED_HEAT, lines, f->heat[0]);
  if (st == TRIAD_OK) to_faces(f);
  if (st == TRIAD_OK) triad_log_info(log, "initial field %s: u, v, w%s", path, heat ? ", temperature" : "");
  TRIAD_FREE(f->context->memory, &lines);
  triad_slab_destroy(&slab);
  return st;
}

static int from_path(triad_staggered_flow *f, triad_log *log)
{
  char *path = triad_case_path(f->given, "initial.file");
  int st = triad_agree(&f->context->comm, path ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "a path"));
  if (st == TRIAD_OK) st = from_file(f, path, log);
  free(path);
  return st;
}

/* ---- the temperature ---- */

/* initial.temperature at the centres, else that of a file, else the same everywhere; solids have their own. */
static int set_temperature(triad_staggered_flow *f, int has_file)
{
  const triad_space space = triad_staggered_space(f->mesh, 3, 0);
  const int is_given = *triad_case_word(f->given, "initial.temperature") != 0;
  if (is_given)
    TRIAD_TRY(triad_agree(&f->context->comm,
                          triad_formulas_fill(f->context, f->given, &space, "initial.temperature", 0, f->heat[0])));
  else if (!has_file)
    for (int64_t i = 0; i < f->blocks.volume; i++) f->heat[0][i] = (triad_real)f->setup.thermal.reference;
  triad_staggered_heat_solids(f->mesh, f->heat[0]);
  return TRIAD_OK;
}

/* ---- what all starts have in common ---- */

static void close_faces(triad_staggered_flow *f)
{
  for (int a = 0; a < 3; a++)
    for (int64_t i = 0; i < f->blocks.volume; i++) f->u[0][a][i] *= triad_staggered_passes(a, &f->mesh->sizes, i);
}

static void square_row(void *self, int64_t y, int64_t z, double *results)
{
  const triad_staggered_flow *f = self;
  for (int a = 0; a < 3; a++)
    for (int64_t x = 0; x < f->blocks.local[0]; x++) {
      const int64_t c[3] = {x, y, z}, at = triad_partition_at(&f->blocks, x, y, z);
      results[0] += triad_staggered_volume(&f->mesh->sizes, a, c) * (double)f->u[0][a][at] * (double)f->u[0][a][at];
    }
}

/* So that a component has the root mean square that is asked for. */
static int scale(triad_staggered_flow *f, double amplitude)
{
  double sum;
  TRIAD_TRY(triad_staggered_rows(f->mesh, square_row, f, 1, 0, &sum));
  triad_real factor = (triad_real)(sum > 0 ? amplitude / sqrt(sum / f->fluid / 3) : 0);
  for (int a = 0; a < 3; a++)
    for (int64_t i = 0; i < f->blocks.volume; i++) f->u[0][a][i] *= factor;
  return TRIAD_OK;
}

/* Boundaries closed, and free of divergence. The projection's pressure is none of the flow's: the first step starts
 * from 0. */
static int solenoidal(triad_staggered_flow *f)
{
  triad_staggered_fill(f->mesh, f->u[0]);
  triad_staggered_outflow_carry(f->outflow, NULL, f->u[0], 0);
  TRIAD_TRY(triad_staggered_outflow_put(f->outflow, f->u[0]));
  triad_staggered_fill(f->mesh, f->u[0]);
  TRIAD_TRY(triad_staggered_make_solenoidal(f, 1));
  for (int64_t i = 0; i < f->blocks.volume; i++) f->p[i] = 0;
  return TRIAD_OK;
}

int triad_staggered_initial(void *flow, triad_log *log)
{
  triad_staggered_flow *f = flow;
  formula *at = formula_of(f->given);
  start s = {.setup = &f->setup, .amplitude = triad_case_real(f->given, "initial.amplitude")};
  int file = triad_case_is(f->given, "initial.kind", "file"),
      spelt = triad_case_is(f->given, "initial.kind", "formula");
  int64_t m = triad_case_integer(f->given, "initial.wavenumber"), seed = triad_case_integer(f->given, "initial.seed");
  for (int i = 0; i < 3; i++) s.k[i] = 2 * TRIAD_PI * (double)m / f->setup.length[i];
  triad_case_reals(f->given, "initial.velocity", s.velocity, 3);
  s.key = triad_random_key((uint64_t)seed, TRIAD_STREAM_INITIAL);
  TRIAD_TRY(triad_state_overwrite_all(f->state, TRIAD_HOST));
  if (file) TRIAD_TRY(from_path(f, log));
  if (f->heat[0]) TRIAD_TRY(set_temperature(f, file));
  if (spelt) TRIAD_TRY(from_formulas(f));
  if (at) set(f, &s, at);
  if (!file && !spelt && !at && !f->outflow) return TRIAD_OK;
  close_faces(f);
  TRIAD_TRY(solenoidal(f));
  if (at != random_start) return TRIAD_OK;
  TRIAD_TRY(scale(f, s.amplitude));
  return f->outflow ? solenoidal(f) : TRIAD_OK; /* what comes in is not scaled */
}
