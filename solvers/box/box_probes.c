/* Interpolate fields at the probe points of a box from the points around them, and gather the values on rank 0. */
#include "solvers/box/box.h"

#include "case/probe.h"
#include "parallel/sum.h"

#include <math.h>
#include <stdlib.h>

enum { STENCIL = 4 };

/* The points along an axis from which a coordinate is interpolated, and their weights. */
typedef struct stencil {
  int n;
  int64_t at[STENCIL];
  double weight[STENCIL];
} stencil;

struct triad_box_probes {
  triad_context *context;
  triad_space space;
  int64_t n;
  double *x;         /* [n][3] */
  stencil *stencils; /* [n][3] */
  int64_t points;    /* points of this rank that are needed; some of them for several probes */
  int64_t *at;       /* [points] */
  double *weight;    /* [points] */
  int64_t *begin;    /* [n + 1] those of a place */
  triad_sum *sums;   /* [n][fields] */
  int fields;
};

static stencil make_stencil(const triad_axis *a, double x)
{
  stencil s = {.n = a->n < STENCIL ? (int)a->n : STENCIL};
  const double place = (x - a->first) * (double)a->n / a->length; /* in spacings */
  int64_t first = (int64_t)floor(place) - (s.n - 1) / 2;
  if (!a->periodic && first < 0) first = 0;
  if (!a->periodic && first > a->n - s.n) first = a->n - s.n;
  for (int i = 0; i < s.n; i++) {
    s.at[i] = ((first + i) % a->n + a->n) % a->n;
    s.weight[i] = 1;
    for (int j = 0; j < s.n; j++)
      if (j != i) s.weight[i] *= (place - (double)(first + j)) / (double)(i - j);
  }
  return s;
}

/* A lattice's coordinate, or a point's own; within the box where the axis is periodic. */
static double coordinate(const triad_axis *a, const triad_probe *p, int axis, int64_t i)
{
  const double x = triad_probe_at(p, axis, i, a->length);
  return a->periodic ? x - a->length * floor(x / a->length) : x;
}

int triad_box_probes_check(const triad_case *given, const triad_axis axis[3])
{
  triad_probe list[TRIAD_PROBES];
  int n = triad_probe_list(given, list);
  for (int p = 0; p < n; p++)
    for (int i = 0; i < 3; i++)
      if (!axis[i].periodic && !list[p].lattice && !(list[p].x[i] >= 0 && list[p].x[i] <= axis[i].length))
        return TRIAD_FAIL(TRIAD_ERR_CASE, "output.probes: value %d of %d: %c = %g is outside the box, 0 to %g", p + 1,
                          n, "xyz"[i], list[p].x[i], axis[i].length);
  return TRIAD_OK;
}

static void set_places(triad_box_probes *b, const triad_probe *list, int n)
{
  int64_t at = 0;
  for (int p = 0; p < n; p++)
    for (int64_t k = 0; k < list[p].n[2]; k++)
      for (int64_t j = 0; j < list[p].n[1]; j++)
        for (int64_t i = 0; i < list[p].n[0]; i++, at++) {
          const int64_t number[3] = {i, j, k};
          for (int axis = 0; axis < 3; axis++) {
            const triad_axis *a = &b->space.axis[axis];
            b->x[3 * at + axis] = triad_probe_at(&list[p], axis, number[axis], a->length);
            b->stencils[3 * at + axis] = make_stencil(a, coordinate(a, &list[p], axis, number[axis]));
          }
        }
}

/* This rank's points from which a probe is interpolated, and their number. at NULL: only count. */
static int points_of(const triad_box_probes *b, const stencil s[3], int64_t *at, double *weight)
{
  const triad_partition *p = &b->space.blocks;
  int n = 0;
  for (int k = 0; k < s[2].n; k++)
    for (int j = 0; j < s[1].n; j++)
      for (int i = 0; i < s[0].n; i++) {
        const int64_t x = s[0].at[i] - p->begin[0], y = s[1].at[j] - p->begin[1], z = s[2].at[k] - p->begin[2];
        if (x < 0 || x >= p->local[0] || y < 0 || y >= p->local[1] || z < 0 || z >= p->local[2]) continue;
        if (at) at[n] = (z * p->local[1] + y) * p->local[0] + x;
        if (at) weight[n] = s[0].weight[i] * s[1].weight[j] * s[2].weight[k];
        n++;
      }
  return n;
}

static int set_points(triad_box_probes *b)
{
  triad_memory *memory = b->context->memory;
  for (int64_t p = 0; p < b->n; p++) b->points += points_of(b, b->stencils + 3 * p, NULL, NULL);
  TRIAD_TRY(TRIAD_ALLOC(memory, "probes", b->points, &b->at));
  TRIAD_TRY(TRIAD_ALLOC(memory, "probes", b->points, &b->weight));
  for (int64_t p = 0; p < b->n; p++)
    b->begin[p + 1] = b->begin[p] + points_of(b, b->stencils + 3 * p, b->at + b->begin[p], b->weight + b->begin[p]);
  return TRIAD_OK;
}

int triad_box_probes_create(triad_box_probes **out, triad_context *context, const triad_case *given,
                            const triad_space *space)
{
  triad_probe list[TRIAD_PROBES];
  triad_memory *memory = context->memory;
  int n = triad_probe_list(given, list);
  *out = NULL;
  if (n == 0) return TRIAD_OK;
  int st = TRIAD_ALLOC(memory, "probes", 1, out);
  if (st == TRIAD_OK) {
    triad_box_probes *b = *out;
    b->context = context;
    b->space = *space;
    b->n = triad_probe_places(list, n);
    st = TRIAD_ALLOC(memory, "probes", 3 * b->n, &b->x);
    if (st == TRIAD_OK) st = TRIAD_ALLOC(memory, "probes", 3 * b->n, &b->stencils);
    if (st == TRIAD_OK) st = TRIAD_ALLOC(memory, "probes", b->n + 1, &b->begin);
    if (st == TRIAD_OK) set_places(b, list, n);
    if (st == TRIAD_OK) st = set_points(b);
  }
  st = triad_agree(&context->comm, st);
  if (st != TRIAD_OK) triad_box_probes_destroy(out);
  return st;
}

void triad_box_probes_destroy(triad_box_probes **probes)
{
  triad_box_probes *b = *probes;
  if (!b) return;
  triad_memory *memory = b->context->memory;
  TRIAD_FREE(memory, &b->sums);
  TRIAD_FREE(memory, &b->begin);
  TRIAD_FREE(memory, &b->weight);
  TRIAD_FREE(memory, &b->at);
  TRIAD_FREE(memory, &b->stencils);
  TRIAD_FREE(memory, &b->x);
  TRIAD_FREE(memory, probes);
}

void triad_box_probes_info(const triad_box_probes *b, const triad_field_info *fields, int n, triad_places_info *info)
{
  *info = (triad_places_info){0};
  if (b) *info = (triad_places_info){b->n, b->x, n, fields};
}

int64_t triad_box_probes_points(const triad_box_probes *b, const int64_t **at)
{
  *at = b->at;
  return b->points;
}

int triad_box_probes_values(triad_box_probes *b, int fields, const triad_real *known, double *values)
{
  int n = 0;
  TRIAD_TRY(triad_narrow(b->n * fields, &n));
  if (!b->sums) TRIAD_TRY(triad_agree(&b->context->comm, TRIAD_ALLOC(b->context->memory, "probes", n, &b->sums)));
  for (int64_t p = 0; p < b->n; p++)
    for (int f = 0; f < fields; f++) {
      triad_sum *sum = &b->sums[p * fields + f];
      triad_sum_clear(sum);
      for (int64_t i = b->begin[p]; i < b->begin[p + 1]; i++)
        triad_sum_add(sum, b->weight[i] * (double)known[f * b->points + i]);
    }
  return triad_sum_all(&b->context->comm, b->sums, n, values);
}
