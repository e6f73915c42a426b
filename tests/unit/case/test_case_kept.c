/* A case written and read again has the same values bit for bit; two cases are compared by their values.   ranks: 1 */
#include "cases.h"

#include "case/case.h"
#include "case/case_write.h"
#include "case/case_internal.h"
#include "case/case_void.h"

TRIAD_TEST(numbers_are_written_shortest_and_read_back_exactly)
{
  static const struct {
    double value;
    const char *text;
  } known[] = {{0.1, "0.1"},
               {10, "10.0"},
               {1e-5, "1e-05"},
               {-5.0 / 3, "-1.6666666666666667"},
               {1e300, "1e+300"},
               {0, "0.0"},
               {1e15, "1000000000000000.0"},
               {123456789, "123456789.0"}};
  char text[32];
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    triad_number_write(known[i].value, text);
    assert_string_equal(text, known[i].text);
  }
  for (uint64_t i = 0; i < 20000; i++) {
    union {
      uint64_t bits;
      double value;
    } any = {.bits = triad_test_bits(11, i)};
    if (!isfinite(any.value)) continue;
    triad_number_write(any.value, text);
    union {
      double value;
      uint64_t bits;
    } back = {.value = strtod(text, NULL)};
    TRIAD_HOLDS(back.bits == any.bits, "%s is not %.17g", text, any.value);
  }
}

TRIAD_TEST(resolved_case_gives_the_same_values_bit_for_bit)
{
  static const char *const sets[][2] = {
    {"equations.viscosity=1/3", "grid.length=[2pi,pi/7,1e-300]"},
    {"initial.file=a \"b\"\\\t\n\x01 \xcf\x80#.h5", "time.dt=0.1"},
    {"initial.seed=9223372036854775807", "initial.amplitude=-0.1"},
    {"initial={kind=\"random\", helicity=-0.1, energy=0.3}", "equations.drag=0.1"},
    {"parallel.nstreams=auto", "output.series_interval=1e-5"},
    {"output.slices=[\"x = 2pi: u, speed\", \"z=0\"]", "output.slices_interval=0.5"},
    {"output.slices=[]", "output.structure_functions=log"},
    {"forcing={kind=\"abc\", abc=[-0.0, 1e22, 123456789012345678]}", "parallel.reproducible=true"},
  };
  for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
    triad_case *c = good(SMALLEST, sets[i][0], sets[i][1]);
    char *text = resolved(c);
    triad_case *again = good(text, NULL, NULL);
    for (int k = 0; k < c->schema->n; k++) {
      const char *name = c->schema->row[k].key->name;
      const triad_case_slot *a = triad_case_slot_of(c, name), *b = triad_case_slot_of(again, name);
      /* left out, so that it has its default */
      const int is_void = triad_case_is_void(c, c->schema->row[k].key, NULL, 0);
      if (!is_void) TRIAD_EQUAL(same_values(c->schema->row[k].key, a, b), 1, name);
      TRIAD_EQUAL(triad_case_given(again, name), !is_void, name);
    }
    TRIAD_HOLDS(triad_case_warning(again, 0) == NULL, "no key of it is void: %s", triad_case_warning(again, 0));
    free(text);
    triad_case_destroy(&again);
    triad_case_destroy(&c);
  }
}

TRIAD_TEST(a_key_that_is_void_is_a_warning_with_its_place)
{
  static const struct {
    const char *set, *more, *warning;
  } known[] = {
    {"initial.width=0.1", NULL,
     "--set initial.width=0.1: initial.width is not used with initial.kind = \"taylor-green\": remove it"},
    {"initial.kind=puff", "initial.width=0.1", NULL},
    {"equations.drag_wavenumber=2", NULL,
     "--set equations.drag_wavenumber=2: equations.drag_wavenumber is not used with equations.drag = 0.0: remove it"},
    {"equations.drag_wavenumber=2", "equations.drag=1", NULL},
    {"initial.helicity=0.5", NULL,
     "--set initial.helicity=0.5: initial.helicity is not used with initial.kind = \"taylor-green\", initial.noise = "
     "0.0: remove it"},
    {"time.dt=0.1", "time.dt_max=0.2", "--set time.dt_max=0.2: time.dt_max is not used with time.dt = 0.1: remove it"}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    triad_case *c = good(SMALLEST, known[i].set, known[i].more);
    const char *told = triad_case_warning(c, 0);
    TRIAD_HOLDS(known[i].warning ? told && strcmp(told, known[i].warning) == 0 : !told, "\"%s\" of %s",
                told ? told : "", known[i].set);
    TRIAD_HOLDS(!told || !triad_case_warning(c, 1), "one warning: %s", triad_case_warning(c, 1));
    triad_case_destroy(&c);
  }
}

TRIAD_TEST(resolved_case_tells_the_origin_of_each_value)
{
  triad_case *c = good(SMALLEST, "time.dt=0.001", NULL);
  char *text = resolved(c);
  TRIAD_HOLDS(strstr(text, "\nprecision = \"double\" # default\n"), "%s", text);
  TRIAD_HOLDS(strstr(text, "\n[grid]\nn = [32, 32, 32] # case.toml:4\n"), "%s", text);
  TRIAD_HOLDS(strstr(text, "\ndt = 0.001 # --set\n"), "%s", text);
  TRIAD_HOLDS(strstr(text, "\n# cfl = 0.5 # default, not used: time.dt = 0.001\n"), "%s", text);
  free(text);
  triad_case_destroy(&c);
}

TRIAD_TEST(paths_start_at_the_folder_of_the_case)
{
  static const struct {
    const char *name, *file, *path;
  } known[] = {{"case.toml", "ic.h5", "ic.h5"},
               {"runs/tg/case.toml", "ic.h5", "runs/tg/ic.h5"},
               {"/case.toml", "../ic.h5", "/../ic.h5"},
               {"runs/case.toml", "/data/ic.h5", "/data/ic.h5"}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    char set[64];
    (void)snprintf(set, sizeof set, "initial.file=%s", known[i].file);
    const char *sets[] = {set};
    triad_case *c = NULL;
    TRIAD_CHECK(triad_case_parse(&c, known[i].name, SMALLEST, strlen(SMALLEST), sets, 1));
    char *path = triad_case_path(c, "initial.file");
    assert_string_equal(path, known[i].path);
    free(path);
    triad_case_destroy(&c);
  }
}

/* "KEY WAS>IS;" of each difference. */
static void list(void *who, const char *key, const char *was, const char *is)
{
  char *text = who;
  (void)snprintf(text + strlen(text), 1000 - strlen(text), "%s %s>%s;", key, was, is);
}

static void differ(const char *a, const char *b, const char *expected)
{
  triad_case *was = good(SMALLEST, a, NULL), *is = good(SMALLEST, b, NULL);
  char text[1000] = "";
  TRIAD_CHECK(triad_case_compare(was, is, list, text));
  TRIAD_HOLDS(strcmp(text, expected) == 0, "%s to %s: \"%s\", expected \"%s\"", a ? a : "", b ? b : "", text, expected);
  triad_case_destroy(&was);
  triad_case_destroy(&is);
}

TRIAD_TEST(differences_of_two_cases_are_their_values_not_how_they_are_written)
{
  differ(NULL, NULL, "");
  differ("time.end=1", "time.end=1.0", "");
  differ(NULL, "equations.viscosity=0.25", "equations.viscosity 0.0>0.25;");
  differ("equations.rotation=[0,0,1]", NULL, "equations.rotation [0.0, 0.0, 1.0]>[0.0, 0.0, 0.0];");
  differ("precision=single", "precision=\"double\"", "precision \"single\">\"double\";");
  /* a fixed step makes the Courant number void: that follows from the change and is no change of its own */
  differ(NULL, "time.dt=0.5", "time.dt 0.0>0.5;");
}

TRIAD_TEST(keys_that_one_of_two_cases_does_not_have_differ)
{
  triad_case *was = good(SMALLEST, NULL, NULL), *is = good(SMALLEST, "equations.solver=boussinesq", NULL);
  char text[1000] = "";
  TRIAD_CHECK(triad_case_compare(was, is, list, text));
  TRIAD_HOLDS(strstr(text, "equations.buoyancy_frequency >"), "new ones: %s", text);
  TRIAD_HOLDS(strstr(text, "equations.solver \"hd\">\"boussinesq\";"), "the solver: %s", text);
  triad_case_destroy(&was);
  triad_case_destroy(&is);
}

TRIAD_MAIN
