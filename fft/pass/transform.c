/* Transform whole fields by a pass whose other side stores or loads rows of points. */
#include "fft/pass/transform.h"

#include <string.h>

typedef struct transform {
  const triad_layout *layout;
  int n;
  const triad_real *const *from_physical;
  triad_real *const *to_physical;
  const triad_cplx *const *from_spectral;
  triad_cplx *const *to_spectral;
} transform;

void triad_batch_put(const triad_batch *b, const triad_cplx *field, triad_cplx *rows)
{
  const triad_layout *l = b->layout;
  const triad_cplx *from = field + b->block * l->nkz * TRIAD_LANES;
  size_t row = TRIAD_LANES * sizeof *rows;
  memcpy(rows, from, (size_t)l->kz_positive * row);
  memcpy(triad_batch_row(b, rows, l->kz_positive), from + l->kz_positive * TRIAD_LANES,
         (size_t)(l->nkz - l->kz_positive) * row);
}

void triad_batch_keep(const triad_batch *b, triad_cplx *rows, triad_cplx *field)
{
  const triad_layout *l = b->layout;
  const int32_t *extent = l->kz_extent + b->block * TRIAD_LANES;
  for (int64_t j = 0; j < l->nkz; j++) {
    const triad_cplx *from = triad_batch_row(b, rows, j);
    triad_cplx *to = field + (b->block * l->nkz + j) * TRIAD_LANES;
    int32_t kz = l->kz[j] < 0 ? -l->kz[j] : l->kz[j];
    for (int lane = 0; lane < TRIAD_LANES; lane++) to[lane] = kz <= extent[lane] ? from[lane] : (triad_cplx){0, 0};
  }
}

static void put_fields(void *self, const triad_batch *block, triad_cplx *const *in)
{
  const transform *t = self;
  for (int f = 0; f < t->n; f++) triad_batch_put(block, t->from_spectral[f], in[f]);
}

static void keep_fields(void *self, const triad_batch *block, triad_cplx *const *out)
{
  const transform *t = self;
  for (int f = 0; f < t->n; f++) triad_batch_keep(block, out[f], t->to_spectral[f]);
}

static void store_row(void *self, const triad_patch *at, triad_real *const *in, triad_real *const *out, double *peaks)
{
  const transform *t = self;
  (void)out;
  (void)peaks;
  for (int f = 0; f < t->n; f++)
    memcpy(t->to_physical[f] + triad_layout_row(t->layout, at->y, at->z), in[f], (size_t)at->n * sizeof **in);
}

static void load_row(void *self, const triad_patch *at, triad_real *const *in, triad_real *const *out, double *peaks)
{
  const transform *t = self;
  (void)in;
  (void)peaks;
  for (int f = 0; f < t->n; f++)
    memcpy(out[f], t->from_physical[f] + triad_layout_row(t->layout, at->y, at->z), (size_t)at->n * sizeof **out);
}

int triad_forward(triad_pass *pass, const triad_layout *layout, int n, const triad_real *const *physical,
                  triad_cplx *const *spectral)
{
  transform t = {.layout = layout, .n = n, .from_physical = physical, .to_spectral = spectral};
  triad_work work = {.n_out = n, .points = load_row, .sink = keep_fields, .self = &t, .skew = layout->skew};
  return triad_pass_run(pass, &work);
}

int triad_backward(triad_pass *pass, const triad_layout *layout, int n, const triad_cplx *const *spectral,
                   triad_real *const *physical)
{
  transform t = {.layout = layout, .n = n, .from_spectral = spectral, .to_physical = physical};
  triad_work work = {.n_in = n, .source = put_fields, .points = store_row, .self = &t, .skew = layout->skew};
  return triad_pass_run(pass, &work);
}
