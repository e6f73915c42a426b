/* Halos of fields that lie on GPUs, one a rank: halo.h between devices. Packed and unpacked by kernels, carried by
 * parallel/transports/messages.h while what needs no other rank is at work.
 *
 *   triad_gpu_halo_begin(h, fields, n, stream);   what others need is packed and sent; copies within the rank are made
 *   ... launch work on what is further than the halo's width from other ranks ...
 *   triad_gpu_halo_end(h, stream);                what is launched from here on finds the others' values
 *
 * Which numbers are read and written is the plan's (exchange_plan.h). */
#ifndef TRIAD_GRID_FIELDS_GPU_HALO_H
#define TRIAD_GRID_FIELDS_GPU_HALO_H

#include "base/precision.h"
#include "grid/fields/halo.h"
#include "parallel/context.h"
#include "parallel/device.h"

typedef struct triad_gpu_halo triad_gpu_halo;

/* For at most n_fields fields at once. Takes the plan over: *plan is NULL afterwards. transport: the case's word
 * parallel.transport. TRIAD_ERR_MEMORY, TRIAD_ERR_FEATURE; TRIAD_ERR_INTERNAL for a plan whose sides disagree.
 * Collective; agreed. */
int triad_gpu_halo_create(triad_gpu_halo **out, triad_context *context, triad_device *device,
                          triad_exchange_plan **plan, int n_fields, const char *transport);

/* The same, for the halos of a partition, `width` points wide. */
int triad_gpu_halo_create_of(triad_gpu_halo **out, triad_context *context, triad_device *device,
                             const triad_partition *blocks, int64_t width, int n_fields, triad_halo_reach reach,
                             const char *transport);
void triad_gpu_halo_destroy(triad_gpu_halo **halo); /* collective */

/* fields[i] is the start of a field's memory on the device, in which the plan counts places; the same n_fields on all
 * ranks. One exchange at a time, on the thread that called MPI_Init_thread. A failure cannot be agreed on any more: it
 * prints its error and ends all ranks. Collective. */
void triad_gpu_halo_begin(triad_gpu_halo *halo, triad_real *const *fields, int n_fields, void *stream);
void triad_gpu_halo_end(triad_gpu_halo *halo, void *stream);

/* Bytes that this rank sends to others in an exchange of n_fields; device memory that create_of would take. */
int64_t triad_gpu_halo_bytes(const triad_gpu_halo *halo, int n_fields);
int64_t triad_gpu_halo_needs(const triad_partition *blocks, int64_t width, int n_fields, triad_halo_reach reach);

/* The word of what carries the messages; "none" on one rank. */
const char *triad_gpu_halo_transport(const triad_gpu_halo *halo);

/* Do messages go straight from GPU to GPU of one node? Then they take hardly longer than a few kernels. */
int triad_gpu_halo_is_direct(const triad_gpu_halo *halo);

#endif
