/* Arithmetic of a cell and a face of flow on curvilinear blocks: fluxes against what they must do with one state,
 * with faster than sound flow and under mirrors; limiters against their definitions in long double; states at
 * boundaries against what they keep; area vectors. ranks: 1   threads: 1   precision: both quick: 1 */
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

static triad_multiblock_state any_state(double speed)
{
  triad_multiblock_state q = {(triad_real)(0.5 + any()), 0, 0, 0, (triad_real)(0.5 + any())};
  q.u = (triad_real)(speed * (2 * any() - 1));
  q.v = (triad_real)(speed * (2 * any() - 1));
  q.w = (triad_real)(speed * (2 * any() - 1));
  return q;
}

static void any_area(triad_real s[3])
{
  for (int a = 0; a < 3; a++) s[a] = (triad_real)(2 * any() - 1);
}

static void numbers(triad_multiblock_flux f, double out[5])
{
  const double all[5] = {(double)f.mass, (double)f.x, (double)f.y, (double)f.z, (double)f.energy};
  memcpy(out, all, sizeof all);
}

static void same_flux(triad_multiblock_flux a, triad_multiblock_flux b, double tolerance, const char *what)
{
  double x[5], y[5];
  numbers(a, x);
  numbers(b, y);
  for (int i = 0; i < 5; i++) TRIAD_WITHIN(x[i], y[i], tolerance, what);
}

static triad_multiblock_flux negative(triad_multiblock_flux f)
{
  return (triad_multiblock_flux){-f.mass, -f.x, -f.y, -f.z, -f.energy};
}

/* Terms are of size 10, and some tens of them are rounded. */
static const double rounding = 400 * TRIAD_EPSILON;

TRIAD_TEST(a_state_beside_itself_has_its_own_flux)
{
  for (int kind = 0; kind < TRIAD_MULTIBLOCK_RIEMANN_KINDS; kind++)
    for (int i = 0; i < TRIALS; i++) {
      triad_multiblock_state q = any_state(2);
      triad_real s[3];
      any_area(s);
      same_flux(triad_multiblock_face((triad_multiblock_riemann)kind, q, q, s, gas),
                triad_multiblock_flux_of(q, s, gas), rounding, "flux of a state");
    }
}

/* The same face seen from its other side. */
TRIAD_TEST(fluxes_change_sign_with_the_side)
{
  for (int kind = 0; kind < TRIAD_MULTIBLOCK_RIEMANN_KINDS; kind++)
    for (int i = 0; i < TRIALS; i++) {
      triad_multiblock_state l = any_state(1.5), r = any_state(1.5);
      triad_real s[3], back[3];
      any_area(s);
      for (int a = 0; a < 3; a++) back[a] = -s[a];
      same_flux(triad_multiblock_face((triad_multiblock_riemann)kind, l, r, s, gas),
                negative(triad_multiblock_face((triad_multiblock_riemann)kind, r, l, back, gas)), rounding,
                "flux from the other side");
    }
}

/* All waves go one way: of Roe's flux this holds only where its mean makes the jump of fluxes that of states. */
TRIAD_TEST(faster_than_sound_the_upwind_flux_is_left)
{
  for (int kind = 0; kind < TRIAD_MULTIBLOCK_RIEMANN_KINDS; kind++)
    for (int i = 0; i < TRIALS; i++) {
      triad_multiblock_state l = any_state(0.5), r = any_state(0.5);
      triad_real s[3] = {TRIAD_R(0.7), TRIAD_R(-0.4), TRIAD_R(0.3)};
      for (int a = 0; a < 2; a++) {
        triad_multiblock_state *q = a ? &l : &r;
        q->u += 7 * s[0];
        q->v += 7 * s[1];
        q->w += 7 * s[2];
      }
      same_flux(triad_multiblock_face((triad_multiblock_riemann)kind, l, r, s, gas),
                triad_multiblock_flux_of(l, s, gas), 10 * rounding, "upwind flux");
    }
}

/* Exchange x and y of everything. */
TRIAD_TEST(no_axis_is_special)
{
  for (int kind = 0; kind < TRIAD_MULTIBLOCK_RIEMANN_KINDS; kind++)
    for (int i = 0; i < TRIALS; i++) {
      triad_multiblock_state l = any_state(1.5), r = any_state(1.5), a = l, b = r;
      triad_real s[3], t[3];
      any_area(s);
      t[0] = s[1], t[1] = s[2], t[2] = s[0];
      a.u = l.v, a.v = l.w, a.w = l.u;
      b.u = r.v, b.v = r.w, b.w = r.u;
      triad_multiblock_flux f = triad_multiblock_face((triad_multiblock_riemann)kind, l, r, s, gas),
                            g = triad_multiblock_face((triad_multiblock_riemann)kind, a, b, t, gas);
      same_flux((triad_multiblock_flux){f.mass, f.y, f.z, f.x, f.energy}, g, rounding, "flux of turned axes");
    }
}

/* Mach numbers on both sides of 1: halves go over into all and nothing without a jump, of order 2 in the distance. */
TRIAD_TEST(split_fluxes_are_continuous_at_the_speed_of_sound)
{
  const triad_real n[3] = {1, 0, 0}, near = (triad_real)sqrt(TRIAD_EPSILON);
  for (int side = -1; side <= 1; side += 2)
    for (int sign = -1; sign <= 1; sign += 2) {
      triad_multiblock_state below = {1, 0, TRIAD_R(0.3), TRIAD_R(0.2), 1}, above = below;
      triad_real c = triad_multiblock_sound(below, gas);
      below.u = (triad_real)side * c * (1 - near);
      above.u = (triad_real)side * c * (1 + near);
      same_flux(triad_multiblock_van_leer_half(below, triad_multiblock_vector_of(n), gas, (triad_real)sign),
                triad_multiblock_van_leer_half(above, triad_multiblock_vector_of(n), gas, (triad_real)sign),
                40 * (double)near, "van Leer's half");
      same_flux(triad_multiblock_steger_half(below, triad_multiblock_vector_of(n), gas, (triad_real)sign),
                triad_multiblock_steger_half(above, triad_multiblock_vector_of(n), gas, (triad_real)sign),
                40 * (double)near, "Steger and Warming's half");
    }
}

/* A contact at rest: Roe's flux and AUSM+ keep it, for nothing goes through but pressure; split fluxes do not. Roe's
 * rounding of small speeds spreads it: of speed 0 it is 0.1 c. */
TRIAD_TEST(ausm_keeps_a_contact_at_rest)
{
  const triad_multiblock_state l = {1, 0, 0, 0, 1}, r = {TRIAD_R(0.3), 0, 0, 0, 1};
  const triad_real s[3] = {2, 0, 0};
  same_flux(triad_multiblock_ausm(l, r, triad_multiblock_vector_of(s), gas), (triad_multiblock_flux){0, 2, 0, 0, 0},
            rounding, "a contact by AUSM+");
  triad_real c = triad_multiblock_sound((triad_multiblock_state){TRIAD_SQRT(TRIAD_R(0.3)), 0, 0, 0, 1}, gas);
  TRIAD_WITHIN((double)triad_multiblock_roe(l, r, triad_multiblock_vector_of(s), gas).mass / (0.7 * 0.1 * (double)c), 1,
               40 * TRIAD_EPSILON, "what Roe's flux lets through");
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

/* Through an area vector (2, -1, 2) between two pairs of states: Roe's from |A| of the mean state, and Steger and
 * Warming's from A+ and A-, as polynomials of the Jacobian matrix in its three eigenvalues; van Leer's and AUSM+ from
 * the formulas of their papers (numpy, double precision). */
TRIAD_TEST(fluxes_are_those_of_their_papers)
{
  static const struct {
    triad_multiblock_riemann kind;
    double flux[2][5];
  } row[TRIAD_MULTIBLOCK_RIEMANN_KINDS] = {
    {TRIAD_MULTIBLOCK_ROE,
     {{0.578281426404454, 1.3870623784801221, -0.5078097423802037, 1.1490359038140208, 1.8754852131305384},
      {1.7000095569257931, 2.6864090886109078, -1.502978649363631, 2.226769373686729, 4.54235351736266}}},
    {TRIAD_MULTIBLOCK_VAN_LEER,
     {{0.27642428120891605, 1.50240644601717, -0.6122290836202238, 0.8866530395185221, 1.0150569219923684},
      {1.838400900142115, 2.9772704132847165, -1.6759550266139354, 2.45695059331314, 4.800966412114698}}},
    {TRIAD_MULTIBLOCK_STEGER_WARMING,
     {{0.525784672578934, 1.6972828102395314, -0.6047078130514689, 0.7301439727775796, 2.222687051713567},
      {1.390766058334734, 3.023816660847184, -1.7887551187566446, 2.41396987251413, 3.469220863860108}}},
    {TRIAD_MULTIBLOCK_AUSM,
     {{-0.12495807041042636, 1.2138214760655284, -0.6381502556353708, 1.1763340549424004, -0.3586296620779237},
      {1.9017227574052211, 2.6237415665097203, -1.4069569211251212, 2.243397015028676, 4.801849962448183}}}};
  const triad_multiblock_state l[2] = {{1, TRIAD_R(0.3), TRIAD_R(0.2), TRIAD_R(-0.4), 1},
                                       {TRIAD_R(0.6), TRIAD_R(0.9), TRIAD_R(-0.5), TRIAD_R(0.7), TRIAD_R(0.3)}},
                               r[2] = {{TRIAD_R(0.5), TRIAD_R(-0.1), TRIAD_R(0.3), TRIAD_R(0.2), TRIAD_R(0.4)},
                                       {TRIAD_R(1.1), TRIAD_R(0.2), TRIAD_R(0.1), TRIAD_R(0.4), TRIAD_R(0.9)}};
  const triad_real s[3] = {2, -1, 2};
  for (int kind = 0; kind < TRIAD_MULTIBLOCK_RIEMANN_KINDS; kind++)
    for (int i = 0; i < 2; i++) {
      double f[5];
      numbers(triad_multiblock_face(row[kind].kind, l[i], r[i], s, gas), f);
      for (int m = 0; m < 5; m++) TRIAD_WITHIN(f[m], row[kind].flux[i][m], rounding, "a component of the flux");
    }
}

/* A kind that a loop does not know must not become another kind. */
TRIAD_TEST(what_is_no_kind_gives_no_number)
{
  const triad_multiblock_state q = any_state(1);
  const triad_real s[3] = {1, 0, 0};
  const triad_multiblock_side side = {.kind = (triad_multiblock_boundary)TRIAD_MULTIBLOCK_BOUNDARIES};
  TRIAD_HOLDS(
    isnan((double)triad_multiblock_face((triad_multiblock_riemann)TRIAD_MULTIBLOCK_RIEMANN_KINDS, q, q, s, gas).mass),
    "a flux");
  TRIAD_HOLDS(isnan((double)triad_multiblock_slope((triad_multiblock_limiter)TRIAD_MULTIBLOCK_LIMITERS, 1, 1)),
              "a limiter");
  TRIAD_HOLDS(isnan((double)triad_multiblock_state_at(&side, q, q, s, gas).rho), "a state at a boundary");
  TRIAD_HOLDS(isnan((double)triad_multiblock_halo_of(&side, q, q, q, s).p), "a state beyond a boundary");
  TRIAD_HOLDS(isnan((double)triad_multiblock_boundary_flux(&side, TRIAD_MULTIBLOCK_ROE, q, q, q, s, gas).energy),
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
    triad_multiblock_state q = any_state(3), back = triad_multiblock_primitive(triad_multiblock_conserved(q, gas), gas);
    TRIAD_WITHIN(back.p, q.p, 100 * TRIAD_EPSILON, "pressure");
    TRIAD_WITHIN(back.u, q.u, 20 * TRIAD_EPSILON, "velocity");
  }
}

/* ---- boundaries ---- */

static double plus(triad_multiblock_state q, const triad_real n[3])
{
  return (double)triad_multiblock_across(q, n) + 2 / 0.4 * (double)triad_multiblock_sound(q, gas);
}

static double entropy(triad_multiblock_state q) { return (double)q.p / pow((double)q.rho, 1.4); }

static const triad_real normal[3] = {TRIAD_R(0.6), TRIAD_R(0.0), TRIAD_R(0.8)};

TRIAD_TEST(far_field_keeps_what_arrives_from_each_side)
{
  for (int i = 0; i < TRIALS; i++) {
    triad_multiblock_state in = any_state(0.3), out = any_state(0.3), at = triad_multiblock_far(in, out, normal, gas);
    double minus = (double)triad_multiblock_across(out, normal) - 2 / 0.4 * (double)triad_multiblock_sound(out, gas);
    TRIAD_WITHIN(plus(at, normal), plus(in, normal), 100 * TRIAD_EPSILON, "from inside");
    TRIAD_WITHIN((double)triad_multiblock_across(at, normal) - 2 / 0.4 * (double)triad_multiblock_sound(at, gas), minus,
                 100 * TRIAD_EPSILON, "from outside");
    TRIAD_WITHIN(entropy(at), entropy(triad_multiblock_across(at, normal) > 0 ? in : out), 200 * TRIAD_EPSILON,
                 "entropy from upwind");
    triad_multiblock_state still = triad_multiblock_far(in, in, normal, gas);
    TRIAD_WITHIN(still.p, in.p, 100 * TRIAD_EPSILON, "of a flow that is its own far field");
  }
}

TRIAD_TEST(outflow_has_its_pressure_and_inflow_its_vessel)
{
  for (int i = 0; i < TRIALS; i++) {
    triad_multiblock_state in = any_state(0.3), at = triad_multiblock_outflow(in, TRIAD_R(0.9), normal, gas);
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
    triad_multiblock_state given = any_state(0.2), enters = triad_multiblock_inflow(in, given, normal, gas);
    TRIAD_WITHIN(plus(enters, normal), plus(in, normal), 100 * TRIAD_EPSILON, "what leaves against a given velocity");
    TRIAD_WITHIN(enters.rho, given.rho, 0, "density of an inflow");
  }
}

TRIAD_TEST(mirrors_turn_the_normal_velocity)
{
  triad_multiblock_state q = any_state(1), m = triad_multiblock_mirrored(q, normal);
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
    const triad_multiblock_vector found = triad_multiblock_area_between(node, 0, 1 << t, 1 << r);
    const double of[3] = {(double)found.x, (double)found.y, (double)found.z};
    for (int a = 0; a < 3; a++) TRIAD_WITHIN(of[a], s[a], 8 * TRIAD_EPSILON, "area vector");
    TRIAD_HOLDS(of[axis] > 0, "across axis %d the area vector is turned along it: %g", axis, of[axis]);
  }
}

static void same_gradient(triad_multiblock_vector found, const double g[3], double factor, double times)
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

/* Speeds are taken times areas: these may be of any size, and next to nothing. */
TRIAD_TEST(a_flux_is_as_large_as_its_face)
{
  const double size[] = {1e-12, 1e-3, 1e4, 1e9};
  for (int kind = 0; kind < TRIAD_MULTIBLOCK_RIEMANN_KINDS; kind++)
    for (int i = 0; i < TRIALS; i++) {
      const triad_multiblock_state l = any_state(2), r = any_state(2);
      const triad_real none[3] = {0, 0, 0}, by = (triad_real)size[i % 4], per = 1 / by;
      triad_real s[3], scaled[3];
      any_area(s);
      for (int a = 0; a < 3; a++) scaled[a] = by * s[a];
      const triad_multiblock_flux f = triad_multiblock_face((triad_multiblock_riemann)kind, l, r, scaled, gas);
      same_flux((triad_multiblock_flux){f.mass * per, f.x * per, f.y * per, f.z * per, f.energy * per},
                triad_multiblock_face((triad_multiblock_riemann)kind, l, r, s, gas), rounding,
                "flux over the size of its face");
      same_flux(triad_multiblock_face((triad_multiblock_riemann)kind, l, r, none, gas),
                (triad_multiblock_flux){0, 0, 0, 0, 0}, 1e-15, "flux through a point");
    }
}

/* |l| away from 0, below 0.2 c the parabola l^2/(0.4 c) + 0.1 c: the same value and slope where they meet. */
TRIAD_TEST(small_waves_are_rounded_as_harten_says)
{
  for (int i = 0; i < TRIALS; i++) {
    double c = 0.5 + any(), l = (2 * any() - 1) * 0.4 * c, size = fabs(l);
    double wanted = size < 0.2 * c ? l * l / (0.4 * c) + 0.1 * c : size;
    TRIAD_WITHIN((double)triad_multiblock_rounded((triad_real)l, (triad_real)c, (triad_real)(1 / c)), wanted,
                 8 * TRIAD_EPSILON, "|l|");
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
    const triad_multiblock_vector found[4] = {g.u, g.v, g.w, g.t};
    for (int f = 0; f < 4; f++) {
      const double of[3] = {(double)found[f].x, (double)found[f].y, (double)found[f].z};
      double sum[3];
      sum_over_sides(value[f], s, axis, step, middle, sum);
      for (int a = 0; a < 3; a++) TRIAD_WITHIN(of[a] / 4, sum[a], 4 * 60 * TRIAD_EPSILON, "sum over sides");
    }
  }
}

TRIAD_MAIN
