/* Planes of points from a pass: stored while particles need them, and sent to the ranks that need those at their
 * edges. */
#include "solvers/spectral/particles/gather_planes.h"
#include "solvers/spectral/particles/gather_internal.h"
#include "solvers/spectral/particles/gather_sum.h"

#include <string.h>

enum { TAG = 1907 };

static triad_real *row_of(const triad_gather *g, triad_real *plane, int f, int64_t y)
{
  return plane + f * g->field + y * g->row;
}

/* Column c of a row is the point c - lower: all points that a particle needs are adjacent. Set the ends of a row from
 * its points. */
static void repeat_ends(const triad_gather *g, triad_real *row)
{
  const int64_t n = g->l->grid.n[0], below = triad_gather_lower(g), above = g->order / 2;
  if (n >= g->order) {
    for (int64_t c = 0; c < below; c++) row[c] = row[c + n];
    for (int64_t c = below; c < below + above; c++) row[c + n] = row[c];
    return;
  }
  for (int64_t c = 0; c < below; c++) row[c] = row[below + ((c - below) % n + n) % n];
  for (int64_t c = n + below; c < n + g->order - 1; c++) row[c] = row[below + (c - below) % n];
}

static void take_apart(int64_t n, const triad_real *restrict from, triad_real *restrict row, triad_real *restrict next)
{
  for (int64_t x = 0; x < n; x++) {
    row[x] = from[2 * x];
    next[x] = from[2 * x + 1];
  }
}

void triad_gather_points(void *self, const triad_patch *at, triad_real *const *in, double *peaks)
{
  const triad_gather *g = self;
  const int64_t n = g->l->grid.n[0], z = at->z - g->l->plane_begin[g->l->rank], below = triad_gather_lower(g);
  triad_real *plane = triad_gather_place(g, z);
  (void)peaks;
  for (int f = 0; f < g->fields; f++) {
    triad_real *row = row_of(g, plane, f, at->y), *next = row + g->row;
    if (at->n == n) memcpy(row + below, in[f], (size_t)n * sizeof *row);
    else take_apart(n, in[f], row + below, next + below);
    repeat_ends(g, row);
    if (at->n > n) repeat_ends(g, next);
  }
}

void triad_gather_planes(void *self, int64_t begin, int64_t end)
{
  triad_gather *g = self;
  const int64_t last = end - g->order / 2;
  (void)begin;
  if (g->done < triad_gather_lower(g)) g->done = triad_gather_lower(g);
  if (last <= g->done) return;
  triad_gather_sum(g, g->done, last, NULL);
  g->done = last;
}

/* Plane number i, 0 .. order - 2, of those beyond its own that rank r needs: first those below, then those above. */
static int64_t needed(const triad_gather *g, int r, int i)
{
  const triad_layout *l = g->l;
  const int64_t n = l->grid.n[2], below = triad_gather_lower(g);
  int64_t z = i < below ? l->plane_begin[r] - below + i : l->plane_begin[r + 1] + i - below;
  return (z % n + n) % n;
}

int triad_gather_fetch(const triad_gather *g, const triad_real **at)
{
  const triad_layout *l = g->l;
  const triad_comm *comm = &g->flow->context->comm;
  const int count = (int)(g->field * g->fields);
  const int64_t mine = l->plane_begin[l->rank];
  int n = 0;
  for (int i = 0; i < g->order - 1 && l->n_planes > 0; i++) {
    const int64_t z = needed(g, l->rank, i);
    at[i] = g->beyond + i * g->plane;
    if (z >= mine && z < mine + l->n_planes) {
      at[i] = triad_gather_place(g, z - mine);
      continue;
    }
    int owner = 0;
    while (z >= l->plane_begin[owner + 1]) owner++;
    TRIAD_TRY(TRIAD_MPI(
      MPI_Irecv(g->beyond + i * g->plane, count, TRIAD_MPI_REAL, owner, TAG + i, comm->mpi, &g->requests[n++])));
  }
  for (int r = 0; r < l->size; r++)
    for (int i = 0; i < g->order - 1 && r != l->rank && l->plane_begin[r] < l->plane_begin[r + 1]; i++) {
      const int64_t z = needed(g, r, i);
      if (z < mine || z >= mine + l->n_planes) continue;
      TRIAD_TRY(TRIAD_MPI(
        MPI_Isend(triad_gather_place(g, z - mine), count, TRIAD_MPI_REAL, r, TAG + i, comm->mpi, &g->requests[n++])));
    }
  return TRIAD_MPI(MPI_Waitall(n, g->requests, MPI_STATUSES_IGNORE));
}
