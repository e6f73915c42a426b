/* Transform with the pass of a flow's steps, or with a pass created for one call. */
#include "solvers/spectral/flow_pass.h"
#include "solvers/spectral/flow.h"
#include "fft/pass/pass_create.h"

#include "fft/pass/transform.h"

int triad_flow_make_pass(triad_flow *f, int most_in, int most_out, int most_left, triad_planning planning,
                         const char *wisdom, triad_pass **pass)
{
  triad_pass_options options = {.nstreams = (int)triad_case_integer(f->given, "parallel.nstreams"),
                                .planning = planning,
                                .wisdom = wisdom,
                                .most_left = most_left,
                                .lines = f->device || f->offload ? TRIAD_LINES_AUTO : f->grid.lines,
                                .by_messages = triad_case_is(f->given, "parallel.transport", "mpi")};
  return triad_pass_create(pass, f->context, f->layout, most_in, most_out, &options);
}

int triad_flow_borrow(triad_flow *f, int most_in, int most_out, triad_pass **pass)
{
  *pass = f->pass;
  return f->pass ? TRIAD_OK : triad_flow_make_pass(f, most_in, most_out, most_out, TRIAD_PLAN_ESTIMATED, NULL, pass);
}

void triad_flow_return(triad_flow *f, triad_pass **pass)
{
  if (*pass != f->pass) triad_pass_destroy(pass);
  *pass = NULL;
}

int triad_flow_backward(triad_flow *f, const triad_cplx *field, triad_real *points)
{
  triad_pass *pass;
  TRIAD_TRY(triad_flow_borrow(f, 1, 0, &pass));
  int st = triad_backward(pass, f->layout, 1, &field, &points);
  triad_flow_return(f, &pass);
  return st;
}
