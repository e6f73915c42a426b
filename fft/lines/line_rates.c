/* Measure the time per point of lines along x, y and z, as in a pass. */
#include "fft/lines/line_rates.h"

#include "base/clock.h"
#include "fft/lines/lines.h"
#include "transpose/columns.h"

#include <math.h>

enum { TIMES = 9, ROOM = 16 /* rows of reals may be read to the end of a cache line */ };
static const double LONG_ENOUGH = 2e-4; /* [s] of what is timed at once */

typedef struct rates {
  triad_lines *lines;
  int64_t n, stride, width;
  triad_cplx *plane, *block, *line;
  triad_real *values;
} rates;

static void along_x(const rates *r)
{
  for (int64_t y = 0; y + 1 < r->n; y += 2) {
    triad_cplx *a = r->plane + y * r->stride, *b = a + r->stride;
    triad_lines_x_backward(r->lines, a, b, r->line, r->values);
    triad_lines_x_forward(r->lines, r->values, r->line, a, b);
  }
}

static void along_y(const rates *r)
{
  triad_lines_y_backward(r->lines, r->plane);
  triad_lines_y_forward(r->lines, r->plane);
}

static void along_z(const rates *r)
{
  triad_lines_z_backward(r->lines, r->block);
  triad_lines_z_forward(r->lines, r->block);
}

/* Seconds of one call: the best of a few lots of them. */
static double best_of(void (*call)(const rates *), const rates *r)
{
  double best = INFINITY, begin = triad_now();
  call(r);
  int64_t lot = 1 + (int64_t)(LONG_ENOUGH / fmax(triad_now() - begin, 1e-9));
  for (int i = 0; i < TIMES; i++) {
    begin = triad_now();
    for (int64_t j = 0; j < lot; j++) call(r);
    best = fmin(best, (triad_now() - begin) / (double)lot);
  }
  return best;
}

/* Shapes as a pass over a grid of n points a side has them. Zeros take as long as any numbers, and stay. */
static int create_lines(rates *r, triad_context *context)
{
  const int64_t n[3] = {r->n, r->n, 1};
  const double length[3] = {1, 1, 1};
  triad_grid grid;
  triad_layout *layout = NULL;
  triad_columns *columns = NULL;
  triad_memory *m = context->memory;
  int st = triad_grid_init(&grid, n, length, TRIAD_SPHERE);
  if (st == TRIAD_OK) st = triad_layout_create(&layout, &grid, 0, 1, TRIAD_LANES);
  if (st == TRIAD_OK) st = triad_columns_create(&columns, layout);
  if (st == TRIAD_OK) {
    r->stride = triad_columns_stride(columns);
    r->width = triad_columns_width(columns);
    st = TRIAD_ALLOC(m, "line rates", r->n * r->stride, &r->plane);
  }
  if (st == TRIAD_OK) st = TRIAD_ALLOC(m, "line rates", r->n * TRIAD_LANES, &r->block);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(m, "line rates", r->n + ROOM, &r->line);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(m, "line rates", 2 * r->n + 2 * ROOM, &r->values);
  st = triad_agree(&context->comm, st);
  triad_columns_destroy(&columns);
  triad_layout_destroy(&layout);
  if (st != TRIAD_OK) return st;
  const triad_lines_shape shape = {
    .n = {r->n, r->n, r->n}, .stride = r->stride, .width = r->width, .kept = grid.kmax[0] + 1, .lanes = TRIAD_LANES};
  return triad_lines_create(&r->lines, context, &shape, TRIAD_PLAN_MEASURED, NULL);
}

int triad_line_rates(triad_context *context, int64_t n, double ns[3])
{
  rates r = {.n = n};
  triad_memory *m = context->memory;
  int st = create_lines(&r, context);
  if (st == TRIAD_OK) {
    double points = (double)n;
    ns[0] = 1e9 * best_of(along_x, &r) / (2 * (points - (double)(n % 2)) * points);
    ns[1] = 1e9 * best_of(along_y, &r) / (2 * points * (double)r.width);
    ns[2] = 1e9 * best_of(along_z, &r) / (2 * points * TRIAD_LANES);
  }
  triad_lines_destroy(&r.lines);
  TRIAD_FREE(m, &r.plane);
  TRIAD_FREE(m, &r.block);
  TRIAD_FREE(m, &r.line);
  TRIAD_FREE(m, &r.values);
  return st;
}
