/* Transforms of lines whose length has no built-in kernel: NVRTC compiles them at run time, from the sources of the
 * built-in ones (cuda/fft/lines_*.cu, cuda/spectral/points.cu, cuda/spectral/set_extremes.cu, which the program
 * contains), and the results are cached for later runs (parallel/gpu_program.h). fft/lines/radices.h chooses the
 * radices. Truncation "none", which keeps every mode, has kernels of this kind only. With phase shifts they keep up to
 * half of a line's modes, like the built-in ones. */
#ifndef TRIAD_FFT_GPU_GPU_COMPILED_H
#define TRIAD_FFT_GPU_GPU_COMPILED_H

#include "fft/gpu/gpu_lines.h"
#include "grid/grid.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Returns 1 if lines along `axis` are compiled at run time: none are built in, radices exist, and NVRTC or a cached
 * file of an earlier run is available. Never if cuFFT is chosen (fft/gpu/gpu_library.h); with TRIAD_GPU_LINES=compiled
 * whenever possible. */
int triad_gpu_compiled_serves(const triad_grid *grid, int axis);

/* Create or load the kernels of such axes; `lines` of a shape points to them, NULL for other axes. pieces: rows are in
 * pieces that are sent between ranks which share planes; chains: results have chains. Not collective. */
int triad_gpu_compiled_create(triad_gpu_compiled *lines[3], const triad_grid *grid, int pieces, int chains);
void triad_gpu_compiled_destroy(triad_gpu_compiled *lines[3]);

/* A description of these axes and of the compilation for the log; returns 0 if there are none. */
int triad_gpu_compiled_tell(const triad_grid *grid, char *text, size_t size);

/* As the functions of fft/gpu/gpu_lines.h, which call them. y_forward: run by run. */
int triad_gpu_compiled_z_backward(const triad_gpu_shape *shape, const triad_gpu_fields *fields, int n, triad_cplx *work,
                                  void *stream);
int triad_gpu_compiled_z_forward(const triad_gpu_shape *shape, int n, triad_cplx *work, void *stream);
int triad_gpu_compiled_y_backward(const triad_gpu_shape *shape, int n, const triad_gpu_side *from, int count,
                                  triad_cplx *planes, void *stream);
int triad_gpu_compiled_y_forward(const triad_gpu_shape *shape, const triad_chain_run *run, const triad_cplx *planes,
                                 int count, double scale, const triad_gpu_side *to, void *stream);
int triad_gpu_compiled_x_backward(const triad_gpu_shape *shape, int n, const triad_cplx *planes, int count,
                                  triad_real *rows, void *stream);
int triad_gpu_compiled_x_forward(const triad_gpu_shape *shape, int n, const triad_real *rows, int count,
                                 triad_cplx *planes, void *stream);

/* A fused x pass that computes extra results at its points; its kernel is always compiled at run time. text: source
 * appended to cuda/spectral/points.cu, which defines a template beside<Pass> for the passes of device_fused.h; its law
 * is {own, then `law`, aligned to 8 bytes}. A visit with no rows creates the program. No program is created if there
 * are no radices, if the pass is not fused or does not hold what is read, without NVRTC and a cached file, or with
 * TRIAD_GPU_LINES=library. Such a visit needs no shape except n[0]. */
typedef struct triad_gpu_beside {
  const char *label, *text;
  /* bits of inputs of the pass; of a carried one only where it is the first and there are no others */
  unsigned reads;
  int every, pieces; /* as struct triad_gpu_compiled has them */
  const void *law;
  size_t bytes; /* of law, TRIAD_GPU_BESIDE_BYTES at most */
  struct triad_gpu_program **program;
} triad_gpu_beside;
enum { TRIAD_GPU_BESIDE_BYTES = 256 };

/* For cuda/spectral/points.cu: as triad_gpu_compiled_points. */
int triad_gpu_compiled_beside(const triad_gpu_beside *beside, int n, const char *set, const char *pass, int held,
                              int64_t rows, const void *const *arguments, void *stream);

/* A fused x pass of a set whose arithmetic is given->text, compiled at run time for rows of n points. The text requests
 * pass `pass`, which holds so many fields in registers; no results are extra. If there are no radices, 0 rows have no
 * program; others are TRIAD_ERR_INTERNAL. */
int triad_gpu_compiled_given(const triad_gpu_beside *given, int n, const char *pass, int held, int64_t rows,
                             const void *const *arguments, void *stream);
/* Returns 1 if the cache has its program. */
int triad_gpu_compiled_given_kept(const triad_gpu_beside *given, int n, const char *pass, int held);

/* The fused x pass `pass` of an equation set, which holds so many fields in registers, over `rows` rows; 0 rows only
 * have it compiled. For cuda/spectral/points.cu. */
int triad_gpu_compiled_points(triad_gpu_compiled *lines, const char *set, const char *pass, int held, int64_t rows,
                              const void *const *arguments, void *stream);

/* Extremes of a velocity, the same. For cuda/spectral/set_extremes.cu. */
int triad_gpu_compiled_extremes(triad_gpu_compiled *lines, int64_t rows, const void *const *arguments, void *stream);

#ifdef __cplusplus
}
#endif
#endif
