/* What the compressible solver keeps, whom it agrees with, and what it says of states that are no gas.
 * ranks: 1 2 3 4 8   threads: 1 2   timeout: 240 */
#include "compressible.h"
#include "compressible_reference.h"

static const double eps = (double)TRIAD_EPSILON, two_pi = 6.283185307179586476925286766559;

/* A smooth flow of three dimensions, Mach number about 0.5, of periods L; its mirror images with the sign of an
 * axis. */
typedef struct mirrored {
  double length[3], sign[3];
} mirrored;

static void smooth_state(const double x[3], const void *what, double q[5])
{
  const mirrored *m = what;
  double a[3];
  for (int i = 0; i < 3; i++) a[i] = two_pi * m->sign[i] * x[i] / m->length[i];
  q[0] = 1 + 0.2 * sin(a[0] + 0.3) * cos(a[1]) + 0.1 * sin(a[2] - a[0]);
  q[1] = m->sign[0] * (0.5 * cos(a[1] + a[2]) + 0.1);
  q[2] = m->sign[1] * (0.4 * sin(a[0] - 2 * a[2]) - 0.2);
  q[3] = m->sign[2] * (0.3 * cos(a[0] + a[1] + 0.5));
  q[4] = 0.7 + 0.1 * cos(a[0]) * sin(a[1] + a[2]);
}

static mirrored mirrored_of(const triad_compressible_setup *s, const double sign[3])
{
  mirrored m;
  memcpy(m.length, s->length, sizeof m.length);
  memcpy(m.sign, sign, sizeof m.sign);
  return m;
}

static void set_smooth(test_gas *g, const double sign[3])
{
  const mirrored m = mirrored_of(&g->setup, sign);
  test_gas_set(g, smooth_state, &m);
}

static const double upright[3] = {1, 1, 1};

static test_gas smooth(triad_context *context, const triad_compressible_setup *setup, const int wanted[3])
{
  triad_compressible_start start = test_gas_start("uniform");
  test_gas g = test_gas_make(context, setup, &start, wanted);
  set_smooth(&g, upright);
  return g;
}

static triad_compressible_setup viscous_cube(int n)
{
  triad_compressible_setup s = test_gas_setup(n, n, n, 2, 3, 1.5);
  s.viscosity = 0.01;
  return s;
}

static const triad_compressible_form forms[2] = {TRIAD_COMPRESSIBLE_UPWIND, TRIAD_COMPRESSIBLE_CENTRAL};

static triad_context *alone(void)
{
  triad_context *context = NULL;
  TRIAD_CHECK(triad_context_create(&context, MPI_COMM_SELF, 1));
  return context;
}

/* Largest difference of this rank's points from those of a flow that has all of them, less `scale` of each field. */
static double difference(test_gas *part, test_gas *whole)
{
  const triad_partition *b = &part->blocks, *all = &whole->blocks;
  triad_real *const *u = triad_compressible_fields(part->w), *const *v = triad_compressible_fields(whole->w);
  double worst = 0;
  for (int f = 0; f < 5; f++)
    for (int64_t z = 0; z < b->local[2]; z++)
      for (int64_t y = 0; y < b->local[1]; y++)
        for (int64_t x = 0; x < b->local[0]; x++)
          worst =
            fmax(worst, fabs((double)u[f][triad_partition_at(b, x, y, z)] -
                             (double)v[f][triad_partition_at(all, x + b->begin[0], y + b->begin[1], z + b->begin[2])]));
  return worst;
}

/* ---- conservation ---- */

static void check_conservation(triad_compressible_form form)
{
  triad_compressible_setup s = viscous_cube(16);
  s.form = form;
  test_gas g = smooth(test_gas_together(), &s, NULL);
  double before[64], after[64];
  int n;
  const triad_column_info *columns = triad_compressible_columns(&n);
  TRIAD_CHECK(triad_compressible_budget(g.w, before));
  for (int i = 0; i < 200; i++)
    TRIAD_CHECK(triad_compressible_advance(g.w, i + 1, triad_compressible_stable(g.w, 0.8)));
  TRIAD_CHECK(triad_compressible_budget(g.w, after));
  for (int i = 0; i < n; i++)
    if (strcmp(columns[i].name, "energy") == 0 || strcmp(columns[i].name, "mass") == 0 ||
        strncmp(columns[i].name, "momentum", 8) == 0)
      /* 200 steps of three stages round 16^3 values of size 1 (energies: 2) whose errors partly cancel */
      TRIAD_WITHIN(after[i], before[i], 1e-12, columns[i].name);
  test_gas_free(&g);
}

TRIAD_TEST(mass_momentum_and_energy_stay)
{
  for (int k = 0; k < 2; k++) check_conservation(forms[k]);
}

/* ---- rank grids ---- */

static void check_rank_grids(triad_compressible_form form)
{
  int size = triad_test_comm()->size;
  triad_context *one = alone();
  triad_compressible_setup s = viscous_cube(16);
  s.form = form;
  s.n[0] = 18; /* uneven */
  test_gas whole = smooth(one, &s, NULL);
  double dt = triad_compressible_stable(whole.w, 0.5);
  for (int i = 0; i < 3; i++) TRIAD_CHECK(triad_compressible_advance(whole.w, i + 1, dt));
  for (int px = 1; px <= size; px++)
    for (int py = 1; px * py <= size; py++) {
      int pz = size / (px * py);
      if (px * py * pz != size || px > 4 || py > 4 || pz > 4) continue;
      test_gas g = smooth(test_gas_together(), &s, (const int[3]){px, py, pz});
      for (int i = 0; i < 3; i++) TRIAD_CHECK(triad_compressible_advance(g.w, i + 1, dt));
      /* the arithmetic of a point does not depend on the block; a compiler's rest loops may round otherwise */
      TRIAD_WITHIN(difference(&g, &whole), 0, 3e-13, "points of a block");
      test_gas_free(&g);
    }
  test_gas_free(&whole);
  triad_context_destroy(&one);
}

TRIAD_TEST(every_rank_grid_gives_the_same_flow)
{
  for (int k = 0; k < 2; k++) check_rank_grids(forms[k]);
}

static void check_walls(triad_compressible_form form)
{
  triad_context *one = alone();
  triad_compressible_setup s = viscous_cube(16);
  s.form = form;
  test_gas_sides(&s, 0, TRIAD_COMPRESSIBLE_ISOTHERMAL);
  test_gas_sides(&s, 1, TRIAD_COMPRESSIBLE_REFLECTING);
  s.side[0][1].kind = TRIAD_COMPRESSIBLE_ADIABATIC;
  s.side[2][0].kind = TRIAD_COMPRESSIBLE_OUTFLOW;
  s.side[2][1].kind = TRIAD_COMPRESSIBLE_EXTRAPOLATE;
  test_gas whole = smooth(one, &s, NULL), g = smooth(test_gas_together(), &s, NULL);
  for (int i = 0; i < 3; i++) {
    double dt = triad_compressible_stable(whole.w, 0.3);
    TRIAD_NEAR(triad_compressible_stable(g.w, 0.3), dt, 1e-13, "the stable step");
    TRIAD_CHECK(triad_compressible_advance(whole.w, i + 1, dt));
    TRIAD_CHECK(triad_compressible_advance(g.w, i + 1, dt));
  }
  TRIAD_WITHIN(difference(&g, &whole), 0, 3e-13, "points of a block");
  test_gas_free(&g);
  test_gas_free(&whole);
  triad_context_destroy(&one);
}

TRIAD_TEST(walls_do_not_depend_on_the_rank_grid)
{
  for (int k = 0; k < 2; k++) check_walls(forms[k]);
}

/* ---- the independent program ---- */

static double reference_difference(triad_compressible_weights weights, triad_compressible_variables variables)
{
  triad_compressible_setup s = test_gas_setup(12, 12, 12, 2, 2, 2);
  s.viscosity = 0.01;
  s.weights = weights;
  test_gas_published(&s);
  s.variables = variables;
  test_gas g = smooth(test_gas_together(), &s, NULL);
  triad_real *const *u = triad_compressible_fields(g.w);
  ref_flow *f = calloc(1, sizeof *f);
  *f = (ref_flow){.n = 12,
                  .h = 2.0 / 12,
                  .gamma = 1.4,
                  .prandtl = 0.72,
                  .viscosity = 0.01,
                  .power = 0.76,
                  .delta = 1e-6,
                  .weights = weights,
                  .variables = variables};
  const mirrored m = mirrored_of(&s, upright);
  REF_EACH(f, at)
  {
    double q[5], x[3];
    for (int i = 0; i < 3; i++) x[i] = triad_compressible_position(&s, i, at[i]);
    smooth_state(x, &m, q);
    double *state[5];
    for (int k = 0; k < 5; k++) state[k] = ref_at(f, f->u, k, at);
    *state[0] = q[0];
    for (int k = 1; k < 4; k++) *state[k] = q[0] * q[k];
    *state[4] = q[4] / 0.4 + q[0] * (q[1] * q[1] + q[2] * q[2] + q[3] * q[3]) / 2;
  }
  ref_rates(f);
  triad_real *room = calloc((size_t)(5 * g.blocks.volume), sizeof *room), *rate[5];
  for (int k = 0; k < 5; k++) rate[k] = room + k * g.blocks.volume;
  TRIAD_CHECK(triad_compressible_rhs(g.w, rate));
  (void)u;
  double worst = 0;
  const triad_partition *b = &g.blocks;
  for (int k = 0; k < 5; k++)
    for (int64_t z = 0; z < b->local[2]; z++)
      for (int64_t y = 0; y < b->local[1]; y++)
        for (int64_t x = 0; x < b->local[0]; x++) {
          const int at[3] = {(int)(x + b->begin[0]), (int)(y + b->begin[1]), (int)(z + b->begin[2])};
          worst = fmax(worst, fabs((double)rate[k][triad_partition_at(b, x, y, z)] - *ref_at(f, f->rate, k, at)));
        }
  free(room);
  free(f);
  test_gas_free(&g);
  return worst;
}

TRIAD_TEST(rates_are_those_of_an_independent_program)
{
  static const char *const name[] = {"js", "m", "z", "linear"};
  for (int k = 0; k < 4; k++) {
    /* rates of size 10 differ by rounding, which differences over h = 1/6 and weights of eps 1e-6 enlarge a
     * hundredfold */
    TRIAD_WITHIN(reference_difference((triad_compressible_weights)k, TRIAD_COMPRESSIBLE_COMPONENTS), 0, 1e-11, name[k]);
    TRIAD_WITHIN(reference_difference((triad_compressible_weights)k, TRIAD_COMPRESSIBLE_CHARACTERISTIC), 0, 1e-11,
                 name[k]);
  }
}

/* ---- free streams ---- */

static void check_free_stream(const triad_compressible_setup *s, const double state[5], const char *what)
{
  triad_compressible_start start = test_gas_start("uniform");
  memcpy(start.state, state, sizeof start.state);
  test_gas g = test_gas_make(test_gas_together(), s, &start, NULL);
  double worst = 0, kinetic = state[0] * (state[1] * state[1] + state[2] * state[2] + state[3] * state[3]) / 2;
  const double exact[5] = {state[0], state[0] * state[1], state[0] * state[2], state[0] * state[3],
                           state[4] / 0.4 + kinetic};
  for (int i = 0; i < 10; i++) TRIAD_CHECK(triad_compressible_advance(g.w, i + 1, triad_compressible_stable(g.w, 0.5)));
  const triad_partition *b = &g.blocks;
  triad_real *const *u = triad_compressible_fields(g.w);
  for (int f = 0; f < 5; f++)
    for (int64_t z = 0; z < b->local[2]; z++)
      for (int64_t y = 0; y < b->local[1]; y++)
        for (int64_t x = 0; x < b->local[0]; x++)
          worst = fmax(worst, fabs((double)u[f][triad_partition_at(b, x, y, z)] - exact[f]));
  TRIAD_WITHIN(worst, 0, 200 * eps, what); /* 10 steps of 3 stages of 3 axes, values of size 5 */
  test_gas_free(&g);
}

TRIAD_TEST(free_streams_stay_on_every_boundary)
{
  static const triad_compressible_side_kind open[] = {TRIAD_COMPRESSIBLE_PERIODIC, TRIAD_COMPRESSIBLE_EXTRAPOLATE,
                                                      TRIAD_COMPRESSIBLE_OUTFLOW, TRIAD_COMPRESSIBLE_INFLOW},
                                            closed[] = {TRIAD_COMPRESSIBLE_REFLECTING, TRIAD_COMPRESSIBLE_ADIABATIC,
                                                        TRIAD_COMPRESSIBLE_ISOTHERMAL};
  const double moving[5] = {1.1, 0.7, -0.4, 0.2, 0.9}, still[5] = {1.1, 0, 0, 0, 0.9};
  for (int weights = -1; weights < 5; weights++) /* -1: central */
    for (int variables = 0; variables < 2; variables++)
      for (size_t k = 0; k < 7; k++) {
        int is_open = k < 4;
        triad_compressible_setup s = viscous_cube(16);
        if (weights < 0) s.form = TRIAD_COMPRESSIBLE_CENTRAL;
        else s.weights = (triad_compressible_weights)weights;
        s.variables = (triad_compressible_variables)variables;
        for (int i = 0; i < 3; i++) {
          test_gas_sides(&s, i, is_open ? open[k] : closed[k - 4]);
          for (int upper = 0; upper < 2; upper++) {
            memcpy(s.side[i][upper].state, moving, sizeof moving);
            s.side[i][upper].temperature = 1.4 * still[4] / still[0];
          }
        }
        if (weights > 0 && k > 0) continue; /* boundaries know nothing of weights */
        char name[32];
        (void)snprintf(name, sizeof name, "kind %d of boundaries", (int)s.side[0][0].kind);
        check_free_stream(&s, is_open ? moving : still, name);
      }
}

/* ---- symmetry ---- */

TRIAD_TEST(mirrored_flows_stay_mirrored)
{
  triad_context *one = alone();
  for (int axis = 0; axis < 3; axis++)
    for (int scheme = 0; scheme < 3; scheme++) {
      triad_compressible_setup s = viscous_cube(12);
      double sign[3] = {1, 1, 1};
      sign[axis] = -1;
      if (scheme == 2) s.form = TRIAD_COMPRESSIBLE_CENTRAL;
      else s.variables = (triad_compressible_variables)scheme;
      for (int i = 0; i < 3; i++)
        test_gas_sides(&s, i, i == axis ? TRIAD_COMPRESSIBLE_PERIODIC : TRIAD_COMPRESSIBLE_REFLECTING);
      test_gas a = smooth(one, &s, NULL), m = smooth(one, &s, NULL);
      set_smooth(&m, sign);
      double worst = 0, dt = triad_compressible_stable(a.w, 0.4);
      for (int i = 0; i < 5; i++) {
        TRIAD_CHECK(triad_compressible_advance(a.w, i + 1, dt));
        TRIAD_CHECK(triad_compressible_advance(m.w, i + 1, dt));
      }
      for (int f = 0; f < 5; f++)
        for (int64_t z = 0; z < 12; z++)
          for (int64_t y = 0; y < 12; y++)
            for (int64_t x = 0; x < 12; x++) {
              int64_t at[3] = {x, y, z};
              at[axis] = (12 - at[axis]) % 12;
              double u = (double)triad_compressible_fields(a.w)[f][triad_partition_at(&a.blocks, x, y, z)];
              double v = (double)triad_compressible_fields(m.w)[f][triad_partition_at(&m.blocks, at[0], at[1], at[2])];
              worst = fmax(worst, fabs(u - (f == 1 + axis ? -v : v)));
            }
      TRIAD_WITHIN(worst, 0, 2e-13, "a flow and its mirror image");
      test_gas_free(&a);
      test_gas_free(&m);
    }
  triad_context_destroy(&one);
}

/* ---- bad states ---- */

static void check_bad(double density, double pressure, const char *part)
{
  triad_compressible_setup s = viscous_cube(16);
  test_gas g = smooth(test_gas_together(), &s, NULL);
  const int64_t at[3] = {3, 14, 2};
  int64_t own[3];
  int mine = 1;
  for (int i = 0; i < 3; i++) {
    own[i] = at[i] - g.blocks.begin[i];
    mine = mine && own[i] >= 0 && own[i] < g.blocks.local[i];
  }
  if (mine) {
    int64_t i = triad_partition_at(&g.blocks, own[0], own[1], own[2]);
    triad_real *const *u = triad_compressible_fields(g.w);
    u[0][i] = (triad_real)density;
    for (int k = 1; k < 4; k++) u[k][i] = 0;
    u[4][i] = (triad_real)(pressure / 0.4);
  }
  TRIAD_EQUAL(triad_compressible_begin(g.w, 7), TRIAD_ERR_CASE, "what begin returns, on every rank");
  if (mine) TRIAD_HOLDS(strstr(triad_message(), part), "\"%s\" in \"%s\"", part, triad_message());
  if (mine)
    TRIAD_HOLDS(strstr(triad_message(), "step 7: invalid state at point (3, 14, 2)"), "\"%s\"", triad_message());
  triad_message_clear();
  test_gas_free(&g);
}

TRIAD_TEST(states_that_are_no_gas_are_found)
{
  check_bad(-0.5, 1, "density -0.5");
  check_bad(1, -0.25, "pressure -0.25");
  check_bad(NAN, 1, "density ");
  check_bad(1, NAN, "pressure ");
  check_bad(1, INFINITY, "pressure inf");
  check_bad(0, 1, "density 0");
}

TRIAD_TEST(flows_that_blow_up_end_on_every_rank)
{
  triad_compressible_setup s = viscous_cube(16);
  test_gas g = smooth(test_gas_together(), &s, NULL);
  double dt = 20 * triad_compressible_stable(g.w, 1);
  int st = TRIAD_OK, steps = 0;
  while (st == TRIAD_OK && steps < 50) st = triad_compressible_advance(g.w, ++steps, dt);
  TRIAD_EQUAL(st, TRIAD_ERR_BLOWUP, "steps far beyond stability");
  triad_message_clear();
  test_gas_free(&g);
}

TRIAD_MAIN
