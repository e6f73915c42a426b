/* Advect points with the velocity of stored checkpoints, forward or backward in time: dx/dt = u(x, t) by the classical
 * fourth-order Runge-Kutta scheme in equal steps, with u exact from the modes at each point, and linear in time between
 * two checkpoints. The modes of two checkpoints are in memory at once. */
#include "base/clock.h"
#include "command/query/query.h"
#include "command/query/query_device.h"
#include "command/query/query_points.h"
#include "command/query/query_source.h"
#include "store/checkpoint/commit.h"
#include "store/checkpoint/find.h"
#include "store/checkpoint/inspect.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PAIR = 2 };
static const char *const names[3] = {"u", "v", "w"};

typedef struct job {
  const triad_session *session;
  triad_query *q;
  int n; /* checkpoints about the span of time, oldest first */
  char (*folder)[TRIAD_PATH];
  triad_manifest **about;
  triad_layout *layout;
  triad_at_points *points;
  int at;                         /* whose modes are held: of checkpoints at, at + 1; -1: none */
  double *modes[PAIR][3], *mixed; /* [column][kz][2] */
  double *u, *x, *k, *sum;        /* [n][3]: values of a stage, its places, its velocity, the sum of stages */
} job;

static double time_of(const job *j, int i) { return j->about[i]->t; }

static int is_near(double a, double b) { return fabs(a - b) <= 1e-12 * fmax(fabs(a), fabs(b)); }

/* The manifest of each checkpoint of the run, oldest first. */
static int find_all(job *j, const char *run)
{
  char temporary[TRIAD_PATH];
  int64_t *steps = NULL;
  int count = 0;
  triad_path_kind kind = triad_path_look(run);
  if (kind == TRIAD_PATH_MISSING) return TRIAD_FAIL(TRIAD_ERR_INPUT, "%s: no such file or folder", run);
  if (kind != TRIAD_PATH_RUN) return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: --advect requires a run directory", run);
  TRIAD_TRY(triad_commit_list(run, &steps, &count));
  j->folder = calloc((size_t)count + 1, sizeof *j->folder);
  j->about = calloc((size_t)count + 1, sizeof(triad_manifest *));
  int st = j->folder && j->about ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "%d checkpoints", count);
  for (int i = count - 1; i >= 0 && st == TRIAD_OK; i--) {
    char found[TRIAD_PATH];
    st = triad_commit_names(run, steps[i], temporary, j->folder[j->n]);
    if (st == TRIAD_OK) st = triad_checkpoint_about(&j->session->comm, j->folder[j->n], found, &j->about[j->n]);
    j->n += st == TRIAD_OK;
  }
  free(steps);
  return st;
}

/* Are there checkpoints on both sides of every time between these? */
static int check_span(const job *j, const char *run, double from, double to)
{
  const double low = fmin(from, to), high = fmax(from, to);
  if (j->n < 2) return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: --advect requires at least two checkpoints", run);
  const double first = time_of(j, 0), last = time_of(j, j->n - 1);
  if ((low < first && !is_near(low, first)) || (high > last && !is_near(high, last)))
    return TRIAD_FAIL(TRIAD_ERR_CASE,
                      "%s: --time %.17g and --advect %.17g are outside its checkpoints, t = %.17g to %.17g", run, from,
                      to, first, last);
  for (int i = 0; i < j->n; i++)
    for (int f = 0; f < 3; f++)
      if (j->about[i]->points || j->about[i]->grid.truncation == TRIAD_NONE ||
          triad_manifest_find(j->about[i], names[f]) < 0)
        return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: --advect: the checkpoint has no truncated modes of %s", j->folder[i],
                          names[f]);
  return TRIAD_OK;
}

/* ---- velocity ---- */

static int load_one(job *j, int i, double *const *modes)
{
  const triad_manifest *m = j->about[i];
  triad_query_source one = {.n = 1, .about = {j->about[i], NULL}};
  const triad_grid *g = &m->grid, *l = &j->layout->grid;
  for (int a = 0; a < 3; a++)
    if (g->n[a] != l->n[a] || g->length[a] != l->length[a] || g->truncation != l->truncation ||
        m->columns != j->layout->all_columns)
      return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: --advect: the grid differs from that of the previous checkpoint",
                        j->folder[i]);
  const double begin = triad_now();
  TRIAD_TRY(triad_disk_path(one.folder[0], "%s", j->folder[i]));
  for (int f = 0; f < 3; f++) TRIAD_TRY(triad_query_source_read(&one, 0, names[f], modes[f]));
  j->q->took.checkpoint += triad_now() - begin;
  return TRIAD_OK;
}

/* Load the modes of the two checkpoints around a time; those already loaded stay. */
static int load(job *j, double t)
{
  int i = 0;
  while (i + 2 < j->n && t > time_of(j, i + 1) && !is_near(t, time_of(j, i + 1))) i++;
  if (i == j->at) return TRIAD_OK;
  for (int f = 0; f < 3 && j->at >= 0 && abs(i - j->at) == 1; f++) {
    double *kept = j->modes[0][f];
    j->modes[0][f] = j->modes[1][f];
    j->modes[1][f] = kept;
  }
  if (i != j->at + 1 || j->at < 0) TRIAD_TRY(load_one(j, i, j->modes[0]));
  if (i != j->at - 1) TRIAD_TRY(load_one(j, i + 1, j->modes[1]));
  j->at = i;
  return TRIAD_OK;
}

/* Modes of a component at a share of the way from one checkpoint to the other. */
static const double *mix(job *j, int f, double share)
{
  const int64_t reals = 2 * j->layout->all_columns * j->layout->nkz;
  const double *a = j->modes[0][f], *b = j->modes[1][f];
  double *mixed = j->mixed;
#pragma omp parallel for schedule(static) num_threads(j->q->threads)
  for (int64_t i = 0; i < reals; i++) mixed[i] = a[i] + share * (b[i] - a[i]);
  return mixed;
}

/* k[n][3] = u(x, t) */
static int velocity(job *j, const double *x, double t, double *k)
{
  const int64_t n = j->q->points.n;
  TRIAD_TRY(load(j, t));
  TRIAD_TRY(triad_at_points_place(j->points, x));
  const double begin = time_of(j, j->at), end = time_of(j, j->at + 1), share = (t - begin) / (end - begin);
  for (int f = 0; f < 3; f++) {
    TRIAD_TRY(triad_at_points_run(j->points, 1, mix(j, f, share), j->u));
    for (int64_t p = 0; p < n; p++) k[3 * p + f] = j->u[p];
  }
  return TRIAD_OK;
}

/* ---- paths ---- */

/* A step of dt from places at t, where the velocity is u, to others. */
static int step(job *j, const double *from, const double *u, double t, double dt, double *to)
{
  static const double share[4] = {0, 0.5, 0.5, 1}, weight[4] = {1. / 6, 1. / 3, 1. / 3, 1. / 6};
  const int64_t n = 3 * j->q->points.n;
  memcpy(j->sum, from, (size_t)n * sizeof *from);
  memcpy(j->k, u, (size_t)n * sizeof *u);
  for (int s = 0; s < 4; s++) {
    for (int64_t i = 0; i < n; i++) j->x[i] = from[i] + share[s] * dt * j->k[i];
    if (s > 0) TRIAD_TRY(velocity(j, j->x, t + share[s] * dt, j->k));
    for (int64_t i = 0; i < n; i++) j->sum[i] += weight[s] * dt * j->k[i];
  }
  memcpy(to, j->sum, (size_t)n * sizeof *to);
  return TRIAD_OK;
}

static int follow(job *j, triad_query_path *path, double from, double to)
{
  const int64_t n = 3 * j->q->points.n;
  memcpy(path->x, j->q->points.x, (size_t)n * sizeof *path->x);
  for (int s = 0; s <= path->steps; s++) path->t[s] = s == path->steps ? to : from + (to - from) * s / path->steps;
  for (int s = 0; s < path->steps; s++) {
    TRIAD_TRY(velocity(j, path->x + s * n, path->t[s], path->u + s * n));
    TRIAD_TRY(
      step(j, path->x + s * n, path->u + s * n, path->t[s], path->t[s + 1] - path->t[s], path->x + (s + 1) * n));
  }
  return velocity(j, path->x + path->steps * n, to, path->u + path->steps * n);
}

static int allocate_path(job *j, triad_query_path *path)
{
  const size_t n = 3 * (size_t)j->q->points.n, rows = (size_t)path->steps + 1;
  TRIAD_TRY(triad_layout_create(&j->layout, &j->about[0]->grid, 0, 1, 1));
  const size_t reals = 2 * (size_t)(j->layout->all_columns * j->layout->nkz);
  for (int i = 0; i < 3 * PAIR; i++) j->modes[i / 3][i % 3] = malloc(reals * sizeof(double));
  j->mixed = malloc(reals * sizeof(double));
  j->u = malloc(n * sizeof(double));
  j->x = malloc(n * sizeof(double));
  j->k = malloc(n * sizeof(double));
  j->sum = malloc(n * sizeof(double));
  path->t = malloc(rows * sizeof(double));
  path->x = malloc(rows * n * sizeof(double));
  path->u = malloc(rows * n * sizeof(double));
  int good = j->mixed && j->u && j->x && j->k && j->sum && path->t && path->x && path->u;
  for (int i = 0; i < 3 * PAIR; i++) good = good && j->modes[i / 3][i % 3];
  if (!good)
    return TRIAD_FAIL(TRIAD_ERR_MEMORY, "modes of two checkpoints, and paths of %lld points",
                      (long long)j->q->points.n);
  return triad_query_at(&j->points, j->q, j->session, j->layout, 0, 3. * (4. * path->steps + 1));
}

static void give(job *j)
{
  triad_query_at_done(j->q, &j->points);
  for (int i = 0; i < 3 * PAIR; i++) free(j->modes[i / 3][i % 3]);
  free(j->mixed);
  free(j->u);
  free(j->x);
  free(j->k);
  free(j->sum);
  triad_layout_destroy(&j->layout);
  for (int i = 0; i < j->n; i++) triad_manifest_destroy(&j->about[i]);
  free(j->about);
  free(j->folder);
}

int triad_query_advect(triad_query *q, const triad_session *s, const char *run, const char *at, double from, double to,
                       triad_query_path *path)
{
  job j = {.session = s, .q = q, .at = -1};
  double begin = triad_now();
  int st = find_all(&j, run);
  if (st == TRIAD_OK) st = check_span(&j, run, from, to);
  q->took.checkpoint = triad_now() - begin;
  begin = triad_now();
  if (st == TRIAD_OK) st = triad_query_points_make(&q->points, at, j.about[0]->grid.length);
  if (st == TRIAD_OK) triad_query_points_warn(&q->points, at, j.about[0]->grid.length, s->log);
  q->took.points = triad_now() - begin;
  if (st == TRIAD_OK) st = allocate_path(&j, path);
  if (st == TRIAD_OK) st = follow(&j, path, from, to);
  give(&j);
  return st;
}
