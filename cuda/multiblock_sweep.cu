/* A stage of flow on curvilinear blocks (solvers/multiblock/gpu_multiblock.h). A warp marches along one axis of its tile, a cell
 * a lane: it finds the fluxes through the upper faces of its cells there, one a step, and those across the axis of its lanes
 * by what lanes have for their neighbours. So each flux is found once, but for those between tiles, and no warp waits for
 * another. Boxes take two kernels, of two axes and of one: all three together want more registers than a thread can
 * have, which costs more than to carry the sums of fluxes through memory. What a thread will want of memory comes to its desk
 * meanwhile (device_desk.h). */
#include "solvers/multiblock/gpu_multiblock.h"

#include "solvers/multiblock/device_desk.h"

enum { ANY_LIMITER = TRIAD_MB_LIMITERS };

/* ---- states and fluxes at faces ---- */

/* What a cell has at its lower and upper faces, of three values in a row: as rows.c. */
template <int LIMITER> static __device__ __forceinline__ void reach(const mesh &g, const triad_real below[FIELDS],
                                                                    const triad_real here[FIELDS],
                                                                    const triad_real above[FIELDS],
                                                                    triad_real down[FIELDS], triad_real up[FIELDS])
{
  const triad_real least = TRIAD_R(0.05);
#pragma unroll
  for (int m = 0; m < FIELDS; m++) {
    triad_mb_reach(LIMITER == ANY_LIMITER ? g.limiter : (triad_mb_limiter)LIMITER, g.kappa, g.order, below[m], here[m],
                   above[m], down + m, up + m);
    if (m == 0 || m == 4) {
      down[m] = triad_mb_most(down[m], least * here[m]);
      up[m] = triad_mb_most(up[m], least * here[m]);
    }
  }
}

static __device__ __forceinline__ void read_at(const triad_real *const q[FIELDS], int at, triad_real out[FIELDS])
{
#pragma unroll
  for (int m = 0; m < FIELDS; m++) out[m] = q[m][at];
}

/* The same of the cell at a place, along an axis of this stride. */
template <int LIMITER> static __device__ __forceinline__ void reach_at(const mesh &g, const job &p, int at, int stride,
                                                                       triad_real down[FIELDS], triad_real up[FIELDS])
{
  triad_real below[FIELDS], here[FIELDS], above[FIELDS];
  read_at(p.q, at - stride, below);
  read_at(p.q, at, here);
  read_at(p.q, at + stride, above);
  reach<LIMITER>(g, below, here, above, down, up);
}

static __device__ __forceinline__ triad_mb_state state_of(const triad_real q[FIELDS])
{
  return (triad_mb_state){q[0], q[1], q[2], q[3], q[4]};
}

/* The flux of a boundary face below the cell, across an axis; -1: it is none. */
static __device__ __forceinline__ int boundary_at(const triad_mb_gpu_block &b, int axis, const place &c)
{
  const int along = axis == 0 ? c.i : axis == 1 ? c.j : c.k;
  if (along > 0 && along < b.n[axis]) return -1;
  const int32_t *map = b.map[2 * axis + (along > 0)];
  return map ? map[axis == 0 ? c.j + b.n[1] * c.k : c.i + b.n[0] * (axis == 1 ? c.k : c.j)] : -1;
}

/* Do lanes find what diffuses together (device_gradients.h), or each for itself? Columns have no lane for what lies beside a row. */
enum { BOXES_TOGETHER = 0, PLANES_TOGETHER = 1 };
template <int FLOW, int KIND> struct diffuses {
  enum {
    TOGETHER = KIND == TRIAD_MB_GPU_ROWS ? (int)BOXES_TOGETHER : KIND == TRIAD_MB_GPU_COLUMNS ? 0 : (int)PLANES_TOGETHER,
    BY_LANES = FLOW == LAMINAR && TOGETHER,
    ALONE = FLOW == LAMINAR && !TOGETHER
  };
};

static __device__ __forceinline__ void take_diffused(triad_mb_flux d, triad_real flux[FIELDS])
{
  flux[1] -= d.x;
  flux[2] -= d.y;
  flux[3] -= d.z;
  flux[4] -= d.energy;
}

/* Through the lower face, across an axis, of the cell at a place: this area. DIFFUSES: with what diffuses. */
template <int RIEMANN, int DIFFUSES>
static __device__ __forceinline__ void through(const mesh &g, const job &p, const triad_mb_gpu_block &b, int flat, int axis,
                                               int at, const place &c, triad_mb_vector area,
                                               const triad_real left[FIELDS],
                                               const triad_real right[FIELDS], triad_real flux[FIELDS])
{
  const triad_mb_flux f = triad_mb_between((triad_mb_riemann)RIEMANN, state_of(left), state_of(right), area, g.gamma);
  flux[0] = f.mass;
  flux[1] = f.x;
  flux[2] = f.y;
  flux[3] = f.z;
  flux[4] = f.energy;
  const int face = boundary_at(b, axis, c); /* such have fluxes of their own */
  if (face >= 0) {
#pragma unroll
    for (int m = 0; m < FIELDS; m++) flux[m] = g.face_flux[m][face];
  }
  if (DIFFUSES) {
    const triad_mb_sight sight = {{p.q[1], p.q[2], p.q[3], g.temperature},
                                  g.viscosity,
                                  {{g.s[0][0], g.s[0][1], g.s[0][2]},
                                   {g.s[1][0], g.s[1][1], g.s[1][2]},
                                   {g.s[2][0], g.s[2][1], g.s[2][2]}},
                                  g.volume,
                                  g.conduction};
    const int64_t step[3] = {1, b.stride[1], b.stride[2]};
    take_diffused(triad_mb_diffused(&sight, axis, flat, step, at), flux);
  }
}

/* ---- rates, of inviscid flow: those across the axes that a warp finds fluxes of ---- */

/* Of the cell at a place. */
template <int KIND>
static __device__ __forceinline__ triad_real rate_of(const mesh &g, const triad_mb_gpu_block &b, const march &w, int at,
                                                     const triad_real here[FIELDS])
{
  const triad_mb_state q = state_of(here);
  triad_real rate = 0;
  if (KIND != TRIAD_MB_GPU_COLUMNS)
    rate = add_rate(g, area_at<AREAS>(g, b.stride, w.lanes, at), area_at<AREAS>(g, b.stride, w.lanes, at + b.stride[w.lanes]), q, 0, 0);
  return add_rate(g, area_at<AREAS>(g, b.stride, w.along, at), area_at<AREAS>(g, b.stride, w.along, at + w.step), q, 0, rate);
}

/* Of cell i where nodes are kept; all lanes call it. */
template <int KIND, class DESK>
static __device__ __forceinline__ triad_real rate_between(const mesh &g, int i, const faces &f, DESK &d)
{
  const triad_mb_vector low = vector_on(d.low);
  triad_real here[FIELDS], rate = 0;
  state_on(d, i, here);
  if (KIND == TRIAD_MB_GPU_ROWS) rate = add_rate(g, f.lanes, vector_above(f.lanes), state_of(here), 0, 0);
  put_vector(d.low, f.along);
  return add_rate(g, low, f.along, state_of(here), 0, rate);
}

/* ---- a cell ---- */

/* The state at the start of the step, of cell i of a march. */
template <int FIRST, class DESK>
static __device__ __forceinline__ void start_on(const mesh &g, const job &p, const DESK &d, int i, triad_real u0[FIELDS])
{
  if (starts_from_primitives<FIRST>(p)) {
    triad_real here[FIELDS];
    state_on(d, i, here);
    const triad_mb_flux u = triad_mb_conserved(state_of(here), g.gamma);
    u0[0] = u.mass;
    u0[1] = u.x;
    u0[2] = u.y;
    u0[3] = u.z;
    u0[4] = u.energy;
    return;
  }
#pragma unroll
  for (int m = 0; m < FIELDS; m++) u0[m] = d.own[U0 + m][threadIdx.x];
}

/* u = start u0 + last u - rate dt/V R of cell i, and its primitives. FIRST: residuals are added up. */
template <int KIND, int FLOW, int FIRST, class DESK>
static __device__ __forceinline__ void change(const mesh &g, const job &p, const triad_mb_gpu_block &b, int at, int i, const DESK &d,
                                              triad_real rest[FIELDS], double sums[FIELDS], double *most)
{
  const triad_real (*own)[THREADS] = d.own;
  const triad_real per_volume = triad_mb_per(own[VOLUME][threadIdx.x]);
  const triad_real step = p.rate * (p.dt > 0 ? p.dt * per_volume : p.cfl * triad_mb_per(own[RATE][threadIdx.x]));
  triad_real u0[FIELDS], u[FIELDS];
  start_on<FIRST>(g, p, d, i, u0);
#pragma unroll
  for (int m = 0; m < FIELDS; m++) {
    if (KIND == TRIAD_MB_GPU_COLUMNS) rest[m] += own[REST + m][threadIdx.x];
    if (g.source[m]) rest[m] -= g.source[m][at];
    if (FIRST) sums[m] += (double)(rest[m] * rest[m] * per_volume);
    u[m] = p.start * u0[m] - step * rest[m];
    if (p.last > 0 || p.last < 0) u[m] += p.last * p.was[m][at];
    if (p.u[m]) p.u[m][at] = u[m];
  }
  if (!p.next[0]) return;
  const triad_mb_state q = triad_mb_primitive((triad_mb_flux){u[0], u[1], u[2], u[3], u[4]}, g.gamma);
  p.next[0][at] = q.rho;
  p.next[1][at] = q.u;
  p.next[2][at] = q.v;
  p.next[3][at] = q.w;
  p.next[4][at] = q.p;
  if (!(q.rho > 0) || !(q.p > 0) || !(q.p < TRIAD_R(1e30))) *g.bad = 1;
  if (p.look) *most = fmax(*most, look_at<FLOW == ON_NODES ? NODES : AREAS>(g, b, at, q));
}

/* ---- a tile ---- */

/* rest = what leaves cell i of the march across the axis of the lanes. All lanes of a warp call it; those of the row's lower ends
 * have no face. */
template <int RIEMANN, int LIMITER, int FLOW, int KIND, class DESK>
static __device__ __forceinline__ void across_lanes(const mesh &g, const job &p, const triad_mb_gpu_block &b, const march &w, int i,
                                                    const place &c, const DESK &d, triad_mb_vector area,
                                                    triad_mb_flux diffused, triad_real rest[FIELDS])
{
  const int at = w.at + i * w.step, stride = b.stride[w.lanes];
  triad_real left[FIELDS], down[FIELDS], up[FIELDS], out[FIELDS] = {0, 0, 0, 0, 0}, here[FIELDS], below[FIELDS],
             above[FIELDS];
  read_at(p.q, at - stride, below);
  read_at(p.q, at + stride, above);
  state_on(d, i, here);
  reach<LIMITER>(g, below, here, above, down, up);
#pragma unroll
  for (int m = 0; m < FIELDS; m++) left[m] = from_lane_below(up[m]);
  if ((w.lanes == 0 ? c.i : c.j) >= 0) {
    through<RIEMANN, diffuses<FLOW, KIND>::ALONE>(g, p, b, flat_of<KIND>(b), w.lanes, at, c, area, left, down, out);
    if (diffuses<FLOW, KIND>::BY_LANES) take_diffused(diffused, out);
  }
#pragma unroll
  for (int m = 0; m < FIELDS; m++) rest[m] = from_lane_above(out[m]) - out[m];
}

/* The march so far: the state that is left of the next face, and the flux through the last one. */
struct carried {
  triad_real up[FIELDS], low[FIELDS];
};

template <int RIEMANN, int LIMITER, int FLOW, int KIND>
static __device__ __forceinline__ void begin(const mesh &g, const job &p, const triad_mb_gpu_block &b, const march &w,
                                             triad_mb_vector area, carried &x)
{
  triad_real down[FIELDS], left[FIELDS];
  reach_at<LIMITER>(g, p, w.at - w.step, w.step, down, left);
  reach_at<LIMITER>(g, p, w.at, w.step, down, x.up);
  through<RIEMANN, FLOW == LAMINAR>(g, p, b, flat_of<KIND>(b), w.along, w.at, w.c, area, left, down, x.low);
}

/* rest += what leaves cell i along the march; its upper face is the lower one of the next. */
template <int RIEMANN, int LIMITER, int FLOW, int KIND, class DESK>
static __device__ __forceinline__ void go_on(const mesh &g, const job &p, const triad_mb_gpu_block &b, const march &w, int i,
                                             const place &next, const DESK &d, triad_mb_vector area,
                                             triad_mb_flux diffused, carried &x, triad_real rest[FIELDS])
{
  triad_real down[FIELDS], up[FIELDS], out[FIELDS], here[FIELDS], above[FIELDS], beyond[FIELDS];
  state_on(d, i, here);
  state_on(d, i + 1, above);
  state_on(d, i + 2, beyond);
  reach<LIMITER>(g, here, above, beyond, down, up);
  through<RIEMANN, diffuses<FLOW, KIND>::ALONE>(g, p, b, flat_of<KIND>(b), w.along, w.at + (i + 1) * w.step, next, area, x.up,
                                                             down, out);
  if (diffuses<FLOW, KIND>::BY_LANES) take_diffused(diffused, out);
#pragma unroll
  for (int m = 0; m < FIELDS; m++) {
    rest[m] += out[m] - x.low[m];
    x.low[m] = out[m];
    x.up[m] = up[m];
  }
}

/* What the look at a new state reads is on its way while the fluxes are found. */
template <int KIND> static __device__ __forceinline__ void fetch_for_look(const mesh &g, const job &p, const triad_mb_gpu_block &b,
                                                                          const march &w, int at)
{
  if (!p.look) return;
#pragma unroll
  for (int axis = 0; axis < 3; axis++)
#pragma unroll
    for (int a = 0; a < 3; a++)
      if (axis != w.along && axis != flat_of<KIND>(b)) ahead(g.s[axis][a] + at);
}

/* Is what gradients at the next cell's faces read, and no one else has brought, to be on its way a step before? */
enum { GRADIENTS_AHEAD = 0 };

/* From the cell at a place on the march: the row beyond it, and those beside that along the third axis. */
static __device__ __forceinline__ void fetch_for_gradients(const mesh &g, const job &p, const triad_mb_gpu_block &b, const march &w,
                                                           int at)
{
  const int third = 3 - w.lanes - w.along, next = at + 2 * w.step;
  const triad_real *const value[4] = {p.q[1], p.q[2], p.q[3], g.temperature};
#pragma unroll
  for (int a = 0; a < 3; a++) {
    ahead(g.s[third][a] + next);
    ahead(g.s[third][a] + next + b.stride[third]);
  }
#pragma unroll
  for (int m = 0; m < 4; m++) {
    ahead(value[m] + next - b.stride[third]);
    ahead(value[m] + next + b.stride[third]);
  }
  ahead(g.temperature + next);
  ahead(g.viscosity + next);
  ahead(g.volume + next);
}

/* Cell i of a march as gradients see it. */
template <int KIND, class DESK>
static __device__ __forceinline__ viewed view_of(const mesh &g, const job &p, const triad_mb_gpu_block &b, const march &w, int i,
                                                 const faces &f, const DESK &d)
{
  const int third = KIND == TRIAD_MB_GPU_ROWS ? 2 : -1, at = w.at + i * w.step, next = at + w.step;
  const triad_real (*here)[THREADS] = d.q[i % RING], (*above)[THREADS] = d.q[(i + 1) % RING];
  const int me = (int)threadIdx.x;
  return viewed{{p.q[1], p.q[2], p.q[3], g.temperature},
                at,
                next,
                b.stride[w.lanes],
                third,
                third < 0 ? 0 : b.stride[2],
                {here[1][me], here[2][me], here[3][me], g.temperature[at]},
                {above[1][me], above[2][me], above[3][me], g.temperature[next]},
                f.lanes,
                f.along};
}

/* The rate of a cell for its change, of which rows have found a part and this warp this one; it is noted for stages to come. */
template <class DESK> static __device__ __forceinline__ void put_rate(const mesh &g, int at, triad_real rate, DESK &d, double *most)
{
  d.own[RATE][threadIdx.x] = g.rate[at] = rate;
  *most = fmax(*most, (double)(rate * triad_mb_per(d.own[VOLUME][threadIdx.x])));
}

/* Blocks of threads that a multiprocessor is to hold at once: with 4 a thread has 128 registers, of which boxes spill next to none;
 * with 3 it has 168. */
enum { OF_BOXES = 4, OF_LAMINAR_BOXES = 3, OF_PLANES = 3 };
static constexpr int at_once(int flow, int kind)
{
  return kind >= TRIAD_MB_GPU_PLANES ? OF_PLANES : flow == LAMINAR ? OF_LAMINAR_BOXES : OF_BOXES;
}

/* Orders are two a cell: what the next one's fluxes take, before its own fluxes; what the next one's change takes, after its own.
 * FIRST: in a step's first stage squares are added up, and rates found if they are to be; of rows, rates are found. Rates in the first
 * stage are those of inviscid flow. */
template <int RIEMANN, int LIMITER, int FLOW, int KIND, int FIRST>
static __global__ void __launch_bounds__(THREADS, at_once(FLOW, KIND)) sweep(const mesh g, const job p, int from, int n)
{
  constexpr int finds = FIRST && FLOW != LAMINAR;
  __shared__ desk<KIND, FLOW, FIRST> d;
  int lane;
  const int tile = tile_of_warp(from, &lane);
  if (tile >= from + n) return;
  const triad_mb_gpu_tile t = g.tile[tile];
  const triad_mb_gpu_block &b = g.block[t.block];
  const march w = march_of<KIND>(b, t, lane, FLOW == ON_NODES);
  double sums[FIELDS] = {0, 0, 0, 0, 0}, most = 0;
  place c = w.c;
  carried x;
  bring_state(p, w, 0, d);
  bring_state(p, w, 1, d);
  if constexpr (FLOW == ON_NODES && KIND == TRIAD_MB_GPU_ROWS) bring_nodes<KIND>(g, b, w, 0, d);
  bring_for_fluxes<KIND, FLOW>(g, p, b, w, 0, d);
  close_order();
  bring_for_change<KIND, FIRST>(g, p, w.at, d);
  close_order();
  if (w.mine) {
    const triad_mb_vector area = area_at<FLOW == ON_NODES ? NODES : AREAS>(g, b.stride, w.along, w.at);
    if constexpr (FLOW == ON_NODES && FIRST) put_vector(d.low, area);
    begin<RIEMANN, LIMITER, FLOW, KIND>(g, p, b, w, area, x);
  }
  beside y;
  if constexpr (diffuses<FLOW, KIND>::BY_LANES) {
    const triad_real *const value[4] = {p.q[1], p.q[2], p.q[3], g.temperature};
    start_beside(g, value, w, y);
  }
  for (int i = 0; i < w.n; i++) {
    const int at = w.at + i * w.step, more = i + 1 < w.n;
    const place next = {c.i, c.j + (w.along == 1), c.k + (w.along == 2)};
    triad_real rest[FIELDS] = {0, 0, 0, 0, 0};
    wait_for_last_but_one();
    faces f;
    triad_real rate = 0;
    if constexpr (FLOW == ON_NODES) { /* before new nodes take the place of these */
      f = faces_between<KIND>(i, d);
      if constexpr (finds) rate = rate_between<KIND>(g, i, f, d);
    } else {
      f = faces_kept<KIND>(i, d);
    }
    if (more) bring_for_fluxes<KIND, FLOW>(g, p, b, w, i + 1, d);
    close_order();
    if constexpr (FLOW != ON_NODES) fetch_for_look<KIND>(g, p, b, w, at);
    if constexpr (FLOW == LAMINAR && GRADIENTS_AHEAD && KIND < TRIAD_MB_GPU_PLANES)
      if (more) fetch_for_gradients(g, p, b, w, at);
    triad_mb_flux diffused = {0, 0, 0, 0, 0};
    if constexpr (diffuses<FLOW, KIND>::BY_LANES) diffused = diffused_across_lanes(g, w, view_of<KIND>(g, p, b, w, i, f, d), y);
    if (KIND != TRIAD_MB_GPU_COLUMNS) across_lanes<RIEMANN, LIMITER, FLOW, KIND>(g, p, b, w, i, c, d, f.lanes, diffused, rest);
    if constexpr (diffuses<FLOW, KIND>::BY_LANES) diffused = diffused_along_march(g, w, view_of<KIND>(g, p, b, w, i, f, d));
    if (w.mine) go_on<RIEMANN, LIMITER, FLOW, KIND>(g, p, b, w, i, next, d, f.along, diffused, x, rest);
    wait_for_last_but_one();
    if constexpr (finds && FLOW != ON_NODES) {
      triad_real here[FIELDS];
      state_on(d, i, here);
      if (w.mine && p.find) rate = rate_of<KIND>(g, b, w, at, here);
    }
    if constexpr (KIND == TRIAD_MB_GPU_ROWS) {
#pragma unroll
      for (int m = 0; m < FIELDS; m++)
        if (w.mine) p.rest[m][at] = rest[m];
      if (finds && w.mine) g.rate[at] = rate;
    } else if (w.mine) {
      if (KIND == TRIAD_MB_GPU_COLUMNS) rate += d.own[RATE][threadIdx.x];
      if (finds && p.find) put_rate(g, at, rate, d, &most);
      change<KIND, FLOW, FIRST>(g, p, b, at, i, d, rest, sums, &most);
    }
    if (more) bring_for_change<KIND, FIRST>(g, p, at + w.step, d);
    close_order();
    c = next;
  }
  if (KIND == TRIAD_MB_GPU_ROWS) return;
  if (FIRST) leave_sums<FIELDS, 0>(g, sums, TRIAD_MB_GPU_SQUARES, tile, lane);
  if (p.look || (finds && p.find)) leave_sums<1, 1>(g, &most, TRIAD_MB_GPU_RATE, tile, lane);
}

/* ---- which of them ---- */

template <int RIEMANN, int LIMITER, int FLOW, int KIND> static void launch_kind(const mesh *g, const job *p, void *stream)
{
  const int early = g->early[KIND], all = g->begin[KIND + 1] - g->begin[KIND];
  const int first = p->when == TRIAD_MB_GPU_LATE ? early : 0, n = (p->when == TRIAD_MB_GPU_EARLY ? early : all) - first;
  const dim3 blocks = blocks_of_tiles(n), threads(THREADS);
  constexpr int first_stages = !(FLOW == LAMINAR && KIND == TRIAD_MB_GPU_ROWS);
  if (n == 0) return;
  if (first_stages && (KIND == TRIAD_MB_GPU_ROWS ? p->find : p->squares))
    TRIAD_LAUNCH(blocks, threads, stream, sweep<RIEMANN, LIMITER, FLOW, KIND, first_stages>)
    (*g, *p, g->begin[KIND] + first, n);
  else
    TRIAD_LAUNCH(blocks, threads, stream, sweep<RIEMANN, LIMITER, FLOW, KIND, 0>)(*g, *p, g->begin[KIND] + first, n);
}

/* Where nodes are kept no block is flat. */
template <int RIEMANN, int LIMITER, int FLOW> static void launch_kinds(const mesh *g, const job *p, void *stream)
{
  launch_kind<RIEMANN, LIMITER, FLOW, TRIAD_MB_GPU_ROWS>(g, p, stream);
  launch_kind<RIEMANN, LIMITER, FLOW, TRIAD_MB_GPU_COLUMNS>(g, p, stream);
  if constexpr (FLOW != ON_NODES) {
    launch_kind<RIEMANN, LIMITER, FLOW, TRIAD_MB_GPU_PLANES>(g, p, stream);
    launch_kind<RIEMANN, LIMITER, FLOW, TRIAD_MB_GPU_SIDES>(g, p, stream);
  }
}

template <int RIEMANN, int LIMITER> static void launch(const mesh *g, const job *p, void *stream)
{
  if (g->viscosity) launch_kinds<RIEMANN, LIMITER, LAMINAR>(g, p, stream);
  else if (g->node[0]) launch_kinds<RIEMANN, LIMITER, ON_NODES>(g, p, stream);
  else launch_kinds<RIEMANN, LIMITER, INVISCID>(g, p, stream);
}

template <int RIEMANN> static void launch_of(const mesh *g, const job *p, void *stream)
{
  if (g->limiter == TRIAD_MB_LIMIT_VAN_ALBADA) launch<RIEMANN, TRIAD_MB_LIMIT_VAN_ALBADA>(g, p, stream);
  else launch<RIEMANN, ANY_LIMITER>(g, p, stream);
}

extern "C" int triad_mb_gpu_sweep(const mesh *g, const job *p, void *stream)
{
  if (g->begin[TRIAD_MB_GPU_KINDS] == 0) return TRIAD_OK;
  switch (g->riemann) {
  case TRIAD_MB_VAN_LEER: launch_of<TRIAD_MB_VAN_LEER>(g, p, stream); break;
  case TRIAD_MB_STEGER_WARMING: launch_of<TRIAD_MB_STEGER_WARMING>(g, p, stream); break;
  case TRIAD_MB_AUSM: launch_of<TRIAD_MB_AUSM>(g, p, stream); break;
  default: launch_of<TRIAD_MB_ROE>(g, p, stream);
  }
  return launched("a stage on blocks");
}
