/* Sum means, moments and histograms over points during a pass, in an order that does not depend on ranks or threads. */
#include "solvers/spectral/measure/point_sums.h"
#include "solvers/spectral/measure/loops.h"
#include "solvers/spectral/measure/plane_means.h"
#include "grid/value_points.h"
#include "solvers/spectral/flow_pass.h"
#include "fft/pass/transform.h"
#include "solvers/spectral/whole_planes.h"

#include <math.h>
#include <string.h>

enum { PARTS = 8, POWERS = TRIAD_VALUE_POWERS };

typedef struct work {
  triad_flow *flow;
  const triad_layout *layout; /* of whole planes */
  triad_whole_planes *whole;
  triad_point_job *job;
  double *table[3]; /* of an axis: [product][z][n along it], of z one number; z counts all planes */
  double *powers;   /* [input][z][POWERS]  */
  int64_t *counts;  /* [local z][input][bins] */
  double mean[TRIAD_POINT_INPUTS];
} work;

/* Numbers that a plane has across an axis. */
static int64_t width_of(const triad_layout *l, int axis) { return axis == 2 ? 1 : l->grid.n[axis]; }

int64_t triad_point_sums_memory(const triad_layout *l, int threads, int bins)
{
  int64_t tables = TRIAD_POINT_INPUTS * POWERS;
  for (int axis = 0; axis < 3; axis++) tables += TRIAD_POINT_PRODUCTS * width_of(l, axis);
  const int64_t of_points = tables * l->grid.n[2] * (int64_t)sizeof(double) +
                            l->n_planes * TRIAD_POINT_INPUTS * bins * (int64_t)sizeof(int64_t);
  const int64_t of_columns = triad_plane_means_memory(l, threads); /* the other way: a sample goes one or the other */
  const int64_t of_rows = triad_whole_planes_bytes(l, TRIAD_POINT_INPUTS);
  return of_points + of_rows > of_columns ? of_points + of_rows : of_columns;
}

/* ---- modes to columns ---- */

static void source(void *self, const triad_batch *b, triad_cplx *const *in)
{
  const work *w = self;
  triad_point_inputs(w->flow, w->job, b, in);
}

/* ---- a row of points ---- */

static double join(const double s[PARTS]) { return ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7])); }

static double sum_of(int64_t n, const triad_real *a)
{
  double s[PARTS] = {0};
  int64_t i = 0;
  for (; i + PARTS <= n; i += PARTS)
    for (int j = 0; j < PARTS; j++) s[j] += (double)a[i + j];
  for (; i < n; i++) s[i % PARTS] += (double)a[i];
  return join(s);
}

static double sum_of_product(int64_t n, const triad_real *a, const triad_real *b)
{
  double s[PARTS] = {0};
  int64_t i = 0;
  for (; i + PARTS <= n; i += PARTS)
    for (int j = 0; j < PARTS; j++) s[j] += (double)a[i + j] * (double)b[i + j];
  for (; i < n; i++) s[i % PARTS] += (double)a[i] * (double)b[i];
  return join(s);
}

static void add_products(const work *w, const triad_patch *at, triad_real *const *in)
{
  const triad_point_job *job = w->job;
  for (int p = 0; p < job->n_products; p++) {
    const triad_real *a = in[job->product[p].a], *b = job->product[p].b < 0 ? NULL : in[job->product[p].b];
    const int64_t plane = p * w->layout->grid.n[2] + at->z;
    if (w->table[1] || w->table[2]) {
      const double sum = b ? sum_of_product(at->n, a, b) : sum_of(at->n, a);
      if (w->table[2]) w->table[2][plane] += sum;
      if (w->table[1]) w->table[1][plane * w->layout->grid.n[1] + at->y] += sum;
    }
    double *x = w->table[0] ? w->table[0] + plane * at->n : NULL;
    for (int64_t i = 0; x && i < at->n; i++) x[i] += b ? (double)a[i] * (double)b[i] : (double)a[i];
  }
}

static void add_powers(int64_t n, const triad_real *a, double mean, double out[POWERS])
{
  double s[POWERS][PARTS] = {{0}};
  for (int64_t i = 0; i < n; i++) {
    double powers[POWERS];
    triad_value_powers((double)a[i] - mean, powers);
    for (int p = 0; p < POWERS; p++) s[p][i % PARTS] += powers[p];
  }
  for (int p = 0; p < POWERS; p++) out[p] += join(s[p]);
}

static void count(const triad_point_job *job, int f, int64_t n, const triad_real *a, int64_t *counts)
{
  for (int64_t i = 0; i < n; i++) {
    const int bin = triad_value_bin((double)a[i], job->mean[f], job->scale[f], job->reach, job->bins);
    if (bin >= 0) counts[bin]++;
  }
}

static void points(void *self, const triad_patch *at, triad_real *const *in, triad_real *const *out, double *peaks)
{
  const work *w = self;
  const triad_point_job *job = w->job;
  const int64_t local = at->z - w->layout->first_plane;
  (void)out;
  (void)peaks;
  add_products(w, at, in);
  for (int f = 0; f < job->n_in; f++) {
    if (job->moments) add_powers(at->n, in[f], w->mean[f], w->powers + (f * w->layout->grid.n[2] + at->z) * POWERS);
    if (job->bins > 0 && job->scale[f] > 0)
      count(job, f, at->n, in[f], w->counts + (local * job->n_in + f) * job->bins);
  }
}

/* ---- all of them ---- */

/* The mean of an input is its mode of k = 0, which one rank has; a derivative has none. */
static int find_means(work *w)
{
  const triad_layout *l = w->flow->layout;
  for (int f = 0; f < w->job->n_in; f++) w->mean[f] = 0;
  for (int64_t c = 0; c < l->n_columns; c++)
    for (int f = 0; f < w->job->n_in && l->kx[c] == 0 && l->ky[c] == 0; f++)
      if (w->job->in[f].term[0].along < 0)
        w->mean[f] = (double)w->flow->u[w->job->in[f].term[0].field][triad_layout_place(l, c, 0)].re;
  return TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, w->mean, w->job->n_in, MPI_DOUBLE, MPI_SUM, w->flow->context->comm.mpi));
}

/* What each rank has of a table, the rest 0, becomes the whole of it. */
static int share(const work *w, int64_t size, double *table)
{
  int n = 0;
  TRIAD_TRY(triad_narrow(size, &n));
  return TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, table, n, MPI_DOUBLE, MPI_SUM, w->flow->context->comm.mpi));
}

static int tell_profiles(const work *w)
{
  const triad_grid *g = &w->layout->grid;
  const triad_point_job *job = w->job;
  for (int axis = 0; axis < 3; axis++) {
    if (!w->table[axis]) continue;
    const int64_t width = width_of(w->layout, axis);
    const double over = (double)(g->n[0] * g->n[1] * g->n[2] / g->n[axis]);
    TRIAD_TRY(share(w, job->n_products * g->n[2] * width, w->table[axis]));
    for (int p = 0; p < job->n_products; p++)
      for (int64_t i = 0; i < g->n[axis]; i++) {
        const double *from = w->table[axis] + p * g->n[2] * width;
        double sum = axis == 2 ? from[i] : 0;
        for (int64_t z = 0; z < g->n[2] && axis < 2; z++) sum += from[z * width + i];
        job->profile[axis][p][i] = sum / over;
      }
  }
  return TRIAD_OK;
}

static int tell_moments(const work *w)
{
  const triad_grid *g = &w->layout->grid;
  TRIAD_TRY(share(w, w->job->n_in * g->n[2] * POWERS, w->powers));
  for (int f = 0; f < w->job->n_in; f++) {
    w->job->moment[f][0] = w->mean[f];
    for (int p = 0; p < POWERS; p++) {
      double sum = 0;
      for (int64_t z = 0; z < g->n[2]; z++) sum += w->powers[(f * g->n[2] + z) * POWERS + p];
      w->job->moment[f][1 + p] = sum / (double)triad_grid_points(g);
    }
  }
  return TRIAD_OK;
}

static int tell_counts(const work *w)
{
  const triad_point_job *job = w->job;
  for (int f = 0; f < job->n_in; f++) {
    memset(job->counts[f], 0, (size_t)job->bins * sizeof *job->counts[f]);
    for (int64_t z = 0; z < w->layout->n_planes; z++)
      for (int b = 0; b < job->bins; b++) job->counts[f][b] += w->counts[(z * job->n_in + f) * job->bins + b];
    TRIAD_TRY(TRIAD_MPI(
      MPI_Allreduce(MPI_IN_PLACE, job->counts[f], job->bins, MPI_INT64_T, MPI_SUM, w->flow->context->comm.mpi)));
  }
  return TRIAD_OK;
}

static int allocate_buffers(work *w)
{
  triad_memory *memory = w->flow->context->memory;
  const triad_point_job *job = w->job;
  const int64_t planes = w->layout->grid.n[2];
  for (int axis = 0; axis < 3; axis++)
    if (job->n_products > 0 && job->profile[axis][0])
      TRIAD_TRY(TRIAD_ALLOC(memory, "means", job->n_products * planes * width_of(w->layout, axis), &w->table[axis]));
  if (job->moments) TRIAD_TRY(TRIAD_ALLOC(memory, "means", job->n_in * planes * POWERS, &w->powers));
  if (job->bins > 0) TRIAD_TRY(TRIAD_ALLOC(memory, "means", w->layout->n_planes * job->n_in * job->bins, &w->counts));
  return TRIAD_OK;
}

static int run_pass(work *w)
{
  const triad_work pass_work = {.n_in = w->job->n_in, .source = source, .points = points, .self = w};
  triad_pass *pass;
  TRIAD_TRY(find_means(w));
  TRIAD_TRY(triad_flow_borrow(w->flow, w->job->n_in, 0, &pass));
  int st = triad_whole_planes_run(w->whole, pass, &pass_work);
  triad_flow_return(w->flow, &pass);
  if (st == TRIAD_OK) st = tell_profiles(w);
  if (st == TRIAD_OK && w->job->moments) st = tell_moments(w);
  return st == TRIAD_OK && w->job->bins > 0 ? tell_counts(w) : st;
}

int triad_point_sums_host(triad_flow *flow, triad_point_job *job)
{
  triad_memory *memory = flow->context->memory;
  work w = {.flow = flow, .layout = flow->planes, .job = job};
  TRIAD_TRY(triad_agree(&flow->context->comm, triad_state_read_all(flow->state, TRIAD_HOST)));
  if (triad_plane_means_can(flow, job)) return triad_plane_means(flow, job);
  int st = triad_agree(&flow->context->comm, allocate_buffers(&w));
  if (st == TRIAD_OK) st = triad_whole_planes_create(&w.whole, flow, job->n_in);
  if (st == TRIAD_OK) st = run_pass(&w);
  triad_whole_planes_destroy(&w.whole, memory);
  TRIAD_FREE(memory, &w.counts);
  TRIAD_FREE(memory, &w.powers);
  for (int axis = 0; axis < 3; axis++) TRIAD_FREE(memory, &w.table[axis]);
  return st;
}

int triad_point_sums(triad_flow *flow, triad_point_job *job) { return flow->measure->points(flow, job); }
