/* Spectra about an axis, transfers and fluxes: against plain sums over modes and against convolutions of modes.
 * ranks: 1 2 3   threads: 1 2   precision: both */
#include "flow.h"

#include "solvers/spectral/measure/measure.h"
#include "grid/shells.h"

#define CASE(solver, keys, grid, length, truncation)                                                              \
  "precision = \"" TRIAD_PRECISION_NAME "\"\n[equations]\nsolver = \"" solver "\"\n" keys                         \
  "[grid]\nn = " grid "\nlength = " length "\ntruncation = \"" truncation "\"\n"                                  \
  "[initial]\nkind = \"random\"\nspectrum = \"power-law\"\nslope = -1.0\nk_range = [1.0, 100.0]\nhelicity = 0.6\n" \
  "[time]\nend = 1.0\n[parallel]\nreproducible = true\n"

/* CASE with a grid, its lengths and truncation in one macro. */
#define ON(solver, keys, ...) CASE(solver, keys, __VA_ARGS__)

/* Every set, on grids and boxes of all kinds, with every key that adds to its nonlinear term or must not. */
#define HD(...) ON("hd", "rotation = [1.0, 2.0, 3.0]\n", __VA_ARGS__)
#define SCALARS(...) ON("hd", "scalars = [0.1, 0.2]\nscalar_gradients = [1.0, 0, 0, 0, 2.0, 0]\n", __VA_ARGS__)
#define BOUSSINESQ(...) ON("boussinesq", "buoyancy_frequency = 3.0\nrotation = [0, 0, 1.0]\n", __VA_ARGS__)
#define MHD(...) ON("mhd", "mean_field = [0.5, 0, 2.0]\n", __VA_ARGS__)
#define HALL(...) ON("mhd", "mean_field = [0, 1.0, 0]\nhall = 0.3\n", __VA_ARGS__)

#define LONG "[12, 10, 15]", "[\"2pi\", 5.0, 9.0]", "sphere"
#define SHORT "[13, 9, 8]", "[3.0, \"2pi\", \"pi\"]", "box"
#define FLAT "[16, 14, 1]", "[\"2pi\", \"4pi\", 1.0]", "sphere"

static const char *const cases[] = {HD(LONG), HD(SHORT), HD(FLAT), SCALARS(LONG), BOUSSINESQ(SHORT), BOUSSINESQ(LONG),
                                    MHD(LONG), MHD(FLAT), HALL(SHORT)};
enum { CASES = sizeof cases / sizeof *cases };

static const double eps = (double)TRIAD_EPSILON;

/* A flow with something in every field: those past the velocity are a second velocity's, which is solenoidal. */
static test_flow make(triad_context *context, const char *text)
{
  const char *other[] = {"initial.seed=7", NULL};
  test_flow f = test_flow_make(context, text, NULL), g = test_flow_make(context, text, other);
  for (int i = 3; i < f.flow->shape.n_fields; i++)
    memcpy(f.flow->u[i], g.flow->u[i % 3], (size_t)f.flow->layout->modes * sizeof(triad_cplx));
  test_flow_free(&g);
  return f;
}

static double *numbers(int64_t n)
{
  double *x = calloc((size_t)n + 1, sizeof *x);
  assert_non_null(x);
  return x;
}

/* ---- spectra about an axis ---- */

typedef struct about {
  triad_bins bins;
  int64_t n; /* spectra */
  double *perp, *par, *both;
} about;

static about make_about(const triad_flow *flow, int axis)
{
  about a = {.bins = triad_bins_make(&flow->grid, axis), .n = flow->shape.n_spectra};
  a.perp = numbers(a.n * a.bins.rings);
  a.par = numbers(a.n * a.bins.planes);
  a.both = numbers(a.n * a.bins.rings * a.bins.planes);
  return a;
}

static void free_about(about *a)
{
  free(a->perp);
  free(a->par);
  free(a->both);
}

static about measure(triad_flow *flow, int axis)
{
  about a = make_about(flow, axis);
  double energy = test_column(flow, 0);
  TRIAD_CHECK(triad_spectra_about(flow, &a.bins, energy, a.perp, a.par, a.both));
  return a;
}

/* The same by the definition, in integers and box lengths, of a flow that this rank holds alone. */
static about plain(const triad_flow *alone, int axis)
{
  const triad_layout *l = alone->layout;
  const triad_grid *g = &l->grid;
  about a = make_about(alone, axis);
  int64_t rings = a.bins.rings, planes = a.bins.planes;
  double longest = 0, density[TRIAD_MOST_SPECTRA];
  for (int i = 0; i < 3; i++)
    if (i != axis && g->n[i] > 1) longest = fmax(longest, g->length[i]);
  for (int64_t c = 0; c < l->n_columns; c++)
    for (int64_t j = 0; j < l->nkz; j++) {
      if (!test_kept(l, c, j)) continue;
      const int64_t k[3] = {l->kx[c], l->ky[c], l->kz[j]};
      double across = 0;
      for (int i = 0; i < 3; i++)
        if (i != axis && k[i] != 0) across += pow((double)k[i] * longest / g->length[i], 2);
      int64_t ring = (int64_t)floor(sqrt(across) + 0.5), plane = llabs((long long)k[axis]);
      TRIAD_HOLDS(ring < rings && plane < planes, "ring %lld of %lld, plane %lld of %lld", (long long)ring,
                  (long long)rings, (long long)plane, (long long)planes);
      if (ring >= rings || plane >= planes) continue;
      alone->equations->densities(alone->self, l, c, j, (const triad_cplx *const *)alone->u, density);
      for (int64_t i = 0; i < a.n; i++) {
        a.perp[i * rings + ring] += density[i];
        a.par[i * planes + plane] += density[i];
        a.both[(i * rings + ring) * planes + plane] += density[i];
      }
    }
  return a;
}

static double worst_of(int64_t n, const double *a, const double *b)
{
  double worst = 0;
  for (int64_t i = 0; i < n; i++)
    if (!(fabs(a[i] - b[i]) <= worst)) worst = fabs(a[i] - b[i]);
  return worst;
}

static double largest_of(int64_t n, const double *a)
{
  double most = 0;
  for (int64_t i = 0; i < n; i++) most = fmax(most, fabs(a[i]));
  return most;
}

TRIAD_TEST(rings_and_planes_hold_what_a_plain_sum_puts_there)
{
  triad_context *one = test_alone();
  for (int t = 0; t < CASES; t++)
    for (int axis = 0; axis < 3; axis++) {
      test_flow f = make(test_together(), cases[t]), alone = make(one, cases[t]);
      about got = measure(f.flow, axis), want = plain(alone.flow, axis);
      int64_t modes = alone.flow->layout->all_columns * alone.flow->layout->nkz;
      /* a plain sum of n terms of either sign rounds by less than n times half an ulp of the largest partial sum */
      for (int64_t i = 0; i < got.n; i++) {
        const double *a = want.par + i * got.bins.planes;
        double scale = (double)modes * DBL_EPSILON * largest_of(got.bins.planes, a) + 1e-300;
        int64_t both = got.bins.rings * got.bins.planes;
        TRIAD_WITHIN(worst_of(got.bins.planes, got.par + i * got.bins.planes, a), 0, scale, "planes");
        TRIAD_WITHIN(worst_of(got.bins.rings, got.perp + i * got.bins.rings, want.perp + i * got.bins.rings), 0, scale,
                     "rings");
        TRIAD_WITHIN(worst_of(both, got.both + i * both, want.both + i * both), 0, scale, "rings and planes");
      }
      free_about(&got);
      free_about(&want);
      test_flow_free(&f);
      test_flow_free(&alone);
    }
  triad_context_destroy(&one);
}

/* One mode (1, -2, 3) in a box of sides 2 pi, 4 pi, 6 pi: wavenumbers 1, 1, 1. */
TRIAD_TEST(a_single_mode_is_found_in_its_ring_and_plane)
{
  static const int64_t want[3][2] = {{4, 1}, {4, 2}, {3, 3}}; /* sqrt 2 over 1/3, 1/3, 1/2: 4.2, 4.2, 2.8; plane */
  test_flow f = test_flow_make(test_together(), HD("[12, 12, 16]", "[\"2pi\", \"4pi\", \"6pi\"]", "sphere"), NULL);
  const triad_layout *l = f.flow->layout;
  int conjugate;
  for (int i = 0; i < 3; i++) memset(f.flow->u[i], 0, (size_t)l->modes * sizeof(triad_cplx));
  int64_t c = triad_layout_find(l, 1, -2, &conjugate) - l->column_begin[l->rank];
  if (c >= 0 && c < l->n_columns)
    f.flow->u[0][triad_layout_place(l, c, triad_layout_kz_number(l, 3))] =
        (triad_cplx){(triad_real)0.25, (triad_real)0.5};
  for (int axis = 0; axis < 3; axis++) {
    about a = measure(f.flow, axis);
    for (int64_t r = 0; r < a.bins.rings; r++)
      for (int64_t p = 0; p < a.bins.planes; p++)
        TRIAD_WITHIN(a.both[r * a.bins.planes + p], r == want[axis][0] && p == want[axis][1] ? 0.3125 : 0, 0,
                     "energy of ring and plane");
    TRIAD_WITHIN(a.perp[want[axis][0]], 0.3125, 0, "energy of the ring");
    TRIAD_WITHIN(a.par[want[axis][1]], 0.3125, 0, "energy of the planes");
    free_about(&a);
  }
  test_flow_free(&f);
}

/* Two groups of planes: 250 x 250 sums of two spectra take more than the room of one group. */
TRIAD_TEST(planes_of_several_groups_come_together)
{
  const char *text = HD("[1, 750, 750]", "[1.0, \"2pi\", \"2pi\"]", "box");
  triad_context *one = test_alone();
  test_flow f = test_flow_make(test_together(), text, NULL), alone = test_flow_make(one, text, NULL);
  about got = measure(f.flow, 2), want = plain(alone.flow, 2);
  int64_t both = got.bins.rings * got.bins.planes;
  TRIAD_HOLDS(got.n * both * (int64_t)sizeof(triad_sum) > (int64_t)64 << 20, "one group only");
  int64_t rings = got.bins.rings, planes = got.bins.planes;
  TRIAD_WITHIN(worst_of(planes, got.par, want.par), 0, 1e-13 * largest_of(planes, want.par), "planes");
  TRIAD_WITHIN(worst_of(rings, got.perp, want.perp), 0, 1e-13 * largest_of(rings, want.perp), "rings");
  TRIAD_WITHIN(worst_of(both, got.both, want.both), 0, 1e-13 * largest_of(both, want.both), "rings and planes");
  free_about(&got);
  free_about(&want);
  test_flow_free(&f);
  test_flow_free(&alone);
  triad_context_destroy(&one);
}

/* Nyquist modes are kept without truncation: wavenumber 0, as in shells. */
TRIAD_TEST(every_mode_without_truncation_has_its_place)
{
  static const char *const grids[] = {HD("[8, 6, 10]", "[\"2pi\", 5.0, 9.0]", "none"),
                                      HD("[2, 8, 1]", "[\"2pi\", 5.0, 9.0]", "none"),
                                      HD("[1, 2, 7]", "[\"2pi\", 5.0, 9.0]", "none")};
  for (int t = 0; t < 3; t++)
    for (int axis = 0; axis < 3; axis++) {
      test_flow f = test_flow_make(test_together(), grids[t], NULL);
      const triad_layout *l = f.flow->layout;
      for (int64_t c = 0; c < l->n_columns; c++)
        for (int64_t j = 0; j < l->nkz; j++)
          if (test_kept(l, c, j)) f.flow->u[0][triad_layout_place(l, c, j)].re = 1;
      about a = measure(f.flow, axis); /* which checks the sums */
      free_about(&a);
      test_flow_free(&f);
    }
}

TRIAD_TEST(the_physics_choose_the_axis)
{
  static const struct {
    const char *text, *set;
    int axis;
  } want[] = {{HD(LONG), NULL, -1}, /* an oblique rotation */
              {HD(LONG), "equations.rotation=[0, -2, 0]", 1},
              {HD(LONG), "output.spectra_axis=\"x\"", 0},
              {SCALARS(LONG), NULL, -1},
              {BOUSSINESQ(LONG), NULL, 2},
              {BOUSSINESQ(LONG), "output.spectra_axis=\"none\"", -1},
              {ON("boussinesq", "buoyancy_frequency = 0.0\nrotation = [3.0, 0, 0]\n", LONG), NULL, 0},
              {MHD(LONG), NULL, -1},
              {HALL(LONG), NULL, 1},
              {ON("mhd", "rotation = [0, 0, 1.0]\n", LONG), NULL, 2},
              {ON("mhd", "rotation = [0, 0, 1.0]\nmean_field = [1.0, 0, 0]\n", LONG), NULL, 0}};
  for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
    const char *sets[] = {want[i].set};
    triad_case *given = NULL;
    TRIAD_CHECK(triad_case_parse(&given, "test", want[i].text, strlen(want[i].text), sets, want[i].set ? 1 : 0));
    TRIAD_EQUAL(triad_bins_axis(given), want[i].axis, "axis");
    triad_case_destroy(&given);
  }
}

/* ---- transfers ---- */

typedef struct spectra {
  int64_t shells, n;
  double *transfer, *flux;
} spectra;

static spectra make_spectra(const triad_flow *flow)
{
  spectra s = {.shells = triad_shell_count(&flow->grid), .n = flow->shape.n_transfers};
  s.transfer = numbers(s.n * s.shells);
  s.flux = numbers(s.n * s.shells);
  return s;
}

static spectra transfers(triad_flow *flow)
{
  spectra s = make_spectra(flow);
  TRIAD_CHECK(triad_transfer_shells(flow, s.transfer, s.flux));
  return s;
}

static void free_spectra(spectra *s)
{
  free(s->transfer);
  free(s->flux);
}

static double sum_of(const spectra *s, int x)
{
  double sum = 0;
  for (int64_t i = 0; i < s->shells; i++) sum += s->transfer[x * s->shells + i];
  return sum;
}

/* Both halves of every field's spectrum, of a flow that this rank holds alone. */
typedef struct cube {
  int64_t k[3];
  double w[3]; /* 2 pi/L */
  struct {
    double re, im;
  } *v[TRIAD_MOST_FIELDS];
  int n;
} cube;

static int64_t cube_at(const cube *c, int64_t x, int64_t y, int64_t z)
{
  if (llabs(x) > c->k[0] || llabs(y) > c->k[1] || llabs(z) > c->k[2]) return -1;
  return ((z + c->k[2]) * (2 * c->k[1] + 1) + y + c->k[1]) * (2 * c->k[0] + 1) + x + c->k[0];
}

static cube cube_make(const triad_flow *alone)
{
  const triad_layout *l = alone->layout;
  cube c = {.n = alone->shape.n_fields};
  int64_t size = 1;
  for (int i = 0; i < 3; i++) {
    c.k[i] = l->grid.kmax[i];
    c.w[i] = triad_grid_wavenumber(&l->grid, i, 1);
    if (l->grid.n[i] == 1) c.w[i] = 0;
    size *= 2 * c.k[i] + 1;
  }
  for (int f = 0; f < c.n; f++) {
    c.v[f] = calloc((size_t)size, sizeof *c.v[f]);
    assert_non_null(c.v[f]);
    for (int64_t i = 0; i < l->n_columns; i++)
      for (int64_t j = 0; j < l->nkz; j++) {
        if (!test_kept(l, i, j)) continue;
        triad_cplx u = alone->u[f][triad_layout_place(l, i, j)];
        int64_t here = cube_at(&c, l->kx[i], l->ky[i], l->kz[j]), there = cube_at(&c, -l->kx[i], -l->ky[i], -l->kz[j]);
        c.v[f][there].re = (double)u.re, c.v[f][there].im = -(double)u.im;
        c.v[f][here].re = (double)u.re, c.v[f][here].im = (double)u.im;
      }
  }
  return c;
}

/* Re conj(f(k)) . (a.grad g)(k) = Re sum over p + q = k of conj(f(k)) i (a(p).q) g(q),
 * over the n components of f and g. */
static double triads(const cube *c, const int64_t k[3], int f, int n, int a, int g)
{
  double sum = 0;
  int64_t at = cube_at(c, k[0], k[1], k[2]);
  for (int64_t z = -c->k[2]; z <= c->k[2]; z++)
    for (int64_t y = -c->k[1]; y <= c->k[1]; y++)
      for (int64_t x = -c->k[0]; x <= c->k[0]; x++) {
        int64_t p = cube_at(c, x, y, z), q = cube_at(c, k[0] - x, k[1] - y, k[2] - z);
        const double w[3] = {c->w[0] * (double)(k[0] - x), c->w[1] * (double)(k[1] - y), c->w[2] * (double)(k[2] - z)};
        double re = 0, im = 0, dre = 0, dim = 0; /* a(p).q, conj(f(k)).g(q) */
        if (q < 0) continue;
        for (int i = 0; i < 3; i++) {
          re += w[i] * c->v[a + i][p].re;
          im += w[i] * c->v[a + i][p].im;
        }
        for (int i = 0; i < n; i++) {
          dre += c->v[f + i][at].re * c->v[g + i][q].re + c->v[f + i][at].im * c->v[g + i][q].im;
          dim += c->v[f + i][at].re * c->v[g + i][q].im - c->v[f + i][at].im * c->v[g + i][q].re;
        }
        sum -= re * dim + im * dre;
      }
  return sum;
}

/* Re conj(f).i (B0.k) g: what a mean field adds. */
static double mean_field(const cube *c, const int64_t k[3], const double b0[3], int f, int g)
{
  int64_t at = cube_at(c, k[0], k[1], k[2]);
  double along = 0, dim = 0;
  for (int i = 0; i < 3; i++) {
    along += b0[i] * c->w[i] * (double)k[i];
    dim += c->v[f + i][at].re * c->v[g + i][at].im - c->v[f + i][at].im * c->v[g + i][at].re;
  }
  return -along * dim;
}

/* Every transfer of one mode but the Hall term's, by triads; returns how many. */
static int direct(const triad_flow *flow, const cube *c, const int64_t k[3], double t[TRIAD_MOST_TRANSFERS])
{
  const char *name = flow->equations->name;
  if (strcmp(name, "hd") == 0) {
    t[0] = -triads(c, k, 0, 3, 0, 0);
    for (int s = 3; s < c->n; s++) t[s - 2] = -triads(c, k, s, 1, 0, s);
    return c->n - 2;
  }
  if (strcmp(name, "boussinesq") == 0) {
    t[1] = -triads(c, k, 0, 3, 0, 0);
    t[2] = -triads(c, k, 3, 1, 0, 3);
    t[0] = t[1] + t[2];
    return 3;
  }
  double b0[3];
  triad_case_reals(flow->given, "equations.mean_field", b0, 3);
  t[3] = -triads(c, k, 0, 3, 0, 0);
  t[4] = triads(c, k, 0, 3, 3, 3) + mean_field(c, k, b0, 0, 3);
  t[2] = triads(c, k, 3, 3, 3, 0) - triads(c, k, 3, 3, 0, 3) + mean_field(c, k, b0, 3, 0);
  t[1] = t[3] + t[4];
  t[0] = t[1] + t[2];
  return 5;
}

TRIAD_TEST(transfers_are_those_of_a_direct_sum_over_triads)
{
  triad_context *one = test_alone();
  for (int t = 0; t < CASES; t++) {
    if (strstr(cases[t], "hall")) continue;
    test_flow f = make(test_together(), cases[t]), alone = make(one, cases[t]);
    spectra got = transfers(f.flow), want = make_spectra(alone.flow);
    cube c = cube_make(alone.flow);
    const triad_layout *l = alone.flow->layout;
    double most = 0;
    for (int64_t i = 0; i < l->n_columns; i++)
      for (int64_t j = 0; j < l->nkz; j++) {
        if (!test_kept(l, i, j)) continue;
        const int64_t k[3] = {l->kx[i], l->ky[i], l->kz[j]};
        const double w[3] = {l->wx[i], l->wy[i], l->wz[j]};
        double mode[TRIAD_MOST_TRANSFERS];
        TRIAD_EQUAL(direct(alone.flow, &c, k, mode), got.n, "transfers");
        for (int64_t x = 0; x < got.n; x++) {
          want.transfer[x * got.shells + triad_shell(&l->grid, w)] += l->weight[i] * mode[x];
          most += l->weight[i] * fabs(mode[x]);
        }
      }
    TRIAD_HOLDS(most > 0.01, "case %d: nothing happens", t);
    /* the tests of the rates allow N an error of 100 eps; so do we its product with u */
    TRIAD_WITHIN(worst_of(got.n * got.shells, got.transfer, want.transfer), 0, 100 * eps * most, "transfers");
    for (int64_t x = 0; x < got.n; x++) {
      double below = 0;
      for (int64_t s = 0; s < got.shells; s++) {
        below += got.transfer[x * got.shells + s];
        TRIAD_WITHIN(got.flux[x * got.shells + s], -below, 100 * DBL_EPSILON * most, "flux");
      }
    }
    for (int i = 0; i < c.n; i++) free(c.v[i]);
    free_spectra(&got);
    free_spectra(&want);
    test_flow_free(&f);
    test_flow_free(&alone);
  }
  triad_context_destroy(&one);
}

TRIAD_TEST(transfers_that_conserve_sum_to_zero)
{
  for (int t = 0; t < CASES; t++) {
    test_flow f = make(test_together(), cases[t]);
    spectra s = transfers(f.flow);
    for (int x = 0; x < s.n; x++) {
      double size = 0;
      for (int64_t i = 0; i < s.shells; i++) size += fabs(s.transfer[x * s.shells + i]);
      if (!f.flow->shape.transfers[x].conserves) continue;
      TRIAD_HOLDS(size > 1e-3, "case %d: %s is nothing", t, f.flow->shape.transfers[x].transfer.name);
      TRIAD_WITHIN(s.flux[(x + 1) * s.shells - 1] / size, 0, 100 * eps, f.flow->shape.transfers[x].transfer.name);
      TRIAD_WITHIN(sum_of(&s, x) / size, 0, 100 * eps, f.flow->shape.transfers[x].transfer.name);
    }
    free_spectra(&s);
    test_flow_free(&f);
  }
}

TRIAD_TEST(the_hall_term_gives_the_field_nothing_in_all)
{
  const char *none[] = {"equations.hall=0", NULL};
  double with, without, change = 0, size = 0;
  test_flow f = make(test_together(), HALL(LONG));
  test_flow g = test_flow_make(test_together(), HALL(LONG), none);
  for (int i = 0; i < 6; i++)
    memcpy(g.flow->u[i], f.flow->u[i], (size_t)f.flow->layout->modes * sizeof(triad_cplx));
  spectra a = transfers(f.flow), b = transfers(g.flow);
  with = sum_of(&a, 2);
  without = sum_of(&b, 2);
  for (int64_t s = 0; s < a.shells; s++) {
    change += fabs(a.transfer[2 * a.shells + s] - b.transfer[2 * a.shells + s]);
    size += fabs(b.transfer[2 * a.shells + s]);
  }
  TRIAD_HOLDS(change > 0.1 * size, "the Hall term does nothing: %g of %g", change, size);
  TRIAD_WITHIN(with, without, 100 * eps * (change + size), "sum of T_b");
  TRIAD_WITHIN(worst_of(a.shells, a.transfer + a.shells, b.transfer + a.shells), 0, 100 * eps * size, "T_u");
  free_spectra(&a);
  free_spectra(&b);
  test_flow_free(&f);
  test_flow_free(&g);
}

TRIAD_TEST(magnetic_production_is_the_sum_of_the_transfer_to_the_field)
{
  static const char *const both[] = {MHD(LONG), HALL(SHORT)};
  for (int t = 0; t < 2; t++) {
    test_flow f = make(test_together(), both[t]);
    spectra s = transfers(f.flow);
    int column = 0;
    double size = 0;
    while (column < f.flow->shape.n_columns && strcmp(f.flow->shape.columns[column].name, "magnetic_production") != 0)
      column++;
    TRIAD_HOLDS(column < f.flow->shape.n_columns, "no such column");
    for (int64_t i = 0; i < s.shells; i++) size += fabs(s.transfer[2 * s.shells + i]);
    TRIAD_HOLDS(fabs(sum_of(&s, 2)) > 1e-3 * size, "no production");
    TRIAD_WITHIN(test_column(f.flow, column), sum_of(&s, 2), 100 * eps * size, "magnetic production");
    free_spectra(&s);
    test_flow_free(&f);
  }
}

/* Products that cancel: what is left is round-off, and must be taken for it. */
TRIAD_TEST(flows_without_transfer_pass_the_check)
{
  const char *abc[] = {"initial.kind=\"abc\"", NULL}, *rest[] = {"initial.kind=\"rest\"", NULL};
  const char *sizes[] = {"1e-12", "1", "1e8"};
  for (int i = 0; i < 3; i++) {
    char amplitude[64];
    (void)snprintf(amplitude, sizeof amplitude, "initial.amplitude=%s", sizes[i]);
    const char *sets[] = {"initial.kind=\"abc\"", amplitude, NULL};
    test_flow f = test_flow_make(test_together(), HD("[16, 16, 16]", "[\"2pi\", \"2pi\", \"2pi\"]", "sphere"), sets);
    spectra s = transfers(f.flow);
    free_spectra(&s);
    test_flow_free(&f);
  }
  /* u = b and b alone; with a Hall term much longer than the box, and a strong mean field */
  for (int alone = 0; alone < 2; alone++) {
    const char *const text = ON("mhd", "mean_field = [0, 0, 1e4]\nhall = 50.0\n", "[16, 16, 16]",
                                  "[\"2pi\", \"2pi\", \"2pi\"]", "sphere");
    test_flow f = test_flow_make(test_together(), text, rest), g = test_flow_make(test_together(), HD("[16, 16, 16]",
                                 "[\"2pi\", \"2pi\", \"2pi\"]", "sphere"), abc);
    for (int i = 0; i < 3; i++) {
      size_t bytes = (size_t)g.flow->layout->modes * sizeof(triad_cplx);
      memcpy(f.flow->u[3 + i], g.flow->u[i], bytes);
      if (!alone) memcpy(f.flow->u[i], g.flow->u[i], bytes);
    }
    spectra s = transfers(f.flow);
    free_spectra(&s);
    test_flow_free(&f);
    test_flow_free(&g);
  }
  test_flow f = test_flow_make(test_together(), BOUSSINESQ(LONG), rest);
  spectra s = transfers(f.flow);
  TRIAD_WITHIN(largest_of(s.n * s.shells, s.transfer), 0, 0, "transfer at rest");
  free_spectra(&s);
  test_flow_free(&f);
}

TRIAD_TEST(a_velocity_with_a_divergence_is_found_out)
{
  test_flow f = test_flow_make(test_together(), HD(LONG), NULL);
  memcpy(f.flow->u[0], f.flow->u[1], (size_t)f.flow->layout->modes * sizeof(triad_cplx));
  spectra s = make_spectra(f.flow);
  TRIAD_FAILS(triad_transfer_shells(f.flow, s.transfer, s.flux), TRIAD_ERR_INTERNAL, "");
  free_spectra(&s);
  test_flow_free(&f);
}

TRIAD_TEST(answers_are_the_same_bits_on_any_ranks_and_threads_and_leave_the_state_alone)
{
  triad_context *one = test_alone();
  for (int t = 0; t < CASES; t++) {
    test_flow f = make(test_together(), cases[t]), alone = make(one, cases[t]);
    spectra a = transfers(f.flow), b = transfers(alone.flow);
    TRIAD_EQUAL(memcmp(a.transfer, b.transfer, (size_t)(a.n * a.shells) * sizeof(double)), 0, "bits of T");
    TRIAD_EQUAL(memcmp(a.flux, b.flux, (size_t)(a.n * a.shells) * sizeof(double)), 0, "bits of Pi");
    for (int axis = 0; axis < 3; axis++) {
      about c = measure(f.flow, axis), d = measure(alone.flow, axis);
      size_t size = sizeof(double) * (size_t)c.n;
      TRIAD_EQUAL(memcmp(c.perp, d.perp, size * (size_t)c.bins.rings), 0, "bits of E_perp");
      TRIAD_EQUAL(memcmp(c.par, d.par, size * (size_t)c.bins.planes), 0, "bits of E_par");
      TRIAD_EQUAL(memcmp(c.both, d.both, size * (size_t)(c.bins.rings * c.bins.planes)), 0, "bits of E_2d");
      free_about(&c);
      free_about(&d);
    }
    test_flow fresh = make(test_together(), cases[t]);
    for (int i = 0; i < f.flow->shape.n_fields; i++)
      TRIAD_EQUAL(memcmp(f.flow->u[i], fresh.flow->u[i], (size_t)f.flow->layout->modes * sizeof(triad_cplx)), 0,
                  "the state");
    free_spectra(&a);
    free_spectra(&b);
    test_flow_free(&f);
    test_flow_free(&fresh);
    test_flow_free(&alone);
  }
  triad_context_destroy(&one);
}

TRIAD_MAIN
