/* Find the existing rows of a growing file: those to continue from, or those that a new file would replace. */
#include "store/hdf5/growthere.h"
#include "store/hdf5/growview.h"
#include "store/hdf5/growsize.h"
#include "store/hdf5/h5file.h"
#include "store/hdf5/h5read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Which datasets of rows a file has: of those that are asked for, and one that is not. */
typedef struct contents {
  const triad_growfile *f;
  int has[TRIAD_GROWFILE_SETS];
  char other[64];
} contents;

static int note_set(void *who, const char *name)
{
  static const char *const of_all[] = {"t", "step", "id", "component", "direction"};
  contents *c = who;
  for (size_t i = 0; i < sizeof of_all / sizeof *of_all; i++)
    if (strcmp(name, of_all[i]) == 0) return 0;
  int i = 0;
  while (i < c->f->n && strcmp(name, c->f->set[i].name) != 0) i++;
  if (i < c->f->n) c->has[i] = 1;
  else (void)snprintf(c->other, sizeof c->other, "%s", name);
  return 0;
}

/* Where a row lies follows from how long rows are: with a dataset more or less, new ones would be written over old
 * ones. */
static int check_sets(const triad_growfile *f, triad_h5 *file, const char *path)
{
  contents c = {.f = f};
  TRIAD_TRY(triad_h5_each(file, note_set, &c));
  if (c.other[0])
    return TRIAD_FAIL(TRIAD_ERR_CASE,
                      "%s: its rows have %s, which this run does not write: include it again, or give %s another name",
                      path, c.other, f->name);
  for (int i = 0; i < f->n; i++)
    if (!c.has[i])
      return TRIAD_FAIL(TRIAD_ERR_CASE,
                        "%s: its rows have no %s, which this run writes: remove it again, or give %s another name",
                        path, f->set[i].name, f->name);
  return TRIAD_OK;
}

int triad_growthere_take(triad_growfile *f, int64_t rows)
{
  char path[TRIAD_PATH];
  triad_h5 *file;
  int n_dims = 0, st = TRIAD_OK;
  int64_t dims[TRIAD_H5_DIMS], wanted[4];
  const int64_t first = 0;
  TRIAD_TRY(triad_disk_path(path, "%s/%s.h5", f->folder, f->name));
  TRIAD_TRY(triad_h5_open(&file, path));
  st = check_sets(f, file, path);
  for (int i = 0; i < f->n && st == TRIAD_OK; i++) {
    const int n = triad_growfile_dims(f, i, rows, wanted);
    st = triad_h5_dims(file, f->set[i].name, &n_dims, dims, NULL);
    int same = st == TRIAD_OK && n == n_dims && dims[0] >= rows;
    for (int k = 1; k < n && same; k++) same = dims[k] == wanted[k];
    if (st == TRIAD_OK && !same)
      st = TRIAD_FAIL(
        TRIAD_ERR_CASE,
        "%s: its dataset %s has another shape than in this run, or fewer rows than the %lld at the checkpoint", path,
        f->set[i].name, (long long)rows);
  }
  f->room = rows + 64;
  f->t = calloc((size_t)f->room, sizeof *f->t);
  f->step = calloc((size_t)f->room, sizeof *f->step);
  double *steps = calloc((size_t)f->room, sizeof *steps);
  if (st == TRIAD_OK && (!f->t || !f->step || !steps)) st = TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s", path);
  if (st == TRIAD_OK) st = triad_h5_read(file, "t", 1, &first, &rows, 8, f->t);
  if (st == TRIAD_OK) st = triad_h5_read(file, "step", 1, &first, &rows, 8, steps);
  for (int64_t i = 0; st == TRIAD_OK && i < rows; i++) f->step[i] = (int64_t)steps[i];
  free(steps);
  return triad_h5_close(&file, st);
}

/* The step of the last row of a file; 2^62 where there is none to be read. */
static int64_t last_step(const char *path)
{
  triad_h5 *file;
  int n_dims = 0, st = triad_h5_open(&file, path);
  int64_t dims[TRIAD_H5_DIMS] = {0};
  const int64_t one = 1;
  double step = 0x1p62;
  if (st == TRIAD_OK) st = triad_h5_dims(file, "step", &n_dims, dims, NULL);
  const int64_t last = dims[0] - 1;
  if (st == TRIAD_OK && n_dims == 1 && last >= 0) st = triad_h5_read(file, "step", 1, &last, &one, 8, &step);
  if (triad_h5_close(&file, st) != TRIAD_OK) triad_message_clear();
  return (int64_t)step;
}

int triad_growthere_clear(const triad_growfile *f, int64_t step)
{
  char path[TRIAD_PATH];
  TRIAD_TRY(triad_disk_make_folder(f->folder));
  TRIAD_TRY(triad_disk_path(path, "%s/%s.h5", f->folder, f->name));
  const int64_t last = last_step(path);
  if (last < step)
    return TRIAD_FAIL(TRIAD_ERR_CASE,
                      "%s: already has rows up to step %lld under the name %s: use another name for the new rows", path,
                      (long long)last, f->name);
  return triad_disk_remove(path);
}
