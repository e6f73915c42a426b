/* Counts beyond 2^31: who owns what of 4096^3 points, without the memory of a field.   ranks: 1   precision: both */
#include "test.h"

#include "transpose/exchange.h"

TRIAD_TEST(index_arithmetic_holds_at_4096_cubed)
{
  const int64_t n[3] = {4096, 4096, 4096};
  const double length[3] = {2 * TRIAD_PI, 2 * TRIAD_PI, 2 * TRIAD_PI};
  triad_grid g;
  triad_layout *l = NULL;
  TRIAD_CHECK(triad_grid_init(&g, n, length, TRIAD_SPHERE));
  TRIAD_EQUAL(triad_grid_points(&g), INT64_C(1) << 36, "points");
  TRIAD_EQUAL(g.kmax[0], 1365, "K");

  /* columns of the sphere: those (kx, ky) with kx^2 + ky^2 <= K^2, one of each pair */
  int64_t disc = 0;
  for (int64_t y = -1365; y <= 1365; y++)
    for (int64_t x = -1365; x <= 1365; x++) disc += x * x + y * y <= 1365 * 1365;
  TRIAD_CHECK(triad_layout_create(&l, &g, 63, 64, TRIAD_LANES));
  TRIAD_EQUAL(l->all_columns, (disc + 1) / 2, "columns of all ranks");
  TRIAD_EQUAL(l->nkz, 2731, "kept kz");
  for (int r = 0; r < 64; r++) {
    TRIAD_EQUAL(l->plane_begin[r + 1] - l->plane_begin[r], 64, "planes of a rank");
    int64_t columns = l->column_begin[r + 1] - l->column_begin[r], even = l->all_columns / 64;
    TRIAD_HOLDS(columns == even || columns == even + 1, "rank %d has %lld columns", r, (long long)columns);
  }
  TRIAD_EQUAL(l->column_begin[64], l->all_columns, "columns dealt");
  TRIAD_EQUAL(l->plane_begin[64], 4096, "planes dealt");
  int64_t padded = (l->n_columns + TRIAD_LANES - 1) / TRIAD_LANES * TRIAD_LANES;
  TRIAD_EQUAL(l->modes, padded * 2731, "modes of a rank");
  /* the work array holds every z of each column for the larger number of fields, and no more than that of own planes
   * plus what others' planes need: at most the larger everywhere */
  int64_t work = triad_exchange_work_size(l, 3, 5);
  TRIAD_HOLDS(work >= padded * 4096 * 5 && work <= (padded + 64) * 4096 * 5, "work array of %lld for %lld columns",
              (long long)work, (long long)padded);
  int64_t buffer = triad_exchange_buffer_size(l, 1, 3, 5, 8);
  TRIAD_HOLDS(buffer > 0 && buffer < work * 64, "buffers of %lld", (long long)buffer);
  triad_layout_destroy(&l);

  /* half of the box truncation on each of two ranks: places, counts and bytes beyond 2^31 and 2^32 */
  TRIAD_CHECK(triad_grid_init(&g, n, length, TRIAD_BOX));
  TRIAD_CHECK(triad_layout_create(&l, &g, 1, 2, TRIAD_LANES));
  TRIAD_EQUAL(l->all_columns, (INT64_C(2731) * 2731 + 1) / 2, "columns of the box");
  TRIAD_HOLDS(l->modes > INT64_C(1) << 32, "%lld modes", (long long)l->modes);
  int64_t last = triad_layout_place(l, l->n_columns - 1, l->nkz - 1);
  TRIAD_EQUAL(last, l->modes - l->lanes + (l->n_columns - 1) % l->lanes, "place of the last mode");
  /* places are different for different modes: block, kz and lane can be read back from each */
  for (uint64_t i = 0; i < 1000; i++) {
    int64_t c = triad_test_below(1, i, l->n_columns), j = triad_test_below(2, i, l->nkz);
    int64_t at = triad_layout_place(l, c, j);
    TRIAD_EQUAL(at % l->lanes + at / l->lanes / l->nkz * l->lanes, c, "column of a place");
    TRIAD_EQUAL(at / l->lanes % l->nkz, j, "kz of a place");
    int conjugate = 0;
    TRIAD_EQUAL(triad_layout_find(l, l->kx[c], l->ky[c], &conjugate), l->column_begin[1] + c, "column found again");
    TRIAD_EQUAL(conjugate, 0, "a held column is no conjugate");
  }
  work = triad_exchange_work_size(l, 3, 5);
  TRIAD_HOLDS(work >= l->n_columns * 4096 * 4, "work array of %lld", (long long)work);
  triad_layout_destroy(&l);
}

TRIAD_MAIN
