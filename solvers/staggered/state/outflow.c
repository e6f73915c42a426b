/* Set the velocities through an outflow boundary so that as much fluid leaves as enters. */
#include "solvers/staggered/state/outflow.h"
#include "solvers/staggered/plain/rows.h"

#include <math.h>
#include <stdlib.h>

struct triad_staggered_outflow {
  const triad_staggered_mesh *m;
  int axis;
  triad_real *plane[2]; /* velocities through the lower and the upper end, halos of the plane too */
  double area, comes_in;
  /* what rows are worked with */
  triad_real *const *u;
};

/* The cells at an end of the outflow's axis, halos of the other two axes too: at = first + i along a1 + j along a2. */
typedef struct end {
  int a1, a2, upper;
  /* face: position of the velocity through the boundary, relative to a cell */
  int64_t first, inwards, face, i0, i1, j0, j1;
  triad_real *plane;
} end;

/* halo: the cells of the halo too. 0 where this block does not end there, or nothing flows out. */
static int end_of(const triad_staggered_outflow *o, int upper, int halo, end *e)
{
  const triad_partition *b = &o->m->blocks;
  int axis = o->axis, a1 = axis == 0 ? 1 : 0, a2 = axis == 2 ? 1 : 2;
  if (o->m->setup.side[axis][upper] != TRIAD_STAGGERED_OUTFLOW || !triad_staggered_ends_at(o->m, axis, upper)) return 0;
  *e = (end){.a1 = a1, .a2 = a2, .upper = upper, .plane = o->plane[upper]};
  e->first = b->origin + (upper ? (b->local[axis] - 1) * b->stride[axis] : 0);
  e->inwards = upper ? 0 : b->stride[axis]; /* to the face before that of the boundary */
  e->face = upper ? b->stride[axis] : 0;
  e->i0 = halo ? -b->halo[a1] : 0;
  e->j0 = halo ? -b->halo[a2] : 0;
  e->i1 = b->local[a1] + (halo ? b->halo[a1] : 0);
  e->j1 = b->local[a2] + (halo ? b->halo[a2] : 0);
  return 1;
}

static int64_t face_index(const triad_staggered_outflow *o, const end *e, int64_t i, int64_t j)
{
  return e->first + i * o->m->blocks.stride[e->a1] + j * o->m->blocks.stride[e->a2];
}

static triad_real *in_plane(const triad_staggered_outflow *o, const end *e, int64_t i, int64_t j)
{
  const triad_partition *b = &o->m->blocks;
  return &e->plane[(j + b->halo[e->a2]) * (b->local[e->a1] + 2 * b->halo[e->a1]) + i + b->halo[e->a1]];
}

static int is_solid(const triad_staggered_outflow *o, int64_t at) { return o->m->open[at] & TRIAD_STAGGERED_SOLID; }

/* ---- what comes in and goes out ---- */

/* The sums over sides of own cells at boundaries through which fluid may go. */
enum { COMES_IN, AREA, LEAVES, SIZE /* of what comes in, of either sign */, SUMS };

/* Those of a row of cells at one end of an axis. */
static void side_row(const triad_staggered_outflow *o, int axis, int upper, int64_t y, int64_t z, double *sums)
{
  const triad_staggered_mesh *m = o->m;
  const triad_partition *b = &m->blocks;
  const int64_t last[3] = {b->local[0] - 1, b->local[1] - 1, b->local[2] - 1}, row[3] = {0, y, z};
  int in = m->setup.side[axis][upper] == TRIAD_STAGGERED_INFLOW,
      out = m->setup.side[axis][upper] == TRIAD_STAGGERED_OUTFLOW;
  if (!(in || out) || !triad_staggered_ends_at(m, axis, upper)) return;
  if (axis > 0 && row[axis] != (upper ? last[axis] : 0)) return;
  int64_t begin = axis == 0 && upper ? last[0] : 0, stop = axis == 0 && !upper ? 0 : last[0];
  for (int64_t x = begin; x <= stop; x++) {
    const int64_t c[3] = {x, y, z}, at = triad_partition_at(b, x, y, z);
    double side = 1;
    for (int i = 0; i < 3; i++) side *= i == axis ? 1 : (double)m->sizes.h[i][c[i]];
    if (is_solid(o, at)) continue;
    if (in) sums[COMES_IN] += (upper ? -side : side) * m->setup.wall[axis][upper][axis];
    if (in) sums[SIZE] += side * fabs(m->setup.wall[axis][upper][axis]);
    if (out) sums[AREA] += side;
    if (out && o->u) sums[LEAVES] += (upper ? side : -side) * (double)o->u[axis][upper ? at + b->stride[axis] : at];
  }
}

static void flux_row(void *self, int64_t y, int64_t z, double *results)
{
  const triad_staggered_outflow *o = self;
  for (int axis = 0; axis < 3; axis++)
    for (int upper = 0; upper < 2; upper++) side_row(o, axis, upper, y, z, results);
}

/* Rounding of areas and their sums. */
static int is_more_than_rounding(double sum, double size) { return fabs(sum) > 64 * (double)TRIAD_EPSILON * size; }

int triad_staggered_outflow_renew(triad_staggered_outflow *o)
{
  double sums[SUMS];
  if (!o) return TRIAD_OK;
  o->u = NULL;
  TRIAD_TRY(triad_staggered_rows(o->m, flux_row, o, SUMS, 0, sums));
  o->comes_in = sums[COMES_IN];
  o->area = sums[AREA];
  int st = !(o->area > 0)
             ? TRIAD_FAIL(TRIAD_ERR_CASE, "solids block the outflow along %c: leave fluid there", "xyz"[o->axis])
           : o->comes_in < 0 && is_more_than_rounding(o->comes_in, sums[SIZE])
             ? TRIAD_FAIL(TRIAD_ERR_CASE,
                          "boundaries.inflow removes %g of fluid from the box, which would enter at the outflow along "
                          "%c: reverse its velocity, or exchange inflow and outflow",
                          -o->comes_in, "xyz"[o->axis])
             : TRIAD_OK;
  return triad_agree(&o->m->context->comm, st);
}

int triad_staggered_inflow_balances(const triad_staggered_mesh *m)
{
  triad_staggered_outflow ends = {.m = m};
  double sums[SUMS];
  TRIAD_TRY(triad_staggered_rows(m, flux_row, &ends, SUMS, 0, sums));
  if (sums[AREA] > 0 || !is_more_than_rounding(sums[COMES_IN], sums[SIZE])) return TRIAD_OK;
  return triad_agree(&m->context->comm, TRIAD_FAIL(TRIAD_ERR_CASE,
                                                   "the inflow exceeds the outflow by %g, because solids block one "
                                                   "inflow and not the other: move them, or set an end to \"outflow\"",
                                                   sums[COMES_IN]));
}

void triad_staggered_outflow_totals(const triad_staggered_outflow *o, double *comes_in, double *area)
{
  *comes_in = o->comes_in;
  *area = o->area;
}

/* ---- create, destroy ---- */

int triad_staggered_outflow_create(triad_staggered_outflow **out, const triad_staggered_mesh *m)
{
  const triad_partition *b = &m->blocks;
  int axis = -1;
  for (int i = 0; i < 3; i++)
    for (int upper = 0; upper < 2; upper++)
      if (m->setup.side[i][upper] == TRIAD_STAGGERED_OUTFLOW) axis = i;
  *out = NULL;
  if (axis < 0) return TRIAD_OK;
  triad_staggered_outflow *o = *out = calloc(1, sizeof *o);
  int a1 = axis == 0 ? 1 : 0, a2 = axis == 2 ? 1 : 2, st = o ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the outflow");
  int64_t n = (b->local[a1] + 2 * b->halo[a1]) * (b->local[a2] + 2 * b->halo[a2]);
  if (o) {
    o->m = m;
    o->axis = axis;
    for (int upper = 0; upper < 2 && st == TRIAD_OK; upper++)
      st = TRIAD_ALLOC(m->context->memory, "outflow", n, &o->plane[upper]);
  }
  st = triad_agree(&m->context->comm, st);
  if (st != TRIAD_OK) triad_staggered_outflow_destroy(out);
  return st;
}

void triad_staggered_outflow_destroy(triad_staggered_outflow **outflow)
{
  triad_staggered_outflow *o = *outflow;
  if (!o) return;
  for (int upper = 0; upper < 2; upper++) TRIAD_FREE(o->m->context->memory, &o->plane[upper]);
  free(o);
  *outflow = NULL;
}

/* ---- in a stage ---- */

void triad_staggered_outflow_carry(triad_staggered_outflow *o, triad_real *const *x, triad_real *const in[3], double dt)
{
  end e;
  for (int upper = 0; o && upper < 2; upper++) {
    if (!end_of(o, upper, 1, &e)) continue;
    const triad_real *now = in[o->axis], *old = x ? x[o->axis] : NULL;
    const int64_t cell = upper ? o->m->blocks.local[o->axis] - 1 : 0;
    const triad_real part = (triad_real)(dt * fmax(o->comes_in, 0) / o->area) * o->m->sizes.per_h[o->axis][cell];
    for (int64_t j = e.j0; j < e.j1; j++)
      for (int64_t i = e.i0; i < e.i1; i++) {
        int64_t at = face_index(o, &e, i, j);
        triad_real before = now[at + e.inwards],
                   value = old ? old[at + e.face] - part * (now[at + e.face] - before) : before;
        *in_plane(o, &e, i, j) = is_solid(o, at) ? 0 : value;
      }
  }
}

static void put_faces(triad_staggered_outflow *o, triad_real *u, triad_real add)
{
  end e;
  for (int upper = 0; upper < 2; upper++) {
    if (!end_of(o, upper, 1, &e)) continue;
    triad_real more = upper ? add : -add;
    for (int64_t j = e.j0; j < e.j1; j++)
      for (int64_t i = e.i0; i < e.i1; i++) {
        int64_t at = face_index(o, &e, i, j);
        u[at + e.face] = *in_plane(o, &e, i, j) + (is_solid(o, at) ? 0 : more);
      }
  }
}

int triad_staggered_outflow_put(triad_staggered_outflow *o, triad_real *const u[3])
{
  double sums[SUMS];
  if (!o) return TRIAD_OK;
  put_faces(o, u[o->axis], 0);
  o->u = u;
  TRIAD_TRY(triad_staggered_rows(o->m, flux_row, o, SUMS, 0, sums));
  put_faces(o, u[o->axis], (triad_real)((o->comes_in - sums[LEAVES]) / o->area));
  return TRIAD_OK;
}

/* ---- at the end of a step ---- */

/* The velocity through the boundary that leaves the cell no divergence. */
static triad_real continued(const triad_staggered_outflow *o, const end *e, triad_real *const u[3], int64_t at,
                            int64_t i, int64_t j)
{
  const triad_staggered_sizes *s = &o->m->sizes;
  const int64_t cell = e->upper ? o->m->blocks.local[o->axis] - 1 : 0;
  triad_real sides = (u[e->a1][at + s->step[e->a1]] - u[e->a1][at]) * s->per_h[e->a1][i] +
                     (u[e->a2][at + s->step[e->a2]] - u[e->a2][at]) * s->per_h[e->a2][j];
  triad_real through = s->h[o->axis][cell] * sides;
  return u[o->axis][at + e->inwards] + (e->upper ? -through : through);
}

void triad_staggered_outflow_continue(triad_staggered_outflow *o, triad_real *const u[3], triad_real *scratch)
{
  triad_real *const fields[1] = {scratch};
  end e;
  if (!o) return;
  for (int upper = 0; upper < 2; upper++) {
    if (!end_of(o, upper, 0, &e)) continue;
    for (int64_t j = e.j0; j < e.j1; j++)
      for (int64_t i = e.i0; i < e.i1; i++) {
        int64_t at = face_index(o, &e, i, j);
        scratch[at] = is_solid(o, at) ? 0 : continued(o, &e, u, at, i, j);
      }
  }
  triad_halo_exchange(o->m->velocities, fields, 1); /* neighbouring faces belong to cells that other ranks own */
  for (int upper = 0; upper < 2; upper++) {
    if (!end_of(o, upper, 1, &e)) continue;
    for (int64_t j = e.j0; j < e.j1; j++)
      for (int64_t i = e.i0; i < e.i1; i++)
        u[o->axis][face_index(o, &e, i, j) + e.face] = scratch[face_index(o, &e, i, j)];
  }
  triad_staggered_fill(o->m, u);
}
