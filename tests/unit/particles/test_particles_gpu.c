/* Particles of flows on a GPU that is the host (tests/help/fake), against those of the same flow on the CPU, number
 * by number. ranks: 1 2 3   timeout: 300 */
#include "flow.h"
#include "solvers/spectral/particles/files.h"
#include "solvers/spectral/particles/particles_gather.h"
#include "solvers/particles/exchange.h"

#include "solvers/spectral/particles/samples.h"

#define COMMON \
  "[grid]\nn = [32, 8, 9]\nlength = [6.3, 3.5, 9.75]\n[initial]\nkind = \"random\"\nwavenumber = 3\nseed = 5\n" \
  "[time]\nend = 1\n[parallel]\nreproducible = true\n[equations]\nviscosity = 0.02\n"
static const char hd[] = COMMON "solver = \"hd\"\nscalars = [0.01]\nscalar_gradients = [0.0, 0.5, 1.0]\n";
static const char boussinesq[] = COMMON "solver = \"boussinesq\"\nbuoyancy_frequency = 2.0\ndiffusivity = 0.03\n";
static const char mhd[] = COMMON "solver = \"mhd\"\nresistivity = 0.02\nmean_field = [0.0, 0.3, 1.0]\nhall = 0.1\n";

static const char gpe[] = "[grid]\nn = [32, 8, 9]\nlength = [6.3, 3.5, 9.75]\n[equations]\nsolver = "
                          "\"gpe\"\nhealing_length = 0.5\n[time]\nend = 1\n[parallel]\n"
                          "reproducible = true\n[initial]\nkind = \"formula\"\npsi_re = "
                          "\"1+0.2*cos(2*pi*x/6.3)\"\npsi_im = \"0.3*sin(2*pi*(x/6.3+y/3.5-z/9.75))\"\n";
#define LIGHT "kind=\"inertial\", stokes_time=0.2, density_ratio=0.5, gravity=[0.1, 0, -1], sample=[\"velocity\"], "
#define SUPERFLUID \
  "particles=[" GROUP("a", 200, "sample=[\"density\"], " BY("spline4")) ", " GROUP("b", 100, BY("lagrange6")) "]"

enum { ROOM = 16 };
static const double dt = 0.04;

/* Several ranks on few cores wait for each other more than they work. */
static int steps(void) { return triad_test_comm()->size > 1 ? 4 : 20; }

/* A step rounds places by some eps of the box, 1e-15, and velocities by eps log2 n; neighbours part by less than ten
 * times in the time of the tests. */
static const double limit = 1e-12;

static test_flow make(const char *text, const char *const *sets, const char *device)
{
  const char *all[ROOM];
  int n = 0;
  for (; sets[n]; n++) all[n] = sets[n];
  all[n++] = device;
  /* not to time them all */
  if (strstr(device, "gpu") && triad_test_comm()->size > 1) all[n++] = "parallel.transport=\"ipc\"";
  all[n] = NULL;
  test_flow f = test_flow_make(test_together(), text, all);
  TRIAD_CHECK(triad_particles_create(&f.flow->particles, f.flow));
  TRIAD_CHECK(triad_particles_start(f.flow->particles, NULL));
  return f;
}

static void drop(test_flow *f)
{
  triad_particles_destroy(&f->flow->particles);
  test_flow_free(f);
}

/* All that a file shows of group i, by number: values[*count][width]. */
static double *rows_of(triad_flow *flow, int i, int *width, int64_t *count)
{
  triad_particles *p = flow->particles;
  triad_particle_samples c[ROOM];
  double *rows[ROOM], *out = NULL;
  int64_t first;
  TRIAD_CHECK(triad_particles_sort(p));
  for (int k = 0; k < p->n; k++) {
    triad_particle_samples_read(&c[k], flow->given, &flow->shape, k + 1, p->group[k].kind == TRIAD_INERTIAL);
    rows[k] = malloc((size_t)(p->group[k].n * (1 + c[k].width) + 1) * sizeof **rows);
    assert_non_null(rows[k]);
  }
  TRIAD_CHECK(triad_particle_samples_take(p, c, rows));
  *width = c[i].width;
  TRIAD_CHECK(triad_particles_by_number(&flow->context->comm, p->group[i].count, c[i].width, p->group[i].n, rows[i],
                                        &out, &first, count));
  for (int k = 0; k < p->n; k++) free(rows[k]);
  return out;
}

/* The largest difference of any number of any particle, in terms of the largest of its kind. */
static void compare(test_flow *cpu, test_flow *gpu, const char *what)
{
  for (int i = 0; i < cpu->flow->particles->n; i++) {
    int width, same;
    int64_t n, there;
    double *a = rows_of(cpu->flow, i, &width, &n), *b = rows_of(gpu->flow, i, &same, &there);
    TRIAD_EQUAL(there, n, "particles of this rank's numbers");
    TRIAD_EQUAL(same, width, "numbers of a particle");
    for (int k = 0; k < width; k++) {
      double most = 1, off = 0;
      for (int64_t j = 0; j < n; j++) {
        most = fmax(most, fabs(a[j * width + k]));
        off = fmax(off, fabs(a[j * width + k] - b[j * width + k]));
      }
      TRIAD_HOLDS(off <= limit * test_largest(most), "%s, group %d, number %d of a particle: off by %.3g of %.3g", what,
                  i, k, off, most);
    }
    free(a);
    free(b);
  }
}

static void check_on(const char *device, const char *text, const char *const *sets)
{
  test_flow cpu = make(text, sets, "parallel.device=\"cpu\""), gpu = make(text, sets, device);
  TRIAD_HOLDS(!gpu.flow->particles->gpu == !strstr(device, "gpu") && !cpu.flow->particles->gpu,
              "particles are where the flow's state is");
  compare(&cpu, &gpu, "at the start");
  for (int half = 0; half < 2; half++) {
    test_advance(cpu.flow, dt, steps() / 2);
    test_advance(gpu.flow, dt, steps() / 2);
    compare(&cpu, &gpu, sets[0]);
  }
  drop(&cpu);
  drop(&gpu);
}

#define CHECK(text, ...) check_on("parallel.device=\"gpu\"", text, (const char *[]){__VA_ARGS__, NULL})
#define CHECK_OFFLOAD(text, ...) check_on("parallel.device=\"offload\"", text, (const char *[]){__VA_ARGS__, NULL})
#define GROUP(name, count, more) "{name=\"" name "\", count=" #count ", " more "}"
#define BY(word) "interpolation=\"" word "\""

TRIAD_TEST(tracers_of_the_steps_own_points)
{
  CHECK(hd, "time.scheme=\"rk2\"", "particles=[" GROUP("a", 300, BY("lagrange6")) "]");
  CHECK(hd, "time.scheme=\"rk3\"", "parallel.nstreams=3",
        "particles=[" GROUP("a", 200, BY("lagrange8")) ", " GROUP("b", 100, BY("linear")) ", " GROUP(
          "c", 300, BY("lagrange6")) "]");
}

TRIAD_TEST(tracers_by_splines)
{
  CHECK(hd, "time.scheme=\"rk2\"", "particles=[" GROUP("a", 300, BY("spline4")) "]");
  CHECK(boussinesq, "time.scheme=\"rk4\"",
        "particles=[" GROUP("a", 200, BY("spline6")) ", " GROUP("b", 300, BY("lagrange6")) ", " GROUP(
          "c", 100, BY("spline4") ", start=\"pairs\", separation=0.01") "]");
}

TRIAD_TEST(inertial_ones)
{
  CHECK(
    hd, "time.scheme=\"rk3\"",
    "particles=[" GROUP("a", 300,
                        "kind=\"inertial\", stokes_time=0.1, gravity=[0.5, 0, -30], sample=[\"velocity\"], " BY(
                          "lagrange6")) ", " GROUP("b", 300, "kind=\"inertial\", stokes_time=0.3, " BY("spline4")) "]");
  CHECK(
    hd, "time.scheme=\"rk3\"", "equations.rotation=[2.0, -1.0, 3.0]",
    "particles=[" GROUP("a", 300,
                        "kind=\"inertial\", stokes_time=0.3, gravity=[0.5, 0, -3], sample=[\"velocity\"], " BY(
                          "lagrange6")) ", " GROUP("b", 300, "kind=\"inertial\", stokes_time=0.3, " BY("spline4")) "]");
}

TRIAD_TEST(few_and_many)
{
  CHECK(hd, "time.scheme=\"rk2\"", "particles=[" GROUP("a", 1, BY("lagrange6")) ", " GROUP("b", 1, BY("spline4")) "]");
  CHECK(hd, "time.scheme=\"rk2\"", "particles=[" GROUP("a", 4000, BY("lagrange6")) "]");
}

/* Slabs of eight planes that end within chunks of fourteen, which go round in the places of planes. */
TRIAD_TEST(slabs_and_chunks)
{
  if (triad_test_comm()->size > 1) return;
  CHECK(hd, "time.scheme=\"rk2\"", "grid.n=[12, 10, 40]", "parallel.nstreams=3",
        "particles=[" GROUP("a", 1500, BY("lagrange6")) ", " GROUP("b", 200, BY("lagrange8")) ", " GROUP(
          "c", 700, BY("spline4")) "]");
}

/* Particles of which there are many a tile are summed from shared memory, few from where the planes are: those of
 * one place go one way. */
TRIAD_TEST(few_have_the_bits_of_many)
{
  if (triad_test_comm()->size > 1) return;
#define BOTH(word) GROUP("many" word, 1500, BY(word)) ", " GROUP("few" word, 40, BY(word))
  const char *const sets[] = {"time.scheme=\"rk2\"",
                              "particles=[" BOTH("linear") ", " BOTH("lagrange6") ", " BOTH("lagrange8") ", " BOTH(
                                "spline4") ", " BOTH("spline6") "]",
                              NULL};
  test_flow f = make(hd, sets, "parallel.device=\"gpu\"");
  test_advance(f.flow, dt, 4);
  for (int i = 0; i < f.flow->particles->n; i += 2) {
    int width;
    int64_t many, few;
    double *all = rows_of(f.flow, i, &width, &many), *some = rows_of(f.flow, i + 1, &width, &few);
    TRIAD_EQUAL(few, 40, "particles");
    TRIAD_HOLDS(memcmp(all, some, (size_t)(few * width) * sizeof *all) == 0,
                "group %d has other bits than the one before", i + 1);
    free(all);
    free(some);
  }
  drop(&f);
}

TRIAD_TEST(samples_along_the_path)
{
  CHECK(hd, "time.scheme=\"rk2\"",
        "particles=[" GROUP("a", 200, "sample=[\"gradient\", \"vorticity\", \"scalar1\"], " BY("lagrange6")) ", " GROUP(
          "b", 100, "sample=[\"gradient\", \"scalar1\"], " BY("spline6")) "]");
}

/* The stage's own points are elsewhere, or come in two passes. */
TRIAD_TEST(grids_that_are_shifted_and_stages_of_two_passes)
{
  CHECK(hd, "time.scheme=\"rk2\"", "grid.dealiasing=\"phase-shift\"",
        "particles=[" GROUP("a", 300, BY("lagrange6")) "]");
  CHECK(mhd, "time.scheme=\"rk2\"", "grid.dealiasing=\"phase-shift\"", "grid.shifts=\"exact\"",
        "particles=[" GROUP("a", 300, BY("lagrange6")) ", " GROUP("b", 300, BY("spline4")) "]");
  CHECK(mhd, "time.scheme=\"rk2\"",
        "particles=[" GROUP("a", 300, BY("lagrange6")) ", " GROUP("b", 300, BY("spline4")) "]");
}

/* Du/Dt of the stage's own rates: of waves and rotation, a force of modes and one of formulas, of mhd's other
 * fields, on shifted grids. */
TRIAD_TEST(added_mass)
{
  CHECK(hd, "time.scheme=\"rk3\"", "equations.rotation=[0.0, 0.3, 1.0]", "forcing.kind=\"abc\"",
        "forcing.amplitude=2.0",
        "particles=[" GROUP("a", 100, LIGHT BY("spline6")) ", " GROUP("b", 100, BY("lagrange6")) ", " GROUP(
          "c", 100, LIGHT BY("lagrange6")) "]");
  CHECK(boussinesq, "time.scheme=\"rk2\"", "forcing.kind=\"formula\"", "forcing.u=\"0.5*v*theta\"",
        "forcing.w=\"cos(t)*sin(2*pi*x/6.3)\"", "particles=[" GROUP("a", 100, LIGHT BY("spline4")) "]");
  CHECK(mhd, "time.scheme=\"rk2\"", "grid.dealiasing=\"phase-shift\"",
        "particles=[" GROUP("a", 100, LIGHT BY("lagrange6")) "]");
}

TRIAD_TEST(a_superfluid)
{
  CHECK(gpe, "time.scheme=\"rk3\"", SUPERFLUID);
  CHECK(gpe, "time.scheme=\"split2\"", SUPERFLUID);
}

/* A state that passes through is the host's between passes, and so are particles; what a stage makes of its rates
 * stays on the GPU. */
TRIAD_TEST(a_state_that_passes_through)
{
  CHECK_OFFLOAD(hd, "time.scheme=\"rk2\"", "equations.rotation=[0.0, 0.3, 1.0]", "forcing.kind=\"abc\"",
                "forcing.amplitude=2.0",
                "particles=[" GROUP("a", 100, LIGHT BY("spline6")) ", " GROUP("b", 100, BY("lagrange6")) "]");
  CHECK_OFFLOAD(mhd, "time.scheme=\"rk2\"", "grid.dealiasing=\"phase-shift\"",
                "particles=[" GROUP("a", 100, "kind=\"inertial\", stokes_time=0.2, density_ratio=0.5") "]");
  CHECK_OFFLOAD(gpe, "time.scheme=\"rk2\"", SUPERFLUID);
  CHECK_OFFLOAD(gpe, "time.scheme=\"split2\"", SUPERFLUID);
}

/* Places some steps later, of the same flow on this rank alone, whose flow has the same bits. */
static void check_ranks(const char *text, const char *particles)
{
  const char *const sets[] = {"time.scheme=\"rk3\"", "parallel.device=\"gpu\"", particles, NULL};
  test_flow all = make(text, sets + 1, sets[0]);
  triad_context *context = test_alone();
  test_flow alone = test_flow_make(context, text, sets);
  TRIAD_CHECK(triad_particles_create(&alone.flow->particles, alone.flow));
  TRIAD_CHECK(triad_particles_start(alone.flow->particles, NULL));
  test_advance(all.flow, dt, steps());
  test_advance(alone.flow, dt, steps());
  for (int i = 0; i < 2; i++) {
    int width;
    int64_t n, every;
    double *a = rows_of(all.flow, i, &width, &n), *b = rows_of(alone.flow, i, &width, &every);
    const int64_t first = triad_deal(every, triad_test_comm()->rank, triad_test_comm()->size);
    TRIAD_HOLDS(memcmp(a, b + first * width, (size_t)(n * width) * sizeof *a) == 0, "group %d has other bits", i);
    free(a);
    free(b);
  }
  drop(&all);
  drop(&alone);
  triad_context_destroy(&context);
}

TRIAD_TEST(ranks_change_no_bit)
{
  check_ranks(hd, "particles=[" GROUP("a", 400, BY("lagrange6")) ", " GROUP("b", 200, BY("spline4")) "]");
  check_ranks(hd, "particles=[" GROUP("a", 200, LIGHT BY("lagrange6")) ", " GROUP("b", 100, LIGHT BY("spline4")) "]");
  check_ranks(gpe, SUPERFLUID);
}

static int from_table(void *self, const triad_group *g, int64_t begin, int64_t end, double *rows)
{
  const triad_table *table = self;
  for (int64_t k = begin; k < end; k++, rows += g->width) {
    const double *from = (const double *)table->values + (k - table->first) * table->width;
    for (int a = 0; a < 3; a++) rows[TRIAD_PARTICLE_X + a] = from[a];
    for (int a = 3; a < table->width; a++) rows[TRIAD_PARTICLE_V + a - 3] = from[a];
  }
  return TRIAD_OK;
}

/* What a checkpoint has of particles is all that there is of them: those taken up from it between two steps end with
 * the bits of those that went on, in whatever order they stand. */
TRIAD_TEST(particles_that_are_taken_up_again_have_the_same_bits)
{
  const char *const sets[] = {"time.scheme=\"rk3\"",
                              "particles=[" GROUP("a", 300, BY("lagrange6")) ", " GROUP(
                                "b", 200, "kind=\"inertial\", stokes_time=0.1, " BY("spline4")) "]",
                              NULL};
  test_flow on = make(hd, sets, "parallel.device=\"gpu\""), again = make(hd, sets, "parallel.device=\"gpu\"");
  test_advance(on.flow, dt, 3);
  test_advance(again.flow, dt, 3);
  triad_table table[2];
  int n;
  TRIAD_CHECK(triad_particles_tables(again.flow->particles, table, &n));
  triad_particles *p = NULL;
  TRIAD_CHECK(triad_particles_create(&p, again.flow));
  for (int i = 0; i < n; i++) {
    TRIAD_CHECK(triad_group_take(&p->group[i], again.flow->context, again.flow->layout, from_table, &table[i]));
    p->placed[i] = 1;
  }
  triad_particles_destroy(&again.flow->particles);
  again.flow->particles = p;
  TRIAD_CHECK(triad_particles_start(p, NULL));
  test_advance(on.flow, dt, 3);
  test_advance(again.flow, dt, 3);
  for (int i = 0; i < n; i++) {
    int width;
    int64_t count;
    double *a = rows_of(on.flow, i, &width, &count), *b = rows_of(again.flow, i, &width, &count);
    TRIAD_HOLDS(memcmp(a, b, (size_t)(count * width) * sizeof *a) == 0, "group %d has other bits", i);
    free(a);
    free(b);
  }
  drop(&on);
  drop(&again);
}

TRIAD_MAIN
