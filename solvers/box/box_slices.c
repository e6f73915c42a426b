/* Compute quantities on the planes of a case by second-order differences, gather them on rank 0, and write files and
 * pictures. */
#include "solvers/box/box.h"

#include "grid/fields/halo.h"
#include "solvers/slice_list.h"
#include "store/formats/slicefile.h"

#include <math.h>

enum { MOST_FIELDS = TRIAD_HALO_MOST_FIELDS };

/* What taking slices works with. */
typedef struct work {
  const triad_simulation *sim;
  triad_point_quantity *own;
  triad_values_info info;
  triad_partition thin;                            /* parts with a halo of one point   */
  triad_real *field[MOST_FIELDS];                  /* the flow's values, by thin parts */
  double *mine, *all[TRIAD_SLICE_MOST_QUANTITIES]; /* [p][q]; all: on rank 0 */
  unsigned char *pixels;
} work;

/* ---- which planes ---- */

static int64_t nearest_uniform(const triad_axis *a, double at)
{
  int64_t i = (int64_t)floor((at - a->first) / (a->length / (double)a->n) + 0.5);
  if (a->periodic) return (i % a->n + a->n) % a->n;
  return i < 0 ? 0 : i < a->n ? i : a->n - 1;
}

static int64_t nearest_point(const triad_axis *a, double at)
{
  int64_t best = 0;
  double nearest = INFINITY;
  if (!a->at) return nearest_uniform(a, at);
  for (int64_t i = 0; i < a->n; i++) {
    double distance = fabs(a->periodic ? remainder(a->at[i] - at, a->length) : a->at[i] - at);
    if (distance < nearest) best = i;
    nearest = fmin(nearest, distance);
  }
  return best;
}

int triad_box_slices_read(const triad_case *given, const triad_axis axis[3], triad_slice list[TRIAD_SLICES], int *n)
{
  TRIAD_TRY(triad_slice_list_read(given, list, n));
  for (int i = 0; i < *n; i++) {
    triad_slice *slice = &list[i];
    const triad_axis *a = &axis[slice->axis];
    if (slice->free && !a->periodic) slice->at = a->length / 2;
    if (!a->periodic && !(slice->at >= 0 && slice->at <= a->length))
      return TRIAD_FAIL(TRIAD_ERR_CASE, "output.slices: %c = %g is outside the box, 0 to %g", "xyz"[slice->axis],
                        slice -> at, a -> length);
    slice->at = triad_axis_position(a, nearest_point(a, slice->at));
  }
  return TRIAD_OK;
}

/* ---- what is at a point ---- */

/* Difference quotient of a field along an axis at local point x. */
static double slope(const work *w, int f, int axis, const int64_t x[3])
{
  const triad_partition *b = &w->thin;
  const triad_axis *a = &w->info.space.axis[axis];
  int64_t global = b->begin[axis] + x[axis], at = triad_partition_at(b, x[0], x[1], x[2]), step = b->stride[axis];
  if (b->n[axis] == 1) return 0;
  int below = a->periodic || global > 0, above = a->periodic || global < a->n - 1;
  double difference = (double)w->field[f][at + above * step] - (double)w->field[f][at - below * step];
  if (!a->at) return difference * (double)a->n / a->length / (above + below);
  int64_t upper = global + above, lower = global - below;
  double distance = a->at[upper % a->n] - a->at[(lower + a->n) % a->n];
  return difference / (distance + (upper == a->n ? a->length : 0) + (lower < 0 ? a->length : 0));
}

/* Component of the curl of the vector whose first field is f. */
static double curl(const work *w, int f, int component, const int64_t x[3])
{
  int a = (component + 1) % 3, b = (component + 2) % 3;
  return slope(w, f + b, a, x) - slope(w, f + a, b, x);
}

static double norm(double a, double b, double c) { return sqrt(a * a + b * b + c * c); }

/* Quantity q, whose field is number f, at local point x. */
static double value_at(const work *w, const triad_slice_quantity *q, int f, const int64_t x[3])
{
  double value[MOST_FIELDS];
  int64_t at = triad_partition_at(&w->thin, x[0], x[1], x[2]);
  for (int i = 0; i < w->info.n; i++) value[i] = (double)w->field[i][at];
  switch (q->kind) {
  case TRIAD_QUANTITY_FIELD: return value[f];
  case TRIAD_QUANTITY_NORM: return norm(value[f], value[f + 1], value[f + 2]);
  case TRIAD_QUANTITY_CURL: return curl(w, f, q->component, x);
  case TRIAD_QUANTITY_CURL_NORM: return norm(curl(w, f, 0, x), curl(w, f, 1, x), curl(w, f, 2, x));
  case TRIAD_QUANTITY_DIVERGENCE: return slope(w, f, 0, x) + slope(w, f + 1, 1, x) + slope(w, f + 2, 2, x);
  case TRIAD_QUANTITY_GRADIENT_NORM: return norm(slope(w, f, 0, x), slope(w, f, 1, x), slope(w, f, 2, x));
  default: return w->own(w->sim->flow, q->kind, value);
  }
}

/* Can every quantity of a slice be made of the flow's values? */
static int check_quantities(const work *w, const triad_slice *slice)
{
  for (int i = 0; i < slice->n; i++) {
    const triad_slice_quantity *q = &slice->quantity[i];
    int f = triad_field_find(w->info.fields, w->info.n, q->field),
        of_vector = q->kind == TRIAD_QUANTITY_NORM || q->kind == TRIAD_QUANTITY_CURL ||
                    q->kind == TRIAD_QUANTITY_CURL_NORM || q->kind == TRIAD_QUANTITY_DIVERGENCE;
    if (f < 0 || (of_vector && triad_field_group_at(w->info.fields, w->info.n, f).n != 3) ||
        (q->kind >= TRIAD_QUANTITY_OWN && !w->own))
      return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "%s cannot be computed from field %s", q->name, q->field);
  }
  return TRIAD_OK;
}

/* ---- fields, planes, files ---- */

/* Own points of a field from one layout of the parts to another. */
static void copy_points(const triad_partition *from, const triad_real *in, const triad_partition *to, triad_real *out)
{
  for (int64_t z = 0; z < to->local[2]; z++)
    for (int64_t y = 0; y < to->local[1]; y++)
      for (int64_t x = 0; x < to->local[0]; x++)
        out[triad_partition_at(to, x, y, z)] = in[triad_partition_at(from, x, y, z)];
}

/* The flow's values with a halo of one point. Collective. */
static int bring_fields(work *w)
{
  const triad_simulation *sim = w->sim;
  triad_memory *memory = sim->context->memory;
  triad_real *values = NULL;
  triad_halo *halo = NULL;
  int st = triad_agree(&sim->context->comm, TRIAD_ALLOC(memory, "slices", w->info.space.memory, &values));
  for (int i = 0; i < w->info.n && st == TRIAD_OK; i++) {
    st = triad_files_values(sim, i, values);
    if (st == TRIAD_OK) copy_points(&w->info.space.blocks, values, &w->thin, w->field[i]);
  }
  TRIAD_FREE(memory, &values);
  if (st == TRIAD_OK) st = triad_halo_create_of(&halo, sim->context, &w->thin, 1, w->info.n, TRIAD_HALO_FACES);
  if (st == TRIAD_OK) triad_halo_exchange(halo, w->field, w->info.n);
  triad_halo_destroy(&halo);
  return st;
}

/* A quantity on a plane: each point from the rank that owns it, the sum on rank 0. Collective. */
static int gather(work *w, const triad_slice *slice, int number)
{
  const triad_partition *b = &w->thin;
  const triad_slice_quantity *q = &slice->quantity[number];
  int across[2], count = 0, f = triad_field_find(w->info.fields, w->info.n, q->field), normal = slice->axis;
  int64_t index = nearest_point(&w->info.space.axis[normal], slice->at) - b->begin[normal], x[3];
  triad_slice_across(normal, across);
  int64_t np = b->n[across[0]], nq = b->n[across[1]];
  for (int64_t i = 0; i < np * nq; i++) w->mine[i] = 0;
  x[normal] = index;
  for (int64_t p = 0; p < b->local[across[0]] && index >= 0 && index < b->local[normal]; p++)
    for (int64_t r = 0; r < b->local[across[1]]; r++) {
      x[across[0]] = p;
      x[across[1]] = r;
      w->mine[(b->begin[across[0]] + p) * nq + b->begin[across[1]] + r] = value_at(w, q, f, x);
    }
  TRIAD_TRY(triad_narrow(np * nq, &count));
  return TRIAD_MPI(MPI_Reduce(w->mine, w->all[number], count, MPI_DOUBLE, MPI_SUM, 0, w->sim->context->comm.mpi));
}

static int write_one(work *w, const triad_slice *slice, int number, const char *run_dir, const triad_notes *notes)
{
  const triad_comm *comm = &w->sim->context->comm;
  const triad_instant *at = w->sim->solver->instant(w->sim->flow);
  triad_slice_file file = {.run_dir = run_dir,
                           .number = number,
                           .step = at->step,
                           .t = at->t,
                           .slice = slice,
                           .axis = w->info.space.axis,
                           .notes = notes,
                           .values = w->all,
                           .pixels = w->pixels};
  for (int q = 0; q < slice->n; q++) TRIAD_TRY(gather(w, slice, q));
  return triad_agree(comm, comm->rank == 0 ? triad_slice_file_write(&file) : TRIAD_OK);
}

/* Room for fields, of which slices of these quantities can be made. */
static int take_fields(work *w, const triad_slice *list, int n)
{
  const triad_partition *b = &w->info.space.blocks;
  triad_memory *m = w->sim->context->memory;
  if (w->info.n > MOST_FIELDS) return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "slices of %d fields", w->info.n);
  for (int i = 0; i < n; i++) TRIAD_TRY(check_quantities(w, &list[i]));
  TRIAD_TRY(triad_partition_init(&w->thin, b->n, b->periodic, 1, b->rank, b->size, b->dims));
  for (int i = 0; i < w->info.n; i++) TRIAD_TRY(TRIAD_ALLOC(m, "slices", w->thin.volume, &w->field[i]));
  return TRIAD_OK;
}

static int take(work *w, const triad_slice *list, int n)
{
  triad_memory *m = w->sim->context->memory;
  const triad_slice_most most = triad_slice_list_most(list, n, w->info.space.axis);
  TRIAD_TRY(take_fields(w, list, n));
  TRIAD_TRY(TRIAD_ALLOC(m, "slices", most.points, &w->mine));
  if (w->sim->context->comm.rank != 0) return TRIAD_OK;
  for (int i = 0; i < most.quantities; i++) TRIAD_TRY(TRIAD_ALLOC(m, "slices", most.points, &w->all[i]));
  return TRIAD_ALLOC(m, "slices", most.pixels, &w->pixels);
}

static void give(work *w)
{
  triad_memory *m = w->sim->context->memory;
  for (int i = 0; i < MOST_FIELDS; i++) TRIAD_FREE(m, &w->field[i]);
  for (int i = 0; i < TRIAD_SLICE_MOST_QUANTITIES; i++) TRIAD_FREE(m, &w->all[i]);
  TRIAD_FREE(m, &w->mine);
  TRIAD_FREE(m, &w->pixels);
}

int triad_box_slices(const triad_simulation *sim, triad_point_quantity *own, const char *run_dir,
                     const triad_notes *notes)
{
  triad_slice list[TRIAD_SLICES];
  work w = {.sim = sim, .own = own};
  int n = 0;
  triad_simulation_values(sim, &w.info);
  int st = triad_box_slices_read(sim->given, w.info.space.axis, list, &n);
  if (st == TRIAD_OK) st = take(&w, list, n);
  st = triad_agree(&sim->context->comm, st);
  if (st == TRIAD_OK) st = bring_fields(&w);
  for (int i = 0; i < n && st == TRIAD_OK; i++) st = write_one(&w, &list[i], i + 1, run_dir, notes);
  give(&w);
  return st;
}

int triad_box_quantity(const triad_simulation *sim, triad_point_quantity *own, const triad_slice_quantity *quantity,
                       triad_real *out)
{
  const triad_slice one = {.n = 1, .quantity = {*quantity}};
  work w = {.sim = sim, .own = own};
  triad_simulation_values(sim, &w.info);
  int f = triad_field_find(w.info.fields, w.info.n, quantity->field);
  int st = triad_agree(&sim->context->comm, take_fields(&w, &one, 1));
  if (st == TRIAD_OK) st = bring_fields(&w);
  const triad_partition *b = &w.thin;
  for (int64_t z = 0; st == TRIAD_OK && z < b->local[2]; z++)
    for (int64_t y = 0; y < b->local[1]; y++)
      for (int64_t x = 0; x < b->local[0]; x++)
        out[triad_partition_at(&w.info.space.blocks, x, y, z)] =
          (triad_real)value_at(&w, quantity, f, (const int64_t[3]){x, y, z});
  give(&w);
  return st;
}
