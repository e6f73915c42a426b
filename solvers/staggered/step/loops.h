/* The loops of a step, and of measurements of the state, on one device. step/ calls them in order; host/host_loops.c
 * implements them for the CPU, gpu/gpu_loops.c for a GPU. Vectors of the scheme have numbers: 0 is the velocity of the
 * state. */
#ifndef TRIAD_SOLVERS_STAGGERED_STEP_LOOPS_H
#define TRIAD_SOLVERS_STAGGERED_STEP_LOOPS_H

#include "solvers/staggered/state/flow.h"

#include <stdbool.h>

/* Fields of the pressure: that of the state; its change in a stage with implicit diffusion. */
typedef enum triad_staggered_scalar { TRIAD_STAGGERED_P, TRIAD_STAGGERED_CHANGE } triad_staggered_scalar;

/* A stage before its pressure: out = x_part x + rate (-(in . grad) in + viscosity lap diffused + force) at open faces.
 * The first four are numbers of vectors. */
typedef struct triad_staggered_stage {
  int in, diffused, x, out;
  double x_part, rate, viscosity, force[3];
} triad_staggered_stage;

/* A stage of the temperature of these vectors: out = x_part x + rate (-(u_in . grad) in + diffusivity lap diffused +
 * sources) in fluid; solid cells keep theirs. u_in: the velocity of vector `in`. */
typedef struct triad_staggered_heat_stage {
  int in, diffused, x, out;
  double x_part, rate, diffusivity;
} triad_staggered_heat_stage;

/* Those that return a status are collective; settle makes the status of a step one that all ranks know. */
typedef struct triad_staggered_loops {
  triad_where where; /* which copy of the state they read and write */

  /* ---- memory ---- */

  /* Allocate the memory of the loops; run_dir: the place of FFTW's plans. TRIAD_ERR_MEMORY, TRIAD_ERR_FEATURE.
   * Agreed. */
  int (*create)(triad_staggered_flow *flow, const char *run_dir);
  void (*free)(triad_staggered_flow *flow);
  int (*renew)(triad_staggered_flow *flow); /* faces have opened or closed */
  /* The box has the lengths of flow->setup. before: the lengths from which velocities are scaled; NULL: they have
   * been */
  int (*resize)(triad_staggered_flow *flow, const double before[3]);

  /* ---- halos and boundaries ---- */

  /* Halos and boundaries of a vector. closed: its rows are closed, as triad_staggered_closes_rows has it */
  int (*fill)(triad_staggered_flow *flow, int vector, bool closed);
  int (*fill_state)(triad_staggered_flow *flow); /* of the state, and the velocities of an outflow. Agreed */
  /* outflow.h; they do nothing without outflow */
  int (*carry_outflow)(triad_staggered_flow *flow, int x, int in, double dt);
  int (*put_outflow)(triad_staggered_flow *flow, int vector);

  /* ---- a stage ---- */

  int (*momentum)(triad_staggered_flow *flow, const triad_staggered_stage *stage);
  /* Add dt times the force of formulas at time t, of the vector `in`, to `out`. NULL: the device's refusal says so */
  int (*add_force)(triad_staggered_flow *flow, double t, double dt, int in, int out);
  /* Solve (1 - theta div grad) u = u from a guess whose halos are filled (implicit.h); copy a vector with its halos,
   * and its temperature if there is one */
  int (*diffuse)(triad_staggered_flow *flow, double theta, int guess, int u);
  int (*copy)(triad_staggered_flow *flow, int from, int to);
  /* Sum V u, V v, V w over open faces, then V of each; add to the velocity at open faces */
  int (*sum_flow_rate)(triad_staggered_flow *flow, int vector, double sums[6]);
  int (*push)(triad_staggered_flow *flow, int vector, const double add[3]);

  /* ---- the temperature of vectors, in flows that have one ---- */

  int (*fill_heat)(triad_staggered_flow *flow, int vector); /* halos, and beyond the ends of the box */
  int (*heat)(triad_staggered_flow *flow, const triad_staggered_heat_stage *stage);
  int (*diffuse_heat)(triad_staggered_flow *flow, double theta, int guess, int heat); /* as diffuse */
  /* Add dt times the buoyancy of the temperature of vector `in` to the velocity `out` at open faces */
  int (*add_buoyancy)(triad_staggered_flow *flow, double dt, int in, int out);
  /* Of the state: the sums of u . buoyancy and of T - T_0 over the fluid; how far T is above flow->look.heat.middle,
   * infinite where it is not finite, and below it. Agreed */
  int (*look_heat)(triad_staggered_flow *flow, double results[4]);
  int (*sum_heat)(triad_staggered_flow *flow, double *sums); /* for the series, as heat_points.h has them. Agreed */

  /* ---- the pressure ---- */

  int (*clear_change)(triad_staggered_flow *flow);
  int (*add_change)(triad_staggered_flow *flow); /* to the pressure of the state */
  /* Solve for the pressure of a vector with halos (cg.h), and add its time to flow->solve_s */
  int (*solve)(triad_staggered_flow *flow, int vector, double dt, triad_staggered_scalar p,
               triad_staggered_solved *solved);
  int (*project)(triad_staggered_flow *flow, triad_staggered_scalar p, double dt, int vector); /* momentum.h */

  /* ---- what is measured of the state, whose halos are filled ---- */

  /* Sums of V u, V v, V w; the largest sum of |u_i|/h_i, infinite where a value is not finite. Agreed */
  int (*look)(triad_staggered_flow *flow, double results[4]);
  /* Sums and a maximum of all ranks for the columns of the series: budget_points.h, forces_points.h; forces are 0
   * before. Agreed */
  int (*sum_budget)(triad_staggered_flow *flow, double *budget, double *forces);
  /* The numbers that flow->probes are made of, in the order of triad_staggered_probes_entries, valid until the next
   * call; NULL: they are in the host's copy. version: as triad_staggered_probes_settle has it. Agreed */
  int (*probe_numbers)(triad_staggered_flow *flow, int64_t version, const triad_real **numbers);
  /* Sums over this rank's planes across an axis as profiles.h has them, valid until the next call; NULL: sum the host's
   * copy. Agreed */
  int (*sum_planes)(triad_staggered_flow *flow, int axis, const double **planes);

  /* ---- times and failures ---- */

  /* Charge the time since flow->charged to a phase (state/phases.h). A GPU does so only in steps that are timed apart
   * (triad bench). */
  int (*charge)(triad_staggered_flow *flow, int phase);
  void (*time_apart)(triad_staggered_flow *flow, int on);
  /* The status of loops. Once a GPU of several ranks has failed, others wait for its messages in vain: it ends them. */
  int (*settle)(const triad_staggered_flow *flow, int status);

  /* ---- for triad bench and triad check ---- */

  /* bytes that this rank sends in one exchange of a velocity, and of one field; what carries them */
  void (*sent_bytes)(const triad_staggered_flow *flow, int64_t *velocity, int64_t *field);
  const char *(*transport)(const triad_staggered_flow *flow);
  /* time by part of the pressure's iterations, in steps that were timed apart, since the last call */
  void (*solve_parts)(triad_staggered_flow *flow, double part_s[TRIAD_SOLVE_PARTS]);
  int (*overlaps)(const triad_staggered_flow *flow); /* 1: inner cells are computed while halos are communicated */
  /* numbers per cell that an iteration of the pressure moves; 0: the transform alone solves the equation */
  double (*iteration_words)(const triad_staggered_setup *setup);
  /* memory of a rank with these cells, the largest of `size`. TRIAD_ERR_CASE: the device refuses a key. Not
   * collective */
  int (*count_needs)(const triad_case *given, const triad_staggered_setup *setup, const triad_partition *largest,
                     int size, triad_needs *needs);
} triad_staggered_loops;

#endif
