/* Slices and lines of points: what runs do not reach by themselves.   ranks: 1 2 3 5   threads: 1 2   precision:
 * both */
#include "folder.h"

#include "flow.h"

#include "case/slice.h"
#include "fft/pass/transform.h"
#include "solvers/spectral/measure/spectra_1d.h"
#include "solvers/spectral/measure/increments.h"
#include "solvers/spectral/measure/slices.h"
#include "store/hdf5/h5read.h"
#include "store/formats/picture.h"

static const char text[] = "[equations]\nsolver = \"hd\"\n[grid]\nn = [12, 10, 9]\nlength = [\"2pi\", 5.0, 9.0]\n"
                           "[initial]\nkind = \"random\"\n[time]\nend = 1\n[output]\nslices_interval = 1\n"
                           "slices = [\"x=1: u, v, vorticity_x, vorticity_y\"]\n";

/* Values of a quantity of the slice just written, on rank 0; the others get nothing. */
static void read_back(const char *folder, const char *name, double values[90])
{
  char path[TRIAD_PATH];
  const int64_t first[2] = {0, 0}, count[2] = {9, 10};
  triad_h5 *h5 = NULL;
  TRIAD_CHECK(triad_disk_path(path, "%s/slices/slice1-00000000.h5", folder));
  TRIAD_CHECK(triad_h5_open(&h5, path));
  TRIAD_CHECK(triad_h5_read(h5, name, 2, first, count, 8, values));
  TRIAD_CHECK(triad_h5_close(&h5, TRIAD_OK));
}

static int not_finite(const double values[90])
{
  int n = 0;
  for (int i = 0; i < 90; i++) n += !isfinite(values[i]);
  return n;
}

TRIAD_TEST(a_value_that_is_not_finite_spoils_its_field_only)
{
  char folder[TRIAD_PATH];
  test_flow f = test_flow_make(test_together(), text, NULL);
  triad_slices *s = NULL;
  double values[90];
  folder_make(folder);
  TRIAD_CHECK(triad_slices_create(&s, f.flow));
  if (f.flow->layout->rank == f.flow->layout->size - 1) f.flow->u[1][0].im = (triad_real)NAN; /* one mode of v */
  TRIAD_CHECK(triad_slices_write(s, folder, NULL));
  TRIAD_CHECK(triad_slices_wait(s));
  if (triad_test_comm()->rank == 0) {
    static const char *const names[] = {"u", "v", "vorticity_x", "vorticity_y"};
    static const int bad[] = {0, 90, 90, 0}; /* d_y w - d_z v, d_z u - d_x w */
    for (int i = 0; i < 4; i++) {
      read_back(folder, names[i], values);
      TRIAD_EQUAL(not_finite(values), bad[i], names[i]);
    }
  }
  triad_slices_destroy(&s);
  test_flow_free(&f);
  folder_delete(folder);
}

TRIAD_TEST(amplitudes_of_any_size_keep_their_digits)
{
  static const double sizes[] = {1e-30, 1, 1e30};
  double first[90] = {0}, values[90];
  for (int k = 0; k < 3; k++) {
    char folder[TRIAD_PATH];
    test_flow f = test_flow_make(test_together(), text, NULL);
    triad_slices *s = NULL;
    folder_make(folder);
    for (int64_t i = 0; i < f.flow->layout->modes; i++) {
      f.flow->u[0][i].re = (triad_real)((double)f.flow->u[0][i].re * sizes[k]);
      f.flow->u[0][i].im = (triad_real)((double)f.flow->u[0][i].im * sizes[k]);
    }
    TRIAD_CHECK(triad_slices_create(&s, f.flow));
    TRIAD_CHECK(triad_slices_write(s, folder, NULL));
    TRIAD_CHECK(triad_slices_wait(s));
    if (triad_test_comm()->rank == 0) {
      read_back(folder, "u", values);
      for (int i = 0; i < 90; i++) {
        if (k == 0) first[i] = values[i] / sizes[k];
        TRIAD_WITHIN(values[i] / sizes[k], first[i], 8 * (double)TRIAD_EPSILON, "u in units of its size");
      }
    }
    triad_slices_destroy(&s);
    test_flow_free(&f);
    folder_delete(folder);
  }
}

TRIAD_TEST(a_folder_that_cannot_be_written_fails_on_every_rank)
{
  char folder[TRIAD_PATH], path[TRIAD_PATH];
  test_flow f = test_flow_make(test_together(), text, NULL);
  triad_slices *s = NULL;
  folder_make(folder);
  TRIAD_CHECK(triad_disk_path(path, "%s/slices", folder));
  if (triad_test_comm()->rank == 0) { /* a file where the folder should be */
    int fd = -1;
    TRIAD_CHECK(triad_disk_create(path, &fd));
    TRIAD_CHECK(triad_disk_close(&fd, path));
  }
  TRIAD_CHECK(triad_slices_create(&s, f.flow));
  TRIAD_CHECK(triad_slices_write(s, folder, NULL));
  hush();
  int st = triad_slices_wait(s);
  speak();
  triad_message_clear();
  TRIAD_EQUAL(st, TRIAD_ERR_IO, "status");
  TRIAD_CHECK(triad_slices_wait(s)); /* told once */
  triad_slices_destroy(&s);
  test_flow_free(&f);
  folder_delete(folder);
}

TRIAD_TEST(turned_fields_hold_the_same_points)
{
  test_flow f = test_flow_make(test_together(), text, NULL);
  const triad_layout *l = f.flow->layout;
  int64_t nx = l->grid.n[0], ny = l->grid.n[1], nz = l->grid.n[2], rows = triad_by_y_rows(l);
  int64_t begin = triad_deal(ny, l->rank, l->size);
  triad_real *planes = calloc((size_t)(l->n_planes * ny * nx) + 1, sizeof *planes);
  triad_real *out = calloc((size_t)(nz * rows * nx) + 1, sizeof *out);
  assert_non_null(planes);
  assert_non_null(out);
  for (int64_t z = 0; z < l->n_planes; z++)
    for (int64_t i = 0; i < ny * nx; i++)
      planes[z * ny * nx + i] = (triad_real)((l->plane_begin[l->rank] + z) * ny * nx + i);
  TRIAD_CHECK(triad_by_y(triad_test_comm(), l, planes, out));
  int64_t wrong = 0;
  for (int64_t z = 0; z < nz; z++)
    for (int64_t y = 0; y < rows; y++)
      for (int64_t x = 0; x < nx; x++) wrong += (int64_t)out[(z * rows + y) * nx + x] != (z * ny + begin + y) * nx + x;
  TRIAD_EQUAL(wrong, 0, "points out of place");
  free(out);
  free(planes);
  test_flow_free(&f);
}

TRIAD_TEST(separations_are_distinct_and_reach_half_the_box)
{
  int64_t m[600];
  for (int64_t n = 1; n < 1200; n++)
    for (int all = 0; all < 2; all++) {
      int64_t count = triad_separations(n, all, NULL);
      TRIAD_HOLDS(count <= 600, "%" PRId64 " points, %" PRId64 " separations", n, count);
      TRIAD_EQUAL(triad_separations(n, all, m), count, "separations");
      if (all || n == 1) TRIAD_EQUAL(count, n / 2, "all of them");
      if (count == 0) continue;
      TRIAD_EQUAL(m[0], 1, "the first");
      TRIAD_EQUAL(m[count - 1], n / 2, "the last");
      for (int64_t i = 1; i < count; i++) TRIAD_HOLDS(m[i] > m[i - 1], "n = %" PRId64, n);
    }
}

TRIAD_TEST(slices_are_read_as_people_write_them)
{
  static const struct {
    const char *text;
    int axis, n;
    double at;
  } good[] = {{"z=0", 2, 1, 0},
              {" y = 2pi ", 1, 1, 6.283185307179586},
              {"x=-1e-3:u", 0, 1, -1e-3},
              {"z=1/4 : u , vorticity_x,speed", 2, 3, 0.25}};
  static const char *const bad[] = {"",     "z",   "=0",    "z=",    "z=0:",  "z=0:,",   "z=0:u,",
                                    "zz=0", "w=0", "z=0=1", "z:u=0", "z=nan", "z=0:u v", "z=0:U"};
  triad_slice s;
  char why[256];
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    TRIAD_HOLDS(triad_slice_read(good[i].text, "hd", NULL, &s, why, sizeof why), "%s: %s", good[i].text, why);
    TRIAD_EQUAL(s.axis, good[i].axis, good[i].text);
    TRIAD_EQUAL(s.n, good[i].n, good[i].text);
    TRIAD_NEAR(s.at, good[i].at, 1e-15, good[i].text);
  }
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    why[0] = '\0';
    TRIAD_HOLDS(!triad_slice_read(bad[i], "hd", NULL, &s, why, sizeof why) && why[0], "\"%s\" is taken", bad[i]);
  }
}

TRIAD_TEST(colours_end_at_the_ends_and_grey_is_for_what_is_no_number)
{
  TRIAD_EQUAL(triad_colours_entry(0, 0, 1), 0, "lowest");
  TRIAD_EQUAL(triad_colours_entry(1, 0, 1), TRIAD_COLOUR_NONE - 1, "highest");
  TRIAD_EQUAL(triad_colours_entry(7, 0, 1), TRIAD_COLOUR_NONE - 1, "above");
  TRIAD_EQUAL(triad_colours_entry(-7, 0, 1), 0, "below");
  TRIAD_EQUAL(triad_colours_entry(3, 3, 3), (TRIAD_COLOUR_NONE - 1) / 2, "no range");
  TRIAD_EQUAL(triad_colours_entry(NAN, 0, 1), TRIAD_COLOUR_NONE, "NaN");
  TRIAD_EQUAL(triad_colours_entry(INFINITY, 0, 1), TRIAD_COLOUR_NONE, "infinity");
}

TRIAD_MAIN
