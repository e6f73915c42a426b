/* Control the power of a force so that a quantity q of the flow stays constant (docs/methods/forcing.md). With the
 * error e = ln(target/q)/a of q ~ P^a and the turnover time T = energy/dissipation,
 *   ln(P/P_0) = e/2 + int e dt/T
 * A developed flow answers a power within 2T/3, so that what is off dies away within a few T, without swinging (the
 * poles of (1 + 2T s/3) T s + T s/2 + 1 are damped to 0.9). */
#include "solvers/spectral/force/plain/control.h"
#include "solvers/spectral/force/force_internal.h"

#include <math.h>
#include <string.h>

enum { LARGEST_ERROR = 2, LARGEST_GAIN = 12 /* of ln P */ };

/* What can be held, and how it goes with the power of a developed flow in a box at a given viscosity. */
static const struct {
  const char *column;
  double exponent;
} held[] = {{"energy", 2. / 3}, {"dissipation", 1}, {"re_lambda", 1. / 6}, {"kmax_eta", -1. / 4}};

int triad_force_control_set(triad_forcing *p, const triad_flow *flow)
{
  triad_force_control *c = &p->control;
  const char *word = triad_case_word(flow->given, "forcing.hold");
  *c = (triad_force_control){.column = -1};
  for (size_t i = 0; i < sizeof held / sizeof *held; i++) {
    if (strcmp(word, held[i].column) != 0) continue;
    c->column = triad_shape_column(&flow->shape, word);
    c->energy = triad_shape_column(&flow->shape, "energy");
    c->dissipation = triad_shape_column(&flow->shape, "dissipation");
    c->exponent = held[i].exponent;
    c->wish = triad_case_real(flow->given, "forcing.hold_value");
    c->interval = triad_case_integer(flow->given, "forcing.hold_interval");
    if (c->column < 0 || c->energy < 0 || c->dissipation < 0)
      return TRIAD_FAIL(TRIAD_ERR_CASE, "forcing.hold = \"%s\": solver %s has no such column: use another quantity",
                        word, flow->equations->name);
  }
  return TRIAD_OK;
}

int triad_forcing_looks(const triad_forcing *p, const triad_flow *flow)
{
  return p && p->control.column >= 0 && flow->at.step % p->control.interval == 0;
}

void triad_forcing_control(triad_forcing *p, const triad_flow *flow, const double *columns)
{
  triad_force_control *c = &p->control;
  const double now = columns[c->column], turnover = columns[c->energy] / columns[c->dissipation],
               dt = flow->at.t - c->since;
  c->since = flow->at.t;
  /* at rest there is nothing to go by */
  if (!(now > 0) || !(turnover > 0) || !isfinite(now) || !isfinite(turnover)) return;
  const double error = fmax(-LARGEST_ERROR, fmin(LARGEST_ERROR, log(c->wish / now) / c->exponent));
  const double before = c->integral;
  c->integral += error * fmin(dt / turnover, 1);
  c->gain = error / 2 + c->integral;
  if (fabs(c->gain) > LARGEST_GAIN) { /* what cannot be had is not waited for */
    c->integral = before;
    c->gain = copysign(LARGEST_GAIN, c->gain);
  }
  p->power = p->given_power * exp(c->gain);
}
