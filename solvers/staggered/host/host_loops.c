/* The table of loops for the CPU, and the loops that are short. */
#include "solvers/staggered/host/host_loops.h"
#include "solvers/staggered/plain/waves.h"

#include "solvers/staggered/host/heat.h"
#include "solvers/staggered/host/implicit.h"
#include "solvers/staggered/host/momentum.h"
#include "solvers/staggered/host/sums.h"
#include "solvers/staggered/state/thermal.h"

#include <string.h>

static triad_real *pressure_of(const triad_staggered_flow *f, triad_staggered_scalar p)
{
  return p == TRIAD_STAGGERED_CHANGE ? f->change : f->p;
}

/* ---- memory ---- */

static int create_solvers(triad_staggered_flow *f, const char *run_dir)
{
  triad_memory *memory = f->context->memory;
  int st = TRIAD_OK;
  if (f->setup.implicit) st = TRIAD_ALLOC(memory, "pressure's change", f->blocks.volume, &f->change);
  st = triad_agree(&f->context->comm, st);
  if (st == TRIAD_OK) st = triad_staggered_solver_create(&f->solver, f->mesh, run_dir);
  if (st == TRIAD_OK && f->setup.implicit) st = triad_staggered_implicit_create(&f->implicit, f->mesh);
  return st;
}

static void free_solvers(triad_staggered_flow *f)
{
  triad_staggered_solver_destroy(&f->solver);
  triad_staggered_implicit_destroy(&f->implicit);
  TRIAD_FREE(f->context->memory, &f->change);
}

/* Loops on the CPU read the mesh as it is. */
static int renew_nothing(triad_staggered_flow *f)
{
  (void)f;
  return TRIAD_OK;
}

/* L_i u_i is what stays in a box that moves with the strain. */
static void strain_velocities(triad_staggered_flow *f, const double before[3])
{
  for (int a = 0; a < 3; a++) {
    triad_real factor = (triad_real)(before[a] / f->setup.length[a]);
    for (int v = 0; v < TRIAD_STAGGERED_VECTORS; v++)
#pragma omp parallel for simd schedule(static) num_threads(f->context->threads)
      for (int64_t i = 0; i < f->blocks.volume; i++) f->u[v][a][i] *= factor;
  }
}

static int resize_box(triad_staggered_flow *f, const double before[3])
{
  if (before) strain_velocities(f, before);
  triad_staggered_solver_renew(f->solver);
  return TRIAD_OK;
}

/* ---- halos and boundaries ---- */

static int fill_halos(triad_staggered_flow *f, int vector, bool closed)
{
  if (closed) triad_staggered_fill_closed(f->mesh, f->u[vector]);
  else triad_staggered_fill(f->mesh, f->u[vector]);
  return TRIAD_OK;
}

static int fill_state(triad_staggered_flow *f)
{
  triad_staggered_fill(f->mesh, f->u[0]);
  triad_staggered_outflow_continue(f->outflow, f->u[0], f->b);
  if (f->heat[0]) triad_staggered_fill_heat(f->mesh, 0, f->heat[0]);
  return TRIAD_OK;
}

static int fill_heat(triad_staggered_flow *f, int vector)
{
  triad_staggered_fill_heat(f->mesh, 0, f->heat[vector]);
  return TRIAD_OK;
}

static int carry_outflow(triad_staggered_flow *f, int x, int in, double dt)
{
  triad_staggered_outflow_carry(f->outflow, f->u[x], f->u[in], dt);
  return TRIAD_OK;
}

static int put_outflow(triad_staggered_flow *f, int vector)
{
  return triad_staggered_outflow_put(f->outflow, f->u[vector]);
}

/* ---- a stage ---- */

static int find_momentum(triad_staggered_flow *f, const triad_staggered_stage *stage)
{
  triad_staggered_update update = {.in = f->u[stage->in],
                                   .diffused = f->u[stage->diffused],
                                   .x = f->u[stage->x],
                                   .out = f->u[stage->out],
                                   .x_part = stage->x_part,
                                   .rate = stage->rate,
                                   .viscosity = stage->viscosity};
  for (int i = 0; i < 3; i++) update.force[i] = stage->force[i];
  return triad_staggered_momentum(f->mesh, &update);
}

static int add_force(triad_staggered_flow *f, double t, double dt, int in, int out)
{
  return triad_staggered_formulas_add(f->formulas, f->mesh, t, dt, f->u[in], f->u[out]);
}

static int solve_diffusion(triad_staggered_flow *f, double theta, int guess, int u)
{
  const triad_real *const from[3] = {f->u[guess][0], f->u[guess][1], f->u[guess][2]};
  return triad_staggered_implicit_solve(f->implicit, theta, f->setup.tolerance, from, f->u[u]);
}

static int solve_heat(triad_staggered_flow *f, double theta, int guess, int heat)
{
  return triad_staggered_implicit_solve_heat(f->implicit, theta, f->setup.tolerance, f->heat[guess], f->heat[heat]);
}

static int copy_vector(triad_staggered_flow *f, int from, int to)
{
  const size_t bytes = (size_t)f->blocks.volume * sizeof(triad_real);
  for (int a = 0; a < 3; a++) memcpy(f->u[to][a], f->u[from][a], bytes);
  if (f->heat[0]) memcpy(f->heat[to], f->heat[from], bytes);
  return TRIAD_OK;
}

/* ---- the pressure ---- */

static int clear_change(triad_staggered_flow *f)
{
  memset(f->change, 0, (size_t)f->blocks.volume * sizeof *f->change);
  return TRIAD_OK;
}

static int add_change(triad_staggered_flow *f)
{
  for (int64_t i = 0; i < f->blocks.volume; i++) f->p[i] += f->change[i];
  return TRIAD_OK;
}

static int charge_phase(triad_staggered_flow *f, int phase)
{
  triad_phases_charge(&f->phases, phase, &f->charged);
  return TRIAD_OK;
}

/* Sweeps, sums, halos and transforms of a solve charge their own time; all other time of it is one phase. */
static void charge_solve(triad_staggered_flow *f)
{
  const double began = f->charged;
  const triad_phases parts = triad_staggered_solver_phases(f->solver);
  triad_phases_charge(&f->phases, TRIAD_STAGGERED_PHASE_PRESSURE, &f->charged);
  f->solve_s += f->charged - began;
  for (int i = 0; i < TRIAD_MOST_PHASES; i++) {
    f->phases.s[i] += parts.s[i];
    f->phases.s[TRIAD_STAGGERED_PHASE_PRESSURE] -= parts.s[i];
  }
}

static int solve_pressure(triad_staggered_flow *f, int vector, double dt, triad_staggered_scalar p,
                          triad_staggered_solved *solved)
{
  double rounding;
  TRIAD_TRY(triad_staggered_source(f->mesh, f->u[vector], dt, f->b, &rounding));
  TRIAD_TRY(charge_phase(f, TRIAD_STAGGERED_PHASE_DIVERGENCE));
  TRIAD_TRY(triad_staggered_solve(f->solver, f->b, f->setup.tolerance, rounding, pressure_of(f, p), solved));
  charge_solve(f);
  return TRIAD_OK;
}

static int project_vector(triad_staggered_flow *f, triad_staggered_scalar p, double dt, int vector)
{
  return triad_staggered_project(f->mesh, pressure_of(f, p), dt, f->u[vector]);
}

/* ---- what is measured ---- */

static int find_probe_numbers(triad_staggered_flow *f, int64_t version, const triad_real **numbers)
{
  (void)version;
  *numbers = NULL;
  return triad_agree(&f->context->comm, triad_state_read_all(f->state, TRIAD_HOST));
}

static int find_planes(triad_staggered_flow *f, int axis, const double **planes)
{
  (void)f;
  (void)axis;
  *planes = NULL;
  return TRIAD_OK;
}

/* ---- times, failures, costs ---- */

static void time_apart(triad_staggered_flow *f, int on) { triad_staggered_solver_apart(f->solver, on); }

/* What fails on the CPU fails on all ranks. */
static int settle_status(const triad_staggered_flow *f, int status)
{
  (void)f;
  return status;
}

static void sent_bytes(const triad_staggered_flow *f, int64_t *velocity, int64_t *field)
{
  *velocity = triad_halo_bytes(f->mesh->velocities, 3);
  *field = triad_halo_bytes(f->mesh->cells, 1);
}

static const char *transport_word(const triad_staggered_flow *f)
{
  (void)f;
  return "mpi";
}

static void take_solve_parts(triad_staggered_flow *f, double part_s[TRIAD_SOLVE_PARTS])
{
  triad_staggered_solver_parts(f->solver, part_s);
}

static int overlaps(const triad_staggered_flow *f) { return triad_staggered_solver_overlaps(f->solver); }

/* An iteration of conjugate gradients moves 3 and 5 numbers per cell in its two sweeps (sweeps.h), and 2 for diagonals
 * if cells are not uniform. The transform moves 8, 3 of them twice (modes, in place). */
static double iteration_words(const triad_staggered_setup *s)
{
  switch (s->pressure) {
  case TRIAD_STAGGERED_CG: return 8;
  case TRIAD_STAGGERED_CG_POLYNOMIAL: return triad_staggered_is_uniform(s) ? 8 : 10;
  case TRIAD_STAGGERED_CG_TRANSFORM: return 8;
  case TRIAD_STAGGERED_TRANSFORM: return 0;
  }
  return 0;
}

/* Numbers a cell: vectors of conjugate gradients, with halos; and planes, modes or columns, and messages of a
 * transform. */
static int vectors_of(const triad_staggered_setup *s)
{
  switch (s->pressure) {
  case TRIAD_STAGGERED_CG: return 2;
  case TRIAD_STAGGERED_CG_POLYNOMIAL: return triad_staggered_is_uniform(s) ? 2 : 3;
  case TRIAD_STAGGERED_CG_TRANSFORM: return 3;
  case TRIAD_STAGGERED_TRANSFORM: return 1;
  }
  return 0;
}

static int fields_of_transform(const triad_staggered_setup *s, const triad_partition *b)
{
  int whole = b->dims[0] == 1 && b->dims[1] == 1;
  if (s->pressure < TRIAD_STAGGERED_CG_TRANSFORM) return 0;
  if (triad_staggered_line_axis(s) < 0) return whole ? 2 : 5;
  return 1 + (b->size > 1 ? 3 : 0) + (whole ? 0 : 2);
}

static int count_needs(const triad_case *given, const triad_staggered_setup *s, const triad_partition *largest,
                       int size, triad_needs *needs)
{
  const int64_t *n = s->n, real = (int64_t)sizeof(triad_real), planes = (n[2] + size - 1) / size * n[1] * n[0] * real;
  const int transform = fields_of_transform(s, largest);
  (void)given;
  triad_needs_add(&needs->rank, "pressure", "vectors of the pressure solver", vectors_of(s) * real * largest->volume);
  if (s->implicit)
    triad_needs_add(&needs->rank, "diffusion", "vectors of the diffusion solver", 4 * real * largest->volume);
  if (transform) triad_needs_add(&needs->rank, "transform", "planes, modes and columns in flight", transform * planes);
  return TRIAD_OK;
}

const triad_staggered_loops triad_staggered_host_loops = {.where = TRIAD_HOST,
                                                          .create = create_solvers,
                                                          .free = free_solvers,
                                                          .renew = renew_nothing,
                                                          .resize = resize_box,
                                                          .fill = fill_halos,
                                                          .fill_state = fill_state,
                                                          .carry_outflow = carry_outflow,
                                                          .put_outflow = put_outflow,
                                                          .momentum = find_momentum,
                                                          .add_force = add_force,
                                                          .diffuse = solve_diffusion,
                                                          .copy = copy_vector,
                                                          .sum_flow_rate = triad_staggered_host_sum_flow_rate,
                                                          .push = triad_staggered_host_push,
                                                          .fill_heat = fill_heat,
                                                          .heat = triad_staggered_host_heat,
                                                          .diffuse_heat = solve_heat,
                                                          .add_buoyancy = triad_staggered_host_add_buoyancy,
                                                          .look_heat = triad_staggered_host_look_heat,
                                                          .sum_heat = triad_staggered_host_sum_heat,
                                                          .clear_change = clear_change,
                                                          .add_change = add_change,
                                                          .solve = solve_pressure,
                                                          .project = project_vector,
                                                          .look = triad_staggered_host_look,
                                                          .sum_budget = triad_staggered_host_sum_budget,
                                                          .probe_numbers = find_probe_numbers,
                                                          .sum_planes = find_planes,
                                                          .charge = charge_phase,
                                                          .time_apart = time_apart,
                                                          .settle = settle_status,
                                                          .sent_bytes = sent_bytes,
                                                          .transport = transport_word,
                                                          .solve_parts = take_solve_parts,
                                                          .overlaps = overlaps,
                                                          .iteration_words = iteration_words,
                                                          .count_needs = count_needs};
