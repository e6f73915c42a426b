/* The GPU part of the spectral solver, as its CPU files call it: one table, NULL in a build without CUDA. A flow has a
 * device, or is offloaded to one, only if the table exists (solvers/device_choice.h), so code with a device may call
 * it. */
#ifndef TRIAD_SOLVERS_SPECTRAL_GPU_PART_H
#define TRIAD_SOLVERS_SPECTRAL_GPU_PART_H

#include "solvers/spectral/probes/gpu_probes.h"
#include "solvers/spectral/measure/loops.h"
#include "solvers/spectral/plain/probe_inputs.h"
#include "solvers/spectral/particles/gpu_particles.h"
#include "solvers/spectral/step/gpu_stepper.h"

/* Steps with the state on a GPU (step/gpu_stepper.c). */
typedef struct triad_gpu_stepper_part {
  /* TRIAD_ERR_FEATURE if the equations of the case have no GPU part; TRIAD_ERR_MEMORY, with a message about sizes that
   * fit. Collective, and so is destroy. */
  int (*create)(triad_gpu_stepper **out, triad_flow *flow, const triad_scheme *scheme);
  void (*destroy)(triad_gpu_stepper **stepper);
  /* As triad_stepper_advance, with the state on the GPU. On several ranks a failure within a step cannot be agreed on:
   * it prints its error and ends all ranks. */
  int (*advance)(triad_gpu_stepper *stepper, triad_step *step, double *dt);
  /* For `triad bench`: apart, phases as for triad_gpu_pass_apart, with the update of modes; traffic between GPUs. */
  void (*apart)(triad_gpu_stepper *stepper, int apart);
  triad_phases (*phases)(triad_gpu_stepper *stepper);
  triad_gpu_traffic (*traffic)(const triad_gpu_stepper *stepper);
} triad_gpu_stepper_part;

/* Steps with the state on the host, which passes through a GPU stage by stage (fft/gpu/gpu_offload.h,
 * step/gpu_offload.c). The stepper of the CPU calls them and stores the register; budgets, spectra, forcing and files
 * use the fields on the host. */
typedef struct triad_gpu_offload triad_gpu_offload;

/* Parameters of a pass of a stage: dt and tau, which are read after settle (fft/pass/pass.h) has returned; in a split
 * step dt before it too. */
typedef struct triad_gpu_offload_step {
  int stage, pass;
  const double *dt, *tau;
  const double *shift; /* of the step's grid (fft/pass/pass.h) */
  int (*settle)(void *self, const double *peaks);
  void *self;
} triad_gpu_offload_step;

/* Pieces in flight, pieces of planes in a pass, bytes copied in each direction by this rank since the last call. */
typedef struct triad_gpu_offload_bus {
  int nstreams;
  int64_t pieces, in, out;
} triad_gpu_offload_bus;

typedef struct triad_gpu_offload_part {
  /* GPU memory that the rank of the plan's layout will allocate, and the host memory that it needs in addition to a
   * run on the CPU. Nothing if the equations have no GPU part. Not collective. */
  int (*needs)(const triad_flow_plan *plan, triad_rank_needs *gpu, triad_rank_needs *host);
  /* Steps through flow->offload. q: the register, which is pinned here like flow->u; NULL for a split scheme.
   * TRIAD_ERR_FEATURE if the equations have no GPU part for the scheme; TRIAD_ERR_MEMORY. Collective. */
  int (*create)(triad_gpu_offload **out, triad_flow *flow, const triad_scheme *scheme, triad_cplx *const *q);
  void (*destroy)(triad_gpu_offload **offload);
  /* A pass of a stage, with the work of its source and sink on flow->u and q; a whole split step. Collective. */
  int (*pass)(triad_gpu_offload *offload, const triad_gpu_offload_step *step);
  void (*apart)(triad_gpu_offload *offload, int apart); /* and phases: as triad_offload_apart */
  triad_phases (*phases)(triad_gpu_offload *offload);
  triad_gpu_offload_bus (*traffic)(triad_gpu_offload *offload);
} triad_gpu_offload_part;

typedef struct triad_gpu_probes triad_gpu_probes;
int triad_gpu_probes_create(triad_gpu_probes **out, const triad_flow *flow, const triad_gpu_probe_places *places,
                            int inputs);
void triad_gpu_probes_destroy(triad_gpu_probes **probes);
int triad_gpu_probes_sums(triad_gpu_probes *probes, const triad_flow *flow, const triad_probe_inputs *inputs,
                          double *sums);

/* Measurements of a state on the GPU (measure/gpu_measure.c): sums are computed there in a fixed order, and only the
 * sums are copied to the host and added over all ranks. For flows with a device. */
typedef struct triad_gpu_measure_part {
  const triad_measure_loops *loops;
  /* probes.h. create: memory for this number of inputs, at the first use. sums: sums[input][point] over this rank's
   * modes (gpu_probes.h). TRIAD_ERR_MEMORY. Not collective, like destroy, which accepts *probes NULL. */
  int (*probes_create)(triad_gpu_probes **out, const triad_flow *flow, const triad_gpu_probe_places *places,
                       int inputs);
  void (*probes_destroy)(triad_gpu_probes **probes);
  int (*probes_sums)(triad_gpu_probes *probes, const triad_flow *flow, const triad_probe_inputs *inputs, double *sums);
} triad_gpu_measure_part;

/* Particles of a flow with a device (particles/gpu_particles.h). */
typedef struct triad_gpu_particles_part {
  int (*create)(triad_gpu_particles **out, triad_flow *flow, int n, triad_group *groups, double two_alpha);
  void (*destroy)(triad_gpu_particles **particles);
  int (*put)(triad_gpu_particles *particles);
  int (*get)(triad_gpu_particles *particles);
  int (*gather)(triad_gpu_particles *particles, const triad_gather_want *want, int offset, double *const *out);
} triad_gpu_particles_part;

extern const triad_gpu_particles_part triad_gpu_particles_table;
extern const triad_gpu_stepper_part triad_gpu_stepper_table;
extern const triad_gpu_offload_part triad_gpu_offload_table;
extern const triad_gpu_measure_part triad_gpu_measure_table;

typedef struct triad_spectral_gpu_part {
  /* The reason why steps of this case cannot run on a GPU; NULL: they can, if there is one. Not collective. */
  const char *(*refusal)(const triad_case *given);
  /* A log text about lines that use cuFFT (fft/gpu/gpu_library.h); 0: there are none. Not collective. */
  int (*library)(const triad_flow *flow, char *text, size_t size);
  /* Does cuFFT transform lines along this axis? */
  int (*by_library)(const triad_flow *flow, int axis);
  /* A log text about the evaluation of forces by formula at points on a GPU; 0: there are none. Not collective. */
  int (*formulas)(const triad_flow *flow, char *text, size_t size);
  /* Words of parallel.transport that work between these ranks' GPUs, at most TRIAD_MOST_TRANSPORTS. Collective. */
  int (*transports)(triad_context *context, const char **names, int *n);
  /* GPU memory of the rank of the plan's layout, by owner, for steps with the state on the GPU, if the case supports
   * them. Not collective. */
  int (*needs)(const triad_flow_plan *plan, triad_rank_needs *needs);
  int (*pair)(triad_gpu_stepper *stepper, const triad_grid *grid, int n, double *own_s, double *library_s);
  const triad_gpu_stepper_part *stepper;
  const triad_gpu_offload_part *offload;
  const triad_gpu_measure_part *measure;
  const triad_gpu_particles_part *particles;
} triad_spectral_gpu_part;

extern const triad_spectral_gpu_part triad_spectral_gpu_table;  /* step/gpu_needs.c */
extern const triad_spectral_gpu_part *const triad_spectral_gpu; /* built.c: it, or NULL */

#endif
