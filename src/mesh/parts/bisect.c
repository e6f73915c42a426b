/* Recursive coordinate bisection of cells that are spread over ranks (bisect.h). */
#include "mesh/parts/bisect.h"

#include <math.h>
#include <string.h>

enum { ROUND_BITS = 6, BINS = 1 << ROUND_BITS, NUMBER_BITS = 36, BY_NUMBER = 3 /* behind the three axes */ };
enum { OPEN, BELOW, ABOVE };

/* Cells that are to become the parts first .. first + n - 1. In the order of an axis those before `edge` lie below,
 * and of those at it as many as cost `rest` and more; 0: all of them. */
typedef struct group {
  int32_t first, n;
  int axis, child;
  int64_t edge, rest, edges[3], rests[3];
} group;

typedef struct bisection {
  const triad_comm *comm;
  const triad_mesh_spot *spot;
  int64_t first, n;
  int32_t *of;      /* [n] the group of each cell      */
  uint8_t *where;   /* [n] OPEN, BELOW or ABOVE        */
  group *is, *next; /* [parts]                         */
  int n_groups, n_next;
  int64_t *bin; /* [parts][BINS]                   */
} bisection;

/* ---- where a plane is ---- */

static int64_t value(const bisection *w, int64_t i, int axis)
{
  return axis == BY_NUMBER ? w->first + i : w->spot[i].at[axis];
}

static int is_open(const bisection *w, int64_t i) { return w->where[i] == OPEN && w->is[w->of[i]].n > 1; }

static int add_up(bisection *w, int of_each)
{
  return TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, w->bin, w->n_groups * of_each, MPI_INT64_T, MPI_SUM, w->comm->mpi));
}

/* Costs of open cells by ROUND_BITS bits of what they are ordered by, which agree with the edge in those above. */
static int fill_bins(bisection *w, int shift)
{
  memset(w->bin, 0, (size_t)w->n_groups * BINS * sizeof *w->bin);
  for (int64_t i = 0; i < w->n; i++) {
    if (!is_open(w, i)) continue;
    const group *g = &w->is[w->of[i]];
    const int64_t bits = value(w, i, g->axis) >> shift;
    if (bits >> ROUND_BITS == g->edge) w->bin[(int64_t)w->of[i] * BINS + (bits & (BINS - 1))] += w->spot[i].cost;
  }
  return add_up(w, BINS);
}

/* For all groups at once the edge in the order of their axis, some bits at a time from the highest on. */
static int find_edges(bisection *w, int bits)
{
  for (int g = 0; g < w->n_groups; g++) w->is[g].edge = 0;
  for (int shift = bits - ROUND_BITS; shift >= 0; shift -= ROUND_BITS) {
    TRIAD_TRY(fill_bins(w, shift));
    for (int g = 0; g < w->n_groups; g++) {
      group *is = &w->is[g];
      const int64_t *bin = w->bin + (int64_t)g * BINS;
      int b = 0;
      for (; b < BINS - 1 && bin[b] < is->rest; b++) is->rest -= bin[b];
      is->edge = is->edge << ROUND_BITS | b;
      if (shift == 0 && is->rest == bin[b]) is->rest = 0;
    }
  }
  return TRIAD_OK;
}

/* Cells before the edge and behind it are settled; of those at it, if `last`, all are below. Is any group without an
 * end? The same on all ranks. */
static int settle_groups(bisection *w, int last)
{
  int any = 0;
  for (int64_t i = 0; i < w->n; i++) {
    if (!is_open(w, i)) continue;
    const group *g = &w->is[w->of[i]];
    const int64_t v = value(w, i, g->axis);
    if (v < g->edge || (v == g->edge && (last || g->rest == 0))) w->where[i] = BELOW;
    else if (v > g->edge) w->where[i] = ABOVE;
  }
  for (int g = 0; g < w->n_groups; g++) any |= w->is[g].rest > 0;
  return any;
}

/* ---- which plane ---- */

/* The cost to place below each plane: the same share of the total cost as of the number of parts. */
static int want(bisection *w)
{
  memset(w->bin, 0, (size_t)w->n_groups * sizeof *w->bin);
  for (int64_t i = 0; i < w->n; i++) w->bin[w->of[i]] += w->spot[i].cost;
  TRIAD_TRY(add_up(w, 1));
  for (int g = 0; g < w->n_groups; g++) {
    group *is = &w->is[g];
    for (int a = 0; a < 3; a++) is->rests[a] = is->n > 1 ? (w->bin[g] * (is->n / 2) + is->n - 1) / is->n : 0;
  }
  return TRIAD_OK;
}

/* Cells that the planes through the last cells below cut, of each group and axis; those that end there too, whatever
 * rounding says. */
static int count_cut(bisection *w)
{
  const double more = 1.001;
  memset(w->bin, 0, 3 * (size_t)w->n_groups * sizeof *w->bin);
  for (int64_t i = 0; i < w->n; i++)
    for (int a = 0; a < 3 && is_open(w, i); a++)
      w->bin[3 * (int64_t)w->of[i] + a] +=
        fabs((double)(w->spot[i].at[a] - w->is[w->of[i]].edges[a])) < more * (double)w->spot[i].half[a];
  return add_up(w, 3);
}

static int choose_planes(bisection *w)
{
  TRIAD_TRY(want(w));
  for (int a = 0; a < 3; a++) {
    for (int g = 0; g < w->n_groups; g++) {
      w->is[g].axis = a;
      w->is[g].rest = w->is[g].rests[a];
    }
    TRIAD_TRY(find_edges(w, TRIAD_MESH_SPOT_BITS));
    for (int g = 0; g < w->n_groups; g++) {
      w->is[g].edges[a] = w->is[g].edge;
      w->is[g].rests[a] = w->is[g].rest;
    }
  }
  TRIAD_TRY(count_cut(w));
  for (int g = 0; g < w->n_groups; g++) {
    group *is = &w->is[g];
    is->axis = 0;
    for (int a = 1; a < 3; a++)
      if (w->bin[3 * g + a] < w->bin[3 * g + is->axis]) is->axis = a;
    is->edge = is->edges[is->axis];
    is->rest = is->rests[is->axis];
  }
  return TRIAD_OK;
}

/* ---- level by level ---- */

/* Split the cells within a plane when only some of them belong below it: by the next coordinates, then by numbers. */
static int part_planes(bisection *w)
{
  int any = settle_groups(w, 0);
  for (int k = 1; k <= BY_NUMBER && any; k++) {
    for (int g = 0; g < w->n_groups; g++) w->is[g].axis = k == BY_NUMBER ? BY_NUMBER : (w->is[g].axis + 1) % 3;
    TRIAD_TRY(find_edges(w, k == BY_NUMBER ? NUMBER_BITS : TRIAD_MESH_SPOT_BITS));
    any = settle_groups(w, k == BY_NUMBER);
  }
  return TRIAD_OK;
}

static void take_halves(bisection *w)
{
  w->n_next = 0;
  for (int g = 0; g < w->n_groups; g++) {
    group *is = &w->is[g];
    const int32_t below = is->n > 1 ? is->n / 2 : is->n;
    is->child = w->n_next;
    w->next[w->n_next++] = (group){.first = is->first, .n = below};
    if (is->n > 1) w->next[w->n_next++] = (group){.first = is->first + below, .n = is->n - below};
  }
  for (int64_t i = 0; i < w->n; i++) w->of[i] = w->is[w->of[i]].child + (w->where[i] == ABOVE);
  memset(w->where, OPEN, (size_t)w->n);
  group *was = w->is;
  w->is = w->next;
  w->next = was;
  w->n_groups = w->n_next;
}

static int bisect(bisection *w, int parts)
{
  memset(w->of, 0, (size_t)w->n * sizeof *w->of);
  w->is[0] = (group){.n = parts};
  w->n_groups = 1;
  while (w->n_groups < parts) {
    TRIAD_TRY(choose_planes(w));
    TRIAD_TRY(part_planes(w));
    take_halves(w);
  }
  for (int64_t i = 0; i < w->n; i++) w->of[i] = w->is[w->of[i]].first;
  return TRIAD_OK;
}

static int allocate_buffers(bisection *w, triad_memory *memory, int parts)
{
  TRIAD_TRY(TRIAD_ALLOC(memory, "the partition of cells", w->n, &w->where));
  TRIAD_TRY(TRIAD_ALLOC(memory, "the partition of cells", parts, &w->is));
  TRIAD_TRY(TRIAD_ALLOC(memory, "the partition of cells", parts, &w->next));
  return TRIAD_ALLOC(memory, "the partition of cells", (int64_t)parts * BINS, &w->bin);
}

int triad_mesh_bisect(const triad_comm *comm, triad_memory *memory, const triad_mesh_spot *spot, int64_t first,
                      int64_t n, int parts, int32_t *part)
{
  bisection w = {.comm = comm, .spot = spot, .first = first, .n = n, .of = part};
  int st = triad_agree(comm, allocate_buffers(&w, memory, parts));
  if (st == TRIAD_OK) st = bisect(&w, parts);
  TRIAD_FREE(memory, &w.where);
  TRIAD_FREE(memory, &w.is);
  TRIAD_FREE(memory, &w.next);
  TRIAD_FREE(memory, &w.bin);
  return st;
}
