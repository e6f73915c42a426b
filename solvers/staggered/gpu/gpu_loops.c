/* The loops of a step on a GPU: triad_staggered_loops by the kernels of cuda/staggered_*.cu, all on the device's
 * stream. */
#include "solvers/staggered/gpu/gpu_internal.h"
#include "solvers/staggered/gpu/gpu_fields.h"
#include "solvers/staggered/gpu/gpu_heat_loops.h"
#include "solvers/staggered/gpu/gpu_sums.h"
#include "solvers/staggered/gpu/gpu_implicit.h"
#include "solvers/staggered/gpu/gpu_outflow.h"

#include "solvers/staggered/plain/waves.h"

#include <string.h>

static void *stream_of(const triad_staggered_flow *f) { return triad_device_stream(f->device); }

static triad_real *pressure_of(const triad_staggered_flow *f, triad_staggered_scalar p)
{
  return p == TRIAD_STAGGERED_CHANGE ? f->gpu->implicit.change : f->gpu->p;
}

/* ---- times and failures ---- */

/* What all ranks find is no failure of a GPU. */
static int settle_status(const triad_staggered_flow *f, int status)
{
  if (f->context->comm.size > 1 && status != TRIAD_ERR_BLOWUP) triad_must(&f->context->comm, status);
  return status;
}

static int charge_phase(triad_staggered_flow *f, int phase)
{
  if (!f->gpu->apart) return TRIAD_OK;
  TRIAD_TRY(triad_device_wait(f->device));
  triad_phases_charge(&f->phases, phase, &f->charged);
  return TRIAD_OK;
}

static void time_apart(triad_staggered_flow *f, int on) { f->gpu->apart = on; }

/* ---- halos and boundaries ---- */

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
  return triad_staggered_gpu_fill(&f->gpu->kernel, &side, stream_of(f));
}

/* As triad_staggered_fill. */
static int fill_velocity(triad_staggered_flow *f, triad_real *const u[3])
{
  triad_gpu_halo_begin(f->gpu->velocities, u, 3, stream_of(f));
  triad_gpu_halo_end(f->gpu->velocities, stream_of(f));
  for (int axis = 0; axis < 3; axis++)
    for (int upper = 0; upper < 2; upper++)
      if (triad_staggered_ends_at(f->mesh, axis, upper)) TRIAD_TRY(fill_side(f, u, axis, upper));
  return TRIAD_OK;
}

static int fill_halos(triad_staggered_flow *f, int vector, bool closed)
{
  (void)closed; /* kernels close no rows */
  return fill_velocity(f, f->gpu->u[vector]);
}

static int fill_state(triad_staggered_flow *f)
{
  triad_real *const *u = f->gpu->u[0];
  TRIAD_TRY(triad_agree(&f->context->comm, triad_state_read_all(f->state, TRIAD_DEVICE)));
  int st = fill_velocity(f, u);
  if (st == TRIAD_OK && f->outflow) st = triad_staggered_gpu_outflow_continue(f, u, f->gpu->u[1][0]);
  if (st == TRIAD_OK && f->outflow) st = fill_velocity(f, u);
  if (st == TRIAD_OK && f->heat[0]) st = triad_staggered_gpu_fill_heat(f, 0);
  return settle_status(f, st);
}

static int carry_outflow(triad_staggered_flow *f, int x, int in, double dt)
{
  return triad_staggered_gpu_outflow_carry(f, f->gpu->u[x], f->gpu->u[in], dt);
}

/* The vector is the stage's own from now on: a change of the box scales it too. */
static int put_outflow(triad_staggered_flow *f, int vector)
{
  TRIAD_TRY(triad_staggered_gpu_outflow_put(f, f->gpu->u[vector]));
  f->gpu->live = vector;
  return TRIAD_OK;
}

/* ---- a stage ---- */

static int find_momentum(triad_staggered_flow *f, const triad_staggered_stage *stage)
{
  const struct triad_staggered_on_gpu *g = f->gpu;
  triad_staggered_gpu_update update = {
    .x_part = (triad_real)stage->x_part, .rate = (triad_real)stage->rate, .viscosity = (triad_real)stage->viscosity};
  for (int a = 0; a < 3; a++) {
    update.in[a] = g->u[stage->in][a];
    update.diffused[a] = g->u[stage->diffused][a];
    update.x[a] = g->u[stage->x][a];
    update.out[a] = g->u[stage->out][a];
    update.force[a] = (triad_real)stage->force[a];
  }
  return triad_staggered_gpu_momentum(&g->kernel, &update, stream_of(f));
}

static int solve_diffusion(triad_staggered_flow *f, double theta, int guess, int u)
{
  return triad_staggered_gpu_implicit_solve(f, theta, f->gpu->u[guess], f->gpu->u[u]);
}

static int solve_heat(triad_staggered_flow *f, double theta, int guess, int heat)
{
  return triad_staggered_gpu_implicit_solve_heat(f, theta, f->gpu->heat[guess], f->gpu->heat[heat]);
}

static int copy_vector(triad_staggered_flow *f, int from, int to)
{
  triad_real *const *x = f->gpu->u[from], *const *out = f->gpu->u[to];
  for (int a = 0; a < 3; a++)
    TRIAD_TRY(triad_staggered_gpu_combine(f->blocks.volume, 1, x[a], NULL, out[a], stream_of(f)));
  if (f->heat[0])
    TRIAD_TRY(
      triad_staggered_gpu_combine(f->blocks.volume, 1, f->gpu->heat[from], NULL, f->gpu->heat[to], stream_of(f)));
  return TRIAD_OK;
}

static int sum_flow_rate(triad_staggered_flow *f, int vector, double sums[6])
{
  const triad_staggered_gpu_solver *s = &f->gpu->solver;
  TRIAD_TRY(triad_staggered_gpu_flow_rate(&f->gpu->kernel, f->gpu->u[vector], &s->results, stream_of(f)));
  TRIAD_TRY(triad_staggered_gpu_sums(f, 6, 0, TRIAD_STAGGERED_AFTER_SUMS));
  memcpy(sums, s->now.sum, 6 * sizeof *sums);
  return TRIAD_OK;
}

static int push_velocity(triad_staggered_flow *f, int vector, const double add[3])
{
  return triad_staggered_gpu_push(&f->gpu->kernel, f->gpu->u[vector], add, stream_of(f));
}

/* ---- the pressure ---- */

static int clear_change(triad_staggered_flow *f)
{
  triad_real *p = f->gpu->implicit.change;
  return triad_device_clear(f->device, p, f->blocks.volume * (int64_t)sizeof *p);
}

static int add_change(triad_staggered_flow *f)
{
  const struct triad_staggered_on_gpu *g = f->gpu;
  return triad_staggered_gpu_combine(f->blocks.volume, 1, g->implicit.change, g->p, g->p, stream_of(f));
}

static int solve_pressure(triad_staggered_flow *f, int vector, double dt, triad_staggered_scalar p,
                          triad_staggered_solved *solved)
{
  return triad_staggered_gpu_solve(f, f->gpu->u[vector], dt, pressure_of(f, p), solved);
}

static int project_vector(triad_staggered_flow *f, triad_staggered_scalar p, double dt, int vector)
{
  return triad_staggered_gpu_project(&f->gpu->kernel, f->gpu->u[vector], pressure_of(f, p), dt, stream_of(f));
}

/* ---- the look at a state ---- */

static int look_at_state(triad_staggered_flow *f, double results[4])
{
  const triad_staggered_gpu_solver *s = &f->gpu->solver;
  TRIAD_TRY(triad_agree(&f->context->comm, triad_state_read_all(f->state, TRIAD_DEVICE)));
  int st = triad_staggered_gpu_look(&f->gpu->kernel, f->gpu->u[0], &s->results, stream_of(f));
  if (st == TRIAD_OK) st = triad_staggered_gpu_sums(f, 3, 1, TRIAD_STAGGERED_AFTER_SUMS);
  TRIAD_TRY(settle_status(f, st));
  memcpy(results, s->now.sum, 4 * sizeof *results);
  return TRIAD_OK;
}

/* ---- costs ---- */

static void sent_bytes(const triad_staggered_flow *f, int64_t *velocity, int64_t *field)
{
  *velocity = triad_gpu_halo_bytes(f->gpu->velocities, 3);
  *field = triad_gpu_halo_bytes(f->gpu->cells, 1);
}

/* Velocities go by messages in any case. */
static const char *transport_word(const triad_staggered_flow *f)
{
  return f->gpu->windows.meets ? "put" : triad_gpu_halo_transport(f->gpu->velocities);
}

static int overlaps(const triad_staggered_flow *f) { return f->gpu->solver.parts.apart || f->gpu->windows.meets; }

static void take_solve_parts(triad_staggered_flow *f, double part_s[TRIAD_SOLVE_PARTS])
{
  for (int i = 0; i < TRIAD_SOLVE_PARTS; i++) {
    part_s[i] = f->gpu->solver.part_s[i];
    f->gpu->solver.part_s[i] = 0;
  }
}

/* An iteration of conjugate gradients moves 3 and 5 numbers per cell in its two sweeps (gpu_cg.c), 2 for the polynomial
 * and 1 for diagonals if cells are not uniform. The transform moves 2 in each of two passes forward, in lines along z
 * including the division, and in two passes back. */
static double iteration_words(const triad_staggered_setup *s)
{
  switch (s->pressure) {
  case TRIAD_STAGGERED_CG: return 8;
  case TRIAD_STAGGERED_CG_POLYNOMIAL: return triad_staggered_is_uniform(s) ? 10 : 11;
  case TRIAD_STAGGERED_CG_TRANSFORM: return 10;
  case TRIAD_STAGGERED_TRANSFORM: return 0;
  }
  return 0;
}

/* Stores into other GPUs' memory are made by the sweeps themselves. */
static int check_transport(const triad_case *given, const triad_staggered_setup *s)
{
  if (s->overlap != TRIAD_STAGGERED_OVERLAP_OFF || !triad_case_is(given, "parallel.transport", "put")) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_CASE, "solver.overlap = \"off\" is not available with parallel.transport = \"put\", "
                                    "which always overlaps communication: use \"ipc\", or remove solver.overlap");
}

static int count_needs(const triad_case *given, const triad_staggered_setup *s, const triad_partition *largest,
                       int size, triad_needs *needs)
{
  if (size > 1) TRIAD_TRY(check_transport(given, s));
  triad_needs_add(&needs->gpu, "state, stages, pressure", "with halos", triad_staggered_gpu_bytes(largest, s));
  return TRIAD_OK;
}

extern const triad_staggered_loops triad_staggered_gpu_loops; /* device.c */

const triad_staggered_loops triad_staggered_gpu_loops = {.where = TRIAD_DEVICE,
                                                         .create = triad_staggered_gpu_make,
                                                         .free = triad_staggered_gpu_drop,
                                                         .renew = triad_staggered_gpu_renew,
                                                         .resize = triad_staggered_gpu_resize,
                                                         .fill = fill_halos,
                                                         .fill_state = fill_state,
                                                         .carry_outflow = carry_outflow,
                                                         .put_outflow = put_outflow,
                                                         .momentum = find_momentum,
                                                         .diffuse = solve_diffusion,
                                                         .copy = copy_vector,
                                                         .sum_flow_rate = sum_flow_rate,
                                                         .push = push_velocity,
                                                         .fill_heat = triad_staggered_gpu_fill_heat,
                                                         .heat = triad_staggered_gpu_find_heat,
                                                         .diffuse_heat = solve_heat,
                                                         .add_buoyancy = triad_staggered_gpu_add_buoyancy,
                                                         .look_heat = triad_staggered_gpu_find_heat_limits,
                                                         .sum_heat = triad_staggered_gpu_sum_heat,
                                                         .clear_change = clear_change,
                                                         .add_change = add_change,
                                                         .solve = solve_pressure,
                                                         .project = project_vector,
                                                         .look = look_at_state,
                                                         .sum_budget = triad_staggered_gpu_measure,
                                                         .probe_numbers = triad_staggered_gpu_entries,
                                                         .sum_planes = triad_staggered_gpu_sum_planes,
                                                         .charge = charge_phase,
                                                         .time_apart = time_apart,
                                                         .settle = settle_status,
                                                         .sent_bytes = sent_bytes,
                                                         .transport = transport_word,
                                                         .solve_parts = take_solve_parts,
                                                         .overlaps = overlaps,
                                                         .iteration_words = iteration_words,
                                                         .count_needs = count_needs};
