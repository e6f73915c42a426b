/* The column `points_most`: points along the longest axis, if the grid size is adaptive. */
#include "solvers/spectral/plain/follow_column.h"
#include "solvers/spectral/follow.h"

#include "case/mean.h"

#include <inttypes.h>

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

void triad_follow_rules(triad_case *c)
{
  static const char *const needed[] = {"target.grid",   "target.kmax_eta",     "target.n_least",
                                       "target.n_most", "equations.viscosity", "grid.truncation",
                                       "grid.radius",   "output.means",        "forcing.hold"};
  const char *texts[TRIAD_MEANS];
  for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
    if (!triad_case_applies(c, needed[i]) || !triad_case_good(c, needed[i])) return;
  const int held = triad_case_applies(c, "target.re_lambda") && triad_case_good(c, "target.re_lambda") &&
                   triad_case_real(c, "target.re_lambda") > 0;
  const int64_t least = triad_case_integer(c, "target.n_least"), most = triad_case_integer(c, "target.n_most");
  if (!triad_follow_asked(c)) {
    if (triad_case_real(c, "target.kmax_eta") > 0 && !held)
      triad_case_error_of(c, "target.kmax_eta",
                          "target.kmax_eta requires target.re_lambda, or target.grid = \"follow\"");
    return;
  }
  if (!(triad_case_real(c, "target.kmax_eta") > 0))
    triad_case_error_of(c, "target.grid", "target.grid = \"follow\" requires target.kmax_eta, such as 1.5");
  if (!(triad_case_real(c, "equations.viscosity") > 0))
    triad_case_error_of(c, "target.grid",
                        "target.grid = \"follow\" requires equations.viscosity: an inviscid flow has no k_max eta");
  if (triad_case_applies(c, "closure.model") && triad_case_good(c, "closure.model") &&
      !triad_case_is(c, "closure.model", "none"))
    triad_case_error_of(c, "target.grid",
                        "target.grid = \"follow\" resolves all scales: remove closure.model, or use target.grid = "
                        "\"fixed\"");
  if (triad_case_is(c, "grid.truncation", "none") || triad_case_real(c, "grid.radius") > 0)
    triad_case_error_of(c, "target.grid",
                        "target.grid = \"follow\" determines the retained modes: use grid.truncation \"sphere\" or "
                        "\"box\", and remove grid.radius");
  if (triad_case_is(c, "forcing.hold", "kmax_eta"))
    triad_case_error_of(
      c, "target.grid",
      "target.grid = \"follow\" controls k_max eta by the grid: use another forcing.hold, or \"none\"");
  if (triad_case_texts(c, "output.means", texts, TRIAD_MEANS) > 0)
    triad_case_error_of(c, "target.grid",
                        "output.means requires a fixed grid: remove it, or use target.grid = \"fixed\"");
  if (most > 0 && most < least)
    triad_case_error_of(c, "target.n_most", "target.n_most = %" PRId64 " is below target.n_least = %" PRId64, most,
                        least);
}
