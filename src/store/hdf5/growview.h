/* Internal to growfile.h: the file that shows all rows, the one for ParaView, and the existing rows. */
#ifndef TRIAD_STORE_HDF5_GROWVIEW_H
#define TRIAD_STORE_HDF5_GROWVIEW_H

#include "store/disk.h"
#include "store/hdf5/growfile.h"

struct triad_growfile {
  const triad_context *ctx;
  char folder[TRIAD_PATH], name[64];
  int64_t lines, rows, row_bytes;
  int n, gather;
  triad_growfile_set set[TRIAD_GROWFILE_SETS];
  int part; /* the file that is written to; -1: none yet */
  int64_t offset[TRIAD_GROWFILE_SETS];
  double shown; /* when the rows were last shown */
  /* rank 0 */
  double *t;
  int64_t *step, room;
};

/* Rows that a file of rows has room for, and the first of them. Dimensions of a set; returns how many. */
int64_t triad_growfile_capacity(const triad_growfile *file, int part, int64_t *first);
int triad_growfile_dims(const triad_growfile *file, int set, int64_t rows, int64_t dims[4]);

/* growthere.c, on rank 0. take: read times and steps of the existing rows, whose number must match. clear: for a new
 * file, whose first row has step `step`: delete rows of an abandoned start under its name; rows that precede it stay:
 * TRIAD_ERR_CASE. */
int triad_growthere_take(triad_growfile *file, int64_t rows);
int triad_growthere_clear(const triad_growfile *file, int64_t step);

/* Number of files that contain rows. */
int triad_growview_parts(const triad_growfile *file);

/* On rank 0; TRIAD_ERR_IO. */
int triad_growview_write(const triad_growfile *file, const triad_notes *notes);
int triad_growview_xdmf(const triad_growfile *file);

#endif
