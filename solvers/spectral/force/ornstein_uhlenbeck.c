/* A force of a band that is noise with a correlation time (docs/methods/forcing.md): f = amplitude/sqrt(modes) n
 * with the numbers n of solvers/noise.h. f is constant over a step. */
#include "solvers/spectral/force/ornstein_uhlenbeck.h"
#include "solvers/spectral/force/force_internal.h"
#include "solvers/spectral/force/forced_modes.h"

#include <math.h>

static int create(triad_forcing *p, const triad_flow *flow)
{
  triad_memory *m = flow->context->memory;
  const triad_layout *l = flow->layout;
  triad_force_noise *n = &p->noise;
  double band[2];
  triad_case_reals(flow->given, "forcing.k_range", band, 2);
  n->of = (triad_noise){.components = p->components,
                        .helicity = p->helicity,
                        .solenoidal = 1,
                        .time = triad_case_real(flow->given, "forcing.correlation_time"),
                        .seed = (uint64_t)triad_case_integer(flow->given, "forcing.seed")};
  TRIAD_TRY(triad_force_take_band(p, flow));
  TRIAD_TRY(triad_noise_create(&n->of, m, &flow->grid, band, "forcing.k_range"));
  TRIAD_TRY(TRIAD_ALLOC(m, "forcing", p->count, &n->number));
  TRIAD_TRY(TRIAD_ALLOC(m, "forcing", p->count, &n->sign));
  for (int64_t i = 0; i < p->count; i++) {
    const int64_t k[3] = {l->kx[p->column[i]], l->ky[p->column[i]], l->kz[p->kz_number[i]]};
    n->number[i] = triad_noise_find(&n->of, k, &n->sign[i]);
    if (n->number[i] < 0) return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "a forced mode is outside its band");
  }
  return TRIAD_OK;
}

void triad_force_noise_free(triad_forcing *p, triad_memory *m)
{
  triad_noise_free(&p->noise.of, m);
  TRIAD_FREE(m, &p->noise.number);
  TRIAD_FREE(m, &p->noise.sign);
}

/* f of the modes held here. The mean square of f follows the power: injected power ~ amplitude^2. */
static void set_force(triad_forcing *p)
{
  const triad_force_noise *n = &p->noise;
  const int c = p->components;
  const double size = p->amplitude * exp(p->control.gain / 2) / sqrt(2 * (double)n->of.count);
  for (int64_t m = 0; m < p->count; m++) {
    const double *from = n->of.normal + 2 * c * n->number[m];
    for (int a = 0; a < c; a++) {
      p->f[2 * p->components * m + 2 * a] = size * from[2 * a];
      p->f[2 * p->components * m + 2 * a + 1] = n->sign[m] * size * from[2 * a + 1];
    }
  }
}

void triad_force_noise_settle(triad_forcing *p, int64_t step, int drawn)
{
  if (!drawn) triad_noise_begin(&p->noise.of, step);
  p->noise.started = 0;
  set_force(p);
}

static void add_work(triad_forcing *p, const triad_flow *flow)
{
  for (int64_t m = 0; m < p->count; m++)
    for (int c = 0; c < p->components; c++) {
      const triad_cplx *u = &flow->u[p->first + c][p->place[m]];
      const double *f = p->f + 2 * p->components * m + 2 * c;
      triad_sum_add(&p->noise.work, p->weight[m] * ((double)u->re * f[0] + (double)u->im * f[1]) / 2);
    }
}

static int prepare(triad_forcing *p, const triad_flow *flow)
{
  if (p->noise.started) return TRIAD_OK;
  triad_sum_clear(&p->noise.work);
  add_work(p, flow);
  p->noise.started = 1;
  return TRIAD_OK;
}

/* The mean of its power at both ends of the step; then the numbers of the next. */
static int finish(triad_forcing *p, triad_flow *flow, double dt)
{
  add_work(p, flow);
  TRIAD_TRY(triad_sum_all(&flow->context->comm, &p->noise.work, 1, &p->injected));
  triad_noise_advance(&p->noise.of, flow->at.step + 1, dt);
  triad_force_noise_settle(p, 0, 1);
  return TRIAD_OK;
}

/* Before the first step: as it is. */
static int power(triad_forcing *p, const triad_flow *flow, double *put)
{
  double sums[TRIAD_FORCE_SUMS];
  *put = p->injected;
  if (!isnan(p->injected)) return TRIAD_OK;
  TRIAD_TRY(triad_force_measure(p, flow, sums));
  *put = sums[TRIAD_FORCE_WORK];
  return TRIAD_OK;
}

/* The force is constant over a step, which must be short compared with its correlation time. */
static double longest(const triad_forcing *p, double cfl)
{
  const double rms = p->amplitude * exp(p->control.gain / 2);
  return fmin(p->noise.of.time / 10, triad_force_longest_pushed(rms, p->spacing, cfl));
}

const triad_force_kind triad_force_noisy = {
  .create = create, .prepare = prepare, .finish = finish, .power = power, .longest = longest};
