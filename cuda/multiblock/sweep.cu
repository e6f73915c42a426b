/* A stage of flow on curvilinear blocks (solvers/multiblock/gpu/gpu_multiblock.h). A warp marches along one axis of
 * its tile, one cell per lane. It computes the fluxes through the upper faces of its cells along the march, one per
 * step, and those across the axis of its lanes by exchange between lanes. Each flux is computed once, except those
 * between tiles, and no warp waits for another. Boxes need two kernels, of two axes and of one: all three axes
 * together need more registers than a thread can have, which costs more than storing the sums of fluxes in memory.
 * Data that a thread needs later is staged in shared memory meanwhile (device_desk.h).
 * Compiled once per Riemann solver, with -DTRIAD_FLUX=<a kind of solvers/gas/kinds.h>. */
#include "solvers/multiblock/gpu/gpu_multiblock.h"

#include "solvers/multiblock/gpu/device_change.h"
#include "solvers/multiblock/gpu/device_march.h"

/* Blocks of threads that a multiprocessor is to hold at once: with 4 a thread has 128 registers, of which boxes
 * spill next to none; with 3 it has 168. */
enum { OF_BOXES = 4, OF_LAMINAR_BOXES = 3, OF_PLANES = 3 };
static constexpr int at_once(int flow, int kind)
{
  return kind >= TRIAD_MULTIBLOCK_GPU_PLANES ? OF_PLANES : flow == LAMINAR ? OF_LAMINAR_BOXES : OF_BOXES;
}

/* Orders are two a cell: what the next one's fluxes take, before its own fluxes; what the next one's change takes,
 * after its own. FIRST: in a step's first stage squares are added up, and rates found if they are to be; of rows,
 * rates are found. Rates in the first stage are those of inviscid flow. */
template <int RIEMANN, int LIMITER, int FLOW, int KIND, int FIRST>
static __global__ void __launch_bounds__(THREADS, at_once(FLOW, KIND)) sweep(const mesh g, const job p, int from, int n)
{
  constexpr int finds = FIRST && FLOW != LAMINAR;
  __shared__ desk<KIND, FLOW, FIRST> d;
  int lane;
  const int tile = tile_of_warp(from, &lane);
  if (tile >= from + n) return;
  const triad_multiblock_gpu_tile t = g.tile[tile];
  const triad_multiblock_gpu_block &b = g.block[t.block];
  const march w = march_of<KIND>(b, t, lane, FLOW == ON_NODES);
  double sums[FIELDS] = {0, 0, 0, 0, 0}, most = 0;
  place c = w.c;
  carried x;
  bring_state(p, w, 0, d);
  bring_state(p, w, 1, d);
  if constexpr (FLOW == ON_NODES && KIND == TRIAD_MULTIBLOCK_GPU_ROWS) bring_nodes<KIND>(g, b, w, 0, d);
  bring_for_fluxes<KIND, FLOW>(g, p, b, w, 0, d);
  close_order();
  bring_for_change<KIND, FIRST>(g, p, w.at, d);
  close_order();
  if (w.mine) {
    const triad_gas_vector area = area_at < FLOW == ON_NODES ? NODES : AREAS > (g, b.stride, w.along, w.at);
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
    if constexpr (FLOW == LAMINAR && GRADIENTS_AHEAD && KIND < TRIAD_MULTIBLOCK_GPU_PLANES)
      if (more) fetch_for_gradients(g, p, b, w, at);
    triad_gas_flux diffused = {0, 0, 0, 0, 0};
    if constexpr (diffuses<FLOW, KIND>::BY_LANES)
      diffused = diffused_across_lanes(g, w, view_of<KIND>(g, p, b, w, i, f, d), y);
    if (KIND != TRIAD_MULTIBLOCK_GPU_COLUMNS)
      across_lanes<RIEMANN, LIMITER, FLOW, KIND>(g, p, b, w, i, c, d, f.lanes, diffused, rest);
    if constexpr (diffuses<FLOW, KIND>::BY_LANES)
      diffused = diffused_along_march(g, w, view_of<KIND>(g, p, b, w, i, f, d));
    if (w.mine) go_on<RIEMANN, LIMITER, FLOW, KIND>(g, p, b, w, i, next, d, f.along, diffused, x, rest);
    wait_for_last_but_one();
    if constexpr (finds && FLOW != ON_NODES) {
      triad_real here[FIELDS];
      state_on(d, i, here);
      if (w.mine && p.find) rate = rate_of<KIND>(g, b, w, at, here);
    }
    if constexpr (KIND == TRIAD_MULTIBLOCK_GPU_ROWS) {
#pragma unroll
      for (int m = 0; m < FIELDS; m++)
        if (w.mine) p.rest[m][at] = rest[m];
      if (finds && w.mine) g.rate[at] = rate;
    } else if (w.mine) {
      if (KIND == TRIAD_MULTIBLOCK_GPU_COLUMNS) rate += d.own[RATE][threadIdx.x];
      if (finds && p.find) put_rate(g, at, rate, d, &most);
      change<KIND, FLOW, FIRST>(g, p, b, at, i, d, rest, sums, &most);
    }
    if (more) bring_for_change<KIND, FIRST>(g, p, at + w.step, d);
    close_order();
    c = next;
  }
  if (KIND == TRIAD_MULTIBLOCK_GPU_ROWS) return;
  if (FIRST) leave_sums<FIELDS, 0>(g, sums, TRIAD_MULTIBLOCK_GPU_SQUARES, tile, lane);
  if (p.look || (finds && p.find)) leave_sums<1, 1>(g, &most, TRIAD_MULTIBLOCK_GPU_RATE, tile, lane);
}

/* ---- which of them ---- */

template <int RIEMANN, int LIMITER, int FLOW, int KIND>
static void launch_kind(const mesh *g, const job *p, void *stream)
{
  const int early = g->early[KIND], all = g->begin[KIND + 1] - g->begin[KIND];
  const int first = p->when == TRIAD_MULTIBLOCK_GPU_LATE ? early : 0,
            n = (p->when == TRIAD_MULTIBLOCK_GPU_EARLY ? early : all) - first;
  const dim3 blocks = blocks_of_tiles(n), threads(THREADS);
  constexpr int first_stages = !(FLOW == LAMINAR && KIND == TRIAD_MULTIBLOCK_GPU_ROWS);
  if (n == 0) return;
  if (first_stages && (KIND == TRIAD_MULTIBLOCK_GPU_ROWS ? p->find : p->squares))
    TRIAD_LAUNCH(blocks, threads, stream, sweep<RIEMANN, LIMITER, FLOW, KIND, first_stages>)
  (*g, *p, g->begin[KIND] + first, n);
  else TRIAD_LAUNCH(blocks, threads, stream, sweep<RIEMANN, LIMITER, FLOW, KIND, 0>)(*g, *p, g->begin[KIND] + first, n);
}

/* Where nodes are kept no block is flat. */
template <int RIEMANN, int LIMITER, int FLOW> static void launch_kinds(const mesh *g, const job *p, void *stream)
{
  launch_kind<RIEMANN, LIMITER, FLOW, TRIAD_MULTIBLOCK_GPU_ROWS>(g, p, stream);
  launch_kind<RIEMANN, LIMITER, FLOW, TRIAD_MULTIBLOCK_GPU_COLUMNS>(g, p, stream);
  if constexpr (FLOW != ON_NODES) {
    launch_kind<RIEMANN, LIMITER, FLOW, TRIAD_MULTIBLOCK_GPU_PLANES>(g, p, stream);
    launch_kind<RIEMANN, LIMITER, FLOW, TRIAD_MULTIBLOCK_GPU_SIDES>(g, p, stream);
  }
}

template <int RIEMANN, int LIMITER> static void launch(const mesh *g, const job *p, void *stream)
{
  if (g->viscosity) launch_kinds<RIEMANN, LIMITER, LAMINAR>(g, p, stream);
  else if (g->node[0]) launch_kinds<RIEMANN, LIMITER, ON_NODES>(g, p, stream);
  else launch_kinds<RIEMANN, LIMITER, INVISCID>(g, p, stream);
}

#define JOINED_(a, b) a##b
#define JOINED(a, b) JOINED_(a, b)
extern "C" int JOINED(triad_multiblock_gpu_sweep_, TRIAD_FLUX)(const mesh *g, const job *p, void *stream)
{
  /* the default solver has kernels of its own for the default limiter, too, as long as it is not frozen */
  constexpr int own = TRIAD_FLUX == TRIAD_GAS_ROE ? (int)TRIAD_MULTIBLOCK_LIMIT_VAN_ALBADA : (int)ANY_LIMITER;
  if (g->limiter == own && !g->frozen) launch<TRIAD_FLUX, own>(g, p, stream);
  else launch<TRIAD_FLUX, ANY_LIMITER>(g, p, stream);
  return launched("a stage on blocks");
}
