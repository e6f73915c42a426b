/* Chains of results (transpose/plain/chains.h): what is left of them is what their parts give, on any ranks, bit
 * for bit. ranks: 1 2 4   threads: 1 2   precision: both quick: 1 */
#include "flow.h"
#include "fft/pass/pass_create.h"

#include "fft/pass/transform.h"

enum { RESULTS = 11 };

static const double lengths[3] = {6.283185307179586476925286766559, 3.5, 9.75};

/* A stress with two forces behind it, and fluxes of scalars; chains that have nothing between them; none. */
static const triad_chains kinds[] = {
  {{{3, 2, 1}, {2, 1, 2}}}, {{{2, 0, 2}, {4, 1, 1}}}, {{{0, 0, 0}, {5, 0, 1}}}, {{{0}}}};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* ---- which results are in which chain ---- */

/* Number of the chain's first result and of what is left, for result r; read off the units. */
static void chain_of(const triad_chains *c, int r, int *first, int *length, int *joined)
{
  int at = 0, left = 0;
  for (int i = 0; i < TRIAD_CHAIN_UNITS; i++)
    for (int k = 0; k < c->unit[i].count; k++)
      for (int a = 0; a <= c->unit[i].alone; a++) {
        const int n = a == 0 ? c->unit[i].length : 1;
        if (r >= at && r < at + n) {
          *first = at;
          *length = n;
          *joined = left;
          return;
        }
        at += n;
        left += n > 1 ? n - 1 : 1;
      }
  *first = r;
  *length = 1;
  *joined = left + r - at;
}

TRIAD_TEST(runs_have_every_result_once_and_every_field_that_is_left)
{
  for (int k = 0; k < KINDS; k++) {
    triad_chain_run runs[TRIAD_CHAIN_RUNS];
    int seen[RESULTS] = {0}, filled[RESULTS] = {0};
    const int n = triad_chains_runs(&kinds[k], RESULTS, runs), left = triad_chains_left(&kinds[k], RESULTS);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < runs[i].count; j++) {
        const int at = runs[i].first + j * runs[i].step, to = runs[i].joined + j * runs[i].joined_step;
        int first, length, joined;
        chain_of(&kinds[k], at, &first, &length, &joined);
        TRIAD_EQUAL(at, first, "the first result of a chain");
        TRIAD_EQUAL(runs[i].length, length, "its length");
        TRIAD_EQUAL(to, joined, "where what is left of it lies");
        for (int p = 0; p < length; p++) seen[at + p]++;
        for (int p = 0; p < (length > 1 ? length - 1 : 1); p++) filled[to + p]++;
      }
    for (int r = 0; r < RESULTS; r++) {
      TRIAD_EQUAL(seen[r], 1, "times that a result is taken");
      TRIAD_EQUAL(filled[r], r < left, "times that a field is written");
    }
  }
}

/* ---- passes ---- */

typedef struct job {
  triad_layout *layout;
  triad_pass *pass;
  int left;
  triad_cplx *out[RESULTS];
} job;

static void put_nothing(void *self, const triad_batch *block, triad_cplx *const *in)
{
  (void)self;
  for (int64_t j = 0; j < block->layout->nkz; j++)
    memset(triad_batch_row(block, in[0], j), 0, TRIAD_LANES * sizeof **in);
}

/* Results of no pattern, of a point's place alone. */
static void fill(void *self, const triad_patch *at, triad_real *const *in, triad_real *const *out, double *peaks)
{
  const job *w = self;
  const int64_t *n = w->layout->grid.n;
  (void)peaks;
  for (int r = 0; r < RESULTS; r++)
    for (int64_t x = 0; x < at->n; x++)
      out[r][x] = in[0][x] + (triad_real)triad_test_random((uint64_t)r, (uint64_t)((at->z * n[1] + at->y) * n[0] + x));
}

static void keep(void *self, const triad_batch *block, triad_cplx *const *out)
{
  const job *w = self;
  for (int r = 0; r < w->left; r++) triad_batch_keep(block, out[r], w->out[r]);
}

static job run(triad_context *context, const triad_grid *grid, int group, int streams, const triad_chains *chains,
               const double *shift)
{
  job w = {.left = triad_chains_left(chains, RESULTS)};
  const triad_pass_options options = {
    .nstreams = streams, .planning = TRIAD_PLAN_ESTIMATED, .by_messages = streams == 5, .most_left = w.left};
  TRIAD_CHECK(triad_layout_create_split(&w.layout, grid, context->comm.rank, context->comm.size, group, TRIAD_LANES));
  TRIAD_CHECK(triad_pass_create(&w.pass, context, w.layout, 1, RESULTS, &options));
  for (int r = 0; r < w.left; r++) {
    w.out[r] = aligned_alloc(64, ((size_t)w.layout->modes * sizeof **w.out / 64 + 1) * 64);
    assert_non_null(w.out[r]);
    memset(w.out[r], 0xff, (size_t)w.layout->modes * sizeof **w.out);
  }
  const triad_work work = {.n_in = 1,
                           .n_out = RESULTS,
                           .chains = *chains,
                           .source = put_nothing,
                           .points = fill,
                           .sink = keep,
                           .self = &w,
                           .shift = shift};
  for (int twice = 0; twice < 2; twice++) TRIAD_CHECK(triad_pass_run(w.pass, &work)); /* nothing is left from a run */
  return w;
}

static void free_job(job *w)
{
  for (int r = 0; r < w->left; r++) free(w->out[r]);
  triad_pass_destroy(&w->pass);
  triad_layout_destroy(&w->layout);
}

/* The largest |q - (i kx p + i ky p')| over the modes, in units of (|kx| + |ky|) times the largest mode of a result;
 * where a result is in no chain it must be the very same. Both are of the same ranks. */
static double off(const job *joined, const job *parts, const triad_chains *chains)
{
  const triad_layout *l = parts->layout;
  double worst = 0;
  for (int r = 0; r < RESULTS; r++) {
    int first, length, to;
    chain_of(chains, r, &first, &length, &to);
    if (length > 1 && r == first + length - 1) continue;
    for (int64_t c = 0; c < l->n_columns; c++)
      for (int64_t j = 0; j < l->nkz; j++) {
        const int64_t at = triad_layout_place(l, c, j);
        if (!test_kept(l, c, j)) continue;
        const triad_cplx q = joined->out[to + r - first][at], a = parts->out[r][at];
        if (length == 1) {
          worst = fmax(worst, memcmp(&q, &a, sizeof q) == 0 ? 0 : INFINITY);
          continue;
        }
        const triad_cplx b = parts->out[r + 1][at];
        const double re = -(l->wx[c] * (double)a.im + l->wy[c] * (double)b.im),
                     im = l->wx[c] * (double)a.re + l->wy[c] * (double)b.re;
        const double size = fabs(l->wx[c]) + fabs(l->wy[c]), d = hypot((double)q.re - re, (double)q.im - im);
        worst = fmax(worst, d > 0 ? d / size : 0);
      }
  }
  return worst;
}

static int64_t differ(const job *got, const job *want)
{
  const triad_layout *l = got->layout;
  int64_t n = 0;
  for (int r = 0; r < got->left; r++)
    for (int64_t c = 0; c < l->n_columns; c++)
      for (int64_t j = 0; j < l->nkz; j++) {
        const int64_t there = test_place_in(want->layout, l, c, j);
        if (!test_kept(l, c, j)) continue;
        n +=
          there < 0 || memcmp(&got->out[r][triad_layout_place(l, c, j)], &want->out[r][there], sizeof(triad_cplx)) != 0;
      }
  return n;
}

/* Points are below 1 in size, so the root mean square of modes is at most 1, and each is off by what transform.h
 * allows. */
static void check(const triad_grid *grid, const char *name, const double *shift)
{
  triad_context *alone = test_alone();
  const double limit = 8 * (double)TRIAD_EPSILON * (log2((double)triad_grid_points(grid)) + 4);
  for (int group = 1; group <= triad_test_comm()->size; group++) {
    if (triad_test_comm()->size % group != 0) continue;
    job parts = run(test_together(), grid, group, 0, &kinds[KINDS - 1], shift);
    for (int k = 0; k < KINDS - 2; k++) {
      job one = run(alone, grid, 1, 1, &kinds[k], shift);
      for (int streams = 0; streams < (group > 1 ? 6 : 1); streams += 5) { /* in shared memory; by messages */
        job joined = run(test_together(), grid, group, streams, &kinds[k], shift);
        const double worst = off(&joined, &parts, &kinds[k]);
        TRIAD_HOLDS(worst <= limit, "%s, kind %d, groups of %d: off by %.3g, %.3g is round-off", name, k, group, worst,
                    limit);
        TRIAD_HOLDS(differ(&joined, &one) == 0, "%s, kind %d, groups of %d: modes differ from those of one rank", name,
                    k, group);
        free_job(&joined);
      }
      free_job(&one);
    }
    free_job(&parts);
  }
  triad_context_destroy(&alone);
}

TRIAD_TEST(a_chain_of_results_gives_what_its_parts_give)
{
  static const int64_t shapes[][3] = {{12, 10, 9}, {15, 21, 8}, {4, 1, 6}};
  static const triad_truncation truncations[] = {TRIAD_SPHERE, TRIAD_BOX, TRIAD_NONE};
  static const char *const names[] = {"sphere", "box", "every mode"};
  for (int s = 0; s < 3; s++)
    for (int t = 0; t < 3; t++) {
      triad_grid grid;
      TRIAD_CHECK(triad_grid_init(&grid, shapes[s], lengths, truncations[t]));
      check(&grid, names[t], NULL);
    }
}

/* Factors of shifts are taken off behind the sums; and results may be the mean over two grids. */
TRIAD_TEST(chains_are_joined_on_grids_that_are_shifted_as_on_others)
{
  static const double shift[3] = {0.3, 0.8, 0.1};
  const int64_t n[3] = {18, 12, 10};
  triad_grid grid;
  TRIAD_CHECK(triad_grid_init(&grid, n, lengths, TRIAD_SPHERE));
  TRIAD_CHECK(triad_grid_set_sphere(&grid, 0, 1));
  check(&grid, "shifted", shift);
  check(&grid, "on two grids", NULL);
}

TRIAD_MAIN
