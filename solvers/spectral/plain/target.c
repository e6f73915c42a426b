/* Choose viscosity, power and grid for a given Re_lambda and k_max eta: the scale of the force gives an estimate of
 * the integral scale, and that the dissipation. */
#include "solvers/spectral/plain/target.h"
#include "base/precision.h"
#include "case/case.h"
#include "case/case_tune.h"
#include "solvers/spectral/force/plain/force_list.h"
#include "solvers/spectral/part.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char target[] = "target";

/* What the numbers of a case come to: the scale of the force's band, the integral scale and the normalised
 * dissipation of developed turbulence, the dissipation, the velocity, the viscosity and Kolmogorov's scale that
 * follow. */
typedef struct estimate {
  double k_force, scale, normalised, dissipation, speed, viscosity, eta;
} estimate;

/* The mean |k| of the modes of the band. */
static double band_of(const triad_case *c, const double length[3])
{
  double band[2], longest = 0, sum = 0, count = 0;
  triad_case_reals(c, "forcing.k_range", band, 2);
  for (int i = 0; i < 3; i++) longest = fmax(longest, length[i]);
  const double unit = 2 * TRIAD_PI / longest;
  int64_t most[3];
  for (int i = 0; i < 3; i++) most[i] = (int64_t)fmin(32, floor(band[1] * length[i] / longest + 1e-9));
  for (int64_t x = -most[0]; x <= most[0]; x++)
    for (int64_t y = -most[1]; y <= most[1]; y++)
      for (int64_t z = -most[2]; z <= most[2]; z++) {
        const double k = hypot(hypot((double)x * longest / length[0], (double)y * longest / length[1]),
                               (double)z * longest / length[2]);
        if (!(k > 0) || k < band[0] - 1e-9 || k > band[1] + 1e-9) continue;
        sum += k * unit;
        count++;
      }
  return count > 0 ? sum / count : band[1] * unit;
}

/* L k_f = 1.77 + 20.8/Re (runs/iso-held at Re_lambda 30, 40, 45); C = 0.2 (1 + (1 + (92/Re)^2)^(1/2)) (Donzis,
 * Sreenivasan and Yeung 2005, J. Fluid Mech. 532, 199); epsilon = C u'^3/L, Re^2 = 15 u' L/(nu C), eta =
 * (nu^3/epsilon)^(1/4). */
static estimate estimate_of(const triad_case *c, double re, const double length[3])
{
  estimate e = {.k_force = band_of(c, length), .normalised = 0.2 * (1 + hypot(1, 92 / re))};
  e.scale = (1.77 + 20.8 / re) / e.k_force;
  if (triad_case_given(c, "equations.viscosity")) {
    e.viscosity = triad_case_real(c, "equations.viscosity");
    e.speed = e.viscosity * e.normalised * re * re / (15 * e.scale);
    e.dissipation = e.normalised * e.speed * e.speed * e.speed / e.scale;
  } else {
    e.dissipation = triad_case_real(c, "forcing.power");
    e.speed = cbrt(e.dissipation * e.scale / e.normalised);
    e.viscosity = 15 * e.speed * e.scale / (e.normalised * re * re);
  }
  e.eta = pow(e.viscosity * e.viscosity * e.viscosity / e.dissipation, 0.25);
  return e;
}

static int is_smooth(int64_t n)
{
  static const int64_t primes[] = {2, 3, 5, 7};
  for (int i = 0; i < 4; i++)
    while (n % primes[i] == 0) n /= primes[i];
  return n == 1;
}

static int64_t near_smooth(double wish)
{
  for (int64_t off = 0;; off++) {
    const int64_t n = 2 * llround(wish / 2);
    if (n + 2 * off >= 4 && is_smooth(n + 2 * off)) return n + 2 * off;
    if (n - 2 * off >= 4 && is_smooth(n - 2 * off)) return n - 2 * off;
  }
}

int triad_target_modes(const triad_case *c, const double length[3], const int64_t n[3], triad_grid *grid)
{
  const triad_truncation truncation = triad_case_is(c, "grid.truncation", "sphere") ? TRIAD_SPHERE
                                      : triad_case_is(c, "grid.truncation", "box")  ? TRIAD_BOX
                                                                                    : TRIAD_NONE;
  TRIAD_TRY(triad_grid_init(grid, n, length, truncation));
  return triad_grid_set_sphere(grid, 0, triad_case_is(c, "grid.dealiasing", "phase-shift"));
}

int triad_target_grid(const triad_case *c, const double length[3], double k_max, const triad_target_limits *limits,
                      int64_t best[3])
{
  double longest = 0;
  for (int i = 0; i < 3; i++)
    if (!limits->flat[i]) longest = fmax(longest, length[i]);
  for (int i = 0; i < 3; i++) best[i] = 0;
  for (int64_t n = limits->least + limits->least % 2; n <= (limits->most > 0 ? limits->most : 65536); n += 2) {
    triad_grid grid;
    int64_t now[3];
    if (!is_smooth(n)) continue;
    for (int i = 0; i < 3; i++) now[i] = limits->flat[i] ? 1 : near_smooth((double)n * length[i] / longest);
    if (triad_target_modes(c, length, now, &grid) != TRIAD_OK) {
      triad_message_clear();
      continue;
    }
    for (int i = 0; i < 3; i++) best[i] = now[i];
    if (triad_grid_k_max(&grid) >= k_max) return 1;
  }
  return 0;
}

/* Choose a grid for the requested resolution, at most 2 % coarser; *radius: that of the sphere that keeps no more than
 * needed, 0: the largest. Returns 0 if there is none. */
static int choose_grid(const triad_case *c, const double length[3], double eta, double wish, int64_t best[3],
                       int64_t *radius)
{
  const triad_target_limits limits = {.least = 8};
  triad_grid grid;
  if (!triad_target_grid(c, length, 0.98 * wish / eta, &limits, best) ||
      triad_target_modes(c, length, best, &grid) != TRIAD_OK)
    return 0;
  int64_t most = 0;
  for (int i = 0; i < 3; i++) most = grid.kmax[i] > most ? grid.kmax[i] : most;
  *radius = llround((double)most * wish / (triad_grid_k_max(&grid) * eta));
  if (grid.truncation != TRIAD_SPHERE || grid.shifted || *radius >= most) *radius = 0;
  return 1;
}

static void put_real(triad_case *c, const char *key, double value)
{
  char text[40];
  (void)snprintf(text, sizeof text, "%.6g", value);
  (void)triad_case_tune(c, key, text, target);
}

static int wants(const triad_case *c)
{
  return triad_case_good(c, "target.re_lambda") && triad_case_good(c, "target.kmax_eta") &&
         triad_case_real(c, "target.re_lambda") > 0;
}

void triad_target_choose(triad_case *c)
{
  static const char *const needed[] = {"equations.viscosity", "grid.length",  "grid.truncation",
                                       "grid.dealiasing",     "forcing.kind", "forcing.power",
                                       "forcing.k_range",     "forcing.hold", "forcing.correlation_time"};
  double length[3], re, wish;
  int64_t n[3] = {0, 0, 0}, radius = 0;
  char text[96];
  if (!triad_case_good(c, "target.re_lambda") || !triad_case_good(c, "target.kmax_eta")) return;
  re = triad_case_real(c, "target.re_lambda");
  wish = triad_case_real(c, "target.kmax_eta");
  if (!(re > 0)) return; /* triad_follow_rules has a word on k_max eta alone */
  for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
    if (!triad_case_good(c, needed[i])) return;
  if (!triad_force_is(c, TRIAD_FORCE_HELD)) {
    triad_case_error_of(c, "target.re_lambda",
                        "target.re_lambda requires a force with adjustable power: forcing.kind = \"random\", "
                        "\"constant-power\" or \"ornstein-uhlenbeck\"");
    return;
  }
  triad_case_reals(c, "grid.length", length, 3);
  const estimate e = estimate_of(c, re, length);
  const int has_viscosity = triad_case_given(c, "equations.viscosity"),
            has_power = triad_case_given(c, "forcing.power");
  if (!triad_case_given(c, "grid.n") && wish > 0) {
    if (!choose_grid(c, length, e.eta, wish, n, &radius)) {
      triad_case_error_of(c, "target.re_lambda",
                          "target: no grid gives k_max eta = %g at Re_lambda = %g: use smaller values", wish, re);
      return;
    }
    (void)snprintf(text, sizeof text, "[%lld, %lld, %lld]", (long long)n[0], (long long)n[1], (long long)n[2]);
    (void)triad_case_tune(c, "grid.n", text, target);
    if (radius > 0 && triad_case_good(c, "grid.radius") && !triad_case_given(c, "grid.radius") &&
        triad_case_good(c, "target.grid") && triad_case_is(c, "target.grid", "fixed"))
      put_real(c, "grid.radius", (double)radius);
  }
  if (!has_viscosity) put_real(c, "equations.viscosity", e.viscosity);
  if (!has_power) put_real(c, "forcing.power", e.dissipation);
  if (triad_case_is(c, "forcing.kind", "ornstein-uhlenbeck") && !triad_case_given(c, "forcing.amplitude"))
    put_real(c, "forcing.amplitude",
             sqrt(e.dissipation * (1 / triad_case_real(c, "forcing.correlation_time") + e.speed / e.scale)));
  if (triad_case_given(c, "forcing.hold")) return;
  (void)triad_case_tune(c, "forcing.hold", "\"re_lambda\"", target);
  put_real(c, "forcing.hold_value", re);
}

void triad_target_describe(const triad_case *c, const triad_grid *grid, triad_log *log)
{
  double length[3];
  if (!triad_case_applies(c, "target.re_lambda") || !wants(c)) return;
  triad_case_reals(c, "grid.length", length, 3);
  const estimate e = estimate_of(c, triad_case_real(c, "target.re_lambda"), length);
  const double power = triad_case_real(c, "forcing.power"), nu = triad_case_real(c, "equations.viscosity");
  triad_log_info(log,
                 "target: Re_lambda = %g: a force around |k| = %.3g gives an integral scale of %.3g, where the "
                 "dissipation is %.3g u'^3/L",
                 triad_case_real(c, "target.re_lambda"), e.k_force, e.scale, e.normalised);
  triad_log_info(log, "  so viscosity = %.4g, power = %.4g, and k_max eta = %.3g on this grid (%g required)", nu, power,
                 triad_grid_k_max(grid) * pow(nu * nu * nu / power, 0.25), triad_case_real(c, "target.kmax_eta"));
}
