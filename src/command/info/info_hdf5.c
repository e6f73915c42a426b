/* Determine the kind of an HDF5 file, and read the values of its datasets, in a separate process (base/guard.h). */
#include "command/info/info.h"
#include "command/info/info_lines.h"
#include "command/info/info_values.h"
#include "command/info/info_fields.h"
#include "command/info/info_cells.h"
#include "command/info/info_means.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SETS = 1 << 16, ROOM = 1 << 20 };

#define MESH "VTKHDF/CellData"

static int add_name(void *self, const char *name)
{
  triad_inspection *k = self;
  if (k->n_sets == MOST_SETS) return 1;
  if (k->n_sets == k->room) {
    int room = k->room ? 2 * k->room : 64;
    triad_dataset *longer = realloc(k->sets, (size_t)room * sizeof *longer);
    if (!longer) return k->no_memory = 1;
    k->sets = longer;
    k->room = room;
  }
  k->sets[k->n_sets] = (triad_dataset){.n_dims = 0};
  if (strlen(name) < TRIAD_DATASET_NAME) (void)strcpy(k->sets[k->n_sets++].name, name);
  return 0;
}

/* What triad pack makes of a series and of a checkpoint, and what triad query answers. */
static int inspect_packed(triad_inspection *k, const char *what)
{
  for (int i = 0; i < k->n_sets; i++) {
    TRIAD_TRY(triad_inspection_measure(k, &k->sets[i]));
    TRIAD_TRY(triad_inspection_values(k, &k->sets[i], NULL));
  }
  triad_info_line("%s: %s", k->path, what);
  for (int i = 0; i < k->n_sets; i++) triad_inspection_print(k, &k->sets[i]);
  triad_inspection_print_notes(k);
  return triad_inspection_check_finite(k);
}

static int has(const triad_inspection *k, const char *name) { return triad_inspection_find(k, name) != NULL; }

/* Rows of particles are stored in separate files of the same folder (store/hdf5/growfile.h): report their number,
 * their times, and whether the last is complete. */
static int inspect_particles(triad_inspection *k)
{
  int n_dims = 0;
  int64_t dims[TRIAD_H5_DIMS] = {0}, rows = 0, bad = 0;
  const int64_t first = 0, one = 1;
  double begin = 0, end = 0;
  TRIAD_TRY(triad_h5_dims(k->file, "position", &n_dims, dims, NULL));
  if (n_dims != 3 || dims[0] < 1 || dims[2] != 3)
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: position is not (t, id, 3)", k->path);
  rows = dims[0];
  const int64_t last = rows - 1, at[3] = {last, 0, 0};
  TRIAD_TRY(triad_h5_read(k->file, "t", 1, &first, &one, 8, &begin));
  TRIAD_TRY(triad_h5_read(k->file, "t", 1, &last, &one, 8, &end));
  for (int64_t i = 0, n; i < dims[1]; i += n) { /* some at a time, whatever the file claims */
    double x[3 * 1024];
    n = dims[1] - i < 1024 ? dims[1] - i : 1024;
    const int64_t from[3] = {at[0], i, 0}, count[3] = {1, n, 3};
    TRIAD_TRY(triad_h5_read(k->file, "position", 3, from, count, 8, x));
    for (int64_t j = 0; j < 3 * n; j++) bad += !isfinite(x[j]);
  }
  if (k->how == TRIAD_INFO_WHOLE) triad_info_line("%s: particles of a run", k->path);
  const char *slash = strrchr(k->path, '/');
  if (k->how == TRIAD_INFO_WHOLE)
    triad_info_line("  particles  %" PRId64 ", %" PRId64 " rows from t = %.8g to %.8g", dims[1], rows, begin, end);
  if (k->how == TRIAD_INFO_BRIEF)
    triad_info_line("    %s: %" PRId64 " particles, %" PRId64 " rows from t = %.8g to %.8g",
                    slash ? slash + 1 : k->path, dims[1], rows, begin, end);
  if (bad) return triad_info_wrong("%s: %" PRId64 " values of the last position are not finite", k->path, bad);
  return TRIAD_OK;
}

static int refuse_foreign(const triad_inspection *k)
{
  char names[200] = "";
  size_t at = 0;
  for (int i = 0; i < k->n_sets && at < sizeof names; i++)
    at += (size_t)snprintf(names + at, sizeof names - at, "%s%s", i ? ", " : "", k->sets[i].name);
  if (has(k, "kx") && has(k, "ky") && has(k, "kz"))
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: the modes of a checkpoint, but its manifest with the checksums is missing",
                      k->path);
  return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: an HDF5 file, but not one written by Triad: its datasets are %s%s", k->path,
                    k->n_sets ? names : "none",
                    has(k, "u") ? "; initial.file or triad spectra may be able to read it" : "");
}

static int add_field_of_mesh(void *self, const char *name)
{
  char path[TRIAD_DATASET_NAME];
  if (snprintf(path, sizeof path, MESH "/%s", name) >= (int)sizeof path) return 0;
  return add_name(self, path);
}

/* The cell values of a mesh file are one group deeper; other datasets have numbers of its points. */
static int take_mesh(triad_inspection *k)
{
  k->n_sets = 0;
  TRIAD_TRY(triad_h5_each_in(k->file, MESH, add_field_of_mesh, k));
  return k->no_memory ? TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: its datasets", k->path) : TRIAD_OK;
}

static int inspect(triad_inspection *k)
{
  double step = 0, t = 0, length[3] = {0};
  triad_guard_alive(k->guard);
  TRIAD_TRY(triad_h5_each(k->file, add_name, k));
  if (k->no_memory) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: its datasets", k->path);
  if (has(k, "position") && has(k, "id") && has(k, "t") && has(k, "component")) return inspect_particles(k);
  if (has(k, "position") && has(k, "velocity") && !has(k, "t")) {
    triad_info_line("%s: rows of particles, which the file without a number refers to", k->path);
    return TRIAD_OK;
  }
  int timed =
    triad_h5_root_reals(k->file, "step", 1, &step) == TRIAD_OK && triad_h5_root_reals(k->file, "t", 1, &t) == TRIAD_OK;
  int boxed = timed && triad_h5_root_reals(k->file, "length", 3, length) == TRIAD_OK;
  triad_message_clear();
  int spectra = timed && has(k, "k") && has(k, "E");
  int fields = boxed && has(k, "x") && has(k, "y") && has(k, "z") && !has(k, "kx");
  char about[32] = "", axis[8] = "";
  int series = has(k, "step") && has(k, "t") && triad_h5_attribute_text(k->file, "/", "about", about, sizeof about) &&
               strncmp(about, "triad series", 12) == 0;
  int archive = triad_h5_attribute_text(k->file, "/", "archive", about, sizeof about);
  int slice = timed && triad_h5_attribute_text(k->file, "/", "axis", axis, sizeof axis) && strlen(axis) == 1 &&
              strchr(boxed ? "xyz" : "ijk", *axis); /* of blocks: a layer of cells */
  int answer = has(k, "position") && triad_h5_attribute_text(k->file, "/", "about", about, sizeof about) &&
               strncmp(about, "triad query", 11) == 0;
  int means =
    triad_h5_attribute_text(k->file, "/", "about", about, sizeof about) && strncmp(about, "running means", 13) == 0;
  int sound = has(k, "psd") && triad_h5_attribute_text(k->file, "/", "about", about, sizeof about) &&
              strcmp(about, "triad far-field") == 0;
  int probes = has(k, "position") && triad_h5_attribute_text(k->file, "/", "about", about, sizeof about) &&
               strncmp(about, "triad series of probes", 22) == 0;
  triad_message_clear();
  if (probes) return inspect_packed(k, "fields at the points of output.probes");
  if (sound) return inspect_packed(k, "sound in the far field, of triad far-field");
  if (means) {
    for (int i = 0; i < k->n_sets; i++) TRIAD_TRY(triad_inspection_measure(k, &k->sets[i]));
    return triad_inspect_means(k);
  }
  if (answer) return inspect_packed(k, "values at points, of triad query");
  if (series) return inspect_packed(k, "the series of a run, joined by triad pack");
  if (archive) return inspect_packed(k, "a checkpoint archived by triad pack; no run can resume from it");
  if (has(k, " format") && has(k, " hdf5version")) {
    triad_info_line("%s: a CGNS file, from triad grid or output.cgns, for other programs", k->path);
    return TRIAD_OK;
  }
  const char *cells = spectra || fields || slice ? NULL : triad_inspection_cells(k, timed);
  if (!spectra && !fields && !slice && !cells) return refuse_foreign(k);
  if (cells && triad_h5_has_group(k->file, MESH)) TRIAD_TRY(take_mesh(k));
  for (int i = 0; i < k->n_sets; i++) TRIAD_TRY(triad_inspection_measure(k, &k->sets[i]));
  if (cells) return triad_inspect_cells(k, cells, timed, step, t);
  if (slice) return triad_inspect_slice(k, step, t, axis);
  return spectra ? triad_inspect_spectra(k, step, t) : triad_inspect_fields(k, step, t, length);
}

static int open_and_inspect(void *self, triad_guard *guard)
{
  triad_inspection *k = self;
  k->guard = guard;
  int fd = -1;
  TRIAD_TRY(triad_disk_open(k->path, 0, &fd));
  int st = triad_disk_size(fd, k->path, &k->file_bytes);
  (void)triad_disk_close(&fd, k->path);
  if (st == TRIAD_OK) st = triad_h5_open(&k->file, k->path);
  if (st == TRIAD_OK) st = triad_h5_close(&k->file, inspect(k));
  /* it could be opened: what cannot be read then is damaged */
  if (st == TRIAD_ERR_IO) st = TRIAD_ERR_CASE;
  return k->how == TRIAD_INFO_WHOLE ? st : triad_info_blame(st);
}

int triad_info_hdf5(const char *path, int how)
{
  triad_inspection k = {.path = path, .how = how};
  int st = triad_guard_run(path, open_and_inspect, &k, NULL, 0);
  free(k.sets);
  return st;
}
