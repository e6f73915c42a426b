/* Sweeps over a vector whose halos are on other ranks. With messages, inner cells are computed while halos are
 * communicated, then the planes of cells that adjoin other ranks (docs/methods/staggered.md). */
#include "solvers/staggered/gpu/gpu_parts.h"
#include "solvers/staggered/gpu/gpu_internal.h"

/* Cells of an inner part that are worth more launches than the messages take; fewer where these go straight to the
 * other GPU. */
enum { WORTH_SPLITTING = 1 << 17, WORTH_SPLITTING_DIRECT = 1 << 20, THINNEST = 4 };

/* The cells from `begin` to `end` of all. */
static triad_staggered_gpu_cells some(const triad_staggered_gpu_cells *all, const int begin[3], const int end[3])
{
  triad_staggered_gpu_cells c = *all;
  for (int i = 0; i < 3; i++) {
    c.local[i] = end[i] - begin[i];
    c.origin += begin[i] * c.stride[i];
    c.sizes.h[i] += begin[i];
    c.sizes.d[i] += begin[i];
    c.sizes.per_h[i] += begin[i];
    c.sizes.per_d[i] += begin[i];
    if (begin[i] > 0) c.below[i] = -c.stride[i], c.others.beside &= ~TRIAD_STAGGERED_LOWER(i);
    if (end[i] < all->local[i]) c.above[i] = c.stride[i], c.others.beside &= ~TRIAD_STAGGERED_UPPER(i);
  }
  return c;
}

/* The remaining cells along each axis belong to the planes of that axis, so that each cell is in one part. */
void triad_staggered_gpu_parts_make(triad_staggered_flow *f)
{
  triad_staggered_gpu_solver *s = &f->gpu->solver;
  triad_staggered_gpu_parts *p = &s->parts;
  const triad_partition *b = &f->blocks;
  int begin[3] = {0, 0, 0}, end[3], thick = 1;
  p->planes = p->apart = 0;
  if (!s->results.several) return;
  int64_t worth = triad_gpu_halo_is_direct(f->gpu->vectors) ? WORTH_SPLITTING_DIRECT : WORTH_SPLITTING;
  for (int i = 0; i < 3; i++) end[i] = s->cells.local[i];
  for (int i = 0; i < 3; i++)
    for (int upper = 0; upper < 2; upper++) {
      if (b->dims[i] == 1 || b->neighbour[i][upper] == TRIAD_NO_NEIGHBOUR) continue;
      int from[3] = {begin[0], begin[1], begin[2]}, to[3] = {end[0], end[1], end[2]};
      if (upper) from[i] = end[i] -= 1;
      else to[i] = begin[i] += 1;
      p->plane[p->planes++] = some(&s->cells, from, to);
      thick = thick && end[i] - begin[i] >= THINNEST;
    }
  p->inner = some(&s->cells, begin, end);
  int64_t inside = (int64_t)p->inner.local[0] * p->inner.local[1] * p->inner.local[2];
  p->apart = thick && p->planes > 0 &&
             (f->setup.overlap == TRIAD_STAGGERED_OVERLAP_ON ||
              (f->setup.overlap == TRIAD_STAGGERED_OVERLAP_AUTO && inside >= worth));
}

int triad_staggered_gpu_note(triad_staggered_flow *f, int part, double *since)
{
  if (!f->gpu->apart) return TRIAD_OK;
  TRIAD_TRY(triad_device_wait(f->device));
  double now = triad_now();
  f->gpu->solver.part_s[part] += now - *since;
  *since = now;
  return TRIAD_OK;
}

void triad_staggered_gpu_send(triad_staggered_flow *f, triad_real *vector)
{
  triad_real *const fields[1] = {vector};
  if (f->gpu->apart) return;
  triad_gpu_halo_begin(f->gpu->vectors, fields, 1, triad_device_stream(f->device));
  f->gpu->solver.parts.sent = vector;
}

void triad_staggered_gpu_settle_sent(triad_staggered_flow *f)
{
  if (f->gpu->solver.parts.sent) triad_gpu_halo_end(f->gpu->vectors, triad_device_stream(f->device));
  f->gpu->solver.parts.sent = NULL;
}

int triad_staggered_gpu_at_once(triad_staggered_flow *f, triad_staggered_gpu_sweep *sweep,
                                triad_staggered_gpu_after after)
{
  triad_staggered_gpu_solver *s = &f->gpu->solver;
  triad_staggered_gpu_results results = s->results;
  double since = triad_now();
  results.part = f->gpu->apart && results.meeting.ranks > 0;
  TRIAD_TRY(sweep(f, &s->cells, &results));
  TRIAD_TRY(triad_staggered_gpu_note(f, TRIAD_SOLVE_INTERIOR, &since));
  if (!results.part) return TRIAD_OK;
  TRIAD_TRY(triad_staggered_gpu_meet(&s->results, after, triad_device_stream(f->device)));
  return triad_staggered_gpu_note(f, TRIAD_SOLVE_SUMS, &since);
}

int triad_staggered_gpu_swept(triad_staggered_flow *f, triad_real *vector, triad_staggered_gpu_sweep *sweep)
{
  triad_staggered_gpu_solver *s = &f->gpu->solver;
  triad_staggered_gpu_parts *p = &s->parts;
  triad_staggered_gpu_results results = s->results;
  triad_real *const fields[1] = {vector};
  void *stream = triad_device_stream(f->device);
  double since = triad_now();
  if (!p->sent) triad_gpu_halo_begin(f->gpu->vectors, fields, 1, stream);
  p->sent = NULL;
  TRIAD_TRY(triad_staggered_gpu_note(f, TRIAD_SOLVE_COPIES, &since));
  if (f->gpu->apart || !p->apart) triad_gpu_halo_end(f->gpu->vectors, stream);
  TRIAD_TRY(triad_staggered_gpu_note(f, TRIAD_SOLVE_MESSAGES, &since));
  if (!p->apart) {
    TRIAD_TRY(sweep(f, &s->cells, &results));
    return triad_staggered_gpu_note(f, TRIAD_SOLVE_INTERIOR, &since);
  }
  results.told = NULL; /* the last part sends the sums */
  TRIAD_TRY(sweep(f, &p->inner, &results));
  TRIAD_TRY(triad_staggered_gpu_note(f, TRIAD_SOLVE_INTERIOR, &since));
  if (!f->gpu->apart) triad_gpu_halo_end(f->gpu->vectors, stream);
  results.more = 1;
  for (int i = 0; i < p->planes; i++) {
    if (i == p->planes - 1) results.told = s->results.told;
    TRIAD_TRY(sweep(f, &p->plane[i], &results));
  }
  return triad_staggered_gpu_note(f, TRIAD_SOLVE_PLANES, &since);
}
