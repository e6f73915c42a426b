/* Lines whose number of points has no kernel that is built in: of our own all the same, compiled by NVRTC from the
 * sources of those that are (cuda/lines_*.cu, cuda/points.cu, cuda/set_extremes.cu, which the program has in it)
 * when a run first wants them, and kept for later ones (parallel/gpu_program.h). Radices are chosen by
 * fft/radices.h. Truncation "none", which keeps every mode, has kernels of this kind only. With phase shifts they
 * keep up to half of a line's modes, as those that are built in do. */
#ifndef TRIAD_FFT_GPU_COMPILED_H
#define TRIAD_FFT_GPU_COMPILED_H

#include "fft/gpu_lines.h"
#include "grid/grid.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Are lines along `axis` of this kind? Where none are built in, there are radices, and NVRTC or a file of an earlier
 * run is there. With TRIAD_GPU_LINES=library in the environment never; with =compiled wherever they can be. */
int triad_gpu_compiled_serves(const triad_grid *grid, int axis);

/* For the axes that are: kernels of lines, compiled or read, which `lines` of a shape tells; elsewhere NULL. pieces:
 * rows lie in the pieces that travel between ranks that share planes; chains: there are some among results. Not
 * collective. */
int triad_gpu_compiled_create(triad_gpu_compiled *lines[3], const triad_grid *grid, int pieces, int chains);
void triad_gpu_compiled_destroy(triad_gpu_compiled *lines[3]);

/* What a log should tell of the axes that are, and of what was compiled; 0: there are none. */
int triad_gpu_compiled_tell(const triad_grid *grid, char *text, size_t size);

/* As the functions of fft/gpu_lines.h, which call them. y_forward: run by run. */
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

/* A fused x pass with results beside its own, which are worked out at the points within it: its kernel is always
 * compiled when it is wanted. text: source behind cuda/points.cu that makes a template beside<Pass> of
 * device_fused.h's passes, whose law is {own, then `law`, at a multiple of 8 bytes}. A visit of no rows makes the
 * program; it leaves none where there are no radices, the pass is not fused, it does not hold what is read, there is
 * no NVRTC and no file of an earlier run, or with TRIAD_GPU_LINES=library. Such a visit wants no shape but n[0]. */
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

/* For cuda/points.cu: as triad_gpu_compiled_points. */
int triad_gpu_compiled_beside(const triad_gpu_beside *beside, int n, const char *set, const char *pass, int held,
                              int64_t rows, const void *const *arguments, void *stream);

/* The fused x pass `pass` of an equation set, which holds so many fields in registers, over `rows` rows; 0 rows only
 * have it compiled. For cuda/points.cu. */
int triad_gpu_compiled_points(triad_gpu_compiled *lines, const char *set, const char *pass, int held, int64_t rows,
                              const void *const *arguments, void *stream);

/* Extremes of a velocity, the same. For cuda/set_extremes.cu. */
int triad_gpu_compiled_extremes(triad_gpu_compiled *lines, int64_t rows, const void *const *arguments, void *stream);

#ifdef __cplusplus
}
#endif
#endif
