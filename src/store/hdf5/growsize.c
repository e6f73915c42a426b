/* Compute the number of rows per file of a growing set, and the shape of its datasets. */
#include "store/hdf5/growsize.h"
#include "store/hdf5/growview.h"

enum { DOUBLINGS = 8 /* from 1 MiB to 256 MiB */ };

static int64_t rows_of(const triad_growfile *f, int part)
{
  const int64_t rows = ((int64_t)1 << 20 << (part < DOUBLINGS ? part : DOUBLINGS)) / f->row_bytes;
  return rows > 0 ? rows : 1;
}

int64_t triad_growfile_capacity(const triad_growfile *f, int part, int64_t *first)
{
  *first = part > DOUBLINGS ? (part - DOUBLINGS) * rows_of(f, DOUBLINGS) : 0;
  for (int i = 0; i < part && i < DOUBLINGS; i++) *first += rows_of(f, i);
  return rows_of(f, part);
}

int triad_growfile_dims(const triad_growfile *f, int set, int64_t rows, int64_t dims[4])
{
  const triad_growfile_set *s = &f->set[set];
  dims[0] = rows;
  dims[1] = f->lines;
  for (int i = 0; i < s->n_dims; i++) dims[2 + i] = s->dims[i];
  return 2 + s->n_dims;
}
