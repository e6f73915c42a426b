/* Time steps with the state on a GPU (the stages of stepper.h, the pass of fft/gpu/gpu_pass.h). In a step only scalars
 * are copied between host and GPU: the advection rate, which determines dt, and the forced modes. Callers use the table
 * of solvers/spectral/gpu_part.h; this header is for files of this folder. */
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

/* A pass with the stress of the closure alone, of the state, on a grid that is shifted. */
int triad_gpu_stepper_closure(triad_gpu_stepper *stepper, const double *shift);

/* The inputs of a pass. */
const triad_cplx *const *triad_gpu_stepper_inputs(const triad_gpu_stepper *stepper, int pass);

/* measure->out[0] <- this rank's part of the power of formulas that are of fields or worked out at points; *has 0:
 * there are none. How those at points are worked out, in words, or 0. */
int triad_gpu_stepper_force_power(triad_gpu_stepper *stepper, int *has, const triad_gpu_measure *measure);
int triad_gpu_stepper_formulas(const triad_gpu_stepper *stepper, char *text, size_t size);

/* How a case's passes are made. Not collective. */
triad_gpu_pass_options triad_gpu_stepper_options(const triad_case *given, const triad_grid *grid);

/* How the exchange between GPUs is done. */
typedef struct triad_gpu_traffic {
  const char *transport;
  const char *times; /* of those it was chosen from, in words; "" where the case names one */
  int nstreams;
  int64_t chunks, sent_bytes; /* of this rank, in a pass */
} triad_gpu_traffic;

/* gpu_stage.c: what steps with a state on a GPU and with one that passes through it (gpu_offload.c) share. */

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

#endif
