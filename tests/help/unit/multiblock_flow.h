/* Flows on blocks for unit tests: a perturbed stream in a box of skewed cells, changed by assignments of keys. */
#ifndef TRIAD_TESTS_HELP_UNIT_MULTIBLOCK_FLOW_H
#define TRIAD_TESTS_HELP_UNIT_MULTIBLOCK_FLOW_H

#include "families.h"
#include "test.h"

#include "case/case.h"
#include "solvers/multiblock/case/initial.h"
#include "solvers/multiblock/state/create.h"
#include "solvers/multiblock/step/step.h"

enum { SETS = 16 };

static const char common[] =
  "[equations]\nsolver = \"multiblock\"\n[grid]\nkind = \"box\"\nrandom = 0.2\n[initial]\n"
  "kind = \"stream\"\nperturbation = 0.05\n[boundaries]\npatches = [\"*: farfield, mach=0.5, "
  "pressure=1e5, temperature=300, alpha=20\"]\n[time]\nsteady = true\nmax_steps = 100\n";

typedef struct test_blocks {
  triad_case *given;
  triad_multiblock_flow *flow;
} test_blocks;

/* sets: assignments, ended by NULL. */
static test_blocks make_flow(const char *const *sets, const char *device)
{
  test_blocks o;
  const char *all[SETS + 1];
  int n = 0;
  for (; sets[n]; n++) all[n] = sets[n];
  all[n++] = device;
  int st = triad_case_parse(&o.given, "test", common, strlen(common), all, n);
  if (st != TRIAD_OK) fail_msg("the test's case: %s", o.given ? triad_case_errors(o.given) : triad_message());
  TRIAD_CHECK(triad_multiblock_create((void **)&o.flow, triad_test_now.context, o.given, NULL));
  TRIAD_CHECK(triad_multiblock_initial(o.flow, NULL));
  TRIAD_CHECK(triad_multiblock_settle(o.flow, NULL, NULL));
  return o;
}

static void drop_flow(test_blocks *o)
{
  triad_multiblock_destroy((void **)&o->flow);
  triad_case_destroy(&o->given);
}

static void advance_flow(test_blocks *o, double cfl, int steps)
{
  for (int i = 0; i < steps; i++) {
    triad_step step = {.cfl = cfl, .land_on = INFINITY};
    TRIAD_CHECK(triad_multiblock_advance(o->flow, &step));
  }
}

#endif
