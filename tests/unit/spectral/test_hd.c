/* Incompressible Navier-Stokes: what its right-hand side and its budgets must satisfy, whatever the grid.
 * ranks: 1 2 3   threads: 1 2   precision: both   timeout: 240 quick: 1 */
#include "flow.h"

#include "fft/pass/transform.h"
#include "grid/shells.h"
#include "solvers/spectral/measure/budget.h"
#include "solvers/spectral/plain/spectra.h"

/* Random fields with all modes of the grid in them, on sizes and boxes of all kinds. */
#define CASE(grid, length, truncation) \
  "precision = \"" TRIAD_PRECISION_NAME "\"\n" \
  "[equations]\nsolver = \"hd\"\nviscosity = 0.013\nhyperviscosity = 1e-5\ndrag = 0.2\ndrag_wavenumber = 2\n" \
  "[grid]\nn = " grid "\nlength = " length "\ntruncation = \"" truncation "\"\n" \
  "[initial]\nkind = \"random\"\nspectrum = \"power-law\"\nslope = -1.0\nk_range = [1.0, 100.0]\nhelicity = 0.6\n" \
  "[time]\nend = 1.0\n[parallel]\nreproducible = true\n"

static const char *const cases[] = {
  CASE("[16, 16, 16]", "[\"2pi\", \"2pi\", \"2pi\"]", "sphere"),
  CASE("[12, 10, 15]", "[\"2pi\", 5.0, 9.0]", "sphere"),
  CASE("[13, 9, 12]", "[3.0, \"2pi\", \"pi\"]", "box"),
  CASE("[24, 20, 1]", "[\"2pi\", \"4pi\", 1.0]", "sphere"),
  CASE("[16, 11, 12]", "[\"2pi\", 5.0, 9.0]", "sphere\"\nradius = 5.9\n#\""),
  CASE("[12, 9, 16]", "[\"2pi\", 5.0, 9.0]", "sphere\"\ndealiasing = \"phase-shift"),
};
enum { CASES = sizeof cases / sizeof *cases };

static const double eps = (double)TRIAD_EPSILON;

/* ---- the spatial operator alone ---- */

typedef struct operator_run {
  triad_flow *flow;
  triad_cplx *n[3]; /* N(u), in the layout's storage */
} operator_run;

static void put_velocity(void *self, const triad_batch *block, triad_cplx *const *in)
{
  const operator_run *r = self;
  for (int f = 0; f < 3; f++) triad_batch_put(block, r->flow->u[f], in[f]);
}

static void visit_points(void *self, const triad_patch *at, triad_real *const *in, triad_real *const *out,
                         double *peaks)
{
  const operator_run *r = self;
  r->flow->equations->points(r->flow->self, 0, at, in, out, peaks);
}

static void keep_rates(void *self, const triad_batch *block, triad_cplx *const *out)
{
  const operator_run *r = self;
  const triad_layout *l = block->layout;
  const triad_cplx *t[TRIAD_MAX_RESULTS], *u[3];
  triad_lane_row n[TRIAD_MAX_FIELDS];
  for (int64_t j = 0; j < l->nkz; j++) {
    int64_t at = (block->block * l->nkz + j) * TRIAD_LANES;
    for (int p = 0; p < triad_shape_left(&r->flow->shape, 0); p++) t[p] = triad_batch_row(block, out[p], j);
    for (int f = 0; f < 3; f++) u[f] = r->flow->u[f] + at;
    r->flow->equations->rates(r->flow->self, block, j, u, t, n);
    for (int f = 0; f < 3; f++)
      for (int i = 0; i < TRIAD_LANES; i++) {
        int kept = test_kept(l, block->block * TRIAD_LANES + i, j);
        r->n[f][at + i] = kept ? n[f][i] : (triad_cplx){0, 0};
      }
  }
}

static operator_run operator_apply(triad_flow *flow)
{
  operator_run r = {.flow = flow};
  for (int f = 0; f < 3; f++) {
    r.n[f] = calloc((size_t)flow->layout->modes + 1, sizeof *r.n[f]);
    assert_non_null(r.n[f]);
  }
  const triad_work work = {.n_in = flow->shape.pass[0].n_in,
                           .n_out = flow->shape.pass[0].n_out,
                           .chains = flow->shape.pass[0].chains,
                           .source = put_velocity,
                           .points = visit_points,
                           .sink = keep_rates,
                           .self = &r};
  TRIAD_CHECK(triad_pass_run(flow->pass, &work));
  return r;
}

static void operator_free(operator_run *r)
{
  for (int f = 0; f < 3; f++) free(r->n[f]);
}

typedef struct vec {
  double re[3], im[3];
} vec;

static vec vec_at(triad_cplx *const *u, int64_t at)
{
  vec v;
  for (int i = 0; i < 3; i++) v.re[i] = (double)u[i][at].re, v.im[i] = (double)u[i][at].im;
  return v;
}

/* i k x v */
static vec curl(const double k[3], vec v)
{
  vec w;
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, l = (i + 2) % 3;
    w.re[i] = -(k[j] * v.im[l] - k[l] * v.im[j]);
    w.im[i] = k[j] * v.re[l] - k[l] * v.re[j];
  }
  return w;
}

static double dot(vec a, vec b) /* Re conj(a).b */
{
  double sum = 0;
  for (int i = 0; i < 3; i++) sum += a.re[i] * b.re[i] + a.im[i] * b.im[i];
  return sum;
}

static double total_of(triad_sum *sum)
{
  double value = NAN;
  TRIAD_CHECK(triad_sum_all(triad_test_comm(), sum, 1, &value));
  return value;
}

TRIAD_TEST(advection_creates_no_energy_and_no_helicity)
{
  for (int t = 0; t < CASES; t++) {
    test_flow f = test_flow_make(test_together(), cases[t], NULL);
    operator_run r = operator_apply(f.flow);
    const triad_layout *l = f.flow->layout;
    triad_sum work, twist, most_work, most_twist;
    triad_sum *sums[] = {&work, &twist, &most_work, &most_twist};
    for (int i = 0; i < 4; i++) triad_sum_clear(sums[i]);
    for (int64_t c = 0; c < l->n_columns; c++)
      for (int64_t j = 0; j < l->nkz; j++) {
        int64_t at = triad_layout_place(l, c, j);
        const double k[3] = {l->wx[c], l->wy[c], l->wz[j]}, weight = l->weight[c];
        vec u = vec_at(f.flow->u, at), n = vec_at(r.n, at), w = curl(k, u);
        triad_sum_add(&work, weight * dot(u, n));
        triad_sum_add(&twist, 2 * weight * dot(w, n));
        triad_sum_add(&most_work, weight * sqrt(dot(u, u) * dot(n, n)));
        triad_sum_add(&most_twist, 2 * weight * sqrt(dot(w, w) * dot(n, n)));
      }
    /* rounding of N is as large as eps |N| in each mode and has either sign: 45 eps, 1e-14 in double, of the sum of all
     * sizes is far above what it comes to, and far below any term that is wrong */
    double scale = total_of(&most_work), turn = total_of(&most_twist);
    TRIAD_HOLDS(scale > 0.01 && turn > 0.01, "case %d: nothing happens: %g, %g", t, scale, turn);
    TRIAD_WITHIN(total_of(&work) / scale, 0, 45 * eps, "energy: sum Re conj(u).N over sum |u||N|");
    TRIAD_WITHIN(total_of(&twist) / turn, 0, 45 * eps, "helicity: sum Re conj(curl u).N over sum |curl u||N|");
    operator_free(&r);
    test_flow_free(&f);
  }
}

TRIAD_TEST(advection_is_solenoidal_and_keeps_the_mean_at_rest)
{
  for (int t = 0; t < CASES; t++) {
    test_flow f = test_flow_make(test_together(), cases[t], NULL);
    operator_run r = operator_apply(f.flow);
    const triad_layout *l = f.flow->layout;
    double worst = 0, mean = 0;
    for (int64_t c = 0; c < l->n_columns; c++)
      for (int64_t j = 0; j < l->nkz; j++) {
        const double k[3] = {l->wx[c], l->wy[c], l->wz[j]};
        vec n = vec_at(r.n, triad_layout_place(l, c, j));
        double re = k[0] * n.re[0] + k[1] * n.re[1] + k[2] * n.re[2];
        double im = k[0] * n.im[0] + k[1] * n.im[1] + k[2] * n.im[2];
        double size = sqrt((k[0] * k[0] + k[1] * k[1] + k[2] * k[2]) * dot(n, n));
        if (l->kx[c] == 0 && l->ky[c] == 0 && l->kz[j] == 0) mean = fmax(mean, sqrt(dot(n, n)));
        /* projecting loses as many digits as the gradient is larger than what is left: measured against the largest */
        worst = fmax(worst, hypot(re, im));
        if (size > 0) TRIAD_HOLDS(isfinite(size), "N is not finite");
      }
    double norm = 0, k_most = 0;
    for (int64_t c = 0; c < l->n_columns; c++)
      for (int64_t j = 0; j < l->nkz; j++) {
        vec n = vec_at(r.n, triad_layout_place(l, c, j));
        norm += l->weight[c] * dot(n, n);
        k_most = fmax(k_most, sqrt(l->wx[c] * l->wx[c] + l->wy[c] * l->wy[c] + l->wz[j] * l->wz[j]));
      }
    norm = sqrt(test_total(norm));
    k_most = test_largest(k_most);
    TRIAD_WITHIN(test_largest(worst), 0, 16 * eps * k_most * norm, "k.N");
    TRIAD_WITHIN(test_largest(mean), 0, 0, "N of the mean mode");
    operator_free(&r);
    test_flow_free(&f);
  }
}

/* ---- against a convolution of modes, with all nine products ---- */

typedef struct cube {
  int64_t k[3];
  vec *v;
} cube;

static vec *cube_at(const cube *c, int64_t x, int64_t y, int64_t z)
{
  if (llabs(x) > c->k[0] || llabs(y) > c->k[1] || llabs(z) > c->k[2]) return NULL;
  return &c->v[((z + c->k[2]) * (2 * c->k[1] + 1) + y + c->k[1]) * (2 * c->k[0] + 1) + x + c->k[0]];
}

/* Both halves of the spectrum of a flow that this rank holds alone. */
static cube cube_make(const triad_flow *alone)
{
  const triad_layout *l = alone->layout;
  cube c = {.k = {l->grid.kmax[0], l->grid.kmax[1], l->grid.kmax[2]}};
  c.v = calloc((size_t)((2 * c.k[0] + 1) * (2 * c.k[1] + 1) * (2 * c.k[2] + 1)), sizeof *c.v);
  assert_non_null(c.v);
  for (int64_t i = 0; i < l->n_columns; i++)
    for (int64_t j = 0; j < l->nkz; j++) {
      if (!test_kept(l, i, j)) continue;
      vec u = vec_at(alone->u, triad_layout_place(l, i, j)), conjugate = u;
      for (int d = 0; d < 3; d++) conjugate.im[d] = -u.im[d];
      *cube_at(&c, l->kx[i], l->ky[i], l->kz[j]) = u;
      *cube_at(&c, -l->kx[i], -l->ky[i], -l->kz[j]) = conjugate;
    }
  return c;
}

/* N_i = -i P_ij(k) k_l sum over p + q = k of u_j(p) u_l(q). */
static vec convolved_rate(const cube *u, const int64_t k[3], const double w[3])
{
  vec s = {{0}, {0}};
  for (int64_t z = -u->k[2]; z <= u->k[2]; z++)
    for (int64_t y = -u->k[1]; y <= u->k[1]; y++)
      for (int64_t x = -u->k[0]; x <= u->k[0]; x++) {
        const vec *p = cube_at(u, x, y, z), *q = cube_at(u, k[0] - x, k[1] - y, k[2] - z);
        if (!q) continue;
        double re = 0, im = 0; /* k.u(q) */
        for (int l = 0; l < 3; l++) re += w[l] * q->re[l], im += w[l] * q->im[l];
        for (int j = 0; j < 3; j++) { /* -i (a + i b) = b - i a */
          s.re[j] += p->re[j] * im + p->im[j] * re;
          s.im[j] -= p->re[j] * re - p->im[j] * im;
        }
      }
  double k2 = w[0] * w[0] + w[1] * w[1] + w[2] * w[2], re = 0, im = 0;
  if (!(k2 > 0)) return (vec){{0}, {0}};
  for (int i = 0; i < 3; i++) re += w[i] * s.re[i] / k2, im += w[i] * s.im[i] / k2;
  for (int i = 0; i < 3; i++) s.re[i] -= w[i] * re, s.im[i] -= w[i] * im;
  return s;
}

TRIAD_TEST(five_products_give_what_a_convolution_of_all_nine_gives)
{
  triad_context *one = test_alone();
  for (int t = 1; t < CASES; t++) {
    test_flow f = test_flow_make(test_together(), cases[t], NULL), alone = test_flow_make(one, cases[t], NULL);
    operator_run r = operator_apply(f.flow);
    cube u = cube_make(alone.flow);
    const triad_layout *l = f.flow->layout;
    double error = 0, size = 0;
    for (int64_t c = 0; c < l->n_columns; c++)
      for (int64_t j = 0; j < l->nkz; j++) {
        if (!test_kept(l, c, j)) continue;
        const int64_t k[3] = {l->kx[c], l->ky[c], l->kz[j]};
        const double w[3] = {l->wx[c], l->wy[c], l->wz[j]};
        vec want = convolved_rate(&u, k, w), got = vec_at(r.n, triad_layout_place(l, c, j)), d;
        for (int i = 0; i < 3; i++) d.re[i] = got.re[i] - want.re[i], d.im[i] = got.im[i] - want.im[i];
        error += l->weight[c] * dot(d, d);
        size += l->weight[c] * dot(want, want);
      }
    /* transforms round by eps log2 n; products, derivatives and projection by some eps more */
    TRIAD_WITHIN(sqrt(test_total(error) / test_total(size)), 0, 100 * eps, "N from five products");
    free(u.v);
    operator_free(&r);
    test_flow_free(&f);
    test_flow_free(&alone);
  }
  triad_context_destroy(&one);
}

/* ---- budgets ---- */

enum {
  ENERGY,
  ENSTROPHY,
  DISSIPATION,
  INJECTION,
  HELICITY,
  U_MAX,
  DIVERGENCE,
  INTEGRAL,
  TAYLOR,
  KOLMOGOROV,
  RE_LAMBDA,
  KMAX_ETA,
  CFL
};

TRIAD_TEST(series_columns_have_the_names_of_the_contract)
{
  static const char *const names[] = {
    "energy",         "enstrophy",    "dissipation",      "injection", "helicity", "u_max", "divergence",
    "integral_scale", "taylor_scale", "kolmogorov_scale", "re_lambda", "kmax_eta", "cfl"};
  test_flow f = test_flow_make(test_together(), cases[0], NULL);
  TRIAD_HOLDS(f.flow->shape.n_columns >= 13, "%d columns", f.flow->shape.n_columns);
  for (int i = 0; i < 13 && i < f.flow->shape.n_columns; i++)
    TRIAD_HOLDS(strcmp(f.flow->shape.columns[i].name, names[i]) == 0, "column %d is %s, expected %s", i,
                f.flow->shape.columns[i].name, names[i]);
  test_flow_free(&f);
}

TRIAD_TEST(taylor_green_has_energy_one_eighth_and_enstrophy_three_eighths)
{
  const char *sets[] = {"initial.kind=\"taylor-green\"", "equations.drag=0.0", "equations.hyperviscosity=0.0", NULL};
  double c[TRIAD_MAX_COLUMNS];
  test_flow f = test_flow_make(test_together(), cases[0], sets);
  TRIAD_CHECK(triad_budget_measure(f.flow, c));
  TRIAD_NEAR(c[ENERGY], 0.125, 4 * eps, "energy");
  TRIAD_NEAR(c[ENSTROPHY], 0.375, 4 * eps, "enstrophy");
  TRIAD_NEAR(c[DISSIPATION], 2 * 0.013 * 0.375, 4 * eps, "dissipation = 2 viscosity enstrophy");
  TRIAD_WITHIN(c[INJECTION], 0, 0, "injection");
  TRIAD_WITHIN(c[HELICITY], 0, eps, "helicity");
  TRIAD_WITHIN(c[DIVERGENCE], 0, eps, "divergence");
  TRIAD_NEAR(c[U_MAX], 1, 8 * eps, "largest velocity: a grid point lies at (pi/2, 0, 0)");
  TRIAD_NEAR(c[TAYLOR], sqrt(5. / 3), 4 * eps, "Taylor scale");
  TRIAD_NEAR(c[INTEGRAL], 0.75 * TRIAD_PI / sqrt(3), 4 * eps, "integral scale");
  TRIAD_NEAR(c[KOLMOGOROV], pow(0.013 * 0.013 * 0.013 / (2 * 0.013 * 0.375), 0.25), 4 * eps, "(nu^3/epsilon)^(1/4)");
  TRIAD_NEAR(c[RE_LAMBDA], sqrt(2 * 0.125 / 3) * sqrt(5. / 3) / 0.013, 8 * eps, "Re_lambda");
  TRIAD_NEAR(c[KMAX_ETA], 5 * c[KOLMOGOROV], 4 * eps, "k_max eta");
  test_flow_free(&f);
}

TRIAD_TEST(abc_flow_has_helicity_of_twice_its_energy)
{
  const char *sets[] = {"initial.kind=\"abc\"", "initial.abc=[1.0, 0.5, -0.25]", NULL};
  double c[TRIAD_MAX_COLUMNS], square = 1 + 0.25 + 0.0625;
  test_flow f = test_flow_make(test_together(), cases[0], sets);
  TRIAD_CHECK(triad_budget_measure(f.flow, c));
  TRIAD_NEAR(c[ENERGY], square / 2, 4 * eps, "energy = (A^2 + B^2 + C^2)/2");
  TRIAD_NEAR(c[HELICITY], square, 4 * eps, "curl u = u, so mean(u.curl u) = mean |u|^2");
  TRIAD_NEAR(c[ENSTROPHY], square / 2, 4 * eps, "enstrophy");
  TRIAD_NEAR(c[DISSIPATION], (0.013 + 1e-5 + 0.2) * square, 8 * eps,
             "dissipation of viscosity, hyperviscosity and drag");
  test_flow_free(&f);
}

/* Energy, enstrophy, helicity, divergence and the largest velocity, from values in physical space. */
TRIAD_TEST(budgets_equal_their_definitions_in_physical_space)
{
  for (int t = 0; t < CASES; t++) {
    test_flow f = test_flow_make(test_together(), cases[t], NULL);
    triad_flow *flow = f.flow;
    const triad_layout *l = flow->layout;
    int64_t points = l->n_planes * l->grid.n[1] * l->grid.n[0];
    double c[TRIAD_MAX_COLUMNS], s[4] = {0}, u_max = 0;
    triad_cplx *w[4]; /* curl u and div u */
    triad_real *x[7]; /* u, curl u and div u in space */
    for (int i = 0; i < 4; i++) w[i] = aligned_alloc(64, ((size_t)l->modes * sizeof *w[i] / 64 + 1) * 64);
    for (int i = 0; i < 7; i++) x[i] = calloc((size_t)points + 1, sizeof *x[i]);
    for (int64_t m = 0; m < l->modes; m++)
      for (int i = 0; i < 4; i++) w[i][m] = (triad_cplx){0, 0};
    for (int64_t i = 0; i < l->n_columns; i++)
      for (int64_t j = 0; j < l->nkz; j++) {
        int64_t at = triad_layout_place(l, i, j);
        const double k[3] = {l->wx[i], l->wy[i], l->wz[j]};
        vec u = vec_at(flow->u, at), v = curl(k, u);
        for (int d = 0; d < 3; d++) {
          w[d][at] = (triad_cplx){(triad_real)v.re[d], (triad_real)v.im[d]};
          w[3][at].re -= (triad_real)(k[d] * u.im[d]);
          w[3][at].im += (triad_real)(k[d] * u.re[d]);
        }
      }
    for (int i = 0; i < 7; i++) {
      const triad_cplx *from[1] = {i < 3 ? flow->u[i] : w[i - 3]};
      TRIAD_CHECK(triad_backward(flow->pass, l, 1, from, &x[i]));
    }
    for (int64_t p = 0; p < points; p++) {
      double square = 0;
      for (int i = 0; i < 3; i++) {
        square += (double)x[i][p] * (double)x[i][p];
        s[1] += (double)x[i + 3][p] * (double)x[i + 3][p] / 2;
        s[2] += (double)x[i][p] * (double)x[i + 3][p];
      }
      s[0] += square / 2;
      s[3] += (double)x[6][p] * (double)x[6][p];
      u_max = fmax(u_max, sqrt(square));
    }
    for (int i = 0; i < 4; i++) s[i] = test_total(s[i]) / (double)triad_grid_points(&l->grid);
    TRIAD_CHECK(triad_budget_measure(flow, c));
    double tolerance = 100 * eps; /* Parseval's, of sums of squares that are all positive */
    TRIAD_NEAR(c[ENERGY], s[0], tolerance, "energy = mean |u|^2/2");
    TRIAD_NEAR(c[ENSTROPHY], s[1], tolerance, "enstrophy = mean |curl u|^2/2");
    TRIAD_WITHIN(c[HELICITY], s[2], tolerance * sqrt(s[0] * s[1]) * 2, "helicity = mean u.curl u");
    TRIAD_WITHIN(c[DIVERGENCE], 0, 10 * eps * sqrt(s[1]), "divergence");
    TRIAD_WITHIN(sqrt(s[3]), 0, 20 * eps * sqrt(s[1]), "div u in space");
    TRIAD_NEAR(c[U_MAX], test_largest(u_max), tolerance, "largest |u|");
    for (int i = 0; i < 4; i++) free(w[i]);
    for (int i = 0; i < 7; i++) free(x[i]);
    test_flow_free(&f);
  }
}

TRIAD_TEST(shell_spectra_sum_to_energy_and_helicity_and_hold_their_shells)
{
  for (int t = 0; t < CASES; t++) {
    test_flow f = test_flow_make(test_together(), cases[t], NULL);
    triad_flow *flow = f.flow;
    const triad_layout *l = flow->layout;
    double c[TRIAD_MAX_COLUMNS], sum[2] = {0};
    int64_t shells = triad_shell_count(&flow->grid);
    double *values = calloc((size_t)(shells * flow->shape.n_spectra), sizeof *values);
    double *want = calloc((size_t)shells, sizeof *want);
    assert_true(values && want);
    TRIAD_CHECK(triad_budget_measure(flow, c));
    TRIAD_CHECK(triad_spectra_shells(flow, c[ENERGY], values));
    for (int64_t i = 0; i < l->n_columns; i++)
      for (int64_t j = 0; j < l->nkz; j++) {
        vec u = vec_at(flow->u, triad_layout_place(l, i, j));
        double k = sqrt(l->wx[i] * l->wx[i] + l->wy[i] * l->wy[i] + l->wz[j] * l->wz[j]);
        int64_t shell = llround(k / triad_grid_k_min(&flow->grid));
        if (shell < shells) want[shell] += l->weight[i] * dot(u, u) / 2;
      }
    for (int64_t s = 0; s < shells; s++) {
      TRIAD_WITHIN(values[s], test_total(want[s]), 1e-13 * c[ENERGY], "E of a shell");
      sum[0] += values[s];
      sum[1] += values[shells + s];
      /* |H| <= 2 k E, and no k of a shell is larger than its upper edge */
      double edge = ((double)s + 0.5) * triad_grid_k_min(&flow->grid);
      TRIAD_HOLDS(fabs(values[shells + s]) <= 2 * edge * values[s] * (1 + 1e-6), "shell %lld: helicity %g of energy %g",
                  (long long)s, values[shells + s], values[s]);
    }
    TRIAD_NEAR(sum[0], c[ENERGY], 1e-14, "sum of E");
    TRIAD_NEAR(sum[1], c[HELICITY], 1e-13, "sum of H");
    /* a wrong energy is found out */
    TRIAD_FAILS(triad_spectra_shells(flow, c[ENERGY] * 1.01, values), TRIAD_ERR_INTERNAL, "");
    free(values);
    free(want);
    test_flow_free(&f);
  }
}

/* ---- symmetries of a long run ---- */

/* Largest |u(-kz) - conj u(kz)| over columns that are their own conjugate. */
static double asymmetry(const triad_flow *flow)
{
  const triad_layout *l = flow->layout;
  double worst = 0;
  for (int64_t c = 0; c < l->n_columns; c++)
    for (int64_t j = 0; j < l->nkz && l->self[c]; j++) {
      int64_t mirror = j == 0 ? 0 : l->nkz - j;
      for (int f = 0; f < 3; f++) {
        triad_cplx a = flow->u[f][triad_layout_place(l, c, j)], b = flow->u[f][triad_layout_place(l, c, mirror)];
        worst = fmax(worst, fmax(fabs((double)(a.re - b.re)), fabs((double)(a.im + b.im))));
      }
    }
  return worst;
}

static double mean_mode(const triad_flow *flow)
{
  const triad_layout *l = flow->layout;
  double size = 0;
  for (int64_t c = 0; c < l->n_columns; c++)
    if (l->kx[c] == 0 && l->ky[c] == 0)
      size = sqrt(dot(vec_at(flow->u, triad_layout_place(l, c, 0)), vec_at(flow->u, triad_layout_place(l, c, 0))));
  return size;
}

/* 10^4 steps without viscosity, where nothing damps what goes wrong: the field stays real (the columns that hold both
 * of a pair, and the physical field's own modes), solenoidal, and at rest in the mean. */
TRIAD_TEST(field_stays_real_and_solenoidal_over_ten_thousand_steps)
{
  const char *sets[] = {"grid.n=[12, 12, 12]",
                        "equations.viscosity=0.0",
                        "equations.hyperviscosity=0.0",
                        "equations.drag=0.0",
                        "initial.k_range=[1.0, 3.0]",
                        "time.scheme=\"rk2\"",
                        NULL};
  const int steps = 10000;
  test_flow f = test_flow_make(test_together(), cases[0], sets);
  triad_flow *flow = f.flow;
  const triad_layout *l = flow->layout;
  double first = test_column(flow, ENERGY), c[TRIAD_MAX_COLUMNS];
  test_advance(flow, 0.004, steps);
  TRIAD_CHECK(triad_budget_measure(flow, c));
  TRIAD_NEAR(c[ENERGY], first, 1e-2, "energy, to the scheme's order"); /* a field that has moved on, not blown up */
  TRIAD_WITHIN(test_largest(asymmetry(flow)), 0, 0, "u(-k) - conj u(k) where both are held");
  TRIAD_WITHIN(test_largest(mean_mode(flow)), 0, 0, "mean flow");
  /* each step adds a divergence of a few eps of its increment, of either sign */
  TRIAD_WITHIN(c[DIVERGENCE] / sqrt(2 * c[ENSTROPHY]), 0, eps * sqrt(steps), "rms div u over rms curl u");
  /* what a real field's transform gives back is what is held */
  triad_real *x = calloc((size_t)(l->n_planes * l->grid.n[1] * l->grid.n[0]) + 1, sizeof *x);
  triad_cplx *back = aligned_alloc(64, ((size_t)l->modes * sizeof *back / 64 + 1) * 64);
  assert_true(x && back);
  double error = 0, size = 0;
  for (int i = 0; i < 3; i++) {
    const triad_cplx *from[1] = {flow->u[i]};
    const triad_real *values[1] = {x};
    TRIAD_CHECK(triad_backward(flow->pass, l, 1, from, &x));
    TRIAD_CHECK(triad_forward(flow->pass, l, 1, values, &back));
    for (int64_t m = 0; m < l->modes; m++) {
      error += pow((double)(back[m].re - flow->u[i][m].re), 2) + pow((double)(back[m].im - flow->u[i][m].im), 2);
      size += pow((double)flow->u[i][m].re, 2) + pow((double)flow->u[i][m].im, 2);
    }
  }
  TRIAD_WITHIN(sqrt(test_total(error) / test_total(size)), 0, 50 * eps, "modes of the physical field");
  free(x);
  free(back);
  test_flow_free(&f);
}

TRIAD_MAIN
