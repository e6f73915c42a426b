/* Declarations shared by the files of gather: planes in memory, and the current run. */
#ifndef TRIAD_SOLVERS_SPECTRAL_PARTICLES_GATHER_INTERNAL_H
#define TRIAD_SOLVERS_SPECTRAL_PARTICLES_GATHER_INTERNAL_H

#include "solvers/spectral/particles/gather.h"
#include "solvers/particles/spline_points.h"
#include "solvers/spectral/whole_planes.h"

enum { TRIAD_GATHER_BATCH = 64 /* particles whose weights are computed at a time */ };

/* A particle of a batch. */
typedef struct triad_gather_one {
  double w[3][TRIAD_WEIGHTS_MOST] __attribute__((aligned(64))); /* along x, 0 beyond; y; z */
  int64_t x, y;                                                 /* the point below */
  const triad_real *const *at;                                  /* its planes */
  const double *record;
  double *out;
} triad_gather_one;

struct triad_gather {
  triad_flow *flow;
  const triad_layout *l; /* of whole planes */
  triad_whole_planes *whole;
  /* reals of a row with those that are repeated behind it, of all rows, of a plane of all fields */
  int64_t row, field, plane;
  int64_t slots;                           /* number of planes stored at a time */
  int edge;                                /* planes that are kept at either end: the most points less 1 */
  triad_real *ring, *head, *tail, *beyond; /* [slots], [edge], [edge], [edge] planes */
  triad_gather_one *batch;                 /* [threads][TRIAD_GATHER_BATCH] */
  int64_t *row_at;   /* [n_y + 2 TRIAD_WEIGHTS_MOST] offset of row y - TRIAD_WEIGHTS_MOST, periodic */
  double *factor[3]; /* 1/transform along an axis, by the wavenumber's size */
  int factor_order;
  MPI_Request *requests;
  /* of the run at hand */
  const triad_gather_want *want;
  int divided, order, fields, n_groups, offset; /* order: points along an axis, of the group that has most */
  triad_group *groups;
  double *const *out;
  int64_t done; /* planes whose particles have been summed */
};

/* Planes below a particle's own that it needs. */
static inline int64_t triad_gather_lower(const triad_gather *g) { return g->order / 2 - 1; }

/* Where local plane z is kept: the first and the last ones until the run is over, the others while they are needed. */
static inline triad_real *triad_gather_place(const triad_gather *g, int64_t z)
{
  const int64_t last = g->l->n_planes - g->edge;
  return z < g->edge ? g->head + z * g->plane
         : z >= last ? g->tail + (z - last) * g->plane
                     : g->ring + z % g->slots * g->plane;
}

/* Has the run at hand this group? */
static inline int triad_gather_serves(const triad_gather *g, const triad_group *p)
{
  return p->divided == g->divided && (g->divided ? p->order == g->order : 1);
}

#endif
