/* Values and derivatives of a field at any points, by sums and on a grid, against the sum over all wavenumbers
 * written out in long double.   ranks: 1 */
#include "at_points.h"

TRIAD_TEST(values_and_derivatives_are_the_sums_over_all_wavenumbers)
{
  for (int order = 0; order <= 2; order++)
    for (int way = TRIAD_AT_SUMS; way <= TRIAD_AT_GRID; way++) {
      const triad_at_options options = {.way = (triad_at_way)way, .threads = 2};
      (void)compare((int64_t[]){16, 12, 20}, TRIAD_SPHERE, &options, order);
      (void)compare((int64_t[]){24, 9, 15}, TRIAD_BOX, &options, order);
      (void)compare((int64_t[]){32, 1, 8}, TRIAD_SPHERE, &options, order);
    }
}

TRIAD_TEST(few_points_are_summed_and_many_go_to_a_grid)
{
  triad_grid grid;
  triad_layout *l = NULL;
  triad_at_points *at = NULL;
  const triad_at_options options = {.threads = 1};
  TRIAD_CHECK(triad_grid_init(&grid, (int64_t[]){32, 32, 32}, (double[]){1, 1, 1}, TRIAD_SPHERE));
  TRIAD_CHECK(triad_layout_create(&l, &grid, 0, 1, 1));
  for (int64_t n = 1; n <= 20000; n += 19999) {
    TRIAD_CHECK(triad_at_points_create(&at, l, n, 1, &options));
    TRIAD_EQUAL(triad_at_points_about(at)->gridded, n > 1, "the way");
    triad_at_points_destroy(&at);
  }
  triad_layout_destroy(&l);
}

TRIAD_MAIN
