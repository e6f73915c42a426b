/* Evaluate the program of a formula at rows of points: each operation is a loop over a piece of a row. Values that are
 * the same at all points of a piece are computed once. */
#include "case/formula/formula_internal.h"

#include "case/formula/formula_points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 128, MOST_OPERANDS = 4 };

typedef struct machine {
  int top;
  int same[TRIAD_FORMULA_STACK + MOST_OPERANDS]; /* one value, in [0], for the whole piece */
  double slot[TRIAD_FORMULA_STACK + MOST_OPERANDS][PIECE];
} machine;

int triad_formula_operands(int what)
{
#define OPERANDS(OPERATION, name, operands, value) \
  case TRIAD_DO_##OPERATION: return operands;
  switch (what) {
    TRIAD_FORMULA_SYMBOLS(OPERANDS)
    TRIAD_FORMULA_FUNCTIONS(OPERANDS)
  default: return 0;
  }
#undef OPERANDS
}

int triad_formula_step_operands(const triad_formula_step *step)
{
  if (step->what == TRIAD_DO_WORD || step->what == TRIAD_DO_VECTOR) return step->operands;
  return step->what == TRIAD_DO_DOT ? 2 : triad_formula_operands(step->what);
}

static void spread(machine *m, int slot)
{
  const double value = m->slot[slot][0];
  for (int i = 1; i < PIECE; i++) m->slot[slot][i] = value;
  m->same[slot] = 0;
}

/* The result replaces the first operand. */
static void operate(machine *m, int what, int n)
{
  const int operands = triad_formula_operands(what), first = m->top - operands;
  int same = 1;
  for (int k = first; k < m->top; k++) same &= m->same[k];
  for (int k = first; k < m->top; k++)
    if (!same && m->same[k]) spread(m, k);
  double *A = m->slot[first];
  const double *B = operands > 1 ? m->slot[first + 1] : A, *C = operands > 2 ? m->slot[first + 2] : A;
  const double *D = operands > 3 ? m->slot[first + 3] : A;
  if (same) n = 1;
#define LOOP(OPERATION, name, operands, value) \
  case TRIAD_DO_##OPERATION: \
    for (int i = 0; i < n; i++) { \
      const double a = A[i], b = B[i], c = C[i], d = D[i]; \
      (void)b, (void)c, (void)d; \
      A[i] = value; \
    } \
    break;
  switch (what) {
    TRIAD_FORMULA_SYMBOLS(LOOP)
    TRIAD_FORMULA_FUNCTIONS(LOOP)
  default: break;
  }
#undef LOOP
  m->same[first] = same;
  m->top = first + 1;
}

static void piece(const triad_formula *f, machine *m, int n, const double *const *variable, int64_t from)
{
  m->top = 0;
  for (int s = 0; s < f->n; s++) {
    const triad_formula_step *step = &f->step[s];
    if (step->what == TRIAD_DO_CONSTANT) {
      m->slot[m->top][0] = step->value;
      m->same[m->top++] = 1;
    } else if (step->what == TRIAD_DO_VARIABLE) {
      const double *value = variable[step->variable] + from;
      uint64_t first, differs = 0, bits; /* bit by bit, so that a row that is not a number is one value too */
      memcpy(&first, value, sizeof first);
      for (int i = 1; i < n; i++) {
        memcpy(&bits, &value[i], sizeof bits);
        differs |= bits ^ first;
      }
      const int same = differs == 0;
      memcpy(m->slot[m->top], value, (size_t)(same ? 1 : n) * sizeof *value);
      m->same[m->top++] = same;
    } else {
      operate(m, step->what, n);
    }
  }
}

int triad_formula_uses(const triad_formula *f, int v)
{
  for (int s = 0; s < f->n; s++)
    if (f->step[s].what == TRIAD_DO_VARIABLE && f->step[s].variable == v) return 1;
  return 0;
}

void triad_formula_rows(const triad_formula *formula, int64_t n, const double *const *variable, double *out)
{
  machine m;
  for (int64_t from = 0; from < n; from += PIECE) {
    const int here = n - from < PIECE ? (int)(n - from) : PIECE;
    piece(formula, &m, here, variable, from);
    if (m.same[0]) spread(&m, 0);
    memcpy(out + from, m.slot[0], (size_t)here * sizeof *out);
  }
}

double triad_formula_value(int what, const double *operand)
{
  machine m;
  for (m.top = 0; m.top < triad_formula_operands(what); m.top++) {
    m.slot[m.top][0] = operand[m.top];
    m.same[m.top] = 1;
  }
  operate(&m, what, 1);
  return m.slot[0][0];
}

void triad_formula_destroy(triad_formula **formula)
{
  free(*formula);
  *formula = NULL;
}
