/* Outflow boundaries on a GPU (outflow.h). The host computes the inflow and the area of the outflow. */
#include "solvers/staggered/gpu/gpu_outflow.h"
#include "solvers/staggered/gpu/gpu_boundary.h"
#include "solvers/staggered/gpu/gpu_internal.h"
#include "solvers/staggered/gpu/gpu_sums.h"

static int axis_of(const triad_staggered_setup *s)
{
  for (int i = 0; i < 3; i++)
    for (int upper = 0; upper < 2; upper++)
      if (s->side[i][upper] == TRIAD_STAGGERED_OUTFLOW) return i;
  return -1;
}

static int64_t plane_of(const triad_partition *b, int axis)
{
  int a1 = axis == 0 ? 1 : 0, a2 = axis == 2 ? 1 : 2;
  return (b->local[a1] + 2 * b->halo[a1]) * (b->local[a2] + 2 * b->halo[a2]);
}

int64_t triad_staggered_gpu_outflow_bytes(const triad_partition *b, const triad_staggered_setup *s)
{
  int axis = axis_of(s);
  return axis < 0 ? 0 : 2 * plane_of(b, axis) * (int64_t)sizeof(triad_real);
}

int triad_staggered_gpu_outflow_make(triad_staggered_flow *f)
{
  int axis = axis_of(&f->setup);
  for (int upper = 0; axis >= 0 && upper < 2; upper++)
    TRIAD_TRY(triad_device_alloc(f->device, "outflow", plane_of(&f->blocks, axis), sizeof(triad_real),
                                 (void **)&f->gpu->plane[upper]));
  return TRIAD_OK;
}

void triad_staggered_gpu_outflow_drop(triad_staggered_flow *f)
{
  for (int upper = 0; upper < 2; upper++) triad_device_free(f->device, (void **)&f->gpu->plane[upper]);
}

/* The ends of this block through which fluid leaves; how many. */
static int ends_of(const triad_staggered_flow *f, triad_staggered_gpu_end end[2])
{
  int n = 0, axis = axis_of(&f->setup);
  for (int upper = 0; upper < 2; upper++)
    if (f->setup.side[axis][upper] == TRIAD_STAGGERED_OUTFLOW && triad_staggered_ends_at(f->mesh, axis, upper))
      end[n++] = (triad_staggered_gpu_end){axis, upper, f->gpu->plane[upper]};
  return n;
}

int triad_staggered_gpu_outflow_carry(triad_staggered_flow *f, triad_real *const *x, triad_real *const in[3], double dt)
{
  triad_staggered_gpu_end end[2];
  double comes_in, area;
  if (!f->outflow) return TRIAD_OK;
  triad_staggered_outflow_totals(f->outflow, &comes_in, &area);
  int n = ends_of(f, end);
  for (int i = 0; i < n; i++)
    TRIAD_TRY(triad_staggered_gpu_carry(&f->gpu->kernel, &end[i], x[end[i].axis], in[end[i].axis],
                                        dt * fmax(comes_in, 0) / area, triad_device_stream(f->device)));
  return TRIAD_OK;
}

int triad_staggered_gpu_outflow_put(triad_staggered_flow *f, triad_real *const u[3])
{
  const triad_staggered_gpu_results *results = &f->gpu->solver.results;
  const triad_staggered_gpu *g = &f->gpu->kernel;
  void *stream = triad_device_stream(f->device);
  triad_staggered_gpu_end end[2] = {{0}, {0}};
  double comes_in, area;
  if (!f->outflow) return TRIAD_OK;
  triad_staggered_outflow_totals(f->outflow, &comes_in, &area);
  int n = ends_of(f, end), axis = axis_of(&f->setup);
  for (int i = 0; i < n; i++) TRIAD_TRY(triad_staggered_gpu_let_out(g, &end[i], u[axis], 0, area, NULL, stream));
  TRIAD_TRY(triad_staggered_gpu_leaving(g, end, n, u[axis], results, stream));
  TRIAD_TRY(triad_staggered_gpu_of_all(f, 1, 0, TRIAD_STAGGERED_AFTER_SUMS));
  for (int i = 0; i < n; i++)
    TRIAD_TRY(triad_staggered_gpu_let_out(g, &end[i], u[axis], comes_in, area, results, stream));
  return TRIAD_OK;
}

int triad_staggered_gpu_outflow_continue(triad_staggered_flow *f, triad_real *const u[3], triad_real *scratch)
{
  const triad_staggered_gpu *g = &f->gpu->kernel;
  triad_real *const fields[1] = {scratch};
  void *stream = triad_device_stream(f->device);
  triad_staggered_gpu_end end[2];
  int n = ends_of(f, end);
  for (int i = 0; i < n; i++) TRIAD_TRY(triad_staggered_gpu_continue(g, &end[i], u, scratch, stream));
  /* neighbouring faces belong to cells that other ranks own */
  triad_gpu_halo_begin(f->gpu->velocities, fields, 1, stream);
  triad_gpu_halo_end(f->gpu->velocities, stream);
  for (int i = 0; i < n; i++) TRIAD_TRY(triad_staggered_gpu_take_on(g, &end[i], scratch, u[end[i].axis], stream));
  return TRIAD_OK;
}
