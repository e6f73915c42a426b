#include "case/case_own.h"
#include "case/slice.h"

#include <string.h>

/* The value of a key of this solver that is good, to be looked at by a rule; NULL otherwise. */
static const triad_case_slot *good(const triad_case *c, const char *key)
{
  const triad_case_slot *slot = triad_case_slot_of(c, key);
  return slot->bad || !triad_case_applies(c, key) ? NULL : slot;
}

static void check_missing(triad_case *c)
{
  char kind[1024];
  for (int i = 0; i < triad_schema_size; i++) {
    const triad_key *key = &triad_schema[i];
    triad_case_place nowhere = {.from = TRIAD_FROM_FILE};
    if (key->preset || c->slots[i].seen || !triad_schema_applies(key, triad_case_solver(c))) continue;
    if (key->solvers && !triad_case_solver(c)) continue; /* nobody knows yet */
    triad_schema_describe(key, 1, kind, sizeof kind);
    triad_case_error_at(c, nowhere, "missing required key \"%s\" (%s)", key->name, kind);
  }
}

static void check_solver(triad_case *c)
{
  const char *solver = triad_case_solver(c);
  for (int i = 0; i < triad_schema_size; i++)
    if (c->slots[i].seen && !triad_schema_applies(&triad_schema[i], solver))
      triad_case_error_at(c, c->slots[i].place, "\"%s\" is not a key of solver %s, only of %s", triad_schema[i].name,
                          solver, triad_schema[i].solvers);
}

static void check_range_order(triad_case *c, const char *key)
{
  const triad_case_slot *range = good(c, key);
  char low[32], high[32];
  if (!range || range->real[0] <= range->real[1]) return;
  triad_number_write(range->real[0], low);
  triad_number_write(range->real[1], high);
  triad_case_error_at(c, range->place, "%s: reversed, its lower end %s is above its upper end %s", key, low, high);
}

static void check_initial_file(triad_case *c)
{
  const triad_case_slot *kind = good(c, "initial.kind"), *file = good(c, "initial.file");
  if (!kind || !file || file->text[0][0]) return;
  if (triad_case_is(c, "initial.kind", "file"))
    triad_case_error_at(c, kind->place, "initial.kind \"file\" needs initial.file, the HDF5 file to read");
  if (triad_case_is(c, "initial.kind", "checkpoint"))
    triad_case_error_at(c, kind->place, "initial.kind \"checkpoint\" needs initial.file, the checkpoint to read");
}

/* Kinds of initial field that only some solvers have. */
static void check_initial_kind(triad_case *c)
{
  static const char *const kinds[][2] = {{"orszag-tang", "mhd"},          {"alfven-wave", "mhd"},
                                         {"inertial-wave", "hd mhd"},     {"internal-wave", "boussinesq"},
                                         {"shear-layer", "hd boussinesq mhd"}, {"puff", "hd boussinesq"},
                                         {"abc", "hd boussinesq mhd"}, {"rest", "hd boussinesq mhd"},
                                         {"random", "hd boussinesq mhd gpe"}, {"uniform", "gpe compressible"}, {"plane-waves", "gpe"},
                                         {"vortex-ring", "gpe"}, {"sod", "compressible"}, {"lax", "compressible"},
                                         {"shu-osher", "compressible"}, {"isentropic-vortex", "compressible"},
                                         {"entropy-wave", "compressible"}, {"shock-vortex", "compressible"},
                                         {"blast", "compressible"}, {"turbulence", "compressible"}};
  const triad_case_slot *kind = good(c, "initial.kind");
  for (size_t i = 0; kind && i < sizeof kinds / sizeof *kinds; i++) {
    const triad_key only = {.solvers = kinds[i][1]};
    if (triad_case_is(c, "initial.kind", kinds[i][0]) && !triad_schema_applies(&only, triad_case_solver(c)))
      triad_case_error_at(c, kind->place, "initial.kind \"%s\" is not for solver %s, only for %s", kinds[i][0],
                          triad_case_solver(c), kinds[i][1]);
  }
}

/* A force on a field that the solver does not have, or of a shape that the field cannot take. */
static void check_forcing_field(triad_case *c)
{
  const triad_case_slot *field = good(c, "forcing.field"), *kind = good(c, "forcing.kind");
  const char *solver = triad_case_solver(c);
  if (!field || !kind || !triad_case_applies(c, "forcing.field")) return;
  if (triad_case_is(c, "forcing.field", "magnetic") && strcmp(solver, "mhd") != 0)
    triad_case_error_at(c, field->place, "forcing.field \"magnetic\" is for solver mhd only");
  if (!triad_case_is(c, "forcing.field", "theta")) return;
  if (strcmp(solver, "boussinesq") != 0)
    triad_case_error_at(c, field->place, "forcing.field \"theta\" is for solver boussinesq only");
  if (triad_case_is(c, "forcing.kind", "taylor-green") || triad_case_is(c, "forcing.kind", "abc"))
    triad_case_error_at(c, kind->place, "forcing.kind \"%s\" is a vector: theta takes random or constant-power",
                        triad_case_word(c, "forcing.kind"));
}

static void check_step(triad_case *c)
{
  const triad_case_slot *dt = good(c, "time.dt"), *cfl = good(c, "time.cfl");
  if (dt && cfl && dt->real[0] > 0 && cfl->place.from != TRIAD_FROM_DEFAULT)
    triad_case_error_at(c, dt->place, "time.dt and time.cfl both fix the time step: give one of them");
}

/* A band that forces nothing would run on without a word. */
static void check_forcing(triad_case *c)
{
  const triad_case_slot *kind = good(c, "forcing.kind"), *range = good(c, "forcing.k_range");
  if (!kind || !range || range->real[1] > 0) return;
  if (triad_case_is(c, "forcing.kind", "random") || triad_case_is(c, "forcing.kind", "constant-power"))
    triad_case_error_at(c, range->place, "forcing.k_range: holds no mode but the mean, which is not forced");
}

/* Schemes that only some solvers have. */
static void check_scheme(triad_case *c)
{
  const triad_case_slot *scheme = good(c, "time.scheme");
  if (!scheme) return;
  int gas = strcmp(triad_case_solver(c), "compressible") == 0;
  if (gas && !triad_case_is(c, "time.scheme", "ssprk3") && !triad_case_is(c, "time.scheme", "rk4"))
    triad_case_error_at(c, scheme->place, "time.scheme \"%s\" is not for solver compressible: take ssprk3 or rk4",
                        triad_case_word(c, "time.scheme"));
  if (!gas && triad_case_is(c, "time.scheme", "ssprk3"))
    triad_case_error_at(c, scheme->place, "time.scheme \"ssprk3\" is for solver compressible only: take rk2, rk3 or rk4");
}

/* An axis closes on itself at both ends or at none. */
static void check_boundaries(triad_case *c)
{
  static const char *const keys[] = {"boundaries.x", "boundaries.y", "boundaries.z"};
  for (int i = 0; i < 3; i++) {
    const triad_case_slot *pair = good(c, keys[i]);
    if (pair && (strcmp(triad_case_word_of_pair(c, keys[i], 0), "periodic") == 0) !=
                    (strcmp(triad_case_word_of_pair(c, keys[i], 1), "periodic") == 0))
      triad_case_error_at(c, pair->place, "%s: both ends are periodic, or none is", keys[i]);
  }
}

/* Nothing drives a superfluid; split2 is made for it. */
static void check_superfluid(triad_case *c)
{
  const triad_case_slot *scheme = good(c, "time.scheme"), *forcing = good(c, "forcing.kind");
  int superfluid = strcmp(triad_case_solver(c), "gpe") == 0;
  if (forcing && superfluid && !triad_case_is(c, "forcing.kind", "none"))
    triad_case_error_at(c, forcing->place, "forcing.kind: no force drives a superfluid, solver gpe takes \"none\"");
  if (!scheme || !triad_case_is(c, "time.scheme", "split2")) return;
  if (!superfluid)
    triad_case_error_at(c, scheme->place, "time.scheme \"split2\" is for solver gpe only: take rk2, rk3 or rk4");
  else if (good(c, "equations.imaginary_time") && triad_case_flag(c, "equations.imaginary_time"))
    triad_case_error_at(c, scheme->place, "time.scheme \"split2\" runs in real time only: for equations.imaginary_time "
                                          "take rk2, rk3 or rk4");
}

/* PDFs are of increments, and structure functions are what chooses their separations. */
static void check_pdfs(triad_case *c)
{
  const triad_case_slot *bins = good(c, "output.increment_pdfs"), *functions = good(c, "output.structure_functions");
  if (bins && functions && bins->integer[0] > 0 && triad_case_is(c, "output.structure_functions", "none"))
    triad_case_error_at(c, bins->place, "output.increment_pdfs: no increments without output.structure_functions, \"log\" "
                                        "or \"all\"");
}

static void check_slices(triad_case *c)
{
  const triad_case_slot *slices = good(c, "output.slices");
  char why[512];
  triad_slice slice;
  for (int i = 0; slices && triad_case_applies(c, "output.slices") && i < slices->n; i++) {
    triad_case_place place = slices->place;
    if (place.from == TRIAD_FROM_FILE) {
      place.line = slices->at[i].line;
      place.column = slices->at[i].column;
    }
    if (!triad_slice_read(slices->text[i], triad_case_solver(c), &slice, why, sizeof why))
      triad_case_error_at(c, place, "output.slices: value %d of %d: %s", i + 1, slices->n, why);
  }
}

void triad_case_check_rules(triad_case *c)
{
  check_missing(c);
  if (triad_case_solver(c)) check_solver(c);
  check_range_order(c, "initial.k_range");
  check_range_order(c, "forcing.k_range");
  check_initial_file(c);
  if (triad_case_solver(c)) {
    check_initial_kind(c);
    check_forcing_field(c);
    check_superfluid(c);
    check_scheme(c);
    check_boundaries(c);
  }
  check_step(c);
  check_forcing(c);
  check_pdfs(c);
  check_slices(c);
}
