/* Values at points on a GPU: its memory, and cuFFT's plans. */
#include "fft/at_points/gpu_at_points_internal.h"
#include "fft/at_points/at_points_fine.h"
#include "fft/at_points/gpu_at_points_run.h"

#include "parallel/comm.h"

#include <stdlib.h>

enum { W = TRIAD_KERNEL_WIDTH, TILE = TRIAD_AT_TILE };

/* Numbers that cuFFT is asked for at once: it counts in 32 bits. */
static const int64_t most_at_once = (int64_t)1 << 30;

/* *out: an address. */
static int allocate_device(triad_gpu_at_points *g, int64_t count, size_t size, void *out)
{
  void **pointer = &g->held[g->n_held];
  if (g->n_held == TRIAD_GPU_AT_HELD)
    return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "values at points: more than %d arrays", TRIAD_GPU_AT_HELD);
  TRIAD_TRY(triad_device_alloc(g->device, "values at points", count, size, pointer));
  g->n_held++;
  *(void **)out = *pointer;
  return TRIAD_OK;
}

static int table(triad_gpu_at_points *g, int64_t count, size_t size, const void *host, void *out)
{
  TRIAD_TRY(allocate_device(g, count, size, out));
  return triad_device_put(g->device, g->held[g->n_held - 1], host, count * (int64_t)size);
}

static int make_shape(triad_gpu_at_points *g, const triad_layout *l, const triad_at_fine *f)
{
  triad_gpu_at *a = &g->shape;
  const int64_t *k = l->grid.kmax;
  for (int i = 0; i < 3; i++) TRIAD_TRY(triad_narrow(f->n[i], &a->n[i]));
  a->kx_count = (int)k[0] + 1;
  a->ky_count = 2 * (int)k[1] + 1;
  a->nkz = (int)l->nkz;
  a->columns = l->all_columns;
  TRIAD_TRY(table(g, l->all_columns, sizeof *a->kx, l->kx, &a->kx));
  TRIAD_TRY(table(g, l->all_columns, sizeof *a->ky, l->ky, &a->ky));
  TRIAD_TRY(table(g, l->all_columns, sizeof *a->self, l->self, &a->self));
  TRIAD_TRY(table(g, l->all_columns, sizeof *a->wx, l->wx, &a->wx));
  TRIAD_TRY(table(g, l->all_columns, sizeof *a->wy, l->wy, &a->wy));
  TRIAD_TRY(table(g, l->nkz, sizeof *a->kz, l->kz, &a->kz));
  TRIAD_TRY(table(g, l->nkz, sizeof *a->wz, l->wz, &a->wz));
  for (int i = 0; i < 3; i++) TRIAD_TRY(table(g, k[i] + 1, sizeof *a->undo[i], f->undo[i], &a->undo[i]));
  return table(g, 1, sizeof *a->kernel, &f->kernel, &a->kernel);
}

/* ---- cuFFT's plans, which share a work area ---- */

static int begin_plan(triad_gpu_at_points *g, int which, cufftHandle *plan)
{
  TRIAD_TRY(TRIAD_CUFFT(cufftCreate(plan)));
  g->planned[which] = 1;
  TRIAD_TRY(TRIAD_CUFFT(cufftSetAutoAllocation(*plan, 0)));
  return TRIAD_CUFFT(cufftSetStream(*plan, (cudaStream_t)triad_device_stream(g->device)));
}

static void end_plan(triad_gpu_at_points *g, int which, cufftHandle *plan)
{
  if (g->planned[which]) (void)cufftDestroy(*plan);
  g->planned[which] = 0;
}

/* Lines, which are padded to whole batches. */
static int plan_lines(triad_gpu_at_points *g, int64_t lines, size_t *bytes)
{
  int n = g->shape.n[2], batch = 0;
  g->batch = lines < most_at_once / n ? lines : most_at_once / n;
  g->batches = (lines + g->batch - 1) / g->batch;
  TRIAD_TRY(triad_narrow(g->batch, &batch));
  TRIAD_TRY(begin_plan(g, 0, &g->along_z));
  return TRIAD_CUFFT(cufftMakePlanMany(g->along_z, 1, &n, &n, 1, n, &n, 1, n, CUFFT_Z2Z, batch, bytes));
}

static int64_t reals_of_plane(const triad_gpu_at *a) { return 2 * (a->n[0] / 2 + 1) * (int64_t)a->n[1]; }

/* In place: rows of n + 2 real numbers. */
static int plan_planes(triad_gpu_at_points *g, int planes, size_t *bytes)
{
  const triad_gpu_at *a = &g->shape;
  int pitch = a->n[0] / 2 + 1, n[2] = {a->n[1], a->n[0]}, modes[2] = {a->n[1], pitch}, points[2] = {a->n[1], 2 * pitch};
  int between = a->n[1] * pitch;
  end_plan(g, 1, &g->of_planes);
  TRIAD_TRY(begin_plan(g, 1, &g->of_planes));
  return TRIAD_CUFFT(
    cufftMakePlanMany(g->of_planes, 2, n, modes, 1, between, points, 1, 2 * between, CUFFT_Z2D, planes, bytes));
}

/* ---- pieces ---- */

/* Planes that points of so many tiles see; all there are, if that is no more. */
static int64_t planes_of(const triad_gpu_at_points *g, int64_t tiles)
{
  const int64_t planes = tiles * TILE + W - 1;
  return planes < g->shape.n[2] ? planes : g->shape.n[2];
}

/* Find the largest number of tiles whose planes, with cuFFT's work area, fit in the remaining memory. */
static int plan_pieces(triad_gpu_at_points *g, const triad_at_fine *f, int64_t room, size_t area)
{
  const int64_t plane = reals_of_plane(&g->shape), most = most_at_once / plane;
  int64_t tiles = f->tiles[2];
  if (planes_of(g, 1) > most)
    return TRIAD_FAIL(TRIAD_ERR_FEATURE,
                      "values at points: planes of %d x %d are too large for the GPU transform: use the CPU",
                      g->shape.n[1], g->shape.n[0]);
  if (planes_of(g, tiles) > most) tiles = (most - (W - 1)) / TILE;
  for (;; tiles--) {
    size_t bytes = 0;
    const int64_t planes = planes_of(g, tiles), needed = planes * plane * (int64_t)sizeof(double);
    if (needed > room && tiles > 1) continue; /* without asking cuFFT */
    TRIAD_TRY(plan_planes(g, (int)planes, &bytes));
    if (bytes < area) bytes = area;
    if (needed + (int64_t)bytes <= room) {
      g->tiles = tiles;
      g->planes.count = (int)planes;
      TRIAD_TRY(allocate_device(g, planes * plane, sizeof *g->planes.grid, &g->planes.grid));
      return allocate_device(g, (int64_t)bytes, 1, &g->area);
    }
    if (tiles == 1)
      return TRIAD_FAIL_PLAIN(TRIAD_ERR_MEMORY,
                              "GPU memory: values at points on a grid of %d x %d x %d require %.3g GB for %d planes, "
                              "but %.3g GB are free in addition to its lines",
                              g->shape.n[0], g->shape.n[1], g->shape.n[2], 1e-9 * (double)(needed + (int64_t)bytes),
                              (int)planes, 1e-9 * (double)room);
    if (tiles > 16) tiles -= tiles / 8; /* plans take time */
  }
}

/* Memory that may still be allocated; a little is left for the driver and cuFFT. */
static int room_of(const triad_gpu_at_points *g, int64_t limit, int64_t used, int64_t *room)
{
  const int64_t kept = (int64_t)128 << 20;
  int64_t available = 0, total = 0;
  TRIAD_TRY(triad_device_memory(g->device, &available, &total));
  *room = available - kept;
  if (limit > 0 && limit - used < *room) *room = limit - used;
  return TRIAD_OK;
}

static int create_buffers(triad_gpu_at_points *g, triad_at_points *at)
{
  const triad_at_fine *f = at->fine;
  const int64_t lines = (int64_t)(at->layout->grid.kmax[0] + 1) * (2 * at->layout->grid.kmax[1] + 1),
                modes = at->layout->all_columns * at->layout->nkz;
  const int64_t numbers = triad_at_numbers(at->order), n = at->n;
  size_t area = 0;
  int64_t room;
  TRIAD_TRY(make_shape(g, at->layout, f));
  TRIAD_TRY(plan_lines(g, lines, &area));
  const int64_t padded = g->batch * g->batches * f->n[2];
  TRIAD_TRY(allocate_device(g, 2 * modes, sizeof *g->modes, &g->modes));
  TRIAD_TRY(allocate_device(g, 2 * padded, sizeof *g->lines, &g->lines));
  TRIAD_TRY(allocate_device(g, 3 * n, sizeof *g->place, &g->place));
  TRIAD_TRY(allocate_device(g, n, sizeof *g->order, &g->order));
  TRIAD_TRY(allocate_device(g, numbers * n, sizeof *g->values, &g->values));
  TRIAD_TRY(room_of(g, at->options.device_bytes, 8 * (2 * modes + 2 * padded + (4 + numbers) * n), &room));
  TRIAD_TRY(plan_pieces(g, f, room, area));
  at->about.pieces = (int)((f->tiles[2] + g->tiles - 1) / g->tiles);
  TRIAD_TRY(TRIAD_CUFFT(cufftSetWorkArea(g->along_z, g->area)));
  return TRIAD_CUFFT(cufftSetWorkArea(g->of_planes, g->area));
}

static int create(triad_gpu_at_points **out, triad_at_points *at)
{
  triad_gpu_at_points *g = *out = calloc(1, sizeof *g);
  if (!g) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "values at points");
  g->device = at->options.device;
  TRIAD_TRY(create_buffers(g, at));
  return triad_device_wait(g->device);
}

static void destroy(triad_gpu_at_points **gpu)
{
  triad_gpu_at_points *g = *gpu;
  if (!g) return;
  end_plan(g, 0, &g->along_z);
  end_plan(g, 1, &g->of_planes);
  for (int i = 0; i < g->n_held; i++) triad_device_free(g->device, &g->held[i]);
  free(g);
  *gpu = NULL;
}

const triad_gpu_at_part triad_gpu_at_table = {create, destroy, triad_gpu_at_points_place, triad_gpu_at_points_run};
