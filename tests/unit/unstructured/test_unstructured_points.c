/* Flux-corrected transport at one face and one cell: fluxes that agree with the equations, keep what is at rest and
 * stay positive; boundary states; the pressure's change bounded on both sides; parts that keep any sum within bounds.
 * precision: both quick: 1 */
#include "test.h"

#include "unstructured_gases.h"

#include "solvers/unstructured/host/host_lanes.h"

#include <float.h>

TRIAD_TEST(fluxes_of_equal_states_are_the_flux)
{
  const triad_gas_constants g = triad_gas_constants_of(gamma_of_air);
  for (uint64_t i = 0; i < 500; i++) {
    triad_real q[5], n[3], f[3][5];
    long double exact[5];
    random_gas(i, 2, q);
    random_normal(i, n);
    exact_flux(q, n, exact);
    triad_gas_values_flux(&g, q, n, f[0]);
    triad_gas_values_rusanov(&g, q, q, n, f[1]);
    triad_gas_values_hllc(&g, q, q, n, f[2]);
    for (int which = 0; which < 3; which++)
      for (int k = 0; k < 5; k++) /* some 20 roundings of numbers of this size; the normal is one to rounding */
        TRIAD_WITHIN(f[which][k], (double)exact[k], 40 * TRIAD_EPSILON * size_of(exact), "flux");
  }
}

TRIAD_TEST(conserved_and_primitive_undo_each_other)
{
  const triad_gas_constants g = triad_gas_constants_of(gamma_of_air);
  for (uint64_t i = 0; i < 200; i++) {
    triad_real q[5], u[5], back[5];
    random_gas(i, 2, q);
    triad_gas_values_conserved(&g, q, u);
    triad_gas_values_primitive(&g, u, back);
    for (int k = 0; k < 4; k++) TRIAD_WITHIN(back[k], q[k], 4 * TRIAD_EPSILON * fabs((double)q[k]), "value");
    TRIAD_WITHIN(back[4], q[4], 8 * TRIAD_EPSILON * (double)u[4], "pressure");
  }
}

TRIAD_TEST(hllc_leaves_a_contact_at_rest_alone)
{
  const triad_gas_constants g = triad_gas_constants_of(gamma_of_air);
  const triad_real l[5] = {1, 0, 2, 0, 3}, r[5] = {TRIAD_R(0.1), 0, -1, 5, 3}, n[3] = {1, 0, 0};
  triad_real f[5];
  triad_gas_values_hllc(&g, l, r, n, f);
  const double expected[5] = {0, 3, 0, 0, 0};
  for (int k = 0; k < 5; k++) TRIAD_WITHIN(f[k], expected[k], 8 * TRIAD_EPSILON, "flux");
}

TRIAD_TEST(hllc_is_the_textbooks) { hllc_holds_to_the_textbook(); }

TRIAD_TEST(numbers_next_to_nothing_count_as_nothing_while_it_is_said)
{
#ifdef __SSE2__
#ifdef TRIAD_SINGLE
  volatile triad_real least = FLT_MIN;
#else
  volatile triad_real least = DBL_MIN;
#endif
  volatile triad_real half = TRIAD_R(0.5);
  TRIAD_HOLDS(least * half > 0, "half of the least normal number is one");
  const unsigned before = flush_begin();
  volatile triad_real gone = least * half, stays = least * 1;
  flush_end(before);
  TRIAD_HOLDS(gone == 0 && stays > 0, "only what is below it goes");
  TRIAD_HOLDS(least * half > 0, "as it was");
#endif
}

/* u - (F - F(u))/lambda is a mean of the Riemann problem's states beside the face; so is the same on the right. */
static void stays_positive(int hllc)
{
  const triad_gas_constants g = triad_gas_constants_of(gamma_of_air);
  for (uint64_t i = 0; i < 3000; i++) {
    triad_real l[5], r[5], n[3], flux[5], own[5], u[5], q[5];
    random_gas(2 * i, 8, l);
    random_gas(2 * i + 1, 8, r);
    random_normal(i, n);
    if (hllc) triad_gas_values_hllc(&g, l, r, n, flux);
    else triad_gas_values_rusanov(&g, l, r, n, flux);
    triad_real speed = triad_max(triad_gas_values_speed(&g, l, n), triad_gas_values_speed(&g, r, n));
    for (int side = 0; side < 2; side++) {
      triad_gas_values_conserved(&g, side ? r : l, u);
      triad_gas_values_flux(&g, side ? r : l, n, own);
      double scale = (double)u[4];
      for (int k = 0; k < 5; k++) u[k] += (side ? 1 : -1) * (flux[k] - own[k]) / speed;
      triad_gas_values_primitive(&g, u, q);
      TRIAD_HOLDS(u[0] > 0, "density %g", (double)u[0]);
      /* the pressure is a difference of energies */
      TRIAD_HOLDS((double)q[4] > -100 * TRIAD_EPSILON * (scale + (double)u[4]), "pressure %g", (double)q[4]);
    }
  }
}

TRIAD_TEST(rusanov_keeps_any_two_gases_positive) { stays_positive(0); }
TRIAD_TEST(hllc_keeps_any_two_gases_positive) { stays_positive(1); }

TRIAD_TEST(a_wall_takes_nothing_but_momentum_along_its_normal)
{
  const triad_gas_constants g = triad_gas_constants_of(gamma_of_air);
  const triad_unstructured_rule rule = {.kind = TRIAD_UNSTRUCTURED_SLIP};
  for (uint64_t i = 0; i < 200; i++) {
    triad_real q[5], n[3], mirror[5], wall[5], f[2][5];
    random_gas(i, 2, q);
    random_normal(i, n);
    triad_unstructured_wall(&g, q, n, wall);
    triad_unstructured_beyond(&g, &rule, q, n, mirror);
    triad_gas_values_rusanov(&g, q, mirror, n, f[0]);
    triad_gas_values_hllc(&g, q, mirror, n, f[1]);
    double c = (double)triad_gas_values_sound(&g, q), size = (double)q[0] * 20 * c * c;
    TRIAD_WITHIN(wall[0], 0, 0, "mass");
    TRIAD_WITHIN(wall[4], 0, 0, "energy");
    for (int which = 0; which < 2; which++)
      for (int k = 0; k < 4; k++)
        TRIAD_WITHIN(f[which][k], wall[k], 60 * TRIAD_EPSILON * size, "flux of the mirror image");
  }
}

/* ---- boundaries ---- */

static void same(const triad_real a[5], const triad_real b[5], double tolerance, const char *what)
{
  for (int k = 0; k < 5; k++) TRIAD_WITHIN(a[k], b[k], tolerance * (fabs((double)b[k]) + 1), what);
}

TRIAD_TEST(the_far_field_is_outside_of_inflow_and_inside_of_outflow)
{
  const triad_gas_constants g = triad_gas_constants_of(gamma_of_air);
  const triad_real n[3] = {-1, 0, 0};
  const triad_real fast_in[5] = {1, 3, 1, 0, 1}, fast_out[5] = {1, -3, 0, 1, 1},
                   still[5] = {TRIAD_R(1.2), 0, 0, 0, TRIAD_R(1.1)};
  triad_unstructured_rule rule = {.kind = TRIAD_UNSTRUCTURED_FARFIELD, .given = {1, 3, 1, 0, 1}};
  triad_real out[5];
  /* Subsonic inside, so that one wave leaves it: u.n + 5 c is that of inside; u.n - 5 c, entropy and the velocity
   * along the face are those of far away, from where the gas comes. */
  triad_unstructured_beyond(&g, &rule, still, n, out);
  const double c = sqrt(1.4 * (double)(out[4] / out[0])), tolerance = 40 * TRIAD_EPSILON;
  TRIAD_NEAR(-(double)out[1] + 5 * c, 5 * sqrt(1.4 * 1.1 / 1.2), tolerance, "the invariant of the wave that leaves");
  TRIAD_NEAR(-(double)out[1] - 5 * c, -3 - 5 * sqrt(1.4), tolerance, "the invariant of the wave that comes in");
  TRIAD_NEAR((double)out[4] / pow((double)out[0], 1.4), 1, 2 * tolerance, "entropy");
  TRIAD_NEAR(out[2], 1, tolerance, "velocity along the face");
  triad_unstructured_beyond(&g, &rule, fast_in, n, out);
  same(out, fast_in, 30 * TRIAD_EPSILON, "the state that is on both sides");
  triad_unstructured_beyond(&g, &rule, fast_out, n, out);
  same(out, fast_out, 30 * TRIAD_EPSILON, "supersonic outflow");
}

TRIAD_TEST(what_comes_from_a_reservoir_has_its_total_pressure_and_temperature)
{
  const triad_gas_constants g = triad_gas_constants_of(gamma_of_air);
  const triad_unstructured_rule rule = {.kind = TRIAD_UNSTRUCTURED_TOTAL,
                                        .given = {4, 0, 0, 0, 4}}; /* p0 = 4, T0 = 1 */
  const triad_real n[3] = {0, -1, 0};
  for (int i = 0; i < 20; i++) {
    const triad_real inside[5] = {TRIAD_R(1.1), 0, (triad_real)(0.05 * i), 0, (triad_real)(4 - 0.15 * i)};
    triad_real b[5];
    triad_unstructured_beyond(&g, &rule, inside, n, b);
    double t = (double)(b[4] / b[0]), mach2 = (double)(b[2] * b[2]) / (1.4 * t), factor = 1 + 0.2 * mach2;
    TRIAD_NEAR(t * factor, 1, 20 * TRIAD_EPSILON, "total temperature");
    TRIAD_NEAR((double)b[4] * pow(factor, 3.5), 4, 80 * TRIAD_EPSILON, "total pressure");
    TRIAD_HOLDS(b[2] >= 0 && mach2 <= 1 + 10 * TRIAD_EPSILON, "flow comes in, at most with the speed of sound");
  }
}

/* ---- limiting ---- */

TRIAD_TEST(the_change_of_pressure_lies_between_its_estimates)
{
  const triad_gas_constants g = triad_gas_constants_of(gamma_of_air);
  enum { FACES = 4 };
  for (uint64_t i = 0; i < 2000; i++) {
    triad_real q[5], u[5], after[5], p[5], first[FACES], second[FACES], sum = 0, quadratic = 0;
    random_gas(i, 1, q);
    triad_gas_values_conserved(&g, q, u);
    const triad_real least = q[0] * TRIAD_R(0.5);
    memcpy(after, u, sizeof u);
    for (int f = 0; f < FACES; f++) {
      triad_real d[5];
      for (int k = 0; k < 5; k++)
        d[k] = (triad_real)(0.1 * (random_at(90000 + 20 * i + 5 * (uint64_t)f + (uint64_t)k) - 0.5)) * u[k];
      triad_unstructured_pressure_change(&g, q + 1, d, FACES / least, &first[f], &second[f]);
      sum += first[f];
      quadratic += second[f];
      for (int k = 0; k < 5; k++) after[k] += d[k];
    }
    triad_gas_values_primitive(&g, after, p);
    double slack = 60 * TRIAD_EPSILON * (double)u[4];
    TRIAD_HOLDS((double)p[4] <= (double)(q[4] + sum) + slack, "the pressure rises more than its linear part says");
    TRIAD_HOLDS((double)p[4] >= (double)(q[4] + sum - quadratic) - slack, "the pressure falls more than estimated");
  }
}

/* Whatever flows through the faces of a cell, what is let through keeps density and pressure between the bounds: also
 * where other cells let through less. */
TRIAD_TEST(what_is_let_through_stays_within_the_bounds)
{
  const triad_gas_constants g = triad_gas_constants_of(gamma_of_air);
  enum { FACES = 6 };
  for (uint64_t i = 0; i < 2000; i++) {
    triad_real q[5], u[5], p[5], flux[FACES][5], first, second, d[5], rise[2] = {0, 0}, fall[2] = {0, 0};
    random_gas(i, 1, q);
    triad_gas_values_conserved(&g, q, u);
    const double low[2] = {0.9 * (double)q[0], 0.8 * (double)q[4]}, high[2] = {1.05 * (double)q[0], 1.3 * (double)q[4]};
    triad_unstructured_limits l = {
      .v = {q[1], q[2], q[3]}, .n_per_rho = (triad_real)(FACES / low[0]), .scale = TRIAD_R(0.7)};
    for (int f = 0; f < FACES; f++) {
      for (int k = 0; k < 5; k++) {
        flux[f][k] = (triad_real)(0.6 * (random_at(500000 + 30 * i + 5 * (uint64_t)f + (uint64_t)k) - 0.5)) * u[k];
        d[k] = l.scale * flux[f][k];
      }
      triad_unstructured_pressure_change(&g, l.v, d, l.n_per_rho, &first, &second);
      rise[0] += triad_max(d[0], 0);
      fall[0] += triad_max(-d[0], 0);
      rise[1] += triad_max(first, 0);
      fall[1] += triad_max(second - first, 0);
    }
    for (int v = 0; v < 2; v++) {
      l.rise[v] = triad_unstructured_room((triad_real)high[v] - q[4 * v], rise[v]);
      l.fall[v] = triad_unstructured_room(q[4 * v] - (triad_real)low[v], fall[v]);
    }
    for (int f = 0; f < FACES; f++) {
      triad_real part =
        triad_unstructured_part(&g, &l, flux[f], TRIAD_UNSTRUCTURED_LIMIT_DENSITY | TRIAD_UNSTRUCTURED_LIMIT_PRESSURE);
      TRIAD_HOLDS(part >= 0 && part <= 1, "a part of %g", (double)part);
      part *= (triad_real)random_at(9000000 + 6 * i + (uint64_t)f); /* the cell on the other side takes less */
      for (int k = 0; k < 5; k++) u[k] += part * l.scale * flux[f][k];
    }
    triad_gas_values_primitive(&g, u, p);
    double rounding = 60 * TRIAD_EPSILON * (double)u[4];
    for (int v = 0; v < 2; v++)
      TRIAD_HOLDS((double)p[4 * v] >= low[v] - rounding && (double)p[4 * v] <= high[v] + rounding,
                  "variable %d: %.17g outside %.17g .. %.17g", v, (double)p[4 * v], low[v], high[v]);
  }
}

TRIAD_MAIN
