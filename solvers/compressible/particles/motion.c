/* Compute stages of particles, apply boundaries at the end of a step, and send particles to their owners. */
#include "solvers/compressible/particles/motion.h"
#include "solvers/compressible/particles/internal.h"
#include "solvers/compressible/particles/acceleration.h"
#include "solvers/particles/exchange.h"
#include "solvers/particles/deal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WORTH_WAKING = 2048 /* particles whose stage, 0.1 us each, takes longer than it takes to wake threads */ };

triad_gas_members triad_gas_members_of(const triad_gas_group *g)
{
  triad_gas_members m = {.n = g->n,
                         .step = TRIAD_GAS_WIDTH,
                         .vector_step = TRIAD_GAS_VECTORS * TRIAD_GAS_MOVING,
                         .number = 1,
                         .record = g->record,
                         .vector = g->vector,
                         .points = g->points,
                         .inertial = g->about.kind == TRIAD_INERTIAL,
                         .rate = g->about.rate,
                         .mass = g->about.mass};
  for (int a = 0; a < 3; a++) {
    m.pull[a] = g->about.pull[a];
    for (int upper = 0; upper < 2; upper++) m.meets[a][upper] = (int)g->meets[a][upper];
  }
  return m;
}

/* The gas's velocity at particle i's place of vector `in` and, of those with added mass, its acceleration; 0 where
 * this rank cannot see all. */
static int at_particle(const triad_gas_points *p, const triad_gas_members *m, int64_t i, int in, double u[3],
                       double acceleration[3])
{
  triad_gas_near near;
  double x[3];
  for (int a = 0; a < 3; a++) x[a] = *triad_gas_moving(m, i, in, a);
  if (!triad_gas_find(p, m->points, x, m->mass > 0, &near)) return 0;
  triad_gas_sum(p, p->velocity, &near, m->points, -1, 0, 1, u);
  if (m->mass > 0) triad_gas_acceleration(p, &near, m->points, u, 0, 1, acceleration);
  return 1;
}

static void stage_of(const triad_gas_points *p, const triad_gas_members *m, int64_t i, const triad_scheme_update *s,
                     int *lost)
{
  double u[3], acceleration[3] = {0, 0, 0};
  if (triad_gas_is_taken(m, i)) return;
  if (!at_particle(p, m, i, s->in, u, acceleration)) {
    *lost = 1;
    return;
  }
  for (int k = 0; k < (m->inertial ? TRIAD_GAS_MOVING : 3); k++)
    triad_gas_move(m, s, i, k, u[k % 3], acceleration[k % 3]);
}

int triad_gas_particles_stage(triad_gas_particles *p, triad_real *const *u, const triad_scheme_update *s)
{
  return p ? p->loops->stage(p, u, s) : TRIAD_OK;
}

static int move_particles(triad_gas_particles *p, triad_real *const *u, const triad_scheme_update *s)
{
  if (p->rate[0]) triad_gas_acceleration_bring(p, u);
  for (int k = 0; k < p->n; k++) {
    const triad_gas_members m = triad_gas_members_of(&p->group[k]);
    int lost = 0;
#pragma omp parallel for schedule(static) num_threads(m.n < WORTH_WAKING ? 1 : p->context->threads) reduction(| : lost)
    for (int64_t i = 0; i < m.n; i++) stage_of(&p->points, &m, i, s, &lost);
    p->group[k].lost |= lost;
  }
  return TRIAD_OK;
}

int triad_gas_group_velocities(triad_gas_particles *p, triad_gas_group *g, double *velocity)
{
  return p->loops->velocities(p, g, velocity);
}

static int find_velocities(triad_gas_particles *p, triad_gas_group *g, double *velocity)
{
  triad_gas_members m = triad_gas_members_of(g);
  m.mass = 0;
  for (int64_t i = 0; i < m.n; i++) {
    double *u = velocity + 3 * i;
    for (int a = 0; a < 3; a++) u[a] = 0;
    if (!triad_gas_is_taken(&m, i) && !at_particle(&p->points, &m, i, 0, u, NULL)) g->lost = 1;
  }
  return TRIAD_OK;
}

int triad_gas_group_get(triad_gas_particles *p, triad_gas_group *g) { return p->loops->get(p, g); }

/* ---- the end of a step ---- */

int triad_gas_tell_lost(const triad_gas_particles *p)
{
  for (int k = 0; k < p->n; k++)
    if (p->group[k].lost)
      return TRIAD_FAIL(
        TRIAD_ERR_CASE,
        "particles %s: one moved by more than one grid spacing in a step: use a smaller time.cfl or time.dt",
        p->group[k].about.name);
  return TRIAD_OK;
}

/* The largest rate of this rank's. */
static int find_pace(triad_gas_particles *p, double *rate)
{
  for (int k = 0; k < p->n; k++) {
    const triad_gas_members m = triad_gas_members_of(&p->group[k]);
    for (int64_t i = 0; i < m.n; i++) *rate = fmax(*rate, triad_gas_pace(&p->points, &m, i));
  }
  return TRIAD_OK;
}

int triad_gas_particles_longest(triad_gas_particles *p, double cfl, double *dt)
{
  double rate = 0, all = 0;
  *dt = INFINITY;
  if (!p) return TRIAD_OK;
  for (int k = 0; k < p->n; k++) rate = fmax(rate, p->group[k].about.rate / (2 * cfl));
  TRIAD_TRY(triad_agree(&p->context->comm, p->loops->pace(p, &rate)));
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(&rate, &all, 1, MPI_DOUBLE, MPI_MAX, p->context->comm.mpi)));
  if (all > 0) *dt = 1 / all;
  return TRIAD_OK;
}

/* ---- who has which ---- */

int triad_gas_group_fit(const triad_gas_particles *p, triad_gas_group *g, int64_t n)
{
  triad_memory *m = p->context->memory;
  const int64_t room = p->context->comm.size > 1 ? n + n / 10 + 64 : n, kept = g->n < g->room ? g->n : g->room;
  double *record = NULL;
  if (n <= g->room) return TRIAD_OK;
  TRIAD_FREE(m, &g->vector);
  TRIAD_TRY(TRIAD_ALLOC(m, "particles", room * TRIAD_GAS_WIDTH, &record));
  if (kept > 0) memcpy(record, g->record, (size_t)(kept * TRIAD_GAS_WIDTH) * sizeof *record);
  TRIAD_FREE(m, &g->record);
  g->record = record;
  g->room = room;
  return p->loops->fit(p, g, room);
}

static int fit_vectors(const triad_gas_particles *p, triad_gas_group *g, int64_t room)
{
  return TRIAD_ALLOC(p->context->memory, "particles", room * TRIAD_GAS_VECTORS * TRIAD_GAS_MOVING, &g->vector);
}

typedef struct keeping {
  triad_gas_particles *p;
  triad_gas_group *g;
} keeping;

static int owner(void *self, const double *row)
{
  const keeping *k = self;
  return triad_gas_owner(&k->p->here, row + TRIAD_GAS_X);
}

static int append(void *self, int64_t n, const double *rows)
{
  const keeping *k = self;
  triad_gas_group *g = k->g;
  TRIAD_TRY(triad_gas_group_fit(k->p, g, g->n + n));
  if (n > 0) memcpy(g->record + g->n * TRIAD_GAS_WIDTH, rows, (size_t)(n * TRIAD_GAS_WIDTH) * sizeof *rows);
  g->n += n;
  return TRIAD_OK;
}

int triad_gas_group_take(triad_gas_particles *p, triad_gas_group *g, triad_group_source *source, void *self)
{
  const triad_comm *comm = &p->context->comm;
  const int64_t count = g->about.count,
                share = triad_deal(count, comm->rank + 1, comm->size) - triad_deal(count, comm->rank, comm->size);
  keeping k = {p, g};
  const triad_group_keeper keeper = {&k, owner, append};
  g->n = 0;
  TRIAD_TRY(triad_agree(comm, triad_gas_group_fit(p, g, share)));
  TRIAD_TRY(triad_group_deal(&g->about, comm, source, self, &keeper));
  return triad_agree(comm, p->loops->put(p, g));
}

/* Those that have left this block: their records out, the last ones into their places. */
static int send_away(triad_gas_particles *p, triad_gas_group *g)
{
  const triad_comm *comm = &p->context->comm;
  triad_row_buffers *b = &g->about.buffers;
  keeping k = {p, g};
  double *arrived = NULL;
  int64_t leaving = 0, n_arrived = 0;
  for (int64_t i = 0; i < g->n; i++) leaving += owner(&k, g->record + i * TRIAD_GAS_WIDTH) != comm->rank;
  TRIAD_TRY(triad_agree(comm, triad_row_buffers_fit(b, leaving, TRIAD_GAS_WIDTH)));
  leaving = 0;
  for (int64_t i = 0; i < g->n;) {
    double *r = g->record + i * TRIAD_GAS_WIDTH;
    const int to = owner(&k, r);
    if (to == comm->rank) {
      i++;
      continue;
    }
    b->to[leaving] = to;
    memcpy(b->away + leaving++ * TRIAD_GAS_WIDTH, r, TRIAD_GAS_WIDTH * sizeof *r);
    if (--g->n > i) memcpy(r, g->record + g->n * TRIAD_GAS_WIDTH, TRIAD_GAS_WIDTH * sizeof *r);
  }
  TRIAD_TRY(triad_rows_exchange(comm, b, TRIAD_GAS_WIDTH, leaving, b->away, b->to, &arrived, &n_arrived));
  return triad_agree(comm, append(&k, n_arrived, arrived));
}

int triad_gas_particles_settle(triad_gas_particles *p) { return p ? p->loops->settle(p) : TRIAD_OK; }

static int settle_groups(triad_gas_particles *p)
{
  for (int k = 0; k < p->n; k++) {
    const triad_gas_members m = triad_gas_members_of(&p->group[k]);
    for (int64_t i = 0; i < m.n; i++) triad_gas_meet(&p->points, &m, i);
  }
  TRIAD_TRY(triad_agree(&p->context->comm, triad_gas_tell_lost(p)));
  for (int k = 0; k < p->n && p->context->comm.size > 1; k++) TRIAD_TRY(send_away(p, &p->group[k]));
  return TRIAD_OK;
}

/* Records on the host are the particles themselves. */
static int leave_records(triad_gas_particles *p, triad_gas_group *g)
{
  (void)p;
  (void)g;
  return TRIAD_OK;
}

static void free_nothing(triad_gas_particles *p) { (void)p; }

const triad_gas_particle_loops triad_gas_particles_on_host = {.fit = fit_vectors,
                                                              .put = leave_records,
                                                              .get = leave_records,
                                                              .velocities = find_velocities,
                                                              .stage = move_particles,
                                                              .settle = settle_groups,
                                                              .pace = find_pace,
                                                              .free = free_nothing};
