/* The global exchange: columns of all z on one side, whole planes on the other, a chunk of planes at a time.
 *
 * Each rank holds its columns at every z in a work array; the owner of plane z needs all ranks' columns there.
 * Planes travel in chunks of `chunk_planes` of every rank, `depth` chunks in flight: while chunk c is computed,
 * c+1 .. c+depth-1 are on their way in and c-1 on its way out. All fields of a chunk go in one message per peer,
 * straight out of the work array and back into it, so nothing is packed on the column side.
 *
 * Work array: a rank's columns at plane z, field f of n lie at work + offset(z) + f * padded columns. Planes of
 * another rank are stored chunk by chunk, complex [plane of chunk][n fields][padded columns], which is its message;
 * own planes have room for the larger of n_in and n_out each, so that results may overwrite inputs plane by plane. */
#ifndef TRIAD_TRANSPOSE_EXCHANGE_H
#define TRIAD_TRANSPOSE_EXCHANGE_H

#include "parallel/context.h"
#include "transpose/columns.h"

typedef struct triad_exchange triad_exchange;

/* For at most n_in fields inwards and n_out outwards; depth <= 0 chooses. The layout's blocks must have TRIAD_LANES
 * lanes. TRIAD_ERR_MEMORY. Collective. */
int triad_exchange_create(triad_exchange **out, triad_context *context, const triad_columns *columns,
                          const triad_layout *layout, int n_in, int n_out, int depth);
void triad_exchange_destroy(triad_exchange **exchange);

int64_t triad_exchange_chunks(const triad_exchange *x);
int triad_exchange_depth(const triad_exchange *x);
int64_t triad_exchange_chunk_planes(const triad_exchange *x); /* the most of one */
/* Own planes of a chunk, local numbers *begin .. *end - 1 (none where this rank has run out of planes). */
void triad_exchange_planes(const triad_exchange *x, int64_t chunk, int64_t *begin, int64_t *end);

/* The numbers of fields of the next exchange, at most those of create. Not collective, but equal on all ranks. */
void triad_exchange_fields(triad_exchange *x, int n_in, int n_out);

/* Column side: put a block of columns of field f, complex [z][lane], where it will be sent from; fetch it from where
 * it came back. */
void triad_exchange_store(const triad_exchange *x, int64_t block, int f, const triad_cplx *columns);
void triad_exchange_load(const triad_exchange *x, int64_t block, int f, triad_cplx *columns);

/* Where this rank's columns of field 0 at plane z of all lie; those of field f lie f * padded columns further. */
triad_cplx *triad_exchange_column_in(const triad_exchange *x, int64_t z);
triad_cplx *triad_exchange_column_out(const triad_exchange *x, int64_t z);

/* Rank r's columns at local plane z of a chunk that has arrived / that is to be sent. */
const triad_cplx *triad_exchange_plane_in(const triad_exchange *x, int64_t chunk, int64_t z, int f, int r);
triad_cplx *triad_exchange_plane_out(const triad_exchange *x, int64_t chunk, int64_t z, int f, int r);

/* In this order, on the thread that called MPI_Init_thread: begin; for each chunk: wait, (compute, with progress
 * now and then), send; end. A failing message cannot be agreed on any more: it prints its error and aborts. */
void triad_exchange_begin(triad_exchange *x);
void triad_exchange_wait(triad_exchange *x, int64_t chunk);
void triad_exchange_progress(triad_exchange *x);
void triad_exchange_send(triad_exchange *x, int64_t chunk);
void triad_exchange_end(triad_exchange *x);

int64_t triad_exchange_bytes(const triad_exchange *x); /* sent by this rank in one pass */

/* The memory behind all this, for those who pin it: the work array, what arrives, what leaves (NULL with one rank). */
enum { TRIAD_EXCHANGE_PIECES = 3 };
typedef struct triad_exchange_piece {
  void *pointer;
  int64_t bytes;
} triad_exchange_piece;
void triad_exchange_pieces(const triad_exchange *x, triad_exchange_piece pieces[TRIAD_EXCHANGE_PIECES]);

/* Complex numbers of the work array and of the buffers, for a memory estimate without making one. */
int64_t triad_exchange_work_size(const triad_layout *layout, int n_in, int n_out);
int64_t triad_exchange_buffer_size(const triad_layout *layout, int threads, int n_in, int n_out, int depth);

/* How planes would be cut: planes of a chunk, chunks, chunks in flight. Not collective. */
void triad_exchange_cut(const triad_layout *layout, int threads, int n_in, int n_out, int depth, int64_t cut[3]);

#endif
