/* Stages and looks of the staggered solver on a GPU: gpu.h's table. */
#include "solvers/staggered/gpu/gpu_internal.h"

#include <math.h>

/* Once a GPU has failed, others wait for its messages in vain: there is no way back. What all ranks find is none. */
static int or_stop(const triad_staggered_flow *f, int st)
{
  if (f->context->comm.size > 1 && st != TRIAD_ERR_BLOWUP) triad_must(&f->context->comm, st);
  return st;
}

/* In steps that are timed apart: wait, and add the time since to a phase. */
static int note(triad_staggered_flow *f, enum triad_phase phase, double *since)
{
  if (!f->gpu->apart) return TRIAD_OK;
  TRIAD_TRY(triad_device_wait(f->device));
  double now = triad_now();
  f->phases.s[phase] += now - *since;
  *since = now;
  return TRIAD_OK;
}

/* As fill_side of mesh.c. */
static int fill_side(triad_staggered_flow *f, triad_real *const u[3], int axis, int upper)
{
  triad_staggered_side kind = f->setup.side[axis][upper];
  double factor = kind == TRIAD_STAGGERED_WALL ? f->mesh->wall_factor : 1;
  triad_staggered_gpu_side side = {.axis = axis,
                                   .upper = upper,
                                   .closed = kind != TRIAD_STAGGERED_OUTFLOW,
                                   .given = kind == TRIAD_STAGGERED_WALL || kind == TRIAD_STAGGERED_INFLOW};
  for (int a = 0; a < 3; a++) {
    side.u[a] = u[a];
    side.velocity[a] = (triad_real)(factor * f->setup.wall[axis][upper][a]);
  }
  return triad_staggered_gpu_fill(&f->gpu->kernel, &side, triad_device_stream(f->device));
}

/* As triad_staggered_fill. */
static int fill_halos(triad_staggered_flow *f, triad_real *const u[3])
{
  void *stream = triad_device_stream(f->device);
  triad_gpu_halo_begin(f->gpu->velocities, u, 3, stream);
  triad_gpu_halo_end(f->gpu->velocities, stream);
  for (int axis = 0; axis < 3; axis++)
    for (int upper = 0; upper < 2; upper++)
      if (triad_staggered_ends_at(f->mesh, axis, upper)) TRIAD_TRY(fill_side(f, u, axis, upper));
  return TRIAD_OK;
}

static int make_solenoidal(triad_staggered_flow *f, triad_real *const u[3], double dt)
{
  double since = triad_now();
  triad_staggered_solved solved;
  triad_real *p = f->setup.implicit ? f->gpu->implicit.change : f->gpu->p;
  int64_t n = f->blocks.volume;
  void *stream = triad_device_stream(f->device);
  if (f->setup.implicit) TRIAD_TRY(triad_device_clear(f->device, p, n * (int64_t)sizeof *p));
  TRIAD_TRY(triad_staggered_gpu_solve(f, u, dt, p, &solved));
  TRIAD_TRY(note(f, f->setup.pressure == TRIAD_STAGGERED_TRANSFORM ? TRIAD_PHASE_FFT : TRIAD_PHASE_REST, &since));
  TRIAD_TRY(triad_staggered_gpu_project(&f->gpu->kernel, u, p, dt, stream));
  if (f->setup.implicit) TRIAD_TRY(triad_staggered_gpu_combine(n, 1, p, f->gpu->p, f->gpu->p, stream));
  TRIAD_TRY(note(f, TRIAD_PHASE_POINTWISE, &since));
  f->iterations += solved.iterations;
  f->solves += 1;
  f->all_iterations += solved.iterations;
  f->residual = fmax(f->residual, solved.residual);
  return TRIAD_OK;
}

static int solenoidal(triad_staggered_flow *f, double dt)
{
  int st = triad_agree(&f->context->comm, triad_state_write_all(f->state, TRIAD_DEVICE));
  if (st == TRIAD_OK) st = fill_halos(f, f->gpu->u[0]);
  if (st == TRIAD_OK) st = make_solenoidal(f, f->gpu->u[0], dt);
  if (st == TRIAD_OK) st = fill_halos(f, f->gpu->u[0]);
  TRIAD_TRY(or_stop(f, st));
  return triad_agree(&f->context->comm, triad_state_write_all(f->state, TRIAD_HOST));
}

static int keep_flow_rate(triad_staggered_flow *f, triad_real *const u[3], double dt)
{
  void *stream = triad_device_stream(f->device);
  double add[3];
  TRIAD_TRY(triad_staggered_gpu_flow_rate(&f->gpu->kernel, u, &f->gpu->solver.results, stream));
  TRIAD_TRY(triad_staggered_gpu_sums(f, 6, 0, TRIAD_STAGGERED_AFTER_SUMS));
  triad_staggered_push_of_flow_rate(f, f->gpu->solver.now.sum, dt, add);
  return triad_staggered_gpu_push(&f->gpu->kernel, u, add, stream);
}

/* As diffuse of step.c. */
static int diffuse(triad_staggered_flow *f, int in, int to, int out, double dt)
{
  triad_real *const *guess = f->gpu->u[in], *const *u = f->gpu->u[to];
  void *stream = triad_device_stream(f->device);
  int moves = f->setup.wall_frequency > 0;
  if (moves) TRIAD_TRY(triad_staggered_set_time(f, f->at.t + dt, 0));
  if (moves) TRIAD_TRY(fill_halos(f, guess));
  TRIAD_TRY(triad_staggered_gpu_implicit_solve(f, dt * f->setup.viscosity / 2, guess, u));
  if (moves && in == 0) { /* the step's beginning, whose diffusion the next stages want */
    TRIAD_TRY(triad_staggered_set_time(f, f->at.t, 0));
    TRIAD_TRY(fill_halos(f, guess));
  }
  for (int a = 0; a < 3 && to != out; a++)
    TRIAD_TRY(triad_staggered_gpu_combine(f->blocks.volume, 1, u[a], NULL, f->gpu->u[out][a], stream));
  return TRIAD_OK;
}

/* The stage before its pressure, boundaries and lengths as they are at its end; halos are not filled. */
static int predict(triad_staggered_flow *f, const triad_scheme_update *p, double dt)
{
  struct triad_staggered_on_gpu *g = f->gpu;
  int rate_kept = f->forcing.kind == TRIAD_STAGGERED_FLOW_RATE, to = triad_staggered_target(f, p);
  void *stream = triad_device_stream(f->device);
  triad_staggered_gpu_update update = {.x_part = (triad_real)p->x_part,
                                       .rate = (triad_real)dt,
                                       .viscosity = (triad_real)(f->setup.viscosity * (f->setup.implicit ? 0.5 : 1))};
  for (int a = 0; a < 3; a++) {
    update.in[a] = g->u[p->in][a];
    update.diffused[a] = g->u[f->setup.implicit ? p->x : p->in][a];
    update.x[a] = g->u[p->x][a];
    update.out[a] = g->u[to][a];
    update.force[a] = (triad_real)(rate_kept ? 0 : f->force[a]);
  }
  TRIAD_TRY(triad_staggered_gpu_outflow_carry(f, g->u[p->x], g->u[p->in], dt)); /* before `out`, which may be x */
  TRIAD_TRY(triad_staggered_gpu_momentum(&g->kernel, &update, stream));
  if (f->setup.implicit) TRIAD_TRY(triad_staggered_gpu_project(&g->kernel, g->u[to], g->p, dt, stream));
  if (f->setup.implicit) TRIAD_TRY(diffuse(f, p->in, to, p->out, dt));
  if (rate_kept) TRIAD_TRY(keep_flow_rate(f, g->u[p->out], dt));
  TRIAD_TRY(triad_staggered_gpu_outflow_put(f, g->u[p->out]));
  g->live = p->out;
  return triad_staggered_set_time(f, f->at.t + dt, 0); /* each stage starts from the step's beginning */
}

static int work(triad_staggered_flow *f, const triad_scheme_update *p)
{
  double since = triad_now(), dt = p->rate * p->rate_dt;
  triad_real *const *out = f->gpu->u[p->out];
  if (p->stage > 0) TRIAD_TRY(fill_halos(f, f->gpu->u[p->in])); /* the state's are filled */
  TRIAD_TRY(note(f, TRIAD_PHASE_EXCHANGE, &since));
  TRIAD_TRY(predict(f, p, dt));
  TRIAD_TRY(note(f, TRIAD_PHASE_POINTWISE, &since));
  TRIAD_TRY(fill_halos(f, out));
  TRIAD_TRY(note(f, TRIAD_PHASE_EXCHANGE, &since));
  return make_solenoidal(f, out, dt);
}

static int stage(triad_staggered_flow *f, const triad_scheme_update *p) { return or_stop(f, work(f, p)); }

static int reduce_state(triad_staggered_flow *f, double results[4])
{
  triad_staggered_gpu_solver *s = &f->gpu->solver;
  int st = triad_agree(&f->context->comm, triad_state_read_all(f->state, TRIAD_DEVICE));
  TRIAD_TRY(st);
  st = fill_halos(f, f->gpu->u[0]);
  if (st == TRIAD_OK && f->outflow) st = triad_staggered_gpu_outflow_continue(f, f->gpu->u[0], f->gpu->u[1][0]);
  if (st == TRIAD_OK && f->outflow) st = fill_halos(f, f->gpu->u[0]);
  if (st == TRIAD_OK)
    st = triad_staggered_gpu_look(&f->gpu->kernel, f->gpu->u[0], &s->results, triad_device_stream(f->device));
  if (st == TRIAD_OK) st = triad_staggered_gpu_sums(f, 3, 1, TRIAD_STAGGERED_AFTER_SUMS);
  TRIAD_TRY(or_stop(f, st));
  for (int i = 0; i < 4; i++) results[i] = s->now.sum[i];
  return TRIAD_OK;
}

static void apart(triad_staggered_flow *f, int on) { f->gpu->apart = on; }

static void sent_bytes(const triad_staggered_flow *f, int64_t *velocity, int64_t *field)
{
  *velocity = triad_gpu_halo_bytes(f->gpu->velocities, 3);
  *field = triad_gpu_halo_bytes(f->gpu->cells, 1);
}

/* Velocities go by messages in any case. */
static const char *transport(const triad_staggered_flow *f)
{
  return f->gpu->windows.meets ? "put" : triad_gpu_halo_transport(f->gpu->velocities);
}

static int overlaps(const triad_staggered_flow *f) { return f->gpu->solver.parts.apart || f->gpu->windows.meets; }

static void parts(triad_staggered_flow *f, double part_s[TRIAD_SOLVE_PARTS])
{
  for (int i = 0; i < TRIAD_SOLVE_PARTS; i++) {
    part_s[i] = f->gpu->solver.part_s[i];
    f->gpu->solver.part_s[i] = 0;
  }
}

extern const triad_staggered_gpu_part triad_staggered_gpu_table;

const triad_staggered_gpu_part triad_staggered_gpu_table = {.make = triad_staggered_gpu_make,
                                                            .drop = triad_staggered_gpu_drop,
                                                            .renew = triad_staggered_gpu_renew,
                                                            .resize = triad_staggered_gpu_resize,
                                                            .solenoidal = solenoidal,
                                                            .stage = stage,
                                                            .look = reduce_state,
                                                            .measure = triad_staggered_gpu_measure,
                                                            .entries = triad_staggered_gpu_entries,
                                                            .planes = triad_staggered_gpu_sum_planes,
                                                            .apart = apart,
                                                            .sent_bytes = sent_bytes,
                                                            .transport = transport,
                                                            .parts = parts,
                                                            .overlaps = overlaps,
                                                            .bytes = triad_staggered_gpu_bytes};
