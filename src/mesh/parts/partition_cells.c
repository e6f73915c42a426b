/* Cells as lists of integers for messages: number, shape and corners. For polyhedra the counts of corners and sides
 * precede them, and each side's points, after their count, follow. */
#include "mesh/parts/partition_cells.h"
#include "mesh/parts/partition_internal.h"

#include <string.h>

static int is_polyhedron(int32_t shape) { return shape == TRIAD_MESH_POLYHEDRON; }

static int64_t sides_of(const triad_mesh *m, int64_t c) { return m->first_side[c + 1] - m->first_side[c]; }

int64_t triad_mesh_packed_size(const triad_mesh *m, int64_t c)
{
  const int64_t n = 2 + m->first[c + 1] - m->first[c];
  if (!is_polyhedron(m->shape[c])) return n;
  return n + 2 + sides_of(m, c) + m->first_loop[m->first_side[c + 1]] - m->first_loop[m->first_side[c]];
}

int64_t triad_mesh_pack_cell(const triad_mesh *m, int64_t c, int32_t number, int32_t *out)
{
  const int64_t corners = m->first[c + 1] - m->first[c];
  int64_t n = 2;
  out[0] = number;
  out[1] = m->shape[c];
  if (is_polyhedron(out[1])) {
    out[n++] = (int32_t)corners;
    out[n++] = (int32_t)sides_of(m, c);
  }
  memcpy(out + n, m->corner + m->first[c], (size_t)corners * sizeof *out);
  n += corners;
  for (int64_t s = 0; is_polyhedron(out[1]) && s < sides_of(m, c); s++) {
    const int64_t *first = m->first_loop + m->first_side[c] + s, points = first[1] - first[0];
    out[n++] = (int32_t)points;
    memcpy(out + n, m->loop + first[0], (size_t)points * sizeof *out);
    n += points;
  }
  return n;
}

void triad_mesh_packed_read(const int32_t *list, triad_mesh_packed *out)
{
  const int polyhedron = is_polyhedron(list[1]);
  *out = (triad_mesh_packed){.number = list[0],
                             .shape = list[1],
                             .corners = polyhedron ? list[2] : triad_mesh_shapes[list[1]].corners,
                             .sides = polyhedron ? list[3] : 0,
                             .corner = list + (polyhedron ? 4 : 2)};
  out->side = out->corner + out->corners;
  out->size = out->side - list;
  for (int32_t s = 0; s < out->sides; s++) {
    const int32_t n = list[out->size];
    out->points += n;
    out->size += 1 + n;
  }
}

void triad_mesh_packed_put(const triad_mesh_packed *p, triad_mesh *m, int64_t c, int64_t corner, int64_t side,
                           int64_t loop)
{
  const int32_t *from = p->side;
  m->shape[c] = (uint8_t)p->shape;
  memcpy(m->corner + corner, p->corner, (size_t)p->corners * sizeof *m->corner);
  for (int32_t s = 0; s < p->sides; s++) {
    const int32_t n = *from++;
    memcpy(m->loop + loop, from, (size_t)n * sizeof *m->loop);
    from += n;
    loop += n;
    m->first_loop[side + s + 1] = loop;
  }
}

void triad_mesh_packed_renumber(int32_t *list, int64_t n, const int32_t *number)
{
  triad_mesh_packed p;
  for (int64_t at = 0; at < n; at += p.size) {
    triad_mesh_packed_read(list + at, &p);
    int64_t i = at + (p.corner - (list + at));
    for (int32_t k = 0; k < p.corners; k++, i++) list[i] = number[list[i]];
    for (int32_t s = 0; s < p.sides; s++)
      for (int32_t k = list[i++]; k > 0; k--, i++) list[i] = number[list[i]];
  }
}

/* How many cells numbers begin .. end - 1 are; their corners, sides and points of sides are added. */
static int64_t count(const int32_t *list, int64_t begin, int64_t end, int64_t *corners, int64_t *sides, int64_t *points)
{
  int64_t cells = 0;
  for (triad_mesh_packed p; begin < end; begin += p.size, cells++) {
    triad_mesh_packed_read(list + begin, &p);
    *corners += p.corners;
    *sides += p.sides;
    *points += p.points;
  }
  return cells;
}

int triad_mesh_unpack_cells(triad_mesh **out, const triad_context *context, const triad_mesh_delivery *d,
                            int64_t *cells)
{
  const int32_t *list = d->received;
  int64_t begin = 0, n = 0, corners = 0, sides = 0, points = 0;
  for (int r = 0; r < context->comm.size; r++) {
    cells[r] = count(list, begin, begin + d->got[r], &corners, &sides, &points);
    begin += d->got[r];
    n += cells[r];
  }
  TRIAD_TRY(triad_mesh_create(out, context->memory, 0, n, corners));
  triad_mesh *m = *out;
  TRIAD_TRY(TRIAD_ALLOC(context->memory, "the mesh partition", n, &m->number));
  if (sides > 0) TRIAD_TRY(triad_mesh_alloc_sides(m, sides, points));
  for (int64_t c = 0, at = 0, side = 0, loop = 0; c < n; c++) {
    triad_mesh_packed p;
    triad_mesh_packed_read(list + at, &p);
    m->number[c] = p.number;
    m->first[c + 1] = m->first[c] + p.corners;
    triad_mesh_packed_put(&p, m, c, m->first[c], side, loop);
    at += p.size;
    side += p.sides;
    loop += p.points;
    if (sides > 0) m->first_side[c + 1] = side;
  }
  return TRIAD_OK;
}
