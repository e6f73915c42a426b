/* Norms of residuals, and how far they have fallen. */
#include "solvers/multiblock/plain/residuals.h"

#include <math.h>
#include <stdio.h>

int triad_multiblock_residuals_sum(triad_multiblock_flow *f)
{
  double all[TRIAD_MULTIBLOCK_FIELDS];
  TRIAD_TRY(
    TRIAD_MPI(MPI_Allreduce(f->squares, all, TRIAD_MULTIBLOCK_FIELDS, MPI_DOUBLE, MPI_SUM, f->context->comm.mpi)));
  for (int m = 0; m < TRIAD_MULTIBLOCK_FIELDS; m++) {
    f->norm[m] = sqrt(all[m] / f->volume_all);
    /* the first step of a start that is a stream everywhere may have next to nothing */
    if (!(f->first[m] > 0) || (f->at.step < 5 && f->norm[m] > 100 * f->first[m])) f->first[m] = f->norm[m];
  }
  return TRIAD_OK;
}

/* Components of the momentum are measured together: one of them may have none at first, or none at all. */
double triad_multiblock_residual(const triad_multiblock_flow *f, int equation)
{
  double scale = f->first[equation];
  for (int m = 1; m < 4 && equation > 0 && equation < 4; m++) scale = fmax(scale, f->first[m]);
  return scale > 0 ? f->norm[equation] / scale : 0;
}

int triad_multiblock_is_steady(const triad_multiblock_flow *f)
{
  int steady = f->setup.steady && f->setup.residual > 0;
  for (int m = 0; m < TRIAD_MULTIBLOCK_FIELDS; m++)
    steady &= f->first[m] > 0 ? triad_multiblock_residual(f, m) <= f->setup.residual : 1;
  return steady && f->first[0] + f->first[4] > 0;
}

double triad_multiblock_settled(const void *self)
{
  const triad_multiblock_flow *f = self;
  double largest = 0;
  if (f->converged) return 1;
  for (int m = 0; m < TRIAD_MULTIBLOCK_FIELDS; m++) largest = fmax(largest, triad_multiblock_residual(f, m));
  if (!f->setup.steady || !(f->setup.residual > 0) || !(largest > 0)) return 0;
  return fmin(fmax(log(largest) / log(f->setup.residual), 0), 0.999);
}

int triad_multiblock_goal(const triad_case *given, const void *self, char *text, size_t size)
{
  const triad_multiblock_flow *f = self;
  const double asked = triad_case_real(given, "time.residual");
  double largest = 0;
  if (!triad_case_flag(given, "time.steady") || !(asked > 0)) return 0;
  for (int m = 0; f && m < TRIAD_MULTIBLOCK_FIELDS; m++) largest = fmax(largest, triad_multiblock_residual(f, m));
  if (f) (void)snprintf(text, size, "the largest residual is %.3g, time.residual = %g", largest, asked);
  else (void)snprintf(text, size, "time.residual = %g", asked);
  return 1;
}
