/* The case file: what is accepted, in every form that means the same, and which of several values counts.   ranks: 1
 * quick: 1 */
#include "cases.h"

#include "case/case.h"
#include "case/case_internal.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

TRIAD_TEST(smallest_case_is_good_and_the_rest_is_default)
{
  triad_case *c = good(SMALLEST, NULL, NULL);
  double length[3], abc[3], range[2];
  int64_t n[3];
  triad_case_integers(c, "grid.n", n, 3);
  triad_case_reals(c, "grid.length", length, 3);
  triad_case_reals(c, "initial.abc", abc, 3);
  triad_case_reals(c, "forcing.k_range", range, 2);
  for (int i = 0; i < 3; i++) {
    TRIAD_EQUAL(n[i], 32, "grid.n");
    TRIAD_NEAR(length[i], 2 * M_PI, 0, "grid.length");
    TRIAD_NEAR(abc[i], 1, 0, "initial.abc");
  }
  TRIAD_NEAR(range[1], 2, 0, "forcing.k_range");
  TRIAD_NEAR(triad_case_real(c, "initial.slope"), -5.0 / 3.0, 0, "initial.slope");
  TRIAD_NEAR(triad_case_real(c, "time.cfl"), 0.5, 0, "time.cfl");
  TRIAD_EQUAL(triad_case_integer(c, "output.keep"), 3, "output.keep");
  TRIAD_EQUAL(triad_case_flag(c, "parallel.reproducible"), 0, "parallel.reproducible");
  assert_string_equal(triad_case_word(c, "grid.truncation"), "sphere");
  assert_string_equal(triad_case_word(c, "initial.file"), "");
  TRIAD_EQUAL(triad_case_is(c, "time.scheme", "rk3"), 1, "rk3");
  TRIAD_EQUAL(triad_case_is(c, "time.scheme", "rk4"), 0, "rk4");
  TRIAD_EQUAL(triad_case_given(c, "grid.n"), 1, "grid.n given");
  TRIAD_EQUAL(triad_case_given(c, "time.cfl"), 0, "time.cfl given");
  assert_string_equal(triad_case_errors(c), "");
  triad_case_destroy(&c);
  TRIAD_HOLDS(c == NULL, "destroy clears");
  triad_case_destroy(&c);
}

TRIAD_TEST(a_key_is_looked_up_by_name_and_solver)
{
  static const char gas[] = "[grid]\nn = [8, 8, 8]\n[initial]\nkind = \"sod\"\n[time]\nend = 1\nscheme = \"ssprk3\"\n"
                            "[equations]\nviscosity = 1\nsolver = \"compressible\"\n";
  triad_case *c = good(gas, NULL, NULL); /* wherever the solver stands */
  TRIAD_EQUAL(triad_case_is(c, "time.scheme", "ssprk3"), 1, "scheme of the file");
  TRIAD_EQUAL(triad_case_applies(c, "equations.gamma"), 1, "a key of its family");
  TRIAD_EQUAL(triad_case_applies(c, "equations.drag"), 0, "a key of another");
  TRIAD_EQUAL(triad_case_given(c, "equations.drag"), 0, "which is not given then");
  triad_case_destroy(&c);
  /* only what is left in the end must be the solver's */
  int status;
  c = parsed(gas, &status, "equations.solver=\"hd\"", "initial={kind=\"abc\"}", "time.scheme=rk2");
  TRIAD_HOLDS(status == TRIAD_OK, "%s", triad_case_errors(c));
  triad_case_destroy(&c);
}

TRIAD_TEST(numbers_may_be_written_with_pi)
{
  static const struct {
    const char *text;
    double value;
  } yes[] = {{"2pi", 2 * M_PI},  {"pi", M_PI},       {"pi/2", M_PI / 2},
             {"4*pi", 4 * M_PI}, {"-5/3", -5.0 / 3}, {" 2 * pi / 3 ", 2 * M_PI / 3},
             {"1e-3", 1e-3},     {"+.5", 0.5},       {"2\xcf\x80", 2 * M_PI},
             {"1_000", 1000},    {"2 pi", 2 * M_PI}, {"3.", 3}};
  static const char *const no[] = {
    "",   "pie", "2pi2", "pi pi", "2**3", "1/0", "0x10", "inf", "nan",  "1e400", "--1",           "*2",
    "2*", "1e",  "e5",   ".",     "1__0", "_1",  "2 3",  "1,5", "2pi;", "\x01",  "1e999999999999"};
  double value = 0;
  for (size_t i = 0; i < sizeof yes / sizeof *yes; i++) {
    TRIAD_EQUAL(triad_number_read(yes[i].text, strlen(yes[i].text), &value), 1, yes[i].text);
    TRIAD_NEAR(value, yes[i].value, 0, yes[i].text);
  }
  for (size_t i = 0; i < sizeof no / sizeof *no; i++)
    TRIAD_EQUAL(triad_number_read(no[i], strlen(no[i]), &value), 0, no[i]);
  TRIAD_EQUAL(triad_number_read("1\0002", 3, &value), 0, "a NUL inside");
  TRIAD_EQUAL(triad_number_read("2pi", 1, &value), 1, "only its own bytes are read");
  TRIAD_NEAR(value, 2, 0, "2pi, one byte of it");
}

TRIAD_TEST(parameters_stand_in_numbers_in_any_order)
{
  const char *text = SMALLEST OWN "[output]\nkeep = \"k - 1\"\nseries_interval = \"min(U, 0.5)\"\n";
  triad_case *c = good(text, "equations.viscosity=nu", "parameters.U=4"), *again;
  char *whole = resolved(c), origin[64];
  int64_t n[3];
  TRIAD_NEAR(triad_case_real(c, "equations.viscosity"), 4 * (2 * M_PI / 4) / 1600, 1e-17, "the argument's U");
  TRIAD_NEAR(triad_case_real(c, "output.series_interval"), 0.5, 0, "a function");
  TRIAD_EQUAL(triad_case_integer(c, "output.keep"), 3, "an integer");
  assert_string_equal(triad_case_origin(c, "parameters.U", origin, sizeof origin), "--set");
  TRIAD_EQUAL(triad_case_applies(c, "parameters.U"), 1, "it is there");
  TRIAD_EQUAL(triad_case_applies(c, "parameters.V"), 0, "it is not");
  again = good(whole, NULL, NULL);
  triad_case_integers(again, "grid.n", n, 3);
  TRIAD_NEAR(triad_case_real(again, "equations.viscosity"), triad_case_real(c, "equations.viscosity"), 0, "resolved");
  TRIAD_HOLDS(strstr(whole, "\n[parameters]\n") && strstr(whole, "\nU = 4.0 # --set\n"), "%s", whole);
  free(whole);
  triad_case_destroy(&again);
  triad_case_destroy(&c);
}

TRIAD_TEST(a_pair_of_words_has_two_and_a_solver_may_have_its_own_default)
{
  static const char text[] = "[equations]\nsolver = \"compressible\"\n[grid]\nn = [8, 8, 8]\n[boundaries]\n"
                             "x = [\"inflow\", \"outflow\"]\n[initial]\nkind = \"sod\"\n[time]\nend = 1\n";
  triad_case *c = NULL;
  TRIAD_CHECK(triad_case_parse(&c, "case.toml", text, strlen(text), NULL, 0));
  assert_string_equal(triad_case_word_of_pair(c, "boundaries.x", 0), "inflow");
  assert_string_equal(triad_case_word_of_pair(c, "boundaries.x", 1), "outflow");
  assert_string_equal(triad_case_word_of_pair(c, "boundaries.y", 1), "periodic");
  assert_string_equal(triad_case_word(c, "time.scheme"), "ssprk3");
  TRIAD_EQUAL(triad_case_given(c, "time.scheme"), 0, "a default counts as given");
  triad_case_destroy(&c);
  const char *set = "time.scheme=rk4";
  TRIAD_CHECK(triad_case_parse(&c, "case.toml", text, strlen(text), &set, 1));
  assert_string_equal(triad_case_word(c, "time.scheme"), "rk4");
  triad_case_destroy(&c);
}

TRIAD_TEST(values_come_in_every_form_that_means_the_same)
{
  triad_case *c = good("\xef\xbb\xbfprecision = 'single' # BOM, and lines ended as on Windows\r\n"
                       "equations = { solver = \"hd\", \"viscosity\" = 1_000 }\r\n"
                       "grid.n = [\r\n  32, 32, # x, y\r\n  0x20,\r\n]\r\n"
                       "initial.kind = \"\"\"abc\"\"\"\r\n"
                       "[time]\r\nend = \"1/4\"\r\nmax_steps = 1e6\r\ndt_max = 1\r\n"
                       "[parallel]\r\nnstreams = \"auto\"\r\nsplit = \"auto\"",
                       NULL, NULL);
  int64_t n[3];
  triad_case_integers(c, "grid.n", n, 3);
  TRIAD_EQUAL(n[2], 32, "hexadecimal");
  TRIAD_EQUAL(triad_case_is(c, "precision", "single"), 1, "a literal string");
  TRIAD_NEAR(triad_case_real(c, "equations.viscosity"), 1000, 0, "an integer for a number");
  TRIAD_NEAR(triad_case_real(c, "time.end"), 0.25, 0, "a number as text");
  TRIAD_EQUAL(triad_case_integer(c, "time.max_steps"), 1000000, "1e6");
  TRIAD_EQUAL(triad_case_integer(c, "parallel.nstreams"), 0, "auto");
  triad_case_integers(c, "parallel.split", n, 2);
  TRIAD_EQUAL(n[0] == 0 && n[1] == 0, 1, "auto for both");
  triad_case_destroy(&c);
}

TRIAD_TEST(arguments_are_stronger_than_the_file_and_later_ones_strongest)
{
  triad_case *c = good(SMALLEST "cfl = 0.4\n", "grid.n=[8, 16, 24]", "initial.kind=abc");
  int64_t n[3];
  char origin[64];
  triad_case_integers(c, "grid.n", n, 3);
  TRIAD_EQUAL(n[2], 24, "grid.n");
  TRIAD_EQUAL(triad_case_is(c, "initial.kind", "abc"), 1, "a bare word");
  assert_string_equal(triad_case_origin(c, "grid.n", origin, sizeof origin), "--set");
  assert_string_equal(triad_case_origin(c, "time.cfl", origin, sizeof origin), "case.toml:9");
  assert_string_equal(triad_case_origin(c, "time.scheme", origin, sizeof origin), "default");
  triad_case_destroy(&c);
  c = good(SMALLEST, "time.end=2", "time.end = 3");
  TRIAD_NEAR(triad_case_real(c, "time.end"), 3, 0, "the later one");
  triad_case_destroy(&c);
  c = good(SMALLEST, "initial={kind=\"random\", seed=7}", "grid.length=[2pi, pi/2, 1]");
  double length[3];
  triad_case_reals(c, "grid.length", length, 3);
  TRIAD_EQUAL(triad_case_integer(c, "initial.seed"), 7, "from an inline table");
  TRIAD_NEAR(length[1], M_PI / 2, 0, "a list of bare words");
  triad_case_destroy(&c);
  c = good(SMALLEST, "equations.viscosity=1/400", "initial.file=2024.10");
  TRIAD_NEAR(triad_case_real(c, "equations.viscosity"), 1.0 / 400, 0, "1/400");
  assert_string_equal(triad_case_word(c, "initial.file"), "2024.10");
  triad_case_destroy(&c);
}

TRIAD_TEST(required_keys_may_come_from_arguments)
{
  int status;
  triad_case *c =
    parsed("[equations]\nsolver = \"hd\"\n[initial]\nkind = \"abc\"\n", &status, "grid.n=[4,4,4]", "time.end=0", NULL);
  TRIAD_EQUAL(status, TRIAD_OK, "status");
  triad_case_destroy(&c);
  fails_with("equations.solver = \"hd\"\n", NULL,
             "case.toml: error: missing required key \"grid.n\" (3 integers, 1 to 1048576)", 3);
  fails_with("", NULL, "missing required key \"initial.kind\"", 2); /* not every solver asks for grid.n and time.end */
}

/* Does the call in a child process end by abort()? */
static int aborts(void (*call)(const triad_case *), const triad_case *c)
{
  int status = 0;
  (void)fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    int null = open("/dev/null", O_WRONLY);
    (void)dup2(null, 2);
    (void)signal(SIGABRT, SIG_DFL);
    call(c);
    _exit(0);
  }
  (void)waitpid(child, &status, 0);
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

static void unknown_key(const triad_case *c) { (void)triad_case_real(c, "grid.lenght"); }
static void wrong_type(const triad_case *c) { (void)triad_case_integer(c, "time.cfl"); }
static void wrong_count(const triad_case *c) { (void)triad_case_real(c, "grid.length"); }
static void unknown_word(const triad_case *c) { (void)triad_case_is(c, "time.scheme", "rk9"); }
static void right(const triad_case *c) { (void)triad_case_real(c, "time.cfl"); }

TRIAD_TEST(asking_for_what_is_not_in_the_schema_aborts)
{
  triad_case *c = good(SMALLEST, NULL, NULL);
  TRIAD_EQUAL(aborts(unknown_key, c), 1, "unknown key");
  TRIAD_EQUAL(aborts(wrong_type, c), 1, "wrong type");
  TRIAD_EQUAL(aborts(wrong_count, c), 1, "wrong number of values");
  TRIAD_EQUAL(aborts(unknown_word, c), 1, "unknown word");
  TRIAD_EQUAL(aborts(right, c), 0, "a right question");
  triad_case_destroy(&c);
}

TRIAD_MAIN
