/* The one pass: products in it are dealiased, and what it promises to those who work in it.
 * ranks: 1 2 3 4 6   threads: 1 2   precision: both */
#include "transform.h"

#include "fft/pass/transform.h"

#include <omp.h>

/* With the largest sphere of modes for phase shifts. */
static plan plan_shifted(triad_context *context, const int64_t n[3], int in, int out)
{
  triad_grid grid;
  TRIAD_CHECK(triad_grid_init(&grid, n, lengths, TRIAD_SPHERE));
  TRIAD_CHECK(triad_grid_set_sphere(&grid, 0, 1));
  return plan_on(context, &grid, in, out, 0);
}

/* Every mode (kx, ky, kz) of a real field, both halves, kept ones only. */
typedef struct cube {
  int64_t k[3]; /* largest wavenumbers */
  wide *v;
} cube;

static wide *cube_at(const cube *c, int64_t kx, int64_t ky, int64_t kz)
{
  return &c->v[((kz + c->k[2]) * (2 * c->k[1] + 1) + ky + c->k[1]) * (2 * c->k[0] + 1) + kx + c->k[0]];
}

static cube cube_make(const triad_layout *whole, int field)
{
  cube c = {.k = {whole->grid.kmax[0], whole->grid.kmax[1], whole->grid.kmax[2]}};
  triad_cplx *u = calloc((size_t)whole->modes + 1, sizeof *u);
  c.v = calloc((size_t)((2 * c.k[0] + 1) * (2 * c.k[1] + 1) * (2 * c.k[2] + 1)), sizeof *c.v);
  assert_true(u && c.v);
  fill_modes(whole, field, u);
  for (int64_t i = 0; i < whole->n_columns; i++)
    for (int64_t j = 0; j < whole->nkz; j++) {
      if (!test_kept(whole, i, j)) continue;
      triad_cplx z = u[triad_layout_place(whole, i, j)];
      *cube_at(&c, whole->kx[i], whole->ky[i], whole->kz[j]) = (wide){z.re, z.im};
      *cube_at(&c, -whole->kx[i], -whole->ky[i], -whole->kz[j]) = (wide){z.re, -z.im};
    }
  free(u);
  return c;
}

/* (a b)_k = sum over p + q = k of a_p b_q. */
static wide convolve(const cube *a, const cube *b, const int64_t k[3])
{
  wide sum = {0, 0};
  for (int64_t z = -a->k[2]; z <= a->k[2]; z++)
    for (int64_t y = -a->k[1]; y <= a->k[1]; y++)
      for (int64_t x = -a->k[0]; x <= a->k[0]; x++) {
        const int64_t q[3] = {k[0] - x, k[1] - y, k[2] - z};
        if (llabs(q[0]) > b->k[0] || llabs(q[1]) > b->k[1] || llabs(q[2]) > b->k[2]) continue;
        wide t = wide_times(*cube_at(a, x, y, z), *cube_at(b, q[0], q[1], q[2]));
        sum.re += t.re;
        sum.im += t.im;
      }
  return sum;
}

/* What a grid that is shifted by s cells makes of it: modes N a away come with exp(2 pi i a.s), a = -1, 0 or 1. */
static wide convolve_on_grid(const cube *a, const cube *b, const int64_t k[3], const triad_grid *g, const double s[3])
{
  wide sum = {0, 0};
  for (int i = 0; i < 27; i++) {
    const int64_t far[3] = {i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1};
    const int64_t there[3] = {k[0] + far[0] * g->n[0], k[1] + far[1] * g->n[1], k[2] + far[2] * g->n[2]};
    const long double angle = two_pi * ((double)far[0] * s[0] + (double)far[1] * s[1] + (double)far[2] * s[2]);
    wide t = wide_times(convolve(a, b, there), (wide){cosl(angle), sinl(angle)});
    sum.re += t.re;
    sum.im += t.im;
  }
  return sum;
}

/* shift: of the grid; NULL: no aliases are to be seen. */
static void check_products_on(plan *p, const double *shift)
{
  static const int pairs[5][2] = {{0, 0}, {0, 1}, {1, 2}, {2, 0}, {2, 2}};
  const triad_layout *l = p->layout;
  products x = products_make(p);
  x.any_order = 1;
  x.shift = shift;
  TRIAD_CHECK(products_run(p, &x));
  cube field[3] = {cube_make(p->whole, 0), cube_make(p->whole, 1), cube_make(p->whole, 2)};
  double norm[3];
  for (int f = 0; f < 3; f++) norm[f] = modes_norm(p, x.in[f], NULL);
  /* a product is at most the largest value of one factor times the norm of the other; that value is at most sqrt of
   * the number of modes times the norm, and both factors and the product are rounded as any transform is */
  double modes = (double)(2 * p->whole->all_columns * p->whole->nkz);
  for (int f = 0; f < 5; f++) {
    double error = 0;
    for (int64_t c = 0; c < l->n_columns; c++)
      for (int64_t j = 0; j < l->nkz; j++) {
        if (!test_kept(l, c, j)) continue;
        const int64_t k[3] = {l->kx[c], l->ky[c], l->kz[j]};
        const cube *a = &field[pairs[f][0]], *b = &field[pairs[f][1]];
        wide want = shift ? convolve_on_grid(a, b, k, &p->grid, shift) : convolve(a, b, k);
        triad_cplx got = x.out[f][triad_layout_place(l, c, j)];
        double re = (double)(got.re - want.re), im = (double)(got.im - want.im);
        error += l->weight[c] * (re * re + im * im);
      }
    TRIAD_WITHIN(sqrt(test_total(error)), 0, round_off(&p->grid) * sqrt(modes) * norm[pairs[f][0]] * norm[pairs[f][1]],
                 p->name);
    check_zeros(p, x.out[f]);
  }
  for (int f = 0; f < 3; f++) free(field[f].v);
  products_free(&x);
}

static void check_products(plan *p)
{
  /* there products alias, as the case reference says */
  if (p->grid.truncation != TRIAD_NONE) check_products_on(p, NULL);
}

TRIAD_TEST(products_in_the_pass_equal_a_convolution_of_the_kept_modes) { for_all_shapes(check_products, 3, 5); }

TRIAD_TEST(products_on_two_grids_half_a_cell_apart_equal_it_with_nearly_three_times_the_modes)
{
  for (int s = 0; s < SHAPES; s++) {
    plan p = plan_shifted(test_together(), shapes[s], 3, 5);
    if (s == 0) TRIAD_EQUAL(p.grid.kmax[0], 5, "the largest mode of 12 points, sqrt(2)/3 of them");
    check_products_on(&p, NULL);
    plan_free(&p);
  }
}

TRIAD_TEST(aliases_turn_with_the_shift_of_the_grid)
{
  const int64_t grids[][3] = {{6, 5, 7}, {8, 6, 5}, {9, 6, 1}, {12, 1, 1}};
  const double shifts[][3] = {{0, 0, 0}, {0.5, 0.5, 0.5}, {0.25, 0, 0.875}, {0.1, 0.7, 0.3}};
  for (int g = 0; g < 4; g++)
    for (int s = 0; s < 4; s++) {
      plan p = plan_shifted(test_together(), grids[g], 3, 5);
      check_products_on(&p, shifts[s]);
      plan_free(&p);
    }
}

TRIAD_TEST(settle_decides_whether_results_are_taken)
{
  const int64_t n[3] = {12, 10, 9};
  plan p = plan_make(test_together(), n, TRIAD_SPHERE, 3, 5, 0);
  products x = products_make(&p);
  x.result = TRIAD_ERR_BLOWUP;
  TRIAD_EQUAL(products_run(&p, &x), TRIAD_ERR_BLOWUP, "the pass returns what settle returned");
  TRIAD_EQUAL(x.settled, 1, "settle is called once");
  int64_t written = 0;
  for (int f = 0; f < 5; f++)
    for (int64_t m = 0; m < p.layout->modes; m++) written += !isnan((double)x.out[f][m].re);
  TRIAD_EQUAL(written, 0, "results taken although settle refused");
  x.result = TRIAD_OK;
  TRIAD_EQUAL(products_run(&p, &x), TRIAD_OK, "and the next run goes well");
  TRIAD_EQUAL(x.settled, 2, "settle is called once a run");
  products_free(&x);
  plan_free(&p);
}

typedef struct visits {
  unsigned char *seen; /* [z][y] of the whole grid */
  triad_grid grid;
  int wrong;
} visits;

static void visit(void *self, const triad_patch *at, triad_real *const *in, triad_real *const *out, double *peaks)
{
  visits *v = self;
  (void)in, (void)out;
  if (at->n != v->grid.n[0] || at->y < 0 || at->y >= v->grid.n[1] || at->z < 0 || at->z >= v->grid.n[2]) v->wrong = 1;
  else v->seen[at->z * v->grid.n[1] + at->y]++;
  if (at->z == v->grid.n[2] - 1 && at->y == 0) peaks[2] = NAN;
}

static int look_at_peaks(void *self, const double *peaks)
{
  visits *v = self;
  int64_t mine = 0;
  for (int64_t i = 0; i < v->grid.n[1] * v->grid.n[2]; i++) mine += v->seen[i];
  if (!(isinf(peaks[0]) && peaks[0] < 0)) v->wrong = 2; /* nobody touched it */
  int has_last = v->seen[(v->grid.n[2] - 1) * v->grid.n[1]];
  if (has_last ? !isnan(peaks[2]) : !(isinf(peaks[2]) && peaks[2] < 0)) v->wrong = 3;
  return TRIAD_OK;
}

TRIAD_TEST(every_row_of_points_is_visited_once_and_peaks_pass_nan_on)
{
  for (int s = 0; s < SHAPES; s++) {
    plan p = plan_make(test_together(), shapes[s], TRIAD_SPHERE, 1, 0, 2);
    int64_t rows = p.grid.n[1] * p.grid.n[2], missed = 0;
    visits v = {.seen = calloc((size_t)rows, 1), .grid = p.grid};
    int *all = calloc((size_t)rows, sizeof *all);
    assert_true(v.seen && all);
    const triad_work work = {.points = visit, .settle = look_at_peaks, .self = &v};
    TRIAD_CHECK(triad_pass_run(p.pass, &work));
    for (int64_t i = 0; i < rows; i++) all[i] = v.seen[i];
    TRIAD_CHECK(TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, all, (int)rows, MPI_INT, MPI_SUM, triad_test_comm()->mpi)));
    for (int64_t i = 0; i < rows; i++) missed += all[i] != 1;
    TRIAD_HOLDS(missed == 0, "%s: %lld rows not visited once", p.name, (long long)missed);
    TRIAD_EQUAL(v.wrong, 0, "what a visit was told");
    free(v.seen);
    free(all);
    plan_free(&p);
  }
}

/* A chain of two results, and a force that is 0 but for a few rows, at points that depend on place alone. */
typedef struct forced {
  int64_t ny, zeros; /* rows that were all 0 */
  int is_empty[64];  /* [threads] at the points of the last call */
  triad_cplx *const *out;
} forced;

static void fill_points(void *self, const triad_patch *at, triad_real *const *in, triad_real *const *out, double *peaks)
{
  forced *f = self;
  const int64_t rows = at->n > 30 ? 2 : 1; /* nx is 30 */
  (void)in, (void)peaks;
  int any = 0;
  for (int64_t r = 0; r < rows; r++) any |= at->y + r < 3 && at->z % 4 == 1;
  for (int64_t i = 0; i < at->n; i++) {
    const double x = (double)(i / rows), y = (double)(at->y + i % rows), z = (double)at->z;
    out[0][i] = (triad_real)sin(x + 0.3 * y * z);
    out[1][i] = (triad_real)cos(2 * x - y + z);
    if (any) out[2][i] = y < 3 ? (triad_real)sin(0.7 * x + y + z) : 0;
  }
  f->is_empty[omp_get_thread_num()] = !any;
}

static int none_there(void *self)
{
  const forced *f = self;
  return f->is_empty[omp_get_thread_num()];
}

static void keep_sums(void *self, const triad_batch *block, triad_cplx *const *out)
{
  const forced *f = self;
  for (int i = 0; i < 2 && f->out[i]; i++) triad_batch_keep(block, out[i], f->out[i]);
}

TRIAD_TEST(force_of_few_rows_is_subtracted_from_a_sum_of_a_chain)
{
  const int64_t n[3] = {30, 25, 20};
  const int force_of[1] = {0};
  plan p = plan_make(test_together(), n, TRIAD_SPHERE, 0, 3, 0);
  triad_cplx *out[4] = {NULL};
  for (int i = 0; i < 3; i++) out[i] = calloc((size_t)p.layout->modes + 1, sizeof *out[i]);
  assert_true(out[0] && out[1] && out[2]);
  forced apart = {.out = out}, within = {.out = out + 2};
  triad_work work = {.n_out = 3,
                     .chains = {{{2, 0, 1}}},
                     .points = fill_points,
                     .sink = keep_sums,
                     .self = &apart,
                     .any_order = 1,
                     .sparse = 1,
                     .empty = none_there};
  TRIAD_CHECK(triad_pass_run(p.pass, &work));
  work.self = &within;
  work.n_forces = 1;
  work.force_of = force_of;
  TRIAD_CHECK(triad_pass_run(p.pass, &work));
  double error = 0, size = 0;
  for (int64_t c = 0; c < p.layout->n_columns; c++)
    for (int64_t j = 0; j < p.layout->nkz; j++) {
      const int64_t i = triad_layout_place(p.layout, c, j);
      if (!test_kept(p.layout, c, j)) continue;
      error = fmax(error, hypot((double)(out[0][i].re - out[1][i].re - out[2][i].re),
                                (double)(out[0][i].im - out[1][i].im - out[2][i].im)));
      size = fmax(size, hypot((double)out[1][i].re, (double)out[1][i].im));
    }
  TRIAD_HOLDS(test_largest(size) > 1e-4, "the force is %g", size);
  TRIAD_WITHIN(test_largest(error), 0, 100 * (double)TRIAD_EPSILON, "sum less force");
  for (int i = 0; i < 3; i++) free(out[i]);
  plan_free(&p);
}

/* Slopes of two fields at points, from modes and by the pass. */
typedef struct sloped {
  double differ, size; /* the largest difference between the two; the largest slope */
} sloped;

static void put_sloped(void *self, const triad_batch *block, triad_cplx *const *in)
{
  const triad_layout *l = block->layout;
  (void)self;
  triad_cplx *u = calloc((size_t)l->modes + 1, sizeof *u);
  assert_true(u);
  for (int f = 0; f < 2; f++) {
    fill_modes(l, f, u);
    triad_batch_put(block, u, in[f]);
    for (int axis = 0; axis < 2; axis++)
      for (int64_t j = 0; j < l->nkz; j++)
        for (int i = 0; i < TRIAD_LANES; i++) {
          const triad_real k = (triad_real)(axis == 0 ? l->wx : l->wy)[block->block * TRIAD_LANES + i];
          const triad_cplx v = triad_batch_row(block, in[f], j)[i];
          triad_batch_row(block, in[2 + 2 * f + axis], j)[i] = (triad_cplx){-k * v.im, k * v.re};
        }
  }
  free(u);
}

/* in[2 ..]: slopes by the source, u_x, u_y, v_x, v_y; then those of the pass, v_y, u_y, u_x, v_x. */
static void compare_slopes(void *self, const triad_patch *at, triad_real *const *in, triad_real *const *out,
                           double *peaks)
{
  static const int same[4] = {5, 3, 2, 4};
  (void)self, (void)out;
  for (int s = 0; s < 4; s++)
    for (int64_t i = 0; i < at->n; i++) {
      peaks[0] = fmax(peaks[0], fabs((double)(in[6 + s][i] - in[same[s]][i])));
      peaks[1] = fmax(peaks[1], fabs((double)in[6 + s][i]));
    }
}

static int note_slopes(void *self, const double *peaks)
{
  sloped *s = self;
  s->differ = peaks[0];
  s->size = peaks[1];
  return TRIAD_OK;
}

TRIAD_TEST(slopes_of_a_pass_are_those_of_modes)
{
  static const int of[4] = {1, 0, 0, 1};
  const int64_t grids[][3] = {{30, 25, 20}, {16, 12, 8}, {1, 12, 8}};
  for (int g = 0; g < 6; g++) {
    triad_grid grid;
    const int group = triad_test_comm()->size % 2 == 0 && g >= 3 ? 2 : 1;
    TRIAD_CHECK(triad_grid_init(&grid, grids[g % 3], lengths, g % 3 == 1 ? TRIAD_NONE : TRIAD_SPHERE));
    plan p = plan_split(test_together(), &grid, 10, 0, 0, group);
    sloped s = {0};
    const triad_work work = {.n_in = 10,
                             .n_slopes = {2, 2},
                             .slope_of = of,
                             .source = put_sloped,
                             .points = compare_slopes,
                             .settle = note_slopes,
                             .self = &s,
                             .any_order = g % 2};
    TRIAD_CHECK(triad_pass_run(p.pass, &work));
    const double size = test_largest(s.size);
    TRIAD_HOLDS(size > 1, "the slopes are %g", size);
    TRIAD_WITHIN(test_largest(s.differ) / size, 0, round_off(&grid), "slopes");
    plan_free(&p);
  }
}

TRIAD_TEST(phase_times_are_kept_and_add_up)
{
  const int64_t n[3] = {30, 24, 20};
  plan p = plan_make(test_together(), n, TRIAD_SPHERE, 3, 5, 0);
  products x = products_make(&p);
  (void)triad_pass_phases(p.pass);
  double begin = triad_now(), sum = 0;
  for (int i = 0; i < 3; i++) TRIAD_CHECK(products_run(&p, &x));
  double took = triad_now() - begin;
  triad_phases phases = triad_pass_phases(p.pass);
  for (int i = 0; i < TRIAD_PHASES; i++) {
    TRIAD_HOLDS(phases.s[i] >= 0, "phase %d took %g s", i, phases.s[i]);
    sum += phases.s[i];
  }
  TRIAD_HOLDS(phases.s[TRIAD_PHASE_FFT] > 0, "no time in transforms");
  TRIAD_HOLDS(sum <= took * 1.01 + 1e-4, "phases take %g s of %g s", sum, took);
  phases = triad_pass_phases(p.pass);
  for (int i = 0; i < TRIAD_PHASES; i++) TRIAD_WITHIN(phases.s[i], 0, 0, "a phase after it was read");
  products_free(&x);
  plan_free(&p);
}

TRIAD_MAIN
