/* Equations as text on a GPU that is the host (tests/help/fake): kernels that are compiled at run time, here by the
 * host's compiler, against the row evaluator of the CPU: steps, numbers of the series, transfers. ranks: 1
 * timeout: 600. TRIAD_TEXT_CODE in the environment: a folder for the texts of equations (tests/cuda/test_nvrtc.py). */
#include "text_code.h"

#include "grid/shells.h"
#include "solvers/spectral/devices.h"
#include "solvers/spectral/equations/equations.h"
#include "solvers/spectral/measure/loops.h"
#include "solvers/spectral/measure/transfer.h"
#include "solvers/spectral/text/code/code.h"

#define COMMON \
  "[grid]\nn = [32, 8, 9]\nlength = [6.3, 3.5, 9.75]\n[initial]\nkind = \"formula\"\nfields = [\"0.3*sin(2*pi*x/6.3) " \
  "+ " \
  "0.2*cos(2*pi*(y/3.5 + z/9.75))\", \"0.2*cos(4*pi*x/6.3) - 0.1*sin(2*pi*z/9.75)\", \"0.1*sin(2*pi*(x/6.3 + " \
  "y/3.5))\", \"0.2*cos(2*pi*(x/6.3 - z/9.75))\"]\n[time]\nend = 1\n[parallel]\nreproducible = true\n" \
  "[parameters]\nnu = 0.02\nF = 3.0\n[equations]\nsolver = \"text\"\n"
enum { STEPS = 3 };

static const char fluid[] = COMMON
  "fields = [\"solenoidal u\", \"s\"]\nevolve = [\"dt(u) + u@grad(u) + 2*cross((0.1, 0, 0.5), u) = nu*lap(u)\", "
  "\"dt(s) + u@grad(s) + u_z = nu*lap(s)\"]\nlinear = \"decay\"\ninvariants = [\"helicity = mean(u@curl(u))\"]\n";
static const char layers[] =
  COMMON "fields = [\"q1\", \"q2\"]\nlet = [\"J(a,b) = dx(a)*dy(b) - dy(a)*dx(b)\", "
         "\"p1 = invert(lap(p1) - F*(p1 - p2), q1)\", \"p2 = invert(lap(p2) + F*(p1 - p2), q2)\"]\n"
         "evolve = [\"dt(q1) + J(p1,q1) + 0.5*dx(q1) + 3*dx(p1) = -nu*lap(q1, 2)\", "
         "\"dt(q2) + J(p2,q2) - 0.5*dx(q2) - 3*dx(p2) = -nu*lap(q2, 2)\"]\n"
         "invariants = [\"energy = mean(grad(p1)@grad(p1) + grad(p2)@grad(p2) + F*(p1 - p2)^2)/2\", "
         "\"Z = mean(q1^2)/2\", \"M = mean(q2)\"]\n";
static const char waves[] = COMMON "fields = [\"complex A\"]\naliased = true\n"
                                   "evolve = [\"dt(A) = A + (1 + 0.5*i)*lap(A) - (1 - 0.7*i)*abs2(A)*A\"]\n";
static const char flames[] =
  COMMON "fields = [\"q\"]\nevolve = [\"dt(q) = -q*dx(q) - lap(q) - lap(q, 2) + 0.3*cos(5*t) + 0.2*sin(7*t)*q*dy(q) + "
         "0.1*t*dz(q) + cos(2*pi*y/3.5)\"]\n";
static const char shallow[] =
  COMMON "fields = [\"v\", \"w\", \"h\"]\nevolve = [\"dt(v) + v*dx(v) + w*dy(v) - 2*w = -dx(h) + nu*lap(v)\", "
         "\"dt(w) + v*dx(w) + w*dy(w) + 2*v = -dy(h) + nu*lap(w)\", "
         "\"dt(h) + dx((1 + h)*v) + dy((1 + h)*w) = nu*lap(h)\"]\n";
static const char fluid_in_field[] =
  COMMON "fields = [\"solenoidal u\", \"s\"]\nevolve = [\"dt(u) + u@grad(u) = (0, 0, 2)*s + nu*lap(u)\", "
         "\"dt(s) + u@grad(s) = -2*u_z + 0.01*lap(s) + sin(2*pi*x/6.3)*dz(s)\"]\n";

static void check_columns(test_flow *a, test_flow *b, const char *what)
{
  double x[TRIAD_MAX_COLUMNS], y[TRIAD_MAX_COLUMNS], most = 0;
  TRIAD_CHECK(triad_budget_measure(a->flow, x));
  TRIAD_CHECK(triad_budget_measure(b->flow, y));
  for (int c = 0; c < a->flow->shape.n_columns; c++) most = fmax(most, fabs(x[c]));
  for (int c = 0; c < a->flow->shape.n_columns; c++)
    TRIAD_HOLDS(fabs(x[c] - y[c]) <= 1e-12 * fmax(fabs(x[c]), 1e-3 * most), "%s: %s is %.15g, on the CPU %.15g", what,
                a->flow->shape.columns[c].name, y[c], x[c]);
}

static void check_shells(test_flow *a, test_flow *b, const char *what)
{
  const int64_t shells = triad_shell_count(&a->flow->grid), spectra = a->flow->shape.n_spectra * shells,
                n = a->flow->shape.n_transfers * shells;
  double *x = calloc((size_t)(4 * n + 2 * spectra), sizeof *x), *s = x + 4 * n, most = 0, off = 0;
  assert_non_null(x);
  TRIAD_CHECK(triad_transfer_shells(a->flow, x, x + n));
  TRIAD_CHECK(triad_transfer_shells(b->flow, x + 2 * n, x + 3 * n));
  for (int64_t i = 0; i < n; i++) {
    most = fmax(most, fabs(x[i]));
    off = fmax(off, fabs(x[i] - x[2 * n + i]));
  }
  TRIAD_HOLDS(most > 0 && off <= 1e-12 * most, "%s: transfers of %.3g differ by %.3g", what, most, off);
  TRIAD_CHECK(a->flow->measure->shells(a->flow, s));
  TRIAD_CHECK(b->flow->measure->shells(b->flow, s + spectra));
  most = off = 0;
  for (int64_t i = 0; i < spectra; i++) {
    most = fmax(most, fabs(s[i]));
    off = fmax(off, fabs(s[i] - s[spectra + i]));
  }
  TRIAD_HOLDS(most > 0 && off <= 1e-12 * most, "%s: spectra of %.3g differ by %.3g", what, most, off);
  free(x);
}

/* With TRIAD_TEXT_CODE in the environment only the texts are written. */
static int is_written(const char *text, const char *scheme, const char *more)
{
  static int number;
  const char *sets[] = {"parallel.device=\"cpu\"", scheme, more, NULL};
  char *code;
  if (!getenv("TRIAD_TEXT_CODE")) return 0;
  test_flow f = test_flow_make(test_together(), text, sets);
  TRIAD_CHECK(triad_text_code(f.flow->self, &code));
  (void)test_text_code_write("gpu", number++, code);
  free(code);
  test_flow_free(&f);
  return 1;
}

static void check(const char *text, const char *device, const char *scheme, const char *more)
{
  test_flow flow[2];
  if (is_written(text, scheme, more)) return;
  for (int i = 0; i < 2; i++) {
    const char *sets[] = {i ? device : "parallel.device=\"cpu\"", scheme, more, NULL};
    flow[i] = test_flow_make(test_together(), text, sets);
    if (i) TRIAD_HOLDS(flow[i].flow->device || flow[i].flow->offload, "%s: steps run on the CPU", device);
    test_advance(flow[i].flow, 0.01, STEPS);
    TRIAD_CHECK(triad_state_read_all(flow[i].flow->state, TRIAD_HOST));
  }
  const double off = test_distance(flow[1].flow, flow[0].flow, 1);
  /* three steps of up to four stages: each rounds by some eps log2 n of the fields */
  TRIAD_HOLDS(off <= 1e-13, "%s, %s: fields differ by %.3g", device, text + sizeof COMMON - 1, off);
  check_columns(&flow[0], &flow[1], text + sizeof COMMON - 1);
  check_shells(&flow[0], &flow[1], text + sizeof COMMON - 1);
  for (int i = 0; i < 2; i++) test_flow_free(&flow[i]);
}

#define GPU "parallel.device=\"gpu\""
#define OFFLOAD "parallel.device=\"offload\""

TRIAD_TEST(a_fluid_with_a_scalar) { check(fluid, GPU, "time.scheme=\"rk2\"", NULL); }

TRIAD_TEST(layers_by_inverse_matrices_and_exponentials) { check(layers, GPU, "time.scheme=\"rk4\"", NULL); }

TRIAD_TEST(complex_waves_of_third_order) { check(waves, GPU, "time.scheme=\"rk3\"", NULL); }

TRIAD_TEST(functions_of_time_and_position) { check(flames, GPU, "time.scheme=\"rk4\"", NULL); }

TRIAD_TEST(three_coupled_fields) { check(shallow, GPU, "time.scheme=\"rk3\"", NULL); }

TRIAD_TEST(products_with_a_function_of_position) { check(fluid_in_field, GPU, "time.scheme=\"rk2\"", "grid.radius=2"); }

TRIAD_TEST(planes_and_lines)
{
  check(layers, GPU, "time.scheme=\"rk2\"", "grid.n=[32,18,1]");
  check(flames, GPU, "time.scheme=\"rk3\"", "grid.n=[64,1,1]");
}

TRIAD_TEST(states_on_the_host)
{
  check(fluid, OFFLOAD, "time.scheme=\"rk2\"", NULL);
  check(layers, OFFLOAD, "time.scheme=\"rk3\"", NULL);
}

/* ---- refusals ---- */

static void check_refusal(const char *text, const char *device, const char *more, const char *reason)
{
  const char *sets[] = {device, more, NULL};
  triad_case *given = NULL;
  const int st = triad_case_parse(&given, "test", text, strlen(text), sets, more ? 2 : 1);
  if (st != TRIAD_OK) fail_msg("the test's case: %s", given ? triad_case_errors(given) : triad_message());
  const char *why = triad_spectral_devices.refusal(given);
  TRIAD_HOLDS(reason ? why && strstr(why, reason) != NULL : !why, "%s: %s", device, why ? why : "no refusal");
  triad_case_destroy(&given);
}

#define LACKS(words) TRIAD_EQUAL(setenv("TRIAD_FAKE_LACKS", words, 1), 0, words)

/* Without NVRTC a run needs all its programs in the cache: those of its own way of stepping, and no others. */
TRIAD_TEST(runs_without_a_compiler_need_every_program_in_the_cache)
{
  static const char why[] = "compiles kernels at run time: install NVRTC";
  check_refusal(fluid, GPU, NULL, NULL);
  LACKS("text-steps");
  check_refusal(fluid, GPU, NULL, why);
  LACKS("text-sums");
  check_refusal(fluid, GPU, NULL, why);
  LACKS("text-x-text");
  check_refusal(waves, GPU, NULL, why);
  check_refusal(fluid_in_field, GPU, "grid.radius=2", NULL);
  LACKS("TRIAD_TEXT_CODE 0");
  check_refusal(fluid, OFFLOAD, NULL, why);
  check_refusal(fluid, GPU, NULL, NULL);
  TRIAD_EQUAL(unsetenv("TRIAD_FAKE_LACKS"), 0, "unsetenv");
}

#define FLOW \
  "[grid]\nn = [16, 16, 16]\n[initial]\nkind = \"abc\"\n[time]\nend = 1\n[equations]\nsolver = \"hd\"\nviscosity = " \
  "0.1\n"
#define MODEL "[closure]\nmodel = \"smagorinsky\"\n"
#define BODY "[[bodies]]\nshape = \"sphere\"\nradius = 0.5\ncenter = [3, 3, 3]\n"
#define AT_POINTS "[forcing]\nkind = \"formula\"\nu = \"u*v*sin(x*y)\"\n"

TRIAD_TEST(what_a_gpu_does_not_support_has_a_reason)
{
  check_refusal(FLOW MODEL, OFFLOAD, NULL, "offload does not support subgrid models");
  check_refusal(FLOW BODY, OFFLOAD, NULL, "offload does not support [[bodies]] and [[sponges]]");
  check_refusal(FLOW AT_POINTS MODEL, GPU, NULL, "subgrid models with forcing formulas evaluated at points");
  check_refusal(FLOW AT_POINTS BODY, GPU, NULL, "[[bodies]] and [[sponges]] with forcing formulas evaluated at points");
}

TRIAD_MAIN
