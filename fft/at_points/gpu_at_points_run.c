/* Values at points on a GPU: copy points and modes to it, launch the transforms and sums, and copy the values back. */
#include "fft/at_points/gpu_at_points_run.h"
#include "fft/at_points/gpu_at_points_internal.h"
#include "fft/at_points/at_points_fine.h"

#include "base/clock.h"

enum { W = TRIAD_KERNEL_WIDTH, TILE = TRIAD_AT_TILE };

int triad_gpu_at_points_place(triad_at_points *at)
{
  triad_gpu_at_points *g = at->gpu;
  const double begin = triad_now();
  TRIAD_TRY(triad_device_put(g->device, g->place, at->fine->place, 3 * at->n * (int64_t)sizeof *g->place));
  TRIAD_TRY(triad_device_put(g->device, g->order, at->fine->order, at->n * (int64_t)sizeof *g->order));
  at->about.copies += triad_now() - begin;
  return TRIAD_OK;
}

/* Number m of the field whose modes are on the device. */
static int transform_lines(triad_gpu_at_points *g, int m)
{
  const int64_t numbers = 2 * g->batch * g->shape.n[2];
  TRIAD_TRY(triad_device_clear(g->device, g->lines, g->batches * numbers * (int64_t)sizeof *g->lines));
  TRIAD_TRY(triad_gpu_at_lines(&g->shape, m, g->modes, g->lines, triad_device_stream(g->device)));
  for (int64_t b = 0; b < g->batches; b++) {
    cufftDoubleComplex *lines = (cufftDoubleComplex *)(g->lines + b * numbers);
    TRIAD_TRY(TRIAD_CUFFT(cufftExecZ2Z(g->along_z, lines, lines, CUFFT_INVERSE)));
  }
  return TRIAD_OK;
}

/* The planes that points of tiles from `tile` on see. */
static int transform_planes(triad_gpu_at_points *g, int64_t tile)
{
  const int nz = g->shape.n[2], first = (int)tile * TILE - (W / 2 - 1);
  g->planes.origin = g->planes.count == nz ? 0 : first < 0 ? first + nz : first;
  TRIAD_TRY(triad_gpu_at_spread(&g->shape, g->lines, &g->planes, triad_device_stream(g->device)));
  return TRIAD_CUFFT(cufftExecZ2D(g->of_planes, (cufftDoubleComplex *)(void *)g->planes.grid, g->planes.grid));
}

/* Wait for the device, add the time since *begin to *sum, and set *begin to now. */
static int lap(triad_device *device, double *begin, double *sum)
{
  TRIAD_TRY(triad_device_wait(device));
  const double now = triad_now();
  *sum += now - *begin;
  *begin = now;
  return TRIAD_OK;
}

static int run_number(triad_at_points *at, int m)
{
  triad_gpu_at_points *g = at->gpu;
  const int64_t tiles = at->fine->tiles[2];
  double begin = triad_now();
  TRIAD_TRY(transform_lines(g, m));
  for (int64_t tile = 0; tile < tiles; tile += g->tiles) {
    const int64_t first = triad_at_fine_before(at->fine, tile),
                  last = triad_at_fine_before(at->fine, tile + g->tiles < tiles ? tile + g->tiles : tiles);
    if (first == last) continue;
    TRIAD_TRY(transform_planes(g, tile));
    TRIAD_TRY(lap(g->device, &begin, &at->about.transforms));
    TRIAD_TRY(triad_gpu_at_sum(&g->shape, &g->planes, first, last - first, g->place, g->order, g->values + m * at->n,
                               triad_device_stream(g->device)));
    TRIAD_TRY(lap(g->device, &begin, &at->about.sums));
  }
  return TRIAD_OK;
}

int triad_gpu_at_points_run(triad_at_points *at, unsigned wanted, const double *modes, double *values)
{
  triad_gpu_at_points *g = at->gpu;
  const int64_t bytes = 2 * g->shape.columns * g->shape.nkz * (int64_t)sizeof *modes;
  double begin = triad_now();
  TRIAD_TRY(triad_device_put(g->device, g->modes, modes, bytes));
  TRIAD_TRY(lap(g->device, &begin, &at->about.copies));
  for (int m = 0; wanted >> m; m++)
    if (wanted >> m & 1) TRIAD_TRY(run_number(at, m));
  begin = triad_now();
  for (int m = 0; wanted >> m; m++)
    if (wanted >> m & 1)
      TRIAD_TRY(
        triad_device_get(g->device, values + m * at->n, g->values + m * at->n, at->n * (int64_t)sizeof *values));
  return lap(g->device, &begin, &at->about.copies);
}
