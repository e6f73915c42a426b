/* The texts of a case, split at their equals signs, with the names that they define, and parsed to trees. */
#include "base/status.h"
#include "solvers/spectral/text/compile/expand.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const triad_formula_word words[] = {{"dx", 1, 1},     {"dy", 1, 1},   {"dz", 1, 1},   {"lap", 1, 2},
                                           {"grad", 1, 1},   {"div", 1, 1},  {"curl", 1, 1}, {"cross", 2, 2},
                                           {"invert", 2, 2}, {"dt", 1, 1},   {"mean", 1, 1}, {"conj", 1, 1},
                                           {"real", 1, 1},   {"imag", 1, 1}, {"abs2", 1, 1}};

int triad_text_wrong(triad_text_compiler *c, const triad_text_source *s, int node, int status, const char *format, ...)
{
  va_list args;
  int used = 0;
  c->error->status = status;
  c->error->key = s->key;
  c->error->index = s->index;
  if (node >= 0)
    used =
      snprintf(c->error->why, sizeof c->error->why, "column %d: ", triad_formula_column(s->text, s->node[node].at));
  va_start(args, format);
  (void)vsnprintf(c->error->why + used, sizeof c->error->why - (size_t)used, format, args);
  va_end(args);
  return 0;
}

int triad_text_no_memory(triad_text_compiler *c)
{
  c->error->status = TRIAD_ERR_MEMORY;
  (void)snprintf(c->error->why, sizeof c->error->why, "the equations");
  return 0;
}

static int is_letter(char a) { return (a >= 'a' && a <= 'z') || (a >= 'A' && a <= 'Z') || a == '_'; }
static int is_digit(char a) { return a >= '0' && a <= '9'; }

static int name_length(const char *at)
{
  int n = 0;
  while (is_letter(at[n]) || (n > 0 && is_digit(at[n]))) n++;
  return n;
}

/* From the leftmost sign of the node to where its last parenthesis closes. */
const char *triad_text_piece(const triad_text_source *s, int node, char *piece, size_t size)
{
  int begin = s->node[node].at, end = begin, last = node;
  for (int top = 1, stack[64] = {node}; top > 0;) {
    const int i = stack[--top];
    if (s->node[i].at < begin) begin = s->node[i].at;
    if (s->node[i].at > end) end = s->node[last = i].at;
    for (int k = 0; k < s->node[i].n && top < 60; k++) stack[top++] = s->node[i].operand[k];
  }
  const int name = name_length(s->text + end);
  end += name > 0 ? name : 1;
  while (name == 0 && (is_digit(s->text[end]) || s->text[end] == '.')) end++;
  int open = 0;
  for (int i = begin; i < end; i++) open += (s->text[i] == '(') - (s->text[i] == ')');
  while (open > 0 && s->text[end]) open += (s->text[end] == '(') - (s->text[end] == ')'), end++;
  (void)snprintf(piece, size, "%.*s", end - begin, s->text + begin);
  return piece;
}

/* ---- names ---- */

static int add_name(triad_text_compiler *c, const char *name, triad_text_name_kind kind, int number)
{
  if (c->n_names == TRIAD_TEXT_NAMES) return 0;
  c->meaning[c->n_names].kind = kind;
  c->meaning[c->n_names].number = number;
  c->name[c->n_names++] = name;
  c->name[c->n_names] = NULL;
  return 1;
}

/* A name that nothing else has. */
static int check_name(triad_text_compiler *c, const triad_text_source *s, const char *name)
{
  int taken = !triad_formula_is_free_name(name);
  for (int i = 0; i < TRIAD_TEXT_WORDS; i++) taken |= strcmp(words[i].name, name) == 0;
  for (int i = 0; i < c->n_names; i++) taken |= strcmp(c->name[i], name) == 0;
  for (int i = 0; i < c->n_definitions; i++) taken |= strcmp(c->definition[i].name, name) == 0;
  if (taken)
    return triad_text_wrong(c, s, -1, TRIAD_ERR_CASE, "\"%s\" has a meaning already: choose another name", name);
  for (int i = 0; i < c->numbers.n; i++)
    if (strcmp(c->numbers.name[i], name) == 0)
      return triad_text_wrong(c, s, -1, TRIAD_ERR_CASE, "\"%s\" is also a name in [parameters]: rename one of them",
                              name);
  return 1;
}

static int add_field(triad_text_compiler *c, const triad_text_source *s, const char *name, const char *of, int axis,
                     int solenoidal)
{
  triad_text *t = c->text;
  if (t->n_fields == TRIAD_TEXT_FIELDS)
    return triad_text_wrong(c, s, -1, TRIAD_ERR_FEATURE, "more than %d components of fields are not supported",
                            TRIAD_TEXT_FIELDS);
  if (!check_name(c, s, name)) return 0;
  triad_text_field *f = &t->field[t->n_fields];
  (void)snprintf(f->name, sizeof f->name, "%s", name);
  (void)snprintf(f->of, sizeof f->of, "%s", of);
  f->axis = axis;
  f->solenoidal = solenoidal;
  return add_name(c, f->name, TRIAD_TEXT_IS_FIELD, t->n_fields++);
}

/* psi: its parts psi_re and psi_im are fields. */
static int read_complex(triad_text_compiler *c, const triad_text_source *s, const char *name)
{
  char part[TRIAD_TEXT_NAME + 3];
  triad_text *t = c->text;
  const int first = t->n_fields;
  if (!check_name(c, s, name)) return 0;
  for (int i = 0; i < 2; i++) {
    (void)snprintf(part, sizeof part, "%s_%s", name, i == 0 ? "re" : "im");
    if (!add_field(c, s, part, name, 0, 0)) return 0;
    t->field[first + i].complex_part = i + 1;
  }
  return add_name(c, t->field[first].of, TRIAD_TEXT_IS_COMPLEX, first);
}

/* "q", "vector u", "solenoidal u", "complex psi" */
static int read_field(triad_text_compiler *c, const triad_text_source *s)
{
  char first[16] = "", name[TRIAD_TEXT_NAME] = "", component[TRIAD_TEXT_NAME + 2];
  int used = 0;
  const int scalar = sscanf(s->text, " %27[A-Za-z0-9_] %n", name, &used) == 1 && !s->text[used];
  if (!scalar && (sscanf(s->text, " %15[a-z] %27[A-Za-z0-9_] %n", first, name, &used) != 2 || s->text[used]))
    return triad_text_wrong(c, s, -1, TRIAD_ERR_CASE,
                            "\"%.60s\" is no field: write \"q\", \"vector u\", \"solenoidal u\" or \"complex psi\"",
                            s->text);
  if (scalar) return add_field(c, s, name, "", 0, 0);
  if (strcmp(first, "complex") == 0) return read_complex(c, s, name);
  if (strcmp(first, "vector") != 0 && strcmp(first, "solenoidal") != 0)
    return triad_text_wrong(c, s, -1, TRIAD_ERR_CASE,
                            "\"%s\" is not a kind of field: use vector, solenoidal or complex", first);
  const int first_field = c->text->n_fields;
  if (!check_name(c, s, name)) return 0;
  for (int i = 0; i < 3; i++) {
    (void)snprintf(component, sizeof component, "%s_%c", name, "xyz"[i]);
    if (!add_field(c, s, component, name, i, first[0] == 's')) return 0;
  }
  return add_name(c, c->text->field[first_field].of, TRIAD_TEXT_IS_VECTOR, first_field);
}

int triad_text_read_fields(triad_text_compiler *c, const char *const *texts, int n)
{
  static const char *const position[] = {"x", "y", "z"};
  for (int i = 0; i < 3; i++) (void)add_name(c, position[i], TRIAD_TEXT_IS_POSITION, i);
  (void)add_name(c, "t", TRIAD_TEXT_IS_TIME, 3);
  for (int i = 0; i < TRIAD_TEXT_WORDS; i++) c->word[i] = words[i];
  for (int i = 0; i < n; i++) {
    const triad_text_source s = {.key = "equations.fields", .text = texts[i], .index = i};
    if (!read_field(c, &s)) return 0;
  }
  int taken = 0;
  for (int i = 0; i < c->n_names; i++) taken |= strcmp(c->name[i], "i") == 0;
  for (int i = 0; i < c->numbers.n; i++) taken |= strcmp(c->numbers.name[i], "i") == 0;
  if (!taken) (void)add_name(c, "i", TRIAD_TEXT_IS_IMAGINARY, 0);
  return 1;
}

/* ---- trees ---- */

int triad_text_equals(const char *text)
{
  int open = 0, at = -1;
  for (int i = 0; text[i]; i++) {
    open += (text[i] == '(') - (text[i] == ')');
    if (text[i] != '=' || open != 0) continue;
    if (text[i + 1] == '=' || (i > 0 && strchr("<>!=", text[i - 1]))) continue;
    if (at >= 0) return -2;
    at = i;
  }
  return at;
}

/* What comes before `begin` becomes blanks, so that columns are those of the whole text. */
int triad_text_read(triad_text_compiler *c, triad_text_source *s, int begin, int end,
                    const triad_text_definition *arguments)
{
  char why[TRIAD_FORMULA_WHY];
  triad_formula *formula = NULL;
  char *copy = malloc((size_t)end + 1);
  if (!copy) return triad_text_no_memory(c);
  memset(copy, ' ', (size_t)begin);
  memcpy(copy + begin, s->text + begin, (size_t)(end - begin));
  copy[end] = '\0';
  const int names = c->n_names, n = arguments ? arguments->n_arguments : 0;
  for (int i = 0; i < n; i++) {
    c->meaning[names + i].kind = TRIAD_TEXT_IS_ARGUMENT;
    c->meaning[names + i].number = i;
    c->name[names + i] = arguments->argument[i];
  }
  c->name[names + n] = NULL;
  triad_formula_scope scope = c->numbers;
  scope.variable = c->name;
  scope.words = c->word;
  int st = triad_formula_compile(&formula, copy, (size_t)end, &scope, why);
  c->name[names] = NULL;
  free(copy);
  if (st == TRIAD_OK) st = triad_formula_tree(formula, &s->node, &s->n);
  triad_formula_destroy(&formula);
  if (st == TRIAD_OK) return 1;
  return st == TRIAD_ERR_CASE ? triad_text_wrong(c, s, -1, st, "%s", why) : triad_text_no_memory(c);
}

/* ---- definitions ---- */

/* No argument has the name of another argument, of its definition or of any definition, since it would hide that or be
 * hidden by it. */
static int check_arguments(triad_text_compiler *c, const triad_text_source *s, const triad_text_definition *d)
{
  for (int i = 0; i < d->n_arguments; i++)
    for (int k = 0; k <= i; k++)
      if (strcmp(k < i ? d->argument[k] : d->name, d->argument[i]) == 0)
        return triad_text_wrong(c, s, -1, TRIAD_ERR_CASE, "\"%s\" is there twice", d->argument[i]);
  for (int m = 0; m < c->n_definitions; m++)
    for (int k = 0; k < c->definition[m].n_arguments; k++)
      if (strcmp(c->definition[m].argument[k], d->name) == 0)
        return triad_text_wrong(c, s, -1, TRIAD_ERR_CASE, "\"%s\" is an argument of \"%s\": rename one of them",
                                d->name, c->definition[m].name);
  return 1;
}

/* What is before the equals sign: a name, or a name with arguments. */
static int read_head(triad_text_compiler *c, const triad_text_source *s, int end, triad_text_definition *d)
{
  const char *at = s->text + strspn(s->text, " \t"), *stop = s->text + end;
  int n = name_length(at);
  if (n == 0 || n >= TRIAD_TEXT_NAME)
    return triad_text_wrong(c, s, -1, TRIAD_ERR_CASE,
                            "a name of at most %d letters, digits and _ is expected before =", TRIAD_TEXT_NAME - 1);
  (void)snprintf(d->name, sizeof d->name, "%.*s", n, at);
  at += n;
  at += strspn(at, " \t");
  if (at < stop && *at == '(') {
    do {
      at += 1 + strspn(at + 1, " \t");
      n = name_length(at);
      if (n == 0 || n >= TRIAD_TEXT_NAME || d->n_arguments == TRIAD_TEXT_ARGUMENTS)
        return triad_text_wrong(c, s, -1, TRIAD_ERR_CASE, "\"%s\" requires 1 to %d names in its parentheses", d->name,
                                TRIAD_TEXT_ARGUMENTS);
      (void)snprintf(d->argument[d->n_arguments++], TRIAD_TEXT_NAME, "%.*s", n, at);
      at += n;
      at += strspn(at, " \t");
    } while (*at == ',');
    if (*at != ')')
      return triad_text_wrong(c, s, -1, TRIAD_ERR_CASE, "the parenthesis of \"%s\" is not closed", d->name);
    at += 1 + strspn(at + 1, " \t");
  }
  if (at != stop)
    return triad_text_wrong(c, s, -1, TRIAD_ERR_CASE, "column %d: = is expected after \"%s\"",
                            triad_formula_column(s->text, (int)(at - s->text)), d->name);
  if (!check_name(c, s, d->name)) return 0;
  for (int i = 0; i < d->n_arguments; i++)
    if (!check_name(c, s, d->argument[i])) return 0;
  return check_arguments(c, s, d);
}

static int is_invert(const triad_text_source *s)
{
  const triad_formula_node *root = &s->node[s->n - 1];
  return root->kind == TRIAD_TREE_WORD && root->number == TRIAD_TEXT_INVERT;
}

/* All names first: their order does not matter. */
int triad_text_read_lets(triad_text_compiler *c, const char *const *texts, int n)
{
  int equals[TRIAD_TEXT_LETS], macros = 0;
  for (int i = 0; i < n; i++) {
    triad_text_definition *d = &c->definition[i];
    d->source = (triad_text_source){.key = "equations.let", .text = texts[i], .index = i};
    d->unknown = d->imaginary = -1;
    equals[i] = triad_text_equals(texts[i]);
    if (equals[i] < 0)
      return triad_text_wrong(c, &d->source, -1, TRIAD_ERR_CASE, "%s: write name = formula",
                              equals[i] == -1 ? "there is no =" : "there is more than one =");
    if (!read_head(c, &d->source, equals[i], d)) return 0;
    c->n_definitions++;
    if (d->n_arguments == 0) continue;
    c->word[TRIAD_TEXT_WORDS + macros] = (triad_formula_word){d->name, d->n_arguments, d->n_arguments};
    c->macro[macros++] = i;
  }
  for (int i = 0; i < n; i++)
    if (c->definition[i].n_arguments == 0) (void)add_name(c, c->definition[i].name, TRIAD_TEXT_IS_LET, i);
  for (int i = 0; i < n; i++) {
    triad_text_definition *d = &c->definition[i];
    if (!triad_text_read(c, &d->source, equals[i] + 1, (int)strlen(texts[i]), d)) return 0;
    if (d->n_arguments > 0 || !is_invert(&d->source)) continue;
    d->unknown = c->text->n_lets++;
    (void)snprintf(c->text->let[d->unknown], TRIAD_TEXT_NAME, "%s", d->name);
  }
  return 1;
}
