/* The spectral side of one equation set, compiled once per solvers/spectral/<set>_modes.h with -DTRIAD_LAW=<set>: the
 * update of its modes in a stage, sums for budgets, spectra, transfers. <set>_modes.h says, besides its law:
 *   fields, terms    of the set; results that its rates are made of
 *   sources          inputs of the first pass that are made of the fields: source(law, k, u, made)
 *   observed         fields behind them that densities read too
 *   scalars          1: fields behind those of the set are passive scalars, law->n_scalars of them
 *   sums, densities, transfers: how many; mode(), mode_sums(), mode_densities(), mode_transfers(): of one mode */
#define TRIAD_TEXT_(x) #x
#define TRIAD_TEXT(x) TRIAD_TEXT_(x)
#define TRIAD_JOIN_(a, b, c) a##b##c
#define TRIAD_JOIN(a, b, c) TRIAD_JOIN_(a, b, c)
#define LAW(name) TRIAD_JOIN(triad_, TRIAD_LAW, name)

#define TRIAD_MODES_FILE_(x) TRIAD_TEXT(solvers/spectral/equations/x##_modes.h)
#define TRIAD_MODES_FILE(x) TRIAD_MODES_FILE_(x)
#include TRIAD_MODES_FILE(TRIAD_LAW)

#include "solvers/spectral/equations/device_measure.h"
#include "solvers/spectral/equations/device_scalar.h"
#include "solvers/spectral/equations/device_stage.h"

typedef LAW(_law) law_type;
enum {
  FIELDS = LAW(_fields),
  TERMS = LAW(_terms),
  SOURCES = LAW(_sources),
  OBSERVED = LAW(_observed),
  SUMS = LAW(_sums),
  DENSITIES = LAW(_densities),
  TRANSFERS = LAW(_transfers) > 0 ? LAW(_transfers) : 1
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

static __global__ void update_kernel(law_type law, stage_args p, stage_fields<FIELDS> f, triad_gpu_modes modes)
{
  int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  if (i >= modes.n) return;
  const mode m = mode_of(modes, i / modes.columns, i % modes.columns);
  if (size_of(modes.kz[m.j]) > modes.extent[m.column]) return; /* such modes are zero and stay so */
  const real_k k = real_k_of(m);
  triad_cplx u[FIELDS], t[TERMS], n[FIELDS];
#pragma unroll
  for (int x = 0; x < FIELDS; x++) u[x] = f.u[x][i];
#pragma unroll
  for (int r = 0; r < TERMS; r++) t[r] = p.results.base[m.j * p.results.stride + r * modes.columns + m.column];
  LAW(_mode)(&law, k.k, k.inverse_k2, u, t, n);
  advance_mode<FIELDS>(p, f, m, u, n);
}

template <class L> static int update_of(const L *l, const triad_gpu_update *p, void *stream)
{
  /* scalars first: they are carried by the velocity as it was */
  if constexpr (LAW(_scalars) != 0) {
    for (int s = 0; s < l->n_scalars; s++)
      TRIAD_TRY(update_scalar(p, FIELDS + s, TERMS + 3 * s, l->gradient + 3 * s, stream));
  }
  update_kernel<<<blocks_for(p->modes.n, 256), 256, 0, (cudaStream_t)stream>>>(
      *l, stage_args(p), stage_fields<FIELDS>(p, 0), p->modes);
  return launched("update");
}

static int update(const void *law, const triad_gpu_update *p, void *stream)
{
  return update_of((const law_type *)law, p, stream);
}

/* ---- inputs that are made of the fields ---- */

static __global__ void source_kernel(law_type law, triad_gpu_modes modes, fields_of<FIELDS> u, stage_outputs made)
{
  int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  if (i >= modes.n) return;
  const mode m = mode_of(modes, i / modes.columns, i % modes.columns);
  triad_cplx from[FIELDS], to[SOURCES > 0 ? SOURCES : 1];
  u.get(i, from);
  LAW(_source)(&law, real_k_of(m).k, from, to);
#pragma unroll
  for (int f = 0; f < SOURCES; f++) made.u[f][i] = to[f];
}

static int source(const void *law, const triad_gpu_modes *modes, const triad_cplx *const *u, triad_cplx *const *made,
                  void *stream)
{
  stage_outputs to = {};
  for (int f = 0; f < SOURCES; f++) to.u[f] = made[f];
  source_kernel<<<blocks_for(modes->n, 256), 256, 0, (cudaStream_t)stream>>>(*(const law_type *)law, *modes,
                                                                             fields_of<FIELDS>(u), to);
  return launched("inputs");
}

/* ---- budgets, spectra, transfers ---- */

struct sums_term {
  enum { COUNT = SUMS };
  law_type law;
  fields_of<FIELDS> u;
  __device__ __forceinline__ void at(const mode &m, double *terms) const
  {
    triad_cplx v[FIELDS];
    u.get(m.i, v);
    LAW(_mode_sums)(&law, m.k, v, terms);
  }
};

struct densities_term {
  enum { COUNT = DENSITIES };
  law_type law;
  fields_of<FIELDS + OBSERVED> u;
  __device__ __forceinline__ void at(const mode &m, double *terms) const
  {
    triad_cplx v[FIELDS + OBSERVED];
    u.get(m.i, v);
    LAW(_mode_densities)(&law, m.k, v, terms);
  }
};

template <class L> static int sums_of(const L *l, const triad_gpu_measure *m)
{
  TRIAD_TRY(sum_modes(sums_term{*l, fields_of<FIELDS>(m->u)}, m, m->out));
  if constexpr (LAW(_scalars) != 0)
    for (int s = 0; s < l->n_scalars; s++)
      TRIAD_TRY(sum_modes(scalar_sums_term(l->scalar_decay[s], m->u, FIELDS + s), m,
                          m->out + SUMS + s * scalar_sums_term::COUNT));
  return TRIAD_OK;
}

static int sums(const void *law, const triad_gpu_measure *m)
{
  return sums_of((const law_type *)law, m);
}

template <class L> static int densities_of(const L *l, const triad_gpu_measure *m, const triad_gpu_bins *bins)
{
  const int64_t each = bins->n_groups * bins->n_bins;
  TRIAD_TRY(gather_modes(densities_term{*l, fields_of<FIELDS + OBSERVED>(m->u)}, m, bins, m->out));
  if constexpr (LAW(_scalars) != 0)
    for (int s = 0; s < l->n_scalars; s++)
      TRIAD_TRY(gather_modes(scalar_density_term{m->u[FIELDS + s]}, m, bins, m->out + (DENSITIES + s) * each));
  return TRIAD_OK;
}

static int densities(const void *law, const triad_gpu_measure *m, const triad_gpu_bins *bins)
{
  return densities_of((const law_type *)law, m, bins);
}

struct transfers_term {
  enum { COUNT = TRANSFERS };
  law_type law;
  int part;
  fields_of<FIELDS> u;
  triad_gpu_results results;
  int64_t columns;
  __device__ __forceinline__ void at(const mode &m, double *terms) const
  {
    const real_k k = real_k_of(m);
    triad_cplx v[FIELDS], t[TERMS];
    u.get(m.i, v);
#pragma unroll
    for (int r = 0; r < TERMS; r++) t[r] = results.base[m.j * results.stride + r * columns + m.column];
    LAW(_mode_transfers)(&law, part, k.k, k.inverse_k2, v, t, terms);
  }
};

template <class L> static int transfers_of(const L *l, int part, const triad_gpu_measure *m, const triad_gpu_bins *bins)
{
  const int64_t each = bins->n_groups * bins->n_bins;
  TRIAD_TRY(gather_modes(transfers_term{*l, part, fields_of<FIELDS>(m->u), m->results, m->modes.columns}, m, bins, m->out));
  if constexpr (LAW(_scalars) != 0)
    for (int s = 0; s < l->n_scalars; s++)
      TRIAD_TRY(gather_modes(scalar_transfer_term(m, FIELDS + s, TERMS + 3 * s), m, bins, m->out + (TRANSFERS + s) * each));
  return TRIAD_OK;
}

static int transfers(const void *law, int part, const triad_gpu_measure *m, const triad_gpu_bins *bins)
{
  return transfers_of((const law_type *)law, part, m, bins);
}

static int powers(const void *law, const triad_gpu_measure *m)
{
  const law_type *l = (const law_type *)law;
  return sum_modes(transfers_term{*l, 0, fields_of<FIELDS>(m->u), m->results, m->modes.columns}, m, m->out);
}

#define SPECTRAL_(law) triad_gpu_spectral_##law
#define SPECTRAL(law) SPECTRAL_(law)
extern "C" const triad_gpu_spectral SPECTRAL(TRIAD_LAW) = {SOURCES, OBSERVED, source, update, sums, densities, transfers,
                                                           powers};
