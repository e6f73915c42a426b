/* Check a case of the spectral solver and count the memory and files of a rank. */
#include "solvers/spectral/devices.h"
#include "solvers/spectral/split.h"
#include "solvers/spectral/flow_plan.h"
#include "solvers/spectral/plain/case_warnings.h"
#include "solvers/spectral/force/plain/force_list.h"
#include "solvers/spectral/gpu_part.h"
#include "solvers/spectral/plain/analytic.h"
#include "solvers/spectral/measure/output_spectra.h"
#include "solvers/spectral/start/initial.h"
#include "solvers/spectral/measure/derived.h"
#include "solvers/spectral/probes/probes.h"
#include "solvers/spectral/measure/slices.h"
#include "solvers/spectral/particles/particles.h"
#include "solvers/spectral/relax/plain/relax_case.h"
#include "solvers/spectral/plain/shear_case.h"
#include "solvers/spectral/particles/files.h"

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

/* Is there a mode that starts and forces may excite, with lowest <= |k|/k_min <= highest? In a column |k| grows with
 * |kz|: one look at each will do. */
static int band_has_modes(const triad_layout *l, const double band[2])
{
  double unit = triad_grid_k_min(&l->grid), step = triad_grid_size_wavenumber(&l->grid, 2, 1);
  for (int64_t c = 0; c < l->n_columns; c++) {
    double across2 = l->size_x[c] * l->size_x[c] + l->size_y[c] * l->size_y[c],
           low2 = (band[0] - 1e-9) * (band[0] - 1e-9) * unit * unit;
    double kz = step > 0 && low2 > across2 ? ceil(sqrt(low2 - across2) / step) : 0;
    if (across2 == 0 && kz == 0) kz = 1; /* the mean does not count */
    double k = sqrt(across2 + kz * kz * step * step) / unit;
    if (kz <= (double)l->kz_extent[c] && triad_grid_excites(&l->grid, l->kx[c], l->ky[c], (int64_t)kz) &&
        k >= band[0] - 1e-9 && k <= band[1] + 1e-9)
      return 1;
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
    return TRIAD_FAIL(TRIAD_ERR_CASE,
                      "initial.k_range: no mode of this grid is in the spectrum of the random field: widen it");
  triad_case_reals(c, "forcing.k_range", band, 2);
  if (triad_force_is(c, TRIAD_FORCE_BAND) && !band_has_modes(whole, band))
    return TRIAD_FAIL(TRIAD_ERR_CASE, "forcing.k_range: the band contains no mode of this grid: widen it");
  return TRIAD_OK;
}

static int check_keys(const triad_flow_plan *p)
{
  TRIAD_TRY(triad_shear_check(p->given));
  TRIAD_TRY(triad_initial_check(p->given, &p->grid));
  TRIAD_TRY(check_force(p->given, &p->grid));
  TRIAD_TRY(triad_derived_check(p->given, &p->grid, &p->shape));
  TRIAD_TRY(triad_probes_check(p->given, &p->grid, &p->shape));
  if (triad_relaxation_wanted(p->given) > 0 && triad_derived_pressure(p->given))
    return TRIAD_FAIL(TRIAD_ERR_CASE,
                      "the pressure of a flow with [[bodies]] or [[sponges]] is not available: remove it from "
                      "output.slices, output.fields and output.quantities");
  return triad_slices_check(p->given, &p->shape);
}

static int count_needs(const triad_flow_plan *p, int threads, triad_needs *needs)
{
  const triad_case *c = p->given;
  const triad_grid *g = &p->grid;
  triad_layout *whole;
  triad_space space;
  int64_t particles;
  int gpu = triad_device_expected(&triad_spectral_devices, c);
  int offload = triad_spectral_gpu && triad_case_is(c, "parallel.device", "offload");
  if (gpu) TRIAD_TRY(triad_spectral_gpu->needs(p, &needs->gpu));
  triad_flow_memory(p, threads, gpu, &needs->rank);
  if (!gpu && !offload) TRIAD_TRY(triad_spectral_check_lines(c, g));
  if (offload) TRIAD_TRY(triad_spectral_gpu->offload->needs(p, &needs->gpu, &needs->rank));
  triad_flow_output_memory(p, threads, &needs->rank);
  triad_particles_memory(c, p->layout, threads, gpu, &needs->rank);
  TRIAD_TRY(triad_layout_create(&whole, g, 0, 1, 1));
  triad_space_modes(&space, whole);
  triad_particles_bytes(c, &needs->particles_bytes, &particles);
  needs->checkpoint_bytes = p->shape.n_fields * triad_space_bytes(&space, (int)sizeof(triad_real)) + particles;
  needs->fields_bytes = triad_derived_bytes(c, g, &p->shape);
  int st = check_bands(c, whole);
  triad_layout_destroy(&whole);
  needs->idle_ranks = (int)triad_split_idle(p->layout);
  needs->slices_bytes = triad_slices_bytes(c, g);
  needs->spectra_bytes = 8192 + 8 * triad_output_spectra_values(c, g, &p->shape);
  needs->columns = p->shape.n_columns;
  return st;
}

int triad_flow_check(const triad_case *c, int size, int threads, triad_needs *needs)
{
  triad_flow_plan plan;
  int st = triad_flow_plan_make(&plan, c, size);
  if (st == TRIAD_OK) st = check_keys(&plan);
  if (triad_relaxation_wanted(c) > 0 && needs->ranks) st = triad_agree(needs->ranks, st); /* they may share files */
  if (st == TRIAD_OK) st = triad_relaxation_check(c, needs->ranks, &plan.grid, &plan.shape, &needs->warnings);
  if (st == TRIAD_OK) st = count_needs(&plan, threads, needs);
  if (st == TRIAD_OK) triad_flow_warn(&plan, &needs->warnings);
  triad_flow_plan_clear(&plan);
  return st;
}

int triad_flow_explain(const triad_case *c, void (*print)(void *who, const char *line), void *who)
{
  triad_flow_plan plan;
  int st = triad_flow_plan_make(&plan, c, 0);
  if (st == TRIAD_OK && plan.equations->explain) plan.equations->explain(plan.self, print, who);
  else if (st == TRIAD_OK)
    st =
      TRIAD_FAIL(TRIAD_ERR_FEATURE, "--equations is available for solver text: the equations of solver %s are built in",
                 plan.equations->name);
  triad_flow_plan_clear(&plan);
  return st;
}
