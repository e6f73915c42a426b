/* Weights in units in which a gas has large numbers: metres, seconds and pascals, say.   precision: both */
#include "test.h"

#include "base/random.h"
#include "solvers/compressible/points/flux_points.h"
#include "solvers/compressible/points/weights_points.h"

#include <math.h>

static const triad_compressible_weights weights[] = {TRIAD_WENO_JS, TRIAD_WENO_M, TRIAD_WENO_Z, TRIAD_WENO_TENO};
enum { WEIGHTS = sizeof weights / sizeof weights[0] };

/* The largest jump that weights_points.h speaks of, as a power of two. */
#ifdef TRIAD_SINGLE
enum { MOST = 39, LEAST = 12 };
#else
enum { MOST = 56, LEAST = 24 };
#endif

/* The value below a face less that of the cell c there, whose edge does not depend on the sixth value. */
static triad_real below_face(triad_compressible_weights w, triad_real a, triad_real b, triad_real c, triad_real d,
                             triad_real e)
{
  const triad_real epsilon = triad_compressible_epsilon((int)w);
  return triad_compressible_sides_of((int)w, epsilon, a, b, c, d, e, c).below / 6;
}

/* Edges of five values times 2^power, in units of 2^power: both at once, and each alone. */
static void edges(triad_compressible_weights w, const triad_real q[5], int power, triad_real edge[4])
{
  const triad_real unit = (triad_real)ldexp(1, power);
  triad_real v[5];
  for (int i = 0; i < 5; i++) v[i] = q[i] * unit;
  triad_compressible_edges((int)w, 1, v[0], v[1], v[2], v[3], v[4], &edge[0], &edge[1]);
  edge[2] = v[2] + below_face(w, v[4], v[3], v[2], v[1], v[0]);
  edge[3] = v[2] + below_face(w, v[0], v[1], v[2], v[3], v[4]);
  for (int i = 0; i < 4; i++) edge[i] /= unit;
}

/* Epsilon is to smoothness as 1e-6 to 2^(2 power) times what three of these have at least, some 1e-4: less than
 * rounding. */
TRIAD_TEST(rough_values_have_the_same_edges_in_all_units)
{
  for (int number = 0; number < 200; number++)
    for (int w = 0; w < WEIGHTS; w++) {
      triad_real q[5], known[4], edge[4];
      for (int i = 0; i < 5; i++) {
        const triad_bits bits = triad_random_bits(7, number, i, 0, 0);
        q[i] = (triad_real)(i % 2 + 0.8 * triad_random_uniform(bits, 0));
      }
      edges(weights[w], q, LEAST, known);
      for (int power = LEAST + 1; power <= MOST; power++) {
        edges(weights[w], q, power, edge);
        for (int i = 0; i < 4; i++) TRIAD_WITHIN(edge[i], known[i], 200 * TRIAD_EPSILON, "edge of random values");
      }
    }
}

/* A parabola across a jump of J counts for (1e-6/J^2)^2 beside one of equal values. */
TRIAD_TEST(jumps_are_left_out_in_all_units)
{
  static const triad_real left[5] = {1, 1, 1, 0, 0}, right[5] = {0, 0, 1, 1, 1};
  for (int w = 0; w < WEIGHTS; w++)
    for (int power = 4; power <= MOST; power++) {
      triad_real edge[4];
      edges(weights[w], left, power, edge);
      TRIAD_WITHIN(edge[1], 1, 1e-12 + 8 * TRIAD_EPSILON, "edge beside a fall");
      TRIAD_WITHIN(edge[3], 1, 1e-12 + 8 * TRIAD_EPSILON, "the same alone");
      edges(weights[w], right, power, edge);
      TRIAD_WITHIN(edge[0], 1, 1e-12 + 8 * TRIAD_EPSILON, "edge beside a rise");
      TRIAD_WITHIN(edge[2], 1, 1e-12 + 8 * TRIAD_EPSILON, "the same alone");
    }
}

static triad_real uniform(int number, int what, double low, double high)
{
  return (triad_real)(low + (high - low) * triad_random_uniform(triad_random_bits(11, number, what, 0, 0), 0));
}

/* The two sides of a face from six values share differences; each is the edge of its own cell. */
TRIAD_TEST(sides_of_a_face_are_edges_of_its_cells)
{
  for (int number = 0; number < 1000; number++)
    for (int w = 0; w < WEIGHTS; w++) {
      triad_real q[6];
      for (int i = 0; i < 6; i++) q[i] = uniform(number, i, 0.5, 1.5) + (triad_real)(number % 3 > 0 && i > number % 5);
      const triad_real epsilon = triad_compressible_epsilon((int)weights[w]);
      const triad_compressible_sides s =
        triad_compressible_sides_of((int)weights[w], epsilon, q[0], q[1], q[2], q[3], q[4], q[5]);
      triad_real below, above, other;
      triad_compressible_edges((int)weights[w], 1, q[0], q[1], q[2], q[3], q[4], &other, &below);
      triad_compressible_edges((int)weights[w], 1, q[1], q[2], q[3], q[4], q[5], &above, &other);
      TRIAD_WITHIN(triad_compressible_sum_of(s), below + above, 200 * TRIAD_EPSILON, "the sum of both sides");
      TRIAD_WITHIN(triad_compressible_six_jumps(s) / 6, above - below, 200 * TRIAD_EPSILON, "their difference");
    }
}

static const triad_compressible_gas air = {.gamma = (triad_real)1.4,
                                           .gm1 = (triad_real)0.4,
                                           .per_gamma = (triad_real)(1 / 1.4),
                                           .per_gm1 = (triad_real)(1 / 0.4),
                                           .delta = (triad_real)1e-6};

/* Waves by primitive values are the left eigenvectors (docs/methods/compressible.md eq. 34) times U and flux, in units
 * of the average's density or speed of sound and, for the flux, of |u_n| + c. */
TRIAD_TEST(waves_of_primitive_values_are_those_of_the_conserved)
{
  for (int number = 0; number < 200; number++) {
    triad_compressible_cell c[3];
    for (int i = 0; i < 3; i++)
      c[i] = (triad_compressible_cell){uniform(number, 5 * i, 0.3, 3), uniform(number, 5 * i + 1, -2, 2),
                                       uniform(number, 5 * i + 2, -2, 2), uniform(number, 5 * i + 3, -2, 2),
                                       uniform(number, 5 * i + 4, 0.3, 3)};
    const triad_compressible_frame f = triad_compressible_frame_of(triad_compressible_roe(&air, c[0], c[1]));
    const triad_compressible_five u = triad_compressible_conserved(&air, c[2]);
    const triad_compressible_five wave[2] = {
      triad_compressible_to_waves(&air, f.m, u),
      triad_compressible_to_waves(&air, f.m, triad_compressible_flux(&air, u, c[2].n, c[2].T))};
    const triad_compressible_sound s = triad_compressible_sound_of(&air, f, c[2]);
    const triad_compressible_wave shear = triad_compressible_shear(f, c[2].rho, c[2].n, c[2].s - f.m.s);
    const double rho = f.m.rho, sound = f.m.c, fast = fabs((double)f.m.n) + sound, near = 400 * TRIAD_EPSILON * fast;
    TRIAD_WITHIN(s.entropy.u * rho, wave[0].r, near, "entropy");
    TRIAD_WITHIN(s.down.u * sound, wave[0].n, near, "sound that moves down");
    TRIAD_WITHIN(s.up.u * sound, wave[0].e, near, "sound that moves up");
    TRIAD_WITHIN(shear.u * sound, wave[0].s, near, "a tangential velocity");
    TRIAD_WITHIN(s.entropy.f * rho * fast, wave[1].r, near * fast, "entropy of the flux");
    TRIAD_WITHIN(s.down.f * sound * fast, wave[1].n, near * fast, "sound of the flux that moves down");
    TRIAD_WITHIN(s.up.f * sound * fast, wave[1].e, near * fast, "sound of the flux that moves up");
    TRIAD_WITHIN(shear.f * sound * fast, wave[1].s, near * fast, "a tangential velocity of the flux");
  }
}

TRIAD_MAIN
