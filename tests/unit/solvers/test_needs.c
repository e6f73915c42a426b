/* What a case will take: rows, their sum, and what only files take. */
#include "test.h"

#include "solvers/needs.h"

#include <string.h>

TRIAD_TEST(what_writes_nothing_takes_all_but_the_row_of_files)
{
  triad_rank_needs n = {0};
  triad_needs_add(&n, "state", "", 10);
  triad_needs_add_files(&n, "rows", "", 200);
  triad_needs_add(&n, "slices", "", 3000);
  triad_needs_add_files(&n, "output", "", 40000);
  assert_int_equal(n.total, 43210);
  triad_needs_drop_files(&n);
  assert_int_equal(n.total, 3010);
  assert_int_equal(n.n, 2);
  assert_string_equal(n.row[0].owner, "state");
  assert_string_equal(n.row[1].owner, "slices");
  triad_needs_drop_files(&n);
  assert_int_equal(n.total, 3010);
}

TRIAD_MAIN
