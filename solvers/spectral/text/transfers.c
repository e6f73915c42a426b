/* Transfers: of a quadratic form of the fields, what the products at points give each mode, 2 Re conj(u) H N. */
#include "solvers/spectral/text/transfers.h"
#include "solvers/spectral/text/compile/invariants.h"

#include "base/cmplx.h"
#include "base/status.h"

#include <stdio.h>

int triad_text_is_quadratic(const triad_text_invariant *v)
{
  for (int i = 0; i < v->sum.n; i++)
    if (v->sum.term[i].n == 2) return 1;
  return 0;
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
    if (i == s->energy || !triad_text_is_quadratic(&t->invariant[i])) continue;
    const char *name = t->invariant[i].name;
    const triad_transfer_info info = {{triad_shape_text_of(shape, "T_%s", name), "",
                                       .formula = triad_shape_text_of(shape, "transfer into the shell of %s", name)},
                                      {triad_shape_text_of(shape, "Pi_%s", name), "",
                                       .formula = triad_shape_text_of(shape, "flux past the shell of %s", name)},
                                      0,
                                      t->n_fields,
                                      0};
    TRIAD_TRY(triad_shape_add_transfers(shape, 1, &info));
  }
  return TRIAD_OK;
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
    out[number++][i] += triad_text_form_rate(text, s->energy, value, v, n);
    for (int q = 0; q < text->n_invariants; q++)
      if (q != s->energy && triad_text_is_quadratic(&text->invariant[q]))
        out[number++][i] += triad_text_form_rate(text, q, value, v, n);
  }
}
