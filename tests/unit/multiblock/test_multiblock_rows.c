/* Rows of cells on curvilinear blocks, which share quotients between fields: against the arithmetic of one cell.
 * ranks: 1   threads: 1   precision: both quick: 1 */
#include "solvers/multiblock/host/rows.h"
#include "test.h"

enum { LONGEST = 37, STRIDE = 3, ALL = LONGEST + 2 * STRIDE };

static double any(void)
{
  static uint64_t seed = 24680;
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(seed >> 11) / 9007199254740992.0;
}

/* Fields of a row and of what is beside it; w is next to nothing, or nothing. */
static void fill(triad_real q[TRIAD_MULTIBLOCK_FIELDS][ALL], int quiet)
{
  for (int i = 0; i < ALL; i++)
    for (int m = 0; m < TRIAD_MULTIBLOCK_FIELDS; m++) {
      const double size = m == 4 ? 1e5 : m == 3 ? (quiet ? 0 : 1e-9) : 1;
      q[m][i] = (triad_real)(size * (m == 0 || m == 4 ? 0.02 + any() : 2 * any() - 1));
    }
}

static void check_row(const triad_multiblock_flow *f, triad_real q[TRIAD_MULTIBLOCK_FIELDS][ALL], int64_t stride,
                      int64_t n)
{
  static triad_multiblock_row down, up;
  triad_multiblock_reach_row(f, 0, STRIDE, stride, n, down, up);
  for (int m = 0; m < TRIAD_MULTIBLOCK_FIELDS; m++)
    for (int64_t l = 0; l < n; l++) {
      const triad_real *const here = q[m] + STRIDE + l;
      triad_real a, b;
      triad_multiblock_reach(f->setup.limiter, (triad_real)f->setup.kappa, (triad_real)f->order, here[-stride], here[0],
                             here[stride], &a, &b);
      if (m == 0 || m == 4) {
        a = triad_max(a, TRIAD_R(0.05) * here[0]);
        b = triad_max(b, TRIAD_R(0.05) * here[0]);
      }
      const double scale = m == 4 ? 1e5 : m == 3 ? 1e-9 : 1;
      TRIAD_WITHIN((double)down[m][l] / scale, (double)a / scale, 10 * TRIAD_EPSILON, "at the lower face");
      TRIAD_WITHIN((double)up[m][l] / scale, (double)b / scale, 10 * TRIAD_EPSILON, "at the upper face");
    }
}

TRIAD_TEST(a_row_reaches_what_its_cells_do)
{
  static triad_real q[TRIAD_MULTIBLOCK_FIELDS][ALL];
  triad_multiblock_flow f = {.setup = {.kappa = 0.3}};
  for (int m = 0; m < TRIAD_MULTIBLOCK_FIELDS; m++) f.q[m] = q[m];
  for (int limiter = 0; limiter < TRIAD_MULTIBLOCK_LIMITERS; limiter++)
    for (int trial = 0; trial < 40; trial++) {
      f.setup.limiter = (triad_multiblock_limiter)limiter;
      f.order = trial % 4 > 0;
      fill(q, trial % 3 == 0);
      check_row(&f, q, 1 + trial % STRIDE, 1 + trial % LONGEST);
    }
}

TRIAD_TEST(primitives_of_a_row_are_those_of_its_states_and_bad_ones_are_counted)
{
  static triad_real u[TRIAD_MULTIBLOCK_FIELDS][LONGEST], q[TRIAD_MULTIBLOCK_FIELDS][LONGEST];
  triad_real *const from[TRIAD_MULTIBLOCK_FIELDS] = {u[0], u[1], u[2], u[3], u[4]}, *const to[TRIAD_MULTIBLOCK_FIELDS] =
                                                                                      {q[0], q[1], q[2], q[3], q[4]};
  const triad_real gas = TRIAD_R(1.4);
  int64_t bad = 0;
  for (int l = 0; l < LONGEST; l++) {
    triad_gas_state s = {(triad_real)(0.5 + any()), (triad_real)any(), (triad_real)any(), (triad_real)any(),
                         (triad_real)(0.5 + any())};
    if (l % 5 == 1) s.p = -s.p;
    if (l % 7 == 3) s.rho = -s.rho;
    bad += l % 5 == 1 || l % 7 == 3;
    const triad_gas_flux c = triad_gas_conserved(s, gas);
    const triad_real all[TRIAD_MULTIBLOCK_FIELDS] = {c.mass, c.x, c.y, c.z, c.energy};
    for (int m = 0; m < TRIAD_MULTIBLOCK_FIELDS; m++) u[m][l] = all[m];
  }
  TRIAD_WITHIN((double)triad_multiblock_primitive_row(from, to, gas, LONGEST), (double)bad, 0, "bad states");
  for (int l = 0; l < LONGEST; l++) {
    const triad_gas_state s = triad_gas_primitive((triad_gas_flux){u[0][l], u[1][l], u[2][l], u[3][l], u[4][l]}, gas);
    const triad_real all[TRIAD_MULTIBLOCK_FIELDS] = {s.rho, s.u, s.v, s.w, s.p};
    for (int m = 0; m < TRIAD_MULTIBLOCK_FIELDS; m++)
      TRIAD_WITHIN((double)q[m][l], (double)all[m], 20 * TRIAD_EPSILON, "primitive");
  }
}

TRIAD_MAIN
