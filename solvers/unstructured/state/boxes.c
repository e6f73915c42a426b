/* Zones whose cells are bricks between planes x, y, z = const. */
#include "solvers/unstructured/state/domain_internal.h"
#include "solvers/unstructured/state/domain_tets.h"
#include "base/minmax.h"

#include <float.h>
#include <math.h>

/* A zone, of which coordinate goes with which axis, and the planes across each axis. */
typedef struct finding {
  const triad_unstructured_making *making;
  const triad_mesh_zone *zone;
  triad_unstructured_box *box;
  double *plane[3]; /* across coordinate c, [n[axis[c]] + 1], in the order of the zone */
  double slack[3];  /* a few roundings of places                                       */
} finding;

static int64_t mesh_cell(const finding *w, int64_t i) { return w->making->zones.cell[w->zone->cell + i]; }

/* Each coordinate's axis is that along which cells' centres are farthest apart in it. */
static int find_axes(finding *w)
{
  const double(*centre)[3] = (const double(*)[3])w->making->m->centre;
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
  const triad_mesh *m = w->making->m;
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
  const triad_mesh *m = w->making->m;
  const triad_mesh_zone *z = w->zone;
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

/* Gradients are least squares with weights 1/distance^2: along an axis the mean of the differences to both sides.
 * Beyond an outer face is the mirror image of its cell. */
static void fill_layers(const finding *w, int c, triad_real *out)
{
  const double *x = w->plane[c];
  const int n = w->zone->n[w->box->axis[c]];
  for (int i = 0; i < n; i++) {
    const double length = fabs(x[i + 1] - x[i]), below = i > 0 ? fabs(x[i + 1] - x[i - 1]) / 2 : length,
                 above = i + 1 < n ? fabs(x[i + 2] - x[i]) / 2 : length;
    triad_real *layer = out + (int64_t)i * TRIAD_UNSTRUCTURED_BOX_NUMBERS;
    layer[TRIAD_UNSTRUCTURED_BOX_LENGTH] = (triad_real)length;
    layer[TRIAD_UNSTRUCTURED_BOX_PER_LENGTH] = (triad_real)(1 / length);
    layer[TRIAD_UNSTRUCTURED_BOX_BELOW] = (triad_real)(-length / (4 * below));
    layer[TRIAD_UNSTRUCTURED_BOX_ABOVE] = (triad_real)(length / (4 * above));
  }
}

static int64_t layers_of(const triad_mesh_zone *z) { return (int64_t)z->n[0] + z->n[1] + z->n[2]; }

static int is_box(finding *w)
{
  if (!find_axes(w)) return 0;
  find_planes(w);
  int bricks = 1;
#pragma omp parallel for schedule(static) reduction(&& : bricks) num_threads(w->making->d->context->threads)
  for (int64_t i = 0; i < w->zone->cells; i++) bricks = bricks && is_brick(w, i);
  return bricks;
}

/* Layers of all zones, one behind the other. */
static void find_boxes(const triad_unstructured_making *k, double *planes)
{
  triad_real *layers = k->d->layers;
  for (int z = 0; z < k->zones.n_zones; z++) {
    const triad_mesh_zone *zone = &k->zones.zone[z];
    triad_unstructured_box *box = &k->d->box[z];
    finding w = {.making = k, .zone = zone, .box = box};
    const int64_t room = layers_of(zone) + 3;
    for (int c = 0; c < 3; c++) w.plane[c] = planes + c * room;
    if (is_box(&w))
      for (int c = 0; c < 3; c++) {
        fill_layers(&w, c, layers);
        box->layer[c] = layers;
        layers += (int64_t)zone->n[box->axis[c]] * TRIAD_UNSTRUCTURED_BOX_NUMBERS;
      }
  }
}

int triad_unstructured_find_boxes(triad_unstructured_making *k)
{
  triad_unstructured_domain *d = k->d;
  triad_memory *memory = d->context->memory;
  const triad_mesh_zones *zones = &k->zones;
  int64_t n_layers = 0, most = 0;
  double *planes = NULL;
  for (int z = 0; z < zones->n_zones; z++) {
    n_layers += layers_of(&zones->zone[z]);
    if (layers_of(&zones->zone[z]) > most) most = layers_of(&zones->zone[z]);
  }
  d->n_layers = n_layers * TRIAD_UNSTRUCTURED_BOX_NUMBERS;
  TRIAD_TRY(TRIAD_ALLOC(memory, "domain", zones->n_zones, &d->box));
  TRIAD_TRY(TRIAD_ALLOC(memory, "domain", d->n_layers, &d->layers));
  TRIAD_TRY(TRIAD_ALLOC(memory, "the domain of a rank", 3 * (most + 3), &planes));
  find_boxes(k, planes);
  TRIAD_FREE(memory, &planes);
  return TRIAD_OK;
}

/* ---- windows ---- */

int64_t triad_unstructured_window_layers(int64_t plane, int64_t n, int asked)
{
  enum { PARTS = 4, BUSY = 1 << 20 }; /* cells, some ten times what a GPU has threads for */
  const int64_t wanted = asked > 0 ? asked : triad_max_count((n + PARTS - 1) / PARTS, (BUSY + plane - 1) / plane);
  const int64_t layers = triad_max_count(wanted, TRIAD_UNSTRUCTURED_KEPT); /* no fewer than are moved */
  return layers + TRIAD_UNSTRUCTURED_KEPT < n ? layers + TRIAD_UNSTRUCTURED_KEPT : n;
}

/* ---- geometry of faces that are not kept ---- */

void triad_unstructured_domain_geometry(const triad_unstructured_domain *d, int64_t face,
                                        triad_real out[TRIAD_UNSTRUCTURED_GEOMETRY])
{
  if (face <= d->n_slots) {
    const int64_t slot = triad_unstructured_domain_slot(d, face);
    if (slot < 0) triad_unstructured_pointed_geometry(d, face, out);
    else triad_unstructured_load(&d->geometry, slot, TRIAD_UNSTRUCTURED_GEOMETRY, out);
    return;
  }
  const int number = triad_unstructured_domain_zone(d, (face - d->n_slots - 1) / 3);
  const triad_mesh_zone *zone = &d->zone[number];
  const triad_unstructured_box *box = &d->box[number];
  const int axis = (int)((face - zone->slot) / zone->cells);
  const int64_t i = (face - zone->slot) % zone->cells,
                x[3] = {i % zone->n[0], i / zone->n[0] % zone->n[1], i / zone->n[0] / zone->n[1]};
  triad_real area = 1;
  for (int k = 0; k < TRIAD_UNSTRUCTURED_GEOMETRY; k++) out[k] = 0;
  for (int c = 0; c < 3; c++) {
    const triad_real *layer = box->layer[c] + x[box->axis[c]] * TRIAD_UNSTRUCTURED_BOX_NUMBERS,
                     length = layer[TRIAD_UNSTRUCTURED_BOX_LENGTH];
    if (box->axis[c] != axis) area *= length;
    else {
      out[c] = box->sign[c];
      out[3 + c] = box->sign[c] * TRIAD_R(0.5) * length;
      out[6 + c] =
        box->sign[c] * TRIAD_R(0.5) * (length + layer[TRIAD_UNSTRUCTURED_BOX_NUMBERS + TRIAD_UNSTRUCTURED_BOX_LENGTH]);
    }
  }
  for (int c = 0; c < 3; c++) out[c] *= area;
}
