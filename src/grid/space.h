/* A space: where a field lives. States, vector kernels and files ask a grid these questions and no more, so that each
 * of them is written once for all grids:
 *
 *   how many     entries here and in all, along each dimension of the dataset that a file holds
 *   memory       entries that a field takes here, ghosts and padding included
 *   runs         which of the dataset's global numbers are held here, and where in memory: files come out the same on
 *                any ranks
 *   points       where an entry is, how large the volume that it stands for
 *   exchange     the plan that fills its ghosts
 *
 * An entry is one number of triad_real, or a complex one (parts = 2). Its global number counts the dataset with the
 * last dimension fastest. Each entry is held by one rank; ghosts are copies and belong to no run.
 *
 * Kinds of spaces here: the modes of a layout, and the points of a box. A new kind is a triad_space_kind and a function
 * that fills a triad_space: faces of a staggered mesh are boxes of n or n + 1 points along an axis, each component a
 * space of its own; zones are one 1-D dataset after another, or a space each; a mesh has dims = {its entries}, and runs
 * from the list of its global numbers. */
#ifndef TRIAD_GRID_SPACE_H
#define TRIAD_GRID_SPACE_H

#include "grid/layout.h"
#include "grid/partition.h"

enum { TRIAD_SPACE_DIMS = 3 };

/* Entries global, global + 1, .. of a dataset, which lie at `at`, at + step, .. of a field's memory. weight: how often
 * each counts in a sum over the whole space: 2 where it stands for its conjugate too. */
typedef struct triad_space_run {
  int64_t global, at, step, count;
  double weight;
} triad_space_run;

/* Positions along an axis. Uniform: point i is at first + i length/n. Stretched: at[n], and the edges of cells,
 * edge[n + 1]; arrays are the owner's of the space. */
typedef struct triad_axis {
  int64_t n;
  int periodic;
  double length, first;
  double part_of;          /* length of the whole axis, of points that are a part of it; 0: they are all of it */
  const double *at, *edge; /* NULL: uniform */
} triad_axis;

typedef struct triad_space triad_space;

typedef struct triad_space_kind {
  const char *name;
  /* Run number i of n_runs. */
  void (*run)(const triad_space *space, int64_t i, triad_space_run *run);
  /* Position of an entry by its global number, and the volume it stands for; NULL: it tells none (modes, meshes). */
  void (*position)(const triad_space *space, int64_t global, double x[3]);
  double (*volume)(const triad_space *space, int64_t global);
} triad_space_kind;

struct triad_space {
  const triad_space_kind *kind;
  int n_dims, parts;
  int64_t dims[TRIAD_SPACE_DIMS]; /* of the dataset, the slowest first             */
  int64_t all, here, memory;      /* entries: of all ranks, of this one, in memory */
  int64_t n_runs;                 /* of this rank                                  */
  int padded;                     /* what belongs to no run is padding, which stays 0, and no ghosts */
  triad_axis axis[3];             /* x, y, z of kinds that have axes; n = 0: none  */
  const void *plan;               /* of the exchange of ghosts; NULL: no ghosts    */
  /* of the kind */
  const triad_layout *layout;
  triad_partition blocks;
  const void *own;
};

/* The modes of a layout, complex [column][kz]; lives as long as the layout does. */
void triad_space_modes(triad_space *space, const triad_layout *layout);

/* The points of a partition's box, real [z][y][x]: along a periodic axis at i L/n, along another one at the centres of
 * n cells, (i + 1/2) L/n. To stretch an axis set its at and edge. */
void triad_space_box(triad_space *space, const triad_partition *blocks, const double length[3]);

/* The points of a layout's grid, as a transform leaves them: real [z_local][y_local][x], no ghosts. */
void triad_space_planes(triad_space *space, const triad_layout *layout);

/* Bytes of a dataset of it, of reals of so many bytes. */
static inline int64_t triad_space_bytes(const triad_space *space, int real_size)
{
  return space->all * space->parts * (int64_t)real_size;
}

/* The axes of a periodic grid. */
void triad_axes_of_grid(triad_axis axis[3], const triad_grid *grid);

/* Is it the points of a box, as triad_space_box makes it? */
int triad_space_is_box(const triad_space *space);

double triad_axis_position(const triad_axis *axis, int64_t i);

#endif
