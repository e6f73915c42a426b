/* Particles on a GPU: made, and counted before they are. */
#include "solvers/spectral/particles/gpu_internal.h"
#include "solvers/spectral/particles/gpu_records.h"
#include "solvers/spectral/particles/gpu_gather.h"
#include "solvers/spectral/particles/gpu_planes.h"
#include "solvers/particles/exchange.h"
#include "solvers/particles/start.h"

#include "solvers/spectral/gpu_part.h"
#include "solvers/spectral/step/stepper.h"

#include <stdlib.h>
#include <string.h>

/* ---- making ---- */

static int64_t tiles_of(int64_t points) { return (points + TRIAD_TILE - 1) / TRIAD_TILE; }

static triad_gpu_tiles tiles(const triad_layout *l, int order)
{
  const int64_t lower = order / 2 - 1;
  triad_gpu_tiles t = {
    .first = l->plane_begin[l->rank], .planes = l->n_planes, .lower = lower, .across = tiles_of(l->grid.n[0])};
  t.slabs = t.planes > 0 ? triad_gpu_slab_of(&t, t.planes - 1) + 1 : 0;
  t.n = t.across * tiles_of(l->grid.n[1]);
  for (int a = 0; a < 3; a++) {
    t.points[a] = l->grid.n[a];
    t.per_spacing[a] = (double)l->grid.n[a] / l->grid.length[a];
  }
  return t;
}

/* Has any group added mass? */
static int has_mass(const triad_case *c)
{
  for (int i = 1; i <= triad_case_tables(c, "particles"); i++) {
    triad_group g;
    triad_group_read(&g, c, i);
    if (g.mass > 0) return 1;
  }
  return 0;
}

/* Are modes made for its passes: divided ones, or derivatives? */
static int wants_modes(const triad_case *c)
{
  for (int i = 1; i <= triad_case_tables(c, "particles"); i++) {
    const char *list[16];
    char key[96];
    triad_group g;
    triad_group_read(&g, c, i);
    (void)snprintf(key, sizeof key, "particles[%d].sample", i);
    int n = triad_case_texts(c, key, list, 16);
    for (int s = 0; s < n; s++)
      if (strcmp(list[s], "vorticity") == 0 || strcmp(list[s], "gradient") == 0) return 1;
    if (g.divided || g.mass > 0 || g.least > 0) return 1;
  }
  return 0;
}

/* 1/transform of order 4 or 6. */
static int make_divisors(triad_gpu_particles *p, int order, triad_gpu_divisors *d)
{
  const triad_layout *l = p->layout;
  const int64_t columns = p->state->modes.columns;
  double *across = calloc((size_t)columns + 1, sizeof *across), *up = calloc((size_t)l->nkz + 1, sizeof *up);
  int st = across && up ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "tables of splines");
  for (int64_t c = 0; st == TRIAD_OK && c < columns; c++)
    across[c] = 1 / triad_spline_transfer(order, 2 * TRIAD_PI * (double)l->kx[c] / (double)l->grid.n[0]) *
                (1 / triad_spline_transfer(order, 2 * TRIAD_PI * (double)abs(l->ky[c]) / (double)l->grid.n[1]));
  for (int64_t j = 0; st == TRIAD_OK && j < l->nkz; j++)
    up[j] = 1 / triad_spline_transfer(order, 2 * TRIAD_PI * (double)abs(l->kz[j]) / (double)l->grid.n[2]);
  if (st == TRIAD_OK)
    st = triad_device_table(p->device, "particles", columns, sizeof *across, across, (void **)&d->across);
  if (st == TRIAD_OK) st = triad_device_table(p->device, "particles", l->nkz, sizeof *up, up, (void **)&d->up);
  free(across);
  free(up);
  return st;
}

/* Modes of du/dt, where each field's rate goes. */
static int take_rates(triad_gpu_particles *p)
{
  const int n = p->flow->shape.n_fields;
  TRIAD_TRY(TRIAD_ALLOC(p->flow->context->memory, "particles", n, &p->rates));
  for (int f = 0; f < n && f < 4; f++)
    TRIAD_TRY(triad_device_alloc(p->device, "particles", p->layout->modes, sizeof(triad_cplx), (void **)&p->rate[f]));
  for (int f = 0; f < n; f++) p->rates[f] = p->rate[f < 3 ? f : 3];
  return TRIAD_OK;
}

static int create_parts(triad_gpu_particles *p)
{
  triad_memory *m = p->flow->context->memory;
  TRIAD_TRY(TRIAD_ALLOC(m, "particles", p->n, &p->member));
  TRIAD_TRY(TRIAD_ALLOC(m, "particles", p->n, &p->arrival));
  for (int i = 0; i < p->n; i++) {
    const triad_group *g = &p->group[i];
    if (g->divided && !p->divisors[g->order == 6].across)
      TRIAD_TRY(make_divisors(p, g->order, &p->divisors[g->order == 6]));
    TRIAD_TRY(triad_device_alloc(p->device, "particles", p->tiles.slabs * p->tiles.n, sizeof(int32_t),
                                 (void **)&p->member[i].at.end));
  }
  for (int f = 0; f < 3 && wants_modes(p->flow->given); f++)
    TRIAD_TRY(triad_device_alloc(p->device, "particles", p->layout->modes, sizeof(triad_cplx), (void **)&p->made[f]));
  if (has_mass(p->flow->given)) TRIAD_TRY(take_rates(p));
  TRIAD_TRY(triad_device_alloc(p->device, "particles", 1, sizeof *p->count, (void **)&p->count));
  return triad_device_alloc(p->device, "particles", triad_gpu_sort_room(&p->tiles), sizeof *p->scratch,
                            (void **)&p->scratch);
}

int triad_gpu_particles_create(triad_gpu_particles **out, triad_flow *flow, int n, triad_group *groups,
                               double two_alpha)
{
  const triad_comm *comm = &flow->context->comm;
  triad_gpu_particles *p = *out = calloc(1, sizeof *p);
  TRIAD_TRY(triad_agree(comm, p ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "particles on a GPU")));
  int order = 2;
  for (int i = 0; i < n; i++)
    if (groups[i].order > order) order = groups[i].order;
  p->flow = flow;
  p->device = flow->device;
  p->state = triad_gpu_stepper_state(triad_stepper_gpu(flow->stepper));
  p->layout = triad_gpu_stepper_layout(triad_stepper_gpu(flow->stepper));
  p->n = n;
  p->group = groups;
  p->two_alpha = two_alpha;
  p->tiles = tiles(p->layout, order);
  int st = triad_agree(comm, create_parts(p));
  if (st == TRIAD_OK) st = triad_gpu_planes_create(p, order);
  if (st != TRIAD_OK) triad_gpu_particles_destroy(out);
  return st;
}

void triad_gpu_particles_destroy(triad_gpu_particles **particles)
{
  triad_gpu_particles *p = *particles;
  if (!p) return;
  triad_memory *m = p->flow->context->memory;
  triad_gpu_planes_destroy(p);
  for (int i = 0; p->member && i < p->n; i++) {
    triad_device_free(p->device, (void **)&p->member[i].block);
    triad_device_free(p->device, (void **)&p->member[i].at.end);
    triad_row_buffers_free(&p->member[i].buffers);
  }
  for (int i = 0; i < 2; i++) {
    triad_device_free(p->device, (void **)&p->divisors[i].across);
    triad_device_free(p->device, (void **)&p->divisors[i].up);
  }
  for (int f = 0; f < 3; f++) triad_device_free(p->device, (void **)&p->made[f]);
  for (int f = 0; f < 4; f++) triad_device_free(p->device, (void **)&p->rate[f]);
  TRIAD_FREE(m, &p->rates);
  triad_device_free(p->device, (void **)&p->scratch);
  triad_device_free(p->device, (void **)&p->count);
  triad_device_free(p->device, (void **)&p->rows);
  TRIAD_FREE(m, &p->member);
  TRIAD_FREE(m, &p->arrival);
  free(p);
  *particles = NULL;
}

/* ---- a plan of memory ---- */

int64_t triad_gpu_particles_bytes(const triad_case *c, const triad_layout *l, int64_t batch, int n_fields)
{
  const int64_t field = l->modes * (int64_t)sizeof(triad_cplx);
  int64_t bytes = 0, groups = 0;
  int order = 2;
  for (int i = 1; i <= triad_case_tables(c, "particles"); i++) {
    triad_group g;
    triad_group_read(&g, c, i);
    g.count = triad_start_planned(c, i);
    const int64_t here = g.count / l->size + 1, room = l->size > 1 ? here + here / 10 + 64 : here;
    if (g.order > order) order = g.order;
    bytes += room * (triad_gpu_members_numbers(&g) + 1) * (int64_t)sizeof(double);
    groups++;
  }
  if (groups == 0) return 0;
  const triad_gpu_tiles t = tiles(l, order);
  bytes += groups * t.slabs * t.n * (int64_t)sizeof(int32_t);
  return bytes + triad_gpu_planes_bytes(l, order, batch) + triad_gpu_sort_room(&t) * (int64_t)sizeof(int32_t) +
         (wants_modes(c) ? 3 * field : 0) + (has_mass(c) ? (n_fields > 3 ? 4 : 3) * field : 0);
}

const triad_gpu_particles_part triad_gpu_particles_table = {.create = triad_gpu_particles_create,
                                                            .destroy = triad_gpu_particles_destroy,
                                                            .put = triad_gpu_particles_put,
                                                            .get = triad_gpu_particles_get,
                                                            .gather = triad_gpu_particles_gather};
