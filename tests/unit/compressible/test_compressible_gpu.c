/* The compressible solver's kernels and what drives them, on the host (tests/help/fake): the same flow as on the
 * CPU, by all fluxes, between walls, on one, two and three axes, on any ranks. What is concurrent on a GPU is for
 * tests/gpu/check. ranks: 1 2 3   waves: 64   timeout: 300 */
#include "compressible.h"

enum { STEPS = 3 };

static triad_device *device;

/* The same flow twice, from the same start. */
typedef struct pair {
  test_gas cpu, gpu;
} pair;

static pair make(const triad_compressible_setup *setup, const triad_compressible_start *start)
{
  pair p = {.cpu = test_gas_make(test_gas_together(), setup, start, NULL), .gpu = {.setup = *setup, .start = *start}};
  if (!device) TRIAD_CHECK(triad_device_create(&device, 0));
  p.gpu.blocks = p.cpu.blocks;
  TRIAD_CHECK(triad_compressible_create(&p.gpu.w, test_gas_together(), &p.gpu.blocks, setup, device, "auto"));
  TRIAD_CHECK(triad_compressible_start_set(p.gpu.w, start, NULL, 0));
  TRIAD_CHECK(triad_compressible_begin(p.gpu.w, 0));
  return p;
}

static void drop(pair *p)
{
  test_gas_free(&p->cpu);
  test_gas_free(&p->gpu);
}

static double apart(test_gas *a, test_gas *b) { return test_gas_apart(a->w, b->w, &a->blocks); }

/* A few points of a flow on a GPU: the numbers of whole fields, to the bit. */
static void same_points(test_gas *g)
{
  enum { POINTS = 5 };
  const int64_t n = triad_partition_points(&g->blocks), at[POINTS] = {0, n / 3, n / 2, n - 1, n / 3};
  triad_real of_points[TRIAD_COMPRESSIBLE_FIELDS * POINTS], *field = malloc((size_t)(n + 1) * sizeof *field);
  TRIAD_CHECK(triad_compressible_at(g->w, POINTS, at, of_points));
  for (int f = 0; f < TRIAD_COMPRESSIBLE_FIELDS; f++) {
    TRIAD_CHECK(triad_compressible_get(g->w, f, field));
    for (int i = 0; i < POINTS; i++)
      TRIAD_HOLDS(memcmp(&of_points[f * POINTS + i], &field[at[i]], sizeof *field) == 0,
                  "field %d at point %d: %.17g, of the whole %.17g", f, i, (double)of_points[f * POINTS + i],
                  (double)field[at[i]]);
  }
  free(field);
}

/* Steps on both: rounding, three stages and axes of a few hundred operations each, and what steep flows make of it. */
static void agree(const triad_compressible_setup *setup, const triad_compressible_start *start)
{
  double column_a[64], column_b[64];
  int n;
  const triad_column_info *columns = triad_compressible_columns(&n);
  pair p = make(setup, start);
  for (int64_t i = 1; i <= STEPS; i++) {
    double dt = triad_compressible_stable(p.cpu.w, 0.5);
    TRIAD_NEAR(triad_compressible_stable(p.gpu.w, 0.5), dt, 1e-11, "the stable step");
    TRIAD_CHECK(triad_compressible_advance(p.cpu.w, i, dt));
    TRIAD_CHECK(triad_compressible_advance(p.gpu.w, i, dt));
  }
  TRIAD_WITHIN(apart(&p.cpu, &p.gpu), 0, 2e-12, "the state");
  TRIAD_CHECK(triad_compressible_budget(p.cpu.w, column_a));
  TRIAD_CHECK(triad_compressible_budget(p.gpu.w, column_b));
  for (int i = 0; i < n; i++) /* columns are sums of terms as large as the energy, or nothing */
    if (!test_may_be_empty(columns[i].name) || !isnan(column_a[i]) || !isnan(column_b[i]))
      TRIAD_WITHIN(column_b[i], column_a[i], 1e-10 * (fabs(column_a[i]) + fabs(column_a[0])), columns[i].name);
  same_points(&p.gpu);
  drop(&p);
}

static triad_compressible_setup viscous(int64_t nx, int64_t ny, int64_t nz, triad_compressible_form form)
{
  triad_compressible_setup s = test_gas_setup(nx, ny, nz, 1, 1, 1);
  s.viscosity = 1e-3;
  s.form = form;
  return s;
}

/* Shocks that run outwards, which have not come everywhere. */
static triad_compressible_start blast(double ratio)
{
  triad_compressible_start s = test_gas_start("blast");
  s.pressure_ratio = ratio;
  s.radius = 0.22;
  return s;
}

static void by_form(triad_compressible_form form)
{
  triad_compressible_start start = blast(form == TRIAD_COMPRESSIBLE_CENTRAL ? 1.2 : 5);
  triad_compressible_setup s = viscous(15, 13, 14, form);
  agree(&s, &start);
  s.viscosity = 0;
  s.scheme = triad_scheme_find("rk4", TRIAD_SCHEME_START);
  agree(&s, &start);
}

TRIAD_TEST(upwind_fluxes) { by_form(TRIAD_COMPRESSIBLE_UPWIND); }

TRIAD_TEST(central_fluxes) { by_form(TRIAD_COMPRESSIBLE_CENTRAL); }

TRIAD_TEST(hybrid_fluxes) { by_form(TRIAD_COMPRESSIBLE_HYBRID); }

/* Fluxes of the gas's list are chosen at run time on a GPU. */
TRIAD_TEST(fluxes_of_the_list)
{
  static const triad_gas_riemann listed[] = {TRIAD_GAS_HLLC, TRIAD_GAS_ROE_SONIC, TRIAD_GAS_AUSM, TRIAD_GAS_VAN_LEER};
  const triad_compressible_start start = blast(4);
  for (int i = 0; i < 4; i++) {
    triad_compressible_setup s = viscous(14, 12, 11, TRIAD_COMPRESSIBLE_UPWIND);
    s.variables = i % 2 ? TRIAD_COMPRESSIBLE_COMPONENTS : TRIAD_COMPRESSIBLE_CHARACTERISTIC;
    s.riemann = TRIAD_COMPRESSIBLE_LISTED;
    s.listed = listed[i];
    agree(&s, &start);
  }
}

/* The published scheme has kernels of its own. */
TRIAD_TEST(published_fluxes_between_walls_and_in_periodic_boxes)
{
  const triad_compressible_start start = blast(2);
  triad_compressible_setup s = viscous(15, 13, 14, TRIAD_COMPRESSIBLE_UPWIND);
  test_gas_published(&s);
  s.weights = TRIAD_WENO_JS;
  agree(&s, &start);
  test_gas_sides(&s, 0, TRIAD_COMPRESSIBLE_REFLECTING);
  test_gas_sides(&s, 1, TRIAD_COMPRESSIBLE_ADIABATIC);
  test_gas_sides(&s, 2, TRIAD_COMPRESSIBLE_ISOTHERMAL);
  agree(&s, &start);
}

TRIAD_TEST(hybrid_fluxes_of_waves_by_all_weights)
{
  static const triad_compressible_weights weights[] = {TRIAD_WENO_JS, TRIAD_WENO_M, TRIAD_WENO_Z, TRIAD_WENO_TENO,
                                                       TRIAD_COMPRESSIBLE_LINEAR};
  const triad_compressible_start start = blast(4);
  for (int i = 0; i < 5; i++) {
    triad_compressible_setup s = viscous(14, 12, 11, TRIAD_COMPRESSIBLE_HYBRID);
    s.weights = weights[i];
    s.variables = i % 2 ? TRIAD_COMPRESSIBLE_COMPONENTS : TRIAD_COMPRESSIBLE_CHARACTERISTIC;
    s.riemann = i % 3 == 0 ? TRIAD_COMPRESSIBLE_LLF : i % 3 == 1 ? TRIAD_COMPRESSIBLE_RUSANOV : TRIAD_COMPRESSIBLE_ROE;
    agree(&s, &start);
  }
}

TRIAD_TEST(hybrid_fluxes_between_walls_kept_positive)
{
  const triad_compressible_start start = blast(8);
  triad_compressible_setup s = viscous(14, 13, 12, TRIAD_COMPRESSIBLE_HYBRID);
  s.positivity = 1;
  test_gas_sides(&s, 0, TRIAD_COMPRESSIBLE_REFLECTING);
  test_gas_sides(&s, 1, TRIAD_COMPRESSIBLE_ADIABATIC);
  test_gas_sides(&s, 2, TRIAD_COMPRESSIBLE_EXTRAPOLATE);
  agree(&s, &start);
}

/* Several blocks of threads along x, segments along y; a tube and a plane. */
TRIAD_TEST(hybrid_fluxes_of_long_axes)
{
  triad_compressible_start start = blast(6);
  triad_compressible_setup tube = test_gas_setup(420, 1, 1, 1, 1, 1),
                           plane = viscous(230, 24, 1, TRIAD_COMPRESSIBLE_HYBRID);
  tube.form = TRIAD_COMPRESSIBLE_HYBRID;
  agree(&tube, &start);
  plane.viscosity = 1e-4;
  agree(&plane, &start);
}

/* Both kinds of fluxes have a part in what was compared. */
TRIAD_TEST(hybrid_fluxes_are_neither_of_both)
{
  const triad_compressible_start start = blast(5);
  triad_compressible_setup s = viscous(15, 13, 14, TRIAD_COMPRESSIBLE_HYBRID), other = s;
  pair hybrid = make(&s, &start);
  TRIAD_CHECK(triad_compressible_advance(hybrid.gpu.w, 1, 1e-3));
  for (int form = 0; form < 2; form++) {
    other.form = form ? TRIAD_COMPRESSIBLE_CENTRAL : TRIAD_COMPRESSIBLE_UPWIND;
    pair p = make(&other, &start);
    TRIAD_CHECK(triad_compressible_advance(p.gpu.w, 1, 1e-3));
    double difference = apart(&p.gpu, &hybrid.gpu);
    TRIAD_HOLDS(difference > 1e-6, "form %d: %g", form, difference);
    drop(&p);
  }
  drop(&hybrid);
}

TRIAD_MAIN
