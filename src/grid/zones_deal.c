/* Cut zones into parts of similar cost, and assign these to ranks. */
#include "grid/zones_deal.h"
#include "grid/zones.h"

#include <stdlib.h>
#include <string.h>

/* Most pieces that a zone is cut into beyond what ranks ask for, to balance uneven zones. */
enum { MOST_FINER = 8 };

/* How a zone is cut: pieces along each axis. */
typedef struct cut {
  int64_t by[3];
} cut;

static int64_t most_pieces(const triad_zone *z, int axis) { return z->n[axis] >= 4 ? z->n[axis] / 2 : 1; }

/* Cells of the largest piece, and those that it has others send: the cut's cost. */
static double cost_of(const triad_zone *z, const cut *c)
{
  double side[3], cells = 1, surface = 0;
  for (int a = 0; a < 3; a++) {
    side[a] = (double)((z->n[a] + c->by[a] - 1) / c->by[a]);
    cells *= side[a];
  }
  for (int a = 0; a < 3; a++)
    if (c->by[a] > 1) surface += 2 * TRIAD_ZONE_HALO * cells / side[a];
  return cells + surface;
}

/* The cheapest into n pieces, the slowest axis first among equals. 0: there is none. */
static int cut_into(const triad_zone *z, int64_t n, int along, cut *best)
{
  double least = -1;
  for (int64_t k = 1; k <= n && k <= most_pieces(z, 2); k++)
    for (int64_t j = 1; n % k == 0 && j <= n / k && j <= most_pieces(z, 1); j++) {
      const cut c = {{n / k / j, j, k}};
      if (n / k % j != 0 || c.by[0] > most_pieces(z, 0) || (along >= 0 && c.by[along] != n)) continue;
      double cost = cost_of(z, &c);
      if (least >= 0 && cost > least) continue;
      least = cost;
      *best = c;
    }
  return least >= 0;
}

/* Into so many pieces, a few more where that many cannot be, or as many as can. */
static cut best_cut(const triad_zone *z, int64_t pieces, int along)
{
  cut best = {{1, 1, 1}};
  for (int64_t n = pieces; n < 2 * pieces + 8; n++)
    if (cut_into(z, n, along, &best)) return best;
  for (int64_t n = pieces - 1; n > 1; n--)
    if (cut_into(z, n, along, &best)) return best;
  return best;
}

static int larger(const void *a, const void *b)
{
  int64_t one = triad_zone_part_cells(a), other = triad_zone_part_cells(b);
  const triad_zone_part *p = a, *q = b;
  if (one != other) return one < other ? 1 : -1;
  if (p->zone != q->zone) return p->zone - q->zone;
  for (int i = 2; i >= 0; i--)
    if (p->low[i] != q->low[i]) return p->low[i] > q->low[i] ? 1 : -1;
  return 0;
}

static int by_zone(const void *a, const void *b)
{
  const triad_zone_part *p = a, *q = b;
  if (p->zone != q->zone) return p->zone - q->zone;
  for (int i = 2; i >= 0; i--)
    if (p->low[i] != q->low[i]) return p->low[i] > q->low[i] ? 1 : -1;
  return 0;
}

/* All parts of this fineness: a piece for each `share` cells. */
static int cut_all(const triad_zones *z, double share, int pieces, int along, triad_zone_part **out, int *n)
{
  *n = 0;
  *out = NULL;
  for (int pass = 0; pass < 2; pass++) {
    int at = 0;
    if (pass == 1 && !(*out = calloc((size_t)*n + 1, sizeof **out)))
      return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%d parts of zones", *n);
    for (int i = 0; i < z->n; i++) {
      const triad_zone *zone = &z->zone[i];
      double cells = (double)zone->n[0] * (double)zone->n[1] * (double)zone->n[2];
      int64_t wanted = (int64_t)(cells / share + 0.999);
      cut c = best_cut(zone, wanted > pieces ? wanted : pieces > 0 ? pieces : 1, along);
      for (int64_t p = 0; p < c.by[0] * c.by[1] * c.by[2]; p++, at++) {
        const int64_t place[3] = {p % c.by[0], p / c.by[0] % c.by[1], p / c.by[0] / c.by[1]};
        triad_zone_part part = {.zone = i};
        for (int a = 0; a < 3; a++) {
          part.low[a] = zone->n[a] * place[a] / c.by[a];
          part.n[a] = zone->n[a] * (place[a] + 1) / c.by[a] - part.low[a];
        }
        if (pass == 1) (*out)[at] = part;
      }
    }
    *n = at;
  }
  return TRIAD_OK;
}

/* The largest first, to the rank that has least. Returns the most that a rank gets. */
static int64_t hand_out(triad_zone_part *part, int n, int64_t *has, int size)
{
  int64_t most = 0;
  memset(has, 0, (size_t)size * sizeof *has);
  qsort(part, (size_t)n, sizeof *part, larger);
  for (int i = 0; i < n; i++) {
    int least = 0;
    for (int r = 1; r < size; r++)
      if (has[r] < has[least]) least = r;
    part[i].rank = least;
    has[least] += triad_zone_part_cells(&part[i]);
    if (has[least] > most) most = has[least];
  }
  return most;
}

enum { LINE = 16 }; /* numbers: 128 bytes in double precision */

static void place_in_memory(triad_zones *z, int64_t *at)
{
  memset(at, 0, sizeof *at);
  for (int i = 0; i < z->n_parts; i++) {
    triad_zone_part *p = &z->part[i];
    int64_t volume = 1;
    for (int a = 0; a < 3; a++) {
      p->halo[a] = a == z->zone[p->zone].flat ? 0 : TRIAD_ZONE_HALO;
      p->stride[a] = volume;
      volume *= p->n[a] + 2 * p->halo[a];
    }
    const int64_t before = p->halo[0] + p->halo[1] * p->stride[1] + p->halo[2] * p->stride[2];
    p->origin = (at[p->rank] + before + LINE - 1) / LINE * LINE;
    p->room = p->origin - before + volume - at[p->rank];
    at[p->rank] += p->room;
  }
}

int triad_zones_deal(triad_zones *z, int size, int pieces, int along)
{
  int64_t *has = calloc((size_t)size, sizeof *has), least = INT64_MAX;
  double share = (double)z->all / size;
  int st = has ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "cells of %d ranks", size);
  free(z->part);
  z->part = NULL;
  for (int finer = 1; st == TRIAD_OK && finer <= MOST_FINER; finer++) {
    triad_zone_part *part;
    int n;
    st = cut_all(z, size == 1 ? (double)z->all : share / finer, pieces, along, &part, &n);
    if (st != TRIAD_OK) break;
    int64_t most = hand_out(part, n, has, size);
    /* finer cuts cost messages: they must win 2 % */
    if (n >= size && (least == INT64_MAX || (double)most < 0.98 * (double)least)) {
      free(z->part);
      z->part = part;
      z->n_parts = n;
      least = most;
    } else free(part);
    if (size == 1) break;
  }
  if (st == TRIAD_OK && !z->part && along >= 0)
    st = TRIAD_FAIL(TRIAD_ERR_CASE,
                    "%d ranks are too many for a grid of %lld cells in %d block%s that are divided along %c only: use "
                    "fewer ranks, or parallel.cut = \"auto\"",
                    size, (long long)z->all, z->n, z->n == 1 ? "" : "s", "ijk"[along]);
  else if (st == TRIAD_OK && !z->part)
    st = TRIAD_FAIL(TRIAD_ERR_CASE, "%d ranks are too many for a grid of %lld cells in %d block%s: use fewer", size,
                    (long long)z->all, z->n, z->n == 1 ? "" : "s");
  if (st == TRIAD_OK) {
    qsort(z->part, (size_t)z->n_parts, sizeof *z->part, by_zone);
    for (int i = 0, at = 0; i <= z->n; i++) {
      while (at < z->n_parts && z->part[at].zone < i) at++;
      z->first_part[i] = at;
    }
    memset(has, 0, (size_t)size * sizeof *has);
    place_in_memory(z, has);
  }
  free(has);
  return st;
}
