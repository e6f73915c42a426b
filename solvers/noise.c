/* Draw and advance the Ornstein-Uhlenbeck processes of the modes of a band. */
#include "solvers/noise.h"

#include "base/random.h"

#include <math.h>
#include <stdlib.h>

void triad_random_vector(uint64_t key, const int32_t k[3], const double w[3], uint32_t draw, double helicity,
                         double re[3], double im[3])
{
  double across = hypot(w[0], w[1]), length = hypot(across, w[2]);
  /* e1, e2, k/|k| is a right-handed frame; e1 lies in the x-y plane */
  double e1[3] = {1, 0, 0}, e2[3] = {0, copysign(1, w[2]), 0};
  if (across > 0) {
    e1[0] = -w[1] / across;
    e1[1] = w[0] / across;
    e2[0] = -w[0] * w[2] / (across * length);
    e2[1] = -w[1] * w[2] / (across * length);
    e2[2] = across / length;
  }
  double a[4];
  triad_random_normals(triad_random_bits(key, k[0], k[1], k[2], draw), &a[0], &a[1]);
  triad_random_normals(triad_random_bits(key, k[0], k[1], k[2], draw + 1), &a[2], &a[3]);
  double plus = sqrt((1 + helicity) / 2) / 2, minus = sqrt((1 - helicity) / 2) / 2;
  for (int i = 0; i < 3; i++) { /* h+- = (e1 +- i e2)/sqrt 2, and each a has mean square 2 */
    re[i] = plus * (a[0] * e1[i] - a[1] * e2[i]) + minus * (a[2] * e1[i] + a[3] * e2[i]);
    im[i] = plus * (a[1] * e1[i] + a[0] * e2[i]) + minus * (a[3] * e1[i] - a[2] * e2[i]);
  }
}

static int among(const triad_grid *g, const int64_t k[3], const double band[2], double w[3])
{
  double size = 0;
  const int upper = k[0] > 0 || (k[0] == 0 && (k[1] > 0 || (k[1] == 0 && k[2] > 0))); /* of a pair of conjugates */
  if (!upper || !triad_grid_excites(g, k[0], k[1], k[2])) return 0;
  for (int i = 0; i < 3; i++) {
    w[i] = triad_grid_size_wavenumber(g, i, k[i]);
    size += w[i] * w[i];
  }
  size = sqrt(size) / triad_grid_k_min(g);
  return size > 0 && size >= band[0] - 1e-9 && size <= band[1] + 1e-9;
}

/* Count the modes of the band, and note them where there is room. */
static int64_t walk(triad_noise *n, const triad_grid *g, const double band[2], int note)
{
  int64_t most[3], k[3], count = 0;
  for (int i = 0; i < 3; i++) {
    const double reach = (band[1] + 1e-9) * triad_grid_k_min(g) / (6.283185307179586476925 / g->length[i]);
    most[i] = reach < (double)g->kmax[i] ? (int64_t)reach : g->kmax[i];
  }
  for (k[0] = 0; k[0] <= most[0]; k[0]++)
    for (k[1] = -most[1]; k[1] <= most[1]; k[1]++)
      for (k[2] = -most[2]; k[2] <= most[2]; k[2]++) {
        double w[3];
        if (!among(g, k, band, w)) continue;
        for (int i = 0; note && i < 3; i++) {
          n->k[count][i] = k[i];
          n->w[count][i] = w[i];
        }
        count++;
      }
  return count;
}

int triad_noise_create(triad_noise *n, triad_memory *m, const triad_grid *g, const double band[2], const char *key)
{
  n->count = walk(n, g, band, 0);
  if (n->count == 0) return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: the band contains no mode of this grid: widen it", key);
  if (n->count > TRIAD_NOISE_MODES)
    return TRIAD_FAIL(TRIAD_ERR_CASE,
                      "%s: a force with a correlation time supports at most %d pairs of modes, but the band contains "
                      "%lld: use a narrower band",
                      key, TRIAD_NOISE_MODES, (long long)n->count);
  TRIAD_TRY(TRIAD_ALLOC(m, "forcing", n->count, &n->k));
  TRIAD_TRY(TRIAD_ALLOC(m, "forcing", n->count, &n->w));
  TRIAD_TRY(TRIAD_ALLOC(m, "forcing", 2 * n->components * n->count, &n->normal));
  (void)walk(n, g, band, 1);
  return TRIAD_OK;
}

void triad_noise_free(triad_noise *n, triad_memory *m)
{
  TRIAD_FREE(m, &n->k);
  TRIAD_FREE(m, &n->w);
  TRIAD_FREE(m, &n->normal);
}

/* One draw of mode i, mean square 1. */
static void draw_one(const triad_noise *n, int64_t i, uint32_t draw, double re[3], double im[3])
{
  const int32_t k[3] = {(int32_t)n->k[i][0], (int32_t)n->k[i][1], (int32_t)n->k[i][2]};
  const uint64_t key = triad_random_key(n->seed, TRIAD_STREAM_FORCING),
                 other = triad_random_key(n->seed, TRIAD_STREAM_ALONG);
  double a, b, size = sqrt(n->w[i][0] * n->w[i][0] + n->w[i][1] * n->w[i][1] + n->w[i][2] * n->w[i][2]);
  if (n->components == 1) {
    triad_random_normals(triad_random_bits(key, k[0], k[1], k[2], draw), &re[0], &im[0]);
    re[0] *= sqrt(0.5);
    im[0] *= sqrt(0.5);
    return;
  }
  triad_random_vector(key, k, n->w[i], draw, n->helicity, re, im);
  if (n->solenoidal >= 1) return;
  triad_random_normals(triad_random_bits(other, k[0], k[1], k[2], draw), &a, &b);
  for (int c = 0; c < 3; c++) {
    const double along = sqrt((1 - n->solenoidal) / 2) * n->w[i][c] / size;
    re[c] = sqrt(n->solenoidal) * re[c] + along * a;
    im[c] = sqrt(n->solenoidal) * im[c] + along * b;
  }
}

static void draw(triad_noise *n, int64_t step, double keep, double add)
{
  for (int64_t i = 0; i < n->count; i++) {
    double re[3], im[3], *to = n->normal + 2 * n->components * i;
    draw_one(n, i, (uint32_t)(2 * step), re, im);
    for (int c = 0; c < n->components; c++) {
      to[2 * c] = keep * to[2 * c] + add * re[c];
      to[2 * c + 1] = keep * to[2 * c + 1] + add * im[c];
    }
  }
}

void triad_noise_begin(triad_noise *n, int64_t step)
{
  for (int64_t i = 0; i < 2 * n->components * n->count; i++) n->normal[i] = 0;
  draw(n, step, 0, 1);
}

void triad_noise_advance(triad_noise *n, int64_t step, double dt)
{
  draw(n, step, exp(-dt / n->time), sqrt(-expm1(-2 * dt / n->time)));
}

static int by_place(const void *a, const void *b)
{
  const int64_t *p = a, *q = b;
  for (int i = 0; i < 3; i++)
    if (p[i] != q[i]) return p[i] < q[i] ? -1 : 1;
  return 0;
}

int64_t triad_noise_find(const triad_noise *n, const int64_t k[3], double *sign)
{
  for (int turned = 0; turned < 2; turned++) {
    const int64_t at[3] = {turned ? -k[0] : k[0], turned ? -k[1] : k[1], turned ? -k[2] : k[2]};
    const int64_t(*found)[3] = bsearch(at, n->k, (size_t)n->count, sizeof *n->k, by_place);
    *sign = turned ? -1 : 1;
    if (found) return found - (const int64_t(*)[3])n->k;
  }
  return -1;
}

int triad_noise_keep(const triad_noise *n, triad_notes *notes)
{
  return triad_notes_set_reals(notes, "forcing_noise", 2 * n->components * n->count, n->normal);
}

int triad_noise_is_in(const triad_notes *notes) { return triad_notes_has(notes, "forcing_noise"); }

int triad_noise_take(triad_noise *n, const triad_notes *notes)
{
  return triad_notes_reals(notes, "forcing_noise", 2 * n->components * n->count, n->normal);
}
