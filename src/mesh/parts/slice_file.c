/* Slices of a mesh file: rank 0 reads it and sends cells and points to the other ranks, as they come if the file is fit
 * for it (slice_stream.h), else from the whole. It keeps the sides of patches. */
#include "mesh/parts/partition_internal.h"
#include "mesh/parts/partition_cells.h"
#include "mesh/parts/slice_stream.h"

#include <string.h>

enum { PIECE = 1 << 28 /* bytes of a message */ };

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
static void count_corners(const triad_mesh_contents *c, int size, int64_t *before)
{
  int64_t sum = 0;
  for (int64_t cell = 0, rank = 0; cell <= c->n.cells; cell++) {
    while (rank <= size && triad_mesh_share_begin(c->n.cells, (int)rank, size) == cell) before[rank++] = sum;
    if (cell < c->n.cells) sum += triad_mesh_shapes[c->shape[cell]].corners;
  }
}

static int take_share(triad_mesh_slices *s, int64_t corners)
{
  const triad_comm *comm = &s->context->comm;
  const int64_t end = triad_mesh_share_begin(s->n_cells, comm->rank + 1, comm->size);
  const int64_t points = triad_mesh_share_begin(s->n_points, comm->rank + 1, comm->size) -
                         triad_mesh_share_begin(s->n_points, comm->rank, comm->size);
  s->first = triad_mesh_share_begin(s->n_cells, comm->rank, comm->size);
  TRIAD_TRY(triad_mesh_create(&s->cells, s->context->memory, 0, end - s->first, corners));
  return TRIAD_ALLOC(s->context->memory, "the mesh partition", points, &s->x);
}

static int deal_out(triad_mesh_slices *s, const triad_mesh_contents *c, const int64_t *before)
{
  const triad_comm *comm = &s->context->comm;
  for (int r = 0; r < comm->size; r++) {
    const int64_t cell = triad_mesh_share_begin(s->n_cells, r, comm->size),
                  cells = triad_mesh_share_begin(s->n_cells, r + 1, comm->size) - cell;
    const int64_t point = triad_mesh_share_begin(s->n_points, r, comm->size),
                  points = triad_mesh_share_begin(s->n_points, r + 1, comm->size) - point,
                  corners = before[r + 1] - before[r];
    const int root = comm->rank == 0;
    TRIAD_TRY(hand(comm, r, root ? c->shape + cell : NULL, s->cells->shape, cells));
    TRIAD_TRY(
      hand(comm, r, root ? c->corner + before[r] : NULL, s->cells->corner, corners * (int64_t)sizeof *c->corner));
    TRIAD_TRY(hand(comm, r, root ? c->x + point : NULL, s->x, points * (int64_t)sizeof *c->x));
  }
  triad_mesh *m = s->cells;
  for (int64_t i = 0; i < m->n_cells; i++) m->first[i + 1] = m->first[i] + triad_mesh_shapes[m->shape[i]].corners;
  return TRIAD_OK;
}

/* Store on rank 0 the sides that the patches need. */
static int keep_sides(triad_mesh_slices *s, const triad_mesh_contents *c)
{
  memcpy(s->name, c->name, (size_t)c->n.patches * sizeof *s->name);
  TRIAD_TRY(TRIAD_ALLOC(s->context->memory, "the mesh partition", c->n.sides + c->n.faces, &s->side));
  if (c->n.sides > 0) memcpy(s->side, c->side, (size_t)c->n.sides * sizeof *s->side);
  triad_mesh_file_face_sides(c, s->side, &s->n_sides);
  return TRIAD_OK;
}

/* ---- of a file with polyhedra: rank 0 makes the cells of their faces, and packs each rank's ---- */

static int pack_share(const triad_mesh *all, int64_t begin, int64_t end, int32_t **items, int64_t *n)
{
  *n = 0;
  for (int64_t c = begin; c < end; c++) *n += triad_mesh_packed_size(all, c);
  TRIAD_TRY(TRIAD_ALLOC(all->memory, "the mesh partition", *n, items));
  int64_t at = 0;
  for (int64_t c = begin; c < end; c++) at += triad_mesh_pack_cell(all, c, (int32_t)c, *items + at);
  return TRIAD_OK;
}

/* The cells of rank r; all: on rank 0. */
static int hand_cells(triad_mesh_slices *s, const triad_mesh *all, int r, int64_t *cells)
{
  const triad_comm *comm = &s->context->comm;
  int32_t *items = NULL, *received = NULL;
  int64_t n = 0;
  int st = TRIAD_OK;
  if (comm->rank == 0)
    st = pack_share(all, triad_mesh_share_begin(s->n_cells, r, comm->size),
                    triad_mesh_share_begin(s->n_cells, r + 1, comm->size), &items, &n);
  st = triad_agree(comm, st);
  if (st == TRIAD_OK) st = TRIAD_MPI(MPI_Bcast(&n, 1, MPI_INT64_T, 0, comm->mpi));
  if (st == TRIAD_OK)
    st = triad_agree(comm,
                     comm->rank == r ? TRIAD_ALLOC(s->context->memory, "the mesh partition", n, &received) : TRIAD_OK);
  if (st == TRIAD_OK) st = hand(comm, r, items, received, n * (int64_t)sizeof *items);
  if (st == TRIAD_OK && comm->rank == r) {
    memset(cells, 0, 2 * (size_t)comm->size * sizeof *cells);
    cells[comm->size] = n;
    const triad_mesh_delivery d = {.received = received, .got = cells + comm->size};
    st = triad_mesh_unpack_cells(&s->cells, s->context, &d, cells);
  }
  TRIAD_FREE(s->context->memory, &items);
  TRIAD_FREE(s->context->memory, &received);
  return triad_agree(comm, st);
}

static int deal_polyhedra(triad_mesh_slices *s, const triad_mesh_contents *c)
{
  const triad_comm *comm = &s->context->comm;
  triad_memory *memory = s->context->memory;
  triad_mesh *all = NULL;
  int64_t *cells = NULL;
  const int64_t mine = triad_mesh_share_begin(s->n_points, comm->rank, comm->size);
  s->first = triad_mesh_share_begin(s->n_cells, comm->rank, comm->size);
  int st = TRIAD_ALLOC(memory, "the mesh partition", 2 * (int64_t)comm->size, &cells);
  if (st == TRIAD_OK)
    st = TRIAD_ALLOC(memory, "the mesh partition",
                     triad_mesh_share_begin(s->n_points, comm->rank + 1, comm->size) - mine, &s->x);
  if (st == TRIAD_OK && comm->rank == 0) st = triad_mesh_file_cells(&all, memory, c);
  st = triad_agree(comm, st);
  for (int r = 0; r < comm->size && st == TRIAD_OK; r++) {
    const int64_t point = triad_mesh_share_begin(s->n_points, r, comm->size),
                  points = triad_mesh_share_begin(s->n_points, r + 1, comm->size) - point;
    st = hand_cells(s, all, r, cells);
    if (st == TRIAD_OK) st = hand(comm, r, comm->rank == 0 ? c->x + point : NULL, s->x, points * (int64_t)sizeof *c->x);
  }
  triad_mesh_destroy(&all);
  TRIAD_FREE(memory, &cells);
  return st;
}

/* ---- of either file ---- */

static int deal_shapes(triad_mesh_slices *s, const triad_mesh_contents *c, int64_t *before)
{
  const triad_comm *comm = &s->context->comm;
  if (comm->rank == 0) count_corners(c, comm->size, before);
  TRIAD_TRY(TRIAD_MPI(MPI_Bcast(before, comm->size + 1, MPI_INT64_T, 0, comm->mpi)));
  TRIAD_TRY(triad_agree(comm, take_share(s, before[comm->rank + 1] - before[comm->rank])));
  return deal_out(s, c, before);
}

static int deal_file(triad_mesh_slices *s, triad_mesh_contents *c, int64_t *before, int streamed)
{
  const triad_comm *comm = &s->context->comm;
  TRIAD_TRY(TRIAD_MPI(MPI_Bcast(&c->n, (int)sizeof c->n, MPI_BYTE, 0, comm->mpi)));
  s->n_cells = c->n.cells;
  s->n_points = c->n.points;
  s->changes = c->n.changes;
  s->n_patches = c->n.patches;
  s->n_sides = c->n.sides;
  TRIAD_TRY(triad_agree(comm, comm->rank == 0 ? keep_sides(s, c) : TRIAD_OK));
  TRIAD_TRY(TRIAD_MPI(MPI_Bcast(&s->n_sides, 1, MPI_INT64_T, 0, comm->mpi)));
  if (!streamed) TRIAD_TRY(c->n.faces > 0 ? deal_polyhedra(s, c) : deal_shapes(s, c, before));
  return TRIAD_MPI(MPI_Bcast(s->name, (int)sizeof s->name, MPI_CHAR, 0, comm->mpi));
}

/* If the file has faults, report all faults of its mesh. */
static int load(const triad_mesh_slices *s, triad_mesh_contents *c, void **block)
{
  triad_memory *memory = s->context->memory;
  triad_faults faults = {0};
  TRIAD_TRY(triad_mesh_file_load(c, block, memory, s->path, &faults));
  if (faults.n == 0) return TRIAD_OK;
  triad_memory_free(memory, block);
  return triad_mesh_source_report(s->source, memory, &faults);
}

int triad_mesh_slices_of_file(triad_mesh_slices *s)
{
  const triad_comm *comm = &s->context->comm;
  triad_memory *memory = s->context->memory;
  triad_mesh_contents c = {.n = {0}};
  void *block = NULL;
  int64_t *before = NULL;
  int streamed = 0;
  int st = triad_mesh_slices_stream(s, &c, &block, &streamed);
  if (st == TRIAD_OK && !streamed) {
    st = TRIAD_ALLOC(memory, "the mesh partition", comm->size + 1, &before);
    if (st == TRIAD_OK && comm->rank == 0) st = load(s, &c, &block);
    st = triad_agree(comm, st);
  }
  if (st == TRIAD_OK) st = deal_file(s, &c, before, streamed);
  triad_memory_free(memory, &block);
  TRIAD_FREE(memory, &before);
  return st;
}
