/* Create a spectral flow: its equations, fields, device, pass and stepper. */
#include "solvers/spectral/flow.h"
#include "solvers/spectral/measure/aliasing.h"
#include "fft/pass/pass_create.h"

#include "solvers/spectral/closure/closure.h"
#include "solvers/spectral/devices.h"
#include "solvers/spectral/follow.h"
#include "solvers/spectral/force/forcing.h"
#include "solvers/spectral/force/plain/force_work.h"
#include "solvers/spectral/gpu_part.h"
#include "solvers/spectral/measure/loops.h"
#include "solvers/spectral/plain/quantity.h"
#include "solvers/spectral/relax/relax.h"
#include "solvers/spectral/relax/plain/relax_case.h"
#include "solvers/spectral/relax/plain/relax_series.h"
#include "solvers/spectral/shear/shear.h"
#include "solvers/spectral/flow_pass.h"
#include "solvers/spectral/split.h"
#include "solvers/spectral/plain/follow_column.h"
#include "solvers/spectral/plain/case_grid.h"
#include "solvers/spectral/step/stepper.h"

#include <stdlib.h>

static int take_state(triad_flow *f)
{
  triad_memory *m = f->context->memory;
  triad_space space;
  int n = f->shape.n_fields;
  TRIAD_TRY(TRIAD_ALLOC(m, "state", n, &f->u));
  for (int i = 0; i < n; i++) TRIAD_TRY(TRIAD_ALLOC(m, "state", f->layout->modes, &f->u[i]));
  triad_space_modes(&space, f->layout);
  TRIAD_TRY(triad_state_create(&f->state, m, &space, f->shape.fields, n));
  for (int i = 0; i < n; i++) triad_state_attach(f->state, i, TRIAD_HOST, f->u[i]);
  return TRIAD_OK;
}

/* What each rank makes by itself. */
static int create_own(triad_flow *f)
{
  const triad_comm *comm = &f->context->comm;
  f->equations = triad_equations_find(triad_case_word(f->given, "equations.solver"));
  if (!f->equations)
    return TRIAD_FAIL(TRIAD_ERR_FEATURE, "solver %s is not built in", triad_case_word(f->given, "equations.solver"));
  TRIAD_TRY(triad_spectral_grid(f->given, &f->grid));
  TRIAD_TRY(f->equations->create(&f->self, &f->shape, &f->grid, f->given));
  TRIAD_TRY(triad_closure_shape(&f->shape, f->given));
  TRIAD_TRY(triad_aliasing_column(&f->shape, f->given));
  TRIAD_TRY(triad_forcing_column(&f->shape, f->given));
  TRIAD_TRY(triad_follow_column(&f->shape, f->given));
  TRIAD_TRY(triad_relaxation_columns(&f->shape, f->given));
  TRIAD_TRY(triad_shear_columns(&f->shape, f->given));
  TRIAD_TRY(triad_own_quantities_make(&f->shape, f->given));
  int group;
  TRIAD_TRY(triad_split_of(f->given, comm->size, &group));
  TRIAD_TRY(triad_layout_create_split(&f->layout, &f->grid, comm->rank, comm->size, group, TRIAD_LANES));
  f->planes = f->layout;
  if (group > 1) TRIAD_TRY(triad_layout_create(&f->planes, &f->grid, comm->rank, comm->size, TRIAD_LANES));
  TRIAD_TRY(triad_shear_create(&f->shear, f));
  return take_state(f);
}

/* The GPU, to hold the state or for it to pass through. */
static int choose_device(triad_flow *f)
{
  triad_device *device;
  int offload;
  TRIAD_TRY(triad_device_choose(&device, &offload, &triad_spectral_devices, f->context, f->given));
  *(offload ? &f->offload : &f->device) = device;
  f->measure = f->device ? triad_spectral_gpu->measure->loops : &triad_measure_host;
  return TRIAD_OK;
}

/* What steps on the CPU take: the equations' own fields, and the pass. */
static int prepare_steps(triad_flow *f, const char *wisdom)
{
  int most_in, most_out, most_left, forced = 0, left, st = TRIAD_OK;
  int fixed = f->offload || triad_case_flag(f->given, "parallel.reproducible"); /* steps of offload do not use it */
  if (f->device) return triad_agree(&f->context->comm, triad_closure_create(&f->closure, f));
  if (!f->offload) st = triad_spectral_check_lines(f->given, &f->grid);
  if (st == TRIAD_OK && f->equations->prepare) st = f->equations->prepare(f->self, f->context, f->layout);
  if (st == TRIAD_OK) st = triad_closure_create(&f->closure, f);
  if (st == TRIAD_OK) st = triad_force_results(f->given, &f->shape, &forced);
  TRIAD_TRY(triad_agree(&f->context->comm, st));
  triad_shape_most(&f->shape, &most_in, &most_out, &most_left);
  most_out += forced + triad_relaxation_results(f->given, &f->shape, &left);
  return triad_flow_make_pass(f, most_in, most_out, most_left + forced + left,
                              fixed ? TRIAD_PLAN_ESTIMATED : TRIAD_PLAN_MEASURED, wisdom, &f->pass);
}

int triad_flow_create(triad_flow **out, triad_context *context, const triad_case *given, const char *wisdom)
{
  *out = NULL;
  triad_flow *f = calloc(1, sizeof *f);
  int st = f ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the flow");
  if (f) {
    f->context = context;
    f->given = given;
    st = create_own(f);
  }
  st = triad_agree(&context->comm, st);
  if (st == TRIAD_OK) st = choose_device(f);
  if (st == TRIAD_OK) st = prepare_steps(f, wisdom);
  if (st == TRIAD_OK) st = triad_forcing_create(&f->forcing, f);
  if (st == TRIAD_OK) st = triad_relaxation_create(&f->relaxation, f);
  if (st == TRIAD_OK)
    st = triad_stepper_create(&f->stepper, f,
                              triad_scheme_find(triad_case_word(given, "time.scheme"), TRIAD_STEPPER_FORMS));
  if (st != TRIAD_OK) triad_flow_destroy(&f);
  *out = f;
  return st;
}

void triad_flow_destroy(triad_flow **flow)
{
  if (!flow || !*flow) return;
  triad_flow *f = *flow;
  triad_stepper_destroy(&f->stepper);
  triad_device_destroy(&f->device);
  triad_device_destroy(&f->offload);
  triad_forcing_destroy(&f->forcing, f->context);
  triad_closure_destroy(&f->closure, f);
  triad_relaxation_destroy(&f->relaxation, f->context);
  triad_shear_destroy(&f->shear);
  triad_pass_destroy(&f->pass);
  triad_state_destroy(&f->state);
  for (int i = 0; f->u && i < f->shape.n_fields; i++) TRIAD_FREE(f->context->memory, &f->u[i]);
  TRIAD_FREE(f->context->memory, &f->u);
  if (f->planes != f->layout) triad_layout_destroy(&f->planes);
  triad_layout_destroy(&f->layout);
  if (f->self) f->equations->destroy(&f->self);
  triad_shape_clear(&f->shape);
  free(f);
  *flow = NULL;
}
