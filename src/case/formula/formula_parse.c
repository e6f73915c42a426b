/* Parse the text of a formula by operator precedence, and emit its program at the same time. */
#include "case/formula/formula_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_DEPTH = 64, MOST_NAME = 63 };

static const struct {
  const char *name;
  double value;
} constants[] = {{"pi", M_PI}, {"Pi", M_PI}, {"PI", M_PI}, {"\xcf\x80", M_PI}, {"e", M_E}};
enum { CONSTANTS = sizeof constants / sizeof *constants, OF_PI = 4 };

static int emit_operation(triad_formula_parser *p, int what)
{
  return triad_formula_emit(p, (triad_formula_step){.what = what});
}

static int emit_constant(triad_formula_parser *p, double value)
{
  return triad_formula_emit(p, (triad_formula_step){.what = TRIAD_DO_CONSTANT, .value = value});
}

void triad_formula_skip_blanks(triad_formula_parser *p)
{
  while (p->at < p->end && strchr(" \t\r\n", *p->at) && *p->at) p->at++;
}

/* Take these characters, if they are next. */
static int take(triad_formula_parser *p, const char *what)
{
  size_t n = strlen(what);
  triad_formula_skip_blanks(p);
  if ((size_t)(p->end - p->at) < n || memcmp(p->at, what, n) != 0) return 0;
  p->at += n;
  return 1;
}

static int is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/* Bytes of the name that is next; 0: none. */
static size_t name_length(const triad_formula_parser *p)
{
  size_t n = 0, left = (size_t)(p->end - p->at);
  if (left >= 2 && memcmp(p->at, constants[OF_PI - 1].name, 2) == 0) return 2;
  while (n < left && (is_letter(p->at[n]) || (n > 0 && p->at[n] >= '0' && p->at[n] <= '9'))) n++;
  return n;
}

static int is_name(const char *name, const char *at, size_t length)
{
  return strlen(name) == length && memcmp(name, at, length) == 0;
}

static int is_pi(const char *at, size_t length)
{
  for (int i = 0; i < OF_PI; i++)
    if (is_name(constants[i].name, at, length)) return 1;
  return 0;
}

/* Number, or one directly followed by pi, which is one value: 1/2pi. */
static int number(triad_formula_parser *p)
{
  double value;
  const char *from = p->at;
  int found = triad_number_next(&p->at, p->end, &value);
  if (found <= 0) {
    p->at = from;
    return found < 0 ? triad_formula_wrong(p, from, "not a number, or too small for a double")
                     : triad_formula_unexpected(p);
  }
  if (!isfinite(value)) return triad_formula_wrong(p, from, "this number is too large");
  triad_formula_skip_blanks(p);
  size_t n = name_length(p);
  if (n > 0 && is_pi(p->at, n)) {
    p->at += n;
    value *= M_PI;
    triad_formula_skip_blanks(p);
    if (p->at < p->end && *p->at == '^')
      return triad_formula_wrong(p, p->at, "ambiguous: with pi and ^ write 2*pi^2 or (2*pi)^2");
  } else if (n > 0) {
    return triad_formula_wrong(p, p->at, "an operator is missing between a number and a name");
  }
  return emit_constant(p, value);
}

static int is_slope(const char *at, size_t length) { return length == 2 && *at == 'd' && at[1] >= 'x' && at[1] <= 'z'; }

/* "dx(u)", behind the parenthesis: a variable of that name. */
static int slope(triad_formula_parser *p, const char *at)
{
  char whole[MOST_NAME + 5];
  triad_formula_skip_blanks(p);
  const size_t length = name_length(p);
  const char *of = p->at;
  (void)snprintf(whole, sizeof whole, "%.2s(%.*s)", at, (int)(length < MOST_NAME ? length : MOST_NAME), of);
  for (int i = 0; length > 0 && p->scope->variable && p->scope->variable[i]; i++)
    if (strcmp(p->scope->variable[i], whole) == 0) {
      p->at += length;
      if (!take(p, ")")) return triad_formula_wrong(p, at, "the parenthesis of %.2s is not closed", at);
      return triad_formula_emit(p, (triad_formula_step){.what = TRIAD_DO_VARIABLE, .variable = i});
    }
  return triad_formula_wrong(p, of, "%.2s() requires the name of one field", at);
}

static int has_slopes(const triad_formula_scope *scope)
{
  for (int i = 0; scope->variable && scope->variable[i]; i++)
    if (strncmp(scope->variable[i], "dx(", 3) == 0) return 1;
  return 0;
}

/* A function of the caller's own, after the parenthesis; number i of its words. */
static int word(triad_formula_parser *p, const char *at, int i)
{
  const triad_formula_word *w = &p->scope->words[i];
  int given = 0;
  do {
    if (!triad_formula_expression(p)) return 0;
    given++;
  } while (take(p, ","));
  if (!take(p, ")"))
    return p->at < p->end ? triad_formula_unexpected(p)
                          : triad_formula_wrong(p, at, "the parenthesis of %s is not closed", w->name);
  if (given < w->least || given > w->most)
    return triad_formula_wrong(p, at, "%s requires %d argument%s, not %d", w->name, w->least, w->least > 1 ? "s" : "",
                               given);
  p->mark = at;
  return triad_formula_emit(p, (triad_formula_step){.what = TRIAD_DO_WORD, .variable = i, .operands = given});
}

/* The number of a word; -1: there is none of this name. */
static int word_number(const triad_formula_parser *p, const char *at, size_t length)
{
  for (int i = 0; p->scope->words && p->scope->words[i].name; i++)
    if (is_name(p->scope->words[i].name, at, length)) return i;
  return -1;
}

/* Parse the arguments, after the parenthesis. min and max have two or more; noise also depends on the point. */
static int call(triad_formula_parser *p, const char *at, size_t length)
{
  int number_of = 0, what, given = 0;
  if (is_slope(at, length) && has_slopes(p->scope)) return slope(p, at);
  const int own = word_number(p, at, length);
  if (own >= 0) return word(p, at, own);
  while (triad_formula_functions[number_of] && !is_name(triad_formula_functions[number_of], at, length)) number_of++;
  if (!triad_formula_functions[number_of]) return triad_formula_unknown(p, at, length, 1);
  what = TRIAD_DO_FUNCTIONS + 1 + number_of;
  const int many = what == TRIAD_DO_MIN || what == TRIAD_DO_MAX, noise = what == TRIAD_DO_NOISE;
  const int wanted = noise ? 1 : triad_formula_operands(what);
  do {
    if (!triad_formula_expression(p)) return 0;
    given++;
    if (many && given > 1 && !emit_operation(p, what)) return 0;
  } while (take(p, ","));
  if (!take(p, ")"))
    return p->at < p->end ? triad_formula_unexpected(p)
                          : triad_formula_wrong(p, at, "the parenthesis of %.*s is not closed", (int)length, at);
  if (many ? given < wanted : given != wanted)
    return triad_formula_wrong(p, at, "%.*s requires %d value%s%s, not %d", (int)length, at, wanted,
                               wanted > 1 ? "s" : "", many ? " or more" : "", given);
  if (many) return 1;
  for (int i = 0; noise && i < 3; i++) {
    if (!p->scope->variable || !p->scope->variable[0] || strcmp(p->scope->variable[0], "x") != 0)
      return triad_formula_wrong(p, at, "noise is only available in formulas of points");
    if (!triad_formula_emit(p, (triad_formula_step){.what = TRIAD_DO_VARIABLE, .variable = i})) return 0;
  }
  return emit_operation(p, what);
}

/* A number of the case by the name of a field would be meant as often as the field. */
static int variable(triad_formula_parser *p, int number, const char *at, size_t length)
{
  for (int i = 0; i < p->scope->n; i++)
    if (is_name(p->scope->name[i], at, length))
      return triad_formula_wrong(
        p, at, "%.*s is a field in this formula and also a name in [parameters]: rename the parameter", (int)length,
        at);
  return triad_formula_emit(p, (triad_formula_step){.what = TRIAD_DO_VARIABLE, .variable = number});
}

static int name(triad_formula_parser *p, size_t length)
{
  const char *at = p->at;
  p->at += length;
  if (take(p, "(")) return call(p, at, length);
  p->mark = at;
  for (int i = 0; p->scope->variable && p->scope->variable[i]; i++)
    if (is_name(p->scope->variable[i], at, length)) return variable(p, i, at, length);
  for (int i = 0; i < CONSTANTS; i++)
    if (is_name(constants[i].name, at, length)) return emit_constant(p, constants[i].value);
  for (int i = 0; i < p->scope->n; i++)
    if (is_name(p->scope->name[i], at, length)) return emit_constant(p, p->scope->value[i]);
  for (int i = 0; triad_formula_functions[i]; i++)
    if (is_name(triad_formula_functions[i], at, length))
      return triad_formula_wrong(p, at, "%s is a function: its values must be in parentheses",
                                 triad_formula_functions[i]);
  if (word_number(p, at, length) >= 0)
    return triad_formula_wrong(p, at, "%.*s is a function: its arguments must be in parentheses", (int)length, at);
  return triad_formula_unknown(p, at, length, 0);
}

static int primary(triad_formula_parser *p)
{
  triad_formula_skip_blanks(p);
  const char *at = p->at;
  size_t length = name_length(p);
  if (length > 0) return name(p, length);
  p->mark = at;
  if (!take(p, "(")) return number(p);
  if (!triad_formula_expression(p)) return 0;
  int components = 1;
  while (p->scope->words && take(p, ",")) {
    if (!triad_formula_expression(p)) return 0;
    components++;
  }
  if (take(p, ")")) {
    p->mark = at;
    return components == 1 ||
           triad_formula_emit(p, (triad_formula_step){.what = TRIAD_DO_VECTOR, .operands = components});
  }
  return p->at < p->end ? triad_formula_unexpected(p) : triad_formula_wrong(p, at, "this parenthesis is not closed");
}

/* [sign] a [^ power]. A square is a product, which pow need not be to the last bit. */
static int power(triad_formula_parser *p)
{
  const int negative = take(p, "-"), not = !negative && !take(p, "+") && take(p, "!");
  if (++p->depth > MOST_DEPTH)
    return triad_formula_wrong(p, p->at, "nested too deeply: more than %d levels", MOST_DEPTH);
  triad_formula_skip_blanks(p);
  const char *from = p->at;
  if (!primary(p)) return 0;
  if (take(p, "^")) {
    const int before = p->out->n;
    if (!power(p)) return 0;
    p->mark = from;
    const triad_formula_step *last = &p->out->step[p->out->n - 1];
    const int square =
      p->out->n == before + 1 && last->what == TRIAD_DO_CONSTANT && last->value >= 2 && last->value <= 2;
    p->out->n -= square;
    p->height -= square;
    if (!emit_operation(p, square ? TRIAD_DO_SQUARE : TRIAD_DO_POW)) return 0;
  }
  p->depth--;
  p->mark = from;
  return negative ? emit_operation(p, TRIAD_DO_NEGATE) : not ? emit_operation(p, TRIAD_DO_NOT) : 1;
}

/* Longer signs before those that they begin with. */
static const struct {
  const char *sign;
  int precedence, what;
} operations[] = {{"||", 1, TRIAD_DO_OR},      {"&&", 2, TRIAD_DO_AND},        {"==", 3, TRIAD_DO_EQUAL},
                  {"!=", 3, TRIAD_DO_UNEQUAL}, {"<=", 4, TRIAD_DO_LESS_EQUAL}, {">=", 4, TRIAD_DO_MORE_EQUAL},
                  {"<", 4, TRIAD_DO_LESS},     {">", 4, TRIAD_DO_MORE},        {"+", 5, TRIAD_DO_ADD},
                  {"-", 5, TRIAD_DO_SUBTRACT}, {"*", 6, TRIAD_DO_MULTIPLY},    {"/", 6, TRIAD_DO_DIVIDE},
                  {"@", 6, TRIAD_DO_DOT}};
enum { OPERATIONS = sizeof operations / sizeof *operations, HIGHEST = 6 };

/* Products of vectors are for trees. */
static int is_allowed(const triad_formula_parser *p, int what) { return what != TRIAD_DO_DOT || p->scope->words; }

/* Operations of this precedence or a higher one, from the left. */
static int binary(triad_formula_parser *p, int precedence)
{
  if (precedence > HIGHEST) return power(p);
  if (!binary(p, precedence + 1)) return 0;
  for (;;) {
    int i = 0;
    triad_formula_skip_blanks(p);
    const char *sign = p->at;
    while (i < OPERATIONS && (operations[i].precedence != precedence || !is_allowed(p, operations[i].what) ||
                              !take(p, operations[i].sign)))
      i++;
    if (i == OPERATIONS) return 1;
    if (!binary(p, precedence + 1)) return 0;
    p->mark = sign;
    if (!emit_operation(p, operations[i].what)) return 0;
  }
}

int triad_formula_expression(triad_formula_parser *p) { return binary(p, 1); }

int triad_formula_is_free_name(const char *name)
{
  triad_formula_parser p = {.text = name, .at = name, .end = name + strlen(name)};
  const size_t n = name_length(&p);
  if (n == 0 || n != strlen(name) || n > MOST_NAME) return 0;
  for (int i = 0; i < CONSTANTS; i++)
    if (strcmp(constants[i].name, name) == 0) return 0;
  for (int i = 0; triad_formula_functions[i]; i++)
    if (strcmp(triad_formula_functions[i], name) == 0) return 0;
  return strcmp(name, "x") != 0 && strcmp(name, "y") != 0 && strcmp(name, "z") != 0 && strcmp(name, "t") != 0;
}
