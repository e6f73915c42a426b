/* Count the cost of a step before a flow exists, for `triad plan`. Chunks are those of the exchange. docs/scaling.md
 * has the formulas for ranks that share planes. */
#include "solvers/spectral/flow.h"
#include "solvers/spectral/split.h"
#include "solvers/spectral/force/plain/force_work.h"
#include "solvers/spectral/part.h"
#include "solvers/spectral/relax/plain/relax_case.h"
#include "solvers/spectral/particles/particles.h"
#include "solvers/spectral/plan_memory.h"
#include "solvers/spectral/plain/shifts.h"
#include "solvers/spectral/step/stepper.h"
#include "transpose/exchange.h"
#include "base/minmax.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Chunks between GPUs (transpose/gpu_exchange.c). */
enum { GPU_DEPTH = 8, GPU_MESSAGE = 4 << 20 };

/* In values at points: a factor of a shifted grid on a mode; a factor of linear terms that turn a mode, a sine and a
 * cosine. As timed on one core (docs/scaling.md). */
enum { SHIFT_VALUES = 4, TURN_VALUES = 40 };

static int64_t divide_up(int64_t a, int64_t b) { return (a + b - 1) / b; }
/* The plan's layout becomes that of the last of `ranks` ranks in all that is a number; tables by column are none of
 * its. */
static void resize(triad_layout *l, int ranks)
{
  l->size = ranks;
  l->rank = ranks - 1;
  l->n_columns = l->all_columns - triad_deal(l->all_columns, ranks - 1, ranks);
  l->n_planes = l->grid.n[2] - triad_deal(l->grid.n[2], ranks - 1, ranks);
  l->even_columns = l->all_columns / ranks + 1;
  l->n_blocks = divide_up(l->n_columns, l->lanes);
  l->modes = l->n_blocks * l->nkz * l->lanes;
}

static int make_plan(triad_flow_plan *p, const triad_case *given, const triad_plan_ranks *r)
{
  int64_t n[3];
  triad_case_integers(given, "grid.n", n, 3);
  const int size = (int)triad_max_count(r->ranks, (n[0] / 2 + 1) * n[1] / TRIAD_PLAN_COLUMNS + 1);
  TRIAD_TRY(triad_flow_plan_make(p, given, 0)); /* groups that share planes are r's */
  /* counts need no tables by column, so a few ranks' of a large grid are counted as many ranks' */
  TRIAD_TRY(triad_layout_create(&p->layout, &p->grid, size - 1, size, TRIAD_LANES));
  resize(p->layout, r->ranks);
  return TRIAD_OK;
}

/* ---- work ---- */

/* Planes of a chunk, chunks of a pass, chunks in flight. */
static void cut_on_host(const triad_flow_plan *p, const triad_plan_ranks *r, int in, int out, int64_t cut[3])
{
  triad_layout groups = *p->layout; /* as the exchange between them sees it: a message has the columns of one rank */
  groups.size = (int)r->split[0];
  triad_exchange_cut(&groups, r->threads, in, out, (int)triad_case_integer(p->given, "parallel.nstreams"), cut);
}

static void cut_on_gpu(const triad_flow_plan *p, const triad_plan_ranks *r, int in, int out, int64_t cut[3])
{
  const triad_layout *l = p->layout;
  int depth = (int)triad_case_integer(p->given, "parallel.nstreams");
  const int64_t planes = divide_up(l->grid.n[2], r->split[0]), group = r->split[1];
  /* of a plane, in a message within a group */
  const int64_t lines = (l->grid.kmax[0] / group + 1) * (l->grid.n[1] / group + 1);
  const int64_t numbers = group == 1         ? l->n_columns
                          : r->split[0] == 1 ? lines
                                             : triad_min_count(l->n_columns, lines),
                one = numbers * (in > out ? in : out) * (int64_t)sizeof(triad_cplx);
  if (depth <= 0) depth = r->ranks > 1 ? GPU_DEPTH : 1;
  cut[0] = divide_up(planes, depth);
  if (r->ranks > 1)
    cut[0] = triad_min_count(
      cut[0], triad_max_count(divide_up(planes, 4 * depth), divide_up(GPU_MESSAGE, triad_max_count(one, 1))));
  cut[1] = divide_up(planes, cut[0]);
  cut[2] = triad_min_count(depth, cut[1]);
}

/* Columns that lines along z are computed for: whole blocks of lanes on a CPU. */
static int64_t columns_on_host(const triad_layout *l) { return l->n_blocks * l->lanes; }

static int64_t columns_on_gpu(const triad_layout *l) { return l->n_columns; }

/* Values that factors of modes are worth in a step, of so many columns that passes have in all: shifts of grids, and
 * linear terms that turn a mode. */
static double factors_on_host(const triad_flow_plan *p, int grids, int stages, int columns)
{
  const double modes = (double)p->layout->modes;
  double values = 0;
  if (p->grid.shifted) values += (double)(SHIFT_VALUES * grids * stages * columns) * modes;
  if (p->equations->turn) values += (double)TURN_VALUES * stages * p->shape.n_fields * modes;
  return values;
}

/* Not counted on a GPU. */
static double factors_on_gpu(const triad_flow_plan *p, int grids, int stages, int columns)
{
  (void)p;
  (void)grids;
  (void)stages;
  (void)columns;
  return 0;
}

/* How a device divides the work of a pass. */
typedef struct device_work {
  void (*cut)(const triad_flow_plan *p, const triad_plan_ranks *r, int in, int out, int64_t cut[3]);
  int64_t (*columns)(const triad_layout *l);
  double (*factors)(const triad_flow_plan *p, int grids, int stages, int columns);
} device_work;

static const device_work on_host = {cut_on_host, columns_on_host, factors_on_host};
static const device_work on_gpu = {cut_on_gpu, columns_on_gpu, factors_on_gpu};

/* One pass of `in` inputs and `out` results, of which chains leave `left`. */
static void count_pass(const triad_layout *l, const triad_plan_ranks *r, const device_work *device,
                       const int64_t cut[3], int in, int out, int left, triad_plan *plan)
{
  const triad_grid *g = &l->grid;
  double fields = in + out, columns = in + left, cplx = sizeof(triad_cplx),
         groups = (double)triad_min_count(r->split[0], g->n[2]), group = (double)r->split[1];
  const int64_t wide = divide_up(g->kmax[0] + 1, TRIAD_CPLX_ALIGN) * TRIAD_CPLX_ALIGN;
  double planes = (double)divide_up(g->n[2], (int64_t)groups),
         rows = fmax((double)g->n[1] / group, (double)triad_min_count(g->n[1], 2)),
         /* of ranks beyond them others have none */
    points = planes * rows * (double)g->n[0], lines = fmax((double)wide / group, 1),
         y = planes * lines * (double)g->n[1], z = (double)(device->columns(l) * g->n[2]);
  plan->line_points[0] += fields * points;
  plan->line_points[1] += fields * y;
  plan->line_points[2] += columns * z;
  plan->moved += columns * (z + planes * (double)l->all_columns / group) + (group > 1 ? 2 * fields * y : 0);
  plan->values += fields * points;
  plan->transforms += in + out;
  if (groups > 1) {
    plan->between.peers = (int64_t)groups - 1;
    plan->between.number += 2 * (groups - 1) * (double)cut[1];
    plan->between.bytes += columns * z * (1 - 1 / groups) * cplx;
  }
  if (group > 1) {
    plan->within.peers = (int64_t)group - 1;
    plan->within.number += 2 * (group - 1) * (double)cut[1];
    plan->within.bytes += fields * y * (1 - 1 / group) * cplx;
  }
}

static void scale(triad_plan *plan, double times)
{
  for (int i = 0; i < 3; i++) plan->line_points[i] *= times;
  plan->moved *= times;
  plan->values *= times;
  plan->between.number *= times;
  plan->between.bytes *= times;
  plan->within.number *= times;
  plan->within.bytes *= times;
  plan->transforms = (int)(times * plan->transforms);
}

static int count_work(const triad_flow_plan *p, const triad_plan_ranks *r, triad_plan *plan)
{
  const triad_layout *l = p->layout;
  const triad_scheme *scheme = triad_scheme_find(triad_case_word(p->given, "time.scheme"), TRIAD_STEPPER_FORMS);
  const device_work *device = r->gpu ? &on_gpu : &on_host;
  int in, out, left, forced, n_out, n_left, inputs = 0, columns = 0; /* n_: of forces, bodies and sponges */
  int64_t cut[3];
  if (!scheme) return TRIAD_FAIL(TRIAD_ERR_FEATURE, "time.scheme: its number of stages is unknown");
  triad_shape_most(&p->shape, &in, &out, &left);
  TRIAD_TRY(triad_force_results(p->given, &p->shape, &forced));
  n_out = forced + triad_relaxation_results(p->given, &p->shape, &n_left);
  n_left += forced;
  left += n_left;
  device->cut(p, r, in, left, cut);
  for (int i = 0; i < p->shape.n_passes; i++) {
    const int more = i == 0 ? n_out : 0, added = i == 0 ? n_left : 0;
    count_pass(l, r, device, cut, p->shape.pass[i].n_in, p->shape.pass[i].n_out + more,
               triad_shape_left(&p->shape, i) + added, plan);
    inputs += p->shape.pass[i].n_in;
    columns += p->shape.pass[i].n_in + triad_shape_left(&p->shape, i) + added;
  }
  int grids = triad_shifts_of(&p->grid, p->given) == TRIAD_SHIFTS_EXACT ? 2 : 1;
  plan->stages = scheme->n_stages;
  scale(plan, (double)(grids * plan->stages));
  plan->mode_bytes =
    plan->stages * (4.0 * p->shape.n_fields + grids * inputs) * (double)l->modes * (double)sizeof(triad_cplx);
  plan->values += device->factors(p, grids, plan->stages, columns);
  const double points = plan->line_points[0] / plan->transforms; /* of this rank: each transform has all of them */
  /* written and read */
  plan->kept_bytes = 2.0 * plan->stages * p->shape.own_points * points * (double)sizeof(triad_real);
  plan->set_bytes = (double)triad_exchange_work_size(l, in, left) * (double)sizeof(triad_cplx);
  plan->chunks = cut[1];
  return triad_flow_plan_memory(p, r, cut, &plan->needs);
}

static int count(const triad_case *given, const triad_plan_ranks *ranks, triad_plan *plan)
{
  triad_flow_plan p;
  memset(plan, 0, sizeof *plan);
  if (triad_case_is(given, "parallel.device", "offload"))
    return TRIAD_FAIL(TRIAD_ERR_FEATURE,
                      "parallel.device = \"offload\": triad plan does not include the bus: measure with triad tune");
  if (!triad_case_is(given, "parallel.lines", "auto"))
    return TRIAD_FAIL(TRIAD_ERR_FEATURE,
                      "parallel.lines: triad plan has the rates of \"auto\" only: measure with triad tune");
  if (triad_particles_wanted(given))
    return TRIAD_FAIL(TRIAD_ERR_FEATURE,
                      "[[particles]]: triad plan does not include their transforms: measure with triad bench");
  if (ranks->split[0] * ranks->split[1] != ranks->ranks) {
    char said[96];
    (void)snprintf(said, sizeof said, "a split of [%" PRId64 ", %" PRId64 "]", ranks->split[0], ranks->split[1]);
    return triad_split_refuse(said, ranks->split, ranks->ranks);
  }
  int st = make_plan(&p, given, ranks);
  plan->single = sizeof(triad_real) == sizeof(float);
  for (int i = 0; i < 3; i++) plan->length[i] = p.grid.n[i];
  if (st == TRIAD_OK) st = count_work(&p, ranks, plan);
  triad_flow_plan_clear(&p);
  return st;
}

const triad_plan_part triad_spectral_plan = {
  .count = count,
  .probe =
    "[equations]\nsolver = \"hd\"\nviscosity = 1e-3\n[grid]\nn = [16, 16, 16]\n[initial]\nkind = \"taylor-green\"\n"
    "[time]\nend = 100\nscheme = \"rk2\"\ncfl = 0.5\n[output]\n[parallel]\ndevice = \"cpu\"\n"};
