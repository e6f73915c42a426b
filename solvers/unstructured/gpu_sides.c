/* Sides of zones of bricks all of whose faces are outer ones: their cells go by the kernels of bricks, which find those faces in the
 * order of the side. Cells on other sides go by their rows. */
#include "solvers/unstructured/gpu_own.h"

#include <math.h>
#include <string.h>

enum { SIDES = TRIAD_FCT_ZONE_SIDES };

/* face: of all zones, side by side, -1: none yet, or not the only one; opposite, part: of outer faces. */
typedef struct making {
  const triad_fct_domain *domain;
  triad_fct_box *box;
  int32_t *face, *opposite, *row;
  int64_t *begin; /* [n_zones + 1] of a zone's faces */
  triad_real *part;
} making;

static int64_t cells_of_side(const triad_fct_zone *z, int side) { return z->cells / z->n[side >> 1]; }

/* Returns how many cells all sides have. */
static int64_t begin_sides(const making *m)
{
  for (int z = 0; z < m->domain->n_zones; z++) {
    m->begin[z + 1] = m->begin[z];
    for (int s = 0; s < SIDES; s++) m->begin[z + 1] += cells_of_side(&m->domain->zone[z], s);
  }
  return m->begin[m->domain->n_zones];
}

static void place_in(const triad_fct_zone *z, int64_t cell, int x[3])
{
  const int64_t i = cell - z->cell;
  x[0] = (int)(i % z->n[0]);
  x[1] = (int)(i / z->n[0] % z->n[1]);
  x[2] = (int)(i / z->n[0] / z->n[1]);
}

/* The side across which an outer face of a brick lies, by its normal; its coordinate. */
static int side_of(const making *m, const triad_fct_box *box, int64_t face, int *coordinate)
{
  const triad_fct_numbers *g = &m->domain->geometry;
  int c = 0;
  for (int a = 1; a < 3; a++)
    if (fabs((double)g->at[a * g->pitch + face]) > fabs((double)g->at[c * g->pitch + face])) c = a;
  *coordinate = c;
  return 2 * box->axis[c] + (g->at[c * g->pitch + face] * box->sign[c] > 0);
}

static int64_t begin_of(const making *m, int zone, int side)
{
  int64_t at = m->begin[zone];
  for (int s = 0; s < side; s++) at += cells_of_side(&m->domain->zone[zone], s);
  return at;
}

/* An outer face of a brick; 0: it is of none. */
static int find(const making *m, int64_t face, int *zone, int *side, int *coordinate, int x[3])
{
  const int64_t cell = m->domain->cell[face][0];
  if (cell >= m->domain->n_zoned) return 0;
  *zone = triad_fct_domain_zone(m->domain, cell);
  if (!m->box[*zone].layer[0]) return 0;
  place_in(&m->domain->zone[*zone], cell, x);
  *side = side_of(m, &m->box[*zone], face, coordinate);
  return 1;
}

static void fill_sides(const making *m)
{
  const triad_fct_domain *d = m->domain;
  int zone, side, coordinate, x[3];
  for (int64_t face = d->n_inner; face < d->n_faces; face++)
    if (find(m, face, &zone, &side, &coordinate, x))
      m->face[begin_of(m, zone, side) + triad_fct_box_on_side(&d->zone[zone], side >> 1, x)] = (int32_t)face;
}

/* `there`: m->face on the GPU. */
static void take_sides(const making *m, const int32_t *there)
{
  for (int z = 0; z < m->domain->n_zones; z++)
    for (int s = 0; s < SIDES && m->box[z].layer[0]; s++) {
      triad_fct_box *box = &m->box[z];
      const int64_t begin = begin_of(m, z, s), n = cells_of_side(&m->domain->zone[z], s);
      int all = 1;
      for (int64_t i = 0; i < n; i++) all = all && m->face[begin + i] >= 0;
      if (!all) continue;
      box->outer[s] = there + begin;
      if (s & 1) box->high[s >> 1]++;
      else box->low[s >> 1]--;
      box->begin = box->low[2];
      box->end = box->high[2];
    }
}

static int is_tiled(const triad_fct_box *b, const int x[3])
{
  int in = b->layer[0] != NULL;
  for (int a = 0; a < 3; a++) in = in && x[a] >= b->low[a] && x[a] < b->high[a];
  return in;
}

static int is_whole(const making *m, int zone)
{
  int all = 1;
  for (int s = 0; s < SIDES; s++) all = all && m->box[zone].outer[s];
  return all;
}

static void fill_opposite(const making *m)
{
  const triad_fct_domain *d = m->domain;
  int zone, side, c, x[3];
  for (int64_t face = d->n_inner; face < d->n_faces; face++) {
    const int64_t i = face - d->n_inner;
    m->opposite[i] = -1;
    if (!find(m, face, &zone, &side, &c, x) || !is_tiled(&m->box[zone], x)) continue;
    const triad_real *layer = d->box[zone].layer[c] + (int64_t)x[side >> 1] * TRIAD_FCT_BOX_NUMBERS;
    m->opposite[i] = (int32_t)(d->cell[face][0] + d->zone[zone].near[side ^ 1]);
    m->part[i] = side & 1 ? -layer[TRIAD_FCT_BOX_BELOW] : layer[TRIAD_FCT_BOX_ABOVE];
  }
}

/* Rows of the rim that go by lists, or whose gradients these see. */
static int64_t pick(const making *m, int which)
{
  const triad_fct_domain *d = m->domain;
  int64_t n = 0;
  for (int64_t i = 0; i < d->rows[TRIAD_FCT_RIM].n; i++) {
    int x[3];
    const int zone = triad_fct_domain_zone(d, d->rim[i]);
    place_in(&d->zone[zone], d->rim[i], x);
    const int left_out = which == TRIAD_FCT_GPU_BY_LISTS ? is_tiled(&m->box[zone], x) : is_whole(m, zone);
    if (!left_out) m->row[n++] = (int32_t)i;
  }
  return n;
}

static int make(making *m, struct triad_fct_on_gpu *g)
{
  const triad_fct_domain *d = m->domain;
  triad_memory *memory = d->context->memory;
  const int64_t outer = d->n_faces - d->n_inner;
  TRIAD_TRY(TRIAD_ALLOC(memory, "bricks being found", d->n_zones + 1, &m->begin));
  const int64_t n = begin_sides(m);
  TRIAD_TRY(TRIAD_ALLOC(memory, "bricks being found", n, &m->face));
  TRIAD_TRY(TRIAD_ALLOC(memory, "bricks being found", outer, &m->opposite));
  TRIAD_TRY(TRIAD_ALLOC(memory, "bricks being found", outer, &m->part));
  TRIAD_TRY(TRIAD_ALLOC(memory, "bricks being found", d->rows[TRIAD_FCT_RIM].n, &m->row));
  memset(m->face, 0xff, (size_t)n * sizeof *m->face);
  fill_sides(m);
  TRIAD_TRY(triad_device_table(g->device, "mesh", n, sizeof *m->face, m->face, (void **)&g->sides));
  take_sides(m, g->sides);
  fill_opposite(m);
  TRIAD_TRY(triad_device_table(g->device, "mesh", outer, sizeof *m->opposite, m->opposite, (void **)&g->outer.opposite));
  TRIAD_TRY(triad_device_table(g->device, "mesh", outer, sizeof *m->part, m->part, (void **)&g->outer.part));
  for (int which = 0; which < 2; which++) {
    g->n_rows[which] = pick(m, which);
    TRIAD_TRY(triad_device_table(g->device, "mesh", g->n_rows[which], sizeof *m->row, m->row, (void **)&g->row[which]));
  }
  return TRIAD_OK;
}

int triad_fct_gpu_sides_make(triad_fct_flow *f)
{
  triad_memory *memory = f->context->memory;
  making m = {.domain = f->domain, .box = f->gpu->box};
  const int st = make(&m, f->gpu);
  TRIAD_FREE(memory, &m.begin);
  TRIAD_FREE(memory, &m.face);
  TRIAD_FREE(memory, &m.opposite);
  TRIAD_FREE(memory, &m.part);
  TRIAD_FREE(memory, &m.row);
  return st;
}
