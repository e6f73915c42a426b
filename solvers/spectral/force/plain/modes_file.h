/* Modes over time from a file, and between its times. */
#ifndef TRIAD_SOLVERS_SPECTRAL_FORCE_PLAIN_MODES_FILE_H
#define TRIAD_SOLVERS_SPECTRAL_FORCE_PLAIN_MODES_FILE_H

#include "grid/grid.h"
#include "parallel/comm.h"

/* A mode, or its conjugate with sign -1: the one whose first number that is not 0 is positive. */
typedef struct triad_file_mode {
  int64_t k[3], number;
  double sign;
} triad_file_mode;

typedef struct triad_modes_file {
  int64_t n_times, n_modes;
  double *t, *k, *f;       /* [n_times], [n_modes][3], [n_times][n_modes][components][re, im]; one piece of memory */
  triad_file_mode *sorted; /* [n_modes] by k */
  uint64_t checksum;       /* of all numbers */
} triad_modes_file;

/* The datasets t, k and f of an HDF5 file, of which rank 0 reads. Each mode stands for its conjugate too.
 * TRIAD_ERR_INPUT where the file is missing; TRIAD_ERR_CASE where it is not as it should be, has modes that the grid
 * does not keep, or, with more times than one, does not reach from 0 to `end`. Collective. triad_modes_file_free
 * also after a failure. */
int triad_modes_file_read(triad_modes_file *out, const triad_comm *comm, const char *path, int components,
                          const triad_grid *grid, double end);
void triad_modes_file_free(triad_modes_file *modes);

/* Number of mode k in the file; sign -1: of its conjugate. -1: there is neither. */
int64_t triad_modes_file_find(const triad_modes_file *modes, const int64_t k[3], double *sign);

#endif
