/* The data of a flow with flux-corrected transport on a mesh, and the functions of its solver (solvers/solver.h). */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_STATE_FLOW_H
#define TRIAD_SOLVERS_UNSTRUCTURED_STATE_FLOW_H

#include "solvers/solver.h"
#include "mesh/parts/partition.h"
#include "solvers/gas/force.h"
#include "solvers/unstructured/state/domain.h"
#include "solvers/unstructured/step/loops.h"
#include "solvers/unstructured/plain/parting.h"
#include "solvers/unstructured/state/phases.h"
#include "solvers/unstructured/case/setup.h"

/* Timed parts of the start: read or generate cells, faces and patches; areas, volumes and the checksum; partition,
 * numbering and zones; sorting and colouring faces; lists of sides; allocation of the flow. */
enum {
  TRIAD_UNSTRUCTURED_START_MESH,
  TRIAD_UNSTRUCTURED_START_VOLUMES,
  TRIAD_UNSTRUCTURED_START_CELLS,
  TRIAD_UNSTRUCTURED_START_FACES,
  TRIAD_UNSTRUCTURED_START_ROWS,
  TRIAD_UNSTRUCTURED_START_FLOW,
  TRIAD_UNSTRUCTURED_STARTS
};

enum {
  TRIAD_UNSTRUCTURED_MAX_COEFFICIENTS = 4 + 3 * TRIAD_MESH_PATCHES, /* and the Strouhal number */
  TRIAD_UNSTRUCTURED_MAX_COLUMNS =
    17 + TRIAD_UNSTRUCTURED_FIELDS * TRIAD_MESH_PATCHES + TRIAD_UNSTRUCTURED_MAX_COEFFICIENTS
};

/* Sponges: cells of this rank that are relaxed towards the values of a patch, those of patch p from begin[p] to
 * begin[p + 1] - 1, with their rates. */
typedef struct triad_unstructured_sponge {
  int64_t begin[TRIAD_MESH_PATCHES + 1];
  int32_t *cell;
  triad_real *rate;
  double (*taken)[TRIAD_UNSTRUCTURED_FIELDS]; /* sums over TRIAD_UNSTRUCTURED_SPONGE_PART cells at a time, on the CPU */
} triad_unstructured_sponge;
enum { TRIAD_UNSTRUCTURED_SPONGE_PART = 1024 };

typedef struct triad_unstructured_probes triad_unstructured_probes;

typedef struct triad_unstructured_flow {
  triad_context *context;
  const triad_case *given;
  triad_unstructured_setup setup;
  triad_unstructured_rule rule[TRIAD_MESH_PATCHES];
  triad_gas_constants gas;
  triad_mesh *mesh;                /* the whole mesh, or this rank's part */
  triad_mesh_partition *partition; /* NULL: it is the whole mesh */
  triad_unstructured_parting cut;  /* quality of the partition */
  triad_unstructured_domain *domain;
  uint64_t checksum; /* of the mesh */
  triad_start_part start_part[TRIAD_UNSTRUCTURED_STARTS];

  triad_state *state;
  triad_field_info about[TRIAD_UNSTRUCTURED_FIELDS + TRIAD_UNSTRUCTURED_MEANS]; /* its fields */
  triad_instant at;
  triad_real *u[TRIAD_UNSTRUCTURED_FIELDS]; /* [n_cells] conserved values at the start of a step */
  triad_unstructured_numbers mean;          /* TRIAD_UNSTRUCTURED_MEANS of own cells; NULL: no time averages */
  double mean_time;                         /* averaging time */
  triad_unstructured_probes *probes;        /* NULL: none                                                 */
  triad_unstructured_high high;             /* kind of high-order flux */
  triad_unstructured_sponge sponge;         /* without cells if the case has no sponge */
  int small_cells;                          /* 1: a cell has too few faces for its gradients */
  int gradients;                            /* 1: gradients are needed */
  int wide;                                 /* 1: gradients are averaged over neighbours */
  triad_unstructured_view view; /* memory of the loops on the host; values of cells: triad_unstructured_values_of */
  triad_real *limits;           /* from view.limits_from on; NULL: no other rank sees any */
  triad_real *stages, *work;    /* start of td; start of gradients, NULL: only bricks, which store none */
  const triad_unstructured_loops *loops;    /* of the device that runs the steps */
  struct triad_unstructured_bricks *bricks; /* zones of bricks on the CPU (host_bricks.h); NULL: none */
  triad_halo *halo;                         /* NULL on one rank                                               */
  triad_device *device;                     /* NULL: steps run on the CPU */
  struct triad_unstructured_on_gpu *gpu; /* gpu/gpu_internal.h                                                      */
  const int32_t *watched;                /* cells whose values `pick` copies */
  int64_t n_watched;
  int stale; /* 1: values on the host are out of date: triad_unstructured_refresh */

  /* results of the last step */
  double rate; /* largest sum of half face area times wave speed over volume */
  int64_t bad; /* a cell of this rank with an invalid state, -1: none */
  /* faces of this rank: number of limited ones; sum of limiter factors in units of 2^-20 */
  int64_t limited, parts;
  double crossed[TRIAD_MESH_PATCHES][5]; /* flux through each patch since the start */
  /* the part through this rank's faces that is not yet in crossed; its moments about reference.centre */
  double passed[TRIAD_MESH_PATCHES][TRIAD_UNSTRUCTURED_PASSED];
  double (*arm)[3]; /* [outer faces] their middles less reference.centre; NULL: no coefficients */
  /* ambient pressure; area vector of each patch, out of the mesh, and its moment */
  double ambient, area[TRIAD_MESH_PATCHES][6];
  double push[TRIAD_MESH_PATCHES]
             [6];                 /* force on each patch in the last step, minus that of the ambient pressure; moment */
  int pushed;                     /* 1: push is known */
  triad_body_reference reference; /* of coefficients; density and velocity filled in */
  triad_strouhal strouhal;
  /* x-force of nozzle and inlet on the gas in the last step, minus that of the ambient pressure */
  double thrust;
  double start[5];                             /* mass, momentum, energy at the start                        */
  triad_gas_formulas *formulas;                /* acceleration and heating; NULL: none */
  double (*source)[TRIAD_GAS_FORMULA_SOURCES]; /* [own cells]: of momentum and energy, per volume; NULL: none */
  double added[5];                             /* momentum and energy that they have added since the start */
  triad_phases phases;
  triad_laps laps; /* parts of the layers of bricks, of a sample of them */
  double charged;  /* when the last phase was charged [s] */
  int apart;       /* 1: a GPU times its phases one after the other (triad bench) */

  int n_columns;
  triad_column_info columns[TRIAD_UNSTRUCTURED_MAX_COLUMNS];
  char patch_column[TRIAD_UNSTRUCTURED_FIELDS * TRIAD_MESH_PATCHES][TRIAD_MESH_NAME + 16];
  char wall_column[3 * TRIAD_MESH_PATCHES][TRIAD_MESH_NAME + 16];
} triad_unstructured_flow;

extern const triad_solver triad_solver_unstructured;
extern const triad_field_info triad_unstructured_fields[TRIAD_UNSTRUCTURED_FIELDS],
  triad_unstructured_mean_fields[TRIAD_UNSTRUCTURED_MEANS];

/* ---- flow.c ---- */
static inline triad_unstructured_high triad_unstructured_high_of(const triad_unstructured_setup *setup)
{
  return setup->transport == TRIAD_UNSTRUCTURED_LOW ? TRIAD_UNSTRUCTURED_NO_HIGH
         : setup->linear                            ? TRIAD_UNSTRUCTURED_LINEAR
                                                    : TRIAD_UNSTRUCTURED_CENTRAL;
}

/* prelimits: 1 if antidiffusive fluxes are prelimited. by_components: 1 if they have a factor for each component. */
static inline int triad_unstructured_prelimits(const triad_unstructured_setup *setup)
{
  return setup->transport == TRIAD_UNSTRUCTURED_CORRECTED && setup->prelimit;
}
static inline int triad_unstructured_by_components(const triad_unstructured_setup *setup)
{
  return setup->transport == TRIAD_UNSTRUCTURED_CORRECTED && setup->limited & TRIAD_UNSTRUCTURED_LIMIT_COMPONENTS;
}

/* Returns 1 if the loops over bricks (cuda/unstructured/box.cu, host_bricks.c) support the setup: fluxes with unlimited
 * gradients, and the plain limiter. */
static inline int triad_unstructured_bricks_serve(const triad_unstructured_setup *setup)
{
  return triad_unstructured_high_of(setup) == TRIAD_UNSTRUCTURED_LINEAR && !setup->flat && setup->viscosity <= 0 &&
         !setup->prelimit && !(setup->limited & TRIAD_UNSTRUCTURED_LIMIT_COMPONENTS);
}

int triad_unstructured_create(void **flow, triad_context *context, const triad_case *given, const char *run_dir);
void triad_unstructured_destroy(void **flow);
int triad_unstructured_keep(const void *flow, triad_notes *notes);
int triad_unstructured_settle(void *flow, const triad_manifest *resumed, triad_log *log);

/* Members of triad_solver (solvers/solver.h): advance, locate, check_state. Collective. */
int triad_unstructured_advance(void *flow, triad_step *step);
int triad_unstructured_locate(void *flow, char *text, size_t size);
int triad_unstructured_check_state(void *flow, const char *when, triad_log *log);

/* Compute values from the state, and count bad cells. Collective. */
int triad_unstructured_look(triad_unstructured_flow *flow);

/* Bring state and values to the host before they are read there. Collective. */
int triad_unstructured_refresh(triad_unstructured_flow *flow);

/* values_of: values of a cell, own or ghost. gradient: gradients of its first five values, for an own cell. Not
 * collective; after triad_unstructured_refresh. */
static inline void triad_unstructured_values_of(const triad_unstructured_flow *flow, int64_t cell,
                                                triad_real q[TRIAD_UNSTRUCTURED_VALUES])
{
  triad_unstructured_load(&flow->view.value, cell, TRIAD_UNSTRUCTURED_VALUES, q);
}
void triad_unstructured_gradient(const triad_unstructured_flow *flow, int64_t cell, triad_real gradient[5][3]);

int triad_unstructured_initial(void *flow, triad_log *log);
/* triad_solver.slices (measure/planes.c). Collective. */
int triad_unstructured_slices(void *flow, const char *run_dir, const triad_notes *notes);

#endif
