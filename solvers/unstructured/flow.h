/* A flow by flux-corrected transport on a mesh, and the parts of its family (solvers/solver.h). */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_FLOW_H
#define TRIAD_SOLVERS_UNSTRUCTURED_FLOW_H

#include "solvers/solver.h"
#include "solvers/unstructured/domain.h"
#include "solvers/unstructured/loops.h"
#include "solvers/unstructured/setup.h"

enum { TRIAD_FCT_MOST_COLUMNS = 16 + 2 * TRIAD_FCT_PATCHES };

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
  triad_instant at;
  triad_real *u[TRIAD_FCT_FIELDS];       /* [n_cells] conserved values at the start of a step          */
  triad_fct_high high;               /* what is transported besides the low-order flux                 */
  triad_fct_view view;               /* memory of the loops on the host; values of cells: triad_fct_values_of */
  const triad_fct_loops *loops;      /* of the device that takes the steps                             */
  triad_halo *halo;                  /* NULL on one rank                                               */
  triad_device *device;              /* NULL: steps are taken on the CPU                               */
  struct triad_fct_on_gpu *gpu;      /* gpu_own.h                                                      */
  int stale;                         /* values on the host are of another state: triad_fct_refresh     */

  /* as the last step left them */
  double rate;                           /* largest sum of half face area times wave speed over volume */
  int64_t bad;                           /* a cell of this rank that holds no gas, -1: none            */
  int64_t limited, parts;                /* of this rank's faces: those that were cut; what was left of all, in 2^-20 */
  double crossed[TRIAD_FCT_PATCHES][5];  /* what has left through each patch since the start           */
  double passed[TRIAD_FCT_PATCHES][5];   /* of it, what is not in crossed yet, through this rank's faces */
  double start[5];                       /* mass, momentum, energy at the start                        */
  triad_phases phases;

  int n_columns;
  triad_column_info columns[TRIAD_FCT_MOST_COLUMNS];
  char patch_column[2 * TRIAD_FCT_PATCHES][TRIAD_FCT_NAME + 16];
} triad_fct_flow;

extern const triad_solver triad_solver_unstructured;
extern const triad_field_info triad_fct_fields[TRIAD_FCT_FIELDS];

/* ---- flow.c ---- */
int triad_fct_create(void **flow, triad_context *context, const triad_case *given, const char *run_dir);
void triad_fct_destroy(void **flow);
int triad_fct_keep(const void *flow, triad_notes *notes);
int triad_fct_settle(void *flow, const triad_manifest *resumed, triad_log *log);

/* ---- transport.c: one stage ---- */

/* Fluxes of the values as they are; low: the low-order ones too. Collective. */
void triad_fct_find_fluxes(triad_fct_flow *flow, int low);

/* Values from the state over dt by these fluxes; last: the state too. Collective. */
void triad_fct_move(triad_fct_flow *flow, double dt, int last);

/* ---- step.c ---- */
int triad_fct_advance(void *flow, triad_step *step);
int triad_fct_locate(void *flow, char *text, size_t size);

/* Values and bad cells of the state as it is. Collective. */
int triad_fct_look(triad_fct_flow *flow);

/* State and values on the host, before they are read there. Collective. */
int triad_fct_refresh(triad_fct_flow *flow);

/* Values of a cell, own or ghost; gradients of the first five, of an own one. Not collective; after triad_fct_refresh. */
static inline void triad_fct_values_of(const triad_fct_flow *flow, int64_t cell, triad_real q[TRIAD_FCT_VALUES])
{
  triad_fct_load(&flow->view.value, cell, TRIAD_FCT_VALUES, q);
}
void triad_fct_gradient(const triad_fct_flow *flow, int64_t cell, triad_real gradient[5][3]);

/* Sums over patches of what has crossed them. Collective. */
int triad_fct_sum_crossed(triad_fct_flow *flow);

/* ---- initial.c, budget.c, check.c, output.c ---- */
int triad_fct_initial(void *flow, triad_log *log);
/* Columns, and names of those that belong to patches, into list and names; how many. mesh NULL: the most there may
 * be. */
int triad_fct_columns(triad_column_info *list, char (*names)[TRIAD_FCT_NAME + 16], const triad_fct_mesh *mesh);
int triad_fct_totals(triad_fct_flow *flow, double totals[5]);
int triad_fct_measure(void *flow, double *columns);
/* Collective; solver.h. */
int triad_fct_write_fields(void *flow, const char *run_dir, const triad_notes *notes);
int triad_fct_check(const triad_case *given, int size, int threads, triad_needs *needs);

#endif
