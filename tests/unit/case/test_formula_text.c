/* The text that a formula becomes for GPUs (case/formula.h), compiled by the host's compiler in the test: the values
 * of the evaluator, function by function, operation by operation, noise bit by bit. TRIAD_FORMULA_TEXT in the
 * environment: a file for it, which test_nvrtc.py has compiled for a GPU. */
#include "test.h"

#include "case/formula/formula.h"
#include "case/formula/formula_text.h"

#include <dlfcn.h>
#include <unistd.h>

enum { N = 200, VARIABLES = 6, MOST = 128, SPECIAL = 11 };
static const char *const variable[] = {"x", "y", "z", "t", "u", "dx(u)", NULL};

static char texts[MOST][96];
static triad_formula *formulas[MOST];
static int n_formulas;

static void add(const char *format, ...)
{
  static const triad_formula_scope scope = {variable, 0, NULL, NULL, NULL};
  char why[TRIAD_FORMULA_WHY];
  va_list list;
  va_start(list, format);
  (void)vsnprintf(texts[n_formulas], sizeof texts[0], format, list);
  va_end(list);
  const int st =
    triad_formula_compile(&formulas[n_formulas], texts[n_formulas], strlen(texts[n_formulas]), &scope, why);
  TRIAD_EQUAL(st, TRIAD_OK, why);
  n_formulas += st == TRIAD_OK;
}

/* Each function by itself, of arguments within and beyond what it is defined for; and what else there is. */
static void make_formulas(void)
{
  static const char *const more[] = {"-x^2 + 2^-1",
                                     "x^3^0.5",
                                     "!(x > 0) || y <= z && u >= 0.5",
                                     "x < y",
                                     "(x == y) + 2*(x != z)",
                                     "1/(x - x)",
                                     "0/0 + x",
                                     "1/0",
                                     "-1/0",
                                     "7",
                                     "pi*x - e*y/3",
                                     "dx(u)*sin(u*t - z) - mod(x*1e3, 0.7)",
                                     "((((x + y)*z - t)*u + x)/y - z)^2",
                                     "noise(3)",
                                     "noise(t)*noise(x)",
                                     "if(x - x/y > 0, exp(-(x^2 + y^2)/0.1), log(abs(z)))",
                                     "min(x, y, z, u, t) + max(x, y)*1e-300",
                                     "1_000*x + .5"};
  n_formulas = 0;
  for (int i = 0; triad_formula_functions[i]; i++) {
    const char *f = triad_formula_functions[i];
    const int two = strstr(" atan2 pow hypot mod min max ", f) && strstr(f, "tan") != f && strcmp(f, "atan") != 0;
    if (strcmp(f, "noise") == 0 || strcmp(f, "if") == 0) continue;
    add(two ? "%s(x, y)" : "%s(x)", f);
    add(two ? "%s(u, 0.5)" : "%s(u/2)", f);
  }
  add("if(x, y, z)");
  for (size_t i = 0; i < sizeof more / sizeof *more; i++) add("%s", more[i]);
}

static void write_source(const char *path)
{
  FILE *to = fopen(path, "we");
  assert_non_null(to);
  (void)fprintf(to, "#include \"case/formula/formula_points.h\"\n");
  for (int i = 0; i < n_formulas; i++) {
    char name[16], *text;
    (void)snprintf(name, sizeof name, "f%d", i);
    TRIAD_CHECK(triad_formula_text(formulas[i], name, &text));
    (void)fprintf(to, "%s", text);
    free(text);
  }
  (void)fprintf(to, "double value(int i, const double *v)\n{\n  switch (i) {\n");
  for (int i = 0; i < n_formulas; i++) (void)fprintf(to, "  case %d: return f%d(v);\n", i, i);
  (void)fprintf(to, "  default: return 0;\n  }\n}\n");
  TRIAD_EQUAL(fclose(to), 0, "the source");
}

/* 0, 1, halves and what is large or none among them. */
static double input(int v, int i)
{
  static const double special[SPECIAL] = {0, -0.0, 1, -1, 0.5, 2, 1e300, -1e300, INFINITY, -INFINITY, NAN};
  if (i < SPECIAL * SPECIAL) return special[v % 2 ? i / SPECIAL : i % SPECIAL];
  return 3 * sin(12.9898 * i + 78.233 * v);
}

static int same(double a, double b)
{
  if (isnan(a) || isnan(b)) return isnan(a) && isnan(b);
  return !(a < b || a > b) || fabs(a - b) <= 4e-16 * fabs(b);
}

TRIAD_TEST(the_text_compiled_has_the_values_of_the_evaluator)
{
  static double values[VARIABLES][N], got[N];
  const double *rows[VARIABLES];
  char folder[] = "/tmp/triad-test-XXXXXX", source[64], command[256];
  make_formulas();
  assert_non_null(mkdtemp(folder));
  (void)snprintf(source, sizeof source, "%s/text.c", folder);
  write_source(source);
  if (getenv("TRIAD_FORMULA_TEXT")) write_source(getenv("TRIAD_FORMULA_TEXT"));
  /* no fusing, which a few roundings more would be allowed for */
  (void)snprintf(command, sizeof command,
                 "cc -std=c17 -O1 -ffp-contract=off -shared -fPIC -Isrc -I. -o %s/text.so %s -lm", folder, source);
  TRIAD_EQUAL(system(command), 0, command);
  (void)unlink(source);
  (void)snprintf(source, sizeof source, "%s/text.so", folder);
  void *library = dlopen(source, RTLD_NOW | RTLD_LOCAL);
  assert_non_null(library);
  double (*value)(int, const double *);
  void *call = dlsym(library, "value");
  assert_non_null(call);
  memcpy(&value, &call, sizeof call);
  for (int v = 0; v < VARIABLES; v++) {
    rows[v] = values[v];
    for (int i = 0; i < N; i++) values[v][i] = input(v, i);
  }
  for (int f = 0; f < n_formulas; f++) {
    triad_formula_rows(formulas[f], N, rows, got);
    for (int i = 0; i < N; i++) {
      double at[VARIABLES];
      for (int v = 0; v < VARIABLES; v++) at[v] = values[v][i];
      const double text = value(f, at);
      TRIAD_HOLDS(same(text, got[i]), "%s at point %d: %.17g, the evaluator %.17g", texts[f], i, text, got[i]);
      if (strstr(texts[f], "noise(3)"))
        TRIAD_HOLDS(!(text < got[i] || text > got[i]), "noise is another at point %d", i);
    }
    triad_formula_destroy(&formulas[f]);
  }
  (void)dlclose(library);
  (void)unlink(source);
  (void)rmdir(folder);
}
TRIAD_MAIN
