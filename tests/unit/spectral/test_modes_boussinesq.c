/* Arithmetic of one mode of stratified flow against the equations written out.
 * precision: both */
#include "modes.h"

#include "solvers/spectral/equations/boussinesq_points.h"

enum { THETA = TRIAD_BOUSSINESQ_THETA, FLUXES = TRIAD_BOUSSINESQ_FLUXES };

static triad_boussinesq_constants constants(uint64_t i)
{
  return (triad_boussinesq_constants){
    .velocity = {.rotation = {0, 0, (triad_real)0.5}, .rotates = 1, .decay = {.viscosity = 0.3}},
    .diffusion = {.viscosity = 0.1},
    .frequency = (triad_real)1.5,
    .sign = i % 2 ? -1 : 1};
}

/* du/dt = .. - s N theta z, dtheta/dt = -u.grad theta + N w; the mean buoyancy is a pressure. */
TRIAD_TEST(buoyancy_acts_before_the_pressure_and_lifting_cools)
{
  for (uint64_t i = 0; i < TEST_DRAWS; i++) {
    const triad_boussinesq_constants c = constants(i);
    const test_mode m = test_mode_draw(i);
    const test_vector u = test_vector_of(m.u);
    const test_complex theta = test_value(m.u[THETA]);
    const test_vector omega = {{0, 0, 0.5L}}, down = {{0, 0, m.k2 > 0 ? (i % 2 ? 1.5L : -1.5L) * theta : 0}};
    test_vector force = test_added(test_added(test_advection_of(&m, m.t), test_scaled(-2, test_cross(omega, u))), down);
    test_vector want = test_solenoidal(&m, force);
    triad_cplx n[TRIAD_BOUSSINESQ_FIELDS];
    triad_boussinesq_mode(&c, m.k, m.inverse_k2, m.u, m.t, n);
    double tolerance = test_rate_tolerance(3 * (10 * (1 + test_size(m.wave)) + test_size(u) + 3));
    for (int a = 0; a < 3; a++) test_near_complex(n[a], want.x[a], tolerance, "N(u)");
    test_near_complex(n[THETA], test_divergence_of(&m, m.t + FLUXES) + 1.5L * u.x[2],
                      test_rate_tolerance((1 + test_size(m.wave)) * 5 + 3), "N(theta)");
  }
}

TRIAD_TEST(sums_and_densities_have_both_energies_and_their_exchange)
{
  for (uint64_t i = 0; i < TEST_DRAWS; i++) {
    const triad_boussinesq_constants c = constants(i);
    const test_mode m = test_mode_draw(i);
    const test_vector u = test_vector_of(m.u);
    const test_complex theta = test_value(m.u[THETA]);
    long double kinetic = test_real_inner(u, u) / 2, potential = cabsl(theta) * cabsl(theta) / 2;
    long double lift = creall(conjl(u.x[2]) * theta), scale = (kinetic + potential + 1) * (1 + m.k2);
    long double helicity = test_real_inner(u, test_curl_of(&m, u));
    double s[TRIAD_BOUSSINESQ_SUMS], d[TRIAD_BOUSSINESQ_DENSITIES];
    triad_boussinesq_mode_sums(&c, &m.both, m.u, s);
    triad_boussinesq_mode_densities(&c, &m.both, m.u, d);
    TRIAD_WITHIN(s[TRIAD_SUM_ENERGY], kinetic, test_sum_tolerance(scale), "kinetic energy");
    TRIAD_WITHIN(s[TRIAD_SUM_DISSIPATION], 0.6L * m.k2 * kinetic, test_sum_tolerance(scale), "viscous dissipation");
    TRIAD_WITHIN(s[TRIAD_BOUSSINESQ_POTENTIAL], potential, test_sum_tolerance(scale), "potential energy");
    TRIAD_WITHIN(s[TRIAD_BOUSSINESQ_DIFFUSION], 0.2L * m.k2 * potential, test_sum_tolerance(scale), "diffusion");
    TRIAD_WITHIN(s[TRIAD_BOUSSINESQ_FLUX], lift, test_sum_tolerance(scale), "w theta");
    const long double want[TRIAD_BOUSSINESQ_DENSITIES] = {kinetic + potential, helicity, kinetic, potential, lift};
    for (int x = 0; x < TRIAD_BOUSSINESQ_DENSITIES; x++)
      TRIAD_WITHIN(d[x], want[x], test_sum_tolerance(scale), "density");
  }
}

TRIAD_TEST(transfers_are_the_power_of_advection_and_of_the_fluxes)
{
  for (uint64_t i = 0; i < TEST_DRAWS; i++) {
    const triad_boussinesq_constants c = constants(i);
    const test_mode m = test_mode_draw(i);
    const test_vector u = test_vector_of(m.u);
    long double flow = test_real_inner(u, test_solenoidal(&m, test_advection_of(&m, m.t)));
    long double heat = creall(conjl(test_value(m.u[THETA])) * test_divergence_of(&m, m.t + FLUXES));
    double d[TRIAD_BOUSSINESQ_TRANSFERS],
      tolerance = test_rate_tolerance(40 * (1 + test_size(m.wave)) * (test_size(u) + 2));
    triad_boussinesq_mode_transfers(&c, 0, m.k, m.inverse_k2, m.u, m.t, d);
    TRIAD_WITHIN(d[0], flow + heat, tolerance, "total");
    TRIAD_WITHIN(d[1], flow, tolerance, "of u");
    TRIAD_WITHIN(d[2], heat, tolerance, "of theta");
  }
}

TRIAD_MAIN
