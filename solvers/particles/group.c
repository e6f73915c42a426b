/* Read a group of particles from a case, and allocate, grow and free its records. */
#include "solvers/particles/group.h"
#include "solvers/particles/exchange.h"

#include <stdio.h>
#include <string.h>

/* Name of a key of table `number`, for the functions of case.h. */
static const char *key(char text[96], int number, const char *name)
{
  (void)snprintf(text, 96, "particles[%d].%s", number, name);
  return text;
}

/* Points along an axis that a value comes from, and whether modes are divided by a spline's transform. */
static const struct {
  const char *word;
  int order, divided;
} ways[] = {{"spline4", 4, 1}, {"spline6", 6, 1}, {"lagrange6", 6, 0}, {"lagrange8", 8, 0}, {"linear", 2, 0}};

void triad_group_describe(triad_group *g, const triad_case *c, int number)
{
  char k[96];
  double gravity[3];
  *g = (triad_group){.number = number,
                     .name = triad_case_word(c, key(k, number, "name")),
                     .count = triad_case_integer(c, key(k, number, "count")),
                     .order = 4,
                     .divided = 1};
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
    if (triad_case_is(c, key(k, number, "interpolation"), ways[i].word)) {
      g->order = ways[i].order;
      g->divided = ways[i].divided;
    }
  if (triad_case_is(c, "equations.solver", "gpe"))
    g->least = triad_case_real(c, key(k, number, "least_density")) * triad_case_real(c, "equations.density");
  if (!triad_case_is(c, key(k, number, "kind"), "inertial")) return;
  const double ratio = triad_case_real(c, key(k, number, "density_ratio"));
  g->kind = TRIAD_INERTIAL;
  g->rate = 1 / triad_case_real(c, key(k, number, "stokes_time"));
  g->mass = ratio < 1e299 ? 3 / (2 * ratio + 1) : 0;
  triad_case_reals(c, key(k, number, "gravity"), gravity, 3);
  for (int i = 0; i < 3; i++) g->pull[i] = (1 - g->mass) * gravity[i]; /* (R - 1)/(R + 1/2) */
}

void triad_group_destroy(triad_group *g, triad_memory *memory)
{
  TRIAD_FREE(memory, &g->record);
  TRIAD_FREE(memory, &g->order_of);
  TRIAD_FREE(memory, &g->key);
  TRIAD_FREE(memory, &g->begin);
  triad_row_buffers_free(&g->buffers);
}

int triad_group_fit(triad_group *g, const triad_context *context, int64_t n)
{
  triad_memory *m = context->memory;
  double *record = NULL;
  int32_t *order = NULL, *key = NULL;
  int64_t room = context->comm.size > 1 ? n + n / 10 + 64 : n;
  if (n <= g->room) return TRIAD_OK;
  if (room > INT32_MAX)
    return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%lld particles on one rank are too many: use more ranks", (long long)n);
  int st = TRIAD_ALLOC(m, "particles", room * g->width, &record);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(m, "particles", room, &order);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(m, "particles", room, &key);
  if (st != TRIAD_OK) {
    TRIAD_FREE(m, &record);
    TRIAD_FREE(m, &order);
    return st;
  }
  if (g->n > 0) memcpy(record, g->record, (size_t)(g->n * g->width) * sizeof *record);
  TRIAD_FREE(m, &g->record);
  TRIAD_FREE(m, &g->order_of);
  TRIAD_FREE(m, &g->key);
  g->record = record;
  g->order_of = order;
  g->key = key;
  g->room = room;
  return TRIAD_OK;
}
