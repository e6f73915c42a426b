/* A flow on a staggered mesh: its fields, its forces, its case. */
#ifndef TRIAD_SOLVERS_STAGGERED_STATE_FLOW_H
#define TRIAD_SOLVERS_STAGGERED_STATE_FLOW_H

#include "solvers/schemes.h"
#include "solvers/staggered/state/phases.h"
#include "solvers/solver.h"
#include "solvers/staggered/pressure/cg.h"
#include "solvers/staggered/case/force_formula.h"
#include "solvers/staggered/closure/closure.h"
#include "solvers/staggered/plain/forcing.h"
#include "solvers/staggered/state/outflow.h"
#include "solvers/staggered/plain/columns.h"
#include "solvers/staggered/measure/probes.h"
#include "solvers/staggered/measure/profiles.h"
#include "solvers/staggered/plain/strain.h"

enum {
  TRIAD_STAGGERED_VECTORS = 3, /* of the scheme */
  TRIAD_STAGGERED_FIELDS = 4,  /* u, v, w, p */
  TRIAD_STAGGERED_HEAT = TRIAD_STAGGERED_FIELDS,
  TRIAD_STAGGERED_MAX_FIELDS, /* and the temperature */
  TRIAD_STAGGERED_SHOWN = 9   /* fields of files, at most */
};

/* What a look at the velocity finds. */
typedef struct triad_staggered_look {
  double rate;    /* the largest sum of |u_i|/h_i [1/time] */
  double mean[3]; /* over the fluid                        */
  struct {
    double power;         /* mean of u . buoyancy [U^2/T] */
    double mean;          /* of T - T_0 */
    double middle, range; /* of T: half way between the lowest and the highest; the distance of these */
  } heat;
} triad_staggered_look;

typedef struct triad_staggered_flow {
  triad_context *context;
  const triad_case *given;
  triad_staggered_setup setup;
  triad_partition blocks;
  triad_staggered_mesh *mesh;
  triad_staggered_solver *solver;
  struct triad_staggered_implicit *implicit; /* NULL: diffusion is explicit, or the GPU's */
  triad_staggered_outflow *outflow;          /* NULL: nothing flows out */
  triad_staggered_closure *closure;          /* subgrid model; NULL: none */
  triad_staggered_forcing forcing;
  triad_staggered_formulas *formulas; /* NULL: the force is the same everywhere */
  double pushed[3];                   /* the largest of them, of each component, at the state */
  triad_staggered_strain strain;
  triad_staggered_profiles *profiles; /* NULL: none are asked for */
  triad_staggered_probes *probes;     /* likewise */
  const triad_scheme *scheme;
  triad_real *u[TRIAD_STAGGERED_VECTORS][3], *p, *b; /* the state is u[0] and p */
  triad_real *change;                                /* of p in a stage of implicit diffusion; else NULL */
  triad_real *heat[TRIAD_STAGGERED_VECTORS];         /* the temperature of each vector; NULL: the flow has none */
  triad_state *state;
  triad_instant at;
  bool released;                             /* the solids have become fluid */
  int n_shown, shown[TRIAD_STAGGERED_SHOWN]; /* fields of files, as values.c numbers them */
  triad_field_info shown_info[TRIAD_STAGGERED_SHOWN];
  double fluid, thinnest[3]; /* volume of fluid; the smallest cell along each axis */
  triad_staggered_look look; /* at the state                 */
  double moved[3], force[3]; /* displacement; acceleration of the last step */
  /* what the force has done [U^2]; power of formulas at the start of the last step, not a number before the first
   * [U^2/T] */
  double work, power;
  double energies[3]; /* mean(u_i^2)/2 of the state, while the box strains */
  bool energies_known;
  triad_body_reference reference; /* of the setup, area and length of the solids filled in */
  triad_strouhal strouhal;
  int n_columns;
  triad_column_info columns[TRIAD_STAGGERED_MAX_COLUMNS];
  int iterations;  /* of the last step             */
  double residual; /* the largest of it            */
  triad_phases phases;
  double charged;                            /* when a phase began */
  double solves, all_iterations, solve_s;    /* of the pressure since triad bench last asked */
  const struct triad_staggered_loops *loops; /* step/loops.h: of the device that takes the steps */
  triad_device *device;                      /* NULL: the CPU */
  struct triad_staggered_on_gpu *gpu;        /* gpu_internal.h: memory of the loops on a GPU; NULL: the CPU */
} triad_staggered_flow;

/* The family, in this precision; the fields of its state. */
extern const triad_solver triad_solver_staggered;
extern const triad_field_info triad_staggered_fields[TRIAD_STAGGERED_MAX_FIELDS];

/* How many of them a flow has. Not collective. */
static inline int triad_staggered_fields_of(const triad_staggered_setup *setup)
{
  return setup->thermal.on ? TRIAD_STAGGERED_MAX_FIELDS : TRIAD_STAGGERED_FIELDS;
}

/* As in solvers/solver.h, whose table takes them as they are; flow: a triad_staggered_flow. Collective. */
int triad_staggered_create(void **flow, triad_context *context, const triad_case *given, const char *run_dir);
void triad_staggered_destroy(void **flow);
int triad_staggered_settle(void *flow, const triad_manifest *resumed, triad_log *log);
int triad_staggered_branch(void *flow, const triad_notes *notes, triad_log *log);

/* Notes of a checkpoint in addition to fields: displacement, acceleration, work and profiles. Not collective. */
int triad_staggered_keep(const void *flow, triad_notes *notes);

/* The setup of a case, and its cells as `rank` of `size` holds them. TRIAD_ERR_CASE. Not collective. */
int triad_staggered_read(const triad_case *given, int rank, int size, triad_staggered_setup *setup,
                         triad_partition *blocks);

/* The solids of the case at time t put into the mesh, or taken out of it. TRIAD_ERR_CASE, TRIAD_ERR_MEMORY.
 * Collective. */
int triad_staggered_place_solids(triad_staggered_flow *flow, double t);

/* Set boundaries and box lengths to time t; velocities of a straining box are scaled with it. settled: the state is
 * that of t already. Collective. */
int triad_staggered_set_time(triad_staggered_flow *flow, double t, int settled);

/* What is measured and written is the host's copy of the state, its halos too: it is the newest from now on.
 * Collective. */
int triad_staggered_to_host(const triad_staggered_flow *flow);

#endif
