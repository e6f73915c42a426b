/* Read the parameters of a flow from its case, and create its grid. */
#include "solvers/multiblock/plain/setup.h"
#include "blocks/joins.h"
#include "grid/zones_deal.h"

#include "blocks/write/gridwrite.h"
#include "solvers/multiblock/case/part.h"
#include "solvers/multiblock/case/keys.h"
#include "solvers/gas/keys.h"
#include "solvers/multiblock/plain/schemes.h"
#include "blocks/read/source.h"

#include <math.h>
#include <string.h>

int triad_multiblock_setup_read(triad_multiblock_setup *s, const triad_case *c)
{
  *s = (triad_multiblock_setup){.kappa = triad_case_real(c, "equations.kappa"),
                                .order = triad_case_integer(c, "equations.order") > 1 ? 1 : 0,
                                .steady = triad_case_flag(c, "time.steady"),
                                .local = triad_case_flag(c, "time.local"),
                                .implicit = triad_case_is(c, "time.scheme", "implicit"),
                                .sweeps = (int)triad_case_integer(c, "time.sweeps"),
                                .residual = triad_case_real(c, "time.residual"),
                                .first_order = triad_case_real(c, "time.first_order"),
                                .freeze = triad_case_real(c, "time.limiter_freeze"),
                                .reference.area = triad_case_real(c, "reference.area"),
                                .reference.length = triad_case_real(c, "reference.length"),
                                .reference.density = triad_case_real(c, "reference.density"),
                                .scheme = triad_multiblock_scheme_of(triad_case_word(c, "time.scheme"))};
  triad_case_reals(c, "reference.centre", s->centre, 3);
  triad_case_reals(c, "reference.velocity", s->reference.velocity, 3);
  s->riemann = triad_gas_flux_named(triad_case_word(c, "equations.riemann"));
  for (int i = 0; i < TRIAD_MULTIBLOCK_LIMITERS; i++)
    if (triad_case_is(c, "equations.limiter", triad_multiblock_limiter_word(i)->name))
      s->limiter = (triad_multiblock_limiter)i;
  triad_multiblock_gas_read(&s->gas, c);
  TRIAD_TRY(triad_multiblock_exact_read(&s->exact, c));
  if (triad_case_is(c, "initial.kind", "solution") && !s->exact.kind)
    return TRIAD_FAIL(TRIAD_ERR_CASE, "initial.kind = \"solution\" requires an exact solution: set solution.kind");
  return TRIAD_OK;
}

double triad_multiblock_diffusion(const triad_multiblock_setup *s)
{
  return (s->implicit ? 2 : 4) * fmax(4. / 3, s->gas.gamma / s->gas.prandtl);
}

int triad_multiblock_freezes(const triad_multiblock_setup *s)
{
  return s->steady && s->freeze > 0 && s->limiter != TRIAD_MULTIBLOCK_NO_LIMITER && s->order > 0;
}

/* The axis of blocks that parallel.cut names; -1: any. */
static int cut_axis(const triad_case *given)
{
  static const char *const axis[] = {"i", "j", "k"};
  for (int a = 0; a < 3; a++)
    if (triad_case_is(given, "parallel.cut", axis[a])) return a;
  return -1;
}

int triad_multiblock_zones_of(triad_blocks_grid **grid, triad_zones **zones, const triad_case *given, int size)
{
  *zones = NULL;
  TRIAD_TRY(triad_blocks_grid_create(grid, given));
  int st = triad_blocks_grid_zones(zones, *grid);
  if (st == TRIAD_OK)
    st = triad_zones_deal(*zones, size, (int)triad_case_integer(given, "parallel.pieces"), cut_axis(given));
  if (st == TRIAD_OK) return TRIAD_OK;
  triad_zones_destroy(zones);
  triad_blocks_grid_destroy(grid);
  return st;
}

/* Alpha turns to y in a plane, else to z, unless the case says which. */
int triad_multiblock_up(const triad_case *given, const triad_blocks_grid *grid)
{
  if (!triad_case_is(given, "reference.up", "auto")) return triad_case_is(given, "reference.up", "y") ? 1 : 2;
  for (int z = 0; z < grid->n; z++)
    if (grid->flat[z] == TRIAD_ZONE_NOT_FLAT) return 2;
  return 1;
}

int triad_multiblock_grid_write(const triad_case *given, const char *path, int ranks)
{
  triad_blocks_grid *g = NULL;
  triad_zones *zones = NULL;
  TRIAD_TRY(triad_blocks_check_file_name(path));
  if (ranks) {
    TRIAD_TRY(triad_multiblock_zones_of(&g, &zones, given, ranks));
  } else {
    TRIAD_TRY(triad_blocks_grid_create(&g, given));
  }
  int st = ranks ? TRIAD_OK : triad_blocks_grid_zones(&zones, g);
  if (st == TRIAD_OK) st = triad_blocks_write_grid(g, zones, path, ranks);
  triad_zones_destroy(&zones);
  triad_blocks_grid_destroy(&g);
  return st;
}
