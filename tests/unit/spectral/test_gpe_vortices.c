/* Gross-Pitaevskii: vortices by formula have one quantum and the circulation of a flow.
 * ranks: 1 2 3   threads: 1 2   precision: both */
#include "gpe.h"

#include "fft/pass/transform.h"
#include "grid/shells.h"
#include "solvers/spectral/equations/gpe.h"
#include "solvers/spectral/start/initial_gpe.h"
#include "solvers/spectral/plain/gpe_ring.h"

/* By quadrature over the disc: the integral of z/distance^3. */
static double solid_angle_by_sum(double radius, double s, double z)
{
  double sum = 0;
  enum { RINGS = 600, ANGLES = 600 };
  for (int i = 0; i < RINGS; i++) {
    double r = radius * (i + 0.5) / RINGS;
    for (int j = 0; j < ANGLES; j++) {
      double a = 2 * pi * (j + 0.5) / ANGLES, d2 = s * s + r * r - 2 * s * r * cos(a) + z * z;
      sum += r * z / (d2 * sqrt(d2));
    }
  }
  return sum * (radius / RINGS) * (2 * pi / ANGLES);
}

TRIAD_TEST(solid_angle_of_a_disc)
{
  const double at[][2] = {{0, 0.3}, {0.4, 0.3}, {0.99, 0.2}, {1, 0.4}, {1.5, -0.3}, {2.5, 1.1}, {3.9, 0.5}, {4.5, -2}};
  for (size_t i = 0; i < sizeof at / sizeof *at; i++)
    TRIAD_NEAR(triad_solid_angle(1, at[i][0], at[i][1]), solid_angle_by_sum(1, at[i][0], at[i][1]), 5e-5, "by sum");
  TRIAD_NEAR(triad_solid_angle(2, 0, 3), 2 * pi * (1 - 3 / sqrt(13)), 1e-14, "on the axis");
  TRIAD_NEAR(triad_solid_angle(1, 0.5, 1e-12), 2 * pi, 1e-10, "at the disc");
  TRIAD_WITHIN(triad_solid_angle(1, 1.5, 1e-12), 0, 1e-10, "beside the disc");
  /* the two ways of finding it meet at r = 4 R */
  const double inside = 4 - 1e-9, outside = 4 + 1e-9, c = 0.6, s = 0.8;
  double near = triad_solid_angle(1, s * inside, c * inside), far = triad_solid_angle(1, s * outside, c * outside);
  TRIAD_NEAR(far, near, 2e-4, "r = 4 R");
}

/* Winding of the phase along a circle about the core, and across the sides of the box. */
TRIAD_TEST(ring_has_one_quantum_and_a_periodic_phase)
{
  const int64_t n[3] = {32, 32, 32};
  const double length[3] = {6, 7, 8}, numbers[7] = {1, 2, 3, 1, 2, -0.5, 1.3};
  triad_grid grid;
  triad_rings rings;
  TRIAD_CHECK(triad_grid_init(&grid, n, length, TRIAD_SPHERE));
  TRIAD_CHECK(triad_rings_create(&rings, &grid, numbers, 7, 0.1));
  const double *normal = rings.ring[0].normal;
  double e[3] = {-normal[1], normal[0], 0}, size = hypot(e[0], e[1]), turns = 0, last = 0;
  for (int i = 0; i < 3; i++) e[i] /= size;
  for (int step = 0; step <= 100; step++) {
    double a = 2 * pi * step / 100, x[3], re, im;
    for (int i = 0; i < 3; i++) x[i] = numbers[i] + (1.3 + 0.2 * cos(a)) * e[i] + 0.2 * sin(a) * normal[i];
    triad_rings_psi(&rings, x, &re, &im);
    double phase = atan2(im, re);
    if (step > 0) turns += remainder(phase - last, 2 * pi) / (2 * pi);
    last = phase;
  }
  TRIAD_NEAR(turns, -1, 1e-12, "turns: with the flow through the ring along its normal");
  double worst = 0;
  for (int axis = 0; axis < 3; axis++)
    for (int i = 0; i < 200; i++) {
      double x[3], p[2], re, im;
      for (int c = 0; c < 3; c++) x[c] = numbers[c] + length[c] / 2 * triad_test_random(1, (uint64_t)(3 * i + c));
      for (int side = 0; side < 2; side++) {
        x[axis] = numbers[axis] + length[axis] / 2 + (side - 0.5) * 1e-9;
        triad_rings_psi(&rings, x, &re, &im);
        p[side] = atan2(im, re);
      }
      worst = fmax(worst, fabs(remainder(p[1] - p[0], 2 * pi)));
    }
  TRIAD_HOLDS(worst < 0.01, "jump of the phase across the sides of the box: %g", worst);
}

/* Turns of the phase along the sides of a quarter of the plane z = 0, points i, j = 0 .. n/2 on. */
static double turns(const triad_real *re, const triad_real *im, int64_t n, int64_t i0, int64_t j0)
{
  double sum = 0, last = 0;
  for (int64_t step = 0; step <= 2 * n; step++) {
    int64_t side = step / (n / 2) % 4, along = step % (n / 2);
    int64_t i = side == 0 ? along : side == 1 ? n / 2 : side == 2 ? n / 2 - along : 0;
    int64_t j = side == 0 ? 0 : side == 1 ? along : side == 2 ? n / 2 : n / 2 - along;
    int64_t at = (j0 + j) % n * n + (i0 + i) % n;
    double phase = atan2((double)im[at], (double)re[at]);
    if (step > 0) sum += remainder(phase - last, 2 * pi) / (2 * pi);
    last = phase;
  }
  return sum;
}

/* The lines stand for the vorticity 2 sin x sin y of the plane z = 0: +-8 in each quarter of it, 8 quanta here. */
TRIAD_TEST(taylor_green_lines_have_the_circulation_of_the_flow)
{
  test_flow f = test_flow_make(test_together(), LINES, NULL);
  const triad_layout *l = f.flow->layout;
  double column[TRIAD_MAX_COLUMNS], quantum = 4 * pi * triad_gpe_from_case(f.given).alpha;
  triad_real *at[2];
  measure(f.flow, column);
  for (int i = 0; i < 3; i++) TRIAD_WITHIN(column[MOMENTUM + i], 0, 10 * eps, "momentum");
  for (int i = 0; i < 2; i++) at[i] = calloc((size_t)(l->n_planes * 64 * 64) + 1, sizeof *at[i]);
  TRIAD_CHECK(triad_backward(f.flow->pass, l, 2, (const triad_cplx *const *)f.flow->u, at));
  for (int q = 0; q < 4 && l->rank == 0; q++) {
    double circulation = quantum * turns(at[0], at[1], 64, q % 2 * 32, q / 2 * 32);
    TRIAD_NEAR(circulation, q == 0 || q == 3 ? 8 : -8, 0.01, "circulation, in whole quanta");
  }
  for (int i = 0; i < 2; i++) free(at[i]);
  test_flow_free(&f);
}

TRIAD_MAIN
