/* Slices of a run: planes of physical space, every output.slices_interval, as HDF5 and PNG
 * (store/formats/slicefile.h).
 *
 * A step waits only for one traversal of the modes per plane and field, and for one sum over ranks. The rest
 * (transforms of planes, colours and files) is done by a thread of rank 0 during the next steps. That thread calls
 * neither MPI nor anything that other code uses meanwhile: call wait before using HDF5 elsewhere. */
#ifndef TRIAD_SOLVERS_SPECTRAL_MEASURE_SLICES_H
#define TRIAD_SOLVERS_SPECTRAL_MEASURE_SLICES_H

#include "solvers/spectral/flow.h"
#include "store/checkpoint/notes.h"

typedef struct triad_slices triad_slices;

/* Can the case's slices be shown? TRIAD_ERR_CASE. Not collective. */
int triad_slices_check(const triad_case *given, const triad_shape *shape);

/* What one time of slices takes on the disk, at most: HDF5 and pictures that do not compress. Not collective. */
int64_t triad_slices_bytes(const triad_case *given, const triad_grid *grid);

/* Bytes of memory that rank 0 takes for them; that each rank takes for the pressure, where one shows it. Not
 * collective. */
int64_t triad_slices_memory(const triad_case *given, const triad_grid *grid, const triad_shape *shape);
int64_t triad_slices_pressure(const triad_case *given, const triad_layout *layout);

/* Room and plans for what the case asks for; *out stays NULL where output.slices_interval is 0. Collective; failures
 * have been printed, here and below. */
int triad_slices_create(triad_slices **out, triad_flow *flow);

/* Wait for the thread; log how long steps waited. Accepts NULL. Not collective. */
void triad_slices_destroy(triad_slices **slices);

/* Set the log for these messages. */
void triad_slices_log(triad_slices *slices, triad_log *log);

/* Take the slices of the state as it is; notes and run_dir must live until the next wait. A failure to write the ones
 * before comes out here, or in wait. TRIAD_ERR_IO, TRIAD_ERR_MEMORY. Collective. */
int triad_slices_write(triad_slices *slices, const char *run_dir, const triad_notes *notes);

/* Seconds of processor time that the thread took from the cores of steps since the last call, up to the last wait; 0 on
 * ranks without the thread, and if cores are free. Accepts NULL. Not collective. */
double triad_slices_taken(triad_slices *slices);

/* Wait until they are on the disk. Accepts NULL. Collective. */
int triad_slices_wait(triad_slices *slices);

#endif
