/* Halo exchange on the host: fetch the values that a rank needs from other ranks while it computes points that need
 * none.
 *
 *   triad_halo_begin(h, fields, n);    pack and send, start to receive
 *   ... compute points farther than the halo's width from other ranks; call triad_halo_progress now and then ...
 *   triad_halo_end(h);                 the halos of the fields are filled
 *
 * The plan determines which values are exchanged (exchange_plan.h). With the plan of a partition (halo_plan.c) only
 * own points are read and only halo points are written. Halo points beyond a boundary that is not periodic are not
 * written: the solver fills them after `end`, over the whole extent of the other axes, which gives edges and corners
 * of the halo the values that a neighbour would compute. All fields go in one message per neighbour. */
#ifndef TRIAD_GRID_FIELDS_HALO_H
#define TRIAD_GRID_FIELDS_HALO_H

#include "base/precision.h"
#include "grid/exchange_plan.h"
#include "grid/partition.h"
#include "parallel/context.h"

/* The plan of a partition's halos fills halo points with the values of the blocks that own them. The reach selects
 * neighbours: across faces; also across edges; also across corners. A stencil along the axes needs faces, mixed second
 * derivatives need edges. */
typedef enum triad_halo_reach { TRIAD_HALO_FACES = 1, TRIAD_HALO_EDGES = 2, TRIAD_HALO_CORNERS = 3 } triad_halo_reach;

/* Create the plan for halos of `width` points, at most the partition's (if less, the outer halo points are not
 * written). Halo points beyond a non-periodic boundary are in no run; a periodic axis that is not divided is closed by
 * copies. Ordered, not closed. TRIAD_ERR_MEMORY; TRIAD_ERR_INTERNAL for a width above the partition's.
 * Not collective. */
int triad_halo_plan_create(triad_exchange_plan **out, const triad_partition *blocks, int64_t width,
                           triad_halo_reach reach);

/* Values per field that this rank sends by such a plan; it receives the same number. Not collective. */
int64_t triad_halo_plan_points(const triad_partition *blocks, int64_t width, triad_halo_reach reach);

enum { TRIAD_HALO_MOST_FIELDS = 32 };

typedef struct triad_halo triad_halo;

/* Create an exchange of at most n_fields fields at once. It owns the plan afterwards, and *plan is NULL.
 * TRIAD_ERR_MEMORY; TRIAD_ERR_INTERNAL if the sides of the plan disagree; agreed on all ranks. Collective. */
int triad_halo_create(triad_halo **out, const triad_context *context, triad_exchange_plan **plan, int n_fields);

/* The same for halos of a partition, `width` points wide. */
int triad_halo_create_of(triad_halo **out, const triad_context *context, const triad_partition *blocks, int64_t width,
                         int n_fields, triad_halo_reach reach);
void triad_halo_destroy(triad_halo **halo);

/* fields[i] points to the start of a field, to which the plan's indices refer; n_fields is the same on all ranks. One
 * exchange at a time per halo object, on the thread that called MPI_Init_thread. A failing message prints its error
 * and aborts all ranks, since they can no longer agree on it. Collective. */
void triad_halo_begin(triad_halo *halo, triad_real *const *fields, int n_fields);
void triad_halo_end(triad_halo *halo);
void triad_halo_exchange(triad_halo *halo, triad_real *const *fields, int n_fields); /* both */

/* Call it now and then between begin and end, on the same thread: most MPI libraries make progress on large messages
 * only inside MPI calls. Cheap; does nothing if no exchange is active. Not collective. */
void triad_halo_progress(const triad_halo *halo);

/* bytes: bytes that this rank sends to other ranks per exchange of n_fields. buffer_bytes: size of the buffers of
 * create_of. */
int64_t triad_halo_bytes(const triad_halo *halo, int n_fields);
int64_t triad_halo_buffer_bytes(const triad_partition *blocks, int64_t width, int n_fields, triad_halo_reach reach);

#endif
