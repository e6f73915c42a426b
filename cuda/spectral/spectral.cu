/* The spectral side of one equation set, compiled once per set of solvers/spectral/equations/list.h with
 * -DTRIAD_SET=<set>: the update of its modes in a stage, and sums for budgets, spectra and transfers, by the functions
 * that TRIAD_GPU_MODES in <set>_points.h names (kernels.h). S below is the resulting struct: numbers, constants,
 * functions. */
#include "solvers/spectral/equations/device_force.h"
#include "solvers/spectral/equations/device_joined.h"
#include "solvers/spectral/equations/device_measure.h"
#include "solvers/spectral/equations/device_scalar.h"
#include "solvers/spectral/equations/device_stage.h"

/* What a TRIAD_GPU_MODES may leave out. */
struct modes_defaults {
  enum { TRANSFERS = 0, SOURCES = 0, OBSERVED = 0, SCALARS = 0, JOINED = 0 };
};

/* Some fields by value, and a mode of them all. */
template <int N> struct fields_of {
  const triad_cplx *u[N];
  explicit fields_of(const triad_cplx *const *from)
  {
    for (int f = 0; f < N; f++) u[f] = from[f];
  }
  __device__ __forceinline__ void get(int64_t i, triad_cplx *to) const
  {
#pragma unroll
    for (int f = 0; f < N; f++) to[f] = u[f][i];
  }
};

/* ---- stages ---- */

/* How many of a set's fields a force can be of. */
template <class S> constexpr int drives = (int)S::FIELDS < TRIAD_GPU_FORCE_FROM ? (int)S::FIELDS : TRIAD_GPU_FORCE_FROM;

/* Where no formula has a part in N, nothing of one takes registers. */
struct no_force {
};

template <class S, class Force>
static __global__ void update_kernel(typename S::constants c, stage_args p, stage_fields<S::FIELDS> f, Force force,
                                     triad_gpu_modes modes)
{
  int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  if (i >= modes.n) return;
  const mode m = mode_of(modes, i / modes.columns, i % modes.columns);
  if (size_of(modes.kz[m.j]) > modes.extent[m.column]) return; /* such modes are zero and stay so */
  const real_k k = real_k_of(m);
  triad_cplx u[S::FIELDS], t[S::TERMS], n[S::FIELDS];
#pragma unroll
  for (int x = 0; x < S::FIELDS; x++) u[x] = f.u[x][i];
#pragma unroll
  for (int r = 0; r < S::TERMS; r++) t[r] = p.results.base[m.j * p.results.stride + r * modes.columns + m.column];
  S::rates(c, k.k, k.inverse_k2, u, t, n);
  if constexpr (!std::is_same<Force, no_force>::value) force.template add<drives<S>>(m, p.results, modes.columns, u, n);
  p.read_times();
  advance_mode<S::FIELDS>(p, f, m, u, n);
}

template <class S, class Force>
static int launch_update(const typename S::constants &c, const triad_gpu_update *p, const Force &force, void *stream)
{
  TRIAD_LAUNCH(dim3(blocks_for(p->modes.n, 256)), dim3(256), stream, update_kernel<S, Force>)
  (c, stage_args(p), stage_fields<S::FIELDS>(p, 0), force, p->modes);
  return launched("update");
}

template <class S> static int update(const void *constants, const triad_gpu_update *p, void *stream)
{
  const auto *c = (const typename S::constants *)constants;
  if constexpr (S::SCALARS != 0) /* first: they are carried by the velocity as it was */
    for (int s = 0; s < c->scalars.n; s++)
      TRIAD_TRY(update_scalar(p, S::FIELDS + s, S::TERMS + TRIAD_FLUX_TERMS * s, c->scalars.gradient + 3 * s, stream));
  if (p->force) return launch_update<S>(*c, p, mode_force<S::FIELDS>(p->force), stream);
  return launch_update<S>(*c, p, no_force{}, stream);
}

/* ---- inputs that are made of the fields ---- */

template <class S>
static __global__ void source_kernel(typename S::constants c, triad_gpu_modes modes, fields_of<S::FIELDS> u,
                                     stage_outputs made)
{
  int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  if (i >= modes.n) return;
  const mode m = mode_of(modes, i / modes.columns, i % modes.columns);
  triad_cplx from[S::FIELDS], to[S::SOURCES];
  u.get(i, from);
  S::source(c, real_k_of(m).k, from, to);
#pragma unroll
  for (int f = 0; f < S::SOURCES; f++) made.u[f][i] = to[f];
}

template <class S>
static int source(const void *constants, const triad_gpu_modes *modes, const triad_cplx *const *u,
                  triad_cplx *const *made, void *stream)
{
  stage_outputs to = {};
  for (int f = 0; f < S::SOURCES; f++) to.u[f] = made[f];
  TRIAD_LAUNCH(dim3(blocks_for(modes->n, 256)), dim3(256), stream, source_kernel<S>)
  (*(const typename S::constants *)constants, *modes, fields_of<S::FIELDS>(u), to);
  return launched("inputs");
}

/* ---- budgets, spectra, transfers ---- */

template <class S> struct sums_term {
  enum { COUNT = S::SUMS };
  typename S::constants c;
  fields_of<S::FIELDS> u;
  __device__ __forceinline__ void at(const mode &m, double *terms) const
  {
    triad_cplx v[S::FIELDS];
    u.get(m.i, v);
    S::sums(c, m.k, v, terms);
  }
};

template <class S> struct densities_term {
  enum { COUNT = S::DENSITIES };
  typename S::constants c;
  fields_of<S::FIELDS + S::OBSERVED> u;
  __device__ __forceinline__ void at(const mode &m, double *terms) const
  {
    triad_cplx v[S::FIELDS + S::OBSERVED];
    u.get(m.i, v);
    S::densities(c, m.k, v, terms);
  }
};

template <class S> struct transfers_term {
  enum { COUNT = S::TRANSFERS };
  typename S::constants c;
  int part;
  fields_of<S::FIELDS> u;
  triad_gpu_results results;
  int64_t columns;
  transfers_term(const void *constants, int which, const triad_gpu_measure *m)
      : c(*(const typename S::constants *)constants), part(which), u(m->u), results(m->results),
        columns(m->modes.columns)
  {
  }
  __device__ __forceinline__ void at(const mode &m, double *terms) const
  {
    const real_k k = real_k_of(m);
    triad_cplx v[S::FIELDS], t[S::TERMS];
    u.get(m.i, v);
#pragma unroll
    for (int r = 0; r < S::TERMS; r++) t[r] = results.base[m.j * results.stride + r * columns + m.column];
    S::transfers(c, part, k.k, k.inverse_k2, v, t, terms);
  }
};

template <class S> static int sums(const void *constants, const triad_gpu_measure *m)
{
  const auto *c = (const typename S::constants *)constants;
  TRIAD_TRY(sum_modes(sums_term<S>{*c, fields_of<S::FIELDS>(m->u)}, m, m->out));
  if constexpr (S::SCALARS != 0)
    for (int s = 0; s < c->scalars.n; s++)
      TRIAD_TRY(sum_modes(scalar_sums_term(c->scalars.decay[s], c->velocity.edge, m->u, S::FIELDS + s), m,
                          m->out + S::SUMS + s * scalar_sums_term::COUNT));
  return TRIAD_OK;
}

template <class S> static int densities(const void *constants, const triad_gpu_measure *m, const triad_gpu_bins *bins)
{
  const auto *c = (const typename S::constants *)constants;
  const int64_t each = bins->n_groups * bins->n_bins;
  TRIAD_TRY(gather_modes(densities_term<S>{*c, fields_of<S::FIELDS + S::OBSERVED>(m->u)}, m, bins, m->out));
  if constexpr (S::SCALARS != 0)
    for (int s = 0; s < c->scalars.n; s++)
      TRIAD_TRY(gather_modes(scalar_density_term{m->u[S::FIELDS + s]}, m, bins, m->out + (S::DENSITIES + s) * each));
  return TRIAD_OK;
}

template <class S>
static int transfers(const void *constants, int part, const triad_gpu_measure *m, const triad_gpu_bins *bins)
{
  TRIAD_TRY(gather_modes(transfers_term<S>(constants, part, m), m, bins, m->out));
  if constexpr (S::SCALARS != 0)
    for (int s = 0; s < ((const typename S::constants *)constants)->scalars.n; s++)
      TRIAD_TRY(gather_modes(scalar_transfer_term(m, S::FIELDS + s, S::TERMS + TRIAD_FLUX_TERMS * s), m, bins,
                             m->out + (S::TRANSFERS + s) * bins->n_groups * bins->n_bins));
  return TRIAD_OK;
}

template <class S> static int powers(const void *constants, const triad_gpu_measure *m)
{
  return sum_modes(transfers_term<S>(constants, 0, m), m, m->out);
}

/* ---- a set ---- */

/* What it has; what it has not stays NULL. */
template <class S> static TRIAD_HOST_TABLE triad_gpu_spectral table_of()
{
  triad_gpu_spectral t = {};
  t.sources = S::SOURCES;
  t.observed = S::OBSERVED;
  t.update = update<S>;
  if constexpr (S::JOINED != 0) {
    t.joins = joins<S>;
    t.joined = joined<S>;
  }
  t.sums = sums<S>;
  t.densities = densities<S>;
  if constexpr (S::SOURCES != 0) t.source = source<S>;
  if constexpr (S::TRANSFERS != 0) {
    t.transfers = transfers<S>;
    t.powers = powers<S>;
  }
  return t;
}

/* Functions that a set may lack are asked for by templates only. */
#define TRIAD_GPU_MODES(name, type, ...) \
  struct name##_modes : modes_defaults { \
    typedef type constants; \
    enum { __VA_ARGS__ }; \
    static __device__ __forceinline__ void rates(const type &c, const triad_real *k, triad_real inverse_k2, \
                                                 const triad_cplx *u, const triad_cplx *t, triad_cplx *n) \
    { \
      triad_##name##_mode(&c, k, inverse_k2, u, t, n); \
    } \
    static __device__ __forceinline__ void sums(const type &c, const triad_wave_numbers &k, const triad_cplx *u, \
                                                double *s) \
    { \
      triad_##name##_mode_sums(&c, &k, u, s); \
    } \
    static __device__ __forceinline__ void densities(const type &c, const triad_wave_numbers &k, const triad_cplx *u, \
                                                     double *d) \
    { \
      triad_##name##_mode_densities(&c, &k, u, d); \
    } \
    template <class C> \
    static __device__ __forceinline__ void transfers(const C &c, int part, const triad_real *k, triad_real inverse_k2, \
                                                     const triad_cplx *u, const triad_cplx *t, double *d) \
    { \
      triad_##name##_mode_transfers(&c, part, k, inverse_k2, u, t, d); \
    } \
    template <class C> \
    static __device__ __forceinline__ void source(const C &c, const triad_real *k, const triad_cplx *u, triad_cplx *m) \
    { \
      triad_##name##_source(&c, k, u, m); \
    } \
  }; \
  extern "C" const triad_gpu_spectral triad_gpu_spectral_##name; \
  const triad_gpu_spectral triad_gpu_spectral_##name = table_of<name##_modes>();

#define TRIAD_TEXT_(x) #x
#define TRIAD_TEXT(x) TRIAD_TEXT_(x)
/* a path, not a division */
/* clang-format off */
#define TRIAD_SET_FILE(x) TRIAD_TEXT(solvers/spectral/equations/x##_points.h)
/* clang-format on */
#define TRIAD_SET_FILE_(x) TRIAD_SET_FILE(x)
#include TRIAD_SET_FILE_(TRIAD_SET)
