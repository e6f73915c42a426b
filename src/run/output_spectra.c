#include "run/output.h"

#include "run/shells.h"
#include "run/spectra.h"
#include "run/spectrafile.h"
#include "run/transfer.h"

#include <stdio.h>

/* k; each spectrum; then k_perp, k_par and three of each; T and Pi of each transfer. */
enum { MOST = 3 + 4 * TRIAD_MOST_SPECTRA + 2 * TRIAD_MOST_TRANSFERS, NAME = 64, ABOUT = 160 };

/* What one file holds. Names and texts made here live as long as it. */
typedef struct contents {
  triad_flow *flow;
  triad_spectrum list[MOST];
  int n, n_texts;
  char text[3 * TRIAD_MOST_SPECTRA + 2][NAME + ABOUT];
  int64_t shells;
  triad_bins bins;
  double *values, *next; /* room for all, and what of it is not yet taken */
} contents;

static double *add(contents *c, triad_spectrum s)
{
  int64_t size = 1;
  for (int d = 0; d < s.n_dims; d++) size *= s.dims[d];
  s.values = c->next;
  c->list[c->n++] = s;
  c->next += size;
  return c->next - size;
}

static void add_scale(contents *c, const char *name, const char *about, int64_t n, double width)
{
  double *k = add(c, (triad_spectrum){.name = name, .units = "1/L", .long_name = about, .n_dims = 1, .dims = {n},
                                      .scale = {name}});
  for (int64_t s = 0; s < n; s++) k[s] = (double)s * width;
}

static double *add_shells(contents *c, const triad_column_info *info)
{
  return add(c, (triad_spectrum){.name = info->name, .units = info->unit, .long_name = info->formula, .n_dims = 1,
                                 .dims = {c->shells}, .scale = {"k"}});
}

static int measure_shells(contents *c, double energy)
{
  const triad_shape *shape = &c->flow->shape;
  add_scale(c, "k", "wavenumber of the shell, s k_min", c->shells, triad_grid_k_min(&c->flow->grid));
  double *values = c->next;
  for (int i = 0; i < shape->n_spectra; i++) (void)add_shells(c, &shape->spectra[i]);
  return triad_spectra_shells(c->flow, energy, values);
}

/* NAME_perp, NAME_par or NAME_2d of spectrum i. */
static double *add_about(contents *c, int i, const char *suffix, const char *over, int n_dims, const int64_t *dims,
                         const char *const *scale)
{
  const triad_column_info *of = &c->flow->shape.spectra[i];
  char *name = c->text[c->n_texts++], *about = name + NAME;
  triad_spectrum s = {.name = name, .units = of->unit, .long_name = about, .n_dims = n_dims};
  (void)snprintf(name, NAME, "%s_%s", of->name, suffix);
  (void)snprintf(about, ABOUT, "as %s, with %s in place of the shell", of->name, over);
  for (int d = 0; d < n_dims; d++) {
    s.dims[d] = dims[d];
    s.scale[d] = scale[d];
  }
  return add(c, s);
}

static int measure_about(contents *c, double energy)
{
  static const char *const scale[3] = {"k_perp", "k_par", NULL};
  const triad_bins *b = &c->bins;
  const int64_t dims[2] = {b->rings, b->planes};
  int n = c->flow->shape.n_spectra;
  for (int which = 0; which < 2; which++) {
    char *about = c->text[c->n_texts++];
    (void)snprintf(about, ABOUT, which == 0 ? "wavenumber of the ring across %c, round(k_perp/ring_width) ring_width"
                                            : "wavenumber of the planes |k_%c|", "xyz"[b->axis]);
    add_scale(c, scale[which], about, dims[which], which == 0 ? b->ring_width : b->plane_width);
  }
  double *perp = c->next, *par = perp + n * b->rings, *both = par + n * b->planes;
  for (int i = 0; i < n; i++) (void)add_about(c, i, "perp", "the ring of k_perp", 1, dims, scale);
  for (int i = 0; i < n; i++) (void)add_about(c, i, "par", "the planes of |k_par|", 1, dims + 1, scale + 1);
  for (int i = 0; i < n; i++) (void)add_about(c, i, "2d", "the part of the ring in the planes", 2, dims, scale);
  return triad_spectra_about(c->flow, b, energy, perp, par, both);
}

static int measure_transfer(contents *c, int n)
{
  const triad_shape *shape = &c->flow->shape;
  double *transfer = c->next, *flux = transfer + n * c->shells;
  for (int i = 0; i < n; i++) (void)add_shells(c, &shape->transfers[i].transfer);
  for (int i = 0; i < n; i++) (void)add_shells(c, &shape->transfers[i].flux);
  return triad_transfer_shells(c->flow, transfer, flux);
}

int64_t triad_output_spectra_values(const triad_case *given, const triad_grid *grid, const triad_shape *shape)
{
  const triad_equations *equations = triad_equations_find(triad_case_word(given, "equations.solver"));
  int64_t shells = triad_shell_count(grid), n = shape->n_spectra;
  int64_t values = shells * (1 + n + 2 * triad_transfer_count(given, equations, shape));
  int axis = triad_bins_axis(given);
  if (axis < 0) return values;
  triad_bins b = triad_bins_make(grid, axis);
  return values + (1 + n) * (b.rings + b.planes) + n * b.rings * b.planes;
}

int triad_output_spectra(triad_flow *flow, const char *run_dir, double energy, const triad_notes *notes)
{
  contents *c = NULL;
  triad_memory *m = flow->context->memory;
  int axis = triad_bins_axis(flow->given), n_transfers;
  int st = TRIAD_TAKE(m, "spectra", 1, &c);
  if (st == TRIAD_OK)
    st = TRIAD_TAKE(m, "spectra", triad_output_spectra_values(flow->given, &flow->grid, &flow->shape), &c->values);
  st = triad_agree(&flow->context->comm, st);
  if (st == TRIAD_OK) {
    c->flow = flow;
    c->next = c->values;
    c->shells = triad_shell_count(&flow->grid);
    st = triad_agree(&flow->context->comm, measure_shells(c, energy));
  }
  if (st == TRIAD_OK && axis >= 0) {
    c->bins = triad_bins_make(&flow->grid, axis);
    st = measure_about(c, energy);
  }
  n_transfers = triad_transfer_count(flow->given, flow->equations, &flow->shape);
  if (st == TRIAD_OK && n_transfers > 0) st = measure_transfer(c, n_transfers);
  if (st == TRIAD_OK)
    st = triad_spectrafile_write(flow->context, run_dir, flow->step, flow->t, c->n, c->list, notes);
  if (c) TRIAD_GIVE(m, &c->values);
  TRIAD_GIVE(m, &c);
  return st;
}
