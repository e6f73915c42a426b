/* Formulas compiled: a parser by precedence that writes the program as it goes, and works out what is constant. */
#include "case/formula_own.h"

#include "base/status.h"
#include "base/text.h"
#include "case/case_own.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DEPTH = 64, NAME_BYTES = 64, MOST_NAMES = 512 };

const char *const triad_formula_of_points[] = {"x", "y", "z", NULL};

const char *const triad_formula_functions[] = {
#define TEXT(OPERATION, name, operands, value) name,
  TRIAD_FORMULA_FUNCTIONS(TEXT)
#undef TEXT
  NULL};

static const struct {
  const char *name;
  double value;
} constants[] = {{"pi", M_PI}, {"Pi", M_PI}, {"PI", M_PI}, {"\xcf\x80", M_PI}, {"e", M_E}};
enum { CONSTANTS = sizeof constants / sizeof *constants, OF_PI = 4 };

typedef struct parser {
  const char *text, *at, *end;
  const triad_formula_scope *scope;
  triad_formula *out;
  char *why;
  int depth, height; /* of parentheses; of the stack */
} parser;

/* ---- what is wrong ---- */

static int wrong(parser *p, const char *at, const char *format, ...) __attribute__((format(printf, 3, 4)));
static int wrong(parser *p, const char *at, const char *format, ...)
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

static int unexpected(parser *p)
{
  char quote[TRIAD_QUOTE_SIZE];
  size_t n = 1;
  if (p->at >= p->end) return wrong(p, p->end, "it ends where a number, a name or \"(\" is expected");
  while (n < (size_t)(p->end - p->at) && ((unsigned char)p->at[n] & 0xc0) == 0x80) n++;
  return wrong(p, p->at, "unexpected %s", triad_quote(quote, p->at, n));
}

static int unknown(parser *p, const char *at, size_t length, int is_call)
{
  const char *names[MOST_NAMES];
  char word[NAME_BYTES], quote[TRIAD_QUOTE_SIZE], advice[TRIAD_QUOTE_SIZE];
  int n = 0;
  for (int i = 0; !is_call && p->scope->variable && p->scope->variable[i]; i++) names[n++] = p->scope->variable[i];
  for (int i = 0; !is_call && i < p->scope->n && n < MOST_NAMES / 2; i++) names[n++] = p->scope->name[i];
  if (!is_call) names[n++] = "pi";
  for (int i = 0; triad_formula_functions[i]; i++) names[n++] = triad_formula_functions[i];
  (void)snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : sizeof word - 1), at);
  int near = triad_nearest(word, names, n);
  return wrong(p, at, "unknown %s %s%s", is_call ? "function" : "name", triad_quote(quote, at, length),
               triad_did_you_mean(advice, near < 0 ? NULL : names[near]));
}

/* ---- the program ---- */

/* Operations on constants are worked out at once: their operands are the last steps. */
static int emit(parser *p, triad_formula_step step)
{
  const int is_value = step.what == TRIAD_DO_CONSTANT || step.what == TRIAD_DO_VARIABLE;
  const int operands = is_value ? 0 : triad_formula_operands(step.what);
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
  p->height += 1 - operands;
  if (f->n == TRIAD_FORMULA_STEPS || p->height > TRIAD_FORMULA_STACK)
    return wrong(p, p->at, f->n == TRIAD_FORMULA_STEPS ? "too long: more than %d operations and values"
                                                       : "nested too deeply: more than %d values wait for an operation",
                 f->n == TRIAD_FORMULA_STEPS ? TRIAD_FORMULA_STEPS : TRIAD_FORMULA_STACK);
  f->step[f->n++] = step;
  return 1;
}

static int emit_operation(parser *p, int what) { return emit(p, (triad_formula_step){.what = what}); }

static int emit_constant(parser *p, double value)
{
  return emit(p, (triad_formula_step){.what = TRIAD_DO_CONSTANT, .value = value});
}

/* ---- the text ---- */

static void skip_blanks(parser *p)
{
  while (p->at < p->end && strchr(" \t\r\n", *p->at) && *p->at) p->at++;
}

/* Take these characters, if they are next. */
static int take(parser *p, const char *what)
{
  size_t n = strlen(what);
  skip_blanks(p);
  if ((size_t)(p->end - p->at) < n || memcmp(p->at, what, n) != 0) return 0;
  p->at += n;
  return 1;
}

static int is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/* Bytes of the name that is next; 0: none. */
static size_t name_length(const parser *p)
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

static int expression(parser *p);

/* Number, or one directly followed by pi, which is one value: 1/2pi. */
static int number(parser *p)
{
  double value;
  const char *from = p->at;
  int found = triad_number_next(&p->at, p->end, &value);
  if (found <= 0) {
    p->at = from;
    return found < 0 ? wrong(p, from, "this is no number") : unexpected(p);
  }
  if (!isfinite(value)) return wrong(p, from, "this number is too large");
  skip_blanks(p);
  size_t n = name_length(p);
  if (n > 0 && is_pi(p->at, n)) {
    p->at += n;
    value *= M_PI;
    skip_blanks(p);
    if (p->at < p->end && *p->at == '^')
      return wrong(p, p->at, "of a number, pi and ^ say which is meant: 2*pi^2 or (2*pi)^2");
  } else if (n > 0) {
    return wrong(p, p->at, "a number and a name need an operation between them");
  }
  return emit_constant(p, value);
}

/* Its arguments, behind the parenthesis. min and max take two or more; noise has the point besides. */
static int call(parser *p, const char *at, size_t length)
{
  int number_of = 0, what, given = 0;
  while (triad_formula_functions[number_of] && !is_name(triad_formula_functions[number_of], at, length)) number_of++;
  if (!triad_formula_functions[number_of]) return unknown(p, at, length, 1);
  what = TRIAD_DO_FUNCTIONS + 1 + number_of;
  const int many = what == TRIAD_DO_MIN || what == TRIAD_DO_MAX, noise = what == TRIAD_DO_NOISE;
  const int wanted = noise ? 1 : triad_formula_operands(what);
  do {
    if (!expression(p)) return 0;
    given++;
    if (many && given > 1 && !emit_operation(p, what)) return 0;
  } while (take(p, ","));
  if (!take(p, ")")) return p->at < p->end ? unexpected(p) : wrong(p, at, "the parenthesis of %.*s is not closed", (int)length, at);
  if (many ? given < wanted : given != wanted)
    return wrong(p, at, "%.*s takes %d value%s%s, not %d", (int)length, at, wanted, wanted > 1 ? "s" : "",
                 many ? " or more" : "", given);
  if (many) return 1;
  for (int i = 0; noise && i < 3; i++) {
    if (!p->scope->variable || !p->scope->variable[0] || strcmp(p->scope->variable[0], "x") != 0)
      return wrong(p, at, "noise is for formulas of points");
    if (!emit(p, (triad_formula_step){.what = TRIAD_DO_VARIABLE, .variable = i})) return 0;
  }
  return emit_operation(p, what);
}

static int name(parser *p, size_t length)
{
  const char *at = p->at;
  p->at += length;
  if (take(p, "(")) return call(p, at, length);
  for (int i = 0; p->scope->variable && p->scope->variable[i]; i++)
    if (is_name(p->scope->variable[i], at, length))
      return emit(p, (triad_formula_step){.what = TRIAD_DO_VARIABLE, .variable = i});
  for (int i = 0; i < CONSTANTS; i++)
    if (is_name(constants[i].name, at, length)) return emit_constant(p, constants[i].value);
  for (int i = 0; i < p->scope->n; i++)
    if (is_name(p->scope->name[i], at, length)) return emit_constant(p, p->scope->value[i]);
  for (int i = 0; triad_formula_functions[i]; i++)
    if (is_name(triad_formula_functions[i], at, length))
      return wrong(p, at, "%s is a function: its values stand in parentheses", triad_formula_functions[i]);
  return unknown(p, at, length, 0);
}

static int primary(parser *p)
{
  skip_blanks(p);
  const char *at = p->at;
  size_t length = name_length(p);
  if (length > 0) return name(p, length);
  if (!take(p, "(")) return number(p);
  if (!expression(p)) return 0;
  if (take(p, ")")) return 1;
  return p->at < p->end ? unexpected(p) : wrong(p, at, "this parenthesis is not closed");
}

/* [sign] a [^ power]. A square is a product, which pow need not be to the last bit. */
static int power(parser *p)
{
  const int negative = take(p, "-"), not = !negative && !take(p, "+") && take(p, "!");
  if (++p->depth > MOST_DEPTH) return wrong(p, p->at, "nested too deeply: more than %d levels", MOST_DEPTH);
  if (!primary(p)) return 0;
  if (take(p, "^")) {
    const int before = p->out->n;
    if (!power(p)) return 0;
    const triad_formula_step *last = &p->out->step[p->out->n - 1];
    const int square = p->out->n == before + 1 && last->what == TRIAD_DO_CONSTANT && !(last->value < 2 || last->value > 2);
    p->out->n -= square;
    p->height -= square;
    if (!emit_operation(p, square ? TRIAD_DO_SQUARE : TRIAD_DO_POW)) return 0;
  }
  p->depth--;
  return negative ? emit_operation(p, TRIAD_DO_NEGATE) : not? emit_operation(p, TRIAD_DO_NOT) : 1;
}

/* Longer signs before those that they begin with. */
static const struct {
  const char *sign;
  int precedence, what;
} operations[] = {{"||", 1, TRIAD_DO_OR}, {"&&", 2, TRIAD_DO_AND}, {"==", 3, TRIAD_DO_EQUAL}, {"!=", 3, TRIAD_DO_UNEQUAL},
                  {"<=", 4, TRIAD_DO_LESS_EQUAL}, {">=", 4, TRIAD_DO_MORE_EQUAL}, {"<", 4, TRIAD_DO_LESS},
                  {">", 4, TRIAD_DO_MORE}, {"+", 5, TRIAD_DO_ADD}, {"-", 5, TRIAD_DO_SUBTRACT},
                  {"*", 6, TRIAD_DO_MULTIPLY}, {"/", 6, TRIAD_DO_DIVIDE}};
enum { OPERATIONS = sizeof operations / sizeof *operations, HIGHEST = 6 };

/* Operations of this precedence or a higher one, from the left. */
static int binary(parser *p, int precedence)
{
  if (precedence > HIGHEST) return power(p);
  if (!binary(p, precedence + 1)) return 0;
  for (;;) {
    int i = 0;
    while (i < OPERATIONS && (operations[i].precedence != precedence || !take(p, operations[i].sign))) i++;
    if (i == OPERATIONS) return 1;
    if (!binary(p, precedence + 1) || !emit_operation(p, operations[i].what)) return 0;
  }
}

static int expression(parser *p) { return binary(p, 1); }

int triad_formula_compile(triad_formula **out, const char *text, size_t length, const triad_formula_scope *scope,
                          char why[TRIAD_FORMULA_WHY])
{
  parser p = {.text = text, .at = text, .end = text + length, .scope = scope, .why = why};
  why[0] = '\0';
  *out = NULL;
  if (length > TRIAD_FORMULA_BYTES) {
    (void)snprintf(why, TRIAD_FORMULA_WHY, "longer than %d bytes", TRIAD_FORMULA_BYTES);
    return TRIAD_ERR_CASE;
  }
  p.out = malloc(sizeof *p.out);
  if (!p.out) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "a formula");
  p.out->n = 0;
  int good = expression(&p);
  skip_blanks(&p);
  if (good && p.at < p.end) good = unexpected(&p);
  if (!good) triad_formula_destroy(&p.out);
  *out = p.out;
  return good ? TRIAD_OK : TRIAD_ERR_CASE;
}

int triad_formula_number(const char *text, size_t length, const triad_formula_scope *numbers, double *value,
                         char why[TRIAD_FORMULA_WHY])
{
  static const triad_formula_scope none;
  triad_formula *f;
  TRIAD_TRY(triad_formula_compile(&f, text, length, numbers ? numbers : &none, why));
  triad_formula_rows(f, 1, NULL, value);
  triad_formula_destroy(&f);
  if (isfinite(*value)) return TRIAD_OK;
  (void)snprintf(why, TRIAD_FORMULA_WHY, "its value is %s", isnan(*value) ? "not a number" : "infinite");
  return TRIAD_ERR_CASE;
}

int triad_formula_is_free_name(const char *name)
{
  parser p = {.text = name, .at = name, .end = name + strlen(name)};
  const size_t n = name_length(&p);
  if (n == 0 || n != strlen(name) || n >= NAME_BYTES) return 0;
  for (int i = 0; i < CONSTANTS; i++)
    if (strcmp(constants[i].name, name) == 0) return 0;
  for (int i = 0; triad_formula_functions[i]; i++)
    if (strcmp(triad_formula_functions[i], name) == 0) return 0;
  return strcmp(name, "x") != 0 && strcmp(name, "y") != 0 && strcmp(name, "z") != 0 && strcmp(name, "t") != 0;
}
