/* The spectral solver's GPU part, as its files on the CPU call it: one table, NULL in a build without CUDA. A flow
 * has a device, or passes through one, only where the table is there (solvers/device_choice.h), so what has one may
 * call. */
#ifndef TRIAD_SOLVERS_SPECTRAL_GPU_PART_H
#define TRIAD_SOLVERS_SPECTRAL_GPU_PART_H

#include "solvers/spectral/measure/measure.h"
#include "solvers/spectral/step/gpu_offload.h"
#include "solvers/spectral/step/gpu_stepper.h"

/* Each as the function of its name: triad_gpu_stepper_.., triad_gpu_offload_.., triad_gpu_measure_..,
 * triad_gpu_pair. */
typedef struct triad_spectral_gpu_part {
  const char *(*refusal)(const triad_case *given);
  int (*library)(const triad_flow *flow, char *text, size_t size);
  int (*transports)(triad_context *context, const char **names, int *n);
  int (*pair)(triad_gpu_stepper *stepper, const triad_grid *grid, int n, double *own_s, double *library_s);
  struct {
    int (*needs)(const triad_case *given, int size, triad_rank_needs *needs);
    int (*create)(triad_gpu_stepper **out, triad_flow *flow, const triad_scheme *scheme);
    void (*destroy)(triad_gpu_stepper **stepper);
    int (*advance)(triad_gpu_stepper *stepper, triad_step *step, double *dt);
    void (*apart)(triad_gpu_stepper *stepper, int apart);
    triad_phases (*phases)(triad_gpu_stepper *stepper);
    triad_gpu_traffic (*traffic)(const triad_gpu_stepper *stepper);
  } stepper;
  struct {
    int (*needs)(const triad_case *given, int size, triad_rank_needs *gpu, triad_rank_needs *host);
    int (*create)(triad_gpu_offload **out, triad_flow *flow, const triad_scheme *scheme, triad_cplx *const *q);
    void (*destroy)(triad_gpu_offload **offload);
    int (*pass)(triad_gpu_offload *offload, const triad_gpu_offload_step *step);
    void (*apart)(triad_gpu_offload *offload, int apart);
    triad_phases (*phases)(triad_gpu_offload *offload);
    triad_gpu_offload_bus (*traffic)(triad_gpu_offload *offload);
  } offload;
  struct {
    int (*budget)(triad_flow *flow, double *sums, double peaks[TRIAD_PEAKS]);
    int (*shells)(triad_flow *flow, double *values);
    int (*about)(triad_flow *flow, const triad_bins *bins, double *both);
    int (*transfer)(triad_flow *flow, double *transfer, double *squares);
  } measure;
} triad_spectral_gpu_part;

extern const triad_spectral_gpu_part *const triad_spectral_gpu; /* flow.c; the table is gpu_part.c's */

#endif
