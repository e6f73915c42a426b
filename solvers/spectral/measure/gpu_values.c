/* Sum moments and histograms over the points of a state on a GPU, one input of a job after the other. */
#include "solvers/spectral/measure/gpu_values.h"
#include "parallel/sum.h"
#include "solvers/spectral/gpu_part.h"
#include "solvers/spectral/measure/loops.h"
#include "solvers/spectral/particles/gpu_motion.h"

#include <string.h>

typedef struct work {
  triad_flow *flow;
  triad_point_job *job;
  const triad_gpu_state *state;
  triad_gpu_values values;
  int slots;
  double *sums; /* the GPU's, [TRIAD_VALUE_POWERS] */
  void *stream;
} work;

static int64_t points_at_once(const triad_layout *l, int64_t batch) { return batch * l->n_y * l->grid.n[0]; }

int64_t triad_gpu_point_sums_bytes(const triad_layout *l, const triad_gpu_pass_needs *pass)
{
  const int64_t slot = points_at_once(l, pass->batch) * (int64_t)sizeof(triad_real) +
                       TRIAD_GPU_VALUE_BLOCKS * TRIAD_VALUE_POWERS * (int64_t)sizeof(double);
  return pass->chunks.depth * slot + TRIAD_VALUE_POWERS * (int64_t)sizeof(double) +
         TRIAD_GPU_VALUE_BINS * (int64_t)sizeof(unsigned long long);
}

static int64_t partials(const work *w) { return (int64_t)w->slots * TRIAD_GPU_VALUE_BLOCKS * TRIAD_VALUE_POWERS; }

static int allocate_buffers(work *w)
{
  triad_device *d = w->state->device;
  triad_gpu_values *v = &w->values;
  if (w->job->bins > TRIAD_GPU_VALUE_BINS)
    return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "a histogram of %d bins on a GPU", w->job->bins);
  TRIAD_TRY(triad_device_alloc(d, "means", w->slots * v->row_points, sizeof *v->rows, (void **)&v->rows));
  TRIAD_TRY(triad_device_alloc(d, "means", partials(w), sizeof *v->partial, (void **)&v->partial));
  TRIAD_TRY(triad_device_alloc(d, "means", TRIAD_GPU_VALUE_BINS, sizeof *v->counts, (void **)&v->counts));
  return triad_device_alloc(d, "means", TRIAD_VALUE_POWERS, sizeof *w->sums, (void **)&w->sums);
}

static void free_buffers(work *w)
{
  triad_device *d = w->state->device;
  triad_device_free(d, (void **)&w->sums);
  triad_device_free(d, (void **)&w->values.counts);
  triad_device_free(d, (void **)&w->values.partial);
  triad_device_free(d, (void **)&w->values.rows);
}

/* The mean of a field is its mode of k = 0, which one rank has; a derivative has none. */
static int find_mean(const work *w, const triad_point_input *input, double *mean)
{
  const triad_layout *l = w->flow->layout;
  int st = TRIAD_OK;
  *mean = 0;
  for (int64_t c = 0; c < l->n_columns && input->term[0].along < 0; c++)
    if (l->kx[c] == 0 && l->ky[c] == 0) {
      triad_cplx mode = {0, 0};
      st = triad_device_get(w->state->device, &mode, w->state->u[input->term[0].field] + c, sizeof mode);
      *mean = (double)mode.re;
    }
  TRIAD_TRY(triad_agree(&w->flow->context->comm, st));
  return TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, mean, 1, MPI_DOUBLE, MPI_SUM, w->flow->context->comm.mpi));
}

/* A pass over the points of an input, by which values.partial or values.counts are set. */
static int visit_points(work *w, const triad_point_input *input)
{
  const triad_cplx *in = w->state->u[input->term[0].field];
  triad_gpu_job job = {.n_in = 1, .in = &in, .visit = triad_gpu_values_visit, .law = &w->values};
  if (input->term[0].along >= 0) {
    triad_gpu_terms terms = {.n = 1};
    triad_cplx *made[3] = {w->state->scratch[0]};
    terms.field[0].n = input->n;
    for (int t = 0; t < input->n; t++) {
      terms.field[0].term[t].from = w->state->u[input->term[t].field];
      terms.field[0].term[t].along = input->term[t].along;
      terms.field[0].term[t].sign = input->term[t].sign;
    }
    TRIAD_TRY(triad_gpu_particles_modes(&w->state->modes, &terms, made, w->stream));
    in = made[0];
  }
  return triad_gpu_pass_run(w->state->pass, &job);
}

static int find_powers(work *w, const triad_point_input *input, double powers[TRIAD_VALUE_POWERS])
{
  w->values.bins = 0;
  const int st =
    triad_device_clear(w->state->device, w->values.partial, partials(w) * (int64_t)sizeof *w->values.partial);
  TRIAD_TRY(triad_agree(&w->flow->context->comm, st)); /* before the pass, in which ranks wait for each other */
  TRIAD_TRY(visit_points(w, input));
  TRIAD_TRY(triad_gpu_values_fold(&w->values, w->slots, w->sums, w->stream));
  return triad_device_get(w->state->device, powers, w->sums, TRIAD_VALUE_POWERS * (int64_t)sizeof *powers);
}

static int find_moments(work *w, int f)
{
  const triad_comm *comm = &w->flow->context->comm;
  double *moment = w->job->moment[f], mine[TRIAD_VALUE_POWERS] = {0};
  triad_sum sums[TRIAD_VALUE_POWERS];
  moment[0] = w->values.mean;
  TRIAD_TRY(triad_agree(comm, find_powers(w, &w->job->in[f], mine)));
  for (int p = 0; p < TRIAD_VALUE_POWERS; p++) {
    triad_sum_clear(&sums[p]);
    triad_sum_add(&sums[p], mine[p]);
  }
  TRIAD_TRY(triad_sum_all(comm, sums, TRIAD_VALUE_POWERS, moment + 1));
  for (int p = 0; p < TRIAD_VALUE_POWERS; p++) moment[1 + p] /= (double)triad_grid_points(&w->flow->grid);
  return TRIAD_OK;
}

static int find_counts(work *w, int f)
{
  triad_device *d = w->state->device;
  const triad_comm *comm = &w->flow->context->comm;
  const int64_t bytes = w->job->bins * (int64_t)sizeof *w->values.counts;
  w->values.bins = w->job->bins;
  w->values.mean = w->job->mean[f];
  w->values.scale = w->job->scale[f];
  w->values.reach = w->job->reach;
  TRIAD_TRY(triad_agree(comm, triad_device_clear(d, w->values.counts, bytes)));
  int st = visit_points(w, &w->job->in[f]);
  if (st == TRIAD_OK) st = triad_device_get(d, w->job->counts[f], w->values.counts, bytes);
  TRIAD_TRY(triad_agree(comm, st));
  return TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, w->job->counts[f], w->job->bins, MPI_INT64_T, MPI_SUM, comm->mpi));
}

static int sum_inputs(work *w)
{
  triad_point_job *job = w->job;
  for (int f = 0; f < job->n_in; f++) {
    TRIAD_TRY(find_mean(w, &job->in[f], &w->values.mean));
    if (job->moments) TRIAD_TRY(find_moments(w, f));
    if (job->bins == 0) continue;
    memset(job->counts[f], 0, (size_t)job->bins * sizeof *job->counts[f]);
    if (job->scale[f] > 0) TRIAD_TRY(find_counts(w, f));
  }
  return TRIAD_OK;
}

/* On the host, and nothing else of the job. */
static int sum_products(triad_flow *flow, triad_point_job *job)
{
  triad_point_job products = *job;
  products.moments = products.bins = 0;
  return triad_measure_host.points(flow, &products);
}

int triad_gpu_point_sums(triad_flow *flow, triad_point_job *job)
{
  work w = {.flow = flow, .job = job};
  /* sums of chunks depend on how many there are */
  if (triad_case_flag(flow->given, "parallel.reproducible")) return triad_measure_host.points(flow, job);
  if (job->n_products > 0) TRIAD_TRY(sum_products(flow, job));
  if (!job->moments && job->bins == 0) return TRIAD_OK;
  TRIAD_TRY(triad_agree(&flow->context->comm, triad_state_read_all(flow->state, TRIAD_DEVICE)));
  w.state = triad_gpu_stepper_state(triad_stepper_gpu(flow->stepper));
  w.stream = triad_device_stream(w.state->device);
  w.slots = triad_gpu_pass_chunks(w.state->pass).depth;
  w.values.row_points = points_at_once(flow->layout, triad_gpu_pass_batch(w.state->pass));
  int st = triad_agree(&flow->context->comm, allocate_buffers(&w));
  if (st == TRIAD_OK) st = sum_inputs(&w);
  free_buffers(&w);
  return st;
}
