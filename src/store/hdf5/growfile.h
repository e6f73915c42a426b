/* HDF5 files that grow by one row per time: datasets [time][line][..], whose lines come from all ranks.
 *
 * Rows are stored in files of fixed size, NAME.0000.h5, NAME.0001.h5, .., whose structure never changes after
 * creation. NAME.h5 shows the existing rows as whole datasets (HDF5's virtual layout), with t, step and id; it is
 * replaced atomically, at most once per second and whenever files are synced. It can be opened at any moment, also
 * after a kill, and the rows that it shows are complete. NAME.xmf describes it for ParaView. Each file of rows is twice
 * as large as the one before, from 1 to 256 MiB. */
#ifndef TRIAD_STORE_HDF5_GROWFILE_H
#define TRIAD_STORE_HDF5_GROWFILE_H

#include "parallel/context.h"
#include "store/checkpoint/notes.h"

enum { TRIAD_GROWFILE_SETS = 24 };

typedef struct triad_growfile_set {
  const char *name, *unit, *long_name;
  int n_dims; /* of a line: 0, 1 or 2 */
  int64_t dims[2];
} triad_growfile_set;

typedef struct triad_growfile triad_growfile;

/* Open the file FOLDER/NAME.h5 with `lines` lines; name and sets are copied, their strings are not. rows: number of
 * rows of an existing file to continue, later ones are dropped; 0: a new file, whose first row has step `step`.
 * TRIAD_ERR_CASE if the existing file has other lines or sets, or fewer rows, or if a new file would replace rows that
 * are all older than its first; nothing is changed then. Collective. */
int triad_growfile_open(triad_growfile **out, const triad_context *ctx, const char *folder, const char *name,
                        int64_t lines, int n_sets, const triad_growfile_set *sets, int gather, int64_t rows,
                        int64_t step);
void triad_growfile_close(triad_growfile **file); /* accepts NULL */

int64_t triad_growfile_rows(const triad_growfile *file);

/* Add a row: this rank's lines first .. first + count - 1 of each set, values[set][count][..]. TRIAD_ERR_IO: the row
 * does not exist then. Collective. */
int triad_growfile_add(triad_growfile *file, int64_t step, double t, int64_t first, int64_t count,
                       const double *const *values, const triad_notes *notes);

/* Rows so far are on the disk, and to be seen. Collective. */
int triad_growfile_sync(triad_growfile *file, const triad_notes *notes);

#endif
