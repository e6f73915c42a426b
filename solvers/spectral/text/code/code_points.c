/* Write products at a point and the rate that limits the step, in the order of operations of stage.c. */
#include "solvers/spectral/text/code/code_points.h"
#include "solvers/spectral/text/code/code_values.h"

enum { JOINED = 4 }; /* products that are summed before they are added, as in stage.c */

static void write_coefficient(FILE *to, const triad_text_set *s, const triad_text_output *o, int k)
{
  const int clock = s->schedule->product[o->product[k]].clock;
  (void)fprintf(to, "(triad_real)(");
  triad_text_code_number(to, o->base[k]);
  if (clock >= 0) (void)fprintf(to, " * c->clock[%d]", clock);
  (void)fprintf(to, ")");
}

static void write_pairs(FILE *to, const triad_text_set *s, const triad_text_output *o, int number)
{
  for (int first = 0; first < o->n; first += JOINED) {
    (void)fprintf(to, "  out[%d] = %s", number, first > 0 ? "out" : "");
    if (first > 0) (void)fprintf(to, "[%d] + (", number);
    for (int k = first; k < o->n && k < first + JOINED; k++) {
      const triad_text_product *p = &s->schedule->product[o->product[k]];
      if (k > first) (void)fprintf(to, " + ");
      write_coefficient(to, s, o, k);
      (void)fprintf(to, " * (v[%d] * v[%d])", p->input[0], p->input[1]);
    }
    (void)fprintf(to, first > 0 ? ");\n" : ";\n");
  }
}

static void write_products(FILE *to, const triad_text_set *s, const triad_text_output *o, int number)
{
  (void)fprintf(to, "  out[%d] = 0;\n", number);
  for (int k = 0; k < o->n; k++) {
    const triad_text_product *p = &s->schedule->product[o->product[k]];
    (void)fprintf(to, "  out[%d] += ", number);
    write_coefficient(to, s, o, k);
    if (p->profile >= 0) (void)fprintf(to, " * v[%d]", s->schedule->n_inputs + p->profile);
    for (int f = 0; f < p->n; f++) (void)fprintf(to, " * v[%d]", p->input[f]);
    (void)fprintf(to, ";\n");
  }
}

static void write_speed(FILE *to, const triad_text_set *s, const triad_text_speed *v)
{
  int factors = 0;
  (void)fprintf(to, "  sum += (triad_real)(");
  triad_text_code_number(to, v->weight);
  (void)fprintf(to, v->root ? ") * TRIAD_SQRT(TRIAD_ABS(" : ") * TRIAD_ABS(");
  for (int f = 0; f < v->n; f++) (void)fprintf(to, "%sv[%d]", factors++ > 0 ? " * " : "", v->input[f]);
  for (int g = 0; g < 2; g++)
    if (v->profile[g] >= 0)
      (void)fprintf(to, "%sv[%d]", factors++ > 0 ? " * " : "", s->schedule->n_inputs + v->profile[g]);
  (void)fprintf(to, v->root ? "%s));\n" : "%s);\n", factors > 0 ? "" : "TRIAD_R(1)");
}

/* Along each axis the largest of its sums. */
static void write_speeds(FILE *to, const triad_text_set *s)
{
  const triad_text_schedule *q = s->schedule;
  for (int k = 0; k < q->n_speeds; k++) {
    write_speed(to, s, &q->speed[k]);
    const int last = k + 1 == q->n_speeds, next_axis = last || q->speed[k + 1].axis != q->speed[k].axis;
    if (!next_axis && q->speed[k + 1].sum == q->speed[k].sum) continue;
    (void)fprintf(to, "  most = sum > most ? sum : most;\n  sum = 0;\n");
    if (next_axis) (void)fprintf(to, "  all += most;\n  most = 0;\n");
  }
  /* not a number, if one of all inputs is not finite */
  (void)fprintf(to, "  triad_real finite = 0;\n");
  for (int f = 0; f < q->n_inputs; f++) (void)fprintf(to, "  finite += v[%d] * 0;\n", f);
  (void)fprintf(to, "  return all + finite;\n}\n");
}

void triad_text_code_points(FILE *to, const triad_text_set *s)
{
  const triad_text_schedule *q = s->schedule;
  (void)fprintf(to, "enum { TRIAD_TEXT_IN = %d, TRIAD_TEXT_N_PROFILES = %d, TRIAD_TEXT_OUT = %d };\n", q->n_inputs,
                q->n_profiles, q->n_outputs);
  (void)fprintf(to, "TRIAD_POINT_INLINE void triad_text_point(const triad_text_law *c, double dt, const triad_real *v, "
                    "triad_real *out)\n{\n  (void)c, (void)dt, (void)v, (void)out;\n");
  for (int o = 0; o < q->n_outputs; o++) {
    int pairs = q->output[o].n > 0;
    for (int k = 0; k < q->output[o].n; k++) pairs = pairs && triad_text_is_pair(&q->product[q->output[o].product[k]]);
    if (pairs) write_pairs(to, s, &q->output[o], o);
    else write_products(to, s, &q->output[o], o);
  }
  (void)fprintf(to,
                "}\nTRIAD_POINT_INLINE triad_real triad_text_rate(const triad_text_law *c, const triad_real *v)\n{\n"
                "  triad_real sum = 0, most = 0, all = 0;\n  (void)c, (void)v, (void)sum, (void)most;\n");
  write_speeds(to, s);
}
