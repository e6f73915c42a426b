/* Kinds of boundary conditions; numbers of the values of a cell. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_POINTS_KINDS_H
#define TRIAD_SOLVERS_UNSTRUCTURED_POINTS_KINDS_H

typedef enum triad_unstructured_kind {
  TRIAD_UNSTRUCTURED_SLIP,     /* a wall without friction; a plane of symmetry            */
  TRIAD_UNSTRUCTURED_INFLOW,   /* the given state                                         */
  TRIAD_UNSTRUCTURED_OUTFLOW,  /* the state inside                                        */
  TRIAD_UNSTRUCTURED_PRESSURE, /* subsonic outflow to a given pressure                    */
  TRIAD_UNSTRUCTURED_FARFIELD, /* by characteristics, to the given state                  */
  TRIAD_UNSTRUCTURED_TOTAL,    /* inflow along the normal from a reservoir                */
  TRIAD_UNSTRUCTURED_NOSLIP,   /* a wall that holds the gas, of a given temperature or not heated */
  TRIAD_UNSTRUCTURED_PERIODIC, /* joined to the patch across: its faces have two cells    */
  TRIAD_UNSTRUCTURED_KINDS
} triad_unstructured_kind;

/* Values in files of fields, by number. */
enum {
  TRIAD_UNSTRUCTURED_RHO,
  TRIAD_UNSTRUCTURED_U,
  TRIAD_UNSTRUCTURED_V,
  TRIAD_UNSTRUCTURED_W,
  TRIAD_UNSTRUCTURED_P,
  TRIAD_UNSTRUCTURED_T,
  TRIAD_UNSTRUCTURED_MACH,
  TRIAD_UNSTRUCTURED_SCHLIEREN,
  TRIAD_UNSTRUCTURED_OUTPUTS
};

#endif
