/* Launches of one equation set, compiled once per solvers/spectral/<set>_law.h with -DTRIAD_LAW=<set>: its points, its
 * fused x pass where the law asks for one, and the update of its modes. */
#define TRIAD_TEXT_(x) #x
#define TRIAD_TEXT(x) TRIAD_TEXT_(x)
#define TRIAD_JOIN_(a, b, c) a##b##c
#define TRIAD_JOIN(a, b, c) TRIAD_JOIN_(a, b, c)
#define LAW(name) TRIAD_JOIN(triad_, TRIAD_LAW, name)

#define TRIAD_LAW_FILE_(x) TRIAD_TEXT(solvers/spectral/x##_law.h)
#define TRIAD_LAW_FILE(x) TRIAD_LAW_FILE_(x)
#include TRIAD_LAW_FILE(TRIAD_LAW)

#include "fft/device_rows.h"
#include "solvers/spectral/gpu_set.h"

struct set {
  typedef LAW(_law) law;
  enum { FIELDS = LAW(_fields), N_IN = LAW(_in), N_OUT = LAW(_out), FUSED = LAW(_fused) };
  static __device__ __forceinline__ triad_real product(const law &l, int r, const triad_real *in)
  {
    triad_real out[N_OUT];
    LAW(_point)(&l, in, out);
    return out[r]; /* r is known when loops are unrolled: the others are not computed */
  }
  static __device__ __forceinline__ triad_real rate(const law &l, const triad_real *in) { return LAW(_speed)(&l, in); }
};

static __global__ void points_kernel(set::law law, int64_t n, int64_t stride, const triad_real *in, triad_real *out,
                                     double *peak)
{
  int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  double rate = 0;
  if (i < n) {
    triad_real values[set::N_IN], results[set::N_OUT];
#pragma unroll
    for (int f = 0; f < set::N_IN; f++) values[f] = in[f * stride + i];
    LAW(_point)(&law, values, results);
#pragma unroll
    for (int r = 0; r < set::N_OUT; r++) out[r * stride + i] = results[r];
    rate = (double)LAW(_speed)(&law, values);
  }
  raise_peak(peak, rate);
}

static int points(const void *law, int64_t n, int64_t stride, const triad_real *in, triad_real *out, double *peak,
                  void *stream)
{
  points_kernel<<<blocks_for(n, 256), 256, 0, (cudaStream_t)stream>>>(*(const set::law *)law, n, stride, in, out, peak);
  return launched("points");
}

template <int N>
static int rows_of(const set::law *law, const triad_gpu_shape *g, const triad_cplx *in, triad_cplx *out, int64_t rows,
                   double *peak, void *stream)
{
  if constexpr (set::FUSED) {
    constexpr int L = row_pairs_of<N>::value;
    constexpr size_t bytes = (size_t)N * L * sizeof(dcplx);
    TRIAD_TRY(allow_shared(fused_rows<N, L, set>, bytes));
    fused_rows<N, L, set><<<blocks_for(rows, 2 * L), dim3(L, factored<N>::G), bytes, (cudaStream_t)stream>>>(
        *g, *law, (const dcplx *)in, (dcplx *)out, rows, peak);
    return launched("fused x pass");
  }
  return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "this set has no fused x pass");
}

static int rows(const void *law, const triad_gpu_shape *g, const triad_cplx *in, triad_cplx *out, int count,
                double *peak, void *stream)
{
  switch (g->n[0]) {
#define CASE(size, e, a, b)                                                                                            \
  case size:                                                                                                           \
    return rows_of<size>((const set::law *)law, g, in, out, (int64_t)count * g->n[1], peak, stream);
    TRIAD_DEVICE_SIZES(CASE)
#undef CASE
  default: return TRIAD_FAIL(TRIAD_ERR_FEATURE, "there is no GPU kernel for %d points along x", g->n[0]);
  }
}

static __device__ __forceinline__ double rate_of(const triad_gpu_decay &d, double k2)
{
  double rate = d.viscosity * k2;
  if (d.hyperviscosity > 0) rate += d.hyperviscosity * pow(k2, d.order);
  if (d.drag > 0 && (d.drag_wavenumber <= 0 || k2 <= d.drag_wavenumber * d.drag_wavenumber * (1 + 1e-12)))
    rate += d.drag;
  return rate;
}

static __global__ void update_kernel(set::law law, triad_gpu_update p)
{
  int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  if (i >= p.modes) return;
  int64_t j = i / p.columns, c = i - j * p.columns;
  int kz = p.kz[j] < 0 ? -p.kz[j] : p.kz[j];
  if (kz > p.extent[c]) return; /* such modes are zero and stay so */
  double wx = p.wx[c], wy = p.wy[c], wz = p.wz[j], k2 = wx * wx + wy * wy + wz * wz;
  const triad_real k[3] = {(triad_real)wx, (triad_real)wy, (triad_real)wz};
  triad_cplx u[set::FIELDS], t[set::N_OUT], n[set::FIELDS];
#pragma unroll
  for (int f = 0; f < set::FIELDS; f++) u[f] = p.u[f][i];
#pragma unroll
  for (int r = 0; r < set::N_OUT; r++) t[r] = p.results[j * p.stride + r * p.columns + c];
  LAW(_mode)(&law, k, k2 > 0 ? (triad_real)(1 / k2) : 0, u, t, n);
#pragma unroll
  for (int f = 0; f < set::FIELDS; f++) {
    triad_real e = (triad_real)exp(-p.tau * rate_of(p.decay[f], k2));
    triad_cplx q = {0, 0}, next = {u[f].re + (triad_real)p.b * n[f].re, u[f].im + (triad_real)p.b * n[f].im};
    if (!p.first) {
      q = p.q[f][i];
      next.re += (triad_real)p.a * q.re;
      next.im += (triad_real)p.a * q.im;
    }
    p.u[f][i] = triad_cplx{e * next.re, e * next.im};
    if (!p.last)
      p.q[f][i] = triad_cplx{e * ((triad_real)p.d * q.re + (triad_real)p.e * n[f].re),
                             e * ((triad_real)p.d * q.im + (triad_real)p.e * n[f].im)};
  }
}

static int update(const void *law, const triad_gpu_update *p, void *stream)
{
  update_kernel<<<blocks_for(p->modes, 256), 256, 0, (cudaStream_t)stream>>>(*(const set::law *)law, *p);
  return launched("update");
}

#define SET_(law) TRIAD_NAME(gpu_set_##law)
#define SET(law) SET_(law)
extern "C" const triad_gpu_set SET(TRIAD_LAW) = {points, LAW(_fused) ? rows : NULL, update};
