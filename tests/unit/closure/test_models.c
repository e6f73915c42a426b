/* Eddy viscosities of subgrid models at one point: closed values for simple gradients, turned and scaled fields, a
 * gradient of rank one and noise. tests/spectral/test_closure.py compares whole fields with numpy.
 * ranks: 1   threads: 1   precision: both quick: 1 */
#include "solvers/closure/eddy_viscosity_points.h"
#include "test.h"

enum { MODELS = 4, TRIALS = 200 };

static const triad_closure_constants unit = {1, {1, 1, 1}};
static triad_real (*const models[MODELS])(const triad_closure_constants *, const triad_real *) = {
  triad_eddy_smagorinsky, triad_eddy_vreman, triad_eddy_wale, triad_eddy_sigma};
static const double tolerance = 8 * (double)TRIAD_EPSILON;

/* The values over C^2 Delta^2: 2 (S:S)^(1/2) and invariants by hand. */
TRIAD_TEST(simple_gradients_have_their_closed_values)
{
  static const struct {
    double g[9], value[MODELS];
  } rows[] = {
    {{0, 1, 0, 0, 0, 0, 0, 0, 0}, {1, 0, 0, 0}},
    {{0, -1, 0, 1, 0, 0, 0, 0, 0}, {0, 0.70710678118654752, 0.9036020036098448, 0}},
    {{2, 0, 0, 0, -1, 0, 0, 0, -1}, {3.4641016151377546, 1.2247448713915890, 0.15062638499799755, 0}},
    {{-2, 0, 0, 0, 1, 0, 0, 0, 1}, {3.4641016151377546, 1.2247448713915890, 0.15062638499799755, 0}},
    {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {2.4494897427831781, 1, 0, 0}},
    {{0, 0, 0, 0, 0, 0, 0, 0, 0}, {0, 0, 0, 0}},
  };
  for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
    triad_real g[9];
    for (int i = 0; i < 9; i++) g[i] = (triad_real)rows[r].g[i];
    for (int m = 0; m < MODELS; m++) TRIAD_WITHIN(models[m](&unit, g), rows[r].value[m], tolerance, "nu_t");
  }
}

static double any(void)
{
  static uint64_t seed = 12345;
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return 2 * (double)(seed >> 11) / 9007199254740992.0 - 1;
}

/* r g r^T for the rotation r about a random axis by a random angle (Rodrigues). */
static void turn(const triad_real g[9], triad_real out[9])
{
  double a[3] = {any(), any(), any()}, r[9], h[9] = {0};
  const double size = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]), c = cos(3 * any()), s = sqrt(1 - c * c);
  for (int i = 0; i < 3; i++) a[i] /= size;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      const int k = 3 - i - j;
      const double cross = i == j ? 0 : (j == (i + 1) % 3 ? -1 : 1) * a[k] * s;
      r[3 * i + j] = a[i] * a[j] * (1 - c) + (i == j ? c : 0) + cross;
    }
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++) h[3 * i + j] += r[3 * i + k] * (double)g[3 * k + l] * r[3 * j + l];
  for (int i = 0; i < 9; i++) out[i] = (triad_real)h[i];
}

TRIAD_TEST(a_turned_flow_has_the_same_eddy_viscosity)
{
  for (int trial = 0; trial < TRIALS; trial++) {
    triad_real g[9], turned[9];
    for (int i = 0; i < 9; i++) g[i] = (triad_real)any();
    turn(g, turned);
    /* where two singular values are close, sigma has half the digits */
    for (int m = 0; m < MODELS; m++)
      TRIAD_NEAR(models[m](&unit, turned), models[m](&unit, g), m == 3 ? sqrt((double)TRIAD_EPSILON) : 40 * tolerance,
                 "nu_t");
  }
}

/* nu_t is proportional to g, for numbers of any size: powers of it neither overflow nor vanish. */
TRIAD_TEST(a_faster_flow_has_an_eddy_viscosity_that_is_larger_in_proportion)
{
  static const double factors[] = {1.0 / (1 << 26), 1 << 26}; /* powers of 2: exact */
  for (int trial = 0; trial < TRIALS; trial++)
    for (int f = 0; f < 2; f++) {
      triad_real g[9], faster[9];
      for (int i = 0; i < 9; i++) {
        g[i] = (triad_real)any();
        faster[i] = (triad_real)((double)g[i] * factors[f]);
      }
      for (int m = 0; m < MODELS; m++)
        TRIAD_NEAR((double)models[m](&unit, faster) / factors[f], models[m](&unit, g),
                   m == 3 ? sqrt((double)TRIAD_EPSILON) : 40 * tolerance, "nu_t");
    }
}

/* In shear in any direction, with noise of rounding, Vreman, WALE and sigma give rounding errors; their square roots
 * would be 1e-8. WALE's powers make more of it. */
TRIAD_TEST(shear_in_any_direction_is_left_alone)
{
  for (int trial = 0; trial < TRIALS; trial++) {
    const triad_real shear[9] = {0, 1, 0, 0, 0, 0, 0, 0, 0};
    triad_real g[9];
    turn(shear, g);
    for (int i = 0; i < 9; i++) g[i] += (triad_real)(any() * (double)TRIAD_EPSILON);
    for (int m = 1; m < MODELS; m++) TRIAD_WITHIN(models[m](&unit, g), 0, 4 * tolerance, "nu_t");
  }
}

TRIAD_MAIN
