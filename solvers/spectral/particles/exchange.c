/* Rows that go from rank to rank. */
#include "solvers/spectral/particles/groups.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { TAG = 1906 };

/* Rows sorted by the rank they go to: where those of each begin. */
static void pack(int size, int width, int64_t n, const double *rows, const int32_t *to, int64_t *begin, double *packed)
{
  memset(begin, 0, (size_t)(size + 1) * sizeof *begin);
  for (int64_t i = 0; i < n; i++) begin[to[i] + 1]++;
  for (int r = 0; r < size; r++) begin[r + 1] += begin[r];
  for (int64_t i = 0; i < n; i++) memcpy(packed + begin[to[i]]++ * width, rows + i * width, (size_t)width * sizeof *rows);
  for (int r = size; r > 0; r--) begin[r] = begin[r - 1];
  begin[0] = 0;
}

/* Each pair of ranks that has something for each other: one message. */
static int send_all(const triad_comm *comm, MPI_Datatype row, int width, const double *packed, const int64_t *out_begin,
                    double *arrived, const int64_t *in_begin, MPI_Request *requests)
{
  int n = 0;
  for (int r = 0; r < comm->size; r++) {
    int64_t count = in_begin[r + 1] - in_begin[r];
    if (r == comm->rank || count == 0) continue;
    TRIAD_TRY(TRIAD_MPI(MPI_Irecv(arrived + in_begin[r] * width, (int)count, row, r, TAG, comm->mpi, &requests[n++])));
  }
  for (int r = 0; r < comm->size; r++) {
    int64_t count = out_begin[r + 1] - out_begin[r];
    if (r == comm->rank || count == 0) continue;
    TRIAD_TRY(TRIAD_MPI(MPI_Isend(packed + out_begin[r] * width, (int)count, row, r, TAG, comm->mpi, &requests[n++])));
  }
  int64_t own = out_begin[comm->rank + 1] - out_begin[comm->rank];
  if (own > 0)
    memcpy(arrived + in_begin[comm->rank] * width, packed + out_begin[comm->rank] * width,
           (size_t)(own * width) * sizeof *packed);
  return TRIAD_MPI(MPI_Waitall(n, requests, MPI_STATUSES_IGNORE));
}

int triad_rows_exchange(const triad_comm *comm, int width, int64_t n, const double *rows, const int32_t *to, double **out,
                        int64_t *n_out)
{
  const size_t size = (size_t)comm->size;
  int64_t *begin = malloc((2 * size + 2) * sizeof *begin), *counts = malloc(2 * size * sizeof *counts);
  double *packed = malloc((size_t)(n * width + 1) * sizeof *packed);
  MPI_Request *requests = malloc(2 * size * sizeof *requests);
  MPI_Datatype row = MPI_DATATYPE_NULL;
  int st = begin && counts && packed && requests ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "particles that move");
  *out = NULL;
  *n_out = 0;
  st = triad_agree(comm, st);
  if (st == TRIAD_OK) {
    int64_t *in_begin = begin + size + 1;
    pack(comm->size, width, n, rows, to, begin, packed);
    for (size_t r = 0; r < size; r++) counts[r] = begin[r + 1] - begin[r];
    triad_must(comm, TRIAD_MPI(MPI_Alltoall(counts, 1, MPI_INT64_T, counts + size, 1, MPI_INT64_T, comm->mpi)));
    in_begin[0] = 0;
    for (size_t r = 0; r < size; r++) in_begin[r + 1] = in_begin[r] + counts[size + r];
    *n_out = in_begin[size];
    *out = malloc((size_t)(*n_out * width + 1) * sizeof **out);
    st = *out ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "%lld particles that arrive", (long long)*n_out);
    if (*n_out > INT_MAX || n > INT_MAX) st = TRIAD_FAIL(TRIAD_ERR_MEMORY, "more than %d particles move at once: take more ranks", INT_MAX);
    st = triad_agree(comm, st);
    if (st == TRIAD_OK) {
      triad_must(comm, TRIAD_MPI(MPI_Type_contiguous(width, MPI_DOUBLE, &row)));
      triad_must(comm, TRIAD_MPI(MPI_Type_commit(&row)));
      triad_must(comm, send_all(comm, row, width, packed, begin, *out, in_begin, requests));
      (void)MPI_Type_free(&row);
    }
  }
  free(requests);
  free(packed);
  free(counts);
  free(begin);
  if (st == TRIAD_OK) return TRIAD_OK;
  free(*out);
  *out = NULL;
  return st;
}
