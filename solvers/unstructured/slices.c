#include "solvers/unstructured/slices.h"

#include "solvers/unstructured/partition_own.h"

#include <string.h>

enum { PIECE = 1 << 28 /* bytes of a message */ };

/* Rising in both, without products that overflow. */
int triad_fct_share_of(int64_t n, int64_t thing, int size)
{
  int rank = (int)((double)thing / (double)n * size);
  while (rank > 0 && triad_fct_share_first(n, rank, size) > thing) rank--;
  while (rank < size - 1 && triad_fct_share_first(n, rank + 1, size) <= thing) rank++;
  return rank;
}

/* ---- of a file ---- */

static int send(const triad_comm *comm, const void *data, int64_t bytes, int rank)
{
  for (int64_t at = 0; at < bytes; at += PIECE) {
    const int64_t piece = bytes - at < PIECE ? bytes - at : PIECE;
    TRIAD_TRY(TRIAD_MPI(MPI_Send((const char *)data + at, (int)piece, MPI_BYTE, rank, 0, comm->mpi)));
  }
  return TRIAD_OK;
}

static int receive(const triad_comm *comm, void *data, int64_t bytes)
{
  for (int64_t at = 0; at < bytes; at += PIECE) {
    const int64_t piece = bytes - at < PIECE ? bytes - at : PIECE;
    TRIAD_TRY(TRIAD_MPI(MPI_Recv((char *)data + at, (int)piece, MPI_BYTE, 0, 0, comm->mpi, MPI_STATUS_IGNORE)));
  }
  return TRIAD_OK;
}

/* Bytes that lie in rank 0's array from `begin`, come to the rank they are for. */
static int hand(const triad_comm *comm, int to, const void *from, void *out, int64_t bytes)
{
  if (to == 0 && comm->rank == 0) memcpy(out, from, (size_t)bytes);
  if (to != 0 && comm->rank == 0) return send(comm, from, bytes, to);
  return to != 0 && comm->rank == to ? receive(comm, out, bytes) : TRIAD_OK;
}

/* Corners that come before cells 0 .. of each rank's share, and all. */
static void count_corners(const triad_fct_contents *c, int size, int64_t *before)
{
  int64_t sum = 0;
  for (int64_t cell = 0, rank = 0; cell <= c->n.cells; cell++) {
    while (rank <= size && triad_fct_share_first(c->n.cells, (int)rank, size) == cell) before[rank++] = sum;
    if (cell < c->n.cells) sum += triad_fct_shapes[c->shape[cell]].corners;
  }
}

static int take_share(triad_fct_mesh_slices *s, int64_t corners)
{
  const triad_comm *comm = &s->context->comm;
  const int64_t end = triad_fct_share_first(s->n_cells, comm->rank + 1, comm->size);
  const int64_t points = triad_fct_share_first(s->n_points, comm->rank + 1, comm->size) -
                         triad_fct_share_first(s->n_points, comm->rank, comm->size);
  s->first = triad_fct_share_first(s->n_cells, comm->rank, comm->size);
  TRIAD_TRY(triad_fct_mesh_create(&s->cells, s->context->memory, 0, end - s->first, corners));
  return TRIAD_ALLOC(s->context->memory, "mesh being cut", points, &s->x);
}

static int deal_out(triad_fct_mesh_slices *s, const triad_fct_contents *c, const int64_t *before)
{
  const triad_comm *comm = &s->context->comm;
  for (int r = 0; r < comm->size; r++) {
    const int64_t cell = triad_fct_share_first(s->n_cells, r, comm->size), cells = triad_fct_share_first(s->n_cells, r + 1, comm->size) - cell;
    const int64_t point = triad_fct_share_first(s->n_points, r, comm->size),
                  points = triad_fct_share_first(s->n_points, r + 1, comm->size) - point, corners = before[r + 1] - before[r];
    const int root = comm->rank == 0;
    TRIAD_TRY(hand(comm, r, root ? c->shape + cell : NULL, s->cells->shape, cells));
    TRIAD_TRY(hand(comm, r, root ? c->corner + before[r] : NULL, s->cells->corner, corners * (int64_t)sizeof *c->corner));
    TRIAD_TRY(hand(comm, r, root ? c->x + point : NULL, s->x, points * (int64_t)sizeof *c->x));
  }
  triad_fct_mesh *m = s->cells;
  for (int64_t i = 0; i < m->n_cells; i++) m->first[i + 1] = m->first[i] + triad_fct_shapes[m->shape[i]].corners;
  return TRIAD_OK;
}

/* What rank 0 keeps of the file for the patches. */
static int keep_sides(triad_fct_mesh_slices *s, const triad_fct_contents *c)
{
  memcpy(s->name, c->name, (size_t)c->n.patches * sizeof *s->name);
  TRIAD_TRY(TRIAD_ALLOC(s->context->memory, "mesh being cut", c->n.sides + c->n.faces, &s->side));
  if (c->n.sides > 0) memcpy(s->side, c->side, (size_t)c->n.sides * sizeof *s->side);
  triad_fct_file_face_sides(c, s->side, &s->n_sides);
  return TRIAD_OK;
}

/* ---- of a file with polyhedra: rank 0 makes the cells of their faces, and packs each rank's ---- */

static int pack_share(const triad_fct_mesh *all, int64_t begin, int64_t end, int32_t **items, int64_t *n)
{
  *n = 0;
  for (int64_t c = begin; c < end; c++) *n += triad_fct_packed_size(all, c);
  TRIAD_TRY(TRIAD_ALLOC(all->memory, "mesh being cut", *n, items));
  int64_t at = 0;
  for (int64_t c = begin; c < end; c++) at += triad_fct_pack_cell(all, c, (int32_t)c, *items + at);
  return TRIAD_OK;
}

/* The cells of rank r; all: on rank 0. */
static int hand_cells(triad_fct_mesh_slices *s, const triad_fct_mesh *all, int r, int64_t *cells)
{
  const triad_comm *comm = &s->context->comm;
  int32_t *items = NULL, *received = NULL;
  int64_t n = 0;
  int st = TRIAD_OK;
  if (comm->rank == 0) st = pack_share(all, triad_fct_share_first(s->n_cells, r, comm->size), triad_fct_share_first(s->n_cells, r + 1, comm->size), &items, &n);
  st = triad_agree(comm, st);
  if (st == TRIAD_OK) st = TRIAD_MPI(MPI_Bcast(&n, 1, MPI_INT64_T, 0, comm->mpi));
  if (st == TRIAD_OK) st = triad_agree(comm, comm->rank == r ? TRIAD_ALLOC(s->context->memory, "mesh being cut", n, &received) : TRIAD_OK);
  if (st == TRIAD_OK) st = hand(comm, r, items, received, n * (int64_t)sizeof *items);
  if (st == TRIAD_OK && comm->rank == r) {
    memset(cells, 0, 2 * (size_t)comm->size * sizeof *cells);
    cells[comm->size] = n;
    const triad_fct_delivery d = {.received = received, .got = cells + comm->size};
    st = triad_fct_unpack_cells(&s->cells, s->context, &d, cells);
  }
  TRIAD_FREE(s->context->memory, &items);
  TRIAD_FREE(s->context->memory, &received);
  return triad_agree(comm, st);
}

static int deal_polyhedra(triad_fct_mesh_slices *s, const triad_fct_contents *c)
{
  const triad_comm *comm = &s->context->comm;
  triad_memory *memory = s->context->memory;
  triad_fct_mesh *all = NULL;
  int64_t *cells = NULL;
  const int64_t mine = triad_fct_share_first(s->n_points, comm->rank, comm->size);
  s->first = triad_fct_share_first(s->n_cells, comm->rank, comm->size);
  int st = TRIAD_ALLOC(memory, "mesh being cut", 2 * (int64_t)comm->size, &cells);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(memory, "mesh being cut", triad_fct_share_first(s->n_points, comm->rank + 1, comm->size) - mine, &s->x);
  if (st == TRIAD_OK && comm->rank == 0) st = triad_fct_file_cells(&all, memory, c);
  st = triad_agree(comm, st);
  for (int r = 0; r < comm->size && st == TRIAD_OK; r++) {
    const int64_t point = triad_fct_share_first(s->n_points, r, comm->size), points = triad_fct_share_first(s->n_points, r + 1, comm->size) - point;
    st = hand_cells(s, all, r, cells);
    if (st == TRIAD_OK) st = hand(comm, r, comm->rank == 0 ? c->x + point : NULL, s->x, points * (int64_t)sizeof *c->x);
  }
  triad_fct_mesh_destroy(&all);
  TRIAD_FREE(memory, &cells);
  return st;
}

/* ---- of either file ---- */

static int deal_shapes(triad_fct_mesh_slices *s, const triad_fct_contents *c, int64_t *before)
{
  const triad_comm *comm = &s->context->comm;
  if (comm->rank == 0) count_corners(c, comm->size, before);
  TRIAD_TRY(TRIAD_MPI(MPI_Bcast(before, comm->size + 1, MPI_INT64_T, 0, comm->mpi)));
  TRIAD_TRY(triad_agree(comm, take_share(s, before[comm->rank + 1] - before[comm->rank])));
  return deal_out(s, c, before);
}

static int deal_file(triad_fct_mesh_slices *s, triad_fct_contents *c, int64_t *before)
{
  const triad_comm *comm = &s->context->comm;
  TRIAD_TRY(TRIAD_MPI(MPI_Bcast(&c->n, (int)sizeof c->n, MPI_BYTE, 0, comm->mpi)));
  s->n_cells = c->n.cells;
  s->n_points = c->n.points;
  s->curved = c->n.curved;
  s->n_patches = c->n.patches;
  s->n_sides = c->n.sides;
  TRIAD_TRY(triad_agree(comm, comm->rank == 0 ? keep_sides(s, c) : TRIAD_OK));
  TRIAD_TRY(TRIAD_MPI(MPI_Bcast(&s->n_sides, 1, MPI_INT64_T, 0, comm->mpi)));
  TRIAD_TRY(c->n.faces > 0 ? deal_polyhedra(s, c) : deal_shapes(s, c, before));
  return TRIAD_MPI(MPI_Bcast(s->name, (int)sizeof s->name, MPI_CHAR, 0, comm->mpi));
}

static int slice_file(triad_fct_mesh_slices *s)
{
  const triad_comm *comm = &s->context->comm;
  triad_memory *memory = s->context->memory;
  triad_fct_contents c = {.n = {0}};
  void *block = NULL;
  int64_t *before = NULL;
  int st = TRIAD_ALLOC(memory, "mesh being cut", comm->size + 1, &before);
  if (st == TRIAD_OK && comm->rank == 0) st = triad_fct_file_load(&c, &block, memory, s->path);
  st = triad_agree(comm, st);
  if (st == TRIAD_OK) st = deal_file(s, &c, before);
  triad_memory_free(memory, &block);
  TRIAD_FREE(memory, &before);
  return st;
}

/* ---- of either ---- */

static int slice_made(triad_fct_mesh_slices *s)
{
  int64_t corners;
  s->lattice = triad_fct_generate_lattice(s->made);
  triad_fct_generate_count(s->made, &s->n_points, &s->n_cells, &corners);
  int st = s->n_points > INT32_MAX || s->n_cells > INT32_MAX / 4
               ? TRIAD_FAIL(TRIAD_ERR_CASE, "a mesh of %lld points and %lld cells: too large", (long long)s->n_points, (long long)s->n_cells)
               : triad_fct_generate_slice(&s->cells, s->context->memory, s->made, s->context->comm.rank, s->context->comm.size,
                                          &s->first);
  return triad_agree(&s->context->comm, st);
}

int triad_fct_slices_create(triad_fct_mesh_slices *s, const triad_context *context, const triad_fct_setup *setup)
{
  *s = (triad_fct_mesh_slices){.context = context, .path = setup->file, .made = setup->file[0] ? NULL : &setup->mesh};
  return s->made ? slice_made(s) : slice_file(s);
}

void triad_fct_slices_drop_cells(triad_fct_mesh_slices *s) { triad_fct_mesh_destroy(&s->cells); }

void triad_fct_slices_free(triad_fct_mesh_slices *s)
{
  if (!s->context) return;
  triad_fct_slices_drop_cells(s);
  TRIAD_FREE(s->context->memory, &s->x);
  TRIAD_FREE(s->context->memory, &s->side);
}

/* ---- points ---- */

/* Those of a file are asked for where they are, and come back in the order in which they were asked for. */
static int fetch(const triad_fct_mesh_slices *s, const int32_t *number, int64_t n, int64_t *count, double (*x)[3])
{
  const triad_comm *comm = &s->context->comm;
  triad_memory *memory = s->context->memory;
  triad_fct_delivery asked = {.items = number, .bytes = sizeof *number, .count = count, .got = count + comm->size};
  triad_fct_delivery back = {.bytes = sizeof *x, .count = count + comm->size, .got = count + 2 * (int64_t)comm->size};
  const int64_t mine = triad_fct_share_first(s->n_points, comm->rank, comm->size);
  double(*found)[3] = NULL;
  for (int64_t i = 0; i < n; i++) count[triad_fct_share_of(s->n_points, number[i], comm->size)]++;
  TRIAD_TRY(triad_fct_deliver(s->context, &asked, TRIAD_OK));
  int st = TRIAD_ALLOC(memory, "mesh being cut", asked.n, &found);
  for (int64_t i = 0; i < asked.n && st == TRIAD_OK; i++)
    memcpy(found[i], s->x[((const int32_t *)asked.received)[i] - mine], sizeof *found);
  triad_memory_free(memory, &asked.received);
  back.items = found;
  st = triad_fct_deliver(s->context, &back, st);
  if (st == TRIAD_OK && n > 0) memcpy(x, back.received, (size_t)n * sizeof *x);
  triad_memory_free(memory, &back.received);
  TRIAD_FREE(memory, &found);
  return st;
}

int triad_fct_slices_points(const triad_fct_mesh_slices *s, const int32_t *number, int64_t n, double (*x)[3])
{
  int64_t *count = NULL;
  if (s->made) {
    for (int64_t i = 0; i < n; i++) triad_fct_generate_point(&s->lattice, number[i], x[i]);
    return TRIAD_OK;
  }
  int st = triad_agree(&s->context->comm, TRIAD_ALLOC(s->context->memory, "mesh being cut", 3 * (int64_t)s->context->comm.size, &count));
  if (st == TRIAD_OK) st = fetch(s, number, n, count, x);
  TRIAD_FREE(s->context->memory, &count);
  return st;
}

/* ---- the checksum: from rank to rank, all cells and then all points ---- */

static int from_last(const triad_comm *comm, uint64_t *sum, int whom)
{
  return whom < 0 ? TRIAD_OK : TRIAD_MPI(MPI_Recv(sum, 1, MPI_UINT64_T, whom, 1, comm->mpi, MPI_STATUS_IGNORE));
}

static int to_next(const triad_comm *comm, uint64_t sum, int whom)
{
  return whom >= comm->size ? TRIAD_OK : TRIAD_MPI(MPI_Send(&sum, 1, MPI_UINT64_T, whom, 1, comm->mpi));
}

static uint64_t add_points(const triad_fct_mesh_slices *s, uint64_t sum)
{
  const triad_comm *comm = &s->context->comm;
  const int64_t first = triad_fct_share_first(s->n_points, comm->rank, comm->size);
  const int64_t n = triad_fct_share_first(s->n_points, comm->rank + 1, comm->size) - first;
  if (!s->made) return triad_fct_checksum_points(sum, (const double(*)[3])s->x, n);
  for (int64_t i = 0; i < n; i++) {
    double x[1][3];
    triad_fct_generate_point(&s->lattice, first + i, x[0]);
    sum = triad_fct_checksum_points(sum, (const double(*)[3])x, 1);
  }
  return sum;
}

int triad_fct_slices_checksum(const triad_fct_mesh_slices *s, uint64_t *sum)
{
  const triad_comm *comm = &s->context->comm;
  *sum = triad_fct_checksum_begin(s->n_cells, s->n_points);
  TRIAD_TRY(from_last(comm, sum, comm->rank - 1));
  *sum = triad_fct_checksum_cells(*sum, s->cells);
  TRIAD_TRY(to_next(comm, *sum, comm->rank + 1));
  TRIAD_TRY(TRIAD_MPI(MPI_Bcast(sum, 1, MPI_UINT64_T, comm->size - 1, comm->mpi)));
  TRIAD_TRY(from_last(comm, sum, comm->rank - 1));
  *sum = triad_fct_checksum_sides(*sum, s->cells);
  TRIAD_TRY(to_next(comm, *sum, comm->rank + 1));
  TRIAD_TRY(TRIAD_MPI(MPI_Bcast(sum, 1, MPI_UINT64_T, comm->size - 1, comm->mpi)));
  TRIAD_TRY(from_last(comm, sum, comm->rank - 1));
  *sum = add_points(s, *sum);
  TRIAD_TRY(to_next(comm, *sum, comm->rank + 1));
  TRIAD_TRY(TRIAD_MPI(MPI_Bcast(sum, 1, MPI_UINT64_T, comm->size - 1, comm->mpi)));
  *sum = triad_fct_checksum_end(*sum);
  return TRIAD_OK;
}
