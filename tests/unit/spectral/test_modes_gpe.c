/* Arithmetic of one point and one mode of a superfluid, against complex arithmetic on psi = re + i im.
 * precision: both */
#include "modes.h"

#include "solvers/spectral/equations/gpe_points.h"

static triad_gpe_constants constants(int imaginary_time)
{
  return (triad_gpe_constants){.alpha = 0.75, .beta = 1.5, .density = 0.5, .imaginary_time = imaginary_time};
}

static double eps(void) { return (double)TRIAD_EPSILON; }

static void draw_point(uint64_t i, int n, triad_real *in)
{
  for (int f = 0; f < n; f++) in[f] = (triad_real)triad_test_random(9, 4 * i + (uint64_t)f);
}

TRIAD_TEST(points_make_the_density_and_turn_the_phase)
{
  const triad_gpe_constants c = constants(0);
  for (uint64_t i = 0; i < TEST_DRAWS; i++) {
    triad_real in[4], out[2], rho[1];
    draw_point(i, 4, in);
    const test_complex psi = (long double)in[0] + TEST_I * (long double)in[1];
    long double excess = cabsl(psi) * cabsl(psi) - 0.5L;
    triad_gpe_point(&c, 0, in, rho);
    TRIAD_WITHIN(rho[0], excess, 8 * eps(), "|psi|^2 - rho0");
    TRIAD_WITHIN(triad_gpe_rate(&c, in), 1.5L * fabsl(excess), 16 * eps(), "beta ||psi|^2 - rho0|");
    triad_gpe_product_point(&c, 0, (triad_real[]){rho[0], in[0], in[1]}, out);
    TRIAD_WITHIN(out[0], creall(psi) * (long double)rho[0], 2 * eps(), "density times re");
    TRIAD_WITHIN(out[1], cimagl(psi) * (long double)rho[0], 2 * eps(), "density times im");
    triad_gpe_split_point(&c, 0.8, in, out);
    test_complex turned = psi * cexpl(-TEST_I * 1.5L * excess * 0.8L);
    TRIAD_WITHIN(out[0], creall(turned), 8 * eps(), "re of psi exp(-i beta (|psi|^2 - rho0) dt)");
    TRIAD_WITHIN(out[1], cimagl(turned), 8 * eps(), "its im");
    TRIAD_WITHIN(triad_gpe_split_rate(&c, in), 1.5L * fabsl(excess), 16 * eps(), "its rate");
  }
}

/* conj(psi) dpsi/|psi| = d|psi| + i |psi| d(arg psi). */
TRIAD_TEST(gradients_split_into_those_of_modulus_and_phase)
{
  for (uint64_t i = 0; i < TEST_DRAWS; i++) {
    triad_real in[4];
    double squares[2] = {1, 2};
    draw_point(i, 4, in);
    if (i % 50 == 0) in[0] = in[1] = 0;
    const test_complex psi = (long double)in[0] + TEST_I * (long double)in[1];
    const test_complex d = (long double)in[2] + TEST_I * (long double)in[3];
    test_complex both = cabsl(psi) > 0 ? conjl(psi) * d / cabsl(psi) : cabsl(d);
    triad_real w = triad_gpe_gradient_point(0.75, in, squares);
    TRIAD_WITHIN(w, 1.5L * cimagl(both), 16 * eps(), "2 alpha |psi| d(arg psi)");
    TRIAD_WITHIN(squares[0], 1 + creall(both) * creall(both), 32 * DBL_EPSILON, "(d|psi|)^2");
    TRIAD_WITHIN(squares[1], 2 + cimagl(both) * cimagl(both), 32 * DBL_EPSILON, "(|psi| d(arg psi))^2");
  }
}

/* Coefficients of re and im at k make those of psi at k, re + i im, and of its conjugate, re - i im. */
TRIAD_TEST(rates_are_minus_i_beta_the_product)
{
  for (uint64_t i = 0; i < TEST_DRAWS; i++) {
    const test_mode m = test_mode_draw(i);
    const int imaginary_time = (int)(i % 2);
    const triad_gpe_constants c = constants(imaginary_time);
    const test_complex factor = imaginary_time ? -1.5L : -1.5L * TEST_I;
    triad_cplx n[2];
    triad_gpe_mode(&c, m.k, m.inverse_k2, m.u, m.t, n);
    test_complex psi = test_value(n[0]) + TEST_I * test_value(n[1]);
    test_complex other = test_value(n[0]) - TEST_I * test_value(n[1]);
    test_complex want = factor * (test_value(m.t[0]) + TEST_I * test_value(m.t[1]));
    test_complex want_other = (imaginary_time ? factor : -factor) * (test_value(m.t[0]) - TEST_I * test_value(m.t[1]));
    TRIAD_WITHIN(cabsl(psi - want), 0, 8 * eps(), "N(psi)");
    TRIAD_WITHIN(cabsl(other - want_other), 0, 8 * eps(), "N(conj psi)");
    for (int a = 0; a < 3; a++)
      test_near_complex(triad_gpe_slope(m.k[a], m.u[0]), TEST_I * m.wave.x[a] * test_value(m.u[0]), 20 * eps(),
                        "i k psi");
  }
}

/* The mode stands for k and -k: |psi_k|^2 and |psi_-k|^2, each with half the weight; momentum is 2 alpha k |psi_k|^2.
 * */
TRIAD_TEST(sums_count_atoms_and_their_momentum)
{
  const triad_gpe_constants c = constants(0);
  for (uint64_t i = 0; i < TEST_DRAWS; i++) {
    const test_mode m = test_mode_draw(i);
    test_complex re = test_value(m.u[0]), im = test_value(m.u[1]);
    long double plus = powl(cabsl(re + TEST_I * im), 2), minus = powl(cabsl(conjl(re) + TEST_I * conjl(im)), 2);
    double s[TRIAD_GPE_SUMS];
    triad_gpe_mode_sums(&c, &m.both, m.u, s);
    TRIAD_WITHIN(s[TRIAD_GPE_SUM_MASS], (plus + minus) / 2, test_sum_tolerance(4), "mass");
    TRIAD_WITHIN(s[TRIAD_GPE_SUM_KINETIC], 1.125L * m.k2 * (plus + minus) / 2, test_sum_tolerance(4 * m.k2),
                 "2 alpha^2 k^2");
    for (int a = 0; a < 3; a++)
      TRIAD_WITHIN(s[TRIAD_GPE_SUM_MOMENTUM + a], 0.75L * creall(m.wave.x[a]) * (plus - minus), test_sum_tolerance(200),
                   "momentum");
  }
}

/* w_k component by component; |w|^2 less that of k (k.w)/k^2 is solenoidal. */
TRIAD_TEST(densities_split_momentum_into_solenoidal_and_compressive)
{
  const triad_gpe_constants c = constants(0);
  for (uint64_t i = 0; i < TEST_DRAWS; i++) {
    const test_mode m = test_mode_draw(i);
    const test_vector w = test_vector_of(m.t), curl_part = test_solenoidal(&m, w);
    triad_cplx u[TRIAD_GPE_SEEN] = {m.u[0], m.u[1], m.u[2]};
    for (int a = 0; a < 3; a++) triad_gpe_momentum_add(m.k[a], m.t[a], &u[TRIAD_GPE_FLUX], &u[TRIAD_GPE_SQUARE].re);
    long double psi2 = powl(cabsl(test_value(u[0])), 2) + powl(cabsl(test_value(u[1])), 2);
    long double kinetic = 1.125L * m.k2 * psi2, interaction = 1.125L * powl(cabsl(test_value(u[2])), 2);
    long double solenoidal = test_real_inner(curl_part, curl_part) / 2, all = test_real_inner(w, w) / 2;
    const long double want[TRIAD_GPE_DENSITIES] = {kinetic + interaction, kinetic, interaction, psi2, solenoidal,
                                                   all - solenoidal};
    double d[TRIAD_GPE_DENSITIES], energies[3];
    triad_gpe_mode_densities(&c, &m.both, u, d);
    triad_gpe_mode_energies(&c, (double)m.k2, u[2], u[3], u[4].re, energies);
    for (int x = 0; x < TRIAD_GPE_DENSITIES; x++)
      TRIAD_WITHIN(d[x], want[x], x < 4 ? test_sum_tolerance(8 * (1 + m.k2)) : 200 * eps(), "density");
    TRIAD_WITHIN(energies[0], interaction, test_sum_tolerance(4), "interaction energy");
    TRIAD_WITHIN(energies[1], solenoidal, 200 * eps(), "solenoidal energy");
    TRIAD_WITHIN(energies[2], m.k2 * solenoidal, (double)(200 * m.k2) * eps(), "its enstrophy");
  }
}

TRIAD_MAIN
