/* The interface of a family of solvers to the time loop, `triad bench`, `triad case --check` and `triad spectra`: one
 * const struct, registered by one line in list.h. It hides the grid, the fields and the precision: src/run, src/store
 * and src/command use nothing else of a solver, and name none.
 *
 * A flow is whatever the family makes of a case: spectral modes, points of a box, faces, zones or a mesh. Functions
 * that return a status are collective, print why they failed, and return the same on all ranks, unless they say
 * otherwise; the others are not collective. The caller owns what it passes; what create makes, destroy frees, and a
 * pointer that a function hands out lives as long as its flow. A member that may be NULL says so. */
#ifndef TRIAD_SOLVERS_SOLVER_H
#define TRIAD_SOLVERS_SOLVER_H

#include "base/clock.h"
#include "base/log.h"
#include "case/part.h"
#include "case/slice.h"
#include "grid/grid.h"
#include "grid/state.h"
#include "parallel/context.h"
#include "parallel/device.h"
#include "solvers/device_choice.h"
#include "solvers/info.h"
#include "solvers/needs.h"
#include "solvers/plan.h"
#include "solvers/spectra_of.h"
#include "solvers/step.h"
#include "store/checkpoint/manifest.h"
#include "store/formats/spectrafile.h"
#include "store/checkpoint/tables.h"

enum { TRIAD_MOST_TRANSPORTS = 5 /* between GPUs */ };

/* What a series line has after step, t and dt; the first column is the energy. */
typedef struct triad_series_info {
  const char *solver;
  int n;
  const triad_column_info *columns;
} triad_series_info;

/* Parts of an iteration of a linear solver, one after the other: cells that need no other rank, those that do,
 * packing, what travels, what is added up over all ranks. */
enum triad_solve_part {
  TRIAD_SOLVE_INTERIOR,
  TRIAD_SOLVE_PLANES,
  TRIAD_SOLVE_COPIES,
  TRIAD_SOLVE_MESSAGES,
  TRIAD_SOLVE_SUMS,
  TRIAD_SOLVE_PARTS
};

/* What a flow took to be made, part by part. */
typedef struct triad_start_part {
  const char *name;
  double s; /* wall-clock time of this rank */
} triad_start_part;

/* What this rank does in a step, counted. Every family counts the first group; of the others it fills in what it
 * has, and what it leaves 0 is not shown. */
typedef struct triad_costs {
  double bytes, sent_bytes, flops; /* each field read once and written once a stage; additions and multiplications */
  int stages;                      /* of a step                                           */
  int64_t cells;                   /* cells of the whole grid that a step computes; 0: the solver uses modes */
  const char *transport;           /* the word of what carries data between ranks         */
  /* of distributed transforms */
  int transforms; /* 3-D ones                                            */
  int nstreams;   /* chunks in flight                                    */
  int64_t chunks;
  /* of a state that passes through a GPU, since costs was last asked */
  double bus_in, bus_out;
  /* of a linear solver that iterates, since costs was last asked */
  double solves, iterations, solve_s; /* how many, all their iterations, their wall-clock time [s] */
  double iteration_bytes;             /* that one iteration moves, counted                     */
  int overlaps;                       /* 1: cells are computed while others are communicated between ranks */
  /* for steps timed in parts since the last call of costs; all 0: not available */
  double solve_part_s[TRIAD_SOLVE_PARTS];
  int start_parts;               /* parts of the start, before the first step; 0: not available */
  const triad_start_part *start; /* the flow's                                         */
} triad_costs;

/* Values in files of fields: values at points, and the box of these points. */
typedef struct triad_values_info {
  int n;
  const triad_field_info *fields; /* [n] */
  triad_space space;              /* with or without ghosts */
} triad_values_info;

/* Positions of output.probes, and the fields that are written there. */
typedef struct triad_places_info {
  int64_t n;       /* 0: the case names none */
  const double *x; /* [n][3]                 */
  int n_fields;
  const triad_field_info *fields; /* [n_fields]             */
} triad_places_info;

/* A key and words that give the same result, up to rounding, in different times. */
enum { TRIAD_TUNABLE_WORDS = 4 };
typedef struct triad_tunable {
  const char *key, *words[TRIAD_TUNABLE_WORDS]; /* fewer: NULL behind the last */
  int (*serves)(const char *word, int ranks);   /* is it built in, and of use? NULL: all are */
} triad_tunable;

/* Adaptive grid size. asked: returns 1 if the case asks for it; not collective. look: after a step, and before the
 * first one of a start, decide whether the flow should continue on a grid of n points; n[0] = 0: on the present one;
 * why[size]: the reason. The flow is then created again from a checkpoint, with a case in which grid.n = n. The
 * decision depends on the state alone: it is the same after a restart, on any number of ranks. */
typedef struct triad_follow_part {
  int (*asked)(const triad_case *given);
  int (*look)(void *flow, triad_log *log, int64_t n[3], char *why, size_t size);
} triad_follow_part;

/* For triad tune. transports: what can carry data between these ranks' GPUs, names[TRIAD_MOST_TRANSPORTS]; collective;
 * NULL: transports and chunks stay as they are. tunables: keys of the family's own that are tried one after the other
 * if a case leaves them open; the last has no name; NULL: there are none. */
typedef struct triad_tune_part {
  int (*transports)(triad_context *context, const char **names, int *n);
  const triad_tunable *tunables;
} triad_tune_part;

/* Flows that end when they no longer change. settled: progress, from 0 to 1, where it ends. goal: what the flow must
 * reach, for messages: "time.residual = 1e-06"; with a flow also how far it is: "the largest residual is 0.67,
 * time.residual = 1e-06". Returns 0 if this case ends by time or steps alone. Not collective. */
typedef struct triad_steady_part {
  double (*settled)(const void *flow);
  int (*goal)(const triad_case *given, const void *flow, char *text, size_t size);
} triad_steady_part;

/* After a blow-up. locate: one line that says where values are not finite; collective; NULL: the message of advance has
 * said so. remedy: the keys of this case that most likely help, in a sentence; not collective; NULL or an empty text: a
 * smaller step. */
typedef struct triad_blowup_part {
  int (*locate)(void *flow, char *text, size_t size);
  void (*remedy)(const void *flow, char *text, size_t size);
} triad_blowup_part;

/* For callers that read and set the state from outside during a run (src/drive), of a family whose state is not at
 * points. points: all points of the flow, whatever part of them files of fields show; not collective. put: set field
 * `number` of the state from values at all points. changed: fields have been put, or changed in the state's own memory:
 * make them consistent for further steps. Collective. */
typedef struct triad_outside_part {
  void (*points)(const void *flow, triad_space *space);
  int (*put)(void *flow, int number, const void *values);
  int (*changed)(void *flow, triad_log *log);
} triad_outside_part;

/* Families with a transform of their own. pair: time three fields, there and back, alternating with the library's
 * transform, on one GPU: own_s[n], library_s[n] [s]. spectra_of: for `triad spectra` (solvers/spectra_of.h), spectra of
 * physical fields in a file. Collective. */
typedef struct triad_transform_part {
  int (*pair)(void *flow, int n, double *own_s, double *library_s);
  int (*spectra_of)(triad_context *context, const triad_case *given, const triad_spectra_source *source,
                    const triad_spectra_target *target, triad_log *log);
} triad_transform_part;

typedef struct triad_solver {
  const triad_case_part *part; /* what the family adds to a case: its solvers, keys, rules, quantities */

  /* Check what the schema cannot: sizes, initial condition and forcing of the case on its grid (TRIAD_ERR_CASE,
   * TRIAD_ERR_FEATURE); and add the solver's part of the needs for `size` ranks with `threads` threads, which are zero
   * before. Not collective. */
  int (*check)(const triad_case *given, int size, int threads, triad_needs *needs);

  /* For `triad plan` and `triad bench --machine` (solvers/plan.h): a step counted without a flow. NULL: it is not. */
  const triad_plan_part *plan;

  /* Parts that few families have, as above; NULL: this one has not. Without `outside`, the state has values at points
   * itself, and settle makes it consistent. */
  const triad_tune_part *tune;
  const triad_steady_part *steady;
  const triad_blowup_part *blowup;
  const triad_outside_part *outside;
  const triad_transform_part *transform;

  /* The devices that the family has code for (solvers/device_choice.h); NULL: the CPU alone. */
  const triad_device_support *devices;

  /* The flow of a case, at rest at t = 0; run_dir: where a run keeps what its libraries have learned, NULL: nowhere.
   * context and case outlive it. destroy accepts a flow that is NULL. */
  int (*create)(void **flow, triad_context *context, const triad_case *given, const char *run_dir);
  void (*destroy)(void **flow);
  /* Tell what will be computed, on what. */
  void (*describe)(const void *flow, triad_log *log);
  void (*columns)(const void *flow, triad_series_info *info);

  /* Warn if the present state makes a boundary condition of the case wrong, such as a flow that leaves at subsonic
   * speed where the whole state is extrapolated. when: "initial" or "final". Collective. NULL: nothing to check. */
  int (*check_state)(void *flow, const char *when, triad_log *log);

  /* The flow at one time, and all that a checkpoint must contain (solvers/box/files.h): its fields, and its instant. A
   * caller that sets the state sets the instant too. state_about: a description of the fields; NULL: that of their
   * space. keep: additional notes of a checkpoint; NULL: none. Not collective. */
  triad_state *(*state)(void *flow);
  triad_instant *(*instant)(void *flow);
  const char *state_about;
  int (*keep)(const void *flow, triad_notes *notes);

  /* Data other than fields: the *n tables of a checkpoint, tables[TRIAD_TABLES], whose rows are valid until the next
   * call; and reading them from a checkpoint's folder, before settle. branch: the checkpoint is of another run, whose
   * files stay there; differences from the case are then warnings, but errors if the run resumes. Collective. NULL:
   * there are none. */
  int (*tables)(void *flow, triad_table *tables, int *n);
  int (*restore)(void *flow, const char *folder, const triad_manifest *about, int branch, triad_log *log);

  /* A branch, after settle: continue quantities from the notes of the checkpoint, such as the state of a random force;
   * with initial.keep_time everything that a restart would. Collective. NULL: nothing. */
  int (*branch)(void *flow, const triad_notes *notes, triad_log *log);

  /* initial: set the state from [initial], with instant 0; with initial.kind "checkpoint" zeros, which are then
   * overwritten. settle: the state and the instant have been set, by initial or from outside; resumed: the checkpoint
   * from which the run resumes, NULL at a new start. NULL: nothing to do. */
  int (*initial)(void *flow, triad_log *log);
  int (*settle)(void *flow, const triad_manifest *resumed, triad_log *log);

  /* On by a step: solvers/step.h finds its length, and moves the instant on. TRIAD_ERR_BLOWUP when a value at the start
   * of the step was not finite; the state is then what it was. */
  int (*advance)(void *flow, triad_step *step);

  /* NULL: the family's grids stay. */
  const triad_follow_part *follow;

  /* The numbers of a series line. */
  int (*measure)(void *flow, double *columns);

  /* Columns that the flow conserves, by the equations, boundaries and forces of its case and by its scheme:
   * list[TRIAD_MOST_CONSERVED]. first: the row that a run begins with, of which scales are made. Returns how many.
   * The same on all ranks; not collective. NULL: none. */
  int (*conserved)(const void *flow, const double *first, triad_conserved *list);

  /* Values at points of a box: which; those of one of them, [space.memory] of the flow's precision. Both NULL: the
   * fields of the state, which are at points of a box themselves. */
  void (*values_info)(const void *flow, triad_values_info *info);
  int (*values)(void *flow, int number, void *out);

  /* places_info: the probe positions of the case; places: the state there, values[place][field]. Both NULL: the solver
   * has no probes of this kind. */
  void (*places_info)(const void *flow, triad_places_info *info);
  int (*places)(void *flow, double *values);

  /* What running means are taken of (output.means): arrays of the state as it is, as files of spectra have them,
   * with their scales; columns: as measured just now. The caller destroys *out, also where it fails. NULL: the
   * family has none. */
  int (*samples)(void *flow, const double *columns, triad_contents **out);

  /* A quantity of the family's table (case/slice.h) at all points of the flow, which are those of `outside`, or else of
   * `values`: [space.memory] of the flow's precision. TRIAD_ERR_CASE if this flow has none. NULL: there are `values`
   * alone. */
  int (*quantity)(void *flow, const triad_slice_quantity *quantity, void *out);

  /* Files of fields of the family's own in RUN/fields, where values are at no points of a box. NULL: values, as
   * above. */
  int (*fields)(void *flow, const char *run_dir, const triad_notes *notes);

  /* Files of the current state; columns: as just measured. NULL if the solver has none. wait: wait until all files
   * written in the background are on the disk; called before any other file. NULL: there are none. has_spectra:
   * returns 1 if spectra() writes anything for this flow; if not, output.spectra_interval clips no step. NULL: it
   * does. */
  int (*spectra)(void *flow, const char *run_dir, const double *columns, const triad_notes *notes);
  int (*has_spectra)(const void *flow);
  int (*slices)(void *flow, const char *run_dir, const triad_notes *notes);
  int (*wait)(void *flow);

  /* A row of the files of particles; sync: rows so far are on the disk when it returns, and none is added. NULL:
   * there are no particles. */
  int (*particles)(void *flow, const char *run_dir, const triad_notes *notes, int sync);

  /* For `triad bench` (src/run/bench/bench.h). device: the GPU that steps are taken on (NULL: the CPU), and whether the
   * state only passes through it; the member is NULL where `devices` has no kind. Costs of a step; time of each
   * phase since the last call [s], of this rank. apart: steps on a GPU, and iterations of a linear solver anywhere,
   * do one thing after the other from now on, so that phases and parts can be told apart, or again all at once
   * (NULL: never at once). */
  triad_device *(*device)(const void *flow, int *offload);
  triad_costs (*costs)(void *flow);
  triad_phases (*phases)(void *flow);
  void (*apart)(void *flow, int apart);

  /* The grid of the library transform that is timed for comparison with the steps. TRIAD_ERR_FEATURE if the comparison
   * is meaningless. NULL: there is none. */
  int (*reference)(const void *flow, triad_grid *grid);

  /* For `triad grid`: write the grid of a case in formats of other programs, the first file named path, with ranks > 0
   * also its partition for that number of ranks; prints the names of the files. NULL: there is none. Not collective. */
  int (*grid_write)(const triad_case *given, const char *path, int ranks);
} triad_solver;

/* The solver of a case, by its word and precision. TRIAD_ERR_FEATURE. Not collective. */
int triad_solver_find(const triad_solver **out, const triad_case *given);

/* Family number i = 0, 1, .. in double; NULL: there are no more. */
const triad_solver *triad_solver_family(int i);

#endif
