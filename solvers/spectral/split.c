/* parallel.split: the number of ranks that share planes, and whole planes for functions that need them. */
#include "solvers/spectral/split.h"
#include "grid/fields/slab.h"
#include "solvers/spectral/flow.h"
#include "solvers/spectral/flow_pass.h"

#include <stdio.h>
#include <stdlib.h>

int triad_split_asked(const triad_case *given)
{
  int64_t split[2];
  triad_case_integers(given, "parallel.split", split, 2);
  return split[1] > 1 || (split[1] == 0 && split[0] > 0);
}

/* The divisor of `size` that is nearest to the second argument, the larger of two. */
static int64_t nearest_divisor(int64_t size, int64_t wanted)
{
  int64_t best = 1;
  for (int64_t d = 1; d <= size; d++)
    if (size % d == 0 && llabs(d - wanted) <= llabs(best - wanted)) best = d;
  return best;
}

/* The nearest by the ranks of a group, where they are given. */
int triad_split_refuse(const char *said, const int64_t split[2], int size)
{
  const int64_t near = split[1] > 0 ? nearest_divisor(size, split[1]) : size / nearest_divisor(size, split[0]);
  return TRIAD_FAIL(
    TRIAD_ERR_CASE,
    "%s does not match %d rank%s: the product must be the number of ranks; the nearest choice is [%lld, %lld]", said,
    size, size == 1 ? "" : "s", (long long)(size / near), (long long)near);
}

static int refuse(const triad_case *given, const int64_t split[2], int size)
{
  char origin[256], said[320];
  (void)triad_case_origin(given, "parallel.split", origin, sizeof origin);
  (void)snprintf(said, sizeof said, "parallel.split = [%lld, %lld] (%s)", (long long)split[0], (long long)split[1],
                 origin);
  return triad_split_refuse(said, split, size);
}

int triad_split_of(const triad_case *given, int size, int *group)
{
  int64_t split[2];
  triad_case_integers(given, "parallel.split", split, 2);
  *group = 1;
  if (split[0] == 0 && split[1] <= 1) return TRIAD_OK;
  int64_t planes = split[0], members = split[1];
  if (members == 0 && size % planes == 0) members = size / planes;
  if (planes == 0 && size % members == 0) planes = size / members;
  if (planes * members != size) return refuse(given, split, size);
  *group = (int)members;
  return TRIAD_OK;
}

int64_t triad_split_idle(const triad_layout *l)
{
  const int64_t groups = l->size / l->group, pairs = (l->grid.n[1] + 1) / 2;
  const int64_t busy = groups < l->grid.n[2] ? groups : l->grid.n[2];
  return l->size - busy * (l->group < pairs ? l->group : pairs);
}

/* ---- whole planes ---- */

int triad_flow_planes(const triad_flow *f, const triad_real *rows, triad_real *planes)
{
  triad_space space;
  triad_slab *slab;
  triad_space_planes(&space, f->layout);
  TRIAD_TRY(triad_slab_create(&slab, f->context, &space));
  int st = triad_slab_gather(slab, rows, planes);
  triad_slab_destroy(&slab);
  return triad_agree(&f->context->comm, st);
}

int triad_flow_backward_planes(triad_flow *f, const triad_cplx *field, triad_real *planes)
{
  triad_memory *m = f->context->memory;
  triad_real *rows = NULL;
  if (f->planes == f->layout) return triad_flow_backward(f, field, planes);
  int st = triad_agree(&f->context->comm, TRIAD_ALLOC(m, "rows of planes", triad_layout_points(f->layout), &rows));
  if (st == TRIAD_OK) st = triad_flow_backward(f, field, rows);
  if (st == TRIAD_OK) st = triad_flow_planes(f, rows, planes);
  TRIAD_FREE(m, &rows);
  return st;
}
