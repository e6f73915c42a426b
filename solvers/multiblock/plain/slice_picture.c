/* Paint the cells of a layer as a picture: choose the view, fill each cell with the colour of its value, and write a
 * PNG file. */
#include "solvers/multiblock/plain/slice_picture.h"

#include "store/formats/slicefile.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is seen: axes to the right and up, from where to where, in pixels. */
typedef struct view {
  int right, up;
  double low[2], high[2], per_pixel;
  int64_t size[2];
} view;

static void tangents_of(const triad_multiblock_picture *p, int zone, int64_t n[2])
{
  int t[2];
  triad_blocks_tangents(p->slice->axis, t);
  for (int i = 0; i < 2; i++) n[i] = p->flow->grid->cells[zone][t[i]];
}

static view choose_view(const triad_multiblock_picture *p)
{
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, window[4];
  int least = 2;
  view v;
  for (int64_t k = 0; k < p->corners; k++)
    for (int a = 0; a < 3; a++) {
      low[a] = fmin(low[a], p->corner[3 * k + a]);
      high[a] = fmax(high[a], p->corner[3 * k + a]);
    }
  for (int a = 1; a >= 0; a--)
    if (high[a] - low[a] < high[least] - low[least]) least = a;
  v.right = least == 0 ? 1 : 0;
  v.up = least == 2 ? 1 : 2;
  triad_case_reals(p->flow->given, "output.window", window, 4);
  const int whole = !(window[1] > window[0]);
  for (int i = 0; i < 2; i++) {
    const int a = i ? v.up : v.right;
    v.low[i] = whole ? low[a] : window[2 * i];
    v.high[i] = whole ? high[a] : window[2 * i + 1];
  }
  v.per_pixel = fmax(v.high[0] - v.low[0], v.high[1] - v.low[1]) / TRIAD_MULTIBLOCK_PIXELS;
  for (int i = 0; i < 2; i++) v.size[i] = (int64_t)fmax(16, ceil((v.high[i] - v.low[i]) / v.per_pixel - 1e-9));
  return v;
}

/* Twice the area of a, b and a point, positive where it lies to the left of the way from a to b. */
static double side_of(const double a[2], const double b[2], double x, double y)
{
  return (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]);
}

static int is_inside(const double a[2], const double b[2], const double c[2], double x, double y)
{
  const double s = side_of(a, b, x, y), t = side_of(b, c, x, y), u = side_of(c, a, x, y);
  return (s >= 0 && t >= 0 && u >= 0) || (s <= 0 && t <= 0 && u <= 0);
}

/* The pixels whose middles are in a cell of corners q, in pixels, that go round it. */
static void paint_cell(const view *v, unsigned char *pixels, double q[4][2], unsigned char colour)
{
  int64_t from[2], to[2];
  for (int i = 0; i < 2; i++) {
    double low = fmin(fmin(q[0][i], q[1][i]), fmin(q[2][i], q[3][i])),
           high = fmax(fmax(q[0][i], q[1][i]), fmax(q[2][i], q[3][i]));
    if (!(low <= (double)v->size[i]) || !(high >= 0)) return;
    from[i] = (int64_t)fmax(0, floor(low));
    to[i] = (int64_t)fmin((double)v->size[i] - 1, floor(high));
  }
  for (int64_t y = from[1]; y <= to[1]; y++)
    for (int64_t x = from[0]; x <= to[0]; x++) {
      const double px = (double)x + 0.5, py = (double)y + 0.5;
      if (is_inside(q[0], q[1], q[2], px, py) || is_inside(q[0], q[2], q[3], px, py))
        pixels[(v->size[1] - 1 - y) * v->size[0] + x] = colour;
    }
}

static void paint(const triad_multiblock_picture *p, const view *v, const double range[2], unsigned char *pixels)
{
  static const int round[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  const double *value = p->values, *corner = p->corner;
  for (int i = 0; i < p->n_zones; i++) {
    int64_t n[2];
    tangents_of(p, p->zone[i], n);
    for (int64_t k = 0; k < n[0] * n[1]; k++, value++) {
      double q[4][2];
      for (int c = 0; c < 4; c++) {
        const double *x = corner + 3 * ((k / n[0] + round[c][1]) * (n[0] + 1) + k % n[0] + round[c][0]);
        q[c][0] = (x[v->right] - v->low[0]) / v->per_pixel;
        q[c][1] = (x[v->up] - v->low[1]) / v->per_pixel;
      }
      paint_cell(v, pixels, q, triad_colours_entry(*value, range[0], range[1]));
    }
    corner += 3 * (n[0] + 1) * (n[1] + 1);
  }
}

/* Values of the cells whose first corner is seen; all, where none is. Returns how many, in seen[cells]. */
static int64_t take_seen(const triad_multiblock_picture *p, const view *v, double *seen)
{
  const double *value = p->values, *corner = p->corner;
  int64_t count = 0;
  for (int i = 0; i < p->n_zones; i++) {
    int64_t n[2];
    tangents_of(p, p->zone[i], n);
    for (int64_t k = 0; k < n[0] * n[1]; k++, value++) {
      const double *x = corner + 3 * (k / n[0] * (n[0] + 1) + k % n[0]);
      const double right = x[v->right], up = x[v->up];
      if (right >= v->low[0] && right <= v->high[0] && up >= v->low[1] && up <= v->high[1]) seen[count++] = *value;
    }
    corner += 3 * (n[0] + 1) * (n[1] + 1);
  }
  if (count == 0) memcpy(seen, p->values, (size_t)p->cells * sizeof *seen);
  return count > 0 ? count : p->cells;
}

static int write_png(const triad_multiblock_picture *p, const view *v, const double range[2], triad_colours colours,
                     const unsigned char *pixels, const char *folder)
{
  const triad_slice_quantity *quantity = &p->slice->quantity[p->quantity];
  const triad_instant *at = &p->flow->at;
  unsigned char table[TRIAD_COLOUR_COUNT][3];
  char name[128], what[256], when[64], where[128], block[32] = "of all blocks", from[64];
  triad_colours_table(colours, table);
  if (p->slice->block) (void)snprintf(block, sizeof block, "of block %d", p->slice->block);
  (void)snprintf(name, sizeof name, "slice%d-%s-%08" PRId64 ".png", p->number, quantity->name, at->step);
  (void)snprintf(what, sizeof what, "%s [%s]", quantity->long_name, quantity->unit);
  (void)snprintf(when, sizeof when, "step %" PRId64 ", t = %.17g", at->step, at->t);
  (void)snprintf(where, sizeof where, "%c = %.0f %s; %c to the right, %c up", "ijk"[p->slice->axis], p -> slice -> at,
                 block, "xyz"[v->right], "xyz"[v->up]);
  (void)snprintf(from, sizeof from, "%.9g to %.9g", range[0], range[1]);
  const triad_png_text texts[] = {
    {"Title", what}, {"Time", when}, {"Plane", where}, {"Range", from}, {"Software", "Triad"}};
  const triad_png picture = {.width = v->size[0],
                             .height = v->size[1],
                             .pixels = pixels,
                             .colours = (const unsigned char(*)[3])table,
                             .n_texts = 5,
                             .texts = texts};
  return triad_png_write(folder, name, &picture);
}

int triad_multiblock_slice_picture(const triad_multiblock_picture *p, const char *folder)
{
  const view v = choose_view(p);
  const int64_t size = v.size[0] * v.size[1];
  double range[2];
  double *seen = malloc((size_t)p->cells * sizeof *seen);
  unsigned char *pixels = malloc((size_t)size);
  if (!pixels || !seen) {
    free(seen);
    free(pixels);
    return TRIAD_FAIL(TRIAD_ERR_MEMORY, "a picture of %" PRId64 " pixels", size);
  }
  const int64_t n = take_seen(p, &v, seen);
  const triad_colours colours = triad_slice_colours(&p->slice->quantity[p->quantity], n, seen, range);
  free(seen);
  memset(pixels, TRIAD_COLOUR_NONE, (size_t)size);
  paint(p, &v, range, pixels);
  int st = write_png(p, &v, range, colours, pixels, folder);
  free(pixels);
  return st;
}
