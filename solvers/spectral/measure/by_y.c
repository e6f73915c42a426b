#include "solvers/spectral/measure/by_y.h"

#include <stdlib.h>

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
