/* The public interface: a wrong call is a status on every rank, with a reason, and does no harm.
 * ranks: 1 2 3 7   precision: both */
#include "public.h"

#include "fft/public/triad.h"

#define REFUSED(call, code, part) refused((call), (code), (part), #call, __LINE__)
static void refused(int status, int code, const char *part, const char *call, int line)
{
  if (status != code || !strstr(triad_plan_message(), part))
    triad_test_fail(__FILE__, line, "%s returned %d and said \"%s\", expected %d and \"%s\"", call, status,
                    triad_plan_message(), code, part);
}

TRIAD_TEST(wrong_plans_are_refused_with_a_reason)
{
  const triad_plan_options good = options_of(&samples[0], 1);
  triad_plan *plan = (triad_plan *)&samples;
  triad_plan_options o;
  REFUSED(triad_plan_create(&plan, MPI_COMM_NULL, &good), TRIAD_PLAN_BAD_CALL, "MPI_COMM_NULL");
  TRIAD_HOLDS(plan == NULL, "a failing create clears the pointer");
  REFUSED(triad_plan_create(NULL, MPI_COMM_WORLD, &good), TRIAD_PLAN_BAD_CALL, "NULL");
  REFUSED(triad_plan_create(&plan, MPI_COMM_WORLD, NULL), TRIAD_PLAN_BAD_CALL, "options");
#define WITH(member, number) (o = good, o.member = number, triad_plan_create(&plan, MPI_COMM_WORLD, &o))
  REFUSED(WITH(n[1], 0), TRIAD_PLAN_BAD_GRID, "0 points along y");
  REFUSED(WITH(n[2], -4), TRIAD_PLAN_BAD_GRID, "points along z");
  REFUSED(WITH(n[0], INT64_MAX), TRIAD_PLAN_BAD_GRID, "points along x");
  REFUSED(WITH(length[0], 0), TRIAD_PLAN_BAD_GRID, "along x");
  REFUSED(WITH(length[1], NAN), TRIAD_PLAN_BAD_GRID, "along y");
  REFUSED(WITH(length[2], INFINITY), TRIAD_PLAN_BAD_GRID, "along z");
  REFUSED(WITH(truncation, 3), TRIAD_PLAN_BAD_CALL, "truncation");
  REFUSED(WITH(precision, -1), TRIAD_PLAN_BAD_CALL, "precision");
  REFUSED(WITH(most_in, -1), TRIAD_PLAN_BAD_CALL, "most_in");
  REFUSED(WITH(most_out, 129), TRIAD_PLAN_BAD_CALL, "most_out");
  REFUSED(WITH(threads, -2), TRIAD_PLAN_BAD_CALL, "threads");
  REFUSED(WITH(nstreams, -1), TRIAD_PLAN_BAD_CALL, "nstreams");
  o = good;
  o.most_in = o.most_out = 0;
  REFUSED(triad_plan_create(&plan, MPI_COMM_WORLD, &o), TRIAD_PLAN_BAD_CALL, "both 0");
  /* one rank alone is wrong, or asks for something else: all are told the same */
  int last = triad_test_comm()->rank == triad_test_comm()->size - 1;
  REFUSED(WITH(n[1], last ? 0 : good.n[1]), TRIAD_PLAN_BAD_GRID, "0 points along y");
  if (triad_test_comm()->size > 1) {
    REFUSED(WITH(n[1], last ? good.n[1] + 1 : good.n[1]), TRIAD_PLAN_BAD_CALL, "disagree on n along y");
    REFUSED(WITH(length[2], last ? 3 : 4), TRIAD_PLAN_BAD_CALL, "disagree on the length along z");
    REFUSED(WITH(threads, last ? 1 : 2), TRIAD_PLAN_BAD_CALL, "disagree on threads");
    REFUSED(triad_plan_create(last ? NULL : &plan, MPI_COMM_WORLD, &good), TRIAD_PLAN_BAD_CALL, "rank");
    MPI_Comm half, both;
    int odd = triad_test_comm()->rank % 2;
    assert_int_equal(MPI_Comm_split(MPI_COMM_WORLD, odd, 0, &half), MPI_SUCCESS);
    assert_int_equal(MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - odd, 9, &both), MPI_SUCCESS);
    REFUSED(triad_plan_create(&plan, both, &good), TRIAD_PLAN_BAD_CALL, "two groups");
    (void)MPI_Comm_free(&both);
    (void)MPI_Comm_free(&half);
  }
  TRIAD_HOLDS(plan == NULL, "no plan was made");
}

TRIAD_TEST(wrong_calls_are_refused_with_a_reason_and_the_plan_lives_on)
{
  triad_plan *plan = plan_of(&samples[0], 2); /* 12 planes and many columns: every rank has some of both */
  const triad_plan_share *s = triad_plan_query(plan);
  triad_real *u = points_of(plan);
  triad_cplx *uk = modes_of(plan), *vk = modes_of(plan);
  const void *from[3] = {u, u, u}, *holes[2] = {u, NULL};
  void *to[3] = {uk, vk, NULL}, *twice[2] = {uk, uk + 1};
  int last = s->rank == s->size - 1;
  REFUSED(triad_plan_forward(NULL, 1, from, to), TRIAD_PLAN_BAD_CALL, "plan");
  REFUSED(triad_plan_forward(plan, 3, from, to), TRIAD_PLAN_BAD_CALL, "3 physical fields");
  REFUSED(triad_plan_forward(plan, -1, from, to), TRIAD_PLAN_BAD_CALL, "-1");
  REFUSED(triad_plan_forward(plan, 1, NULL, to), TRIAD_PLAN_BAD_CALL, "physical fields is NULL");
  REFUSED(triad_plan_forward(plan, 1, from, NULL), TRIAD_PLAN_BAD_CALL, "spectral fields is NULL");
  REFUSED(triad_plan_forward(plan, 2, last ? holes : from, to), TRIAD_PLAN_BAD_CALL, "number 1 of the physical");
  REFUSED(triad_plan_forward(plan, 2, from, twice), TRIAD_PLAN_BAD_CALL, "overlap");
  if (s->size > 1) {
    REFUSED(triad_plan_forward(plan, last ? 1 : 2, from, to), TRIAD_PLAN_BAD_CALL, "disagree on the number");
    const void *back_from[1] = {uk};
    void *back_to[1] = {u};
    REFUSED(last ? triad_plan_forward(plan, 1, from, to) : triad_plan_backward(plan, 1, back_from, back_to),
            TRIAD_PLAN_BAD_CALL, "disagree on what to run");
  }
  TRIAD_EQUAL(triad_plan_forward(plan, 0, NULL, NULL), TRIAD_PLAN_OK, "no field is no work");

  triad_plan_work work = {.n_in = 2, .n_out = 1, .in = (const void *[]){uk, vk}, .out = to, .points = multiply};
  triad_plan_work bad = work;
  REFUSED(triad_plan_pass(NULL, &work), TRIAD_PLAN_BAD_CALL, "plan");
  REFUSED(triad_plan_pass(plan, NULL), TRIAD_PLAN_BAD_CALL, "work");
  REFUSED(triad_plan_pass(plan, last ? NULL : &work), TRIAD_PLAN_BAD_CALL, "work");
  bad.points = NULL;
  REFUSED(triad_plan_pass(plan, &bad), TRIAD_PLAN_BAD_CALL, "points function");
  bad = work;
  bad.n_in = 3;
  REFUSED(triad_plan_pass(plan, &bad), TRIAD_PLAN_BAD_CALL, "3 inputs");
  bad.n_in = 2;
  bad.n_out = 2;
  bad.out = twice;
  REFUSED(triad_plan_pass(plan, &bad), TRIAD_PLAN_BAD_CALL, "overlap");
  double peaks[TRIAD_PLAN_PEAKS];
  bad = work;
  if (last) bad.peaks = peaks;
  if (s->size > 1) REFUSED(triad_plan_pass(plan, &bad), TRIAD_PLAN_BAD_CALL, "asking for peaks");

  fill_physical(plan, 8, u);
  call_forward(plan, u, uk);
  TRIAD_EQUAL(*triad_plan_message(), 0, "the message is gone after a good call");
  free(u);
  free(uk);
  free(vk);
  triad_plan_destroy(&plan);
}

TRIAD_TEST(nothing_is_accepted_where_nothing_can_be)
{
  triad_plan *none = NULL;
  double seconds[TRIAD_PLAN_PHASES] = {1};
  triad_plan_destroy(NULL);
  triad_plan_destroy(&none);
  triad_plan_phases(NULL, seconds);
  TRIAD_NEAR(seconds[0], 0, 0, "seconds of no plan");
  TRIAD_HOLDS(triad_plan_query(NULL) == NULL, "the share of no plan");
  TRIAD_EQUAL(triad_plan_find(NULL, 0, 0, 0, NULL), 0, "a mode of no plan");
  TRIAD_EQUAL(triad_plan_memory(NULL), 0, "bytes of no plan");
  TRIAD_HOLDS(*triad_plan_version() >= '0' && *triad_plan_version() <= '9', "version %s", triad_plan_version());
}

TRIAD_MAIN
