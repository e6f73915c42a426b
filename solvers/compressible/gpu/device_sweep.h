/* For kernels of sweeps along an axis: values at edges of cells, the flux through a face, and the use of flux
 * differences. For cuda/ only. */
#ifndef TRIAD_SOLVERS_COMPRESSIBLE_GPU_DEVICE_SWEEP_H
#define TRIAD_SOLVERS_COMPRESSIBLE_GPU_DEVICE_SWEEP_H

#include "parallel/device_launch.h"
#include "solvers/compressible/points/flux_points.h"
#include "solvers/compressible/gpu/gpu_compressible.h"
#include "solvers/compressible/points/limit_points.h"
#include "solvers/compressible/points/shock_points.h"
#include "solvers/compressible/points/viscous_points.h"
#include "solvers/compressible/points/weights_points.h"

enum { FIRST = 1, LAST = 2 }; /* a sweep sets the rates; puts them to use */

/* Kernels are compiled by variables V: those of triad_compressible_variables, and the published scheme by components,
 * whose kernels are without units of smoothness, the entropy fix of the default, and limits. */
enum { TRIAD_COMPRESSIBLE_PUBLISHED = 2 };
#define TRIAD_COMPRESSIBLE_BY_COMPONENTS(V) ((V) != TRIAD_COMPRESSIBLE_CHARACTERISTIC)

typedef struct sweep_args {
  triad_compressible_gpu g;
  triad_compressible_gpu_update p;
  triad_box box; /* the points whose rates are made */
  int axis, flags;
  int field[5], velocity[3];
  int64_t step;                /* from point to point along the axis */
  triad_real ratio, per_ratio; /* of the limiter, and one over it */
  triad_compressible_steps viscous;
  triad_compressible_sensor sensor; /* of hybrid fluxes */
} sweep_args;

/* d is added to the rate of field f (its number in the state) at place i. */
static __device__ __forceinline__ void add_rate(const sweep_args &a, int f, int64_t i, triad_real d)
{
  triad_real rate = a.flags & FIRST ? d : a.g.rate[f][i] + d;
  if (!(a.flags & LAST)) {
    a.g.rate[f][i] = rate;
    return;
  }
  if (a.p.has_sum) a.p.sum[f][i] = a.p.from[f][i] + a.p.sum_part * rate;
  triad_real out = a.p.x_part * a.p.x[f][i] + a.p.rate_part * rate;
  if (a.p.has_y) out += a.p.y_part * a.p.y[f][i];
  a.p.out[f][i] = out;
}

static __device__ __forceinline__ triad_compressible_cell cell_at(const sweep_args &a, int64_t i)
{
  triad_compressible_cell c = {a.g.u[0][i], a.g.primitive[a.velocity[0]][i], a.g.primitive[a.velocity[1]][i],
                               a.g.primitive[a.velocity[2]][i], a.g.primitive[3][i]};
  return c;
}

template <int V> static __device__ __forceinline__ triad_compressible_gas gas_of(const sweep_args &a)
{
  triad_compressible_gas g = a.g.gas;
  if (V == TRIAD_COMPRESSIBLE_PUBLISHED) g.published = 1; /* which the compiler knows so */
  return g;
}

static __device__ __forceinline__ triad_compressible_five state_at(const sweep_args &a, int64_t i)
{
  triad_compressible_five u = {a.g.u[0][i], a.g.u[a.field[1]][i], a.g.u[a.field[2]][i], a.g.u[a.field[3]][i],
                               a.g.u[4][i]};
  return u;
}

static __device__ __forceinline__ triad_compressible_five flux_at(const sweep_args &a, triad_compressible_five u,
                                                                  int64_t i)
{
  return triad_compressible_flux(&a.g.gas, u, a.g.primitive[a.velocity[0]][i], a.g.primitive[3][i]);
}

/* Edges of one cell a thread: U, then the flux. In shared memory, so that the loop over fields need not be unrolled:
 * ten reconstructions in a row would fill registers and the instruction cache. */
template <int N> struct edge_rows {
  triad_real q[10][N]; /* N threads */
};

/* Both edges of U and of the flux of the cell at place i. */
template <int W, int V, int N>
static __device__ __forceinline__ void edges_at(const sweep_args &a, int64_t i, int t, edge_rows<N> &below,
                                                edge_rows<N> &above)
{
  triad_real un[5], p[5];
#pragma unroll
  for (int j = 0; j < 5; j++) {
    int64_t at = i + (j - 2) * a.step;
    un[j] = a.g.primitive[a.velocity[0]][at];
    p[j] = a.g.u[0][at] * a.g.primitive[3][at] * a.g.gas.per_gamma;
  }
  const triad_compressible_gas g = gas_of<V>(a);
  const triad_compressible_units unit =
    triad_compressible_units_of(&g, a.g.u[0][i], un[2], TRIAD_SQRT(a.g.primitive[3][i]));
#pragma unroll 1
  for (int k = 0; k < 5; k++) {
    const triad_real per = unit.density * (k == 0 ? TRIAD_R(1) : k == 4 ? unit.fast * unit.fast : unit.fast);
    const triad_real *field = a.g.u[a.field[k]] + i;
    triad_real u[5], f[5];
#pragma unroll
    for (int j = 0; j < 5; j++) u[j] = field[(j - 2) * a.step];
#pragma unroll
    for (int j = 0; j < 5; j++) f[j] = (u[j] + (k == 4 ? p[j] : 0)) * un[j] + (k == 1 ? p[j] : 0);
    triad_compressible_edges(W, per, u[0], u[1], u[2], u[3], u[4], &below.q[k][t], &above.q[k][t]);
    triad_compressible_edges(W, per * unit.fast, f[0], f[1], f[2], f[3], f[4], &below.q[5 + k][t], &above.q[5 + k][t]);
  }
}

static __device__ __forceinline__ triad_compressible_five five_of(const triad_real *q)
{
  triad_compressible_five v = {q[0], q[1], q[2], q[3], q[4]};
  return v;
}

/* Rows first .. first + 4 of thread t. */
template <int N>
static __device__ __forceinline__ triad_compressible_five edge_of(const edge_rows<N> &e, int first, int t)
{
  triad_compressible_five v = {e.q[first][t], e.q[first + 1][t], e.q[first + 2][t], e.q[first + 3][t],
                               e.q[first + 4][t]};
  return v;
}

/* Fluxes of the list, chosen at run time. It is no part of the kernels that call it, so that these keep their
 * registers. */
static __device__ __noinline__ triad_compressible_five listed_face(
  int flux, triad_real gamma, triad_compressible_cell x, triad_compressible_cell y, triad_compressible_five ul,
  triad_compressible_five ur, triad_compressible_five fl, triad_compressible_five fr)
{
  triad_compressible_gas g;
  g.gamma = gamma;
  g.gm1 = gamma - 1;
  g.per_gamma = 1 / gamma;
  return triad_compressible_face_of_list((triad_gas_riemann)flux, &g, x, y, ul, ur, fl, fr);
}

/* The same from edges in shared memory, where they stay until they are wanted. */
template <int N>
static __device__ __noinline__ triad_compressible_five listed_face_of_rows(int flux, triad_real gamma,
                                                                           triad_compressible_cell x,
                                                                           triad_compressible_cell y,
                                                                           const edge_rows<N> *l, int tl,
                                                                           const edge_rows<N> *r, int tr)
{
  return listed_face(flux, gamma, x, y, edge_of(*l, 0, tl), edge_of(*r, 0, tr), edge_of(*l, 5, tl), edge_of(*r, 5, tr));
}

/* Of what is no Riemann solver: it ends the run. */
static __device__ __forceinline__ triad_compressible_five no_flux(void)
{
  const triad_real none = TRIAD_R(NAN);
  triad_compressible_five f = {none, none, none, none, none};
  return f;
}

/* From the upper edges that thread tl has of the cell below the face and the lower ones that tr has of that above
 * it. The solver is the same for all threads: no warp takes two ways. */
template <int V, int N>
static __device__ __forceinline__ triad_compressible_five face_of(const sweep_args &a, triad_compressible_cell x,
                                                                  triad_compressible_cell y, const edge_rows<N> &l,
                                                                  int tl, const edge_rows<N> &r, int tr)
{
  triad_compressible_five ul = edge_of(l, 0, tl), ur = edge_of(r, 0, tr), fl = edge_of(l, 5, tl),
                          fr = edge_of(r, 5, tr);
  const triad_compressible_gas g = gas_of<V>(a);
  if (V == TRIAD_COMPRESSIBLE_PUBLISHED)
    return triad_compressible_face(TRIAD_COMPRESSIBLE_ROE, &g, x, y, ul, ur, fl, fr);
  switch ((triad_compressible_riemann)a.g.riemann) {
  case TRIAD_COMPRESSIBLE_ROE: return triad_compressible_face(TRIAD_COMPRESSIBLE_ROE, &g, x, y, ul, ur, fl, fr);
  case TRIAD_COMPRESSIBLE_LLF: return triad_compressible_face(TRIAD_COMPRESSIBLE_LLF, &g, x, y, ul, ur, fl, fr);
  case TRIAD_COMPRESSIBLE_RUSANOV: return triad_compressible_face(TRIAD_COMPRESSIBLE_RUSANOV, &g, x, y, ul, ur, fl, fr);
  case TRIAD_COMPRESSIBLE_LISTED: return listed_face_of_rows(a.g.listed, g.gamma, x, y, &l, tl, &r, tr);
  }
  return no_flux();
}

/* The flux through the face below place i, reconstructed as strengths of waves. */
template <int W>
static __device__ __forceinline__ triad_compressible_five waves_face(const sweep_args &a, triad_compressible_cell x,
                                                                     triad_compressible_cell y, int64_t i)
{
  triad_compressible_average m = triad_compressible_roe(&a.g.gas, x, y);
  const triad_compressible_units unit = triad_compressible_units_of(&a.g.gas, m.rho, m.n, m.c);
  triad_real l[2][5], r[2][5];
#pragma unroll
  for (int part = 0; part < 2; part++) {
    triad_real q[6][5];
#pragma unroll
    for (int j = 0; j < 6; j++) {
      int64_t at = i + (j - 3) * a.step;
      triad_compressible_five u = state_at(a, at),
                              v = triad_compressible_to_waves(&a.g.gas, m, part ? flux_at(a, u, at) : u);
      q[j][0] = v.r;
      q[j][1] = v.n;
      q[j][2] = v.s;
      q[j][3] = v.t;
      q[j][4] = v.e;
    }
#pragma unroll
    for (int k = 0; k < 5; k++) {
      const triad_real per = (k == 0 ? unit.density : unit.sound) * (part ? unit.fast : TRIAD_R(1));
      l[part][k] = triad_compressible_edge(W, per, q[0][k], q[1][k], q[2][k], q[3][k], q[4][k]);
      r[part][k] = triad_compressible_edge(W, per, q[5][k], q[4][k], q[3][k], q[2][k], q[1][k]);
    }
  }
  triad_compressible_five ul = five_of(l[0]), ur = five_of(r[0]), fl = five_of(l[1]), fr = five_of(r[1]);
  switch ((triad_compressible_riemann)a.g.riemann) {
  case TRIAD_COMPRESSIBLE_ROE:
    return triad_compressible_face_of_waves(TRIAD_COMPRESSIBLE_ROE, &a.g.gas, m, x, y, ul, ur, fl, fr);
  case TRIAD_COMPRESSIBLE_LLF:
    return triad_compressible_face_of_waves(TRIAD_COMPRESSIBLE_LLF, &a.g.gas, m, x, y, ul, ur, fl, fr);
  case TRIAD_COMPRESSIBLE_RUSANOV:
    return triad_compressible_face_of_waves(TRIAD_COMPRESSIBLE_RUSANOV, &a.g.gas, m, x, y, ul, ur, fl, fr);
  case TRIAD_COMPRESSIBLE_LISTED:
    return listed_face(a.g.listed, a.g.gas.gamma, x, y, triad_compressible_from_waves(&a.g.gas, m, ul),
                       triad_compressible_from_waves(&a.g.gas, m, ur), triad_compressible_from_waves(&a.g.gas, m, fl),
                       triad_compressible_from_waves(&a.g.gas, m, fr));
  }
  return no_flux();
}

static __device__ __forceinline__ triad_compressible_five limited(const sweep_args &a, int limits,
                                                                  triad_compressible_cell x, triad_compressible_cell y,
                                                                  int64_t i, triad_compressible_five f)
{
  if (!limits) return f;
  triad_compressible_five ux = state_at(a, i - a.step), uy = state_at(a, i);
  if (triad_compressible_passes(&a.g.gas, a.per_ratio, x, y, ux, uy, f)) return f;
  return triad_compressible_limited(&a.g.gas, a.ratio, x, y, ux, uy, flux_at(a, ux, i - a.step), flux_at(a, uy, i), f);
}

/* The flux through the face below place i, point number `face` of the axis, where that is a wall's. After viscous
 * fluxes are taken off, `whole`, it is without heat once more. Cells are read again, so that no others keep them. */
static __device__ __forceinline__ triad_compressible_five at_wall(const sweep_args &a, int64_t face, bool whole,
                                                                  int64_t i, triad_compressible_five f)
{
  if (face != 0 && face != a.g.local[a.axis]) return f;
  const int wall = a.g.wall[a.axis][face != 0];
  if (wall == TRIAD_COMPRESSIBLE_OPEN || (whole && wall != TRIAD_COMPRESSIBLE_STICKS_WITHOUT_HEAT)) return f;
  return triad_compressible_through_wall(wall, cell_at(a, i - a.step), cell_at(a, i), f);
}

static __device__ __forceinline__ void add_face_difference(const sweep_args &a, int64_t i,
                                                           triad_compressible_five lower, triad_compressible_five upper)
{
  triad_real per = a.g.per_spacing[a.axis];
  add_rate(a, 0, i, per * (lower.r - upper.r));
  add_rate(a, a.field[1], i, per * (lower.n - upper.n));
  add_rate(a, a.field[2], i, per * (lower.s - upper.s));
  add_rate(a, a.field[3], i, per * (lower.t - upper.t));
  add_rate(a, 4, i, per * (lower.e - upper.e));
}

/* ---- viscous terms ---- */

static __device__ __forceinline__ triad_compressible_stress stress_at(const sweep_args &a, int64_t i)
{
  return triad_compressible_stress_at(&a.g.gas, a.viscous, a.g.primitive[a.velocity[0]] + i,
                                      a.g.primitive[a.velocity[1]] + i, a.g.primitive[a.velocity[2]] + i,
                                      a.g.primitive[3] + i, a.g.primitive[4] + i);
}

/* ---- what central and hybrid sweeps share ---- */

/* The central flux through the face below place i. */
static __device__ __forceinline__ triad_compressible_five central_face(const sweep_args &a, int64_t i)
{
  return triad_compressible_central(&a.g.gas, cell_at(a, i - 4 * a.step), cell_at(a, i - 3 * a.step),
                                    cell_at(a, i - 2 * a.step), cell_at(a, i - a.step), cell_at(a, i),
                                    cell_at(a, i + a.step), cell_at(a, i + 2 * a.step), cell_at(a, i + 3 * a.step));
}

static __device__ __forceinline__ triad_compressible_stress stress_at_face(const sweep_args &a, int64_t i)
{
  return triad_compressible_stress_at_face(&a.g.gas, a.viscous, a.g.primitive[a.velocity[0]] + i,
                                           a.g.primitive[a.velocity[1]] + i, a.g.primitive[a.velocity[2]] + i,
                                           a.g.primitive[3] + i, a.g.primitive[4] + i);
}

/* Is this the published scheme as it comes? */
static inline bool is_published(const sweep_args *a)
{
  return a->g.gas.published && !a->g.limits && a->g.weights == TRIAD_WENO_JS &&
         a->g.variables == TRIAD_COMPRESSIBLE_COMPONENTS && a->g.riemann == TRIAD_COMPRESSIBLE_ROE;
}

/* Kernels of all weights and variables, for a sweep along x (cuda/compressible/sweep_x.cu) and along y or z
 * (cuda/compressible/march.cu). */
/* names that make gives each precision */
extern "C" {
int triad_compressible_sweep_x(const sweep_args *a, cudaStream_t stream);
int triad_compressible_sweep_march(const sweep_args *a, cudaStream_t stream);
int triad_compressible_sweep_central(const sweep_args *a,
                                     cudaStream_t stream); /* any axis: cuda/compressible/central.cu */
int triad_compressible_sweep_hybrid(const sweep_args *a,
                                    cudaStream_t stream); /* likewise: cuda/compressible/hybrid.cu   */
}

/* LAUNCH<weights, variables>(arguments) for those of the sweep. */
#define TRIAD_COMPRESSIBLE_BY_VARIABLES(LAUNCH, W, a, ...) \
  return (a)->g.variables == TRIAD_COMPRESSIBLE_COMPONENTS \
           ? LAUNCH<W, TRIAD_COMPRESSIBLE_COMPONENTS>(a, __VA_ARGS__) \
           : LAUNCH<W, TRIAD_COMPRESSIBLE_CHARACTERISTIC>(a, __VA_ARGS__)
#define TRIAD_COMPRESSIBLE_BY_WEIGHTS(LAUNCH, a, ...) \
  switch ((triad_compressible_weights)(a)->g.weights) { \
  case TRIAD_WENO_JS: TRIAD_COMPRESSIBLE_BY_VARIABLES(LAUNCH, TRIAD_WENO_JS, a, __VA_ARGS__); \
  case TRIAD_WENO_M: TRIAD_COMPRESSIBLE_BY_VARIABLES(LAUNCH, TRIAD_WENO_M, a, __VA_ARGS__); \
  case TRIAD_WENO_Z: TRIAD_COMPRESSIBLE_BY_VARIABLES(LAUNCH, TRIAD_WENO_Z, a, __VA_ARGS__); \
  case TRIAD_WENO_TENO: TRIAD_COMPRESSIBLE_BY_VARIABLES(LAUNCH, TRIAD_WENO_TENO, a, __VA_ARGS__); \
  case TRIAD_COMPRESSIBLE_LINEAR: TRIAD_COMPRESSIBLE_BY_VARIABLES(LAUNCH, TRIAD_COMPRESSIBLE_LINEAR, a, __VA_ARGS__); \
  } \
  return TRIAD_ERR_INTERNAL; /* what is no weights */

#endif
