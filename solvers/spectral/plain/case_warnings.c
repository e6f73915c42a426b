/* Warn of values in a spectral case that are valid but can hardly be intended: steps, bands, and a fluid at rest. */
#include "solvers/spectral/plain/case_warnings.h"

#include "solvers/slice_list.h"
#include "solvers/spectral/force/plain/force_list.h"
#include "solvers/spectral/plain/shear_case.h"
#include "solvers/spectral/relax/plain/relax_case.h"
#include "solvers/spectral/step/stepper.h"
#include "solvers/spectral/step/plain/courant.h"

#include <math.h>
#include <stdio.h>

static void warn_of_step(const triad_flow_plan *p, triad_case_warnings *d)
{
  const triad_case *c = p->given;
  const triad_scheme *scheme = triad_scheme_find(triad_case_word(c, "time.scheme"), TRIAD_STEPPER_FORMS);
  double bound = scheme && !p->equations->turn ? triad_stepper_bound(scheme, &p->grid) : 0;
  double cfl = triad_case_real(c, "time.cfl");
  if (bound > 0 && triad_case_real(c, "time.dt") <= 0 && cfl > bound * 1.01)
    triad_case_warn(d,
                    "time.cfl = %g exceeds %.2f, the stability limit of %s: the flow will blow up, or lose energy to "
                    "errors: use that or less",
                    cfl, bound, scheme->word.name);
}

/* A fixed step of a set whose limit does not depend on the flow. */
static void warn_of_fixed_step(const triad_flow_plan *p, triad_case_warnings *d)
{
  const triad_scheme *scheme = triad_scheme_find(triad_case_word(p->given, "time.scheme"), TRIAD_STEPPER_FORMS);
  const double dt = triad_case_real(p->given, "time.dt");
  const double longest = scheme && p->equations->longest ? p->equations->longest(p->self, scheme) : 0;
  if (longest > 0 && dt > longest)
    triad_case_warn(d,
                    "time.dt = %g exceeds %.3g, the stability limit of %s on this grid: waves grow, and energy is "
                    "lost: use that or less",
                    dt, longest, scheme->word.name);
}

/* A fixed step beyond the limit of bodies. */
static void warn_of_bodies(const triad_flow_plan *p, triad_case_warnings *d)
{
  const triad_scheme *scheme = triad_scheme_find(triad_case_word(p->given, "time.scheme"), TRIAD_STEPPER_FORMS);
  const double dt = triad_case_real(p->given, "time.dt");
  const double rate = dt > 0 ? triad_relaxation_body_rate(p->given, &p->grid, &p->shape) : 0;
  if (scheme && rate * dt > scheme->real_axis)
    triad_case_warn(d,
                    "time.dt = %g exceeds %.3g, the stability limit of %s with this permeability of [[bodies]]: the "
                    "flow will blow up: use time.cfl, or that or less",
                    dt, scheme->real_axis / rate, scheme->word.name);
}

/* The largest wavenumber that is kept along any axis, in units of the smallest of the box. */
static double kept(const triad_grid *g)
{
  double most = 0;
  for (int i = 0; i < 3; i++) /* without those at n/2, which neither starts nor forces excite */
    most = fmax(most, triad_grid_size_wavenumber(g, i, g->truncation == TRIAD_NONE ? (g->n[i] - 1) / 2 : g->kmax[i]));
  return most / triad_grid_k_min(g);
}

static void warn_of_bands(const triad_flow_plan *p, triad_case_warnings *d)
{
  const triad_case *c = p->given;
  double band[2], most = kept(&p->grid);
  int random = triad_case_is(c, "initial.kind", "random"), power = triad_case_is(c, "initial.spectrum", "power-law");
  triad_case_reals(c, "initial.k_range", band, 2);
  if (random && power && band[1] > most + 0.5)
    triad_case_warn(
      d, "initial.k_range = [%g, %g]: the grid has wavenumbers up to %.4g only: use a finer grid, or a narrower band",
      band[0], band[1], most);
  double peak = (double)triad_case_integer(c, "initial.wavenumber");
  if (random && !power && peak > most)
    triad_case_warn(d,
                    "initial.wavenumber = %g: the peak of the spectrum is beyond the grid, which has wavenumbers up to "
                    "%.4g: use a finer grid, or a smaller wavenumber",
                    peak, most);
  triad_case_reals(c, "forcing.k_range", band, 2);
  if (triad_force_is(c, TRIAD_FORCE_BAND) && band[1] > most + 0.5)
    triad_case_warn(
      d, "forcing.k_range = [%g, %g]: the grid has wavenumbers up to %.4g only: use a finer grid, or a narrower band",
      band[0], band[1], most);
}

static int is_nothing(const triad_case *c, const char *key)
{
  return !triad_case_applies(c, key) || !(triad_case_real(c, key) > 0);
}

/* A fluid that is and stays at rest. */
static void warn_of_rest(const triad_flow_plan *p, triad_case_warnings *d)
{
  const triad_case *c = p->given;
  int rest = triad_case_is(c, "initial.kind", "rest"), random = triad_case_is(c, "initial.kind", "random");
  if (!triad_case_is(c, "forcing.kind", "none") || triad_shape_group(&p->shape, "velocity").n == 0) return;
  if (triad_relaxation_wanted(c) > 0) return; /* they may move it */
  int theta = !is_nothing(c, "initial.potential_energy");
  if (rest) triad_case_warn(d, "initial.kind = \"rest\" without a force: the fluid will not move; set forcing.kind");
  else if (random && is_nothing(c, "initial.energy") && is_nothing(c, "initial.magnetic_energy") && !theta)
    triad_case_warn(d, "initial.energy = 0 without a force: the fluid will not move; set forcing.kind");
}

/* What stays is taken exactly, what changes within a step is not; time.cfl would take shorter ones. */
static void warn_of_drag(const triad_flow_plan *p, triad_case_warnings *d)
{
  const double dt = triad_case_real(p->given, "time.dt");
  for (int i = 1; i <= triad_case_tables(p->given, "particles"); i++) {
    char key[64];
    (void)snprintf(key, sizeof key, "particles[%d].stokes_time", i);
    const double tau = triad_case_real(p->given, key);
    if (tau > 0 && dt > 2 * tau)
      triad_case_warn(
        d, "time.dt = %g is %.3g times %s: the particles see changes of the fluid one step late: use a smaller time.dt",
        dt, dt / tau, key);
  }
}

void triad_flow_warn(const triad_flow_plan *p, triad_case_warnings *d)
{
  warn_of_step(p, d);
  warn_of_fixed_step(p, d);
  warn_of_bands(p, d);
  warn_of_rest(p, d);
  /* in a mean shear fields do not repeat along y: a point there is not moved */
  const int along_y = !(triad_shear_of(p->given) != 0), periodic[3] = {1, along_y, 1};
  triad_places_warn(p->given, p->grid.length, periodic, d);
  warn_of_drag(p, d);
  warn_of_bodies(p, d);
}
