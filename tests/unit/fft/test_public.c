/* The public interface, triad.h: what it says about ownership is true, and its transforms are the formulae.
 * ranks: 1 2 3 7   threads: 1 2   precision: both */
#include "public.h"

#include "fft/public/triad.h"

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

TRIAD_MAIN
