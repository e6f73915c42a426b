/* Rows as the fused x pass transforms them, of every length of lengths.c, for test_lines_gpu.c. */
#include <cuda_runtime.h>

#ifndef TEST_BUILT_IN
#define TEST_FUSED test_fused
#define TEST_TURNS test_turns
#define TEST_ROWS(size, one) (one) /* do rows of so many points go one by one? */
#include "lines_fused.h"           /* of lengths.c */
#endif

#include "fft/gpu/device_fused_forms.h"

static dcplx memory[16 << 10];

/* Modes kx <= kx_most of rows -> points, and back. */
template <int N, class form>
static __global__ void there_and_back(const dcplx *in, triad_real *points, dcplx *out, int kx_most, int64_t pitch,
                                      const dcplx *table)
{
  typedef factored<form::LINE> F;
  typedef fused_shape<form::LINE> shape;
  const int t = fused_thread<form::LINE>(), lane = threadIdx.y, rows = form::ROWS;
  dcplx *mine = memory + form::TABLE + lane * 2 * shape::PADDED, line[1][F::E];
  fused_line l = {{mine, mine + shape::PADDED}, memory, t, kx_most};
  fused_target to = {out, 0, lane * rows * pitch, pitch, rows};
  form::fill(memory, table);
  __syncthreads();
  form::load(line[0], in + lane * rows * pitch, whole_row{}, pitch, rows, l);
  fused_transform<1, form::LINE, 1>(line, l.x, t, memory);
  form::keep(line[0], points + lane * rows * N, rows, t);
  form::recall(line[0], points + lane * rows * N, rows, t);
  fused_transform<-1, form::LINE, 1>(line, l.x, t, memory);
  form::template store<1>(line, l, to, whole_row{}, 0);
}

template <int N, int ONE, bool WIDE>
static int rows(const triad_cplx *in, triad_real *points, triad_cplx *out, int kx_most, int64_t pitch,
                const triad_cplx *table)
{
  typedef std::conditional_t<ONE != 0, fused_row<N, WIDE>, fused_pair<N, WIDE>> form;
  typedef fused_shape<form::LINE> shape;
  static_assert(shape::LANES * 2 * shape::PADDED + form::TABLE <= sizeof memory / sizeof *memory, "memory");
  TRIAD_LAUNCH(1, dim3(shape::WIDTH, shape::LANES), 0, there_and_back<N, form>)
  ((const dcplx *)in, points, (dcplx *)out, kx_most, pitch, (const dcplx *)table);
  return form::ROWS * shape::LANES;
}

/* in, out: [row][pitch], points [row][n], of as many rows as it returns; those that have a kx_most of n/3 and more,
 * where n is a multiple of 20. */
extern "C" int TEST_FUSED(int n, const triad_cplx *in, triad_real *points, triad_cplx *out, int kx_most, int64_t pitch,
                          const triad_cplx *table)
{
  switch (n) {
#define CASE(size, one, ...) \
  case size: { \
    constexpr bool can = size % 20 == 0; /* for phase shifts */ \
    if (3 * kx_most >= size && !can) return 0; \
    if (3 * kx_most >= size) return rows<size, TEST_ROWS(size, one), can>(in, points, out, kx_most, pitch, table); \
    return rows<size, TEST_ROWS(size, one), false>(in, points, out, kx_most, pitch, table); \
  }
    TEST_LENGTHS(CASE)
#undef CASE
  }
  return 0;
}

/* ---- turns in shared memory ---- */

/* Add what threads take that reach for these places, at[thread], -1: none: turns, and the fewest that could be. */
static void add_turns(const int *at, int threads, long turns[2])
{
  for (int first = 0; first < threads; first += FUSED_AT_ONCE) {
    int in_bank[FUSED_AT_ONCE] = {0}, most = 0;
    for (int t = first; t < threads && t < first + FUSED_AT_ONCE; t++) {
      bool again = at[t] < 0;
      /* one place is one turn for all */
      for (int other = first; other < t; other++) again = again || at[other] == at[t];
      if (!again && ++in_bank[at[t] % FUSED_AT_ONCE] > most) most = in_bank[at[t] % FUSED_AT_ONCE];
    }
    turns[0] += most;
    turns[1] += most > 0;
  }
}

/* What a pass of radix R over lines of N reaches for: place(t, q, m) is that of element m of the parts that begin at
 * q, of thread t. */
template <int N, int R, class Place> static void add_pass(long turns[2], Place place)
{
  typedef fused_shape<N> shape;
  int at[shape::WIDTH];
  for (int q = 0; q * shape::G < N / R; q++)
    for (int m = 0; m < R; m++) {
      for (threadIdx.x = 0; threadIdx.x < shape::WIDTH; threadIdx.x++) {
        const int t = fused_thread<N>();
        at[threadIdx.x] = t + q * shape::G < N / R ? place(t, q * shape::G, m) : -1;
      }
      add_turns(at, shape::WIDTH, turns);
    }
}

template <int N, int L, int R> static void add_writes(long turns[2])
{
  constexpr int G = fused_shape<N>::G;
  add_pass<N, R>(turns, [](int t, int q, int m) { return fused_exchange<N, L, R>::template written<G>(t, q, m); });
}

template <int N, class From, int R> static void add_reads(long turns[2])
{
  constexpr int G = fused_shape<N>::G;
  add_pass<N, R>(turns, [](int t, int q, int m) { return From::template place<G>(t, q + m * (N / R)); });
}

template <int N, class From, int L, int R> static void add_middle(long turns[2])
{
  if constexpr (R > 1) {
    add_reads<N, From, R>(turns);
    add_writes<N, L, R>(turns);
  }
}

template <int N> static void add_line(long turns[2])
{
  typedef factored<N> F;
  typedef fused_exchanges<N> X;
  add_writes<N, 1, F::FIRST>(turns);
  add_middle<N, typename X::first, F::FIRST, F::A>(turns);
  add_middle<N, typename X::after_a, F::FIRST * F::A, F::B>(turns);
  add_middle<N, typename X::after_b, F::FIRST * F::A * F::B, F::C>(turns);
  add_reads<N, typename X::after_c, F::E>(turns);
}

/* Of a line of a row, or of a pair of rows, of n points. 0: there is none. */
extern "C" int TEST_TURNS(int n, long turns[2])
{
  turns[0] = turns[1] = 0;
  switch (n) {
#define TURNS(size, one, ...) \
  case size: add_line<TEST_ROWS(size, one) ? size / 2 : size>(turns); return 1;
    TEST_LENGTHS(TURNS)
  }
  return 0;
}
