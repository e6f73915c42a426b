/* Halos: the points that a block needs of its neighbours, fetched while the block's interior is at work.
 *
 *   triad_halo_begin(h, fields, n);    pack and send what neighbours need, start to receive
 *   ... work on points further than the halo's width from the block's faces, with triad_halo_progress now and then ...
 *   triad_halo_end(h);                 halo points of the fields now hold the neighbours' values
 *
 * Only owned points are read, only halo points are written. Halo points beyond a boundary that is not periodic are left
 * alone: the solver fills them, after end, over the whole extent of the other axes, so that edges and corners of the halo
 * come out as a neighbour across them would have made them. A periodic axis that is not divided closes by local copies.
 * All fields travel in one message a neighbour and direction. */
#ifndef TRIAD_GRID_HALO_H
#define TRIAD_GRID_HALO_H

#include "base/precision.h"
#include "grid/partition.h"
#include "parallel/context.h"

/* Which neighbours: those across a face only, across edges too, across corners too. A stencil of points along the axes
 * needs faces; mixed second derivatives need edges. */
typedef enum triad_halo_reach { TRIAD_HALO_FACES = 1, TRIAD_HALO_EDGES = 2, TRIAD_HALO_CORNERS = 3 } triad_halo_reach;

enum { TRIAD_HALO_MOST_FIELDS = 32 };

typedef struct triad_halo triad_halo;


/* For at most n_fields fields at once and halos of `width` points, at most the blocks' own (smaller: the outer points of
 * the halo are left alone). Copies *blocks. TRIAD_ERR_MEMORY. Collective. */
int triad_halo_create(triad_halo **out, const triad_context *context, const triad_partition *blocks, int64_t width,
                      int n_fields, triad_halo_reach reach);
void triad_halo_destroy(triad_halo **halo);

/* fields[i] is the start of a field's memory, real [z][y][x] with halos as in grid/partition.h; the same n_fields on all
 * ranks. One exchange of a halo object at a time; on the thread that called MPI_Init_thread. A failing message cannot be
 * agreed on any more: it prints its error and aborts. Collective. */
void triad_halo_begin(triad_halo *halo, triad_real *const *fields, int n_fields);
void triad_halo_end(triad_halo *halo);
void triad_halo_exchange(triad_halo *halo, triad_real *const *fields, int n_fields); /* both */

/* Between begin and end, now and then, on the same thread: most MPI libraries move large messages only while they are
 * called. Cheap; does nothing when nothing is under way. Not collective. */
void triad_halo_progress(const triad_halo *halo);

/* Bytes that this rank sends to others in an exchange of n_fields; those that the buffers take. */
int64_t triad_halo_bytes(const triad_halo *halo, int n_fields);
int64_t triad_halo_buffer_bytes(const triad_partition *blocks, int64_t width, int n_fields, triad_halo_reach reach);

#endif
