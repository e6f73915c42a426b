/* The public interface's pass is exact, and the same on any communicator, in either precision.
 * ranks: 1 2 3 7   threads: 1 2   precision: both */
#include "public.h"

#include "fft/public/triad.h"

typedef struct settings {
  int settled, answer;
  double seen;
} settings;

static int settle(void *user, const double *peaks)
{
  settings *s = user;
  s->settled++;
  s->seen = peaks[0];
  return s->answer;
}

/* Two waves whose wavenumbers add up to one outside the truncation and subtract to one inside. */
static void set_wave(const triad_plan *plan, const int64_t k[3], triad_cplx *uk)
{
  const triad_plan_share *s = triad_plan_query(plan);
  triad_plan_mode m;
  memset(uk, 0, (size_t)s->modes * sizeof *uk);
  assert_int_equal(triad_plan_find(plan, k[0], k[1], k[2], &m), 1);
  if (m.rank != s->rank) return;
  uk[m.place] = (triad_cplx){1, m.conjugate ? -1 : 1};
  if (m.mirror >= 0) uk[m.mirror] = (triad_cplx){uk[m.place].re, -uk[m.place].im};
}

/* 2 Re[(1 + i) e(a)] 2 Re[(1 + i) e(b)] = 2 Re[2i e(a + b)] + 2 Re[2 e(a - b)], with e(k) = exp(i k.x). */
TRIAD_TEST(products_are_exact_in_every_kept_mode)
{
  static const struct {
    int64_t n[3], a[3], b[3];
  } cases[] = {{{16, 16, 16}, {5, 0, 0}, {4, 0, 0}},
               {{13, 17, 10}, {2, -3, 1}, {1, -4, 0}},
               {{16, 11, 23}, {0, 1, 6}, {0, 2, 4}},
               {{9, 16, 3}, {-1, 4, 0}, {1, 4, 0}},
               {{15, 16, 14}, {0, 0, 4}, {0, 0, 3}}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sample s = {{cases[i].n[0], cases[i].n[1], cases[i].n[2]}, TRIAD_PLAN_SPHERE};
    triad_plan *plan = plan_of(&s, 2);
    const triad_plan_share *share = triad_plan_query(plan);
    triad_cplx *u = modes_of(plan), *v = modes_of(plan), *expected = modes_of(plan);
    set_wave(plan, cases[i].a, u);
    set_wave(plan, cases[i].b, v);
    for (int sum = 0; sum < 2; sum++) {
      int64_t k[3];
      for (int d = 0; d < 3; d++) k[d] = cases[i].a[d] + (sum ? cases[i].b[d] : -cases[i].b[d]);
      triad_plan_mode m;
      if (!triad_plan_find(plan, k[0], k[1], k[2], &m) || m.rank != share->rank) continue;
      triad_real sign = m.conjugate ? -1 : 1;
      expected[m.place] = (triad_cplx){sum ? 0 : 2, sum ? 2 * sign : 0};
      if (m.mirror >= 0) expected[m.mirror] = (triad_cplx){expected[m.place].re, -expected[m.place].im};
    }
    double peaks[TRIAD_PLAN_PEAKS];
    /* the result takes the place of an input */
    triad_plan_work work = {
      .n_in = 2, .n_out = 1, .in = (const void *[]){u, v}, .out = (void *[]){u}, .points = multiply, .peaks = peaks};
    TRIAD_EQUAL(triad_plan_pass(plan, &work), TRIAD_PLAN_OK, "the pass");
    for (int64_t p = 0; p < share->modes; p++) {
      TRIAD_WITHIN(u[p].re, expected[p].re, 100 * TRIAD_EPSILON, name_of(&s)); /* |u v| <= 8 */
      TRIAD_WITHIN(u[p].im, expected[p].im, 100 * TRIAD_EPSILON, name_of(&s));
    }
    TRIAD_NEAR(peaks[1], (share->n[2] - 1) * 1000 + share->n[1] - 1, 0, "the last row was visited, on all ranks");
    TRIAD_HOLDS(isinf(peaks[2]) && peaks[2] < 0, "a peak never raised is %g", peaks[2]);
    free(u);
    free(v);
    free(expected);
    triad_plan_destroy(&plan);
  }
}

TRIAD_TEST(settle_sees_the_peaks_of_all_ranks_and_can_end_the_pass)
{
  triad_plan *plan = plan_of(&samples[2], 2);
  const triad_plan_share *s = triad_plan_query(plan);
  triad_cplx *u = modes_of(plan), *v = modes_of(plan), *out = modes_of(plan);
  double peaks[TRIAD_PLAN_PEAKS] = {0};
  settings user = {0};
  set_wave(plan, (const int64_t[]){1, 0, 0}, u);
  set_wave(plan, (const int64_t[]){0, 0, 0}, v);
  if (triad_test_comm()->rank == 0) v[0] = (triad_cplx){(triad_real)2.5, 7}; /* the mean is real: 7 has no effect */
  memset(out, 0x55, (size_t)s->modes * sizeof *out);
  triad_cplx *before = array(s->modes, sizeof *before);
  memcpy(before, out, (size_t)s->modes * sizeof *out);
  triad_plan_work work = {.n_in = 2,
                          .n_out = 1,
                          .in = (const void *[]){u, v},
                          .out = (void *[]){out},
                          .points = multiply,
                          .settle = settle,
                          .peaks = peaks,
                          .user = &user};
  /* one rank's answer ends it for all */
  user.answer = s->rank == s->size - 1 ? 42 : 0;
  TRIAD_EQUAL(triad_plan_pass(plan, &work), 42, "settle's code");
  TRIAD_HOLDS(strstr(triad_plan_message(), "42"), "the message is \"%s\"", triad_plan_message());
  TRIAD_EQUAL(user.settled, 1, "calls of settle");
  TRIAD_EQUAL(memcmp(before, out, (size_t)s->modes * sizeof *out), 0, "results changed though the pass was ended");
  user.answer = -3;
  TRIAD_EQUAL(triad_plan_pass(plan, &work), TRIAD_PLAN_BAD_CALL, "a negative code");

  /* max over the grid of 2.5 (2 cos - 2 sin)(x) */
  double most = 0;
  for (int64_t x = 0; x < s->n[0]; x++) {
    double phase = two_pi * (double)x / (double)s->n[0];
    most = fmax(most, fabs(2.5 * 2 * (cos(phase) - sin(phase))));
  }
  user.answer = 0;
  TRIAD_EQUAL(triad_plan_pass(plan, &work), TRIAD_PLAN_OK, "the pass");
  TRIAD_EQUAL(*triad_plan_message(), 0, "no message after success");
  TRIAD_NEAR(user.seen, most, 20 * TRIAD_EPSILON, "the peak in settle");
  TRIAD_NEAR(peaks[0], user.seen, 0, "the peak that came back");

  /* a NaN on one rank reaches all */
  if (s->rank == 0) v[0].re = (triad_real)NAN;
  TRIAD_EQUAL(triad_plan_pass(plan, &work), TRIAD_PLAN_OK, "the pass");
  TRIAD_HOLDS(isnan(user.seen) && isnan(peaks[0]), "peaks of a field with NaN: %g, %g", user.seen, peaks[0]);
  TRIAD_HOLDS(!isnan(peaks[1]), "a peak without NaN: %g", peaks[1]);
  free(u);
  free(v);
  free(out);
  free(before);
  triad_plan_destroy(&plan);
}

TRIAD_TEST(reproducible_plans_give_the_same_bits_on_any_communicator_threads_and_streams)
{
  const sample s = {{20, 18, 15}, TRIAD_PLAN_SPHERE};
  triad_plan *world = plan_of(&s, 1), *alone = NULL;
  triad_plan_options o = options_of(&s, 1);
  o.threads = 1 + triad_test_context()->threads;
  o.nstreams = 3;
  TRIAD_EQUAL(triad_plan_create(&alone, MPI_COMM_SELF, &o), TRIAD_PLAN_OK, "a plan on MPI_COMM_SELF");
  triad_real *u = points_of(world), *all = points_of(alone);
  triad_cplx *uk = modes_of(world), *allk = modes_of(alone);
  fill_physical(world, 5, u);
  fill_physical(alone, 5, all);
  call_forward(world, u, uk);
  call_forward(alone, all, allk);
  const triad_plan_share *w = triad_plan_query(world), *a = triad_plan_query(alone);
  int64_t different = 0;
  for (int64_t c = 0; c < w->columns; c++)
    for (int64_t j = 0; j < w->nkz; j++) {
      triad_plan_mode m;
      if (!triad_plan_find(alone, w->kx[c], w->ky[c], w->kz[j], &m)) continue;
      different += memcmp(&uk[triad_plan_place(w, c, j)], &allk[m.place], sizeof *uk) != 0;
    }
  TRIAD_EQUAL(different, 0, "modes that differ");
  call_backward(world, uk, u);
  call_backward(alone, allk, all);
  size_t offset = (size_t)(w->first_plane * w->n[1] * w->n[0]);
  TRIAD_EQUAL(a->points, w->n[0] * w->n[1] * w->n[2], "one rank has all points");
  TRIAD_EQUAL(memcmp(u, all + offset, (size_t)w->points * sizeof *u), 0, "points that differ");
  free(u);
  free(all);
  free(uk);
  free(allk);
  triad_plan_destroy(&world);
  triad_plan_destroy(&alone);
}

TRIAD_TEST(groups_of_ranks_work_apart_each_on_its_own_grid)
{
  int rank = triad_test_comm()->rank, colour = rank % 2;
  MPI_Comm half;
  assert_int_equal(MPI_Comm_split(MPI_COMM_WORLD, colour, -rank, &half), MPI_SUCCESS); /* in reverse order */
  const sample s = {{colour ? 12 : 9, 10, colour ? 5 : 8}, TRIAD_PLAN_BOX};
  triad_plan *plan = NULL;
  triad_plan_options o = options_of(&s, 1);
  TRIAD_EQUAL(triad_plan_create(&plan, half, &o), TRIAD_PLAN_OK, "a plan on half the ranks");
  (void)MPI_Comm_free(&half); /* the plan has its own */
  const triad_plan_share *share = triad_plan_query(plan);
  triad_real *u = points_of(plan);
  triad_cplx *uk = modes_of(plan);
  fill_physical(plan, 6, u);
  for (int repeat = 0; repeat <= colour; repeat++) call_forward(plan, u, uk); /* not in step with the other half */
  double re, im;
  slow_coefficient(share, 6, (const int64_t[]){1, -2, 1}, &re, &im);
  triad_plan_mode m;
  TRIAD_EQUAL(triad_plan_find(plan, 1, -2, 1, &m), 1, "mode (1, -2, 1) is kept");
  if (m.rank == share->rank) {
    TRIAD_WITHIN(uk[m.place].re, re, 20 * TRIAD_EPSILON, "u(1, -2, 1)");
    TRIAD_WITHIN(uk[m.place].im, m.conjugate ? -im : im, 20 * TRIAD_EPSILON, "u(1, -2, 1)");
  }
  free(u);
  free(uk);
  triad_plan_destroy(&plan);
}

TRIAD_TEST(both_precisions_live_in_one_program)
{
  triad_plan *plans[2];
  triad_plan_options o = options_of(&samples[1], 1);
  double sums[2];
  for (int p = 0; p < 2; p++) {
    o.precision = p == 0 ? TRIAD_PLAN_DOUBLE : TRIAD_PLAN_SINGLE;
    TRIAD_EQUAL(triad_plan_create(&plans[p], MPI_COMM_WORLD, &o), TRIAD_PLAN_OK, "create");
  }
  for (int p = 0; p < 2; p++) {
    const triad_plan_share *s = triad_plan_query(plans[p]);
    void *u = array(s->points, 8), *uk = array(s->modes, 16);
    for (int64_t i = 0; i < s->points; i++) {
      double value = triad_test_random(7, (uint64_t)(i + s->first_plane * s->n[0] * s->n[1]));
      if (p == 0) ((double *)u)[i] = value;
      else ((float *)u)[i] = (float)value;
    }
    TRIAD_EQUAL(triad_plan_forward(plans[p], 1, (const void *[]){u}, (void *[]){uk}), TRIAD_PLAN_OK, "forward");
    double mine = 0;
    for (int64_t c = 0; c < s->columns; c++)
      for (int64_t j = 0; j < s->nkz; j++) {
        int64_t at = 2 * triad_plan_place(s, c, j);
        double re = p == 0 ? ((double *)uk)[at] : (double)((float *)uk)[at];
        double im = p == 0 ? ((double *)uk)[at + 1] : (double)((float *)uk)[at + 1];
        mine += s->weight[c] * (re * re + im * im);
      }
    sums[p] = total(mine);
    free(u);
    free(uk);
    triad_plan_destroy(&plans[p]);
  }
  TRIAD_NEAR(sums[1], sums[0], 20 * (double)FLT_EPSILON, "sum |u_k|^2 in single and double");
}

TRIAD_TEST(phases_are_counted_and_named)
{
  triad_plan *plan = plan_of(&samples[0], 1);
  double seconds[TRIAD_PLAN_PHASES], sum = 0;
  triad_real *u = points_of(plan);
  triad_cplx *uk = modes_of(plan);
  call_forward(plan, u, uk);
  triad_plan_phases(plan, seconds);
  for (int i = 0; i < TRIAD_PLAN_PHASES; i++) {
    TRIAD_HOLDS(seconds[i] >= 0 && *triad_plan_phase_name(i), "phase %d: %g s", i, seconds[i]);
    sum += seconds[i];
  }
  TRIAD_HOLDS(sum > 0, "the transform took %g s", sum);
  triad_plan_phases(plan, seconds);
  for (int i = 0; i < TRIAD_PLAN_PHASES; i++) TRIAD_NEAR(seconds[i], 0, 0, "seconds since the last call");
  TRIAD_EQUAL(*triad_plan_phase_name(-1) + *triad_plan_phase_name(TRIAD_PLAN_PHASES), 0, "phases that are none");
  free(u);
  free(uk);
  triad_plan_destroy(&plan);
}

TRIAD_MAIN
