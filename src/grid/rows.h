/* A field of blocks as whole rows, and back: what files and the distributed transform want.
 *
 * Row number z n[1] + y holds the n[0] points of one y and z. Rows are dealt to ranks in runs; rank r has rows
 * first[r] .. first[r+1] - 1 as real [row][x], x fastest. With runs of whole planes these are the planes of grid/layout.h. */
#ifndef TRIAD_GRID_ROWS_H
#define TRIAD_GRID_ROWS_H

#include "base/precision.h"
#include "grid/partition.h"
#include "parallel/context.h"

typedef struct triad_rows triad_rows;


/* first[size + 1] (copied; NULL: rows dealt evenly). Takes room for one field, twice. TRIAD_ERR_MEMORY. Collective. */
int triad_rows_create(triad_rows **out, const triad_context *context, const triad_partition *blocks, const int64_t *first);
void triad_rows_destroy(triad_rows **rows);

/* This rank's rows: the number of its first, and how many. */
int64_t triad_rows_first(const triad_rows *rows);
int64_t triad_rows_count(const triad_rows *rows);

/* Own points of a field to rows [count][n[0]]; the reverse, which leaves halos alone. `lies` tells how the field lies in
 * memory: blocks of the same division, with any halo. TRIAD_ERR_INTERNAL when MPI fails. Collective. */
int triad_rows_gather(triad_rows *rows, const triad_partition *lies, const triad_real *field, triad_real *out);
int triad_rows_scatter(triad_rows *rows, const triad_real *in, const triad_partition *lies, triad_real *field);

#endif
