/* What another project does with Triad: a potential from its sources, and a nonlinear term.
 *
 *   mpirun -n 3 ./advect nx ny nz [double | single [sphere | box]]
 *
 * In a box of 1 x 2 x 3 it
 *   1. solves  lap phi = f  for a sum of waves, phi = sum_w a_w cos(k_w.x + b_w): forward, divide by -k^2, backward;
 *   2. compares mean phi^2 over points with the sum over modes (Parseval);
 *   3. computes phi dphi/dx in one pass, dealiased, and the largest |dphi/dx| with it;
 * each beside the exact answer. The shortest wave that is kept along each axis takes part, so that a product with
 * aliasing errors would be wrong in its first digits. Exit code 0: all errors are within their bounds. */
#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <triad.h>

enum { MOST_WAVES = 8 };

typedef struct wave {
  int64_t k[3];
  double amplitude, phase;
} wave;

typedef struct app {
  triad_plan *plan;
  const triad_plan_share *share;
  int single, n_waves;
  wave waves[MOST_WAVES];
} app;

static const double pi = 3.14159265358979323846;

/* ---- numbers of either precision ---- */

static double get(const app *a, const void *p, int64_t i)
{
  return a->single ? (double)((const float *)p)[i] : ((const double *)p)[i];
}

static void put(const app *a, void *p, int64_t i, double value)
{
  if (a->single) ((float *)p)[i] = (float)value;
  else ((double *)p)[i] = value;
}

static double complex get_mode(const app *a, const void *p, int64_t i)
{
  return get(a, p, 2 * i) + I * get(a, p, 2 * i + 1);
}

static void put_mode(const app *a, void *p, int64_t i, double complex value)
{
  put(a, p, 2 * i, creal(value));
  put(a, p, 2 * i + 1, cimag(value));
}

/* ---- the exact field ---- */

static double wavenumber(const app *a, int axis, int64_t k) { return 2 * pi * (double)k / a->share->length[axis]; }

static double square(double x) { return x * x; }

static double k_squared(const app *a, const int64_t k[3])
{
  return square(wavenumber(a, 0, k[0])) + square(wavenumber(a, 1, k[1])) + square(wavenumber(a, 2, k[2]));
}

enum what { FIELD, LAPLACIAN, SLOPE }; /* phi, lap phi, dphi/dx */

static double exact(const app *a, enum what what, int64_t x, int64_t y, int64_t z)
{
  const int64_t *n = a->share->n;
  double sum = 0;
  for (int i = 0; i < a->n_waves; i++) {
    const wave *w = &a->waves[i];
    double angle = w->phase + 2 * pi *
                                ((double)(w->k[0] * x) / (double)n[0] + (double)(w->k[1] * y) / (double)n[1] +
                                 (double)(w->k[2] * z) / (double)n[2]);
    if (what == FIELD) sum += w->amplitude * cos(angle);
    if (what == LAPLACIAN) sum -= w->amplitude * k_squared(a, w->k) * cos(angle);
    if (what == SLOPE) sum -= w->amplitude * wavenumber(a, 0, w->k[0]) * sin(angle);
  }
  return sum;
}

static void fill(const app *a, enum what what, void *field)
{
  const triad_plan_share *s = a->share;
  for (int64_t i = 0; i < s->points; i++)
    put(a, field, i, exact(a, what, i % s->n[0], i / s->n[0] % s->n[1], s->first_plane + i / (s->n[0] * s->n[1])));
}

/* The shortest wave along each axis that is kept, and some oblique ones. */
static void choose_waves(app *a)
{
  const int64_t *K = a->share->kmax;
  const wave wanted[MOST_WAVES] = {{{K[0], 0, 0}, 1.0, 0.3}, {{0, K[1], 0}, 0.8, 1.1}, {{0, 0, K[2]}, 0.6, 2.0},
                                   {{2, 1, 0}, 0.5, 0.0},    {{1, -2, 1}, 0.4, -0.7},  {{0, 1, 3}, 0.7, 0.2},
                                   {{1, 0, -1}, 0.9, 1.9},   {{0, -1, 1}, 0.3, -2.2}};
  for (int i = 0; i < MOST_WAVES; i++) {
    const int64_t *k = wanted[i].k;
    int mean = k[0] == 0 && k[1] == 0 && k[2] == 0, repeated = 0;
    for (int j = 0; j < a->n_waves; j++) repeated |= memcmp(k, a->waves[j].k, sizeof wanted[i].k) == 0;
    if (!mean && !repeated && triad_plan_find(a->plan, k[0], k[1], k[2], NULL)) a->waves[a->n_waves++] = wanted[i];
  }
}

/* ---- reports ---- */

/* Over all ranks; a NaN must not hide. */
static double largest(double mine)
{
  double all;
  if (isnan(mine)) mine = INFINITY;
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return all;
}

static double total(double mine)
{
  double all;
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

static int report(const app *a, const char *what, double value, double error, double bound)
{
  if (a->share->rank == 0)
    printf("%-9s %.10g error %.3g bound %.3g %s\n", what, value, error, bound, error <= bound ? "ok" : "WRONG");
  return !(error <= bound);
}

static void must(int status)
{
  if (status == TRIAD_PLAN_OK) return;
  fprintf(stderr, "advect: %s\n", triad_plan_message());
  MPI_Abort(MPI_COMM_WORLD, status);
}

/* ---- the three computations ---- */

static void divide_by_minus_k_squared(const app *a, void *fk)
{
  const triad_plan_share *s = a->share;
  for (int64_t c = 0; c < s->columns; c++)
    for (int64_t j = 0; j < s->nkz; j++) {
      int64_t place = triad_plan_place(s, c, j);
      double k2 = square(s->wx[c]) + square(s->wy[c]) + square(s->wz[j]);
      put_mode(a, fk, place, k2 > 0 ? -get_mode(a, fk, place) / k2 : 0);
    }
}

static int solve_poisson(const app *a, void *field, void *phik, double epsilon)
{
  const triad_plan_share *s = a->share;
  double source = 0, error = 0, most = 0, k2 = INFINITY;
  for (int d = 0; d < 3; d++)
    if (s->kmax[d] > 0) k2 = fmin(k2, square(wavenumber(a, d, 1)));
  fill(a, LAPLACIAN, field);
  for (int64_t i = 0; i < s->points; i++) source = fmax(source, fabs(get(a, field, i)));
  must(triad_plan_forward(a->plan, 1, (const void *[]){field}, (void *[]){phik}));
  divide_by_minus_k_squared(a, phik);
  must(triad_plan_backward(a->plan, 1, (const void *[]){phik}, (void *[]){field}));
  for (int64_t i = 0; i < s->points; i++) {
    double phi = exact(a, FIELD, i % s->n[0], i / s->n[0] % s->n[1], s->first_plane + i / (s->n[0] * s->n[1]));
    triad_plan_raise(&error, fabs(get(a, field, i) - phi));
    most = fmax(most, fabs(phi));
  }
  /* round-off in f, epsilon max |f| in each mode, grows by 1/k^2 */
  return report(a, "poisson", largest(most), largest(error), 10 * epsilon * largest(source) / k2);
}

static int compare_means(const app *a, const void *field, const void *phik, double epsilon)
{
  const triad_plan_share *s = a->share;
  double points = 0, modes = 0, waves = 0;
  for (int64_t i = 0; i < s->points; i++) points += square(get(a, field, i));
  for (int64_t c = 0; c < s->columns; c++)
    for (int64_t j = 0; j < s->nkz; j++)
      modes += s->weight[c] * square(cabs(get_mode(a, phik, triad_plan_place(s, c, j))));
  for (int i = 0; i < a->n_waves; i++) waves += square(a->waves[i].amplitude) / 2;
  points = total(points) / (double)(s->n[0] * s->n[1] * s->n[2]);
  modes = total(modes);
  double bound = 100 * epsilon * waves;
  return report(a, "points", points, fabs(points - waves), bound) |
         report(a, "modes", modes, fabs(modes - waves), bound);
}

static void multiply(void *user, int64_t y, int64_t z, int64_t n, void *const *in, void *const *out, double *peaks)
{
  const app *a = user;
  (void)y;
  (void)z;
  for (int64_t x = 0; x < n; x++) {
    double slope = get(a, in[1], x);
    put(a, out[0], x, get(a, in[0], x) * slope);
    triad_plan_raise(&peaks[0], fabs(slope));
  }
}

/* Coefficients of phi dphi/dx: with phi = sum c_p exp(i p.x) they are the sums of c_p i q_x c_q over p + q. */
static void exact_product(const app *a, double complex *product)
{
  for (int p = 0; p < 2 * a->n_waves; p++)
    for (int q = 0; q < 2 * a->n_waves; q++) {
      const wave *u = &a->waves[p / 2], *v = &a->waves[q / 2];
      int64_t up = p % 2 ? -1 : 1, vq = q % 2 ? -1 : 1, k[3];
      double complex value = u->amplitude / 2 * cexp(I * (double)up * u->phase) * v->amplitude / 2 *
                             cexp(I * (double)vq * v->phase) * I * (double)vq * wavenumber(a, 0, v->k[0]);
      for (int d = 0; d < 3; d++) k[d] = up * u->k[d] + vq * v->k[d];
      triad_plan_mode m;
      if (!triad_plan_find(a->plan, k[0], k[1], k[2], &m) || m.rank != a->share->rank) continue;
      /* -k comes up with -p and -q: a place that stands for both is filled once */
      if (!m.conjugate) product[m.place] += value;
    }
}

static int advect(const app *a, void *field, void *phik, void *slopek, double epsilon)
{
  const triad_plan_share *s = a->share;
  double error = 0, most = 0, slope = 0, peaks[TRIAD_PLAN_PEAKS];
  fill(a, FIELD, field);
  must(triad_plan_forward(a->plan, 1, (const void *[]){field}, (void *[]){phik}));
  for (int64_t c = 0; c < s->columns; c++)
    for (int64_t j = 0; j < s->nkz; j++) {
      int64_t place = triad_plan_place(s, c, j);
      put_mode(a, slopek, place, I * s->wx[c] * get_mode(a, phik, place));
    }
  /* the product replaces its first factor */
  triad_plan_work work = {.n_in = 2,
                          .n_out = 1,
                          .in = (const void *[]){phik, slopek},
                          .out = (void *[]){phik},
                          .points = multiply,
                          .peaks = peaks,
                          .user = (void *)a};
  must(triad_plan_pass(a->plan, &work));

  double complex *product = calloc((size_t)s->modes + 1, sizeof *product);
  if (!product) MPI_Abort(MPI_COMM_WORLD, TRIAD_PLAN_NO_MEMORY);
  exact_product(a, product);
  for (int64_t i = 0; i < s->modes; i++) {
    triad_plan_raise(&error, cabs(get_mode(a, phik, i) - product[i]));
    most = fmax(most, cabs(product[i]));
  }
  free(product);
  for (int64_t z = s->first_plane; z < s->first_plane + s->planes; z++)
    for (int64_t y = 0; y < s->n[1]; y++)
      for (int64_t x = 0; x < s->n[0]; x++) slope = fmax(slope, fabs(exact(a, SLOPE, x, y, z)));
  slope = largest(slope);
  /* round-off of phi is epsilon max |phi| in each mode, that of the slope kx times as much */
  double phi = 0, bound = 20 * epsilon * wavenumber(a, 0, s->kmax[0]);
  for (int i = 0; i < a->n_waves; i++) phi += a->waves[i].amplitude;
  return report(a, "product", largest(most), largest(error), bound * phi * phi) |
         report(a, "slope", peaks[0], fabs(peaks[0] - slope), bound * phi);
}

/* ---- */

static int run(app *a)
{
  const triad_plan_share *s = a->share;
  double epsilon = a->single ? FLT_EPSILON : DBL_EPSILON;
  int real = a->single ? 4 : 8;
  void *field = malloc((size_t)(s->points * real) + 1), *phik = malloc((size_t)(2 * s->modes * real) + 1);
  void *slopek = malloc((size_t)(2 * s->modes * real) + 1);
  if (!field || !phik || !slopek) MPI_Abort(MPI_COMM_WORLD, TRIAD_PLAN_NO_MEMORY);
  choose_waves(a);
  if (s->rank == 0)
    printf("triad %s: %lld x %lld x %lld, %s, %d ranks, %lld columns, %d waves\n", triad_plan_version(),
           (long long)s->n[0], (long long)s->n[1], (long long)s->n[2], a->single ? "single" : "double", s->size,
           (long long)s->all_columns, a->n_waves);
  int wrong = a->n_waves == 0;
  wrong |= solve_poisson(a, field, phik, epsilon);
  wrong |= compare_means(a, field, phik, epsilon);
  wrong |= advect(a, field, phik, slopek, epsilon);
  free(field);
  free(phik);
  free(slopek);
  return wrong;
}

int main(int argc, char **argv)
{
  int level, wrong = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  if (argc < 4) {
    fprintf(stderr, "usage: advect nx ny nz [double | single [sphere | box]]\n");
    MPI_Finalize();
    return 64;
  }
  triad_plan_options options = {.length = {1, 2, 3}, .most_in = 2, .most_out = 1};
  for (int d = 0; d < 3; d++) options.n[d] = atoll(argv[1 + d]);
  if (argc > 4 && strcmp(argv[4], "single") == 0) options.precision = TRIAD_PLAN_SINGLE;
  if (argc > 5 && strcmp(argv[5], "box") == 0) options.truncation = TRIAD_PLAN_BOX;
  app a = {.single = options.precision == TRIAD_PLAN_SINGLE};
  int status = triad_plan_create(&a.plan, MPI_COMM_WORLD, &options);
  if (status != TRIAD_PLAN_OK) {
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) fprintf(stderr, "advect: %s\n", triad_plan_message());
  } else {
    a.share = triad_plan_query(a.plan);
    wrong = run(&a);
    triad_plan_destroy(&a.plan);
  }
  MPI_Finalize();
  return status != TRIAD_PLAN_OK ? status : wrong;
}
