/* Patches of a part of a mesh. Those of a generated mesh follow from the position of faces; those of a file from the
 * sides that it lists, which rank 0 broadcasts. */
#include "mesh/parts/slice_patches.h"
#include "mesh/point_set.h"
#include "mesh/parts/slices.h"
#include "mesh/read/file_sides.h"
#include "mesh/read/inner_patches.h"
#include "mesh/make/generate_patches.h"

#include <stdlib.h>
#include <string.h>

static int is_own(const triad_mesh_slices *s, const triad_mesh *m, int64_t f)
{
  return m->owner[m->cell[f][0]] == s->context->comm.rank;
}

/* A face between cells counts on the rank that has the cell of the lower number. */
static int counts_here(const triad_mesh_slices *s, const triad_mesh *m, int64_t f)
{
  const int32_t a = m->cell[f][0], b = m->cell[f][1];
  return m->owner[triad_mesh_number(m, a) < triad_mesh_number(m, b) ? a : b] == s->context->comm.rank;
}

/* ---- of a generator ---- */

/* A key for the order of outer faces in a whole mesh, by lowest point and cell: the order in which kinds of sides are
 * first found. */
static int64_t order_of(const triad_mesh *m, int64_t f)
{
  int64_t lowest = INT64_MAX;
  for (int i = 0; i < m->points[f]; i++) {
    const int64_t point = triad_mesh_point_number(m, triad_mesh_face(m, f)[i]);
    if (point < lowest) lowest = point;
  }
  const int side = triad_mesh_side_of(m, f);
  /* cells made here have 8 at most */
  return lowest << 32 | (triad_mesh_number(m, m->cell[f][0]) << 3) | (side < 8 ? side : 7);
}

static int patches_made(const triad_mesh_slices *s, triad_mesh *m)
{
  int64_t met[TRIAD_MESH_GENERATED_SIDES];
  int patch[TRIAD_MESH_GENERATED_SIDES];
  for (int i = 0; i < TRIAD_MESH_GENERATED_SIDES; i++) met[i] = INT64_MAX;
  for (int64_t f = m->n_inner; f < m->n_faces; f++) {
    if (!is_own(s, m, f)) continue;
    const int side = triad_mesh_generated_side(m, &s->lattice, f);
    const int64_t order = order_of(m, f);
    if (order < met[side]) met[side] = order;
    m->patch[f] = (int16_t)side;
  }
  TRIAD_TRY(TRIAD_MPI(
    MPI_Allreduce(MPI_IN_PLACE, met, TRIAD_MESH_GENERATED_SIDES, MPI_INT64_T, MPI_MIN, s->context->comm.mpi)));
  triad_mesh_generate_names(m, &s->lattice);
  for (;;) {
    int next = 0;
    for (int i = 1; i < TRIAD_MESH_GENERATED_SIDES; i++)
      if (met[i] < met[next]) next = i;
    if (met[next] == INT64_MAX) break;
    patch[next] = triad_mesh_patch(m, triad_mesh_generated_name(&s->lattice, next));
    met[next] = INT64_MAX;
  }
  for (int64_t f = m->n_inner; f < m->n_faces; f++)
    if (is_own(s, m, f)) m->patch[f] = (int16_t)patch[m->patch[f]];
  return TRIAD_OK;
}

/* ---- of a file ---- */

typedef struct sides {
  triad_mesh_file_side *list, *piece; /* sides with this part's points, and the piece that rank 0 broadcasts */
  int64_t n, room;
  triad_mesh_point_set points;
} sides;

enum { PIECE = 1 << 16 };

/* Sides all of whose points are here. */
static int keep_sides(triad_memory *memory, sides *k, int64_t n)
{
  for (int64_t i = 0; i < n; i++) {
    triad_mesh_file_side side = k->piece[i];
    int here = 1;
    for (int p = 0; p < side.n && here; p++) here = triad_mesh_point_set_has(&k->points, side.point[p]);
    if (!here) continue;
    for (int p = 0; p < side.n; p++) side.point[p] = triad_mesh_point_set_place(&k->points, side.point[p]);
    if (k->n == k->room) {
      triad_mesh_file_side *more = NULL;
      TRIAD_TRY(TRIAD_ALLOC(memory, "the mesh partition", 2 * k->room + PIECE, &more));
      if (k->n > 0) memcpy(more, k->list, (size_t)k->n * sizeof *more);
      TRIAD_FREE(memory, &k->list);
      k->list = more;
      k->room = 2 * k->room + PIECE;
    }
    k->list[k->n++] = side;
  }
  return TRIAD_OK;
}

static int take_sides(const triad_mesh_slices *s, const triad_mesh *m, sides *k)
{
  const triad_comm *comm = &s->context->comm;
  triad_memory *memory = s->context->memory;
  int st = triad_mesh_point_set_create(&k->points, memory, s->n_points);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(memory, "the mesh partition", PIECE, &k->piece);
  TRIAD_TRY(triad_agree(comm, st));
  for (int64_t p = 0; p < m->n_points; p++) triad_mesh_point_set_add(&k->points, m->point_number[p]);
  triad_mesh_point_set_count(&k->points);
  for (int64_t at = 0; at < s->n_sides; at += PIECE) {
    const int64_t n = s->n_sides - at < PIECE ? s->n_sides - at : PIECE;
    if (comm->rank == 0) memcpy(k->piece, s->side + at, (size_t)n * sizeof *k->piece);
    TRIAD_TRY(TRIAD_MPI(MPI_Bcast(k->piece, (int)(n * (int64_t)sizeof *k->piece), MPI_BYTE, 0, comm->mpi)));
    if (st == TRIAD_OK) st = keep_sides(memory, k, n);
  }
  triad_mesh_sides_sort(k->list, k->n);
  return triad_agree(comm, st);
}

static int set_patches(const triad_mesh_slices *s, triad_mesh *m, const sides *k, triad_faults *faults)
{
  const triad_comm *comm = &s->context->comm;
  int64_t open = 0, first = -1, faces[2 * TRIAD_MESH_PATCHES] = {0}, *outer = faces,
          *inner = faces + TRIAD_MESH_PATCHES;
  for (int64_t f = m->n_inner; f < m->n_faces; f++) {
    if (!is_own(s, m, f)) continue;
    const int32_t patch = triad_mesh_side_patch(k->list, k->n, m, f, outer);
    if (patch >= 0) {
      m->patch[f] = (int16_t)patch;
    } else if (open++ == 0) {
      first = f;
    }
  }
  if (open > 0)
    triad_fault(faults, "%lld outer faces of this rank's part are in no patch of the file, the first of cell %lld",
                (long long)open, (long long)triad_mesh_number(m, m->cell[first][0]));
  for (int64_t f = 0; f < m->n_inner; f++)
    if (counts_here(s, m, f)) (void)triad_mesh_side_patch(k->list, k->n, m, f, inner);
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, faces, 2 * TRIAD_MESH_PATCHES, MPI_INT64_T, MPI_SUM, comm->mpi)));
  triad_mesh_skip_inner(m, outer, (const int64_t *)inner);
  triad_mesh_note_empty(m, (const int64_t *)outer, faults);
  return TRIAD_OK;
}

int triad_mesh_slices_patches(const triad_mesh_slices *s, triad_mesh *m, triad_faults *faults)
{
  triad_memory *memory = s->context->memory;
  sides k = {NULL, NULL, 0, 0, {0}};
  if (s->made) return patches_made(s, m);
  int st = triad_agree(&s->context->comm,
                       triad_mesh_file_name_patches(m, (const char(*)[TRIAD_MESH_NAME])s->name, s->n_patches, s->path));
  if (st == TRIAD_OK) st = take_sides(s, m, &k);
  if (st == TRIAD_OK) st = set_patches(s, m, &k, faults);
  TRIAD_FREE(memory, &k.list);
  TRIAD_FREE(memory, &k.piece);
  triad_mesh_point_set_free(&k.points, memory);
  return st;
}
