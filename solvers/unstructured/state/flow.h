/* A flow by flux-corrected transport on a mesh, and the parts of its family (solvers/solver.h). */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_STATE_FLOW_H
#define TRIAD_SOLVERS_UNSTRUCTURED_STATE_FLOW_H

#include "solvers/solver.h"
#include "mesh/parts/partition.h"
#include "solvers/unstructured/state/domain.h"
#include "solvers/unstructured/step/loops.h"
#include "solvers/unstructured/state/parting.h"
#include "solvers/unstructured/case/setup.h"

/* Parts of a start: cells read or made, with their faces and patches; their areas and volumes, the checksum;
 * partition, numbering and zones; faces in order and coloured; lists of sides; memory of the flow. */
enum {
  TRIAD_FCT_START_MESH,
  TRIAD_FCT_START_VOLUMES,
  TRIAD_FCT_START_CELLS,
  TRIAD_FCT_START_FACES,
  TRIAD_FCT_START_ROWS,
  TRIAD_FCT_START_FLOW,
  TRIAD_FCT_STARTS
};

enum { TRIAD_FCT_MOST_COLUMNS = 17 + TRIAD_FCT_FIELDS * TRIAD_MESH_PATCHES };

/* Cells of this rank that are drawn towards what is given at a patch, those of patch p from begin[p] to begin[p + 1]
 * - 1, and how fast. */
typedef struct triad_fct_sponge {
  int64_t begin[TRIAD_MESH_PATCHES + 1];
  int32_t *cell;
  triad_real *rate;
  double (*taken)[TRIAD_FCT_FIELDS]; /* by TRIAD_FCT_SPONGE_PART cells at a time, on the CPU */
} triad_fct_sponge;
enum { TRIAD_FCT_SPONGE_PART = 1024 };

typedef struct triad_fct_probes triad_fct_probes;

typedef struct triad_fct_flow {
  triad_context *context;
  const triad_case *given;
  triad_fct_setup setup;
  triad_fct_rule rule[TRIAD_MESH_PATCHES];
  triad_fct_gas gas;
  triad_mesh *mesh;                /* the whole, or this rank's part */
  triad_mesh_partition *partition; /* NULL: it is the whole */
  triad_fct_parting cut;           /* how it was cut                */
  triad_fct_domain *domain;
  uint64_t checksum; /* of the mesh */
  triad_start_part start_part[TRIAD_FCT_STARTS];

  triad_state *state;
  triad_field_info about[TRIAD_FCT_FIELDS + TRIAD_FCT_MEANS]; /* its fields */
  triad_instant at;
  triad_real *u[TRIAD_FCT_FIELDS]; /* [n_cells] conserved values at the start of a step          */
  triad_fct_numbers mean;          /* TRIAD_FCT_MEANS of own cells; NULL: none are taken         */
  double mean_time;                /* over which they were                                       */
  triad_fct_probes *probes;        /* NULL: none                                                 */
  triad_fct_high high;             /* what is transported besides the low-order flux                 */
  triad_fct_sponge sponge;         /* without cells where the case has none                          */
  int small_cells;                 /* has a cell fewer faces than are enough for its gradients? */
  int gradients;                   /* are they needed?                                               */
  int wide;                        /* are gradients means over neighbours?                           */
  triad_fct_view view;             /* memory of the loops on the host; values of cells: triad_fct_values_of */
  triad_real *limits;              /* NULL: no other rank sees any; from view.limits_from on */
  triad_real *stages, *work;       /* where its td begins; its gradients, NULL: of bricks none is kept */
  const triad_fct_loops *loops;    /* of the device that takes the steps                             */
  struct triad_fct_bricks *bricks; /* of zones of bricks, on the CPU (host_bricks.h); NULL: none     */
  triad_halo *halo;                /* NULL on one rank                                               */
  triad_device *device;            /* NULL: steps are taken on the CPU                               */
  struct triad_fct_on_gpu *gpu;    /* gpu_own.h                                                      */
  const int32_t *watched;          /* cells that pick brings values of                               */
  int64_t n_watched;
  int stale; /* values on the host are of another state: triad_fct_refresh     */

  /* as the last step left them */
  double rate;                           /* largest sum of half face area times wave speed over volume */
  int64_t bad;                           /* a cell of this rank that holds no gas, -1: none            */
  int64_t limited, parts;                /* of this rank's faces: those that were cut; what was left of all, in 2^-20 */
  double crossed[TRIAD_MESH_PATCHES][5]; /* what has left through each patch since the start           */
  double passed[TRIAD_MESH_PATCHES][5];  /* of it, what is not in crossed yet, through this rank's faces */
  double ambient, area_x[TRIAD_MESH_PATCHES]; /* pressure far away; area of each patch along x, out of the mesh */
  /* x-force of nozzle and inlet on the gas in the last step, over that of ambient pressure */
  double thrust;
  double start[5]; /* mass, momentum, energy at the start                        */
  triad_phases phases;

  int n_columns;
  triad_column_info columns[TRIAD_FCT_MOST_COLUMNS];
  char patch_column[TRIAD_FCT_FIELDS * TRIAD_MESH_PATCHES][TRIAD_MESH_NAME + 16];
} triad_fct_flow;

extern const triad_solver triad_solver_unstructured;
extern const triad_field_info triad_fct_fields[TRIAD_FCT_FIELDS], triad_fct_mean_fields[TRIAD_FCT_MEANS];

/* ---- flow.c ---- */
static inline triad_fct_high triad_fct_high_of(const triad_fct_setup *setup)
{
  return setup->transport == TRIAD_FCT_LOW ? TRIAD_FCT_NO_HIGH : setup->linear ? TRIAD_FCT_LINEAR : TRIAD_FCT_CENTRAL;
}

/* Are there antidiffusive fluxes that are prelimited; that have a factor for each component? */
static inline int triad_fct_prelimits(const triad_fct_setup *setup)
{
  return setup->transport == TRIAD_FCT_CORRECTED && setup->prelimit;
}
static inline int triad_fct_by_components(const triad_fct_setup *setup)
{
  return setup->transport == TRIAD_FCT_CORRECTED && setup->limited & TRIAD_FCT_LIMIT_COMPONENTS;
}

/* Loops of bricks (cuda/fct_box.cu, host_bricks.c) are of fluxes with gradients, which are not cut, and of the plain
 * limiter. */
static inline int triad_fct_bricks_serve(const triad_fct_setup *setup)
{
  return triad_fct_high_of(setup) == TRIAD_FCT_LINEAR && !setup->flat && setup->viscosity <= 0 && !setup->prelimit &&
         !(setup->limited & TRIAD_FCT_LIMIT_COMPONENTS);
}

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

/* Values of a cell, own or ghost; gradients of the first five, of an own one. Not collective; after
 * triad_fct_refresh. */
static inline void triad_fct_values_of(const triad_fct_flow *flow, int64_t cell, triad_real q[TRIAD_FCT_VALUES])
{
  triad_fct_load(&flow->view.value, cell, TRIAD_FCT_VALUES, q);
}
void triad_fct_gradient(const triad_fct_flow *flow, int64_t cell, triad_real gradient[5][3]);

/* Sums over patches of what has crossed them in a step of this length, and the thrust. Collective. */
int triad_fct_sum_crossed(triad_fct_flow *flow, double dt);

/* ---- initial.c, budget.c, check.c, output.c ---- */
int triad_fct_initial(void *flow, triad_log *log);
/* Columns, and names of those that belong to patches, into list and names; how many. mesh NULL: the most there may
 * be. */
int triad_fct_columns(triad_column_info *list, char (*names)[TRIAD_MESH_NAME + 16], const triad_mesh *mesh);
int triad_fct_totals(triad_fct_flow *flow, double totals[5]);
int triad_fct_measure(void *flow, double *columns);
int triad_fct_conserved_columns(const void *flow, const double *first, triad_conserved *list); /* solver.h */

/* costs.c: what a step takes. Not collective. */
triad_costs triad_fct_costs(void *flow);
/* Collective; solver.h. */
int triad_fct_write_fields(void *flow, const char *run_dir, const triad_notes *notes);
/* A value of own cell c of the state as it is, by its number in files of fields (output.c). Not collective. */
enum {
  TRIAD_FCT_RHO,
  TRIAD_FCT_U,
  TRIAD_FCT_V,
  TRIAD_FCT_W,
  TRIAD_FCT_P,
  TRIAD_FCT_T,
  TRIAD_FCT_MACH,
  TRIAD_FCT_SCHLIEREN,
  TRIAD_FCT_OUTPUTS
};
triad_real triad_fct_value(const triad_fct_flow *flow, int which, int64_t c);
int triad_fct_check(const triad_case *given, int size, int threads, triad_needs *needs);

/* ---- sponge.c ---- */
int triad_fct_sponges_make(triad_fct_flow *flow); /* collective */
void triad_fct_sponges_drop(triad_fct_sponge *sponge, triad_memory *memory);

/* ---- means.c ---- */
int triad_fct_means_take(triad_fct_flow *flow);
int triad_fct_means_clear(triad_fct_flow *flow);
/* The state that a step of this length has led to. */
void triad_fct_means_add(triad_fct_flow *flow, double dt);

/* ---- host_after.c: not collective ---- */

/* As the loops' table has them (loops.h), on the CPU. */
void triad_fct_host_draw(triad_fct_flow *flow, double dt);
void triad_fct_host_mean(triad_fct_flow *flow, double w);
int triad_fct_host_look_over(triad_fct_flow *flow, triad_sum sums[TRIAD_FCT_SUMS], double most[TRIAD_FCT_MOST]);
int triad_fct_host_watch(triad_fct_flow *flow, const int32_t *cell, int64_t n);
int triad_fct_host_pick(triad_fct_flow *flow, triad_real *out);

/* ---- planes.c: solver.h. Collective ---- */
int triad_fct_slices(void *flow, const char *run_dir, const triad_notes *notes);

#endif
