/* Least-squares gradients in thin bent cells (docs/methods/fct.md).
 *
 * In a layer that is thinner than the curvature of its cells, the centre of a face may be many thicknesses above or
 * below the layer. With weights 1/d^2 the gradient across the layer depends only on the two cells above and below. A
 * value at such a face would be the cell's own plus many times their difference, and rounding errors would grow from
 * step to step. With weights 1/(d^2 + s^2) and a sufficient length s, farther cells contribute too, and the result is
 * still exact for linear fields. Tetrahedra have too few neighbours for that: a multiple of the identity is added to
 * their sum of squares, which is not exact. */
#include "solvers/unstructured/state/domain_weights.h"
#include "solvers/unstructured/state/domain_internal.h"
#include "solvers/unstructured/state/domain_rows.h"

#include <math.h>

enum { MOST_SIDES = 2 * TRIAD_MESH_COLOURS, HALVINGS = 30 };

/* Largest influence of neighbours: ALLOWED times that with equal weights, or COMMON times that across a face of a
 * cube; at most CEILING. Ordinary meshes are below: tetrahedra of cubes reach 0.9, those of a jet 1.43. */
static const double ALLOWED = 2, COMMON = 0.5, CEILING = 1.5;

/* Least squares whose determinant is a smaller fraction of the cubed trace are not solved; too few digits are left, in
 * single precision earlier. */
#ifdef TRIAD_SINGLE
static const double FLAT = 1e-5;
#else
static const double FLAT = 1e-12;
#endif

/* The vectors from a cell's centre to the centres across its sides, and to its sides. */
typedef struct stencil {
  int n;
  double across[MOST_SIDES][3], to_side[MOST_SIDES][3], longest; /* longest: the square of the longest of across */
} stencil;

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static void find_stencil(const triad_unstructured_domain *d, const triad_unstructured_view *v, int64_t c, stencil *out)
{
  const triad_mesh_zone *zone;
  const int64_t at = triad_unstructured_domain_place(d, c, &zone, &out->n);
  out->longest = 0;
  for (int s = 0; s < out->n; s++) {
    triad_real numbers[TRIAD_UNSTRUCTURED_GEOMETRY], sign;
    triad_unstructured_domain_geometry(d, triad_unstructured_face_at(v, zone, at, s, &sign), numbers);
    for (int a = 0; a < 3; a++) {
      out->across[s][a] = (double)sign * (double)numbers[6 + a];
      out->to_side[s][a] = (double)(sign < 0 ? numbers[3 + a] - numbers[6 + a] : numbers[3 + a]);
    }
    out->longest = fmax(out->longest, dot(out->across[s], out->across[s]));
  }
}

/* sum += w x x^T: xx, xy, xz, yy, yz, zz. */
static void add_square(const double x[3], double w, double sum[TRIAD_UNSTRUCTURED_SQUARES])
{
  for (int a = 0, i = 0; a < 3; a++)
    for (int b = a; b < 3; b++) sum[i++] += w * x[a] * x[b];
}

static void times(const double m[TRIAD_UNSTRUCTURED_SQUARES], const double x[3], double out[3])
{
  out[0] = m[0] * x[0] + m[1] * x[1] + m[2] * x[2];
  out[1] = m[1] * x[0] + m[3] * x[1] + m[4] * x[2];
  out[2] = m[2] * x[0] + m[4] * x[1] + m[5] * x[2];
}

/* 0: it is too flat. */
static int invert(const double m[TRIAD_UNSTRUCTURED_SQUARES], double out[TRIAD_UNSTRUCTURED_SQUARES])
{
  const double xx = m[0], xy = m[1], xz = m[2], yy = m[3], yz = m[4], zz = m[5], trace = xx + yy + zz;
  const double a = yy * zz - yz * yz, b = xz * yz - xy * zz, c = xy * yz - xz * yy, det = xx * a + xy * b + xz * c;
  if (!(det > FLAT * trace * trace * trace)) return 0;
  const double all[TRIAD_UNSTRUCTURED_SQUARES] = {a, b, c, xx * zz - xz * xz, xy * xz - xx * yz, xx * yy - xy * xy};
  for (int i = 0; i < TRIAD_UNSTRUCTURED_SQUARES; i++) out[i] = all[i] / det;
  return 1;
}

/* Numbers added to squares of distances, and to the diagonal of the sum of squares. */
typedef struct softening {
  double distance, diagonal;
} softening;

/* The influence of rounding in the cells across: a value at a side is the cell's own plus a weighted sum of
 * differences to these cells. Returns the largest root-sum-square of the weights over all sides; INFINITY: the cells
 * across are in a plane. diagonal: relative to the trace of the sum of squares; absolute on return. */
static double influence(const stencil *s, double distance, double *diagonal)
{
  double squares[TRIAD_UNSTRUCTURED_SQUARES] = {0}, twice[TRIAD_UNSTRUCTURED_SQUARES] = {0},
         inverse[TRIAD_UNSTRUCTURED_SQUARES], most = 0;
  for (int i = 0; i < s->n; i++) {
    const double size = dot(s->across[i], s->across[i]) + distance, w = size > 0 ? 1 / size : 0;
    add_square(s->across[i], w, squares);
    add_square(s->across[i], w * w, twice);
  }
  *diagonal *= squares[0] + squares[3] + squares[5];
  squares[0] += *diagonal;
  squares[3] += *diagonal;
  squares[5] += *diagonal;
  if (!invert(squares, inverse)) return INFINITY;
  for (int i = 0; i < s->n; i++) {
    double x[3], y[3];
    times(inverse, s->to_side[i], x);
    times(twice, x, y);
    most = fmax(most, dot(x, y));
  }
  return sqrt(most);
}

/* With 10 to a power: times the longest distance's square where there is no diagonal, else the diagonal, with
 * weights that are equal. */
static double influence_of_power(const stencil *s, double power, int by_diagonal, softening *out)
{
  const double many = 1e4;
  *out = (softening){(by_diagonal ? many : pow(10, power)) * s->longest, by_diagonal ? pow(10, power) : 0};
  return influence(s, out->distance, &out->diagonal);
}

/* The least with which neighbours count as they may. */
static softening softening_of(const stencil *s)
{
  const double least = -16, most = 4;
  softening out = {0, 0}, tried;
  const double found = influence(s, 0, &out.diagonal), equal = influence_of_power(s, most, 0, &tried);
  const double allowed = fmin(ALLOWED * fmax(COMMON, equal), CEILING);
  if (found <= allowed) return out;
  const int by_diagonal = !(equal <= allowed);
  double low = least, high = most;
  for (int i = 0; i < HALVINGS; i++) {
    const double middle = (low + high) / 2;
    if (influence_of_power(s, middle, by_diagonal, &tried) <= allowed) high = middle;
    else low = middle;
  }
  influence_of_power(s, high, by_diagonal, &out);
  return out;
}

int triad_unstructured_soften(triad_unstructured_domain *d)
{
  const triad_unstructured_view v = {.near = d->near, .side = d->side};
  triad_unstructured_numbers *to = &d->softening;
  int64_t n = 0;
  TRIAD_TRY(
    triad_unstructured_take_numbers(d->context->memory, "domain", d->n_cells, TRIAD_UNSTRUCTURED_SOFTENING, to));
#pragma omp parallel for schedule(static) num_threads(d->context->threads) reduction(+ : n)
  for (int64_t c = d->n_bricks; c < d->n_cells; c++) {
    stencil s;
    find_stencil(d, &v, c, &s);
    const softening by = softening_of(&s);
    to->at[c] = (triad_real)by.distance;
    to->at[to->pitch + c] = (triad_real)by.diagonal;
    n += by.distance > 0;
  }
  if (n == 0) TRIAD_FREE(d->context->memory, &to->at);
  return TRIAD_OK;
}
