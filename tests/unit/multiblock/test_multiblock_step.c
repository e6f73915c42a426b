/* The step of flow on curvilinear blocks: the order of its loops and what each is given, on a table that writes down
 * who was called; on the CPU, what a step must keep, and steps against what they follow from: residuals, implicit
 * steps that are short, limiters that were just frozen.   ranks: 1 2   timeout: 300 */
#include "multiblock_flow.h"

#include "solvers/multiblock/host/host_loops.h"
#include "solvers/multiblock/measure/measure.h"
#include "solvers/multiblock/step/freeze.h"
#include "solvers/multiblock/step/halos.h"
#include "solvers/multiblock/step/implicit.h"
#include "solvers/multiblock/plain/residuals.h"
#include "solvers/multiblock/step/stages.h"

/* ---- the order of loops ---- */

static char calls[512];
static triad_multiblock_stage seen[8];
static int n_seen;

static void add(const char *call) { strncat(calls, call, sizeof calls - strlen(calls) - 1); }

static void add_number(const char *call, int a)
{
  char text[16];
  (void)snprintf(text, sizeof text, "%s%d ", call, a);
  add(text);
}

static void on_primitives(triad_multiblock_flow *f) { (void)f, add("primitives "); }
static void on_boundaries(triad_multiblock_flow *f) { (void)f, add("boundaries "); }
static void on_begin(triad_multiblock_flow *f) { (void)f, add("begin "); }
static void on_end(triad_multiblock_flow *f) { (void)f, add("end "); }
static void on_charge(triad_multiblock_flow *f, int phase) { (void)f, (void)phase; }
static void on_steps(triad_multiblock_flow *f, double c)
{
  (void)f, add(c > 0.749 && c < 0.751 ? "steps " : "wrong-steps ");
}
static void on_first(triad_multiblock_flow *f) { (void)f, add("first "); }
static void on_exchange(triad_multiblock_flow *f, int i) { (void)f, add_number("exchange", i); }
static void on_relax(triad_multiblock_flow *f, int from, int to) { (void)f, add_number("relax", 10 * from + to); }
static void on_apply(triad_multiblock_flow *f, int i) { (void)f, add_number("apply", i); }

static void on_derived(triad_multiblock_flow *f, triad_multiblock_places places)
{
  (void)f;
  add(places == TRIAD_MULTIBLOCK_LATE_PLACES ? "derived-late " : "derived ");
}

static void on_sweep(triad_multiblock_flow *f, triad_multiblock_stage *stage, triad_multiblock_tiles tiles)
{
  static const char *const word[] = {"sweep ", "sweep-early ", "sweep-late "};
  (void)f;
  add(word[tiles]);
  if (tiles != TRIAD_MULTIBLOCK_EARLY_TILES) seen[n_seen++] = *stage;
}

static void on_finish(triad_multiblock_flow *f, const triad_multiblock_stage *stage)
{
  (void)f, (void)stage, add("finish ");
}

static const triad_multiblock_loops written_down = {.primitives = on_primitives,
                                                    .boundaries = on_boundaries,
                                                    .begin = on_begin,
                                                    .end = on_end,
                                                    .derived = on_derived,
                                                    .sweep = on_sweep,
                                                    .finish_stage = on_finish,
                                                    .implicit_steps = on_steps,
                                                    .first_change = on_first,
                                                    .exchange_change = on_exchange,
                                                    .relax = on_relax,
                                                    .apply_change = on_apply,
                                                    .charge = on_charge};

static void expect(const char *order)
{
  TRIAD_HOLDS(strcmp(calls, order) == 0, "%s", calls);
  calls[0] = '\0';
}

TRIAD_TEST(tiles_that_need_no_message_are_swept_while_messages_travel)
{
  uint8_t late = 1;
  triad_multiblock_flow f = {.loops = &written_down, .late = &late, .setup.scheme.n_stages = 2};
  triad_multiblock_stages(&f, 0.5, 0);
  expect("sweep finish boundaries begin derived sweep-early end derived-late sweep-late finish boundaries begin "
         "derived end derived-late ");
  f.late = NULL;
  f.setup.scheme.n_stages = 1;
  triad_multiblock_stages(&f, 0.5, 0);
  expect("sweep finish boundaries begin derived end ");
}

TRIAD_TEST(sweeps_of_an_implicit_step_take_turns_in_two_changes)
{
  triad_multiblock_flow f = {.loops = &written_down, .setup = {.implicit = 1, .sweeps = 3}};
  triad_multiblock_implicit_step(&f, 3);
  expect("steps first exchange0 relax1 exchange1 relax12 exchange2 relax21 apply1 primitives boundaries begin derived "
         "end ");
  f.setup.sweeps = 0;
  triad_multiblock_implicit_step(&f, 3);
  expect("steps first apply0 primitives boundaries begin derived end ");
}

TRIAD_TEST(stages_have_the_numbers_of_their_scheme)
{
  triad_multiblock_flow f = {.loops = &written_down};
  f.setup.scheme = (triad_scheme){.n_stages = 2, .stage = {{.start = 1, .rate = 0.5}, {.start = 1, .rate = 1}}};
  n_seen = 0;
  triad_multiblock_stages(&f, 0.7, 0.1);
  TRIAD_EQUAL(n_seen, 2, "stages");
  for (int k = 0; k < 2; k++) {
    TRIAD_EQUAL(seen[k].number, k, "the number of a stage");
    TRIAD_NEAR(seen[k].rate, k ? 1 : 0.5, 0, "its share of the rate");
    TRIAD_NEAR(seen[k].cfl, (triad_real)0.7, 0, "the Courant number");
    TRIAD_NEAR(seen[k].dt, (triad_real)0.1, 0, "the step");
  }
  TRIAD_EQUAL(seen[0].leaves, TRIAD_MULTIBLOCK_PRIMITIVES, "what the first stage leaves");
  TRIAD_EQUAL(seen[1].leaves, TRIAD_MULTIBLOCK_BOTH, "what the last stage leaves");
  f.setup.scheme.stage[1] = (triad_stage){.start = 0.5, .last = 0.5, .rate = 0.5};
  TRIAD_EQUAL(triad_multiblock_leaves_of(&f.setup, 0), TRIAD_MULTIBLOCK_STATE,
              "a stage that the next one goes on from");
  f.setup.implicit = 1;
  f.setup.scheme = (triad_scheme){.n_stages = 1};
  TRIAD_EQUAL(triad_multiblock_leaves_of(&f.setup, 0), TRIAD_MULTIBLOCK_STATE, "an implicit step");
}

/* ---- residuals ---- */

TRIAD_TEST(residuals_are_norms_over_the_first_ones)
{
  triad_multiblock_flow f = {.context = triad_test_now.context, .volume_all = 8, .at.step = 7};
  const int n = triad_test_comm()->size;
  for (int m = 0; m < TRIAD_MULTIBLOCK_FIELDS; m++) {
    f.squares[m] = m == 2 ? 8.0 / n : 2.0 / n; /* norms 1 and 1/2 */
    f.first[m] = m == 2 ? 10 : 5;
  }
  TRIAD_CHECK(triad_multiblock_residuals_sum(&f));
  TRIAD_NEAR(triad_multiblock_residual(&f, 0), 0.1, 1e-14, "of mass");
  TRIAD_NEAR(triad_multiblock_residual(&f, 1), 0.05, 1e-14, "of momentum along x, over the largest of three");
  TRIAD_NEAR(triad_multiblock_residual(&f, 4), 0.1, 1e-14, "of energy");
  f.setup = (triad_multiblock_setup){.steady = 1, .residual = 0.1001};
  TRIAD_HOLDS(triad_multiblock_is_steady(&f), "all are below");
  f.setup.residual = 0.0999;
  TRIAD_HOLDS(!triad_multiblock_is_steady(&f), "one is above");
  f.setup.residual = 0.01;
  TRIAD_NEAR(triad_multiblock_settled(&f), 0.5, 1e-12, "one of two orders of magnitude");
  f.squares[0] = 1e9; /* in a fifth step or later a large residual is no new scale */
  TRIAD_CHECK(triad_multiblock_residuals_sum(&f));
  TRIAD_NEAR(f.first[0], 5, 0, "the first norm, later");
  f.at.step = 4;
  f.squares[0] *= 8;
  TRIAD_CHECK(triad_multiblock_residuals_sum(&f));
  TRIAD_NEAR(f.first[0], f.norm[0], 0, "the first norm, of a start that had next to none");
}

/* ---- steps on the CPU ---- */

#define CPU "parallel.device=\"cpu\""
#define TURNED "grid.blocks=[2,2,2]", "grid.turned=true"

static void copy_state(const test_blocks *o, triad_real *out)
{
  for (int m = 0; m < TRIAD_MULTIBLOCK_FIELDS; m++)
    memcpy(out + m * o->flow->space.memory, o->flow->u[m], (size_t)o->flow->space.memory * sizeof *out);
}

static triad_real *saved_state(const test_blocks *o)
{
  triad_real *u = calloc((size_t)(TRIAD_MULTIBLOCK_FIELDS * o->flow->space.memory), sizeof *u);
  assert_non_null(u);
  copy_state(o, u);
  return u;
}

/* Sum over own cells of all ranks of V (u - before)^2 of an equation; before: NULL for 0. */
static double square_change(const test_blocks *o, const triad_real *before, int m)
{
  const triad_multiblock_flow *f = o->flow;
  double mine = 0, all = 0;
  for (int64_t i = 0; i < f->space.n_runs; i++) {
    triad_space_run run;
    f->space.kind->run(&f->space, i, &run);
    for (int64_t at = run.at; at < run.at + run.count; at++) {
      const double d = (double)(f->u[m][at] - (before ? before[m * f->space.memory + at] : 0));
      mine += (double)f->volume[at] * d * d;
    }
  }
  TRIAD_CHECK(TRIAD_MPI(MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, triad_test_comm()->mpi)));
  return all;
}

/* Of a step of one stage, u - u0 = -dt/V R: the norm of the residual is that of the change over dt. */
TRIAD_TEST(the_residual_is_the_change_of_one_stage_over_its_step)
{
  const char *const sets[] = {"grid.n=[12,10,9]",  TURNED,         "time.scheme=\"rk1\"",
                              "time.steady=false", "time.end=100", NULL};
  test_blocks o = make_flow(sets, CPU);
  triad_real *before = saved_state(&o);
  advance_flow(&o, 0.7, 1);
  const double dt = o.flow->at.dt;
  for (int m = 0; m < TRIAD_MULTIBLOCK_FIELDS; m++)
    TRIAD_NEAR(sqrt(square_change(&o, before, m) / o.flow->volume_all) / dt, o.flow->norm[m], 1e-8, "norm");
  free(before);
  drop_flow(&o);
}

static void find_totals(test_blocks *o, double totals[TRIAD_MULTIBLOCK_TOTALS])
{
  triad_sum sums[TRIAD_MULTIBLOCK_TOTALS];
  double limited;
  for (int i = 0; i < TRIAD_MULTIBLOCK_TOTALS; i++) triad_sum_clear(&sums[i]);
  TRIAD_CHECK(o->flow->loops->totals(o->flow, sums, &limited));
  TRIAD_CHECK(triad_sum_all(triad_test_comm(), sums, TRIAD_MULTIBLOCK_TOTALS, totals));
}

/* In a box of slip walls nothing leaves. */
static void conserved(const char *riemann, const char *scheme)
{
  const char *const sets[] = {"grid.n=[12,10,9]",
                              TURNED,
                              riemann,
                              scheme,
                              "boundaries.patches=[\"*: slip\"]",
                              "solution.kind=\"uniform\"",
                              "solution.mach=0.3",
                              "initial.kind=\"solution\"",
                              "time.steady=false",
                              "time.end=100",
                              NULL};
  test_blocks o = make_flow(sets, CPU);
  double before[TRIAD_MULTIBLOCK_TOTALS], after[TRIAD_MULTIBLOCK_TOTALS];
  find_totals(&o, before);
  advance_flow(&o, 0.7, 3);
  find_totals(&o, after);
  TRIAD_NEAR(after[TRIAD_MULTIBLOCK_ENERGY], before[TRIAD_MULTIBLOCK_ENERGY], 1e-13, "energy");
  TRIAD_NEAR(after[TRIAD_MULTIBLOCK_MASS], before[TRIAD_MULTIBLOCK_MASS], 1e-13, "mass");
  drop_flow(&o);
}

TRIAD_TEST(mass_and_energy_stay_between_slip_walls)
{
  conserved("equations.riemann=\"roe\"", "time.scheme=\"rk2\"");
  conserved("equations.riemann=\"van-leer\"", "time.scheme=\"ssprk3\"");
  conserved("equations.riemann=\"steger-warming\"", "time.scheme=\"rk3\"");
  conserved("equations.riemann=\"ausm+\"", "time.scheme=\"rk1\"");
}

/* Cells of any shape close, so a stream everywhere is steady. */
static void still(const char *scheme, const char *riemann)
{
  const char *const sets[] = {"grid.n=[12,10,9]", TURNED, scheme, riemann, "initial.perturbation=0", NULL};
  test_blocks o = make_flow(sets, CPU);
  triad_real *before = saved_state(&o);
  advance_flow(&o, 0.7, 2);
  for (int m = 0; m < TRIAD_MULTIBLOCK_FIELDS; m++) {
    const double scale = fmax(square_change(&o, NULL, m), m > 0 && m < 4 ? square_change(&o, NULL, 1) : 0);
    TRIAD_WITHIN(square_change(&o, before, m) / scale, 0, 1e-24, "a change of the stream");
  }
  free(before);
  drop_flow(&o);
}

TRIAD_TEST(a_stream_stays_on_skewed_cells)
{
  still("time.scheme=\"rk2\"", "equations.riemann=\"roe\"");
  still("time.scheme=\"ssprk3\"", "equations.riemann=\"van-leer\"");
  still("time.scheme=\"rk1\"", "equations.riemann=\"steger-warming\"");
  still("time.scheme=\"implicit\"", "equations.riemann=\"ausm+\"");
}

/* With next to no Courant number an implicit step is an explicit one of the same local dt. */
TRIAD_TEST(short_implicit_steps_are_explicit)
{
  const char *const one_way[] = {"grid.n=[12,10,9]", TURNED, "time.scheme=\"implicit\"", NULL}, *const other[] = {
                                                                                                  "grid.n=[12,10,9]",
                                                                                                  TURNED,
                                                                                                  "time.scheme=\"rk1\"",
                                                                                                  NULL};
  const double cfl = 1e-5;
  test_blocks a = make_flow(one_way, CPU), b = make_flow(other, CPU);
  triad_real *start = saved_state(&a);
  advance_flow(&a, cfl, 1);
  advance_flow(&b, cfl, 1);
  triad_real *explicit_one = saved_state(&b);
  for (int m = 0; m < TRIAD_MULTIBLOCK_FIELDS; m++)
    TRIAD_WITHIN(sqrt(square_change(&a, explicit_one, m) / square_change(&a, start, m)), 0, 5 * cfl, "difference");
  free(start);
  free(explicit_one);
  drop_flow(&a);
  drop_flow(&b);
}

/* Of the cell alone, without what its neighbours' changes do, an implicit step is cfl/(1 + cfl) of the explicit one. */
TRIAD_TEST(without_sweeps_an_implicit_step_is_shortened)
{
  const char *const one_way[] = {"grid.n=[12,10,9]", TURNED, "time.scheme=\"implicit\"", NULL}, *const other[] = {
                                                                                                  "grid.n=[12,10,9]",
                                                                                                  TURNED,
                                                                                                  "time.scheme=\"rk1\"",
                                                                                                  NULL};
  test_blocks a = make_flow(one_way, CPU), b = make_flow(other, CPU);
  a.flow->setup.sweeps = 0;
  triad_real *start = saved_state(&a);
  advance_flow(&a, 0.25, 1);
  advance_flow(&b, 0.2, 1);
  triad_real *explicit_one = saved_state(&b);
  for (int m = 0; m < TRIAD_MULTIBLOCK_FIELDS; m++)
    TRIAD_WITHIN(sqrt(square_change(&a, explicit_one, m) / square_change(&a, start, m)), 0, 1e-8, "difference");
  free(start);
  free(explicit_one);
  drop_flow(&a);
  drop_flow(&b);
}

/* Parts of limiters that were frozen in a state give its own slopes; frozen again from that state, they are the same,
 * wherever the flow is by then. */
TRIAD_TEST(limiters_that_were_just_frozen_change_nothing)
{
  const char *const sets[] = {"grid.n=[12,10,9]", TURNED, "time.limiter_freeze=1e-6", "time.scheme=\"rk1\"", NULL};
  test_blocks a = make_flow(sets, CPU), b = make_flow(sets, CPU);
  TRIAD_CHECK(triad_multiblock_freeze(a.flow));
  triad_real *start = saved_state(&a);
  advance_flow(&a, 0.7, 1);
  advance_flow(&b, 0.7, 1);
  triad_real *not_frozen = saved_state(&b);
  for (int m = 0; m < TRIAD_MULTIBLOCK_FIELDS; m++)
    TRIAD_WITHIN(sqrt(square_change(&a, not_frozen, m) / square_change(&a, start, m)), 0, 1e-9,
                 "in a step of one stage");
  triad_real *here = saved_state(&b);
  for (int m = 0; m < TRIAD_MULTIBLOCK_FIELDS; m++)
    memcpy(b.flow->frozen_u[m], a.flow->frozen_u[m], (size_t)a.flow->space.memory * sizeof(triad_real));
  TRIAD_CHECK(triad_multiblock_freeze_again(b.flow));
  int different = 0;
  const triad_space *s = &a.flow->space;
  for (int64_t i = 0; i < s->n_runs; i++) {
    triad_space_run run;
    s->kind->run(s, i, &run);
    for (int axis = 0; axis < 3; axis++)
      for (int m = 0; m < TRIAD_MULTIBLOCK_FIELDS; m++)
        different += memcmp(a.flow->kept[axis][m] + run.at, b.flow->kept[axis][m] + run.at,
                            (size_t)run.count * sizeof(triad_real)) != 0;
  }
  TRIAD_EQUAL(different, 0, "rows whose parts differ");
  for (int m = 0; m < TRIAD_MULTIBLOCK_FIELDS; m++)
    TRIAD_WITHIN(square_change(&b, here, m), 0, 0, "the state after freezing again");
  free(start);
  free(not_frozen);
  free(here);
  drop_flow(&a);
  drop_flow(&b);
}

/* What a stage finds of rates is what a new state of the same cells has. */
TRIAD_TEST(a_restart_goes_on_bit_for_bit)
{
  const char *const sets[] = {"grid.n=[12,10,9]", TURNED, "time.steady=false", "time.end=100", NULL};
  test_blocks a = make_flow(sets, CPU), b = make_flow(sets, CPU);
  advance_flow(&a, 0.7, 2);
  for (int m = 0; m < TRIAD_MULTIBLOCK_FIELDS; m++)
    memcpy(b.flow->u[m], a.flow->u[m], (size_t)a.flow->space.memory * sizeof(triad_real));
  b.flow->at = a.flow->at;
  TRIAD_CHECK(triad_multiblock_refresh(b.flow));
  TRIAD_NEAR(b.flow->loops->largest_rate(b.flow), a.flow->loops->largest_rate(a.flow), 0, "the largest rate");
  advance_flow(&a, 0.7, 2);
  advance_flow(&b, 0.7, 2);
  triad_real *there = saved_state(&b);
  for (int m = 0; m < TRIAD_MULTIBLOCK_FIELDS; m++) TRIAD_WITHIN(square_change(&a, there, m), 0, 0, "difference");
  free(there);
  drop_flow(&a);
  drop_flow(&b);
}

/* A cell without pressure ends the run on all ranks, and the rank that has it knows where it is. */
TRIAD_TEST(a_cell_without_pressure_is_found)
{
  const char *const sets[] = {"grid.n=[12,10,9]", NULL};
  test_blocks o = make_flow(sets, CPU);
  triad_multiblock_flow *f = o.flow;
  triad_space_run run;
  triad_step step = {.cfl = 0.7, .land_on = INFINITY};
  const int mine = triad_test_comm()->rank == triad_test_comm()->size - 1;
  f->space.kind->run(&f->space, 0, &run);
  if (mine) f->u[4][run.at + 3] = -1;
  TRIAD_CHECK(triad_multiblock_refresh(f));
  TRIAD_EQUAL(f->bad, mine, "bad cells");
  TRIAD_EQUAL(f->bad_place, mine ? run.global + 3 : -1, "the place of the bad cell");
  TRIAD_FAILS(triad_multiblock_advance(f, &step), TRIAD_ERR_BLOWUP, "");
  drop_flow(&o);
}

TRIAD_MAIN
