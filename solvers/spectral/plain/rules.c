/* Check the rules between keys of spectral cases, and report violations. */
#include "solvers/spectral/plain/rules.h"
#include "solvers/spectral/plain/case_grid.h"
#include "case/mean.h"
#include "solvers/closure/keys.h"
#include "solvers/box/probe_keys.h"
#include "solvers/spectral/force/plain/force_list.h"
#include "solvers/spectral/force/plain/force_work.h"
#include "solvers/spectral/plain/follow_column.h"
#include "solvers/spectral/relax/plain/relax_case.h"
#include "solvers/spectral/plain/shear_case.h"
#include "solvers/particles/keys.h"

#include <string.h>

/* A band without modes would run without forcing and without an error. */
static void check_band(triad_case *c)
{
  double range[2];
  if (!triad_case_good(c, "forcing.kind") || !triad_case_good(c, "forcing.k_range")) return;
  triad_case_reals(c, "forcing.k_range", range, 2);
  if (!(range[1] > 0) && triad_force_is(c, TRIAD_FORCE_BAND))
    triad_case_error_of(c, "forcing.k_range",
                        "forcing.k_range contains only the mean mode, which is not forced: widen the range");
}

/* A force of a shape that the field cannot take. */
static void check_shape(triad_case *c)
{
  if (!triad_case_good(c, "forcing.kind") || !triad_case_good(c, "forcing.field")) return;
  if (triad_case_is(c, "forcing.field", "theta") && triad_force_is(c, TRIAD_FORCE_SHAPED))
    triad_case_error_of(c, "forcing.kind",
                        "forcing.kind = \"%s\" is a vector force: for theta use random or constant-power",
                        triad_case_word(c, "forcing.kind"));
}

/* What is held, by a force whose power can be set, of a flow where it is defined. */
static void check_hold(triad_case *c)
{
  if (!triad_case_good(c, "forcing.kind") || !triad_case_good(c, "forcing.hold") ||
      !triad_case_good(c, "forcing.hold_value") || triad_case_is(c, "forcing.hold", "none"))
    return;
  const int by_viscosity =
    triad_case_is(c, "forcing.hold", "re_lambda") || triad_case_is(c, "forcing.hold", "kmax_eta");
  if (!triad_force_is(c, TRIAD_FORCE_HELD))
    triad_case_error_of(
      c, "forcing.hold",
      "forcing.hold cannot adjust the power of forcing.kind = \"%s\": use random, constant-power or ornstein-uhlenbeck",
      triad_case_word(c, "forcing.kind"));
  else if (!(triad_case_real(c, "forcing.hold_value") > 0))
    triad_case_error_of(c, "forcing.hold", "forcing.hold requires forcing.hold_value, the target value of %s",
                        triad_case_word(c, "forcing.hold"));
  else if (by_viscosity && triad_case_good(c, "equations.viscosity") &&
           !(triad_case_real(c, "equations.viscosity") > 0))
    triad_case_error_of(c, "forcing.hold", "forcing.hold requires equations.viscosity: an inviscid flow has no %s",
                        triad_case_word(c, "forcing.hold"));
}

/* A force that is a formula has one, of what this case can work out. */
static void check_force_formulas(triad_case *c)
{
  static const char *const names[] = {"forcing.u",  "forcing.v",  "forcing.w",  "forcing.theta",
                                      "forcing.bx", "forcing.by", "forcing.bz", "forcing.scalars"};
  const char *text[1000];
  int given = 0;
  if (!triad_case_good(c, "forcing.kind") || !triad_case_is(c, "forcing.kind", "formula")) return;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (!triad_case_applies(c, names[i])) continue;
    given |= triad_case_given(c, names[i]);
    if (!triad_case_good(c, names[i])) return;
  }
  if (!given)
    triad_case_error_of(c, "forcing.kind",
                        "forcing.kind = \"formula\" requires a formula, such as forcing.u = \"sin(z)\"");
  if (triad_case_good(c, "equations.scalars")) {
    int n = triad_case_texts(c, "forcing.scalars", text, 1000), m = triad_case_length(c, "equations.scalars");
    if (n > m)
      triad_case_error_of(c, "forcing.scalars", "forcing.scalars has %d formulas, but equations.scalars has %d scalars",
                          n, m);
  }
  int work;
  if (triad_force_work(c, &work) != TRIAD_OK) triad_case_lacks_memory(c);
  if (work & TRIAD_FORCE_AT_POINTS && triad_case_good(c, "grid.dealiasing") &&
      triad_case_is(c, "grid.dealiasing", "phase-shift"))
    triad_case_error_of(c, "forcing.kind",
                        "forcing.kind: a formula that is evaluated at the grid points in every stage cannot be used "
                        "with grid.dealiasing = \"phase-shift\", which shifts the points: use \"truncation\"");
}

/* Between its points a field of every mode of the grid is not known: Nyquist modes may be cosines or sines there. */
static void check_slices(triad_case *c)
{
  if (triad_case_good(c, "output.slices_points") && triad_case_good(c, "grid.truncation") &&
      triad_case_integer(c, "output.slices_points") > 0 && triad_case_is(c, "grid.truncation", "none"))
    triad_case_error_of(
      c, "output.slices_points",
      "output.slices_points: with grid.truncation = \"none\" fields are known at the grid points only: remove it");
}

/* PDFs are of increments, and structure functions are what chooses their separations. */
static void check_pdfs(triad_case *c)
{
  if (!triad_case_good(c, "output.increment_pdfs") || !triad_case_good(c, "output.structure_functions")) return;
  if (triad_case_integer(c, "output.increment_pdfs") > 0 && triad_case_is(c, "output.structure_functions", "none"))
    triad_case_error_of(c, "output.increment_pdfs",
                        "output.increment_pdfs requires output.structure_functions = \"log\" or \"all\"");
}

static void check_probe_quantities(triad_case *c)
{
  const char *texts[TRIAD_OWN_QUANTITIES], *key = "output.probes_quantities";
  triad_own_names own;
  const int n =
    triad_case_applies(c, key) && triad_case_good(c, key) ? triad_case_texts(c, key, texts, TRIAD_OWN_QUANTITIES) : 0;
  if (n == 0) return;
  triad_own_names_of(c, &own);
  for (int i = 0; i < n; i++) {
    int found = 0, before = 0;
    for (int k = 0; k < own.n; k++) found |= strcmp(own.name[k], texts[i]) == 0;
    for (int k = 0; k < i; k++) before |= strcmp(texts[k], texts[i]) == 0;
    if (found && !before) continue;
    triad_case_error_of_value(c, key, i, "%s: value %d of %d %s", key, i + 1, n,
                              before ? "is repeated" : "is not a name in [[output.quantities]]");
  }
}

/* Check that the requested "quantities" exist, and their statistics are given. */
static void check_mean_quantities(triad_case *c)
{
  if (!triad_case_good(c, "output.means")) return;
  const triad_mean_list list = triad_mean_asked(c);
  if (!list.quantities) return;
  if (triad_case_tables(c, "output.quantities") == 0)
    triad_case_error_of(c, "output.means",
                        "output.means: \"quantities\" requires [[output.quantities]], but there are none");
  else if (!list.moments && !list.pdfs && !list.profiles[0] && !list.profiles[1] && !list.profiles[2])
    triad_case_error_of(c, "output.means",
                        "output.means: \"quantities\" requires at least one of \"moments\", \"pdfs\", \"profiles z\"");
}

/* Three for each scalar. */
static void check_gradients(triad_case *c)
{
  if (!triad_case_good(c, "equations.scalars") || !triad_case_good(c, "equations.scalar_gradients")) return;
  int n = triad_case_length(c, "equations.scalars"), m = triad_case_length(c, "equations.scalar_gradients");
  if (m != 0 && m != 3 * n)
    triad_case_error_of(c, "equations.scalar_gradients",
                        "equations.scalar_gradients has %d values, but %d scalars require %d (or none)", m, n, 3 * n);
}

/* Kind formula requires a formula, and none for a scalar that does not exist. */
static void check_formulas(triad_case *c)
{
  static const char *const keys_of[] = {"initial.u",      "initial.v",       "initial.w",     "initial.theta",
                                        "initial.bx",     "initial.by",      "initial.bz",    "initial.psi_re",
                                        "initial.psi_im", "initial.scalars", "initial.fields"};
  const char *text[1000];
  int given = 0;
  if (!triad_case_good(c, "initial.kind") || !triad_case_is(c, "initial.kind", "formula")) return;
  for (size_t i = 0; i < sizeof keys_of / sizeof *keys_of; i++)
    given |= triad_case_applies(c, keys_of[i]) && triad_case_given(c, keys_of[i]);
  if (!given)
    triad_case_error_of(c, "initial.kind", "initial.kind = \"formula\" requires a formula, such as %s = \"sin(x)\"",
                        triad_case_applies(c, "initial.u")        ? "initial.u"
                        : triad_case_applies(c, "initial.fields") ? "initial.fields"
                                                                  : "initial.psi_re");
  if (!triad_case_applies(c, "initial.scalars") || !triad_case_good(c, "initial.scalars") ||
      !triad_case_good(c, "equations.scalars"))
    return;
  int n = triad_case_texts(c, "initial.scalars", text, 1000), m = triad_case_length(c, "equations.scalars");
  if (n > m)
    triad_case_error_of(c, "initial.scalars", "initial.scalars has %d formulas, but equations.scalars has %d scalars",
                        n, m);
}

/* Which sphere of modes, and whether its products can be rid of aliases: grid/grid.h has the limits. */
static void check_sphere(triad_case *c)
{
  const char *const needed[] = {"grid.n", "grid.length", "grid.truncation", "grid.radius"};
  const int fluid = triad_case_applies(c, "grid.dealiasing") && triad_case_good(c, "grid.dealiasing");
  const int shifted = fluid && triad_case_is(c, "grid.dealiasing", "phase-shift");
  triad_grid grid;
  if (!shifted && !(triad_case_good(c, "grid.radius") && triad_case_real(c, "grid.radius") > 0)) return;
  for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
    if (!triad_case_good(c, needed[i])) return;
  if (triad_spectral_grid(c, &grid) != TRIAD_OK) {
    char why[512];
    triad_message_reason(why, sizeof why);
    triad_case_error_of(c, shifted && !(triad_case_real(c, "grid.radius") > 0) ? "grid.dealiasing" : "grid.radius",
                        "%s", why);
  }
}

static void check_aliasing(triad_case *c)
{
  if (triad_case_applies(c, "output.aliasing") && triad_case_good(c, "output.aliasing") &&
      triad_case_flag(c, "output.aliasing") && triad_case_good(c, "grid.dealiasing") &&
      !triad_case_is(c, "grid.dealiasing", "phase-shift"))
    triad_case_error_of(
      c, "output.aliasing",
      "output.aliasing requires grid.dealiasing = \"phase-shift\": with \"truncation\" products are not aliased");
}

void triad_spectral_rules(triad_case *c)
{
  check_sphere(c);
  check_aliasing(c);
  check_gradients(c);
  check_formulas(c);
  check_shape(c);
  triad_follow_rules(c);
  triad_closure_rule(c);
  check_band(c);
  check_hold(c);
  check_force_formulas(c);
  triad_relaxation_rules(c);
  triad_shear_rules(c);
  check_pdfs(c);
  triad_probe_rule(c);
  triad_mean_rule(c);
  check_probe_quantities(c);
  check_mean_quantities(c);
  check_slices(c);
  triad_particles_rules(c);
}
