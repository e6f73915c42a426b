/* Extract the parts of a formula that depend on few of its variables, so that they need not be evaluated at every
 * point. */
#include "case/formula/formula_internal.h"

#include "base/status.h"

#include <stdlib.h>

/* The program of one value on the stack: its first step, the variables it has, and is it but one step? */
typedef struct value {
  int from, to;
  unsigned variables;
} value;

static int is_apart(const value *v, unsigned of)
{
  return v->to > v->from + 1 && v->variables && !(v->variables & ~of);
}

/* Steps of `f` -> a formula of their own. */
static int take_out(const triad_formula *f, const value *v, triad_formula **out)
{
  *out = malloc(sizeof **out);
  if (!*out) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "a formula");
  (*out)->n = 0;
  for (int i = v->from; i < v->to; i++) (*out)->step[(*out)->n++] = f->step[i];
  return TRIAD_OK;
}

/* Which values are the largest that have no others: parts[n]. */
static int largest(const triad_formula *f, unsigned of, value *parts)
{
  value stack[TRIAD_FORMULA_STACK + 4];
  int top = 0, n = 0;
  for (int s = 0; s < f->n; s++) {
    const triad_formula_step *step = &f->step[s];
    const int is_value = step->what == TRIAD_DO_CONSTANT || step->what == TRIAD_DO_VARIABLE;
    const int operands = is_value ? 0 : triad_formula_operands(step->what);
    value all = {operands > 0 ? stack[top - operands].from : s, s + 1,
                 step->what == TRIAD_DO_VARIABLE ? 1u << step->variable : 0};
    for (int i = top - operands; i < top; i++) all.variables |= stack[i].variables;
    for (int i = top - operands; i < top && all.variables & ~of; i++)
      if (is_apart(&stack[i], of) && n < TRIAD_FORMULA_PARTS) parts[n++] = stack[i];
    top -= operands;
    stack[top++] = all;
  }
  if (top == 1 && is_apart(&stack[0], of)) parts[n++] = stack[0];
  return n;
}

int triad_formula_calls(const triad_formula *f)
{
  int n = 0;
  for (int s = 0; s < f->n; s++) switch (f->step[s].what) {
    case TRIAD_DO_ABS:
    case TRIAD_DO_SIGN:
    case TRIAD_DO_STEP:
    case TRIAD_DO_MIN:
    case TRIAD_DO_MAX:
    case TRIAD_DO_IF:
    case TRIAD_DO_CONSTANT:
    case TRIAD_DO_VARIABLE: break;
    default: n += f->step[s].what > TRIAD_DO_FUNCTIONS;
    }
  return n;
}

static void sort(value *parts, int n)
{
  for (int i = 1; i < n; i++)
    for (int k = i; k > 0 && parts[k].from < parts[k - 1].from; k--) {
      const value was = parts[k];
      parts[k] = parts[k - 1];
      parts[k - 1] = was;
    }
}

int triad_formula_hoist(triad_formula *f, unsigned of, int first, triad_formula *part[TRIAD_FORMULA_PARTS], int *n)
{
  value parts[TRIAD_FORMULA_PARTS + 1];
  const int found = largest(f, of, parts);
  int to = 0;
  *n = 0;
  sort(parts, found);
  for (int i = 0; i < found; i++) {
    TRIAD_TRY(take_out(f, &parts[i], &part[i]));
    *n = i + 1;
  }
  for (int s = 0, next = 0; s < f->n; s++) {
    while (next < found && parts[next].to <= s) next++;
    if (next == found || s < parts[next].from) f->step[to++] = f->step[s];
    else if (s == parts[next].from)
      f->step[to++] = (triad_formula_step){.what = TRIAD_DO_VARIABLE, .variable = first + next};
  }
  f->n = to;
  return TRIAD_OK;
}
