/* A stage of a step for the fields of a mode, for cuda/ only: decay, Runge-Kutta registers, turn (stage_points.h). */
#ifndef TRIAD_SOLVERS_SPECTRAL_EQUATIONS_DEVICE_STAGE_H
#define TRIAD_SOLVERS_SPECTRAL_EQUATIONS_DEVICE_STAGE_H

#include "solvers/spectral/equations/device_measure.h"
#include "solvers/spectral/equations/stage_points.h"

/* triad_gpu_stage with what kernels do with it. */
struct stage_args : triad_gpu_stage {
  explicit stage_args(const triad_gpu_update *p)
      : triad_gpu_stage{p->results,       (triad_real)p->a, (triad_real)p->b, (triad_real)p->d,
                        (triad_real)p->e, p->tau,           p->alpha,         p->mu,
                        p->first,         p->last,          p->turns,         p->times}
  {
  }
  /* For recorded launches that are replayed with different step lengths. */
  __device__ __forceinline__ void read_times()
  {
    if (!times) return;
    tau = times[0];
    b = (triad_real)times[1];
    e = (triad_real)times[2];
  }
};

template <int N> struct stage_fields {
  triad_cplx *u[N], *q[N];
  triad_decay decay[N];
  stage_fields(const triad_gpu_update *p, int first)
  {
    for (int f = 0; f < N; f++) {
      u[f] = p->u[first + f];
      q[f] = p->q[first + f];
      decay[f] = p->decay[first + f];
    }
  }
};

/* What a launch writes, by value. */
struct stage_outputs {
  triad_cplx *u[TRIAD_GPU_EXTRAS];
};

static __device__ __forceinline__ triad_cplx stage_of(const stage_args &p, triad_real decay, triad_cplx u, triad_cplx q,
                                                      triad_cplx n)
{
  if (p.first) return triad_cplx{triad_stage_first(decay, p.b, u.re, n.re), triad_stage_first(decay, p.b, u.im, n.im)};
  return triad_cplx{triad_stage_state(decay, p.a, p.b, u.re, q.re, n.re),
                    triad_stage_state(decay, p.a, p.b, u.im, q.im, n.im)};
}

static __device__ __forceinline__ triad_cplx register_of(const stage_args &p, triad_real decay, triad_cplx q,
                                                         triad_cplx n)
{
  if (p.first) return triad_cplx{decay * (p.e * n.re), decay * (p.e * n.im)};
  return triad_cplx{triad_stage_register(decay, p.d, p.e, q.re, n.re),
                    triad_stage_register(decay, p.d, p.e, q.im, n.im)};
}

/* u, the registers q and N of a mode of that k^2 -> its new fields and registers. */
template <int N>
__device__ __forceinline__ void advanced(const stage_args &p, const triad_decay *decay, double k2, const triad_cplx *u,
                                         const triad_cplx *q, const triad_cplx *n, triad_cplx *next, triad_cplx *kept)
{
#pragma unroll
  for (int x = 0; x < N; x++) {
    const triad_real e = (triad_real)exp(-p.tau * triad_decay_of(&decay[x], k2));
    next[x] = stage_of(p, e, u[x], q[x], n[x]);
    kept[x] = register_of(p, e, q[x], n[x]);
  }
  if constexpr (N >= 2)
    if (p.turns) {
      double s, c;
      sincos((p.alpha * k2 - p.mu) * p.tau, &s, &c);
      triad_stage_turn((triad_real)c, (triad_real)s, &next[0], &next[1]);
      triad_stage_turn((triad_real)c, (triad_real)s, &kept[0], &kept[1]);
    }
}

template <int N>
static __device__ __forceinline__ void read_registers(const stage_args &p, const stage_fields<N> &f, int64_t i,
                                                      triad_cplx *q)
{
#pragma unroll
  for (int x = 0; x < N; x++) q[x] = p.first ? triad_cplx{0, 0} : f.q[x][i];
}

template <int N>
static __device__ __forceinline__ void write_mode(const stage_args &p, const stage_fields<N> &f, int64_t i,
                                                  const triad_cplx *next, const triad_cplx *kept)
{
#pragma unroll
  for (int x = 0; x < N; x++) {
    f.u[x][i] = next[x];
    if (!p.last) f.q[x][i] = kept[x];
  }
}

/* u and N of a mode -> its fields and registers. */
template <int N>
__device__ __forceinline__ void advance_mode(const stage_args &p, const stage_fields<N> &f, const mode &m,
                                             const triad_cplx *u, const triad_cplx *n)
{
  triad_cplx q[N], next[N], kept[N];
  read_registers<N>(p, f, m.i, q);
  advanced<N>(p, f.decay, triad_mode_k2(m.k.size), u, q, n, next, kept);
  write_mode<N>(p, f, m.i, next, kept);
}

#endif
