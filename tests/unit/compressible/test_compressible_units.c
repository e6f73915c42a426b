/* Weights in units in which a gas has large numbers: metres, seconds and pascals, say.   precision: both */
#include "test.h"

#include "base/random.h"
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

/* Edges of five values times 2^power, in units of 2^power: both at once, and each alone. */
static void edges(triad_compressible_weights w, const triad_real q[5], int power, triad_real edge[4])
{
  const triad_real unit = (triad_real)ldexp(1, power);
  triad_real v[5];
  for (int i = 0; i < 5; i++) v[i] = q[i] * unit;
  triad_compressible_edges((int)w, 1, v[0], v[1], v[2], v[3], v[4], &edge[0], &edge[1]);
  edge[2] = triad_compressible_edge((int)w, 1, v[4], v[3], v[2], v[1], v[0]);
  edge[3] = triad_compressible_edge((int)w, 1, v[0], v[1], v[2], v[3], v[4]);
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

TRIAD_MAIN
