/* Transfers and fluxes against convolutions of modes, and what they sum to.
 * ranks: 1 2 3   threads: 1 2   precision: both */
#include "spectra.h"
#include "families.h"

#include "solvers/spectral/measure/transfer.h"
#include "grid/shells.h"

static const double eps = (double)TRIAD_EPSILON;

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
  } * v[TRIAD_MAX_FIELDS];
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
    c.w[i] = triad_grid_size_wavenumber(&l->grid, i, 1);
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
static int direct(const triad_flow *flow, const cube *c, const int64_t k[3], double t[TRIAD_MAX_TRANSFERS])
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
        double w[3];
        triad_layout_size(l, i, j, w);
        double mode[TRIAD_MAX_TRANSFERS];
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
  for (int i = 0; i < 6; i++) memcpy(g.flow->u[i], f.flow->u[i], (size_t)f.flow->layout->modes * sizeof(triad_cplx));
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
    const char *const text =
      ON("mhd", "mean_field = [0, 0, 1e4]\nhall = 50.0\n", "[16, 16, 16]", "[\"2pi\", \"2pi\", \"2pi\"]", "sphere");
    test_flow f = test_flow_make(test_together(), text, rest),
              g = test_flow_make(test_together(), HD("[16, 16, 16]", "[\"2pi\", \"2pi\", \"2pi\"]", "sphere"), abc);
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

TRIAD_MAIN
