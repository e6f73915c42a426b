/* Numbers, and multipliers of modes as statements in C. */
#include "solvers/spectral/text/code/code_values.h"

#include <math.h>
#include <string.h>

void triad_text_code_number(FILE *to, double value)
{
  char text[40];
  if (isinf(value) || isnan(value)) {
    (void)fprintf(to, isnan(value) ? "NAN" : value > 0 ? "INFINITY" : "-INFINITY");
    return;
  }
  (void)snprintf(text, sizeof text, "%.17g", value);
  (void)fprintf(to, value < 0 ? "(%s%s)" : "%s%s", text, strpbrk(text, ".e") ? "" : ".0");
}

/* ---- multipliers ---- */

static int has_real(const triad_text_operators *o, int node)
{
  return node != TRIAD_TEXT_ZERO && triad_text_parity_of(o, node) != TRIAD_TEXT_IMAGINARY;
}

static int has_imaginary(const triad_text_operators *o, int node)
{
  return node != TRIAD_TEXT_ZERO && triad_text_parity_of(o, node) != TRIAD_TEXT_REAL;
}

/* Terms of a sum; the first one has no sign before it. */
static void plus(FILE *to, int *terms) { (void)fprintf(to, (*terms)++ > 0 ? " + " : ""); }

static void close_sum(FILE *to, int terms) { (void)fprintf(to, terms > 0 ? "" : "0.0"); }

static void write_part_of_sum(FILE *to, const triad_text_operators *o, const triad_text_node *x, int imaginary)
{
  int (*const has)(const triad_text_operators *, int) = imaginary ? has_imaginary : has_real;
  const int node[2] = {x->a, x->b};
  const double c[2] = {x->ca, x->cb};
  int terms = 0;
  for (int i = 0; i < 2; i++) {
    if (!has(o, node[i])) continue;
    plus(to, &terms);
    triad_text_code_number(to, c[i]);
    (void)fprintf(to, " * n[%d].%s", node[i], imaginary ? "im" : "re");
  }
  close_sum(to, terms);
}

/* Of a product without the parts that are 0. */
static void write_part_of_product(FILE *to, const triad_text_operators *o, const triad_text_node *x, int imaginary)
{
  const int re[2] = {has_real(o, x->a), has_real(o, x->b)}, im[2] = {has_imaginary(o, x->a), has_imaginary(o, x->b)};
  int terms = 0;
  if (imaginary) {
    if (re[0] && im[1]) {
      plus(to, &terms);
      (void)fprintf(to, "n[%d].re * n[%d].im", x->a, x->b);
    }
    if (im[0] && re[1]) {
      plus(to, &terms);
      (void)fprintf(to, "n[%d].im * n[%d].re", x->a, x->b);
    }
  } else {
    if (re[0] && re[1]) {
      plus(to, &terms);
      (void)fprintf(to, "n[%d].re * n[%d].re", x->a, x->b);
    }
    if (im[0] && im[1]) {
      terms++;
      (void)fprintf(to, " - n[%d].im * n[%d].im", x->a, x->b);
    }
  }
  close_sum(to, terms);
}

/* The sum of the absolute values of the terms of a node, as operators.c has it: no inverse of a smaller
 * value exists. */
static void write_size(FILE *to, const triad_text_operators *o, int number)
{
  const triad_text_node *x = &o->node[number];
  (void)fprintf(to, "  z[%d] = ", number);
  switch (x->kind) {
  case TRIAD_TEXT_ZERO: (void)fprintf(to, "0.0"); break;
  case TRIAD_TEXT_ONE: (void)fprintf(to, "1.0"); break;
  case TRIAD_TEXT_WAVE: (void)fprintf(to, "fabs(k[%d])", x->a); break;
  case TRIAD_TEXT_SUM:
    triad_text_code_number(to, fabs(x->ca));
    (void)fprintf(to, " * z[%d] + ", x->a);
    triad_text_code_number(to, fabs(x->cb));
    (void)fprintf(to, " * z[%d]", x->b);
    break;
  case TRIAD_TEXT_PRODUCT: (void)fprintf(to, "z[%d] * z[%d]", x->a, x->b); break;
  case TRIAD_TEXT_ROOT:
  case TRIAD_TEXT_INVERSE:
  case TRIAD_TEXT_ENTRY: (void)fprintf(to, "triad_value_size(n[%d])", number); break;
  }
  (void)fprintf(to, ";\n");
}

static void write_inverse(FILE *to, const triad_text_operators *o, const triad_text_node *x)
{
  const triad_text_parity parity = triad_text_parity_of(o, x->a);
  const char *size = parity == TRIAD_TEXT_REAL        ? "fabs(n[%d].re) > "
                     : parity == TRIAD_TEXT_IMAGINARY ? "fabs(n[%d].im) > "
                                                      : "triad_value_size(n[%d]) > ";
  (void)fprintf(to, size, x->a); /* NOLINT: one of three literals */
  triad_text_code_number(to, TRIAD_TEXT_EQUAL);
  (void)fprintf(to, " * z[%d]", x->a);
  if (parity == TRIAD_TEXT_REAL) (void)fprintf(to, " ? triad_value_of(1 / n[%d].re, 0.0)", x->a);
  else if (parity == TRIAD_TEXT_IMAGINARY) (void)fprintf(to, " ? triad_value_of(0.0, -1 / n[%d].im)", x->a);
  else (void)fprintf(to, " ? triad_value_inverse(n[%d])", x->a);
  (void)fprintf(to, " : triad_value_of(0.0, 0.0)");
}

/* Inverses of matrices are made before the first of their elements. */
static void write_system(FILE *to, const triad_text_operators *o, int number)
{
  const triad_text_system *m = &o->system[number];
  (void)fprintf(to, "  triad_value inverse%d[%d];\n", number, m->n * m->n);
  for (int i = 0; i < m->n; i++)
    for (int j = 0; j < m->n; j++) {
      (void)fprintf(to, "  inverse%d[%d] = triad_value_scale(", number, i * m->n + j);
      triad_text_code_number(to, m->element[i][j].c);
      (void)fprintf(to, ", n[%d]);\n", m->element[i][j].node);
    }
  (void)fprintf(to, "  (void)triad_text_invert(%d, inverse%d);\n", m->n, number);
}

static void write_node(FILE *to, const triad_text_operators *o, int number)
{
  const triad_text_node *x = &o->node[number];
  (void)fprintf(to, "  n[%d] = ", number);
  switch (x->kind) {
  case TRIAD_TEXT_ZERO: (void)fprintf(to, "triad_value_of(0.0, 0.0)"); break;
  case TRIAD_TEXT_ONE: (void)fprintf(to, "triad_value_of(1.0, 0.0)"); break;
  case TRIAD_TEXT_WAVE: (void)fprintf(to, "triad_value_of(0.0, k[%d])", x->a); break;
  case TRIAD_TEXT_SUM:
  case TRIAD_TEXT_PRODUCT:
    (void)fprintf(to, "triad_value_of(");
    for (int imaginary = 0; imaginary < 2; imaginary++) {
      if (x->kind == TRIAD_TEXT_SUM) write_part_of_sum(to, o, x, imaginary);
      else write_part_of_product(to, o, x, imaginary);
      (void)fprintf(to, imaginary ? ")" : ", ");
    }
    break;
  case TRIAD_TEXT_ROOT: (void)fprintf(to, "triad_value_of(sqrt(fmax(n[%d].re, 0.0)), 0.0)", x->a); break;
  case TRIAD_TEXT_INVERSE: write_inverse(to, o, x); break;
  case TRIAD_TEXT_ENTRY: (void)fprintf(to, "inverse%d[%d]", x->a, x->row * o->system[x->a].n + x->column); break;
  }
  (void)fprintf(to, ";\n");
}

void triad_text_code_values(FILE *to, const triad_text_set *s, const char *name, const char *needed)
{
  const triad_text_operators *o = &s->text->operators;
  char made[TRIAD_TEXT_SYSTEMS] = {0};
  int sized = 0;
  (void)fprintf(to, "TRIAD_POINT_INLINE void %s(const double k[3], triad_value *n)\n{\n  (void)k;\n", name);
  for (int i = 0; i < o->n; i++) sized |= needed[i] && o->node[i].sized;
  /* z is as long as n, the values, and in double precision as k is: a sum of absolute values of up to 32 factors */
  if (sized) (void)fprintf(to, "  double z[TRIAD_TEXT_NODES]; /* sums of the absolute values of terms of n */\n");
  for (int i = TRIAD_TEXT_ZERO; i <= TRIAD_TEXT_ONE; i++) {
    write_node(to, o, i);
    if (sized) write_size(to, o, i);
  }
  for (int i = 2; i < o->n; i++) {
    if (!needed[i]) continue;
    if (o->node[i].kind == TRIAD_TEXT_ENTRY && !made[o->node[i].a]) {
      made[o->node[i].a] = 1;
      write_system(to, o, o->node[i].a);
    }
    write_node(to, o, i);
    if (o->node[i].sized) write_size(to, o, i);
  }
  (void)fprintf(to, "}\n");
}
