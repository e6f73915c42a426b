/* Transfers: of a quadratic form of the fields, what the products at points give each mode, 2 Re conj(u) H N. */
#include "solvers/spectral/text/transfers.h"

#include "base/status.h"

#include <stdio.h>

static int is_quadratic(const triad_text_invariant *v)
{
  for (int i = 0; i < v->sum.n; i++)
    if (v->sum.term[i].n == 2) return 1;
  return 0;
}

/* A text that lives as long as the set. */
static const char *text_of(triad_shape *shape, const char *before, const char *name)
{
  char *to = (char *)(uintptr_t)triad_shape_text(shape, "%160d", 0);
  if (*to) (void)snprintf(to, 160, "%s%s", before, name);
  return to;
}

int triad_text_transfer_shape(triad_text_set *s, triad_shape *shape)
{
  const triad_text *t = s->text;
  const triad_transfer_info energy = {
    {"T", "", .formula = "energy transfer into the shell by products of fields and functions of position"},
    {"Pi", "", .formula = "energy flux past the shell, minus the cumulative sum of T"},
    0,
    t->n_fields,
    0};
  TRIAD_TRY(triad_shape_add_transfers(shape, 1, &energy));
  for (int i = 0; i < t->n_invariants; i++) {
    if (i == s->energy || !is_quadratic(&t->invariant[i])) continue;
    const char *name = t->invariant[i].name;
    const triad_transfer_info info = {
      {text_of(shape, "T_", name), "", .formula = text_of(shape, "transfer into the shell of ", name)},
      {text_of(shape, "Pi_", name), "", .formula = text_of(shape, "flux past the shell of ", name)},
      0,
      t->n_fields,
      0};
    TRIAD_TRY(triad_shape_add_transfers(shape, 1, &info));
  }
  return TRIAD_OK;
}

double triad_text_form_rate(const triad_text_set *s, int invariant, const double complex *value,
                            const double complex *u, const double complex *n)
{
  double sum = 0;
  if (invariant >= 0) {
    const triad_text_invariant *v = &s->text->invariant[invariant];
    return triad_text_part_of(v, value, n, u, 0) + triad_text_part_of(v, value, u, n, 0);
  }
  for (int f = 0; f < s->text->n_fields; f++) sum += creal(conj(u[f]) * n[f]);
  return sum;
}

void triad_text_transfers(const void *self, int part, const triad_batch *b, int64_t j, const triad_cplx *const *u,
                          const triad_cplx *const *t, triad_lane_reals *out)
{
  const triad_text_set *s = self;
  const triad_text *text = s->text;
  const triad_layout *l = b->layout;
  triad_lane_row rates[TRIAD_TEXT_FIELDS];
  (void)part;
  triad_text_product_rates(s, b, j, t, rates);
  for (int i = 0; i < TRIAD_LANES; i++) {
    const int64_t c = b->block * TRIAD_LANES + i;
    double complex value[TRIAD_TEXT_OPERATORS], v[TRIAD_TEXT_BASES], n[TRIAD_TEXT_BASES];
    double k[3];
    int number = 0;
    if (l->kz[j] > l->kz_extent[c] || -l->kz[j] > l->kz_extent[c]) continue;
    triad_layout_derivative(l, c, j, k);
    triad_text_evaluate(&text->operators, k, s->needed, value, NULL);
    for (int f = 0; f < text->n_fields; f++) {
      v[f] = CMPLX(u[f][i].re, u[f][i].im);
      n[f] = CMPLX(rates[f][i].re, rates[f][i].im);
    }
    triad_text_fill_bases(text, value, v);
    triad_text_fill_bases(text, value, n);
    out[number++][i] += triad_text_form_rate(s, s->energy, value, v, n);
    for (int q = 0; q < text->n_invariants; q++)
      if (q != s->energy && is_quadratic(&text->invariant[q]))
        out[number++][i] += triad_text_form_rate(s, q, value, v, n);
  }
}
