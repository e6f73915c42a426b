/* The column `points_most`: points along the longest axis, if the grid size is adaptive. */
#include "solvers/spectral/plain/follow_column.h"
#include "solvers/spectral/follow.h"

static const char column_name[] = "points_most";

int triad_follow_asked(const triad_case *c)
{
  return triad_case_applies(c, "target.grid") && triad_case_is(c, "target.grid", "follow");
}

int triad_follow_column(triad_shape *shape, const triad_case *given)
{
  const triad_column_info column = {column_name, "1", .formula = "points along the longest axis of the grid"};
  return triad_follow_asked(given) ? triad_shape_add_columns(shape, 1, &column) : TRIAD_OK;
}

void triad_follow_measure(const triad_flow *flow, double *columns)
{
  for (int c = 0; c < flow->shape.n_columns; c++)
    if (flow->shape.columns[c].name == column_name) columns[c] = (double)triad_follow_longest(flow->grid.n);
}
