/* Exchange rows between ranks: to given ranks, and into the order of numbers. */
#include "solvers/particles/exchange.h"
#include "grid/layout.h"
#include "parallel/wait.h"
#include "solvers/particles/group.h"

#include <inttypes.h>
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
  for (int64_t i = 0; i < n; i++)
    memcpy(packed + begin[to[i]]++ * width, rows + i * width, (size_t)width * sizeof *rows);
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
  return TRIAD_MPI(triad_wait_all(n, requests));
}

static int grow(void **p, int64_t bytes, const char *what)
{
  void *larger = realloc(*p, (size_t)bytes);
  if (!larger) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: %lld bytes", what, (long long)bytes);
  *p = larger;
  return TRIAD_OK;
}

/* Existing contents are discarded. */
static int fit_rows(double **p, int64_t *room, int64_t wanted, const char *what)
{
  const int64_t larger = wanted + wanted / 2 + 1;
  if (wanted <= *room) return TRIAD_OK;
  free(*p);
  *p = NULL;
  *room = 0;
  TRIAD_TRY(grow((void **)p, larger * (int64_t)sizeof **p, what));
  *room = larger;
  return TRIAD_OK;
}

int triad_row_buffers_fit(triad_row_buffers *b, int64_t n, int width)
{
  if (!b->to || n > b->to_room) {
    b->to_room = 0;
    TRIAD_TRY(grow((void **)&b->to, (n + n / 2 + 1) * (int64_t)sizeof *b->to, "particles that leave"));
    b->to_room = n + n / 2 + 1;
  }
  return fit_rows(&b->away, &b->away_room, n * width + 1, "particles that leave");
}

void triad_row_buffers_free(triad_row_buffers *b)
{
  if (b->width > 0) (void)MPI_Type_free(&b->row);
  free(b->away);
  free(b->packed);
  free(b->arrived);
  free(b->to);
  free(b->begin);
  free(b->counts);
  free(b->requests);
  *b = (triad_row_buffers){0};
}

/* What depends on the number of ranks, once; and the type of a row. */
static int prepare(triad_row_buffers *b, int64_t size, int64_t n, int width)
{
  if (!b->begin) TRIAD_TRY(grow((void **)&b->begin, (2 * size + 2) * (int64_t)sizeof *b->begin, "particles that move"));
  if (!b->counts) TRIAD_TRY(grow((void **)&b->counts, 2 * size * (int64_t)sizeof *b->counts, "particles that move"));
  if (!b->requests)
    TRIAD_TRY(grow((void **)&b->requests, 2 * size * (int64_t)sizeof *b->requests, "particles that move"));
  TRIAD_TRY(fit_rows(&b->packed, &b->packed_room, n * width + 1, "particles that move"));
  if (b->width == width) return TRIAD_OK;
  if (b->width > 0) (void)MPI_Type_free(&b->row);
  b->width = 0;
  TRIAD_TRY(TRIAD_MPI(MPI_Type_contiguous(width, MPI_DOUBLE, &b->row)));
  TRIAD_TRY(TRIAD_MPI(MPI_Type_commit(&b->row)));
  b->width = width;
  return TRIAD_OK;
}

int triad_rows_exchange(const triad_comm *comm, triad_row_buffers *b, int width, int64_t n, const double *rows,
                        const int32_t *to, double **out, int64_t *n_out)
{
  const size_t size = (size_t)comm->size;
  *out = NULL;
  *n_out = 0;
  TRIAD_TRY(triad_agree(comm, prepare(b, comm->size, n, width)));
  int64_t *begin = b->begin, *in_begin = begin + size + 1, *counts = b->counts;
  pack(comm->size, width, n, rows, to, begin, b->packed);
  for (size_t r = 0; r < size; r++) counts[r] = begin[r + 1] - begin[r];
  triad_must(comm, TRIAD_MPI(MPI_Alltoall(counts, 1, MPI_INT64_T, counts + size, 1, MPI_INT64_T, comm->mpi)));
  in_begin[0] = 0;
  for (size_t r = 0; r < size; r++) in_begin[r + 1] = in_begin[r] + counts[size + r];
  *n_out = in_begin[size];
  int st = fit_rows(&b->arrived, &b->in_room, *n_out * width + 1, "particles that arrive");
  if (*n_out > INT_MAX || n > INT_MAX)
    st = TRIAD_FAIL(TRIAD_ERR_MEMORY, "more than %d particles move at once: use more ranks", INT_MAX);
  TRIAD_TRY(triad_agree(comm, st));
  triad_must(comm, send_all(comm, b->row, width, b->packed, begin, b->arrived, in_begin, b->requests));
  *out = b->arrived;
  return TRIAD_OK;
}

/* The rank whose share of all numbers has this one. */
static int rank_of_number(int64_t id, int64_t all, int size)
{
  int r = (int)(id * size / all);
  while (r > 0 && triad_deal(all, r, size) > id) r--;
  while (triad_deal(all, r + 1, size) <= id) r++;
  return r;
}

/* At most TRIAD_ROWS_AT_ONCE rows of each rank into those by number; *placed goes up by how many came. */
static int place_some(const triad_comm *comm, triad_row_buffers *buffers, int64_t all, int width, int64_t n,
                      const double *rows, int32_t *to, double *out, int64_t *placed)
{
  const int64_t first = triad_deal(all, comm->rank, comm->size);
  double *arrived = NULL;
  int64_t n_arrived = 0;
  for (int64_t i = 0; i < n; i++) to[i] = rank_of_number((int64_t)rows[i * (1 + width)], all, comm->size);
  TRIAD_TRY(triad_rows_exchange(comm, buffers, 1 + width, n, rows, to, &arrived, &n_arrived));
  for (int64_t i = 0; i < n_arrived; i++)
    memcpy(out + ((int64_t)arrived[i * (1 + width)] - first) * width, arrived + i * (1 + width) + 1,
           (size_t)width * sizeof *out);
  *placed += n_arrived;
  return TRIAD_OK;
}

int triad_particles_by_number(const triad_comm *comm, int64_t all, int width, int64_t n, const double *rows,
                              double **out, int64_t *first, int64_t *count)
{
  int64_t most = n, placed = 0;
  triad_row_buffers buffers = {0};
  int32_t *to = malloc(TRIAD_ROWS_AT_ONCE * sizeof *to);
  *first = triad_deal(all, comm->rank, comm->size);
  *count = triad_deal(all, comm->rank + 1, comm->size) - *first;
  *out = malloc((size_t)(*count * width + 1) * sizeof **out);
  int st =
    triad_agree(comm, to && *out ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "%" PRId64 " particles by number", *count));
  if (st == TRIAD_OK) triad_must(comm, TRIAD_MPI(MPI_Allreduce(&n, &most, 1, MPI_INT64_T, MPI_MAX, comm->mpi)));
  for (int64_t at = 0; st == TRIAD_OK && at < most; at += TRIAD_ROWS_AT_ONCE) {
    const int64_t begin = at < n ? at : n, some = n - begin < TRIAD_ROWS_AT_ONCE ? n - begin : TRIAD_ROWS_AT_ONCE;
    st = place_some(comm, &buffers, all, width, some, rows + begin * (1 + width), to, *out, &placed);
  }
  if (st == TRIAD_OK)
    st = triad_agree(comm, placed == *count
                             ? TRIAD_OK
                             : TRIAD_FAIL(TRIAD_ERR_INTERNAL,
                                          "%" PRId64 " of %" PRId64 " particles found: some are lost", placed, *count));
  triad_row_buffers_free(&buffers);
  free(to);
  if (st != TRIAD_OK) {
    free(*out);
    *out = NULL;
  }
  return st;
}
