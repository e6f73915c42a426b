/* Find the cell, and its rank, that is nearest to each of a list of points. */
#include "solvers/unstructured/measure/places.h"
#include "solvers/unstructured/state/domain_rows.h"

#include "base/status.h"
#include "mesh/nearest.h"

#include <stdlib.h>
#include <string.h>

/* Beyond one of the cell's outer faces, by more than rounding? */
static int is_outside(const triad_unstructured_domain *d, int64_t c, const double at[3])
{
  double centre[3];
  const triad_mesh_zone *zone; /* a cell inside one has no outer face */
  int sides;
  const int64_t first = triad_unstructured_domain_place(d, c, &zone, &sides);
  triad_unstructured_domain_centre(d, c, centre);
  for (int s = 0; s < sides && !zone; s++) {
    const int64_t number = d->side[first + s * TRIAD_UNSTRUCTURED_SLICE] >> 1;
    if (number < d->n_inner || number >= d->n_faces) continue;
    const triad_unstructured_face face = triad_unstructured_domain_face(d, number);
    double beyond = 0, depth = 0;
    for (int a = 0; a < 3; a++) {
      beyond += (at[a] - centre[a] - (double)face.from[0][a]) * (double)face.n[a];
      depth += (double)face.from[0][a] * (double)face.n[a];
    }
    if (beyond > 1e-5 * depth) return 1;
  }
  return 0;
}

/* Own cells in the order of their global numbers, that of two equally near ones the same is taken whatever numbering
 * and partition ran. */
typedef struct own {
  int64_t global;
  int32_t local;
} own;

static int own_order(const void *a, const void *b)
{
  int64_t x = ((const own *)a)->global, y = ((const own *)b)->global;
  return x < y ? -1 : x > y;
}

/* Memory of a search: distance of the nearest own cell of each place, and its global number. */
typedef struct search {
  own *cells;
  double (*centre)[3], *distance2;
  int64_t *global;
} search;

static int find(triad_unstructured_places *p, const triad_unstructured_domain *d, const double (*x)[3], search *s)
{
  triad_mesh_nearest *nearest = NULL;
  for (int64_t c = 0; c < d->n_cells; c++) s->cells[c] = (own){d->global[c], (int32_t)c};
  qsort(s->cells, (size_t)d->n_cells, sizeof *s->cells, own_order);
  for (int64_t c = 0; c < d->n_cells; c++) triad_unstructured_domain_centre(d, s->cells[c].local, s->centre[c]);
  int st = triad_mesh_nearest_create(&nearest, d->context->memory, (const double(*)[3])s->centre, d->n_cells);
  for (int64_t i = 0; i < p->n && st == TRIAD_OK; i++) {
    const own *found = &s->cells[triad_mesh_nearest_find(nearest, x[i], &s->distance2[i])];
    p->cell[i] = found->local;
    s->global[i] = found->global;
  }
  triad_mesh_nearest_destroy(&nearest);
  return st;
}

static int least(const triad_comm *comm, void *list, int64_t n, MPI_Datatype type)
{
  enum { PIECE = 1 << 20 };
  for (int64_t begin = 0; begin < n; begin += PIECE) {
    const int count = (int)(n - begin < PIECE ? n - begin : PIECE);
    TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, (char *)list + begin * 8, count, type, MPI_MIN, comm->mpi)));
  }
  return TRIAD_OK;
}

/* The rank whose cell is nearest keeps a place. */
static int choose_owners(triad_unstructured_places *p, const triad_unstructured_domain *d, const double (*x)[3],
                         search *s, double *mine)
{
  const triad_comm *comm = &d->context->comm;
  int64_t outside = 0;
  memcpy(mine, s->distance2, (size_t)p->n * sizeof *mine);
  TRIAD_TRY(least(comm, s->distance2, p->n, MPI_DOUBLE));
  for (int64_t i = 0; i < p->n; i++)
    if (mine[i] > s->distance2[i]) s->global[i] = INT64_MAX;
  TRIAD_TRY(least(comm, s->global, p->n, MPI_INT64_T));
  for (int64_t i = 0; i < p->n; i++) {
    const int is_mine = d->global[p->cell[i]] == s->global[i], beyond = is_mine && is_outside(d, p->cell[i], x[i]);
    if (!is_mine || beyond) p->cell[i] = -1;
    outside += beyond;
  }
  return TRIAD_MPI(MPI_Allreduce(&outside, &p->outside, 1, MPI_INT64_T, MPI_SUM, comm->mpi));
}

int triad_unstructured_places_find(triad_unstructured_places *p, const triad_unstructured_domain *d,
                                   const double (*x)[3], int64_t n)
{
  triad_memory *memory = d->context->memory;
  search s = {NULL};
  double *mine = NULL;
  *p = (triad_unstructured_places){.n = n};
  int st = TRIAD_ALLOC(memory, "places", n, &p->cell);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(memory, "the search for probe points", d->n_cells, &s.cells);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(memory, "the search for probe points", d->n_cells, &s.centre);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(memory, "the search for probe points", n, &s.distance2);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(memory, "the search for probe points", n, &s.global);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(memory, "the search for probe points", n, &mine);
  if (st == TRIAD_OK) st = find(p, d, x, &s);
  st = triad_agree(&d->context->comm, st);
  if (st == TRIAD_OK) st = choose_owners(p, d, x, &s, mine);
  TRIAD_FREE(memory, &s.cells);
  TRIAD_FREE(memory, &s.centre);
  TRIAD_FREE(memory, &s.distance2);
  TRIAD_FREE(memory, &s.global);
  TRIAD_FREE(memory, &mine);
  return st;
}

void triad_unstructured_places_free(triad_unstructured_places *p, const triad_unstructured_domain *d)
{
  TRIAD_FREE(d->context->memory, &p->cell);
}
