/* The fused x pass, for cuda/ only: rows of fields are transformed as complex lines to physical space and multiplied
 * there, and the products are transformed back. Physical values never reach memory. A line is a pair of rows or one
 * row (device_fused_forms.h); in both cases the real and the imaginary part of an element are two points, and products
 * need no more information.
 *
 * A line is processed by G threads, t fastest, so that rows are read and written in whole cache lines; element t + m G
 * is in register m. Lines are exchanged between threads through two alternating buffers in shared memory, so an
 * exchange needs one barrier. If two more buffers fit, a thread works on two fields at once, so that the arithmetic of
 * one overlaps the exchange of the other. Of the fields that products need, the last `SHARED` are stored in shared
 * memory, the others in registers. Registers limit the number of concurrent lines to too few to hide the latency of
 * memory. A block therefore loops over many lines, and while the products of one are transformed back, the inputs of
 * the next are copied to shared memory. */
#ifndef TRIAD_FFT_GPU_DEVICE_FUSED_H
#define TRIAD_FFT_GPU_DEVICE_FUSED_H

#include "fft/gpu/device_fused_forms.h"
#include "fft/gpu/gpu_lines.h"

#include <cuda_pipeline.h>

/* The largest of what a thread has seen; NaN for good once a value was not finite. */
struct fastest {
  triad_real most, finite;
  __device__ __forceinline__ void see(triad_real rate)
  {
    most = rate > most ? rate : most;
    finite += rate * 0;
  }
};

/* Resources of a fused pass on a multiprocessor. Registers: each held field needs 2 E reals per thread, the current
 * line the same, and arithmetic twice that; a quarter of the processor has 512 for the threads of a lane, which gives
 * the number of warps. Inputs are prefetched if shared memory has capacity for those of all blocks. */
template <int N, class Pass> struct fused_room {
  typedef fused_form<N, Pass> form;
  typedef fused_shape<form::LINE> shape;
  enum {
    WORDS = 2 * factored<form::LINE>::E * (int)(sizeof(triad_real) / 4) * (Pass::HELD - Pass::SHARED + 3) + 40,
    QUARTER = WORDS > 170   ? 2
              : WORDS > 128 ? 3
              : WORDS > 102 ? 4
                            : 5, /* warps */
    BLOCKS_ = 4 * QUARTER / (((int)shape::THREADS + 31) / 32),
    BLOCKS = BLOCKS_ < 1 ? 1 : BLOCKS_,
    EVEN = 16 / (int)sizeof(dcplx), /* complex numbers of the 16 bytes that are fetched at once: inputs begin at such */
    TABLE = ((int)form::TABLE + EVEN - 1) / EVEN * EVEN,
    /* of planes, at most; sqrt(2)/3 = 0.4714.. */
    PITCH = ((keeps_all    ? N / 2
              : Pass::WIDE ? N * 4715 / 10000
                           : (N - 1) / 3) +
             8) /
            8 * 8,
    INPUT = (int)form::ROWS * PITCH,
    PARKED = Pass::SHARED * (int)form::LINE,
    /* Code size if each line has its own copy of the transform: number of lines times as many KB as a thread has
     * elements (sm_90: 0.95 to 1.05). */
    CODE = ((int)Pass::IN + (int)Pass::RESULTS + (Pass::CARRIES != 0 ? 4 : 0)) * (int)factored<form::LINE>::E,
    ROLLED = CODE > 128, /* [KB] of a multiprocessor's instructions: all results share one transform */
    CARRIED = Pass::CARRIES != 0 ? (int)form::LINE
                                 : 0 /* one that is carried waits where the second line of two was, if there is one */
  };
  static constexpr bool fits(int line)
  {
    return BLOCKS * ((line * (int)shape::LANES + TABLE) * (int)sizeof(dcplx) + 1024) <= shared_most;
  }
  static constexpr int own(int p)
  {
    return (2 * p * (int)shape::PADDED + PARKED + (p == 1 ? CARRIED : 0) + EVEN - 1) / EVEN * EVEN;
  }
  enum {
    INPUTS = (int)Pass::IN * INPUT,
    AHEAD = fits(own(1) + INPUTS),
    PAIR = fits(own(2) + (AHEAD ? INPUTS : 0)) ? 2 : 1, /* lines that a thread works on at once */
    OWN = own(PAIR),
    /* the first field that is carried, too */
    CARRIED_AHEAD = AHEAD && Pass::CARRIES != 0 && fits(OWN + INPUTS + INPUT),
    LINE = OWN + (AHEAD ? INPUTS : 0) + (CARRIED_AHEAD ? INPUT : 0)
  };
  static constexpr size_t shared = ((size_t)shape::LANES * LINE + TABLE) * sizeof(dcplx);
#ifndef __HIP__ /* there allow_shared() refuses it */
  static_assert(shared <= shared_most, "a block of lines of this size does not fit on a multiprocessor");
#endif
};

/* Field f at element m: from registers or from where this thread put it in shared memory. */
template <int LINE, class Pass>
__device__ __forceinline__ dcplx held(const dcplx (*u)[factored<LINE>::E], const dcplx *parked, int f, int m)
{
  constexpr int R = Pass::HELD - Pass::SHARED;
  return f < R ? u[f < R ? f : 0][m] : parked[(f - R) * LINE + m * factored<LINE>::G];
}

/* The same for fields 0 to 2, if f may be a loop counter: registers have no address. */
template <int LINE, class Pass>
__device__ __forceinline__ dcplx held_of_three(const dcplx (*u)[factored<LINE>::E], const dcplx *parked, int f, int m)
{
  return f == 0   ? held<LINE, Pass>(u, parked, 0, m)
         : f == 1 ? held<LINE, Pass>(u, parked, 1, m)
                  : held<LINE, Pass>(u, parked, 2, m);
}

/* Hide from the compiler that the fields are unchanged: values that depend only on them, which are the same in each
 * iteration, would otherwise occupy more registers than there are. */
template <int FIELDS, int E> __device__ __forceinline__ void fused_forget(dcplx (*u)[E])
{
#ifdef __CUDA_ARCH__
#pragma unroll
  for (int f = 0; f < FIELDS; f++)
#pragma unroll
    for (int m = 0; m < E; m++) {
#ifdef TRIAD_SINGLE
      asm volatile("" : "+f"(u[f][m].x), "+f"(u[f][m].y));
#else
      asm volatile("" : "+d"(u[f][m].x), "+d"(u[f][m].y));
#endif
    }
#else
  (void)u;
#endif
}

/* Begin to copy the `rows` rows of a line, of so many fields, to `to`, complex [field][row][pitch]. */
template <class Form>
__device__ __forceinline__ void fused_fetch(dcplx *to, const dcplx *from, int fields, int64_t field, int64_t rows,
                                            int64_t pitch, int t)
{
  constexpr int EACH = 16 / (int)sizeof(dcplx); /* complex numbers in 16 bytes */
#pragma unroll
  for (int f = 0; f < fields; f++)
    for (int i = EACH * t; i < rows * pitch; i += EACH * factored<Form::LINE>::G)
      __pipeline_memcpy_async(to + f * Form::ROWS * pitch + i, from + f * field + i, 16);
  __pipeline_commit();
}

/* The same of rows that lie in pieces, to rows that do not: complex [field][row][kx_most + 1]. */
template <class Form>
__device__ __forceinline__ void fused_fetch_pieces(dcplx *to, const dcplx *from, int fields, const triad_gpu_shape &g,
                                                   int64_t field, int rows, int t)
{
  const int wide = g.kx_most + 1;
  for (int k = t; k < wide; k += factored<Form::LINE>::G) {
    const dcplx *at = from + g.from[k];
#pragma unroll
    for (int f = 0; f < fields; f++)
#pragma unroll
      for (int row = 0; row < (int)Form::ROWS; row++)
        if (row < rows)
          __pipeline_memcpy_async(to + (f * Form::ROWS + row) * wide + k, at + f * field + row * g.pitch,
                                  sizeof(dcplx));
  }
  __pipeline_commit();
}

/* v: results r .. r + P - 1 at the points of a line; r is known when compiled, or loops over it are unrolled. */
template <int N, class Pass, int P>
__device__ __forceinline__ void fused_multiply(const typename Pass::law &law, double dt, int r,
                                               const dcplx (*u)[factored<fused_form<N, Pass>::LINE>::E],
                                               const dcplx *parked, dcplx (*v)[factored<fused_form<N, Pass>::LINE>::E],
                                               fastest &most)
{
  typedef fused_form<N, Pass> form;
  typedef factored<form::LINE> F;
#pragma unroll
  for (int m = 0; m < F::E; m++) {
    triad_real a[Pass::HELD], b[Pass::HELD];
#pragma unroll
    for (int f = 0; f < Pass::HELD; f++) {
      const dcplx p = held<form::LINE, Pass>(u, parked, f, m);
      a[f] = p.x;
      b[f] = p.y;
    }
#pragma unroll
    for (int p = 0; p < P; p++) v[p][m] = dcplx{Pass::product(law, dt, r + p, a), Pass::product(law, dt, r + p, b)};
    if (r == 0) {
      most.see(Pass::rate(law, a));
      most.see(Pass::rate(law, b));
    }
  }
}

/* The same for an r that a loop counts, a multiple of P: of all threads alike, so one of many ways is taken. */
template <int N, class Pass, int P, int R = 0>
__device__ __forceinline__ void fused_multiply_any(const typename Pass::law &law, double dt, int r,
                                                   const dcplx (*u)[factored<fused_form<N, Pass>::LINE>::E],
                                                   const dcplx *parked,
                                                   dcplx (*v)[factored<fused_form<N, Pass>::LINE>::E], fastest &most)
{
  if constexpr (R + 2 * P > (int)Pass::RESULTS) fused_multiply<N, Pass, P>(law, dt, R, u, parked, v, most);
  else if (r == R) fused_multiply<N, Pass, P>(law, dt, R, u, parked, v, most);
  else fused_multiply_any<N, Pass, P, R + P>(law, dt, r, u, parked, v, most);
}

/* Results r .. r + P - 1 of a line, kx of whose rows lies at `at`. */
template <int N, class Pass, int P, class At>
__device__ __forceinline__ void fused_products(const typename Pass::law &law, double dt, int r,
                                               const dcplx (*u)[factored<fused_form<N, Pass>::LINE>::E],
                                               const dcplx *parked, fused_line &l, const fused_target &to, At at,
                                               fastest &most)
{
  typedef fused_form<N, Pass> form;
  dcplx v[P][factored<form::LINE>::E];
  if constexpr (fused_room<N, Pass>::ROLLED) fused_multiply_any<N, Pass, P>(law, dt, r, u, parked, v, most);
  else fused_multiply<N, Pass, P>(law, dt, r, u, parked, v, most);
  fused_transform<-1, form::LINE, P>(v, l.x, l.t, l.table);
  form::template store<P>(v, l, to, at, r);
}

/* Pass::IN fields are transformed, the rest of Pass::HELD are read at the points (the kept of an earlier pass);
 * Pass::KEEPS of them are written there. Then Pass::RESULTS products of them, and for each of the `carried` fields
 * behind them its three fluxes with the first three; then Pass::BESIDE results that Pass::lines() makes, which sees
 * the points of a carried field too where Pass::AMONG says so. Inputs end where results end: see triad_gpu_chunk. */
template <int N, class Pass>
static __global__ void __launch_bounds__(fused_room<N, Pass>::shape::THREADS, fused_room<N, Pass>::BLOCKS)
  fused_rows(triad_gpu_shape g, typename Pass::law law, const dcplx *in, dcplx *out, int64_t rows, int carried,
             triad_real *kept, int64_t kept_stride, double dt, double *peak)
{
  TRIAD_SHARED(memory);
  typedef fused_room<N, Pass> room;
  typedef typename room::form form;
  typedef typename room::shape shape;
  constexpr int LINE = form::LINE, ROWS = form::ROWS, R = Pass::HELD - Pass::SHARED;
  typedef factored<LINE> F;
  constexpr bool AHEAD = room::AHEAD, CARRIED_AHEAD = room::CARRIED_AHEAD;
  const int t = fused_thread<LINE>(), lane = threadIdx.y;
  dcplx *table = (dcplx *)memory, *mine = table + room::TABLE + lane * room::LINE;
  constexpr int PAIR = room::PAIR, TOGETHER = PAIR == 2 && Pass::IN >= 2 && R >= 2 ? 2 : 0;
  fused_line l = {{mine, mine + shape::PADDED}, table, t, g.kx_most};
  dcplx *parked = mine + 2 * PAIR * shape::PADDED + t, *inputs = mine + room::OWN;
  const int step = gridDim.x * shape::LANES * ROWS;
  /* two kernels: with both in one the code of many fields leaves its cache */
  constexpr bool PIECES = Pass::PIECES != 0;
  const auto from = places<PIECES>(g.from);
  const auto at = places<PIECES>(g.to);
  fused_target to = {out, rows * g.pitch, 0, g.pitch, 0};
  const int64_t wide = PIECES ? g.kx_most + 1 : g.pitch; /* of rows that were fetched */
  fastest most = {0, 0};
  form::fill(table, (const dcplx *)g.twiddle[0]);
  __syncthreads();
  int first = (blockIdx.x * shape::LANES + lane) * ROWS; /* row of the line */
  const auto there = [&](int row) { return (int)rows - row < ROWS ? (int)rows - row : ROWS; };
  const auto fetch = [&](int row, int f, int fields) {
    dcplx *there_to = inputs + f * form::ROWS * wide;
    const dcplx *there_from = in + f * to.field + row * g.pitch;
    if constexpr (PIECES) fused_fetch_pieces<form>(there_to, there_from, fields, g, to.field, there(row), t);
    else fused_fetch<form>(there_to, there_from, fields, to.field, there(row), g.pitch, t);
  };
  const auto load = [&](dcplx *v, int f, bool fetched) {
    if (fetched) form::load(v, inputs + f * form::ROWS * wide, whole_row{}, wide, to.rows, l);
    else form::load(v, in + f * to.field + to.at, from, g.pitch, to.rows, l);
  };
  if constexpr (AHEAD) fetch(first, 0, Pass::IN);
  if (CARRIED_AHEAD && carried > 0) fetch(first, Pass::IN, 1);
  for (; first - lane * ROWS < rows; first += step) {
    to.rows = there(first);
    to.at = first * g.pitch;
    dcplx u[R][F::E];
    if (AHEAD) {
      __pipeline_wait_prior(0);
      fused_sync<LINE>();
    }
#pragma unroll
    for (int f = 0; f < TOGETHER; f++) load(u[f], f, AHEAD);
    if constexpr (TOGETHER > 0) fused_transform<1, LINE, TOGETHER>(u, l.x, t, table);
#pragma unroll
    for (int f = 0; f < TOGETHER && f < Pass::KEEPS; f++)
      form::keep(u[f], kept + f * kept_stride + (int64_t)first * N, to.rows, t);
    const auto at_points = [&](dcplx(*line)[F::E], int f) {
      if (f < Pass::IN) {
        load(line[0], f, AHEAD);
        fused_transform<1, LINE, 1>(line, l.x, t, table);
        if (f < Pass::KEEPS) form::keep(line[0], kept + f * kept_stride + (int64_t)first * N, to.rows, t);
      } else form::recall(line[0], kept + (f - Pass::IN) * kept_stride + (int64_t)first * N, to.rows, t);
    };
#pragma unroll
    for (int f = TOGETHER; f < R; f++) at_points(u + f, f);
#pragma unroll(room::ROLLED ? 1 : (int)Pass::HELD)
    for (int f = TOGETHER > R ? TOGETHER : R; f < Pass::HELD; f++) {
      dcplx line[1][F::E];
      at_points(line, f);
#pragma unroll
      for (int m = 0; m < F::E; m++) parked[(f - R) * LINE + m * F::G] = line[0][m];
    }
    /* all threads of the line have met since the last input was read */
    if constexpr (AHEAD) fetch(first + step, 0, Pass::IN);
#pragma unroll(room::ROLLED ? 1 : (int)Pass::RESULTS)
    for (int r = 0; r + PAIR <= Pass::RESULTS; r += PAIR) {
      if constexpr (room::ROLLED != 0) fused_forget<R, F::E>(u);
      fused_products<N, Pass, PAIR>(law, dt, r, u, parked, l, to, at, most);
    }
    if constexpr (Pass::RESULTS % PAIR != 0)
      fused_products<N, Pass, 1>(law, dt, Pass::RESULTS - 1, u, parked, l, to, at, most);
    if constexpr (Pass::CARRIES != 0) {
      for (int s = 0; s < carried; s++) {
        dcplx line[1][F::E], *v = line[0];
        dcplx *scalar = PAIR > 1 ? mine + 2 * shape::PADDED + t : parked + Pass::SHARED * LINE;
        load(v, Pass::IN + s, CARRIED_AHEAD && s == 0);
        fused_transform<1, LINE, 1>(line, l.x, t, table);
        if (CARRIED_AHEAD && s == 0) fetch(first + step, Pass::IN, 1);
#pragma unroll
        for (int m = 0; m < F::E; m++) scalar[m * F::G] = v[m];
#pragma unroll(room::ROLLED ? 1 : 3)
        for (int c = 0; c < 3; c++) {
#pragma unroll
          for (int m = 0; m < F::E; m++) {
            dcplx p = held_of_three<LINE, Pass>(u, parked, c, m), q = scalar[m * F::G];
            v[m] = dcplx{p.x * q.x, p.y * q.y};
          }
          fused_transform<-1, LINE, 1>(line, l.x, t, table);
          form::template store<1>(line, l, to, at, Pass::RESULTS + 3 * s + c);
        }
        if constexpr (Pass::BESIDE != 0 && Pass::AMONG != 0)
          Pass::template lines<N>(law, first, u, parked, scalar, l, to, at, Pass::RESULTS + 3 * carried, most);
      }
    }
    if constexpr (Pass::BESIDE != 0 && Pass::AMONG == 0)
      Pass::template lines<N>(law, first, u, parked, nullptr, l, to, at, Pass::RESULTS + 3 * carried, most);
  }
  if (peak) raise_peak(peak, (double)(most.most + most.finite));
}

#endif
