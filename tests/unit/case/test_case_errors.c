/* Mistakes in a case: every one is found in one pass, told at its place.   ranks: 1 */
#include "cases.h"

#include "base/text.h"
#include "case/case.h"
#include "case/formula/formula.h"
#include "case/schema.h"

TRIAD_TEST(parameters_that_are_none_are_told_at_their_place)
{
  const char *text = SMALLEST OWN;
  fails_with(text, "time.end=1+sqr(4)",
             "time.end: \"1+sqr(4)\" is not a number: column 3: unknown function \"sqr\", did you mean \"sqrt\"?", 1);
  fails_with(text, "output.keep=k/3", "output.keep: expected an integer, found text \"k/3\"", 1);
  fails_with(text, "time.end=x", "time.end: \"x\" is not a number: column 1: unknown name \"x\"", 1);
  fails_with(text, "time.end=noise(1)", "column 1: noise is only available in formulas of points", 1);
  fails_with(text, "time.end=1/(k-4)", "time.end: \"1/(k-4)\" is not a number: its value is infinite", 1);
  fails_with(text, "parameters.k=L", "case.toml:13:1: error: parameters.L: its value depends on itself", 3);
  fails_with(text, "parameters.k=q", "--set parameters.k=q: error: parameters.k: column 1: unknown name \"q\"", 1);
  fails_with(text, "parameters.pi=3", "[parameters]: \"pi\" is not a valid parameter name", 1);
  fails_with(text, "parameters.a.b=3", "[parameters]: \"a.b\" is not a valid parameter name", 1);
  fails_with(text, "parameters.k=true", "parameters.k: expected a finite number, or a formula as text", 1);
  fails_with(text, "parameters.k=inf", "parameters.k: ", 1);
  fails_with(text, "parameters=3", "\"parameters\" is a table, not a value", 1);
  fails_with(SMALLEST, "parameters.nu=1/0", "parameters.nu: its value is infinite", 1);
}

TRIAD_TEST(formulas_of_fields_are_looked_at_with_the_case)
{
  const char *text = SMALLEST OWN;
  fails_with(text, "initial.u=sin(k*x) + cps(y)",
             "initial.u: \"sin(k*x) + cps(y)\": column 12: unknown function \"cps\"", 1);
  fails_with(text, "initial.u=true + 1", "initial.u: \"true + 1\": column 1: unknown name \"true\"", 1);
  fails_with(text, "initial.scalars=[\"x\", \"u\"]",
             "initial.scalars: value 2 of 2: \"u\": column 1: unknown name \"u\"", 1);
  fails_with(text, "initial.kind=formula", "requires a formula, such as initial.u", 1);
  triad_case *c = good(text, "initial.u=3", "initial.scalars=[\"U*x\"]");
  const double x[] = {1.5}, *const at[] = {x, x, x};
  double value;
  triad_formula *f;
  TRIAD_CHECK(triad_case_formula(c, "initial.scalars", 0, &f));
  triad_formula_rows(f, 1, at, &value);
  TRIAD_NEAR(value, 3, 0, "U x");
  triad_formula_destroy(&f);
  TRIAD_CHECK(triad_case_formula(c, "initial.scalars", 1, &f));
  TRIAD_HOLDS(!f, "behind the list");
  TRIAD_CHECK(triad_case_formula(c, "initial.v", 0, &f));
  TRIAD_HOLDS(!f, "an empty text");
  TRIAD_CHECK(triad_case_formula(c, "initial.u", 0, &f));
  TRIAD_HOLDS(f, "a number");
  triad_formula_destroy(&f);
  triad_case_destroy(&c);
}

TRIAD_TEST(every_error_is_found_in_one_pass_at_its_place)
{
  const char *text = "precision = \"dubble\"\n"
                     "presicion = \"double\"\n"
                     "[equations]\n"
                     "solver = \"hd\"\n"
                     "viscosity = -1\n"
                     "[grid]\n"
                     "n = [64, \"a\", 0]\n"
                     "  lenght = [1, 1, 1]\n"
                     "[gird]\n"
                     "n = 4\n"
                     "m = 5\n"
                     "[initial]\n"
                     "k_range = [4, 1]\n"
                     "[time]\n"
                     "dt = 1e-3\n"
                     "cfl = 1\n"
                     "end.x = 1\n";
  char wanted[8192], kinds[1024] = "";
  triad_schema *keys;
  TRIAD_CHECK(triad_schema_create(&keys, "hd"));
  const triad_key *kind = keys->row[triad_schema_find(keys, "initial.kind", strlen("initial.kind"))].key;
  const triad_word *w;
  for (int i = 0; (w = triad_key_word(kind, i)) != NULL; i++) {
    size_t used = strlen(kinds);
    if (triad_solver_among(w->solvers, "hd"))
      (void)snprintf(kinds + used, sizeof kinds - used, "%s\"%s\"", used ? ", " : "", w->name);
  }
  triad_schema_destroy(&keys);
  static const char *const form =
    "case.toml:1:13: error: precision: \"dubble\" is not one of \"double\", \"single\", did you mean \"double\"?\n"
    "case.toml:2:1: error: unknown key \"presicion\", did you mean \"precision\"?\n"
    "case.toml:5:13: error: equations.viscosity: the integer -1 is out of range, must be at least 0\n"
    "case.toml:7:10: error: grid.n: value 2 of 3: expected an integer, found text \"a\": column 1: unknown name \"a\"\n"
    "case.toml:7:15: error: grid.n: value 3 of 3: the integer 0 is out of range, must be 1 to 1048576\n"
    "case.toml:8:3: error: unknown key \"grid.lenght\", did you mean \"grid.length\"?\n"
    "case.toml:9:2: error: unknown table \"gird\", did you mean \"grid\"?\n"
    "case.toml:13:1: error: initial.k_range: the lower end 4.0 is above the upper end 1.0: exchange them\n"
    "case.toml:15:1: error: time.dt and time.cfl both set the time step: give one of them\n"
    "case.toml:17:1: error: \"time.end\" is a value (a number), not a table\n"
    "case.toml: error: missing required key \"initial.kind\" (one of %s)\n"
    "--set time.scheme=rk9: error: time.scheme: \"rk9\" is not one of \"rk3\", \"rk2\", \"rk4\", "
    "did you mean \"rk3\"?\n"
    "--set nix: error: expected key=value, such as grid.n=[32,32,32]\n"
    "--set gird.n=4: error: unknown key \"gird.n\", did you mean \"grid.n\"?\n"
    "14 errors in case.toml and --set\n";
  int status;
  (void)snprintf(wanted, sizeof wanted, form, kinds);
  triad_case *c = parsed(text, &status, "time.scheme=rk9", "nix", "gird.n=4");
  TRIAD_EQUAL(status, TRIAD_ERR_CASE, "status");
  assert_non_null(c);
  assert_string_equal(triad_case_errors(c), wanted);
  triad_case_destroy(&c);
}

TRIAD_TEST(syntax_errors_do_not_hide_each_other)
{
  const char *text = "[equations]\nsolver = hd\n[grid]\nn = [4 4,\n4]\nlenght = 3\n"
                     "[time]\nend = 1O\nscheme = rk3 # c\n";
  fails_with(text, NULL, "case.toml:2:10: error: ", 5);
  fails_with(text, NULL, "text needs quotes: \"hd\"\n", 5);
  fails_with(text, NULL, "case.toml:4:8: error: ", 5);
  fails_with(text, NULL, "case.toml:6:1: error: unknown key \"grid.lenght\", did you mean \"grid.length\"?\n", 5);
  fails_with(text, NULL, "case.toml:8:8: error: ", 5);
  fails_with(text, NULL, "case.toml:9:", 5);
  fails_with("precision = True\n", NULL, "flags must be true or false", 1);
}

TRIAD_TEST(a_key_given_twice_is_an_error)
{
  fails_with(SMALLEST "end = 2.0\n", NULL, "case.toml:9:7: error: key-value pair: cannot redefine existing", 1);
  fails_with(SMALLEST "[grid]\nlength = [1, 1, 1]\n", NULL, "cannot redefine existing table 'grid'", 1);
}

TRIAD_TEST(wrong_kinds_of_value_are_named)
{
  static const struct {
    const char *text, *error;
  } bad[] = {
    {"output.keep = 2.5\n", "output.keep: expected an integer, found the number 2.5"},
    {"output.keep = \"7/2\"\n", "output.keep: expected an integer, found text \"7/2\""},
    {"output.keep = 1\n", "output.keep: the integer 1 is out of range, must be 2 to 1000000"},
    {"parallel.reproducible = 1\n", "parallel.reproducible: expected true or false, found the integer 1"},
    {"parallel.nstreams = \"many\"\n", "parallel.nstreams: expected an integer, found text \"many\""},
    {"precision = 2\n", "precision: expected one of \"double\", \"single\", found the integer 2"},
    {"initial.file = 2024-01-01\n", "initial.file: expected text, found a date or time"},
    {"initial.file = \"a\\u0000b\"\n", "initial.file: text must be UTF-8 without NUL"},
    {"precision = \"double\\u0000\"\n", "precision: \"double\\x00\" is not one of"},
    {"initial.helicity = [1]\n", "initial.helicity: expected a number, found an array of 1"},
    {"initial.helicity = 1.5\n", "initial.helicity: the number 1.5 is out of range, must be -1 to 1"},
    {"initial.amplitude = inf\n", "initial.amplitude: the number inf is out of range, must be finite"},
    {"initial.amplitude = nan\n", "initial.amplitude: the number nan is out of range, must be finite"},
    {"initial.abc = [1, [2], {x = 3}]\n", "initial.abc: value 2 of 3: expected a number, found an array"},
    {"initial.abc = { a = 1 }\n", "\"initial.abc\" is a value (3 numbers), not a table"},
    {"grid.length = [1, 1]\n", "grid.length: expected 3 numbers, found an array of 2"},
    {"grid.length = 6.28\n", "grid.length: expected 3 numbers, found the number 6.28"},
    {"grid.length = [\"2pi\", \"2pie\", \"2pi\"]\n", "grid.length: value 2 of 3: \"2pie\" is not a number"},
    {"grid.length = [1, 0.0, 1]\n", "grid.length: value 2 of 3: the number 0.0 is out of range, must be above 0"},
    {"forcing.power = -1\n", "forcing.power: the integer -1 is out of range, must be at least 0"},
    {"output = 3\n", "\"output\" is a table, not a value"},
    {"[[output]]\nkeep = 3\n", "\"output\" is a table, not a value"},
    {"\"grid.n\" = 3\n", "unknown key \"\"grid.n\"\""},
    {"grid.cfl = 3\n", "unknown key \"grid.cfl\", did you mean \"time.cfl\"?"},
    {"zzzzzz = 3\n", "unknown key \"zzzzzz\"\n"},
    {"\"\\u001b[31m\" = 3\n", "unknown key \"\"\\u001b[31m\"\""},
    {"time.max_steps = 99999999999999999999\n", "not representable in 64 bits"},
    {"initial.amplitude = 1e400\n", "1e400"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    int status;
    triad_case *c = parsed(bad[i].text, &status, NULL, NULL, NULL);
    TRIAD_EQUAL(status, TRIAD_ERR_CASE, bad[i].text);
    if (c) TRIAD_HOLDS(strstr(triad_case_errors(c), bad[i].error), "%s gives\n%s", bad[i].text, triad_case_errors(c));
    triad_case_destroy(&c);
  }
}

TRIAD_TEST(arguments_cannot_smuggle_in_other_keys)
{
  fails_with(SMALLEST, "time.end=1\ntime.dt=3", "--set time.end=1\\x0atime.dt=3: error: time.end: ", 1);
  fails_with(SMALLEST, "time.end=1\n[grid]", "--set time.end=1\\x0a[grid]: error: ", 1);
  fails_with(SMALLEST, "=3", "--set =3: error: expected key=value", 1);
  fails_with(SMALLEST, "", "--set : error: expected key=value", 1);
  fails_with(SMALLEST, "time.end=", "time.end: \"\" is not a number", 1);
  fails_with(SMALLEST, "grid=3", "\"grid\" is a table, not a value", 1);
  fails_with(SMALLEST, "initial.file=\xff", "text must be UTF-8", 1);
  fails_with(SMALLEST, "grid={lengt=3}", "unknown key \"grid.lengt\", did you mean \"grid.length\"?", 1);
}

TRIAD_TEST(suggestions_are_near_or_absent)
{
  static const char *const words[] = {"double", "single"};
  TRIAD_EQUAL(triad_edits("length", "lenght"), 1, "a swap is one edit");
  TRIAD_EQUAL(triad_edits("", "abc"), 3, "insertions");
  TRIAD_EQUAL(triad_edits("kitten", "sitting"), 3, "kitten, sitting");
  TRIAD_EQUAL(triad_edits("Power_Law", "power-law"), 0, "case and dashes");
  TRIAD_EQUAL(triad_nearest("dubble", words, 2), 0, "dubble");
  TRIAD_EQUAL(triad_nearest("quadruple", words, 2), -1, "quadruple");
  TRIAD_EQUAL(triad_nearest("", words, 2), -1, "nothing");
}

TRIAD_MAIN
