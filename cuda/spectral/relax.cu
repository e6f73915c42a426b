/* Bodies and sponges at the points of rows (solvers/spectral/relax/gpu_relax.h): a block for a row, whose sums it adds
 * up in a fixed order. */
#include "parallel/device_launch.h"
#include "solvers/spectral/relax/gpu_relax.h"

enum { RELAX_THREADS = 64, RELAX_SUM_THREADS = 128 };

/* The block's sum of a number of each thread, in thread 0. */
template <int N> static __device__ __forceinline__ double sum_of_block(double *room, double mine)
{
  double all = 0;
  __syncthreads();
  room[threadIdx.x] = mine;
  __syncthreads();
  if (threadIdx.x == 0)
    for (int i = 0; i < N; i++) all += room[i];
  return all;
}

static __global__ void terms_kernel(triad_gpu_relax_rows p)
{
  __shared__ double room[RELAX_THREADS];
  const int64_t row = blockIdx.x, field = p.rows * p.nx, number = p.first + row;
  for (int f = 0; f < p.n_results; f++)
    for (int64_t x = threadIdx.x; x < p.nx; x += RELAX_THREADS) p.out[f * field + row * p.nx + x] = 0;
  for (int i = 0; i < p.n_items; i++) {
    const triad_gpu_relax_item item = p.items[i];
    const triad_relax_row at = item.rows[number];
    if (at.count == 0) continue; /* its sums stay 0 */
    for (int f = item.first_field; f < item.first_field + item.n_fields; f++) {
      const triad_gpu_relax_field to = p.fields[f];
      const int64_t first = to.result * field + row * p.nx + at.begin;
      double force = 0, power = 0;
      __syncthreads(); /* other threads of the block have written here */
      for (int64_t k = threadIdx.x; k < at.count; k += RELAX_THREADS) {
        const double q = (double)p.in[first + k], target = to.target ? to.target[at.at + k] : p.number[f];
        const double term = triad_relax_term(to.factor, item.mask[at.at + k], q, target);
        p.out[first + k] -= (triad_real)term;
        force += term;
        power += q * term;
      }
      force = sum_of_block<RELAX_THREADS>(room, force);
      power = sum_of_block<RELAX_THREADS>(room, power);
      if (threadIdx.x == 0) {
        double *sums = p.partial + (number * p.n_fields + f) * TRIAD_RELAX_SUMS;
        sums[TRIAD_RELAX_FORCE] = force;
        sums[TRIAD_RELAX_POWER] = power;
      }
    }
  }
}

extern "C" int triad_gpu_relax_terms(const triad_gpu_relax_rows *p, void *stream)
{
  if (p->rows == 0) return TRIAD_OK;
  TRIAD_LAUNCH(dim3((unsigned)p->rows), dim3(RELAX_THREADS), stream, terms_kernel)(*p);
  return launched("bodies and sponges");
}

static __global__ void sum_kernel(int64_t rows, int n, const double *partial, double *sums)
{
  __shared__ double room[RELAX_SUM_THREADS];
  double mine = 0;
  for (int64_t row = threadIdx.x; row < rows; row += RELAX_SUM_THREADS) mine += partial[row * n + blockIdx.x];
  mine = sum_of_block<RELAX_SUM_THREADS>(room, mine);
  if (threadIdx.x == 0) sums[blockIdx.x] = mine;
}

extern "C" int triad_gpu_relax_sum(int64_t rows, int n, const double *partial, double *sums, void *stream)
{
  TRIAD_LAUNCH(dim3((unsigned)n), dim3(RELAX_SUM_THREADS), stream, sum_kernel)(rows, n, partial, sums);
  return launched("sums of bodies and sponges");
}
