/* Coefficients of bodies and the Strouhal number of their lift, for signals whose frequency is known.   ranks: 1 */
#include "test.h"

#include "base/random.h"
#include "solvers/bodies.h"

#include <math.h>

static const double pi = 3.14159265358979323846;
static const triad_body_reference body = {.area = 3, .length = 0.5, .density = 2, .velocity = {3, 4, 0}, .up = 1};

TRIAD_TEST(drag_is_along_the_stream_and_lift_across_it)
{
  double cl, cd; /* head = 2 25/2 3 = 75 */
  triad_body_coefficients(&body, (const double[3]){30, 40, 7}, &cl, &cd);
  TRIAD_NEAR(cd, 50. / 75, 1e-15, "a force along the stream");
  TRIAD_NEAR(cl, 0, 1e-15, "has no lift");
  triad_body_coefficients(&body, (const double[3]){-4, 3, 0}, &cl, &cd);
  TRIAD_NEAR(cl, 5. / 75, 1e-15, "a force across it, to the left");
  TRIAD_NEAR(cd, 0, 1e-15, "has no drag");
  triad_body_reference still = body;
  still.velocity[0] = still.velocity[1] = 0;
  triad_body_coefficients(&still, (const double[3]){1, 1, 1}, &cl, &cd);
  TRIAD_NEAR(cd, 0, 0, "no stream, no coefficients");
}

TRIAD_TEST(a_moment_is_positive_if_it_lifts_the_nose)
{
  const double head = 75 * 0.5; /* times length */
  TRIAD_NEAR(triad_body_moment(&body, (const double[3]){9, 9, -30}), 30 / head, 1e-15, "up along y: clockwise");
  triad_body_reference other = body; /* of the same speed */
  other.up = 2;
  TRIAD_NEAR(triad_body_moment(&other, (const double[3]){9, 30, 9}), 30 / head, 1e-15, "up along z");
  other.velocity[0] = 0;
  other.velocity[1] = 5;
  TRIAD_NEAR(triad_body_moment(&other, (const double[3]){-30, 9, 9}), 30 / head, 1e-15, "a stream along y, up along z");
  other.velocity[1] = -5;
  TRIAD_NEAR(triad_body_moment(&other, (const double[3]){30, 9, 9}), 30 / head, 1e-15, "one along -y");
  other.velocity[1] = 0;
  other.velocity[2] = 5;
  other.up = 1;
  TRIAD_NEAR(triad_body_moment(&other, (const double[3]){30, 9, 9}), 30 / head, 1e-15, "a stream along z, up along y");
}

/* The number after rows every dt up to the end. */
static double number_of(double (*lift)(double t), double dt, double end)
{
  triad_strouhal s = {0};
  for (int64_t i = 0; (double)i * dt <= end; i++) triad_strouhal_add(&s, &body, (double)i * dt, lift((double)i * dt));
  return triad_strouhal_number(&s, &body);
}

static const double period = 0.37; /* Strouhal number length/(speed period) = 0.5/(5 0.37) */
static double sine(double t) { return 0.3 + 0.02 * sin(2 * pi * t / period); }
static double started(double t) { return sine(t) + 50 * exp(-t / 0.1); }
static double two_tones(double t) { return sine(t) + 0.004 * sin(6 * pi * t / period + 1); }
static double noisy(double t)
{
  return sine(t) + 1e-3 * ((double)(triad_random_bits((uint64_t)(t * 1e6), 0, 0, 0, 0).v[0] >> 8) / (1 << 24) - 0.5);
}
static double rounding(double t) { return noisy(t) * 1e-12; }
static double died(double t) { return t < 5 ? sine(t) : 0.3; }

TRIAD_TEST(the_frequency_of_the_lift_is_found)
{
  const double exact = 0.5 / (5 * period);
  TRIAD_NEAR(number_of(sine, 0.02, 8), exact, 1e-3 * exact, "a sine with a mean, 18 rows a cycle");
  TRIAD_NEAR(number_of(sine, 0.005, 8), exact, 1e-4 * exact, "74 rows a cycle");
  TRIAD_NEAR(number_of(started, 0.01, 20), exact, 1e-3 * exact, "after a start 2500 times as large");
  TRIAD_NEAR(number_of(two_tones, 0.01, 8), exact, 1e-3 * exact, "with a third harmonic");
  TRIAD_NEAR(number_of(noisy, 0.01, 8), exact, 1e-2 * exact, "with noise of a twentieth");
}

TRIAD_TEST(where_there_is_no_frequency_there_is_no_number)
{
  TRIAD_HOLDS(isnan(number_of(sine, 0.01, 0.3)), "less than a cycle");
  TRIAD_HOLDS(isnan(number_of(rounding, 0.01, 8)), "rounding errors");
  TRIAD_HOLDS(isnan(number_of(died, 0.01, 8)), "an oscillation that has ended");
  TRIAD_HOLDS(isnan(number_of(sine, 0.15, 8)), "rows less than three a cycle");
}

TRIAD_TEST(a_checkpoint_continues_the_frequency_bit_for_bit)
{
  triad_notes *notes = NULL;
  triad_strouhal whole = {0}, first = {0}, second;
  TRIAD_CHECK(triad_notes_create(&notes));
  for (int i = 0; i < 300; i++) triad_strouhal_add(&whole, &body, 0.013 * i, noisy(0.013 * i));
  for (int i = 0; i < 151; i++) triad_strouhal_add(&first, &body, 0.013 * i, noisy(0.013 * i));
  TRIAD_CHECK(triad_strouhal_keep(&first, "strouhal", notes));
  triad_strouhal_take(&second, "strouhal", notes);
  for (int i = 150; i < 300; i++) triad_strouhal_add(&second, &body, 0.013 * i, noisy(0.013 * i)); /* row 150 twice */
  TRIAD_NEAR(triad_strouhal_number(&second, &body), triad_strouhal_number(&whole, &body), 0, "the same bits");
  triad_notes_destroy(&notes);
  triad_strouhal_take(&second, "strouhal", NULL);
  TRIAD_HOLDS(isnan(triad_strouhal_number(&second, &body)), "a start has none");
}

TRIAD_MAIN
