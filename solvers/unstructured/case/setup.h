/* What a flow by flux-corrected transport is: the gas, the fluxes, the limiter, the mesh, what is at its patches. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_CASE_SETUP_H
#define TRIAD_SOLVERS_UNSTRUCTURED_CASE_SETUP_H

#include "case/case.h"
#include "mesh/order.h"
#include "mesh/parts/partition.h"
#include "solvers/unstructured/case/patches.h"

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
  int hllc;                  /* is the low-order flux HLLC, else Rusanov?                                    */
  int linear;                /* is the high-order flux made of values with gradients, else of two cells' means? */
  int wide;                  /* are gradients of cells of few faces means over their neighbours? */
  int flat;                  /* are gradients cut to what neighbours have? */
  int sponges;               /* is there one before a patch? */
  int prelimit;              /* are antidiffusive fluxes that smooth cancelled? */
  double viscosity, prandtl; /* 0: none */
  int limited;               /* TRIAD_FCT_LIMIT_.. */
  int means;                 /* are means in time taken, from which time on? */
  double means_from;
  double slack;             /* bounds are wider by this part of the low-order solution */
  triad_mesh_source source; /* of the mesh; find_pairs is set by the functions below */
  triad_mesh_numbering numbering;
  triad_fct_loop_kind loops;
  triad_fct_keeps keeps; /* on a GPU */
  int layers;            /* of bricks that a GPU works on at a time; 0: not asked for */
  int n_patches;
  triad_fct_patch patch[TRIAD_MESH_PATCHES];
} triad_fct_setup;

/* Of a case whose keys have been checked. TRIAD_ERR_CASE. Not collective, as all here. */
int triad_fct_setup_read(triad_fct_setup *setup, const triad_case *given);

/* What holds at each patch of a mesh, by its number: a slip wall where the setup says nothing of it, of a mesh that
 * was made here; of a file all patches are said. A patch of the setup that is not there is a fault, and the like. */
void triad_fct_setup_rules(const triad_fct_setup *setup, const triad_mesh *mesh,
                           triad_fct_rule rules[TRIAD_MESH_PATCHES], triad_mesh_pairs *pairs, triad_faults *faults);

/* triad_mesh_source_mesh, triad_mesh_source_size and triad_mesh_partition_create of a setup's source, whose periodic
 * patches are those that the setup names; `rules` as of triad_fct_setup_rules. */
int triad_fct_setup_mesh(const triad_fct_setup *setup, triad_memory *memory, triad_mesh **mesh,
                         triad_fct_rule rules[TRIAD_MESH_PATCHES]);
int triad_fct_setup_size(const triad_fct_setup *setup, triad_mesh_size *size, int brief);
int triad_fct_setup_part(triad_mesh_partition **partition, const triad_context *context, const triad_fct_setup *setup,
                         triad_mesh **mesh,
                         /* collective */
                         triad_fct_rule rules[TRIAD_MESH_PATCHES], uint64_t *checksum, double *measured_s);

#endif
