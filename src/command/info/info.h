/* Internal to `triad info`. One function per kind of file: it prints a description of the file on standard output and
 * returns TRIAD_OK, or TRIAD_ERR_CASE if the file has a fault that the report describes; for other failures the
 * message is stored. Nothing is collective. */
#ifndef TRIAD_COMMAND_INFO_INFO_H
#define TRIAD_COMMAND_INFO_INFO_H

#include "base/guard.h"
#include "base/status.h"
#include "store/checkpoint/inspect.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* One line of the report, as printf: escaped, so that no file's text reaches the terminal as anything but text. */
void triad_info_line(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* "  WRONG: ...", one line, likewise. Returns TRIAD_ERR_CASE. */
int triad_info_wrong(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Report the stored message as a fault of the file; a status that is not the file's fault (memory, I/O) is returned
 * with its message. */
int triad_info_blame(int status);

/* "12.3 MB" */
const char *triad_info_size(char buffer[32], double bytes);

int triad_info_run(const char *path);
int triad_info_is_part(const char *name);                                 /* does a run have a folder of this name? */
int triad_info_part(const char *path, const char *run, const char *part); /* a folder of a run directory */
int triad_info_checkpoint(const char *path);
int triad_info_series(const char *path, int brief);
int triad_info_case(const char *path);
int triad_info_json(const char *path);
int triad_info_wisdom(const char *path);
int triad_info_log(const char *path);
int triad_info_xdmf(const char *path);

/* Is it provenance.json by its name, or one that was put by, provenance.1.json? */
int triad_info_sessions(const char *path);
int triad_info_png(const char *path);

/* BRIEF: one line, for a list; SILENT: only what is wrong; and values of fields are then not read. */
enum { TRIAD_INFO_WHOLE, TRIAD_INFO_BRIEF, TRIAD_INFO_SILENT };
int triad_info_hdf5(const char *path, int how);

/* "step-00000010  valid ..", for a list, and step and time of a valid one; the report is triad_info_checkpoint. */
int triad_info_checkpoint_brief(const char *folder, int64_t *step, double *t, int *settled);

/* ---- lines of a text file of any size, one at a time ---- */

enum { TRIAD_INFO_LINE = 1 << 18 }; /* a row of a thousand scalars fits */

typedef struct triad_info_lines {
  const char *path;
  FILE *file;
  int64_t number; /* of the line, from 1 */
  int whole;      /* it ends with a line end and was not cut */
  size_t length;
  char text[TRIAD_INFO_LINE]; /* without its line end; a NUL behind it, and in it where the file has one */
} triad_info_lines;

/* Open a regular file. malloc'd; close it in any case. TRIAD_ERR_INPUT, TRIAD_ERR_IO, TRIAD_ERR_MEMORY. */
int triad_info_lines_open(triad_info_lines **out, const char *path);

/* The next line: 1, or 0 at the end. A line longer than the room is cut, and its rest passed over. */
int triad_info_lines_next(triad_info_lines *lines);

/* Returns TRIAD_ERR_IO when reading failed, else `status`. Accepts NULL. */
int triad_info_lines_close(triad_info_lines **lines, int status);

/* ---- what is inside an HDF5 file ---- */

enum { TRIAD_DATASET_NAME = 128 };

typedef struct triad_dataset {
  char name[TRIAD_DATASET_NAME];
  int n_dims, bytes; /* bytes of a number */
  int64_t dims[TRIAD_H5_DIMS], values;
  int64_t bad; /* values that are not finite */
  int64_t first_bad[TRIAD_H5_DIMS];
  int is_nan; /* the first of them */
  double least, most, sum, squares;
} triad_dataset;

typedef struct triad_inspection {
  const char *path;
  int how, n_sets, room, no_memory;
  int64_t file_bytes;
  triad_h5 *file;
  triad_guard *guard;
  triad_dataset *sets; /* [room] */
} triad_inspection;

/* The shape of a dataset, and whether the file can hold as much, since other programs may claim any size: deflate makes
 * at most 1032 bytes of one. */
int triad_inspection_measure(triad_inspection *k, triad_dataset *d);

/* The dataset of that name, or NULL. */
triad_dataset *triad_inspection_find(const triad_inspection *k, const char *name);

/* Every value of it, a piece at a time, into least, most, sum, squares, bad; and into all[values] unless NULL. */
int triad_inspection_values(triad_inspection *k, triad_dataset *d, double *all);

/* All of its values in *out, which the caller frees. */
int triad_inspection_load(triad_inspection *k, triad_dataset *d, double **out);

/* Lines of the report. */
void triad_inspection_print(const triad_inspection *k, const triad_dataset *d);
void triad_inspection_print_notes(const triad_inspection *k);

/* Check for values that are not finite; for a file name with another step than the attribute. TRIAD_OK, or
 * TRIAD_ERR_CASE, reported. */
int triad_inspection_check_finite(const triad_inspection *k);
int triad_inspection_check_step(const triad_inspection *k, const char *prefix, double step);

/* A file of spectra, of fields in a box of those lengths (x, y, z): report and check. */
int triad_inspect_spectra(triad_inspection *k, double step, double t);
int triad_inspect_fields(triad_inspection *k, double step, double t, const double *length);

/* Likewise of a slice; axis: the name of the one across it. */
int triad_inspect_slice(triad_inspection *k, double step, double t, const char *axis);

/* What a file of cells, walls, nodes or places is, in words, NULL where it is none; timed: it has a step and a time. */
const char *triad_inspection_cells(const triad_inspection *k, int timed);

/* Likewise of such a file. */
int triad_inspect_cells(triad_inspection *k, const char *what, int timed, double step, double t);

/* Likewise of running means. */
int triad_inspect_means(triad_inspection *k);

#endif
