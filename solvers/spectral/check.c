#include "solvers/device_choice.h"
#include "solvers/spectral/gpu_part.h"
#include "solvers/spectral/start/analytic.h"
#include "solvers/spectral/measure/output.h"
#include "solvers/spectral/start/initial.h"
#include "grid/shells.h"
#include "solvers/spectral/measure/slices.h"

#include <math.h>
#include <string.h>

static int check_force(const triad_case *c, const triad_grid *g)
{
  triad_mode list[TRIAD_ANALYTIC_MODES];
  const double abc[3] = {1, 1, 1};
  int count = 0;
  int64_t m = triad_case_integer(c, "forcing.wavenumber");
  if (triad_case_is(c, "forcing.kind", "abc")) return triad_abc_modes(g, m, 1, abc, "forcing", list, &count);
  if (triad_case_is(c, "forcing.kind", "taylor-green"))
    return triad_taylor_green_modes(g, m, 1, 0, "forcing", list, &count);
  return TRIAD_OK;
}

/* Is there a kept mode with lowest <= |k|/k_min <= highest? In a column |k| grows with |kz|: one look at each will do. */
static int band_has_modes(const triad_layout *l, const double band[2])
{
  double unit = triad_grid_k_min(&l->grid), step = triad_grid_wavenumber(&l->grid, 2, 1);
  for (int64_t c = 0; c < l->n_columns; c++) {
    double across2 = l->wx[c] * l->wx[c] + l->wy[c] * l->wy[c], low2 = (band[0] - 1e-9) * (band[0] - 1e-9) * unit * unit;
    double kz = step > 0 && low2 > across2 ? ceil(sqrt(low2 - across2) / step) : 0;
    if (across2 == 0 && kz == 0) kz = 1; /* the mean does not count */
    double k = sqrt(across2 + kz * kz * step * step) / unit;
    if (kz <= (double)l->kz_extent[c] && k >= band[0] - 1e-9 && k <= band[1] + 1e-9) return 1;
  }
  return 0;
}

static int check_bands(const triad_case *c, const triad_layout *whole)
{
  double band[2];
  int random = triad_case_is(c, "initial.kind", "random") && triad_case_is(c, "initial.spectrum", "power-law");
  triad_case_reals(c, "initial.k_range", band, 2);
  /* a random field fills whole shells, which reach half a k_min to either side */
  const double shells[2] = {ceil(band[0] - 1e-9) - 0.5, floor(band[1] + 1e-9) + 0.5};
  if (random && (shells[1] < shells[0] || !band_has_modes(whole, shells)))
    return TRIAD_FAIL(TRIAD_ERR_CASE, "initial.k_range: no mode that the grid keeps lies in the random field's spectrum");
  triad_case_reals(c, "forcing.k_range", band, 2);
  int forced = triad_case_is(c, "forcing.kind", "random") || triad_case_is(c, "forcing.kind", "constant-power");
  if (forced && !band_has_modes(whole, band))
    return TRIAD_FAIL(TRIAD_ERR_CASE, "forcing.k_range: no mode that the grid keeps lies in the band");
  return TRIAD_OK;
}

/* What output takes besides, where the case asks for it. */
static int add_output_memory(const triad_case *c, const triad_grid *g, const triad_shape *shape, int size,
                             triad_rank_needs *needs)
{
  triad_layout *l;
  TRIAD_TRY(triad_layout_create(&l, g, size - 1, size, TRIAD_LANES));
  int64_t slices = triad_slices_memory(c, g, shape), lines = triad_output_1d_memory(c, l, shape);
  if (slices > 0) triad_needs_add(needs, "slices", "planes and pictures, on rank 0", slices);
  if (lines > 0) triad_needs_add(needs, "lines", "points of a field, while increments are measured", lines);
  triad_layout_destroy(&l);
  return TRIAD_OK;
}

static int check_keys(const triad_case *c, const triad_grid *g, const triad_shape *shape)
{
  TRIAD_TRY(triad_initial_check(c, g));
  TRIAD_TRY(check_force(c, g));
  return triad_slices_check(c, shape);
}

static int count_needs(const triad_case *c, int size, int threads, const triad_grid *g, const triad_shape *shape,
                       triad_needs *needs)
{
  triad_layout *whole;
  triad_space space;
  int gpu = triad_device_expected(&triad_solver_spectral, c);
  int offload = triad_spectral_gpu && triad_case_is(c, "parallel.device", "offload");
  if (gpu) TRIAD_TRY(triad_spectral_gpu->needs(c, size, &needs->gpu));
  TRIAD_TRY(triad_flow_memory(c, size, threads, gpu, &needs->rank));
  if (offload) TRIAD_TRY(triad_spectral_gpu->offload->needs(c, size, &needs->gpu, &needs->rank));
  TRIAD_TRY(add_output_memory(c, g, shape, size, &needs->rank));
  TRIAD_TRY(triad_layout_create(&whole, g, 0, 1, 1));
  triad_space_modes(&space, whole);
  needs->checkpoint_bytes = shape->n_fields * triad_space_bytes(&space, (int)sizeof(triad_real));
  triad_space_planes(&space, whole);
  needs->fields_bytes = shape->n_fields * triad_space_bytes(&space, (int)sizeof(triad_real));
  int st = check_bands(c, whole);
  triad_layout_destroy(&whole);
  needs->idle_ranks = size > g->n[2] ? (int)(size - g->n[2]) : 0;
  needs->slices_bytes = triad_slices_bytes(c, g);
  needs->spectra_bytes = 8192 + 8 * triad_output_spectra_values(c, g, shape);
  needs->columns = shape->n_columns;
  return st;
}

int triad_flow_check(const triad_case *c, int size, int threads, triad_needs *needs)
{
  triad_grid g;
  triad_shape shape;
  TRIAD_TRY(triad_flow_shape(c, &g, &shape));
  int st = check_keys(c, &g, &shape);
  if (st == TRIAD_OK) st = count_needs(c, size, threads, &g, &shape, needs);
  triad_shape_clear(&shape);
  return st;
}
