/* The one pass gives the same bits whoever computes it: any ranks, threads and streams, ranks that share planes.
 * ranks: 1 2 3 4 6   threads: 1 2   precision: both   timeout: 400 */
#include "transform.h"

#include "fft/pass/transform.h"
#include "transpose/remap.h"

TRIAD_TEST(pass_is_the_same_bit_for_bit_on_any_ranks_threads_and_streams)
{
  const int64_t grids[][3] = {{30, 24, 20}, {12, 10, 9}, {9, 14, 3}, {4, 4, 40}, {64, 5, 1}};
  const int streams[] = {0, 1, 2, 8, 64};
  triad_context *alone = test_alone();
  for (int g = 0; g < 5; g++) {
    plan one = plan_make(alone, grids[g], TRIAD_SPHERE, 3, 5, 1);
    products want = products_make(&one);
    TRIAD_CHECK(products_run(&one, &want));
    for (int s = 0; s < 5; s++) {
      plan p = plan_make(test_together(), grids[g], TRIAD_SPHERE, 3, 5, streams[s]);
      products got = products_make(&p);
      int64_t differ = 0;
      for (int again = 0; again < 2; again++) { /* nothing is left from a run, and two rows at a time give the same */
        got.any_order = again;
        TRIAD_CHECK(products_run(&p, &got));
      }
      for (int f = 0; f < 5; f++)
        for (int64_t c = 0; c < p.layout->n_columns; c++)
          for (int64_t j = 0; j < p.layout->nkz; j++) {
            int64_t there = test_place_in(one.layout, p.layout, c, j);
            if (test_kept(p.layout, c, j))
              differ += there < 0 || memcmp(&got.out[f][triad_layout_place(p.layout, c, j)], &want.out[f][there],
                                            sizeof(triad_cplx)) != 0;
          }
      TRIAD_HOLDS(differ == 0, "%s, %d streams: %lld modes differ", p.name, streams[s], (long long)differ);
      TRIAD_NEAR(test_largest(got.peak), want.peak, 0, "largest value over all points");
      products_free(&got);
      plan_free(&p);
    }
    products_free(&want);
    plan_free(&one);
  }
  triad_context_destroy(&alone);
}

typedef void split_test(const plan *one, const plan *split);

/* Every grid, of every truncation and with shifts, alone and in groups of every size that divides the ranks. */
static void for_all_splits(split_test *test)
{
  static const int64_t more[][3] = {{30, 24, 20}, {15, 21, 9}, {64, 12, 3}};
  triad_context *alone = test_alone();
  for (int s = 0; s < SHAPES + 3; s++)
    for (int t = 0; t <= TRUNCATIONS; t++) {
      triad_grid grid;
      TRIAD_CHECK(
        triad_grid_init(&grid, s < SHAPES ? shapes[s] : more[s - SHAPES], lengths, truncations[t % TRUNCATIONS]));
      if (t == TRUNCATIONS) TRIAD_CHECK(triad_grid_set_sphere(&grid, 0, 1));
      plan one = plan_on(alone, &grid, 3, 5, 1);
      for (int group = 2; group <= triad_test_comm()->size; group++) {
        if (triad_test_comm()->size % group != 0) continue;
        for (int streams = 0; streams < 6; streams += 5) { /* in shared memory; by messages */
          plan p = plan_split(test_together(), &grid, 3, 5, streams, group);
          test(&one, &p);
          plan_free(&p);
        }
      }
      plan_free(&one);
    }
  triad_context_destroy(&alone);
}

static int64_t modes_differ(const plan *one, const triad_cplx *want, const plan *p, const triad_cplx *got)
{
  const triad_layout *l = p->layout;
  int64_t differ = 0;
  for (int64_t c = 0; c < l->n_columns; c++)
    for (int64_t j = 0; j < l->nkz; j++) {
      int64_t there = test_place_in(one->layout, l, c, j);
      if (test_kept(l, c, j))
        differ += there < 0 || memcmp(&got[triad_layout_place(l, c, j)], &want[there], sizeof *got) != 0;
    }
  return differ;
}

static void check_split_products(const plan *one, const plan *p)
{
  products want = products_make(one), got = products_make(p);
  TRIAD_CHECK(products_run(one, &want));
  for (int again = 0; again < 2; again++) {
    int64_t differ = 0;
    got.any_order = again;
    TRIAD_CHECK(products_run(p, &got));
    for (int f = 0; f < 5; f++) differ += modes_differ(one, want.out[f], p, got.out[f]);
    TRIAD_HOLDS(differ == 0, "%s, groups of %d: %lld modes differ", p->name, p->layout->group, (long long)differ);
  }
  TRIAD_NEAR(test_largest(got.peak), want.peak, 0, "largest value over all points");
  products_free(&want);
  products_free(&got);
}

TRIAD_TEST(pass_is_the_same_bit_for_bit_where_ranks_share_planes) { for_all_splits(check_split_products); }

/* Slots of messages are used again. */
TRIAD_TEST(ranks_that_share_planes_may_have_more_chunks_than_are_in_flight)
{
  triad_context *alone = test_alone();
  triad_grid grid;
  int64_t most = 0;
  const int64_t n[3] = {192, 128, 8 * triad_test_comm()->size};
  TRIAD_CHECK(triad_grid_init(&grid, n, lengths, TRIAD_NONE));
  plan one = plan_on(alone, &grid, 3, 5, 1);
  for (int group = 1; group <= triad_test_comm()->size; group++) {
    if (triad_test_comm()->size % group != 0) continue;
    plan p = plan_split(test_together(), &grid, 3, 5, 2, group);
    const triad_pass_costs cost = triad_pass_cost(p.pass, 3, 5, 5);
    if (cost.chunks > cost.nstreams) most = cost.chunks;
    check_split_products(&one, &p);
    plan_free(&p);
  }
  TRIAD_HOLDS(triad_test_comm()->size == 1 || most > 2, "%lld chunks", (long long)most);
  plan_free(&one);
  triad_context_destroy(&alone);
}

static void check_split_rows(const plan *one, const plan *p)
{
  const triad_layout *l = p->layout;
  triad_cplx *mine = modes_make(p), *all = modes_make(one);
  triad_real *rows = planes_make(p), *planes = planes_make(one);
  int64_t differ = 0;
  fill_modes(l, 0, mine);
  fill_modes(one->layout, 0, all);
  TRIAD_CHECK(triad_backward(p->pass, l, 1, (const triad_cplx *const[]){mine}, &rows));
  TRIAD_CHECK(triad_backward(one->pass, one->layout, 1, (const triad_cplx *const[]){all}, &planes));
  for (int64_t z = l->first_plane; z < l->first_plane + l->n_planes; z++)
    for (int64_t y = l->first_y; y < l->first_y + l->n_y; y++)
      differ += memcmp(rows + triad_layout_row(l, y, z), planes + triad_layout_row(one->layout, y, z),
                       (size_t)l->grid.n[0] * sizeof *rows) != 0;
  TRIAD_HOLDS(differ == 0, "%s, groups of %d: %lld rows differ", p->name, l->group, (long long)differ);
  TRIAD_CHECK(triad_forward(p->pass, l, 1, (const triad_real *const[]){rows}, &mine));
  TRIAD_CHECK(triad_forward(one->pass, one->layout, 1, (const triad_real *const[]){planes}, &all));
  differ = modes_differ(one, all, p, mine);
  TRIAD_HOLDS(differ == 0, "%s, groups of %d: %lld modes of points differ", p->name, l->group, (long long)differ);
  free(mine);
  free(all);
  free(rows);
  free(planes);
}

TRIAD_TEST(rows_of_ranks_that_share_planes_are_those_of_the_planes) { for_all_splits(check_split_rows); }

/* From whole planes to groups and back: what each rank holds moves, and no bit changes. */
TRIAD_TEST(modes_move_between_slabs_and_groups)
{
  const int64_t n[3] = {15, 21, 9};
  for (int group = 2; group <= triad_test_comm()->size; group++) {
    if (triad_test_comm()->size % group != 0) continue;
    triad_grid grid;
    TRIAD_CHECK(triad_grid_init(&grid, n, lengths, TRIAD_SPHERE));
    plan slab = plan_on(test_together(), &grid, 1, 0, 0), split = plan_split(test_together(), &grid, 1, 0, 0, group);
    triad_cplx *a = modes_make(&slab), *b = modes_make(&split), *want = modes_make(&split), *back = modes_make(&slab);
    double dropped = 0;
    fill_modes(slab.layout, 0, a);
    fill_modes(split.layout, 0, want);
    TRIAD_CHECK(triad_remap(triad_test_comm(), slab.layout, &a, split.layout, &b, 1, &dropped));
    TRIAD_EQUAL(memcmp(b, want, (size_t)split.layout->modes * sizeof *b), 0, "modes of slabs in groups");
    TRIAD_NEAR(dropped, 0, 0, "energy dropped");
    TRIAD_CHECK(triad_remap(triad_test_comm(), split.layout, &b, slab.layout, &back, 1, &dropped));
    TRIAD_EQUAL(memcmp(back, a, (size_t)slab.layout->modes * sizeof *a), 0, "and back");
    free(a);
    free(b);
    free(want);
    free(back);
    plan_free(&slab);
    plan_free(&split);
  }
}

TRIAD_MAIN
