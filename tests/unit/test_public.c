/* The public interface, triad.h: what it says about ownership is true, its transforms are the formulae, its pass is
 * exact, and a wrong call is a status on every rank.   ranks: 1 2 3 7   threads: 1 2   precision: both */
#include "test.h"

#include "fft/public/triad.h"

static const double two_pi = 6.283185307179586476925286766559;

#ifdef TRIAD_SINGLE
enum { PRECISION = TRIAD_PLAN_SINGLE };
#else
enum { PRECISION = TRIAD_PLAN_DOUBLE };
#endif

typedef struct sample {
  int64_t n[3];
  int truncation;
} sample;

/* odd, even, anisotropic, flat and tiny grids; fewer planes than ranks */
static const sample samples[] = {
    {{12, 12, 12}, TRIAD_PLAN_SPHERE}, {{15, 9, 11}, TRIAD_PLAN_SPHERE}, {{10, 14, 7}, TRIAD_PLAN_BOX},
    {{8, 10, 6}, TRIAD_PLAN_WHOLE},    {{7, 5, 9}, TRIAD_PLAN_WHOLE},    {{16, 13, 2}, TRIAD_PLAN_BOX},
    {{16, 9, 1}, TRIAD_PLAN_SPHERE},   {{1, 8, 12}, TRIAD_PLAN_WHOLE},   {{11, 1, 5}, TRIAD_PLAN_WHOLE},
    {{2, 2, 2}, TRIAD_PLAN_WHOLE},     {{1, 1, 1}, TRIAD_PLAN_SPHERE},
};
enum { SAMPLES = sizeof samples / sizeof *samples };

static const char *name_of(const sample *s)
{
  static char text[96];
  static const char *const words[] = {"sphere", "box", "whole"};
  (void)snprintf(text, sizeof text, "%" PRId64 "x%" PRId64 "x%" PRId64 " %s", s->n[0], s->n[1], s->n[2],
                 words[s->truncation]);
  return text;
}

/* Planned by rule: tests should neither wait for timings nor leave a file. */
static triad_plan_options options_of(const sample *s, int fields)
{
  return (triad_plan_options){.n = {s->n[0], s->n[1], s->n[2]},
                              .length = {1, 2.5, two_pi},
                              .most_in = fields,
                              .most_out = fields,
                              .truncation = s->truncation,
                              .precision = PRECISION,
                              .reproducible = 1};
}

static triad_plan *plan_of(const sample *s, int fields)
{
  triad_plan *plan = NULL;
  triad_plan_options o = options_of(s, fields);
  int st = triad_plan_create(&plan, MPI_COMM_WORLD, &o);
  if (st != TRIAD_PLAN_OK) triad_test_fail(__FILE__, __LINE__, "%s: %d, %s", name_of(s), st, triad_plan_message());
  assert_int_equal(st, TRIAD_PLAN_OK);
  return plan;
}

static void *array(int64_t count, size_t size)
{
  void *p = calloc((size_t)count + 1, size);
  assert_non_null(p);
  return p;
}

static triad_cplx *modes_of(const triad_plan *plan)
{
  return array(triad_plan_query(plan)->modes, sizeof(triad_cplx));
}

static triad_real *points_of(const triad_plan *plan)
{
  return array(triad_plan_query(plan)->points, sizeof(triad_real));
}

/* The value of physical field `stream` at a point, the same for every rank. */
static double value_at(const triad_plan_share *s, uint64_t stream, int64_t x, int64_t y, int64_t z)
{
  return triad_test_random(stream, (uint64_t)((z * s->n[1] + y) * s->n[0] + x));
}

static void fill_physical(const triad_plan *plan, uint64_t stream, triad_real *u)
{
  const triad_plan_share *s = triad_plan_query(plan);
  for (int64_t i = 0; i < s->points; i++) {
    int64_t x = i % s->n[0], y = i / s->n[0] % s->n[1], z = i / (s->n[0] * s->n[1]) + s->first_plane;
    u[i] = (triad_real)value_at(s, stream, x, y, z);
  }
}

static void call_forward(triad_plan *plan, const triad_real *u, triad_cplx *uk)
{
  TRIAD_EQUAL(triad_plan_forward(plan, 1, (const void *[]){u}, (void *[]){uk}), TRIAD_PLAN_OK, "forward");
}

static void call_backward(triad_plan *plan, const triad_cplx *uk, triad_real *u)
{
  TRIAD_EQUAL(triad_plan_backward(plan, 1, (const void *[]){uk}, (void *[]){u}), TRIAD_PLAN_OK, "backward");
}

static double total(double mine)
{
  double all = 0;
  (void)MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

/* The formula, term by term. */
static void slow_coefficient(const triad_plan_share *s, uint64_t stream, const int64_t k[3], double *re, double *im)
{
  *re = *im = 0;
  for (int64_t z = 0; z < s->n[2]; z++)
    for (int64_t y = 0; y < s->n[1]; y++)
      for (int64_t x = 0; x < s->n[0]; x++) {
        double phase = two_pi * ((double)(k[0] * x) / (double)s->n[0] + (double)(k[1] * y) / (double)s->n[1] +
                                 (double)(k[2] * z) / (double)s->n[2]);
        double u = (triad_real)value_at(s, stream, x, y, z);
        *re += u * cos(phase);
        *im -= u * sin(phase);
      }
  *re /= (double)(s->n[0] * s->n[1] * s->n[2]);
  *im /= (double)(s->n[0] * s->n[1] * s->n[2]);
}

TRIAD_TEST(shares_add_up_and_every_kept_mode_is_found_once)
{
  for (int i = 0; i < SAMPLES; i++) {
    triad_plan *plan = plan_of(&samples[i], 1);
    const triad_plan_share *s = triad_plan_query(plan);
    TRIAD_EQUAL(s->rank, triad_test_comm()->rank, "rank");
    TRIAD_EQUAL(s->points, s->planes * s->n[0] * s->n[1], "points of a physical field");
    TRIAD_EQUAL(total((double)s->planes), s->n[2], "planes of all ranks");
    TRIAD_EQUAL(total((double)s->columns), s->all_columns, "columns of all ranks");
    TRIAD_HOLDS(s->modes >= s->columns * s->nkz && s->modes < (s->columns + s->lanes) * s->nkz, "modes %" PRId64,
                s->modes);

    /* each mode that is listed here is found here; a conjugate pair counts twice */
    double listed = 0;
    for (int64_t c = 0; c < s->columns; c++)
      for (int64_t j = 0; j < s->nkz; j++) {
        if (llabs(s->kz[j]) > s->kz_extent[c]) continue;
        listed += s->weight[c];
        triad_plan_mode m = {.rank = -1};
        TRIAD_EQUAL(triad_plan_find(plan, s->kx[c], s->ky[c], s->kz[j], &m), 1, "a listed mode is kept");
        TRIAD_EQUAL(m.rank, s->rank, "a listed mode's rank");
        TRIAD_EQUAL(m.place, triad_plan_place(s, c, j), "a listed mode's place");
        TRIAD_EQUAL(m.conjugate, 0, "a listed mode is held as it is");
        TRIAD_EQUAL(m.mirror >= 0, s->weight[c] < 2, "columns of weight 1 are their own conjugates");
      }
    double kept = 0; /* over one period of the grid */
    for (int64_t kx = -((s->n[0] - 1) / 2); kx <= s->n[0] / 2; kx++)
      for (int64_t ky = -((s->n[1] - 1) / 2); ky <= s->n[1] / 2; ky++)
        for (int64_t kz = -((s->n[2] - 1) / 2); kz <= s->n[2] / 2; kz++) {
          triad_plan_mode m, opposite;
          if (!triad_plan_find(plan, kx, ky, kz, &m)) continue;
          kept++;
          TRIAD_EQUAL(triad_plan_find(plan, -kx, -ky, -kz, &opposite), 1, "the opposite mode is kept");
          TRIAD_EQUAL(opposite.rank, m.rank, "the opposite mode's rank");
          /* a mode and its opposite: one place read both ways, or the two places of a self-conjugate column */
          if (m.mirror < 0) {
            TRIAD_EQUAL(opposite.place, m.place, "the opposite mode's place");
            TRIAD_EQUAL(opposite.conjugate, !m.conjugate, "the opposite mode is the conjugate");
          }
        }
    TRIAD_HOLDS(fabs(total(listed) - kept) < 0.5, "%s: weights sum to %g, modes kept %g", name_of(&samples[i]),
                total(listed), kept);
    TRIAD_EQUAL(triad_plan_find(plan, s->kmax[0] + 1, 0, 0, NULL), 0, "beyond K along x");
    TRIAD_EQUAL(triad_plan_find(plan, 0, INT64_MIN, INT64_MAX, NULL), 0, "wavenumbers of any size");
    TRIAD_HOLDS(triad_plan_memory(plan) > 0, "bytes %" PRId64, triad_plan_memory(plan));
    triad_plan_destroy(&plan);
    TRIAD_HOLDS(plan == NULL, "destroy clears");
  }
}

TRIAD_TEST(forward_is_the_sum_of_its_definition)
{
  for (int i = 0; i < SAMPLES; i++) {
    triad_plan *plan = plan_of(&samples[i], 1);
    const triad_plan_share *s = triad_plan_query(plan);
    triad_real *u = points_of(plan);
    triad_cplx *uk = modes_of(plan);
    memset(uk, 0xff, (size_t)s->modes * sizeof *uk); /* NaN: what was there must not matter */
    fill_physical(plan, 1, u);
    call_forward(plan, u, uk);
    for (int64_t c = 0; c < s->columns; c++)
      for (int64_t j = 0; j < s->nkz; j++) {
        double re = 0, im = 0;
        int64_t place = triad_plan_place(s, c, j);
        if (llabs(s->kz[j]) <= s->kz_extent[c])
          slow_coefficient(s, 1, (const int64_t[]){s->kx[c], s->ky[c], s->kz[j]}, &re, &im);
        /* |u| <= 1, and round-off grows like the logarithm of the number of points */
        TRIAD_WITHIN(uk[place].re, re, 20 * TRIAD_EPSILON, name_of(&samples[i]));
        TRIAD_WITHIN(uk[place].im, im, 20 * TRIAD_EPSILON, name_of(&samples[i]));
      }
    int64_t nonzero = 0;
    for (int64_t p = 0; p < s->modes; p++) {
      int64_t c = p / (s->lanes * s->nkz) * s->lanes + p % s->lanes;
      if (c >= s->columns) nonzero += !(fabs((double)uk[p].re) + fabs((double)uk[p].im) <= 0);
    }
    TRIAD_EQUAL(nonzero, 0, "numbers beyond the last column that are not zero");
    free(u);
    free(uk);
    triad_plan_destroy(&plan);
  }
}

TRIAD_TEST(forward_undoes_backward_whatever_lies_outside_the_truncation)
{
  for (int i = 0; i < SAMPLES; i++) {
    triad_plan *plan = plan_of(&samples[i], 1);
    const triad_plan_share *s = triad_plan_query(plan);
    triad_real *u = points_of(plan), *again = points_of(plan);
    triad_cplx *uk = modes_of(plan), *spoilt = modes_of(plan), *back = modes_of(plan);
    fill_physical(plan, 2, u);
    call_forward(plan, u, uk); /* a field whose conjugates agree */
    memcpy(spoilt, uk, (size_t)s->modes * sizeof *uk);
    for (int64_t p = 0; p < s->modes; p++) {
      int64_t c = p / (s->lanes * s->nkz) * s->lanes + p % s->lanes, j = p / s->lanes % s->nkz;
      if (c >= s->columns || llabs(s->kz[j]) > s->kz_extent[c]) spoilt[p] = (triad_cplx){(triad_real)NAN, 3};
    }
    call_backward(plan, spoilt, u);
    call_backward(plan, uk, again);
    TRIAD_EQUAL(memcmp(u, again, (size_t)s->points * sizeof *u), 0, "bits that modes outside the truncation change");
    call_forward(plan, u, back);
    for (int64_t p = 0; p < s->modes; p++) {
      TRIAD_WITHIN(back[p].re, uk[p].re, 20 * TRIAD_EPSILON, name_of(&samples[i]));
      TRIAD_WITHIN(back[p].im, uk[p].im, 20 * TRIAD_EPSILON, name_of(&samples[i]));
    }
    free(u);
    free(again);
    free(uk);
    free(spoilt);
    free(back);
    triad_plan_destroy(&plan);
  }
}

TRIAD_TEST(physical_and_spectral_fields_may_share_memory)
{
  triad_plan *plan = plan_of(&samples[1], 2);
  const triad_plan_share *s = triad_plan_query(plan);
  size_t bytes = (size_t)s->points * sizeof(triad_real), more = (size_t)s->modes * sizeof(triad_cplx);
  size_t room = bytes > more ? bytes : more;
  triad_real *u[2] = {points_of(plan), points_of(plan)};
  triad_cplx *uk[2] = {modes_of(plan), modes_of(plan)};
  void *shared[2] = {array(1, room), array(1, room)};
  for (int f = 0; f < 2; f++) {
    fill_physical(plan, 3 + (uint64_t)f, u[f]);
    memcpy(shared[f], u[f], bytes);
  }
  TRIAD_EQUAL(triad_plan_forward(plan, 2, (const void *[]){u[0], u[1]}, (void *[]){uk[0], uk[1]}), 0, "forward");
  TRIAD_EQUAL(triad_plan_forward(plan, 2, (const void *[]){shared[0], shared[1]}, shared), 0, "forward in place");
  for (int f = 0; f < 2; f++) TRIAD_EQUAL(memcmp(shared[f], uk[f], more), 0, "bits that differ in place, forward");
  TRIAD_EQUAL(triad_plan_backward(plan, 2, (const void *[]){uk[0], uk[1]}, (void *[]){u[0], u[1]}), 0, "backward");
  TRIAD_EQUAL(triad_plan_backward(plan, 2, (const void *[]){shared[0], shared[1]}, shared), 0, "backward in place");
  for (int f = 0; f < 2; f++) {
    TRIAD_EQUAL(memcmp(shared[f], u[f], bytes), 0, "bits that differ in place, backward");
    free(u[f]);
    free(uk[f]);
    free(shared[f]);
  }
  triad_plan_destroy(&plan);
}

/* ---- the pass ---- */

typedef struct settings {
  int settled, answer;
  double seen;
} settings;

static void multiply(void *user, int64_t y, int64_t z, int64_t n, void *const *in, void *const *out, double *peaks)
{
  const triad_real *u = in[0], *v = in[1];
  triad_real *uv = out[0];
  (void)user;
  for (int64_t x = 0; x < n; x++) {
    uv[x] = u[x] * v[x];
    triad_plan_raise(&peaks[0], fabs((double)uv[x]));
  }
  triad_plan_raise(&peaks[1], (double)(z * 1000 + y));
}

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
  } cases[] = {{{16, 16, 16}, {5, 0, 0}, {4, 0, 0}}, {{13, 17, 10}, {2, -3, 1}, {1, -4, 0}},
               {{16, 11, 23}, {0, 1, 6}, {0, 2, 4}}, {{9, 16, 3}, {-1, 4, 0}, {1, 4, 0}},
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
    triad_plan_work work = {.n_in = 2,
                            .n_out = 1,
                            .in = (const void *[]){u, v},
                            .out = (void *[]){u},
                            .points = multiply,
                            .peaks = peaks};
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

/* ---- communicators, precisions, repeats ---- */

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
      if (p == 0)
        ((double *)u)[i] = value;
      else
        ((float *)u)[i] = (float)value;
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

/* ---- wrong calls ---- */

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
