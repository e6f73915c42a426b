/* The interface of a family of solvers to the time loop, `triad bench`, `triad case --check` and `triad spectra`: one
 * const struct, registered by one line in list.h. It hides the grid, the fields and the precision: src/run, src/store
 * and src/command use nothing else of a solver, and name none.
 *
 * A flow is the family's own object: spectral modes, points of a box, faces, zones or a mesh. Functions that return a
 * status are collective, print the reason of a failure, and return the same status on all ranks, unless stated
 * otherwise; all others are not collective. The caller owns its arguments. destroy frees what create has allocated;
 * returned pointers are valid as long as the flow. The comment of a member states if it may be NULL. */
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
#include "solvers/phases.h"
#include "solvers/plan.h"
#include "solvers/spectra_of.h"
#include "solvers/step.h"
#include "store/checkpoint/manifest.h"
#include "store/formats/spectrafile.h"
#include "store/checkpoint/tables.h"

#include <stdio.h>

enum { TRIAD_MOST_TRANSPORTS = 5 /* between GPUs */ };

/* The columns of a series after step, t and dt; the first one is the energy. */
typedef struct triad_series_info {
  const char *solver;
  int n;
  const triad_column_info *columns;
} triad_series_info;

/* Parts of an iteration of a linear solver, one after the other: cells that need no other rank, cells that do,
 * packing, messages, reductions over all ranks. */
enum triad_solve_part {
  TRIAD_SOLVE_INTERIOR,
  TRIAD_SOLVE_PLANES,
  TRIAD_SOLVE_COPIES,
  TRIAD_SOLVE_MESSAGES,
  TRIAD_SOLVE_SUMS,
  TRIAD_SOLVE_PARTS
};

/* The time of a part of a flow's creation. */
typedef struct triad_start_part {
  const char *name;
  double s; /* wall-clock time of this rank */
} triad_start_part;

/* Counted cost of a step on this rank. Every family counts the first group, and those members of the other groups
 * that apply to it; members that are 0 are not printed. */
typedef struct triad_costs {
  double bytes, sent_bytes, flops; /* each field read once and written once a stage; additions and multiplications */
  int stages;                      /* of a step                                           */
  int64_t cells;                   /* cells of the whole grid that a step computes; 0: the solver uses modes */
  const char *transport;           /* name of the transport between ranks                 */
  /* of distributed transforms */
  int transforms; /* 3-D ones                                            */
  int nstreams;   /* chunks in flight                                    */
  int64_t chunks;
  /* bytes of a state that passes through a GPU, since the last call of costs */
  double bus_in, bus_out;
  /* of an iterative linear solver, since the last call of costs */
  double solves, iterations, solve_s; /* their number, all iterations, wall-clock time [s]         */
  double iteration_bytes;             /* counted bytes of one iteration                        */
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

/* Positions of output.probes, and the fields that are written for them. */
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
  /* 1: built in and useful, with the state on a GPU or not; NULL: all are */
  int (*serves)(const char *word, int ranks, int on_gpu);
  int streams; /* 1: each word is tried with each number of chunks, if the case can be run with it */
} triad_tunable;

/* Adaptive grid size. asked: returns 1 if the case asks for it; not collective. look: after a step, and before the
 * first one of a start, decide whether the flow should continue on a grid of n points; n[0] = 0: on the present one;
 * why[size]: the reason. The flow is then created again from a checkpoint, with a case in which grid.n = n. The
 * decision depends on the state alone: it is the same after a restart, on any number of ranks. */
typedef struct triad_follow_part {
  int (*asked)(const triad_case *given);
  int (*look)(void *flow, triad_log *log, int64_t n[3], char *why, size_t size);
} triad_follow_part;

/* For triad tune. transports: the available transports between these ranks' GPUs, names[TRIAD_MOST_TRANSPORTS];
 * collective; NULL: transports and chunks are not tuned. tunables: keys of the family that are tried one after the
 * other if a case leaves them open; the last has no name; NULL: there are none. */
typedef struct triad_tune_part {
  int (*transports)(triad_context *context, const char **names, int *n);
  const triad_tunable *tunables;
} triad_tune_part;

/* Flows that end when they are steady. settled: progress from 0 to 1; at 1 the run ends. goal: the criterion, for
 * messages: "time.residual = 1e-06"; with a flow also its present value: "the largest residual is 0.67,
 * time.residual = 1e-06". Returns 0 if this case ends by time or steps alone. Not collective. */
typedef struct triad_steady_part {
  double (*settled)(const void *flow);
  int (*goal)(const triad_case *given, const void *flow, char *text, size_t size);
} triad_steady_part;

/* After a blow-up. locate: one line with the position of values that are not finite; collective; NULL: the message of
 * advance contains it. remedy: a sentence with the keys of this case that most likely help; not collective; NULL or an
 * empty text: a smaller step. */
typedef struct triad_blowup_part {
  int (*locate)(void *flow, char *text, size_t size);
  void (*remedy)(const void *flow, char *text, size_t size);
} triad_blowup_part;

/* For `triad case --init`, of a family that computes on meshes from files. Not collective. */
typedef struct triad_mesh_part {
  /* Print a case for the mesh of a file, to be completed. TRIAD_ERR_CASE. */
  int (*print_case)(FILE *out, const char *path);
} triad_mesh_part;

/* For callers that read and set the state from outside during a run (src/drive), of a family whose state is not at
 * points. points: all points of the flow, even if files of fields have only some; not collective. put: set field
 * `number` of the state from values at all points. changed: fields have been put, or changed in the state's own memory:
 * make them consistent for further steps. Collective. */
typedef struct triad_outside_part {
  void (*points)(const void *flow, triad_space *space);
  int (*put)(void *flow, int number, const void *values);
  int (*changed)(void *flow, triad_log *log);
} triad_outside_part;

/* Families that write files in the background. taken: seconds of processor time that this has taken from the cores of
 * the steps since the last call, on this rank. Not collective. */
typedef struct triad_background_part {
  double (*taken)(void *flow);
} triad_background_part;

/* Families with a built-in transform. pair: time three fields, forward and backward, alternating with the library's
 * transform, on one GPU: own_s[n], library_s[n] [s]. spectra_of: for `triad spectra` (solvers/spectra_of.h), spectra of
 * physical fields in a file. Collective. */
typedef struct triad_transform_part {
  void (*lines)(const void *flow,
                const char *words[3]); /* who transforms lines along x, y, z, as parallel.lines has it */
  int (*pair)(void *flow, int n, double *own_s, double *library_s);
  int (*spectra_of)(triad_context *context, const triad_case *given, const triad_spectra_source *source,
                    const triad_spectra_target *target, triad_log *log);
} triad_transform_part;

/* Families with a solver whose equations the case gives as text. explain: for `triad case --equations`, call print with
 * each line about what was found in them; TRIAD_ERR_FEATURE if the equations of this case's solver are built in. Not
 * collective. */
typedef struct triad_text_part {
  int (*explain)(const triad_case *given, void (*print)(void *who, const char *line), void *who);
} triad_text_part;

typedef struct triad_solver {
  const triad_case_part *part; /* the family's part of a case: its solvers, keys, rules, quantities */

  /* Checks beyond the schema: sizes, initial condition and forcing of the case on its grid (TRIAD_ERR_CASE,
   * TRIAD_ERR_FEATURE). Also adds the solver's part of the resource estimate for `size` ranks with `threads` threads
   * to `needs`, which are zero before. Not collective. */
  int (*check)(const triad_case *given, int size, int threads, triad_needs *needs);

  /* For `triad plan` and `triad bench --machine` (solvers/plan.h): a step counted without a flow. NULL: none. */
  const triad_plan_part *plan;

  /* Optional parts, described above; NULL: not supported. Without `outside`, the state itself has values at points,
   * and settle makes it consistent. */
  const triad_tune_part *tune;
  const triad_steady_part *steady;
  const triad_blowup_part *blowup;
  const triad_outside_part *outside;
  const triad_transform_part *transform;
  const triad_background_part *background;
  const triad_mesh_part *mesh;
  const triad_text_part *text;

  /* The devices that the family supports (solvers/device_choice.h); NULL: the CPU only. */
  const triad_device_support *devices;

  /* Create the flow of a case, at rest at t = 0. run_dir: folder for plans that libraries have measured; NULL: none.
   * context and case must outlive the flow. destroy accepts a flow that is NULL. */
  int (*create)(void **flow, triad_context *context, const triad_case *given, const char *run_dir);
  void (*destroy)(void **flow);
  /* Log what will be computed, and on which device. */
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

  /* Advance by one step: solvers/step.h computes its length and advances the instant. TRIAD_ERR_BLOWUP if a value at
   * the start of the step is not finite; the state is then unchanged. */
  int (*advance)(void *flow, triad_step *step);

  /* NULL: the grid cannot change. */
  const triad_follow_part *follow;

  /* The numbers of a row of the series. */
  int (*measure)(void *flow, double *columns);

  /* Columns that the flow conserves, by the equations, boundaries and forces of its case and by its scheme:
   * list[TRIAD_MOST_CONSERVED]. first: the first row of the run, from which scales are computed. Returns their number,
   * the same on all ranks; not collective. NULL: none. */
  int (*conserved)(const void *flow, const double *first, triad_conserved *list);

  /* Values at points of a box: their list; one of them, [space.memory] in the flow's precision. Both NULL: the fields
   * of the state, which are at points of a box themselves. */
  void (*values_info)(const void *flow, triad_values_info *info);
  int (*values)(void *flow, int number, void *out);

  /* places_info: the probe positions of the case; places: the state there, values[place][field]. Both NULL: the solver
   * has no probes of this kind. */
  void (*places_info)(const void *flow, triad_places_info *info);
  int (*places)(void *flow, double *values);

  /* Samples of running means (output.means): arrays of the current state with their scales, as in files of spectra.
   * columns: as just measured. The caller destroys *out, also on failure. NULL: running means have no samples, only
   * columns. */
  int (*samples)(void *flow, const double *columns, triad_contents **out);

  /* A quantity of the family's table (case/slice.h) at all points of the flow, which are those of `outside`, or else of
   * `values`: [space.memory] in the flow's precision. TRIAD_ERR_CASE if this flow has none. NULL: only `values` are
   * available. */
  int (*quantity)(void *flow, const triad_slice_quantity *quantity, void *out);

  /* The family's own files of fields in RUN/fields, if values are not at points of a box. NULL: files of `values`,
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

  /* Append a row to the files of particles; sync: append nothing, but wait until all rows are on the disk. NULL:
   * there are no particles. */
  int (*particles)(void *flow, const char *run_dir, const triad_notes *notes, int sync);

  /* For `triad bench` (src/run/bench/bench.h). device: the GPU of the steps (NULL: the CPU), and whether the state only
   * passes through it; NULL if `devices` has no kind. costs: of a step. phases: time of each phase on this rank since
   * the last call [s]; phase_list: their names (NULL: those of base/clock.h). apart: nonzero: steps on a GPU, and
   * iterations of a linear solver, run one operation after the other from now on, so that phases can be timed
   * separately; 0: concurrently again. (NULL: operations never overlap.) */
  triad_device *(*device)(const void *flow, int *offload);
  triad_costs (*costs)(void *flow);
  triad_phases (*phases)(void *flow);
  const triad_phase_list *phase_list;
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

/* The phases that a family reports. Not collective. */
const triad_phase_list *triad_solver_phases(const triad_solver *solver);

/* Family number i = 0, 1, .. in double; NULL: there are no more. */
const triad_solver *triad_solver_family(int i);

#endif
