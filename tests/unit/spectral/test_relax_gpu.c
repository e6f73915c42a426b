/* Bodies and sponges of a flow on a GPU that is the host (tests/help/fake), against the CPU.
 * ranks: 1 2   timeout: 300 */
#include "spectral_gpu.h"

#include "solvers/device_choice.h"
#include "solvers/spectral/devices.h"
#include "solvers/spectral/equations/velocity.h"
#include "solvers/spectral/relax/relax.h"

#define COMMON \
  "[grid]\nn = [32, 8, 9]\nlength = [6.3, 3.5, 9.75]\n[initial]\nkind = \"random\"\nwavenumber = 3\nseed = 5\n" \
  "[time]\nend = 1\n[parallel]\nreproducible = true\n[equations]\nviscosity = 0.02\n"
#define FORMULA "forcing.kind=\"formula\""
enum { STEPS = 3 };

/* Three steps: fields and sums round in another order. */
static void check(const char *text, const char *const *sets)
{
  double columns[2][TRIAD_MAX_COLUMNS], work[2] = {0, 0};
  test_flow flow[2];
  test_pair_make(flow, text, sets);
  for (int i = 0; i < 2; i++) {
    for (int s = 0; s < STEPS; s++) {
      test_advance(flow[i].flow, 0.01, 1);
      work[i] += triad_relaxation_work(flow[i].flow->relaxation);
    }
    TRIAD_CHECK(triad_state_read_all(flow[i].flow->state, TRIAD_HOST));
    TRIAD_CHECK(triad_budget_measure(flow[i].flow, columns[i]));
  }
  const double off = test_distance(flow[1].flow, flow[0].flow, 1);
  TRIAD_HOLDS(off <= 1e-13, "%s: fields differ by %.3g", sets[0], off);
  TRIAD_HOLDS(fabs(work[0]) > 0 && fabs(work[1] - work[0]) <= 1e-11 * fabs(work[0]), "%s: work of %.15g, not %.15g",
              sets[0], work[1], work[0]);
  test_columns_agree(flow, columns[0], columns[1], sets[0]);
  for (int i = 0; i < 2; i++) test_flow_free(&flow[i]);
}

#define CHECK(text, ...) check(text, (const char *[]){__VA_ARGS__, NULL})

#define STREAM "mean_velocity = [1.0, 0.2, 0.0]\n"
#define BODIES \
  "[[bodies]]\nshape = \"sphere\"\ncenter = [2, 1.6, 4]\nradius = 1.1\npermeability = 0.1\nu = \"0.2*(z-4)\"\n" \
  "[[bodies]]\nshape = \"cylinder\"\naxis = \"y\"\ncenter = [2.5, 0, 4.5]\nradius = 0.9\npermeability = 0.2\n"
#define SPONGES \
  "[[sponges]]\nrate = \"0.5\"\ntarget = \"mean\"\n" \
  "[[sponges]]\nrate = \"3*(1+y)\"\nlayer = \"x\"\nrange = [4, 6.8]\nu = \"1+sin(t)\"\n"

/* Bodies that overlap, a sponge with a target in time that crosses the end of the box, and one to the means. */
TRIAD_TEST(bodies_and_sponges_at_rest)
{
  static const char at[] = COMMON "solver = \"hd\"\nscalars = [0.01, 0.02]\n" STREAM BODIES "scalars = [\"\", \"1\"]\n";
  static const char in[] =
    COMMON "solver = \"boussinesq\"\ndiffusivity = 0.03\n" STREAM BODIES "theta = \"x\"\n" SPONGES "theta = \"0\"\n";
  static const char of[] = COMMON "solver = \"mhd\"\nresistivity = 0.02\n" STREAM SPONGES "bx = \"cos(y)\"\n";
  CHECK(at, "time.scheme=\"rk3\"");
  CHECK(in, "time.scheme=\"rk4\"", "grid.n=[40,8,9]");
  CHECK(of, "time.scheme=\"rk2\"", "forcing.kind=\"linear\"");
  CHECK(at, "time.scheme=\"rk2\"", FORMULA, "forcing.u=\"0.5*v*cos(20*t) + cos(2*pi*z/9.75)*t\"");
}

TRIAD_TEST(bodies_and_sponges_that_no_gpu_has)
{
  static const char still[] = COMMON "solver = \"hd\"\n" BODIES SPONGES;
  static const char *const moves[][2] = {{"bodies[1].path=[\"sin(t)\"]", "bodies that move"},
                                         {"sponges[2].rate=\"1+t\"", "rate depends on t"},
                                         {"sponges[2].u=\"x*t\"", "depend on position and t"},
                                         {"forcing.u=\"sin(u)\"", "evaluated at points"}};
  for (int i = 0; i < 4; i++) {
    const char *sets[] = {moves[i][0], i == 3 ? FORMULA : NULL, NULL};
    test_flow f = test_flow_make(test_together(), still, sets);
    const char *why = triad_device_refusal(&triad_spectral_devices, f.flow->given);
    TRIAD_HOLDS(why && strstr(why, moves[i][1]), "%s: refused with \"%s\"", moves[i][0], why ? why : "nothing");
    test_flow_free(&f);
  }
}

TRIAD_MAIN
