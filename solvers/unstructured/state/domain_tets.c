/* Faces between tetrahedra, without stored geometry if loops compute it from corners (tets.h). */
#include "solvers/unstructured/state/domain_tets.h"
#include "solvers/unstructured/state/domain_internal.h"

static const int32_t *corners_of(const triad_mesh *m, int64_t cell) { return m->corner + m->first[cell]; }

/* Three points in common, and no shift between its two sides. */
static int is_pointed(const triad_mesh *m, int64_t face)
{
  const int32_t a = m->cell[face][0], b = m->cell[face][1];
  if (b < 0 || m->patch[face] >= 0 || m->shape[a] != TRIAD_MESH_TET || m->shape[b] != TRIAD_MESH_TET) return 0;
  int common = 0;
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) common += corners_of(m, a)[i] == corners_of(m, b)[j];
  return common == 3;
}

static void set_bits(const triad_unstructured_making *k, int64_t n, triad_unstructured_kept_word *words)
{
  triad_unstructured_domain *d = k->d;
#pragma omp parallel for schedule(static) num_threads(d->context->threads)
  for (int64_t w = 0; w < n; w++)
    for (int64_t f = 32 * w; f < 32 * (w + 1) && f < d->n_inner; f++)
      if (!is_pointed(d->mesh, k->faces[f].face)) words[w].bits |= (uint32_t)1 << f % 32;
  int64_t kept = 0;
  for (int64_t w = 0; w < n; w++) {
    words[w].before = (int32_t)kept;
    kept += __builtin_popcount(words[w].bits);
  }
  d->n_pointed = d->n_inner - kept;
}

/* The same faces on both ranks of those to ghosts, which then find the same bits: so whether it is less is not
 * asked, and it nearly always is. */
int triad_unstructured_find_pointed(triad_unstructured_making *k)
{
  triad_unstructured_domain *d = k->d;
  triad_memory *memory = d->context->memory;
  const int64_t words = (d->n_inner + 31) / 32;
  TRIAD_TRY(TRIAD_ALLOC(memory, "domain", words, &d->kept_words));
  set_bits(k, words, d->kept_words);
  if (d->n_pointed == 0 || d->n_pointed == d->n_inner) TRIAD_FREE(memory, &d->kept_words);
  return TRIAD_OK;
}

void triad_unstructured_pointed_geometry(const triad_unstructured_domain *d, int64_t face,
                                         triad_real out[TRIAD_UNSTRUCTURED_GEOMETRY])
{
  const triad_mesh *m = d->mesh;
  triad_unstructured_tet cell[2];
  double x[5][3];
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < 4; i++) cell[side].point[i] = corners_of(m, d->in_mesh[d->cell[face][side]])[i];
  const int32_t opposite = triad_unstructured_opposite(&cell[0], &cell[1]);
  for (int i = 0; i < 5; i++)
    for (int a = 0; a < 3; a++) x[i][a] = m->x[i < 4 ? cell[0].point[i] : opposite][a];
  triad_unstructured_numbers_of_points(x[0], x[1], x[2], x[3], x[4], out);
}
