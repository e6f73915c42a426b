/* The one pass by kernels of a GPU, which run on the host (tests/help/fake), against the CPU's: products of the
 * equations' own points, on grids that are shifted and that are not. ranks: 1 2 */
#include "flow.h"

#include "fft/gpu/gpu_compiled.h"
#include "fft/gpu/gpu_library.h"
#include "fft/gpu/gpu_offload.h"
#include "fft/pass/transform.h"
#include "solvers/spectral/equations/gpu_set.h"

extern triad_gpu_visit triad_gpu_visit_velocity, triad_gpu_visit_mhd;

static const char text[] =
  "[equations]\nsolver = \"hd\"\nviscosity = 0.02\n[grid]\nlength = [6.3, 3.5, 9.75]\n[initial]\n"
  "kind = \"random\"\nwavenumber = 3\n[time]\nend = 1\ndt = 0.01\n[parallel]\ndevice = \"cpu\"\nreproducible = true\n";

/* Results of the CPU's pass or of one through a GPU, in the storage of fields. */
typedef struct products {
  triad_evaluation now; /* first, as the flow's own source wants */
  triad_cplx **result;
  double peak;
} products;

static int settle(void *self, const double *peaks)
{
  ((products *)self)->peak = peaks[TRIAD_PEAK_ADVECTION];
  return TRIAD_OK;
}

static void sink(void *self, const triad_batch *block, triad_cplx *const *out)
{
  const products *p = self;
  for (int r = 0; r < triad_shape_left(&p->now.flow->shape, 0); r++) triad_batch_keep(block, out[r], p->result[r]);
}

static triad_cplx **fields_make(int n, int64_t modes)
{
  triad_cplx **f = calloc((size_t)n, sizeof *f);
  assert_non_null(f);
  for (int i = 0; i < n; i++) {
    f[i] = aligned_alloc(64, ((size_t)modes * sizeof **f / 64 + 1) * 64);
    assert_non_null(f[i]);
  }
  return f;
}

static void fields_free(int n, triad_cplx **f)
{
  for (int i = 0; i < n; i++) free(f[i]);
  free(f);
}

/* Chunks in flight; 0: the default. */
static int streams;

/* What the GPU's pass works with. */
typedef struct gpu {
  triad_device *device;
  triad_layout *layout;
  triad_gpu_pass *pass;
  triad_cplx **in;
} gpu;

/* Result r at the columns at hand. */
static int take(void *self, const triad_offload_columns *at)
{
  const products *p = self;
  const triad_flow *flow = p->now.flow;
  for (int r = 0; r < triad_shape_left(&flow->shape, 0); r++)
    for (int64_t c = 0; c < at->count; c++)
      for (int64_t j = 0; j < flow->layout->nkz; j++)
        p->result[r][triad_layout_place(flow->layout, at->first + c, j)] =
          at->result[j * at->stride + r * at->count + c];
  return TRIAD_OK;
}

/* The fields of a flow pass through the GPU, piece by piece. */
static void run_offload(triad_flow *flow, triad_gpu_visit *visit, const double *shift, products *p)
{
  const int n_in = flow->shape.pass[0].n_in, n_out = flow->shape.pass[0].n_out, both = flow->grid.shifted && !shift;
  const int n_left = triad_shape_left(&flow->shape, 0);
  const triad_offload_sizes sizes = {.n_in = n_in,
                                     .n_out = n_out,
                                     .n_left = n_left,
                                     .n_fields = n_in + (both ? n_left : 0),
                                     .both = both,
                                     .nstreams = streams};
  triad_offload_field in[TRIAD_MAX_FIELDS];
  triad_device *device = NULL;
  triad_offload *offload = NULL;
  for (int f = 0; f < n_in; f++) in[f] = (triad_offload_field){flow->u[f], TRIAD_OFFLOAD_IN};
  const triad_offload_job job = {.n_in = n_in,
                                 .n_out = n_out,
                                 .chains = flow->shape.pass[0].chains,
                                 .source = {n_in, in, NULL},
                                 .visit = visit,
                                 .law = flow->self,
                                 .shift = shift,
                                 .settle = settle,
                                 .sink = {n_in, in, take},
                                 .self = p};
  TRIAD_CHECK(triad_device_create(&device, 0));
  TRIAD_CHECK(triad_offload_create(&offload, flow->context, device, flow->layout, flow->pass, &sizes));
  for (int twice = 0; twice < 2; twice++) TRIAD_CHECK(triad_offload_run(offload, &job));
  triad_offload_destroy(&offload);
  triad_device_destroy(&device);
}

static gpu gpu_make(triad_flow *flow, int both)
{
  const triad_gpu_pass_options options = {
    .most_left = triad_shape_left(&flow->shape, 0), .both = both, .nstreams = streams};
  const int n_in = flow->shape.pass[0].n_in;
  const triad_comm *comm = &flow->context->comm;
  gpu g = {.device = NULL};
  TRIAD_CHECK(triad_device_create(&g.device, 0));
  TRIAD_CHECK(triad_gpu_layout_create(&g.layout, &flow->grid, comm->rank, comm->size, flow->layout->group));
  TRIAD_CHECK(
    triad_gpu_pass_create(&g.pass, flow->context, g.device, g.layout, n_in, flow->shape.pass[0].n_out, 0, &options));
  g.in = fields_make(n_in, g.layout->modes);
  for (int f = 0; f < n_in; f++) {
    memset(g.in[f], 0, (size_t)g.layout->modes * sizeof **g.in);
    for (int64_t c = 0; c < flow->layout->n_columns; c++)
      for (int64_t j = 0; j < flow->layout->nkz; j++)
        g.in[f][j * g.layout->lanes + c] = flow->u[f][triad_layout_place(flow->layout, c, j)];
  }
  return g;
}

static void gpu_free(gpu *g, int n_in)
{
  fields_free(n_in, g->in);
  triad_gpu_pass_destroy(&g->pass);
  triad_layout_destroy(&g->layout);
  triad_device_destroy(&g->device);
}

static void run_gpu(triad_flow *flow, triad_gpu_visit *visit, const double *shift, products *p)
{
  gpu g = gpu_make(flow, flow->grid.shifted && !shift);
  const triad_shape *shape = &flow->shape;
  const triad_gpu_job job = {.n_in = shape->pass[0].n_in,
                             .n_out = shape->pass[0].n_out,
                             .chains = shape->pass[0].chains,
                             .visit = visit,
                             .law = flow->self,
                             .in = (const triad_cplx *const *)g.in,
                             .shift = shift};
  triad_offload_columns all = {.count = flow->layout->n_columns};
  double peaks[TRIAD_GPU_PEAKS];
  for (int twice = 0; twice < 2; twice++) { /* a pass leaves nothing that the next one trips over */
    TRIAD_CHECK(triad_gpu_pass_forget(g.pass));
    TRIAD_CHECK(triad_gpu_pass_run(g.pass, &job));
  }
  TRIAD_CHECK(triad_gpu_pass_peaks(g.pass, peaks));
  p->peak = peaks[0];
  all.result = triad_gpu_pass_result(g.pass, &all.stride);
  for (int r = 0; r < triad_shape_left(shape, 0); r++)
    for (int64_t c = 0; c < all.count; c++)
      for (int64_t j = 0; j < flow->layout->nkz; j++)
        p->result[r][triad_layout_place(flow->layout, c, j)] = all.result[j * all.stride + r * g.layout->lanes + c];
  gpu_free(&g, job.n_in);
}

/* Is field r what chains leave of results, i k_x p + i k_y p'? */
static int is_joined(const triad_shape *shape, int r)
{
  triad_chain_run runs[TRIAD_CHAIN_RUNS];
  const int n = triad_chains_runs(&shape->pass[0].chains, shape->pass[0].n_out, runs);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < runs[i].count && runs[i].length > 1; j++) {
      const int first = runs[i].joined + j * runs[i].joined_step;
      if (r >= first && r < first + runs[i].length - 1) return 1;
    }
  return 0;
}

/* ||a - b|| / ||a|| over all results; in units of results p at the points, whose rounding has no regard for
 * wavenumbers. */
static double differ(const triad_flow *flow, const products *a, const products *b)
{
  const triad_layout *l = flow->layout;
  double difference = 0, size = 0;
  for (int r = 0; r < triad_shape_left(&flow->shape, 0); r++)
    for (int64_t c = 0; c < l->n_columns; c++)
      for (int64_t j = 0; j < l->nkz; j++) {
        const double k2 = l->wx[c] * l->wx[c] + l->wy[c] * l->wy[c],
                     unit = is_joined(&flow->shape, r) && k2 > 0 ? k2 : 1;
        if (!test_kept(l, c, j)) continue;
        const triad_cplx p = a->result[r][triad_layout_place(l, c, j)], q = b->result[r][triad_layout_place(l, c, j)];
        difference += ((p.re - q.re) * (p.re - q.re) + (p.im - q.im) * (p.im - q.im)) / unit;
        size += (p.re * p.re + p.im * p.im) / unit;
      }
  return sqrt(test_total(difference) / test_total(size));
}

typedef void way(triad_flow *flow, triad_gpu_visit *visit, const double *shift, products *p);

/* shift NULL: the grid as it is, or with phase shifts two grids. Transforms there and back by other orders of
 * butterflies round by eps log2 n each, relative to norms, and products double what they find (transform.h). */
static void check(way *run, const char *const *sets, triad_gpu_visit *visit, const double *shift)
{
  test_flow f = test_flow_make(test_together(), text, sets);
  triad_flow *flow = f.flow;
  const int n_left = triad_shape_left(&flow->shape, 0);
  products p = {.now = {.flow = flow, .shift = shift}, .result = fields_make(n_left, flow->layout->modes)};
  products q = {.now = {.flow = flow}, .result = fields_make(n_left, flow->layout->modes)};
  const triad_work own = {.source = triad_evaluation_source, .settle = settle, .sink = sink};
  const double limit = 8 * (double)TRIAD_EPSILON * (log2((double)triad_grid_points(&flow->grid)) + 4);
  TRIAD_CHECK(triad_evaluation_run(&p.now, 0, &own));
  run(flow, visit, shift, &q);
  const double off = differ(flow, &p, &q);
  TRIAD_HOLDS(off <= limit, "%s: off by %.3g of them, %.3g is round-off", sets[0], off, limit);
  TRIAD_NEAR(test_largest(q.peak), test_largest(p.peak), limit, sets[0]);
  fields_free(n_left, p.result);
  fields_free(n_left, q.result);
  test_flow_free(&f);
}

static void check_pass(const char *const *sets, triad_gpu_visit *visit, const double *shift)
{
  check(run_gpu, sets, visit, shift);
}

static const double some[3] = {0.37, 0.81, 0.12};
#define SHIFTED "grid.dealiasing=\"phase-shift\""
#define CARRYING "equations.scalars=[0.01,0.02]"
#define MHD "equations.solver=\"mhd\"", "equations.mean_field=[0.0,0.3,1.0]"

/* Each length with kernels of its own, along each axis; others by the library. */
static const char *const sizes[] = {"grid.n=[32,32,32]", "grid.n=[64,9,32]", "grid.n=[9,64,8]",  "grid.n=[9,5,64]",
                                    "grid.n=[256,6,8]",  "grid.n=[360,7,5]", "grid.n=[7,360,4]", "grid.n=[6,9,360]",
                                    "grid.n=[512,5,4]",  "grid.n=[5,512,4]", "grid.n=[6,8,512]"};
enum { SIZES = sizeof sizes / sizeof *sizes };

TRIAD_TEST(products_of_a_grid_as_it_is)
{
  for (int i = 0; i < SIZES; i++)
    check_pass((const char *[]){sizes[i], CARRYING, NULL}, triad_gpu_visit_velocity, NULL);
}

TRIAD_TEST(products_of_a_grid_that_is_shifted)
{
  for (int i = 0; i < SIZES; i++)
    check_pass((const char *[]){sizes[i], SHIFTED, CARRYING, NULL}, triad_gpu_visit_velocity, some);
}

TRIAD_TEST(the_mean_over_two_grids)
{
  for (int i = 0; i < SIZES; i += 4)
    check_pass((const char *[]){sizes[i], SHIFTED, CARRYING, NULL}, triad_gpu_visit_velocity, NULL);
}

/* Six fields: rows of 512 points go one by one. */
TRIAD_TEST(products_of_many_fields)
{
  static const char *const some_sizes[] = {"grid.n=[32,32,32]", "grid.n=[512,6,32]", "grid.n=[360,5,12]"};
  for (int i = 0; i < 3; i++) {
    check_pass((const char *[]){some_sizes[i], MHD, NULL}, triad_gpu_visit_mhd, NULL);
    check_pass((const char *[]){some_sizes[i], SHIFTED, MHD, NULL}, triad_gpu_visit_mhd, some);
  }
}

TRIAD_TEST(lines_by_the_library)
{
  assert_int_equal(setenv("TRIAD_GPU_LINES", "library", 1), 0);
  check_pass((const char *[]){sizes[0], SHIFTED, MHD, NULL}, triad_gpu_visit_mhd, some);
  check_pass((const char *[]){sizes[0], SHIFTED, CARRYING, NULL}, triad_gpu_visit_velocity, NULL);
  assert_int_equal(unsetenv("TRIAD_GPU_LINES"), 0);
}

/* As parallel.lines = "cufft" has it. */
static void choose_library(triad_flow *flow)
{
  flow->grid.lines = flow->layout->grid.lines = TRIAD_LINES_LIBRARY;
  for (int i = 0; i < 3; i++) {
    TRIAD_HOLDS(triad_gpu_library_serves(&flow->grid, i), "lines along %d are not cuFFT's", i);
    TRIAD_HOLDS(!triad_gpu_compiled_serves(&flow->grid, i), "lines along %d are compiled", i);
  }
}

static void run_gpu_cufft(triad_flow *flow, triad_gpu_visit *visit, const double *shift, products *p)
{
  choose_library(flow);
  run_gpu(flow, visit, shift, p);
}

static void run_offload_cufft(triad_flow *flow, triad_gpu_visit *visit, const double *shift, products *p)
{
  choose_library(flow);
  run_offload(flow, visit, shift, p);
}

/* Batches on one stream and on several, resident and offloaded, of lengths that have kernels, too. */
TRIAD_TEST(lines_by_choice_on_streams)
{
  static const int counts[] = {1, 2, 5};
  static const char *const grids[] = {"grid.n=[64,32,48]", "grid.n=[32,32,32]", "grid.n=[9,64,20]"};
  way *const ways[] = {run_gpu, run_gpu_cufft, run_offload_cufft};
  for (int s = 0; s < 3; s++)
    for (int w = 0; w < 3; w++) {
      streams = counts[s];
      check(ways[w], (const char *[]){grids[s], CARRYING, NULL}, triad_gpu_visit_velocity, NULL);
      check(ways[w], (const char *[]){grids[s], SHIFTED, CARRYING, NULL}, triad_gpu_visit_velocity, some);
    }
  streams = 0;
}

/* One rank's columns go in several pieces, and so do planes. */
TRIAD_TEST(fields_that_pass_through)
{
  static const char *const some_sizes[] = {"grid.n=[32,32,32]", "grid.n=[12,9,360]"};
  for (int i = 0; i < 2; i++) {
    check(run_offload, (const char *[]){some_sizes[i], CARRYING, NULL}, triad_gpu_visit_velocity, NULL);
    check(run_offload, (const char *[]){some_sizes[i], SHIFTED, CARRYING, NULL}, triad_gpu_visit_velocity, NULL);
    check(run_offload, (const char *[]){some_sizes[i], SHIFTED, CARRYING, NULL}, triad_gpu_visit_velocity, some);
  }
}
TRIAD_MAIN
