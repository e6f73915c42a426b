/* Nearest-point search in a uniform grid of buckets (nearest.h). */
#include "mesh/nearest.h"

#include "base/status.h"

#include <math.h>
#include <stdlib.h>

struct triad_mesh_nearest {
  triad_memory *memory;
  const double (*x)[3];
  int64_t n, buckets[3], *first, *list; /* points of bucket b: list[first[b] .. first[b + 1] - 1], in rising order */
  double low[3], width;
};

static int64_t bucket_along(const triad_mesh_nearest *s, const double x[3], int axis)
{
  double at = (x[axis] - s->low[axis]) / s->width;
  if (!(at > 0)) return 0;
  return at < (double)s->buckets[axis] ? (int64_t)at : s->buckets[axis] - 1;
}

static int64_t bucket_of(const triad_mesh_nearest *s, const double x[3])
{
  return (bucket_along(s, x, 2) * s->buckets[1] + bucket_along(s, x, 1)) * s->buckets[0] + bucket_along(s, x, 0);
}

/* Buckets are cubes, two points in each if they filled the box evenly; a flat box has one layer of them. */
static void choose_buckets(triad_mesh_nearest *s)
{
  double high[3], volume = 1, longest = 0;
  int thick = 0;
  for (int a = 0; a < 3; a++) s->low[a] = high[a] = s->x[0][a];
  for (int64_t i = 0; i < s->n; i++)
    for (int a = 0; a < 3; a++) {
      s->low[a] = fmin(s->low[a], s->x[i][a]);
      high[a] = fmax(high[a], s->x[i][a]);
    }
  for (int a = 0; a < 3; a++) longest = fmax(longest, high[a] - s->low[a]);
  for (int a = 0; a < 3; a++)
    if (high[a] - s->low[a] > 1e-3 * longest) {
      volume *= (high[a] - s->low[a]) / longest;
      thick++;
    }
  s->width = longest > 1e-300 ? longest * fmax(pow(2 * volume / (double)s->n, 1.0 / thick), 1e-3) : 1;
  for (int a = 0; a < 3; a++) s->buckets[a] = 1 + (int64_t)((high[a] - s->low[a]) / s->width);
}

int triad_mesh_nearest_create(triad_mesh_nearest **out, triad_memory *memory, const double (*x)[3], int64_t n)
{
  triad_mesh_nearest *s = *out = calloc(1, sizeof *s);
  if (!s) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "a search");
  *s = (triad_mesh_nearest){.memory = memory, .x = x, .n = n};
  choose_buckets(s);
  int64_t all = s->buckets[0] * s->buckets[1] * s->buckets[2];
  TRIAD_TRY(TRIAD_ALLOC(memory, "nearest points", all + 1, &s->first));
  TRIAD_TRY(TRIAD_ALLOC(memory, "nearest points", n, &s->list));
  for (int64_t i = 0; i < n; i++) s->first[bucket_of(s, x[i]) + 1]++;
  for (int64_t b = 0; b < all; b++) s->first[b + 1] += s->first[b];
  for (int64_t i = 0; i < n; i++) s->list[s->first[bucket_of(s, x[i])]++] = i;
  for (int64_t b = all; b > 0; b--) s->first[b] = s->first[b - 1];
  s->first[0] = 0;
  return TRIAD_OK;
}

void triad_mesh_nearest_destroy(triad_mesh_nearest **nearest)
{
  triad_mesh_nearest *s = *nearest;
  if (!s) return;
  TRIAD_FREE(s->memory, &s->first);
  TRIAD_FREE(s->memory, &s->list);
  free(s);
  *nearest = NULL;
}

typedef struct best {
  int64_t number;
  double distance2;
} best;

static void search_bucket(const triad_mesh_nearest *s, int64_t bucket, const double at[3], best *b)
{
  for (int64_t i = s->first[bucket]; i < s->first[bucket + 1]; i++) {
    const double *x = s->x[s->list[i]];
    double d2 = (x[0] - at[0]) * (x[0] - at[0]) + (x[1] - at[1]) * (x[1] - at[1]) + (x[2] - at[2]) * (x[2] - at[2]);
    if (d2 > b->distance2 || (!(d2 < b->distance2) && b->number >= 0 && s->list[i] > b->number)) continue;
    *b = (best){s->list[i], d2};
  }
}

/* Buckets at `ring` from the middle along one axis at least. */
static void search_ring(const triad_mesh_nearest *s, const int64_t middle[3], int64_t ring, const double at[3], best *b)
{
  int64_t begin[3], end[3];
  for (int a = 0; a < 3; a++) {
    begin[a] = middle[a] - ring > 0 ? middle[a] - ring : 0;
    end[a] = middle[a] + ring < s->buckets[a] - 1 ? middle[a] + ring : s->buckets[a] - 1;
  }
  for (int64_t k = begin[2]; k <= end[2]; k++)
    for (int64_t j = begin[1]; j <= end[1]; j++) {
      const int whole = llabs(k - middle[2]) == ring || llabs(j - middle[1]) == ring;
      for (int64_t i = whole ? begin[0] : middle[0] - ring; i <= end[0]; i += whole || ring == 0 ? 1 : 2 * ring)
        if (i >= 0) search_bucket(s, (k * s->buckets[1] + j) * s->buckets[0] + i, at, b);
    }
}

/* After ring r all points closer than (r - 1) widths have been searched. */
int64_t triad_mesh_nearest_find(const triad_mesh_nearest *s, const double at[3], double *distance2)
{
  best b = {-1, INFINITY};
  int64_t middle[3], most = 0;
  for (int a = 0; a < 3; a++) {
    middle[a] = bucket_along(s, at, a);
    if (s->buckets[a] > most) most = s->buckets[a];
  }
  for (int64_t ring = 0; ring <= most; ring++) {
    double reached = (double)(ring - 1) * s->width;
    if (b.number >= 0 && ring > 0 && reached * reached > b.distance2) break;
    search_ring(s, middle, ring, at, &b);
  }
  *distance2 = b.distance2;
  return b.number;
}

static int is_within(const double x[3], const double low[3], const double high[3])
{
  for (int a = 0; a < 3; a++)
    if (!(x[a] >= low[a] && x[a] <= high[a])) return 0;
  return 1;
}

void triad_mesh_nearest_box(const triad_mesh_nearest *s, const double low[3], const double high[3],
                            triad_mesh_nearest_each *each, void *who)
{
  int64_t begin[3], end[3];
  for (int a = 0; a < 3; a++) {
    begin[a] = bucket_along(s, low, a);
    end[a] = bucket_along(s, high, a);
  }
  for (int64_t k = begin[2]; k <= end[2]; k++)
    for (int64_t j = begin[1]; j <= end[1]; j++)
      for (int64_t i = begin[0]; i <= end[0]; i++) {
        const int64_t bucket = (k * s->buckets[1] + j) * s->buckets[0] + i;
        for (int64_t p = s->first[bucket]; p < s->first[bucket + 1]; p++)
          if (is_within(s->x[s->list[p]], low, high)) each(who, s->list[p]);
      }
}
