/* Planes of points as HDF5 and pictures (store/slicefile.h): what schlieren photographs show, and more.
 *
 * Derivatives are differences of second order of neighbouring points, one-sided at a boundary that is not periodic: of
 * what is to be looked at, not of the budgets. */
#include "grid/halo.h"
#include "solvers/weno/flow.h"
#include "solvers/slice_list.h"
#include "store/slicefile.h"
#include "solvers/weno/part.h"

#include <math.h>
#include <string.h>

enum { RHO, U, V, W, P }; /* of triad_weno_primitive_fields */

/* What taking slices works with. */
typedef struct work {
  triad_gas_flow *flow;
  triad_partition thin;                     /* blocks with a halo of one point   */
  triad_real *field[TRIAD_WENO_FIELDS]; /* primitives, by thin blocks         */
  double *mine, *all[TRIAD_SLICE_MOST_QUANTITIES]; /* [p][q]; all: on rank 0  */
  unsigned char *pixels;
} work;

/* ---- which planes ---- */

static int64_t index_of(const triad_weno_setup *s, int axis, double at)
{
  double h = s->length[axis] / (double)s->n[axis];
  int64_t i = (int64_t)floor((at - triad_weno_position(s, axis, 0)) / h + 0.5), n = s->n[axis];
  if (s->side[axis][0].kind == TRIAD_WENO_PERIODIC) return (i % n + n) % n;
  return i < 0 ? 0 : i < n ? i : n - 1;
}

int triad_gas_slices_read(const triad_case *given, const triad_weno_setup *s, triad_slice list[TRIAD_SLICES], int *n)
{
  TRIAD_TRY(triad_slice_list_read(given, list, n));
  for (int i = 0; i < *n; i++) {
    triad_slice *slice = &list[i];
    int axis = slice->axis, periodic = s->side[axis][0].kind == TRIAD_WENO_PERIODIC;
    if (!periodic && !(slice->at >= 0 && slice->at <= s->length[axis]))
      return TRIAD_FAIL(TRIAD_ERR_CASE, "output.slices: %c = %g is not in the box, 0 to %g", "xyz"[axis], slice->at,
                        s->length[axis]);
    slice->at = triad_weno_position(s, axis, index_of(s, axis, slice->at));
  }
  return TRIAD_OK;
}

/* ---- what is at a point ---- */

/* Difference quotient of a field along an axis at local point x. */
static double slope(const work *w, int f, int axis, const int64_t x[3])
{
  const triad_partition *b = &w->thin;
  const triad_weno_setup *s = &w->flow->setup;
  int64_t global = b->begin[axis] + x[axis], at = triad_partition_at(b, x[0], x[1], x[2]), step = b->stride[axis];
  if (b->n[axis] == 1) return 0;
  int below = b->periodic[axis] || global > 0, above = b->periodic[axis] || global < b->n[axis] - 1;
  double difference = (double)w->field[f][at + above * step] - (double)w->field[f][at - below * step];
  return difference * (double)s->n[axis] / s->length[axis] / (above + below);
}

static double curl(const work *w, int component, const int64_t x[3])
{
  int a = (component + 1) % 3, b = (component + 2) % 3;
  return slope(w, U + b, a, x) - slope(w, U + a, b, x);
}

static double norm(double a, double b, double c) { return sqrt(a * a + b * b + c * c); }

static double value_at(const work *w, const triad_slice_quantity *q, const int64_t x[3])
{
  int64_t at = triad_partition_at(&w->thin, x[0], x[1], x[2]);
  int f = triad_field_find(triad_weno_primitive_fields, TRIAD_WENO_FIELDS, q->field);
  double speed = norm((double)w->field[U][at], (double)w->field[V][at], (double)w->field[W][at]);
  switch (q->kind) {
  case TRIAD_QUANTITY_NORM: return speed;
  case TRIAD_QUANTITY_CURL: return curl(w, q->component, x);
  case TRIAD_QUANTITY_CURL_NORM: return norm(curl(w, 0, x), curl(w, 1, x), curl(w, 2, x));
  case TRIAD_QUANTITY_DIVERGENCE: return slope(w, U, 0, x) + slope(w, V, 1, x) + slope(w, W, 2, x);
  case TRIAD_QUANTITY_GRADIENT_NORM: return norm(slope(w, f, 0, x), slope(w, f, 1, x), slope(w, f, 2, x));
  case TRIAD_GAS_MACH:
    return speed / sqrt(w->flow->setup.gamma * (double)w->field[P][at] / (double)w->field[RHO][at]);
  default: return (double)w->field[f][at];
  }
}

/* ---- fields, planes, files ---- */

/* Primitives with a halo of one point. Collective. */
static int bring_fields(work *w)
{
  triad_gas_flow *f = w->flow;
  triad_partition bare = triad_partition_bare(&f->blocks);
  triad_memory *memory = f->context->memory;
  triad_real *own = NULL;
  triad_halo *halo = NULL;
  int st = triad_agree(&f->context->comm, TRIAD_ALLOC(memory, "slices", bare.volume, &own));
  for (int i = 0; i < TRIAD_WENO_FIELDS && st == TRIAD_OK; i++) {
    st = triad_agree(&f->context->comm, triad_weno_get(f->weno, i, own));
    for (int64_t z = 0; z < bare.local[2] && st == TRIAD_OK; z++)
      for (int64_t y = 0; y < bare.local[1]; y++)
        for (int64_t x = 0; x < bare.local[0]; x++)
          w->field[i][triad_partition_at(&w->thin, x, y, z)] = own[triad_partition_at(&bare, x, y, z)];
  }
  TRIAD_FREE(memory, &own);
  if (st == TRIAD_OK) st = triad_halo_create_of(&halo, f->context, &w->thin, 1, TRIAD_WENO_FIELDS, TRIAD_HALO_FACES);
  if (st == TRIAD_OK) triad_halo_exchange(halo, w->field, TRIAD_WENO_FIELDS);
  triad_halo_destroy(&halo);
  return st;
}

/* A quantity on a plane: each point from the rank that owns it, the sum on rank 0. Collective. */
static int gather(work *w, const triad_slice *slice, int number)
{
  const triad_partition *b = &w->thin;
  int across[2], count = 0;
  int64_t index = index_of(&w->flow->setup, slice->axis, slice->at) - b->begin[slice->axis], x[3];
  triad_slice_across(slice->axis, across);
  int64_t np = b->n[across[0]], nq = b->n[across[1]];
  for (int64_t i = 0; i < np * nq; i++) w->mine[i] = 0;
  x[slice->axis] = index;
  for (int64_t p = 0; p < b->local[across[0]] && index >= 0 && index < b->local[slice->axis]; p++)
    for (int64_t q = 0; q < b->local[across[1]]; q++) {
      x[across[0]] = p;
      x[across[1]] = q;
      w->mine[(b->begin[across[0]] + p) * nq + b->begin[across[1]] + q] = value_at(w, &slice->quantity[number], x);
    }
  TRIAD_TRY(triad_narrow(np * nq, &count));
  return TRIAD_MPI(MPI_Reduce(w->mine, w->all[number], count, MPI_DOUBLE, MPI_SUM, 0, w->flow->context->comm.mpi));
}

static int write_one(work *w, const triad_axis *axis, const triad_slice *slice, int number, const char *run_dir,
                     const triad_notes *notes)
{
  const triad_gas_flow *f = w->flow;
  triad_slice_file file = {.run_dir = run_dir, .number = number, .step = f->at.step, .t = f->at.t, .axis = axis,
                           .slice = slice, .notes = notes, .values = w->all, .pixels = w->pixels};
  for (int q = 0; q < slice->n; q++) TRIAD_TRY(gather(w, slice, q));
  return triad_agree(&f->context->comm, f->context->comm.rank == 0 ? triad_slice_file_write(&file) : TRIAD_OK);
}

static int take(work *w, const triad_axis *axis, const triad_slice *list, int n)
{
  triad_memory *m = w->flow->context->memory;
  const triad_slice_most most = triad_slice_list_most(list, n, axis);
  for (int i = 0; i < TRIAD_WENO_FIELDS; i++) TRIAD_TRY(TRIAD_ALLOC(m, "slices", w->thin.volume, &w->field[i]));
  TRIAD_TRY(TRIAD_ALLOC(m, "slices", most.points, &w->mine));
  if (w->flow->context->comm.rank != 0) return TRIAD_OK;
  for (int i = 0; i < most.quantities; i++) TRIAD_TRY(TRIAD_ALLOC(m, "slices", most.points, &w->all[i]));
  return TRIAD_ALLOC(m, "slices", most.pixels, &w->pixels);
}

static void give(work *w)
{
  triad_memory *m = w->flow->context->memory;
  for (int i = 0; i < TRIAD_WENO_FIELDS; i++) TRIAD_FREE(m, &w->field[i]);
  for (int i = 0; i < TRIAD_SLICE_MOST_QUANTITIES; i++) TRIAD_FREE(m, &w->all[i]);
  TRIAD_FREE(m, &w->mine);
  TRIAD_FREE(m, &w->pixels);
}

int triad_gas_slices(void *flow, const char *run_dir, const triad_notes *notes)
{
  triad_gas_flow *f = flow;
  const triad_partition *b = &f->blocks;
  triad_slice list[TRIAD_SLICES];
  const triad_space space = triad_gas_bare_space(f);
  work w = {.flow = f};
  int n = 0, st = triad_gas_slices_read(f->given, &f->setup, list, &n);
  if (st == TRIAD_OK) st = triad_partition_init(&w.thin, b->n, b->periodic, 1, b->rank, b->size, b->dims);
  if (st == TRIAD_OK) st = take(&w, space.axis, list, n);
  st = triad_agree(&f->context->comm, st);
  if (st == TRIAD_OK) st = bring_fields(&w);
  for (int i = 0; i < n && st == TRIAD_OK; i++) st = write_one(&w, space.axis, &list[i], i + 1, run_dir, notes);
  give(&w);
  return st;
}
