/* What a flow by flux-corrected transport is: the gas, the fluxes, the limiter, the mesh, what is at its patches. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_SETUP_H
#define TRIAD_SOLVERS_UNSTRUCTURED_SETUP_H

#include "case/case.h"
#include "parallel/graph.h"
#include "store/disk.h"
#include "solvers/unstructured/generate.h"
#include "solvers/unstructured/order.h"
#include "solvers/unstructured/patches.h"

typedef enum triad_fct_transport {
  TRIAD_FCT_CORRECTED, /* the low-order flux, and as much of the difference to the high-order one as bounds allow */
  TRIAD_FCT_LOW,       /* the low-order flux alone                                                                */
  TRIAD_FCT_HIGH       /* the high-order flux alone                                                               */
} triad_fct_transport;

typedef enum triad_fct_loop_kind {
  TRIAD_FCT_GATHER,     /* each cell adds what passes its faces           */
  TRIAD_FCT_BY_COLOURS, /* faces add to both cells, colour by colour      */
  TRIAD_FCT_ATOMICS     /* faces add to both cells, one number at a time  */
} triad_fct_loop_kind;

typedef enum triad_fct_keeps {
  TRIAD_FCT_KEEP_WHAT_FITS, /* geometry of all faces where a GPU has room for it       */
  TRIAD_FCT_KEEP_FACES,     /* geometry of all faces                                   */
  TRIAD_FCT_KEEP_CORNERS    /* of faces between tetrahedra corners alone (fct_tets.h)  */
} triad_fct_keeps;

typedef struct triad_fct_setup {
  double gamma;
  triad_fct_transport transport;
  int hllc;    /* is the low-order flux HLLC, else Rusanov?                                    */
  int linear;  /* is the high-order flux made of values with gradients, else of two cells' means? */
  int wide;    /* are gradients of cells of few faces means over their neighbours? */
  int flat;    /* are gradients cut to what neighbours have? */
  int sponges;  /* is there one before a patch? */
  int prelimit; /* are antidiffusive fluxes that smooth cancelled? */
  double viscosity, prandtl; /* 0: none */
  int limited; /* TRIAD_FCT_LIMIT_.. */
  int means;         /* are means in time taken, from which time on? */
  double means_from;
  double slack; /* bounds are wider by this part of the low-order solution */
  char file[TRIAD_PATH];    /* of a mesh; "": none, and the mesh is made by */
  triad_fct_generator mesh;
  const triad_graph_library *dealer; /* of cells to ranks; NULL: where they are decides   */
  int curve;      /* and that is where along the curve (order.h), else by planes (bisect.h) */
  triad_fct_numbering numbering;
  triad_fct_loop_kind loops;
  int structured; /* boxes of hexahedra are looked for */
  triad_fct_keeps keeps; /* on a GPU */
  int layers;     /* of bricks that a GPU works on at a time; 0: not asked for */
  int n_patches;
  triad_fct_patch patch[TRIAD_FCT_PATCHES];
} triad_fct_setup;

/* Of a case whose keys have been checked. TRIAD_ERR_CASE. Not collective, as all here. */
int triad_fct_setup_read(triad_fct_setup *setup, const triad_case *given);

/* Patches to be joined, by their numbers. */
typedef struct triad_fct_pairs {
  int n, patch[TRIAD_FCT_PATCHES][2];
} triad_fct_pairs;

/* What holds at each patch of a mesh, by its number: a slip wall where the setup says nothing of it, of a mesh that was made here; of a file
 * all patches are said. A patch of the setup that is not there is a fault, and the like. */
void triad_fct_setup_rules(const triad_fct_setup *setup, const triad_fct_mesh *mesh, triad_fct_rule rules[TRIAD_FCT_PATCHES],
                           triad_fct_pairs *pairs, triad_faults *faults);

/* The whole mesh of a setup, not measured yet, its periodic patches joined; and its rules. All that is wrong with a file, with cells and sides, with
 * patches and what is said of them is told in one go, as far as one fault leaves something of the next: TRIAD_ERR_CASE. */
int triad_fct_setup_mesh(const triad_fct_setup *setup, triad_memory *memory, triad_fct_mesh **mesh,
                         triad_fct_rule rules[TRIAD_FCT_PATCHES]);

/* For who has found faults in a part of the mesh of a file, or while it was counted: tells all that is wrong with the whole, as one rank has it;
 * where there is no room for the whole, or nothing is wrong with it, what was found. */
int triad_fct_setup_tell(const triad_fct_setup *setup, triad_memory *memory, const triad_faults *found);

/* How much of that mesh there is, without making it: corners of cells and their sides, of polyhedra apart the sides and the points of these;
 * zoned: cells that zones will have. Counts of files, and of faces, to a few percent. With faults in a file all that is wrong with the mesh is
 * told; brief: those alone, without making it. */
typedef struct triad_fct_size {
  int64_t points, cells, corners, sides, polygons, polygon_points, faces, outer, zoned;
} triad_fct_size;

int triad_fct_setup_size(const triad_fct_setup *setup, triad_fct_size *size, int brief);

#endif
