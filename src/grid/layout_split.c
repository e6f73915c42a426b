/* The second split of a layout: rows, lines along y and columns within a group (layout_split.h). */
#include "grid/layout_split.h"

#include <stdlib.h>

enum { NEIGHBOURS = 4 }; /* kx that are assigned together: 64 bytes of a row in double precision */

/* The number of kx to assign at a time, small enough that each member gets four or more ranges. */
static int64_t dealt_at_once(int64_t lines, int group)
{
  int64_t n = NEIGHBOURS;
  while (n > 1 && lines < 4 * n * group) n /= 2;
  return n;
}

static int allocate_tables(triad_split *s, const triad_layout *l)
{
  const size_t lines = (size_t)l->grid.kmax[0] + 1, group = (size_t)s->group;
  s->y_begin = calloc(group + 1, sizeof *s->y_begin);
  s->line_begin = calloc(group + 1, sizeof *s->line_begin);
  s->run_begin = calloc(group + 1, sizeof *s->run_begin);
  s->kx_of = calloc(lines, sizeof *s->kx_of);
  s->member_of = calloc(lines, sizeof *s->member_of);
  s->line_of = calloc(lines, sizeof *s->line_of);
  s->runs = calloc(lines, sizeof *s->runs);
  s->before = calloc(group * ((size_t)l->n_rows + 1), sizeof *s->before);
  if (s->y_begin && s->line_begin && s->run_begin && s->kx_of && s->member_of && s->line_of && s->runs && s->before)
    return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_MEMORY, "lines of groups of %d ranks", s->group);
}

/* Assign ranges of kx to members 0, 1, .. and then .., 1, 0, because low kx have more columns than high ones. */
static void deal_lines(triad_split *s, int64_t lines)
{
  const int64_t some = dealt_at_once(lines, s->group), group = s->group;
  for (int64_t kx = 0; kx < lines; kx++) {
    int64_t number = kx / some, round = number / group, at = number % group;
    s->member_of[kx] = (int32_t)(round % 2 ? group - 1 - at : at);
    s->line_begin[s->member_of[kx] + 1]++;
  }
  for (int m = 0; m < s->group; m++) s->line_begin[m + 1] += s->line_begin[m];
}

static void number_lines(triad_split *s, int64_t lines)
{
  int64_t line = 0, run = 0;
  for (int m = 0; m < s->group; m++) {
    for (int64_t kx = 0; kx < lines; kx++) {
      if (s->member_of[kx] != m) continue;
      s->line_of[kx] = (int32_t)(line - s->line_begin[m]);
      s->kx_of[line++] = (int32_t)kx;
      if (kx > 0 && s->member_of[kx - 1] == m) s->runs[run - 1].count++;
      else s->runs[run++] = (triad_line_run){kx, s->line_of[kx], 1};
    }
    s->run_begin[m + 1] = run;
  }
}

/* The first line of member m whose kx is not below this one. */
static int64_t line_from(const triad_split *s, int m, int64_t kx)
{
  int64_t low = s->line_begin[m], high = s->line_begin[m + 1];
  while (low < high) {
    int64_t middle = (low + high) / 2;
    if (s->kx_of[middle] < kx) low = middle + 1;
    else high = middle;
  }
  return low - s->line_begin[m];
}

static int64_t *before_of(const triad_split *s, const triad_layout *l, int m)
{
  return s->before + m * (l->n_rows + 1);
}

static void count_columns(triad_split *s, const triad_layout *l)
{
  for (int m = 0; m < s->group; m++) {
    int64_t *before = before_of(s, l, m);
    for (int64_t r = 0; r < l->n_rows; r++) {
      const triad_row *row = &l->rows[r];
      before[r + 1] = before[r] + line_from(s, m, row->kx_first + row->count) - line_from(s, m, row->kx_first);
    }
  }
}

static int make_part(triad_split *s, const triad_layout *l)
{
  const int64_t *before = before_of(s, l, l->member);
  triad_layout *p = s->part = calloc(1, sizeof *p);
  if (!p) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the layout of a member");
  *p = (triad_layout){.grid = l->grid,
                      .rank = s->place,
                      .size = s->groups,
                      .group = s->group,
                      .member = l->member,
                      .lanes = l->lanes,
                      .nkz = l->nkz,
                      .kz_positive = l->kz_positive,
                      .all_columns = before[l->n_rows],
                      .even_columns = l->even_columns};
  p->plane_begin = calloc((size_t)p->size + 1, sizeof *p->plane_begin);
  p->column_begin = calloc((size_t)p->size + 1, sizeof *p->column_begin);
  p->rows = calloc((size_t)l->n_rows + 1, sizeof *p->rows);
  if (!p->plane_begin || !p->column_begin || !p->rows) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "rows of a member");
  for (int r = 0; r <= p->size; r++) {
    p->plane_begin[r] = triad_deal(l->grid.n[2], r, p->size);
    p->column_begin[r] = triad_deal(p->all_columns, r, p->size);
  }
  for (int64_t r = 0; r < l->n_rows; r++) {
    triad_row row = l->rows[r];
    row.kx_first = line_from(s, l->member, row.kx_first);
    row.count = before[r + 1] - before[r];
    row.column = before[r];
    if (row.count > 0) p->rows[p->n_rows++] = row;
  }
  p->first_plane = p->plane_begin[p->rank];
  p->n_planes = p->plane_begin[p->rank + 1] - p->first_plane;
  p->n_columns = p->column_begin[p->rank + 1] - p->column_begin[p->rank];
  p->n_blocks = (p->n_columns + p->lanes - 1) / p->lanes;
  p->modes = p->n_blocks * p->nkz * p->lanes;
  return TRIAD_OK;
}

int triad_split_create(triad_layout *l)
{
  const int64_t lines = l->grid.kmax[0] + 1, pairs = (l->grid.n[1] + 1) / 2;
  triad_split *s = l->split = calloc(1, sizeof *s);
  if (!s) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the split of a layout");
  s->group = l->group;
  s->groups = l->size / l->group;
  s->place = l->rank / l->group;
  l->member = l->rank % l->group;
  TRIAD_TRY(allocate_tables(s, l));
  for (int m = 0; m < s->group; m++) s->y_begin[m] = 2 * triad_deal(pairs, m, s->group);
  s->y_begin[s->group] = l->grid.n[1]; /* of an odd number the last pair is one row */
  deal_lines(s, lines);
  number_lines(s, lines);
  count_columns(s, l);
  TRIAD_TRY(make_part(s, l));
  l->first_plane = s->part->first_plane;
  l->n_planes = s->part->n_planes;
  l->first_y = s->y_begin[l->member];
  l->n_y = triad_split_rows(s, l->member);
  l->n_columns = s->part->n_columns;
  s->number = calloc((size_t)l->n_columns + 1, sizeof *s->number);
  return s->number ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "numbers of %lld columns", (long long)l->n_columns);
}

void triad_split_destroy(triad_split **split)
{
  if (!*split) return;
  triad_split *s = *split;
  void *owned[] = {s->y_begin, s->line_begin, s->kx_of,  s->member_of, s->line_of,
                   s->runs,    s->run_begin,  s->before, s->number};
  for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) free(owned[i]);
  free(s);
  *split = NULL;
}

static int64_t columns_of_member(const triad_split *s, int m, int64_t n_rows)
{
  return s->before[m * (n_rows + 1) + n_rows];
}

int64_t triad_split_columns(const triad_layout *l, int rank)
{
  const triad_split *s = l->split;
  const int64_t all = columns_of_member(s, rank % s->group, l->n_rows);
  return triad_deal(all, rank / s->group + 1, s->groups) - triad_deal(all, rank / s->group, s->groups);
}

void triad_split_own(const triad_layout *l, int64_t r, int64_t *first, int64_t *count)
{
  const triad_split *s = l->split;
  const int64_t *before = before_of(s, l, l->member), *mine = s->part->column_begin + s->place;
  const int64_t begin = mine[0] > before[r] ? mine[0] : before[r],
                end = mine[1] < before[r + 1] ? mine[1] : before[r + 1];
  *first = begin - before[r];
  *count = end > begin ? end - begin : 0;
}

int64_t triad_split_kx(const triad_layout *l, int64_t r, int64_t i)
{
  const triad_split *s = l->split;
  return s->kx_of[s->line_begin[l->member] + line_from(s, l->member, l->rows[r].kx_first) + i];
}

static int64_t row_of(const triad_layout *l, int64_t column)
{
  int64_t low = 0, high = l->n_rows;
  while (high - low > 1) {
    int64_t middle = (low + high) / 2;
    if (l->rows[middle].column <= column) low = middle;
    else high = middle;
  }
  return low;
}

int triad_split_owner(const triad_layout *l, int64_t column, int64_t *local)
{
  const triad_split *s = l->split;
  const int64_t r = row_of(l, column), kx = l->rows[r].kx_first + column - l->rows[r].column;
  const int m = s->member_of[kx];
  const int64_t number = before_of(s, l, m)[r] + s->line_of[kx] - line_from(s, m, l->rows[r].kx_first);
  const int64_t all = columns_of_member(s, m, l->n_rows);
  const int place = triad_dealt_to(all, s->groups, number);
  *local = number - triad_deal(all, place, s->groups);
  return place * s->group + m;
}
