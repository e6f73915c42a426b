/* Read grid, boundaries, fluid and pressure solver of a case of the staggered solver. */
#include "solvers/staggered/case/setup.h"

#include "base/precision.h"
#include "solvers/staggered/plain/waves.h"

#include <math.h>
#include <string.h>

static const char *const pressure_name[] = {[TRIAD_STAGGERED_CG] = "cg",
                                            [TRIAD_STAGGERED_CG_POLYNOMIAL] = "pcg-polynomial",
                                            [TRIAD_STAGGERED_CG_TRANSFORM] = "pcg-transform",
                                            [TRIAD_STAGGERED_TRANSFORM] = "transform"};
enum { PRESSURES = sizeof pressure_name / sizeof *pressure_name };

const char *triad_staggered_pressure_name(triad_staggered_pressure pressure) { return pressure_name[pressure]; }

void triad_staggered_setup_init(triad_staggered_setup *s, const int64_t n[3], const double length[3])
{
  *s = (triad_staggered_setup){.tolerance = 1e-8, .pressure = TRIAD_STAGGERED_CG_POLYNOMIAL};
  for (int i = 0; i < 3; i++) {
    s->n[i] = n[i];
    s->length[i] = length[i];
  }
}

double triad_staggered_face(const triad_staggered_setup *s, int axis, int64_t f)
{
  double part = (double)f / (double)s->n[axis], stretch = s->stretch[axis];
  if (stretch > 0) part = (1 + tanh(stretch * (2 * part - 1)) / tanh(stretch)) / 2;
  return s->length[axis] * part;
}

static triad_staggered_side side_of(const char *word)
{
  static const char *const name[] = {[TRIAD_STAGGERED_WALL] = "wall",
                                     [TRIAD_STAGGERED_SLIP] = "slip",
                                     [TRIAD_STAGGERED_INFLOW] = "inflow",
                                     [TRIAD_STAGGERED_OUTFLOW] = "outflow"};
  for (int i = TRIAD_STAGGERED_WALL; i <= TRIAD_STAGGERED_OUTFLOW; i++)
    if (strcmp(word, name[i]) == 0) return (triad_staggered_side)i;
  return TRIAD_STAGGERED_PERIODIC;
}

static void read_sides(triad_staggered_setup *s, const triad_case *given)
{
  static const char *const key[] = {"boundaries.x", "boundaries.y", "boundaries.z"};
  double velocity[18], inflow[3];
  triad_case_reals(given, "boundaries.wall_velocity", velocity, 18);
  triad_case_reals(given, "boundaries.inflow", inflow, 3);
  s->wall_frequency = triad_case_real(given, "boundaries.wall_frequency");
  for (int i = 0; i < 3; i++)
    for (int upper = 0; upper < 2; upper++) {
      s->side[i][upper] = side_of(triad_case_word_of_pair(given, key[i], upper));
      int in = s->side[i][upper] == TRIAD_STAGGERED_INFLOW;
      for (int a = 0; a < 3; a++)
        s->wall[i][upper][a] = in ? inflow[a] : a == i ? 0 : velocity[(2 * i + upper) * 3 + a];
    }
}

static void read_thermal(triad_staggered_setup *s, const triad_case *given)
{
  static const char *const key[] = {"boundaries.thermal_x", "boundaries.thermal_y", "boundaries.thermal_z"};
  triad_staggered_thermal *t = &s->thermal;
  double wall[6];
  t->on = triad_case_flag(given, "equations.temperature");
  if (!t->on) return;
  t->diffusivity = triad_case_real(given, "equations.diffusivity");
  t->expansion = triad_case_real(given, "equations.thermal_expansion");
  t->reference = triad_case_real(given, "equations.reference_temperature");
  t->source = triad_case_real(given, "equations.heat_source");
  triad_case_reals(given, "equations.gravity", t->gravity, 3);
  triad_case_reals(given, "equations.temperature_gradient", t->gradient, 3);
  triad_case_reals(given, "boundaries.wall_temperature", wall, 6);
  for (int i = 0; i < 3; i++)
    for (int upper = 0; upper < 2; upper++) {
      const triad_staggered_side side = s->side[i][upper];
      const int held = strcmp(triad_case_word_of_pair(given, key[i], upper), "isothermal") == 0;
      t->held[i][upper] =
        side == TRIAD_STAGGERED_INFLOW || (held && (side == TRIAD_STAGGERED_WALL || side == TRIAD_STAGGERED_SLIP));
      t->wall[i][upper] = wall[2 * i + upper];
    }
  t->solids_held = triad_case_is(given, "solids.thermal", "isothermal");
  t->solids = triad_case_real(given, "solids.temperature");
}

/* The stream is that of the case, or else what flows in, or the mean velocity that a force maintains. */
static void read_reference(triad_staggered_setup *s, const triad_case *given)
{
  triad_body_reference *r = &s->reference;
  *r = (triad_body_reference){.area = triad_case_real(given, "reference.area"),
                              .length = triad_case_real(given, "reference.length"),
                              .density = 1,
                              .up = triad_case_is(given, "reference.up", "y")   ? 1
                                    : triad_case_is(given, "reference.up", "z") ? 2
                                    : s->n[2] == 1                              ? 1
                                                                                : 2};
  for (int a = 0; a < 3; a++) r->centre[a] = NAN;
  if (triad_case_length(given, "reference.centre") == 3) triad_case_reals(given, "reference.centre", r->centre, 3);
  triad_case_reals(given, "reference.velocity", r->velocity, 3);
  if (triad_body_speed(r) > 0) return;
  for (int i = 0; i < 6; i++)
    if (s->side[i / 2][i % 2] == TRIAD_STAGGERED_INFLOW) memcpy(r->velocity, s->wall[i / 2][i % 2], sizeof r->velocity);
  if (triad_body_speed(r) > 0 || !triad_case_is(given, "forcing.kind", "flow-rate")) return;
  triad_case_reals(given, "forcing.direction", r->velocity, 3);
  const double length = triad_body_speed(r);
  for (int a = 0; a < 3 && length > 0; a++) r->velocity[a] *= triad_case_real(given, "forcing.amplitude") / length;
}

/* auto: the exact solve if the box allows it, as a preconditioner if there are solids too; else the polynomial. A case
 * that must run on a GPU does so, with the polynomial if necessary; one that may run there does so if the exact solve
 * is available. */
static int read_pressure(triad_staggered_setup *s, const triad_case *given)
{
  const char *word = triad_case_word(given, "solver.pressure");
  int exact = triad_staggered_transforms(s), found = -1, line;
  for (int i = 0; i < PRESSURES; i++)
    if (strcmp(word, pressure_name[i]) == 0) found = i;
  if (found < 0 && triad_case_is(given, "parallel.device", "gpu")) exact = exact && triad_staggered_waves_of(s, &line);
  s->pressure = found >= 0  ? (triad_staggered_pressure)found
                : !exact    ? TRIAD_STAGGERED_CG_POLYNOMIAL
                : s->solids ? TRIAD_STAGGERED_CG_TRANSFORM
                            : TRIAD_STAGGERED_TRANSFORM;
  int with_transform = s->pressure >= TRIAD_STAGGERED_CG_TRANSFORM;
  if (with_transform && !exact) {
    int axis;
    const char *why = triad_staggered_no_transform(s, &axis);
    return TRIAD_FAIL(TRIAD_ERR_CASE,
                      "solver.pressure = \"%s\" does not support axis %c, which %s: set grid.stretch to 0 there, or "
                      "use \"pcg-polynomial\" or \"auto\"",
                      word, "xyz"[axis], why);
  }
  if (s->pressure == TRIAD_STAGGERED_TRANSFORM && s->solids)
    return TRIAD_FAIL(TRIAD_ERR_CASE,
                      "solver.pressure = \"transform\" does not support solids: use \"pcg-transform\" or \"auto\"");
  return TRIAD_OK;
}

/* What rounding leaves of a residual is some units in the last place of each of its terms. */
static int read_tolerance(triad_staggered_setup *s, const triad_case *given)
{
  char origin[128];
  double least = 16 * TRIAD_EPSILON;
  s->tolerance = triad_case_real(given, "solver.tolerance");
  if (s->tolerance >= least) return TRIAD_OK;
  if (triad_case_given(given, "solver.tolerance"))
    return TRIAD_FAIL(
      TRIAD_ERR_CASE,
      "%s: solver.tolerance = %g is too small: in %s precision residuals cannot fall below %.2g; use at least that",
      triad_case_origin(given, "solver.tolerance", origin, sizeof origin), s->tolerance, TRIAD_PRECISION_NAME, least);
  s->tolerance = least;
  return TRIAD_OK;
}

/* The smallest cell of an axis is at its end, or they are all alike. */
double triad_staggered_diffusion_rate(const triad_staggered_setup *s)
{
  double rate = 0;
  for (int i = 0; i < 3; i++) {
    double h = triad_staggered_face(s, i, 1);
    if (s->n[i] > 1) rate += 4 * fmax(s->viscosity, s->thermal.diffusivity) / (h * h);
  }
  return rate;
}

/* auto: explicit where that does not limit the steps that the case asks for. */
static int wants_implicit(const triad_staggered_setup *s, const triad_case *given)
{
  double dt = fmax(triad_case_real(given, "time.dt"), triad_case_real(given, "time.dt_max")), rate[3];
  triad_case_reals(given, "strain.rates", rate, 3);
  if (fabs(rate[0]) + fabs(rate[1]) + fabs(rate[2]) > 0) return 0; /* the mesh of a stage is another at its end */
  if (!triad_case_is(given, "solver.diffusion", "auto")) return triad_case_is(given, "solver.diffusion", "implicit");
  return dt * triad_staggered_diffusion_rate(s) > 2 * fmin(triad_case_real(given, "time.cfl"), 1);
}

int triad_staggered_setup_read(triad_staggered_setup *s, const triad_case *given)
{
  int64_t n[3];
  double length[3];
  triad_case_integers(given, "grid.n", n, 3);
  triad_case_reals(given, "grid.length", length, 3);
  triad_staggered_setup_init(s, n, length);
  triad_case_reals(given, "grid.stretch", s->stretch, 3);
  read_sides(s, given);
  for (int i = 0; i < 3; i++)
    if (n[i] == 1 && s->side[i][0] != TRIAD_STAGGERED_PERIODIC)
      return TRIAD_FAIL(
        TRIAD_ERR_CASE,
        "boundaries.%c: an axis of one cell must be periodic: increase grid.n there, or remove the boundary", "xyz"[i]);
  s->viscosity = triad_case_real(given, "equations.viscosity");
  read_thermal(s, given);
  s->implicit = wants_implicit(s, given);
  s->chosen = triad_case_is(given, "solver.diffusion", "auto");
  s->reproducible = triad_case_flag(given, "parallel.reproducible");
  s->overlap = triad_case_is(given, "solver.overlap", "on")    ? TRIAD_STAGGERED_OVERLAP_ON
               : triad_case_is(given, "solver.overlap", "off") ? TRIAD_STAGGERED_OVERLAP_OFF
                                                               : TRIAD_STAGGERED_OVERLAP_AUTO;
  s->closure = !triad_case_is(given, "closure.model", "none");
  s->solids = !triad_case_is(given, "solids.kind", "none");
  read_reference(s, given);
  TRIAD_TRY(read_tolerance(s, given));
  return read_pressure(s, given);
}

/* Rows of own cells begin at cache lines, so that loads and stores of a row are whole lines, except neighbours along
 * x. The ghost below a row is stored after the previous row. It is not done if it needs much more memory, since rows
 * are then short and in cache. */
static void begin_rows_with_lines(triad_partition *b)
{
  enum { LINE = 64 / sizeof(triad_real) };
  const int64_t side = b->stride[1], padded = (side + LINE - 1) / LINE * LINE;
  if (b->halo[0] == 0 || 16 * padded > 17 * side) return;
  b->stride[1] = padded;
  b->stride[2] = b->stride[2] / side * padded;
  b->origin = LINE + b->halo[1] * b->stride[1] + b->halo[2] * b->stride[2];
  b->volume = LINE + b->stride[2] * (b->local[2] + 2 * b->halo[2]);
}

int triad_staggered_blocks(const triad_staggered_setup *s, const int wanted[3], int rank, int size,
                           triad_partition *blocks)
{
  int periodic[3], fixed[3] = {0, 0, 0};
  for (int i = 0; i < 3; i++) {
    periodic[i] = s->side[i][0] == TRIAD_STAGGERED_PERIODIC;
    if (wanted) fixed[i] = wanted[i];
  }
  /* a transform has its planes where the cells are; rows that are whole add up to the same bits on any ranks */
  int free_choice = fixed[0] == 0 && fixed[1] == 0 && fixed[2] == 0;
  if (s->reproducible && fixed[0] == 0) fixed[0] = 1;
  if (free_choice && s->pressure >= TRIAD_STAGGERED_CG_TRANSFORM && s->n[2] >= size) fixed[0] = fixed[1] = 1;
  TRIAD_TRY(triad_partition_init(blocks, s->n, periodic, 1, rank, size, fixed));
  begin_rows_with_lines(blocks);
  return TRIAD_OK;
}
