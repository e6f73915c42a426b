/* The mean shear of a case: rules between keys, and what is not supported with it. */
#include "solvers/spectral/plain/shear_case.h"

#include "case/case_tune.h"
#include "case/mean.h"
#include "case/part.h"
#include "solvers/slice_list.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char key[] = "equations.shear";

double triad_shear_of(const triad_case *given)
{
  return triad_case_applies(given, key) ? triad_case_real(given, key) : 0;
}

void triad_shear_grid(const triad_case *given, triad_grid *grid)
{
  if (triad_shear_of(given) != 0) grid->lean = grid->length[0] / grid->length[1] / 2;
}

/* Slices are the only files that a case has without asking for them; "auto" may be a plane across x. */
void triad_shear_choose(triad_case *c)
{
  int64_t n[3];
  if (!triad_case_applies(c, key) || !triad_case_good(c, key) || triad_shear_of(c) == 0) return;
  if (triad_case_given(c, "output.slices") || !triad_case_good(c, "grid.n")) return;
  triad_case_integers(c, "grid.n", n, 3);
  if (n[0] < n[1] && n[0] < n[2]) (void)triad_case_tune(c, "output.slices", "[]", key);
}

/* ---- rules ---- */

typedef struct held {
  const char *name;
  int component; /* that must be 0; -1: all of them */
  const char *why;
} held;

/* Vectors with components for which the flow around the mean flow would not be homogeneous, or would not stay so. */
static const held vectors[] = {
  {"equations.mean_velocity", -1, "the frame moves with the mean flow U = S y"},
  {"equations.rotation", 1, "the Coriolis force of rotation about y on U = S y is not a pressure gradient"},
  {"equations.mean_field", 1, "the shear would stretch a mean magnetic field along y, which then depends on time"}};

static void check_vector(triad_case *c, const held *h)
{
  double v[3];
  int bad = 0;
  if (!triad_case_applies(c, h->name) || !triad_case_good(c, h->name)) return;
  triad_case_reals(c, h->name, v, 3);
  for (int i = 0; i < 3; i++) bad |= v[i] != 0 && (h->component < 0 || h->component == i);
  if (bad)
    triad_case_error_of(c, h->name, "%s with equations.shear must have %s: %s", h->name,
                        h->component < 0 ? "zeros only" : "a zero y component", h->why);
}

static void check_gradients(triad_case *c)
{
  static const char name[] = "equations.scalar_gradients";
  if (!triad_case_good(c, name)) return;
  const int n = triad_case_length(c, name);
  double g[n + 1];
  (void)triad_case_list(c, name, g, n);
  for (int i = 0; i < n; i += 3)
    if (g[i] != 0) {
      triad_case_error_of_value(c, name, i,
                                "%s with equations.shear must have zero x components: the shear would turn a gradient "
                                "along x, which then depends on time",
                                name);
      return;
    }
}

static void check_grid(triad_case *c)
{
  int64_t n[3];
  if (!triad_case_good(c, "grid.n")) return;
  triad_case_integers(c, "grid.n", n, 3);
  if (n[1] < 2)
    triad_case_error_of(c, "grid.n", "equations.shear requires points along y, the direction of the gradient");
}

void triad_shear_rules(triad_case *c)
{
  if (!triad_case_applies(c, key) || !triad_case_good(c, key) || triad_shear_of(c) == 0) return;
  check_grid(c);
  check_gradients(c);
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) check_vector(c, &vectors[i]);
}

/* ---- not supported ---- */

typedef struct unsupported {
  const char *name, *why;
} unsupported;

/* Numbers that must be 0. */
static const unsupported numbers[] = {
  {"equations.hyperviscosity", "its integral over a step has no closed form for moving wavenumbers"},
  {"equations.hyperresistivity", "its integral over a step has no closed form for moving wavenumbers"},
  {"equations.drag_wavenumber", "modes cross this wavenumber within a step: use a drag on all modes"},
  {"equations.beta", "the gradient of the Coriolis parameter along y would act on the mean flow"},
  {"equations.hall", "the limit of the time step for whistlers is not known for moving wavenumbers"},
  {"output.increment_pdfs", "lines along y of the frame are not lines along y"},
  {"output.fields_error", "points of a sheared flow are not periodic along y"}};

/* Words that must have the given value. */
static const struct {
  const char *name, *value, *why;
} words[] = {
  {"forcing.kind", "none", "the mean shear drives the flow, and forces are fixed to a box that is not sheared"},
  {"target.grid", "fixed", "a grid that follows the flow would have to change within the frame"},
  {"output.structure_functions", "none", "lines along y of the frame are not lines along y"}};

static int refuse(const char *what, const char *why)
{
  return TRIAD_FAIL(TRIAD_ERR_FEATURE, "%s is not supported with equations.shear: %s", what, why);
}

static int check_means(const triad_case *c)
{
  if (!triad_case_applies(c, "output.means")) return TRIAD_OK;
  const triad_mean_list means = triad_mean_asked(c);
  if (means.quantities || means.profiles[0])
    return refuse("\"quantities\" or \"profiles x\" of output.means", "points of the frame move along x");
  return TRIAD_OK;
}

static int check_particles(const triad_case *c)
{
  char name[64];
  for (int i = 1; i <= triad_case_tables(c, "particles"); i++) {
    (void)snprintf(name, sizeof name, "particles[%d].kind", i);
    if (triad_case_is(c, name, "inertial"))
      return refuse("particles.kind = \"inertial\"", "forces of the mean flow on them are not included: use tracers");
  }
  return TRIAD_OK;
}

static int check_slices(const triad_case *c)
{
  triad_slice list[TRIAD_SLICES];
  int n = 0;
  if (!triad_case_applies(c, "output.slices")) return TRIAD_OK;
  TRIAD_TRY(triad_slice_list_read(c, list, &n));
  for (int i = 0; i < n; i++)
    if (list[i].axis == 0)
      return refuse("a plane across x in output.slices", "it is no plane of the frame: use planes across y or z");
  return TRIAD_OK;
}

static int check_fields(const triad_case *c)
{
  const char *texts[TRIAD_FIELD_LIST];
  if (!triad_case_applies(c, "output.fields")) return TRIAD_OK;
  const int n = triad_case_texts(c, "output.fields", texts, TRIAD_FIELD_LIST);
  for (int i = 0; i < n; i++)
    if (strncmp(texts[i], "modes ", 6) == 0)
      return refuse("\"modes\" in output.fields", "a coarser grid does not have the wavenumbers of leaning modes");
  return TRIAD_OK;
}

int triad_shear_check(const triad_case *c)
{
  if (triad_shear_of(c) == 0) return TRIAD_OK;
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    const char *name = numbers[i].name;
    if (!triad_case_applies(c, name)) continue;
    const double value =
      strcmp(name, "output.increment_pdfs") == 0 ? (double)triad_case_integer(c, name) : triad_case_real(c, name);
    if (value != 0) return refuse(name, numbers[i].why);
  }
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (triad_case_applies(c, words[i].name) && !triad_case_is(c, words[i].name, words[i].value))
      return refuse(words[i].name, words[i].why);
  if (triad_case_is(c, "grid.truncation", "none"))
    return refuse("grid.truncation = \"none\"",
                  "modes at half the number of points have no wavenumber that could move");
  if (triad_case_flag(c, "output.line_spectra"))
    return refuse("output.line_spectra", "k_y is not a multiple of 2 pi/Ly");
  TRIAD_TRY(check_particles(c));
  if (triad_case_tables(c, "bodies") + triad_case_tables(c, "sponges") > 0)
    return refuse("[[bodies]] or [[sponges]]", "places that are at rest move through the frame");
  if (triad_case_applies(c, "closure.model") && !triad_case_is(c, "closure.model", "none"))
    return refuse("[closure]", "the models do not see the strain of the mean flow");
  TRIAD_TRY(check_fields(c));
  TRIAD_TRY(check_slices(c));
  return check_means(c);
}
