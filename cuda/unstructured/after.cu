/* Flux-corrected transport on a GPU, after a step: sponges, means in time, sums and extremes for the series
 * (solvers/unstructured/gpu/gpu_unstructured.h). */
#include "parallel/device_twice.h"
#include "solvers/unstructured/gpu/device_found.h"

static __device__ __forceinline__ int64_t item(void) { return blockIdx.x * (int64_t)THREADS + threadIdx.x; }

/* ---- sponges ---- */

/* Some blocks a patch, whose threads go through its cells always in the same order; then a block a patch adds their
 * sums to what has left through it. */
static __global__ void __launch_bounds__(THREADS)
  draw(const triad_unstructured_view v, const triad_unstructured_gpu_sponge sponge, const triad_unstructured_rule *rule,
       triad_real dt)
{
  const int patch = (int)blockIdx.x / sponge.shares, share = (int)blockIdx.x % sponge.shares,
            step = sponge.shares * THREADS;
  double taken[TRIAD_UNSTRUCTURED_FIELDS] = {0, 0, 0, 0, 0};
  triad_real far[TRIAD_UNSTRUCTURED_FIELDS];
  triad_gas_values_conserved(&v.gas, rule[patch].given, far);
  for (int64_t i = sponge.begin[patch] + share * THREADS + threadIdx.x; i < sponge.begin[patch + 1]; i += step)
    triad_unstructured_draw(&v, sponge.cell[i], dt * sponge.rate[i], far, taken);
  of_block<TRIAD_UNSTRUCTURED_FIELDS, 0>(taken);
  if (threadIdx.x == 0)
    for (int k = 0; k < TRIAD_UNSTRUCTURED_FIELDS; k++)
      sponge.sums[(int64_t)blockIdx.x * TRIAD_UNSTRUCTURED_FIELDS + k] = taken[k];
}

static __global__ void __launch_bounds__(THREADS)
  taken_in_all(const triad_unstructured_gpu_sponge sponge, triad_unstructured_gpu_found *found)
{
  const int share = (int)threadIdx.x;
  double sum[TRIAD_UNSTRUCTURED_FIELDS];
  for (int k = 0; k < TRIAD_UNSTRUCTURED_FIELDS; k++)
    sum[k] = share < sponge.shares
               ? sponge.sums[((int64_t)blockIdx.x * sponge.shares + share) * TRIAD_UNSTRUCTURED_FIELDS + k]
               : 0;
  of_block<TRIAD_UNSTRUCTURED_FIELDS, 0>(sum);
  if (threadIdx.x == 0)
    for (int k = 0; k < TRIAD_UNSTRUCTURED_FIELDS; k++) found->passed[blockIdx.x][k] += sum[k];
}

extern "C" int triad_unstructured_gpu_draw(const triad_unstructured_view *v,
                                           const triad_unstructured_gpu_sponge *sponge,
                                           const triad_unstructured_rule *rule, double dt,
                                           triad_unstructured_gpu_found *found, void *stream)
{
  const unsigned patches = (unsigned)sponge->n_patches;
  TRIAD_LAUNCH(dim3(patches * (unsigned)sponge->shares), dim3(THREADS), stream, draw)
  (*v, *sponge, rule, (triad_real)dt);
  TRIAD_LAUNCH(dim3(patches), dim3(THREADS), stream, taken_in_all)(*sponge, found);
  return launched("sponges");
}

/* ---- means in time ---- */

static __global__ void __launch_bounds__(THREADS)
  add_mean(const triad_unstructured_view v, const triad_unstructured_numbers mean, triad_real w)
{
  if (item() < v.n_cells) triad_unstructured_add_mean(&v, &mean, item(), w);
}

extern "C" int triad_unstructured_gpu_mean(const triad_unstructured_view *v, const triad_unstructured_numbers *mean,
                                           double w, void *stream)
{
  if (v->n_cells == 0) return TRIAD_OK;
  TRIAD_LAUNCH(dim3(blocks_for(v->n_cells, THREADS)), dim3(THREADS), stream, add_mean)(*v, *mean, (triad_real)w);
  return launched("means");
}

/* ---- the series ---- */

static __global__ void __launch_bounds__(THREADS)
  look_over(const triad_unstructured_view v, triad_unstructured_gpu_row *rows)
{
  triad_twice sum[TRIAD_UNSTRUCTURED_SUMS];
  double most[TRIAD_UNSTRUCTURED_MAX], terms[TRIAD_UNSTRUCTURED_SUMS];
  for (int k = 0; k < TRIAD_UNSTRUCTURED_SUMS; k++) sum[k].sum = sum[k].rest = 0;
  for (int i = 0; i < TRIAD_UNSTRUCTURED_MAX; i++) most[i] = -INFINITY;
  for (int64_t c = item(); c < v.n_cells; c += gridDim.x * (int64_t)THREADS) {
    triad_unstructured_terms(&v, c, terms, most);
    for (int k = 0; k < TRIAD_UNSTRUCTURED_SUMS; k++) sum[k] = triad_twice_add(sum[k], terms[k], 0);
  }
  for (int k = 0; k < TRIAD_UNSTRUCTURED_SUMS; k++) {
    sum[k] = triad_twice_of_block(sum[k], (int)threadIdx.x, THREADS);
    if (threadIdx.x == 0) {
      rows[blockIdx.x].sum[k] = sum[k].sum;
      rows[blockIdx.x].rest[k] = sum[k].rest;
    }
  }
  of_block<0, TRIAD_UNSTRUCTURED_MAX>(most);
  if (threadIdx.x == 0)
    for (int i = 0; i < TRIAD_UNSTRUCTURED_MAX; i++) rows[blockIdx.x].most[i] = most[i];
}

extern "C" int triad_unstructured_gpu_look_over(const triad_unstructured_view *v, int blocks,
                                                triad_unstructured_gpu_row *rows, void *stream)
{
  TRIAD_LAUNCH(dim3((unsigned)blocks), dim3(THREADS), stream, look_over)(*v, rows);
  return launched("the series");
}
