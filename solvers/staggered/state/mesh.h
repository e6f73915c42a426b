/* The mesh of a rank: sizes of its cells, which of their faces are open, and its fields' exchange with other ranks. */
#ifndef TRIAD_SOLVERS_STAGGERED_STATE_MESH_H
#define TRIAD_SOLVERS_STAGGERED_STATE_MESH_H

#include "grid/fields/halo.h"
#include "grid/space.h"
#include "solvers/staggered/case/setup.h"
#include "solvers/staggered/points/sizes.h"

typedef struct triad_staggered_mesh {
  triad_context *context;
  triad_staggered_setup setup;
  triad_partition blocks;
  triad_staggered_sizes sizes;
  int solids, closed;          /* solids: 1 if there are solids, closed: 1 if a face is closed, on any rank */
  double *face[3], *centre[3]; /* positions on the whole grid, [n + 1] and [n] */
  triad_real *memory;          /* of the sizes */
  uint8_t *open;               /* [blocks.volume], halos too */
  int64_t regions;             /* of fluid that hang together, and the one of each own cell; NULL: one (regions.h) */
  int32_t *region;
  int64_t placed;                        /* how often solids have been placed, as of all ranks             */
  int64_t n_beside;                      /* own fluid cells that adjoin solids, by rows */
  struct triad_staggered_beside *beside; /* staggered_points.h */
  double wall_factor;                    /* of the velocities of walls, now */
  /* [z][y] of rows and their halos: has a cell, or the one before, a face that a solid closes? */
  uint8_t *masked;
  triad_halo *velocities, *cells; /* exchanges of three fields with edges, of one without */
} triad_staggered_mesh;

/* solid: 1 for cells of the whole grid that are solid, [z][y][x] of this block without halos; NULL: none.
 * TRIAD_ERR_MEMORY. Collective. */
int triad_staggered_mesh_create(triad_staggered_mesh **out, triad_context *context, const triad_staggered_setup *setup,
                                const triad_partition *blocks, const uint8_t *solid);
void triad_staggered_mesh_destroy(triad_staggered_mesh **mesh);

/* The box has these lengths from now on; what is in its cells stays. Not collective. */
void triad_staggered_mesh_resize(triad_staggered_mesh *mesh, const double length[3]);

/* Cells that are solid from now on, as in create; NULL: none. Collective. */
int triad_staggered_mesh_solids(triad_staggered_mesh *mesh, const uint8_t *solid);

/* fill: halos of a velocity: from other ranks, and beyond boundaries with the velocity through them; that through an
 * outflow is not changed (outflow.h). fill_change: those of a change of component a, which no wall moves, as far as
 * diffusion reads them. fill_cells: halos of a cell field from other ranks only. Collective. */
void triad_staggered_fill(const triad_staggered_mesh *mesh, triad_real *const u[3]);
void triad_staggered_fill_change(const triad_staggered_mesh *mesh, int a, triad_real *change);
void triad_staggered_fill_cells(const triad_staggered_mesh *mesh, triad_real *p);

/* Does one rank have the box, periodic along x? Then the ghosts of a row along x are cheapest where it has been
 * made: triad_staggered_close_row, and triad_staggered_fill_closed fills the others of a velocity all of whose rows
 * are closed; elsewhere it is triad_staggered_fill. */
static inline int triad_staggered_closes_rows(const triad_staggered_mesh *m)
{
  return m->blocks.size == 1 && m->blocks.periodic[0] && m->blocks.halo[0] > 0;
}

#ifndef TRIAD_ONCE
static inline void triad_staggered_close_row(const triad_staggered_mesh *m, triad_real *const u[3], int64_t y,
                                             int64_t z)
{
  const int64_t first = triad_partition_at(&m->blocks, 0, y, z), n = m->blocks.local[0];
  for (int a = 0; a < 3; a++) {
    u[a][first - 1] = u[a][first + n - 1];
    u[a][first + n] = u[a][first];
  }
}
#endif

void triad_staggered_fill_closed(const triad_staggered_mesh *mesh, triad_real *const u[3]);

/* Does this block end at a boundary of the box there? Not collective. */
int triad_staggered_ends_at(const triad_staggered_mesh *mesh, int axis, int upper);

/* Work on a row of own cells along x: what it adds to sums, and raises maxima to (sums first, both 0 before). */
enum { TRIAD_STAGGERED_MAX_RESULTS = 24 };
typedef void triad_staggered_row_job(void *self, int64_t y, int64_t z, double *results);

/* Index of a row in mesh->masked; whether it has a face closed by a solid; whether it, or one of the two rows below
 * it, does. The same on any number of ranks if rows are not divided. */
static inline int64_t triad_staggered_row_number(const triad_staggered_mesh *m, int64_t y, int64_t z)
{
  return (z + 1) * (m->blocks.local[1] + 2) + y + 1;
}

static inline int triad_staggered_is_masked(const triad_staggered_mesh *m, int64_t y, int64_t z)
{
  return m->masked[triad_staggered_row_number(m, y, z)];
}

static inline int triad_staggered_near_solids(const triad_staggered_mesh *m, int64_t y, int64_t z)
{
  return triad_staggered_is_masked(m, y, z) || triad_staggered_is_masked(m, y - 1, z) ||
         triad_staggered_is_masked(m, y, z - 1);
}

/* The space of component a of the velocity, a = 0, 1, 2, of what is in the cells' centres with a = 3; with ghosts,
 * or as files of fields have it. */
triad_space triad_staggered_space(const triad_staggered_mesh *mesh, int a, int bare);

#endif
