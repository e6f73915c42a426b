/* The pressure by transforms: modes over their eigenvalues, and lines of modes by elimination
 * (solvers/staggered/gpu/gpu_staggered.h). */
#include "solvers/staggered/gpu/gpu_staggered.h"

#include "parallel/device_launch.h"

/* ---- modes ---- */

enum { MODES = 256 };

static __global__ void __launch_bounds__(MODES) divide(triad_staggered_gpu_modes m)
{
  const int x = (int)(blockIdx.x * blockDim.x + threadIdx.x), y = (int)blockIdx.y, z = (int)blockIdx.z;
  if (x >= m.n[0]) return;
  const double value = m.value[0][x] + m.value[1][y] + m.value[2][z];
  const triad_real part = value > 0 ? (triad_real)(m.scale / value) : 0;
  triad_cplx *mode = m.mode + ((int64_t)z * m.n[1] + y) * m.n[0] + x;
  mode->re *= part;
  mode->im *= part;
}

extern "C" int triad_staggered_gpu_divide(const triad_staggered_gpu_modes *m, void *stream)
{
  const dim3 blocks(blocks_for(m->n[0], MODES), (unsigned)m->n[1], (unsigned)m->n[2]), threads(MODES);
  TRIAD_LAUNCH(blocks, threads, stream, divide)(*m);
  return launched("modes over their eigenvalues");
}

/* ---- lines of modes ---- */

enum { COLUMNS = 64 };

/* By Thomas's algorithm, a thread each; of numbers with so many parts. */
template <int PARTS> static __global__ void __launch_bounds__(COLUMNS) eliminate(const triad_staggered_gpu_lines t)
{
  const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x), j = (int)blockIdx.y;
  if (i >= t.columns[0]) return;
  const double value = t.value[0][i] + t.value[1][j];
  const int64_t first = i * t.column + j * t.row;
  triad_real *mode = (triad_real *)t.mode;
  double now[PARTS], mean[PARTS], above = 0;
  for (int p = 0; p < PARTS; p++) now[p] = mean[p] = 0;
  for (int l = 0; l < t.n; l++) {
    const int64_t at = first + l * t.step;
    const double lower = l > 0 ? t.area * (double)t.per_d[l] : 0;
    const double upper = l < t.n - 1 ? t.area * (double)t.per_d[l + 1] : 0;
    const double diagonal = lower + upper + t.area * (double)t.h[l] * value - lower * above;
    /* constants are in the null space of the mean's matrix: the last value is as good as any */
    const double part = value > 0 || l < t.n - 1 ? 1 / diagonal : 0;
    above = upper * part;
    for (int p = 0; p < PARTS; p++) {
      now[p] = (t.scale * (double)mode[at * PARTS + p] + lower * now[p]) * part;
      mode[at * PARTS + p] = (triad_real)now[p];
    }
    t.upper[at] = (triad_real)above;
  }
  for (int l = t.n - 2; l >= 0; l--) {
    const int64_t at = first + l * t.step;
    for (int p = 0; p < PARTS; p++) {
      mean[p] += now[p];
      now[p] = (double)mode[at * PARTS + p] + (double)t.upper[at] * now[p];
      mode[at * PARTS + p] = (triad_real)now[p];
    }
  }
  if (value > 0) return;
  for (int p = 0; p < PARTS; p++) mean[p] = (mean[p] + now[p]) / t.n;
  for (int l = 0; l < t.n; l++)
    for (int p = 0; p < PARTS; p++) mode[(first + l * t.step) * PARTS + p] -= (triad_real)mean[p];
}

extern "C" int triad_staggered_gpu_eliminate(const triad_staggered_gpu_lines *t, void *stream)
{
  const dim3 blocks(blocks_for(t->columns[0], COLUMNS), (unsigned)t->columns[1]), threads(COLUMNS);
  if (t->real) TRIAD_LAUNCH(blocks, threads, stream, eliminate<1>)(*t);
  else TRIAD_LAUNCH(blocks, threads, stream, eliminate<2>)(*t);
  return launched("lines of modes");
}
