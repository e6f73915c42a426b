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

int triad_info_checkpoint(const char *path);

int triad_info_png(const char *path);

/* BRIEF: one line, for a list; SILENT: only what is wrong; and values of fields are then not read. */
enum { TRIAD_INFO_WHOLE, TRIAD_INFO_BRIEF, TRIAD_INFO_SILENT };
int triad_info_hdf5(const char *path, int how);

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

/* A file of spectra, of fields in a box of those lengths (x, y, z): report and check. */
int triad_inspect_spectra(triad_inspection *k, double step, double t);
int triad_inspect_fields(triad_inspection *k, double step, double t, const double *length);

#endif
