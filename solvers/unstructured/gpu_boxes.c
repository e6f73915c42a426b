/* Zones whose cells are bricks between planes x, y, z = const, for kernels that read nothing of their faces (cuda/fct_box.cu). */
#include "solvers/unstructured/gpu_own.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* The kernels are of three axes and of fluxes with gradients. */
static int are_wanted(const triad_fct_flow *f) { return f->high == TRIAD_FCT_LINEAR && !f->setup.flat; }

/* A zone, of which coordinate goes with which axis, and the planes across each axis. */
typedef struct finding {
  const triad_fct_domain *domain;
  const triad_fct_zone *zone;
  triad_fct_box *box;
  double *plane[3]; /* across coordinate c, [n[axis[c]] + 1], in the order of the zone */
  double slack[3];  /* a few roundings of places                                       */
} finding;

static int64_t mesh_cell(const finding *w, int64_t i) { return w->domain->in_mesh[w->zone->cell + i]; }

/* Each coordinate's axis is that along which cells' centres are farthest apart in it. */
static int find_axes(finding *w)
{
  const double(*centre)[3] = (const double(*)[3])w->domain->mesh->centre;
  const double *from = centre[mesh_cell(w, 0)];
  int used = 0;
  for (int c = 0; c < 3; c++) {
    double most = 0;
    for (int a = 0; a < 3; a++) {
      const double step = centre[mesh_cell(w, w->zone->stride[a])][c] - from[c];
      if (fabs(step) <= most) continue;
      most = fabs(step);
      w->box->axis[c] = a;
      w->box->sign[c] = step > 0 ? TRIAD_R(1) : TRIAD_R(-1);
    }
    used |= most > 0 ? 1 << w->box->axis[c] : 0;
  }
  return used == 7;
}

/* From the cells of a line along each axis. */
static void find_planes(finding *w)
{
  const triad_fct_mesh *m = w->domain->mesh;
  for (int c = 0; c < 3; c++) {
    const int a = w->box->axis[c];
    double far = 0;
    for (int i = 0; i < w->zone->n[a]; i++) {
      const int64_t cell = mesh_cell(w, i * w->zone->stride[a]);
      double low = INFINITY, high = -INFINITY;
      for (int64_t k = m->first[cell]; k < m->first[cell + 1]; k++) {
        low = fmin(low, m->x[m->corner[k]][c]);
        high = fmax(high, m->x[m->corner[k]][c]);
      }
      if (i == 0) w->plane[c][0] = w->box->sign[c] > 0 ? low : high;
      w->plane[c][i + 1] = w->box->sign[c] > 0 ? high : low;
      far = fmax(far, fmax(fabs(low), fabs(high)));
    }
    w->slack[c] = 4 * DBL_EPSILON * far;
  }
}

/* Corners on the planes on both sides, and a volume as these have between them. */
static int is_brick(const finding *w, int64_t i)
{
  const triad_fct_mesh *m = w->domain->mesh;
  const triad_fct_zone *z = w->zone;
  const int64_t at[3] = {i % z->n[0], i / z->n[0] % z->n[1], i / z->n[0] / z->n[1]}, cell = mesh_cell(w, i);
  double volume = 1;
  for (int c = 0; c < 3; c++) {
    const double *plane = w->plane[c] + at[w->box->axis[c]];
    volume *= fabs(plane[1] - plane[0]);
    for (int64_t k = m->first[cell]; k < m->first[cell + 1]; k++) {
      const double x = m->x[m->corner[k]][c];
      if (!(fmin(fabs(x - plane[0]), fabs(x - plane[1])) <= w->slack[c])) return 0;
    }
  }
  return fabs(m->volume[cell] - volume) <= 1e-9 * volume;
}

/* Gradients are least squares with weights 1/distance^2: along an axis the mean of the differences to both sides. Beyond
 * an outer face is the mirror image of its cell. */
static void fill_layers(const finding *w, int c, triad_real *out)
{
  const double *x = w->plane[c];
  const int n = w->zone->n[w->box->axis[c]];
  for (int i = 0; i < n; i++) {
    const double length = fabs(x[i + 1] - x[i]), below = i > 0 ? fabs(x[i + 1] - x[i - 1]) / 2 : length,
                 above = i + 1 < n ? fabs(x[i + 2] - x[i]) / 2 : length;
    triad_real *layer = out + (int64_t)i * TRIAD_FCT_BOX_NUMBERS;
    layer[TRIAD_FCT_BOX_LENGTH] = (triad_real)length;
    layer[TRIAD_FCT_BOX_PER_LENGTH] = (triad_real)(1 / length);
    layer[TRIAD_FCT_BOX_BELOW] = (triad_real)(-length / (4 * below));
    layer[TRIAD_FCT_BOX_ABOVE] = (triad_real)(length / (4 * above));
  }
}

static int64_t layers_of(const triad_fct_zone *z) { return (int64_t)z->n[0] + z->n[1] + z->n[2]; }

static int is_box(finding *w)
{
  if (!find_axes(w)) return 0;
  find_planes(w);
  int bricks = 1;
#pragma omp parallel for schedule(static) reduction(&& : bricks) num_threads(w->domain->context->threads)
  for (int64_t i = 0; i < w->zone->cells; i++) bricks = bricks && is_brick(w, i);
  return bricks;
}

/* Layers of all zones, one behind the other; `there`: the same on the GPU. */
static void find_boxes(const triad_fct_domain *d, double *planes, triad_real *layers, const triad_real *there,
                       triad_fct_box *boxes)
{
  int64_t rim = 0;
  for (int z = 0; z < d->n_zones; z++) {
    const triad_fct_zone *zone = &d->zone[z];
    finding w = {.domain = d, .zone = zone, .box = &boxes[z]};
    const int32_t *n = zone->n;
    for (int a = 0; a < 3; a++) {
      boxes[z].low[a] = 1;
      boxes[z].high[a] = n[a] - 1;
    }
    boxes[z].rim = rim;
    boxes[z].n_rim = zone->cells - (int64_t)(n[0] - 2) * (n[1] - 2) * (n[2] - 2);
    rim += boxes[z].n_rim;
    const int64_t room = layers_of(zone) + 3;
    for (int c = 0; c < 3; c++) w.plane[c] = planes + c * room;
    if (is_box(&w))
      for (int c = 0; c < 3; c++) {
        fill_layers(&w, c, layers);
        boxes[z].layer[c] = there;
        layers += (int64_t)n[boxes[z].axis[c]] * TRIAD_FCT_BOX_NUMBERS;
        there += (int64_t)n[boxes[z].axis[c]] * TRIAD_FCT_BOX_NUMBERS;
      }
  }
}

int triad_fct_gpu_boxes_make(triad_fct_flow *f)
{
  struct triad_fct_on_gpu *g = f->gpu;
  const triad_fct_domain *d = f->domain;
  triad_memory *memory = f->context->memory;
  int64_t n_layers = 0, most = 0;
  triad_real *layers = NULL;
  double *planes = NULL;
  if (!are_wanted(f) || d->n_zones == 0) return TRIAD_OK;
  for (int z = 0; z < d->n_zones; z++) {
    n_layers += layers_of(&d->zone[z]);
    if (layers_of(&d->zone[z]) > most) most = layers_of(&d->zone[z]);
  }
  g->box = calloc((size_t)d->n_zones, sizeof *g->box);
  if (!g->box) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%d zones of bricks", d->n_zones);
  const int64_t numbers = n_layers * TRIAD_FCT_BOX_NUMBERS;
  int st = TRIAD_ALLOC(memory, "bricks being found", numbers, &layers);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(memory, "bricks being found", 3 * (most + 3), &planes);
  if (st == TRIAD_OK) st = triad_device_alloc(g->device, "mesh", numbers, sizeof *layers, (void **)&g->layers);
  if (st == TRIAD_OK) find_boxes(d, planes, layers, g->layers, g->box);
  if (st == TRIAD_OK) st = triad_device_put(g->device, g->layers, layers, numbers * (int64_t)sizeof *layers);
  if (st == TRIAD_OK) st = triad_fct_gpu_sides_make(f, layers);
  TRIAD_FREE(memory, &layers);
  TRIAD_FREE(memory, &planes);
  return st;
}

void triad_fct_gpu_boxes_drop(struct triad_fct_on_gpu *g)
{
  triad_device_free(g->device, (void **)&g->layers);
  triad_device_free(g->device, (void **)&g->sides);
  for (int i = 0; i < 2; i++) triad_device_free(g->device, (void **)&g->row[i]);
  free(g->box);
  g->box = NULL;
}
