/* Spaces: an interface to the grid of a field. States, vector kernels and files use only this, so each is written once
 * for all grids:
 *
 *   sizes        entries on this rank and in all, along each dimension of the dataset in a file
 *   memory       entries of a field's memory on this rank, including ghosts and padding
 *   runs         global numbers of the dataset that this rank holds, and their memory indices: files do not depend on
 *                the number of ranks
 *   points       position of an entry, and the volume that it represents
 *   exchange     the plan that fills its ghosts
 *
 * An entry is one triad_real, or a complex number (parts = 2). Its global number counts the dataset with the last
 * dimension fastest. Each entry is held by one rank; ghosts are copies and belong to no run.
 *
 * Spaces defined here: the modes of a layout, and the points of a box. A new kind needs a triad_space_kind and a
 * function that fills a triad_space. Examples: faces of a staggered mesh are boxes with n or n + 1 points along an
 * axis, with a space for each component; zones are 1-D datasets one after another, or a space each; a mesh has dims =
 * {its entries}, and runs from its list of global numbers. */
#ifndef TRIAD_GRID_SPACE_H
#define TRIAD_GRID_SPACE_H

#include "grid/layout.h"
#include "grid/partition.h"

enum { TRIAD_SPACE_DIMS = 3 };

/* Entries global, global + 1, .. of a dataset, with memory indices at, at + step, .. weight: the factor of each in a
 * sum over the whole space; 2 if an entry represents its conjugate too. */
typedef struct triad_space_run {
  int64_t global, at, step, count;
  double weight;
} triad_space_run;

/* Positions along an axis. Uniform: point i is at first + i length/n. Stretched: at[n], and cell edges edge[n + 1];
 * the owner of the space owns these arrays. */
typedef struct triad_axis {
  int64_t n;
  int periodic;
  double length, first;
  double part_of;          /* length of the whole axis, if the points are a part of it; 0: they are all of it */
  const double *at, *edge; /* NULL: uniform */
} triad_axis;

typedef struct triad_space triad_space;

typedef struct triad_space_kind {
  const char *name;
  /* Get run number i of n_runs. */
  void (*run)(const triad_space *space, int64_t i, triad_space_run *run);
  /* Position of an entry with this global number, and the volume that it represents; NULL: not available (modes,
   * meshes). */
  void (*position)(const triad_space *space, int64_t global, double x[3]);
  double (*volume)(const triad_space *space, int64_t global);
} triad_space_kind;

struct triad_space {
  const triad_space_kind *kind;
  int n_dims, parts;
  int64_t dims[TRIAD_SPACE_DIMS]; /* of the dataset, the slowest first             */
  int64_t all, here, memory;      /* entries: of all ranks, of this one, in memory */
  int64_t n_runs;                 /* of this rank                                  */
  int padded;                     /* 1: entries outside runs are padding, which stays 0; there are no ghosts */
  triad_axis axis[3];             /* x, y, z of kinds that have axes; n = 0: none  */
  double skew;                    /* of points of a layout whose modes lean, else 0: values repeat in x - skew y */
  const void *plan;               /* of the exchange of ghosts; NULL: no ghosts    */
  /* used by the kind */
  const triad_layout *layout;
  triad_partition blocks;
  const void *own;
};

/* The modes of a layout, complex [column][kz]; lives as long as the layout does. */
void triad_space_modes(triad_space *space, const triad_layout *layout);

/* The points of a partition's box, real [z][y][x]: at i L/n along a periodic axis, else at the centres of n cells, (i
 * + 1/2) L/n. To stretch an axis, set its `at` and `edge`. */
void triad_space_box(triad_space *space, const triad_partition *blocks, const double length[3]);

/* The points of a layout's grid as a transform stores them: real [z_local][y_local][x], no ghosts. */
void triad_space_planes(triad_space *space, const triad_layout *layout);

/* Bytes of its dataset with reals of real_size bytes. */
static inline int64_t triad_space_bytes(const triad_space *space, int real_size)
{
  return space->all * space->parts * (int64_t)real_size;
}

/* The axes of a periodic grid. */
void triad_axes_of_grid(triad_axis axis[3], const triad_grid *grid);

/* Returns 1 if it is the points of a box, as made by triad_space_box. */
int triad_space_is_box(const triad_space *space);

double triad_axis_position(const triad_axis *axis, int64_t i);

#endif
