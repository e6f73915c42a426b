/* The second split of a layout: the distribution within a group of ranks that share planes.
 *
 * Rank p group + m is member m of group p. Lines along y are numbered member by member, kx rising; line i of a member
 * is its i-th kx. Rows y of a plane are assigned in pairs because lines along x are transformed two at a time; the
 * pairs are then the same as for whole planes. */
#ifndef TRIAD_GRID_LAYOUT_SPLIT_H
#define TRIAD_GRID_LAYOUT_SPLIT_H

#include "grid/layout.h"

/* Lines line .. line + count - 1 of a member have kx .. kx + count - 1. */
typedef struct triad_line_run {
  int64_t kx, line, count;
} triad_line_run;

typedef struct triad_split {
  int group, groups, place;     /* ranks per group; number of groups; number of this rank's group */
  int64_t *y_begin;             /* [group + 1] rows of member m: y_begin[m] .. y_begin[m+1] - 1                 */
  int64_t *line_begin;          /* [group + 1] lines of member m: line_begin[m] .. line_begin[m+1] - 1 */
  int32_t *kx_of;               /* [lines] kx of a line                                                         */
  int32_t *member_of, *line_of; /* [Kx + 1] member that has kx; index of kx among its lines */
  triad_line_run *runs;         /* all lines as runs of adjacent kx, member by member */
  int64_t *run_begin;           /* [group + 1]                                                                  */
  int64_t *before;              /* [group][n_rows + 1] columns of member m in earlier rows; last: in all rows */
  int64_t *number;              /* [n_columns] global number of a local column */
  /* The layout of this member index across groups, as if these ranks were all: rank `place` of `groups`. Its columns
   * are numbered among those of the member only, and a row's kx_first is the line of its first column. It has no
   * tables of columns. */
  triad_layout *part;
} triad_split;

/* Fill l->split, planes, rows and the number of columns. For layout.c. */
int triad_split_create(triad_layout *l);
/* The layout `part` is the caller's to destroy before. */
void triad_split_destroy(triad_split **split);

int64_t triad_split_columns(const triad_layout *l, int rank);

/* own: this rank's columns of row r are number first .. first + count - 1 among those of its member. kx: kx of one of
 * them. */
void triad_split_own(const triad_layout *l, int64_t r, int64_t *first, int64_t *count);
int64_t triad_split_kx(const triad_layout *l, int64_t r, int64_t i);
int triad_split_owner(const triad_layout *l, int64_t column, int64_t *local);

/* Number of lines of a member; number of its rows per plane. */
static inline int64_t triad_split_lines(const triad_split *s, int m) { return s->line_begin[m + 1] - s->line_begin[m]; }
static inline int64_t triad_split_rows(const triad_split *s, int m) { return s->y_begin[m + 1] - s->y_begin[m]; }

#endif
