#include "grid/rows.h"

#include "grid/layout.h"

#include <stdlib.h>
#include <string.h>

#ifdef TRIAD_SINGLE
#define MPI_REAL_HERE MPI_FLOAT
#else
#define MPI_REAL_HERE MPI_DOUBLE
#endif

/* Messages hold pieces of rows, in the order of the rows' numbers: what a block has of the rows of another rank. The
 * points of a block in the order of its memory are then the messages to all ranks, one after another. */
struct triad_rows {
  const triad_context *context;
  triad_partition blocks;
  int64_t *first;                        /* [size + 1]                                    */
  int *block_count, *block_at;           /* reals of this block's message to each rank    */
  int *row_count, *row_at;               /* reals of each block's message to this rank    */
  triad_real *of_block, *of_rows;        /* all messages                                  */
};

/* Points that the block of rank `block` has in the rows of rank `owner`. */
static int64_t shared(const triad_rows *r, int block, int owner)
{
  int64_t begin[3], local[3], count = 0;
  triad_partition_of(&r->blocks, block, begin, local);
  for (int64_t z = begin[2]; z < begin[2] + local[2]; z++) {
    int64_t low = z * r->blocks.n[1] + begin[1], high = low + local[1];
    if (low < r->first[owner]) low = r->first[owner];
    if (high > r->first[owner + 1]) high = r->first[owner + 1];
    if (high > low) count += high - low;
  }
  return count * local[0];
}

static int place(const int *count, int size, int *at)
{
  int64_t sum = 0;
  for (int i = 0; i < size; i++) {
    TRIAD_TRY(triad_narrow(sum, &at[i]));
    sum += count[i];
  }
  int unused;
  return triad_narrow(sum, &unused);
}

static int plan(triad_rows *r, const int64_t *first)
{
  int rank = r->context->comm.rank, size = r->context->comm.size;
  int64_t rows = r->blocks.n[1] * r->blocks.n[2];
  r->first = calloc((size_t)size + 1, sizeof *r->first);
  r->block_count = calloc(4 * (size_t)size, sizeof *r->block_count);
  if (!r->first || !r->block_count) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "rows of %d ranks", size);
  r->block_at = r->block_count + size;
  r->row_count = r->block_at + size;
  r->row_at = r->row_count + size;
  for (int i = 0; i <= size; i++) r->first[i] = first ? first[i] : triad_deal(rows, i, size);
  for (int i = 0; i < size; i++) {
    TRIAD_TRY(triad_narrow(shared(r, rank, i), &r->block_count[i]));
    TRIAD_TRY(triad_narrow(shared(r, i, rank), &r->row_count[i]));
  }
  TRIAD_TRY(place(r->block_count, size, r->block_at));
  TRIAD_TRY(place(r->row_count, size, r->row_at));
  TRIAD_TRY(TRIAD_TAKE(r->context->memory, "rows of a field", triad_partition_points(&r->blocks), &r->of_block));
  return TRIAD_TAKE(r->context->memory, "rows of a field", triad_rows_count(r) * r->blocks.n[0], &r->of_rows);
}

int triad_rows_create(triad_rows **out, const triad_context *context, const triad_partition *blocks, const int64_t *first)
{
  triad_rows *r = *out = calloc(1, sizeof *r);
  int st = r ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the rows of a field");
  if (r) {
    r->context = context;
    r->blocks = *blocks;
    st = plan(r, first);
  }
  st = triad_agree(&context->comm, st);
  if (st != TRIAD_OK) triad_rows_destroy(out);
  return st;
}

void triad_rows_destroy(triad_rows **rows)
{
  if (!rows || !*rows) return;
  triad_rows *r = *rows;
  TRIAD_GIVE(r->context->memory, &r->of_block);
  TRIAD_GIVE(r->context->memory, &r->of_rows);
  free(r->first);
  free(r->block_count);
  free(r);
  *rows = NULL;
}

int64_t triad_rows_first(const triad_rows *r) { return r->first[r->context->comm.rank]; }

int64_t triad_rows_count(const triad_rows *r)
{
  return r->first[r->context->comm.rank + 1] - r->first[r->context->comm.rank];
}

/* Own points, row by row, between a field and messages. */
static void copy_block(const triad_rows *r, const triad_partition *b, triad_real *field, int pack)
{
  size_t bytes = (size_t)b->local[0] * sizeof *field;
  triad_real *piece = r->of_block;
  for (int64_t z = 0; z < b->local[2]; z++)
    for (int64_t y = 0; y < b->local[1]; y++, piece += b->local[0]) {
      triad_real *own = field + triad_partition_at(b, 0, y, z);
      memcpy(pack ? piece : own, pack ? own : piece, bytes);
    }
}

/* Pieces of every block, between messages and whole rows. */
static void copy_rows(const triad_rows *r, triad_real *rows, int unpack)
{
  const triad_comm *comm = &r->context->comm;
  int64_t low = r->first[comm->rank], high = r->first[comm->rank + 1];
  for (int i = 0; i < comm->size; i++) {
    int64_t begin[3], local[3];
    triad_real *piece = r->of_rows + r->row_at[i];
    triad_partition_of(&r->blocks, i, begin, local);
    for (int64_t z = begin[2]; z < begin[2] + local[2] && r->row_count[i] > 0; z++)
      for (int64_t y = begin[1]; y < begin[1] + local[1]; y++) {
        int64_t row = z * r->blocks.n[1] + y;
        if (row < low || row >= high) continue;
        triad_real *whole = rows + (row - low) * r->blocks.n[0] + begin[0];
        memcpy(unpack ? whole : piece, unpack ? piece : whole, (size_t)local[0] * sizeof *rows);
        piece += local[0];
      }
  }
}

int triad_rows_gather(triad_rows *r, const triad_partition *lies, const triad_real *field, triad_real *out)
{
  copy_block(r, lies, (triad_real *)(uintptr_t)field, 1);
  TRIAD_TRY(TRIAD_MPI(MPI_Alltoallv(r->of_block, r->block_count, r->block_at, MPI_REAL_HERE, r->of_rows, r->row_count,
                                    r->row_at, MPI_REAL_HERE, r->context->comm.mpi)));
  copy_rows(r, out, 1);
  return TRIAD_OK;
}

int triad_rows_scatter(triad_rows *r, const triad_real *in, const triad_partition *lies, triad_real *field)
{
  copy_rows(r, (triad_real *)(uintptr_t)in, 0);
  TRIAD_TRY(TRIAD_MPI(MPI_Alltoallv(r->of_rows, r->row_count, r->row_at, MPI_REAL_HERE, r->of_block, r->block_count,
                                    r->block_at, MPI_REAL_HERE, r->context->comm.mpi)));
  copy_block(r, lies, field, 0);
  return TRIAD_OK;
}
