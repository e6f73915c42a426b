/* Trees of formulas, and formulas joined to larger ones. A program is in the order of a stack: the operands of a step
 * end where the steps before it end. */
#include "case/formula/formula_tree.h"

#include "base/status.h"
#include "case/formula/formula_internal.h"

#include <stdlib.h>
#include <string.h>

const int triad_formula_product = TRIAD_DO_MULTIPLY, triad_formula_sum = TRIAD_DO_ADD,
          triad_formula_root = TRIAD_DO_SQRT;

static triad_formula_kind kind_of(int what)
{
  static const struct {
    int what;
    triad_formula_kind kind;
  } list[] = {{TRIAD_DO_CONSTANT, TRIAD_TREE_NUMBER},   {TRIAD_DO_VARIABLE, TRIAD_TREE_VARIABLE},
              {TRIAD_DO_NEGATE, TRIAD_TREE_NEGATE},     {TRIAD_DO_ADD, TRIAD_TREE_ADD},
              {TRIAD_DO_SUBTRACT, TRIAD_TREE_SUBTRACT}, {TRIAD_DO_MULTIPLY, TRIAD_TREE_MULTIPLY},
              {TRIAD_DO_DIVIDE, TRIAD_TREE_DIVIDE},     {TRIAD_DO_SQUARE, TRIAD_TREE_SQUARE},
              {TRIAD_DO_POW, TRIAD_TREE_POWER},         {TRIAD_DO_DOT, TRIAD_TREE_DOT},
              {TRIAD_DO_VECTOR, TRIAD_TREE_VECTOR},     {TRIAD_DO_WORD, TRIAD_TREE_WORD}};
  for (size_t i = 0; i < sizeof list / sizeof *list; i++)
    if (list[i].what == what) return list[i].kind;
  return TRIAD_TREE_FUNCTION;
}

int triad_formula_tree(const triad_formula *f, triad_formula_node **nodes, int *n)
{
  int stack[TRIAD_FORMULA_STACK + TRIAD_FORMULA_OPERANDS], top = 0;
  triad_formula_node *list = *nodes = calloc((size_t)f->n + 1, sizeof *list);
  if (!list) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the tree of a formula");
  for (int s = 0; s < f->n; s++) {
    const triad_formula_step *step = &f->step[s];
    const int operands = triad_formula_step_operands(step);
    list[s] = (triad_formula_node){.kind = kind_of(step->what),
                                   .what = step->what,
                                   .number = step->variable,
                                   .value = step->value,
                                   .at = step->at,
                                   .n = operands < TRIAD_FORMULA_OPERANDS ? operands : TRIAD_FORMULA_OPERANDS};
    top -= operands;
    for (int i = 0; i < list[s].n; i++) list[s].operand[i] = stack[top + i];
    stack[top++] = s;
  }
  *n = f->n;
  return TRIAD_OK;
}

static triad_formula *of_step(triad_formula_step step)
{
  triad_formula *f = malloc(sizeof *f);
  if (!f) return NULL;
  f->n = 1;
  f->step[0] = step;
  return f;
}

triad_formula *triad_formula_of_number(double value)
{
  return of_step((triad_formula_step){.what = TRIAD_DO_CONSTANT, .value = value});
}

triad_formula *triad_formula_of_variable(int variable)
{
  return of_step((triad_formula_step){.what = TRIAD_DO_VARIABLE, .variable = variable});
}

triad_formula *triad_formula_join(int what, int n, const triad_formula *const *operand)
{
  int steps = 1;
  for (int i = 0; i < n; i++) steps += operand[i]->n;
  triad_formula *f = steps <= TRIAD_FORMULA_STEPS ? malloc(sizeof *f) : NULL;
  if (!f) return NULL;
  f->n = 0;
  for (int i = 0; i < n; i++) {
    memcpy(f->step + f->n, operand[i]->step, (size_t)operand[i]->n * sizeof *f->step);
    f->n += operand[i]->n;
  }
  f->step[f->n++] = (triad_formula_step){.what = what};
  return f;
}

int triad_formula_column(const char *text, int at)
{
  int column = 1;
  for (const char *c = text; c < text + at && *c; c++) column += ((unsigned char)*c & 0xc0) != 0x80;
  return column;
}
