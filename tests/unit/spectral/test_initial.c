/* Initial fields: what a case names is what is there, on any grid and any number of ranks.
 * ranks: 1 2 3   threads: 1 2   precision: both */
#include "flow.h"

#include "fft/pass/transform.h"
#include "solvers/spectral/start/project.h"
#include "solvers/spectral/start/randomfield.h"
#include "grid/shells.h"

#define CASE \
  "precision = \"" TRIAD_PRECISION_NAME "\"\n" \
  "[equations]\nsolver = \"hd\"\n[grid]\nn = [16, 16, 16]\n" \
  "[initial]\nkind = \"random\"\n[time]\nend = 1.0\n[parallel]\nreproducible = true\n"

static const double eps = (double)TRIAD_EPSILON, two_pi = 6.283185307179586476925286766559;

/* ---- flows with a formula ---- */

typedef void formula(const double k[3], const double x[3], double amplitude, double u[3]);

static void taylor_green(const double k[3], const double x[3], double a, double u[3])
{
  u[0] = a * sin(k[0] * x[0]) * cos(k[1] * x[1]) * cos(k[2] * x[2]);
  u[1] = -a * k[0] / k[1] * cos(k[0] * x[0]) * sin(k[1] * x[1]) * cos(k[2] * x[2]);
  u[2] = 0;
}

static void plane_vortex(const double k[3], const double x[3], double a, double u[3])
{
  const double flat[3] = {x[0], x[1], 0};
  taylor_green(k, flat, a, u);
}

static void abc(const double k[3], const double x[3], double a, double u[3])
{
  const double A = 1, B = 0.5, C = -0.75;
  u[0] = a * (A * sin(k[2] * x[2]) + C * cos(k[1] * x[1]));
  u[1] = a * (B * sin(k[0] * x[0]) + A * cos(k[2] * x[2]));
  u[2] = a * (C * sin(k[1] * x[1]) + B * cos(k[0] * x[0]));
}

/* Every value of the field on the grid. Coefficients are rounded once, so the transform's round-off is all. */
static void check_formula(formula *f, const char *const *sets, int periods, double amplitude)
{
  test_flow t = test_flow_make(test_together(), CASE, sets);
  triad_flow *flow = t.flow;
  const triad_layout *l = flow->layout;
  const triad_grid *g = &l->grid;
  double k[3], worst = 0;
  triad_real *u[3];
  for (int i = 0; i < 3; i++) {
    k[i] = two_pi * periods / g->length[i];
    u[i] = calloc((size_t)(l->n_planes * g->n[1] * g->n[0]) + 1, sizeof *u[i]);
    assert_non_null(u[i]);
    const triad_cplx *from[1] = {flow->u[i]};
    TRIAD_CHECK(triad_backward(flow->pass, l, 1, from, &u[i]));
  }
  for (int64_t z = 0; z < l->n_planes; z++)
    for (int64_t y = 0; y < g->n[1]; y++)
      for (int64_t x = 0; x < g->n[0]; x++) {
        const double at[3] = {(double)x * triad_grid_spacing(g, 0), (double)y * triad_grid_spacing(g, 1),
                              (double)(z + l->plane_begin[l->rank]) * triad_grid_spacing(g, 2)};
        double want[3];
        f(k, at, amplitude, want);
        for (int i = 0; i < 3; i++) worst = fmax(worst, fabs((double)u[i][(z * g->n[1] + y) * g->n[0] + x] - want[i]));
      }
  TRIAD_WITHIN(test_largest(worst), 0, 40 * eps * fabs(amplitude), "a value on the grid");
  TRIAD_WITHIN(test_column(flow, 6), 0, 20 * eps * fabs(amplitude) * (k[0] + k[1] + k[2]), "divergence");
  TRIAD_WITHIN(flow->at.t, 0, 0, "time");
  for (int i = 0; i < 3; i++) free(u[i]);
  test_flow_free(&t);
}

TRIAD_TEST(taylor_green_has_its_formula)
{
  static const char *const cube[] = {"initial.kind=\"taylor-green\"", NULL};
  static const char *const oblong[] = {"initial.kind=\"taylor-green\"", "grid.n=[15, 20, 18]",
                                       "initial.amplitude=-2.5",        "grid.length=[3.0, \"2pi\", 7.0]",
                                       "initial.wavenumber=2",          NULL};
  check_formula(taylor_green, cube, 1, 1);
  check_formula(taylor_green, oblong, 2, -2.5);
}

TRIAD_TEST(plane_vortex_has_its_formula)
{
  static const char *const cube[] = {"initial.kind=\"taylor-green\"", "initial.two_dimensional=true", NULL};
  static const char *const flat[] = {"initial.kind=\"taylor-green\"", "initial.two_dimensional=true",
                                     "grid.n=[15, 12, 1]", "grid.length=[3.0, \"2pi\", 7.0]", NULL};
  check_formula(plane_vortex, cube, 1, 1);
  check_formula(plane_vortex, flat, 1, 1);
}

TRIAD_TEST(abc_has_its_formula)
{
  static const char *const cube[] = {"initial.kind=\"abc\"", "initial.abc=[1.0, 0.5, -0.75]", NULL};
  static const char *const oblong[] = {"initial.kind=\"abc\"",
                                       "initial.abc=[1.0, 0.5, -0.75]",
                                       "grid.n=[15, 20, 18]",
                                       "grid.length=[3.0, \"2pi\", 7.0]",
                                       "initial.wavenumber=3",
                                       "initial.amplitude=0.1",
                                       NULL};
  check_formula(abc, cube, 1, 1);
  check_formula(abc, oblong, 3, 0.1);
}

/* The same flows from their formulas in the case, with a parameter; a transform's round-off is all here too. */
TRIAD_TEST(formulas_of_a_case_are_the_named_flows)
{
  static const char *const vortex[] = {"parameters.A=-2.5",
                                       "parameters.q=2pi/3",
                                       "initial.kind=\"formula\"",
                                       "grid.n=[15, 20, 18]",
                                       "grid.length=[3.0, \"2pi\", 7.0]",
                                       "initial.u=A*sin(2*q*x)*cos(2*y)*cos(2*2pi/7*z)",
                                       "initial.v=-A*q*cos(2*q*x)*sin(2*y)*cos(2*2pi/7*z)",
                                       NULL};
  static const char *const waves[] = {"initial.kind=\"formula\"", "initial.u=sin(z) - 3/4*cos(y)",
                                      "initial.v=0.5*sin(x) + cos(z)", "initial.w=-0.75*sin(y) + 0.5*cos(x)", NULL};
  check_formula(taylor_green, vortex, 2, -2.5);
  check_formula(abc, waves, 1, 1);
}

/* Sampled at the same points whoever has them: noise too. */
TRIAD_TEST(formulas_are_the_same_bit_for_bit_on_any_ranks_and_threads)
{
  static const char *const sets[] = {"initial.kind=\"formula\"",
                                     "initial.u=noise(1)",
                                     "initial.v=if(y > pi, noise(2), x)",
                                     "equations.scalars=[1, 1]",
                                     "initial.scalars=[\"exp(-(x-1)^2)\", 3]",
                                     "grid.n=[15, 12, 20]",
                                     NULL};
  triad_context *one = test_alone();
  test_flow f = test_flow_make(test_together(), CASE, sets), alone = test_flow_make(one, CASE, sets);
  TRIAD_WITHIN(test_differs_from_alone(f.flow, alone.flow, 5), 0, 0, "modes");
  double variance = test_column(f.flow, 0);
  TRIAD_HOLDS(variance > 0.1 && variance < 10, "energy %g", variance);
  test_flow_free(&f);
  test_flow_free(&alone);
  triad_context_destroy(&one);
}

TRIAD_TEST(rest_is_rest)
{
  const char *sets[] = {"initial.kind=\"rest\"", NULL};
  test_flow f = test_flow_make(test_together(), CASE, sets);
  TRIAD_WITHIN(test_column(f.flow, 0), 0, 0, "energy");
  test_flow_free(&f);
}

/* ---- random fields ---- */

TRIAD_TEST(random_field_is_the_same_bit_for_bit_on_any_ranks_and_threads)
{
  static const char *const sets[][4] = {{"initial.helicity=0.5", NULL},
                                        {"grid.n=[15, 12, 20]", "grid.length=[5.0, \"2pi\", 7.0]", NULL},
                                        {"grid.truncation=\"none\"", "grid.n=[8, 9, 10]", NULL},
                                        {"grid.n=[20, 18, 1]", "initial.seed=77", NULL}};
  triad_context *one = test_alone();
  for (int i = 0; i < 4; i++) {
    test_flow f = test_flow_make(test_together(), CASE, sets[i]), alone = test_flow_make(one, CASE, sets[i]);
    TRIAD_WITHIN(test_differs_from_alone(f.flow, alone.flow, 1), 0, 0, "modes");
    TRIAD_NEAR(test_column(f.flow, 0), 0.5, 20 * eps, "energy asked for");
    test_flow_free(&f);
    test_flow_free(&alone);
  }
  triad_context_destroy(&one);
}

/* The spectrum ends at shell 4, and every grid here keeps all of |k| < 4.5: the field is the same to the bit. */
TRIAD_TEST(random_field_is_the_same_on_any_grid_that_holds_its_modes)
{
  static const char *const grids[] = {"grid.n=[24, 24, 24]", "grid.n=[18, 16, 20]", "grid.truncation=\"box\"", NULL};
  triad_context *one = test_alone();
  test_flow coarse = test_flow_make(one, CASE, NULL);
  for (int i = 0; grids[i]; i++) {
    const char *sets[] = {grids[i], NULL};
    test_flow f = test_flow_make(test_together(), CASE, sets);
    const triad_layout *l = f.flow->layout;
    int64_t differ = 0, beyond = 0;
    for (int64_t c = 0; c < l->n_columns; c++)
      for (int64_t j = 0; j < l->nkz; j++) {
        int64_t at = triad_layout_place(l, c, j), there = test_place_in(coarse.flow->layout, l, c, j);
        for (int k = 0; k < 3; k++) {
          triad_cplx u = f.flow->u[k][at];
          if (there < 0) beyond += !(fabs((double)u.re) <= 0 && fabs((double)u.im) <= 0);
          else differ += memcmp(&u, &coarse.flow->u[k][there], sizeof u) != 0;
        }
      }
    TRIAD_HOLDS(differ == 0 && beyond == 0, "%s: %lld values differ, %lld beyond the coarse grid", grids[i],
                (long long)differ, (long long)beyond);
    test_flow_free(&f);
  }
  test_flow_free(&coarse);
  triad_context_destroy(&one);
}

/* A coarser grid that cuts through the spectrum changes amplitudes shell by shell, never directions or phases. */
TRIAD_TEST(random_field_keeps_phases_on_a_grid_that_cuts_its_spectrum)
{
  const char *wide[] = {"initial.wavenumber=2", "grid.n=[20, 20, 20]", NULL};
  const char *narrow[] = {"initial.wavenumber=2", "grid.n=[12, 12, 12]", NULL};
  triad_context *one = test_alone();
  test_flow fine = test_flow_make(one, CASE, wide), f = test_flow_make(test_together(), CASE, narrow);
  const triad_layout *l = f.flow->layout;
  int64_t compared = 0;
  double worst = 0;
  for (int64_t c = 0; c < l->n_columns; c++)
    for (int64_t j = 0; j < l->nkz; j++) {
      int64_t at = triad_layout_place(l, c, j), there = test_place_in(fine.flow->layout, l, c, j);
      double ab = 0, aa = 0, bb = 0;
      if (!test_kept(l, c, j)) continue;
      for (int k = 0; k < 3; k++) {
        triad_cplx a = f.flow->u[k][at], b = fine.flow->u[k][there];
        ab += (double)a.re * (double)b.re + (double)a.im * (double)b.im;
        aa += (double)a.re * (double)a.re + (double)a.im * (double)a.im;
        bb += (double)b.re * (double)b.re + (double)b.im * (double)b.im;
      }
      if (aa > 0) {
        compared++;
        worst = fmax(worst, 1 - ab / sqrt(aa * bb));
      }
    }
  TRIAD_HOLDS(test_total((double)compared) > 20, "%g modes compared", test_total((double)compared));
  TRIAD_WITHIN(test_largest(worst), 0, 8 * eps, "1 - cosine of the angle between mode vectors");
  test_flow_free(&f);
  test_flow_free(&fine);
  triad_context_destroy(&one);
}

/* Energy and helicity of each shell, on all ranks. */
static void shells_of(const triad_flow *flow, double *energy, double *helicity)
{
  const triad_layout *l = flow->layout;
  int64_t n = triad_shell_count(&l->grid);
  for (int64_t s = 0; s < n; s++) energy[s] = helicity[s] = 0;
  for (int64_t c = 0; c < l->n_columns; c++)
    for (int64_t j = 0; j < l->nkz; j++) {
      int64_t at = triad_layout_place(l, c, j);
      const double k[3] = {l->wx[c], l->wy[c], l->wz[j]};
      double re[3], im[3], e = 0, h = 0;
      for (int i = 0; i < 3; i++) re[i] = (double)flow->u[i][at].re, im[i] = (double)flow->u[i][at].im;
      for (int i = 0; i < 3; i++) {
        int a = (i + 1) % 3, b = (i + 2) % 3;
        e += (re[i] * re[i] + im[i] * im[i]) / 2;
        h += 2 * k[i] * (re[a] * im[b] - re[b] * im[a]);
      }
      int64_t s = llround(sqrt(k[0] * k[0] + k[1] * k[1] + k[2] * k[2]) / triad_grid_k_min(&l->grid));
      energy[s] += l->weight[c] * e;
      helicity[s] += l->weight[c] * h;
    }
  for (int64_t s = 0; s < n; s++) energy[s] = test_total(energy[s]), helicity[s] = test_total(helicity[s]);
}

TRIAD_TEST(random_field_has_the_spectrum_asked_for)
{
  const char *gaussian[] = {"grid.n=[30, 30, 30]", "initial.wavenumber=2", "initial.energy=3.0", NULL};
  const char *law[] = {"grid.n=[30, 30, 30]", "initial.spectrum=\"power-law\"",
                       "initial.slope=-2.5",  "initial.k_range=[2.0, 6.0]",
                       "initial.energy=3.0",  NULL};
  const char *oblong[] = {"grid.n=[30, 24, 27]",
                          "grid.length=[\"4pi\", \"3pi\", \"3pi\"]",
                          "initial.spectrum=\"power-law\"",
                          "initial.slope=-2.5",
                          "initial.k_range=[2.0, 6.0]",
                          "initial.energy=3.0",
                          NULL};
  const char *const *const all[] = {gaussian, law, oblong};
  for (int i = 0; i < 3; i++) {
    double energy[64], helicity[64], total = 0, asked = 0, want[64];
    test_flow f = test_flow_make(test_together(), CASE, all[i]);
    int64_t n = triad_shell_count(&f.flow->grid);
    shells_of(f.flow, energy, helicity);
    for (int64_t s = 0; s < n; s++) {
      double x = (double)s / 2;
      want[s] = s == 0             ? 0
                : i == 0           ? (x <= 4 ? pow(x, 4) * exp(-2 * x * x) : 0)
                : s >= 2 && s <= 6 ? pow((double)s, -2.5)
                                   : 0;
      asked += want[s];
      total += energy[s];
    }
    TRIAD_NEAR(total, 3, 30 * eps, "energy");
    for (int64_t s = 0; s < n; s++)
      TRIAD_WITHIN(energy[s], 3 * want[s] / asked, 100 * eps * want[s] / asked, "energy of a shell");
    test_flow_free(&f);
  }
}

TRIAD_TEST(random_field_is_real_solenoidal_and_at_rest_in_the_mean)
{
  const char *sets[] = {"grid.n=[15, 12, 20]", "grid.length=[5.0, \"2pi\", 7.0]", NULL};
  test_flow f = test_flow_make(test_together(), CASE, sets);
  const triad_layout *l = f.flow->layout;
  double mean = 0, worst = 0;
  for (int64_t c = 0; c < l->n_columns; c++)
    for (int64_t j = 0; j < l->nkz && l->self[c]; j++)
      for (int i = 0; i < 3; i++) {
        triad_cplx a = f.flow->u[i][triad_layout_place(l, c, j)];
        triad_cplx b = f.flow->u[i][triad_layout_place(l, c, j == 0 ? 0 : l->nkz - j)];
        worst = fmax(worst, hypot((double)(a.re - b.re), (double)(a.im + b.im)));
      }
  TRIAD_WITHIN(test_largest(worst), 0, 0, "u(-k) - conj u(k) where both are held");
  for (int64_t c = 0; c < l->n_columns; c++)
    for (int i = 0; i < 3 && l->kx[c] == 0 && l->ky[c] == 0; i++) {
      triad_cplx a = f.flow->u[i][triad_layout_place(l, c, 0)];
      mean = fmax(mean, hypot((double)a.re, (double)a.im));
    }
  TRIAD_WITHIN(test_largest(mean), 0, 0, "mean flow");
  TRIAD_WITHIN(test_column(f.flow, 6), 0, 4 * eps * sqrt(2 * test_column(f.flow, 1)), "rms div u over rms curl u");
  test_flow_free(&f);
}

/* With relative helicity 1 each mode is a helical wave, curl u = |k| u; with -1 the other one. */
TRIAD_TEST(random_field_of_one_handedness_is_made_of_helical_waves)
{
  for (int sign = -1; sign <= 1; sign += 2) {
    const char *sets[] = {sign > 0 ? "initial.helicity=1.0" : "initial.helicity=-1.0", "grid.n=[15, 12, 20]",
                          "grid.length=[5.0, \"2pi\", 7.0]", NULL};
    test_flow f = test_flow_make(test_together(), CASE, sets);
    const triad_layout *l = f.flow->layout;
    double worst = 0, most = 0;
    for (int64_t c = 0; c < l->n_columns; c++)
      for (int64_t j = 0; j < l->nkz; j++) {
        int64_t at = triad_layout_place(l, c, j);
        const double k[3] = {l->wx[c], l->wy[c], l->wz[j]}, size = sqrt(k[0] * k[0] + k[1] * k[1] + k[2] * k[2]);
        for (int i = 0; i < 3; i++) {
          int a = (i + 1) % 3, b = (i + 2) % 3;
          const triad_cplx *u[3] = {&f.flow->u[0][at], &f.flow->u[1][at], &f.flow->u[2][at]};
          double re = -(k[a] * (double)u[b]->im - k[b] * (double)u[a]->im);
          double im = k[a] * (double)u[b]->re - k[b] * (double)u[a]->re;
          worst = fmax(worst, hypot(re - sign * size * (double)u[i]->re, im - sign * size * (double)u[i]->im));
          most = fmax(most, size * hypot((double)u[i]->re, (double)u[i]->im));
        }
      }
    TRIAD_WITHIN(test_largest(worst), 0, 8 * eps * test_largest(most), "curl u -+ |k| u");
    test_flow_free(&f);
  }
}

/* Over many modes the relative helicity is what was asked for; N modes scatter by about 1/sqrt N. */
TRIAD_TEST(random_field_has_the_relative_helicity_asked_for)
{
  static const double asked[] = {0, 0.5, -0.8};
  for (int i = 0; i < 3; i++) {
    char text[40];
    (void)snprintf(text, sizeof text, "initial.helicity=%g", asked[i]);
    const char *sets[] = {text, "grid.n=[30, 30, 30]", "initial.spectrum=\"power-law\"", "initial.k_range=[4.0, 8.0]",
                          NULL};
    double energy[64], helicity[64], h = 0, most = 0;
    test_flow f = test_flow_make(test_together(), CASE, sets);
    shells_of(f.flow, energy, helicity);
    for (int s = 4; s <= 8; s++) h += helicity[s], most += 2 * s * energy[s];
    TRIAD_WITHIN(h / most, asked[i], 0.1, "relative helicity"); /* some 900 independent modes */
    test_flow_free(&f);
  }
}

TRIAD_TEST(random_field_depends_on_its_seed)
{
  const char *seed[] = {"initial.seed=2", NULL};
  test_flow a = test_flow_make(test_together(), CASE, NULL), b = test_flow_make(test_together(), CASE, seed);
  double d = test_distance(a.flow, b.flow, 1);
  TRIAD_HOLDS(d > 1 && d < 2, "distance of independent fields: %g, expected about sqrt 2", d);
  test_flow_free(&a);
  test_flow_free(&b);
}

/* Directions and components are alike: no axis is preferred by how modes are stored or drawn. */
TRIAD_TEST(random_field_prefers_no_axis)
{
  const char *sets[] = {"grid.n=[30, 30, 30]", "initial.spectrum=\"power-law\"", "initial.slope=0.0",
                        "initial.k_range=[4.0, 8.0]", NULL};
  test_flow f = test_flow_make(test_together(), CASE, sets);
  const triad_layout *l = f.flow->layout;
  double component[3] = {0}, direction[3] = {0};
  for (int64_t c = 0; c < l->n_columns; c++)
    for (int64_t j = 0; j < l->nkz; j++) {
      int64_t at = triad_layout_place(l, c, j);
      const double k[3] = {l->wx[c], l->wy[c], l->wz[j]}, k2 = k[0] * k[0] + k[1] * k[1] + k[2] * k[2];
      double e = 0;
      for (int i = 0; i < 3; i++) {
        double square = pow((double)f.flow->u[i][at].re, 2) + pow((double)f.flow->u[i][at].im, 2);
        component[i] += l->weight[c] * square;
        e += l->weight[c] * square;
      }
      for (int i = 0; i < 3 && k2 > 0; i++) direction[i] += e * k[i] * k[i] / k2;
    }
  for (int i = 0; i < 3; i++) {
    /* mean |u|^2 = 1 in all; scatter of some 900 modes */
    TRIAD_WITHIN(test_total(component[i]), 1. / 3, 0.05, "share of a component");
    TRIAD_WITHIN(test_total(direction[i]), 1. / 3, 0.05, "share of a direction");
  }
  test_flow_free(&f);
}

/* ---- refusals ---- */

static void check_refused(const char *const *sets, const char *part)
{
  triad_case *given = NULL;
  triad_flow *flow = NULL;
  int n = 0;
  while (sets[n]) n++;
  TRIAD_CHECK(triad_case_parse(&given, "test", CASE, strlen(CASE), sets, n));
  TRIAD_CHECK(triad_flow_create(&flow, test_together(), given, NULL));
  (void)fflush(stderr);
  int st = triad_initial_set(flow, NULL); /* tells rank 0's message on stderr */
  TRIAD_EQUAL(st, TRIAD_ERR_CASE, part);
  triad_message_clear();
  triad_flow_destroy(&flow);
  triad_case_destroy(&given);
}

TRIAD_TEST(fields_that_the_grid_cannot_hold_are_refused_on_all_ranks)
{
  const char *vortex[] = {"initial.kind=\"taylor-green\"", "grid.n=[8, 8, 8]", "initial.wavenumber=2", NULL};
  const char *flow[] = {"initial.kind=\"abc\"", "initial.wavenumber=6", NULL};
  const char *flat[] = {"initial.kind=\"taylor-green\"", "grid.n=[16, 16, 1]", NULL};
  const char *random[] = {"initial.spectrum=\"power-law\"", "initial.k_range=[30.0, 40.0]", NULL};
  check_refused(vortex, "mode (2, 2, 2) on 8^3");
  check_refused(flow, "mode 6 on 16^3");
  check_refused(flat, "a three-dimensional vortex in one plane");
  check_refused(random, "a spectrum beyond the grid");
}

/* ---- projection of fields that come from outside ---- */

TRIAD_TEST(projection_splits_a_field_into_solenoidal_compressive_and_mean_parts)
{
  test_flow f = test_flow_make(test_together(), CASE, NULL), solenoidal = test_flow_make(test_together(), CASE, NULL);
  triad_flow *flow = f.flow;
  const triad_layout *l = flow->layout;
  double kept, compressive, mean, added = 0;
  for (int64_t c = 0; c < l->n_columns; c++)
    for (int64_t j = 0; j < l->nkz; j++) {
      int64_t at = triad_layout_place(l, c, j);
      const double k[3] = {l->wx[c], l->wy[c], l->wz[j]};
      if (!test_kept(l, c, j)) continue;
      int is_mean = l->kx[c] == 0 && l->ky[c] == 0 && l->kz[j] == 0;
      /* a gradient of k-dependent size, real, so that no partner needs care where both of a pair are held */
      double phi = 0.01 * cos((double)(l->kx[c] + 2 * l->ky[c])) / (1 + (double)(l->kz[j] * l->kz[j]));
      for (int i = 0; i < 3; i++) {
        double g = is_mean ? 0.125 * (i + 1) : k[i] * phi;
        flow->u[i][at].im += (triad_real)(is_mean ? 0 : g);
        flow->u[i][at].re += (triad_real)(is_mean ? g : 0);
        if (!is_mean) added += l->weight[c] * g * g / 2;
      }
    }
  const triad_field_group velocity = triad_shape_group(&flow->shape, "velocity");
  TRIAD_CHECK(triad_project(flow, &velocity, &kept, &compressive, &mean));
  TRIAD_NEAR(kept, 0.5, 50 * eps, "energy of what is kept");
  TRIAD_NEAR(compressive, test_total(added), 200 * eps, "energy of the compressive part");
  TRIAD_NEAR(mean, 0.015625 * (1 + 4 + 9) / 2, 10 * eps, "energy of the mean flow");
  TRIAD_WITHIN(test_distance(flow, solenoidal.flow, 1), 0, 50 * eps, "the field without its gradient");
  TRIAD_CHECK(triad_project(flow, &velocity, &kept, &compressive, &mean));
  TRIAD_WITHIN(compressive, 0, 1e3 * eps * eps, "projecting again");
  TRIAD_WITHIN(mean, 0, 0, "mean flow after projecting");
  test_flow_free(&f);
  test_flow_free(&solenoidal);
}

TRIAD_MAIN
