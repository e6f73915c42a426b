/* A compressible flow at one time: the solver, its case, and its files. */
#ifndef TRIAD_SOLVERS_COMPRESSIBLE_STATE_FLOW_H
#define TRIAD_SOLVERS_COMPRESSIBLE_STATE_FLOW_H

#include "case/case.h"
#include "base/log.h"
#include "case/slice.h"
#include "parallel/device.h"
#include "solvers/solver.h"
#include "solvers/compressible/step/force.h"
#include "solvers/compressible/particles/particles.h"
#include "solvers/compressible/step/sponge.h"
#include "solvers/compressible/case/walls.h"
#include "solvers/compressible/state/compressible.h"

/* What columns of drift compare: mass, momentum, energy. */
enum { TRIAD_GAS_KEPT = 5 };

typedef struct triad_gas_flow {
  triad_context *context;
  const triad_case *given;
  const char *run_dir; /* where plans of transforms are kept; NULL: nowhere */
  triad_compressible_setup setup;
  triad_partition blocks;
  triad_compressible *weno;
  struct triad_box_probes *probes; /* places of a run that tells of some; NULL without */
  triad_device *device;            /* the GPU that steps are taken on; NULL: the CPU */
  /* [n_columns] of the series: n_budget of the solver, those of drift, those of the force */
  const triad_column_info *columns;
  int n_columns, n_budget;
  triad_gas_force *force;          /* NULL without */
  triad_gas_sponge *sponge;        /* NULL without */
  triad_gas_particles *particles;  /* NULL without */
  triad_compressible_walls *walls; /* by formula; NULL without */
  triad_instant at;
  int has_start;
  double start[TRIAD_GAS_KEPT]; /* mass, momentum and energy when the run began */
} triad_gas_flow;

/* The family, in this precision. */
extern const triad_solver triad_solver_compressible;

/* The setup of a case, and its blocks as `rank` of `size` sees them. TRIAD_ERR_CASE. Not collective. */
int triad_gas_blocks(const triad_case *given, int rank, int size, triad_compressible_setup *setup,
                     triad_partition *blocks);

/* The points of its blocks without halos, as fields for files and transforms have them. Not collective. */
triad_space triad_gas_bare_space(const triad_gas_flow *flow);

/* As in solvers/solver.h, whose table takes most of them as they are; flow: a triad_gas_flow. Collective. */
int triad_gas_create(triad_gas_flow **out, triad_context *context, const triad_case *given, const char *run_dir);
void triad_gas_destroy(triad_gas_flow **flow);
int triad_gas_advance(void *flow, triad_step *step);
int triad_gas_initial(void *flow, triad_log *log);
int triad_gas_check_state(void *flow, const char *when, triad_log *log);
int triad_gas_spectra(void *flow, const char *run_dir, const double *columns, const triad_notes *notes);
int triad_gas_check(const triad_case *given, int size, int threads, triad_needs *needs);

/* The values of the columns; the first measurement of a run is what drift begins from. As triad_compressible_budget,
 * collective. */
int triad_gas_measure(void *flow, double *values);

/* solvers/solver.h */
int triad_gas_conserved_columns(const void *flow, const double *first, triad_conserved *list);

/* What the run started from, to a checkpoint's notes; and from them (NULL or without: the next measurement is a start).
 * Not collective. */
int triad_gas_keep_start(const void *flow, triad_notes *notes);
void triad_gas_take_start(triad_gas_flow *flow, const triad_notes *notes);

/* Are there spectra: is every axis of more than one point periodic? Not collective. */
int triad_gas_has_spectra(const triad_compressible_setup *setup);

#endif
