/* Send the modes of one grid to the owners of the same modes on another grid, in rounds of bounded size. */
#include "transpose/remap.h"
#include "base/minmax.h"

#include <stdlib.h>
#include <string.h>

enum { ROUND_BYTES = 1 << 20 };

/* A line of a message is one column: kz = 0..common, -common..-1, then the Nyquist one where both grids share it.
 * Rounds take the columns of `to` in pieces of `step` on each rank. A rank has its columns in the order of their global
 * numbers. A sender goes through its columns in this order, a receiver through its columns of a round in the order of
 * their sources, so the two agree on the order of lines. */
typedef struct plan {
  const triad_layout *from, *to;
  int64_t turns;                 /* mode (kx, ky, kz) of `from` becomes (kx, ky - turns kx, kz) of `to` */
  int64_t common, nyquist, line; /* largest shared |kz|; shared Nyquist kz or 0; complex numbers in a line */
  int64_t step, rounds;
  int64_t *target;                  /* [from->n_columns] global column of `to`, -1 where it is dropped        */
  int64_t *source;                  /* [to->n_columns] global column of `from`, -1 where nothing comes        */
  int64_t *order;                   /* [to->n_columns] columns of each round in the order of their sources */
  int64_t most_sent, most_received; /* lines in the largest round of this rank               */
  int *counts;                      /* [5 * size] send counts and places, receive counts and places, room       */
  triad_cplx *send, *receive;
} plan;

static int is_nyquist(const triad_grid *g, int axis, int64_t k) { return 2 * k == g->n[axis] || 2 * k == -g->n[axis]; }

/* May wavenumber k of an axis be carried from one grid to the other? */
static int means_the_same(const triad_grid *a, const triad_grid *b, int axis, int64_t k)
{
  return a->n[axis] == b->n[axis] || (!is_nyquist(a, axis, k) && !is_nyquist(b, axis, k));
}

/* A mode of a, which becomes (kx, ky - turns kx, kz) of b. */
static int is_carried(const triad_grid *a, const triad_grid *b, int64_t turns, int64_t kx, int64_t ky, int64_t kz)
{
  return means_the_same(a, b, 0, kx) && means_the_same(a, b, 1, ky) && means_the_same(a, b, 2, kz) &&
         triad_grid_keeps(a, kx, ky, kz) && triad_grid_keeps(b, kx, ky - turns * kx, kz);
}

/* Where the columns of `mine` are in `other`, when they have turned. */
static int find_columns(const triad_layout *mine, const triad_layout *other, int64_t turns, int64_t *place)
{
  for (int64_t c = 0; c < mine->n_columns; c++) {
    int conjugate = 0;
    int64_t kx = mine->kx[c], ky = mine->ky[c];
    place[c] = is_carried(&mine->grid, &other->grid, turns, kx, ky, 0)
                 ? triad_layout_find(other, kx, ky - turns * kx, &conjugate)
                 : -1;
    if (conjugate)
      return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "column (%lld, %lld) is stored as its conjugate on the other grid",
                        (long long)kx, (long long)ky);
  }
  return TRIAD_OK;
}

static int64_t round_of_target(const plan *p, int64_t target)
{
  int64_t local = 0;
  (void)triad_layout_owner(p->to, target, &local);
  return local / p->step;
}

static int measure_rounds(plan *p)
{
  int64_t *lines = calloc((size_t)p->rounds, sizeof *lines);
  if (!lines) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%lld rounds of messages", (long long)p->rounds);
  for (int64_t c = 0; c < p->from->n_columns; c++)
    if (p->target[c] >= 0) lines[round_of_target(p, p->target[c])]++;
  for (int64_t r = 0; r < p->rounds; r++) p->most_sent = triad_max_count(p->most_sent, lines[r]);
  p->most_received = triad_min_count(p->step, p->to->n_columns);
  free(lines);
  return TRIAD_OK;
}

typedef struct pair {
  int64_t round, source, column;
} pair;

static int by_source(const void *a, const void *b)
{
  const pair *p = a, *q = b;
  if (p->round != q->round) return p->round < q->round ? -1 : 1;
  return p->source < q->source ? -1 : p->source > q->source;
}

static int make_order(plan *p)
{
  const int64_t n = p->to->n_columns;
  pair *pairs = calloc((size_t)n + 1, sizeof *pairs);
  if (!pairs) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the order of %lld columns", (long long)n);
  for (int64_t c = 0; c < n; c++) pairs[c] = (pair){c / p->step, p->source[c], c};
  if (p->turns != 0) qsort(pairs, (size_t)n, sizeof *pairs, by_source);
  for (int64_t c = 0; c < n; c++) p->order[c] = pairs[c].column;
  free(pairs);
  return TRIAD_OK;
}

static int plan_create(plan *p, const triad_layout *from, const triad_layout *to, int64_t turns)
{
  const triad_grid *a = &from->grid, *b = &to->grid;
  int64_t ka = a->kmax[2] - is_nyquist(a, 2, a->kmax[2]), kb = b->kmax[2] - is_nyquist(b, 2, b->kmax[2]);
  p->from = from;
  p->to = to;
  p->turns = turns;
  p->common = triad_min_count(ka, kb);
  p->nyquist = a->n[2] == b->n[2] && a->kmax[2] == b->kmax[2] && is_nyquist(a, 2, a->kmax[2]) ? a->kmax[2] : 0;
  p->line = 2 * p->common + 1 + (p->nyquist > 0);
  p->step = triad_max_count(1, ROUND_BYTES / (p->line * (int64_t)sizeof(triad_cplx)));
  int64_t largest = 1;
  for (int r = 0; r < to->size; r++) largest = triad_max_count(largest, triad_layout_columns_of(to, r));
  p->rounds = (largest + p->step - 1) / p->step;
  p->target = calloc((size_t)from->n_columns + 1, sizeof *p->target);
  p->source = calloc((size_t)to->n_columns + 1, sizeof *p->source);
  p->order = calloc((size_t)to->n_columns + 1, sizeof *p->order);
  p->counts = calloc(5 * (size_t)from->size, sizeof *p->counts);
  if (!p->target || !p->source || !p->order || !p->counts)
    return TRIAD_FAIL(TRIAD_ERR_MEMORY, "tables of %lld columns", (long long)(from->n_columns + to->n_columns));
  TRIAD_TRY(find_columns(from, to, turns, p->target));
  TRIAD_TRY(find_columns(to, from, -turns, p->source));
  TRIAD_TRY(make_order(p));
  TRIAD_TRY(measure_rounds(p));
  p->send = calloc((size_t)(p->most_sent * p->line) + 1, sizeof *p->send);
  p->receive = calloc((size_t)(p->most_received * p->line) + 1, sizeof *p->receive);
  if (p->send && p->receive) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_MEMORY, "messages of %lld complex numbers",
                    (long long)((p->most_sent + p->most_received) * p->line));
}

static void plan_destroy(plan *p)
{
  free(p->target);
  free(p->source);
  free(p->order);
  free(p->counts);
  free(p->send);
  free(p->receive);
}

static int64_t line_kz(const plan *p, int64_t i)
{
  if (i <= p->common) return i;
  return i <= 2 * p->common ? i - (2 * p->common + 1) : p->nyquist;
}

/* Turn the counts into places; TRIAD_ERR_INTERNAL when a round has more lines than MPI counts. */
static int make_places(int64_t total, int size, const int *count, int *place)
{
  int unused;
  TRIAD_TRY(triad_narrow(total, &unused));
  place[0] = 0;
  for (int r = 1; r < size; r++) place[r] = place[r - 1] + count[r - 1];
  return TRIAD_OK;
}

static int owner(const triad_layout *l, int64_t column)
{
  int64_t local = 0;
  return triad_layout_owner(l, column, &local);
}

/* Lines of one round, rank by rank, in the order of columns. count, place: of each rank; next [size]: for work. */
static int pack(plan *p, const triad_cplx *field, int64_t round, int *count, int *place, int *next)
{
  const triad_layout *l = p->from;
  int64_t n = 0;
  memset(count, 0, (size_t)l->size * sizeof *count);
  for (int64_t c = 0; c < l->n_columns; c++) {
    if (p->target[c] < 0 || round_of_target(p, p->target[c]) != round) continue;
    count[owner(p->to, p->target[c])]++;
    n++;
  }
  TRIAD_TRY(make_places(n, l->size, count, place));
  memcpy(next, place, (size_t)l->size * sizeof *next);
  for (int64_t c = 0; c < l->n_columns; c++) {
    if (p->target[c] < 0 || round_of_target(p, p->target[c]) != round) continue;
    triad_cplx *line = p->send + p->line * next[owner(p->to, p->target[c])]++;
    for (int64_t i = 0; i < p->line; i++)
      line[i] = field[triad_layout_place(l, c, triad_layout_kz_number(l, line_kz(p, i)))];
  }
  return TRIAD_OK;
}

static int expect(const plan *p, int64_t first, int64_t last, int *count, int *place)
{
  int64_t n = 0;
  memset(count, 0, (size_t)p->to->size * sizeof *count);
  for (int64_t c = first; c < last; c++)
    if (p->source[c] >= 0) {
      count[owner(p->from, p->source[c])]++;
      n++;
    }
  return make_places(n, p->to->size, count, place);
}

static void unpack(const plan *p, triad_cplx *field, int64_t first, int64_t last, const int *place, int *next)
{
  const triad_layout *l = p->to;
  memcpy(next, place, (size_t)l->size * sizeof *next);
  for (int64_t n = first; n < last; n++) {
    const int64_t c = p->order[n];
    if (p->source[c] < 0) continue;
    const triad_cplx *line = p->receive + p->line * next[owner(p->from, p->source[c])]++;
    for (int64_t i = 0; i < p->line; i++) {
      int64_t kz = line_kz(p, i);
      if (is_carried(&l->grid, &p->from->grid, -p->turns, l->kx[c], l->ky[c], kz))
        field[triad_layout_place(l, c, triad_layout_kz_number(l, kz))] = line[i];
    }
  }
}

static int move(const triad_comm *comm, plan *p, MPI_Datatype line, const triad_cplx *in, triad_cplx *out)
{
  int *send_count = p->counts, *send_place = send_count + comm->size;
  int *receive_count = send_place + comm->size, *receive_place = receive_count + comm->size;
  int *next = receive_place + comm->size;
  memset(out, 0, (size_t)p->to->modes * sizeof *out);
  for (int64_t r = 0; r < p->rounds; r++) {
    int64_t first = triad_min_count(r * p->step, p->to->n_columns),
            last = triad_min_count(first + p->step, p->to->n_columns);
    int st = pack(p, in, r, send_count, send_place, next);
    if (st == TRIAD_OK) st = expect(p, first, last, receive_count, receive_place);
    TRIAD_TRY(triad_agree(comm, st));
    TRIAD_TRY(TRIAD_MPI(
      MPI_Alltoallv(p->send, send_count, send_place, line, p->receive, receive_count, receive_place, line, comm->mpi)));
    unpack(p, out, first, last, receive_place, next);
  }
  return TRIAD_OK;
}

static double lost_energy(const plan *p, const triad_cplx *field)
{
  const triad_layout *l = p->from;
  double sum = 0;
  for (int64_t c = 0; c < l->n_columns; c++)
    for (int64_t j = 0; j < l->nkz; j++) {
      if (is_carried(&l->grid, &p->to->grid, p->turns, l->kx[c], l->ky[c], l->kz[j])) continue;
      triad_cplx u = field[triad_layout_place(l, c, j)];
      sum += l->weight[c] * ((double)u.re * (double)u.re + (double)u.im * (double)u.im) / 2;
    }
  return sum;
}

static int remap(const triad_comm *comm, const triad_layout *from, triad_cplx *const *in, const triad_layout *to,
                 triad_cplx *const *out, int n_fields, int64_t turns, double *dropped)
{
  plan p = {0};
  MPI_Datatype line = MPI_DATATYPE_NULL;
  double lost = 0;
  int reals = 0;
  int st = plan_create(&p, from, to, turns);
  if (st == TRIAD_OK) st = triad_narrow(2 * p.line, &reals);
  if (st == TRIAD_OK) st = TRIAD_MPI(MPI_Type_contiguous(reals, TRIAD_MPI_REAL, &line));
  if (st == TRIAD_OK) st = TRIAD_MPI(MPI_Type_commit(&line));
  st = triad_agree(comm, st);
  for (int f = 0; f < n_fields && st == TRIAD_OK; f++) {
    if (dropped) lost += lost_energy(&p, in[f]);
    st = move(comm, &p, line, in[f], out[f]);
  }
  if (dropped && st == TRIAD_OK) st = TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, &lost, 1, MPI_DOUBLE, MPI_SUM, comm->mpi));
  if (line != MPI_DATATYPE_NULL) (void)MPI_Type_free(&line);
  plan_destroy(&p);
  if (dropped) *dropped = lost;
  return st;
}

int triad_remap(const triad_comm *comm, const triad_layout *from, triad_cplx *const *in, const triad_layout *to,
                triad_cplx *const *out, int n_fields, double *dropped)
{
  return remap(comm, from, in, to, out, n_fields, 0, dropped);
}

int triad_remap_leaning(const triad_comm *comm, const triad_layout *layout, triad_cplx *const *in,
                        triad_cplx *const *out, int n_fields, int64_t turns)
{
  if (triad_grid_has_nyquist(&layout->grid)) return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "modes at n/2 cannot lean");
  return remap(comm, layout, in, layout, out, n_fields, turns, NULL);
}
