/* Particles of a gas on a GPU that is the host (tests/help/fake), against those of the same flow on the CPU, number
 * by number. ranks: 1 2 3   waves: 64   timeout: 300 */
#include "test.h"
#include "solvers/particles/exchange.h"
#include "families.h"

#include "solvers/compressible/state/flow.h"
#include "solvers/compressible/particles/internal.h"
#include "solvers/compressible/particles/motion.h"
#include "solvers/compressible/particles/files.h"

/* Blocks of three ranks have no equal sides. */
#define OF(n, time) \
  "[equations]\nsolver = \"compressible\"\nviscosity = 0.002\n[grid]\nn = " n \
  "\nlength = [1.0, 0.9, 1.1]\n[time]\nend = 1\n" time \
  "[parallel]\nreproducible = true\n[initial]\nkind = \"formula\"\np = \"1+0.1*cos(2*pi*x)\"\nrho = " \
  "\"1+0.2*sin(2*pi*z/1.1)\"\n"
#define COMMON OF("[15, 13, 14]", "")
#define SWIRL "u = \"0.6*sin(2*pi*z/1.1)\"\nv = \"0.5*cos(2*pi*x)\"\nw = \"0.6*sin(2*pi*y/0.9)\"\n"
static const char periodic[] = COMMON SWIRL;
static const char walls[] =
  COMMON SWIRL "[boundaries]\nx = [\"reflecting\", \"adiabatic\"]\nz = [\"isothermal\", \"reflecting\"]\n";
static const char open[] =
  COMMON "u = \"1.6\"\nv = \"0.1*sin(2*pi*y/0.9)\"\nw = \"0\"\n[boundaries]\nx = [\"inflow\", \"outflow\"]\n"
         "inflow = [1, 1.6, 0, 0, 1]\nz = [\"extrapolate\", \"extrapolate\"]\n";
static const char plane[] =
  OF("[15, 13, 1]", "scheme = \"rk4\"\n") "u = \"0.4*sin(2*pi*y/0.9)\"\nv = \"0.5*cos(2*pi*x)\"\nw = \"0\"\n";

#define GROUP(name, count, more) "{name=\"" name "\", count=" #count ", interpolation=" more "}"
#define HEAVY ", kind=\"inertial\", stokes_time=0.05, gravity=[3, 0, -20]"
#define LIGHT ", kind=\"inertial\", stokes_time=0.2, density_ratio=0.4"

enum { NUMBERS = 10, FIELDS = 9 };
static const double dt = 0.01;

/* Three stages a step round the state, places and velocities by some 5 eps each, 20 steps by 7e-14; gradients at
 * spheres with added mass by 2 n = 30 times that over the time of the tests, 0.2: 4e-13. */
static const double limit = 1e-12;

static int steps(void) { return triad_test_comm()->size > 1 ? 5 : 20; }

typedef struct test_flow {
  triad_case *given;
  triad_gas_flow *flow;
} test_flow;

static triad_context *together(void) { return triad_test_now.context; }

static test_flow make(triad_context *context, const char *text, const char *particles, const char *device)
{
  const char *const sets[] = {particles, device, "parallel.transport=\"auto\""};
  test_flow f = {NULL, NULL};
  if (triad_case_parse(&f.given, "test", text, strlen(text), sets, 3) != TRIAD_OK)
    fail_msg("the test's case: %s", f.given ? triad_case_errors(f.given) : triad_message());
  TRIAD_CHECK(triad_gas_create(&f.flow, context, f.given, NULL));
  TRIAD_CHECK(triad_gas_initial(f.flow, NULL));
  TRIAD_CHECK(triad_solver_compressible.settle(f.flow, NULL, NULL));
  return f;
}

static void drop(test_flow *f)
{
  triad_gas_destroy(&f->flow);
  triad_case_destroy(&f->given);
}

static int step(test_flow *f, double by)
{
  triad_step step = {.dt = by, .land_on = INFINITY};
  return triad_gas_advance(f->flow, &step);
}

static void advance(test_flow *f, int n)
{
  for (int i = 0; i < n; i++) TRIAD_CHECK(step(f, dt));
}

/* Place, velocity and the gas's velocity of group k, by number: values[*count][FIELDS]. */
static double *rows_of(triad_gas_flow *flow, int k, int64_t *count)
{
  triad_gas_particles *p = flow->particles;
  triad_gas_group *g = &p->group[k];
  TRIAD_CHECK(triad_compressible_bring_velocity(flow->weno));
  TRIAD_CHECK(triad_gas_group_get(p, g));
  double *u = calloc((size_t)(3 * g->n + 1), sizeof *u), *rows = calloc((size_t)(NUMBERS * g->n + 1), sizeof *rows),
         *out = NULL;
  assert_non_null(u);
  assert_non_null(rows);
  TRIAD_CHECK(triad_gas_group_velocities(p, g, u));
  for (int64_t i = 0; i < g->n; i++) {
    const double *r = g->record + i * TRIAD_GAS_WIDTH;
    double *to = rows + i * NUMBERS;
    to[0] = r[TRIAD_GAS_ID];
    for (int a = 0; a < 6; a++) to[1 + a] = r[TRIAD_GAS_X + a];
    for (int a = 0; a < 3; a++) to[7 + a] = u[3 * i + a];
  }
  int64_t first;
  TRIAD_CHECK(triad_particles_by_number(&p->context->comm, g->about.count, FIELDS, g->n, rows, &out, &first, count));
  free(u);
  free(rows);
  return out;
}

static double largest(double mine)
{
  double all = NAN;
  if (isnan(mine)) mine = INFINITY; /* MPI_MAX need not pass a NaN on */
  TRIAD_CHECK(TRIAD_MPI(MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, triad_test_comm()->mpi)));
  return all;
}

/* The largest difference of a number of any particle, over 1 or the largest of its kind. */
static void compare(test_flow *cpu, test_flow *gpu, const char *what)
{
  for (int k = 0; k < cpu->flow->particles->n; k++) {
    int64_t n, there;
    double *a = rows_of(cpu->flow, k, &n), *b = rows_of(gpu->flow, k, &there);
    TRIAD_EQUAL(there, n, "particles of this rank's numbers");
    for (int f = 0; f < FIELDS; f++) {
      double most = 1, off = 0;
      for (int64_t i = 0; i < n; i++) {
        const double d = fabs(a[i * FIELDS + f] - b[i * FIELDS + f]);
        most = fmax(most, fabs(a[i * FIELDS + f]));
        off = d <= off ? off : d;
      }
      off = largest(off);
      most = largest(most);
      TRIAD_HOLDS(off <= limit * most, "%s, group %d, number %d of a particle: off by %.3g of %.3g", what, k, f, off,
                  most);
    }
    free(a);
    free(b);
  }
}

static void same_bits(const double *a, const double *b, int64_t n, int k)
{
  TRIAD_HOLDS(memcmp(a, b, (size_t)(n * FIELDS) * sizeof *a) == 0, "group %d has other bits", k);
}

static void check(const char *text, const char *particles)
{
  test_flow cpu = make(together(), text, particles, "parallel.device=\"cpu\""),
            gpu = make(together(), text, particles, "parallel.device=\"gpu\"");
  TRIAD_HOLDS(gpu.flow->particles->gpu && !cpu.flow->particles->gpu, "particles are where the flow's steps are");
  compare(&cpu, &gpu, "at the start");
  for (int half = 0; half < 2; half++) {
    double a, b;
    advance(&cpu, steps() / 2);
    advance(&gpu, steps() / 2);
    compare(&cpu, &gpu, particles);
    TRIAD_CHECK(triad_gas_particles_longest(cpu.flow->particles, 0.5, &a));
    TRIAD_CHECK(triad_gas_particles_longest(gpu.flow->particles, 0.5, &b));
    TRIAD_NEAR(b, a, 10 * limit, "the longest step");
  }
  drop(&cpu);
  drop(&gpu);
}

TRIAD_TEST(tracers_by_each_polynomial)
{
  check(periodic, "particles=[" GROUP("a", 200, "\"linear\"") ", " GROUP("b", 200, "\"lagrange4\"") ", " GROUP(
                    "c", 200, "\"lagrange6\"") "]");
}

TRIAD_TEST(spheres)
{
  check(periodic, "particles=[" GROUP("a", 150, "\"lagrange4\"" HEAVY) ", " GROUP("b", 150, "\"lagrange6\"" HEAVY) "]");
}

TRIAD_TEST(added_mass)
{
  check(periodic, "particles=[" GROUP("a", 60, "\"linear\"" LIGHT) ", " GROUP(
                    "b", 60, "\"lagrange4\"" LIGHT) ", " GROUP("c", 60, "\"lagrange6\"" LIGHT) "]");
  check(walls, "particles=[" GROUP("a", 100, "\"lagrange4\"" LIGHT) ", " GROUP("b", 60, "\"lagrange6\"") "]");
}

/* How many of group k a boundary has taken, on the rank that has most. */
static int64_t taken(test_flow *f, int k)
{
  triad_gas_group *g = &f->flow->particles->group[k];
  int64_t n = 0;
  TRIAD_CHECK(triad_gas_group_get(f->flow->particles, g));
  for (int64_t i = 0; i < g->n; i++) n += g->record[i * TRIAD_GAS_WIDTH + TRIAD_GAS_TAKEN] > 0;
  return (int64_t)largest((double)n);
}

TRIAD_TEST(walls_reflect_absorb_or_let_in_again)
{
  static const char all[] = "particles=[" GROUP("a", 150, "\"lagrange4\"" HEAVY) ", " GROUP(
    "b", 150, "\"lagrange6\", boundary=\"absorb\"" HEAVY) ", " GROUP("c", 150,
                                                                     "\"linear\", boundary=\"reenter\"" HEAVY) "]";
  check(walls, all);
  test_flow f = make(together(), walls, all, "parallel.device=\"gpu\"");
  advance(&f, steps());
  TRIAD_EQUAL(taken(&f, 0) + taken(&f, 2), 0, "taken by walls that do not absorb");
  TRIAD_HOLDS(taken(&f, 1) > 0, "a wall that absorbs has taken none");
  drop(&f);
}

TRIAD_TEST(what_flows_in_and_out)
{
  check(open, "particles=[" GROUP("a", 150, "\"lagrange4\"") ", " GROUP(
                "b", 150, "\"lagrange6\", boundary=\"reenter\"") ", " GROUP("c", 60, "\"lagrange4\"" LIGHT) "]");
}

TRIAD_TEST(a_plane_and_a_scheme_of_four_vectors)
{
  check(plane, "particles=[" GROUP("a", 150, "\"lagrange6\"") ", " GROUP("b", 80, "\"lagrange4\"" LIGHT) "]");
}

/* Particles of which there are many stand elsewhere than few: those of one place go one way. */
TRIAD_TEST(few_have_the_bits_of_many)
{
#define BOTH(word) GROUP("many" word, 700, "\"" word "\"") ", " GROUP("few" word, 10, "\"" word "\"")
  test_flow f =
    make(together(), periodic, "particles=[" BOTH("linear") ", " BOTH("lagrange4") ", " BOTH("lagrange6") "]",
         "parallel.device=\"gpu\"");
  advance(&f, 4);
  for (int k = 0; k < 6; k += 2) {
    triad_gas_particles *p = f.flow->particles;
    int64_t many, few;
    double *all = rows_of(f.flow, k, &many), *some = rows_of(f.flow, k + 1, &few);
    if (triad_test_comm()->size == 1) same_bits(all, some, few, k + 1);
    TRIAD_EQUAL(p->group[k + 1].about.count, 10, "particles");
    free(all);
    free(some);
  }
  drop(&f);
}

/* Places some steps later, of the same flow on this rank alone, whose flow has the same bits. */
TRIAD_TEST(ranks_change_no_bit)
{
  static const char all[] = "particles=[" GROUP("a", 200, "\"lagrange6\"") ", " GROUP(
    "b", 100, "\"lagrange4\"" HEAVY) ", " GROUP("c", 60, "\"lagrange4\"" LIGHT) "]";
  for (int bounded = 0; bounded < 2; bounded++) {
    const char *text = bounded ? walls : periodic;
    triad_context *context = NULL;
    TRIAD_CHECK(triad_context_create(&context, MPI_COMM_SELF, 1));
    test_flow f = make(together(), text, all, "parallel.device=\"gpu\""),
              alone = make(context, text, all, "parallel.device=\"gpu\"");
    advance(&f, 8);
    advance(&alone, 8);
    for (int k = 0; k < 3; k++) {
      int64_t n, every;
      double *a = rows_of(f.flow, k, &n), *b = rows_of(alone.flow, k, &every);
      same_bits(a, b + triad_deal(every, triad_test_comm()->rank, triad_test_comm()->size) * FIELDS, n, k);
      free(a);
      free(b);
    }
    drop(&f);
    drop(&alone);
    triad_context_destroy(&context);
  }
}

static int from_table(void *self, const triad_group *about, int64_t begin, int64_t end, double *rows)
{
  const triad_table *table = self;
  for (int64_t k = begin; k < end; k++, rows += about->width)
    memcpy(rows + 1, (const double *)table->values + (k - table->first) * table->width,
           (size_t)table->width * sizeof *rows);
  return TRIAD_OK;
}

/* What a checkpoint has of particles is all that there is of them, in whatever order they stand. */
TRIAD_TEST(particles_that_are_taken_up_again_have_the_same_bits)
{
  static const char all[] =
    "particles=[" GROUP("a", 150, "\"lagrange6\"") ", " GROUP("b", 100, "\"lagrange4\", boundary=\"absorb\"" HEAVY) "]";
  test_flow on = make(together(), walls, all, "parallel.device=\"gpu\""),
            again = make(together(), walls, all, "parallel.device=\"gpu\"");
  triad_table table[2];
  int n;
  advance(&on, 6);
  advance(&again, 6);
  triad_gas_particles *p = again.flow->particles;
  TRIAD_CHECK(triad_gas_particles_tables(p, table, &n));
  TRIAD_EQUAL(n, 2, "tables");
  for (int k = 0; k < n; k++) { TRIAD_CHECK(triad_gas_group_take(p, &p->group[k], from_table, &table[k])); }
  advance(&on, 4);
  advance(&again, 4);
  for (int k = 0; k < n; k++) {
    int64_t count;
    double *a = rows_of(on.flow, k, &count), *b = rows_of(again.flow, k, &count);
    same_bits(a, b, count, k);
    free(a);
    free(b);
  }
  drop(&on);
  drop(&again);
}

/* A stream of 1.6 takes all out of a box of 1 in 0.7. */
static void check_rest(const char *device)
{
  test_flow f = make(together(), open, "particles=[" GROUP("a", 60, "\"lagrange4\"") "]", device);
  double dt_before, dt_after;
  TRIAD_CHECK(triad_gas_particles_longest(f.flow->particles, 0.5, &dt_before));
  advance(&f, 70);
  TRIAD_CHECK(triad_gas_particles_longest(f.flow->particles, 0.5, &dt_after));
  TRIAD_HOLDS(dt_before < 0.1 && isinf(dt_after),
              "the longest step with tracers in the stream is %g, without any left %g", dt_before, dt_after);
  drop(&f);
}

TRIAD_TEST(tracers_that_a_boundary_has_taken_bound_no_step)
{
  check_rest("parallel.device=\"cpu\"");
  check_rest("parallel.device=\"gpu\"");
}

/* Spheres that gravity has taken farther than a rank can see are told, on all ranks. */
TRIAD_TEST(one_that_goes_too_far_is_told)
{
  test_flow f =
    make(together(), walls,
         "particles=[" GROUP("a", 40, "\"lagrange6\", kind=\"inertial\", stokes_time=10, gravity=[3e6, 0, 0]") "]",
         "parallel.device=\"gpu\"");
  int st = TRIAD_OK;
  for (int i = 0; i < 3 && st == TRIAD_OK; i++) st = step(&f, 1e-3);
  TRIAD_EQUAL(st, TRIAD_ERR_CASE, "status");
  drop(&f);
}

TRIAD_MAIN
