/* Particles on a GPU: made, brought there and back, sent to their owners, put in order. */
#include "solvers/spectral/particles/gpu_own.h"

#include "solvers/spectral/gpu_part.h"
#include "solvers/spectral/step/stepper.h"

#include <stdlib.h>
#include <string.h>

enum { OFTEN = 16 /* sorts after which the arrays themselves are put in order */ };

/* ---- making ---- */

static int64_t tiles_of(int64_t points) { return (points + TRIAD_TILE - 1) / TRIAD_TILE; }

static triad_gpu_tiles tiles(const triad_layout *l)
{
  triad_gpu_tiles t = {.first = l->plane_begin[l->rank], .planes = l->n_planes, .across = tiles_of(l->grid.n[0])};
  t.n = t.across * tiles_of(l->grid.n[1]);
  for (int a = 0; a < 3; a++) {
    t.points[a] = l->grid.n[a];
    t.per_spacing[a] = (double)l->grid.n[a] / l->grid.length[a];
  }
  return t;
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
    if (g.divided) return 1;
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
  if (st == TRIAD_OK) st = triad_device_table(p->device, "particles", columns, sizeof *across, across, (void **)&d->across);
  if (st == TRIAD_OK) st = triad_device_table(p->device, "particles", l->nkz, sizeof *up, up, (void **)&d->up);
  free(across);
  free(up);
  return st;
}

static int make(triad_gpu_particles *p)
{
  triad_memory *m = p->flow->context->memory;
  TRIAD_TRY(TRIAD_ALLOC(m, "particles", p->n, &p->member));
  TRIAD_TRY(TRIAD_ALLOC(m, "particles", p->n, &p->arrival));
  for (int i = 0; i < p->n; i++) {
    const triad_group *g = &p->group[i];
    if (g->divided && !p->divisors[g->order == 6].across) TRIAD_TRY(make_divisors(p, g->order, &p->divisors[g->order == 6]));
    TRIAD_TRY(triad_device_alloc(p->device, "particles", p->tiles.planes * p->tiles.n, sizeof(int32_t), (void **)&p->member[i].at.end));
  }
  for (int f = 0; f < 3 && wants_modes(p->flow->given); f++)
    TRIAD_TRY(triad_device_alloc(p->device, "particles", p->layout->modes, sizeof(triad_cplx), (void **)&p->made[f]));
  TRIAD_TRY(triad_device_alloc(p->device, "particles", 1, sizeof *p->count, (void **)&p->count));
  return triad_device_alloc(p->device, "particles", triad_gpu_sort_room(&p->tiles), sizeof *p->scratch, (void **)&p->scratch);
}

int triad_gpu_particles_create(triad_gpu_particles **out, triad_flow *flow, int n, triad_group *groups)
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
  p->tiles = tiles(p->layout);
  int st = triad_agree(comm, make(p));
  if (st == TRIAD_OK) st = triad_gpu_planes_create(p, order);
  if (st != TRIAD_OK) triad_gpu_particles_destroy(out);
  return st;
}

static void free_member(triad_gpu_particles *p, triad_gpu_members *m)
{
  void **taken[] = {(void **)&m->at.id, (void **)&m->at.order, (void **)&m->spare};
  for (size_t k = 0; k < sizeof taken / sizeof *taken; k++) triad_device_free(p->device, taken[k]);
  for (int a = 0; a < 3; a++) {
    triad_device_free(p->device, (void **)&m->at.x[a]);
    triad_device_free(p->device, (void **)&m->at.xq[a]);
    triad_device_free(p->device, (void **)&m->at.v[a]);
    triad_device_free(p->device, (void **)&m->at.vq[a]);
  }
  m->room = 0;
}

void triad_gpu_particles_destroy(triad_gpu_particles **particles)
{
  triad_gpu_particles *p = *particles;
  if (!p) return;
  triad_memory *m = p->flow->context->memory;
  triad_gpu_planes_destroy(p);
  for (int i = 0; p->member && i < p->n; i++) {
    free_member(p, &p->member[i]);
    triad_device_free(p->device, (void **)&p->member[i].at.end);
    triad_row_buffers_free(&p->member[i].buffers);
  }
  for (int i = 0; i < 2; i++) {
    triad_device_free(p->device, (void **)&p->divisors[i].across);
    triad_device_free(p->device, (void **)&p->divisors[i].up);
  }
  for (int f = 0; f < 3; f++) triad_device_free(p->device, (void **)&p->made[f]);
  triad_device_free(p->device, (void **)&p->scratch);
  triad_device_free(p->device, (void **)&p->count);
  triad_device_free(p->device, (void **)&p->rows);
  TRIAD_FREE(m, &p->member);
  TRIAD_FREE(m, &p->arrival);
  free(p);
  *particles = NULL;
}

/* ---- room ---- */

static int take_array(triad_gpu_particles *p, int64_t room, double **out)
{
  return triad_device_alloc(p->device, "particles", room, sizeof **out, (void **)out);
}

/* An array of more room, with what is in the old one. */
static int enlarge(triad_gpu_particles *p, int64_t n, int64_t room, size_t size, void **array)
{
  void *more = NULL;
  TRIAD_TRY(triad_device_alloc(p->device, "particles", room, size, &more));
  if (n > 0)
    TRIAD_TRY(TRIAD_CU(cudaMemcpyAsync(more, *array, (size_t)n * size, cudaMemcpyDeviceToDevice, (cudaStream_t)triad_device_stream(p->device))));
  TRIAD_TRY(triad_device_wait(p->device));
  triad_device_free(p->device, array);
  *array = more;
  return TRIAD_OK;
}

/* Room for n; a tenth more where there are other ranks. */
static int fit(triad_gpu_particles *p, int number, int64_t n)
{
  triad_gpu_members *m = &p->member[number];
  const int64_t room = p->layout->size > 1 ? n + n / 10 + 64 : n;
  if (n <= m->room) return TRIAD_OK;
  if (room > INT32_MAX) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%lld particles on a GPU: take more ranks", (long long)n);
  triad_device_free(p->device, (void **)&m->spare);
  triad_device_free(p->device, (void **)&m->at.order);
  TRIAD_TRY(take_array(p, room, &m->spare));
  TRIAD_TRY(triad_device_alloc(p->device, "particles", room, sizeof *m->at.order, (void **)&m->at.order));
  TRIAD_TRY(enlarge(p, m->at.n, room, sizeof *m->at.id, (void **)&m->at.id));
  for (int a = 0; a < 3; a++) {
    TRIAD_TRY(enlarge(p, m->at.n, room, sizeof(double), (void **)&m->at.x[a]));
    TRIAD_TRY(enlarge(p, m->at.n, room, sizeof(double), (void **)&m->at.xq[a]));
    if (p->group[number].kind == TRIAD_TRACER) continue;
    TRIAD_TRY(enlarge(p, m->at.n, room, sizeof(double), (void **)&m->at.v[a]));
    TRIAD_TRY(enlarge(p, m->at.n, room, sizeof(double), (void **)&m->at.vq[a]));
  }
  m->room = room;
  return TRIAD_OK;
}

/* ---- records ---- */

/* One number of each record, between host and device by way of a row of the host's. */
static int copy_number(triad_gpu_particles *p, int number, int offset, double *there, double *row, int up)
{
  triad_group *g = &p->group[number];
  const int64_t bytes = g->n * (int64_t)sizeof *row;
  for (int64_t i = 0; up && i < g->n; i++) row[i] = triad_group_record(g, i)[offset];
  TRIAD_TRY(up ? triad_device_put(p->device, there, row, bytes) : triad_device_get(p->device, row, there, bytes));
  for (int64_t i = 0; !up && i < g->n; i++) triad_group_record(g, i)[offset] = row[i];
  return TRIAD_OK;
}

static int copy_ids(triad_gpu_particles *p, int number, int32_t *row, int up)
{
  triad_group *g = &p->group[number];
  int32_t *there = p->member[number].at.id;
  const int64_t bytes = g->n * (int64_t)sizeof *row;
  for (int64_t i = 0; up && i < g->n; i++) row[i] = (int32_t)triad_group_record(g, i)[TRIAD_PARTICLE_ID];
  TRIAD_TRY(up ? triad_device_put(p->device, there, row, bytes) : triad_device_get(p->device, row, there, bytes));
  for (int64_t i = 0; !up && i < g->n; i++) triad_group_record(g, i)[TRIAD_PARTICLE_ID] = (double)row[i];
  return TRIAD_OK;
}

static int copy_group(triad_gpu_particles *p, int number, int up)
{
  triad_group *g = &p->group[number];
  const triad_gpu_group *d = &p->member[number].at;
  double *row = malloc((size_t)(g->n + 1) * sizeof *row);
  int st = row ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "%lld particles", (long long)g->n);
  if (st == TRIAD_OK) st = copy_ids(p, number, (int32_t *)(void *)row, up);
  for (int a = 0; a < 3 && st == TRIAD_OK; a++) {
    st = copy_number(p, number, TRIAD_PARTICLE_X + a, d->x[a], row, up);
    if (st == TRIAD_OK && g->kind == TRIAD_INERTIAL) st = copy_number(p, number, TRIAD_PARTICLE_V + a, d->v[a], row, up);
  }
  free(row);
  return st;
}

int triad_gpu_particles_put(triad_gpu_particles *p)
{
  int st = TRIAD_OK;
  for (int i = 0; i < p->n && st == TRIAD_OK; i++) {
    p->member[i].at.n = 0;
    st = fit(p, i, p->group[i].n);
    p->member[i].at.n = p->member[i].live = p->group[i].n;
    if (st == TRIAD_OK) st = copy_group(p, i, 1);
  }
  p->sorts = 0;
  return triad_agree(&p->flow->context->comm, st);
}

static int bring(triad_gpu_particles *p)
{
  for (int i = 0; i < p->n; i++) {
    p->group[i].n = 0; /* nothing that is there is wanted */
    TRIAD_TRY(triad_group_fit(&p->group[i], p->flow->context, p->member[i].live));
    p->group[i].n = p->member[i].live;
    TRIAD_TRY(copy_group(p, i, 0));
  }
  return TRIAD_OK;
}

int triad_gpu_particles_get(triad_gpu_particles *p)
{
  TRIAD_TRY(triad_gpu_particles_order(p, 1));
  return triad_agree(&p->flow->context->comm, bring(p));
}

/* ---- order ---- */

static int32_t *order_ids(triad_gpu_members *m) { return (int32_t *)(void *)m->spare; }

static int move_arrays(triad_gpu_particles *p, triad_gpu_members *m)
{
  void *stream = triad_device_stream(p->device);
  for (int k = 0; k < 12; k++) {
    double **array = k < 3 ? &m->at.x[k] : k < 6 ? &m->at.xq[k - 3] : k < 9 ? &m->at.v[k - 6] : &m->at.vq[k - 9], *old = *array;
    if (!old) continue;
    TRIAD_TRY(triad_gpu_particles_permute(m->live, m->at.order, old, m->spare, stream));
    *array = m->spare;
    m->spare = old;
  }
  TRIAD_TRY(triad_gpu_particles_permute_ids(m->live, m->at.order, m->at.id, order_ids(m), stream));
  TRIAD_TRY(TRIAD_CU(cudaMemcpyAsync(m->at.id, order_ids(m), (size_t)m->live * sizeof *m->at.id, cudaMemcpyDeviceToDevice,
                                     (cudaStream_t)stream)));
  m->at.n = m->live;
  return triad_gpu_particles_count_up(m->live, m->at.order, stream);
}

static int sort(triad_gpu_particles *p, triad_gpu_members *m, int whole)
{
  if (m->at.n == 0) return TRIAD_OK;
  TRIAD_TRY(triad_gpu_particles_sort(&p->tiles, &m->at, p->scratch, triad_device_stream(p->device)));
  return whole ? move_arrays(p, m) : TRIAD_OK;
}

/* ---- from rank to rank ---- */

static int count_leaving(triad_gpu_particles *p, const triad_gpu_members *m, int32_t *leaving)
{
  *leaving = 0;
  if (m->at.n == 0) return TRIAD_OK;
  TRIAD_TRY(triad_device_clear(p->device, p->count, sizeof *p->count));
  TRIAD_TRY(triad_gpu_particles_leave(&p->tiles, &m->at, NULL, p->count, triad_device_stream(p->device)));
  return triad_device_get(p->device, leaving, p->count, sizeof *leaving);
}

static int fit_rows(triad_gpu_particles *p, int64_t n)
{
  if (n <= p->rows_room) return TRIAD_OK;
  triad_device_free(p->device, (void **)&p->rows);
  p->rows_room = 0;
  TRIAD_TRY(triad_device_alloc(p->device, "particles that move", (n + n / 2 + 64) * TRIAD_TRAVEL_WIDTH, sizeof *p->rows, (void **)&p->rows));
  p->rows_room = n + n / 2 + 64;
  return TRIAD_OK;
}

/* Rows of those that leave, on the host, and where they go. */
static int take_leaving(triad_gpu_particles *p, triad_gpu_members *m)
{
  int32_t leaving;
  TRIAD_TRY(count_leaving(p, m, &leaving));
  TRIAD_TRY(fit_rows(p, leaving));
  TRIAD_TRY(triad_row_buffers_fit(&m->buffers, leaving, TRIAD_TRAVEL_WIDTH));
  if (leaving == 0) return TRIAD_OK;
  TRIAD_TRY(triad_device_clear(p->device, p->count, sizeof *p->count));
  TRIAD_TRY(triad_gpu_particles_leave(&p->tiles, &m->at, p->rows, p->count, triad_device_stream(p->device)));
  TRIAD_TRY(triad_device_get(p->device, m->buffers.away, p->rows, leaving * (int64_t)(TRIAD_TRAVEL_WIDTH * sizeof *p->rows)));
  for (int32_t i = 0; i < leaving; i++)
    m->buffers.to[i] = triad_group_owner(p->flow->layout, m->buffers.away[i * TRIAD_TRAVEL_WIDTH + TRIAD_PARTICLE_X + 2]);
  m->live -= leaving;
  return TRIAD_OK;
}

/* Those that have come stand behind the others; where there is no room, the gaps of those that left are closed first. */
static int take_arrived(triad_gpu_particles *p, int number, int64_t n, const double *rows)
{
  triad_gpu_members *m = &p->member[number];
  if (n == 0) return TRIAD_OK;
  if (m->at.n + n > m->room) TRIAD_TRY(sort(p, m, 1));
  TRIAD_TRY(fit(p, number, m->at.n + n));
  TRIAD_TRY(fit_rows(p, n));
  TRIAD_TRY(triad_device_put(p->device, p->rows, rows, n * (int64_t)(TRIAD_TRAVEL_WIDTH * sizeof *rows)));
  TRIAD_TRY(triad_gpu_particles_arrive(&m->at, m->at.n, n, p->rows, triad_device_stream(p->device)));
  m->at.n += n;
  m->live += n;
  return TRIAD_OK;
}

static int exchange(triad_gpu_particles *p, int number)
{
  const triad_comm *comm = &p->flow->context->comm;
  triad_gpu_members *m = &p->member[number];
  double *arrived = NULL;
  int64_t n = 0, before = m->live;
  TRIAD_TRY(triad_agree(comm, take_leaving(p, m)));
  TRIAD_TRY(triad_rows_exchange(comm, &m->buffers, TRIAD_TRAVEL_WIDTH, before - m->live, m->buffers.away, m->buffers.to, &arrived, &n));
  return triad_agree(comm, take_arrived(p, number, n, arrived));
}

int triad_gpu_particles_order(triad_gpu_particles *p, int whole)
{
  int st = TRIAD_OK;
  for (int i = 0; i < p->n && p->layout->size > 1; i++) TRIAD_TRY(exchange(p, i));
  whole |= p->sorts++ % OFTEN == 0;
  for (int i = 0; i < p->n && st == TRIAD_OK; i++) st = sort(p, &p->member[i], whole);
  return triad_agree(&p->flow->context->comm, st);
}

/* ---- a plan of memory ---- */

int64_t triad_gpu_particles_bytes(const triad_case *c, const triad_layout *l, int64_t batch)
{
  const triad_gpu_tiles t = tiles(l);
  int64_t bytes = 0;
  int order = 2;
  for (int i = 1; i <= triad_case_tables(c, "particles"); i++) {
    triad_group g;
    triad_group_read(&g, c, i);
    const int64_t here = g.count / l->size + 1, room = l->size > 1 ? here + here / 10 + 64 : here;
    if (g.order > order) order = g.order;
    bytes += room * ((g.kind == TRIAD_TRACER ? 7 : 13) * (int64_t)sizeof(double) + 2 * (int64_t)sizeof(int32_t)) +
             t.planes * t.n * (int64_t)sizeof(int32_t);
  }
  if (bytes == 0) return 0;
  return bytes + triad_gpu_planes_bytes(l, order, batch) + triad_gpu_sort_room(&t) * (int64_t)sizeof(int32_t) +
         (wants_modes(c) ? 3 * l->modes * (int64_t)sizeof(triad_cplx) : 0);
}

const triad_gpu_particles_part triad_gpu_particles_table = {.create = triad_gpu_particles_create, .destroy = triad_gpu_particles_destroy,
                                                            .put = triad_gpu_particles_put, .get = triad_gpu_particles_get,
                                                            .gather = triad_gpu_particles_gather};
