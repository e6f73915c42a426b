/* Collect shell spectra, spectra about an axis and transfers for a file of spectra. */
#include "solvers/spectral/measure/output_spectra.h"
#include "solvers/spectral/measure/output_1d.h"
#include "grid/shells.h"
#include "solvers/spectral/measure/transfer.h"
#include "solvers/spectral/plain/spectra.h"
#include "solvers/spectral/plain/spectra_about.h"

/* k; each spectrum; then k_perp, k_par and three of each; T and Pi of each transfer. */
int triad_output_shells_most(const triad_shape *shape) { return 3 + 4 * shape->n_spectra + 2 * shape->n_transfers; }

static void add_shells(triad_contents *c, const triad_column_info *info, int64_t shells)
{
  (void)triad_contents_add(c, (triad_spectrum){.name = info->name,
                                               .units = info->unit,
                                               .long_name = info->formula,
                                               .n_dims = 1,
                                               .dims = {shells},
                                               .scale = {"k"}});
}

static int measure_shells(triad_contents *c, triad_flow *flow, double energy)
{
  int64_t shells = triad_shell_count(&flow->grid);
  triad_contents_scale(c, "k", "1/L", "wavenumber of the shell, s k_min", shells, triad_grid_k_min(&flow->grid));
  double *values = c->next;
  for (int i = 0; i < flow->shape.n_spectra; i++) add_shells(c, &flow->shape.spectra[i], shells);
  return triad_spectra_shells(flow, energy, values);
}

/* NAME_perp, NAME_par or NAME_2d of a spectrum. */
static void add_about(triad_contents *c, const triad_column_info *of, const char *suffix, const char *over, int n_dims,
                      const int64_t *dims, const char *const *scale)
{
  triad_spectrum s = {.name = triad_contents_text(c, "%s_%s", of->name, suffix),
                      .units = of->unit,
                      .n_dims = n_dims,
                      .long_name = triad_contents_text(c, "as %s, over %s instead of the shell", of->name, over)};
  for (int d = 0; d < n_dims; d++) {
    s.dims[d] = dims[d];
    s.scale[d] = scale[d];
  }
  (void)triad_contents_add(c, s);
}

static int measure_about(triad_contents *c, triad_flow *flow, int axis, double energy)
{
  static const char *const scale[3] = {"k_perp", "k_par", NULL};
  const triad_bins b = triad_bins_make(&flow->grid, axis);
  const triad_column_info *of = flow->shape.spectra;
  const int64_t dims[2] = {b.rings, b.planes};
  int n = flow->shape.n_spectra;
  for (int which = 0; which < 2; which++) {
    const char *about = triad_contents_text(c,
                                            which == 0 ? "wavenumber of the ring across %c, round(k_perp/ring_width) "
                                                         "ring_width"
                                                       : "wavenumber of the planes |k_%c|",
                                            "xyz"[axis]);
    triad_contents_scale(c, scale[which], "1/L", about, dims[which], which == 0 ? b.ring_width : b.plane_width);
  }
  double *perp = c->next, *par = perp + n * b.rings, *both = par + n * b.planes;
  for (int i = 0; i < n; i++) add_about(c, &of[i], "perp", "the ring of k_perp", 1, dims, scale);
  for (int i = 0; i < n; i++) add_about(c, &of[i], "par", "the planes of |k_par|", 1, dims + 1, scale + 1);
  for (int i = 0; i < n; i++)
    add_about(c, &of[i], "2d", "the modes in both the ring of k_perp and the planes of |k_par|", 2, dims, scale);
  return triad_spectra_about(flow, &b, energy, perp, par, both);
}

static int measure_transfer(triad_contents *c, triad_flow *flow, int n)
{
  const triad_shape *shape = &flow->shape;
  int64_t shells = triad_shell_count(&flow->grid);
  double *transfer = c->next, *flux = transfer + n * shells;
  for (int i = 0; i < n; i++) add_shells(c, &shape->transfers[i].transfer, shells);
  for (int i = 0; i < n; i++) add_shells(c, &shape->transfers[i].flux, shells);
  return triad_transfer_shells(flow, transfer, flux);
}

int64_t triad_output_shells_values(const triad_case *given, const triad_grid *grid, const triad_shape *shape)
{
  const triad_equations *equations = triad_equations_find(triad_case_word(given, "equations.solver"));
  int64_t shells = triad_shell_count(grid), n = shape->n_spectra;
  int64_t values = shells * (1 + n + 2 * triad_transfer_count(given, equations, shape));
  int axis = triad_bins_axis(given);
  if (axis < 0) return values;
  triad_bins b = triad_bins_make(grid, axis);
  return values + (1 + n) * (b.rings + b.planes) + n * b.rings * b.planes;
}

int64_t triad_output_spectra_values(const triad_case *given, const triad_grid *grid, const triad_shape *shape)
{
  return triad_output_shells_values(given, grid, shape) + triad_output_1d_values(given, grid, shape);
}

int triad_output_shells(triad_contents *c, triad_flow *flow, double energy)
{
  int axis = triad_bins_axis(flow->given),
      n_transfers = triad_transfer_count(flow->given, flow->equations, &flow->shape);
  TRIAD_TRY(triad_agree(&flow->context->comm, measure_shells(c, flow, energy)));
  if (axis >= 0) TRIAD_TRY(measure_about(c, flow, axis, energy));
  return n_transfers > 0 ? measure_transfer(c, flow, n_transfers) : TRIAD_OK;
}

int triad_output_spectra(triad_flow *flow, const char *run_dir, double energy, const triad_notes *notes)
{
  triad_contents *c = NULL;
  int st = triad_contents_create(&c, flow->context->memory,
                                 triad_output_shells_most(&flow->shape) + triad_output_1d_most(&flow->shape),
                                 triad_output_spectra_values(flow->given, &flow->grid, &flow->shape));
  st = triad_agree(&flow->context->comm, st);
  if (st == TRIAD_OK) st = triad_output_shells(c, flow, energy);
  if (st == TRIAD_OK) st = triad_output_1d(c, flow);
  if (st == TRIAD_OK)
    st = triad_spectrafile_write(flow->context, run_dir, flow->at.step, flow->at.t, c->n, c->list, notes);
  triad_contents_destroy(&c);
  return st;
}
