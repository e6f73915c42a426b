/* Exchange lines along y and rows along x within a group. In shared memory each member writes its kx to the rows of
 * the others; otherwise messages are packed by member. */
#include "fft/pass/pass_moves.h"
#include "fft/pass/pass_internal.h"

#include <string.h>

/* Runs of this member's lines that are in a part, line 0 its first; how many. */
static int64_t runs_of(const triad_pass *p, const triad_pass_part *t, triad_line_run *out)
{
  const triad_split *split = p->layout->split;
  int64_t n = 0;
  for (int64_t i = split->run_begin[p->layout->member]; i < split->run_begin[p->layout->member + 1]; i++) {
    const triad_line_run *run = &split->runs[i];
    const int64_t begin = run->line > t->begin ? run->line : t->begin;
    const int64_t end = run->line + run->count < t->end ? run->line + run->count : t->end;
    if (end > begin) out[n++] = (triad_line_run){run->kx + begin - run->line, begin - t->begin, end - begin};
  }
  return n;
}

/* Most runs are of four numbers, which lie in one line of the cache in double precision. */
static inline void copy_run(const triad_cplx *restrict from, triad_cplx *restrict to, int64_t count)
{
  if (count == 4) memcpy(to, from, 4 * sizeof *to);
  else
    for (int64_t k = 0; k < count; k++) to[k] = from[k];
}

/* A part's lines straight into the rows of the members, and out of them. */
static void lines_to_shared(const triad_pass *p, int64_t number, const triad_pass_part *t, const triad_cplx *plane)
{
  const triad_split *split = p->layout->split;
  const int64_t stride = triad_columns_stride(p->columns);
  triad_line_run runs[t->end - t->begin];
  const int64_t n = runs_of(p, t, runs);
  for (int q = 0; q < split->group; q++) {
    triad_cplx *rows = triad_shared_rows_in(p->shared, number, t->at, t->field, q);
    for (int64_t y = split->y_begin[q]; y < split->y_begin[q + 1]; y++, rows += stride) {
      const triad_cplx *line = plane + y * stride + t->column;
      for (int64_t i = 0; i < n; i++) copy_run(line + runs[i].line, rows + runs[i].kx, runs[i].count);
    }
  }
}

static void lines_from_shared(const triad_pass *p, int64_t number, const triad_pass_part *t, triad_cplx *plane)
{
  const triad_split *split = p->layout->split;
  const int64_t stride = triad_columns_stride(p->columns);
  triad_line_run runs[t->end - t->begin];
  const int64_t n = runs_of(p, t, runs);
  for (int q = 0; q < split->group; q++) {
    const triad_cplx *rows = triad_shared_rows_out(p->shared, number, t->at, t->field, q);
    for (int64_t y = split->y_begin[q]; y < split->y_begin[q + 1]; y++, rows += stride) {
      triad_cplx *line = plane + y * stride + t->column;
      for (int64_t i = 0; i < n; i++) copy_run(rows + runs[i].kx, line + runs[i].line, runs[i].count);
    }
  }
}

/* Rows of a part, between a batch and the messages of the members. */
void triad_pass_lines_to(const triad_pass *p, int64_t number, const triad_pass_part *t, const triad_cplx *plane)
{
  if (p->shared) {
    lines_to_shared(p, number, t, plane);
    return;
  }
  const triad_split *split = p->layout->split;
  const int64_t stride = triad_columns_stride(p->columns), lines = triad_split_lines(split, p->layout->member);
  for (int q = 0; q < split->group; q++) {
    triad_cplx *to = triad_rows_lines_in(p->rows, number, t->at, t->field, q) + t->begin;
    for (int64_t y = split->y_begin[q]; y < split->y_begin[q + 1]; y++, to += lines)
      memcpy(to, plane + y * stride + t->column, (size_t)(t->end - t->begin) * sizeof *to);
  }
}

void triad_pass_lines_from(const triad_pass *p, int64_t number, const triad_pass_part *t, triad_cplx *plane)
{
  if (p->shared) {
    lines_from_shared(p, number, t, plane);
    return;
  }
  const triad_split *split = p->layout->split;
  const int64_t stride = triad_columns_stride(p->columns), lines = triad_split_lines(split, p->layout->member);
  for (int q = 0; q < split->group; q++) {
    const triad_cplx *from = triad_rows_lines_out(p->rows, number, t->at, t->field, q) + t->begin;
    for (int64_t y = split->y_begin[q]; y < split->y_begin[q + 1]; y++, from += lines)
      memcpy(plane + y * stride + t->column, from, (size_t)(t->end - t->begin) * sizeof *from);
  }
}

/* Row `row` of this rank's, between the messages of the members, a run of kx from each, and one of all kx. */
void triad_pass_row_from(const triad_pass *p, int64_t number, int64_t at, int f, int64_t row, triad_cplx *to)
{
  const triad_split *split = p->layout->split;
  for (int q = 0; q < split->group; q++) {
    const triad_cplx *from = triad_rows_rows_in(p->rows, number, at, f, q) + row * triad_split_lines(split, q);
    for (int64_t i = split->run_begin[q]; i < split->run_begin[q + 1]; i++) {
      const triad_line_run *run = &split->runs[i];
      copy_run(from + run->line, to + run->kx, run->count);
    }
  }
}

void triad_pass_row_to(const triad_pass *p, int64_t number, int64_t at, int f, int64_t row, const triad_cplx *from)
{
  const triad_split *split = p->layout->split;
  for (int q = 0; q < split->group; q++) {
    triad_cplx *to = triad_rows_rows_out(p->rows, number, at, f, q) + row * triad_split_lines(split, q);
    for (int64_t i = split->run_begin[q]; i < split->run_begin[q + 1]; i++) {
      const triad_line_run *run = &split->runs[i];
      copy_run(from + run->kx, to + run->line, run->count);
    }
  }
}
