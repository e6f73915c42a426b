/* Multiply the modes of a block of columns by exp(i k.s), or by its conjugate. */
#include "fft/pass/shift.h"

#include <math.h>

struct triad_shift {
  const triad_layout *layout;
  triad_cplx *along_z; /* [nkz] exp(i kz s_z)                        */
  double angle[3];     /* 2 pi s/n: what one of the modes turns by   */
  int any;
};

int triad_shift_create(triad_shift **out, triad_memory *memory, const triad_layout *layout)
{
  TRIAD_TRY(TRIAD_ALLOC(memory, "shifts", 1, out));
  (*out)->layout = layout;
  return TRIAD_ALLOC(memory, "shifts", layout->nkz, &(*out)->along_z);
}

void triad_shift_destroy(triad_shift **shift, triad_memory *memory)
{
  if (*shift) TRIAD_FREE(memory, &(*shift)->along_z);
  TRIAD_FREE(memory, shift);
}

static triad_cplx turn(double angle) { return (triad_cplx){(triad_real)cos(angle), (triad_real)sin(angle)}; }

void triad_shift_set(triad_shift *s, const double *cells)
{
  if (!s) return;
  const triad_layout *l = s->layout;
  s->any = cells && (cells[0] != 0 || cells[1] != 0 || cells[2] != 0);
  if (!s->any) return;
  for (int i = 0; i < 3; i++) s->angle[i] = 2 * TRIAD_PI * cells[i] / (double)l->grid.n[i];
  for (int64_t j = 0; j < l->nkz; j++) s->along_z[j] = turn(s->angle[2] * (double)l->kz[j]);
}

void triad_shift_block(const triad_shift *s, const triad_batch *block, int sign, int n, triad_cplx *const *fields)
{
  if (!s || !s->any) return;
  const triad_layout *l = s->layout;
  const int32_t *kx = l->kx + block->block * TRIAD_LANES, *ky = l->ky + block->block * TRIAD_LANES;
  triad_real re[TRIAD_LANES], im[TRIAD_LANES], c[TRIAD_LANES], d[TRIAD_LANES];
  for (int i = 0; i < TRIAD_LANES; i++) {
    triad_cplx t = turn(sign * (s->angle[0] * kx[i] + s->angle[1] * ky[i]));
    re[i] = t.re;
    im[i] = t.im;
  }
  for (int64_t j = 0; j < l->nkz; j++) {
    const triad_real zr = s->along_z[j].re, zi = (triad_real)sign * s->along_z[j].im;
    for (int i = 0; i < TRIAD_LANES; i++) {
      c[i] = re[i] * zr - im[i] * zi;
      d[i] = re[i] * zi + im[i] * zr;
    }
    for (int f = 0; f < n; f++) {
      triad_cplx *row = triad_batch_row(block, fields[f], j);
#pragma omp simd
      for (int i = 0; i < TRIAD_LANES; i++) {
        const triad_real a = row[i].re, b = row[i].im;
        row[i] = (triad_cplx){a * c[i] - b * d[i], a * d[i] + b * c[i]};
      }
    }
  }
}
