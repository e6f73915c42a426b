/* Count the memory and files of a rank of a planned run from sizes alone, without a layout. */
#include "solvers/spectral/plan_memory.h"
#include "solvers/spectral/flow_plan.h"

#include "fft/gpu/gpu_pass.h"
#include "grid/layout_split.h"
#include "solvers/spectral/gpu_part.h"
#include "solvers/spectral/measure/derived.h"
#include "solvers/spectral/measure/output_spectra.h"
#include "solvers/spectral/measure/slices.h"
#include "solvers/spectral/particles/particles.h"
#include "solvers/spectral/particles/files.h"
#include "solvers/spectral/plain/shifts.h"
#include "solvers/spectral/step/stepper.h"
#include "base/minmax.h"

/* Complex numbers in whole lines of a GPU's cache (transpose/gpu_rows.c). */
enum { GPU_LINE = 8 };

/* Tables by column, and by row and member, that are made. */
enum { MOST_COLUMNS = 64 * TRIAD_PLAN_COLUMNS, MOST_ROWS = 1 << 24 };

/* Lines of a plane along y, and rows of it, that a GPU of a group keeps for a field: its lines, and twice what
 * others have of its rows. */
static int64_t group_lines(const triad_layout *l)
{
  int64_t lines = 0;
  for (int m = 0; m < l->group; m++) lines = triad_max_count(lines, triad_split_lines(l->split, m));
  lines = (lines + GPU_LINE - 1) / GPU_LINE * GPU_LINE;
  return lines * (l->grid.n[1] + 2 * l->n_y * (l->group - 1));
}

static int64_t planes_at_once(const triad_grid *g, const int64_t cut[3], int64_t plane)
{
  return triad_max_count(
    1, triad_min_count((g->shifted ? TRIAD_GPU_WIDE_BYTES : TRIAD_GPU_BATCH_BYTES) / (cut[2] * plane), cut[0]));
}

/* Of a GPU, in a build that has no GPU part to ask: what its largest parts take. */
static void count_gpu(const triad_flow_plan *p, const int64_t cut[3], triad_rank_needs *needs)
{
  const triad_layout *l = p->layout, *across = l->split ? l->split->part : l;
  const triad_grid *g = &l->grid;
  const int64_t cplx = (int64_t)sizeof(triad_cplx), field = p->shape.n_fields * l->modes * cplx;
  int in, out, left;
  triad_shape_most(&p->shape, &in, &out, &left);
  const int64_t fields = triad_max_count(in, left),
                plane = triad_max_count(in, out) * g->n[1] * (g->n[0] / 2 + 1) * cplx;
  const int64_t others = (across->all_columns - l->n_columns) * (in + fields),
                lines = l->split ? triad_max_count(in, out) * group_lines(l) : 0;
  triad_needs_add(needs, "state", "the prognostic fields", field);
  triad_needs_add(needs, "stepper", "one register", field);
  if (p->shape.own_modes + p->shape.own_points > 0)
    triad_needs_add(needs, "work arrays", "arrays of a pass, retained between passes",
                    p->shape.own_modes * l->modes * cplx +
                      p->shape.own_points * l->n_planes * g->n[0] * l->n_y * cplx / 2);
  triad_needs_add(needs, "work columns", "every z of this rank's columns", g->n[2] * fields * l->n_columns * cplx);
  if (l->size > 1)
    triad_needs_add(needs, "exchange", "chunks that arrive and leave", cut[2] * cut[0] * (others + lines) * cplx);
  if (!l->split)
    triad_needs_add(needs, "planes", "chunks that are computed", cut[2] * planes_at_once(g, cut, plane) * plane);
  if (triad_shifts_of(g, p->given) == TRIAD_SHIFTS_EXACT)
    triad_needs_add(needs, "shifts", "results of the first of two grids", left * l->modes * cplx);
}

static int count(const triad_flow_plan *p, const triad_plan_ranks *r, const int64_t cut[3], triad_needs *needs)
{
  const triad_case *c = p->given;
  const triad_layout *l = p->layout;
  /* it makes those of this rank's columns */
  const int tables = l->n_columns <= MOST_COLUMNS && l->group == r->split[1];
  int64_t particles;
  if (r->gpu && tables && triad_spectral_gpu && !triad_spectral_gpu->refusal(c))
    TRIAD_TRY(triad_spectral_gpu->needs(p, &needs->gpu));
  else if (r->gpu) count_gpu(p, cut, &needs->gpu);
  triad_flow_memory(p, r->threads, r->gpu, &needs->rank);
  triad_flow_output_memory(p, r->threads, &needs->rank);
  triad_particles_memory(c, l, r->threads, r->gpu, &needs->rank);
  triad_particles_bytes(c, &needs->particles_bytes, &particles);
  needs->checkpoint_bytes = p->shape.n_fields * l->all_columns * l->nkz * (int64_t)sizeof(triad_cplx) + particles;
  needs->fields_bytes = triad_derived_bytes(c, &p->grid, &p->shape);
  needs->slices_bytes = triad_slices_bytes(c, &p->grid);
  needs->spectra_bytes = 8192 + 8 * triad_output_spectra_values(c, &p->grid, &p->shape);
  needs->columns = p->shape.n_columns;
  needs->idle_ranks =
    (int)(r->ranks - triad_min_count(r->split[0], l->grid.n[2]) * triad_min_count(r->split[1], (l->grid.n[1] + 1) / 2));
  return TRIAD_OK;
}

int triad_flow_plan_memory(const triad_flow_plan *p, const triad_plan_ranks *r, const int64_t cut[3],
                           triad_needs *needs)
{
  triad_flow_plan of = *p; /* with the layout of ranks that share planes */
  const int64_t columns = p->layout->n_columns, rows = r->split[1] * (2 * p->grid.kmax[1] + 2);
  if (r->split[1] == 1 || columns > MOST_COLUMNS || rows > MOST_ROWS) return count(p, r, cut, needs);
  int st = triad_layout_create_split(&of.layout, &p->grid, r->ranks - 1, r->ranks, (int)r->split[1], TRIAD_LANES);
  if (st == TRIAD_OK) st = count(&of, r, cut, needs);
  triad_layout_destroy(&of.layout);
  return st;
}
