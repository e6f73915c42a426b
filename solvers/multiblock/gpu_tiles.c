/* How blocks are cut into tiles for the kernels of a stage. */
#include "solvers/multiblock/gpu_own.h"

#include <stdlib.h>

/* What a plane of a tile costs a block of threads: operations of a cell, and of the threads at its edges; blocks of threads
 * that a GPU has at work at once, those of an H100 or H200; what the first plane costs more, in planes. */
enum { WARP = 32, OF_CELL = 710, OF_EDGE = 290, AT_ONCE = 264, LONGEST = 64 };
static const double start = 0.4;

typedef struct shape {
  int axis, across;   /* the row axis, and that along which tiles go */
  int width, rows;    /* at most */
} shape;

static int64_t parts_of(int64_t n, int64_t each) { return (n + each - 1) / each; }

static int warps(int threads) { return (threads + WARP - 1) / WARP; }

/* Of all shapes whose threads there are, that with the least to do. */
static shape shape_of(const triad_zone_part *p, int flat)
{
  shape best = {.axis = flat == 2 ? 2 : 1, .across = flat == 2 ? 1 : 2, .width = 1, .rows = 1};
  const int has_rows = flat != best.axis;
  double least = 0;
  for (int w = 1; w <= TRIAD_MB_GPU_CELLS && w <= p->n[0]; w++)
    for (int h = 1; h <= TRIAD_MB_GPU_CELLS / w && h <= p->n[best.axis]; h++) {
      const int edges = h + (has_rows ? w : 0);
      if (edges > TRIAD_MB_GPU_EDGES) continue;
      double cost = (double)(parts_of(p->n[0], w) * parts_of(p->n[best.axis], h)) *
                    (warps(w * h) * OF_CELL + warps(edges) * OF_EDGE);
      if (least > 0 && cost >= least) continue;
      least = cost;
      best.width = w;
      best.rows = h;
    }
  return best;
}

static int64_t tiles_of(const triad_zone_part *p, const shape *s, int64_t length)
{
  return parts_of(p->n[0], s->width) * parts_of(p->n[s->axis], s->rows) * parts_of(p->n[s->across], length);
}

/* So long that few first planes are to be made, so short that all blocks of threads end at about the same time. */
static int64_t length_of(const triad_mb_flow *f, const shape *s)
{
  int64_t best = 1;
  double least = 0;
  for (int64_t length = 1; length <= LONGEST; length++) {
    int64_t all = 0;
    for (int i = 0; i < f->n_parts; i++) all += tiles_of(f->part[i], &s[i], length);
    double cost = (double)parts_of(all, AT_ONCE) * ((double)length + start);
    if (length > 1 && cost > least) continue;
    least = cost;
    best = length;
  }
  return best;
}

/* Does a cell of a tile, or one within two of it, wait for a message? */
static int waits(const triad_mb_flow *f, const triad_mb_gpu_tile *t, const shape *s)
{
  const triad_zone_part *p = f->part[t->block];
  const int64_t n[3] = {t->width, s->axis == 1 ? t->rows : t->length, s->axis == 2 ? t->rows : t->length};
  int64_t low[3], high[3];
  if (!f->late) return 0;
  for (int a = 0; a < 3; a++) {
    low[a] = t->low[a] - p->halo[a];
    high[a] = t->low[a] + n[a] + p->halo[a];
  }
  for (int64_t k = low[2]; k < high[2]; k++)
    for (int64_t j = low[1]; j < high[1]; j++)
      for (int64_t i = low[0]; i < high[0]; i++)
        if (f->late[p->origin + i + j * p->stride[1] + k * p->stride[2]]) return 1;
  return 0;
}

/* The tiles of part i from place n of the list on; with wait >= 0 those alone that wait so. */
static int64_t put_tiles(const triad_mb_flow *f, int i, const shape *s, int64_t length, int wait, triad_mb_gpu_tile *list,
                         int64_t n)
{
  const triad_zone_part *p = f->part[i];
  const int64_t by[3] = {parts_of(p->n[0], s->width), parts_of(p->n[s->axis], s->rows), parts_of(p->n[s->across], length)};
  const int axes[3] = {0, s->axis, s->across};
  for (int64_t t = 0; t < by[0] * by[1] * by[2]; t++) {
    const int64_t place[3] = {t % by[0], t / by[0] % by[1], t / by[0] / by[1]};
    int low[3], size[3];
    for (int a = 0; a < 3; a++) {
      const int64_t all = p->n[axes[a]];
      low[axes[a]] = (int)(all * place[a] / by[a]);
      size[a] = (int)(all * (place[a] + 1) / by[a]) - low[axes[a]];
    }
    triad_mb_gpu_tile tile = {.block = i, .low = {low[0], low[1], low[2]}, .width = size[0], .rows = size[1], .length = size[2]};
    if (waits(f, &tile, s) == wait) list[n++] = tile;
  }
  return n;
}

static int put_blocks(triad_mb_flow *f)
{
  struct triad_mb_on_gpu *g = f->gpu;
  int64_t faces = 0;
  triad_mb_gpu_block *blocks = calloc((size_t)f->n_parts + 1, sizeof *blocks);
  if (!blocks) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%d blocks", f->n_parts);
  for (int side = 0; side < 6 * f->n_parts; side++) {
    const triad_zone_part *p = f->part[side / 6];
    const int axis = side % 6 / 2;
    faces += f->map[side] ? p->n[axis == 0 ? 1 : 0] * p->n[axis == 2 ? 1 : 2] : 0;
  }
  int st = triad_device_alloc(g->device, "boundary faces", faces + 1, sizeof *g->maps, (void **)&g->maps);
  int32_t *next = g->maps;
  for (int i = 0; i < f->n_parts && st == TRIAD_OK; i++) {
    const triad_zone_part *p = f->part[i];
    triad_mb_gpu_block *b = &blocks[i];
    b->origin = (int)p->origin;
    b->flat = f->zones->zone[p->zone].flat;
    for (int a = 0; a < 3; a++) {
      b->n[a] = (int)p->n[a];
      b->stride[a] = (int)p->stride[a];
    }
    for (int side = 0; side < 6 && st == TRIAD_OK; side++) {
      const int axis = side / 2;
      const int64_t here = p->n[axis == 0 ? 1 : 0] * p->n[axis == 2 ? 1 : 2];
      if (!f->map[6 * i + side]) continue;
      st = triad_device_put(g->device, next, f->map[6 * i + side], here * (int64_t)sizeof *next);
      b->map[side] = next;
      next += here;
    }
  }
  if (st == TRIAD_OK)
    st = triad_device_table(g->device, "blocks", f->n_parts + 1, sizeof *blocks, blocks, (void **)&g->block);
  free(blocks);
  return st;
}

int triad_mb_gpu_tiles(triad_mb_flow *f)
{
  struct triad_mb_on_gpu *g = f->gpu;
  shape *s = calloc((size_t)f->n_parts + 1, sizeof *s);
  triad_mb_gpu_tile *list = NULL;
  int64_t n = 0, all = 0, length = 0;
  int st = s ? put_blocks(f) : TRIAD_FAIL(TRIAD_ERR_MEMORY, "tiles");
  if (st == TRIAD_OK) {
    for (int i = 0; i < f->n_parts; i++) s[i] = shape_of(f->part[i], f->zones->zone[f->part[i]->zone].flat);
    length = length_of(f, s);
    for (int i = 0; i < f->n_parts; i++) all += tiles_of(f->part[i], &s[i], length);
    list = calloc((size_t)all + 1, sizeof *list);
    if (!list) st = TRIAD_FAIL(TRIAD_ERR_MEMORY, "%lld tiles", (long long)all);
  }
  for (int wait = 0; wait < 2 && st == TRIAD_OK; wait++) {
    for (int i = 0; i < f->n_parts; i++) n = put_tiles(f, i, &s[i], length, wait, list, n);
    if (wait == 0) g->n_inner = (int)n;
  }
  if (st == TRIAD_OK) st = triad_device_table(g->device, "tiles", n + 1, sizeof *list, list, (void **)&g->tile);
  g->kernel.n_tiles = (int)n;
  g->kernel.block = g->block;
  g->kernel.tile = g->tile;
  free(list);
  free(s);
  return st;
}
