/* Halos: numbers of other ranks that a rank's own need, fetched while it works at those that need none.
 *
 *   triad_halo_begin(h, fields, n);    pack and send what others need, start to receive
 *   ... work on what is further than the halo's width from other ranks, with triad_halo_progress now and then ...
 *   triad_halo_end(h);                 the fields now hold the others' values
 *
 * Which numbers go where is a plan's (exchange_plan.h). With that of a partition (halo_plan.c) only owned points are
 * read and only halo points are written; halo points beyond a boundary that is not periodic are left alone: the solver
 * fills them, after end, over the whole extent of the other axes, so that edges and corners of the halo come out as a
 * neighbour across them would have made them. All fields travel in one message a neighbour. */
#ifndef TRIAD_GRID_FIELDS_HALO_H
#define TRIAD_GRID_FIELDS_HALO_H

#include "base/precision.h"
#include "grid/exchange_plan.h"
#include "grid/partition.h"
#include "parallel/context.h"

/* The plan of a partition's halos: halo points are filled with the values of the blocks that own them.
 *
 * Which neighbours: those across a face only, across edges too, across corners too. A stencil of points along the axes
 * needs faces; mixed second derivatives need edges. */
typedef enum triad_halo_reach { TRIAD_HALO_FACES = 1, TRIAD_HALO_EDGES = 2, TRIAD_HALO_CORNERS = 3 } triad_halo_reach;

/* For halos of `width` points, at most the blocks' own (smaller: the outer points of the halo are left alone). Halo
 * points beyond a boundary that is not periodic are in no run; a periodic axis that is not divided closes by copies. In
 * order, not closed. TRIAD_ERR_MEMORY; TRIAD_ERR_INTERNAL for a width that the blocks do not have. Not collective. */
int triad_halo_plan_create(triad_exchange_plan **out, const triad_partition *blocks, int64_t width,
                           triad_halo_reach reach);

/* Numbers of a field that this rank sends by such a plan, and receives: as many. Not collective. */
int64_t triad_halo_plan_points(const triad_partition *blocks, int64_t width, triad_halo_reach reach);

enum { TRIAD_HALO_MOST_FIELDS = 32 };

typedef struct triad_halo triad_halo;

/* For at most n_fields fields at once. Takes the plan over: *plan is NULL afterwards. TRIAD_ERR_MEMORY;
 * TRIAD_ERR_INTERNAL for a plan whose sides disagree. Collective; agreed. */
int triad_halo_create(triad_halo **out, const triad_context *context, triad_exchange_plan **plan, int n_fields);

/* The same, for the halos of a partition, `width` points wide. */
int triad_halo_create_of(triad_halo **out, const triad_context *context, const triad_partition *blocks, int64_t width,
                         int n_fields, triad_halo_reach reach);
void triad_halo_destroy(triad_halo **halo);

/* fields[i] is the start of a field's memory, in which the plan counts places; the same n_fields on all ranks. One
 * exchange of a halo object at a time; on the thread that called MPI_Init_thread. A failing message cannot be agreed on
 * any more: it prints its error and ends all ranks. Collective. */
void triad_halo_begin(triad_halo *halo, triad_real *const *fields, int n_fields);
void triad_halo_end(triad_halo *halo);
void triad_halo_exchange(triad_halo *halo, triad_real *const *fields, int n_fields); /* both */

/* Between begin and end, now and then, on the same thread: most MPI libraries move large messages only while they are
 * called. Cheap; does nothing when nothing is under way. Not collective. */
void triad_halo_progress(const triad_halo *halo);

/* Bytes that this rank sends to others in an exchange of n_fields; those that the buffers of create_of take. */
int64_t triad_halo_bytes(const triad_halo *halo, int n_fields);
int64_t triad_halo_buffer_bytes(const triad_partition *blocks, int64_t width, int n_fields, triad_halo_reach reach);

#endif
