/* Flows of every equation set whose spectra are measured. For test_spectra.c and test_transfers.c. */
#ifndef TRIAD_TESTS_UNIT_SPECTRA_H
#define TRIAD_TESTS_UNIT_SPECTRA_H

#include "flow.h"

#include "solvers/spectral/measure/transfer.h"
#include "grid/shells.h"

#define CASE(solver, keys, grid, length, truncation) \
  "precision = \"" TRIAD_PRECISION_NAME "\"\n[equations]\nsolver = \"" solver "\"\n" keys "[grid]\nn = " grid \
  "\nlength = " length "\ntruncation = \"" truncation "\"\n" \
  "[initial]\nkind = \"random\"\nspectrum = \"power-law\"\nslope = -1.0\nk_range = [1.0, 100.0]\nhelicity = 0.6\n" \
  "[time]\nend = 1.0\n[parallel]\nreproducible = true\n"

/* CASE with a grid, its lengths and truncation in one macro. */
#define ON(solver, keys, ...) CASE(solver, keys, __VA_ARGS__)

/* Every set, on grids and boxes of all kinds, with every key that adds to its nonlinear term or must not. */
#define HD(...) ON("hd", "rotation = [1.0, 2.0, 3.0]\n", __VA_ARGS__)
#define SCALARS(...) ON("hd", "scalars = [0.1, 0.2]\nscalar_gradients = [1.0, 0, 0, 0, 2.0, 0]\n", __VA_ARGS__)
#define BOUSSINESQ(...) ON("boussinesq", "buoyancy_frequency = 3.0\nrotation = [0, 0, 1.0]\n", __VA_ARGS__)
#define MHD(...) ON("mhd", "mean_field = [0.5, 0, 2.0]\n", __VA_ARGS__)
#define HALL(...) ON("mhd", "mean_field = [0, 1.0, 0]\nhall = 0.3\n", __VA_ARGS__)

#define LONG "[12, 10, 15]", "[\"2pi\", 5.0, 9.0]", "sphere"
#define SHORT "[13, 9, 8]", "[3.0, \"2pi\", \"pi\"]", "box"
#define FLAT "[16, 14, 1]", "[\"2pi\", \"4pi\", 1.0]", "sphere"

static const char *const cases[] = {HD(LONG),         HD(SHORT), HD(FLAT),  SCALARS(LONG), BOUSSINESQ(SHORT),
                                    BOUSSINESQ(LONG), MHD(LONG), MHD(FLAT), HALL(SHORT)};
enum { CASES = sizeof cases / sizeof *cases };

/* A flow with something in every field: those past the velocity are a second velocity's, which is solenoidal. */
static inline test_flow make(triad_context *context, const char *text)
{
  const char *other[] = {"initial.seed=7", NULL};
  test_flow f = test_flow_make(context, text, NULL), g = test_flow_make(context, text, other);
  for (int i = 3; i < f.flow->shape.n_fields; i++)
    memcpy(f.flow->u[i], g.flow->u[i % 3], (size_t)f.flow->layout->modes * sizeof(triad_cplx));
  test_flow_free(&g);
  return f;
}

static inline double *numbers(int64_t n)
{
  double *x = calloc((size_t)n + 1, sizeof *x);
  assert_non_null(x);
  return x;
}

static inline double worst_of(int64_t n, const double *a, const double *b)
{
  double worst = 0;
  for (int64_t i = 0; i < n; i++)
    if (!(fabs(a[i] - b[i]) <= worst)) worst = fabs(a[i] - b[i]);
  return worst;
}

static inline double largest_of(int64_t n, const double *a)
{
  double most = 0;
  for (int64_t i = 0; i < n; i++) most = fmax(most, fabs(a[i]));
  return most;
}

typedef struct spectra {
  int64_t shells, n;
  double *transfer, *flux;
} spectra;

static inline spectra make_spectra(const triad_flow *flow)
{
  spectra s = {.shells = triad_shell_count(&flow->grid), .n = flow->shape.n_transfers};
  s.transfer = numbers(s.n * s.shells);
  s.flux = numbers(s.n * s.shells);
  return s;
}

static inline spectra transfers(triad_flow *flow)
{
  spectra s = make_spectra(flow);
  TRIAD_CHECK(triad_transfer_shells(flow, s.transfer, s.flux));
  return s;
}

static inline void free_spectra(spectra *s)
{
  free(s->transfer);
  free(s->flux);
}

#endif
