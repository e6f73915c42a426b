/* Creation, memory and checksum of a mesh (mesh.h). */
#include "mesh/mesh.h"

#include "base/status.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int triad_mesh_create(triad_mesh **out, triad_memory *memory, int64_t n_points, int64_t n_cells, int64_t n_corners)
{
  triad_mesh *m = *out = calloc(1, sizeof *m);
  if (!m) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "a mesh");
  if (n_points > INT32_MAX || n_cells > INT32_MAX / 4)
    return TRIAD_FAIL(TRIAD_ERR_CASE, "a mesh of %lld points and %lld cells: too large", (long long)n_points,
                      (long long)n_cells);
  m->memory = memory;
  m->n_points = m->all_points = n_points;
  m->n_cells = m->all_cells = n_cells;
  TRIAD_TRY(TRIAD_ALLOC(memory, "mesh", n_points, &m->x));
  TRIAD_TRY(TRIAD_ALLOC(memory, "mesh", n_cells, &m->shape));
  TRIAD_TRY(TRIAD_ALLOC(memory, "mesh", n_cells + 1, &m->first));
  return TRIAD_ALLOC(memory, "mesh", n_corners, &m->corner);
}

static void drop_faces(triad_mesh *m)
{
  TRIAD_FREE(m->memory, &m->cell);
  TRIAD_FREE(m->memory, &m->point);
  TRIAD_FREE(m->memory, &m->points);
  TRIAD_FREE(m->memory, &m->patch);
}

void triad_mesh_free_faces(triad_mesh *m)
{
  drop_faces(m);
  for (int64_t c = 0; c < m->n_cells; c++)
    if (m->shape[c] != TRIAD_MESH_TET) return;
  TRIAD_FREE(m->memory, &m->centre);
  TRIAD_FREE(m->memory, &m->volume);
}

void triad_mesh_destroy(triad_mesh **mesh)
{
  triad_mesh *m = *mesh;
  if (!m) return;
  if (m->memory) {
    TRIAD_FREE(m->memory, &m->x);
    TRIAD_FREE(m->memory, &m->shape);
    TRIAD_FREE(m->memory, &m->first);
    TRIAD_FREE(m->memory, &m->corner);
    TRIAD_FREE(m->memory, &m->first_side);
    TRIAD_FREE(m->memory, &m->first_loop);
    TRIAD_FREE(m->memory, &m->loop);
    drop_faces(m);
    TRIAD_FREE(m->memory, &m->centre);
    TRIAD_FREE(m->memory, &m->volume);
    TRIAD_FREE(m->memory, &m->number);
    TRIAD_FREE(m->memory, &m->point_number);
    TRIAD_FREE(m->memory, &m->owner);
  }
  free(m);
  *mesh = NULL;
}

int triad_mesh_patch(triad_mesh *m, const char *name)
{
  for (int i = 0; i < m->n_patches; i++)
    if (strcmp(m->patch_name[i], name) == 0) return i;
  if (m->n_patches == TRIAD_MESH_PATCHES) return -1;
  (void)snprintf(m->patch_name[m->n_patches], TRIAD_MESH_NAME, "%s", name);
  return m->n_patches++;
}

uint64_t triad_mesh_checksum_begin(int64_t cells, int64_t points)
{
  return (uint64_t)cells * 0x9e3779b97f4a7c15u ^ (uint64_t)points;
}

uint64_t triad_mesh_checksum_cells(uint64_t sum, const triad_mesh *m)
{
  for (int64_t i = 0; i < m->first[m->n_cells]; i++) sum = (sum ^ (uint64_t)m->corner[i]) * 0x100000001b3u;
  return sum;
}

uint64_t triad_mesh_checksum_sides(uint64_t sum, const triad_mesh *m)
{
  for (int64_t s = 0; m->first_side && s < m->first_side[m->n_cells]; s++)
    for (int64_t i = m->first_loop[s]; i < m->first_loop[s + 1]; i++)
      sum = (sum ^ (uint64_t)m->loop[i] ^ (uint64_t)(i == m->first_loop[s]) << 32) * 0x100000001b3u;
  return sum;
}

uint64_t triad_mesh_checksum_points(uint64_t sum, const double (*x)[3], int64_t n)
{
  for (int64_t i = 0; i < n; i++)
    for (int a = 0; a < 3; a++) {
      uint64_t bits;
      memcpy(&bits, &x[i][a], sizeof bits);
      sum = (sum ^ bits ^ sum >> 29) * 0xbf58476d1ce4e5b9u;
    }
  return sum;
}

uint64_t triad_mesh_checksum(const triad_mesh *m)
{
  const uint64_t sum =
    triad_mesh_checksum_sides(triad_mesh_checksum_cells(triad_mesh_checksum_begin(m->n_cells, m->n_points), m), m);
  return triad_mesh_checksum_end(triad_mesh_checksum_points(sum, (const double(*)[3])m->x, m->n_points));
}
