/* Compute 1-D spectra along an axis, and redistribute planes by rows of y. */
#include "solvers/spectral/measure/spectra_1d.h"
#include "solvers/spectral/plain/spectra.h"

#include <stdlib.h>

int triad_variables(const triad_shape *shape, triad_variable *list)
{
  int n = 0;
  for (int f = 0; f < shape->n_fields;) {
    const triad_field_info *info = &shape->fields[f];
    triad_field_group group = triad_field_group_at(shape->fields, shape->n_fields, f);
    if (group.role == TRIAD_ROLE_COMPONENT)
      for (int i = 0; i < group.n; i++, f++)
        list[n++] = (triad_variable){info[i].name, info[i].unit, f, 1, info[i].number};
    else {
      list[n++] = (triad_variable){group.name, info->unit, f, group.n, -1};
      f += group.n;
    }
  }
  return n;
}

int64_t triad_spectra_1d_planes(const triad_grid *grid, int axis) { return grid->kmax[axis] + 1; }

typedef struct lines {
  int axis, n;
  const triad_variable *list; /* [n] */
} lines;

static void add_squares(const void *self, const triad_flow *flow, int64_t c, triad_sum *sums)
{
  const lines *a = self;
  const triad_layout *l = flow->layout;
  const int64_t planes = triad_spectra_1d_planes(&l->grid, a->axis);
  for (int64_t j = 0; j < l->nkz; j++) {
    if (l->kz[j] > l->kz_extent[c] || -l->kz[j] > l->kz_extent[c]) continue;
    int64_t at = triad_layout_place(l, c, j), m = llabs(a->axis == 0 ? l->kx[c] : a->axis == 1 ? l->ky[c] : l->kz[j]);
    for (int v = 0; v < a->n; v++) {
      double square = 0;
      for (int f = a->list[v].first; f < a->list[v].first + a->list[v].n; f++) {
        double re = (double)flow->u[f][at].re, im = (double)flow->u[f][at].im;
        square += re * re + im * im;
      }
      triad_sum_add(&sums[v * planes + m], l->weight[c] * square);
    }
  }
}

int triad_spectra_1d(triad_flow *flow, int axis, double *values)
{
  triad_variable list[flow->shape.n_fields];
  const lines a = {axis, triad_variables(&flow->shape, list), list};
  return triad_columns_sum(flow, a.n * triad_spectra_1d_planes(&flow->grid, axis), add_squares, &a, values);
}

static int64_t first_row(const triad_layout *l, int rank) { return triad_deal(l->grid.n[1], rank, l->size); }

int64_t triad_by_y_rows(const triad_layout *l) { return first_row(l, l->rank + 1) - first_row(l, l->rank); }

/* Counts and places, in rows, of round i: plane i of each rank that has so many. */
static int plan_round(const triad_layout *l, int64_t i, int *counts)
{
  int *sent = counts, *sent_at = sent + l->size, *got = sent_at + l->size, *got_at = got + l->size;
  int64_t rows = triad_by_y_rows(l);
  for (int r = 0; r < l->size; r++) {
    int64_t theirs = l->plane_begin[r + 1] - l->plane_begin[r], begin = first_row(l, r);
    TRIAD_TRY(triad_narrow(i < l->n_planes ? first_row(l, r + 1) - begin : 0, &sent[r]));
    TRIAD_TRY(triad_narrow(begin, &sent_at[r]));
    TRIAD_TRY(triad_narrow(i < theirs ? rows : 0, &got[r]));
    TRIAD_TRY(triad_narrow(i < theirs ? (l->plane_begin[r] + i) * rows : 0, &got_at[r]));
  }
  return TRIAD_OK;
}

int triad_by_y(const triad_comm *comm, const triad_layout *l, const triad_real *planes, triad_real *out)
{
  MPI_Datatype row = MPI_DATATYPE_NULL;
  int64_t rounds = 0, plane = l->grid.n[0] * l->grid.n[1];
  int nx = 0, *counts = calloc(4 * (size_t)l->size, sizeof *counts);
  for (int r = 0; r < l->size; r++) {
    int64_t theirs = l->plane_begin[r + 1] - l->plane_begin[r];
    if (theirs > rounds) rounds = theirs;
  }
  int st = counts ? triad_narrow(l->grid.n[0], &nx) : TRIAD_FAIL(TRIAD_ERR_MEMORY, "counts of %d ranks", l->size);
  if (st == TRIAD_OK) st = TRIAD_MPI(MPI_Type_contiguous(nx, sizeof(triad_real) == 4 ? MPI_FLOAT : MPI_DOUBLE, &row));
  if (st == TRIAD_OK) st = TRIAD_MPI(MPI_Type_commit(&row));
  st = triad_agree(comm, st);
  for (int64_t i = 0; i < rounds && st == TRIAD_OK; i++) {
    const triad_real *from = planes + (i < l->n_planes ? i * plane : 0);
    st = triad_agree(comm, plan_round(l, i, counts));
    if (st == TRIAD_OK)
      st = TRIAD_MPI(MPI_Alltoallv(from, counts, counts + l->size, row, out, counts + 2 * l->size, counts + 3 * l->size,
                                   row, comm->mpi));
  }
  if (row != MPI_DATATYPE_NULL) (void)MPI_Type_free(&row);
  free(counts);
  return triad_agree(comm, st);
}
