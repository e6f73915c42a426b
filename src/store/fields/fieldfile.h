/* Fields at the points of a box as HDF5: written for ParaView, xarray and h5py, and read from user files.
 *
 * RUN/fields/fields-00001200.h5: datasets (z, y, x), x fastest, with dimension scales x, y, z (coordinates of the
 * grid points), attributes units and long_name, and step, t, length, origin (of the first point) at the root;
 * stretched = 1 too where points are not evenly spaced; part_of, lengths of the whole box, where points are a part
 * of it; vectors, "velocity=u,v,w", names the fields that are components of one. RUN/fields/fields.xmf names them
 * all (below). Each file is made under a temporary name and appears complete. */
#ifndef TRIAD_STORE_FIELDS_FIELDFILE_H
#define TRIAD_STORE_FIELDS_FIELDFILE_H

#include "base/precision.h"
#include "grid/field.h"
#include "grid/space.h"
#include "parallel/context.h"
#include "store/fields/fieldpack.h"
#include "store/checkpoint/notes.h"

typedef struct triad_fieldfile_info {
  int64_t step;
  double t;
  int single; /* reals of 4 bytes in the file, else of 8, whatever the precision of the run */
  int n_fields;
  const triad_field_info *fields; /* [n_fields] names not x, y, z, t, notes                */
  const triad_notes *notes;       /* attributes of the group notes; NULL: none           */
  int gather;                     /* rank 0 writes for all (store/gather.h): the same bytes */
  int packed;                     /* fields come by triad_fieldfile_put_packed            */
} triad_fieldfile_info;

typedef struct triad_fieldfile triad_fieldfile;

/* Begin a file of fields in this space, a box of points, whose planes are distributed over ranks (grid/fields/slab.h);
 * collective. Failures from here to finish are TRIAD_ERR_IO (for example disk full) or TRIAD_ERR_MEMORY; those of
 * collective calls have been printed. run_dir must exist. */
int triad_fieldfile_create(triad_fieldfile **out, const triad_context *ctx, const triad_space *space,
                           const char *run_dir, const triad_fieldfile_info *info);

/* Planes first .. first + count - 1 of this rank, counted from its own first one, of a field: [count][y][x]. In any
 * order; all planes of all fields must come. One thread at a time. A failure is kept for finish. Not collective, but
 * with `gather`: then every rank calls it equally often, with count 0 when it has nothing more. */
int triad_fieldfile_put(triad_fieldfile *file, int field, int64_t first, int64_t count, const triad_real *planes);

/* Field number `field`, as it was packed last, with what `error` it comes back (attribute shell_error); the file is
 * made in the memory of rank 0. A failure is kept for finish. Collective. */
int triad_fieldfile_put_packed(triad_fieldfile *file, int field, triad_field_pack *pack, double error);

/* End it: sync, agree, rename, and name it in fields.xmf; or, with status other than TRIAD_OK on any rank or a failure
 * kept, delete it. Returns the worst status of all. *file becomes NULL. Collective. */
int triad_fieldfile_finish(triad_fieldfile **file, int status);

/* Get the dimensions (z, y, x) of a dataset in any HDF5 file. TRIAD_ERR_INPUT if the file is missing; TRIAD_ERR_CASE
 * if it is no HDF5 file, holds a part of a box (attribute part_of) or leaning fields (note shear_skew), or the dataset
 * is missing (the message lists the existing ones) or not three-dimensional. Collective; the message has been printed.
 */
int triad_fieldfile_dims(const triad_comm *comm, const char *path, const char *name, int64_t dims[3]);

/* Read planes z0 .. z1 - 1 of it: out[z1 - z0][y][x]. Any chunking, compression and number type that HDF5 supports.
 * TRIAD_ERR_CASE also if a value is not finite; the message gives its position. Not collective: each rank reads its
 * own planes, and the caller agrees. */
int triad_fieldfile_read(const char *path, const char *name, int64_t z0, int64_t z1, triad_real *out);

/* ---- xdmf.c: fields.xmf, what ParaView and VisIt open to see every file of a folder as one series in time ---- */

/* Name of the file of a step, "fields-00001200.h5". */
enum { TRIAD_FIELDS_NAME = 40 };
void triad_xdmf_name(char name[TRIAD_FIELDS_NAME], int64_t step);

/* Rewrite FOLDER/fields.xmf for all existing fields-<step>.h5: XDMF 2, a temporal collection of uniform grids or, for
 * files with stretched axes, rectilinear ones (VXVYVZ, with the coordinates of the files), with paths relative to the
 * folder; each dataset (z, y, x) is an attribute at nodes, with NumberType and Precision as in the file. Unreadable
 * files are left out. The contents of each file are saved in FOLDER/index.txt, so that a file is opened only once; a
 * line there is valid as long as the file has the size given in it, and the line of step `fresh`, which has just been
 * written, is not used. Both files are replaced by rename. One rank calls it; not collective. TRIAD_ERR_IO,
 * TRIAD_ERR_MEMORY. */
int triad_xdmf_update(const char *folder, int64_t fresh);

#endif
