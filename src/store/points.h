/* Fields at the points of a grid in blocks, to and from files: checkpoints of the state, and fields to look at.
 *
 * Files hold whole planes (z, y, x). Every rank writes and reads planes of its own, a field at a time, so that a file is
 * the same on any number of ranks and any division into blocks, and is read on any other. */
#ifndef TRIAD_STORE_POINTS_H
#define TRIAD_STORE_POINTS_H

#include "grid/rows.h"
#include "store/checkpoint.h"
#include "store/fieldfile.h"


typedef struct triad_points {
  const triad_context *context;
  triad_partition blocks;  /* of the state, with halos                                             */
  triad_layout *layout; /* of the whole grid, without truncation: its planes, dealt to ranks    */
  triad_rows *rows;     /* between blocks and these planes                                      */
  triad_real *planes;   /* room for this rank's planes of one field, [z_local][y][x]            */
} triad_points;

/* For fields of these blocks in a box of these lengths. Takes room for some three fields. TRIAD_ERR_MEMORY. Collective. */
int triad_points_create(triad_points **out, const triad_context *context, const triad_partition *blocks,
                        const double length[3]);
void triad_points_destroy(triad_points **points);

/* Write a checkpoint of fields[info->n_fields], each with halos as in grid/partition.h, into points.h5: as
 * triad_checkpoint_write, statuses likewise. Collective. */
int triad_points_checkpoint(triad_points *points, const char *run_dir, const triad_checkpoint_info *info,
                            triad_real *const *fields, int keep);

/* Read fields, by name, of a checkpoint that triad_checkpoint_about or _find has described; every byte that is read is
 * verified. Halos are left alone. Bit for bit; the other precision is converted. TRIAD_ERR_CASE when grid, box, kind or a
 * name does not fit, or the file is damaged; TRIAD_ERR_IO, TRIAD_ERR_MEMORY. Collective; the message has been printed. */
int triad_points_restore(triad_points *points, const char *folder, const triad_manifest *about, int n_fields,
                         const char *const *names, triad_real *const *fields);

#endif
