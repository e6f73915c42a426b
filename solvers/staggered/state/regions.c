/* A rank first finds the parts that its own cells make, by sets that are joined; then all ranks join the same parts
 * across the faces between them. */
#include "solvers/staggered/state/regions.h"
#include "solvers/staggered/plain/rows.h"

#include <math.h>
#include <stdlib.h>

/* ---- sets that are joined: of each member the way to the first one ---- */

static int64_t first_of(int64_t *set, int64_t i)
{
  while (set[i] != i) i = set[i] = set[set[i]];
  return i;
}

static void join_regions(int64_t *set, int64_t i, int64_t j)
{
  int64_t a = first_of(set, i), b = first_of(set, j);
  if (a < b) set[b] = a;
  if (b < a) set[a] = b;
}

/* ---- a rank's own parts ---- */

static int is_fluid(const triad_staggered_mesh *m, int64_t at) { return !(m->open[at] & TRIAD_STAGGERED_SOLID); }

typedef struct search {
  triad_staggered_mesh *m;
  int64_t *set;                  /* of places in memory */
  triad_real *part;              /* number of a cell's part on its rank: it travels as a field, up to 2^24 parts */
  int64_t parts, before, all;    /* on this rank, on those before, on all */
  int64_t *pairs, n_pairs, room; /* parts that are one, by their numbers on all ranks */
} search;

static void join_own(search *s)
{
  const triad_partition *b = &s->m->blocks;
  for (int64_t i = 0; i < b->volume; i++) s->set[i] = i;
  for (int64_t z = 0; z < b->local[2]; z++)
    for (int64_t y = 0; y < b->local[1]; y++)
      for (int64_t x = 0; x < b->local[0]; x++) {
        const int64_t c[3] = {x, y, z}, at = triad_partition_at(b, x, y, z);
        for (int i = 0; i < 3; i++)
          if (c[i] > 0 && s->m->open[at] & TRIAD_STAGGERED_LOWER(i)) join_regions(s->set, at, at - b->stride[i]);
      }
}

/* Parts are numbered as their first cells come; a first cell is the first of its set in memory. */
static void number_own(search *s)
{
  const triad_partition *b = &s->m->blocks;
  for (int64_t z = 0; z < b->local[2]; z++)
    for (int64_t y = 0; y < b->local[1]; y++)
      for (int64_t x = 0; x < b->local[0]; x++) {
        int64_t at = triad_partition_at(b, x, y, z), first = first_of(s->set, at);
        if (!is_fluid(s->m, at)) continue;
        s->part[at] = first == at ? (triad_real)s->parts++ : s->part[first];
      }
}

/* ---- across ranks ---- */

static int add_pair(search *s, int64_t i, int64_t j)
{
  if (s->n_pairs > 0 && s->pairs[2 * s->n_pairs - 2] == i && s->pairs[2 * s->n_pairs - 1] == j) return TRIAD_OK;
  if (s->n_pairs == s->room) {
    int64_t room = 2 * s->room + 64, *grown = realloc(s->pairs, (size_t)room * 2 * sizeof *grown);
    if (!grown) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%lld regions of fluid", (long long)room);
    s->pairs = grown;
    s->room = room;
  }
  s->pairs[2 * s->n_pairs] = i;
  s->pairs[2 * s->n_pairs++ + 1] = j;
  return TRIAD_OK;
}

/* Parts here and beyond the lower side of the block along an axis; the one below has its upper side in this. */
static int pairs_below(search *s, int axis, const int64_t *begin)
{
  const triad_partition *b = &s->m->blocks;
  int a1 = axis == 0 ? 1 : 0, a2 = axis == 2 ? 1 : 2, below = b->neighbour[axis][0];
  if (below == TRIAD_NO_NEIGHBOUR || b->n[axis] == 1) return TRIAD_OK;
  for (int64_t j = 0; j < b->local[a2]; j++)
    for (int64_t i = 0; i < b->local[a1]; i++) {
      int64_t at = b->origin + i * b->stride[a1] + j * b->stride[a2];
      if (s->m->open[at] & TRIAD_STAGGERED_LOWER(axis))
        TRIAD_TRY(add_pair(s, s->before + (int64_t)s->part[at], begin[below] + (int64_t)s->part[at - b->stride[axis]]));
    }
  return TRIAD_OK;
}

/* begin[size + 1]: number of the first part of each rank. */
static int collect_regions(search *s, int64_t *begin)
{
  const triad_comm *comm = &s->m->context->comm;
  TRIAD_TRY(TRIAD_MPI(MPI_Allgather(&s->parts, 1, MPI_INT64_T, begin + 1, 1, MPI_INT64_T, comm->mpi)));
  begin[0] = 0;
  for (int r = 0; r < comm->size; r++) begin[r + 1] += begin[r];
  s->before = begin[comm->rank];
  s->all = begin[comm->size];
  triad_staggered_fill_cells(s->m, s->part);
  int st = TRIAD_OK;
  for (int axis = 0; axis < 3 && st == TRIAD_OK; axis++) st = pairs_below(s, axis, begin);
  return triad_agree(comm, st);
}

/* root[all]: to the first of the parts that are one region with each. */
static int join_all(search *s, int64_t *root)
{
  const triad_comm *comm = &s->m->context->comm;
  for (int64_t i = 0; i < s->all; i++) root[i] = i;
  for (int r = 0; r < comm->size; r++) {
    int64_t n = s->n_pairs, *theirs = s->pairs;
    int count = 0, st = TRIAD_OK;
    TRIAD_TRY(TRIAD_MPI(MPI_Bcast(&n, 1, MPI_INT64_T, r, comm->mpi)));
    if (n == 0) continue;
    if (r != comm->rank) theirs = malloc((size_t)n * 2 * sizeof *theirs);
    st = theirs ? triad_narrow(2 * n, &count) : TRIAD_FAIL(TRIAD_ERR_MEMORY, "%lld regions of fluid", (long long)n);
    st = triad_agree(comm, st);
    if (st == TRIAD_OK) st = TRIAD_MPI(MPI_Bcast(theirs, count, MPI_INT64_T, r, comm->mpi));
    for (int64_t i = 0; st == TRIAD_OK && i < n; i++) join_regions(root, theirs[2 * i], theirs[2 * i + 1]);
    if (r != comm->rank) free(theirs);
    TRIAD_TRY(st);
  }
  return TRIAD_OK;
}

/* Number regions in the order of their first parts; if there is more than one, store the region of each own cell. */
static int number_all(search *s, int64_t *root)
{
  triad_staggered_mesh *m = s->m;
  const triad_partition *b = &m->blocks;
  int64_t *number = malloc(((size_t)s->all + 1) * sizeof *number);
  if (!number) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%lld regions of fluid", (long long)s->all);
  m->regions = 0;
  for (int64_t i = 0; i < s->all; i++) number[i] = first_of(root, i) == i ? m->regions++ : number[first_of(root, i)];
  int st = m->regions > 1 ? TRIAD_ALLOC(m->context->memory, "regions of fluid", b->volume, &m->region) : TRIAD_OK;
  for (int64_t z = 0; m->region && z < b->local[2]; z++)
    for (int64_t y = 0; y < b->local[1]; y++)
      for (int64_t at = triad_partition_at(b, 0, y, z); at < triad_partition_at(b, b->local[0], y, z); at++)
        if (is_fluid(m, at)) m->region[at] = (int32_t)number[s->before + (int64_t)s->part[at]];
  free(number);
  return st;
}

static int find_regions(search *s, int64_t *begin)
{
  const triad_comm *comm = &s->m->context->comm;
  TRIAD_TRY(collect_regions(s, begin));
  int64_t *root = malloc(((size_t)s->all + 1) * sizeof *root);
  int st = triad_agree(comm, root ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "regions of fluid"));
  if (st == TRIAD_OK) st = join_all(s, root);
  if (st == TRIAD_OK) st = triad_agree(comm, number_all(s, root));
  free(root);
  return st;
}

int triad_staggered_regions_find(triad_staggered_mesh *m)
{
  const triad_comm *comm = &m->context->comm;
  triad_memory *memory = m->context->memory;
  search s = {.m = m};
  int64_t *begin = calloc((size_t)comm->size + 1, sizeof *begin);
  TRIAD_FREE(memory, &m->region);
  m->regions = 1;
  int st = begin ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "regions of fluid");
  if (st == TRIAD_OK && m->solids) st = TRIAD_ALLOC(memory, "regions of fluid", m->blocks.volume, &s.set);
  if (st == TRIAD_OK && m->solids) st = TRIAD_ALLOC(memory, "regions of fluid", m->blocks.volume, &s.part);
  st = triad_agree(comm, st);
  if (st == TRIAD_OK && m->solids) {
    join_own(&s);
    number_own(&s);
    st = find_regions(&s, begin);
  }
  TRIAD_FREE(memory, &s.set);
  TRIAD_FREE(memory, &s.part);
  free(s.pairs);
  free(begin);
  return st;
}

/* ---- work by regions ---- */

enum { AT_ONCE = TRIAD_STAGGERED_MAX_RESULTS / 2 };

typedef struct by_region {
  const triad_staggered_mesh *m;
  triad_real *field;
  int64_t first; /* of the regions at hand, AT_ONCE of them */
  double mean[AT_ONCE];
} by_region;

static int64_t region_at(const by_region *w, int64_t at)
{
  int64_t region = w->m->region[at] - w->first;
  return is_fluid(w->m, at) && region >= 0 && region < AT_ONCE ? region : -1;
}

static void sum_row(void *self, int64_t y, int64_t z, double *results)
{
  const by_region *w = self;
  int64_t first = triad_partition_at(&w->m->blocks, 0, y, z);
  for (int64_t at = first; at < first + w->m->blocks.local[0]; at++) {
    int64_t region = region_at(w, at);
    if (region < 0) continue;
    results[2 * region] += (double)w->field[at];
    results[2 * region + 1] += 1;
  }
}

static void level_row(void *self, int64_t y, int64_t z, double *results)
{
  const by_region *w = self;
  int64_t first = triad_partition_at(&w->m->blocks, 0, y, z);
  for (int64_t at = first; at < first + w->m->blocks.local[0]; at++) {
    int64_t region = region_at(w, at);
    if (!is_fluid(w->m, at)) w->field[at] = 0;
    if (region < 0) continue;
    w->field[at] -= (triad_real)w->mean[region];
    results[0] += (double)w->field[at] * (double)w->field[at];
  }
}

int triad_staggered_regions_level(const triad_staggered_mesh *m, triad_real *field, double *squares)
{
  by_region w = {.m = m, .field = field};
  double sums[2 * AT_ONCE], part;
  *squares = 0;
  for (w.first = 0; w.first < m->regions; w.first += AT_ONCE) {
    TRIAD_TRY(triad_staggered_rows(m, sum_row, &w, 2 * AT_ONCE, 0, sums));
    for (int i = 0; i < AT_ONCE; i++) w.mean[i] = sums[2 * i + 1] > 0 ? sums[2 * i] / sums[2 * i + 1] : 0;
    TRIAD_TRY(triad_staggered_rows(m, level_row, &w, 1, 0, &part));
    *squares += part;
  }
  return TRIAD_OK;
}

/* The least and the largest region, from below, that has a cell at an inflow or outflow. */
static void at_boundary(const triad_staggered_mesh *m, int axis, int upper, double most[2])
{
  const triad_partition *b = &m->blocks;
  int a1 = axis == 0 ? 1 : 0, a2 = axis == 2 ? 1 : 2;
  int64_t first = b->origin + (upper ? (b->local[axis] - 1) * b->stride[axis] : 0);
  if (m->setup.side[axis][upper] < TRIAD_STAGGERED_INFLOW || !triad_staggered_ends_at(m, axis, upper)) return;
  for (int64_t j = 0; j < b->local[a2]; j++)
    for (int64_t i = 0; i < b->local[a1]; i++) {
      int64_t at = first + i * b->stride[a1] + j * b->stride[a2];
      if (!is_fluid(m, at)) continue;
      most[0] = fmax(most[0], m->region[at]);
      most[1] = fmax(most[1], (double)(m->regions - m->region[at]));
    }
}

int triad_staggered_regions_check(const triad_staggered_mesh *m)
{
  const triad_comm *comm = &m->context->comm;
  double most[2] = {0, 0}, all[2];
  if (m->regions <= 1) return TRIAD_OK;
  for (int axis = 0; axis < 3; axis++)
    for (int upper = 0; upper < 2; upper++) at_boundary(m, axis, upper, most);
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(most, all, 2, MPI_DOUBLE, MPI_MAX, comm->mpi)));
  if (all[0] + all[1] <= (double)m->regions) return TRIAD_OK;
  return triad_agree(comm, TRIAD_FAIL(TRIAD_ERR_CASE,
                                      "solids divide the fluid into %lld regions, and more than one has an inflow or "
                                      "outflow: open a passage between them",
                                      (long long)m->regions));
}
