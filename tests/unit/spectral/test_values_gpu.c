/* Moments and histograms of values at points on a GPU that is the host (tests/help/fake), against those on the CPU: of
 * fields, derivatives and sums of two, with several chunks in flight. ranks: 1 2   timeout: 300 */
#include "spectral_gpu.h"

#include "solvers/spectral/measure/budget.h"
#include "solvers/spectral/measure/point_sums.h"

#include <string.h>

#define COMMON "[grid]\nn = [32, 8, 9]\nlength = [6.3, 3.5, 9.75]\n[time]\nend = 1\n[parallel]\nnstreams = 3\n"
static const char hd[] = COMMON "[initial]\nkind = \"random\"\nwavenumber = 3\nseed = 5\n[equations]\n"
                                "solver = \"hd\"\nviscosity = 0.02\nscalars = [0.01]\n";
static const char gpe[] = COMMON "[initial]\nkind = \"plane-waves\"\nwaves = [1, 0, 0, 0.1, 0, -1, 1, 1, 0.2, 0]\n"
                                 "[equations]\nsolver = \"gpe\"\nsound_speed = 1.0\nhealing_length = 0.4\n";

enum { BINS = 50, INPUTS = 3 };

typedef struct values {
  triad_point_job job;
  int64_t counts[INPUTS][BINS];
} values;

static void ask(values *v, const triad_point_input in[INPUTS])
{
  memset(v, 0, sizeof *v);
  v->job = (triad_point_job){.n_in = INPUTS, .moments = 1};
  memcpy(v->job.in, in, INPUTS * sizeof *in);
}

/* What the samples of a run do: moments, then a histogram about the mean in units of the rms. */
static void find(triad_flow *flow, values *v)
{
  TRIAD_CHECK(triad_point_sums(flow, &v->job));
  triad_point_job *histogram = &v->job;
  double moment[TRIAD_POINT_INPUTS][TRIAD_POINT_MOMENTS];
  memcpy(moment, v->job.moment, sizeof moment);
  histogram->moments = 0;
  histogram->bins = BINS;
  histogram->reach = 3;
  for (int f = 0; f < INPUTS; f++) {
    histogram->mean[f] = moment[f][0];
    histogram->scale[f] = sqrt(moment[f][1]);
    histogram->counts[f] = v->counts[f];
  }
  TRIAD_CHECK(triad_point_sums(flow, histogram));
  memcpy(v->job.moment, moment, sizeof moment);
}

/* A value that lies on the border of two bins to rounding may be in either. */
enum { ON_BORDERS = 4 };

static void check(const char *text, const char *const *sets, const triad_point_input in[INPUTS])
{
  test_flow flow[2];
  values v[2];
  test_pair_make(flow, text, sets);
  for (int i = 0; i < 2; i++) {
    ask(&v[i], in);
    find(flow[i].flow, &v[i]);
  }
  for (int f = 0; f < INPUTS; f++) {
    const double *x = v[0].job.moment[f], *y = v[1].job.moment[f], rms = sqrt(x[1]);
    int64_t all = 0, off = 0;
    TRIAD_HOLDS(x[1] > 0, "%s: input %d is uniform", sets[0], f);
    for (int p = 0; p < TRIAD_POINT_MOMENTS; p++)
      TRIAD_HOLDS(fabs(x[p] - y[p]) <= 1e-12 * pow(rms, p + 1), "%s: moment %d of input %d is %.15g, on the CPU %.15g",
                  sets[0], p + 1, f, y[p], x[p]);
    for (int b = 0; b < BINS; b++) {
      all += v[1].counts[f][b];
      off += labs(v[0].counts[f][b] - v[1].counts[f][b]);
    }
    TRIAD_HOLDS(all > triad_grid_points(&flow[0].flow->grid) / 2 && off <= ON_BORDERS,
                "%s: of %ld counts of input %d %ld differ", sets[0], (long)all, f, (long)off);
  }
  for (int i = 0; i < 2; i++) test_flow_free(&flow[i]);
}

#define CHECK(text, in, ...) check(text, (const char *const[]){__VA_ARGS__, NULL}, in)

static const triad_point_input fields[INPUTS] = {{1, {{0, -1, 1}}}, {1, {{2, -1, 1}}}, {1, {{3, -1, 1}}}},
                               slopes[INPUTS] = {{1, {{0, 0, 1}}}, {2, {{1, 0, 1}, {0, 1, -1}}}, {1, {{2, 2, 1}}}};

TRIAD_TEST(fields_of_a_flow) { CHECK(hd, fields, "equations.rotation=[0, 0, 0.1]"); }
TRIAD_TEST(derivatives) { CHECK(hd, slopes, "equations.rotation=[0, 0, 0.1]"); }
TRIAD_TEST(on_two_grids) { CHECK(hd, slopes, "grid.dealiasing=\"phase-shift\""); }
TRIAD_TEST(on_a_grid_whose_lines_are_a_librarys) { CHECK(hd, slopes, "grid.n=[34, 17, 9]"); }
TRIAD_TEST(on_ranks_that_share_planes)
{
  if (triad_test_comm()->size == 2) CHECK(hd, slopes, "parallel.split=[1, 2]");
}
TRIAD_TEST(moments_beside_products)
{
  test_flow flow[2];
  double profile[2][9];
  triad_point_job job[2];
  test_pair_make(flow, hd, (const char *const[]){"equations.rotation=[0, 0, 0.1]", NULL});
  for (int i = 0; i < 2; i++) {
    job[i] = (triad_point_job){.n_in = 1, .in = {fields[0]}, .moments = 1, .n_products = 1, .product = {{0, 0}}};
    job[i].profile[2][0] = profile[i];
    TRIAD_CHECK(triad_point_sums(flow[i].flow, &job[i]));
  }
  for (int z = 0; z < 9; z++) TRIAD_NEAR(profile[1][z], profile[0][z], 1e-12, "a plane's mean of u^2");
  for (int p = 0; p < TRIAD_POINT_MOMENTS; p++) TRIAD_NEAR(job[1].moment[0][p], job[0].moment[0][p], 1e-12, "a moment");
  for (int i = 0; i < 2; i++) test_flow_free(&flow[i]);
}
TRIAD_TEST(in_a_plane)
{
  CHECK(hd, ((const triad_point_input[INPUTS]){{1, {{0, -1, 1}}}, {1, {{1, -1, 1}}}, {1, {{1, 0, 1}}}}),
        "grid.n=[32, 16, 1]", "grid.length=[6.3, 3.5, 1]");
}

/* Its energies are sums at points, of which each chunk in flight has a part. This device runs one chunk after the
 * other: the test shows that all parts are added, not that chunks at the same time leave each other's part alone. */
TRIAD_TEST(energies_of_a_superfluid)
{
  test_flow flow[2];
  double x[TRIAD_MAX_COLUMNS], y[TRIAD_MAX_COLUMNS];
  test_pair_make(flow, gpe, (const char *const[]){"time.dt=0.001", NULL});
  TRIAD_CHECK(triad_budget_measure(flow[0].flow, x));
  TRIAD_CHECK(triad_budget_measure(flow[1].flow, y));
  test_columns_agree(flow, x, y, "gpe");
  for (int i = 0; i < 2; i++) test_flow_free(&flow[i]);
}

TRIAD_MAIN
