/* Rows of planes in memory shared by the ranks of a group, if all of them are on one node: transpose/rows.h without
 * messages. A member writes its kx directly into the rows of the others, and reads its kx from them.
 *
 * There is memory for three chunks of planes in each direction, complex [plane][field][row of q][stride] at member q.
 * Empty messages signal when others may read or write. */
#ifndef TRIAD_TRANSPOSE_SHARED_ROWS_H
#define TRIAD_TRANSPOSE_SHARED_ROWS_H

#include "base/precision.h"
#include "grid/layout_split.h"
#include "parallel/context.h"

typedef struct triad_shared_rows triad_shared_rows;

/* As triad_rows_create, with rows of `stride` numbers. *out is NULL where the group's ranks cannot share memory: then
 * there are messages. TRIAD_ERR_MEMORY. Collective over `group`. */
int triad_shared_rows_create(triad_shared_rows **out, const triad_context *context, const triad_comm *group,
                             const triad_layout *layout, int64_t stride, int64_t chunk_planes, int n_in, int n_out);
void triad_shared_rows_destroy(triad_shared_rows **rows); /* collective over the group */

/* Rows of member q of plane `at` of a chunk: values on their way in, and results on their way out. */
triad_cplx *triad_shared_rows_in(const triad_shared_rows *x, int64_t chunk, int64_t at, int f, int q);
triad_cplx *triad_shared_rows_out(const triad_shared_rows *x, int64_t chunk, int64_t at, int f, int q);

/* As those of transpose/rows.h: this member has put its lines in, or its results; wait until all have. */
enum { TRIAD_ROWS_IN, TRIAD_ROWS_OUT };
void triad_shared_rows_done(triad_shared_rows *x, int64_t chunk, int way);
void triad_shared_rows_wait(triad_shared_rows *x, int64_t chunk, int way);

#endif
