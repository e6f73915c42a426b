/* Spaces of modes, boxes and planes (space.h). */
#include "grid/space.h"

#include <math.h>
#include <string.h>

double triad_axis_position(const triad_axis *a, int64_t i)
{
  return a->at ? a->at[i] : a->first + (double)i * a->length / (double)a->n;
}

/* The width of the cell around a point. */
static double width_of(const triad_axis *a, int64_t i)
{
  return a->edge ? a->edge[i + 1] - a->edge[i] : a->length / (double)a->n;
}

/* ---- modes ---- */

/* A column, kz after kz; in memory its lane of a block. */
static void run_of_modes(const triad_space *s, int64_t c, triad_space_run *run)
{
  const triad_layout *l = s->layout;
  *run = (triad_space_run){.global = triad_layout_number(l, c) * l->nkz,
                           .at = triad_layout_place(l, c, 0),
                           .step = l->lanes,
                           .count = l->nkz,
                           .weight = l->weight[c]};
}

static const triad_space_kind modes = {.name = "modes", .run = run_of_modes};

void triad_space_modes(triad_space *s, const triad_layout *l)
{
  *s = (triad_space){.kind = &modes,
                     .n_dims = 2,
                     .parts = 2,
                     .dims = {l->all_columns, l->nkz},
                     .all = l->all_columns * l->nkz,
                     .here = l->n_columns * l->nkz,
                     .memory = l->modes,
                     .n_runs = l->n_columns,
                     .padded = 1,
                     .layout = l};
}

/* ---- box ---- */

/* A row along x. */
static void run_of_box(const triad_space *s, int64_t i, triad_space_run *run)
{
  const triad_partition *b = &s->blocks;
  int64_t y = i % b->local[1], z = i / b->local[1];
  *run = (triad_space_run){.global = ((b->begin[2] + z) * b->n[1] + b->begin[1] + y) * b->n[0] + b->begin[0],
                           .at = triad_partition_at(b, 0, y, z),
                           .step = 1,
                           .count = b->local[0],
                           .weight = 1};
}

static void indices_of(const triad_space *s, int64_t global, int64_t at[3])
{
  at[0] = global % s->dims[2];
  at[1] = global / s->dims[2] % s->dims[1];
  at[2] = global / s->dims[2] / s->dims[1];
}

static void position_in_box(const triad_space *s, int64_t global, double x[3])
{
  int64_t at[3];
  indices_of(s, global, at);
  for (int i = 0; i < 3; i++) x[i] = triad_axis_position(&s->axis[i], at[i]);
}

static double volume_in_box(const triad_space *s, int64_t global)
{
  int64_t at[3];
  double volume = 1;
  indices_of(s, global, at);
  for (int i = 0; i < 3; i++) volume *= width_of(&s->axis[i], at[i]);
  return volume;
}

static const triad_space_kind box = {
  .name = "box", .run = run_of_box, .position = position_in_box, .volume = volume_in_box};

int triad_space_is_box(const triad_space *s) { return s->kind == &box; }

void triad_space_box(triad_space *s, const triad_partition *b, const double length[3])
{
  *s = (triad_space){.kind = &box,
                     .n_dims = 3,
                     .parts = 1,
                     .dims = {b->n[2], b->n[1], b->n[0]},
                     .all = b->n[0] * b->n[1] * b->n[2],
                     .here = triad_partition_points(b),
                     .memory = b->volume,
                     .n_runs = b->local[0] > 0 ? b->local[1] * b->local[2] : 0,
                     .blocks = *b};
  for (int i = 0; i < 3; i++)
    s->axis[i] = (triad_axis){.n = b->n[i],
                              .periodic = b->periodic[i],
                              .length = length[i],
                              .first = b->periodic[i] ? 0 : 0.5 * length[i] / (double)b->n[i]};
}

void triad_axes_of_grid(triad_axis axis[3], const triad_grid *g)
{
  for (int i = 0; i < 3; i++) axis[i] = (triad_axis){.n = g->n[i], .periodic = 1, .length = g->length[i]};
}

void triad_space_planes(triad_space *s, const triad_layout *l)
{
  const int64_t *n = l->grid.n;
  triad_partition b = {.n = {n[0], n[1], n[2]},
                       .periodic = {1, 1, 1},
                       .rank = l->rank,
                       .size = l->size,
                       .dims = {1, l->group, l->size / l->group},
                       .place = {0, l->member, l->rank / l->group},
                       .begin = {0, l->first_y, l->first_plane},
                       .local = {n[0], l->n_y, l->n_planes},
                       .stride = {1, n[0], n[0] * l->n_y},
                       .volume = triad_layout_points(l)};
  triad_space_box(s, &b, l->grid.length);
  /* fields of leaning modes repeat after the side along y only if they are shifted along x */
  s->skew = triad_layout_skew(l);
  s->axis[1].periodic = s->skew == 0;
}
