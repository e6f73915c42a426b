/* Cut blocks into tiles of equal cost for the kernels of a stage; tiles that wait for messages are listed last. */
#include "solvers/multiblock/gpu/gpu_tiles.h"
#include "solvers/multiblock/gpu/gpu_internal.h"

#include <stdlib.h>

/* Warps that a GPU has at work at once, those of an H100 or H200; the longest march; what its start costs, in steps. */
enum { AT_ONCE = 132 * 16, LONGEST = 64 };
static const double start = 0.5;

/* A part's tiles of one kind: the axes of their lanes, of rows of these, and of the march, and how many lie beside
 * each other. */
typedef struct shape {
  const triad_zone_part *p;
  int block, kind, lanes, rows, along;
  int low, high;         /* places more that rows have at their ends, and lanes that tiles overlap by */
  int64_t width, beside; /* width: places of a row */
} shape;

static int64_t parts_of(int64_t n, int64_t each) { return (n + each - 1) / each; }

/* Does a block have tiles of a kind? */
static int has_tiles(triad_multiblock_gpu_kind kind, int flat)
{
  switch (kind) {
  case TRIAD_MULTIBLOCK_GPU_PLANES: return flat == 2;
  case TRIAD_MULTIBLOCK_GPU_SIDES: return flat == 0 || flat == 1;
  case TRIAD_MULTIBLOCK_GPU_ROWS:
  case TRIAD_MULTIBLOCK_GPU_COLUMNS: return flat == TRIAD_ZONE_NOT_FLAT;
  case TRIAD_MULTIBLOCK_GPU_KINDS: break; /* how many there are */
  }
  return 0;
}

static int apart_of(const shape *s) { return TRIAD_MULTIBLOCK_GPU_LANES - s->low - s->high; }

static shape shape_of(const triad_multiblock_flow *f, int block, int kind)
{
  const triad_zone_part *p = f->part[block];
  const int flat = f->zones->zone[p->zone].flat, columns = kind == TRIAD_MULTIBLOCK_GPU_COLUMNS;
  shape s = {.p = p, .block = block, .kind = kind};
  s.lanes = kind == TRIAD_MULTIBLOCK_GPU_SIDES && flat == 0;
  s.along = kind == TRIAD_MULTIBLOCK_GPU_ROWS || kind == TRIAD_MULTIBLOCK_GPU_PLANES ? 1 : 2;
  s.rows = 3 - s.lanes - s.along;
  s.low = columns ? 0 : 1;
  s.high = columns ? f->node[0] != NULL : 1;
  s.width = p->n[s.lanes] + s.low + s.high;
  if (has_tiles((triad_multiblock_gpu_kind)kind, flat))
    s.beside = parts_of(s.width * p->n[s.rows] - s.low - s.high, apart_of(&s));
  return s;
}

static int64_t tiles_of(const shape *s, int64_t length) { return s->beside * parts_of(s->p->n[s->along], length); }

static double cost_of(int64_t tiles, int64_t length)
{
  return (double)parts_of(tiles, AT_ONCE) * ((double)length + start);
}

/* So long that marches start seldom, so short that all warps end at about the same time. */
static int64_t length_of(const shape *s, int n)
{
  int64_t best = 1;
  double least = 0;
  for (int64_t length = 1; length <= LONGEST; length++) {
    int64_t all = 0;
    for (int i = 0; i < n; i++) all += tiles_of(&s[i], length);
    double cost = cost_of(all, length);
    if (length > 1 && cost > least) continue;
    least = cost;
    best = length;
  }
  return best;
}

/* The same for tiles that wait, `steps` of marches in all: few of them, as long as the others, would take as much
 * time again. */
static int64_t length_of_late(int64_t steps, int64_t length)
{
  int64_t best = length;
  for (int64_t l = length - 1; l > 0; l--)
    if (cost_of(parts_of(steps, l), l) < cost_of(parts_of(steps, best), best)) best = l;
  return best;
}

/* Does a cell of a tile, or one within two of it, wait for a message? */
static int tile_waits(const triad_multiblock_flow *f, const shape *s, const triad_multiblock_gpu_tile *t)
{
  const triad_zone_part *p = s->p;
  const int64_t last = t->from + TRIAD_MULTIBLOCK_GPU_LANES - 1, row = t->from / s->width, end = last / s->width;
  int64_t low[3], high[3];
  if (!f->late) return 0;
  low[s->lanes] = row == end ? t->from % s->width - s->low : 0;
  high[s->lanes] = row == end ? last % s->width : p->n[s->lanes] - 1;
  low[s->rows] = row;
  high[s->rows] = end < p->n[s->rows] ? end : p->n[s->rows] - 1;
  low[s->along] = t->begin;
  high[s->along] = t->begin + t->length - 1;
  for (int a = 0; a < 3; a++) {
    low[a] = (low[a] < 0 ? 0 : low[a]) - p->halo[a];
    high[a] = (high[a] < p->n[a] ? high[a] : p->n[a] - 1) + p->halo[a];
  }
  for (int64_t k = low[2]; k <= high[2]; k++)
    for (int64_t j = low[1]; j <= high[1]; j++)
      for (int64_t i = low[0]; i <= high[0]; i++)
        if (f->late[p->origin + i + j * p->stride[1] + k * p->stride[2]]) return 1;
  return 0;
}

/* The lengths of marches, of tiles that wait for no message and of those that do. */
typedef struct lengths {
  int64_t early, late;
} lengths;

/* A tile in pieces of at most `length`, from place n of the list on; NULL: they are counted. */
static int64_t put_pieces(triad_multiblock_gpu_tile tile, int64_t length, triad_multiblock_gpu_tile *list, int64_t n)
{
  const int64_t pieces = parts_of(tile.length, length);
  for (int64_t p = 0; p < pieces && list; p++) {
    const int from = (int)(tile.length * p / pieces), to = (int)(tile.length * (p + 1) / pieces);
    list[n + p] = tile;
    list[n + p].begin = tile.begin + from;
    list[n + p].length = to - from;
  }
  return n + pieces;
}

/* Tiles from place n of the list on, of those that wait (1) or do not (0); NULL: they are counted. Columns go on
 * from what rows have left, of which some may wait: they all count as waiting. */
static int64_t put_tiles(const triad_multiblock_flow *f, const shape *s, lengths length, int wait,
                         triad_multiblock_gpu_tile *list, int64_t n)
{
  const int64_t all = s->p->n[s->along], parts = parts_of(all, length.early);
  for (int64_t t = 0; t < s->beside * parts; t++) {
    const int64_t part = t / s->beside, begin = all * part / parts;
    const triad_multiblock_gpu_tile tile = {.block = s->block,
                                            .from = (int)(apart_of(s) * (t % s->beside)),
                                            .begin = (int)begin,
                                            .length = (int)(all * (part + 1) / parts - begin)};
    const int late = f->late && (s->kind == TRIAD_MULTIBLOCK_GPU_COLUMNS || tile_waits(f, s, &tile));
    if (late == wait) n = put_pieces(tile, late ? length.late : LONGEST, list, n);
  }
  return n;
}

static int64_t put_kind(const triad_multiblock_flow *f, const shape *s, lengths length, int wait,
                        triad_multiblock_gpu_tile *list, int64_t n)
{
  for (int i = 0; i < f->n_parts; i++) n = put_tiles(f, &s[i], length, wait, list, n);
  return n;
}

static int put_blocks(triad_multiblock_flow *f)
{
  struct triad_multiblock_on_gpu *g = f->gpu;
  int64_t faces = 0;
  triad_multiblock_gpu_block *blocks = calloc((size_t)f->n_parts + 1, sizeof *blocks);
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
    triad_multiblock_gpu_block *b = &blocks[i];
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

/* Shapes and lengths of all kinds; returns a number that tiles do not exceed. */
static int64_t choose_lengths(const triad_multiblock_flow *f, shape *s, lengths *length)
{
  int64_t all = 0;
  for (int kind = 0; kind < TRIAD_MULTIBLOCK_GPU_KINDS; kind++, s += f->n_parts, length++) {
    for (int i = 0; i < f->n_parts; i++) s[i] = shape_of(f, i, kind);
    length->early = length_of(s, f->n_parts);
    length->late = 1;
    const int64_t steps = put_kind(f, s, *length, 1, NULL, 0);
    length->late = length_of_late(steps, length->early);
    for (int i = 0; i < f->n_parts; i++) all += tiles_of(&s[i], length->early);
    all += steps;
  }
  return all;
}

int triad_multiblock_gpu_tiles(triad_multiblock_flow *f)
{
  struct triad_multiblock_on_gpu *g = f->gpu;
  triad_multiblock_gpu *k = &g->kernel;
  shape *s = calloc((size_t)(TRIAD_MULTIBLOCK_GPU_KINDS * f->n_parts + 1), sizeof *s);
  triad_multiblock_gpu_tile *list = NULL;
  lengths length[TRIAD_MULTIBLOCK_GPU_KINDS];
  int64_t n = 0;
  int st = s ? put_blocks(f) : TRIAD_FAIL(TRIAD_ERR_MEMORY, "tiles");
  const int64_t all = st == TRIAD_OK ? choose_lengths(f, s, length) : 0;
  if (st == TRIAD_OK) list = calloc((size_t)all + 1, sizeof *list);
  if (st == TRIAD_OK && !list) st = TRIAD_FAIL(TRIAD_ERR_MEMORY, "%lld tiles", (long long)all);
  for (int kind = 0; kind < TRIAD_MULTIBLOCK_GPU_KINDS && st == TRIAD_OK; kind++) {
    k->begin[kind] = (int)n;
    n = put_kind(f, s + kind * f->n_parts, length[kind], 0, list, n);
    k->early[kind] = (int)n - k->begin[kind];
    n = put_kind(f, s + kind * f->n_parts, length[kind], 1, list, n);
  }
  k->begin[TRIAD_MULTIBLOCK_GPU_KINDS] = (int)n;
  if (st == TRIAD_OK) st = triad_device_table(g->device, "tiles", n + 1, sizeof *list, list, (void **)&g->tile);
  k->block = g->block;
  k->tile = g->tile;
  free(list);
  free(s);
  return st;
}
