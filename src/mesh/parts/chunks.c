/* Chunks of a partitioned mesh in the order of files (chunks.h). Own cells and points of a part rise with their global
 * numbers, so what a rank has of a chunk follows by bisection. */
#include "mesh/parts/chunks.h"
#include "mesh/parts/partition_cells.h"
#include "mesh/parts/partition_internal.h"
#include "mesh/pieces.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* A point, by its number. */
typedef struct point {
  double x[3];
  int64_t number;
} point;

/* Numbers of the things, of which there are `all`, in chunk k of a rank. */
static void range_of(const triad_mesh_chunks *w, int64_t all, int rank, int64_t k, int64_t *begin, int64_t *end)
{
  const int size = w->context->comm.size;
  const int64_t last = triad_mesh_share_begin(all, rank + 1, size), from = triad_mesh_share_begin(all, rank, size);
  *begin = k < (last - from) / w->most + 1 ? from + k * w->most : last;
  *end = last - *begin < w->most ? last : *begin + w->most;
}

/* The first index whose number, of n that rise, is not below `from`. number NULL: each is its own. */
static int64_t first_from(const int32_t *number, int64_t n, int64_t from)
{
  if (!number) return from < n ? from : n;
  int64_t low = 0;
  for (int64_t high = n; low < high;) {
    const int64_t middle = low + (high - low) / 2;
    if (number[middle] < from) low = middle + 1;
    else high = middle;
  }
  return low;
}

/* Indices in the part of the cells that chunk k of a rank may have; own ones are in it. */
static void cells_of(const triad_mesh_chunks *w, int rank, int64_t k, int64_t *from, int64_t *to)
{
  range_of(w, w->part->all_cells, rank, k, from, to);
  *from = first_from(w->part->number, w->part->n_cells, *from);
  *to = first_from(w->part->number, w->part->n_cells, *to);
}

static int is_own(const triad_mesh_chunks *w, int64_t c)
{
  return !w->part->owner || w->part->owner[c] == w->context->comm.rank;
}

/* ---- sizes ---- */

static void add_size(const triad_mesh *m, int64_t c, triad_mesh_file_size *size)
{
  if (m->shape[c] == TRIAD_MESH_POLYHEDRON) {
    triad_mesh_pieces_count(m, c, &size->points, &size->cells, &size->corners);
    return;
  }
  size->cells++;
  size->corners += m->first[c + 1] - m->first[c];
}

static int sum_sizes(triad_mesh_chunks *w)
{
  const int64_t n = w->context->comm.size * w->n;
  int numbers;
  TRIAD_TRY(triad_narrow(3 * n, &numbers));
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, w->begin, numbers, MPI_INT64_T, MPI_SUM, w->context->comm.mpi)));
  for (int64_t i = 0; i < n; i++) {
    const triad_mesh_file_size one = w->begin[i];
    w->begin[i] = w->all;
    w->all.points += one.points;
    w->all.cells += one.cells;
    w->all.corners += one.corners;
  }
  w->cut = w->all.points > 0; /* each polyhedron adds its centre */
  w->all.points += w->part->all_points;
  if (w->all.points <= INT32_MAX) return TRIAD_OK;
  return triad_agree(&w->context->comm, TRIAD_FAIL(TRIAD_ERR_CASE, "a file of fields with %lld points: too large",
                                                   (long long)w->all.points));
}

int triad_mesh_chunks_create(triad_mesh_chunks *w, const triad_context *context, const triad_mesh_partition *partition,
                             const triad_mesh *part, int64_t most)
{
  const int size = context->comm.size;
  const int64_t larger = part->all_cells > part->all_points ? part->all_cells : part->all_points;
  *w = (triad_mesh_chunks){
    .context = context, .partition = partition, .part = part, .most = most, .n = larger / size / most + 1};
  int st = TRIAD_ALLOC(context->memory, "output", size * w->n, &w->begin);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(context->memory, "output", 2 * (int64_t)size, &w->count);
  TRIAD_TRY(triad_agree(&context->comm, st));
  for (int r = 0; r < size; r++)
    for (int64_t k = 0; k < w->n; k++) {
      int64_t from, to;
      cells_of(w, r, k, &from, &to);
      for (int64_t c = from; c < to; c++)
        if (is_own(w, c)) add_size(part, c, &w->begin[r * w->n + k]);
    }
  return sum_sizes(w);
}

void triad_mesh_chunks_free(triad_mesh_chunks *w)
{
  if (!w->context) return;
  TRIAD_FREE(w->context->memory, &w->begin);
  TRIAD_FREE(w->context->memory, &w->count);
}

/* ---- what goes to each rank ---- */

/* Put what of this rank's own cell c goes into a chunk at `out`, NULL: only count; returns the number of items. */
typedef int64_t put_cell(const triad_mesh_chunks *w, int64_t c, void *out);

typedef struct sending {
  put_cell *put;
  int64_t bytes; /* of an item */
  void *items;
} sending;

static int64_t put_packed(const triad_mesh_chunks *w, int64_t c, void *out)
{
  const triad_mesh *m = w->part;
  if (!out) return triad_mesh_packed_size(m, c);
  return triad_mesh_pack_cell(m, c, (int32_t)triad_mesh_number(m, c), out);
}

static int64_t put_points(const triad_mesh_chunks *w, int64_t c, void *out)
{
  const triad_mesh *m = w->part;
  const int64_t n = m->first[c + 1] - m->first[c];
  for (int64_t i = 0; out && i < n; i++) {
    const int32_t p = m->corner[m->first[c] + i];
    point *to = (point *)out + i;
    memcpy(to->x, m->x[p], sizeof to->x);
    to->number = triad_mesh_point_number(m, p);
  }
  return n;
}

/* List the items of own cells for chunk k of every rank, counted in w->count. */
static int list_items(const triad_mesh_chunks *w, int64_t k, sending *s, int64_t *n)
{
  const int size = w->context->comm.size;
  for (int pass = 0; pass < 2; pass++) {
    *n = 0;
    for (int r = 0; r < size; r++) {
      int64_t from, to;
      const int64_t before = *n;
      cells_of(w, r, k, &from, &to);
      for (int64_t c = from; c < to; c++)
        if (is_own(w, c)) *n += s->put(w, c, pass ? (char *)s->items + *n * s->bytes : NULL);
      w->count[r] = *n - before;
    }
    if (!pass) TRIAD_TRY(triad_memory_alloc(w->context->memory, "output", *n, (size_t)s->bytes, &s->items));
  }
  return TRIAD_OK;
}

/* Exchange items[w->count], which are freed. */
static int exchange(const triad_mesh_chunks *w, sending *s, int status, triad_mesh_delivery *d)
{
  *d = (triad_mesh_delivery){
    .items = s->items, .bytes = s->bytes, .count = w->count, .got = w->count + w->context->comm.size};
  const int st = triad_mesh_exchange_items(w->context, d, status);
  triad_memory_free(w->context->memory, &s->items);
  return st;
}

/* ---- cells ---- */

/* Offsets of each cell in the lists of the chunk; side and loop NULL: it has no polyhedra. */
static int place_cells(const triad_mesh_chunks *w, const triad_mesh_delivery *d, triad_mesh_chunk *k, int64_t **loops)
{
  const int32_t *got = d->received;
  triad_memory *memory = w->context->memory;
  int64_t corners = 0, sides = 0, points = 0;
  triad_mesh_packed p;
  for (int64_t at = 0; at < d->n; at += p.size) {
    triad_mesh_packed_read(got + at, &p);
    corners += p.corners;
    sides += p.sides;
    points += p.points;
  }
  TRIAD_TRY(triad_mesh_create(&k->mesh, memory, 0, k->n, corners));
  if (sides > 0) TRIAD_TRY(triad_mesh_alloc_sides(k->mesh, sides, points));
  if (sides > 0) TRIAD_TRY(TRIAD_ALLOC(memory, "output", k->n + 1, loops));
  for (int64_t at = 0; at < d->n; at += p.size) {
    triad_mesh_packed_read(got + at, &p);
    const int64_t i = p.number - k->first + 1;
    k->mesh->first[i] = p.corners;
    if (sides > 0) k->mesh->first_side[i] = p.sides;
    if (sides > 0) (*loops)[i] = p.points;
  }
  for (int64_t i = 0; i < k->n; i++) {
    k->mesh->first[i + 1] += k->mesh->first[i];
    if (sides > 0) k->mesh->first_side[i + 1] += k->mesh->first_side[i];
    if (sides > 0) (*loops)[i + 1] += (*loops)[i];
  }
  return TRIAD_OK;
}

static int unpack(const triad_mesh_chunks *w, const triad_mesh_delivery *d, triad_mesh_chunk *k)
{
  int64_t *loops = NULL;
  const int32_t *got = d->received;
  int st = place_cells(w, d, k, &loops);
  for (int64_t at = 0; st == TRIAD_OK && at < d->n;) {
    triad_mesh_packed p;
    triad_mesh_packed_read(got + at, &p);
    const int64_t i = p.number - k->first;
    triad_mesh_packed_put(&p, k->mesh, i, k->mesh->first[i], loops ? k->mesh->first_side[i] : 0, loops ? loops[i] : 0);
    at += p.size;
  }
  TRIAD_FREE(w->context->memory, &loops);
  return st;
}

/* ---- polyhedra ---- */

static int by_number(const void *a, const void *b)
{
  const int64_t x = ((const point *)a)->number, y = ((const point *)b)->number;
  return (x > y) - (x < y);
}

/* The index of a number that is in the list. */
static int32_t index_of(const point *list, int64_t n, int64_t number)
{
  int64_t low = 0;
  for (int64_t high = n; low < high;) {
    const int64_t middle = low + (high - low) / 2;
    if (list[middle].number < number) low = middle + 1;
    else high = middle;
  }
  return (int32_t)low;
}

/* Cut the cells of a chunk, with points of their own, and number the corners as the file does. */
static int cut(const triad_mesh_chunks *w, triad_mesh_chunk *k, point *list, int64_t n)
{
  triad_mesh *m = k->mesh, *pieces = NULL;
  const int64_t loops = triad_mesh_loop_points(m);
  m->n_points = 0;
  if (n > 0) qsort(list, (size_t)n, sizeof *list, by_number);
  for (int64_t i = 0; i < n; i++)
    if (i == 0 || list[i].number != list[m->n_points - 1].number) list[m->n_points++] = list[i];
  TRIAD_FREE(m->memory, &m->x);
  TRIAD_TRY(TRIAD_ALLOC(m->memory, "output", m->n_points, &m->x));
  for (int64_t p = 0; p < m->n_points; p++) memcpy(m->x[p], list[p].x, sizeof *m->x);
  for (int64_t i = 0; i < m->first[m->n_cells]; i++) m->corner[i] = index_of(list, m->n_points, m->corner[i]);
  for (int64_t i = 0; i < loops; i++) m->loop[i] = index_of(list, m->n_points, m->loop[i]);
  const int st = triad_mesh_pieces(&pieces, &k->cell, m);
  for (int64_t i = 0; st == TRIAD_OK && i < pieces->first[pieces->n_cells]; i++) {
    const int64_t p = pieces->corner[i];
    pieces->corner[i] =
      (int32_t)(p < m->n_points ? list[p].number : w->part->all_points + k->begin.points + p - m->n_points);
  }
  if (st == TRIAD_OK) {
    k->added = (const double(*)[3])(pieces->x + m->n_points);
    k->n_added = pieces->n_points - m->n_points;
  }
  k->mesh = pieces;
  triad_mesh_destroy(&m);
  return st;
}

static int cut_chunk(const triad_mesh_chunks *w, int64_t k, int status, triad_mesh_chunk *chunk)
{
  sending s = {.put = put_points, .bytes = sizeof(point)};
  triad_mesh_delivery d;
  int64_t n;
  int st = status == TRIAD_OK ? list_items(w, k, &s, &n) : status;
  st = exchange(w, &s, st, &d);
  if (st == TRIAD_OK) st = cut(w, chunk, d.received, d.n);
  triad_memory_free(w->context->memory, &d.received);
  return st;
}

int triad_mesh_chunk_cells(const triad_mesh_chunks *w, int64_t k, int status, triad_mesh_chunk *chunk)
{
  const int rank = w->context->comm.rank;
  sending s = {.put = put_packed, .bytes = sizeof(int32_t)};
  triad_mesh_delivery d;
  int64_t n = 0, end;
  *chunk = (triad_mesh_chunk){.begin = w->begin[rank * w->n + k]};
  range_of(w, w->part->all_cells, rank, k, &chunk->first, &end);
  chunk->n = end - chunk->first;
  int st = status == TRIAD_OK ? list_items(w, k, &s, &n) : status;
  if (st == TRIAD_OK && w->part->point_number) triad_mesh_packed_renumber(s.items, n, w->part->point_number);
  st = exchange(w, &s, st, &d);
  if (st == TRIAD_OK) st = unpack(w, &d, chunk);
  triad_memory_free(w->context->memory, &d.received);
  return w->cut ? cut_chunk(w, k, st, chunk) : st;
}

void triad_mesh_chunk_free(triad_mesh_chunk *chunk)
{
  if (!chunk->mesh) return;
  TRIAD_FREE(chunk->mesh->memory, &chunk->cell);
  triad_mesh_destroy(&chunk->mesh);
}

/* ---- points ---- */

static int list_points(const triad_mesh_chunks *w, int64_t k, point **list)
{
  const triad_mesh *m = w->part;
  const int64_t loose = w->partition ? w->partition->n_loose : 0;
  for (int pass = 0; pass < 2; pass++) {
    int64_t n = 0;
    for (int r = 0; r < w->context->comm.size; r++) {
      int64_t begin, end;
      const int64_t before = n;
      range_of(w, m->all_points, r, k, &begin, &end);
      const int64_t to = first_from(m->point_number, m->n_points, end);
      for (int64_t p = first_from(m->point_number, m->n_points, begin); p < to; p++, n++) {
        if (!pass) continue;
        memcpy((*list)[n].x, m->x[p], sizeof *m->x);
        (*list)[n].number = triad_mesh_point_number(m, p);
      }
      const int64_t until = loose > 0 ? first_from(w->partition->loose, loose, end) : 0;
      for (int64_t p = loose > 0 ? first_from(w->partition->loose, loose, begin) : 0; p < until; p++, n++) {
        if (!pass) continue;
        memcpy((*list)[n].x, w->partition->loose_x[p], sizeof *m->x);
        (*list)[n].number = w->partition->loose[p];
      }
      w->count[r] = n - before;
    }
    if (!pass) TRIAD_TRY(TRIAD_ALLOC(w->context->memory, "output", n, list));
  }
  return TRIAD_OK;
}

int triad_mesh_chunk_points(const triad_mesh_chunks *w, int64_t k, int status, int64_t *first, int64_t *n,
                            double (**x)[3])
{
  sending s = {.bytes = sizeof(point)};
  triad_mesh_delivery d;
  point *list = NULL;
  int64_t end;
  *x = NULL;
  range_of(w, w->part->all_points, w->context->comm.rank, k, first, &end);
  *n = end - *first;
  int st = status == TRIAD_OK ? list_points(w, k, &list) : status;
  if (st == TRIAD_OK) st = TRIAD_ALLOC(w->context->memory, "output", *n, x);
  s.items = list;
  st = exchange(w, &s, st, &d);
  const point *got = d.received;
  for (int64_t i = 0; st == TRIAD_OK && i < d.n; i++) memcpy((*x)[got[i].number - *first], got[i].x, sizeof got[i].x);
  triad_memory_free(w->context->memory, &d.received);
  return st;
}

/* ---- values ---- */

static int list_values(const triad_mesh_chunks *w, int64_t k, int n, triad_mesh_get_values *get, void *who,
                       double **list)
{
  for (int pass = 0; pass < 2; pass++) {
    int64_t items = 0;
    for (int r = 0; r < w->context->comm.size; r++) {
      int64_t from, to;
      const int64_t before = items;
      cells_of(w, r, k, &from, &to);
      for (int64_t c = from; c < to; c++) {
        if (!is_own(w, c)) continue;
        double *item = pass ? *list + (1 + (int64_t)n) * items : NULL;
        if (item) item[0] = (double)triad_mesh_number(w->part, c);
        if (item) get(who, c, item + 1);
        items++;
      }
      w->count[r] = items - before;
    }
    if (!pass) TRIAD_TRY(TRIAD_ALLOC(w->context->memory, "output", (1 + (int64_t)n) * items, list));
  }
  return TRIAD_OK;
}

int triad_mesh_chunk_values(const triad_mesh_chunks *w, int64_t k, int status, int n, triad_mesh_get_values *get,
                            void *who, double **values)
{
  sending s = {.bytes = (1 + (int64_t)n) * (int64_t)sizeof(double)};
  triad_mesh_delivery d;
  double *list = NULL;
  int64_t begin, end;
  *values = NULL;
  range_of(w, w->part->all_cells, w->context->comm.rank, k, &begin, &end);
  int st = status == TRIAD_OK ? list_values(w, k, n, get, who, &list) : status;
  if (st == TRIAD_OK) st = TRIAD_ALLOC(w->context->memory, "output", n * (end - begin), values);
  s.items = list;
  st = exchange(w, &s, st, &d);
  for (int64_t i = 0; st == TRIAD_OK && i < d.n; i++) {
    const double *item = (const double *)d.received + (1 + (int64_t)n) * i;
    for (int f = 0; f < n; f++) (*values)[f * (end - begin) + (int64_t)item[0] - begin] = item[1 + f];
  }
  triad_memory_free(w->context->memory, &d.received);
  return st;
}
