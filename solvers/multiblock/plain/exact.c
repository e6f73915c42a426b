/* Evaluate exact solutions at a point and a time: uniform streams, vortices, shocks and expansion fans; and read the
 * gas and the solution of a case. */
#include "solvers/multiblock/plain/exact.h"
#include "solvers/multiblock/plain/manufactured.h"

#include "base/precision.h"
#include "base/status.h"

#include <math.h>
#include <string.h>

void triad_multiblock_stream(const triad_multiblock_gas *gas, double mach, double pressure, double temperature,
                             double alpha, double beta, int up, double q[5])
{
  double a = alpha * TRIAD_PI / 180, b = beta * TRIAD_PI / 180,
         speed = mach * sqrt(gas->gamma * gas->constant * temperature);
  q[0] = pressure / (gas->constant * temperature);
  q[1] = speed * cos(a) * cos(b);
  q[1 + up] = speed * sin(a) * cos(b);
  q[4 - up] = speed * sin(b);
  q[4] = pressure;
}

static void uniform(const triad_multiblock_exact *e, const double x[3], double t, double q[5])
{
  (void)x, (void)t;
  triad_multiblock_stream(&e->gas, e->mach, e->pressure, e->temperature, e->angle, 0, 1, q);
}

/* ---- vortex between two circles: radius, and Mach number there; sound of speed 1 and density 1 there ---- */

static void circles(const triad_multiblock_exact *e, const double x[3], double t, double q[5])
{
  (void)t;
  double g = e->gas.gamma, r = hypot(x[0], x[1]), part = e->radius / r, speed = e->mach * part;
  q[0] = pow(1 + (g - 1) / 2 * e->mach * e->mach * (1 - part * part), 1 / (g - 1));
  q[1] = speed * x[1] / r;
  q[2] = -speed * x[0] / r;
  q[3] = 0;
  q[4] = pow(q[0], g) / g;
}

/* ---- a shock from the origin, before a ramp of `angle` ---- */

/* Angle of a shock that turns a flow of Mach number m by `turn`, the weaker one; both in radians. Not a number:
 * none. */
static double find_shock_angle(double m, double turn, double gamma)
{
  /* tan(turn) = 2 cot b (m^2 sin^2 b - 1)/(m^2 (gamma + cos 2b) + 2) rises from the Mach angle to its largest */
  double low = asin(1 / m), high = TRIAD_PI / 2, a = low, b = high;
  for (int i = 0; i < 200; i++) { /* where it is largest, by thirds */
    double p = a + (b - a) / 3, q = b - (b - a) / 3;
    double at_p = 2 / tan(p) * (pow(m * sin(p), 2) - 1) / (m * m * (gamma + cos(2 * p)) + 2);
    double at_q = 2 / tan(q) * (pow(m * sin(q), 2) - 1) / (m * m * (gamma + cos(2 * q)) + 2);
    if (at_p < at_q) a = p;
    else b = q;
  }
  high = (a + b) / 2;
  for (int i = 0; i < 200; i++) {
    double p = (low + high) / 2;
    if (2 / tan(p) * (pow(m * sin(p), 2) - 1) / (m * m * (gamma + cos(2 * p)) + 2) < tan(turn)) low = p;
    else high = p;
  }
  return high >= (a + b) / 2 - 1e-12 ? NAN : low;
}

static int prepare_shock(triad_multiblock_exact *e)
{
  double g = e->gas.gamma, turn = e->angle * TRIAD_PI / 180, b = find_shock_angle(e->mach, turn, g), q[5];
  if (!isfinite(b))
    return TRIAD_FAIL(
      TRIAD_ERR_CASE,
      "solution.angle = %g: no attached shock can turn a flow of Mach number %g by this angle: use a smaller angle",
      e->angle, e->mach);
  triad_multiblock_stream(&e->gas, e->mach, e->pressure, e->temperature, 0, 0, 1, q);
  double n = pow(e->mach * sin(b), 2), ratio = (g + 1) * n / ((g - 1) * n + 2);
  e->turned = b;
  e->behind[0] = q[0] * ratio;
  e->behind[1] = q[4] * (1 + 2 * g / (g + 1) * (n - 1));
  e->behind[2] = q[1] * cos(b) / cos(b - turn); /* what goes along the shock stays */
  return TRIAD_OK;
}

static void shock(const triad_multiblock_exact *e, const double x[3], double t, double q[5])
{
  (void)t;
  triad_multiblock_stream(&e->gas, e->mach, e->pressure, e->temperature, 0, 0, 1, q);
  if (x[0] <= 0 || atan2(x[1], x[0]) >= e->turned) return;
  q[0] = e->behind[0];
  q[1] = e->behind[2] * cos(e->angle * TRIAD_PI / 180);
  q[2] = e->behind[2] * sin(e->angle * TRIAD_PI / 180);
  q[4] = e->behind[1];
}

/* ---- a fan from the origin, where a wall turns down by `angle` ---- */

static double prandtl_meyer(double m, double g)
{
  double a = sqrt((g + 1) / (g - 1)), b = sqrt(m * m - 1);
  return a * atan(b / a) - atan(b);
}

static void fan(const triad_multiblock_exact *e, const double x[3], double t, double q[5])
{
  (void)t;
  double g = e->gas.gamma, start = prandtl_meyer(e->mach, g), turn = e->angle * TRIAD_PI / 180, m = e->mach;
  double ray = x[0] <= 0 && x[1] >= 0 ? TRIAD_PI : atan2(x[1], x[0]);
  if (ray < asin(1 / e->mach)) { /* Mach number whose ray this is, or that behind the fan */
    double low = e->mach, high = 100;
    for (int i = 0; i < 100; i++) {
      m = (low + high) / 2;
      double down = prandtl_meyer(m, g) - start;
      if (asin(1 / m) - down > ray && down < turn) low = m;
      else high = m;
    }
  }
  double down = prandtl_meyer(m, g) - start;
  double ratio = (1 + (g - 1) / 2 * e->mach * e->mach) / (1 + (g - 1) / 2 * m * m);
  double p = e->pressure * pow(ratio, g / (g - 1));
  triad_multiblock_stream(&e->gas, m, p, e->temperature * ratio, -down * 180 / TRIAD_PI, 0, 1, q);
}

/* ---- a vortex carried along by a stream, in a box with periods; density, pressure and R T of the stream are 1 ---- */

static void carried(const triad_multiblock_exact *e, const double x[3], double t, double q[5])
{
  double g = e->gas.gamma, speed = e->mach * sqrt(g), a = e->angle * TRIAD_PI / 180, d[2];
  const double flow[2] = {speed * cos(a), speed * sin(a)};
  for (int i = 0; i < 2; i++) {
    d[i] = x[i] - flow[i] * t;
    if (e->period[i] > 0) d[i] -= e->period[i] * floor(d[i] / e->period[i] + 0.5);
  }
  double r2 = (d[0] * d[0] + d[1] * d[1]) / (e->radius * e->radius),
         turn = e->strength / (2 * TRIAD_PI) * exp((1 - r2) / 2);
  double heat = 1 - (g - 1) / (2 * g) * turn * turn;
  q[0] = pow(heat, 1 / (g - 1));
  q[1] = flow[0] - turn * d[1] / e->radius;
  q[2] = flow[1] + turn * d[0] / e->radius;
  q[3] = 0;
  q[4] = q[0] * heat;
}

const triad_multiblock_exact_kind triad_multiblock_exact_kinds[] = {
  {{"uniform", .about = "uniform flow of solution.mach, pressure and temperature along solution.angle"},
   NULL,
   uniform,
   NULL},
  {{"supersonic-vortex", .about = "supersonic vortex between two circles; solution.mach at solution.radius"},
   NULL,
   circles,
   NULL},
  {{"oblique-shock", .about = "oblique shock from the origin, ahead of a ramp of solution.angle"},
   prepare_shock,
   shock,
   NULL},
  {{"fan", .about = "expansion fan from the origin, around a corner of solution.angle"}, NULL, fan, NULL},
  {{"isentropic-vortex", .about = "isentropic vortex in a flow of solution.mach along solution.angle"},
   NULL,
   carried,
   NULL},
  {{"manufactured-euler", .about = "supersonic Euler solution of Roy et al. 2004"},
   NULL,
   triad_multiblock_supersonic,
   triad_multiblock_supersonic_source},
  {{"manufactured-laminar", .about = "subsonic Navier-Stokes solution of Roy et al. 2004"},
   NULL,
   triad_multiblock_laminar,
   triad_multiblock_laminar_source},
  {{"manufactured-3d", .about = "supersonic solution in three dimensions"},
   NULL,
   triad_multiblock_spatial,
   triad_multiblock_spatial_source},
  {{0}, NULL, NULL, NULL}};

static const triad_word no_solution = {"none", .about = "no exact solution"};

const triad_word *triad_multiblock_exact_word(int i)
{
  if (i == 0) return &no_solution;
  return triad_multiblock_exact_kinds[i - 1].word.name ? &triad_multiblock_exact_kinds[i - 1].word : NULL;
}

void triad_multiblock_gas_read(triad_multiblock_gas *gas, const triad_case *c)
{
  *gas = (triad_multiblock_gas){.gamma = triad_case_real(c, "equations.gamma"),
                                .constant = triad_case_real(c, "equations.gas_constant"),
                                .prandtl = triad_case_real(c, "equations.prandtl"),
                                .viscosity = triad_case_real(c, "equations.viscosity"),
                                .reference = triad_case_real(c, "equations.viscosity_temperature"),
                                .viscous = triad_case_is(c, "equations.model", "laminar")};
  if (triad_case_is(c, "equations.viscosity_law", "sutherland"))
    gas->sutherland = triad_case_real(c, "equations.sutherland");
  if (triad_case_is(c, "equations.viscosity_law", "power"))
    gas->power = triad_case_real(c, "equations.viscosity_power");
}

int triad_multiblock_exact_read(triad_multiblock_exact *e, const triad_case *c)
{
  *e = (triad_multiblock_exact){.mach = triad_case_real(c, "solution.mach"),
                                .angle = triad_case_real(c, "solution.angle"),
                                .pressure = triad_case_real(c, "solution.pressure"),
                                .temperature = triad_case_real(c, "solution.temperature"),
                                .radius = triad_case_real(c, "solution.radius"),
                                .strength = triad_case_real(c, "solution.strength")};
  triad_multiblock_gas_read(&e->gas, c);
  triad_case_reals(c, "grid.period", e->period, 3);
  if (triad_case_is(c, "solution.kind", "none")) return TRIAD_OK;
  for (e->kind = triad_multiblock_exact_kinds; !triad_case_is(c, "solution.kind", e->kind->word.name);) e->kind++;
  return e->kind->prepare ? e->kind->prepare(e) : TRIAD_OK;
}
