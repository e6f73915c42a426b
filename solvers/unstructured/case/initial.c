/* Starts: a formula of the primitive values at a cell's centre, and a row. */
#include "base/precision.h"
#include "mesh/sphere.h"
#include "solvers/box/files.h"
#include "solvers/taylor_green.h"
#include "solvers/unstructured/state/flow.h"
#include "mesh/nearest.h"
#include "solvers/unstructured/case/part.h"
#include "solvers/unstructured/plain/solution.h"

#include <math.h>
#include <stdlib.h>

typedef struct start {
  triad_word word;
  void (*at)(const triad_unstructured_flow *f, int64_t cell, const double x[3], double q[5]); /* NULL: from elsewhere */
} start;

/* Density, velocity and pressure far from all initial structures. */
static void uniform(const triad_unstructured_flow *f, int64_t cell, const double x[3], double q[5])
{
  (void)cell;
  (void)x;
  q[0] = triad_case_real(f->given, "initial.density");
  triad_case_reals(f->given, "initial.velocity", q + 1, 3);
  q[4] = triad_case_real(f->given, "initial.pressure");
}

static void sod(const triad_unstructured_flow *f, int64_t cell, const double x[3], double q[5])
{
  (void)cell;
  const char *key = x[0] < triad_case_real(f->given, "initial.position") ? "initial.left" : "initial.right";
  triad_case_reals(f->given, key, q, 5);
}

/* p = (gamma - 1) E/(4 pi r^3/3) inside a sphere: in a cell by the part of it that lies within, so that the energy
 * is E on any mesh. */
static void blast(const triad_unstructured_flow *f, int64_t cell, const double x[3], double q[5])
{
  double centre[3], radius = triad_case_real(f->given, "initial.radius");
  uniform(f, cell, x, q);
  triad_case_reals(f->given, "initial.centre", centre, 3);
  double inside = triad_mesh_within(f->mesh, cell, centre, radius);
  double p =
    (f->setup.gamma - 1) * triad_case_real(f->given, "initial.energy") / (4 * TRIAD_PI / 3 * radius * radius * radius);
  q[4] += inside * (p - q[4]);
}

/* An isentropic vortex round z: velocity A r/R exp((1 - r^2/R^2)/2), A where r = R; entropy as far away, and dp/dr =
 * rho u^2/r. */
static void vortex(const triad_unstructured_flow *f, int64_t cell, const double x[3], double q[5])
{
  double centre[3], d[2], radius = triad_case_real(f->given, "initial.radius"),
                          a = triad_case_real(f->given, "initial.amplitude");
  double g = f->setup.gamma;
  uniform(f, cell, x, q);
  triad_case_reals(f->given, "initial.centre", centre, 3);
  for (int i = 0; i < 2; i++) d[i] = x[i] - centre[i];
  double s = (d[0] * d[0] + d[1] * d[1]) / (radius * radius), e = exp((1 - s) / 2), t = q[4] / q[0];
  double warmth = 1 - (g - 1) / g * a * a * e * e / (2 * t);
  q[1] -= a * d[1] / radius * e;
  q[2] += a * d[0] / radius * e;
  q[0] *= pow(warmth, 1 / (g - 1));
  q[4] *= pow(warmth, g / (g - 1));
}

/* rho (1 + A sin(2 pi (x/Lx + y/Ly + z/Lz))), which the flow carries along. */
static void wave(const triad_unstructured_flow *f, int64_t cell, const double x[3], double q[5])
{
  const double *length = f->setup.source.made.length;
  uniform(f, cell, x, q);
  q[0] *= 1 + triad_case_real(f->given, "initial.amplitude") *
                sin(2 * TRIAD_PI * (x[0] / length[0] + x[1] / length[1] + x[2] / length[2]));
}

/* u + A sin(pi m y/Ly), which viscosity makes decay. */
static void shear(const triad_unstructured_flow *f, int64_t cell, const double x[3], double q[5])
{
  uniform(f, cell, x, q);
  q[1] += triad_case_real(f->given, "initial.amplitude") *
          sin(TRIAD_PI * triad_case_real(f->given, "initial.waves") * x[1] / f->setup.source.made.length[1]);
}

/* The vortex of solvers/taylor_green.h, one in the box, the pressure of the incompressible flow on top, all of one
 * temperature. */
static void taylor_green(const triad_unstructured_flow *f, int64_t cell, const double x[3], double q[5])
{
  double k[3], u[3], a = triad_case_real(f->given, "initial.amplitude");
  uniform(f, cell, x, q);
  for (int i = 0; i < 3; i++) k[i] = 2 * TRIAD_PI / f->setup.source.made.length[i];
  const double more = q[0] * a * a * triad_taylor_green(k, x, u) / q[4];
  for (int i = 0; i < 3; i++) q[1 + i] += a * u[i];
  q[0] *= 1 + more;
  q[4] *= 1 + more;
}

static const start starts[] = {
  {{"uniform", .about = "uniform flow"}, uniform},
  {{"sod", .about = "two states, separated by a membrane across x"}, sod},
  {{"blast", .about = "a sphere of high pressure"}, blast},
  {{"vortex", .about = "an isentropic vortex around z, advected by a uniform flow"}, vortex},
  {{"wave", .about = "density waves along the diagonal of the box, advected"}, wave},
  {{"shear", .about = "waves of the velocity along x as a function of y"}, shear},
  {{"taylor-green", .about = "vortices in a periodic box, which break up"}, taylor_green},
  {{"nearest", .about = "from the nearest cells of a field file, on any mesh", .needs = "initial.file"}, NULL},
  {{"checkpoint", .about = "the state of a checkpoint on the same mesh", .needs = "initial.file"}, NULL},
  {{0}, NULL}};

const triad_word *triad_unstructured_start_word(int i) { return starts[i].word.name ? &starts[i].word : NULL; }

static int set_cell(triad_unstructured_flow *f, int64_t c, const double q[5])
{
  triad_real p[5], u[5];
  for (int k = 0; k < 5; k++) p[k] = (triad_real)q[k];
  if (!triad_gas_is_gas(p)) return 0;
  triad_gas_values_conserved(&f->gas, p, u);
  for (int k = 0; k < 5; k++) f->u[k][c] = u[k];
  return 1;
}

static int no_gas(const triad_unstructured_flow *f, const start *s, int64_t c)
{
  double x[3];
  triad_unstructured_domain_centre(f->domain, c, x);
  return TRIAD_FAIL(
    TRIAD_ERR_CASE,
    "initial.kind = \"%s\": density and pressure are not positive at (%g, %g, %g), but they must be everywhere",
    s->word.name, x[0], x[1], x[2]);
}

static int by_formula(triad_unstructured_flow *f, const start *s)
{
  for (int64_t c = 0; c < f->domain->n_cells; c++) {
    double q[5], x[3];
    triad_unstructured_domain_centre(f->domain, c, x);
    s->at(f, f->domain->in_mesh[c], x, q);
    if (!set_cell(f, c, q)) return no_gas(f, s, c);
  }
  return TRIAD_OK;
}

static int from_solution(triad_unstructured_flow *f, const start *s, const triad_unstructured_solution *from)
{
  triad_mesh_nearest *nearest = NULL;
  double distance2;
  int st = triad_mesh_nearest_create(&nearest, f->context->memory, (const double(*)[3])from->x, from->n);
  for (int64_t c = 0; c < f->domain->n_cells && st == TRIAD_OK; c++) {
    double x[3];
    triad_unstructured_domain_centre(f->domain, c, x);
    const int64_t there = triad_mesh_nearest_find(nearest, x, &distance2);
    if (!set_cell(f, c, from->q[there])) st = no_gas(f, s, c);
  }
  triad_mesh_nearest_destroy(&nearest);
  return st;
}

static int from_file(triad_unstructured_flow *f, const start *s, triad_log *log)
{
  triad_unstructured_solution from = {0};
  char *path = NULL;
  TRIAD_TRY(triad_files_path(f->context, f->given, &path));
  int st = triad_unstructured_solution_read(&from, f->context->memory, path);
  if (st == TRIAD_OK) st = from_solution(f, s, &from);
  if (st == TRIAD_OK) triad_log_info(log, "initial field from %s: nearest of its %lld cells", path, (long long)from.n);
  triad_unstructured_solution_free(&from, f->context->memory);
  free(path);
  return st;
}

int triad_unstructured_initial(void *flow, triad_log *log)
{
  triad_unstructured_flow *f = flow;
  const start *s = starts;
  int st = TRIAD_OK;
  while (!triad_case_is(f->given, "initial.kind", s->word.name)) s++;
  if (s->at) st = by_formula(f, s);
  else if (triad_case_is(f->given, "initial.kind", "nearest")) st = from_file(f, s, log);
  return triad_agree(&f->context->comm, st);
}
