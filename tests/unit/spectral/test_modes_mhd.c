/* Arithmetic of one point and one mode of magnetohydrodynamics against the equations written out.
 * precision: both */
#include "modes.h"

#include "solvers/spectral/equations/mhd_points.h"

enum { B = TRIAD_MHD_B, EMF = TRIAD_MHD_EMF };

static const triad_mhd_constants c = {.velocity = {.per_spacing = {1, 2, (triad_real)0.5},
                                                   .rotation = {(triad_real)0.25, 0, 1},
                                                   .rotates = 1,
                                                   .decay = {.viscosity = 0.3}},
                                      .decay_b = {.viscosity = 0.2, .hyperviscosity = 1e-3, .order = 2},
                                      .mean_field = {0, (triad_real)0.5, -1},
                                      .hall = (triad_real)0.75,
                                      .whistler = 4};

/* Of one point with these inputs: u_i u_j - B_i B_j less its zz entry, e x B; e = u - hall curl b. */
static void check_point(const triad_real in[9], const triad_real t[8], long double hall)
{
  const int row[5] = {0, 0, 1, 0, 1}, column[5] = {0, 1, 1, 2, 2};
  const double tolerance = 16 * 9 * (double)TRIAD_EPSILON; /* 16 roundings, products of numbers below 3 */
  long double b[3], e[3];
  for (int i = 0; i < 3; i++) {
    b[i] = (long double)in[B + i] + (long double)c.mean_field[i];
    e[i] = (long double)in[i] - hall * (long double)in[6 + i];
  }
  for (int r = 0; r < 5; r++) {
    int i = row[r], j = column[r];
    long double want = (long double)in[i] * (long double)in[j] - b[i] * b[j];
    if (i == j) want -= (long double)in[2] * (long double)in[2] - b[2] * b[2];
    TRIAD_WITHIN(t[r], want, tolerance, "stress");
  }
  test_vector emf = test_cross(test_vector_real(e), test_vector_real(b));
  for (int i = 0; i < 3; i++) TRIAD_WITHIN(t[5 + i], creall(emf.x[i]), tolerance, "electromotive force");
}

TRIAD_TEST(products_are_the_stress_and_the_electromotive_force)
{
  for (uint64_t i = 0; i < TEST_DRAWS; i++) {
    triad_real in[9], t[8], emf[3];
    long double plain = 0, hall = 0;
    for (int f = 0; f < 9; f++) in[f] = (triad_real)triad_test_random(9, 9 * i + (uint64_t)f);
    triad_mhd_point(&c, 0, in, t);
    check_point(in, t, 0);
    triad_mhd_emf_point(&c, 0, in, emf);
    for (int a = 0; a < 3; a++) TRIAD_NEAR(emf[a], t[5 + a], 0, "u x B alone");
    triad_hall_point(&c, 0, in, t);
    check_point(in, t, 0.75L);
    for (int a = 0; a < 3; a++) {
      long double u = fabsl((long double)in[a]), b = fabsl((long double)in[B + a] + (long double)c.mean_field[a]);
      plain += (long double)c.velocity.per_spacing[a] * (u + b);
      hall += (long double)c.velocity.per_spacing[a] * (u + 0.75L * fabsl((long double)in[6 + a]) + 4 * b);
    }
    TRIAD_NEAR(triad_mhd_rate(&c, in), plain, 12 * (double)TRIAD_EPSILON, "sum (|u_i| + |B_i|)/dx_i");
    TRIAD_NEAR(triad_hall_rate(&c, in), hall, 12 * (double)TRIAD_EPSILON, "with whistlers");
  }
}

TRIAD_TEST(the_field_changes_by_the_curl_of_the_electromotive_force)
{
  const test_vector omega = {{0.25L, 0, 1}};
  for (uint64_t i = 0; i < TEST_DRAWS; i++) {
    const test_mode m = test_mode_draw(i);
    const test_vector u = test_vector_of(m.u);
    test_vector force = test_added(test_advection_of(&m, m.t), test_scaled(-2, test_cross(omega, u)));
    test_vector flow = test_solenoidal(&m, force), field = test_curl_of(&m, test_vector_of(m.t + EMF));
    test_vector current = test_curl_of(&m, test_vector_of(m.u + B));
    triad_cplx n[TRIAD_MHD_FIELDS], made[TRIAD_MHD_SOURCES];
    triad_mhd_mode(&c, m.k, m.inverse_k2, m.u, m.t, n);
    triad_mhd_source(&c, m.k, m.u, made);
    for (int a = 0; a < 3; a++) {
      test_near_complex(n[a], flow.x[a], test_rate_tolerance(3 * (10 * (1 + test_size(m.wave)) + 3 * test_size(u))),
                        "N(u)");
      test_near_complex(n[B + a], field.x[a], test_rate_tolerance(3 * test_size(m.wave)), "N(b)");
      test_near_complex(made[a], current.x[a], test_rate_tolerance(3 * test_size(m.wave)), "curl b");
    }
  }
}

TRIAD_TEST(sums_and_densities_have_current_helicities_and_dissipation)
{
  for (uint64_t i = 0; i < TEST_DRAWS; i++) {
    const test_mode m = test_mode_draw(i);
    const test_vector u = test_vector_of(m.u), b = test_vector_of(m.u + B), j = test_curl_of(&m, b);
    const test_vector a = test_scaled(m.k2 > 0 ? 1 / m.k2 : 0, j); /* b = curl a where div a = div b = 0 */
    long double kinetic = test_real_inner(u, u) / 2, magnetic = test_real_inner(b, b) / 2, scale = 8 * (1 + m.k2);
    long double div = cabsl(test_inner(m.wave, b)), lambda = 0.2L * m.k2 + 1e-3L * m.k2 * m.k2;
    double s[TRIAD_MHD_SUMS], d[TRIAD_MHD_DENSITIES];
    triad_mhd_mode_sums(&c, &m.both, m.u, s);
    triad_mhd_mode_densities(&c, &m.both, m.u, d);
    TRIAD_WITHIN(s[TRIAD_SUM_ENERGY], kinetic, test_sum_tolerance(scale), "kinetic energy");
    TRIAD_WITHIN(s[TRIAD_SUM_DISSIPATION], 0.6L * m.k2 * kinetic, test_sum_tolerance(scale), "viscous dissipation");
    TRIAD_WITHIN(s[TRIAD_MHD_SUM_MAGNETIC], magnetic, test_sum_tolerance(scale), "magnetic energy");
    TRIAD_WITHIN(s[TRIAD_MHD_SUM_CURRENT], (test_real_inner(j, j) + div * div) / 2, test_sum_tolerance(scale),
                 "current");
    TRIAD_WITHIN(s[TRIAD_MHD_SUM_JOULE], 2 * lambda * magnetic, test_sum_tolerance(2 * lambda * magnetic), "Joule");
    TRIAD_WITHIN(s[TRIAD_MHD_SUM_CROSS], test_real_inner(u, b), test_sum_tolerance(scale), "cross helicity");
    TRIAD_WITHIN(s[TRIAD_MHD_SUM_HELICITY], test_real_inner(a, b), test_sum_tolerance(scale), "magnetic helicity");
    TRIAD_WITHIN(s[TRIAD_MHD_SUM_DIV_B], div * div, test_sum_tolerance(scale), "|k.b|^2");
    const long double want[TRIAD_MHD_DENSITIES] = {
      kinetic + magnetic,   test_real_inner(u, test_curl_of(&m, u)), kinetic, magnetic, test_real_inner(u, b),
      test_real_inner(a, b)};
    for (int x = 0; x < TRIAD_MHD_DENSITIES; x++) TRIAD_WITHIN(d[x], want[x], test_sum_tolerance(scale), "density");
  }
}

/* Part 0 has stress and induction, part 1 the stress without b: advection, which the Lorentz force is less by. */
TRIAD_TEST(transfers_are_the_power_of_stress_and_induction)
{
  for (uint64_t i = 0; i < TEST_DRAWS; i++) {
    const test_mode m = test_mode_draw(i);
    const test_vector u = test_vector_of(m.u), b = test_vector_of(m.u + B);
    long double stress = test_real_inner(u, test_solenoidal(&m, test_advection_of(&m, m.t)));
    long double induction = test_real_inner(b, test_curl_of(&m, test_vector_of(m.t + EMF)));
    const long double want[2][TRIAD_MHD_TRANSFERS] = {{stress + induction, stress, induction, 0, stress},
                                                      {0, 0, 0, stress, -stress}};
    for (int part = 0; part < 2; part++) {
      double d[TRIAD_MHD_TRANSFERS];
      triad_mhd_mode_transfers(&c, part, m.k, m.inverse_k2, m.u, m.t, d);
      for (int x = 0; x < TRIAD_MHD_TRANSFERS; x++)
        TRIAD_WITHIN(d[x], want[part][x],
                     test_rate_tolerance(40 * (1 + test_size(m.wave)) * (test_size(u) + test_size(b))), "transfer");
    }
  }
}

TRIAD_MAIN
