/* Planes of points from a pass: stored while particles need them, and sent to the ranks that need those at their
 * edges. */
#include "solvers/spectral/particles/gather_planes.h"
#include "solvers/spectral/particles/gather_internal.h"
#include "solvers/spectral/particles/gather_sum.h"
#include "parallel/wait.h"

enum { TAG = 1907 };

static triad_real *row_of(const triad_gather *g, triad_real *plane, int f, int64_t y)
{
  return plane + f * g->field + y * g->row;
}

/* One row of n points, `apart` elements apart in `from`. Column c of a row is the point c - lower: all points that a
 * particle needs are adjacent, those beyond the ends repeated. Compiled for each order, so that the ends are a few
 * moves. */
static inline __attribute__((always_inline)) void put_row(int64_t n, const int64_t order, const int64_t apart,
                                                          const triad_real *restrict from, triad_real *restrict row)
{
  const int64_t below = order / 2 - 1;
  if (n < order) {
    for (int64_t c = 0; c < n + order - 1; c++) row[c] = from[apart * (((c - below) % n + n) % n)];
    return;
  }
  for (int64_t c = 0; c < below; c++) row[c] = from[apart * (n - below + c)];
  for (int64_t x = 0; x < n; x++) row[below + x] = from[apart * x];
  for (int64_t c = 0; c < order / 2; c++) row[below + n + c] = from[apart * c];
}

static void put_pair(int64_t n, int64_t order, const triad_real *from, triad_real *row, triad_real *next)
{
#define PUT_PAIR(m) (put_row(n, m, 2, from, row), put_row(n, m, 2, from + 1, next))
  if (order == 2) PUT_PAIR(2);
  else if (order == 4) PUT_PAIR(4);
  else if (order == 6) PUT_PAIR(6);
  else PUT_PAIR(8);
}

void triad_gather_points(void *self, const triad_patch *at, triad_real *const *in, double *peaks)
{
  const triad_gather *g = self;
  const int64_t n = g->l->grid.n[0], z = at->z - g->l->plane_begin[g->l->rank];
  triad_real *plane = triad_gather_place(g, z);
  (void)peaks;
  for (int f = 0; f < g->fields; f++) {
    triad_real *row = row_of(g, plane, f, at->y);
    if (at->n == n) put_row(n, g->order, 1, in[f], row);
    else put_pair(n, g->order, in[f], row, row + g->row);
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
  return TRIAD_MPI(triad_wait_all(n, g->requests));
}
