/* Halo exchange of fields in GPU memory, one GPU per rank: the counterpart of halo.h. Kernels pack and unpack;
 * parallel/transports/messages.h communicates while the inner points are computed.
 *
 *   triad_gpu_halo_begin(h, fields, n, stream);   pack and send values to other ranks; make copies within the rank
 *   ... launch kernels on points farther than the halo's width from other ranks ...
 *   triad_gpu_halo_end(h, stream);                kernels launched from here on read filled halos
 *
 * The plan determines which values are read and written (exchange_plan.h). */
#ifndef TRIAD_GRID_FIELDS_GPU_HALO_H
#define TRIAD_GRID_FIELDS_GPU_HALO_H

#include "base/precision.h"
#include "grid/fields/halo.h"
#include "parallel/context.h"
#include "parallel/device.h"

typedef struct triad_gpu_halo triad_gpu_halo;

/* Create an exchange of at most n_fields fields at once. It owns the plan afterwards, and *plan is NULL. transport:
 * value of the key parallel.transport. TRIAD_ERR_MEMORY, TRIAD_ERR_FEATURE; TRIAD_ERR_INTERNAL if the sides of the
 * plan disagree; agreed on all ranks. Collective. */
int triad_gpu_halo_create(triad_gpu_halo **out, triad_context *context, triad_device *device,
                          triad_exchange_plan **plan, int n_fields, const char *transport);

/* The same for halos of a partition, `width` points wide. */
int triad_gpu_halo_create_of(triad_gpu_halo **out, triad_context *context, triad_device *device,
                             const triad_partition *blocks, int64_t width, int n_fields, triad_halo_reach reach,
                             const char *transport);
void triad_gpu_halo_destroy(triad_gpu_halo **halo); /* collective */

/* fields[i] points to the start of a field in device memory, to which the plan's indices refer; n_fields is the same
 * on all ranks. One exchange at a time, on the thread that called MPI_Init_thread. A failure prints its error and
 * aborts all ranks, since they can no longer agree on it. Collective. */
void triad_gpu_halo_begin(triad_gpu_halo *halo, triad_real *const *fields, int n_fields, void *stream);
void triad_gpu_halo_end(triad_gpu_halo *halo, void *stream);

/* bytes: bytes that this rank sends to other ranks per exchange of n_fields. needs: device memory that create_of would
 * allocate. */
int64_t triad_gpu_halo_bytes(const triad_gpu_halo *halo, int n_fields);
int64_t triad_gpu_halo_needs(const triad_partition *blocks, int64_t width, int n_fields, triad_halo_reach reach);

/* The name of the transport; "none" on one rank. */
const char *triad_gpu_halo_transport(const triad_gpu_halo *halo);

/* Returns 1 if messages go directly from GPU to GPU within a node, which takes little longer than a few kernels. */
int triad_gpu_halo_is_direct(const triad_gpu_halo *halo);

#endif
