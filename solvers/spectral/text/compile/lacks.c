/* Modes for which a multiplier has no inverse or no root: 0 would be a wrong solution. */
#include "solvers/spectral/text/compile/linear.h"

#include "base/status.h"

#include <string.h>

enum { MOST_MODES = 900000 };

void triad_text_need_sum(const triad_text *t, const triad_text_sum *sum, char *needed)
{
  for (int i = 0; i < sum->n; i++) {
    triad_text_need(&t->operators, sum->term[i].outer, needed);
    for (int k = 0; k < sum->term[i].n; k++) triad_text_need(&t->operators, sum->term[i].factor[k].node, needed);
  }
}

void triad_text_need_all(const triad_text *t, char *needed)
{
  for (int f = 0; f < t->n_fields; f++) {
    triad_text_need(&t->operators, t->mass[f], needed);
    for (int a = 0; a < t->n_fields; a++) triad_text_need(&t->operators, t->linear[a][f].node, needed);
    for (int l = 0; l < t->n_lets; l++) triad_text_need(&t->operators, t->solved[l][f].node, needed);
    triad_text_need_sum(t, &t->other[f], needed);
  }
  for (int i = 0; i < t->n_invariants; i++) triad_text_need_sum(t, &t->invariant[i].sum, needed);
}

/* The nodes to look at; 0: none lacks anything at any wavenumber. */
static int find_risky(const triad_text *t, char *risky)
{
  char needed[TRIAD_TEXT_OPERATORS] = {0};
  triad_text_need_all(t, needed);
  return triad_text_risky(&t->operators, needed, risky);
}

int triad_text_lacks_of_grid(const triad_text *t, const triad_grid *grid, double at[3])
{
  const int64_t *n = grid->kmax;
  char risky[TRIAD_TEXT_OPERATORS];
  double complex value[TRIAD_TEXT_OPERATORS];
  int lacks = 0;
  if ((n[0] + 1) * (2 * n[1] + 1) * (2 * n[2] + 1) > MOST_MODES || !find_risky(t, risky)) return 0;
  for (int64_t x = 0; x <= n[0]; x++)
    for (int64_t y = -n[1]; y <= n[1]; y++)
      for (int64_t z = -n[2]; z <= n[2]; z++) {
        if (!triad_grid_keeps(grid, x, y, z)) continue;
        at[0] = triad_grid_size_wavenumber(grid, 0, x);
        at[1] = triad_grid_size_wavenumber(grid, 1, y);
        at[2] = triad_grid_size_wavenumber(grid, 2, z);
        triad_text_evaluate(&t->operators, at, risky, value, &lacks);
        if (lacks) return lacks;
      }
  return 0;
}

int triad_text_lacks_of_layout(const triad_text *t, const triad_layout *l, int threads, double at[3])
{
  char risky[TRIAD_TEXT_OPERATORS];
  int found = 0;
  if (!find_risky(t, risky)) return 0;
#pragma omp parallel for schedule(static) num_threads(threads)
  for (int64_t c = 0; c < l->n_blocks * l->lanes; c++) {
    double complex value[TRIAD_TEXT_OPERATORS];
    double k[3];
    int lacks = 0;
    for (int64_t j = 0; j < l->nkz && !lacks; j++) {
      if ((l->kz[j] < 0 ? -l->kz[j] : l->kz[j]) > l->kz_extent[c]) continue;
      triad_layout_derivative(l, c, j, k);
      triad_text_evaluate(&t->operators, k, risky, value, &lacks);
    }
    if (lacks) {
#pragma omp critical(triad_text_lacks)
      {
        found = lacks;
        memcpy(at, k, sizeof k);
      }
    }
  }
  return found;
}

int triad_text_refuse_lack(int lacks, const double k[3])
{
  if (lacks == 0) return TRIAD_OK;
  if (lacks & TRIAD_TEXT_NO_INVERSE)
    return TRIAD_FAIL(
      TRIAD_ERR_CASE,
      "equations: an operator that is inverted, the first argument of invert or what dt(..) is of, is 0 "
      "for the mode k = (%g, %g, %g), so that the equation has no solution for it: change a coefficient, "
      "or the box",
      k[0], k[1], k[2]);
  return TRIAD_FAIL(TRIAD_ERR_CASE,
                    "equations: an operator whose root is taken is negative for the mode k = (%g, %g, %g): change a "
                    "coefficient, or the box",
                    k[0], k[1], k[2]);
}
