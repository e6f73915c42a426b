/* Arithmetic of a cell and a face of flow on curvilinear blocks: limiters against their definitions in long double;
 * states at boundaries against what they keep; area vectors. tests/unit/gas has the fluxes.
 * ranks: 1   threads: 1   precision: both quick: 1 */
#include "blocks/geometry.h"
#include "solvers/multiblock/points/boundary_points.h"
#include "solvers/multiblock/points/viscous_points.h"
#include "test.h"

static const triad_real gas = TRIAD_R(1.4);
enum { TRIALS = 200 };

static double any(void)
{
  static uint64_t seed = 12345;
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(seed >> 11) / 9007199254740992.0;
}

static triad_gas_state any_state(double speed)
{
  triad_gas_state q = {(triad_real)(0.5 + any()), 0, 0, 0, (triad_real)(0.5 + any())};
  q.u = (triad_real)(speed * (2 * any() - 1));
  q.v = (triad_real)(speed * (2 * any() - 1));
  q.w = (triad_real)(speed * (2 * any() - 1));
  return q;
}

/* psi(r) as textbooks have it. */
static long double psi(triad_multiblock_limiter limiter, long double r)
{
  if (r <= 0) return 0;
  switch (limiter) {
  case TRIAD_MULTIBLOCK_LIMIT_VAN_ALBADA: return (r * r + r) / (1 + r * r);
  case TRIAD_MULTIBLOCK_LIMIT_VAN_LEER: return 2 * r / (1 + r);
  case TRIAD_MULTIBLOCK_LIMIT_MINMOD: return r < 1 ? r : 1;
  case TRIAD_MULTIBLOCK_LIMIT_SUPERBEE: return fmaxl(fminl(2 * r, 1), fminl(r, 2));
  case TRIAD_MULTIBLOCK_LIMIT_OSPRE: return 1.5L * (r * r + r) / (r * r + r + 1);
  default: return 1;
  }
}

/* A kind that a loop does not know must not become another kind. */
TRIAD_TEST(what_is_no_kind_gives_no_number)
{
  const triad_gas_state q = any_state(1);
  const triad_real s[3] = {1, 0, 0};
  const triad_multiblock_side side = {.kind = (triad_multiblock_boundary)TRIAD_MULTIBLOCK_BOUNDARIES};
  TRIAD_HOLDS(isnan((double)triad_gas_face((triad_gas_riemann)TRIAD_GAS_RIEMANN_KINDS, q, q, s, gas).mass), "a flux");
  TRIAD_HOLDS(isnan((double)triad_multiblock_slope((triad_multiblock_limiter)TRIAD_MULTIBLOCK_LIMITERS, 1, 1)),
              "a limiter");
  TRIAD_HOLDS(isnan((double)triad_multiblock_state_at(&side, q, q, s, gas).rho), "a state at a boundary");
  TRIAD_HOLDS(isnan((double)triad_multiblock_halo_of(&side, q, q, q, s).p), "a state beyond a boundary");
  TRIAD_HOLDS(isnan((double)triad_multiblock_boundary_flux(&side, TRIAD_GAS_ROE, q, q, q, s, gas).energy),
              "a boundary flux");
}

TRIAD_TEST(slopes_are_those_of_kappa_and_limiter)
{
  for (int limiter = 0; limiter < TRIAD_MULTIBLOCK_LIMITERS; limiter++)
    for (int i = 0; i < TRIALS; i++) {
      triad_real a = (triad_real)(2 * any() - 1), b = (triad_real)(2 * any() - 0.6),
                 kappa = (triad_real)(2 * any() - 1), down, up;
      triad_multiblock_reach((triad_multiblock_limiter)limiter, kappa, 1, -a, 0, b, &down, &up);
      long double plus = psi((triad_multiblock_limiter)limiter, (long double)b / (long double)a) * (long double)a;
      long double minus = psi((triad_multiblock_limiter)limiter, (long double)a / (long double)b) * (long double)b,
                  k = (long double)kappa;
      if (limiter == TRIAD_MULTIBLOCK_NO_LIMITER) plus = (long double)a, minus = (long double)b;
      TRIAD_WITHIN(up, ((1 - k) * plus + (1 + k) * minus) / 4, 20 * TRIAD_EPSILON, "what is added at the upper face");
      TRIAD_WITHIN(-down, ((1 + k) * plus + (1 - k) * minus) / 4, 20 * TRIAD_EPSILON,
                   "what is taken at the lower face");
    }
}

TRIAD_TEST(cells_without_a_slope_have_none)
{
  for (int limiter = 0; limiter < TRIAD_MULTIBLOCK_LIMITERS; limiter++) {
    triad_real down, up;
    triad_multiblock_reach((triad_multiblock_limiter)limiter, TRIAD_R(0.3), 1, 3, 3, 3, &down, &up);
    TRIAD_WITHIN(up, 3, 0, "slope of equal cells");
    triad_multiblock_reach((triad_multiblock_limiter)limiter, TRIAD_R(0.3), 0, 1, 2, 4, &down, &up);
    TRIAD_WITHIN(up, 2, 0, "slope at order 1");
  }
}

TRIAD_TEST(conserved_and_primitive_undo_each_other)
{
  for (int i = 0; i < TRIALS; i++) {
    triad_gas_state q = any_state(3), back = triad_gas_primitive(triad_gas_conserved(q, gas), gas);
    TRIAD_WITHIN(back.p, q.p, 100 * TRIAD_EPSILON, "pressure");
    TRIAD_WITHIN(back.u, q.u, 20 * TRIAD_EPSILON, "velocity");
  }
}

/* ---- boundaries ---- */

static double plus(triad_gas_state q, const triad_real n[3])
{
  return (double)triad_multiblock_across(q, n) + 2 / 0.4 * (double)triad_gas_sound(q, gas);
}

static double entropy(triad_gas_state q) { return (double)q.p / pow((double)q.rho, 1.4); }

static const triad_real normal[3] = {TRIAD_R(0.6), TRIAD_R(0.0), TRIAD_R(0.8)};

TRIAD_TEST(far_field_keeps_what_arrives_from_each_side)
{
  for (int i = 0; i < TRIALS; i++) {
    triad_gas_state in = any_state(0.3), out = any_state(0.3), at = triad_multiblock_far(in, out, normal, gas);
    double minus = (double)triad_multiblock_across(out, normal) - 2 / 0.4 * (double)triad_gas_sound(out, gas);
    TRIAD_WITHIN(plus(at, normal), plus(in, normal), 100 * TRIAD_EPSILON, "from inside");
    TRIAD_WITHIN((double)triad_multiblock_across(at, normal) - 2 / 0.4 * (double)triad_gas_sound(at, gas), minus,
                 100 * TRIAD_EPSILON, "from outside");
    TRIAD_WITHIN(entropy(at), entropy(triad_multiblock_across(at, normal) > 0 ? in : out), 200 * TRIAD_EPSILON,
                 "entropy from upwind");
    triad_gas_state still = triad_multiblock_far(in, in, normal, gas);
    TRIAD_WITHIN(still.p, in.p, 100 * TRIAD_EPSILON, "of a flow that is its own far field");
  }
}

TRIAD_TEST(outflow_has_its_pressure_and_inflow_its_vessel)
{
  for (int i = 0; i < TRIALS; i++) {
    triad_gas_state in = any_state(0.3), at = triad_multiblock_outflow(in, TRIAD_R(0.9), normal, gas);
    TRIAD_WITHIN(at.p, TRIAD_R(0.9), 0, "pressure of an outflow");
    TRIAD_WITHIN(entropy(at), entropy(in), 200 * TRIAD_EPSILON, "entropy of an outflow");
    TRIAD_WITHIN(plus(at, normal), plus(in, normal), 100 * TRIAD_EPSILON, "what leaves");
    const triad_real along[3] = {TRIAD_R(-0.6), 0, TRIAD_R(-0.8)};
    in.u = along[0] * TRIAD_R(0.4), in.v = 0, in.w = along[2] * TRIAD_R(0.4);
    in.rho = in.p = 1;
    triad_real p0 = (triad_real)(1.1 + 0.1 * any()), rt0 = (triad_real)(1.05 + 0.1 * any());
    at = triad_multiblock_vessel(in, p0, rt0, along, normal, gas);
    double m2 = (double)(at.u * at.u + at.v * at.v + at.w * at.w) / (1.4 * (double)(at.p / at.rho));
    TRIAD_WITHIN((double)at.p * pow(1 + 0.2 * m2, 3.5) / (double)p0, 1, 100 * TRIAD_EPSILON, "total pressure");
    TRIAD_WITHIN((double)(at.p / at.rho) * (1 + 0.2 * m2) / (double)rt0, 1, 100 * TRIAD_EPSILON, "total temperature");
    TRIAD_WITHIN(plus(at, normal), plus(in, normal), 200 * TRIAD_EPSILON, "what leaves against the inflow");
    triad_gas_state given = any_state(0.2), enters = triad_multiblock_inflow(in, given, normal, gas);
    TRIAD_WITHIN(plus(enters, normal), plus(in, normal), 100 * TRIAD_EPSILON, "what leaves against a given velocity");
    TRIAD_WITHIN(enters.rho, given.rho, 0, "density of an inflow");
  }
}

TRIAD_TEST(mirrors_turn_the_normal_velocity)
{
  triad_gas_state q = any_state(1), m = triad_multiblock_mirrored(q, normal);
  TRIAD_WITHIN(triad_multiblock_across(m, normal), -triad_multiblock_across(q, normal), 10 * TRIAD_EPSILON,
               "normal velocity");
  TRIAD_WITHIN(m.u * m.u + m.v * m.v + m.w * m.w, q.u * q.u + q.v * q.v + q.w * q.w, 20 * TRIAD_EPSILON, "speed");
}

/* ---- geometry and gradients ---- */

/* Sum of the area vectors of a hexahedron with any eight corners; the volume of one whose faces are planes. */
TRIAD_TEST(faces_of_a_cell_close)
{
  static const int face[6][4] = {{0, 2, 6, 4}, {1, 5, 7, 3}, {0, 4, 5, 1}, {2, 3, 7, 6}, {0, 1, 3, 2}, {4, 6, 7, 5}};
  double x[8][3], sum[3] = {0, 0, 0};
  for (int i = 0; i < 8; i++)
    for (int a = 0; a < 3; a++) x[i][a] = (i >> a & 1) + 0.3 * any();
  for (int f = 0; f < 6; f++) {
    double s[3];
    triad_blocks_quad_area(x[face[f][0]], x[face[f][1]], x[face[f][2]], x[face[f][3]], s);
    for (int a = 0; a < 3; a++) sum[a] += s[a];
  }
  for (int a = 0; a < 3; a++) TRIAD_WITHIN(sum[a], 0, 8 * DBL_EPSILON, "sum of area vectors");
}

/* Of one cell whose corners are anywhere: the lower face across an axis, turned along it, by the four nodes around
 * it. */
TRIAD_TEST(areas_follow_from_nodes)
{
  static const int order[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  triad_real x[3][8];
  const triad_real *const node[3] = {x[0], x[1], x[2]};
  for (int i = 0; i < 8; i++)
    for (int a = 0; a < 3; a++) x[a][i] = (triad_real)((i >> a & 1) + 0.3 * any());
  for (int axis = 0; axis < 3; axis++) {
    const int t = (axis + 1) % 3, r = (axis + 2) % 3;
    double corner[4][3], s[3];
    for (int i = 0; i < 4; i++)
      for (int a = 0; a < 3; a++) corner[i][a] = (double)x[a][(order[i][0] << t) + (order[i][1] << r)];
    triad_blocks_quad_area(corner[0], corner[1], corner[2], corner[3], s);
    const triad_gas_vector found = triad_multiblock_area_between(node, 0, 1 << t, 1 << r);
    const double of[3] = {(double)found.x, (double)found.y, (double)found.z};
    for (int a = 0; a < 3; a++) TRIAD_WITHIN(of[a], s[a], 8 * TRIAD_EPSILON, "area vector");
    TRIAD_HOLDS(of[axis] > 0, "across axis %d the area vector is turned along it: %g", axis, of[axis]);
  }
}

static void same_gradient(triad_gas_vector found, const double g[3], double factor, double times)
{
  const double of[3] = {(double)found.x, (double)found.y, (double)found.z};
  for (int a = 0; a < 3; a++) TRIAD_WITHIN(of[a] / times, factor * g[a], 400 * TRIAD_EPSILON, "gradient");
}

/* On a grid of equal parallelepipeds, with corners e_i: area vectors are cross products, and a linear value has its
 * gradient, each of the four its own. */
TRIAD_TEST(gradients_of_linear_values_are_exact_on_skew_cells)
{
  enum { N = 5, ALL = N * N * N };
  static triad_real value[4][ALL], area[3][3][ALL], volume[ALL];
  static const double e[3][3] = {{1, 0.2, -0.1}, {0.3, 0.8, 0.1}, {-0.2, 0.1, 1.3}}, g[3] = {0.7, -1.1, 0.4};
  static const double factor[4] = {1, -0.5, 2, 0.25};
  const int64_t step[3] = {1, N, N * N}, middle = 2 + N * 2 + N * N * 2;
  triad_multiblock_sight m = {.value = {value[0], value[1], value[2], value[3]}, .viscosity = NULL, .volume = volume};
  for (int t = 0; t < 3; t++)
    for (int a = 0; a < 3; a++) m.s[t][a] = area[t][a];
  for (int i = 0; i < ALL; i++) {
    const int at[3] = {i % N, i / N % N, i / N / N};
    double v = 0;
    for (int t = 0; t < 3; t++)
      for (int a = 0; a < 3; a++) {
        const double *p = e[(t + 1) % 3], *q = e[(t + 2) % 3];
        int b = (a + 1) % 3, c = (a + 2) % 3;
        v += g[a] * at[t] * e[t][a];
        area[t][a][i] = (triad_real)(p[b] * q[c] - p[c] * q[b]);
      }
    for (int n = 0; n < 4; n++) value[n][i] = (triad_real)(factor[n] * v);
    double whole = 0;
    for (int a = 0; a < 3; a++) whole += (double)area[0][a][i] * e[0][a];
    volume[i] = (triad_real)whole;
  }
  for (int axis = 0; axis < 3; axis++) {
    triad_multiblock_gradients found = triad_multiblock_gradients_of(&m, axis, -1, step, middle);
    const double times = 8 * (double)volume[middle]; /* four times two volumes */
    same_gradient(found.u, g, factor[0], times);
    same_gradient(found.v, g, factor[1], times);
    same_gradient(found.w, g, factor[2], times);
    same_gradient(found.t, g, factor[3], times);
  }
}

/* Green's theorem word by word on the volume about the lower face of the cell at b, of halves of two cells: over its
 * six sides the value there, of a cell in whose middle it stands or the mean of four, times twice the side's outward
 * area. */
static void add_side(double sum[3], double value, triad_real *const s[3], int64_t one, int64_t other, double sign)
{
  for (int a = 0; a < 3; a++) sum[a] += sign * value * ((double)s[a][one] + (double)s[a][other]);
}

static void sum_over_sides(const triad_real *q, triad_real *const s[3][3], int axis, const int64_t step[3], int64_t b,
                           double sum[3])
{
  const int64_t a = b - step[axis];
  memset(sum, 0, 3 * sizeof *sum);
  add_side(sum, (double)q[b], s[axis], b, b + step[axis], 1);
  add_side(sum, (double)q[a], s[axis], a, b, -1);
  for (int t = 0; t < 3; t++) {
    if (t == axis) continue;
    const int64_t up = step[t];
    const double here = (double)q[a] + (double)q[b];
    add_side(sum, (here + (double)q[a + up] + (double)q[b + up]) / 4, s[t], a + up, b + up, 1);
    add_side(sum, (here + (double)q[a - up] + (double)q[b - up]) / 4, s[t], a, b, -1);
  }
}

TRIAD_TEST(gradients_are_sums_over_the_sides_of_cells_of_any_shape)
{
  enum { N = 5, ALL = N * N * N, NODES = N + 1 };
  static triad_real value[4][ALL], area[3][3][ALL], volume[ALL];
  static double node[NODES][NODES][NODES][3]; /* [z][y][x] */
  static const int order[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  const int64_t step[3] = {1, N, N * N}, middle = 2 + N * 2 + N * N * 2;
  triad_real *s[3][3];
  triad_multiblock_sight m = {.value = {value[0], value[1], value[2], value[3]}, .viscosity = NULL, .volume = volume};
  for (int t = 0; t < 3; t++)
    for (int a = 0; a < 3; a++) m.s[t][a] = s[t][a] = area[t][a];
  for (int i = 0; i < NODES * NODES * NODES; i++) {
    const int at[3] = {i % NODES, i / NODES % NODES, i / NODES / NODES};
    for (int a = 0; a < 3; a++) node[at[2]][at[1]][at[0]][a] = at[a] + 0.3 * any();
  }
  for (int i = 0; i < ALL; i++) {
    for (int f = 0; f < 4; f++) value[f][i] = (triad_real)(1 + any());
    for (int axis = 0; axis < 3; axis++) {
      const double *x[4];
      double of[3];
      for (int k = 0; k < 4; k++) {
        int at[3] = {i % N, i / N % N, i / N / N};
        at[(axis + 1) % 3] += order[k][0];
        at[(axis + 2) % 3] += order[k][1];
        x[k] = node[at[2]][at[1]][at[0]];
      }
      triad_blocks_quad_area(x[0], x[1], x[2], x[3], of);
      for (int a = 0; a < 3; a++) area[axis][a][i] = (triad_real)of[a];
    }
  }
  for (int axis = 0; axis < 3; axis++) {
    const triad_multiblock_gradients g = triad_multiblock_gradients_of(&m, axis, -1, step, middle);
    const triad_gas_vector found[4] = {g.u, g.v, g.w, g.t};
    for (int f = 0; f < 4; f++) {
      const double of[3] = {(double)found[f].x, (double)found[f].y, (double)found[f].z};
      double sum[3];
      sum_over_sides(value[f], s, axis, step, middle, sum);
      for (int a = 0; a < 3; a++) TRIAD_WITHIN(of[a] / 4, sum[a], 4 * 60 * TRIAD_EPSILON, "sum over sides");
    }
  }
}

TRIAD_MAIN
