/* Sum spectra over shells of wavenumbers and check their total against the energy. */
#include "solvers/spectral/plain/spectra.h"
#include "solvers/spectral/measure/loops.h"
#include "grid/shells.h"
#include "parallel/sum.h"
#include "base/precision.h"

#include <float.h>
#include <math.h>
#include <string.h>

int triad_columns_sum(const triad_flow *flow, int64_t n, triad_column_sums *add, const void *self, double *values)
{
  const triad_context *context = flow->context;
  const int threads = context->threads;
  triad_sum *sums = NULL;
  int st = triad_agree(&context->comm, TRIAD_ALLOC(context->memory, "sums over modes", n * threads, &sums));
  if (st == TRIAD_OK) {
#pragma omp parallel for schedule(static, 1) num_threads(threads)
    for (int t = 0; t < threads; t++) {
      const int64_t end = triad_deal(flow->layout->n_columns, t + 1, threads);
      for (int64_t c = triad_deal(flow->layout->n_columns, t, threads); c < end; c++) add(self, flow, c, sums + t * n);
    }
    st = triad_sum_threads(&context->comm, sums, n, threads, values);
  }
  TRIAD_FREE(context->memory, &sums);
  return st;
}

static void add_densities(const void *self, const triad_flow *flow, int64_t c, triad_sum *sums)
{
  const triad_layout *l = flow->layout;
  const int64_t shells = *(const int64_t *)self;
  double density[flow->shape.n_spectra];
  for (int64_t j = 0; j < l->nkz; j++) {
    if (l->kz[j] > l->kz_extent[c] || -l->kz[j] > l->kz_extent[c]) continue;
    double w[3];
    triad_layout_size(l, c, j, w);
    int64_t shell = triad_shell(&l->grid, w);
    flow->equations->densities(flow->self, l, c, j, (const triad_cplx *const *)flow->u, density);
    for (int i = 0; i < flow->shape.n_spectra; i++) triad_sum_add(&sums[i * shells + shell], density[i]);
  }
}

int triad_spectra_shells_host(triad_flow *flow, double *values)
{
  const int64_t shells = triad_shell_count(&flow->grid);
  return triad_columns_sum(flow, flow->shape.n_spectra * shells, add_densities, &shells, values);
}

/* A column's share of the energy was rounded once for each mode, nkz of them: the two sums may differ by so much. */
static int check_sum(const triad_flow *flow, double energy, int64_t shells, const double *spectrum)
{
  double sum = 0, tolerance = (double)(flow->layout->nkz + shells + 8) * 2.3e-16 * fabs(energy) + DBL_MIN;
  for (int64_t s = 0; s < shells; s++) sum += spectrum[s];
  if (fabs(sum - energy) <= tolerance) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "the spectrum sums to %.17g but the energy is %.17g", sum, energy);
}

int triad_spectra_shells(triad_flow *flow, double energy, double *values)
{
  TRIAD_TRY(flow->measure->shells(flow, values));
  return check_sum(flow, energy, triad_shell_count(&flow->grid), values);
}

/* The axis along which a vector points, -1 where it is zero or oblique. */
static int axis_of(const triad_case *given, const char *key, int *is_zero)
{
  double v[3];
  int axis = -1, n = 0;
  triad_case_reals(given, key, v, 3);
  for (int i = 0; i < 3; i++)
    if (v[i] != 0) {
      axis = i;
      n++;
    }
  *is_zero = n == 0;
  return n == 1 ? axis : -1;
}

/* Of what makes the flow anisotropic, the first that the case has. */
static int axis_of_physics(const triad_case *given)
{
  static const char *const vectors[] = {"equations.mean_field", "equations.rotation"};
  if (triad_case_applies(given, "equations.buoyancy_frequency") &&
      triad_case_real(given, "equations.buoyancy_frequency") != 0)
    return triad_case_is(given, "equations.vertical", "y") ? 1 : 2;
  for (int i = 0; i < 2; i++) {
    int is_zero;
    if (!triad_case_applies(given, vectors[i])) continue;
    int axis = axis_of(given, vectors[i], &is_zero);
    if (!is_zero) return axis;
  }
  return -1;
}

int triad_bins_axis(const triad_case *given)
{
  const char *word = triad_case_word(given, "output.spectra_axis");
  if (strcmp(word, "auto") == 0) return axis_of_physics(given);
  return strcmp(word, "x") == 0 ? 0 : strcmp(word, "y") == 0 ? 1 : strcmp(word, "z") == 0 ? 2 : -1;
}

triad_bins triad_bins_make(const triad_grid *grid, int axis)
{
  int i = (axis + 1) % 3, j = (axis + 2) % 3;
  double longest = 0, a = triad_grid_reach(grid, i), b = triad_grid_reach(grid, j);
  if (grid->n[i] > 1) longest = grid->length[i];
  if (grid->n[j] > 1) longest = fmax(longest, grid->length[j]);
  triad_bins bins = {.axis = axis,
                     .ring_width = (2 * TRIAD_PI) / (longest > 0 ? longest : grid->length[i]),
                     .plane_width = (2 * TRIAD_PI) / grid->length[axis]};
  /* inside an ellipse nothing is farther out than its ends */
  double out = grid->truncation == TRIAD_SPHERE ? fmax(a, b) : sqrt(a * a + b * b);
  bins.planes = grid->kmax[axis] + 1;
  if (grid->lean > 0) { /* of a ring about x or y k_y and k_z, or k_x and k_z, are at most those of all modes */
    const double leaning = triad_grid_leaning_reach(grid), up = triad_grid_reach(grid, 2);
    out = axis == 2 ? leaning : sqrt(leaning * leaning + up * up);
    if (axis == 1) bins.planes = (int64_t)floor(leaning * (1 + 1e-9) / bins.plane_width + 0.5) + 1;
  }
  bins.rings = (int64_t)floor(out * (1 + 1e-9) / bins.ring_width + 0.5) + 1;
  return bins;
}
