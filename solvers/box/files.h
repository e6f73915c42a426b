/* Checkpoints and files of fields of any flow, written and read through the members of solvers/solver.h: state,
 * instant, values at points. Collective, with the same status on all ranks; failures have been printed. */
#ifndef TRIAD_SOLVERS_BOX_FILES_H
#define TRIAD_SOLVERS_BOX_FILES_H

#include "base/precision.h"
#include "solvers/solver.h"
#include "store/checkpoint/commit.h"
#include "store/disk.h"

/* A flow, and what it was made from. */
typedef struct triad_simulation {
  triad_context *context;
  const triad_case *given;
  const triad_solver *solver;
  void *flow;
} triad_simulation;

/* Set the flow to its start, step 0 of t = 0: from initial.file, where initial.kind is "checkpoint", by the names of
 * fields, at its step and time with initial.keep_time; else as the family has it. source: the folder of the checkpoint
 * that was read, "" where none. */
int triad_simulation_start(const triad_simulation *sim, triad_log *log, char source[TRIAD_PATH]);

/* Go on from a checkpoint that triad_checkpoint_find has found: all fields, and its instant. Modes of another grid of
 * the same box, and numbers of another precision, are taken over. */
int triad_simulation_resume(const triad_simulation *sim, const char *folder, const triad_manifest *about,
                            triad_log *log);

/* Write the current state: a checkpoint, of which the newest output.keep are retained, with an extra file (read on
 * rank 0; NULL: none); the values at points. */
int triad_simulation_checkpoint(const triad_simulation *sim, const char *run_dir, const triad_notes *notes,
                                const triad_beside *beside);
int triad_simulation_fields(const triad_simulation *sim, const char *run_dir, const triad_notes *notes);

/* ---- initial.file: physical fields of the user's own, datasets (z, y, x) by the names of fields ---- */

/* Its path, malloc'd. TRIAD_ERR_MEMORY. Collective. */
int triad_files_path(const triad_context *context, const triad_case *given, char **path);

/* Find the fields[n] that the file has: their indices in order, list[n], and their number. If it has some components
 * of a vector, the others are listed too; if it has no field, the first one is listed, so that the reader reports what
 * is missing and what exists. Also the size (z, y, x) common to all of a list. TRIAD_ERR_INPUT, TRIAD_ERR_CASE.
 * Collective. */
int triad_files_find(const triad_context *context, const char *path, const triad_field_info *fields, int n, int *list,
                     int *count);
int triad_files_size(const triad_context *context, const char *path, const triad_field_info *fields, const int *list,
                     int count, int64_t dims[3]);

/* A warning where the file has an attribute `length`, as our own files of fields do, and it is not that of the box: the
 * fields are stretched then. */
int triad_files_length(const triad_context *context, const char *path, const double box[3], triad_log *log);

/* The start from initial.file of a flow on points of a box: fields[n], all of which it must have, as triad_files_points
 * below reads them. Tells the log. */
int triad_files_start(const triad_context *context, const triad_case *given, const triad_space *space,
                      const triad_field_info *fields, int n, triad_real *const *out, triad_log *log);

/* Fields list[count] (NULL: the first ones), of as many points as `space` has, a box: out[count] of [space->memory]
 * each, of which ghosts are left alone. In the precision of out. As above. */
int triad_files_points(const triad_context *context, const triad_space *space, const char *path,
                       const triad_field_info *fields, const int *list, int count, triad_real *const *out);

/* Values of a flow at points (solver.h): which, and those of one, as files of fields and slices take them. values:
 * in the flow's precision, collective. */
void triad_simulation_values(const triad_simulation *sim, triad_values_info *info);
int triad_files_values(const triad_simulation *sim, int number, triad_real *out);

/* For the above, in one precision: read fields list[n] of the state (NULL: all n); write. */
int triad_files_read(const triad_simulation *sim, const char *folder, const triad_manifest *about, int n,
                     const int *list, double *dropped);
int triad_files_checkpoint(const triad_simulation *sim, const char *run_dir, const triad_notes *notes,
                           const triad_beside *beside);
int triad_files_fields(const triad_simulation *sim, const char *run_dir, const triad_notes *notes);

/* Log a line with the fields list[count], in order, that were found, and a warning that names the others of fields[n].
 * Not collective. */
void triad_files_found(const triad_field_info *fields, int n, const int *list, int count, triad_log *log);

#endif
