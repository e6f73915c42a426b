/* Write what a stage does to a mode: inputs of the pass, rates, exponentials of coupled fields, in the order of
 * operations of links.c, stage.c and linear.c. */
#include "solvers/spectral/text/code/code_modes.h"
#include "solvers/spectral/text/code/code_values.h"

#include <string.h>

/* ---- links ---- */

/* Multipliers of links, in a field's precision: those of rows that have tables on CPUs. */
typedef struct multipliers {
  int n, node[TRIAD_TEXT_LINKS], other[TRIAD_TEXT_LINKS];
} multipliers;

static int number_of(multipliers *m, const triad_text_link *x)
{
  for (int i = 0; i < m->n; i++)
    if (m->node[i] == x->node && m->other[i] == x->other) return i;
  m->node[m->n] = x->node;
  m->other[m->n] = x->other;
  return m->n++;
}

static void need(const triad_text_set *s, const triad_text_link *x, char *needed)
{
  triad_text_need(&s->text->operators, x->node, needed);
  triad_text_need(&s->text->operators, x->other, needed);
}

static void write_multipliers(FILE *to, const triad_text_link *list, int n, multipliers *m)
{
  m->n = 0;
  for (int i = 0; i < n; i++) {
    const int had = m->n, number = list[i].way >= TRIAD_TEXT_BY_REAL ? number_of(m, &list[i]) : -1;
    if (m->n == had) continue;
    (void)fprintf(to, "  const triad_value p%d = ", number);
    if (list[i].other == TRIAD_TEXT_ONE) (void)fprintf(to, "n[%d];\n", list[i].node);
    else (void)fprintf(to, "triad_value_times(n[%d], n[%d]);\n", list[i].node, list[i].other);
    if (list[i].way != TRIAD_TEXT_BY_IMAGINARY)
      (void)fprintf(to, "  const triad_real m%dr = (triad_real)p%d.re;\n", number, number);
    if (list[i].way != TRIAD_TEXT_BY_REAL)
      (void)fprintf(to, "  const triad_real m%di = (triad_real)p%d.im;\n", number, number);
  }
}

/* to += c M from, or (first) = it. */
static void write_link(FILE *to, const triad_text_link *x, int first, multipliers *m, const char *where, int number,
                       const char *from, int from_number)
{
  const char *sign = first ? "=" : "+=";
  (void)fprintf(to, "  {\n    const triad_real a = (triad_real)(");
  triad_text_code_number(to, x->base);
  if (x->clock >= 0) (void)fprintf(to, " * c->clock[%d]", x->clock);
  (void)fprintf(to, ");\n    const triad_real re = %s[%d].re, im = %s[%d].im;\n", from, from_number, from, from_number);
  const int p = x->way >= TRIAD_TEXT_BY_REAL ? number_of(m, x) : 0;
  switch (x->way) {
  case TRIAD_TEXT_BY_NUMBER:
    (void)fprintf(to, "    %s[%d].re %s a * re;\n    %s[%d].im %s a * im;\n", where, number, sign, where, number, sign);
    break;
  case TRIAD_TEXT_BY_WAVE:
    (void)fprintf(to, "    const triad_real w = a * (triad_real)k[%d];\n", x->axis);
    (void)fprintf(to, "    %s[%d].re %s -(w * im);\n    %s[%d].im %s w * re;\n", where, number, sign, where, number,
                  sign);
    break;
  case TRIAD_TEXT_BY_REAL:
    (void)fprintf(to, "    %s[%d].re %s a * m%dr * re;\n    %s[%d].im %s a * m%dr * im;\n", where, number, sign, p,
                  where, number, sign, p);
    break;
  case TRIAD_TEXT_BY_IMAGINARY:
    (void)fprintf(to, "    %s[%d].re %s -(a * m%di * im);\n    %s[%d].im %s a * m%di * re;\n", where, number, sign, p,
                  where, number, sign, p);
    break;
  case TRIAD_TEXT_BY_COMPLEX:
    (void)fprintf(to, "    %s[%d].re %s a * (m%dr * re - m%di * im);\n", where, number, sign, p, p);
    (void)fprintf(to, "    %s[%d].im %s a * (m%dr * im + m%di * re);\n", where, number, sign, p, p);
    break;
  }
  (void)fprintf(to, "  }\n");
}

static void begin_function(FILE *to, const char *head, const char *values)
{
  (void)fprintf(to, "TRIAD_POINT_INLINE void %s\n{\n  triad_value n[TRIAD_TEXT_NODES];\n  %s(k, n);\n", head, values);
}

/* Inputs that are not fields themselves. */
static void write_source(FILE *to, const triad_text_set *s)
{
  char needed[TRIAD_TEXT_OPERATORS] = {0};
  multipliers m;
  int made = 0;
  for (int i = 0; i < s->n_sources; i++) need(s, &s->source[i], needed);
  triad_text_code_values(to, s, "triad_text_source_values", needed);
  begin_function(to,
                 "triad_text_source(const triad_text_law *c, const double k[3], const triad_cplx *u, triad_cplx *made)",
                 "triad_text_source_values");
  (void)fprintf(to, "  (void)c, (void)u, (void)made;\n");
  write_multipliers(to, s->source, s->n_sources, &m);
  for (int input = 0; input < s->schedule->n_inputs; input++) {
    int first = 1;
    if (triad_text_input_field(s, input) >= 0) continue;
    for (int i = 0; i < s->n_sources; i++) {
      if (s->source[i].to != input) continue;
      write_link(to, &s->source[i], first, &m, "made", made, "u", s->source[i].from);
      first = 0;
    }
    made++;
  }
  (void)fprintf(to, "}\nenum { TRIAD_TEXT_MADE = %d };\n", made);
}

static void write_projections(FILE *to, const triad_text_set *s, const char *rates)
{
  for (int f = 0; f < s->text->n_fields; f++)
    if (s->projected[f])
      (void)fprintf(to,
                    "  triad_text_project_rates(real_k, %s + %d, projected);\n"
                    "  for (int i = 0; i < 3; i++) %s[%d + i] = projected[i];\n",
                    rates, f, rates, f);
}

static int has_constants(const triad_text_set *s, int f)
{
  const triad_text_schedule *q = s->schedule;
  int any = q->constant[f] < 0 || q->constant[f] > 0;
  for (int i = 0; i < q->n_timed; i++) any |= q->timed[i].field == f && q->timed[i].factor.node == TRIAD_TEXT_ZERO;
  return any;
}

static const char real_k[] = "  const triad_real real_k[3] = {(triad_real)k[0], (triad_real)k[1], (triad_real)k[2]};\n"
                             "  triad_cplx projected[3];\n  (void)real_k, (void)projected, (void)u, (void)t;\n";

static void write_rates(FILE *to, const triad_text_set *s)
{
  char needed[TRIAD_TEXT_OPERATORS] = {0};
  multipliers m;
  for (int i = 0; i < s->n_rates; i++) need(s, &s->rate[i], needed);
  triad_text_code_values(to, s, "triad_text_rate_values", needed);
  begin_function(
    to,
    "triad_text_mode(const triad_text_law *c, const double k[3], const triad_cplx *u, const triad_cplx *t, "
    "triad_cplx *r)",
    "triad_text_rate_values");
  (void)fprintf(to, "  (void)c;\n%s", real_k);
  write_multipliers(to, s->rate, s->n_rates, &m);
  for (int f = 0; f < s->text->n_fields; f++)
    if (!s->has_rate[f]) (void)fprintf(to, "  r[%d].re = r[%d].im = 0;\n", f, f);
  for (int i = 0; i < s->n_rates; i++) {
    const triad_text_link *x = &s->rate[i];
    const int linear = x->from >= s->n_results;
    write_link(to, x, x->first, &m, "r", x->to, linear ? "u" : "t", linear ? x->from - s->n_results : x->from);
  }
  for (int f = 0; f < s->text->n_fields; f++)
    if (has_constants(s, f))
      (void)fprintf(
        to, "  if (!(k[0] * k[0] + k[1] * k[1] + k[2] * k[2] > 0)) r[%d].re += (triad_real)c->constant[%d];\n", f, f);
  write_projections(to, s, "r");
  (void)fprintf(to, "}\n");
}

/* Rates by products at points alone, for transfers. Functions of time are in the coefficients of products at points,
 * not here, so that there is no law. */
static void write_product_rates(FILE *to, const triad_text_set *s)
{
  multipliers m;
  begin_function(to,
                 "triad_text_product_mode(const double k[3], const triad_cplx *u, const triad_cplx *t, triad_cplx *r)",
                 "triad_text_rate_values");
  (void)fprintf(to, "%s", real_k);
  write_multipliers(to, s->rate, s->n_rates, &m);
  for (int f = 0; f < s->text->n_fields; f++) (void)fprintf(to, "  r[%d].re = r[%d].im = 0;\n", f, f);
  for (int i = 0; i < s->n_rates; i++)
    if (s->rate[i].from < s->n_results) write_link(to, &s->rate[i], 0, &m, "r", s->rate[i].to, "t", s->rate[i].from);
  write_projections(to, s, "r");
  (void)fprintf(to, "}\n");
}

/* ---- coupled fields ---- */

static int is_in(const triad_text_block *b, int field)
{
  for (int i = 0; i < b->n; i++)
    if (b->field[i] == field) return 1;
  return 0;
}

/* One column of rates at a time, so that it can be projected. */
static void write_column(FILE *to, const triad_text_set *s, const triad_text_block *b, int j)
{
  const triad_text *t = s->text;
  for (int a = 0; a < t->n_fields; a++) (void)fprintf(to, "  s[%d] = triad_value_of(0.0, 0.0);\n", a);
  for (int i = 0; i < b->n; i++) {
    const triad_text_scaled m = s->linear.rest[b->field[i]][b->field[j]];
    if (m.node == TRIAD_TEXT_ZERO) continue;
    (void)fprintf(to, "  s[%d] = triad_value_scale(", b->field[i]);
    triad_text_code_number(to, m.c);
    (void)fprintf(to, ", n[%d]);\n", m.node);
  }
  for (int f = 0; f < t->n_fields; f++)
    if (t->field[f].solenoidal && t->field[f].axis == 0 && (is_in(b, f) || is_in(b, f + 1) || is_in(b, f + 2)))
      (void)fprintf(to, "  triad_text_project_values(k, s + %d);\n", f);
  for (int i = 0; i < b->n; i++) (void)fprintf(to, "  a[%d] = s[%d];\n", i * b->n + j, b->field[i]);
}

static void write_matrices(FILE *to, const triad_text_set *s)
{
  char needed[TRIAD_TEXT_OPERATORS] = {0};
  int at = 0;
  for (int b = 0; b < s->linear.n_blocks; b++)
    for (int i = 0; i < s->linear.block[b].n; i++)
      for (int j = 0; j < s->linear.block[b].n; j++)
        triad_text_need(&s->text->operators,
                        s->linear.rest[s->linear.block[b].field[i]][s->linear.block[b].field[j]].node, needed);
  triad_text_code_values(to, s, "triad_text_matrix_values", needed);
  (void)fprintf(to,
                "TRIAD_POINT_INLINE void triad_text_matrices(const double k[3], double tau, triad_value *m)\n{\n"
                "  triad_value n[TRIAD_TEXT_NODES], s[%d], a[TRIAD_EXPONENTIAL_ELEMENTS];\n"
                "  triad_text_matrix_values(k, n);\n  (void)s, (void)a, (void)tau, (void)m;\n",
                s->text->n_fields);
  for (int b = 0; b < s->linear.n_blocks; b++) {
    const triad_text_block *block = &s->linear.block[b];
    for (int j = 0; j < block->n; j++) write_column(to, s, block, j);
    (void)fprintf(to, "  triad_exponential_of(%d, tau, a, m + %d);\n", block->n, at);
    at += block->n * block->n;
  }
  (void)fprintf(to, "}\nenum { TRIAD_TEXT_ENTRIES = %d };\n", at);
}

/* In the order of triad_coupling_row. */
static void write_couple(FILE *to, const triad_text_set *s)
{
  int at = 0;
  (void)fprintf(to, "TRIAD_POINT_INLINE void triad_text_couple(const triad_cplx *m, int64_t step, triad_cplx *u)\n{\n"
                    "  triad_cplx sum[TRIAD_EXPONENTIAL];\n  (void)m, (void)step, (void)u, (void)sum;\n");
  for (int b = 0; b < s->linear.n_blocks; b++) {
    const triad_text_block *block = &s->linear.block[b];
    for (int i = 0; i < block->n; i++) {
      (void)fprintf(to, "  sum[%d].re = sum[%d].im = 0;\n", i, i);
      for (int j = 0; j < block->n; j++)
        (void)fprintf(to, "  triad_stage_couple(m[%d * step], u[%d], &sum[%d]);\n", at + i * block->n + j,
                      block->field[j], i);
    }
    for (int i = 0; i < block->n; i++) (void)fprintf(to, "  u[%d] = sum[%d];\n", block->field[i], i);
    at += block->n * block->n;
  }
  (void)fprintf(to, "}\n");
}

void triad_text_code_modes(FILE *to, const triad_text_set *s)
{
  (void)fprintf(to, "enum { TRIAD_TEXT_N_FIELDS = %d, TRIAD_TEXT_TERMS = %d };\n", s->text->n_fields, s->n_results);
  write_source(to, s);
  write_rates(to, s);
  write_product_rates(to, s);
  write_matrices(to, s);
  write_couple(to, s);
}
