/* Exchange lists of items among all ranks with MPI_Alltoallv (deliver.h). */
#include "mesh/parts/deliver.h"

#include <limits.h>

/* Convert counts to the int that MPI requires, and compute offsets. */
static int narrow(const int64_t *count, int ranks, int *narrowed, int *begin, int64_t *n)
{
  *n = 0;
  for (int r = 0; r < ranks; r++) {
    if (*n + count[r] > INT_MAX)
      return TRIAD_FAIL(TRIAD_ERR_CASE, "a rank's part of the mesh is too large to be sent: use more ranks");
    narrowed[r] = (int)count[r];
    begin[r] = (int)*n;
    *n += count[r];
  }
  return TRIAD_OK;
}

static int pass(const triad_context *context, triad_mesh_delivery *d, int *counts)
{
  const triad_comm *comm = &context->comm;
  const int ranks = comm->size;
  int *out = counts, *out_at = counts + ranks, *in = counts + 2 * ranks, *in_at = counts + 3 * ranks;
  int64_t n_out;
  MPI_Datatype type;
  TRIAD_TRY(TRIAD_MPI(MPI_Alltoall(d->count, 1, MPI_INT64_T, d->got, 1, MPI_INT64_T, comm->mpi)));
  int st = narrow(d->count, ranks, out, out_at, &n_out);
  if (st == TRIAD_OK) st = narrow(d->got, ranks, in, in_at, &d->n);
  if (st == TRIAD_OK)
    st = triad_memory_alloc(context->memory, "the mesh partition", d->n, (size_t)d->bytes, &d->received);
  TRIAD_TRY(triad_agree(comm, st));
  TRIAD_TRY(TRIAD_MPI(MPI_Type_contiguous((int)d->bytes, MPI_BYTE, &type)));
  st = TRIAD_MPI(MPI_Type_commit(&type));
  if (st == TRIAD_OK)
    st = TRIAD_MPI(MPI_Alltoallv(d->items, out, out_at, type, d->received, in, in_at, type, comm->mpi));
  (void)MPI_Type_free(&type);
  return st;
}

int triad_mesh_exchange_items(const triad_context *context, triad_mesh_delivery *d, int status)
{
  int *counts = NULL;
  d->received = NULL;
  int st = status == TRIAD_OK
             ? TRIAD_ALLOC(context->memory, "the mesh partition", 4 * (int64_t)context->comm.size, &counts)
             : status;
  st = triad_agree(&context->comm, st);
  if (st == TRIAD_OK) st = pass(context, d, counts);
  if (st != TRIAD_OK) triad_memory_free(context->memory, &d->received);
  TRIAD_FREE(context->memory, &counts);
  return st;
}
