/* A flow by flux-corrected transport on a mesh, and the parts of its family (solvers/solver.h). */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_FLOW_H
#define TRIAD_SOLVERS_UNSTRUCTURED_FLOW_H

#include "solvers/solver.h"
#include "solvers/unstructured/domain.h"
#include "solvers/unstructured/setup.h"

enum {
  TRIAD_FCT_VALUES = 6, /* primitive values of a cell, and its speed of sound */
  TRIAD_FCT_MEANS = 12, /* of the five primitive values; six stresses, and the pressure's variance */
  TRIAD_FCT_MOST_COLUMNS = 17 + 2 * TRIAD_FCT_PATCHES
};

typedef struct triad_fct_probes triad_fct_probes;

typedef struct triad_fct_flow {
  triad_context *context;
  const triad_case *given;
  triad_fct_setup setup;
  triad_fct_rule rule[TRIAD_FCT_PATCHES];
  triad_fct_gas gas;
  triad_fct_mesh *mesh;
  triad_fct_domain *domain;
  uint64_t checksum; /* of the mesh */

  triad_state *state;
  triad_field_info about[TRIAD_FCT_FIELDS + TRIAD_FCT_MEANS]; /* its fields */
  triad_instant at;
  triad_real *u[TRIAD_FCT_FIELDS];       /* [n_cells] conserved values at the start of a step          */
  triad_real (*q)[TRIAD_FCT_VALUES];     /* [with ghosts] of the state, or of the middle of a step     */
  triad_real (*gradient)[5][3];          /* [with ghosts] of q; NULL where none are needed             */
  triad_real (*near)[5][3];              /* [with ghosts] before the mean over neighbours is taken; NULL: it is not */
  triad_real (*component)[10], (*part)[10]; /* [with ghosts] bounds and parts of components; NULL: not asked for */
  triad_real *sponge;                    /* [n_cells] rate; NULL: there is none                        */
  int8_t *sponge_of;                     /* [n_cells] of which patch                                   */
  triad_real (*low)[5], (*anti)[5];      /* [n_faces] times area: low-order flux, and what is added    */
  triad_real (*td)[5];                   /* [with ghosts, which only prelimiting fills] transported and diffused; then the stage's end   */
  triad_real (*bounds)[4];               /* [with ghosts] largest density, -density, pressure, -pressure */
  triad_fct_limits *limits;              /* [with ghosts]                                              */
  triad_real *mean[TRIAD_FCT_MEANS];     /* [n_cells] NULL: none are taken                             */
  double mean_time;                      /* over which they were                                       */
  triad_fct_probes *probes;              /* NULL: none                                                 */
  triad_halo *of_q, *of_gradient, *of_bounds, *of_limits, *of_td, *of_components; /* NULL on one rank                          */

  /* as the last step left them */
  double rate;                           /* largest sum of half face area times wave speed over volume */
  int64_t bad;                           /* a cell of this rank that holds no gas, -1: none            */
  double faces_limited, mean_limiter;    /* over all faces between cells                               */
  double crossed[TRIAD_FCT_PATCHES][5];  /* what has left through each patch since the start           */
  double ambient, area_x[TRIAD_FCT_PATCHES]; /* pressure far away; area of each patch along x, out of the mesh */
  double thrust;                         /* x-force of nozzle and inlet on the gas in the last step, over that of ambient pressure */
  double start[5];                       /* mass, momentum, energy at the start                        */
  triad_phases phases;

  int n_columns;
  triad_column_info columns[TRIAD_FCT_MOST_COLUMNS];
  char patch_column[2 * TRIAD_FCT_PATCHES][TRIAD_FCT_NAME + 16];
} triad_fct_flow;

extern const triad_solver triad_solver_unstructured;
extern const triad_field_info triad_fct_fields[TRIAD_FCT_FIELDS], triad_fct_mean_fields[TRIAD_FCT_MEANS];

/* ---- flow.c ---- */
int triad_fct_create(void **flow, triad_context *context, const triad_case *given, const char *run_dir);
void triad_fct_destroy(void **flow);
int triad_fct_keep(const void *flow, triad_notes *notes);
int triad_fct_settle(void *flow, const triad_manifest *resumed, triad_log *log);

/* ---- transport.c: one stage ---- */

/* From the state over dt by the high-order fluxes of q to td; low: the low-order fluxes anew, from q, which is then the
 * state's. Collective. */
void triad_fct_stage(triad_fct_flow *flow, double dt, int low);

/* Gradients of the values of a cell. Not collective. */
void triad_fct_gradient(const triad_fct_flow *flow, int64_t cell, triad_real gradient[5][3]);

/* q of td, with ghosts; finds a cell that holds no gas. Collective. */
void triad_fct_set_values(triad_fct_flow *flow);

/* ---- step.c ---- */
int triad_fct_advance(void *flow, triad_step *step);
int triad_fct_locate(void *flow, char *text, size_t size);

/* q, the rate and bad cells of the state as it is. Collective. */
int triad_fct_look(triad_fct_flow *flow);

/* ---- initial.c, budget.c, check.c, output.c ---- */
int triad_fct_initial(void *flow, triad_log *log);
/* Columns, and names of those that belong to patches, into list and names; how many. mesh NULL: the most there may
 * be. */
int triad_fct_columns(triad_column_info *list, char (*names)[TRIAD_FCT_NAME + 16], const triad_fct_mesh *mesh);
int triad_fct_totals(triad_fct_flow *flow, double totals[5]);
int triad_fct_measure(void *flow, double *columns);
/* Collective; solver.h. */
int triad_fct_write_fields(void *flow, const char *run_dir, const triad_notes *notes);
/* A value of own cell c of the state as it is, by its number in files of fields (output.c). Not collective. */
enum { TRIAD_FCT_RHO, TRIAD_FCT_U, TRIAD_FCT_V, TRIAD_FCT_W, TRIAD_FCT_P, TRIAD_FCT_T, TRIAD_FCT_MACH, TRIAD_FCT_SCHLIEREN,
       TRIAD_FCT_OUTPUTS };
triad_real triad_fct_value(const triad_fct_flow *flow, int which, int64_t c);
int triad_fct_check(const triad_case *given, int size, int threads, triad_needs *needs);

/* ---- viscous.c: not collective ---- */

/* Add what stress and conduction carry through a face, by f->gradient. */
void triad_fct_add_viscous(const triad_fct_flow *flow, int64_t face, triad_real flux[5]);
double triad_fct_viscous_speed(const triad_fct_flow *flow, int64_t cell, int64_t face);

/* ---- components.c: collective ---- */
void triad_fct_prelimit(triad_fct_flow *flow);
void triad_fct_limit_components(triad_fct_flow *flow, double dt);

/* ---- sponge.c: not collective ---- */
int triad_fct_sponges_make(triad_fct_flow *flow);
void triad_fct_sponges_apply(triad_fct_flow *flow, double dt, double taken[TRIAD_FCT_PATCHES][5]);

/* ---- means.c ---- */
int triad_fct_means_take(triad_fct_flow *flow);
void triad_fct_means_clear(triad_fct_flow *flow);
/* The state that a step of this length has led to. */
void triad_fct_means_add(triad_fct_flow *flow, double dt);

/* ---- planes.c: solver.h. Collective ---- */
int triad_fct_slices(void *flow, const char *run_dir, const triad_notes *notes);

#endif
