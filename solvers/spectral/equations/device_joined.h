/* The lines along z of a stage in one kernel, for cuda/ only: results forward, the update of their modes, and the new
 * fields backward, to the input of the next pass (fft/gpu/gpu_pass.h). Results and fields are not written to memory in
 * between, which saves 1.8 of 6.4 bytes.
 *
 * A block has the columns of some lanes to itself. Line by line it transforms the results, and keeps of each what
 * truncation keeps in shared memory, in places of the thread's own, which need no barrier; then it reads and writes
 * the state and the registers of these modes, each mode's asked for while the one before is worked out; then it
 * transforms the new fields, which have taken the results' places. */
#ifndef TRIAD_SOLVERS_SPECTRAL_EQUATIONS_DEVICE_JOINED_H
#define TRIAD_SOLVERS_SPECTRAL_EQUATIONS_DEVICE_JOINED_H

#include "fft/gpu/device_columns.h"
#include "solvers/spectral/equations/device_stage.h"

/* Lanes and shared memory of a block. If only one block fits on a multiprocessor, it is idle while its threads wait
 * for each other, and three kernels, of which two blocks fit, are faster (docs/notebook/gpu-kernels.md). */
template <class S, int N, bool WIDE> struct joined_room {
  typedef strided<N> F;
  enum {
    KEPT = chains_of<N, WIDE>::kept(),
    HELD = (int)S::TERMS - 1 > (int)S::FIELDS ? (int)S::TERMS - 1 : (int)S::FIELDS, /* lines that wait */
    each = (N + HELD * KEPT * (int)F::G) * (int)sizeof(dcplx),                      /* [bytes] a lane */
    room = shared_room,
    lanes = lanes_of<N>::value,
    shared = lanes * each,
    fit = room / shared,
    threads = (int)F::G * lanes,
    wanted = threads > 170 ? 2 : 512 / threads, /* of 128 registers a thread, or of what two blocks leave */
    blocks = (int)fit < (int)wanted ? (int)fit : (int)wanted,
    most = 768, /* threads of two blocks: 80 registers each, of fewer too much goes to memory */
    serves = blocks >= 2 && 2 * threads <= most
  };
};

/* What a thread keeps of its line, in order: element e of KEPT. */
template <int N, bool WIDE> static __device__ __forceinline__ int element_of(int e)
{
  typedef strided<N> F;
  constexpr int skipped = (int)F::E - chains_of<N, WIDE>::kept(); /* one run, between low and high ones */
  constexpr int below = ((int)F::E - skipped + 1) / 2;
  static_assert(skipped == 0 || (low<F, WIDE>(below - 1) && !low<F, WIDE>(below) && !high<F, WIDE>(below) &&
                                 high<F, WIDE>(below + skipped)),
                "stored fields");
  return e < below ? e : e + skipped;
}
template <int N, bool WIDE> static __device__ __forceinline__ constexpr bool may_keep(int m)
{
  return low<strided<N>, WIDE>(m) || high<strided<N>, WIDE>(m);
}

/* A mode's state, loaded before it is used; j < 0: no mode. */
template <int FIELDS> struct mode_ahead {
  int j;
  triad_cplx u[FIELDS], q[FIELDS];
};

template <int N, bool WIDE, int FIELDS>
static __device__ __forceinline__ mode_ahead<FIELDS> ask_mode(const stage_args &p, const stage_fields<FIELDS> &f,
                                                              const triad_gpu_shape &g, int64_t column, int extent,
                                                              int m, int t)
{
  mode_ahead<FIELDS> a;
  a.j = kept_at<N, WIDE>(g, extent, m, t);
  if (a.j < 0) return a;
  const int64_t i = a.j * g.columns + column;
#pragma unroll
  for (int x = 0; x < FIELDS; x++) a.u[x] = f.u[x][i];
  read_registers<FIELDS>(p, f, i, a.q);
  return a;
}

struct joined_waves {
  const double *x, *y, *z;
};

template <class S, int N, int LANES, bool WIDE>
static __global__ void __launch_bounds__(strided<N>::G *LANES, joined_room<S, N, WIDE>::blocks)
  joined_kernel(typename S::constants c, stage_args p, stage_fields<S::FIELDS> f, joined_waves waves, triad_gpu_shape g,
                triad_gpu_shift next, int back, dcplx *work)
{
  TRIAD_SHARED(memory);
  typedef strided<N> F;
  typedef joined_room<S, N, WIDE> room;
  constexpr int THREADS = F::G * LANES, LINE = room::KEPT * THREADS;
  const int lane = threadIdx.x, t = threadIdx.y, me = t * LANES + lane;
  dcplx *const line = (dcplx *)memory, *const held = line + N * LANES;
  const dcplx *const table = (const dcplx *)g.twiddle[2];
  const int64_t column = (int64_t)blockIdx.x * LANES + lane;
  const int extent = column < g.columns ? g.extent[column] : -1;
  const bool shifted = WIDE && g.shift.along[2] && column < g.columns;
  const column_shift shift = shift_of(g, column, shifted);
  mode_ahead<S::FIELDS> ahead;
  dcplx v[F::E];
  p.read_times();
#pragma unroll 1
  for (int r = 0; r < S::TERMS; r++) {
    const bool last = r + 1 == S::TERMS;
    load_planes<N>(g, r, column, t, work, v);
    if (last) ahead = ask_mode<N, WIDE>(p, f, g, column, extent, element_of<N, WIDE>(0), t);
    transform_line<-1, N, LANES, F>(v, line, t, lane, table);
    if (shifted) turn_column<-1, N>(g, v, shift, extent, t);
    dcplx *const to = last ? line : held + r * LINE; /* the last one stays where lines are exchanged */
#pragma unroll
    for (int m = 0, e = 0; m < F::E; m++)
      if (may_keep<N, WIDE>(m)) to[e++ * THREADS + me] = v[m];
  }
#pragma unroll 1
  for (int e = 0; e < room::KEPT; e++) {
    const mode_ahead<S::FIELDS> at = ahead;
    triad_cplx made[S::FIELDS] = {}, kept[S::FIELDS];
    if (e + 1 < room::KEPT) ahead = ask_mode<N, WIDE>(p, f, g, column, extent, element_of<N, WIDE>(e + 1), t);
    if (at.j >= 0) {
      const double x = waves.x[column], y = waves.y[column], z = waves.z[at.j];
      const triad_wave_numbers numbers = {{x, y, z}, {x, y, z}}; /* the same: a truncation leaves out n/2 */
      const mode m = {at.j * g.columns + column, at.j, column, numbers};
      const real_k k = real_k_of(m);
      triad_cplx terms[S::TERMS], n[S::FIELDS];
#pragma unroll
      for (int r = 0; r < S::TERMS; r++) {
        const dcplx term = (r + 1 == S::TERMS ? line : held + r * LINE)[e * THREADS + me];
        terms[r] = {term.x, term.y};
      }
      S::rates(c, k.k, k.inverse_k2, at.u, terms, n);
      advanced<S::FIELDS>(p, f.decay, triad_mode_k2(m.k.size), at.u, at.q, n, made, kept);
      write_mode<S::FIELDS>(p, f, m.i, made, kept);
    }
#pragma unroll
    for (int x = 0; x < S::FIELDS; x++) held[x * LINE + e * THREADS + me] = {made[x].re, made[x].im};
  }
  if (!back) return;
  __syncthreads(); /* all have read the last result */
  triad_gpu_shape to = g;
  to.shift = next;
  const bool turned = WIDE && next.along[2] && column < g.columns;
  const column_shift turn = shift_of(to, column, turned);
#pragma unroll 1
  for (int x = 0; x < S::FIELDS; x++) {
#pragma unroll
    for (int m = 0, e = 0; m < F::E; m++)
      v[m] = may_keep<N, WIDE>(m) ? held[x * LINE + e++ * THREADS + me] : dcplx{0, 0};
    if (turned) turn_column<1, N>(to, v, turn, extent, t);
    transform_line<1, N, LANES, F>(v, line, t, lane, table);
    if (column < g.columns) store_planes<N>(g, S::FIELDS, x, column, t, v, work);
  }
}

template <class S, int N, bool WIDE>
static int joined_of(const typename S::constants *c, const triad_gpu_update *p, const triad_gpu_joined *j, void *stream)
{
  typedef joined_room<S, N, WIDE> room;
  if constexpr (!room::serves)
    return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "two blocks of columns of %d points do not fit", N);
  else {
    constexpr size_t bytes = room::shared;
    const auto kernel = joined_kernel<S, N, room::lanes, WIDE>;
    TRIAD_TRY(allow_shared(kernel, bytes));
    TRIAD_LAUNCH_SHARED(dim3(blocks_for(j->shape->columns, room::lanes)), dim3(room::lanes, strided<N>::G), bytes,
                        stream, kernel)
    (*c, stage_args(p), stage_fields<S::FIELDS>(p, 0), joined_waves{p->modes.wx, p->modes.wy, p->modes.wz}, *j->shape,
     j->next ? *j->next : triad_gpu_shift{}, j->next != NULL, (dcplx *)j->work);
    return launched("a stage's lines along z");
  }
}

/* Blocks that lines of this length come to, where two of them fit a multiprocessor; else 0. */
template <class S, bool WIDE> static int64_t blocks_of_columns(const triad_gpu_shape *g)
{
  switch (g->n[2]) {
#define CASE(size, e, a, b) \
  case size: return joined_room<S, size, WIDE>::serves ? blocks_for(g->columns, joined_room<S, size, WIDE>::lanes) : 0;
    TRIAD_DEVICE_SIZES(CASE)
#undef CASE
  default: return 0;
  }
}

/* A block is a long chain of transforms: of less than four a multiprocessor too many would wait for the last. */
enum { ROUNDS = 4 };

template <class S> static int joins(const triad_gpu_shape *g, int n_fields)
{
  int device = 0, processors = 0;
  if (n_fields != S::FIELDS || g->columns == 0 || g->library[2] || g->compiled[2]) return 0;
  if (cudaGetDevice(&device) != cudaSuccess) return 0;
  if (cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device) != cudaSuccess) return 0;
  return (g->wide ? blocks_of_columns<S, true>(g) : blocks_of_columns<S, false>(g)) >= (int64_t)ROUNDS * processors;
}

template <class S>
static int joined(const void *constants, const triad_gpu_update *p, const triad_gpu_joined *j, void *stream)
{
  const auto *c = (const typename S::constants *)constants;
  if (j->shape->columns == 0) return TRIAD_OK;
  return with_size(j->shape->n[2], [&](auto size) {
    return j->shape->wide ? joined_of<S, size(), true>(c, p, j, stream) : joined_of<S, size(), false>(c, p, j, stream);
  });
}

#endif
