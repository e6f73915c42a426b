/* Functions of time: terms whose functions of position and time are split into products, and their values at the time
 * of a stage. A function of time multiplies the coefficients of products, of linear terms and of constants. */
#include "solvers/spectral/text/compile/clock.h"
#include "solvers/spectral/text/compile/algebra.h"
#include "solvers/spectral/text/set.h"

#include "base/status.h"
#include "case/formula/formula_split.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { TIME = 3, SAMPLES = 4096 };

double triad_text_at_time(const triad_formula *f, double t)
{
  static const double zero = 0;
  double value;
  triad_formula_rows(f, 1, (const double *const[]){&zero, &zero, &zero, &t}, &value);
  return value;
}

/* ---- terms ---- */

static int is_of_position(const triad_formula *f)
{
  return triad_formula_uses(f, 0) || triad_formula_uses(f, 1) || triad_formula_uses(f, 2);
}

static void scale_by(triad_text_term *x, double c) { triad_text_scale(x, c, fabs(c)); }

/* One product of a function of position and one of time; what is a number goes into the coefficient, and an operator on
 * a single field or a number to its place. */
static int append_part(triad_text *text, triad_text_term x, triad_formula_term *part, triad_text_sum *out)
{
  const triad_text_scaled outer = triad_text_of(1, x.outer);
  x.profile = x.clock = NULL;
  if (part->space && !is_of_position(part->space)) scale_by(&x, triad_text_at_time(part->space, 0));
  else if (part->space) {
    if (!(x.profile = triad_text_keep(text, part->space))) return 0;
    part->space = NULL;
  }
  if (part->time && !triad_formula_uses(part->time, TIME)) scale_by(&x, triad_text_at_time(part->time, 0));
  else if (part->time) {
    if (!(x.clock = triad_text_keep(text, part->time))) return 0;
    part->time = NULL;
  }
  if (!x.profile && x.n < 2) {
    x.outer = TRIAD_TEXT_ONE;
    x = triad_text_apply(text, outer, x);
  }
  return triad_text_append(text, out, x);
}

int triad_text_split_times(triad_text_compiler *c, const triad_text_source *s, const triad_text_sum *sum,
                           triad_text_sum *out)
{
  *out = (triad_text_sum){0};
  for (int i = 0; i < sum->n; i++) {
    triad_formula_term part[TRIAD_FORMULA_TERMS];
    const triad_text_term *x = &sum->term[i];
    int n = 0, good = 1;
    if (!x->profile || !triad_formula_uses(x->profile, TIME)) {
      if (!triad_text_append(c->text, out, *x)) return triad_text_no_memory(c);
      continue;
    }
    if (triad_formula_split(x->profile, part, &n) != TRIAD_OK) return triad_text_no_memory(c);
    if (n == 0)
      return triad_text_wrong(c, s, -1, TRIAD_ERR_FEATURE,
                              "a function of x, y, z and t has to be a sum of products of a function of position and a "
                              "function of t, such as sin(x)*cos(t) or sin(x - 2*t): others are not supported yet");
    for (int k = 0; k < n && good; k++) good = append_part(c->text, *x, &part[k], out);
    triad_formula_terms_free(part, n);
    if (!good) return triad_text_no_memory(c);
  }
  return 1;
}

/* ---- clocks of a schedule ---- */

/* The largest value until the end of the run, and the largest rate of change divided by it. */
static void measure(const triad_formula *f, double end, double *most, double *rate)
{
  const double small = fmin(1e-7 * end, 1e-4);
  double slope = 0;
  *most = 0;
  for (int i = 0; i <= SAMPLES; i++) {
    const double t = end * i / SAMPLES, here = triad_text_at_time(f, t);
    const double change = fabs(triad_text_at_time(f, t + small) - here) / small;
    const double nearer = fabs(triad_text_at_time(f, t + small / 16) - here) / (small / 16);
    if (isfinite(here)) *most = fmax(*most, fabs(here));
    /* a quotient that grows as the interval shrinks is of a jump, which no step resolves */
    const bool jumps = nearer > 4 * change || change > 4 * nearer;
    if (isfinite(change) && !jumps) slope = fmax(slope, change);
  }
  *rate = *most > 0 ? slope / *most : 0;
}

int triad_text_find_clock(const triad_text *t, triad_text_schedule *s, const triad_formula *f)
{
  if (!f) return -1;
  for (int i = 0; i < s->n_clocks; i++)
    if (s->clock[i].formula == f || triad_formula_is_same(s->clock[i].formula, f)) return i;
  if (s->n_clocks == TRIAD_TEXT_CLOCKS) return -2;
  s->clock[s->n_clocks].formula = f;
  measure(f, t->end, &s->clock[s->n_clocks].most, &s->clock[s->n_clocks].rate);
  return s->n_clocks++;
}

double triad_text_clock_rate(const triad_text_schedule *s)
{
  double most = 0;
  for (int i = 0; i < s->n_clocks; i++) most = fmax(most, s->clock[i].rate);
  return most;
}

void triad_text_set_time(void *self, double t)
{
  triad_text_set *set = self;
  triad_text_schedule *s = set->schedule;
  double *value = set->clock;
  if (s->n_clocks == 0) return;
  for (int i = 0; i < s->n_clocks; i++) value[i] = triad_text_at_time(s->clock[i].formula, t);
  for (int o = 0; o < s->n_outputs; o++)
    for (int k = 0; k < s->output[o].n; k++) {
      const int clock = s->product[s->output[o].product[k]].clock;
      if (clock >= 0) s->output[o].c[k] = s->output[o].base[k] * value[clock];
    }
  for (int i = 0; i < set->n_rates; i++)
    if (set->rate[i].clock >= 0) set->rate[i].c = set->rate[i].base * value[set->rate[i].clock];
  memcpy(set->constant, s->constant, sizeof set->constant);
  for (int i = 0; i < s->n_timed; i++)
    if (s->timed[i].factor.node == TRIAD_TEXT_ZERO)
      set->constant[s->timed[i].field] += s->timed[i].c * value[s->timed[i].clock];
}
