#include "run/initial.h"

#include "run/initial_file.h"
#include "run/modes.h"
#include "run/randomfield.h"

#include <string.h>

static int set_taylor_green(triad_flow *flow)
{
  triad_mode list[TRIAD_ANALYTIC_MODES];
  int count = 0;
  TRIAD_TRY(triad_taylor_green_modes(&flow->grid, triad_case_integer(flow->given, "initial.wavenumber"),
                                     triad_case_real(flow->given, "initial.amplitude"),
                                     triad_case_flag(flow->given, "initial.two_dimensional"), "initial", list, &count));
  triad_modes_add(flow->layout, list, count, flow->u);
  return TRIAD_OK;
}

static int set_abc(triad_flow *flow)
{
  triad_mode list[TRIAD_ANALYTIC_MODES];
  double abc[3];
  int count = 0;
  triad_case_reals(flow->given, "initial.abc", abc, 3);
  TRIAD_TRY(triad_abc_modes(&flow->grid, triad_case_integer(flow->given, "initial.wavenumber"),
                            triad_case_real(flow->given, "initial.amplitude"), abc, "initial", list, &count));
  triad_modes_add(flow->layout, list, count, flow->u);
  return TRIAD_OK;
}

static int set_random(triad_flow *flow)
{
  const triad_case *given = flow->given;
  double range[2];
  triad_case_reals(given, "initial.k_range", range, 2);
  triad_random_spectrum spectrum = {.seed = (uint64_t)triad_case_integer(given, "initial.seed"),
                                    .energy = triad_case_real(given, "initial.energy"),
                                    .helicity = triad_case_real(given, "initial.helicity"),
                                    .power_law = triad_case_is(given, "initial.spectrum", "power-law"),
                                    .slope = triad_case_real(given, "initial.slope"),
                                    .lowest = range[0],
                                    .highest = range[1],
                                    .peak = (double)triad_case_integer(given, "initial.wavenumber")};
  return triad_random_field(flow->context, flow->layout, &spectrum, flow->u);
}

int triad_initial_set(triad_flow *flow, triad_log *log)
{
  const triad_comm *comm = &flow->context->comm;
  const char *kind = triad_case_word(flow->given, "initial.kind");
  for (int f = 0; f < flow->shape.n_fields; f++)
    memset(flow->u[f], 0, (size_t)flow->layout->modes * sizeof *flow->u[f]);
  flow->t = flow->dt = 0;
  flow->step = 0;
  if (strcmp(kind, "rest") == 0) return TRIAD_OK; /* u = 0 */
  if (strcmp(kind, "taylor-green") == 0) return triad_agree(comm, set_taylor_green(flow));
  if (strcmp(kind, "abc") == 0) return triad_agree(comm, set_abc(flow));
  if (strcmp(kind, "random") == 0) return set_random(flow);
  if (strcmp(kind, "file") == 0) return triad_initial_from_file(flow, log);
  if (strcmp(kind, "checkpoint") == 0) return triad_initial_from_checkpoint(flow, log);
  return triad_agree(comm, TRIAD_FAIL(TRIAD_ERR_FEATURE, "initial.kind = \"%s\" is not built in", kind));
}
