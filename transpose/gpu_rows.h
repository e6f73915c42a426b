/* The exchange within a group between GPUs that share planes: lines along y on one side, rows along x on the other (as
 * rows.h on CPUs). Planes are sent in the chunks of gpu_exchange.h, each in a slot of its own; all fields of a chunk
 * are one message per pair of members and direction.
 *
 * The window of member m is one piece of device memory, depth slots of [lines][arrived][leaving], then the flags of
 * the transport. A line's room is `pitch` numbers, the same for all members: the most lines that one has, in whole
 * cache lines.
 *   lines    [member q][field][plane of chunk][row of q][line of m]: what lines along y leave for q, m itself among
 *            them, and what
 *            comes back of it. The part of q begins at row y_begin[q] of `apart`, so that it lies there for any
 *            number of fields
 *            and planes
 *   arrived  [member q but m][field][plane of chunk][row of m][line of q]
 *   leaving  the same, of results
 * So row r of field f lies in pieces, (f planes + plane) rows + r times `pitch` numbers behind the start of m's own
 * part of the lines, and its kx so many numbers further as a table says, one for values and one for results: lines
 * along x read and write it there. Where there are fewer values than results, the first ones of a part are left
 * free, so that in m's own part both end together (fft/gpu/gpu_pass.h). Messages go by parallel/transports/messages.h,
 * values on channel 0, results on channel 1. */
#ifndef TRIAD_TRANSPOSE_GPU_ROWS_H
#define TRIAD_TRANSPOSE_GPU_ROWS_H

#include "base/precision.h"
#include "grid/layout_split.h"
#include "parallel/device.h"
#include "transpose/gpu_exchange.h"

typedef struct triad_gpu_rows triad_gpu_rows;

/* Create the exchange for these chunks and at most these numbers of fields. `group`: the ranks that share the planes
 * of a layout with group > 1. TRIAD_ERR_MEMORY; TRIAD_ERR_FEATURE if the transport is not available. Collective over
 * `group`. */
int triad_gpu_rows_create(triad_gpu_rows **out, triad_context *group, triad_device *device, const triad_layout *layout,
                          const triad_gpu_chunks *chunks, int most_in, int most_out, const char *transport);
void triad_gpu_rows_destroy(triad_gpu_rows **rows); /* collective over the group */

/* Messages under way between groups at the same time; NULL: none. */
void triad_gpu_rows_beside(triad_gpu_rows *x, triad_gpu_messages *others);

/* The numbers of fields of what follows, at most those of create. */
void triad_gpu_rows_fields(triad_gpu_rows *x, int n_in, int n_out);
const char *triad_gpu_rows_name(const triad_gpu_rows *x); /* of the transport */

/* Complex numbers of a row of any part; fields and planes that a part of `lines` has room for. */
int64_t triad_gpu_rows_pitch(const triad_layout *layout);
int64_t triad_gpu_rows_apart(const triad_gpu_rows *x);

/* The lines of a chunk, and among them this member's own part; fields before the first one of values. */
triad_cplx *triad_gpu_rows_lines(const triad_gpu_rows *x, int64_t chunk);
triad_cplx *triad_gpu_rows_own(const triad_gpu_rows *x, int64_t chunk);
int triad_gpu_rows_behind(const triad_gpu_rows *x);

/* Where each kx of a row lies, [kx_most + 1], the GPU's: of values, and of results. */
const int64_t *triad_gpu_rows_from(const triad_gpu_rows *x);
const int64_t *triad_gpu_rows_to(const triad_gpu_rows *x);

/* The order of calls for a chunk of `planes` planes, from one thread, on its stream: store lines, start_in; wait_in,
 * read rows, store results, start_out; wait_out, read lines. Chunk c starts in after wait_out of c - depth; `end`
 * follows the last one. A failure ends all ranks, as in gpu_exchange.h. */
void triad_gpu_rows_start_in(triad_gpu_rows *x, int64_t chunk, int64_t planes, void *stream);
void triad_gpu_rows_wait_in(triad_gpu_rows *x, int64_t chunk, void *stream);
void triad_gpu_rows_start_out(triad_gpu_rows *x, int64_t chunk, int64_t planes, void *stream);
void triad_gpu_rows_wait_out(triad_gpu_rows *x, int64_t chunk, void *stream);
void triad_gpu_rows_end(triad_gpu_rows *x, void *stream);

/* As triad_gpu_exchange_apart. */
double triad_gpu_rows_timed(triad_gpu_rows *x, int apart);

/* Bytes that this rank sends to others of its group per pass; bytes of device memory that create would allocate. */
int64_t triad_gpu_rows_bytes(const triad_gpu_rows *x);
int64_t triad_gpu_rows_needs(const triad_layout *layout, const triad_gpu_chunks *chunks, int most_in, int most_out);

#endif
