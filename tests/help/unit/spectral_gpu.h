/* A spectral flow on the CPU and on a GPU that is the host (tests/help/fake): number 0 and 1 of a pair. */
#ifndef TRIAD_TESTS_SPECTRAL_GPU_H
#define TRIAD_TESTS_SPECTRAL_GPU_H

#include "flow.h"

#include "grid/shells.h"
#include "solvers/spectral/equations/velocity.h"
#include "solvers/spectral/measure/transfer.h"

/* The case is `text`, then each of the `sets` (ended by NULL, seven at most). Collective. */
static inline void test_pair_make(test_flow flow[2], const char *text, const char *const *sets)
{
  const char *all[9] = {NULL};
  int n = 0;
  for (; sets[n]; n++) all[n] = sets[n];
  for (int i = 0; i < 2; i++) {
    all[n] = i ? "parallel.device=\"gpu\"" : "parallel.device=\"cpu\"";
    flow[i] = test_flow_make(test_together(), text, all);
    TRIAD_HOLDS((flow[i].flow->device != NULL) == i, "%s: the device", sets[0]);
  }
}

/* Columns of both, x and y: each to 1e-11 of itself; those that may vanish and hold nothing but round-off, of the
 * energy. */
static inline void test_columns_agree(const test_flow flow[2], const double *x, const double *y, const char *what)
{
  for (int c = 0; c < flow[0].flow->shape.n_columns; c++)
    TRIAD_HOLDS(fabs(x[c] - y[c]) <= 1e-11 * fmax(fabs(x[c]), fabs(x[TRIAD_COLUMN_ENERGY])),
                "%s: %s is %.15g, on the CPU %.15g", what, flow[0].flow->shape.columns[c].name, y[c], x[c]);
}

/* Transfers of all shells, to 1e-12 of the largest. Returns the largest of the last ones, those of `last` kinds. */
static inline double test_transfers_agree(const test_flow flow[2], int last, const char *what)
{
  const int64_t shells = triad_shell_count(&flow[0].flow->grid), n = flow[0].flow->shape.n_transfers * shells;
  double *x = calloc((size_t)(4 * n), sizeof *x), most = 0, off = 0, of_last = 0;
  assert_non_null(x);
  TRIAD_CHECK(triad_transfer_shells(flow[0].flow, x, x + n));
  TRIAD_CHECK(triad_transfer_shells(flow[1].flow, x + 2 * n, x + 3 * n));
  for (int64_t i = 0; i < n; i++) {
    most = fmax(most, fabs(x[i]));
    if (i >= n - last * shells) of_last = fmax(of_last, fabs(x[i]));
    off = fmax(off, fabs(x[i] - x[2 * n + i]));
  }
  TRIAD_HOLDS(most > 0 && off <= 1e-12 * most, "%s: transfers of %.3g differ by %.3g", what, most, off);
  free(x);
  return of_last;
}

#endif
