/* Internal to the CPU pass. */
#ifndef TRIAD_FFT_PASS_PASS_INTERNAL_H
#define TRIAD_FFT_PASS_PASS_INTERNAL_H

#include "fft/pass/pass.h"
#include "transpose/chain_waves.h"
#include "fft/pass/shift.h"
#include "transpose/rows.h"
#include "transpose/shared_rows.h"

/* Work space of one thread, in cache lines of its own. */
typedef struct triad_thread_space {
  triad_cplx *blocks;                 /* [field][nz][lane]                 */
  triad_cplx *planes_in, *planes_out; /* [field][ny][stride]            */
  triad_real *rows_in, *rows_out;     /* [field][pair of the batch][pair_room]: values [x][row of the pair] */
  triad_real *row_in, *row_out;       /* [field][row_room]: one row, for points that depend on their position */
  triad_cplx *line, *beyond;          /* [nx], for work; [nx], for what belongs to no row */
  triad_cplx *slopes;                 /* [2][row_room] */
  double peaks[TRIAD_PEAKS];
  triad_phases phases;
  int filled; /* sparse results are not 0 in all rows that were visited */
  char apart[64];
} triad_thread_space;

struct triad_pass {
  triad_context *context;
  const triad_layout *layout;
  triad_columns *columns;
  triad_exchange *exchange;
  triad_lines *lines;
  triad_chain_waves waves;
  triad_real *wave_x; /* [nx/2 + 1] wavenumbers of derivatives along x */
  int most_in, most_out, most_left;
  int *divided; /* [most_out] result that this one, a force, is added to along x (triad_pass_divide); -1: none */
  int64_t plane_size, block_size, row_room, pair_room, batch; /* batch: pairs of rows */
  triad_real scale;
  double exchange_s;
  triad_thread_space *space; /* [threads] */
  triad_shift *shift;        /* of the grid at hand */
  triad_cplx *first;         /* [result][block][kz][lane] of the first of two grids; NULL where there are not two */
  /* where ranks share planes: those with the same lines, whose columns are exchanged; those with the same planes */
  triad_context across;
  triad_comm within;
  int64_t piece_planes, pieces; /* planes of a piece, pieces of a chunk: they go through the group by pieces */
  triad_rows *rows;             /* by messages; or */
  triad_shared_rows *shared;    /* in memory of the node */
};

/* Rows y .. y + count - 1 of plane z, field by field: complex [field][row][stride of planes], fields `apart`. */
typedef struct triad_pass_place {
  int64_t z, y, count;
  triad_cplx *in, *out;
  int64_t in_apart, out_apart;
} triad_pass_place;

/* Charge the time since *last to a phase. */
static inline void triad_pass_lap(triad_thread_space *s, enum triad_phase phase, double *last)
{
  double now = triad_now();
  s->phases.s[phase] += now - *last;
  *last = now;
}

/* The number of inputs that the source fills; of those that have lines along y. */
static inline int triad_pass_sent(const triad_work *work) { return work->n_in - work->n_slopes[0] - work->n_slopes[1]; }
static inline int triad_pass_along_y(const triad_work *work) { return work->n_in - work->n_slopes[0]; }

/* to = i k_y from, `count` columns of all y of two planes. */
static inline void triad_pass_slope_y(const triad_pass *p, int64_t stride, int64_t count, const triad_cplx *from,
                                      triad_cplx *to)
{
  for (int64_t y = 0; y < p->layout->grid.n[1]; y++) {
    const triad_real k = p->waves.y[y];
    const triad_cplx *a = from + y * stride;
    triad_cplx *b = to + y * stride;
#pragma GCC ivdep
    for (int64_t i = 0; i < count; i++) {
      const triad_cplx value = a[i];
      b[i].re = -k * value.im;
      b[i].im = k * value.re;
    }
  }
}

/* Forces that are subtracted from the first sum of a chain go into its first result p after lines along x, divided by
 * i k_x: nothing but this sum uses p, as i k_x p. They then have no lines along y. Where k_x = 0, p is replaced, and
 * counts with a wavenumber of 1 (triad_chain_waves.divisor). */
void triad_pass_divide(triad_pass *p, const triad_work *work);

/* k_x of part 0, 1 .. of the chain that begins with result `first`. */
triad_chain_waves triad_pass_waves(const triad_pass *p, const triad_work *work, int first, int part);

/* The number of results that the sink receives. */
static inline int triad_pass_left(const triad_work *work)
{
  return triad_chains_left(&work->chains, work->n_out - work->n_forces);
}

/* Some lines of a field of a plane: begin .. end - 1 of the member's, at `column` of the batch that they go through. */
typedef struct triad_pass_part {
  int64_t at, begin, end, column; /* at: the plane, in the piece */
  int field;
} triad_pass_part;

#endif
