/* Parameters of a flow with flux-corrected transport: gas, fluxes, limiter, mesh, boundary conditions. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_CASE_SETUP_H
#define TRIAD_SOLVERS_UNSTRUCTURED_CASE_SETUP_H

#include "solvers/gas/kinds.h"
#include "case/case.h"
#include "mesh/order.h"
#include "mesh/parts/partition.h"
#include "solvers/bodies.h"
#include "solvers/device_choice.h"
#include "solvers/unstructured/plain/patches.h"
#include "solvers/unstructured/points/transport_points.h"

typedef enum triad_unstructured_transport {
  /* the low-order flux, plus the part of the difference to the high-order one that the bounds allow */
  TRIAD_UNSTRUCTURED_CORRECTED,
  TRIAD_UNSTRUCTURED_LOW, /* the low-order flux only */
  TRIAD_UNSTRUCTURED_HIGH /* the high-order flux only */
} triad_unstructured_transport;

typedef enum triad_unstructured_loop_kind {
  TRIAD_UNSTRUCTURED_GATHER,     /* each cell sums the fluxes of its faces */
  TRIAD_UNSTRUCTURED_BY_COLOURS, /* faces add to both cells, colour by colour */
  TRIAD_UNSTRUCTURED_ATOMICS     /* faces add to both cells with atomic operations */
} triad_unstructured_loop_kind;

typedef enum triad_unstructured_keeps {
  TRIAD_UNSTRUCTURED_KEEP_WHAT_FITS, /* store the geometry of all faces if the GPU has enough memory */
  TRIAD_UNSTRUCTURED_KEEP_FACES,     /* store the geometry of all faces */
  TRIAD_UNSTRUCTURED_KEEP_CORNERS    /* for faces between tetrahedra store corners only (tets.h) */
} triad_unstructured_keeps;

typedef struct triad_unstructured_setup {
  double gamma;
  triad_unstructured_transport transport;
  triad_gas_riemann riemann; /* low-order flux */
  int linear;                /* high-order flux: 1: linear reconstruction with gradients, 0: mean of the two cells */
  int wide;                  /* 1: gradients of cells with few faces are averaged over their neighbours */
  int flat;                  /* 1: gradients are limited to the range of the neighbours */
  int sponges;               /* 1: a patch has a sponge */
  int prelimit;              /* 1: antidiffusive fluxes that would smooth the solution are cancelled */
  double viscosity, prandtl; /* 0: none */
  int limited;               /* TRIAD_UNSTRUCTURED_LIMIT_.. */
  int means;                 /* 1: time averages are accumulated, from means_from on */
  double means_from;
  double slack;             /* bounds are widened by this fraction of the low-order solution */
  triad_mesh_source source; /* source of the mesh; find_pairs is set by the functions below */
  triad_mesh_numbering numbering;
  triad_unstructured_loop_kind loops;
  triad_unstructured_keeps keeps; /* on a GPU */
  int layers;                     /* layers of bricks that a GPU processes at a time; 0: automatic */
  triad_body_reference
    reference; /* of coefficients of walls; area 0: there are none; density or velocity 0: of a patch */
  int n_patches;
  triad_unstructured_patch patch[TRIAD_MESH_PATCHES];
} triad_unstructured_setup;

/* Read the setup from a case whose keys have been checked. TRIAD_ERR_CASE. Not collective, like all functions here. */
int triad_unstructured_setup_read(triad_unstructured_setup *setup, const triad_case *given);

/* The functions triad_mesh_source_mesh, triad_mesh_source_size and triad_mesh_partition_create for a setup's source,
 * with the periodic patches of the setup; `rules` as in triad_unstructured_setup_rules. */
int triad_unstructured_setup_mesh(const triad_unstructured_setup *setup, triad_memory *memory, triad_mesh **mesh,
                                  triad_unstructured_rule rules[TRIAD_MESH_PATCHES]);
int triad_unstructured_setup_size(const triad_unstructured_setup *setup, triad_mesh_size *size, int brief);
int triad_unstructured_setup_part(triad_mesh_partition **partition, const triad_context *context,
                                  const triad_unstructured_setup *setup, triad_mesh **mesh,
                                  /* collective */
                                  triad_unstructured_rule rules[TRIAD_MESH_PATCHES], uint64_t *checksum,
                                  double *measured_s);

/* The devices that the solver has code for; a GPU takes every case. */
extern const triad_device_support triad_unstructured_devices;

#endif
