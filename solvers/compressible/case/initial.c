/* The table of initial conditions of a compressible flow, with the function that evaluates each at a point. */
#include "solvers/compressible/case/initial.h"
#include "solvers/compressible/case/turbulence.h"
#include "base/precision.h"
#include "case/case_tune.h"
#include "solvers/taylor_green.h"
#include "solvers/compressible/state/internal.h"
#include "solvers/compressible/case/part.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double pi = TRIAD_PI;

typedef void (*shape)(const triad_compressible_start *, const triad_compressible_setup *, const double x[3],
                      double q[5]);

static void put(double q[5], double rho, double u, double v, double w, double p)
{
  q[0] = rho;
  q[1] = u;
  q[2] = v;
  q[3] = w;
  q[4] = p;
}

static void uniform(const triad_compressible_start *s, const triad_compressible_setup *p, const double x[3],
                    double q[5])
{
  (void)p;
  (void)x;
  memcpy(q, s->state, 5 * sizeof *q);
}

static void sod(const triad_compressible_start *s, const triad_compressible_setup *p, const double x[3], double q[5])
{
  (void)s;
  if (x[0] < p->length[0] / 2) put(q, 1, 0, 0, 0, 1);
  else put(q, 0.125, 0, 0, 0, 0.1);
}

static void lax(const triad_compressible_start *s, const triad_compressible_setup *p, const double x[3], double q[5])
{
  (void)s;
  if (x[0] < p->length[0] / 2) put(q, 0.445, 0.698, 0, 0, 3.528);
  else put(q, 0.5, 0, 0, 0, 0.571);
}

static void shu_osher(const triad_compressible_start *s, const triad_compressible_setup *p, const double x[3],
                      double q[5])
{
  (void)s;
  double at = x[0] - p->length[0] / 2;
  if (at < -4) put(q, 27.0 / 7, 4 * sqrt(35.0) / 9, 0, 0, 31.0 / 3);
  else put(q, 1 + 0.2 * sin(5 * at), 0, 0, 0, 1);
}

static void entropy_wave(const triad_compressible_start *s, const triad_compressible_setup *p, const double x[3],
                         double q[5])
{
  double product = 1;
  for (int i = 0; i < 3; i++)
    if (p->n[i] > 1) product *= sin(2 * pi * (double)s->wavenumber * x[i] / p->length[i]);
  put(q, 1 + s->amplitude * product, s->velocity[0], s->velocity[1], s->velocity[2], 1 / p->gamma);
}

/* Distance along an axis from the centre of the box, the nearest one where the axis is periodic. */
static double from_centre(const triad_compressible_setup *p, int axis, double x)
{
  double d = x - p->length[axis] / 2;
  return p->side[axis][0].kind == TRIAD_COMPRESSIBLE_PERIODIC ? d - p->length[axis] * round(d / p->length[axis]) : d;
}

static void isentropic_vortex(const triad_compressible_start *s, const triad_compressible_setup *p, const double x[3],
                              double q[5])
{
  double dx = from_centre(p, 0, x[0]), dy = from_centre(p, 1, x[1]), r2 = dx * dx + dy * dy, b = s->amplitude;
  double turn = b / (2 * pi) * exp((1 - r2) / 2), g = p->gamma;
  double rho = pow(1 - (g - 1) * b * b / (8 * g * pi * pi) * exp(1 - r2), 1 / (g - 1));
  put(q, rho, s->velocity[0] - turn * dy, s->velocity[1] + turn * dx, s->velocity[2], pow(rho, g));
}

static void taylor_green(const triad_compressible_start *s, const triad_compressible_setup *p, const double x[3],
                         double q[5])
{
  double k[3], u[3], v = s->amplitude, p0 = v * v / (p->gamma * s->mach * s->mach);
  for (int i = 0; i < 3; i++) k[i] = p->n[i] > 1 || i < 2 ? 2 * pi * (double)s->wavenumber / p->length[i] : 0;
  const double pressure = p0 + v * v * triad_taylor_green(k, x, u);
  put(q, pressure / p0, v * u[0], v * u[1], 0, pressure);
}

/* Behind a shock of Mach number m at rest: the jumps of Rankine and Hugoniot. */
static void behind(double gamma, double m, const double before[5], double q[5])
{
  double m2 = m * m, ratio = (gamma + 1) * m2 / ((gamma - 1) * m2 + 2);
  put(q, before[0] * ratio, before[1] / ratio, 0, 0, before[4] * (1 + 2 * gamma / (gamma + 1) * (m2 - 1)));
}

static void shock_vortex(const triad_compressible_start *s, const triad_compressible_setup *p, const double x[3],
                         double q[5])
{
  const double strength = 0.3, core = 0.05, fall = 0.204, g = p->gamma;
  double before[5] = {1, s->mach * sqrt(g), 0, 0, 1}, unit = p->length[1];
  if (x[0] >= unit / 2) {
    behind(g, s->mach, before, q);
    return;
  }
  double dx = x[0] / unit - 0.25, dy = x[1] / unit - 0.5, tau2 = (dx * dx + dy * dy) / (core * core);
  double swirl = strength / core * exp(fall * (1 - tau2));
  /* Jiang and Shu's T is p/rho: the vortex is isentropic */
  double heat = 1 - (g - 1) * strength * strength / (4 * fall * g) * exp(2 * fall * (1 - tau2));
  put(q, pow(heat, 1 / (g - 1)), before[1] + swirl * dy, -swirl * dx, 0, pow(heat, g / (g - 1)));
}

static void blast(const triad_compressible_start *s, const triad_compressible_setup *p, const double x[3], double q[5])
{
  double r2 = 0;
  for (int i = 0; i < 3; i++)
    if (p->n[i] > 1) r2 += from_centre(p, i, x[i]) * from_centre(p, i, x[i]);
  put(q, 1, s->velocity[0], s->velocity[1], s->velocity[2], r2 < s->radius * s->radius ? s->pressure_ratio : 1);
}

/* A start is a row: the word of initial.kind, and what sets the state. */
static const struct {
  triad_word word;
  shape at;                            /* NULL: not a function of the position alone */
  double amplitude, mach, velocity[3]; /* where the case gives none */
  int from_path;                       /* what it holds is none of these: initial.file, formulas (initial_set.c) */
} kinds[] = {
  {{"uniform", .about = "uniform flow"}, uniform, 1, 1, {0}, 0},
  {{"sod", .about = "Sod's shock tube"}, sod, 1, 1, {0}, 0},
  {{"lax", .about = "Lax's"}, lax, 1, 1, {0}, 0},
  {{"shu-osher", .about = "a shock that meets density waves"}, shu_osher, 1, 1, {0}, 0},
  {{"entropy-wave", .about = "a density wave, advected"}, entropy_wave, 0.1, 1, {1, 1, 1}, 0},
  {{"isentropic-vortex", .about = "an isentropic vortex, advected unchanged"}, isentropic_vortex, 0.5, 1, {0.5}, 0},
  {{"taylor-green", .about = "the Taylor-Green vortex"}, taylor_green, 1, 1, {0}, 0},
  {{"shock-vortex", .about = "a shock and a vortex that is advected through it"}, shock_vortex, 1, 1.1, {0}, 0},
  {{"blast", .about = "high pressure in a sphere"}, blast, 1, 1, {0}, 0},
  {{"turbulence", .about = "random solenoidal velocity"}, NULL, 1, 1, {0}, 0},
  {{"formula", .about = "formulas of x, y and z for rho, u, v, w and p"}, NULL, 1, 1, {0}, 1},
  {{"file", NULL, "rho, u, v, w, p from an HDF5 file", "initial.file"}, NULL, 1, 1, {0}, 1},
  {{"checkpoint", NULL, "the state of a checkpoint", "initial.file"}, NULL, 1, 1, {0}, 1},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

const triad_word *triad_gas_start_word(int i) { return i < KINDS ? &kinds[i].word : NULL; }

static int find(const char *name)
{
  int i = 0;
  while (i < KINDS && strcmp(name, kinds[i].word.name) != 0) i++;
  return i;
}

/* Is this start a state that a file or a checkpoint holds? */
static int is_in_file(const char *kind) { return find(kind) < KINDS && kinds[find(kind)].from_path; }

/* A number that a kind has of its own, where the case gives none. */
static void own(triad_case *c, const char *key, double value)
{
  char text[32];
  if (triad_case_given(c, key) || !(fabs(triad_case_real(c, key) - value) > 0)) return;
  (void)snprintf(text, sizeof text, "%.17g", value);
  (void)triad_case_tune(c, key, text, "initial.kind");
}

void triad_gas_start_own(triad_case *c)
{
  static const char key[] = "initial.velocity";
  char text[96];
  int64_t n[3];
  const int k = find(triad_case_word(c, "initial.kind"));
  own(c, "initial.amplitude", kinds[k].amplitude);
  own(c, "initial.mach", kinds[k].mach);
  const double *v = kinds[k].velocity;
  if (triad_case_given(c, key) || !(v[0] > 0)) return;
  triad_case_integers(c, "grid.n", n, 3);
  (void)snprintf(text, sizeof text, "[%.17g, %.17g, %.17g]", n[0] > 1 ? v[0] : 0, n[1] > 1 ? v[1] : 0,
                 n[2] > 1 ? v[2] : 0);
  (void)triad_case_tune(c, key, text, "initial.kind");
}

/* From a case. Not collective. */
static void read_start(triad_compressible_start *s, const triad_case *c)
{
  memset(s, 0, sizeof *s);
  (void)snprintf(s->kind, sizeof s->kind, "%s", triad_case_word(c, "initial.kind"));
  s->amplitude = triad_case_real(c, "initial.amplitude");
  s->mach = triad_case_real(c, "initial.mach");
  s->radius = triad_case_real(c, "initial.radius");
  s->pressure_ratio = triad_case_real(c, "initial.pressure_ratio");
  s->wavenumber = triad_case_integer(c, "initial.wavenumber");
  s->seed = (uint64_t)triad_case_integer(c, "initial.seed");
  triad_case_reals(c, "initial.state", s->state, 5);
  triad_case_reals(c, "initial.velocity", s->velocity, 3);
}

void triad_compressible_start_state(const triad_compressible_start *s, const triad_compressible_setup *setup,
                                    const double x[3], double q[5])
{
  int k = find(s->kind);
  if (k < KINDS && kinds[k].at) kinds[k].at(s, setup, x, q);
}

/* Conserved values of the own points from primitive ones of a function of the position. */
static int set_points(triad_compressible *w, const triad_compressible_start *s)
{
  TRIAD_TRY(triad_state_overwrite_all(w->state, TRIAD_HOST));
  const triad_partition *b = &w->blocks;
#pragma omp parallel for collapse(2) schedule(static) \
  num_threads(triad_compressible_threads(w, triad_partition_points(b)))
  for (int64_t z = 0; z < b->local[2]; z++)
    for (int64_t y = 0; y < b->local[1]; y++)
      for (int64_t x = 0; x < b->local[0]; x++) {
        const double at[3] = {triad_compressible_position(&w->setup, 0, b->begin[0] + x),
                              triad_compressible_position(&w->setup, 1, b->begin[1] + y),
                              triad_compressible_position(&w->setup, 2, b->begin[2] + z)};
        double q[5] = {1, 0, 0, 0, 1};
        triad_compressible_start_state(s, &w->setup, at, q);
        int64_t i = triad_partition_at(b, x, y, z);
        double speed2 = q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
        w->u[0][i] = (triad_real)q[0];
        for (int k = 1; k < 4; k++) w->u[k][i] = (triad_real)(q[0] * q[k]);
        w->u[4][i] = (triad_real)(q[4] / (w->setup.gamma - 1) + q[0] * speed2 / 2);
      }
  return TRIAD_OK;
}

static int start_turbulence(triad_compressible *w, const triad_compressible_start *s, char *text, size_t size)
{
  int64_t n = triad_partition_points(&w->blocks);
  triad_real *room = NULL, *q[5];
  int st = triad_agree(&w->context->comm, TRIAD_ALLOC(w->context->memory, "initial turbulence", 5 * n, &room));
  if (st == TRIAD_OK) {
    for (int f = 0; f < 5; f++) q[f] = room + f * n;
    for (int64_t i = 0; i < n; i++) {
      q[0][i] = 1;
      q[4][i] = (triad_real)(1 / w->setup.gamma);
    }
    st = triad_compressible_turbulence(w, s, q + 1, text, size);
    if (st == TRIAD_OK) st = triad_compressible_put(w, (const triad_real *const *)q);
  }
  TRIAD_FREE(w->context->memory, &room);
  return st;
}

int triad_compressible_start_set(triad_compressible *w, const triad_compressible_start *s, char *text, size_t size)
{
  if (size > 0) text[0] = 0;
  if (find(s->kind) == KINDS || is_in_file(s->kind))
    return triad_agree(&w->context->comm, TRIAD_FAIL(TRIAD_ERR_CASE, "unknown initial condition \"%s\"", s->kind));
  if (strcmp(s->kind, "turbulence") == 0) return start_turbulence(w, s, text, size);
  return set_points(w, s);
}

int triad_compressible_initial(triad_compressible *w, const triad_case *given, char *text, size_t size)
{
  triad_compressible_start s;
  read_start(&s, given);
  return triad_compressible_start_set(w, &s, text, size);
}
