/* GPUs that share planes, by a GPU that is the host (tests/help/fake): fields after a step are those of one GPU, to
 * the last bit, whatever the split and the transport; so is the step's length. What overlaps is for tests/gpu/gpus.py.
 * ranks: 2 6   timeout: 300 */
#include "flow.h"

#define COMMON \
  "[grid]\nlength = [6.3, 3.5, 9.75]\n[initial]\nkind = \"random\"\nwavenumber = 3\nseed = 5\n" \
  "[time]\nend = 1\n[parallel]\ndevice = \"gpu\"\nreproducible = true\n"
static const char hd[] = COMMON "[equations]\nviscosity = 0.02\nsolver = \"hd\"\nscalars = [0.01]\n";
static const char boussinesq[] =
  COMMON "[equations]\nviscosity = 0.02\nsolver = \"boussinesq\"\nbuoyancy_frequency = 2.0\n";
static const char mhd[] = COMMON "[equations]\nviscosity = 0.02\nsolver = \"mhd\"\nresistivity = 0.02\nhall = 0.1\n";
static const char gpe[] =
  "[grid]\nlength = [6.3, 3.5, 9.75]\n[initial]\nkind = \"plane-waves\"\nwaves = [1, 0, 0, 0.1, 0, -1, 1, 1, 0.2, 0]\n"
  "[time]\nend = 1\ndt = 0.001\n[parallel]\ndevice = \"gpu\"\nreproducible = true\n"
  "[equations]\nsolver = \"gpe\"\nsound_speed = 1.0\nhealing_length = 0.4\n";

static triad_flow *advanced(test_flow *f)
{
  const double dt = strcmp(f->flow->equations->name, "gpe") == 0 ? 0.001 : 0; /* elsewhere it follows from the flow */
  triad_step step = {.dt = dt, .cfl = 0.5, .land_on = INFINITY};
  TRIAD_CHECK(triad_stepper_advance(f->flow->stepper, f->flow, &step));
  TRIAD_CHECK(triad_state_read_all(f->flow->state, TRIAD_HOST));
  return f->flow;
}

/* The largest difference between this rank's modes and those of one rank. */
static double off(const triad_flow *parts, const triad_flow *whole)
{
  const triad_layout *l = parts->layout;
  double most = 0;
  for (int f = 0; f < parts->shape.n_fields; f++)
    for (int64_t c = 0; c < l->n_columns; c++)
      for (int64_t j = 0; j < l->nkz; j++) {
        if (!test_kept(l, c, j)) continue;
        const int64_t there = test_place_in(whole->layout, l, c, j);
        assert_true(there >= 0);
        const triad_cplx a = parts->u[f][triad_layout_place(l, c, j)], b = whole->u[f][there];
        most = fmax(most, fmax(fabs(a.re - b.re), fabs(a.im - b.im)));
      }
  return most;
}

/* `limit`: what they may differ by. more: up to four sets, NULL behind them. */
static void check(const char *text, const char *grid, const char *transport, int group, double limit,
                  const char *const *more)
{
  char split[64], carried[64];
  const char *all[8] = {grid};
  triad_context *alone = test_alone();
  int n = 1;
  (void)snprintf(split, sizeof split, "parallel.split=[%d,%d]", triad_test_comm()->size / group, group);
  (void)snprintf(carried, sizeof carried, "parallel.transport=\"%s\"", transport);
  for (int i = 0; more[i]; i++) all[n++] = more[i];
  test_flow whole = test_flow_make(alone, text, all);
  all[n++] = split;
  all[n++] = carried;
  test_flow parts = test_flow_make(test_together(), text, all);
  assert_non_null(parts.flow->device);
  TRIAD_EQUAL(parts.flow->layout->group, group, split);
  const double most = off(advanced(&parts), advanced(&whole));
  TRIAD_HOLDS(most <= limit, "%s, %s, %s, %s: off by %.3g", grid, more[0] ? more[0] : "", split, transport, most);
  TRIAD_NEAR(parts.flow->at.t, whole.flow->at.t, limit, "the time");
  test_flow_free(&parts);
  test_flow_free(&whole);
  triad_context_destroy(&alone);
}

#define CHECK(text, grid, transport, group, limit, ...) \
  check(text, "grid.n=" grid, transport, group, limit, (const char *[]){__VA_ARGS__, NULL})
#define SHIFTED "grid.dealiasing=\"phase-shift\""

/* All ways to make groups of these ranks. */
static int next_group(int group)
{
  const int size = triad_test_comm()->size;
  do group++;
  while (group <= size && size % group != 0);
  return group <= size ? group : 0;
}

TRIAD_TEST(fluids_are_those_of_one_gpu)
{
  for (int g = 1; (g = next_group(g)) > 0;) {
    CHECK(hd, "[32,8,4]", "put", g, 0, NULL);
    CHECK(hd, "[8,32,5]", "put", g, 0, SHIFTED); /* at times groups without planes, and ranks without lines or rows */
  }
}

TRIAD_TEST(other_sets_are_those_of_one_gpu)
{
  const int g = triad_test_comm()->size == 6 ? 3 : 2;
  CHECK(boussinesq, "[32,8,6]", "put", g, 0, "time.scheme=\"rk3\"", SHIFTED, "grid.shifts=\"exact\"");
  CHECK(mhd, "[32,8,6]", "put", g, 0, "time.scheme=\"rk2\"");
  CHECK(gpe, "[16,12,8]", "put", g, 0, "time.scheme=\"rk4\"");
  CHECK(gpe, "[16,12,8]", "put", g, 0, "time.scheme=\"split2\"", "grid.truncation=\"none\"");
}

/* Chunks in flight fewer than steps of a pass, and more than there are chunks. */
TRIAD_TEST(any_number_of_chunks_in_flight)
{
  const int size = triad_test_comm()->size;
  CHECK(hd, "[8,8,16]", "put", size, 0, "parallel.nstreams=1");
  CHECK(hd, "[8,8,16]", "put", 2, 0, "parallel.nstreams=2");
  CHECK(hd, "[8,8,16]", "put", 2, 0, "parallel.nstreams=3");
}

TRIAD_TEST(every_transport_brings_the_same)
{
  static const char *const words[] = {"nccl", "ipc", "staged", "auto"};
  for (int i = 0; i < 4; i++) CHECK(hd, "[8,8,9]", words[i], 2, 0, NULL);
}

/* A force whose formula is worked out at points knows where its rows lie. */
TRIAD_TEST(forces_at_points_know_their_rows)
{
  CHECK(hd, "[8,12,9]", "put", triad_test_comm()->size, 0, "forcing.kind=\"formula\"",
        "forcing.u=\"sin(2*pi*y/3.5*z) + u*v\"");
  /* within lines along x, of rows in pieces */
  CHECK(hd, "[32,12,9]", "put", triad_test_comm()->size, 0, "forcing.kind=\"formula\"",
        "forcing.w=\"sin(2*pi*y/3.5*z + x*t) + u*v*cos(y*x)\"");
}

/* Of an odd number of rows the last of a plane shares a line with the first of the next: which, depends on who has
 * them, and lines of two rows round by eps log2 n of both. */
TRIAD_TEST(an_odd_number_of_rows_is_the_same_to_round_off)
{
  CHECK(hd, "[16,21,9]", "put", triad_test_comm()->size, 1e-14, NULL);
}

TRIAD_TEST(particles_of_shared_planes_are_refused)
{
  static const char more[] = "[[particles]]\nname = \"a\"\ncount = 5\n";
  char text[sizeof hd + sizeof more];
  triad_case *given = NULL;
  triad_flow *flow = NULL;
  const char *const sets[] = {"grid.n=[8,8,8]", "parallel.split=[1,0]"};
  (void)snprintf(text, sizeof text, "%s%s", hd, more);
  TRIAD_CHECK(triad_case_parse(&given, "test", text, strlen(text), sets, 2));
  TRIAD_FAILS(triad_flow_create(&flow, test_together(), given, NULL), TRIAD_ERR_FEATURE, ""); /* rank 0 has said why */
  triad_case_destroy(&given);
}
TRIAD_MAIN
