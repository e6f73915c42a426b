/* The second split of a layout: who has what within a group of ranks that share planes.
 *
 * Rank p group + m is member m of group p. Lines along y are numbered member by member, kx ascending; of a member, line
 * i is its i-th kx. Rows y of a plane are dealt in pairs, since lines along x are transformed two at a time: so pairs
 * are those of whole planes. */
#ifndef TRIAD_GRID_LAYOUT_SPLIT_H
#define TRIAD_GRID_LAYOUT_SPLIT_H

#include "grid/layout.h"

/* Lines line .. line + count - 1 of a member are kx .. kx + count - 1. */
typedef struct triad_line_run {
  int64_t kx, line, count;
} triad_line_run;

typedef struct triad_split {
  int group, groups, place;     /* ranks of a group; groups; the number of this rank's                          */
  int64_t *y_begin;             /* [group + 1] rows of member m: y_begin[m] .. y_begin[m+1] - 1                 */
  int64_t *line_begin;          /* [group + 1] lines of member m, likewise                                      */
  int32_t *kx_of;               /* [lines] kx of a line                                                         */
  int32_t *member_of, *line_of; /* [Kx + 1] who has kx; its number among the lines of that member            */
  triad_line_run *runs;         /* all lines in runs of neighbours, member by member                            */
  int64_t *run_begin;           /* [group + 1]                                                                  */
  int64_t *before;              /* [group][n_rows + 1] columns of member m in rows before a row; and in all     */
  int64_t *number;              /* [n_columns] the global number of a local column                              */
  /* This rank among those of its place, as if they were all: rank `place` of `groups`. Its columns are numbered among
   * those of the member alone, and a row's kx_first is the line of its first. It has no tables of columns. */
  triad_layout *part;
} triad_split;

/* Fill l->split, planes, rows and the number of columns. For layout.c. */
int triad_split_create(triad_layout *l);
void triad_split_destroy(triad_split **split);

int64_t triad_split_columns(const triad_layout *l, int rank);

/* This rank's columns of row r: number first .. first + count - 1 among those of its member there; and kx of one of
 * them. */
void triad_split_own(const triad_layout *l, int64_t r, int64_t *first, int64_t *count);
int64_t triad_split_kx(const triad_layout *l, int64_t r, int64_t i);
int triad_split_owner(const triad_layout *l, int64_t column, int64_t *local);

/* Lines of a member, and its rows of a plane. */
static inline int64_t triad_split_lines(const triad_split *s, int m) { return s->line_begin[m + 1] - s->line_begin[m]; }
static inline int64_t triad_split_rows(const triad_split *s, int m) { return s->y_begin[m + 1] - s->y_begin[m]; }

#endif
