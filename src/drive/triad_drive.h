/* A run of Triad that another program drives: it sees the flow between two steps, changes it, adds columns to the
 * series.
 * The Python package `triad` stands on this, and on nothing else of the library. In libtriad.so.
 *
 *   triad_drive *d;
 *   triad_drive_options o = {.dir = "my-run"};
 *   int st = triad_drive_create(&d, "case.toml", &o);               (or goes on from the newest checkpoint there)
 *   while (st == 0 && !triad_drive_finished(d)) st = triad_drive_step(d, INFINITY);
 *   if (st != 0) puts(triad_drive_message());
 *   triad_drive_close(&d);
 *
 * The steps and files are those of `triad run`, by the same loop. What returns int returns 0 or an exit code of triad
 * (64 usage, 65 case, 66 input, 69 feature, 70 internal, 71 memory, 74 files, 75 stopped as asked, 80 blow-up), and
 * triad_drive_message then tells why, on all ranks alike; nothing is printed. Collective, but where "(local)" stands:
 * every rank of the communicator calls. One thread at a time. Structs may grow at their end; begin with zeros.
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
  const char *dir;         /* the run directory; NULL: the case's name without .toml            */
  const char *text;        /* the case, where it stands in memory on every rank; NULL: in a file */
  const char *const *sets; /* [n_sets] as of --set: "equations.viscosity=0.01"                   */
  int n_sets;
  int has_comm, comm; /* MPI_Comm_c2f of the ranks; without: MPI_COMM_WORLD. MPI comes up if it has not */
  int from_start, new_case, break_lock, strict; /* as the options of triad run                    */
  double walltime;                              /* stop in good order within this time [s]; 0: no limit               */
  const char *program; /* for provenance.json, the command: this and words[n_words]           */
  const char *const *words;
  int n_words;
} triad_drive_options;

/* The flow of a case, at its start or where the run in the directory stands; one that is finished is made too. *out is
 * NULL on failure. Nothing is written to the series before the first step. */
TRIAD_DRIVE_API int triad_drive_create(triad_drive **out, const char *case_path, const triad_drive_options *options);

/* The end: of a run that has begun and is not at its end, a checkpoint that it goes on from. Accepts NULL. */
TRIAD_DRIVE_API int triad_drive_close(triad_drive **drive);

/* At its close the flow's memory stays, on all ranks: somebody still looks at it on this one (local). */
TRIAD_DRIVE_API void triad_drive_keep_memory(triad_drive *drive);

/* Where the case has target.grid = "follow", a step may end with the flow made anew on another grid: pointers into
 * the one before are void, and what the calls below tell of fields, layout and points is different. changes(who) is
 * called on each rank just before; where it returns not 0 on any of them, since arrays are still in use, the memory
 * of the flow before stays as it is until the program ends, which a warning tells. Where a step fails on its way to
 * the new grid there is no flow any more, and calls that ask for it return 64 (local). */
typedef int triad_drive_changes(void *who);
TRIAD_DRIVE_API void triad_drive_on_grid(triad_drive *drive, triad_drive_changes *changes, void *who);

/* When the program ends: MPI goes down if it came up here (local). */
TRIAD_DRIVE_API void triad_drive_finalize(void);

/* Why the last call failed, "" if it did not; what was said to the log since this was asked last: lines "LEVEL
 * text", of error, warning, info and detail, on rank 0. Both until the next call (local). */
TRIAD_DRIVE_API const char *triad_drive_message(void);
TRIAD_DRIVE_API const char *triad_drive_said(triad_drive *drive);

/* ---- steps ---- */

/* One step, and the files that are due after it; nothing at the end of the run. land_on: a time that it does not step
 * over, where the length of steps is free; infinity: none. 75: stopped as asked, with a checkpoint; it may go on. */
TRIAD_DRIVE_API int triad_drive_step(triad_drive *drive, double land_on);

/* Such steps to time `to` (the first that reaches it), `most` of them, or until `seconds` have passed, which need
 * not be the same on all ranks: they go on together all the same. */
TRIAD_DRIVE_API int triad_drive_steps(triad_drive *drive, double to, int64_t most, double seconds);

/* A checkpoint now. */
TRIAD_DRIVE_API int triad_drive_save(triad_drive *drive);

/* Until files that are written beside the steps are on the disk, and HDF5 is free for others. */
TRIAD_DRIVE_API int triad_drive_wait(triad_drive *drive);

/* What is asked of the next step of all ranks: 1 a checkpoint, 2 to stop after one (local, also in a signal
 * handler). */
TRIAD_DRIVE_API void triad_drive_request(triad_drive *drive, int what);

/* Is the run at its end? Where it is (local). */
TRIAD_DRIVE_API int triad_drive_finished(const triad_drive *drive);
typedef struct triad_drive_instant {
  int64_t step;
  double t, dt, end;
  int rank, size, threads, single;  /* single: numbers of 4 bytes */
  const char *dir, *solver, *limit; /* limit: what set the length of the last step, NULL: none yet */
} triad_drive_instant;
TRIAD_DRIVE_API void triad_drive_where(const triad_drive *drive, triad_drive_instant *out);

/* The resolved case as TOML (local); until the next call. */
TRIAD_DRIVE_API const char *triad_drive_case(triad_drive *drive);

/* ---- the state ---- */

enum { TRIAD_DRIVE_MODES = 1, TRIAD_DRIVE_BOX = 2, TRIAD_DRIVE_OTHER = 3 };

/* A field, and how this rank's part of it lies in memory. Of modes see triad_drive_layout. Of a box: real, own point
 * (x, y, z) at origin + x stride[0] + y stride[1] + z stride[2] reals; begin: the first own point in the grid of n;
 * period: the box's length along axes through whose sides the flow goes on, else 0. */
typedef struct triad_drive_field {
  const char *name, *long_name, *unit;
  int kind;
  int64_t memory; /* numbers, complex ones of modes */
  int64_t n[3], begin[3], local[3], stride[3], origin;
  double period[3];
} triad_drive_field;

/* Field i = 0, 1, .. of the state; 64 behind the last (local). */
TRIAD_DRIVE_API int triad_drive_field_at(const triad_drive *drive, int i, triad_drive_field *out);

/* The flow's own memory of a field, brought up to date; write: it will be changed, and the flow is made good before its
 * next use; device: that on a GPU, 69 where there is none. Good until the next call that is not local. To look without
 * `write` is local but where something has been changed since the last use. */
TRIAD_DRIVE_API int triad_drive_memory(triad_drive *drive, int field, int write, int device, void **out);

/* Modes: complex [block][j][lane]. Column c = block lanes + lane of this rank, c < n_columns, is number first_column
 * + c of all_columns; j numbers kz. Only kx >= 0 is held, weight: 2 where a column stands for its conjugate too, 0
 * in padding. |mz| <= extent is kept. self: u(-kz) = conj u(kz) (local). */
typedef struct triad_drive_layout {
  int64_t n_blocks, nkz, lanes, n_columns, first_column, all_columns, n[3];
  double length[3];
  const int32_t *mx, *my, *extent, *self; /* [n_blocks lanes], integers          */
  const double *kx, *ky, *weight;         /* [n_blocks lanes], 2 pi m / L, 0 at n/2, as first derivatives need it */
  const int32_t *mz;                      /* [nkz]                               */
  const double *kz;
} triad_drive_layout;
TRIAD_DRIVE_API int triad_drive_layout_of(const triad_drive *drive, triad_drive_layout *out);

/* ---- values at points ---- */

/* The points at which there are values: a box, divided among ranks as above. 69: this solver's stand at no points of a
 * box (local). */
TRIAD_DRIVE_API int triad_drive_points(const triad_drive *drive, triad_drive_field *out);

/* Positions of all n[axis] points along an axis (local). */
TRIAD_DRIVE_API int triad_drive_axis(const triad_drive *drive, int axis, double *out);

/* Unit and meaning of a quantity or a field; 65 with the nearest name where there is none (local). */
TRIAD_DRIVE_API int triad_drive_quantity(const triad_drive *drive, const char *name, triad_drive_field *out);

/* It at this rank's points, out[memory] of the flow's precision. */
TRIAD_DRIVE_API int triad_drive_values(triad_drive *drive, const char *name, void *out);

/* Field `field` from values at this rank's points; 69: its own memory is at points, change that. */
TRIAD_DRIVE_API int triad_drive_put(triad_drive *drive, int field, const void *values);

/* ---- numbers ---- */

/* Column i of the series behind step, t and dt; 64 behind the last (local). The solver's, measured now, out[how
 * many]. */
TRIAD_DRIVE_API int triad_drive_column_at(const triad_drive *drive, int i, const char **name, const char **unit,
                                          const char **about);
TRIAD_DRIVE_API int triad_drive_measure(triad_drive *drive, double *out);

/* One more column of the series, before the first step; the same on all ranks. measure is called on all, with the
 * flow as of a row, the value of rank 0 is written; what it returns but 0 ends the step, the same on all ranks
 * (triad_drive_agree). 64: a name that is none or is there. */
typedef int triad_drive_measured(void *who, double *value);
TRIAD_DRIVE_API int triad_drive_add_column(triad_drive *drive, const char *name, const char *unit, const char *about,
                                           triad_drive_measured *measure, void *who);

/* A text that each checkpoint from now on carries (of rank 0); that of the checkpoint which the run went on from, ""
 * without (local). */
TRIAD_DRIVE_API int triad_drive_keep(triad_drive *drive, const char *text);
TRIAD_DRIVE_API const char *triad_drive_kept(const triad_drive *drive);

/* The worst of all ranks' statuses, on all, with its text as the message. A rank whose status is not 0 waits for the
 * others for `patience` seconds: where they wait for it elsewhere, the text is printed and all ranks end with the
 * status. */
TRIAD_DRIVE_API int triad_drive_agree(triad_drive *drive, int status, const char *text, double patience);

/* The same before a call that is collective, so that no rank enters it alone. what: a number of the call and its
 * arguments, above 0, the same on all ranks; text: why the status is not 0, or the name of the call. Returns 64 on
 * all ranks if their calls differ, and 70 if another rank is in triad_drive_leave. */
TRIAD_DRIVE_API int triad_drive_meet(triad_drive *drive, int what, int status, const char *text, double patience);

/* The caller's program ends on this rank, with these flows open: wait until it ends on all ranks of them, 0; then
 * each may be closed. If another rank calls one of the flows instead, that call fails with 70, and all ranks end
 * `patience` seconds later. */
TRIAD_DRIVE_API int triad_drive_leave(triad_drive **drives, int n, double patience);

/* x[n] becomes its sum (0), least (1) or largest (2) over all ranks. */
TRIAD_DRIVE_API int triad_drive_reduce(triad_drive *drive, int what, int n, double *x);

/* ---- the program ---- */

/* `triad` with these arguments, argv[0] any name: returns its exit code. In a process that has done nothing else. */
TRIAD_DRIVE_API int triad_drive_program(int argc, char **argv);
TRIAD_DRIVE_API const char *triad_drive_version(void); /* "0.1.0", local */

#ifdef __cplusplus
}
#endif

#endif
