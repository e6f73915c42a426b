/* A stage of flow on curvilinear blocks (solvers/multiblock/gpu_multiblock.h). A block of threads goes along one axis of its
 * tile, plane by plane: a thread has one cell of each plane, and finds the fluxes through its lower faces along the plane and
 * its upper one across; what lies on its other sides it gets from neighbours by shared memory. Threads behind those of cells
 * are for the tile's edges: what neighbouring tiles have beside it, and the last faces of rows and columns. So each flux is
 * found once, but for those between tiles. */
#include "solvers/multiblock/gpu_multiblock.h"

#include "solvers/multiblock/device_tiles.h"

enum { FIELDS = TRIAD_MB_FIELDS, SLOTS = TRIAD_MB_GPU_THREADS, THREADS = TRIAD_MB_GPU_THREADS, ANY_LIMITER = TRIAD_MB_LIMITERS };

typedef triad_mb_gpu mesh;
typedef triad_mb_gpu_stage job;

/* Numbers that threads of a tile leave for one another: states at faces, fluxes through them. */
struct desk {
  triad_real left[2][FIELDS][SLOTS], flux[2][FIELDS][SLOTS];
};

/* Number of a cell in its block. */
struct place {
  int i, j, k;
};

/* ---- states and fluxes at faces ---- */

/* What a cell has at its lower and upper faces, of three values in a row: as rows.c. */
template <int LIMITER> static __device__ __forceinline__ void reach(const mesh &g, const triad_real below[FIELDS],
                                                                    const triad_real here[FIELDS],
                                                                    const triad_real above[FIELDS], triad_real down[FIELDS],
                                                                    triad_real up[FIELDS])
{
  const triad_real least = TRIAD_R(0.05);
#pragma unroll
  for (int m = 0; m < FIELDS; m++) {
    triad_mb_reach(LIMITER == ANY_LIMITER ? g.limiter : (triad_mb_limiter)LIMITER, g.kappa, g.order, below[m], here[m], above[m],
                   down + m, up + m);
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

/* Through the lower face, across an axis, of the cell at a place. */
template <int RIEMANN, int VISCOUS>
static __device__ __forceinline__ void through(const mesh &g, const job &p, const triad_mb_gpu_block &b, int axis, int at,
                                               const place &c, const triad_real left[FIELDS], const triad_real right[FIELDS],
                                               triad_real flux[FIELDS])
{
  const triad_mb_vector area = {g.s[axis][0][at], g.s[axis][1][at], g.s[axis][2][at]};
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
  if (VISCOUS) {
    const triad_mb_sight sight = {{p.q[1], p.q[2], p.q[3], g.temperature},
                                  g.viscosity,
                                  {{g.s[0][0], g.s[0][1], g.s[0][2]},
                                   {g.s[1][0], g.s[1][1], g.s[1][2]},
                                   {g.s[2][0], g.s[2][1], g.s[2][2]}},
                                  g.volume,
                                  g.conduction};
    const int64_t step[3] = {1, b.stride[1], b.stride[2]};
    const triad_mb_flux d = triad_mb_diffused(&sight, axis, b.flat, step, at);
    flux[1] -= d.x;
    flux[2] -= d.y;
    flux[3] -= d.z;
    flux[4] -= d.energy;
  }
}

/* ---- one direction of a plane ---- */

/* A thread's part in a direction: faces of a row are numbered 0 .. n, cell f is above face f. cell: the thread has the cell at
 * `at` above face `lower`; else it has the row's edge: the cells beside both ends, of which the upper is at `at`. */
struct post {
  int there, cell, axis, stride, at, lower, upper, span; /* lower, upper: slots; span: cells of the row */
};

/* States at faces; the one right of this thread's face is kept. */
template <int LIMITER> static __device__ __forceinline__ void give_states(const mesh &g, const job &p, const post &w,
                                                                          triad_real left[FIELDS][SLOTS],
                                                                          triad_real right[FIELDS])
{
  triad_real up[FIELDS], unused[FIELDS];
  if (!w.there) return;
  if (w.cell) {
    reach_at<LIMITER>(g, p, w.at, w.stride, right, up);
#pragma unroll
    for (int m = 0; m < FIELDS; m++) left[m][w.upper] = up[m];
    return;
  }
  reach_at<LIMITER>(g, p, w.at - (w.span + 1) * w.stride, w.stride, unused, up);
#pragma unroll
  for (int m = 0; m < FIELDS; m++) left[m][w.lower] = up[m];
  reach_at<LIMITER>(g, p, w.at, w.stride, right, unused);
}

/* The flux through this thread's face: the lower one of its cell, the last of its row. */
template <int RIEMANN, int VISCOUS>
static __device__ __forceinline__ void give_flux(const mesh &g, const job &p, const triad_mb_gpu_block &b, const post &w,
                                                 const place &c, const triad_real left[FIELDS][SLOTS],
                                                 const triad_real right[FIELDS], triad_real flux[FIELDS][SLOTS],
                                                 triad_real out[FIELDS])
{
  triad_real l[FIELDS];
  const int slot = w.cell ? w.lower : w.upper;
  if (!w.there) return;
#pragma unroll
  for (int m = 0; m < FIELDS; m++) l[m] = left[m][slot];
  through<RIEMANN, VISCOUS>(g, p, b, w.axis, w.at, c, l, right, out);
#pragma unroll
  for (int m = 0; m < FIELDS; m++) flux[m][slot] = out[m];
}

/* ---- a cell ---- */

/* u = start u0 + last u - rate dt/V R, and its primitives. FIRST: of a step, which adds up the residuals. */
template <int FIRST> static __device__ __forceinline__ void change(const mesh &g, const job &p, const triad_mb_gpu_block &b, int at,
                                              triad_real rest[FIELDS], double sums[FIELDS], double *most)
{
  const triad_real volume = g.volume[at], per_volume = triad_mb_per(volume);
  const triad_real step = p.rate * (p.dt > 0 ? p.dt * per_volume : p.cfl * triad_mb_per(g.rate[at]));
  triad_real u[FIELDS];
#pragma unroll
  for (int m = 0; m < FIELDS; m++) {
    if (g.source[m]) rest[m] -= g.source[m][at];
    if (FIRST) sums[m] += (double)(rest[m] * rest[m] * per_volume);
    u[m] = p.start * p.u0[m][at] - step * rest[m];
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
  if (p.look) *most = fmax(*most, look_at(g, b, at, q));
}

/* What the next plane reads first is on its way while this one is at work. */
static __device__ __forceinline__ void fetch_ahead(const mesh &g, const job &p, int at, int s0)
{
#pragma unroll
  for (int m = 0; m < FIELDS; m++) {
    ahead(p.q[m] + at + 3 * s0);
    ahead(p.u0[m] + at + s0);
  }
#pragma unroll
  for (int i = 0; i < 9; i++) ahead(g.s[i / 3][i % 3] + at + (i / 3 == 2 ? 2 : 1) * s0);
  ahead(g.volume + at + s0);
}

/* ---- a tile ---- */

/* Who does what of a plane; numbers along i and the row axis are in `i` and `r`. */
struct roles {
  post along_i, along_row;
  int mine, i, r;
};

static __device__ __forceinline__ roles roles_of(const triad_mb_gpu_block &b, const triad_mb_gpu_tile &tile, int row_axis)
{
  const int w = tile.width, h = tile.rows, thread = (int)threadIdx.x, edge = thread - TRIAD_MB_GPU_CELLS, cell = edge < 0;
  const int has_i = b.flat != 0, has_row = b.flat != row_axis;
  roles o = {{0, cell, 0, 1, 0, 0, 0, w}, {0, cell, row_axis, b.stride[row_axis], 0, 0, 0, h}, cell && thread < w * h, 0, 0};
  if (cell) {
    o.r = thread / w;
    o.i = thread - o.r * w;
    o.along_i.there = o.mine && has_i;
    o.along_row.there = o.mine && has_row;
  } else if (edge < h) { /* the end of row `edge` */
    o.i = w;
    o.r = edge;
    o.along_i.there = has_i;
  } else if (edge < h + w) { /* the end of column `edge - h` */
    o.i = edge - h;
    o.r = h;
    o.along_row.there = has_row;
  }
  o.along_i.lower = (cell ? o.i : 0) + (w + 1) * o.r;
  o.along_i.upper = o.i + (w + 1) * o.r + cell;
  o.along_row.lower = o.i + w * (cell ? o.r : 0);
  o.along_row.upper = o.i + w * (o.r + cell);
  return o;
}

template <int RIEMANN, int LIMITER, int VISCOUS, int FIRST>
static __global__ void __launch_bounds__(THREADS, 2) sweep(const mesh g, const job p)
{
  __shared__ desk d;
  const triad_mb_gpu_tile &tile = g.tile[p.first + blockIdx.x];
  const triad_mb_gpu_block &b = g.block[tile.block];
  const int across = b.flat == 2 ? 1 : 2, row_axis = 3 - across, length = tile.length, s0 = b.stride[across];
  const roles o = roles_of(b, tile, row_axis);
  const int mine = o.mine;
  post pi = o.along_i, pr = o.along_row;
  double sums[FIELDS] = {0, 0, 0, 0, 0}, most = 0;
  place c = {tile.low[0] + o.i, tile.low[1] + (row_axis == 1 ? o.r : 0), tile.low[2] + (row_axis == 2 ? o.r : 0)};
  int at = b.origin + c.i + c.j * b.stride[1] + c.k * b.stride[2];
  triad_real here[FIELDS], above[FIELDS], up[FIELDS], low[FIELDS], rest[FIELDS], right[FIELDS], out[FIELDS];
  if (mine) { /* the flux below the first plane */
    triad_real below[FIELDS], before[FIELDS], down[FIELDS];
    read_at(p.q, at - 2 * s0, before);
    read_at(p.q, at - s0, below);
    read_at(p.q, at, here);
    read_at(p.q, at + s0, above);
    reach<LIMITER>(g, before, below, here, down, right);
    reach<LIMITER>(g, below, here, above, down, up);
    through<RIEMANN, VISCOUS>(g, p, b, across, at, c, right, down, low);
  }
  for (int plane = 0; plane < length; plane++, at += s0) {
    if (mine && plane + 1 < length) fetch_ahead(g, p, at, s0);
    const place over = {c.i, c.j + (across == 1), c.k + (across == 2)};
    pi.at = pr.at = at;
    if (mine) {
      triad_real beyond[FIELDS], down[FIELDS], next[FIELDS];
      read_at(p.q, at + 2 * s0, beyond);
      reach<LIMITER>(g, here, above, beyond, down, next);
      through<RIEMANN, VISCOUS>(g, p, b, across, at + s0, over, up, down, out);
#pragma unroll
      for (int m = 0; m < FIELDS; m++) {
        rest[m] = out[m] - low[m];
        low[m] = out[m];
        up[m] = next[m];
        here[m] = above[m];
        above[m] = beyond[m];
      }
    }
    give_states<LIMITER>(g, p, pi, d.left[0], right);
    __syncthreads();
    give_flux<RIEMANN, VISCOUS>(g, p, b, pi, c, d.left[0], right, d.flux[0], out);
    if (mine && pi.there) {
#pragma unroll
      for (int m = 0; m < FIELDS; m++) rest[m] -= out[m];
    }
    give_states<LIMITER>(g, p, pr, d.left[1], right);
    __syncthreads();
    if (mine && pi.there) {
#pragma unroll
      for (int m = 0; m < FIELDS; m++) rest[m] += d.flux[0][m][pi.upper];
    }
    give_flux<RIEMANN, VISCOUS>(g, p, b, pr, c, d.left[1], right, d.flux[1], out);
    __syncthreads();
    if (mine) {
      if (pr.there) {
#pragma unroll
        for (int m = 0; m < FIELDS; m++) rest[m] += d.flux[1][m][pr.upper] - out[m];
      }
      change<FIRST>(g, p, b, at, rest, sums, &most);
    }
    c = over;
  }
  if (FIRST) leave_sums<FIELDS, 0>(g, sums, TRIAD_MB_GPU_SQUARES, p.first);
  if (p.look) leave_sums<1, 1>(g, &most, TRIAD_MB_GPU_RATE, p.first);
}

/* ---- which of them ---- */

template <int RIEMANN, int LIMITER> static void launch(const mesh *g, const job *p, void *stream)
{
  const dim3 blocks((unsigned)p->n), threads(THREADS);
  if (g->viscosity) {
    if (p->squares) TRIAD_LAUNCH(blocks, threads, stream, sweep<RIEMANN, LIMITER, 1, 1>)(*g, *p);
    else TRIAD_LAUNCH(blocks, threads, stream, sweep<RIEMANN, LIMITER, 1, 0>)(*g, *p);
  } else if (p->squares) TRIAD_LAUNCH(blocks, threads, stream, sweep<RIEMANN, LIMITER, 0, 1>)(*g, *p);
  else TRIAD_LAUNCH(blocks, threads, stream, sweep<RIEMANN, LIMITER, 0, 0>)(*g, *p);
}

template <int RIEMANN> static void launch_of(const mesh *g, const job *p, void *stream)
{
  if (g->limiter == TRIAD_MB_LIMIT_VAN_ALBADA) launch<RIEMANN, TRIAD_MB_LIMIT_VAN_ALBADA>(g, p, stream);
  else launch<RIEMANN, ANY_LIMITER>(g, p, stream);
}

extern "C" int triad_mb_gpu_sweep(const mesh *g, const job *p, void *stream)
{
  if (p->n == 0) return TRIAD_OK;
  switch (g->riemann) {
  case TRIAD_MB_VAN_LEER: launch_of<TRIAD_MB_VAN_LEER>(g, p, stream); break;
  case TRIAD_MB_STEGER_WARMING: launch_of<TRIAD_MB_STEGER_WARMING>(g, p, stream); break;
  case TRIAD_MB_AUSM: launch_of<TRIAD_MB_AUSM>(g, p, stream); break;
  default: launch_of<TRIAD_MB_ROE>(g, p, stream);
  }
  return launched("a stage on blocks");
}
