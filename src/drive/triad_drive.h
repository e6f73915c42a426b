/* Drive a run of Triad from another program: inspect and change the flow between steps, add columns to the series. The
 * Python package `triad` uses only this interface of the library (libtriad.so).
 *
 *   triad_drive *d;
 *   triad_drive_options o = {.dir = "my-run"};
 *   int st = triad_drive_create(&d, "case.toml", &o);               (or resumes from the newest checkpoint there)
 *   while (st == 0 && !triad_drive_finished(d)) st = triad_drive_step(d, INFINITY);
 *   if (st != 0) puts(triad_drive_message());
 *   triad_drive_close(&d);
 *
 * Steps and files are those of `triad run`, by the same loop. Functions of type int return 0 or an exit code of triad
 * (64 usage, 65 case, 66 input, 69 feature, 70 internal, 71 memory, 74 files, 75 stopped on request, 80 blow-up);
 * triad_drive_message then gives the reason, the same on all ranks; nothing is printed. Functions are collective over
 * the communicator except those marked "(local)". One thread at a time. Structs may get more members at their end;
 * initialise them with zeros.
 *
 * Build:  mpicc program.c $(pkg-config --cflags --libs triad) */
#ifndef TRIAD_DRIVE_H
#define TRIAD_DRIVE_H

#include <stdint.h>

#if defined(__GNUC__) || defined(__clang__)
#define TRIAD_DRIVE_API __attribute__((visibility("default")))
#else
#define TRIAD_DRIVE_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct triad_drive triad_drive;

typedef struct triad_drive_options {
  const char *dir;         /* run directory, on all ranks that of rank 0; NULL: the case's name without .toml */
  const char *text;        /* text of the case, on every rank; NULL: read the file */
  const char *const *sets; /* [n_sets] like --set: "equations.viscosity=0.01" */
  int n_sets;
  int has_comm, comm; /* MPI_Comm_c2f of the ranks; has_comm = 0: MPI_COMM_WORLD. MPI is initialised if necessary */
  int from_start, new_case, break_lock, strict; /* like the options of triad run */
  double walltime;                              /* stop with a checkpoint within this time [s]; 0: no limit */
  const char *program;                          /* the command for provenance.json: this and words[n_words] */
  const char *const *words;
  int n_words;
} triad_drive_options;

/* Create the flow of a case, at its start or at the newest checkpoint of the run in the directory; a finished run is
 * created too. *out is NULL on failure. Nothing is written to the series before the first step. */
TRIAD_DRIVE_API int triad_drive_create(triad_drive **out, const char *case_path, const triad_drive_options *options);

/* Close a run. If it has begun and is not finished, a checkpoint is written from which it can resume. Accepts NULL. */
TRIAD_DRIVE_API int triad_drive_close(triad_drive **drive);

/* Do not free the flow's memory on close, on any rank, because this rank still uses it (local). */
TRIAD_DRIVE_API void triad_drive_keep_memory(triad_drive *drive);

/* Adaptive grids: if the case has target.grid = "follow", a step may create the flow again on another grid. Pointers
 * into the old flow are then invalid, and fields, layout and points change. changes(who) is called on each rank before
 * that; if it returns nonzero on any rank, because arrays are in use, the memory of the old flow is retained until the
 * program ends, with a warning. If a step fails on its way to the new grid, no flow exists, and calls that need it
 * return 64 (local). */
typedef int triad_drive_changes(void *who);
TRIAD_DRIVE_API void triad_drive_on_grid(triad_drive *drive, triad_drive_changes *changes, void *who);

/* Call it when the program ends: finalises MPI if it was initialised here (local). */
TRIAD_DRIVE_API void triad_drive_finalize(void);

/* message: why the last call failed, "" if it succeeded. said: log messages since the last call of this function:
 * lines "LEVEL text" of error, warning, info and detail, on rank 0. Both are valid until the next call (local). */
TRIAD_DRIVE_API const char *triad_drive_message(void);
TRIAD_DRIVE_API const char *triad_drive_said(triad_drive *drive);

/* ---- steps ---- */

/* Advance by one step and write the output due after it; does nothing at the end of the run. land_on: a time to which
 * dt is clipped if steps are adaptive; infinity: none. 75: stopped on request, with a checkpoint; further steps are
 * possible. */
TRIAD_DRIVE_API int triad_drive_step(triad_drive *drive, double land_on);

/* Advance to time `to` (until the first step that reaches it), by `most` steps, or until `seconds` have passed; the
 * last may differ between ranks, which still stop together. */
TRIAD_DRIVE_API int triad_drive_steps(triad_drive *drive, double to, int64_t most, double seconds);

/* Write a checkpoint now. */
TRIAD_DRIVE_API int triad_drive_save(triad_drive *drive);

/* Wait until files written in the background are on the disk and HDF5 may be used by the caller. */
TRIAD_DRIVE_API int triad_drive_wait(triad_drive *drive);

/* Request for the next step of all ranks: 1: a checkpoint, 2: stop after one (local, also in a signal handler). */
TRIAD_DRIVE_API void triad_drive_request(triad_drive *drive, int what);

/* finished: 1 if the run is at its end. where: its present instant (local). */
TRIAD_DRIVE_API int triad_drive_finished(const triad_drive *drive);
typedef struct triad_drive_instant {
  int64_t step;
  double t, dt, end;
  int rank, size, threads, single;  /* single: 1 if numbers have 4 bytes */
  const char *dir, *solver, *limit; /* limit: what limited the last time step, NULL: none yet */
} triad_drive_instant;
TRIAD_DRIVE_API void triad_drive_where(const triad_drive *drive, triad_drive_instant *out);

/* The resolved case as TOML, valid until the next call (local). */
TRIAD_DRIVE_API const char *triad_drive_case(triad_drive *drive);

/* ---- the state ---- */

enum { TRIAD_DRIVE_MODES = 1, TRIAD_DRIVE_BOX = 2, TRIAD_DRIVE_OTHER = 3 };

/* A field and the memory layout of this rank's part. For modes see triad_drive_layout. For a box: real, own point (x,
 * y, z) at index origin + x stride[0] + y stride[1] + z stride[2]; begin: the first own point in the grid of n;
 * period: the box's length along periodic axes, else 0. */
typedef struct triad_drive_field {
  const char *name, *long_name, *unit;
  int kind;
  int64_t memory; /* numbers in memory; for modes complex numbers */
  int64_t n[3], begin[3], local[3], stride[3], origin;
  double period[3];
} triad_drive_field;

/* Field i = 0, 1, .. of the state; 64 after the last (local). */
TRIAD_DRIVE_API int triad_drive_field_at(const triad_drive *drive, int i, triad_drive_field *out);

/* The flow's own memory of a field, up to date. write: the caller will change it, and the flow is made consistent
 * before its next use. device: the copy on a GPU, 69 if there is none. Valid until the next call that is not local.
 * Without `write` the call is local unless something has been changed since the last use. */
TRIAD_DRIVE_API int triad_drive_memory(triad_drive *drive, int field, int write, int device, void **out);

/* Layout of modes: complex [block][j][lane]. Column c = block lanes + lane of this rank, c < n_columns, is column
 * first_column + c of all_columns; j numbers kz. Only kx >= 0 is stored. weight: 2 if a column represents its
 * conjugate too, 0 in padding. |mz| <= extent is kept. self: 1 if u(-kz) = conj u(kz) (local). */
typedef struct triad_drive_layout {
  int64_t n_blocks, nkz, lanes, n_columns, first_column, all_columns, n[3];
  double length[3];
  const int32_t *mx, *my, *extent, *self; /* [n_blocks lanes], integers          */
  const double *kx, *ky, *weight;         /* [n_blocks lanes], 2 pi m / L; 0 at n/2, as first derivatives require */
  const int32_t *mz;                      /* [nkz]                               */
  const double *kz;
} triad_drive_layout;
TRIAD_DRIVE_API int triad_drive_layout_of(const triad_drive *drive, triad_drive_layout *out);

/* ---- values at points ---- */

/* The points at which values are available: a box, distributed over ranks as above. 69: this solver has no values on a
 * regular grid (local). */
TRIAD_DRIVE_API int triad_drive_points(const triad_drive *drive, triad_drive_field *out);

/* Positions of all n[axis] points along an axis (local). */
TRIAD_DRIVE_API int triad_drive_axis(const triad_drive *drive, int axis, double *out);

/* Unit and meaning of a quantity or a field; 65 with the nearest name if it does not exist (local). */
TRIAD_DRIVE_API int triad_drive_quantity(const triad_drive *drive, const char *name, triad_drive_field *out);

/* A quantity or field at this rank's points, out[memory] in the flow's precision. */
TRIAD_DRIVE_API int triad_drive_values(triad_drive *drive, const char *name, void *out);

/* Set field `field` from values at this rank's points; 69: its own memory has values at points, change that. */
TRIAD_DRIVE_API int triad_drive_put(triad_drive *drive, int field, const void *values);

/* ---- numbers ---- */

/* column_at: column i of the series after step, t and dt; 64 after the last (local). measure: compute the solver's
 * columns now, out[number of columns]. */
TRIAD_DRIVE_API int triad_drive_column_at(const triad_drive *drive, int i, const char **name, const char **unit,
                                          const char **about);
TRIAD_DRIVE_API int triad_drive_measure(triad_drive *drive, double *out);

/* Add a column to the series, before the first step; the same on all ranks. measure is called on all ranks with the
 * flow of a row, and the value of rank 0 is written. If it returns nonzero, which must be the same on all ranks
 * (triad_drive_agree), the step fails. 64: the name is invalid or exists. */
typedef int triad_drive_measured(void *who, double *value);
TRIAD_DRIVE_API int triad_drive_add_column(triad_drive *drive, const char *name, const char *unit, const char *about,
                                           triad_drive_measured *measure, void *who);

/* keep: a text that each checkpoint from now on contains (that of rank 0). kept: the text of the checkpoint from which
 * the run resumed, "" if none (local). */
TRIAD_DRIVE_API int triad_drive_keep(triad_drive *drive, const char *text);
TRIAD_DRIVE_API const char *triad_drive_kept(const triad_drive *drive);

/* The worst status of all ranks, on all ranks, with its text as the message. A rank whose status is not 0 waits for
 * the others for `patience` seconds; if they are waiting elsewhere, the text is printed and all ranks end with the
 * status. */
TRIAD_DRIVE_API int triad_drive_agree(triad_drive *drive, int status, const char *text, double patience);

/* The same before a collective call, so that no rank enters it alone. what: a number above 0 that identifies the call
 * and its arguments, the same on all ranks; text: why the status is not 0, or the name of the call. Returns 64 on all
 * ranks if their calls differ, and 70 if another rank is in triad_drive_leave. */
TRIAD_DRIVE_API int triad_drive_meet(triad_drive *drive, int what, int status, const char *text, double patience);

/* The caller's program ends on this rank with these flows open: wait until it ends on all their ranks, 0; then each
 * may be closed. If another rank calls one of the flows instead, that call fails with 70, and all ranks end `patience`
 * seconds later. */
TRIAD_DRIVE_API int triad_drive_leave(triad_drive **drives, int n, double patience);

/* Replace x[n] by its sum (0), minimum (1) or maximum (2) over all ranks. */
TRIAD_DRIVE_API int triad_drive_reduce(triad_drive *drive, int what, int n, double *x);

/* ---- the program ---- */

/* Run `triad` with these arguments, argv[0] any name: returns its exit code. Only in a process that has done nothing
 * else. */
TRIAD_DRIVE_API int triad_drive_program(int argc, char **argv);
TRIAD_DRIVE_API const char *triad_drive_version(void); /* "0.1.0", local */

#ifdef __cplusplus
}
#endif

#endif
