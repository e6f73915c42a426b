/* Gross-Pitaevskii without a pass of its own, as a flow on a GPU is; what makes no sense is refused.
 * ranks: 1 2 3   threads: 1 2   precision: both */
#include "gpe.h"
#include "solvers/spectral/flow_pass.h"
#include "solvers/spectral/flow_plan.h"
#include "fft/pass/pass_create.h"
#include "families.h"

#include "run/check.h"

static int64_t total_of(const triad_case *given, int gpu)
{
  triad_rank_needs needs;
  triad_flow_plan plan;
  TRIAD_CHECK(triad_flow_plan_make(&plan, given, 1));
  triad_flow_memory(&plan, 1, gpu, &needs);
  triad_flow_plan_clear(&plan);
  return needs.total;
}

/* Estimated plans are the same whoever makes them: so are the modes, bit for bit, and the memory is given back. */
TRIAD_TEST(pass_that_is_borrowed_makes_the_same_field)
{
  test_flow f = test_flow_make(test_together(), cases[1], NULL);
  triad_flow *flow = f.flow;
  size_t bytes = (size_t)flow->layout->modes * sizeof **flow->u;
  triad_cplx *first = malloc(bytes + 1);
  triad_real *planes = calloc((size_t)(flow->layout->n_planes * 12 * 10) + 1, sizeof *planes), sum = 0;
  TRIAD_HOLDS(first && planes, "%zu bytes", bytes);
  memcpy(first, flow->u[RE], bytes);
  triad_pass_destroy(&flow->pass);
  int64_t held = triad_memory_held(flow->context->memory);
  TRIAD_CHECK(triad_initial_set(flow, NULL));
  TRIAD_EQUAL(memcmp(first, flow->u[RE], bytes), 0, "modes by a borrowed pass");
  TRIAD_CHECK(triad_flow_backward(flow, flow->u[RE], planes));
  for (int64_t i = 0; i < flow->layout->n_planes * 12 * 10; i++) sum += planes[i] * planes[i];
  TRIAD_HOLDS(test_total((double)sum) > 0, "no points");
  TRIAD_EQUAL(triad_memory_held(flow->context->memory), held, "memory held afterwards");
  free(first);
  free(planes);
  test_flow_free(&f);
}

/* Without a register, and without the work columns of the pass where nothing asks for transforms. */
TRIAD_TEST(host_of_a_gpu_needs_the_state_alone)
{
  const char *const uniform[] = {"initial.kind=\"uniform\"", NULL};
  test_flow drawn = test_flow_make(test_together(), cases[0], NULL),
            even = test_flow_make(test_together(), WAVE, uniform);
  triad_layout *l;
  TRIAD_CHECK(triad_layout_create(&l, &even.flow->grid, 0, 1, TRIAD_LANES));
  TRIAD_EQUAL(total_of(even.given, 1), 2 * l->modes * (int64_t)sizeof(triad_cplx), "bytes of psi alone");
  TRIAD_HOLDS(total_of(drawn.given, 1) > total_of(even.given, 1), "a random phase passes through points");
  TRIAD_HOLDS(total_of(drawn.given, 0) > total_of(drawn.given, 1), "the CPU's steps take more");
  triad_layout_destroy(&l);
  test_flow_free(&drawn);
  test_flow_free(&even);
}

static void refused(const char *text, const char *set, const char *part)
{
  triad_case *c = NULL;
  triad_needs needs;
  int st = triad_case_parse(&c, "test", text, strlen(text), &set, 1);
  if (st == TRIAD_OK) {
    TRIAD_FAILS(triad_check(c, 1, 1, &needs), TRIAD_ERR_CASE, part);
  } else {
    TRIAD_EQUAL(st, TRIAD_ERR_CASE, set);
    TRIAD_HOLDS(strstr(triad_case_errors(c), part), "\"%s\" does not name \"%s\"", triad_case_errors(c), part);
    triad_message_clear();
  }
  triad_case_destroy(&c);
}

TRIAD_TEST(cases_that_make_no_sense_are_refused)
{
  refused(WAVE, "initial.kind=\"abc\"", "initial.kind");
  refused(WAVE, "initial.kind=\"rest\"", "initial.kind");
  refused(WAVE, "forcing.kind=\"random\"", "forcing.kind");
  refused(WAVE, "initial.waves=[1, 2, 3, 4]", "initial.waves");
  refused(WAVE, "initial.waves=[1.5, 0, 0, 1, 0]", "1.5");
  refused(WAVE, "initial.waves=[100, 0, 0, 1, 0]", "(100, 0, 0)");
  refused(WAVE, "initial.kind=\"vortex-ring\"", "initial.rings");
  refused(LINES, "initial.amplitude=0.01", "initial.amplitude");
  refused(LINES, "grid.length=[6.0, 7.0, 7.0]", "grid.length");
  refused(CASE("[16, 16, 16]", "[4.0, 5.0, 6.0]", "sphere", PHYSICS,
               "kind = \"vortex-ring\"\nrings = [1, 1, 1, 0, 0, 1, 2.2]", "rk4"),
          "time.cfl=0.5", "radius");
  refused(CASE("[16, 16, 16]", "[4.0, 5.0, 6.0]", "sphere", PHYSICS,
               "kind = \"vortex-ring\"\nrings = [1, 1, 1, 0, 0, 0, 1]", "rk4"),
          "time.cfl=0.5", "normal");
  refused(CASE("[16, 16, 16]", "[4.0, 5.0, 6.0]", "sphere", PHYSICS "\nimaginary_time = true", "kind = \"uniform\"",
               "split2"),
          "time.cfl=0.5", "split2");
  refused("[equations]\nsolver = \"hd\"\n[grid]\nn = [8, 8, 8]\n[initial]\nkind = \"abc\"\n[time]\nend = 1.0\n",
          "time.scheme=\"split2\"", "split2");
  refused("[equations]\nsolver = \"hd\"\n[grid]\nn = [8, 8, 8]\n[initial]\nkind = \"abc\"\n[time]\nend = 1.0\n",
          "initial.kind=\"uniform\"", "uniform");
}

TRIAD_MAIN
