/* HDF5 files of spectra, and those that users bring, however they are stored or damaged.
 *   ranks: 1 2 3 5   threads: 1   precision: both */
#include "folder.h"

#include "store/disk.h"
#include "store/fields/fieldfile.h"
#include "store/hdf5/growview.h"
#include "store/hdf5/growsize.h"
#include "store/hdf5/h5read.h"
#include "store/formats/spectrafile.h"

#include <hdf5.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- spectra ---- */

TRIAD_TEST(spectra_are_arrays_with_units_and_scales)
{
  char dir[TRIAD_PATH], path[TRIAD_PATH];
  double k[5], e[5], flux[3][5];
  for (int i = 0; i < 5; i++) {
    k[i] = i;
    e[i] = 1.0 / (i + 1);
    for (int j = 0; j < 3; j++) flux[j][i] = i + 10 * j;
  }
  const triad_spectrum all[] = {
    {"k", "1/length", "wavenumber", 1, {5}, k, {"k"}, {0}},
    {"E", "velocity^2 length", "energy per shell", 1, {5}, e, {"k"}, {0}},
    {"flux", "velocity^3/length", "energy flux by component", 2, {3, 5}, &flux[0][0], {NULL, "k"}, {0}},
  };
  folder_make(dir);
  TRIAD_CHECK(triad_spectrafile_write(triad_test_context(), dir, 7, 0.25, 3, all, NULL));
  TRIAD_CHECK(triad_spectrafile_write(triad_test_context(), dir, 7, 0.25, 3, all, NULL)); /* replaces */
  TRIAD_CHECK(triad_disk_path(path, "%s/spectra/spectra-00000007.h5", dir));
  triad_h5 *file;
  double t = 0, back[15];
  int n_dims;
  int64_t dims[TRIAD_H5_DIMS];
  const int64_t first[2] = {0, 0}, count[2] = {3, 5};
  TRIAD_CHECK(triad_h5_open(&file, path));
  TRIAD_CHECK(triad_h5_root_reals(file, "t", 1, &t));
  TRIAD_NEAR(t, 0.25, 0, "time");
  TRIAD_CHECK(triad_h5_dims(file, "flux", &n_dims, dims, NULL));
  TRIAD_EQUAL(n_dims == 2 && dims[0] == 3 && dims[1] == 5, 1, "dimensions");
  TRIAD_CHECK(triad_h5_read(file, "flux", 2, first, count, 8, back));
  hush();
  const int fewer = triad_h5_read(file, "flux", 1, first, count, 8, back),
            more = triad_h5_read(file, "flux", 3, (const int64_t[3]){0}, (const int64_t[3]){1, 1, 1}, 8, back);
  speak();
  TRIAD_EQUAL(fewer, TRIAD_ERR_CASE, "read as one dimension");
  TRIAD_EQUAL(more, TRIAD_ERR_CASE, "read as three");
  triad_message_clear();
  TRIAD_EQUAL(memcmp(back, flux, sizeof back), 0, "values");
  TRIAD_CHECK(triad_h5_close(&file, TRIAD_OK));
  const triad_spectrum wrong = {"E", "", "", 1, {4}, e, {"k"}, {0}};
  hush();
  int st = triad_spectrafile_write(triad_test_context(), dir, 8, 0.25, 1, &wrong, NULL);
  speak();
  TRIAD_EQUAL(st, TRIAD_ERR_INTERNAL, "a scale that is not there");
  folder_delete(dir);
}

/* ---- what users bring ---- */

static void user_dataset(hid_t file, const char *name, hid_t type, int n_dims, int packed, const double *values)
{
  const hsize_t dims[3] = {6, 5, 4}, chunk[3] = {2, 3, 4};
  hid_t space = H5Screate_simple(n_dims, dims, NULL), property = H5Pcreate(H5P_DATASET_CREATE);
  if (packed) {
    (void)H5Pset_chunk(property, n_dims, chunk);
    if (H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0) (void)H5Pset_deflate(property, 6);
    (void)H5Pset_fletcher32(property);
  }
  hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, property, H5P_DEFAULT);
  if (values) assert_true(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
  (void)H5Dclose(set);
  (void)H5Pclose(property);
  (void)H5Sclose(space);
}

static void user_file(const char *path, const double *values)
{
  double with_nan[120];
  memcpy(with_nan, values, sizeof with_nan);
  with_nan[2 * 20 + 3 * 4 + 1] = NAN;
  hid_t file = H5Fcreate(path, H5F_ACC_EXCL, H5P_DEFAULT, H5P_DEFAULT);
  hid_t text = H5Tcopy(H5T_C_S1);
  user_dataset(file, "plain", H5T_IEEE_F64LE, 3, 0, values);
  user_dataset(file, "packed", H5T_IEEE_F64LE, 3, 1, values);
  user_dataset(file, "turned", H5T_IEEE_F64BE, 3, 0, values);
  user_dataset(file, "short", H5T_IEEE_F32BE, 3, 1, values);
  user_dataset(file, "whole", H5T_STD_I16BE, 3, 0, values);
  user_dataset(file, "flat", H5T_IEEE_F64LE, 2, 0, NULL);
  user_dataset(file, "nan", H5T_IEEE_F64LE, 3, 0, with_nan);
  user_dataset(file, "text", text, 3, 0, NULL);
  (void)H5Tclose(text);
  (void)H5Fclose(file);
}

TRIAD_TEST(users_files_are_read_however_they_are_stored)
{
  static const char *const names[] = {"plain", "packed", "turned", "short", "whole"};
  const triad_comm *comm = triad_test_comm();
  char dir[TRIAD_PATH], path[TRIAD_PATH];
  double values[120];
  triad_real got[60];
  int64_t dims[3];
  for (int i = 0; i < 120; i++) values[i] = 3 * i - 100;
  folder_make(dir);
  TRIAD_CHECK(triad_disk_path(path, "%s/ic.h5", dir));
  if (comm->rank == 0) user_file(path, values);
  (void)MPI_Barrier(comm->mpi);
  for (int f = 0; f < 5; f++) {
    int64_t wrong = 0;
    TRIAD_CHECK(triad_fieldfile_dims(comm, path, names[f], dims));
    TRIAD_EQUAL(dims[0] == 6 && dims[1] == 5 && dims[2] == 4, 1, names[f]);
    TRIAD_CHECK(triad_fieldfile_read(path, names[f], 2, 5, got));
    for (int i = 0; i < 60; i++) wrong += fabs((double)got[i] - values[40 + i]) > 0;
    TRIAD_EQUAL(wrong, 0, names[f]);
  }
  TRIAD_FAILS(triad_fieldfile_read(path, "nan", 1, 4, got), TRIAD_ERR_CASE, "(2, 3, 1)");
  TRIAD_FAILS(triad_fieldfile_read(path, "u", 0, 1, got), TRIAD_ERR_CASE, "there flat, nan, packed");
  TRIAD_FAILS(triad_fieldfile_read(path, "no/such/path", 0, 1, got), TRIAD_ERR_CASE, "no dataset");
  TRIAD_FAILS(triad_fieldfile_read(path, "text", 0, 1, got), TRIAD_ERR_CASE, "contains text");
  hush();
  int flat = triad_fieldfile_dims(comm, path, "flat", dims), missing = triad_fieldfile_dims(comm, path, "u", dims);
  int nowhere = triad_fieldfile_dims(comm, "/nowhere/at/all.h5", "u", dims);
  speak();
  TRIAD_EQUAL(flat, TRIAD_ERR_CASE, "a dataset of two dimensions");
  TRIAD_EQUAL(missing, TRIAD_ERR_CASE, "a dataset that is not there");
  TRIAD_EQUAL(nowhere, TRIAD_ERR_INPUT, "a file that is not there");
  folder_delete(dir);
}

TRIAD_TEST(damaged_hdf5_files_are_errors)
{
  const triad_comm *comm = triad_test_comm();
  char dir[TRIAD_PATH], path[TRIAD_PATH];
  double values[120] = {0};
  triad_real got[120];
  struct stat about;
  folder_make(dir);
  TRIAD_CHECK(triad_disk_path(path, "%s/rank-%d.h5", dir, comm->rank)); /* each rank its own */
  user_file(path, values);
  assert_int_equal(stat(path, &about), 0);
  assert_int_equal(truncate(path, about.st_size / 2), 0);
  TRIAD_FAILS(triad_fieldfile_read(path, "plain", 0, 6, got), TRIAD_ERR_CASE, "damaged HDF5 file");
  assert_int_equal(truncate(path, 5), 0);
  TRIAD_FAILS(triad_fieldfile_read(path, "plain", 0, 6, got), TRIAD_ERR_CASE, "not an HDF5 file");
  assert_int_equal(truncate(path, 0), 0);
  TRIAD_FAILS(triad_fieldfile_read(path, "plain", 0, 6, got), TRIAD_ERR_CASE, "not an HDF5 file");
  assert_int_equal(unlink(path), 0);
  user_file(path, values);
  TRIAD_FAILS(triad_fieldfile_read(dir, "plain", 0, 6, got), TRIAD_ERR_IO, "not a regular file");
  assert_int_equal(unlink(path), 0);
  assert_int_equal(mkfifo(path, 0600), 0);
  TRIAD_FAILS(triad_fieldfile_read(path, "plain", 0, 6, got), TRIAD_ERR_IO, "not a regular file");
  folder_delete(dir);
}

/* ---- files that grow ---- */

/* A terabyte of rows and more: the last is in the last file, and the file before it has no room for it. */
TRIAD_TEST(files_of_rows_have_room_for_any_number_of_them)
{
  static const int64_t bytes[] = {24, 5 << 20, (int64_t)1 << 30}, rows[] = {1, 1000, 9000, 70000};
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 4; k++) {
      const triad_growfile f = {.rows = rows[k], .row_bytes = bytes[i]};
      int64_t first = 0;
      const int n = triad_growview_parts(&f);
      int64_t room = triad_growfile_capacity(&f, n - 1, &first);
      TRIAD_HOLDS(first < rows[k] && rows[k] <= first + room, "%lld rows of %lld bytes: file %d has %lld .. %lld",
                  (long long)rows[k], (long long)bytes[i], n, (long long)first, (long long)(first + room - 1));
    }
}

TRIAD_MAIN
