/* An equation set on a GPU, for one rank's modes: x passes that cuda/spectral/points.cu generates from the arithmetic
 * of one point, and functions that cuda/spectral/spectral.cu generates from that of one mode. Both are in the set's
 * points.h, and the CPU uses them too (loops.h); kernels.h explains how a set requests them. */
#ifndef TRIAD_SOLVERS_SPECTRAL_EQUATIONS_GPU_SET_H
#define TRIAD_SOLVERS_SPECTRAL_EQUATIONS_GPU_SET_H

#include "solvers/spectral/equations/wave_points.h"

#ifdef __CUDACC_RTC__ /* kernels compiled at run time need only plain data */
#include "fft/gpu/gpu_lines.h"
#else
#include "fft/gpu/gpu_pass.h"
#endif

#ifdef __cplusplus
extern "C" {
#endif

enum { TRIAD_GPU_PASSES = 2, TRIAD_GPU_EXTRAS = 3, TRIAD_GPU_FORCE_FROM = 6, TRIAD_GPU_FORCE_WHOLE = 4 };

/* The modes of a field: at (j, column) i = j * columns + column. Tables are the GPU's; plain data. */
typedef struct triad_gpu_modes {
  int64_t n, columns, nkz;                /* nkz * columns; columns with padding */
  const double *wx, *wy, *wz;             /* wavenumbers of derivatives per column, per column, per j */
  const double *size_x, *size_y, *size_z; /* those by size; the same memory if no mode at n/2 is kept */
  const double *weight;                   /* Hermitian weight per column, 0 in padding */
  const int32_t *extent, *kz;             /* kept |kz| per column (-1: padding); kz per j */
} triad_gpu_modes;

/* The results of a pass, in its work array: result r at (j, column) is base[j * stride + r * columns + column]. */
typedef struct triad_gpu_results {
  const triad_cplx *base;
  int64_t stride;
} triad_gpu_results;

/* What a formula adds to N of a field in a stage (force/gpu_formula.h): result `result` of the pass, -1: none;
 * now[k] times field k of the state; times[k] times modes whole[k], as a field has them; of a vector, whose first
 * field says so, less its part along k and its mean. Plain data, pointers are the GPU's. */
typedef struct triad_gpu_force {
  int result, vector, n_whole;
  double now[TRIAD_GPU_FORCE_FROM], times[TRIAD_GPU_FORCE_WHOLE];
  const triad_cplx *whole[TRIAD_GPU_FORCE_WHOLE];
} triad_gpu_force;

/* One stage of a Runge-Kutta step over all modes (solvers/spectral/equations/stage_points.h): N from the results, the
 * decay of each field and the turn of fields 0 and 1 over tau. first: q is not read; last: not written. */
typedef struct triad_gpu_update {
  triad_gpu_modes modes;
  triad_gpu_results results;
  int n_fields;
  triad_cplx *const *u, *const *q; /* [n_fields] */
  const triad_decay *decay;        /* [n_fields] */
  double a, b, d, e, tau;          /* b and e times dt */
  int first, last, turns;
  double alpha, mu;             /* of the turn, as triad_turn */
  const double *times;          /* the GPU's: tau, b and e, which then are not read here; NULL: they are */
  const triad_gpu_force *force; /* [n_fields] the host's; NULL: no formula has a part in N */
} triad_gpu_update;

#ifndef TRIAD_ONCE
/* A triad_gpu_update less its lists of fields, in a field's precision: an argument of kernels. */
typedef struct triad_gpu_stage {
  triad_gpu_results results;
  triad_real a, b, d, e;
  double tau, alpha, mu;
  int first, last, turns;
  const double *times;
} triad_gpu_stage;
#endif

/* Lines along z around an update: the results that a pass has left open (fft/gpu/gpu_pass.h) forward, then the update,
 * whose results are not read, then, where `next` is not NULL, the set's fields backward into the work array, for a
 * pass on the grid of *next. */
typedef struct triad_gpu_joined {
  const triad_gpu_shape *shape;
  triad_cplx *work;
  const triad_gpu_shift *next;
} triad_gpu_joined;

/* What sums over modes work on. partial: room for TRIAD_GPU_PARTIALS numbers; sums come back in a fixed order, so that
 * they are the same whenever they are taken. */
typedef struct triad_gpu_measure {
  triad_gpu_modes modes;
  const triad_cplx *const *u; /* fields, then what was observed */
  triad_gpu_results results;  /* of the last pass: transfers    */
  double *partial, *out;      /* the GPU's                      */
  void *stream;
} triad_gpu_measure;

enum { TRIAD_GPU_PARTIALS = 1 << 16 };

/* Bins for spectra. Columns come in groups, those of group g being column[offset[g]] .. column[offset[g + 1] - 1]; in a
 * group, bin b takes the modes with triad_bin(across2[column], kz) = b (grid/bin_points.h). Tables are the GPU's. */
typedef struct triad_gpu_bins {
  int64_t n_groups, n_bins;
  const int32_t *offset, *column;
  const double *across2;
  double width;
} triad_gpu_bins;

#ifndef __CUDACC_RTC__
/* Launches; constants: the set's, plain data. Sums and spectra go to measure->out:
 *   sums       out[i], i < n_sums of the set's shape
 *   densities  out[(i * n_groups + g) * n_bins + b], i < n_spectra
 *   transfers  likewise, i < n_transfers; what part `part` of the evaluations gives
 *   powers     out[i], i < n_transfers: those of part 0 over all modes */
typedef struct triad_gpu_spectral {
  int sources, observed; /* fields behind the state: made for a pass; observed */
  int (*source)(const void *constants, const triad_gpu_modes *modes, const triad_cplx *const *u,
                triad_cplx *const *made, void *stream);
  int (*update)(const void *constants, const triad_gpu_update *update, void *stream);
  /* The update with lines along z around it, in one kernel, of the set's own fields and results and without forces:
   * the same modes as lines forward, update and lines backward give. joins: is it faster for such columns of so many
   * fields? NULL: not for this set. */
  int (*joins)(const triad_gpu_shape *shape, int n_fields);
  int (*joined)(const void *constants, const triad_gpu_update *update, const triad_gpu_joined *lines, void *stream);
  int (*sums)(const void *constants, const triad_gpu_measure *measure);
  int (*densities)(const void *constants, const triad_gpu_measure *measure, const triad_gpu_bins *bins);
  int (*transfers)(const void *constants, int part, const triad_gpu_measure *measure, const triad_gpu_bins *bins);
  int (*powers)(const void *constants, const triad_gpu_measure *measure);
} triad_gpu_spectral;

/* The state between two steps, for observations. u: the fields, then those made or observed; scratch: as many fields
 * that nobody reads before the next step. */
typedef struct triad_gpu_state {
  triad_device *device;
  triad_gpu_pass *pass;
  triad_gpu_modes modes;
  int n_fields;
  triad_cplx *const *u, *const *scratch;
  triad_real *kept;
  double *partial, *out;
} triad_gpu_state;

/* A name that only a build with CUDA has. */
#ifdef TRIAD_CUDA
#define TRIAD_GPU_PART(name) (name)
#else
#define TRIAD_GPU_PART(name) NULL
#endif

/* A set, as one case has it. Built without CUDA, its parts are NULL: ask triad_equations_gpu (equations.h). */
typedef struct triad_gpu_set {
  int n_passes;
  triad_gpu_visit *pass[TRIAD_GPU_PASSES], *split; /* split NULL: none */
  const triad_gpu_spectral *spectral;
  int extras;     /* fields behind the state, made for a pass or observed; of built-in sets TRIAD_GPU_EXTRAS at most */
  int sources;    /* how many of them are inputs of the first pass, made by spectral->source  */
  int keeps;      /* real fields that the first pass leaves to the second                     */
  int row_fields; /* room for physical values that its passes and observations ask of a chunk */
  /* Numbers that sums over modes cannot give (observe of equations.h), this rank's part of them; NULL: none. */
  int (*observe)(const void *constants, const triad_gpu_state *state, double *observed);
  /* Of a set whose kernels are compiled at run time; NULL or 0 for a built-in set.
   * inputs: number of each input of the first pass among the fields and the extras behind them; NULL: these in order.
   * tables, profiles: what prepare allocates, complex numbers a mode and real numbers a point.
   * changes: launches differ from step to step, so that they cannot be recorded.
   * refusal: the reason why no GPU can take the steps, in words; NULL: one can. whole: as for prepare.
   * prepare: kernels and tables for the GPU's layout; whole: the GPU has the state, not only pieces of it.
   * release: give them back. */
  const int *inputs;
  int tables, profiles, changes;
  const char *(*refusal)(const void *constants, int whole);
  int (*prepare)(void *self, triad_device *device, const triad_layout *layout, int whole, int threads);
  void (*release)(void *self);
} triad_gpu_set;

/* A visit of three fields and no results: peaks as equations.h has them, its constants: double[3], 1/dx_i. */
triad_gpu_visit triad_gpu_extremes;

/* out[0], out[1]: sums over modes of weight |u|^2 and weight k^2 |u|^2 of field measure->u[field]. */
int triad_gpu_sum_squares(const triad_gpu_measure *measure, int field);

/* Result r -> a field, zero where the truncation keeps nothing. */
int triad_gpu_keep(const triad_gpu_modes *modes, const triad_gpu_results *results, int r, triad_cplx *field,
                   void *stream);

/* Fields u[0], u[1] by the angle (alpha k^2 - mu) tau, as triad_turn. */
int triad_gpu_turn(const triad_gpu_modes *modes, double alpha, double mu, double tau, triad_cplx *const *u,
                   void *stream);

/* Communication between the host and a step with recorded launches, in memory that both access
 * (triad_device_shared). */
enum { TRIAD_GPU_TIMED = 16 };
typedef struct triad_gpu_talk {
  double peaks[TRIAD_GPU_PEAKS];
  int come; /* not 0: peaks are available */
  double times[TRIAD_GPU_TIMED];
} triad_gpu_talk;

/* talk->peaks = peaks, of the GPU's memory, and then talk->come = 1. */
int triad_gpu_tell_peaks(const double *peaks, triad_gpu_talk *talk, void *stream);

/* times[i] = talk->times[i], i < n <= TRIAD_GPU_TIMED, of the GPU's memory: when it is done, not when it is
 * launched. */
int triad_gpu_take_times(const triad_gpu_talk *talk, int n, double *times, void *stream);

#endif /* __CUDACC_RTC__ */

#ifdef __cplusplus
}
#endif
#endif
