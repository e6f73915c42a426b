#include "solvers/spectral/flow.h"

#include "fft/transform.h"
#include "solvers/device_choice.h"
#include "solvers/spectral/force/forcing.h"
#include "solvers/spectral/gpu_part.h"
#include "solvers/spectral/step/stepper.h"
#include "transpose/exchange.h"

#include <stdlib.h>
#include <string.h>

#ifdef TRIAD_CUDA
const triad_spectral_gpu_part *const triad_spectral_gpu = &triad_spectral_gpu_table;
#else
const triad_spectral_gpu_part *const triad_spectral_gpu = NULL;
#endif

int triad_flow_grid(const triad_case *given, triad_grid *grid)
{
  int64_t n[3];
  double length[3];
  triad_case_integers(given, "grid.n", n, 3);
  triad_case_reals(given, "grid.length", length, 3);
  triad_truncation truncation = triad_case_is(given, "grid.truncation", "box")    ? TRIAD_BOX
                                : triad_case_is(given, "grid.truncation", "none") ? TRIAD_NONE
                                                                                  : TRIAD_SPHERE;
  return triad_grid_init(grid, n, length, truncation);
}

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
  TRIAD_TRY(triad_flow_grid(f->given, &f->grid));
  TRIAD_TRY(f->equations->create(&f->self, &f->shape, &f->grid, f->given));
  TRIAD_TRY(triad_layout_create(&f->layout, &f->grid, comm->rank, comm->size, TRIAD_LANES));
  return take_state(f);
}

/* The GPU, to hold the state or for it to pass through. */
static int choose_device(triad_flow *f)
{
  triad_device *device;
  int offload;
  TRIAD_TRY(triad_device_choose(&device, &offload, &triad_solver_spectral, f->context, f->given));
  if (offload) f->offload = device;
  else f->device = device;
  return TRIAD_OK;
}

static int make_pass(triad_flow *f, int most_in, int most_out, triad_planning planning, const char *wisdom, triad_pass **pass)
{
  triad_pass_options options = {.nstreams = (int)triad_case_integer(f->given, "parallel.nstreams"), .planning = planning,
                                .wisdom = wisdom};
  return triad_pass_create(pass, f->context, f->layout, most_in, most_out, &options);
}

/* What steps on the CPU take: the equations' own fields, and the pass. */
static int prepare_steps(triad_flow *f, const char *wisdom)
{
  int most_in, most_out, st = TRIAD_OK;
  int fixed = f->offload || triad_case_flag(f->given, "parallel.reproducible"); /* steps of offload do not use it */
  if (f->device) return TRIAD_OK;
  if (f->equations->prepare) st = f->equations->prepare(f->self, f->context, f->layout);
  TRIAD_TRY(triad_agree(&f->context->comm, st));
  triad_shape_most(&f->shape, &most_in, &most_out);
  return make_pass(f, most_in, most_out, fixed ? TRIAD_PLAN_ESTIMATED : TRIAD_PLAN_MEASURED, wisdom, &f->pass);
}

int triad_flow_borrow(triad_flow *f, int most_in, int most_out, triad_pass **pass)
{
  *pass = f->pass;
  return f->pass ? TRIAD_OK : make_pass(f, most_in, most_out, TRIAD_PLAN_ESTIMATED, NULL, pass);
}

void triad_flow_return(triad_flow *f, triad_pass **pass)
{
  if (*pass != f->pass) triad_pass_destroy(pass);
  *pass = NULL;
}

int triad_flow_backward(triad_flow *f, const triad_cplx *field, triad_real *planes)
{
  triad_pass *pass;
  TRIAD_TRY(triad_flow_borrow(f, 1, 0, &pass));
  int st = triad_backward(pass, f->layout, 1, &field, &planes);
  triad_flow_return(f, &pass);
  return st;
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
  triad_pass_destroy(&f->pass);
  triad_state_destroy(&f->state);
  for (int i = 0; f->u && i < f->shape.n_fields; i++) TRIAD_FREE(f->context->memory, &f->u[i]);
  TRIAD_FREE(f->context->memory, &f->u);
  triad_layout_destroy(&f->layout);
  if (f->self) f->equations->destroy(&f->self);
  triad_shape_clear(&f->shape);
  free(f);
  *flow = NULL;
}

int triad_flow_shape(const triad_case *given, triad_grid *grid, triad_shape *shape)
{
  const triad_equations *eq = triad_equations_find(triad_case_word(given, "equations.solver"));
  void *self = NULL;
  *shape = (triad_shape){0};
  if (!eq)
    return TRIAD_FAIL(TRIAD_ERR_FEATURE, "solver %s is not built in", triad_case_word(given, "equations.solver"));
  TRIAD_TRY(triad_flow_grid(given, grid));
  int st = eq->create(&self, shape, grid, given);
  if (self) eq->destroy(&self);
  if (st != TRIAD_OK) triad_shape_clear(shape);
  return st;
}

/* Inputs and results of the transforms that a run whose steps are taken on a GPU makes on the CPU: fields that start from
 * points, or are written as points; none of them is 0. */
static void occasional_transforms(const triad_case *given, int *in, int *out)
{
  const char *kind = triad_case_word(given, "initial.kind");
  int modes = strcmp(kind, "uniform") == 0 || strcmp(kind, "plane-waves") == 0 || strcmp(kind, "checkpoint") == 0;
  int drawn = triad_case_is(given, "equations.solver", "gpe") && !modes;
  int written = triad_case_real(given, "output.fields_interval") > 0 || triad_case_flag(given, "output.line_spectra") ||
                !triad_case_is(given, "output.structure_functions", "none");
  *in = drawn || written;
  *out = drawn ? 2 : strcmp(kind, "file") == 0;
}

/* `l` is that of the last rank, which never has less than another. */
static void add_needs(triad_rank_needs *needs, const triad_case *given, const triad_shape *shape, const triad_layout *l,
                      int threads, int gpu)
{
  const triad_grid *g = &l->grid;
  int64_t cplx = (int64_t)sizeof(triad_cplx), points = l->n_planes * g->n[1] * g->n[0];
  int64_t state = shape->n_fields * l->modes * cplx;
  int depth = (int)triad_case_integer(given, "parallel.nstreams"), in, out;
  triad_shape_most(shape, &in, &out);
  if (gpu) occasional_transforms(given, &in, &out);
  *needs = (triad_rank_needs){0};
  triad_needs_add(needs, "state", gpu ? "the GPU's, for files and forcing" : "the fields that are evolved",
                  gpu ? state : state + shape->own_modes * l->modes * cplx + shape->own_points * points * cplx / 2);
  if (!gpu) triad_needs_add(needs, "stepper", "one register", state);
  if (in + out == 0) return;
  triad_needs_add(needs, "work columns", "every z of this rank's columns", triad_exchange_work_size(l, in, out) * cplx);
  triad_needs_add(needs, "exchange buffers", "chunks in flight",
                  triad_exchange_buffer_size(l, threads, in, out, depth) * cplx);
  if (triad_case_is(given, "parallel.device", "offload")) needs->pinned = needs->total; /* all of these so far */
  triad_needs_add(needs, "planes and blocks", "cache of the threads",
                  threads * cplx * ((in + out) * g->n[1] * (g->n[0] / 2 + 1 + TRIAD_CPLX_ALIGN) +
                                    (in > out ? in : out) * g->n[2] * TRIAD_LANES));
}

int triad_flow_memory(const triad_case *given, int size, int threads, int gpu, triad_rank_needs *needs)
{
  triad_grid grid;
  triad_shape shape;
  triad_layout *l = NULL;
  TRIAD_TRY(triad_flow_shape(given, &grid, &shape));
  int st = triad_layout_create(&l, &grid, size - 1, size, TRIAD_LANES);
  if (st == TRIAD_OK) add_needs(needs, given, &shape, l, threads, gpu);
  triad_layout_destroy(&l);
  triad_shape_clear(&shape);
  return st;
}
