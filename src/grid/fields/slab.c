/* Redistribution between a field's memory and slabs of its dataset (slab.h). */
#include "grid/fields/slab.h"

#include <stdlib.h>
#include <string.h>

/* A part of a run that belongs to the lines of one rank: where it lies in a field's memory, or in the lines here. */
typedef struct piece {
  int64_t at, step, count;
} piece;

/* One side of the exchange: pieces in the order of the ranks that they go to or come from, reals of each rank's
 * message. */
typedef struct side {
  piece *pieces;
  int64_t n;
  int *pieces_of, *count, *at; /* [size] */
  triad_real *message;
} side;

struct triad_slab {
  const triad_context *context;
  triad_space space;
  int64_t line, *first; /* entries of a line; first[size + 1] */
  int direct, alone;    /* alone: on one rank, whose lines take the runs as they come */
  side field, lines;
};

/* ---- which lines ---- */

static int deal(triad_slab *s)
{
  int size = s->context->comm.size;
  const triad_space *p = &s->space;
  s->line = p->n_dims > 1 ? p->dims[p->n_dims - 1] : 1;
  const int64_t all = p->all / (s->line > 0 ? s->line : 1); /* lines of all ranks */
  s->first = calloc((size_t)size + 1, sizeof *s->first);
  if (!s->first) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "lines of %d ranks", size);
  for (int r = 0; r <= size; r++) s->first[r] = triad_deal(p->dims[0], r, size) * (all / p->dims[0]);
  return TRIAD_OK;
}

static int runs_are_lines(const triad_slab *s)
{
  int64_t first = triad_slab_first(s);
  if (s->space.n_runs != triad_slab_count(s)) return 0;
  for (int64_t i = 0; i < s->space.n_runs; i++) {
    triad_space_run run;
    s->space.kind->run(&s->space, i, &run);
    if (run.global != (first + i) * s->line || run.count != s->line) return 0;
  }
  return 1;
}

/* The rank whose lines hold an entry: the last one that begins at or before it and is not empty. */
static int owner_of(const triad_slab *s, int64_t global)
{
  int low = 0, high = s->context->comm.size;
  while (high - low > 1) {
    int middle = low + (high - low) / 2;
    if (s->first[middle] * s->line <= global) low = middle;
    else high = middle;
  }
  return low;
}

/* ---- the plan ---- */

static int take_side(triad_slab *s, side *p, int64_t entries)
{
  int size = s->context->comm.size;
  p->pieces_of = calloc(3 * (size_t)size + 1, sizeof *p->pieces_of);
  if (!p->pieces_of) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "pieces of %d ranks", size);
  p->count = p->pieces_of + size;
  p->at = p->count + size;
  return TRIAD_ALLOC(s->context->memory, "lines of a field", entries * s->space.parts, &p->message);
}

/* Calls for each part of each run: `put` NULL counts pieces and reals of each rank, else notes them. */
static int cut_runs(triad_slab *s, piece *put, int64_t *next, int64_t *header)
{
  for (int64_t i = 0; i < s->space.n_runs; i++) {
    triad_space_run run;
    s->space.kind->run(&s->space, i, &run);
    for (int64_t k = 0; k < run.count;) {
      int rank = owner_of(s, run.global + k);
      int64_t room = s->first[rank + 1] * s->line - (run.global + k), n = run.count - k < room ? run.count - k : room;
      if (put) {
        header[2 * next[rank]] = run.global + k - s->first[rank] * s->line;
        header[2 * next[rank] + 1] = n;
        put[next[rank]++] = (piece){run.at + k * run.step, run.step, n};
      } else {
        int reals;
        TRIAD_TRY(triad_narrow(n * s->space.parts + s->field.count[rank], &reals));
        s->field.count[rank] = reals;
        s->field.pieces_of[rank]++;
        s->field.n++;
      }
      k += n;
    }
  }
  return TRIAD_OK;
}

static int compute_offsets(const int *count, int size, int *at)
{
  int64_t sum = 0;
  for (int i = 0; i < size; i++) {
    TRIAD_TRY(triad_narrow(sum, &at[i]));
    sum += count[i];
  }
  int unused;
  return triad_narrow(sum, &unused);
}

/* This rank's pieces by the rank that they go to, and a header for each: place in that rank's lines, and entries. */
static int plan_field(triad_slab *s, int64_t **header)
{
  int size = s->context->comm.size;
  TRIAD_TRY(take_side(s, &s->field, s->space.here));
  TRIAD_TRY(cut_runs(s, NULL, NULL, NULL));
  TRIAD_TRY(compute_offsets(s->field.count, size, s->field.at));
  s->field.pieces = calloc((size_t)s->field.n + 1, sizeof *s->field.pieces);
  *header = calloc(2 * (size_t)s->field.n + 1, sizeof **header);
  int64_t *next = calloc((size_t)size, sizeof *next);
  int st = s->field.pieces && *header && next
             ? TRIAD_OK
             : TRIAD_FAIL(TRIAD_ERR_MEMORY, "%lld pieces of lines", (long long)s->field.n);
  for (int r = 1; r < size && st == TRIAD_OK; r++) next[r] = next[r - 1] + s->field.pieces_of[r - 1];
  if (st == TRIAD_OK) st = cut_runs(s, s->field.pieces, next, *header);
  free(next);
  return st;
}

static int share_headers(triad_slab *s, const int64_t *mine, int64_t *theirs)
{
  const triad_comm *comm = &s->context->comm;
  int size = comm->size, *all = calloc(4 * (size_t)size, sizeof *all);
  int st = all ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "headers of %d ranks", size);
  for (int r = 0; r < size && st == TRIAD_OK; r++) {
    all[r] = 2 * s->field.pieces_of[r];
    all[2 * size + r] = 2 * s->lines.pieces_of[r];
  }
  if (st == TRIAD_OK) st = compute_offsets(all, size, all + size);
  if (st == TRIAD_OK) st = compute_offsets(all + 2 * size, size, all + 3 * size);
  st = triad_agree(comm, st);
  if (st == TRIAD_OK)
    st = TRIAD_MPI(MPI_Alltoallv(mine, all, all + size, MPI_INT64_T, theirs, all + 2 * size, all + 3 * size,
                                 MPI_INT64_T, comm->mpi));
  free(all);
  return st;
}

/* The pieces that come to this rank's lines. Collective. */
static int plan_lines(triad_slab *s, const int64_t *header)
{
  const triad_comm *comm = &s->context->comm;
  int64_t *theirs = NULL, at = 0;
  int st = take_side(s, &s->lines, triad_slab_count(s) * s->line);
  TRIAD_TRY(triad_agree(comm, st));
  st = TRIAD_MPI(MPI_Alltoall(s->field.pieces_of, 1, MPI_INT, s->lines.pieces_of, 1, MPI_INT, comm->mpi));
  for (int r = 0; r < comm->size; r++) s->lines.n += s->lines.pieces_of[r];
  theirs = calloc(2 * (size_t)s->lines.n + 1, sizeof *theirs);
  s->lines.pieces = calloc((size_t)s->lines.n + 1, sizeof *s->lines.pieces);
  if (st == TRIAD_OK && (!theirs || !s->lines.pieces))
    st = TRIAD_FAIL(TRIAD_ERR_MEMORY, "%lld pieces of lines", (long long)s->lines.n);
  st = triad_agree(comm, st);
  if (st == TRIAD_OK) st = share_headers(s, header, theirs);
  for (int r = 0; r < comm->size && st == TRIAD_OK; r++) {
    int64_t reals = 0;
    for (int i = 0; i < s->lines.pieces_of[r]; i++, at++) {
      s->lines.pieces[at] = (piece){theirs[2 * at], 1, theirs[2 * at + 1]};
      reals += theirs[2 * at + 1] * s->space.parts;
    }
    st = triad_narrow(reals, &s->lines.count[r]);
  }
  if (st == TRIAD_OK) st = compute_offsets(s->lines.count, comm->size, s->lines.at);
  free(theirs);
  return triad_agree(comm, st);
}

int triad_slab_create(triad_slab **out, const triad_context *context, const triad_space *space)
{
  const triad_comm *comm = &context->comm;
  triad_slab *s = *out = calloc(1, sizeof *s);
  int st = s ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the lines of a field");
  if (s) {
    s->context = context;
    s->space = *space;
    st = deal(s);
  }
  st = triad_agree(comm, st);
  int mine = st == TRIAD_OK && runs_are_lines(s), all = 0;
  if (st == TRIAD_OK) st = TRIAD_MPI(MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, comm->mpi));
  if (st == TRIAD_OK) s->direct = all;
  if (st == TRIAD_OK) s->alone = comm->size == 1;
  if (st == TRIAD_OK && !all && !s->alone) {
    int64_t *header = NULL;
    st = triad_agree(comm, plan_field(s, &header));
    if (st == TRIAD_OK) st = plan_lines(s, header);
    free(header);
  }
  if (st != TRIAD_OK) triad_slab_destroy(out);
  return st;
}

static void drop(triad_slab *s, side *p)
{
  TRIAD_FREE(s->context->memory, &p->message);
  free(p->pieces);
  free(p->pieces_of);
}

void triad_slab_destroy(triad_slab **slab)
{
  if (!slab || !*slab) return;
  drop(*slab, &(*slab)->field);
  drop(*slab, &(*slab)->lines);
  free((*slab)->first);
  free(*slab);
  *slab = NULL;
}

int64_t triad_slab_first(const triad_slab *s) { return s->first[s->context->comm.rank]; }

int64_t triad_slab_count(const triad_slab *s) { return s->first[s->context->comm.rank + 1] - triad_slab_first(s); }

int64_t triad_slab_reals(const triad_slab *s) { return s->line * s->space.parts; }

int triad_slab_is_direct(const triad_slab *s) { return s->direct; }

/* ---- moving ---- */

/* `count` entries from one place to another, each with its step. */
static void copy_entries(int parts, int64_t count, const triad_real *from, int64_t from_step, triad_real *to,
                         int64_t to_step)
{
  if (from_step == 1 && to_step == 1) {
    memcpy(to, from, (size_t)(count * parts) * sizeof *to);
    return;
  }
  for (int64_t i = 0; i < count; i++)
    for (int p = 0; p < parts; p++) to[i * to_step * parts + p] = from[i * from_step * parts + p];
}

void triad_slab_pack(const triad_slab *s, int64_t at, int64_t n, const triad_real *field, triad_real *lines)
{
  int parts = s->space.parts;
#pragma omp parallel for schedule(static) num_threads(s->context->threads)
  for (int64_t i = at; i < at + n; i++) {
    triad_space_run run;
    s->space.kind->run(&s->space, i, &run);
    copy_entries(parts, run.count, field + run.at * parts, run.step, lines + (i - at) * s->line * parts, 1);
  }
}

void triad_slab_unpack(const triad_slab *s, int64_t at, int64_t n, const triad_real *lines, triad_real *field)
{
  int parts = s->space.parts;
#pragma omp parallel for schedule(static) num_threads(s->context->threads)
  for (int64_t i = at; i < at + n; i++) {
    triad_space_run run;
    s->space.kind->run(&s->space, i, &run);
    copy_entries(parts, run.count, lines + (i - at) * s->line * parts, 1, field + run.at * parts, run.step);
  }
}

static triad_space_run run_of(const triad_slab *s, int64_t i)
{
  triad_space_run run;
  s->space.kind->run(&s->space, i, &run);
  return run;
}

/* Between memory and the message of a side. */
static void fill_buffer(const triad_slab *s, const side *p, const triad_real *from)
{
  int64_t at = 0;
  for (int64_t i = 0; i < p->n; at += p->pieces[i++].count * s->space.parts)
    copy_entries(s->space.parts, p->pieces[i].count, from + p->pieces[i].at * s->space.parts, p->pieces[i].step,
                 p->message + at, 1);
}

static void empty(const triad_slab *s, const side *p, triad_real *to)
{
  int64_t at = 0;
  for (int64_t i = 0; i < p->n; at += p->pieces[i++].count * s->space.parts)
    copy_entries(s->space.parts, p->pieces[i].count, p->message + at, 1, to + p->pieces[i].at * s->space.parts,
                 p->pieces[i].step);
}

static int exchange(triad_slab *s, const side *from, const side *to)
{
  return TRIAD_MPI(MPI_Alltoallv(from->message, from->count, from->at, TRIAD_MPI_REAL, to->message, to->count, to->at,
                                 TRIAD_MPI_REAL, s->context->comm.mpi));
}

int triad_slab_gather(triad_slab *s, const triad_real *field, triad_real *lines)
{
  const int parts = s->space.parts;
  if (s->direct) {
    triad_slab_pack(s, 0, triad_slab_count(s), field, lines);
    return TRIAD_OK;
  }
  if (s->alone) {
#pragma omp parallel for schedule(static) num_threads(s->context->threads)
    for (int64_t i = 0; i < s->space.n_runs; i++) {
      const triad_space_run run = run_of(s, i);
      copy_entries(parts, run.count, field + run.at * parts, run.step, lines + run.global * parts, 1);
    }
    return TRIAD_OK;
  }
  fill_buffer(s, &s->field, field);
  TRIAD_TRY(exchange(s, &s->field, &s->lines));
  empty(s, &s->lines, lines);
  return TRIAD_OK;
}

int triad_slab_scatter(triad_slab *s, const triad_real *lines, triad_real *field)
{
  const int parts = s->space.parts;
  if (s->direct) {
    triad_slab_unpack(s, 0, triad_slab_count(s), lines, field);
    return TRIAD_OK;
  }
  if (s->alone) {
#pragma omp parallel for schedule(static) num_threads(s->context->threads)
    for (int64_t i = 0; i < s->space.n_runs; i++) {
      const triad_space_run run = run_of(s, i);
      copy_entries(parts, run.count, lines + run.global * parts, 1, field + run.at * parts, run.step);
    }
    return TRIAD_OK;
  }
  fill_buffer(s, &s->lines, lines);
  TRIAD_TRY(exchange(s, &s->lines, &s->field));
  empty(s, &s->field, field);
  return TRIAD_OK;
}
