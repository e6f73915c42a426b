/* Forces along the field itself: of a band at constant power or constant energy, of all modes at a constant rate. */
#include "solvers/spectral/force/force_internal.h"
#include "solvers/spectral/force/forced_modes.h"

#include <math.h>

static int nothing_there(const char *kind)
{
  return TRIAD_FAIL(TRIAD_ERR_CASE,
                    "forcing: constant %s multiplies the field in its band, which is zero: start from a field with "
                    "energy there, or use kind = \"random\"",
                    kind);
}

/* v[component][re, im] of forced mode m without its part along k, where it is a vector. Pressure keeps what it
 * finds: nothing but decay acts on the rounding of a divergence, and a force along the field would let it grow
 * without end. */
static void project(const triad_forcing *p, const triad_flow *flow, int64_t m, double *v)
{
  const triad_layout *l = flow->layout;
  double k[3];
  triad_layout_derivative(l, p->column[m], p->kz_number[m], k);
  const double k2 = k[0] * k[0] + k[1] * k[1] + k[2] * k[2];
  if (p->components != 3 || !(k2 > 0)) return;
  for (int part = 0; part < 2; part++) {
    const double along = (k[0] * v[part] + k[1] * v[2 + part] + k[2] * v[4 + part]) / k2;
    for (int c = 0; c < 3; c++) v[2 * c + part] -= k[c] * along;
  }
}

static int follow_power(triad_forcing *p, const triad_flow *flow)
{
  double sums[TRIAD_FORCE_SUMS];
  TRIAD_TRY(triad_force_measure(p, flow, sums));
  double energy = sums[TRIAD_FORCE_ENERGY];
  if (!(energy > 0)) return nothing_there("power");
  for (int64_t m = 0; m < p->count; m++) {
    for (int c = 0; c < p->components; c++) {
      const triad_cplx *u = &flow->u[p->first + c][p->place[m]];
      p->f[2 * p->components * m + 2 * c] = p->power / (2 * energy) * (double)u->re;
      p->f[2 * p->components * m + 2 * c + 1] = p->power / (2 * energy) * (double)u->im;
    }
    project(p, flow, m, p->f + 2 * p->components * m);
  }
  return TRIAD_OK;
}

/* The energy to keep, where the case leaves it to the field of the first step. */
static int learn_energy(triad_forcing *p, const triad_flow *flow)
{
  double sums[TRIAD_FORCE_SUMS];
  if (p->energy > 0) return TRIAD_OK;
  TRIAD_TRY(triad_force_measure(p, flow, sums));
  p->energy = sums[TRIAD_FORCE_ENERGY];
  return p->energy > 0 ? TRIAD_OK : nothing_there("energy");
}

static int keep_energy(triad_forcing *p, triad_flow *flow, double dt)
{
  double sums[TRIAD_FORCE_SUMS];
  TRIAD_TRY(triad_force_measure(p, flow, sums));
  double energy = sums[TRIAD_FORCE_ENERGY];
  if (!(energy > 0)) return nothing_there("energy");
  const double factor = sqrt(p->energy / energy);
  for (int64_t m = 0; m < p->count; m++) {
    double *v = p->f + 2 * p->components * m; /* which this kind has no other use for */
    for (int c = 0; c < p->components; c++) {
      const triad_cplx *u = &flow->u[p->first + c][p->place[m]];
      v[2 * c] = factor * (double)u->re;
      v[2 * c + 1] = factor * (double)u->im;
    }
    project(p, flow, m, v);
    for (int c = 0; c < p->components; c++)
      flow->u[p->first + c][p->place[m]] = (triad_cplx){(triad_real)v[2 * c], (triad_real)v[2 * c + 1]};
  }
  p->injected = (p->energy - energy) / dt;
  return TRIAD_OK;
}

/* Before the first step nothing has been put in. */
static int last_power(triad_forcing *p, const triad_flow *flow, double *power)
{
  (void)flow;
  *power = isnan(p->injected) ? 0 : p->injected;
  return TRIAD_OK;
}

static int take_rate(triad_forcing *p, const triad_flow *flow)
{
  p->growth = triad_case_real(flow->given, "forcing.rate");
  return TRIAD_OK;
}

/* Growth and decay are exact; what they do to the rest of N is a matter of accuracy. */
static double longest_growth(const triad_forcing *p, double cfl) { return cfl / p->growth; }

static double no_limit(const triad_forcing *p, double cfl)
{
  (void)p, (void)cfl;
  return INFINITY;
}

const triad_force_kind triad_force_constant_power = {
  .create = triad_force_take_band, .prepare = follow_power, .longest = triad_force_longest_powered};

const triad_force_kind triad_force_constant_energy = {.create = triad_force_take_band,
                                                      .prepare = learn_energy,
                                                      .finish = keep_energy,
                                                      .power = last_power,
                                                      .longest = no_limit};

const triad_force_kind triad_force_linear = {.create = take_rate, .longest = longest_growth};
