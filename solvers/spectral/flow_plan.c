/* Compute the shape of a case's equations before a flow exists, and the memory that the flow needs. */
#include "solvers/spectral/flow_plan.h"
#include "solvers/spectral/measure/aliasing.h"
#include "solvers/spectral/closure/closure.h"
#include "solvers/spectral/follow.h"
#include "solvers/spectral/force/forcing.h"
#include "solvers/spectral/force/plain/force_work.h"
#include "solvers/spectral/force/plain/needs.h"
#include "solvers/spectral/gpu_part.h"
#include "solvers/spectral/relax/plain/relax_case.h"
#include "solvers/spectral/relax/plain/relax_series.h"
#include "solvers/spectral/shear/shear.h"
#include "solvers/spectral/split.h"
#include "solvers/spectral/plain/follow_column.h"
#include "solvers/spectral/plain/case_grid.h"
#include "solvers/spectral/measure/output_1d.h"
#include "transpose/rows.h"
#include "solvers/spectral/measure/derived.h"
#include "solvers/spectral/measure/pressure.h"
#include "solvers/spectral/measure/point_sums.h"
#include "solvers/spectral/probes/probes.h"
#include "solvers/spectral/measure/samples.h"
#include "solvers/spectral/measure/slices.h"

int triad_flow_plan_make(triad_flow_plan *p, const triad_case *given, int size)
{
  const char *word = triad_case_word(given, "equations.solver");
  *p = (triad_flow_plan){.given = given, .equations = triad_equations_find(word)};
  if (!p->equations) return TRIAD_FAIL(TRIAD_ERR_FEATURE, "solver %s is not built in", word);
  TRIAD_TRY(triad_spectral_grid(given, &p->grid));
  TRIAD_TRY(p->equations->create(&p->self, &p->shape, &p->grid, given));
  TRIAD_TRY(triad_closure_shape(&p->shape, given));
  TRIAD_TRY(triad_aliasing_column(&p->shape, given));
  TRIAD_TRY(triad_forcing_column(&p->shape, given));
  TRIAD_TRY(triad_follow_column(&p->shape, given));
  TRIAD_TRY(triad_relaxation_columns(&p->shape, given));
  TRIAD_TRY(triad_shear_columns(&p->shape, given));
  TRIAD_TRY(triad_own_quantities_make(&p->shape, given));
  if (size <= 0) return TRIAD_OK;
  int group;
  TRIAD_TRY(triad_split_of(given, size, &group));
  return triad_layout_create_split(&p->layout, &p->grid, size - 1, size, group, TRIAD_LANES);
}

void triad_flow_plan_clear(triad_flow_plan *p)
{
  triad_layout_destroy(&p->layout);
  if (p->self) p->equations->destroy(&p->self);
  triad_shape_clear(&p->shape);
}

/* Inputs and results of the transforms that a run whose steps are taken on a GPU makes on the CPU: fields that start
 * from points, or are written as points; none of them is 0. */
static void occasional_transforms(const triad_case *given, int *in, int *out)
{
  const char *kind = triad_case_word(given, "initial.kind");
  int modes = strcmp(kind, "uniform") == 0 || strcmp(kind, "plane-waves") == 0 || strcmp(kind, "checkpoint") == 0;
  int drawn = triad_case_is(given, "equations.solver", "gpe") && !modes;
  const triad_mean_list means = triad_mean_asked(given);
  int sampled = means.moments || means.pdfs || means.profiles[0] || means.profiles[1] || means.profiles[2];
  int written = sampled || triad_case_real(given, "output.fields_interval") > 0 ||
                triad_case_flag(given, "output.line_spectra") ||
                !triad_case_is(given, "output.structure_functions", "none");
  *in = sampled ? TRIAD_POINT_INPUTS : drawn || written;
  *out = drawn ? 2 : strcmp(kind, "file") == 0;
}

/* Between groups of ranks that share planes, and within them; or between slabs. */
static int64_t exchange_buffers(const triad_layout *l, int threads, int in, int out, int left, int depth)
{
  const triad_layout *across = l->split ? l->split->part : l;
  const int64_t between = triad_exchange_buffer_size(across, threads, in, left, depth);
  if (!l->split) return between;
  int64_t cut[3];
  triad_exchange_cut(across, threads, in, left, depth, cut);
  return between + triad_rows_buffer_size(l, triad_rows_at_once(l, threads, cut[0], in, out), in, out);
}

/* Transforms on the CPU of a run whose steps are taken there: those of a pass, as they have been counted. */
static void keep_transforms(const triad_flow_plan *p, int *in, int *out, int *left)
{
  (void)p;
  (void)in;
  (void)out;
  (void)left;
}

static void count_occasional(const triad_flow_plan *p, int *in, int *out, int *left)
{
  occasional_transforms(p->given, in, out);
  *left = *out;
  if (!triad_derived_pressure(p->given)) return;
  *in = p->equations->stressed;
  *out = *left = TRIAD_PRESSURE_PRODUCTS;
}

/* What a rank's host has of the state, and which transforms it makes, by the device that takes the steps. */
typedef struct host_share {
  const char *state;
  int64_t own, registers; /* 1: with the equations' own arrays; registers of the stepper */
  void (*transforms)(const triad_flow_plan *p, int *in, int *out, int *left);
} host_share;

static const host_share by_host = {"the prognostic fields", 1, 1, keep_transforms};
static const host_share by_gpu = {"the GPU's, for files and forcing", 0, 0, count_occasional};

void triad_flow_memory(const triad_flow_plan *p, int threads, int gpu, triad_rank_needs *needs)
{
  const host_share *share = gpu ? &by_gpu : &by_host;
  const triad_case *given = p->given;
  const triad_shape *shape = &p->shape;
  const triad_layout *l = p->layout;
  const triad_grid *g = &l->grid;
  int64_t cplx = (int64_t)sizeof(triad_cplx), points = triad_layout_points(l);
  int64_t state = shape->n_fields * l->modes * cplx;
  int depth = (int)triad_case_integer(given, "parallel.nstreams"), in, out, left, forced, relaxed;
  triad_shape_most(shape, &in, &out, &left);
  /* creating the force reports the error */
  if (triad_force_results(given, shape, &forced) != TRIAD_OK) triad_message_clear();
  out += forced + triad_relaxation_results(given, shape, &relaxed);
  left += forced + relaxed;
  share->transforms(p, &in, &out, &left);
  *needs = (triad_rank_needs){0};
  const int64_t own = shape->own_modes * l->modes * cplx + shape->own_points * points * cplx / 2;
  triad_needs_add(needs, "state", share->state, state + share->own * own);
  if (share->registers > 0) triad_needs_add(needs, "stepper", "one register", share->registers * state);
  if (in + out == 0) return;
  triad_needs_add(needs, "work columns", "every z of this rank's columns",
                  triad_exchange_work_size(l, in, left) * cplx);
  if (g->shifted)
    triad_needs_add(needs, "shifts", "results of the first of two grids", in > 0 ? left * l->modes * cplx : 0);
  triad_needs_add(needs, "exchange buffers", "chunks in flight",
                  exchange_buffers(l, threads, in, out, left, depth) * cplx);
  if (triad_case_is(given, "parallel.device", "offload")) needs->pinned = needs->total; /* all of these so far */
  /* points of a field at once, as pass_create.c has them */
  const int64_t rows = (2 * g->n[0] > 1024 ? 2 * g->n[0] : 1024) + g->n[0];
  triad_needs_add(needs, "planes and blocks", "cache of the threads",
                  threads * cplx *
                    ((in + out) * g->n[1] * (g->n[0] / 2 + 1 + TRIAD_CPLX_ALIGN) +
                     (in > left ? in : left) * g->n[2] * TRIAD_LANES + (in + out) * rows / 2 +
                     3 * (g->n[1] > g->n[2] ? g->n[1] : g->n[2]) * TRIAD_LANES));
}

void triad_flow_output_memory(const triad_flow_plan *p, int threads, triad_rank_needs *needs)
{
  int64_t probes = triad_probes_memory(p->given, &p->grid, &p->shape, threads);
  int64_t slices = triad_slices_memory(p->given, &p->grid, &p->shape);
  int64_t lines = triad_output_1d_memory(p->given, p->layout, &p->shape);
  int64_t pressure = triad_slices_pressure(p->given, p->layout);
  int64_t forces = triad_force_memory(p->given, p->layout, &p->shape);
  int64_t relaxed = triad_relaxation_bytes(p->given, p->layout, &p->shape, 1);
  if (forces > 0) triad_needs_add(needs, "forcing", "modes of formulas, or a file's numbers", forces);
  if (relaxed > 0) triad_needs_add(needs, "bodies and sponges", "masks and targets at points", relaxed);
  if (pressure > 0) triad_needs_add(needs, "pressure", "of slices", pressure);
  if (slices > 0) triad_needs_add(needs, "slices", "planes and pictures, on rank 0", slices);
  int64_t derived =
    triad_case_real(p->given, "output.fields_interval") > 0 ? triad_derived_memory(p->given, p->layout) : 0;
  if (derived > 0) triad_needs_add(needs, "derived fields", "modes and points of the initial field", derived);
  int64_t packing = triad_derived_packing(p->given, p->layout, &p->shape);
  if (packing > 0)
    triad_needs_add(needs, "packed fields", "planes, modes and what zfp makes of them; the file, on rank 0", packing);
  if (probes > 0) triad_needs_add(needs, "probes", "tables of waves, exact sums of each thread", probes);
  int64_t means = triad_samples_memory(p->given, p->layout, threads);
  if (means > 0) triad_needs_add(needs, "means", "sums over planes, for a sample", means);
  if (lines > 0) triad_needs_add(needs, "lines", "points of a field, while increments are measured", lines);
}
