/* Exchange chunks of planes between columns and planes by nonblocking MPI messages, with several chunks in flight. */
#include "transpose/exchange.h"
#include "base/minmax.h"
#include "parallel/wait.h"

#include <stdlib.h>
#include <string.h>

#ifdef TRIAD_SINGLE
#define MPI_CPLX MPI_C_FLOAT_COMPLEX
#else
#define MPI_CPLX MPI_C_DOUBLE_COMPLEX
#endif

enum { TAG_IN = 1, TAG_OUT = 2, DEFAULT_DEPTH = 4, MESSAGE_BYTES = 512 << 10 };

struct triad_exchange {
  triad_context *context;
  const triad_layout *layout;
  const triad_columns *columns;
  int n_in, n_out; /* fields of the exchange at hand                               */
  int most_in, most_out, depth;
  int64_t chunk_planes, n_chunks;
  int64_t own, others;             /* padded columns: this rank's, all other ranks'                */
  int64_t *peer_offset;            /* [size] padded columns of the other ranks before rank r       */
  int64_t *offset_in, *offset_out; /* [nz] of plane z in the work array                            */
  triad_cplx *work;
  triad_cplx *arrived, *leaving;             /* [depth] slots of [rank][plane][field][column]                */
  MPI_Request *recv_in, *send_in, *send_out; /* [depth][size]                                      */
  MPI_Request *recv_out;                     /* [n_chunks][size]                                             */
};

int64_t triad_exchange_work_size(const triad_layout *l, int n_in, int n_out)
{
  return l->grid.n[2] * triad_max_count(n_in, n_out) * l->n_blocks * l->lanes;
}

/* Planes of rank r in a chunk, local numbers. */
static void chunk_of_rank(const triad_exchange *x, int r, int64_t chunk, int64_t *begin, int64_t *end)
{
  int64_t planes = x->layout->plane_begin[r + 1] - x->layout->plane_begin[r];
  *begin = triad_min_count(chunk * x->chunk_planes, planes);
  *end = triad_min_count(*begin + x->chunk_planes, planes);
}

typedef struct chunking {
  int64_t planes, count;
  int depth;
} chunking;

/* Chunks large enough that a message is worth its start-up and every thread has a plane, small enough that
 * `depth` of them are in flight. With one rank nothing travels and one chunk does. */
static chunking choose_chunks(const triad_layout *l, int threads, int n_in, int n_out, int depth)
{
  int64_t most = (l->grid.n[2] + l->size - 1) / l->size;
  chunking c = {.planes = most, .depth = depth > 0 ? depth : DEFAULT_DEPTH};
  if (l->size > 1) {
    int64_t plane = triad_max_count(1, l->even_columns * triad_max_count(n_in, n_out) * (int64_t)sizeof(triad_cplx));
    c.planes = triad_max_count(triad_max_count(1, MESSAGE_BYTES / plane), threads);
    c.planes = triad_min_count(c.planes, triad_max_count(1, (most + c.depth - 1) / c.depth));
  }
  c.count = (most + c.planes - 1) / c.planes;
  c.depth = (int)triad_min_count(c.depth, c.count);
  return c;
}

void triad_exchange_cut(const triad_layout *l, int threads, int n_in, int n_out, int depth, int64_t cut[3])
{
  chunking c = choose_chunks(l, threads, n_in, n_out, depth);
  cut[0] = c.planes;
  cut[1] = c.count;
  cut[2] = c.depth;
}

int64_t triad_exchange_buffer_size(const triad_layout *l, int threads, int n_in, int n_out, int depth)
{
  if (l->size == 1) return 0;
  chunking c = choose_chunks(l, threads, n_in, n_out, depth);
  int64_t others = l->all_columns - l->n_columns + (l->size - 1) * (l->lanes - 1);
  return c.depth * c.planes * others * (n_in + n_out);
}

void triad_exchange_fields(triad_exchange *x, int n_in, int n_out)
{
  x->n_in = n_in;
  x->n_out = n_out;
  const triad_layout *l = x->layout;
  int64_t room = triad_max_count(x->most_in, x->most_out) * x->own;
  for (int r = 0; r < l->size; r++)
    for (int64_t z = l->plane_begin[r]; z < l->plane_begin[r + 1]; z++) {
      int64_t within = (z - l->plane_begin[r]) % x->chunk_planes;
      if (r == l->rank) within = 0;
      x->offset_in[z] = (z - within) * room + within * x->n_in * x->own;
      x->offset_out[z] = (z - within) * room + within * x->n_out * x->own;
    }
}

static void place_peers(triad_exchange *x)
{
  const triad_layout *l = x->layout;
  x->own = triad_columns_padded(x->columns, l->rank);
  for (int r = 0; r < l->size; r++) {
    x->peer_offset[r] = x->others;
    if (r != l->rank) x->others += triad_columns_padded(x->columns, r);
  }
}

static int take_buffers(triad_exchange *x)
{
  triad_memory *m = x->context->memory;
  int64_t nz = x->layout->grid.n[2], size = x->layout->size;
  TRIAD_TRY(TRIAD_ALLOC(m, "exchange tables", size, &x->peer_offset));
  TRIAD_TRY(TRIAD_ALLOC(m, "exchange tables", nz, &x->offset_in));
  TRIAD_TRY(TRIAD_ALLOC(m, "exchange tables", nz, &x->offset_out));
  place_peers(x);
  triad_exchange_fields(x, x->most_in, x->most_out);
  TRIAD_TRY(TRIAD_ALLOC(m, "work columns", triad_exchange_work_size(x->layout, x->most_in, x->most_out), &x->work));
  if (size == 1) return TRIAD_OK;
  int64_t slot = x->chunk_planes * x->others;
  TRIAD_TRY(TRIAD_ALLOC(m, "exchange buffers", x->depth * slot * x->most_in, &x->arrived));
  TRIAD_TRY(TRIAD_ALLOC(m, "exchange buffers", x->depth * slot * x->most_out, &x->leaving));
  TRIAD_TRY(TRIAD_ALLOC(m, "exchange requests", x->depth * size, &x->recv_in));
  TRIAD_TRY(TRIAD_ALLOC(m, "exchange requests", x->depth * size, &x->send_in));
  TRIAD_TRY(TRIAD_ALLOC(m, "exchange requests", x->depth * size, &x->send_out));
  TRIAD_TRY(TRIAD_ALLOC(m, "exchange requests", x->n_chunks * size, &x->recv_out));
  for (int64_t i = 0; i < x->depth * size; i++) x->recv_in[i] = x->send_in[i] = x->send_out[i] = MPI_REQUEST_NULL;
  for (int64_t i = 0; i < x->n_chunks * size; i++) x->recv_out[i] = MPI_REQUEST_NULL;
  return TRIAD_OK;
}

static int make_exchange(triad_exchange *x, int depth)
{
  int threads = 0;
  /* ranks must cut their planes alike, whatever threads each has */
  int st = TRIAD_MPI(MPI_Allreduce(&x->context->threads, &threads, 1, MPI_INT, MPI_MAX, x->context->comm.mpi));
  chunking c = choose_chunks(x->layout, threads, x->most_in, x->most_out, depth);
  x->chunk_planes = c.planes;
  x->n_chunks = c.count;
  x->depth = c.depth;
  return st == TRIAD_OK ? take_buffers(x) : st;
}

int triad_exchange_create(triad_exchange **out, triad_context *context, const triad_columns *columns,
                          const triad_layout *layout, int n_in, int n_out, int depth)
{
  triad_exchange *x = *out = calloc(1, sizeof *x);
  if (x) x->context = context; /* so that it can be destroyed */
  TRIAD_TRY(triad_agree(&context->comm, x ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the exchange")));
  x->layout = layout;
  x->columns = columns;
  x->most_in = n_in;
  x->most_out = n_out;
  int st = triad_agree(&context->comm, make_exchange(x, depth));
  if (st != TRIAD_OK) triad_exchange_destroy(out);
  return st;
}

void triad_exchange_destroy(triad_exchange **exchange)
{
  if (!exchange || !*exchange) return;
  triad_exchange *x = *exchange;
  triad_memory *m = x->context->memory;
  TRIAD_FREE(m, &x->peer_offset);
  TRIAD_FREE(m, &x->offset_in);
  TRIAD_FREE(m, &x->offset_out);
  TRIAD_FREE(m, &x->work);
  TRIAD_FREE(m, &x->arrived);
  TRIAD_FREE(m, &x->leaving);
  TRIAD_FREE(m, &x->recv_in);
  TRIAD_FREE(m, &x->send_in);
  TRIAD_FREE(m, &x->send_out);
  TRIAD_FREE(m, &x->recv_out);
  free(x);
  *exchange = NULL;
}

int64_t triad_exchange_chunks(const triad_exchange *x) { return x->n_chunks; }
int triad_exchange_depth(const triad_exchange *x) { return x->depth; }
int64_t triad_exchange_chunk_planes(const triad_exchange *x) { return x->chunk_planes; }

void triad_exchange_planes(const triad_exchange *x, int64_t chunk, int64_t *begin, int64_t *end)
{
  chunk_of_rank(x, x->layout->rank, chunk, begin, end);
}

static triad_cplx *work_in(const triad_exchange *x, int64_t z, int f) { return x->work + x->offset_in[z] + f * x->own; }

static triad_cplx *work_out(const triad_exchange *x, int64_t z, int f)
{
  return x->work + x->offset_out[z] + f * x->own;
}

triad_cplx *triad_exchange_column_in(const triad_exchange *x, int64_t z) { return work_in(x, z, 0); }
triad_cplx *triad_exchange_column_out(const triad_exchange *x, int64_t z) { return work_out(x, z, 0); }

void triad_exchange_pieces(const triad_exchange *x, triad_exchange_piece pieces[TRIAD_EXCHANGE_PIECES])
{
  const int64_t cplx = (int64_t)sizeof(triad_cplx), slots = x->depth * x->chunk_planes * x->others * cplx;
  pieces[0] = (triad_exchange_piece){x->work, triad_exchange_work_size(x->layout, x->most_in, x->most_out) * cplx};
  pieces[1] = (triad_exchange_piece){x->arrived, x->arrived ? slots * x->most_in : 0};
  pieces[2] = (triad_exchange_piece){x->leaving, x->leaving ? slots * x->most_out : 0};
}

/* Each row of a block is on another page, so that the processor does not prefetch it: while a block is copied, the
 * rows of the next one, which are adjacent, are prefetched, unless all fit the nearer caches anyway. */
enum { LINE = 64 / (int)sizeof(triad_cplx), NEAR_BYTES = 1 << 20 };

static int64_t prefetched(const triad_exchange *x)
{
  return x->layout->grid.n[2] * x->own * (int64_t)sizeof(triad_cplx) > NEAR_BYTES ? TRIAD_LANES : 0;
}

void triad_exchange_store(const triad_exchange *x, int64_t block, int f, const triad_cplx *columns)
{
  const int64_t ahead = prefetched(x);
  for (int64_t z = 0; z < x->layout->grid.n[2]; z++) {
    triad_cplx *to = work_in(x, z, f) + block * TRIAD_LANES;
    for (int64_t i = 0; i < ahead; i += LINE) __builtin_prefetch(to + TRIAD_LANES + i, 1, 2);
    memcpy(to, columns + z * TRIAD_LANES, TRIAD_LANES * sizeof *columns);
  }
}

void triad_exchange_load(const triad_exchange *x, int64_t block, int f, triad_cplx *columns)
{
  const int64_t ahead = prefetched(x);
  for (int64_t z = 0; z < x->layout->grid.n[2]; z++) {
    const triad_cplx *from = work_out(x, z, f) + block * TRIAD_LANES;
    for (int64_t i = 0; i < ahead; i += LINE) __builtin_prefetch(from + TRIAD_LANES + i, 0, 2);
    memcpy(columns + z * TRIAD_LANES, from, TRIAD_LANES * sizeof *columns);
  }
}

/* Start of rank r's part of a chunk's slot: parts are whole, [plane][field][column], one after another. */
static int64_t slot_part(const triad_exchange *x, int64_t chunk, int r, int n)
{
  int64_t slot = chunk % x->depth * x->chunk_planes * x->others * n; /* slots as small as the fields at hand allow */
  return slot + x->peer_offset[r] * x->chunk_planes * n;
}

static int64_t slot_place(const triad_exchange *x, int64_t chunk, int64_t z, int f, int r, int n)
{
  int64_t begin, end;
  triad_exchange_planes(x, chunk, &begin, &end);
  return slot_part(x, chunk, r, n) + ((z - begin) * n + f) * triad_columns_padded(x->columns, r);
}

const triad_cplx *triad_exchange_plane_in(const triad_exchange *x, int64_t chunk, int64_t z, int f, int r)
{
  const triad_layout *l = x->layout;
  if (r == l->rank) return work_in(x, l->plane_begin[r] + z, f);
  return x->arrived + slot_place(x, chunk, z, f, r, x->n_in);
}

triad_cplx *triad_exchange_plane_out(const triad_exchange *x, int64_t chunk, int64_t z, int f, int r)
{
  const triad_layout *l = x->layout;
  if (r == l->rank) return work_out(x, l->plane_begin[r] + z, f);
  return x->leaving + slot_place(x, chunk, z, f, r, x->n_out);
}

/* The other ranks wait for this message: there is no way back. */
static void must(const triad_exchange *x, int status) { triad_must(&x->context->comm, status); }

static void wait_for(const triad_exchange *x, MPI_Request *requests, int64_t count)
{
  int n = 0;
  must(x, triad_narrow(count, &n));
  must(x, TRIAD_MPI(triad_wait_all(n, requests)));
}

/* Peers in the order rank+1, rank+2, ..: no rank is everybody's first. */
static int peer(const triad_exchange *x, int step) { return (x->layout->rank + step) % x->layout->size; }

static void start_in(triad_exchange *x, int64_t chunk)
{
  if (chunk >= x->n_chunks) return;
  const triad_layout *l = x->layout;
  MPI_Request *recv = x->recv_in + chunk % x->depth * l->size, *send = x->send_in + chunk % x->depth * l->size;
  int64_t begin, end;
  int count = 0;
  triad_exchange_planes(x, chunk, &begin, &end);
  for (int step = 1; step < l->size; step++) {
    int r = peer(x, step);
    must(x, triad_narrow((end - begin) * x->n_in * triad_columns_padded(x->columns, r), &count));
    if (count > 0)
      must(x, TRIAD_MPI(MPI_Irecv(x->arrived + slot_part(x, chunk, r, x->n_in), count, MPI_CPLX, r, TAG_IN,
                                  x->context->comm.mpi, &recv[r])));
  }
  for (int step = 1; step < l->size; step++) {
    int r = peer(x, l->size - step);
    chunk_of_rank(x, r, chunk, &begin, &end);
    must(x, triad_narrow((end - begin) * x->n_in * x->own, &count));
    if (count > 0)
      must(x, TRIAD_MPI(MPI_Isend(work_in(x, l->plane_begin[r] + begin, 0), count, MPI_CPLX, r, TAG_IN,
                                  x->context->comm.mpi, &send[r])));
  }
}

void triad_exchange_begin(triad_exchange *x)
{
  if (x->layout->size == 1) return;
  for (int64_t chunk = 0; chunk < x->depth; chunk++) start_in(x, chunk);
}

void triad_exchange_wait(triad_exchange *x, int64_t chunk)
{
  int size = x->layout->size;
  if (size == 1) return;
  int64_t slot = chunk % x->depth * size;
  wait_for(x, x->recv_in + slot, size);
  wait_for(x, x->send_out + slot, size); /* of chunk - depth: its slot is filled next */
}

void triad_exchange_progress(triad_exchange *x)
{
  if (x->layout->size == 1) return;
  int flag;
  must(x, TRIAD_MPI(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, x->context->comm.mpi, &flag, MPI_STATUS_IGNORE)));
}

void triad_exchange_send(triad_exchange *x, int64_t chunk)
{
  const triad_layout *l = x->layout;
  if (l->size == 1) return;
  int64_t slot = chunk % x->depth * l->size, begin, end;
  int count = 0;
  triad_exchange_planes(x, chunk, &begin, &end);
  for (int step = 1; step < l->size; step++) {
    int r = peer(x, step);
    must(x, triad_narrow((end - begin) * x->n_out * triad_columns_padded(x->columns, r), &count));
    if (count > 0)
      must(x, TRIAD_MPI(MPI_Isend(x->leaving + slot_part(x, chunk, r, x->n_out), count, MPI_CPLX, r, TAG_OUT,
                                  x->context->comm.mpi, &x->send_out[slot + r])));
  }
  /* results come back to where the inputs of this chunk were: those must have left */
  wait_for(x, x->send_in + slot, l->size);
  for (int step = 1; step < l->size; step++) {
    int r = peer(x, l->size - step);
    chunk_of_rank(x, r, chunk, &begin, &end);
    must(x, triad_narrow((end - begin) * x->n_out * x->own, &count));
    if (count > 0)
      must(x, TRIAD_MPI(MPI_Irecv(work_out(x, l->plane_begin[r] + begin, 0), count, MPI_CPLX, r, TAG_OUT,
                                  x->context->comm.mpi, &x->recv_out[chunk * l->size + r])));
  }
  start_in(x, chunk + x->depth);
}

void triad_exchange_end(triad_exchange *x)
{
  if (x->layout->size == 1) return;
  wait_for(x, x->recv_out, x->n_chunks * x->layout->size);
  wait_for(x, x->send_out, (int64_t)x->depth * x->layout->size);
}

int64_t triad_exchange_bytes(const triad_exchange *x)
{
  const triad_layout *l = x->layout;
  int64_t in = (l->grid.n[2] - l->n_planes) * x->own * x->n_in, out = l->n_planes * x->others * x->n_out;
  return (in + out) * (int64_t)sizeof(triad_cplx);
}
