/* Compute moments and histograms of increments along lines, for structure functions and PDFs. */
#include "solvers/spectral/measure/spectra_1d.h"
#include "solvers/spectral/measure/increments.h"
#include "parallel/sum.h"

#include <math.h>
#include <omp.h>
#include <string.h>

int64_t triad_separations(int64_t n, int all, int64_t *m)
{
  int64_t count = 0, last = 0, half = n / 2;
  for (int64_t i = 0; last < half; i++) {
    int64_t next = all ? i + 1 : (int64_t)floor(exp2(0.5 * (double)i) + 0.5);
    if (next > half) next = half;
    if (next == last) continue;
    if (m) m[count] = next;
    count++;
    last = next;
  }
  return count;
}

/* Rows along x of what is local for an axis: planes for x and y, the turned field for z. */
typedef struct view {
  const triad_field_lines *lines;
  int axis;
  int64_t n[3], rows; /* n: local */
  const triad_real *const *f;
} view;

static view make_view(const triad_field_lines *lines, int axis)
{
  const triad_layout *l = lines->layout;
  view v = {.lines = lines, .axis = axis, .f = axis == 2 ? lines->turned : lines->planes};
  v.n[0] = l->grid.n[0];
  v.n[1] = axis == 2 ? triad_by_y_rows(l) : l->grid.n[1];
  v.n[2] = axis == 2 ? l->grid.n[2] : l->n_planes;
  v.rows = v.n[1] * v.n[2];
  return v;
}

/* d[x] = (b[x + shift] - a[x])/unit, around the row */
static void subtract(int64_t n, const triad_real *a, const triad_real *b, int64_t shift, double per_unit, double *d)
{
#pragma omp simd
  for (int64_t x = 0; x < n - shift; x++) d[x] = ((double)b[x + shift] - (double)a[x]) * per_unit;
#pragma omp simd
  for (int64_t x = n - shift; x < n; x++) d[x] = ((double)b[x + shift - n] - (double)a[x]) * per_unit;
}

static void subtract_complex(int64_t n, const triad_real *const *a, const triad_real *const *b, int64_t shift,
                             double per_unit, double *d)
{
  for (int64_t x = 0; x < n; x++) {
    int64_t y = x + shift < n ? x + shift : x + shift - n;
    double re = ((double)b[0][y] - (double)a[0][x]) * per_unit, im = ((double)b[1][y] - (double)a[1][x]) * per_unit;
    d[x] = sqrt(re * re + im * im);
  }
}

/* Increments of a row over m points along the axis, in units. */
static void difference(const view *v, int64_t row, int64_t m, double per_unit, double *d)
{
  int64_t y = row % v->n[1], z = row / v->n[1], other = row;
  const triad_real *a[2] = {NULL, NULL}, *b[2] = {NULL, NULL};
  if (v->axis == 1) other = z * v->n[1] + (y + m) % v->n[1];
  if (v->axis == 2) other = (z + m) % v->n[2] * v->n[1] + y;
  for (int p = 0; p < v->lines->parts; p++) {
    a[p] = v->f[p] + row * v->n[0];
    b[p] = v->f[p] + other * v->n[0];
  }
  int64_t shift = v->axis == 0 ? m : 0;
  if (v->lines->parts == 1) subtract(v->n[0], a[0], b[0], shift, per_unit, d);
  else subtract_complex(v->n[0], a, b, shift, per_unit, d);
}

/* Sums of d^p, p = 1 .. 8, then of |d|^p, p = 1, 3, 5, 7. */
enum { SUMS = 12 };

static void add_powers(int64_t n, const double *d, triad_sum *sums, double *largest)
{
  double s1 = 0, s2 = 0, s3 = 0, s4 = 0, s5 = 0, s6 = 0, s7 = 0, s8 = 0, a1 = 0, a3 = 0, a5 = 0, a7 = 0, top = *largest;
#pragma omp simd reduction(+ : s1, s2, s3, s4, s5, s6, s7, s8, a1, a3, a5, a7) reduction(max : top)
  for (int64_t x = 0; x < n; x++) {
    double d1 = d[x], d2 = d1 * d1, d4 = d2 * d2, a = fabs(d1), b = a * d2;
    s1 += d1, a1 += a;
    s2 += d2;
    s3 += d1 * d2, a3 += b;
    s4 += d4;
    s5 += d1 * d4, a5 += a * d4;
    s6 += d2 * d4;
    s7 += d1 * d2 * d4, a7 += b * d4;
    s8 += d4 * d4;
    top = a > top ? a : top;
  }
  const double all[SUMS] = {s1, s2, s3, s4, s5, s6, s7, s8, a1, a3, a5, a7};
  for (int i = 0; i < SUMS; i++) triad_sum_add(&sums[i], all[i]);
  *largest = top;
}

/* Of one separation, on this rank. */
static void measure_one(const view *v, int threads, int64_t m, double per_unit, triad_sum *sums, double *largest)
{
  double top = 0;
#pragma omp parallel num_threads(threads) reduction(max : top)
  {
    triad_sum mine[SUMS];
    double *d = v->lines->rows + omp_get_thread_num() * v->n[0];
    memset(mine, 0, sizeof mine);
#pragma omp for schedule(static)
    for (int64_t row = 0; row < v->rows; row++) {
      difference(v, row, m, per_unit, d);
      add_powers(v->n[0], d, mine, &top);
    }
#pragma omp critical(triad_increments)
    for (int i = 0; i < SUMS; i++) triad_sum_merge(&sums[i], &mine[i]);
  }
  *largest = top;
}

static void store_moments(const double *sums, double largest, double points, double unit, triad_increment *out)
{
  double power = 1;
  out->signs[0] = out->moduli[0] = 1;
  for (int p = 1; p <= TRIAD_LAST_ORDER; p++) {
    power *= unit;
    out->signs[p] = sums[p - 1] / points * power;
    out->moduli[p] = (p % 2 ? sums[TRIAD_LAST_ORDER + p / 2] : sums[p - 1]) / points * power;
  }
  out->largest = largest * unit;
}

int triad_increments_measure(triad_context *context, const triad_field_lines *f, int axis, int64_t n, const int64_t *m,
                             double unit, triad_increment *out)
{
  const triad_comm *comm = &context->comm;
  view v = make_view(f, axis);
  triad_sum *sums = NULL;
  double *values = NULL, *largest = NULL;
  int count = 0, separations = 0;
  int st = TRIAD_ALLOC(context->memory, "increment sums", n * SUMS, &sums);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(context->memory, "increment sums", n * SUMS, &values);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(context->memory, "increment sums", n, &largest);
  if (st == TRIAD_OK) st = triad_narrow(n * SUMS, &count);
  if (st == TRIAD_OK) st = triad_narrow(n, &separations);
  st = triad_agree(comm, st);
  if (st == TRIAD_OK) {
    for (int64_t i = 0; i < n; i++) measure_one(&v, context->threads, m[i], 1 / unit, sums + i * SUMS, &largest[i]);
    st = triad_sum_all(comm, sums, count, values);
    if (st == TRIAD_OK)
      st = TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, largest, separations, MPI_DOUBLE, MPI_MAX, comm->mpi));
    st = triad_agree(comm, st);
  }
  for (int64_t i = 0; i < n && st == TRIAD_OK; i++)
    store_moments(values + i * SUMS, largest[i], (double)triad_grid_points(&f->layout->grid), unit, &out[i]);
  TRIAD_FREE(context->memory, &largest);
  TRIAD_FREE(context->memory, &values);
  TRIAD_FREE(context->memory, &sums);
  return st;
}

int triad_increments_mean_square(triad_context *context, const triad_field_lines *f, double *mean_square)
{
  view v = make_view(f, 0);
  triad_sum total;
  triad_sum_clear(&total);
#pragma omp parallel for num_threads(context->threads) reduction(triad_exact : total) schedule(static)
  for (int64_t row = 0; row < v.rows; row++)
    for (int p = 0; p < f->parts; p++) {
      const triad_real *a = v.f[p] + row * v.n[0];
      double square = 0;
#pragma omp simd reduction(+ : square)
      for (int64_t x = 0; x < v.n[0]; x++) square += (double)a[x] * (double)a[x];
      triad_sum_add(&total, square);
    }
  int st = triad_sum_all(&context->comm, &total, 1, mean_square);
  *mean_square /= (double)triad_grid_points(&f->layout->grid);
  return triad_agree(&context->comm, st);
}

static void count_row(int64_t n, const double *z, double reach, int bins, int64_t *counts)
{
  double per_width = (double)bins / (2 * reach);
  for (int64_t x = 0; x < n; x++) {
    double place = floor((z[x] + reach) * per_width);
    /* rounding may carry the largest one past the end */
    int64_t b = place < 0 ? 0 : place > bins - 1 ? bins - 1 : (int64_t)place;
    counts[b]++;
  }
}

int triad_increments_count(triad_context *context, const triad_field_lines *f, int axis, int64_t n, const int64_t *m,
                           const double *scale, double reach, int bins, int64_t *counts)
{
  const triad_comm *comm = &context->comm;
  view v = make_view(f, axis);
  int threads = context->threads, all = 0;
  int64_t *work = NULL;
  int st = TRIAD_ALLOC(context->memory, "bins of increments", (int64_t)threads * bins, &work);
  if (st == TRIAD_OK) st = triad_narrow(n * bins, &all);
  st = triad_agree(comm, st);
  for (int64_t i = 0; i < n && st == TRIAD_OK; i++) {
    memset(work, 0, (size_t)threads * (size_t)bins * sizeof *work);
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int64_t row = 0; row < v.rows; row++) {
      int t = omp_get_thread_num();
      double *d = f->rows + t * v.n[0];
      difference(&v, row, m[i], scale[i] > 0 ? 1 / scale[i] : 0, d);
      count_row(v.n[0], d, reach, bins, work + (int64_t)t * bins);
    }
    for (int b = 0; b < bins; b++) counts[i * bins + b] = 0;
    for (int t = 0; t < threads; t++)
      for (int b = 0; b < bins; b++) counts[i * bins + b] += work[(int64_t)t * bins + b];
  }
  if (st == TRIAD_OK)
    st = triad_agree(comm, TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, counts, all, MPI_INT64_T, MPI_SUM, comm->mpi)));
  TRIAD_FREE(context->memory, &work);
  return st;
}
