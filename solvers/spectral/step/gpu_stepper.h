/* Time steps with the state on a GPU (the stages of stepper.h, the pass of fft/gpu/gpu_pass.h). In a step only scalars
 * cross the bus: the advection rate that dt follows from, and the values of forced modes. Steps are taken by the table
 * of solvers/spectral/gpu_part.h; here is what its files share. */
#ifndef TRIAD_SOLVERS_SPECTRAL_STEP_GPU_STEPPER_H
#define TRIAD_SOLVERS_SPECTRAL_STEP_GPU_STEPPER_H

#include "fft/gpu/gpu_pass.h"
#include "solvers/needs.h"
#include "solvers/spectral/equations/gpu_set.h"
#include "solvers/spectral/step/stepper.h"

typedef struct triad_gpu_stepper triad_gpu_stepper;

/* For measurements of the state (solvers/spectral/measure/gpu_measure.c), between two steps: the state, the set with
 * its law, the layout of the device's fields; the modes that the forcing acts on, brought to flow->u on the host;
 * one pass of a stage for inputs of the caller's, on a grid that is shifted (fft/gpu/gpu_pass.h), and the inputs that
 * are made of the fields. */
const triad_gpu_state *triad_gpu_stepper_state(const triad_gpu_stepper *stepper);
const triad_gpu_set *triad_gpu_stepper_set(const triad_gpu_stepper *stepper, const void **law);
const triad_layout *triad_gpu_stepper_layout(const triad_gpu_stepper *stepper);
int triad_gpu_stepper_show_forced(triad_gpu_stepper *stepper);
int triad_gpu_stepper_pass(triad_gpu_stepper *stepper, int pass, const triad_cplx *const *in, const double *shift);
int triad_gpu_stepper_sources(triad_gpu_stepper *stepper);

/* measure->out[0] <- this rank's part of the power of formulas that are of fields or worked out at points; *has 0:
 * there are none. How those at points are worked out, in words, or 0. */
int triad_gpu_stepper_force_power(triad_gpu_stepper *stepper, int *has, const triad_gpu_measure *measure);
int triad_gpu_stepper_formulas(const triad_gpu_stepper *stepper, char *text, size_t size);

/* How a case's passes are made. Not collective. */
triad_gpu_pass_options triad_gpu_stepper_options(const triad_case *given, const triad_grid *grid);

/* How many numbers a measurement can bring at once. Not collective. */
int64_t triad_gpu_stepper_sums(const triad_case *given, const triad_grid *grid, const triad_shape *shape);

/* How the exchange between GPUs is done. */
typedef struct triad_gpu_traffic {
  const char *transport;
  const char *times; /* of those it was chosen from, in words; "" where the case names one */
  int nstreams;
  int64_t chunks, sent_bytes; /* of this rank, in a pass */
} triad_gpu_traffic;

/* gpu_stage.c: what steps with a state on a GPU and with one that passes through it (gpu_offload.c) share. */

/* Tables of all of a rank's modes, with its columns side by side; the GPU memory they take. Not collective. */
int triad_gpu_modes_alloc(triad_gpu_modes *modes, triad_device *device, const triad_layout *layout);
void triad_gpu_modes_free(triad_gpu_modes *modes, triad_device *device);
int64_t triad_gpu_modes_bytes(const triad_layout *layout);

/* Columns first .. first + count - 1 of them, whose fields are [j][count]. */
triad_gpu_modes triad_gpu_modes_part(const triad_gpu_modes *modes, int64_t first, int64_t count);

/* A stage of a step: everything but modes, fields and results. dt: of the step; tau: to the next stage. */
triad_gpu_update triad_gpu_stage_update(const triad_flow *flow, const triad_scheme *scheme, int stage, double dt,
                                        double tau);

/* gpu_fastest.c: which transport carries the exchange between these ranks' GPUs fastest, found by timing passes of
 * the flow itself: what a message costs alone says little, since some transports take multiprocessors from the
 * transforms and others do not. */
enum { TRIAD_GPU_TIMES = 160 };

/* The pass to time, and the arguments of triad_gpu_pass_create. */
typedef struct triad_gpu_race {
  triad_context *context;
  triad_device *device;
  const triad_layout *layout;
  int most_in, most_out, row_fields;
  triad_gpu_pass_options options; /* its transport is the answer */
  const triad_gpu_job *job;       /* run again and again; its results are thrown away */
} triad_gpu_race;

/* *word: a word for options->transport, the same on all ranks; times: "put 2.71 ms a pass, nccl not to be had", ""
 * where there is nothing to choose. Host buffers (staged) are not tried where memory of the GPU travels by itself. A
 * transport that cannot be made is left out, and times says so; TRIAD_ERR_MEMORY ends it. Collective. */
int triad_gpu_fastest(const triad_gpu_race *race, const char **word, char times[TRIAD_GPU_TIMES]);

/* gpu_pair.c: the transform alone, for `triad bench --reference` on one GPU: three fields, backward to physical space
 * and forward again, compared with three times cuFFT's 3-D transforms.
 *
 * Alternates both measurements: own_s[n], library_s[n] [s]. The fields are those of the flow, the first one repeated
 * if it has fewer; they are not changed. The modes must be recovered: sums of |u|^2 and k^2 |u|^2 to round-off, else
 * TRIAD_ERR_INTERNAL. TRIAD_ERR_MEMORY. For one rank whose state is on its GPU. */
int triad_gpu_pair(triad_gpu_stepper *stepper, const triad_grid *grid, int n, double *own_s, double *library_s);

#endif
