#include "solvers/spectral/start/initial.h"

#include "solvers/spectral/start/initial_file.h"
#include "solvers/spectral/start/initial_gpe.h"
#include "solvers/spectral/start/initial_random.h"
#include "solvers/spectral/start/initial_shapes.h"
#include "solvers/spectral/start/initial_waves.h"
#include "solvers/spectral/start/modes.h"

#include <string.h>

static int set_taylor_green(triad_flow *flow)
{
  triad_mode list[TRIAD_ANALYTIC_MODES];
  int count = 0;
  TRIAD_TRY(triad_taylor_green_modes(&flow->grid, triad_case_integer(flow->given, "initial.wavenumber"),
                                     triad_case_real(flow->given, "initial.amplitude"),
                                     triad_case_flag(flow->given, "initial.two_dimensional"), "initial", list, &count));
  triad_modes_add(flow->layout, list, count, flow->u + triad_shape_group(&flow->shape, "velocity").first);
  return TRIAD_OK;
}

/* With a magnetic field: b = B (A sin .. ), the same flow again. */
static int set_abc(triad_flow *flow)
{
  triad_mode list[TRIAD_ANALYTIC_MODES];
  double abc[3];
  int count = 0;
  int64_t m = triad_case_integer(flow->given, "initial.wavenumber");
  triad_case_reals(flow->given, "initial.abc", abc, 3);
  TRIAD_TRY(triad_abc_modes(&flow->grid, m, triad_case_real(flow->given, "initial.amplitude"), abc, "initial", list, &count));
  triad_modes_add(flow->layout, list, count, flow->u + triad_shape_group(&flow->shape, "velocity").first);
  if (!triad_case_applies(flow->given, "initial.magnetic_amplitude")) return TRIAD_OK;
  TRIAD_TRY(triad_abc_modes(&flow->grid, m, triad_case_real(flow->given, "initial.magnetic_amplitude"), abc, "initial", list, &count));
  triad_modes_add(flow->layout, list, count, flow->u + triad_shape_group(&flow->shape, "magnetic field").first);
  return TRIAD_OK;
}

static int set_waves(triad_flow *flow)
{
  triad_wave list[TRIAD_INITIAL_WAVES];
  int count = 0;
  TRIAD_TRY(triad_initial_waves(flow->given, &flow->grid, list, &count));
  return triad_initial_waves_add(flow, list, count);
}

/* What a fluid set starts from, other than files. */
static int set_fluid(triad_flow *flow, const char *kind)
{
  const triad_comm *comm = &flow->context->comm;
  int random = strcmp(kind, "random") == 0, shear = strcmp(kind, "shear-layer") == 0, puff = strcmp(kind, "puff") == 0;
  double noise = triad_case_real(flow->given, "initial.noise");
  if (random) TRIAD_TRY(triad_initial_random(flow, triad_case_real(flow->given, "initial.energy"), 1));
  if ((shear || puff) && noise > 0) TRIAD_TRY(triad_initial_random(flow, noise, 0));
  if (puff) return triad_agree(comm, triad_initial_puff(flow));
  TRIAD_TRY(triad_initial_random_scalars(flow));
  int st = TRIAD_OK;
  if (strcmp(kind, "taylor-green") == 0) st = set_taylor_green(flow);
  if (strcmp(kind, "abc") == 0) st = set_abc(flow);
  if (shear) st = triad_initial_shear_layer(flow);
  if (st == TRIAD_OK) st = set_waves(flow); /* of the kinds that are made of them */
  return triad_agree(comm, st);
}

static void clear(const triad_flow *flow, triad_cplx *u)
{
  const triad_layout *l = flow->layout;
  int64_t block = l->nkz * l->lanes;
#pragma omp parallel for schedule(static) num_threads(flow->context->threads)
  for (int64_t b = 0; b < l->n_blocks; b++) memset(u + b * block, 0, (size_t)block * sizeof *u);
}

int triad_initial_set(triad_flow *flow, triad_log *log)
{
  const char *kind = triad_case_word(flow->given, "initial.kind");
  TRIAD_TRY(triad_state_overwrite_all(flow->state, TRIAD_HOST));
  for (int f = 0; f < flow->shape.n_fields; f++) clear(flow, flow->u[f]);
  flow->t = flow->dt = 0;
  flow->step = 0;
  if (strcmp(kind, "rest") == 0) return TRIAD_OK; /* u = 0 */
  if (strcmp(kind, "file") == 0) return triad_initial_from_file(flow, log);
  if (strcmp(kind, "checkpoint") == 0) return triad_initial_from_checkpoint(flow, log);
  if (strcmp(flow->equations->name, "gpe") == 0) return triad_initial_gpe(flow, log);
  return set_fluid(flow, kind);
}
