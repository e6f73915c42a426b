/* Transform kernels on a GPU: lines along z of this rank's columns, lines along y and x of its planes.
 *
 * Fields and results are columns, complex [j][column] (grid/layout.h with one block). The work array and the data
 * received from other ranks have the layout of transpose/gpu_exchange.h. Planes are [field][plane][y][pitch], kx
 * fastest; rows are real [field][plane][y][x].
 *
 * Truncation, zero padding and conjugate columns are part of the loads and stores of the transforms, so no kernel only
 * moves data. Launches are asynchronous; TRIAD_ERR_INTERNAL if one was refused. */
#ifndef TRIAD_FFT_GPU_GPU_LINES_H
#define TRIAD_FFT_GPU_GPU_LINES_H

#include "base/precision.h"
#include "transpose/plain/chains.h"

#include <stdint.h>

#ifndef __CUDACC_RTC__ /* kernels compiled at run time need only the structs */
#include "grid/layout.h"
#include "parallel/device.h"
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct triad_gpu_library triad_gpu_library;   /* fft/gpu/gpu_library.h */
typedef struct triad_gpu_compiled triad_gpu_compiled; /* fft/gpu/gpu_compiled.h */

enum { TRIAD_GPU_FIELDS = 384 }; /* inputs of a pass, at most: their pointers are arguments of a kernel */

/* The ky row of a plane's y: columns column .. column + count - 1 hold kx = first ... */
typedef struct triad_gpu_row {
  int32_t first, count;
  int32_t column, owner; /* of all ranks' columns; the rank that has the first one */
} triad_gpu_row;

/* Columns begin .. of all belong to a rank, `columns` with padding; `before`: columns of lower ranks, without this
 * rank's. */
typedef struct triad_gpu_part {
  int64_t begin, columns, before;
} triad_gpu_part;

/* One side of the planes of a chunk, from its plane number `plane` on: at plane w this rank's columns of field f lie at
 * own + (w * slots + f) * columns, those of another at other + before * chunk * fields + (w * fields + f) * columns. */
typedef struct triad_gpu_side {
  triad_cplx *own, *other;
  int plane, fields;
} triad_gpu_side;

/* Where ranks share planes, a plane of lines along y is cut by the rows of the members (transpose/gpu_rows.h): row y
 * is of one that has rows `first` .. first + count - 1. */
typedef struct triad_gpu_member {
  int32_t first, count;
} triad_gpu_member;

/* A grid that is shifted (fft/pass/shift.h): lines along z put the factors exp(i k.s) to modes as they load them and
 * take them off as they store results. Results of the first of two grids go to a place of their own, those of the
 * second are the mean with them. Plain data, pointers are the GPU's. */
typedef struct triad_gpu_shift {
  const triad_cplx *along[3]; /* [kx], [ky + Ky], [j] factors of an axis; NULL: not shifted    */
  const int32_t *kx, *ky;     /* [columns] numbers of a column's factors                       */
  triad_cplx *first;          /* [result][j][column] of the first grid; NULL where there is one grid only */
  int second;                 /* with `first`: this is the second of the two                   */
} triad_gpu_shift;

/* Plain data, passed to kernels by value; pointers are the GPU's. */
typedef struct triad_gpu_shape {
  int n[3], kx_most, ky_most; /* points; Kx, Ky                               */
  int64_t nkz, kz_positive;   /* kept kz; those >= 0                            */
  int64_t columns, pitch;     /* columns with padding; complex numbers of a row */
  int slots;                  /* of the work array                              */
  int rank, size, chunk;      /* planes of a full chunk                         */
  /* Where ranks share planes (grid/layout_split.h), lines along y are a member's own: kx counts its lines, kx_most
   * and pitch are of these, and its planes lie [member][field][plane][row of the member][pitch], a member's part
   * first * apart rows from the start */
  const triad_gpu_member *members; /* [ny]; NULL: whole planes, [field][plane][y][pitch] */
  int64_t apart;
  int behind;        /* fields that such a part has room for before the first one */
  int zero, nyquist; /* the lines of kx = 0 and of nx/2; -1: not among these */
  /* [kx_most + 1] of rows along x that lie in pieces: kx of a row of values is so many numbers behind where the row
   * begins, and kx of a row of results; NULL: kx numbers */
  const int64_t *from, *to;
  const triad_gpu_row *rows;    /* [ny] */
  const triad_gpu_part *part;   /* [size + 1] */
  const int32_t *within;        /* [nz] place of a plane in its chunk; 0 for own planes */
  const int32_t *extent;        /* [columns] |kz| <= extent is kept; -1 in padding */
  const triad_cplx *twiddle[3]; /* [n_i] exp(-2 pi i j/n_i) */
  const triad_real *wave[2];    /* [kx_most + 1] k_x of lines along y; [ny] k_y of places on them */
  int wide;                     /* modes of up to half the points may be kept, not to a third only */
  triad_gpu_shift shift;
  triad_gpu_library *library[3]; /* the host's: lines along these axes are cuFFT's; NULL: our kernels' */
  /* used on the host: kernels compiled at run time; NULL: built in, or cuFFT */
  triad_gpu_compiled *compiled[3];
} triad_gpu_shape;

typedef struct triad_gpu_fields {
  const triad_cplx *field[TRIAD_GPU_FIELDS];
} triad_gpu_fields;

#ifndef __CUDACC_RTC__
/* Are kernels for lines of n points built in? */
int triad_gpu_has_size(int64_t n);

/* fields [j][column] -> work array, n fields a plane of a chunk; work array, in place, [slots] fields a plane: all z ->
 * results [j], at the place of plane j. Modes beyond a column's extent are neither read nor written. */
int triad_gpu_z_backward(const triad_gpu_shape *shape, const triad_gpu_fields *fields, int n, triad_cplx *work,
                         void *stream);
int triad_gpu_z_forward(const triad_gpu_shape *shape, int n, triad_cplx *work, void *stream);

/* Columns at `count` planes of a chunk <-> planes, n fields; forward scales, and joins chains among them. */
int triad_gpu_y_backward(const triad_gpu_shape *shape, int n, const triad_gpu_side *from, int count, triad_cplx *planes,
                         void *stream);
int triad_gpu_y_forward(const triad_gpu_shape *shape, const triad_chains *chains, int n, const triad_cplx *planes,
                        int count, double scale, const triad_gpu_side *to, void *stream);

/* Planes <-> rows of points, n fields of `count` planes. */
int triad_gpu_x_backward(const triad_gpu_shape *shape, int n, const triad_cplx *planes, int count, triad_real *rows,
                         void *stream);
int triad_gpu_x_forward(const triad_gpu_shape *shape, int n, const triad_real *rows, int count, triad_cplx *planes,
                        void *stream);

/* gpu_tables.c: tables that the kernels of lines read, on the GPU: rows of a plane, who has which columns, places of
 * planes in chunks, twiddle factors, wavenumbers of lines along y; and the shape that leads to them. */
typedef struct triad_gpu_tables triad_gpu_tables;

enum { TRIAD_GPU_COLUMNS = 16 }; /* columns that a rank's are padded to a multiple of, where fields live on the GPU */

/* Complex numbers of a plane's row: Kx + 1, to whole cache lines. */
int64_t triad_gpu_pitch(const triad_grid *grid);

/* The shape of all of a rank's columns; its slots are the caller's to set. */
const triad_gpu_shape *triad_gpu_tables_shape(const triad_gpu_tables *tables);

/* gpu_shift.c: the factors of shifted grids, for `columns` columns with padding. NULL where the grid knows no
 * shifts, which every function accepts. TRIAD_ERR_MEMORY. Not collective. */
typedef struct triad_gpu_shifts triad_gpu_shifts;
int triad_gpu_shifts_create(triad_gpu_shifts **out, triad_device *device, const triad_layout *layout, int64_t columns);
void triad_gpu_shifts_destroy(triad_gpu_shifts **shifts);
int64_t triad_gpu_shifts_bytes(const triad_layout *layout, int64_t columns);

/* Are they made for such cells? */
int triad_gpu_shifts_hold(const triad_gpu_shifts *shifts, const double *cells);
#endif

#ifdef __cplusplus
}
#endif
#endif
