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

/* Number of files that contain rows. */
int triad_growview_parts(const triad_growfile *file);

/* On rank 0; TRIAD_ERR_IO. */
int triad_growview_write(const triad_growfile *file, const triad_notes *notes);
int triad_growview_xdmf(const triad_growfile *file);

#endif
