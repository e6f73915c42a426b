#include "case/slice.h"

#include "case/case_own.h"
#include "base/nearest.h"

#include <stdio.h>
#include <string.h>

#define FLUIDS "hd boussinesq mhd"
#define MOVING FLUIDS " compressible"
#define U "U"
#define ROTATION "1/T"

static const triad_slice_quantity table[] = {
  {"u", MOVING, TRIAD_SLICE_FIELD, "u", 0, U, "velocity along x"},
  {"v", MOVING, TRIAD_SLICE_FIELD, "v", 0, U, "velocity along y"},
  {"w", MOVING, TRIAD_SLICE_FIELD, "w", 0, U, "velocity along z"},
  {"speed", MOVING, TRIAD_SLICE_NORM, "u", 0, U, "speed |u|"},
  {"vorticity", MOVING, TRIAD_SLICE_CURL_NORM, "u", 0, ROTATION, "vorticity |curl u|"},
  {"vorticity_x", MOVING, TRIAD_SLICE_CURL, "u", 0, ROTATION, "vorticity along x"},
  {"vorticity_y", MOVING, TRIAD_SLICE_CURL, "u", 1, ROTATION, "vorticity along y"},
  {"vorticity_z", MOVING, TRIAD_SLICE_CURL, "u", 2, ROTATION, "vorticity along z"},
  {"theta", "boussinesq", TRIAD_SLICE_FIELD, "theta", 0, U, "buoyancy in units of velocity"},
  {"bx", "mhd", TRIAD_SLICE_FIELD, "bx", 0, U, "magnetic field along x, without the mean field"},
  {"by", "mhd", TRIAD_SLICE_FIELD, "by", 0, U, "magnetic field along y, without the mean field"},
  {"bz", "mhd", TRIAD_SLICE_FIELD, "bz", 0, U, "magnetic field along z, without the mean field"},
  {"magnetic", "mhd", TRIAD_SLICE_NORM, "bx", 0, U, "magnetic field |b|, without the mean field"},
  {"current", "mhd", TRIAD_SLICE_CURL_NORM, "bx", 0, ROTATION, "current |curl b|"},
  {"current_x", "mhd", TRIAD_SLICE_CURL, "bx", 0, ROTATION, "current along x"},
  {"current_y", "mhd", TRIAD_SLICE_CURL, "bx", 1, ROTATION, "current along y"},
  {"current_z", "mhd", TRIAD_SLICE_CURL, "bx", 2, ROTATION, "current along z"},
  {"rho", "compressible", TRIAD_SLICE_STATE, "rho", 0, "M/L^3", "density"},
  {"p", "compressible", TRIAD_SLICE_STATE, "p", 0, "M/(L T^2)", "pressure"},
  {"mach", "compressible", TRIAD_SLICE_MACH, "u", 0, "1", "Mach number |u|/c"},
  {"dilatation", "compressible", TRIAD_SLICE_DIVERGENCE, "u", 0, ROTATION, "dilatation div u"},
  {"schlieren", "compressible", TRIAD_SLICE_GRADIENT_NORM, "rho", 0, "M/L^4", "density gradient |grad rho|"},
  {"density", "gpe", TRIAD_SLICE_DENSITY, "psi_re", 0, "M", "density |psi|^2"},
  {"phase", "gpe", TRIAD_SLICE_PHASE, "psi_re", 0, "1", "phase of psi"},
  {"psi_re", "gpe", TRIAD_SLICE_FIELD, "psi_re", 0, "M^(1/2)", "real part of psi"},
  {"psi_im", "gpe", TRIAD_SLICE_FIELD, "psi_im", 0, "M^(1/2)", "imaginary part of psi"},
  {"scalar1", "hd", TRIAD_SLICE_FIELD, "scalar1", 0, "S", "passive scalar 1"},
  {"scalar2", "hd", TRIAD_SLICE_FIELD, "scalar2", 0, "S", "passive scalar 2"},
  {"scalar3", "hd", TRIAD_SLICE_FIELD, "scalar3", 0, "S", "passive scalar 3"},
  {"scalar4", "hd", TRIAD_SLICE_FIELD, "scalar4", 0, "S", "passive scalar 4"},
  {"scalar5", "hd", TRIAD_SLICE_FIELD, "scalar5", 0, "S", "passive scalar 5"},
  {"scalar6", "hd", TRIAD_SLICE_FIELD, "scalar6", 0, "S", "passive scalar 6"},
  {"scalar7", "hd", TRIAD_SLICE_FIELD, "scalar7", 0, "S", "passive scalar 7"},
  {"scalar8", "hd", TRIAD_SLICE_FIELD, "scalar8", 0, "S", "passive scalar 8"},
};
enum { QUANTITIES = sizeof table / sizeof *table };

/* What is shown where nothing is asked for. */
static const char *const shown[][3] = {{"hd", "vorticity", NULL}, {"boussinesq", "vorticity", "theta"},
                                       {"mhd", "vorticity", "current"}, {"gpe", "density", NULL},
                                       {"compressible", "schlieren", "vorticity"}};

static int is_for(const triad_slice_quantity *q, const char *solver)
{
  const triad_key only = {.solvers = q->solvers};
  return triad_schema_applies(&only, solver);
}

static const triad_slice_quantity *find(const char *name, size_t length)
{
  for (int i = 0; i < QUANTITIES; i++)
    if (strlen(table[i].name) == length && memcmp(table[i].name, name, length) == 0) return &table[i];
  return NULL;
}

static void take_defaults(const char *solver, triad_slice *out)
{
  for (size_t s = 0; solver && s < sizeof shown / sizeof *shown; s++)
    for (int i = 1; strcmp(shown[s][0], solver) == 0 && i < 3 && shown[s][i]; i++)
      out->quantity[out->n++] = find(shown[s][i], strlen(shown[s][i]));
}

/* A piece of text without the blanks around it. */
typedef struct piece {
  const char *at;
  size_t length;
} piece;

static piece trim(const char *at, const char *end)
{
  while (at < end && *at == ' ') at++;
  while (end > at && end[-1] == ' ') end--;
  return (piece){at, (size_t)(end - at)};
}

/* The nearest name that the solver has, and the names that it has where none is near. */
static void complain(piece name, const char *solver, char *why, size_t size)
{
  const char *names[QUANTITIES];
  char quote[TRIAD_QUOTE_SIZE], word[64], advice[TRIAD_QUOTE_SIZE];
  int n = 0;
  for (int i = 0; i < QUANTITIES; i++)
    if (is_for(&table[i], solver)) names[n++] = table[i].name;
  (void)snprintf(word, sizeof word, "%.*s", (int)name.length, name.at);
  int near = triad_nearest(word, names, n);
  const triad_slice_quantity *other = find(name.at, name.length);
  (void)triad_quote(quote, name.at, name.length);
  if (other)
    (void)snprintf(why, size, "%s is not a quantity of solver %s, only of %s", quote, solver, other->solvers);
  else
    (void)snprintf(why, size, "%s is no quantity of a slice%s; docs/outputs.md lists them", quote,
                   triad_did_you_mean(advice, near < 0 ? NULL : names[near]));
}

static int read_names(const char *at, const char *end, const char *solver, triad_slice *out, char *why, size_t size)
{
  while (at <= end) {
    const char *comma = memchr(at, ',', (size_t)(end - at));
    piece name = trim(at, comma ? comma : end);
    const triad_slice_quantity *q = find(name.at, name.length);
    if (!q || !is_for(q, solver)) {
      complain(name, solver, why, size);
      return 0;
    }
    for (int i = 0; i < out->n; i++)
      if (out->quantity[i] == q) {
        (void)snprintf(why, size, "%s is named twice", q->name);
        return 0;
      }
    if (out->n == TRIAD_SLICE_MOST_QUANTITIES) {
      (void)snprintf(why, size, "more than %d quantities", TRIAD_SLICE_MOST_QUANTITIES);
      return 0;
    }
    out->quantity[out->n++] = q;
    at = comma ? comma + 1 : end + 1;
  }
  return 1;
}

int triad_slice_read(const char *text, const char *solver, triad_slice *out, char *why, size_t size)
{
  char quote[TRIAD_QUOTE_SIZE];
  const char *end = text + strlen(text), *colon = strchr(text, ':'), *equals = strchr(text, '=');
  const char *stop = colon ? colon : end;
  *out = (triad_slice){0};
  piece axis = trim(text, equals && equals < stop ? equals : stop);
  if (!equals || equals > stop || axis.length != 1 || !strchr("xyz", *axis.at)) {
    (void)snprintf(why, size, "%s is no plane; a slice looks like \"z=0\" or \"x=pi: vorticity, u\"",
                   triad_quote(quote, text, strlen(text)));
    return 0;
  }
  out->axis = *axis.at - 'x';
  piece at = trim(equals + 1, stop);
  if (!triad_number_read(at.at, at.length, &out->at)) {
    (void)snprintf(why, size, "%s is not a coordinate; numbers look like 1.5, \"2pi\" or \"pi/2\"",
                   triad_quote(quote, at.at, at.length));
    return 0;
  }
  if (colon) return read_names(colon + 1, end, solver, out, why, size);
  take_defaults(solver, out);
  return 1;
}
