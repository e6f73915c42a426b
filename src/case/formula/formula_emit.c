/* The parts of a parser of formulas that do not depend on the grammar: messages, and the program that grows. */
#include "case/formula/formula_internal.h"

#include "base/text.h"
#include "case/case_internal.h"
#include "case/case_errors.h"

#include <stdarg.h>
#include <string.h>

enum { NAME_BYTES = 64, MOST_NAMES = 512 };

const char *const triad_formula_functions[] = {
#define TEXT(OPERATION, name, operands, value) name,
  TRIAD_FORMULA_FUNCTIONS(TEXT)
#undef TEXT
    NULL};

int triad_formula_wrong(triad_formula_parser *p, const char *at, const char *format, ...)
{
  va_list args;
  int column = 1;
  for (const char *c = p->text; c < at; c++) column += ((unsigned char)*c & 0xc0) != 0x80;
  int used = snprintf(p->why, TRIAD_FORMULA_WHY, "column %d: ", column);
  va_start(args, format);
  (void)vsnprintf(p->why + used, TRIAD_FORMULA_WHY - (size_t)used, format, args);
  va_end(args);
  return 0;
}

int triad_formula_unexpected(triad_formula_parser *p)
{
  char quote[TRIAD_QUOTE_SIZE];
  size_t n = 1;
  if (p->at >= p->end)
    return triad_formula_wrong(p, p->end, "the formula ends where a number, a name or \"(\" is expected");
  while (n < (size_t)(p->end - p->at) && ((unsigned char)p->at[n] & 0xc0) == 0x80) n++;
  return triad_formula_wrong(p, p->at, "unexpected %s", triad_quote(quote, p->at, n));
}

int triad_formula_unknown(triad_formula_parser *p, const char *at, size_t length, int is_call)
{
  const char *names[MOST_NAMES];
  char word[NAME_BYTES], quote[TRIAD_QUOTE_SIZE], advice[TRIAD_QUOTE_SIZE];
  int n = 0;
  for (int i = 0; !is_call && p->scope->variable && p->scope->variable[i]; i++) names[n++] = p->scope->variable[i];
  for (int i = 0; !is_call && i < p->scope->n && n < MOST_NAMES / 2; i++) names[n++] = p->scope->name[i];
  if (!is_call) names[n++] = "pi";
  for (int i = 0; triad_formula_functions[i]; i++) names[n++] = triad_formula_functions[i];
  for (int i = 0; p->scope->words && p->scope->words[i].name && n < MOST_NAMES; i++)
    names[n++] = p->scope->words[i].name;
  (void)snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : sizeof word - 1), at);
  int near = triad_nearest(word, names, n);
  return triad_formula_wrong(p, at, "unknown %s %s%s", is_call ? "function" : "name", triad_quote(quote, at, length),
                             triad_did_you_mean(advice, near < 0 ? NULL : names[near]));
}

/* Operations on constants are worked out at once: their operands are the last steps. */
int triad_formula_emit(triad_formula_parser *p, triad_formula_step step)
{
  const int is_value = step.what == TRIAD_DO_CONSTANT || step.what >= TRIAD_DO_VARIABLE;
  const int operands = triad_formula_step_operands(&step);
  triad_formula *f = p->out;
  double value[4];
  int constant = !is_value && f->n >= operands;
  for (int i = 0; constant && i < operands; i++) {
    constant = f->step[f->n - operands + i].what == TRIAD_DO_CONSTANT;
    value[i] = f->step[f->n - operands + i].value;
  }
  if (constant) {
    f->n -= operands;
    step = (triad_formula_step){.what = TRIAD_DO_CONSTANT, .value = triad_formula_value(step.what, value)};
  }
  step.at = p->mark ? (int)(p->mark - p->text) : 0;
  p->height += 1 - operands;
  if (f->n == TRIAD_FORMULA_STEPS || p->height > TRIAD_FORMULA_STACK)
    return triad_formula_wrong(p, p->at,
                               f->n == TRIAD_FORMULA_STEPS ? "too long: more than %d operations and values"
                                                           : "nested too deeply: more than %d pending values",
                               f->n == TRIAD_FORMULA_STEPS ? TRIAD_FORMULA_STEPS : TRIAD_FORMULA_STACK);
  f->step[f->n++] = step;
  return 1;
}
