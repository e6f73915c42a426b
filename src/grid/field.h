/* What a field is: its name, and the part that it plays. Code asks for roles here and never guesses them from a field's
 * place among the others or from a letter of its name.
 *
 * The components of a vector, and the parts of a complex field, follow one another in a list of fields; such a group is
 * what physics speaks of: "velocity" is the group of u, v, w. A scalar is a group of its own, called as its field. */
#ifndef TRIAD_GRID_FIELD_H
#define TRIAD_GRID_FIELD_H

#include <stddef.h>

typedef enum triad_role {
  TRIAD_ROLE_SCALAR,
  TRIAD_ROLE_COMPONENT, /* of a vector: of, number = 0, 1, 2 for x, y, z                    */
  TRIAD_ROLE_REAL,      /* real part of a complex field: of, number = 0                     */
  TRIAD_ROLE_IMAGINARY  /* its imaginary part, number = 1                                   */
} triad_role;

/* In a table: {"u", "velocity along x", "U", TRIAD_COMPONENT("velocity", 0, 1)}, {"theta", "buoyancy", "U",
 * TRIAD_SCALAR}. */
typedef struct triad_field_info {
  const char *name, *long_name, *unit;
  triad_role role;
  const char *of; /* name of the vector or of the complex field that it is part of; NULL: of none */
  int number;     /* which part                                                                  */
  int solenoidal; /* of a vector: has no divergence                                              */
} triad_field_info;

#define TRIAD_SCALAR TRIAD_ROLE_SCALAR, NULL, 0, 0
#define TRIAD_COMPONENT(vector, axis, without_divergence) TRIAD_ROLE_COMPONENT, (vector), (axis), (without_divergence)
#define TRIAD_REAL_PART(field) TRIAD_ROLE_REAL, (field), 0, 0
#define TRIAD_IMAGINARY_PART(field) TRIAD_ROLE_IMAGINARY, (field), 1, 0

/* A scalar, a vector or a complex field: fields first .. first + n - 1 of a list. role: of its first field. */
typedef struct triad_field_group {
  const char *name;
  triad_role role;
  int first, n, solenoidal;
} triad_field_group;

/* Are groups whole and in order, and is no name there twice? TRIAD_ERR_INTERNAL with the field otherwise. Not
 * collective, as all here. */
int triad_fields_check(const triad_field_info *list, int n);

/* Number of the field of this name; -1: none. */
int triad_field_find(const triad_field_info *list, int n, const char *name);

/* The group that field f begins: for (f = 0; f < n; f += group.n) visits all. */
triad_field_group triad_field_group_at(const triad_field_info *list, int n, int f);

/* The group of this name, "velocity", "theta" or "psi"; n = 0 and first = -1: none. */
triad_field_group triad_field_group_find(const triad_field_info *list, int n, const char *name);

#endif
