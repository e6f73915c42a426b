/* Sums of terms. A term with one factor and no profile has no operator of its own: it is in the factor. */
#include "solvers/spectral/text/compile/algebra.h"

#include "case/formula/formula_split.h"
#include "case/formula/formula_tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct triad_text_memory {
  struct triad_text_memory *next;
  triad_formula *formula;
} piece;

/* Memory that lives as long as the text. NULL: there is none. */
static void *allocate(triad_text *text, size_t size)
{
  piece *p = calloc(1, sizeof *p + size);
  if (!p) return NULL;
  p->next = text->memory;
  text->memory = p;
  return p + 1;
}

const triad_formula *triad_text_keep(triad_text *text, triad_formula *formula)
{
  if (!formula) return NULL;
  if (!allocate(text, 0)) triad_formula_destroy(&formula);
  else text->memory->formula = formula;
  return formula;
}

void triad_text_free_memory(triad_text *text)
{
  for (piece *p = text->memory, *next; p; p = next) {
    next = p->next;
    triad_formula_destroy(&p->formula);
    free(p);
  }
  text->memory = NULL;
}

double triad_text_size(const triad_text_term *t) { return fmax(t->size, fabs(t->c)); }

void triad_text_scale(triad_text_term *t, double c, double size)
{
  t->size = triad_text_product_size(t->c, triad_text_size(t), c, size);
  t->c *= c;
}

triad_text_scaled triad_text_of_factor(const triad_text_term *t)
{
  return (triad_text_scaled){t->c, triad_text_size(t), t->factor[0].node};
}

int triad_text_append(triad_text *text, triad_text_sum *sum, triad_text_term term)
{
  if (!(term.c < 0 || term.c > 0) || term.outer == TRIAD_TEXT_ZERO) return 1;
  for (int i = 0; i < term.n; i++)
    if (term.factor[i].node == TRIAD_TEXT_ZERO) return 1;
  if (sum->n == sum->room) {
    const int room = sum->room ? 2 * sum->room : 8;
    triad_text_term *longer = allocate(text, (size_t)room * sizeof *longer);
    if (!longer) return 0;
    if (sum->n > 0) memcpy(longer, sum->term, (size_t)sum->n * sizeof *longer);
    sum->term = longer;
    sum->room = room;
  }
  sum->term[sum->n++] = term;
  return 1;
}

int triad_text_sum_add(triad_text *text, triad_text_sum *sum, const triad_text_sum *other, double factor)
{
  for (int i = 0; i < other->n; i++) {
    triad_text_term t = other->term[i];
    triad_text_scale(&t, factor, fabs(factor));
    if (!triad_text_append(text, sum, t)) return 0;
  }
  return 1;
}

static void insert(triad_text_term *t, triad_text_factor f)
{
  int i = t->n++;
  for (;
       i > 0 && (t->factor[i - 1].base > f.base || (t->factor[i - 1].base == f.base && t->factor[i - 1].node > f.node));
       i--)
    t->factor[i] = t->factor[i - 1];
  t->factor[i] = f;
}

int triad_text_multiply(triad_text *text, const triad_text_term *a, const triad_text_term *b, triad_text_term *out)
{
  if ((a->mean && (b->mean || b->n > 0 || b->profile)) || (b->mean && (a->n > 0 || a->profile))) return -3;
  if (a->n + b->n > TRIAD_TEXT_FACTORS) return -1;
  if ((a->outer != TRIAD_TEXT_ONE && (b->n > 0 || b->profile)) ||
      (b->outer != TRIAD_TEXT_ONE && (a->n > 0 || a->profile)))
    return -2;
  *out = *a;
  triad_text_scale(out, b->c, triad_text_size(b));
  out->mean |= b->mean;
  if (b->outer != TRIAD_TEXT_ONE) out->outer = b->outer;
  for (int i = 0; i < b->n; i++) insert(out, b->factor[i]);
  if (!a->profile || !b->profile) {
    if (b->profile) out->profile = b->profile;
    return 1;
  }
  const triad_formula *both[2] = {a->profile, b->profile};
  out->profile = triad_text_keep(text, triad_formula_join(triad_formula_product, 2, both));
  return out->profile != NULL;
}

/* What a multiplier does to the mean, the only mode of a number. */
double triad_text_of_mean(const triad_text *text, triad_text_scaled m)
{
  static const double zero[3] = {0, 0, 0};
  double complex value[TRIAD_TEXT_OPERATORS];
  triad_text_evaluate(&text->operators, zero, NULL, value, NULL);
  return m.c * creal(value[m.node]);
}

triad_text_term triad_text_apply(triad_text *text, triad_text_scaled m, triad_text_term t)
{
  triad_text_operators *o = &text->operators;
  if (t.n == 0 && !t.profile) {
    const double mean = triad_text_of_mean(text, m);
    triad_text_scale(&t, mean, fabs(mean));
    return t;
  }
  int *node = t.n == 1 && !t.profile ? &t.factor[0].node : &t.outer;
  const triad_text_scaled both = triad_text_times(o, m, triad_text_of(1, *node));
  triad_text_scale(&t, both.c, both.size);
  *node = both.node;
  return t;
}

int triad_text_apply_sum(triad_text *text, triad_text_scaled m, const triad_text_sum *sum, triad_text_sum *out)
{
  for (int i = 0; i < sum->n; i++)
    if (!triad_text_append(text, out, triad_text_apply(text, m, sum->term[i]))) return 0;
  return 1;
}

/* The same factors, profile and clock, whatever the operator on them. */
static int is_same_product(const triad_text_term *a, const triad_text_term *b)
{
  if (a->n != b->n || a->mean != b->mean) return 0;
  for (int i = 0; i < a->n; i++)
    if (a->factor[i].node != b->factor[i].node || a->factor[i].base != b->factor[i].base) return 0;
  return triad_formula_is_same(a->profile, b->profile) && triad_formula_is_same(a->clock, b->clock);
}

static int is_alike(const triad_text_term *a, const triad_text_term *b)
{
  return a->outer == b->outer && is_same_product(a, b);
}

void triad_text_collect(triad_text_sum *sum)
{
  int n = 0;
  for (int i = 0; i < sum->n; i++) {
    int k = 0;
    while (k < n && !is_alike(&sum->term[k], &sum->term[i])) k++;
    if (k == n) {
      sum->term[n++] = sum->term[i];
      continue;
    }
    sum->term[k].size = triad_text_size(&sum->term[k]) + triad_text_size(&sum->term[i]);
    sum->term[k].c += sum->term[i].c;
  }
  sum->n = 0;
  for (int i = 0; i < n; i++)
    if (fabs(sum->term[i].c) > TRIAD_TEXT_ROUNDING * triad_text_size(&sum->term[i])) sum->term[sum->n++] = sum->term[i];
}
