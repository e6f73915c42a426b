/* A dataset in slabs: fields of any space as files have them, and back.
 *
 * A line is the last dimension of the dataset (an entry of its own where there is but one dimension). Lines are dealt
 * to ranks in order, by what the first dimension holds: whole planes of [z][y][x], columns of [column][kz]. Where the
 * runs of the space are these lines in this order already, nothing is exchanged. Compiled in both precisions. */
#ifndef TRIAD_GRID_FIELDS_SLAB_H
#define TRIAD_GRID_FIELDS_SLAB_H

#include "base/precision.h"
#include "grid/space.h"
#include "parallel/context.h"

typedef struct triad_slab triad_slab;

/* Copies *space. Where runs are exchanged between ranks takes room for a field as it is here, and as lines.
 * TRIAD_ERR_MEMORY. Collective. */
int triad_slab_create(triad_slab **out, const triad_context *context, const triad_space *space);
void triad_slab_destroy(triad_slab **slab);

/* This rank's lines: the number of its first, and how many; reals in each. */
int64_t triad_slab_first(const triad_slab *slab);
int64_t triad_slab_count(const triad_slab *slab);
int64_t triad_slab_reals(const triad_slab *slab);

/* A field to lines, real [count][reals], and the reverse, which leaves ghosts alone. TRIAD_ERR_INTERNAL when MPI fails.
 * Collective. */
int triad_slab_gather(triad_slab *slab, const triad_real *field, triad_real *lines);
int triad_slab_scatter(triad_slab *slab, const triad_real *lines, triad_real *field);

/* Is nothing exchanged? Then also a part at a time, lines at .. at + n - 1 of this rank's. Not collective. */
int triad_slab_is_direct(const triad_slab *slab);
void triad_slab_pack(const triad_slab *slab, int64_t at, int64_t n, const triad_real *field, triad_real *lines);
void triad_slab_unpack(const triad_slab *slab, int64_t at, int64_t n, const triad_real *lines, triad_real *field);

#endif
