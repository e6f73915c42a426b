/* Spectra about an axis against plain sums over modes.
 * ranks: 1 2 3   threads: 1 2   precision: both */
#include "spectra.h"
#include "families.h"

#include "solvers/spectral/plain/spectra.h"
#include "solvers/spectral/plain/spectra_about.h"
#include "grid/shells.h"

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
  double longest = 0, density[TRIAD_MAX_SPECTRA];
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

/* Modes at half the points are kept without truncation, by their size. */
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
