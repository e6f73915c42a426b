/* The wave function of vortex rings in a periodic box: the phase is half the solid angle of a ring, summed over its
 * images, and the modulus the profile of a straight vortex. */
#include "solvers/spectral/plain/gpe_ring.h"
#include "solvers/spectral/start/initial_gpe.h"

#include "base/precision.h"

#include <math.h>

enum { REACH = 2, FACE_POINTS = 12 };

/* Bulirsch's complete elliptic integral (1965, Numer. Math. 7, 78; 1969, 13, 305), p > 0, kc > 0:
 *   int_0^(pi/2) (a cos^2 + b sin^2)/((cos^2 + p sin^2) sqrt(cos^2 + kc^2 sin^2)) */
static double elliptic(double kc, double p, double a, double b)
{
  double arithmetic = 1, geometric = kc, product = kc, root = sqrt(p);
  b /= root;
  for (int i = 0; i < 40; i++) {
    double before = a, ratio = product / root, mean = arithmetic;
    a += b / root;
    b = 2 * (b + before * ratio);
    root += ratio;
    arithmetic += geometric;
    if (fabs(mean - geometric) <= 1e-8 * mean) break; /* converges quadratically: 1e-16 */
    geometric = 2 * sqrt(product);
    product = geometric * arithmetic;
  }
  return TRIAD_PI / 2 * (b + a * arithmetic) / (arithmetic * (arithmetic + root));
}

/* On the axis 2 pi (1 - z/sqrt(z^2 + R^2)), each power of R/r with its Legendre polynomial: (R/r)^8 2 pi 35/128 is left
 * out. */
static double far_angle(double radius, double r, double z)
{
  double t = radius / r, t2 = t * t, c = z / r, c2 = c * c;
  double p1 = c, p3 = c * (5 * c2 - 3) / 2, p5 = c * (63 * c2 * c2 - 70 * c2 + 15) / 8;
  return 2 * TRIAD_PI * t2 * (p1 / 2 - t2 * (3 * p3 / 8 - t2 * 5 * p5 / 16));
}

double triad_solid_angle(double radius, double s, double z)
{
  double r = hypot(s, z), height = fabs(z);
  if (r > 4 * radius) return far_angle(radius, r, z);
  if (fabs(s - radius) < 1e-9 * radius) s = radius * (1 - 1e-9); /* across the rim the two parts below cancel */
  double longest = hypot(s + radius, z), kc = hypot(s - radius, z) / longest, q = (s - radius) / (s + radius);
  /* -K(k) + q Pi(1 - q^2, k) in one integral (Paxton 1959, Rev. Sci. Instrum. 30, 254) */
  double angle = 2 * height / longest * (q - 1) * elliptic(kc, q * q, 1, -q) + (s < radius ? 2 * TRIAD_PI : 0);
  return copysign(angle, z);
}

static double profile(double d)
{
  const double a1 = 11. / 32, a2 = 11. / 384, b1 = 1. / 3, d2 = d * d;
  return sqrt(d2 * (a1 + a2 * d2) / (1 + b1 * d2 + a2 * d2 * d2));
}

/* Phase and modulus at d from a ring's centre, images in. */
static void one_ring(const triad_rings *all, const triad_ring *g, const double d[3], double *phase, double *modulus)
{
  *phase = 0;
  *modulus = 1;
  for (int m = -REACH; m <= REACH; m++)
    for (int l = -REACH; l <= REACH; l++)
      for (int k = -REACH; k <= REACH; k++) {
        const double e[3] = {d[0] - k * all->length[0], d[1] - l * all->length[1], d[2] - m * all->length[2]};
        double z = e[0] * g->normal[0] + e[1] * g->normal[1] + e[2] * g->normal[2];
        double s = sqrt(fmax(0, e[0] * e[0] + e[1] * e[1] + e[2] * e[2] - z * z));
        *phase -= triad_solid_angle(g->radius, s, z) / 2;
        if (k * k <= 1 && l * l <= 1 && m * m <= 1) *modulus *= profile(hypot(s - g->radius, z) / all->healing_length);
      }
  for (int i = 0; i < 3; i++) *phase -= g->slope[i] * d[i];
}

/* The mean jump of the phase from one side of the box about the ring to the other, by its length. */
static void find_slopes(const triad_rings *all, triad_ring *g)
{
  double slope[3], modulus, phase[2];
  for (int axis = 0; axis < 3; axis++) {
    double jump = 0;
    for (int a = 0; a < FACE_POINTS; a++)
      for (int b = 0; b < FACE_POINTS; b++) {
        for (int side = 0; side < 2; side++) {
          double d[3];
          d[axis] = (side - 0.5) * all->length[axis];
          d[(axis + 1) % 3] = ((a + 0.5) / FACE_POINTS - 0.5) * all->length[(axis + 1) % 3];
          d[(axis + 2) % 3] = ((b + 0.5) / FACE_POINTS - 0.5) * all->length[(axis + 2) % 3];
          one_ring(all, g, d, &phase[side], &modulus);
        }
        jump += phase[1] - phase[0];
      }
    slope[axis] = jump / (FACE_POINTS * FACE_POINTS) / all->length[axis];
  }
  for (int i = 0; i < 3; i++) g->slope[i] = slope[i];
}

static int read_ring(triad_rings *all, const triad_grid *grid, const double *v)
{
  triad_ring *g = &all->ring[all->count];
  double size = sqrt(v[3] * v[3] + v[4] * v[4] + v[5] * v[5]);
  int number = all->count + 1;
  if (!(size > 0))
    return TRIAD_FAIL(TRIAD_ERR_CASE, "initial.rings: the normal of ring %d is zero: give a direction", number);
  if (!(v[6] > 0))
    return TRIAD_FAIL(TRIAD_ERR_CASE, "initial.rings: ring %d has radius %g, but it must be above 0", number, v[6]);
  for (int i = 0; i < 3; i++) {
    g->center[i] = v[i];
    g->normal[i] = v[3 + i] / size;
    g->slope[i] = 0;
    if (grid->n[i] == 1)
      return TRIAD_FAIL(TRIAD_ERR_CASE, "initial.rings: a ring requires three dimensions, but grid.n contains a 1");
    /* the disc reaches R sqrt(1 - n_i^2) either way along axis i */
    if (v[6] * sqrt(fmax(0, 1 - g->normal[i] * g->normal[i])) >= grid->length[i] / 2)
      return TRIAD_FAIL(
        TRIAD_ERR_CASE,
        "initial.rings: ring %d of radius %g overlaps its periodic image in a box of %g along %c: use a smaller radius",
        number, v[6], grid->length[i], 'x' + i);
  }
  g->radius = v[6];
  all->count++;
  return TRIAD_OK;
}

int triad_rings_create(triad_rings *all, const triad_grid *grid, const double *numbers, int n, double healing_length)
{
  *all = (triad_rings){.healing_length = healing_length};
  if (n == 0 || n % TRIAD_RING_NUMBERS != 0 || n > TRIAD_MAX_RINGS * TRIAD_RING_NUMBERS)
    return TRIAD_FAIL(TRIAD_ERR_CASE,
                      "initial.rings has %d numbers, but each ring requires %d: centre x, y, z, normal nx, ny, nz, and "
                      "radius; at most %d rings",
                      n, TRIAD_RING_NUMBERS, TRIAD_MAX_RINGS);
  for (int i = 0; i < 3; i++) all->length[i] = grid->length[i];
  for (int r = 0; r < n / TRIAD_RING_NUMBERS; r++) TRIAD_TRY(read_ring(all, grid, numbers + r * TRIAD_RING_NUMBERS));
  for (int r = 0; r < all->count; r++) find_slopes(all, &all->ring[r]);
  return TRIAD_OK;
}

void triad_rings_psi(const triad_rings *all, const double x[3], double *re, double *im)
{
  double phase = 0, modulus = 1;
  for (int r = 0; r < all->count; r++) {
    double d[3], p, f;
    for (int i = 0; i < 3; i++) d[i] = remainder(x[i] - all->ring[r].center[i], all->length[i]);
    one_ring(all, &all->ring[r], d, &p, &f);
    phase += p;
    modulus *= f;
  }
  *re = modulus * cos(phase);
  *im = modulus * sin(phase);
}
