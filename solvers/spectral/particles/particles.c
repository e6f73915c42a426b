/* Create, advance and measure the groups of particles in a spectral flow. */
#include "solvers/spectral/particles/particles_internal.h"
#include "solvers/spectral/shear/shear.h"
#include "solvers/spectral/step/evaluate.h"
#include "solvers/spectral/particles/files.h"
#include "solvers/spectral/particles/particles_gather.h"
#include "solvers/spectral/particles/acceleration.h"
#include "solvers/particles/start.h"

#include "fft/pass/pass.h"
#include "solvers/spectral/equations/gpe.h"
#include "solvers/spectral/gpu_part.h"
#include "solvers/spectral/part.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int triad_particles_wanted(const triad_case *c) { return triad_case_tables(c, "particles") > 0; }

struct triad_gpu_particles *triad_particles_gpu(const triad_particles *p) { return p ? p->gpu : NULL; }

static const triad_particles_way on_host, on_gpu; /* below */

/* ---- making ---- */

static int take_rates(triad_particles *p)
{
  const int n = p->flow->shape.n_fields;
  TRIAD_TRY(TRIAD_ALLOC(p->flow->context->memory, "particles", n, &p->rates_of));
  for (int f = 0; f < n && f < 4; f++)
    TRIAD_TRY(TRIAD_ALLOC(p->flow->context->memory, "particles", p->flow->layout->modes, &p->rate[f]));
  for (int f = 0; f < n; f++) p->rates_of[f] = p->rate[f < 3 ? f : 3];
  return TRIAD_OK;
}

static int read_groups(triad_particles *p)
{
  const triad_case *c = p->flow->given;
  p->n = triad_case_tables(c, "particles");
  p->heavy_only = 1;
  TRIAD_TRY(TRIAD_ALLOC(p->flow->context->memory, "particles", p->n, &p->group));
  for (int i = 0; i < p->n; i++) {
    triad_group *g = &p->group[i];
    triad_group_read(g, c, i + 1);
    if (g->order > p->most_order) p->most_order = g->order;
    if (g->mass > 0) p->heavy_only = 0;
  }
  TRIAD_TRY(TRIAD_ALLOC(p->flow->context->memory, "particles", p->n, &p->file));
  TRIAD_TRY(TRIAD_ALLOC(p->flow->context->memory, "particles", p->n, &p->rows));
  TRIAD_TRY(TRIAD_ALLOC(p->flow->context->memory, "particles", p->n, &p->kept));
  TRIAD_TRY(TRIAD_ALLOC(p->flow->context->memory, "particles", p->n, &p->placed));
  if (triad_case_is(c, "equations.solver", "gpe")) p->two_alpha = 2 * triad_gpe_from_case(c).alpha;
  return TRIAD_OK;
}

int triad_particles_create(triad_particles **out, triad_flow *flow)
{
  const triad_comm *comm = &flow->context->comm;
  *out = NULL;
  if (!triad_particles_wanted(flow->given)) return TRIAD_OK;
  triad_particles *p = *out = calloc(1, sizeof *p);
  int st = p ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the particles");
  if (p) {
    p->flow = flow;
    p->way = flow->device ? &on_gpu : &on_host;
    st = read_groups(p);
  }
  st = triad_agree(comm, st);
  if (st == TRIAD_OK) st = p->way->create(p);
  if (st != TRIAD_OK) triad_particles_destroy(out);
  return st;
}

void triad_particles_destroy(triad_particles **particles)
{
  triad_particles *p = *particles;
  if (!p) return;
  triad_memory *m = p->flow->context->memory;
  triad_particles_close(p);
  TRIAD_FREE(m, &p->file);
  TRIAD_FREE(m, &p->rows);
  TRIAD_FREE(m, &p->kept);
  TRIAD_FREE(m, &p->placed);
  for (int i = 0; p->group && i < p->n; i++) triad_group_destroy(&p->group[i], m);
  p->way->destroy(p);
  TRIAD_FREE(m, &p->group);
  free(p);
  *particles = NULL;
}

void triad_particles_memory(const triad_case *c, const triad_layout *l, int threads, int gpu, triad_rank_needs *needs)
{
  int64_t bytes = 0, reals = 0, rates = 0, all = 0, kept;
  double row;
  for (int i = 1; i <= triad_case_tables(c, "particles"); i++) {
    triad_group g;
    triad_group_read(&g, c, i);
    g.count = triad_start_planned(c, i);
    int64_t here = g.count / l->size + 1, planes = triad_gather_reals(l, threads, g.order);
    if (planes > reals) reals = planes;
    if (g.mass > 0) rates = 4 * l->modes * (int64_t)sizeof(triad_cplx);
    bytes +=
      (l->size > 1 ? here + here / 10 : here) * (g.width * (int64_t)sizeof(double) + 2 * (int64_t)sizeof(int32_t)) +
      triad_group_tiles(l, 1) * triad_group_tiles(l, 0) * l->n_planes * (int64_t)sizeof *g.begin;
    all += g.count;
  }
  triad_particles_bytes(c, &row, &kept);
  if (bytes > 0)
    triad_needs_add(needs, "particles",
                    gpu ? "their records, for files" : "their records, and the planes they are summed from",
                    bytes + (gpu ? 0 : rates + reals * (int64_t)sizeof(triad_real)));
  if (all > 0) /* a row twice, with numbers, sorted by number, dataset by dataset; and the last checkpoint's data */
    triad_needs_add_files(needs, "rows of particles", "buffers while files are written",
                          (2 * (int64_t)row + kept + 8 * all) / l->size);
}

/* ---- on the CPU ---- */

static int create_here(triad_particles *p)
{
  int st = p->heavy_only ? TRIAD_OK : take_rates(p);
  if (st == TRIAD_OK && p->flow->offload && !p->heavy_only) st = triad_row_work_create(&p->rates, p->flow);
  TRIAD_TRY(triad_agree(&p->flow->context->comm, st));
  return triad_gather_create(&p->gather, p->flow, p->most_order);
}

static void destroy_here(triad_particles *p)
{
  triad_memory *m = p->flow->context->memory;
  for (int i = 0; i < 4; i++) TRIAD_FREE(m, &p->rate[i]);
  TRIAD_FREE(m, &p->rates_of);
  triad_row_work_destroy(&p->rates, p->flow);
  triad_gather_destroy(&p->gather, m);
}

static int gather_here(triad_particles *p, const triad_gather_want *want, int offset, double *const *out)
{
  return triad_particles_gather_from(p, want, 0, offset, out);
}

static int sort_here(triad_particles *p)
{
  for (int i = 0; i < p->n; i++) TRIAD_TRY(triad_group_sort(&p->group[i], p->flow->context, p->flow->planes));
  return TRIAD_OK;
}

static int copy_nothing(triad_particles *p)
{
  (void)p;
  return TRIAD_OK;
}

static const triad_particles_way on_host = {.create = create_here,
                                            .destroy = destroy_here,
                                            .gather = gather_here,
                                            .put = copy_nothing,
                                            .sort = sort_here,
                                            .get = copy_nothing};

/* ---- on a GPU ---- */

static int create_there(triad_particles *p)
{
  return triad_spectral_gpu->particles->create(&p->gpu, p->flow, p->n, p->group, p->two_alpha);
}

static void destroy_there(triad_particles *p)
{
  if (p->gpu) triad_spectral_gpu->particles->destroy(&p->gpu);
}

static int gather_there(triad_particles *p, const triad_gather_want *want, int offset, double *const *out)
{
  return triad_spectral_gpu->particles->gather(p->gpu, want, offset, out);
}

static int put_there(triad_particles *p) { return triad_spectral_gpu->particles->put(p->gpu); }

static int get_sorted(triad_particles *p) { return triad_spectral_gpu->particles->get(p->gpu); }

static const triad_particles_way on_gpu = {.create = create_there,
                                           .destroy = destroy_there,
                                           .gather = gather_there,
                                           .put = put_there,
                                           .sort = get_sorted,
                                           .get = get_sorted};

/* ---- a stage ---- */

/* The fluid's acceleration takes the velocity at particles before the stage's pass. */
int triad_particles_prepare(triad_particles *p, const triad_observer **observer)
{
  *observer = NULL;
  if (!p) return TRIAD_OK;
  const triad_gather_want u = triad_gather_fields(3, triad_particles_fluid(p->flow), -1);
  p->observes =
    triad_particles_has(p, 0) && p->heavy_only && triad_evaluation_shows(p->flow) && p->flow->planes == p->flow->layout;
  TRIAD_TRY(triad_particles_sort(p));
  if (p->two_alpha > 0) return triad_particles_velocity(p);
  TRIAD_TRY(triad_particles_gather_from(p, &u, p->observes, TRIAD_PARTICLE_U, NULL));
  if (p->observes) {
    triad_gather_begin(p->gather, 3, 0, p->n, p->group, TRIAD_PARTICLE_U, NULL);
    p->observer = (triad_observer){.points = triad_gather_points,
                                   .planes = triad_gather_planes,
                                   .together = triad_gather_together(p->gather),
                                   .self = p->gather};
    *observer = &p->observer;
  }
  return p->heavy_only ? TRIAD_OK : triad_acceleration_begin(p);
}

triad_particle_stage triad_group_stage(const triad_group *g, const triad_scheme *scheme, int stage, double dt)
{
  const triad_stage *now = &scheme->stage[stage];
  const double next = stage + 1 < scheme->n_stages ? scheme->stage[stage + 1].c : 1;
  return (triad_particle_stage){.a = now->a,
                                .b_dt = now->b * dt,
                                .d = now->d,
                                .e_dt = now->e * dt,
                                .first = stage == 0,
                                .inertial = g->kind == TRIAD_INERTIAL,
                                .decay = exp(-(next - now->c) * dt * g->rate),
                                .rate = g->rate,
                                .mass = g->mass,
                                .pull = {g->pull[0], g->pull[1], g->pull[2]},
                                .turn = {g->turn[0], g->turn[1], g->turn[2]},
                                .turns = g->turns};
}

/* shear: the mean flow is that times y, along x. */
static void advance_group(triad_group *g, const triad_scheme *scheme, int stage, double dt, double shear, int threads)
{
  const triad_particle_stage s = triad_group_stage(g, scheme, stage, dt);
#pragma omp parallel for schedule(static) num_threads(threads)
  for (int64_t i = 0; i < g->n; i++) {
    double *r = triad_group_record(g, i), turned[3] = {0, 0, 0};
    if (shear != 0) r[TRIAD_PARTICLE_U] += shear * r[TRIAD_PARTICLE_X + 1];
    if (s.turns) triad_particle_turn(&s, r + TRIAD_PARTICLE_U, r + TRIAD_PARTICLE_V, turned);
    for (int a = 0; a < 3; a++)
      triad_particle_move(&s, a, r[TRIAD_PARTICLE_U + a], s.mass > 0 ? r[TRIAD_PARTICLE_A + a] : 0, turned[a],
                          &r[TRIAD_PARTICLE_X + a], &r[TRIAD_PARTICLE_XQ + a],
                          s.inertial ? &r[TRIAD_PARTICLE_V + a] : NULL, s.inertial ? &r[TRIAD_PARTICLE_VQ + a] : NULL,
                          s.inertial ? &r[TRIAD_PARTICLE_REST + a] : NULL);
  }
}

int triad_particles_advance(triad_particles *p, const triad_scheme *scheme, int stage, double dt)
{
  if (!p) return TRIAD_OK;
  if (p->observes) TRIAD_TRY(triad_gather_finish(p->gather));
  p->observes = 0;
  if (!p->heavy_only) TRIAD_TRY(triad_acceleration_end(p));
  for (int i = 0; i < p->n; i++)
    advance_group(&p->group[i], scheme, stage, dt, triad_shear_rate(p->flow->shear), p->flow->context->threads);
  return TRIAD_OK;
}

/* x + dt u(x, t), and with that place x + dt/2 (u(x, t) + u(that, t + dt)). */
const triad_scheme triad_particles_about = {.source = "Heun's method",
                                            .form = TRIAD_SCHEME_REGISTER,
                                            .order = 2,
                                            .n_stages = 2,
                                            .stage = {{.c = 0, .b = 1, .e = 1}, {.c = 1, .a = -0.5, .b = 0.5}}};

double triad_particles_dt(const triad_particles *p, double cfl)
{
  double dt = INFINITY;
  for (int i = 0; p && i < p->n; i++)
    if (p->group[i].rate > 0) dt = fmin(dt, 2 * cfl / p->group[i].rate);
  return dt;
}

/* ---- the start ---- */

static int from_case(void *self, const triad_group *g, int64_t begin, int64_t end, double *rows)
{
  const triad_flow *flow = self;
  return triad_start_places(g, flow->given, flow->grid.length, begin, end, rows);
}

static int place_group(triad_group *g, triad_flow *flow)
{
  if (g->count == 0) TRIAD_TRY(triad_agree(&flow->context->comm, triad_start_count(flow->given, g->number, &g->count)));
  return triad_group_take(g, flow->context, flow->planes, from_case, flow);
}

/* Inertial ones that were placed just now move with the fluid. */
static void set_off(triad_particles *p)
{
  for (int i = 0; i < p->n; i++)
    for (int64_t k = 0; !p->placed[i] && k < p->group[i].n && p->group[i].kind == TRIAD_INERTIAL; k++) {
      double *r = triad_group_record(&p->group[i], k);
      memcpy(r + TRIAD_PARTICLE_V, r + TRIAD_PARTICLE_U, 3 * sizeof *r);
    }
}

int triad_particles_start(triad_particles *p, triad_log *log)
{
  if (!p) return TRIAD_OK;
  for (int i = 0; i < p->n; i++) {
    triad_group *g = &p->group[i];
    if (p->placed[i]) continue;
    TRIAD_TRY(place_group(g, p->flow));
    triad_log_info(log, "particles %s: %" PRId64 " %s, %s of order %d", g->name, g->count,
                   g->kind == TRIAD_TRACER ? "tracers" : "inertial ones", g->divided ? "splines" : "polynomials",
                   g->order);
  }
  TRIAD_TRY(p->way->put(p));
  TRIAD_TRY(triad_particles_sort(p));
  TRIAD_TRY(triad_particles_velocity(p));
  set_off(p);
  return p->way->put(p);
}
