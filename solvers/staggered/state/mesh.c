/* Compute cell sizes and open faces of a rank's block, and fill and exchange its halos. */
#include "solvers/staggered/state/mesh.h"

#include "solvers/staggered/points/staggered_points.h"
#include "solvers/staggered/state/regions.h"

#include <stdlib.h>
#include <string.h>

/* Cell i of the whole grid, also beyond its ends: of the other end where the axis is periodic, else a mirror image. */
static double width(const triad_staggered_mesh *m, int axis, int64_t i)
{
  int64_t n = m->setup.n[axis];
  if (m->blocks.periodic[axis]) i = (i % n + n) % n;
  else if (i < 0) i = -1 - i;
  else if (i >= n) i = 2 * n - 1 - i;
  return m->face[axis][i + 1] - m->face[axis][i];
}

static void set_sizes(triad_staggered_mesh *m)
{
  triad_real *next = m->memory;
  for (int i = 0; i < 3; i++) {
    int64_t local = m->blocks.local[i], begin = m->blocks.begin[i];
    triad_real *h = next + 1, *d = h + local + 2, *per_h = d + local + 2, *per_d = per_h + local + 2;
    next += 4 * (local + 2);
    for (int64_t c = -1; c <= local; c++) {
      double here = width(m, i, begin + c), between = (width(m, i, begin + c - 1) + here) / 2;
      h[c] = (triad_real)here;
      d[c] = (triad_real)between;
      per_h[c] = (triad_real)(1 / here);
      per_d[c] = (triad_real)(1 / between);
    }
    m->sizes.h[i] = h;
    m->sizes.d[i] = d;
    m->sizes.per_h[i] = per_h;
    m->sizes.per_d[i] = per_d;
    m->sizes.step[i] = m->setup.n[i] > 1 ? m->blocks.stride[i] : 0;
  }
}

static void set_positions(triad_staggered_mesh *m)
{
  for (int i = 0; i < 3; i++) {
    int64_t n = m->setup.n[i];
    for (int64_t f = 0; f <= n; f++) m->face[i][f] = triad_staggered_face(&m->setup, i, f);
    for (int64_t c = 0; c < n; c++) m->centre[i][c] = (m->face[i][c] + m->face[i][c + 1]) / 2;
  }
}

static int make_sizes(triad_staggered_mesh *m)
{
  int64_t all = 0;
  for (int i = 0; i < 3; i++) {
    all += 4 * (m->blocks.local[i] + 2);
    TRIAD_TRY(TRIAD_ALLOC(m->context->memory, "positions", m->setup.n[i] + 1, &m->face[i]));
    TRIAD_TRY(TRIAD_ALLOC(m->context->memory, "positions", m->setup.n[i], &m->centre[i]));
  }
  TRIAD_TRY(TRIAD_ALLOC(m->context->memory, "sizes of cells", all, &m->memory));
  set_positions(m);
  set_sizes(m);
  return TRIAD_OK;
}

void triad_staggered_mesh_resize(triad_staggered_mesh *m, const double length[3])
{
  for (int i = 0; i < 3; i++) m->setup.length[i] = length[i];
  set_positions(m);
  set_sizes(m);
}

/* ---- which faces are open ---- */

/* A field with 1 in solid cells, its halo too. */
static void spread(const triad_staggered_mesh *m, const uint8_t *solid, triad_real *out)
{
  const triad_partition *b = &m->blocks;
  triad_real *const fields[1] = {out};
  for (int64_t z = 0, i = 0; solid && z < b->local[2]; z++)
    for (int64_t y = 0; y < b->local[1]; y++)
      for (int64_t x = 0; x < b->local[0]; x++) out[triad_partition_at(b, x, y, z)] = solid[i++];
  triad_halo_exchange(m->velocities, fields, 1);
}

/* Bits of an own cell: a face is open between two cells that are fluid, if it is not a boundary of the box. */
static int bits_of(const triad_staggered_mesh *m, const triad_real *solid, const int64_t c[3])
{
  const triad_partition *b = &m->blocks;
  int64_t at = triad_partition_at(b, c[0], c[1], c[2]);
  int bits = 0;
  if (solid[at] > 0) return TRIAD_STAGGERED_SOLID;
  for (int i = 0; i < 3; i++) {
    int64_t place = b->begin[i] + c[i], t = m->sizes.step[i];
    if ((b->periodic[i] || place > 0) && !(solid[at - t] > 0)) bits |= TRIAD_STAGGERED_LOWER(i);
    if ((b->periodic[i] || place < b->n[i] - 1) && !(solid[at + t] > 0)) bits |= TRIAD_STAGGERED_UPPER(i);
  }
  return bits;
}

/* Beyond a wall a velocity along it has ghosts like any other, and nothing goes through the wall. */
static int beyond_wall(const triad_staggered_mesh *m, const int64_t c[3], int *bits)
{
  const triad_partition *b = &m->blocks;
  int is = 0;
  *bits = TRIAD_STAGGERED_LOWER(0) | TRIAD_STAGGERED_LOWER(1) | TRIAD_STAGGERED_LOWER(2);
  for (int i = 0; i < 3; i++) {
    int64_t place = b->begin[i] + c[i];
    if (b->periodic[i] || (place >= 0 && place < b->n[i])) continue;
    *bits &= ~TRIAD_STAGGERED_LOWER(i);
    is = 1;
  }
  return is;
}

/* Set the bits of own cells, then of halo cells that other ranks own, which are exchanged as a field. */
static void fill_open(triad_staggered_mesh *m, const triad_real *solid, triad_real *bits)
{
  const triad_partition *b = &m->blocks;
  for (int64_t z = 0; z < b->local[2]; z++)
    for (int64_t y = 0; y < b->local[1]; y++)
      for (int64_t x = 0; x < b->local[0]; x++)
        bits[triad_partition_at(b, x, y, z)] = (triad_real)bits_of(m, solid, (const int64_t[3]){x, y, z});
  triad_real *const fields[1] = {bits};
  triad_halo_exchange(m->velocities, fields, 1);
  for (int64_t z = -b->halo[2]; z < b->local[2] + b->halo[2]; z++)
    for (int64_t y = -b->halo[1]; y < b->local[1] + b->halo[1]; y++)
      for (int64_t x = -b->halo[0]; x < b->local[0] + b->halo[0]; x++) {
        int64_t at = triad_partition_at(b, x, y, z);
        int ghost;
        m->open[at] = (uint8_t)(beyond_wall(m, (const int64_t[3]){x, y, z}, &ghost) ? ghost : (int)bits[at]);
      }
}

/* Where bits must not depend on who has which cells, all rows are alike: loops with and without open faces round
 * differently. */
static void mark_rows(triad_staggered_mesh *m)
{
  const triad_partition *b = &m->blocks;
  const int64_t *step = m->sizes.step;
  for (int64_t z = -1; z <= b->local[2]; z++)
    for (int64_t y = -1; y <= b->local[1]; y++) {
      uint8_t *masked = m->masked + triad_staggered_row_number(m, y, z);
      const uint8_t *open = m->open + b->origin + y * step[1] + z * step[2];
      *masked = m->solids && m->setup.reproducible;
      /* the cell before the first, too: of its solids the first face is aware */
      for (int64_t x = b->halo[0] > 0 ? -1 : 0; x < b->local[0] && m->solids; x++)
        *masked |= (open[x] & TRIAD_STAGGERED_ALL_OPEN) != TRIAD_STAGGERED_ALL_OPEN;
    }
}

/* The sides of a cell of fluid where solids are. */
static int sides_of(const triad_staggered_mesh *m, int64_t at)
{
  int sides = 0;
  if (m->open[at] & TRIAD_STAGGERED_SOLID) return 0;
  for (int i = 0; i < 6; i++) {
    const int64_t t = m->sizes.step[i / 2];
    if (!(m->open[at] >> i & 1) && m->open[i % 2 ? at + t : at - t] & TRIAD_STAGGERED_SOLID) sides |= 1 << i;
  }
  return sides;
}

/* List the cells that adjoin solids, and return their number; NULL: only count. */
static int64_t list_beside(const triad_staggered_mesh *m, triad_staggered_beside *list)
{
  const triad_partition *b = &m->blocks;
  int64_t n = 0;
  for (int64_t z = 0; z < b->local[2] && m->solids; z++)
    for (int64_t y = 0; y < b->local[1]; y++)
      for (int64_t x = 0; x < b->local[0] && triad_staggered_is_masked(m, y, z); x++) {
        int sides = sides_of(m, triad_partition_at(b, x, y, z));
        if (sides && list) list[n] = (triad_staggered_beside){{(int32_t)x, (int32_t)y, (int32_t)z}, sides};
        n += sides > 0;
      }
  return n;
}

static int find_beside(triad_staggered_mesh *m)
{
  TRIAD_FREE(m->context->memory, &m->beside);
  m->placed++;
  m->n_beside = list_beside(m, NULL);
  int st = TRIAD_OK;
  if (m->n_beside > 0) st = TRIAD_ALLOC(m->context->memory, "cells next to solids", m->n_beside, &m->beside);
  if (st == TRIAD_OK && m->n_beside > 0) (void)list_beside(m, m->beside);
  return triad_agree(&m->context->comm, st);
}

int triad_staggered_mesh_solids(triad_staggered_mesh *m, const uint8_t *solid)
{
  const triad_comm *comm = &m->context->comm;
  triad_real *field = NULL, *bits = NULL;
  int any[2] = {solid != NULL, 0}, all[2];
  for (int i = 0; i < 3; i++) any[1] |= !m->blocks.periodic[i];
  int st = TRIAD_ALLOC(m->context->memory, "solids", m->blocks.volume, &field);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(m->context->memory, "solids", m->blocks.volume, &bits);
  st = triad_agree(comm, st);
  if (st == TRIAD_OK) {
    spread(m, solid, field);
    fill_open(m, field, bits);
    st = triad_agree(comm, TRIAD_MPI(MPI_Allreduce(any, all, 2, MPI_INT, MPI_MAX, comm->mpi)));
  }
  TRIAD_FREE(m->context->memory, &field);
  TRIAD_FREE(m->context->memory, &bits);
  if (st != TRIAD_OK) return st;
  m->solids = all[0];
  m->closed = all[0] || all[1];
  mark_rows(m);
  TRIAD_TRY(find_beside(m));
  TRIAD_TRY(triad_staggered_regions_find(m));
  return triad_staggered_regions_check(m);
}

/* ---- the mesh ---- */

int triad_staggered_mesh_create(triad_staggered_mesh **out, triad_context *context, const triad_staggered_setup *setup,
                                const triad_partition *blocks, const uint8_t *solid)
{
  triad_staggered_mesh *m = *out = calloc(1, sizeof *m);
  int st = m ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the mesh");
  if (m) {
    m->context = context;
    m->setup = *setup;
    m->blocks = *blocks;
    m->wall_factor = 1;
    st = make_sizes(m);
    if (st == TRIAD_OK) st = TRIAD_ALLOC(context->memory, "open faces", blocks->volume, &m->open);
    if (st == TRIAD_OK)
      st = TRIAD_ALLOC(context->memory, "open faces", (blocks->local[1] + 2) * (blocks->local[2] + 2), &m->masked);
    m->sizes.open = m->open;
  }
  st = triad_agree(&context->comm, st);
  if (st == TRIAD_OK) st = triad_halo_create_of(&m->velocities, context, blocks, 1, 3, TRIAD_HALO_EDGES);
  if (st == TRIAD_OK) st = triad_halo_create_of(&m->cells, context, blocks, 1, 1, TRIAD_HALO_FACES);
  if (st == TRIAD_OK) st = triad_staggered_mesh_solids(m, solid);
  if (st != TRIAD_OK) triad_staggered_mesh_destroy(out);
  return st;
}

void triad_staggered_mesh_destroy(triad_staggered_mesh **mesh)
{
  triad_staggered_mesh *m = *mesh;
  if (!m) return;
  triad_memory *memory = m->context->memory;
  triad_halo_destroy(&m->velocities);
  triad_halo_destroy(&m->cells);
  TRIAD_FREE(memory, &m->memory);
  TRIAD_FREE(memory, &m->open);
  TRIAD_FREE(memory, &m->region);
  TRIAD_FREE(memory, &m->masked);
  TRIAD_FREE(memory, &m->beside);
  for (int i = 0; i < 3; i++) {
    TRIAD_FREE(memory, &m->face[i]);
    TRIAD_FREE(memory, &m->centre[i]);
  }
  free(m);
  *mesh = NULL;
}

triad_space triad_staggered_space(const triad_staggered_mesh *m, int a, int bare)
{
  const triad_partition blocks = bare ? triad_partition_bare(&m->blocks) : m->blocks;
  triad_space space;
  triad_space_box(&space, &blocks, m->setup.length);
  for (int i = 0; i < 3; i++) {
    space.axis[i].first = i == a ? 0 : m->centre[i][0];
    if (!(m->setup.stretch[i] > 0)) continue;
    space.axis[i].at = i == a ? m->face[i] : m->centre[i];
    space.axis[i].edge = m->face[i];
  }
  return space;
}

/* ---- halos ---- */

void triad_staggered_fill_cells(const triad_staggered_mesh *m, triad_real *p)
{
  triad_real *const fields[1] = {p};
  triad_halo_exchange(m->cells, fields, 1);
}

/* Are velocities given there, to which those along the boundary are mirrored? */
static int is_given(triad_staggered_side side)
{
  return side == TRIAD_STAGGERED_WALL || side == TRIAD_STAGGERED_INFLOW;
}

/* Fill a boundary across `axis`: the normal velocity is given: 0 except for inflow, and 0 before a solid. The
 * tangential one is mirrored about the given velocities. */
static void fill_side(const triad_staggered_mesh *m, triad_real *const u[3], int axis, int upper)
{
  const triad_partition *b = &m->blocks;
  triad_staggered_side side = m->setup.side[axis][upper];
  double factor = side == TRIAD_STAGGERED_WALL ? m->wall_factor : 1;
  triad_real given[3];
  for (int a = 0; a < 3; a++) given[a] = (triad_real)(factor * m->setup.wall[axis][upper][a]);
  int a1 = axis == 0 ? 1 : 0, a2 = axis == 2 ? 1 : 2;
  int64_t inwards = upper ? -b->stride[axis] : b->stride[axis];
  int64_t last = b->origin + (upper ? (b->local[axis] - 1) * b->stride[axis] : 0);
  for (int64_t j = -b->halo[a2]; j < b->local[a2] + b->halo[a2]; j++)
    for (int64_t i = -b->halo[a1]; i < b->local[a1] + b->halo[a1]; i++) {
      int64_t at = last + i * b->stride[a1] + j * b->stride[a2], beyond = at - inwards;
      for (int a = 0; a < 3; a++)
        if (a != axis) u[a][beyond] = is_given(side) ? 2 * given[a] - u[a][at] : u[a][at];
      if (side != TRIAD_STAGGERED_OUTFLOW)
        u[axis][upper ? beyond : at] = m->open[at] & TRIAD_STAGGERED_SOLID ? 0 : given[axis];
      if (!upper) u[axis][beyond] = 2 * u[axis][at] - u[axis][at + inwards];
    }
}

int triad_staggered_ends_at(const triad_staggered_mesh *m, int axis, int upper)
{
  return m->setup.n[axis] > 1 && m->setup.side[axis][upper] != TRIAD_STAGGERED_PERIODIC &&
         m->blocks.neighbour[axis][upper] == TRIAD_NO_NEIGHBOUR;
}

static void fill_sides(const triad_staggered_mesh *m, triad_real *const u[3])
{
  for (int axis = 0; axis < 3; axis++)
    for (int upper = 0; upper < 2; upper++)
      if (triad_staggered_ends_at(m, axis, upper)) fill_side(m, u, axis, upper);
}

void triad_staggered_fill(const triad_staggered_mesh *m, triad_real *const u[3])
{
  triad_halo_exchange(m->velocities, u, 3);
  fill_sides(m, u);
}

/* A row of the ghosts, with its own along x. */
static void copy_row(const triad_partition *b, triad_real *u, int64_t to_y, int64_t to_z, int64_t y, int64_t z)
{
  memcpy(u + triad_partition_at(b, -1, to_y, to_z), u + triad_partition_at(b, -1, y, z),
         (size_t)(b->local[0] + 2) * sizeof *u);
}

void triad_staggered_fill_closed(const triad_staggered_mesh *m, triad_real *const u[3])
{
  const triad_partition *b = &m->blocks;
  const int64_t ny = b->local[1], nz = b->local[2];
  if (!triad_staggered_closes_rows(m)) {
    triad_staggered_fill(m, u);
    return;
  }
  if (b->periodic[1] && b->halo[1] > 0)
#pragma omp parallel for collapse(2) schedule(static) num_threads(m->context->threads)
    for (int a = 0; a < 3; a++)
      for (int64_t z = 0; z < nz; z++) {
        copy_row(b, u[a], -1, z, ny - 1, z);
        copy_row(b, u[a], ny, z, 0, z);
      }
  if (b->periodic[2] && b->halo[2] > 0)
#pragma omp parallel for collapse(2) schedule(static) num_threads(m->context->threads)
    for (int a = 0; a < 3; a++)
      for (int64_t y = -b->halo[1]; y < ny + b->halo[1]; y++) {
        copy_row(b, u[a], y, -1, y, nz - 1);
        copy_row(b, u[a], y, nz, y, 0);
      }
  fill_sides(m, u);
}

void triad_staggered_fill_change(const triad_staggered_mesh *m, int a, triad_real *f)
{
  const triad_partition *b = &m->blocks;
  triad_staggered_fill_cells(m, f);
  for (int axis = 0; axis < 3; axis++)
    for (int upper = 0; upper < 2; upper++) {
      if (!triad_staggered_ends_at(m, axis, upper)) continue;
      /* across the boundary its face stays as it is, along it the change is mirrored */
      triad_real sign = axis == a ? 0 : is_given(m->setup.side[axis][upper]) ? -1 : 1;
      int a1 = axis == 0 ? 1 : 0, a2 = axis == 2 ? 1 : 2;
      int64_t last = b->origin + (upper ? (b->local[axis] - 1) * b->stride[axis] : 0);
      int64_t beyond = upper ? b->stride[axis] : -b->stride[axis];
      for (int64_t j = 0; j < b->local[a2]; j++)
        for (int64_t i = 0; i < b->local[a1]; i++) {
          int64_t at = last + i * b->stride[a1] + j * b->stride[a2];
          f[at + beyond] = sign * f[at];
        }
    }
}
