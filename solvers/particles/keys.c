/* Check the rules between the keys of [[particles]]; the rows of these keys are in the families' tables (keys.h).
 * Compiled once. */
#include "case/part.h"
#include "solvers/particles/start.h"
#include "solvers/particles/keys.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int triad_start_lattice(int64_t count, const double length[3], int64_t n[3]);

typedef struct table {
  triad_case *c;
  int number;
  char text[96];
} table;

static const char *key(table *t, const char *name)
{
  (void)snprintf(t->text, sizeof t->text, "particles[%d].%s", t->number, name);
  return t->text;
}

static int good(table *t, const char *name) { return triad_case_good(t->c, key(t, name)); }

static int is(table *t, const char *name, const char *word)
{
  return good(t, name) && triad_case_is(t->c, key(t, name), word);
}

/* ---- solver text: the velocity is the first field ---- */

enum { FIELDS = 24, WORD = 40 };

static int is_text(const triad_case *c) { return triad_case_is(c, "equations.solver", "text"); }

/* Kind and name of an entry of equations.fields; the kind of a scalar is "". */
static void read_field(const char *entry, char kind[WORD], char name[WORD])
{
  *kind = *name = '\0';
  if (sscanf(entry, " %39s %39s", kind, name) == 2) return;
  (void)snprintf(name, WORD, "%s", kind);
  *kind = '\0';
}

static int is_vector(const char *kind) { return strcmp(kind, "vector") == 0 || strcmp(kind, "solenoidal") == 0; }

/* Names of the datasets of a file of particles, which fields cannot have as well. */
static void check_field_names(table *t)
{
  static const char *const taken[] = {"id",        "t",        "step",    "position",  "velocity", "fluid_velocity",
                                      "vorticity", "gradient", "density", "component", "direction"};
  const char *list[FIELDS];
  if (t->number > 1 || !is_text(t->c) || !triad_case_good(t->c, "equations.fields")) return;
  const int n = triad_case_texts(t->c, "equations.fields", list, FIELDS);
  for (int i = 1; i < n; i++) {
    char kind[WORD], name[WORD];
    read_field(list[i], kind, name);
    for (size_t k = 0; k < sizeof taken / sizeof *taken; k++)
      if (strcmp(name, taken[k]) == 0)
        triad_case_error_of(t->c, "equations.fields",
                            "a field cannot be called \"%s\" in a case with [[particles]], whose files have a dataset "
                            "of that name: rename it",
                            name);
  }
}

static void check_velocity(table *t)
{
  const char *list[FIELDS];
  char kind[WORD] = "", name[WORD];
  if (!is_text(t->c) || !triad_case_good(t->c, "equations.fields")) return;
  if (triad_case_texts(t->c, "equations.fields", list, FIELDS) > 0) read_field(list[0], kind, name);
  if (!is_vector(kind))
    triad_case_error_of(
      t->c, "equations.fields",
      "[[particles]] move with the first of equations.fields, which must be a vector: \"vector u\" or "
      "\"solenoidal u\"");
  if (is(t, "kind", "inertial") && good(t, "density_ratio") && triad_case_real(t->c, key(t, "density_ratio")) < 1e299)
    triad_case_error_of(t->c, key(t, "density_ratio"),
                        "%s requires the acceleration of the fluid, which solver text does not compute: remove it, for "
                        "particles that are much heavier than the fluid",
                        key(t, "density_ratio"));
}

/* A component of a field after the velocity, or a scalar. */
static int is_field_of_text(const triad_case *c, const char *word)
{
  const char *list[FIELDS];
  if (!triad_case_good(c, "equations.fields")) return 1; /* its own error is enough */
  const int n = triad_case_texts(c, "equations.fields", list, FIELDS);
  for (int i = 1; i < n; i++) {
    char kind[WORD], name[WORD];
    read_field(list[i], kind, name);
    const size_t length = strlen(name);
    if (*kind == '\0' && strcmp(name, word) == 0) return 1;
    if (*kind == '\0' || strncmp(name, word, length) != 0 || word[length] != '_') continue;
    const char *part = word + length + 1;
    if (is_vector(kind) ? strlen(part) == 1 && strchr("xyz", *part)
                        : strcmp(part, "re") == 0 || strcmp(part, "im") == 0)
      return 1;
  }
  return 0;
}

static void check_name(table *t)
{
  if (!good(t, "name")) return;
  const char *name = triad_case_word(t->c, key(t, "name"));
  size_t n = strlen(name), fine = 0;
  while (isalnum((unsigned char)name[fine]) || (name[fine] && strchr("_-", name[fine]))) fine++;
  if (n == 0 || n > 40 || fine < n) {
    triad_case_error_of(t->c, key(t, "name"), "%s: a name must have 1 to 40 letters, digits, _ and -", key(t, "name"));
    return;
  }
  for (int i = 1; i < t->number; i++) {
    table other = {t->c, i, ""};
    if (good(&other, "name") && strcmp(triad_case_word(t->c, key(&other, "name")), name) == 0)
      triad_case_error_of(t->c, key(t, "name"), "two [[particles]] have the name \"%s\": rename number %d or number %d",
                          name, i, t->number);
  }
}

static void check_lattice(table *t, int64_t count)
{
  double length[3];
  int64_t n[3];
  if (!triad_case_good(t->c, "grid.length")) return;
  triad_case_reals(t->c, "grid.length", length, 3);
  if (!triad_start_lattice(count, length, n))
    triad_case_error_of(t->c, key(t, "count"),
                        "%s: %" PRId64 " particles cannot form an evenly spaced lattice in this box: use %" PRId64
                        ", which is %" PRId64 " x %" PRId64 " x %" PRId64,
                        key(t, "count"), count, n[0] * n[1] * n[2], n[0], n[1], n[2]);
}

static void check_count(table *t)
{
  if (!good(t, "count") || !good(t, "start")) return;
  int64_t count = triad_case_integer(t->c, key(t, "count"));
  if (is(t, "start", "file")) {
    if (good(t, "file") && !triad_case_word(t->c, key(t, "file"))[0])
      triad_case_error_of(t->c, key(t, "start"), "%s = \"file\" requires %s.file", key(t, "start"), "particles");
    return;
  }
  if (count < 1)
    triad_case_error_of(t->c, key(t, "name"), "[[particles]] number %d: count must be at least 1", t->number);
  else if (is(t, "start", "pairs") && count % 2)
    triad_case_error_of(t->c, key(t, "count"), "%s: start = \"pairs\" requires an even number of particles",
                        key(t, "count"));
  else if (is(t, "start", "lattice")) check_lattice(t, count);
  if (is(t, "start", "pairs") && good(t, "separation") && triad_case_real(t->c, key(t, "separation")) <= 0)
    triad_case_error_of(t->c, key(t, "start"), "%s = \"pairs\" requires a separation above 0", key(t, "start"));
}

/* Of a tracer; what is the default may be said. */
static void refuse(table *t, const char *name, int there)
{
  if (there)
    triad_case_error_of(t->c, key(t, name), "%s applies only to kind \"inertial\", not to tracers: remove it",
                        key(t, name));
}

static void check_kind(table *t)
{
  double gravity[3] = {0, 0, 0};
  if (is(t, "kind", "inertial") && triad_case_is(t->c, "equations.solver", "gpe"))
    triad_case_error_of(t->c, key(t, "kind"),
                        "%s = \"inertial\": a superfluid has no viscosity and therefore no drag: use \"tracer\"",
                        key(t, "kind"));
  else if (is(t, "kind", "inertial") && good(t, "stokes_time") && triad_case_real(t->c, key(t, "stokes_time")) <= 0)
    triad_case_error_of(t->c, key(t, "kind"), "%s = \"inertial\" requires a stokes_time above 0", key(t, "kind"));
  if (is(t, "kind", "inertial") && triad_case_applies(t->c, "equations.beta") &&
      triad_case_good(t->c, "equations.beta") && triad_case_real(t->c, "equations.beta") != 0)
    triad_case_error_of(t->c, key(t, "kind"),
                        "%s = \"inertial\" is not available on a beta plane, which gives only the variation of the "
                        "Coriolis force, not the force on a sphere: use \"tracer\"",
                        key(t, "kind"));
  if (!is(t, "kind", "tracer")) return;
  if (good(t, "gravity")) triad_case_reals(t->c, key(t, "gravity"), gravity, 3);
  refuse(t, "stokes_time", good(t, "stokes_time") && triad_case_real(t->c, key(t, "stokes_time")) > 0);
  refuse(t, "density_ratio", good(t, "density_ratio") && triad_case_real(t->c, key(t, "density_ratio")) < 1e299);
  refuse(t, "gravity", fabs(gravity[0]) + fabs(gravity[1]) + fabs(gravity[2]) > 0);
}

/* What there is at a particle: see files.c. */
static int is_sample(const triad_case *c, const char *word)
{
  const char *solver = triad_case_word(c, "equations.solver");
  char *end;
  if (strcmp(solver, "compressible") == 0) return strcmp(word, "velocity") == 0;
  if (strcmp(solver, "gpe") == 0) return strcmp(word, "velocity") == 0 || strcmp(word, "density") == 0;
  if (strcmp(word, "velocity") == 0 || strcmp(word, "vorticity") == 0 || strcmp(word, "gradient") == 0) return 1;
  if (is_text(c)) return is_field_of_text(c, word);
  if (strcmp(solver, "boussinesq") == 0 && strcmp(word, "theta") == 0) return 1;
  if (strcmp(solver, "mhd") == 0 && (strcmp(word, "bx") == 0 || strcmp(word, "by") == 0 || strcmp(word, "bz") == 0))
    return 1;
  if (strncmp(word, "scalar", 6) != 0 || word[6] < '1' || word[6] > '9') return 0;
  long number = strtol(word + 6, &end, 10);
  return *end == '\0' && triad_case_good(c, "equations.scalars") && number <= triad_case_length(c, "equations.scalars");
}

static void check_samples(table *t)
{
  const char *list[16];
  if (!good(t, "sample")) return;
  int n = triad_case_texts(t->c, key(t, "sample"), list, 16);
  for (int i = 0; i < n; i++) {
    int twice = 0;
    for (int j = 0; j < i; j++) twice |= strcmp(list[i], list[j]) == 0;
    if (!is_sample(t->c, list[i]))
      triad_case_error_of_value(
        t->c, key(t, "sample"), i, "%s: value %d of %d is not available: this flow has velocity%s", key(t, "sample"),
        i + 1, n,
        triad_case_is(t->c, "equations.solver", "compressible") ? " alone"
        : triad_case_is(t->c, "equations.solver", "gpe")        ? " and density"
        : triad_case_is(t->c, "equations.solver", "boussinesq") ? ", vorticity, gradient, and fields such as theta"
        : triad_case_is(t->c, "equations.solver", "mhd")        ? ", vorticity, gradient, and fields such as bx"
        : is_text(t->c) ? ", vorticity, gradient, and the components of further fields"
                        : ", vorticity, gradient, and fields such as scalar1 if it has scalars");
    else if (twice)
      triad_case_error_of_value(t->c, key(t, "sample"), i, "%s: value %d of %d is repeated", key(t, "sample"), i + 1,
                                n);
  }
}

void triad_particles_rules(triad_case *c)
{
  for (int i = 1; i <= triad_case_tables(c, "particles"); i++) {
    table t = {c, i, ""};
    check_name(&t);
    check_count(&t);
    check_kind(&t);
    check_field_names(&t);
    check_velocity(&t);
    check_samples(&t);
  }
}
