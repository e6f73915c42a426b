/* Arithmetic of a velocity and of scalars, one point and one mode, against the equations written out.
 * precision: both quick: 1 */
#include "modes.h"

#include "solvers/spectral/equations/hd_points.h"

static triad_hd_constants constants(int rotates)
{
  triad_hd_constants c = {
    .velocity = {.per_spacing = {(triad_real)1.5, (triad_real)0.25, 3},
                 .rotates = rotates,
                 .decay = {.viscosity = 0.3, .hyperviscosity = 1e-4, .order = 2, .drag = 0.7, .drag_wavenumber = 6}}};
  for (int i = 0; i < 3 && rotates; i++) c.velocity.rotation[i] = (triad_real)(0.4 * (i + 1));
  return c;
}

static double eps(void) { return (double)TRIAD_EPSILON; }

TRIAD_TEST(products_are_the_stress_less_its_zz_entry)
{
  const triad_hd_constants c = constants(0);
  const int row[5] = {0, 0, 1, 0, 1}, column[5] = {0, 1, 1, 2, 2};
  for (uint64_t i = 0; i < TEST_DRAWS; i++) {
    triad_real u[3], t[5];
    double rate = 0;
    for (int a = 0; a < 3; a++) u[a] = (triad_real)triad_test_random(9, 3 * i + (uint64_t)a);
    triad_velocity_point(&c.velocity, 0, u, t);
    for (int r = 0; r < 5; r++) {
      double want = (double)u[row[r]] * (double)u[column[r]] - (row[r] == column[r] ? (double)u[2] * (double)u[2] : 0);
      TRIAD_WITHIN(t[r], want, 4 * eps(), "u_i u_j - w^2 delta_ij");
    }
    for (int a = 0; a < 3; a++) rate += (double)c.velocity.per_spacing[a] * fabs((double)u[a]);
    TRIAD_NEAR(triad_velocity_rate(&c.velocity, u), rate, 6 * eps(), "sum |u_i|/dx_i");
    double fastest = 0, speed2 = 0;
    for (int a = 0; a < 3; a++)
      triad_velocity_extremes_add((double)c.velocity.per_spacing[a], (double)u[a], &fastest, &speed2);
    TRIAD_NEAR(fastest, rate, 6 * DBL_EPSILON, "the same for a series line");
    TRIAD_NEAR(speed2, (double)u[0] * (double)u[0] + (double)u[1] * (double)u[1] + (double)u[2] * (double)u[2],
               6 * DBL_EPSILON, "|u|^2");
  }
}

TRIAD_TEST(rates_are_advection_and_rotation_less_their_gradient)
{
  for (uint64_t i = 0; i < TEST_DRAWS; i++) {
    const triad_hd_constants c = constants((int)(i % 2));
    const test_mode m = test_mode_draw(i);
    const long double omega[3] = {(long double)c.velocity.rotation[0], (long double)c.velocity.rotation[1],
                                  (long double)c.velocity.rotation[2]};
    const test_vector u = test_vector_of(m.u);
    triad_cplx n[3];
    test_vector force = test_added(test_advection_of(&m, m.t), test_scaled(-2, test_cross(test_vector_real(omega), u)));
    test_vector want = test_solenoidal(&m, force);
    triad_hd_mode(&c, m.k, m.inverse_k2, m.u, m.t, n);
    long double turning = test_size(test_vector_real(omega)) * test_size(u);
    double tolerance = test_rate_tolerance(3 * (10 * (1 + test_size(m.wave)) + 2 * turning));
    for (int a = 0; a < 3; a++) test_near_complex(n[a], want.x[a], tolerance, "N(u)");
  }
}

TRIAD_TEST(sums_and_densities_are_those_of_curl_and_divergence)
{
  const triad_hd_constants c = constants(1);
  const triad_decay *d = &c.velocity.decay;
  for (uint64_t i = 0; i < TEST_DRAWS; i++) {
    const test_mode m = test_mode_draw(i);
    const test_vector u = test_vector_of(m.u), w = test_curl_of(&m, u);
    long double div2 = cabsl(test_inner(m.wave, u)) * cabsl(test_inner(m.wave, u)), e = test_real_inner(u, u) / 2;
    long double lambda = 0.3L * m.k2 + 1e-4L * m.k2 * m.k2 + (m.k2 <= 36 ? 0.7L : 0), scale = e * (1 + m.k2);
    double s[TRIAD_VELOCITY_SUMS], density[TRIAD_HD_DENSITIES];
    triad_hd_mode_sums(&c, &m.both, m.u, s);
    triad_hd_mode_densities(&c, &m.both, m.u, density);
    TRIAD_WITHIN(s[TRIAD_SUM_ENERGY], e, test_sum_tolerance(scale), "energy");
    /* |k|^2 |u|^2 = |k x u|^2 + |k.u|^2 */
    TRIAD_WITHIN(s[TRIAD_SUM_ENSTROPHY], (test_real_inner(w, w) + div2) / 2, test_sum_tolerance(scale), "enstrophy");
    TRIAD_WITHIN(s[TRIAD_SUM_DISSIPATION], 2 * lambda * e, test_sum_tolerance(2 * lambda * e), "dissipation");
    TRIAD_WITHIN(s[TRIAD_SUM_HELICITY], test_real_inner(u, w), test_sum_tolerance(scale), "helicity");
    TRIAD_WITHIN(s[TRIAD_SUM_DIVERGENCE], div2, test_sum_tolerance(scale * 2), "|k.u|^2");
    TRIAD_WITHIN(s[TRIAD_SUM_INTEGRAL], m.k2 > 0 ? e / sqrtl(m.k2) : 0, test_sum_tolerance(e * 40), "|u|^2/(2 |k|)");
    TRIAD_WITHIN(density[0], e, test_sum_tolerance(scale), "density of energy");
    TRIAD_WITHIN(density[1], test_real_inner(u, w), test_sum_tolerance(scale), "density of helicity");
    TRIAD_NEAR(triad_decay_of(d, (double)m.k2), lambda, 8 * DBL_EPSILON, "decay rate");
  }
}

TRIAD_TEST(transfers_are_the_power_of_advection)
{
  const triad_hd_constants c = constants(1); /* rotation has no part in it */
  for (uint64_t i = 0; i < TEST_DRAWS; i++) {
    const test_mode m = test_mode_draw(i);
    const test_vector u = test_vector_of(m.u);
    double d[TRIAD_HD_TRANSFERS];
    triad_hd_mode_transfers(&c, 0, m.k, m.inverse_k2, m.u, m.t, d);
    TRIAD_WITHIN(d[0], test_real_inner(u, test_solenoidal(&m, test_advection_of(&m, m.t))),
                 test_rate_tolerance(30 * (1 + test_size(m.wave)) * test_size(u)), "Re conj(u).N");
  }
}

TRIAD_TEST(a_scalar_is_carried_and_fed_by_its_mean_gradient)
{
  const triad_real gradient[3] = {(triad_real)0.5, -1, (triad_real)0.25};
  const long double g[3] = {0.5L, -1, 0.25L};
  const triad_decay d = {.viscosity = 0.2};
  for (uint64_t i = 0; i < TEST_DRAWS; i++) {
    const triad_edge edge = {{0.2, 0.3, 0.5}, i % 2 == 0};
    const test_mode m = test_mode_draw(i);
    const test_vector u = test_vector_of(m.u);
    const test_complex s = test_value(m.u[3]), advection = test_divergence_of(&m, m.t);
    long double scale = cabsl(test_value(m.t[0])) + test_size(m.wave) * cabsl(test_value(m.t[1])),
                s2 = cabsl(s) * cabsl(s);
    double sums[TRIAD_SCALAR_SUMS];
    test_near_complex(triad_scalar_mode(gradient, m.k, m.u, m.t), advection - test_inner(test_vector_real(g), u),
                      test_rate_tolerance(scale + 2 * test_size(u)), "-i k.f - G.u");
    TRIAD_WITHIN(triad_scalar_mode_transfer(m.k, m.u[3], m.t), creall(conjl(s) * advection),
                 test_rate_tolerance(scale * cabsl(s)), "Re conj(s) (-i k.f)");
    triad_scalar_mode_sums(&d, &edge, &m.both, m.u[3], m.u, sums);
    TRIAD_WITHIN(sums[0], s2 / 2, test_sum_tolerance(s2), "|s|^2/2");
    TRIAD_WITHIN(sums[1], 0.2L * m.k2 * s2, test_sum_tolerance(0.2L * m.k2 * s2), "kappa k^2 |s|^2");
    for (int a = 0; a < 3; a++)
      TRIAD_WITHIN(sums[2 + a], creall(conjl(u.x[a]) * s), test_sum_tolerance(2), "Re conj(u) s");
    TRIAD_WITHIN(sums[TRIAD_SCALAR_SUM_SLOPE], m.k2 * s2 / 2, test_sum_tolerance(m.k2 * s2), "k^2 |s|^2/2");
    const double x = 0.2 * m.wide[0], y = 0.3 * m.wide[1], z = 0.5 * m.wide[2],
                 most = fmax(fabs(x), fmax(fabs(y), fabs(z)));
    const int outside = (edge.sphere ? x * x + y * y + z * z : most) > 1;
    TRIAD_WITHIN(sums[TRIAD_SCALAR_SUM_EDGE], outside ? sums[TRIAD_SCALAR_SUM_SLOPE] : 0, 0, "at the edge");
  }
}

TRIAD_MAIN
