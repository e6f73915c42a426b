/* The exchange plan of zones. A rank finds the cell behind each of its ghosts, and that cell's owner and memory index,
 * and sends each owner the list of indices that it needs, in order. */
#include "grid/zones_plan.h"
#include "grid/zones.h"

#include <stdlib.h>
#include <string.h>

/* Ghosts by the rank that they come from. */
typedef struct asked {
  int64_t n, room;
  int64_t *here, *there; /* places in this rank's memory and in the owner's */
} asked;

typedef struct search {
  const triad_zones *zones;
  const triad_zone_part *part;
  asked *of; /* [size] */
  int64_t (*left)[4], n_left, left_room;
} search;

static int ask(asked *a, int64_t here, int64_t there)
{
  if (a->n == a->room) {
    a->room = 2 * a->room + 64;
    int64_t *h = realloc(a->here, (size_t)a->room * sizeof *h);
    if (h) a->here = h;
    int64_t *t = realloc(a->there, (size_t)a->room * sizeof *t);
    if (t) a->there = t;
    if (!h || !t) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%lld ghosts", (long long)a->room);
  }
  a->here[a->n] = here;
  a->there[a->n++] = there;
  return TRIAD_OK;
}

/* Edge c of a part, which nothing fills. */
static int leave(search *s, const int64_t c[3])
{
  const triad_zone_part *p = s->part;
  int64_t near[3], row[4];
  int axis[2] = {0, 0}, n = 0;
  for (int a = 0; a < 3; a++) {
    near[a] = c[a] < p->low[a] ? p->low[a] : c[a] >= p->low[a] + p->n[a] ? p->low[a] + p->n[a] - 1 : c[a];
    if (near[a] != c[a] && n < 2) axis[n++] = a;
  }
  row[0] = triad_zone_part_at(p, c);
  row[3] = triad_zone_part_at(p, near);
  for (int i = 0; i < 2; i++) {
    int64_t face[3] = {near[0], near[1], near[2]};
    face[axis[i]] = c[axis[i]];
    row[1 + i] = triad_zone_part_at(p, face);
  }
  if (s->n_left == s->left_room) {
    s->left_room = 2 * s->left_room + 64;
    void *larger = realloc(s->left, (size_t)s->left_room * sizeof *s->left);
    if (!larger) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%lld edges", (long long)s->left_room);
    s->left = larger;
  }
  memcpy(s->left[s->n_left++], row, sizeof row);
  return TRIAD_OK;
}

/* One ghost of a part: beyond `faces` of its faces. */
static int seek(search *s, const int64_t c[3], int faces)
{
  triad_zone_map map;
  int64_t d[3];
  int found = triad_zones_follow(s->zones, s->part->zone, c, &map, d), out = 0;
  for (int a = 0; a < 3 && found == 0; a++) out += d[a] < 0 || d[a] >= s->zones->zone[map.zone].n[a];
  int still = map.zone == s->part->zone && memcmp(c, d, sizeof d) == 0;
  if (found == 0 && faces == 1 && still) return TRIAD_OK; /* the solver's */
  if (found < 0 || (found == 0 && out > 1)) return leave(s, c);
  const triad_zone_part *owner = triad_zones_owner(s->zones, map.zone, d);
  if (!owner) return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "a cell of zone %d has no owner", map.zone + 1);
  return ask(&s->of[owner->rank], triad_zone_part_at(s->part, c), triad_zone_part_at(owner, d));
}

/* Ghosts of the layers beyond faces, and of edges the first layer. */
static int seek_all(search *s, int edges)
{
  const triad_zone_part *p = s->part;
  int64_t low[3], high[3], c[3];
  for (int a = 0; a < 3; a++) {
    low[a] = p->low[a] - p->halo[a];
    high[a] = p->low[a] + p->n[a] + p->halo[a];
  }
  for (c[2] = low[2]; c[2] < high[2]; c[2]++)
    for (c[1] = low[1]; c[1] < high[1]; c[1]++)
      for (c[0] = low[0]; c[0] < high[0]; c[0]++) {
        int faces = 0, deep = 0;
        for (int a = 0; a < 3; a++) {
          int64_t out = c[a] < p->low[a] ? p->low[a] - c[a] : c[a] - (p->low[a] + p->n[a] - 1);
          if (out > 0) faces++;
          if (out > 1) deep = 1;
        }
        if (faces == 0) { /* to the far end of the row */
          c[0] = p->low[0] + p->n[0] - 1;
          continue;
        }
        if (faces == 1 || (edges && faces == 2 && !deep)) TRIAD_TRY(seek(s, c, faces));
      }
  return TRIAD_OK;
}

/* Send each owner the indices that it must send, sorted by rank, and their counts. Collective. */
static int tell_owners(const asked *of, const triad_comm *comm, int64_t **wanted, int *counts)
{
  int size = comm->size, *all = calloc(3 * (size_t)size, sizeof *all), *at = all ? all + size : NULL;
  int64_t total = 0, mine = 0, *places = NULL;
  int st = all ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "messages to %d ranks", size);
  *wanted = NULL;
  for (int r = 0; r < size && st == TRIAD_OK; r++) {
    at[r] = (int)mine;
    st = triad_narrow(r == comm->rank ? 0 : of[r].n, &all[r]);
    mine += all[r];
  }
  if (st == TRIAD_OK) places = calloc((size_t)mine + 1, sizeof *places);
  if (st == TRIAD_OK && !places) st = TRIAD_FAIL(TRIAD_ERR_MEMORY, "%lld ghosts", (long long)mine);
  for (int r = 0; r < size && st == TRIAD_OK; r++)
    if (all[r] > 0) memcpy(places + at[r], of[r].there, (size_t)all[r] * sizeof *places);
  st = triad_agree(comm, st);
  if (st == TRIAD_OK) st = TRIAD_MPI(MPI_Alltoall(all, 1, MPI_INT, counts, 1, MPI_INT, comm->mpi));
  for (int r = 0; r < size && st == TRIAD_OK; r++) {
    at[size + r] = (int)total;
    total += counts[r];
  }
  if (st == TRIAD_OK && !(*wanted = calloc((size_t)total + 1, sizeof **wanted)))
    st = TRIAD_FAIL(TRIAD_ERR_MEMORY, "%lld ghosts", (long long)total);
  st = triad_agree(comm, st);
  if (st == TRIAD_OK)
    st = TRIAD_MPI(MPI_Alltoallv(places, all, at, MPI_INT64_T, *wanted, counts, at + size, MPI_INT64_T, comm->mpi));
  free(places);
  free(all);
  return st;
}

static int make_runs(triad_exchange_plan *plan, const asked *of, const triad_comm *comm, const int64_t *wanted,
                     const int *counts)
{
  const asked *self = &of[comm->rank];
  triad_exchange_run from = triad_exchange_run_of_list(self->there, self->n);
  triad_exchange_run to = triad_exchange_run_of_list(self->here, self->n);
  TRIAD_TRY(triad_exchange_plan_copy(plan, &from, &to));
  for (int r = 0; r < comm->size; wanted += counts[r++]) {
    if (r == comm->rank) continue;
    triad_exchange_run mine = triad_exchange_run_of_list(of[r].here, of[r].n);
    triad_exchange_run theirs = triad_exchange_run_of_list(wanted, counts[r]);
    TRIAD_TRY(triad_exchange_plan_receive(plan, r, &mine));
    TRIAD_TRY(triad_exchange_plan_send(plan, r, &theirs));
  }
  return TRIAD_OK;
}

int triad_zones_plan(triad_exchange_plan **out, const triad_zones *zones, const triad_comm *comm, int edges,
                     int64_t (**left)[4], int64_t *n_left)
{
  search s = {.zones = zones, .of = calloc((size_t)comm->size, sizeof *s.of)};
  int *counts = calloc((size_t)comm->size, sizeof *counts);
  int64_t *wanted = NULL;
  *out = NULL;
  int st =
    s.of && counts ? triad_exchange_plan_create(out) : TRIAD_FAIL(TRIAD_ERR_MEMORY, "ghosts of %d ranks", comm->size);
  for (int i = 0; i < zones->n_parts && st == TRIAD_OK; i++) {
    s.part = &zones->part[i];
    if (s.part->rank == comm->rank) st = seek_all(&s, edges);
  }
  st = triad_agree(comm, st);
  if (st == TRIAD_OK) st = tell_owners(s.of, comm, &wanted, counts);
  if (st == TRIAD_OK) st = triad_agree(comm, make_runs(*out, s.of, comm, wanted, counts));
  for (int r = 0; s.of && r < comm->size; r++) {
    free(s.of[r].here);
    free(s.of[r].there);
  }
  free(s.of);
  free(wanted);
  free(counts);
  *left = s.left;
  *n_left = s.n_left;
  if (st == TRIAD_OK) return TRIAD_OK;
  triad_exchange_plan_destroy(out);
  free(s.left);
  *left = NULL;
  return st;
}
