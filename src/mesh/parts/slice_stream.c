/* Pass on a mesh file from rank 0 to the slices of all ranks as it is read; then reorder left-handed cells
 * (slice_stream.h). A rank that has failed continues to receive, so that rank 0 need not know of it. */
#include "mesh/parts/slice_stream.h"
#include "mesh/parts/slice_points.h"
#include "mesh/parts/slices.h"
#include "mesh/point_set.h"
#include "mesh/read/file_stream.h"
#include "mesh/read/orient.h"
#include "mesh/read/stream.h"

#include <string.h>

enum { TURNED = 1 << 17 /* cells that are reordered at a time */, TAG = 2 };

typedef struct passing {
  triad_mesh_slices *s;
  triad_mesh_file_counts n;
  int64_t either_prism, cells, corners, room; /* cells and corners of this rank so far; capacity for corners */
  int status;
} passing;

/* ---- what a rank stores ---- */

/* Take room for this rank's slice. As many corners as the mean of all cells are expected. */
static int begin_slice(passing *p)
{
  triad_mesh_slices *s = p->s;
  const triad_comm *comm = &s->context->comm;
  const int64_t n = triad_mesh_share_begin(p->n.cells, comm->rank + 1, comm->size),
                points = triad_mesh_share_begin(p->n.points, comm->rank + 1, comm->size);
  s->n_cells = p->n.cells;
  s->n_points = p->n.points;
  s->first = triad_mesh_share_begin(p->n.cells, comm->rank, comm->size);
  p->room = (int64_t)((double)p->n.corners / (double)p->n.cells * (double)(n - s->first)) + TRIAD_MESH_CORNERS;
  TRIAD_TRY(triad_mesh_create(&s->cells, s->context->memory, 0, n - s->first, p->room));
  return TRIAD_ALLOC(s->context->memory, "the mesh partition",
                     points - triad_mesh_share_begin(p->n.points, comm->rank, comm->size), &s->x);
}

static int grow_corners(passing *p, int64_t n)
{
  triad_mesh *m = p->s->cells;
  int32_t *more = NULL;
  if (p->corners + n <= p->room) return TRIAD_OK;
  p->room = p->corners + n + p->room / 8;
  TRIAD_TRY(TRIAD_ALLOC(m->memory, "the mesh partition", p->room, &more));
  memcpy(more, m->corner, (size_t)p->corners * sizeof *more);
  TRIAD_FREE(m->memory, &m->corner);
  m->corner = more;
  return TRIAD_OK;
}

static int store_cells(passing *p, int64_t n, const uint8_t *shape, const int32_t *corner, int64_t corners)
{
  triad_mesh *m = p->s->cells;
  TRIAD_TRY(grow_corners(p, corners));
  memcpy(m->shape + p->cells, shape, (size_t)n);
  memcpy(m->corner + p->corners, corner, (size_t)corners * sizeof *corner);
  for (int64_t i = 0; i < n; i++, p->cells++)
    m->first[p->cells + 1] = m->first[p->cells] + triad_mesh_shapes[shape[i]].corners;
  p->corners += corners;
  return TRIAD_OK;
}

static void store_points(const passing *p, int64_t first, int64_t n, const double (*x)[3])
{
  const triad_comm *comm = &p->s->context->comm;
  memcpy(p->s->x + (first - triad_mesh_share_begin(p->n.points, comm->rank, comm->size)), x, (size_t)n * sizeof *x);
}

/* ---- rank 0 ---- */

static int send_bytes(const passing *p, const void *data, int64_t bytes, int rank)
{
  return TRIAD_MPI(MPI_Send(data, (int)bytes, MPI_BYTE, rank, TAG, p->s->context->comm.mpi));
}

static int begin(void *who, const triad_mesh_file_counts *n, int either_prism)
{
  passing *p = who;
  p->n = *n;
  p->either_prism = either_prism;
  for (int r = 1; r < p->s->context->comm.size; r++) TRIAD_TRY(send_bytes(p, n, sizeof *n, r));
  return begin_slice(p);
}

/* As many of n items from number `first` on, of all, as are in the slice of one rank: *owner. */
static int64_t run_of(const passing *p, int64_t all, int64_t first, int64_t n, int *owner)
{
  const int size = p->s->context->comm.size;
  *owner = triad_mesh_share_owner(all, first, size);
  const int64_t end = triad_mesh_share_begin(all, *owner + 1, size);
  return first + n < end ? n : end - first;
}

static int points(void *who, int64_t first, int64_t n, const double (*x)[3])
{
  passing *p = who;
  for (int64_t done = 0, run; done < n; done += run) {
    int owner;
    run = run_of(p, p->n.points, first + done, n - done, &owner);
    const triad_mesh_frame f = {TRIAD_MESH_FRAME_POINTS, first + done, run, 0};
    if (owner == 0) {
      store_points(p, first + done, run, x + done);
      continue;
    }
    TRIAD_TRY(send_bytes(p, &f, sizeof f, owner));
    TRIAD_TRY(send_bytes(p, x + done, run * (int64_t)sizeof *x, owner));
  }
  return TRIAD_OK;
}

/* The frame comes from the process that reads the file: its shapes must be known ones that have these corners, and
 * corners numbers of points. */
static int are_valid(const passing *p, int64_t n, const uint8_t *shape, const int32_t *corner, int64_t corners)
{
  int64_t sum = 0;
  for (int64_t i = 0; i < n; i++) {
    if (shape[i] >= TRIAD_MESH_POLYHEDRON) return 0;
    sum += triad_mesh_shapes[shape[i]].corners;
  }
  if (sum != corners) return 0;
  for (int64_t i = 0; i < corners; i++)
    if (corner[i] < 0 || corner[i] >= p->n.points) return 0;
  return 1;
}

static int cells(void *who, int64_t first, int64_t n, const uint8_t *shape, const int32_t *corner, int64_t corners)
{
  passing *p = who;
  if (!are_valid(p, n, shape, corner, corners)) return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: damaged", p->s->path);
  for (int64_t done = 0, run; done < n; done += run) {
    int owner;
    int64_t here = 0;
    run = run_of(p, p->n.cells, first + done, n - done, &owner);
    for (int64_t i = 0; i < run; i++) here += triad_mesh_shapes[shape[done + i]].corners;
    const triad_mesh_frame f = {TRIAD_MESH_FRAME_CELLS, first + done, run, here};
    if (owner == 0) {
      TRIAD_TRY(store_cells(p, run, shape + done, corner, here));
    } else {
      TRIAD_TRY(send_bytes(p, &f, sizeof f, owner));
      TRIAD_TRY(send_bytes(p, shape + done, run, owner));
      TRIAD_TRY(send_bytes(p, corner, here * (int64_t)sizeof *corner, owner));
    }
    corner += here;
  }
  return TRIAD_OK;
}

static int pass_on(passing *p, triad_mesh_contents *c, void **block, int *fit)
{
  static const triad_mesh_receiver to = {begin, points, cells};
  const triad_mesh_frame end = {.kind = TRIAD_MESH_FRAME_END};
  const triad_mesh_file_counts none = {.points = -1};
  int st = triad_mesh_file_stream(p->s->path, p->s->context->memory, &to, p, c, block, fit);
  for (int r = 1; r < p->s->context->comm.size; r++) {
    const int sent = p->n.cells > 0 ? send_bytes(p, &end, sizeof end, r) : send_bytes(p, &none, sizeof none, r);
    if (st == TRIAD_OK) st = sent;
  }
  return st;
}

/* ---- the others ---- */

static int get_bytes(const passing *p, void *data, int64_t bytes)
{
  return TRIAD_MPI(MPI_Recv(data, (int)bytes, MPI_BYTE, 0, TAG, p->s->context->comm.mpi, MPI_STATUS_IGNORE));
}

/* Room for what comes in one frame. */
typedef struct frame_room {
  double x[TRIAD_MESH_STREAM_ITEMS][3];
  uint8_t shape[TRIAD_MESH_STREAM_ITEMS];
  int32_t corner[TRIAD_MESH_STREAM_ITEMS * TRIAD_MESH_CORNERS];
} frame_room;

/* What cannot be stored is received all the same. */
static int take_frames(passing *p, frame_room *room)
{
  triad_mesh_frame f;
  for (;;) {
    TRIAD_TRY(get_bytes(p, &f, sizeof f));
    if (f.kind == TRIAD_MESH_FRAME_END) return TRIAD_OK;
    if (f.kind == TRIAD_MESH_FRAME_POINTS) {
      TRIAD_TRY(get_bytes(p, room->x, f.n * (int64_t)sizeof *room->x));
      if (p->status == TRIAD_OK) store_points(p, f.first, f.n, (const double(*)[3])room->x);
      continue;
    }
    TRIAD_TRY(get_bytes(p, room->shape, f.n));
    TRIAD_TRY(get_bytes(p, room->corner, f.corners * (int64_t)sizeof *room->corner));
    if (p->status == TRIAD_OK) p->status = store_cells(p, f.n, room->shape, room->corner, f.corners);
  }
}

static int receive(passing *p, frame_room *room)
{
  TRIAD_TRY(get_bytes(p, &p->n, sizeof p->n));
  if (p->n.points < 0) return TRIAD_OK;
  p->status = begin_slice(p);
  TRIAD_TRY(take_frames(p, room));
  return p->status;
}

/* ---- the order of corners ---- */

/* Cells from .. to - 1 of the slice, whose points come from all ranks. */
static int turn_cells(passing *p, int64_t from, int64_t to, triad_mesh_point_set *set, int status)
{
  triad_mesh_slices *s = p->s;
  triad_mesh *m = s->cells;
  triad_memory *memory = s->context->memory;
  double(*x)[3] = NULL;
  int32_t *list = NULL;
  int st = status;
  for (int64_t i = m->first[from]; st == TRIAD_OK && i < m->first[to]; i++) triad_mesh_point_set_add(set, m->corner[i]);
  if (st == TRIAD_OK) triad_mesh_point_set_count(set);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(memory, "the mesh partition", set->n, &list);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(memory, "the mesh partition", set->n, &x);
  st = triad_agree(&s->context->comm, st);
  if (st == TRIAD_OK) triad_mesh_point_set_list(set, list);
  if (st == TRIAD_OK) st = triad_mesh_slices_points(s, list, set->n, x);
  for (int64_t c = from; st == TRIAD_OK && c < to; c++) {
    int32_t place[TRIAD_MESH_CORNERS], *corner = m->corner + m->first[c];
    for (int i = 0; i < triad_mesh_shapes[m->shape[c]].corners; i++)
      place[i] = triad_mesh_point_set_place(set, corner[i]);
    if (!triad_mesh_is_left_handed(m->shape[c], place, (const double(*)[3])x)) continue;
    triad_mesh_reverse(m->shape[c], corner);
    p->n.changes.reversed += !(p->either_prism && m->shape[c] == TRIAD_MESH_PRISM);
  }
  TRIAD_FREE(memory, &x);
  TRIAD_FREE(memory, &list);
  return st;
}

static int turn_all(passing *p)
{
  triad_mesh_slices *s = p->s;
  const triad_comm *comm = &s->context->comm;
  const int64_t n = s->cells->n_cells, rounds = s->n_cells / comm->size / TURNED + 1;
  p->n.changes.reversed = 0;
  for (int64_t k = 0; k < rounds; k++) {
    triad_mesh_point_set set = {0};
    const int64_t from = k * TURNED < n ? k * TURNED : n, to = n - from < TURNED ? n : from + TURNED;
    int st = triad_mesh_point_set_create(&set, s->context->memory, s->n_points);
    st = turn_cells(p, from, to, &set, st);
    triad_mesh_point_set_free(&set, s->context->memory);
    TRIAD_TRY(st);
  }
  return TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, &p->n.changes.reversed, 1, MPI_INT64_T, MPI_SUM, comm->mpi));
}

int triad_mesh_slices_stream(triad_mesh_slices *s, triad_mesh_contents *c, void **block, int *fit)
{
  const triad_comm *comm = &s->context->comm;
  triad_memory *memory = s->context->memory;
  passing p = {.s = s};
  frame_room *room = NULL;
  *fit = 0;
  int st = triad_agree(comm, comm->rank > 0 ? TRIAD_ALLOC(memory, "the mesh partition", 1, &room) : TRIAD_OK);
  if (st == TRIAD_OK) st = triad_agree(comm, comm->rank == 0 ? pass_on(&p, c, block, fit) : receive(&p, room));
  TRIAD_FREE(memory, &room);
  if (st == TRIAD_OK) st = TRIAD_MPI(MPI_Bcast(fit, 1, MPI_INT, 0, comm->mpi));
  if (st == TRIAD_OK) st = TRIAD_MPI(MPI_Bcast(&p.either_prism, 1, MPI_INT64_T, 0, comm->mpi));
  if (st == TRIAD_OK && *fit) st = turn_all(&p);
  if (st == TRIAD_OK && *fit) c->n = p.n;
  if (*fit) return st;
  triad_mesh_destroy(&s->cells);
  TRIAD_FREE(memory, &s->x);
  triad_memory_free(memory, block);
  return st;
}
