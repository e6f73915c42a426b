#include "solvers/unstructured/domain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A face while they are put in order; what is sorted by comes first. */
typedef struct entry {
  int32_t group, colour, left, right; /* group: 0 between own cells, 1 to a ghost, 2 outer */
  int32_t face, flipped;
} entry;

typedef struct making {
  triad_fct_domain *d;
  const triad_fct_mesh *m;
  int64_t n, n_faces;
  int32_t *list, *along, *local, *room; /* own cells in order; local numbers of all cells, -1: none */
  uint8_t *at_edge;
  entry *faces;
  uint64_t *taken;
  uint8_t *colour;
  int32_t (*pairs)[2];
} making;

static int rank_here(const making *k) { return k->d->context->comm.rank; }

static int is_own(const making *k, int32_t c) { return c >= 0 && k->d->rank_of[c] == rank_here(k); }

/* ---- cells ---- */

static int list_cells(making *k, triad_fct_numbering numbering)
{
  triad_memory *memory = k->d->context->memory;
  TRIAD_TRY(TRIAD_ALLOC(memory, "domain being made", k->m->n_cells, &k->along));
  TRIAD_TRY(TRIAD_ALLOC(memory, "domain", k->m->n_cells, &k->d->rank_of));
  TRIAD_TRY(triad_fct_deal(k->m, k->d->context->comm.size, k->d->rank_of, k->along));
  for (int64_t i = 0; i < k->m->n_cells; i++) k->n += k->d->rank_of[k->along[i]] == rank_here(k);
  TRIAD_TRY(TRIAD_ALLOC(memory, "domain being made", k->n, &k->list));
  TRIAD_TRY(TRIAD_ALLOC(memory, "domain being made", k->n, &k->room));
  int64_t n = 0;
  for (int64_t i = 0; i < k->m->n_cells; i++)
    if (k->d->rank_of[k->along[i]] == rank_here(k)) k->list[n++] = k->along[i];
  TRIAD_FREE(memory, &k->along);
  return triad_fct_number(k->m, numbering, k->list, k->n);
}

/* Cells that see a ghost come last, else in the order that they have. */
static void put_edge_last(making *k)
{
  int64_t n = 0, last = 0;
  for (int64_t i = 0; i < k->n; i++) {
    if (k->at_edge[k->list[i]])
      k->room[last++] = k->list[i];
    else
      k->list[n++] = k->list[i];
  }
  k->d->n_inside = n;
  memcpy(k->list + n, k->room, (size_t)last * sizeof *k->list);
  for (int64_t i = 0; i < k->n; i++) k->local[k->list[i]] = (int32_t)i;
}

typedef struct ghost {
  int32_t rank, cell;
} ghost;

static int ghost_order(const void *a, const void *b)
{
  const ghost *x = a, *y = b;
  if (x->rank != y->rank) return x->rank < y->rank ? -1 : 1;
  return x->cell < y->cell ? -1 : x->cell > y->cell;
}

static int64_t unique(ghost *list, int64_t n)
{
  int64_t kept = 0;
  qsort(list, (size_t)n, sizeof *list, ghost_order);
  for (int64_t i = 0; i < n; i++)
    if (i == 0 || ghost_order(&list[i], &list[i - 1]) != 0) list[kept++] = list[i];
  return kept;
}

/* Cells on the other side of faces to other ranks, by rank and global number: those of others (side 0), or the own ones
 * that they see (side 1). */
static int across(const triad_fct_domain *d, int own_side, ghost **list, int64_t *n)
{
  const triad_fct_mesh *m = d->mesh;
  int rank = d->context->comm.rank;
  *n = 0;
  for (int pass = 0; pass < 2; pass++) {
    int64_t count = 0;
    for (int64_t f = 0; f < m->n_inner; f++) {
      int32_t a = m->cell[f][0], b = m->cell[f][1];
      if ((d->rank_of[a] == rank) == (d->rank_of[b] == rank)) continue;
      int32_t mine = d->rank_of[a] == rank ? a : b, other = d->rank_of[a] == rank ? b : a;
      if (pass) (*list)[count] = (ghost){d->rank_of[other], own_side ? mine : other};
      count++;
    }
    if (!pass) TRIAD_TRY(TRIAD_ALLOC(d->context->memory, "domain being made", count, list));
    *n = count;
  }
  *n = unique(*list, *n);
  return TRIAD_OK;
}

static int place_cells(making *k)
{
  triad_fct_domain *d = k->d;
  triad_memory *memory = d->context->memory;
  ghost *ghosts = NULL;
  TRIAD_TRY(TRIAD_ALLOC(memory, "domain being made", k->m->n_cells, &k->local));
  TRIAD_TRY(TRIAD_ALLOC(memory, "domain being made", k->m->n_cells, &k->at_edge));
  for (int64_t c = 0; c < k->m->n_cells; c++) k->local[c] = -1;
  for (int64_t f = 0; f < k->m->n_inner; f++) {
    int32_t a = k->m->cell[f][0], b = k->m->cell[f][1];
    if (d->rank_of[a] != d->rank_of[b]) k->at_edge[a] = k->at_edge[b] = 1;
  }
  put_edge_last(k);
  int st = across(d, 0, &ghosts, &d->n_ghosts);
  d->n_cells = k->n;
  if (st == TRIAD_OK) st = TRIAD_ALLOC(memory, "domain", k->n + d->n_ghosts, &d->global);
  for (int64_t g = 0; g < d->n_ghosts && st == TRIAD_OK; g++) {
    d->global[k->n + g] = ghosts[g].cell;
    k->local[ghosts[g].cell] = (int32_t)(k->n + g);
  }
  TRIAD_FREE(memory, &ghosts);
  return st;
}

/* ---- faces ---- */

static void set_entry(const making *k, entry *e)
{
  int32_t a = k->m->cell[e->face][0], b = k->m->cell[e->face][1];
  e->left = k->local[a];
  e->right = b < 0 ? -1 : k->local[b];
  e->group = b < 0 ? 2 : is_own(k, a) && is_own(k, b) ? 0 : 1;
  e->flipped = e->group == 0 && e->left > e->right; /* both ranks of a face to a ghost see it alike */
  if (!e->flipped) return;
  int32_t swapped = e->left;
  e->left = e->right;
  e->right = swapped;
}

static int entry_order(const void *a, const void *b)
{
  const entry *x = a, *y = b;
  if (x->group != y->group) return x->group < y->group ? -1 : 1;
  if (x->colour != y->colour) return x->colour < y->colour ? -1 : 1;
  if (x->left != y->left) return x->left < y->left ? -1 : 1;
  if (x->right != y->right) return x->right < y->right ? -1 : 1;
  return x->face < y->face ? -1 : x->face > y->face;
}

static void sort_faces(making *k)
{
  for (int64_t i = 0; i < k->n_faces; i++) set_entry(k, &k->faces[i]);
  qsort(k->faces, (size_t)k->n_faces, sizeof *k->faces, entry_order);
}

static int list_faces(making *k)
{
  triad_memory *memory = k->d->context->memory;
  const triad_fct_mesh *m = k->m;
  int64_t cells = k->n + k->d->n_ghosts;
  for (int64_t f = 0; f < m->n_faces; f++) k->n_faces += is_own(k, m->cell[f][0]) || is_own(k, m->cell[f][1]);
  if (k->n_faces > INT32_MAX / 2) /* a cell's side is 2 face + 1 at most */
    return TRIAD_FAIL(TRIAD_ERR_CASE, "rank %d has %lld faces, and at most %d can be numbered: take more ranks",
                      rank_here(k), (long long)k->n_faces, INT32_MAX / 2);
  TRIAD_TRY(TRIAD_ALLOC(memory, "domain being made", k->n_faces, &k->faces));
  TRIAD_TRY(TRIAD_ALLOC(memory, "domain being made", k->n_faces, &k->colour));
  TRIAD_TRY(TRIAD_ALLOC(memory, "domain being made", k->n_faces, &k->pairs));
  TRIAD_TRY(TRIAD_ALLOC(memory, "domain being made", cells, &k->taken));
  int64_t n = 0;
  for (int64_t f = 0; f < m->n_faces; f++)
    if (is_own(k, m->cell[f][0]) || is_own(k, m->cell[f][1])) k->faces[n++].face = (int32_t)f;
  sort_faces(k);
  return TRIAD_OK;
}

/* Group by group, from 0 each. */
static void colour_faces(making *k)
{
  for (int64_t begin = 0, end; begin < k->n_faces; begin = end) {
    for (end = begin; end < k->n_faces && k->faces[end].group == k->faces[begin].group; end++) {
      k->pairs[end][0] = k->faces[end].left;
      k->pairs[end][1] = k->faces[end].right;
    }
    memset(k->taken, 0, (size_t)(k->n + k->d->n_ghosts) * sizeof *k->taken);
    int n = triad_fct_colour((const int32_t(*)[2])k->pairs + begin, end - begin, k->taken, k->colour + begin);
    if (n > k->d->n_colours) k->d->n_colours = n;
    for (int64_t i = begin; i < end; i++) k->faces[i].colour = k->colour[i];
  }
}

/* Cells anew: those on the left of the faces of the first colour, those on their right, and the others. A cell that is
 * on both sides of its face, of a periodic mesh one cell thick, is on the left alone. */
static void coalesce(making *k)
{
  int64_t n = 0;
  for (int side = 0; side < 2; side++)
    for (int64_t i = 0; i < k->n_faces; i++) {
      const entry *e = &k->faces[i];
      if (e->group != 0 || e->colour != 0 || (side && e->left == e->right)) continue;
      k->room[n++] = side ? e->right : e->left;
    }
  uint8_t *seen = k->colour; /* there are more faces than cells */
  memset(seen, 0, (size_t)k->n_faces);
  for (int64_t i = 0; i < n; i++) seen[k->room[i]] = 1;
  for (int64_t i = 0; i < k->n; i++)
    if (!seen[i]) k->room[n++] = (int32_t)i;
  for (int64_t i = 0; i < k->n; i++) k->room[i] = k->list[k->room[i]];
  memcpy(k->list, k->room, (size_t)k->n * sizeof *k->list);
  put_edge_last(k);
}

/* Colours stay with their faces whatever the cells' numbers. Without loops by colours faces go by their left cells. */
static int order_faces(making *k, triad_fct_numbering numbering, int coloured)
{
  triad_fct_domain *d = k->d;
  colour_faces(k);
  if (numbering == TRIAD_FCT_COALESCED) {
    qsort(k->faces, (size_t)k->n_faces, sizeof *k->faces, entry_order);
    coalesce(k);
  }
  sort_faces(k);
  for (int64_t i = 0; i < k->n_faces && coloured; i++)
    if (i == 0 || k->faces[i].colour != k->faces[i - 1].colour || k->faces[i].group != k->faces[i - 1].group)
      d->group[d->n_groups++] = i;
  d->group[d->n_groups] = k->n_faces;
  if (coloured) return TRIAD_OK;
  for (int64_t i = 0; i < k->n_faces; i++) k->faces[i].colour = 0;
  sort_faces(k);
  return TRIAD_OK;
}

static void set_face(triad_fct_domain *d, const entry *e, int64_t f)
{
  const triad_fct_mesh *m = d->mesh;
  const double *shift = m->cell[e->face][1] >= 0 && m->patch[e->face] >= 0 ? m->shift[m->patch[e->face]] : NULL;
  const double *s = m->area[e->face], area = sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]);
  triad_fct_face *face = &d->face[f];
  d->cell[f][0] = e->left;
  d->cell[f][1] = e->right;
  face->area = (triad_real)area;
  for (int a = 0; a < 3; a++) {
    double at = m->face_centre[e->face][a], from[2];
    from[0] = at - m->centre[m->cell[e->face][0]][a];
    from[1] = m->cell[e->face][1] < 0 ? 0 : at + (shift ? shift[a] : 0) - m->centre[m->cell[e->face][1]][a];
    face->n[a] = (triad_real)((e->flipped ? -s[a] : s[a]) / area);
    face->from[0][a] = (triad_real)from[e->flipped];
    face->from[1][a] = (triad_real)from[!e->flipped];
  }
}

static int make_faces(making *k)
{
  triad_fct_domain *d = k->d;
  triad_memory *memory = d->context->memory;
  d->n_faces = k->n_faces;
  for (int64_t i = 0; i < k->n_faces; i++) {
    d->n_own += k->faces[i].group == 0;
    d->n_inner += k->faces[i].group <= 1;
  }
  TRIAD_TRY(TRIAD_ALLOC(memory, "domain", d->n_faces, &d->cell));
  TRIAD_TRY(TRIAD_ALLOC(memory, "domain", d->n_faces, &d->face));
  TRIAD_TRY(TRIAD_ALLOC(memory, "domain", d->n_faces - d->n_inner, &d->patch));
  for (int64_t i = 0; i < d->n_faces; i++) {
    set_face(d, &k->faces[i], i);
    if (i >= d->n_inner) d->patch[i - d->n_inner] = k->m->patch[k->faces[i].face];
  }
  return TRIAD_OK;
}

/* ---- cells' sides ---- */

/* Sides in the order of faces, which is that of colours where loops go by them. */
static int make_sides(making *k)
{
  triad_fct_domain *d = k->d;
  triad_memory *memory = d->context->memory;
  TRIAD_TRY(TRIAD_ALLOC(memory, "domain", d->n_cells + 1, &d->first));
  for (int64_t f = 0; f < d->n_faces; f++)
    for (int s = 0; s < 2; s++)
      if (d->cell[f][s] >= 0 && d->cell[f][s] < d->n_cells) d->first[d->cell[f][s] + 1]++;
  for (int64_t c = 0; c < d->n_cells; c++) d->first[c + 1] += d->first[c];
  TRIAD_TRY(TRIAD_ALLOC(memory, "domain", d->first[d->n_cells], &d->side));
  for (int64_t f = 0; f < d->n_faces; f++)
    for (int s = 0; s < 2; s++) {
      int32_t c = d->cell[f][s];
      if (c >= 0 && c < d->n_cells) d->side[d->first[c]++] = (int32_t)(2 * f + s);
    }
  for (int64_t c = d->n_cells; c > 0; c--) d->first[c] = d->first[c - 1];
  d->first[0] = 0;
  return TRIAD_OK;
}

/* ---- least squares ---- */

static int invert(const double s[6], double out[6])
{
  double a = s[3] * s[5] - s[4] * s[4], b = s[2] * s[4] - s[1] * s[5], c = s[1] * s[4] - s[2] * s[3];
  double det = s[0] * a + s[1] * b + s[2] * c, size = s[0] + s[3] + s[5];
  if (!(fabs(det) > 1e-12 * size * size * size)) return 0;
  out[0] = a / det;
  out[1] = b / det;
  out[2] = c / det;
  out[3] = (s[0] * s[5] - s[2] * s[2]) / det;
  out[4] = (s[1] * s[2] - s[0] * s[4]) / det;
  out[5] = (s[0] * s[3] - s[1] * s[1]) / det;
  return 1;
}

/* A cell whose neighbours lie in a plane has no gradient: zeros. */
static void measure_cell(triad_fct_domain *d, int64_t c)
{
  double sum[6] = {0}, inverse[6] = {0};
  for (int64_t i = d->first[c]; i < d->first[c + 1]; i++) {
    int64_t f = d->side[i] >> 1;
    triad_real x[3];
    triad_fct_across(&d->face[f], d->side[i] & 1, f >= d->n_inner, x);
    double weight = 1 / ((double)x[0] * x[0] + (double)x[1] * x[1] + (double)x[2] * x[2]);
    for (int a = 0, at = 0; a < 3; a++)
      for (int b = a; b < 3; b++) sum[at++] += weight * (double)x[a] * (double)x[b];
  }
  if (!invert(sum, inverse)) memset(inverse, 0, sizeof inverse);
  for (int a = 0; a < 6; a++) d->inverse[c][a] = (triad_real)inverse[a];
}

static int measure_cells(triad_fct_domain *d)
{
  int64_t all = d->n_cells + d->n_ghosts;
  triad_memory *memory = d->context->memory;
  TRIAD_TRY(TRIAD_ALLOC(memory, "domain", all, &d->volume));
  TRIAD_TRY(TRIAD_ALLOC(memory, "domain", all, &d->per_volume));
  TRIAD_TRY(TRIAD_ALLOC(memory, "domain", d->n_cells, &d->inverse));
  for (int64_t c = 0; c < all; c++) {
    d->volume[c] = (triad_real)d->mesh->volume[d->global[c]];
    d->per_volume[c] = (triad_real)(1 / d->mesh->volume[d->global[c]]);
  }
  for (int64_t c = 0; c < d->n_cells; c++) measure_cell(d, c);
  d->entries = (triad_mesh_entries){d->mesh->n_cells, d->n_cells, d->n_cells, d->global,
                                    (const double(*)[3])d->mesh->centre, d->mesh->volume};
  return TRIAD_OK;
}

/* ---- the whole ---- */

static int make(making *k, triad_fct_numbering numbering, int coloured)
{
  TRIAD_TRY(list_cells(k, numbering));
  if (k->n == 0)
    return TRIAD_FAIL(TRIAD_ERR_CASE, "rank %d has no cell: the mesh has %lld, take fewer ranks", rank_here(k),
                      (long long)k->m->n_cells);
  TRIAD_TRY(place_cells(k));
  TRIAD_TRY(list_faces(k));
  TRIAD_TRY(order_faces(k, numbering, coloured));
  for (int64_t i = 0; i < k->n; i++) k->d->global[i] = k->list[i];
  TRIAD_TRY(make_faces(k));
  TRIAD_TRY(make_sides(k));
  return measure_cells(k->d);
}

int triad_fct_domain_create(triad_fct_domain **out, const triad_context *context, const triad_fct_mesh *mesh,
                            triad_fct_numbering numbering, int coloured)
{
  triad_fct_domain *d = *out = calloc(1, sizeof *d);
  if (!d) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the domain");
  making k = {.d = d, .m = mesh};
  d->context = context;
  d->mesh = mesh;
  int st = make(&k, numbering, coloured);
  triad_memory *memory = context->memory;
  TRIAD_FREE(memory, &k.list);
  TRIAD_FREE(memory, &k.along);
  TRIAD_FREE(memory, &k.local);
  TRIAD_FREE(memory, &k.room);
  TRIAD_FREE(memory, &k.at_edge);
  TRIAD_FREE(memory, &k.faces);
  TRIAD_FREE(memory, &k.taken);
  TRIAD_FREE(memory, &k.colour);
  TRIAD_FREE(memory, &k.pairs);
  return st;
}

void triad_fct_domain_destroy(triad_fct_domain **domain)
{
  triad_fct_domain *d = *domain;
  if (!d) return;
  triad_memory *memory = d->context->memory;
  TRIAD_FREE(memory, &d->rank_of);
  TRIAD_FREE(memory, &d->global);
  TRIAD_FREE(memory, &d->volume);
  TRIAD_FREE(memory, &d->per_volume);
  TRIAD_FREE(memory, &d->inverse);
  TRIAD_FREE(memory, &d->cell);
  TRIAD_FREE(memory, &d->face);
  TRIAD_FREE(memory, &d->patch);
  TRIAD_FREE(memory, &d->first);
  TRIAD_FREE(memory, &d->side);
  free(d);
  *domain = NULL;
}

/* ---- the exchange ---- */

/* Runs of each peer: cells list[begin .. end - 1], all numbers of each. Sent cells by their global number, in which
 * order the receiver has its ghosts. */
static int add_runs(const triad_fct_domain *d, triad_exchange_plan *plan, const ghost *list, int64_t n, const int64_t *at,
                    int numbers, int receive)
{
  int64_t *places = NULL;
  int st = TRIAD_ALLOC(d->context->memory, "domain being made", n, &places);
  for (int64_t begin = 0, end; begin < n && st == TRIAD_OK; begin = end) {
    for (end = begin; end < n && list[end].rank == list[begin].rank; end++) places[end] = at[end] * numbers;
    triad_exchange_run run = triad_exchange_run_of_list(places + begin, end - begin);
    st = receive ? triad_exchange_plan_receive(plan, list[begin].rank, &run)
                 : triad_exchange_plan_send(plan, list[begin].rank, &run);
  }
  TRIAD_FREE(d->context->memory, &places);
  return st;
}

static int make_plan(const triad_fct_domain *d, triad_exchange_plan **plan, int numbers)
{
  triad_memory *memory = d->context->memory;
  ghost *ghosts = NULL, *seen = NULL;
  int64_t n_ghosts = 0, n_seen = 0, *at = NULL, *local = NULL;
  int st = triad_exchange_plan_create(plan);
  if (st == TRIAD_OK) st = across(d, 0, &ghosts, &n_ghosts);
  if (st == TRIAD_OK) st = across(d, 1, &seen, &n_seen);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(memory, "domain being made", n_ghosts + n_seen, &at);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(memory, "domain being made", d->mesh->n_cells, &local);
  if (st == TRIAD_OK) {
    for (int64_t i = 0; i < d->n_cells; i++) local[d->global[i]] = i;
    for (int64_t i = 0; i < n_seen; i++) at[i] = local[seen[i].cell];
    st = add_runs(d, *plan, seen, n_seen, at, numbers, 0);
    for (int64_t i = 0; i < n_ghosts; i++) at[i] = d->n_cells + i;
    if (st == TRIAD_OK) st = add_runs(d, *plan, ghosts, n_ghosts, at, numbers, 1);
  }
  TRIAD_FREE(memory, &ghosts);
  TRIAD_FREE(memory, &seen);
  TRIAD_FREE(memory, &at);
  TRIAD_FREE(memory, &local);
  return st;
}

int triad_fct_domain_halo(triad_halo **out, const triad_fct_domain *d, int numbers)
{
  triad_exchange_plan *plan = NULL;
  *out = NULL;
  int st = triad_agree(&d->context->comm, make_plan(d, &plan, numbers));
  if (st == TRIAD_OK) return triad_halo_create(out, d->context, &plan, numbers);
  triad_exchange_plan_destroy(&plan);
  return st;
}
