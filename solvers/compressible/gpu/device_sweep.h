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
/* Characteristic variables of any kind are those with fluxes of the list, and with the published scheme's epsilon. */
enum { TRIAD_COMPRESSIBLE_PUBLISHED = 2, TRIAD_COMPRESSIBLE_ANY_WAVES = 3 };
#define TRIAD_COMPRESSIBLE_BY_COMPONENTS(V) \
  ((V) == TRIAD_COMPRESSIBLE_COMPONENTS || (V) == TRIAD_COMPRESSIBLE_PUBLISHED)

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
    triad_compressible_units_of(&g, a.g.u[0][i], un[2], triad_gas_quick_root(a.g.primitive[3][i]));
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

/* ---- waves ---- */

/* What is read from here on is read again, so that it need not be kept in registers. */
static __device__ __forceinline__ void read_again(void)
{
#ifdef __CUDA_ARCH__
  asm volatile("" ::: "memory");
#endif
}

/* Density, velocities and temperature of the six cells about the face below a place: in the fields. */
struct field_cells {
  const triad_real *q[5];
  int64_t step;
  __device__ __forceinline__ triad_real get(int f, int j) const { return q[f][(j - 3) * step]; }
};

static __device__ __forceinline__ field_cells cells_about(const sweep_args &a, int64_t i)
{
  field_cells c;
  c.q[0] = a.g.u[0] + i;
  for (int k = 0; k < 3; k++) c.q[1 + k] = a.g.primitive[a.velocity[k]] + i;
  c.q[4] = a.g.primitive[3] + i;
  c.step = a.step;
  return c;
}

template <class C> static __device__ __forceinline__ triad_compressible_cell cell_of(const C &c, int j)
{
  triad_compressible_cell q = {c.get(0, j), c.get(1, j), c.get(2, j), c.get(3, j), c.get(4, j)};
  return q;
}

/* Both sides of a wave's U and flux at the face. */
struct wave_sides {
  triad_compressible_sides u, f;
};

template <int W>
static __device__ __forceinline__ wave_sides sides_of(const triad_compressible_wave w[6], triad_real epsilon,
                                                      triad_real flux_epsilon)
{
  wave_sides s = {triad_compressible_sides_of(W, epsilon, w[0].u, w[1].u, w[2].u, w[3].u, w[4].u, w[5].u),
                  triad_compressible_sides_of(W, flux_epsilon, w[0].f, w[1].f, w[2].f, w[3].f, w[4].f, w[5].f)};
  return s;
}

/* Twice the strengths of waves below and above the face, in U and in fluxes. */
struct wave_edges {
  triad_real ul[5], ur[5], fl[5], fr[5];
};

static __device__ __forceinline__ void edges_of_sides(wave_edges &e, int k, const wave_sides &s, triad_real fast)
{
  const triad_real u = triad_compressible_sum_of(s.u), f = fast * triad_compressible_sum_of(s.f);
  const triad_real sixth = TRIAD_R(1.0 / 6), u_jump = sixth * triad_compressible_six_jumps(s.u),
                   f_jump = sixth * fast * triad_compressible_six_jumps(s.f);
  e.ul[k] = u - u_jump;
  e.ur[k] = u + u_jump;
  e.fl[k] = f - f_jump;
  e.fr[k] = f + f_jump;
}

/* The waves of the six cells about a face, one after the other: what `take` makes of each wave's sides. */
template <int W, class C, class T>
static __device__ __forceinline__ void waves_of(const triad_compressible_gas &g, triad_compressible_frame f,
                                                triad_compressible_epsilons e, const C &c, T take)
{
  triad_compressible_wave w[6], down[6], up[6];
#pragma unroll
  for (int axis = 2; axis < 4; axis++) {
    read_again();
#pragma unroll
    for (int j = 0; j < 6; j++)
      w[j] = triad_compressible_shear(f, c.get(0, j), c.get(1, j), c.get(axis, j) - (axis == 2 ? f.m.s : f.m.t));
    take(axis, sides_of<W>(w, e.sound, e.flux_sound));
  }
  read_again();
#pragma unroll
  for (int j = 0; j < 6; j++) {
    const triad_compressible_sound s = triad_compressible_sound_of(&g, f, cell_of(c, j));
    w[j] = s.entropy;
    down[j] = s.down;
    up[j] = s.up;
  }
  take(0, sides_of<W>(w, e.entropy, e.flux_entropy));
  take(1, sides_of<W>(down, e.sound, e.flux_sound));
  take(4, sides_of<W>(up, e.sound, e.flux_sound));
}

/* The flux through a face, reconstructed as strengths of waves. ANY: by any of the Riemann solvers, and with any
 * epsilon. */
template <int W, int ANY, class C>
static __device__ __forceinline__ triad_compressible_five waves_face(const sweep_args &a, const C &c)
{
  triad_compressible_gas g = a.g.gas;
  if (!ANY) g.published = 0;
  const triad_compressible_cell x = cell_of(c, 2), y = cell_of(c, 3);
  const triad_compressible_frame f = triad_compressible_frame_of(triad_compressible_roe(&g, x, y));
  const triad_compressible_epsilons e = triad_compressible_epsilons_of(&g, f, triad_compressible_epsilon(W));
  if (ANY && a.g.riemann == TRIAD_COMPRESSIBLE_LISTED) {
    wave_edges edge;
    waves_of<W>(g, f, e, c, [&](int k, wave_sides s) { edges_of_sides(edge, k, s, f.fast); });
    return listed_face(a.g.listed, g.gamma, x, y, triad_compressible_from_unit_waves(&g, f.m, five_of(edge.ul)),
                       triad_compressible_from_unit_waves(&g, f.m, five_of(edge.ur)),
                       triad_compressible_from_unit_waves(&g, f.m, five_of(edge.fl)),
                       triad_compressible_from_unit_waves(&g, f.m, five_of(edge.fr)));
  }
  triad_compressible_waves size = {0, 0, 0};
  switch ((triad_compressible_riemann)a.g.riemann) {
  case TRIAD_COMPRESSIBLE_ROE: size = triad_compressible_wave_sizes(TRIAD_COMPRESSIBLE_ROE, &g, f.m, x, y); break;
  case TRIAD_COMPRESSIBLE_LLF: size = triad_compressible_wave_sizes(TRIAD_COMPRESSIBLE_LLF, &g, f.m, x, y); break;
  case TRIAD_COMPRESSIBLE_RUSANOV:
    size = triad_compressible_wave_sizes(TRIAD_COMPRESSIBLE_RUSANOV, &g, f.m, x, y);
    break;
  case TRIAD_COMPRESSIBLE_LISTED: return no_flux();
  }
  const triad_real sixth = TRIAD_R(1.0 / 6), minus = sixth * size.minus, zero = sixth * size.zero,
                   plus = sixth * size.plus;
  triad_real flux[5];
  waves_of<W>(g, f, e, c, [&](int k, wave_sides s) {
    flux[k] = triad_compressible_wave_flux(f.fast,
                                           k == 1   ? minus
                                           : k == 4 ? plus
                                                    : zero,
                                           triad_compressible_sum_of(s.f), triad_compressible_six_jumps(s.u));
  });
  return triad_compressible_from_unit_waves(&g, f.m, five_of(flux));
}

/* The point flux of U of a cell. */
static __device__ __forceinline__ triad_compressible_five flux_of(const triad_compressible_gas &g,
                                                                  triad_compressible_five u, triad_compressible_cell q)
{
  return triad_compressible_flux(&g, u, q.n, q.T);
}

static __device__ __forceinline__ triad_compressible_five limited(const sweep_args &a, int limits,
                                                                  triad_compressible_cell x, triad_compressible_cell y,
                                                                  triad_compressible_five f)
{
  if (!limits) return f;
  const triad_compressible_gas &g = a.g.gas;
  const triad_compressible_five ux = triad_compressible_conserved(&g, x), uy = triad_compressible_conserved(&g, y);
  if (triad_compressible_passes(&g, a.per_ratio, x, y, ux, uy, f)) return f;
  return triad_compressible_limited(&g, a.ratio, x, y, ux, uy, flux_of(g, ux, x), flux_of(g, uy, y), f);
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

/* Do waves need kernels for any of them? Hybrid fluxes have no others. */
static inline bool of_any_waves(const sweep_args *a)
{
  return a->g.gas.published || a->g.riemann == TRIAD_COMPRESSIBLE_LISTED || a->g.form == TRIAD_COMPRESSIBLE_HYBRID;
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
  return (a)->g.variables == TRIAD_COMPRESSIBLE_COMPONENTS ? LAUNCH<W, TRIAD_COMPRESSIBLE_COMPONENTS>(a, __VA_ARGS__) \
         : of_any_waves(a)                                 ? LAUNCH<W, TRIAD_COMPRESSIBLE_ANY_WAVES>(a, __VA_ARGS__) \
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
