/* The partition of a box into blocks (partition.h). */
#include "grid/partition.h"
#include "grid/layout.h"

#include <math.h>
#include <string.h>

/* Blocks along an axis at most, so that each is as long as the halo that it gives its neighbours. */
static int64_t most_blocks(int64_t n, int64_t width) { return n == 1 ? 1 : width > 0 ? n / width : n; }

static int fits(const int64_t n[3], int64_t width, const int wanted[3], const int dims[3])
{
  for (int i = 0; i < 3; i++)
    if (dims[i] > most_blocks(n[i], width) || (wanted[i] > 0 && dims[i] != wanted[i])) return 0;
  return 1;
}

/* Points of a block along an axis, and how many of its two faces there others fill. */
typedef struct extent {
  double side;
  int faces;
} extent;

/* The kinds of block that a division of an axis makes: sides of two sizes, with 0 to 2 faces. */
static int extents(int64_t n, int periodic, int dims, extent kind[6])
{
  int count = 0;
  for (int at = 0; at < dims; at++) {
    extent e = {(double)(triad_deal(n, at + 1, dims) - triad_deal(n, at, dims)), 2};
    if (!periodic) e.faces = (at > 0) + (at < dims - 1);
    if (dims == 1) e.faces = 0;
    int known = 0;
    for (int i = 0; i < count; i++) known = known || (kind[i].faces == e.faces && fabs(kind[i].side - e.side) < 0.5);
    if (!known) kind[count++] = e;
  }
  return count;
}

/* The cost of a step, in points: those that the largest block computes and receives. */
static double cost(const int64_t n[3], const int periodic[3], int64_t width, const int dims[3])
{
  extent x[6], y[6], z[6];
  int nx = extents(n[0], periodic[0], dims[0], x), ny = extents(n[1], periodic[1], dims[1], y);
  int nz = extents(n[2], periodic[2], dims[2], z);
  double most = 0;
  for (int i = 0; i < nx; i++)
    for (int j = 0; j < ny; j++)
      for (int k = 0; k < nz; k++) {
        double a = x[i].side, b = y[j].side, c = z[k].side;
        double received = x[i].faces * b * c + y[j].faces * a * c + z[k].faces * a * b;
        most = fmax(most, a * b * c + (double)width * received);
      }
  return most;
}

/* The cheapest division into `size` blocks; 0 where there is none. Divisions come with the most blocks along z first,
 * then along y, and the first of equals stays: x, the fastest in memory, is divided last. */
static int choose(const int64_t n[3], const int periodic[3], int64_t width, int size, const int wanted[3], int best[3])
{
  double lowest = INFINITY;
  for (int z = size; z >= 1; z--) {
    if (size % z) continue;
    for (int y = size / z; y >= 1; y--) {
      if (size / z % y) continue;
      const int dims[3] = {size / z / y, y, z};
      if (!fits(n, width, wanted, dims)) continue;
      double price = cost(n, periodic, width, dims);
      if (price < lowest * (1 - 1e-12)) {
        lowest = price;
        memcpy(best, dims, sizeof dims);
      }
    }
  }
  return lowest < INFINITY;
}

static int refuse(const int64_t n[3], const int periodic[3], int64_t width, int size, const int wanted[3])
{
  int dims[3], fewer = size - 1;
  for (int i = 0; i < 3; i++)
    if (n[i] > 1 && n[i] < width)
      return TRIAD_FAIL(TRIAD_ERR_CASE,
                        "grid.n: %lld points along %c are fewer than the %lld of the halo: use 1, or at least %lld",
                        (long long)n[i], "xyz"[i], (long long)width, (long long)width);
  while (fewer > 0 && !choose(n, periodic, width, fewer, wanted, dims)) fewer--;
  const char *fixed = wanted[0] || wanted[1] || wanted[2] ? " with parallel.blocks as given" : "";
  if (fewer == 0)
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%lld x %lld x %lld points cannot be divided among %d ranks%s", (long long)n[0],
                      (long long)n[1], (long long)n[2], size, fixed);
  return TRIAD_FAIL(
    TRIAD_ERR_CASE,
    "%d ranks cannot share %lld x %lld x %lld points in blocks of at least %lld along each axis%s: use %d ranks", size,
    (long long)n[0], (long long)n[1], (long long)n[2], (long long)width, fixed, fewer);
}

static void set_memory(triad_partition *b)
{
  int64_t side[3];
  for (int i = 0; i < 3; i++) side[i] = b->local[i] + 2 * b->halo[i];
  b->stride[0] = 1;
  b->stride[1] = side[0];
  b->stride[2] = side[0] * side[1];
  b->volume = b->stride[2] * side[2];
  b->origin = b->halo[0] * b->stride[0] + b->halo[1] * b->stride[1] + b->halo[2] * b->stride[2];
}

/* All that follows from which rank it is. */
static void set_rank(triad_partition *b, int rank)
{
  b->rank = rank;
  b->place[0] = rank % b->dims[0];
  b->place[1] = rank / b->dims[0] % b->dims[1];
  b->place[2] = rank / b->dims[0] / b->dims[1];
  triad_partition_of(b, rank, b->begin, b->local);
  set_memory(b);
  for (int i = 0; i < 3; i++)
    for (int end = 0; end < 2; end++) {
      int step[3] = {0, 0, 0};
      step[i] = end ? 1 : -1;
      b->neighbour[i][end] = triad_partition_rank(b, step);
    }
}

int triad_partition_init(triad_partition *b, const int64_t n[3], const int periodic[3], int64_t width, int rank,
                         int size, const int wanted[3])
{
  static const int free_choice[3] = {0, 0, 0};
  memset(b, 0, sizeof *b);
  if (!wanted) wanted = free_choice;
  if (!choose(n, periodic, width, size, wanted, b->dims)) return refuse(n, periodic, width, size, wanted);
  b->size = size;
  for (int i = 0; i < 3; i++) {
    b->n[i] = n[i];
    b->periodic[i] = periodic[i] != 0;
    b->halo[i] = n[i] > 1 ? width : 0;
  }
  set_rank(b, rank);
  return TRIAD_OK;
}

int triad_partition_rank(const triad_partition *b, const int step[3])
{
  int at[3];
  for (int i = 0; i < 3; i++) {
    at[i] = b->place[i] + step[i];
    if (step[i] != 0 && b->n[i] == 1) return TRIAD_NO_NEIGHBOUR;
    if (at[i] >= 0 && at[i] < b->dims[i]) continue;
    if (!b->periodic[i]) return TRIAD_NO_NEIGHBOUR;
    at[i] = (at[i] % b->dims[i] + b->dims[i]) % b->dims[i];
  }
  return at[0] + b->dims[0] * (at[1] + b->dims[1] * at[2]);
}

void triad_partition_of(const triad_partition *b, int r, int64_t begin[3], int64_t local[3])
{
  const int at[3] = {r % b->dims[0], r / b->dims[0] % b->dims[1], r / b->dims[0] / b->dims[1]};
  for (int i = 0; i < 3; i++) {
    begin[i] = triad_deal(b->n[i], at[i], b->dims[i]);
    local[i] = triad_deal(b->n[i], at[i] + 1, b->dims[i]) - begin[i];
  }
}

triad_partition triad_partition_divided(const triad_partition *blocks, int r)
{
  triad_partition b = *blocks;
  for (int i = 0; i < 3; i++) {
    if (b.dims[i] > 1) continue;
    b.halo[i] = 0;
    b.periodic[i] = 0;
  }
  set_rank(&b, r);
  return b;
}

triad_partition triad_partition_bare(const triad_partition *blocks)
{
  triad_partition b = *blocks;
  for (int i = 0; i < 3; i++) b.halo[i] = 0;
  set_memory(&b);
  return b;
}
