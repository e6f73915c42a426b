/* Slices: planes through the mesh, as grids of points of which each has the value of its cell; HDF5 and pictures
 * (store/slicefile.h). */
#include "solvers/slice_list.h"
#include "solvers/unstructured/state/flow.h"
#include "solvers/unstructured/files/output.h"
#include "solvers/unstructured/measure/places.h"
#include "store/formats/slicefile.h"

#include <math.h>

enum { MOST_POINTS = 1024 /* along an axis */ };

/* The box around the mesh, in points as far apart as cells are wide. */
static void axes_of(const triad_mesh *m, triad_axis axis[3])
{
  const double width = cbrt(m->all_volume / (double)m->all_cells);
  for (int a = 0; a < 3; a++) {
    const double low = m->low[a], high = m->high[a];
    int64_t n = (int64_t)((high - low) / width + 0.5);
    n = n < 1 ? 1 : n > MOST_POINTS ? MOST_POINTS : n;
    axis[a] = (triad_axis){.n = n, .length = high - low, .first = low + (high - low) / (double)n / 2};
  }
}

static int read_planes(const triad_unstructured_flow *f, const triad_axis axis[3], triad_slice list[TRIAD_SLICES],
                       int *n)
{
  TRIAD_TRY(triad_slice_list_read(f->given, list, n));
  for (int i = 0; i < *n; i++) {
    const triad_axis *a = &axis[list[i].axis];
    const double low = a->first - a->length / (double)a->n / 2;
    if (list[i].free) list[i].at = low + a->length / 2;
    if (!(list[i].at >= low && list[i].at <= low + a->length))
      return TRIAD_FAIL(TRIAD_ERR_CASE, "output.slices: %c = %g is outside the mesh, %g to %g", "xyz"[list[i].axis],
                        list[i].at, low, low + a->length);
  }
  return TRIAD_OK;
}

typedef struct work {
  const triad_unstructured_flow *f;
  triad_axis axis[3];
  double (*x)[3];
  double *mine, *all[TRIAD_SLICE_MOST_QUANTITIES];
  unsigned char *pixels;
} work;

static void set_points(const work *w, const triad_slice *slice)
{
  int across[2];
  triad_slice_across(slice->axis, across);
  const int64_t nq = w->axis[across[1]].n, n = nq * w->axis[across[0]].n;
  for (int64_t i = 0; i < n; i++) {
    w->x[i][slice->axis] = slice->at;
    w->x[i][across[0]] = triad_axis_position(&w->axis[across[0]], i / nq);
    w->x[i][across[1]] = triad_axis_position(&w->axis[across[1]], i % nq);
  }
}

/* Each point from the rank that has its cell; what no rank has lies outside, and has no value. */
static int gather(work *w, const triad_unstructured_places *p, int kind, double *all, int64_t *outside)
{
  const triad_comm *comm = &w->f->context->comm;
  for (int64_t i = 0; i < p->n; i++)
    w->mine[i] =
      p->cell[i] >= 0 ? (double)triad_unstructured_value(w->f, kind - TRIAD_QUANTITY_OWN, p->cell[i]) : -INFINITY;
  TRIAD_TRY(TRIAD_MPI(MPI_Reduce(w->mine, all, (int)p->n, MPI_DOUBLE, MPI_MAX, 0, comm->mpi)));
  *outside = 0;
  for (int64_t i = 0; i < p->n && comm->rank == 0; i++) {
    *outside += all[i] == -INFINITY;
    if (!isfinite(all[i])) all[i] = NAN;
  }
  return TRIAD_OK;
}

static int write_one(work *w, const triad_slice *slice, int number, const char *run_dir, const triad_notes *notes)
{
  const triad_comm *comm = &w->f->context->comm;
  triad_unstructured_places places;
  triad_slice_file file = {.run_dir = run_dir,
                           .number = number,
                           .step = w->f->at.step,
                           .t = w->f->at.t,
                           .slice = slice,
                           .axis = w->axis,
                           .notes = notes,
                           .values = w->all,
                           .pixels = w->pixels};
  set_points(w, slice);
  int st =
    triad_unstructured_places_find(&places, w->f->domain, (const double(*)[3])w->x, triad_slice_points(slice, w->axis));
  for (int q = 0; q < slice->n && st == TRIAD_OK; q++)
    st = gather(w, &places, slice->quantity[q].kind, w->all[q], &file.outside);
  if (st == TRIAD_OK) st = triad_agree(comm, comm->rank == 0 ? triad_slice_file_write(&file) : TRIAD_OK);
  triad_unstructured_places_free(&places, w->f->domain);
  return st;
}

static int allocate_buffers(work *w, const triad_slice *list, int n)
{
  triad_memory *m = w->f->context->memory;
  const triad_slice_most most = triad_slice_list_most(list, n, w->axis);
  TRIAD_TRY(TRIAD_ALLOC(m, "slices", most.points, &w->x));
  TRIAD_TRY(TRIAD_ALLOC(m, "slices", most.points, &w->mine));
  if (w->f->context->comm.rank != 0) return TRIAD_OK;
  for (int i = 0; i < most.quantities; i++) TRIAD_TRY(TRIAD_ALLOC(m, "slices", most.points, &w->all[i]));
  return TRIAD_ALLOC(m, "slices", most.pixels, &w->pixels);
}

int triad_unstructured_slices(void *flow, const char *run_dir, const triad_notes *notes)
{
  triad_slice list[TRIAD_SLICES];
  work w = {.f = flow};
  triad_memory *m = w.f->context->memory;
  int n = 0;
  TRIAD_TRY(triad_unstructured_refresh(flow));
  axes_of(w.f->mesh, w.axis);
  int st = read_planes(w.f, w.axis, list, &n);
  if (st == TRIAD_OK) st = allocate_buffers(&w, list, n);
  st = triad_agree(&w.f->context->comm, st);
  for (int i = 0; i < n && st == TRIAD_OK; i++) st = write_one(&w, &list[i], i + 1, run_dir, notes);
  for (int i = 0; i < TRIAD_SLICE_MOST_QUANTITIES; i++) TRIAD_FREE(m, &w.all[i]);
  TRIAD_FREE(m, &w.x);
  TRIAD_FREE(m, &w.mine);
  TRIAD_FREE(m, &w.pixels);
  return st;
}
