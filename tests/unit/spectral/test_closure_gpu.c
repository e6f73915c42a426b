/* Subgrid models of a flow on a GPU that is the host (tests/help/fake), against the CPU: steps, columns, transfers.
 * ranks: 1 2   timeout: 300 */
#include "spectral_gpu.h"

#include "solvers/device_choice.h"
#include "solvers/spectral/closure/closure.h"
#include "solvers/spectral/devices.h"
#include "solvers/spectral/equations/velocity.h"
#include "solvers/spectral/measure/transfer.h"

#define COMMON \
  "[grid]\nn = [32, 8, 9]\nlength = [6.3, 3.5, 9.75]\n[initial]\nkind = \"random\"\nwavenumber = 3\nseed = 5\n" \
  "[time]\nend = 1\n[parallel]\nreproducible = true\n[equations]\nviscosity = 0.001\n"
static const char hd[] = COMMON "solver = \"hd\"\nscalars = [0.01, 0.02]\n"
                                "scalar_gradients = [0.0, 0.5, 1.0, 1.0, 0.0, 0.0]\n";
static const char boussinesq[] = COMMON "solver = \"boussinesq\"\nbuoyancy_frequency = 2.0\ndiffusivity = 0.003\n";
static const char with_body[] = COMMON "solver = \"hd\"\n[[bodies]]\nshape = \"sphere\"\ncenter = [2, 1.6, 4]\n"
                                       "radius = 1.1\npermeability = 0.2\n";
enum { STEPS = 3 };

/* Three steps: fields round in another order. */
static void check(const char *text, const char *const *sets)
{
  double columns[2][TRIAD_MAX_COLUMNS], rate[2];
  test_flow flow[2];
  test_pair_make(flow, text, sets);
  for (int i = 0; i < 2; i++) {
    test_advance(flow[i].flow, 0.01, STEPS);
    rate[i] = triad_closure_rate(flow[i].flow->closure);
    TRIAD_CHECK(triad_state_read_all(flow[i].flow->state, TRIAD_HOST));
    TRIAD_CHECK(triad_budget_measure(flow[i].flow, columns[i]));
  }
  const double off = test_distance(flow[1].flow, flow[0].flow, 1);
  TRIAD_HOLDS(off <= 1e-13, "%s: fields differ by %.3g", sets[0], off);
  TRIAD_HOLDS(rate[0] > 0 && fabs(rate[1] - rate[0]) <= 1e-11 * rate[0], "%s: a rate of %.15g, on the CPU %.15g",
              sets[0], rate[1], rate[0]);
  test_columns_agree(flow, columns[0], columns[1], sets[0]);
  TRIAD_HOLDS(test_transfers_agree(flow, flow[0].flow->shape.n_transfers / 2, sets[0]) > 0,
              "%s: the model transfers nothing", sets[0]);
  for (int i = 0; i < 2; i++) test_flow_free(&flow[i]);
}

#define CHECK(text, ...) check(text, (const char *[]){__VA_ARGS__, NULL})

TRIAD_TEST(models_of_one_point)
{
  CHECK(hd, "closure.model=\"smagorinsky\"", "time.scheme=\"rk2\"");
  CHECK(hd, "closure.model=\"vreman\"", "time.scheme=\"rk3\"", "grid.n=[40,8,9]");
  CHECK(boussinesq, "closure.model=\"wale\"", "time.scheme=\"rk4\"");
  CHECK(with_body, "closure.model=\"sigma\"", "time.scheme=\"rk3\"");
}

TRIAD_TEST(models_that_no_gpu_has)
{
  static const char *const lacks[][2] = {{"closure.model=\"spectral\"", "\"spectral\""},
                                         {"closure.model=\"dynamic-smagorinsky\"", "\"dynamic-smagorinsky\""}};
  for (int i = 0; i < 2; i++) {
    const char *sets[] = {lacks[i][0], NULL};
    test_flow f = test_flow_make(test_together(), hd, sets);
    const char *why = triad_device_refusal(&triad_spectral_devices, f.flow->given);
    TRIAD_HOLDS(why && strstr(why, lacks[i][1]), "%s: refused with \"%s\"", lacks[i][0], why ? why : "nothing");
    test_flow_free(&f);
  }
}

TRIAD_MAIN
