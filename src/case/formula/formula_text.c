/* Write the program of a formula as a function in C. Each operation has the definition of formula_internal.h, so
 * that both give the same values. */
#include "case/formula/formula_internal.h"
#include "case/formula/formula_text.h"

#include "base/status.h"

#include <math.h>
#include <stdio.h>

/* Of a, b, c, d. */
static const char *value_of(int what)
{
#define TEXT(OPERATION, name, operands, value) \
  case TRIAD_DO_##OPERATION: return #value;
  switch (what) {
    TRIAD_FORMULA_SYMBOLS(TEXT)
    TRIAD_FORMULA_FUNCTIONS(TEXT)
  default: return "";
  }
#undef TEXT
}

/* Digits in base 2 are exact. */
static void write_constant(FILE *to, double value)
{
  if (isfinite(value)) (void)fprintf(to, "%a", value);
  else (void)fprintf(to, "%s", isnan(value) ? "(0.0 / zero)" : value > 0 ? "(1.0 / zero)" : "(-1.0 / zero)");
}

static void write_operation(FILE *to, int what, int first)
{
  const int operands = triad_formula_operands(what);
  (void)fprintf(to, "  { const double");
  for (int i = 0; i < operands; i++) (void)fprintf(to, "%s %c = s%d", i > 0 ? "," : "", "abcd"[i], first + i);
  (void)fprintf(to, "; s%d = %s; }\n", first, value_of(what));
}

static void write_function(FILE *to, const triad_formula *f, const char *name)
{
  int top = 0;
  (void)fprintf(to, "TRIAD_POINT double %s(const double *v)\n{\n  const double zero = 0;\n  double s0 = zero", name);
  for (int i = 1; i < TRIAD_FORMULA_STACK; i++) (void)fprintf(to, ", s%d = zero", i);
  (void)fprintf(to, ";\n");
  for (int s = 0; s < f->n; s++) {
    const triad_formula_step *step = &f->step[s];
    if (step->what == TRIAD_DO_CONSTANT) {
      (void)fprintf(to, "  s%d = ", top++);
      write_constant(to, step->value);
      (void)fprintf(to, ";\n");
    } else if (step->what == TRIAD_DO_VARIABLE) {
      (void)fprintf(to, "  s%d = v[%d];\n", top++, step->variable);
    } else {
      top -= triad_formula_operands(step->what);
      write_operation(to, step->what, top++);
    }
  }
  (void)fprintf(to, "  return s0;\n}\n");
}

int triad_formula_text(const triad_formula *formula, const char *name, char **text)
{
  size_t size = 0;
  *text = NULL;
  FILE *to = open_memstream(text, &size);
  if (!to) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the text of a formula");
  write_function(to, formula, name);
  const int bad = ferror(to);
  return fclose(to) == 0 && !bad ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the text of a formula");
}
