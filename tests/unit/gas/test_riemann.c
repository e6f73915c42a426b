/* Riemann solvers of the ideal gas, each row of kinds.h: the flux of equal states, mirrors and turns, upwinding,
 * contacts at rest, rarefactions through the speed of sound, positive density and pressure, and reference values.
 * ranks: 1   threads: 1   precision: both quick: 1 */
#include "solvers/gas/keys.h"
#include "solvers/gas/riemann.h"
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

static void any_area(triad_real s[3])
{
  for (int a = 0; a < 3; a++) s[a] = (triad_real)(2 * any() - 1);
}

static void numbers(triad_gas_flux f, double out[5])
{
  const double all[5] = {(double)f.mass, (double)f.x, (double)f.y, (double)f.z, (double)f.energy};
  memcpy(out, all, sizeof all);
}

static void same_flux(triad_gas_flux a, triad_gas_flux b, double tolerance, const char *what)
{
  double x[5], y[5];
  numbers(a, x);
  numbers(b, y);
  for (int i = 0; i < 5; i++) TRIAD_WITHIN(x[i], y[i], tolerance, what);
}

static triad_gas_flux negative(triad_gas_flux f) { return (triad_gas_flux){-f.mass, -f.x, -f.y, -f.z, -f.energy}; }

/* Terms are of size 10, and some tens of them are rounded. */
static const double rounding = 400 * TRIAD_EPSILON;

/* Properties of the kinds. A kind without a line does not compile. */
static int is_upwind(triad_gas_riemann kind)
{
  switch (kind) {
  case TRIAD_GAS_ROE:
  case TRIAD_GAS_ROE_SONIC:
  case TRIAD_GAS_VAN_LEER:
  case TRIAD_GAS_STEGER_WARMING:
  case TRIAD_GAS_AUSM:
  case TRIAD_GAS_HLLC: return 1;
  case TRIAD_GAS_RUSANOV: return 0;
  }
  return -1;
}

static int keeps_contacts(triad_gas_riemann kind)
{
  switch (kind) {
  case TRIAD_GAS_ROE_SONIC:
  case TRIAD_GAS_AUSM:
  case TRIAD_GAS_HLLC: return 1;
  case TRIAD_GAS_ROE: /* rounds the wave of contacts too */
  case TRIAD_GAS_VAN_LEER:
  case TRIAD_GAS_STEGER_WARMING:
  case TRIAD_GAS_RUSANOV: return 0;
  }
  return -1;
}

TRIAD_TEST(a_state_beside_itself_has_its_own_flux)
{
  for (int kind = 0; kind < TRIAD_GAS_RIEMANN_KINDS; kind++)
    for (int i = 0; i < TRIALS; i++) {
      triad_gas_state q = any_state(2);
      triad_real s[3];
      any_area(s);
      same_flux(triad_gas_face((triad_gas_riemann)kind, q, q, s, gas), triad_gas_flux_of(q, s, gas), rounding,
                "flux of a state");
    }
}

/* The same face seen from its other side. */
TRIAD_TEST(fluxes_change_sign_with_the_side)
{
  for (int kind = 0; kind < TRIAD_GAS_RIEMANN_KINDS; kind++)
    for (int i = 0; i < TRIALS; i++) {
      triad_gas_state l = any_state(1.5), r = any_state(1.5);
      triad_real s[3], back[3];
      any_area(s);
      for (int a = 0; a < 3; a++) back[a] = -s[a];
      same_flux(triad_gas_face((triad_gas_riemann)kind, l, r, s, gas),
                negative(triad_gas_face((triad_gas_riemann)kind, r, l, back, gas)), rounding,
                "flux from the other side");
    }
}

/* All waves travel one way, and the flux is that of the state they come from. For Roe's flux this requires that its
 * mean makes the jump of fluxes that of states. Rusanov's is no upwind flux. */
TRIAD_TEST(faster_than_sound_the_upwind_flux_is_left)
{
  for (int kind = 0; kind < TRIAD_GAS_RIEMANN_KINDS; kind++)
    for (int i = 0; is_upwind((triad_gas_riemann)kind) && i < TRIALS; i++) {
      triad_gas_state l = any_state(0.5), r = any_state(0.5);
      triad_real s[3] = {TRIAD_R(0.7), TRIAD_R(-0.4), TRIAD_R(0.3)};
      for (int a = 0; a < 2; a++) {
        triad_gas_state *q = a ? &l : &r;
        q->u += 7 * s[0];
        q->v += 7 * s[1];
        q->w += 7 * s[2];
      }
      same_flux(triad_gas_face((triad_gas_riemann)kind, l, r, s, gas), triad_gas_flux_of(l, s, gas), 10 * rounding,
                "upwind flux");
    }
}

/* Exchange x and y of everything. */
TRIAD_TEST(no_axis_is_special)
{
  for (int kind = 0; kind < TRIAD_GAS_RIEMANN_KINDS; kind++)
    for (int i = 0; i < TRIALS; i++) {
      triad_gas_state l = any_state(1.5), r = any_state(1.5), a = l, b = r;
      triad_real s[3], t[3];
      any_area(s);
      t[0] = s[1], t[1] = s[2], t[2] = s[0];
      a.u = l.v, a.v = l.w, a.w = l.u;
      b.u = r.v, b.v = r.w, b.w = r.u;
      triad_gas_flux f = triad_gas_face((triad_gas_riemann)kind, l, r, s, gas),
                     g = triad_gas_face((triad_gas_riemann)kind, a, b, t, gas);
      same_flux((triad_gas_flux){f.mass, f.y, f.z, f.x, f.energy}, g, rounding, "flux of turned axes");
    }
}

/* Mach numbers on both sides of 1: halves go over into all and nothing without a jump, of order 2 in the distance. */
TRIAD_TEST(split_fluxes_are_continuous_at_the_speed_of_sound)
{
  const triad_real n[3] = {1, 0, 0}, near = (triad_real)sqrt(TRIAD_EPSILON);
  for (int side = -1; side <= 1; side += 2)
    for (int sign = -1; sign <= 1; sign += 2) {
      triad_gas_state below = {1, 0, TRIAD_R(0.3), TRIAD_R(0.2), 1}, above = below;
      triad_real c = triad_gas_sound(below, gas);
      below.u = (triad_real)side * c * (1 - near);
      above.u = (triad_real)side * c * (1 + near);
      same_flux(triad_gas_van_leer_half(below, triad_gas_vector_of(n), gas, (triad_real)sign),
                triad_gas_van_leer_half(above, triad_gas_vector_of(n), gas, (triad_real)sign), 40 * (double)near,
                "van Leer's half");
      same_flux(triad_gas_steger_half(below, triad_gas_vector_of(n), gas, (triad_real)sign),
                triad_gas_steger_half(above, triad_gas_vector_of(n), gas, (triad_real)sign), 40 * (double)near,
                "Steger and Warming's half");
    }
}

/* A contact at rest: nothing passes but pressure, in fluxes that have a wave of their own for contacts. */
TRIAD_TEST(contacts_at_rest_are_kept)
{
  const triad_gas_state l = {1, 0, TRIAD_R(0.4), TRIAD_R(-0.7), 1}, r = {TRIAD_R(0.3), 0, TRIAD_R(0.2), 3, 1};
  const triad_real s[3] = {2, 0, 0};
  for (int kind = 0; kind < TRIAD_GAS_RIEMANN_KINDS; kind++) {
    const triad_gas_flux f = triad_gas_face((triad_gas_riemann)kind, l, r, s, gas);
    if (keeps_contacts((triad_gas_riemann)kind)) same_flux(f, (triad_gas_flux){0, 2, 0, 0, 0}, rounding, "a contact");
    else TRIAD_HOLDS(fabs((double)f.mass) > 0.01, "kind %d spreads a contact", kind);
  }
}

/* Harten's rounding of small speeds spreads it: of speed 0 it is 0.1 c. */
TRIAD_TEST(roes_rounding_spreads_a_contact)
{
  const triad_gas_state l = {1, 0, 0, 0, 1}, r = {TRIAD_R(0.3), 0, 0, 0, 1};
  const triad_real s[3] = {2, 0, 0};
  triad_real c = triad_gas_sound((triad_gas_state){TRIAD_SQRT(TRIAD_R(0.3)), 0, 0, 0, 1}, gas);
  TRIAD_WITHIN((double)triad_gas_roe(l, r, triad_gas_vector_of(s), gas).mass / (0.7 * 0.1 * (double)c), 1,
               40 * TRIAD_EPSILON, "what Roe's flux lets through");
}

/* Through an area vector (2, -1, 2) between two pairs of states: Roe's from |A| of the mean state, and Steger and
 * Warming's from A+ and A-, as polynomials of the Jacobian matrix in its three eigenvalues; the others from the
 * formulas of their papers (tests/help/gas_fluxes.py). */
TRIAD_TEST(fluxes_are_those_of_their_papers)
{
  static const struct {
    triad_gas_riemann kind;
    double flux[2][5];
  } row[TRIAD_GAS_RIEMANN_KINDS] = {
    {TRIAD_GAS_ROE,
     {{0.578281426404454, 1.3870623784801221, -0.5078097423802037, 1.1490359038140208, 1.8754852131305384},
      {1.7000095569257931, 2.6864090886109078, -1.502978649363631, 2.226769373686729, 4.54235351736266}}},
    {TRIAD_GAS_VAN_LEER,
     {{0.27642428120891605, 1.50240644601717, -0.6122290836202238, 0.8866530395185221, 1.0150569219923684},
      {1.838400900142115, 2.9772704132847165, -1.6759550266139354, 2.45695059331314, 4.800966412114698}}},
    {TRIAD_GAS_STEGER_WARMING,
     {{0.525784672578934, 1.6972828102395314, -0.6047078130514689, 0.7301439727775796, 2.222687051713567},
      {1.390766058334734, 3.023816660847184, -1.7887551187566446, 2.41396987251413, 3.469220863860108}}},
    {TRIAD_GAS_AUSM,
     {{-0.12495807041042636, 1.2138214760655284, -0.6381502556353708, 1.1763340549424004, -0.3586296620779237},
      {1.9017227574052211, 2.6237415665097203, -1.4069569211251212, 2.243397015028676, 4.801849962448183}}},
    {TRIAD_GAS_HLLC,
     {{0.5587030804077777, 1.4113757358562296, -0.5101417897853926, 1.0202835795707852, 1.7575024513061377},
      {1.4497107378145193, 2.899401744879025, -1.5221864093302384, 2.6094595973161208, 4.407708508995937}}},
    {TRIAD_GAS_RUSANOV,
     {{0.7624119674649423, 2.033688377225459, -0.6487588032535057, 0.48758803253505756, 2.378716535237115},
      {0.16250498009944292, 3.3135968127363555, -2.367545916318456, 2.1569001992039767, 1.0264839592088169}}},
    {TRIAD_GAS_ROE_SONIC,
     {{0.5757058375063235, 1.3664294294912473, -0.5026352560135241, 1.1726111871879563, 1.8705199840845004},
      {1.7000095569257927, 2.686409088610908, -1.5029786493636312, 2.2267693736867296, 4.542353517362658}}}};
  const triad_gas_state l[2] = {{1, TRIAD_R(0.3), TRIAD_R(0.2), TRIAD_R(-0.4), 1},
                                {TRIAD_R(0.6), TRIAD_R(0.9), TRIAD_R(-0.5), TRIAD_R(0.7), TRIAD_R(0.3)}},
                        r[2] = {{TRIAD_R(0.5), TRIAD_R(-0.1), TRIAD_R(0.3), TRIAD_R(0.2), TRIAD_R(0.4)},
                                {TRIAD_R(1.1), TRIAD_R(0.2), TRIAD_R(0.1), TRIAD_R(0.4), TRIAD_R(0.9)}};
  const triad_real s[3] = {2, -1, 2};
  for (int kind = 0; kind < TRIAD_GAS_RIEMANN_KINDS; kind++)
    for (int i = 0; i < 2; i++) {
      double f[5];
      numbers(triad_gas_face(row[kind].kind, l[i], r[i], s, gas), f);
      for (int m = 0; m < 5; m++) TRIAD_WITHIN(f[m], row[kind].flux[i][m], rounding, "a component of the flux");
    }
}

/* Speeds are taken times areas: these may be of any size, and next to nothing. */
TRIAD_TEST(a_flux_is_as_large_as_its_face)
{
  const double size[] = {1e-12, 1e-3, 1e4, 1e9};
  for (int kind = 0; kind < TRIAD_GAS_RIEMANN_KINDS; kind++)
    for (int i = 0; i < TRIALS; i++) {
      const triad_gas_state l = any_state(2), r = any_state(2);
      const triad_real none[3] = {0, 0, 0}, by = (triad_real)size[i % 4], per = 1 / by;
      triad_real s[3], scaled[3];
      any_area(s);
      for (int a = 0; a < 3; a++) scaled[a] = by * s[a];
      const triad_gas_flux f = triad_gas_face((triad_gas_riemann)kind, l, r, scaled, gas);
      same_flux((triad_gas_flux){f.mass * per, f.x * per, f.y * per, f.z * per, f.energy * per},
                triad_gas_face((triad_gas_riemann)kind, l, r, s, gas), rounding, "flux over the size of its face");
      same_flux(triad_gas_face((triad_gas_riemann)kind, l, r, none, gas), (triad_gas_flux){0, 0, 0, 0, 0}, 1e-15,
                "flux through a point");
    }
}

/* |l| away from 0, below 0.2 c the parabola l^2/(0.4 c) + 0.1 c: the same value and slope where they meet. */
TRIAD_TEST(small_waves_are_rounded_as_harten_says)
{
  for (int i = 0; i < TRIALS; i++) {
    double c = 0.5 + any(), l = (2 * any() - 1) * 0.4 * c, size = fabs(l);
    double wanted = size < 0.2 * c ? l * l / (0.4 * c) + 0.1 * c : size;
    TRIAD_WITHIN((double)triad_gas_rounded((triad_real)l, (triad_real)c, (triad_real)(1 / c)), wanted,
                 8 * TRIAD_EPSILON, "|l|");
  }
}

/* A shock backwards, at rest: both states have the same flux, and Roe's flux without an entropy fix keeps it. The
 * solution is a rarefaction through the speed of sound, whose flux at the face is the mass flux of Mach number 1 behind
 * the left state: u + 5 c is kept and u = c, so that u = (u_l + 5 c_l)/6 and rho = rho_l (c/c_l)^5. */
TRIAD_TEST(no_rarefaction_stays_a_shock)
{
  const double mach = 2, density = 6 * mach * mach / (mach * mach + 5), pressure = (7 * mach * mach - 1) / 6,
               fast = mach * sqrt(1.4);
  const triad_gas_state l = {(triad_real)density, (triad_real)(fast / density), 0, 0, (triad_real)pressure},
                        r = {1, (triad_real)fast, 0, 0, 1};
  const triad_real s[3] = {1, 0, 0};
  const double c = sqrt(1.4 * pressure / density), sonic = (fast / density + 5 * c) / 6,
               exact = density * pow(sonic / c, 5) * sonic;
  TRIAD_WITHIN((double)triad_gas_flux_of(l, s, gas).x, (double)triad_gas_flux_of(r, s, gas).x, 40 * TRIAD_EPSILON,
               "both sides have one flux");
  for (int kind = 0; kind < TRIAD_GAS_RIEMANN_KINDS; kind++) {
    const double mass = (double)triad_gas_face((triad_gas_riemann)kind, l, r, s, gas).mass;
    TRIAD_HOLDS((mass - fast) / (exact - fast) > 0.25, "kind %d: mass flux %g between %g, a shock, and %g", kind, mass,
                fast, exact);
  }
}

/* u - (F - F(u))/lambda is a mean of the Riemann problem's states beside the face; so is the same on the right.
 * Steps of Courant number 1/2 are means of both. */
TRIAD_TEST(kinds_that_say_so_keep_any_two_gases_positive)
{
  for (int kind = 0; kind < TRIAD_GAS_RIEMANN_KINDS; kind++) {
    if (!(triad_gas_positive_courant((triad_gas_riemann)kind) > 0)) continue;
    for (int i = 0; i < 3000; i++) {
      const triad_real n[3] = {1, 0, 0};
      triad_gas_state q[2];
      double speed = 0;
      for (int side = 0; side < 2; side++) { /* eight decades of density and pressure, Mach numbers up to 3 */
        q[side] =
          (triad_gas_state){(triad_real)pow(10, 8 * (any() - 0.5)), 0, 0, 0, (triad_real)pow(10, 8 * (any() - 0.5))};
        const double c = sqrt(1.4 * (double)q[side].p / (double)q[side].rho);
        q[side].u = (triad_real)(3 * c * (2 * any() - 1));
        q[side].v = (triad_real)(3 * c * (2 * any() - 1));
        speed = fmax(speed, fabs((double)q[side].u) + c);
      }
      double f[5], own[5], u[5];
      numbers(triad_gas_face((triad_gas_riemann)kind, q[0], q[1], n, gas), f);
      for (int side = 0; side < 2; side++) {
        numbers(triad_gas_flux_of(q[side], n, gas), own);
        numbers(triad_gas_conserved(q[side], gas), u);
        const double scale = u[4];
        for (int k = 0; k < 5; k++) u[k] += (side ? 1 : -1) * (f[k] - own[k]) / speed;
        const double p = 0.4 * (u[4] - (u[1] * u[1] + u[2] * u[2] + u[3] * u[3]) / (2 * u[0]));
        TRIAD_HOLDS(u[0] > 0, "kind %d: density %g", kind, u[0]);
        TRIAD_HOLDS(p > -200 * TRIAD_EPSILON * (scale + u[4]), "kind %d: pressure %g", kind, p);
      }
    }
  }
}

TRIAD_TEST(words_name_their_kinds)
{
  for (int kind = 0; kind < TRIAD_GAS_RIEMANN_KINDS; kind++)
    TRIAD_HOLDS(triad_gas_flux_named(triad_gas_flux_word(kind)->name) == (triad_gas_riemann)kind, "kind %d", kind);
  TRIAD_HOLDS(triad_gas_flux_word(TRIAD_GAS_RIEMANN_KINDS) == NULL, "behind the last");
  TRIAD_HOLDS((int)triad_gas_flux_named("roe2") == TRIAD_GAS_RIEMANN_KINDS, "what is no word");
  const triad_gas_state q = any_state(1);
  const triad_real s[3] = {1, 0, 0};
  TRIAD_HOLDS(isnan((double)triad_gas_face((triad_gas_riemann)TRIAD_GAS_RIEMANN_KINDS, q, q, s, gas).mass),
              "what is no kind gives no number");
}

/* The flux from arrays of values, along any normal and along the first axis, is that of states. */
TRIAD_TEST(arrays_of_values_have_the_same_fluxes)
{
  const triad_gas_constants g = triad_gas_constants_of(1.4);
  for (int kind = 0; kind < TRIAD_GAS_RIEMANN_KINDS; kind++)
    for (int i = 0; i < TRIALS; i++) {
      const triad_real n[2][3] = {{1, 0, 0}, {TRIAD_R(0.6), 0, TRIAD_R(-0.8)}};
      const int along = i % 2;
      triad_gas_state l = any_state(1.5), r = any_state(1.5);
      triad_real a[6], b[6], f[5];
      double expected[5];
      triad_gas_values_of(l, a);
      triad_gas_values_of(r, b);
      a[5] = triad_gas_values_sound(&g, a);
      b[5] = triad_gas_values_sound(&g, b);
      const triad_real speed =
        triad_max(triad_gas_values_speed(&g, a, n[along]), triad_gas_values_speed(&g, b, n[along]));
      triad_gas_values_between((triad_gas_riemann)kind, &g, a, b, speed, along ? n[1] : NULL, f);
      numbers(triad_gas_face((triad_gas_riemann)kind, l, r, n[along], gas), expected);
      for (int k = 0; k < 5; k++) TRIAD_WITHIN((double)f[k], expected[k], rounding, "flux");
    }
}

TRIAD_MAIN
