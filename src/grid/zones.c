/* Zones and their joins; the space of all cells of zones (zones.h). */
#include "grid/zones.h"

#include <stdlib.h>
#include <string.h>

int triad_zones_create(triad_zones **out, int n, const int64_t (*cells)[3], const int *flat)
{
  triad_zones *z = *out = calloc(1, sizeof *z);
  if (z) {
    z->zone = calloc((size_t)n + 1, sizeof *z->zone);
    z->first_join = calloc(6 * (size_t)n + 1, sizeof *z->first_join);
    z->first_part = calloc((size_t)n + 1, sizeof *z->first_part);
  }
  if (!z || !z->zone || !z->first_join || !z->first_part) {
    triad_zones_destroy(out);
    return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%d zones", n);
  }
  z->n = n;
  for (int i = 0; i < n; i++) {
    z->zone[i].first = z->all;
    z->zone[i].flat = flat ? flat[i] : TRIAD_ZONE_NOT_FLAT;
    memcpy(z->zone[i].n, cells[i], sizeof z->zone[i].n);
    z->all += cells[i][0] * cells[i][1] * cells[i][2];
  }
  return TRIAD_OK;
}

void triad_zones_destroy(triad_zones **zones)
{
  if (!zones || !*zones) return;
  free((*zones)->zone);
  free((*zones)->join);
  free((*zones)->first_join);
  free((*zones)->part);
  free((*zones)->first_part);
  free(*zones);
  *zones = NULL;
}

static int face_of(const triad_zone_join *j) { return 6 * j->zone + 2 * j->axis + j->upper; }

static int by_face(const void *a, const void *b)
{
  int one = face_of(a), other = face_of(b);
  return (one > other) - (one < other);
}

int triad_zones_join(triad_zones *z, const triad_zone_join *join, int n)
{
  free(z->join);
  z->n_joins = 0;
  z->join = calloc((size_t)n + 1, sizeof *z->join);
  if (!z->join) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%d joins of zones", n);
  z->n_joins = n;
  if (n > 0) memcpy(z->join, join, (size_t)n * sizeof *join); /* join may be NULL where there is none */
  qsort(z->join, (size_t)n, sizeof *z->join, by_face);
  for (int f = 0, at = 0; f <= 6 * z->n; f++) {
    while (at < n && face_of(&z->join[at]) < f) at++;
    z->first_join[f] = at;
  }
  return TRIAD_OK;
}

/* ---- which cell is which ---- */

void triad_zone_map_cell(const triad_zone_map *m, const int64_t c[3], int64_t d[3])
{
  for (int i = 0; i < 3; i++) {
    int to = m->turn.axis[i];
    d[to] = m->offset[to] + (m->turn.reversed[i] ? -c[i] : c[i]);
  }
}

triad_zone_map triad_zone_map_then(const triad_zone_map *a, const triad_zone_map *b)
{
  triad_zone_map m = {.zone = b->zone};
  triad_zone_map_cell(b, a->offset, m.offset);
  for (int i = 0; i < 3; i++) {
    int middle = a->turn.axis[i];
    m.turn.axis[i] = b->turn.axis[middle];
    m.turn.reversed[i] = a->turn.reversed[i] != b->turn.reversed[middle];
    m.shift[i] = a->shift[i] + b->shift[i];
  }
  return m;
}

/* The join that cell c of a zone lies behind, along axis i. */
static const triad_zone_join *join_at(const triad_zones *z, int zone, const int64_t c[3], int i)
{
  const int64_t *n = z->zone[zone].n;
  int face = 6 * zone + 2 * i + (c[i] >= n[i]);
  int64_t near[3];
  for (int a = 0; a < 3; a++) near[a] = c[a] < 0 ? 0 : c[a] >= n[a] ? n[a] - 1 : c[a];
  for (int j = z->first_join[face]; j < z->first_join[face + 1]; j++) {
    const triad_zone_join *join = &z->join[j];
    int inside = 1;
    for (int a = 0; a < 3; a++) inside &= near[a] >= join->low[a] && near[a] < join->high[a];
    if (inside) return join;
  }
  return NULL;
}

static int beyond(const triad_zone *z, const int64_t c[3], int i) { return c[i] < 0 || c[i] >= z->n[i]; }

/* Follow through faces across `first` before others. How many faces it still lies behind. */
static int follow(const triad_zones *z, int zone, const int64_t c[3], int first, triad_zone_map *map, int64_t d[3])
{
  *map = (triad_zone_map){.zone = zone, .turn = {{0, 1, 2}, {0, 0, 0}}};
  memcpy(d, c, 3 * sizeof *d);
  for (int step = 0; step < 64; step++) { /* a zone thinner than the halo is passed through */
    const triad_zone_join *join = NULL;
    int out = 0;
    for (int a = 0; a < 3; a++) {
      int i = (first + a) % 3;
      if (!beyond(&z->zone[map->zone], d, i)) continue;
      out++;
      if (!join) join = join_at(z, map->zone, d, i);
    }
    if (!join) return out;
    int64_t there[3];
    triad_zone_map_cell(&join->to, d, there);
    memcpy(d, there, sizeof there);
    *map = triad_zone_map_then(map, &join->to);
    first = 0;
  }
  return 3;
}

int triad_zones_follow(const triad_zones *z, int zone, const int64_t c[3], triad_zone_map *map, int64_t d[3])
{
  int found = 0, best = 4;
  for (int first = 0; first < 3; first++) {
    triad_zone_map m;
    int64_t at[3];
    if (!beyond(&z->zone[zone], c, first) && (first < 2 || best < 4)) continue;
    int out = follow(z, zone, c, first, &m, at);
    if (out == 0 && found && (m.zone != map->zone || memcmp(at, d, sizeof at) != 0)) return -1;
    if (out >= best) continue;
    best = out;
    *map = m;
    memcpy(d, at, sizeof at);
    found = out == 0;
  }
  return found;
}

const triad_zone_part *triad_zones_owner(const triad_zones *z, int zone, const int64_t d[3])
{
  int64_t near[3];
  for (int a = 0; a < 3; a++) {
    int64_t n = z->zone[zone].n[a];
    near[a] = d[a] < 0 ? 0 : d[a] >= n ? n - 1 : d[a];
  }
  for (int i = z->first_part[zone]; i < z->first_part[zone + 1]; i++) {
    const triad_zone_part *p = &z->part[i];
    int inside = 1;
    for (int a = 0; a < 3; a++) inside &= near[a] >= p->low[a] && near[a] < p->low[a] + p->n[a];
    if (inside) return p;
  }
  return NULL;
}

/* ---- cells of a rank ---- */

int64_t triad_zones_cells(const triad_zones *z, int rank)
{
  int64_t cells = 0;
  for (int i = 0; i < z->n_parts; i++)
    if (z->part[i].rank == rank) cells += triad_zone_part_cells(&z->part[i]);
  return cells;
}

int64_t triad_zones_memory(const triad_zones *z, int rank)
{
  int64_t memory = 0;
  for (int i = 0; i < z->n_parts; i++)
    if (z->part[i].rank == rank) memory += z->part[i].room;
  return memory;
}

/* ---- the space ---- */

/* The parts of a rank, and the first row of each. */
typedef struct rows {
  int n;
  int64_t *first;               /* [n + 1] */
  const triad_zone_part **part; /* [n]     */
  const triad_zones *zones;
} rows;

static void run_of_zones(const triad_space *s, int64_t i, triad_space_run *run)
{
  const rows *r = s->own;
  int low = 0, high = r->n;
  while (high - low > 1) {
    int middle = low + (high - low) / 2;
    if (r->first[middle] <= i) low = middle;
    else high = middle;
  }
  const triad_zone_part *p = r->part[low];
  const triad_zone *z = &r->zones->zone[p->zone];
  int64_t row = i - r->first[low], c[3] = {p->low[0], p->low[1] + row % p->n[1], p->low[2] + row / p->n[1]};
  *run = (triad_space_run){.global = z->first + c[0] + z->n[0] * (c[1] + z->n[1] * c[2]),
                           .at = triad_zone_part_at(p, c),
                           .step = 1,
                           .count = p->n[0],
                           .weight = 1};
}

static const triad_space_kind kind = {.name = "zones", .run = run_of_zones};

int triad_space_zones(triad_space *s, const triad_zones *z, int rank)
{
  rows *r = calloc(1, sizeof *r);
  *s = (triad_space){.kind = &kind,
                     .n_dims = 1,
                     .parts = 1,
                     .dims = {z->all},
                     .all = z->all,
                     .own = r,
                     .here = triad_zones_cells(z, rank),
                     .memory = triad_zones_memory(z, rank)};
  if (r) {
    r->zones = z;
    r->first = calloc((size_t)z->n_parts + 1, sizeof *r->first);
    r->part = calloc((size_t)z->n_parts + 1, sizeof *r->part);
  }
  if (!r || !r->first || !r->part) {
    triad_space_zones_free(s);
    return TRIAD_FAIL(TRIAD_ERR_MEMORY, "rows of %d parts of zones", z->n_parts);
  }
  for (int i = 0; i < z->n_parts; i++) {
    if (z->part[i].rank != rank) continue;
    r->part[r->n] = &z->part[i];
    s->n_runs += z->part[i].n[1] * z->part[i].n[2];
    r->first[++r->n] = s->n_runs;
  }
  return TRIAD_OK;
}

void triad_space_zones_free(triad_space *s)
{
  rows *r = (rows *)(uintptr_t)s->own;
  if (r) {
    free(r->first);
    free(r->part);
  }
  free(r);
  s->own = NULL;
}
