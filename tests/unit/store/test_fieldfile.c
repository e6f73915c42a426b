/* Files of fields at points: any planes, precision and order, the series that lists them, what is lost or fails.
 *   ranks: 1 2 3 5   threads: 1   precision: both */
#include "folder.h"

#include "store/disk.h"
#include "store/fields/fieldfile.h"
#include "store/hdf5/h5read.h"
#include "store/formats/spectrafile.h"

#include <hdf5.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

static double point_value(int field, int64_t x, int64_t y, int64_t z)
{
  return triad_test_random((uint64_t)(30 + field), (uint64_t)((z * 1000 + y) * 1000 + x));
}

static triad_layout *some_layout(const int64_t n[3])
{
  const double length[3] = {2, 3, 5};
  triad_grid g;
  triad_layout *l;
  TRIAD_CHECK(triad_grid_init(&g, n, length, TRIAD_SPHERE));
  TRIAD_CHECK(triad_layout_create(&l, &g, triad_test_comm()->rank, triad_test_comm()->size, 8));
  return l;
}

static triad_real *some_planes(const triad_layout *l, int field)
{
  const int64_t *n = l->grid.n;
  triad_real *u = calloc((size_t)(l->n_planes * n[0] * n[1]) + 1, sizeof *u);
  for (int64_t z = 0; z < l->n_planes; z++)
    for (int64_t y = 0; y < n[1]; y++)
      for (int64_t x = 0; x < n[0]; x++)
        u[(z * n[1] + y) * n[0] + x] = (triad_real)point_value(field, x, y, z + l->plane_begin[l->rank]);
  return u;
}

static const triad_field_info velocities[] = {{"u", "velocity along x", "velocity", TRIAD_SCALAR},
                                              {"v", "along y", "velocity", TRIAD_SCALAR}};

static triad_space space_of(const triad_layout *l)
{
  triad_space space;
  triad_space_planes(&space, l);
  return space;
}

static double time_per_step = 0.5;

static int write_fields(const triad_layout *l, const char *dir, int64_t step, int single, int status)
{
  triad_fieldfile_info info = {
    .step = step, .t = time_per_step * (double)step, .single = single, .n_fields = 2, .fields = velocities};
  triad_real *u[2] = {some_planes(l, 0), some_planes(l, 1)};
  triad_fieldfile *file;
  const triad_space space = space_of(l);
  int st = triad_fieldfile_create(&file, triad_test_context(), &space, dir, &info);
  if (st == TRIAD_OK) {
    int64_t plane = l->grid.n[0] * l->grid.n[1];
    for (int64_t z = l->n_planes; z-- > 0;) { /* plane by plane, backwards: as chunks come */
      (void)triad_fieldfile_put(file, 1, z, 1, u[1] + z * plane);
      (void)triad_fieldfile_put(file, 0, z, 1, u[0] + z * plane);
    }
    st = triad_fieldfile_finish(&file, status);
  }
  free(u[0]);
  free(u[1]);
  return st;
}

TRIAD_TEST(fields_come_back_from_any_planes)
{
  static const int64_t shapes[][3] = {{12, 10, 7}, {5, 1, 9}, {8, 6, 2}, {1, 1, 1}};
  for (int s = 0; s < 4; s++)
    for (int single = 0; single < 2; single++) {
      const int64_t *n = shapes[s];
      char dir[TRIAD_PATH], path[TRIAD_PATH];
      int64_t dims[3], wrong = 0;
      folder_make(dir);
      triad_layout *l = some_layout(n);
      TRIAD_CHECK(write_fields(l, dir, 3, single, TRIAD_OK));
      TRIAD_CHECK(triad_disk_path(path, "%s/fields/fields-00000003.h5", dir));
      TRIAD_CHECK(triad_fieldfile_dims(triad_test_comm(), path, "v", dims));
      TRIAD_EQUAL(dims[0] == n[2] && dims[1] == n[1] && dims[2] == n[0], 1, "dimensions z, y, x");
      int64_t z0 = n[2] / 3, z1 = n[2];
      triad_real *v = calloc((size_t)(n[0] * n[1] * n[2]), sizeof *v);
      TRIAD_CHECK(triad_fieldfile_read(path, "v", z0, z1, v));
      for (int64_t i = 0; i < (z1 - z0) * n[1] * n[0]; i++) {
        triad_real want = (triad_real)point_value(1, i % n[0], i / n[0] % n[1], z0 + i / (n[0] * n[1]));
        if (single) want = (triad_real)(float)want;
        wrong += memcmp(&want, &v[i], sizeof want) != 0;
      }
      TRIAD_EQUAL(wrong, 0, "values that changed");
      TRIAD_FAILS(triad_fieldfile_read(path, "v", 0, n[2] + 1, v), TRIAD_ERR_CASE, "dimension 0");
      free(v);
      triad_layout_destroy(&l);
      folder_delete(dir);
    }
}

/* By planes, as many calls on every rank as the one with most planes needs, and at one go. */
static int write_gathered(const triad_layout *l, const char *dir, int single, int by_plane)
{
  triad_fieldfile_info info = {.step = 3, .t = 1.5, .single = single, .n_fields = 2, .fields = velocities, .gather = 1};
  triad_real *u[2] = {some_planes(l, 0), some_planes(l, 1)};
  triad_fieldfile *file;
  const triad_space space = space_of(l);
  int st = triad_fieldfile_create(&file, triad_test_context(), &space, dir, &info);
  if (st == TRIAD_OK && !by_plane) {
    for (int f = 0; f < 2; f++) (void)triad_fieldfile_put(file, f, 0, l->n_planes, u[f]);
    st = triad_fieldfile_finish(&file, TRIAD_OK);
  } else if (st == TRIAD_OK) {
    int64_t plane = l->grid.n[0] * l->grid.n[1], most = (l->grid.n[2] + l->size - 1) / l->size;
    for (int64_t z = 0; z < most; z++)
      for (int f = 0; f < 2; f++)
        (void)triad_fieldfile_put(file, f, z < l->n_planes ? z : 0, z < l->n_planes, u[f] + z * plane);
    st = triad_fieldfile_finish(&file, TRIAD_OK);
  }
  free(u[0]);
  free(u[1]);
  return st;
}

TRIAD_TEST(rank_0_writing_fields_for_all_makes_the_same_bytes)
{
  static const int64_t shapes[][3] = {{12, 10, 7}, {5, 1, 9}, {1, 1, 1}, {700, 600, 8}};
  for (int s = 0; s < 4; s++)
    for (int single = 0; single < 2; single++) {
      char dir[TRIAD_PATH], path[TRIAD_PATH], *text[3];
      int64_t bytes[3];
      folder_make(dir);
      triad_layout *l = some_layout(shapes[s]);
      TRIAD_CHECK(triad_disk_path(path, "%s/fields/fields-00000003.h5", dir));
      for (int way = 0; way < 3; way++) {
        TRIAD_CHECK(way == 0 ? write_fields(l, dir, 3, single, TRIAD_OK) : write_gathered(l, dir, single, way - 1));
        TRIAD_CHECK(triad_disk_load(path, INT64_MAX, &text[way], &bytes[way]));
        (void)MPI_Barrier(triad_test_comm()->mpi);
        TRIAD_HOLDS(bytes[way] == bytes[0] && memcmp(text[way], text[0], (size_t)bytes[0]) == 0,
                    "shape %d, way %d: other bytes", s, way);
      }
      for (int way = 0; way < 3; way++) free(text[way]);
      triad_layout_destroy(&l);
      folder_delete(dir);
    }
}

static int count_in_xmf(const char *dir, const char *word)
{
  char path[TRIAD_PATH], *text;
  int64_t bytes;
  int n = 0;
  (void)MPI_Barrier(triad_test_comm()->mpi);
  TRIAD_CHECK(triad_disk_path(path, "%s/fields/fields.xmf", dir));
  TRIAD_CHECK(triad_disk_load(path, 1 << 20, &text, &bytes));
  for (const char *p = text; (p = strstr(p, word)); p++) n++;
  free(text);
  (void)MPI_Barrier(triad_test_comm()->mpi);
  return n;
}

TRIAD_TEST(the_series_names_what_stands_in_the_folder)
{
  const int64_t n[3] = {12, 10, 7};
  char dir[TRIAD_PATH], path[TRIAD_PATH];
  folder_make(dir);
  triad_layout *l = some_layout(n);
  int root = triad_test_comm()->rank == 0;
  TRIAD_CHECK(write_fields(l, dir, 10, 0, TRIAD_OK));
  TRIAD_CHECK(write_fields(l, dir, 2, 1, TRIAD_OK));
  time_per_step = 0.25;
  TRIAD_CHECK(write_fields(l, dir, 10, 0, TRIAD_OK)); /* once more: replaced, though as large as before */
  time_per_step = 0.5;
  TRIAD_EQUAL(count_in_xmf(dir, "<Time Value=\"2.5\"/>"), 1, "the later time of step 10");
  TRIAD_EQUAL(count_in_xmf(dir, "<Time "), 2, "times");
  TRIAD_EQUAL(count_in_xmf(dir, ">fields-00000010.h5:/u<"), 1, "relative path of u");
  TRIAD_EQUAL(count_in_xmf(dir, "Precision=\"4\" Format=\"HDF\""), 2, "fields in single precision");
  TRIAD_EQUAL(count_in_xmf(dir, "Dimensions=\"7 10 12\""), 2 + 4, "dimensions z y x");
  /* the index is lost, one file is no HDF5 file, one is gone */
  if (root) {
    TRIAD_CHECK(triad_disk_path(path, "%s/fields/index.txt", dir));
    assert_int_equal(unlink(path), 0);
    TRIAD_CHECK(triad_disk_path(path, "%s/fields", dir));
    char *folder = strdup(path);
    TRIAD_CHECK(triad_disk_replace(folder, "fields-00000005.h5", "rubbish", 7));
    free(folder);
  }
  TRIAD_CHECK(write_fields(l, dir, 11, 0, TRIAD_OK));
  TRIAD_EQUAL(count_in_xmf(dir, "<Time "), 3, "times after the index was lost");
  if (root) {
    TRIAD_CHECK(triad_disk_path(path, "%s/fields/fields-00000002.h5", dir));
    assert_int_equal(unlink(path), 0);
    TRIAD_CHECK(triad_disk_path(path, "%s/fields", dir));
    char *folder = strdup(path);
    static const char rubbish[] = "1 2 3\n\n4 nonsense\n9 9 9 9 9 9 9 9 9 9\n";
    TRIAD_CHECK(triad_disk_replace(folder, "index.txt", rubbish, sizeof rubbish - 1));
    free(folder);
  }
  TRIAD_CHECK(write_fields(l, dir, 12, 0, TRIAD_OK));
  TRIAD_EQUAL(count_in_xmf(dir, "<Time "), 3, "times after a file is gone and the index is rubbish");
  triad_layout_destroy(&l);
  folder_delete(dir);
}

TRIAD_TEST(a_field_file_that_fails_on_one_rank_leaves_the_old_one)
{
  const int64_t n[3] = {12, 10, 7};
  const triad_comm *comm = triad_test_comm();
  char dir[TRIAD_PATH], path[TRIAD_PATH];
  int64_t dims[3];
  folder_make(dir);
  triad_layout *l = some_layout(n);
  TRIAD_CHECK(write_fields(l, dir, 1, 0, TRIAD_OK));
  hush();
  int mine = comm->rank == comm->size - 1 ? TRIAD_FAIL(TRIAD_ERR_IO, "as the test wants it") : TRIAD_OK;
  int st = write_fields(l, dir, 1, 1, mine), nowhere = write_fields(l, "/nowhere/at/all", 1, 0, TRIAD_OK);
  speak();
  TRIAD_EQUAL(st, TRIAD_ERR_IO, "status on this rank");
  TRIAD_EQUAL(nowhere, TRIAD_ERR_IO, "a folder that is not there");
  TRIAD_CHECK(triad_disk_path(path, "%s/fields/.tmp-fields-00000001.h5", dir));
  TRIAD_EQUAL(access(path, F_OK) == 0, 0, "the temporary file is left");
  TRIAD_CHECK(triad_disk_path(path, "%s/fields/fields-00000001.h5", dir));
  TRIAD_CHECK(triad_fieldfile_dims(comm, path, "u", dims));
  triad_layout_destroy(&l);
  folder_delete(dir);
}

/* y is stretched: its coordinates are in the file, and fields.xmf refers to them, also when it comes from the index. */
TRIAD_TEST(stretched_axes_are_a_rectilinear_grid)
{
  static const double at[3] = {0.1, 0.3, 0.8}, edge[4] = {0, 0.2, 0.5, 1.1};
  const int64_t n[3] = {4, 3, 9};
  char dir[TRIAD_PATH], path[TRIAD_PATH];
  triad_fieldfile *file;
  folder_make(dir);
  triad_layout *l = some_layout(n);
  triad_space space = space_of(l);
  space.axis[1].at = at;
  space.axis[1].edge = edge;
  double volume = 0;
  for (int64_t i = 0; i < space.all; i++) volume += space.kind->volume(&space, i);
  TRIAD_NEAR(volume, space.axis[0].length * 1.1 * space.axis[2].length, 1e-14, "volumes of all cells");
  double *u = calloc((size_t)(l->n_planes * n[0] * n[1]) + 1, sizeof *u);
  for (int64_t step = 1; step <= 2; step++) { /* the second one finds the first in the index */
    triad_fieldfile_info info = {.step = step, .t = 1, .n_fields = 1, .fields = velocities};
    TRIAD_CHECK(triad_fieldfile_create(&file, triad_test_context(), &space, dir, &info));
    (void)triad_fieldfile_put(file, 0, 0, l->n_planes, (const triad_real *)(const void *)u);
    TRIAD_CHECK(triad_fieldfile_finish(&file, TRIAD_OK));
  }
  free(u);
  TRIAD_EQUAL(count_in_xmf(dir, "GeometryType=\"VXVYVZ\""), 2, "rectilinear grids");
  TRIAD_EQUAL(count_in_xmf(dir, "ORIGIN_DXDYDZ"), 0, "uniform grids");
  TRIAD_EQUAL(count_in_xmf(dir, "TopologyType=\"3DRectMesh\" Dimensions=\"9 3 4\""), 2, "dimensions z y x");
  TRIAD_EQUAL(count_in_xmf(dir, "<DataItem Dimensions=\"3\" NumberType=\"Float\" Precision=\"8\" "
                                "Format=\"HDF\">fields-00000001.h5:/y<"),
              1, "coordinates of step 1 along y");
  TRIAD_EQUAL(count_in_xmf(dir, ">fields-00000001.h5:/u<"), 1, "the field of step 1");
  TRIAD_CHECK(triad_disk_path(path, "%s/fields/fields-00000001.h5", dir));
  triad_h5 *h5;
  double y[3];
  int64_t first = 0, count = 3;
  TRIAD_CHECK(triad_h5_open(&h5, path));
  TRIAD_CHECK(triad_h5_read(h5, "y", 1, &first, &count, 8, y));
  TRIAD_CHECK(triad_h5_close(&h5, TRIAD_OK));
  TRIAD_EQUAL(memcmp(y, at, sizeof at), 0, "coordinates along y");
  triad_layout_destroy(&l);
  folder_delete(dir);
}

/* Of rank 0 alone: a list of two lines and rubbish; none; one that is a folder. */

TRIAD_TEST(planes_that_were_not_put_are_missed)
{
  const int64_t n[3] = {4, 4, 10};
  char dir[TRIAD_PATH];
  triad_fieldfile *file;
  triad_fieldfile_info info = {.step = 1, .t = 1, .n_fields = 2, .fields = velocities};
  folder_make(dir);
  triad_layout *l = some_layout(n);
  const triad_space space = space_of(l);
  TRIAD_CHECK(triad_fieldfile_create(&file, triad_test_context(), &space, dir, &info));
  hush();
  int st = triad_fieldfile_finish(&file, TRIAD_OK);
  speak();
  TRIAD_EQUAL(st, TRIAD_ERR_INTERNAL, "finishing an empty file");
  triad_layout_destroy(&l);
  folder_delete(dir);
}

TRIAD_TEST(a_full_disk_fails_fields_and_spectra_on_all_ranks)
{
  const int64_t n[3] = {64, 64, 64};
  const triad_context *ctx = triad_test_context();
  char dir[TRIAD_PATH];
  int mounted = 0;
  folder_make(dir);
  if (ctx->comm.rank == 0) mounted = mount("none", dir, "tmpfs", 0, "size=64k,mode=700") == 0;
  (void)MPI_Bcast(&mounted, 1, MPI_INT, 0, ctx->comm.mpi);
  if (!mounted) {
    folder_delete(dir);
    TRIAD_SKIP("mounting a tmpfs is not allowed here");
  }
  triad_layout *l = some_layout(n);
  double *values = calloc(20000, sizeof *values);
  triad_spectrum large = {.name = "E", .units = "", .long_name = "", .n_dims = 1, .dims = {20000}, .values = values};
  hush();
  int fields = write_fields(l, dir, 1, 0, TRIAD_OK);
  int spectra = triad_spectrafile_write(ctx, dir, 1, 0.5, 1, &large, NULL);
  large.dims[0] = 100;
  int small = triad_spectrafile_write(ctx, dir, 1, 0.5, 1, &large, NULL);
  speak();
  TRIAD_EQUAL(fields, TRIAD_ERR_IO, "fields on a full disk");
  TRIAD_EQUAL(spectra, TRIAD_ERR_IO, "spectra on a full disk");
  TRIAD_EQUAL(small, TRIAD_OK, "what fits afterwards");
  free(values);
  triad_layout_destroy(&l);
  (void)MPI_Barrier(ctx->comm.mpi);
  if (ctx->comm.rank == 0) (void)umount2(dir, MNT_DETACH);
  folder_delete(dir);
}

TRIAD_MAIN
