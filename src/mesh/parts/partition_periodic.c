/* Periodic patches of a partitioned mesh: every rank receives their outer faces and matches them in the same way. Both
 * owners of a matched pair then hold both cells. */
#include "mesh/parts/partition_periodic.h"
#include "mesh/parts/partition_internal.h"
#include "mesh/parts/partition_shared.h"
#include "mesh/periodic.h"

#include <stdlib.h>
#include <string.h>

/* An outer face of a periodic patch. */
typedef struct outer {
  double at[3];
  int32_t cell, side, rank, lowest, patch, points; /* cell, lowest point: by global numbers */
} outer;

/* The order of outer faces in a whole mesh: by patch, lowest point, cell and side. */
static int outer_order(const void *a, const void *b)
{
  const outer *x = a, *y = b;
  const int32_t one[4] = {x->patch, x->lowest, x->cell, x->side}, two[4] = {y->patch, y->lowest, y->cell, y->side};
  for (int i = 0; i < 4; i++)
    if (one[i] != two[i]) return one[i] < two[i] ? -1 : 1;
  return 0;
}

static outer outer_of(const triad_mesh *m, int64_t f)
{
  const triad_mesh_face_mark mark = triad_mesh_mark_face(m, f);
  const int32_t *point = triad_mesh_face(m, f), c = m->cell[f][0];
  int32_t lowest = point[0];
  for (int i = 1; i < m->points[f]; i++)
    if (point[i] < lowest) lowest = point[i];
  return (outer){.at = {mark.at[0], mark.at[1], mark.at[2]},
                 .cell = m->number[c],
                 .side = triad_mesh_side_of(m, f),
                 .rank = m->owner[c],
                 .lowest = m->point_number[lowest],
                 .patch = m->patch[f],
                 .points = m->points[f]};
}

static int list_own(const triad_mesh_partition *k, const int8_t *wanted, outer **list, int64_t *n)
{
  const triad_mesh *m = k->mesh;
  for (int pass = 0; pass < 2; pass++) {
    *n = 0;
    for (int64_t f = m->n_inner; f < m->n_faces; f++) {
      if (m->owner[m->cell[f][0]] != k->context->comm.rank || !wanted[m->patch[f]]) continue;
      if (pass) (*list)[*n] = outer_of(m, f);
      (*n)++;
    }
    if (!pass) TRIAD_TRY(TRIAD_ALLOC(k->context->memory, "the mesh partition", *n, list));
  }
  return TRIAD_OK;
}

/* Bytes of each rank, and where they begin in all. */
static int place_bytes(const triad_comm *comm, int64_t bytes, int *count, int *begin, int64_t *all)
{
  int mine = 0;
  TRIAD_TRY(triad_agree(comm, triad_narrow(bytes, &mine)));
  TRIAD_TRY(TRIAD_MPI(MPI_Allgather(&mine, 1, MPI_INT, count, 1, MPI_INT, comm->mpi)));
  *all = 0;
  for (int r = 0; r < comm->size; r++) {
    TRIAD_TRY(triad_narrow(*all, &begin[r]));
    *all += count[r];
  }
  return TRIAD_OK;
}

/* Gather the outer faces of all ranks, sorted. */
static int gather(const triad_mesh_partition *k, const int8_t *wanted, outer **all, int64_t *n_all)
{
  const triad_comm *comm = &k->context->comm;
  triad_memory *memory = k->context->memory;
  outer *own = NULL;
  int *count = NULL;
  int64_t n = 0, bytes = 0;
  int st = list_own(k, wanted, &own, &n);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(memory, "the mesh partition", 2 * (int64_t)comm->size, &count);
  st = triad_agree(comm, st);
  if (st == TRIAD_OK) st = place_bytes(comm, n * (int64_t)sizeof *own, count, count + comm->size, &bytes);
  if (st == TRIAD_OK)
    st = triad_agree(comm, TRIAD_ALLOC(memory, "the mesh partition", bytes / (int64_t)sizeof *own, all));
  if (st == TRIAD_OK)
    st = TRIAD_MPI(MPI_Allgatherv(own, (int)(n * (int64_t)sizeof *own), MPI_BYTE, *all, count, count + comm->size,
                                  MPI_BYTE, comm->mpi));
  *n_all = bytes / (int64_t)sizeof *own;
  if (st == TRIAD_OK) qsort(*all, (size_t)*n_all, sizeof **all, outer_order);
  TRIAD_FREE(memory, &own);
  TRIAD_FREE(memory, &count);
  return st;
}

/* Marks of a patch's faces, and where they begin in the list. */
static int mark_patch(const triad_mesh_partition *k, int patch, const outer *all, int64_t n_all,
                      triad_mesh_face_mark **marks, int64_t *n)
{
  *n = 0;
  for (int64_t i = 0; i < n_all; i++) *n += all[i].patch == patch;
  TRIAD_TRY(TRIAD_ALLOC(k->context->memory, "the mesh partition", *n, marks));
  for (int64_t i = 0, at = 0; i < n_all; i++)
    if (all[i].patch == patch)
      (*marks)[at++] =
        (triad_mesh_face_mark){.at = {all[i].at[0], all[i].at[1], all[i].at[2]}, .face = i, .points = all[i].points};
  return TRIAD_OK;
}

static int match_pair(const triad_mesh_partition *k, const int patch[2], int number, const outer *all, int64_t n_all,
                      triad_mesh_side_pairs *out)
{
  triad_memory *memory = k->context->memory;
  triad_mesh_face_mark *marks[2] = {NULL, NULL};
  int64_t n[2] = {0, 0};
  int st = mark_patch(k, patch[0], all, n_all, &marks[0], &n[0]);
  if (st == TRIAD_OK) st = mark_patch(k, patch[1], all, n_all, &marks[1], &n[1]);
  if (st == TRIAD_OK)
    st = triad_mesh_match_faces(k->mesh, patch[0], patch[1], marks[0], n[0], marks[1], n[1], out->shift[number]);
  for (int64_t i = 0; i < n[0] && st == TRIAD_OK; i++)
    for (int s = 0; s < 2; s++) {
      const outer *o = &all[marks[s][i].face];
      out->list[out->n + i].cell[s] = o->cell;
      out->list[out->n + i].side[s] = o->side;
      out->list[out->n + i].rank[s] = o->rank;
    }
  if (st == TRIAD_OK) out->n += n[0];
  out->first[number + 1] = out->n;
  TRIAD_FREE(memory, &marks[0]);
  TRIAD_FREE(memory, &marks[1]);
  return st;
}

int triad_mesh_partition_match(triad_mesh_partition *k, const triad_mesh_pairs *patches, triad_mesh_side_pairs *out)
{
  int8_t wanted[TRIAD_MESH_PATCHES] = {0};
  outer *all = NULL;
  int64_t n = 0;
  for (int i = 0; i < patches->n; i++)
    for (int s = 0; s < 2; s++) wanted[patches->patch[i][s]] = 1;
  triad_faults faults = {0};
  int st = gather(k, (const int8_t *)wanted, &all, &n);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(k->context->memory, "the mesh partition", n / 2 + 1, &out->list);
  for (int i = 0; i < patches->n && st == TRIAD_OK; i++)
    st = triad_faults_take(&faults, match_pair(k, patches->patch[i], i, all, n, out));
  TRIAD_FREE(k->context->memory, &all);
  return triad_agree(&k->context->comm, triad_faults_end(&faults, st));
}

/* ---- cells across ---- */

static int64_t find_own(const triad_mesh *own, int32_t number)
{
  int64_t low = 0, high = own->n_cells;
  while (low < high) {
    const int64_t middle = (low + high) / 2;
    if (own->number[middle] < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

int triad_mesh_partition_share_pairs(triad_mesh_partition *k, const triad_mesh_side_pairs *pairs)
{
  const int rank = k->context->comm.rank;
  triad_mesh_shared_cell *more = NULL;
  int64_t n = 0;
  TRIAD_TRY(TRIAD_ALLOC(k->context->memory, "the mesh partition", pairs->n, &more));
  for (int64_t i = 0; i < pairs->n; i++) {
    const triad_mesh_side_pair *p = &pairs->list[i];
    if (p->rank[0] == p->rank[1] || (p->rank[0] != rank && p->rank[1] != rank)) continue;
    const int s = p->rank[1] == rank;
    more[n++] = (triad_mesh_shared_cell){p->rank[!s], (int32_t)find_own(k->own, p->cell[s])};
  }
  int st = triad_mesh_partition_share(k, more, n);
  TRIAD_FREE(k->context->memory, &more);
  return st;
}

/* ---- faces ---- */

/* An outer face of the part by its cell's number and side. */
typedef struct known {
  int32_t cell, side;
  int64_t face;
} known;

static int known_order(const void *a, const void *b)
{
  const known *x = a, *y = b;
  if (x->cell != y->cell) return x->cell < y->cell ? -1 : 1;
  return x->side < y->side ? -1 : x->side > y->side;
}

static int64_t face_of(const known *list, int64_t n, int32_t cell, int32_t side)
{
  const known wanted = {.cell = cell, .side = side},
              *found = bsearch(&wanted, list, (size_t)n, sizeof *list, known_order);
  return found ? found->face : -1;
}

/* Merging changes the order of faces, so each pair of patches searches its faces again. */
static int join_pair(triad_mesh_partition *k, const triad_mesh_side_pairs *pairs, int number)
{
  triad_mesh *m = k->mesh;
  known *list = NULL;
  const int64_t n = m->n_faces - m->n_inner;
  TRIAD_TRY(TRIAD_ALLOC(k->context->memory, "the mesh partition", n, &list));
  for (int64_t i = 0; i < n; i++) {
    const int64_t f = m->n_inner + i;
    list[i] = (known){m->number[m->cell[f][0]], triad_mesh_side_of(m, f), f};
  }
  qsort(list, (size_t)n, sizeof *list, known_order);
  for (int64_t i = pairs->first[number]; i < pairs->first[number + 1]; i++) {
    const triad_mesh_side_pair *p = &pairs->list[i];
    const int64_t f = face_of(list, n, p->cell[0], p->side[0]), g = face_of(list, n, p->cell[1], p->side[1]);
    if (f >= 0 && g >= 0) triad_mesh_merge_faces(m, f, g, number);
  }
  TRIAD_FREE(k->context->memory, &list);
  triad_mesh_remove_merged(m);
  return TRIAD_OK;
}

int triad_mesh_partition_join(triad_mesh_partition *k, const triad_mesh_pairs *patches,
                              const triad_mesh_side_pairs *pairs)
{
  for (int i = 0; i < patches->n; i++) {
    memcpy(k->mesh->shift[k->mesh->n_pairs++], pairs->shift[i], sizeof pairs->shift[i]);
    TRIAD_TRY(join_pair(k, pairs, i));
  }
  return TRIAD_OK;
}
