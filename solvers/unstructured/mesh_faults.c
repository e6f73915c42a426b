/* What is said of cells that a mesh cannot have. */
#include "base/status.h"
#include "solvers/unstructured/mesh.h"

#include <stdio.h>

void triad_fct_mesh_describe(const triad_fct_mesh *m, int64_t c, char text[TRIAD_FCT_CELL_TEXT])
{
  double mean[3] = {0, 0, 0};
  int64_t n = m->first[c + 1] - m->first[c];
  for (int64_t i = m->first[c]; i < m->first[c + 1]; i++)
    for (int a = 0; a < 3; a++) mean[a] += m->x[m->corner[i]][a] / (double)n;
  (void)snprintf(text, TRIAD_FCT_CELL_TEXT, "cell %lld (a %s about %.6g, %.6g, %.6g)", (long long)triad_fct_mesh_number(m, c),
                 triad_fct_shapes[m->shape[c]].name, mean[0], mean[1], mean[2]);
}

/* Where an own cell stands, by its number; -1: it is not this rank's. */
static int64_t find_cell(const triad_fct_mesh *m, int rank, int64_t number)
{
  int64_t low = 0, high = m->n_cells;
  if (!m->number) return number;
  while (low < high) {
    const int64_t middle = (low + high) / 2;
    if (m->number[middle] < number)
      low = middle + 1;
    else
      high = middle;
  }
  return low < m->n_cells && m->number[low] == number && m->owner[low] == rank ? low : -1;
}

int triad_fct_mesh_refuse(const triad_fct_mesh *m, int rank, const triad_fct_faults *faults)
{
  const int64_t first = faults->leaky > 0 ? faults->first_leaky : faults->first_flat;
  char text[TRIAD_FCT_CELL_TEXT];
  if (faults->leaky == 0 && faults->flat == 0) return TRIAD_OK;
  const int64_t c = find_cell(m, rank, first);
  if (c < 0) return TRIAD_OK;
  triad_fct_mesh_describe(m, c, text);
  if (faults->leaky > 0)
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%lld cells of the mesh are not closed, the first one is %s", (long long)faults->leaky,
                      text);
  return TRIAD_FAIL(TRIAD_ERR_CASE, "%lld cells of the mesh have no positive volume, the first one is %s: %.3g",
                    (long long)faults->flat, text, m->volume[c]);
}

int triad_fct_mesh_refuse_turned(const triad_fct_mesh *m, int64_t a, int64_t b)
{
  int64_t turned = 0, first = a;
  char text[TRIAD_FCT_CELL_TEXT];
  for (int64_t c = 0; c < m->n_cells; c++) {
    double centre[3];
    if (!(triad_fct_mesh_middle(m, c, centre) > 0) && turned++ == 0) first = c;
  }
  triad_fct_mesh_describe(m, first, text);
  if (turned == 0)
    return TRIAD_FAIL(TRIAD_ERR_CASE, "cells %lld and %lld of the mesh lie on one side of the face between them, and overlap: %s",
                      (long long)triad_fct_mesh_number(m, a), (long long)triad_fct_mesh_number(m, b), text);
  return TRIAD_FAIL(TRIAD_ERR_CASE, "cells %lld and %lld of the mesh lie on one side of the face between them: %lld cells%s are left-handed, the "
                                    "first one is %s", (long long)triad_fct_mesh_number(m, a), (long long)triad_fct_mesh_number(m, b),
                    (long long)turned, m->number ? " of this rank's part" : "", text);
}
