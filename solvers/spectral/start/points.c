/* Transform fields that are given at points of any grid to modes, after a check that they are finite and periodic. */
#include "solvers/spectral/start/points.h"
#include "fft/pass/pass_create.h"

#include "fft/pass/transform.h"
#include "transpose/remap.h"

#include <inttypes.h>
#include <math.h>

/* Fields on a grid of their own, with every mode it can hold. */
typedef struct source {
  triad_grid grid;
  triad_layout *layout;
  triad_pass *pass;
  triad_real *planes;
  int count;
  triad_cplx **u; /* [count] */
} source;

static void source_destroy(source *s, triad_context *context)
{
  for (int f = 0; s->u && f < s->count; f++) TRIAD_FREE(context->memory, &s->u[f]);
  TRIAD_FREE(context->memory, &s->u);
  TRIAD_FREE(context->memory, &s->planes);
  triad_pass_destroy(&s->pass);
  triad_layout_destroy(&s->layout);
}

static int source_create(source *s, triad_flow *flow)
{
  triad_context *context = flow->context;
  const triad_comm *comm = &context->comm;
  int st = triad_layout_create(&s->layout, &s->grid, comm->rank, comm->size, TRIAD_LANES);
  if (st == TRIAD_OK)
    st = TRIAD_ALLOC(context->memory, "initial field", s->layout->n_planes * s->grid.n[1] * s->grid.n[0], &s->planes);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(context->memory, "initial field", s->count, &s->u);
  for (int f = 0; st == TRIAD_OK && f < s->count; f++)
    st = TRIAD_ALLOC(context->memory, "initial field", s->layout->modes, &s->u[f]);
  TRIAD_TRY(triad_agree(comm, st));
  triad_pass_options options = {.planning = TRIAD_PLAN_ESTIMATED}; /* used once */
  return triad_pass_create(&s->pass, context, s->layout, 0, 1, &options);
}

/* Values that are no numbers, or infinite, with the first one's place, in the order of z, y, x. */
static int check_values(const source *s, const triad_comm *comm, const char *name)
{
  const triad_layout *l = s->layout;
  const int64_t row = s->grid.n[0], plane = row * s->grid.n[1], first = l->first_plane * plane;
  int64_t bad[2] = {0, INT64_MAX}, all = 0, at = 0;
  double value = 0;
  for (int64_t i = l->n_planes * plane - 1; i >= 0; i--)
    if (!isfinite(s->planes[i])) {
      bad[0]++;
      bad[1] = first + i;
      value = (double)s->planes[i];
    }
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(&bad[0], &all, 1, MPI_INT64_T, MPI_SUM, comm->mpi)));
  if (all == 0) return TRIAD_OK;
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(&bad[1], &at, 1, MPI_INT64_T, MPI_MIN, comm->mpi)));
  if (at != bad[1]) return triad_agree(comm, TRIAD_OK); /* the rank that has it prints */
  const int64_t p[3] = {at % row, at / row % s->grid.n[1], at / plane};
  return triad_agree(
    comm, TRIAD_FAIL(TRIAD_ERR_CASE,
                     "field %s is %s at x = %g, y = %g, z = %g (indices %" PRId64 " %" PRId64 " %" PRId64
                     "), and not finite at %" PRId64 " of %" PRId64 " points",
                     name, isnan(value) ? "not a number" : "infinite", (double)p[0] * triad_grid_spacing(&s->grid, 0),
                     (double)p[1] * triad_grid_spacing(&s->grid, 1), (double)p[2] * triad_grid_spacing(&s->grid, 2),
                     p[0], p[1], p[2], all, plane * s->grid.n[2]));
}

/* ---- is a field periodic? ---- */

enum { FEW_POINTS = 8 };
/* the largest step between neighbours: a smooth periodic field has no larger one across its edge, to a factor */
static const double MANY_TIMES = 4;

/* The largest steps along an axis, between neighbours and from the last point to the first; of this rank's planes
 * [n2][n1][n0]. */
static void steps_of(const triad_real *f, const int64_t n[3], int axis, double most[2])
{
  const int64_t stride[3] = {1, n[0], n[0] * n[1]}, last = (n[axis] - 1) * stride[axis];
  double inside = 0, across = 0;
#pragma omp parallel for schedule(static) reduction(max : inside, across)
  for (int64_t z = 0; z < n[2]; z++)
    for (int64_t y = 0; y < n[1]; y++)
      for (int64_t x = 0; x < n[0]; x++) {
        const int64_t at = (z * n[1] + y) * n[0] + x, i = axis == 0 ? x : axis == 1 ? y : z;
        if (i > 0) inside = fmax(inside, fabs((double)f[at] - (double)f[at - stride[axis]]));
        else across = fmax(across, fabs((double)f[at + last] - (double)f[at]));
      }
  most[0] = inside;
  most[1] = across;
}

/* The plane above this rank's last one, of whichever rank has it; ranks without planes take no part. */
static int plane_above(const source *s, const triad_comm *comm, triad_real *above)
{
  const triad_layout *l = s->layout;
  const int64_t *n = s->grid.n, after = (l->first_plane + l->n_planes) % n[2],
                before = (l->first_plane + n[2] - 1) % n[2];
  const MPI_Datatype real = sizeof(triad_real) == sizeof(float) ? MPI_FLOAT : MPI_DOUBLE;
  int count = 0;
  TRIAD_TRY(triad_narrow(n[0] * n[1], &count));
  if (l->n_planes == 0) return TRIAD_OK;
  return TRIAD_MPI(MPI_Sendrecv(s->planes, count, real, triad_dealt_to(n[2], comm->size, before), 0, above, count, real,
                                triad_dealt_to(n[2], comm->size, after), 0, comm->mpi, MPI_STATUS_IGNORE));
}

/* Warn of a field that jumps across an edge: the box is periodic, and what is not rings at all wavenumbers.
 * Collective. */
static int check_edges(const source *s, const triad_flow *flow, int field, triad_log *log)
{
  const triad_layout *l = s->layout;
  const triad_comm *comm = &flow->context->comm;
  const int64_t *n = s->grid.n, own[3] = {n[0], n[1], l->n_planes}, plane = n[0] * n[1];
  double most[3][2] = {{0}}, all[3][2];
  triad_real *above = NULL;
  TRIAD_TRY(triad_agree(comm, TRIAD_ALLOC(flow->context->memory, "initial field", plane, &above)));
  int st = plane_above(s, comm, above);
  for (int axis = 0; axis < 3 && l->n_planes > 0; axis++) steps_of(s->planes, own, axis, most[axis]);
  if (l->n_planes > 0) most[2][1] = 0;
  double *top = &most[2][l->first_plane + l->n_planes == n[2]];
  for (int64_t i = 0; l->n_planes > 0 && i < plane; i++)
    *top = fmax(*top, fabs((double)above[i] - (double)s->planes[(l->n_planes - 1) * plane + i]));
  TRIAD_FREE(flow->context->memory, &above);
  if (st == TRIAD_OK) st = TRIAD_MPI(MPI_Allreduce(most, all, 6, MPI_DOUBLE, MPI_MAX, comm->mpi));
  for (int axis = 0; axis < 3 && st == TRIAD_OK; axis++)
    if (n[axis] >= FEW_POINTS && all[axis][1] > MANY_TIMES * all[axis][0] && isfinite(all[axis][1]))
      triad_log_warning(log,
                        "the initial %s is not periodic along %c: it changes by %.3g across the boundary of the box, "
                        "but by at most %.3g between neighbouring points",
                        flow->shape.fields[field].name, "xyz"[axis], all[axis][1], all[axis][0]);
  return st;
}

static int source_read(source *s, triad_flow *flow, const int *list, triad_points_fill *fill, void *who, triad_log *log,
                       double *dropped)
{
  const triad_layout *l = s->layout;
  triad_cplx *to[s->count];
  triad_space points;
  triad_space_planes(&points, l);
  for (int f = 0; f < s->count; f++) {
    to[f] = flow->u[list[f]];
    TRIAD_TRY(fill(who, flow, &points, list[f], s->planes));
    TRIAD_TRY(check_values(s, &flow->context->comm, flow->shape.fields[list[f]].name));
    if (log) TRIAD_TRY(check_edges(s, flow, list[f], log));
    const triad_real *from[1] = {s->planes};
    TRIAD_TRY(triad_forward(s->pass, l, 1, from, &s->u[f]));
  }
  return triad_remap(&flow->context->comm, l, s->u, flow->layout, to, s->count, dropped);
}

int triad_points_start(triad_flow *flow, const int64_t n[3], const int *list, int count, triad_points_fill *fill,
                       void *who, triad_log *log, double *dropped)
{
  source s = {.count = count};
  int st = triad_agree(&flow->context->comm, triad_grid_init(&s.grid, n, flow->grid.length, TRIAD_NONE));
  if (st == TRIAD_OK) st = source_create(&s, flow);
  if (st == TRIAD_OK) st = source_read(&s, flow, list, fill, who, log, dropped);
  source_destroy(&s, flow->context);
  return st;
}

int triad_points_overflow(const triad_comm *comm, const char *what)
{
  return triad_agree(
    comm,
    TRIAD_FAIL(TRIAD_ERR_CASE,
               "initial field: the energy of %s overflows: its values are too large to be squared: scale the field",
               what));
}
