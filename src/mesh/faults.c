/* Messages about invalid cells of a mesh. */
#include "mesh/mesh.h"
#include "mesh/sizes.h"

#include <stdio.h>

void triad_mesh_describe(const triad_mesh *m, int64_t c, char text[TRIAD_MESH_CELL_TEXT])
{
  double mean[3] = {0, 0, 0};
  int64_t n = m->first[c + 1] - m->first[c];
  for (int64_t i = m->first[c]; i < m->first[c + 1]; i++)
    for (int a = 0; a < 3; a++) mean[a] += m->x[m->corner[i]][a] / (double)n;
  (void)snprintf(text, TRIAD_MESH_CELL_TEXT, "cell %lld (a %s about %.6g, %.6g, %.6g)",
                 (long long)triad_mesh_number(m, c), triad_mesh_shapes[m->shape[c]].name, mean[0], mean[1], mean[2]);
}

/* The local index of the own cell with this global number; -1: this rank does not own it. */
static int64_t find_cell(const triad_mesh *m, int rank, int64_t number)
{
  int64_t low = 0, high = m->n_cells;
  if (!m->number) return number;
  while (low < high) {
    const int64_t middle = (low + high) / 2;
    if (m->number[middle] < number) low = middle + 1;
    else high = middle;
  }
  return low < m->n_cells && m->number[low] == number && m->owner[low] == rank ? low : -1;
}

static void note_flat(const triad_mesh *m, int64_t n, int64_t all, int64_t first, double volume, triad_faults *faults)
{
  char text[TRIAD_MESH_CELL_TEXT];
  triad_mesh_describe(m, first, text);
  triad_fault(faults, "%lld of %lld cells of the mesh are left-handed or flat, the first %s, with volume %.3g",
              (long long)n, (long long)all, text, volume);
}

void triad_mesh_note_sizes(const triad_mesh *m, int rank, const triad_mesh_size_faults *found, triad_faults *faults)
{
  const int64_t leaky = found->leaky > 0 ? find_cell(m, rank, found->first_leaky) : -1,
                flat = found->flat > 0 ? find_cell(m, rank, found->first_flat) : -1;
  char text[TRIAD_MESH_CELL_TEXT];
  if (leaky >= 0) {
    triad_mesh_describe(m, leaky, text);
    triad_fault(faults, "%lld cells of the mesh are not closed, the first is %s", (long long)found->leaky, text);
  }
  if (flat >= 0) note_flat(m, found->flat, m->all_cells, flat, m->volume[flat], faults);
}

int triad_mesh_note_turned(triad_mesh *m, triad_faults *faults)
{
  int64_t first = 0;
  double of_first = 0;
  for (int64_t c = 0; c < m->n_cells && !m->looked; c++) {
    double centre[3];
    const double volume = triad_mesh_middle(m, c, centre);
    if (volume > 0 || m->turned++ > 0) continue;
    first = c;
    of_first = volume;
  }
  if (m->turned > 0 && !m->looked) note_flat(m, m->turned, m->n_cells, first, of_first, faults);
  m->looked = 1;
  return m->turned > 0;
}
