/* Tables of doubles that all ranks write together; each rank has a range of rows. They are in particles.h5, in the
 * folder of a checkpoint, with a checksum in the notes of its manifest, and in files that grow by rows
 * (store/hdf5/growfile.h). */
#ifndef TRIAD_STORE_CHECKPOINT_TABLES_H
#define TRIAD_STORE_CHECKPOINT_TABLES_H

#include "parallel/context.h"
#include "store/checkpoint/notes.h"

#define TRIAD_TABLES_FILE "particles.h5"

enum { TRIAD_TABLES = 64 /* in a file, at most */ };

typedef struct triad_table {
  const char *name;     /* of its dataset */
  int64_t rows, width;  /* of all ranks; numbers in each */
  int64_t first, count; /* this rank's rows */
  const double *values; /* [count][width] */
  int64_t offset;       /* of row 0 in the file [bytes]; set where the file is made */
} triad_table;

/* Write this rank's rows of all tables to the existing file at `path`; sync: to the disk. gather: rank 0 writes for
 * all. TRIAD_ERR_IO. Collective. */
int triad_tables_put(const triad_context *ctx, const char *path, int gather, int sync, int n,
                     const triad_table *tables);

/* A file of tables in the folder of a checkpoint, which rank 0 makes; their sums into the notes, on all ranks.
 * Collective. */
int triad_tables_write(const triad_context *ctx, const char *folder, int gather, int n, triad_table *tables,
                       triad_notes *notes);

/* Do the tables of a checkpoint agree with its notes? Nothing to do where these name none. TRIAD_ERR_CASE; the
 * message is kept. Not collective: who calls it reads them all. */
int triad_tables_check(const char *folder, const triad_notes *notes);

/* Have the notes a table of this name? Its size; rows first .. first + count - 1 of it. TRIAD_ERR_CASE,
 * TRIAD_ERR_IO. Not collective. */
int triad_tables_has(const triad_notes *notes, const char *name);
const char *triad_tables_name(const char *note); /* the name of the table that a note is of; NULL: of none */
int triad_tables_size(const char *folder, const char *name, int64_t *rows, int64_t *width);
int triad_tables_read(const char *folder, const char *name, int64_t width, int64_t first, int64_t count,
                      double *values);

#endif
