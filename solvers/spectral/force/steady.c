/* Forces that are a constant field of a few modes. */
#include "solvers/spectral/force/force_internal.h"
#include "solvers/spectral/force/forced_modes.h"
#include "solvers/spectral/start/modes.h"

static int take_list(triad_forcing *p, const triad_flow *flow, const triad_mode *list, int count)
{
  const triad_layout *l = flow->layout;
  TRIAD_TRY(triad_force_take(p, flow, count));
  for (int i = 0; i < count; i++) {
    if (triad_modes_place(l, list[i].k) < 0) continue;
    int conjugate;
    int64_t c = triad_layout_local(l, triad_layout_find(l, list[i].k[0], list[i].k[1], &conjugate));
    double *f = p->f + 2 * p->components * p->count;
    triad_force_push(p, flow, c, triad_layout_kz_number(l, list[i].k[2]));
    for (int k = 0; k < 3; k++) {
      f[2 * k] = list[i].re[k];
      f[2 * k + 1] = list[i].im[k];
    }
  }
  return TRIAD_OK;
}

static int create_taylor_green(triad_forcing *p, const triad_flow *flow)
{
  triad_mode list[TRIAD_ANALYTIC_MODES];
  int count = 0;
  TRIAD_TRY(triad_taylor_green_modes(&flow->grid, triad_case_integer(flow->given, "forcing.wavenumber"), p->amplitude,
                                     0, "forcing", list, &count));
  return take_list(p, flow, list, count);
}

static int create_abc(triad_forcing *p, const triad_flow *flow)
{
  triad_mode list[TRIAD_ANALYTIC_MODES];
  double abc[3];
  int count = 0;
  triad_case_reals(flow->given, "forcing.abc", abc, 3);
  TRIAD_TRY(triad_abc_modes(&flow->grid, triad_case_integer(flow->given, "forcing.wavenumber"), p->amplitude, abc,
                            "forcing", list, &count));
  return take_list(p, flow, list, count);
}

static int power(triad_forcing *p, const triad_flow *flow, double *put)
{
  double sums[TRIAD_FORCE_SUMS];
  TRIAD_TRY(triad_force_measure(p, flow, sums));
  *put = sums[TRIAD_FORCE_WORK];
  return TRIAD_OK;
}

static double longest(const triad_forcing *p, double cfl)
{
  return triad_force_longest_pushed(p->amplitude, p->spacing, cfl);
}

const triad_force_kind triad_force_taylor_green = {.create = create_taylor_green, .power = power, .longest = longest};

const triad_force_kind triad_force_abc = {.create = create_abc, .power = power, .longest = longest};
