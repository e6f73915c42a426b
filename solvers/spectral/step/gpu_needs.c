/* Compute before a flow exists whether steps can run on a GPU, the memory that they need, and the transports that they
 * can use. */
#include "solvers/spectral/step/gpu_needs.h"
#include "solvers/spectral/gpu_part.h"
#include "solvers/spectral/step/gpu_stage.h"
#include "solvers/spectral/step/gpu_pair.h"
#include "fft/gpu/gpu_compiled.h"
#include "fft/gpu/gpu_library.h"
#include "case/mean.h"
#include "parallel/device_library.h"
#include "parallel/transports/messages.h"
#include "parallel/transports/transport.h"
#include "solvers/spectral/force/plain/force_work.h"
#include "solvers/spectral/force/plain/needs.h"
#include "solvers/spectral/force/gpu_formula.h"
#include "solvers/spectral/measure/gpu_values.h"
#include "solvers/spectral/measure/output_spectra.h"
#include "solvers/spectral/closure/gpu_closure.h"
#include "solvers/spectral/closure/closure.h"
#include "solvers/spectral/relax/gpu_relax.h"
#include "solvers/spectral/relax/plain/relax_case.h"

#include <stdio.h>

/* Does an axis need a library's transforms? A line of one point needs none. */
static int lacks_kernels(const triad_grid *g)
{
  for (int i = 0; i < 3; i++)
    if (g->n[i] > 1 && triad_gpu_library_serves(g, i)) return 1;
  return 0;
}

static const char *refusal(const triad_case *given)
{
  const char *why = NULL;
  triad_flow_plan p;
  if (triad_flow_plan_make(&p, given, 0) != TRIAD_OK)
    why = "the case has no flow"; /* and says why when one is asked for */
  else if (!triad_equations_gpu(p.equations, p.self))
    why = "these equations, with the terms of the case, have no GPU support";
  else if (p.shape.pass[0].n_in > TRIAD_GPU_FIELDS) why = "too many fields for a GPU";
  else if (!triad_device_transforms() && p.grid.lines == TRIAD_LINES_LIBRARY)
    why = "parallel.lines = \"cufft\": this build has no library of transforms for GPUs: use \"auto\" or \"own\"";
  else if (!triad_device_transforms() && lacks_kernels(&p.grid))
    why = "GPUs of this build transform lines of 16 to 4096 points whose prime factors are 13 or less: change grid.n, "
          "or use another grid.truncation";
  else if (p.grid.lines == TRIAD_LINES_OWN && lacks_kernels(&p.grid))
    why = "parallel.lines = \"own\": a length of grid.n has no built-in kernel for GPUs, and none can be compiled: use "
          "\"auto\", or other numbers of points";
  else why = triad_gpu_closure_refusal(given);
  if (!why) why = triad_gpu_relaxation_refusal(given, &p.grid, &p.shape);
  if (!why) {
    const triad_gpu_set *set = triad_equations_gpu(p.equations, p.self);
    if (set->refusal) why = set->refusal(p.self, !triad_case_is(given, "parallel.device", "offload"));
  }
  triad_flow_plan_clear(&p);
  return why;
}

static int library(const triad_flow *flow, char *text, size_t size)
{
  const triad_grid *g = &flow->grid;
  char axes[8] = "";
  int n = 0;
  for (int i = 0; i < 3; i++)
    if (triad_gpu_library_serves(g, i)) axes[n++] = "xyz"[i];
  if (n == 0) return triad_gpu_compiled_tell(g, text, size);
  if (g->lines == TRIAD_LINES_LIBRARY) {
    (void)snprintf(text, size, "lines along %s use cuFFT (parallel.lines)", axes);
    return n;
  }
  (void)snprintf(text, size,
                 "lines along %s use cuFFT: the faster kernels of Triad require another number of points, or NVRTC "
                 "(docs/performance.md)",
                 axes);
  return n;
}

static int by_library(const triad_flow *flow, int axis) { return triad_gpu_library_serves(&flow->grid, axis); }

static int formulas(const triad_flow *flow, char *text, size_t size)
{
  return triad_gpu_stepper_formulas(triad_stepper_gpu(flow->stepper), text, size);
}

int64_t triad_gpu_stepper_sums(const triad_case *given, const triad_grid *grid, const triad_shape *shape)
{
  return triad_output_spectra_values(given, grid, shape) + shape->n_sums;
}

static void add_needs(const triad_case *given, const triad_layout *l, const triad_shape *shape,
                      const triad_gpu_set *set, triad_rank_needs *needs)
{
  triad_gpu_pass_options options = triad_gpu_stepper_options(given, &l->grid);
  int most_in, most_out;
  int64_t points = triad_layout_points(l), sums = triad_gpu_stepper_sums(given, &l->grid, shape);
  int64_t field = l->modes * (int64_t)sizeof(triad_cplx);
  triad_gpu_pass_needs pass = {0};
  triad_shape_most(shape, &most_in, &most_out, &options.most_left);
  int forced, relaxed_left;
  /* creating the force reports the error */
  if (triad_force_results(given, shape, &forced) != TRIAD_OK) triad_message_clear();
  const int relaxed = triad_relaxation_results(given, shape, &relaxed_left);
  forced += relaxed;
  most_out += forced;
  options.most_left += forced;
  const int slopes = triad_closure_asked(given) ? shape->pass[0].n_in - shape->n_fields : 0;
  pass = triad_gpu_pass_count(l, most_in, most_out,
                              triad_gpu_formulas_rows(shape, forced + (slopes > 0), set->row_fields), &options);
  if (slopes > 0) triad_needs_add(needs, "closure", "slopes of the fields", slopes * field);
  const int forces = triad_force_whole_fields(given, l, shape);
  if (forces > 0) triad_needs_add(needs, "forcing", "forces by formula", forces * field);
  const int64_t masks = triad_relaxation_bytes(given, l, shape, 0);
  if (masks > 0) triad_needs_add(needs, "bodies and sponges", "masks and targets at points", masks);
  triad_needs_add(needs, "state", "the prognostic fields", shape->n_fields * field);
  triad_needs_add(needs, "stepper", "one register", shape->n_fields * field);
  if (set->extras > 0) triad_needs_add(needs, "observed fields", "arrays of a pass, or observed", set->extras * field);
  if (set->keeps > 0)
    triad_needs_add(needs, "values at points", "retained between passes",
                    set->keeps * points * (int64_t)sizeof(triad_real));
  if (set->tables > 0) triad_needs_add(needs, "linear terms", "matrices of coupled fields", set->tables * field);
  if (set->profiles > 0)
    triad_needs_add(needs, "profiles", "functions of position", set->profiles * points * (int64_t)sizeof(triad_real));
  triad_needs_add(needs, "work columns", "every z of this rank's columns", pass.work);
  if (pass.exchange > 0) triad_needs_add(needs, "exchange", "chunks that arrive and leave", pass.exchange);
  if (pass.planes > 0) triad_needs_add(needs, "planes", "chunks that are computed", pass.planes);
  if (pass.first > 0) triad_needs_add(needs, "shifts", "results of the first of two grids", pass.first);
  if (pass.library > 0) triad_needs_add(needs, "lines by cuFFT", "batches of lines, its work area", pass.library);
  triad_needs_add(needs, "tables", "rows, wavenumbers, twiddle factors", pass.tables + triad_gpu_modes_bytes(l));
  const int64_t particles = triad_gpu_particles_bytes(given, l, pass.batch, shape->n_fields);
  if (particles > 0)
    triad_needs_add(needs, "particles", "positions, registers, and the planes they are summed from", particles);
  const triad_mean_list means = triad_mean_asked(given);
  if (means.moments || means.pdfs)
    triad_needs_add(needs, "means", "values at the points of chunks", triad_gpu_point_sums_bytes(l, &pass));
  triad_needs_add(needs, "sums", "budgets and spectra",
                  (TRIAD_GPU_PARTIALS + sums + 3 * TRIAD_SCHEME_STAGES) * (int64_t)sizeof(double));
}

static int needs(const triad_flow_plan *p, triad_rank_needs *out)
{
  triad_layout *l = NULL;
  const triad_gpu_set *set = triad_equations_gpu(p->equations, p->self);
  *out = (triad_rank_needs){0};
  if (!set) return TRIAD_OK;
  TRIAD_TRY(triad_gpu_layout_create(&l, &p->grid, p->layout->rank, p->layout->size, p->layout->group));
  add_needs(p->given, l, &p->shape, set, out);
  triad_layout_destroy(&l);
  return TRIAD_OK;
}

static int transports(triad_context *context, const char **names, int *n)
{
  triad_device *device = NULL;
  *n = 0;
  TRIAD_TRY(triad_agree(&context->comm, triad_device_create(&device, context->gpu)));
  int st = triad_transport_list(context, device, names, n);
  triad_device_destroy(&device);
  return st;
}

const triad_spectral_gpu_part triad_spectral_gpu_table = {.refusal = refusal,
                                                          .library = library,
                                                          .by_library = by_library,
                                                          .formulas = formulas,
                                                          .transports = transports,
                                                          .needs = needs,
                                                          .pair = triad_gpu_pair,
                                                          .stepper = &triad_gpu_stepper_table,
                                                          .offload = &triad_gpu_offload_table,
                                                          .measure = &triad_gpu_measure_table,
                                                          .particles = &triad_gpu_particles_table};
