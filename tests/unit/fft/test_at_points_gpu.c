/* Values and derivatives at points by a GPU, which is the host here (tests/help/fake), against the sum over all
 * wavenumbers written out in long double.   ranks: 1 waves: 64 */
#include "at_points.h"

#include "parallel/device.h"

TRIAD_TEST(a_gpu_finds_the_sums_over_all_wavenumbers)
{
  triad_at_options options = {.threads = 2};
  TRIAD_CHECK(triad_device_create(&options.device, 0));
  for (int order = 0; order <= 2; order++) {
    TRIAD_EQUAL(compare((int64_t[]){16, 12, 20}, TRIAD_SPHERE, &options, order), 1, "pieces");
    TRIAD_EQUAL(compare((int64_t[]){24, 9, 15}, TRIAD_BOX, &options, order), 1, "pieces");
    TRIAD_EQUAL(compare((int64_t[]){32, 1, 8}, TRIAD_SPHERE, &options, order), 1, "pieces");
  }
  triad_device_destroy(&options.device);
}

/* Is there room for its planes? */
static int fits(const int64_t n[3], const triad_at_options *options)
{
  triad_grid grid;
  triad_layout *l = NULL;
  triad_at_points *at = NULL;
  TRIAD_CHECK(triad_grid_init(&grid, n, (double[]){1, 1, 1}, TRIAD_SPHERE));
  TRIAD_CHECK(triad_layout_create(&l, &grid, 0, 1, 1));
  const int st = triad_at_points_create(&at, l, POINTS, 1, options);
  TRIAD_HOLDS(st == TRIAD_OK || (st == TRIAD_ERR_MEMORY && strstr(triad_message(), "GB are free")), "status %d: %s", st,
              triad_message());
  triad_message_clear();
  triad_at_points_destroy(&at);
  triad_layout_destroy(&l);
  return st == TRIAD_OK;
}

/* With the least memory that it can do with, on a grid of 56 planes: a piece serves 8 of them. */
TRIAD_TEST(where_memory_is_short_the_grid_is_made_in_pieces)
{
  const int64_t n[3] = {8, 12, 40};
  triad_at_options options = {.threads = 1};
  TRIAD_CHECK(triad_device_create(&options.device, 0));
  int64_t none = 1, enough = (int64_t)1 << 30;
  TRIAD_HOLDS(fits(n, &(triad_at_options){.threads = 1, .device = options.device, .device_bytes = enough}),
              "no room in %lld", (long long)enough);
  while (enough - none > 1) {
    options.device_bytes = (none + enough) / 2;
    *(fits(n, &options) ? &enough : &none) = options.device_bytes;
  }
  options.device_bytes = enough;
  TRIAD_EQUAL(compare(n, TRIAD_SPHERE, &options, 1), 7, "pieces");
  options.device_bytes = enough + enough / 2;
  const int pieces = compare(n, TRIAD_SPHERE, &options, 1);
  TRIAD_HOLDS(pieces > 1 && pieces < 7, "%d pieces", pieces);
  triad_device_destroy(&options.device);
}

TRIAD_MAIN
