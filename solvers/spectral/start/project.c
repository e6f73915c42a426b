/* Remove the compressive part of vector fields: u_k -= k (k.u_k)/k^2. */
#include "solvers/spectral/start/project.h"

#include "parallel/sum.h"

enum { KEPT, COMPRESSIVE, MEAN, SUMS };

static double square(const triad_cplx v[3])
{
  double s = 0;
  for (int i = 0; i < 3; i++) s += (double)v[i].re * (double)v[i].re + (double)v[i].im * (double)v[i].im;
  return s;
}

int triad_project(triad_flow *flow, const triad_field_group *vector, double *kept, double *compressive, double *mean)
{
  const triad_layout *l = flow->layout;
  triad_sum sums[SUMS];
  double all[SUMS];
  triad_cplx *const *field = flow->u + vector->first;
  for (int s = 0; s < SUMS; s++) triad_sum_clear(&sums[s]);
  for (int64_t c = 0; c < l->n_columns; c++)
    for (int64_t j = 0; j < l->nkz; j++) {
      int64_t at = triad_layout_place(l, c, j);
      const double half = l->weight[c] / 2;
      const int is_mean = !(triad_layout_size2(l, c, j) > 0);
      double k[3], re = 0, im = 0;
      triad_cplx u[3], gone[3];
      triad_layout_derivative(l, c, j, k);
      double k2 = k[0] * k[0] + k[1] * k[1] + k[2] * k[2];
      for (int i = 0; i < 3; i++) {
        u[i] = field[i][at];
        re += k[i] * (double)u[i].re;
        im += k[i] * (double)u[i].im;
      }
      for (int i = 0; i < 3; i++) {
        gone[i] = is_mean ? u[i] : (triad_cplx){0, 0}; /* with components of 0 and n/2 alone it has no divergence */
        if (k2 > 0) gone[i] = (triad_cplx){(triad_real)(k[i] * re / k2), (triad_real)(k[i] * im / k2)};
        u[i] = (triad_cplx){u[i].re - gone[i].re, u[i].im - gone[i].im};
        field[i][at] = u[i];
      }
      triad_sum_add(&sums[KEPT], half * square(u));
      triad_sum_add(&sums[is_mean ? MEAN : COMPRESSIVE], half * square(gone));
    }
  TRIAD_TRY(triad_sum_all(&flow->context->comm, sums, SUMS, all));
  *kept = all[KEPT];
  *compressive = all[COMPRESSIVE];
  *mean = all[MEAN];
  return TRIAD_OK;
}

int triad_project_all(triad_flow *flow)
{
  double kept, compressive, mean;
  const triad_shape *s = &flow->shape;
  for (int f = 0; f < s->n_fields;) {
    triad_field_group group = triad_field_group_at(s->fields, s->n_fields, f);
    if (group.solenoidal) TRIAD_TRY(triad_project(flow, &group, &kept, &compressive, &mean));
    f += group.n;
  }
  return TRIAD_OK;
}
