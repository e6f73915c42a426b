/* The exchange within a group of ranks that share planes, between lines along y and rows along x.
 *
 * A member of a group has some lines (kx) of its planes with every y, and some rows (y) with every kx. A chunk of
 * planes is sent as one message per pair of members and direction: from m to q, inwards complex [plane][field][row of
 * q][line of m], outwards [plane][field][row of m][line of q]. Two chunks may be in flight. The part that a member
 * keeps is stored with the data that it sends, and is read there. */
#ifndef TRIAD_TRANSPOSE_ROWS_H
#define TRIAD_TRANSPOSE_ROWS_H

#include "base/precision.h"
#include "grid/layout_split.h"
#include "parallel/context.h"

typedef struct triad_rows triad_rows;

/* For chunks of at most chunk_planes planes, and at most n_in and n_out fields. `group`: the ranks that share the
 * planes of a layout with group > 1. TRIAD_ERR_MEMORY. Collective over `group`. */
int triad_rows_create(triad_rows **out, const triad_context *context, const triad_comm *group,
                      const triad_layout *layout, int64_t chunk_planes, int n_in, int n_out);
void triad_rows_destroy(triad_rows **rows);

/* The numbers of fields of what follows, at most those of create. */
void triad_rows_fields(triad_rows *x, int n_in, int n_out);

/* Plane `at` of a chunk, field f. Lines to put into a message for member q, complex [row of q][line of mine], and to
 * take out of one that came back; and rows that came from member q, complex [row of mine][line of q], and that go
 * back. */
triad_cplx *triad_rows_lines_in(const triad_rows *x, int64_t chunk, int64_t at, int f, int q);
const triad_cplx *triad_rows_lines_out(const triad_rows *x, int64_t chunk, int64_t at, int f, int q);
const triad_cplx *triad_rows_rows_in(const triad_rows *x, int64_t chunk, int64_t at, int f, int q);
triad_cplx *triad_rows_rows_out(const triad_rows *x, int64_t chunk, int64_t at, int f, int q);

/* The order of calls for a chunk of `planes` planes: store lines, start_in; wait_in, read and store rows, start_out;
 * wait_out, read lines. Chunk c may start after wait of chunk c - 2 in the same direction, on the thread that called
 * MPI_Init_thread. A failing message ends all ranks, as in transpose/exchange.h. */
void triad_rows_start_in(triad_rows *x, int64_t chunk, int64_t planes);
void triad_rows_wait_in(triad_rows *x, int64_t chunk);
void triad_rows_start_out(triad_rows *x, int64_t chunk, int64_t planes);
void triad_rows_wait_out(triad_rows *x, int64_t chunk);

/* bytes: bytes that this rank sends to others of its group per pass over its planes. buffer_size: complex numbers in
 * its buffers, without allocating them. */
int64_t triad_rows_bytes(const triad_layout *layout, int n_in, int n_out);
int64_t triad_rows_buffer_size(const triad_layout *layout, int64_t chunk_planes, int n_in, int n_out);

/* How many planes go through a group at once, of chunks of chunk_planes: few enough to stay in cache, as many as fill
 * whole batches of lines and give all threads some. The same on all ranks that have as many threads. */
int64_t triad_rows_at_once(const triad_layout *layout, int threads, int64_t chunk_planes, int n_in, int n_out);

#endif
