/* Choose the points of files of fields: all, fewer after a filter, or those in a box. */
#include "solvers/spectral/measure/part_grid.h"
#include "solvers/spectral/flow_pass.h"
#include "fft/pass/pass_create.h"

#include "fft/pass/transform.h"
#include "transpose/remap.h"

#include <math.h>
#include <string.h>

static int is_smooth(int64_t n)
{
  for (int p = 2; p <= 5; p += p == 2 ? 1 : 2)
    while (n % p == 0) n /= p;
  return n == 1;
}

static int coarsen(triad_part_grid *p, int64_t modes, const triad_grid *grid)
{
  int64_t n[3];
  const double unit = triad_grid_k_min(grid);
  p->most = (double)modes * unit;
  for (int i = 0; i < 3; i++) {
    const double step = triad_grid_size_wavenumber(grid, i, 1);
    const int64_t k = grid->n[i] > 1 ? (int64_t)floor(p->most / step * (1 + 1e-12)) : 0;
    /* less that at half the points */
    const int64_t kept = grid->truncation == TRIAD_NONE ? (grid->n[i] - 1) / 2 : grid->kmax[i];
    if (k > kept)
      return TRIAD_FAIL(TRIAD_ERR_CASE,
                        "output.fields: modes %lld: along %c the grid has %lld of the %lld: use a smaller number",
                        (long long)modes, "xyz"[i], (long long)kept, (long long)k);
    n[i] = grid->n[i] > 1 ? 2 * k + 2 : 1;
    while (n[i] > 1 && !is_smooth(n[i])) n[i] += 2;
  }
  return triad_grid_init(&p->grid, n, grid->length, TRIAD_NONE);
}

static int take_box(triad_part_grid *p, const double box[6])
{
  for (int i = 0; i < 3; i++) {
    const double step = triad_grid_spacing(&p->grid, i), slack = 1e-9;
    const double first = ceil(box[2 * i] / step - slack), last = floor(box[2 * i + 1] / step + slack);
    const int64_t n = p->grid.n[i];
    if (first < 0 || first >= (double)n || last < first)
      return TRIAD_FAIL(
        TRIAD_ERR_CASE,
        "output.fields: the box from %c = %g to %g contains none of the points from 0 to %g: enlarge it", "xyz"[i],
        box[2 * i], box[2 * i + 1], p -> grid.length[i]);
    p->begin[i] = (int64_t)first;
    p->count[i] = (last < (double)n ? (int64_t)last + 1 : n) - p->begin[i];
  }
  return TRIAD_OK;
}

int triad_part_grid_plan(triad_part_grid *p, const triad_field_list *list, const triad_grid *grid)
{
  *p = (triad_part_grid){.grid = *grid};
  if (list->modes > 0) TRIAD_TRY(coarsen(p, list->modes, grid));
  for (int i = 0; i < 3; i++) p->count[i] = p->grid.n[i];
  return list->boxed ? take_box(p, list->box) : TRIAD_OK;
}

int triad_part_grid_deal(triad_part_grid *p, const triad_comm *comm)
{
  return p->most > 0 ? triad_layout_create(&p->layout, &p->grid, comm->rank, comm->size, TRIAD_LANES) : TRIAD_OK;
}

void triad_part_grid_clear(triad_part_grid *p) { triad_layout_destroy(&p->layout); }

static const triad_layout *layout_of(const triad_part_grid *p, const triad_flow *flow)
{
  return p->layout ? p->layout : flow->layout;
}

int64_t triad_part_grid_points(const triad_part_grid *p, const triad_flow *flow)
{
  return triad_layout_points(layout_of(p, flow));
}

/* Numbers begin .. begin + count - 1 of this rank's along an axis, those in the box: the first, counted from its
 * own; how many. */
typedef struct share {
  int64_t first, n;
} share;

static share share_of(const triad_part_grid *p, int axis, int64_t begin, int64_t count)
{
  const int64_t end = begin + count, stop = p->begin[axis] + p->count[axis];
  const int64_t from = begin > p->begin[axis] ? begin : p->begin[axis], to = end < stop ? end : stop;
  return (share){from - begin, to > from ? to - from : 0};
}

void triad_part_grid_space(const triad_part_grid *p, const triad_flow *flow, triad_space *space)
{
  const triad_layout *l = layout_of(p, flow);
  const int64_t *n = p->count;
  double length[3];
  const share y = share_of(p, 1, l->first_y, l->n_y), z = share_of(p, 2, l->first_plane, l->n_planes);
  if (!triad_part_grid_is_cut(p)) {
    triad_space_planes(space, l);
    return;
  }
  for (int i = 0; i < 3; i++) length[i] = (double)n[i] * triad_grid_spacing(&p->grid, i);
  triad_partition b = {.n = {n[0], n[1], n[2]},
                       .rank = l->rank,
                       .size = l->size,
                       .dims = {1, l->group, l->size / l->group},
                       .place = {0, l->member, l->rank / l->group},
                       .begin = {0, y.n > 0 ? l->first_y + y.first - p->begin[1] : 0,
                                 z.n > 0 ? l->first_plane + z.first - p->begin[2] : 0},
                       .local = {n[0], y.n, z.n},
                       .stride = {1, n[0], n[0] * y.n},
                       .volume = z.n * y.n * n[0]};
  triad_space_box(space, &b, length);
  space->skew = triad_layout_skew(l);
  for (int i = 0; i < 3; i++) {
    space->axis[i].first = (double)p->begin[i] * triad_grid_spacing(&p->grid, i);
    space->axis[i].part_of = n[i] < p->grid.n[i] ? p->grid.length[i] : 0;
  }
}

void triad_part_grid_cut(const triad_part_grid *p, const triad_flow *flow, const triad_real *points, triad_real *out)
{
  const triad_layout *l = layout_of(p, flow);
  const share y = share_of(p, 1, l->first_y, l->n_y), z = share_of(p, 2, l->first_plane, l->n_planes);
  for (int64_t k = z.first; k < z.first + z.n; k++)
    for (int64_t j = y.first; j < y.first + y.n; j++, out += p->count[0])
      memcpy(out, points + (k * l->n_y + j) * p->grid.n[0] + p->begin[0], (size_t)p->count[0] * sizeof *out);
}

/* Modes beyond the sphere fall. */
static void filter(const triad_part_grid *p, triad_cplx *modes)
{
  const triad_layout *l = p->layout;
  for (int64_t c = 0; c < l->n_columns; c++)
    for (int64_t j = 0; j < l->nkz; j++)
      if (sqrt(triad_layout_size2(l, c, j)) > p->most * (1 + 1e-12))
        modes[triad_layout_place(l, c, j)] = (triad_cplx){0, 0};
}

int triad_part_grid_backward(const triad_part_grid *p, triad_flow *flow, const triad_cplx *modes, triad_real *planes)
{
  triad_context *context = flow->context;
  const triad_pass_options options = {.nstreams = 1, .planning = TRIAD_PLAN_ESTIMATED};
  triad_pass *pass = NULL;
  triad_cplx *coarse = NULL;
  if (!p->layout) return triad_flow_backward(flow, modes, planes);
  TRIAD_TRY(triad_agree(&context->comm, TRIAD_ALLOC(context->memory, "part fields", p->layout->modes, &coarse)));
  int st =
    triad_remap(&context->comm, flow->layout, (triad_cplx *const[]){(triad_cplx *)modes}, p->layout, &coarse, 1, NULL);
  if (st == TRIAD_OK) {
    filter(p, coarse);
    st = triad_pass_create(&pass, context, p->layout, 1, 0, &options);
  }
  if (st == TRIAD_OK) st = triad_backward(pass, p->layout, 1, (const triad_cplx *const[]){coarse}, &planes);
  triad_pass_destroy(&pass);
  TRIAD_FREE(context->memory, &coarse);
  return st;
}
